//! Points, directions, axes and transformations.

use std::cell::Cell;

use brepcd_geom::{Frame, Point3, Pose, Vec3};
use nalgebra::{Matrix3, Rotation3, Translation3, UnitQuaternion};

use crate::error::Read;
use crate::p21::{Entity, Exchange};
use crate::units::Units;

/// Reads the geometry of one representation context; lengths come out in millimetres, angles in radians.
#[derive(Clone)]
pub(crate) struct Geometry<'a> {
    /// The file.
    pub file: &'a Exchange,
    /// Units of the context.
    pub units: Units,
    /// Length tolerance for conversions, millimetres.
    pub tol: f64,
    /// Nested definitions still allowed for the item being read.
    pub budget: Cell<u32>,
}

/// Nested curve and surface definitions followed for one face or edge.
pub(crate) const MAX_DEFINITIONS: u32 = 100_000;
/// How deeply curves and surfaces may be defined by others.
pub(crate) const MAX_DEPTH: usize = 24;
/// Largest coordinate and radius taken seriously, millimetres: beyond, rounding exceeds the finest tolerance.
pub(crate) const MAX_COORDINATE: f64 = 1e9;
/// Deviation of a scale from 1 under which it is ignored.
const UNIT_SCALE: f64 = 1e-6;

impl<'a> Geometry<'a> {
    /// A reader for a context.
    pub fn new(file: &'a Exchange, units: Units, tol: f64) -> Self {
        Self {
            file,
            units,
            tol,
            budget: Cell::new(MAX_DEFINITIONS),
        }
    }

    /// Counts one nested definition; a fault when there are too many.
    pub fn spend(&self, entity: Entity<'_>, depth: usize) -> Read<()> {
        if depth > MAX_DEPTH {
            return Err(entity.fault("defined through a circle of references or too deeply"));
        }
        let left = self.budget.get();
        if left == 0 {
            return Err(entity.fault("defined by too many other entities"));
        }
        self.budget.set(left - 1);
        Ok(())
    }

    /// A `CARTESIAN_POINT`; a missing third coordinate is 0.
    pub fn point(&self, entity: Entity<'_>) -> Read<Point3> {
        let args = entity.args();
        if !entity.is("CARTESIAN_POINT") {
            return Err(entity.fault(format!(
                "expected a CARTESIAN_POINT, found {}",
                entity.name()
            )));
        }
        let c = args.reals(1)?;
        if c.is_empty() || c.len() > 3 {
            return Err(args.fault(format!("{} coordinates", c.len())));
        }
        let at = |i: usize| c.get(i).copied().unwrap_or(0.0) * self.units.length;
        let p = Point3::new(at(0), at(1), at(2));
        if p.iter().all(|x| x.abs() <= MAX_COORDINATE) {
            Ok(p)
        } else {
            Err(args.fault("coordinates out of range"))
        }
    }

    /// A `DIRECTION`, made unit.
    pub fn direction(&self, entity: Entity<'_>) -> Read<Vec3> {
        let args = entity.args();
        if !entity.is("DIRECTION") {
            return Err(entity.fault(format!("expected a DIRECTION, found {}", entity.name())));
        }
        let c = args.reals(1)?;
        let at = |i: usize| c.get(i).copied().unwrap_or(0.0);
        let v = Vec3::new(at(0), at(1), at(2));
        v.try_normalize(0.0)
            .filter(|v| v.iter().all(|x| x.is_finite()))
            .ok_or_else(|| args.fault("a direction of length 0"))
    }

    /// A `VECTOR`: unit direction and magnitude in millimetres.
    pub fn vector(&self, entity: Entity<'_>) -> Read<(Vec3, f64)> {
        if entity.is("DIRECTION") {
            return Ok((self.direction(entity)?, self.units.length));
        }
        let args = entity.args();
        let d = self.direction(self.file.follow(&args, 1)?)?;
        let magnitude = args.real(2)? * self.units.length;
        if magnitude < 0.0 {
            Ok((-d, -magnitude))
        } else {
            Ok((d, magnitude))
        }
    }

    /// An `AXIS2_PLACEMENT_3D`, `AXIS2_PLACEMENT_2D` or `AXIS1_PLACEMENT` with its defaults.
    pub fn frame(&self, entity: Entity<'_>) -> Read<Frame> {
        let args = entity.args();
        let flat = entity.is("AXIS2_PLACEMENT_2D");
        if !flat && !entity.is("AXIS2_PLACEMENT_3D") && !entity.is("AXIS1_PLACEMENT") {
            return Err(entity.fault(format!(
                "expected an axis placement, found {}",
                entity.name()
            )));
        }
        let origin = self.point(self.file.follow(&args, 1)?)?;
        let optional = |i: usize| -> Read<Option<Vec3>> {
            if args.is_unset(i) {
                Ok(None)
            } else {
                self.direction(self.file.follow(&args, i)?).map(Some)
            }
        };
        let (z, x) = if flat {
            (None, optional(1 + 1)?)
        } else {
            (optional(2)?, optional(3)?)
        };
        let z = z.unwrap_or_else(Vec3::z);
        let x = x.unwrap_or_else(|| {
            if z.x.abs() < 1.0 {
                Vec3::x()
            } else {
                Vec3::y()
            }
        });
        Frame::from_z_and_hint(origin, z, Some(x))
            .ok_or_else(|| args.fault("its axes span no frame"))
    }

    /// A placement or a `CARTESIAN_TRANSFORMATION_OPERATOR_3D` as a frame, and its scale (negative if mirrored).
    pub fn operator(&self, entity: Entity<'_>) -> Read<(Frame, f64)> {
        if !entity.any_name(|n| n.starts_with("CARTESIAN_TRANSFORMATION_OPERATOR")) {
            return Ok((self.frame(entity)?, 1.0));
        }
        // Attributes: (representation item name,) name, description, axis1, axis2, local origin, scale, axis3.
        let args = entity.args();
        let first = usize::from(args.len() >= 8);
        let optional = |i: usize| -> Read<Option<Vec3>> {
            if args.is_unset(i) {
                Ok(None)
            } else {
                self.direction(self.file.follow(&args, i)?).map(Some)
            }
        };
        let x = optional(first + 2)?;
        let y = optional(first + 3)?;
        let origin = self.point(self.file.follow(&args, first + 4)?)?;
        let scale = if args.is_unset(first + 5) {
            1.0
        } else {
            args.real(first + 5)?
        };
        let z = optional(first + 6)?;
        let z = z.or_else(|| Some(x?.cross(&y?))).unwrap_or_else(Vec3::z);
        let frame = Frame::from_z_and_hint(origin, z, x.or(Some(Vec3::x())))
            .ok_or_else(|| args.fault("its axes span no frame"))?;
        let mirrored = y.is_some_and(|y| y.dot(&frame.y) < 0.0);
        Ok((frame, if mirrored { -scale } else { scale }))
    }
}

/// The pose that takes a frame's coordinates to those the frame is given in.
pub(crate) fn pose(frame: &Frame) -> Pose {
    let rotation =
        Rotation3::from_matrix_unchecked(Matrix3::from_columns(&[frame.x, frame.y, frame.z]));
    Pose::from_parts(
        Translation3::from(frame.origin.coords),
        UnitQuaternion::from_rotation_matrix(&rotation),
    )
}

/// True when an operator's scale is 1 within rounding: a rigid motion.
pub(crate) fn is_rigid(scale: f64) -> bool {
    (scale - 1.0).abs() <= UNIT_SCALE
}
