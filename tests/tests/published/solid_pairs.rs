//! Pairs of solids, each about the origin of its own frame as its source has it.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

use brepcd::geom::{Point3, Pose, Vec3};
use brepcd::query::{Options, Part};
use brepcd::{Answer, Brep, Lmd, Status, Workspace};

use crate::prepare::part;
use brepcd_tests::solids;

fn moved(x: f64, y: f64, z: f64) -> Pose {
    Pose::translation(x, y, z)
}

/// The solid of a brep whose origin is `centre` in the coordinates of the brep: its pose from those coordinates.
fn centred(centre: [f64; 3]) -> Pose {
    moved(-centre[0], -centre[1], -centre[2])
}

/// Two solids, each with the centre that its source has as origin.
struct Pair {
    parts: [Part; 2],
    centred: [Pose; 2],
}

impl Pair {
    fn new(a: (&Brep, [f64; 3]), b: (&Brep, [f64; 3])) -> Self {
        Self {
            parts: [part(a.0), part(b.0)],
            centred: [centred(a.1), centred(b.1)],
        }
    }

    /// The least distance with `b` at a pose in the frame of `a`, points in that frame, too.
    fn least(&self, a_from_b: &Pose) -> Answer {
        let [a, b] = &self.parts;
        let [from_a, from_b] = &self.centred;
        let pose = from_a.inverse() * a_from_b * from_b;
        let mut workspace = Workspace::new();
        let answer = workspace.min_distance(a, b, &pose, &Options::default());
        let mut answer = answer.expect("a pose").clone();
        assert_eq!(answer.stats.unresolved, 0);
        for lmd in &mut answer.lmds {
            lmd.point_a = from_a * lmd.point_a;
            lmd.point_b = from_a * lmd.point_b;
        }
        answer
    }

    /// The least distance of separated parts; its points are that far apart.
    fn nearest(&self, a_from_b: &Pose) -> Lmd {
        let answer = self.least(a_from_b);
        assert_eq!(answer.status, Status::Separated, "{:?}", answer.overlap);
        let lmd = answer.lmds[0];
        let apart = (lmd.point_b - lmd.point_a).norm();
        assert!(
            (apart - lmd.distance).abs() <= 1e-12 * (1.0 + apart),
            "{lmd:?}"
        );
        lmd
    }

    fn distance(&self, a_from_b: &Pose) -> f64 {
        self.nearest(a_from_b).distance
    }
}

fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} {expected}");
}

fn boxes() -> Pair {
    let (a, b) = (solids::block(6.0, 10.0, 2.0), solids::block(2.0, 2.0, 2.0));
    Pair::new((&a, [3.0, 5.0, 1.0]), (&b, [1.0; 3]))
}

#[test]
fn boxes_corner_to_corner() {
    let lmd = boxes().nearest(&moved(25.0, 20.0, 5.0));
    close(
        lmd.distance,
        f64::sqrt(21.0 * 21.0 + 14.0 * 14.0 + 3.0 * 3.0),
        1e-12,
    );
    assert!((lmd.point_a - Point3::new(3.0, 5.0, 1.0)).norm() < 1e-12);
    assert!((lmd.point_b - Point3::new(24.0, 19.0, 4.0)).norm() < 1e-12);
}

#[test]
fn a_turned_box_above_a_box() {
    // An eighth of a turn about the diagonal; the lowest corner is as far below the centre as the third row of that
    // rotation has lengths.
    let turn = Vec3::new(1.0, 1.0, 1.0).normalize() * FRAC_PI_4;
    let lmd = boxes().nearest(&Pose::new(Vec3::new(0.0, 0.0, 10.0), turn));
    close(lmd.distance, 7.378_765_564_9, 1e-9);
    let rotation = nalgebra::Rotation3::new(turn);
    let low: f64 = (0..3).map(|j| rotation[(2, j)].abs()).sum();
    close(lmd.distance, 10.0 - low - 1.0, 1e-13);
    assert!((lmd.normal - Vec3::z()).norm() < 1e-12);
}

#[test]
fn cylinders_beside_each_other() {
    let cylinder = solids::cylinder(5.0, 10.0);
    let pair = Pair::new((&cylinder, [0.0, 0.0, 5.0]), (&cylinder, [0.0, 0.0, 5.0]));
    close(pair.distance(&moved(10.1, 0.0, 0.0)), 0.1, 1e-12);
    close(pair.distance(&moved(40.0, 0.0, 0.0)), 30.0, 1e-12);
}

#[test]
fn cones_beside_and_above_each_other() {
    let cone = solids::frustum(5.0, 0.0, 10.0);
    let pair = Pair::new((&cone, [0.0, 0.0, 5.0]), (&cone, [0.0, 0.0, 5.0]));
    close(pair.distance(&moved(10.1, 0.0, 0.0)), 0.1, 1e-12);
    let lmd = pair.nearest(&moved(0.0, 0.0, 40.0));
    close(lmd.distance, 30.0, 1e-12);
    assert!((lmd.point_a - Point3::new(0.0, 0.0, 5.0)).norm() < 1e-12);
}

#[test]
fn unit_balls() {
    let ball = solids::ball(1.0);
    let pair = Pair::new((&ball, [0.0; 3]), (&ball, [0.0; 3]));
    let lmd = pair.nearest(&moved(3.0, 0.0, 0.0));
    close(lmd.distance, 1.0, 1e-14);
    assert!((lmd.point_a - Point3::new(1.0, 0.0, 0.0)).norm() < 1e-14);
}

#[test]
fn a_ball_just_inside_a_cylinder() {
    let (rod, ball) = (solids::cylinder(0.03, 0.65), solids::ball(0.055));
    let pair = Pair::new((&rod, [0.0, 0.0, 0.325]), (&ball, [0.0; 3]));
    let rod_at = Vec3::new(0.6, 0.0, 0.325);
    let ball_at = Vec3::new(0.541_979_401_8, -0.062_117_502_5, 0.601_623_657_6);
    let between = ball_at - rod_at;
    let expected = between.xy().norm() - 0.03 - 0.055;
    close(expected, -1.5334e-7, 1e-11);
    let answer = pair.least(&Pose::from(between));
    assert_eq!(answer.status, Status::Overlapping);
    assert!(answer.lmds.is_empty() && answer.overlap.is_some());
    let back = Vec3::new(between.x, between.y, 0.0).normalize() * 3e-7;
    let lmd = pair.nearest(&Pose::from(between + back));
    close(lmd.distance, expected + 3e-7, 1e-15);
}

#[test]
fn cylinders_two_apart() {
    // In metres and in millimetres.
    for unit in [1.0, 1000.0] {
        let (r, h, s, k) = (0.038 * unit, 0.2 * unit, 0.2 * unit, 0.142 * unit);
        let (a, b) = (solids::cylinder(r, h), solids::cylinder(s, k));
        let pair = Pair::new((&a, [0.0, 0.0, 0.5 * h]), (&b, [0.0, 0.0, 0.5 * k]));
        let gap = 0.002 * unit;
        let limit = 1e-12 * unit;
        // Side by side, one above the other, axes crossing at right angles, and askew with both rounds facing.
        let beside = moved(r + s + gap, 0.0, 0.01 * unit);
        close(pair.distance(&beside), gap, limit);
        let above = moved(0.3 * r, -0.2 * s, 0.5 * (h + k) + gap);
        close(pair.distance(&above), gap, limit);
        let across = Vec3::x() * FRAC_PI_2;
        let tee = Pose::new(Vec3::new(0.01 * unit, 0.0, 0.5 * h + s + gap), across);
        close(pair.distance(&tee), gap, limit);
        for angle in [1.0_f64, 0.3, 0.01] {
            let askew = Pose::new(Vec3::new(r + s + gap, 0.0, 0.0), Vec3::x() * angle);
            let lmd = pair.nearest(&askew);
            close(lmd.distance, gap, limit);
            let place = Point3::new(r, 0.0, 0.0);
            assert!(
                (lmd.point_a - place).norm() < limit / angle.sin(),
                "{lmd:?}"
            );
        }
    }
}

#[test]
fn linked_rings() {
    // Rings of radius 1 and thickness 0.2 through each other: as many minima as the circles inside have.
    let ring = solids::torus(1.0, 0.1);
    let parts = [part(&ring), part(&ring)];
    for (c, expected) in [(0.5, vec![0.3, 0.3]), (1.5, vec![0.3]), (3.0, vec![0.8])] {
        let pose = Pose::new(Vec3::new(c, 0.0, 0.0), Vec3::x() * FRAC_PI_2);
        let options = Options {
            prediction: 10.0,
            ..Options::default()
        };
        let mut workspace = Workspace::new();
        let answer = workspace.contacts(&parts[0], &parts[1], &pose, &options);
        let answer = answer.expect("a pose");
        assert_eq!(answer.status, Status::Separated);
        let found: Vec<f64> = answer.lmds.iter().map(|lmd| lmd.distance).collect();
        assert_eq!(found.len(), expected.len(), "{c}: {:?}", answer.lmds);
        for (found, expected) in found.iter().zip(&expected) {
            close(*found, *expected, 1e-12);
        }
    }
}

#[test]
fn rings_and_cylinders_that_overlap() {
    let ring = solids::torus(1.0, 0.3);
    let pair = Pair::new((&ring, [0.0; 3]), (&ring, [0.0; 3]));
    let linked = Pose::new(Vec3::new(0.5, 0.0, 0.0), Vec3::x() * FRAC_PI_2);
    assert_eq!(pair.least(&linked).status, Status::Overlapping);

    let (thick, thin) = (solids::cylinder(5.0, 30.0), solids::cylinder(3.0, 30.0));
    let pair = Pair::new((&thick, [0.0, 0.0, 15.0]), (&thin, [0.0, 0.0, 15.0]));
    for angle in [FRAC_PI_2, 0.4, 1e-3] {
        for offset in [0.0, 1.9, 4.0, 7.9] {
            let pose = Pose::new(Vec3::new(0.0, offset, 0.0), Vec3::y() * angle);
            let answer = pair.least(&pose);
            assert_eq!(answer.status, Status::Overlapping, "{angle} {offset}");
            assert!(answer.lmds.is_empty());
        }
        let pose = Pose::new(Vec3::new(0.0, 8.1, 0.0), Vec3::y() * angle);
        close(pair.distance(&pose), 0.1, 1e-12);
    }

    // The circle through the lateral face of a cylinder, as the rim of a thin disc.
    let (cylinder, disc) = (solids::cylinder(10.0, 10.0), solids::cylinder(5.0, 1e-3));
    let pair = Pair::new((&cylinder, [0.0; 3]), (&disc, [0.0, 0.0, 5e-4]));
    let pose = Pose::new(Vec3::new(0.0, 10.0, 10.0), Vec3::y() * FRAC_PI_2);
    assert_eq!(pair.least(&pose).status, Status::Overlapping);
}
