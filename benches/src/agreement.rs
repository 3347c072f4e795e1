//! Whether two answers at one pose are the same.

use brepcd::{Answer, Lmd, Status};

/// Distance, mm, by which minima that are the same may differ.
const AGREE: f64 = 1e-6;

/// An answer that is kept.
#[derive(Clone, Debug)]
pub struct Kept {
    status: Status,
    lmds: Vec<Lmd>,
}

/// How an answer compares with the one it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// All numbers, features and patches are the same, bit for bit.
    Same,
    /// The minima and samples are the same up to rounding; features or patches differ.
    SamePlaces,
    /// The isolated minima are the same up to rounding, and so is the least distance; samples differ.
    SameMinima,
    /// They differ.
    Different,
}

impl Kept {
    /// Keeps an answer.
    pub fn of(answer: &Answer) -> Self {
        Self {
            status: answer.status,
            lmds: answer.lmds.clone(),
        }
    }

    /// How another answer compares with this one; minima whose distance is `cutoff`, up to rounding, may be missing.
    pub fn compare(&self, other: &Answer, cutoff: f64) -> Agreement {
        if self.status != other.status {
            return Agreement::Different;
        }
        if self.lmds == other.lmds {
            return Agreement::Same;
        }
        let both = [(&self.lmds, &other.lmds), (&other.lmds, &self.lmds)];
        if self.lmds.len() == other.lmds.len() && both.iter().all(|(x, y)| has_all(x, y.iter())) {
            return Agreement::SamePlaces;
        }
        let least = |lmds: &[Lmd]| lmds.first().map_or(cutoff, |lmd| lmd.distance);
        let same_least = (least(&self.lmds) - least(&other.lmds)).abs() <= AGREE;
        let isolated = |lmd: &&Lmd| !lmd.sampled && lmd.distance < cutoff - AGREE;
        let same_isolated = both
            .iter()
            .all(|(x, y)| has_all(x, y.iter().filter(isolated)));
        if same_least && same_isolated {
            Agreement::SameMinima
        } else {
            Agreement::Different
        }
    }
}

/// True if an answer has all of some minima, up to rounding.
fn has_all<'a>(answer: &[Lmd], mut minima: impl Iterator<Item = &'a Lmd>) -> bool {
    let same = |a: &Lmd, b: &Lmd| {
        (a.distance - b.distance).abs() <= AGREE
            && (a.point_a - b.point_a).norm() <= AGREE
            && (a.point_b - b.point_b).norm() <= AGREE
    };
    minima.all(|lmd| answer.iter().any(|other| same(lmd, other)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use brepcd::geom::{Point3, Vec3};
    use brepcd::tree::{FeatureId, PatchId};

    fn lmd(x: f64, distance: f64, sampled: bool) -> Lmd {
        Lmd {
            distance,
            point_a: Point3::new(x, 0.0, 0.0),
            point_b: Point3::new(x, 0.0, distance),
            normal: Vec3::z(),
            feature_a: FeatureId(1),
            feature_b: FeatureId(2),
            patch_a: PatchId(3),
            patch_b: PatchId(4),
            sampled,
            regularized: false,
        }
    }

    fn answer(lmds: &[Lmd]) -> Answer {
        let mut out = Answer::default();
        out.lmds.extend_from_slice(lmds);
        out
    }

    #[test]
    fn answers_are_the_same_or_have_the_same_minima_or_differ() {
        let compare = |a: &[Lmd], b: &[Lmd]| Kept::of(&answer(a)).compare(&answer(b), 2.0);
        let first = lmd(0.0, 1.0, false);
        assert_eq!(compare(&[first], &[first]), Agreement::Same);
        let renamed = Lmd {
            feature_b: FeatureId(3),
            ..first
        };
        assert_eq!(compare(&[first], &[renamed]), Agreement::SamePlaces);
        // A sample more or less, and what is as far as the cut-off.
        let (sample, far) = (lmd(1.0, 1.5, true), lmd(2.0, 2.0, false));
        assert_eq!(
            compare(&[first], &[first, sample, far]),
            Agreement::SameMinima
        );
        for other in [
            &[][..],
            &[lmd(0.1, 1.0, false)],
            &[lmd(0.0, 1.1, false)],
            &[first, lmd(1.0, 1.5, false)],
            &[lmd(1.0, 0.5, true), first],
        ] {
            assert_eq!(compare(&[first], other), Agreement::Different);
            assert_eq!(compare(other, &[first]), Agreement::Different);
        }
        let mut overlapping = answer(&[first]);
        overlapping.status = Status::Overlapping;
        let kept = Kept::of(&answer(&[first]));
        assert_eq!(kept.compare(&overlapping, 2.0), Agreement::Different);
    }
}
