use super::{CurveFoot, in_interval, include_coordinate, nearest_of};
use crate::{Aabb, CurveJet, Interval, Point3, Pose, Vec3};

/// The line `origin + t dir`; `t` is the length along it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// The point at parameter 0.
    pub origin: Point3,
    /// The direction, unit.
    pub dir: Vec3,
}

impl Line {
    /// The point at `t`.
    pub fn point(&self, t: f64) -> Point3 {
        self.origin + self.dir * t
    }

    /// The point and derivatives at `t`.
    pub fn jet(&self, t: f64) -> CurveJet {
        CurveJet {
            p: self.point(t),
            d1: self.dir,
            d2: Vec3::zeros(),
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

    /// The line moved by `a_from_b`.
    pub fn transformed(&self, a_from_b: &Pose) -> Self {
        Self {
            origin: a_from_b * self.origin,
            dir: a_from_b * self.dir,
        }
    }

    /// The smallest box of the part over the interval; its sides may be infinite.
    pub fn bounding_box(&self, interval: Interval) -> Aabb {
        let mut out = Aabb::EMPTY;
        for t in [interval.lo, interval.hi] {
            for i in 0..3 {
                let along = if self.dir[i] == 0.0 {
                    0.0
                } else {
                    self.dir[i] * t
                };
                include_coordinate(&mut out, i, self.origin[i] + along);
            }
        }
        out
    }

    /// Appends the foot of the perpendicular from `p`, if in the interval.
    pub fn feet(&self, p: &Point3, interval: Interval, out: &mut Vec<CurveFoot>) {
        let t = (p - self.origin).dot(&self.dir);
        out.extend(in_interval(t, &interval).map(|t| CurveFoot::at(t, self.point(t), p)));
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
        for seed in 0..20 {
            let frame = check::frame(seed);
            let curve = Curve::Line(Line {
                origin: frame.origin,
                dir: frame.x,
            });
            check::all(&curve, Interval::new(-2.0, 3.0), seed);
        }
    }

    #[test]
    fn unbounded_box() {
        let line = Line {
            origin: Point3::new(1.0, 2.0, 3.0),
            dir: Vec3::y(),
        };
        let b = line.bounding_box(Interval {
            lo: 1.0,
            hi: f64::INFINITY,
        });
        assert_eq!(b.min, Point3::new(1.0, 3.0, 3.0));
        assert_eq!(b.max, Point3::new(1.0, f64::INFINITY, 3.0));
    }
}
