//! How long pairs take; printed, not asserted.

use super::build::{Random, UNIT, face, piece};
use super::oracle::Pair;
use super::surfaces::facing;
use crate::numeric::{Counts, Limits, Outcome, Scratch, stationary};
use brepcd_tree::MatrixPose;

#[test]
#[ignore = "prints times"]
fn times_of_bicubic_pairs() {
    for (bend, noise, reach, rational) in [
        (0.3, 0.0, 0.2, false),
        (0.3, 0.02, 0.2, false),
        (0.3, 0.02, 0.2, true),
        (0.3, 0.05, 0.2, false),
        (0.7, 0.02, 0.2, false),
    ] {
        let mut random = Random(1);
        let mut all = Vec::new();
        let mut scratch = Scratch::default();
        let mut found = Vec::new();
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
            let mut counts = Counts::default();
            let (a, b) = (&pair.a, &pair.b);
            let limits = Limits::default();
            let start = std::time::Instant::now();
            let mut outcome = Outcome::Resolved;
            for _ in 0..10 {
                found.clear();
                outcome = stationary(a, b, reach, &limits, &mut scratch, &mut counts, &mut found);
            }
            let time = start.elapsed().as_secs_f64() * 1e5;
            all.push((
                counts.boxes / 10,
                counts.newton_steps / 10,
                time,
                found.len(),
                outcome,
            ));
        }
        all.sort_by_key(|x| x.0);
        println!("bend {bend} noise {noise} reach {reach} rational {rational}");
        for hit in [false, true] {
            let some: Vec<_> = all.iter().filter(|x| (x.3 > 0) == hit).collect();
            let at = |f: f64| some[((some.len() - 1) as f64 * f) as usize];
            for f in [0.1, 0.5, 0.9, 0.99, 1.0] {
                let x = at(f);
                println!(
                    "  found {hit} ({}) {f}: boxes {} newton {} {:.2} µs {:?}",
                    some.len(),
                    x.0,
                    x.1,
                    x.2,
                    x.4
                );
            }
        }
        let unresolved = all.iter().filter(|x| x.4 == Outcome::Unresolved).count();
        let family = all.iter().filter(|x| x.4 == Outcome::Family).count();
        println!("  unresolved {unresolved} family {family}");
    }
}
