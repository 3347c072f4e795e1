//! Nearest points, stationary points and boxes of a rational B-spline surface.

use super::NurbsSurface;
use crate::nurbs::curve::{NEWTON_HALVINGS, NEWTON_STEPS, NEWTON_STOP};
use crate::nurbs::solve::{Net, ROUNDING, Root, common_roots};
use crate::nurbs::{BezierSurface, SAME_PARAMETER, basis, pieces};
use crate::{Aabb, Interval, Point3, Point4, SurfaceFoot, Vec3};

impl NurbsSurface {
    /// Start values for the inversion: a grid over every patch.
    fn samples(&self) -> &[(f64, f64, Point3)] {
        self.samples.get_or_init(|| {
            let grid = |knots: &[f64], degree: usize| {
                let all = basis::distinct(knots, degree);
                let steps = degree + 2;
                let mut out = vec![all[0]];
                for w in all.windows(2) {
                    let d = Interval { lo: w[0], hi: w[1] };
                    out.extend((1..=steps).map(|i| d.at(i as f64 / steps as f64)));
                }
                out
            };
            let (us, vs) = (
                grid(&self.knots_u, self.degree_u),
                grid(&self.knots_v, self.degree_v),
            );
            let pairs = us.iter().flat_map(|&u| vs.iter().map(move |&v| (u, v)));
            pairs.map(|(u, v)| (u, v, self.point(u, v))).collect()
        })
    }

    /// Parameters of the nearest point.
    ///
    /// With a guess: of the point Newton's method finds from there, closed directions within half a period of it, and
    /// on a collapsed side the free parameter of the guess. Without: the best over a grid of starts.
    pub fn invert(&self, p: &Point3, guess: Option<(f64, f64)>) -> (f64, f64) {
        let (mut best, arrived) = match guess {
            Some((u, v)) => self.descend(p, self.inside(u, v)),
            None => ((0.0, 0.0, f64::INFINITY), false),
        };
        if !arrived {
            let mut starts: Vec<_> = self
                .samples()
                .iter()
                .map(|(u, v, q)| ((q - p).norm_squared(), *u, *v))
                .collect();
            let few = GRID_STARTS.min(starts.len());
            if few < starts.len() {
                starts.select_nth_unstable_by(few, |a, b| a.0.total_cmp(&b.0));
            }
            starts.truncate(few);
            starts.sort_by(|a, b| a.0.total_cmp(&b.0));
            for (_, u, v) in starts {
                let (found, _) = self.descend(p, (u, v));
                if found.2 < best.2 {
                    best = found;
                }
                if best.2.sqrt() <= ROUNDING * self.size {
                    break;
                }
            }
        }
        let (mut u, mut v, _) = best;
        let Some((gu, gv)) = guess else { return (u, v) };
        let (du, dv) = self.domain();
        let near = |t: f64, end: f64, d: &Interval| (t - end).abs() <= SAME_PARAMETER * d.length();
        if (self.collapsed[2] && near(v, dv.lo, &dv)) || (self.collapsed[3] && near(v, dv.hi, &dv))
        {
            u = gu;
        }
        if (self.collapsed[0] && near(u, du.lo, &du)) || (self.collapsed[1] && near(u, du.hi, &du))
        {
            v = gv;
        }
        if self.closed[0] {
            u += ((gu - u) / du.length()).round() * du.length();
        }
        if self.closed[1] {
            v += ((gv - v) / dv.length()).round() * dv.length();
        }
        (u, v)
    }

    /// Damped Newton descent of the squared distance: parameters and value, and whether it arrived.
    fn descend(&self, p: &Point3, start: (f64, f64)) -> ((f64, f64, f64), bool) {
        let (du, dv) = self.domain();
        let (mut u, mut v) = start;
        let mut best = (self.point(u, v) - p).norm_squared();
        for _ in 0..NEWTON_STEPS {
            let j = self.jet(u, v);
            let r: Vec3 = j.p - p;
            let (mut gu, mut gv) = (r.dot(&j.du), r.dot(&j.dv));
            let (e, f, g) = (j.du.norm_squared(), j.du.dot(&j.dv), j.dv.norm_squared());
            // a parameter at its end that wants to leave stays
            let held = |t: f64, d: &Interval, slope: f64, closed: bool| {
                !closed && ((t <= d.lo && slope > 0.0) || (t >= d.hi && slope < 0.0))
            };
            let hold_u = held(u, &du, gu, self.closed[0]);
            let hold_v = held(v, &dv, gv, self.closed[1]);
            let (mut a, mut b, mut c) = (e + r.dot(&j.duu), f + r.dot(&j.duv), g + r.dot(&j.dvv));
            if !(a > 0.0 && c > 0.0 && a * c - b * b > CONVEX * e * g) {
                // not convex here: Gauss-Newton with a little damping
                (a, b, c) = (e * (1.0 + DAMPING), f, g * (1.0 + DAMPING));
            }
            if hold_u {
                (gu, b, a) = (0.0, 0.0, 1.0);
            }
            if hold_v {
                (gv, b, c) = (0.0, 0.0, 1.0);
            }
            if a <= 0.0 {
                (a, b, gu) = (1.0, 0.0, 0.0);
            }
            if c <= 0.0 {
                (c, b, gv) = (1.0, 0.0, 0.0);
            }
            let det = a * c - b * b;
            let (mut su, mut sv) = ((b * gv - c * gu) / det, (b * gu - a * gv) / det);
            if !su.is_finite() || !sv.is_finite() {
                return ((u, v, best), false);
            }
            let mut moved = 0.0f64;
            let mut better = false;
            for _ in 0..NEWTON_HALVINGS {
                let (nu, nv) = self.inside(u + su, v + sv);
                let value = (self.point(nu, nv) - p).norm_squared();
                if value < best {
                    moved = ((nu - u).abs() / du.length()).max((nv - v).abs() / dv.length());
                    (u, v, best) = (nu, nv, value);
                    better = true;
                    break;
                }
                (su, sv) = (0.5 * su, 0.5 * sv);
            }
            if !better || moved <= NEWTON_STOP {
                let slope = gu.abs() / e.sqrt().max(f64::MIN_POSITIVE)
                    + gv.abs() / g.sqrt().max(f64::MIN_POSITIVE);
                let arrived = slope <= ARRIVED * (self.size + r.norm());
                return ((u, v, best), arrived);
            }
        }
        ((u, v, best), false)
    }

    /// All stationary points of the distance to `p`.
    ///
    /// Of points in a family of equal distance one is given.
    pub fn feet(&self, p: &Point3, out: &mut Vec<SurfaceFoot>) {
        let mut found = Vec::new();
        self.solve_patches(&mut found, |patch| {
            let w = coordinate(patch, |c| c.w);
            let (ws, wt) = (w.ds(), w.dt());
            let flat = !self.is_rational();
            let mut sums: Option<(Net, Net)> = None;
            let mut scale = (0.0, 0.0);
            for axis in 0..3 {
                let h = coordinate(patch, |c| c[axis] - p[axis] * c.w);
                let (hs, ht) = (h.ds(), h.dt());
                let (fs, ft) = if flat {
                    (h.mul(&hs), h.mul(&ht))
                } else {
                    let a = hs.mul(&w).combine(1.0, &h.mul(&ws), -1.0);
                    let b = ht.mul(&w).combine(1.0, &h.mul(&wt), -1.0);
                    (h.mul(&a), h.mul(&b))
                };
                let unit = if flat { 1.0 } else { w.size() };
                let (rs, rt) = if flat {
                    (0.0, 0.0)
                } else {
                    (ws.size(), wt.size())
                };
                scale.0 += h.size() * (hs.size() * unit + h.size() * rs);
                scale.1 += h.size() * (ht.size() * unit + h.size() * rt);
                sums = Some(match sums {
                    Some((s, t)) => (s.combine(1.0, &fs, 1.0), t.combine(1.0, &ft, 1.0)),
                    None => (fs, ft),
                });
            }
            sums.map(|(s, t)| (s, t, (ROUNDING * scale.0, ROUNDING * scale.1)))
        });
        let mut kept: Vec<(SurfaceFoot, bool)> = Vec::new();
        for (u, v, simple) in found {
            let point = self.point(u, v);
            let distance = (point - p).norm();
            let twin = kept.iter().any(|(k, _)| {
                self.same(k.u, k.v, u, v)
                    || (!simple && (k.distance - distance).abs() <= FAMILY * self.size)
            });
            if !twin {
                kept.push((
                    SurfaceFoot {
                        u,
                        v,
                        point,
                        distance,
                    },
                    simple,
                ));
            }
        }
        out.extend(kept.into_iter().map(|k| k.0));
    }

    /// All parameters at which the normal is parallel to a direction.
    ///
    /// Of a family some members are given; where the whole surface is flat in that direction, none.
    pub fn extrema(&self, direction: &Vec3, out: &mut Vec<(f64, f64)>) {
        let mut found = Vec::new();
        self.solve_patches(&mut found, |patch| {
            let w = coordinate(patch, |c| c.w);
            let h = coordinate(patch, |c| c.xyz().dot(direction));
            let zero = ROUNDING * h.size() * w.size() * (self.degree_u + self.degree_v) as f64;
            let (s, t) = if self.is_rational() {
                (
                    h.ds().mul(&w).combine(1.0, &h.mul(&w.ds()), -1.0),
                    h.dt().mul(&w).combine(1.0, &h.mul(&w.dt()), -1.0),
                )
            } else {
                (h.ds(), h.dt())
            };
            (s.size() > zero || t.size() > zero).then_some((s, t, (zero, zero)))
        });
        let first = out.len();
        for (u, v, _) in found {
            if !out[first..].iter().any(|k| self.same(k.0, k.1, u, v)) {
                out.push((u, v));
            }
        }
    }

    /// Roots of two equations on every patch, in parameters of the surface; simple ones first.
    fn solve_patches(
        &self,
        found: &mut Vec<(f64, f64, bool)>,
        equations: impl Fn(&BezierSurface) -> Option<(Net, Net, (f64, f64))>,
    ) {
        let mut roots: Vec<Root> = Vec::new();
        for patch in self.patches() {
            if let Some((f, g, zero)) = equations(patch) {
                roots.clear();
                common_roots(&f, &g, zero, &mut roots);
                found.extend(
                    roots
                        .iter()
                        .map(|r| (patch.domain_u.at(r.s), patch.domain_v.at(r.t), r.simple)),
                );
            }
        }
        found.sort_by_key(|f| !f.2);
    }

    fn same(&self, u0: f64, v0: f64, u1: f64, v1: f64) -> bool {
        let (du, dv) = self.domain();
        let apart = |a: f64, b: f64, d: &Interval, closed: bool| {
            let x = (a - b).abs() / d.length();
            if closed { x.min((1.0 - x).abs()) } else { x }
        };
        apart(u0, u1, &du, self.closed[0]) <= SAME_PARAMETER
            && apart(v0, v1, &dv, self.closed[1]) <= SAME_PARAMETER
    }

    /// A box of the part over a rectangle, tight up to rounding except at extremal lines and circles, where it may
    /// exceed the surface by a little; it always holds the part.
    pub fn bounding_box(&self, u: Interval, v: Interval) -> Aabb {
        let (du, dv) = self.domain();
        let mut out = Aabb::EMPTY;
        let mut parts = Vec::new();
        for pu in pieces(u, du, self.closed[0]) {
            for pv in pieces(v, dv, self.closed[1]) {
                for side in [pu.lo, pu.hi] {
                    out = out.union(&self.iso_u(side).bounding_box(pv));
                }
                for side in [pv.lo, pv.hi] {
                    out = out.union(&self.iso_v(side).bounding_box(pu));
                }
                parts.extend(self.patches().iter().filter_map(|p| p.restricted(pu, pv)));
            }
        }
        let slack = BOX_SLACK * self.size;
        for axis in 0..3 {
            out.max[axis] = self.reach(&parts, axis, 1.0, out.max[axis], slack);
            out.min[axis] = -self.reach(&parts, axis, -1.0, -out.min[axis], slack);
        }
        out
    }

    /// The largest `sign * coordinate` over the parts, given a value that is reached: branch and bound on the hulls.
    fn reach(
        &self,
        parts: &[BezierSurface],
        axis: usize,
        sign: f64,
        reached: f64,
        slack: f64,
    ) -> f64 {
        let top = |p: &BezierSurface| {
            p.control
                .iter()
                .map(|c| sign * c[axis] / c.w)
                .fold(f64::NEG_INFINITY, f64::max)
        };
        let mut best = reached;
        let mut open: Vec<(f64, BezierSurface, usize)> = parts
            .iter()
            .map(|p| (top(p), p))
            .filter(|(t, _)| *t > best + slack)
            .map(|(t, p)| (t, p.clone(), 0))
            .collect();
        let mut splits = 0;
        while !open.is_empty() {
            let mut next = Vec::new();
            for (_, patch, depth) in open.drain(..) {
                let (a, b) = if depth % 2 == 0 {
                    patch.split_u(patch.domain_u.mid())
                } else {
                    patch.split_v(patch.domain_v.mid())
                };
                for half in [a, b] {
                    let n = half.degree_v;
                    let last = half.control.len() - 1;
                    for corner in [0, n, last - n, last] {
                        let c = &half.control[corner];
                        best = best.max(sign * c[axis] / c.w);
                    }
                    let t = top(&half);
                    if t > best + slack {
                        next.push((t, half, depth + 1));
                    }
                }
                splits += 1;
            }
            if let Some((_, patch, _)) = next.iter().max_by(|a, b| a.0.total_cmp(&b.0)) {
                best = best.max(self.climb(patch, axis, sign));
            }
            next.retain(|n| n.0 > best + slack);
            open = next;
            if splits > BOX_SPLITS {
                return open.iter().fold(best, |a, o| a.max(o.0));
            }
        }
        best
    }

    /// Newton from the middle of a patch to a stationary coordinate; its value if still inside the patch.
    fn climb(&self, patch: &BezierSurface, axis: usize, sign: f64) -> f64 {
        let (mut u, mut v) = (patch.domain_u.mid(), patch.domain_v.mid());
        for _ in 0..8 {
            let j = self.jet(u, v);
            let (a, b, c) = (j.duu[axis], j.duv[axis], j.dvv[axis]);
            let (gu, gv) = (j.du[axis], j.dv[axis]);
            let det = a * c - b * b;
            let (su, sv) = ((b * gv - c * gu) / det, (b * gu - a * gv) / det);
            if !su.is_finite() || !sv.is_finite() {
                break;
            }
            let (nu, nv) = (patch.domain_u.clamp(u + su), patch.domain_v.clamp(v + sv));
            if nu == u && nv == v {
                break;
            }
            (u, v) = (nu, nv);
        }
        sign * patch.point(u, v)[axis]
    }
}

fn coordinate(patch: &BezierSurface, f: impl Fn(&Point4) -> f64) -> Net {
    Net::new(
        patch.degree_u,
        patch.degree_v,
        patch.control.iter().map(f).collect(),
    )
}

/// Grid points from which the inversion starts.
const GRID_STARTS: usize = 6;
/// Determinant relative to its terms above which the distance counts as convex.
const CONVEX: f64 = 1e-8;
/// Damping of Gauss-Newton steps.
const DAMPING: f64 = 1e-3;
/// Tangential rest relative to the size at which a descent has arrived.
const ARRIVED: f64 = 1e-7;
/// Difference of distances relative to the size within which singular feet are one family.
const FAMILY: f64 = 1e-4;
/// Excess of a box relative to the size that is not worth a subdivision.
const BOX_SLACK: f64 = 1e-10;
/// Subdivisions for one side of a box.
const BOX_SPLITS: usize = 600;
