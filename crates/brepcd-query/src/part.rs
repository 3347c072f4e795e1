//! A part ready for queries: its tree and what is worked out once from it.

use brepcd_geom::{Interval, Pose, Surface};
use brepcd_tree::{
    Content, FeatureId, Kinds, MatrixPose, Node, NodeId, PatchId, Shape, Shell, TreePart,
};

use crate::carrier::Carrier;
use crate::overlap::Turned;
use crate::piece::Piece;
use crate::sleeve::{Axis, Sleeve};
use crate::sleeves;

/// A preprocessed part with what queries look up.
#[derive(Clone, Debug)]
pub struct Part {
    tree: TreePart,
    /// The leaf of every patch.
    leaves: Vec<NodeId>,
    /// What is below every node, in short.
    briefs: Vec<Brief>,
    /// Axes that the part turns about.
    axes: Vec<Axis>,
}

/// What a traversal looks at first of a node.
#[derive(Clone, Copy, Debug)]
pub struct Brief {
    /// Bounds about one of the part's axes.
    pub sleeve: Sleeve,
    /// Which one.
    pub axis: u8,
    /// True if the node is a leaf, or all below is of one feature with a closed form: solved at once.
    pub is_cluster: bool,
    /// True if all below has closed forms.
    pub is_closed: bool,
    /// Kinds below.
    pub kinds: Kinds,
    /// Kinds compatible with one of those.
    pub compatible: Kinds,
    /// A feature below, the only one of a cluster.
    pub feature: FeatureId,
    /// Range of the second parameter, for clusters.
    pub v: Interval,
    /// Half the diagonal of the box.
    pub radius: f64,
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
        let mut briefs = briefs(&tree);
        let axes = sleeves::fill(&tree, &mut briefs);
        Self {
            leaves,
            briefs,
            axes,
            tree,
        }
    }

    /// What is below a node, in short.
    pub fn brief(&self, node: NodeId) -> &Brief {
        &self.briefs[node.index()]
    }

    /// The face of a cluster as it turns about an axis, placed; `None` if it does not.
    pub fn turned(&self, node: NodeId, a_from_part: &MatrixPose) -> Option<Turned> {
        let brief = self.brief(node);
        let Shape::Face { surface, .. } = &self.tree.features[brief.feature.index()].shape else {
            return None;
        };
        if let Surface::Plane(_) = surface {
            let axis = self.axes.get(usize::from(brief.axis))?;
            let Sleeve { rho, z, .. } = brief.sleeve;
            // Flat across the axis.
            let is_flat = z[1] - z[0] <= FLAT * brief.radius;
            return is_flat.then(|| {
                let dir = a_from_part.rotation * axis.dir;
                Turned::flat(a_from_part * axis.origin, dir, z, rho)
            });
        }
        Turned::of_surface(surface, a_from_part, brief.v)
    }

    /// The bounds of a node about one of the part's axes; `None` if it has none.
    pub fn sleeve(&self, node: NodeId) -> Option<(&Axis, &Sleeve)> {
        let brief = self.briefs.get(node.index())?;
        Some((self.axes.get(usize::from(brief.axis))?, &brief.sleeve))
    }

    /// Axes that the part turns about.
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// The tree.
    pub fn tree(&self) -> &TreePart {
        &self.tree
    }

    /// Some boundary points of every shell.
    pub fn shells(&self) -> &[Shell] {
        &self.tree.shells
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

/// Range of heights, relative to its radius, up to which a plane counts as across an axis.
const FLAT: f64 = 1e-5;

/// Sums up what is below every node; the sleeves are still to be filled in.
fn briefs(tree: &TreePart) -> Vec<Brief> {
    let mut out: Vec<Brief> = Vec::with_capacity(tree.nodes.len());
    // Children come after their parent; turned round at the end.
    for node in tree.nodes.iter().rev() {
        let (is_cluster, is_closed, feature, v) = match node.content {
            Content::Leaf(id) => {
                let patch = &tree.patches[id.index()];
                let shape = &tree.features[patch.feature.index()].shape;
                (true, Carrier::is_closed(shape), patch.feature, patch.v)
            }
            Content::Inner(children) => {
                let [a, b] = children.map(|child| out[tree.nodes.len() - 1 - child.index()]);
                let is_closed = a.is_closed && b.is_closed;
                let single = a.is_cluster && b.is_cluster && a.feature == b.feature;
                let v = Interval {
                    lo: a.v.lo.min(b.v.lo),
                    hi: a.v.hi.max(b.v.hi),
                };
                (single && is_closed, is_closed, a.feature, v)
            }
        };
        out.push(Brief {
            sleeve: Sleeve::EVERYTHING,
            axis: 0,
            is_cluster,
            is_closed,
            kinds: node.kinds,
            compatible: node.compatible,
            feature,
            v,
            radius: node.obb.half.norm(),
        });
    }
    out.reverse();
    out
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
