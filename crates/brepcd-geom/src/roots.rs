//! Real roots of polynomials and of trigonometric polynomials.
//!
//! A polynomial is monotone between the roots of its derivative, so the roots of the chain of derivatives, lowest degree
//! first, separate all roots: each stretch with a change of sign holds exactly one, found by Newton's method guarded by
//! bisection. A separating point whose value is rounding noise is itself a root: that is how double roots are found
//! where the computed values never change sign, and why roots closer than the noise allows to tell apart come out once.

use crate::Interval;
use std::f64::consts::{PI, TAU};

/// Rounding noise of a value, relative to the sum of the absolute terms and per coefficient.
const NOISE: f64 = 16.0 * f64::EPSILON;
/// Steps of one guarded Newton search; bisection alone needs fewer down to rounding for bounded brackets.
const MAX_STEPS: usize = 200;
/// Bound on roots where the leading coefficient is too small for the bound to be a number.
const FARTHEST: f64 = 1e150;
/// Angle under which two roots of a trigonometric polynomial are the same.
const SAME_ANGLE: f64 = 1e-7;

/// Appends the real roots of `c0 + c1 x + c2 x²` in ascending order, a double root once.
///
/// Nothing is appended for a constant, zero included.
pub fn quadratic(c0: f64, c1: f64, c2: f64, out: &mut Vec<f64>) {
    if c2 == 0.0 {
        if c1 != 0.0 {
            out.push(-c0 / c1);
        }
        return;
    }
    let product = 4.0 * c2 * c0;
    let error = (-4.0 * c2).mul_add(c0, product);
    let discriminant = c1.mul_add(c1, -product) + error;
    if discriminant.abs() <= NOISE * (c1 * c1 + product.abs()) {
        out.push(-c1 / (2.0 * c2));
    } else if discriminant > 0.0 {
        let q = -0.5 * (c1 + discriminant.sqrt().copysign(c1));
        let (a, b) = (q / c2, c0 / q);
        out.extend([a.min(b), a.max(b)]);
    }
}

/// Appends all real roots in the interval (ends included, infinite allowed) of the polynomial with these coefficients,
/// constant first, in ascending order, multiple roots once.
///
/// Nothing is appended for a constant, zero included, nor for coefficients that are not finite.
pub fn polynomial(coeffs: &[f64], interval: &Interval, out: &mut Vec<f64>) {
    let count = coeffs.iter().rposition(|&c| c != 0.0).map_or(0, |i| i + 1);
    let coeffs = &coeffs[..count];
    if count < 2 || coeffs.iter().any(|c| !c.is_finite()) {
        return;
    }
    let bound = root_bound(coeffs);
    let (lo, hi) = (interval.lo.max(-bound), interval.hi.min(bound));
    if lo.is_nan() || hi.is_nan() || lo > hi {
        return;
    }
    // The k-th derivative divided by k!, which keeps the coefficients small.
    let mut chain = vec![coeffs.to_vec()];
    for k in 1..count - 1 {
        let last = &chain[k - 1];
        let next = (1..last.len())
            .map(|i| last[i] * i as f64 / k as f64)
            .collect();
        chain.push(next);
    }
    let mut separators = Vec::new();
    for derivative in chain.iter().rev() {
        separators = separated_roots(derivative, lo, hi, &separators);
    }
    out.append(&mut separators);
}

/// Appends the roots in `[0, 2π)` of `a0 + a1 cos t + b1 sin t + a2 cos 2t + b2 sin 2t`, ascending, multiple roots once.
///
/// Nothing is appended where all coefficients are zero. Each half circle maps to `[-1, 1]` by the tangent of the half
/// angle, where the roots are those of a quartic.
pub fn trig2(a0: f64, a1: f64, b1: f64, a2: f64, b2: f64, out: &mut Vec<f64>) {
    let first = out.len();
    let mut half = Vec::new();
    for (turn, sign) in [(0.0, 1.0), (PI, -1.0)] {
        let (ta1, tb1) = (sign * a1, sign * b1);
        let quartic = [
            a0 + ta1 + a2,
            2.0 * tb1 + 4.0 * b2,
            2.0 * a0 - 6.0 * a2,
            2.0 * tb1 - 4.0 * b2,
            a0 - ta1 + a2,
        ];
        half.clear();
        polynomial(&quartic, &Interval { lo: -1.0, hi: 1.0 }, &mut half);
        out.extend(half.iter().map(|s| {
            let polished = polish(turn + 2.0 * s.atan(), |t| {
                let ((s1, c1), (s2, c2)) = (t.sin_cos(), (2.0 * t).sin_cos());
                let value = a0 + a1 * c1 + b1 * s1 + a2 * c2 + b2 * s2;
                let slope = b1 * c1 - a1 * s1 + 2.0 * (b2 * c2 - a2 * s2);
                (value, slope)
            });
            let t = polished.rem_euclid(TAU);
            if t < TAU { t } else { 0.0 }
        }));
    }
    out[first..].sort_by(f64::total_cmp);
    let mut kept = first;
    for i in first..out.len() {
        let t = out[i];
        let new = kept == first || t - out[kept - 1] > SAME_ANGLE;
        let wraps = kept > first && out[first] + TAU - t <= SAME_ANGLE;
        if new && !wraps {
            out[kept] = t;
            kept += 1;
        }
    }
    out.truncate(kept);
}

/// Newton steps from a good start for as long as the value shrinks; `f` gives value and slope.
pub(crate) fn polish(start: f64, f: impl Fn(f64) -> (f64, f64)) -> f64 {
    let (mut t, (mut value, mut slope)) = (start, f(start));
    for _ in 0..8 {
        let next = t - value / slope;
        if value == 0.0 || !next.is_finite() || (next - t).abs() > POLISH_REACH * (1.0 + t.abs()) {
            break;
        }
        let (next_value, next_slope) = f(next);
        if next_value.abs() >= value.abs() {
            break;
        }
        (t, value, slope) = (next, next_value, next_slope);
    }
    t
}

/// A polishing step longer than this (relative beyond 1) leaves the root it started from.
const POLISH_REACH: f64 = 1e-4;

/// A radius of the complex plane within which all roots lie, and so (Gauss–Lucas) those of all derivatives (Fujiwara).
fn root_bound(coeffs: &[f64]) -> f64 {
    let n = coeffs.len() - 1;
    let bound = (0..n)
        .map(|i| 2.0 * (coeffs[i] / coeffs[n]).abs().powf(1.0 / (n - i) as f64))
        .fold(0.0, f64::max);
    bound.min(FARTHEST)
}

/// The roots in `[lo, hi]`, given the ascending roots of the derivative there.
fn separated_roots(coeffs: &[f64], lo: f64, hi: f64, separators: &[f64]) -> Vec<f64> {
    let mut points = Vec::with_capacity(separators.len() + 2);
    points.push(lo);
    points.extend_from_slice(separators);
    points.push(hi);
    let last = points.len() - 1;
    let mut roots = Vec::with_capacity(coeffs.len());
    // The best point of the current run of noise: (is an end, absolute value, point).
    let mut run: Option<(bool, f64, f64)> = None;
    let mut previous = 0.0;
    for (i, &x) in points.iter().enumerate() {
        let (value, noise) = value_and_noise(coeffs, x);
        if value.abs() <= noise {
            let candidate = (i == 0 || i == last, value.abs(), x);
            let better = |r: &(bool, f64, f64)| (candidate.0, candidate.1) < (r.0, r.1);
            if run.as_ref().is_none_or(better) {
                run = Some(candidate);
            }
            previous = 0.0;
            continue;
        }
        if let Some((_, _, root)) = run.take() {
            roots.push(root);
        } else if i > 0 && (previous < 0.0) != (value < 0.0) {
            roots.push(bracketed(coeffs, points[i - 1], x, previous < 0.0));
        }
        previous = value;
    }
    roots.extend(run.map(|r| r.2));
    roots
}

/// The root of a function monotone on `[a, b]` with a change of sign.
fn bracketed(coeffs: &[f64], mut a: f64, mut b: f64, rising: bool) -> f64 {
    let floor = f64::EPSILON * f64::EPSILON * a.abs().max(b.abs());
    let mut x = 0.5 * (a + b);
    let mut last_step = b - a;
    for _ in 0..MAX_STEPS {
        let (value, slope) = value_and_slope(coeffs, x);
        if value == 0.0 {
            return x;
        }
        if (value < 0.0) == rising {
            a = x
        } else {
            b = x
        }
        let newton = x - value / slope;
        let fast = newton > a && newton < b && 2.0 * (newton - x).abs() <= last_step;
        let next = if fast { newton } else { 0.5 * (a + b) };
        last_step = (next - x).abs();
        x = next;
        if last_step <= 0.5 * f64::EPSILON * x.abs() + floor {
            break;
        }
    }
    x
}

/// Value at `x` and a bound of its rounding noise.
fn value_and_noise(coeffs: &[f64], x: f64) -> (f64, f64) {
    let (value, size) = coeffs
        .iter()
        .rev()
        .fold((0.0, 0.0), |(v, s), c| (v * x + c, s * x.abs() + c.abs()));
    (value, NOISE * coeffs.len() as f64 * size)
}

/// Value and derivative at `x`.
fn value_and_slope(coeffs: &[f64], x: f64) -> (f64, f64) {
    coeffs
        .iter()
        .rev()
        .fold((0.0, 0.0), |(v, d), c| (v * x + c, d * x + v))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn product(roots: &[f64]) -> Vec<f64> {
        roots.iter().fold(vec![1.0], |p, r| {
            let mut next = vec![0.0; p.len() + 1];
            for (i, c) in p.iter().enumerate() {
                next[i + 1] += c;
                next[i] -= r * c;
            }
            next
        })
    }

    fn assert_close(found: &[f64], expected: &[f64], tol: f64) {
        assert_eq!(
            found.len(),
            expected.len(),
            "{found:?} instead of {expected:?}"
        );
        for (f, e) in found.iter().zip(expected) {
            assert!(
                (f - e).abs() <= tol * (1.0 + e.abs()),
                "{found:?} instead of {expected:?}"
            );
        }
    }

    fn all(coeffs: &[f64], lo: f64, hi: f64) -> Vec<f64> {
        let mut out = Vec::new();
        polynomial(coeffs, &Interval { lo, hi }, &mut out);
        out
    }

    #[test]
    fn known_polynomials() {
        let inf = f64::INFINITY;
        assert_close(
            &all(&product(&[-3.0, 0.0, 0.5, 7.0]), -inf, inf),
            &[-3.0, 0.0, 0.5, 7.0],
            1e-14,
        );
        assert_close(
            &all(&product(&[-3.0, 0.0, 0.5, 7.0]), 0.0, 0.5),
            &[0.0, 0.5],
            1e-14,
        );
        assert_close(
            &all(&product(&[-3.0, 0.0, 0.5, 7.0]), 1.0, inf),
            &[7.0],
            1e-14,
        );
        assert_close(
            &all(&product(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]), -inf, inf),
            &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0],
            1e-10,
        );
        assert_close(&all(&[-1e9, 1.0, 0.0], -inf, inf), &[1e9], 1e-15);
        assert_close(&all(&[-1e-12, 0.0, 0.0, 1.0], -1.0, 1.0), &[1e-4], 1e-15);
        assert!(all(&[1.0, 0.0, 1.0], -inf, inf).is_empty());
        assert!(
            all(&[0.0, 0.0], -inf, inf).is_empty() && all(&[f64::NAN, 1.0], -inf, inf).is_empty()
        );
    }

    #[test]
    fn multiple_roots_come_once() {
        let inf = f64::INFINITY;
        assert_close(&all(&product(&[0.3, 0.3]), -inf, inf), &[0.3], 1e-7);
        assert_close(
            &all(&product(&[0.3, 0.3, -2.0, 0.7]), -5.0, 5.0),
            &[-2.0, 0.3, 0.7],
            1e-7,
        );
        assert_close(
            &all(&product(&[1.1, 1.1, 1.1, -0.4, -0.4]), -5.0, 5.0),
            &[-0.4, 1.1],
            1e-4,
        );
        assert_close(&all(&product(&[0.0, 0.0]), 0.0, 1.0), &[0.0], 0.0);
        assert_close(&all(&product(&[1.0, 1.0]), -1.0, 1.0), &[1.0], 1e-15);
        let just_missed = [0.09 + 1e-9, -0.6, 1.0];
        assert!(all(&just_missed, -inf, inf).is_empty());
        assert_close(
            &all(&[0.09 - 1e-8, -0.6, 1.0], -inf, inf),
            &[0.2999, 0.3001],
            1e-11,
        );
    }

    #[test]
    fn quadratics() {
        let mut out = Vec::new();
        quadratic(1e-8, -1e8, 1.0, &mut out);
        assert_close(&out, &[1e-16, 1e8], 1e-15);
        assert!((out[0] / 1e-16 - 1.0).abs() < 1e-14, "no cancellation");
        out.clear();
        quadratic(0.09, -0.6, 1.0, &mut out);
        assert_close(&out, &[0.3], 1e-15);
        out.clear();
        quadratic(1.0, 1.0, 1.0, &mut out);
        quadratic(1.0, 0.0, 0.0, &mut out);
        assert!(out.is_empty());
        quadratic(0.0, 0.0, 3.0, &mut out);
        quadratic(-4.0, 2.0, 0.0, &mut out);
        assert_close(&out, &[0.0, 2.0], 0.0);
    }

    #[test]
    fn trigonometric_roots_agree_with_sampling() {
        let mut state = 7_u64;
        let mut random = || {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        for _ in 0..300 {
            let [a0, a1, b1, a2, b2] = std::array::from_fn(|_| random());
            let f = |t: f64| {
                a0 + a1 * t.cos() + b1 * t.sin() + a2 * (2.0 * t).cos() + b2 * (2.0 * t).sin()
            };
            let mut roots = Vec::new();
            trig2(a0, a1, b1, a2, b2, &mut roots);
            assert!(
                roots
                    .iter()
                    .all(|&t| (0.0..TAU).contains(&t) && f(t).abs() < 1e-14)
            );
            let n = 5000;
            let step = TAU / n as f64;
            let changes: Vec<f64> = (0..n)
                .map(|i| i as f64 * step)
                .filter(|&t| (f(t) < 0.0) != (f(t + step) < 0.0))
                .collect();
            for t in &changes {
                let inside = |r: &&f64| **r >= t - 1e-9 && **r <= t + step + 1e-9;
                assert_eq!(roots.iter().filter(inside).count(), 1);
            }
            assert!(roots.len() == changes.len() || roots.windows(2).any(|w| w[1] - w[0] < step));
        }
    }

    #[test]
    fn trigonometric_roots_at_seams_and_double() {
        let mut out = Vec::new();
        trig2(0.0, 0.0, 0.0, 0.0, 1.0, &mut out);
        assert_close(&out, &[0.0, PI / 2.0, PI, 1.5 * PI], 1e-15);
        for at in [0.0, 0.4, PI / 2.0, 2.0, PI, 1.5 * PI, 6.2] {
            out.clear();
            trig2(1.0, -f64::cos(at), -f64::sin(at), 0.0, 0.0, &mut out);
            assert_eq!(out.len(), 1, "{at}: {out:?}");
            assert!((out[0] - at).sin().abs() < 1e-7);
        }
        out.clear();
        trig2(0.0, 0.0, 0.0, 0.0, 0.0, &mut out);
        assert!(out.is_empty());
    }
}
