//! Queries allocate nothing once their buffers have grown.

use brepcd::Workspace;
use brepcd::geom::{Pose, Vec3};
use brepcd::query::{Options, Part};
use brepcd_tests::workspace;

/// The part of a scene.
fn part(name: &str) -> Part {
    let path = workspace().join("data/scenes").join(name);
    brepcd::load_part(path).expect("a scene part").part
}

/// The trajectory of a scene.
fn poses(scene: &str) -> Vec<Pose> {
    let path = workspace().join(format!("data/scenes/{scene}_traj.csv"));
    let text = std::fs::read_to_string(path).expect("a trajectory");
    let pose = |line: &str| {
        let fields = line.split(',').skip(2);
        let x: Vec<f64> = fields.map(|f| f.parse().expect("a number")).collect();
        let rotation = nalgebra::Quaternion::new(x[3], x[4], x[5], x[6]);
        Pose::from_parts(
            Vec3::new(x[0], x[1], x[2]).into(),
            nalgebra::UnitQuaternion::new_normalize(rotation),
        )
    };
    text.lines().skip(1).map(pose).collect()
}

/// Goes along a trajectory twice with each query, and lists where the second time allocated.
fn allocating(scene: &str) -> Vec<String> {
    let (a, b) = (
        part(&format!("{scene}_fixed.step")),
        part(&format!("{scene}_mobile.step")),
    );
    let poses = poses(scene);
    let options = Options::default();
    let mut buffers = Workspace::new();
    let mut query = |kind: &str, pose: &Pose| {
        let answer = match kind {
            "contacts" => buffers.contacts(&a, &b, pose, &options),
            "min_distance" => buffers.min_distance(&a, &b, pose, &options),
            _ => buffers.intersects(&a, &b, pose, &options),
        };
        assert!(answer.is_ok());
    };
    let mut out = Vec::new();
    for kind in ["contacts", "min_distance", "intersects"] {
        poses.iter().for_each(|pose| query(kind, pose));
        for (index, pose) in poses.iter().enumerate() {
            let counted = allocation_counter::measure(|| query(kind, pose));
            if counted.count_total > 0 {
                out.push(format!(
                    "{scene} {kind} pose {index}: {} allocations, {} bytes",
                    counted.count_total, counted.bytes_total
                ));
            }
        }
    }
    out
}

#[test]
fn the_counter_counts() {
    let counted = allocation_counter::measure(|| drop(std::hint::black_box(vec![1u8; 100])));
    assert_eq!((counted.count_total, counted.bytes_total), (1, 100));
}

#[test]
fn no_allocation_along_a_whole_trajectory() {
    let found: Vec<String> = ["coneplug", "hotstab"].map(allocating).concat();
    let some = &found[..found.len().min(20)];
    assert!(
        found.is_empty(),
        "{} queries allocate, among them\n{}",
        found.len(),
        some.join("\n")
    );
}
