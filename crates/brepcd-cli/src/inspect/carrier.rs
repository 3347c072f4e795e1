//! The parameters of carriers.

use brepcd::geom::surface::TorusShape;
use brepcd::geom::{Curve, Point3, Surface, Vec3};
use serde_json::{Value, json};

/// The parameters of a surface, lengths in millimetres.
pub fn surface(surface: &Surface) -> Value {
    match surface {
        Surface::Plane(s) => {
            json!({"origin": point(&s.frame.origin), "normal": vector(&s.frame.z)})
        }
        Surface::Cylinder(s) => {
            json!({"origin": point(&s.frame.origin), "axis": vector(&s.frame.z), "radius": s.radius})
        }
        Surface::Cone(s) => json!({
            "origin": point(&s.frame.origin),
            "axis": vector(&s.frame.z),
            "radius": s.radius,
            "half_angle_deg": s.half_angle.to_degrees(),
        }),
        Surface::Sphere(s) => json!({"centre": point(&s.frame.origin), "radius": s.radius}),
        Surface::Torus(s) => {
            let shape = match s.shape {
                TorusShape::Ring => "ring",
                TorusShape::Apple => "apple",
                TorusShape::Lemon => "lemon",
            };
            json!({
                "centre": point(&s.frame.origin),
                "axis": vector(&s.frame.z),
                "major": s.major,
                "minor": s.minor,
                "shape": shape,
            })
        }
        Surface::Nurbs(s) => {
            json!({"degrees": [s.degree_u, s.degree_v], "control_points": [s.count_u, s.count_v]})
        }
    }
}

/// The parameters of a curve, lengths in millimetres.
pub fn curve(curve: &Curve) -> Value {
    match curve {
        Curve::Line(c) => json!({"origin": point(&c.origin), "direction": vector(&c.dir)}),
        Curve::Circle(c) => {
            json!({"centre": point(&c.frame.origin), "axis": vector(&c.frame.z), "radius": c.radius})
        }
        Curve::Ellipse(c) => json!({
            "centre": point(&c.frame.origin),
            "axis": vector(&c.frame.z),
            "radii": [c.rx, c.ry],
        }),
        Curve::Hyperbola(c) => json!({
            "centre": point(&c.frame.origin),
            "axis": vector(&c.frame.z),
            "radii": [c.a, c.b],
        }),
        Curve::Parabola(c) => json!({
            "vertex": point(&c.frame.origin),
            "axis": vector(&c.frame.z),
            "focal": c.focal,
        }),
        Curve::Nurbs(c) => json!({"degree": c.degree, "control_points": c.control.len()}),
    }
}

/// Coordinates of a point.
pub fn point(p: &Point3) -> Value {
    vector(&p.coords)
}

/// Components of a vector.
pub fn vector(v: &Vec3) -> Value {
    json!([v.x, v.y, v.z])
}
