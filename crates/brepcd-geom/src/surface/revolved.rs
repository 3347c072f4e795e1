//! What surfaces of revolution share: cylindrical coordinates, angles and boxes.

use std::f64::consts::{PI, TAU};

use crate::{Aabb, Frame, Interval, Point3};

/// The range of an angle over a full turn.
pub(super) const TURN: Interval = Interval { lo: 0.0, hi: TAU };
/// Distance from the axis, relative to that from the origin, under which a point counts as on the axis.
pub(super) const ON_AXIS: f64 = 1e-11;
/// Distance relative to the coordinates' size that rounding alone explains.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// A point in cylindrical coordinates of a frame.
pub(super) struct Polar {
    x: f64,
    y: f64,
    /// Distance from the axis.
    pub rho: f64,
    /// Height along the axis.
    pub z: f64,
    /// What rounding may have done to the coordinates.
    pub noise: f64,
}

impl Polar {
    /// Coordinates of `p`, with a surface of the given size in mind.
    pub(super) fn of(frame: &Frame, p: &Point3, size: f64) -> Self {
        let q = frame.local(p);
        let noise = ROUNDING * (p.x.abs() + p.y.abs() + p.z.abs() + size);
        Self {
            x: q.x,
            y: q.y,
            rho: (q.x * q.x + q.y * q.y).sqrt(),
            z: q.z,
            noise,
        }
    }

    /// True where the angle says nothing.
    pub(super) fn on_axis(&self) -> bool {
        self.rho <= ON_AXIS * self.z.abs() + self.noise
    }

    /// The angle about the axis near the guess (else in `[0, 2π)`), the guess's own on the axis.
    pub(super) fn u(&self, guess: Option<(f64, f64)>) -> f64 {
        self.angle(self.x, self.y, guess)
    }

    /// As [`Polar::u`], of the half-plane across the axis.
    pub(super) fn opposite_u(&self, guess: Option<(f64, f64)>) -> f64 {
        self.angle(-self.x, -self.y, guess)
    }

    fn angle(&self, x: f64, y: f64, guess: Option<(f64, f64)>) -> f64 {
        match guess {
            Some((u, _)) if self.on_axis() => u,
            None if self.on_axis() => 0.0,
            Some((u, _)) => near(y.atan2(x), u),
            None => turn(y.atan2(x)),
        }
    }
}

/// The angle brought into `[0, 2π)`.
pub(super) fn turn(angle: f64) -> f64 {
    let a = angle.rem_euclid(TAU);
    if a >= TAU { 0.0 } else { a }
}

/// The angle brought within half a turn of the guess.
pub(super) fn near(angle: f64, guess: f64) -> f64 {
    let d = guess - angle;
    if d.abs() <= PI {
        angle
    } else {
        angle + TAU * (d / TAU).round()
    }
}

/// The range of `a cos t + b sin t`.
pub(super) fn sinusoid_range(a: f64, b: f64, t: Interval) -> Interval {
    let amplitude = a.hypot(b);
    if t.length() < TAU {
        let at = |t: f64| a * t.cos() + b * t.sin();
        let reaches = |phase: f64| phase + TAU * ((t.lo - phase) / TAU).ceil() <= t.hi;
        let ends = Interval::new(at(t.lo), at(t.hi));
        let top = b.atan2(a);
        Interval {
            lo: if reaches(top + PI) {
                -amplitude
            } else {
                ends.lo
            },
            hi: if reaches(top) { amplitude } else { ends.hi },
        }
    } else {
        Interval {
            lo: -amplitude,
            hi: amplitude,
        }
    }
}

/// The range of `slope t`, also over infinite intervals.
pub(super) fn linear_range(slope: f64, t: Interval) -> Interval {
    if slope == 0.0 {
        Interval { lo: 0.0, hi: 0.0 }
    } else {
        Interval::new(slope * t.lo, slope * t.hi)
    }
}

/// The box of a surface of revolution over the angles `u`.
///
/// `meridian(c, k)` is the range of `c ρ(v) + k z(v)`; the coordinate is linear in `c`, so its extremes suffice.
pub(super) fn revolved_box(
    frame: &Frame,
    u: Interval,
    meridian: impl Fn(f64, f64) -> Interval,
) -> Aabb {
    let mut out = Aabb::EMPTY;
    for i in 0..3 {
        let c = sinusoid_range(frame.x[i], frame.y[i], u);
        let (a, b) = (meridian(c.lo, frame.z[i]), meridian(c.hi, frame.z[i]));
        out.min[i] = frame.origin[i] + a.lo.min(b.lo);
        out.max[i] = frame.origin[i] + a.hi.max(b.hi);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_are_brought_near_the_guess() {
        assert!((near(0.1, 20.0) - (0.1 + 3.0 * TAU)).abs() < 1e-14);
        assert!((near(3.0, -3.0) - (3.0 - TAU)).abs() < 1e-14);
        assert_eq!(turn(-1e-20), 0.0);
        assert!(near(f64::NAN, 1.0).is_nan());
    }
}
