//! What a query keeps for the next pose of the same two parts.
//!
//! Pairs are collected with more room than a pose needs: boxes farther apart by a length, cones wider by an angle. As
//! long as no point of part B has moved farther and B has not turned more, all pairs that a walk down the trees would
//! find are among these, and the walk is not needed. They are tested again as the walk would test them, so that the
//! answer is the same.

use brepcd_tree::{MatrixPose, NodeId};

use crate::collect::ClusterPair;
use crate::options::Options;
use crate::prune::Query;

/// What is kept from pose to pose of two parts; a new one knows nothing.
///
/// Results do not depend on it. It notices other parts or options, and starts anew.
#[derive(Debug, Default)]
pub struct PairState {
    known: Option<Known>,
    /// Pairs that may hold minima at poses nearby, by features.
    pub(crate) minima: Vec<ClusterPair>,
    /// Pairs of clusters whose faces may cross at poses nearby.
    pub(crate) crossings: Vec<(NodeId, NodeId)>,
    /// The pose of the last query, and how far apart the parts were known to be there.
    last: Option<(MatrixPose, f64)>,
}

#[derive(Clone, Copy, Debug)]
struct Known {
    parts: [u64; 2],
    options: Options,
    /// The pose that the pairs were collected at.
    a_from_b: MatrixPose,
    room: Room,
}

/// How much more than needed is collected.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Room {
    /// Distance, mm.
    pub length: f64,
    /// Angle, radians.
    pub angle: f64,
}

/// Steps of the size of the last one that there is room for.
const STEPS: f64 = 8.0;
/// Room at least and at most, in prediction distances.
const LENGTHS: [f64; 2] = [0.25, 4.0];
/// Room at least and at most, radians.
const ANGLES: [f64; 2] = [1e-3, 0.1];
/// Rounding of a placed point, relative to the largest coordinate at hand.
const ROUNDING: f64 = 16.0 * f64::EPSILON;
/// Share of a motion that rounding may hide.
const ROUNDED_UP: f64 = 1.0 + 1e-9;

impl PairState {
    /// A state that knows nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets the two parts.
    pub fn clear(&mut self) {
        self.known = None;
        self.last = None;
    }

    /// True if the pairs at hand are all that a query needs.
    pub(crate) fn covers(&mut self, query: &Query) -> bool {
        let parts = [query.a.id(), query.b.id()];
        let same = |known: &Known| known.parts == parts && known.options == query.options;
        match &self.known {
            Some(known) if same(known) => {
                let motion = motion(query, &known.a_from_b);
                motion.length <= known.room.length && motion.angle <= known.room.angle
            }
            _ => {
                self.clear();
                false
            }
        }
    }

    /// The room to collect with, for steps like the last one.
    pub(crate) fn room(&self, query: &Query, reach: f64) -> Room {
        let [least, most] = LENGTHS.map(|share| share * reach);
        let Some((last, _)) = &self.last else {
            return Room {
                length: reach,
                angle: STEPS * ANGLES[0],
            };
        };
        let step = motion(query, last);
        Room {
            length: (STEPS * step.length).clamp(least, most),
            angle: (STEPS * step.angle).clamp(ANGLES[0], ANGLES[1]),
        }
    }

    /// Notes what was collected with some room.
    pub(crate) fn keep(&mut self, query: &Query, room: Room) {
        self.known = Some(Known {
            parts: [query.a.id(), query.b.id()],
            options: query.options,
            a_from_b: query.a_from_b,
            room,
        });
    }

    /// True if the parts cannot have met since the last query, which found them apart.
    pub(crate) fn is_clear(&self, query: &Query) -> bool {
        self.last
            .as_ref()
            .is_some_and(|(last, distance)| motion(query, last).length < *distance)
    }

    /// Notes how far apart the parts are at least at a pose.
    pub(crate) fn keep_distance(&mut self, query: &Query, distance: f64) {
        self.last = Some((query.a_from_b, distance));
    }
}

/// How far points of part B move at most from another pose to that of a query, and how much it turns.
fn motion(query: &Query, from: &MatrixPose) -> Room {
    let Some(root) = query.b.tree().nodes.first() else {
        return Room::default();
    };
    let to = &query.a_from_b;
    // How far a point moves is a convex function of where it is, and so largest at a corner of the box.
    let corners = root.obb.corners();
    let moved = corners.iter().map(|p| (to * p - from * p).norm_squared());
    let length = moved.fold(0.0, f64::max).sqrt();
    // The largest singular value of the difference of two rotations: the chord of the angle between them.
    let turned = to.rotation.matrix() - from.rotation.matrix();
    let chord = (0.5 * turned.norm_squared()).sqrt();
    let rounding = ROUNDING * query.extent;
    Room {
        length: length * ROUNDED_UP + rounding,
        // An angle is at most this much longer than its chord up to half a turn.
        angle: chord * std::f64::consts::FRAC_PI_2 * ROUNDED_UP,
    }
}
