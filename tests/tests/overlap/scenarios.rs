//! Pairs of simple parts whose answer is known.

use crate::pairs::{Found, overlap, size};
use crate::parts::{Part, Random, all, named};
use brepcd::geom::{Point3, Vec3};
use brepcd::tree::MatrixPose;
use nalgebra::{Rotation3, Translation3};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

/// The pose that turns a part about one of its points and puts that point somewhere.
fn placed(turn: Rotation3<f64>, point: Point3, to: Point3) -> MatrixPose {
    MatrixPose::from_parts(Translation3::from(to - turn * point), turn)
}

/// Pushes `b` along `-normal` from where it touches: it must overlap when sunk and be apart when not.
fn check_depths(
    a: &Part,
    b: &Part,
    touching: &MatrixPose,
    normal: Vec3,
    depths: &[f64],
    name: &str,
) {
    let touch = 1e-9 * size(a).min(size(b));
    let at = |depth: f64| {
        overlap(
            &a.tree,
            &b.tree,
            &(Translation3::from(normal * -depth) * touching),
            touch,
        )
    };
    for &depth in depths {
        assert!(at(depth).overlaps(), "{name} missed at {depth}");
        let found = at(-depth);
        assert!(!found.overlaps(), "{name} apart by {depth}: {found:?}");
    }
    for depth in [0.0, 1e-10, -1e-10] {
        let found = at(depth);
        assert!(!found.overlaps(), "{name} touches at {depth}: {found:?}");
    }
}

const DEPTHS: [f64; 6] = [3.0, 1e-1, 1e-3, 1e-4, 1e-6, 1e-7];
/// Where only borders meet, less than their tolerance is touching.
const BORDER_DEPTHS: [f64; 4] = [3.0, 1e-1, 1e-3, 1e-4];

#[test]
fn blocks_on_blocks() {
    let a = named("box");
    let top = Point3::new(6.0, 12.0, 33.0);
    let bottom = Point3::new(6.0, 12.0, 3.0);
    for (shift, turn) in [
        (Vec3::zeros(), 0.0),
        (Vec3::new(2.5, 3.0, 0.0), 0.0),
        (Vec3::new(5.0, 0.0, 0.0), 0.0),
        (Vec3::new(10.0, 20.0, 0.0) * 0.999, 0.0),
        (Vec3::zeros(), FRAC_PI_2),
        (Vec3::new(1.0, 2.0, 0.0), 0.3),
    ] {
        let touching = placed(Rotation3::new(Vec3::z() * turn), bottom, top + shift);
        // Overlaps thinner than what borders are known to may count as touching.
        let name = format!("{shift} {turn}");
        check_depths(&a, &a, &touching, Vec3::z(), &DEPTHS[..5], &name);
    }
    // Side by side along an edge or at a corner they touch, and overlap when moved along the diagonal.
    let corner = placed(
        Rotation3::identity(),
        Point3::new(1.0, 2.0, 3.0),
        Point3::new(11.0, 22.0, 33.0),
    );
    check_depths(
        &a,
        &a,
        &corner,
        Vec3::new(1.0, 1.0, 1.0),
        &BORDER_DEPTHS,
        "corner",
    );
    let edge = placed(
        Rotation3::identity(),
        Point3::new(1.0, 2.0, 3.0),
        Point3::new(11.0, 22.0, 3.0),
    );
    check_depths(
        &a,
        &a,
        &edge,
        Vec3::new(1.0, 1.0, 0.0),
        &BORDER_DEPTHS,
        "edge",
    );
}

#[test]
fn corners_and_edges_on_faces_and_edges() {
    let a = named("box");
    let mut random = Random(21);
    for _ in 0..30 {
        // The corner that is lowest after turning points down.
        let spin = Rotation3::new(Vec3::z() * random.range(-3.0, 3.0));
        let tilt = Rotation3::new(Vec3::new(
            random.range(0.3, 0.8),
            random.range(-0.8, -0.3),
            0.0,
        ));
        let turn = spin * tilt;
        let corners = (0..8).map(|k| {
            Point3::new(
                [1.0, 11.0][k & 1],
                [2.0, 22.0][k >> 1 & 1],
                [3.0, 33.0][k >> 2],
            )
        });
        let lowest = corners
            .min_by(|p, q| (turn * p).z.total_cmp(&(turn * q).z))
            .expect("a corner");
        let to = Point3::new(random.range(3.0, 9.0), random.range(4.0, 20.0), 33.0);
        check_depths(
            &a,
            &a,
            &placed(turn, lowest, to),
            Vec3::z(),
            &DEPTHS[1..],
            "corner on face",
        );
        // An edge across another edge.
        let sharp = Point3::new(1.0, random.range(5.0, 19.0), 3.0);
        let on = Point3::new(11.0, random.range(5.0, 19.0), 33.0);
        let twist = random.range(0.6, 1.2);
        let normal = Rotation3::new(Vec3::y() * FRAC_PI_4) * Vec3::z();
        let about = nalgebra::Unit::new_normalize(normal);
        let ridge = Rotation3::from_axis_angle(&about, twist);
        check_depths(
            &a,
            &a,
            &placed(ridge, sharp, on),
            normal,
            &BORDER_DEPTHS[1..],
            "edge on edge",
        );
    }
}

#[test]
fn round_parts_on_flat_and_round_ones() {
    let (block, ball, rod, ring) = (
        named("box"),
        named("sphere"),
        named("cylinder"),
        named("torus"),
    );
    let mut random = Random(22);
    for _ in 0..20 {
        let turn = Rotation3::new(random.unit() * random.range(-3.0, 3.0));
        let to = Point3::new(random.range(3.0, 9.0), random.range(4.0, 20.0), 33.0);
        let ball_pose = |point: Point3, normal: Vec3| {
            placed(turn, Point3::new(1.0, 2.0, 3.0), point + normal * 7.0)
        };
        check_depths(
            &block,
            &ball,
            &ball_pose(to, Vec3::z()),
            Vec3::z(),
            &DEPTHS,
            "ball on face",
        );
        let angle = random.range(-3.0, 3.0);
        let out = Vec3::new(angle.cos(), angle.sin(), 0.0);
        let side = Point3::new(0.0, 0.0, random.range(4.0, 16.0)) + out * 5.0;
        check_depths(
            &rod,
            &ball,
            &ball_pose(side, out),
            out,
            &DEPTHS,
            "ball on rod",
        );
        let outer = Point3::origin() + out * 13.0;
        check_depths(
            &ring,
            &ball,
            &ball_pose(outer, out),
            out,
            &DEPTHS,
            "ball on ring",
        );
        // A rod across a rod, and a rod lying on a block.
        let lying = Rotation3::new(out * random.range(0.4, PI - 0.4));
        check_depths(
            &rod,
            &rod,
            &placed(lying, Point3::new(0.0, 0.0, 10.0), side + out * 5.0),
            out,
            &DEPTHS,
            "rod on rod",
        );
        let flat = Rotation3::new(Vec3::z() * angle) * Rotation3::new(Vec3::x() * FRAC_PI_2);
        check_depths(
            &block,
            &rod,
            &placed(flat, Point3::new(0.0, 0.0, 10.0), to + Vec3::z() * 5.0),
            Vec3::z(),
            &DEPTHS,
            "rod on block",
        );
        // The end of a rod upright on a block.
        let upright = Rotation3::new(Vec3::z() * angle);
        check_depths(
            &block,
            &rod,
            &placed(upright, Point3::origin(), Point3::new(6.0, 12.0, 33.0)),
            Vec3::z(),
            &DEPTHS,
            "rod on end",
        );
    }
}

#[test]
fn a_rod_through_a_plate_crosses_no_edge() {
    let (plate, rod) = (named("box"), named("cylinder"));
    let mut random = Random(23);
    for _ in 0..50 {
        let lie = Rotation3::new(Vec3::y() * FRAC_PI_2)
            * Rotation3::new(Vec3::z() * random.range(-3.0, 3.0));
        let tilt = Rotation3::new(random.unit() * random.range(0.0, 0.2));
        let pose = placed(
            tilt * lie,
            Point3::new(0.0, 0.0, 10.0),
            Point3::new(6.0, 12.0, 18.0),
        );
        for (a, b, pose) in [(&plate, &rod, pose), (&rod, &plate, pose.inverse())] {
            let found = overlap(&a.tree, &b.tree, &pose, 1e-8);
            assert!(matches!(found, Found::Crossing(_)), "{found:?}");
        }
    }
}

#[test]
fn nested_parts() {
    let (hollow, voids, lemon) = (
        named("hollow_sphere"),
        named("box_two_voids"),
        named("lemon"),
    );
    // In the material of the box with voids, in its voids, and in the hollow of the sphere.
    let lemon_box = lemon.brep.bounding_box();
    let centre = nalgebra::center(&lemon_box.min, &lemon_box.max);
    let mut seen = [0; 3];
    let mut random = Random(24);
    for _ in 0..400 {
        for outer in [&hollow, &voids] {
            let bounds = outer.brep.bounding_box();
            let to = random.inside(&bounds.min, &bounds.max);
            let pose = placed(Rotation3::new(random.unit()), centre, to);
            match overlap(&outer.tree, &lemon.tree, &pose, 1e-8) {
                Found::Crossing(_) => seen[0] += 1,
                Found::Nested => {
                    seen[1] += 1;
                    assert_eq!(outer.exact_side(&to), brepcd::brep::Side::Inside);
                }
                Found::Apart => {
                    seen[2] += 1;
                    assert_eq!(outer.exact_side(&to), brepcd::brep::Side::Outside);
                }
            }
        }
    }
    assert!(seen.iter().all(|n| *n > 5), "{seen:?}");
}

#[test]
fn every_part_overlaps_itself() {
    for part in all() {
        let touch = 1e-9 * size(&part);
        let found = overlap(&part.tree, &part.tree, &MatrixPose::identity(), touch);
        assert!(found.overlaps(), "{}", part.name);
        let mut random = Random(25);
        for share in [1e-2, 1e-4, 1e-5] {
            let by = random.unit() * (share * size(&part));
            let pose = MatrixPose::from_parts(Translation3::from(by), Rotation3::identity());
            let found = overlap(&part.tree, &part.tree, &pose, touch);
            assert!(found.overlaps(), "{} {share}", part.name);
        }
    }
}
