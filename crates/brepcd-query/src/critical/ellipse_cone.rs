//! Ellipse × cone: the ellipse swept about the cone's axis; an ellipse cut from a parallel cone is a family.

use super::around_axis::AroundAxis;
use super::circle_cone::append;
use super::oval::Oval;
use super::{Outcome, Pairs, Tolerance};
use brepcd_geom::curve::Ellipse;
use brepcd_geom::surface::Cone;

/// Appends the stationary pairs of `a` and `b` to `out`.
pub fn stationary(a: &Ellipse, b: &Cone, tol: &Tolerance, out: &mut Pairs) -> Outcome {
    let oval = Oval::ellipse(a, &b.frame);
    let equation = AroundAxis::cone(oval, b.half_angle);
    // The equation is the derivative of the signed distance.
    let flat = equation.flat_below(tol.length);
    let found = equation.solve([flat; 2], [tol.length, tol.angle]);
    append(&oval, b, &found, tol, out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::critical::oracle::{Core, Random, agree};

    #[test]
    fn agrees_with_sampling() {
        let mut random = Random::new(37);
        for _ in 0..1000 {
            let (a, b) = (random.ellipse(), random.cone());
            agree(&Core::Ellipse(a), &Core::Cone(b), |t, out| {
                stationary(&a, &b, t, out)
            });
        }
    }
}
