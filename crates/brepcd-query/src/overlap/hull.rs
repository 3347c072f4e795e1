//! A quick proof that a free-form patch keeps apart from a canonical carrier.
//!
//! A Bézier piece lies in the hull of its control points. Where the carrier's distance at one of them, and its slope
//! there, keep the whole hull off zero, so is the piece; else it is halved, a few times.

use super::canonical::Canonical;
use super::free::halve;
use brepcd_geom::nurbs::project;
use brepcd_geom::{Point3, Point4};
use brepcd_tree::MatrixPose;

/// Halvings in a row at most.
const HALVINGS: usize = 8;
/// Pieces looked at before the proof is given up.
const BUDGET: usize = 64;

/// Reused memory: control points of the pieces that wait.
#[derive(Clone, Debug, Default)]
pub(super) struct Pieces {
    control: Vec<Point4>,
    depths: Vec<usize>,
}

/// True if a Bézier piece with these control points, or what of it is within `reach` of `centre`, is surely farther than
/// `off` from a carrier.
pub(super) fn keeps_off(
    control: &[Point4],
    counts: [usize; 2],
    a_from_part: &MatrixPose,
    carrier: &Canonical,
    (centre, reach): (&Point3, f64),
    off: f64,
    pieces: &mut Pieces,
) -> bool {
    let size = counts[0] * counts[1];
    if control.len() != size {
        return false;
    }
    pieces.control.clear();
    pieces.depths.clear();
    pieces.control.extend_from_slice(control);
    pieces.depths.push(0);
    let mut left = BUDGET;
    while let Some(depth) = pieces.depths.pop() {
        let start = pieces.control.len() - size;
        let place = |h: &Point4| a_from_part * project(h);
        let net = &pieces.control[start..];
        let middle = place(&net[size / 2]);
        let radius = net
            .iter()
            .map(|h| (place(h) - middle).norm_squared())
            .fold(0.0, f64::max)
            .sqrt();
        let clear = (middle - centre).norm() > radius + reach + off || {
            let level = carrier.level(&middle);
            let distance = level.height.abs();
            distance > radius + off || {
                let bend = 0.5 * carrier.most_bend(&middle, radius) * radius * radius;
                let change = net
                    .iter()
                    .map(|h| level.normal.dot(&(place(h) - middle)).abs())
                    .fold(0.0, f64::max);
                distance > change + bend + off
            }
        };
        if clear {
            pieces.control.truncate(start);
            continue;
        }
        if depth == HALVINGS || left == 0 {
            return false;
        }
        left -= 1;
        halve(&mut pieces.control, start, counts, depth % 2);
        pieces.depths.extend([depth + 1; 2]);
    }
    true
}
