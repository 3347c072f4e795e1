//! Queries along the trajectories, phase by phase, and parry3d's on the same poses; times are per pose.

// The macro of criterion makes a public function.
#![allow(missing_docs)]

use std::cell::RefCell;
use std::hint::black_box;
use std::time::Duration;

use brepcd_benches::columns;
use brepcd_benches::each::each;
use brepcd_benches::peer::{MeshPair, peer_pose};
use brepcd_benches::scene::{PHASES, SCENES, Scene};
use criterion::{Criterion, criterion_group, criterion_main};

/// Every so many poses of a phase are asked.
const STRIDE: usize = 20;

fn trajectories(c: &mut Criterion) {
    for name in SCENES {
        let scene = Scene::load(name);
        let peer = RefCell::new(MeshPair::new(&scene.meshes));
        for phase in PHASES {
            let poses = scene.poses(phase, STRIDE);
            let mut group = c.benchmark_group(format!("{name}/{phase}"));
            group
                .sample_size(10)
                .warm_up_time(Duration::from_millis(300))
                .measurement_time(Duration::from_secs(1));
            for mut column in columns::of_scene(&scene, &peer, 2.0 * scene.gap) {
                group.bench_function(column.name, |b| {
                    each(b, &poses, |pose| column.run(pose));
                });
            }
            group.bench_function("parry closest points", |b| {
                each(b, &poses, |pose| {
                    let limit = 2.0 * scene.gap;
                    black_box(peer.borrow().closest_points(&peer_pose(pose), limit));
                });
            });
            group.finish();
        }
    }
}

criterion_group!(benches, trajectories);
criterion_main!(benches);
