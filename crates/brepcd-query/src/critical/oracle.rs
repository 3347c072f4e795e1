//! Independent answers for tests: cores from a seed, and stationary pairs by dense sampling and refinement.
//!
//! A core has at most one angle; its other parameters enter linearly and are eliminated by least squares, so that what
//! is left is a function of at most two angles, sampled on a grid and refined from every cell that may hold a zero.

pub(super) use super::Core;
use super::{Outcome, Pair, Pairs, Tolerance};
use brepcd_geom::curve::{Circle, Ellipse, Line};
use brepcd_geom::surface::{Cone, Plane};
use brepcd_geom::{Frame, Point3, Vec3};
use std::f64::consts::TAU;

/// A generator of numbers (splitmix64) and of cores of size about one, all in general position.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e6c_63d0_876a_68cd).wrapping_add(11))
    }

    /// In `lo..hi`.
    pub(super) fn real(&mut self, lo: f64, hi: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let bits = z ^ (z >> 31);
        lo + (hi - lo) * (bits >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// In `-1..1`.
    pub(super) fn signed(&mut self) -> f64 {
        self.real(-1.0, 1.0)
    }

    pub(super) fn vector(&mut self) -> Vec3 {
        Vec3::new(self.signed(), self.signed(), self.signed())
    }

    pub(super) fn unit(&mut self) -> Vec3 {
        loop {
            let v = self.vector();
            if v.norm() > 0.1 && v.norm() < 1.0 {
                return v.normalize();
            }
        }
    }

    pub(super) fn point(&mut self) -> Point3 {
        Point3::from(self.vector() * 2.0)
    }

    pub(super) fn frame(&mut self) -> Frame {
        let hint = self.unit();
        Frame::from_z_and_hint(self.point(), self.unit(), Some(hint)).unwrap()
    }

    pub(super) fn line(&mut self) -> Line {
        Line {
            origin: self.point(),
            dir: self.unit(),
        }
    }

    pub(super) fn circle(&mut self) -> Circle {
        Circle {
            frame: self.frame(),
            radius: self.real(0.2, 2.5),
        }
    }

    pub(super) fn ellipse(&mut self) -> Ellipse {
        Ellipse {
            frame: self.frame(),
            rx: self.real(0.2, 2.5),
            ry: self.real(0.2, 2.5),
        }
    }

    pub(super) fn plane(&mut self) -> Plane {
        Plane {
            frame: self.frame(),
        }
    }

    pub(super) fn cone(&mut self) -> Cone {
        let half_angle = self.real(0.15, 1.3);
        Cone {
            frame: self.frame(),
            radius: self.real(0.0, 1.5),
            half_angle: if self.signed() < 0.0 {
                -half_angle
            } else {
                half_angle
            },
        }
    }
}

/// A core at an angle: a point, the directions of its linear parameters and the tangent of the angle.
struct Slice {
    base: Point3,
    linear: Vec<Vec3>,
    tangent: Option<Vec3>,
}

fn slice(core: &Core, angle: f64) -> Slice {
    let (base, linear, tangent) = match core {
        Core::Point(p) => (*p, vec![], None),
        Core::Line(l) => (l.origin, vec![l.dir], None),
        Core::Circle(c) => (c.point(angle), vec![], Some(c.frame.tangential(angle))),
        Core::Ellipse(e) => (e.point(angle), vec![], Some(e.jet(angle).d1)),
        Core::Plane(p) => (p.frame.origin, vec![p.frame.x, p.frame.y], None),
        Core::Cone(c) => (
            c.point(angle, 0.0),
            vec![c.jet(angle, 0.0).dv],
            Some(c.frame.tangential(angle)),
        ),
    };
    Slice {
        base,
        linear,
        tangent,
    }
}

/// The pair at two angles, its linear parameters the best ones, and what must vanish of it.
struct Sample {
    a: Point3,
    b: Point3,
    linear: [Vec<f64>; 2],
    zeros: [f64; 2],
}

fn sample(a: &Core, b: &Core, angles: [f64; 2]) -> Option<Sample> {
    let (sa, sb) = (slice(a, angles[0]), slice(b, angles[1]));
    let all: Vec<Vec3> = sa.linear.iter().chain(&sb.linear).copied().collect();
    let gap = sb.base - sa.base;
    let mut steps = vec![0.0; all.len()];
    if !all.is_empty() {
        let row = |i: usize| {
            let mut row: Vec<f64> = all.iter().map(|d| d.dot(&all[i])).collect();
            row.push(all[i].dot(&gap));
            row
        };
        steps = solve((0..all.len()).map(row).collect(), 1e-5)?;
    }
    let (la, lb) = steps.split_at(sa.linear.len());
    let pa = sa
        .linear
        .iter()
        .zip(la)
        .fold(sa.base, |p, (d, s)| p + d * *s);
    let pb = sb
        .linear
        .iter()
        .zip(lb)
        .fold(sb.base, |p, (d, s)| p - d * *s);
    // Two lines always have a common normal, also where they cross.
    let normal = match all.len() {
        2 if sa.linear.len() == 1 => all[0].cross(&all[1]).normalize(),
        _ => pb - pa,
    };
    let zero = |t: Option<Vec3>| t.map_or(0.0, |t| t.dot(&normal));
    Some(Sample {
        a: pa,
        b: pb,
        linear: [la.to_vec(), lb.iter().map(|s| -s).collect()],
        zeros: [zero(sa.tangent), zero(sb.tangent)],
    })
}

/// The solution of a small linear system, given as rows with the right side last; `None` for a pivot under `least`.
fn solve(mut rows: Vec<Vec<f64>>, least: f64) -> Option<Vec<f64>> {
    let n = rows.len();
    for k in 0..n {
        let best = (k..n).max_by(|&i, &j| rows[i][k].abs().total_cmp(&rows[j][k].abs()))?;
        rows.swap(k, best);
        if rows[k][k].abs() < least {
            return None;
        }
        let pivot = rows[k].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(i, _)| *i != k) {
            let factor = row[k] / pivot[k];
            row.iter_mut()
                .zip(&pivot)
                .for_each(|(x, p)| *x -= factor * p);
        }
    }
    Some((0..n).map(|k| rows[k][n] / rows[k][k]).collect())
}

fn has_angle(core: &Core) -> bool {
    matches!(core, Core::Circle(_) | Core::Ellipse(_) | Core::Cone(_))
}

/// The radius of the cone at the pair's point on it, 1 for other cores: positive on the nappe.
fn nappe(core: &Core, angle: f64, p: &Point3) -> f64 {
    match core {
        Core::Cone(c) => (p - c.frame.origin).dot(&c.frame.radial(angle)),
        _ => 1.0,
    }
}

fn refine(a: &Core, b: &Core, start: [f64; 2], step: f64) -> Option<[f64; 2]> {
    let free: Vec<usize> = [has_angle(a), has_angle(b)]
        .iter()
        .enumerate()
        .filter_map(|(i, f)| f.then_some(i))
        .collect();
    if free.is_empty() {
        return Some(start);
    }
    let mut at = start;
    for _ in 0..30 {
        let here = sample(a, b, at)?.zeros;
        let h = 1e-5;
        let mut rows: Vec<Vec<f64>> = free.iter().map(|_| Vec::new()).collect();
        for &k in &free {
            let (mut low, mut high) = (at, at);
            low[k] -= h;
            high[k] += h;
            let (low, high) = (sample(a, b, low)?.zeros, sample(a, b, high)?.zeros);
            for (i, &m) in free.iter().enumerate() {
                rows[i].push((high[m] - low[m]) / (2.0 * h));
            }
        }
        for (row, &m) in rows.iter_mut().zip(&free) {
            row.push(here[m]);
        }
        let delta = solve(rows, 1e-12)?;
        let length = delta.iter().map(|d| d * d).sum::<f64>().sqrt();
        let scale = (3.0 * step / length).min(1.0);
        for (i, &k) in free.iter().enumerate() {
            at[k] -= delta[i] * scale;
        }
        if length < 1e-11 {
            return Some(at);
        }
    }
    None
}

/// All stationary pairs that sampling finds, as points.
fn brute_force(a: &Core, b: &Core) -> Vec<(Point3, Point3)> {
    let (na, nb) = match (has_angle(a), has_angle(b)) {
        (true, true) => (80, 80),
        (true, false) => (400, 1),
        (false, true) => (1, 400),
        (false, false) => (1, 1),
    };
    let grid = |n: usize, i: usize| TAU * ((i % n) as f64 + 0.37) / n as f64;
    let on_surface =
        matches!(a, Core::Plane(_) | Core::Cone(_)) || matches!(b, Core::Plane(_) | Core::Cone(_));
    let values: Vec<Option<[f64; 2]>> = (0..na * nb)
        .map(|k| sample(a, b, [grid(na, k / nb), grid(nb, k % nb)]).map(|s| s.zeros))
        .collect();
    let mut found: Vec<(Point3, Point3)> = Vec::new();
    for (i, j) in (0..na).flat_map(|i| (0..nb).map(move |j| (i, j))) {
        let corners = [(i, j), (i + 1, j), (i, j + 1), (i + 1, j + 1)]
            .map(|(i, j)| values[(i % na) * nb + j % nb]);
        let Some(corners) = corners.into_iter().collect::<Option<Vec<_>>>() else {
            continue;
        };
        let may_vanish = |k: usize| {
            let low = corners.iter().map(|c| c[k]).fold(f64::INFINITY, f64::min);
            let high = corners.iter().map(|c| c[k]).fold(-f64::INFINITY, f64::max);
            let slack = 0.2 * (high - low);
            low - slack <= 0.0 && high + slack >= 0.0
        };
        if !(may_vanish(0) && may_vanish(1)) {
            continue;
        }
        let half = |n: usize, i: usize| grid(n, i) + if n > 1 { 0.5 * TAU / n as f64 } else { 0.0 };
        let step = TAU / na.max(nb) as f64;
        let Some(at) = refine(a, b, [half(na, i), half(nb, j)], step) else {
            continue;
        };
        let Some(s) = sample(a, b, at) else { continue };
        let pierces = on_surface && (s.linear[0].len(), s.linear[1].len()) != (1, 1);
        if pierces && (s.b - s.a).norm() < 1e-6 {
            continue;
        }
        if nappe(a, at[0], &s.a) < 1e-7 || nappe(b, at[1], &s.b) < 1e-7 {
            continue;
        }
        let same = |p: &(Point3, Point3)| (p.0 - s.a).norm() + (p.1 - s.b).norm() < 1e-6;
        if !found.iter().any(same) {
            found.push((s.a, s.b));
        }
    }
    found
}

/// The tangents of a core at its parameters, and the point.
fn contact(core: &Core, t: [f64; 2]) -> (Point3, Vec<Vec3>) {
    match core {
        Core::Point(p) => (*p, vec![]),
        Core::Line(l) => (l.point(t[0]), vec![l.dir]),
        Core::Circle(c) => (c.point(t[0]), vec![c.frame.tangential(t[0])]),
        Core::Ellipse(e) => (e.point(t[0]), vec![e.jet(t[0]).d1.normalize()]),
        Core::Plane(p) => (p.point(t[0], t[1]), vec![p.frame.x, p.frame.y]),
        Core::Cone(c) => {
            let tangents = vec![c.frame.tangential(t[0]), c.jet(t[0], t[1]).dv];
            (c.point(t[0], t[1]), tangents)
        }
    }
}

/// Asserts that a pair is stationary to within `tolerance`, an angle or a length relative to `size`.
pub(super) fn assert_stationary(a: &Core, b: &Core, pair: &Pair, size: f64, tolerance: f64) {
    let ((pa, ta), (pb, tb)) = (contact(a, pair.ta), contact(b, pair.tb));
    let reach = 1.0 + pair.a.coords.norm() + pair.b.coords.norm();
    let off = (pa - pair.a).norm() + (pb - pair.b).norm();
    assert!(
        off < 1e-13 * (size + reach),
        "off by {off}: {a:?} {b:?} {pair:?}"
    );
    let direction = pair.direction;
    for t in ta.iter().chain(&tb) {
        let residual = (pair.b - pair.a).dot(t).abs();
        let bound = tolerance * (size + reach);
        assert!(
            residual < bound,
            "residual {residual}: {a:?} {b:?} {pair:?}"
        );
        if let Some(d) = direction {
            // Points that are close together tell their direction only as well as they are rounded.
            let rounding = 1e-15 * reach / pair.distance().max(1e-15 * reach);
            let bound = 10.0 * rounding.min(1.0) + tolerance * (size + reach) / size * 1e3;
            assert!(
                d.dot(t).abs() < bound,
                "direction {}: {a:?} {b:?} {pair:?}",
                d.dot(t)
            );
        }
    }
    if let Some(d) = direction {
        assert!((d.norm() - 1.0).abs() < 1e-13);
        let along = (pair.b - pair.a).dot(&d);
        assert!(
            (along - pair.distance()).abs() < tolerance.max(1e-12) * (size + reach),
            "{a:?} {b:?} {pair:?}"
        );
    }
    for (core, t, p) in [(a, pair.ta, pair.a), (b, pair.tb, pair.b)] {
        assert!(nappe(core, t[0], &p) > -1e-9 * size, "beyond the apex");
    }
}

/// Solves, and asserts that each pair is stationary, that none comes twice and that none of the sampled ones is missing.
pub(super) fn agree(a: &Core, b: &Core, solve: impl FnOnce(&Tolerance, &mut Pairs) -> Outcome) {
    let mut out = Pairs::new();
    let outcome = solve(&Tolerance::default(), &mut out);
    assert_eq!(outcome, Outcome::Isolated, "{a:?} {b:?}");
    for (i, pair) in out.as_slice().iter().enumerate() {
        assert_stationary(a, b, pair, 1.0, 1e-13);
        for other in &out.as_slice()[..i] {
            let apart = (pair.a - other.a).norm() + (pair.b - other.b).norm();
            assert!(apart > 1e-9, "twice: {a:?} {b:?} {pair:?}");
        }
    }
    for (pa, pb) in brute_force(a, b) {
        let near =
            |p: &Pair| (p.a - pa).norm() + (p.b - pb).norm() < 1e-5 * (1.0 + pa.coords.norm());
        let known = out.as_slice().iter().any(near);
        assert!(
            known,
            "missing {pa:?} {pb:?}: {a:?} {b:?} {:?}",
            out.as_slice()
        );
    }
}
