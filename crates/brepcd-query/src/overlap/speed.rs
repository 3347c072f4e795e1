//! How fast a free-form curve runs at most.
//!
//! The derivative of `C = N / w` is `(N' - C w') / w`. As a spline `N' - C w'` has the coefficients
//! `p / Δ (w₁ (P₁ - P₀) + (w₁ - w₀) (P₀ - C))` for neighbours `P₀`, `P₁` with weights `w₀`, `w₁` and the knots `Δ` apart
//! that both act between; `C` and `P₀` lie in the hull of the control points, which its box bounds.

use brepcd_geom::nurbs::basis::find_span;
use brepcd_geom::nurbs::{NurbsCurve, project};
use brepcd_geom::{Interval, Point4};

/// A bound of the speed over a range of the parameter; none for ranges that leave the domain.
pub(super) fn most(curve: &NurbsCurve, range: Interval) -> f64 {
    let (degree, knots, domain) = (curve.degree, &curve.knots, curve.domain());
    if !(domain.contains(range.lo) && domain.contains(range.hi)) {
        return f64::INFINITY;
    }
    let first = find_span(knots, degree, range.lo) - degree;
    let last = find_span(knots, degree, range.hi);
    let width = |i: usize| knots[first + i + degree + 1] - knots[first + i + 1];
    let control = curve.control[first..=last].iter();
    degree as f64 * most_of(control, width, curve.size())
}

/// A bound of the speed of a Bézier curve over a range; `size` bounds the distances of its control points.
pub(super) fn of_bezier<'a>(
    control: impl ExactSizeIterator<Item = &'a Point4>,
    range: Interval,
    size: f64,
) -> f64 {
    let degree = control.len().saturating_sub(1);
    degree as f64 * most_of(control, |_| range.length(), size)
}

fn most_of<'a>(
    mut control: impl Iterator<Item = &'a Point4>,
    width: impl Fn(usize) -> f64,
    size: f64,
) -> f64 {
    let Some(mut last) = control.next() else {
        return f64::INFINITY;
    };
    let (mut most, mut least_weight) = (0.0f64, last.w);
    for (i, next) in control.enumerate() {
        let way = next.w * (project(next) - project(last)).norm();
        let turn = (next.w - last.w).abs() * size;
        most = most.max((way + turn) / width(i));
        least_weight = least_weight.min(next.w);
        last = next;
    }
    most / least_weight
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A number from 0 to 1 that looks random.
    fn mixed(seed: usize) -> f64 {
        (seed as f64 * 12.9898).sin().abs() * 43758.5453 % 1.0
    }

    #[test]
    fn no_curve_is_faster_and_most_are_not_much_slower() {
        let mut close = 0;
        for seed in 0..300 {
            let (degree, more) = (1 + seed % 7, seed % 5);
            let random = |k: usize| mixed(1000 * seed + k);
            let mut inner: Vec<f64> = (0..more).map(|k| 0.05 + 0.9 * random(k)).collect();
            inner.sort_by(f64::total_cmp);
            let ends = |t: f64| std::iter::repeat_n(t, degree + 1);
            let knots: Vec<f64> = ends(0.0).chain(inner).chain(ends(1.0)).collect();
            let control = (0..degree + 1 + more).map(|i| {
                let [x, y, z, w] = [0, 1, 2, 3].map(|k| random(50 + 4 * i + k));
                let w = if seed % 2 == 0 { 1.0 } else { 0.2 + w };
                Point4::new(x * w, y * w, z * w, w)
            });
            let curve = NurbsCurve::new(degree, knots, control.collect()).expect("a curve");
            let [a, b] = [random(7), random(8)];
            let range = Interval::new(a.min(b), a.max(b));
            let bound = most(&curve, range);
            let speeds = (0..=200).map(|i| curve.jet(range.at(f64::from(i) / 200.0)).d1.norm());
            let fastest = speeds.fold(0.0, f64::max);
            assert!(
                fastest <= bound * (1.0 + 1e-12),
                "{seed}: {fastest} {bound}"
            );
            close += usize::from(bound < 4.0 * fastest);
            if more == 0 {
                let whole = of_bezier(curve.control.iter(), curve.domain(), curve.size());
                assert!((whole - most(&curve, curve.domain())).abs() <= 1e-12 * whole);
            }
        }
        assert!(close > 100, "{close}");
    }
}
