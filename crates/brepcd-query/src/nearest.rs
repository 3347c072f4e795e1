//! Pairs of patches that may hold the least distance of two parts: branch and bound on boxes.

use brepcd_geom::Point3;
use brepcd_tree::{Content, MatrixPose, Membership, Node, NodeId, PatchId, Shape, TreePart};

/// A pair of nodes with a lower bound of the distance of what they hold.
pub type Waiting = (f64, NodeId, NodeId);

/// Walks down both trees, nearest boxes first; `enter` may reject a pair, `leaf` takes pairs of leaves with a lower
/// bound of their distance. Returns an upper bound of the least distance, infinite only if a part is empty; what is
/// farther by less than `slack` is taken, too.
pub fn descend(
    a: &TreePart,
    b: &TreePart,
    a_from_b: &MatrixPose,
    slack: f64,
    stack: &mut Vec<Waiting>,
    mut enter: impl FnMut(&Node, &Node, bool) -> bool,
    mut leaf: impl FnMut((NodeId, NodeId), f64),
) -> f64 {
    stack.clear();
    if a.nodes.is_empty() || b.nodes.is_empty() {
        return f64::INFINITY;
    }
    let mut upper = greedy(a, b, a_from_b) + slack;
    stack.push((0.0, NodeId(0), NodeId(0)));
    while let Some((least, id_a, id_b)) = stack.pop() {
        let (node_a, node_b) = (&a.nodes[id_a.index()], &b.nodes[id_b.index()]);
        if !enter(node_a, node_b, least > upper) {
            continue;
        }
        if let (Content::Leaf(patch_a), Content::Leaf(patch_b)) = (node_a.content, node_b.content) {
            let distance = distance_of_points(a, b, a_from_b, patch_a, patch_b);
            upper = upper.min(distance + slack);
            leaf((id_a, id_b), least);
            continue;
        }
        let [near, far] = opened(a, b, a_from_b, id_a, id_b);
        stack.extend([far, near].into_iter().filter(|pair| pair.0 <= upper));
    }
    upper
}

/// The two pairs that opening the larger node of a pair gives, the nearer first.
fn opened(
    a: &TreePart,
    b: &TreePart,
    a_from_b: &MatrixPose,
    id_a: NodeId,
    id_b: NodeId,
) -> [Waiting; 2] {
    let (node_a, node_b) = (&a.nodes[id_a.index()], &b.nodes[id_b.index()]);
    let size = |node: &Node| node.obb.half.norm_squared();
    let pairs = match (node_a.content, node_b.content) {
        (Content::Inner([x, y]), Content::Inner(_)) if size(node_a) >= size(node_b) => {
            [(x, id_b), (y, id_b)]
        }
        (_, Content::Inner([x, y])) => [(id_a, x), (id_a, y)],
        (Content::Inner([x, y]), Content::Leaf(_)) => [(x, id_b), (y, id_b)],
        (Content::Leaf(_), Content::Leaf(_)) => [(id_a, id_b), (id_a, id_b)],
    };
    let bound = |(x, y): (NodeId, NodeId)| {
        let (box_a, box_b) = (&a.nodes[x.index()].obb, &b.nodes[y.index()].obb);
        let square = box_a.distance_squared_lower_bound(box_b, a_from_b);
        (square.sqrt(), x, y)
    };
    let [first, second] = pairs.map(bound);
    if second.0 < first.0 {
        [second, first]
    } else {
        [first, second]
    }
}

/// The distance of two points that are likely to be near each other.
fn greedy(a: &TreePart, b: &TreePart, a_from_b: &MatrixPose) -> f64 {
    let (mut id_a, mut id_b) = (NodeId(0), NodeId(0));
    loop {
        let (node_a, node_b) = (&a.nodes[id_a.index()], &b.nodes[id_b.index()]);
        if let (Content::Leaf(patch_a), Content::Leaf(patch_b)) = (node_a.content, node_b.content) {
            return distance_of_points(a, b, a_from_b, patch_a, patch_b);
        }
        let [near, _] = opened(a, b, a_from_b, id_a, id_b);
        (id_a, id_b) = (near.1, near.2);
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
