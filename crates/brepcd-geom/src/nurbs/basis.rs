//! B-spline basis functions and knot insertion.

use super::{NurbsError, project};
use crate::Point4;

/// Highest degree accepted.
pub const MAX_DEGREE: usize = 25;

/// The non-empty span `k` with `knots[k] <= t < knots[k + 1]`, the first or last one beyond the ends.
pub fn find_span(knots: &[f64], degree: usize, t: f64) -> usize {
    let n = knots.len() - degree - 1;
    let t = t.max(knots[degree]);
    if t >= knots[n] {
        let end = knots[n];
        return knots[..n].partition_point(|&k| k < end).max(degree + 1) - 1;
    }
    let inside = &knots[degree..=n];
    degree + inside.partition_point(|&k| k <= t).max(1) - 1
}

/// One degree up, in place: basis values of degree `q` from those of degree `q - 1`.
fn raise(knots: &[f64], span: usize, q: usize, t: f64, values: &mut [f64]) {
    let knots = &knots[span + 1 - q..=span + q];
    let mut carry = 0.0;
    for j in 0..q {
        // values[j] belongs to the function with index span - q + 1 + j
        let (lo, hi) = (knots[j], knots[j + q]);
        let x = values[j] / (hi - lo);
        values[j] = carry + (hi - t) * x;
        carry = (t - lo) * x;
    }
    values[q] = carry;
}

/// One derivative, in place: from values of degree `q - 1` to derivatives of degree `q`.
fn derive(knots: &[f64], span: usize, q: usize, values: &mut [f64]) {
    let knots = &knots[span + 1 - q..=span + q];
    let mut carry = 0.0;
    for j in 0..q {
        let x = q as f64 * values[j] / (knots[j + q] - knots[j]);
        values[j] = carry - x;
        carry = x;
    }
    values[q] = carry;
}

/// Basis values on a span, room for `N > degree`; entry `j` belongs to control point `span - degree + j`.
pub fn values<const N: usize>(knots: &[f64], degree: usize, span: usize, t: f64) -> [f64; N] {
    let mut out = [0.0; N];
    out[0] = 1.0;
    for q in 1..=degree {
        raise(knots, span, q, t, &mut out);
    }
    out
}

/// Basis values with first and second derivatives, room for `N > degree`.
pub fn derivatives<const N: usize>(
    knots: &[f64],
    degree: usize,
    span: usize,
    t: f64,
) -> [[f64; N]; 3] {
    let mut value = [0.0; N];
    value[0] = 1.0;
    let (mut first, mut second) = ([0.0; N], [0.0; N]);
    for q in 1..=degree {
        if q == degree {
            first = value;
            derive(knots, span, q, &mut first);
            if q > 1 {
                derive(knots, span, q, &mut second);
            }
        } else if q + 1 == degree {
            second = value;
            derive(knots, span, q, &mut second);
        }
        raise(knots, span, q, t, &mut value);
    }
    [value, first, second]
}

/// Calls a function with the array size that suits a degree: few sizes, so that common degrees stay in registers.
macro_rules! sized {
    ($degree:expr, $self:ident . $f:ident ( $($arg:expr),* )) => {
        match $degree {
            0..=3 => $self.$f::<4>($($arg),*),
            4..=7 => $self.$f::<8>($($arg),*),
            _ => $self.$f::<{ $crate::nurbs::basis::MAX_DEGREE + 1 }>($($arg),*),
        }
    };
}
pub(crate) use sized;

/// How often `t` is a knot.
pub fn multiplicity(knots: &[f64], t: f64) -> usize {
    knots.iter().filter(|&&k| k == t).count()
}

/// Inserts a knot once into all rows of control points (Boehm).
pub fn insert(knots: &mut Vec<f64>, degree: usize, rows: &mut [Vec<Point4>], t: f64) {
    let k = find_span(knots, degree, t);
    for row in rows.iter_mut() {
        let mut new = Vec::with_capacity(row.len() + 1);
        new.extend_from_slice(&row[..=k - degree]);
        for i in k - degree + 1..=k {
            let a = (t - knots[i]) / (knots[i + degree] - knots[i]);
            new.push(row[i] * a + row[i - 1] * (1.0 - a));
        }
        new.extend_from_slice(&row[k..]);
        *row = new;
    }
    knots.insert(k + 1, t);
}

/// Inserts a knot until it has at least the given multiplicity.
pub fn insert_to(
    knots: &mut Vec<f64>,
    degree: usize,
    rows: &mut [Vec<Point4>],
    t: f64,
    count: usize,
) {
    for _ in multiplicity(knots, t)..count {
        insert(knots, degree, rows, t);
    }
}

/// The part between two parameters of the domain, clamped at both.
pub fn restrict(knots: &mut Vec<f64>, degree: usize, rows: &mut [Vec<Point4>], a: f64, b: f64) {
    insert_to(knots, degree, rows, a, degree);
    insert_to(knots, degree, rows, b, degree);
    let k = knots.partition_point(|&x| x <= a) - 1;
    let f = knots.partition_point(|&x| x < b);
    for row in rows.iter_mut() {
        *row = row[k - degree..f].to_vec();
    }
    let mut new = vec![a; degree + 1];
    new.extend_from_slice(&knots[k + 1..f]);
    new.extend(std::iter::repeat_n(b, degree + 1));
    *knots = new;
}

/// Distinct knots of the domain, both ends included.
pub fn distinct(knots: &[f64], degree: usize) -> Vec<f64> {
    let mut out = knots[degree..knots.len() - degree].to_vec();
    out.dedup();
    out
}

/// Makes every distinct span a Bézier piece: interior knots get the multiplicity of the degree.
pub fn bezier_knots(knots: &mut Vec<f64>, degree: usize, rows: &mut [Vec<Point4>]) {
    let all = distinct(knots, degree);
    for &t in all.iter().take(all.len().saturating_sub(1)).skip(1) {
        insert_to(knots, degree, rows, t, degree);
    }
}

/// Clamped Bézier-like knots over the given breaks: interior multiplicity `degree`.
pub fn joined_knots(breaks: &[f64], degree: usize) -> Vec<f64> {
    let last = breaks.len().saturating_sub(1);
    let mut out = Vec::new();
    for (i, &t) in breaks.iter().enumerate() {
        let count = if i == 0 || i == last {
            degree + 1
        } else {
            degree
        };
        out.extend(std::iter::repeat_n(t, count));
    }
    out
}

/// True if knots are those of a clamped spline with `count` control points that [`normalise`] would leave as they are.
pub(crate) fn is_clamped(knots: &[f64], degree: usize, count: usize) -> bool {
    let right = (1..=MAX_DEGREE).contains(&degree) && count > degree;
    if !right || knots.len() != count + degree + 1 {
        return false;
    }
    let (a, b) = (knots[0], knots[count + degree]);
    let ends = knots[degree] == a && knots[count] == b;
    // Knot `i` and the one `degree` after it are equal only at the ends, where one more is.
    let inner = &knots[degree + 1..count];
    let ascending = knots.windows(2).all(|w| w[0] <= w[1]);
    let simple = inner.iter().all(|k| a < *k && *k < b)
        && (0..inner.len().saturating_sub(degree)).all(|i| inner[i] < inner[i + degree]);
    ends && a < b && (b - a).is_finite() && ascending && simple
}

/// Checks one direction and makes it clamped, without knots of full multiplicity inside.
pub(crate) fn normalise(
    knots: &mut Vec<f64>,
    degree: usize,
    rows: &mut [Vec<Point4>],
    tol: f64,
) -> Result<(), NurbsError> {
    if degree == 0 || degree > MAX_DEGREE {
        return Err(NurbsError::Degree(degree));
    }
    let n = rows.first().map_or(0, Vec::len);
    if n < degree + 1 || knots.len() != n + degree + 1 || rows.iter().any(|r| r.len() != n) {
        return Err(NurbsError::Count {
            knots: knots.len(),
            control: n,
            degree,
        });
    }
    if knots.iter().any(|k| !k.is_finite()) {
        return Err(NurbsError::NotFinite);
    }
    if let Some(i) = knots.windows(2).position(|w| w[1] < w[0]) {
        return Err(NurbsError::Knots(i));
    }
    let (a, b) = (knots[degree], knots[n]);
    if b <= a || !(b - a).is_finite() {
        return Err(NurbsError::Knots(degree));
    }
    for t in distinct(knots, degree) {
        while t > a && t < b && multiplicity(knots, t) > degree {
            let f = knots.partition_point(|&k| k < t);
            let gap = |r: &Vec<Point4>| (project(&r[f - 1]) - project(&r[f])).norm();
            let weights = |r: &Vec<Point4>| (r[f - 1].w - r[f].w).abs() > 1e-9 * r[f].w;
            // beyond degree + 1 the control point between acts nowhere
            let acts = multiplicity(knots, t) == degree + 1;
            if acts && rows.iter().any(|r| gap(r) > tol || weights(r)) {
                return Err(NurbsError::Discontinuous(t));
            }
            rows.iter_mut().for_each(|r| {
                r.remove(f);
            });
            knots.remove(f);
        }
    }
    let clamped = multiplicity(&knots[..=degree], a) == degree + 1
        && multiplicity(&knots[knots.len() - degree - 1..], b) == degree + 1
        && multiplicity(knots, a) == degree + 1
        && multiplicity(knots, b) == degree + 1;
    if !clamped {
        restrict(knots, degree, rows, a, b);
    }
    Ok(())
}

/// Checks homogeneous control points and gives the diagonal of their box.
pub(crate) fn check_control(control: &[Point4]) -> Result<f64, NurbsError> {
    if control.iter().any(|c| c.iter().any(|x| !x.is_finite())) {
        return Err(NurbsError::NotFinite);
    }
    if let Some(c) = control.iter().find(|c| c.w <= 0.0) {
        return Err(NurbsError::Weight(c.w));
    }
    Ok(crate::Aabb::of(control.iter().map(project)).diagonal())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::{Random, basis, grid, seeds};
    use crate::{Interval, Point3};

    #[test]
    fn clamped_knots_are_told_from_others() {
        let clamped = |knots: &[f64], degree| is_clamped(knots, degree, knots.len() - degree - 1);
        assert!(clamped(&[0.0, 0.0, 1.0, 1.0], 1) && clamped(&[0.0, 0.0, 0.5, 1.0, 1.0], 1));
        assert!(clamped(&[0.0, 0.0, 0.0, 0.5, 0.5, 1.0, 1.0, 1.0], 2));
        for wrong in [
            &[0.0, 0.0, 0.0, 0.5, 0.5, 0.5, 1.0, 1.0, 1.0][..],
            &[0.0, 0.0, 0.0, 0.0, 0.5, 1.0, 1.0, 1.0],
            &[0.0, 0.0, 0.1, 0.5, 1.0, 1.0, 1.0],
            &[0.0, 0.0, 0.0, 0.6, 0.5, 1.0, 1.0, 1.0],
            &[0.0, 0.0, 0.0, f64::NAN, 1.0, 1.0, 1.0],
            &[0.0; 6],
            &[
                f64::NEG_INFINITY,
                f64::NEG_INFINITY,
                f64::NEG_INFINITY,
                1.0,
                1.0,
                1.0,
            ],
        ] {
            assert!(!clamped(wrong, 2), "{wrong:?}");
        }
        assert!(!is_clamped(&[], 0, 0) && !is_clamped(&[0.0, 1.0], 0, 1));
    }

    #[test]
    fn values_follow_the_definition_and_derivatives_their_differences() {
        for seed in seeds(60) {
            let mut random = Random::new(seed);
            let degree = random.whole(1, 9);
            let count = degree + 1 + random.whole(0, 6);
            let knots = random.knots(degree, count);
            let domain = Interval::new(knots[degree], knots[count]);
            for t in grid(domain, 37) {
                let span = find_span(&knots, degree, t);
                assert!(knots[span] < knots[span + 1] && knots[span] <= t && t <= knots[span + 1]);
                let [n0, n1, n2] = derivatives::<{ MAX_DEGREE + 1 }>(&knots, degree, span, t);
                assert_eq!(values::<{ MAX_DEGREE + 1 }>(&knots, degree, span, t), n0);
                let width = knots[span + 1] - knots[span];
                let h = 1e-5 * width;
                let x = t.clamp(knots[span] + h, knots[span + 1] - h);
                let at = |x: f64| derivatives::<{ MAX_DEGREE + 1 }>(&knots, degree, span, x);
                let (low, mid, high) = (at(x - h), at(x), at(x + h));
                for j in 0..=degree {
                    let exact = basis(span - degree + j, degree, &knots, t, domain.hi);
                    assert!((n0[j] - exact).abs() < 1e-13, "{seed} {t}");
                    let d1 = (high[0][j] - low[0][j]) / (2.0 * h);
                    let d2 = (high[1][j] - low[1][j]) / (2.0 * h);
                    assert!((d1 - mid[1][j]).abs() * width < 1e-6, "{seed} {t}");
                    assert!((d2 - mid[2][j]).abs() * width * width < 1e-4, "{seed} {t}");
                }
                assert!((n0.iter().sum::<f64>() - 1.0).abs() < 1e-13);
                assert!(n1.iter().sum::<f64>().abs() * width < 1e-12);
                assert!(n2.iter().sum::<f64>().abs() * width * width < 1e-11);
            }
        }
    }

    #[test]
    fn knots_beyond_full_multiplicity_drop_what_acts_nowhere() {
        let row = |x: f64| crate::nurbs::lift(&Point3::new(x, x * x, 1.0), 1.0);
        let mut rows = [[0.0, 1.0, 1.0, 50.0, 1.0, 2.0].map(row).to_vec()];
        // degree 1, the knot 1 four times: two control points between the two lines, one of them idle
        let mut knots = vec![0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 2.0, 2.0];
        assert_eq!(normalise(&mut knots, 1, &mut rows, 1e-9), Ok(()));
        assert_eq!(knots, [0.0, 0.0, 1.0, 2.0, 2.0]);
        assert_eq!(rows[0], [0.0, 1.0, 2.0].map(row));
    }
}
