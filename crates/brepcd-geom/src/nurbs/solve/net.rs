//! Polynomials of two variables in Bernstein form on the unit square.

/// A polynomial on the unit square in Bernstein form.
#[derive(Clone, Debug)]
pub struct Net {
    /// Degree in the first variable.
    pub m: usize,
    /// Degree in the second variable.
    pub n: usize,
    /// Coefficients, index `i * (n + 1) + j`.
    pub c: Vec<f64>,
}

/// Row `n` of Pascal's triangle.
fn binomials(n: usize) -> Vec<f64> {
    let mut row = vec![1.0; n + 1];
    for k in 1..=n {
        row[k] = row[k - 1] * (n + 1 - k) as f64 / k as f64;
    }
    row
}

impl Net {
    /// The net with the given coefficients.
    pub fn new(m: usize, n: usize, c: Vec<f64>) -> Self {
        Self { m, n, c }
    }

    /// Largest coefficient by amount.
    pub fn size(&self) -> f64 {
        self.c.iter().fold(0.0, |a, x| a.max(x.abs()))
    }

    /// The product.
    pub fn mul(&self, other: &Self) -> Self {
        let (m, n) = (self.m + other.m, self.n + other.n);
        let (am, an) = (binomials(self.m), binomials(self.n));
        let (bm, bn) = (binomials(other.m), binomials(other.n));
        let (cm, cn) = (binomials(m), binomials(n));
        let mut c = vec![0.0; (m + 1) * (n + 1)];
        for i in 0..=self.m {
            for j in 0..=self.n {
                let x = self.c[i * (self.n + 1) + j] * am[i] * an[j];
                for k in 0..=other.m {
                    for l in 0..=other.n {
                        let y = other.c[k * (other.n + 1) + l] * bm[k] * bn[l];
                        c[(i + k) * (n + 1) + j + l] += x * y;
                    }
                }
            }
        }
        for i in 0..=m {
            for j in 0..=n {
                c[i * (n + 1) + j] /= cm[i] * cn[j];
            }
        }
        Self { m, n, c }
    }

    /// `a self + b other`, of equal degrees.
    pub fn combine(&self, a: f64, other: &Self, b: f64) -> Self {
        let c = self
            .c
            .iter()
            .zip(&other.c)
            .map(|(x, y)| a * x + b * y)
            .collect();
        Self {
            m: self.m,
            n: self.n,
            c,
        }
    }

    /// Derivative by the first variable.
    pub fn ds(&self) -> Self {
        let w = self.n + 1;
        if self.m == 0 {
            return Self::new(0, self.n, vec![0.0; w]);
        }
        let c = (0..self.m * w)
            .map(|i| (self.c[i + w] - self.c[i]) * self.m as f64)
            .collect();
        Self {
            m: self.m - 1,
            n: self.n,
            c,
        }
    }

    /// Derivative by the second variable.
    pub fn dt(&self) -> Self {
        if self.n == 0 {
            return Self::new(self.m, 0, vec![0.0; self.m + 1]);
        }
        let rows = self.c.chunks(self.n + 1);
        let c = rows
            .flat_map(|r| r.windows(2).map(|w| (w[1] - w[0]) * self.n as f64))
            .collect();
        Self {
            m: self.m,
            n: self.n - 1,
            c,
        }
    }

    /// The same polynomial with higher degrees.
    pub fn raised(&self, m: usize, n: usize) -> Self {
        let (m, n) = (m.max(self.m), n.max(self.n));
        let one = Self::new(
            m - self.m,
            n - self.n,
            vec![1.0; (m - self.m + 1) * (n - self.n + 1)],
        );
        self.mul(&one)
    }

    /// The value.
    pub fn eval(&self, s: f64, t: f64) -> f64 {
        let mut column: Vec<f64> = self
            .c
            .chunks(self.n + 1)
            .map(|row| de_casteljau(row, t))
            .collect();
        de_casteljau_mut(&mut column, s)
    }

    /// Both halves of the first variable's range.
    pub(crate) fn halves_s(&self) -> (Self, Self) {
        let w = self.n + 1;
        let (mut a, mut b) = (self.c.clone(), self.c.clone());
        // b ends as the right half, a collects the left one
        for k in 1..=self.m {
            for i in 0..=(self.m - k) {
                for j in 0..w {
                    b[i * w + j] = 0.5 * (b[i * w + j] + b[(i + 1) * w + j]);
                }
            }
            a[k * w..(k + 1) * w].copy_from_slice(&b[..w]);
        }
        (Self { c: a, ..*self }, Self { c: b, ..*self })
    }

    /// Both halves of the second variable's range.
    pub(crate) fn halves_t(&self) -> (Self, Self) {
        let (mut a, mut b) = (self.c.clone(), self.c.clone());
        for (ra, rb) in a.chunks_mut(self.n + 1).zip(b.chunks_mut(self.n + 1)) {
            halve(ra, rb, self.n);
        }
        (Self { c: a, ..*self }, Self { c: b, ..*self })
    }

    pub(super) fn range(&self) -> (f64, f64) {
        self.c
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), &x| {
                (a.min(x), b.max(x))
            })
    }

    pub(super) fn has_no_root(&self, zero: f64) -> bool {
        let (lo, hi) = self.range();
        lo > zero || hi < -zero
    }

    /// Slopes from side to side: mean change over the unit square in both variables.
    pub(super) fn slopes(&self) -> (f64, f64) {
        let w = self.n + 1;
        let s = (0..w)
            .map(|j| self.c[self.m * w + j] - self.c[j])
            .sum::<f64>()
            / w as f64;
        let t = self.c.chunks(w).map(|r| r[self.n] - r[0]).sum::<f64>() / (self.m + 1) as f64;
        (s, t)
    }
}

/// In: both slices hold the coefficients. Out: `a` the left half, `b` the right one.
pub(super) fn halve(a: &mut [f64], b: &mut [f64], degree: usize) {
    for (k, left) in a.iter_mut().enumerate().take(degree + 1).skip(1) {
        for i in 0..=(degree - k) {
            b[i] = 0.5 * (b[i] + b[i + 1]);
        }
        *left = b[0];
    }
}

pub(super) fn de_casteljau(c: &[f64], t: f64) -> f64 {
    de_casteljau_mut(&mut c.to_vec(), t)
}

pub(super) fn de_casteljau_mut(c: &mut [f64], t: f64) -> f64 {
    for k in (1..c.len()).rev() {
        for i in 0..k {
            c[i] = c[i] * (1.0 - t) + c[i + 1] * t;
        }
    }
    c[0]
}
