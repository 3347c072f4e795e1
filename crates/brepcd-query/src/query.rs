//! The queries: all local minima under a cut-off, the least of them, and whether two parts overlap.

mod least;
mod numeric_pairs;
mod overlapping;

use std::ops::Range;

use brepcd_geom::Pose;
use brepcd_tree::{FeatureId, NodeId, PatchId};

use crate::accept::{Accepted, accept};
use crate::answer::{Answer, Lmd, Status};
use crate::candidates::{self, Candidate};
use crate::carrier::Carrier;
use crate::collect::{Collected, Purpose, collect, select};
use crate::critical::Pairs;
use crate::merge;
use crate::nearest;
use crate::numeric;
use crate::options::Options;
use crate::overlap;
use crate::part::{Part, PoseError, check_pose, far_apart};
use crate::places::Places;
use crate::prune::Query;
use crate::samples;
use crate::state::{PairState, Room};

/// Buffers that queries reuse, so that they allocate nothing once these have grown.
#[derive(Debug, Default)]
pub struct Workspace {
    collected: Collected,
    stack: Vec<(NodeId, NodeId)>,
    patches: Vec<(PatchId, PatchId)>,
    places: Places,
    nearest: nearest::Search,
    solved: Vec<least::Solved>,
    candidates: Vec<Candidate>,
    accepted: Vec<Accepted>,
    found: Vec<numeric::Found>,
    numeric: numeric::Scratch,
    overlap: overlap::Scratch,
    shells: Vec<u32>,
    pairs: Pairs,
    answer: Answer,
}

impl Workspace {
    /// A workspace with empty buffers.
    pub fn new() -> Self {
        Self::default()
    }

    /// All local minimal distances with gaps up to the prediction.
    pub fn contacts(
        &mut self,
        a: &Part,
        b: &Part,
        a_from_b: &Pose,
        options: &Options,
    ) -> Result<&Answer, PoseError> {
        let reach = reach_of(options);
        if self.are_far_apart(a, b, a_from_b, reach)? {
            return Ok(&self.answer);
        }
        let query = Query::new(a, b, a_from_b, options)?;
        self.all_up_to(&query, reach);
        Ok(&self.answer)
    }

    /// As [`Workspace::contacts`], quicker at poses near that of the last query with the same state.
    pub fn contacts_along(
        &mut self,
        state: &mut PairState,
        a: &Part,
        b: &Part,
        a_from_b: &Pose,
        options: &Options,
    ) -> Result<&Answer, PoseError> {
        let reach = reach_of(options);
        if self.are_far_apart(a, b, a_from_b, reach)? {
            state.clear();
            return Ok(&self.answer);
        }
        let query = Query::new(a, b, a_from_b, options)?;
        if !state.covers(&query) {
            self.collect_into(&query, state, reach);
        }
        select(
            &query,
            reach,
            state,
            &mut self.collected,
            &mut self.answer.stats,
        );
        self.answer.stats.face_pairs = self.collected.crossings.len() as u64;
        if state.is_clear(&query) || !self.overlapping(&query) {
            self.solve(&query, reach);
            self.finish(&query);
        }
        // Without anything left open, nothing is nearer than what was found, and nothing else within reach.
        let Answer { status, stats, .. } = &self.answer;
        let is_sure = *status == Status::Separated && stats.unresolved == 0;
        let found = self.answer.min_distance().unwrap_or(reach);
        state.keep_distance(&query, if is_sure { found.min(reach) } else { 0.0 });
        Ok(&self.answer)
    }

    /// Starts an answer; true if nothing is within reach of each other, seen from afar.
    fn are_far_apart(
        &mut self,
        a: &Part,
        b: &Part,
        a_from_b: &Pose,
        reach: f64,
    ) -> Result<bool, PoseError> {
        check_pose(a_from_b)?;
        self.answer.clear();
        let are_far = far_apart(a, b, a_from_b, reach);
        if are_far {
            self.answer.stats.node_pairs = 1;
            self.answer.stats.by_box = 1;
        }
        Ok(are_far)
    }

    /// Collects what a state may need at poses nearby.
    fn collect_into(&mut self, query: &Query, state: &mut PairState, reach: f64) {
        let purpose = Purpose {
            minima: true,
            crossings: true,
        };
        let room = state.room(query, reach);
        let stats = &mut self.answer.stats;
        collect(query, purpose, reach, room, &mut self.collected, stats);
        state.minima.clear();
        state.minima.extend_from_slice(&self.collected.minima);
        state.crossings.clear();
        state.crossings.extend_from_slice(&self.collected.crossings);
        state.keep(query, room);
    }

    /// Whether the interiors of the two parts have points in common.
    pub fn intersects(
        &mut self,
        a: &Part,
        b: &Part,
        a_from_b: &Pose,
        options: &Options,
    ) -> Result<&Answer, PoseError> {
        let query = Query::new(a, b, a_from_b, options)?;
        self.answer.clear();
        self.all_up_to(&query, 0.0);
        self.answer.lmds.clear();
        Ok(&self.answer)
    }

    fn all_up_to(&mut self, query: &Query, reach: f64) {
        self.collect(query, reach);
        if !self.overlapping(query) {
            self.solve(query, reach);
            self.finish(query);
        }
    }

    /// Gathers the pairs of clusters that may cross, and those that may hold minima up to a distance.
    fn collect(&mut self, query: &Query, reach: f64) {
        let purpose = Purpose {
            minima: true,
            crossings: true,
        };
        let stats = &mut self.answer.stats;
        let room = Room::default();
        collect(query, purpose, reach, room, &mut self.collected, stats);
        stats.face_pairs = self.collected.crossings.len() as u64;
    }

    /// Solves the gathered pairs, each pair of features with closed forms once.
    fn solve(&mut self, query: &Query, reach: f64) {
        self.accepted.clear();
        let mut start = 0;
        while let Some(first) = self.collected.minima.get(start) {
            let features = first.features;
            let group = self.collected.minima[start..].iter();
            let end = start + group.take_while(|pair| pair.features == features).count();
            self.candidates.clear();
            let is_closed = self.solve_features(query, features, reach);
            for index in start..end {
                let nodes = self.collected.minima[index].nodes;
                if is_closed {
                    self.accept_on(query, nodes, 0..self.candidates.len(), reach);
                } else {
                    self.solve_patches(query, nodes, reach);
                }
            }
            start = end;
        }
    }

    /// Appends the candidates of two features up to a distance; false if they have no closed form.
    fn solve_features(
        &mut self,
        query: &Query,
        features: (FeatureId, FeatureId),
        reach: f64,
    ) -> bool {
        let (shape_a, shape_b) = (
            &query.a.tree().features[features.0.index()].shape,
            &query.b.tree().features[features.1.index()].shape,
        );
        let carriers =
            Carrier::of(shape_a, &query.a_from_a).zip(Carrier::of(shape_b, &query.a_from_b));
        let Some((a, b)) = &carriers else {
            return false;
        };
        let (tolerances, stats) = (&query.tolerances, &mut self.answer.stats);
        let before = self.candidates.len();
        stats.solves += 1;
        let resolved = candidates::solve(
            a,
            b,
            reach,
            tolerances,
            &mut self.pairs,
            &mut self.candidates,
        );
        stats.unresolved += u64::from(!resolved);
        stats.candidates += (self.candidates.len() - before) as u64;
        true
    }

    /// Keeps those of some candidates up to a distance that are minima on two clusters.
    fn accept_on(
        &mut self,
        query: &Query,
        nodes: (NodeId, NodeId),
        candidates: Range<usize>,
        reach: f64,
    ) {
        let angle = query.options.regularization;
        let candidates = self.candidates[candidates].iter();
        for candidate in candidates.filter(|candidate| candidate.distance <= reach) {
            if !query.may_hold(nodes, candidate) {
                continue;
            }
            self.places.find(query, nodes, candidate);
            for patches in self.places.pairs() {
                let (a, b) = query.leaves(patches);
                self.accepted
                    .extend(accept(candidate, &a, &b, angle, &query.tolerances));
            }
        }
    }

    /// Merges what was accepted and sorts it into the answer, unless it shows that the parts overlap.
    fn finish(&mut self, query: &Query) {
        let deepest = self.penetration(query);
        self.accepted.retain(|accepted| accepted.depth == 0.0);
        if deepest.is_some() {
            self.answer.status = Status::Overlapping;
            self.answer.overlap = deepest;
            return;
        }
        merge::merge(&mut self.accepted, query.tolerances.merge);
        samples::thin(
            &mut self.accepted,
            query.options.samples,
            query.tolerances.tie,
        );
        let lmds = self.accepted.iter().map(|accepted| accepted.lmd);
        self.answer.lmds.extend(lmds);
        self.answer.lmds.sort_unstable_by(order);
    }
}

/// The distance up to which minima are looked for.
fn reach_of(options: &Options) -> f64 {
    (options.prediction + 2.0 * options.epsilon).max(0.0)
}

/// By distance, then by features, then by place.
fn order(a: &Lmd, b: &Lmd) -> std::cmp::Ordering {
    let features = |lmd: &Lmd| (lmd.feature_a, lmd.feature_b);
    let place = |lmd: &Lmd| [lmd.point_a.x, lmd.point_a.y, lmd.point_a.z];
    a.distance
        .total_cmp(&b.distance)
        .then_with(|| features(a).cmp(&features(b)))
        .then_with(|| {
            let pairs = place(a).into_iter().zip(place(b));
            pairs.fold(std::cmp::Ordering::Equal, |order, (x, y)| {
                order.then(x.total_cmp(&y))
            })
        })
}
