//! How long pairs take; printed, not asserted.

use super::bounds::every_kind;
use super::build::{Random, UNIT, face, piece};
use super::oracle::Pair;
use super::surfaces::facing;
use crate::numeric::{Counts, Found, Limits, Outcome, Scratch, stationary};
use brepcd_tree::MatrixPose;

/// Boxes, Newton steps and microseconds of a pair, and whether anything was found.
struct Run {
    boxes: u64,
    steps: u64,
    time: f64,
    hit: bool,
    outcome: Outcome,
}

fn run(pair: &Pair<'_>, reach: f64, scratch: &mut Scratch, found: &mut Vec<Found>) -> Run {
    const TIMES: u32 = 10;
    let (a, b) = (&pair.a, &pair.b);
    let limits = Limits::default();
    let mut counts = Counts::default();
    let mut outcome = Outcome::Resolved;
    let start = std::time::Instant::now();
    for _ in 0..TIMES {
        found.clear();
        outcome = stationary(a, b, reach, &limits, scratch, &mut counts, found);
    }
    Run {
        boxes: counts.boxes / u64::from(TIMES),
        steps: counts.newton_steps / u64::from(TIMES),
        time: start.elapsed().as_secs_f64() * 1e6 / f64::from(TIMES),
        hit: !found.is_empty(),
        outcome,
    }
}

fn report(name: &str, runs: &mut [Run]) {
    runs.sort_by(|a, b| a.time.total_cmp(&b.time));
    for hit in [false, true] {
        let some: Vec<_> = runs.iter().filter(|r| r.hit == hit).collect();
        if some.is_empty() {
            continue;
        }
        print!(
            "{name}, {} {}:",
            some.len(),
            if hit { "hits" } else { "misses" }
        );
        for share in [0.5, 0.9, 0.99] {
            let r = some[((some.len() - 1) as f64 * share) as usize];
            print!("  {:.1} µs ({} boxes, {} steps)", r.time, r.boxes, r.steps);
        }
        println!();
    }
    for odd in [Outcome::Unresolved, Outcome::Family] {
        let count = runs.iter().filter(|r| r.outcome == odd).count();
        if count > 0 {
            println!("    {odd:?}: {count}");
        }
    }
}

#[test]
#[ignore = "prints times"]
fn times_of_bicubic_pairs() {
    let (mut scratch, mut found) = (Scratch::default(), Vec::new());
    for (bend, noise, rational) in [
        (0.3, 0.0, false),
        (0.3, 0.01, false),
        (0.3, 0.02, true),
        (0.3, 0.05, false),
        (0.7, 0.02, false),
    ] {
        let mut random = Random(1);
        let mut runs = Vec::new();
        for _ in 0..400 {
            let one = face(
                random.patch([3, 3], bend, noise, rational),
                UNIT,
                UNIT,
                true,
            );
            let two = face(
                random.patch([3, 3], bend, noise, rational),
                UNIT,
                UNIT,
                true,
            );
            let gap = random.range(-0.2, 0.6);
            let (here, there) = (MatrixPose::identity(), facing(&mut random, gap));
            let pair = Pair {
                a: piece(&one, &here),
                b: piece(&two, &there),
            };
            runs.push(run(&pair, 0.2, &mut scratch, &mut found));
        }
        report(
            &format!("bend {bend} noise {noise} rational {rational}"),
            &mut runs,
        );
    }
}

#[test]
#[ignore = "prints times"]
fn times_of_kinds_against_a_bicubic() {
    let (mut scratch, mut found) = (Scratch::default(), Vec::new());
    let mut random = Random(7);
    let mut all: Vec<(&str, Vec<Run>)> = Vec::new();
    for _ in 0..1500 {
        let surface = face(random.patch([3, 3], 0.3, 0.01, false), UNIT, UNIT, true);
        for (k, (name, other)) in every_kind(&mut random).iter().enumerate() {
            let (here, there) = (MatrixPose::identity(), random.pose(3.0, 0.5));
            let pair = Pair {
                a: piece(&surface, &here),
                b: piece(other, &there),
            };
            if all.len() <= k {
                all.push((name, Vec::new()));
            }
            all[k].1.push(run(&pair, 0.3, &mut scratch, &mut found));
        }
    }
    for (name, mut runs) in all {
        report(name, &mut runs);
    }
}
