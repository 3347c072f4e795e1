//! The insertion scenes: no pose overlaps, and any pose does when pushed a little beyond a known contact.

use crate::pairs::{Found, close_patches, overlap};
use crate::parts::load;
use brepcd::geom::Vec3;
use brepcd::query::overlap::{Misses, Scratch, crossing};
use brepcd::tree::MatrixPose;
use brepcd_tests::workspace;
use nalgebra::{Quaternion, Translation3, UnitQuaternion};
use serde_json::Value;

fn poses(scene: &str) -> Vec<MatrixPose> {
    let path = workspace().join(format!("data/scenes/{scene}_traj.csv"));
    let text = std::fs::read_to_string(path).expect("a trajectory");
    let pose = |line: &str| {
        let x: Vec<f64> = line
            .split(',')
            .skip(2)
            .map(|x| x.parse().expect("a number"))
            .collect();
        let turn = UnitQuaternion::from_quaternion(Quaternion::new(x[3], x[4], x[5], x[6]));
        MatrixPose::from_parts(
            Translation3::new(x[0], x[1], x[2]),
            turn.to_rotation_matrix(),
        )
    };
    text.lines().skip(1).map(pose).collect()
}

fn check(scene: &str) {
    let file = |name: &str| workspace().join(format!("data/scenes/{scene}_{name}"));
    let (a, b) = (load(&file("fixed.step")), load(&file("mobile.step")));
    let text = std::fs::read_to_string(file("reference.json")).expect("references");
    let reference: Value = serde_json::from_str(&text).expect("references");
    let poses = poses(scene);
    let touch = 1e-7;
    let mut scratch = Scratch::default();
    let (mut time, mut worst, mut pairs) = (0.0, 0.0f64, 0);
    for (step, pose) in poses.iter().enumerate().skip(400).step_by(10) {
        let found = overlap(&a.tree, &b.tree, pose, touch);
        for (a, b) in close_patches(&a.tree, &b.tree, pose) {
            let start = std::time::Instant::now();
            assert!(crossing(&a, &b, touch, &mut scratch, &mut Misses::default()).is_none());
            let took = start.elapsed().as_secs_f64();
            time += took;
            worst = worst.max(took);
            pairs += 1;
        }
        assert!(matches!(found, Found::Apart), "{scene} {step} {found:?}");
    }
    let mean = 1e6 * time / f64::from(pairs);
    println!(
        "{scene}: {pairs} pairs, {mean:.2} µs each, at most {:.0} µs",
        1e6 * worst
    );
    let mut pushed = 0;
    for (step, minima) in reference["lmd"].as_object().expect("minima") {
        let pose = &poses[step.parse::<usize>().expect("a step")];
        for minimum in minima.as_array().expect("minima") {
            let n: Vec<f64> = minimum["n"]
                .as_array()
                .expect("a normal")
                .iter()
                .filter_map(Value::as_f64)
                .collect();
            let d = minimum["d"].as_f64().expect("a distance");
            let n = Vec3::new(n[0], n[1], n[2]);
            for beyond in [1e-1, 1e-3, 1e-4, 1e-5] {
                let by = Translation3::from(n * -(d + beyond));
                let found = overlap(&a.tree, &b.tree, &(by * pose), touch);
                assert!(found.overlaps(), "{scene} {step} {minimum} {beyond}");
                pushed += 1;
            }
        }
    }
    assert!(pushed > 100, "{pushed}");
}

#[test]
fn coneplug() {
    check("coneplug");
}

#[test]
fn hotstab() {
    check("hotstab");
}
