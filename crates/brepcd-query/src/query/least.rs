//! The least distance of two parts.

use std::ops::Range;

use brepcd_geom::Pose;
use brepcd_tree::FeatureId;

use super::Workspace;
use crate::answer::Answer;
use crate::collect::ClusterPair;
use crate::nearest;
use crate::options::Options;
use crate::part::{Part, PoseError};
use crate::prune::Query;

/// Two features that were solved, and where their candidates are; none if they have no closed form.
#[derive(Debug)]
pub(super) struct Solved {
    features: (FeatureId, FeatureId),
    candidates: Option<Range<usize>>,
}

impl Workspace {
    /// The least distance and the pair of points that gives it; several if they are equally far apart.
    pub fn min_distance(
        &mut self,
        a: &Part,
        b: &Part,
        a_from_b: &Pose,
        options: &Options,
    ) -> Result<&Answer, PoseError> {
        let query = Query::new(a, b, a_from_b, options)?;
        self.answer.clear();
        let upper = nearest::greedy(&query) + slack(&query);
        let (collected, stats) = (&mut self.collected, &mut self.answer.stats);
        self.nearest.start(&query, upper, collected, stats);
        stats.face_pairs = collected.crossings.len() as u64;
        if !self.overlapping(&query) {
            self.solve_nearest(&query, upper);
            self.finish(&query);
            let least = self.answer.min_distance();
            // Parts that are not empty have a least distance: if it was not found, some solve was wrong.
            let is_empty = a.tree().nodes.is_empty() || b.tree().nodes.is_empty();
            self.answer.stats.unresolved += u64::from(least.is_none() && !is_empty);
            let limit = least.unwrap_or(0.0) + query.tolerances.tie;
            self.answer.lmds.retain(|lmd| lmd.distance <= limit);
        }
        Ok(&self.answer)
    }

    /// Solves pairs of clusters, the nearest first, until all that are left are farther than what was found.
    fn solve_nearest(&mut self, query: &Query, mut upper: f64) {
        self.accepted.clear();
        self.candidates.clear();
        self.solved.clear();
        while let Some(pair) =
            self.nearest
                .next(query, upper, &mut self.collected, &mut self.answer.stats)
        {
            let before = self.accepted.len();
            self.solve_pair(query, &pair, &mut upper);
            let new = self.accepted[before..].iter();
            // What would be a minimum but for a penetration may turn out to be none.
            let new = new.filter(|x| x.depth == 0.0).map(|x| x.lmd.distance);
            upper = new.fold(upper, |upper, d| upper.min(d + slack(query)));
        }
        self.accepted
            .retain(|x| x.depth > 0.0 || x.lmd.distance <= upper);
    }

    /// Solves a pair of clusters, or takes what was found for its features before; may lower `upper`.
    fn solve_pair(&mut self, query: &Query, pair: &ClusterPair, upper: &mut f64) {
        let known = self
            .solved
            .binary_search_by_key(&pair.features, |x| x.features);
        let candidates = match known {
            Ok(at) => self.solved[at].candidates.clone(),
            Err(at) => {
                let start = self.candidates.len();
                let is_closed = self.solve_features(query, pair.features, *upper);
                let candidates = is_closed.then_some(start..self.candidates.len());
                let solved = Solved {
                    features: pair.features,
                    candidates: candidates.clone(),
                };
                self.solved.insert(at, solved);
                candidates
            }
        };
        match candidates {
            Some(candidates) => self.accept_on(query, pair.nodes, candidates, *upper),
            None => {
                let distance = nearest::distance_of_leaves(query, pair.nodes);
                *upper = upper.min(distance + slack(query));
                self.solve_patches(query, pair.nodes, *upper);
            }
        }
    }
}

/// How much farther than the least distance is looked for: ties, and all that results may be merged into.
fn slack(query: &Query) -> f64 {
    query.tolerances.tie + 2.0 * query.tolerances.merge
}
