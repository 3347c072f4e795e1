//! Boxes whose equations are flat: families of pairs, the surroundings of poles, and pairs that meet.
//!
//! Equations are flat where they cannot be told from singular by more than the length that counts as none. Along a
//! family they stay so from end to end; it is sampled by solving what is determined and leaving the rest. Around a pole
//! they are flat because parameters there hardly move the point, but a pair is isolated in space all the same.

use super::linear::{Matrix, damped, inverse};
use super::problem::Cell;
use super::rows::System;
use super::search::{NEWTON_STEPS, Search};

/// Share of the range that flat equations may leave undecided before they count as singular.
const FLAT_SHARE: f64 = 0.05;
/// Share of half the range under which samples of a family are one, in all unknowns.
const SAME_SAMPLE: f64 = 0.45;
/// Share of a box that a sample must keep of its way along a family.
pub(super) const ALONG_FAMILY: f64 = 0.2;
/// Half sides from the middle of a box within which samples are looked for.
const NEAR: f64 = 2.5;
/// Residuals, in units of noise, of samples of a family.
const ON_FAMILY: f64 = 4.0;
/// No unknown is held.
const FREE: [bool; 4] = [false; 4];
/// First steps towards a family, which heed only what is well determined.
const CAUTIOUS: usize = 4;
/// Steepest slope in these steps, in units of the damping.
const STEEPEST: f64 = 1e3;

impl Search<'_, '_> {
    /// A box as large as the whole about the middle of a small one.
    fn around(&self, cell: &Cell) -> Cell {
        Cell {
            mid: cell.mid,
            half: self.whole.half,
            ..*cell
        }
    }

    /// Takes a box that is a point in space: its root if Newton finds one, else the point if its equations hold as well
    /// as the size of the box lets one tell.
    pub(super) fn take_point(&mut self, cell: &Cell, system: &System) {
        if !self.take_pole(cell) && (0..self.n).all(|k| nearly_includes_zero(system, k)) {
            let settled = self.relax(&self.around(cell), &system.noise, &cell.mid, FREE);
            let settled = settled.filter(|s| self.is_inside(s));
            self.guesses.push(settled.unwrap_or(cell.mid));
        }
    }

    /// Takes a box beside a pole, where unknowns that hardly move the point are hardly determined: true if Newton
    /// finds a root.
    pub(super) fn take_pole(&mut self, cell: &Cell) -> bool {
        let root = self
            .newton(&self.around(cell), &[0.0; 4])
            .filter(|root| self.is_inside(root));
        if let Some(root) = root {
            self.push(root);
        }
        root.is_some()
    }

    /// Takes a tiny box in which rounding alone leaves everything undecided: as far as numbers can tell, its middle is
    /// stationary, and so are all other pairs in it.
    pub(super) fn settle(&mut self, cell: &Cell, noise: &[f64; 4]) {
        if !self.take_root(cell) {
            let settled = self.relax(cell, noise, &cell.mid, FREE);
            let settled = settled.filter(|s| self.is_inside(s));
            self.guesses.push(settled.unwrap_or(cell.mid));
        }
    }

    /// Appends samples of the family that passes through a box; false if there is none.
    ///
    /// `noise` holds the values that are as good as zero.
    pub(super) fn sample(&mut self, cell: &Cell, noise: &[f64; 4]) -> bool {
        let Some(centre) = self.relax(cell, noise, &cell.mid, FREE) else {
            return false;
        };
        let there = Cell {
            mid: centre,
            ..*cell
        };
        let slope = self.problem.at(&there).system.slope;
        if inverse(self.n, &slope).is_some_and(|i| !self.is_flat(cell, &i, noise)) {
            return false;
        }
        let mut found = false;
        for k in 0..2 * self.n {
            let (axis, sign) = (k / 2, if k % 2 == 0 { 1.0 } else { -1.0 });
            let mut start = centre;
            start[axis] += sign * cell.half[axis];
            let Some(sample) = self.relax(cell, noise, &start, FREE) else {
                continue;
            };
            let kept = (0..self.n)
                .map(|k| ((sample[k] - centre[k]) / cell.half[k]).abs())
                .fold(0.0, f64::max);
            if kept >= ALONG_FAMILY {
                found = true;
                self.push_sample(sample);
            }
        }
        if found {
            self.family = true;
            self.push_sample(centre);
        }
        found
    }

    /// True if values as good as zero leave a share of the range undecided.
    pub(super) fn is_flat(&self, cell: &Cell, inverse: &Matrix, noise: &[f64; 4]) -> bool {
        (0..self.n).any(|k| {
            let undecided: f64 = (0..self.n).map(|l| inverse[k][l].abs() * noise[l]).sum();
            undecided * cell.half[k] > FLAT_SHARE * self.whole.half[k]
        })
    }

    fn push_sample(&mut self, sample: [f64; 4]) {
        let (n, whole) = (self.n, self.whole);
        let is_same = |known: &[f64; 4]| {
            (0..n).all(|k| (known[k] - sample[k]).abs() <= SAME_SAMPLE * whole.half[k])
        };
        if !self.seeds.iter().any(is_same) {
            self.seeds.push(sample);
        }
        if self.is_inside(&sample) && !self.samples.iter().any(is_same) {
            self.counts.samples += 1;
            self.samples.push(sample);
        }
    }

    /// The nearby point that solves what the equations determine, `None` if there is none.
    ///
    /// Unknowns that are held stay as they are.
    pub(super) fn relax(
        &mut self,
        cell: &Cell,
        noise: &[f64; 4],
        start: &[f64; 4],
        is_held: [bool; 4],
    ) -> Option<[f64; 4]> {
        let mut at = Cell {
            mid: *start,
            ..*cell
        };
        for step in 0..NEWTON_STEPS {
            self.counts.newton_steps += 1;
            let e = self.problem.at(&at);
            if !e.regular {
                return None;
            }
            // Far off a family what it leaves open looks determined, and would lead far along it.
            let steepest = if step < CAUTIOUS {
                STEEPEST
            } else {
                f64::INFINITY
            };
            let (mut slope, mut value) = (e.system.slope, e.system.value);
            for k in (0..self.n).filter(|&k| is_held[k]) {
                slope.iter_mut().for_each(|row| row[k] = 0.0);
            }
            let mut worst = 0.0_f64;
            for k in 0..self.n {
                let to_noise = 1.0 / noise[k].max(f64::MIN_POSITIVE);
                worst = worst.max(value[k].abs() * to_noise);
                let own = slope[k]
                    .iter()
                    .fold(f64::MIN_POSITIVE, |m, s| m.max(s.abs()));
                let scale = to_noise.min(steepest / own);
                value[k] *= scale;
                slope[k].iter_mut().for_each(|s| *s *= scale);
            }
            let step = damped(self.n, &slope, &value);
            let mut largest = 0.0_f64;
            for k in 0..self.n {
                at.mid[k] -= step[k] * cell.half[k];
                largest = largest.max(step[k].abs());
            }
            let strayed =
                (0..self.n).any(|k| (at.mid[k] - cell.mid[k]).abs() > NEAR * cell.half[k]);
            if strayed || at.mid.iter().any(|t| t.is_nan()) {
                return None;
            }
            if worst <= ON_FAMILY && largest <= 1.0 {
                return Some(at.mid);
            }
        }
        None
    }
}

/// True if a value may be zero not far outside of the box.
fn nearly_includes_zero(system: &System, row: usize) -> bool {
    let reach: f64 = system.slope[row][..system.n].iter().map(|s| s.abs()).sum();
    system.value[row].abs() <= 2.0 * (reach + system.rest[row]) + system.noise[row]
}
