//! Poses whose answers are known: rational copies of canonical surfaces, touching and overlapping, families.

use super::build::{Random, UNIT, edge, face, piece, vertex};
use super::oracle::Pair;
use crate::numeric::{Counts, Outcome};
use brepcd_geom::curve::{Circle, Line};
use brepcd_geom::nurbs::NurbsSurface;
use brepcd_geom::nurbs::construct::{extrude, from_conic, revolve};
use brepcd_geom::surface::{Cone, Cylinder, Plane, Sphere, Torus, TorusShape};
use brepcd_geom::{Curve, Frame, Interval, Point3, Point4, Surface, Vec3};
use brepcd_tree::{MatrixPose, TreePart};
use nalgebra::Translation3;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};
use std::sync::Arc;

fn nurbs(surface: NurbsSurface) -> Surface {
    Surface::Nurbs(Arc::new(surface))
}

fn line(from: [f64; 3], to: [f64; 3]) -> Curve {
    let (from, to) = (Point3::from(from), Point3::from(to));
    Curve::Line(Line {
        origin: from,
        dir: (to - from).normalize(),
    })
}

/// A quarter of a cylinder about z, from x to y, two high.
fn cylinder(radius: f64) -> Surface {
    let generator = line([radius, 0.0, -1.0], [radius, 0.0, 1.0]);
    let curve = from_conic(&generator, Interval::new(0.0, 2.0)).unwrap();
    nurbs(revolve(&curve, Point3::origin(), Vec3::z(), FRAC_PI_2).unwrap())
}

/// A piece of a sphere about the origin between two latitudes, turned by a quarter; `hi` may be the pole.
fn sphere(radius: f64, lo: f64, hi: f64) -> Surface {
    let frame = Frame {
        origin: Point3::origin(),
        x: Vec3::x(),
        y: Vec3::z(),
        z: -Vec3::y(),
    };
    let meridian = Curve::Circle(Circle { frame, radius });
    let curve = from_conic(&meridian, Interval::new(lo, hi)).unwrap();
    nurbs(revolve(&curve, Point3::origin(), Vec3::z(), FRAC_PI_2).unwrap())
}

fn whole(surface: Surface, same_sense: bool) -> TreePart {
    let (u, v) = surface.domain();
    face(surface, u, v, same_sense)
}

fn shift(x: f64, y: f64, z: f64) -> MatrixPose {
    MatrixPose::from_parts(Translation3::new(x, y, z), MatrixPose::identity().rotation)
}

/// Solves, checks residuals, and returns outcome and signed distances.
fn distances(a: &TreePart, b: &TreePart, pose: &MatrixPose, reach: f64) -> (Outcome, Vec<f64>) {
    let here = MatrixPose::identity();
    let mut all: Vec<(Outcome, Vec<f64>)> = Vec::new();
    // Both orders must tell the same.
    for swap in [false, true] {
        let (one, two) = (piece(a, &here), piece(b, pose));
        let pair = if swap {
            Pair { a: two, b: one }
        } else {
            Pair { a: one, b: two }
        };
        let mut counts = Counts::default();
        let (outcome, found) = pair.solve(reach, &mut counts);
        let found: Vec<_> = found.iter().map(|f| pair.flat(f)).collect();
        if outcome != Outcome::Family {
            // Beside a pole the angle is known to few digits.
            pair.check_found(&found, reach, 1e-9, "known");
        }
        let mut gaps: Vec<f64> = found.iter().map(|f| pair.distance(f).unwrap()).collect();
        gaps.sort_by(f64::total_cmp);
        all.push((outcome, gaps));
    }
    let (first, second) = (all.remove(0), all.remove(0));
    assert_eq!(first.0, second.0);
    if first.0 != Outcome::Family {
        assert_eq!(first.1.len(), second.1.len());
        for (x, y) in first.1.iter().zip(&second.1) {
            assert!((x - y).abs() < 1e-11);
        }
    }
    first
}

fn one(a: &TreePart, b: &TreePart, pose: &MatrixPose, reach: f64, expected: f64) {
    let (outcome, gaps) = distances(a, b, pose, reach);
    assert_eq!(outcome, Outcome::Resolved, "{gaps:?}");
    assert_eq!(gaps.len(), 1, "{gaps:?}, expected {expected}");
    assert!((gaps[0] - expected).abs() < 1e-11, "{gaps:?} != {expected}");
}

/// The direction in the middle of the octant in which the pieces above lie.
fn middle() -> Vec3 {
    Vec3::new(1.0, 1.0, 0.0).normalize()
}

#[test]
fn sphere_copies_against_everything_at_every_gap() {
    let ball = whole(sphere(2.0, -FRAC_PI_4, FRAC_PI_4), true);
    for gap in [-0.3, -1e-6, 0.0, 1e-9, 1e-3, 0.7] {
        let frame = |z: Vec3| Frame::from_z(Point3::origin(), z).unwrap();
        let at = |extra: f64| {
            let c = middle() * (2.0 + gap + extra);
            shift(c.x, c.y, c.z)
        };
        one(&ball, &vertex(Point3::origin()), &at(0.0), 1.0, gap);
        let span = Interval::new(-1.0, 1.0);
        let plane = Plane {
            frame: frame(-middle()),
        };
        one(
            &ball,
            &face(Surface::Plane(plane), span, span, true),
            &at(0.0),
            1.0,
            gap,
        );
        let edge_line = Line {
            origin: Point3::origin(),
            dir: Vec3::z(),
        };
        one(
            &ball,
            &edge(Curve::Line(edge_line), span),
            &at(0.0),
            1.0,
            gap,
        );
        // Rings around the contact, seen from their rims.
        let ring = Frame::from_z_and_hint(Point3::origin(), Vec3::z(), Some(-middle())).unwrap();
        let arc = Interval::new(-0.5, 0.5);
        let circle = Circle {
            frame: ring,
            radius: 1.5,
        };
        one(&ball, &edge(Curve::Circle(circle), arc), &at(1.5), 1.0, gap);
        let other = Sphere {
            frame: ring,
            radius: 1.5,
        };
        one(
            &ball,
            &face(Surface::Sphere(other), arc, arc, true),
            &at(1.5),
            1.0,
            gap,
        );
        let copy = whole(sphere(1.5, -FRAC_PI_4, FRAC_PI_4), true);
        let mut turned = at(1.5);
        turned.rotation = nalgebra::Rotation3::from_axis_angle(&Vec3::z_axis(), 2.0 * FRAC_PI_2);
        one(&ball, &copy, &turned, 1.0, gap);
        let tube = Cylinder {
            frame: ring,
            radius: 1.5,
        };
        one(
            &ball,
            &face(Surface::Cylinder(tube), arc, span, true),
            &at(1.5),
            1.0,
            gap,
        );
        let torus = Torus {
            frame: ring,
            major: 1.0,
            minor: 0.5,
            shape: TorusShape::Ring,
        };
        one(
            &ball,
            &face(Surface::Torus(torus), arc, arc, true),
            &at(1.5),
            1.0,
            gap,
        );
        let cone = Cone {
            frame: ring,
            radius: 1.5,
            half_angle: 0.3,
        };
        // The cone's nearest generator meets the centre's plane at right angles to its normal.
        let expected = (2.0 + gap + 1.5 - 1.5) * 0.3f64.cos() - 2.0;
        one(
            &ball,
            &face(Surface::Cone(cone), arc, span, true),
            &at(1.5),
            1.0,
            expected,
        );
        // From inside of a socket.
        let socket = whole(sphere(2.0, -FRAC_PI_4, FRAC_PI_4), false);
        let small = face(
            Surface::Sphere(Sphere {
                frame: Frame::from_z_and_hint(Point3::origin(), Vec3::z(), Some(middle())).unwrap(),
                radius: 0.5,
            }),
            arc,
            arc,
            true,
        );
        let inside = middle() * (1.5 - gap);
        one(
            &socket,
            &small,
            &shift(inside.x, inside.y, inside.z),
            1.0,
            gap,
        );
    }
}

#[test]
fn poles_are_no_holes() {
    // The cap of a sphere: its upper side is one point.
    let cap = whole(sphere(2.0, FRAC_PI_4, FRAC_PI_2), true);
    let mut random = Random(3);
    for k in 0..200 {
        // Directions at and about the pole, and anywhere over the cap.
        let tilt = [0.0, 1e-9, 1e-6, 1e-3, random.range(0.0, 0.7)][k % 5];
        let turn = random.range(0.1, 1.4);
        let out = Vec3::new(tilt.sin() * turn.cos(), tilt.sin() * turn.sin(), tilt.cos());
        let p = out * (2.0 + random.range(-0.3, 0.8));
        one(
            &cap,
            &vertex(Point3::from(p)),
            &shift(0.0, 0.0, 0.0),
            1.0,
            p.norm() - 2.0,
        );
        let plane = Plane {
            frame: Frame::from_z(Point3::from(p), -out).unwrap(),
        };
        let span = Interval::new(-1.0, 1.0);
        let plane = face(Surface::Plane(plane), span, span, true);
        one(&cap, &plane, &shift(0.0, 0.0, 0.0), 1.0, p.norm() - 2.0);
        // Beside the cap's quarter there is nothing.
        let beside = vertex(Point3::new(-p.x - 0.1, -p.y - 0.1, p.z));
        let (outcome, gaps) = distances(&cap, &beside, &shift(0.0, 0.0, 0.0), 1.0);
        assert_eq!((outcome, gaps.len()), (Outcome::Resolved, 0));
    }
}

#[test]
fn slightly_bent_sheets_have_one_isolated_pair() {
    // z = s (x² + y²) over a square, above a plane that is tilted by a little.
    for s in [1e-1, 1e-3, 1e-5, 1e-7] {
        let knots = vec![0.0, 0.0, 0.0, 1.0, 1.0, 1.0];
        // Control points of t² over [-1, 1] are 1, -1, 1.
        let square = [1.0, -1.0, 1.0];
        let mut control = Vec::new();
        for i in 0..3 {
            for j in 0..3 {
                let (x, y) = (f64::from(i) - 1.0, f64::from(j) - 1.0);
                let z = s * (square[i as usize] + square[j as usize]);
                control.push(Point4::new(x, y, z, 1.0));
            }
        }
        let sheet = NurbsSurface::new(2, 2, knots.clone(), knots, 3, 3, control).unwrap();
        // Seen from below: the outward normal is -z.
        let sheet = face(nurbs(sheet), UNIT, UNIT, false);
        for tilt in [0.0, 0.3, 0.9] {
            // The slope of the sheet at x = tilt is 2 s tilt.
            let slope = 2.0 * s * tilt;
            let touch = Point3::new(tilt, 0.0, s * tilt * tilt);
            let normal = Vec3::new(-slope, 0.0, 1.0).normalize();
            for gap in [0.0, 0.25] {
                let origin = touch - normal * gap;
                let plane = Plane {
                    frame: Frame::from_z(origin, normal).unwrap(),
                };
                let span = Interval::new(-3.0, 3.0);
                let plane = face(Surface::Plane(plane), span, span, true);
                let (outcome, gaps) = distances(&sheet, &plane, &shift(0.0, 0.0, 0.0), 1.0);
                assert_eq!(outcome, Outcome::Resolved, "{s} {tilt} {gap}");
                assert_eq!(gaps.len(), 1);
                assert!((gaps[0] - gap).abs() < 1e-11, "{s} {tilt}: {gaps:?}");
            }
        }
    }
}

#[test]
fn families_are_told_and_sampled() {
    let copy = whole(cylinder(1.0), true);
    let expect = |a: &TreePart, b: &TreePart, pose: &MatrixPose, gap: f64, least: usize| {
        let (outcome, gaps) = distances(a, b, pose, 1.0);
        assert_eq!(outcome, Outcome::Family, "{gaps:?}");
        assert!(gaps.len() >= least, "only {} samples", gaps.len());
        for g in &gaps {
            assert!((g - gap).abs() < 1e-9, "{g} != {gap}");
        }
    };
    let none = shift(0.0, 0.0, 0.0);
    // A pin in a bore, both ways of writing the bore.
    let (arc, span) = (Interval::new(0.0, FRAC_PI_2), Interval::new(-1.0, 1.0));
    let bore = Cylinder {
        frame: Frame::world(),
        radius: 1.25,
    };
    expect(
        &copy,
        &face(Surface::Cylinder(bore), arc, span, false),
        &none,
        0.25,
        4,
    );
    expect(&copy, &whole(cylinder(1.25), false), &none, 0.25, 4);
    // A pin on a plane, beside a pin, beside an edge.
    let frame = Frame::from_z_and_hint(Point3::from(middle() * 1.5), -middle(), Some(Vec3::z()));
    let wide = Interval::new(-2.0, 2.0);
    let plane = Plane {
        frame: frame.unwrap(),
    };
    expect(
        &copy,
        &face(Surface::Plane(plane), wide, wide, true),
        &none,
        0.5,
        2,
    );
    let frame = Frame::from_z_and_hint(Point3::from(middle() * 2.5), Vec3::z(), Some(-middle()));
    let pin = Cylinder {
        frame: frame.unwrap(),
        radius: 1.0,
    };
    let about = Interval::new(-0.5, 0.5);
    expect(
        &copy,
        &face(Surface::Cylinder(pin), about, span, true),
        &none,
        0.5,
        2,
    );
    let edge_line = Line {
        origin: Point3::from(middle() * 1.5),
        dir: Vec3::z(),
    };
    expect(&copy, &edge(Curve::Line(edge_line), wide), &none, 0.5, 2);
    // A flat sheet over a plane, over another sheet, and half beside it.
    let side = from_conic(&line([0.0; 3], [1.0, 0.0, 0.0]), UNIT).unwrap();
    let sheet = nurbs(extrude(&side, Vec3::y()).unwrap());
    let (below, above) = (
        face(sheet.clone(), UNIT, UNIT, true),
        face(sheet, UNIT, UNIT, false),
    );
    expect(&below, &above, &shift(0.0, 0.0, 0.5), 0.5, 4);
    expect(&below, &above, &shift(0.5, 0.3, 0.5), 0.5, 2);
    let plane = Plane {
        frame: Frame::world(),
    };
    expect(
        &above,
        &face(Surface::Plane(plane), UNIT, UNIT, true),
        &shift(0.2, 0.0, -0.5),
        0.5,
        4,
    );
    // Concentric spheres.
    let ball = whole(sphere(1.0, -FRAC_PI_4, FRAC_PI_4), true);
    let socket = Sphere {
        frame: Frame::world(),
        radius: 1.5,
    };
    let half = Interval::new(-FRAC_PI_4, FRAC_PI_4);
    expect(
        &ball,
        &face(Surface::Sphere(socket), arc, half, false),
        &none,
        0.5,
        4,
    );
    // A little out of parallel, nothing is left but what edges and vertices find.
    let tilted = nalgebra::Rotation3::from_axis_angle(&Vec3::y_axis(), 1e-6);
    let pose = MatrixPose::from_parts(Translation3::new(0.0, 0.0, 0.5), tilted);
    let (outcome, gaps) = distances(&below, &above, &pose, 1.0);
    assert_eq!((outcome, gaps.len()), (Outcome::Resolved, 0));
}
