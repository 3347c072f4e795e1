//! Every kind against every free-form kind and every edge.

use super::bounds::every_kind;
use super::build::{Random, piece};
use super::oracle::Pair;
use crate::numeric::{Counts, Outcome};
use brepcd_tree::MatrixPose;

#[test]
fn all_kinds_agree_with_brute_force() {
    let mut random = Random(11);
    let mut counts = Counts::default();
    let (mut pairs, mut cases, mut unresolved) = (0, 0, 0);
    for round in 0..12 {
        let parts = every_kind(&mut random);
        let others = every_kind(&mut random);
        for (i, (name_a, part_a)) in parts.iter().enumerate() {
            for (name_b, part_b) in &others[..=i] {
                let free = ["surface", "curve", "bola", "ellipse"];
                if !free
                    .iter()
                    .any(|f| name_a.contains(f) || name_b.contains(f))
                {
                    continue;
                }
                let (here, there) = (MatrixPose::identity(), random.pose(3.0, 0.3));
                let pair = Pair {
                    a: piece(part_a, &here),
                    b: piece(part_b, &there),
                };
                let (n, m) = pair.dims();
                let steps = [12, 12, 6, 4, 3][n + m];
                let name = format!("round {round}: {name_a} × {name_b}");
                let reach = random.range(0.3, 1.2);
                let (outcome, _) = pair.solve(reach, &mut counts);
                if outcome == Outcome::Unresolved {
                    unresolved += 1;
                    println!("{name} unresolved");
                    continue;
                }
                pairs += pair.check(reach, steps, &mut counts, &name);
                cases += 1;
            }
        }
    }
    println!("{pairs} pairs in {cases} cases, {counts:?}, {unresolved} unresolved");
    assert!(pairs > 50, "too few pairs to mean anything: {pairs}");
    assert!(unresolved * 100 <= cases);
}
