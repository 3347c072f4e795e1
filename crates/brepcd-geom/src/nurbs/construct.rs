//! Exact rational forms of conics, revolutions and extrusions, and approximate offsets.
//!
//! A conic arc is a rational quadratic whose middle weight is the cosine (hyperbola: hyperbolic cosine) of half its
//! parameter range; knots are the conic's own parameters. Offsets are interpolated patch by patch at Chebyshev
//! points, the patches bisected in the direction that misses the tolerance.

use super::{NurbsCurve, NurbsError, NurbsSurface};
use crate::{Curve, Frame, Interval, Point3, Point4, Surface, Vec3};
use nalgebra::{Rotation3, SMatrix, Unit};
use std::f64::consts::{FRAC_PI_2, TAU};

/// Most pieces of an arc; beyond, the range is nonsense.
const MOST_PIECES: f64 = 64.0;
/// Parameter range of one piece of a hyperbola.
const HYPERBOLA_PIECE: f64 = 2.0;
/// Slack before a quarter turn gets a piece of its own.
const QUARTER_SLACK: f64 = 1e-9;

/// The part of a curve over an interval as a B-spline: exact, and with the curve's parameters at its knots.
///
/// Fails for an infinite or empty interval; of a B-spline, the interval is cut to its domain.
pub fn from_conic(curve: &Curve, range: Interval) -> Result<NurbsCurve, NurbsError> {
    let at = |p: Point3, w: f64| Point4::new(p.x * w, p.y * w, p.z * w, w);
    let pieces = |piece: f64| {
        (range.length() / piece - QUARTER_SLACK)
            .ceil()
            .clamp(1.0, MOST_PIECES)
    };
    let arc = |frame: &Frame, rx: f64, ry: f64| {
        quadratic(range, pieces(FRAC_PI_2), |t, half| {
            let w = half.cos();
            at(frame.point(rx * t.cos() / w, ry * t.sin() / w, 0.0), w)
        })
    };
    match curve {
        Curve::Line(_) => {
            let control = vec![
                at(curve.point(range.lo), 1.0),
                at(curve.point(range.hi), 1.0),
            ];
            NurbsCurve::new(1, vec![range.lo, range.lo, range.hi, range.hi], control)
        }
        Curve::Circle(c) => arc(&c.frame, c.radius, c.radius),
        Curve::Ellipse(e) => arc(&e.frame, e.rx, e.ry),
        Curve::Hyperbola(h) => quadratic(range, pieces(HYPERBOLA_PIECE), |t, half| {
            let w = half.cosh();
            at(
                h.frame.point(h.a * t.cosh() / w, h.b * t.sinh() / w, 0.0),
                w,
            )
        }),
        Curve::Parabola(p) => quadratic(range, 1.0, |t, half| {
            let product = t * t - half * half;
            at(
                p.frame.point(p.focal * product, p.focal * 2.0 * t, 0.0),
                1.0,
            )
        }),
        Curve::Nurbs(n) => Ok(n.restricted(range)),
    }
}

/// Joins rational quadratics; `control(t, 0)` is a point of the curve and `control(mid, half)` where tangents meet.
fn quadratic(
    range: Interval,
    pieces: f64,
    control: impl Fn(f64, f64) -> Point4,
) -> Result<NurbsCurve, NurbsError> {
    let half = 0.5 * range.length() / pieces;
    let mut points = vec![control(range.lo, 0.0)];
    let mut knots = vec![range.lo; 3];
    for i in 1..=pieces as usize {
        let end = if i == pieces as usize {
            range.hi
        } else {
            range.at(i as f64 / pieces)
        };
        points.push(control(end - half, half));
        points.push(control(end, 0.0));
        knots.extend([end, end]);
    }
    knots.push(range.hi);
    NurbsCurve::new(2, knots, points)
}

/// The surface swept by turning a curve about an axis, exact: `u` is about the angle (equal to it at every quarter),
/// `v` the curve's parameter.
///
/// A negative angle turns the other way; more than a turn is one turn; without a direction the axis is `z`.
pub fn revolve(
    curve: &NurbsCurve,
    axis_origin: Point3,
    axis_dir: Vec3,
    angle: f64,
) -> Result<NurbsSurface, NurbsError> {
    let axis = Unit::try_new(axis_dir, 0.0).unwrap_or_else(Vec3::z_axis);
    let (axis, angle) = if angle < 0.0 {
        (-axis, -angle)
    } else {
        (axis, angle)
    };
    let angle = if angle > 0.0 { angle.min(TAU) } else { TAU };
    let pieces = (angle / FRAC_PI_2 - QUARTER_SLACK).ceil().max(1.0);
    let half = 0.5 * angle / pieces;
    let count_u = 2 * pieces as usize + 1;
    let mut control = Vec::with_capacity(count_u * curve.control.len());
    for i in 0..count_u {
        let closing = i + 1 == count_u && angle == TAU;
        let turn = Rotation3::from_axis_angle(&axis, if closing { 0.0 } else { half * i as f64 });
        let weight = if i % 2 == 1 { half.cos() } else { 1.0 };
        for q in &curve.control {
            // homogeneous throughout: weight × foot on the axis, plus the turned radius
            let from = q.xyz() - axis_origin.coords * q.w;
            let along = axis.into_inner() * axis.dot(&from);
            let p = (axis_origin.coords * q.w + along) * weight + turn * (from - along);
            control.push(Point4::new(p.x, p.y, p.z, q.w * weight));
        }
    }
    let mut knots_u = vec![0.0; 3];
    for i in 1..=pieces as usize {
        let end = if i == pieces as usize {
            angle
        } else {
            2.0 * half * i as f64
        };
        knots_u.extend([end, end]);
    }
    knots_u.push(angle);
    NurbsSurface::new(
        2,
        curve.degree,
        knots_u,
        curve.knots.clone(),
        count_u,
        curve.control.len(),
        control,
    )
}

/// The surface swept by moving a curve along a vector: `u` is the curve's parameter, `v` the fraction of the vector.
pub fn extrude(curve: &NurbsCurve, along: Vec3) -> Result<NurbsSurface, NurbsError> {
    let mut control = Vec::with_capacity(2 * curve.control.len());
    for q in &curve.control {
        control.push(*q);
        control.push(q + Point4::new(along.x, along.y, along.z, 0.0) * q.w);
    }
    NurbsSurface::new(
        curve.degree,
        1,
        curve.knots.clone(),
        vec![0.0, 0.0, 1.0, 1.0],
        curve.control.len(),
        2,
        control,
    )
}

/// Degree of offset patches.
const OFFSET_DEGREE: usize = 5;
const NODES: usize = OFFSET_DEGREE + 1;
/// Most offset patches per direction.
const MOST_PATCHES: usize = 64;
/// How far (fraction of the range) a singular point is moved inwards to get a normal.
const NUDGE: f64 = 1e-6;
/// How far (fraction of the range) below its upper end the normal there is taken.
const BELOW: f64 = 1e-12;
/// Where, in a patch, the error is measured.
const PROBES: [f64; 4] = [0.02, 0.22, 0.61, 0.96];

/// The surface at a distance along the normal, over finite parameter intervals, and the largest deviation measured.
///
/// It keeps the parameters of the original. The deviation exceeds `tol` only if the offset has singularities or kinks
/// that the patches cannot follow. Fails for infinite or empty intervals.
pub fn offset(
    surface: &Surface,
    (range_u, range_v): (Interval, Interval),
    distance: f64,
    tol: f64,
) -> Result<(NurbsSurface, f64), NurbsError> {
    let usable = |r: Interval| r.length().is_finite() && r.length() > 0.0;
    if !usable(range_u) || !usable(range_v) {
        return Err(NurbsError::NotFinite);
    }
    let exact = |u: f64, v: f64| {
        // the upper ends may be creases, whose normal is that of the part above
        let below = |r: Interval, t: f64| t.min(r.hi - r.length() * BELOW);
        let normal = surface
            .normal(below(range_u, u), below(range_v, v))
            .or_else(|| {
                let inwards = |r: Interval, t: f64| t + (r.mid() - t) * NUDGE;
                surface.normal(inwards(range_u, u), inwards(range_v, v))
            });
        surface.point(u, v) + normal.unwrap_or_else(Vec3::zeros) * distance
    };
    let mut us = ends(range_u, surface.breaks_u());
    let mut vs = ends(range_v, surface.breaks_v());
    loop {
        let approximation = interpolate(&us, &vs, &exact)?;
        let mut deviation = 0.0_f64;
        let mut worst_u = vec![0.0_f64; us.len() - 1];
        let mut worst_v = vec![0.0_f64; vs.len() - 1];
        for (i, wu) in worst_u.iter_mut().enumerate() {
            let cell_u = Interval {
                lo: us[i],
                hi: us[i + 1],
            };
            for (j, wv) in worst_v.iter_mut().enumerate() {
                let cell_v = Interval {
                    lo: vs[j],
                    hi: vs[j + 1],
                };
                let miss = |a: f64, b: f64| {
                    let (u, v) = (cell_u.at(a), cell_v.at(b));
                    (approximation.point(u, v) - exact(u, v)).norm()
                };
                // on a line of nodes in one direction only the other direction errs
                for a in PROBES {
                    *wu = wu.max(miss(a, 0.0)).max(miss(a, node(2)));
                    *wv = wv.max(miss(0.0, a)).max(miss(node(2), a));
                    deviation = PROBES.iter().fold(deviation, |d, &b| d.max(miss(a, b)));
                }
                deviation = deviation.max(*wu).max(*wv);
            }
        }
        let refined_u = bisect(&us, &worst_u, 0.5 * tol);
        let refined_v = bisect(&vs, &worst_v, 0.5 * tol);
        let done = deviation <= tol || (refined_u.len() == us.len() && refined_v.len() == vs.len());
        if done || refined_u.len().max(refined_v.len()) > MOST_PATCHES + 1 {
            return Ok((approximation, deviation));
        }
        (us, vs) = (refined_u, refined_v);
    }
}

fn ends(range: Interval, breaks: Vec<f64>) -> Vec<f64> {
    let mut out = vec![range.lo];
    out.extend(
        breaks
            .into_iter()
            .filter(|t| range.lo < *t && *t < range.hi),
    );
    out.push(range.hi);
    out
}

fn bisect(ends: &[f64], worst: &[f64], tol: f64) -> Vec<f64> {
    let mut out = vec![ends[0]];
    for (pair, error) in ends.windows(2).zip(worst) {
        if *error > tol {
            out.push(0.5 * (pair[0] + pair[1]));
        }
        out.push(pair[1]);
    }
    out
}

/// Chebyshev-Lobatto points of the unit interval.
fn node(i: usize) -> f64 {
    0.5 - 0.5 * (std::f64::consts::PI * i as f64 / OFFSET_DEGREE as f64).cos()
}

/// Bézier patches through the nodes of every cell, joined into one B-spline.
fn interpolate(
    us: &[f64],
    vs: &[f64],
    exact: &impl Fn(f64, f64) -> Point3,
) -> Result<NurbsSurface, NurbsError> {
    let basis = SMatrix::<f64, NODES, NODES>::from_fn(|i, j| bernstein(j, node(i)));
    let inverse = basis.try_inverse().unwrap_or_else(SMatrix::identity);
    let count = |ends: &[f64]| (ends.len() - 1) * OFFSET_DEGREE + 1;
    let (count_u, count_v) = (count(us), count(vs));
    let params = |ends: &[f64]| -> Vec<f64> {
        let inner = ends.windows(2).flat_map(|e| {
            let cell = Interval { lo: e[0], hi: e[1] };
            (0..OFFSET_DEGREE).map(move |i| cell.at(node(i)))
        });
        inner.chain(ends.last().copied()).collect()
    };
    let (tu, tv) = (params(us), params(vs));
    let mut grid: Vec<Vec3> = Vec::with_capacity(count_u * count_v);
    for &u in &tu {
        grid.extend(tv.iter().map(|&v| exact(u, v).coords));
    }
    // one direction after the other; ends of cells are interpolated, so cells only share what both leave alone
    let mut solve = |start: usize, stride: usize| {
        let values: [Vec3; NODES] = std::array::from_fn(|k| grid[start + k * stride]);
        for i in 1..OFFSET_DEGREE {
            grid[start + i * stride] = (0..NODES).map(|k| values[k] * inverse[(i, k)]).sum();
        }
    };
    for iu in 0..count_u {
        (0..vs.len() - 1).for_each(|cell| solve(iu * count_v + cell * OFFSET_DEGREE, 1));
    }
    for iv in 0..count_v {
        (0..us.len() - 1).for_each(|cell| solve(cell * OFFSET_DEGREE * count_v + iv, count_v));
    }
    let knots = |ends: &[f64]| -> Vec<f64> {
        let inner = ends.iter().flat_map(|&t| [t; OFFSET_DEGREE]);
        ends.first()
            .copied()
            .into_iter()
            .chain(inner)
            .chain(ends.last().copied())
            .collect()
    };
    NurbsSurface::new(
        OFFSET_DEGREE,
        OFFSET_DEGREE,
        knots(us),
        knots(vs),
        count_u,
        count_v,
        grid.iter()
            .map(|p| Point4::new(p.x, p.y, p.z, 1.0))
            .collect(),
    )
}

fn bernstein(j: usize, t: f64) -> f64 {
    let binomial = (0..j).fold(1.0, |b, k| b * (OFFSET_DEGREE - k) as f64 / (k + 1) as f64);
    binomial * t.powi(j as i32) * (1.0 - t).powi((OFFSET_DEGREE - j) as i32)
}

#[cfg(test)]
mod tests;
