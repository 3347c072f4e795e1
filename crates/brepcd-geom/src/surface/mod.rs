//! Surfaces: one file per kind, all with the same functions, dispatched by the closed enum [`Surface`].
//!
//! The surfaces of revolution share one parametrisation: `u` is the angle about the frame's `z`, `v` runs along the
//! meridian. A point of space is therefore inverted in its own meridian half-plane, in closed form, and the exact box
//! follows from the extremes of `ρ(v) c + z(v) k` with `c` at either end of the range of a sinusoid in `u`.

#[cfg(test)]
mod check;
mod cone;
mod cylinder;
mod plane;
mod revolved;
mod sphere;
mod torus;

use std::sync::Arc;

pub use cone::Cone;
pub use cylinder::Cylinder;
pub use plane::Plane;
pub use sphere::Sphere;
pub use torus::{Torus, TorusShape};

use crate::nurbs::NurbsSurface;
use crate::{Aabb, Interval, Point3, Pose, SurfaceJet, Vec3};

/// A parametrised surface.
#[derive(Clone, Debug)]
pub enum Surface {
    /// A plane.
    Plane(Plane),
    /// A circular cylinder.
    Cylinder(Cylinder),
    /// One nappe of a circular cone.
    Cone(Cone),
    /// A sphere.
    Sphere(Sphere),
    /// A torus, or the outer or inner part of a self-intersecting one.
    Torus(Torus),
    /// A rational B-spline surface.
    Nurbs(Arc<NurbsSurface>),
}

/// A point of a surface at which the distance to a given point is stationary.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceFoot {
    /// First parameter.
    pub u: f64,
    /// Second parameter.
    pub v: f64,
    /// The surface point.
    pub point: Point3,
    /// Distance from the given point, not negative.
    pub distance: f64,
}

impl SurfaceFoot {
    /// The foot of `p` at a surface point.
    pub fn new(u: f64, v: f64, point: Point3, p: &Point3) -> Self {
        Self {
            u,
            v,
            point,
            distance: (point - p).norm(),
        }
    }
}

macro_rules! each {
    ($surface:expr, $s:ident => $call:expr) => {
        match $surface {
            Surface::Plane($s) => $call,
            Surface::Cylinder($s) => $call,
            Surface::Cone($s) => $call,
            Surface::Sphere($s) => $call,
            Surface::Torus($s) => $call,
            Surface::Nurbs($s) => $call,
        }
    };
}

impl Surface {
    /// The point at a parameter pair.
    pub fn point(&self, u: f64, v: f64) -> Point3 {
        each!(self, s => s.point(u, v))
    }

    /// Position and derivatives up to the second.
    pub fn jet(&self, u: f64, v: f64) -> SurfaceJet {
        each!(self, s => s.jet(u, v))
    }

    /// The unit normal along `du × dv`; at a pole its limit along the line of constant `u`, where that exists.
    pub fn normal(&self, u: f64, v: f64) -> Option<Vec3> {
        each!(self, s => s.normal(u, v))
    }

    /// The parameter ranges; infinite ends are allowed, periodic directions have one period.
    pub fn domain(&self) -> (Interval, Interval) {
        each!(self, s => s.domain())
    }

    /// The periods in `u` and `v`.
    pub fn periods(&self) -> [Option<f64>; 2] {
        each!(self, s => s.periods())
    }

    /// The lower and upper `v` at which the line of constant `v` is a single point.
    pub fn poles(&self) -> [Option<f64>; 2] {
        each!(self, s => s.poles())
    }

    /// The lower and upper `u` at which the line of constant `u` is a single point.
    pub fn poles_u(&self) -> [Option<f64>; 2] {
        each!(self, s => s.poles_u())
    }

    /// Parameters of the nearest point of the surface.
    ///
    /// With a guess, periodic parameters come within half a period of it, and an undetermined parameter (`u` at a
    /// pole) is the guess's own. Without one, periodic parameters come in `[0, period)`.
    pub fn invert(&self, p: &Point3, guess: Option<(f64, f64)>) -> (f64, f64) {
        each!(self, s => s.invert(p, guess))
    }

    /// Appends all stationary points of the distance to `p`; the nearest point is among them unless it lies on the
    /// border or a crease of a [`Surface::Nurbs`].
    ///
    /// Conical points (apexes, poles of spindle tori) count where they are local minima. A continuous family of
    /// stationary points (`p` on an axis or in a centre) is represented by one of its members.
    pub fn feet(&self, p: &Point3, out: &mut Vec<SurfaceFoot>) {
        each!(self, s => s.feet(p, out))
    }

    /// Appends all parameter points whose normal is parallel to `direction`; continuous families are left out.
    pub fn extrema(&self, direction: &Vec3, out: &mut Vec<(f64, f64)>) {
        each!(self, s => s.extrema(direction, out))
    }

    /// The box of a parameter rectangle, exact up to rounding; of [`Surface::Nurbs`] to a tiny fraction of its size.
    pub fn bounding_box(&self, u: Interval, v: Interval) -> Aabb {
        each!(self, s => s.bounding_box(u, v))
    }

    /// The surface moved by `a_from_b`.
    pub fn transformed(&self, a_from_b: &Pose) -> Self {
        match self {
            Self::Plane(s) => Self::Plane(s.transformed(a_from_b)),
            Self::Cylinder(s) => Self::Cylinder(s.transformed(a_from_b)),
            Self::Cone(s) => Self::Cone(s.transformed(a_from_b)),
            Self::Sphere(s) => Self::Sphere(s.transformed(a_from_b)),
            Self::Torus(s) => Self::Torus(s.transformed(a_from_b)),
            Self::Nurbs(s) => Self::Nurbs(Arc::new(s.transformed(a_from_b))),
        }
    }

    /// The name of the kind.
    pub fn kind_name(&self) -> &'static str {
        match self {
            Self::Plane(_) => "plane",
            Self::Cylinder(_) => "cylinder",
            Self::Cone(_) => "cone",
            Self::Sphere(_) => "sphere",
            Self::Torus(_) => "torus",
            Self::Nurbs(_) => "bspline",
        }
    }

    /// Interior values of `u` at which the surface may not be smooth.
    pub fn breaks_u(&self) -> Vec<f64> {
        match self {
            Self::Nurbs(s) => s.breaks_u(),
            Self::Plane(_)
            | Self::Cylinder(_)
            | Self::Cone(_)
            | Self::Sphere(_)
            | Self::Torus(_) => Vec::new(),
        }
    }

    /// Interior values of `v` at which the surface may not be smooth.
    pub fn breaks_v(&self) -> Vec<f64> {
        match self {
            Self::Nurbs(s) => s.breaks_v(),
            Self::Plane(_)
            | Self::Cylinder(_)
            | Self::Cone(_)
            | Self::Sphere(_)
            | Self::Torus(_) => Vec::new(),
        }
    }
}
