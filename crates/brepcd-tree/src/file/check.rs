//! What numbers must fulfil to be directions, axes and cones.

use brepcd_geom::Vec3;

use crate::CircularCone;

/// How far lengths, products and squares of unit vectors may be off; far above rounding, far below any mistake.
const SLACK: f64 = 1e-6;

/// Squared length of the sum of two unit vectors under which they count as opposite.
const OPPOSITE: f64 = 1e-12;

/// True for vectors of unit length.
#[inline]
pub(super) fn unit(v: &Vec3) -> bool {
    (v.norm_squared() - 1.0).abs() <= SLACK
}

/// True for right-handed orthonormal axes.
#[inline]
pub(super) fn orthonormal(a: &Vec3, b: &Vec3, c: &Vec3) -> bool {
    unit(a) && unit(b) && (a.cross(b) - c).amax() <= SLACK && a.dot(b).abs() <= SLACK
}

/// True if three or four generators of lengths not far from one go round counter-clockwise and span a pointed convex
/// cone, or if there are none.
#[inline(always)]
pub(super) fn go_round(g: &[Vec3]) -> bool {
    let apart = |a: &Vec3, b: &Vec3| (a + b).norm_squared() > OPPOSITE;
    // All of them: one branch is cheaper than many.
    match g {
        [] => true,
        [a, b, c] => (apart(a, b) & apart(b, c) & apart(c, a)) & (a.cross(b).dot(c) >= -SLACK),
        [a, b, c, d] => {
            // Each side and each generator off it: four products, each for two sides.
            let (ab, cd) = (a.cross(b), c.cross(d));
            let inside = |side: &Vec3, g: &Vec3| side.dot(g) >= -SLACK;
            let sides = (inside(&ab, c) & inside(&ab, d)) & (inside(&cd, a) & inside(&cd, b));
            sides & (apart(a, b) & apart(b, c)) & (apart(c, d) & apart(d, a))
        }
        _ => false,
    }
}

/// True if the cosine and sine are those of an angle from 0 to π and the axis is of unit length.
#[inline]
pub(super) fn circle(c: &CircularCone) -> bool {
    unit(&c.axis) && c.sin >= 0.0 && (c.cos * c.cos + c.sin * c.sin - 1.0).abs() <= SLACK
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_and_units() {
        let (x, y, z) = (Vec3::x(), Vec3::y(), Vec3::z());
        assert!(orthonormal(&x, &y, &z) && orthonormal(&y, &z, &x));
        assert!(!orthonormal(&x, &y, &-z) && !orthonormal(&x, &x, &z));
        assert!(!orthonormal(&x, &(y * 1.1), &z) && !unit(&Vec3::repeat(f64::NAN)));
    }

    #[test]
    fn generators_go_round() {
        let (x, y, z) = (Vec3::x(), Vec3::y(), Vec3::z());
        assert!(go_round(&[]) && !go_round(&[x]) && !go_round(&[x, y]));
        assert!(go_round(&[x, y, z]) && !go_round(&[x, z, y]));
        assert!(!go_round(&[x, y, -x]));
        let side = |a: f64, b: f64| Vec3::new(a, b, 1.0).normalize();
        let round = [
            side(1.0, 1.0),
            side(-1.0, 1.0),
            side(-1.0, -1.0),
            side(1.0, -1.0),
        ];
        assert!(go_round(&round));
        assert!(!go_round(&[round[0], round[2], round[1], round[3]]));
    }

    #[test]
    fn circles_have_an_angle() {
        assert!(circle(&CircularCone::WHOLE) && circle(&CircularCone::new(Vec3::x(), 1.0)));
        let mut odd = CircularCone::new(Vec3::x(), 1.0);
        odd.sin = -odd.sin;
        assert!(!circle(&odd));
    }
}
