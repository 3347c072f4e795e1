//! Gathers what `brepcd info` prints, in the order and units it is printed.

use std::path::{Path, PathBuf};
use std::time::Instant;

use brepcd::brep::{EdgeKind, FaceKind};
use brepcd::geom::{Aabb, Pose};
use brepcd::step::{Node, Warning};
use brepcd::{MassProperties, Model};

use crate::progress::millis;
use crate::step_file::{self, Imported};

/// What a STEP file holds.
pub struct Summary {
    /// The file as the user named it.
    pub file: PathBuf,
    /// Schema named in the file's header.
    pub schema: String,
    /// Length unit of the file; all numbers here are millimetres.
    pub unit: String,
    /// Solids, instances placed.
    pub solids: usize,
    /// Shells, instances placed.
    pub shells: usize,
    /// Distinct faces by type as the file has them, every type in a fixed order.
    pub faces: Vec<(&'static str, usize)>,
    /// Distinct edges by type as the file has them, every type in a fixed order.
    pub edges: Vec<(&'static str, usize)>,
    /// Distinct vertices.
    pub vertices: usize,
    /// Faces, edges and vertices with instances placed.
    pub placed: Placed,
    /// Volume, area, centroid and inertia of all placed instances.
    pub mass: MassProperties,
    /// Box of all placed instances.
    pub bbox: Aabb,
    /// Every placed part of an assembly, in the order of the tree; empty for a single part.
    pub instances: Vec<Instance>,
    /// The assembly tree as the file has it.
    pub tree: Vec<Node>,
    /// Faces and edges whose carrier was recognised as a simpler kind than the file's.
    pub recognized: Vec<Recognized>,
    /// What is wrong with the file.
    pub warnings: Vec<Warning>,
    /// Faces the file has and faces that were taken over.
    pub faces_in_file: usize,
    /// Faces that were taken over.
    pub faces_imported: usize,
    /// Where the time went, milliseconds, in order.
    pub timing: Vec<(&'static str, f64)>,
}

/// Counts over all placed instances.
#[derive(Default)]
pub struct Placed {
    pub faces: usize,
    pub edges: usize,
    pub vertices: usize,
}

/// One placed part of an assembly.
pub struct Instance {
    /// Name of the part.
    pub name: String,
    /// Names from the root of the assembly down to the part.
    pub path: Vec<String>,
    /// Pose of the part in the frame of the file.
    pub file_from_part: Pose,
    /// Solids of the part.
    pub solids: usize,
}

/// A carrier that was recognised as a simpler kind.
pub struct Recognized {
    /// `face` or `edge`.
    pub feature: &'static str,
    /// Number of its entity in the file.
    pub label: Option<u64>,
    /// Type as the file has it.
    pub from: &'static str,
    /// Type it is.
    pub to: &'static str,
}

/// All face types in the order they are printed.
const FACE_KINDS: [FaceKind; 9] = [
    FaceKind::Plane,
    FaceKind::Cylinder,
    FaceKind::Cone,
    FaceKind::Sphere,
    FaceKind::Torus,
    FaceKind::Bspline,
    FaceKind::Revolution,
    FaceKind::Extrusion,
    FaceKind::Offset,
];

/// All edge types in the order they are printed.
const EDGE_KINDS: [EdgeKind; 5] = [
    EdgeKind::Line,
    EdgeKind::Circle,
    EdgeKind::Ellipse,
    EdgeKind::Bspline,
    EdgeKind::Other,
];

/// Reads a STEP file and gathers what it holds.
pub fn summarise(file: &Path) -> anyhow::Result<Summary> {
    let Imported {
        model, mut timing, ..
    } = step_file::read(file, true)?;

    let start = Instant::now();
    let mass = brepcd::placed_mass_properties(&model);
    let mass_ms = millis(start.elapsed());
    let start = Instant::now();
    let bbox = model.placed_brep().bounding_box();
    let bbox_ms = millis(start.elapsed());

    timing.extend([("mass_ms", mass_ms), ("bbox_ms", bbox_ms)]);
    timing.push(("total_ms", timing.iter().map(|(_, ms)| ms).sum()));
    Ok(gather(file, model, mass, bbox, timing))
}

fn gather(
    file: &Path,
    model: Model,
    mass: MassProperties,
    bbox: Aabb,
    timing: Vec<(&'static str, f64)>,
) -> Summary {
    let breps = || model.parts.iter().map(|part| &part.brep);
    let mut placed = Placed::default();
    let (mut solids, mut shells) = (0, 0);
    for (part, _) in model.instances() {
        let brep = &model.parts[part].brep;
        solids += brep.solids.len();
        shells += brep.shells.len();
        placed.faces += brep.faces.len();
        placed.edges += brep.edges.len();
        placed.vertices += brep.vertices.len();
    }
    let faces = FACE_KINDS
        .iter()
        .map(|kind| {
            (
                kind.name(),
                breps()
                    .flat_map(|b| &b.faces)
                    .filter(|f| f.kind == *kind)
                    .count(),
            )
        })
        .collect();
    let edges = EDGE_KINDS
        .iter()
        .map(|kind| {
            (
                kind.name(),
                breps()
                    .flat_map(|b| &b.edges)
                    .filter(|e| e.kind == *kind)
                    .count(),
            )
        })
        .collect();
    let mut instances = Vec::new();
    if model.roots.iter().any(|root| !root.children.is_empty()) || model.roots.len() > 1 {
        for root in &model.roots {
            collect_instances(
                &model,
                root,
                &Pose::identity(),
                &mut Vec::new(),
                &mut instances,
            );
        }
    }
    Summary {
        file: file.to_path_buf(),
        solids,
        shells,
        faces,
        edges,
        vertices: breps().map(|b| b.vertices.len()).sum(),
        placed,
        mass,
        bbox,
        instances,
        recognized: recognized(&model),
        faces_in_file: model.faces_in_file,
        faces_imported: model.faces_imported,
        timing,
        schema: model.schema,
        unit: model.unit,
        tree: model.roots,
        warnings: model.warnings,
    }
}

/// Appends the parts under a node, whose parent has the pose `file_from_parent`.
fn collect_instances(
    model: &Model,
    node: &Node,
    file_from_parent: &Pose,
    path: &mut Vec<String>,
    out: &mut Vec<Instance>,
) {
    let file_from_part = file_from_parent * node.placement;
    path.push(node.name.clone());
    if let Some(part) = node.part.and_then(|part| model.parts.get(part)) {
        let name = if node.name.is_empty() {
            &part.name
        } else {
            &node.name
        };
        let (name, path, solids) = (name.clone(), path.clone(), part.brep.solids.len());
        out.push(Instance {
            name,
            path,
            file_from_part,
            solids,
        });
    }
    for child in &node.children {
        collect_instances(model, child, &file_from_part, path, out);
    }
    path.pop();
}

/// Faces and edges whose carrier is of a simpler kind than the file says, in the order of the parts.
fn recognized(model: &Model) -> Vec<Recognized> {
    let mut out = Vec::new();
    for brep in model.parts.iter().map(|part| &part.brep) {
        for face in &brep.faces {
            let (from, to) = (face.kind.name(), face.surface.kind_name());
            if from != to && to != FaceKind::Bspline.name() {
                out.push(Recognized {
                    feature: "face",
                    label: face.label,
                    from,
                    to,
                });
            }
        }
        for edge in &brep.edges {
            let (from, to) = (edge.kind.name(), edge.curve.kind_name());
            if from == EdgeKind::Bspline.name() && to != from {
                out.push(Recognized {
                    feature: "edge",
                    label: edge.label,
                    from,
                    to,
                });
            }
        }
    }
    out
}
