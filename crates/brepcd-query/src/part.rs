//! A part ready for queries: its tree and what is worked out once from it.

use brepcd_geom::Pose;
use brepcd_tree::{Content, MatrixPose, Node, NodeId, PatchId, TreePart};

use crate::overlap::{self, Shell};
use crate::piece::Piece;

/// A preprocessed part with what queries look up.
#[derive(Clone, Debug)]
pub struct Part {
    tree: TreePart,
    /// The leaf of every patch.
    leaves: Vec<NodeId>,
    /// Some boundary points of every shell.
    shells: Vec<Shell>,
}

impl Part {
    /// Takes over a tree.
    pub fn new(tree: TreePart) -> Self {
        let mut leaves = vec![NodeId(0); tree.patches.len()];
        for (index, node) in tree.nodes.iter().enumerate() {
            if let Content::Leaf(patch) = node.content {
                leaves[patch.index()] = NodeId::at(index);
            }
        }
        let shells = overlap::shells(&tree);
        Self {
            tree,
            leaves,
            shells,
        }
    }

    /// The tree.
    pub fn tree(&self) -> &TreePart {
        &self.tree
    }

    /// Some boundary points of every shell.
    pub fn shells(&self) -> &[Shell] {
        &self.shells
    }

    /// A patch with its leaf, placed.
    pub fn leaf<'a>(&'a self, id: PatchId, a_from_part: &'a MatrixPose) -> Leaf<'a> {
        Leaf {
            piece: Piece {
                part: &self.tree,
                id,
                a_from_part,
            },
            node: &self.tree.nodes[self.leaves[id.index()].index()],
        }
    }
}

/// A patch with the bounds of its leaf.
#[derive(Clone, Copy, Debug)]
pub struct Leaf<'a> {
    /// The patch.
    pub piece: Piece<'a>,
    /// Its leaf, bounds in the frame of its part.
    pub node: &'a Node,
}

/// A pose that cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PoseError {
    /// A number that is not finite.
    #[error("the pose is not finite")]
    NotFinite,
    /// The rotation is none.
    #[error("the quaternion of the pose is not of unit length")]
    NotUnit,
}

/// How far the length of a quaternion may be from 1.
const UNIT: f64 = 1e-6;

/// The pose as the query uses it: checked, its quaternion of exactly unit length.
pub fn matrix_pose(a_from_b: &Pose) -> Result<MatrixPose, PoseError> {
    let (t, q) = (&a_from_b.translation.vector, a_from_b.rotation.quaternion());
    let norm = q.norm();
    if !(t.amax().is_finite() && norm.is_finite()) || t.iter().any(|x| x.is_nan()) {
        return Err(PoseError::NotFinite);
    }
    if (norm - 1.0).abs() > UNIT {
        return Err(PoseError::NotUnit);
    }
    let rotation = nalgebra::UnitQuaternion::new_normalize(*q).to_rotation_matrix();
    Ok(MatrixPose::from_parts(a_from_b.translation, rotation))
}
