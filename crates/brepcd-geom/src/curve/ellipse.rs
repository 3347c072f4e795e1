use super::{CurveFoot, include_cosine, nearest_of, push_family, shifted_into};
use crate::{Aabb, CurveJet, Frame, Interval, Point3, Pose, roots};
use std::f64::consts::TAU;

/// The ellipse `origin + rx cos t x + ry sin t y`; either semi-axis may be the longer one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ellipse {
    /// Centre and axes; the ellipse lies in the plane of `x` and `y`.
    pub frame: Frame,
    /// Semi-axis along `x`.
    pub rx: f64,
    /// Semi-axis along `y`.
    pub ry: f64,
}

/// Variation of the distance, relative to the size at hand, under which all points of a round ellipse are equally far.
const ALL_EQUAL: f64 = 8.0 * f64::EPSILON;

impl Ellipse {
    /// The point at `t`.
    pub fn point(&self, t: f64) -> Point3 {
        let (s, c) = t.sin_cos();
        self.frame.origin + self.frame.x * (self.rx * c) + self.frame.y * (self.ry * s)
    }

    /// The point and derivatives at `t`.
    pub fn jet(&self, t: f64) -> CurveJet {
        let (s, c) = t.sin_cos();
        let (x, y) = (self.frame.x * self.rx, self.frame.y * self.ry);
        let out = x * c + y * s;
        CurveJet {
            p: self.frame.origin + out,
            d1: y * c - x * s,
            d2: -out,
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

    /// The ellipse moved by `a_from_b`.
    pub fn transformed(&self, a_from_b: &Pose) -> Self {
        Self {
            frame: self.frame.transformed(a_from_b),
            ..*self
        }
    }

    /// The smallest box of the arc over the interval.
    pub fn bounding_box(&self, interval: Interval) -> Aabb {
        let mut out = Aabb::EMPTY;
        for i in 0..3 {
            let (a, b) = (self.frame.x[i] * self.rx, self.frame.y[i] * self.ry);
            include_cosine(&mut out, i, self.frame.origin[i], a, b, &interval);
        }
        out
    }

    /// Appends the two to four stationary points of the distance from `p`, those in the interval.
    ///
    /// Where all points are equally far (round, `p` on the axis) the one at the lower end of the interval stands for them.
    pub fn feet(&self, p: &Point3, interval: Interval, out: &mut Vec<CurveFoot>) {
        let q = self.frame.local(p);
        // Half the derivative of the squared distance: a1 cos t + b1 sin t + b2 sin 2t.
        let (a1, b1) = (-self.ry * q.y, self.rx * q.x);
        let b2 = 0.5 * (self.ry - self.rx) * (self.ry + self.rx);
        let radius = self.rx.max(self.ry);
        let noise = ALL_EQUAL * radius * (radius + q.norm() + self.frame.origin.coords.norm());
        if a1.abs().max(b1.abs()).max(b2.abs()) <= noise {
            push_family(|t| self.point(t), p, &interval, out);
            return;
        }
        let mut angles = Vec::with_capacity(4);
        roots::trig2(0.0, a1, b1, 0.0, b2, &mut angles);
        for t in angles {
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
            let (rx, ry) = if seed % 2 == 0 {
                (3.0, 0.5)
            } else {
                (1.0, 1.2)
            };
            let curve = Curve::Ellipse(Ellipse {
                frame: check::frame(seed),
                rx,
                ry,
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
    fn special_positions() {
        let ellipse = Ellipse {
            frame: Frame::world(),
            rx: 2.0,
            ry: 1.0,
        };
        let feet = |ellipse: &Ellipse, x: f64, y: f64| {
            let mut out = Vec::new();
            ellipse.feet(&Point3::new(x, y, 0.0), ellipse.domain(), &mut out);
            out
        };
        let distances: Vec<f64> = feet(&ellipse, 0.0, 0.0)
            .iter()
            .map(|f| f.distance)
            .collect();
        assert_eq!(distances.len(), 4);
        for (d, e) in distances.iter().zip([2.0, 1.0, 2.0, 1.0]) {
            assert!((d - e).abs() < 1e-15);
        }
        // The cusp of the evolute: a triple root at t = 0.
        let cusp = feet(&ellipse, 1.5, 0.0);
        assert!(cusp.iter().any(|f| (f.distance - 0.5).abs() < 1e-15));
        assert!(cusp.iter().any(|f| (f.distance - 3.5).abs() < 1e-15));
        let round = Ellipse {
            frame: Frame::world(),
            rx: 2.0,
            ry: 2.0,
        };
        assert_eq!(feet(&round, 0.0, 0.0).len(), 1);
        assert_eq!(feet(&round, 1e-3, 0.0).len(), 2);
    }
}
