//! Crossings of single patches: against a dense grid, and where faces just touch.

use super::{Misses, Scratch, crossing};
use crate::piece::Piece;
use brepcd_geom::nurbs::{NurbsSurface, lift};
use brepcd_geom::surface::{Cone, Cylinder, Plane, Sphere, Torus, TorusShape};
use brepcd_geom::{Frame, Interval, Point3, Surface, Vec3};
use brepcd_tree::{
    Feature, FeatureId, Header, Kinds, MatrixPose, Membership, Patch, PatchId, Run, Settings,
    Shape, TreePart,
};
use nalgebra::{Rotation3, Translation3};
use std::sync::Arc;

/// Repeatable random numbers (splitmix64).
pub(super) struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn range(&mut self, lo: f64, hi: f64) -> f64 {
        lo + (hi - lo) * ((self.next() >> 11) as f64 / (1u64 << 53) as f64)
    }

    pub fn unit(&mut self) -> Vec3 {
        loop {
            let v = Vec3::from_fn(|_, _| self.range(-1.0, 1.0));
            if v.norm() > 0.1 && v.norm() < 1.0 {
                return v.normalize();
            }
        }
    }

    fn frame(&mut self) -> Frame {
        let origin = Point3::from(self.unit() * 3.0);
        let (z, x) = (self.unit(), self.unit());
        Frame::from_z_and_hint(origin, z, Some(x)).expect("a direction")
    }
}

/// A part with one patch that fills its ranges.
pub(super) fn part(surface: Surface, same_sense: bool, u: Interval, v: Interval) -> TreePart {
    let none = Run::default();
    let control = match &surface {
        Surface::Nurbs(s) => s.control.clone(),
        _ => Vec::new(),
    };
    let run = Run {
        start: 0,
        end: control.len() as u32,
    };
    TreePart {
        header: Header {
            source: String::new(),
            source_hash: 0,
            settings: Settings {
                max_angle: 0.35,
                min_size: 1e-3,
                regularization: 0.0,
                border: 1e-7,
                chord: 1e-3,
            },
            tolerance: 1e-7,
            size: 1.0,
            reach: 1.5,
        },
        names: Vec::new(),
        sources: Vec::new(),
        shells: Vec::new(),
        features: vec![Feature {
            kind: Kinds::empty(),
            sources: none,
            shape: Shape::Face {
                surface,
                same_sense,
                sheet: false,
                borders: none,
            },
        }],
        spans: Vec::new(),
        tangents: Vec::new(),
        trims: Vec::new(),
        borders: Vec::new(),
        crossings: Vec::new(),
        control,
        patches: vec![Patch {
            feature: FeatureId(0),
            u,
            v,
            membership: Membership::Inside,
            control: run,
        }],
        nodes: Vec::new(),
    }
}

pub(super) const KINDS: usize = 7;

/// A near-flat patch of a kind.
pub(super) fn any(kind: usize, random: &mut Random) -> TreePart {
    let frame = random.frame();
    let radius = random.range(1.0, 5.0);
    let sense = random.range(0.0, 1.0) < 0.5;
    let around = |random: &mut Random, middle: f64, half: f64| {
        let (a, b) = (random.range(0.3, 1.0) * half, random.range(0.3, 1.0) * half);
        Interval {
            lo: middle - a,
            hi: middle + b,
        }
    };
    let turn = random.range(-7.0, 7.0);
    let angle = around(random, turn, 0.35);
    let length = around(random, 0.0, 2.0);
    match kind {
        0 => {
            let other = around(random, 0.0, 2.0);
            part(Surface::Plane(Plane { frame }), sense, length, other)
        }
        1 => part(
            Surface::Cylinder(Cylinder { frame, radius }),
            sense,
            angle,
            length,
        ),
        2 => {
            let half_angle = random.range(-0.6, 0.6);
            let cone = Cone {
                frame,
                radius: radius + 2.0,
                half_angle,
            };
            part(Surface::Cone(cone), sense, angle, length)
        }
        3 => {
            let middle = random.range(-0.8, 0.8);
            let v = around(random, middle, 0.25);
            part(Surface::Sphere(Sphere { frame, radius }), sense, angle, v)
        }
        4 | 5 => {
            let torus = Torus {
                frame,
                major: if kind == 4 { radius + 1.0 } else { 1.0 },
                minor: if kind == 4 { 1.0 } else { radius + 1.0 },
                shape: if kind == 4 {
                    TorusShape::Ring
                } else {
                    TorusShape::Apple
                },
            };
            let middle = if kind == 4 {
                random.range(-3.0, 3.0)
            } else {
                random.range(-1.0, 1.0)
            };
            let v = around(random, middle, 0.3);
            part(Surface::Torus(torus), sense, angle, v)
        }
        _ => {
            let control = (0..16)
                .map(|i| {
                    let (x, y) = ((i / 4) as f64 - 1.5, (i % 4) as f64 - 1.5);
                    let z = random.range(-0.2, 0.2);
                    let weight = random.range(0.8, 1.2);
                    lift(&frame.point(x, y, z), weight)
                })
                .collect();
            let knots = vec![0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0];
            let surface = NurbsSurface::new(3, 3, knots.clone(), knots, 4, 4, control);
            let whole = Interval { lo: 0.0, hi: 1.0 };
            let surface = Surface::Nurbs(Arc::new(surface.expect("a surface")));
            part(surface, sense, whole, whole)
        }
    }
}

fn face(part: &TreePart) -> (&Surface, f64, &Patch) {
    match &part.features[0].shape {
        Shape::Face {
            surface,
            same_sense,
            ..
        } => (
            surface,
            if *same_sense { 1.0 } else { -1.0 },
            &part.patches[0],
        ),
        _ => unreachable!("the parts of these tests are faces"),
    }
}

/// Point and outward normal in the middle of a part's patch.
fn middle(part: &TreePart) -> (Point3, Vec3) {
    let (surface, sense, patch) = face(part);
    let (u, v) = (patch.u.mid(), patch.v.mid());
    (
        surface.point(u, v),
        surface.normal(u, v).expect("a normal") * sense,
    )
}

/// The pose that puts the middle of `b` beside the middle of `a`, normals opposite, turned by `spin`, sunk by `depth`.
fn facing(a: &TreePart, b: &TreePart, spin: f64, depth: f64) -> MatrixPose {
    let ((p, n), (q, m)) = (middle(a), middle(b));
    let axis = nalgebra::Unit::new_normalize(n);
    let turn = Rotation3::rotation_between(&m, &-n).unwrap_or_else(|| {
        let mut side = Vec3::zeros();
        side[m.iamin()] = 1.0;
        Rotation3::new(m.cross(&side).normalize() * std::f64::consts::PI)
    });
    let turn = Rotation3::from_axis_angle(&axis, spin) * turn;
    let to = p - n * depth - turn * q;
    MatrixPose::from_parts(Translation3::from(to), turn)
}

pub(super) fn cross(
    a: &TreePart,
    b: &TreePart,
    a_from_b: &MatrixPose,
    touch: f64,
) -> Option<Point3> {
    let identity = MatrixPose::identity();
    let id = PatchId(0);
    let pa = Piece::new(a, id, &identity);
    let pb = Piece::new(b, id, a_from_b);
    let mut scratch = Scratch::default();
    let found = crossing(&pa, &pb, touch, &mut scratch, &mut Misses::default());
    let swapped = crossing(&pb, &pa, touch, &mut scratch, &mut Misses::default());
    assert_eq!(
        found.is_some(),
        swapped.is_some(),
        "{a:?} {b:?} {a_from_b:?}"
    );
    found.map(|c| c.point)
}

/// Height of a point over a part's patch and whether its foot is well inside the ranges.
fn over(part: &TreePart, p: &Point3, margin: f64) -> (f64, bool) {
    let (surface, sense, patch) = face(part);
    let (u, v) = surface.invert(p, Some((patch.u.mid(), patch.v.mid())));
    let normal = surface.normal(u, v).unwrap_or_else(Vec3::zeros);
    let holds =
        |r: &Interval, t: f64| r.lo + margin * r.length() <= t && t <= r.hi - margin * r.length();
    (
        sense * normal.dot(&(p - surface.point(u, v))),
        holds(&patch.u, u) && holds(&patch.v, v),
    )
}

/// True if neighbours on a grid over `a` are on both sides of `b`, over its inside.
fn grid_crosses(a: &TreePart, b: &TreePart, a_from_b: &MatrixPose, n: usize) -> bool {
    let (surface, _, patch) = face(a);
    let b_from_a = a_from_b.inverse();
    let values: Vec<(f64, bool)> = (0..n * n)
        .map(|i| {
            let share = |k: usize| (k as f64 + 0.5) / n as f64;
            let (u, v) = (patch.u.at(share(i % n)), patch.v.at(share(i / n)));
            over(b, &(b_from_a * surface.point(u, v)), 0.02)
        })
        .collect();
    let changes = |i: usize, j: usize| {
        let (p, q) = (values[i], values[j]);
        // Far beyond a curved surface the side of the nearest point jumps.
        p.1 && q.1 && p.0 * q.0 < 0.0 && (p.0 - q.0).abs() < 0.2
    };
    (0..n * n).any(|i| (i % n + 1 < n && changes(i, i + 1)) || (i + n < n * n && changes(i, i + n)))
}

#[test]
fn random_patches_agree_with_a_grid() {
    let mut random = Random(11);
    let mut counts = [[0; 2]; KINDS * KINDS];
    for (kinds, count) in counts.iter_mut().enumerate() {
        for _ in 0..150 {
            let a = any(kinds % KINDS, &mut random);
            let b = any(kinds / KINDS, &mut random);
            let spin = random.range(-3.0, 3.0);
            let depth = random.range(-0.3, 0.3);
            let shift = random.unit() * random.range(0.0, 2.0);
            let tilt = random.unit() * random.range(0.0, 1.6);
            let (centre, _) = middle(&a);
            let about = Translation3::from(centre.coords);
            let moved = about * Rotation3::new(tilt) * about.inverse();
            let pose = Translation3::from(shift) * moved * facing(&a, &b, spin, depth);
            let found = cross(&a, &b, &pose, 1e-8);
            count[usize::from(found.is_some())] += 1;
            match found {
                None => {
                    let back = pose.inverse();
                    let missed = grid_crosses(&a, &b, &pose, 40) || grid_crosses(&b, &a, &back, 40);
                    assert!(!missed, "{a:?} {b:?} {pose:?}");
                }
                Some(p) => {
                    let on = [over(&a, &p, -1e-6), over(&b, &(pose.inverse() * p), -1e-6)];
                    assert!(on[0].1 && on[1].1, "{on:?}");
                    let depths = on.map(|o| o.0);
                    let at = |x: f64, y: f64| x.abs() < 1e-10 && (y + 1e-8).abs() < 1e-9;
                    assert!(
                        at(depths[0], depths[1]) || at(depths[1], depths[0]),
                        "{depths:?}"
                    );
                }
            }
        }
    }
    for (kinds, count) in counts.iter().enumerate() {
        assert!(count[0] > 5 && count[1] > 5, "{kinds} {count:?}");
    }
}

/// A patch that bulges outwards, large enough for the curves of shallow dips.
fn bulging(kind: usize, random: &mut Random) -> TreePart {
    let frame = random.frame();
    let (u, v) = (random.range(-3.0, 3.0), random.range(-0.4, 0.4));
    let wide = |t: f64, random: &mut Random| Interval {
        lo: t - random.range(0.25, 0.35),
        hi: t + random.range(0.25, 0.35),
    };
    let radius = random.range(1.0, 3.0);
    let (ru, rv) = (wide(u, random), wide(v, random));
    match kind {
        0 => part(Surface::Plane(Plane { frame }), true, ru, rv),
        1 => part(Surface::Cylinder(Cylinder { frame, radius }), true, ru, rv),
        2 => {
            let half_angle = random.range(-0.6, 0.6);
            let cone = Cone {
                frame,
                radius,
                half_angle,
            };
            part(Surface::Cone(cone), true, ru, rv)
        }
        3 => part(Surface::Sphere(Sphere { frame, radius }), true, ru, rv),
        _ => {
            let torus = Torus {
                frame,
                major: 2.0 * radius,
                minor: radius,
                shape: TorusShape::Ring,
            };
            part(Surface::Torus(torus), true, ru, rv)
        }
    }
}

#[test]
fn touching_is_told_from_dipping_at_every_scale() {
    let mut random = Random(12);
    for kinds in 1..25 {
        for round in 0..40 {
            let (a, b) = (
                bulging(kinds % 5, &mut random),
                bulging(kinds / 5, &mut random),
            );
            let spin = random.range(-3.0, 3.0);
            let touch = [1e-9, 1e-11][round % 2];
            for depth in [5e-3, 1e-3, 1e-5, 1e-6, 1e-7, 1e-8, 3.0 * touch] {
                let pose = facing(&a, &b, spin, depth);
                let name = format!("{kinds} {round} {depth} {a:?} {b:?} {pose:?}");
                assert!(cross(&a, &b, &pose, touch).is_some(), "missed {name}");
                let pose = facing(&a, &b, spin, -depth);
                assert!(cross(&a, &b, &pose, touch).is_none(), "apart {name}");
            }
            for depth in [0.5 * touch, 0.0, -1e-12] {
                let pose = facing(&a, &b, spin, depth);
                assert!(cross(&a, &b, &pose, touch).is_none(), "{kinds} {depth}");
            }
        }
    }
}

#[test]
fn a_ball_in_a_socket_and_a_peg_in_a_hole() {
    let mut random = Random(13);
    for round in 0..400 {
        let frame = random.frame();
        let (u, v) = (
            Interval { lo: -0.3, hi: 0.3 },
            Interval { lo: -0.25, hi: 0.3 },
        );
        let radius = random.range(1.0, 30.0);
        let make = |radius: f64, outer: bool| {
            let surface = if round % 2 == 0 {
                Surface::Sphere(Sphere { frame, radius })
            } else {
                Surface::Cylinder(Cylinder { frame, radius })
            };
            part(surface, outer, u, v)
        };
        let touch = 1e-9 * radius;
        for gap in [1e-1, 1e-3, 1e-5, 1e-7] {
            let hole = make(radius * (1.0 + gap), false);
            let peg = make(radius, true);
            let across = frame.radial(random.range(-0.2, 0.2));
            for (shift, crosses) in [(0.0, false), (0.99, false), (1.03, true)] {
                let by = across * (shift * gap * radius);
                let pose = MatrixPose::from_parts(Translation3::from(by), Rotation3::identity());
                let found = cross(&hole, &peg, &pose, touch);
                assert_eq!(found.is_some(), crosses, "{round} {gap} {shift}");
            }
        }
        // The same carrier with the same sense lies flush, with the opposite sense it touches.
        let pose = MatrixPose::identity();
        assert!(cross(&make(radius, true), &make(radius, true), &pose, touch).is_some());
        assert!(cross(&make(radius, true), &make(radius, false), &pose, touch).is_none());
    }
}

#[test]
#[ignore = "prints figures"]
fn speed() {
    let mut random = Random(14);
    for kind in 0..KINDS {
        let mut line = String::new();
        for other in 0..KINDS {
            let cases: Vec<_> = (0..300)
                .map(|_| {
                    let (a, b) = (any(kind, &mut random), any(other, &mut random));
                    let shift = random.unit() * random.range(0.0, 3.0);
                    let turn = random.range(-3.0, 3.0);
                    let pose = Translation3::from(shift) * facing(&a, &b, turn, -0.02);
                    (a, b, pose)
                })
                .collect();
            let identity = MatrixPose::identity();
            let mut scratch = Scratch::default();
            let start = std::time::Instant::now();
            let mut crossings = 0;
            for _ in 0..20 {
                for (a, b, pose) in &cases {
                    let id = PatchId(0);
                    let pa = Piece::new(a, id, &identity);
                    let pb = Piece::new(b, id, pose);
                    crossings += usize::from(
                        crossing(&pa, &pb, 1e-9, &mut scratch, &mut Misses::default()).is_some(),
                    );
                }
            }
            let mean = start.elapsed().as_secs_f64() / (20.0 * cases.len() as f64);
            line += &format!("{:7.2} µs ({:3.0} %)", 1e6 * mean, crossings as f64 / 60.0);
        }
        println!("{line}");
    }
}
