//! Point × point: the points themselves, with every direction open where they coincide.

use super::{Outcome, Pair, Pairs, Tolerance};
use brepcd_geom::Point3;

/// Appends the stationary pairs of `a` and `b` to `out`.
pub fn stationary(a: &Point3, b: &Point3, tol: &Tolerance, out: &mut Pairs) -> Outcome {
    out.push_isolated(Pair::apart(*a, [0.0; 2], *b, [0.0; 2], tol.length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn apart_and_coincident() {
        let (mut out, tol) = (Pairs::new(), Tolerance::default());
        let (a, b) = (Point3::new(1.0, 2.0, 3.0), Point3::new(1.0, 5.0, 7.0));
        assert_eq!(stationary(&a, &b, &tol, &mut out), Outcome::Isolated);
        assert_eq!(stationary(&a, &a, &tol, &mut out), Outcome::Isolated);
        let found = out.as_slice();
        assert_eq!(found[0].distance(), 5.0);
        assert_eq!(found[0].direction.map(|d| (d.y, d.z)), Some((0.6, 0.8)));
        assert_eq!(found[1].direction, None);
        let nan = Point3::new(f64::NAN, 0.0, 0.0);
        assert_eq!(stationary(&nan, &b, &tol, &mut out), Outcome::Unresolved);
    }
}
