//! Line × plane: nothing, or a family where the line is parallel to the plane.

use super::{FamilyKind, Outcome, Pair, Pairs, Tolerance};
use brepcd_geom::curve::Line;
use brepcd_geom::surface::Plane;

/// Appends the stationary pairs of `a` and `b` to `out`.
pub fn stationary(a: &Line, b: &Plane, tol: &Tolerance, out: &mut Pairs) -> Outcome {
    if a.dir.dot(&b.frame.z).abs() > tol.angle {
        return Outcome::Isolated;
    }
    let q = b.frame.local(&a.origin);
    let foot = b.point(q.x, q.y);
    let pair = Pair::on_surface(a.origin, [0.0; 2], foot, [q.x, q.y], b.frame.z);
    out.push_family(pair, FamilyKind::Line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::critical::oracle::Random;

    #[test]
    fn parallel_or_nothing() {
        let mut random = Random::new(9);
        let tol = Tolerance::default();
        for _ in 0..1000 {
            let (mut a, b) = (random.line(), random.plane());
            let mut out = Pairs::new();
            assert_eq!(stationary(&a, &b, &tol, &mut out), Outcome::Isolated);
            assert!(out.as_slice().is_empty());
            a.dir = b.frame.radial(3.0 * random.signed());
            let outcome = stationary(&a, &b, &tol, &mut out);
            assert_eq!(outcome, Outcome::Family(FamilyKind::Line));
            let height = (a.origin - b.frame.origin).dot(&b.frame.z).abs();
            assert!((out.as_slice()[0].distance() - height).abs() < 1e-14);
        }
    }
}
