//! Angles kept as cosine and sine, and waves of two harmonics.

use std::f64::consts::TAU;

/// The inverses of the factorials of 3, 5, …
const SINE: [f64; 6] = [
    1.0 / 6.0,
    1.0 / 120.0,
    1.0 / 5040.0,
    1.0 / 362_880.0,
    1.0 / 39_916_800.0,
    1.0 / 6_227_020_800.0,
];
/// The inverses of the factorials of 2, 4, …
const COSINE: [f64; 6] = [
    1.0 / 2.0,
    1.0 / 24.0,
    1.0 / 720.0,
    1.0 / 40_320.0,
    1.0 / 3_628_800.0,
    1.0 / 479_001_600.0,
];

/// An angle as its cosine and sine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Angle {
    /// The cosine.
    pub(super) c: f64,
    /// The sine.
    pub(super) s: f64,
}

impl Angle {
    /// The angle zero.
    pub(super) const ZERO: Self = Self { c: 1.0, s: 0.0 };

    /// The angle of the vector `(x, y)`, `None` where it is not longer than `tol`.
    pub(super) fn towards(x: f64, y: f64, tol: f64) -> Option<Self> {
        let length = (x * x + y * y).sqrt();
        (length > tol).then(|| Self {
            c: x / length,
            s: y / length,
        })
    }

    /// The angle with this cosine, its sine not negative; a cosine beyond ±1 counts as ±1.
    pub(super) fn with_cosine(c: f64) -> Self {
        let c = c.clamp(-1.0, 1.0);
        Self {
            c,
            s: ((1.0 - c) * (1.0 + c)).sqrt(),
        }
    }

    /// Half a turn further.
    pub(super) fn opposite(self) -> Self {
        Self {
            c: -self.c,
            s: -self.s,
        }
    }

    /// The same angle the other way round.
    pub(super) fn mirrored(self) -> Self {
        Self {
            c: self.c,
            s: -self.s,
        }
    }

    /// The sum of two angles.
    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            c: self.c * other.c - self.s * other.s,
            s: self.s * other.c + self.c * other.s,
        }
    }

    /// Turned by a small angle of at most a quarter, where a short series is exact to rounding.
    #[inline]
    pub(super) fn turned(self, by: f64) -> Self {
        let q = by * by;
        // Multiplications, because divisions would wait for each other.
        let [s3, s5, s7, s9, s11, s13] = SINE;
        let [c2, c4, c6, c8, c10, c12] = COSINE;
        let s = by * (1.0 - q * (s3 - q * (s5 - q * (s7 - q * (s9 - q * (s11 - q * s13))))));
        let c = 1.0 - q * (c2 - q * (c4 - q * (c6 - q * (c8 - q * (c10 - q * c12)))));
        self.plus(Self { c, s })
    }

    /// The small angle from here to `other`, exact to rounding for small ones, else of the right sign.
    pub(super) fn sine_to(self, other: Self) -> f64 {
        self.c * other.s - self.s * other.c
    }

    /// Whether `other` is within the small angle `reach`.
    pub(super) fn is_near(self, other: Self, reach: f64) -> bool {
        self.c * other.c + self.s * other.s > 0.0 && self.sine_to(other).abs() <= reach
    }

    /// In `[0, 2π)`.
    pub(super) fn radians(self) -> f64 {
        let t = self.s.atan2(self.c);
        let turn = if t < 0.0 { t + TAU } else { t };
        if turn < TAU { turn } else { 0.0 }
    }
}

/// The wave `c1 cos t + s1 sin t + c2 cos 2t + s2 sin 2t`: a derivative, so it has no constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Harmonics {
    pub(super) c1: f64,
    pub(super) s1: f64,
    pub(super) c2: f64,
    pub(super) s2: f64,
}

impl Harmonics {
    /// Value and the first three derivatives.
    #[inline]
    pub(super) fn jet(&self, t: Angle) -> [f64; 4] {
        let (c2, s2) = ((t.c - t.s) * (t.c + t.s), 2.0 * t.c * t.s);
        let x1 = self.c1 * t.c + self.s1 * t.s;
        let y1 = self.s1 * t.c - self.c1 * t.s;
        let x2 = self.c2 * c2 + self.s2 * s2;
        let y2 = self.s2 * c2 - self.c2 * s2;
        [x1 + x2, y1 + 2.0 * y2, -x1 - 4.0 * x2, -y1 - 8.0 * y2]
    }

    /// The amplitudes of the two harmonics.
    pub(super) fn amplitudes(&self) -> [f64; 2] {
        [
            (self.c1 * self.c1 + self.s1 * self.s1).sqrt(),
            (self.c2 * self.c2 + self.s2 * self.s2).sqrt(),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_turns_are_exact() {
        for i in -100..=100 {
            let by = 0.0025 * i as f64;
            let turned = Angle { c: 0.6, s: 0.8 }.turned(by);
            let t = 0.8_f64.atan2(0.6) + by;
            assert!((turned.c - t.cos()).abs() + (turned.s - t.sin()).abs() < 6e-16);
            assert!((turned.radians() - t).abs() < 6e-16);
        }
    }

    #[test]
    fn derivatives_of_a_wave() {
        let wave = Harmonics {
            c1: 0.3,
            s1: -0.7,
            c2: 1.1,
            s2: 0.4,
        };
        let h = 1e-4;
        for i in 0..40 {
            let t = Angle::ZERO.turned(0.2).turned(0.005 * i as f64);
            let (before, after) = (wave.jet(t.turned(-h)), wave.jet(t.turned(h)));
            for k in 0..3 {
                let slope = (after[k] - before[k]) / (2.0 * h);
                assert!((slope - wave.jet(t)[k + 1]).abs() < 1e-6);
            }
        }
    }
}
