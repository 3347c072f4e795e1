//! Pairs of nodes down to pairs of patches.

use std::ops::ControlFlow;

use brepcd_tree::{Content, Node, NodeId, PatchId, TreePart};

/// Walks down both trees from two nodes: `enter` says whether a pair of nodes may hold something, `leaf` takes pairs of patches.
///
/// The larger box is opened first. The order is the same on every run; pairs still to be seen wait on `stack`.
pub fn traverse(
    a: &TreePart,
    b: &TreePart,
    from: (NodeId, NodeId),
    stack: &mut Vec<(NodeId, NodeId)>,
    mut enter: impl FnMut(&Node, &Node) -> bool,
    mut leaf: impl FnMut(PatchId, PatchId) -> ControlFlow<()>,
) {
    stack.clear();
    stack.push(from);
    while let Some((id_a, id_b)) = stack.pop() {
        let (node_a, node_b) = (&a.nodes[id_a.index()], &b.nodes[id_b.index()]);
        if !enter(node_a, node_b) {
            continue;
        }
        match (node_a.content, node_b.content) {
            (Content::Leaf(patch_a), Content::Leaf(patch_b)) => {
                if leaf(patch_a, patch_b).is_break() {
                    return;
                }
            }
            (Content::Inner(children), Content::Leaf(_)) => {
                stack.extend(children.iter().rev().map(|child| (*child, id_b)));
            }
            (Content::Leaf(_), Content::Inner(children)) => {
                stack.extend(children.iter().rev().map(|child| (id_a, *child)));
            }
            (Content::Inner(of_a), Content::Inner(of_b)) => {
                if size(node_a) >= size(node_b) {
                    stack.extend(of_a.iter().rev().map(|child| (*child, id_b)));
                } else {
                    stack.extend(of_b.iter().rev().map(|child| (id_a, *child)));
                }
            }
        }
    }
}

fn size(node: &Node) -> f64 {
    node.obb.half.norm_squared()
}
