use std::f64::consts::{PI, TAU};

use super::SurfaceFoot;
use super::revolved::{ON_AXIS, Polar, TURN, near, revolved_box, sinusoid_range, turn};
use crate::{Aabb, Frame, Interval, Point3, Pose, SurfaceJet, Vec3};

/// Which part of the torus is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TorusShape {
    /// All of it: `v` runs through a turn. The usual torus has `major > minor`.
    Ring,
    /// The outer part of a self-intersecting torus (`major ≤ minor`): `|v| ≤ acos(-major/minor)`.
    Apple,
    /// The inner part: `v` from `acos(-major/minor)` to `2π - acos(-major/minor)`.
    Lemon,
}

/// The torus `o + (R + r cos v) radial(u) + r sin v z`.
///
/// The normal `du × dv` points out of the tube for rings and apples. On a lemon `R + r cos v ≤ 0`: the point at `u` lies
/// across the axis from `radial(u)`, and the normal points into the spindle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Torus {
    /// Its `z` is the axis.
    pub frame: Frame,
    /// Radius `R` of the circle of tube centres.
    pub major: f64,
    /// Radius `r` of the tube, positive.
    pub minor: f64,
    /// Which part is meant.
    pub shape: TorusShape,
}

impl Torus {
    /// The point at a parameter pair.
    pub fn point(&self, u: f64, v: f64) -> Point3 {
        let (s, c) = v.sin_cos();
        let rho = self.major + self.minor * c;
        self.frame.origin + self.frame.radial(u) * rho + self.frame.z * (self.minor * s)
    }

    /// Position and derivatives.
    pub fn jet(&self, u: f64, v: f64) -> SurfaceJet {
        let (s, c) = v.sin_cos();
        let (rc, rs) = (self.minor * c, self.minor * s);
        let rho = self.major + rc;
        let (radial, tangential) = (self.frame.radial(u), self.frame.tangential(u));
        SurfaceJet {
            p: self.frame.origin + radial * rho + self.frame.z * rs,
            du: tangential * rho,
            dv: self.frame.z * rc - radial * rs,
            duu: radial * -rho,
            duv: tangential * -rs,
            dvv: radial * -rc - self.frame.z * rs,
        }
    }

    /// The unit normal along `du × dv`; at the poles of apple and lemon that of the meridian at `u`.
    pub fn normal(&self, u: f64, v: f64) -> Option<Vec3> {
        let (s, c) = v.sin_cos();
        let n = self.frame.radial(u) * c + self.frame.z * s;
        let outward = match self.shape {
            TorusShape::Ring => self.major + self.minor * c >= 0.0,
            TorusShape::Apple => true,
            TorusShape::Lemon => false,
        };
        Some(if outward { n } else { -n })
    }

    /// The upper pole's angle.
    fn pole(&self) -> f64 {
        (-self.major / self.minor).clamp(-1.0, 1.0).acos()
    }

    fn domain_v(&self) -> Interval {
        match self.shape {
            TorusShape::Ring => TURN,
            TorusShape::Apple => Interval {
                lo: -self.pole(),
                hi: self.pole(),
            },
            TorusShape::Lemon => Interval {
                lo: self.pole(),
                hi: TAU - self.pole(),
            },
        }
    }

    /// A turn, and the part of a turn that the shape says.
    pub fn domain(&self) -> (Interval, Interval) {
        (TURN, self.domain_v())
    }

    /// A turn in `u`, for rings also in `v`.
    pub fn periods(&self) -> [Option<f64>; 2] {
        [Some(TAU), (self.shape == TorusShape::Ring).then_some(TAU)]
    }

    /// The ends of apple and lemon, where the tube meets the axis.
    pub fn poles(&self) -> [Option<f64>; 2] {
        if self.shape == TorusShape::Ring {
            return [None, None];
        }
        let v = self.domain_v();
        [Some(v.lo), Some(v.hi)]
    }

    /// No poles.
    pub fn poles_u(&self) -> [Option<f64>; 2] {
        [None, None]
    }

    fn polar(&self, p: &Point3) -> Polar {
        Polar::of(&self.frame, p, self.major + self.minor)
    }

    /// True if the nearest point of the tube lies in the half-plane across the axis, that is, at `u + π`.
    fn nearest_is_opposite(&self, q: &Polar) -> bool {
        match self.shape {
            TorusShape::Lemon => true,
            TorusShape::Apple => false,
            TorusShape::Ring if self.major >= self.minor => false,
            TorusShape::Ring => {
                let gap = |rho: f64| ((rho - self.major).hypot(q.z) - self.minor).abs();
                gap(-q.rho) < gap(q.rho)
            }
        }
    }

    /// The tube angle of a meridian point, in the domain or within half a turn of its middle; `None` in the centre.
    fn tube_angle(&self, rho: f64, q: &Polar) -> Option<f64> {
        let across = rho - self.major;
        if across.abs().max(q.z.abs()) <= q.noise {
            return None;
        }
        let v = q.z.atan2(across);
        Some(match self.shape {
            TorusShape::Ring | TorusShape::Lemon => turn(v),
            TorusShape::Apple => v,
        })
    }

    /// Parameters of the nearest point.
    ///
    /// At the poles and for points of the axis `u` is the guess's, or 0; for tube centres `v` is.
    pub fn invert(&self, p: &Point3, guess: Option<(f64, f64)>) -> (f64, f64) {
        let q = self.polar(p);
        let opposite = self.nearest_is_opposite(&q);
        let rho = if opposite { -q.rho } else { q.rho };
        let angle = match self.tube_angle(rho, &q) {
            Some(v) => v,
            None => guess.map_or(self.middle(), |(_, v)| v),
        };
        let domain = self.domain_v();
        let v = match (self.shape, guess) {
            (TorusShape::Ring, Some((_, v))) => near(angle, v),
            (TorusShape::Ring, None) => angle,
            (TorusShape::Apple | TorusShape::Lemon, _) => domain.clamp(angle),
        };
        let at_pole = self.shape != TorusShape::Ring && (v <= domain.lo || v >= domain.hi);
        match guess {
            Some((u, _)) if at_pole => (u, v),
            _ if opposite => (q.opposite_u(guess), v),
            _ => (q.u(guess), v),
        }
    }

    /// A tube angle of the domain away from the poles.
    fn middle(&self) -> f64 {
        if self.shape == TorusShape::Lemon {
            PI
        } else {
            0.0
        }
    }

    /// Appends the stationary points of the distance to `p`: up to four, and poles where they are minima.
    ///
    /// A parallel circle of them (`p` on the axis) is represented by the point at `u = 0`, a meridian circle (`p` on
    /// the circle of tube centres) by one point at `v = 0`, or π for lemons.
    pub fn feet(&self, p: &Point3, out: &mut Vec<SurfaceFoot>) {
        let q = self.polar(p);
        let domain = self.domain_v();
        let mut push = |u: f64, v: f64| out.push(SurfaceFoot::new(u, v, self.point(u, v), p));
        let sides = [(q.u(None), q.rho), (q.opposite_u(None), -q.rho)];
        for &(u, rho) in &sides[..if q.on_axis() { 1 } else { 2 }] {
            match self.tube_angle(rho, &q) {
                Some(v) => {
                    for v in [v, self.across(v)] {
                        if domain.contains(v) {
                            push(u, v);
                        }
                    }
                }
                None => push(u, self.middle()),
            }
        }
        // A pole is a minimum if the distance grows along the meridian that leads towards `p`.
        let (u, rho) = sides[usize::from(self.shape == TorusShape::Lemon)];
        if let ([Some(lo), Some(hi)], Some(v)) = (self.poles(), self.tube_angle(rho, &q)) {
            if (lo - v).sin() >= 0.0 {
                push(u, lo);
            }
            if (hi - v).sin() <= 0.0 {
                push(u, hi);
            }
        }
    }

    /// The opposite tube angle, in the same range as [`Torus::tube_angle`].
    fn across(&self, v: f64) -> f64 {
        let half = if self.shape == TorusShape::Apple {
            0.0
        } else {
            PI
        };
        if v >= half { v - PI } else { v + PI }
    }

    /// Appends the up to four points whose normals are parallel to `direction`; none along the axis (circles).
    pub fn extrema(&self, direction: &Vec3, out: &mut Vec<(f64, f64)>) {
        let d = self.frame.local_vec(direction);
        let level = d.x.hypot(d.y);
        if level <= ON_AXIS * d.z.abs() {
            return;
        }
        let domain = self.domain_v();
        for sign in [1.0, -1.0] {
            let u = turn((sign * d.y).atan2(sign * d.x));
            for v in [d.z.atan2(sign * level), (-d.z).atan2(-sign * level)] {
                let v = if self.shape == TorusShape::Apple {
                    v
                } else {
                    turn(v)
                };
                if domain.contains(v) {
                    out.push((u, v));
                }
            }
        }
    }

    /// The exact box of a parameter rectangle.
    pub fn bounding_box(&self, u: Interval, v: Interval) -> Aabb {
        revolved_box(&self.frame, u, |c, k| {
            let tube = sinusoid_range(self.minor * c, self.minor * k, v);
            Interval {
                lo: self.major * c + tube.lo,
                hi: self.major * c + tube.hi,
            }
        })
    }

    /// The torus moved by `a_from_b`.
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

    fn torus(major: f64, minor: f64, shape: TorusShape) -> Torus {
        Torus {
            frame: check::frame(),
            major,
            minor,
            shape,
        }
    }

    #[test]
    fn keeps_its_promises() {
        for t in [
            torus(5.0, 2.0, TorusShape::Ring),
            torus(1.0, 3.0, TorusShape::Apple),
            torus(1.0, 3.0, TorusShape::Lemon),
            torus(2.8, 3.0, TorusShape::Apple),
            torus(2.0, 3.0, TorusShape::Lemon),
        ] {
            check::surface(&Surface::Torus(t), TURN, t.domain().1);
        }
    }

    #[test]
    fn extrema_of_each_shape() {
        let d = Vec3::new(1.0, -0.3, 0.4);
        let count = |t| check::extrema(&Surface::Torus(t), d);
        assert_eq!(count(torus(5.0, 2.0, TorusShape::Ring)), 4);
        let (apple, lemon) = (
            torus(1.0, 3.0, TorusShape::Apple),
            torus(1.0, 3.0, TorusShape::Lemon),
        );
        assert_eq!(count(apple) + count(lemon), 4);
        assert!(count(apple) >= 2);
        assert_eq!(check::extrema(&Surface::Torus(apple), apple.frame.z), 0);
    }

    #[test]
    fn normals_point_out_of_the_tube_and_into_the_spindle() {
        let apple = torus(1.0, 3.0, TorusShape::Apple);
        let n = apple.normal(0.7, 0.0).expect("a normal");
        assert!((n - apple.frame.radial(0.7)).norm() < 1e-15);
        let lemon = torus(1.0, 3.0, TorusShape::Lemon);
        let to_axis = lemon.frame.origin - lemon.point(0.7, PI);
        assert!(lemon.normal(0.7, PI).expect("a normal").dot(&to_axis) > 1.9);
    }

    #[test]
    fn families_have_one_representative() {
        let ring = torus(5.0, 2.0, TorusShape::Ring);
        let mut out = Vec::new();
        ring.feet(&ring.frame.point(0.3, -2.0, 1.0), &mut out);
        assert_eq!(out.len(), 4);
        out.clear();
        ring.feet(&ring.frame.point(0.0, 0.0, 1.0), &mut out);
        assert_eq!(out.len(), 2);
        out.clear();
        let centre = ring.frame.point(5.0, 0.0, 0.0);
        ring.feet(&centre, &mut out);
        assert_eq!(out.len(), 3);
        assert!((ring.invert(&centre, Some((0.1, 0.6))).1 - 0.6).abs() < 1e-15);
        assert_eq!(ring.invert(&ring.frame.origin, Some((9.0, 3.0))).0, 9.0);
    }

    #[test]
    fn both_poles_of_an_apple_are_minima_from_inside_its_spindle() {
        let apple = torus(1.0, 3.0, TorusShape::Apple);
        let mut out = Vec::new();
        apple.feet(&apple.frame.point(0.0, 0.0, 0.1), &mut out);
        let height = 8.0_f64.sqrt();
        for h in [height - 0.1, height + 0.1] {
            assert!(
                out.iter().any(|f| (f.distance - h).abs() < 1e-12),
                "{out:?}"
            );
        }
    }
}
