//! The sections of a tree file, their order and what their items need.

use std::mem::size_of;
use std::sync::Arc;

use brepcd_geom::nurbs::{NurbsCurve, NurbsSurface};
use brepcd_geom::{Curve, Interval, Point4, Vec3};

use crate::{Border, Crossing, Feature, Header, Node, Patch, Shell, Source};

/// A section, in the order of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    Head,
    Names,
    Sources,
    Shells,
    Vectors,
    NurbsCurves,
    NurbsSurfaces,
    Spans,
    Tangents,
    Trims,
    Borders,
    Crossings,
    Control,
    Features,
    Patches,
    Nodes,
}

impl Section {
    /// All sections in the order of the file.
    pub const ALL: [Self; 16] = [
        Self::Head,
        Self::Names,
        Self::Sources,
        Self::Shells,
        Self::Vectors,
        Self::NurbsCurves,
        Self::NurbsSurfaces,
        Self::Spans,
        Self::Tangents,
        Self::Trims,
        Self::Borders,
        Self::Crossings,
        Self::Control,
        Self::Features,
        Self::Patches,
        Self::Nodes,
    ];

    /// The four letters that name it in the file.
    pub fn tag(self) -> &'static str {
        match self {
            Self::Head => "HEAD",
            Self::Names => "NAME",
            Self::Sources => "SRCE",
            Self::Shells => "SHEL",
            Self::Vectors => "VECT",
            Self::NurbsCurves => "NURC",
            Self::NurbsSurfaces => "NURS",
            Self::Spans => "SPAN",
            Self::Tangents => "TANG",
            Self::Trims => "TRIM",
            Self::Borders => "BORD",
            Self::Crossings => "CROS",
            Self::Control => "CTRL",
            Self::Features => "FEAT",
            Self::Patches => "PTCH",
            Self::Nodes => "NODE",
        }
    }

    /// The fewest bytes an item takes in the file.
    pub fn smallest_item(self) -> u64 {
        match self {
            Self::Head => 74,
            Self::Names | Self::Tangents | Self::Crossings => 1,
            Self::Sources => 3,
            Self::Shells => 1 + 24,
            Self::Trims | Self::Patches => 2,
            Self::Vectors | Self::Control => 24,
            Self::NurbsCurves => 2 + 18 + 48 + 9,
            Self::NurbsSurfaces => 4 + 36 + 96 + 9,
            Self::Spans => 16,
            Self::Borders => 2 + 8,
            Self::Features => 4,
            Self::Nodes => 1 + 4 + 24,
        }
    }

    /// The bytes an item takes in memory, apart from what it owns elsewhere.
    pub fn in_memory(self) -> u64 {
        let bytes = match self {
            Self::Head => size_of::<Header>(),
            Self::Names => size_of::<String>(),
            Self::Sources => size_of::<Source>(),
            Self::Shells => size_of::<Shell>(),
            Self::Vectors | Self::Tangents => size_of::<Vec3>(),
            Self::NurbsCurves => size_of::<Arc<NurbsCurve>>() + size_of::<NurbsCurve>(),
            Self::NurbsSurfaces => size_of::<Arc<NurbsSurface>>() + size_of::<NurbsSurface>(),
            Self::Spans => size_of::<Interval>(),
            Self::Trims => size_of::<Curve>(),
            Self::Borders => size_of::<Border>(),
            Self::Crossings => size_of::<Crossing>(),
            Self::Control => size_of::<Point4>(),
            Self::Features => size_of::<Feature>(),
            Self::Patches => size_of::<Patch>(),
            Self::Nodes => size_of::<Node>(),
        };
        bytes as u64
    }
}

/// How many items each section has.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts([u32; Section::ALL.len()]);

impl Counts {
    /// The items of a section.
    pub fn of(&self, section: Section) -> usize {
        self.0[section as usize] as usize
    }

    /// Sets the items of a section.
    pub fn set(&mut self, section: Section, count: u32) {
        self.0[section as usize] = count;
    }

    /// The bytes all items take in memory.
    pub fn in_memory(&self) -> u64 {
        let each = Section::ALL
            .iter()
            .map(|s| self.of(*s) as u64 * s.in_memory());
        each.sum()
    }
}
