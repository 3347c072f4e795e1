//! Lower bounds of the distance of two boxes.
//!
//! Three kinds, all valid, the largest wins: from one box to the other's bounding box along its own axes, the same the
//! other way round, and the gap along each of the nine directions orthogonal to an edge of both (separating axes).

use brepcd_geom::Vec3;
use nalgebra::Matrix3;

use super::Obb;
use crate::MatrixPose;

/// Squared sine of the angle of two edges below which the sides already bound what the edges would.
const PARALLEL_EDGES: f64 = 1e-6;

/// One box seen from the other.
struct Relative {
    /// Directions of B's sides, as columns, along A's sides.
    turn: Matrix3<f64>,
    /// The same without signs.
    size: Matrix3<f64>,
    /// From A's centre to B's, along A's sides.
    shift: Vec3,
}

impl Relative {
    #[inline]
    fn new(a: &Obb, b: &Obb, a_from_b: &MatrixPose) -> Self {
        let to_sides = Matrix3::from_columns(&a.axes).transpose();
        let turn = to_sides * a_from_b.rotation.matrix() * Matrix3::from_columns(&b.axes);
        Self {
            turn,
            size: turn.abs(),
            shift: to_sides * (a_from_b * b.centre - a.centre),
        }
    }

    /// Squared distance of A and B's bounding box along A's sides.
    #[inline]
    fn gap_along_a(&self, a: &Vec3, b: &Vec3) -> f64 {
        squared_gap(&(self.shift.abs() - a - self.size * b))
    }

    /// Squared distance of B and A's bounding box along B's sides.
    #[inline]
    fn gap_along_b(&self, a: &Vec3, b: &Vec3) -> f64 {
        squared_gap(&(self.turn.tr_mul(&self.shift).abs() - b - self.size.tr_mul(a)))
    }

    /// Gap along the cross product of an edge of A and one of B, and its squared length.
    #[inline]
    fn across(&self, a: &Vec3, b: &Vec3, i: usize, j: usize) -> (f64, f64) {
        let (i1, i2, j1, j2) = ((i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3);
        let (t, s) = (&self.turn, &self.size);
        let apart = (self.shift[i2] * t[(i1, j)] - self.shift[i1] * t[(i2, j)]).abs();
        let reach_a = a[i1] * s[(i2, j)] + a[i2] * s[(i1, j)];
        let reach_b = b[j1] * s[(i, j2)] + b[j2] * s[(i, j1)];
        let length = t[(i1, j)] * t[(i1, j)] + t[(i2, j)] * t[(i2, j)];
        (apart - reach_a - reach_b, length)
    }
}

#[inline]
fn squared_gap(gaps: &Vec3) -> f64 {
    // A plain comparison: unlike `f64::max` it need not care for NaN.
    let g = gaps.map(|g| if g > 0.0 { g } else { 0.0 });
    g.dot(&g)
}

impl Obb {
    /// A lower bound, up to rounding, of the squared distance to a box of frame B; 0 if they may overlap.
    pub fn distance_squared_lower_bound(&self, other: &Self, a_from_b: &MatrixPose) -> f64 {
        let (a, b) = (&self.half, &other.half);
        let relative = Relative::new(self, other, a_from_b);
        let (along_a, along_b) = (relative.gap_along_a(a, b), relative.gap_along_b(a, b));
        let mut best = if along_a > along_b { along_a } else { along_b };
        for i in 0..3 {
            for j in 0..3 {
                let (gap, length) = relative.across(a, b, i, j);
                // Only a gap that wins is worth a division.
                if gap > 0.0 && length > PARALLEL_EDGES && gap * gap > best * length {
                    best = gap * gap / length;
                }
            }
        }
        best
    }

    /// True only if the distance to a box of frame B exceeds the cut-off, which is not negative.
    pub fn distance_exceeds(&self, other: &Self, a_from_b: &MatrixPose, cutoff: f64) -> bool {
        let (a, b) = (&self.half, &other.half);
        let limit = cutoff * cutoff;
        let relative = Relative::new(self, other, a_from_b);
        if relative.gap_along_a(a, b) > limit || relative.gap_along_b(a, b) > limit {
            return true;
        }
        for i in 0..3 {
            for j in 0..3 {
                let (gap, length) = relative.across(a, b, i, j);
                if gap > 0.0 && length > PARALLEL_EDGES && gap * gap > limit * length {
                    return true;
                }
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;
    use brepcd_geom::Point3;

    fn random_box(random: &mut Random) -> Obb {
        let frame = random.frame(3.0);
        // Also flat and needle-like boxes.
        let mut half = Vec3::from_fn(|_, _| random.range(0.1, 2.0));
        for h in half.iter_mut() {
            if random.below(4) == 0 {
                *h = 0.0;
            }
        }
        Obb {
            centre: frame.origin,
            axes: [frame.x, frame.y, frame.z],
            half,
        }
    }

    fn nearest(b: &Obb, p: &Point3) -> Point3 {
        let d = p - b.centre;
        let mut out = b.centre;
        for i in 0..3 {
            out += b.axes[i] * b.axes[i].dot(&d).clamp(-b.half[i], b.half[i]);
        }
        out
    }

    /// The distance by projecting from one box to the other and back; never too small.
    fn distance(a: &Obb, b: &Obb) -> f64 {
        let mut q = b.centre;
        let mut last = f64::INFINITY;
        for _ in 0..20_000 {
            let p = nearest(a, &q);
            q = nearest(b, &p);
            let now = (p - q).norm();
            if last - now < 1e-12 * now {
                break;
            }
            last = now;
        }
        (nearest(a, &q) - q).norm()
    }

    fn moved(b: &Obb, a_from_b: &MatrixPose) -> Obb {
        Obb {
            centre: a_from_b * b.centre,
            axes: b.axes.map(|x| a_from_b * x),
            half: b.half,
        }
    }

    #[test]
    fn never_above_the_distance_and_mostly_close() {
        let mut random = Random::new(20);
        let (mut ratio, mut apart) = (0.0, 0);
        for _ in 0..5000 {
            let (a, b) = (random_box(&mut random), random_box(&mut random));
            let a_from_b = random.pose(3.0);
            let bound = a.distance_squared_lower_bound(&b, &a_from_b).sqrt();
            let exact = distance(&a, &moved(&b, &a_from_b));
            assert!(bound <= exact + 1e-9, "{bound} {exact}");
            let back = b
                .distance_squared_lower_bound(&a, &a_from_b.inverse())
                .sqrt();
            assert!((bound - back).abs() < 1e-12 * (1.0 + bound));
            if exact > 0.1 {
                assert!(bound > 0.0);
                ratio += bound / exact;
                apart += 1;
            }
            for cutoff in [
                0.0,
                0.5 * bound,
                0.999 * bound,
                1.001 * bound + 1e-9,
                2.0 * bound + 0.1,
            ] {
                assert_eq!(a.distance_exceeds(&b, &a_from_b, cutoff), bound > cutoff);
            }
        }
        let mean = ratio / apart as f64;
        println!("mean bound / distance of {apart} pairs: {mean:.4}");
        assert!(apart > 2000 && mean > 0.95, "{apart} {mean}");
    }

    #[test]
    fn aligned_boxes_are_exact() {
        let axes = [Vec3::x(), Vec3::y(), Vec3::z()];
        let unit = Obb {
            centre: Point3::origin(),
            axes,
            half: Vec3::repeat(1.0),
        };
        for (shift, expected) in [
            (Vec3::new(5.0, 0.0, 0.0), 9.0),
            (Vec3::new(5.0, 6.0, 0.5), 25.0),
            (Vec3::new(4.0, 5.0, 8.0), 49.0),
            (Vec3::new(1.0, 1.5, 0.0), 0.0),
            (Vec3::zeros(), 0.0),
        ] {
            let a_from_b = MatrixPose::translation(shift.x, shift.y, shift.z);
            let bound = unit.distance_squared_lower_bound(&unit, &a_from_b);
            assert!((bound - expected).abs() < 1e-12, "{bound}");
            assert_eq!(unit.distance_exceeds(&unit, &a_from_b, 2.0), expected > 4.0);
        }
    }

    #[test]
    fn crossing_edges_are_seen() {
        // Two needles, the second turned by a quarter turn above the first.
        let needle = |axis: Vec3, side: Vec3| Obb {
            centre: Point3::origin(),
            axes: [axis, side, axis.cross(&side)],
            half: Vec3::new(5.0, 0.0, 0.0),
        };
        let a = needle(Vec3::x(), Vec3::new(0.0, 1.0, 1.0).normalize());
        let b = needle(Vec3::y(), Vec3::new(1.0, 0.0, 1.0).normalize());
        let a_from_b = MatrixPose::translation(0.0, 0.0, 2.0);
        assert!((a.distance_squared_lower_bound(&b, &a_from_b) - 4.0).abs() < 1e-12);
    }
}
