//! The least distance is the least of all minima: of those that `contacts` finds with a prediction just above it.

use brepcd::query::Options;
use brepcd::{Answer, Status, Workspace};

use crate::fuzz::{pose, samples};
use crate::prepare::Random;

/// Share of the lengths at hand by which the prediction is above the least distance.
const ABOVE: f64 = 1e-4;
/// Rounding of a distance, as a share of the lengths at hand.
const ROUNDING: f64 = 1e-12;

#[test]
fn least_of_all() {
    run(21, 1500);
}

#[test]
#[ignore = "takes minutes; BREPCD_SEED chooses other poses"]
fn least_of_all_at_many_poses() {
    let seed = std::env::var("BREPCD_SEED").ok();
    run(
        seed.and_then(|text| text.parse().ok()).unwrap_or(22),
        40_000,
    );
}

/// Odd poses have widened polars, some have no pruning.
fn options(index: usize) -> Options {
    Options {
        regularization: if index.is_multiple_of(2) { 0.0 } else { 0.03 },
        pruning: !index.is_multiple_of(5),
        ..Options::default()
    }
}

fn run(seed: u64, count: usize) {
    let samples = samples();
    let mut random = Random(seed);
    let mut workspace = Workspace::new();
    let (mut compared, mut several, mut overlapping) = (0, 0, 0);
    let mut complaints = Vec::new();
    for index in 0..count {
        let a = &samples[random.below(samples.len())];
        let b = &samples[random.below(samples.len())];
        let a_from_b = pose(&mut random, a, b);
        let extent = 1.0 + a.size + b.size + a_from_b.translation.vector.norm();
        let options = options(index);
        let mut complain =
            |what: String| complaints.push(format!("{} {} {a_from_b:?}: {what}", a.name, b.name));
        let least = workspace.min_distance(&a.part, &b.part, &a_from_b, &options);
        let least = least.expect("a pose").clone();
        let pruned = Options {
            pruning: !options.pruning,
            ..options
        };
        let other = workspace.min_distance(&a.part, &b.part, &a_from_b, &pruned);
        let other = other.expect("a pose").clone();
        let rounding = ROUNDING * extent;
        let differ = |x: &Answer, y: &Answer| match (x.min_distance(), y.min_distance()) {
            (Some(x), Some(y)) => (x - y).abs() > rounding,
            _ => true,
        };
        if least.status != other.status || differ(&least, &other) {
            complain(format!("with and without pruning: {least:?}, {other:?}"));
        }
        let Some(distance) = least.min_distance() else {
            complain("no distance".to_owned());
            continue;
        };
        // What is far away has minima a little farther, which only cost time.
        let prediction = distance + ABOVE * (a.size + b.size);
        let all = Options {
            prediction,
            ..options
        };
        let all = workspace.contacts(&a.part, &b.part, &a_from_b, &all);
        let all = all.expect("a pose");
        if all.status != least.status {
            complain(format!("{:?}, but all {:?}", least.status, all.status));
        } else if least.status == Status::Overlapping {
            overlapping += 1;
        } else {
            compared += 1;
            several += usize::from(least.lmds.len() > 1);
            if differ(all, &least) {
                complain(format!("{distance}, but of all {:?}", all.min_distance()));
            }
            let first = all.lmds.iter();
            let first = first.take_while(|lmd| lmd.distance <= distance + rounding);
            if first.clone().count() == 0 || least.lmds.len() < first.count() {
                complain(format!("{:?}, but of all {:?}", least.lmds, all.lmds));
            }
        }
    }
    println!(
        "{compared} least distances, {several} of several pairs; {overlapping} poses that overlap"
    );
    assert!(
        complaints.is_empty(),
        "{}\n{}",
        complaints.len(),
        complaints.join("\n")
    );
    assert!(compared > count / 4 && several > count / 50 && overlapping > count / 10);
}
