//! Checks of what every surface promises.

use super::Surface;
use crate::{Aabb, Frame, Interval, Point3, Pose, Vec3};

/// A frame in general position.
pub fn frame() -> Frame {
    let z = Vec3::new(0.3, -0.5, 0.9);
    Frame::from_z_and_hint(
        Point3::new(4.0, -7.0, 2.5),
        z,
        Some(Vec3::new(1.0, 0.4, 0.2)),
    )
    .expect("a direction")
}

fn grid(t: Interval, n: usize) -> impl Iterator<Item = f64> + Clone {
    (0..=n).map(move |i| t.at(i as f64 / n as f64))
}

/// Checks everything a surface promises, over a finite part `v` of its domain.
pub fn surface(s: &Surface, u: Interval, v: Interval) {
    derivatives(s, u, v);
    round_trip(s, u, v);
    feet(s, u, v);
    boxes(s, u, v);
    let b_from_a = Pose::new(Vec3::new(1.0, 2.0, 3.0), Vec3::new(0.4, -0.7, 1.1));
    let moved = s.transformed(&b_from_a);
    let (a, b) = (u.at(0.3), v.at(0.6));
    assert!((moved.point(a, b) - b_from_a * s.point(a, b)).norm() < 1e-12);
    assert_eq!(moved.kind_name(), s.kind_name());
}

fn derivatives(s: &Surface, u: Interval, v: Interval) {
    let h = 1e-5;
    for a in grid(u, 7) {
        for b in grid(
            Interval {
                lo: v.at(0.01),
                hi: v.at(0.99),
            },
            7,
        ) {
            let j = s.jet(a, b);
            let (u0, u1) = (s.jet(a - h, b), s.jet(a + h, b));
            let (v0, v1) = (s.jet(a, b - h), s.jet(a, b + h));
            assert!((j.p - s.point(a, b)).norm() < 1e-14);
            for (exact, difference) in [
                (j.du, u1.p - u0.p),
                (j.dv, v1.p - v0.p),
                (j.duu, u1.du - u0.du),
                (j.duv, u1.dv - u0.dv),
                (j.duv, v1.du - v0.du),
                (j.dvv, v1.dv - v0.dv),
            ] {
                assert!(
                    (exact - difference / (2.0 * h)).norm() < 1e-7,
                    "{s:?} {a} {b}"
                );
            }
            let n = s.normal(a, b).expect("a regular point");
            assert!(
                (n - j.normal().expect("a regular point")).norm() < 1e-12,
                "{s:?} {a} {b}"
            );
        }
    }
}

fn round_trip(s: &Surface, u: Interval, v: Interval) {
    let periods = s.periods();
    for a in grid(u, 11) {
        for b in grid(v, 11) {
            let p = s.point(a, b);
            let at_pole = s
                .poles()
                .iter()
                .flatten()
                .any(|pole| (pole - b).abs() < 1e-9);
            for turns in -2..=2 {
                let shift = periods.map(|t| t.map_or(0.0, |t| f64::from(turns) * t));
                let guess = (a + shift[0] + 0.4, b + shift[1] - 0.3);
                let (a1, b1) = s.invert(&p, Some(guess));
                let wanted = if at_pole { guess.0 } else { a + shift[0] };
                assert!((a1 - wanted).abs() < 1e-9, "{s:?} {a} {b} {a1} {wanted}");
                assert!((b1 - b - shift[1]).abs() < 1e-9, "{s:?} {a} {b} {b1}");
            }
            let (a1, b1) = s.invert(&p, None);
            let (du, dv) = s.domain();
            assert!(du.contains(a1) && dv.contains(b1), "{s:?} {a1} {b1}");
            assert!((s.point(a1, b1) - p).norm() < 1e-12);
        }
    }
}

fn feet(s: &Surface, u: Interval, v: Interval) {
    let mut out = Vec::new();
    let samples: Vec<Point3> = grid(u, 120)
        .flat_map(|a| grid(v, 120).map(move |b| s.point(a, b)))
        .collect();
    let centre = s.point(u.at(0.4), v.at(0.5));
    for i in 0..60 {
        let t = f64::from(i);
        let offset = Vec3::new(
            (2.1 * t).sin(),
            (3.7 * t + 1.0).sin(),
            (5.3 * t + 2.0).sin(),
        );
        let p = centre + offset * 6.0;
        out.clear();
        s.feet(&p, &mut out);
        for foot in &out {
            let j = s.jet(foot.u, foot.v);
            assert!((j.p - foot.point).norm() < 1e-12);
            assert!(((p - foot.point).norm() - foot.distance).abs() < 1e-12);
            assert!(s.domain().1.contains(foot.v), "{s:?} {foot:?}");
            if s.poles()
                .iter()
                .flatten()
                .all(|pole| (pole - foot.v).abs() > 1e-9)
            {
                assert!(j.du.dot(&(p - j.p)).abs() < 1e-10, "{s:?} {foot:?}");
                assert!(j.dv.dot(&(p - j.p)).abs() < 1e-10, "{s:?} {foot:?}");
            }
        }
        let nearest = out.iter().map(|f| f.distance).fold(f64::INFINITY, f64::min);
        let sampled = samples
            .iter()
            .map(|q| (q - p).norm())
            .fold(f64::INFINITY, f64::min);
        assert!(nearest <= sampled + 1e-12, "{s:?} {p} {nearest} {sampled}");
        for guess in [None, Some((1.0, v.mid()))] {
            let (a, b) = s.invert(&p, guess);
            assert!(
                ((s.point(a, b) - p).norm() - nearest).abs() < 1e-10,
                "{s:?} {p}"
            );
        }
    }
}

fn boxes(s: &Surface, u: Interval, v: Interval) {
    let n = 200;
    for (u0, u1, v0, v1) in [
        (0.0, 1.0, 0.0, 1.0),
        (0.2, 0.5, 0.1, 0.4),
        (0.6, 0.95, 0.3, 0.9),
        (-0.3, 0.4, 0.5, 0.6),
    ] {
        let (a, b) = (
            Interval::new(u.at(u0), u.at(u1)),
            Interval::new(v.at(v0), v.at(v1)),
        );
        let exact = s.bounding_box(a, b);
        let sampled = Aabb::of(grid(a, n).flat_map(|x| grid(b, n).map(move |y| s.point(x, y))));
        let loose = exact.diagonal() * 2e-3;
        for i in 0..3 {
            assert!(exact.min[i] <= sampled.min[i] + 1e-12, "{s:?} {a:?} {b:?}");
            assert!(exact.max[i] >= sampled.max[i] - 1e-12, "{s:?} {a:?} {b:?}");
            assert!(exact.min[i] >= sampled.min[i] - loose, "{s:?} {a:?} {b:?}");
            assert!(exact.max[i] <= sampled.max[i] + loose, "{s:?} {a:?} {b:?}");
        }
    }
}

/// Checks that the normals at the extrema are parallel to the direction, and returns their number.
pub fn extrema(s: &Surface, direction: Vec3) -> usize {
    let mut out = Vec::new();
    s.extrema(&direction, &mut out);
    for &(u, v) in &out {
        let n = s.normal(u, v).expect("a normal");
        assert!(n.cross(&direction).norm() < 1e-12 * direction.norm());
        assert!(s.domain().0.contains(u) && s.domain().1.contains(v));
    }
    out.len()
}

mod tests {
    use super::super::{Cone, Cylinder, Plane, Sphere, Torus, TorusShape};
    use super::*;
    use crate::SurfaceFoot;
    use crate::oracle::{Random, least2, seeds, zeros};
    use std::f64::consts::{FRAC_PI_2, TAU};

    /// A surface of any kind and about the given size, and a finite part of its domain with all poles.
    fn any(random: &mut Random, size: f64, far: f64) -> (Surface, Interval, Interval) {
        let frame = random.frame(far);
        let (radius, other) = (size * random.real(0.1, 1.0), size * random.real(0.1, 1.0));
        let s = match random.whole(0, 6) {
            0 => Surface::Plane(Plane { frame }),
            1 => Surface::Cylinder(Cylinder { frame, radius }),
            2 | 3 => Surface::Cone(Cone {
                frame,
                radius: random.pick(&[0.0, radius]),
                half_angle: random.pick(&[1.0, -1.0]) * random.pick(&[0.01, 0.3, 1.0, 1.5]),
            }),
            4 => Surface::Sphere(Sphere { frame, radius }),
            _ => {
                let (minor, major) = (radius.min(other), radius.max(other));
                let shape = random.pick(&[TorusShape::Ring, TorusShape::Apple, TorusShape::Lemon]);
                let (major, minor) = match shape {
                    TorusShape::Ring => (major, minor),
                    TorusShape::Apple | TorusShape::Lemon => (minor, major),
                };
                Surface::Torus(Torus {
                    frame,
                    major,
                    minor,
                    shape,
                })
            }
        };
        let (u, v) = s.domain();
        let finite = |d: Interval| Interval::new(d.lo.max(-3.0 * size), d.hi.min(3.0 * size));
        let (u, v) = if matches!(s, Surface::Plane(_)) {
            (finite(u), finite(v))
        } else {
            (u, v)
        };
        let v = if s.periods()[1].is_none() && !v.length().is_finite() {
            finite(v)
        } else {
            v
        };
        (s, u, v)
    }

    fn all(
        count: u64,
        mut check: impl FnMut(u64, &mut Random, &Surface, Interval, Interval, f64, f64),
    ) {
        for seed in seeds(count) {
            let mut random = Random::new(seed);
            let size = random.pick(&[1e-3, 1.0, 1e4]);
            let far = random.pick(&[0.0, 1e5]);
            let (s, u, v) = any(&mut random, size, far);
            if v.length() > 0.0 {
                check(seed, &mut random, &s, u, v, size, far);
            }
        }
    }

    #[test]
    fn boxes_are_exact() {
        all(60, |seed, random, s, u, v, size, far| {
            let mut part = |d: Interval| {
                Interval::new(d.at(random.real(-0.0, 1.0)), d.at(random.real(0.0, 1.0)))
            };
            let (mut a, b) = (part(u), part(v));
            if s.periods()[0].is_some() {
                let shift = TAU * (random.whole(0, 4) as f64 - 2.0) + random.real(0.0, TAU);
                a = Interval {
                    lo: a.lo + shift,
                    hi: a.hi + shift,
                };
            }
            let found = s.bounding_box(a, b);
            let tol = 1e-12 * size + 1e-14 * far;
            for axis in 0..3 {
                let (lo, ..) = least2(a, b, 60, &|u, v| s.point(u, v)[axis]);
                let (hi, ..) = least2(a, b, 60, &|u, v| -s.point(u, v)[axis]);
                let miss = (found.min[axis] - lo, found.max[axis] + hi);
                assert!(
                    miss.0.abs() <= tol && miss.1.abs() <= tol,
                    "{seed} {s:?} {miss:?}"
                );
            }
        });
    }

    #[test]
    fn inversion_finds_the_nearest_point_near_the_guess() {
        all(100, |seed, random, s, u, v, size, far| {
            let p = s.point(u.at(random.real(0.0, 1.0)), v.at(random.real(0.0, 1.0)))
                + random.vector(1.0) * (size * random.pick(&[0.0, 1e-3, 1.0]));
            let (least, ..) = least2(u, v, 60, &|a, b| (s.point(a, b) - p).norm());
            let guess = (random.real(-20.0, 20.0), random.real(-20.0, 20.0));
            for guess in [None, Some(guess)] {
                let (a, b) = s.invert(&p, guess);
                let miss = (s.point(a, b) - p).norm();
                assert!(
                    miss <= least + 1e-11 * size + 1e-14 * far,
                    "{seed} {s:?} {miss} {least}"
                );
                for (t, g, period, domain) in [
                    (a, guess.map(|g| g.0), s.periods()[0], s.domain().0),
                    (b, guess.map(|g| g.1), s.periods()[1], s.domain().1),
                ] {
                    match (g, period) {
                        (Some(g), Some(period)) => {
                            assert!((t - g).abs() <= 0.5001 * period, "{seed}")
                        }
                        _ => assert!(domain.contains(t), "{seed} {s:?} {t}"),
                    }
                }
            }
        });
    }

    #[test]
    fn feet_and_extrema_are_complete() {
        all(80, |seed, random, s, u, v, size, far| {
            let p = s.point(u.at(random.real(0.0, 1.0)), v.at(random.real(0.0, 1.0)))
                + random.vector(0.7 * size);
            let d = random.vector(1.0);
            let mut feet: Vec<SurfaceFoot> = Vec::new();
            let mut extrema = Vec::new();
            s.feet(&p, &mut feet);
            s.extrema(&d, &mut extrema);
            let tol = 1e-7 * size + 1e-12 * far;
            for (a, b) in zeros(u, v, 20, &|u, v| {
                let j = s.jet(u, v);
                let r = j.p - p;
                let second = [
                    j.du.norm_squared() + r.dot(&j.duu),
                    j.du.dot(&j.dv) + r.dot(&j.duv),
                    j.dv.norm_squared() + r.dot(&j.dvv),
                ];
                ([r.dot(&j.du), r.dot(&j.dv)], second)
            }) {
                let q = s.point(a, b);
                let pole = s
                    .poles()
                    .iter()
                    .flatten()
                    .any(|x| (s.point(0.0, *x) - q).norm() < tol);
                let hit = feet.iter().any(|f| (f.point - q).norm() < tol);
                assert!(hit || pole, "{seed} {s:?} {a} {b}");
            }
            for (a, b) in zeros(u, v, 20, &|u, v| {
                let j = s.jet(u, v);
                (
                    [d.dot(&j.du), d.dot(&j.dv)],
                    [d.dot(&j.duu), d.dot(&j.duv), d.dot(&j.dvv)],
                )
            }) {
                let q = s.point(a, b);
                let pole = s
                    .poles()
                    .iter()
                    .flatten()
                    .any(|x| (s.point(0.0, *x) - q).norm() < tol);
                let hit = extrema.iter().any(|e| (s.point(e.0, e.1) - q).norm() < tol);
                assert!(hit || pole, "{seed} {s:?} {a} {b}");
            }
            for &(a, b) in &extrema {
                let n = s.normal(a, b).unwrap();
                assert!(n.cross(&d).norm() < 1e-9 * d.norm(), "{seed} {s:?}");
            }
        });
    }

    #[test]
    fn normals_have_limits_at_poles_and_jets_their_differences() {
        all(60, |seed, random, s, u, v, size, _| {
            let a = u.at(random.real(0.0, 1.0));
            for (pole, inwards) in s.poles().into_iter().zip([1.0, -1.0]) {
                let Some(pole) = pole else { continue };
                let h = 1e-6
                    * if s.domain().1.length() < 7.0 {
                        1.0
                    } else {
                        size
                    };
                let near = s.jet(a, pole + inwards * h).normal().unwrap();
                let limit = s.normal(a, pole).unwrap();
                assert!((near - limit).norm() < 1e-4, "{seed} {s:?}");
                let spread = s.point(a, pole) - s.point(a + 1.0, pole);
                assert!(spread.norm() < 1e-9 * size.max(1e-2), "{seed} {s:?}");
            }
            let b = v.at(random.real(0.1, 0.9));
            let j = s.jet(a, b);
            if let Some(n) = j.normal() {
                assert!((n - s.normal(a, b).unwrap()).norm() < 1e-9, "{seed} {s:?}");
            }
        });
    }

    #[test]
    fn extreme_half_angles_and_tiny_cones_stay_finite() {
        for half_angle in [1e-12, -1e-12, FRAC_PI_2 - 1e-9, 1e-300] {
            let cone = Cone {
                frame: frame(),
                radius: 2.0,
                half_angle,
            };
            let s = Surface::Cone(cone);
            let p = frame().point(3.0, 1.0, 0.5);
            let (u, v) = s.invert(&p, None);
            assert!(u.is_finite() && v.is_finite(), "{half_angle}");
            let mut feet = Vec::new();
            s.feet(&p, &mut feet);
            let nearest = feet
                .iter()
                .map(|f| f.distance)
                .fold(f64::INFINITY, f64::min);
            assert!(
                ((s.point(u, v) - p).norm() - nearest).abs() < 1e-9,
                "{half_angle}"
            );
        }
    }
}
