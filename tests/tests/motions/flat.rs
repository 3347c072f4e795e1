//! A block slides on another one, face to face: the contacts are the corners of what the two faces have in common.

use brepcd::geom::{Point2, Pose, Vec2, Vec3};
use brepcd::query::Options;
use brepcd_tests::solids;

use crate::follow::track;
use crate::prepare::part;

/// Distance of the faces.
const GAP: f64 = 0.1;

/// What a convex polygon, counter-clockwise, has in common with the rectangle from the origin to a corner.
fn clipped(mut polygon: Vec<Point2>, corner: Vec2) -> Vec<Point2> {
    let limits = [
        (0, 1.0, 0.0),
        (0, -1.0, corner.x),
        (1, 1.0, 0.0),
        (1, -1.0, corner.y),
    ];
    for (axis, sign, limit) in limits {
        let beyond = |p: &Point2| sign * p[axis] + limit;
        let mut kept = Vec::new();
        for (i, p) in polygon.iter().enumerate() {
            let q = &polygon[(i + 1) % polygon.len()];
            let (from, to) = (beyond(p), beyond(q));
            if from >= 0.0 {
                kept.push(*p);
            }
            if (from > 0.0 && to < 0.0) || (from < 0.0 && to > 0.0) {
                kept.push(p + (q - p) * (from / (from - to)));
            }
        }
        polygon = kept;
    }
    polygon
}

/// Slides a block of 3 by 2 on one of 8 by 6, both 1 high, along places of its corner with angles, and compares.
fn slide(places: impl Iterator<Item = (Vec2, f64)>) {
    let table = part(&solids::block(8.0, 6.0, 1.0));
    let block = part(&solids::block(3.0, 2.0, 1.0));
    let places: Vec<(Vec2, f64)> = places.collect();
    let poses = places
        .iter()
        .map(|(at, angle)| Pose::new(Vec3::new(at.x, at.y, 1.0 + GAP), Vec3::z() * *angle));
    // Side faces that pass each other are farther apart than this.
    let options = Options {
        prediction: 1.5 * GAP,
        ..Options::default()
    };
    let track = track(&table, &block, poses, &options);
    let mut compared = 0;
    for (step, ((at, angle), contacts)) in places.iter().zip(&track.contacts).enumerate() {
        let rotation = nalgebra::Rotation2::new(*angle);
        let corners = [(0.0, 0.0), (3.0, 0.0), (3.0, 2.0), (0.0, 2.0)];
        let corners = corners.map(|(x, y)| Point2::from(at + rotation * Vec2::new(x, y)));
        let expected = clipped(corners.to_vec(), Vec2::new(8.0, 6.0));
        // Beside the table its edge faces the block, which is not asked here.
        if expected.len() < 3 {
            continue;
        }
        compared += 1;
        let is_there = |p: &Point2| {
            contacts.iter().any(|lmd| {
                (lmd.point_a.xy() - p).norm() < 1e-6 && (lmd.distance - GAP).abs() < 1e-9
            })
        };
        for p in &expected {
            assert!(
                is_there(p),
                "step {step}, {at:?} {angle}: no contact at {p} in {contacts:?}"
            );
        }
        for (i, lmd) in contacts.iter().enumerate() {
            let near = expected
                .iter()
                .any(|p| (lmd.point_a.xy() - p).norm() < 1e-6);
            assert!(
                near,
                "step {step}, {at:?} {angle}: {lmd:?}, expected {expected:?}"
            );
            let twice = contacts[..i]
                .iter()
                .any(|other| (other.point_a - lmd.point_a).norm() < 1e-9);
            assert!(!twice, "step {step}, {at:?} {angle}: {contacts:?}");
        }
    }
    assert!(compared * 2 > places.len());
    track.assert_lipschitz(&block, 1e-12);
}

fn along(steps: i32) -> impl Iterator<Item = f64> {
    (0..=steps).map(move |k| f64::from(k) / f64::from(steps))
}

#[test]
fn askew_over_the_edge_of_the_table() {
    slide(along(400).map(|t| (Vec2::new(4.0 + 5.0 * t, 2.0 + t), 0.4)));
    slide(along(400).map(|t| (Vec2::new(4.0 + 3.5 * t, 3.0 + 2.5 * t), 0.3 + 2.0 * t)));
}

#[test]
fn turning_in_place_over_a_corner() {
    slide(along(700).map(|t| (Vec2::new(7.0, 5.0), 0.01 + 6.2 * t)));
}

#[test]
fn parallel_over_the_edge_of_the_table() {
    // Clear of the places where edges are flush: there rounding says what is common.
    slide(along(301).map(|t| (Vec2::new(4.003 + 4.0 * t, 2.0), 0.0)));
    slide(along(301).map(|t| (Vec2::new(4.003 + 4.0 * t, 3.003 + 3.0 * t), 0.0)));
}
