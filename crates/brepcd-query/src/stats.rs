//! What a query took: counts that explain its time.

/// Counts of one query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Pairs of nodes that were tested.
    pub node_pairs: u64,
    /// Of these, rejected by masks of kinds.
    pub by_mask: u64,
    /// Rejected as edges without a corner, whose faces have their minima.
    pub by_smooth: u64,
    /// Rejected by distances and directions about an axis.
    pub by_sleeve: u64,
    /// Rejected by the distance from a cluster's carrier, or by its normal there.
    pub by_foot: u64,
    /// Rejected by the distance of boxes.
    pub by_box: u64,
    /// Rejected by circular cones.
    pub by_circle: u64,
    /// Rejected by the directions from box to box.
    pub by_direction: u64,
    /// Rejected by polyhedral cones.
    pub by_cone: u64,
    /// Pairs of clusters rejected by the distance of their profiles about a common axis.
    pub by_profile: u64,
    /// Pairs of clusters that were left: connected pieces of features with closed forms, else patches.
    pub leaf_pairs: u64,
    /// Pairs of features solved in closed form.
    pub solves: u64,
    /// Pairs of patches solved numerically.
    pub numeric_solves: u64,
    /// Newton steps of these.
    pub newton_steps: u64,
    /// Candidates that were solved for.
    pub candidates: u64,
    /// Pairs of clusters whose faces might cross.
    pub face_pairs: u64,
    /// Pairs of nodes below these that were tested for overlap.
    pub overlap_node_pairs: u64,
    /// Pairs of patches that were tested for crossing.
    pub crossing_tests: u64,
    /// Points that were tested for being inside the other part.
    pub inside_tests: u64,
    /// Solves that may have missed something.
    pub unresolved: u64,
}
