//! What a query answers.

use brepcd_geom::{Point3, Vec3};
use brepcd_tree::{FeatureId, PatchId};

use crate::stats::Stats;

/// A local minimal distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lmd {
    /// Distance of the undilated solids, mm; subtract twice the dilation for the gap.
    pub distance: f64,
    /// Point on A, in the frame of A.
    pub point_a: Point3,
    /// Point on B, in the frame of A.
    pub point_b: Point3,
    /// Unit normal from A to B, in the frame of A.
    pub normal: Vec3,
    /// Feature of A.
    pub feature_a: FeatureId,
    /// Feature of B.
    pub feature_b: FeatureId,
    /// Patch of that feature.
    pub patch_a: PatchId,
    /// Patch of that feature.
    pub patch_b: PatchId,
    /// True if it is a sample of a continuum of minima, exact or within tolerances.
    pub sampled: bool,
    /// True if it is there only because polars are dilated.
    pub regularized: bool,
}

/// Whether the undilated solids overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Status {
    /// They are apart or touch.
    #[default]
    Separated,
    /// Their interiors have points in common.
    Overlapping,
}

/// A place where the boundaries cross, or a point of one part inside the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap {
    /// A point in both solids, in the frame of A.
    pub point: Point3,
    /// How deep it was found to be, mm, a lower bound; 0 where only the crossing is known.
    pub depth: f64,
}

/// The answer of a query; lives in its workspace until the next one.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// Whether the solids overlap.
    pub status: Status,
    /// Where they overlap.
    pub overlap: Option<Overlap>,
    /// The minima, sorted by distance; none if the solids overlap.
    pub lmds: Vec<Lmd>,
    /// What it took.
    pub stats: Stats,
}

impl Answer {
    /// The smallest distance found: 0 for overlapping solids, `None` if all minima are beyond the cut-off.
    pub fn min_distance(&self) -> Option<f64> {
        match self.status {
            Status::Overlapping => Some(0.0),
            Status::Separated => self.lmds.first().map(|lmd| lmd.distance),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.status = Status::Separated;
        self.overlap = None;
        self.lmds.clear();
        self.stats = Stats::default();
    }
}
