//! From the stationary pairs of two cores to the candidates of their features: offsets, signs, second order.
//!
//! A stationary pair of the cores with unit direction `e` gives two candidates, `n = e` and `n = -e`, at the distances
//! `(c_b - c_a)·n - offset_a - offset_b`. Those that are behind a surface or are no minima are dropped here; where they
//! lie in the trimmed features is for the caller to say.

use brepcd_geom::{Point3, Vec3};

use crate::carrier::Carrier;
use crate::critical::{self, FamilyKind, Outcome, Pair, Pairs};
use crate::numeric::Standing;
use crate::ring;
use crate::second_order::{Verdict, judge};
use crate::tolerance::Tolerances;

/// A pair of points that is an LMD if it lies in both features.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// The point of A, in the frame of A.
    pub point_a: Point3,
    /// The point of B, in the frame of A.
    pub point_b: Point3,
    /// Unit normal from A to B; `None` where the points coincide and their features leave it open.
    pub normal: Option<Vec3>,
    /// Distance along the normal; negative where one part is in the other.
    pub distance: f64,
    /// Parameters on the feature of A.
    pub ta: [f64; 2],
    /// Parameters on the feature of B.
    pub tb: [f64; 2],
    /// Parameters of A that correspond to a length of 1.
    pub speeds_a: [f64; 2],
    /// The same for B.
    pub speeds_b: [f64; 2],
    /// Whether it is one of a continuum.
    pub standing: Standing,
    /// Distance of others that stand for it as well, mm, if it is a loose sample.
    pub spacing: f64,
}

/// Solves for two carriers and appends their candidates up to the distance `reach`; false if something may be missing.
pub fn solve(
    a: &Carrier,
    b: &Carrier,
    reach: f64,
    tolerances: &Tolerances,
    pairs: &mut Pairs,
    out: &mut Vec<Candidate>,
) -> bool {
    pairs.clear();
    let outcome = critical::stationary(&a.core(), &b.core(), &tolerances.critical, pairs);
    let context = Context {
        a,
        b,
        reach,
        tolerances,
    };
    // The list is small and the sampler needs one of its own.
    for index in 0..pairs.as_slice().len() {
        let pair = pairs.as_slice()[index];
        match (pair.family, pair.direction) {
            (Some(FamilyKind::Ring), _) => ring::sample(&context, &pair, out),
            // The ends of the family are candidates of edges and vertices, or of rings.
            (Some(FamilyKind::Line | FamilyKind::Area), _) => {}
            (None, Some(direction)) => context.both(&pair, direction, out),
            (None, None) => ring::sample_free(&context, &pair, out),
        }
    }
    outcome != Outcome::Unresolved
}

/// What it takes to turn core pairs into candidates.
pub(crate) struct Context<'a> {
    pub a: &'a Carrier,
    pub b: &'a Carrier,
    pub reach: f64,
    pub tolerances: &'a Tolerances,
}

impl Context<'_> {
    /// Adds what a core pair gives in both senses of its direction; near a ring also samples of that.
    fn both(&self, pair: &Pair, direction: Vec3, out: &mut Vec<Candidate>) {
        for normal in [direction, -direction] {
            let Some((candidate, flatness)) = self.candidate(pair, normal) else {
                continue;
            };
            out.push(candidate);
            if ring::is_near(self, pair, flatness) {
                ring::sample(self, pair, out);
            }
        }
    }

    /// The candidate of a core pair with a given normal, and the least relative curvature there; `None` if it is out
    /// of reach, behind a surface, or no minimum.
    pub fn candidate(&self, pair: &Pair, normal: Vec3) -> Option<(Candidate, f64)> {
        let candidate = self.place(pair, normal)?;
        let out_b = -normal;
        let bends = (
            self.a.bend(candidate.ta, &normal),
            self.b.bend(candidate.tb, &out_b),
        );
        let size = self.tolerances.size;
        let (verdict, least) = judge(&bends.0, &bends.1, &normal, candidate.distance, size);
        (verdict != Verdict::Saddle).then_some((candidate, least))
    }

    /// The candidate of a core pair with a given normal, whether minimum or not.
    pub fn place(&self, pair: &Pair, normal: Vec3) -> Option<Candidate> {
        let (offset_a, offset_b) = (self.a.offset(), self.b.offset());
        let distance = (pair.b - pair.a).dot(&normal) - offset_a - offset_b;
        // Not "less", so that what is not a number is dropped.
        if !(distance <= self.reach && distance >= -self.tolerances.shallow) {
            return None;
        }
        let out_b = -normal;
        let faces = |own: Option<Vec3>, out: &Vec3| own.is_none_or(|n| n.dot(out) > 0.0);
        if !faces(self.a.own_normal(pair.ta), &normal) || !faces(self.b.own_normal(pair.tb), &out_b)
        {
            return None;
        }
        let (ta, tb) = (
            self.a.parameters(pair.ta, &normal),
            self.b.parameters(pair.tb, &out_b),
        );
        Some(Candidate {
            point_a: pair.a + normal * offset_a,
            point_b: pair.b + out_b * offset_b,
            normal: Some(normal),
            distance,
            ta,
            tb,
            speeds_a: self.a.speeds(ta),
            speeds_b: self.b.speeds(tb),
            standing: Standing::Isolated,
            spacing: 0.0,
        })
    }
    /// The candidate of a member of a family: no saddle across the family, along which it may be flat or nearly so.
    ///
    /// `index` is its number among the samples of the ring.
    pub fn sample(&self, pair: &Pair, normal: Vec3, index: usize) -> Option<Candidate> {
        let candidate = self.place(pair, normal)?;
        let bends = (
            self.a.bend(candidate.ta, &normal),
            self.b.bend(candidate.tb, &-normal),
        );
        let size = self.tolerances.size;
        let (verdict, least) = judge(&bends.0, &bends.1, &normal, candidate.distance, size);
        let radius = [self.a.ring_radius(), self.b.ring_radius()]
            .into_iter()
            .flatten()
            .fold(size, f64::min);
        let slack = 4.0 * self.tolerances.conformal / (radius * radius);
        let accepted = verdict != Verdict::Saddle || least >= -slack;
        accepted.then_some(Candidate {
            standing: Standing::along(index),
            ..candidate
        })
    }

    /// The candidate of two touching edges or vertices whose normal is open.
    pub fn touching(&self, pair: &Pair) -> Candidate {
        Candidate {
            point_a: pair.a,
            point_b: pair.b,
            normal: None,
            distance: 0.0,
            ta: pair.ta,
            tb: pair.tb,
            speeds_a: self.a.speeds(pair.ta),
            speeds_b: self.b.speeds(pair.tb),
            standing: Standing::Isolated,
            spacing: 0.0,
        }
    }
}
