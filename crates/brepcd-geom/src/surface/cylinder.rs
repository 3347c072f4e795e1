use std::f64::consts::TAU;

use super::SurfaceFoot;
use super::revolved::{Polar, TURN, linear_range, revolved_box};
use crate::{Aabb, Frame, Interval, Point3, Pose, SurfaceJet, Vec3};

/// The cylinder `o + r radial(u) + v z`; its normal points away from the axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cylinder {
    /// Its `z` is the axis.
    pub frame: Frame,
    /// Radius, positive.
    pub radius: f64,
}

impl Cylinder {
    /// The point at a parameter pair.
    pub fn point(&self, u: f64, v: f64) -> Point3 {
        self.frame.origin + self.frame.radial(u) * self.radius + self.frame.z * v
    }

    /// Position and derivatives.
    pub fn jet(&self, u: f64, v: f64) -> SurfaceJet {
        let radial = self.frame.radial(u) * self.radius;
        SurfaceJet {
            p: self.frame.origin + radial + self.frame.z * v,
            du: self.frame.tangential(u) * self.radius,
            dv: self.frame.z,
            duu: -radial,
            duv: Vec3::zeros(),
            dvv: Vec3::zeros(),
        }
    }

    /// The unit normal along `du × dv`.
    pub fn normal(&self, u: f64, _v: f64) -> Option<Vec3> {
        Some(self.frame.radial(u))
    }

    /// A turn and an infinite length.
    pub fn domain(&self) -> (Interval, Interval) {
        (TURN, Interval::ALL)
    }

    /// A turn in `u`.
    pub fn periods(&self) -> [Option<f64>; 2] {
        [Some(TAU), None]
    }

    /// No poles.
    pub fn poles(&self) -> [Option<f64>; 2] {
        [None, None]
    }

    /// No poles.
    pub fn poles_u(&self) -> [Option<f64>; 2] {
        [None, None]
    }

    /// Parameters of the nearest point; for points of the axis the guess's `u`, or 0.
    pub fn invert(&self, p: &Point3, guess: Option<(f64, f64)>) -> (f64, f64) {
        let q = Polar::of(&self.frame, p, self.radius);
        (q.u(guess), q.z)
    }

    /// Appends the near and the far stationary point of the distance to `p`; on the axis only the one at `u = 0`.
    pub fn feet(&self, p: &Point3, out: &mut Vec<SurfaceFoot>) {
        let q = Polar::of(&self.frame, p, self.radius);
        let near = q.u(None);
        out.push(SurfaceFoot::new(near, q.z, self.point(near, q.z), p));
        if !q.on_axis() {
            let far = q.opposite_u(None);
            out.push(SurfaceFoot::new(far, q.z, self.point(far, q.z), p));
        }
    }

    /// Appends nothing: the normal is parallel to a direction along whole generators or nowhere.
    pub fn extrema(&self, _direction: &Vec3, _out: &mut Vec<(f64, f64)>) {}

    /// The exact box of a parameter rectangle.
    pub fn bounding_box(&self, u: Interval, v: Interval) -> Aabb {
        revolved_box(&self.frame, u, |c, k| {
            let along = linear_range(k, v);
            Interval {
                lo: c * self.radius + along.lo,
                hi: c * self.radius + along.hi,
            }
        })
    }

    /// The cylinder moved by `a_from_b`.
    pub fn transformed(&self, a_from_b: &Pose) -> Self {
        Self {
            frame: self.frame.transformed(a_from_b),
            ..*self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Surface, check};
    use super::*;

    #[test]
    fn keeps_its_promises() {
        let s = Surface::Cylinder(Cylinder {
            frame: check::frame(),
            radius: 2.5,
        });
        check::surface(&s, TURN, Interval::new(-9.0, 12.0));
        assert_eq!(check::extrema(&s, check::frame().x), 0);
    }

    #[test]
    fn a_point_of_the_axis_has_one_foot() {
        let s = Cylinder {
            frame: check::frame(),
            radius: 2.5,
        };
        let p = s.frame.point(0.0, 0.0, 3.0);
        let mut out = Vec::new();
        s.feet(&p, &mut out);
        assert_eq!(out.len(), 1);
        assert!((out[0].distance - 2.5).abs() < 1e-14);
        assert_eq!(s.invert(&p, Some((1.25, 0.0))).0, 1.25);
    }

    #[test]
    fn box_of_an_infinite_cylinder() {
        let b = Cylinder {
            frame: Frame::world(),
            radius: 2.0,
        }
        .bounding_box(TURN, Interval::ALL);
        assert_eq!((b.min.x, b.max.y), (-2.0, 2.0));
        assert_eq!((b.min.z, b.max.z), (f64::NEG_INFINITY, f64::INFINITY));
    }
}
