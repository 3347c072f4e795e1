//! Small solids with free dimensions, built in code: outlines of lines and arcs, extruded or turned.

use brepcd::brep::{
    Brep, Builder, EdgeId, EdgeKind, FaceInput, FaceKind, LoopInput, ShellId, Tolerance, VertexId,
};
use brepcd::geom::curve::{Circle, Line};
use brepcd::geom::surface::{Cone, Cylinder, Plane, Sphere, Torus, TorusShape};
use brepcd::geom::{Curve, Frame, Point2, Point3, Surface, Vec2, Vec3};
use std::f64::consts::SQRT_2;

/// Length tolerance of the solids, relative to their size.
const TOLERANCE: f64 = 1e-7;

/// How an outline goes on from a corner to the next one.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// Straight.
    Line,
    /// Around a centre, counter-clockwise or not; the whole circle if the outline has no other corner.
    Arc(Point2, bool),
}

/// A closed outline: corners, each with the way to the next one, the material on the left.
pub type Outline = Vec<(Point2, Step)>;

fn p2(x: f64, y: f64) -> Point2 {
    Point2::new(x, y)
}

/// An outline of straight lines.
pub fn polygon(corners: &[(f64, f64)]) -> Outline {
    corners
        .iter()
        .map(|&(x, y)| (p2(x, y), Step::Line))
        .collect()
}

/// A whole circle as an outline: a disc if counter-clockwise, a hole if not.
pub fn circle(x: f64, y: f64, r: f64, counter_clockwise: bool) -> Outline {
    vec![(p2(x + r, y), Step::Arc(p2(x, y), counter_clockwise))]
}

/// A box with a corner in the origin.
pub fn block(x: f64, y: f64, z: f64) -> Brep {
    prism(&[polygon(&[(0.0, 0.0), (x, 0.0), (x, y), (0.0, y)])], z)
}

/// An L-shaped bracket of thickness `t`, with a concave edge.
pub fn bracket(x: f64, y: f64, z: f64, t: f64) -> Brep {
    let corners = [(0.0, 0.0), (x, 0.0), (x, t), (t, t), (t, y), (0.0, y)];
    prism(&[polygon(&corners)], z)
}

/// A plate with a round hole in its middle.
pub fn drilled_plate(x: f64, y: f64, z: f64, r: f64) -> Brep {
    let border = polygon(&[(0.0, 0.0), (x, 0.0), (x, y), (0.0, y)]);
    prism(&[border, circle(0.5 * x, 0.5 * y, r, false)], z)
}

/// A box with one vertical edge rounded by `r`.
pub fn rounded_block(x: f64, y: f64, z: f64, r: f64) -> Brep {
    let mut outline = polygon(&[(0.0, 0.0), (x, 0.0), (x, y - r), (x - r, y), (0.0, y)]);
    outline[2].1 = Step::Arc(p2(x - r, y - r), true);
    prism(&[outline], z)
}

/// A box with a concave fillet of radius `r` along one vertical edge.
pub fn hollowed_block(x: f64, y: f64, z: f64, r: f64) -> Brep {
    let mut outline = polygon(&[(0.0, 0.0), (x, 0.0), (x, y - r), (x - r, y), (0.0, y)]);
    outline[2].1 = Step::Arc(p2(x, y), false);
    prism(&[outline], z)
}

/// A cylinder about z from 0 to `h`.
pub fn cylinder(r: f64, h: f64) -> Brep {
    turned(&polygon(&[(0.0, 0.0), (r, 0.0), (r, h), (0.0, h)]))
}

/// A frustum about z with radius `low` at 0 and `high` at `h`; one of them may be 0.
pub fn frustum(low: f64, high: f64, h: f64) -> Brep {
    let mut corners = vec![(0.0, 0.0), (low, 0.0), (high, h), (0.0, h)];
    corners.dedup();
    turned(&polygon(&corners))
}

/// A ball about the origin.
pub fn ball(r: f64) -> Brep {
    let arc = Step::Arc(p2(0.0, 0.0), true);
    turned(&vec![(p2(0.0, -r), arc), (p2(0.0, r), Step::Line)])
}

/// A ring about z.
pub fn torus(major: f64, minor: f64) -> Brep {
    turned(&circle(major, 0.0, minor, true))
}

/// A tube about z.
pub fn tube(outer: f64, inner: f64, h: f64) -> Brep {
    turned(&polygon(&[
        (inner, 0.0),
        (outer, 0.0),
        (outer, h),
        (inner, h),
    ]))
}

/// A pin about z with a half ball of its radius at the upper end: a smooth edge.
pub fn round_pin(r: f64, h: f64) -> Brep {
    let mut outline = polygon(&[(0.0, 0.0), (r, 0.0), (r, h), (0.0, h + r)]);
    outline[2].1 = Step::Arc(p2(0.0, h), true);
    turned(&outline)
}

/// A disc about z whose rim is half a torus.
pub fn round_disc(r: f64, h: f64) -> Brep {
    let mut outline = polygon(&[(0.0, 0.0), (r, 0.0), (r, h), (0.0, h)]);
    outline[1].1 = Step::Arc(p2(r, 0.5 * h), true);
    turned(&outline)
}

/// A cylinder about z with a ball-shaped dimple of radius `ball` in its top, and a conical sink below it.
pub fn dimple(r: f64, h: f64, ball: f64) -> Brep {
    let rim = ball / SQRT_2;
    let corners = [
        (0.0, 0.0),
        (r, 0.0),
        (r, h),
        (rim, h),
        (0.0, h - ball + rim),
    ];
    let mut outline = polygon(&corners);
    outline[3].1 = Step::Arc(p2(0.0, h + rim), false);
    turned(&outline)
}

/// A stepped shaft with a groove of round section, all about z.
pub fn grooved_shaft(r: f64, h: f64, groove: f64) -> Brep {
    let corners = [
        (0.0, 0.0),
        (r, 0.0),
        (r, 0.4 * h - groove),
        (r, 0.4 * h + groove),
        (r, 0.7 * h),
        (0.6 * r, 0.8 * h),
        (0.6 * r, h),
        (0.0, h),
    ];
    let mut outline = polygon(&corners);
    outline[2].1 = Step::Arc(p2(r, 0.4 * h), false);
    turned(&outline)
}

/// A shaft about z with a groove of round section in its middle that leaves a waist, `h` long.
pub fn waisted_shaft(r: f64, h: f64, groove: f64, waist: f64) -> Brep {
    let (middle, depth) = (0.5 * h, waist + groove - r);
    let half = (groove * groove - depth * depth).sqrt();
    let corners = [
        (0.0, 0.0),
        (r, 0.0),
        (r, middle - half),
        (r, middle + half),
        (r, h),
        (0.0, h),
    ];
    let mut outline = polygon(&corners);
    outline[2].1 = Step::Arc(p2(waist + groove, middle), false);
    turned(&outline)
}

/// What collects a solid of one shell.
struct Shape {
    builder: Builder,
    shell: ShellId,
}

/// A corner of a solid.
type Corner = (VertexId, Point3);

impl Shape {
    fn new(size: f64) -> Self {
        let tolerance = Tolerance {
            length: TOLERANCE * size,
            ..Tolerance::default()
        };
        let mut builder = Builder::new(tolerance);
        let shell = builder.shell(true, None);
        Self { builder, shell }
    }

    fn corner(&mut self, point: Point3) -> Corner {
        (self.builder.vertex(point, None), point)
    }

    fn line(&mut self, a: Corner, b: Corner) -> EdgeId {
        let dir = (b.1 - a.1).normalize();
        let curve = Curve::Line(Line { origin: a.1, dir });
        self.builder
            .edge(curve, a.0, b.0, true, EdgeKind::Line, None)
    }

    fn arc(&mut self, a: Corner, b: Corner, centre: Point3, along: bool) -> EdgeId {
        let frame = Frame {
            origin: centre,
            ..Frame::world()
        };
        let radius = (a.1 - centre).norm();
        let curve = Curve::Circle(Circle { frame, radius });
        self.builder
            .edge(curve, a.0, b.0, along, EdgeKind::Circle, None)
    }

    fn face(&mut self, surface: Surface, same_sense: bool, loops: Vec<LoopInput>) {
        let input = FaceInput {
            surface,
            same_sense,
            loops,
            file_kind: FaceKind::Plane,
            name: String::new(),
            label: None,
        };
        self.builder.face(self.shell, input);
    }

    /// The finished solid; a finding is a mistake in this file.
    fn finish(mut self) -> Brep {
        self.builder
            .solid(self.shell, Vec::new(), String::new(), None);
        let (brep, findings) = self.builder.finish();
        assert!(findings.is_empty(), "{findings:?}");
        brep
    }
}

fn edges(edges: Vec<(EdgeId, bool)>) -> LoopInput {
    LoopInput::Edges { edges, label: None }
}

fn plane(origin: Point3, normal: Vec3) -> Surface {
    let frame = Frame::from_z(origin, normal).unwrap_or_else(Frame::world);
    Surface::Plane(Plane { frame })
}

fn upright(origin: Point3) -> Frame {
    Frame {
        origin,
        ..Frame::world()
    }
}

/// The outlines, the outer one and holes, moved along z from 0 to `h`.
pub fn prism(outlines: &[Outline], h: f64) -> Brep {
    let extent = outlines.iter().flatten().map(|(p, _)| p.coords.amax());
    let mut shape = Shape::new(extent.fold(h, f64::max));
    let (mut floor, mut roof) = (Vec::new(), Vec::new());
    for outline in outlines {
        let n = outline.len();
        let lift = |p: &Point2, z: f64| Point3::new(p.x, p.y, z);
        let low: Vec<Corner> = outline
            .iter()
            .map(|(p, _)| shape.corner(lift(p, 0.0)))
            .collect();
        let high: Vec<Corner> = outline
            .iter()
            .map(|(p, _)| shape.corner(lift(p, h)))
            .collect();
        let mut along = |corners: &[Corner], z: f64| -> Vec<EdgeId> {
            let steps = outline.iter().enumerate();
            steps
                .map(|(i, (_, step))| {
                    let (a, b) = (corners[i], corners[(i + 1) % n]);
                    match step {
                        Step::Line => shape.line(a, b),
                        Step::Arc(centre, turn) => shape.arc(a, b, lift(centre, z), *turn),
                    }
                })
                .collect()
        };
        let (bottom, top) = (along(&low, 0.0), along(&high, h));
        let posts: Vec<EdgeId> = match n {
            1 => Vec::new(),
            _ => (0..n).map(|i| shape.line(low[i], high[i])).collect(),
        };
        for (i, (p, step)) in outline.iter().enumerate() {
            let next = (i + 1) % n;
            let loops = if n == 1 {
                vec![edges(vec![(bottom[0], true)]), edges(vec![(top[0], false)])]
            } else {
                let (up, down) = ((posts[next], true), (posts[i], false));
                vec![edges(vec![(bottom[i], true), up, (top[i], false), down])]
            };
            match step {
                Step::Line => {
                    let d = outline[next].0 - p;
                    let side = plane(lift(p, 0.0), Vec3::new(d.y, -d.x, 0.0));
                    shape.face(side, true, loops);
                }
                Step::Arc(centre, turn) => {
                    let frame = upright(lift(centre, 0.0));
                    let radius = (p - centre).norm();
                    shape.face(Surface::Cylinder(Cylinder { frame, radius }), *turn, loops);
                }
            }
        }
        floor.push(edges(bottom.iter().rev().map(|e| (*e, false)).collect()));
        roof.push(edges(top.iter().map(|e| (*e, true)).collect()));
    }
    shape.face(plane(Point3::origin(), -Vec3::z()), true, floor);
    shape.face(plane(Point3::new(0.0, 0.0, h), Vec3::z()), true, roof);
    shape.finish()
}

/// An outline in the half-plane of radius and height, turned about z.
pub fn turned(outline: &Outline) -> Brep {
    let extent = outline
        .iter()
        .map(|(p, _)| p.coords.amax())
        .fold(0.0, f64::max);
    let mut shape = Shape::new(extent);
    let n = outline.len();
    // A rim for every corner off the axis; a vertex for every corner on it.
    let rims: Vec<Result<EdgeId, VertexId>> = outline
        .iter()
        .map(|(p, _)| {
            let corner = shape.corner(Point3::new(p.x, 0.0, p.y));
            match p.x > 0.0 {
                true => Ok(shape.arc(corner, corner, Point3::new(0.0, 0.0, p.y), true)),
                false => Err(corner.0),
            }
        })
        .collect();
    for (i, (p, step)) in outline.iter().enumerate() {
        let next = (i + 1) % n;
        let q = outline[next].0;
        let step_by: Vec2 = q - p;
        if matches!(step, Step::Line) && p.x == 0.0 && q.x == 0.0 {
            continue;
        }
        let (surface, same_sense) = match step {
            Step::Line if step_by.x == 0.0 => {
                let frame = Frame::world();
                let radius = p.x;
                (
                    Surface::Cylinder(Cylinder { frame, radius }),
                    step_by.y > 0.0,
                )
            }
            Step::Line if step_by.y == 0.0 => {
                let normal = Vec3::z() * -step_by.x.signum();
                (plane(Point3::new(0.0, 0.0, p.y), normal), true)
            }
            Step::Line => {
                let wide = if p.x > q.x { *p } else { q };
                let cone = Cone {
                    frame: upright(Point3::new(0.0, 0.0, wide.y)),
                    radius: wide.x,
                    half_angle: (step_by.x / step_by.y).atan(),
                };
                (Surface::Cone(cone), step_by.y > 0.0)
            }
            Step::Arc(centre, turn) => {
                let frame = upright(Point3::new(0.0, 0.0, centre.y));
                let (radius, shape) = ((p - centre).norm(), TorusShape::Ring);
                let surface = if centre.x == 0.0 {
                    Surface::Sphere(Sphere { frame, radius })
                } else {
                    Surface::Torus(Torus {
                        frame,
                        major: centre.x,
                        minor: radius,
                        shape,
                    })
                };
                (surface, *turn)
            }
        };
        let is_cone = matches!(surface, Surface::Cone(_));
        let border = |rim: Result<EdgeId, VertexId>, forward: bool| match rim {
            Ok(edge) => Some(edges(vec![(edge, forward)])),
            Err(apex) => is_cone.then_some(LoopInput::Vertex(apex)),
        };
        // A lone corner is the seam of a whole torus, which needs no border.
        let loops = match n {
            1 => Vec::new(),
            _ => [border(rims[i], true), border(rims[next], false)]
                .into_iter()
                .flatten()
                .collect(),
        };
        shape.face(surface, same_sense, loops);
    }
    shape.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    fn volume(brep: &Brep) -> f64 {
        brep.mass_properties().volume
    }

    fn check(brep: &Brep, expected: f64) {
        let found = volume(brep);
        assert!(
            (found - expected).abs() < 1e-9 * expected,
            "{found} {expected}"
        );
    }

    #[test]
    fn volumes() {
        let cap = |r: f64, h: f64| PI * h * h * (r - h / 3.0);
        check(&block(1.0, 2.0, 3.0), 6.0);
        check(&bracket(3.0, 4.0, 5.0, 1.0), 30.0);
        check(&drilled_plate(4.0, 5.0, 2.0, 1.0), 40.0 - 2.0 * PI);
        check(
            &rounded_block(4.0, 5.0, 2.0, 1.0),
            40.0 - 2.0 * (1.0 - PI / 4.0),
        );
        check(&hollowed_block(4.0, 5.0, 2.0, 1.0), 40.0 - PI / 2.0);
        check(&cylinder(2.0, 3.0), 12.0 * PI);
        check(&frustum(2.0, 1.0, 3.0), 7.0 * PI);
        check(&frustum(2.0, 0.0, 3.0), 4.0 * PI);
        check(&frustum(0.0, 2.0, 3.0), 4.0 * PI);
        check(&ball(2.0), 32.0 / 3.0 * PI);
        check(&torus(3.0, 1.0), 6.0 * PI * PI);
        check(&tube(3.0, 1.0, 2.0), 16.0 * PI);
        check(&round_pin(1.0, 3.0), (3.0 + 2.0 / 3.0) * PI);
        // Half discs about an axis, by the way of their centroids.
        let outer_half = |r: f64, tube: f64| PI * PI * tube * tube * (r + 4.0 * tube / (3.0 * PI));
        let inner_half = |r: f64, tube: f64| PI * PI * tube * tube * (r - 4.0 * tube / (3.0 * PI));
        check(&round_disc(2.0, 2.0), 8.0 * PI + outer_half(2.0, 1.0));
        let shaft = PI * (7.0 + 0.36 * 2.0 + (1.0 + 0.6 + 0.36) / 3.0);
        check(&grooved_shaft(1.0, 10.0, 0.5), shaft - inner_half(1.0, 0.5));
        let waisted = PI * 10.0 - inner_half(1.0, 0.5);
        check(&waisted_shaft(1.0, 10.0, 0.5, 0.5), waisted);
        check(
            &dimple(2.0, 3.0, 1.0),
            12.0 * PI - cap(1.0, 1.0 - 1.0 / SQRT_2),
        );
    }
}
