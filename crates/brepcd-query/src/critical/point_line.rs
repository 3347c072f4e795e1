//! Point × line: the foot of the perpendicular.

use super::{Outcome, Pair, Pairs, Tolerance};
use brepcd_geom::Point3;
use brepcd_geom::curve::Line;

/// Appends the stationary pairs of `a` and `b` to `out`.
pub fn stationary(a: &Point3, b: &Line, tol: &Tolerance, out: &mut Pairs) -> Outcome {
    let t = (a - b.origin).dot(&b.dir);
    out.push_isolated(Pair::apart(*a, [0.0; 2], b.point(t), [t, 0.0], tol.length))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::critical::oracle::{Core, Random, agree};
    use brepcd_geom::Vec3;

    #[test]
    fn known_value() {
        let line = Line {
            origin: Point3::new(0.0, 20.0, 0.0),
            dir: Vec3::x(),
        };
        let mut out = Pairs::new();
        stationary(&Point3::origin(), &line, &Tolerance::default(), &mut out);
        assert_eq!(out.as_slice()[0].distance(), 20.0);
        assert_eq!(out.as_slice()[0].direction, Some(Vec3::y()));
    }

    #[test]
    fn agrees_with_sampling() {
        let mut random = Random::new(1);
        for _ in 0..1000 {
            let (a, b) = (random.point(), random.line());
            agree(&Core::Point(a), &Core::Line(b), |t, out| {
                stationary(&a, &b, t, out)
            });
        }
    }
}
