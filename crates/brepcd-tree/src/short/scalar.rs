//! Numbers that are not negative in three bytes: a 32-bit float without its last eight bits.

/// The bits of a 32-bit float that are dropped.
const DROPPED: u32 = 8;

/// The code of a number that is not negative: 15 bits of it and an exponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Short([u8; 3]);

impl Short {
    /// The smallest code whose value is not below a number; `None` for negative and huge numbers.
    pub fn above(value: f64) -> Option<Self> {
        if !(0.0..f64::from(f32::MAX)).contains(&value) {
            return None;
        }
        let code = (value as f32).to_bits() >> DROPPED;
        (code..=code + 1)
            .filter_map(Self::from_code)
            .find(|short| short.value().is_some_and(|v| v >= value))
    }

    /// The code nearest to a number.
    pub fn nearest(value: f64) -> Option<Self> {
        let above = Self::above(value)?;
        let below = u32::from_le_bytes(above.padded()).checked_sub(1);
        let below = below.and_then(Self::from_code)?;
        let nearer = value - below.value()? < above.value()? - value;
        Some(if nearer { below } else { above })
    }

    fn from_code(code: u32) -> Option<Self> {
        let [a, b, c, rest] = code.to_le_bytes();
        (rest == 0).then_some(Self([a, b, c]))
    }

    #[inline]
    fn padded(self) -> [u8; 4] {
        let [a, b, c] = self.0;
        [a, b, c, 0]
    }

    /// The code's bytes.
    pub fn bytes(self) -> [u8; 3] {
        self.0
    }

    /// The code of some bytes.
    #[inline]
    pub fn from_bytes(bytes: [u8; 3]) -> Self {
        Self(bytes)
    }

    /// The number; `None` where the code stands for none or a negative one.
    #[inline]
    pub fn value(self) -> Option<f64> {
        self.is_number().then_some(self.read())
    }

    /// True if the code stands for a number that is not negative.
    #[inline]
    pub fn is_number(self) -> bool {
        u32::from_le_bytes(self.padded()) < f32::INFINITY.to_bits() >> DROPPED
    }

    /// What the code stands for.
    #[inline]
    pub fn read(self) -> f64 {
        f64::from(f32::from_bits(u32::from_le_bytes(self.padded()) << DROPPED))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    #[test]
    fn codes_are_close_and_not_below() {
        let mut random = Random::new(31);
        for _ in 0..10_000 {
            let value = 10f64.powf(random.range(-30.0, 30.0));
            let above = Short::above(value).and_then(Short::value).unwrap();
            assert!(above >= value && above <= value * (1.0 + 1.0 / 32768.0));
            // What has a code keeps it.
            assert_eq!(Short::above(above).and_then(Short::value), Some(above));
            let near = Short::nearest(above * (1.0 + f64::EPSILON)).and_then(Short::value);
            assert_eq!(near, Some(above));
        }
        assert_eq!(Short::above(0.0).and_then(Short::value), Some(0.0));
        for none in [-1.0, f64::NAN, f64::INFINITY, 1e300] {
            assert!(Short::above(none).is_none(), "{none}");
        }
        assert!(Short::from_bytes([0, 0, 0x80]).value().is_none());
        assert!(Short::from_bytes([0xff; 3]).value().is_none());
        assert!(Short::from_bytes([0, 0x80, 0x7f]).value().is_none());
    }
}
