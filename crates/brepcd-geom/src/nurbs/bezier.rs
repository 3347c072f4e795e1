//! Bézier pieces of rational B-splines.

use super::{basis, project};
use crate::{Aabb, Interval, Point3, Point4};

/// A rational Bézier curve over an interval.
#[derive(Clone, Debug)]
pub struct BezierCurve {
    /// Parameters it covers.
    pub domain: Interval,
    /// Homogeneous control points, degree + 1 of them.
    pub control: Vec<Point4>,
}

/// A rational Bézier patch over a rectangle.
#[derive(Clone, Debug)]
pub struct BezierSurface {
    /// Degree in u.
    pub degree_u: usize,
    /// Degree in v.
    pub degree_v: usize,
    /// Parameters u it covers.
    pub domain_u: Interval,
    /// Parameters v it covers.
    pub domain_v: Interval,
    /// Homogeneous control points, index `iu * (degree_v + 1) + iv`.
    pub control: Vec<Point4>,
}

/// Both halves of a row of Bézier control points cut at the fraction `s`.
fn split_row(row: &[Point4], s: f64) -> (Vec<Point4>, Vec<Point4>) {
    let mut work = row.to_vec();
    let n = work.len();
    let mut left = Vec::with_capacity(n);
    let mut right = vec![Point4::zeros(); n];
    for k in 0..n {
        left.push(work[0]);
        right[n - 1 - k] = work[n - 1 - k];
        for i in 0..n - 1 - k {
            work[i] = work[i] * (1.0 - s) + work[i + 1] * s;
        }
    }
    (left, right)
}

/// The same row one degree higher.
fn elevate_row(row: &[Point4]) -> Vec<Point4> {
    let n = row.len();
    (0..=n)
        .map(|i| {
            let a = i as f64 / n as f64;
            let before = if i > 0 {
                row[i - 1] * a
            } else {
                Point4::zeros()
            };
            let here = if i < n {
                row[i] * (1.0 - a)
            } else {
                Point4::zeros()
            };
            before + here
        })
        .collect()
}

/// Homogeneous point of a row at the fraction `s`.
fn eval_row(row: &[Point4], s: f64) -> Point4 {
    let mut work = [Point4::zeros(); basis::MAX_DEGREE + 2];
    let n = row.len().min(work.len());
    work[..n].copy_from_slice(&row[..n]);
    for k in (1..n).rev() {
        for i in 0..k {
            work[i] = work[i] * (1.0 - s) + work[i + 1] * s;
        }
    }
    work[0]
}

fn fraction(domain: &Interval, t: f64) -> f64 {
    (t - domain.lo) / domain.length()
}

impl BezierCurve {
    /// Degree of the polynomial.
    pub fn degree(&self) -> usize {
        self.control.len() - 1
    }

    /// The point at a parameter of the domain.
    pub fn point(&self, t: f64) -> Point3 {
        project(&eval_row(&self.control, fraction(&self.domain, t)))
    }

    /// Both parts, cut at a parameter inside.
    pub fn split(&self, t: f64) -> (Self, Self) {
        let (a, b) = split_row(&self.control, fraction(&self.domain, t));
        let (lo, hi) = (self.domain.lo, self.domain.hi);
        (
            Self {
                domain: Interval { lo, hi: t },
                control: a,
            },
            Self {
                domain: Interval { lo: t, hi },
                control: b,
            },
        )
    }

    /// The same curve one degree higher.
    pub fn elevate(&self) -> Self {
        Self {
            domain: self.domain,
            control: elevate_row(&self.control),
        }
    }

    /// Box of the control points, which holds the curve.
    pub fn hull(&self) -> Aabb {
        Aabb::of(self.control.iter().map(project))
    }
}

impl BezierSurface {
    /// The point at parameters of the domain.
    pub fn point(&self, u: f64, v: f64) -> Point3 {
        let (s, t) = (fraction(&self.domain_u, u), fraction(&self.domain_v, v));
        let mut column = [Point4::zeros(); basis::MAX_DEGREE + 2];
        for (c, row) in column
            .iter_mut()
            .zip(self.control.chunks(self.degree_v + 1))
        {
            *c = eval_row(row, t);
        }
        project(&eval_row(&column[..=self.degree_u], s))
    }

    fn column(&self, iv: usize) -> Vec<Point4> {
        self.control
            .iter()
            .skip(iv)
            .step_by(self.degree_v + 1)
            .copied()
            .collect()
    }

    fn with_columns(&self, domain_u: Interval, columns: &[Vec<Point4>]) -> Self {
        let count_u = columns.first().map_or(0, Vec::len);
        let control = (0..count_u)
            .flat_map(|i| columns.iter().map(move |c| c[i]))
            .collect();
        Self {
            domain_u,
            degree_u: count_u.saturating_sub(1),
            control,
            ..*self
        }
    }

    /// Both parts, cut at `u`.
    pub fn split_u(&self, u: f64) -> (Self, Self) {
        let s = fraction(&self.domain_u, u);
        let (a, b): (Vec<_>, Vec<_>) = (0..=self.degree_v)
            .map(|iv| split_row(&self.column(iv), s))
            .unzip();
        (
            self.with_columns(
                Interval {
                    lo: self.domain_u.lo,
                    hi: u,
                },
                &a,
            ),
            self.with_columns(
                Interval {
                    lo: u,
                    hi: self.domain_u.hi,
                },
                &b,
            ),
        )
    }

    /// Both parts, cut at `v`.
    pub fn split_v(&self, v: f64) -> (Self, Self) {
        let t = fraction(&self.domain_v, v);
        let mut halves = (Vec::new(), Vec::new());
        for row in self.control.chunks(self.degree_v + 1) {
            let (a, b) = split_row(row, t);
            halves.0.extend(a);
            halves.1.extend(b);
        }
        let (lo, hi) = (self.domain_v.lo, self.domain_v.hi);
        (
            Self {
                domain_v: Interval { lo, hi: v },
                control: halves.0,
                ..*self
            },
            Self {
                domain_v: Interval { lo: v, hi },
                control: halves.1,
                ..*self
            },
        )
    }

    /// The part over a rectangle, `None` when they share no area.
    pub fn restricted(&self, u: Interval, v: Interval) -> Option<Self> {
        let mut out = self.clone();
        let (ulo, uhi) = (u.lo.max(out.domain_u.lo), u.hi.min(out.domain_u.hi));
        let (vlo, vhi) = (v.lo.max(out.domain_v.lo), v.hi.min(out.domain_v.hi));
        if ulo >= uhi || vlo >= vhi {
            return None;
        }
        if ulo > out.domain_u.lo {
            out = out.split_u(ulo).1;
        }
        if uhi < out.domain_u.hi {
            out = out.split_u(uhi).0;
        }
        if vlo > out.domain_v.lo {
            out = out.split_v(vlo).1;
        }
        if vhi < out.domain_v.hi {
            out = out.split_v(vhi).0;
        }
        Some(out)
    }

    /// The same patch one degree higher in u.
    pub fn elevate_u(&self) -> Self {
        let columns: Vec<_> = (0..=self.degree_v)
            .map(|iv| elevate_row(&self.column(iv)))
            .collect();
        self.with_columns(self.domain_u, &columns)
    }

    /// The same patch one degree higher in v.
    pub fn elevate_v(&self) -> Self {
        let control = self
            .control
            .chunks(self.degree_v + 1)
            .flat_map(elevate_row)
            .collect();
        Self {
            degree_v: self.degree_v + 1,
            control,
            ..*self
        }
    }

    /// Box of the control points, which holds the patch.
    pub fn hull(&self) -> Aabb {
        Aabb::of(self.control.iter().map(project))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patch() -> BezierSurface {
        let control = (0..12)
            .map(|i| {
                let (a, b) = ((i / 4) as f64, (i % 4) as f64);
                super::super::lift(&Point3::new(a, b, (a * b).sin()), 1.0 + 0.2 * (a - b).abs())
            })
            .collect();
        let (domain_u, domain_v) = (Interval::new(1.0, 2.0), Interval::new(-1.0, 3.0));
        BezierSurface {
            degree_u: 2,
            degree_v: 3,
            domain_u,
            domain_v,
            control,
        }
    }

    #[test]
    fn parts_and_elevations_are_the_same_patch() {
        let p = patch();
        let r = p
            .restricted(Interval::new(1.2, 1.7), Interval::new(0.0, 1.0))
            .unwrap();
        let e = p.elevate_u().elevate_v();
        assert_eq!((e.degree_u, e.degree_v, e.control.len()), (3, 4, 20));
        for (u, v) in [(1.2, 0.0), (1.5, 0.5), (1.69, 0.9)] {
            assert!((r.point(u, v) - p.point(u, v)).norm() < 1e-13);
            assert!((e.point(u, v) - p.point(u, v)).norm() < 1e-13);
        }
    }
}
