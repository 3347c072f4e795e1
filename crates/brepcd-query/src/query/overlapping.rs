//! Whether two parts overlap.

use std::ops::ControlFlow;

use brepcd_geom::Point3;
use brepcd_tree::{MatrixPose, TreePart};

use super::Workspace;
use crate::answer::{Overlap, Status};
use crate::overlap::{self, Misses, Side};
use crate::part::Part;
use crate::prune::Query;
use crate::ring;
use crate::traverse::traverse;

/// How far below its boundary points of a part are tried, relative to its size.
const BELOW: [f64; 3] = [0.1, 0.01, 0.001];

impl Workspace {
    /// Decides whether the parts overlap and notes it in the answer.
    pub(super) fn overlapping(&mut self, query: &Query) -> bool {
        let found = self.crossing(query).or_else(|| self.nested(query));
        if found.is_some() {
            self.answer.status = Status::Overlapping;
            self.answer.overlap = found;
        }
        found.is_some()
    }

    /// A place where faces cross, of the pairs of clusters that were collected.
    fn crossing(&mut self, query: &Query) -> Option<Overlap> {
        let (stats, scratch) = (&mut self.answer.stats, &mut self.overlap);
        let touch = query.tolerances.touch;
        let (mut found, mut misses) = (None, Misses::default());
        for &nodes in &self.collected.crossings {
            if query.keep_off(nodes, 2.0 * touch) {
                continue;
            }
            traverse(
                query.a.tree(),
                query.b.tree(),
                nodes,
                &mut self.stack,
                |a, b| {
                    stats.overlap_node_pairs += 1;
                    !a.obb.distance_exceeds(&b.obb, &query.a_from_b, 0.0)
                },
                |a, b| {
                    stats.crossing_tests += 1;
                    let (a, b) = query.leaves((a, b));
                    match overlap::crossing(&a.piece, &b.piece, touch, scratch, &mut misses) {
                        Some(crossing) => {
                            found = Some(Overlap {
                                point: crossing.point,
                                depth: crossing.depth,
                            });
                            ControlFlow::Break(())
                        }
                        None => ControlFlow::Continue(()),
                    }
                },
            );
            if found.is_some() {
                break;
            }
        }
        found
    }

    /// A shell of one part inside the other, given that no faces cross.
    fn nested(&mut self, query: &Query) -> Option<Overlap> {
        let (a, b) = (query.a, query.b);
        let roots = a.tree().nodes.first().zip(b.tree().nodes.first());
        let (root_a, root_b) = roots?;
        if root_a
            .obb
            .distance_exceeds(&root_b.obb, &query.a_from_b, 0.0)
        {
            return None;
        }
        let b_from_a = query.a_from_b.inverse();
        let found = self.within(b, a, &query.a_from_b);
        found.or_else(|| {
            let found = self.within(a, b, &b_from_a)?;
            Some(Overlap {
                point: query.a_from_b * found.point,
                ..found
            })
        })
    }

    /// A point of a part, of its boundary or just below, that is inside the other; in the frame of the other.
    ///
    /// Where all faces were proved to keep off each other, a shell is inside with all its points or with none, so that one
    /// of them decides. Else faces may meet in ways that show no crossing, and all of them are asked.
    fn within(&mut self, inner: &Part, outer: &Part, pose: &MatrixPose) -> Option<Overlap> {
        let root = outer.tree().nodes.first()?;
        let is_proved = self.answer.stats.crossing_tests == 0;
        let shells = inner.shell_index();
        shells.near(&root.obb, pose, &mut self.shells);
        for at in 0..self.shells.len() {
            let shell = &inner.shells()[self.shells[at] as usize];
            let inside = |p: &&Point3| root.obb.contains(&(pose * *p), 0.0);
            if is_proved && !shell.witnesses.iter().all(|p| inside(&p)) {
                continue;
            }
            let mut touches = false;
            for witness in shell.witnesses.iter().filter(inside) {
                let point = pose * witness;
                self.answer.stats.inside_tests += 1;
                match overlap::side_of(outer.tree(), &point, &mut self.overlap) {
                    Side::Inside => return Some(Overlap { point, depth: 0.0 }),
                    Side::Outside if is_proved => break,
                    Side::Outside => {}
                    Side::OnBoundary => touches = true,
                }
            }
            if touches && shell.closed {
                let below = self.below(inner, outer, &shell.witnesses, pose);
                if below.is_some() {
                    return below;
                }
            }
        }
        None
    }

    /// A point just below boundary points of a part that is inside it and inside the other.
    fn below(
        &mut self,
        inner: &Part,
        outer: &Part,
        witnesses: &[Point3],
        pose: &MatrixPose,
    ) -> Option<Overlap> {
        let size = inner.tree().nodes.first()?.obb.half.norm();
        for witness in witnesses {
            for depth in BELOW {
                for direction in ring::spread() {
                    let p = witness + direction * (depth * size);
                    self.answer.stats.inside_tests += 1;
                    if overlap::side_of(inner.tree(), &p, &mut self.overlap) != Side::Inside {
                        continue;
                    }
                    let point = pose * p;
                    if overlap::side_of(outer.tree(), &point, &mut self.overlap) == Side::Inside {
                        return Some(Overlap { point, depth: 0.0 });
                    }
                }
            }
        }
        None
    }

    /// The deepest pair of points that would be a minimum if the one part were not in the other just there.
    pub(super) fn penetration(&mut self, query: &Query) -> Option<Overlap> {
        let mut deepest: Option<Overlap> = None;
        let border = query.tolerances.border[0].max(query.tolerances.border[1]);
        let b_from_a = query.a_from_b.inverse();
        for accepted in self.accepted.iter().filter(|accepted| accepted.depth > 0.0) {
            let (depth, lmd) = (accepted.depth, &accepted.lmd);
            if deepest.is_some_and(|found| found.depth >= depth) {
                continue;
            }
            let point = nalgebra::center(&lmd.point_a, &lmd.point_b);
            // Where it can be told, the point between must be in both: walls may be thin.
            let mut is_in = |tree: &TreePart, p: &Point3| {
                self.answer.stats.inside_tests += 1;
                overlap::side_of(tree, p, &mut self.overlap) == Side::Inside
            };
            let is_sure = depth <= 2.0 * border
                || is_in(query.a.tree(), &point) && is_in(query.b.tree(), &(b_from_a * point));
            if is_sure {
                deepest = Some(Overlap { point, depth });
            }
        }
        deepest
    }
}
