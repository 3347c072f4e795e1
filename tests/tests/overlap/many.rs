//! Parts of many shells: what one copy answers, many copies far from each other answer near that copy.

use crate::pairs::{Found, overlap};
use crate::parts::{Part, Random, named};
use brepcd::geom::{Point3, Pose, Vec3};
use brepcd::query::Options;
use brepcd::tree::MatrixPose;
use brepcd::{Status, TreeOptions, Workspace};
use nalgebra::{Translation3, UnitQuaternion};

/// Along each side of the grid of copies.
const SIDE: usize = 4;
/// Distance of copies, mm.
const SPACING: f64 = 200.0;

/// Copies on a grid, each turned its own way, with their poses.
fn copies(part: &Part, random: &mut Random) -> (brepcd::Part, Vec<Pose>) {
    let mut poses = Vec::new();
    for at in 0..SIDE.pow(3) {
        let place = [at, at / SIDE, at / SIDE.pow(2)].map(|i| (i % SIDE) as f64 * SPACING);
        let turn = UnitQuaternion::from_scaled_axis(random.unit() * random.range(0.0, 3.0));
        poses.push(Pose::from_parts(Vec3::from(place).into(), turn));
    }
    let path = brepcd_tests::workspace().join(format!("data/parts/{}.step", part.name));
    let mut model = brepcd::read_step(&path).expect("a part of the repository");
    let mut brep = part.brep.transformed(&poses[0]);
    for pose in &poses[1..] {
        brep.append(part.brep.transformed(pose));
    }
    model.parts[0].brep = brep;
    let (tree, _) = brepcd::preprocess(&model, "many.step", b"", &TreeOptions::default());
    assert_eq!(tree.shells.len(), poses.len() * part.tree.shells.len());
    (brepcd::Part::new(tree), poses)
}

#[test]
fn many_shells_are_nested_as_one_is() {
    let (lemon, box_with_voids) = (named("lemon"), named("box_two_voids"));
    let mut random = Random(31);
    let (lemons, lemon_poses) = copies(&lemon, &mut random);
    let (boxes, box_poses) = copies(&box_with_voids, &mut random);
    let [one_lemon, one_box] = [&lemon, &box_with_voids].map(|p| brepcd::Part::new(p.tree.clone()));
    let middle = |part: &Part| {
        let around = part.brep.bounding_box();
        nalgebra::center(&around.min, &around.max)
    };
    let mut workspace = Workspace::new();
    let mut overlaps = |a: &brepcd::Part, b: &brepcd::Part, a_from_b: &Pose| {
        let answer = workspace.intersects(a, b, a_from_b, &Options::default());
        answer.expect("a pose").status == Status::Overlapping
    };
    let mut seen = [0; 3];
    for _ in 0..800 {
        let bounds = box_with_voids.brep.bounding_box();
        let grow = (bounds.max - bounds.min) * 0.3;
        let to = random.inside(&(bounds.min - grow), &(bounds.max + grow));
        let turn = UnitQuaternion::from_scaled_axis(random.unit());
        let shift = to - turn * middle(&lemon);
        let box_from_lemon = Pose::from_parts(Translation3::from(shift), turn);
        let matrix = MatrixPose::from_parts(shift.into(), turn.to_rotation_matrix());
        let found = overlap(&box_with_voids.tree, &lemon.tree, &matrix, 1e-8);
        seen[match found {
            Found::Crossing(_) => 0,
            Found::Nested => 1,
            Found::Apart => 2,
        }] += 1;
        let copy = random.below(box_poses.len());
        let many_from_lemon = box_poses[copy] * box_from_lemon;
        let many_from_box = lemon_poses[copy] * box_from_lemon.inverse();
        for (a, b, pose) in [
            (&boxes, &one_lemon, many_from_lemon),
            (&lemons, &one_box, many_from_box),
        ] {
            assert_eq!(overlaps(a, b, &pose), found.overlaps(), "{pose} {found:?}");
            let back = pose.inverse();
            assert_eq!(overlaps(b, a, &back), found.overlaps(), "{back} {found:?}");
        }
    }
    assert!(seen.iter().all(|n| *n > 15), "{seen:?}");
    // Between the copies there is nothing.
    let between = Point3::from(Vec3::repeat(0.5 * SPACING));
    let pose = Pose::from_parts(
        Translation3::from(between - middle(&lemon)),
        UnitQuaternion::identity(),
    );
    assert!(!overlaps(&boxes, &one_lemon, &pose));
}
