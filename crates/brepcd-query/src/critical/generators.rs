//! Generators of a cone: the straight lines it is made of, each with one normal.

use super::trig::Angle;
use super::{Pair, Tolerance};
use brepcd_geom::Vec3;
use brepcd_geom::curve::Line;
use brepcd_geom::surface::Cone;

/// The generator of a cone at an angle, as a whole line with the cone's `v` as parameter.
pub(super) struct Generator<'a> {
    cone: &'a Cone,
    pub(super) u: Angle,
    pub(super) line: Line,
    /// The cone's normal along it.
    pub(super) normal: Vec3,
    /// The direction around the axis.
    pub(super) around: Vec3,
}

impl<'a> Generator<'a> {
    pub(super) fn new(cone: &'a Cone, u: Angle) -> Self {
        let (s, c) = cone.half_angle.sin_cos();
        let frame = &cone.frame;
        let radial = frame.x * u.c + frame.y * u.s;
        Self {
            cone,
            u,
            line: Line {
                origin: frame.origin + radial * cone.radius,
                dir: radial * s + frame.z * c,
            },
            normal: radial * c - frame.z * s,
            around: frame.y * u.c - frame.x * u.s,
        }
    }

    /// The parameters of the cone's point.
    pub(super) fn parameters(&self, v: f64) -> [f64; 2] {
        [self.u.radians(), v]
    }

    /// Whether `v` is on the nappe, or at the apex.
    pub(super) fn holds(&self, v: f64, tol: &Tolerance) -> bool {
        let s = self.cone.half_angle.sin();
        self.cone.radius + v * s >= -tol.length * s.abs()
    }

    /// The `v` on the nappe.
    pub(super) fn range(&self) -> [f64; 2] {
        match self.cone.apex() {
            Some(apex) if self.cone.half_angle > 0.0 => [apex, f64::INFINITY],
            Some(apex) => [f64::NEG_INFINITY, apex],
            None => [f64::NEG_INFINITY, f64::INFINITY],
        }
    }

    /// The parameters of a line and of this generator where they are opposite each other along the generator's normal.
    ///
    /// The line is orthogonal to the normal but not parallel to the generator.
    pub(super) fn crossed_by(&self, line: &Line) -> [f64; 2] {
        let between = self.line.origin - line.origin;
        let s = between.dot(&self.around) / line.dir.dot(&self.around);
        [
            s,
            s * line.dir.dot(&self.line.dir) - between.dot(&self.line.dir),
        ]
    }

    /// The pair of `line` and this generator at their parameters.
    pub(super) fn pair(&self, line: &Line, ta: [f64; 2], s: f64, v: f64) -> Pair {
        let (a, b) = (line.point(s), self.line.point(v));
        Pair::on_surface(a, ta, b, self.parameters(v), self.normal)
    }
}

/// A number inside a range, `step` from its finite end or in its middle.
pub(super) fn inside([lo, hi]: [f64; 2], step: f64) -> f64 {
    match (lo.is_finite(), hi.is_finite()) {
        (true, true) => 0.5 * (lo + hi),
        (true, false) => lo + step,
        (false, true) => hi - step,
        (false, false) => 0.0,
    }
}
