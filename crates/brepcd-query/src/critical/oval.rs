//! Circles and ellipses seen from the other core: one description for both, whatever the other core is.

use super::trig::{Angle, Harmonics};
use brepcd_geom::curve::{Circle, Ellipse};
use brepcd_geom::{Frame, Point3, Vec3};

/// The curve `center + cos t x + sin t y` with `x` and `y` orthogonal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Oval {
    /// The centre.
    pub(super) center: Vec3,
    /// The semi-axis at angle zero.
    pub(super) x: Vec3,
    /// The semi-axis at a quarter turn.
    pub(super) y: Vec3,
    /// Half of `y² - x²`, without cancellation; zero for a circle.
    excess: f64,
}

impl Oval {
    /// A circle in the coordinates of `frame`.
    pub(super) fn circle(circle: &Circle, frame: &Frame) -> Self {
        Self {
            center: frame.local(&circle.frame.origin),
            x: frame.local_vec(&circle.frame.x) * circle.radius,
            y: frame.local_vec(&circle.frame.y) * circle.radius,
            excess: 0.0,
        }
    }

    /// An ellipse in the coordinates of `frame`.
    pub(super) fn ellipse(ellipse: &Ellipse, frame: &Frame) -> Self {
        Self {
            center: frame.local(&ellipse.frame.origin),
            x: frame.local_vec(&ellipse.frame.x) * ellipse.rx,
            y: frame.local_vec(&ellipse.frame.y) * ellipse.ry,
            excess: 0.5 * (ellipse.ry - ellipse.rx) * (ellipse.ry + ellipse.rx),
        }
    }

    /// A circle in the coordinates at hand, from a point.
    pub(super) fn circle_from(circle: &Circle, origin: &Point3) -> Self {
        Self {
            center: circle.frame.origin - origin,
            x: circle.frame.x * circle.radius,
            y: circle.frame.y * circle.radius,
            excess: 0.0,
        }
    }

    /// An ellipse in the coordinates at hand, from a point.
    pub(super) fn ellipse_from(ellipse: &Ellipse, origin: &Point3) -> Self {
        Self {
            center: ellipse.frame.origin - origin,
            x: ellipse.frame.x * ellipse.rx,
            y: ellipse.frame.y * ellipse.ry,
            excess: 0.5 * (ellipse.ry - ellipse.rx) * (ellipse.ry + ellipse.rx),
        }
    }

    /// The point at `t`.
    #[inline]
    pub(super) fn point(&self, t: Angle) -> Vec3 {
        self.center + self.x * t.c + self.y * t.s
    }

    /// The derivative at `t`.
    #[inline]
    pub(super) fn tangent(&self, t: Angle) -> Vec3 {
        self.y * t.c - self.x * t.s
    }

    /// The derivative of half the squared distance from the origin.
    pub(super) fn pull(&self) -> Harmonics {
        Harmonics {
            c1: self.center.dot(&self.y),
            s1: -self.center.dot(&self.x),
            c2: 0.0,
            s2: self.excess,
        }
    }

    /// The derivative of half the squared distance from the line through the origin along the unit vector `axis`.
    ///
    /// Written such that a curve nearly coaxial with the line has small coefficients without cancellation.
    pub(super) fn swing(&self, axis: &Vec3) -> Harmonics {
        let across = self.center - axis * self.center.dot(axis);
        let (x, y) = (self.x.dot(axis), self.y.dot(axis));
        Harmonics {
            c1: across.dot(&self.y),
            s1: -across.dot(&self.x),
            c2: -x * y,
            s2: self.excess - 0.5 * (y - x) * (y + x),
        }
    }

    /// The derivative of half the square of the third coordinate.
    pub(super) fn lift(&self) -> Harmonics {
        let (x, y) = (self.x.z, self.y.z);
        Harmonics {
            c1: self.center.z * y,
            s1: -self.center.z * x,
            c2: x * y,
            s2: 0.5 * (y - x) * (y + x),
        }
    }

    /// The derivative of the third coordinate.
    pub(super) fn climb(&self) -> Harmonics {
        Harmonics {
            c1: self.y.z,
            s1: -self.x.z,
            c2: 0.0,
            s2: 0.0,
        }
    }

    /// The larger semi-axis.
    pub(super) fn radius(&self) -> f64 {
        self.x.norm_squared().max(self.y.norm_squared()).sqrt()
    }
}
