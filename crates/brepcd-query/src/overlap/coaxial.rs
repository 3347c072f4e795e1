//! A quick proof that two surfaces of revolution about nearly the same axis keep apart.
//!
//! Were the axes one, the distance of the two would be that of two curves in a half-plane through the axis: segments and
//! arcs. Moving the one surface so that they are one moves its points by a little, and the distance changes by no more
//! than that. A peg in its hole is told off the wall by this in a few operations.

use super::canonical::{Canonical, Form};
use super::flat_curve::Curve;
use brepcd_geom::surface::TorusShape;
use brepcd_geom::{Interval, Point3, Surface, Vec3};
use brepcd_tree::MatrixPose;

/// Sine of the angle between axes up to which they are nearly one.
const NEARLY: f64 = 0.2;
/// Factor on that sine that makes a bound of the chord of the angle.
const CHORD: f64 = 1.02;

/// A piece of a surface that turns about an axis, all around.
#[derive(Clone, Copy, Debug)]
pub struct Turned {
    origin: Point3,
    dir: Vec3,
    curve: Curve,
    /// How far the surface may be from where the curve takes it.
    slack: f64,
}

impl Turned {
    /// A piece of a canonical surface over a range of `v`; `None` for those that do not turn.
    pub(super) fn of(surface: &Canonical, v: Interval) -> Option<Self> {
        let arc = |major: f64, radius: f64| Curve::Arc {
            centre: [major, 0.0],
            radius,
            angles: [v.lo, v.hi],
        };
        let curve = match surface.form {
            Form::Plane { .. } => return None,
            Form::Cylinder { radius } => Curve::Segment {
                ends: [[radius, v.lo], [radius, v.hi]],
            },
            Form::Cone { radius, sin, cos } => Curve::Segment {
                ends: [v.lo, v.hi].map(|v| [radius + v * sin, v * cos]),
            },
            Form::Sphere { radius } => arc(0.0, radius),
            Form::Torus {
                major,
                minor,
                shape: TorusShape::Ring,
            } => arc(major, minor),
            Form::Torus { .. } => return None,
        };
        Some(Self {
            origin: surface.frame.origin,
            dir: surface.frame.z,
            curve,
            slack: 0.0,
        })
    }

    /// A piece of a surface over a range of `v`, placed; `None` for those that do not turn.
    pub fn of_surface(surface: &Surface, a_from_part: &MatrixPose, v: Interval) -> Option<Self> {
        Self::of(&Canonical::of(surface, a_from_part)?, v)
    }

    /// A ring that is nearly flat across the axis, between two heights and two distances from the axis.
    pub fn flat(origin: Point3, dir: Vec3, z: [f64; 2], rho: [f64; 2]) -> Self {
        let height = 0.5 * (z[0] + z[1]);
        Self {
            origin,
            dir,
            curve: Curve::Segment {
                ends: rho.map(|rho| [rho, height]),
            },
            slack: 0.5 * (z[1] - z[0]),
        }
    }

    /// True only if all points of the one are farther than `off` from those of the other.
    pub fn keeps_off(&self, other: &Self, off: f64) -> bool {
        self.about(&other.origin, &other.dir).is_some_and(|placed| {
            placed.curve.distance(&other.curve) > placed.moved + other.slack + off
        })
    }

    /// The curve in a half-plane through another axis; `None` if that is far from parallel.
    pub(super) fn about(&self, origin: &Point3, dir: &Vec3) -> Option<Placed> {
        let tilt = self.dir.cross(dir).norm();
        if tilt.is_nan() || tilt > NEARLY {
            return None;
        }
        let sign = self.dir.dot(dir).signum();
        let ends = self.curve.ends();
        let middle = 0.5 * (ends[0][1] + ends[1][1]);
        let centre = self.origin + self.dir * middle - origin;
        let along = dir.dot(&centre);
        let beside = (centre - dir * along).norm();
        let far = self.curve.farthest([0.0, middle]);
        Some(Placed {
            curve: self.curve.moved(sign, along - sign * middle),
            moved: beside + CHORD * tilt * far + self.slack,
        })
    }
}

/// A curve in a half-plane through another axis than its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    pub curve: Curve,
    /// How far points were moved for that, at most.
    pub moved: f64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numeric::tests::build::Random;
    use brepcd_geom::Frame;
    use std::f64::consts::PI;

    fn random(random: &mut Random) -> Turned {
        let frame = Frame::world();
        let small = [1e-4, 0.1][random.range(0.0, 2.0) as usize];
        let dir = (frame.z + random.vector(small)).normalize();
        let point = |random: &mut Random| [random.range(0.2, 3.0), random.range(-2.0, 2.0)];
        let curve = if random.range(0.0, 1.0) < 0.5 {
            Curve::Segment {
                ends: [point(random), point(random)],
            }
        } else {
            let from = random.range(-PI, PI);
            Curve::Arc {
                centre: [random.range(2.0, 3.0), random.range(-1.0, 1.0)],
                radius: random.range(0.1, 1.9),
                angles: [from, from + random.range(0.1, 6.0)],
            }
        };
        Turned {
            origin: frame.origin + random.vector(10.0 * small.min(1e-2)),
            dir: if random.range(0.0, 1.0) < 0.5 {
                -dir
            } else {
                dir
            },
            curve,
            slack: 0.0,
        }
    }

    fn point(turned: &Turned, t: f64, turn: f64) -> Point3 {
        let frame = Frame::from_z(turned.origin, turned.dir).expect("a frame");
        let [rho, z] = turned.curve.point(t);
        frame.origin + frame.radial(turn) * rho + frame.z * z
    }

    #[test]
    fn what_is_told_apart_is_apart() {
        let mut seeds = Random(3);
        let mut proved = 0;
        for _ in 0..3000 {
            let (a, b) = (random(&mut seeds), random(&mut seeds));
            let off = seeds.range(0.0, 0.2);
            if !a.keeps_off(&b, off) {
                continue;
            }
            proved += 1;
            let frame = Frame::from_z(b.origin, b.dir).expect("a frame");
            for _ in 0..200 {
                let p = point(&a, seeds.range(0.0, 1.0), seeds.range(-PI, PI));
                let local = frame.local(&p);
                let q = point(&b, seeds.range(0.0, 1.0), local.y.atan2(local.x));
                assert!((p - q).norm() > off, "{a:?} {b:?}");
            }
        }
        assert!(proved > 500, "{proved}");
    }

    #[test]
    fn a_peg_in_its_hole_keeps_off_the_wall() {
        let turned = |curve: Curve, shift: f64| Turned {
            origin: Point3::new(shift, 0.0, 0.0),
            dir: Vec3::z(),
            curve,
            slack: 0.0,
        };
        let arc = |radius: f64| Curve::Arc {
            centre: [20.0, 0.0],
            radius,
            angles: [0.0, 0.5 * PI],
        };
        // Concentric fillets 0.2 apart, off centre by less and by more than that.
        assert!(turned(arc(5.0), 0.15).keeps_off(&turned(arc(5.2), 0.0), 1e-6));
        assert!(!turned(arc(5.0), 0.25).keeps_off(&turned(arc(5.2), 0.0), 1e-6));
        let wall = |radius: f64| Curve::Segment {
            ends: [[radius, -50.0], [radius, 50.0]],
        };
        assert!(turned(wall(19.9), 0.09).keeps_off(&turned(wall(20.0), 0.0), 1e-6));
        assert!(!turned(wall(19.9), 0.11).keeps_off(&turned(wall(20.0), 0.0), 1e-6));
    }
}
