//! Plane × cone: nothing, or a family along the generator that is parallel to the plane with its normal.

use super::generators::{Generator, inside};
use super::trig::Angle;
use super::{FamilyKind, Outcome, Pair, Pairs, Tolerance};
use brepcd_geom::surface::{Cone, Plane};

/// Appends the stationary pairs of `a` and `b` to `out`.
pub fn stationary(a: &Plane, b: &Cone, tol: &Tolerance, out: &mut Pairs) -> Outcome {
    let n = b.frame.local_vec(&a.frame.z);
    let (s, c) = b.half_angle.sin_cos();
    let flat = (n.x * n.x + n.y * n.y).sqrt();
    let mut outcome = Outcome::Isolated;
    for sign in [1.0, -1.0] {
        // The sine of the angle between this normal of the plane and the circle of the cone's normals.
        if (s * flat + sign * c * n.z).abs() > tol.angle {
            continue;
        }
        let Some(u) = Angle::towards(sign * n.x, sign * n.y, tol.angle) else {
            continue;
        };
        let generator = Generator::new(b, u);
        let foot = (a.frame.origin - generator.line.origin).dot(&generator.line.dir);
        let v =
            if generator.holds(foot - tol.length, tol) && generator.holds(foot + tol.length, tol) {
                foot
            } else {
                inside(generator.range(), foot.abs() + 1.0)
            };
        let p = generator.line.point(v);
        let q = a.frame.local(&p);
        let foot = a.point(q.x, q.y);
        let parameters = generator.parameters(v);
        let pair = Pair::on_surface(foot, [q.x, q.y], p, parameters, a.frame.z);
        outcome = outcome.and(out.push_family(pair, FamilyKind::Line));
    }
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::critical::oracle::{Core, Random, assert_stationary};
    use brepcd_geom::Frame;

    #[test]
    fn tangent_direction_or_nothing() {
        let mut random = Random::new(23);
        let tol = Tolerance::default();
        for _ in 0..1000 {
            let (mut a, b) = (random.plane(), random.cone());
            let mut out = Pairs::new();
            assert_eq!(stationary(&a, &b, &tol, &mut out), Outcome::Isolated);
            assert!(out.as_slice().is_empty());
            let u = 3.0 * random.signed();
            let sign = 1.0_f64.copysign(random.signed());
            let normal = b.normal(u, 0.0).unwrap();
            let height = random.signed();
            let origin = b.point(u, 3.0 * random.signed()) + normal * height;
            a.frame = Frame::from_z(origin, normal * sign).unwrap();
            let outcome = stationary(&a, &b, &tol, &mut out);
            assert_eq!(outcome, Outcome::Family(FamilyKind::Line));
            let pair = out.as_slice()[0];
            assert_stationary(&Core::Plane(a), &Core::Cone(b), &pair, 1.0, 1e-12);
            assert!((pair.distance() - height.abs()).abs() < 1e-13);
        }
    }
}
