//! Circle × ellipse: the ellipse swept about the axis of the circle.

use super::around_axis::AroundAxis;
use super::circle_circle::append;
use super::oval::Oval;
use super::trig::Angle;
use super::{Outcome, Pairs, Tolerance};
use brepcd_geom::curve::{Circle, Ellipse};

/// Appends the stationary pairs of `a` and `b` to `out`; a side to which the distance does not vary is a family.
pub fn stationary(a: &Circle, b: &Ellipse, tol: &Tolerance, out: &mut Pairs) -> Outcome {
    let oval = Oval::ellipse(b, &a.frame);
    let equation = AroundAxis::circle(oval, a.radius);
    let p = oval.point(Angle::ZERO);
    let rho = (p.x * p.x + p.y * p.y).sqrt();
    // The equation is the distance times its derivative.
    let flat = [rho - a.radius, rho + a.radius]
        .map(|gap| equation.flat_below(tol.length * (gap * gap + p.z * p.z).sqrt()));
    let found = equation.solve(flat, [tol.length, tol.angle]);
    append(a, &oval, &found, tol, out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::critical::oracle::{Core, Random, agree};

    #[test]
    fn agrees_with_sampling() {
        let mut random = Random::new(36);
        for _ in 0..1000 {
            let (a, b) = (random.circle(), random.ellipse());
            agree(&Core::Circle(a), &Core::Ellipse(b), |t, out| {
                stationary(&a, &b, t, out)
            });
        }
    }
}
