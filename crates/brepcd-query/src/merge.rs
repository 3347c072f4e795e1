//! Each minimum once: what neighbouring features found at the same place is one result.

use std::cmp::Ordering;

use crate::accept::Accepted;
use crate::numeric::Standing;

/// Keeps the best of all results whose points coincide on both parts within `length`.
///
/// Exact results win over samples, fixed samples over loose ones, those that need no tolerance over those that do, the nearer over the farther.
pub fn merge(accepted: &mut Vec<Accepted>, length: f64) {
    accepted.sort_unstable_by(rank);
    let mut kept = 0;
    for index in 0..accepted.len() {
        let this = accepted[index];
        let is_new = accepted[..kept].iter().all(|other| {
            let (a, b) = (
                other.lmd.point_a - this.lmd.point_a,
                other.lmd.point_b - this.lmd.point_b,
            );
            a.norm_squared().max(b.norm_squared()) > length * length
        });
        if is_new {
            accepted[kept] = this;
            kept += 1;
        }
    }
    accepted.truncate(kept);
}

fn rank(a: &Accepted, b: &Accepted) -> Ordering {
    let key = |x: &Accepted| {
        let lmd = &x.lmd;
        let is_loose = x.standing == Standing::Loose;
        (lmd.sampled, is_loose, lmd.regularized, x.stretched)
    };
    let ids = |x: &Accepted| {
        (
            x.lmd.feature_a,
            x.lmd.feature_b,
            x.lmd.patch_a,
            x.lmd.patch_b,
        )
    };
    key(a)
        .cmp(&key(b))
        .then(a.lmd.distance.total_cmp(&b.lmd.distance))
        .then(ids(a).cmp(&ids(b)))
        .then(a.lmd.point_a.x.total_cmp(&b.lmd.point_a.x))
        .then(a.lmd.point_a.y.total_cmp(&b.lmd.point_a.y))
        .then(a.lmd.point_a.z.total_cmp(&b.lmd.point_a.z))
}
