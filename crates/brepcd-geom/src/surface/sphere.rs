use std::f64::consts::{FRAC_PI_2, TAU};

use super::SurfaceFoot;
use super::revolved::{ON_AXIS, Polar, TURN, revolved_box, sinusoid_range, turn};
use crate::{Aabb, Frame, Interval, Point3, Pose, SurfaceJet, Vec3};

/// The sphere `o + r (cos v radial(u) + sin v z)`, `|v| ≤ π/2`; its normal points away from the centre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere {
    /// Its origin is the centre, its `z` points to the north pole.
    pub frame: Frame,
    /// Radius, positive.
    pub radius: f64,
}

impl Sphere {
    /// The point at a parameter pair.
    pub fn point(&self, u: f64, v: f64) -> Point3 {
        self.frame.origin + self.outward(u, v) * self.radius
    }

    /// Position and derivatives.
    pub fn jet(&self, u: f64, v: f64) -> SurfaceJet {
        let (s, c) = v.sin_cos();
        let radial = self.frame.radial(u) * self.radius;
        let tangential = self.frame.tangential(u) * self.radius;
        let z = self.frame.z * self.radius;
        let spoke = radial * c + z * s;
        SurfaceJet {
            p: self.frame.origin + spoke,
            du: tangential * c,
            dv: z * c - radial * s,
            duu: radial * -c,
            duv: tangential * -s,
            dvv: -spoke,
        }
    }

    /// The unit normal along `du × dv`, at the poles its limit.
    pub fn normal(&self, u: f64, v: f64) -> Option<Vec3> {
        Some(self.outward(u, v))
    }

    fn outward(&self, u: f64, v: f64) -> Vec3 {
        let (s, c) = v.sin_cos();
        self.frame.radial(u) * c + self.frame.z * s
    }

    /// A turn, and from the south to the north pole.
    pub fn domain(&self) -> (Interval, Interval) {
        (
            TURN,
            Interval {
                lo: -FRAC_PI_2,
                hi: FRAC_PI_2,
            },
        )
    }

    /// A turn in `u`.
    pub fn periods(&self) -> [Option<f64>; 2] {
        [Some(TAU), None]
    }

    /// South and north.
    pub fn poles(&self) -> [Option<f64>; 2] {
        [Some(-FRAC_PI_2), Some(FRAC_PI_2)]
    }

    /// No poles.
    pub fn poles_u(&self) -> [Option<f64>; 2] {
        [None, None]
    }

    /// Parameters of the nearest point; at the poles the guess's `u`, or 0, for the centre also its `v`, or 0.
    pub fn invert(&self, p: &Point3, guess: Option<(f64, f64)>) -> (f64, f64) {
        let q = Polar::of(&self.frame, p, self.radius);
        let v = if q.rho.max(q.z.abs()) <= q.noise {
            self.domain().1.clamp(guess.map_or(0.0, |(_, v)| v))
        } else {
            q.z.atan2(q.rho)
        };
        (q.u(guess), v)
    }

    /// Appends the near and the far stationary point of the distance to `p`; in the centre one point stands for all.
    pub fn feet(&self, p: &Point3, out: &mut Vec<SurfaceFoot>) {
        let q = Polar::of(&self.frame, p, self.radius);
        let (u, v) = self.invert(p, None);
        out.push(SurfaceFoot::new(u, v, self.point(u, v), p));
        if q.rho.max(q.z.abs()) > q.noise {
            let (u, v) = (q.opposite_u(None), -v);
            out.push(SurfaceFoot::new(u, v, self.point(u, v), p));
        }
    }

    /// Appends the two points whose normals are parallel to `direction`.
    pub fn extrema(&self, direction: &Vec3, out: &mut Vec<(f64, f64)>) {
        if let Some(d) = direction.try_normalize(0.0) {
            let d = self.frame.local_vec(&d);
            let level = d.x.hypot(d.y);
            for d in [d, -d] {
                let u = if level <= ON_AXIS {
                    0.0
                } else {
                    turn(d.y.atan2(d.x))
                };
                out.push((u, d.z.atan2(level)));
            }
        }
    }

    /// The exact box of a parameter rectangle.
    pub fn bounding_box(&self, u: Interval, v: Interval) -> Aabb {
        let r = self.radius;
        revolved_box(&self.frame, u, |c, k| sinusoid_range(r * c, r * k, v))
    }

    /// The sphere moved by `a_from_b`.
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
        let sphere = Sphere {
            frame: check::frame(),
            radius: 3.0,
        };
        check::surface(&Surface::Sphere(sphere), TURN, sphere.domain().1);
        for d in [Vec3::x(), Vec3::new(1.0, -2.0, 0.5), sphere.frame.z] {
            assert_eq!(check::extrema(&Surface::Sphere(sphere), d), 2);
        }
    }

    #[test]
    fn poles_and_centre() {
        let sphere = Sphere {
            frame: check::frame(),
            radius: 3.0,
        };
        for v in sphere.poles().into_iter().flatten() {
            let n = sphere.normal(2.0, v).expect("the limit");
            assert!((n - sphere.frame.z * v.signum()).norm() < 1e-15);
        }
        let centre = sphere.frame.origin;
        assert_eq!(sphere.invert(&centre, Some((7.0, 0.5))), (7.0, 0.5));
        let mut out = Vec::new();
        sphere.feet(&centre, &mut out);
        assert_eq!(out.len(), 1);
    }

    #[test]
    fn box_of_the_whole_sphere_is_a_cube() {
        let sphere = Sphere {
            frame: check::frame(),
            radius: 3.0,
        };
        let b = sphere.bounding_box(TURN, sphere.domain().1);
        assert!((b.max - sphere.frame.origin - Vec3::repeat(3.0)).norm() < 1e-14);
        assert!((b.min - sphere.frame.origin + Vec3::repeat(3.0)).norm() < 1e-14);
    }
}
