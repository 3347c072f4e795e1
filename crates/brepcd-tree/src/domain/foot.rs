//! The foot of a point on a short piece of curve, without allocation.

use brepcd_geom::{Curve, Interval, Point3, Vec3};

/// Steps after which a foot is taken as found: near-straight pieces need three.
const MAX_STEPS: usize = 16;
/// Step relative to the piece under which the foot is found.
const STEP: f64 = 1e-13;
/// Share of the first-order slope under which the second-order term is not trusted.
const TRUST: f64 = 0.2;

/// The nearest point of a piece of curve, from a good guess.
pub(super) struct Foot {
    /// Distance from the point, mm.
    pub distance: f64,
    /// From the foot to the point.
    pub offset: Vec3,
    /// Derivative of the curve at the foot.
    pub tangent: Vec3,
    /// True if the foot is not an end of the piece.
    pub interior: bool,
}

impl Foot {
    pub fn find(curve: &Curve, ends: [f64; 2], p: &Point3, guess: f64) -> Self {
        let range = Interval::new(ends[0], ends[1]);
        let mut t = range.clamp(guess);
        let mut jet = curve.jet(t);
        let mut interior = true;
        for _ in 0..MAX_STEPS {
            let offset = jet.p - p;
            let square = jet.d1.norm_squared();
            let slope = square + offset.dot(&jet.d2);
            let slope = if slope > TRUST * square {
                slope
            } else {
                square
            };
            let wanted = t - offset.dot(&jet.d1) / slope;
            let next = range.clamp(wanted);
            interior = range.lo < wanted && wanted < range.hi;
            let step = (next - t).abs();
            if !step.is_finite() {
                break;
            }
            t = next;
            jet = curve.jet(t);
            if step <= STEP * range.length() {
                break;
            }
        }
        let offset = p - jet.p;
        Self {
            distance: offset.norm(),
            offset,
            tangent: jet.d1,
            interior,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;
    use brepcd_geom::curve::{Circle, Ellipse, Line};

    #[test]
    fn finds_the_nearest_point() {
        let mut random = Random::new(3);
        for round in 0..600 {
            let frame = random.frame(2.0);
            let curve = match round % 3 {
                0 => Curve::Line(Line {
                    origin: frame.origin,
                    dir: frame.z,
                }),
                1 => Curve::Circle(Circle { frame, radius: 2.0 }),
                _ => Curve::Ellipse(Ellipse {
                    frame,
                    rx: 3.0,
                    ry: 2.0,
                }),
            };
            let from = random.range(-3.0, 3.0);
            let ends = [from, from + random.range(-0.8, 0.8)];
            let at = random.range(-0.2, 1.2);
            let p = curve.point(ends[0] + (ends[1] - ends[0]) * at) + random.vector(0.2);
            let foot = Foot::find(&curve, ends, &p, 0.5 * (ends[0] + ends[1]));
            let wanted = curve.nearest(&p, Interval::new(ends[0], ends[1]));
            assert!((foot.distance - wanted.distance).abs() < 1e-10, "{curve:?}");
            let end = wanted.t == ends[0] || wanted.t == ends[1];
            assert_eq!(foot.interior, !end, "{curve:?} {wanted:?} {ends:?}");
        }
    }
}
