//! Poses that are none, poses far beyond any part, empty parts and odd options.

use brepcd::brep::{Builder, Tolerance};
use brepcd::geom::{Pose, Vec3};
use brepcd::query::{Options, Part, PoseError};
use brepcd::{Answer, Status, Workspace};
use brepcd_tests::solids;
use nalgebra::{Quaternion, UnitQuaternion};

use crate::prepare::{named, part};

/// A query as the workspace has it.
type Query = fn(&mut Workspace, &Part, &Part, &Pose, &Options) -> Result<Answer, PoseError>;

const QUERIES: [Query; 3] = [
    |w, a, b, pose, options| w.contacts(a, b, pose, options).cloned(),
    |w, a, b, pose, options| w.min_distance(a, b, pose, options).cloned(),
    |w, a, b, pose, options| w.intersects(a, b, pose, options).cloned(),
];

fn pose(t: [f64; 3], q: [f64; 4]) -> Pose {
    let rotation = Quaternion::new(q[0], q[1], q[2], q[3]);
    Pose::from_parts(
        Vec3::from(t).into(),
        UnitQuaternion::new_unchecked(rotation),
    )
}

const STRAIGHT: [f64; 4] = [1.0, 0.0, 0.0, 0.0];

/// True if everything in the answer is finite.
fn is_finite(answer: &Answer) -> bool {
    let lmds = answer.lmds.iter().all(|lmd| {
        let sum = lmd.point_a.coords + lmd.point_b.coords + lmd.normal;
        sum.sum().is_finite() && lmd.distance.is_finite()
    });
    let overlap = answer
        .overlap
        .iter()
        .all(|o| (o.point.coords.sum() + o.depth).is_finite());
    lmds && overlap
}

#[test]
fn what_is_no_pose() {
    let (a, b) = (
        part(&solids::ball(1.0)),
        part(&solids::block(1.0, 2.0, 3.0)),
    );
    let mut workspace = Workspace::new();
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for i in 0..7 {
            let mut numbers = [9.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
            numbers[i] = bad;
            let [x, y, z, q @ ..] = numbers;
            for query in QUERIES {
                let answer = query(
                    &mut workspace,
                    &a,
                    &b,
                    &pose([x, y, z], q),
                    &Options::default(),
                );
                assert_eq!(answer.map(|_| ()), Err(PoseError::NotFinite), "{numbers:?}");
            }
        }
    }
    for q in [
        [0.0; 4],
        [2.0, 0.0, 0.0, 0.0],
        [0.5; 4].map(|x: f64| 1.001 * x),
        [1.0 - 1e-5, 0.0, 0.0, 0.0],
        [1e200, 0.0, 0.0, 0.0],
    ] {
        for query in QUERIES {
            let answer = query(
                &mut workspace,
                &a,
                &b,
                &pose([9.0, 0.0, 0.0], q),
                &Options::default(),
            );
            let error = answer.map(|_| ()).expect_err("no rotation");
            let expected = if q[0] > 1e100 {
                PoseError::NotFinite
            } else {
                PoseError::NotUnit
            };
            assert!(error == expected || q[0] > 1e100, "{q:?}: {error:?}");
        }
    }
    // After errors the workspace is as good as new.
    let options = Options::default();
    let answer = workspace.min_distance(&a, &b, &pose([9.0, 0.0, 0.0], STRAIGHT), &options);
    let distance = answer.expect("a pose").lmds[0].distance;
    assert!((distance - 8.0).abs() < 1e-12, "{distance}");
}

#[test]
fn a_quaternion_that_is_a_rotation_but_for_rounding() {
    let (a, b) = (
        part(&solids::ball(1.0)),
        part(&solids::block(1.0, 2.0, 3.0)),
    );
    let mut workspace = Workspace::new();
    let exact = [0.5, -0.5, 0.5, 0.5];
    let options = Options::default();
    for off in [0.0, 1e-16, 1e-12, -1e-8, 5e-7] {
        let q = exact.map(|x: f64| x * (1.0 + off));
        let answer = workspace.min_distance(&a, &b, &pose([9.0, 0.0, 0.0], q), &options);
        let distance = answer.expect("a pose").lmds[0].distance;
        // Scaled to unit length: the error of the length does not become one of the distance.
        let known = QUERIES[1](
            &mut Workspace::new(),
            &a,
            &b,
            &pose([9.0, 0.0, 0.0], exact),
            &options,
        );
        let known = known.expect("a pose").lmds[0].distance;
        assert!(
            (distance - known).abs() < 1e-12,
            "{off}: {distance} {known}"
        );
    }
}

#[test]
fn far_beyond_any_part() {
    let parts: Vec<Part> = [
        "box",
        "drilled_block",
        "torus",
        "loft",
        "lemon",
        "cone_hyperbola",
    ]
    .iter()
    .map(|name| named(name))
    .collect();
    let turned = UnitQuaternion::from_scaled_axis(Vec3::new(0.3, -1.0, 0.4));
    let mut workspace = Workspace::new();
    for far in [1e6, 1e9, 1e12, 1e15, 1e100, 1e160, 1e300, f64::MAX] {
        for direction in [Vec3::x(), Vec3::new(0.48, -0.6, 0.64)] {
            let a_from_b = Pose::from_parts((direction * far).into(), turned);
            for a in &parts {
                for b in &parts {
                    for query in QUERIES {
                        let answer = query(&mut workspace, a, b, &a_from_b, &Options::default());
                        let answer = answer.expect("a pose");
                        assert_eq!(answer.status, Status::Separated, "{far:e}");
                        assert!(is_finite(&answer), "{far:e}: {answer:?}");
                    }
                    let answer = workspace.min_distance(a, b, &a_from_b, &Options::default());
                    let answer = answer.expect("a pose");
                    if far <= 1e15 {
                        let found = answer.min_distance().unwrap_or(f64::NAN);
                        let size = 100.0;
                        assert!(
                            (found - far).abs() <= size + 1e-12 * far,
                            "{far:e}: {found:e}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn empty_parts() {
    let (brep, findings) = Builder::new(Tolerance::default()).finish();
    assert!(findings.is_empty() && brep.faces.is_empty());
    let (empty, block) = (part(&brep), part(&solids::block(1.0, 2.0, 3.0)));
    let mut workspace = Workspace::new();
    for (a, b) in [(&empty, &block), (&block, &empty), (&empty, &empty)] {
        for query in QUERIES {
            let answer = query(&mut workspace, a, b, &Pose::identity(), &Options::default());
            let answer = answer.expect("a pose");
            assert_eq!(answer.status, Status::Separated);
            assert!(answer.lmds.is_empty() && answer.overlap.is_none());
            assert_eq!(answer.min_distance(), None);
        }
    }
}

#[test]
fn odd_options() {
    let (a, b) = (named("drilled_block"), named("filleted_box"));
    let a_from_b = Pose::translation(45.0, 3.0, 1.0);
    let odd = [
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        -1.0,
        0.0,
        1e300,
        1e-300,
    ];
    let mut workspace = Workspace::new();
    for prediction in odd {
        for epsilon in odd {
            for regularization in odd {
                for (samples, pruning) in [(0, true), (usize::MAX, false)] {
                    let options = Options {
                        prediction,
                        epsilon,
                        regularization,
                        samples,
                        pruning,
                    };
                    for query in QUERIES {
                        let answer = query(&mut workspace, &a, &b, &a_from_b, &options);
                        assert!(is_finite(&answer.expect("a pose")), "{options:?}");
                    }
                }
            }
        }
    }
    // No cut-off at all: as many as under one beyond all of them.
    let all = |prediction: f64| {
        let options = Options {
            prediction,
            ..Options::default()
        };
        let answer = QUERIES[0](&mut Workspace::new(), &a, &b, &a_from_b, &options);
        answer.expect("a pose").lmds
    };
    assert_eq!(all(f64::INFINITY), all(1e3));
    assert!(!all(f64::INFINITY).is_empty());
    assert!(all(-1.0).is_empty());
}
