//! The tests of pairs of nodes: boxes, circular cones, polyhedral cones of four sides each.
//!
//! The nodes are those of the hotstab scene at a pose of its lock phase, so that what is rejected and what is not come in the
//! mixture that queries meet. Times are per pair of nodes, read from their trees as queries do.

// The macro of criterion makes a public function.
#![allow(missing_docs)]

use std::hint::black_box;

use brepcd::tree::{MatrixPose, Node};
use brepcd_benches::each::each;
use brepcd_benches::scene::Scene;
use criterion::{Criterion, criterion_group, criterion_main};

/// Pairs of nodes.
const PAIRS: usize = 1024;
/// Pairs are drawn by steps of primes through both lists.
const STEPS: [usize; 2] = [7, 13];
/// Sides of the polyhedral cones that are tested.
const SIDES: usize = 4;

/// A node of each part.
type Pair<'a> = (&'a Node, &'a Node);

/// Pairs of nodes of both parts that satisfy a condition.
fn pairs(scene: &Scene, wanted: impl Fn(&Node) -> bool) -> Vec<Pair<'_>> {
    let [a, b] = [0, 1].map(|side| {
        let nodes = scene.parts[side].tree().nodes.iter();
        nodes.filter(|node| wanted(node)).collect::<Vec<_>>()
    });
    let pair = |i: usize| (a[STEPS[0] * i % a.len()], b[STEPS[1] * i % b.len()]);
    (0..PAIRS).map(pair).collect()
}

fn nodes(c: &mut Criterion) {
    let scene = Scene::load("hotstab");
    let pose = scene.poses("lock", 100)[1];
    let a_from_b = MatrixPose::from_parts(pose.translation, pose.rotation.to_rotation_matrix());
    let reach = 2.0 * scene.gap;
    let all = pairs(&scene, |_| true);
    let with_sides = pairs(&scene, |node| node.cone.count() == SIDES);
    let mut group = c.benchmark_group("nodes");
    let mut bench = |name: &str, pairs: &[Pair], test: &dyn Fn(&Node, &Node) -> bool| {
        group.bench_function(name, |bencher| {
            each(bencher, pairs, |(a, b)| {
                black_box(test(a, b));
            });
        });
    };
    bench("box distance exceeds", &all, &|a, b| {
        a.obb.distance_exceeds(&b.obb, &a_from_b, reach)
    });
    bench("circular cones", &all, &|a, b| {
        a.circle
            .antipodal(&b.circle.transformed(&a_from_b.rotation))
    });
    bench("polyhedral cones 4x4", &with_sides, &|a, b| {
        a.cone.antipodal(&b.cone, &a_from_b.rotation)
    });
    group.finish();
}

criterion_group!(benches, nodes);
criterion_main!(benches);
