//! Timings of many queries.

use std::time::Instant;

/// Runs something and says how long it took, µs.
pub fn timed<T>(run: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let out = run();
    (out, start.elapsed().as_secs_f64() * 1e6)
}

/// The value below which this share of the values lie; 0 if there are none.
pub fn quantile(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let rank = (share * sorted.len() as f64).ceil() as usize;
    let last = sorted.len().saturating_sub(1);
    sorted
        .get(rank.saturating_sub(1).min(last))
        .copied()
        .unwrap_or(0.0)
}

/// The lower median.
pub fn median(values: &[f64]) -> f64 {
    quantile(values, 0.5)
}

/// The largest value; 0 if there are none.
pub fn largest(values: &[f64]) -> f64 {
    quantile(values, 1.0)
}

/// The exponent `k` of `y ~ x^k` that fits best, by least squares of logarithms; pairs that are not positive are left out.
pub fn exponent(pairs: &[(f64, f64)]) -> f64 {
    let positive = pairs.iter().filter(|(x, y)| *x > 0.0 && *y > 0.0);
    let logs: Vec<(f64, f64)> = positive.map(|(x, y)| (x.ln(), y.ln())).collect();
    let n = logs.len() as f64;
    let mean_x = logs.iter().map(|p| p.0).sum::<f64>() / n;
    let mean_y = logs.iter().map(|p| p.1).sum::<f64>() / n;
    let (mut above, mut below) = (0.0, 0.0);
    for (x, y) in logs {
        above += (x - mean_x) * (y - mean_y);
        below += (x - mean_x) * (x - mean_x);
    }
    above / below
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_a_hundred() {
        let values: Vec<f64> = (1..=100).rev().map(f64::from).collect();
        assert_eq!(median(&values), 50.0);
        assert_eq!(quantile(&values, 0.99), 99.0);
        assert_eq!(largest(&values), 100.0);
        assert_eq!(median(&[]), 0.0);
    }

    #[test]
    fn the_exponent_of_a_power() {
        let pairs: Vec<(f64, f64)> = (1..20)
            .map(|x| (f64::from(x), 3.0 * f64::from(x).powf(0.7)))
            .collect();
        assert!((exponent(&pairs) - 0.7).abs() < 1e-12);
    }
}
