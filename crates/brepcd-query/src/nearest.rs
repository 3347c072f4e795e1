//! Pairs of clusters that may hold the least distance of two parts: the nearest first, as far as bounds tell.
//!
//! What may touch is walked first, as all of it has to be seen anyway to tell whether the parts overlap. What is apart
//! waits in a heap by a lower bound of its distance, until a minimum that was found in the meantime is nearer.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use brepcd_geom::Point3;
use brepcd_tree::{Content, MatrixPose, Membership, NodeId, PatchId, Shape, TreePart};

use crate::collect::{
    ClusterPair, Collected, Limits, Purpose, ROUNDED_UP, ends, left_before_boxes, open,
};
use crate::prune::Query;
use crate::state::Room;
use crate::stats::Stats;

/// Pairs of nodes that wait, the nearest on top.
#[derive(Debug, Default)]
pub struct Search {
    waiting: BinaryHeap<Waiting>,
}

/// A pair of nodes with a lower bound of the distance of what they hold.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    least: f64,
    /// True for pairs of clusters that take a numeric solve, which profits from what others find.
    is_numeric: bool,
    nodes: (NodeId, NodeId),
}

impl Waiting {
    fn key(&self) -> (bool, NodeId, NodeId) {
        (self.is_numeric, self.nodes.0, self.nodes.1)
    }
}

impl Ord for Waiting {
    /// The nearer is the greater, so that a heap has it on top.
    fn cmp(&self, other: &Self) -> Ordering {
        let nearer = other.least.total_cmp(&self.least);
        nearer.then_with(|| other.key().cmp(&self.key()))
    }
}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Waiting {}

impl Search {
    /// Collects all pairs that may cross, and has the others wait that may hold a distance up to `upper`.
    pub fn start(&mut self, query: &Query, upper: f64, into: &mut Collected, stats: &mut Stats) {
        self.waiting.clear();
        into.minima.clear();
        into.crossings.clear();
        into.stack.clear();
        into.alignments.reset();
        let (a, b) = (query.a.tree(), query.b.tree());
        if a.nodes.is_empty() || b.nodes.is_empty() {
            return;
        }
        let purpose = Purpose {
            minima: true,
            crossings: true,
        };
        into.stack.push((NodeId(0), NodeId(0), purpose));
        self.sift(query, 0.0, upper, into, stats);
    }

    /// The nearest pair of clusters by the bounds, if there is one not farther than `upper`.
    pub fn next(
        &mut self,
        query: &Query,
        upper: f64,
        into: &mut Collected,
        stats: &mut Stats,
    ) -> Option<ClusterPair> {
        let purpose = Purpose {
            minima: true,
            crossings: false,
        };
        while let Some(pair) = self.waiting.pop() {
            if pair.least > upper {
                return None;
            }
            let (node_a, node_b) = query.nodes(pair.nodes);
            if pair.least > 0.0 && !query.may_face(node_a, node_b, stats) {
                continue;
            }
            if ends(query, pair.nodes) {
                if query.options.pruning && query.keep_off(pair.nodes, upper) {
                    stats.by_profile += 1;
                    continue;
                }
                stats.leaf_pairs += 1;
                return Some(ClusterPair::new(query.a, query.b, pair.nodes));
            }
            open(query, pair.nodes, purpose, &mut into.stack);
            self.sift(query, pair.least, upper, into, stats);
        }
        None
    }

    /// Looks at all pairs on the stack, whose distance is `least` or more.
    fn sift(
        &mut self,
        query: &Query,
        least: f64,
        upper: f64,
        into: &mut Collected,
        stats: &mut Stats,
    ) {
        let limits = Limits {
            reach: upper,
            room: Room::default(),
        };
        while let Some((id_a, id_b, purpose)) = into.stack.pop() {
            stats.node_pairs += 1;
            let nodes = (id_a, id_b);
            let Some((mut purpose, bound)) = look(query, nodes, purpose, &limits, into, stats)
            else {
                continue;
            };
            let bound = bound.max(least);
            purpose.crossings &= bound == 0.0;
            // The dearest test; what waits may never need it.
            if purpose.minima && bound == 0.0 {
                let (node_a, node_b) = query.nodes(nodes);
                purpose.minima = query.may_face(node_a, node_b, stats);
            }
            let is_end = ends(query, nodes);
            if purpose.minima && (is_end || bound > 0.0) {
                self.waiting.push(Waiting {
                    least: bound,
                    is_numeric: is_end && !is_closed(query, nodes),
                    nodes,
                });
                purpose.minima = false;
            }
            let both_clusters = query.a.brief(id_a).is_cluster && query.b.brief(id_b).is_cluster;
            if purpose.crossings && both_clusters {
                into.crossings.push(nodes);
                purpose.crossings = false;
            }
            if !purpose.is_none() {
                open(query, nodes, purpose, &mut into.stack);
            }
        }
    }
}

/// True for two nodes with closed forms.
fn is_closed(query: &Query, (a, b): (NodeId, NodeId)) -> bool {
    query.a.brief(a).is_closed && query.b.brief(b).is_closed
}

/// What is left of a purpose at a pair of nodes, as in `collect` but for [`Query::may_face`], with a lower bound of their
/// distance.
fn look(
    query: &Query,
    nodes: (NodeId, NodeId),
    purpose: Purpose,
    limits: &Limits,
    into: &mut Collected,
    stats: &mut Stats,
) -> Option<(Purpose, f64)> {
    let alignments = &mut into.alignments;
    let (purpose, between) = left_before_boxes(query, nodes, purpose, limits, alignments, stats);
    if purpose.is_none() {
        return None;
    }
    let (node_a, node_b) = query.nodes(nodes);
    let reach = if purpose.minima { limits.reach } else { 0.0 };
    let (box_a, box_b) = (&node_a.obb, &node_b.obb);
    let far = query.a.brief(nodes.0).radius + query.b.brief(nodes.1).radius + reach;
    let apart = query.a_from_b * box_b.centre - box_a.centre;
    let is_far = apart.norm_squared() > far * far * ROUNDED_UP;
    let bound = if is_far {
        f64::INFINITY
    } else if purpose.minima {
        let square = box_a.distance_squared_lower_bound(box_b, &query.a_from_b);
        square.sqrt()
    } else if box_a.distance_exceeds(box_b, &query.a_from_b, 0.0) {
        f64::INFINITY
    } else {
        0.0
    };
    if bound > reach {
        stats.by_box += u64::from(purpose.minima);
        return None;
    }
    let about_axis = between.map_or(0.0, |between| between.least());
    Some((purpose, bound.max(about_axis)))
}

/// The distance of two points that are likely to be near each other, one of each part; infinite if a part is empty.
pub fn greedy(query: &Query) -> f64 {
    let (a, b) = (query.a.tree(), query.b.tree());
    if a.nodes.is_empty() || b.nodes.is_empty() {
        return f64::INFINITY;
    }
    // How near the middles of two nodes are for their size.
    let apart = |(x, y): (NodeId, NodeId)| {
        let (node_a, node_b) = query.nodes((x, y));
        let between = query.a_from_b * node_b.obb.centre - node_a.obb.centre;
        between.norm() - query.a.brief(x).radius - query.b.brief(y).radius
    };
    let mut nodes = (NodeId(0), NodeId(0));
    loop {
        let (id_a, id_b) = nodes;
        let opens_a = query.a.brief(id_a).radius >= query.b.brief(id_b).radius;
        let contents = (a.nodes[id_a.index()].content, b.nodes[id_b.index()].content);
        let pairs = match contents {
            (Content::Leaf(_), Content::Leaf(_)) => return distance_of_leaves(query, nodes),
            (Content::Inner([x, y]), Content::Inner(_)) if opens_a => [(x, id_b), (y, id_b)],
            (_, Content::Inner([x, y])) => [(id_a, x), (id_a, y)],
            (Content::Inner([x, y]), Content::Leaf(_)) => [(x, id_b), (y, id_b)],
        };
        let [first, second] = pairs.map(|pair| (apart(pair), pair));
        nodes = if second.0 < first.0 {
            second.1
        } else {
            first.1
        };
    }
}

/// The distance of two points of two leaves; infinite for other nodes.
pub fn distance_of_leaves(query: &Query, nodes: (NodeId, NodeId)) -> f64 {
    let (a, b) = (query.a.tree(), query.b.tree());
    match (
        a.nodes[nodes.0.index()].content,
        b.nodes[nodes.1.index()].content,
    ) {
        (Content::Leaf(x), Content::Leaf(y)) => distance_of_points(a, b, &query.a_from_b, x, y),
        _ => f64::INFINITY,
    }
}

fn distance_of_points(
    a: &TreePart,
    b: &TreePart,
    a_from_b: &MatrixPose,
    patch_a: PatchId,
    patch_b: PatchId,
) -> f64 {
    match (some_point(a, patch_a), some_point(b, patch_b)) {
        (Some(p), Some(q)) => (a_from_b * q - p).norm(),
        _ => f64::INFINITY,
    }
}

/// A point of a patch that is surely on the part.
fn some_point(part: &TreePart, id: PatchId) -> Option<Point3> {
    let patch = part.patches.get(id.index())?;
    match &part.features[patch.feature.index()].shape {
        Shape::Vertex { point, .. } => Some(*point),
        Shape::Edge { curve, .. } => Some(curve.point(patch.u.mid())),
        Shape::Face { surface, .. } => match patch.membership {
            Membership::Inside => Some(surface.point(patch.u.mid(), patch.v.mid())),
            Membership::Crossed {
                reference,
                inside: true,
                ..
            } => Some(surface.point(reference.x, reference.y)),
            Membership::Crossed { pieces, .. } => {
                let crossing = part.crossings.get(pieces.range().start)?;
                let border = part.borders.get(crossing.border as usize)?;
                let trim = part.trims.get(border.trim.index())?;
                Some(trim.point(0.5 * (border.t[0] + border.t[1])))
            }
        },
    }
}
