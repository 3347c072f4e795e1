//! A quick proof that a track stays off a facet.
//!
//! All of the track lies in a ball around its middle, and along a direction it reaches no farther than that ball, its
//! control points or its ends. Where that keeps it out of the ball around the facet, off the depth below the carrier,
//! past the ends of the ranges that are lengths, or out of the box around a free-form patch, it needs no samples. The
//! bounds here are sure, other than those that samples give.

use super::canonical::{Canonical, Form};
use super::facet::{Carrier, Facet};
use super::speed;
use super::track::{Path, Track};
use brepcd_geom::nurbs::project;
use brepcd_geom::{Curve, Interval, Point3, Vec3};

/// Share of a facet's reach by which a track must be off, for rounding.
const ROUNDING: f64 = 1e-6;
/// Reaches of a facet from its middle to its ends above which a track is long, and worth to be cut.
const LONG: f64 = 1.5;
/// Reaches of a facet within which an end of a track is near enough.
const NEAR: f64 = 0.2;
/// Steps of an end towards a facet at most.
const STEPS: usize = 6;

/// How far a track reaches from its middle.
struct Spread<'t, 'a> {
    track: &'t Track<'a>,
    middle: Point3,
    /// All of it is within this distance.
    half: f64,
    /// A bound of its speed.
    speed: f64,
}

/// The part of a track that may be at the depth below a facet, over its ranges; `None` if there is none.
pub(super) fn narrowed(track: &Track, facet: &Facet, depth: f64) -> Option<Interval> {
    let range = track.range;
    let Some(spread) = Spread::of(track) else {
        return Some(range);
    };
    if passes_by(&spread, facet, depth) {
        return None;
    }
    // What is not a number is no long track, and stays whole.
    let is_long = spread.half > LONG * facet.reach && spread.speed.is_finite();
    if !is_long {
        return Some(range);
    }
    let [mut lo, mut hi] = [range.lo, range.hi];
    // As far as an end is off the facet, the track cannot have come to it.
    for _ in 0..STEPS {
        let off = beyond(&track.point(lo), facet, depth);
        if off.is_nan() || off <= NEAR * facet.reach {
            break;
        }
        lo += off / spread.speed;
        if lo >= hi {
            return None;
        }
    }
    for _ in 0..STEPS {
        let off = beyond(&track.point(hi), facet, depth);
        if off.is_nan() || off <= NEAR * facet.reach {
            break;
        }
        hi -= off / spread.speed;
        if lo >= hi {
            return None;
        }
    }
    Some(Interval { lo, hi })
}

/// A bound of how far a point is from all that can be at the depth below a facet; not above 0 if it may be there.
fn beyond(point: &Point3, facet: &Facet, depth: f64) -> f64 {
    let to = point - facet.centre;
    let ball = to.norm() - facet.reach;
    let off = match &facet.carrier {
        Carrier::Canonical(_) => ball,
        Carrier::Free(_) => facet.slabs.iter().fold(ball, |off, (axis, ends)| {
            let at = axis.dot(&to);
            off.max(at - ends.hi).max(ends.lo - at)
        }),
    };
    off - slack(facet, depth)
}

/// What is at the depth below a patch may be this far off it.
fn slack(facet: &Facet, depth: f64) -> f64 {
    2.0 * depth + ROUNDING * facet.reach
}

/// True only if no point of a track can be taken for one at the depth below a facet, over its ranges.
fn passes_by(spread: &Spread, facet: &Facet, depth: f64) -> bool {
    let (middle, half) = (spread.middle, spread.half);
    let to = middle - facet.centre;
    let slack = slack(facet, depth);
    if to.norm() > half + facet.reach + slack {
        return true;
    }
    match &facet.carrier {
        Carrier::Canonical(carrier) => {
            is_off_carrier(spread, facet, carrier, depth)
                || is_past_ranges(spread, facet, carrier, slack)
        }
        // What is at the depth below the patch is that near to it, and the patch is in the box.
        Carrier::Free(_) => facet.slabs.iter().any(|(axis, ends)| {
            let (at, reach) = (axis.dot(&to), spread.along(axis) + slack);
            at - reach > ends.hi || at + reach < ends.lo
        }),
    }
}

fn is_off_carrier(spread: &Spread, facet: &Facet, carrier: &Canonical, depth: f64) -> bool {
    let level = carrier.level(&spread.middle);
    let off = (facet.sense * level.height + depth).abs() - depth;
    if off > spread.half {
        return true;
    }
    let bend = carrier.most_bend(&spread.middle, spread.half);
    off > spread.along(&level.normal) + 0.5 * bend * spread.half * spread.half
}

fn is_past_ranges(spread: &Spread, facet: &Facet, carrier: &Canonical, slack: f64) -> bool {
    let at = carrier.foot(&spread.middle, facet.middle());
    let ranges = facet.ranges();
    (0..2).any(|i| {
        if !carrier.is_straight(i) {
            return false;
        }
        let reach = match (carrier.form, i) {
            (Form::Plane { .. }, 0) => spread.along(&carrier.frame.x),
            (Form::Plane { .. }, _) => spread.along(&carrier.frame.y),
            (Form::Cylinder { .. }, _) => spread.along(&carrier.frame.z),
            (Form::Cone { .. } | Form::Sphere { .. } | Form::Torus { .. }, _) => spread.half,
        };
        (at[i] - ranges[i].mid()).abs() > 0.5 * ranges[i].length() + reach + slack
    })
}

impl<'t, 'a> Spread<'t, 'a> {
    /// `None` for tracks that have no quick bound.
    fn of(track: &'t Track<'a>) -> Option<Self> {
        let middle = track.point(track.range.mid());
        let speed = match &track.path {
            Path::Line { .. } | Path::Arc { .. } => track.derivatives()[0],
            Path::Trim {
                curve: Curve::Nurbs(curve),
                ..
            } => speed::most(curve, track.range),
            Path::Iso { side, .. } if !side.control.is_empty() => {
                let half = most(track, |p| (p - middle).norm_squared()).sqrt();
                let control = side.control.iter().step_by(side.step);
                return Some(Self {
                    track,
                    middle,
                    half,
                    speed: speed::of_bezier(control, track.range, 2.0 * half),
                });
            }
            Path::Trim { .. } | Path::Iso { .. } => return None,
        };
        Some(Self {
            track,
            middle,
            half: 0.5 * speed * track.range.length(),
            speed,
        })
    }

    /// How far the track reaches from its middle along a unit vector, either way.
    fn along(&self, axis: &Vec3) -> f64 {
        match &self.track.path {
            Path::Line { d, .. } => 0.5 * axis.dot(d).abs() * self.track.range.length(),
            Path::Iso { .. } => most(self.track, |p| axis.dot(&(p - self.middle)).abs()),
            Path::Arc { .. } | Path::Trim { .. } => self.half,
        }
    }
}

/// The greatest value at control points of a side, in frame A.
fn most(track: &Track, value: impl Fn(Point3) -> f64) -> f64 {
    let Path::Iso {
        side, a_from_part, ..
    } = &track.path
    else {
        return f64::INFINITY;
    };
    let control = side.control.iter().step_by(side.step);
    control
        .map(|h| value(*a_from_part * project(h)))
        .fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::super::crossing::place_below;
    use super::super::tests::{KINDS, Random, any};
    use super::*;
    use crate::piece::Piece;
    use brepcd_geom::Point4;
    use brepcd_geom::nurbs::NurbsCurve;
    use brepcd_tree::{MatrixPose, PatchId, Where};

    /// How many points of a track are at the depth, inside; none of them may be in what is cut off. Then the share cut.
    fn hits(track: &Track, facet: &Facet, depth: f64) -> (usize, f64) {
        let kept = narrowed(track, facet, depth);
        let mut hits = 0;
        for i in 0..=300 {
            let t = track.range.clamp(track.range.at(f64::from(i) / 300.0));
            if place_below(facet, &track.point(t), depth) == Where::Outside {
                continue;
            }
            hits += 1;
            let is_kept = kept.is_some_and(|kept| kept.lo <= t && t <= kept.hi);
            assert!(is_kept, "{track:?} at {t}, {kept:?}, {facet:?}");
        }
        let left = kept.map_or(0.0, |kept| kept.length() / track.range.length());
        (hits, 1.0 - left)
    }

    #[test]
    fn nothing_at_the_depth_is_cut_off() {
        let random = &mut Random(31);
        let identity = MatrixPose::identity();
        let (mut curves, mut sides, mut shorter, mut gone) = ([0; KINDS], 0, 0, 0);
        for i in 0..300 * KINDS {
            let part = any(i % KINDS, random);
            let mut facet = Facet::of(&Piece::new(&part, PatchId(0), &identity)).expect("a facet");
            facet.complete();
            let depth = random.range(0.01, 0.2) * facet.reach;
            // A curve from one side to the other of a place by the patch, long or short.
            let far = facet.reach * random.range(0.5, 12.0);
            let off = facet.reach * random.range(0.0, 2.0);
            let near = facet.centre + random.unit() * off;
            let way = random.unit() * far;
            let control = (0..6).map(|k| {
                let p = near + way * (f64::from(k) / 2.5 - 1.0) + random.unit() * (0.1 * far);
                let w = if i % 2 == 0 {
                    1.0
                } else {
                    random.range(0.5, 2.0)
                };
                Point4::new(p.x * w, p.y * w, p.z * w, w)
            });
            let knots = vec![0.0, 0.0, 0.0, 0.0, 0.3, 0.6, 1.0, 1.0, 1.0, 1.0];
            let curve = NurbsCurve::new(3, knots, control.collect()).expect("a curve");
            let curve = Curve::Nurbs(curve.into());
            let t = [random.range(0.0, 0.4), random.range(0.5, 1.0)];
            let (found, cut) = hits(&Track::of_trim(&curve, t, &identity), &facet, depth);
            curves[i % KINDS] += usize::from(found > 0);
            shorter += usize::from(cut > 0.1 && cut < 1.0);
            gone += usize::from(cut == 1.0);

            let other = any(i / KINDS % KINDS, random);
            let placed = MatrixPose::from_parts(
                (near - other_centre(&other, &identity)).into(),
                identity.rotation,
            );
            let other = Facet::of(&Piece::new(&other, PatchId(0), &placed)).expect("a facet");
            for (axis, end) in [(0, 0.0), (0, 1.0), (1, 0.0), (1, 1.0)] {
                let range = other.ranges()[axis];
                let at = if end == 0.0 { range.lo } else { range.hi };
                sides += usize::from(hits(&Track::of_side(&other, axis, at), &facet, depth).0 > 0);
            }
        }
        assert!(curves.iter().all(|n| *n > 20), "{curves:?}");
        assert!(
            sides > 300 && shorter > 100 && gone > 100,
            "{sides} {shorter} {gone}"
        );
    }

    fn other_centre(part: &brepcd_tree::TreePart, identity: &MatrixPose) -> Point3 {
        let piece = Piece::new(part, PatchId(0), identity);
        Facet::of(&piece).expect("a facet").centre
    }
}
