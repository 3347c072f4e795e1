//! What equations over a box tell about the roots in it: none, or in which part of it they are.

use super::linear::inverse;
use super::rows::System;

/// True if one equation alone has no root in the box.
pub(super) fn excludes_zero(system: &System, row: usize) -> bool {
    let reach: f64 = system.slope[row][..system.n].iter().map(|s| s.abs()).sum();
    system.value[row].abs() > reach + system.rest[row] + system.noise[row]
}

/// The share of the box that is left.
pub(super) fn volume(n: usize, lo: &[f64; 4], hi: &[f64; 4]) -> f64 {
    (0..n).map(|k| 0.5 * (hi[k] - lo[k])).product()
}

/// The unknowns that move the equations, as the first entries, and their number: all but those along a family.
pub(super) fn moving(system: &System) -> ([usize; 4], usize) {
    let (mut list, mut count) = ([0; 4], 0);
    for l in 0..system.n {
        if (0..system.n).any(|k| system.slope[k][l].abs() > system.noise[k]) {
            list[count] = l;
            count += 1;
        }
    }
    (list, count)
}

/// Shrinks the unknowns of some rows by those rows alone, the other unknowns being anywhere in the box.
pub(super) fn block(system: &System, rows: &[usize], lo: &mut [f64; 4], hi: &mut [f64; 4]) -> bool {
    let n = rows.len();
    let mut own = [[0.0; 4]; 4];
    for i in 0..n {
        for j in 0..n {
            own[i][j] = system.slope[rows[i]][rows[j]];
        }
    }
    let Some(inverse) = inverse(n, &own) else {
        return true;
    };
    for k in 0..n {
        let (mut centre, mut radius) = (0.0, 0.0);
        for l in 0..n {
            centre -= inverse[k][l] * system.value[rows[l]];
            radius += inverse[k][l].abs() * (system.rest[rows[l]] + system.noise[rows[l]]);
        }
        for other in (0..system.n).filter(|o| !rows.contains(o)) {
            let slope: f64 = (0..n)
                .map(|l| inverse[k][l] * system.slope[rows[l]][other])
                .sum();
            // The others need not range over all of the box any more.
            centre -= slope * 0.5 * (lo[other] + hi[other]);
            radius += slope.abs() * 0.5 * (hi[other] - lo[other]);
        }
        let k = rows[k];
        lo[k] = lo[k].max(centre - radius);
        hi[k] = hi[k].min(centre + radius);
        if lo[k] > hi[k] {
            return false;
        }
    }
    true
}
