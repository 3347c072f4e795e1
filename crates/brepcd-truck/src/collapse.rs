//! What a sweep about an axis leaves there: edges without length and faces without area.
//!
//! A point on the axis is swept to an edge whose two vertices are one point, an edge on the axis to a face whose two
//! long sides are one edge. Here such vertices and edges are told to be the same; the rest then closes by itself.

use crate::{point, surface};
use brepcd_brep::Tolerance;
use brepcd_geom::Point3;
use std::collections::{HashMap, HashSet};
use truck_modeling::{Curve, Edge, EdgeID, Face, FaceID, Shell, Vertex, VertexID};

/// The vertices and edges that stand for others, and what is to be left out.
#[derive(Default)]
pub(crate) struct Collapse {
    vertices: HashMap<VertexID, Vertex>,
    edges: HashMap<EdgeID, (Edge, bool)>,
    points: HashSet<EdgeID>,
    faces: HashSet<FaceID>,
}

impl Collapse {
    pub(crate) fn find<'a>(
        shells: impl Iterator<Item = &'a Shell> + Clone,
        tol: &Tolerance,
    ) -> Self {
        let mut out = Self::default();
        let mut seen = HashSet::new();
        for face in shells.clone().flat_map(|shell| shell.face_iter()) {
            for edge in face.edge_iter() {
                if seen.insert(edge.id()) && is_point(&edge.curve(), tol) {
                    out.points.insert(edge.id());
                    let (front, back) = (
                        out.vertex(edge.absolute_front()),
                        out.vertex(edge.absolute_back()),
                    );
                    if front.id() != back.id() {
                        out.vertices.insert(back.id(), front);
                    }
                }
            }
        }
        if out.points.is_empty() {
            return out;
        }
        for face in shells.flat_map(|shell| shell.face_iter()) {
            if !surface::is_axis(&face.surface(), tol) {
                continue;
            }
            let sides: Vec<_> = face
                .edge_iter()
                .filter_map(|edge| out.edge(&edge))
                .collect();
            if let [(a, a_forward), (b, b_forward)] = &sides[..] {
                if a.id() != b.id() {
                    out.edges
                        .insert(b.id(), (a.clone(), a_forward != b_forward));
                }
                out.faces.insert(face.id());
            }
        }
        out
    }

    /// The vertex that stands for this one.
    pub(crate) fn vertex(&self, vertex: &Vertex) -> Vertex {
        let mut vertex = vertex;
        while let Some(other) = self.vertices.get(&vertex.id()) {
            vertex = other;
        }
        vertex.clone()
    }

    /// The edge that stands for this one and whether it runs forward along it; none if it has no length.
    pub(crate) fn edge(&self, edge: &Edge) -> Option<(Edge, bool)> {
        if self.points.contains(&edge.id()) {
            return None;
        }
        let (mut found, mut forward) = (edge, edge.orientation());
        while let Some((other, same)) = self.edges.get(&found.id()) {
            found = other;
            forward = forward == *same;
        }
        Some((found.clone(), forward))
    }

    /// True if the face has no area.
    pub(crate) fn drops(&self, face: &Face) -> bool {
        self.faces.contains(&face.id())
    }

    /// Numbers of edges and faces left out.
    pub(crate) fn counts(&self) -> (usize, usize) {
        (self.points.len(), self.faces.len())
    }
}

fn is_point(curve: &Curve, tol: &Tolerance) -> bool {
    let points: Vec<Point3> = match curve {
        Curve::Line(line) => vec![point(line.0), point(line.1)],
        Curve::BSplineCurve(c) => c.control_points().iter().map(|p| point(*p)).collect(),
        Curve::NurbsCurve(c) => c
            .control_points()
            .iter()
            .map(|q| Point3::new(q.x / q.w, q.y / q.w, q.z / q.w))
            .collect(),
        Curve::IntersectionCurve(_) => return false,
    };
    !points.is_empty() && points.iter().all(|p| (p - points[0]).norm() <= tol.length)
}
