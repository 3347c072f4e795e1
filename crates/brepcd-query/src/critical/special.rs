//! Special positions of round cores, exact and nearly so: what CAD parts are full of.

use super::oracle::{Random, agree, assert_stationary};
use super::{Core, FamilyKind, Outcome, Pairs, Tolerance, stationary};
use brepcd_geom::curve::{Circle, Ellipse, Line};
use brepcd_geom::surface::Cone;
use brepcd_geom::{Frame, Point3, Vec3};
use std::f64::consts::{FRAC_PI_2, TAU};

const OFFSETS: [f64; 6] = [1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-3];

/// The distance of a point from a core, signed for a surface, `None` where the apex of a cone is nearest.
fn distance(core: &Core, p: &Point3) -> Option<f64> {
    match core {
        Core::Point(q) => Some((p - q).norm()),
        Core::Line(l) => Some((p - l.origin).cross(&l.dir).norm()),
        Core::Circle(c) => {
            let q = c.frame.local(p);
            Some((q.x.hypot(q.y) - c.radius).hypot(q.z))
        }
        Core::Ellipse(e) => (0..720)
            .map(|i| (e.point(TAU * i as f64 / 720.0) - p).norm())
            .min_by(f64::total_cmp),
        Core::Plane(s) => Some(s.frame.local(p).z),
        Core::Cone(c) => {
            let q = c.frame.local(p);
            let (s, cosine) = c.half_angle.sin_cos();
            let rho = q.x.hypot(q.y) - c.radius;
            let on_nappe = c.radius + (rho * s + q.z * cosine) * s > 0.0;
            on_nappe.then(|| rho * cosine - q.z * s)
        }
    }
}

/// The least distance of sampled points, `None` where the curve pierces the surface or the apex is nearest to some.
fn least(core: &Core, samples: &[Point3]) -> Option<f64> {
    let all: Option<Vec<f64>> = samples.iter().map(|p| distance(core, p)).collect();
    let all = all?;
    let low = all.iter().copied().fold(f64::INFINITY, f64::min);
    let high = all.iter().copied().fold(-f64::INFINITY, f64::max);
    (low * high > 0.0).then(|| low.abs().min(high.abs()))
}

/// Points of a closed curve.
fn points(core: &Core, count: usize) -> Vec<Point3> {
    let angles = (0..count).map(|i| TAU * (i as f64 + 0.3) / count as f64);
    match core {
        Core::Circle(c) => angles.map(|t| c.point(t)).collect(),
        Core::Ellipse(e) => angles.map(|t| e.point(t)).collect(),
        Core::Point(_) | Core::Line(_) | Core::Plane(_) | Core::Cone(_) => Vec::new(),
    }
}

/// Solves both ways; each pair is stationary, and no point of the closed curve `b` is nearer to `a` than the nearest pair.
fn check(a: &Core, b: &Core, size: f64) -> (Outcome, Pairs) {
    let tol = Tolerance::for_size(size);
    let (mut out, mut swapped) = (Pairs::new(), Pairs::new());
    let outcome = stationary(a, b, &tol, &mut out);
    assert_ne!(outcome, Outcome::Unresolved, "{a:?} {b:?}");
    let mirrored = stationary(b, a, &tol, &mut swapped);
    assert_ne!(mirrored, Outcome::Unresolved, "{b:?} {a:?}");
    for pair in out.as_slice() {
        let tolerance = if pair.family.is_some() { 2e-10 } else { 1e-13 };
        assert_stationary(a, b, pair, size, tolerance);
    }
    let nearest = |pairs: &Pairs| {
        let distances = pairs.as_slice().iter().map(|p| p.distance());
        distances.fold(f64::INFINITY, f64::min)
    };
    let reach = out
        .as_slice()
        .iter()
        .fold(size, |m, p| m.max(p.a.coords.norm()));
    let slack = if matches!(outcome, Outcome::Family(_)) {
        2e-10 * size
    } else {
        1e-14 * (reach + size)
    };
    let sampled = least(a, &points(b, 400)).unwrap_or(f64::INFINITY);
    for found in [nearest(&out), nearest(&swapped)] {
        assert!(
            found <= sampled + slack,
            "{found} instead of {sampled}: {a:?} {b:?} {:?}",
            out.as_slice()
        );
    }
    (outcome, out)
}

fn circle(frame: Frame, radius: f64) -> Core {
    Core::Circle(Circle { frame, radius })
}

fn turned(frame: &Frame, origin: Point3, axis: Vec3, angle: f64) -> Frame {
    let turn = nalgebra::Rotation3::from_scaled_axis(axis * angle);
    Frame {
        origin,
        x: turn * frame.x,
        y: turn * frame.y,
        z: turn * frame.z,
    }
}

#[test]
fn known_coaxial_circles() {
    let (a, b) = (circle(Frame::world(), 100.0), circle(Frame::world(), 50.0));
    let (outcome, out) = check(&a, &b, 100.0);
    assert_eq!(outcome, Outcome::Family(FamilyKind::Ring));
    let distances: Vec<f64> = out.as_slice().iter().map(|p| p.distance()).collect();
    assert_eq!(distances, [50.0, 150.0]);
}

#[test]
fn circles_in_symmetric_positions() {
    let mut random = Random::new(101);
    for i in 0..1200 {
        let f = random.frame();
        let (shift, radius, other) = (
            random.real(0.05, 3.0),
            random.real(0.2, 2.0),
            random.real(0.2, 2.0),
        );
        let (height, angle) = (random.signed(), random.real(0.1, 1.4));
        let frame = match i % 6 {
            // Coplanar, and of parallel axes.
            0 => turned(&f, f.point(shift, 0.3, 0.0), f.z, angle),
            1 => turned(&f, f.point(shift, 0.3, height), f.z, angle),
            // Concentric, and with the centre on the axis.
            2 => turned(&f, f.origin, f.x, angle),
            3 => turned(&f, f.point(0.0, 0.0, height), f.y, angle),
            // Planes at right angles, axes crossing at right angles; linked or not.
            4 => turned(&f, f.point(shift, 0.0, 0.0), f.x, FRAC_PI_2),
            // Axes in one plane.
            _ => turned(&f, f.point(shift, 0.0, height), f.y, angle),
        };
        let (a, b) = (circle(f, radius), circle(frame, other));
        agree(&a, &b, |tol, out| {
            let outcome = stationary(&a, &b, tol, out);
            assert!(out.as_slice().len() >= 4);
            outcome
        });
        check(&a, &b, 1.0);
    }
}

#[test]
fn circles_that_meet_the_axis() {
    let mut random = Random::new(102);
    for i in 0..600 {
        let f = random.frame();
        let (radius, other) = (random.real(1.0, 2.0), random.real(0.2, 1.0));
        let off = [0.0, 1e-13, 1e-11, 1e-9, 1e-6, 1e-3][i % 6] * random.signed();
        let on_axis = f.point(0.0, 0.0, random.signed());
        let mut frame = random.frame();
        frame.origin = on_axis - frame.x * (other - off) + frame.y * off;
        check(&circle(f, radius), &circle(frame, other), 1.0);
        // Touching the axis in the centre: every direction is stationary there.
        let frame = turned(&f, f.point(other, 0.0, 0.0), f.x, FRAC_PI_2);
        let (outcome, out) = check(&circle(f, radius), &circle(frame, other), 1.0);
        assert_eq!(outcome, Outcome::Family(FamilyKind::Ring));
        assert_eq!(
            out.as_slice().iter().filter(|p| p.family.is_some()).count(),
            1
        );
        let near = turned(
            &f,
            f.point(other + off, 0.0, 0.3 * off),
            f.x,
            FRAC_PI_2 + off,
        );
        check(&circle(f, radius), &circle(near, other), 1.0);
    }
}

#[test]
fn crossing_and_touching_curves() {
    let mut random = Random::new(103);
    for i in 0..600 {
        let mut b = random.circle();
        let t = 3.0 * random.signed();
        let p = b.point(t);
        let tangent = b.frame.tangential(t);
        let line = |dir: Vec3| Line {
            origin: p - dir * 0.7,
            dir,
        };
        for dir in [random.unit(), tangent] {
            let (_, out) = check(&Core::Line(line(dir)), &Core::Circle(b), 1.0);
            let least = out
                .as_slice()
                .iter()
                .map(|p| p.distance())
                .fold(9.0, f64::min);
            assert!(least < 1e-14);
        }
        let mut a = random.circle();
        if i % 2 == 0 {
            // Coplanar and touching, from outside or inside.
            let side = if i % 4 == 0 { 1.0 } else { -1.0 };
            a.frame = b.frame;
            a.frame.origin = p + b.frame.radial(t) * (side * a.radius);
        } else {
            b.frame.origin += a.point(1.0) - p;
        }
        let (_, out) = check(&Core::Circle(a), &Core::Circle(b), 1.0);
        let nearest = |p: &&super::Pair| p.distance() < 1e-7;
        let touch = out.as_slice().iter().find(nearest).unwrap();
        assert!(touch.distance() < 1e-14);
        if i % 2 == 1 {
            let tangents = a.frame.tangential(1.0).cross(&b.frame.tangential(t));
            let direction = touch.direction.unwrap();
            assert!(direction.cross(&tangents).norm() < 1e-12);
        }
    }
}

#[test]
fn nearly_coaxial() {
    let mut random = Random::new(104);
    for off in OFFSETS {
        for i in 0..120 {
            let f = random.frame();
            let (radius, other) = (random.real(0.5, 2.0), random.real(0.5, 2.0));
            let other = if i % 5 == 0 { radius } else { other };
            let height = if i % 3 == 0 { 0.0 } else { random.signed() };
            let (shift, tilt) = [(off, 0.0), (0.0, off), (off, off)][i % 3];
            let origin = f.point(0.0, 0.0, height) + random.unit() * shift;
            let frame = turned(&f, origin, random.unit(), tilt);
            let a = circle(f, radius);
            let b = Core::Circle(Circle {
                frame,
                radius: other,
            });
            check(&a, &b, 1.0);
            let axis = Core::Line(Line {
                origin: f.origin,
                dir: f.z,
            });
            check(&axis, &b, 1.0);
            let cone = Core::Cone(Cone {
                frame: f,
                radius: 1.5 + radius,
                half_angle: random.real(0.2, 1.0),
            });
            check(&cone, &b, 1.0);
            let ellipse = |rx: f64, ry: f64| Core::Ellipse(Ellipse { frame, rx, ry });
            for (rx, ry) in [(other, other), (other, other * (1.0 + off)), (other, 0.7)] {
                check(&a, &ellipse(rx, ry), 1.0);
                check(&axis, &ellipse(rx, ry), 1.0);
                check(&cone, &ellipse(rx, ry), 1.0);
            }
        }
    }
}

#[test]
fn circles_on_a_torus_about_the_other() {
    let mut random = Random::new(105);
    for off in [0.0, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5] {
        for _ in 0..50 {
            let f = random.frame();
            let (major, minor) = (2.0, random.real(0.3, 1.5));
            let tilt = (minor / major).asin() + off;
            let frame = turned(&f, f.point(minor, 0.0, 0.0), f.x, tilt);
            let (outcome, out) = check(&circle(f, major), &circle(frame, major), 1.0);
            assert_eq!(outcome == Outcome::Family(FamilyKind::Ring), off == 0.0);
            let nearest = out.as_slice().iter().map(|p| p.distance());
            assert!((nearest.fold(9.0, f64::min) - minor).abs() < 1e-12 + 2.0 * off);
        }
    }
}

#[test]
fn tiny_against_huge_and_far_from_the_origin() {
    let mut random = Random::new(106);
    for i in 0..300 {
        let far = random.unit() * [0.0, 1e3, 1e6][i % 3];
        let mut a = random.circle();
        a.radius = 1e3;
        a.frame.origin += far;
        let near = a.point(3.0 * random.signed()) + random.vector() * [1.0, 1e-2][i % 2];
        let mut frame = random.frame();
        frame.origin = near;
        let small = Core::Circle(Circle {
            frame,
            radius: 1e-3,
        });
        let (_, out) = check(&Core::Circle(a), &small, 1e3);
        assert!(out.as_slice().len() >= 4);
        let line = Core::Line(Line {
            origin: a.frame.origin,
            dir: (near - a.frame.origin).normalize(),
        });
        check(&line, &small, 1e3);
        let cone = Cone {
            frame: a.frame,
            radius: 1e3,
            half_angle: 0.5,
        };
        check(&Core::Cone(cone), &small, 1e3);
    }
}

#[test]
fn results_scale_and_move_along() {
    let mut random = Random::new(107);
    for i in 0..400 {
        let size = [1e-3, 1e3][i % 2];
        let away = random.unit() * (1e3 * size);
        let frame = |f: &Frame| Frame {
            origin: Point3::from(f.origin.coords * size + away),
            ..*f
        };
        let moved = |core: &Core| match core {
            Core::Circle(c) => circle(frame(&c.frame), c.radius * size),
            Core::Ellipse(e) => Core::Ellipse(Ellipse {
                frame: frame(&e.frame),
                rx: e.rx * size,
                ry: e.ry * size,
            }),
            Core::Cone(c) => Core::Cone(Cone {
                frame: frame(&c.frame),
                radius: c.radius * size,
                ..*c
            }),
            Core::Line(l) => Core::Line(Line {
                origin: Point3::from(l.origin.coords * size + away),
                ..*l
            }),
            Core::Point(_) | Core::Plane(_) => *core,
        };
        let cores = [
            Core::Line(random.line()),
            Core::Circle(random.circle()),
            Core::Ellipse(random.ellipse()),
            Core::Cone(random.cone()),
        ];
        for (a, b) in (0..4).flat_map(|a| (0..4).map(move |b| (a, b))) {
            let (a, b) = (cores[a], cores[b]);
            if a == b {
                continue;
            }
            let (mut here, mut there) = (Pairs::new(), Pairs::new());
            stationary(&a, &b, &Tolerance::default(), &mut here);
            let tol = Tolerance::for_size(size);
            let outcome = stationary(&moved(&a), &moved(&b), &tol, &mut there);
            assert_eq!(outcome, Outcome::Isolated);
            let sorted = |pairs: &Pairs, size: f64| {
                let mut list: Vec<f64> = pairs
                    .as_slice()
                    .iter()
                    .map(|p| p.distance() / size)
                    .collect();
                list.sort_by(f64::total_cmp);
                list
            };
            let (here, there) = (sorted(&here, 1.0), sorted(&there, size));
            assert_eq!(here.len(), there.len(), "{a:?} {b:?}");
            for (x, y) in here.iter().zip(&there) {
                assert!((x - y).abs() < 1e-11 * (1.0 + x), "{x} {y} {a:?} {b:?}");
            }
        }
    }
}

/// The ellipse in which the plane with this frame's `x` and `y` cuts a cone that opens along the world's `z`.
fn section(half_angle: f64, height: f64, slope: f64) -> Ellipse {
    let (tangent, (s, c)) = (half_angle.tan(), slope.sin_cos());
    // The ends of the long axis, on the generators in the plane of the axis and the steepest descent.
    let end = |side: f64| {
        let z = height / (1.0 - side * tangent * s / c);
        Point3::new(side * tangent * z, 0.0, z)
    };
    let (low, high) = (end(-1.0), end(1.0));
    let middle = nalgebra::center(&low, &high);
    let half_width = ((tangent * middle.z).powi(2) - middle.x.powi(2)).sqrt();
    let x = (high - low).normalize();
    Ellipse {
        frame: Frame {
            origin: middle,
            x,
            y: Vec3::y(),
            z: x.cross(&Vec3::y()),
        },
        rx: 0.5 * (high - low).norm(),
        ry: half_width,
    }
}

#[test]
fn sections_of_parallel_cones() {
    let mut random = Random::new(108);
    for off in [0.0, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-3] {
        for _ in 0..50 {
            let half_angle = random.real(0.2, 0.7);
            let slope = random.real(0.0, 0.6);
            let mut ellipse = section(half_angle, 2.0, slope);
            let shift = random.real(-0.5, 0.5);
            ellipse.frame.origin += random.unit() * off;
            let cone = Cone {
                frame: Frame {
                    origin: Point3::new(0.0, 0.0, shift),
                    ..Frame::world()
                },
                radius: 0.0,
                half_angle,
            };
            let (outcome, out) = check(&Core::Cone(cone), &Core::Ellipse(ellipse), 1.0);
            assert_eq!(outcome == Outcome::Family(FamilyKind::Ring), off == 0.0);
            let expected = (shift * half_angle.sin()).abs();
            let nearest = out.as_slice().iter().map(|p| p.distance());
            assert!((nearest.fold(9.0, f64::min) - expected).abs() < 1e-12 + 2.0 * off);
        }
    }
}
