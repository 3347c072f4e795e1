//! Stationary points on a rational B-spline surface, all of them.

use super::NurbsSurface;
use crate::nurbs::solve::{Net, ROUNDING, Root, common_roots};
use crate::nurbs::{BezierSurface, SAME_PARAMETER, project};
use crate::{Interval, Point3, Point4, SurfaceFoot, SurfaceJet, Vec3};
use std::collections::HashMap;

impl NurbsSurface {
    /// All stationary points of the distance to `p`, those on creases included, the sides not.
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
        self.on_creases(
            &|c| {
                let mut feet = Vec::new();
                c.feet(p, c.domain(), &mut feet);
                feet.iter().map(|f| f.t).collect()
            },
            &|j| {
                let r = j.p - p;
                [&j.du, &j.dv].map(|d| d.dot(&r) / (d.norm() * r.norm()))
            },
            &mut found,
        );
        found.sort_by_key(|f| !f.2);
        let mut kept: Vec<(SurfaceFoot, bool)> = Vec::new();
        for (u, v, simple) in found {
            let (u, v) = if simple {
                (u, v)
            } else {
                self.polished(u, v, &|j| {
                    let r = j.p - p;
                    let second = [
                        j.du.norm_squared() + r.dot(&j.duu),
                        j.du.dot(&j.dv) + r.dot(&j.duv),
                        j.dv.norm_squared() + r.dot(&j.dvv),
                    ];
                    ([r.dot(&j.du), r.dot(&j.dv)], second)
                })
            };
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

    /// All parameters at which the normal is parallel to a direction, or on a crease a normal between those of both
    /// sides is.
    ///
    /// Of a family some members are given; where the whole surface is flat in that direction, none.
    pub fn extrema(&self, direction: &Vec3, out: &mut Vec<(f64, f64)>) {
        let all = Interval {
            lo: f64::INFINITY,
            hi: f64::NEG_INFINITY,
        };
        self.extrema_beyond(direction, all, out);
    }

    /// The extrema along a unit direction whose coordinate along it lies outside a range, and perhaps some others.
    ///
    /// Patches whose control points stay within the range, up to rounding, are not looked at.
    pub fn extrema_beyond(&self, direction: &Vec3, range: Interval, out: &mut Vec<(f64, f64)>) {
        let mut found = Vec::new();
        let origin = project(&self.control[0]).coords;
        let slack = BEYOND * self.size;
        let within = |c: &Point4| {
            let along = project(c).coords.dot(direction);
            range.lo - slack <= along && along <= range.hi + slack
        };
        self.solve_patches(&mut found, |patch| {
            if patch.control.iter().all(within) {
                return None;
            }
            let w = coordinate(patch, |c| c.w);
            let h = coordinate(patch, |c| (c.xyz() - origin * c.w).dot(direction));
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
        self.on_creases(
            &|c| {
                let mut ts = Vec::new();
                c.extrema(direction, &mut ts);
                ts
            },
            &|j| [&j.du, &j.dv].map(|d| d.dot(direction) / (d.norm() * direction.norm())),
            &mut found,
        );
        let mut seen = Seen::default();
        for (u, v, simple) in found {
            let (u, v) = if simple {
                (u, v)
            } else {
                self.polished(u, v, &|j| {
                    let [gu, gv] = [&j.du, &j.dv].map(|d| d.dot(direction));
                    let second = [&j.duu, &j.duv, &j.dvv].map(|d| d.dot(direction));
                    ([gu, gv], second)
                })
            };
            if seen.is_new(self, u, v) {
                out.push((u, v));
            }
        }
    }

    /// A member of a family of zeros of a gradient, from one nearby: Newton across the family.
    fn polished(&self, u: f64, v: f64, slopes: &Slopes) -> (f64, f64) {
        let (du, dv) = self.domain();
        let (mut u, mut v) = (u, v);
        for _ in 0..POLISH_STEPS {
            let ([gu, gv], [a, b, c]) = slopes(&self.jet(u, v));
            // the larger row of the Hessian is the direction that changes the gradient
            let (nu, nv) = if a.abs() >= c.abs() { (a, b) } else { (b, c) };
            let along = -(gu * nu + gv * nv) / ((nu * nu + nv * nv) * (a + c));
            let (su, sv) = (along * nu, along * nv);
            let near = |s: f64, d: &Interval| s.abs() <= POLISH_REACH * d.length();
            if !near(su, &du) || !near(sv, &dv) {
                break;
            }
            (u, v) = (du.clamp(u + su), dv.clamp(v + sv));
        }
        (u, v)
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
}

/// Parameters met so far, by cells of a grid: families of thousands of members are common.
#[derive(Default)]
struct Seen {
    cells: HashMap<(i64, i64), Vec<(f64, f64)>>,
}

impl Seen {
    /// True for parameters that are not the same as any before, which they join then.
    fn is_new(&mut self, surface: &NurbsSurface, u: f64, v: f64) -> bool {
        let (du, dv) = surface.domain();
        let cell = |t: f64, d: &Interval, closed: bool| {
            let count = 0.5 / SAME_PARAMETER;
            let at = ((t - d.lo) / d.length() * count).floor();
            (if closed { at.rem_euclid(count) } else { at }) as i64
        };
        let last = (0.5 / SAME_PARAMETER) as i64 - 1;
        let key = (
            cell(u, &du, surface.closed[0]),
            cell(v, &dv, surface.closed[1]),
        );
        let beside = |k: i64, closed: bool| {
            let wrapped = move |k: i64| if closed { k.rem_euclid(last + 1) } else { k };
            [wrapped(k - 1), k, wrapped(k + 1)]
        };
        for i in beside(key.0, surface.closed[0]) {
            for j in beside(key.1, surface.closed[1]) {
                let near = self.cells.get(&(i, j)).into_iter().flatten();
                if near.clone().any(|k| surface.same(k.0, k.1, u, v)) {
                    return false;
                }
            }
        }
        self.cells.entry(key).or_default().push((u, v));
        true
    }
}

fn coordinate(patch: &BezierSurface, f: impl Fn(&Point4) -> f64) -> Net {
    Net::new(
        patch.degree_u,
        patch.degree_v,
        patch.control.iter().map(f).collect(),
    )
}

/// Gradient and second derivatives (uu, uv, vv) of a function of the surface point, from a jet.
type Slopes<'a> = dyn Fn(&SurfaceJet) -> ([f64; 2], [f64; 3]) + 'a;
/// Newton steps for a member of a family.
const POLISH_STEPS: usize = 6;
/// Longest of these steps, relative to the domain.
const POLISH_REACH: f64 = 0.02;
/// Share of the surface's size by which control points count as within a range.
const BEYOND: f64 = 1e-14;
/// Difference of distances relative to the size within which singular feet are one family.
const FAMILY: f64 = 1e-4;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Point3;
    use crate::oracle::{Random, seeds, zeros};

    fn among(
        s: &NurbsSurface,
        (u, v): (f64, f64),
        found: impl Iterator<Item = (f64, f64)>,
    ) -> bool {
        let (du, dv) = s.domain();
        let mut found = found;
        found.any(|f| (f.0 - u).abs() < 1e-6 * du.length() && (f.1 - v).abs() < 1e-6 * dv.length())
    }

    #[test]
    fn feet_and_extrema_are_complete_and_stationary() {
        for seed in seeds(25) {
            let mut random = Random::new(seed);
            let origin = Point3::from(random.vector(1.0) * random.pick(&[0.0, 1e3]));
            let s = random.surface(1.0, &origin).build();
            let (du, dv) = s.domain();
            let centre = s.point(du.mid(), dv.mid());
            let (p, d) = (centre + random.vector(1.0), random.vector(1.0));
            let (mut feet, mut extrema) = (Vec::new(), Vec::new());
            s.feet(&p, &mut feet);
            s.extrema(&d, &mut extrema);
            for f in &feet {
                let j = s.jet(f.u, f.v);
                let r = (j.p - p).normalize();
                // of a kink only one side need be stationary
                if s.breaks_u().is_empty() && s.breaks_v().is_empty() {
                    assert!(r.dot(&j.du).abs() < 1e-6 * j.du.norm(), "{seed} {f:?}");
                    assert!(r.dot(&j.dv).abs() < 1e-6 * j.dv.norm(), "{seed} {f:?}");
                }
                assert!(
                    (f.point - j.p).norm() < 1e-12 && (f.distance - (j.p - p).norm()).abs() < 1e-12
                );
            }
            for zero in zeros(du, dv, 25, &|u, v| {
                let j = s.jet(u, v);
                let r = j.p - p;
                let second = [
                    j.du.norm_squared() + r.dot(&j.duu),
                    j.du.dot(&j.dv) + r.dot(&j.duv),
                    j.dv.norm_squared() + r.dot(&j.dvv),
                ];
                ([r.dot(&j.du), r.dot(&j.dv)], second)
            }) {
                assert!(
                    among(&s, zero, feet.iter().map(|f| (f.u, f.v))),
                    "{seed} feet {zero:?}"
                );
            }
            for zero in zeros(du, dv, 25, &|u, v| {
                let j = s.jet(u, v);
                (
                    [d.dot(&j.du), d.dot(&j.dv)],
                    [d.dot(&j.duu), d.dot(&j.duv), d.dot(&j.dvv)],
                )
            }) {
                assert!(
                    among(&s, zero, extrema.iter().copied()),
                    "{seed} extrema {zero:?}"
                );
            }
        }
    }

    #[test]
    fn extrema_beyond_a_range_are_all_there() {
        // Hills of several heights side by side.
        let (count, degree) = (9, 2);
        let height = |i: usize, j: usize| ((i * 7 + j * 13) % 5) as f64;
        let control = (0..count * count).map(|k| {
            let (i, j) = (k / count, k % count);
            Point4::new(i as f64, j as f64, height(i, j), 1.0)
        });
        let inner = (1..count - degree).map(|k| k as f64);
        let ends = |t: f64| std::iter::repeat_n(t, degree + 1);
        let knots = ends(0.0).chain(inner).chain(ends((count - degree) as f64));
        let knots: Vec<f64> = knots.collect();
        let control = control.collect();
        let s = NurbsSurface::new(2, 2, knots.clone(), knots, count, count, control).unwrap();
        let d = Vec3::z();
        let mut all = Vec::new();
        s.extrema(&d, &mut all);
        assert!(all.len() > 10, "{}", all.len());
        let along = |(u, v): &(f64, f64)| s.point(*u, *v).z;
        for (lo, hi) in [(1.0, 3.0), (0.5, 2.0), (2.0, 2.1), (-1.0, 5.0)] {
            let (range, mut some) = (Interval::new(lo, hi), Vec::new());
            s.extrema_beyond(&d, range, &mut some);
            let beyond = |p: &&(f64, f64)| !range.contains(along(p));
            assert!(all.iter().filter(beyond).all(|p| some.contains(p)));
            assert!(hi < 5.0 || some.is_empty(), "control points are all within");
        }
    }

    #[test]
    fn flat_and_collapsed_surfaces_have_no_extrema_and_do_not_hang() {
        let lift = |x: f64, y: f64, z: f64| crate::nurbs::lift(&Point3::new(x, y, z), 1.0);
        let knots = vec![0.0, 0.0, 1.0, 1.0];
        let flat = vec![
            lift(0., 0., 1.),
            lift(0., 1., 1.),
            lift(2., 0., 1.),
            lift(2., 1., 1.),
        ];
        let point = vec![lift(1., 2., 3.); 4];
        for control in [flat, point] {
            let s = NurbsSurface::new(1, 1, knots.clone(), knots.clone(), 2, 2, control).unwrap();
            let (mut feet, mut extrema) = (Vec::new(), Vec::new());
            s.extrema(&Vec3::z(), &mut extrema);
            assert!(extrema.is_empty());
            s.feet(&Point3::new(0.7, 0.4, 3.0), &mut feet);
            assert!(feet.len() <= 1, "{}", feet.len());
            s.invert(&Point3::new(0.7, 0.4, 3.0), Some((0.1, 0.1)));
            let (du, dv) = s.domain();
            assert_eq!(s.bounding_box(du, dv).min.z, s.point(0.0, 0.0).z);
        }
    }

    #[test]
    fn members_of_families_are_exact() {
        use crate::curve::Circle;
        use crate::nurbs::construct::{from_conic, revolve};
        use crate::{Curve, Frame};
        use std::f64::consts::TAU;
        for seed in seeds(10) {
            let mut random = Random::new(seed);
            let f = random.frame(10.0);
            let tube = Frame {
                origin: f.point(3.0, 0.0, 0.0),
                x: f.x,
                y: f.z,
                z: -f.y,
            };
            let lo = random.real(0.0, 6.0);
            let circle = Curve::Circle(Circle {
                frame: tube,
                radius: 1.0,
            });
            let curve = from_conic(&circle, Interval::new(lo, lo + TAU)).unwrap();
            let s = revolve(&curve, f.origin, f.z, TAU).unwrap();
            let mut out = Vec::new();
            s.extrema(&f.z, &mut out);
            let heights: Vec<f64> = out
                .iter()
                .map(|&(u, v)| f.local(&s.point(u, v)).z)
                .collect();
            for wanted in [1.0, -1.0] {
                assert!(
                    heights.iter().any(|h| (h - wanted).abs() < 1e-12),
                    "{seed} {heights:?}"
                );
            }
            assert!(
                heights.iter().all(|h| (h.abs() - 1.0).abs() < 1e-9),
                "{seed} {heights:?}"
            );
            let mut feet = Vec::new();
            s.feet(&f.point(0.0, 0.0, 0.5), &mut feet);
            let tilt = 3.0_f64.hypot(0.5);
            for wanted in [tilt - 1.0, tilt + 1.0] {
                let hit = feet.iter().any(|x| (x.distance - wanted).abs() < 1e-12);
                assert!(hit, "{seed} {feet:?}");
            }
        }
    }
}
