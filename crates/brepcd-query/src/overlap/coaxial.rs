//! A quick proof that two surfaces of revolution about nearly the same axis keep apart.
//!
//! Were the axes one, the distance of the one patch from the other carrier would be that of two curves in a half-plane
//! through the axis, a function of `v` alone. Moving the patch so that they are one moves its points by a little, and
//! the distance changes by no more than that. A peg in its hole is told off the wall by this in a few operations.

use super::canonical::{Canonical, Form};
use brepcd_geom::surface::TorusShape;
use brepcd_geom::{Interval, Surface};
use brepcd_tree::MatrixPose;

/// Sine of the angle between axes up to which they are nearly one.
const NEARLY: f64 = 0.2;
/// Factor on that sine that makes a bound of the chord of the angle.
const CHORD: f64 = 1.02;

/// True if two pieces of canonical faces, over all turns and a range of `v` each, are surely farther than `off` from each
/// other.
pub fn keep_off(
    (a, a_from_a, v_a): (&Surface, &MatrixPose, Interval),
    (b, a_from_b, v_b): (&Surface, &MatrixPose, Interval),
    off: f64,
) -> bool {
    let Some((a, b)) = Canonical::of(a, a_from_a).zip(Canonical::of(b, a_from_b)) else {
        return false;
    };
    keeps_off(&a, v_a, &b, off) || keeps_off(&b, v_b, &a, off)
}

/// True if all points of a patch of `a` over a range of `v` are surely farther than `off` from the carrier `b`.
pub(super) fn keeps_off(a: &Canonical, v: Interval, b: &Canonical, off: f64) -> bool {
    let tilt = a.frame.z.cross(&b.frame.z).norm();
    if tilt > NEARLY {
        return false;
    }
    let sign = if a.frame.z.dot(&b.frame.z) < 0.0 {
        -1.0
    } else {
        1.0
    };
    let Some(meridian) = Meridian::of(a, v) else {
        return false;
    };
    let [low, _, high] = meridian.points;
    let middle = 0.5 * (low[1] + high[1]);
    let centre = a.frame.origin + a.frame.z * middle - b.frame.origin;
    let along = b.frame.z.dot(&centre);
    let beside = (centre - b.frame.z * along).norm();
    let far = meridian
        .points
        .iter()
        .map(|p| p[0].hypot(p[1] - middle))
        .fold(0.0, f64::max)
        + meridian.bulge;
    let moved = beside + CHORD * tilt * far;
    let heights = meridian
        .points
        .map(|p| height(b, p[0], along + sign * (p[1] - middle)));
    let [Some(x), Some(y), Some(z)] = heights else {
        return false;
    };
    let least = x.abs().min(y.abs()).min(z.abs());
    let one_side = (x > 0.0) == (y > 0.0) && (y > 0.0) == (z > 0.0);
    // Between two samples the distance leaves its chord by what both curves bend.
    let lowest = x.min(y).min(z) - meridian.step;
    let bend = meridian.bulge + 0.125 * meridian.step * meridian.step * curvature(b, lowest);
    one_side && least > moved + bend + off
}

/// The curve that is turned about the axis, as (distance from the axis, height).
struct Meridian {
    /// At both ends and in the middle.
    points: [[f64; 2]; 3],
    /// How far the curve leaves the chords between these points.
    bulge: f64,
    /// A bound of the length between two of them.
    step: f64,
}

impl Meridian {
    fn of(a: &Canonical, v: Interval) -> Option<Self> {
        let at = [v.lo, v.mid(), v.hi];
        let half = 0.5 * v.length();
        let arc = |major: f64, minor: f64| Self {
            points: at.map(|v| {
                let (s, c) = v.sin_cos();
                [(major + minor * c).abs(), minor * s]
            }),
            bulge: 0.125 * minor * half * half,
            step: minor * half,
        };
        Some(match a.form {
            Form::Plane { .. } => return None,
            Form::Cylinder { radius } => Self {
                points: at.map(|v| [radius, v]),
                bulge: 0.0,
                step: half,
            },
            Form::Cone { radius, sin, cos } => Self {
                points: at.map(|v| [radius + v * sin, v * cos]),
                bulge: 0.0,
                step: half,
            },
            Form::Sphere { radius } => arc(0.0, radius),
            Form::Torus { major, minor, .. } => arc(major, minor),
        })
    }
}

/// The carrier's distance from a point of its half-plane; `None` for planes.
fn height(b: &Canonical, rho: f64, z: f64) -> Option<f64> {
    Some(match b.form {
        Form::Plane { .. } => return None,
        Form::Cylinder { radius } => rho - radius,
        Form::Cone { radius, sin, cos } => (rho - radius) * cos - z * sin,
        Form::Sphere { radius } => rho.hypot(z) - radius,
        Form::Torus {
            major,
            minor,
            shape,
        } => match shape {
            TorusShape::Ring | TorusShape::Apple => (rho - major).hypot(z) - minor,
            TorusShape::Lemon => (rho + major).hypot(z) - minor,
        },
    })
}

/// A bound on the curvature of the carrier's distance in its half-plane, not nearer to it on the inside than `lowest`.
fn curvature(b: &Canonical, lowest: f64) -> f64 {
    let radius = match b.form {
        Form::Plane { .. } | Form::Cylinder { .. } | Form::Cone { .. } => return 0.0,
        Form::Sphere { radius } => radius,
        Form::Torus { minor, .. } => minor,
    };
    let from_centre = radius + lowest;
    if from_centre > 0.0 {
        1.0 / from_centre
    } else {
        f64::INFINITY
    }
}
