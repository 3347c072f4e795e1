//! What the polynomials of a cell prove: bounds of the equation, and of its slope.
//!
//! `ρ` lies between two bounds, so the equation lies between the two polynomials that have these in its place; their
//! coefficients bound them. Beside a nearly constant `ρ` nothing is lost by that. Where it varies, the product of the
//! equations of both sides tells more, if that of the other side is known not to vanish.

use super::bernstein::range;
use super::equation::{Cell, Form};

/// The range of `K / ρ - k` over a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Factor {
    lo: f64,
    hi: f64,
    /// Bound of `K / (2 ρ³)`, with its sign.
    bend: f64,
}

impl Factor {
    /// From `K` and `k`, and bounds of `ρ`, the lower one positive.
    pub fn new((root, plain): (f64, f64), rho: (f64, f64)) -> Self {
        let (a, b) = (root / rho.0 - plain, root / rho.1 - plain);
        Self {
            lo: a.min(b),
            hi: a.max(b),
            bend: 0.5 * root / (rho.0 * rho.0 * rho.0),
        }
    }
}

/// Bounds of the equation.
pub(super) fn of_value<const N: usize, const M: usize>(
    cell: &Cell<N, M>,
    form: &Form,
    factor: Option<&Factor>,
) -> (f64, f64) {
    let n = form.degree;
    match factor {
        None => range(&cell.a[..=n]),
        Some(f) => between(
            cell.a[..=n]
                .iter()
                .zip(&cell.s[..=n])
                .map(|(a, s)| (*a, *s)),
            f,
        ),
    }
}

/// What the product of both sides tells.
pub(super) struct OfBoth {
    /// True if its coefficients are of one sign beyond their rounding, so that neither side has a root.
    pub excluded: bool,
    /// True if they change sign once, beyond their rounding at the ends, so that it has one root.
    pub single: bool,
    /// The sign that the product is to be multiplied with to have that of the equation; 0 if the other side may vanish.
    pub sign: f64,
    /// Bound of the equation, if the other side does not vanish.
    pub most: f64,
    /// The product at both ends.
    pub ends: [f64; 2],
}

pub(super) fn of_both<const N: usize, const M: usize>(
    cell: &Cell<N, M>,
    form: &Form,
    (root, plain): (f64, f64),
    rho: (f64, f64),
) -> OfBoth {
    let (n, long) = (form.degree, form.both());
    let both = &cell.both[..=long];
    let (mut changes, mut last) = (0, 0.0_f64);
    let (mut least_both, mut most) = (f64::INFINITY, 0.0_f64);
    for c in both {
        if *c != 0.0 {
            changes += usize::from(last * c.signum() < 0.0);
            last = c.signum();
        }
        least_both = least_both.min(c.abs());
        most = most.max(c.abs());
    }
    // The other side, times ρ.
    let (mut lo, mut hi) = (f64::INFINITY, f64::NEG_INFINITY);
    for (a, s) in cell.a[..=n].iter().zip(&cell.s[..=n]) {
        let (sum, other) = (a + plain * s, root * s);
        let (x, y) = (sum * rho.0 + other, sum * rho.1 + other);
        lo = lo.min(x).min(y);
        hi = hi.max(x).max(y);
    }
    let least = lo.max(-hi).max(0.0);
    let sign = if least <= 0.0 { 0.0 } else { lo.signum() };
    let ends = [both[0], both[long]];
    OfBoth {
        excluded: changes == 0 && least_both > form.noise,
        single: changes == 1 && ends.iter().all(|e| e.abs() > form.noise),
        sign,
        most: most / (least * rho.0 * cell.least_square(form)),
        ends,
    }
}

/// Bounds of its slope, in units of the cell.
pub(super) fn of_slope<const N: usize, const M: usize>(
    cell: &Cell<N, M>,
    form: &Form,
    factor: Option<&Factor>,
) -> (f64, f64) {
    let n = form.degree;
    let step = |c: &[f64; N], i: usize| c[i + 1] - c[i];
    let Some(f) = factor else {
        return (0..n).fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), i| {
            let d = step(&cell.a, i);
            (lo.min(d), hi.max(d))
        });
    };
    let (lo, hi) = between((0..n).map(|i| (step(&cell.a, i), step(&cell.s, i))), f);
    // The slope of K / ρ is -K σ' / (2 ρ³): times -S this has the sign of K.
    let most = cell.s[..=n].iter().fold(0.0_f64, |m, s| m.max(s.abs()));
    let bend = f.bend * most * most * cell.length() / (cell.least_weight(form) * n as f64);
    (lo + bend.min(0.0), hi + bend.max(0.0))
}

/// Bounds of `a - f s` over pairs of `a` and `s` and all factors.
fn between(pairs: impl Iterator<Item = (f64, f64)>, f: &Factor) -> (f64, f64) {
    pairs.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), (a, s)| {
        let (x, y) = (a - f.lo * s, a - f.hi * s);
        (lo.min(x).min(y), hi.max(x).max(y))
    })
}

/// The equation at both ends.
pub(super) fn at_ends<const N: usize, const M: usize>(
    cell: &Cell<N, M>,
    form: &Form,
    root: Option<(f64, f64)>,
) -> [f64; 2] {
    let n = form.degree;
    match root {
        None => [cell.a[0], cell.a[n]],
        Some((root, plain)) => {
            let rho = cell.rho_at_ends(form);
            [0, n].map(|i| cell.a[i] - (root / rho[i.min(1)] - plain) * cell.s[i])
        }
    }
}
