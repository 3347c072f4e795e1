//! Few samples for each pair of features: loose ones go where others stand for the same family, then the least spread.

use std::cmp::Ordering;

use crate::accept::Accepted;
use crate::numeric::Standing;

/// Keeps at most `most` samples of each pair of features, and one in any case.
///
/// Distances that differ by less than `tie` are the same. The least distance of each pair of features is kept.
pub fn thin(accepted: &mut Vec<Accepted>, most: usize, tie: f64) {
    drop_covered(accepted, tie);
    accepted.sort_unstable_by(by_features);
    let mut kept = 0;
    let mut start = 0;
    while start < accepted.len() {
        let features = features(&accepted[start]);
        let group = accepted[start..].iter();
        let end = start + group.take_while(|x| self::features(x) == features).count();
        let isolated = accepted[start..end].iter();
        let isolated = isolated.take_while(|x| !x.lmd.sampled).count();
        let stay = (start + isolated).saturating_add(most.max(1)).min(end);
        if stay < end {
            keep_least(&mut accepted[start..end], stay - start, tie);
        }
        accepted.copy_within(start..stay, kept);
        kept += stay - start;
        start = end;
    }
    accepted.truncate(kept);
}

/// Drops loose samples beside which another result stands for the same family.
fn drop_covered(accepted: &mut Vec<Accepted>, tie: f64) {
    let is_loose = |x: &Accepted| x.standing == Standing::Loose;
    if !accepted.iter().any(is_loose) {
        return;
    }
    accepted.sort_unstable_by(|x, y| is_loose(x).cmp(&is_loose(y)).then(by_features(x, y)));
    let mut kept = 0;
    for index in 0..accepted.len() {
        let this = accepted[index];
        let covers = |other: &Accepted| {
            let apart = (other.lmd.point_a - this.lmd.point_a)
                .norm()
                .max((other.lmd.point_b - this.lmd.point_b).norm());
            apart <= this.spacing && (other.lmd.distance - this.lmd.distance).abs() <= tie
        };
        if !(is_loose(&this) && accepted[..kept].iter().any(covers)) {
            accepted[kept] = this;
            kept += 1;
        }
    }
    accepted.truncate(kept);
}

/// Puts the least distance of a group among the first `stay`, in place of the last of them.
fn keep_least(group: &mut [Accepted], stay: usize, tie: f64) {
    let least = |part: &[Accepted]| {
        let distances = part.iter().map(|x| x.lmd.distance);
        distances
            .enumerate()
            .min_by(|x, y| x.1.total_cmp(&y.1))
            .unwrap_or((0, f64::INFINITY))
    };
    let (index, beyond) = least(&group[stay..]);
    if beyond < least(&group[..stay]).1 - tie {
        group.swap(stay - 1, stay + index);
    }
}

fn features(x: &Accepted) -> (brepcd_tree::FeatureId, brepcd_tree::FeatureId) {
    (x.lmd.feature_a, x.lmd.feature_b)
}

/// By features, exact results first, then samples by how evenly they are spread, and by place.
fn by_features(a: &Accepted, b: &Accepted) -> Ordering {
    let spread = |x: &Accepted| match x.standing {
        Standing::Isolated => (0, 0),
        Standing::Marked(number) => (1, number),
        Standing::Loose => (2, 0),
    };
    let key = |x: &Accepted| (features(x), x.lmd.sampled, spread(x));
    key(a)
        .cmp(&key(b))
        .then(a.lmd.distance.total_cmp(&b.lmd.distance))
        .then(a.lmd.point_a.x.total_cmp(&b.lmd.point_a.x))
        .then(a.lmd.point_a.y.total_cmp(&b.lmd.point_a.y))
        .then(a.lmd.point_a.z.total_cmp(&b.lmd.point_a.z))
}
