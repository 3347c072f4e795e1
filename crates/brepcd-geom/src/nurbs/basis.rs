//! B-spline basis functions and knot insertion.

use super::{NurbsError, project};
use crate::Point4;

/// Highest degree accepted.
pub const MAX_DEGREE: usize = 25;

/// Values of the `degree + 1` basis functions that are not zero on a span.
pub type Values = [f64; MAX_DEGREE + 1];

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

/// One degree up: basis values of degree `q` from those of degree `q - 1`.
fn raise(knots: &[f64], span: usize, q: usize, t: f64, low: &Values) -> Values {
    let mut out = [0.0; MAX_DEGREE + 1];
    for j in 0..q {
        // low[j] is the function with index span - q + 1 + j
        let i = span - q + 1 + j;
        let x = low[j] / (knots[i + q] - knots[i]);
        out[j] += (knots[i + q] - t) * x;
        out[j + 1] += (t - knots[i]) * x;
    }
    out
}

/// One derivative: from values of degree `q - 1` to derivatives of degree `q`.
fn derive(knots: &[f64], span: usize, q: usize, low: &Values) -> Values {
    let mut out = [0.0; MAX_DEGREE + 1];
    for j in 0..q {
        let i = span - q + 1 + j;
        let x = q as f64 * low[j] / (knots[i + q] - knots[i]);
        out[j] -= x;
        out[j + 1] += x;
    }
    out
}

/// Basis values on a span; entry `j` belongs to control point `span - degree + j`.
pub fn values(knots: &[f64], degree: usize, span: usize, t: f64) -> Values {
    let mut out = [0.0; MAX_DEGREE + 1];
    out[0] = 1.0;
    for q in 1..=degree {
        out = raise(knots, span, q, t, &out);
    }
    out
}

/// Basis values with first and second derivatives.
pub fn derivatives(knots: &[f64], degree: usize, span: usize, t: f64) -> [Values; 3] {
    let mut low = [0.0; MAX_DEGREE + 1];
    low[0] = 1.0;
    if degree == 0 {
        return [low, [0.0; MAX_DEGREE + 1], [0.0; MAX_DEGREE + 1]];
    }
    let mut second = [0.0; MAX_DEGREE + 1];
    for q in 1..degree {
        if q + 1 == degree {
            second = derive(knots, span, q, &low);
        }
        low = raise(knots, span, q, t, &low);
    }
    let second = if degree > 1 {
        derive(knots, span, degree, &second)
    } else {
        second
    };
    [
        raise(knots, span, degree, t, &low),
        derive(knots, span, degree, &low),
        second,
    ]
}

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
            if rows.iter().any(|r| gap(r) > tol || weights(r)) {
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
