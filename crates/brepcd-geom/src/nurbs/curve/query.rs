//! Boxes and nearest points of a rational B-spline curve.

use super::NurbsCurve;
use crate::nurbs::{SAME_PARAMETER, pieces, project, solve};
use crate::{Aabb, CurveFoot, Interval, Point3, Point4, Vec3};

impl NurbsCurve {
    /// Appends the parameters at which the tangent is orthogonal to a direction; of a straight piece none.
    pub(crate) fn extrema(&self, direction: &Vec3, out: &mut Vec<f64>) {
        let mut found = Vec::new();
        for piece in self.decompose() {
            let origin = project(&piece.control[0]).coords;
            let row = |f: &dyn Fn(&Point4) -> f64| {
                solve::Net::new(piece.degree(), 0, piece.control.iter().map(f).collect())
            };
            let h = row(&|c| (c.xyz() - origin * c.w).dot(direction));
            let w = row(&|c| c.w);
            let slope = h.ds().mul(&w).combine(1.0, &h.mul(&w.ds()), -1.0);
            let zero = solve::ROUNDING * h.size() * w.size();
            if slope.size() > zero {
                found.clear();
                solve::roots(&slope.c, zero, &mut found);
                out.extend(found.iter().map(|s| piece.domain.at(*s)));
            }
        }
    }

    /// The exact box of the part over an interval.
    pub fn bounding_box(&self, interval: Interval) -> Aabb {
        let mut out = Aabb::EMPTY;
        let mut found = Vec::new();
        for part in pieces(interval, self.domain(), self.closed) {
            out.include(&self.point(part.lo));
            out.include(&self.point(part.hi));
            if part.length() <= 0.0 {
                continue;
            }
            for piece in self.restricted(part).decompose() {
                out.include(&piece.point(piece.domain.lo));
                let hull = piece.hull();
                if out.contains(&hull.min) && out.contains(&hull.max) {
                    continue;
                }
                for axis in 0..3 {
                    // relative to a point of the piece, so that far from the origin nothing cancels
                    let origin = project(&piece.control[0])[axis];
                    let row = |f: &dyn Fn(&Point4) -> f64| {
                        let c = piece.control.iter().map(f).collect();
                        solve::Net::new(piece.degree(), 0, c)
                    };
                    let (h, w) = (row(&|c| c[axis] - origin * c.w), row(&|c| c.w));
                    let slope = h.ds().mul(&w).combine(1.0, &h.mul(&w.ds()), -1.0);
                    found.clear();
                    let zero = solve::ROUNDING * h.size() * w.size();
                    if slope.size() > zero {
                        solve::roots(&slope.c, zero, &mut found);
                    }
                    for s in &found {
                        out.include(&piece.point(piece.domain.at(*s)));
                    }
                }
            }
        }
        out
    }

    /// All stationary points of the distance to `p` in the interval, and the kinks that act as such.
    ///
    /// A piece of constant distance gives one point.
    pub fn feet(&self, p: &Point3, interval: Interval, out: &mut Vec<CurveFoot>) {
        let mut all = Vec::new();
        let mut found = Vec::new();
        let mut before = None;
        let pieces = self.decompose();
        for piece in &pieces {
            let n = piece.degree();
            let w = solve::Net::new(n, 0, piece.control.iter().map(|c| c.w).collect());
            let mut slope: Option<solve::Net> = None;
            let mut scale = 0.0;
            for axis in 0..3 {
                let c = piece
                    .control
                    .iter()
                    .map(|c| c[axis] - p[axis] * c.w)
                    .collect();
                let h = solve::Net::new(n, 0, c);
                let d = h.ds().mul(&w).combine(1.0, &h.mul(&w.ds()), -1.0);
                scale += h.size() * (h.ds().size() * w.size() + h.size() * w.ds().size());
                let term = h.mul(&d);
                slope = Some(match slope {
                    Some(s) => s.combine(1.0, &term, 1.0),
                    None => term,
                });
            }
            let Some(slope) = slope else { continue };
            found.clear();
            solve::roots(&slope.c, solve::ROUNDING * scale, &mut found);
            all.extend(found.iter().map(|s| piece.domain.at(*s)));
            let (first, last) = (slope.c[0], slope.c[slope.c.len() - 1]);
            if before.is_some_and(|b: f64| b * first < 0.0) {
                all.push(piece.domain.lo);
            }
            before = Some(last);
        }
        all.sort_by(f64::total_cmp);
        let slack = SAME_PARAMETER * self.domain().length();
        all.dedup_by(|b, a| *b - *a < slack);
        if self.closed
            && all.len() > 1
            && all[all.len() - 1] - all[0] > self.domain().length() - slack
        {
            all.pop();
        }
        for t in all {
            let point = self.point(t);
            let distance = (point - p).norm();
            self.images(t, interval, |t| out.push(CurveFoot { t, point, distance }));
        }
    }

    /// The nearest point of the interval, its ends included.
    pub fn nearest(&self, p: &Point3, interval: Interval) -> CurveFoot {
        let d = self.domain();
        let interval = if self.closed && interval.length().is_finite() {
            interval
        } else {
            Interval {
                lo: d.clamp(interval.lo),
                hi: d.clamp(interval.hi),
            }
        };
        let mut all = Vec::new();
        self.feet(p, interval, &mut all);
        let mut corners = self.breaks(interval);
        corners.extend([interval.lo, interval.hi]);
        all.extend(corners.into_iter().map(|t| {
            let point = self.point(t);
            CurveFoot {
                t,
                point,
                distance: (point - p).norm(),
            }
        }));
        let mut best = all[all.len() - 1];
        for foot in all {
            if foot.distance < best.distance {
                best = foot;
            }
        }
        best
    }

    /// The parameter of the nearest point.
    ///
    /// With a guess that leads to a point within a small fraction of the curve's size: that one, even if another
    /// branch is nearer; of a closed curve within half a period of the guess.
    pub fn invert(&self, p: &Point3, guess: Option<f64>) -> f64 {
        let d = self.domain();
        let Some(guess) = guess else {
            return self.nearest(p, d).t;
        };
        let (mut t, distance) = self.descend(p, self.inside(guess));
        if distance > ON_CURVE * self.size {
            let nearest = self.nearest(p, d);
            if nearest.distance < distance {
                t = nearest.t;
            }
        }
        if self.closed {
            t += ((guess - t) / d.length()).round() * d.length();
        }
        t
    }

    /// Damped Newton descent of the distance from a parameter of the domain: parameter and distance where it ended.
    fn descend(&self, p: &Point3, start: f64) -> (f64, f64) {
        let mut t = start;
        let mut jet = self.jet(t);
        let mut r: Vec3 = jet.p - p;
        let noise = f64::EPSILON * (self.size + p.coords.amax());
        for _ in 0..NEWTON_STEPS {
            let (slope, square) = (r.dot(&jet.d1), jet.d1.norm_squared());
            let full = square + r.dot(&jet.d2);
            let convex = full > CONVEX * square;
            let mut step = -slope / if convex { full } else { square };
            if !step.is_finite() {
                break;
            }
            let length = step.abs() * square.sqrt();
            if length <= noise || (convex && length <= LAST_STEP * self.size) {
                return (self.inside(t + step), r.norm());
            }
            let mut better = false;
            for _ in 0..NEWTON_HALVINGS {
                let next = self.inside(t + step);
                let there = self.jet(next);
                let rest = there.p - p;
                if rest.norm_squared() < r.norm_squared() {
                    (t, jet, r, better) = (next, there, rest, true);
                    break;
                }
                step *= 0.5;
            }
            if !better {
                break;
            }
        }
        (t, r.norm())
    }
}

/// Newton steps at most.
const NEWTON_STEPS: usize = 40;
/// Halvings of one Newton step at most.
const NEWTON_HALVINGS: usize = 12;
/// Newton step relative to the size that is the last one, since the error squares.
const LAST_STEP: f64 = 1e-8;
/// Second derivative relative to the squared speed above which the squared distance counts as convex.
const CONVEX: f64 = 0.1;
/// Distance relative to the size up to which the guess's own nearest point is taken without a search.
const ON_CURVE: f64 = 1e-3;

#[cfg(test)]
mod tests {
    use super::super::tests::{circle, wavy};
    use super::*;
    use crate::oracle::{Random, grid, least, seeds};

    #[test]
    fn rational_circle_is_a_circle() {
        let c = circle();
        assert!(c.is_closed() && c.period() == Some(4.0));
        for k in 0..100 {
            assert!((c.point(0.11 * k as f64).coords.norm() - 1.0).abs() < 1e-14);
        }
        let b = c.bounding_box(Interval::new(0.5, 3.5));
        assert!((b.min - Point3::new(-1.0, -1.0, 0.0)).norm() < 1e-12);
        assert!((b.max.x - 0.5f64.sqrt()).abs() < 1e-12 && (b.max.y - 1.0).abs() < 1e-12);
        let mut feet = Vec::new();
        c.feet(&Point3::new(3.0, 0.5, 1.0), c.domain(), &mut feet);
        assert_eq!(feet.len(), 2);
        let near = c.nearest(&Point3::new(3.0, -0.5, 0.0), Interval::new(2.0, 6.0));
        assert!((near.distance - (9.25f64.sqrt() - 1.0)).abs() < 1e-12 && near.t > 3.5);
    }

    #[test]
    fn nearest_beats_samples_and_invert_finds_the_parameter() {
        let c = wavy();
        for k in 0..20 {
            let x = k as f64;
            let p = Point3::new(0.35 * x, x.sin(), (2.0 * x).cos());
            let near = c.nearest(&p, c.domain());
            for i in 0..=1000 {
                let q = c.point(c.domain().at(i as f64 / 1000.0));
                assert!((q - p).norm() >= near.distance - 1e-12);
            }
            let t = c.domain().at((x + 0.5) / 20.0);
            assert!((c.invert(&c.point(t), None) - t).abs() < 1e-9);
            assert!((c.invert(&c.point(t), Some(t + 0.02)) - t).abs() < 1e-9);
        }
    }

    #[test]
    fn boxes_are_exact() {
        for seed in seeds(60) {
            let mut random = Random::new(seed);
            let size = random.pick(&[1e-3, 1.0, 1e4]);
            let origin = Point3::from(random.vector(1.0) * random.pick(&[0.0, 1e5]));
            let c = random.curve(size, &origin).build();
            let d = c.domain();
            let (a, b) = (random.real(0.0, 1.0), random.real(0.0, 1.0));
            let part = random.pick(&[d, Interval::new(d.at(a), d.at(b))]);
            let found = c.bounding_box(part);
            let tol = 1e-11 * size + 1e-14 * origin.coords.norm();
            for axis in 0..3 {
                let lo = least(part, 400, &|t| c.point(t)[axis]);
                let hi = -least(part, 400, &|t| -c.point(t)[axis]);
                assert!((found.min[axis] - lo).abs() <= tol, "{seed} {axis}");
                assert!((found.max[axis] - hi).abs() <= tol, "{seed} {axis}");
            }
        }
    }

    #[test]
    fn all_stationary_points_are_found() {
        for seed in seeds(60) {
            let mut random = Random::new(seed);
            let origin = Point3::from(random.vector(1.0) * random.pick(&[0.0, 1e4]));
            let c = random.curve(1.0, &origin).build();
            let p = origin + random.vector(1.5);
            let d = c.domain();
            let mut feet = Vec::new();
            c.feet(&p, d, &mut feet);
            let spans = c.breaks(d);
            for foot in &feet {
                let j = c.jet(foot.t);
                let kink = spans.iter().any(|k| (k - foot.t).abs() < 1e-9 * d.length());
                let slope = j.d1.dot(&(j.p - p)) / j.d1.norm();
                assert!(kink || slope.abs() < 1e-7, "{seed} {slope:e}");
                assert!((foot.distance - (c.point(foot.t) - p).norm()).abs() < 1e-12);
            }
            // every local extreme of the samples has a foot beside it
            let n = 2000;
            let ts: Vec<f64> = grid(d, n).collect();
            let f: Vec<f64> = ts.iter().map(|&t| (c.point(t) - p).norm()).collect();
            for i in 1..n {
                if (f[i] - f[i - 1]) * (f[i + 1] - f[i]) < 0.0 {
                    let near = |x: &CurveFoot| ts[i - 1] <= x.t && x.t <= ts[i + 1];
                    assert!(feet.iter().any(near), "{seed} {}", ts[i]);
                }
            }
            let least = least(d, 400, &|t| (c.point(t) - p).norm());
            let nearest = c.nearest(&p, d);
            assert!(nearest.distance <= least + 1e-11, "{seed}");
            assert!((c.point(nearest.t) - nearest.point).norm() < 1e-12);
            assert_eq!(c.invert(&p, None), nearest.t);
        }
    }

    #[test]
    fn inversion_returns_to_the_parameter() {
        for seed in seeds(60) {
            let mut random = Random::new(seed);
            let size = random.pick(&[1e-3, 1.0, 1e4]);
            let c = random.curve(size, &Point3::origin()).build();
            let d = c.domain();
            for t in grid(d, 23) {
                let p = c.point(t);
                let near = t + 1e-3 * d.length() * random.real(-1.0, 1.0);
                for guess in [None, Some(near), Some(d.at(random.real(0.0, 1.0)))] {
                    let found = c.invert(&p, guess);
                    let miss = (c.point(found) - p).norm();
                    // a far guess may end on another branch, but only a near one
                    let tol = if guess.is_some() {
                        1e-3 * c.size()
                    } else {
                        1e-11 * size
                    };
                    assert!(miss <= tol, "{seed} {t} {guess:?} {miss:e}");
                    if guess == Some(near) {
                        assert!(miss <= 1e-3 * c.size(), "{seed} {t} {miss:e}");
                    }
                }
            }
        }
        let c = circle();
        for turns in [-8.0, 0.0, 12.0] {
            let t = c.invert(&Point3::new(2.0, 0.01, 0.0), Some(3.9 + turns));
            assert!((t - 4.0 - turns).abs() < 0.1, "{t}");
        }
    }
}
