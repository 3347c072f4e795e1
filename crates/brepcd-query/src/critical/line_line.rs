//! Line × line: the feet of the common perpendicular; parallel lines are a family.
//!
//! Crossing lines give the crossing, with the cross product of their directions as normal.

use super::{FamilyKind, Outcome, Pair, Pairs, Tolerance};
use brepcd_geom::curve::Line;

/// Appends the stationary pairs of `a` and `b` to `out`.
pub fn stationary(a: &Line, b: &Line, tol: &Tolerance, out: &mut Pairs) -> Outcome {
    let between = b.origin - a.origin;
    let normal = a.dir.cross(&b.dir);
    let sine2 = normal.norm_squared();
    if sine2 <= tol.angle * tol.angle {
        let s = between.dot(&a.dir);
        let pair = Pair::apart(a.point(s), [s, 0.0], b.origin, [0.0; 2], tol.length);
        return out.push_family(pair, FamilyKind::Line);
    }
    let t = between.cross(&a.dir).dot(&normal) / sine2;
    // The foot of the second point, because the errors of two parameters add up for nearly parallel lines.
    let s = (between + b.dir * t).dot(&a.dir);
    let gap = between.dot(&normal);
    let direction = normal * (1.0_f64.copysign(gap) / sine2.sqrt());
    out.push_isolated(Pair {
        a: a.point(s),
        b: b.point(t),
        ta: [s, 0.0],
        tb: [t, 0.0],
        direction: Some(direction),
        family: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::critical::oracle::{Core, Random, agree};

    #[test]
    fn agrees_with_sampling() {
        let mut random = Random::new(7);
        for _ in 0..1000 {
            let (a, b) = (random.line(), random.line());
            agree(&Core::Line(a), &Core::Line(b), |t, out| {
                stationary(&a, &b, t, out)
            });
        }
    }

    #[test]
    fn crossing_and_parallel() {
        let mut random = Random::new(8);
        let tol = Tolerance::default();
        for _ in 0..1000 {
            let (a, mut b) = (random.line(), random.line());
            b.origin = a.point(random.signed()) + b.dir * random.signed();
            let mut out = Pairs::new();
            assert_eq!(stationary(&a, &b, &tol, &mut out), Outcome::Isolated);
            let pair = out.as_slice()[0];
            assert!(pair.distance() < 1e-12 / a.dir.cross(&b.dir).norm().powi(2));
            let direction = pair.direction.unwrap();
            assert!(direction.dot(&a.dir).abs() + direction.dot(&b.dir).abs() < 1e-12);
            b.dir = -a.dir;
            out.clear();
            let outcome = stationary(&a, &b, &tol, &mut out);
            assert_eq!(outcome, Outcome::Family(FamilyKind::Line));
            let pair = out.as_slice()[0];
            assert!((pair.b - pair.a).dot(&a.dir).abs() < 1e-14);
        }
    }
}
