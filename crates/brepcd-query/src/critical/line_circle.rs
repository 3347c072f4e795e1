//! Line × circle: the distance from the line is a wave of two harmonics, with at most four stationary points.

use super::isolate::{Plain, isolate};
use super::oval::Oval;
use super::trig::Angle;
use super::{FamilyKind, Outcome, Pair, Pairs, Tolerance};
use brepcd_geom::curve::{Circle, Line};

/// Appends the stationary pairs of `a` and `b` to `out`; a coaxial circle is a family.
pub fn stationary(a: &Line, b: &Circle, tol: &Tolerance, out: &mut Pairs) -> Outcome {
    let oval = Oval::circle_from(b, &a.origin);
    let along = oval.center.dot(&a.dir);
    let across = oval.center - a.dir * along;
    let tilt = a.dir.cross(&b.frame.z).norm_squared();
    if across.norm_squared() <= tol.length * tol.length && tilt <= tol.angle * tol.angle {
        return out.push_family(pair(a, &oval, Angle::ZERO, tol), FamilyKind::Ring);
    }
    let roots = isolate(&Plain::new(oval.swing(&a.dir)), [0.0]);
    let mut outcome = roots.outcome();
    for root in roots.as_slice() {
        outcome = outcome.and(out.push_isolated(pair(a, &oval, root.at, tol)));
    }
    outcome
}

/// The pair at an angle of the curve, seen from the line's origin.
pub(super) fn pair(a: &Line, oval: &Oval, t: Angle, tol: &Tolerance) -> Pair {
    let (p, tangent) = (oval.point(t), oval.tangent(t));
    let s = p.dot(&a.dir);
    let size = oval.radius() + oval.center.norm();
    Pair::of_curves(
        a.point(s),
        s,
        a.origin + p,
        t.radians(),
        [a.dir, tangent / tangent.norm()],
        size,
        tol,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::critical::oracle::{Core, Random, agree};

    #[test]
    fn agrees_with_sampling() {
        let mut random = Random::new(11);
        for _ in 0..2000 {
            let (a, b) = (random.line(), random.circle());
            agree(&Core::Line(a), &Core::Circle(b), |t, out| {
                stationary(&a, &b, t, out)
            });
        }
    }
}
