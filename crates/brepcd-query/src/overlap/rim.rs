//! How far a face that does not turn about an axis reaches away from it, in several directions.
//!
//! In the half-plane through an axis, a point's distance from it and its height are two coordinates. What they add up to
//! along a direction that does not point towards the axis is a convex function of the point. So over a ruled face it is
//! largest on the border, and the face stays below straight lines at the values found there. A wall of slots in a plug is
//! told off the fillet of its hole by this.

use super::coaxial::{Placed, Turned};
use super::flat_curve::{Curve, Point};
use brepcd_geom::{Point3, Vec3};
use brepcd_tree::MatrixPose;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Directions, evenly from against the axis over away from it to along it.
pub const DIRECTIONS: usize = 17;
/// Angle between two of them.
const STEP: f64 = PI / (DIRECTIONS - 1) as f64;

/// Angle of a direction, from away from the axis towards along it.
fn angle(k: usize) -> f64 {
    k as f64 * STEP - FRAC_PI_2
}

/// The directions, as (away from the axis, along it).
pub fn directions() -> [Point; DIRECTIONS] {
    std::array::from_fn(|k| {
        let (s, c) = angle(k).sin_cos();
        // Never towards the axis.
        [c.max(0.0), s]
    })
}

/// How far a face reaches in each of the directions.
#[derive(Clone, Copy, Debug)]
pub struct Rim {
    /// The axis, in the frame of the part.
    pub origin: Point3,
    /// Its unit direction.
    pub dir: Vec3,
    /// The largest values.
    pub support: [f64; DIRECTIONS],
}

impl Rim {
    /// True only if all points of the face, placed, are farther than `off` from what turns about nearly the same axis.
    pub fn keeps_off(&self, a_from_part: &MatrixPose, other: &Turned, off: f64) -> bool {
        let (origin, dir) = (a_from_part * self.origin, a_from_part.rotation * self.dir);
        let Some(Placed { curve, moved }) = other.about(&origin, &dir) else {
            return false;
        };
        self.is_below(&curve, moved + off)
    }

    /// True only if the face is farther than `need` from a curve of its half-plane.
    fn is_below(&self, curve: &Curve, need: f64) -> bool {
        let directions = directions();
        let along = |k: usize, p: Point| directions[k][0] * p[0] + directions[k][1] * p[1];
        let ends = curve.ends();
        // All of the curve beyond one of the lines.
        let beyond = |k: usize| {
            let least = along(k, ends[0]).min(along(k, ends[1]));
            let bulge = match curve {
                Curve::Segment { .. } => 0.0,
                // Behind its chord, if it bulges that way.
                Curve::Arc { radius, angles, .. } => {
                    radius * (1.0 - (0.5 * (angles[1] - angles[0])).min(PI).cos())
                }
            };
            least - bulge > self.support[k] + need
        };
        if (0..DIRECTIONS).any(beyond) {
            return true;
        }
        let Curve::Arc {
            centre,
            radius,
            angles,
        } = curve
        else {
            return false;
        };
        // Every piece of an arc around the face beyond the line across it.
        let shift = TAU * (0.5 * (angles[0] + angles[1]) / TAU).round();
        let [from, to] = angles.map(|angle| angle - shift);
        if from < -FRAC_PI_2 - STEP || to > FRAC_PI_2 + STEP {
            return false;
        }
        let last = DIRECTIONS - 1;
        (0..DIRECTIONS).all(|k| {
            // The outermost pieces go on beyond their line.
            let lo = if k == 0 {
                from
            } else {
                from.max(angle(k) - 0.5 * STEP)
            };
            let hi = if k == last {
                to
            } else {
                to.min(angle(k) + 0.5 * STEP)
            };
            let off = (lo - angle(k)).abs().max((hi - angle(k)).abs());
            lo > hi || along(k, *centre) + radius * off.cos() > self.support[k] + need
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numeric::tests::build::Random;

    #[test]
    fn what_is_below_is_apart() {
        let mut random = Random(12);
        let (mut below, mut arcs) = (0, 0);
        for _ in 0..20_000 {
            let n = 3 + random.range(0.0, 4.0) as usize;
            let points: Vec<Point> = (0..n)
                .map(|_| [random.range(0.0, 3.0), random.range(-2.0, 2.0)])
                .collect();
            let support = directions().map(|d| {
                let values = points.iter().map(|p| d[0] * p[0] + d[1] * p[1]);
                values.fold(f64::NEG_INFINITY, f64::max)
            });
            let rim = Rim {
                origin: Point3::origin(),
                dir: Vec3::z(),
                support,
            };
            let is_arc = random.range(0.0, 1.0) < 0.7;
            let curve = if is_arc {
                let from = random.range(-2.0, 8.0);
                Curve::Arc {
                    centre: [random.range(0.5, 2.0), random.range(-1.0, 1.0)],
                    radius: random.range(0.5, 4.0),
                    angles: [from, from + random.range(0.1, 2.0)],
                }
            } else {
                let mut end = || [random.range(0.0, 6.0), random.range(-4.0, 4.0)];
                Curve::Segment {
                    ends: [end(), end()],
                }
            };
            let need = random.range(0.0, 0.2);
            if !rim.is_below(&curve, need) {
                continue;
            }
            below += 1;
            arcs += usize::from(is_arc);
            for p in &points {
                for q in &points {
                    let ends = [*p, *q];
                    assert!(curve.distance(&Curve::Segment { ends }) > need);
                }
            }
        }
        assert!(below > 500 && arcs > 200, "{below} {arcs}");
    }
}
