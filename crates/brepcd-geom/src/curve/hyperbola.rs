use super::{CurveFoot, in_interval, include_coordinate, nearest_of};
use crate::{Aabb, CurveJet, Frame, Interval, Point3, Pose, roots};

/// The branch `origin + a cosh t x + b sinh t y` of a hyperbola.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hyperbola {
    /// Centre and axes; the hyperbola lies in the plane of `x` and `y`.
    pub frame: Frame,
    /// Semi-axis along `x`: distance of the vertex from the centre.
    pub a: f64,
    /// Semi-axis along `y`; the slope of the asymptotes is `b / a`.
    pub b: f64,
}

/// Parameter difference under which feet are the same.
const SAME_PARAMETER: f64 = 1e-9;

impl Hyperbola {
    /// The point at `t`.
    pub fn point(&self, t: f64) -> Point3 {
        let (x, y) = (self.frame.x * self.a, self.frame.y * self.b);
        self.frame.origin + x * t.cosh() + y * t.sinh()
    }

    /// The point and derivatives at `t`.
    pub fn jet(&self, t: f64) -> CurveJet {
        let (x, y) = (self.frame.x * self.a, self.frame.y * self.b);
        let (c, s) = (t.cosh(), t.sinh());
        let out = x * c + y * s;
        CurveJet {
            p: self.frame.origin + out,
            d1: x * s + y * c,
            d2: out,
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

    /// The hyperbola moved by `a_from_b`.
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
            let (a, b) = (self.frame.x[i] * self.a, self.frame.y[i] * self.b);
            let value = |t: f64| {
                let growth = if t > 0.0 { a + b } else { a - b };
                let away = match t.is_finite() {
                    true => a * t.cosh() + b * t.sinh(),
                    false if growth == 0.0 => 0.0,
                    false => growth * f64::INFINITY,
                };
                self.frame.origin[i] + away
            };
            let turn = Some((-b / a).atanh()).filter(|&t| interval.contains(t));
            for t in [interval.lo, interval.hi].into_iter().chain(turn) {
                include_coordinate(&mut out, i, value(t));
            }
        }
        out
    }

    /// Appends the one to three stationary points of the distance from `p`, those in the interval.
    pub fn feet(&self, p: &Point3, interval: Interval, out: &mut Vec<CurveFoot>) {
        let q = self.frame.local(p);
        let (ax, by) = (self.a * q.x, self.b * q.y);
        let k = self.a * self.a + self.b * self.b;
        // Half the derivative of the squared distance.
        let stationary = |t: f64| {
            let (c, s) = (t.cosh(), t.sinh());
            (
                k * s * c - ax * s - by * c,
                k * (c * c + s * s) - ax * c - by * s,
            )
        };
        // With w = exp(|t|) >= 1 on either half it is a quartic.
        let mut parameters = Vec::with_capacity(4);
        let mut half = Vec::with_capacity(4);
        for sign in [-1.0, 1.0] {
            let by = sign * by;
            let quartic = [-k, 2.0 * (ax - by), 0.0, -2.0 * (ax + by), k];
            half.clear();
            roots::polynomial(
                &quartic,
                &Interval {
                    lo: 1.0,
                    hi: f64::INFINITY,
                },
                &mut half,
            );
            parameters.extend(
                half.iter()
                    .map(|w| roots::polish(sign * w.ln(), stationary)),
            );
        }
        parameters.sort_by(f64::total_cmp);
        parameters.dedup_by(|a, b| (*a - *b).abs() <= SAME_PARAMETER);
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
            let (a, b) = if seed % 2 == 0 {
                (1.0, 0.5)
            } else {
                (0.3, 1.2)
            };
            let curve = Curve::Hyperbola(Hyperbola {
                frame: check::frame(seed),
                a,
                b,
            });
            let lo = -3.0 + 0.05 * seed as f64;
            check::all(
                &curve,
                Interval::new(lo, lo + 0.05 * (seed + 1) as f64),
                seed,
            );
            check::all(&curve, Interval::new(-3.0, 3.0), seed);
        }
    }

    #[test]
    fn symmetric_point_has_the_vertex_and_a_pair() {
        let h = Hyperbola {
            frame: Frame::world(),
            a: 1.0,
            b: 1.0,
        };
        let mut feet = Vec::new();
        h.feet(&Point3::new(4.0, 0.0, 0.0), Interval::ALL, &mut feet);
        let t: Vec<f64> = feet.iter().map(|f| f.t).collect();
        assert_eq!(t.len(), 3, "{t:?}");
        assert!(t[1].abs() < 1e-12 && (t[0] + t[2]).abs() < 1e-12);
        assert!((t[2].cosh() - 2.0).abs() < 1e-12);
        let b = h.bounding_box(Interval {
            lo: 0.0,
            hi: f64::INFINITY,
        });
        assert_eq!(
            (b.min, b.max.x, b.max.z),
            (Point3::new(1.0, 0.0, 0.0), f64::INFINITY, 0.0)
        );
    }
}
