//! Where one face goes through another.
//!
//! A point of a face that lies a little below another face, over its inside, is in the material of the other part: that
//! is what is looked for, at the depth below which faces only touch. At that depth the one face is met by the other
//! sunk into its part, in curves. A curve either runs across a border of the faces, or across a side of their patches,
//! or is closed within one pair of patches; each of the three is looked for, and points on such curves are found in
//! closed form for canonical faces. Faces that lie flush, with the material on the same side, cross nowhere and overlap.

use super::coaxial::Turned;
use super::facet::{Carrier, Facet};
use super::few::Few;
use super::flush;
use super::hull::{self, Pieces};
use super::loops;
use super::side::Scratch;
use super::track::Track;
use crate::piece::Piece;
use brepcd_geom::{Point2, Point3};
use brepcd_tree::domain::placed;
use brepcd_tree::{FeatureId, Membership, PatchId, Where};

/// A place where the boundaries of two parts go through each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// A point of one boundary in the material of the other part, or on both boundaries; frame A.
    pub point: Point3,
    /// The features.
    pub features: [FeatureId; 2],
    /// How far the point lies below the boundary of the part it is in; 0 where faces lie flush.
    pub depth: f64,
}

/// Borders known not to come to the depth below patches of the other part, inside the domain.
///
/// True of one pair of parts at one pose and of one depth: made anew for every query.
#[derive(Clone, Copy, Debug, Default)]
pub struct Misses {
    of_a: Ring,
    of_b: Ring,
}

/// The last pairs of a border and a patch of the other part.
#[derive(Clone, Copy, Debug, Default)]
struct Ring {
    pairs: [Option<(u32, PatchId)>; REMEMBERED],
    next: usize,
}

impl Ring {
    fn holds(&self, pair: (u32, PatchId)) -> bool {
        self.pairs.contains(&Some(pair))
    }

    fn add(&mut self, pair: (u32, PatchId)) {
        self.pairs[self.next] = Some(pair);
        self.next = (self.next + 1) % REMEMBERED;
    }
}

/// Steps along the curve of a crossing away from borders that meet in it, in what borders are known to.
const STEPS_ASIDE: [f64; 3] = [4.0, 64.0, 1024.0];
/// Sine of the angle between faces under which they have no curve to step along.
const PARALLEL: f64 = 1e-7;
/// Pairs of a border and a patch remembered.
const REMEMBERED: usize = 32;
/// Corrections of a step.
const CORRECTIONS: usize = 4;
/// Cosine of the angle between normals above which faces may lie flush.
pub(super) const FLUSH: f64 = 0.99;
/// Distance from the border of a face, in depths below it, that makes sure of being in its part.
const CLEAR: f64 = 4.0;
/// Share of the depth by which a point may miss it.
const OFF_DEPTH: f64 = 0.5;

/// Looks for a point of one face patch that lies deeper than `touch` (mm) below the other, clear of its borders.
///
/// `None` means that the two faces do not go through each other within these patches, or by less than `touch`. Patches
/// of edges and vertices cross nothing: faces do that for them.
pub fn crossing(
    a: &Piece,
    b: &Piece,
    touch: f64,
    scratch: &mut Scratch,
    misses: &mut Misses,
) -> Option<Crossing> {
    let (mut a, mut b) = (Facet::of(a)?, Facet::of(b)?);
    if (a.centre - b.centre).norm() > a.reach + b.reach
        || stays_off(&a, &b, touch)
        || stays_off(&b, &a, touch)
    {
        return None;
    }
    let pieces = &mut scratch.pieces;
    if hull_stays_off(&a, &b, touch, pieces) || hull_stays_off(&b, &a, touch, pieces) {
        return None;
    }
    a.complete();
    b.complete();
    let features = [a.patch.feature, b.patch.feature];
    let found = |point: Point3, depth: f64| Crossing {
        point,
        features,
        depth,
    };
    let point = across_sides(&a, &b, touch)
        .or_else(|| across_sides(&b, &a, touch))
        .or_else(|| across_borders(&a, &b, touch, &mut misses.of_a))
        .or_else(|| across_borders(&b, &a, touch, &mut misses.of_b))
        .or_else(|| loops::closed(&a, &b, touch));
    match point {
        Some(point) => Some(found(point, touch)),
        None => flush::shared(&a, &b, touch).map(|point| found(point, 0.0)),
    }
}

/// True if all of `a` is surely above or surely below the depth below the carrier of `b`.
fn stays_off(a: &Facet, b: &Facet, depth: f64) -> bool {
    let Carrier::Canonical(carrier) = &b.carrier else {
        return false;
    };
    let level = carrier.level(&a.centre);
    let off = (b.sense * level.height + depth).abs();
    if off > a.reach {
        return true;
    }
    if off <= 2.0 * depth && b.sense * level.normal.dot(&a.normal) > FLUSH {
        return false;
    }
    if let Carrier::Canonical(own) = &a.carrier
        && let Some((a, b)) = Turned::of(own, a.patch.v).zip(Turned::of(carrier, b.patch.v))
        && a.keeps_off(&b, 2.0 * depth)
    {
        return true;
    }
    let bend = 0.5 * carrier.most_bend(&a.centre, a.reach) * a.reach * a.reach;
    let near = match &a.carrier {
        Carrier::Canonical(_) => {
            let cosine = level.normal.dot(&a.normal).abs().min(1.0);
            let sine = (1.0 - cosine * cosine).sqrt();
            cosine * a.reach * a.spread.min(1.0) + sine * a.reach
        }
        Carrier::Free(_) => a
            .hull()
            .map(|p| level.normal.dot(&(p - a.centre)).abs())
            .fold(0.0, f64::max),
    };
    off > near + bend
}

/// True if a free-form patch is surely off the carrier of a canonical one, or off its patch.
fn hull_stays_off(a: &Facet, b: &Facet, depth: f64, pieces: &mut Pieces) -> bool {
    let (Carrier::Free(surface), Carrier::Canonical(carrier)) = (&a.carrier, &b.carrier) else {
        return false;
    };
    hull::keeps_off(
        &a.piece.part.control[a.patch.control.range()],
        [surface.degree_u + 1, surface.degree_v + 1],
        a.piece.a_from_part,
        carrier,
        (&b.centre, b.reach),
        2.0 * depth,
        pieces,
    )
}

/// A point of a side of the patch `a` at the depth below `b`, inside both domains.
fn across_sides(a: &Facet, b: &Facet, depth: f64) -> Option<Point3> {
    for axis in 0..2 {
        let range = a.ranges()[axis];
        for at in [range.lo, range.hi] {
            let track = Track::of_side(a, axis, at);
            let mut found = Few::EMPTY;
            track.at_depth(b, depth, &mut found);
            for &t in found.as_slice() {
                let Some((t, point)) = meeting(&track, t, b, depth) else {
                    continue;
                };
                let on_a = if axis == 0 { [at, t] } else { [t, at] };
                if place_below(b, &point, depth) == Where::Inside
                    && a.place_within(on_a, depth) == Where::Inside
                {
                    return Some(point);
                }
            }
        }
    }
    None
}

/// Where a track meets the carrier of a facet at the depth, if it is anywhere near the facet.
fn meeting(track: &Track, t: f64, b: &Facet, depth: f64) -> Option<(f64, Point3)> {
    let far = |p: &Point3| (p - b.centre).norm() > b.reach + 2.0 * depth;
    if far(&track.point(t)) {
        return None;
    }
    let t = track.polished(t, b, depth);
    Some((t, track.point(t)))
}

/// Where a point that should be at the depth below a facet lies in its domain.
pub(super) fn place_below(b: &Facet, point: &Point3, depth: f64) -> Where {
    if (point - b.centre).norm() > b.reach + 2.0 * depth {
        return Where::Outside;
    }
    let over = b.over(point, None);
    // The equation of a carrier knows more than the carrier.
    if (over.depth + depth).abs() > OFF_DEPTH * depth || over.aside > OFF_DEPTH * depth {
        return Where::Outside;
    }
    b.place_within(over.at, CLEAR * depth)
}

/// A point of the border of `a` at the depth below `b`, inside its domain.
fn across_borders(a: &Facet, b: &Facet, depth: f64, misses: &mut Ring) -> Option<Point3> {
    let Membership::Crossed { pieces, .. } = a.patch.membership else {
        return None;
    };
    let part = a.piece.part;
    let window = Window::of(a, b, depth);
    for crossing in &part.crossings[pieces.range()] {
        // A border that winds around the face is listed once for every turn, and by all patches that it runs across.
        let pair = (crossing.border, b.piece.id);
        if misses.holds(pair) {
            continue;
        }
        let border = &part.borders[crossing.border as usize];
        if !window.meets(placed(border, crossing, window.periods)) {
            continue;
        }
        let trim = &part.trims[border.trim.index()];
        let track = Track::of_trim(trim, border.t, a.piece.a_from_part);
        let mut found = Few::EMPTY;
        track.at_depth(b, depth, &mut found);
        let mut is_miss = true;
        for &t in found.as_slice() {
            let Some((_, point)) = meeting(&track, t, b, depth) else {
                continue;
            };
            match place_below(b, &point, depth) {
                Where::Inside => return Some(point),
                Where::Outside => {}
                Where::OnBorder => {
                    // A step aside has to end in the patch itself.
                    is_miss = false;
                    if let Some(point) = step_aside(a, b, &point, depth) {
                        return Some(point);
                    }
                }
            }
        }
        if is_miss {
            misses.add(pair);
        }
    }
    None
}

/// The part of a facet's parameters that another facet may be near to.
struct Window {
    lo: Point2,
    hi: Point2,
    periods: [f64; 2],
}

impl Window {
    fn of(a: &Facet, b: &Facet, depth: f64) -> Self {
        let Carrier::Canonical(carrier) = &a.carrier else {
            return Self::all(a);
        };
        let at = carrier.foot(&b.centre, a.middle());
        // Straight pieces stand for curves that leave them by a little.
        let slack = 4.0 * a.piece.part.header.settings.chord;
        let reach = b.reach + depth + slack;
        let mut window = Self::all(a);
        if carrier.is_straight(0) {
            (window.lo.x, window.hi.x) = (at[0] - reach, at[0] + reach);
        }
        if carrier.is_straight(1) {
            (window.lo.y, window.hi.y) = (at[1] - reach, at[1] + reach);
        }
        window
    }

    fn all(a: &Facet) -> Self {
        let far = Point2::new(f64::INFINITY, f64::INFINITY);
        Self {
            lo: -far,
            hi: far,
            periods: a.periods(),
        }
    }

    fn meets(&self, [p, q]: [Point2; 2]) -> bool {
        p.x.min(q.x) <= self.hi.x
            && p.x.max(q.x) >= self.lo.x
            && p.y.min(q.y) <= self.hi.y
            && p.y.max(q.y) >= self.lo.y
    }
}

/// From a point where borders of both faces meet, a little along the curve that the faces have in common at the depth,
/// to where it is inside both.
fn step_aside(a: &Facet, b: &Facet, from: &Point3, depth: f64) -> Option<Point3> {
    let normals = [a.level(from, None).0.normal, b.level(from, None).0.normal];
    let along = normals[0].cross(&normals[1]).try_normalize(PARALLEL)?;
    let known = |facet: &Facet| facet.piece.part.header.tolerance;
    let unit = known(a).max(known(b)).max(CLEAR * depth);
    for step in STEPS_ASIDE {
        for sign in [1.0, -1.0] {
            let mut point = from + along * (sign * step * unit);
            for _ in 0..CORRECTIONS {
                let on_a = a.level(&point, None).0;
                point -= on_a.normal * on_a.height;
                let below = b.level(&point, None).0;
                let slope = below.normal - on_a.normal * on_a.normal.dot(&below.normal);
                point -= slope * ((below.height + depth) / slope.norm_squared());
            }
            if !point.coords.iter().all(|x| x.is_finite()) {
                continue;
            }
            let on_a = a.over(&point, None);
            if on_a.depth.abs() <= OFF_DEPTH * depth
                && a.place_within(on_a.at, depth) == Where::Inside
                && place_below(b, &point, depth) == Where::Inside
            {
                return Some(point);
            }
        }
    }
    None
}
