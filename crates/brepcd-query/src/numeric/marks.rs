//! Marks: fixed parameters of a feature at which families are sampled.
//!
//! They belong to the whole feature and not to its patches, so that samples are few and move with the part they are on.
//! A curve has them evenly spread. A face has lines of them across the family if that is a curve, else a grid. What is
//! found at a mark has the other unknowns solved for.

use super::family::ALONG_FAMILY;
use super::problem::Cell;
use super::search::{FAMILY_BOX, Search};
use super::side::{Arc, Core, Side};
use crate::piece::Piece;
use brepcd_geom::Interval;
use brepcd_tree::Shape;

/// Marks of a feature: along a curve, or all of a grid.
pub const MARKS: usize = 16;
/// Marks of a grid in each direction.
const GRID: usize = 4;
/// Share of half the range under which what was found at a mark is one.
const SAME_MARK: f64 = 1e-3;
/// Shares of half the range from a sample within which marks are looked for.
const NEAR_SAMPLE: f64 = 0.6;
/// Share of a range by which marks may lie outside, so that neighbours share those on their border.
const MARK_SLACK: f64 = 1e-9;
/// Segments by which the extent of a feature is told.
const SEGMENTS: u32 = 4;

/// What a pair stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// For itself.
    Isolated,
    /// For a family, at a mark; the lowest numbers are spread most evenly.
    Marked(u8),
    /// For a family, anywhere on it.
    Loose,
}

impl Standing {
    /// The standing at one of the [`MARKS`] of a curve, numbered along it.
    pub fn along(index: usize) -> Self {
        Self::Marked(reversed(index % MARKS, MARKS) as u8)
    }

    /// True if it stands for a family.
    pub fn is_sample(self) -> bool {
        self != Self::Isolated
    }
}

/// Ranges of a feature's parameters, where they are bounded.
pub fn feature_ranges(piece: &Piece<'_>) -> [Option<Interval>; 2] {
    let bounded = |range: Interval| {
        let length = range.length();
        (length.is_finite() && length > 0.0).then_some(range)
    };
    match &piece.feature().shape {
        Shape::Face { surface, .. } => {
            let (u, v) = surface.domain();
            [bounded(u), bounded(v)]
        }
        Shape::Edge { spans, .. } => {
            let spans = piece.part.spans.get(spans.range()).unwrap_or_default();
            let whole = spans.first().zip(spans.last());
            let whole = whole.map(|(first, last)| Interval {
                lo: first.lo,
                hi: last.hi,
            });
            [whole.and_then(bounded), None]
        }
        Shape::Vertex { .. } => [None; 2],
    }
}

/// The marks of both sides in units of the unknowns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Marks {
    /// The ranges that are marked.
    ranges: [Option<Interval>; 4],
    /// First unknown and number of unknowns of the sides, that to be sampled first.
    sides: [(usize, usize); 2],
}

impl Marks {
    /// Edges are sampled before faces, free-form faces before others, the smaller before the larger.
    ///
    /// `swapped` says that the first piece is of part B, which comes last among equals.
    pub fn new(pieces: [&Piece<'_>; 2], sides: [&Side<'_>; 2], swapped: bool) -> Self {
        let mut ranges = [None; 4];
        let mut first = 0;
        let mut starts = [0; 2];
        for (k, (piece, side)) in pieces.into_iter().zip(sides).enumerate() {
            starts[k] = first;
            let is_scaled = matches!(side.core, Core::Surface(_) | Core::Arc(Arc::Bezier(_)));
            let own = feature_ranges(piece);
            for (j, patch) in piece.range.into_iter().enumerate().take(side.dim) {
                let to_unknown = |t: f64| {
                    if is_scaled {
                        (t - patch.lo) / patch.length()
                    } else {
                        t
                    }
                };
                ranges[first + j] = own[j].map(|range| Interval {
                    lo: to_unknown(range.lo),
                    hi: to_unknown(range.hi),
                });
            }
            first += side.dim;
        }
        let key = |k: usize| {
            let is_free = matches!(sides[k].core, Core::Surface(_));
            (pieces[k].dimension(), !is_free, extent(pieces[k]))
        };
        let (x, y) = (key(0), key(1));
        let order = (x.0, x.1).cmp(&(y.0, y.1)).then(x.2.total_cmp(&y.2));
        let order = order.then(swapped.cmp(&!swapped));
        let [x, y] = [0, 1].map(|k| (starts[k], sides[k].dim));
        Self {
            ranges,
            sides: if order.is_le() { [x, y] } else { [y, x] },
        }
    }

    /// The marks of an unknown within an interval: their numbers along the feature, and where they are.
    fn within(
        &self,
        unknown: usize,
        count: usize,
        interval: Interval,
    ) -> impl Iterator<Item = (usize, f64)> + use<> {
        let range = self.ranges[unknown].unwrap_or(Interval { lo: 0.0, hi: 0.0 });
        let step = range.length() / count as f64;
        let slack = MARK_SLACK * range.length();
        let number = |t: f64| (t - range.lo) / step - 0.5;
        let (lo, hi) = (
            number(interval.lo - slack).ceil(),
            number(interval.hi + slack).floor(),
        );
        // Nothing is bounded where the feature is not; periods repeat the marks.
        let many = if step > 0.0 && hi >= lo {
            (hi - lo) as usize + 1
        } else {
            0
        };
        (0..many.min(2 * count)).map(move |k| {
            let number = lo + k as f64;
            let index = number.rem_euclid(count as f64) as usize;
            (index, range.lo + (number + 0.5) * step)
        })
    }
}

/// About how long a feature is, whatever its pose.
fn extent(piece: &Piece<'_>) -> f64 {
    let ranges = feature_ranges(piece);
    let middle = ranges.map(|range| range.map_or(0.0, |range| range.mid()));
    let along = |k: usize| {
        let Some(range) = ranges[k] else {
            return f64::INFINITY;
        };
        let at = |i: u32| {
            let mut t = middle;
            t[k] = range.at(f64::from(i) / f64::from(SEGMENTS));
            piece.point(t)
        };
        (0..SEGMENTS).map(|i| (at(i + 1) - at(i)).norm()).sum()
    };
    (0..piece.dimension()).map(along).sum()
}

/// The unknowns of a side along which a family runs.
enum Run {
    Across(usize),
    Over([usize; 2]),
}

impl Search<'_, '_> {
    /// Finds the pairs at marks of the families that were sampled.
    pub(super) fn mark(&mut self, marks: &Marks) {
        for index in 0..self.seeds.len() {
            let sample = self.seeds[index];
            let run = marks
                .sides
                .into_iter()
                .find_map(|side| self.run(&sample, side, marks));
            match run {
                Some(Run::Across(k)) => {
                    for (number, t) in marks.within(k, MARKS, self.near(&sample, k)) {
                        self.push_marked(&sample, &[(k, t)], reversed(number, MARKS));
                    }
                }
                Some(Run::Over([u, v])) => {
                    for (i, s) in marks.within(u, GRID, self.near(&sample, u)) {
                        for (j, t) in marks.within(v, GRID, self.near(&sample, v)) {
                            let number = reversed(i, GRID) + GRID * reversed(j, GRID);
                            self.push_marked(&sample, &[(u, s), (v, t)], number);
                        }
                    }
                }
                None => {}
            }
        }
    }

    /// The part of an unknown's range that is near a sample.
    fn near(&self, sample: &[f64; 4], k: usize) -> Interval {
        let (middle, half) = (self.whole.mid[k], self.whole.half[k]);
        Interval {
            lo: (sample[k] - NEAR_SAMPLE * half).max(middle - half),
            hi: (sample[k] + NEAR_SAMPLE * half).min(middle + half),
        }
    }

    /// How a family runs through the unknowns of a side, `None` if it stays where it is or has no marks.
    fn run(
        &mut self,
        sample: &[f64; 4],
        (first, count): (usize, usize),
        marks: &Marks,
    ) -> Option<Run> {
        let whole = self.whole;
        let step = |k: usize| {
            let towards = if sample[k] > whole.mid[k] { -1.0 } else { 1.0 };
            sample[k] + towards * ALONG_FAMILY * whole.half[k]
        };
        let is_marked = |k: usize| marks.ranges[k].is_some();
        let (u, v) = (first, first + 1);
        if count == 1 {
            let moves = is_marked(u) && self.held(sample, &[(u, step(u))]).is_some();
            return moves.then_some(Run::Across(u));
        }
        if count != 2 || !is_marked(u) || !is_marked(v) {
            return None;
        }
        if self.held(sample, &[(u, step(u)), (v, sample[v])]).is_some()
            && self.held(sample, &[(u, sample[u]), (v, step(v))]).is_some()
        {
            return Some(Run::Over([u, v]));
        }
        let along_u = self.held(sample, &[(u, step(u))]);
        let along_v = self.held(sample, &[(v, step(v))]);
        match (along_u, along_v) {
            (Some(there), Some(_)) => {
                let share = |k: usize| {
                    let length = marks.ranges[k].map_or(1.0, |range| range.length());
                    ((there[k] - sample[k]) / length).abs()
                };
                Some(Run::Across(if share(u) >= share(v) { u } else { v }))
            }
            (Some(_), None) => Some(Run::Across(u)),
            (None, Some(_)) => Some(Run::Across(v)),
            (None, None) => None,
        }
    }

    /// The pair near a sample that has some of its unknowns at given values, also beside the patches.
    fn held(&mut self, sample: &[f64; 4], values: &[(usize, f64)]) -> Option<[f64; 4]> {
        let mut cell = Cell {
            mid: *sample,
            half: self.whole.half.map(|half| FAMILY_BOX * half),
            probed: 0.0,
        };
        let mut is_held = [false; 4];
        for &(k, value) in values {
            cell.mid[k] = value;
            is_held[k] = true;
        }
        let (x, y) = self.problem.sides(&cell);
        let expansion = self.problem.over(&cell, x, y);
        if !expansion.regular {
            return None;
        }
        let noise = expansion.system.noise;
        self.relax(&cell, &noise, &cell.mid, is_held)
    }

    fn push_marked(&mut self, sample: &[f64; 4], values: &[(usize, f64)], number: usize) {
        let found = self.held(sample, values);
        let Some(found) = found.filter(|found| self.is_inside(found)) else {
            return;
        };
        let whole = self.whole;
        let is_same = |known: &[f64; 4]| {
            (0..self.n).all(|k| (known[k] - found[k]).abs() <= SAME_MARK * whole.half[k])
        };
        if !self.marked.iter().any(|(known, _)| is_same(known)) {
            self.marked.push((found, number as u8));
        }
    }
}

/// A number below a power of two with its bits reversed: the first ones are spread most evenly.
fn reversed(number: usize, count: usize) -> usize {
    number.reverse_bits() >> (usize::BITS - count.trailing_zeros())
}
