//! From a model to a tree, and from a tree to its file.

// The macro of criterion makes a public function.
#![allow(missing_docs)]

use std::hint::black_box;

use brepcd::TreeOptions;
use brepcd_benches::scene::{SCENES, step_bytes};
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};

fn scene_parts(c: &mut Criterion) {
    let mut group = c.benchmark_group("preprocess");
    group.sample_size(10);
    for part in SCENES
        .map(|name| [format!("{name}_fixed"), format!("{name}_mobile")])
        .concat()
    {
        let (bytes, source) = step_bytes(&part);
        let model = brepcd::step::read(&bytes, &Default::default(), &mut |_| {});
        let model = model.expect("a scene part is valid");
        let run =
            || brepcd::preprocess(black_box(&model), &source, &bytes, &TreeOptions::default());
        group.bench_function(BenchmarkId::new("tree", &part), |b| b.iter(run));
        let (tree, _) = run();
        group.bench_function(BenchmarkId::new("to_bytes", &part), |b| {
            b.iter(|| black_box(&tree).to_bytes().expect("a tree fits a file"));
        });
    }
    group.finish();
}

criterion_group!(benches, scene_parts);
criterion_main!(benches);
