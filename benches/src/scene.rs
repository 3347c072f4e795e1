//! The insertion scenes of `data/scenes`: two parts, their meshes and a trajectory.

use std::path::PathBuf;

use brepcd::geom::{Pose, Vec3};
use brepcd::{Part, TreeOptions, TreePart};
use serde_json::Value;

use crate::mesh::Mesh;

/// All scenes.
pub const SCENES: [&str; 2] = ["coneplug", "hotstab"];
/// The phases of a trajectory, in order.
pub const PHASES: [&str; 4] = ["free", "insert", "lock", "extract"];

/// A pose of part B in the frame of part A, and what it belongs to.
#[derive(Clone, Debug)]
pub struct Step {
    /// One of [`PHASES`].
    pub phase: String,
    /// The pose.
    pub a_from_b: Pose,
}

/// A scene.
pub struct Scene {
    /// Its name.
    pub name: String,
    /// The smallest clearance, mm: also the chord error of the meshes.
    pub gap: f64,
    /// The fixed and the mobile part.
    pub parts: [Part; 2],
    /// Their meshes.
    pub meshes: [Mesh; 2],
    /// The trajectory.
    pub steps: Vec<Step>,
}

impl Scene {
    /// Loads and preprocesses a scene; panics if its files are damaged.
    pub fn load(name: &str) -> Self {
        let text = |ending: &str| {
            std::fs::read_to_string(scenes_folder().join(format!("{name}{ending}")))
                .expect("a scene can be read")
        };
        let facts: Value = serde_json::from_str(&text(".json")).expect("JSON");
        let sides = ["fixed", "mobile"];
        let parts = sides.map(|side| {
            Part::new(preprocessed(
                &format!("{name}_{side}"),
                &TreeOptions::default(),
            ))
        });
        let meshes = sides.map(|side| {
            let path = scenes_folder().join(format!("{name}_{side}.ply"));
            Mesh::from_ply(&std::fs::read(path).expect("a mesh")).expect("a PLY file")
        });
        Self {
            name: name.to_owned(),
            gap: facts["gap"].as_f64().expect("a gap"),
            parts,
            meshes,
            steps: text("_traj.csv").lines().skip(1).map(step).collect(),
        }
    }

    /// Every `stride`-th pose of a phase.
    pub fn poses(&self, phase: &str, stride: usize) -> Vec<Pose> {
        let steps = self.steps.iter().filter(|step| step.phase == phase);
        steps
            .step_by(stride.max(1))
            .map(|step| step.a_from_b)
            .collect()
    }
}

/// The tree of a part of the scenes; panics if its file is damaged.
pub fn preprocessed(part: &str, options: &TreeOptions) -> TreePart {
    let (bytes, source) = step_bytes(part);
    let model = brepcd::step::read(&bytes, &Default::default(), &mut |_| {});
    let model = model.expect("a scene part is valid");
    brepcd::preprocess(&model, &source, &bytes, options).0
}

/// Where the scenes are.
pub fn scenes_folder() -> PathBuf {
    data_folder().join("scenes")
}

/// Where the data are.
pub fn data_folder() -> PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../data")
}

/// The bytes of a part of the scenes, and the name of its file.
pub fn step_bytes(part: &str) -> (Vec<u8>, String) {
    let source = format!("{part}.step");
    let bytes = std::fs::read(scenes_folder().join(&source)).expect("a scene part can be read");
    (bytes, source)
}

/// A row `step,phase,tx,ty,tz,qw,qx,qy,qz`.
fn step(line: &str) -> Step {
    let mut fields = line.split(',').skip(1);
    let phase = fields.next().unwrap_or_default().to_owned();
    let x: Vec<f64> = fields.map(|f| f.parse().expect("a number")).collect();
    let rotation = nalgebra::Quaternion::new(x[3], x[4], x[5], x[6]);
    Step {
        phase,
        a_from_b: Pose::from_parts(
            Vec3::new(x[0], x[1], x[2]).into(),
            nalgebra::UnitQuaternion::new_normalize(rotation),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use brepcd::geom::Point3;

    /// The meshes stand for the parts: closed, of nearly their volume, and in the same place.
    #[test]
    fn meshes_match_their_parts() {
        for name in SCENES {
            for side in ["fixed", "mobile"] {
                let part = format!("{name}_{side}");
                let path = scenes_folder().join(format!("{part}.ply"));
                let mesh = Mesh::from_ply(&std::fs::read(path).expect("a file")).expect("PLY");
                assert_eq!(mesh.open_edges(), 0, "{part}");
                let model =
                    brepcd::step::read(&step_bytes(&part).0, &Default::default(), &mut |_| {});
                let brep = model.expect("a part").placed_brep();
                let exact = brep.mass_properties().volume;
                let error = mesh.volume() / exact - 1.0;
                assert!(error.abs() < 0.015, "{part}: volume off by {error}");
                let bounds = brep.bounding_box();
                let reach = 1e-4;
                for p in &mesh.points {
                    let out = (0..3)
                        .any(|i| p[i] < bounds.min[i] - reach || p[i] > bounds.max[i] + reach);
                    assert!(!out, "{part}: {:?} is out of the box", Point3::from(*p));
                }
            }
        }
    }

    #[test]
    fn trajectories_have_all_phases() {
        for name in SCENES {
            let scene = Scene::load(name);
            assert_eq!(scene.steps.len(), 1000);
            let counts = PHASES.map(|phase| scene.poses(phase, 1).len());
            assert_eq!(counts, [250, 350, 200, 200]);
        }
    }
}
