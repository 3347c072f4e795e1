//! Canonical curves and surfaces hidden in B-splines.
//!
//! A coarse grid of points and normals gives closed-form candidates: normals of a cylinder are orthogonal to its axis,
//! tangent planes of a cone meet in its apex, `p - r n` is constant on a sphere, and the normal lines of a torus lie in
//! one linear complex (Pottmann, Randrup: Rotational and helical surface approximation, 1998) after which its meridian
//! is a circle. A few Gauss-Newton steps polish the candidate, and a dense grid decides. The parametrisation of the
//! result has nothing to do with that of the input.

mod candidate;
mod curve;
mod fit;
mod plane;
mod samples;

use crate::nurbs::{NurbsCurve, NurbsSurface};
use crate::{Aabb, Curve, Surface};

/// Deviation of a closed-form candidate, relative to the size, beyond which it is not polished.
const GATE: f64 = 0.02;
/// Sizes below this multiple of the tolerance are not judged.
const SMALLEST: f64 = 10.0;
/// Largest radius relative to the size.
const LARGEST_RADIUS: f64 = 1e5;
/// Relative size of quantities that count as zero.
const NOTHING: f64 = 1e-12;
/// Most iterations of an eigenvalue computation.
const EIGEN_STEPS: usize = 1000;

/// The plane, cylinder, cone, sphere or torus within `tol` of the whole surface, and the largest distance found.
///
/// A plane takes the normal of the input; the other kinds have one fixed normal, so ask [`same_orientation`].
pub fn surface(surface: &NurbsSurface, tol: f64) -> Option<(Surface, f64)> {
    if let Some(found) = plane::plane(surface, tol) {
        return Some(found);
    }
    let samples = samples::coarse(surface)?;
    let size = Aabb::of(samples.iter().map(|s| s.p)).diagonal();
    if !(size.is_finite() && size > SMALLEST * tol) {
        return None;
    }
    for candidate in [
        candidate::cylinder,
        candidate::cone,
        candidate::sphere,
        candidate::torus,
    ] {
        let Some(fit) = candidate(&samples, size) else {
            continue;
        };
        if fit.deviation(&samples) > GATE * size {
            continue;
        }
        let Some(fit) = fit.polished(&samples, size, tol) else {
            continue;
        };
        if fit.deviation(&samples) > tol || !fit.plausible(&samples, size) {
            continue;
        }
        if let Some(deviation) = samples::dense_deviation(surface, &fit, tol) {
            return fit
                .into_surface(surface, &samples, tol)
                .map(|s| (s, deviation));
        }
    }
    None
}

/// True when `canonical`, found by [`surface`], has its normal on the same side as the input.
pub fn same_orientation(input: &NurbsSurface, canonical: &Surface) -> bool {
    let Some(samples) = samples::coarse(input) else {
        return true;
    };
    let s = &samples[samples.len() / 2];
    let (u, v) = canonical.invert(&s.p, None);
    canonical.normal(u, v).is_none_or(|n| n.dot(&s.n) >= 0.0)
}

/// The line or circle within `tol` of the whole curve, running the same way, and the largest distance found.
///
/// A circle starts (angle 0) where the curve starts.
pub fn curve(curve: &NurbsCurve, tol: f64) -> Option<(Curve, f64)> {
    curve::line(curve, tol).or_else(|| curve::circle(curve, tol))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curve::{Circle, Line};
    use crate::nurbs::construct::{extrude, from_conic, offset, revolve};
    use crate::surface::{Cylinder, Torus, TorusShape};
    use crate::{Frame, Interval, Point3, Vec3};
    use std::f64::consts::{FRAC_PI_2, PI, TAU};

    const TOL: f64 = 1e-5;

    fn frame() -> Frame {
        Frame::from_z_and_hint(
            Point3::new(30.0, -20.0, 50.0),
            Vec3::new(0.3, -0.5, 0.8),
            None,
        )
        .unwrap()
    }

    /// A circle arc in the half plane `x`, `z`.
    fn meridian(x: f64, radius: f64, lo: f64, hi: f64) -> NurbsCurve {
        let f = frame();
        let frame = Frame {
            origin: f.point(x, 0.0, 0.0),
            x: f.x,
            y: f.z,
            z: -f.y,
        };
        from_conic(
            &Curve::Circle(Circle { frame, radius }),
            Interval::new(lo, hi),
        )
        .unwrap()
    }

    fn segment(a: Point3, b: Point3) -> NurbsCurve {
        let line = Line {
            origin: a,
            dir: (b - a).normalize(),
        };
        from_conic(&Curve::Line(line), Interval::new(0.0, (b - a).norm())).unwrap()
    }

    fn found(input: &NurbsSurface, limit: f64) -> Surface {
        let (surface_found, deviation) = surface(input, TOL).expect("recognised");
        assert!(
            deviation <= limit,
            "{surface_found:?} deviates {deviation:e}"
        );
        let (du, dv) = input.domain();
        for (a, b) in [(0.1, 0.2), (0.45, 0.83), (0.95, 0.4)] {
            let p = input.point(du.at(a), dv.at(b));
            let (u, v) = surface_found.invert(&p, None);
            assert!(
                (surface_found.point(u, v) - p).norm() <= 2.0 * limit,
                "{surface_found:?}"
            );
        }
        surface_found
    }

    #[test]
    fn revolutions_are_recognised() {
        let f = frame();
        for angle in [0.3, 2.0, TAU] {
            let turn = |c: &NurbsCurve| revolve(c, f.origin, f.z, angle).unwrap();
            let line = |a: (f64, f64), b: (f64, f64)| {
                segment(f.point(a.0, 0.0, a.1), f.point(b.0, 0.0, b.1))
            };
            let Surface::Plane(p) = found(&turn(&line((2.0, 1.0), (7.0, 1.0))), 1e-11) else {
                panic!()
            };
            assert!(p.frame.z.cross(&f.z).norm() < 1e-11);
            let Surface::Cylinder(c) = found(&turn(&line((7.0, 1.0), (7.0, 9.0))), 1e-10) else {
                panic!()
            };
            assert!((c.radius - 7.0).abs() < 1e-8 && c.frame.z.cross(&f.z).norm() < 1e-8);
            let Surface::Cone(c) = found(&turn(&line((0.0, 4.0), (3.0, 0.0))), 1e-10) else {
                panic!()
            };
            assert!(
                (c.half_angle - 0.75_f64.atan()).abs() < 1e-8 && c.frame.z.dot(&f.z) < -0.999_999
            );
            let Surface::Sphere(s) = found(&turn(&meridian(0.0, 6.0, -FRAC_PI_2, 1.0)), 1e-10)
            else {
                panic!()
            };
            assert!((s.radius - 6.0).abs() < 1e-8 && s.frame.z.cross(&f.z).norm() < 1e-8);
            let Surface::Torus(t) = found(&turn(&meridian(8.0, 2.0, 0.0, 2.5)), 1e-10) else {
                panic!()
            };
            assert!((t.major - 8.0).abs() < 1e-6 && (t.minor - 2.0).abs() < 1e-6);
            assert_eq!(t.shape, TorusShape::Ring);
            let Surface::Torus(t) = found(&turn(&meridian(-2.0, 6.0, -0.9, 0.9)), 1e-10) else {
                panic!()
            };
            assert!((t.major - 2.0).abs() < 1e-6 && t.shape == TorusShape::Lemon);
            let Surface::Torus(t) = found(&turn(&meridian(2.0, 6.0, -0.9, 1.5)), 1e-10) else {
                panic!()
            };
            assert!((t.major - 2.0).abs() < 1e-6 && t.shape == TorusShape::Apple);
        }
    }

    #[test]
    fn orientation_is_told() {
        let f = frame();
        let up = segment(f.point(7.0, 0.0, 1.0), f.point(7.0, 0.0, 9.0));
        for (angle, outwards) in [(2.0, true), (-2.0, false)] {
            let input = revolve(&up, f.origin, f.z, angle).unwrap();
            assert_eq!(
                same_orientation(&input, &surface(&input, TOL).unwrap().0),
                outwards
            );
        }
    }

    #[test]
    fn polynomial_approximations_are_recognised_within_tolerance() {
        let torus = Torus {
            frame: frame(),
            major: 10.0,
            minor: 3.0,
            shape: TorusShape::Ring,
        };
        let cylinder = Cylinder {
            frame: frame(),
            radius: 4.0,
        };
        let ranges = (Interval::new(0.0, 3.0), Interval::new(0.0, 2.0));
        let (input, _) = offset(&Surface::Torus(torus), ranges, -1.0, 0.5 * TOL).unwrap();
        let Surface::Torus(t) = found(&input, TOL) else {
            panic!()
        };
        assert!((t.minor - 2.0).abs() < TOL && (t.major - 10.0).abs() < 2.0 * TOL);
        let (input, _) = offset(&Surface::Cylinder(cylinder), ranges, 1.0, 0.5 * TOL).unwrap();
        let Surface::Cylinder(c) = found(&input, TOL) else {
            panic!()
        };
        assert!((c.radius - 5.0).abs() < TOL);
    }

    #[test]
    fn free_form_is_not_recognised() {
        let f = frame();
        let mut input = revolve(&meridian(8.0, 2.0, 0.0, 2.5), f.origin, f.z, 2.0).unwrap();
        let middle = input.control.len() / 2;
        input.control[middle] += f.z.push(0.0) * 1e-3;
        assert!(surface(&input, TOL).is_none());
        let ellipse = crate::curve::Ellipse {
            frame: f,
            rx: 3.0,
            ry: 3.001,
        };
        let curve_input = from_conic(&Curve::Ellipse(ellipse), Interval::new(0.0, 3.0)).unwrap();
        assert!(curve(&curve_input, TOL).is_none());
        assert!(surface(&extrude(&curve_input, f.z * 5.0).unwrap(), TOL).is_none());
        assert!(surface(&extrude(&curve_input, f.z * 5.0).unwrap(), 1e-2).is_some());
    }

    #[test]
    fn curves_are_recognised_in_their_direction() {
        let f = frame();
        for (lo, hi) in [(0.3, 0.5), (-1.0, 2.0), (1.0, 1.0 + TAU)] {
            let input = from_conic(
                &Curve::Circle(Circle {
                    frame: f,
                    radius: 4.0,
                }),
                Interval::new(lo, hi),
            )
            .unwrap();
            let Some((Curve::Circle(c), deviation)) = curve(&input, TOL) else {
                panic!()
            };
            assert!(deviation < 1e-11 && (c.radius - 4.0).abs() < 1e-8);
            assert!((c.frame.z - f.z).norm() < 1e-8 && (c.frame.x - f.radial(lo)).norm() < 1e-8);
        }
        let twice = from_conic(
            &Curve::Circle(Circle {
                frame: f,
                radius: 4.0,
            }),
            Interval::new(0.0, 3.0 * PI),
        )
        .unwrap();
        assert!(curve(&twice, TOL).is_none());
        let (a, b) = (f.point(1.0, 2.0, 3.0), f.point(-4.0, 2.0, 8.0));
        let Some((Curve::Line(l), _)) = curve(&segment(a, b), TOL) else {
            panic!()
        };
        assert!((l.dir - (b - a).normalize()).norm() < 1e-14);
    }
}
