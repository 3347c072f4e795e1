//! Geometry of brepcd: frames, curves, surfaces, Bézier algebra, polynomial roots.
//!
//! Lengths are millimetres, angles radians, frames right-handed. A pose is named `a_from_b`, so that letters cancel:
//! `p_a = a_from_b * p_b`. Curves and surfaces are closed enums; each kind lives in a file of its own and exposes the
//! same functions, which the enum dispatches to.

mod aabb;
pub mod curve;
mod frame;
mod interval;
mod jet;
pub mod nurbs;
#[cfg(test)]
mod oracle;
pub mod quadrature;
pub mod recognize;
pub mod roots;
pub mod surface;

pub use aabb::Aabb;
pub use curve::{Curve, CurveFoot};
pub use frame::Frame;
pub use interval::Interval;
pub use jet::{CurveJet, SurfaceJet};
pub use surface::{Surface, SurfaceFoot};

/// A point in space, millimetres.
pub type Point3 = nalgebra::Point3<f64>;
/// A vector in space.
pub type Vec3 = nalgebra::Vector3<f64>;
/// A homogeneous point `(w x, w y, w z, w)` of a rational curve or surface.
pub type Point4 = nalgebra::Vector4<f64>;
/// A point of a parameter plane.
pub type Point2 = nalgebra::Point2<f64>;
/// A vector of a parameter plane.
pub type Vec2 = nalgebra::Vector2<f64>;
/// A rigid motion; named `a_from_b` where it maps coordinates of `b` to `a`.
pub type Pose = nalgebra::Isometry3<f64>;
