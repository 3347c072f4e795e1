//! The two sides of a pair as the equations see them.
//!
//! A sphere is its centre with an offset, a torus its circle of tube centres; the normals of planes, cylinders and
//! cones need at most an angle. So only free-form surfaces have two unknowns, and no pole or apex is singular.

use super::directed::Directed;
use super::model::{Model, Spreading};
use super::net::{Net, Pole};
use crate::piece::Piece;
use brepcd_geom::surface::TorusShape;
use brepcd_geom::{Curve, Frame, Interval, Point3, Surface, Vec3};
use brepcd_tree::{MatrixPose, Shape};

/// A curve in the local frame.
#[derive(Clone, Copy, Debug)]
pub(super) enum Arc<'s> {
    /// `c + t z`.
    Line { c: Vec3, z: Vec3 },
    /// `c + cos t x + sin t y`.
    Ellipse { c: Vec3, x: Vec3, y: Vec3 },
    /// `c + t² x + t y`.
    Parabola { c: Vec3, x: Vec3, y: Vec3 },
    /// `c + cosh t x + sinh t y`.
    Hyperbola {
        c: Vec3,
        x: Vec3,
        y: Vec3,
        third: Vec3,
    },
    /// A Bézier curve over the unit interval.
    Bezier(&'s Net),
}

impl Arc<'_> {
    fn spreading(&self, t: f64, half: f64) -> Spreading {
        let zero = Vec3::zeros();
        match *self {
            Arc::Line { c, z } => Spreading::of_curve(c + z * t, z, zero, zero, half),
            Arc::Ellipse { c, x, y } => {
                let (sin, cos) = t.sin_cos();
                let out = x * cos + y * sin;
                let third = x.zip_map(&y, f64::hypot);
                Spreading::of_curve(c + out, y * cos - x * sin, -out, third, half)
            }
            Arc::Parabola { c, x, y } => {
                Spreading::of_curve(c + (x * t + y) * t, x * (2.0 * t) + y, x * 2.0, zero, half)
            }
            Arc::Hyperbola { c, x, y, third } => {
                let (sinh, cosh) = (t.sinh(), t.cosh());
                let out = x * cosh + y * sinh;
                Spreading::of_curve(c + out, x * sinh + y * cosh, out, third, half)
            }
            Arc::Bezier(net) => Spreading::of_net(net, [t, 0.0], [half, 0.0]),
        }
    }
}

/// What the unknowns of a side move.
#[derive(Clone, Copy, Debug)]
pub(super) enum Core<'s> {
    Point(Vec3),
    Arc(Arc<'s>),
    Surface(&'s Net),
    Directed(Directed),
}

/// A piece as a side of the equations.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side<'s> {
    pub core: Core<'s>,
    /// Unknowns.
    pub dim: usize,
    /// Their ranges; of planes, cylinders and cones those of both surface parameters.
    pub range: [Interval; 2],
    /// Distance of the surface from its core: of spheres and tori.
    pub radius: f64,
    /// Of faces: 1 if the outward normal is that of the core (away from it, `du × dv`), else -1; 0 for others.
    pub outward: f64,
}

const UNIT: Interval = Interval { lo: 0.0, hi: 1.0 };
const NONE: Interval = Interval { lo: 0.0, hi: 0.0 };

impl<'s> Side<'s> {
    /// The side of a piece in a frame that a pose leads to; `net` holds its control points if it has any.
    pub fn new(piece: &Piece<'_>, net: &'s Net, pose: &MatrixPose) -> Self {
        let place = |p: &Point3| (pose * p).coords;
        let axes = |f: &Frame| [f.x, f.y, f.z].map(|v| pose.rotation * v);
        let [range_u, _] = piece.range;
        let mut side = Self {
            core: Core::Point(Vec3::zeros()),
            dim: 0,
            range: [NONE; 2],
            radius: 0.0,
            outward: 0.0,
        };
        match &piece.feature().shape {
            Shape::Vertex { point, .. } => side.core = Core::Point(place(point)),
            Shape::Edge { curve, .. } => {
                side.dim = 1;
                side.range[0] = range_u;
                side.core = Core::Arc(match curve {
                    Curve::Line(l) => Arc::Line {
                        c: place(&l.origin),
                        z: pose.rotation * l.dir,
                    },
                    Curve::Circle(k) => ellipse(&k.frame, k.radius, k.radius, &place, &axes),
                    Curve::Ellipse(e) => ellipse(&e.frame, e.rx, e.ry, &place, &axes),
                    Curve::Parabola(p) => {
                        let [x, y, _] = axes(&p.frame);
                        Arc::Parabola {
                            c: place(&p.frame.origin),
                            x: x * p.focal,
                            y: y * (2.0 * p.focal),
                        }
                    }
                    Curve::Hyperbola(h) => {
                        let [x, y, _] = axes(&h.frame);
                        let (x, y) = (x * h.a, y * h.b);
                        // A little more, for the range is tested a little enlarged.
                        let most = 1e-3 + range_u.lo.abs().max(range_u.hi.abs());
                        Arc::Hyperbola {
                            c: place(&h.frame.origin),
                            x,
                            y,
                            third: x.abs() * most.sinh() + y.abs() * most.cosh(),
                        }
                    }
                    Curve::Nurbs(_) => {
                        side.range[0] = UNIT;
                        Arc::Bezier(net)
                    }
                });
            }
            Shape::Face {
                surface,
                same_sense,
                ..
            } => {
                side.outward = if *same_sense { 1.0 } else { -1.0 };
                match surface {
                    Surface::Plane(p) => {
                        side.range = piece.range;
                        side.core = Core::Directed(Directed {
                            dim: 0,
                            c: place(&p.frame.origin),
                            axes: axes(&p.frame),
                            radius: 0.0,
                            sin: 0.0,
                            cos: 1.0,
                        });
                    }
                    Surface::Cylinder(k) => {
                        side.range = piece.range;
                        side.turn(&k.frame, k.radius, 0.0, &place, &axes);
                    }
                    Surface::Cone(k) => {
                        side.range = piece.range;
                        side.turn(&k.frame, k.radius, k.half_angle, &place, &axes);
                    }
                    Surface::Sphere(k) => {
                        side.core = Core::Point(place(&k.frame.origin));
                        side.radius = k.radius;
                    }
                    Surface::Torus(k) => {
                        side.dim = 1;
                        side.range[0] = range_u;
                        side.core = Core::Arc(ellipse(&k.frame, k.major, k.major, &place, &axes));
                        side.radius = k.minor;
                        // The normal of a lemon points from its surface to the tube's centre.
                        if k.shape == TorusShape::Lemon {
                            side.outward = -side.outward;
                        }
                    }
                    Surface::Nurbs(_) => {
                        side.dim = 2;
                        side.range = [UNIT; 2];
                        side.core = Core::Surface(net);
                    }
                }
            }
        }
        side
    }

    fn turn(
        &mut self,
        frame: &Frame,
        radius: f64,
        half_angle: f64,
        place: &impl Fn(&Point3) -> Vec3,
        axes: &impl Fn(&Frame) -> [Vec3; 3],
    ) {
        let (sin, cos) = half_angle.sin_cos();
        self.dim = 1;
        self.core = Core::Directed(Directed {
            dim: 1,
            c: place(&frame.origin),
            axes: axes(frame),
            radius,
            sin,
            cos,
        });
    }

    /// True for a surface with two unknowns.
    pub fn is_surface(&self) -> bool {
        matches!(self.core, Core::Surface(_))
    }

    /// The side collapsed to a point, if there is one.
    pub fn pole(&self) -> Option<&Pole> {
        match &self.core {
            Core::Surface(net) => net.pole.as_ref(),
            Core::Point(_) | Core::Arc(_) | Core::Directed(_) => None,
        }
    }

    /// True if the positions of the core enter the equations.
    pub fn is_placed(&self) -> bool {
        !matches!(self.core, Core::Directed(_))
    }

    /// The core about a point, unknowns in units of `half`; nothing of directed surfaces.
    pub fn model(&self, mid: [f64; 2], half: [f64; 2]) -> Model {
        match &self.core {
            Core::Surface(net) => Model::of_jet(net, &net.jet(mid[0], mid[1]), half),
            Core::Arc(Arc::Bezier(net)) => Model::of_jet(net, &net.jet(mid[0], 0.0), half),
            Core::Point(_) | Core::Arc(_) | Core::Directed(_) => self.spreading(mid, half).model,
        }
    }

    /// The core over a box of its unknowns.
    pub fn spreading(&self, mid: [f64; 2], half: [f64; 2]) -> Spreading {
        match &self.core {
            Core::Point(p) => Spreading::of_point(*p),
            Core::Arc(arc) => arc.spreading(mid[0], half[0]),
            Core::Surface(net) => Spreading::of_net(net, mid, half),
            Core::Directed(_) => Spreading::default(),
        }
    }
}

fn ellipse<'s>(
    frame: &Frame,
    rx: f64,
    ry: f64,
    place: &impl Fn(&Point3) -> Vec3,
    axes: &impl Fn(&Frame) -> [Vec3; 3],
) -> Arc<'s> {
    let [x, y, _] = axes(frame);
    Arc::Ellipse {
        c: place(&frame.origin),
        x: x * rx,
        y: y * ry,
    }
}
