//! What is measured side by side on the poses of a scene: ours and the peer's, each on a column of its own.

use std::cell::RefCell;
use std::hint::black_box;

use brepcd::geom::Pose;
use brepcd::query::{Options, Stats};
use brepcd::{PairState, Status, Workspace};

use crate::peer::{MeshPair, peer_pose};
use crate::scene::Scene;
use crate::times::timed;

/// One query of one engine.
pub struct Column<'a> {
    /// Its name in tables and JSON.
    pub name: &'static str,
    run: Box<dyn FnMut(&Pose) + 'a>,
}

impl<'a> Column<'a> {
    /// A query with a name.
    pub fn new(name: &'static str, run: impl FnMut(&Pose) + 'a) -> Self {
        Self {
            name,
            run: Box::new(run),
        }
    }

    /// Asks at a pose.
    pub fn run(&mut self, pose: &Pose) {
        (self.run)(pose);
    }
}

/// `contacts` of ours, cold: nothing is kept from pose to pose but buffers.
pub const CONTACTS: &str = "contacts";
/// `contacts_along` of ours: a state is kept from pose to pose.
pub const CONTACTS_ALONG: &str = "contacts along";
/// `contacts` with the default prediction.
pub const CONTACTS_DEFAULT: &str = "contacts 1 mm";
/// `min_distance` of ours, cold.
pub const MIN_DISTANCE: &str = "min_distance";
/// parry's least distance.
pub const PEER_DISTANCE: &str = "parry distance";
/// parry's contact manifolds.
pub const PEER_CONTACTS: &str = "parry manifolds";

/// The columns of a scene. A query that keeps a state from pose to pose is one more `Column` that owns this state.
pub fn of_scene<'a>(
    scene: &'a Scene,
    peer: &'a RefCell<MeshPair>,
    prediction: f64,
) -> Vec<Column<'a>> {
    let [a, b] = &scene.parts;
    let ours = |options: Options| {
        let mut workspace = Workspace::new();
        move |pose: &Pose| {
            let answer = workspace.contacts(a, b, pose, &options);
            black_box(answer.expect("a good pose"));
        }
    };
    let mut workspace = Workspace::new();
    let (mut along, mut state) = (Workspace::new(), PairState::new());
    vec![
        Column::new(CONTACTS, ours(options(prediction))),
        Column::new(CONTACTS_ALONG, move |pose| {
            let options = options(prediction);
            let answer = along.contacts_along(&mut state, a, b, pose, &options);
            black_box(answer.expect("a good pose"));
        }),
        Column::new(CONTACTS_DEFAULT, ours(Options::default())),
        Column::new(MIN_DISTANCE, move |pose| {
            let answer = workspace.min_distance(a, b, pose, &Options::default());
            black_box(answer.expect("a good pose"));
        }),
        Column::new(PEER_DISTANCE, move |pose| {
            black_box(peer.borrow().distance(&peer_pose(pose)));
        }),
        Column::new(PEER_CONTACTS, move |pose| {
            black_box(peer.borrow_mut().contacts(&peer_pose(pose), prediction));
        }),
    ]
}

/// Options with a prediction.
pub fn options(prediction: f64) -> Options {
    Options {
        prediction,
        ..Options::default()
    }
}

/// Times every column on every pose, µs: each column goes along all poses by itself, `passes` times, and the best time of
/// each pose counts, so that what else the machine does is left out.
pub fn measure(columns: &mut [Column], poses: &[Pose], passes: usize) -> Vec<Vec<f64>> {
    let mut best = vec![vec![f64::INFINITY; poses.len()]; columns.len()];
    for _ in 0..passes.max(1) {
        for (column, best) in columns.iter_mut().zip(&mut best) {
            for (pose, best) in poses.iter().zip(best) {
                *best = best.min(timed(|| column.run(pose)).1);
            }
        }
    }
    best
}

/// What ours and the peer's find along the poses of a phase.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// Counts of ours, pose by pose.
    pub stats: Vec<Stats>,
    /// Local minima of ours.
    pub lmds: Vec<f64>,
    /// Points of the peer's manifolds.
    pub peer_points: Vec<f64>,
    /// Poses at which ours says that the parts overlap.
    pub overlapping: usize,
    /// Poses at which the meshes touch.
    pub meshes_touch: usize,
}

/// What is found, not timed.
pub fn find(scene: &Scene, peer: &RefCell<MeshPair>, poses: &[Pose], prediction: f64) -> Findings {
    let mut out = Findings::default();
    let mut workspace = Workspace::new();
    let [a, b] = &scene.parts;
    for pose in poses {
        let answer = workspace.contacts(a, b, pose, &options(prediction));
        let answer = answer.expect("a good pose");
        out.stats.push(answer.stats);
        out.lmds.push(answer.lmds.len() as f64);
        out.overlapping += usize::from(answer.status == Status::Overlapping);
        let points = peer.borrow_mut().contacts(&peer_pose(pose), prediction);
        out.peer_points.push(points as f64);
        let distance = peer.borrow().distance(&peer_pose(pose));
        out.meshes_touch += usize::from(distance == 0.0);
    }
    out
}
