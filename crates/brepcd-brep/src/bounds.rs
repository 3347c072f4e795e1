//! Exact boxes: of the edges, and of the places inside faces where a coordinate is extremal.
//!
//! A coordinate that is extremal along a whole line of a face (a generator of a cylinder) is so at the line's ends,
//! too, which lie on edges; only closed lines (the top circle of a torus) need a point of their own.

use crate::{Brep, Face};
use brepcd_geom::{Aabb, Interval, Point2, Surface, Vec3};
use std::f64::consts::FRAC_PI_2;

impl Brep {
    /// The smallest box of all faces, edges and vertices, up to rounding.
    pub fn bounding_box(&self) -> Aabb {
        let mut bounds = Aabb::of(self.vertices.iter().map(|v| v.point));
        for edge in &self.edges {
            bounds = bounds.union(&edge.curve.bounding_box(edge.range()));
        }
        // Spline surfaces last: most of them are already inside.
        let (splines, others): (Vec<&Face>, Vec<&Face>) = self
            .faces
            .iter()
            .partition(|f| matches!(f.surface, Surface::Nurbs(_)));
        for face in others.into_iter().chain(splines) {
            self.include_inside(face, &mut bounds);
        }
        bounds
    }

    /// The smallest box of one face.
    pub fn face_box(&self, face: &Face) -> Aabb {
        let mut bounds = Aabb::EMPTY;
        for coedge in face.loops.iter().flat_map(|l| &l.coedges) {
            let edge = &self.edges[coedge.edge.index()];
            bounds = bounds.union(&edge.curve.bounding_box(edge.range()));
        }
        for vertex in face.loops.iter().filter_map(|l| l.vertex) {
            bounds.include(&self.vertices[vertex.index()].point);
        }
        self.include_inside(face, &mut bounds);
        bounds
    }

    fn include_inside(&self, face: &Face, bounds: &mut Aabb) {
        let surface = &face.surface;
        let hull = match surface {
            Surface::Plane(_) | Surface::Cylinder(_) => return,
            Surface::Cone(_) => None,
            Surface::Sphere(_) | Surface::Torus(_) => {
                let (u, v) = surface.domain();
                Some(surface.bounding_box(u, v))
            }
            Surface::Nurbs(n) => Some(n.control_box()),
        };
        let mut found = Vec::new();
        for axis in 0..3 {
            let outside =
                |h: &Aabb| h.min[axis] < bounds.min[axis] || h.max[axis] > bounds.max[axis];
            if hull.as_ref().is_none_or(outside) {
                let mut direction = Vec3::zeros();
                direction[axis] = 1.0;
                match surface {
                    // Few patches of a large surface reach out of what is known, and each takes its time.
                    Surface::Nurbs(n) => {
                        let (lo, hi) = (bounds.min[axis], bounds.max[axis]);
                        n.extrema_beyond(&direction, Interval { lo, hi }, &mut found);
                    }
                    _ => surface.extrema(&direction, &mut found),
                }
            }
        }
        if let Surface::Torus(_) = surface {
            let (_, v) = surface.domain();
            found.extend(
                [FRAC_PI_2, -FRAC_PI_2, 3.0 * FRAC_PI_2]
                    .map(|v| (0.0, v))
                    .iter()
                    .filter(|p| v.contains(p.1)),
            );
        }
        for (u, v) in found {
            let p = surface.point(u, v);
            if !bounds.contains(&p) && self.face_contains(face, u, v) {
                bounds.include(&p);
            }
        }
        for apex in surface.poles().into_iter().flatten() {
            let u = start(surface.domain().0);
            let p = surface.point(u, apex);
            if !bounds.contains(&p) && self.face_contains(face, u, apex) {
                bounds.include(&p);
            }
        }
    }

    /// Border of a face's domain in the parameter plane, as a box.
    pub fn domain_box(&self, face: &Face) -> (Interval, Interval) {
        let (mut lo, mut hi) = (
            Point2::new(f64::MAX, f64::MAX),
            Point2::new(f64::MIN, f64::MIN),
        );
        for sample in face
            .domain
            .chains
            .iter()
            .flat_map(|c| &c.segments)
            .flat_map(|s| &s.samples)
        {
            lo = lo.inf(&sample.uv);
            hi = hi.sup(&sample.uv);
        }
        if face.domain.whole != 0 || lo.x > hi.x {
            return face.surface.domain();
        }
        (
            Interval { lo: lo.x, hi: hi.x },
            Interval { lo: lo.y, hi: hi.y },
        )
    }
}

fn start(interval: Interval) -> f64 {
    if interval.lo.is_finite() {
        interval.lo
    } else {
        0.0
    }
}
