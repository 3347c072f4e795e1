//! Polynomials over the unit interval by their Bernstein coefficients, which bound them, in arrays of fixed size.

/// Binomial coefficients up to the highest degree in use.
static CHOOSE: [[f64; LENGTH]; LENGTH] = {
    let mut rows = [[0.0; LENGTH]; LENGTH];
    let mut n = 0;
    while n < LENGTH {
        rows[n][0] = 1.0;
        let mut k = 1;
        while k <= n {
            rows[n][k] = rows[n - 1][k - 1] + rows[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    rows
};
/// Coefficients of the longest polynomials.
pub(super) const LENGTH: usize = 72;

/// A polynomial in sums and products: coefficients times their binomials, so that a product is a convolution.
#[derive(Clone, Copy, Debug)]
pub(super) struct Product<const N: usize> {
    pub degree: usize,
    c: [f64; N],
}

impl<const N: usize> Product<N> {
    /// From Bernstein coefficients.
    pub fn new(coefficients: &[f64]) -> Self {
        let degree = coefficients.len() - 1;
        let mut c = [0.0; N];
        for (k, x) in coefficients.iter().enumerate() {
            c[k] = x * CHOOSE[degree][k];
        }
        Self { degree, c }
    }

    /// One, as a polynomial of a degree: a factor that raises the degree of others.
    pub fn one(degree: usize) -> Self {
        let mut c = [0.0; N];
        c[..=degree].copy_from_slice(&CHOOSE[degree][..=degree]);
        Self { degree, c }
    }

    pub fn times(&self, other: &Self) -> Self {
        let mut c = [0.0; N];
        let factors = &other.c[..=other.degree];
        for (i, own) in self.c[..=self.degree].iter().enumerate() {
            // Slices of one length: several numbers at once, and no checks of positions.
            for (sum, factor) in c[i..i + factors.len()].iter_mut().zip(factors) {
                *sum += own * factor;
            }
        }
        Self {
            degree: self.degree + other.degree,
            c,
        }
    }

    /// `self + factor other`, both of one degree.
    pub fn plus(&self, factor: f64, other: &Self) -> Self {
        let mut out = *self;
        let (sums, others) = (&mut out.c[..=self.degree], &other.c[..=self.degree]);
        for (sum, other) in sums.iter_mut().zip(others) {
            *sum += factor * other;
        }
        out
    }

    /// The polynomial times a number.
    pub fn scaled(mut self, factor: f64) -> Self {
        self.c.iter_mut().for_each(|c| *c *= factor);
        self
    }

    /// The largest Bernstein coefficient, without sign.
    pub fn largest(&self) -> f64 {
        self.coefficients().iter().fold(0.0, |m, c| m.max(c.abs()))
    }

    /// The Bernstein coefficients.
    pub fn coefficients(&self) -> [f64; N] {
        let mut c = self.c;
        let choose = &CHOOSE[self.degree][..=self.degree];
        for (c, choose) in c[..=self.degree].iter_mut().zip(choose) {
            *c /= choose;
        }
        c
    }
}

/// The coefficients over the lower and the upper half of the interval.
#[inline]
pub(super) fn halves<const N: usize>(c: &[f64; N], degree: usize) -> [[f64; N]; 2] {
    let (mut lower, mut upper) = ([0.0; N], *c);
    for k in 0..degree {
        lower[k] = upper[0];
        let rest = &mut upper[..=degree - k];
        for i in 1..rest.len() {
            rest[i - 1] = 0.5 * (rest[i - 1] + rest[i]);
        }
    }
    lower[degree] = upper[0];
    [lower, upper]
}

/// Least and largest coefficient.
#[inline]
pub(super) fn range(c: &[f64]) -> (f64, f64) {
    c.iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), x| {
            (lo.min(*x), hi.max(*x))
        })
}

/// Least and largest quotient of coefficients of one degree, the divisors being positive: bounds the quotient.
#[inline]
pub(super) fn ratio_range(c: &[f64], w: &[f64]) -> (f64, f64) {
    c.iter()
        .zip(w)
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), (x, w)| {
            (lo.min(x / w), hi.max(x / w))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(c: &[f64], t: f64) -> f64 {
        let n = c.len() - 1;
        (0..=n)
            .map(|k| CHOOSE[n][k] * c[k] * t.powi(k as i32) * (1.0 - t).powi((n - k) as i32))
            .sum()
    }

    #[test]
    fn products_and_halves_have_the_values_they_should() {
        let (a, b) = ([1.0, -2.0, 0.5, 3.0], [0.3, 1.0, -1.5]);
        let product = Product::<8>::new(&a).times(&Product::new(&b));
        let raised = Product::<8>::new(&b).times(&Product::one(3));
        let sum = product.plus(-2.0, &raised).coefficients();
        let [lower, upper] = halves(&sum, 5);
        for k in 0..=10 {
            let t = f64::from(k) / 10.0;
            let expected = value(&a, t) * value(&b, t) - 2.0 * value(&b, t);
            assert!((value(&sum[..6], t) - expected).abs() < 1e-14);
            assert!((value(&lower[..6], 2.0 * t) - expected).abs() < 1e-12 || t > 0.5);
            assert!((value(&upper[..6], 2.0 * t - 1.0) - expected).abs() < 1e-12 || t < 0.5);
        }
    }
}
