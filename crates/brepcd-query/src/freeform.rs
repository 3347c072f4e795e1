//! Candidates of pairs of patches without closed form, from the numeric solver.

use brepcd_geom::Vec3;
use brepcd_tree::Shape;

use crate::candidates::Candidate;
use crate::numeric::{self, Counts, Found, Limits, MARKS, Outcome, Scratch};
use crate::part::Leaf;
use crate::piece::Piece;
use crate::second_order::{Bend, Verdict, judge};
use crate::stats::Stats;
use crate::tolerance::Tolerances;

/// The search for one pair of patches is given up after so many boxes, and counted as unresolved.
const LIMITS: Limits = Limits {
    boxes: 20_000,
    flat: Limits::FLAT,
};

/// Depth of the deepest dent that stays within a near-flat patch, relative to its size.
const DENT: f64 = 0.2;

/// Distances of marks from a loose sample that they stand for: the speed changes along the feature.
const SPACING: f64 = 1.5;

/// Solves for two patches and appends their candidates up to the distance `reach`; false if something may be missing.
pub fn solve(
    a: &Leaf,
    b: &Leaf,
    reach: f64,
    tolerances: &Tolerances,
    scratch: &mut Scratch,
    found: &mut Vec<Found>,
    out: &mut Vec<Candidate>,
    stats: &mut Stats,
) -> bool {
    let extent = 2.0 * a.node.obb.half.norm().max(b.node.obb.half.norm());
    let search = |a: &Piece, b: &Piece, reach: f64, counts: &mut Counts, found: &mut Vec<Found>| {
        let outcome = numeric::stationary(a, b, reach, &LIMITS, scratch, counts, found);
        Some(outcome)
    };
    let (a, b) = (&a.piece, &b.piece);
    search_pair(a, b, extent, reach, tolerances, found, out, stats, search).unwrap_or(false)
}

/// Solves for a piece of a free-form curve and a whole cluster; false if something may be missing, `None` if they need the
/// general search, patch by patch.
pub fn solve_along_curve(
    a: &Piece,
    b: &Piece,
    extent: f64,
    reach: f64,
    tolerances: &Tolerances,
    scratch: &mut Scratch,
    found: &mut Vec<Found>,
    out: &mut Vec<Candidate>,
    stats: &mut Stats,
) -> Option<bool> {
    let search = |a: &Piece, b: &Piece, reach: f64, counts: &mut Counts, found: &mut Vec<Found>| {
        numeric::along_curve(a, b, reach, &LIMITS, scratch, counts, found)
    };
    search_pair(a, b, extent, reach, tolerances, found, out, stats, search)
}

fn search_pair(
    a: &Piece,
    b: &Piece,
    extent: f64,
    reach: f64,
    tolerances: &Tolerances,
    found: &mut Vec<Found>,
    out: &mut Vec<Candidate>,
    stats: &mut Stats,
    search: impl FnOnce(&Piece, &Piece, f64, &mut Counts, &mut Vec<Found>) -> Option<Outcome>,
) -> Option<bool> {
    found.clear();
    let mut counts = Counts::default();
    // Penetrations count as far as they tell overlap, however short the reach: near-flat patches have shallow dents.
    let depth = tolerances.shallow.min(DENT * extent);
    let outcome = search(a, b, reach.max(depth), &mut counts, found);
    stats.newton_steps += counts.newton_steps;
    for pair in found.iter() {
        out.extend(candidate(a, b, pair, reach, extent, tolerances));
    }
    outcome.map(|outcome| outcome != Outcome::Unresolved)
}

fn candidate(
    a: &Piece,
    b: &Piece,
    pair: &Found,
    reach: f64,
    extent: f64,
    tolerances: &Tolerances,
) -> Option<Candidate> {
    let sampled = pair.standing.is_sample();
    let (point_a, point_b) = (a.point(pair.ta), b.point(pair.tb));
    let between = point_b - point_a;
    let (own_a, own_b) = (outward(a, pair.ta), outward(b, pair.tb));
    let normal = own_a.or(own_b.map(|n| -n));
    let by_points = between.try_normalize(tolerances.critical.length);
    let normal = match (normal, by_points) {
        // Samples of a family are on it only as far as that does not change their distance.
        (Some(own), Some(direction)) if sampled && between.norm() > tolerances.merge => {
            Some(direction * own.dot(&direction).signum())
        }
        (own, direction) => own.or(direction),
    };
    let distance = normal.map_or(0.0, |n| between.dot(&n));
    if !(distance <= reach && distance >= -tolerances.shallow) {
        return None;
    }
    if let (Some(a), Some(b)) = (own_a, own_b)
        && a.dot(&b) > 0.0
    {
        return None;
    }
    if let Some(n) = &normal {
        let bends = (
            Bend::of_piece(a, pair.ta, n),
            Bend::of_piece(b, pair.tb, &-n),
        );
        let (verdict, least) = judge(&bends.0, &bends.1, n, distance, tolerances.size);
        // What is flat along the whole patch may be bent the wrong way by its noise.
        let noise = if sampled {
            8.0 * tolerances.conformal / (extent * extent)
        } else {
            0.0
        };
        if verdict == Verdict::Saddle && least < -noise {
            return None;
        }
    }
    let (speeds_a, speeds_b) = (speeds(a, pair.ta), speeds(b, pair.tb));
    Some(Candidate {
        point_a,
        point_b,
        normal,
        distance,
        ta: pair.ta,
        tb: pair.tb,
        speeds_a,
        speeds_b,
        standing: pair.standing,
        spacing: spacing(a, speeds_a).max(spacing(b, speeds_b)),
    })
}

/// How far apart marks of a feature are at about some place, with some allowance.
fn spacing(piece: &Piece, speeds: [f64; 2]) -> f64 {
    let lengths = numeric::feature_ranges(piece).map(|range| range.map_or(0.0, |r| r.length()));
    let longest = (speeds[0] * lengths[0]).max(speeds[1] * lengths[1]);
    SPACING * longest / MARKS as f64
}

/// The normal out of the material of a face.
fn outward(piece: &Piece, t: [f64; 2]) -> Option<Vec3> {
    let Shape::Face {
        surface,
        same_sense,
        ..
    } = &piece.feature().shape
    else {
        return None;
    };
    let normal = piece.a_from_part.rotation * surface.normal(t[0], t[1])?;
    Some(if *same_sense { normal } else { -normal })
}

fn speeds(piece: &Piece, t: [f64; 2]) -> [f64; 2] {
    if let Some(jet) = piece.surface_jet(t) {
        [jet.du.norm(), jet.dv.norm()]
    } else if let Some(jet) = piece.curve_jet(t[0]) {
        [jet.d1.norm(), 0.0]
    } else {
        [0.0; 2]
    }
}
