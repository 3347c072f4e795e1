//! Boxes and normal cones of patches.
//!
//! Cones of canonical pieces are exact arcs and boxes on the sphere of directions; those of free-form pieces come from
//! the control points of the scaled normal surface; those of edges from the normals of both sides along the piece;
//! those of vertices are the polar of the tangent cone.

mod slack;

pub use slack::Slack;

use brepcd_geom::nurbs::BezierSurface;
use brepcd_geom::surface::Sphere;
use brepcd_geom::{Curve, Frame, Interval, Point2, Point3, Surface, Vec3};
use brepcd_tree::{CircularCone, Kinds, NormalCone, Obb};
use slack::{LEAST_DILATION, edge_curvature, face_curvature};

/// Places on an edge piece where the parameters on both sides are computed.
const PLACES: usize = 9;
/// The same on free-form sides.
const FREE_FORM_PLACES: usize = 17;
/// Cosine up to which a tangent counts as at right angles to a direction of the polar: above the rounding of tangents,
/// which at smooth edges come in opposite pairs, and below the dilation.
const POLAR_SLACK: f64 = 1e-7;

/// Sine of the angle, seen from the centre of a sphere, between the ends of a curve that coincide.
const SAME_END: f64 = 1e-6;

/// The bounds of a patch.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Box.
    pub obb: Obb,
    /// Polyhedral cone of outward normals.
    pub cone: NormalCone,
    /// Circular cone of outward normals.
    pub circle: CircularCone,
    /// Kind of the feature, or kinds of several.
    pub kind: Kinds,
}

impl Bounds {
    /// Bounds from a box and the directions that span the normals, dilated by an angle.
    fn new(obb: Obb, cone: NormalCone, kind: Kinds, dilation: f64) -> Self {
        let cone = cone.dilated(dilation);
        let circle = if cone.is_whole() {
            CircularCone::WHOLE
        } else {
            CircularCone::from_generators(cone.generators())
        };
        Self {
            obb,
            cone,
            circle,
            kind,
        }
    }

    /// Bounds of a piece of canonical face.
    pub fn face(
        surface: &Surface,
        same_sense: bool,
        u: Interval,
        v: Interval,
        kind: Kinds,
        slack: Slack,
    ) -> Self {
        let cone = NormalCone::of_surface(surface, u, v).unwrap_or(NormalCone::WHOLE);
        let cone = if same_sense { cone } else { cone.negated() };
        let dilation = slack.dilation(face_curvature(surface, u, v));
        Self::new(Obb::fit_surface(surface, u, v), cone, kind, dilation)
    }

    /// Bounds of a piece of plane that is less than its rectangle: of the corners of what is left.
    pub fn flat(
        surface: &Surface,
        same_sense: bool,
        corners: &[Point2],
        kind: Kinds,
        slack: Slack,
    ) -> Self {
        let points: Vec<Point3> = corners.iter().map(|c| surface.point(c.x, c.y)).collect();
        let normal = surface.normal(0.0, 0.0).unwrap_or_else(Vec3::z);
        let cone = NormalCone::from_generators(&[if same_sense { normal } else { -normal }]);
        Self::new(Obb::fit_points(&points), cone, kind, slack.dilation(0.0))
    }

    /// Bounds of a free-form piece of a surface.
    pub fn spline(
        surface: &Surface,
        piece: &BezierSurface,
        same_sense: bool,
        kind: Kinds,
        slack: Slack,
    ) -> Self {
        let curvature = face_curvature(surface, piece.domain_u, piece.domain_v);
        Self::new(
            Obb::fit_bezier(&piece.control),
            spline_cone(piece, same_sense),
            kind,
            slack.dilation(curvature),
        )
    }

    /// Bounds of a piece of edge between two faces, each a surface with its sense.
    pub fn edge(
        curve: &Curve,
        t: Interval,
        sides: [(&Surface, bool); 2],
        kind: Kinds,
        slack: Slack,
    ) -> Self {
        let mut directions = Vec::new();
        let mut whole = false;
        for (surface, same_sense) in sides {
            match side_cone(curve, t, surface) {
                Some(cone) if !cone.is_whole() => {
                    let sign = if same_sense { 1.0 } else { -1.0 };
                    directions.extend(cone.generators().iter().map(|g| g * sign));
                }
                _ => whole = true,
            }
        }
        let cone = if whole {
            NormalCone::WHOLE
        } else {
            NormalCone::from_generators(&directions)
        };
        let curvatures = sides.map(|(surface, _)| edge_curvature(curve, t, surface));
        let dilation = slack.dilation(curvatures[0].max(curvatures[1]));
        Self::new(Obb::fit_curve(curve, t), cone, kind, dilation)
    }

    /// Bounds of an edge piece whose polar is not known: all directions.
    pub fn open_edge(curve: &Curve, t: Interval, kind: Kinds) -> Self {
        Self::new(Obb::fit_curve(curve, t), NormalCone::WHOLE, kind, 0.0)
    }

    /// Bounds of a vertex with the given tangent directions.
    pub fn vertex(point: Point3, tangents: &[Vec3], slack: Slack) -> Self {
        Self::new(
            Obb::fit_points(&[point]),
            polar(tangents),
            Kinds::VERTEX,
            slack.dilation(0.0),
        )
    }
}

/// The cone of the outward normals of a free-form piece.
pub fn spline_cone(piece: &BezierSurface, same_sense: bool) -> NormalCone {
    let sign = if same_sense { 1.0 } else { -1.0 };
    let net = piece.normal_net();
    let size = net.iter().map(Vec3::norm).fold(0.0, f64::max);
    let directions: Vec<Vec3> = net
        .iter()
        .filter(|n| n.norm() > f64::EPSILON * size)
        .map(|n| n.normalize() * sign)
        .collect();
    if directions.is_empty() {
        NormalCone::WHOLE
    } else {
        NormalCone::from_generators(&directions)
    }
}

/// The cone of `du × dv` along a piece of curve on a surface.
fn side_cone(curve: &Curve, t: Interval, surface: &Surface) -> Option<NormalCone> {
    if let Surface::Nurbs(_) = surface {
        return free_form_side(surface, &places(curve, t, surface, FREE_FORM_PLACES));
    }
    // A sphere has its poles where one likes: off the curve.
    let turned = match surface {
        Surface::Sphere(sphere) => off_pole(curve, t, sphere).map(Surface::Sphere),
        _ => None,
    };
    let surface = turned.as_ref().unwrap_or(surface);
    let places = places(curve, t, surface, PLACES);
    let range = |axis: usize| {
        let values = places.iter().map(|p| p[axis]);
        let (lo, hi) = values.fold((f64::MAX, f64::MIN), |(lo, hi), x| (lo.min(x), hi.max(x)));
        // The second differences bound what the samples miss of a smooth function.
        let bend = places
            .windows(3)
            .map(|w| (w[0][axis] - 2.0 * w[1][axis] + w[2][axis]).abs())
            .fold(0.0, f64::max);
        Interval {
            lo: lo - bend,
            hi: hi + bend,
        }
    };
    let (u, mut v) = (range(0), range(1));
    let allowed = surface.domain().1;
    if surface.periods()[1].is_none() {
        v = Interval {
            lo: allowed.clamp(v.lo),
            hi: allowed.clamp(v.hi),
        };
    }
    NormalCone::of_surface(surface, u, v)
}

/// The sphere with its equator through both ends of a piece of curve; `None` if the ends coincide.
fn off_pole(curve: &Curve, t: Interval, sphere: &Sphere) -> Option<Sphere> {
    let centre = sphere.frame.origin;
    let [a, b] = [t.lo, t.hi].map(|t| (curve.point(t) - centre) / sphere.radius);
    let pole = a.cross(&b).try_normalize(SAME_END)?;
    let frame = Frame::from_z(centre, pole)?;
    Some(Sphere { frame, ..*sphere })
}

/// Surface parameters at an odd number of places, from end to end of a piece of curve.
///
/// Found from the middle outwards: at an end the piece may touch a pole, where one parameter is that of the guess.
fn places(curve: &Curve, t: Interval, surface: &Surface, count: usize) -> Vec<Point2> {
    let middle = count / 2;
    let at = |i: usize, guess: Option<Point2>| {
        let p = curve.point(t.at(i as f64 / (count - 1) as f64));
        let (u, v) = surface.invert(&p, guess.map(|g| (g.x, g.y)));
        Point2::new(u, v)
    };
    let mut out = vec![at(middle, None); count];
    for i in (0..middle).rev() {
        out[i] = at(i, Some(out[i + 1]));
    }
    for i in middle + 1..count {
        out[i] = at(i, Some(out[i - 1]));
    }
    out
}

/// The cone of sampled normals, dilated by their second differences, which bound what smooth normals do in between.
fn free_form_side(surface: &Surface, places: &[Point2]) -> Option<NormalCone> {
    let normals: Option<Vec<Vec3>> = places.iter().map(|p| surface.normal(p.x, p.y)).collect();
    let normals = normals?;
    let bend = normals
        .windows(3)
        .map(|w| (w[0] - w[1] * 2.0 + w[2]).norm())
        .fold(0.0, f64::max);
    Some(NormalCone::from_generators(&normals).dilated(bend.max(LEAST_DILATION)))
}

/// The directions at right angles or more to all tangents.
pub fn polar(tangents: &[Vec3]) -> NormalCone {
    let mut directions: Vec<Vec3> = Vec::new();
    let mut offer = |n: Vec3| {
        if let Some(n) = n.try_normalize(POLAR_SLACK)
            && tangents.iter().all(|t| t.dot(&n) <= POLAR_SLACK)
        {
            directions.push(n);
        }
    };
    for (i, a) in tangents.iter().enumerate() {
        for b in &tangents[i + 1..] {
            let n = a.cross(b);
            offer(n);
            offer(-n);
        }
        offer(-a);
    }
    if directions.is_empty() {
        NormalCone::WHOLE
    } else {
        NormalCone::from_generators(&directions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use brepcd_geom::curve::{Circle, Line};
    use brepcd_geom::surface::{Cylinder, Plane};
    use std::f64::consts::FRAC_PI_2;

    const EXACT: Slack = Slack {
        angle: 0.0,
        beyond: 0.0,
    };

    #[test]
    fn the_polar_of_a_box_corner_is_the_opposite_octant() {
        let cone = polar(&[-Vec3::x(), -Vec3::y(), -Vec3::z()]);
        assert!((cone.solid_angle() - FRAC_PI_2).abs() < 1e-9);
        assert!(cone.contains(&Vec3::new(1.0, 1.0, 1.0).normalize(), 0.0));
    }

    #[test]
    fn the_cone_of_a_pin_edge_holds_its_wedges() {
        let cylinder = Surface::Cylinder(Cylinder {
            frame: Frame::world(),
            radius: 2.0,
        });
        let top = Surface::Plane(Plane {
            frame: Frame::from_z(Point3::new(0.0, 0.0, 3.0), Vec3::z()).unwrap(),
        });
        let rim = Curve::Circle(Circle {
            frame: Frame {
                origin: Point3::new(0.0, 0.0, 3.0),
                ..Frame::world()
            },
            radius: 2.0,
        });
        let t = Interval::new(0.3, 0.9);
        let bounds = Bounds::edge(
            &rim,
            t,
            [(&cylinder, true), (&top, true)],
            Kinds::CIRCLE,
            EXACT,
        );
        for i in 0..=20 {
            for j in 0..=20 {
                let (share, lean) = (f64::from(i) / 20.0, f64::from(j) / 20.0);
                let radial = Frame::world().radial(t.at(share));
                let n = (radial * lean + Vec3::z() * (1.0 - lean)).normalize();
                assert!(bounds.cone.contains(&n, 1e-12));
                assert!(bounds.circle.contains(&n, 1e-12));
                assert!(bounds.obb.contains(&rim.point(t.at(share)), 1e-12));
            }
        }
        assert!(!bounds.cone.is_whole());
    }

    #[test]
    fn the_cone_of_an_edge_over_a_pole_is_an_arc() {
        let sphere = Surface::Sphere(Sphere {
            frame: Frame::world(),
            radius: 2.0,
        });
        let meridian = Curve::Circle(Circle {
            frame: Frame::from_z(Point3::origin(), Vec3::x()).unwrap(),
            radius: 2.0,
        });
        for start in 0..24 {
            let lo = f64::from(start) * 0.26;
            let t = Interval::new(lo, lo + 0.6);
            let cone = side_cone(&meridian, t, &sphere).unwrap();
            assert!(cone.solid_angle() < 1e-9, "{lo}");
            let normal = |k: i32| meridian.point(t.at(f64::from(k) / 9.0)).coords / 2.0;
            assert!((0..=9).all(|k| cone.contains(&normal(k), 1e-12)), "{lo}");
        }
    }

    #[test]
    fn the_cone_of_a_straight_edge_is_one_wedge() {
        let side = |n: Vec3| {
            Surface::Plane(Plane {
                frame: Frame::from_z(Point3::origin(), n).unwrap(),
            })
        };
        let edge = Curve::Line(Line {
            origin: Point3::origin(),
            dir: Vec3::z(),
        });
        let (a, b) = (side(Vec3::x()), side(Vec3::y()));
        let bounds = Bounds::edge(
            &edge,
            Interval::new(0.0, 5.0),
            [(&a, true), (&b, true)],
            Kinds::LINE,
            EXACT,
        );
        assert!(
            bounds
                .cone
                .contains(&Vec3::new(1.0, 1.0, 0.0).normalize(), 0.0)
        );
        assert!(bounds.cone.solid_angle() < 1e-5);
    }
}
