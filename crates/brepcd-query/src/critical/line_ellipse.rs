//! Line × ellipse: as for a circle; an ellipse that is a section of a cylinder about the line is a family.

use super::isolate::{Plain, isolate};
use super::line_circle::pair;
use super::oval::Oval;
use super::trig::Angle;
use super::{FamilyKind, Outcome, Pairs, Tolerance};
use brepcd_geom::curve::{Ellipse, Line};

/// Appends the stationary pairs of `a` and `b` to `out`.
pub fn stationary(a: &Line, b: &Ellipse, tol: &Tolerance, out: &mut Pairs) -> Outcome {
    let oval = Oval::ellipse_from(b, &a.origin);
    // The wave is the distance times its derivative.
    let p = oval.point(Angle::ZERO);
    let flat = tol.length * (p - a.dir * p.dot(&a.dir)).norm();
    let roots = isolate(&Plain::new(oval.swing(&a.dir)), [flat]);
    if roots.flat[0] {
        return out.push_family(pair(a, &oval, Angle::ZERO, tol), FamilyKind::Ring);
    }
    let mut outcome = roots.outcome();
    for root in roots.as_slice() {
        outcome = outcome.and(out.push_isolated(pair(a, &oval, root.at, tol)));
    }
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::critical::oracle::{Core, Random, agree};

    #[test]
    fn agrees_with_sampling() {
        let mut random = Random::new(33);
        for _ in 0..2000 {
            let (a, b) = (random.line(), random.ellipse());
            agree(&Core::Line(a), &Core::Ellipse(b), |t, out| {
                stationary(&a, &b, t, out)
            });
        }
    }

    #[test]
    fn a_section_of_a_cylinder_is_a_family() {
        let mut random = Random::new(34);
        for _ in 0..200 {
            let mut ellipse = random.ellipse();
            ellipse.rx = ellipse.ry * random.real(1.0, 3.0);
            let slope = (ellipse.ry / ellipse.rx).acos();
            let line = Line {
                origin: ellipse.frame.origin,
                dir: ellipse.frame.z * slope.cos() + ellipse.frame.x * slope.sin(),
            };
            let mut out = Pairs::new();
            let outcome = stationary(&line, &ellipse, &Tolerance::default(), &mut out);
            assert_eq!(outcome, Outcome::Family(FamilyKind::Ring));
            assert!((out.as_slice()[0].distance() - ellipse.ry).abs() < 1e-13);
        }
    }
}
