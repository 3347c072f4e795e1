//! One query: which pairs of nodes cannot hold a minimum.

use brepcd_geom::{Interval, Point3, Pose, Surface, Vec3};
use brepcd_tree::{CircularCone, Content, MatrixPose, Node, NodeId, PatchId, Shape};

use crate::candidates::Candidate;
use crate::foot::ROUNDING as ANGLES;
use crate::options::Options;
use crate::overlap::{Rim, Turned, extent};
use crate::part::{Leaf, Part, PoseError, matrix_pose};
use crate::places::{BESIDE, ROUNDING};
use crate::stats::Stats;
use crate::tolerance::Tolerances;

/// Cosine that rounding may take from the angle between a direction and an axis.
const SEES: f64 = 1e-12;

/// Two parts, a pose and the options of one query.
pub struct Query<'a> {
    /// Part A.
    pub a: &'a Part,
    /// Part B.
    pub b: &'a Part,
    /// The identity, which places part A.
    pub a_from_a: MatrixPose,
    /// The pose of part B.
    pub a_from_b: MatrixPose,
    /// The largest coordinate at hand, mm.
    pub extent: f64,
    /// Tolerances.
    pub tolerances: Tolerances,
    /// Options.
    pub options: Options,
}

impl<'a> Query<'a> {
    /// Checks the pose.
    pub fn new(
        a: &'a Part,
        b: &'a Part,
        pose: &Pose,
        options: &Options,
    ) -> Result<Self, PoseError> {
        let a_from_b = matrix_pose(pose)?;
        let extent = [a, b].map(|part| part.tree().header.reach);
        let extent = extent[0].max(extent[1]) + a_from_b.translation.vector.norm();
        Ok(Self {
            a,
            b,
            a_from_a: MatrixPose::identity(),
            a_from_b,
            extent,
            tolerances: Tolerances::of(a.tree(), b.tree(), extent),
            options: *options,
        })
    }

    /// Two nodes.
    pub fn nodes(&self, ids: (NodeId, NodeId)) -> (&Node, &Node) {
        let (a, b) = (self.a.tree(), self.b.tree());
        (&a.nodes[ids.0.index()], &b.nodes[ids.1.index()])
    }

    /// Two patches, placed.
    pub fn leaves(&self, patches: (PatchId, PatchId)) -> (Leaf<'_>, Leaf<'_>) {
        (
            self.a.leaf(patches.0, &self.a_from_a),
            self.b.leaf(patches.1, &self.a_from_b),
        )
    }

    /// False only if the normal of a candidate is in no polar of one of two clusters.
    pub fn may_hold(&self, nodes: (NodeId, NodeId), candidate: &Candidate) -> bool {
        let Some(normal) = candidate.normal else {
            return true;
        };
        let slack = self.options.regularization + self.tolerances.polar + ANGLES;
        let excludes = |node: &Node, out: &Vec3| node.cone.excludes(out, slack);
        let (a, b) = (self.a.tree(), self.b.tree());
        let back = self.a_from_b.rotation.inverse_transform_vector(&normal);
        !(excludes(&a.nodes[nodes.0.index()], &normal)
            || excludes(&b.nodes[nodes.1.index()], &-back))
    }

    /// True unless two boxes are farther apart than a distance.
    pub fn is_near(&self, a: &Node, b: &Node, distance: f64) -> bool {
        !a.obb.distance_exceeds(&b.obb, &self.a_from_b, distance)
    }

    /// The patches of two leaves; `None` for other nodes.
    pub fn patches_of_nodes(&self, nodes: (NodeId, NodeId)) -> Option<(PatchId, PatchId)> {
        let (a, b) = (self.a.tree(), self.b.tree());
        match (
            a.nodes[nodes.0.index()].content,
            b.nodes[nodes.1.index()].content,
        ) {
            (Content::Leaf(a), Content::Leaf(b)) => Some((a, b)),
            _ => None,
        }
    }

    /// True only if two clusters are surely farther apart than a distance: quick proofs for what turns about nearly the
    /// same axis, and for what is beside a plane.
    pub fn keep_off(&self, nodes: (NodeId, NodeId), distance: f64) -> bool {
        self.keep_off_about_axes(nodes, distance) || self.keep_off_planes(nodes, distance)
    }

    /// True only if a plane and the faces of another cluster are surely farther apart than a distance.
    fn keep_off_planes(&self, nodes: (NodeId, NodeId), distance: f64) -> bool {
        let surface = |part: &'a Part, node: NodeId| {
            let brief = part.brief(node);
            match &part.tree().features[brief.feature.index()].shape {
                Shape::Face { surface, .. } => Some((surface, &brief.range)),
                Shape::Edge { .. } | Shape::Vertex { .. } => None,
            }
        };
        let pair = surface(self.a, nodes.0).zip(surface(self.b, nodes.1));
        let Some(((of_a, range_a), (of_b, range_b))) = pair else {
            return false;
        };
        let [beside_a, beside_b] = self.tolerances.border;
        let need = distance + BESIDE * beside_a.max(beside_b) + ROUNDING * self.extent;
        // A plane in the frame of the other part.
        let keeps = |plane: &Point3, out: &Vec3, other: &Surface, range: &[Interval; 2]| {
            let level = plane.coords.dot(out);
            let reaches = extent(other, range, out);
            reaches.is_some_and(|[lo, hi]| lo > level + need || hi < level - need)
        };
        let pose = &self.a_from_b;
        match (of_a, of_b) {
            (Surface::Plane(plane), other) => {
                let origin = pose.inverse_transform_point(&plane.frame.origin);
                let out = pose.rotation.inverse_transform_vector(&plane.frame.z);
                keeps(&origin, &out, other, range_b)
            }
            (other, Surface::Plane(plane)) => {
                let out = pose.rotation * plane.frame.z;
                keeps(&(pose * plane.frame.origin), &out, other, range_a)
            }
            _ => false,
        }
    }

    /// True only if two clusters that turn about nearly the same axis are surely farther apart than a distance.
    fn keep_off_about_axes(&self, nodes: (NodeId, NodeId), distance: f64) -> bool {
        let (poses, ids) = ((&self.a_from_a, &self.a_from_b), nodes);
        let a = self.a.turned(ids.0, poses.0);
        let b = self.b.turned(ids.1, poses.1);
        let rim = |part: &'a Part, node: NodeId| part.rim(part.brief(node).feature);
        match (&a, &b) {
            (Some(a), Some(b)) if a.keeps_off(b, distance) => return true,
            (None, None) => return false,
            _ => {}
        }
        let rim_keeps = |rim: Option<&Rim>, pose: &MatrixPose, other: &Option<Turned>| {
            rim.zip(other.as_ref())
                .is_some_and(|(rim, other)| rim.keeps_off(pose, other, distance))
        };
        rim_keeps(rim(self.a, ids.0), poses.0, &b) || rim_keeps(rim(self.b, ids.1), poses.1, &a)
    }

    /// Can two nodes hold a minimum with each other by kinds and circular cones, which are cheap to test, after a turn by
    /// `room` radians at most?
    pub fn may_match(&self, a: &Node, b: &Node, room: f64, stats: &mut Stats) -> bool {
        if !self.options.pruning {
            return true;
        }
        if !a.compatible.intersects(b.kinds) {
            stats.by_mask += 1;
            return false;
        }
        // Cones of high nodes often hold all directions; they need not be turned.
        if a.circle.is_whole() || b.circle.is_whole() {
            return true;
        }
        let turned = b.circle.transformed(&self.a_from_b.rotation);
        let slack = self.options.regularization + 0.5 * room;
        let antipodal = if slack == 0.0 {
            a.circle.antipodal(&turned)
        } else {
            a.circle.dilated(2.0 * slack).antipodal(&turned)
        };
        if !antipodal {
            stats.by_circle += 1;
        }
        antipodal
    }

    /// Can they by the directions between them and by polyhedral cones?
    pub fn may_face(&self, a: &Node, b: &Node, stats: &mut Stats) -> bool {
        if !self.options.pruning {
            return true;
        }
        // The other tests know nothing of a dilation beyond that of the tree.
        if self.options.regularization != 0.0 {
            return true;
        }
        if !self.sees(a, b) {
            stats.by_direction += 1;
            return false;
        }
        let is_whole = a.cone.is_whole() || b.cone.is_whole();
        if !is_whole && !a.cone.antipodal(&b.cone, &self.a_from_b.rotation) {
            stats.by_cone += 1;
            return false;
        }
        true
    }

    /// False only if no direction from one box to the other is in the cones of both.
    fn sees(&self, a: &Node, b: &Node) -> bool {
        if a.circle.is_whole() && b.circle.is_whole() {
            return true;
        }
        let between = self.a_from_b * b.obb.centre - a.obb.centre;
        let reach = a.obb.half.norm() + b.obb.half.norm();
        let (square, length) = (between.norm_squared(), between.norm());
        if reach >= length {
            return true;
        }
        // The directions from box to box are within the angle of sine `reach / length` of the one between centres.
        let (sin, cos) = (reach / length, (square - reach * reach).sqrt() / length);
        let in_cone = |circle: &CircularCone, along: f64| {
            // Half angles that add up to more than a half-turn hold every direction.
            let wide = circle.cos + cos <= 0.0;
            wide || along >= (circle.cos * cos - circle.sin * sin - SEES) * length
        };
        let back = self.a_from_b.rotation.inverse_transform_vector(&between);
        in_cone(&a.circle, a.circle.axis.dot(&between))
            && in_cone(&b.circle, -b.circle.axis.dot(&back))
    }
}
