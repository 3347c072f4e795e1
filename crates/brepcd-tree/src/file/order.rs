//! Orders of nodes that make children implicit: which nodes are leaves says it all.

use std::collections::VecDeque;

use crate::{Content, Feature, Kinds, NodeId, Patch, PatchId};

/// How the nodes of a file are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Any order; the children are in the file.
    Any,
    /// A node, all below its first child, all below its second.
    Depth,
    /// Level by level.
    Breadth,
    /// Both children side by side, then all below the first, then all below the second.
    Pairs,
}

impl Order {
    /// All orders; their codes are their positions.
    pub const ALL: [Self; 4] = [Self::Any, Self::Depth, Self::Breadth, Self::Pairs];

    /// Sets the children of all inner nodes, which must be zeros, as they are in this order; `None` if the nodes make no
    /// tree, and for any order.
    pub fn link(self, content: &mut [Content]) -> Option<()> {
        match self {
            Self::Any => None,
            Self::Depth => depth(content),
            Self::Breadth => side_by_side(content, false),
            Self::Pairs => side_by_side(content, true),
        }
    }

    /// The order in which some nodes are, any if it is none of the others.
    pub fn of(content: &[Content]) -> Self {
        let unlinked = content.iter().map(|content| match content {
            Content::Leaf(patch) => Content::Leaf(*patch),
            Content::Inner(_) => UNLINKED,
        });
        let unlinked: Vec<Content> = unlinked.collect();
        let fits = |order: &Self| {
            let mut linked = unlinked.clone();
            order.link(&mut linked).is_some() && linked == content
        };
        Self::ALL.into_iter().find(fits).unwrap_or(Self::Any)
    }
}

/// An inner node without children.
pub(super) const UNLINKED: Content = Content::Inner([NodeId(0); 2]);

pub(super) fn is_leaf(content: &Content) -> bool {
    matches!(content, Content::Leaf(_))
}

fn depth(content: &mut [Content]) -> Option<()> {
    // Inner nodes that still lack a child.
    let mut open: Vec<usize> = Vec::new();
    for i in 0..content.len() {
        if i > 0 {
            let parent = *open.last()?;
            if let Content::Inner([first, second]) = &mut content[parent] {
                // The root is nobody's child.
                if first.0 == 0 {
                    *first = NodeId::at(i);
                } else {
                    *second = NodeId::at(i);
                    open.pop();
                }
            }
        }
        if !is_leaf(&content[i]) {
            open.push(i);
        }
    }
    open.is_empty().then_some(())
}

/// Children side by side: handed out level by level, or below the first child first.
fn side_by_side(content: &mut [Content], first_below: bool) -> Option<()> {
    let mut waiting = VecDeque::from([0]);
    let mut next = 1;
    while let Some(i) = waiting.pop_front() {
        let Content::Inner(children) = content.get_mut(i)? else {
            continue;
        };
        let both = [next, next + 1];
        *children = both.map(NodeId::at);
        next += 2;
        if first_below {
            waiting.push_front(both[1]);
            waiting.push_front(both[0]);
        } else {
            waiting.extend(both);
        }
    }
    (next == content.len()).then_some(())
}

/// Visits the leaves from the first to the last, whatever the order of the nodes; `None` if the nodes are no tree.
pub(super) fn leaves(content: &mut [Content], mut visit: impl FnMut(&mut PatchId)) -> Option<()> {
    let mut waiting: Vec<usize> = if content.is_empty() { vec![] } else { vec![0] };
    for _ in 0..content.len() {
        match content.get_mut(waiting.pop()?)? {
            Content::Leaf(patch) => visit(patch),
            Content::Inner([a, b]) => waiting.extend([b.index(), a.index()]),
        }
    }
    waiting.is_empty().then_some(())
}

/// The kinds below every node and the kinds compatible with those, if the nodes are a tree: children come after their
/// parent, every node but the first has one parent, and every patch is in one leaf.
pub(super) fn kinds_below(
    content: &[Content],
    patches: &[Patch],
    features: &[Feature],
) -> Result<Vec<[Kinds; 2]>, (usize, &'static str)> {
    let compatible: [Kinds; 16] =
        std::array::from_fn(|bit| Kinds::from_bits_truncate(1 << bit).compatible());
    let masks = |kind: Kinds| [kind, compatible[kind.bits().trailing_zeros() as usize & 15]];
    let mut kinds = vec![[Kinds::empty(); 2]; content.len()];
    let mut has_parent = vec![false; content.len()];
    let mut has_leaf = vec![false; patches.len()];
    for (i, content) in content.iter().enumerate().rev() {
        match *content {
            Content::Leaf(patch) => {
                let seen = has_leaf.get_mut(patch.index());
                if seen.is_none_or(|seen| std::mem::replace(seen, true)) {
                    return Err((i, "a leaf has no patch, or that of another leaf"));
                }
                let feature = features.get(patches[patch.index()].feature.index());
                kinds[i] = masks(feature.ok_or((i, "a patch has no feature"))?.kind);
            }
            Content::Inner(children) => {
                for child in children.map(NodeId::index) {
                    let seen = has_parent.get_mut(child).filter(|_| child > i);
                    if seen.is_none_or(|seen| std::mem::replace(seen, true)) {
                        return Err((i, "a child comes before its node, or is another's"));
                    }
                    let [below, compatible] = kinds[child];
                    kinds[i][0] |= below;
                    kinds[i][1] |= compatible;
                }
            }
        }
    }
    if let Some(orphan) = has_parent.iter().skip(1).position(|has| !has) {
        return Err((orphan + 1, "a node is not in the tree"));
    }
    if has_leaf.contains(&false) {
        return Err((0, "a patch is not in the tree"));
    }
    Ok(kinds)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The children of nodes of which some are leaves, zeros for these.
    fn children(order: Order, leaf: &[bool]) -> Option<Vec<[u32; 2]>> {
        let content = |leaf: &bool| {
            if *leaf {
                Content::Leaf(PatchId(7))
            } else {
                UNLINKED
            }
        };
        let mut nodes: Vec<Content> = leaf.iter().map(content).collect();
        order.link(&mut nodes)?;
        let of = |node: &Content| match node {
            Content::Leaf(_) => [0; 2],
            Content::Inner(children) => children.map(|child| child.0),
        };
        Some(nodes.iter().map(of).collect())
    }

    #[test]
    fn children_follow_from_leaves() {
        // (a b) c and what the three orders make of it
        let depth = [false, false, true, true, true];
        let found = children(Order::Depth, &depth).unwrap();
        assert_eq!(found[..2], [[1, 4], [2, 3]]);
        let level = [false, false, true, true, true];
        let found = children(Order::Breadth, &level).unwrap();
        assert_eq!(found[..2], [[1, 2], [3, 4]]);
        // a (b c) in pairs and level by level
        let right = [false, true, false, true, true];
        for order in [Order::Pairs, Order::Breadth] {
            assert_eq!(children(order, &right).unwrap()[2], [3, 4]);
        }
        // ((a b) (c d)): pairs go below the first child first
        let full = [false, false, false, true, true, true, true];
        assert_eq!(children(Order::Breadth, &full).unwrap()[2], [5, 6]);
        let pairs = [false, false, false, false, true, true, true, true, true];
        assert_eq!(
            children(Order::Pairs, &pairs).unwrap()[..4],
            [[1, 2], [3, 4], [7, 8], [5, 6]]
        );
    }

    #[test]
    fn what_is_no_tree_has_no_children() {
        for order in Order::ALL {
            assert!(children(order, &[]).is_none() || order == Order::Depth);
            assert!(children(order, &[false]).is_none());
            assert!(children(order, &[true, true]).is_none());
            assert!(children(order, &[false, true]).is_none());
            assert!(children(order, &[false, true, true, true]).is_none());
        }
    }

    #[test]
    fn leaves_come_from_the_first_to_the_last() {
        // a (b c), the second child before the first
        let leaf = |patch| Content::Leaf(PatchId(patch));
        let inner = |a, b| Content::Inner([NodeId(a), NodeId(b)]);
        let mut nodes = [inner(2, 1), inner(4, 3), leaf(0), leaf(2), leaf(1)];
        let mut seen = Vec::new();
        assert!(leaves(&mut nodes, |patch| seen.push(patch.0)).is_some());
        assert_eq!(seen, [0, 1, 2]);
        nodes[1] = inner(9, 3);
        assert!(leaves(&mut nodes, |_| {}).is_none());
    }
}
