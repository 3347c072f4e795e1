//! All local minimal distances of two parts by brute force: many starts, descent, and a test by moving about.
//!
//! Knows the exact boundary (`Brep`) and nothing of trees, cones or closed forms. A minimum lies inside a face, inside an
//! edge or at a point of each part, and there it is a minimum over the two carriers, too. So every pair of cells is
//! searched with its untrimmed carriers, from every pair of grid points that has no better neighbour, and what is
//! found inside both cells is then tested against everything around it.

mod cells;
mod descend;
mod local;

pub use cells::Complex;
pub use local::{Verdict, off_boundary, verdict};

use brepcd::brep::Side;
use brepcd::geom::{Point3, Vec3};
use cells::{Cell, Chart, Place};
use descend::descend;

/// A local minimal distance.
#[derive(Clone, Copy, Debug)]
pub struct Minimum {
    /// The distance.
    pub distance: f64,
    /// The point on A.
    pub point_a: Point3,
    /// The point on B.
    pub point_b: Point3,
    /// False for members of families and for what rounding could undo.
    pub isolated: bool,
}

/// What the oracle says of two parts.
#[derive(Clone, Debug, Default)]
pub struct Oracle {
    /// The minima up to the cut-off, by distance, each once.
    pub minima: Vec<Minimum>,
    /// A point inside both parts, if they overlap.
    pub common: Option<Point3>,
    /// The smallest distance of any boundary points seen, minimum or not.
    pub least: f64,
}

/// Share of the size within which points are the same.
const SAME: f64 = 1e-7;
/// Share of the size up to which a distance is none.
const NONE: f64 = 1e-9;
/// Share of the size by which one step of a descent goes at most.
const LONGEST: f64 = 0.1;
/// Candidates between two cells; families have any number.
const MOST: usize = 400;

/// All local minima of the distance up to a cut-off; both parts in one frame.
pub fn minima(a: &Complex, b: &Complex, cutoff: f64) -> Oracle {
    let size = a.size.min(b.size);
    let mut found: Vec<Minimum> = Vec::new();
    let mut crossings: Vec<Point3> = Vec::new();
    for cell_a in &a.cells {
        for cell_b in &b.cells {
            let apart = (cell_b.middle - cell_a.middle).norm() - cell_a.radius - cell_b.radius;
            if apart <= cutoff {
                search(
                    a,
                    b,
                    [cell_a, cell_b],
                    cutoff,
                    size,
                    &mut found,
                    &mut crossings,
                );
            }
        }
    }
    let common = crossings
        .iter()
        .find_map(|p| common_point(a, b, p, size))
        .or_else(|| nested(a, b));
    found.sort_by(|p, q| p.distance.total_cmp(&q.distance));
    let least = found.first().map_or(f64::INFINITY, |m| m.distance);
    let mut minima: Vec<Minimum> = Vec::new();
    for candidate in found {
        let same = |m: &Minimum| {
            let off = (m.point_a - candidate.point_a).norm();
            off.max((m.point_b - candidate.point_b).norm()) <= 10.0 * SAME * size
        };
        if minima.iter().any(same) {
            continue;
        }
        match verdict(a, b, candidate.point_a, candidate.point_b) {
            Verdict::NoMinimum => {}
            Verdict::Marginal => minima.push(candidate),
            Verdict::Isolated => minima.push(Minimum {
                isolated: true,
                ..candidate
            }),
        }
    }
    Oracle {
        minima,
        common,
        least,
    }
}

/// Appends what lies inside both cells and is stationary for their carriers.
fn search(
    a: &Complex,
    b: &Complex,
    cells: [&Cell; 2],
    cutoff: f64,
    size: f64,
    found: &mut Vec<Minimum>,
    crossings: &mut Vec<Point3>,
) {
    let before = found.len();
    for start in starts(cells) {
        if found.len() - before >= MOST {
            return;
        }
        let (chart_a, t_a) = Chart::around(a, cells[0], &start[0]);
        let (chart_b, t_b) = Chart::around(b, cells[1], &start[1]);
        let from = [Place { t: t_a, ..start[0] }, Place { t: t_b, ..start[1] }];
        let Some([p, q]) = descend([&chart_a, &chart_b], from, LONGEST * size, size) else {
            continue;
        };
        let distance = (q.point - p.point).norm();
        let known = |m: &Minimum| {
            (m.point_a - p.point)
                .norm()
                .max((m.point_b - q.point).norm())
                <= SAME * size
        };
        if distance > cutoff || found[before..].iter().any(known) {
            continue;
        }
        if a.holds(cells[0], &p) && b.holds(cells[1], &q) {
            if distance <= NONE * size {
                crossings.push(p.point);
            }
            found.push(Minimum {
                distance,
                point_a: p.point,
                point_b: q.point,
                isolated: false,
            });
        }
    }
}

/// Pairs of grid points that no neighbour of either makes nearer.
fn starts(cells: [&Cell; 2]) -> Vec<[Place; 2]> {
    let [a, b] = cells;
    let count = |c: &Cell| c.places.len();
    let squares: Vec<f64> = a
        .places
        .iter()
        .flat_map(|p| b.places.iter().map(|q| (q.point - p.point).norm_squared()))
        .collect();
    let (near_a, near_b) = (neighbours(a), neighbours(b));
    let mut out = Vec::new();
    for i in 0..count(a) {
        for j in 0..count(b) {
            let here = squares[i * count(b) + j] * (1.0 - 1e-12);
            let best = near_b[j].iter().all(|k| here <= squares[i * count(b) + k])
                && near_a[i].iter().all(|k| here <= squares[k * count(b) + j]);
            if best {
                out.push([a.places[i], b.places[j]]);
            }
        }
    }
    out
}

/// The four neighbours of every grid point.
fn neighbours(cell: &Cell) -> Vec<Vec<usize>> {
    let [n, m] = cell.counts;
    let step = |i: usize, n: usize, closed: bool| -> Vec<usize> {
        let mut out = Vec::new();
        if i > 0 {
            out.push(i - 1);
        } else if closed && n > 2 {
            // The last point of a closed grid is the first one again.
            out.push(n - 2);
        }
        if i + 1 < n {
            out.push(i + 1);
        } else if closed && n > 2 {
            out.push(1);
        }
        out
    };
    (0..n * m)
        .map(|k| {
            let (i, j) = (k / m, k % m);
            let along = step(i, n, cell.closed[0]).into_iter().map(|i| i * m + j);
            along
                .chain(step(j, m, cell.closed[1]).into_iter().map(|j| i * m + j))
                .collect()
        })
        .collect()
}

/// A point inside both parts around a place where their boundaries meet.
fn common_point(a: &Complex, b: &Complex, place: &Point3, size: f64) -> Option<Point3> {
    let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    let radii = [1e-2, 1e-3].map(|r| r * size);
    radii.into_iter().find_map(|radius| {
        (0..60).find_map(|k| {
            let z = 1.0 - (2.0 * k as f64 + 1.0) / 60.0;
            let (s, c) = (golden * k as f64).sin_cos();
            let ring = (1.0 - z * z).sqrt();
            let p = place + Vec3::new(ring * c, ring * s, z) * radius;
            let inside = |x: &Complex| x.brep.side_of(&p) == Side::Inside;
            (inside(a) && inside(b)).then_some(p)
        })
    })
}

/// A boundary point of one part deep inside the other.
fn nested(a: &Complex, b: &Complex) -> Option<Point3> {
    [(a, b), (b, a)].into_iter().find_map(|(inner, outer)| {
        let points = inner.cells.iter().filter(|c| c.places.len() == 1);
        let points = points.map(|c| c.middle);
        let on_edges = inner.brep.edges.iter().map(|e| e.jet(e.range().mid()).p);
        let on_faces = inner.brep.faces.iter().filter_map(|face| {
            let (u, v) = inner.brep.domain_box(face);
            let grid =
                (0..64).map(|k| (u.at(f64::from(k % 8) / 7.3), v.at(f64::from(k / 8) / 7.3)));
            let mut inside = grid.filter(|(u, v)| inner.brep.face_contains(face, *u, *v));
            inside.next().map(|(u, v)| face.surface.point(u, v))
        });
        let all: Vec<Point3> = points.chain(on_edges).chain(on_faces).collect();
        all.into_iter()
            .find(|p| outer.brep.side_of(p) == Side::Inside)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solids;
    use brepcd::Brep;
    use brepcd::geom::Pose;

    fn oracle(a: Brep, b: Brep, t: [f64; 3], r: [f64; 3], cutoff: f64) -> Oracle {
        let b = Complex::new(b).placed(&Pose::new(Vec3::from(t), Vec3::from(r)));
        minima(&Complex::new(a), &b, cutoff)
    }

    fn isolated(oracle: &Oracle) -> Vec<f64> {
        let isolated = oracle.minima.iter().filter(|m| m.isolated);
        isolated.map(|m| m.distance).collect()
    }

    #[test]
    fn balls_have_one_minimum() {
        let found = oracle(
            solids::ball(1.0),
            solids::ball(2.0),
            [3.0, 4.0, 0.0],
            [0.0; 3],
            9.0,
        );
        assert_eq!(found.minima.len(), 1);
        assert!((isolated(&found)[0] - 2.0).abs() < 1e-12);
        assert!(found.common.is_none());
    }

    #[test]
    fn far_sides_are_no_minima() {
        let plate = solids::block(4.0, 4.0, 0.5);
        let found = oracle(plate, solids::ball(1.0), [1.0, 2.0, 2.0], [0.0; 3], 9.0);
        assert_eq!(found.minima.len(), 1);
        assert!((isolated(&found)[0] - 0.5).abs() < 1e-12);
    }

    #[test]
    fn saddles_are_no_minima() {
        // From inside a bore the wall behind is a saddle: nearer along the way around, farther along the axis.
        let tube = solids::tube(2.0, 1.0, 4.0);
        let found = oracle(tube, solids::ball(0.25), [0.5, 0.0, 2.0], [0.0; 3], 5.0);
        assert_eq!(isolated(&found).len(), 1, "{found:?}");
        assert!((isolated(&found)[0] - 0.25).abs() < 1e-12);
    }

    #[test]
    fn both_legs_of_a_bracket_count() {
        let bracket = solids::bracket(6.0, 6.0, 8.0, 1.0);
        let ball = solids::ball(1.0);
        let found = oracle(bracket, ball, [3.0, 4.0, 4.0], [0.0; 3], 2.5);
        let distances = isolated(&found);
        assert_eq!(distances.len(), 2, "{found:?}");
        assert!((distances[0] - 1.0).abs() < 1e-12 && (distances[1] - 2.0).abs() < 1e-12);
    }

    #[test]
    fn families_are_not_isolated() {
        let plate = solids::block(4.0, 4.0, 0.5);
        let found = oracle(
            plate,
            solids::block(1.0, 1.0, 1.0),
            [1.0, 1.0, 0.75],
            [0.0; 3],
            0.5,
        );
        assert!(found.minima.len() > 3 && isolated(&found).is_empty());
        assert!(
            found
                .minima
                .iter()
                .all(|m| (m.distance - 0.25).abs() < 1e-12)
        );
    }

    #[test]
    fn overlaps_are_seen() {
        let across = oracle(
            solids::cylinder(0.3, 4.0),
            solids::cylinder(0.3, 4.0),
            [0.1, 2.0, 2.0],
            [1.57, 0.0, 0.0],
            1.0,
        );
        assert!(across.common.is_some());
        let nested = oracle(
            solids::ball(2.0),
            solids::ball(0.5),
            [0.3, 0.0, 0.0],
            [0.0; 3],
            5.0,
        );
        assert!(nested.common.is_some());
        let in_bore = oracle(
            solids::tube(2.0, 1.0, 4.0),
            solids::ball(0.5),
            [0.0, 0.1, 2.0],
            [0.0; 3],
            5.0,
        );
        assert!(in_bore.common.is_none());
    }
}
