//! Free-form surfaces against everything.

use super::build::{Random, UNIT, face, piece};
use super::oracle::Pair;
use crate::numeric::Counts;
use brepcd_tree::MatrixPose;
use nalgebra::{Translation3, UnitQuaternion};

/// A patch above the first one, facing it, tilted and shifted.
pub fn facing(random: &mut Random, gap: f64) -> MatrixPose {
    let flip = UnitQuaternion::from_scaled_axis(brepcd_geom::Vec3::x() * std::f64::consts::PI);
    let wobble = random.pose(0.5, 0.0).rotation;
    let spin = UnitQuaternion::from_scaled_axis(brepcd_geom::Vec3::z() * random.range(-3.0, 3.0));
    let turn = wobble * spin.to_rotation_matrix() * flip.to_rotation_matrix();
    let middle = turn * brepcd_geom::Vec3::new(0.5, 0.5, 0.0);
    let side = brepcd_geom::Vec3::new(random.range(-0.5, 0.5), random.range(-0.5, 0.5), gap);
    let to = brepcd_geom::Vec3::new(0.5, 0.5, 0.0) + side;
    MatrixPose::from_parts(Translation3::from(to - middle), turn)
}

#[test]
fn random_patches_agree_with_brute_force() {
    let mut random = Random(1);
    let mut counts = Counts::default();
    let (mut pairs, cases) = (0, 300);
    for case in 0..cases {
        let degrees = [[3, 3], [2, 2], [2, 3], [4, 1]][case % 4];
        let (rational, noise) = (case % 3 == 0, [0.0, 0.03, 0.1][case / 4 % 3]);
        let one = random.patch(degrees, 0.5, noise, rational);
        let two = random.patch([3, 3], 0.5, noise, rational);
        let (one, two) = (face(one, UNIT, UNIT, true), face(two, UNIT, UNIT, true));
        let gap = random.range(-0.2, 0.6);
        let (here, there) = (MatrixPose::identity(), facing(&mut random, gap));
        let pair = Pair {
            a: piece(&one, &here),
            b: piece(&two, &there),
        };
        pairs += pair.check(0.7, 3, &mut counts, &format!("case {case}"));
    }
    println!("{pairs} pairs in {cases} cases, {counts:?}");
    assert!(
        pairs > cases / 10,
        "too few pairs to mean anything: {pairs}"
    );
}
