//! On which side of a part's boundary a point lies.
//!
//! The nearest point of the boundary tells: inside a face by the sign against its normal; on an edge or a vertex by
//! the adjacent face whose tangent plane is farthest from the point.

use crate::{Brep, Face, FaceId};
use brepcd_geom::{Point3, Vec3};

/// Where a point lies relative to a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// In the material.
    Inside,
    /// Off the material.
    Outside,
    /// On the boundary, within the part's length tolerance.
    On,
}

/// The nearest boundary point found so far.
struct Nearest {
    distance: f64,
    point: Point3,
    /// Positive outside, relative to the distance.
    height: f64,
}

impl Nearest {
    /// Takes a candidate on a face with outward normal `n`.
    fn offer(&mut self, p: &Point3, foot: Point3, n: Option<Vec3>, tol: f64) {
        let offset = p - foot;
        let distance = offset.norm();
        let height = n.map_or(0.0, |n| offset.dot(&n)) / distance.max(f64::MIN_POSITIVE);
        let same = (foot - self.point).norm() <= tol && (distance - self.distance).abs() <= tol;
        if same {
            if height.abs() > self.height.abs() {
                self.height = height;
            }
            if distance < self.distance {
                (self.distance, self.point) = (distance, foot);
            }
        } else if distance < self.distance {
            *self = Self {
                distance,
                point: foot,
                height,
            };
        }
    }
}

impl Brep {
    /// Tells whether a point lies in the material, outside or on the boundary; the solids' shells must be closed.
    pub fn side_of(&self, p: &Point3) -> Side {
        let tol = self.tolerance.length;
        let mut nearest = Nearest {
            distance: f64::INFINITY,
            point: Point3::new(f64::MAX, f64::MAX, f64::MAX),
            height: 0.0,
        };
        let mut feet = Vec::new();
        for face in &self.faces {
            feet.clear();
            face.surface.feet(p, &mut feet);
            for foot in &feet {
                if foot.distance <= nearest.distance + tol
                    && self.face_contains(face, foot.u, foot.v)
                {
                    nearest.offer(p, foot.point, face.outward_normal(foot.u, foot.v), tol);
                }
            }
        }
        for edge in &self.edges {
            let foot = edge.curve.nearest(p, edge.range());
            if foot.distance <= nearest.distance + tol {
                for side in &edge.uses {
                    nearest.offer(p, foot.point, self.normal_at(side.face, &foot.point), tol);
                }
            }
        }
        for face in self
            .faces
            .iter()
            .filter(|f| f.loops.iter().any(|l| l.vertex.is_some()))
        {
            self.offer_apexes(face, p, &mut nearest);
        }
        if nearest.distance <= tol {
            Side::On
        } else if nearest.height < 0.0 {
            Side::Inside
        } else {
            Side::Outside
        }
    }

    fn normal_at(&self, face: FaceId, q: &Point3) -> Option<Vec3> {
        let face = &self.faces[face.index()];
        let (u, v) = face.surface.invert(q, None);
        face.outward_normal(u, v)
    }

    /// Vertex loops: the normals around the apex, of which the one towards the point counts.
    fn offer_apexes(&self, face: &Face, p: &Point3, nearest: &mut Nearest) {
        for vertex in face.loops.iter().filter_map(|l| l.vertex) {
            let apex = self.vertices[vertex.index()].point;
            let (_, v) = face.surface.invert(&apex, None);
            let (u, _) = face.surface.invert(p, None);
            nearest.offer(p, apex, face.outward_normal(u, v), self.tolerance.length);
        }
    }
}
