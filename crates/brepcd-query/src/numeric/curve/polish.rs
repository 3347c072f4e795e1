//! Roots to full precision: Newton on the equation itself, kept inside a bracket.

use super::super::net::Net;
use super::target::{Kind, Target};
use brepcd_geom::Vec3;

/// A last step, as a share of the range, that shows quadratic convergence.
const CONVERGED: f64 = 1e-8;
/// A step, as a share of the range, that leads nowhere.
const ROUNDED: f64 = 4.0 * f64::EPSILON;
/// Steps at most: halving alone ends sooner.
const STEPS: usize = 80;

/// The equation and its slope at a parameter, and the point in coordinates of the core.
pub(super) struct Value {
    pub local: Vec3,
    pub value: f64,
    pub slope: f64,
}

/// Evaluates the equation of a side, up to positive factors, without polynomials of its own.
pub(super) fn evaluate(target: &Target, side: f64, net: &Net, t: f64) -> Value {
    let jet = net.jet(t, 0.0);
    let p = target.local(&(jet.p - target.origin));
    let v = target.local(&jet.x[0]);
    let a = target.local(&jet.xx[0]);
    // ρ ρ' and its slope.
    let radial = p.x * v.x + p.y * v.y;
    let radial_slope = v.x * v.x + v.y * v.y + p.x * a.x + p.y * a.y;
    let axial = p.z * v.z;
    let axial_slope = v.z * v.z + p.z * a.z;
    let by_rho = || {
        let rho = p.x.hypot(p.y);
        let first = radial / rho;
        (rho, first, (radial_slope - first * first) / rho)
    };
    let (value, slope) = match target.kind {
        Kind::Plane => (v.z, a.z),
        Kind::Line => (radial, radial_slope),
        Kind::Turned { sin: 0.0, .. } => (radial, radial_slope),
        Kind::Turned { sin, cos, .. } => {
            let (_, first, second) = by_rho();
            (
                side * cos * first - sin * v.z,
                side * cos * second - sin * a.z,
            )
        }
        Kind::Point => (radial + axial, radial_slope + axial_slope),
        Kind::Circle { radius } => {
            let (rho, first, second) = by_rho();
            let off = rho - side * radius;
            (
                axial + off * first,
                axial_slope + first * first + off * second,
            )
        }
    };
    Value {
        local: p,
        value,
        slope,
    }
}

/// The only root between two parameters, where the equation rises through zero or falls (`rising`); `None` if it is not
/// found, which only numbers that are none can cause.
pub(super) fn root(
    target: &Target,
    side: f64,
    net: &Net,
    bracket: (f64, f64),
    start: f64,
    rising: bool,
    steps: &mut u64,
) -> Option<f64> {
    let (mut lo, mut hi) = bracket;
    let mut t = start;
    for _ in 0..STEPS {
        *steps += 1;
        let at = evaluate(target, side, net, t);
        if at.value == 0.0 || hi - lo <= f64::EPSILON {
            return Some(t);
        }
        if (at.value > 0.0) == rising {
            hi = t;
        } else {
            lo = t;
        }
        let next = t - at.value / at.slope;
        let inside = lo <= next && next <= hi;
        let step = (next - t).abs();
        // At an end of the bracket the polynomials and the equation itself differ by rounding.
        if inside && step <= CONVERGED || step <= ROUNDED {
            return Some(next.clamp(lo, hi));
        }
        t = if inside { next } else { 0.5 * (lo + hi) };
    }
    None
}
