//! Surfaces: one file per kind, all with the same functions, dispatched by the closed enum [`Surface`].
//!
//! The surfaces of revolution share one parametrisation: `u` is the angle about the frame's `z`, `v` runs along the
//! meridian. A point of space is therefore inverted in its own meridian half-plane, in closed form, and the exact box
//! follows from the extremes of `ρ(v) c + z(v) k` with `c` at either end of the range of a sinusoid in `u`.

mod cone;
mod cylinder;
mod plane;
mod sphere;
mod torus;

use std::f64::consts::{PI, TAU};
use std::sync::Arc;

pub use cone::Cone;
pub use cylinder::Cylinder;
pub use plane::Plane;
pub use sphere::Sphere;
pub use torus::{Torus, TorusShape};

use crate::nurbs::NurbsSurface;
use crate::{Aabb, Frame, Interval, Point3, Pose, SurfaceJet, Vec3};

/// A parametrised surface.
#[derive(Clone, Debug)]
pub enum Surface {
    /// A plane.
    Plane(Plane),
    /// A circular cylinder.
    Cylinder(Cylinder),
    /// One nappe of a circular cone.
    Cone(Cone),
    /// A sphere.
    Sphere(Sphere),
    /// A torus, or the outer or inner part of a self-intersecting one.
    Torus(Torus),
    /// A rational B-spline surface.
    Nurbs(Arc<NurbsSurface>),
}

/// A point of a surface at which the distance to a given point is stationary.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceFoot {
    /// First parameter.
    pub u: f64,
    /// Second parameter.
    pub v: f64,
    /// The surface point.
    pub point: Point3,
    /// Distance from the given point, not negative.
    pub distance: f64,
}

impl SurfaceFoot {
    /// The foot of `p` at a surface point.
    pub fn new(u: f64, v: f64, point: Point3, p: &Point3) -> Self {
        Self {
            u,
            v,
            point,
            distance: (point - p).norm(),
        }
    }
}

macro_rules! each {
    ($surface:expr, $s:ident => $call:expr) => {
        match $surface {
            Surface::Plane($s) => $call,
            Surface::Cylinder($s) => $call,
            Surface::Cone($s) => $call,
            Surface::Sphere($s) => $call,
            Surface::Torus($s) => $call,
            Surface::Nurbs($s) => $call,
        }
    };
}

impl Surface {
    /// The point at a parameter pair.
    pub fn point(&self, u: f64, v: f64) -> Point3 {
        each!(self, s => s.point(u, v))
    }

    /// Position and derivatives up to the second.
    pub fn jet(&self, u: f64, v: f64) -> SurfaceJet {
        each!(self, s => s.jet(u, v))
    }

    /// The unit normal along `du × dv`; at a pole its limit along the line of constant `u`, where that exists.
    pub fn normal(&self, u: f64, v: f64) -> Option<Vec3> {
        each!(self, s => s.normal(u, v))
    }

    /// The parameter ranges; infinite ends are allowed, periodic directions have one period.
    pub fn domain(&self) -> (Interval, Interval) {
        each!(self, s => s.domain())
    }

    /// The periods in `u` and `v`.
    pub fn periods(&self) -> [Option<f64>; 2] {
        each!(self, s => s.periods())
    }

    /// The lower and upper `v` at which the line of constant `v` is a single point.
    pub fn poles(&self) -> [Option<f64>; 2] {
        each!(self, s => s.poles())
    }

    /// The lower and upper `u` at which the line of constant `u` is a single point.
    pub fn poles_u(&self) -> [Option<f64>; 2] {
        each!(self, s => s.poles_u())
    }

    /// Parameters of the nearest point of the surface.
    ///
    /// With a guess, periodic parameters come within half a period of it, and an undetermined parameter (`u` at a
    /// pole) is the guess's own. Without one, periodic parameters come in `[0, period)`.
    pub fn invert(&self, p: &Point3, guess: Option<(f64, f64)>) -> (f64, f64) {
        each!(self, s => s.invert(p, guess))
    }

    /// Appends all stationary points of the distance to `p`, the nearest point always among them.
    ///
    /// Conical points (apexes, poles of spindle tori) count where they are local minima. A continuous family of
    /// stationary points (`p` on an axis or in a centre) is represented by one of its members.
    pub fn feet(&self, p: &Point3, out: &mut Vec<SurfaceFoot>) {
        each!(self, s => s.feet(p, out))
    }

    /// Appends all parameter points whose normal is parallel to `direction`; continuous families are left out.
    pub fn extrema(&self, direction: &Vec3, out: &mut Vec<(f64, f64)>) {
        each!(self, s => s.extrema(direction, out))
    }

    /// The box of a parameter rectangle, exact for all kinds but [`Surface::Nurbs`], where it is close and never short.
    pub fn bounding_box(&self, u: Interval, v: Interval) -> Aabb {
        each!(self, s => s.bounding_box(u, v))
    }

    /// The surface moved by `a_from_b`.
    pub fn transformed(&self, a_from_b: &Pose) -> Self {
        match self {
            Self::Plane(s) => Self::Plane(s.transformed(a_from_b)),
            Self::Cylinder(s) => Self::Cylinder(s.transformed(a_from_b)),
            Self::Cone(s) => Self::Cone(s.transformed(a_from_b)),
            Self::Sphere(s) => Self::Sphere(s.transformed(a_from_b)),
            Self::Torus(s) => Self::Torus(s.transformed(a_from_b)),
            Self::Nurbs(s) => Self::Nurbs(Arc::new(s.transformed(a_from_b))),
        }
    }

    /// The name of the kind.
    pub fn kind_name(&self) -> &'static str {
        match self {
            Self::Plane(_) => "plane",
            Self::Cylinder(_) => "cylinder",
            Self::Cone(_) => "cone",
            Self::Sphere(_) => "sphere",
            Self::Torus(_) => "torus",
            Self::Nurbs(_) => "bspline",
        }
    }

    /// Interior values of `u` at which the surface may not be smooth.
    pub fn breaks_u(&self) -> Vec<f64> {
        match self {
            Self::Nurbs(s) => s.breaks_u(),
            Self::Plane(_)
            | Self::Cylinder(_)
            | Self::Cone(_)
            | Self::Sphere(_)
            | Self::Torus(_) => Vec::new(),
        }
    }

    /// Interior values of `v` at which the surface may not be smooth.
    pub fn breaks_v(&self) -> Vec<f64> {
        match self {
            Self::Nurbs(s) => s.breaks_v(),
            Self::Plane(_)
            | Self::Cylinder(_)
            | Self::Cone(_)
            | Self::Sphere(_)
            | Self::Torus(_) => Vec::new(),
        }
    }
}

/// The range of an angle over a full turn.
const TURN: Interval = Interval { lo: 0.0, hi: TAU };
/// Distance from the axis, relative to that from the origin, under which a point counts as on the axis.
const ON_AXIS: f64 = 1e-11;
/// Distance relative to the coordinates' size that rounding alone explains.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// A point in cylindrical coordinates of a frame.
struct Polar {
    x: f64,
    y: f64,
    /// Distance from the axis.
    rho: f64,
    /// Height along the axis.
    z: f64,
    /// What rounding may have done to the coordinates.
    noise: f64,
}

impl Polar {
    /// Coordinates of `p`, with a surface of the given size in mind.
    fn of(frame: &Frame, p: &Point3, size: f64) -> Self {
        let q = frame.local(p);
        let noise = ROUNDING * (p.x.abs() + p.y.abs() + p.z.abs() + size);
        Self {
            x: q.x,
            y: q.y,
            rho: (q.x * q.x + q.y * q.y).sqrt(),
            z: q.z,
            noise,
        }
    }

    /// True where the angle says nothing.
    fn on_axis(&self) -> bool {
        self.rho <= ON_AXIS * self.z.abs() + self.noise
    }

    /// The angle about the axis near the guess (else in `[0, 2π)`), the guess's own on the axis.
    fn u(&self, guess: Option<(f64, f64)>) -> f64 {
        self.angle(self.x, self.y, guess)
    }

    /// As [`Polar::u`], of the half-plane across the axis.
    fn opposite_u(&self, guess: Option<(f64, f64)>) -> f64 {
        self.angle(-self.x, -self.y, guess)
    }

    fn angle(&self, x: f64, y: f64, guess: Option<(f64, f64)>) -> f64 {
        match guess {
            Some((u, _)) if self.on_axis() => u,
            None if self.on_axis() => 0.0,
            Some((u, _)) => near(y.atan2(x), u),
            None => turn(y.atan2(x)),
        }
    }
}

/// The angle brought into `[0, 2π)`.
fn turn(angle: f64) -> f64 {
    let a = angle.rem_euclid(TAU);
    if a >= TAU { 0.0 } else { a }
}

/// The angle brought within half a turn of the guess.
fn near(angle: f64, guess: f64) -> f64 {
    let d = guess - angle;
    if d.abs() <= PI {
        angle
    } else {
        angle + TAU * (d / TAU).round()
    }
}

/// The range of `a cos t + b sin t`.
fn sinusoid_range(a: f64, b: f64, t: Interval) -> Interval {
    let amplitude = a.hypot(b);
    if t.length() < TAU {
        let at = |t: f64| a * t.cos() + b * t.sin();
        let reaches = |phase: f64| phase + TAU * ((t.lo - phase) / TAU).ceil() <= t.hi;
        let ends = Interval::new(at(t.lo), at(t.hi));
        let top = b.atan2(a);
        Interval {
            lo: if reaches(top + PI) {
                -amplitude
            } else {
                ends.lo
            },
            hi: if reaches(top) { amplitude } else { ends.hi },
        }
    } else {
        Interval {
            lo: -amplitude,
            hi: amplitude,
        }
    }
}

/// The range of `slope t`, also over infinite intervals.
fn linear_range(slope: f64, t: Interval) -> Interval {
    if slope == 0.0 {
        Interval { lo: 0.0, hi: 0.0 }
    } else {
        Interval::new(slope * t.lo, slope * t.hi)
    }
}

/// The box of a surface of revolution over the angles `u`.
///
/// `meridian(c, k)` is the range of `c ρ(v) + k z(v)`; the coordinate is linear in `c`, so its extremes suffice.
fn revolved_box(frame: &Frame, u: Interval, meridian: impl Fn(f64, f64) -> Interval) -> Aabb {
    let mut out = Aabb::EMPTY;
    for i in 0..3 {
        let c = sinusoid_range(frame.x[i], frame.y[i], u);
        let (a, b) = (meridian(c.lo, frame.z[i]), meridian(c.hi, frame.z[i]));
        out.min[i] = frame.origin[i] + a.lo.min(b.lo);
        out.max[i] = frame.origin[i] + a.hi.max(b.hi);
    }
    out
}

#[cfg(test)]
mod check {
    use super::*;

    /// A frame in general position.
    pub fn frame() -> Frame {
        let z = Vec3::new(0.3, -0.5, 0.9);
        Frame::from_z_and_hint(
            Point3::new(4.0, -7.0, 2.5),
            z,
            Some(Vec3::new(1.0, 0.4, 0.2)),
        )
        .expect("a direction")
    }

    fn grid(t: Interval, n: usize) -> impl Iterator<Item = f64> + Clone {
        (0..=n).map(move |i| t.at(i as f64 / n as f64))
    }

    /// Checks everything a surface promises, over a finite part `v` of its domain.
    pub fn surface(s: &Surface, u: Interval, v: Interval) {
        derivatives(s, u, v);
        round_trip(s, u, v);
        feet(s, u, v);
        boxes(s, u, v);
        let b_from_a = Pose::new(Vec3::new(1.0, 2.0, 3.0), Vec3::new(0.4, -0.7, 1.1));
        let moved = s.transformed(&b_from_a);
        let (a, b) = (u.at(0.3), v.at(0.6));
        assert!((moved.point(a, b) - b_from_a * s.point(a, b)).norm() < 1e-12);
        assert_eq!(moved.kind_name(), s.kind_name());
    }

    fn derivatives(s: &Surface, u: Interval, v: Interval) {
        let h = 1e-5;
        for a in grid(u, 7) {
            for b in grid(
                Interval {
                    lo: v.at(0.01),
                    hi: v.at(0.99),
                },
                7,
            ) {
                let j = s.jet(a, b);
                let (u0, u1) = (s.jet(a - h, b), s.jet(a + h, b));
                let (v0, v1) = (s.jet(a, b - h), s.jet(a, b + h));
                assert!((j.p - s.point(a, b)).norm() < 1e-14);
                for (exact, difference) in [
                    (j.du, u1.p - u0.p),
                    (j.dv, v1.p - v0.p),
                    (j.duu, u1.du - u0.du),
                    (j.duv, u1.dv - u0.dv),
                    (j.duv, v1.du - v0.du),
                    (j.dvv, v1.dv - v0.dv),
                ] {
                    assert!(
                        (exact - difference / (2.0 * h)).norm() < 1e-7,
                        "{s:?} {a} {b}"
                    );
                }
                let n = s.normal(a, b).expect("a regular point");
                assert!(
                    (n - j.normal().expect("a regular point")).norm() < 1e-12,
                    "{s:?} {a} {b}"
                );
            }
        }
    }

    fn round_trip(s: &Surface, u: Interval, v: Interval) {
        let periods = s.periods();
        for a in grid(u, 11) {
            for b in grid(v, 11) {
                let p = s.point(a, b);
                let at_pole = s
                    .poles()
                    .iter()
                    .flatten()
                    .any(|pole| (pole - b).abs() < 1e-9);
                for turns in -2..=2 {
                    let shift = periods.map(|t| t.map_or(0.0, |t| f64::from(turns) * t));
                    let guess = (a + shift[0] + 0.4, b + shift[1] - 0.3);
                    let (a1, b1) = s.invert(&p, Some(guess));
                    let wanted = if at_pole { guess.0 } else { a + shift[0] };
                    assert!((a1 - wanted).abs() < 1e-9, "{s:?} {a} {b} {a1} {wanted}");
                    assert!((b1 - b - shift[1]).abs() < 1e-9, "{s:?} {a} {b} {b1}");
                }
                let (a1, b1) = s.invert(&p, None);
                let (du, dv) = s.domain();
                assert!(du.contains(a1) && dv.contains(b1), "{s:?} {a1} {b1}");
                assert!((s.point(a1, b1) - p).norm() < 1e-12);
            }
        }
    }

    fn feet(s: &Surface, u: Interval, v: Interval) {
        let mut out = Vec::new();
        let samples: Vec<Point3> = grid(u, 120)
            .flat_map(|a| grid(v, 120).map(move |b| s.point(a, b)))
            .collect();
        let centre = s.point(u.at(0.4), v.at(0.5));
        for i in 0..60 {
            let t = f64::from(i);
            let offset = Vec3::new(
                (2.1 * t).sin(),
                (3.7 * t + 1.0).sin(),
                (5.3 * t + 2.0).sin(),
            );
            let p = centre + offset * 6.0;
            out.clear();
            s.feet(&p, &mut out);
            for foot in &out {
                let j = s.jet(foot.u, foot.v);
                assert!((j.p - foot.point).norm() < 1e-12);
                assert!(((p - foot.point).norm() - foot.distance).abs() < 1e-12);
                assert!(s.domain().1.contains(foot.v), "{s:?} {foot:?}");
                if s.poles()
                    .iter()
                    .flatten()
                    .all(|pole| (pole - foot.v).abs() > 1e-9)
                {
                    assert!(j.du.dot(&(p - j.p)).abs() < 1e-10, "{s:?} {foot:?}");
                    assert!(j.dv.dot(&(p - j.p)).abs() < 1e-10, "{s:?} {foot:?}");
                }
            }
            let nearest = out.iter().map(|f| f.distance).fold(f64::INFINITY, f64::min);
            let sampled = samples
                .iter()
                .map(|q| (q - p).norm())
                .fold(f64::INFINITY, f64::min);
            assert!(nearest <= sampled + 1e-12, "{s:?} {p} {nearest} {sampled}");
            for guess in [None, Some((1.0, v.mid()))] {
                let (a, b) = s.invert(&p, guess);
                assert!(
                    ((s.point(a, b) - p).norm() - nearest).abs() < 1e-10,
                    "{s:?} {p}"
                );
            }
        }
    }

    fn boxes(s: &Surface, u: Interval, v: Interval) {
        let n = 200;
        for (u0, u1, v0, v1) in [
            (0.0, 1.0, 0.0, 1.0),
            (0.2, 0.5, 0.1, 0.4),
            (0.6, 0.95, 0.3, 0.9),
            (-0.3, 0.4, 0.5, 0.6),
        ] {
            let (a, b) = (
                Interval::new(u.at(u0), u.at(u1)),
                Interval::new(v.at(v0), v.at(v1)),
            );
            let exact = s.bounding_box(a, b);
            let sampled = Aabb::of(grid(a, n).flat_map(|x| grid(b, n).map(move |y| s.point(x, y))));
            let loose = exact.diagonal() * 2e-3;
            for i in 0..3 {
                assert!(exact.min[i] <= sampled.min[i] + 1e-12, "{s:?} {a:?} {b:?}");
                assert!(exact.max[i] >= sampled.max[i] - 1e-12, "{s:?} {a:?} {b:?}");
                assert!(exact.min[i] >= sampled.min[i] - loose, "{s:?} {a:?} {b:?}");
                assert!(exact.max[i] <= sampled.max[i] + loose, "{s:?} {a:?} {b:?}");
            }
        }
    }

    /// Checks that the normals at the extrema are parallel to the direction, and returns their number.
    pub fn extrema(s: &Surface, direction: Vec3) -> usize {
        let mut out = Vec::new();
        s.extrema(&direction, &mut out);
        for &(u, v) in &out {
            let n = s.normal(u, v).expect("a normal");
            assert!(n.cross(&direction).norm() < 1e-12 * direction.norm());
            assert!(s.domain().0.contains(u) && s.domain().1.contains(v));
        }
        out.len()
    }

    #[test]
    fn angles_are_brought_near_the_guess() {
        assert!((near(0.1, 20.0) - (0.1 + 3.0 * TAU)).abs() < 1e-14);
        assert!((near(3.0, -3.0) - (3.0 - TAU)).abs() < 1e-14);
        assert_eq!(turn(-1e-20), 0.0);
        assert!(near(f64::NAN, 1.0).is_nan());
    }
}
