//! Solids of truck-modeling as brepcd parts, and parts as STEP text through truck-stepio.
//!
//! [`to_brep`] takes a truck solid over exactly: shared edges and vertices stay shared, surfaces of revolution become
//! rational B-splines, and what is a plane, cylinder, cone, sphere or torus becomes one. truck leaves zero-length edges
//! and zero-area faces where a swept profile touches the axis, and nothing stops a solid from being inside out; both
//! are repaired and reported as findings.
//!
//! [`to_step`] and [`brep_to_step`] write millimetres with full precision and canonical surfaces. truck-stepio numbers
//! and lays out the entities; the geometry is written here, since some of its own is wrong in 0.3.0 (`step.rs` lists it).
//!
//! ```
//! use truck_modeling::{Point3, Vector3, builder};
//! let corner = builder::vertex(Point3::new(0.0, 0.0, 0.0));
//! let edge = builder::tsweep(&corner, 2.0 * Vector3::unit_x());
//! let face = builder::tsweep(&edge, 3.0 * Vector3::unit_y());
//! let block = builder::tsweep(&face, 4.0 * Vector3::unit_z());
//! let (brep, findings) = brepcd_truck::to_brep(&block, Default::default()).unwrap();
//! assert!(findings.is_empty());
//! assert!((brep.mass_properties().volume - 24.0).abs() < 1e-12);
//! ```

mod collapse;
mod curve;
mod entity;
mod error;
mod intersection;
mod step;
mod surface;
mod topology;

pub use error::TruckError;
pub use step::{StepHeader, brep_to_step, to_step};
pub use topology::{shell_to_brep, solids_to_brep, to_brep};

use brepcd_geom::{Point3, Vec3};

fn point(p: truck_modeling::Point3) -> Point3 {
    Point3::new(p.x, p.y, p.z)
}

fn vector(v: truck_modeling::Vector3) -> Vec3 {
    Vec3::new(v.x, v.y, v.z)
}
