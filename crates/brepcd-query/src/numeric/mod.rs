//! Stationary pairs of two patches of which at least one has no closed form.
//!
//! After the notes on Bézier pairs: boxes of the parameters are subdivided until each is proved to hold no pair, or
//! exactly one, which Newton's method finds (`search.rs`). The bounds for the proofs are Taylor expansions of the two
//! pieces with bounds of their third derivatives (`model.rs`, `rows.rs`), so nothing but points and derivatives of the
//! pieces is ever evaluated.

// Several small arrays are walked by one index; iterators would hide the formulas.
#![allow(clippy::needless_range_loop)]

mod curve;
mod directed;
mod family;
mod finish;
mod linear;
mod marks;
mod model;
mod net;
mod problem;
mod rows;
mod search;
mod shrink;
mod side;
mod subnet;
#[cfg(test)]
pub(crate) mod tests;

use crate::piece::Piece;
use brepcd_geom::{Curve, Point3, Point4, Surface, Vec3};
use brepcd_tree::{MatrixPose, Rotation, Shape};
use marks::Marks;
pub use marks::{MARKS, Standing, feature_ranges};
use nalgebra::{Translation3, UnitQuaternion};
use net::Net;
use problem::Problem;
use side::{Core, Side};
use std::f64::consts::PI;

/// A stationary pair: parameters on both pieces; unused ones are zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    /// Parameters on the first piece.
    pub ta: [f64; 2],
    /// Parameters on the second piece.
    pub tb: [f64; 2],
    /// Whether it is one of many.
    pub standing: Standing,
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All pairs were found.
    Resolved,
    /// Some box could neither be solved nor dropped; pairs may be missing.
    Unresolved,
    /// A continuum of pairs; those found are samples along it, and all isolated ones.
    Family,
}

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Change of the distance that is as good as none, mm: pairs along which it changes less are a family.
    pub flat: f64,
    /// Boxes per pair of pieces at most.
    pub boxes: u32,
}

impl Limits {
    /// The usual change that is as good as none, mm.
    pub const FLAT: f64 = 1e-10;
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            flat: Self::FLAT,
            boxes: 2000,
        }
    }
}

/// Work done, added up over calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Boxes looked at.
    pub boxes: u64,
    /// Newton steps.
    pub newton_steps: u64,
    /// Boxes in which at most one pair was proved to be.
    pub proofs: u64,
    /// Boxes given up.
    pub unresolved_boxes: u64,
    /// Samples of families.
    pub samples: u64,
}

/// Buffers that are used again, so that nothing is allocated once they have grown.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    nets: [Net; 2],
    roots: search::Roots,
}

/// Rounding of a coordinate, relative to the largest one.
const ROUNDING: f64 = 64.0 * f64::EPSILON;
/// Distance, in units of the pieces' size, under which pairs beside a pole, or a guess and another, are one.
const SAME_POINT: f64 = 1e-4;

/// Appends all pairs of points of the two patches, not farther apart than `reach`, whose distance is at right angles to
/// both, and whose outward normals are opposite where both are faces.
///
/// Faces may overlap: the signed distance is from `-reach` to `reach`. Ranges of parameters are enlarged by a tiny
/// share. One of the pieces must be an edge, a torus or a free-form face; other pairs are unresolved.
pub fn stationary(
    a: &Piece<'_>,
    b: &Piece<'_>,
    reach: f64,
    limits: &Limits,
    scratch: &mut Scratch,
    counts: &mut Counts,
    found: &mut Vec<Found>,
) -> Outcome {
    let start = found.len();
    let along = if curve::is_for(a, b) {
        solve(
            a,
            b,
            reach,
            limits,
            scratch,
            counts,
            found,
            Method::AlongCurve,
        )
    } else {
        None
    };
    if let Some(outcome) = along
        && outcome != Outcome::Family
    {
        return outcome;
    }
    // The general search knows where to sample a family.
    let middle = found.len();
    let general = solve(a, b, reach, limits, scratch, counts, found, Method::General);
    match (along, general) {
        (Some(outcome), None | Some(Outcome::Unresolved)) => {
            found.truncate(middle);
            outcome
        }
        (_, general) => {
            found.drain(start..middle);
            general.unwrap_or(Outcome::Unresolved)
        }
    }
}

/// [`stationary`] where one of the patches is a piece of a free-form curve, and the other one or a whole feature has a
/// closed form; `None`, and nothing found, if that needs the general search.
pub fn along_curve(
    a: &Piece<'_>,
    b: &Piece<'_>,
    reach: f64,
    limits: &Limits,
    scratch: &mut Scratch,
    counts: &mut Counts,
    found: &mut Vec<Found>,
) -> Option<Outcome> {
    if !curve::is_for(a, b) {
        return None;
    }
    let start = found.len();
    let method = Method::AlongCurve;
    let outcome = solve(a, b, reach, limits, scratch, counts, found, method);
    let outcome = outcome.filter(|outcome| *outcome != Outcome::Family);
    if outcome.is_none() {
        found.truncate(start);
    }
    outcome
}

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Method {
    /// Along the only free-form curve piece of a pair.
    AlongCurve,
    General,
}

/// [`stationary`] by one method, `None` if the pair is none for it.
#[allow(clippy::too_many_arguments)]
fn solve(
    a: &Piece<'_>,
    b: &Piece<'_>,
    reach: f64,
    limits: &Limits,
    scratch: &mut Scratch,
    counts: &mut Counts,
    found: &mut Vec<Found>,
    method: Method,
) -> Option<Outcome> {
    let local_from_a = local_frame(a, b);
    let poses = [local_from_a * a.a_from_part, local_from_a * b.a_from_part];
    let [net_a, net_b] = &mut scratch.nets;
    let bounded = method == Method::General;
    let loaded = load(a, net_a, &poses[0], bounded) && load(b, net_b, &poses[1], bounded);
    if !(loaded && reach >= 0.0) {
        counts.unresolved_boxes += 1;
        return Some(Outcome::Unresolved);
    }
    let (side_a, side_b) = (
        Side::new(a, net_a, &poses[0]),
        Side::new(b, net_b, &poses[1]),
    );
    let swapped = rank(&side_b) > rank(&side_a)
        || (rank(&side_b) == rank(&side_a) && net_b.radius > net_a.radius);
    let (x, y) = if swapped {
        (side_b, side_a)
    } else {
        (side_a, side_b)
    };
    if rank(&x) == 0 {
        counts.unresolved_boxes += 1;
        return Some(Outcome::Unresolved);
    }
    let size = local_from_a.translation.vector.norm()
        + a.a_from_part.translation.vector.norm()
        + b.a_from_part.translation.vector.norm();
    let rounding = ROUNDING * (size + net_a.radius + net_b.radius);
    let problem = Problem {
        x,
        y,
        reach,
        flat: limits.flat.max(rounding),
        rounding,
    };
    let pieces = if swapped { [b, a] } else { [a, b] };
    let marks = || Marks::new(pieces, [&x, &y], swapped);
    let outcome = match method {
        Method::AlongCurve => {
            scratch.roots.clear();
            curve::search(&problem, counts, &mut scratch.roots.roots)?
        }
        Method::General => search::search(&problem, limits, marks, counts, &mut scratch.roots),
    };
    let turns = [
        &poses[usize::from(swapped)].rotation,
        &poses[usize::from(!swapped)].rotation,
    ];
    let start = found.len();
    let has_pole = x.pole().is_some() || y.pole().is_some();
    let same = SAME_POINT * (net_a.radius + net_b.radius);
    let all = &scratch.roots;
    // Beside a family rounding decides what is a root of its own.
    let is_family = method == Method::AlongCurve && outcome == Outcome::Family;
    let own = if all.seeds.is_empty() && !is_family {
        Standing::Isolated
    } else {
        Standing::Loose
    };
    let roots = all.roots.iter().map(|root| (root, false, own));
    let marked = all.marked.iter();
    let marked = marked.map(|(root, number)| (root, false, Standing::Marked(*number)));
    let samples = all
        .samples
        .iter()
        .map(|root| (root, false, Standing::Loose));
    let guesses = all.guesses.iter().map(|guess| (guess, true, own));
    for (root, is_guess, standing) in roots.chain(marked).chain(samples).chain(guesses) {
        finish::finish(&problem, pieces, turns, root, |tx, ty| {
            let (ta, tb) = if swapped { (ty, tx) } else { (tx, ty) };
            // Beside a pole many parameters are one point, and a guess stands for what is around it.
            let known = (has_pole || is_guess)
                && found[start..].iter().any(|f| {
                    (a.point(ta) - a.point(f.ta)).norm() <= same
                        && (b.point(tb) - b.point(f.tb)).norm() <= same
                });
            if !known {
                found.push(Found { ta, tb, standing });
            }
        });
    }
    Some(match outcome {
        Outcome::Family if found.len() == start => Outcome::Resolved,
        other => other,
    })
}

/// How well a side serves as the first one: only those above 0 do.
fn rank(side: &Side<'_>) -> u8 {
    match side.core {
        Core::Surface(_) => 2,
        Core::Arc(_) => 1,
        Core::Point(_) | Core::Directed(_) => 0,
    }
}

/// A frame on one of the pieces: coordinates seen from it keep their digits, and its third axis stands about at right
/// angles to a free-form surface, if there is one.
fn local_frame(a: &Piece<'_>, b: &Piece<'_>) -> MatrixPose {
    for piece in [a, b] {
        let Shape::Face {
            surface: Surface::Nurbs(s),
            ..
        } = &piece.feature().shape
        else {
            continue;
        };
        let Some(control) = control(piece) else {
            continue;
        };
        let at = |i: usize| Point3::from(control[i].xyz() / control[i].w);
        let last = control.len() - 1;
        let (origin, across) = (at(0), at(s.degree_v.min(last)));
        let diagonals = (at(last) - origin, across - at(last - s.degree_v.min(last)));
        let normal = piece.a_from_part.rotation * diagonals.0.cross(&diagonals.1);
        let origin = piece.a_from_part * origin;
        let turn = UnitQuaternion::rotation_between(&normal, &Vec3::z())
            .unwrap_or_else(|| UnitQuaternion::from_axis_angle(&Vec3::x_axis(), PI));
        return frame_at(&origin, turn.to_rotation_matrix());
    }
    for piece in [a, b] {
        if let Some(c) = control(piece) {
            let origin = piece.a_from_part * Point3::from(c[0].xyz() / c[0].w);
            return frame_at(&origin, Rotation::identity());
        }
    }
    let patch = a.patch();
    frame_at(
        &a.point([patch.u.mid(), patch.v.mid()]),
        Rotation::identity(),
    )
}

/// The control points of a piece, if it has any.
fn control<'a>(piece: &Piece<'a>) -> Option<&'a [Point4]> {
    let range = piece.patch().control.range();
    piece.part.control.get(range).filter(|c| !c.is_empty())
}

/// The motion that takes a point to the origin, then turns.
fn frame_at(origin: &Point3, turn: Rotation) -> MatrixPose {
    MatrixPose::from_parts(Translation3::from(turn * -origin.coords), turn)
}

/// Takes over the control points of a free-form piece; true also if there are none to take.
fn load(piece: &Piece<'_>, net: &mut Net, pose: &MatrixPose, bounded: bool) -> bool {
    net.radius = 0.0;
    let degree = match &piece.feature().shape {
        Shape::Face {
            surface: Surface::Nurbs(s),
            ..
        } => [s.degree_u, s.degree_v],
        Shape::Edge {
            curve: Curve::Nurbs(c),
            ..
        } => [c.degree, 0],
        Shape::Face { .. } | Shape::Edge { .. } | Shape::Vertex { .. } => return true,
    };
    control(piece).is_some_and(|c| net.load(c, degree, pose, bounded))
}
