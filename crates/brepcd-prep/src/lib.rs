//! From a boundary representation to a tree: features, domains, patches, bounds.
//!
//! [`preprocess`] runs the stages one after the other; each has a module of its own and knows only the result of the
//! ones before it.

mod assemble;
pub mod bounds;
mod carriers;
mod clusters;
mod corners;
pub mod domains;
mod edges;
pub mod features;
pub mod patches;
pub mod shells;
mod spans;
mod statistics;
pub mod tree;
mod vertices;

pub use features::Grouping;
pub use statistics::Statistics;

use brepcd_brep::Brep;
use brepcd_tree::{Header, Settings, SourceKind, TreePart};

/// Which placed part of an assembly the faces, edges and vertices of a B-Rep belong to.
#[derive(Clone, Debug, Default)]
pub struct Provenance {
    /// Names of the placed parts.
    pub names: Vec<String>,
    /// For every placed part the first face, edge and vertex that is its own, ascending.
    pub starts: Vec<[u32; 3]>,
}

impl Provenance {
    /// The placed part an item belongs to; 0 if nothing is known.
    fn part_of(&self, kind: SourceKind, id: u32) -> u32 {
        let column = match kind {
            SourceKind::Face => 0,
            SourceKind::Edge => 1,
            SourceKind::Vertex => 2,
        };
        let behind = self.starts.partition_point(|start| start[column] <= id);
        u32::try_from(behind.saturating_sub(1)).unwrap_or(0)
    }
}

/// Normal spread above which patches are split by default, degrees.
const MAX_ANGLE: f64 = 20.0;
/// Share of the part's diagonal below which patches are not split by default.
const MIN_SIZE: f64 = 1e-3;
/// Share of the part's diagonal by which straight pieces may leave the border they stand for.
const CHORD: f64 = 1e-3;
/// Share of the part's diagonal within which a point counts as on a border.
const BORDER: f64 = 1e-7;

/// Settings that suit a part.
pub fn default_settings(brep: &Brep) -> Settings {
    let size = brep.bounding_box().diagonal();
    Settings {
        max_angle: MAX_ANGLE.to_radians(),
        min_size: MIN_SIZE * size,
        regularization: 0.0,
        border: (BORDER * size).max(brep.tolerance.length),
        chord: CHORD * size,
    }
}

/// Half the diagonal of a part's exact box, and how far its farthest corner is from the origin.
fn size_and_reach(brep: &Brep) -> (f64, f64) {
    let bounds = brep.bounding_box();
    if bounds.is_empty() {
        return (0.0, 0.0);
    }
    let farthest = bounds.min.coords.abs().sup(&bounds.max.coords.abs());
    (0.5 * bounds.diagonal(), farthest.norm())
}

/// Turns a part, all instances placed, into a tree. Size and reach of the header are worked out here.
pub fn preprocess(brep: &Brep, provenance: &Provenance, header: Header) -> (TreePart, Statistics) {
    preprocess_grouped(brep, provenance, header, Grouping::default())
}

/// As [`preprocess`], with a choice of which faces and edges are one feature.
pub fn preprocess_grouped(
    brep: &Brep,
    provenance: &Provenance,
    header: Header,
    grouping: Grouping,
) -> (TreePart, Statistics) {
    let settings = header.settings;
    let (size, reach) = size_and_reach(brep);
    let header = Header {
        size,
        reach,
        ..header
    };
    let features = features::find(brep, grouping);
    let domains = domains::build(brep, &features, &settings);
    let raw = patches::split(brep, &features, &domains, &settings);
    let part = assemble::assemble(brep, &features, domains, raw, provenance, header);
    let statistics = Statistics::of(brep, &part);
    (part, statistics)
}
