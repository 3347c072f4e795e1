//! The nearest point of a rational B-spline surface.
//!
//! A damped Newton descent from the guess usually arrives in two or three steps. Unless it ends close to the surface,
//! every patch whose control hull comes nearer than the best point so far is searched, too: by descents from the local
//! minima of a small grid of points.

use super::NurbsSurface;
use crate::nurbs::{into_domain, project};
use crate::{Aabb, Interval, Point3, Vec3};

/// Points of one patch from which descents start.
#[derive(Clone, Debug)]
pub(super) struct PatchSamples {
    hull: Aabb,
    region: Region,
    us: Vec<f64>,
    vs: Vec<f64>,
    /// Index `iu * vs.len() + iv`.
    points: Vec<Point3>,
}

/// Where a descent may go.
#[derive(Clone, Copy, Debug)]
struct Region {
    u: Interval,
    v: Interval,
    closed: [bool; 2],
    /// The knot spans, if it is a single patch.
    spans: Option<(usize, usize)>,
}

/// Where a descent ended.
#[derive(Clone, Copy)]
struct Descent {
    u: f64,
    v: f64,
    /// Squared distance.
    square: f64,
    arrived: bool,
}

impl NurbsSurface {
    fn samples(&self) -> &[PatchSamples] {
        self.samples.get_or_init(|| {
            let grid = |d: Interval, degree: usize| -> Vec<f64> {
                let steps = 2 * degree + 2;
                (0..=steps).map(|i| d.at(i as f64 / steps as f64)).collect()
            };
            let of = |patch: &super::BezierSurface| {
                let us = grid(patch.domain_u, self.degree_u);
                let vs = grid(patch.domain_v, self.degree_v);
                let pairs = us.iter().flat_map(|&u| vs.iter().map(move |&v| (u, v)));
                let span = |knots: &[f64], lo: f64| knots.partition_point(|&k| k <= lo) - 1;
                let spans = (
                    span(&self.knots_u, patch.domain_u.lo),
                    span(&self.knots_v, patch.domain_v.lo),
                );
                PatchSamples {
                    hull: patch.hull(),
                    region: Region {
                        u: patch.domain_u,
                        v: patch.domain_v,
                        closed: [false; 2],
                        spans: Some(spans),
                    },
                    points: pairs.map(|(u, v)| self.point(u, v)).collect(),
                    us,
                    vs,
                }
            };
            self.patches().iter().map(of).collect()
        })
    }

    /// Parameters of the nearest point.
    ///
    /// With a guess that leads to a point of the surface within a small fraction of its size: of that one, unless
    /// another sheet is much nearer. Closed directions come within half a period of the guess, and on a collapsed side the
    /// free parameter is the guess's. Without a guess, all come in the domain.
    pub fn invert(&self, p: &Point3, guess: Option<(f64, f64)>) -> (f64, f64) {
        let (u, v) = self.domain();
        let all = Region {
            u,
            v,
            closed: self.closed,
            spans: None,
        };
        let local = guess.map(|(u, v)| self.descend(p, self.inside(u, v), &all));
        let within = |d: &Descent, part: f64| d.square <= (part * self.size).powi(2);
        let mut found = match local {
            Some(d) if d.arrived && within(&d, ON_SURFACE) => d,
            Some(d) if d.arrived && within(&d, ON_SHEET) => {
                let other = self.search(p, local);
                if other.square < d.square * MUCH_NEARER.powi(2) {
                    other
                } else {
                    d
                }
            }
            _ => self.search(p, local),
        };
        let (du, dv) = self.domain();
        let (gu, gv) = guess.unwrap_or((du.lo, dv.lo));
        if self.collapsed != [false; 4] {
            self.settle_on_pole(p, &mut found, (gu, gv));
        }
        if guess.is_some() {
            if self.closed[0] {
                found.u += ((gu - found.u) / du.length()).round() * du.length();
            }
            if self.closed[1] {
                found.v += ((gv - found.v) / dv.length()).round() * dv.length();
            }
        }
        (found.u, found.v)
    }

    /// Takes a pole instead of a point that is not nearer, with the guess for the free parameter.
    fn settle_on_pole(&self, p: &Point3, found: &mut Descent, (gu, gv): (f64, f64)) {
        let (du, dv) = self.domain();
        let reach = found.square.sqrt() + POLE_REACH * self.size;
        let last = self.control.len() - 1;
        let corners = [0, last, 0, last];
        for side in (0..4).filter(|&s| self.collapsed[s]) {
            if (project(&self.control[corners[side]]) - p).norm() <= reach {
                match side {
                    0 => (found.u, found.v) = (du.lo, gv),
                    1 => (found.u, found.v) = (du.hi, gv),
                    2 => (found.u, found.v) = (gu, dv.lo),
                    _ => (found.u, found.v) = (gu, dv.hi),
                }
                return;
            }
        }
    }

    /// The nearest point over all patches, or the given one.
    fn search(&self, p: &Point3, local: Option<Descent>) -> Descent {
        let (du, dv) = self.domain();
        let nowhere = Descent {
            u: du.lo,
            v: dv.lo,
            square: f64::INFINITY,
            arrived: false,
        };
        let mut best = local.unwrap_or(nowhere);
        let samples = self.samples();
        let upper = samples
            .iter()
            .map(|s| (s.points[s.points.len() / 2] - p).norm_squared())
            .fold(best.square, f64::min);
        let mut open: Vec<(f64, &PatchSamples)> = samples
            .iter()
            .map(|s| (box_distance_squared(&s.hull, p), s))
            .filter(|(lower, _)| *lower <= upper)
            .collect();
        open.sort_by(|a, b| a.0.total_cmp(&b.0));
        let enough = (POLE_REACH * self.size).powi(2);
        let mut descents = 0;
        let mut starts = Vec::new();
        for (lower, patch) in open {
            if lower >= best.square || best.square <= enough || descents >= MOST_DESCENTS {
                break;
            }
            patch.local_minima(p, &mut starts);
            for &(_, u, v) in &starts {
                if best.square <= enough {
                    break;
                }
                let found = self.descend(p, (u, v), &patch.region);
                descents += 1;
                if found.square < best.square {
                    best = found;
                }
            }
        }
        best
    }

    /// Damped Newton descent of the squared distance from parameters of a region.
    fn descend(&self, p: &Point3, start: (f64, f64), region: &Region) -> Descent {
        let jet = |u: f64, v: f64| match region.spans {
            Some(spans) => self.jet_of(spans, u, v),
            None => self.jet(u, v),
        };
        let inside = |u: f64, v: f64| {
            (
                into_domain(u, region.u, region.closed[0]),
                into_domain(v, region.v, region.closed[1]),
            )
        };
        let (mut u, mut v) = start;
        let mut j = jet(u, v);
        let mut r: Vec3 = j.p - p;
        let mut square = r.norm_squared();
        let noise = f64::EPSILON * (self.size + p.coords.amax());
        for _ in 0..NEWTON_STEPS {
            let (mut gu, mut gv) = (r.dot(&j.du), r.dot(&j.dv));
            let (e, f, g) = (j.du.norm_squared(), j.du.dot(&j.dv), j.dv.norm_squared());
            let (mut a, mut b, mut c) = (e + r.dot(&j.duu), f + r.dot(&j.duv), g + r.dot(&j.dvv));
            let convex = a > 0.0 && c > 0.0 && a * c - b * b > CONVEX * e * g;
            if !convex {
                // Gauss-Newton with a little damping
                (a, b, c) = (e * (1.0 + DAMPING), f, g * (1.0 + DAMPING));
            }
            // a parameter at its end that wants to leave stays, as does one that moves nothing
            let held = |t: f64, d: &Interval, slope: f64, closed: bool| {
                !closed && ((t <= d.lo && slope > 0.0) || (t >= d.hi && slope < 0.0))
            };
            if held(u, &region.u, gu, region.closed[0]) || a <= 0.0 {
                (a, b, gu) = (1.0, 0.0, 0.0);
            }
            if held(v, &region.v, gv, region.closed[1]) || c <= 0.0 {
                (c, b, gv) = (1.0, 0.0, 0.0);
            }
            let det = a * c - b * b;
            let (mut su, mut sv) = ((b * gv - c * gu) / det, (b * gu - a * gv) / det);
            // nor may the coupling of the two push one out
            let leaves = |t: f64, d: &Interval, step: f64, closed: bool| {
                !closed && ((t <= d.lo && step < 0.0) || (t >= d.hi && step > 0.0))
            };
            if leaves(u, &region.u, su, region.closed[0]) {
                (su, sv) = (0.0, -gv / c);
            }
            if leaves(v, &region.v, sv, region.closed[1]) {
                (su, sv) = (if su == 0.0 { 0.0 } else { -gu / a }, 0.0);
            }
            if !su.is_finite() || !sv.is_finite() {
                break;
            }
            let step = j.du * su + j.dv * sv;
            let length = su.abs() * e.sqrt() + sv.abs() * g.sqrt();
            if length <= noise || (convex && length <= LAST_STEP * self.size) {
                // Newton's method squares the error: no need to look again
                let (u, v) = inside(u + su, v + sv);
                return Descent {
                    u,
                    v,
                    square: square.min((r + step).norm_squared()),
                    arrived: true,
                };
            }
            let mut better = false;
            for _ in 0..NEWTON_HALVINGS {
                let (nu, nv) = inside(u + su, v + sv);
                let next = jet(nu, nv);
                let rest = next.p - p;
                if rest.norm_squared() < square {
                    (u, v, j, r, square) = (nu, nv, next, rest, rest.norm_squared());
                    better = true;
                    break;
                }
                (su, sv) = (0.5 * su, 0.5 * sv);
            }
            if !better {
                let slope = gu.abs() / e.sqrt().max(f64::MIN_POSITIVE)
                    + gv.abs() / g.sqrt().max(f64::MIN_POSITIVE);
                let arrived = slope <= ARRIVED * (self.size + r.norm());
                return Descent {
                    u,
                    v,
                    square,
                    arrived,
                };
            }
        }
        Descent {
            u,
            v,
            square,
            arrived: false,
        }
    }
}

impl PatchSamples {
    /// Squared distances and parameters of the grid points not farther than their neighbours, nearest first.
    ///
    /// On the border only neighbours on the border count: a minimum there may hide beside a shallow valley.
    fn local_minima(&self, p: &Point3, out: &mut Vec<(f64, f64, f64)>) {
        out.clear();
        let (nu, nv) = (self.us.len(), self.vs.len());
        let square: Vec<f64> = self.points.iter().map(|q| (q - p).norm_squared()).collect();
        let around = |i: usize, n: usize| i.saturating_sub(1)..=(i + 1).min(n - 1);
        let border = |a: usize, b: usize| a == 0 || b == 0 || a == nu - 1 || b == nv - 1;
        for iu in 0..nu {
            for iv in 0..nv {
                let here = square[iu * nv + iv];
                let mut least = true;
                for (a, b) in around(iu, nu).flat_map(|a| around(iv, nv).map(move |b| (a, b))) {
                    let there = square[a * nv + b];
                    // of equal ones the first
                    let lower = here < there || (here == there && (iu, iv) <= (a, b));
                    least &= lower || (border(iu, iv) && !border(a, b));
                }
                if least {
                    out.push((here, self.us[iu], self.vs[iv]));
                }
            }
        }
        out.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
}

fn box_distance_squared(b: &Aabb, p: &Point3) -> f64 {
    (0..3)
        .map(|i| (b.min[i] - p[i]).max(p[i] - b.max[i]).max(0.0))
        .map(|d| d * d)
        .sum()
}

/// Newton steps at most.
const NEWTON_STEPS: usize = 40;
/// Halvings of one Newton step at most.
const NEWTON_HALVINGS: usize = 12;
/// Distance relative to the size up to which the guess's own nearest point is taken without a search.
const ON_SURFACE: f64 = 1e-5;
/// Distance relative to the size up to which it is kept unless another point is much nearer.
const ON_SHEET: f64 = 1e-3;
/// Ratio of distances at which a point is much nearer.
const MUCH_NEARER: f64 = 0.1;
/// Distance relative to the size within which a point is a pole, or simply found.
const POLE_REACH: f64 = 1e-12;
/// Descents of one search at most.
const MOST_DESCENTS: usize = 64;
/// Newton step relative to the size that is the last one.
const LAST_STEP: f64 = 1e-8;
/// Determinant relative to its terms above which the distance counts as convex.
const CONVEX: f64 = 1e-3;
/// Damping of Gauss-Newton steps.
const DAMPING: f64 = 1e-3;
/// Tangential rest relative to the size at which a descent that cannot improve has arrived.
const ARRIVED: f64 = 1e-7;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nurbs::surface::tests::torus;
    use crate::oracle::{Random, grid, least2, seeds};

    #[test]
    fn points_of_the_surface_come_back() {
        for seed in seeds(40) {
            let mut random = Random::new(seed);
            let size = random.pick(&[1e-3, 1.0, 1e4]);
            let origin = Point3::from(random.vector(1.0) * random.pick(&[0.0, 1e5]));
            let s = random.surface(size, &origin).build();
            let (du, dv) = s.domain();
            let tol = 1e-10 * size + 1e-14 * origin.coords.norm();
            for (u, v) in grid(du, 8).flat_map(|u| grid(dv, 8).map(move |v| (u, v))) {
                let p = s.point(u, v);
                let mut shake = |x: f64| {
                    (
                        u + x * du.length() * random.real(-1.0, 1.0),
                        v + x * dv.length() * random.real(-1.0, 1.0),
                    )
                };
                for guess in [None, Some((u, v)), Some(shake(0.01)), Some(shake(1.0))] {
                    let (a, b) = s.invert(&p, guess);
                    assert!(du.contains(a) && dv.contains(b));
                    let miss = (s.point(a, b) - p).norm();
                    assert!(miss <= tol, "{seed} {u} {v} {guess:?} {a} {b} {miss:e}");
                }
            }
        }
    }

    #[test]
    fn no_sample_is_nearer() {
        for seed in seeds(40) {
            let mut random = Random::new(seed);
            let s = random.surface(1.0, &Point3::origin()).build();
            let (du, dv) = s.domain();
            for _ in 0..5 {
                let (u, v) = (du.at(random.real(0.0, 1.0)), dv.at(random.real(0.0, 1.0)));
                let p = s.point(u, v) + random.vector(1.0) * random.pick(&[1e-5, 0.1, 1.0]);
                let (least, ..) = least2(du, dv, 60, &|a, b| (s.point(a, b) - p).norm());
                for guess in [None, Some((u, v))] {
                    let (a, b) = s.invert(&p, guess);
                    let miss = (s.point(a, b) - p).norm();
                    assert!(
                        miss <= least + 1e-9 || (guess.is_some() && miss < 1e-3),
                        "{seed} {guess:?} {miss} {least}"
                    );
                }
            }
        }
    }

    #[test]
    fn the_guess_chooses_the_branch() {
        let s = torus();
        for seed in seeds(50) {
            let mut random = Random::new(seed);
            let (u, v) = (random.real(0.0, 4.0), random.real(0.0, 4.0));
            let p = s.point(u, v) + s.normal(u, v).unwrap() * random.real(-0.5, 2.0);
            let turns = [random.whole(0, 6), random.whole(0, 6)].map(|n| 4.0 * (n as f64 - 3.0));
            let guess = (
                u + turns[0] + random.real(-1.9, 1.9),
                v + turns[1] + random.real(-1.9, 1.9),
            );
            let (a, b) = s.invert(&p, Some(guess));
            assert!((a - u - turns[0]).abs() < 1e-7, "{seed} {a} {u} {turns:?}");
            assert!((b - v - turns[1]).abs() < 1e-7, "{seed} {b} {v} {turns:?}");
        }
    }

    #[test]
    fn a_point_out_of_this_world_does_no_harm() {
        let s = torus();
        for p in [f64::NAN, f64::INFINITY, 1e300] {
            for guess in [None, Some((1.0, 2.0)), Some((f64::NAN, 1.0))] {
                s.invert(&Point3::new(p, 0.0, 0.0), guess);
            }
        }
    }
}
