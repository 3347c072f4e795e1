//! What a curve is measured against, in coordinates of its own: `h` along its axis, `ρ` away from it.

use super::super::problem::{Problem, RANGE_SLACK};
use super::super::side::{Arc, Core};
use brepcd_geom::{Interval, Vec3};
use std::f64::consts::TAU;

/// Difference of a circle's two half axes, relative to them, that is rounding.
const ROUND: f64 = 16.0 * f64::EPSILON;
/// Share of a range by which a parameter may lie outside of the enlarged range.
const BORDER_SLACK: f64 = 1e-10;

/// Which distance is to be stationary.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    /// `h`.
    Plane,
    /// A cylinder (`sin` 0) or cone: `±cos ρ - sin h - radius cos`.
    Turned { radius: f64, sin: f64, cos: f64 },
    /// `ρ`, from a line along the axis.
    Line,
    /// `√(ρ² + h²)`, from the origin.
    Point,
    /// `√((ρ ∓ radius)² + h²)`, from a circle around the axis.
    Circle { radius: f64 },
}

/// A core with its frame, and what pairs with it must keep to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    pub kind: Kind,
    pub origin: Vec3,
    pub axes: [Vec3; 3],
    /// Ranges of the parameters of `y`.
    ranges: [Interval; 2],
    /// Distance of the surface from the core, and largest distance from the surface.
    offset: f64,
    allowed: f64,
    flat: f64,
}

impl Target {
    /// The core of the second side; `None` if it is not one that is measured here.
    pub fn of(problem: &Problem<'_>) -> Option<Self> {
        let y = &problem.y;
        let (kind, origin, axes) = match &y.core {
            Core::Point(p) => (Kind::Point, *p, [Vec3::x(), Vec3::y(), Vec3::z()]),
            Core::Directed(s) if s.dim == 0 => (Kind::Plane, s.c, s.axes),
            Core::Directed(s) => {
                let kind = Kind::Turned {
                    radius: s.radius,
                    sin: s.sin,
                    cos: s.cos,
                };
                (kind, s.c, s.axes)
            }
            Core::Arc(Arc::Line { c, z }) => (Kind::Line, *c, around(z)),
            Core::Arc(Arc::Ellipse { c, x, y }) => {
                let (rx, ry) = (x.norm(), y.norm());
                if (rx - ry).abs() > ROUND * rx || rx <= 0.0 {
                    return None;
                }
                let (x, y) = (x / rx, y / ry);
                (Kind::Circle { radius: rx }, *c, [x, y, x.cross(&y)])
            }
            Core::Arc(Arc::Parabola { .. } | Arc::Hyperbola { .. } | Arc::Bezier(_))
            | Core::Surface(_) => return None,
        };
        Some(Self {
            kind,
            origin,
            axes,
            ranges: y.range,
            offset: (y.outward * y.radius).abs(),
            allowed: problem.reach + problem.flat,
            flat: problem.flat,
        })
    }

    /// Sides of the axis on which a pair can lie: the nearest points, then the farthest ones.
    pub fn sides(&self) -> &'static [f64] {
        match self.kind {
            Kind::Plane | Kind::Line | Kind::Point => &[1.0],
            Kind::Turned { .. } | Kind::Circle { .. } => &[1.0, -1.0],
        }
    }

    /// `K` and `k` of the factor `K / ρ - k` of `σ'` in the equation; `None` where the equation is a polynomial.
    pub fn root_factor(&self, side: f64) -> Option<(f64, f64)> {
        match self.kind {
            Kind::Plane | Kind::Line | Kind::Point => None,
            Kind::Turned { sin, cos, .. } => (sin != 0.0).then_some((-0.5 * side * cos, 0.0)),
            Kind::Circle { radius } => Some((side * radius, 1.0)),
        }
    }

    /// True if the direction to the core is determined only away from its axis.
    pub fn has_axis(&self) -> bool {
        matches!(self.kind, Kind::Turned { .. } | Kind::Circle { .. })
    }

    /// A coordinate in the frame of the core for each of its axes.
    pub fn local(&self, v: &Vec3) -> Vec3 {
        let [x, y, z] = &self.axes;
        Vec3::new(x.dot(v), y.dot(v), z.dot(v))
    }

    /// False if no pair with such `ρ` and `h` is in reach and over the core.
    #[inline]
    pub fn admits(&self, side: f64, rho: (f64, f64), h: (f64, f64)) -> bool {
        let near = |lo: f64, hi: f64| lo <= self.allowed && hi >= -self.allowed;
        let over = |lo: f64, hi: f64, range: &Interval| {
            let slack = RANGE_SLACK * range.length() + self.flat;
            hi >= range.lo - slack && lo <= range.hi + slack
        };
        let within =
            |lo: f64, hi: f64| hi >= self.offset - self.allowed && lo <= self.offset + self.allowed;
        match self.kind {
            Kind::Plane => near(h.0, h.1),
            Kind::Turned { radius, sin, cos } => {
                let (ra, rb) = scaled(rho, side * cos);
                let (ha, hb) = scaled(h, sin);
                let base = radius * cos;
                if !near(ra - hb - base, rb - ha - base) {
                    return false;
                }
                let (ra, rb) = scaled(rho, side * sin);
                let base = radius * sin;
                over(
                    h.0 * cos + ra - base,
                    h.1 * cos + rb - base,
                    &self.ranges[1],
                )
            }
            Kind::Line => rho.0 <= self.allowed && over(h.0, h.1, &self.ranges[0]),
            Kind::Point => {
                let (a, b) = (away(rho), away(h));
                within(a.0.hypot(b.0), a.1.hypot(b.1))
            }
            Kind::Circle { radius } => {
                let (lo, hi) = scaled(rho, side);
                let (a, b) = (away((lo - radius, hi - radius)), away(h));
                within(a.0.hypot(b.0), a.1.hypot(b.1))
            }
        }
    }

    /// False if the foot of no point between these corners lies on a plane's patch.
    pub fn admits_foot(&self, lo: &Vec3, hi: &Vec3) -> bool {
        !matches!(self.kind, Kind::Plane)
            || (0..2).all(|k| {
                let range = &self.ranges[k];
                let slack = RANGE_SLACK * range.length() + self.flat;
                hi[k] >= range.lo - slack && lo[k] <= range.hi + slack
            })
    }

    /// The unknown of the core that belongs to a point, `None` outside of its range.
    pub fn unknown(&self, side: f64, local: &Vec3) -> Option<f64> {
        let range = &self.ranges[0];
        let middle = range.mid();
        let t = match self.kind {
            Kind::Plane | Kind::Point => return Some(0.0),
            Kind::Line => local.z,
            Kind::Turned { .. } | Kind::Circle { .. } => {
                let u = (side * local.y).atan2(side * local.x);
                u - ((u - middle) / TAU).round() * TAU
            }
        };
        let half = 0.5 * range.length() * (1.0 + 2.0 * RANGE_SLACK) * (1.0 + BORDER_SLACK);
        ((t - middle).abs() <= half).then_some(t)
    }
}

/// An interval times a factor.
fn scaled((lo, hi): (f64, f64), factor: f64) -> (f64, f64) {
    let (a, b) = (lo * factor, hi * factor);
    (a.min(b), a.max(b))
}

/// The interval of absolute values.
fn away((lo, hi): (f64, f64)) -> (f64, f64) {
    (lo.max(-hi).max(0.0), hi.max(-lo))
}

/// A frame with this third axis.
fn around(z: &Vec3) -> [Vec3; 3] {
    let mut hint = Vec3::zeros();
    hint[z.iamin()] = 1.0;
    let x = hint.cross(z).normalize();
    [x, z.cross(&x), *z]
}
