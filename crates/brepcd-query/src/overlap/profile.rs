//! Functions of one parameter in closed form, and their zeros on an interval.

use super::few::Few;
use super::scan;
use brepcd_geom::Interval;
use std::f64::consts::PI;

/// Value, relative to the sum of the coefficients, that rounding may hide.
const NOISE: f64 = 1e-15;

/// A polynomial of degree 4 or less, constant first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Polynomial {
    c: [f64; 5],
}

impl Polynomial {
    pub fn new(c: [f64; 5]) -> Self {
        Self { c }
    }

    pub fn value(&self, t: f64) -> f64 {
        let c = &self.c;
        (((c[4] * t + c[3]) * t + c[2]) * t + c[1]) * t + c[0]
    }

    /// Appends the zeros on an interval; double zeros may be left out.
    pub fn zeros(&self, range: Interval, out: &mut Few) {
        let c = &self.c;
        let far = range.lo.abs().max(range.hi.abs());
        let (quartic, cubic) = (c[4].abs() * far * far, c[3].abs() * far);
        if quartic == 0.0 && cubic == 0.0 {
            return self.quadratic_zeros(range, out);
        }
        let bend = 2.0 * c[2].abs() + 6.0 * cubic + 12.0 * quartic;
        let most = c[0].abs() + far * (c[1].abs() + far * (c[2].abs() + cubic + quartic));
        scan::zeros(|t| self.value(t), range, bend, NOISE * most, out);
    }

    fn quadratic_zeros(&self, range: Interval, out: &mut Few) {
        let [c0, c1, c2, ..] = self.c;
        let mut offer = |t: f64| {
            if range.contains(t) {
                out.push(t);
            }
        };
        let discriminant = c1 * c1 - 4.0 * c2 * c0;
        if discriminant < 0.0 {
            return;
        }
        let q = -0.5 * (c1 + discriminant.sqrt().copysign(c1));
        // Infinite or undefined where a coefficient vanishes, and then in no range.
        offer(c0 / q);
        if c2 != 0.0 {
            offer(q / c2);
        }
    }
}

/// `mean + first · (cos t, sin t) + second · (cos 2t, sin 2t)`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wave {
    pub mean: f64,
    pub first: [f64; 2],
    pub second: [f64; 2],
}

impl Wave {
    #[cfg(test)]
    pub fn value(&self, t: f64) -> f64 {
        let (s, c) = t.sin_cos();
        let (s2, c2) = (2.0 * s * c, (c - s) * (c + s));
        let second = self.second[0] * c2 + self.second[1] * s2;
        self.mean + self.first[0] * c + self.first[1] * s + second
    }

    pub fn raised(mut self, by: f64) -> Self {
        self.mean += by;
        self
    }

    pub fn scaled(mut self, by: f64) -> Self {
        self.mean *= by;
        self.first = self.first.map(|x| x * by);
        self.second = self.second.map(|x| x * by);
        self
    }

    pub fn plus(mut self, other: &Self) -> Self {
        self.mean += other.mean;
        for i in 0..2 {
            self.first[i] += other.first[i];
            self.second[i] += other.second[i];
        }
        self
    }

    /// Appends the zeros on an interval of at most a turn; double zeros may be left out.
    pub fn zeros(&self, range: Interval, out: &mut Few) {
        let amplitude = |x: &[f64; 2]| (x[0] * x[0] + x[1] * x[1]).sqrt();
        let (first, second) = (amplitude(&self.first), amplitude(&self.second));
        if self.mean.abs() > first + second {
            return;
        }
        let middle = range.mid();
        if range.length() > PI {
            let (lo, hi) = (range.lo, range.hi);
            self.zeros_of_half(Interval { lo, hi: middle }, out);
            self.zeros_of_half(Interval { lo: middle, hi }, out);
        } else {
            self.zeros_of_half(range, out);
        }
    }

    /// The zeros on at most half a turn: those of a quartic in the tangent of half the angle from the middle.
    fn zeros_of_half(&self, range: Interval, out: &mut Few) {
        let (middle, half) = (range.mid(), 0.5 * range.length());
        let turned = self.turned(middle);
        let (a0, [a1, b1], [a2, b2]) = (turned.mean, turned.first, turned.second);
        let quartic = Polynomial::new([
            a0 + a1 + a2,
            2.0 * b1 + 4.0 * b2,
            2.0 * a0 - 6.0 * a2,
            2.0 * b1 - 4.0 * b2,
            a0 - a1 + a2,
        ]);
        let end = (0.5 * half).tan();
        let mut found = Few::EMPTY;
        quartic.zeros(Interval { lo: -end, hi: end }, &mut found);
        for &s in found.as_slice() {
            out.push(middle + 2.0 * s.atan());
        }
    }

    /// The same function of the angle from another start.
    fn turned(&self, by: f64) -> Self {
        let (s, c) = by.sin_cos();
        let (s2, c2) = (2.0 * s * c, (c - s) * (c + s));
        let turn = |[a, b]: [f64; 2], s: f64, c: f64| [a * c + b * s, b * c - a * s];
        Self {
            mean: self.mean,
            first: turn(self.first, s, c),
            second: turn(self.second, s2, c2),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waves_have_the_zeros_of_their_values() {
        let mut seed = 1.0f64;
        let mut random = || {
            seed = (seed * 1.618_033_988 + 0.317).fract();
            2.0 * seed - 1.0
        };
        for round in 0..2000 {
            let wave = Wave {
                mean: random(),
                first: [random(), random()],
                second: [random(), random()],
            };
            let lo = 5.0 * random();
            let hi = lo + [0.2, 1.0, 3.0, 6.2][round % 4];
            let mut found = Few::EMPTY;
            wave.zeros(Interval { lo, hi }, &mut found);
            for &t in found.as_slice() {
                assert!(t >= lo - 1e-12 && t <= hi + 1e-12);
                assert!(wave.value(t).abs() < 1e-12);
            }
            let n = 2000;
            let at = |i: usize| wave.value(lo + (hi - lo) * i as f64 / n as f64);
            let changes = (0..n).filter(|&i| at(i) * at(i + 1) < 0.0).count();
            assert!(found.as_slice().len() >= changes, "{wave:?} {lo} {hi}");
        }
    }
}
