//! Does a candidate lie in two patches? Parameter ranges, trimmed domain, polars.

use brepcd_geom::{Interval, Vec3};
use brepcd_tree::{Shape, Where};

use crate::answer::Lmd;
use crate::candidates::Candidate;
use crate::numeric::Standing;
use crate::part::Leaf;
use crate::piece::Piece;
use crate::polar::{self, Membership};
use crate::second_order::{Bend, Verdict, judge};
use crate::tolerance::Tolerances;

/// A candidate that is in both features, and how safely.
#[derive(Clone, Copy, Debug)]
pub struct Accepted {
    /// The result.
    pub lmd: Lmd,
    /// How deep one part is in the other there, mm; 0 where they only touch or are apart.
    pub depth: f64,
    /// How many of its conditions hold only within their tolerances.
    pub stretched: u8,
    /// Whether it is one of a continuum.
    pub standing: Standing,
    /// Distance of others that stand for it as well, mm, if it is a loose sample.
    pub spacing: f64,
}

/// The LMD of a candidate, if both patches hold it.
pub fn accept(
    candidate: &Candidate,
    a: &Leaf,
    b: &Leaf,
    regularization: f64,
    tolerances: &Tolerances,
) -> Option<Accepted> {
    let beyond_a = in_patch(
        &a.piece,
        candidate.ta,
        candidate.speeds_a,
        tolerances.border[0],
        tolerances.overhang,
    )?;
    let beyond_b = in_patch(
        &b.piece,
        candidate.tb,
        candidate.speeds_b,
        tolerances.border[1],
        tolerances.overhang,
    )?;
    let normal = match candidate.normal {
        Some(normal) => normal,
        None => open_normal(a, b)?,
    };
    let holds = |leaf: &Leaf, t: [f64; 2], out: &Vec3| {
        if candidate.normal.is_none() {
            return Some(Membership::Inside);
        }
        let membership = polar::holds(leaf, t, out, tolerances.polar, regularization);
        (membership != Membership::Outside).then_some(membership)
    };
    let polars = [
        holds(a, candidate.ta, &normal)?,
        holds(b, candidate.tb, &-normal)?,
    ];
    if !candidate.standing.is_sample() && curves_towards(candidate, a, b, &normal, tolerances) {
        return None;
    }
    Some(Accepted {
        lmd: Lmd {
            distance: candidate.distance.max(0.0),
            point_a: candidate.point_a,
            point_b: candidate.point_b,
            normal,
            feature_a: a.piece.patch().feature,
            feature_b: b.piece.patch().feature,
            patch_a: a.piece.id,
            patch_b: b.piece.id,
            // A direction beyond a polar by less than the tolerance: the parts are parallel there as far as that tells.
            sampled: candidate.standing.is_sample() || polars.contains(&Membership::Near),
            regularized: polars.contains(&Membership::Regularized),
        },
        depth: if candidate.distance < -tolerances.touch {
            -candidate.distance
        } else {
            0.0
        },
        stretched: [
            beyond_a,
            beyond_b,
            polars[0] != Membership::Inside,
            polars[1] != Membership::Inside,
        ]
        .map(u8::from)
        .iter()
        .sum(),
        standing: candidate.standing,
        spacing: candidate.spacing,
    })
}

/// True if a face beside an edge, at right angles to the normal just there, bends towards the other part.
fn curves_towards(
    candidate: &Candidate,
    a: &Leaf,
    b: &Leaf,
    normal: &Vec3,
    tolerances: &Tolerances,
) -> bool {
    let (a, b) = (&a.piece, &b.piece);
    if a.dimension() != 1 && b.dimension() != 1 {
        return false;
    }
    let out_b = -normal;
    let own = [
        Bend::of_piece(a, candidate.ta, normal),
        Bend::of_piece(b, candidate.tb, &out_b),
    ];
    let beside = [
        polar::bends_beside(a, candidate.ta[0], normal),
        polar::bends_beside(b, candidate.tb[0], &out_b),
    ];
    let (distance, size) = (candidate.distance, tolerances.size);
    let saddle = |a: &Bend, b: &Bend| judge(a, b, normal, distance, size).0 == Verdict::Saddle;
    let of_a = beside[0].iter().flatten();
    let of_b = beside[1].iter().flatten();
    of_a.clone().any(|bend| saddle(bend, &own[1]))
        || of_b.clone().any(|bend| saddle(&own[0], bend))
        || of_a.into_iter().any(|x| of_b.clone().any(|y| saddle(x, y)))
}

/// Touching edges and vertices: a direction from the middle of the one cone to that of the other.
fn open_normal(a: &Leaf, b: &Leaf) -> Option<Vec3> {
    let middle = |leaf: &Leaf| leaf.piece.a_from_part.rotation * leaf.node.circle.axis;
    (middle(a) - middle(b)).try_normalize(1e-9)
}

/// `Some(false)` if the parameters lie in the patch, `Some(true)` if beyond the border of its face by less than the
/// tolerance, else `None`.
fn in_patch(
    piece: &Piece,
    t: [f64; 2],
    speeds: [f64; 2],
    border: f64,
    overhang: f64,
) -> Option<bool> {
    let patch = piece.patch();
    match &piece.feature().shape {
        Shape::Vertex { .. } => Some(false),
        Shape::Edge { curve, .. } => {
            in_range(t[0], patch.u, curve.period(), speeds[0], overhang)?;
            Some(false)
        }
        Shape::Face { surface, .. } => {
            let periods = surface.periods();
            let u = in_range(t[0], patch.u, periods[0], speeds[0], border)?;
            let v = in_range(t[1], patch.v, periods[1], speeds[1], border)?;
            match piece.part.classify(piece.id, u, v) {
                Where::Inside => Some(false),
                // What lies beyond belongs to the neighbour or to the edge between the two.
                Where::OnBorder => {
                    let beyond = piece.part.overhang(piece.id, u, v);
                    (beyond <= overhang).then_some(beyond > 0.0)
                }
                Where::Outside => None,
            }
        }
    }
}

/// The parameter shifted by periods into the range, if it is within `border` of it on the curve or surface.
fn in_range(t: f64, range: Interval, period: Option<f64>, speed: f64, border: f64) -> Option<f64> {
    let t = match period {
        Some(period) => t + period * ((range.mid() - t) / period).round(),
        None => t,
    };
    let beyond = (range.lo - t).max(t - range.hi);
    // At a pole any parameter is as good; elsewhere the border itself says how much beyond is too much.
    let is_pole = speed * range.length() <= border;
    (beyond * speed <= border).then(|| if is_pole { range.clamp(t) } else { t })
}
