//! Many queries at once, on all cores.

use brepcd_geom::Pose;
use brepcd_query::{Answer, Options, Part, PoseError, Workspace};
use rayon::prelude::*;

/// One of many queries: two parts and the pose of the second.
#[derive(Clone, Copy, Debug)]
pub struct PlacedPair<'a> {
    /// Part A.
    pub a: &'a Part,
    /// Part B.
    pub b: &'a Part,
    /// The pose of B in the frame of A.
    pub a_from_b: &'a Pose,
}

/// Which of many poses was refused, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("query {index}: {error}")]
pub struct BatchError {
    /// Position among the queries.
    pub index: usize,
    /// What is wrong with its pose.
    pub error: PoseError,
}

/// All local minimal distances of two parts at each of many poses, in their order.
///
/// The answers are those of [`Workspace::contacts`], bit for bit, on any number of threads.
pub fn contacts_at(
    a: &Part,
    b: &Part,
    poses: &[Pose],
    options: &Options,
) -> Result<Vec<Answer>, BatchError> {
    let pairs: Vec<PlacedPair> = poses
        .iter()
        .map(|a_from_b| PlacedPair { a, b, a_from_b })
        .collect();
    contacts_of(&pairs, options)
}

/// All local minimal distances of each of many placed pairs of parts, in their order.
pub fn contacts_of(pairs: &[PlacedPair], options: &Options) -> Result<Vec<Answer>, BatchError> {
    let answers: Vec<Result<Answer, BatchError>> = pairs
        .par_iter()
        .enumerate()
        .map_init(Workspace::new, |workspace, (index, pair)| {
            let answer = workspace.contacts(pair.a, pair.b, pair.a_from_b, options);
            answer.cloned().map_err(|error| BatchError { index, error })
        })
        .collect();
    // The first error by position, whichever came first.
    answers.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use brepcd_geom::Vec3;

    #[test]
    fn many_poses_are_answered_as_one_by_one() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/parts");
        let load = |name: &str| {
            let part = crate::load_part(format!("{folder}/{name}.step"));
            part.expect("a part").part
        };
        let (a, b) = (load("drilled_block"), load("torus"));
        let poses: Vec<Pose> = (0..60)
            .map(|k| {
                let t = f64::from(k) * 0.3;
                Pose::new(
                    Vec3::new(20.0 + t, 5.0 * t.sin(), 18.0),
                    Vec3::new(t, 0.2, 0.0),
                )
            })
            .collect();
        let options = Options {
            prediction: 5.0,
            ..Options::default()
        };
        let many = contacts_at(&a, &b, &poses, &options).expect("poses");
        let mut workspace = Workspace::new();
        for (pose, answer) in poses.iter().zip(&many) {
            let one = workspace.contacts(&a, &b, pose, &options).expect("a pose");
            assert_eq!(one.status, answer.status);
            assert_eq!(one.lmds, answer.lmds);
        }
        let bad = [poses[0], Pose::translation(f64::NAN, 0.0, 0.0)];
        let refused = contacts_at(&a, &b, &bad, &options).map(|_| ());
        assert_eq!(refused.map_err(|e| e.index), Err(1));
    }
}
