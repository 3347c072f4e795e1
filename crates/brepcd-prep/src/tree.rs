//! A binary tree over patches, built from the top.
//!
//! First over clusters of patches, which stay together, then over the patches of each. Every set is cut in two along
//! the axis and place that give the smallest sum of box surface times number of items. Nodes come in the order of a walk
//! that visits the first child first, so a first child directly follows its parent.

use crate::bounds::Bounds;
use brepcd_geom::{Aabb, Point3, Vec3};
use brepcd_tree::{CircularCone, Content, Node, NodeId, NormalCone, Obb, PatchId, ShortCone};

/// Patches up to which the bounds of a node are computed from all of them, not from its two children.
const DIRECT: usize = 24;

/// Builds the nodes over patches with the given bounds; none for no patches. `clusters` has the number of each patch's
/// cluster, without gaps.
pub fn build(bounds: &[Bounds], clusters: &[usize]) -> Vec<Node> {
    let count = clusters.iter().max().map_or(0, |last| last + 1);
    let mut members = vec![Vec::new(); count];
    for (patch, cluster) in clusters.iter().enumerate() {
        members[*cluster].push(patch);
    }
    let mut items: Vec<Item> = members
        .into_iter()
        .map(|patches| Item::of(patches, bounds))
        .collect();
    let mut nodes = Vec::with_capacity((2 * bounds.len()).saturating_sub(1));
    if !items.is_empty() {
        add(&mut items, bounds, &mut nodes);
    }
    // Rounded at last, so that what rounding adds does not add up.
    nodes.iter().map(rounded).collect()
}

/// Bounds of everything below, and what that is.
type Whole = (Bounds, Content);

fn rounded((bounds, content): &Whole) -> Node {
    Node {
        obb: bounds.obb,
        circle: bounds.circle,
        cone: ShortCone::around(&bounds.cone),
        kinds: bounds.kind,
        compatible: bounds.kind.compatible(),
        content: *content,
    }
}

/// Levels of the tree, 0 if it is empty.
pub fn depth(nodes: &[Node]) -> usize {
    let mut depth = vec![1; nodes.len()];
    for (index, node) in nodes.iter().enumerate().rev() {
        if let Content::Inner(children) = node.content {
            depth[index] = 1 + children
                .map(|c| depth[c.index()])
                .into_iter()
                .max()
                .unwrap_or(0);
        }
    }
    depth.first().copied().unwrap_or(0)
}

/// Patches that stay together, at least one.
struct Item {
    patches: Vec<usize>,
    centre: Point3,
    bounds: Aabb,
}

impl Item {
    fn of(patches: Vec<usize>, bounds: &[Bounds]) -> Self {
        let boxes = patches.iter().map(|patch| &bounds[*patch].obb);
        let around = Aabb::of(boxes.flat_map(|obb| obb.corners()));
        let centre = match patches[..] {
            [only] => bounds[only].obb.centre,
            _ => nalgebra::center(&around.min, &around.max),
        };
        Self {
            patches,
            centre,
            bounds: around,
        }
    }
}

/// Adds the node over some items and everything below it; returns its position.
fn add(items: &mut [Item], bounds: &[Bounds], nodes: &mut Vec<Whole>) -> usize {
    let at = nodes.len();
    if let [only] = items {
        if let [patch] = only.patches[..] {
            nodes.push((bounds[patch], Content::Leaf(PatchId::at(patch))));
            return at;
        }
        let single = only.patches.iter().map(|patch| vec![*patch]);
        let mut items: Vec<Item> = single.map(|patch| Item::of(patch, bounds)).collect();
        return add(&mut items, bounds, nodes);
    }
    let first = items[0].patches[0];
    // Holds the place until the children are there.
    nodes.push((bounds[first], Content::Leaf(PatchId::at(first))));
    let cut = partition(items);
    let (low, high) = items.split_at_mut(cut);
    let children = [add(low, bounds, nodes), add(high, bounds, nodes)];
    nodes[at] = inner(items, bounds, nodes, children);
    at
}

/// The node over two children.
fn inner(items: &[Item], bounds: &[Bounds], nodes: &[Whole], children: [usize; 2]) -> Whole {
    let [a, b] = children.map(|c| &nodes[c].0);
    let patches = || items.iter().flat_map(|item| &item.patches);
    let (obb, cone, circle) = if patches().count() <= DIRECT {
        let leaves = || patches().map(|patch| &bounds[*patch]);
        let boxes: Vec<Obb> = leaves().map(|b| b.obb).collect();
        let whole = leaves().any(|b| b.cone.is_whole());
        let directions: Vec<Vec3> = leaves()
            .flat_map(|b| b.cone.generators().iter().copied())
            .collect();
        let cone = if whole {
            NormalCone::WHOLE
        } else {
            NormalCone::from_generators(&directions)
        };
        let circle = if whole {
            CircularCone::WHOLE
        } else {
            CircularCone::from_generators(&directions)
        };
        (Obb::union(&boxes), cone, circle)
    } else {
        (
            Obb::union(&[a.obb, b.obb]),
            a.cone.merged(&b.cone),
            a.circle.merged(&b.circle),
        )
    };
    let below = Bounds {
        obb,
        cone,
        circle,
        kind: a.kind | b.kind,
    };
    (below, Content::Inner(children.map(NodeId::at)))
}

/// Orders the patches along the best axis and returns how many belong to the first child.
fn partition(items: &mut [Item]) -> usize {
    let half = items.len() / 2;
    let mut best = (f64::INFINITY, 0, half);
    for axis in 0..3 {
        sort(items, axis);
        let mut after = vec![0.0; items.len()];
        let mut bounds = Aabb::EMPTY;
        for i in (1..items.len()).rev() {
            bounds = bounds.union(&items[i].bounds);
            after[i] = surface(&bounds) * (items.len() - i) as f64;
        }
        let mut bounds = Aabb::EMPTY;
        for i in 1..items.len() {
            bounds = bounds.union(&items[i - 1].bounds);
            let cost = surface(&bounds) * i as f64 + after[i];
            // Of equal costs the most even cut.
            let even = |cut: usize| cut.abs_diff(half);
            if cost < best.0 || (cost == best.0 && even(i) < even(best.2)) {
                best = (cost, axis, i);
            }
        }
    }
    sort(items, best.1);
    best.2
}

/// Sorts by the centre's coordinate, equal ones by position, so that the result depends on nothing else.
fn sort(items: &mut [Item], axis: usize) {
    items.sort_unstable_by(|a, b| {
        a.centre[axis]
            .total_cmp(&b.centre[axis])
            .then(a.patches[0].cmp(&b.patches[0]))
    });
}

/// Surface of a box, its longest side squared where it has none.
fn surface(bounds: &Aabb) -> f64 {
    let s = bounds.max - bounds.min;
    s.x * s.y + s.y * s.z + s.z * s.x + THIN * s.norm_squared()
}

/// Weight of the squared diagonal, which orders boxes without surface.
const THIN: f64 = 1e-3;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::Slack;

    const EXACT: Slack = Slack {
        angle: 0.0,
        beyond: 0.0,
    };

    fn cloud(n: usize) -> Vec<Bounds> {
        (0..n)
            .map(|i| {
                let a = i as f64;
                let p = Point3::new((a * 1.3).sin() * 10.0, (a * 0.7).cos() * 4.0, a * 0.01);
                let tangents = [
                    Vec3::new(-1.0, 0.1, (a * 0.2).sin() * 0.2),
                    -Vec3::y(),
                    -Vec3::z(),
                ];
                Bounds::vertex(p, &tangents.map(|t| t.normalize()), EXACT)
            })
            .collect()
    }

    #[test]
    fn every_patch_is_a_leaf_once_and_inside_all_above() {
        let bounds = cloud(300);
        let clusters: Vec<usize> = (0..bounds.len()).map(|i| i / 7).collect();
        let nodes = build(&bounds, &clusters);
        assert_eq!(nodes.len(), 599);
        let mut seen = vec![0; bounds.len()];
        let mut stack = vec![(0, Vec::new())];
        while let Some((at, mut above)) = stack.pop() {
            above.push(at);
            match nodes[at].content {
                Content::Leaf(patch) => {
                    seen[patch.index()] += 1;
                    let leaf = &bounds[patch.index()];
                    for &node in &above {
                        assert!(nodes[node].obb.contains(&leaf.obb.centre, 1e-9));
                        assert!(
                            leaf.cone
                                .generators()
                                .iter()
                                .all(|g| nodes[node].cone.contains(g, 1e-9))
                        );
                        assert!(
                            leaf.cone
                                .generators()
                                .iter()
                                .all(|g| nodes[node].circle.contains(g, 1e-9))
                        );
                        assert!(nodes[node].kinds.contains(leaf.kind));
                    }
                }
                Content::Inner([a, b]) => {
                    assert_eq!(a.index(), at + 1);
                    assert!(b.index() > a.index());
                    stack.push((a.index(), above.clone()));
                    stack.push((b.index(), above));
                }
            }
        }
        assert!(seen.iter().all(|n| *n == 1));
        assert!(depth(&nodes) < 30, "{}", depth(&nodes));
    }

    #[test]
    fn few_patches_make_small_trees() {
        assert!(build(&[], &[]).is_empty());
        assert_eq!(depth(&build(&[], &[])), 0);
        assert_eq!(build(&cloud(1), &[0]).len(), 1);
        assert_eq!(build(&cloud(2), &[0, 1]).len(), 3);
        assert_eq!(build(&cloud(2), &[0, 0]).len(), 3);
    }
}
