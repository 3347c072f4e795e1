//! Point × plane: the foot of the perpendicular, with the plane's normal as direction.

use super::{Outcome, Pair, Pairs, Tolerance};
use brepcd_geom::Point3;
use brepcd_geom::surface::Plane;

/// Appends the stationary pairs of `a` and `b` to `out`.
pub fn stationary(a: &Point3, b: &Plane, _tol: &Tolerance, out: &mut Pairs) -> Outcome {
    let q = b.frame.local(a);
    let foot = b.point(q.x, q.y);
    out.push_isolated(Pair::on_surface(*a, [0.0; 2], foot, [q.x, q.y], b.frame.z))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::critical::oracle::{Core, Random, agree};

    #[test]
    fn agrees_with_sampling() {
        let mut random = Random::new(2);
        for _ in 0..1000 {
            let (a, b) = (random.point(), random.plane());
            agree(&Core::Point(a), &Core::Plane(b), |t, out| {
                stationary(&a, &b, t, out)
            });
        }
    }
}
