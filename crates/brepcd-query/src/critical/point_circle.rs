//! Point × circle: the near and the far point in the plane through the axis; from the axis, the whole circle.

use super::trig::Angle;
use super::{FamilyKind, Outcome, Pair, Pairs, Tolerance};
use brepcd_geom::Point3;
use brepcd_geom::curve::Circle;

/// Appends the stationary pairs of `a` and `b` to `out`, the near one first.
pub fn stationary(a: &Point3, b: &Circle, tol: &Tolerance, out: &mut Pairs) -> Outcome {
    let q = b.frame.local(a);
    let pair = |t: Angle| {
        let p = b.frame.origin + (b.frame.x * t.c + b.frame.y * t.s) * b.radius;
        Pair::apart(*a, [0.0; 2], p, [t.radians(), 0.0], tol.length)
    };
    match Angle::towards(q.x, q.y, tol.length) {
        Some(near) => {
            let nearest = out.push_isolated(pair(near));
            nearest.and(out.push_isolated(pair(near.opposite())))
        }
        None => out.push_family(pair(Angle::ZERO), FamilyKind::Ring),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::critical::oracle::{Core, Random, agree};

    #[test]
    fn agrees_with_sampling() {
        let mut random = Random::new(3);
        for _ in 0..1000 {
            let (a, b) = (random.point(), random.circle());
            agree(&Core::Point(a), &Core::Circle(b), |t, out| {
                stationary(&a, &b, t, out)
            });
        }
    }

    #[test]
    fn the_axis_is_a_family() {
        let circle = Random::new(4).circle();
        let mut out = Pairs::new();
        let p = circle.frame.point(0.0, 0.0, 2.0);
        let outcome = stationary(&p, &circle, &Tolerance::default(), &mut out);
        assert_eq!(outcome, Outcome::Family(FamilyKind::Ring));
        let expected = circle.radius.hypot(2.0);
        assert!((out.as_slice()[0].distance() - expected).abs() < 1e-14);
    }
}
