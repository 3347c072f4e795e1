//! Surfaces of revolution: lines and circles in the plane of the axis give canonical surfaces, the rest B-splines.

use brepcd_brep::FaceKind;
use brepcd_geom::curve::{Circle, Line};
use brepcd_geom::nurbs::construct;
use brepcd_geom::surface::{Cone, Cylinder, Plane, Sphere, Torus, TorusShape};
use brepcd_geom::{Curve, Frame, Point3, Surface, Vec3};

use crate::error::Read;
use crate::p21::Entity;
use crate::placement::Geometry;
use crate::surfaces::{Carrier, Extent, infinite_range, on_nappe};

/// Sine of the angle under which directions count as parallel.
const PARALLEL: f64 = 1e-10;

/// `SURFACE_OF_REVOLUTION(name, curve, axis)`.
pub(crate) fn read(
    geometry: &Geometry<'_>,
    entity: Entity<'_>,
    extent: &dyn Fn() -> Extent,
    depth: usize,
) -> Read<Carrier> {
    let args = entity.args();
    let axis = geometry.frame(geometry.file.follow(&args, 2)?)?;
    let extent = extent();
    let aabb = extent.aabb();
    let reach = if aabb.is_empty() {
        0.0
    } else {
        (aabb.centre() - axis.origin).norm() + aabb.diagonal()
    };
    let profile = geometry.file.follow(&args, 1)?;
    let (input, curve) = geometry.bounded(profile, depth + 1, |c| {
        infinite_range(c, &axis.origin, reach + geometry.tol, &Vec3::zeros())
    })?;
    let found = match &input.curve {
        Curve::Line(line) => from_line(&axis, line, &extent, geometry.tol),
        Curve::Circle(circle) => {
            let middle = input
                .range
                .map(|r| circle.point(r.mid()))
                .filter(|_| profile.is("TRIMMED_CURVE"));
            from_circle(&axis, circle, middle, &extent, geometry.tol)
        }
        _ => None,
    };
    if let Some((surface, flip)) = found {
        let (kind, recognized) = (FaceKind::Revolution, Some(0.0));
        return Ok(Carrier {
            surface,
            flip,
            kind,
            recognized,
            approximated: None,
        });
    }
    let nurbs = construct::revolve(&curve, axis.origin, axis.z, std::f64::consts::TAU)
        .map_err(|e| args.fault(e.to_string()))?;
    Ok(geometry.free_form(nurbs, FaceKind::Revolution))
}

/// The part of `v` orthogonal to the axis.
fn across(axis: &Frame, v: Vec3) -> Vec3 {
    v - axis.z * axis.z.dot(&v)
}

/// Plane, cylinder or cone, and whether its normal is turned; nothing for a line that is skew to the axis.
fn from_line(axis: &Frame, line: &Line, extent: &Extent, tol: f64) -> Option<(Surface, bool)> {
    let from = line.origin - axis.origin;
    let radial = across(axis, from);
    let slope = across(axis, line.dir);
    let x = if radial.norm() > tol { radial } else { slope };
    let x = x.try_normalize(0.0)?;
    let skew = axis.z.cross(&x);
    if skew.dot(&line.dir).abs() > PARALLEL {
        return None;
    }
    let origin = axis.origin + axis.z * axis.z.dot(&from);
    let frame = Frame::from_z_and_hint(origin, axis.z, Some(x))?;
    let (along, out) = (axis.z.dot(&line.dir), x.dot(&line.dir));
    let radius = radial.norm();
    if along.abs() <= PARALLEL {
        // du × dv is against the axis where the line runs outwards.
        let z = if out > 0.0 { -axis.z } else { axis.z };
        return Some((
            Surface::Plane(Plane {
                frame: Frame::from_z_and_hint(origin, z, Some(x))?,
            }),
            false,
        ));
    }
    let flip = along < 0.0;
    if out.abs() <= PARALLEL {
        return (radius > tol).then_some((Surface::Cylinder(Cylinder { frame, radius }), flip));
    }
    let cone = Cone {
        frame,
        radius,
        half_angle: (out / along).atan(),
    };
    Some((Surface::Cone(on_nappe(&cone, &extent.corners)), flip))
}

/// Sphere or torus, and whether its normal is turned; nothing for a circle out of the plane of the axis.
fn from_circle(
    axis: &Frame,
    circle: &Circle,
    middle: Option<Point3>,
    extent: &Extent,
    tol: f64,
) -> Option<(Surface, bool)> {
    let from = circle.frame.origin - axis.origin;
    let normal = circle.frame.z;
    if normal.dot(&axis.z).abs() > PARALLEL || normal.dot(&from).abs() > tol {
        return None;
    }
    let x = normal.cross(&axis.z).try_normalize(0.0)?;
    let x = if x.dot(&from) < 0.0 { -x } else { x };
    let origin = axis.origin + axis.z * axis.z.dot(&from);
    let frame = Frame::from_z_and_hint(origin, axis.z, Some(x))?;
    // At the outermost point the tangents are axis × x and normal × x.
    let outwards = axis.z.cross(&x).cross(&normal.cross(&x)).dot(&x);
    let (major, minor) = (x.dot(&from), circle.radius);
    if major <= tol {
        // Half a circle bounded by the axis; which half decides the direction of the angle, not the normal.
        let side = middle.map_or(1.0, |p| (p - axis.origin).dot(&x).signum());
        return Some((
            Surface::Sphere(Sphere {
                frame,
                radius: minor,
            }),
            outwards * side < 0.0,
        ));
    }
    let shape = if major >= minor {
        TorusShape::Ring
    } else if lemon(&frame, major, minor, middle, extent) {
        TorusShape::Lemon
    } else {
        TorusShape::Apple
    };
    Some((
        Surface::Torus(Torus {
            frame,
            major,
            minor,
            shape,
        }),
        outwards < 0.0,
    ))
}

/// True if the profile's middle, or else the face's border, is on the inner part of a self-intersecting torus.
fn lemon(frame: &Frame, major: f64, minor: f64, middle: Option<Point3>, extent: &Extent) -> bool {
    if let Some(p) = middle {
        return frame.local(&p).x < 0.0;
    }
    let off = |p: &Point3, side: f64| {
        let q = frame.local(p);
        ((q.xy().norm() + side * major).hypot(q.z) - minor).abs()
    };
    let points: Vec<Point3> = extent
        .corners
        .iter()
        .copied()
        .chain(extent.middles())
        .collect();
    points
        .iter()
        .map(|p| off(p, 1.0) - off(p, -1.0))
        .sum::<f64>()
        < 0.0
}
