//! The untrimmed carrier of a feature in the frame of part A: a core, an offset from it, parameters and curvature.
//!
//! A sphere is an offset point, a cylinder an offset line, a torus an offset circle; everything else is its own core.
//! With `out` the unit normal out of the material, the point of the carrier is `core + offset * out`.

use std::f64::consts::TAU;

use brepcd_geom::curve::{Circle, Ellipse, Line};
use brepcd_geom::surface::{Cone, Plane, Torus, TorusShape};
use brepcd_geom::{Curve, Frame, Point3, Surface, Vec3};
use brepcd_tree::{MatrixPose, Shape};

use crate::critical::Core;
use crate::second_order::Bend;

/// Smallest distance from an axis, relative to the radius at hand, at which an angle about it means something.
const ON_AXIS: f64 = 1e-12;

/// A carrier with a closed form.
#[derive(Clone, Copy, Debug)]
pub enum Carrier {
    /// A vertex.
    Vertex(Point3),
    /// A straight edge.
    Line(Line),
    /// An edge that is an arc.
    Circle(Circle),
    /// An edge that is an elliptic arc.
    Ellipse(Ellipse),
    /// A plane; 1 if its `z` points out of the material, else -1.
    Plane(Plane, f64),
    /// A cylinder: frame, radius, 1 if convex, else -1.
    Cylinder(Frame, f64, f64),
    /// A cone; 1 if convex, else -1.
    Cone(Cone, f64),
    /// A sphere: frame, radius, 1 if convex, else -1.
    Sphere(Frame, f64, f64),
    /// A torus; 1 if the normal points away from the tube's centre, else -1.
    Torus(Torus, f64),
}

fn placed(frame: &Frame, a_from_part: &MatrixPose) -> Frame {
    let turn = &a_from_part.rotation;
    Frame {
        origin: a_from_part * frame.origin,
        x: turn * frame.x,
        y: turn * frame.y,
        z: turn * frame.z,
    }
}

impl Carrier {
    /// The carrier of a shape, placed; `None` for free-form and other shapes without a closed form.
    pub fn of(shape: &Shape, a_from_part: &MatrixPose) -> Option<Self> {
        let place = |frame: &Frame| placed(frame, a_from_part);
        Some(match shape {
            Shape::Vertex { point, .. } => Self::Vertex(a_from_part * point),
            Shape::Edge { curve, .. } => match curve {
                Curve::Line(line) => Self::Line(Line {
                    origin: a_from_part * line.origin,
                    dir: a_from_part.rotation * line.dir,
                }),
                Curve::Circle(circle) => Self::Circle(Circle {
                    frame: place(&circle.frame),
                    ..*circle
                }),
                Curve::Ellipse(ellipse) => Self::Ellipse(Ellipse {
                    frame: place(&ellipse.frame),
                    ..*ellipse
                }),
                Curve::Parabola(_) | Curve::Hyperbola(_) | Curve::Nurbs(_) => return None,
            },
            Shape::Face {
                surface,
                same_sense,
                ..
            } => {
                let sign = if *same_sense { 1.0 } else { -1.0 };
                match surface {
                    Surface::Plane(s) => {
                        let frame = place(&s.frame);
                        Self::Plane(Plane { frame }, sign)
                    }
                    Surface::Cylinder(s) => Self::Cylinder(place(&s.frame), s.radius, sign),
                    Surface::Cone(s) => {
                        let frame = place(&s.frame);
                        Self::Cone(Cone { frame, ..*s }, sign)
                    }
                    Surface::Sphere(s) => Self::Sphere(place(&s.frame), s.radius, sign),
                    Surface::Torus(s) => {
                        let frame = place(&s.frame);
                        let away = if s.shape == TorusShape::Lemon {
                            -sign
                        } else {
                            sign
                        };
                        Self::Torus(Torus { frame, ..*s }, away)
                    }
                    Surface::Nurbs(_) => return None,
                }
            }
        })
    }

    /// True for shapes that have a carrier with a closed form.
    pub fn is_closed(shape: &Shape) -> bool {
        match shape {
            Shape::Vertex { .. } => true,
            Shape::Edge { curve, .. } => {
                matches!(curve, Curve::Line(_) | Curve::Circle(_) | Curve::Ellipse(_))
            }
            Shape::Face { surface, .. } => !matches!(surface, Surface::Nurbs(_)),
        }
    }

    /// What stationary pairs are solved for.
    pub fn core(&self) -> Core {
        match self {
            Self::Vertex(p) => Core::Point(*p),
            Self::Line(line) => Core::Line(*line),
            Self::Circle(circle) => Core::Circle(*circle),
            Self::Ellipse(ellipse) => Core::Ellipse(*ellipse),
            Self::Plane(plane, _) => Core::Plane(*plane),
            Self::Cylinder(frame, ..) => Core::Line(Line {
                origin: frame.origin,
                dir: frame.z,
            }),
            Self::Cone(cone, _) => Core::Cone(*cone),
            Self::Sphere(frame, ..) => Core::Point(frame.origin),
            Self::Torus(torus, _) => Core::Circle(Circle {
                frame: torus.frame,
                radius: torus.major,
            }),
        }
    }

    /// How far out of the material the surface lies from its core.
    pub fn offset(&self) -> f64 {
        match self {
            Self::Cylinder(_, radius, sign) | Self::Sphere(_, radius, sign) => radius * sign,
            Self::Torus(torus, sign) => torus.minor * sign,
            _ => 0.0,
        }
    }

    /// The radius of the rings that families of this carrier form; `None` for carriers without one.
    pub fn ring_radius(&self) -> Option<f64> {
        match self {
            Self::Circle(circle) => Some(circle.radius),
            Self::Ellipse(ellipse) => Some(ellipse.rx.max(ellipse.ry)),
            Self::Torus(torus, _) => Some(torus.major),
            Self::Cylinder(_, radius, _) | Self::Sphere(_, radius, _) => Some(*radius),
            Self::Vertex(_) | Self::Line(_) | Self::Plane(..) | Self::Cone(..) => None,
        }
    }

    /// The direction out of the material where the core already determines it: planes and cones.
    pub fn own_normal(&self, core: [f64; 2]) -> Option<Vec3> {
        match self {
            Self::Plane(plane, sign) => Some(plane.frame.z * *sign),
            Self::Cone(cone, sign) => Some(cone.normal(core[0], core[1])? * *sign),
            _ => None,
        }
    }

    /// The parameters of the feature from those of the core and the direction out of the material.
    pub fn parameters(&self, core: [f64; 2], out: &Vec3) -> [f64; 2] {
        match self {
            Self::Cylinder(frame, _, sign) => {
                let spoke = frame.local_vec(out) * *sign;
                [spoke.y.atan2(spoke.x), core[0]]
            }
            Self::Sphere(frame, _, sign) => {
                let spoke = frame.local_vec(out) * *sign;
                let across = spoke.x.hypot(spoke.y);
                [spoke.y.atan2(spoke.x), spoke.z.atan2(across)]
            }
            Self::Torus(torus, sign) => {
                let (spoke, radial) = (out * *sign, torus.frame.radial(core[0]));
                let v = torus.frame.z.dot(&spoke).atan2(radial.dot(&spoke));
                // The domain of a lemon, which has no period, is about half a turn.
                let turn = torus.shape == TorusShape::Lemon && v < 0.0;
                [core[0], if turn { v + TAU } else { v }]
            }
            _ => core,
        }
    }

    /// Lengths of the derivatives by the parameters, to turn a length into a tolerance of parameters.
    pub fn speeds(&self, t: [f64; 2]) -> [f64; 2] {
        match self {
            Self::Vertex(_) => [0.0; 2],
            Self::Line(_) | Self::Plane(..) => [1.0; 2],
            Self::Circle(circle) => [circle.radius, 0.0],
            Self::Ellipse(ellipse) => [ellipse.jet(t[0]).d1.norm(), 0.0],
            Self::Cylinder(_, radius, _) => [*radius, 1.0],
            Self::Cone(cone, _) => [(cone.radius + t[1] * cone.half_angle.sin()).abs(), 1.0],
            Self::Sphere(_, radius, _) => [radius * t[1].cos(), *radius],
            Self::Torus(torus, _) => [(torus.major + torus.minor * t[1].cos()).abs(), torus.minor],
        }
    }

    /// How the carrier bends away from its tangent plane at right angles to `out`, convex counted positive.
    pub fn bend(&self, t: [f64; 2], out: &Vec3) -> Bend {
        match self {
            Self::Vertex(_) => Bend::Point,
            Self::Line(line) => Bend::Curve {
                tangent: line.dir,
                curvature: 0.0,
            },
            Self::Circle(circle) => Bend::Curve {
                tangent: circle.frame.tangential(t[0]),
                curvature: circle.frame.radial(t[0]).dot(out) / circle.radius,
            },
            Self::Ellipse(ellipse) => Bend::of_curve(&ellipse.jet(t[0]), out),
            Self::Plane(..) => Bend::Surface([(*out, 0.0); 2]),
            Self::Cylinder(frame, radius, sign) => {
                Bend::Surface([(out.cross(&frame.z), sign / radius), (frame.z, 0.0)])
            }
            Self::Cone(cone, sign) => {
                let (s, c) = cone.half_angle.sin_cos();
                let rho = (cone.radius + t[1] * s).max(f64::MIN_POSITIVE);
                let generator = cone.frame.radial(t[0]) * s + cone.frame.z * c;
                Bend::Surface([
                    (cone.frame.tangential(t[0]), sign * c / rho),
                    (generator, 0.0),
                ])
            }
            Self::Sphere(_, radius, sign) => {
                let across = Frame::from_z(Point3::origin(), *out);
                let [x, y] = across.map_or([Vec3::zeros(); 2], |f| [f.x, f.y]);
                Bend::Surface([(x, sign / radius), (y, sign / radius)])
            }
            Self::Torus(torus, sign) => {
                let (s, c) = t[1].sin_cos();
                let rho = torus.major + torus.minor * c;
                let around = if rho.abs() > ON_AXIS * torus.minor {
                    sign * c / rho
                } else {
                    f64::MAX.sqrt().copysign(sign * c * rho)
                };
                let radial = torus.frame.radial(t[0]);
                Bend::Surface([
                    (torus.frame.tangential(t[0]), around),
                    (torus.frame.z * c - radial * s, sign / torus.minor),
                ])
            }
        }
    }
}
