//! From the bytes of a tree file to a part that is ready for queries, and the same from the STEP file.

// The macro of criterion makes a public function.
#![allow(missing_docs)]

use std::hint::black_box;

use brepcd::tree::TreePart;
use brepcd::{Part, TreeOptions};
use brepcd_benches::scene::{SCENES, step_bytes};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

fn scene_parts(c: &mut Criterion) {
    let mut group = c.benchmark_group("load");
    group.sample_size(10);
    for part in SCENES
        .map(|name| [format!("{name}_fixed"), format!("{name}_mobile")])
        .concat()
    {
        let (step, source) = step_bytes(&part);
        let tree = || {
            let model = brepcd::step::read(&step, &Default::default(), &mut |_| {});
            let model = model.expect("a scene part is valid");
            brepcd::preprocess(&model, &source, &step, &TreeOptions::default()).0
        };
        let bytes = tree().to_bytes().expect("a tree fits a file");
        let load = |bytes: &[u8]| {
            TreePart::from_bytes(bytes)
                .map(Part::new)
                .expect("a tree file")
        };
        group.throughput(Throughput::Bytes(bytes.len() as u64));
        group.bench_function(BenchmarkId::new("tree file", &part), |b| {
            b.iter(|| load(black_box(&bytes)))
        });
        group.throughput(Throughput::Bytes(step.len() as u64));
        group.bench_function(BenchmarkId::new("STEP file", &part), |b| {
            b.iter(|| Part::new(tree()))
        });
    }
    group.finish();
}

criterion_group!(benches, scene_parts);
criterion_main!(benches);
