//! All zeros of periodic functions with a known bound of their third derivative.
//!
//! The circle is cut into cells. On a cell the value, two derivatives and the bound tell that the function has no zero,
//! that it is monotone (at most one) or that it is convex or concave (at most two, beside the extremum); otherwise the
//! cell is halved. Zeros that rounding cannot tell apart come out once, as a touch, and so does an extremum that misses
//! zero by no more than rounding.

use super::Outcome;
use super::trig::{Angle, Harmonics};

/// Cells at the start; the first one is centred at zero, where symmetric positions have their zeros.
const CELLS: usize = 16;
/// Half the width of a cell at the start.
const HALF_WIDTH: f64 = std::f64::consts::PI / CELLS as f64;
/// Halvings at most.
const DEEPEST: u8 = 34;
/// Cells looked at, at most.
const MAX_CELLS: usize = 20_000;
/// Cells overlap by this part of their width, lest a zero falls between two.
const OVERLAP: f64 = 1e-6;
/// Zeros within this many half widths of an undecidable cell are one.
const CLUSTER: f64 = 8.0;
/// Angle within which an extremum is zero to rounding.
const TOUCH_REACH: f64 = 1e-7;
/// A function that is everywhere under this multiple of its rounding noise is faint: its terms nearly cancel.
const FAINT: f64 = 1e11;
/// Halvings from which on the third derivative of faint functions is told by differences.
const FAINT_DEPTH: u8 = 2;
/// Steps of one search in a bracket.
const MAX_STEPS: usize = 80;
/// Steps shorter than this angle end a search.
const SHORT_STEP: f64 = 1e-15;
/// A cubically converging step shorter than this is the last.
const LAST_STEP: f64 = 1e-6;
/// Remainders under this multiple of the rounding noise are zero.
const NEARLY_ZERO: f64 = 64.0;

/// What is known of `N` functions over a cell.
pub(super) struct Cell<const N: usize> {
    /// Value and two derivatives at the centre, of each function.
    pub(super) jets: [[f64; 3]; N],
    /// Bounds of the third derivatives over the cell, infinite where the functions may not be smooth.
    pub(super) third: [f64; N],
    /// None of the functions has a zero here.
    pub(super) empty: bool,
}

/// `N` periodic functions that are looked at together.
pub(super) trait Wave<const N: usize> {
    /// What is known over the cell around `at`.
    fn cell(&self, at: Angle, half_width: f64) -> Cell<N>;
    /// Value and two derivatives of one of them.
    fn jet(&self, at: Angle, branch: usize) -> [f64; 3];
    /// Rounding noise of the values.
    fn noise(&self) -> f64;
}

/// How a function is zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Zero {
    /// With a change of sign, upwards or not.
    Crossing {
        /// Whether the value grows.
        rising: bool,
    },
    /// To rounding, perhaps without a change of sign.
    Touch,
    /// Perhaps: the functions are not smooth here.
    Steep,
}

/// A zero of one of the functions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Root {
    pub(super) at: Angle,
    pub(super) branch: usize,
    pub(super) zero: Zero,
    /// Zeros within this angle are the same.
    reach: f64,
}

/// The zeros found.
pub(super) struct Roots {
    list: [Root; Self::CAPACITY],
    len: usize,
    /// Whether a function is zero everywhere, by its number.
    pub(super) flat: [bool; 2],
    /// Whether no zero can be missing.
    pub(super) complete: bool,
}

impl Roots {
    const CAPACITY: usize = 32;

    fn new() -> Self {
        let root = Root {
            at: Angle::ZERO,
            branch: 0,
            zero: Zero::Touch,
            reach: 0.0,
        };
        Self {
            list: [root; Self::CAPACITY],
            len: 0,
            flat: [false; 2],
            complete: true,
        }
    }

    pub(super) fn as_slice(&self) -> &[Root] {
        &self.list[..self.len]
    }

    /// The outcome, if each zero is one pair.
    pub(super) fn outcome(&self) -> Outcome {
        if self.complete {
            Outcome::Isolated
        } else {
            Outcome::Unresolved
        }
    }

    /// Whether two zeros are one: those of one crossing have the same sense, neighbours opposite ones.
    fn same(a: &Root, b: &Root) -> bool {
        let alike = match (a.zero, b.zero) {
            (Zero::Crossing { rising: x }, Zero::Crossing { rising: y }) => x == y,
            (Zero::Steep, Zero::Steep) => return a.at.is_near(b.at, a.reach.max(b.reach)),
            (Zero::Steep, _) | (_, Zero::Steep) => false,
            (Zero::Touch, _) | (_, Zero::Touch) => true,
        };
        alike && a.branch == b.branch && a.at.is_near(b.at, a.reach.max(b.reach))
    }

    fn push(&mut self, root: Root) {
        let len = self.len;
        if let Some(known) = self.list[..len].iter_mut().find(|k| Self::same(k, &root)) {
            // A touch is the middle of what rounding cannot tell apart.
            if known.zero != Zero::Touch && root.zero == Zero::Touch {
                *known = root;
            }
        } else if len < Self::CAPACITY {
            self.list[len] = root;
            self.len += 1;
        } else {
            self.complete = false;
        }
    }
}

/// All zeros of the functions; one that is nowhere farther from zero than its number in `flat` is zero everywhere.
pub(super) fn isolate<const N: usize, W: Wave<N>>(wave: &W, flat: [f64; N]) -> Roots {
    let mut roots = Roots::new();
    let noise = wave.noise();
    if !noise.is_finite() {
        roots.complete = false;
        return roots;
    }
    let mut at = Angle::ZERO;
    let turn = Angle::ZERO.turned(HALF_WIDTH).turned(HALF_WIDTH);
    let cells: [(Angle, Cell<N>); CELLS] = std::array::from_fn(|_| {
        let cell = (at, wave.cell(at, HALF_WIDTH));
        at = at.plus(turn);
        cell
    });
    let (mut open, mut faint) = ([true; N], [false; 2]);
    for branch in 0..N {
        let largest = |m: f64, c: &(Angle, Cell<N>)| m.max(c.1.jets[branch][0].abs());
        let largest = cells.iter().fold(0.0, largest);
        faint[branch] = largest <= FAINT * noise;
        if largest <= flat[branch] {
            roots.flat[branch] = true;
            open[branch] = false;
        }
    }
    let mut search = Search {
        wave,
        noise,
        faint,
        budget: MAX_CELLS,
        roots: &mut roots,
    };
    for (at, cell) in &cells {
        search.cell(*at, HALF_WIDTH, 0, cell, open);
    }
    roots
}

struct Search<'a, W> {
    wave: &'a W,
    noise: f64,
    /// Whether a function is everywhere much smaller than its terms.
    faint: [bool; 2],
    budget: usize,
    roots: &'a mut Roots,
}

impl<W> Search<'_, W> {
    fn cell<const N: usize>(
        &mut self,
        at: Angle,
        w: f64,
        depth: u8,
        cell: &Cell<N>,
        mut open: [bool; N],
    ) where
        W: Wave<N>,
    {
        if cell.empty {
            return;
        }
        for (branch, open) in open.iter_mut().enumerate() {
            *open = *open && self.undecided(at, w, depth, cell, branch);
        }
        if open == [false; N] {
            return;
        }
        if depth == DEEPEST {
            for branch in (0..N).filter(|&b| open[b]) {
                self.push(at, 0.0, branch, Zero::Steep, CLUSTER * w);
            }
            return;
        }
        for by in [-0.5 * w, 0.5 * w] {
            if self.budget == 0 {
                self.roots.complete = false;
                return;
            }
            self.budget -= 1;
            let half = at.turned(by);
            let inner = self.wave.cell(half, 0.5 * w);
            self.cell(half, 0.5 * w, depth + 1, &inner, open);
        }
    }

    /// Takes the zeros of one function over a cell; true where the cell must be halved.
    fn undecided<const N: usize>(
        &mut self,
        at: Angle,
        w: f64,
        depth: u8,
        cell: &Cell<N>,
        branch: usize,
    ) -> bool
    where
        W: Wave<N>,
    {
        let ([e, e1, e2], k) = (cell.jets[branch], cell.third[branch]);
        if !k.is_finite() {
            return true;
        }
        let w = w * (1.0 + OVERLAP);
        let k = if self.faint[branch] && depth >= FAINT_DEPTH {
            k.min(self.third_by_differences(at, w, e2, branch))
        } else {
            k
        };
        let change = w * (e1.abs() + w * (0.5 * e2.abs() + w / 6.0 * k));
        if e.abs() > change {
            return false;
        }
        let bend = w * (e2.abs() + 0.5 * w * k);
        if e1.abs() > bend {
            let inside = e.abs() < w * (e1.abs() - bend);
            if inside || self.signs_differ(at, -w, w, branch) {
                let x = self.bracketed(at, [-w, w], e1 > 0.0, cell.jets[branch], 0.0, branch);
                self.crossing(at, x, e1 > 0.0, w, branch);
            }
            return false;
        }
        if change <= NEARLY_ZERO * self.noise {
            let x = self.middle(at, w, branch);
            self.push(at, x, branch, Zero::Touch, CLUSTER * w);
            return false;
        }
        if e2.abs() > k * w {
            self.around_extremum(at, w, [e, e1, e2], branch);
            return false;
        }
        true
    }

    /// An estimate of the third derivative for functions whose terms nearly cancel, where a bound from the terms is useless.
    fn third_by_differences<const N: usize>(&self, at: Angle, w: f64, e2: f64, branch: usize) -> f64
    where
        W: Wave<N>,
    {
        let bend = |x: f64| self.wave.jet(at.turned(x), branch)[2];
        let (before, after) = (e2 - bend(-w), bend(w) - e2);
        2.0 * (before.abs().max(after.abs()) + (after - before).abs()) / w
    }

    /// The zeros on a cell where the second derivative keeps its sign.
    fn around_extremum<const N: usize>(&mut self, at: Angle, w: f64, jet: [f64; 3], branch: usize)
    where
        W: Wave<N>,
    {
        let convex = jet[2] > 0.0;
        let (mut lo, mut hi, mut x, mut now) = (-w, w, 0.0, jet);
        for _ in 0..MAX_STEPS {
            if (now[1] < 0.0) == convex {
                lo = x;
            } else {
                hi = x;
            }
            let newton = x - now[1] / now[2];
            let next = if newton > lo && newton < hi {
                newton
            } else if newton <= lo && lo == -w {
                -w
            } else if newton >= hi && hi == w {
                w
            } else {
                0.5 * (lo + hi)
            };
            let step = (next - x).abs();
            if step == 0.0 {
                break;
            }
            x = next;
            now = self.wave.jet(at.turned(x), branch);
            if step <= SHORT_STEP || now[1] == 0.0 {
                break;
            }
        }
        if now[0].abs() <= self.noise && x.abs() < w {
            self.push(at, x, branch, Zero::Touch, TOUCH_REACH);
            return;
        }
        if (now[0] > 0.0) == convex {
            return;
        }
        for (end, rising) in [(-w, !convex), (w, convex)] {
            if (end - x) * end > 0.0 && self.signs_differ(at, x, end, branch) {
                let bracket = [x.min(end), x.max(end)];
                let middle = 0.5 * (x + end);
                let jet = self.wave.jet(at.turned(middle), branch);
                let root = self.bracketed(at, bracket, rising, jet, middle, branch);
                self.crossing(at, root, rising, w, branch);
            }
        }
    }

    fn crossing(&mut self, at: Angle, x: f64, rising: bool, w: f64, branch: usize) {
        let zero = Zero::Crossing { rising };
        self.push(at, x, branch, zero, 4.0 * OVERLAP * w);
    }

    fn push(&mut self, at: Angle, x: f64, branch: usize, zero: Zero, reach: f64) {
        let at = at.turned(x);
        self.roots.push(Root {
            at,
            branch,
            zero,
            reach,
        });
    }

    /// The middle of zeros that are one to rounding: where the second derivative vanishes, if that is near.
    fn middle<const N: usize>(&self, at: Angle, w: f64, branch: usize) -> f64
    where
        W: Wave<N>,
    {
        let bend = |x: f64| self.wave.jet(at.turned(x), branch)[2];
        let mut x = 0.0;
        for h in [CLUSTER * w, w] {
            let (before, after) = (bend(x - h), bend(x + h));
            x -= h * (before + after) / (after - before);
            if x.is_nan() || x.abs() > CLUSTER * w {
                return 0.0;
            }
        }
        let value = self.wave.jet(at.turned(x), branch)[0];
        if value.abs() <= NEARLY_ZERO * self.noise {
            x
        } else {
            0.0
        }
    }

    fn signs_differ<const N: usize>(&self, at: Angle, x: f64, y: f64, branch: usize) -> bool
    where
        W: Wave<N>,
    {
        let negative = |x: f64| self.wave.jet(at.turned(x), branch)[0] < 0.0;
        negative(x) != negative(y)
    }

    /// The zero in a bracket with one change of sign, from the jet at `x`.
    fn bracketed<const N: usize>(
        &self,
        at: Angle,
        [mut lo, mut hi]: [f64; 2],
        rising: bool,
        mut jet: [f64; 3],
        mut x: f64,
        branch: usize,
    ) -> f64
    where
        W: Wave<N>,
    {
        let mut last = hi - lo;
        for _ in 0..MAX_STEPS {
            let [e, e1, e2] = jet;
            if e == 0.0 {
                break;
            }
            if (e < 0.0) == rising {
                lo = x;
            } else {
                hi = x;
            }
            let halley = x - 2.0 * e * e1 / (2.0 * e1 * e1 - e * e2);
            let fast = halley > lo && halley < hi && 2.0 * (halley - x).abs() <= last;
            let next = if fast { halley } else { 0.5 * (lo + hi) };
            last = (next - x).abs();
            // Halley's steps shrink with the third power, so that what follows a short one is rounding.
            let straight = (e2 * last).abs() <= LAST_STEP * e1.abs();
            let done = last <= SHORT_STEP || (fast && straight && last <= LAST_STEP);
            x = next;
            if done {
                break;
            }
            jet = self.wave.jet(at.turned(x), branch);
        }
        x
    }
}

/// The zeros of one wave of two harmonics.
pub(super) struct Plain {
    wave: Harmonics,
    fourth: f64,
    noise: f64,
}

impl Plain {
    pub(super) fn new(wave: Harmonics) -> Self {
        let [a1, a2] = wave.amplitudes();
        Self {
            wave,
            fourth: a1 + 16.0 * a2,
            noise: 4.0 * f64::EPSILON * (a1 + a2),
        }
    }
}

impl Wave<1> for Plain {
    #[inline]
    fn cell(&self, at: Angle, half_width: f64) -> Cell<1> {
        let [e, e1, e2, e3] = self.wave.jet(at);
        Cell {
            jets: [[e, e1, e2]],
            third: [e3.abs() + self.fourth * half_width],
            empty: false,
        }
    }

    #[inline]
    fn jet(&self, at: Angle, _branch: usize) -> [f64; 3] {
        let [e, e1, e2, _] = self.wave.jet(at);
        [e, e1, e2]
    }

    fn noise(&self) -> f64 {
        self.noise
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zeros(wave: Harmonics) -> Vec<(f64, Zero)> {
        let roots = isolate(&Plain::new(wave), [0.0]);
        assert!(roots.complete);
        roots
            .as_slice()
            .iter()
            .map(|r| (r.at.radians(), r.zero))
            .collect()
    }

    #[test]
    fn four_two_and_touching() {
        // sin 2t + k sin t = sin t (2 cos t + k): the zeros beside π merge with it for k = 2.
        for (k, count) in [
            (0.0, 4),
            (1.0, 4),
            (1.99, 4),
            (1.999_999, 4),
            (2.0, 2),
            (3.0, 2),
        ] {
            let found = zeros(Harmonics {
                c1: 0.0,
                s1: k,
                c2: 0.0,
                s2: 1.0,
            });
            assert_eq!(found.len(), count, "{k}: {found:?}");
            for (t, _) in found {
                let exact = (t.sin().abs() < 1e-14) || (2.0 * t.cos() + k).abs() < 1e-13;
                assert!(exact, "{k}: {t}");
            }
        }
    }

    #[test]
    fn a_double_zero_comes_once_and_splits_or_vanishes() {
        for i in 0..40 {
            let at = 0.1 + 0.15 * i as f64;
            let ((s, c), (s2, c2)) = (at.sin_cos(), (2.0 * at).sin_cos());
            // Value and slope of `sin 2t` at that angle taken away, and the value raised a little.
            let wave = |raised: f64| Harmonics {
                c1: (raised - s2) * c + 2.0 * c2 * s,
                s1: (raised - s2) * s - 2.0 * c2 * c,
                c2: 0.0,
                s2: 1.0,
            };
            let bend = 0.5 * (s2 - 4.0 * s2);
            if bend.abs() < 0.1 {
                continue;
            }
            let near = |raised: f64, reach: f64| {
                let found = zeros(wave(raised));
                found
                    .iter()
                    .filter(|(t, _)| (t - at).sin().abs() < reach && (t - at).cos() > 0.0)
                    .count()
            };
            assert_eq!(near(0.0, 1e-6), 1, "{at}");
            for raised in [1e-4, 1e-8, 1e-12] {
                let raised = raised * bend;
                let apart = 2.0 * (raised / bend).sqrt();
                assert_eq!(near(raised, apart), 0, "{at} {raised}");
                assert_eq!(near(-raised, apart), 2, "{at} {raised}");
            }
        }
    }

    #[test]
    fn what_is_not_a_number_is_told() {
        let wave = Harmonics {
            c1: f64::NAN,
            s1: 0.0,
            c2: 0.0,
            s2: 1.0,
        };
        assert!(!isolate(&Plain::new(wave), [0.0]).complete);
    }
}
