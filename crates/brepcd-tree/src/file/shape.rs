//! Frames, curves and surfaces.

use std::f64::consts::FRAC_PI_2;

use brepcd_geom::curve::{Circle, Ellipse, Hyperbola, Line, Parabola};
use brepcd_geom::surface::{Cone, Cylinder, Plane, Sphere, Torus, TorusShape};
use brepcd_geom::{Curve, Frame, Point3, Surface};

use super::FileError;
use super::input::Input;
use super::nurbs;
use super::output::Output;
use super::shared::Pools;

fn write_frame(out: &mut Output, frame: &Frame) {
    out.vector(&frame.origin.coords);
    out.axes([&frame.z, &frame.x, &frame.y]);
}

fn read_frame(input: &mut Input, pools: &Pools) -> Result<Frame, FileError> {
    let origin = Point3::from(input.vector(pools)?);
    let [z, x, y] = input.axes(pools)?;
    Ok(Frame { origin, x, y, z })
}

fn positive(input: &mut Input) -> Result<f64, FileError> {
    let value = input.number()?;
    input.check(value > 0.0, "a radius or semi-axis is not positive")?;
    Ok(value)
}

pub(super) fn write_curve(out: &mut Output, curve: &Curve) {
    match curve {
        Curve::Line(c) => {
            out.byte(0);
            out.vector(&c.origin.coords);
            out.vector(&c.dir);
        }
        Curve::Circle(c) => {
            out.byte(1);
            write_frame(out, &c.frame);
            out.number(c.radius);
        }
        Curve::Ellipse(c) => {
            out.byte(2);
            write_frame(out, &c.frame);
            out.numbers([&c.rx, &c.ry]);
        }
        Curve::Hyperbola(c) => {
            out.byte(3);
            write_frame(out, &c.frame);
            out.numbers([&c.a, &c.b]);
        }
        Curve::Parabola(c) => {
            out.byte(4);
            write_frame(out, &c.frame);
            out.number(c.focal);
        }
        Curve::Nurbs(c) => {
            out.byte(5);
            let place = out.shared.curves.place(nurbs::write_curve(c));
            out.whole(place);
        }
    }
}

pub(super) fn read_curve(input: &mut Input, pools: &Pools) -> Result<Curve, FileError> {
    Ok(match input.byte()? {
        0 => Curve::Line(Line {
            origin: Point3::from(input.vector(pools)?),
            dir: input.unit(pools)?,
        }),
        1 => Curve::Circle(Circle {
            frame: read_frame(input, pools)?,
            radius: positive(input)?,
        }),
        2 => Curve::Ellipse(Ellipse {
            frame: read_frame(input, pools)?,
            rx: positive(input)?,
            ry: positive(input)?,
        }),
        3 => Curve::Hyperbola(Hyperbola {
            frame: read_frame(input, pools)?,
            a: positive(input)?,
            b: positive(input)?,
        }),
        4 => Curve::Parabola(Parabola {
            frame: read_frame(input, pools)?,
            focal: positive(input)?,
        }),
        5 => {
            let place = input.position(pools.curves.len(), "spline curve")?;
            Curve::Nurbs(pools.curves[place as usize].clone())
        }
        tag => return Err(input.invalid(format!("{tag} is no kind of curve"))),
    })
}

pub(super) fn write_surface(out: &mut Output, surface: &Surface) {
    match surface {
        Surface::Plane(s) => {
            out.byte(0);
            write_frame(out, &s.frame);
        }
        Surface::Cylinder(s) => {
            out.byte(1);
            write_frame(out, &s.frame);
            out.number(s.radius);
        }
        Surface::Cone(s) => {
            out.byte(2);
            write_frame(out, &s.frame);
            out.numbers([&s.radius, &s.half_angle]);
        }
        Surface::Sphere(s) => {
            out.byte(3);
            write_frame(out, &s.frame);
            out.number(s.radius);
        }
        Surface::Torus(s) => {
            out.byte(match s.shape {
                TorusShape::Ring => 4,
                TorusShape::Apple => 5,
                TorusShape::Lemon => 6,
            });
            write_frame(out, &s.frame);
            out.numbers([&s.major, &s.minor]);
        }
        Surface::Nurbs(s) => {
            out.byte(7);
            let place = out.shared.surfaces.place(nurbs::write_surface(s));
            out.whole(place);
        }
    }
}

pub(super) fn read_surface(input: &mut Input, pools: &Pools) -> Result<Surface, FileError> {
    Ok(match input.byte()? {
        0 => Surface::Plane(Plane {
            frame: read_frame(input, pools)?,
        }),
        1 => Surface::Cylinder(Cylinder {
            frame: read_frame(input, pools)?,
            radius: positive(input)?,
        }),
        2 => Surface::Cone(read_cone(input, pools)?),
        3 => Surface::Sphere(Sphere {
            frame: read_frame(input, pools)?,
            radius: positive(input)?,
        }),
        4 => Surface::Torus(read_torus(input, pools, TorusShape::Ring)?),
        5 => Surface::Torus(read_torus(input, pools, TorusShape::Apple)?),
        6 => Surface::Torus(read_torus(input, pools, TorusShape::Lemon)?),
        7 => {
            let place = input.position(pools.surfaces.len(), "spline surface")?;
            Surface::Nurbs(pools.surfaces[place as usize].clone())
        }
        tag => return Err(input.invalid(format!("{tag} is no kind of surface"))),
    })
}

fn read_cone(input: &mut Input, pools: &Pools) -> Result<Cone, FileError> {
    let frame = read_frame(input, pools)?;
    let [radius, half_angle] = input.numbers()?;
    let angle = half_angle.abs();
    input.check(
        radius >= 0.0 && angle > 0.0 && angle < FRAC_PI_2,
        "a cone without radius or angle",
    )?;
    Ok(Cone {
        frame,
        radius,
        half_angle,
    })
}

fn read_torus(input: &mut Input, pools: &Pools, shape: TorusShape) -> Result<Torus, FileError> {
    let frame = read_frame(input, pools)?;
    let [major, minor] = input.numbers()?;
    input.check(minor > 0.0, "a torus without a tube")?;
    Ok(Torus {
        frame,
        major,
        minor,
        shape,
    })
}
