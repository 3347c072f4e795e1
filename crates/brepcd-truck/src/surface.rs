//! truck surfaces as ours.

use crate::curve::{self, CurveError, RECOGNISED_SHARE, degree};
use crate::{point, vector};
use brepcd_brep::{FaceKind, Tolerance};
use brepcd_geom::nurbs::{NurbsError, NurbsSurface, construct, lift};
use brepcd_geom::surface::Plane;
use brepcd_geom::{Frame, Point4, Surface, Vec3, recognize};
use nalgebra::Matrix4;
use std::f64::consts::TAU;
use std::sync::Arc;
use truck_modeling::{
    Curve as TruckCurve, Matrix4 as TruckMatrix, Processor, RevolutedCurve, Surface as TruckSurface,
};

/// Why a surface cannot be taken over.
#[derive(Debug)]
pub(crate) enum SurfaceError {
    Spline(NurbsError),
    Direction,
}

impl From<NurbsError> for SurfaceError {
    fn from(error: NurbsError) -> Self {
        Self::Spline(error)
    }
}

impl From<CurveError> for SurfaceError {
    fn from(error: CurveError) -> Self {
        match error {
            CurveError::Spline(reason) => Self::Spline(reason),
            CurveError::Apart(_) => Self::Direction,
        }
    }
}

/// A surface taken over.
pub(crate) struct Converted {
    pub surface: Surface,
    /// True if `du × dv` is on the same side as truck's.
    pub same_side: bool,
    /// truck's type.
    pub kind: FaceKind,
}

pub(crate) fn convert(surface: &TruckSurface, tol: &Tolerance) -> Result<Converted, SurfaceError> {
    let (spline, same_side, kind) = match surface {
        TruckSurface::Plane(plane) => {
            let (origin, x, y) = (
                point(plane.origin()),
                vector(plane.u_axis()),
                vector(plane.v_axis()),
            );
            let frame = Frame::from_z_and_hint(origin, x.cross(&y), Some(x))
                .filter(|f| f.origin.iter().chain(f.x.iter()).all(|c| c.is_finite()))
                .ok_or(SurfaceError::Direction)?;
            return Ok(Converted {
                surface: Surface::Plane(Plane { frame }),
                same_side: true,
                kind: FaceKind::Plane,
            });
        }
        TruckSurface::BSplineSurface(s) => {
            let rows = s
                .control_points()
                .iter()
                .map(|row| row.iter().map(|p| lift(&point(*p), 1.0)).collect());
            (
                from_rows(
                    s.uknot_vec().to_vec(),
                    s.vknot_vec().to_vec(),
                    rows.collect(),
                )?,
                true,
                FaceKind::Bspline,
            )
        }
        TruckSurface::NurbsSurface(s) => {
            let row = |row: &Vec<truck_modeling::Vector4>| {
                row.iter()
                    .map(|q| Point4::new(q.x, q.y, q.z, q.w))
                    .collect()
            };
            let rows = s.control_points().iter().map(row).collect();
            (
                from_rows(s.uknot_vec().to_vec(), s.vknot_vec().to_vec(), rows)?,
                true,
                FaceKind::Bspline,
            )
        }
        TruckSurface::RevolutedCurve(s) => {
            (revolution(s, tol)?, !s.orientation(), FaceKind::Revolution)
        }
    };
    Ok(
        match recognize::surface(&spline, RECOGNISED_SHARE * tol.length) {
            Some((canonical, _)) => {
                let same_side = same_side == recognize::same_orientation(&spline, &canonical);
                Converted {
                    surface: canonical,
                    same_side,
                    kind,
                }
            }
            None => Converted {
                surface: Surface::Nurbs(Arc::new(spline)),
                same_side,
                kind,
            },
        },
    )
}

fn from_rows(
    knots_u: Vec<f64>,
    knots_v: Vec<f64>,
    rows: Vec<Vec<Point4>>,
) -> Result<NurbsSurface, NurbsError> {
    let (count_u, count_v) = (rows.len(), rows.first().map_or(0, Vec::len));
    let (degree_u, degree_v) = (
        degree(knots_u.len(), count_u),
        degree(knots_v.len(), count_v),
    );
    NurbsSurface::new(
        degree_u,
        degree_v,
        knots_u,
        knots_v,
        count_u,
        count_v,
        rows.into_iter().flatten().collect(),
    )
}

/// The whole turn, `u` about the axis and `v` along the curve; truck has them the other way round.
fn revolution(
    s: &Processor<RevolutedCurve<TruckCurve>, TruckMatrix>,
    tol: &Tolerance,
) -> Result<NurbsSurface, SurfaceError> {
    let profile = curve::spline(s.entity_curve(), tol)?;
    let axis = vector(s.axis());
    if !(axis.norm() > 0.0 && axis.norm().is_finite()) {
        return Err(SurfaceError::Direction);
    }
    let turned = construct::revolve(&profile, point(s.origin()), axis, TAU)?;
    let columns: &[[f64; 4]; 4] = s.transform().as_ref();
    let moved = Matrix4::from(*columns);
    if moved == Matrix4::identity() {
        return Ok(turned);
    }
    let control = turned.control.iter().map(|q| moved * q).collect();
    let (knots_u, knots_v) = (turned.knots_u.clone(), turned.knots_v.clone());
    let (n, m) = (turned.count_u, turned.count_v);
    Ok(NurbsSurface::new(
        turned.degree_u,
        turned.degree_v,
        knots_u,
        knots_v,
        n,
        m,
        control,
    )?)
}

/// True if a curve on its own axis was turned, which gives no surface.
pub(crate) fn is_axis(surface: &TruckSurface, tol: &Tolerance) -> bool {
    let TruckSurface::RevolutedCurve(s) = surface else {
        return false;
    };
    let Ok(profile) = curve::spline(s.entity_curve(), tol) else {
        return false;
    };
    let (origin, axis) = (point(s.origin()), vector(s.axis()));
    let on_axis = |q: &Point4| {
        let from: Vec3 = q.xyz() / q.w - origin.coords;
        from.cross(&axis).norm() <= tol.length * axis.norm()
    };
    profile.control.iter().all(on_axis)
}
