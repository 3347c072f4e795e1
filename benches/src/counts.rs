//! Medians of what queries count.

use brepcd::query::Stats;
use serde_json::{Map, Value};

use crate::times::median;

/// A count and its name.
type Count = (&'static str, fn(&Stats) -> u64);

/// The counts that tables show.
const COUNTS: [Count; 18] = [
    ("node pairs", |s| s.node_pairs),
    ("by mask", |s| s.by_mask),
    ("smooth", |s| s.by_smooth),
    ("by sleeve", |s| s.by_sleeve),
    ("by foot", |s| s.by_foot),
    ("by circle", |s| s.by_circle),
    ("by box", |s| s.by_box),
    ("by direction", |s| s.by_direction),
    ("by cone", |s| s.by_cone),
    ("by profile", |s| s.by_profile),
    ("leaf pairs", |s| s.leaf_pairs),
    ("solves", |s| s.solves),
    ("numeric solves", |s| s.numeric_solves),
    ("Newton steps", |s| s.newton_steps),
    ("face pairs", |s| s.face_pairs),
    ("overlap node pairs", |s| s.overlap_node_pairs),
    ("crossing tests", |s| s.crossing_tests),
    ("inside tests", |s| s.inside_tests),
];

/// Names of the counts.
pub fn names() -> Vec<String> {
    COUNTS.iter().map(|(name, _)| (*name).to_owned()).collect()
}

/// Median of every count.
pub fn medians(stats: &[Stats]) -> Vec<f64> {
    let of = |count: &fn(&Stats) -> u64| {
        let values: Vec<f64> = stats.iter().map(|s| count(s) as f64).collect();
        median(&values)
    };
    COUNTS.iter().map(|(_, count)| of(count)).collect()
}

/// The medians as JSON, and the sum of what was unresolved.
pub fn json(stats: &[Stats]) -> Value {
    let mut out = Map::new();
    for (name, value) in names().into_iter().zip(medians(stats)) {
        out.insert(name.replace(' ', "_").to_lowercase(), value.into());
    }
    let unresolved: u64 = stats.iter().map(|s| s.unresolved).sum();
    out.insert("unresolved_total".into(), unresolved.into());
    Value::Object(out)
}
