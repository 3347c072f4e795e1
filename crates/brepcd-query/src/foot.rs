//! A canonical feature against a ball around the other node: how far from it, and in which direction.
//!
//! All points of a ball have nearly the same foot on a carrier, so the carrier's normal there is known up to an angle,
//! and its distance up to the radius. A minimum needs a distance within reach, and a normal that is opposite to one of
//! the node in the ball. Boxes and cones of a cluster tell little of this: a whole bore has all normals around, and its
//! box holds the pin.
//!
//! Minima on the far side of a core, where the carrier's normal points through the axis or centre, are not told of: the
//! answer is then that nothing is known.

use brepcd_geom::surface::TorusShape;
use brepcd_geom::{Curve, Frame, Point3, Surface, Vec3};
use brepcd_tree::{CircularCone, NormalCone, Shape};

/// How a ball lies to the carrier of a feature.
#[derive(Clone, Copy, Debug)]
pub struct Foot {
    /// Distances of its points from the carrier, at least and at most: of a face out of the material, of an edge any.
    pub distance: [f64; 2],
    /// The unit normal of the carrier at the foot of the centre, out of it towards the ball if it is an edge.
    pub out: Vec3,
    /// How far the normals at the feet of other points may be from it, radians.
    pub spread: f64,
}

/// Which pairs of points are looked for.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// Distance at most, mm.
    pub reach: f64,
    /// How deep one may be in the other, mm.
    pub shallow: f64,
}

/// Angle up to which a spread tells anything, radians.
const WIDE: f64 = 1.0;
/// Rounding of angles.
pub const ROUNDING: f64 = 1e-9;

impl Foot {
    /// The foot of a ball on the carrier of a feature, all in one frame; `None` if that is not known.
    ///
    /// It holds for pairs of points within `span` whose line is a normal of the carrier.
    pub fn of_ball(shape: &Shape, centre: &Point3, radius: f64, span: &Span) -> Option<Self> {
        match shape {
            Shape::Vertex { .. } => None,
            Shape::Edge { curve, .. } => of_edge(curve, centre, radius, span),
            Shape::Face {
                surface,
                same_sense,
                ..
            } => {
                let sign = if *same_sense { 1.0 } else { -1.0 };
                of_face(surface, sign, centre, radius, span)
            }
        }
    }

    /// True only if the cones of a node hold no direction near `out`, which is that of the foot or its opposite in the
    /// node's frame; `slack` is an angle.
    pub fn misses(&self, circle: &CircularCone, cone: &NormalCone, out: &Vec3, slack: f64) -> bool {
        let angle = self.spread + slack + ROUNDING;
        if angle.is_nan() || angle > WIDE {
            return false;
        }
        // Not above the cosine of the sum of both angles.
        let (cos, sin) = (circle.cos, circle.sin);
        let limit = cos - 0.5 * cos.max(0.0) * angle * angle - sin * angle - ROUNDING;
        circle.axis.dot(out) < limit || cone.excludes(out, angle)
    }
}

/// The angle under which a ball is seen from a point, at least; more than [`WIDE`] if the point may be in it.
fn seen(radius: f64, distance: f64) -> f64 {
    if distance <= radius {
        return f64::INFINITY;
    }
    // Not below the arc sine: they are equal at 0, and nearly so at 1.
    let sine = radius / distance;
    sine + 0.5708 * sine * sine * sine
}

/// A point in a half-plane through an axis: away from it, the unit direction there, and along it.
fn beside(frame: &Frame, p: &Point3) -> Option<(f64, Vec3, f64)> {
    let to = p - frame.origin;
    let height = frame.z.dot(&to);
    let away = to - frame.z * height;
    let rho = away.norm();
    (rho > 0.0).then(|| (rho, away / rho, height))
}

fn of_edge(curve: &Curve, p: &Point3, radius: f64, span: &Span) -> Option<Foot> {
    let (to, spread) = match curve {
        Curve::Line(line) => {
            let to = p - line.origin;
            let to = to - line.dir * line.dir.dot(&to);
            (to, seen(radius, to.norm()))
        }
        Curve::Circle(circle) => {
            let (rho, radial, height) = beside(&circle.frame, p)?;
            // The farther foot, across the axis, is farther than this.
            if circle.radius <= span.reach {
                return None;
            }
            let to = radial * (rho - circle.radius) + circle.frame.z * height;
            (to, seen(radius, to.norm()) + seen(radius, rho))
        }
        Curve::Ellipse(_) | Curve::Parabola(_) | Curve::Hyperbola(_) | Curve::Nurbs(_) => {
            return None;
        }
    };
    let length = to.norm();
    let least = (length - radius).max(0.0);
    // Nearer by, the edge may be in the other part, and the direction reversed.
    let is_clear = least > span.shallow;
    Some(Foot {
        distance: [least, length + radius],
        out: if is_clear { to / length } else { Vec3::zeros() },
        spread: if is_clear { spread } else { f64::INFINITY },
    })
}

fn of_face(surface: &Surface, sign: f64, p: &Point3, radius: f64, span: &Span) -> Option<Foot> {
    let foot = |distance: f64, out: Vec3, spread: f64| Foot {
        distance: [distance - radius, distance + radius],
        out,
        spread,
    };
    // A line along the normal within the span does not run through a core so far below the surface.
    let is_deep = |offset: f64| offset > span.shallow && (sign > 0.0 || offset > span.reach);
    match surface {
        Surface::Plane(plane) => {
            let out = plane.frame.z * sign;
            Some(foot((p - plane.frame.origin).dot(&out), out, 0.0))
        }
        Surface::Cylinder(cylinder) => {
            let (rho, radial, _) = beside(&cylinder.frame, p)?;
            is_deep(cylinder.radius)
                .then(|| foot((rho - cylinder.radius) * sign, radial * sign, seen(radius, rho)))
        }
        Surface::Cone(cone) => {
            let (rho, radial, height) = beside(&cone.frame, p)?;
            let (sin, cos) = cone.half_angle.sin_cos();
            let distance = (rho - cone.radius) * cos - height * sin;
            let out = (radial * cos - cone.frame.z * sin) * sign;
            let is_deep = rho - radius > span.shallow.max(span.reach);
            is_deep.then(|| foot(distance * sign, out, seen(radius, rho)))
        }
        Surface::Sphere(sphere) => {
            let to = p - sphere.frame.origin;
            let rho = to.norm();
            (rho > 0.0 && is_deep(sphere.radius))
                .then(|| foot((rho - sphere.radius) * sign, to * (sign / rho), seen(radius, rho)))
        }
        Surface::Torus(torus) => {
            let (rho, radial, height) = beside(&torus.frame, p)?;
            let is_ring = torus.shape == TorusShape::Ring
                && torus.major > torus.minor + span.reach.max(span.shallow);
            let away = rho - torus.major;
            let across = away.hypot(height);
            if !is_ring || !is_deep(torus.minor) || across == 0.0 {
                return None;
            }
            let out = (radial * away + torus.frame.z * height) * (sign / across);
            let spread = seen(radius, across) + seen(radius, rho);
            Some(foot((across - torus.minor) * sign, out, spread))
        }
        Surface::Nurbs(_) => None,
    }
}
