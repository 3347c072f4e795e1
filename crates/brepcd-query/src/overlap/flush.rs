//! Faces that lie flush: on one surface, with their material on the same side.
//!
//! Nothing goes through anything there, yet whatever the two faces have in common is a place where both parts have
//! material. What they have in common is all of one of them, or is bounded by borders of the one inside the other.

use super::crossing::FLUSH;
use super::facet::Facet;
use brepcd_geom::Point3;
use brepcd_tree::{Membership, Where};

/// Rows and columns of points tried inside a patch.
const POINTS: usize = 6;
/// Shares of a piece of border at which the face beside it is tried.
const PLACES: [f64; 5] = [0.01, 0.25, 0.5, 0.75, 0.99];
/// Steps away from the border, in its tolerances.
const STEP: f64 = 4.0;

/// A point inside both faces, if they lie within `touch` of each other with their material on the same side.
pub(super) fn shared(a: &Facet, b: &Facet, touch: f64) -> Option<Point3> {
    let together = |a: &Facet, b: &Facet| {
        let level = b.level(&a.centre, None).0;
        level.height.abs() <= touch && level.normal.dot(&a.normal) > FLUSH
    };
    if a.normal.dot(&b.normal) < (a.spread + b.spread).cos().min(FLUSH)
        || !(together(a, b) || together(b, a))
    {
        return None;
    }
    inside(a, b, touch)
        .or_else(|| inside(b, a, touch))
        .or_else(|| beside_borders(a, b, touch))
        .or_else(|| beside_borders(b, a, touch))
}

/// True for points of `a` at some parameters that are inside both faces and flush.
fn holds(a: &Facet, at: [f64; 2], b: &Facet, point: &Point3, touch: f64) -> bool {
    let over = b.over(point, None);
    over.depth.abs() <= touch
        && over.aside <= touch
        && a.place_within(at, touch) == Where::Inside
        && b.place_within(over.at, touch) == Where::Inside
}

fn inside(a: &Facet, b: &Facet, touch: f64) -> Option<Point3> {
    let share = |i: usize| (i as f64 + 0.5) / POINTS as f64;
    let [u, v] = a.ranges();
    (0..POINTS * POINTS).find_map(|i| {
        let at = [u.at(share(i % POINTS)), v.at(share(i / POINTS))];
        let point = a.piece.point(at);
        holds(a, at, b, &point, touch).then_some(point)
    })
}

fn beside_borders(a: &Facet, b: &Facet, touch: f64) -> Option<Point3> {
    let Membership::Crossed { pieces, .. } = a.patch.membership else {
        return None;
    };
    let (part, pose) = (a.piece.part, a.piece.a_from_part);
    let border = |facet: &Facet| facet.piece.part.header.tolerance.max(touch);
    let step = STEP * border(a).max(border(b));
    for crossing in &part.crossings[pieces.range()] {
        let border = &part.borders[crossing.border as usize];
        for share in PLACES {
            let t = border.t[0] + share * (border.t[1] - border.t[0]);
            let jet = part.trims[border.trim.index()].jet(t);
            let point = pose * jet.p;
            let normal = a.level(&point, None).0.normal;
            let Some(aside) = normal.cross(&(pose.rotation * jet.d1)).try_normalize(0.0) else {
                continue;
            };
            for sign in [1.0, -1.0] {
                let beside = point + aside * (sign * step);
                let at = a.over(&beside, None).at;
                let beside = a.piece.point(at);
                if holds(a, at, b, &beside, touch) {
                    return Some(beside);
                }
            }
        }
    }
    None
}
