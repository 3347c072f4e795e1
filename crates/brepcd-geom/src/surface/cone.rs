use std::f64::consts::TAU;

use super::SurfaceFoot;
use super::revolved::{ON_AXIS, Polar, TURN, linear_range, revolved_box};
use crate::{Aabb, Frame, Interval, Point3, Pose, SurfaceJet, Vec3};

/// The nappe `o + (radius + v sin α) radial(u) + v cos α z` of a cone, where `radius + v sin α ≥ 0`.
///
/// `v` is the length along a generator and α the half angle; the apex is at `v = -radius / sin α`, the low end of the
/// domain if α > 0, else the high end. The normal points away from the axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cone {
    /// Its `z` is the axis.
    pub frame: Frame,
    /// Radius at `v = 0`, not negative.
    pub radius: f64,
    /// Angle between axis and generators, in (-π/2, π/2); negative where the radius falls along `z`.
    pub half_angle: f64,
}

impl Cone {
    /// The point at a parameter pair.
    pub fn point(&self, u: f64, v: f64) -> Point3 {
        let (s, c) = self.half_angle.sin_cos();
        self.frame.origin + self.frame.radial(u) * (self.radius + v * s) + self.frame.z * (v * c)
    }

    /// Position and derivatives.
    pub fn jet(&self, u: f64, v: f64) -> SurfaceJet {
        let (s, c) = self.half_angle.sin_cos();
        let rho = self.radius + v * s;
        let (radial, tangential) = (self.frame.radial(u), self.frame.tangential(u));
        SurfaceJet {
            p: self.frame.origin + radial * rho + self.frame.z * (v * c),
            du: tangential * rho,
            dv: radial * s + self.frame.z * c,
            duu: radial * -rho,
            duv: tangential * s,
            dvv: Vec3::zeros(),
        }
    }

    /// The unit normal along `du × dv`; at the apex that of the generator at `u`.
    pub fn normal(&self, u: f64, _v: f64) -> Option<Vec3> {
        let (s, c) = self.half_angle.sin_cos();
        Some(self.frame.radial(u) * c - self.frame.z * s)
    }

    /// The `v` of the apex, `None` for a half angle of zero.
    pub fn apex(&self) -> Option<f64> {
        let v = -self.radius / self.half_angle.sin();
        v.is_finite().then_some(v)
    }

    /// A turn, and the side of the apex where the radius is not negative.
    pub fn domain(&self) -> (Interval, Interval) {
        let v = match self.apex() {
            Some(apex) if self.half_angle > 0.0 => Interval {
                lo: apex,
                ..Interval::ALL
            },
            Some(apex) => Interval {
                hi: apex,
                ..Interval::ALL
            },
            None => Interval::ALL,
        };
        (TURN, v)
    }

    /// A turn in `u`.
    pub fn periods(&self) -> [Option<f64>; 2] {
        [Some(TAU), None]
    }

    /// The apex, at the low end if the half angle is positive, else at the high end.
    pub fn poles(&self) -> [Option<f64>; 2] {
        if self.half_angle > 0.0 {
            [self.apex(), None]
        } else {
            [None, self.apex()]
        }
    }

    /// No poles.
    pub fn poles_u(&self) -> [Option<f64>; 2] {
        [None, None]
    }

    /// The foot on the generator's line of a point at this signed distance from the axis.
    fn generator_foot(&self, rho: f64, z: f64) -> f64 {
        let (s, c) = self.half_angle.sin_cos();
        (rho - self.radius) * s + z * c
    }

    /// Parameters of the nearest point; at the apex and for points of the axis the guess's `u`, or 0.
    pub fn invert(&self, p: &Point3, guess: Option<(f64, f64)>) -> (f64, f64) {
        let q = Polar::of(&self.frame, p, self.radius);
        let v = self.generator_foot(q.rho, q.z);
        let Some(apex) = self.apex() else {
            return (q.u(guess), v);
        };
        let (s, domain) = (self.half_angle.sin(), self.domain().1);
        let at_apex = self.radius + v * s <= ON_AXIS * self.radius + q.noise;
        let v = if domain.contains(v) { v } else { apex };
        match guess {
            Some((u, _)) if at_apex => (u, v),
            _ => (q.u(guess), v),
        }
    }

    /// Appends the stationary points of the distance to `p`: near and far side, and the apex where it is a minimum.
    ///
    /// A circle of them (`p` on the axis) is represented by the point at `u = 0`.
    pub fn feet(&self, p: &Point3, out: &mut Vec<SurfaceFoot>) {
        let q = Polar::of(&self.frame, p, self.radius);
        let domain = self.domain().1;
        let (u, v) = (q.u(None), self.generator_foot(q.rho, q.z));
        if domain.contains(v) {
            out.push(SurfaceFoot::new(u, v, self.point(u, v), p));
        } else if let Some(apex) = self.apex() {
            out.push(SurfaceFoot::new(u, apex, self.point(u, apex), p));
        }
        let (u, v) = (q.opposite_u(None), self.generator_foot(-q.rho, q.z));
        if !q.on_axis() && domain.contains(v) {
            out.push(SurfaceFoot::new(u, v, self.point(u, v), p));
        }
    }

    /// Appends nothing: the normal is parallel to a direction along whole generators or nowhere.
    pub fn extrema(&self, _direction: &Vec3, _out: &mut Vec<(f64, f64)>) {}

    /// The exact box of a parameter rectangle.
    pub fn bounding_box(&self, u: Interval, v: Interval) -> Aabb {
        let (sin, cos) = self.half_angle.sin_cos();
        revolved_box(&self.frame, u, |c, k| {
            let along = linear_range(c * sin + k * cos, v);
            Interval {
                lo: c * self.radius + along.lo,
                hi: c * self.radius + along.hi,
            }
        })
    }

    /// The cone moved by `a_from_b`.
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
        for (radius, half_angle) in [(2.0, 0.4), (2.0, -0.4), (0.0, 0.9), (0.0, -0.2), (1.5, 0.0)] {
            let cone = Cone {
                frame: check::frame(),
                radius,
                half_angle,
            };
            let domain = cone.domain().1;
            let (lo, hi) = (domain.lo.max(-9.0), domain.hi.min(9.0));
            check::surface(&Surface::Cone(cone), TURN, Interval { lo, hi });
        }
    }

    #[test]
    fn beyond_the_apex_the_apex_is_nearest() {
        let cone = Cone {
            frame: Frame::world(),
            radius: 1.0,
            half_angle: 0.5,
        };
        let apex = cone.apex().expect("a cone");
        assert_eq!(cone.poles(), [Some(apex), None]);
        let tip = cone.point(0.0, apex);
        let p = tip + Vec3::new(0.1, 0.2, -3.0);
        assert_eq!(cone.invert(&p, Some((5.0, 0.0))), (5.0, apex));
        let mut out = Vec::new();
        cone.feet(&p, &mut out);
        assert_eq!(out.len(), 1);
        assert!((out[0].point - tip).norm() < 1e-14);
        // The limit along the generator.
        let n = cone.normal(1.0, apex).expect("a normal");
        assert!((n - cone.normal(1.0, 3.0).expect("a normal")).norm() < 1e-15);
    }

    #[test]
    fn inside_there_are_two_feet_and_on_the_axis_one() {
        let cone = Cone {
            frame: check::frame(),
            radius: 1.0,
            half_angle: 0.5,
        };
        for (x, count) in [(0.3, 2), (0.0, 1)] {
            let mut out = Vec::new();
            cone.feet(&cone.frame.point(x, 0.0, 2.0), &mut out);
            assert_eq!(out.len(), count);
        }
    }
}
