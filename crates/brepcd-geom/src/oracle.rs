//! Independent answers for tests: shapes from a seed, B-splines by definition, extremes and minima by brute force.

use crate::nurbs::{NurbsCurve, NurbsSurface, lift};
use crate::{Frame, Interval, Point3, Point4, Vec3};

/// How many seeds a test tries; more with `GEOM_CASES` as factor.
pub fn seeds(count: u64) -> std::ops::Range<u64> {
    let factor = std::env::var("GEOM_CASES")
        .ok()
        .and_then(|s| s.parse().ok());
    0..count * factor.unwrap_or(1)
}

/// A generator of numbers (splitmix64).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x2545_f491_4f6c_dd1d).wrapping_add(77))
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// In `lo..hi`.
    pub fn real(&mut self, lo: f64, hi: f64) -> f64 {
        lo + (hi - lo) * (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// In `lo..=hi`.
    pub fn whole(&mut self, lo: usize, hi: usize) -> usize {
        lo + (self.bits() % (hi - lo + 1) as u64) as usize
    }

    pub fn chance(&mut self, of: f64) -> bool {
        self.real(0.0, 1.0) < of
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.whole(0, from.len() - 1)]
    }

    /// In the cube of half edge `size`.
    pub fn vector(&mut self, size: f64) -> Vec3 {
        Vec3::from_fn(|_, _| self.real(-size, size))
    }

    /// In general position, its origin within `size`.
    pub fn frame(&mut self, size: f64) -> Frame {
        let origin = Point3::from(self.vector(size));
        Frame::from_z_and_hint(origin, self.vector(1.0), Some(self.vector(1.0))).unwrap()
    }

    /// Knots for some number of control points: clamped, uniform or free at the ends, some inner ones repeated.
    pub fn knots(&mut self, degree: usize, count: usize) -> Vec<f64> {
        loop {
            let knots = self.any_knots(degree, count);
            if knots[degree] < knots[count] {
                return knots;
            }
        }
    }

    fn any_knots(&mut self, degree: usize, count: usize) -> Vec<f64> {
        let inner = count - degree - 1;
        let (start, unit) = (self.real(-3.0, 3.0), self.pick(&[0.01, 1.0, 30.0]));
        let mut t = start;
        let mut out = Vec::new();
        match self.whole(0, 2) {
            0 => {
                out.extend(std::iter::repeat_n(t, degree + 1));
                while out.len() < degree + 1 + inner {
                    t += unit * self.real(0.3, 1.5);
                    let repeat = if self.chance(0.3) {
                        self.whole(1, degree)
                    } else {
                        1
                    };
                    let room = degree + 1 + inner - out.len();
                    out.extend(std::iter::repeat_n(t, repeat.min(room)));
                }
                out.extend(std::iter::repeat_n(t + unit, degree + 1));
            }
            1 => out.extend((0..count + degree + 1).map(|i| start + unit * i as f64)),
            _ => {
                for _ in 0..count + degree + 1 {
                    let stays = out.len() >= degree
                        && out[out.len() - degree] < t
                        && self.chance(0.2)
                        && degree > 1;
                    if !stays {
                        t += unit * self.real(0.3, 1.5);
                    }
                    out.push(t);
                }
            }
        }
        out
    }

    fn weight(&mut self, rational: bool) -> f64 {
        if rational { self.real(0.3, 3.0) } else { 1.0 }
    }

    /// A curve as data, of about the given size about the origin.
    pub fn curve(&mut self, size: f64, origin: &Point3) -> RawCurve {
        let degree = self.whole(1, 6);
        let count = degree + 1 + self.whole(0, 6);
        let (knots, rational) = (self.knots(degree, count), self.chance(0.5));
        let control = (0..count)
            .map(|_| lift(&(origin + self.vector(size)), self.weight(rational)))
            .collect();
        RawCurve {
            degree,
            knots,
            control,
        }
    }

    /// A surface as data: a bumpy sheet of about the given size.
    pub fn surface(&mut self, size: f64, origin: &Point3) -> RawSurface {
        let (p, q) = (self.whole(1, 4), self.whole(1, 4));
        let (m, n) = (p + 1 + self.whole(0, 3), q + 1 + self.whole(0, 3));
        let (knots_u, knots_v) = (self.knots(p, m), self.knots(q, n));
        let (rational, bumps) = (self.chance(0.5), self.pick(&[0.02, 0.1]));
        let frame = self.frame(0.0);
        let mut control = Vec::new();
        for i in 0..m {
            for j in 0..n {
                let (x, y) = (i as f64 / (m - 1) as f64, j as f64 / (n - 1) as f64);
                let flat = frame.x * (size * x) + frame.y * (size * y);
                let at = origin + flat + self.vector(size * bumps);
                control.push(lift(&at, self.weight(rational)));
            }
        }
        RawSurface {
            degrees: [p, q],
            knots: [knots_u, knots_v],
            counts: [m, n],
            control,
        }
    }
}

/// A basis function by its definition; at the end of the domain it is continued from the left.
pub fn basis(i: usize, degree: usize, knots: &[f64], t: f64, end: f64) -> f64 {
    if degree == 0 {
        let inside = if t == end {
            knots[i] < end && knots[i + 1] == end
        } else {
            knots[i] <= t && t < knots[i + 1]
        };
        return f64::from(u8::from(inside));
    }
    let part = |a: f64, b: f64, value: f64| if b == 0.0 { 0.0 } else { a / b * value };
    let (lo, hi) = (knots[i], knots[i + degree]);
    let (lo1, hi1) = (knots[i + 1], knots[i + degree + 1]);
    part(t - lo, hi - lo, basis(i, degree - 1, knots, t, end))
        + part(hi1 - t, hi1 - lo1, basis(i + 1, degree - 1, knots, t, end))
}

/// A curve as it may stand in a file.
#[derive(Clone, Debug)]
pub struct RawCurve {
    pub degree: usize,
    pub knots: Vec<f64>,
    pub control: Vec<Point4>,
}

impl RawCurve {
    pub fn build(&self) -> NurbsCurve {
        NurbsCurve::new(self.degree, self.knots.clone(), self.control.clone()).unwrap()
    }

    pub fn domain(&self) -> Interval {
        Interval::new(self.knots[self.degree], self.knots[self.control.len()])
    }

    pub fn point(&self, t: f64) -> Point3 {
        let end = self.domain().hi;
        let sum: Point4 = (0..self.control.len())
            .map(|i| self.control[i] * basis(i, self.degree, &self.knots, t, end))
            .sum();
        Point3::from(sum.xyz() / sum.w)
    }
}

/// A surface as it may stand in a file.
#[derive(Clone, Debug)]
pub struct RawSurface {
    pub degrees: [usize; 2],
    pub knots: [Vec<f64>; 2],
    pub counts: [usize; 2],
    pub control: Vec<Point4>,
}

impl RawSurface {
    pub fn build(&self) -> NurbsSurface {
        let [ku, kv] = self.knots.clone();
        let ([p, q], [m, n]) = (self.degrees, self.counts);
        NurbsSurface::new(p, q, ku, kv, m, n, self.control.clone()).unwrap()
    }

    pub fn point(&self, u: f64, v: f64) -> Point3 {
        let end = |d: usize| self.knots[d][self.counts[d]];
        let mut sum = Point4::zeros();
        for i in 0..self.counts[0] {
            let a = basis(i, self.degrees[0], &self.knots[0], u, end(0));
            for j in 0..self.counts[1] {
                let b = basis(j, self.degrees[1], &self.knots[1], v, end(1));
                sum += self.control[i * self.counts[1] + j] * (a * b);
            }
        }
        Point3::from(sum.xyz() / sum.w)
    }
}

/// `n + 1` equidistant values.
pub fn grid(t: Interval, n: usize) -> impl Iterator<Item = f64> + Clone {
    (0..=n).map(move |i| {
        if i == n {
            t.hi
        } else {
            t.at(i as f64 / n as f64)
        }
    })
}

/// The least value of a function over an interval: dense samples, then golden sections about the best ones.
pub fn least(t: Interval, n: usize, f: &dyn Fn(f64) -> f64) -> f64 {
    let mut all: Vec<(f64, f64)> = grid(t, n).map(|x| (f(x), x)).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let step = t.length() / n as f64;
    all.iter()
        .take(6)
        .map(|&(value, x)| {
            let (mut lo, mut hi) = (t.clamp(x - step), t.clamp(x + step));
            let mut best = value;
            for _ in 0..60 {
                let (a, b) = (lo + 0.382 * (hi - lo), lo + 0.618 * (hi - lo));
                let (fa, fb) = (f(a), f(b));
                best = best.min(fa).min(fb);
                if fa < fb { hi = b } else { lo = a }
            }
            best
        })
        .fold(f64::INFINITY, f64::min)
}

/// The least value of a function over a rectangle, and where: dense samples, then compass search from the best ones.
pub fn least2(u: Interval, v: Interval, n: usize, f: &dyn Fn(f64, f64) -> f64) -> (f64, f64, f64) {
    let mut all: Vec<(f64, f64, f64)> = grid(u, n)
        .flat_map(|a| grid(v, n).map(move |b| (a, b)))
        .map(|(a, b)| (f(a, b), a, b))
        .collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut best = all[0];
    for &(value, a, b) in all.iter().take(5) {
        let mut here = (value, a, b);
        let (mut su, mut sv) = (u.length() / n as f64, v.length() / n as f64);
        for _ in 0..400 {
            let around = [
                (1., 0.),
                (-1., 0.),
                (0., 1.),
                (0., -1.),
                (1., 1.),
                (1., -1.),
                (-1., 1.),
                (-1., -1.),
            ]
            .map(|(x, y)| (u.clamp(here.1 + x * su), v.clamp(here.2 + y * sv)))
            .map(|(a, b)| (f(a, b), a, b));
            let next = around
                .into_iter()
                .fold(here, |x, y| if y.0 < x.0 { y } else { x });
            if next.0 < here.0 {
                here = next;
            } else {
                (su, sv) = (0.5 * su, 0.5 * sv);
                if su < 1e-10 * u.length() {
                    break;
                }
            }
        }
        if here.0 < best.0 {
            best = here;
        }
    }
    best
}

/// A gradient and the second derivatives (uu, uv, vv) at a parameter pair.
pub type Slopes<'a> = &'a dyn Fn(f64, f64) -> ([f64; 2], [f64; 3]);

/// Newton from every point of a dense grid: the interior zeros of a gradient, found without subdivision.
pub fn zeros(du: Interval, dv: Interval, n: usize, gradient: Slopes) -> Vec<(f64, f64)> {
    let mut out: Vec<(f64, f64)> = Vec::new();
    for i in 1..n {
        for k in 1..n {
            let (mut u, mut v) = (du.at(i as f64 / n as f64), dv.at(k as f64 / n as f64));
            for _ in 0..30 {
                let ([gu, gv], [a, b, c]) = gradient(u, v);
                let det = a * c - b * b;
                let (su, sv) = ((b * gv - c * gu) / det, (b * gu - a * gv) / det);
                (u, v) = (u + su, v + sv);
                if !(du.contains(u) && dv.contains(v)) {
                    break;
                }
                if su.abs() < 1e-12 * du.length() && sv.abs() < 1e-12 * dv.length() {
                    if !out.iter().any(|o| {
                        (o.0 - u).abs() < 1e-6 * du.length() && (o.1 - v).abs() < 1e-6 * dv.length()
                    }) {
                        out.push((u, v));
                    }
                    break;
                }
            }
        }
    }
    out
}
