//! How to split a piece of surface whose normals spread too far.

use super::cell::Cell;
use super::spread::{lengths, spread};
use brepcd_geom::{Interval, Surface};
use brepcd_tree::Settings;

/// Splits in a row at most, each into halves or more.
const MAX_DEPTH: usize = 14;
/// Parts that one split makes at most.
const MAX_PARTS: f64 = 64.0;
/// Relative excess of a spread that is only rounding.
const ROUNDING: f64 = 1e-9;
/// Numbers of bands that are compared.
const BAND_TRIES: u8 = 6;

/// How to split a cell whose normals spread too far: along which parameter, into which parts.
pub(super) fn flat_parts(
    surface: &Surface,
    cell: &Cell,
    settings: &Settings,
    depth: usize,
) -> Option<(usize, Vec<Interval>)> {
    let most = settings.max_angle * (1.0 + ROUNDING);
    let spread = spread(surface, cell.u, cell.v);
    if spread.all <= most || depth >= MAX_DEPTH {
        return None;
    }
    let lengths = lengths(surface, cell.u, cell.v);
    if lengths[0].hypot(lengths[1]) <= settings.min_size {
        return None;
    }
    let [su, sv] = spread.along;
    let (axis, parts) = match surface {
        Surface::Nurbs(_) => {
            let both = su.max(sv) <= ROUNDING;
            let axis = if both {
                usize::from(lengths[1] > lengths[0])
            } else {
                usize::from(sv > su)
            };
            (axis, 2.0)
        }
        _ => match bands(su, sv, settings.max_angle) {
            bands if bands > 1.0 => (1, bands),
            _ => {
                let left = (settings.max_angle.powi(2) - sv * sv).max(0.0).sqrt();
                (0, (su / left - ROUNDING).ceil())
            }
        },
    };
    let parts = parts.clamp(2.0, MAX_PARTS);
    let side = cell.side(axis);
    let at = |i: f64| {
        if i == parts {
            side.hi
        } else {
            side.at(i / parts)
        }
    };
    let parts = (0..parts as usize)
        .map(|i| Interval {
            lo: at(i as f64),
            hi: at(i as f64 + 1.0),
        })
        .collect();
    Some((axis, parts))
}

/// Into how many bands of v to split, so that the fewest patches result once the bands are split in u.
fn bands(su: f64, sv: f64, most: f64) -> f64 {
    let patches = |bands: f64| {
        let left = (most * most - (sv / bands).powi(2)).max(0.0).sqrt();
        bands * (su / left).ceil().max(1.0)
    };
    let fewest = (sv / most).ceil().max(1.0);
    (0..BAND_TRIES)
        .map(|extra| fewest + f64::from(extra))
        .min_by(|a, b| patches(*a).total_cmp(&patches(*b)))
        .unwrap_or(fewest)
}
