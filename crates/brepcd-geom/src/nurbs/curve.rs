//! Rational B-spline curves.

mod query;

use super::{
    BezierCurve, CLOSED_RELATIVE, NurbsError, SAME_PARAMETER, basis, into_domain, lift, project,
};
use crate::{Aabb, CurveJet, Interval, Point3, Point4, Pose};

/// A rational B-spline curve with clamped knots.
///
/// Made by [`NurbsCurve::new`] only, so that the knots are clamped, no interior knot has a multiplicity above the
/// degree, and all weights are positive. Parameters outside the domain are taken modulo the period if the curve is
/// closed, else clamped.
#[derive(Clone, Debug)]
pub struct NurbsCurve {
    /// Polynomial degree.
    pub degree: usize,
    /// Clamped knots, control points + degree + 1 of them.
    pub knots: Vec<f64>,
    /// Homogeneous control points.
    pub control: Vec<Point4>,
    size: f64,
    closed: bool,
}

impl NurbsCurve {
    /// The curve with the given knots and homogeneous control points; unclamped knots are clamped exactly.
    pub fn new(degree: usize, knots: Vec<f64>, control: Vec<Point4>) -> Result<Self, NurbsError> {
        let size = basis::check_control(&control)?;
        let mut knots = knots;
        let mut rows = [control];
        basis::normalise(&mut knots, degree, &mut rows, CLOSED_RELATIVE * size)?;
        let [control] = rows;
        Ok(Self::from_clamped(degree, knots, control))
    }

    /// The curve of data known to be valid and clamped.
    pub(crate) fn from_clamped(degree: usize, knots: Vec<f64>, control: Vec<Point4>) -> Self {
        let size = Aabb::of(control.iter().map(project)).diagonal();
        let mut out = Self {
            degree,
            knots,
            control,
            size,
            closed: false,
        };
        out.closed = out.is_closed_within(CLOSED_RELATIVE * size) && size > 0.0;
        out
    }

    /// True if the ends meet within a distance.
    pub fn is_closed_within(&self, tol: f64) -> bool {
        match (self.control.first(), self.control.last()) {
            (Some(a), Some(b)) => (project(a) - project(b)).norm() <= tol,
            _ => false,
        }
    }

    /// True if the ends meet.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Diagonal of the box of the control points.
    pub fn size(&self) -> f64 {
        self.size
    }

    /// True if the weights differ.
    pub fn is_rational(&self) -> bool {
        self.control.iter().any(|c| c.w != self.control[0].w)
    }

    /// Parameters from end to end.
    pub fn domain(&self) -> Interval {
        Interval {
            lo: self.knots[self.degree],
            hi: self.knots[self.control.len()],
        }
    }

    /// Length of the domain if closed.
    pub fn period(&self) -> Option<f64> {
        self.closed.then(|| self.domain().length())
    }

    fn inside(&self, t: f64) -> f64 {
        into_domain(t, self.domain(), self.closed)
    }

    /// The point at a parameter.
    pub fn point(&self, t: f64) -> Point3 {
        basis::sized!(self.degree, self.point_sized(t))
    }

    fn point_sized<const N: usize>(&self, t: f64) -> Point3 {
        let t = self.inside(t);
        let span = basis::find_span(&self.knots, self.degree, t);
        let n = basis::values::<N>(&self.knots, self.degree, span, t);
        let control = &self.control[span - self.degree..=span];
        let sum = control
            .iter()
            .zip(&n)
            .fold(Point4::zeros(), |a, (c, n)| a + c * *n);
        project(&sum)
    }

    /// Position and derivatives at a parameter; at a knot those of the span to the right.
    pub fn jet(&self, t: f64) -> CurveJet {
        basis::sized!(self.degree, self.jet_sized(t))
    }

    fn jet_sized<const N: usize>(&self, t: f64) -> CurveJet {
        let t = self.inside(t);
        let span = basis::find_span(&self.knots, self.degree, t);
        let [n0, n1, n2] = basis::derivatives::<N>(&self.knots, self.degree, span, t);
        let zero = Point4::zeros();
        let (mut h, mut h1, mut h2) = (zero, zero, zero);
        let control = &self.control[span - self.degree..=span];
        for (((c, n0), n1), n2) in control.iter().zip(&n0).zip(&n1).zip(&n2) {
            h += c * *n0;
            h1 += c * *n1;
            h2 += c * *n2;
        }
        let p = project(&h);
        let d1 = (h1.xyz() - p.coords * h1.w) / h.w;
        let d2 = (h2.xyz() - d1 * (2.0 * h1.w) - p.coords * h2.w) / h.w;
        CurveJet { p, d1, d2 }
    }

    /// The curve moved.
    pub fn transformed(&self, a_from_b: &Pose) -> Self {
        let mut out = self.clone();
        for c in &mut out.control {
            *c = lift(&(a_from_b * project(c)), c.w);
        }
        out
    }

    /// The same curve run backwards, over the same domain.
    pub fn reversed(&self) -> Self {
        let d = self.domain();
        let knots = self.knots.iter().rev().map(|k| d.lo + d.hi - k).collect();
        let control = self.control.iter().rev().copied().collect();
        Self {
            degree: self.degree,
            knots,
            control,
            ..*self
        }
    }

    /// Knots strictly inside the interval (moved by the period if closed).
    pub fn breaks(&self, interval: Interval) -> Vec<f64> {
        let mut inner = basis::distinct(&self.knots, self.degree);
        inner.pop();
        if !self.closed {
            inner.remove(0);
        }
        let mut out = Vec::new();
        for t in inner {
            self.images(t, interval, |t| out.push(t));
        }
        out.retain(|&t| t > interval.lo && t < interval.hi);
        out.sort_by(f64::total_cmp);
        out
    }

    /// All parameters of the interval that mean the parameter `t` of the domain.
    fn images(&self, t: f64, interval: Interval, mut push: impl FnMut(f64)) {
        let d = self.domain();
        let slack = SAME_PARAMETER * d.length();
        match self.period() {
            Some(period) if interval.length().is_finite() => {
                let mut x = t + ((interval.lo - slack - t) / period).ceil() * period;
                while x <= interval.hi + slack {
                    push(interval.clamp(x));
                    x += period;
                }
            }
            _ => {
                if t >= interval.lo - slack && t <= interval.hi + slack {
                    push(interval.clamp(t));
                }
            }
        }
    }

    /// Inserts a knot once; a parameter outside the inside of the domain changes nothing.
    pub fn insert_knot(&self, t: f64) -> Self {
        let mut out = self.clone();
        let d = self.domain();
        if t > d.lo && t < d.hi && basis::multiplicity(&self.knots, t) < self.degree {
            let mut rows = [std::mem::take(&mut out.control)];
            basis::insert(&mut out.knots, self.degree, &mut rows, t);
            let [control] = rows;
            out.control = control;
        }
        out
    }

    /// The part over an interval of the domain.
    pub fn restricted(&self, interval: Interval) -> Self {
        let d = self.domain();
        let (a, b) = (d.clamp(interval.lo), d.clamp(interval.hi));
        if b <= a {
            return self.clone();
        }
        let mut knots = self.knots.clone();
        let mut rows = [self.control.clone()];
        basis::restrict(&mut knots, self.degree, &mut rows, a, b);
        let [control] = rows;
        Self::from_clamped(self.degree, knots, control)
    }

    /// Both parts, cut at a parameter strictly inside the domain; elsewhere the whole curve twice.
    pub fn split(&self, t: f64) -> (Self, Self) {
        let d = self.domain();
        (
            self.restricted(Interval { lo: d.lo, hi: t }),
            self.restricted(Interval { lo: t, hi: d.hi }),
        )
    }

    /// The Bézier pieces in order.
    pub fn decompose(&self) -> Vec<BezierCurve> {
        let mut knots = self.knots.clone();
        let mut rows = [self.control.clone()];
        basis::bezier_knots(&mut knots, self.degree, &mut rows);
        let p = self.degree;
        let spans = basis::distinct(&self.knots, p);
        let pieces = spans.windows(2).enumerate();
        pieces
            .map(|(i, w)| BezierCurve {
                domain: Interval { lo: w[0], hi: w[1] },
                control: rows[0][i * p..=(i + 1) * p].to_vec(),
            })
            .collect()
    }

    /// The same curve one degree higher; its interior knots get full multiplicity.
    pub fn elevate(&self) -> Self {
        if self.degree >= basis::MAX_DEGREE {
            return self.clone();
        }
        let q = self.degree + 1;
        let knots = basis::joined_knots(&basis::distinct(&self.knots, self.degree), q);
        let mut control = Vec::with_capacity(knots.len());
        for piece in self.decompose() {
            let skip = usize::from(!control.is_empty());
            control.extend_from_slice(&piece.elevate().control[skip..]);
        }
        Self::from_clamped(q, knots, control)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::oracle::{Random, grid, seeds};

    /// The unit circle of nine control points over [0, 4].
    pub(crate) fn circle() -> NurbsCurve {
        let r = 0.5f64.sqrt();
        let xy = [
            (1, 0),
            (1, 1),
            (0, 1),
            (-1, 1),
            (-1, 0),
            (-1, -1),
            (0, -1),
            (1, -1),
            (1, 0),
        ];
        let control = xy.iter().enumerate().map(|(i, &(x, y))| {
            lift(
                &Point3::new(x as f64, y as f64, 0.0),
                if i % 2 == 1 { r } else { 1.0 },
            )
        });
        let knots = vec![0., 0., 0., 1., 1., 2., 2., 3., 3., 4., 4., 4.];
        NurbsCurve::new(2, knots, control.collect()).unwrap()
    }

    pub(crate) fn wavy() -> NurbsCurve {
        let control = (0..8).map(|i| {
            let x = i as f64;
            lift(
                &Point3::new(x, (1.3 * x).sin(), (0.7 * x * x).cos()),
                1.0 + 0.3 * (x * 2.0).sin(),
            )
        });
        let knots = vec![-1.0, 0.0, 0.3, 1.0, 1.5, 2.0, 2.0, 3.0, 4.0, 4.5, 5.0, 7.0];
        NurbsCurve::new(3, knots, control.collect()).unwrap()
    }

    #[test]
    fn unclamped_knots_keep_the_shape() {
        // de Boor's value at a parameter, straight from the unclamped data
        let control: Vec<_> = (0..8)
            .map(|i| {
                let x = i as f64;
                let p = Point3::new(x, (1.3 * x).sin(), (0.7 * x * x).cos());
                lift(&p, 1.0 + 0.3 * (x * 2.0).sin())
            })
            .collect();
        let knots = [-1.0, 0.0, 0.3, 1.0, 1.5, 2.0, 2.0, 3.0, 4.0, 4.5, 5.0, 7.0];
        let c = wavy();
        assert_eq!((c.domain().lo, c.domain().hi), (1.0, 4.0));
        assert_eq!(c.knots[..4], [1.0; 4]);
        for i in 0..=30 {
            let t = 1.0 + 0.1 * i as f64;
            let span = basis::find_span(&knots, 3, t);
            let n = basis::values::<4>(&knots, 3, span, t);
            let h = (0..4).fold(Point4::zeros(), |a, j| a + control[span - 3 + j] * n[j]);
            assert!((project(&h) - c.point(t)).norm() < 1e-13);
        }
    }

    #[test]
    fn jets_match_finite_differences() {
        let c = wavy();
        let h = 1e-5;
        for t in [1.2, 1.77, 2.5, 3.9] {
            let (a, b, j) = (c.point(t - h), c.point(t + h), c.jet(t));
            assert!(((b - a) / (2.0 * h) - j.d1).norm() < 1e-7);
            assert!(
                ((b - j.p) - (j.p - a))
                    .scale(1.0 / (h * h))
                    .metric_distance(&j.d2)
                    < 1e-3
            );
        }
    }

    #[test]
    fn insertion_elevation_splitting_and_pieces_keep_the_shape() {
        for c in [wavy(), circle()] {
            let d = c.domain();
            let cut = d.at(0.37);
            let (i, e, r) = (c.insert_knot(cut), c.elevate(), c.reversed());
            let (a, b) = c.split(cut);
            let pieces = c.decompose();
            assert_eq!(e.degree, c.degree + 1);
            for k in 0..=40 {
                let t = d.at(k as f64 / 40.0);
                let p = c.point(t);
                let part = if t <= cut { &a } else { &b };
                let piece = pieces.iter().find(|x| x.domain.contains(t)).unwrap();
                let back = r.point(d.lo + d.hi - t);
                for q in [i.point(t), e.point(t), back, part.point(t), piece.point(t)] {
                    assert!((p - q).norm() < 1e-12);
                }
            }
        }
    }

    #[test]
    fn bad_data_is_an_error() {
        let p = |x: f64| lift(&Point3::new(x, 0.0, 0.0), 1.0);
        let line = |knots: Vec<f64>| NurbsCurve::new(1, knots, vec![p(0.0), p(1.0)]).err();
        assert_eq!(line(vec![0.0, 0.0, 1.0, 1.0]), None);
        assert_eq!(line(vec![0.0, 0.0, -1.0, 1.0]), Some(NurbsError::Knots(1)));
        assert!(matches!(
            line(vec![0.0, 1.0]),
            Some(NurbsError::Count { .. })
        ));
        assert_eq!(
            line(vec![0.0, 0.0, f64::NAN, 1.0]),
            Some(NurbsError::NotFinite)
        );
        let w = vec![p(0.0), -p(1.0)];
        let bad = NurbsCurve::new(1, vec![0.0, 0.0, 1.0, 1.0], w).err();
        assert_eq!(bad, Some(NurbsError::Weight(-1.0)));
    }

    #[test]
    fn all_forms_follow_the_definition() {
        for seed in seeds(80) {
            let mut random = Random::new(seed);
            let size = random.pick(&[1e-3, 1.0, 1e4]);
            let origin = Point3::from(random.vector(1.0) * random.pick(&[0.0, 1e6]));
            let raw = random.curve(size, &origin);
            let c = raw.build();
            let d = c.domain();
            assert_eq!(d, raw.domain());
            let cut = d.at(random.real(0.01, 0.99));
            let (i, e, r) = (c.insert_knot(cut), c.elevate().elevate(), c.reversed());
            let again = i.insert_knot(cut).insert_knot(cut);
            let (a, b) = c.split(cut);
            let pieces = c.decompose();
            let motion = Pose::new(random.vector(10.0), random.vector(2.0));
            let moved = c.transformed(&motion);
            let close = 1e-12 * size + 1e-14 * origin.coords.norm();
            for t in grid(d, 50) {
                let p = raw.point(t);
                let part = if t <= cut { &a } else { &b };
                let piece = pieces.iter().find(|x| x.domain.contains(t)).unwrap();
                let back = r.point(d.lo + d.hi - t);
                let forms = [
                    c.point(t),
                    c.jet(t).p,
                    i.point(t),
                    again.point(t),
                    e.point(t),
                ];
                for q in forms
                    .into_iter()
                    .chain([back, part.point(t), piece.point(t)])
                {
                    assert!((p - q).norm() <= close, "{seed} {t}: {p} {q}");
                }
                assert!(
                    (motion * p - moved.point(t)).norm() <= close + 1e-13,
                    "{seed}"
                );
            }
        }
    }

    #[test]
    fn jets_are_the_differences_between_knots() {
        for seed in seeds(60) {
            let mut random = Random::new(seed);
            let c = random.curve(1.0, &Point3::origin()).build();
            let spans = basis::distinct(&c.knots, c.degree);
            for w in spans.windows(2) {
                let d = Interval { lo: w[0], hi: w[1] };
                let h = 1e-5 * d.length();
                for x in [0.1, 0.5, 0.93] {
                    let t = d.at(x);
                    let (low, mid, high) = (c.jet(t - h), c.jet(t), c.jet(t + h));
                    let scale = mid.d1.norm() + mid.d2.norm() * d.length() + c.size() / d.length();
                    let d1 = (high.p - low.p) / (2.0 * h);
                    let d2 = (high.d1 - low.d1) / (2.0 * h);
                    assert!((d1 - mid.d1).norm() < 1e-6 * scale, "{seed} {t}");
                    assert!(
                        (d2 - mid.d2).norm() * d.length() < 1e-5 * scale,
                        "{seed} {t}"
                    );
                }
            }
        }
    }

    #[test]
    fn closed_curves_wrap_and_open_ones_stop() {
        // uniform knots with control points repeated: a periodic cubic
        let ring: Vec<_> = (0..7)
            .map(|i| (i % 4) as f64 * std::f64::consts::FRAC_PI_2)
            .map(|a| lift(&Point3::new(a.cos(), a.sin(), 0.3 * (2.0 * a).cos()), 1.0))
            .collect();
        let c = NurbsCurve::new(3, (0..11).map(f64::from).collect(), ring).unwrap();
        assert_eq!(c.period(), Some(4.0));
        for t in grid(c.domain(), 20) {
            for turns in [-8.0, 4.0] {
                assert!((c.point(t + turns) - c.point(t)).norm() < 1e-14);
                let (a, b) = (c.jet(t), c.jet(t + turns));
                assert!((a.d2 - b.d2).norm() < 1e-11, "{t}");
            }
        }
        assert_eq!(
            c.breaks(Interval::new(2.5, 8.5)),
            [3.0, 4.0, 5.0, 6.0, 7.0, 8.0]
        );
        let open = wavy();
        assert_eq!(open.point(-7.0), open.point(1.0));
        assert_eq!(open.point(f64::INFINITY), open.point(4.0));
        assert!(open.point(f64::NAN).coords.norm().is_finite());
    }
}
