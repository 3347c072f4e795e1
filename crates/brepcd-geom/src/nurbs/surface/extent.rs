//! The exact box of a part of a rational B-spline surface.
//!
//! The sides and creases contribute their exact boxes. Inside, each coordinate is maximised by branch and bound, best
//! bound first: the control coefficients of a cell bound it from above, its corners and Newton's method from there
//! give values that are reached.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::NurbsSurface;
use crate::nurbs::solve::Net;
use crate::nurbs::{BezierSurface, basis, pieces, project};
use crate::{Aabb, Interval};

impl NurbsSurface {
    /// The box of the control points, which holds the surface.
    pub fn control_box(&self) -> Aabb {
        Aabb::of(self.control.iter().map(project))
    }

    /// The box of the part over a rectangle, exact up to rounding and a tiny fraction of the size.
    pub fn bounding_box(&self, u: Interval, v: Interval) -> Aabb {
        let (du, dv) = self.domain();
        let mut out = Aabb::EMPTY;
        let mut parts = Vec::new();
        let creases = |knots: &[f64], degree: usize, d: Interval| -> Vec<f64> {
            let mut out = vec![d.lo, d.hi];
            let inner = basis::distinct(knots, degree);
            let inside = inner.into_iter().filter(|&t| d.lo < t && t < d.hi);
            out.extend(inside.filter(|&t| basis::multiplicity(knots, t) >= degree));
            out
        };
        for pu in pieces(u, du, self.closed[0]) {
            for pv in pieces(v, dv, self.closed[1]) {
                for t in creases(&self.knots_u, self.degree_u, pu) {
                    out = out.union(&self.iso_u(t).bounding_box(pv));
                }
                for t in creases(&self.knots_v, self.degree_v, pv) {
                    out = out.union(&self.iso_v(t).bounding_box(pu));
                }
                let meets = |p: &&BezierSurface| {
                    p.domain_u.lo < pu.hi
                        && pu.lo < p.domain_u.hi
                        && p.domain_v.lo < pv.hi
                        && pv.lo < p.domain_v.hi
                };
                for patch in self.patches().iter().filter(meets) {
                    parts.extend(patch.restricted(pu, pv));
                }
            }
        }
        if out.is_empty() {
            return out;
        }
        for axis in 0..3 {
            out.max[axis] = self.reach(&parts, axis, 1.0, out.max[axis]);
            out.min[axis] = -self.reach(&parts, axis, -1.0, -out.min[axis]);
        }
        out
    }

    /// The largest `sign * coordinate` over the parts, given a value that is reached.
    fn reach(&self, parts: &[BezierSurface], axis: usize, sign: f64, reached: f64) -> f64 {
        let slack = BOX_SLACK * self.size;
        // all values relative to the one reached, so that far from the origin none is rounded
        let mut best = 0.0;
        let mut open = BinaryHeap::new();
        for part in parts {
            let top = part.control.iter().map(|c| sign * c[axis] / c.w);
            if top.fold(f64::NEG_INFINITY, f64::max) > reached + slack {
                open.extend(Cell::of(part, axis, sign, reached, self.is_rational()).higher(slack));
            }
        }
        for looked in 0..MOST_CELLS {
            let Some(cell) = open.pop() else { break };
            if cell.top <= best + slack {
                break;
            }
            if looked < ALWAYS_CLIMB || looked % SOMETIMES_CLIMB == 0 {
                best = f64::max(best, self.climb(&cell, axis, sign) - reached);
            }
            for half in cell.halves() {
                best = best.max(half.corners());
                open.extend(half.higher(best + slack));
            }
        }
        reached + best
    }

    /// Newton from the middle of a cell to a stationary coordinate; the best value met inside the cell.
    fn climb(&self, cell: &Cell, axis: usize, sign: f64) -> f64 {
        let (mut u, mut v) = (cell.u.mid(), cell.v.mid());
        let mut best = f64::NEG_INFINITY;
        for _ in 0..CLIMB_STEPS {
            let j = self.jet(u, v);
            best = best.max(sign * j.p[axis]);
            let (a, b, c) = (j.duu[axis], j.duv[axis], j.dvv[axis]);
            let (gu, gv) = (j.du[axis], j.dv[axis]);
            let det = a * c - b * b;
            let (su, sv) = if det.abs() > FLAT * (a * a + 2.0 * b * b + c * c) {
                ((b * gv - c * gu) / det, (b * gu - a * gv) / det)
            } else {
                // a line of extremes: straight to it, along the only curved direction
                let (nu, nv) = if a.abs() >= c.abs() { (a, b) } else { (b, c) };
                let along = -(gu * nu + gv * nv) / ((nu * nu + nv * nv) * (a + c));
                (along * nu, along * nv)
            };
            if !su.is_finite() || !sv.is_finite() {
                break;
            }
            let (nu, nv) = (cell.u.clamp(u + su), cell.v.clamp(v + sv));
            if nu == u && nv == v {
                break;
            }
            (u, v) = (nu, nv);
        }
        best
    }
}

/// A coordinate of a Bézier patch over a rectangle.
struct Cell {
    /// Upper bound.
    top: f64,
    /// Coordinate times weight.
    h: Net,
    /// Weight, unless it is 1 everywhere.
    w: Option<Net>,
    u: Interval,
    v: Interval,
}

impl Cell {
    fn of(part: &BezierSurface, axis: usize, sign: f64, origin: f64, rational: bool) -> Self {
        let net = |c: Vec<f64>| Net::new(part.degree_u, part.degree_v, c);
        let relative = part.control.iter().map(|c| {
            let h = sign * c[axis] - origin * c.w;
            if rational { h } else { h / c.w }
        });
        let h = net(relative.collect());
        let w = rational.then(|| net(part.control.iter().map(|c| c.w).collect()));
        Self::new(h, w, part.domain_u, part.domain_v)
    }

    fn new(h: Net, w: Option<Net>, u: Interval, v: Interval) -> Self {
        let top = (0..h.c.len()).map(|i| ratio(&h, &w, i));
        let top = top.fold(f64::NEG_INFINITY, f64::max);
        Self { top, h, w, u, v }
    }

    /// The cell if it may hold values above a level.
    fn higher(self, level: f64) -> Option<Self> {
        (self.top > level).then_some(self)
    }

    /// The highest corner.
    fn corners(&self) -> f64 {
        let (n, last) = (self.h.n, self.h.c.len() - 1);
        let corners = [0, n, last - n, last];
        let values = corners.map(|i| ratio(&self.h, &self.w, i));
        values.into_iter().fold(f64::NEG_INFINITY, f64::max)
    }

    /// Both halves, cut across the direction that bends more.
    fn halves(&self) -> [Self; 2] {
        let at = |i: usize| ratio(&self.h, &self.w, i);
        let row = self.h.n + 1;
        let bend = |i: usize, stride: usize| (at(i - stride) - 2.0 * at(i) + at(i + stride)).abs();
        let (mut bend_u, mut bend_v) = (0.0_f64, 0.0_f64);
        for i in 0..=self.h.m {
            for j in 0..=self.h.n {
                if i > 0 && i < self.h.m {
                    bend_u = bend_u.max(bend(i * row + j, row));
                }
                if j > 0 && j < self.h.n {
                    bend_v = bend_v.max(bend(i * row + j, 1));
                }
            }
        }
        let halves = |net: &Net| {
            let (a, b) = if bend_u >= bend_v {
                net.halves_s()
            } else {
                net.halves_t()
            };
            [a, b]
        };
        let [ha, hb] = halves(&self.h);
        let [wa, wb] = match &self.w {
            Some(w) => halves(w).map(Some),
            None => [None, None],
        };
        let cut = |d: Interval| {
            let mid = d.mid();
            [Interval { hi: mid, ..d }, Interval { lo: mid, ..d }]
        };
        let ([ua, ub], [va, vb]) = if bend_u >= bend_v {
            (cut(self.u), [self.v; 2])
        } else {
            ([self.u; 2], cut(self.v))
        };
        [Self::new(ha, wa, ua, va), Self::new(hb, wb, ub, vb)]
    }
}

fn ratio(h: &Net, w: &Option<Net>, i: usize) -> f64 {
    w.as_ref().map_or(h.c[i], |w| h.c[i] / w.c[i])
}

impl PartialEq for Cell {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Cell {}

impl PartialOrd for Cell {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Cell {
    fn cmp(&self, other: &Self) -> Ordering {
        self.top.total_cmp(&other.top)
    }
}

/// Excess over a reached value, relative to the size, that is not worth a subdivision.
const BOX_SLACK: f64 = 1e-11;
/// Cells looked at for one side of a box at most.
const MOST_CELLS: usize = 3000;
/// Cells from which Newton's method always starts.
const ALWAYS_CLIMB: usize = 16;
/// Of the later cells, one in so many.
const SOMETIMES_CLIMB: usize = 8;
/// Newton steps from one cell.
const CLIMB_STEPS: usize = 12;
/// Determinant of second derivatives relative to their squares under which the extremes form a line.
const FLAT: f64 = 1e-12;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::{Random, least2, seeds};
    use crate::{Frame, Point3};

    #[test]
    fn boxes_are_exact() {
        for seed in seeds(25) {
            let mut random = Random::new(seed);
            let size = random.pick(&[1e-3, 1.0, 1e4]);
            let origin = Point3::from(random.vector(1.0) * random.pick(&[0.0, 1e5]));
            let s = random.surface(size, &origin).build();
            let (du, dv) = s.domain();
            let mut part = |d: Interval| {
                Interval::new(d.at(random.real(0.0, 1.0)), d.at(random.real(0.0, 1.0)))
            };
            let (pu, pv) = if seed % 2 == 0 {
                (du, dv)
            } else {
                (part(du), part(dv))
            };
            let found = s.bounding_box(pu, pv);
            let tol = 2e-10 * s.size() + 1e-14 * origin.coords.norm();
            for axis in 0..3 {
                let (lo, ..) = least2(pu, pv, 50, &|u, v| s.point(u, v)[axis]);
                let (hi, ..) = least2(pu, pv, 50, &|u, v| -s.point(u, v)[axis]);
                let miss = (found.min[axis] - lo, found.max[axis] + hi);
                assert!(
                    miss.0.abs() <= tol && miss.1.abs() <= tol,
                    "{seed} {axis} {miss:?} {size}"
                );
            }
        }
    }

    #[test]
    fn boxes_of_exact_revolutions_are_those_of_the_canonical_surfaces() {
        use crate::nurbs::construct::{extrude, from_conic, revolve};
        use crate::surface::{Cylinder, Torus, TorusShape};
        use crate::{Curve, Surface, curve::Circle};
        use std::f64::consts::TAU;
        let turn = Interval::new(0.0, TAU);
        for seed in seeds(20) {
            let mut random = Random::new(seed);
            let mut frame = random.frame(7.0);
            if seed % 4 == 0 {
                frame = Frame {
                    origin: frame.origin,
                    ..Frame::world()
                };
            }
            let (major, minor) = (random.real(3.0, 8.0), random.real(0.5, 2.9));
            let tube = Frame {
                origin: frame.point(major, 0.0, 0.0),
                x: frame.x,
                y: frame.z,
                z: -frame.y,
            };
            let circle =
                |frame, radius| from_conic(&Curve::Circle(Circle { frame, radius }), turn).unwrap();
            let ring = revolve(&circle(tube, minor), frame.origin, frame.z, TAU).unwrap();
            let torus = Surface::Torus(Torus {
                frame,
                major,
                minor,
                shape: TorusShape::Ring,
            });
            let pipe = extrude(&circle(frame, minor), frame.z * major).unwrap();
            let cylinder = Surface::Cylinder(Cylinder {
                frame,
                radius: minor,
            });
            for (nurbs, exact) in [
                (&ring, torus.bounding_box(turn, turn)),
                (
                    &pipe,
                    cylinder.bounding_box(turn, Interval::new(0.0, major)),
                ),
            ] {
                let (du, dv) = nurbs.domain();
                let found = nurbs.bounding_box(du, dv);
                assert!(
                    (found.min - exact.min).norm() < 1e-12,
                    "{seed} {found:?} {exact:?}"
                );
                assert!(
                    (found.max - exact.max).norm() < 1e-12,
                    "{seed} {found:?} {exact:?}"
                );
            }
        }
    }

    #[test]
    fn parts_across_the_seam_are_those_of_the_canonical_torus() {
        use crate::Surface;
        use crate::surface::{Torus, TorusShape};
        // the B-spline has the angles of the canonical torus at every quarter
        let s = crate::nurbs::surface::tests::torus();
        let torus = Surface::Torus(Torus {
            frame: Frame::world(),
            major: 3.0,
            minor: 1.0,
            shape: TorusShape::Ring,
        });
        let quarter = std::f64::consts::FRAC_PI_2;
        for a in -6..=6 {
            for b in 1..=4 {
                for c in 1..=4 {
                    let (lo, b, c) = (f64::from(a), f64::from(b), f64::from(c));
                    let part = |n: f64, unit: f64| Interval::new(lo * unit, (lo + n) * unit);
                    let found = s.bounding_box(part(b, 1.0), part(c, 1.0));
                    let exact = torus.bounding_box(part(b, quarter), part(c, quarter));
                    assert!((found.min - exact.min).norm() < 1e-12, "{a} {b} {c}");
                    assert!((found.max - exact.max).norm() < 1e-12, "{a} {b} {c}");
                }
            }
        }
    }

    #[test]
    fn an_oblique_line_of_extremes_is_exact_enough() {
        // z = 1 - (x + y - 1)², highest along a diagonal of the square
        let f = |x: f64, y: f64| crate::nurbs::lift(&Point3::new(x, y, 0.0), 1.0);
        let mut control: Vec<_> = (0..9)
            .map(|i| f(f64::from(i / 3) / 2.0, f64::from(i % 3) / 2.0))
            .collect();
        // Bernstein coefficients of 2x + 2y - 2xy - x² - y²
        for (c, z) in control
            .iter_mut()
            .zip([0.0, 1.0, 1.0, 1.0, 1.5, 1.0, 1.0, 1.0, 0.0])
        {
            c.z = z;
        }
        let knots = vec![0.0, 0.0, 0.0, 1.0, 1.0, 1.0];
        let s = NurbsSurface::new(2, 2, knots.clone(), knots, 3, 3, control).unwrap();
        assert!((s.point(0.3, 0.7).z - 1.0).abs() < 1e-15);
        let (du, dv) = s.domain();
        assert!((s.bounding_box(du, dv).max.z - 1.0).abs() < 1e-12);
    }
}
