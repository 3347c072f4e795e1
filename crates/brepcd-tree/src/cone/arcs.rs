//! Cones of arcs and boxes on the sphere of directions.
//!
//! About a given axis the normals of canonical surfaces are arcs of the equator (cylinders), of a latitude (cones) or
//! boxes of longitude and latitude (spheres, tori). Meridians are great circles and make exact sides. A great circle
//! that meets a latitude elsewhere than on the equator runs nearer to the pole between the two meetings: so on the
//! polar side of a box the one through the corners is outside, on the other side the one that touches the middle
//! (section 6.3.1 of the paper).

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use brepcd_geom::{Frame, Interval, Vec3};

use super::{NARROWEST_COS, NormalCone};

/// Distance of unit vectors that count as one corner.
const SAME: f64 = 1e-14;

impl NormalCone {
    /// The directions orthogonal to the frame's `z` at the angles `u`: the normals of a cylinder.
    pub fn meridian(frame: &Frame, u: Interval) -> Self {
        Self::latitude(frame, u, 0.0)
    }

    /// The directions at the angles `u` and at one angle above the frame's `x`, `y` plane: the normals of a cone.
    pub fn latitude(frame: &Frame, u: Interval, latitude: f64) -> Self {
        Self::box_on_sphere(frame, u, Interval::new(latitude, latitude))
    }

    /// The directions at the angles `u` about the frame's `z` and at `latitude`, within ±π/2, above `x` and `y`.
    ///
    /// More than half a turn around both sides of the equator is the whole sphere; about a pole it is a pyramid.
    pub fn box_on_sphere(frame: &Frame, u: Interval, latitude: Interval) -> Self {
        let poles = Interval::new(-FRAC_PI_2, FRAC_PI_2);
        let latitude = Interval::new(poles.clamp(latitude.lo), poles.clamp(latitude.hi));
        let candidates = [
            between_meridians(frame, u, latitude),
            about_pole(frame, u, latitude),
        ];
        smallest(candidates)
    }

    /// The directions `radial(u) cos v + z sin v` for any tube angles `v`: the normals of a torus.
    pub fn tube(frame: &Frame, u: Interval, v: Interval) -> Self {
        if v.length() >= PI || !v.length().is_finite() {
            return Self::WHOLE;
        }
        let lo = (v.lo + FRAC_PI_2).rem_euclid(TAU) - FRAC_PI_2;
        let v = Interval::new(lo, lo + v.length());
        let across = Interval::new(u.lo + PI, u.hi + PI);
        let (north, south) = (FRAC_PI_2, 3.0 * FRAC_PI_2);
        if v.hi <= north {
            return Self::box_on_sphere(frame, u, v);
        }
        if v.lo >= north && v.hi <= south {
            return Self::box_on_sphere(frame, across, Interval::new(PI - v.hi, PI - v.lo));
        }
        // Over a pole: the box on either side of it, or all longitudes at once.
        let (here, there, cap) = if v.lo < north {
            let (here, there) = (Interval::new(v.lo, north), Interval::new(PI - v.hi, north));
            (here, there, Interval::new(here.lo.min(there.lo), north))
        } else {
            let (here, there) = (
                Interval::new(-north, v.hi - TAU),
                Interval::new(-north, PI - v.lo),
            );
            (here, there, Interval::new(-north, here.hi.max(there.hi)))
        };
        let either =
            Self::box_on_sphere(frame, u, here).merged(&Self::box_on_sphere(frame, across, there));
        smallest([
            either,
            Self::box_on_sphere(frame, Interval::new(0.0, TAU), cap),
        ])
    }
}

fn smallest(candidates: [NormalCone; 2]) -> NormalCone {
    let [a, b] = candidates;
    if b.solid_angle() < a.solid_angle() {
        b
    } else {
        a
    }
}

/// The cone between the meridians at either end of `u`.
fn between_meridians(frame: &Frame, u: Interval, latitude: Interval) -> NormalCone {
    let cos = (0.5 * u.length()).cos();
    // Not a number for infinite ends.
    if !(u.length() < PI && cos > NARROWEST_COS) {
        return NormalCone::WHOLE;
    }
    // Latitude at the ends of the great circle that touches the given latitude in the middle.
    let touching = |l: f64| (l.tan() * cos).atan();
    let top = if latitude.hi >= 0.0 {
        latitude.hi
    } else {
        touching(latitude.hi)
    };
    let bottom = if latitude.lo <= 0.0 {
        latitude.lo
    } else {
        touching(latitude.lo)
    };
    let at = |u: f64, l: f64| frame.radial(u) * l.cos() + frame.z * l.sin();
    of_corners([
        at(u.lo, bottom),
        at(u.hi, bottom),
        at(u.hi, top),
        at(u.lo, top),
    ])
}

/// The pyramid about the pole nearer to the box, with one side square to the middle of `u`.
fn about_pole(frame: &Frame, u: Interval, latitude: Interval) -> NormalCone {
    let (pole, near, far) = if latitude.lo > 0.0 {
        (1.0, latitude.hi, latitude.lo)
    } else {
        (-1.0, -latitude.lo, -latitude.hi)
    };
    if far.sin() <= NARROWEST_COS || !u.length().is_finite() {
        return NormalCone::WHOLE;
    }
    let half = (0.5 * u.length()).min(PI);
    // Radii of the box in the pole's central projection.
    let (inner, outer) = (near.cos() / near.sin(), far.cos() / far.sin());
    let back = half.cos() * if half < FRAC_PI_2 { inner } else { outer };
    let side = outer * if half < FRAC_PI_2 { half.sin() } else { 1.0 };
    let (x, y) = (frame.radial(u.mid()), frame.tangential(u.mid()) * pole);
    let at = |a: f64, b: f64| (frame.z * pole + x * a + y * b).normalize();
    of_corners([
        at(back, -side),
        at(outer, -side),
        at(outer, side),
        at(back, side),
    ])
}

/// The cone of sorted corners, some of which may be equal.
fn of_corners(corners: [Vec3; 4]) -> NormalCone {
    let mut distinct = [Vec3::zeros(); 4];
    let mut n = 0;
    for c in corners {
        if distinct[..n].iter().all(|d| (d - c).norm() > SAME) {
            distinct[n] = c;
            n += 1;
        }
    }
    NormalCone::from_sorted(&distinct[..n])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn has_the_generators_of_the_paper() {
        let frame = Frame::world();
        let u = Interval::new(0.2, 0.9);
        assert_eq!(NormalCone::meridian(&frame, u).generators().len(), 2);
        for latitude in [0.5, -0.5] {
            let cone = NormalCone::latitude(&frame, u, latitude);
            let at = |u: f64| frame.radial(u) * latitude.cos() + frame.z * latitude.sin();
            assert_eq!(cone.generators().len(), 4);
            for end in [at(u.lo), at(u.hi)] {
                assert!(cone.generators().iter().any(|g| (g - end).norm() < 1e-14));
            }
            // The middle is on the side that touches it.
            let middle = at(u.mid());
            assert!(cone.contains(&middle, 1e-14));
            assert!(!cone.contains(&(middle - frame.z * latitude * 1e-3).normalize(), 1e-6));
        }
        let to_pole = NormalCone::box_on_sphere(&frame, u, Interval::new(-0.1, FRAC_PI_2));
        assert_eq!(to_pole.generators().len(), 3);
        let point = NormalCone::box_on_sphere(&frame, u, Interval::new(FRAC_PI_2, FRAC_PI_2));
        assert!((point.generators()[0] - frame.z).norm() < 1e-14 && point.solid_angle() < 1e-14);
        assert_eq!(
            NormalCone::latitude(&frame, Interval::new(1.0, 1.0), 0.3)
                .generators()
                .len(),
            1
        );
    }

    #[test]
    fn is_tight() {
        let frame = Frame::world();
        let exact = |u: f64, l: Interval| u * (l.hi.sin() - l.lo.sin());
        for (lo, hi, span, factor) in [
            (-0.2, 0.2, 0.4, 1.02),
            (0.3, 0.6, 0.3, 1.05),
            (0.3, 0.6, 0.8, 1.45),
            (1.3, FRAC_PI_2, TAU, 1.3),
            (1.3, FRAC_PI_2, 3.0, 1.5),
        ] {
            let l = Interval::new(lo, hi);
            for l in [l, Interval::new(-l.hi, -l.lo)] {
                let cone = NormalCone::box_on_sphere(&frame, Interval::new(1.0, 1.0 + span), l);
                let ratio = cone.solid_angle() / exact(span, l);
                assert!(ratio > 0.999 && ratio < factor, "{lo} {hi} {span}: {ratio}");
            }
        }
    }

    #[test]
    fn full_turns_are_whole_unless_about_a_pole() {
        let (frame, turn) = (Frame::world(), Interval::new(0.0, TAU));
        assert!(NormalCone::meridian(&frame, turn).is_whole());
        assert!(NormalCone::meridian(&frame, Interval::new(0.0, PI)).is_whole());
        assert!(NormalCone::meridian(&frame, Interval::ALL).is_whole());
        assert!(NormalCone::box_on_sphere(&frame, turn, Interval::new(-0.1, 0.1)).is_whole());
        assert!(!NormalCone::latitude(&frame, turn, 0.1).is_whole());
        assert!(NormalCone::tube(&frame, Interval::new(0.0, 0.1), turn).is_whole());
        let over_pole = NormalCone::tube(&frame, Interval::new(0.0, 0.1), Interval::new(1.4, 1.8));
        assert!(over_pole.solid_angle() < 0.1, "{}", over_pole.solid_angle());
    }
}
