//! Stationary pairs by brute force: a grid of starts, each refined with differences of a residual that is made of
//! points and tangents alone.

use crate::numeric::{Counts, Found, Limits, Outcome, Scratch, stationary};
use crate::piece::Piece;
use brepcd_geom::{Interval, Point3, Vec3};
use brepcd_tree::Shape;

pub struct Pair<'a> {
    pub a: Piece<'a>,
    pub b: Piece<'a>,
}

struct Place {
    p: Point3,
    tangents: [Option<Vec3>; 2],
    normal: Option<Vec3>,
}

fn place(piece: &Piece<'_>, t: [f64; 2]) -> Place {
    let unit = |v: Vec3| v.try_normalize(0.0);
    match piece.feature().shape {
        Shape::Face { same_sense, .. } => {
            let jet = piece.surface_jet(t).unwrap();
            let sign = if same_sense { 1.0 } else { -1.0 };
            let tangents = [unit(jet.du), unit(jet.dv)];
            let normal = unit(jet.du.cross(&jet.dv)).map(|n| n * sign);
            Place {
                p: jet.p,
                tangents,
                normal,
            }
        }
        Shape::Edge { .. } => {
            let jet = piece.curve_jet(t[0]).unwrap();
            let tangents = [unit(jet.d1), None];
            Place {
                p: jet.p,
                tangents,
                normal: None,
            }
        }
        Shape::Vertex { .. } => Place {
            p: piece.point(t),
            tangents: [None; 2],
            normal: None,
        },
    }
}

impl Pair<'_> {
    pub fn dims(&self) -> (usize, usize) {
        (self.a.dimension(), self.b.dimension())
    }

    fn split(&self, x: &[f64]) -> ([f64; 2], [f64; 2]) {
        let (n, m) = self.dims();
        let (mut ta, mut tb) = ([0.0; 2], [0.0; 2]);
        ta[..n].copy_from_slice(&x[..n]);
        tb[..m].copy_from_slice(&x[n..n + m]);
        (ta, tb)
    }

    /// What must vanish, lengths and cosines mixed; sizes of the pieces are about 1.
    pub fn residual(&self, x: &[f64]) -> Option<Vec<f64>> {
        let (ta, tb) = self.split(x);
        let (a, b) = (place(&self.a, ta), place(&self.b, tb));
        let (mut a, mut b) = (a, b);
        if a.normal.is_none() {
            std::mem::swap(&mut a, &mut b);
        }
        let d = b.p - a.p;
        let mut out: Vec<f64> = a.tangents.iter().flatten().map(|t| t.dot(&d)).collect();
        for t in b.tangents.iter().flatten() {
            out.push(match a.normal {
                Some(n) => n.dot(t),
                None => d.dot(t),
            });
        }
        (out.len() == x.len()).then_some(out)
    }

    /// The signed distance where a face is involved, `None` if outward normals are not opposite.
    pub fn distance(&self, x: &[f64]) -> Option<f64> {
        let (ta, tb) = self.split(x);
        let (a, b) = (place(&self.a, ta), place(&self.b, tb));
        let d = b.p - a.p;
        match (a.normal, b.normal) {
            (Some(n), Some(m)) => (n.dot(&m) < 0.0).then_some(n.dot(&d)),
            (Some(n), None) => Some(n.dot(&d)),
            (None, Some(m)) => Some(-m.dot(&d)),
            (None, None) => Some(d.norm()),
        }
    }

    pub fn ranges(&self) -> Vec<Interval> {
        let (n, m) = self.dims();
        let (p, q) = (self.a.patch(), self.b.patch());
        let a = [p.u, p.v];
        let b = [q.u, q.v];
        a[..n].iter().chain(&b[..m]).copied().collect()
    }

    /// Refines a start with a Jacobian from differences; `None` if it runs away or does not converge.
    fn refine(&self, start: &[f64]) -> Option<Vec<f64>> {
        let ranges = self.ranges();
        let n = start.len();
        let mut x = start.to_vec();
        for _ in 0..40 {
            let f = self.residual(&x)?;
            let mut jacobian = nalgebra::DMatrix::zeros(n, n);
            for k in 0..n {
                let h = 1e-6 * ranges[k].length();
                let (mut up, mut down) = (x.clone(), x.clone());
                up[k] += h;
                down[k] -= h;
                let (up, down) = (self.residual(&up)?, self.residual(&down)?);
                for i in 0..n {
                    jacobian[(i, k)] = (up[i] - down[i]) / (2.0 * h) * ranges[k].length();
                }
            }
            let f = nalgebra::DVector::from_vec(f);
            let step = jacobian.lu().solve(&f)?;
            let longest = step.amax();
            let scale = if longest > 0.3 { 0.3 / longest } else { 1.0 };
            for k in 0..n {
                x[k] -= scale * step[k] * ranges[k].length();
                if !(ranges[k].lo - 0.3 * ranges[k].length() <= x[k]
                    && x[k] <= ranges[k].hi + 0.3 * ranges[k].length())
                {
                    return None;
                }
            }
            if longest < 1e-10 {
                return Some(x);
            }
        }
        None
    }

    /// Stationary pairs well inside of the ranges and reach.
    pub fn brute_force(&self, reach: f64, steps: usize) -> Vec<Vec<f64>> {
        let ranges = self.ranges();
        let n = ranges.len();
        let mut out: Vec<Vec<f64>> = Vec::new();
        for start in 0..steps.pow(n as u32) {
            let mut rest = start;
            let x: Vec<f64> = ranges
                .iter()
                .map(|r| {
                    let k = rest % steps;
                    rest /= steps;
                    r.at((k as f64 + 0.5) / steps as f64)
                })
                .collect();
            let Some(x) = self.refine(&x) else { continue };
            let inside = (0..n).all(|k| {
                let margin = 1e-7 * ranges[k].length();
                ranges[k].lo + margin <= x[k] && x[k] <= ranges[k].hi - margin
            });
            let near = self.distance(&x).is_some_and(|d| d.abs() <= reach - 1e-9);
            if inside && near && !out.iter().any(|o| self.is_same(o, &x, 1e-6)) {
                out.push(x);
            }
        }
        out
    }

    pub fn is_same(&self, x: &[f64], y: &[f64], share: f64) -> bool {
        let ranges = self.ranges();
        (0..x.len()).all(|k| (x[k] - y[k]).abs() <= share * ranges[k].length())
    }

    pub fn solve(&self, reach: f64, counts: &mut Counts) -> (Outcome, Vec<Found>) {
        let mut found = Vec::new();
        let mut scratch = Scratch::default();
        let limits = Limits {
            boxes: 20_000,
            ..Limits::default()
        };
        let (a, b) = (&self.a, &self.b);
        let outcome = stationary(a, b, reach, &limits, &mut scratch, counts, &mut found);
        (outcome, found)
    }

    pub fn flat(&self, f: &Found) -> Vec<f64> {
        let (n, m) = self.dims();
        f.ta[..n].iter().chain(&f.tb[..m]).copied().collect()
    }

    /// Compares with brute force in both directions; returns how many pairs there are.
    pub fn check(&self, reach: f64, steps: usize, counts: &mut Counts, name: &str) -> usize {
        let (outcome, found) = self.solve(reach, counts);
        assert_eq!(outcome, Outcome::Resolved, "{name}: {found:?}");
        let expected = self.brute_force(reach, steps);
        let found: Vec<_> = found.iter().map(|f| self.flat(f)).collect();
        for x in &expected {
            let hit = found.iter().any(|f| self.is_same(f, x, 1e-6));
            assert!(
                hit,
                "{name}: missing {x:?} at {:?}, have {found:?}",
                self.distance(x)
            );
        }
        self.check_found(&found, reach, 1e-11, name);
        found.len()
    }

    /// Residuals, reach, ranges and uniqueness of what was found.
    pub fn check_found(&self, found: &[Vec<f64>], reach: f64, tolerance: f64, name: &str) {
        for (i, f) in found.iter().enumerate() {
            let residual = self.residual(f).unwrap();
            let worst = residual.iter().fold(0.0_f64, |m, r| m.max(r.abs()));
            assert!(worst <= tolerance, "{name}: residual {worst:e} at {f:?}");
            let distance = self.distance(f);
            let near = distance.is_some_and(|d| d.abs() <= reach * (1.0 + 1e-9));
            assert!(near, "{name}: distance {distance:?} at {f:?}");
            for (t, r) in f.iter().zip(self.ranges()) {
                let slack = 3e-9 * r.length();
                assert!(r.lo - slack <= *t && *t <= r.hi + slack, "{name}: {f:?}");
            }
            let twice = found[..i].iter().any(|g| self.is_same(f, g, 1e-7));
            assert!(!twice, "{name}: {f:?} twice");
        }
    }
}
