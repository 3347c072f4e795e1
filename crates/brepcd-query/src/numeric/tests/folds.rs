//! Two stationary pairs that meet and vanish: a slope is changed until they do, as finely as numbers go, and at no
//! step may the search give up.

use super::build::{UNIT, edge, face, piece, vertex};
use super::oracle::Pair;
use crate::numeric::{Counts, Outcome};
use brepcd_geom::curve::{Circle, Line};
use brepcd_geom::nurbs::{NurbsCurve, NurbsSurface};
use brepcd_geom::surface::{Cone, Cylinder, Plane, Sphere, Torus, TorusShape};
use brepcd_geom::{Curve, Frame, Interval, Point3, Point4, Surface, Vec3};
use brepcd_tree::{MatrixPose, TreePart};
use nalgebra::{Translation3, UnitQuaternion};
use std::sync::Arc;

/// Where the cubic below begins and ends.
const ENDS: [f64; 2] = [-0.47, 0.56];

/// The Bézier points of `s`, `s²` and `s³` between the ends, by blossoms.
fn powers() -> [[f64; 3]; 4] {
    std::array::from_fn(|i| {
        let [x, y, z] = std::array::from_fn(|k| ENDS[usize::from(k < i)]);
        [(x + y + z) / 3.0, (x * y + y * z + z * x) / 3.0, x * y * z]
    })
}

/// The curve `z = s³ + slope s` over a slightly bent `x = s`: two pairs with a plane, or none.
fn wave(slope: f64) -> TreePart {
    let control = powers().map(|[s, s2, s3]| Point4::new(s, 0.3 * s2, s3 + slope * s, 1.0));
    let knots = [vec![0.0; 4], vec![1.0; 4]].concat();
    let curve = NurbsCurve::new(3, knots, control.to_vec()).unwrap();
    edge(Curve::Nurbs(Arc::new(curve)), UNIT)
}

/// The same as a sheet that bends up across.
fn sheet(slope: f64) -> TreePart {
    let mut control = Vec::new();
    for [s, s2, s3] in powers() {
        // Bézier points of t and t² from -1/2 to 1/2.
        for (t, t2) in [(-0.5, 0.25), (0.0, -0.25), (0.5, 0.25)] {
            let z = s3 + slope * s + t2 + 0.1 * s * t;
            control.push(Point4::new(s, t + 0.2 * s2, z, 1.0));
        }
    }
    let knots = |n: usize| [vec![0.0; n + 1], vec![1.0; n + 1]].concat();
    let surface = NurbsSurface::new(3, 2, knots(3), knots(2), 4, 3, control).unwrap();
    face(Surface::Nurbs(Arc::new(surface)), UNIT, UNIT, false)
}

/// One of each kind, about a unit below the wave.
fn others() -> Vec<TreePart> {
    let (down, along) = (Point3::new(0.0, 0.0, -1.0), Interval::new(-2.0, 2.0));
    let lower = Point3::new(0.0, 0.0, -2.0);
    let flat = Frame::from_z(down, Vec3::z()).unwrap();
    let lying = Frame::from_z_and_hint(lower, Vec3::x(), Some(Vec3::z())).unwrap();
    let upper_half = Interval::new(-1.0, 1.0);
    let cone = Cone {
        frame: lying,
        radius: 1.0,
        half_angle: 0.1,
    };
    let torus = Torus {
        frame: Frame::from_z_and_hint(Point3::new(0.0, 0.0, -5.0), Vec3::y(), Some(Vec3::z()))
            .unwrap(),
        major: 3.0,
        minor: 1.0,
        shape: TorusShape::Ring,
    };
    vec![
        vertex(down),
        edge(
            Curve::Line(Line {
                origin: down,
                dir: Vec3::x(),
            }),
            along,
        ),
        edge(
            Curve::Circle(Circle {
                frame: lying,
                radius: 1.0,
            }),
            upper_half,
        ),
        face(Surface::Plane(Plane { frame: flat }), along, along, true),
        face(
            Surface::Cylinder(Cylinder {
                frame: lying,
                radius: 1.0,
            }),
            upper_half,
            along,
            true,
        ),
        face(Surface::Cone(cone), upper_half, along, true),
        face(
            Surface::Sphere(Sphere {
                frame: lying,
                radius: 1.0,
            }),
            upper_half,
            upper_half,
            true,
        ),
        face(Surface::Torus(torus), upper_half, upper_half, true),
    ]
}

#[test]
fn pairs_that_meet_are_resolved() {
    let here = MatrixPose::identity();
    let shift = Translation3::new(20.0, -70.0, 110.0);
    let turn = UnitQuaternion::from_scaled_axis(Vec3::new(0.3, -0.5, 0.2));
    let there = MatrixPose::from_parts(shift, turn.to_rotation_matrix());
    for (kind, other) in others().iter().enumerate() {
        for (name, make) in [("wave", wave as fn(f64) -> TreePart), ("sheet", sheet)] {
            for pose in [&here, &there] {
                let count = |slope: f64| {
                    let made = make(slope);
                    let pair = Pair {
                        a: piece(&made, pose),
                        b: piece(other, pose),
                    };
                    let (outcome, found) = pair.solve(3.0, &mut Counts::default());
                    let what = format!("{name} and {kind} at {slope:e}: {found:?}");
                    assert_eq!(outcome, Outcome::Resolved, "{what}");
                    found.len()
                };
                let (mut low, mut high) = (-0.05, 0.6);
                let (many, few) = (count(low), count(high));
                assert_eq!(many, few + 2, "{name} and {kind}");
                while high - low > f64::EPSILON {
                    let middle = 0.5 * (low + high);
                    if count(middle) > few {
                        low = middle;
                    } else {
                        high = middle;
                    }
                }
            }
        }
    }
}
