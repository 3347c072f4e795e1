//! Pairs of clusters of which one has no closed form.

use std::ops::ControlFlow;

use brepcd_tree::{Node, NodeId, PatchId};

use super::Workspace;
use crate::accept::accept;
use crate::freeform;
use crate::prune::Query;
use crate::stats::Stats;
use crate::traverse::traverse;

impl Workspace {
    /// Solves two patches, or a piece of a free-form edge and a whole cluster: at once if that can be, else patch by patch.
    pub(super) fn solve_patches(&mut self, query: &Query, nodes: (NodeId, NodeId), reach: f64) {
        if let Some(patches) = query.patches_of_nodes(nodes) {
            return self.solve_two(query, patches, reach);
        }
        if self.solve_along_curve(query, nodes, reach) {
            return;
        }
        self.patches.clear();
        let Self { stack, patches, .. } = self;
        // Not part of the walk, nor of its counts.
        let mut stats = Stats::default();
        let may_hold = |a: &Node, b: &Node| {
            query.may_match(a, b, 0.0, &mut stats)
                && query.is_near(a, b, reach)
                && query.may_face(a, b, &mut stats)
        };
        let (a, b) = (query.a.tree(), query.b.tree());
        traverse(a, b, nodes, stack, may_hold, |a, b| {
            patches.push((a, b));
            ControlFlow::Continue(())
        });
        for at in 0..self.patches.len() {
            self.solve_two(query, self.patches[at], reach);
        }
    }

    /// Solves a piece of a free-form edge and a cluster; false if that needs the general search.
    fn solve_along_curve(&mut self, query: &Query, nodes: (NodeId, NodeId), reach: f64) -> bool {
        let (brief_a, brief_b) = (query.a.brief(nodes.0), query.b.brief(nodes.1));
        let edge = if brief_a.is_free_curve {
            brief_a
        } else {
            brief_b
        };
        let (a, b) = (
            query.a.whole(nodes.0, &query.a_from_a),
            query.b.whole(nodes.1, &query.a_from_b),
        );
        let before = self.candidates.len();
        let resolved = freeform::solve_along_curve(
            &a,
            &b,
            2.0 * edge.radius,
            reach,
            &query.tolerances,
            &mut self.numeric,
            &mut self.found,
            &mut self.candidates,
            &mut self.answer.stats,
        );
        let Some(resolved) = resolved else {
            return false;
        };
        let stats = &mut self.answer.stats;
        stats.numeric_solves += 1;
        stats.unresolved += u64::from(!resolved);
        self.accept_on(query, nodes, before..self.candidates.len(), reach);
        self.candidates.truncate(before);
        true
    }

    /// Solves a pair of patches.
    fn solve_two(&mut self, query: &Query, patches: (PatchId, PatchId), reach: f64) {
        let (tolerances, stats) = (&query.tolerances, &mut self.answer.stats);
        let (a, b) = query.leaves(patches);
        let before = self.candidates.len();
        stats.numeric_solves += 1;
        let resolved = freeform::solve(
            &a,
            &b,
            reach,
            tolerances,
            &mut self.numeric,
            &mut self.found,
            &mut self.candidates,
            stats,
        );
        stats.unresolved += u64::from(!resolved);
        let angle = query.options.regularization;
        for candidate in &self.candidates[before..] {
            self.accepted
                .extend(accept(candidate, &a, &b, angle, tolerances));
        }
        self.candidates.truncate(before);
    }
}
