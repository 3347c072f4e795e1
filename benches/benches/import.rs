//! Import of STEP files: the text alone (`parse`), the whole import (`read`), and what follows (`mass`).
//!
//! With `BREPCD_CORPUS` set to a folder of STEP files, also the throughput over all of them.

// The macro of criterion makes a public function.
#![allow(missing_docs)]

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use brepcd::Model;
use brepcd::step::{Progress, ReadOptions, StepError, read};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

/// STEP files of a folder, sorted.
fn step_files(folder: &Path) -> Vec<PathBuf> {
    let is_step = |path: &PathBuf| {
        path.extension()
            .is_some_and(|e| e.eq_ignore_ascii_case("step") || e.eq_ignore_ascii_case("stp"))
    };
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_step).collect();
    files.sort();
    files
}

/// Reads a file and says how long the parsing of its text took.
fn timed(bytes: &[u8]) -> (Result<Model, StepError>, Duration) {
    let start = Instant::now();
    let mut parsed = None;
    let model = read(bytes, &ReadOptions::default(), &mut |progress: Progress| {
        if progress.stage == "build" {
            parsed.get_or_insert_with(|| start.elapsed());
        }
    });
    (model, parsed.unwrap_or_else(|| start.elapsed()))
}

fn scenes(c: &mut Criterion) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/scenes");
    let mut group = c.benchmark_group("import");
    for file in step_files(&folder) {
        let bytes = std::fs::read(&file).expect("a scene can be read");
        let name = file
            .file_stem()
            .map(|s| s.to_string_lossy().into_owned())
            .unwrap_or_default();
        let model = timed(&bytes).0.expect("a scene is valid");
        group.throughput(Throughput::Bytes(bytes.len() as u64));
        group.bench_with_input(BenchmarkId::new("parse", &name), &bytes, |b, bytes| {
            b.iter_custom(|n| (0..n).map(|_| timed(black_box(bytes)).1).sum());
        });
        group.bench_with_input(BenchmarkId::new("read", &name), &bytes, |b, bytes| {
            b.iter(|| timed(black_box(bytes)).0);
        });
        group.bench_with_input(BenchmarkId::new("mass", &name), &model, |b, model| {
            b.iter(|| brepcd::placed_mass_properties(black_box(model)));
        });
    }
    group.finish();
}

fn corpus(c: &mut Criterion) {
    let Some(folder) = std::env::var_os("BREPCD_CORPUS") else {
        return;
    };
    let files: Vec<Vec<u8>> = step_files(Path::new(&folder))
        .iter()
        .filter_map(|file| std::fs::read(file).ok())
        .collect();
    let bytes: usize = files.iter().map(Vec::len).sum();
    let mut group = c.benchmark_group("corpus");
    group
        .sample_size(10)
        .throughput(Throughput::Bytes(bytes as u64));
    group.bench_function("parse", |b| {
        b.iter_custom(|n| {
            (0..n)
                .flat_map(|_| &files)
                .map(|bytes| timed(bytes).1)
                .sum()
        });
    });
    group.bench_function("read", |b| {
        b.iter(|| {
            files
                .iter()
                .filter(|bytes| timed(black_box(bytes)).0.is_ok())
                .count()
        });
    });
    group.finish();
}

criterion_group!(benches, scenes, corpus);
criterion_main!(benches);
