//! Circle × circle: the smaller one swept about the axis of the other, up to eight pairs; coaxial ones are two families.

use super::around_axis::{AroundAxis, Found};
use super::oval::Oval;
use super::trig::Angle;
use super::{FamilyKind, Outcome, Pair, Pairs, Tolerance};
use brepcd_geom::curve::Circle;

/// Appends the stationary pairs of `a` and `b` to `out`.
pub fn stationary(a: &Circle, b: &Circle, tol: &Tolerance, out: &mut Pairs) -> Outcome {
    if a.radius < b.radius {
        let first = out.as_slice().len();
        let outcome = about(b, a, tol, out);
        out.mirror_from(first);
        return outcome;
    }
    about(a, b, tol, out)
}

fn about(a: &Circle, b: &Circle, tol: &Tolerance, out: &mut Pairs) -> Outcome {
    let oval = Oval::circle(b, &a.frame);
    let aside = oval.center.x * oval.center.x + oval.center.y * oval.center.y;
    let tilt = oval.x.z * oval.x.z + oval.y.z * oval.y.z;
    let level = tol.angle * b.radius;
    if aside <= tol.length * tol.length && tilt <= level * level {
        let p = oval.point(Angle::ZERO);
        let near = Angle::towards(p.x, p.y, 0.0).unwrap_or(Angle::ZERO);
        let mut outcome = Outcome::Isolated;
        for u in [near, near.opposite()] {
            let pair = pair(a, &oval, [u, Angle::ZERO], tol);
            outcome = outcome.and(out.push_family(pair, FamilyKind::Ring));
        }
        return outcome;
    }
    let equation = AroundAxis::circle(oval, a.radius);
    // Circles through one torus about the other keep their distance without being coaxial.
    let constant = equation.flat_below(0.0);
    let found = equation.solve([constant; 2], [tol.length, tol.angle]);
    append(a, &oval, &found, tol, out)
}

/// Appends what was found for a curve in the frame of the circle `a`.
pub(super) fn append(
    a: &Circle,
    oval: &Oval,
    found: &Found,
    tol: &Tolerance,
    out: &mut Pairs,
) -> Outcome {
    let mut outcome = found.outcome();
    let p = oval.point(Angle::ZERO);
    let near = Angle::towards(p.x, p.y, 0.0).unwrap_or(Angle::ZERO);
    for (flat, u) in found.flat.into_iter().zip([near, near.opposite()]) {
        if flat {
            let pair = pair(a, oval, [u, Angle::ZERO], tol);
            outcome = outcome.and(out.push_family(pair, FamilyKind::Ring));
        }
    }
    for angles in found.as_slice() {
        let pair = pair(a, oval, [angles.u, angles.t], tol);
        outcome = outcome.and(if angles.free {
            out.push_family(pair, FamilyKind::Ring)
        } else {
            out.push_isolated(pair)
        });
    }
    outcome
}

/// The pair at these angles of the circle and of a curve in its frame.
fn pair(a: &Circle, oval: &Oval, [u, t]: [Angle; 2], tol: &Tolerance) -> Pair {
    let frame = &a.frame;
    let (p, v) = (oval.point(t), oval.tangent(t));
    let swept = frame.x * v.x + frame.y * v.y + frame.z * v.z;
    let own = frame.y * u.c - frame.x * u.s;
    Pair::of_curves(
        frame.point(a.radius * u.c, a.radius * u.s, 0.0),
        u.radians(),
        frame.point(p.x, p.y, p.z),
        t.radians(),
        [own, swept / v.norm()],
        a.radius + p.norm(),
        tol,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::critical::oracle::{Core, Random, agree};

    #[test]
    fn agrees_with_sampling() {
        let mut random = Random::new(14);
        for _ in 0..1000 {
            let (a, b) = (random.circle(), random.circle());
            agree(&Core::Circle(a), &Core::Circle(b), |t, out| {
                stationary(&a, &b, t, out)
            });
        }
    }
}
