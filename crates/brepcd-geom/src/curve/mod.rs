//! Curves in space: one file per kind, all with the same functions, and the enum that dispatches to them.
//!
//! An interval may lie anywhere along a periodic curve, not only in its domain; parameters come back inside the interval.

mod circle;
mod ellipse;
mod hyperbola;
mod line;
mod parabola;

pub use circle::Circle;
pub use ellipse::Ellipse;
pub use hyperbola::Hyperbola;
pub use line::Line;
pub use parabola::Parabola;

use crate::nurbs::NurbsCurve;
use crate::{Aabb, CurveJet, Interval, Point3, Pose};
use std::f64::consts::{PI, TAU};
use std::sync::Arc;

/// A curve in space.
#[derive(Clone, Debug)]
pub enum Curve {
    /// A straight line.
    Line(Line),
    /// A circle.
    Circle(Circle),
    /// An ellipse.
    Ellipse(Ellipse),
    /// A branch of a hyperbola.
    Hyperbola(Hyperbola),
    /// A parabola.
    Parabola(Parabola),
    /// A rational B-spline.
    Nurbs(Arc<NurbsCurve>),
}

/// A point of a curve where the distance from a given point is stationary or smallest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurveFoot {
    /// The curve's parameter.
    pub t: f64,
    /// The curve's point there.
    pub point: Point3,
    /// Its distance from the given point.
    pub distance: f64,
}

impl CurveFoot {
    /// The foot at parameter `t`, where the curve passes through `point`, seen from `from`.
    pub fn at(t: f64, point: Point3, from: &Point3) -> Self {
        Self {
            t,
            point,
            distance: (point - from).norm(),
        }
    }
}

/// The same expression for every kind.
macro_rules! each {
    ($self:expr, $curve:ident => $body:expr) => {
        match $self {
            Curve::Line($curve) => $body,
            Curve::Circle($curve) => $body,
            Curve::Ellipse($curve) => $body,
            Curve::Hyperbola($curve) => $body,
            Curve::Parabola($curve) => $body,
            Curve::Nurbs($curve) => $body,
        }
    };
}

impl Curve {
    /// The point at `t`.
    pub fn point(&self, t: f64) -> Point3 {
        each!(self, c => c.point(t))
    }

    /// The point and derivatives at `t`.
    pub fn jet(&self, t: f64) -> CurveJet {
        each!(self, c => c.jet(t))
    }

    /// The parameters that cover the curve once, infinite where it is.
    pub fn domain(&self) -> Interval {
        each!(self, c => c.domain())
    }

    /// The parameter length after which a closed curve repeats.
    pub fn period(&self) -> Option<f64> {
        each!(self, c => c.period())
    }

    /// The curve moved by `a_from_b`, with the same parameters.
    pub fn transformed(&self, a_from_b: &Pose) -> Self {
        match self {
            Self::Line(c) => Self::Line(c.transformed(a_from_b)),
            Self::Circle(c) => Self::Circle(c.transformed(a_from_b)),
            Self::Ellipse(c) => Self::Ellipse(c.transformed(a_from_b)),
            Self::Hyperbola(c) => Self::Hyperbola(c.transformed(a_from_b)),
            Self::Parabola(c) => Self::Parabola(c.transformed(a_from_b)),
            Self::Nurbs(c) => Self::Nurbs(Arc::new(c.transformed(a_from_b))),
        }
    }

    /// The smallest box of the part over the interval, up to rounding; its sides may be infinite.
    pub fn bounding_box(&self, interval: Interval) -> Aabb {
        each!(self, c => c.bounding_box(interval))
    }

    /// The kind as counted in files: `line`, `circle`, `ellipse`, `bspline` or `other`.
    pub fn kind_name(&self) -> &'static str {
        match self {
            Self::Line(_) => "line",
            Self::Circle(_) => "circle",
            Self::Ellipse(_) => "ellipse",
            Self::Hyperbola(_) | Self::Parabola(_) => "other",
            Self::Nurbs(_) => "bspline",
        }
    }

    /// Appends all points over the interval where the distance from `p` is stationary.
    ///
    /// Ends of the interval count only if stationary. Where a whole arc is equally far, one point stands for it.
    pub fn feet(&self, p: &Point3, interval: Interval, out: &mut Vec<CurveFoot>) {
        each!(self, c => c.feet(p, interval, out))
    }

    /// The point over the interval nearest to `p`, ends included.
    pub fn nearest(&self, p: &Point3, interval: Interval) -> CurveFoot {
        each!(self, c => c.nearest(p, interval))
    }

    /// Ascending parameters inside the interval where the curve is not smooth.
    pub fn breaks(&self, interval: Interval) -> Vec<f64> {
        each!(self, c => c.breaks(interval))
    }
}

/// Parameter slack, relative beyond 1, by which a value may miss the end of an interval and still count as on it.
const PARAMETER_SLACK: f64 = 1e-13;

/// `t` if in the interval, snapped to an end it misses by rounding only.
pub(crate) fn in_interval(t: f64, interval: &Interval) -> Option<f64> {
    let slack = PARAMETER_SLACK * (1.0 + t.abs());
    let inside = interval.lo - slack <= t && t <= interval.hi + slack;
    inside.then(|| interval.clamp(t))
}

/// The first value in the interval that differs from `t` by whole periods.
pub(crate) fn shifted_into(t: f64, interval: &Interval, period: f64) -> Option<f64> {
    let start = match (interval.lo.is_finite(), interval.hi.is_finite()) {
        (true, _) => interval.lo,
        (false, true) => interval.hi - period,
        (false, false) => 0.0,
    };
    let slack = PARAMETER_SLACK * (1.0 + start.abs());
    let turns = ((start - slack - t) / period).ceil();
    in_interval(t + turns * period, interval)
}

/// The nearest of the feet and the interval's finite ends.
pub(crate) fn nearest_of(
    point: impl Fn(f64) -> Point3,
    p: &Point3,
    interval: Interval,
    feet: impl FnOnce(&mut Vec<CurveFoot>),
) -> CurveFoot {
    let mut candidates = Vec::with_capacity(6);
    feet(&mut candidates);
    let ends = [interval.lo, interval.hi]
        .into_iter()
        .filter(|t| t.is_finite());
    candidates.extend(ends.map(|t| CurveFoot::at(t, point(t), p)));
    let nearest = candidates
        .into_iter()
        .min_by(|a, b| a.distance.total_cmp(&b.distance));
    nearest.unwrap_or_else(|| {
        let t = interval.clamp(0.0);
        CurveFoot::at(t, point(t), p)
    })
}

/// The point at the interval's lower end (0 if infinite), standing for an arc of equally far points.
fn push_family(
    point: impl Fn(f64) -> Point3,
    p: &Point3,
    interval: &Interval,
    out: &mut Vec<CurveFoot>,
) {
    let t = if interval.lo.is_finite() {
        interval.lo
    } else {
        interval.clamp(0.0)
    };
    out.push(CurveFoot::at(t, point(t), p));
}

/// Grows the box along one axis.
fn include_coordinate(aabb: &mut Aabb, axis: usize, value: f64) {
    aabb.min[axis] = aabb.min[axis].min(value);
    aabb.max[axis] = aabb.max[axis].max(value);
}

/// Grows the box along one axis by `middle + a cos t + b sin t` over the interval.
fn include_cosine(aabb: &mut Aabb, axis: usize, middle: f64, a: f64, b: f64, interval: &Interval) {
    for t in [interval.lo, interval.hi]
        .into_iter()
        .filter(|t| t.is_finite())
    {
        include_coordinate(aabb, axis, middle + a * t.cos() + b * t.sin());
    }
    let (top, height) = (b.atan2(a), a.hypot(b));
    for (t, value) in [(top, middle + height), (top + PI, middle - height)] {
        if shifted_into(t, interval, TAU).is_some() {
            include_coordinate(aabb, axis, value);
        }
    }
}

/// Checks of a curve against dense sampling, shared by the tests of all kinds.
#[cfg(test)]
pub(crate) mod check {
    use super::*;
    use crate::{Frame, Vec3};

    const SAMPLES: usize = 2000;

    fn numbers(seed: u64) -> impl FnMut() -> f64 {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5DEE_CE66;
        move || {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        }
    }

    fn vector(random: &mut impl FnMut() -> f64) -> Vec3 {
        Vec3::new(random(), random(), random())
    }

    /// A random frame; every fifth one has the directions of the coordinates.
    pub fn frame(seed: u64) -> Frame {
        let mut random = numbers(seed);
        let origin = Point3::from(vector(&mut random) * 3.0);
        if seed.is_multiple_of(5) {
            return Frame {
                origin,
                ..Frame::world()
            };
        }
        let (z, x) = (vector(&mut random), vector(&mut random));
        Frame::from_z_and_hint(origin, z, Some(x)).unwrap()
    }

    /// Derivatives, motion, box, feet and nearest points over a finite interval.
    pub fn all(curve: &Curve, interval: Interval, seed: u64) {
        let mut random = numbers(seed + 1000);
        jets(curve, interval);
        motion(curve, interval, &mut random);
        tight_box(curve, interval);
        for _ in 0..10 {
            let spread = if random() > 0.0 { 1.0 } else { 5.0 };
            let p = curve.point(interval.at(0.5 + 0.5 * random())) + vector(&mut random) * spread;
            feet(curve, interval, &p);
        }
    }

    fn jets(curve: &Curve, interval: Interval) {
        let h = 1e-5;
        for i in 0..10 {
            let t = interval.at(i as f64 / 9.0);
            let (before, here, after) = (curve.jet(t - h), curve.jet(t), curve.jet(t + h));
            let scale = 1.0 + here.d1.norm() + here.d2.norm();
            assert!((here.p - curve.point(t)).norm() < 1e-13 * scale);
            assert!(((after.p - before.p) / (2.0 * h) - here.d1).norm() < 1e-8 * scale);
            assert!(((after.d1 - before.d1) / (2.0 * h) - here.d2).norm() < 1e-8 * scale);
        }
    }

    fn motion(curve: &Curve, interval: Interval, random: &mut impl FnMut() -> f64) {
        let a_from_b = Pose::new(vector(random) * 10.0, vector(random));
        let moved = curve.transformed(&a_from_b);
        for i in 0..10 {
            let t = interval.at(i as f64 / 9.0);
            assert!((a_from_b * curve.point(t) - moved.point(t)).norm() < 1e-12);
        }
    }

    fn tight_box(curve: &Curve, interval: Interval) {
        let found = curve.bounding_box(interval);
        let sampled =
            Aabb::of((0..=SAMPLES).map(|i| curve.point(interval.at(i as f64 / SAMPLES as f64))));
        assert!(found.grown(1e-12).contains(&sampled.min));
        assert!(found.grown(1e-12).contains(&sampled.max));
        // A parabola over one step: the extremum between samples is at most |d2| step² / 8 away.
        let bend = (0..=10).map(|i| curve.jet(interval.at(i as f64 / 10.0)).d2.norm());
        let step = interval.length() / SAMPLES as f64;
        let slack = 1e-12 + bend.fold(0.0, f64::max) * step * step / 4.0;
        assert!(
            sampled.grown(slack).contains(&found.min),
            "{found:?} {sampled:?}"
        );
        assert!(
            sampled.grown(slack).contains(&found.max),
            "{found:?} {sampled:?}"
        );
    }

    fn feet(curve: &Curve, interval: Interval, p: &Point3) {
        let slope = |t: f64| {
            let jet = curve.jet(t);
            (jet.p - p).dot(&jet.d1)
        };
        let mut feet = Vec::new();
        curve.feet(p, interval, &mut feet);
        for foot in &feet {
            let jet = curve.jet(foot.t);
            let scale = jet.d1.norm() * (1.0 + foot.distance + jet.p.coords.norm());
            assert!(interval.contains(foot.t));
            assert!(
                slope(foot.t).abs() < 1e-12 * scale,
                "{curve:?} {p:?} {foot:?}"
            );
            assert!((jet.p - foot.point).norm() < 1e-12 * scale);
            assert!(((foot.point - p).norm() - foot.distance).abs() < 1e-12 * scale);
        }
        let step = interval.length() / SAMPLES as f64;
        let at = |i: usize| interval.at(i as f64 / SAMPLES as f64);
        let changes: Vec<f64> = (0..SAMPLES)
            .filter(|&i| (slope(at(i)) < 0.0) != (slope(at(i + 1)) < 0.0))
            .map(at)
            .collect();
        for t in &changes {
            let here = |f: &CurveFoot| t - 1e-9 <= f.t && f.t <= t + step + 1e-9;
            assert!(
                feet.iter().any(here),
                "foot near {t} missing: {curve:?} {p:?} {feet:?}"
            );
        }
        let mut sorted: Vec<f64> = feet.iter().map(|f| f.t).collect();
        sorted.sort_by(f64::total_cmp);
        let close_pair = sorted.windows(2).any(|w| w[1] - w[0] < step);
        assert!(
            sorted.len() == changes.len() || close_pair,
            "{curve:?} {p:?} {sorted:?}"
        );

        let nearest = curve.nearest(p, interval);
        let sampled = (0..=SAMPLES)
            .map(|i| (curve.point(at(i)) - p).norm())
            .fold(f64::INFINITY, f64::min);
        assert!(interval.contains(nearest.t));
        assert!(
            nearest.distance <= sampled + 1e-12,
            "{curve:?} {p:?} {nearest:?}"
        );
        let farthest_step = curve
            .jet(interval.lo)
            .d1
            .norm()
            .max(curve.jet(interval.hi).d1.norm());
        assert!(nearest.distance >= sampled - step * (5.0 + farthest_step));
    }

    #[test]
    fn shifts_into_intervals() {
        let near = |a: Option<f64>, b: f64| (a.unwrap() - b).abs() < 1e-14;
        assert!(near(shifted_into(0.0, &Interval::new(6.0, 7.0), TAU), TAU));
        assert!(near(shifted_into(TAU, &Interval::new(0.0, TAU), TAU), 0.0));
        assert!(near(
            shifted_into(1.0, &Interval::new(-20.0, -13.7), TAU),
            1.0 - 3.0 * TAU
        ));
        assert!(near(shifted_into(-1.0, &Interval::ALL, TAU), TAU - 1.0));
        assert_eq!(shifted_into(1.0, &Interval::new(2.0, 3.0), TAU), None);
        assert_eq!(
            shifted_into(-1e-16, &Interval::new(0.0, 1.0), TAU),
            Some(0.0)
        );
        assert_eq!(shifted_into(f64::NAN, &Interval::new(0.0, 1.0), TAU), None);
    }
}
