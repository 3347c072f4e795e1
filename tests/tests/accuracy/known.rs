//! Poses with known answers: two places face each other at a chosen distance, and their curvatures make it a minimum.

use brepcd::geom::{Point3, Pose, Vec3};
use brepcd::query::Options;
use brepcd::{Status, Workspace};
use nalgebra::{DMatrix, UnitQuaternion};

use crate::prepare::Random;
use crate::sites::{Kind, Parts, Site};

/// The worst of one pair of kinds.
#[derive(Clone, Debug, Default)]
pub struct Worst {
    /// Poses measured.
    pub cases: usize,
    /// Of these, with a hollow face.
    pub hollow: usize,
    /// Poses left out because the parts overlap elsewhere.
    pub overlapping: usize,
    /// Worst error of the distance, relative to the size of the larger part.
    pub distance: f64,
    /// Worst error of the points, relative to the size of the larger part.
    pub place: f64,
    /// The pose with the worst error, for messages.
    pub example: String,
    /// Answers without the known pair, each described.
    pub missing: Vec<String>,
    /// Solves of these queries that may have missed something.
    pub unresolved: u64,
}

/// Distances, relative to the smaller part.
const GAPS: [f64; 4] = [1e-3, 0.02, 0.1, 0.5];
/// The least eigenvalue of the second derivatives by arc length, relative to the distance in sizes, from which on a
/// minimum is well-conditioned.
const CLEAR: f64 = 0.02;
/// Errors of points from which on the known pair counts as missing, relative.
const LOST: f64 = 1e-5;
/// How many pairs of places are tried for every pose that is measured.
const TRIES: usize = 100;

/// Measures poses of two kinds, at most `cases` and fewer where few can face each other.
pub fn measure(parts: &Parts, kinds: [Kind; 2], cases: usize, random: &mut Random) -> Worst {
    let mut worst = Worst::default();
    let mut workspace = Workspace::new();
    for _ in 0..cases * TRIES {
        if worst.cases == cases {
            break;
        }
        let kinds = if random.below(2) == 0 {
            kinds
        } else {
            [kinds[1], kinds[0]]
        };
        let [Some(a), Some(b)] = kinds.map(|kind| parts.site(kind, random)) else {
            continue;
        };
        let (part_a, part_b) = (&parts.list[a.part], &parts.list[b.part]);
        let small = part_a.size.min(part_b.size);
        let large = part_a.size.max(part_b.size);
        let gap = small * GAPS[random.below(GAPS.len())];
        let a_from_b = facing(&a, &b, gap, random.range(0.0, std::f64::consts::TAU));
        if least_bend(&a, &b, &a_from_b, gap) < CLEAR * (gap / small).min(1.0) {
            continue;
        }
        let options = Options {
            prediction: 1.01 * gap,
            ..Options::default()
        };
        let answer = workspace.contacts(&part_a.part, &part_b.part, &a_from_b, &options);
        let answer = answer.expect("a pose");
        // Something else of the two parts may be in the way.
        if answer.status == Status::Overlapping {
            let describe = || format!("{} {} {a_from_b:?}", part_a.name, part_b.name);
            assert!(!(part_a.convex && part_b.convex), "{}", describe());
            worst.overlapping += 1;
            continue;
        }
        worst.cases += 1;
        worst.hollow += usize::from(a.hollow || b.hollow);
        worst.unresolved += answer.stats.unresolved;
        let (p, q) = (a.point, a_from_b * b.point);
        let error = |x: &Point3, y: &Point3| (x - p).norm().max((y - q).norm()) / large;
        let errors = answer.lmds.iter().map(|lmd| {
            let place = error(&lmd.point_a, &lmd.point_b);
            (place, (lmd.distance - gap).abs() / large)
        });
        let (place, distance) = errors
            .min_by(|x, y| x.0.total_cmp(&y.0))
            .unwrap_or((f64::INFINITY, f64::INFINITY));
        let describe = || {
            format!(
                "{} feature {} at {:?} against {} feature {} at {:?}, gap {gap:e}, a_from_b {:?} {:?}: {place:e} {distance:e}",
                part_a.name,
                a.feature.index(),
                a.point.coords.as_slice(),
                part_b.name,
                b.feature.index(),
                b.point.coords.as_slice(),
                a_from_b.translation.vector.as_slice(),
                a_from_b.rotation.coords.as_slice(),
            )
        };
        if place > LOST {
            worst.missing.push(describe());
            continue;
        }
        if place > worst.place || distance > worst.distance {
            worst.example = describe();
        }
        worst.place = worst.place.max(place);
        worst.distance = worst.distance.max(distance);
    }
    worst
}

/// The pose that puts the place of B at a distance in front of that of A, face to face, turned by an angle.
fn facing(a: &Site, b: &Site, gap: f64, angle: f64) -> Pose {
    let twist = UnitQuaternion::from_scaled_axis(a.normal * angle);
    let towards = UnitQuaternion::rotation_between(&b.normal, &-a.normal).unwrap_or_else(|| {
        let across = b.normal.cross(&Vec3::new(0.6, -0.48, 0.64)).normalize();
        UnitQuaternion::from_scaled_axis(across * std::f64::consts::PI)
    });
    // A second small turn takes away what rounding left between the normals.
    let rotation = twist * towards;
    let left = (rotation * b.normal).cross(&-a.normal);
    let rotation = UnitQuaternion::from_scaled_axis(left) * rotation;
    let at = a.point + a.normal * gap - rotation * b.point.coords;
    Pose::from_parts(at.coords.into(), rotation)
}

/// The least eigenvalue of the second derivatives of half the squared distance, by arc length.
fn least_bend(a: &Site, b: &Site, a_from_b: &Pose, gap: f64) -> f64 {
    let between = a.normal * gap;
    let (m, n) = (a.first.len(), b.first.len());
    let first_b: Vec<Vec3> = b.first.iter().map(|v| a_from_b * v).collect();
    let mut metric = DMatrix::<f64>::zeros(m + n, m + n);
    let mut bend = metric.clone();
    for i in 0..m {
        for j in 0..m {
            metric[(i, j)] = a.first[i].dot(&a.first[j]);
            bend[(i, j)] = metric[(i, j)] - between.dot(&a.second[i][j]);
        }
        for (j, v) in first_b.iter().enumerate() {
            bend[(i, m + j)] = -a.first[i].dot(v);
            bend[(m + j, i)] = bend[(i, m + j)];
        }
    }
    for i in 0..n {
        for j in 0..n {
            let product = first_b[i].dot(&first_b[j]);
            metric[(m + i, m + j)] = product;
            bend[(m + i, m + j)] = product + between.dot(&(a_from_b * b.second[i][j]));
        }
    }
    if m + n == 0 {
        return f64::INFINITY;
    }
    let Some(root) = metric.cholesky() else {
        return f64::NEG_INFINITY;
    };
    let half = root.l().solve_lower_triangular(&bend);
    let whole = half.and_then(|half| root.l().solve_lower_triangular(&half.transpose()));
    whole.map_or(f64::NEG_INFINITY, |matrix| {
        matrix.symmetric_eigenvalues().min()
    })
}
