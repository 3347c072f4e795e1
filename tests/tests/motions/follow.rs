//! Contacts along a motion, and what must hold from step to step.

use brepcd::geom::{Point3, Pose};
use brepcd::query::{Options, Part};
use brepcd::{Lmd, Status, Workspace};

/// The contacts of every step.
pub struct Track {
    pub poses: Vec<Pose>,
    pub contacts: Vec<Vec<Lmd>>,
}

/// The contacts of two parts along poses of the second; they must stay separated, and every solve must be resolved.
pub fn track(a: &Part, b: &Part, poses: impl Iterator<Item = Pose>, options: &Options) -> Track {
    let mut workspace = Workspace::new();
    let poses: Vec<Pose> = poses.collect();
    let contacts = poses.iter().enumerate().map(|(step, pose)| {
        let answer = workspace.contacts(a, b, pose, options).expect("a pose");
        assert_eq!(
            answer.status,
            Status::Separated,
            "step {step}: {:?}",
            answer.overlap
        );
        assert_eq!(answer.stats.unresolved, 0, "step {step}");
        answer.lmds.clone()
    });
    let contacts = contacts.collect();
    Track { poses, contacts }
}

/// The farthest that a point of a part moves from one pose to the next.
pub fn moved(part: &Part, from: &Pose, to: &Pose) -> f64 {
    let corners = part.tree().nodes[0].obb.corners();
    let far = |p: &Point3| (to * p - from * p).norm();
    corners.iter().map(far).fold(0.0, f64::max)
}

/// True if one of the contacts is within `reach` of this one on both parts.
fn has_near(contacts: &[Lmd], lmd: &Lmd, reach: f64) -> bool {
    contacts.iter().any(|other| {
        let (a, b) = (other.point_a - lmd.point_a, other.point_b - lmd.point_b);
        a.norm().max(b.norm()) <= reach
    })
}

impl Track {
    /// How many contacts every step has.
    pub fn counts(&self) -> Vec<usize> {
        self.contacts.iter().map(Vec::len).collect()
    }

    /// Asserts that every contact of a step is within `reach` of one of the next step, and the other way round.
    pub fn assert_persistent(&self, reach: f64) {
        for (step, pair) in self.contacts.windows(2).enumerate() {
            for (these, those) in [(&pair[0], &pair[1]), (&pair[1], &pair[0])] {
                for lmd in these {
                    assert!(
                        has_near(those, lmd, reach),
                        "step {step}: {lmd:?} in {those:?}"
                    );
                }
            }
        }
    }

    /// Asserts that no contact is there for one step only, or away for one step only.
    pub fn assert_no_blink(&self, reach: f64) {
        for (step, three) in self.contacts.windows(3).enumerate() {
            let [before, now, after] = three else {
                continue;
            };
            for lmd in now {
                let lasts = has_near(before, lmd, reach) || has_near(after, lmd, reach);
                assert!(lasts, "step {}: alone {lmd:?}", step + 1);
            }
            for lmd in before {
                let gone = !has_near(now, lmd, reach) && has_near(after, lmd, 2.0 * reach);
                assert!(!gone, "step {}: away {lmd:?}", step + 1);
            }
        }
    }

    /// Asserts that the least distance changes by no more than the motion.
    pub fn assert_lipschitz(&self, b: &Part, rounding: f64) {
        for (step, contacts) in self.contacts.windows(2).enumerate() {
            let least = |list: &[Lmd]| list.first().map(|lmd| lmd.distance);
            let [Some(before), Some(after)] = [least(&contacts[0]), least(&contacts[1])] else {
                continue;
            };
            let way = moved(b, &self.poses[step], &self.poses[step + 1]);
            assert!(
                (after - before).abs() <= way + rounding,
                "step {step}: {before} {after} {way}"
            );
        }
    }
}
