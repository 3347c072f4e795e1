//! Gauss–Legendre quadrature.

use std::f64::consts::PI;
use std::sync::OnceLock;

/// The largest rule.
pub const MAX_POINTS: usize = 32;

static RULES: [OnceLock<Vec<(f64, f64)>>; MAX_POINTS + 1] =
    [const { OnceLock::new() }; MAX_POINTS + 1];

/// Newton steps that take the starting guess of a node to rounding, with room.
const NEWTON_STEPS: usize = 10;

/// Nodes (ascending) and weights on `[-1, 1]` of the rule with `n` points, exact for polynomials of degree `2n - 1`.
///
/// `n` is clamped to `1..=MAX_POINTS`; each rule is computed once.
pub fn gauss_legendre(n: usize) -> &'static [(f64, f64)] {
    let n = n.clamp(1, MAX_POINTS);
    RULES[n].get_or_init(|| {
        let mut rule = vec![(0.0, 0.0); n];
        for i in 0..n.div_ceil(2) {
            let x = if 2 * i + 1 == n { 0.0 } else { node(n, i) };
            let (_, slope) = legendre(n, x);
            let weight = 2.0 / ((1.0 - x * x) * slope * slope);
            rule[i] = (-x, weight);
            rule[n - 1 - i] = (x, weight);
        }
        rule
    })
}

/// The integral of `f` from `a` to `b` by the rule with `n` points.
pub fn integrate(n: usize, a: f64, b: f64, mut f: impl FnMut(f64) -> f64) -> f64 {
    let (mid, half) = (0.5 * (a + b), 0.5 * (b - a));
    gauss_legendre(n)
        .iter()
        .map(|&(x, w)| w * half * f(mid + half * x))
        .sum()
}

/// The `i`-th largest root of the Legendre polynomial of degree `n`.
fn node(n: usize, i: usize) -> f64 {
    let mut x = (PI * (i as f64 + 0.75) / (n as f64 + 0.5)).cos();
    for _ in 0..NEWTON_STEPS {
        let (value, slope) = legendre(n, x);
        x -= value / slope;
    }
    x
}

/// The Legendre polynomial of degree `n` and its derivative at `x`, `|x| < 1`.
fn legendre(n: usize, x: f64) -> (f64, f64) {
    let (mut before, mut value) = (1.0, x);
    for k in 2..=n {
        let k = k as f64;
        (before, value) = (
            value,
            ((2.0 * k - 1.0) * x * value - (k - 1.0) * before) / k,
        );
    }
    (value, n as f64 * (x * value - before) / (x * x - 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_to_degree_2n_minus_1_and_no_further() {
        for n in 1..=MAX_POINTS {
            let moment = |k: i32| {
                gauss_legendre(n)
                    .iter()
                    .map(|(x, w)| w * x.powi(k))
                    .sum::<f64>()
            };
            for k in 0..2 * n as i32 {
                let exact = if k % 2 == 0 {
                    2.0 / f64::from(k + 1)
                } else {
                    0.0
                };
                assert!((moment(k) - exact).abs() < 1e-14, "n {n}, degree {k}");
            }
            if n <= 16 {
                let k = 2 * n as i32;
                assert!(
                    (moment(k) - 2.0 / f64::from(k + 1)).abs() > 1e-13,
                    "n {n}, degree {k}"
                );
            }
            assert!(
                gauss_legendre(n)
                    .windows(2)
                    .all(|w| w[0].0 < w[1].0 && w[0].1 > 0.0)
            );
        }
        assert_eq!(gauss_legendre(0).len(), 1);
        assert_eq!(gauss_legendre(1000).len(), MAX_POINTS);
    }

    #[test]
    fn integrates_on_an_interval() {
        assert!((integrate(12, 1.0, 3.0, f64::exp) - (3_f64.exp() - 1_f64.exp())).abs() < 1e-13);
        assert!((integrate(12, 3.0, 1.0, |x| x * x) + 26.0 / 3.0).abs() < 1e-13);
    }
}
