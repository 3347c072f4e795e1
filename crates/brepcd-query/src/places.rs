//! The patches of two clusters on which a candidate may lie.

use brepcd_geom::Point3;
use brepcd_tree::{Content, NodeId, PatchId, TreePart};

use crate::candidates::Candidate;
use crate::prune::Query;

/// How far from its patch a candidate may lie, in tolerances of borders.
pub const BESIDE: f64 = 2.0;
/// Rounding of a placed point, relative to the largest coordinate at hand.
pub const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Patches near the two points of a candidate; reused from one to the next.
#[derive(Debug, Default)]
pub struct Places {
    stack: Vec<NodeId>,
    on_a: Vec<PatchId>,
    on_b: Vec<PatchId>,
}

impl Places {
    /// Finds the patches below two nodes that are near a candidate's points.
    pub fn find(&mut self, query: &Query, nodes: (NodeId, NodeId), candidate: &Candidate) {
        let rounding = ROUNDING * query.extent;
        let slack = query
            .tolerances
            .border
            .map(|border| BESIDE * border + rounding);
        let stack = &mut self.stack;
        let (a, b) = (query.a.tree(), query.b.tree());
        self.on_b.clear();
        near(
            a,
            nodes.0,
            &candidate.point_a,
            slack[0],
            stack,
            &mut self.on_a,
        );
        if !self.on_a.is_empty() {
            let point = query.a_from_b.inverse_transform_point(&candidate.point_b);
            near(b, nodes.1, &point, slack[1], stack, &mut self.on_b);
        }
    }

    /// All pairs of these patches.
    pub fn pairs(&self) -> impl Iterator<Item = (PatchId, PatchId)> {
        let of_a = self.on_a.iter();
        of_a.flat_map(|a| self.on_b.iter().map(|b| (*a, *b)))
    }
}

/// The patches below a node whose boxes hold a point.
fn near(
    tree: &TreePart,
    node: NodeId,
    point: &Point3,
    slack: f64,
    stack: &mut Vec<NodeId>,
    out: &mut Vec<PatchId>,
) {
    out.clear();
    stack.clear();
    stack.push(node);
    while let Some(id) = stack.pop() {
        let node = &tree.nodes[id.index()];
        if !node.obb.contains(point, slack) {
            continue;
        }
        match node.content {
            Content::Leaf(patch) => out.push(patch),
            Content::Inner(children) => stack.extend(children),
        }
    }
}
