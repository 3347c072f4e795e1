use super::{CurveFoot, in_interval, include_coordinate, nearest_of};
use crate::{Aabb, CurveJet, Frame, Interval, Point3, Pose, roots};

/// The parabola `origin + focal (t² x + 2 t y)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parabola {
    /// Vertex and axes; the parabola opens along `x`.
    pub frame: Frame,
    /// Distance of the focus from the vertex.
    pub focal: f64,
}

impl Parabola {
    /// The point at `t`.
    pub fn point(&self, t: f64) -> Point3 {
        let f = self.focal;
        self.frame.origin + self.frame.x * (f * t * t) + self.frame.y * (2.0 * f * t)
    }

    /// The point and derivatives at `t`.
    pub fn jet(&self, t: f64) -> CurveJet {
        let (x, y) = (
            self.frame.x * (2.0 * self.focal),
            self.frame.y * (2.0 * self.focal),
        );
        CurveJet {
            p: self.point(t),
            d1: x * t + y,
            d2: x,
        }
    }

    /// All parameters.
    pub fn domain(&self) -> Interval {
        Interval::ALL
    }

    /// Not periodic.
    pub fn period(&self) -> Option<f64> {
        None
    }

    /// The parabola moved by `a_from_b`.
    pub fn transformed(&self, a_from_b: &Pose) -> Self {
        Self {
            frame: self.frame.transformed(a_from_b),
            ..*self
        }
    }

    /// The smallest box of the part over the interval; its sides may be infinite.
    pub fn bounding_box(&self, interval: Interval) -> Aabb {
        let mut out = Aabb::EMPTY;
        for i in 0..3 {
            let (a, b) = (
                self.frame.x[i] * self.focal,
                2.0 * self.frame.y[i] * self.focal,
            );
            let value = |t: f64| {
                let away = match (a == 0.0, b == 0.0) {
                    (true, true) => 0.0,
                    (true, false) => b * t,
                    (false, _) => (a * t + b) * t,
                };
                self.frame.origin[i] + away
            };
            let turn = Some(-0.5 * b / a).filter(|&t| t.is_finite() && interval.contains(t));
            for t in [interval.lo, interval.hi].into_iter().chain(turn) {
                include_coordinate(&mut out, i, value(t));
            }
        }
        out
    }

    /// Appends the one to three stationary points of the distance from `p`, those in the interval.
    pub fn feet(&self, p: &Point3, interval: Interval, out: &mut Vec<CurveFoot>) {
        let q = self.frame.local(p);
        // The derivative of the squared distance over 4 focal.
        let cubic = [-q.y, 2.0 * self.focal - q.x, 0.0, self.focal];
        let mut parameters = Vec::with_capacity(3);
        roots::polynomial(&cubic, &Interval::ALL, &mut parameters);
        let inside = parameters
            .into_iter()
            .filter_map(|t| in_interval(t, &interval));
        out.extend(inside.map(|t| CurveFoot::at(t, self.point(t), p)));
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
            let focal = if seed % 2 == 0 { 0.2 } else { 1.5 };
            let curve = Curve::Parabola(Parabola {
                frame: check::frame(seed),
                focal,
            });
            let lo = -3.0 + 0.05 * seed as f64;
            check::all(
                &curve,
                Interval::new(lo, lo + 0.05 * (seed + 1) as f64),
                seed,
            );
            check::all(&curve, Interval::new(-4.0, 4.0), seed);
        }
    }

    #[test]
    fn special_positions() {
        let parabola = Parabola {
            frame: Frame::world(),
            focal: 0.5,
        };
        let mut feet = Vec::new();
        // The cusp of the evolute (triple root), then a point farther out with the vertex and a pair.
        parabola.feet(&Point3::new(1.0, 0.0, 0.0), Interval::ALL, &mut feet);
        assert_eq!(feet.len(), 1);
        assert!(feet[0].t.abs() < 1e-15 && (feet[0].distance - 1.0).abs() < 1e-15);
        feet.clear();
        parabola.feet(&Point3::new(3.0, 0.0, 0.0), Interval::ALL, &mut feet);
        let t: Vec<f64> = feet.iter().map(|f| f.t).collect();
        assert!(
            t.len() == 3 && (t[0] + 2.0).abs() < 1e-14 && (t[2] - 2.0).abs() < 1e-14,
            "{t:?}"
        );
        let b = parabola.bounding_box(Interval::ALL);
        assert_eq!(
            (b.min.x, b.max.x, b.min.z, b.max.z),
            (0.0, f64::INFINITY, 0.0, 0.0)
        );
        assert_eq!((b.min.y, b.max.y), (f64::NEG_INFINITY, f64::INFINITY));
    }
}
