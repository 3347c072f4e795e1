//! Repeatable random numbers (splitmix64).

use brepcd::geom::Vec3;

/// A generator.
pub struct Random(u64);

impl Random {
    /// A generator that gives the same numbers for the same seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Evenly between the two values.
    pub fn range(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let z = z ^ (z >> 31);
        low + (high - low) * ((z >> 11) as f64 / (1u64 << 53) as f64)
    }

    /// Evenly in the cube of half side `size`.
    pub fn vector(&mut self, size: f64) -> Vec3 {
        Vec3::from_fn(|_, _| self.range(-size, size))
    }

    /// Evenly on the unit sphere.
    pub fn unit(&mut self) -> Vec3 {
        loop {
            let v = self.vector(1.0);
            let n = v.norm();
            if n > 0.1 && n < 1.0 {
                return v / n;
            }
        }
    }
}
