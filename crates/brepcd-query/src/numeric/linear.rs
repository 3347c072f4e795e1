//! Linear systems of up to four unknowns.

/// A matrix of which the first `n` rows and columns count.
pub(super) type Matrix = [[f64; 4]; 4];

/// Pivot, relative to its row's largest entry, under which a matrix is singular.
const SINGULAR: f64 = 1e-15;

/// The inverse of the first `n` rows and columns, `None` if singular.
pub(super) fn inverse(n: usize, matrix: &Matrix) -> Option<Matrix> {
    let mut a = *matrix;
    let mut out = [[0.0; 4]; 4];
    for i in 0..n {
        let largest = a[i][..n].iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        if !(largest > f64::MIN_POSITIVE && largest.is_finite()) {
            return None;
        }
        let scale = 1.0 / largest;
        a[i].iter_mut().for_each(|x| *x *= scale);
        out[i][i] = scale;
    }
    for k in 0..n {
        let best = (k..n).fold(k, |best, i| {
            if a[i][k].abs() > a[best][k].abs() {
                i
            } else {
                best
            }
        });
        if a[best][k].abs() <= SINGULAR || a[best][k].is_nan() {
            return None;
        }
        a.swap(k, best);
        out.swap(k, best);
        let pivot = 1.0 / a[k][k];
        a[k].iter_mut().for_each(|x| *x *= pivot);
        out[k].iter_mut().for_each(|x| *x *= pivot);
        for i in 0..n {
            if i == k {
                continue;
            }
            let by = a[i][k];
            if by != 0.0 {
                for j in 0..4 {
                    a[i][j] -= by * a[k][j];
                    out[i][j] -= by * out[k][j];
                }
            }
        }
    }
    Some(out)
}

/// The matrix times a vector.
pub(super) fn times(n: usize, matrix: &Matrix, v: &[f64; 4]) -> [f64; 4] {
    let mut out = [0.0; 4];
    for i in 0..n {
        for k in 0..n {
            out[i] += matrix[i][k] * v[k];
        }
    }
    out
}

/// The `x` with the smallest `|matrix x - v|² + |x|²`, by orthogonal transformations of the stacked matrix.
pub(super) fn damped(n: usize, matrix: &Matrix, v: &[f64; 4]) -> [f64; 4] {
    // Rows of the matrix, then of the identity; the last column is the right-hand side.
    let mut a = [[0.0; 5]; 8];
    for i in 0..n {
        a[i][..n].copy_from_slice(&matrix[i][..n]);
        a[i][n] = v[i];
        a[n + i][i] = 1.0;
    }
    let rows = 2 * n;
    for k in 0..n {
        for i in k + 1..rows {
            // A rotation of rows k and i that clears the entry below the diagonal.
            let (p, q) = (a[k][k], a[i][k]);
            let r = p.hypot(q);
            if q == 0.0 || !r.is_finite() {
                continue;
            }
            let (c, s) = (p / r, q / r);
            for j in k..=n {
                let (x, y) = (a[k][j], a[i][j]);
                a[k][j] = c * x + s * y;
                a[i][j] = c * y - s * x;
            }
        }
    }
    let mut out = [0.0; 4];
    for k in (0..n).rev() {
        let rest: f64 = (k + 1..n).map(|j| a[k][j] * out[j]).sum();
        out[k] = (a[k][n] - rest) / a[k][k];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverse_and_damped_solve_what_they_should() {
        let a = [
            [0.0, 2.0, 0.0, 1.0],
            [1e-3, 0.0, 3e-3, 0.0],
            [5.0, 1.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, -4.0],
        ];
        for n in [2, 3, 4] {
            let inverse = inverse(n, &a).expect("regular");
            for k in 0..n {
                let mut unit = [0.0; 4];
                unit[k] = 1.0;
                let column = times(n, &inverse, &unit);
                let back = times(n, &a, &column);
                assert!((0..n).all(|i| (back[i] - unit[i]).abs() < 1e-12));
            }
        }
        let singular = [
            [1.0, 2.0, 0.0, 0.0],
            [2.0, 4.0, 0.0, 0.0],
            [0.0; 4],
            [0.0; 4],
        ];
        assert!(inverse(2, &singular).is_none());
        // Strong rows are solved, the direction they do not determine stays at rest.
        let strong = singular.map(|row| row.map(|x| x * 1e9));
        let x = damped(2, &strong, &[5e9, 10e9, 0.0, 0.0]);
        assert!(
            (x[0] - 1.0).abs() < 1e-6 && (x[1] - 2.0).abs() < 1e-6,
            "{x:?}"
        );
    }
}
