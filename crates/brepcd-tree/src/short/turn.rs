//! Right-handed axes in eight bytes: a quaternion scaled to have 1 as its largest component, the others on a grid.

use brepcd_geom::Vec3;
use nalgebra::{Matrix3, Rotation3, UnitQuaternion};

/// Steps of the grid from 0 to 1.
const STEPS: i64 = (1 << 19) - 1;
/// Bits of a component.
const BITS: u32 = 20;

/// The code of three axes: three components, then the place of the largest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turn(u64);

impl Turn {
    /// The code of the axes of the grid nearest to some axes, which are orthonormal and right-handed.
    pub fn nearest(axes: &[Vec3; 3]) -> Self {
        let matrix = Rotation3::from_matrix_unchecked(Matrix3::from_columns(axes));
        let q = UnitQuaternion::from_rotation_matrix(&matrix);
        let q = [q.i, q.j, q.k, q.w];
        let largest = (0..4).fold(0, |l, i| if q[i].abs() > q[l].abs() { i } else { l });
        let others = (0..4).filter(|i| *i != largest);
        let steps = others.map(|i| (q[i] / q[largest] * STEPS as f64).round() as i64);
        let code = steps.fold(largest as u64, |code, n| {
            code << BITS | (n as u64 & ((1 << BITS) - 1))
        });
        Self(code)
    }

    /// The axes, orthonormal and right-handed whatever the code.
    #[inline]
    pub fn axes(self) -> [Vec3; 3] {
        let component = |k: u32| ((self.0 << (64 - BITS * (k + 1))) as i64) >> (64 - BITS);
        let [a, b, c] = [component(2), component(1), component(0)];
        let (one, [a, b, c]) = (STEPS as f64, [a, b, c].map(|n| n as i32).map(f64::from));
        let [x, y, z, w] = match self.0 >> (3 * BITS) & 3 {
            0 => [one, a, b, c],
            1 => [a, one, b, c],
            2 => [a, b, one, c],
            _ => [a, b, c, one],
        };
        // Whole numbers below 2^53, so that nothing is rounded and a quarter turn gives axes of zeros and ones.
        let (xx, yy, zz, ww) = (x * x, y * y, z * z, w * w);
        let length = xx + yy + zz + ww;
        [
            [
                ww + xx - yy - zz,
                2.0 * (x * y + w * z),
                2.0 * (x * z - w * y),
            ],
            [
                2.0 * (x * y - w * z),
                ww - xx + yy - zz,
                2.0 * (y * z + w * x),
            ],
            [
                2.0 * (x * z + w * y),
                2.0 * (y * z - w * x),
                ww - xx - yy + zz,
            ],
        ]
        .map(|axis| Vec3::from(axis.map(|n| n / length)))
    }

    /// The code's bytes.
    pub fn bytes(self) -> [u8; 8] {
        self.0.to_le_bytes()
    }

    /// The code of some bytes.
    #[inline]
    pub fn from_bytes(bytes: [u8; 8]) -> Self {
        Self(u64::from_le_bytes(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    fn columns(axes: &[Vec3; 3]) -> Matrix3<f64> {
        Matrix3::from_columns(axes)
    }

    #[test]
    fn codes_are_close_and_exact_on_the_grid() {
        let mut random = Random::new(33);
        for _ in 0..20_000 {
            let rotation = random.pose(1.0).rotation;
            let axes = [0, 1, 2].map(|i| rotation.matrix().column(i).into_owned());
            let near = Turn::nearest(&axes).axes();
            assert!((columns(&near) - columns(&axes)).amax() < 4e-6);
            let square = columns(&near).transpose() * columns(&near);
            assert!((square - Matrix3::identity()).amax() < 1e-15);
            assert!((near[0].cross(&near[1]) - near[2]).amax() < 1e-15);
            assert_eq!(Turn::nearest(&near).axes(), near);
        }
    }

    #[test]
    fn quarter_turns_are_exact() {
        let units = [Vec3::x(), Vec3::y(), Vec3::z()];
        let all = units.into_iter().chain(units.map(|u| -u));
        for (a, b) in all.clone().flat_map(|a| all.clone().map(move |b| (a, b))) {
            if a.dot(&b) == 0.0 {
                let axes = [a, b, a.cross(&b)];
                assert_eq!(Turn::nearest(&axes).axes(), axes);
            }
        }
    }

    #[test]
    fn any_code_is_a_turn() {
        let mut random = Random::new(34);
        for _ in 0..2000 {
            let bytes = std::array::from_fn(|_| random.below(256) as u8);
            let axes = Turn::from_bytes(bytes).axes();
            let square = columns(&axes).transpose() * columns(&axes);
            assert!((square - Matrix3::identity()).amax() < 1e-15);
        }
    }
}
