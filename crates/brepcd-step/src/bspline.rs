//! B-spline curves and surfaces in all the forms the standard has, and splines made from other curves.

use std::sync::Arc;

use brepcd_geom::curve::Line;
use brepcd_geom::nurbs::{NurbsCurve, NurbsSurface, lift};
use brepcd_geom::{Curve, Point3, Point4};

use crate::error::Read;
use crate::p21::{Args, Entity};
use crate::placement::Geometry;

impl Geometry<'_> {
    /// A B-spline curve in any of its forms.
    pub fn bspline_curve(&self, entity: Entity<'_>) -> Read<NurbsCurve> {
        let simple = entity.part("B_SPLINE_CURVE").is_none();
        let args = entity
            .part("B_SPLINE_CURVE")
            .unwrap_or_else(|| entity.args());
        let first = usize::from(simple || args.len() > 5);
        let degree = args.count(first)?;
        let ids = args.references(first + 1)?;
        let mut control: Vec<Point4> = Vec::with_capacity(ids.len());
        for id in ids {
            control.push(lift(&self.point(self.file.get(id, &args)?)?, 1.0));
        }
        if let Some(rational) = entity.part("RATIONAL_B_SPLINE_CURVE") {
            let weights = rational.reals(rational.len().saturating_sub(1))?;
            if weights.len() != control.len() {
                return Err(rational.fault(format!(
                    "{} weights for {} points",
                    weights.len(),
                    control.len()
                )));
            }
            control.iter_mut().zip(weights).for_each(|(q, w)| *q *= w);
        }
        let knots = if let Some(with_knots) = entity.part("B_SPLINE_CURVE_WITH_KNOTS") {
            let at = if simple {
                first + 5
            } else {
                with_knots.len().saturating_sub(3)
            };
            expanded(&with_knots, at, at + 1, control.len(), degree)?
        } else {
            implied_knots(entity, degree, control.len())?
        };
        NurbsCurve::new(degree, knots, control).map_err(|e| entity.fault(e.to_string()))
    }

    /// A B-spline surface in any of its forms.
    pub fn bspline_surface(&self, entity: Entity<'_>) -> Read<NurbsSurface> {
        let simple = entity.part("B_SPLINE_SURFACE").is_none();
        let args = entity
            .part("B_SPLINE_SURFACE")
            .unwrap_or_else(|| entity.args());
        let first = usize::from(simple || args.len() > 7);
        let (degree_u, degree_v) = (args.count(first)?, args.count(first + 1)?);
        let rows = args.reference_grid(first + 2)?;
        let (count_u, count_v) = (rows.len(), rows.first().map_or(0, Vec::len));
        if rows.iter().any(|row| row.len() != count_v) {
            return Err(args.fault("rows of control points of different lengths"));
        }
        let mut control: Vec<Point4> = Vec::with_capacity(count_u * count_v);
        for id in rows.into_iter().flatten() {
            control.push(lift(&self.point(self.file.get(id, &args)?)?, 1.0));
        }
        if let Some(rational) = entity.part("RATIONAL_B_SPLINE_SURFACE") {
            let weights = rational.real_grid(rational.len().saturating_sub(1))?;
            if weights.len() != count_u || weights.iter().any(|row| row.len() != count_v) {
                return Err(rational.fault("the weights do not fit the control points"));
            }
            control
                .iter_mut()
                .zip(weights.into_iter().flatten())
                .for_each(|(q, w)| *q *= w);
        }
        let (knots_u, knots_v) =
            if let Some(with_knots) = entity.part("B_SPLINE_SURFACE_WITH_KNOTS") {
                let at = if simple {
                    first + 7
                } else {
                    with_knots.len().saturating_sub(5)
                };
                (
                    expanded(&with_knots, at, at + 2, count_u, degree_u)?,
                    expanded(&with_knots, at + 1, at + 3, count_v, degree_v)?,
                )
            } else {
                (
                    implied_knots(entity, degree_u, count_u)?,
                    implied_knots(entity, degree_v, count_v)?,
                )
            };
        NurbsSurface::new(
            degree_u, degree_v, knots_u, knots_v, count_u, count_v, control,
        )
        .map_err(|e| entity.fault(e.to_string()))
    }
}

/// Knots with their multiplicities written out.
fn expanded(
    args: &Args<'_>,
    mults: usize,
    knots: usize,
    count: usize,
    degree: usize,
) -> Read<Vec<f64>> {
    let (mults, knots) = (args.counts(mults)?, args.reals(knots)?);
    let total = mults.iter().fold(0_usize, |a, m| a.saturating_add(*m));
    if mults.len() != knots.len() || total != count.saturating_add(degree).saturating_add(1) {
        return Err(args.fault(format!(
            "{total} knots do not fit {count} control points of degree {degree}"
        )));
    }
    Ok(knots
        .iter()
        .zip(mults)
        .flat_map(|(k, m)| std::iter::repeat_n(*k, m))
        .collect())
}

/// Knots of the forms that do not list them: Bézier, quasi-uniform, uniform.
fn implied_knots(entity: Entity<'_>, degree: usize, count: usize) -> Read<Vec<f64>> {
    if degree == 0 || count <= degree {
        return Err(entity.fault(format!(
            "{count} control points are too few for degree {degree}"
        )));
    }
    let multiple = |ends: usize, spans: usize, inner: usize| -> Vec<f64> {
        (0..=spans)
            .flat_map(|k| {
                std::iter::repeat_n(k as f64, if k == 0 || k == spans { ends } else { inner })
            })
            .collect()
    };
    if entity.any_name(|n| n.starts_with("BEZIER")) {
        if !(count - 1).is_multiple_of(degree) {
            return Err(entity.fault(format!(
                "{count} control points make no Bézier pieces of degree {degree}"
            )));
        }
        Ok(multiple(degree + 1, (count - 1) / degree, degree))
    } else if entity.any_name(|n| n.starts_with("UNIFORM")) {
        Ok((0..=count + degree)
            .map(|k| k as f64 - degree as f64)
            .collect())
    } else {
        Ok(multiple(degree + 1, count - degree, 1))
    }
}

/// The curve through points, straight between them.
pub(crate) fn polyline(mut points: Vec<Point3>) -> Result<Curve, String> {
    points.dedup();
    match points.as_slice() {
        [] | [_] => Err("a polyline of fewer than two points".to_owned()),
        [a, b] => Ok(Curve::Line(Line {
            origin: *a,
            dir: (b - a).normalize(),
        })),
        _ => {
            let mut knots = vec![0.0];
            knots.extend((0..points.len()).map(|i| i as f64));
            knots.push((points.len() - 1) as f64);
            let control = points.iter().map(|p| lift(p, 1.0)).collect();
            let curve = NurbsCurve::new(1, knots, control).map_err(|e| e.to_string())?;
            Ok(Curve::Nurbs(Arc::new(curve)))
        }
    }
}

/// One curve from pieces that follow each other; each keeps its parameter length.
pub(crate) fn join(pieces: Vec<NurbsCurve>) -> Result<NurbsCurve, String> {
    let degree = pieces
        .iter()
        .map(|p| p.degree)
        .max()
        .ok_or("a composite curve of no segments")?;
    let mut knots: Vec<f64> = Vec::new();
    let mut control: Vec<Point4> = Vec::new();
    for mut piece in pieces {
        while piece.degree < degree {
            piece = piece.elevate();
        }
        let lo = piece.domain().lo;
        match (knots.last().copied(), control.last().copied()) {
            (Some(end), Some(last)) => {
                let scale = piece.control.first().map_or(1.0, |first| last.w / first.w);
                knots.truncate(knots.len() - 1);
                knots.extend(piece.knots[degree + 1..].iter().map(|k| end + (k - lo)));
                control.extend(piece.control[1..].iter().map(|q| q * scale));
            }
            _ => {
                knots = piece.knots.iter().map(|k| k - lo).collect();
                control = piece.control;
            }
        }
    }
    NurbsCurve::new(degree, knots, control).map_err(|e| e.to_string())
}
