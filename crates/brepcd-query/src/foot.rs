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
use brepcd_tree::{Node, Shape};

/// How a ball lies to the carrier of a feature.
#[derive(Clone, Copy, Debug)]
pub struct Foot {
    /// Distances of its points from the carrier, at least and at most: of a face out of the material, of an edge any.
    pub distance: [f64; 2],
    /// The unit normal of the carrier at the foot of the centre, out of it towards the ball if it is an edge.
    pub out: Vec3,
    /// The normals at the feet of other points: how far they may be from it, radians.
    spread: f64,
    /// And by which vectors they differ from it at most, each times a number from -1 to 1.
    strays: [Vec3; 4],
    /// Whether these tell, or only the spread does.
    has_strays: bool,
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

    /// True only if the cones of a node hold none of the normals, or none of their opposites for a `side` of -1; `turn`
    /// leads to the frame of the node, `slack` is an angle.
    pub fn misses(&self, node: &Node, turn: impl Fn(&Vec3) -> Vec3, side: f64, slack: f64) -> bool {
        if node.cone.is_whole() {
            return false;
        }
        let (spread, slack) = (self.spread, slack + ROUNDING);
        let angle = spread + slack;
        if angle.is_nan() || angle > WIDE {
            return false;
        }
        let out = turn(&self.out) * side;
        // Not above the cosine of the sum of both angles.
        let (cos, sin) = (node.circle.cos, node.circle.sin);
        let limit = cos - 0.5 * cos.max(0.0) * angle * angle - sin * angle - ROUNDING;
        if node.circle.axis.dot(&out) < limit {
            return true;
        }
        if !self.has_strays {
            return node.cone.excludes(&out, angle);
        }
        let strays = self.strays.map(|v| turn(&v));
        node.cone.excludes_near(&out, &strays, slack)
    }

    fn new(distance: f64, radius: f64, out: Vec3) -> Self {
        Self {
            distance: [distance - radius, distance + radius],
            out,
            spread: 0.0,
            strays: [Vec3::zeros(); 4],
            has_strays: true,
        }
    }

    /// With normals in all directions within an angle.
    fn spreading(self, angle: f64) -> Self {
        Self {
            spread: angle,
            has_strays: false,
            ..self
        }
    }

    /// With normals that turn about an axis: `radial` is away from it, `z` along it.
    fn turning(mut self, angle: f64, radial: &Vec3, z: &Vec3) -> Self {
        self.spread += angle;
        self.strays[0] = z.cross(radial) * angle;
        self.strays[1] = radial * (0.5 * angle * angle);
        self
    }

    /// With normals that turn in the half-plane through an axis that holds them.
    fn bending(mut self, angle: f64, across: Vec3) -> Self {
        self.spread += angle;
        self.strays[2] = across * angle;
        self.strays[3] = self.out * (0.5 * angle * angle);
        self
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
    let foot = |length: f64, to: &Vec3| {
        // Nearer by, the edge may be in the other part, and the direction reversed.
        let is_clear = length - radius > span.shallow;
        let unknown = Foot::new(length, radius, Vec3::zeros()).spreading(f64::INFINITY);
        let known = is_clear.then(|| Foot::new(length, radius, to / length));
        (known, unknown)
    };
    match curve {
        Curve::Line(line) => {
            let to = p - line.origin;
            let to = to - line.dir * line.dir.dot(&to);
            let length = to.norm();
            let (known, unknown) = foot(length, &to);
            let turned = known.map(|k| k.turning(seen(radius, length), &k.out, &line.dir));
            Some(turned.unwrap_or(unknown))
        }
        Curve::Circle(circle) => {
            let z = &circle.frame.z;
            let (rho, radial, height) = beside(&circle.frame, p)?;
            // The farther foot, across the axis, is farther than this.
            if circle.radius <= span.reach {
                return None;
            }
            let to = radial * (rho - circle.radius) + z * height;
            let length = to.norm();
            let (known, unknown) = foot(length, &to);
            let turned = known.map(|k| {
                k.turning(seen(radius, rho), &radial, z)
                    .bending(seen(radius, length), z.cross(&radial).cross(&k.out))
            });
            Some(turned.unwrap_or(unknown))
        }
        Curve::Ellipse(_) | Curve::Parabola(_) | Curve::Hyperbola(_) | Curve::Nurbs(_) => None,
    }
}

fn of_face(surface: &Surface, sign: f64, p: &Point3, radius: f64, span: &Span) -> Option<Foot> {
    // A line along the normal within the span does not run through a core so far below the surface.
    let is_deep = |offset: f64| offset > span.shallow && (sign > 0.0 || offset > span.reach);
    match surface {
        Surface::Plane(plane) => {
            let out = plane.frame.z * sign;
            let distance = (p - plane.frame.origin).dot(&out);
            Some(Foot::new(distance, radius, out))
        }
        Surface::Cylinder(cylinder) => {
            let (rho, radial, _) = beside(&cylinder.frame, p)?;
            let foot = Foot::new((rho - cylinder.radius) * sign, radius, radial * sign);
            is_deep(cylinder.radius)
                .then(|| foot.turning(seen(radius, rho), &radial, &cylinder.frame.z))
        }
        Surface::Cone(cone) => {
            let (rho, radial, height) = beside(&cone.frame, p)?;
            let (sin, cos) = cone.half_angle.sin_cos();
            let distance = (rho - cone.radius) * cos - height * sin;
            let out = (radial * cos - cone.frame.z * sin) * sign;
            let foot = Foot::new(distance * sign, radius, out);
            let is_deep = rho - radius > span.shallow.max(span.reach);
            is_deep.then(|| foot.turning(seen(radius, rho), &radial, &cone.frame.z))
        }
        Surface::Sphere(sphere) => {
            let to = p - sphere.frame.origin;
            let rho = to.norm();
            let foot = Foot::new((rho - sphere.radius) * sign, radius, to * (sign / rho));
            (rho > 0.0 && is_deep(sphere.radius)).then(|| foot.spreading(seen(radius, rho)))
        }
        Surface::Torus(torus) => {
            let z = &torus.frame.z;
            let (rho, radial, height) = beside(&torus.frame, p)?;
            let is_ring = torus.shape == TorusShape::Ring
                && torus.major > torus.minor + span.reach.max(span.shallow);
            let away = rho - torus.major;
            let across = away.hypot(height);
            if !is_ring || !is_deep(torus.minor) || across == 0.0 {
                return None;
            }
            let out = (radial * away + z * height) * (sign / across);
            let foot = Foot::new((across - torus.minor) * sign, radius, out)
                .turning(seen(radius, rho), &radial, z)
                .bending(seen(radius, across), z.cross(&radial).cross(&out));
            Some(foot)
        }
        Surface::Nurbs(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numeric::tests::build::Random;
    use brepcd_geom::curve::{Circle, Line};
    use brepcd_geom::surface::{Cone, Cylinder, Plane, Sphere, Torus};
    use brepcd_tree::{CircularCone, Content, Kinds, NormalCone, Obb, PatchId, Run, ShortCone};
    use std::f64::consts::{PI, TAU};

    const SPAN: Span = Span {
        reach: 0.4,
        shallow: 0.02,
    };

    /// A node with normals in a narrow cone.
    fn node(axis: Vec3) -> Node {
        let frame = Frame::from_z(Point3::origin(), axis).expect("a frame");
        Node {
            obb: Obb {
                centre: Point3::origin(),
                axes: [frame.x, frame.y, frame.z],
                half: Vec3::zeros(),
            },
            circle: CircularCone::new(axis, 1e-9),
            cone: ShortCone::around(&NormalCone::from_generators(&[axis])),
            kinds: Kinds::VERTEX,
            compatible: Kinds::all(),
            content: Content::Leaf(PatchId(0)),
        }
    }

    fn face(surface: Surface, same_sense: bool) -> Shape {
        Shape::Face {
            surface,
            same_sense,
            sheet: false,
            borders: Run { start: 0, end: 0 },
        }
    }

    fn edge(curve: Curve) -> Shape {
        Shape::Edge {
            curve,
            sides: [brepcd_tree::FeatureId(0); 2],
            dihedral: 1.0,
            spans: Run { start: 0, end: 0 },
        }
    }

    /// Shapes of all kinds, each with a point of it and a direction out of it there.
    fn shapes(random: &mut Random) -> Vec<(Shape, Point3, Vec3)> {
        let origin = Point3::origin() + random.vector(4.0);
        let frame = Frame::from_z(origin, random.unit()).expect("a frame");
        let radius = random.range(0.05, 3.0);
        let major = radius + random.range(0.05, 3.0);
        let half_angle = random.range(-1.2, 1.2);
        let torus = Torus {
            frame,
            major,
            minor: radius,
            shape: TorusShape::Ring,
        };
        let surfaces = [
            Surface::Plane(Plane { frame }),
            Surface::Cylinder(Cylinder { frame, radius }),
            Surface::Cone(Cone {
                frame,
                radius,
                half_angle,
            }),
            Surface::Sphere(Sphere { frame, radius }),
            Surface::Torus(torus),
        ];
        let mut out = Vec::new();
        for surface in surfaces {
            let (u, mut v) = (random.range(-PI, PI), random.range(-1.5, 1.5));
            if let Surface::Cone(cone) = &surface {
                // On the nappe that has a positive radius.
                v = random.range(0.01, 2.0) - cone.radius / half_angle.sin();
                v *= half_angle.sin().signum();
            }
            if matches!(surface, Surface::Torus(_)) {
                v = random.range(-PI, PI);
            }
            let same_sense = random.range(0.0, 1.0) < 0.5;
            let sign = if same_sense { 1.0 } else { -1.0 };
            let Some(normal) = surface.normal(u, v) else {
                continue;
            };
            let p = surface.point(u, v);
            out.push((face(surface, same_sense), p, normal * sign));
        }
        let (t, angle) = (random.range(-3.0, 3.0), random.range(0.0, TAU));
        let line = Line {
            origin,
            dir: frame.z,
        };
        out.push((edge(Curve::Line(line)), line.point(t), frame.radial(angle)));
        let circle = Circle { frame, radius };
        let direction = frame.radial(t) * angle.cos() + frame.z * angle.sin();
        out.push((edge(Curve::Circle(circle)), circle.point(t), direction));
        out
    }

    #[test]
    fn what_meets_a_carrier_is_not_missed() {
        let mut random = Random(91);
        let (mut known, mut rejected) = (0, 0);
        for _ in 0..20_000 {
            for (shape, foot, out) in shapes(&mut random) {
                let is_edge = matches!(shape, Shape::Edge { .. });
                let distance = random.range(if is_edge { 0.0 } else { -SPAN.shallow }, SPAN.reach);
                let point = foot + out * distance;
                let radius =
                    random.range(0.0, 1.0) * [1.0, 0.1, 1e-3][random.range(0.0, 3.0) as usize];
                let centre = point + random.unit() * (random.range(0.0, 1.0) * radius);
                let Some(found) = Foot::of_ball(&shape, &centre, radius, &SPAN) else {
                    continue;
                };
                known += 1;
                let [lo, hi] = found.distance;
                assert!(
                    lo <= distance + 1e-9 && hi >= distance - 1e-9,
                    "{shape:?} {found:?}"
                );
                let turn = |v: &Vec3| *v;
                let (there, back) = (node(out), node(-out));
                assert!(
                    !found.misses(&there, turn, 1.0, 0.0),
                    "{shape:?} {found:?} {out:?}"
                );
                assert!(
                    !found.misses(&back, turn, -1.0, 0.0),
                    "{shape:?} {found:?} {out:?}"
                );
                rejected += usize::from(found.misses(&node(random.unit()), turn, 1.0, 0.0));
            }
        }
        assert!(known > 90_000 && rejected > 40_000, "{known} {rejected}");
    }
}
