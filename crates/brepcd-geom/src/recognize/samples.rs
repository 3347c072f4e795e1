//! Points and normals at which a B-spline is compared with a candidate.

use super::fit::Fit;
use crate::nurbs::NurbsSurface;
use crate::{Interval, Point3, Vec3};

/// Coarse samples per direction.
const COARSE: usize = 7;
/// Most dense samples per direction.
const DENSE: usize = 200;

/// A point of the surface with its unit normal.
pub(super) struct Sample {
    /// Position.
    pub p: Point3,
    /// Unit normal.
    pub n: Vec3,
}

/// A few regular points spread over the knot spans; `None` if the surface is singular nearly everywhere.
pub(super) fn coarse(surface: &NurbsSurface) -> Option<Vec<Sample>> {
    let (du, dv) = surface.domain();
    let spread = |domain: Interval, breaks: Vec<f64>| {
        let ends = span_ends(domain, &breaks);
        let spans = ends.len() - 1;
        (0..COARSE)
            .map(|i| {
                let at = (i as f64 + 0.5) / COARSE as f64 * spans as f64;
                let k = (at as usize).min(spans - 1);
                Interval {
                    lo: ends[k],
                    hi: ends[k + 1],
                }
                .at(at - k as f64)
            })
            .collect::<Vec<_>>()
    };
    let (us, vs) = (
        spread(du, surface.breaks_u()),
        spread(dv, surface.breaks_v()),
    );
    let mut out = Vec::with_capacity(COARSE * COARSE);
    for &u in &us {
        for &v in &vs {
            let jet = surface.jet(u, v);
            if let Some(n) = jet.normal().filter(|n| n.iter().all(|c| c.is_finite())) {
                out.push(Sample { p: jet.p, n });
            }
        }
    }
    (2 * out.len() > COARSE * COARSE).then_some(out)
}

fn span_ends(domain: Interval, breaks: &[f64]) -> Vec<f64> {
    let mut ends = vec![domain.lo];
    ends.extend(
        breaks
            .iter()
            .copied()
            .filter(|t| domain.lo < *t && *t < domain.hi),
    );
    ends.push(domain.hi);
    ends
}

/// Parameters with as many per span as a squared distance of this degree needs, all span ends included.
pub(super) fn dense(domain: Interval, breaks: &[f64], degree: usize) -> Vec<f64> {
    let ends = span_ends(domain, breaks);
    let per_span = (DENSE / (ends.len() - 1)).clamp(2, 2 * degree + 2);
    let mut out = vec![domain.lo];
    for pair in ends.windows(2) {
        let span = Interval {
            lo: pair[0],
            hi: pair[1],
        };
        out.extend((1..=per_span).map(|i| span.at(i as f64 / per_span as f64)));
    }
    out
}

/// Largest distance over a dense grid, `None` as soon as it exceeds `tol`.
pub(super) fn dense_deviation(surface: &NurbsSurface, fit: &Fit, tol: f64) -> Option<f64> {
    let (du, dv) = surface.domain();
    let vs = dense(dv, &surface.breaks_v(), surface.degree_v);
    let mut deviation = 0.0_f64;
    for u in dense(du, &surface.breaks_u(), surface.degree_u) {
        for &v in &vs {
            let d = fit.residual(&surface.point(u, v)).abs();
            if d.is_nan() || d > tol {
                return None;
            }
            deviation = deviation.max(d);
        }
    }
    Some(deviation)
}
