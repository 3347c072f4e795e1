//! Two shafts crossed in their grooves: hollow of one torus against that of the other, bent away all the same, since
//! each waist is thinner than the groove around it.

use std::f64::consts::FRAC_PI_2;

use brepcd::geom::{Pose, Vec3};
use brepcd::query::{Options, Workspace};
use brepcd::{Lmd, Status};
use brepcd_tests::solids;

use crate::prepare::part;

/// Radius of the waists, of the grooves and of the shafts, and their length.
const WAIST: f64 = 0.1;
const GROOVE: f64 = 0.9;
const SHAFT: f64 = 0.6;
const LENGTH: f64 = 10.0;

/// The shaft along x of B across that along z of A, groove in groove, waists `gap` apart, turned about the line between
/// them by `turn` off the right angle.
fn crossed(gap: f64, turn: f64) -> Pose {
    let middle = 0.5 * LENGTH;
    let across = Pose::rotation(Vec3::y() * (FRAC_PI_2 + turn));
    let apart = 2.0 * WAIST + gap;
    Pose::translation(0.0, apart, middle) * across * Pose::translation(0.0, 0.0, -middle)
}

#[test]
fn waists_of_crossed_shafts() {
    let shaft = part(&solids::waisted_shaft(SHAFT, LENGTH, GROOVE, WAIST));
    let mut workspace = Workspace::new();
    for gap in [0.0, 1e-6, 0.05, 0.2] {
        for turn in [0.0, 1e-3, 0.05, -0.1] {
            let pose = crossed(gap, turn);
            for pruning in [true, false] {
                let options = Options {
                    prediction: gap + 1e-3,
                    pruning,
                    ..Options::default()
                };
                let answer = workspace.contacts(&shaft, &shaft, &pose, &options);
                let answer = answer.expect("a pose");
                let what = format!("{gap} {turn} {pruning}: {answer:?}");
                assert_eq!(answer.status, Status::Separated, "{what}");
                let at_waist = |l: &Lmd| (l.distance - gap).abs() < 1e-12 && !l.sampled;
                assert_eq!(answer.lmds.len(), 1, "{what}");
                assert!(answer.lmds.iter().all(at_waist), "{what}");
            }
            let least = workspace.min_distance(&shaft, &shaft, &pose, &Options::default());
            let least = least.expect("a pose").min_distance();
            assert!(least.is_some_and(|d| (d - gap).abs() < 1e-12), "{least:?}");
        }
    }
}
