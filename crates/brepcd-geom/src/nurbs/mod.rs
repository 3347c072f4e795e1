//! Rational B-spline curves and surfaces, kept clamped; every closed-form kind has its own type elsewhere.
//!
//! Questions about all stationary points go through the Bézier pieces: the equation is written exactly in Bernstein
//! form and solved by subdivision ([`solve`]), so that no solution depends on a start value.

pub mod basis;
pub mod bezier;
pub mod construct;
pub mod curve;
mod normals;
pub mod solve;
pub mod surface;

pub use bezier::{BezierCurve, BezierSurface};
pub use curve::NurbsCurve;
pub use surface::{NurbsSurface, Strip};

use crate::{Interval, Point3, Point4};

/// Why knots, control points and weights do not make a curve or surface.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum NurbsError {
    /// The degree is 0 or above [`basis::MAX_DEGREE`].
    Degree(usize),
    /// The number of knots is not the number of control points + degree + 1, or there are too few.
    Count {
        /// Knots given.
        knots: usize,
        /// Control points given in that direction.
        control: usize,
        /// Degree in that direction.
        degree: usize,
    },
    /// A knot or control point is not finite.
    NotFinite,
    /// The knots decrease after this index, or the domain is empty.
    Knots(usize),
    /// A weight is not positive.
    Weight(f64),
    /// The knot at this parameter breaks the shape apart.
    Discontinuous(f64),
}

impl std::fmt::Display for NurbsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Degree(d) => write!(f, "degree {d} is outside 1..={}", basis::MAX_DEGREE),
            Self::Count {
                knots,
                control,
                degree,
            } => {
                write!(
                    f,
                    "{knots} knots do not fit {control} control points of degree {degree}"
                )
            }
            Self::NotFinite => write!(f, "a knot or control point is not finite"),
            Self::Knots(i) => write!(f, "knots decrease or span nothing at index {i}"),
            Self::Weight(w) => write!(f, "weight {w} is not positive"),
            Self::Discontinuous(t) => write!(f, "the knot at {t} breaks the shape apart"),
        }
    }
}

impl std::error::Error for NurbsError {}

/// The point in space of a homogeneous point.
pub fn project(h: &Point4) -> Point3 {
    Point3::new(h.x / h.w, h.y / h.w, h.z / h.w)
}

/// The homogeneous point of a point in space with a weight.
pub fn lift(p: &Point3, weight: f64) -> Point4 {
    Point4::new(p.x * weight, p.y * weight, p.z * weight, weight)
}

/// Gap relative to the size under which ends count as one point.
pub(crate) const CLOSED_RELATIVE: f64 = 1e-9;
/// Parameter difference relative to the domain under which two solutions are one.
pub(crate) const SAME_PARAMETER: f64 = 1e-8;

/// `t` moved by whole periods into the domain if closed, else clamped to it.
pub(crate) fn into_domain(t: f64, domain: Interval, closed: bool) -> f64 {
    if domain.contains(t) {
        t
    } else if closed && t.is_finite() {
        domain.clamp(domain.lo + (t - domain.lo).rem_euclid(domain.length()))
    } else if t.is_nan() {
        domain.lo
    } else {
        domain.clamp(t)
    }
}

/// The parts of an interval inside the domain, moved by whole periods if closed.
pub(crate) fn pieces(interval: Interval, domain: Interval, closed: bool) -> Vec<Interval> {
    let slack = SAME_PARAMETER * domain.length();
    if !closed {
        return vec![Interval::new(
            domain.clamp(interval.lo),
            domain.clamp(interval.hi),
        )];
    }
    let period = domain.length();
    if interval.length() >= period - slack || !interval.length().is_finite() {
        return vec![domain];
    }
    let lo = into_domain(interval.lo, domain, true);
    let hi = lo + interval.length();
    if hi <= domain.hi + slack {
        vec![Interval::new(lo, hi.min(domain.hi))]
    } else {
        vec![
            Interval::new(lo, domain.hi),
            Interval::new(domain.lo, hi - period),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_of_a_closed_domain_cover_the_interval_once() {
        let domain = Interval::new(1.0, 5.0);
        assert_eq!(
            pieces(Interval::new(0.0, 2.0), domain, false),
            [Interval::new(1.0, 2.0)]
        );
        assert_eq!(
            pieces(Interval::new(0.0, 2.0), domain, true),
            [Interval::new(4.0, 5.0), Interval::new(1.0, 2.0)]
        );
        assert_eq!(
            pieces(Interval::new(9.5, 13.0), domain, true),
            [Interval::new(1.5, 5.0)]
        );
        assert_eq!(pieces(Interval::new(-3.0, 30.0), domain, true), [domain]);
        assert_eq!(pieces(Interval::ALL, domain, true), [domain]);
        assert_eq!(pieces(Interval::ALL, domain, false), [domain]);
        assert_eq!(into_domain(-0.5, domain, true), 3.5);
        assert_eq!(into_domain(f64::NAN, domain, true), 1.0);
        assert_eq!(into_domain(f64::NEG_INFINITY, domain, true), 1.0);
    }
}
