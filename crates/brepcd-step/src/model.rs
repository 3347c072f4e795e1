//! What comes out of a file: distinct parts, the tree that places them, and what went wrong.

use brepcd_brep::{Brep, FaceKind};
use brepcd_geom::Pose;

/// A STEP file as exact boundary representations, millimetres and radians.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// Schema names of the file's header.
    pub schema: String,
    /// Name of the file's length unit.
    pub unit: String,
    /// Millimetres per length unit of the file.
    pub unit_scale: f64,
    /// Distinct shapes, each in its own frame.
    pub parts: Vec<Part>,
    /// The assembly: products without a parent, and shapes that belong to no product.
    pub roots: Vec<Node>,
    /// What could not be taken over as it stands, in the order it was met.
    pub warnings: Vec<Warning>,
    /// Free-form surfaces that are canonical ones within tolerance.
    pub recognized: Vec<Recognized>,
    /// Face entities of the file; always `faces_imported + faces_warned`.
    pub faces_in_file: usize,
    /// Face entities that are in at least one part.
    pub faces_imported: usize,
    /// Face entities that are in no part; a warning says why.
    pub faces_warned: usize,
}

/// A shape that the assembly may place several times.
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// Name of its product.
    pub name: String,
    /// The shape.
    pub brep: Brep,
}

/// A product occurrence in the assembly.
#[derive(Clone, Debug)]
pub struct Node {
    /// Name of the product.
    pub name: String,
    /// Name of this occurrence of it, often empty.
    pub occurrence: String,
    /// The pose `parent_from_child`; of a root, `file_from_root`.
    pub placement: Pose,
    /// Index of its own shape in [`Model::parts`].
    pub part: Option<usize>,
    /// What it is assembled from.
    pub children: Vec<Node>,
}

/// Something the file has and the model lacks or has differently.
#[derive(Clone, Debug, PartialEq)]
pub struct Warning {
    /// The entity's `#id`.
    pub label: Option<u64>,
    /// The line its definition starts on.
    pub line: Option<u32>,
    /// What it is, in one sentence.
    pub message: String,
}

impl std::fmt::Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.label, self.line) {
            (Some(id), _) => write!(f, "#{id}: {}", self.message),
            (None, Some(line)) => write!(f, "line {line}: {}", self.message),
            (None, None) => f.write_str(&self.message),
        }
    }
}

/// A free-form face that is canonical within tolerance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recognized {
    /// The face's `#id`.
    pub label: Option<u64>,
    /// Type in the file.
    pub from: FaceKind,
    /// Type it was recognised as.
    pub to: &'static str,
    /// Largest distance found between both, millimetres.
    pub deviation: f64,
}

impl Model {
    /// Every placed part in the order of the tree: index of the part and pose `file_from_part`.
    pub fn instances(&self) -> Vec<(usize, Pose)> {
        let mut out = Vec::new();
        let mut open: Vec<(&Node, Pose)> = self
            .roots
            .iter()
            .rev()
            .map(|root| (root, Pose::identity()))
            .collect();
        while let Some((node, file_from_parent)) = open.pop() {
            let file_from_node = file_from_parent * node.placement;
            if let Some(part) = node.part.filter(|part| *part < self.parts.len()) {
                out.push((part, file_from_node));
            }
            open.extend(
                node.children
                    .iter()
                    .rev()
                    .map(|child| (child, file_from_node)),
            );
        }
        out
    }

    /// All instances, placed, as one shape.
    pub fn placed_brep(&self) -> Brep {
        let mut out: Option<Brep> = None;
        for (part, file_from_part) in self.instances() {
            let brep = &self.parts[part].brep;
            let placed = if file_from_part == Pose::identity() {
                brep.clone()
            } else {
                brep.transformed(&file_from_part)
            };
            match &mut out {
                None => out = Some(placed),
                Some(all) => all.append(placed),
            }
        }
        out.unwrap_or_default()
    }
}
