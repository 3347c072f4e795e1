//! Canonical curves and surfaces hidden in B-splines.
//!
//! A coarse grid of points and normals gives closed-form candidates: normals of a cylinder are orthogonal to its axis,
//! tangent planes of a cone meet in its apex, `p - r n` is constant on a sphere, and the normal lines of a torus lie in
//! one linear complex (Pottmann, Randrup: Rotational and helical surface approximation, 1998) after which its meridian
//! is a circle. A few Gauss-Newton steps polish the candidate, and a dense grid decides. The parametrisation of the
//! result has nothing to do with that of the input.

mod candidate;
mod curve;
mod fit;
mod plane;
mod samples;

use crate::nurbs::{NurbsCurve, NurbsSurface};
use crate::{Aabb, Curve, Surface};

/// Deviation of a closed-form candidate, relative to the size, beyond which it is not polished.
const GATE: f64 = 0.02;
/// Sizes below this multiple of the tolerance are not judged.
const SMALLEST: f64 = 10.0;
/// Smallest cosine between the normals of input and result.
const NORMAL_COSINE: f64 = 0.99;
/// Largest radius relative to the size.
const LARGEST_RADIUS: f64 = 1e5;
/// Relative size of quantities that count as zero.
const NOTHING: f64 = 1e-12;
/// Most iterations of an eigenvalue computation.
const EIGEN_STEPS: usize = 1000;

/// The plane, cylinder, cone, sphere or torus within `tol` of the whole surface, and the largest distance found.
///
/// A plane takes the normal of the input; the other kinds have one fixed normal, so ask [`same_orientation`].
pub fn surface(surface: &NurbsSurface, tol: f64) -> Option<(Surface, f64)> {
    if let Some(found) = plane::plane(surface, tol) {
        return Some(found);
    }
    let samples = samples::coarse(surface)?;
    let size = Aabb::of(samples.iter().map(|s| s.p)).diagonal();
    if !(size.is_finite() && size > SMALLEST * tol) {
        return None;
    }
    for candidate in [
        candidate::cylinder,
        candidate::cone,
        candidate::sphere,
        candidate::torus,
    ] {
        let Some(fit) = candidate(&samples, size) else {
            continue;
        };
        if fit.deviation(&samples) > GATE * size {
            continue;
        }
        let Some(fit) = fit.polished(&samples, size, tol) else {
            continue;
        };
        if fit.deviation(&samples) > tol || !fit.plausible(&samples, size) {
            continue;
        }
        if let Some(deviation) = samples::dense_deviation(surface, &fit, tol) {
            return fit
                .into_surface(surface, &samples, tol)
                .map(|s| (s, deviation));
        }
    }
    None
}

/// True when `canonical`, found by [`surface`], has its normal on the same side as the input.
pub fn same_orientation(input: &NurbsSurface, canonical: &Surface) -> bool {
    let Some(samples) = samples::coarse(input) else {
        return true;
    };
    let s = &samples[samples.len() / 2];
    let (u, v) = canonical.invert(&s.p, None);
    canonical.normal(u, v).is_none_or(|n| n.dot(&s.n) >= 0.0)
}

/// The line or circle within `tol` of the whole curve, running the same way, and the largest distance found.
///
/// A circle starts (angle 0) where the curve starts.
pub fn curve(curve: &NurbsCurve, tol: f64) -> Option<(Curve, f64)> {
    curve::line(curve, tol).or_else(|| curve::circle(curve, tol))
}

#[cfg(test)]
mod tests;
