//! Point × cone: the feet on the two generators in the plane through the axis, where they lie on the nappe.

use super::trig::Angle;
use super::{FamilyKind, Outcome, Pair, Pairs, Tolerance};
use brepcd_geom::surface::Cone;
use brepcd_geom::{Point3, Vec3};

/// A point of a cone's generator: the point, its parameters and the cone's normal.
pub(super) struct Foot {
    pub(super) point: Point3,
    pub(super) parameters: [f64; 2],
    pub(super) normal: Vec3,
}

/// The foot of `p` on the generator at `u`, `None` where it is beyond the apex.
pub(super) fn foot(p: &Point3, cone: &Cone, u: Angle, tol: &Tolerance) -> Option<Foot> {
    let (s, c) = cone.half_angle.sin_cos();
    let radial = cone.frame.x * u.c + cone.frame.y * u.s;
    let from_start = p - cone.frame.origin - radial * cone.radius;
    let generator = radial * s + cone.frame.z * c;
    let v = from_start.dot(&generator);
    let rho = cone.radius + v * s;
    (rho >= -tol.length * s.abs()).then(|| Foot {
        point: cone.frame.origin + radial * rho + cone.frame.z * (v * c),
        parameters: [u.radians(), v],
        normal: radial * c - cone.frame.z * s,
    })
}

/// Appends the stationary pairs of `a` and `b` to `out`, the near one first.
pub fn stationary(a: &Point3, b: &Cone, tol: &Tolerance, out: &mut Pairs) -> Outcome {
    let q = b.frame.local(a);
    let pair = |u: Angle| {
        let foot = foot(a, b, u, tol)?;
        Some(Pair::on_surface(
            *a,
            [0.0; 2],
            foot.point,
            foot.parameters,
            foot.normal,
        ))
    };
    let Some(near) = Angle::towards(q.x, q.y, tol.length) else {
        return pair(Angle::ZERO)
            .map_or(Outcome::Isolated, |p| out.push_family(p, FamilyKind::Ring));
    };
    let mut outcome = Outcome::Isolated;
    for u in [near, near.opposite()] {
        if let Some(pair) = pair(u) {
            outcome = outcome.and(out.push_isolated(pair));
        }
    }
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::critical::oracle::{Core, Random, agree};

    #[test]
    fn agrees_with_sampling() {
        let mut random = Random::new(5);
        for _ in 0..1000 {
            let (a, b) = (random.point(), random.cone());
            agree(&Core::Point(a), &Core::Cone(b), |t, out| {
                stationary(&a, &b, t, out)
            });
        }
    }

    #[test]
    fn the_axis_is_a_family_or_beyond_the_apex() {
        let cone = Random::new(6).cone();
        let tol = Tolerance::default();
        let (sign, height) = (
            cone.half_angle.signum(),
            cone.radius / cone.half_angle.tan(),
        );
        for (above_apex, expected) in [
            (2.0, Outcome::Family(FamilyKind::Ring)),
            (-2.0, Outcome::Isolated),
        ] {
            let mut out = Pairs::new();
            let p = cone.frame.point(0.0, 0.0, -height + sign * above_apex);
            assert_eq!(stationary(&p, &cone, &tol, &mut out), expected);
            for pair in out.as_slice() {
                let exact = 2.0 * cone.half_angle.sin().abs();
                assert!((pair.distance() - exact).abs() < 1e-14);
            }
        }
    }
}
