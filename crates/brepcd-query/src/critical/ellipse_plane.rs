//! Ellipse × plane: the lowest and the highest point; an ellipse parallel to the plane is a family.

use super::circle_plane::extremes;
use super::oval::Oval;
use super::{Outcome, Pairs, Tolerance};
use brepcd_geom::curve::Ellipse;
use brepcd_geom::surface::Plane;

/// Appends the stationary pairs of `a` and `b` to `out`.
pub fn stationary(a: &Ellipse, b: &Plane, tol: &Tolerance, out: &mut Pairs) -> Outcome {
    extremes(&Oval::ellipse(a, &b.frame), b, tol, out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::critical::FamilyKind;
    use crate::critical::oracle::{Core, Random, agree};
    use brepcd_geom::Frame;

    #[test]
    fn agrees_with_sampling() {
        let mut random = Random::new(35);
        for _ in 0..1000 {
            let (mut a, b) = (random.ellipse(), random.plane());
            agree(&Core::Ellipse(a), &Core::Plane(b), |t, out| {
                stationary(&a, &b, t, out)
            });
            a.frame = Frame::from_z(a.frame.origin, -b.frame.z).unwrap();
            let mut out = Pairs::new();
            let outcome = stationary(&a, &b, &Tolerance::default(), &mut out);
            assert_eq!(outcome, Outcome::Family(FamilyKind::Ring));
            let height = b.frame.local(&a.frame.origin).z.abs();
            assert!((out.as_slice()[0].distance() - height).abs() < 1e-14);
        }
    }
}
