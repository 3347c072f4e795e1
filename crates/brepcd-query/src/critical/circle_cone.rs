//! Circle × cone: the circle swept about the cone's axis, against the near and the far generator, up to eight pairs.

use super::around_axis::{Angles, AroundAxis, Found};
use super::oval::Oval;
use super::point_cone::foot;
use super::trig::Angle;
use super::{FamilyKind, Outcome, Pair, Pairs, Tolerance};
use brepcd_geom::curve::Circle;
use brepcd_geom::surface::Cone;

/// Appends the stationary pairs of `a` and `b` to `out`; a coaxial circle is a family for each side it sees.
pub fn stationary(a: &Circle, b: &Cone, tol: &Tolerance, out: &mut Pairs) -> Outcome {
    let oval = Oval::circle(a, &b.frame);
    let aside = oval.center.x * oval.center.x + oval.center.y * oval.center.y;
    let tilt = oval.x.z * oval.x.z + oval.y.z * oval.y.z;
    let level = tol.angle * a.radius;
    if aside <= tol.length * tol.length && tilt <= level * level {
        return flat_sides(&oval, b, [true; 2], tol, out);
    }
    let equation = AroundAxis::cone(oval, b.half_angle);
    let constant = equation.flat_below(0.0);
    let found = equation.solve([constant; 2], [tol.length, tol.angle]);
    append(&oval, b, &found, tol, out)
}

/// Appends what was found for a curve in the cone's frame.
pub(super) fn append(
    oval: &Oval,
    b: &Cone,
    found: &Found,
    tol: &Tolerance,
    out: &mut Pairs,
) -> Outcome {
    let mut outcome = found
        .outcome()
        .and(flat_sides(oval, b, found.flat, tol, out));
    for angles in found.as_slice() {
        if let Some(pair) = pair(oval, b, angles, tol) {
            outcome = outcome.and(if angles.free {
                out.push_family(pair, FamilyKind::Ring)
            } else {
                out.push_isolated(pair)
            });
        }
    }
    outcome
}

/// Appends a family for each side to which the curve keeps its distance.
fn flat_sides(oval: &Oval, b: &Cone, flat: [bool; 2], tol: &Tolerance, out: &mut Pairs) -> Outcome {
    let t = Angle::ZERO;
    let p = oval.point(t);
    let near = Angle::towards(p.x, p.y, 0.0).unwrap_or(Angle::ZERO);
    let mut outcome = Outcome::Isolated;
    for (is_flat, u) in flat.into_iter().zip([near, near.opposite()]) {
        let free = false;
        if let Some(pair) = pair(oval, b, &Angles { t, u, free }, tol).filter(|_| is_flat) {
            outcome = outcome.and(out.push_family(pair, FamilyKind::Ring));
        }
    }
    outcome
}

fn pair(oval: &Oval, b: &Cone, angles: &Angles, tol: &Tolerance) -> Option<Pair> {
    let q = oval.point(angles.t);
    let p = b.frame.point(q.x, q.y, q.z);
    let foot = foot(&p, b, angles.u, tol)?;
    let ta = [angles.t.radians(), 0.0];
    Some(Pair::on_surface(
        p,
        ta,
        foot.point,
        foot.parameters,
        foot.normal,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::critical::oracle::{Core, Random, agree};

    #[test]
    fn agrees_with_sampling() {
        let mut random = Random::new(27);
        for _ in 0..1000 {
            let (a, b) = (random.circle(), random.cone());
            agree(&Core::Circle(a), &Core::Cone(b), |t, out| {
                stationary(&a, &b, t, out)
            });
        }
    }
}
