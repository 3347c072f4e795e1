use super::*;
use crate::curve::{Circle, Line};
use crate::nurbs::construct::{extrude, from_conic, offset, revolve};
use crate::oracle::{Random, grid, seeds};
use crate::surface::{Cylinder, Torus, TorusShape};
use crate::{Frame, Interval, Point3, Vec3};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

const TOL: f64 = 1e-5;

fn frame() -> Frame {
    Frame::from_z_and_hint(
        Point3::new(30.0, -20.0, 50.0),
        Vec3::new(0.3, -0.5, 0.8),
        None,
    )
    .unwrap()
}

/// A circle arc in the half plane `x`, `z`.
fn meridian(x: f64, radius: f64, lo: f64, hi: f64) -> NurbsCurve {
    let f = frame();
    let frame = Frame {
        origin: f.point(x, 0.0, 0.0),
        x: f.x,
        y: f.z,
        z: -f.y,
    };
    from_conic(
        &Curve::Circle(Circle { frame, radius }),
        Interval::new(lo, hi),
    )
    .unwrap()
}

fn segment(a: Point3, b: Point3) -> NurbsCurve {
    let line = Line {
        origin: a,
        dir: (b - a).normalize(),
    };
    from_conic(&Curve::Line(line), Interval::new(0.0, (b - a).norm())).unwrap()
}

fn found(input: &NurbsSurface, limit: f64) -> Surface {
    let (surface_found, deviation) = surface(input, TOL).expect("recognised");
    assert!(
        deviation <= limit,
        "{surface_found:?} deviates {deviation:e}"
    );
    let (du, dv) = input.domain();
    for (a, b) in [(0.1, 0.2), (0.45, 0.83), (0.95, 0.4)] {
        let p = input.point(du.at(a), dv.at(b));
        let (u, v) = surface_found.invert(&p, None);
        assert!(
            (surface_found.point(u, v) - p).norm() <= 2.0 * limit,
            "{surface_found:?}"
        );
    }
    surface_found
}

#[test]
fn revolutions_are_recognised() {
    let f = frame();
    for angle in [0.3, 2.0, TAU] {
        let turn = |c: &NurbsCurve| revolve(c, f.origin, f.z, angle).unwrap();
        let line =
            |a: (f64, f64), b: (f64, f64)| segment(f.point(a.0, 0.0, a.1), f.point(b.0, 0.0, b.1));
        let Surface::Plane(p) = found(&turn(&line((2.0, 1.0), (7.0, 1.0))), 1e-11) else {
            panic!()
        };
        assert!(p.frame.z.cross(&f.z).norm() < 1e-11);
        let Surface::Cylinder(c) = found(&turn(&line((7.0, 1.0), (7.0, 9.0))), 1e-10) else {
            panic!()
        };
        assert!((c.radius - 7.0).abs() < 1e-8 && c.frame.z.cross(&f.z).norm() < 1e-8);
        let Surface::Cone(c) = found(&turn(&line((0.0, 4.0), (3.0, 0.0))), 1e-10) else {
            panic!()
        };
        assert!((c.half_angle - 0.75_f64.atan()).abs() < 1e-8 && c.frame.z.dot(&f.z) < -0.999_999);
        let Surface::Sphere(s) = found(&turn(&meridian(0.0, 6.0, -FRAC_PI_2, 1.0)), 1e-10) else {
            panic!()
        };
        assert!((s.radius - 6.0).abs() < 1e-8 && s.frame.z.cross(&f.z).norm() < 1e-8);
        let Surface::Torus(t) = found(&turn(&meridian(8.0, 2.0, 0.0, 2.5)), 1e-10) else {
            panic!()
        };
        assert!((t.major - 8.0).abs() < 1e-6 && (t.minor - 2.0).abs() < 1e-6);
        assert_eq!(t.shape, TorusShape::Ring);
        let Surface::Torus(t) = found(&turn(&meridian(-2.0, 6.0, -0.9, 0.9)), 1e-10) else {
            panic!()
        };
        assert!((t.major - 2.0).abs() < 1e-6 && t.shape == TorusShape::Lemon);
        let Surface::Torus(t) = found(&turn(&meridian(2.0, 6.0, -0.9, 1.5)), 1e-10) else {
            panic!()
        };
        assert!((t.major - 2.0).abs() < 1e-6 && t.shape == TorusShape::Apple);
    }
}

#[test]
fn orientation_is_told() {
    let f = frame();
    let up = segment(f.point(7.0, 0.0, 1.0), f.point(7.0, 0.0, 9.0));
    for (angle, outwards) in [(2.0, true), (-2.0, false)] {
        let input = revolve(&up, f.origin, f.z, angle).unwrap();
        assert_eq!(
            same_orientation(&input, &surface(&input, TOL).unwrap().0),
            outwards
        );
    }
}

#[test]
fn polynomial_approximations_are_recognised_within_tolerance() {
    let torus = Torus {
        frame: frame(),
        major: 10.0,
        minor: 3.0,
        shape: TorusShape::Ring,
    };
    let cylinder = Cylinder {
        frame: frame(),
        radius: 4.0,
    };
    let ranges = (Interval::new(0.0, 3.0), Interval::new(0.0, 2.0));
    let (input, _) = offset(&Surface::Torus(torus), ranges, -1.0, 0.5 * TOL).unwrap();
    let Surface::Torus(t) = found(&input, TOL) else {
        panic!()
    };
    assert!((t.minor - 2.0).abs() < TOL && (t.major - 10.0).abs() < 2.0 * TOL);
    let (input, _) = offset(&Surface::Cylinder(cylinder), ranges, 1.0, 0.5 * TOL).unwrap();
    let Surface::Cylinder(c) = found(&input, TOL) else {
        panic!()
    };
    assert!((c.radius - 5.0).abs() < TOL);
}

#[test]
fn free_form_is_not_recognised() {
    let f = frame();
    let mut input = revolve(&meridian(8.0, 2.0, 0.0, 2.5), f.origin, f.z, 2.0).unwrap();
    let middle = input.control.len() / 2;
    input.control[middle] += f.z.push(0.0) * 1e-3;
    assert!(surface(&input, TOL).is_none());
    let ellipse = crate::curve::Ellipse {
        frame: f,
        rx: 3.0,
        ry: 3.001,
    };
    let curve_input = from_conic(&Curve::Ellipse(ellipse), Interval::new(0.0, 3.0)).unwrap();
    assert!(curve(&curve_input, TOL).is_none());
    assert!(surface(&extrude(&curve_input, f.z * 5.0).unwrap(), TOL).is_none());
    assert!(surface(&extrude(&curve_input, f.z * 5.0).unwrap(), 1e-2).is_some());
}

#[test]
fn curves_are_recognised_in_their_direction() {
    let f = frame();
    for (lo, hi) in [(0.3, 0.5), (-1.0, 2.0), (1.0, 1.0 + TAU)] {
        let input = from_conic(
            &Curve::Circle(Circle {
                frame: f,
                radius: 4.0,
            }),
            Interval::new(lo, hi),
        )
        .unwrap();
        let Some((Curve::Circle(c), deviation)) = curve(&input, TOL) else {
            panic!()
        };
        assert!(deviation < 1e-11 && (c.radius - 4.0).abs() < 1e-8);
        assert!((c.frame.z - f.z).norm() < 1e-8 && (c.frame.x - f.radial(lo)).norm() < 1e-8);
    }
    let twice = from_conic(
        &Curve::Circle(Circle {
            frame: f,
            radius: 4.0,
        }),
        Interval::new(0.0, 3.0 * PI),
    )
    .unwrap();
    assert!(curve(&twice, TOL).is_none());
    let (a, b) = (f.point(1.0, 2.0, 3.0), f.point(-4.0, 2.0, 8.0));
    let Some((Curve::Line(l), _)) = curve(&segment(a, b), TOL) else {
        panic!()
    };
    assert!((l.dir - (b - a).normalize()).norm() < 1e-14);
}

/// The same surface in another guise: knots moved and stretched, refined, elevated, turned about.
fn disguised(random: &mut Random, s: &NurbsSurface) -> NurbsSurface {
    let mut s = s.clone();
    if random.chance(0.5) {
        let (du, dv) = s.domain();
        s = s.insert_knot_u(du.at(random.real(0.1, 0.9)));
        s = s.insert_knot_v(dv.at(random.real(0.1, 0.9)));
    }
    if random.chance(0.4) {
        s = s.elevate_u();
    }
    if random.chance(0.4) {
        s = s.elevate_v();
    }
    if random.chance(0.5) {
        s = s.swapped();
    }
    if random.chance(0.5) {
        s = s.reversed();
    }
    let (shift, stretch) = (random.real(-50.0, 50.0), random.real(0.01, 20.0));
    let knots_u = s.knots_u.iter().map(|k| k * stretch + shift).collect();
    let control = s.control.clone();
    let counts = (s.count_u, s.count_v);
    let degrees = (s.degree_u, s.degree_v);
    NurbsSurface::new(
        degrees.0,
        degrees.1,
        knots_u,
        s.knots_v.clone(),
        counts.0,
        counts.1,
        control,
    )
    .unwrap()
}

#[test]
fn every_guise_is_recognised() {
    for seed in seeds(60) {
        let mut random = Random::new(seed);
        let size = random.pick(&[0.05, 1.0, 300.0]);
        let far = random.pick(&[0.0, 100.0, 1e5]);
        let f = random.frame(far);
        let angle = random.pick(&[TAU, PI, random_angle(seed)]);
        let line = |a: (f64, f64), b: (f64, f64)| {
            let at = |p: (f64, f64)| f.point(p.0 * size, 0.0, p.1 * size);
            segment(at(a), at(b))
        };
        let arc = |x: f64, r: f64, lo: f64, hi: f64| {
            let frame = Frame {
                origin: f.point(x * size, 0.0, 0.0),
                x: f.x,
                y: f.z,
                z: -f.y,
            };
            let circle = Curve::Circle(Circle {
                frame,
                radius: r * size,
            });
            from_conic(&circle, Interval::new(lo, hi)).unwrap()
        };
        let turned = |c: &NurbsCurve| revolve(c, f.origin, f.z, angle).unwrap();
        let close = |a: f64, b: f64| (a - b).abs() < 1e-7 * size + 1e-11 * far;
        let about_axis = |frame: &Frame| {
            let d = frame.origin - f.origin;
            (d - f.z * f.z.dot(&d)).norm() < 1e-6 * size + 1e-10 * far
                && frame.z.cross(&f.z).norm() < 1e-6 + 1e-9 * far / size
        };
        let tol = TOL * size.max(0.1);
        let mut found = |s: NurbsSurface| {
            let input = disguised(&mut random, &s);
            let Some((out, deviation)) = surface(&input, tol) else {
                panic!("{seed}: nothing found for size {size} far {far} angle {angle}")
            };
            assert!(
                deviation < 1e-9 * size + 1e-12 * far,
                "{seed} {deviation:e} {out:?}"
            );
            out
        };
        let Surface::Plane(p) = found(turned(&line((0.2, 0.3), (1.0, 0.3)))) else {
            panic!("{seed}")
        };
        assert!(
            p.frame.z.cross(&f.z).norm() < 1e-8 + 1e-10 * far / size,
            "{seed}"
        );
        let Surface::Cylinder(c) = found(turned(&line((0.7, 0.0), (0.7, 0.9)))) else {
            panic!("{seed}")
        };
        assert!(
            close(c.radius, 0.7 * size) && about_axis(&c.frame),
            "{seed} {c:?}"
        );
        for (a, b) in [((0.0, 0.4), (0.5, 0.0)), ((0.3, 0.0), (0.9, 1.0))] {
            let Surface::Cone(c) = found(turned(&line(a, b))) else {
                panic!("{seed}")
            };
            let half = ((b.0 - a.0) / (b.1 - a.1)).abs().atan();
            assert!(
                (c.half_angle.abs() - half).abs() < 1e-6 + 1e-9 * far / size,
                "{seed} {c:?}"
            );
            assert!(about_axis(&c.frame), "{seed} {c:?}");
        }
        for (lo, hi) in [(-FRAC_PI_2, FRAC_PI_2), (-0.4, 0.6), (0.5, FRAC_PI_2)] {
            let Surface::Sphere(s) = found(turned(&arc(0.0, 0.6, lo, hi))) else {
                panic!("{seed}")
            };
            assert!(close(s.radius, 0.6 * size), "{seed} {s:?}");
            assert!(
                (s.frame.origin - f.origin).norm() < 1e-6 * size + 1e-10 * far,
                "{seed} {s:?}"
            );
        }
        for (lo, hi) in [(0.0, TAU), (0.3, 2.0), (2.0, 4.5)] {
            let Surface::Torus(t) = found(turned(&arc(0.8, 0.3, lo, hi))) else {
                panic!("{seed}")
            };
            assert!(
                close(t.major, 0.8 * size) && close(t.minor, 0.3 * size),
                "{seed} {t:?}"
            );
            assert!(
                about_axis(&t.frame) && t.shape == TorusShape::Ring,
                "{seed} {t:?}"
            );
        }
        let pole = (2.0_f64 / 6.0).acos();
        for (x, lo, hi, shape) in [
            (0.2, pole - PI, PI - pole, TorusShape::Apple),
            (-0.2, -pole, pole, TorusShape::Lemon),
            (-0.2, -0.3, 0.7, TorusShape::Lemon),
        ] {
            let Surface::Torus(t) = found(turned(&arc(x, 0.6, lo, hi))) else {
                panic!("{seed} {shape:?}")
            };
            assert!(
                close(t.major, 0.2 * size) && close(t.minor, 0.6 * size),
                "{seed} {t:?}"
            );
            assert!(about_axis(&t.frame) && t.shape == shape, "{seed} {t:?}");
        }
    }
}

fn random_angle(seed: u64) -> f64 {
    Random::new(seed + 1000).real(0.4, 6.0)
}

#[test]
fn what_is_recognised_is_within_tolerance_everywhere() {
    let mut kept = 0;
    for seed in seeds(120) {
        let mut random = Random::new(seed);
        let f = random.frame(50.0);
        let frame = Frame {
            origin: f.point(8.0, 0.0, 0.0),
            x: f.x,
            y: f.z,
            z: -f.y,
        };
        let circle = Curve::Circle(Circle { frame, radius: 2.0 });
        let curve = match random.whole(0, 2) {
            0 => from_conic(&circle, Interval::new(0.0, 2.5)).unwrap(),
            1 => segment(f.point(3.0, 0.0, 0.0), f.point(3.0, 0.0, 5.0)),
            _ => segment(f.point(3.0, 0.0, 0.0), f.point(4.0, 0.0, 5.0)),
        };
        let mut input = revolve(&curve, f.origin, f.z, random.real(0.3, 3.0)).unwrap();
        for _ in 0..random.whole(0, 2) {
            let (du, dv) = input.domain();
            input = input.insert_knot_u(du.at(random.real(0.1, 0.9)));
            input = input.insert_knot_v(dv.at(random.real(0.1, 0.9)));
        }
        let bent = random.whole(0, input.control.len() - 1);
        let by = random.vector(1.0) * random.pick(&[3e-6, 1e-5, 3e-5, 1e-4, 1e-2]);
        let w = input.control[bent].w;
        input.control[bent] += by.push(0.0) * w;
        let input = NurbsSurface::new(
            input.degree_u,
            input.degree_v,
            input.knots_u,
            input.knots_v,
            input.count_u,
            input.count_v,
            input.control,
        )
        .unwrap();
        let Some((out, deviation)) = surface(&input, TOL) else {
            continue;
        };
        kept += 1;
        let (du, dv) = input.domain();
        let mut worst = 0.0_f64;
        for (u, v) in grid(du, 80).flat_map(|u| grid(dv, 80).map(move |v| (u, v))) {
            let p = input.point(u, v);
            let (a, b) = out.invert(&p, None);
            worst = worst.max((out.point(a, b) - p).norm());
        }
        assert!(worst <= 1.1 * TOL, "{seed} {out:?} {worst:e}");
        assert!(
            worst <= 1.3 * deviation + 1e-11,
            "{seed} {worst:e} {deviation:e}"
        );
    }
    assert!(kept > 10);
}

#[test]
fn degenerate_input_is_nothing() {
    let at = |x: f64, y: f64, z: f64| crate::nurbs::lift(&Point3::new(x, y, z), 1.0);
    let knots = vec![0.0, 0.0, 0.0, 1.0, 1.0, 1.0];
    let all = |f: &dyn Fn(f64, f64) -> Point3| {
        let control = (0..9)
            .map(|i| f(f64::from(i / 3), f64::from(i % 3)))
            .map(|p| at(p.x, p.y, p.z))
            .collect();
        NurbsSurface::new(2, 2, knots.clone(), knots.clone(), 3, 3, control).unwrap()
    };
    assert!(
        surface(&all(&|_, _| Point3::new(1.0, 2.0, 3.0)), TOL).is_none(),
        "a point"
    );
    assert!(
        surface(&all(&|x, y| Point3::new(x + y, 0.0, 0.0)), TOL).is_none(),
        "a line"
    );
    let curve_only = all(&|x, _| Point3::new(x, x * x, 0.0));
    assert!(surface(&curve_only, TOL).is_none(), "a curve");
    let folded = all(&|x, y| Point3::new((x - 1.0).abs(), y, 0.0));
    assert!(
        surface(&folded, TOL).is_none(),
        "a plane folded onto itself"
    );
    let saddle = all(&|x, y| Point3::new(x, y, (x - 1.0) * (y - 1.0)));
    assert!(surface(&saddle, TOL).is_none(), "a saddle");
    let bump = all(&|x, y| Point3::new(x, y, if x == 1.0 && y == 1.0 { 4e-4 } else { 0.0 }));
    assert!(
        surface(&bump, TOL).is_none_or(|s| s.1 <= TOL),
        "a slight bump"
    );
    for scale in [1e-30, 1e30, 1e150] {
        let _ = surface(&all(&|x, y| Point3::new(x, y, x * x + y) * scale), TOL);
    }
    let points = vec![at(1.0, 1.0, 1.0); 3];
    assert!(curve(&NurbsCurve::new(2, knots.clone(), points).unwrap(), TOL).is_none());
    let back = vec![at(0.0, 0.0, 0.0), at(2.0, 0.0, 0.0), at(1.0, 0.0, 0.0)];
    assert!(curve(&NurbsCurve::new(2, knots.clone(), back).unwrap(), TOL).is_none());
}
