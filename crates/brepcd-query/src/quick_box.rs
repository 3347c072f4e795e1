//! Boxes in single precision, four numbers at once: most pairs of boxes are told near or far by them.
//!
//! The same test as [`Obb::distance_exceeds`], with an allowance for rounding on both sides. What lies between is left to
//! the exact test, so that the answer is always that one's.

use brepcd_geom::Vec3;
use brepcd_tree::{Obb, Rotation};
use wide::{CmpGe, CmpGt, f32x4};

/// Rounding of lengths, relative to the largest one at hand: a few dozen operations in single precision.
const ROUNDING: f32 = 64.0 * f32::EPSILON;
/// Share of a squared length that rounding may take.
const SQUARED: f32 = 64.0 * f32::EPSILON;
/// Squared sine of the angle of two edges: below the first the exact test leaves them out for sure, above the second it
/// surely does not.
const PARALLEL_EDGES: [f32; 2] = [0.5e-6, 2e-6];
/// Rounding of that.
const SINE: f32 = 1e-7;
/// Lengths from which squares might overflow.
const LARGEST: f32 = 1e15;

/// A box without its centre.
#[derive(Clone, Copy, Debug)]
pub struct QuickBox {
    /// Directions of its sides, one in each column; the last row is zero.
    axes: [[f32; 4]; 3],
    /// Half of its sides.
    half: [f32; 4],
}

/// A turn in single precision, by columns.
#[derive(Clone, Copy, Debug)]
pub struct QuickTurn([[f32; 4]; 3]);

impl QuickTurn {
    /// The turn in single precision.
    pub fn new(turn: &Rotation) -> Self {
        let m = turn.matrix();
        Self([0, 1, 2].map(|k| padded(&m.column(k).into_owned())))
    }
}

fn padded(v: &Vec3) -> [f32; 4] {
    [v.x as f32, v.y as f32, v.z as f32, 0.0]
}

fn splat(x: f32) -> f32x4 {
    f32x4::splat(x)
}

/// One vector for each row of three columns.
fn rows(columns: &[f32x4; 3]) -> [f32x4; 3] {
    let c = columns.map(|c| c.to_array());
    [0, 1, 2].map(|i| f32x4::new([c[0][i], c[1][i], c[2][i], 0.0]))
}

/// Sum of the first three numbers' squares, where they are positive.
fn squared(gaps: f32x4) -> f32 {
    let g = gaps.max(f32x4::ZERO).to_array();
    g[0] * g[0] + g[1] * g[1] + g[2] * g[2]
}

impl QuickBox {
    /// The box in single precision.
    pub fn new(obb: &Obb) -> Self {
        // By rows of the directions, so that a product with a vector is along all of them.
        let [x, y, z] = &obb.axes;
        let row = |k: usize| [x[k] as f32, y[k] as f32, z[k] as f32, 0.0];
        Self {
            axes: [row(0), row(1), row(2)],
            half: padded(&obb.half),
        }
    }

    /// Whether [`Obb::distance_exceeds`] says so of two boxes; `None` where single precision does not tell. `between` is
    /// from the centre of this box to the other's, in the frame of this one.
    pub fn distance_exceeds(
        &self,
        other: &Self,
        turn: &QuickTurn,
        between: &Vec3,
        cutoff: f64,
    ) -> Option<bool> {
        let (a, b) = (&self.half, &other.half);
        let d = padded(between);
        let size = d[0].abs() + d[1].abs() + d[2].abs();
        let size = size + a[0] + a[1] + a[2] + b[0] + b[1] + b[2];
        let limit = (cutoff * cutoff) as f32;
        // Also true of what is not a number.
        if !(size < LARGEST && limit < LARGEST) {
            return None;
        }
        let slack = splat(ROUNDING * size);
        let (far, near) = (limit * (1.0 + SQUARED), limit * (1.0 - SQUARED));
        // Along A's sides.
        let of_a = self.axes.map(f32x4::new);
        let product = |m: &[f32x4; 3], v: [f32; 3]| {
            m[0] * splat(v[0]) + m[1] * splat(v[1]) + m[2] * splat(v[2])
        };
        let shift = product(&of_a, [d[0], d[1], d[2]]);
        let turned = turn.0.map(|c| product(&of_a, [c[0], c[1], c[2]]));
        let columns = [0, 1, 2].map(|j| {
            let [x, y, z] = &other.axes;
            product(&turned, [x[j], y[j], z[j]])
        });
        let sizes = columns.map(f32x4::abs);
        let gaps = shift.abs() - f32x4::new(*a) - product(&sizes, [b[0], b[1], b[2]]);
        if squared(gaps - slack) > far {
            return Some(true);
        }
        let mut is_near = squared(gaps + slack) <= near;
        // Along B's.
        let across = rows(&columns);
        let wide = across.map(f32x4::abs);
        let s = shift.to_array();
        let gaps = product(&across, [s[0], s[1], s[2]]).abs()
            - f32x4::new(*b)
            - product(&wide, [a[0], a[1], a[2]]);
        if squared(gaps - slack) > far {
            return Some(true);
        }
        is_near &= squared(gaps + slack) <= near;
        // Along what is across an edge of each.
        let [b1, b2] = [[b[1], b[2], b[0], 0.0], [b[2], b[0], b[1], 0.0]].map(f32x4::new);
        let (mut surely_far, mut maybe_far) = (f32x4::ZERO, f32x4::ZERO);
        for i in 0..3 {
            let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
            let apart = (across[i1] * splat(s[i2]) - across[i2] * splat(s[i1])).abs();
            let reach_a = wide[i2] * splat(a[i1]) + wide[i1] * splat(a[i2]);
            let w = wide[i].to_array();
            let [w1, w2] = [[w[1], w[2], w[0], 0.0], [w[2], w[0], w[1], 0.0]].map(f32x4::new);
            let gap = apart - reach_a - (b1 * w2 + b2 * w1);
            let length = across[i1] * across[i1] + across[i2] * across[i2];
            let (less, more) = (gap - slack, gap + slack);
            let [skipped, counted] = PARALLEL_EDGES.map(splat);
            surely_far |= less.cmp_gt(f32x4::ZERO)
                & length.cmp_gt(counted)
                & (less * less).cmp_gt((length + splat(SINE)) * splat(far));
            let shorter = (length - splat(SINE)).max(f32x4::ZERO);
            maybe_far |= more.cmp_gt(f32x4::ZERO)
                & length.cmp_gt(skipped)
                & (more * more).cmp_ge(shorter * splat(near));
        }
        // The last lane holds nothing.
        let any = |mask: f32x4| mask.move_mask() & 0b0111 != 0;
        if any(surely_far) {
            return Some(true);
        }
        (is_near && !any(maybe_far)).then_some(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numeric::tests::build::Random;
    use brepcd_geom::{Frame, Point3};
    use brepcd_tree::MatrixPose;

    fn random_box(random: &mut Random, grid: bool) -> Obb {
        let axes = if grid {
            Frame::from_z(Point3::origin(), Vec3::z())
        } else {
            Frame::from_z(Point3::origin(), random.unit())
        };
        let frame = axes.expect("a frame");
        let mut half = Vec3::from_fn(|_, _| random.range(0.01, 3.0));
        half[random.range(0.0, 2.99) as usize] *= random.range(-1.0, 1.0).max(0.0);
        Obb {
            centre: Point3::origin() + random.vector(5.0),
            axes: [frame.x, frame.y, frame.z],
            half,
        }
    }

    #[test]
    fn says_what_the_exact_test_says_and_mostly_says_it() {
        let mut random = Random(77);
        let (mut told, mut far, mut open) = (0, 0, 0);
        for case in 0..200_000 {
            let grid = case % 4 == 0;
            let (a, b) = (random_box(&mut random, grid), random_box(&mut random, grid));
            let small = [0.0, 1e-7, 1e-3, 3.0][case / 4 % 4];
            let turn = Rotation::new(random.vector(small));
            // Also far from the origin.
            let shift = random.vector([2.0, 2.0, 1e4][case % 3]);
            let mut b = b;
            if case % 3 == 2 {
                b.centre -= turn.inverse() * shift;
            }
            let pose = MatrixPose::from_parts(shift.into(), turn);
            let between = pose * b.centre - a.centre;
            let cutoff = [0.0, 0.1, 1.0][case % 3];
            // Also cut-offs that are met nearly exactly.
            let bound = a.distance_squared_lower_bound(&b, &pose).sqrt();
            let beside = 1.0 + random.range(-1e-6, 1e-6);
            let cutoff = if case % 5 == 0 { bound * beside } else { cutoff };
            let quick = QuickBox::new(&a).distance_exceeds(
                &QuickBox::new(&b),
                &QuickTurn::new(&turn),
                &between,
                cutoff,
            );
            let exact = a.distance_exceeds(&b, &pose, cutoff);
            match quick {
                Some(quick) => assert_eq!(quick, exact, "{a:?} {b:?} {pose:?} {cutoff}"),
                None => open += usize::from(case % 5 != 0),
            }
            told += usize::from(quick.is_some());
            far += usize::from(exact);
        }
        assert!(told > 150_000 && far > 40_000 && open < 2_000, "{told} {far} {open}");
    }
}
