use super::{CurveFoot, include_cosine, nearest_of, push_family, shifted_into};
use crate::{Aabb, CurveJet, Frame, Interval, Point3, Pose};
use std::f64::consts::{PI, TAU};

/// The circle `origin + radius (cos t x + sin t y)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Circle {
    /// Centre and axes; the circle lies in the plane of `x` and `y`.
    pub frame: Frame,
    /// The radius.
    pub radius: f64,
}

/// Distance from the axis, relative to the size at hand, under which a point is on the axis.
const ON_AXIS: f64 = 8.0 * f64::EPSILON;

impl Circle {
    /// The point at `t`.
    pub fn point(&self, t: f64) -> Point3 {
        self.frame.origin + self.frame.radial(t) * self.radius
    }

    /// The point and derivatives at `t`.
    pub fn jet(&self, t: f64) -> CurveJet {
        let radial = self.frame.radial(t) * self.radius;
        let d1 = self.frame.tangential(t) * self.radius;
        CurveJet {
            p: self.frame.origin + radial,
            d1,
            d2: -radial,
        }
    }

    /// One turn.
    pub fn domain(&self) -> Interval {
        Interval { lo: 0.0, hi: TAU }
    }

    /// A full turn.
    pub fn period(&self) -> Option<f64> {
        Some(TAU)
    }

    /// The circle moved by `a_from_b`.
    pub fn transformed(&self, a_from_b: &Pose) -> Self {
        Self {
            frame: self.frame.transformed(a_from_b),
            radius: self.radius,
        }
    }

    /// The smallest box of the arc over the interval.
    pub fn bounding_box(&self, interval: Interval) -> Aabb {
        let mut out = Aabb::EMPTY;
        for i in 0..3 {
            let (a, b) = (self.frame.x[i] * self.radius, self.frame.y[i] * self.radius);
            include_cosine(&mut out, i, self.frame.origin[i], a, b, &interval);
        }
        out
    }

    /// Appends the nearest and the farthest point of the circle from `p`, those in the interval.
    ///
    /// From a point of the axis all points are equally far; the one at the lower end of the interval stands for them.
    pub fn feet(&self, p: &Point3, interval: Interval, out: &mut Vec<CurveFoot>) {
        let q = self.frame.local(p);
        if q.x.hypot(q.y) <= ON_AXIS * (self.radius + q.norm() + self.frame.origin.coords.norm()) {
            push_family(|t| self.point(t), p, &interval, out);
            return;
        }
        let near = q.y.atan2(q.x);
        for t in [near, near + PI] {
            let t = shifted_into(t, &interval, TAU);
            out.extend(t.map(|t| CurveFoot::at(t, self.point(t), p)));
        }
    }

    /// The point over the interval nearest to `p`.
    pub fn nearest(&self, p: &Point3, interval: Interval) -> CurveFoot {
        nearest_of(
            |t| self.point(t),
            p,
            interval,
            |out| self.feet(p, interval, out),
        )
    }

    /// Smooth everywhere.
    pub fn breaks(&self, _interval: Interval) -> Vec<f64> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curve::{Curve, check};

    #[test]
    fn feet_boxes_and_jets() {
        for seed in 0..60 {
            let curve = Curve::Circle(Circle {
                frame: check::frame(seed),
                radius: 1.7,
            });
            let lo = -9.0 + 0.31 * seed as f64;
            check::all(
                &curve,
                Interval::new(lo, lo + 0.1 * (seed + 1) as f64),
                seed,
            );
            check::all(&curve, curve.domain(), seed);
        }
    }

    #[test]
    fn point_on_the_axis_has_one_representative() {
        let circle = Circle {
            frame: check::frame(3),
            radius: 2.0,
        };
        let p = circle.frame.point(0.0, 0.0, 1.5);
        let mut feet = Vec::new();
        circle.feet(&p, Interval::new(7.0, 8.0), &mut feet);
        assert_eq!(feet.len(), 1);
        assert!(feet[0].t == 7.0 && (feet[0].distance - 2.5).abs() < 1e-14);
    }

    #[test]
    fn foot_at_the_seam_comes_once() {
        let circle = Circle {
            frame: Frame::world(),
            radius: 1.0,
        };
        let mut feet = Vec::new();
        circle.feet(&Point3::new(3.0, -1e-17, 0.0), circle.domain(), &mut feet);
        assert_eq!(feet.len(), 2);
        assert!((feet[0].distance - 2.0).abs() < 1e-15 && (feet[1].distance - 4.0).abs() < 1e-15);
    }
}
