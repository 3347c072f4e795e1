//! Rational B-spline curves.

use super::{
    BezierCurve, CLOSED_RELATIVE, NurbsError, SAME_PARAMETER, basis, into_domain, lift, pieces,
    project, solve,
};
use crate::{Aabb, CurveFoot, CurveJet, Interval, Point3, Point4, Pose, Vec3};

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
        let t = self.inside(t);
        let span = basis::find_span(&self.knots, self.degree, t);
        let n = basis::values(&self.knots, self.degree, span, t);
        let control = &self.control[span - self.degree..=span];
        let sum = control
            .iter()
            .zip(&n)
            .fold(Point4::zeros(), |a, (c, n)| a + c * *n);
        project(&sum)
    }

    /// Position and derivatives at a parameter; at a knot those of the span to the right.
    pub fn jet(&self, t: f64) -> CurveJet {
        let t = self.inside(t);
        let span = basis::find_span(&self.knots, self.degree, t);
        let n = basis::derivatives(&self.knots, self.degree, span, t);
        let mut h = [Point4::zeros(); 3];
        for (j, c) in self.control[span - self.degree..=span].iter().enumerate() {
            for (h, n) in h.iter_mut().zip(&n) {
                *h += c * n[j];
            }
        }
        let w = h[0].w;
        let p = project(&h[0]);
        let d1 = (h[1].xyz() - p.coords * h[1].w) / w;
        let d2 = (h[2].xyz() - d1 * (2.0 * h[1].w) - p.coords * h[2].w) / w;
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

    /// The exact box of the part over an interval.
    pub fn bounding_box(&self, interval: Interval) -> Aabb {
        let mut out = Aabb::EMPTY;
        let mut found = Vec::new();
        for part in pieces(interval, self.domain(), self.closed) {
            out.include(&self.point(part.lo));
            out.include(&self.point(part.hi));
            if part.length() <= 0.0 {
                continue;
            }
            for piece in self.restricted(part).decompose() {
                out.include(&piece.point(piece.domain.lo));
                let hull = piece.hull();
                if out.contains(&hull.min) && out.contains(&hull.max) {
                    continue;
                }
                for axis in 0..3 {
                    let row = |k: usize| {
                        solve::Net::new(
                            piece.degree(),
                            0,
                            piece.control.iter().map(|c| c[k]).collect(),
                        )
                    };
                    let (h, w) = (row(axis), row(3));
                    let slope = h.ds().mul(&w).combine(1.0, &h.mul(&w.ds()), -1.0);
                    found.clear();
                    let zero = solve::ROUNDING * h.size() * w.size();
                    if slope.size() > zero {
                        solve::roots(&slope.c, zero, &mut found);
                    }
                    for s in &found {
                        out.include(&piece.point(piece.domain.at(*s)));
                    }
                }
            }
        }
        out
    }

    /// All stationary points of the distance to `p` in the interval, and the kinks that act as such.
    ///
    /// A piece of constant distance gives one point.
    pub fn feet(&self, p: &Point3, interval: Interval, out: &mut Vec<CurveFoot>) {
        let mut all = Vec::new();
        let mut found = Vec::new();
        let mut before = None;
        let pieces = self.decompose();
        for piece in &pieces {
            let n = piece.degree();
            let w = solve::Net::new(n, 0, piece.control.iter().map(|c| c.w).collect());
            let mut slope: Option<solve::Net> = None;
            let mut scale = 0.0;
            for axis in 0..3 {
                let c = piece
                    .control
                    .iter()
                    .map(|c| c[axis] - p[axis] * c.w)
                    .collect();
                let h = solve::Net::new(n, 0, c);
                let d = h.ds().mul(&w).combine(1.0, &h.mul(&w.ds()), -1.0);
                scale += h.size() * (h.ds().size() * w.size() + h.size() * w.ds().size());
                let term = h.mul(&d);
                slope = Some(match slope {
                    Some(s) => s.combine(1.0, &term, 1.0),
                    None => term,
                });
            }
            let Some(slope) = slope else { continue };
            found.clear();
            solve::roots(&slope.c, solve::ROUNDING * scale, &mut found);
            all.extend(found.iter().map(|s| piece.domain.at(*s)));
            let (first, last) = (slope.c[0], slope.c[slope.c.len() - 1]);
            if before.is_some_and(|b: f64| b * first < 0.0) {
                all.push(piece.domain.lo);
            }
            before = Some(last);
        }
        all.sort_by(f64::total_cmp);
        let slack = SAME_PARAMETER * self.domain().length();
        all.dedup_by(|b, a| *b - *a < slack);
        if self.closed
            && all.len() > 1
            && all[all.len() - 1] - all[0] > self.domain().length() - slack
        {
            all.pop();
        }
        for t in all {
            let point = self.point(t);
            let distance = (point - p).norm();
            self.images(t, interval, |t| out.push(CurveFoot { t, point, distance }));
        }
    }

    /// The nearest point of the interval, its ends included.
    pub fn nearest(&self, p: &Point3, interval: Interval) -> CurveFoot {
        let d = self.domain();
        let interval = if self.closed && interval.length().is_finite() {
            interval
        } else {
            Interval {
                lo: d.clamp(interval.lo),
                hi: d.clamp(interval.hi),
            }
        };
        let mut all = Vec::new();
        self.feet(p, interval, &mut all);
        let mut corners = self.breaks(interval);
        corners.extend([interval.lo, interval.hi]);
        all.extend(corners.into_iter().map(|t| {
            let point = self.point(t);
            CurveFoot {
                t,
                point,
                distance: (point - p).norm(),
            }
        }));
        let mut best = all[all.len() - 1];
        for foot in all {
            if foot.distance < best.distance {
                best = foot;
            }
        }
        best
    }

    /// The parameter of the nearest point; with a guess the one Newton's method finds from there.
    pub fn invert(&self, p: &Point3, guess: Option<f64>) -> f64 {
        let d = self.domain();
        let Some(guess) = guess else {
            return self.nearest(p, d).t;
        };
        let mut t = guess;
        let mut best = (self.point(t) - p).norm_squared();
        for _ in 0..NEWTON_STEPS {
            let jet = self.jet(t);
            let r: Vec3 = jet.p - p;
            let (slope, square) = (r.dot(&jet.d1), jet.d1.norm_squared());
            let full = square + r.dot(&jet.d2);
            let mut step = -slope / if full > 0.1 * square { full } else { square };
            if !step.is_finite() {
                break;
            }
            let mut moved = 0.0;
            for _ in 0..NEWTON_HALVINGS {
                let next = if self.closed {
                    t + step
                } else {
                    d.clamp(t + step)
                };
                let f = (self.point(next) - p).norm_squared();
                if f <= best {
                    moved = (next - t).abs();
                    (t, best) = (next, f);
                    break;
                }
                step *= 0.5;
            }
            if moved <= NEWTON_STOP * d.length() {
                break;
            }
        }
        t
    }
}

/// Newton steps at most.
pub(crate) const NEWTON_STEPS: usize = 40;
/// Halvings of one Newton step at most.
pub(crate) const NEWTON_HALVINGS: usize = 12;
/// Step relative to the domain at which Newton has arrived.
pub(crate) const NEWTON_STOP: f64 = 1e-15;

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

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

    fn wavy() -> NurbsCurve {
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
            let n = basis::values(&knots, 3, span, t);
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
    fn rational_circle_is_a_circle() {
        let c = circle();
        assert!(c.is_closed() && c.period() == Some(4.0));
        for k in 0..100 {
            assert!((c.point(0.11 * k as f64).coords.norm() - 1.0).abs() < 1e-14);
        }
        let b = c.bounding_box(Interval::new(0.5, 3.5));
        assert!((b.min - Point3::new(-1.0, -1.0, 0.0)).norm() < 1e-12);
        assert!((b.max.x - 0.5f64.sqrt()).abs() < 1e-12 && (b.max.y - 1.0).abs() < 1e-12);
        let mut feet = Vec::new();
        c.feet(&Point3::new(3.0, 0.5, 1.0), c.domain(), &mut feet);
        assert_eq!(feet.len(), 2);
        let near = c.nearest(&Point3::new(3.0, -0.5, 0.0), Interval::new(2.0, 6.0));
        assert!((near.distance - (9.25f64.sqrt() - 1.0)).abs() < 1e-12 && near.t > 3.5);
    }

    #[test]
    fn nearest_beats_samples_and_invert_finds_the_parameter() {
        let c = wavy();
        for k in 0..20 {
            let x = k as f64;
            let p = Point3::new(0.35 * x, x.sin(), (2.0 * x).cos());
            let near = c.nearest(&p, c.domain());
            for i in 0..=1000 {
                let q = c.point(c.domain().at(i as f64 / 1000.0));
                assert!((q - p).norm() >= near.distance - 1e-12);
            }
            let t = c.domain().at((x + 0.5) / 20.0);
            assert!((c.invert(&c.point(t), None) - t).abs() < 1e-9);
            assert!((c.invert(&c.point(t), Some(t + 0.02)) - t).abs() < 1e-9);
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
}
