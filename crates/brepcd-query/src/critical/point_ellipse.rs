//! Point × ellipse: two to four stationary points; a round ellipse seen from its axis is a family.

use super::isolate::{Plain, isolate};
use super::oval::Oval;
use super::trig::Angle;
use super::{FamilyKind, Outcome, Pair, Pairs, Tolerance};
use brepcd_geom::Point3;
use brepcd_geom::curve::Ellipse;

/// Appends the stationary pairs of `a` and `b` to `out`.
pub fn stationary(a: &Point3, b: &Ellipse, tol: &Tolerance, out: &mut Pairs) -> Outcome {
    let oval = Oval::ellipse_from(b, a);
    let pair = |t: Angle| {
        let tb = [t.radians(), 0.0];
        Pair::apart(*a, [0.0; 2], a + oval.point(t), tb, tol.length)
    };
    // The wave is the distance times its derivative.
    let flat = tol.length * oval.point(Angle::ZERO).norm();
    let roots = isolate(&Plain::new(oval.pull()), [flat]);
    if roots.flat[0] {
        return out.push_family(pair(Angle::ZERO), FamilyKind::Ring);
    }
    let mut outcome = roots.outcome();
    for root in roots.as_slice() {
        outcome = outcome.and(out.push_isolated(pair(root.at)));
    }
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::critical::oracle::{Core, Random, agree};

    #[test]
    fn agrees_with_sampling() {
        let mut random = Random::new(31);
        for _ in 0..2000 {
            let (a, b) = (random.point(), random.ellipse());
            agree(&Core::Point(a), &Core::Ellipse(b), |t, out| {
                stationary(&a, &b, t, out)
            });
        }
    }

    #[test]
    fn special_positions() {
        let frame = Random::new(32).frame();
        let tol = Tolerance::default();
        // The centre has four, the centre of curvature at a vertex counts as one, beyond it two are left.
        for (x, y, count) in [(0.0, 0.0, 4), (1.5, 0.0, 2), (1.4, 0.0, 4), (3.0, 0.0, 2)] {
            let ellipse = Ellipse {
                frame,
                rx: 2.0,
                ry: 1.0,
            };
            let mut out = Pairs::new();
            let p = frame.point(x, y, 0.0);
            let outcome = stationary(&p, &ellipse, &tol, &mut out);
            assert_eq!(outcome, Outcome::Isolated);
            assert_eq!(out.as_slice().len(), count, "{x}");
        }
        let round = Ellipse {
            frame,
            rx: 2.0,
            ry: 2.0,
        };
        let mut out = Pairs::new();
        let p = frame.point(0.0, 0.0, 1.5);
        let outcome = stationary(&p, &round, &tol, &mut out);
        assert_eq!(outcome, Outcome::Family(FamilyKind::Ring));
        assert!((out.as_slice()[0].distance() - 2.5).abs() < 1e-14);
    }
}
