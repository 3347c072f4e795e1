//! Supermaximal features: faces on one carrier with one orientation, edges on one curve between two such faces, and
//! the vertices that can hold a minimum. After section 5 of the paper, with vertices by their true tangent cone.

use std::collections::BTreeMap;

use brepcd_brep::{Brep, EdgeId, Face, FaceId, VertexId};
use brepcd_geom::surface::TorusShape;
use brepcd_geom::{Curve, Interval, Point3, Surface, Vec3};
use brepcd_tree::Kinds;

use crate::carriers::{Index, Scale, surface_name};
use crate::corners::Corners;
use crate::shells::Pieces;
use crate::{edges, vertices};

/// Which faces and edges are one feature.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Grouping {
    /// All on one carrier, as far as they can be.
    #[default]
    Supermaximal,
    /// None: each face and each edge is a feature of its own, to measure what grouping is worth. Vertices stay as they
    /// are, since their polars do not depend on it.
    Separate,
}

/// The features of a part.
#[derive(Clone, Debug, Default)]
pub struct Features {
    /// Supermaximal faces, by their first face.
    pub faces: Vec<FaceFeature>,
    /// Supermaximal edges, by their first edge.
    pub edges: Vec<EdgeFeature>,
    /// Vertices by id, then apexes that are no vertices.
    pub vertices: Vec<VertexFeature>,
    /// The connected pieces of the boundary.
    pub pieces: Pieces,
    /// For every face of the part its position in `faces`.
    pub of_face: Vec<usize>,
}

/// All faces on one carrier with one orientation that enclose something, or all of those that do not.
#[derive(Clone, Debug)]
pub struct FaceFeature {
    /// The carrier: that of the largest face.
    pub surface: Surface,
    /// True if `du × dv` of the carrier points out of the material.
    pub same_sense: bool,
    /// Its kind.
    pub kind: Kinds,
    /// True if its faces belong to pieces of the boundary that enclose nothing.
    pub sheet: bool,
    /// Its faces, ascending.
    pub faces: Vec<FaceId>,
}

/// All convex or smooth edges on one curve between two face features.
///
/// The border of an open shell counts as the edge of a sheet without thickness: its sides are the same face twice and
/// its dihedral is 0. The sharp seam of a closed free-form face has the same face on both sides, too.
#[derive(Clone, Debug)]
pub struct EdgeFeature {
    /// The carrier: that of the longest edge.
    pub curve: Curve,
    /// Positions of the face features on both sides, ascending.
    pub sides: [usize; 2],
    /// The smallest angle through the material, radians; π for a smooth edge.
    pub dihedral: f64,
    /// Its kind.
    pub kind: Kinds,
    /// Its edges, ascending.
    pub edges: Vec<EdgeId>,
    /// The parts of the curve that belong to it, ascending and apart; on a closed curve the last may run past the
    /// period, and the whole curve is one period.
    pub spans: Vec<Interval>,
}

/// A vertex or an apex whose polar has a direction.
#[derive(Clone, Debug)]
pub struct VertexFeature {
    /// Where it is.
    pub point: Point3,
    /// Unit directions of the tangent cone whose convex hull is that of all of it; the polar is what is at right
    /// angles or more to all of them. Around an apex it is spanned by finitely many generators, which makes the polar
    /// slightly too large, never too small.
    pub tangents: Vec<Vec3>,
    /// The vertex; `None` for an apex without one.
    pub vertex: Option<VertexId>,
}

impl Features {
    /// The position of a face's feature in `faces`.
    pub fn feature_of_face(&self, face: FaceId) -> usize {
        self.of_face[face.index()]
    }
}

/// Finds the features of a part; tolerances follow from the part.
pub fn find(brep: &Brep, grouping: Grouping) -> Features {
    let scale = Scale::of(brep);
    let pieces = Pieces::of(brep);
    let (mut faces, mut of_face) = faces_of(brep, group_faces(brep, &pieces, &scale), &pieces);
    let (mut edges, fates) = edges::find(brep, &faces, &of_face, &scale, Grouping::Supermaximal);
    let corners = Corners::of(brep, &scale);
    // Where one face goes on across an edge, or one edge through a vertex, the part has no corner, however it is grouped.
    let vertices = vertices::find(brep, &corners, &fates, &edges, &scale);
    if grouping == Grouping::Separate {
        let alone = (0..brep.faces.len()).map(|face| vec![face]).collect();
        (faces, of_face) = faces_of(brep, alone, &pieces);
        (edges, _) = edges::find(brep, &faces, &of_face, &scale, grouping);
    }
    Features {
        faces,
        edges,
        vertices,
        pieces,
        of_face,
    }
}

/// The positions of the faces on each carrier, the largest first.
fn group_faces(brep: &Brep, pieces: &Pieces, scale: &Scale) -> Vec<Vec<usize>> {
    let probes: Vec<Vec<Point3>> = brep.faces.iter().map(probes).collect();
    // The largest face of a group is its reference: its carrier is known best.
    let extent: Vec<f64> = probes
        .iter()
        .map(|points| brepcd_geom::Aabb::of(points.iter().copied()).diagonal())
        .collect();
    let mut order: Vec<usize> = (0..brep.faces.len()).collect();
    order.sort_by(|a, b| extent[*b].total_cmp(&extent[*a]).then(a.cmp(b)));

    let mut index = Index::new();
    let mut splines = BTreeMap::new();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for id in order {
        let face = &brep.faces[id];
        let group = match surface_name(&face.surface, face.same_sense, scale) {
            Some((class, name)) => {
                let fits = |group: &usize| {
                    let first = groups[*group][0];
                    pieces.encloses(first) == pieces.encloses(id)
                        && lies_on(&probes[id], brep, first, scale)
                };
                let found = index.near(&class, &name).into_iter().find(fits);
                if found.is_none() {
                    index.insert(class, &name, groups.len());
                }
                found
            }
            None => {
                let fresh = groups.len();
                let group = *splines
                    .entry((pieces.encloses(id), spline_key(face)))
                    .or_insert(fresh);
                (group < fresh).then_some(group)
            }
        };
        match group {
            Some(group) => groups[group].push(id),
            None => groups.push(vec![id]),
        }
    }
    groups
}

/// The features of groups of faces, the first of each being its reference; and for every face which it belongs to.
fn faces_of(
    brep: &Brep,
    groups: Vec<Vec<usize>>,
    pieces: &Pieces,
) -> (Vec<FaceFeature>, Vec<usize>) {
    let mut features: Vec<FaceFeature> = groups
        .into_iter()
        .map(|mut members| {
            let face = &brep.faces[members[0]];
            let sheet = !pieces.encloses(members[0]);
            members.sort_unstable();
            FaceFeature {
                surface: face.surface.clone(),
                same_sense: face.same_sense,
                kind: face_kind(face),
                sheet,
                faces: members.into_iter().map(FaceId::at).collect(),
            }
        })
        .collect();
    features.sort_by_key(|f| f.faces[0]);
    let mut of_face = vec![0; brep.faces.len()];
    for (position, feature) in features.iter().enumerate() {
        for face in &feature.faces {
            of_face[face.index()] = position;
        }
    }
    (features, of_face)
}

/// Points of a face: of its border, or of all of a closed surface.
fn probes(face: &Face) -> Vec<Point3> {
    let mut out = Vec::new();
    for segment in face.domain.chains.iter().flat_map(|c| &c.segments) {
        if segment.edge.is_none() {
            continue;
        }
        let n = segment.samples.len();
        for i in [0, n / 4, n / 2, 3 * n / 4, n.saturating_sub(1)] {
            if let Some(sample) = segment.samples.get(i) {
                out.push(face.surface.point(sample.uv.x, sample.uv.y));
            }
        }
    }
    let (u, v) = face.surface.domain();
    if out.is_empty() && u.length().is_finite() && v.length().is_finite() {
        let share = |i: usize| (i as f64 + 0.5) / WHOLE_PROBES as f64;
        for i in 0..WHOLE_PROBES * WHOLE_PROBES {
            let (a, b) = (share(i % WHOLE_PROBES), share(i / WHOLE_PROBES));
            out.push(face.surface.point(u.at(a), v.at(b)));
        }
    }
    out
}

/// Rows and columns of points on a closed surface.
const WHOLE_PROBES: usize = 4;

fn lies_on(points: &[Point3], brep: &Brep, reference: usize, scale: &Scale) -> bool {
    let surface = &brep.faces[reference].surface;
    points.iter().all(|p| {
        let (u, v) = surface.invert(p, None);
        (surface.point(u, v) - p).norm() <= scale.length
    })
}

/// The numbers of a free-form surface with its sense: equal only for the same surface.
fn spline_key(face: &Face) -> Vec<u64> {
    let mut key = vec![u64::from(face.same_sense)];
    if let Surface::Nurbs(s) = &face.surface {
        key.extend([s.degree_u, s.degree_v, s.count_u, s.count_v].map(|n| n as u64));
        let numbers = s.knots_u.iter().chain(&s.knots_v);
        let numbers = numbers.chain(s.control.iter().flat_map(|p| p.iter()));
        key.extend(numbers.map(|x| x.to_bits()));
    }
    key
}

fn face_kind(face: &Face) -> Kinds {
    let pick = |convex: bool, yes: Kinds, no: Kinds| if convex { yes } else { no };
    let same = face.same_sense;
    match &face.surface {
        Surface::Plane(_) => Kinds::PLANE,
        Surface::Cylinder(_) => pick(same, Kinds::CONVEX_CYLINDER, Kinds::CONCAVE_CYLINDER),
        Surface::Cone(_) => pick(same, Kinds::CONVEX_CONE, Kinds::CONCAVE_CONE),
        Surface::Sphere(_) => pick(same, Kinds::CONVEX_SPHERE, Kinds::CONCAVE_SPHERE),
        // The normal of a lemon points into its spindle, which is part of the tube.
        Surface::Torus(t) => pick(
            same != (t.shape == TorusShape::Lemon),
            Kinds::CONVEX_TORUS,
            Kinds::CONCAVE_TORUS,
        ),
        Surface::Nurbs(_) => Kinds::SPLINE_SURFACE,
    }
}
