//! Pieces of free-form surfaces: feet of points by Newton's method, and where a line meets them by subdivision.

use brepcd_geom::nurbs::NurbsSurface;
use brepcd_geom::{Interval, Point3, Point4, SurfaceJet, Vec2, Vec3};
use brepcd_tree::{Patch, TreePart};
use nalgebra::SVector;

/// Newton steps at most.
const STEPS: usize = 20;
/// Step, relative to the ranges, under which a search has ended.
const STILL: f64 = 1e-14;
/// Rows and columns of samples that a foot is looked for from.
const SAMPLES: usize = 4;
/// Halvings of a piece, in both directions together, before Newton's method is trusted with what is left.
const HALVINGS: usize = 6;
/// Share of its sides by which a solution may leave the part it was looked for in.
const LEAVE: f64 = 0.75;

/// The nearest point of a free-form piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct FreeFoot {
    /// Parameters, in the ranges of the piece.
    pub at: [f64; 2],
    /// The surface there.
    pub jet: SurfaceJet,
    /// Distance along the surface's normal.
    pub height: f64,
    /// Distance across it: not zero where the foot is an end of the ranges.
    pub aside: f64,
}

/// The foot of a point on a piece from the nearest of some samples.
pub(super) fn foot(surface: &NurbsSurface, ranges: [Interval; 2], p: &Point3) -> FreeFoot {
    let share = |i: usize| i as f64 / (SAMPLES - 1) as f64;
    let mut best = (f64::INFINITY, [ranges[0].mid(), ranges[1].mid()]);
    for i in 0..SAMPLES {
        for j in 0..SAMPLES {
            let at = [ranges[0].at(share(i)), ranges[1].at(share(j))];
            let far = (surface.point(at[0], at[1]) - p).norm_squared();
            if far < best.0 {
                best = (far, at);
            }
        }
    }
    foot_from(surface, ranges, p, best.1)
}

/// The foot of a point on a piece from a guess.
pub(super) fn foot_from(
    surface: &NurbsSurface,
    ranges: [Interval; 2],
    p: &Point3,
    guess: [f64; 2],
) -> FreeFoot {
    foot_until(surface, ranges, p, guess, STILL)
}

/// The foot of a point on a piece from a guess, up to steps of this share of the ranges.
///
/// Steps get smaller by squares, and the distance changes by the square of what is left.
pub(super) fn foot_until(
    surface: &NurbsSurface,
    ranges: [Interval; 2],
    p: &Point3,
    guess: [f64; 2],
    still: f64,
) -> FreeFoot {
    let mut at = [ranges[0].clamp(guess[0]), ranges[1].clamp(guess[1])];
    let mut jet = surface.jet(at[0], at[1]);
    let mut far = (p - jet.p).norm_squared();
    for _ in 0..STEPS {
        let step = foot_step(&jet, &(p - jet.p), ranges, at);
        let mut share = 1.0;
        let mut moved = false;
        while share > 1e-3 {
            let next = [0, 1].map(|i| ranges[i].clamp(at[i] + share * step[i]));
            let trial = surface.jet(next[0], next[1]);
            let distance = (p - trial.p).norm_squared();
            if distance <= far {
                moved = [0, 1]
                    .iter()
                    .any(|&i| (next[i] - at[i]).abs() > still * ranges[i].length());
                (at, jet, far) = (next, trial, distance);
                break;
            }
            share *= 0.35;
        }
        if !moved {
            break;
        }
    }
    let offset = p - jet.p;
    let height = jet.normal().map_or(0.0, |n| n.dot(&offset));
    let aside = (offset.norm_squared() - height * height).max(0.0).sqrt();
    FreeFoot {
        at,
        jet,
        height,
        aside,
    }
}

/// The Newton step towards the foot, along an end of a range where it would leave it.
fn foot_step(jet: &SurfaceJet, offset: &Vec3, ranges: [Interval; 2], at: [f64; 2]) -> [f64; 2] {
    let slope = Vec2::new(jet.du.dot(offset), jet.dv.dot(offset));
    let first = [
        jet.du.norm_squared(),
        jet.du.dot(&jet.dv),
        jet.dv.norm_squared(),
    ];
    let second = [
        first[0] - jet.duu.dot(offset),
        first[1] - jet.duv.dot(offset),
        first[2] - jet.dvv.dot(offset),
    ];
    let pinned = [0, 1].map(|i| {
        (at[i] <= ranges[i].lo && slope[i] < 0.0) || (at[i] >= ranges[i].hi && slope[i] > 0.0)
    });
    match pinned {
        [true, true] => [0.0; 2],
        [true, false] => [0.0, slope.y / positive(second[2], first[2])],
        [false, true] => [slope.x / positive(second[0], first[0]), 0.0],
        [false, false] => {
            let definite = |h: &[f64; 3]| h[0] > 0.0 && h[0] * h[2] > h[1] * h[1];
            let h = if definite(&second) { second } else { first };
            let det = h[0] * h[2] - h[1] * h[1];
            if det > 0.0 {
                [
                    (h[2] * slope.x - h[1] * slope.y) / det,
                    (h[0] * slope.y - h[1] * slope.x) / det,
                ]
            } else {
                [slope.x, slope.y].map(|s| s / (h[0] + h[2]).max(f64::MIN_POSITIVE))
            }
        }
    }
}

fn positive(value: f64, otherwise: f64) -> f64 {
    if value > 0.0 {
        value
    } else {
        otherwise.max(f64::MIN_POSITIVE)
    }
}

/// Reused memory of [`line_hits`].
#[derive(Clone, Debug, Default)]
pub(super) struct Nets {
    values: Vec<Vec2>,
    parts: Vec<Part>,
}

#[derive(Clone, Copy, Debug)]
struct Part {
    start: usize,
    depth: usize,
    ranges: [Interval; 2],
}

/// Where a line meets a free-form patch: calls `found` with parameters and derivatives, perhaps more than once for one
/// place.
///
/// Across the line the piece is a map of the plane whose control points bound it; parts that they keep off the line are
/// dropped.
pub(super) fn line_hits(
    part: &TreePart,
    patch: &Patch,
    surface: &NurbsSurface,
    line: (&Point3, &Vec3),
    nets: &mut Nets,
    mut found: impl FnMut([f64; 2], &SurfaceJet),
) {
    let counts = [surface.degree_u + 1, surface.degree_v + 1];
    let control = &part.control[patch.control.range()];
    if control.len() != counts[0] * counts[1] {
        return;
    }
    let across = normals_of(line.1);
    let project = |h: &Point4| {
        let p = h.xyz() - line.0.coords * h.w;
        Vec2::new(across[0].dot(&p), across[1].dot(&p))
    };
    nets.values.clear();
    nets.parts.clear();
    nets.values.extend(control.iter().map(project));
    nets.parts.push(Part {
        start: 0,
        depth: 0,
        ranges: [patch.u, patch.v],
    });
    let size = counts[0] * counts[1];
    while let Some(job) = nets.parts.pop() {
        nets.values.truncate(job.start + size);
        let values = &nets.values[job.start..];
        let one_side = |axis: usize| {
            values.iter().all(|v| v[axis] > 0.0) || values.iter().all(|v| v[axis] < 0.0)
        };
        if one_side(0) || one_side(1) {
            continue;
        }
        if job.depth == HALVINGS {
            if let Some((at, jet)) = meet(surface, line.0, &across, job.ranges) {
                found(at, &jet);
            }
            continue;
        }
        let axis = job.depth % 2;
        halve(&mut nets.values, job.start, counts, axis);
        let (lo, mid, hi) = (
            job.ranges[axis].lo,
            job.ranges[axis].mid(),
            job.ranges[axis].hi,
        );
        let [mut low, mut high] = [job.ranges; 2];
        low[axis] = Interval { lo, hi: mid };
        high[axis] = Interval { lo: mid, hi };
        for (start, ranges) in [(job.start, low), (job.start + size, high)] {
            nets.parts.push(Part {
                start,
                depth: job.depth + 1,
                ranges,
            });
        }
    }
}

/// Two unit vectors at right angles to a direction and each other.
fn normals_of(d: &Vec3) -> [Vec3; 2] {
    let mut helper = Vec3::zeros();
    helper[d.iamin()] = 1.0;
    let a = d.cross(&helper).normalize();
    [a, d.cross(&a).normalize()]
}

/// Replaces a net by its lower half along an axis and appends the upper half (de Casteljau).
pub(super) fn halve<const N: usize>(
    values: &mut Vec<SVector<f64, N>>,
    start: usize,
    counts: [usize; 2],
    axis: usize,
) {
    let size = counts[0] * counts[1];
    values.truncate(start + size);
    values.resize(start + 2 * size, SVector::zeros());
    let (rows, stride, step) = if axis == 0 {
        (counts[1], 1, counts[1])
    } else {
        (counts[0], counts[1], 1)
    };
    let n = counts[axis];
    for row in 0..rows {
        let at = |i: usize| start + row * stride + i * step;
        for k in 0..n {
            values[at(n - 1 - k) + size] = values[at(n - 1)];
            for i in (k + 1..n).rev() {
                values[at(i)] = (values[at(i)] + values[at(i - 1)]) * 0.5;
            }
        }
    }
}

/// Newton's method for the meeting of a line with a small part.
fn meet(
    surface: &NurbsSurface,
    origin: &Point3,
    across: &[Vec3; 2],
    ranges: [Interval; 2],
) -> Option<([f64; 2], SurfaceJet)> {
    let mut at = [ranges[0].mid(), ranges[1].mid()];
    for _ in 0..STEPS {
        let jet = surface.jet(at[0], at[1]);
        let miss = across.map(|n| n.dot(&(jet.p - origin)));
        let (a, b) = (across[0].dot(&jet.du), across[0].dot(&jet.dv));
        let (c, d) = (across[1].dot(&jet.du), across[1].dot(&jet.dv));
        let det = a * d - b * c;
        let step = [
            (b * miss[1] - d * miss[0]) / det,
            (c * miss[0] - a * miss[1]) / det,
        ];
        if !(step[0].is_finite() && step[1].is_finite()) {
            return None;
        }
        let small = [0, 1].map(|i| step[i].abs() <= STILL * (ranges[i].length() + at[i].abs()));
        at = [at[0] + step[0], at[1] + step[1]];
        let off = |i: usize| {
            let slack = LEAVE * ranges[i].length();
            at[i] < ranges[i].lo - slack || at[i] > ranges[i].hi + slack
        };
        if off(0) || off(1) {
            return None;
        }
        if small[0] && small[1] {
            return Some((at, surface.jet(at[0], at[1])));
        }
    }
    None
}
