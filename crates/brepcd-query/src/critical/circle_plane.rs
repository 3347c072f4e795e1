//! Circle × plane: the lowest and the highest point; a circle parallel to the plane is a family.

use super::oval::Oval;
use super::trig::Angle;
use super::{FamilyKind, Outcome, Pair, Pairs, Tolerance};
use brepcd_geom::curve::Circle;
use brepcd_geom::surface::Plane;

/// Appends the stationary pairs of `a` and `b` to `out`.
pub fn stationary(a: &Circle, b: &Plane, tol: &Tolerance, out: &mut Pairs) -> Outcome {
    extremes(&Oval::circle(a, &b.frame), b, tol, out)
}

/// Appends the lowest and the highest point of a curve in the plane's frame.
pub(super) fn extremes(oval: &Oval, b: &Plane, tol: &Tolerance, out: &mut Pairs) -> Outcome {
    let pair = |t: Angle| {
        let p = oval.point(t);
        let above = b.frame.point(p.x, p.y, p.z);
        let ta = [t.radians(), 0.0];
        Pair::on_surface(above, ta, b.point(p.x, p.y), [p.x, p.y], b.frame.z)
    };
    match Angle::towards(oval.x.z, oval.y.z, tol.angle * oval.radius()) {
        Some(t) => {
            let first = out.push_isolated(pair(t));
            first.and(out.push_isolated(pair(t.opposite())))
        }
        None => out.push_family(pair(Angle::ZERO), FamilyKind::Ring),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::critical::oracle::{Core, Random, agree, assert_stationary};
    use brepcd_geom::Frame;

    #[test]
    fn agrees_with_sampling() {
        let mut random = Random::new(12);
        for _ in 0..1000 {
            let (a, b) = (random.circle(), random.plane());
            agree(&Core::Circle(a), &Core::Plane(b), |t, out| {
                stationary(&a, &b, t, out)
            });
        }
    }

    #[test]
    fn parallel_and_nearly_so() {
        let mut random = Random::new(13);
        let tol = Tolerance::default();
        for tilt in [0.0, 1e-9, 1e-7, 1e-5] {
            for _ in 0..100 {
                let (mut a, b) = (random.circle(), random.plane());
                let z = b.frame.z + b.frame.x * tilt;
                a.frame = Frame::from_z(a.frame.origin, z).unwrap();
                let mut out = Pairs::new();
                let outcome = stationary(&a, &b, &tol, &mut out);
                let height = b.frame.local(&a.frame.origin).z.abs();
                for pair in out.as_slice() {
                    assert_stationary(&Core::Circle(a), &Core::Plane(b), pair, 1.0, 1e-9);
                }
                if tilt == 0.0 {
                    assert_eq!(outcome, Outcome::Family(FamilyKind::Ring));
                    assert!((out.as_slice()[0].distance() - height).abs() < 1e-14);
                } else {
                    assert_eq!(outcome, Outcome::Isolated);
                    let spread = out.as_slice()[0].distance() - out.as_slice()[1].distance();
                    let expected = 2.0 * a.radius * tilt;
                    assert!(height < 0.1 || (spread.abs() - expected).abs() < 1e-3 * expected);
                }
            }
        }
    }
}
