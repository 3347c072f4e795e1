//! Cones of the normals of canonical surfaces.

use std::f64::consts::{PI, TAU};

use brepcd_geom::surface::{Torus, TorusShape};
use brepcd_geom::{Interval, Surface};

use super::NormalCone;

impl NormalCone {
    /// The normals, along `du × dv`, of a piece of a canonical surface; `None` for free-form ones.
    pub fn of_surface(surface: &Surface, u: Interval, v: Interval) -> Option<Self> {
        Some(match surface {
            Surface::Plane(s) => Self::from_sorted(&[s.frame.z]),
            Surface::Cylinder(s) => Self::meridian(&s.frame, u),
            Surface::Cone(s) => Self::latitude(&s.frame, u, -s.half_angle),
            Surface::Sphere(s) => Self::box_on_sphere(&s.frame, u, v),
            Surface::Torus(s) => {
                let outward = Self::tube(&s.frame, u, v);
                match s.shape {
                    TorusShape::Apple => outward,
                    TorusShape::Lemon => outward.negated(),
                    TorusShape::Ring => of_ring(s, v, outward),
                }
            }
            Surface::Nurbs(_) => return None,
        })
    }
}

/// The normals of a ring from those out of its tube: across the axis, where it meets itself, they are flipped.
fn of_ring(ring: &Torus, v: Interval, outward: NormalCone) -> NormalCone {
    if ring.major >= ring.minor {
        return outward;
    }
    let flip = (-ring.major / ring.minor).acos();
    let from_outside = ((v.mid() + PI).rem_euclid(TAU) - PI).abs();
    let half = 0.5 * v.length();
    if from_outside + half <= flip {
        outward
    } else if from_outside - half >= flip && from_outside + half <= TAU - flip {
        outward.negated()
    } else {
        NormalCone::WHOLE
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;

    use super::*;
    use crate::testing::Random;
    use brepcd_geom::Frame;
    use brepcd_geom::surface::{Cone, Cylinder, Plane, Sphere};

    /// A random range no longer than `most`, sometimes a single value.
    fn some_range(random: &mut Random, lo: f64, hi: f64, most: f64) -> Interval {
        let a = random.range(lo, hi);
        let length = if random.below(5) == 0 {
            0.0
        } else {
            random.range(0.0, most)
        };
        Interval::new(a, (a + length).min(hi.max(a)))
    }

    #[test]
    fn holds_the_normals_of_canonical_pieces() {
        let mut random = Random::new(12);
        let mut whole = 0;
        for round in 0..5000 {
            let frame = random.frame(5.0);
            let most = if round % 3 == 0 { TAU } else { 1.5 };
            let u = some_range(&mut random, -4.0, 9.0, most);
            let (radius, half_angle) = (random.range(0.5, 3.0), random.range(-1.5, 1.5));
            let (surface, v) = match round % 7 {
                0 => (Surface::Plane(Plane { frame }), Interval::new(0.0, 1.0)),
                1 => (
                    Surface::Cylinder(Cylinder { frame, radius }),
                    Interval::new(0.0, 1.0),
                ),
                2 => (
                    Surface::Cone(Cone {
                        frame,
                        radius,
                        half_angle,
                    }),
                    Interval::new(0.0, 1.0),
                ),
                3 => {
                    let v = some_range(&mut random, -FRAC_PI_2, FRAC_PI_2, 1.0);
                    (Surface::Sphere(Sphere { frame, radius }), v)
                }
                kind => {
                    let shape = [TorusShape::Ring, TorusShape::Apple, TorusShape::Lemon][kind - 4];
                    let major = if kind == 4 { 4.0 } else { 0.4 * radius };
                    let torus = Torus {
                        frame,
                        major,
                        minor: radius,
                        shape,
                    };
                    let domain = torus.domain().1;
                    let v = some_range(&mut random, domain.lo, domain.hi, 1.5);
                    (Surface::Torus(torus), v)
                }
            };
            let cone = NormalCone::of_surface(&surface, u, v).expect("a canonical surface");
            assert!(
                !cone.is_whole() || u.length() > 0.5 || v.length() > 0.5,
                "{surface:?} {u:?} {v:?}"
            );
            whole += cone.is_whole() as usize;
            for k in 0..60 {
                let (s, t) = ((k % 4) as f64 / 3.0, (k / 4) as f64 / 14.0);
                let n = surface.normal(u.at(t), v.at(s)).expect("a normal");
                assert!(cone.contains(&n, 1e-13), "{surface:?} {u:?} {v:?} {cone:?}");
                assert!(cone.negated().contains(&-n, 1e-13));
            }
        }
        assert!(whole < 1500, "{whole}");
    }

    #[test]
    fn of_a_ring_that_meets_itself() {
        let (frame, shape) = (Frame::world(), TorusShape::Ring);
        let ring = Torus {
            frame,
            major: 1.0,
            minor: 2.0,
            shape,
        };
        let u = Interval::new(0.0, 0.3);
        let flip = (-0.5f64).acos();
        for k in 0..60 {
            let v = Interval::new(-7.0 + 0.25 * k as f64, -6.9 + 0.25 * k as f64);
            let surface = Surface::Torus(ring);
            let cone = NormalCone::of_surface(&surface, u, v).expect("a canonical surface");
            for s in [0.0, 0.5, 1.0] {
                let n = surface.normal(u.at(s), v.at(s)).expect("a normal");
                assert!(cone.contains(&n, 1e-13), "{v:?}");
            }
            let near_flip = |t: f64| {
                (t.rem_euclid(TAU) - flip).abs() < 0.11
                    || (t.rem_euclid(TAU) - TAU + flip).abs() < 0.11
            };
            assert!(!cone.is_whole() || near_flip(v.mid()), "{v:?}");
        }
    }
}
