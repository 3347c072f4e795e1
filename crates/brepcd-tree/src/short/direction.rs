//! Directions in six bytes: the octahedron with its faces unfolded into a square, on a grid.

use brepcd_geom::Vec3;

/// Steps of the grid from the middle of the square to its sides.
const STEPS: i32 = (1 << 23) - 1;

/// The largest angle between a direction and the nearest of the grid, radians.
///
/// Half a step along both sides of the square, and the sum of both on the third axis, seen from as near as the middle
/// of an octahedron's face: `sqrt(3) · sqrt(6) / 2` steps.
pub(super) const FARTHEST: f64 = 2.2 / STEPS as f64;

/// The code of a unit vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Direction([i32; 2]);

impl Direction {
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
        let [u, v] = self.0;
        let z = STEPS - u.abs() - v.abs();
        let [x, y] = if z < 0 { fold(u, v) } else { [u, v] };
        let v = Vec3::new(f64::from(x), f64::from(y), f64::from(z));
        v / v.norm()
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
fn fold(x: i32, y: i32) -> [i32; 2] {
    let signed = |of: i32, length: i32| if of < 0 { -length } else { length };
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
