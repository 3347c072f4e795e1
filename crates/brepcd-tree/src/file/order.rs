//! Orders of nodes that make children implicit: which nodes are leaves says it all.

use crate::{Content, Feature, Kinds, NodeId, Patch};

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

    /// The children of all nodes (zeros for leaves) in this order; `None` if the nodes make no tree, and for any order.
    pub fn children(self, leaf: &[bool]) -> Option<Vec<[u32; 2]>> {
        match self {
            Self::Any => None,
            Self::Depth => depth(leaf),
            Self::Breadth => side_by_side(leaf, false),
            Self::Pairs => side_by_side(leaf, true),
        }
    }

    /// The order in which some nodes are, any if it is none of the others.
    pub fn of(content: &[Content]) -> Self {
        let leaf: Vec<bool> = content.iter().map(is_leaf).collect();
        let fits = |order: &Self| {
            order.children(&leaf).is_some_and(|children| {
                content.iter().zip(children).all(|(content, children)| {
                    is_leaf(content) || *content == Content::Inner(children.map(NodeId))
                })
            })
        };
        Self::ALL.into_iter().find(fits).unwrap_or(Self::Any)
    }
}

pub(super) fn is_leaf(content: &Content) -> bool {
    matches!(content, Content::Leaf(_))
}

fn depth(leaf: &[bool]) -> Option<Vec<[u32; 2]>> {
    let mut out = vec![[0; 2]; leaf.len()];
    // Inner nodes that still lack a child.
    let mut open: Vec<usize> = Vec::new();
    for (i, is_leaf) in leaf.iter().enumerate() {
        if i > 0 {
            let parent = *open.last()?;
            if out[parent][0] == 0 {
                out[parent][0] = i as u32;
            } else {
                out[parent][1] = i as u32;
                open.pop();
            }
        }
        if !is_leaf {
            open.push(i);
        }
    }
    open.is_empty().then_some(out)
}

/// Children side by side: handed out level by level, or below the first child first.
fn side_by_side(leaf: &[bool], first_below: bool) -> Option<Vec<[u32; 2]>> {
    let mut out = vec![[0; 2]; leaf.len()];
    let mut waiting = std::collections::VecDeque::from([0]);
    let mut next = 1;
    while let Some(i) = waiting.pop_front() {
        if *leaf.get(i)? {
            continue;
        }
        let both = [next, next + 1];
        out[i] = both.map(|c| c as u32);
        next += 2;
        if first_below {
            waiting.push_front(both[1]);
            waiting.push_front(both[0]);
        } else {
            waiting.extend(both);
        }
    }
    (next == leaf.len()).then_some(out)
}

/// The leaves from the first to the last, whatever the order of the nodes; `None` if the nodes are no tree.
pub(super) fn leaves(content: &[Content]) -> Option<Vec<usize>> {
    let mut out = Vec::with_capacity(content.len().div_ceil(2));
    let mut waiting: Vec<usize> = if content.is_empty() { vec![] } else { vec![0] };
    for _ in content {
        let at = waiting.pop()?;
        match *content.get(at)? {
            Content::Leaf(_) => out.push(at),
            Content::Inner([a, b]) => waiting.extend([b.index(), a.index()]),
        }
    }
    waiting.is_empty().then_some(out)
}

/// The kinds below every node and the kinds compatible with those, if the nodes are a tree: children come after their parent, every node but the first has
/// one parent, and every patch is in one leaf.
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

    #[test]
    fn children_follow_from_leaves() {
        // (a b) c and what the three orders make of it
        let depth = [false, false, true, true, true];
        let found = Order::Depth.children(&depth).unwrap();
        assert_eq!(found[..2], [[1, 4], [2, 3]]);
        let level = [false, false, true, true, true];
        let found = Order::Breadth.children(&level).unwrap();
        assert_eq!(found[..2], [[1, 2], [3, 4]]);
        // a (b c) in pairs and level by level
        let right = [false, true, false, true, true];
        for order in [Order::Pairs, Order::Breadth] {
            assert_eq!(order.children(&right).unwrap()[2], [3, 4]);
        }
        // ((a b) (c d)): pairs go below the first child first
        let full = [false, false, false, true, true, true, true];
        assert_eq!(Order::Breadth.children(&full).unwrap()[2], [5, 6]);
        let pairs = [false, false, false, false, true, true, true, true, true];
        assert_eq!(
            Order::Pairs.children(&pairs).unwrap()[..4],
            [[1, 2], [3, 4], [7, 8], [5, 6]]
        );
    }

    #[test]
    fn what_is_no_tree_has_no_children() {
        for order in Order::ALL {
            assert!(order.children(&[]).is_none() || order == Order::Depth);
            assert!(order.children(&[false]).is_none());
            assert!(order.children(&[true, true]).is_none());
            assert!(order.children(&[false, true]).is_none());
            assert!(order.children(&[false, true, true, true]).is_none());
        }
    }
}
