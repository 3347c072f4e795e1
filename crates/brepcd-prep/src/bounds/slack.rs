//! By how much cones are dilated.
//!
//! A query takes points a little beyond the border of a face for points of it. Normals there leave the cone of the patch
//! by as much as the surface bends. The cone must hold them, so that pruning never decides over a result.

use brepcd_geom::{Curve, Interval, Point2, Surface};
use brepcd_tree::domain::curvature_radius;

use super::places;

/// Dilation that every cone gets, radians: enough to give it an inside, and above the angle by which a query lets
/// directions leave a polar.
pub(super) const LEAST_DILATION: f64 = 2e-6;
/// Rows and columns of points of a face piece, and places on an edge piece, where curvature is measured.
const CURVATURE_PLACES: usize = 3;
/// How many times the curvature at these places is allowed for.
const CURVATURE_MARGIN: f64 = 2.0;
/// The most that cones are dilated for what lies beyond a border, radians: reached only around an apex, where curvature
/// has no bound, and where the vertex counts.
const MOST_BEYOND: f64 = 1e-3;

/// By how much cones are dilated.
#[derive(Clone, Copy, Debug)]
pub struct Slack {
    /// Angle, radians.
    pub angle: f64,
    /// How far beyond the ranges of a patch points count as on it, mm: the cone holds the normals there, too.
    pub beyond: f64,
}

impl Slack {
    /// The dilation of a piece with the given largest curvature.
    pub(super) fn dilation(&self, curvature: f64) -> f64 {
        let beyond = CURVATURE_MARGIN * curvature * self.beyond;
        self.angle.max(LEAST_DILATION) + beyond.min(MOST_BEYOND)
    }
}

/// The largest curvature of a piece of face at some places, 1/mm.
pub(super) fn face_curvature(surface: &Surface, u: Interval, v: Interval) -> f64 {
    if let Surface::Plane(_) = surface {
        return 0.0;
    }
    let share = |i: usize| i as f64 / (CURVATURE_PLACES - 1) as f64;
    let places = (0..CURVATURE_PLACES * CURVATURE_PLACES).map(|i| {
        let (i, j) = (i % CURVATURE_PLACES, i / CURVATURE_PLACES);
        Point2::new(u.at(share(i)), v.at(share(j)))
    });
    places.map(|q| curvature(surface, q)).fold(0.0, f64::max)
}

/// The largest curvature of a piece of curve and of a surface along it at some places, 1/mm.
pub(super) fn edge_curvature(curve: &Curve, t: Interval, surface: &Surface) -> f64 {
    let bend = (0..CURVATURE_PLACES).map(|i| {
        let jet = curve.jet(t.at(i as f64 / (CURVATURE_PLACES - 1) as f64));
        let speed = jet.d1.norm();
        jet.d1.cross(&jet.d2).norm() / (speed * speed * speed).max(f64::MIN_POSITIVE)
    });
    let of_curve = bend.fold(0.0, f64::max);
    if let Surface::Plane(_) = surface {
        return of_curve;
    }
    let places = places(curve, t, surface, CURVATURE_PLACES);
    let each = places.iter().map(|q| curvature(surface, *q));
    each.fold(of_curve, f64::max)
}

/// The largest curvature of a surface at a point, 1/mm.
fn curvature(surface: &Surface, q: Point2) -> f64 {
    1.0 / curvature_radius(surface, &surface.jet(q.x, q.y), q)
}

#[cfg(test)]
mod tests {
    use super::super::Bounds;
    use super::*;
    use brepcd_geom::Frame;
    use brepcd_geom::surface::{Cone, Cylinder, Sphere, Torus, TorusShape};
    use brepcd_tree::Kinds;

    #[test]
    fn cones_hold_the_normals_a_little_beyond_the_patch() {
        let frame = Frame::world();
        let torus = Torus {
            frame,
            major: 20.0,
            minor: 0.5,
            shape: TorusShape::Ring,
        };
        let surfaces = [
            Surface::Torus(torus),
            Surface::Cylinder(Cylinder { frame, radius: 0.3 }),
            Surface::Sphere(Sphere { frame, radius: 0.4 }),
            Surface::Cone(Cone {
                frame,
                radius: 0.5,
                half_angle: 0.4,
            }),
        ];
        let slack = Slack {
            angle: 0.0,
            beyond: 1e-4,
        };
        let (u, v) = (Interval::new(0.2, 0.5), Interval::new(0.1, 0.4));
        for surface in &surfaces {
            let bounds = Bounds::face(surface, true, u, v, Kinds::PLANE, slack);
            for i in 0..=8 {
                let share = f64::from(i) / 8.0;
                for [x, y] in [[share, 0.0], [share, 1.0], [0.0, share], [1.0, share]] {
                    let jet = surface.jet(u.at(x), v.at(y));
                    for (a, b) in [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)] {
                        let du = a * slack.beyond / jet.du.norm();
                        let dv = b * slack.beyond / jet.dv.norm();
                        let n = surface.normal(u.at(x) + du, v.at(y) + dv).expect("regular");
                        assert!(bounds.cone.contains(&n, 0.0), "{surface:?} {x} {y}");
                        assert!(bounds.circle.contains(&n, 0.0), "{surface:?} {x} {y}");
                    }
                }
            }
        }
    }
}
