//! Queries that keep a state from pose to pose answer the same, bit for bit, as those that do not.

use brepcd::geom::{Pose, Vec3};
use brepcd::query::Options;
use brepcd::{Answer, PairState, Part, Workspace};
use brepcd_tests::workspace;

fn part(name: &str) -> Part {
    let path = workspace().join(name);
    brepcd::load_part(path).expect("a part").part
}

fn trajectory(scene: &str) -> Vec<Pose> {
    let path = workspace().join(format!("data/scenes/{scene}_traj.csv"));
    let text = std::fs::read_to_string(path).expect("a file");
    let pose = |line: &str| {
        let x: Vec<f64> = line
            .split(',')
            .skip(2)
            .map(|f| f.parse().expect("a number"))
            .collect();
        let turn = nalgebra::Quaternion::new(x[3], x[4], x[5], x[6]);
        Pose::from_parts(
            Vec3::new(x[0], x[1], x[2]).into(),
            nalgebra::UnitQuaternion::new_normalize(turn),
        )
    };
    text.lines().skip(1).map(pose).collect()
}

fn bits(answer: &Answer) -> (brepcd::Status, Vec<[u64; 13]>) {
    let lmds = answer.lmds.iter().map(|lmd| {
        let mut out = [0; 13];
        out[0] = lmd.distance.to_bits();
        for i in 0..3 {
            out[1 + i] = lmd.point_a[i].to_bits();
            out[4 + i] = lmd.point_b[i].to_bits();
            out[7 + i] = lmd.normal[i].to_bits();
        }
        out[10] = u64::from(lmd.feature_a.0);
        out[11] = u64::from(lmd.feature_b.0);
        out[12] = u64::from(lmd.sampled) + 2 * u64::from(lmd.regularized);
        out
    });
    (answer.status, lmds.collect())
}

/// Asks both ways at every pose; returns how many pairs of nodes each took.
fn compare(a: &Part, b: &Part, poses: &[Pose], options: &Options) -> [u64; 2] {
    let (mut cold, mut warm) = (Workspace::new(), Workspace::new());
    let mut state = PairState::new();
    let mut took = [0; 2];
    for (index, pose) in poses.iter().enumerate() {
        let x = cold.contacts(a, b, pose, options).expect("a pose");
        let y = warm
            .contacts_along(&mut state, a, b, pose, options)
            .expect("a pose");
        assert_eq!(bits(x), bits(y), "pose {index}");
        took[0] += x.stats.node_pairs;
        took[1] += y.stats.node_pairs;
    }
    took
}

#[test]
fn along_both_scenes() {
    for (scene, gap) in [("hotstab", 0.1), ("coneplug", 0.2)] {
        let [a, b] = ["fixed", "mobile"].map(|w| part(&format!("data/scenes/{scene}_{w}.step")));
        let poses = trajectory(scene);
        for prediction in [2.0 * gap, 1.0] {
            let options = Options {
                prediction,
                ..Options::default()
            };
            let [cold, warm] = compare(&a, &b, &poses, &options);
            assert!(warm < cold, "{scene}: {warm} of {cold}");
        }
    }
}

#[test]
fn along_motions_that_overlap_jump_and_turn() {
    let names = [
        "box",
        "drilled_block",
        "torus",
        "loft",
        "cylinder",
        "sphere",
    ];
    let parts = names.map(|name| part(&format!("data/parts/{name}.step")));
    for a in &parts {
        for b in &parts {
            let poses: Vec<Pose> = (0..120)
                .map(|k| {
                    let t = f64::from(k) * 0.05;
                    // In and out of each other, sometimes far away at once.
                    let far = if k % 40 == 39 { 30.0 } else { 0.0 };
                    let shift = Vec3::new(12.0 + 10.0 * t.cos() + far, 3.0 * t.sin(), 2.0 + t);
                    let turn = Vec3::new(0.3 * t, 0.1, -0.2 * t);
                    Pose::new(shift, turn)
                })
                .collect();
            for regularization in [0.0, 0.05] {
                let options = Options {
                    prediction: 2.0,
                    regularization,
                    ..Options::default()
                };
                compare(a, b, &poses, &options);
            }
        }
    }
}

#[test]
fn a_state_notices_other_parts_and_options() {
    let (a, b, c) = (
        part("data/parts/box.step"),
        part("data/parts/sphere.step"),
        part("data/parts/torus.step"),
    );
    let mut state = PairState::new();
    let (mut cold, mut warm) = (Workspace::new(), Workspace::new());
    let pose = Pose::translation(2.0, 3.0, 25.0);
    for (other, prediction) in [(&b, 5.0), (&c, 5.0), (&c, 40.0), (&b, 40.0), (&a, 40.0)] {
        let options = Options {
            prediction,
            ..Options::default()
        };
        let x = cold.contacts(&a, other, &pose, &options).expect("a pose");
        let y = warm
            .contacts_along(&mut state, &a, other, &pose, &options)
            .expect("a pose");
        assert_eq!(bits(x), bits(y));
    }
}
