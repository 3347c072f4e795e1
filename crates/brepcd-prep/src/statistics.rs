use crate::tree;
use brepcd_brep::Brep;
use brepcd_tree::{Membership, Shape, TreePart};

/// Counts that tell how a part was preprocessed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Faces of the B-Rep.
    pub faces: usize,
    /// Supermaximal faces.
    pub face_features: usize,
    /// Edges of the B-Rep.
    pub edges: usize,
    /// Supermaximal edges that can hold minima.
    pub edge_features: usize,
    /// Vertices of the B-Rep.
    pub vertices: usize,
    /// Vertices that can hold minima.
    pub vertex_features: usize,
    /// Patches of faces.
    pub face_patches: usize,
    /// Patches of faces that a border crosses.
    pub crossed_patches: usize,
    /// Patches of edges.
    pub edge_patches: usize,
    /// Pieces of border.
    pub borders: usize,
    /// Nodes of the tree.
    pub nodes: usize,
    /// Levels of the tree.
    pub depth: usize,
}

impl Statistics {
    /// The counts of a part and the B-Rep it was made from.
    pub fn of(brep: &Brep, part: &TreePart) -> Self {
        let mut out = Self {
            faces: brep.faces.len(),
            edges: brep.edges.len(),
            vertices: brep.vertices.len(),
            borders: part.borders.len(),
            nodes: part.nodes.len(),
            depth: tree::depth(&part.nodes),
            ..Self::default()
        };
        for feature in &part.features {
            match feature.shape {
                Shape::Face { .. } => out.face_features += 1,
                Shape::Edge { .. } => out.edge_features += 1,
                Shape::Vertex { .. } => out.vertex_features += 1,
            }
        }
        for patch in &part.patches {
            match part.features[patch.feature.index()].shape {
                Shape::Face { .. } => {
                    out.face_patches += 1;
                    out.crossed_patches += usize::from(patch.membership != Membership::Inside);
                }
                Shape::Edge { .. } => out.edge_patches += 1,
                Shape::Vertex { .. } => {}
            }
        }
        out
    }
}
