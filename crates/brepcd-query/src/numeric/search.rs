//! Branch and prune: boxes of the unknowns are dropped, shrunk, solved or split.
//!
//! With `C` the inverse of the Jacobian in the middle, every root of a box lies within `|C| r` of the Newton point,
//! `r` bounding what the linear expansion leaves out. Where the Jacobian's stray times `|C|` stays below 1 the equations
//! are injective: at most one root, which Newton finds. Boxes in which the equations cannot be told from singular by
//! more than the length that counts as flat hold a family, if pairs along it can be found.

use super::linear::{inverse, times};
use super::marks::Marks;
use super::problem::{Cell, Expansion, Problem};
use super::shrink::{block, excludes_zero, moving, volume};
use super::{Counts, Limits, Outcome};

/// Share of the range under which two roots are one.
const SAME_ROOT: f64 = 1e-8;
/// Share of the range by which a root may lie outside of its box.
const BOX_SLACK: f64 = 1e-10;
/// Newton steps at most.
pub(super) const NEWTON_STEPS: usize = 12;
/// A last step, as a share of the range, that shows quadratic convergence.
const CONVERGED: f64 = 1e-7;
/// Shrinking of a box's volume that is worth another look without splitting.
const WORTHWHILE: f64 = 0.4;
/// Stray of a box, were it enlarged so far as to hold a root outside, that still proves the root to be the only one.
const ALONE: f64 = 0.25;
/// Share of the range of boxes in which families are sampled.
pub(super) const FAMILY_BOX: f64 = 0.26;
/// Shrinking of a box after which a family is looked for again.
const PROBE_AGAIN: f64 = 0.55;
/// Share of the range of boxes that are too small for a family: only rounding counts as noise in them.
pub(super) const FINE: f64 = 1e-5;
/// Share of the range under which boxes are given up.
const SMALLEST: f64 = 1e-9;

/// Share of the range of boxes beside a pole that are taken as one point.
const POLE_BOX: f64 = 1e-5;
/// Share of the range around a pole within which flat equations are the pole's doing.
const POLE_SURROUNDINGS: f64 = 1e-3;

/// All unknowns.
const ALL: [usize; 4] = [0, 1, 2, 3];

/// A box to be looked at.
type Stack = Vec<Cell>;

/// What a search finds, and its stack.
#[derive(Clone, Debug, Default)]
pub(super) struct Roots {
    stack: Stack,
    /// Roots.
    pub roots: Vec<[f64; 4]>,
    /// Pairs of families at marks, and the numbers of these.
    pub marked: Vec<([f64; 4], u8)>,
    /// Samples of families from wherever they were found.
    pub samples: Vec<[f64; 4]>,
    /// These and samples beside the patches, from which marks are looked for.
    pub seeds: Vec<[f64; 4]>,
    /// What may be roots.
    pub guesses: Vec<[f64; 4]>,
}

impl Roots {
    /// Forgets what was found.
    pub fn clear(&mut self) {
        self.stack.clear();
        self.roots.clear();
        self.marked.clear();
        self.samples.clear();
        self.seeds.clear();
        self.guesses.clear();
    }
}

/// Finds the roots of a problem, in place of those before.
pub(super) fn search(
    problem: &Problem<'_>,
    limits: &Limits,
    marks: impl FnOnce() -> Marks,
    counts: &mut Counts,
    scratch: &mut Roots,
) -> Outcome {
    scratch.clear();
    let Roots {
        stack,
        roots,
        marked,
        samples,
        seeds,
        guesses,
    } = scratch;
    let mut search = Search {
        problem,
        whole: problem.whole(),
        n: problem.size(),
        counts,
        roots,
        marked,
        samples,
        seeds,
        guesses,
        family: false,
        unresolved: false,
    };
    stack.push(search.whole);
    let mut boxes = 0;
    while let Some(cell) = stack.pop() {
        boxes += 1;
        if boxes > limits.boxes {
            search.unresolved = true;
            search.give_up(&cell);
            if boxes > limits.boxes + limits.boxes / 8 {
                break;
            }
            continue;
        }
        search.visit(cell, stack);
    }
    search.counts.boxes += u64::from(boxes);
    if search.family {
        search.mark(&marks());
    }
    match (search.unresolved, search.family) {
        (true, _) => Outcome::Unresolved,
        (false, true) => Outcome::Family,
        (false, false) => Outcome::Resolved,
    }
}

/// A search under way.
pub(super) struct Search<'a, 's> {
    pub problem: &'a Problem<'s>,
    pub whole: Cell,
    /// Unknowns.
    pub n: usize,
    pub counts: &'a mut Counts,
    pub roots: &'a mut Vec<[f64; 4]>,
    pub marked: &'a mut Vec<([f64; 4], u8)>,
    pub samples: &'a mut Vec<[f64; 4]>,
    pub seeds: &'a mut Vec<[f64; 4]>,
    /// Pairs at poles and in settled boxes that no exact root was found for; last, so that those found go before.
    pub guesses: &'a mut Vec<[f64; 4]>,
    pub family: bool,
    unresolved: bool,
}

impl Search<'_, '_> {
    fn visit(&mut self, cell: Cell, stack: &mut Stack) {
        let problem = self.problem;
        let (x, y) = problem.sides(&cell);
        if problem.is_out_of_reach(&cell, &x, &y) {
            return;
        }
        let expansion = problem.over(&cell, x, y);
        if !expansion.regular {
            self.split(&cell, &expansion, false, stack);
            return;
        }
        let system = &expansion.system;
        if (0..self.n).any(|k| excludes_zero(system, k)) {
            return;
        }
        let pole = problem.pole(&cell);
        if pole.is_some_and(|(_, away)| away.hi <= POLE_BOX) {
            self.take_point(&cell, system);
            return;
        }
        let (mut lo, mut hi) = ([-1.0_f64; 4], [1.0_f64; 4]);
        let (mut flat, mut undecided) = (true, f64::INFINITY);
        if let Some(inverse) = inverse(self.n, &system.slope) {
            let mut newton = times(self.n, &inverse, &system.value);
            newton.iter_mut().for_each(|c| *c = -*c);
            let mut steepest = 0.0_f64;
            let strays: [f64; 4] = std::array::from_fn(|k| system.stray[k][..self.n].iter().sum());
            undecided = 0.0;
            for k in 0..self.n {
                let (mut radius, mut stray, mut blur) = (0.0, 0.0, 0.0);
                for l in 0..self.n {
                    let c = inverse[k][l].abs();
                    radius += c * (system.rest[l] + system.noise[l]);
                    stray += c * strays[l];
                    blur += c * system.noise[l];
                }
                undecided = undecided.max(blur);
                if newton[k].abs() > 1.0 + radius {
                    return;
                }
                steepest = steepest.max(stray);
                lo[k] = lo[k].max(newton[k] - radius);
                hi[k] = hi[k].min(newton[k] + radius);
            }
            flat = self.is_flat(&cell, &inverse, &system.noise);
            if steepest < 1.0 && !flat {
                self.counts.proofs += 1;
                let start = newton.map(|c| c.clamp(-1.0, 1.0));
                if self.solve(&cell, &start, steepest) {
                    return;
                }
            }
        }
        // Along a family some unknowns move nothing, so that there is no inverse; the others have one.
        let (movers, count) = moving(system);
        if pole.is_none()
            && (1..self.n).contains(&count)
            && !block(system, &movers[..count], &mut lo, &mut hi)
        {
            return;
        }
        if volume(self.n, &lo, &hi) > WORTHWHILE
            && !self.shrink(&cell, &expansion, &mut lo, &mut hi)
        {
            return;
        }
        // Two pairs that are about to meet, or just have: rounding hides what is in the box.
        if undecided >= 1.0 && self.is_small(&cell, FINE) {
            self.settle(&cell, &system.noise);
            return;
        }
        // Around a pole the equations are flat, but a pair there is isolated in space.
        let around = pole.is_some_and(|(_, away)| away.hi <= POLE_SURROUNDINGS);
        if flat && around && self.take_pole(&cell) {
            return;
        }
        let touching = pole.is_some_and(|(_, away)| away.lo <= 0.0);
        let mut part = self.part(&cell, &lo, &hi);
        // Beside a family the equations need not be flat, so look for one now and then in any case.
        let share = problem.share(&cell);
        let is_due = flat || cell.probed == 0.0 || share < PROBE_AGAIN * cell.probed;
        if is_due && !touching && !around && share <= FAMILY_BOX {
            if self.sample(&cell, &system.noise) {
                return;
            }
            part.probed = share;
        }
        // The slack keeps sides from getting any shorter at last, so compare what is left with it.
        let left: f64 = (0..self.n).map(|k| part.half[k] / cell.half[k]).product();
        if left < WORTHWHILE {
            stack.push(part);
        } else {
            self.split(&part, &expansion, flat, stack);
        }
    }

    /// Shrinks a box by those equations that have a regular Jacobian of their own; false if nothing is left.
    fn shrink(&self, cell: &Cell, e: &Expansion, lo: &mut [f64; 4], hi: &mut [f64; 4]) -> bool {
        let n = self.problem.x.dim;
        if !self.problem.y.is_placed() {
            return self.n == n || block(&e.system, &ALL[n..self.n], lo, hi);
        }
        if !block(&e.system, &ALL[..n], lo, hi) {
            return false;
        }
        if self.n == n {
            return true;
        }
        if self.problem.x.is_surface() {
            block(&self.problem.foot_on_y(cell, e), &ALL[n..self.n], lo, hi)
        } else {
            block(&e.system, &ALL[n..self.n], lo, hi)
        }
    }

    fn part(&self, cell: &Cell, lo: &[f64; 4], hi: &[f64; 4]) -> Cell {
        let mut part = *cell;
        for k in 0..self.n {
            part.mid[k] += 0.5 * (lo[k] + hi[k]) * cell.half[k];
            let slack = BOX_SLACK * self.whole.half[k];
            part.half[k] = (0.5 * (hi[k] - lo[k]) * cell.half[k] + slack).min(cell.half[k]);
        }
        part
    }

    fn is_small(&self, cell: &Cell, share: f64) -> bool {
        (0..self.n).all(|k| cell.half[k] <= share * self.whole.half[k])
    }

    fn split(&mut self, cell: &Cell, e: &Expansion, flat: bool, stack: &mut Stack) {
        if self.is_small(cell, SMALLEST) {
            self.unresolved = true;
            self.give_up(cell);
            return;
        }
        let axis = match self.problem.pole(cell) {
            Some((axis, away)) if flat && away.lo <= 0.0 => axis,
            _ => self.widest(cell, e, flat),
        };
        let quarter = 0.5 * cell.half[axis];
        let mut part = *cell;
        part.half[axis] = quarter;
        part.mid[axis] = cell.mid[axis] - quarter;
        stack.push(part);
        part.mid[axis] = cell.mid[axis] + quarter;
        stack.push(part);
    }

    /// The unknown that bends the equations most; among equals the longest.
    fn widest(&self, cell: &Cell, e: &Expansion, flat: bool) -> usize {
        let n = self.problem.x.dim;
        let length = |k: usize| {
            if k < n {
                e.x.model.x[k].norm()
            } else if self.problem.y.is_placed() {
                e.y.model.x[k - n].norm()
            } else {
                e.system.slope[k][k].abs()
            }
        };
        let longest = (0..self.n).map(length).fold(f64::MIN_POSITIVE, f64::max);
        let mut best = (0, f64::NEG_INFINITY);
        for l in 0..self.n {
            let mut weight = 0.5 * length(l) / longest;
            for k in 0..self.n {
                let row = &e.system.slope[k];
                let steepest = row.iter().fold(e.system.noise[k], |m, s| m.max(s.abs()));
                if steepest > 0.0 {
                    weight += e.system.stray[k][l] / steepest;
                }
            }
            // A side already cut to nothing gains nothing; a family is sampled once all sides are short.
            let share = cell.half[l] / self.whole.half[l];
            if share <= 0.1 * FINE || (flat && share <= FAMILY_BOX) {
                weight *= 1e-9;
                let still = (0..self.n).all(|k| e.system.slope[k][l].abs() <= e.system.noise[k]);
                if still && share > 0.1 * FINE && self.problem.pole(cell).is_none() {
                    weight *= 1e-9;
                }
            }
            if weight > best.1 {
                best = (l, weight);
            }
        }
        best.0
    }

    /// Newton from a point of a box that holds one root at most; true if nothing is left to be done.
    fn solve(&mut self, cell: &Cell, start: &[f64; 4], stray: f64) -> bool {
        let Some(root) = self.newton(cell, start) else {
            return false;
        };
        let (mut inside, mut far) = (true, 1.0_f64);
        for k in 0..self.n {
            let off = (root[k] - cell.mid[k]).abs();
            inside &= off <= cell.half[k] + BOX_SLACK * self.whole.half[k];
            far = far.max(off / cell.half[k]);
        }
        if inside {
            self.push(root);
        }
        // Bounds of the stray grow with at most the cube of the box.
        inside || stray * far * far * far < ALONE
    }

    pub fn newton(&mut self, cell: &Cell, start: &[f64; 4]) -> Option<[f64; 4]> {
        let mut at = *cell;
        for k in 0..self.n {
            at.mid[k] += start[k] * cell.half[k];
        }
        for _ in 0..NEWTON_STEPS {
            self.counts.newton_steps += 1;
            let e = self.problem.at(&at);
            if !e.regular {
                return None;
            }
            let step = times(self.n, &inverse(self.n, &e.system.slope)?, &e.system.value);
            let mut largest = 0.0_f64;
            for k in 0..self.n {
                let move_by = step[k] * cell.half[k];
                at.mid[k] -= move_by;
                largest = largest.max((move_by / self.whole.half[k]).abs());
                let away = (at.mid[k] - cell.mid[k]).abs();
                if away > 4.0 * cell.half[k] || away.is_nan() {
                    return None;
                }
            }
            if largest <= CONVERGED {
                return Some(at.mid);
            }
        }
        None
    }

    pub fn push(&mut self, root: [f64; 4]) {
        if !self.is_known(&root, SAME_ROOT) {
            self.roots.push(root);
        }
    }

    pub fn is_known(&self, root: &[f64; 4], share: f64) -> bool {
        self.roots.iter().any(|known| {
            (0..self.n).all(|k| (known[k] - root[k]).abs() <= share * self.whole.half[k])
        })
    }

    /// The last try on a box that nothing is proved about.
    fn give_up(&mut self, cell: &Cell) {
        self.counts.unresolved_boxes += 1;
        self.take_root(cell);
    }

    /// Takes the root that Newton finds from the middle of a box, if it is not far from there.
    pub fn take_root(&mut self, cell: &Cell) -> bool {
        let Some(root) = self.newton(cell, &[0.0; 4]) else {
            return false;
        };
        let near = (0..self.n).all(|k| (root[k] - cell.mid[k]).abs() <= 2.0 * cell.half[k]);
        let taken = near && self.is_inside(&root);
        if taken {
            self.push(root);
        }
        taken
    }

    pub fn is_inside(&self, root: &[f64; 4]) -> bool {
        let slack = 1.0 + BOX_SLACK;
        (0..self.n).all(|k| (root[k] - self.whole.mid[k]).abs() <= slack * self.whole.half[k])
    }
}
