//! A part ready for queries: its tree and what is worked out once from it.

use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use brepcd_geom::{Curve, Interval, Pose, Surface, Vec3};
use brepcd_tree::{
    Content, FeatureId, Kinds, MatrixPose, Node, NodeId, Obb, PatchId, Shape, Shell, TreePart,
};

use crate::carrier::Carrier;
use crate::overlap::{Rim, Turned};
use crate::piece::Piece;
use crate::shells::ShellIndex;
use crate::sleeve::{Axis, Sleeve};
use crate::sleeves::{self, Sleeves};
use crate::smooth::is_smooth;

static NEXT_ID: AtomicU64 = AtomicU64::new(0);

/// A preprocessed part with what queries look up.
#[derive(Clone, Debug)]
pub struct Part {
    /// Different for all parts of a process, but for copies.
    id: u64,
    tree: TreePart,
    /// The leaf of every patch.
    leaves: Vec<NodeId>,
    /// For every feature where its patches begin and end.
    patches: Vec<Range<usize>>,
    /// Finds shells by place.
    shell_index: ShellIndex,
    /// What is below every node, in short.
    briefs: Vec<Brief>,
    /// Axes that the part turns about.
    axes: Vec<Axis>,
    /// How far ruled faces that do not turn reach about the first of them, worked out when first asked for.
    rims: Vec<OnceLock<Option<Rim>>>,
}

/// What a traversal looks at first of a node.
#[derive(Clone, Copy, Debug)]
pub struct Brief {
    /// Bounds about the axis that most below turns about.
    pub sleeve: Sleeve,
    /// Which one.
    pub axis: u8,
    /// Bounds about the first of the part's axes.
    pub main_sleeve: Sleeve,
    /// True if the node is a leaf, or all below is of one feature with a closed form: solved at once.
    pub is_cluster: bool,
    /// True if all below has closed forms.
    pub is_closed: bool,
    /// True if all below are edges without a corner.
    pub is_smooth: bool,
    /// Kinds below.
    pub kinds: Kinds,
    /// Kinds compatible with one of those.
    pub compatible: Kinds,
    /// A feature below, the only one of a cluster.
    pub feature: FeatureId,
    /// A patch below.
    pub patch: PatchId,
    /// True if the node is a piece of a free-form edge.
    pub is_free_curve: bool,
    /// Ranges of both parameters, for clusters.
    pub range: [Interval; 2],
    /// Half the diagonal of the box.
    pub radius: f64,
}

impl Part {
    /// Takes over a tree, and works out all that queries look up but for the rims of ruled faces.
    pub fn new(tree: TreePart) -> Self {
        Self::with_sleeves(tree, Sleeves::of)
    }

    /// As [`Part::new`], but without axes and bounds about them: the answers are the same, only slower.
    pub fn without_axes(tree: TreePart) -> Self {
        Self::with_sleeves(tree, |_, _| Sleeves::default())
    }

    fn with_sleeves(
        tree: TreePart,
        sleeves: impl Fn(&TreePart, &[Range<usize>]) -> Sleeves,
    ) -> Self {
        let mut leaves = vec![NodeId(0); tree.patches.len()];
        for (index, node) in tree.nodes.iter().enumerate() {
            if let Content::Leaf(patch) = node.content {
                leaves[patch.index()] = NodeId::at(index);
            }
        }
        let patches = sleeves::ranges_of_patches(&tree);
        let sleeves = sleeves(&tree, &patches);
        Self {
            id: NEXT_ID.fetch_add(1, Ordering::Relaxed),
            leaves,
            patches,
            shell_index: ShellIndex::of(&tree.shells),
            briefs: briefs(&tree, &sleeves),
            axes: sleeves.axes,
            rims: vec![OnceLock::new(); tree.features.len()],
            tree,
        }
    }

    /// A number that tells parts apart.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// What is below a node, in short.
    pub fn brief(&self, node: NodeId) -> &Brief {
        &self.briefs[node.index()]
    }

    /// A cluster as it turns about an axis, placed; `None` if it does not.
    pub fn turned(&self, node: NodeId, a_from_part: &MatrixPose) -> Option<Turned> {
        let brief = self.brief(node);
        match &self.tree.features[brief.feature.index()].shape {
            Shape::Face {
                surface: Surface::Plane(_),
                ..
            } => {
                let axis = self.axes().first()?;
                let Sleeve { rho, z, .. } = brief.main_sleeve;
                // Flat across the axis.
                let is_flat = z[1] - z[0] <= FLAT * brief.radius;
                is_flat.then(|| {
                    let dir = a_from_part.rotation * axis.dir;
                    Turned::flat(a_from_part * axis.origin, dir, z, rho)
                })
            }
            Shape::Face { surface, .. } => Turned::of_surface(surface, a_from_part, brief.range[1]),
            Shape::Edge {
                curve: Curve::Circle(circle),
                ..
            } => {
                let dir = a_from_part.rotation * circle.frame.z;
                let rho = [circle.radius; 2];
                Some(Turned::flat(
                    a_from_part * circle.frame.origin,
                    dir,
                    [0.0; 2],
                    rho,
                ))
            }
            Shape::Edge { .. } | Shape::Vertex { .. } => None,
        }
    }

    /// How far a ruled face reaches about the first axis of the part; `None` for others.
    pub fn rim(&self, feature: FeatureId) -> Option<&Rim> {
        let axis = self.axes().first()?;
        let rim = self.rims.get(feature.index())?;
        rim.get_or_init(|| {
            let patches = self.patches[feature.index()].clone();
            sleeves::rim(&self.tree, feature, patches, axis)
        })
        .as_ref()
    }

    /// The bounds of a node about axes of the part, if it has any.
    pub fn sleeves(&self, node: NodeId) -> impl Iterator<Item = (&Axis, &Sleeve)> {
        let brief = self.briefs.get(node.index());
        brief.into_iter().flat_map(|brief| {
            let both = [(brief.axis, &brief.sleeve), (0, &brief.main_sleeve)];
            let axis = |at: u8| self.axes().get(usize::from(at));
            both.into_iter()
                .filter_map(move |(at, sleeve)| Some((axis(at)?, sleeve)))
        })
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

    /// A cluster as if it were one patch, placed.
    pub fn whole<'a>(&'a self, node: NodeId, a_from_part: &'a MatrixPose) -> Piece<'a> {
        let brief = self.brief(node);
        Piece {
            range: brief.range,
            ..Piece::new(&self.tree, brief.patch, a_from_part)
        }
    }

    /// Finds shells by place.
    pub fn shell_index(&self) -> &ShellIndex {
        &self.shell_index
    }

    /// A patch with its leaf, placed.
    pub fn leaf<'a>(&'a self, id: PatchId, a_from_part: &'a MatrixPose) -> Leaf<'a> {
        Leaf {
            piece: Piece::new(&self.tree, id, a_from_part),
            node: &self.tree.nodes[self.leaves[id.index()].index()],
        }
    }
}

/// Range of heights, relative to its radius, up to which a plane counts as across an axis.
const FLAT: f64 = 1e-5;

/// Sums up what is below every node.
fn briefs(tree: &TreePart, sleeves: &Sleeves) -> Vec<Brief> {
    let mut out: Vec<Brief> = Vec::with_capacity(tree.nodes.len());
    // Children come after their parent; turned round at the end.
    for (index, node) in tree.nodes.iter().enumerate().rev() {
        let (axis, sleeve) = match sleeves.own.get(index) {
            Some(sleeve) => *sleeve,
            None => (0, Sleeve::EVERYTHING),
        };
        let main_sleeve = sleeves.main.get(index).copied();
        let (is_cluster, is_closed, is_smooth, patch, feature, range) = match node.content {
            Content::Leaf(id) => {
                let patch = &tree.patches[id.index()];
                let shape = &tree.features[patch.feature.index()].shape;
                let is_closed = Carrier::is_closed(shape);
                (
                    true,
                    is_closed,
                    is_smooth(tree, patch),
                    id,
                    patch.feature,
                    [patch.u, patch.v],
                )
            }
            Content::Inner(children) => {
                let [a, b] = children.map(|child| out[tree.nodes.len() - 1 - child.index()]);
                let is_closed = a.is_closed && b.is_closed;
                let single = a.is_cluster && b.is_cluster && a.feature == b.feature;
                let range = [0, 1].map(|k| Interval {
                    lo: a.range[k].lo.min(b.range[k].lo),
                    hi: a.range[k].hi.max(b.range[k].hi),
                });
                let is_smooth = a.is_smooth && b.is_smooth;
                (
                    single && is_closed,
                    is_closed,
                    is_smooth,
                    a.patch,
                    a.feature,
                    range,
                )
            }
        };
        out.push(Brief {
            sleeve,
            axis,
            main_sleeve: main_sleeve.unwrap_or(Sleeve::EVERYTHING),
            is_cluster,
            is_closed,
            is_smooth,
            kinds: node.kinds,
            compatible: node.compatible,
            patch,
            feature,
            is_free_curve: matches!(node.content, Content::Leaf(_))
                && node.kinds == Kinds::SPLINE_CURVE,
            range,
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

/// Refuses poses that are none.
pub fn check_pose(a_from_b: &Pose) -> Result<(), PoseError> {
    let (t, q) = (&a_from_b.translation.vector, a_from_b.rotation.quaternion());
    let norm = q.norm();
    if !(t.amax().is_finite() && norm.is_finite()) || t.iter().any(|x| x.is_nan()) {
        return Err(PoseError::NotFinite);
    }
    if (norm - 1.0).abs() > UNIT {
        return Err(PoseError::NotUnit);
    }
    Ok(())
}

/// Share of a length that a quaternion that is not quite of unit length may change it by.
const STRETCHED: f64 = 4.0 * UNIT;

/// True only if two parts are farther apart than `reach`, by balls and boxes around them; the pose must be checked.
pub fn far_apart(a: &Part, b: &Part, a_from_b: &Pose, reach: f64) -> bool {
    let (Some(root_a), Some(root_b)) = (a.tree.nodes.first(), b.tree.nodes.first()) else {
        return true;
    };
    let (box_a, box_b) = (&root_a.obb, &root_b.obb);
    let between = a_from_b * box_b.centre - box_a.centre;
    let slack = STRETCHED * (box_b.centre.coords.norm() + between.norm());
    let radii = [box_a, box_b].map(|around| around.half.norm() + reach + slack);
    if between.norm() > radii[0] + radii[1] {
        return true;
    }
    let back = a_from_b.rotation.inverse_transform_vector(&between);
    is_off(box_a, &between, radii[1]) || is_off(box_b, &back, radii[0])
}

/// True if a point, seen from the centre of a box, is farther from it than a radius along one of its axes.
fn is_off(obb: &Obb, to: &Vec3, radius: f64) -> bool {
    (0..3).any(|i| obb.axes[i].dot(to).abs() > obb.half[i] + radius)
}

/// The pose as the query uses it: checked, its quaternion of exactly unit length.
pub fn matrix_pose(a_from_b: &Pose) -> Result<MatrixPose, PoseError> {
    check_pose(a_from_b)?;
    let q = a_from_b.rotation.quaternion();
    let rotation = nalgebra::UnitQuaternion::new_normalize(*q).to_rotation_matrix();
    Ok(MatrixPose::from_parts(a_from_b.translation, rotation))
}
