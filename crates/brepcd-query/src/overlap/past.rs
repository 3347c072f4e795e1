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
use brepcd_geom::{Curve, Point3, Vec3};

/// Share of a facet's reach by which a track must be off, for rounding.
const ROUNDING: f64 = 1e-6;

/// How far a track reaches from its middle.
struct Spread<'t, 'a> {
    track: &'t Track<'a>,
    middle: Point3,
    /// All of it is within this distance.
    half: f64,
}

/// True only if no point of a track can be taken for one at the depth below a facet, over its ranges.
pub(super) fn passes_by(track: &Track, facet: &Facet, depth: f64) -> bool {
    let Some(spread) = Spread::of(track) else {
        return false;
    };
    let (middle, half) = (spread.middle, spread.half);
    let to = middle - facet.centre;
    let slack = 2.0 * depth + ROUNDING * facet.reach;
    if to.norm() > half + facet.reach + slack {
        return true;
    }
    match &facet.carrier {
        Carrier::Canonical(carrier) => {
            is_off_carrier(&spread, facet, carrier, depth)
                || is_past_ranges(&spread, facet, carrier, slack)
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
        let by_speed = |speed: f64| 0.5 * speed * track.range.length();
        let middle = track.point(track.range.mid());
        let half = match &track.path {
            Path::Line { .. } | Path::Arc { .. } => by_speed(track.derivatives()[0]),
            Path::Trim {
                curve: Curve::Nurbs(curve),
                ..
            } => by_speed(speed::most(curve, track.range)),
            Path::Iso { side, .. } if !side.control.is_empty() => {
                most(track, |p| (p - middle).norm_squared()).sqrt()
            }
            Path::Trim { .. } | Path::Iso { .. } => return None,
        };
        Some(Self {
            track,
            middle,
            half,
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
