//! Minima of free-form features that are not isolated: few samples, fixed to the part, each at its true distance.

#[allow(dead_code)]
#[path = "motions/follow.rs"]
mod follow;
#[path = "families/poses.rs"]
mod poses;
#[allow(dead_code)]
#[path = "published/prepare.rs"]
mod prepare;

use std::collections::BTreeMap;

use brepcd::geom::Pose;
use brepcd::query::{Options, Part};
use brepcd::tree::{FeatureId, Shape};
use brepcd::{Lmd, Status, Workspace};

use crate::follow::{moved, track};
use crate::poses::{conformal, motions};
use crate::prepare::{Random, named};

/// Samples of a pair of features are at most this many.
const SAMPLES: usize = 16;
/// Steps of a motion.
const STEPS: u32 = 100;

fn options() -> Options {
    Options {
        prediction: 20.0,
        ..Options::default()
    }
}

#[test]
fn congruent_and_parallel_features_are_resolved_quickly() {
    let mut workspace = Workspace::new();
    for case in conformal() {
        let (a, b) = (named(case.a), named(case.b));
        let answer = workspace
            .contacts(&a, &b, &case.a_from_b, &options())
            .expect("a pose");
        assert_eq!(answer.status, Status::Separated, "{case:?}");
        assert_eq!(answer.stats.unresolved, 0, "{case:?}");
        // Before families were found from beside them there were 140 000 steps for one pair of edges.
        assert!(
            answer.stats.newton_steps < 20_000,
            "{case:?}: {:?}",
            answer.stats
        );
        assert!(answer.lmds.iter().any(|lmd| lmd.sampled), "{case:?}");
    }
}

/// How many samples each pair of features has.
fn samples(lmds: &[Lmd]) -> BTreeMap<(FeatureId, FeatureId), usize> {
    let mut counts = BTreeMap::new();
    for lmd in lmds.iter().filter(|lmd| lmd.sampled) {
        *counts.entry((lmd.feature_a, lmd.feature_b)).or_default() += 1;
    }
    counts
}

/// How far a point is from the carrier of a feature.
fn off(part: &Part, feature: FeatureId, point: &brepcd::geom::Point3) -> f64 {
    match &part.tree().features[feature.index()].shape {
        Shape::Face { surface, .. } => {
            let foot = surface.invert(point, None);
            (surface.point(foot.0, foot.1) - point).norm()
        }
        Shape::Edge { curve, spans, .. } => {
            let spans = part.tree().spans[spans.range()].iter();
            let nearest = spans.map(|span| curve.nearest(point, *span).t);
            let off = nearest.map(|t| (curve.point(t) - point).norm());
            off.fold(f64::INFINITY, f64::min)
        }
        Shape::Vertex { point: own, .. } => (own - point).norm(),
    }
}

/// Few samples, each on both features and at its true distance, the least of which is the least distance.
fn assert_sound(a: &Part, b: &Part, a_from_b: &Pose, lmds: &[Lmd], what: &str) {
    for (features, count) in samples(lmds) {
        assert!(count <= SAMPLES, "{what}: {count} samples of {features:?}");
    }
    for lmd in lmds {
        let between = lmd.point_b - lmd.point_a;
        assert!(
            (between.norm() - lmd.distance).abs() < 1e-9,
            "{what}: {lmd:?}"
        );
        assert!(
            (between - lmd.normal * lmd.distance).norm() < 1e-6,
            "{what}: {lmd:?}"
        );
        let point_b = a_from_b.inverse() * lmd.point_b;
        let off = off(a, lmd.feature_a, &lmd.point_a).max(off(b, lmd.feature_b, &point_b));
        assert!(off < 1e-9, "{what}: {off} off, {lmd:?}");
    }
}

#[test]
fn few_samples_at_true_distances() {
    for case in conformal() {
        let (a, b) = (named(case.a), named(case.b));
        let answer = |options: &Options| {
            let mut workspace = Workspace::new();
            let answer = workspace.contacts(&a, &b, &case.a_from_b, options);
            answer.expect("a pose").lmds.clone()
        };
        let lmds = answer(&options());
        assert_sound(&a, &b, &case.a_from_b, &lmds, &format!("{case:?}"));
        assert_eq!(lmds, answer(&options()), "{case:?}");
        // Fewer on demand, and those that are there among the many; the least distance stays.
        let few = Options {
            samples: 4,
            ..options()
        };
        let few = answer(&few);
        assert!(samples(&few).values().all(|&count| count <= 4), "{case:?}");
        assert!(few.iter().all(|lmd| lmds.contains(lmd)), "{case:?}");
        assert!(few[0].distance <= lmds[0].distance + 1e-8, "{case:?}");
    }
}

#[test]
fn random_conformal_poses() {
    let mut random = Random(41);
    for (name_a, name_b, pose) in motions() {
        let (a, b) = (named(name_a), named(name_b));
        let mut workspace = Workspace::new();
        for _ in 0..20 {
            let a_from_b = pose(random.range(0.0, 1.0));
            let answer = workspace.contacts(&a, &b, &a_from_b, &options());
            let answer = answer.expect("a pose");
            let what = format!("{name_a} {name_b} {a_from_b:?}");
            assert_eq!(answer.stats.unresolved, 0, "{what}");
            assert!(answer.lmds.iter().any(|lmd| lmd.sampled), "{what}");
            assert_sound(&a, &b, &a_from_b, &answer.lmds, &what);
        }
    }
}

#[test]
fn samples_do_not_blink_along_motions() {
    for (name_a, name_b, pose) in motions() {
        let (a, b) = (named(name_a), named(name_b));
        let poses = (0..=STEPS).map(|k| pose(f64::from(k) / f64::from(STEPS)));
        let track = track(&a, &b, poses, &options());
        let step = track.poses.windows(2).map(|p| moved(&b, &p[0], &p[1]));
        let step = step.fold(0.0, f64::max);
        let counts = track.counts();
        assert!(
            counts.iter().all(|&count| count == counts[0]),
            "{name_a} {name_b}: {counts:?}"
        );
        track.assert_no_blink(4.0 * step);
        track.assert_lipschitz(&b, 1e-9);
    }
}
