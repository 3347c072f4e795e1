//! Cuts that leave empty parts of a cell out.
//!
//! The cell is rasterised; a cut is worth as much as the bounding rectangles of its two sides save. Where no single cut
//! saves much but much is empty (a ring), the longer side is halved and the halves get their chance.

use super::cell::{Borders, Cell};
use super::status::Reference;
use brepcd_geom::{Interval, Point2};
use brepcd_tree::domain::crossings_of;

/// Squares along each side.
const SQUARES: usize = 16;
/// Share of the cell that a cut must save.
const WORTH: f64 = 0.15;
/// Share of used squares under which a cell is halved even if that saves nothing yet.
const EMPTY: f64 = 0.6;
/// Squares from the ends of a side that a cut keeps away.
const KEEP_OFF: usize = 1;
/// Steps along a piece per square.
const STEPS: f64 = 2.0;

type Raster = [[bool; SQUARES]; SQUARES];

/// The axis and place of the best cut of a cell, if one is worth it.
pub(super) fn cut(
    cell: &Cell,
    borders: &Borders,
    reference: &Reference,
    same_sense: bool,
    lengths: [f64; 2],
) -> Option<(usize, f64)> {
    let raster = rasterise(cell, borders, reference, same_sense);
    let used = raster.iter().flatten().filter(|x| **x).count();
    let full = (SQUARES * SQUARES) as f64;
    if used == 0 || used == SQUARES * SQUARES {
        return None;
    }
    let mut best = (0.0, 0, 0);
    for axis in 0..2 {
        for at in 1 + KEEP_OFF..SQUARES - KEEP_OFF {
            let saved =
                full - bounding(&raster, axis, 0, at) - bounding(&raster, axis, at, SQUARES);
            if saved > best.0 {
                best = (saved, axis, at);
            }
        }
    }
    let (saved, axis, at) = best;
    if saved >= WORTH * full {
        return Some((axis, snapped(cell, borders, axis, at)));
    }
    let axis = usize::from(lengths[1] > lengths[0]);
    ((used as f64) < EMPTY * full).then(|| (axis, cell.side(axis).mid()))
}

/// Which squares the domain reaches into.
fn rasterise(cell: &Cell, borders: &Borders, reference: &Reference, same_sense: bool) -> Raster {
    let mut raster = [[false; SQUARES]; SQUARES];
    let pieces: Vec<[Point2; 2]> = cell.hits.iter().map(|hit| borders.ends(hit)).collect();
    let n = SQUARES as f64;
    for (i, row) in raster.iter_mut().enumerate() {
        for (j, square) in row.iter_mut().enumerate() {
            let q = cell.at((i as f64 + 0.5) / n, (j as f64 + 0.5) / n);
            let count: i32 = pieces
                .iter()
                .map(|[a, b]| crossings_of(reference.at, q, *a, *b))
                .sum();
            let count = if same_sense { count } else { -count };
            *square = i32::from(reference.inside) + count >= 1;
        }
    }
    let square = |x: f64, side: Interval| {
        let at = (x - side.lo) / side.length() * n;
        (at >= 0.0 && at < n).then_some(at as usize)
    };
    for [a, b] in pieces {
        let along = b - a;
        let squares = (along.x / cell.u.length()).abs() + (along.y / cell.v.length()).abs();
        let steps = (STEPS * n * squares).ceil().clamp(1.0, 1e4);
        for k in 0..=steps as usize {
            let p = a + along * (k as f64 / steps);
            if let (Some(i), Some(j)) = (square(p.x, cell.u), square(p.y, cell.v)) {
                raster[i][j] = true;
            }
        }
    }
    raster
}

/// Squares of the bounding rectangle of what is used between two lines across an axis.
fn bounding(raster: &Raster, axis: usize, from: usize, to: usize) -> f64 {
    let used = |i: usize, j: usize| {
        if axis == 0 {
            raster[i][j]
        } else {
            raster[j][i]
        }
    };
    let (mut first, mut last) = (to, from);
    let (mut low, mut high) = (SQUARES, 0);
    for i in from..to {
        for j in 0..SQUARES {
            if used(i, j) {
                first = first.min(i);
                last = last.max(i + 1);
                low = low.min(j);
                high = high.max(j + 1);
            }
        }
    }
    if first >= last {
        0.0
    } else {
        ((last - first) * (high - low)) as f64
    }
}

/// The corner of the border nearest to a line of the raster, or the line itself.
fn snapped(cell: &Cell, borders: &Borders, axis: usize, at: usize) -> f64 {
    let side = cell.side(axis);
    let line = side.at(at as f64 / SQUARES as f64);
    let reach = side.length() / SQUARES as f64;
    cell.hits
        .iter()
        .flat_map(|hit| borders.ends(hit))
        .filter(|p| cell.contains(*p) && (p[axis] - line).abs() < reach)
        .map(|p| p[axis])
        .min_by(|a, b| (a - line).abs().total_cmp(&(b - line).abs()))
        .unwrap_or(line)
}
