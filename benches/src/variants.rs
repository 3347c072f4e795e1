//! Parts as they are without one technique or several, to measure what each is worth.
//!
//! What a tree can say is changed in the tree, and axes are left out when a part is made ready: queries run the same code
//! for all variants.

use brepcd::geom::{Interval, Point2};
use brepcd::prep::bounds::Bounds;
use brepcd::prep::tree;
use brepcd::query::Options;
use brepcd::tree::{Content, Crossing, Kinds, Membership, Patch, Run, Shape, TreePart, round_out};
use brepcd::{Cones, Grouping, Part, TreeOptions};

use crate::scene::preprocessed;

/// What a variant does without.
#[derive(Clone, Copy, Debug, Default)]
pub struct Without {
    /// Polyhedral cones: circular ones are left.
    pub polyhedral_cones: bool,
    /// Supermaximal features: each face and each edge is its own.
    pub grouping: bool,
    /// Masks of compatible kinds.
    pub masks: bool,
    /// Borders of each patch: each names all pieces of its feature.
    pub patch_borders: bool,
    /// Clusters: the tree is built over single patches.
    pub clusters: bool,
    /// Axes of parts, with the sleeves about them and what keeps faces off each other by them.
    pub axes: bool,
    /// All tests of nodes for minima but that of their boxes. Overlap is decided as ever.
    pub pruning: bool,
}

/// How the answers of a variant compare with the reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// They are the same.
    Same,
    /// They have the same minima with other features; where families are sampled, at other places.
    SameMinima,
}

/// A way to ask.
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    /// Its name in tables.
    pub name: &'static str,
    /// What it does without.
    pub without: Without,
    /// True if a state is kept from pose to pose.
    pub along: bool,
}

impl Variant {
    const fn cold(name: &'static str, without: Without) -> Self {
        Self {
            name,
            without,
            along: false,
        }
    }
}

/// What has everything.
const ALL: Without = Without {
    polyhedral_cones: false,
    grouping: false,
    masks: false,
    patch_borders: false,
    clusters: false,
    axes: false,
    pruning: false,
};
/// The configuration of the paper before its improvements.
const PLAIN: Without = Without {
    polyhedral_cones: true,
    grouping: true,
    masks: true,
    ..ALL
};

/// All variants, the reference first.
pub const VARIANTS: [Variant; 11] = [
    Variant::cold("all on, cold", ALL),
    Variant {
        name: "all on, along",
        without: ALL,
        along: true,
    },
    Variant::cold(
        "revolution cones",
        Without {
            polyhedral_cones: true,
            ..ALL
        },
    ),
    Variant::cold(
        "no supermaximal features",
        Without {
            grouping: true,
            ..ALL
        },
    ),
    Variant::cold("no masks", Without { masks: true, ..ALL }),
    Variant::cold(
        "no domains per patch",
        Without {
            patch_borders: true,
            ..ALL
        },
    ),
    Variant::cold(
        "no clusters",
        Without {
            clusters: true,
            ..ALL
        },
    ),
    Variant::cold("no axes", Without { axes: true, ..ALL }),
    Variant::cold(
        "boxes alone",
        Without {
            pruning: true,
            ..ALL
        },
    ),
    Variant::cold("plain", PLAIN),
    Variant::cold(
        "plain, no clusters, no axes",
        Without {
            clusters: true,
            axes: true,
            ..PLAIN
        },
    ),
];

impl Variant {
    /// How its answers compare with the reference.
    pub fn expected(&self) -> Expected {
        if self.without.grouping {
            Expected::SameMinima
        } else {
            Expected::Same
        }
    }

    /// A part of a scene, named as its file.
    pub fn part(&self, name: &str) -> Part {
        let without = &self.without;
        let mut tree = preprocessed(
            name,
            &TreeOptions {
                cones: if without.polyhedral_cones {
                    Cones::Revolution
                } else {
                    Cones::Polyhedral
                },
                grouping: if without.grouping {
                    Grouping::Separate
                } else {
                    Grouping::Supermaximal
                },
                ..TreeOptions::default()
            },
        );
        if without.clusters {
            over_patches(&mut tree);
        }
        if without.masks {
            for node in &mut tree.nodes {
                node.compatible = Kinds::all();
            }
        }
        if without.patch_borders {
            all_borders(&mut tree);
        }
        if without.axes {
            Part::without_axes(tree)
        } else {
            Part::new(tree)
        }
    }

    /// The options of its queries.
    pub fn options(&self, prediction: f64) -> Options {
        Options {
            prediction,
            pruning: !self.without.pruning,
            ..Options::default()
        }
    }
}

/// Builds the nodes anew over single patches. Where only patches of one feature happen to come together, queries still
/// take them for a cluster.
fn over_patches(part: &mut TreePart) {
    let mut bounds = vec![None; part.patches.len()];
    for node in &part.nodes {
        if let Content::Leaf(patch) = node.content {
            bounds[patch.index()] = Some(Bounds {
                obb: node.obb,
                cone: node.cone.unpack(),
                circle: node.circle,
                kind: node.kinds,
            });
        }
    }
    let bounds: Vec<Bounds> = bounds.into_iter().map(|b| b.expect("a leaf")).collect();
    let alone: Vec<usize> = (0..bounds.len()).collect();
    part.nodes = tree::build(&bounds, &alone);
    round_out(&mut part.nodes);
}

/// Shares of a patch's ranges at which a point is off its middle and off the lines that patches are cut at.
const OFF_LINES: [f64; 2] = [0.4873, 0.5179];

/// Makes every patch of a face name all pieces of border of its feature: first those that cross it as they are, then the
/// others, moved by whole periods as near to it as they come. They do not reach into the patch, and so do not change how
/// often a way within it crosses the border.
fn all_borders(part: &mut TreePart) {
    let before = std::mem::take(&mut part.crossings);
    for patch in &mut part.patches {
        let Shape::Face {
            surface, borders, ..
        } = &part.features[patch.feature.index()].shape
        else {
            continue;
        };
        if borders.is_empty() {
            continue;
        }
        let start = part.crossings.len();
        let (reference, inside) = match patch.membership {
            // No border is near: any point of the patch will do.
            Membership::Inside => {
                let [u, v] = OFF_LINES;
                (Point2::new(patch.u.at(u), patch.v.at(v)), true)
            }
            Membership::Crossed {
                pieces,
                reference,
                inside,
            } => {
                part.crossings.extend_from_slice(&before[pieces.range()]);
                (reference, inside)
            }
        };
        let crossing = part.crossings.len();
        let periods = surface.periods().map(|p| p.unwrap_or(0.0));
        for border in borders.range() {
            let border_id = u32::try_from(border).expect("fewer than u32::MAX");
            let known = &part.crossings[start..crossing];
            if known.iter().any(|c| c.border == border_id) {
                continue;
            }
            let uv = part.borders[border].uv;
            part.crossings.push(Crossing {
                border: border_id,
                periods: nearest_copy(uv, patch, periods),
            });
        }
        patch.membership = Membership::Crossed {
            pieces: run(start, part.crossings.len()),
            reference,
            inside,
        };
    }
}

fn run(start: usize, end: usize) -> Run {
    let at = |n: usize| u32::try_from(n).expect("fewer than u32::MAX");
    Run {
        start: at(start),
        end: at(end),
    }
}

/// The whole periods that bring the middle of a piece nearest to that of a patch.
fn nearest_copy(uv: [Point2; 2], patch: &Patch, periods: [f64; 2]) -> [i8; 2] {
    let along = |axis: usize, range: Interval| {
        if periods[axis] == 0.0 {
            return 0;
        }
        let middle = 0.5 * (uv[0][axis] + uv[1][axis]);
        ((range.mid() - middle) / periods[axis]).round() as i8
    };
    [along(0, patch.u), along(1, patch.v)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::SCENES;
    use brepcd::tree::PatchId;

    fn trees(name: &str) -> [TreePart; 2] {
        let plain = preprocessed(name, &TreeOptions::default());
        let mut other = plain.clone();
        all_borders(&mut other);
        [plain, other]
    }

    /// All pieces of border of a face tell of a point what those near its patch tell.
    #[test]
    fn all_borders_tell_the_same_as_those_of_a_patch() {
        for scene in SCENES {
            for side in ["fixed", "mobile"] {
                let [plain, other] = trees(&format!("{scene}_{side}"));
                let mut more = 0;
                for (index, patch) in plain.patches.iter().enumerate() {
                    let Shape::Face { borders, .. } = &plain.features[patch.feature.index()].shape
                    else {
                        continue;
                    };
                    let id = PatchId::at(index);
                    let count = |part: &TreePart| match part.patches[index].membership {
                        Membership::Inside => 0,
                        Membership::Crossed { pieces, .. } => pieces.len(),
                    };
                    assert!(count(&other) >= borders.len());
                    more += count(&other) - count(&plain);
                    for (s, t) in (0..36).map(|k| (k % 6, k / 6)) {
                        let at = |i: Interval, k: i32| i.at(f64::from(k) / 5.0);
                        let (u, v) = (at(patch.u, s), at(patch.v, t));
                        assert_eq!(plain.classify(id, u, v), other.classify(id, u, v));
                    }
                }
                assert!(more > 100, "{scene} {side}: {more} more");
            }
        }
    }

    #[test]
    fn the_tree_over_patches_has_the_same_leaves() {
        let plain = preprocessed("hotstab_mobile", &TreeOptions::default());
        let mut other = plain.clone();
        over_patches(&mut other);
        assert_eq!(plain.nodes.len(), other.nodes.len());
        let leaves = |part: &TreePart| {
            let ids = part.nodes.iter().filter_map(|node| match node.content {
                Content::Leaf(id) => Some(id),
                Content::Inner(_) => None,
            });
            let mut ids: Vec<PatchId> = ids.collect();
            ids.sort_unstable();
            ids
        };
        assert_eq!(leaves(&plain), leaves(&other));
        let order = |part: &TreePart| {
            format!(
                "{:?}",
                part.nodes.iter().map(|n| n.content).collect::<Vec<_>>()
            )
        };
        assert!(order(&plain) != order(&other));
    }
}
