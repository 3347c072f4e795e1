//! Plane × plane: nothing, or a family where they are parallel.

use super::{FamilyKind, Outcome, Pair, Pairs, Tolerance};
use brepcd_geom::surface::Plane;

/// Appends the stationary pairs of `a` and `b` to `out`.
pub fn stationary(a: &Plane, b: &Plane, tol: &Tolerance, out: &mut Pairs) -> Outcome {
    if a.frame.z.cross(&b.frame.z).norm_squared() > tol.angle * tol.angle {
        return Outcome::Isolated;
    }
    let q = b.frame.local(&a.frame.origin);
    let foot = b.point(q.x, q.y);
    let pair = Pair::on_surface(a.frame.origin, [0.0; 2], foot, [q.x, q.y], b.frame.z);
    out.push_family(pair, FamilyKind::Area)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::critical::oracle::Random;
    use brepcd_geom::Frame;

    #[test]
    fn parallel_or_nothing() {
        let mut random = Random::new(10);
        let tol = Tolerance::default();
        for _ in 0..1000 {
            let (a, mut b) = (random.plane(), random.plane());
            let mut out = Pairs::new();
            assert_eq!(stationary(&a, &b, &tol, &mut out), Outcome::Isolated);
            assert!(out.as_slice().is_empty());
            b.frame = Frame::from_z(b.frame.origin, -a.frame.z).unwrap();
            let outcome = stationary(&a, &b, &tol, &mut out);
            assert_eq!(outcome, Outcome::Family(FamilyKind::Area));
            let height = (b.frame.origin - a.frame.origin).dot(&a.frame.z).abs();
            assert!((out.as_slice()[0].distance() - height).abs() < 1e-14);
        }
    }
}
