//! One curve and surface of each kind.

use std::sync::Arc;

use brepcd_geom::curve::{Circle, Ellipse, Hyperbola, Line, Parabola};
use brepcd_geom::nurbs::{NurbsCurve, NurbsSurface};
use brepcd_geom::surface::{Cone, Cylinder, Plane, Sphere, Torus, TorusShape};
use brepcd_geom::{Curve, Frame, Surface};
use brepcd_tree::Kinds;

use super::Random;

fn spline_curve(random: &mut Random, rational: bool) -> Curve {
    let knots = vec![0.0, 0.0, 0.0, 0.0, 0.25, 0.5, 0.5, 1.0, 1.0, 1.0, 1.0];
    let control = (0..7).map(|_| random.homogeneous(rational)).collect();
    Curve::Nurbs(Arc::new(NurbsCurve::new(3, knots, control).expect("valid")))
}

fn spline_surface(random: &mut Random, rational: bool) -> Surface {
    let (u, v) = (
        vec![-1.0, -1.0, -1.0, 0.0, 2.0, 2.0, 2.0],
        vec![0.0, 0.0, 1.0, 1.0],
    );
    let control = (0..8).map(|_| random.homogeneous(rational)).collect();
    let surface = NurbsSurface::new(2, 1, u, v, 4, 2, control);
    Surface::Nurbs(Arc::new(surface.expect("valid")))
}

fn torus(frame: Frame, shape: TorusShape) -> Surface {
    let major = if shape == TorusShape::Ring { 5.0 } else { 1.0 };
    let minor = 2.0;
    Surface::Torus(Torus {
        frame,
        major,
        minor,
        shape,
    })
}

pub fn surfaces(r: &mut Random) -> Vec<(Kinds, Surface)> {
    let shared = spline_surface(r, true);
    let world = Frame::world();
    vec![
        (Kinds::PLANE, Surface::Plane(Plane { frame: world })),
        (
            Kinds::CONVEX_CYLINDER,
            Surface::Cylinder(Cylinder {
                frame: r.frame(),
                radius: 3.0,
            }),
        ),
        (
            Kinds::CONCAVE_CYLINDER,
            Surface::Cylinder(Cylinder {
                frame: r.turned_frame(),
                radius: 0.1,
            }),
        ),
        (
            Kinds::CONVEX_CONE,
            Surface::Cone(Cone {
                frame: r.frame(),
                radius: 0.0,
                half_angle: 0.3,
            }),
        ),
        (
            Kinds::CONCAVE_CONE,
            Surface::Cone(Cone {
                frame: world,
                radius: 2.0,
                half_angle: -0.7,
            }),
        ),
        (
            Kinds::CONVEX_SPHERE,
            Surface::Sphere(Sphere {
                frame: r.frame(),
                radius: 1e-3,
            }),
        ),
        (
            Kinds::CONCAVE_SPHERE,
            Surface::Sphere(Sphere {
                frame: world,
                radius: 1e5,
            }),
        ),
        (Kinds::CONVEX_TORUS, torus(world, TorusShape::Ring)),
        (Kinds::CONVEX_TORUS, torus(r.frame(), TorusShape::Apple)),
        (Kinds::CONCAVE_TORUS, torus(world, TorusShape::Lemon)),
        (Kinds::SPLINE_SURFACE, shared.clone()),
        (Kinds::SPLINE_SURFACE, shared),
        (Kinds::SPLINE_SURFACE, spline_surface(r, false)),
    ]
}

pub fn curves(r: &mut Random) -> Vec<(Kinds, Curve)> {
    let frame = r.frame();
    let line = Line {
        origin: frame.origin,
        dir: frame.z,
    };
    let circle = Circle { frame, radius: 2.5 };
    let (rx, ry) = (1.0, 4.0);
    vec![
        (Kinds::LINE, Curve::Line(line)),
        (Kinds::CIRCLE, Curve::Circle(circle)),
        (Kinds::CONIC, Curve::Ellipse(Ellipse { frame, rx, ry })),
        (
            Kinds::CONIC,
            Curve::Hyperbola(Hyperbola {
                frame,
                a: 1.0,
                b: 0.2,
            }),
        ),
        (
            Kinds::CONIC,
            Curve::Parabola(Parabola { frame, focal: 0.5 }),
        ),
        (Kinds::SPLINE_CURVE, spline_curve(r, true)),
        (Kinds::SPLINE_CURVE, spline_curve(r, false)),
    ]
}
