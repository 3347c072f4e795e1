//! Directions in six bytes: the octahedron with its faces unfolded into a square, on a grid.

use brepcd_geom::Vec3;

/// Steps of the grid from the middle of the square to its sides.
pub(super) const STEPS: i32 = (1 << 23) - 1;

/// The largest angle between a direction and the nearest of the grid, radians.
///
/// Half a step along both sides of the square, and the sum of both on the third axis, seen from as near as the middle
/// of an octahedron's face: `sqrt(3) · sqrt(6) / 2` steps.
pub(super) const FARTHEST: f64 = 2.2 / STEPS as f64;

/// The code of a unit vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Direction([i32; 2]);

/// Vectors in the directions of four steps each along both sides of the square, half as long as unit vectors or more, and
/// not longer, coordinate by coordinate: the same is done to all at once, without branches, roots and quotients.
///
/// They are whole numbers of 23 bits, scaled: exact, as 32-bit floats, too.
#[inline(always)]
pub(super) fn unscaled(u: [i32; 4], v: [i32; 4]) -> [[f64; 4]; 3] {
    // Minus one where a number is negative, else zero.
    let signs = |of: [i32; 4]| of.map(|n| n >> 31);
    let signed = |of: [i32; 4], signs: [i32; 4]| each(of, signs, |n, s| (n ^ s) - s);
    let (su, sv) = (signs(u), signs(v));
    let (left_u, left_v) = (
        signed(u, su).map(|n| STEPS - n),
        signed(v, sv).map(|n| STEPS - n),
    );
    let z = each(left_u, left_v, |a, b| a + b - STEPS);
    let lower = signs(z);
    let pick = |upper: [i32; 4], folded: [i32; 4]| {
        let change = each(each(upper, folded, |a, b| a ^ b), lower, |c, l| c & l);
        each(upper, change, |a, c| a ^ c)
    };
    let (x, y) = (pick(u, signed(left_v, su)), pick(v, signed(left_u, sv)));
    [x, y, z].map(|n| n.map(|n| f64::from(n) * SCALE))
}

#[inline]
fn each(a: [i32; 4], b: [i32; 4], f: impl Fn(i32, i32) -> i32) -> [i32; 4] {
    std::array::from_fn(|i| f(a[i], b[i]))
}

/// By what steps are multiplied to get lengths from a half to one; a power of two, so that nothing is rounded.
const SCALE: f64 = 1.0 / (STEPS + 1) as f64;

impl Direction {
    /// Bytes of a code.
    pub const BYTES: usize = 6;

    /// The code of the direction of the grid nearest to a vector, which is not zero.
    pub fn nearest(v: &Vec3) -> Self {
        let p = v / v.abs().sum() * f64::from(STEPS);
        let [x, y] = [p.x, p.y].map(|c| c.round() as i32);
        Self(if p.z < 0.0 { fold(x, y) } else { [x, y] })
    }

    /// The code of exactly this vector.
    pub fn exactly(v: &Vec3) -> Option<Self> {
        let code = Self::nearest(v);
        let same = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits();
        let value = code.vector();
        value.iter().zip(v.iter()).all(same).then_some(code)
    }

    /// The unit vector.
    #[inline]
    pub fn vector(self) -> Vec3 {
        let v = Vec3::from(self.steps().map(f64::from));
        v / v.norm()
    }

    /// Whole numbers in the direction. Without branches, as the signs follow no pattern.
    #[inline]
    fn steps(self) -> [i32; 3] {
        let [u, v] = self.0;
        let z = STEPS - u.abs() - v.abs();
        let (lower, [x, y]) = (z >> 31, fold(u, v));
        [u ^ ((u ^ x) & lower), v ^ ((v ^ y) & lower), z]
    }

    /// The code of a vector of [`unscaled`].
    pub fn of_unscaled(v: [f32; 3]) -> Self {
        let [x, y, z] = v.map(|n| (f64::from(n) / SCALE) as i32);
        Self(if z < 0 { fold(x, y) } else { [x, y] })
    }

    /// The code's two steps.
    pub fn as_steps(self) -> [i32; 2] {
        self.0
    }

    /// The code's bytes.
    pub fn bytes(self) -> [u8; 6] {
        let [[a, b, c, _], [d, e, f, _]] = self.0.map(i32::to_le_bytes);
        [a, b, c, d, e, f]
    }

    /// The code of some bytes; `None` outside the square.
    #[inline]
    pub fn from_bytes([a, b, c, d, e, f]: [u8; 6]) -> Option<Self> {
        // The lowest byte is shifted out again, with the sign.
        let both = [[0, a, b, c], [0, d, e, f]].map(|raw| i32::from_le_bytes(raw) >> 8);
        both.iter().all(|x| x.abs() <= STEPS).then_some(Self(both))
    }
}

/// Turns the corners of the square, which are the lower half, over to its middle and back.
#[inline]
fn fold(x: i32, y: i32) -> [i32; 2] {
    // Minus one where it is negative, else zero: what turns signs round without branches.
    let signed = |of: i32, length: i32| (length ^ (of >> 31)) - (of >> 31);
    [signed(x, STEPS - y.abs()), signed(y, STEPS - x.abs())]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    #[test]
    fn codes_are_close_and_exact_on_the_grid() {
        let mut random = Random::new(32);
        let axes = [Vec3::x(), Vec3::y(), Vec3::z()];
        let random = (0..20_000).map(|_| random.unit());
        for d in axes.into_iter().chain(axes.map(|a| -a)).chain(random) {
            let code = Direction::nearest(&d);
            let near = code.vector();
            assert!((near - d).norm() <= FARTHEST, "{d}");
            assert!((near.norm() - 1.0).abs() < 1e-15);
            let [u, v] = code.0.map(|n| [n; 4]);
            let unscaled = unscaled(u, v).map(|all| all[3]);
            assert_eq!(Direction::of_unscaled(unscaled.map(|x| x as f32)), code);
            let unscaled = Vec3::from(unscaled);
            assert!((0.5..=1.0).contains(&unscaled.norm()));
            assert!((unscaled.normalize() - near).norm() < 1e-15);
            assert_eq!(Direction::exactly(&near).map(Direction::vector), Some(near));
            assert_eq!(Direction::from_bytes(code.bytes()), Some(code));
        }
        for axis in axes {
            let opposite = Vec3::zeros() - axis;
            assert!(
                [axis, opposite]
                    .iter()
                    .all(|d| Direction::exactly(d).is_some())
            );
        }
        assert!(Direction::from_bytes([0, 0, 0x80, 0, 0, 0]).is_none());
    }
}
