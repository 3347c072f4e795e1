//! Rational B-spline surfaces.

mod crease;
mod extent;
mod invert;
mod query;
mod rewrite;
mod strip;

pub use strip::Strip;

use std::sync::OnceLock;

use super::{BezierSurface, CLOSED_RELATIVE, NurbsCurve, NurbsError, basis, into_domain, project};
use crate::{Aabb, Interval, Point3, Point4, SurfaceJet, Vec3};

/// A rational B-spline surface with clamped knots.
///
/// Made by [`NurbsSurface::new`] only; the invariants are those of [`NurbsCurve`] in both directions.
#[derive(Clone, Debug)]
pub struct NurbsSurface {
    /// Degree in u.
    pub degree_u: usize,
    /// Degree in v.
    pub degree_v: usize,
    /// Clamped knots in u.
    pub knots_u: Vec<f64>,
    /// Clamped knots in v.
    pub knots_v: Vec<f64>,
    /// Control points in u.
    pub count_u: usize,
    /// Control points in v.
    pub count_v: usize,
    /// Homogeneous control points, index `iu * count_v + iv`.
    pub control: Vec<Point4>,
    size: f64,
    closed: [bool; 2],
    /// Sides collapsed to a point: u low, u high, v low, v high.
    collapsed: [bool; 4],
    patches: OnceLock<Vec<BezierSurface>>,
    samples: OnceLock<Vec<invert::PatchSamples>>,
}

fn transpose(rows: &[Vec<Point4>]) -> Vec<Vec<Point4>> {
    let n = rows.first().map_or(0, Vec::len);
    (0..n)
        .map(|i| rows.iter().map(|r| r[i]).collect())
        .collect()
}

impl NurbsSurface {
    /// The surface with the given knots and homogeneous control points (`iu * count_v + iv`); unclamped knots are
    /// clamped exactly.
    pub fn new(
        degree_u: usize,
        degree_v: usize,
        knots_u: Vec<f64>,
        knots_v: Vec<f64>,
        count_u: usize,
        count_v: usize,
        control: Vec<Point4>,
    ) -> Result<Self, NurbsError> {
        let size = basis::check_control(&control)?;
        if count_u == 0 || count_v == 0 || count_u.checked_mul(count_v) != Some(control.len()) {
            return Err(NurbsError::Count {
                knots: knots_u.len(),
                control: control.len(),
                degree: degree_u,
            });
        }
        let clamped = basis::is_clamped(&knots_u, degree_u, count_u)
            && basis::is_clamped(&knots_v, degree_v, count_v);
        if clamped {
            return Ok(Self::from_clamped(
                [degree_u, degree_v],
                [knots_u, knots_v],
                [count_u, count_v],
                control,
            ));
        }
        let (mut knots_u, mut knots_v) = (knots_u, knots_v);
        let mut rows: Vec<_> = control.chunks(count_v).map(<[Point4]>::to_vec).collect();
        let tol = CLOSED_RELATIVE * size;
        basis::normalise(&mut knots_v, degree_v, &mut rows, tol)?;
        let mut columns = transpose(&rows);
        basis::normalise(&mut knots_u, degree_u, &mut columns, tol)?;
        Ok(Self::from_rows(
            degree_u,
            degree_v,
            knots_u,
            knots_v,
            &transpose(&columns),
        ))
    }

    /// The surface of data known to be valid and clamped; one row per control index in u.
    fn from_rows(
        degree_u: usize,
        degree_v: usize,
        knots_u: Vec<f64>,
        knots_v: Vec<f64>,
        rows: &[Vec<Point4>],
    ) -> Self {
        let counts = [rows.len(), rows.first().map_or(0, Vec::len)];
        Self::from_clamped(
            [degree_u, degree_v],
            [knots_u, knots_v],
            counts,
            rows.concat(),
        )
    }

    /// The surface of data known to be valid and clamped.
    fn from_clamped(
        [degree_u, degree_v]: [usize; 2],
        [knots_u, knots_v]: [Vec<f64>; 2],
        [count_u, count_v]: [usize; 2],
        control: Vec<Point4>,
    ) -> Self {
        let size = Aabb::of(control.iter().map(project)).diagonal();
        let (patches, samples) = (OnceLock::new(), OnceLock::new());
        let (closed, collapsed) = ([false; 2], [false; 4]);
        let mut out = Self {
            degree_u,
            degree_v,
            knots_u,
            knots_v,
            count_u,
            count_v,
            control,
            size,
            closed,
            collapsed,
            patches,
            samples,
        };
        let tol = CLOSED_RELATIVE * size;
        out.collapsed = [0, 1, 2, 3].map(|s| out.is_side_collapsed(s, tol));
        out.closed = [0, 1].map(|d| {
            out.is_closed_within(d, tol) && !(out.collapsed[2 * d] && out.collapsed[2 * d + 1])
        });
        out
    }

    fn rows(&self) -> Vec<Vec<Point4>> {
        self.control
            .chunks(self.count_v)
            .map(<[Point4]>::to_vec)
            .collect()
    }

    /// Control points of a side: u low, u high, v low, v high.
    fn side(&self, side: usize) -> Vec<Point4> {
        match side {
            0 => self.control[..self.count_v].to_vec(),
            1 => self.control[self.control.len() - self.count_v..].to_vec(),
            2 => self.control.iter().step_by(self.count_v).copied().collect(),
            _ => self
                .control
                .iter()
                .skip(self.count_v - 1)
                .step_by(self.count_v)
                .copied()
                .collect(),
        }
    }

    fn is_side_collapsed(&self, side: usize, tol: f64) -> bool {
        let s = self.side(side);
        s.iter()
            .all(|c| (project(c) - project(&s[0])).norm() <= tol)
            && self.size > 0.0
    }

    /// True if the low and high sides in u (0) or v (1) are the same curve within a distance.
    pub fn is_closed_within(&self, direction: usize, tol: f64) -> bool {
        let (a, b) = (self.side(2 * direction), self.side(2 * direction + 1));
        let ratio = b[0].w / a[0].w;
        a.iter().zip(&b).all(|(a, b)| {
            (project(a) - project(b)).norm() <= tol
                && (b.w - ratio * a.w).abs() <= CLOSED_RELATIVE * b.w
        })
    }

    /// Whether the surface closes in u and in v.
    pub fn is_closed(&self) -> [bool; 2] {
        self.closed
    }

    /// Diagonal of the box of the control points.
    pub fn size(&self) -> f64 {
        self.size
    }

    /// True if the weights differ.
    pub fn is_rational(&self) -> bool {
        self.control.iter().any(|c| c.w != self.control[0].w)
    }

    /// Parameter rectangle.
    pub fn domain(&self) -> (Interval, Interval) {
        (
            Interval {
                lo: self.knots_u[self.degree_u],
                hi: self.knots_u[self.count_u],
            },
            Interval {
                lo: self.knots_v[self.degree_v],
                hi: self.knots_v[self.count_v],
            },
        )
    }

    /// Lengths of the domain in the closed directions.
    pub fn periods(&self) -> [Option<f64>; 2] {
        let (u, v) = self.domain();
        [
            self.closed[0].then(|| u.length()),
            self.closed[1].then(|| v.length()),
        ]
    }

    /// Values of v (low, high) whose parameter lines are points.
    pub fn poles(&self) -> [Option<f64>; 2] {
        let v = self.domain().1;
        [
            self.collapsed[2].then_some(v.lo),
            self.collapsed[3].then_some(v.hi),
        ]
    }

    /// Values of u (low, high) whose parameter lines are points.
    pub fn poles_u(&self) -> [Option<f64>; 2] {
        let u = self.domain().0;
        [
            self.collapsed[0].then_some(u.lo),
            self.collapsed[1].then_some(u.hi),
        ]
    }

    /// Knots strictly inside the domain in u.
    pub fn breaks_u(&self) -> Vec<f64> {
        let all = basis::distinct(&self.knots_u, self.degree_u);
        all[1..all.len() - 1].to_vec()
    }

    /// Knots strictly inside the domain in v.
    pub fn breaks_v(&self) -> Vec<f64> {
        let all = basis::distinct(&self.knots_v, self.degree_v);
        all[1..all.len() - 1].to_vec()
    }

    fn inside(&self, u: f64, v: f64) -> (f64, f64) {
        let (du, dv) = self.domain();
        (
            into_domain(u, du, self.closed[0]),
            into_domain(v, dv, self.closed[1]),
        )
    }

    /// The point at parameters.
    pub fn point(&self, u: f64, v: f64) -> Point3 {
        basis::sized!(self.degree_u.max(self.degree_v), self.point_sized(u, v))
    }

    fn point_sized<const N: usize>(&self, u: f64, v: f64) -> Point3 {
        let (u, v) = self.inside(u, v);
        let (p, q) = (self.degree_u, self.degree_v);
        let (su, sv) = (
            basis::find_span(&self.knots_u, p, u),
            basis::find_span(&self.knots_v, q, v),
        );
        let nu = basis::values::<N>(&self.knots_u, p, su, u);
        let nv = basis::values::<N>(&self.knots_v, q, sv, v);
        let mut h = Point4::zeros();
        for (i, nu) in nu[..=p].iter().enumerate() {
            let at = (su - p + i) * self.count_v + sv - q;
            let row = self.control[at..=at + q].iter().zip(&nv);
            h += row.fold(Point4::zeros(), |a, (c, n)| a + c * *n) * *nu;
        }
        project(&h)
    }

    /// Position and derivatives at parameters; at knots those of the patch above.
    pub fn jet(&self, u: f64, v: f64) -> SurfaceJet {
        let (u, v) = self.inside(u, v);
        let spans = (
            basis::find_span(&self.knots_u, self.degree_u, u),
            basis::find_span(&self.knots_v, self.degree_v, v),
        );
        self.jet_of(spans, u, v)
    }

    /// As [`NurbsSurface::jet`], by the polynomials of the given knot spans.
    fn jet_of(&self, spans: (usize, usize), u: f64, v: f64) -> SurfaceJet {
        let degree = self.degree_u.max(self.degree_v);
        basis::sized!(degree, self.jet_sized(spans, u, v))
    }

    fn jet_sized<const N: usize>(&self, (su, sv): (usize, usize), u: f64, v: f64) -> SurfaceJet {
        let (p, q) = (self.degree_u, self.degree_v);
        let [a0, a1, a2] = basis::derivatives::<N>(&self.knots_u, p, su, u);
        let [b0, b1, b2] = basis::derivatives::<N>(&self.knots_v, q, sv, v);
        let zero = Point4::zeros();
        let (mut h, mut hu, mut hv) = (zero, zero, zero);
        let (mut huu, mut huv, mut hvv) = (zero, zero, zero);
        for i in 0..=p {
            let at = (su - p + i) * self.count_v + sv - q;
            let (mut r, mut rv, mut rvv) = (zero, zero, zero);
            let row = self.control[at..=at + q].iter();
            for (((c, b0), b1), b2) in row.zip(&b0).zip(&b1).zip(&b2) {
                r += c * *b0;
                rv += c * *b1;
                rvv += c * *b2;
            }
            h += r * a0[i];
            hu += r * a1[i];
            huu += r * a2[i];
            hv += rv * a0[i];
            huv += rv * a1[i];
            hvv += rvv * a0[i];
        }
        let w = h.w;
        let p = project(&h);
        let du = (hu.xyz() - p.coords * hu.w) / w;
        let dv = (hv.xyz() - p.coords * hv.w) / w;
        SurfaceJet {
            p,
            du,
            dv,
            duu: (huu.xyz() - du * (2.0 * hu.w) - p.coords * huu.w) / w,
            duv: (huv.xyz() - du * hv.w - dv * hu.w - p.coords * huv.w) / w,
            dvv: (hvv.xyz() - dv * (2.0 * hv.w) - p.coords * hvv.w) / w,
        }
    }

    /// The unit normal along du × dv; on a collapsed side its limit across that side.
    pub fn normal(&self, u: f64, v: f64) -> Option<Vec3> {
        let (u, v) = self.inside(u, v);
        let jet = self.jet(u, v);
        let (du, dv) = self.domain();
        let near = |t: f64, end: f64, d: &Interval| (t - end).abs() <= POLE * d.length();
        let towards = |t: f64, d: &Interval| t + (d.mid() - t) * NUDGE;
        let (limit, inner) = if self.collapsed[2] && near(v, dv.lo, &dv) {
            (jet.duv.cross(&jet.dv), (u, towards(v, &dv)))
        } else if self.collapsed[3] && near(v, dv.hi, &dv) {
            (jet.dv.cross(&jet.duv), (u, towards(v, &dv)))
        } else if self.collapsed[0] && near(u, du.lo, &du) {
            (jet.du.cross(&jet.duv), (towards(u, &du), v))
        } else if self.collapsed[1] && near(u, du.hi, &du) {
            (jet.duv.cross(&jet.du), (towards(u, &du), v))
        } else {
            let inner = (towards(u, &du), towards(v, &dv));
            return jet.normal().or_else(|| self.jet(inner.0, inner.1).normal());
        };
        let scale = jet.duv.norm() * jet.du.norm().max(jet.dv.norm());
        limit
            .try_normalize(scale * POLE)
            .or_else(|| self.jet(inner.0, inner.1).normal())
    }

    /// The curve of constant `u`, over v.
    pub fn iso_u(&self, u: f64) -> NurbsCurve {
        let u = into_domain(u, self.domain().0, self.closed[0]);
        let p = self.degree_u;
        let span = basis::find_span(&self.knots_u, p, u);
        let n = basis::values::<{ basis::MAX_DEGREE + 1 }>(&self.knots_u, p, span, u);
        let mut control = vec![Point4::zeros(); self.count_v];
        for (row, n) in self
            .control
            .chunks(self.count_v)
            .skip(span - p)
            .zip(&n[..=p])
        {
            for (c, x) in control.iter_mut().zip(row) {
                *c += x * *n;
            }
        }
        NurbsCurve::from_clamped(self.degree_v, self.knots_v.clone(), control)
    }

    /// The curve of constant `v`, over u.
    pub fn iso_v(&self, v: f64) -> NurbsCurve {
        let v = into_domain(v, self.domain().1, self.closed[1]);
        let q = self.degree_v;
        let span = basis::find_span(&self.knots_v, q, v);
        let n = basis::values::<{ basis::MAX_DEGREE + 1 }>(&self.knots_v, q, span, v);
        let rows = self.control.chunks(self.count_v);
        let control = rows.map(|row| {
            let part = row[span - q..=span].iter().zip(&n);
            part.fold(Point4::zeros(), |a, (c, n)| a + c * *n)
        });
        NurbsCurve::from_clamped(self.degree_u, self.knots_u.clone(), control.collect())
    }

    /// The Bézier patches, those of equal u together; made once.
    pub fn patches(&self) -> &[BezierSurface] {
        self.patches.get_or_init(|| {
            let (p, q) = (self.degree_u, self.degree_v);
            let (mut ku, mut kv) = (self.knots_u.clone(), self.knots_v.clone());
            let mut rows = self.rows();
            basis::bezier_knots(&mut kv, q, &mut rows);
            let mut columns = transpose(&rows);
            basis::bezier_knots(&mut ku, p, &mut columns);
            let rows = transpose(&columns);
            let (us, vs) = (basis::distinct(&ku, p), basis::distinct(&kv, q));
            let mut out = Vec::new();
            for (i, u) in us.windows(2).enumerate() {
                for (j, v) in vs.windows(2).enumerate() {
                    let part = rows[i * p..=(i + 1) * p].iter();
                    out.push(BezierSurface {
                        degree_u: p,
                        degree_v: q,
                        domain_u: Interval { lo: u[0], hi: u[1] },
                        domain_v: Interval { lo: v[0], hi: v[1] },
                        control: part.flat_map(|r| r[j * q..=(j + 1) * q].to_vec()).collect(),
                    });
                }
            }
            out
        })
    }

    /// The Bézier patches.
    pub fn decompose(&self) -> Vec<BezierSurface> {
        self.patches().to_vec()
    }
}

/// Relative parameter distance from a collapsed side at which its limits are used.
const POLE: f64 = 1e-12;
/// Step towards the middle where the normal of a singular point is taken.
const NUDGE: f64 = 1e-6;

#[cfg(test)]
pub(crate) mod tests;
