//! The tree over the patches, level by level.

use brepcd::TreePart;
use brepcd::tree::{Content, Kinds};
use serde_json::json;

use super::Spread;
use crate::report::{Report, Table, degrees, plain, short, size};
use crate::tree_info::box_json;

/// The nodes at one distance from the root.
#[derive(Clone, Default)]
struct Level {
    nodes: usize,
    leaves: usize,
    /// Nodes whose normals may point anywhere.
    whole: usize,
    /// Diagonals of the boxes, mm.
    size: Spread,
    /// Half-angles of the circular cones that do not hold all directions, degrees.
    circle: Spread,
    /// Solid angles of the polyhedral cones, as shares of the sphere.
    solid: Spread,
    /// Kinds in the masks.
    kinds: Spread,
    /// Kinds in the masks of what is compatible.
    compatible: Spread,
}

/// The tree of a part.
pub fn report(part: &TreePart) -> Report {
    let mut levels: Vec<Level> = Vec::new();
    let mut of_node = vec![0; part.nodes.len()];
    let mut leaf_depth = Spread::default();
    for (i, node) in part.nodes.iter().enumerate() {
        let at = of_node[i];
        levels.resize(levels.len().max(at + 1), Level::default());
        let level = &mut levels[at];
        level.nodes += 1;
        level.size.add(2.0 * node.obb.half.norm());
        level
            .solid
            .add(node.cone.solid_angle() / (4.0 * std::f64::consts::PI));
        let bits = |kinds: Kinds| f64::from(kinds.bits().count_ones());
        level.kinds.add(bits(node.kinds));
        level.compatible.add(bits(node.compatible));
        if node.circle.is_whole() {
            level.whole += 1;
        } else {
            level.circle.add(node.circle.half_angle().to_degrees());
        }
        match node.content {
            Content::Leaf(_) => {
                level.leaves += 1;
                leaf_depth.add((at + 1) as f64);
            }
            Content::Inner(children) => children
                .iter()
                .for_each(|child| of_node[child.index()] = at + 1),
        }
    }
    let root_box = part.nodes.first().map(|root| box_json(&root.obb));
    Report {
        facts: vec![
            ("source", "source", json!(part.header.source)),
            ("nodes", "nodes", json!(part.nodes.len())),
            ("leaves", "leaves", json!(part.patches.len())),
            ("depth", "depth", json!(levels.len())),
            ("mean_leaf_depth", "leaf depth", leaf_depth.mean()),
            ("root_box", "root box", json!(root_box)),
        ],
        tables: vec![Table {
            key: "levels",
            title: "levels, the root first",
            columns: vec![
                ("level", "level", plain),
                ("nodes", "nodes", plain),
                ("leaves", "leaves", plain),
                ("mean_size", "mean box, mm", size),
                ("max_size", "max box", size),
                ("whole_cones", "whole cones", plain),
                ("mean_half_angle_deg", "mean cone, °", degrees),
                ("max_half_angle_deg", "max cone", degrees),
                ("mean_sphere_share", "mean share of sphere", short),
                ("mean_kinds", "mean kinds", short),
                ("mean_compatible", "mean compatible", short),
            ],
            rows: levels
                .iter()
                .enumerate()
                .map(|(at, level)| {
                    vec![
                        json!(at + 1),
                        json!(level.nodes),
                        json!(level.leaves),
                        level.size.mean(),
                        level.size.max(),
                        json!(level.whole),
                        level.circle.mean(),
                        level.circle.max(),
                        level.solid.mean(),
                        level.kinds.mean(),
                        level.compatible.mean(),
                    ]
                })
                .collect(),
        }],
    }
}
