//! Minima of free-form features that are not isolated: few samples, fixed to the part, each at its true distance.

#[path = "families/poses.rs"]
mod poses;
#[allow(dead_code)]
#[path = "published/prepare.rs"]
mod prepare;

use brepcd::query::Options;
use brepcd::{Status, Workspace};

use crate::poses::conformal;
use crate::prepare::named;

fn options() -> Options {
    Options {
        prediction: 20.0,
        ..Options::default()
    }
}

#[test]
fn congruent_and_parallel_features_are_resolved_quickly() {
    let mut workspace = Workspace::new();
    for case in conformal() {
        let (a, b) = (named(case.a), named(case.b));
        let answer = workspace
            .contacts(&a, &b, &case.a_from_b, &options())
            .expect("a pose");
        assert_eq!(answer.status, Status::Separated, "{case:?}");
        assert_eq!(answer.stats.unresolved, 0, "{case:?}");
        // Before families were found from beside them there were 140 000 steps for one pair of edges.
        assert!(
            answer.stats.newton_steps < 20_000,
            "{case:?}: {:?}",
            answer.stats
        );
        assert!(answer.lmds.iter().any(|lmd| lmd.sampled), "{case:?}");
    }
}
