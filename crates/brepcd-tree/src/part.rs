//! A preprocessed part: flat lists that refer to each other by position.

use crate::{CircularCone, FeatureId, Kinds, NodeId, Obb, PatchId, Run, ShortCone, TrimId};
use brepcd_geom::{Curve, Interval, Point2, Point3, Point4, Surface, Vec3};

/// How a part was preprocessed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Normal spread above which patches are split, radians: half-angle of the circular cone.
    pub max_angle: f64,
    /// Size below which patches are not split, mm: diagonal of the box.
    pub min_size: f64,
    /// Angle by which normal cones are dilated, radians; at least enough to give them an inside.
    pub regularization: f64,
    /// Distance within which a point counts as on a border, mm.
    pub border: f64,
    /// Distance between a border and the straight pieces that stand for it, mm.
    pub chord: f64,
}

/// Where a part comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    /// Name of the source file, without folders.
    pub source: String,
    /// Hash of the source's bytes.
    pub source_hash: u64,
    /// How it was preprocessed.
    pub settings: Settings,
    /// Allowed gap of the source, mm.
    pub tolerance: f64,
    /// Half the diagonal of the part's smallest box along the axes, mm. Tolerances follow from it and from `reach`, not from
    /// the bounds of nodes, so that results do not depend on how tight these are.
    pub size: f64,
    /// Distance from the origin to the farthest corner of that box, mm.
    pub reach: f64,
}

/// What a [`Source`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum SourceKind {
    Face,
    Edge,
    Vertex,
}

/// A face, edge or vertex of the B-Rep behind a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// What it is.
    pub kind: SourceKind,
    /// Which placed part of the assembly it belongs to: position in [`TreePart::names`].
    pub part: u32,
    /// Its position among the B-Rep's items of that kind.
    pub id: u32,
    /// Entity number in the source file, 0 if there is none.
    pub label: u64,
}

/// A supermaximal face, a supermaximal edge, or a vertex.
#[derive(Clone, Debug)]
pub struct Feature {
    /// Its kind, one bit.
    pub kind: Kinds,
    /// Its faces, edges or vertices in [`TreePart::sources`].
    pub sources: Run,
    /// Its shape.
    pub shape: Shape,
}

/// The carrier of a feature.
#[derive(Clone, Debug)]
pub enum Shape {
    /// A face.
    Face {
        /// The untrimmed surface.
        surface: Surface,
        /// True if `du × dv` points out of the material.
        same_sense: bool,
        /// True if its faces belong to shells that enclose nothing.
        sheet: bool,
        /// Its border in [`TreePart::borders`], without what its faces share; empty for a whole closed surface.
        borders: Run,
    },
    /// An edge that can hold minima: convex or smooth.
    Edge {
        /// The untrimmed curve.
        curve: Curve,
        /// The faces on both sides.
        sides: [FeatureId; 2],
        /// Angle through the material, radians; π for a smooth edge.
        dihedral: f64,
        /// The parts of the curve that belong to it, ascending and apart, in [`TreePart::spans`].
        spans: Run,
    },
    /// A vertex or an apex.
    Vertex {
        /// Where it is.
        point: Point3,
        /// Unit directions into the part that span its tangent cone, in [`TreePart::tangents`]: the polar holds what
        /// is at right angles or more to all of them.
        tangents: Run,
    },
}

/// A straight piece of a face's border in its parameter plane; the face lies on its left, seen from outside, if the
/// face has the sense of the surface, else on its right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Border {
    /// The curve it stands for, in [`TreePart::trims`].
    pub trim: TrimId,
    /// Parameters of that curve at the ends.
    pub t: [f64; 2],
    /// Surface parameters at the ends; the first piece of a period is where the feature's patches are.
    pub uv: [Point2; 2],
}

/// How a patch lies in its feature's domain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Membership {
    /// No border crosses it; for edges and vertices, always.
    Inside,
    /// Borders cross it.
    Crossed {
        /// The crossing pieces: a run of [`TreePart::crossings`].
        pieces: Run,
        /// A point off the border.
        reference: Point2,
        /// Whether that point lies inside.
        inside: bool,
    },
}

/// A near-flat piece of a feature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Patch {
    /// The feature.
    pub feature: FeatureId,
    /// Range of the first surface parameter, or of the curve parameter.
    pub u: Interval,
    /// Range of the second surface parameter; empty use for edges and vertices.
    pub v: Interval,
    /// How it lies in the domain.
    pub membership: Membership,
    /// Control points of the piece in [`TreePart::control`] (`iu * count_v + iv`), for free-form pieces.
    pub control: Run,
}

/// What a node holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// One patch.
    Leaf(PatchId),
    /// Two nodes.
    Inner([NodeId; 2]),
}

/// A node of the tree; its bounds hold everything below it.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// Box.
    pub obb: Obb,
    /// Circular cone of the outward normals.
    pub circle: CircularCone,
    /// Polyhedral cone of the outward normals.
    pub cone: ShortCone,
    /// Kinds below.
    pub kinds: Kinds,
    /// Kinds compatible with one of those.
    pub compatible: Kinds,
    /// What is below.
    pub content: Content,
}

/// A connected piece of a part's boundary.
#[derive(Clone, Debug, PartialEq)]
pub struct Shell {
    /// Points on it, some of them far apart: the first inside a face where there is one clear of all borders.
    pub witnesses: Vec<Point3>,
    /// False for a sheet: a shell with a free border, which encloses nothing.
    pub closed: bool,
}

/// A preprocessed part: all the runtime needs, and all it ever sees.
#[derive(Clone, Debug)]
pub struct TreePart {
    /// Where it comes from.
    pub header: Header,
    /// Names of the placed parts of the assembly.
    pub names: Vec<String>,
    /// Faces, edges and vertices behind the features.
    pub sources: Vec<Source>,
    /// The connected pieces of the boundary.
    pub shells: Vec<Shell>,
    /// Features: faces, then edges, then vertices.
    pub features: Vec<Feature>,
    /// Parts of curves that belong to edges.
    pub spans: Vec<Interval>,
    /// Tangent directions at vertices.
    pub tangents: Vec<Vec3>,
    /// Curves that bound faces.
    pub trims: Vec<Curve>,
    /// Pieces of border.
    pub borders: Vec<Border>,
    /// For every crossed patch the pieces that cross it, as positions in `borders`, with how many periods in u and v
    /// to add to the piece's parameters.
    pub crossings: Vec<Crossing>,
    /// Control points of free-form patches.
    pub control: Vec<Point4>,
    /// Patches.
    pub patches: Vec<Patch>,
    /// Nodes; the first is the root, children come after their parent.
    pub nodes: Vec<Node>,
}

/// A piece of border as it crosses a patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crossing {
    /// The piece, in [`TreePart::borders`].
    pub border: u32,
    /// Periods to add to its parameters.
    pub periods: [i8; 2],
}

/// The hash of a source's bytes that [`Header::source_hash`] holds.
pub fn source_hash(bytes: &[u8]) -> u64 {
    xxhash_rust::xxh3::xxh3_64(bytes)
}
