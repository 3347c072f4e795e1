//! Splines: degrees, counts, knots with how often each occurs, control points, weights.

use std::sync::Arc;

use brepcd_geom::Point4;
use brepcd_geom::nurbs::basis::MAX_DEGREE;
use brepcd_geom::nurbs::{NurbsCurve, NurbsSurface};

use super::FileError;
use super::input::Input;
use super::output::Output;

/// The weights as stretches of equal ones, as most splines have one, then homogeneous coordinates of all points.
pub(super) fn write_control(out: &mut Output, control: &[Point4]) {
    out.stretches(control.iter().map(|p| p.w));
    for point in control {
        out.numbers([&point.x, &point.y, &point.z]);
    }
}

/// `count` control points with positive weights.
pub(super) fn read_control(input: &mut Input, count: usize) -> Result<Vec<Point4>, FileError> {
    let needed = count.checked_mul(3 * size_of::<f64>());
    input.check(
        needed.is_some_and(|bytes| bytes <= input.left()),
        "there are more control points than bytes",
    )?;
    let mut weights = Vec::new();
    input.stretches(count, |input, length, weight| {
        weights.push((length, weight));
        input.check(weight > 0.0, "a weight is not positive")
    })?;
    let mut out = Vec::with_capacity(count);
    for (length, w) in weights {
        input.points(length, w, &mut out)?;
    }
    Ok(out)
}

pub(super) fn write_curve(curve: &NurbsCurve) -> Vec<u8> {
    let mut out = Output::default();
    out.byte(curve.degree.min(u8::MAX.into()) as u8);
    out.whole(curve.control.len() as u64);
    write_control(&mut out, &curve.control);
    out.stretches(curve.knots.iter().copied());
    out.bytes
}

pub(super) fn read_curve(input: &mut Input) -> Result<Arc<NurbsCurve>, FileError> {
    let (degree, count) = size(input)?;
    let control = read_control(input, count)?;
    let knots = read_knots(input, degree, count)?;
    NurbsCurve::new(degree, knots, control)
        .map(Arc::new)
        .map_err(|e| input.invalid(e.to_string()))
}

pub(super) fn write_surface(surface: &NurbsSurface) -> Vec<u8> {
    let mut out = Output::default();
    let sizes = [
        (surface.degree_u, surface.count_u),
        (surface.degree_v, surface.count_v),
    ];
    for (degree, count) in sizes {
        out.byte(degree.min(u8::MAX.into()) as u8);
        out.whole(count as u64);
    }
    write_control(&mut out, &surface.control);
    out.stretches(surface.knots_u.iter().copied());
    out.stretches(surface.knots_v.iter().copied());
    out.bytes
}

pub(super) fn read_surface(input: &mut Input) -> Result<Arc<NurbsSurface>, FileError> {
    let (degree_u, count_u) = size(input)?;
    let (degree_v, count_v) = size(input)?;
    let count = count_u.saturating_mul(count_v);
    let control = read_control(input, count)?;
    let knots_u = read_knots(input, degree_u, count_u)?;
    let knots_v = read_knots(input, degree_v, count_v)?;
    NurbsSurface::new(
        degree_u, degree_v, knots_u, knots_v, count_u, count_v, control,
    )
    .map(Arc::new)
    .map_err(|e| input.invalid(e.to_string()))
}

/// Degree and number of control points of one direction.
fn size(input: &mut Input) -> Result<(usize, usize), FileError> {
    let degree = usize::from(input.byte()?);
    let count = usize::try_from(input.whole()?).unwrap_or(usize::MAX);
    input.check((1..=MAX_DEGREE).contains(&degree), "an impossible degree")?;
    input.check(count > degree, "too few control points for the degree")?;
    Ok((degree, count))
}

/// Clamped knots; the control points, which have been read, bound their number.
fn read_knots(input: &mut Input, degree: usize, count: usize) -> Result<Vec<f64>, FileError> {
    let total = count + degree + 1;
    let mut knots = Vec::with_capacity(total);
    input.stretches(total, |input, length, knot| {
        let first = knots.is_empty();
        let ascending = knots.last().is_none_or(|before| *before < knot);
        knots.resize(knots.len() + length, knot);
        let last = knots.len() == total;
        let clamped = match (first, last) {
            (true, true) => false,
            (false, false) => length <= degree,
            _ => length == degree + 1,
        };
        input.check(ascending && clamped, "knots are not ascending and clamped")
    })?;
    Ok(knots)
}
