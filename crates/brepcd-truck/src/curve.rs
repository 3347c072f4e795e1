//! truck curves as ours.

use crate::{intersection, point};
use brepcd_brep::{EdgeKind, Tolerance};
use brepcd_geom::curve::Line;
use brepcd_geom::nurbs::{NurbsCurve, NurbsError, lift};
use brepcd_geom::{Curve, Point3, Point4, recognize};
use std::sync::Arc;
use truck_modeling::{BSplineCurve, Curve as TruckCurve};

/// Share of the length tolerance within which truck's splines count as lines, circles and canonical surfaces.
///
/// truck builds circles exactly, so what deviates by more is meant to.
pub(crate) const RECOGNISED_SHARE: f64 = 1e-3;

/// Why a curve cannot be taken over.
#[derive(Debug)]
pub(crate) enum CurveError {
    Spline(NurbsError),
    Apart(Point3),
}

impl From<NurbsError> for CurveError {
    fn from(error: NurbsError) -> Self {
        Self::Spline(error)
    }
}

/// The curve in its own direction, and truck's type of it.
pub(crate) fn convert(
    curve: &TruckCurve,
    tol: &Tolerance,
) -> Result<(Curve, EdgeKind), CurveError> {
    if let TruckCurve::Line(line) = curve {
        let (origin, end) = (point(line.0), point(line.1));
        return match (end - origin)
            .try_normalize(0.0)
            .filter(|d| d.iter().all(|c| c.is_finite()))
        {
            Some(dir) => Ok((Curve::Line(Line { origin, dir }), EdgeKind::Line)),
            None => Err(NurbsError::NotFinite.into()),
        };
    }
    let spline = spline(curve, tol)?;
    let (kind, share) = match curve {
        TruckCurve::IntersectionCurve(_) => (EdgeKind::Other, 1.0),
        _ => (EdgeKind::Bspline, RECOGNISED_SHARE),
    };
    Ok(match recognize::curve(&spline, share * tol.length) {
        Some((canonical, _)) => (canonical, kind),
        None => (Curve::Nurbs(Arc::new(spline)), kind),
    })
}

/// The curve as a B-spline in its own direction, exact except for intersection curves.
pub(crate) fn spline(curve: &TruckCurve, tol: &Tolerance) -> Result<NurbsCurve, CurveError> {
    match curve {
        TruckCurve::Line(line) => {
            let control = [line.0, line.1].map(|p| lift(&point(p), 1.0)).to_vec();
            Ok(NurbsCurve::new(1, vec![0.0, 0.0, 1.0, 1.0], control)?)
        }
        TruckCurve::BSplineCurve(c) => Ok(polynomial(c)?),
        TruckCurve::NurbsCurve(c) => {
            let c = c.non_rationalized();
            let control = c
                .control_points()
                .iter()
                .map(|q| Point4::new(q.x, q.y, q.z, q.w))
                .collect();
            Ok(from_knots(c.knot_vec().to_vec(), control)?)
        }
        TruckCurve::IntersectionCurve(c) => intersection::spline(c, tol),
    }
}

pub(crate) fn polynomial(
    c: &BSplineCurve<truck_modeling::Point3>,
) -> Result<NurbsCurve, NurbsError> {
    let control = c
        .control_points()
        .iter()
        .map(|p| lift(&point(*p), 1.0))
        .collect();
    from_knots(c.knot_vec().to_vec(), control)
}

fn from_knots(knots: Vec<f64>, control: Vec<Point4>) -> Result<NurbsCurve, NurbsError> {
    NurbsCurve::new(degree(knots.len(), control.len()), knots, control)
}

/// The degree that fits the counts; 0, which is none, if they contradict each other.
pub(crate) fn degree(knots: usize, control: usize) -> usize {
    knots.saturating_sub(control + 1)
}
