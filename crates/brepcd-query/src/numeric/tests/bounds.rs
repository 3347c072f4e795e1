//! Values and slopes of the equations at points of a box against what was promised of them in its middle.

use super::build::{Random, UNIT, edge, face, piece, vertex};
use crate::numeric::net::Net;
use crate::numeric::problem::{Cell, Problem};
use crate::numeric::side::Side;
use crate::numeric::{load, local_frame, rank};
use brepcd_geom::curve::{Circle, Ellipse, Hyperbola, Line, Parabola};
use brepcd_geom::surface::{Cone, Cylinder, Plane, Sphere, Torus, TorusShape};
use brepcd_geom::{Curve, Interval, Point3, Surface};
use brepcd_tree::{MatrixPose, TreePart};

/// One part of every kind, about as large as 1.
pub fn every_kind(random: &mut Random) -> Vec<(&'static str, TreePart)> {
    let arc = Interval::new(0.3, 1.0);
    let frame = random.frame(0.5);
    let surface = |s: Surface, v: Interval| face(s, arc, v, true);
    vec![
        ("vertex", vertex(Point3::from(random.vector(0.5)))),
        (
            "line",
            edge(
                Curve::Line(Line {
                    origin: frame.origin,
                    dir: frame.z,
                }),
                UNIT,
            ),
        ),
        (
            "circle",
            edge(Curve::Circle(Circle { frame, radius: 1.3 }), arc),
        ),
        (
            "ellipse",
            edge(
                Curve::Ellipse(Ellipse {
                    frame,
                    rx: 1.5,
                    ry: 0.8,
                }),
                arc,
            ),
        ),
        (
            "parabola",
            edge(Curve::Parabola(Parabola { frame, focal: 0.7 }), UNIT),
        ),
        (
            "hyperbola",
            edge(
                Curve::Hyperbola(Hyperbola {
                    frame,
                    a: 0.8,
                    b: 0.6,
                }),
                UNIT,
            ),
        ),
        ("curve", edge(random.curve(3, 0.15, false), UNIT)),
        ("rational curve", edge(random.curve(4, 0.15, true), UNIT)),
        ("plane", surface(Surface::Plane(Plane { frame }), UNIT)),
        (
            "cylinder",
            surface(Surface::Cylinder(Cylinder { frame, radius: 1.2 }), UNIT),
        ),
        (
            "cone",
            surface(
                Surface::Cone(Cone {
                    frame,
                    radius: 0.5,
                    half_angle: 0.4,
                }),
                UNIT,
            ),
        ),
        (
            "sphere",
            surface(Surface::Sphere(Sphere { frame, radius: 1.1 }), arc),
        ),
        (
            "torus",
            surface(
                Surface::Torus(Torus {
                    frame,
                    major: 1.5,
                    minor: 0.6,
                    shape: TorusShape::Ring,
                }),
                arc,
            ),
        ),
        (
            "surface",
            face(random.patch([3, 3], 0.5, 0.2, false), UNIT, UNIT, true),
        ),
        (
            "rational surface",
            face(random.patch([2, 3], 0.5, 0.2, true), UNIT, UNIT, true),
        ),
    ]
}

#[test]
fn expansions_hold_what_they_promise() {
    let mut random = Random(5);
    let mut tightness = Vec::new();
    for round in 0..40 {
        let parts = every_kind(&mut random);
        let (here, there) = (random.pose(3.0, 0.3), random.pose(3.0, 0.3));
        let here = if round == 0 {
            MatrixPose::identity()
        } else {
            here
        };
        for (name_a, part_a) in &parts {
            for (name_b, part_b) in &parts {
                let (a, b) = (piece(part_a, &here), piece(part_b, &there));
                let frame = local_frame(&a, &b);
                let (pose_a, pose_b) = (frame * a.a_from_part, frame * b.a_from_part);
                let (mut net_a, mut net_b) = (Net::default(), Net::default());
                assert!(load(&a, &mut net_a, &pose_a, true) && load(&b, &mut net_b, &pose_b, true));
                let (x, y) = (
                    Side::new(&a, &net_a, &pose_a),
                    Side::new(&b, &net_b, &pose_b),
                );
                if rank(&x) == 0 || rank(&y) > rank(&x) {
                    continue;
                }
                let reach = random.range(0.1, 4.0);
                let problem = Problem {
                    x,
                    y,
                    reach,
                    flat: 1e-12,
                    rounding: 1e-12,
                };
                let name = format!("{name_a} × {name_b}");
                tightness.push(check(&problem, &mut random, &name));
            }
        }
    }
    tightness.sort_by(f64::total_cmp);
    println!(
        "median of the largest share used: {}",
        tightness[tightness.len() / 2]
    );
}

fn check(problem: &Problem<'_>, random: &mut Random, name: &str) -> f64 {
    let whole = problem.whole();
    let n = problem.size();
    let mut cell = Cell::default();
    for k in 0..n {
        let share = random.range(0.05, 1.0);
        cell.half[k] = whole.half[k] * share;
        cell.mid[k] = whole.mid[k] + random.range(share - 1.0, 1.0 - share) * whole.half[k];
    }
    let (x, y) = problem.sides(&cell);
    let e = problem.over(&cell, x, y);
    let out = problem.is_out_of_reach(&cell, &x, &y);
    let s = &e.system;
    let mut used = 0.0_f64;
    for _ in 0..60 {
        let at: [f64; 4] = std::array::from_fn(|_| {
            let t = random.range(-1.3, 1.3);
            t.clamp(-1.0, 1.0)
        });
        let mut point = cell;
        for k in 0..n {
            point.mid[k] += at[k] * cell.half[k];
        }
        let there = problem.at(&point);
        let far = there.x.model.p - there.y.model.p;
        if problem.y.is_placed() && far.norm() > problem.reach {
            continue;
        }
        // The rows of a normal are scaled by its length in the middle of a box.
        let (old, new) = (e.x.model.normal().norm(), there.x.model.normal().norm());
        for i in 0..n {
            let is_normal = problem.x.is_surface() && problem.y.is_placed() && i >= problem.x.dim;
            let scale = if is_normal { new / old } else { 1.0 };
            let linear: f64 = s.value[i] + (0..n).map(|k| s.slope[i][k] * at[k]).sum::<f64>();
            let off = (there.system.value[i] * scale - linear).abs();
            assert!(
                off <= s.rest[i] + 1e-12,
                "{name}: row {i}: {off} > {}",
                s.rest[i]
            );
            used = used.max(off / s.rest[i]);
            for k in 0..n {
                let off = (there.system.slope[i][k] * scale - s.slope[i][k]).abs();
                let limit = s.stray[i][k];
                assert!(
                    off <= limit + 1e-12,
                    "{name}: slope {i} {k}: {off} > {limit}"
                );
            }
        }
        if out {
            // No pair may be in reach: distances of cores, or of a point from a directed surface at the angle.
            let gap = super::super::finish::tests::gap(problem, &point.mid);
            assert!(gap.is_none_or(|g| g > problem.reach), "{name}: {gap:?}");
        }
    }
    used
}
