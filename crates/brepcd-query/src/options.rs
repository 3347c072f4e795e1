//! What a query is asked for.

use crate::numeric::MARKS;

/// What to ask for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Gaps up to this are reported, mm.
    pub prediction: f64,
    /// Dilation of each part, mm: twice this is subtracted from distances to give gaps.
    pub epsilon: f64,
    /// Angle by which the polars of edges and vertices are dilated, radians.
    pub regularization: f64,
    /// Samples at most of the families that one pair of features has, and at least one; a single family has 16 at most.
    pub samples: usize,
    /// Whether masks and cones prune the traversal; without them the answer is the same, only slower.
    pub pruning: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            prediction: 1.0,
            epsilon: 0.0,
            regularization: 0.0,
            samples: MARKS,
            pruning: true,
        }
    }
}
