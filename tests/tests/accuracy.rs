//! The worst errors of every pair of kinds, on poses whose answers are known by construction.
//!
//! `cargo test --release -p brepcd-tests --test accuracy -- --ignored write` writes `docs/accuracy.md`.

#[path = "accuracy/known.rs"]
mod known;
#[path = "accuracy/page.rs"]
mod page;
#[allow(dead_code)]
#[path = "published/prepare.rs"]
mod prepare;
#[path = "accuracy/sites.rs"]
mod sites;

use known::{Worst, measure};
use prepare::Random;
use sites::{Kind, Parts};

/// Poses of every pair of kinds: for the page, and to check it.
const MANY: usize = 400;
const SOME: usize = 100;

/// What errors may be, relative to the larger part.
fn limit(kinds: [Kind; 2]) -> f64 {
    if kinds.iter().any(|kind| kind.is_bezier()) {
        1e-9
    } else {
        1e-12
    }
}

/// Kinds without isolated minima: along a straight generator the distance to a plane is the same.
fn never_isolated(kinds: [Kind; 2]) -> bool {
    let [a, b] = kinds;
    let is_ruled = |kind| matches!(kind, Kind::Plane | Kind::Line | Kind::Cylinder | Kind::Cone);
    (a == Kind::Plane && is_ruled(b)) || (b == Kind::Plane && is_ruled(a))
}

fn table(cases: usize) -> Vec<([Kind; 2], Worst)> {
    let parts = Parts::load();
    let mut out = Vec::new();
    for (i, a) in Kind::ALL.into_iter().enumerate() {
        for (j, b) in Kind::ALL.into_iter().enumerate().skip(i) {
            let mut random = Random((100 * i + j) as u64);
            out.push(([a, b], measure(&parts, [a, b], cases, &mut random)));
        }
    }
    out
}

/// Asserts that nothing is missing and no error above the limits.
fn check(table: &[([Kind; 2], Worst)]) {
    let mut complaints = Vec::new();
    for (kinds, worst) in table {
        let limit = limit(*kinds);
        let names = kinds.map(Kind::name);
        println!(
            "{names:?}: {} cases, distance {:.1e}, place {:.1e}, {} missing, {} unresolved, {} hollow, {} overlapping",
            worst.cases,
            worst.distance,
            worst.place,
            worst.missing.len(),
            worst.unresolved,
            worst.hollow,
            worst.overlapping
        );
        if (worst.cases == 0) != never_isolated(*kinds) {
            complaints.push(format!("{names:?}: {} cases", worst.cases));
        }
        if worst.distance > limit || worst.place > limit {
            complaints.push(format!("{names:?} above {limit:e}: {}", worst.example));
        }
        let missing = worst.missing.iter();
        complaints.extend(missing.map(|case| format!("{names:?} missing: {case}")));
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn within_limits() {
    let table = table(SOME);
    check(&table);
    page::check(&table);
}

#[test]
#[ignore = "writes docs/accuracy.md"]
fn write() {
    let table = table(MANY);
    check(&table);
    page::write(&table);
}
