//! Free-form surfaces against everything.

use super::build::{Random, UNIT, face, piece};
use super::oracle::Pair;
use crate::numeric::{Counts, Outcome};
use brepcd_geom::Surface;
use brepcd_geom::nurbs::NurbsSurface;
use brepcd_tree::MatrixPose;
use nalgebra::{Translation3, UnitQuaternion};
use std::sync::Arc;

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

/// Signed distances of what is found, ascending.
fn gaps(pair: &Pair<'_>, reach: f64) -> (Outcome, Vec<f64>) {
    let (outcome, found) = pair.solve(reach, &mut Counts::default());
    let gap = |f| pair.distance(&pair.flat(f)).unwrap();
    let mut gaps: Vec<f64> = found.iter().map(gap).collect();
    gaps.sort_by(f64::total_cmp);
    (outcome, gaps)
}

#[test]
fn motion_and_order_change_nothing() {
    let mut random = Random(77);
    let mut hits = 0;
    for case in 0..200 {
        let one = face(
            random.patch([3, 3], 0.4, 0.05, case % 2 == 0),
            UNIT,
            UNIT,
            true,
        );
        let two = face(random.patch([3, 2], 0.4, 0.05, false), UNIT, UNIT, true);
        let gap = random.range(-0.1, 0.4);
        let (here, there) = (MatrixPose::identity(), facing(&mut random, gap));
        let pair = Pair {
            a: piece(&one, &here),
            b: piece(&two, &there),
        };
        let (outcome, expected) = gaps(&pair, 0.5);
        assert_eq!(outcome, Outcome::Resolved);
        hits += expected.len();
        let far = random.pose(3.0, 1000.0);
        let (here_far, there_far) = (far * here, far * there);
        let swapped = Pair {
            a: piece(&two, &there),
            b: piece(&one, &here),
        };
        let moved = Pair {
            a: piece(&one, &here_far),
            b: piece(&two, &there_far),
        };
        for other in [swapped, moved] {
            let (outcome, found) = gaps(&other, 0.5);
            assert_eq!(outcome, Outcome::Resolved);
            assert_eq!(found.len(), expected.len(), "case {case}");
            for (x, y) in found.iter().zip(&expected) {
                assert!((x - y).abs() < 1e-11, "case {case}: {x} {y}");
            }
        }
        // A larger reach adds pairs and loses none.
        for reach in [3.0, f64::INFINITY] {
            let (outcome, found) = gaps(&pair, reach);
            assert_eq!(outcome, Outcome::Resolved, "case {case} reach {reach}");
            for x in &expected {
                assert!(found.iter().any(|y| (x - y).abs() < 1e-11));
            }
        }
    }
    assert!(hits > 50, "only {hits}");
}

#[test]
fn a_patch_against_itself_is_a_family() {
    let mut random = Random(9);
    for rational in [false, true] {
        let surface = random.patch([3, 3], 0.4, 0.02, rational);
        let (one, two) = (
            face(surface.clone(), UNIT, UNIT, true),
            face(surface, UNIT, UNIT, false),
        );
        let here = MatrixPose::identity();
        let pair = Pair {
            a: piece(&one, &here),
            b: piece(&two, &here),
        };
        let (outcome, found) = gaps(&pair, 0.1);
        assert_eq!(outcome, Outcome::Family);
        assert!(
            (4..=40).contains(&found.len()) && found.iter().all(|g| g.abs() < 1e-9),
            "{found:?}"
        );
    }
}

#[test]
fn degenerate_pieces_end_in_bounded_work() {
    let mut random = Random(13);
    let knots = vec![0.0, 0.0, 0.0, 1.0, 1.0, 1.0];
    let mut shapes = Vec::new();
    for kind in 0..5 {
        let control = (0..9).map(|k| {
            let (i, j) = (f64::from(k / 3), f64::from(k % 3));
            let p = match kind {
                0 => [0.0; 3],                              // a point
                1 => [i, 0.0, 0.0],                         // a line
                2 => [i, if k < 3 { 0.0 } else { j }, 0.0], // a triangle
                3 => [i + 1e-13 * j, j * 1e-13, 0.0],       // nearly a line
                _ => [(i - 1.0) * (i - 1.0), j, 0.0],       // folded over
            };
            brepcd_geom::Point4::new(p[0], p[1], p[2], 1.0)
        });
        let (u, v) = (knots.clone(), knots.clone());
        let surface = NurbsSurface::new(2, 2, u, v, 3, 3, control.collect()).unwrap();
        shapes.push(face(Surface::Nurbs(Arc::new(surface)), UNIT, UNIT, true));
    }
    shapes.push(face(
        random.patch([3, 3], 0.3, 0.05, false),
        UNIT,
        UNIT,
        false,
    ));
    let mut counts = Counts::default();
    for one in &shapes {
        for two in &shapes {
            for _ in 0..3 {
                let (here, there) = (MatrixPose::identity(), random.pose(3.0, 0.5));
                let pair = Pair {
                    a: piece(one, &here),
                    b: piece(two, &there),
                };
                let before = counts.boxes;
                let (_, found) = pair.solve(1.0, &mut counts);
                assert!(counts.boxes - before <= 25_000);
                assert!(
                    found
                        .iter()
                        .all(|f| f.ta.iter().chain(&f.tb).all(|t| t.is_finite()))
                );
            }
        }
    }
}
