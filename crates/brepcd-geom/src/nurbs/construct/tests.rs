use super::*;
use crate::curve::{Circle, Ellipse, Hyperbola, Line, Parabola};
use crate::oracle::{Random, grid, seeds};
use crate::surface::Torus;
use crate::surface::TorusShape;

fn tilted() -> Frame {
    Frame::from_z_and_hint(Point3::new(3.0, -2.0, 5.0), Vec3::new(0.3, -0.5, 0.8), None).unwrap()
}

#[test]
fn conics_are_exact() {
    let frame = tilted();
    let range = Interval::new(-1.0, 4.9);
    let arc = from_conic(&Curve::Circle(Circle { frame, radius: 2.5 }), range).unwrap();
    let hyperbola = from_conic(
        &Curve::Hyperbola(Hyperbola {
            frame,
            a: 2.0,
            b: 3.0,
        }),
        range,
    )
    .unwrap();
    let parabola = Curve::Parabola(Parabola { frame, focal: 0.7 });
    let quadratic = from_conic(&parabola, range).unwrap();
    for i in 0..=50 {
        let t = range.at(f64::from(i) / 50.0);
        let q = frame.local(&arc.point(t));
        assert!((q.x.hypot(q.y) - 2.5).abs() < 1e-13 && q.z.abs() < 1e-13);
        let q = frame.local(&hyperbola.point(t));
        let defect = (q.x / 2.0).powi(2) - (q.y / 3.0).powi(2) - 1.0;
        assert!(defect.abs() < 1e-11 * q.norm_squared().max(1.0) && q.x > 0.0);
        assert!((quadratic.point(t) - parabola.point(t)).norm() < 1e-12);
    }
    let end = frame.local(&arc.point(range.hi));
    assert!((end.y.atan2(end.x) - (4.9 - TAU)).abs() < 1e-13);
    assert!(from_conic(&Curve::Circle(Circle { frame, radius: 1.0 }), Interval::ALL).is_err());
}

#[test]
fn revolution_turns_every_point_of_the_curve() {
    let frame = tilted();
    let meridian = Frame {
        origin: frame.point(4.0, 0.0, 1.0),
        x: frame.x,
        y: frame.z,
        z: -frame.y,
    };
    let circle = Curve::Circle(Circle {
        frame: meridian,
        radius: 1.5,
    });
    let curve = from_conic(&circle, Interval::new(0.2, 4.0)).unwrap();
    for angle in [0.7, -2.0, 4.0, TAU] {
        let surface = revolve(&curve, frame.origin, frame.z * 3.0, angle).unwrap();
        for (i, j) in (0..20).flat_map(|i| (0..7).map(move |j| (i, j))) {
            let v = Interval::new(0.2, 4.0).at(f64::from(j) / 6.0);
            let (p, c) = (
                surface.point(angle.abs() * f64::from(i) / 19.0, v),
                curve.point(v),
            );
            let (p, c) = (frame.local(&p), frame.local(&c));
            assert!((p.z - c.z).abs() < 1e-12 && (p.x.hypot(p.y) - c.x.hypot(c.y)).abs() < 1e-12);
        }
        let (a, b) = (surface.point(0.0, 0.5), surface.point(angle.abs(), 0.5));
        let turn = Rotation3::from_axis_angle(&Unit::new_normalize(frame.z), angle);
        assert!((turn * (a - frame.origin) - (b - frame.origin)).norm() < 1e-12);
    }
}

#[test]
fn extrusion_is_curve_plus_vector() {
    let circle = Curve::Circle(Circle {
        frame: tilted(),
        radius: 2.0,
    });
    let curve = from_conic(&circle, Interval::new(0.0, 3.0)).unwrap();
    let along = Vec3::new(1.0, 2.0, -4.0);
    let surface = extrude(&curve, along).unwrap();
    assert!((surface.point(1.1, 0.3) - (curve.point(1.1) + along * 0.3)).norm() < 1e-13);
}

#[test]
fn offset_of_a_torus_is_a_torus() {
    let torus = Torus {
        frame: tilted(),
        major: 10.0,
        minor: 2.0,
        shape: TorusShape::Ring,
    };
    let ranges = (Interval::new(0.3, 3.0), Interval::new(-1.0, 1.5));
    let (surface, deviation) = offset(&Surface::Torus(torus), ranges, 0.5, 1e-7).unwrap();
    assert!(deviation <= 1e-7);
    for (i, j) in (0..30).flat_map(|i| (0..30).map(move |j| (i, j))) {
        let (u, v) = (
            ranges.0.at(f64::from(i) / 29.0),
            ranges.1.at(f64::from(j) / 29.0),
        );
        let q = torus.frame.local(&surface.point(u, v));
        assert!(((q.x.hypot(q.y) - 10.0).hypot(q.z) - 2.5).abs() < 2e-7);
    }
    let infinite = (Interval::ALL, Interval::ALL);
    assert!(offset(&Surface::Torus(torus), infinite, 0.5, 1e-7).is_err());
}

#[test]
fn arcs_of_every_conic_lie_on_it_with_its_parameters_at_the_knots() {
    for seed in seeds(60) {
        let mut random = Random::new(seed);
        let (size, far) = (random.pick(&[1e-3, 1.0, 1e4]), random.pick(&[0.0, 1e5]));
        let frame = random.frame(far);
        let (a, b) = (size * random.real(0.1, 1.0), size * random.real(0.1, 1.0));
        let (kind, lo) = (random.whole(0, 4), random.real(-4.0, 4.0));
        let length = random.pick(&[1e-3, 0.7, 3.0, TAU]);
        let curve = match kind {
            0 => Curve::Line(Line {
                origin: frame.origin,
                dir: frame.x,
            }),
            1 => Curve::Circle(Circle { frame, radius: a }),
            2 => Curve::Ellipse(Ellipse {
                frame,
                rx: a,
                ry: b,
            }),
            3 => Curve::Hyperbola(Hyperbola { frame, a, b }),
            _ => Curve::Parabola(Parabola { frame, focal: a }),
        };
        let range = Interval::new(lo, lo + length);
        let nurbs = from_conic(&curve, range).unwrap();
        assert_eq!(nurbs.domain(), range);
        let tol = 1e-13 * size * 1e2 + 1e-14 * far;
        let tol = if kind == 3 {
            tol * (lo.abs() + length).cosh()
        } else {
            tol
        };
        for &t in &nurbs.knots {
            assert!(
                (nurbs.point(t) - curve.point(t)).norm() <= tol,
                "{seed} {kind}"
            );
        }
        for t in grid(range, 40) {
            let near = curve.nearest(&nurbs.point(t), range);
            assert!(near.distance <= tol, "{seed} {kind} {:e}", near.distance);
        }
        for t in grid(range, 40) {
            let found = nurbs.nearest(&curve.point(t), range);
            assert!(found.distance <= tol, "{seed} {kind} {:e}", found.distance);
        }
    }
}

#[test]
fn revolutions_and_extrusions_move_every_point_exactly() {
    for seed in seeds(30) {
        let mut random = Random::new(seed);
        let far = random.pick(&[0.0, 1e5]);
        let (axis, curve) = {
            let frame = random.frame(far);
            (frame, random.curve(2.0, &frame.origin).build())
        };
        let angle = random.pick(&[0.3, 2.0, 5.0, TAU, 9.0, -1.0]);
        let tol = 1e-12 + 1e-14 * far;
        let s = revolve(&curve, axis.origin, axis.z, angle).unwrap();
        assert_eq!(s.domain().0.hi, angle.abs().min(TAU));
        assert_eq!(s.is_closed()[0], angle.abs() >= TAU);
        let steps = (angle.abs().min(TAU) / FRAC_PI_2).ceil();
        let quarter = s.domain().0.hi / steps * angle.signum();
        for v in grid(curve.domain(), 15) {
            let c = axis.local(&curve.point(v));
            for u in grid(s.domain().0, 15) {
                let p = axis.local(&s.point(u, v));
                assert!((p.z - c.z).abs() < tol, "{seed}");
                assert!((p.x.hypot(p.y) - c.x.hypot(c.y)).abs() < tol, "{seed}");
            }
            for k in 0..=steps as usize {
                let turn = Rotation3::from_axis_angle(&Vec3::z_axis(), quarter * k as f64);
                let p = axis.local(&s.point(quarter.abs() * k as f64, v));
                assert!((turn * c - p).norm() < tol, "{seed} {k}");
            }
        }
        let along = random.vector(5.0);
        let s = extrude(&curve, along).unwrap();
        for (u, v) in grid(curve.domain(), 15).flat_map(|u| [0.0, 0.3, 1.0].map(|v| (u, v))) {
            assert!(
                (s.point(u, v) - curve.point(u) - along * v).norm() < tol,
                "{seed}"
            );
        }
    }
}

#[test]
fn a_meridian_from_the_axis_makes_poles() {
    let f = tilted();
    let meridian = Frame {
        origin: f.origin,
        x: f.x,
        y: f.z,
        z: -f.y,
    };
    let circle = Curve::Circle(Circle {
        frame: meridian,
        radius: 2.0,
    });
    let half = from_conic(&circle, Interval::new(-FRAC_PI_2, FRAC_PI_2)).unwrap();
    let s = revolve(&half, f.origin, f.z, TAU).unwrap();
    assert_eq!(s.poles(), [Some(-FRAC_PI_2), Some(FRAC_PI_2)]);
    for (v, sign) in [(-FRAC_PI_2, -1.0), (FRAC_PI_2, 1.0)] {
        assert!((s.normal(1.0, v).unwrap() - f.z * sign).norm() < 1e-12);
        assert_eq!(
            s.invert(&(f.origin + f.z * (sign * 2.0)), Some((5.0, 0.9 * v))),
            (5.0, v)
        );
    }
}

#[test]
fn offsets_of_every_kind_keep_their_distance() {
    use crate::surface::{Cone, Cylinder, Plane, Sphere};
    let frame = tilted();
    let quarter = Interval::new(0.1, 1.6);
    let cases: [(Surface, Interval, Interval); 5] = [
        (Surface::Plane(Plane { frame }), quarter, quarter),
        (
            Surface::Cylinder(Cylinder { frame, radius: 3.0 }),
            Interval::new(0.0, TAU),
            quarter,
        ),
        (
            Surface::Cone(Cone {
                frame,
                radius: 1.0,
                half_angle: -0.5,
            }),
            quarter,
            Interval::new(-3.0, 2.0),
        ),
        (
            Surface::Sphere(Sphere { frame, radius: 2.0 }),
            quarter,
            Interval::new(-FRAC_PI_2, FRAC_PI_2),
        ),
        (
            Surface::Nurbs(std::sync::Arc::new(crate::nurbs::surface::tests::wavy())),
            Interval::new(1.0, 3.0),
            Interval::new(0.0, 0.4),
        ),
    ];
    for (s, u, v) in cases {
        for distance in [0.1, -0.1] {
            let (out, deviation) = offset(&s, (u, v), distance, 1e-7).unwrap();
            assert!(deviation <= 1e-7, "{s:?} {deviation:e}");
            for (a, b) in grid(u, 23).flat_map(|a| grid(v, 23).map(move |b| (a, b))) {
                // a crease at the upper end belongs to the part above
                let normal = s.normal(a, b.min(v.hi - 1e-12)).unwrap();
                let exact = s.point(a, b) + normal * distance;
                let miss = (out.point(a, b) - exact).norm();
                assert!(miss < 3e-7, "{s:?} {a} {b} {miss:e}");
            }
        }
    }
}
