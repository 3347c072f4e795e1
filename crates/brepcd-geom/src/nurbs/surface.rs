//! Rational B-spline surfaces.

mod query;

use std::sync::OnceLock;

use super::{
    BezierSurface, CLOSED_RELATIVE, NurbsCurve, NurbsError, basis, into_domain, lift, project,
};
use crate::{Aabb, Interval, Point3, Point4, Pose, SurfaceJet, Vec3};

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
    samples: OnceLock<Vec<(f64, f64, Point3)>>,
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
        let (count_u, count_v) = (rows.len(), rows.first().map_or(0, Vec::len));
        let control = rows.concat();
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

    /// The box of the control points, which holds the surface.
    pub fn control_box(&self) -> Aabb {
        Aabb::of(self.control.iter().map(project))
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
        let (u, v) = self.inside(u, v);
        let (p, q) = (self.degree_u, self.degree_v);
        let (su, sv) = (
            basis::find_span(&self.knots_u, p, u),
            basis::find_span(&self.knots_v, q, v),
        );
        let nu = basis::values(&self.knots_u, p, su, u);
        let nv = basis::values(&self.knots_v, q, sv, v);
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
        let (p, q) = (self.degree_u, self.degree_v);
        let (su, sv) = (
            basis::find_span(&self.knots_u, p, u),
            basis::find_span(&self.knots_v, q, v),
        );
        let nu = basis::derivatives(&self.knots_u, p, su, u);
        let nv = basis::derivatives(&self.knots_v, q, sv, v);
        let zero = Point4::zeros();
        let (mut h, mut hu, mut hv, mut huu, mut huv, mut hvv) =
            (zero, zero, zero, zero, zero, zero);
        for i in 0..=p {
            let at = (su - p + i) * self.count_v + sv - q;
            let (mut r, mut rv, mut rvv) = (zero, zero, zero);
            for (j, c) in self.control[at..=at + q].iter().enumerate() {
                r += c * nv[0][j];
                rv += c * nv[1][j];
                rvv += c * nv[2][j];
            }
            h += r * nu[0][i];
            hu += r * nu[1][i];
            huu += r * nu[2][i];
            hv += rv * nu[0][i];
            huv += rv * nu[1][i];
            hvv += rvv * nu[0][i];
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

    /// The unit normal along du × dv; on a collapsed side the limit from inside.
    pub fn normal(&self, u: f64, v: f64) -> Option<Vec3> {
        let (u, v) = self.inside(u, v);
        let (du, dv) = self.domain();
        let jet = self.jet(u, v);
        let near = |t: f64, end: f64, d: &Interval| (t - end).abs() <= POLE * d.length();
        let limit = if self.collapsed[2] && near(v, dv.lo, &dv) {
            jet.duv.cross(&jet.dv)
        } else if self.collapsed[3] && near(v, dv.hi, &dv) {
            jet.dv.cross(&jet.duv)
        } else if self.collapsed[0] && near(u, du.lo, &du) {
            jet.du.cross(&jet.duv)
        } else if self.collapsed[1] && near(u, du.hi, &du) {
            jet.duv.cross(&jet.du)
        } else {
            return jet.normal().or_else(|| {
                let towards = |t: f64, d: &Interval| t + (d.mid() - t) * NUDGE;
                self.jet(towards(u, &du), towards(v, &dv)).normal()
            });
        };
        let scale = jet.duv.norm() * jet.du.norm().max(jet.dv.norm());
        limit.try_normalize(scale * POLE).or_else(|| {
            let towards = |t: f64, d: &Interval| t + (d.mid() - t) * NUDGE;
            self.jet(towards(u, &du), towards(v, &dv)).normal()
        })
    }

    /// The surface moved.
    pub fn transformed(&self, a_from_b: &Pose) -> Self {
        let mut out = self.clone();
        out.patches = OnceLock::new();
        out.samples = OnceLock::new();
        for c in &mut out.control {
            *c = lift(&(a_from_b * project(c)), c.w);
        }
        out
    }

    /// The curve of constant `u`, over v.
    pub fn iso_u(&self, u: f64) -> NurbsCurve {
        let u = into_domain(u, self.domain().0, self.closed[0]);
        let p = self.degree_u;
        let span = basis::find_span(&self.knots_u, p, u);
        let n = basis::values(&self.knots_u, p, span, u);
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
        let n = basis::values(&self.knots_v, q, span, v);
        let rows = self.control.chunks(self.count_v);
        let control = rows.map(|row| {
            let part = row[span - q..=span].iter().zip(&n);
            part.fold(Point4::zeros(), |a, (c, n)| a + c * *n)
        });
        NurbsCurve::from_clamped(self.degree_u, self.knots_u.clone(), control.collect())
    }

    /// The same surface with u and v exchanged.
    pub fn swapped(&self) -> Self {
        let rows = transpose(&self.rows());
        let (ku, kv) = (self.knots_v.clone(), self.knots_u.clone());
        Self::from_rows(self.degree_v, self.degree_u, ku, kv, &rows)
    }

    /// The same surface with u running backwards over the same domain.
    pub fn reversed(&self) -> Self {
        let d = self.domain().0;
        let knots_u = self.knots_u.iter().rev().map(|k| d.lo + d.hi - k).collect();
        let mut rows = self.rows();
        rows.reverse();
        Self::from_rows(
            self.degree_u,
            self.degree_v,
            knots_u,
            self.knots_v.clone(),
            &rows,
        )
    }

    /// Inserts a knot once in u.
    pub fn insert_knot_u(&self, u: f64) -> Self {
        self.swapped().insert_knot_v(u).swapped()
    }

    /// Inserts a knot once in v; a value outside the inside of the domain changes nothing.
    pub fn insert_knot_v(&self, v: f64) -> Self {
        let d = self.domain().1;
        if v <= d.lo || v >= d.hi || basis::multiplicity(&self.knots_v, v) >= self.degree_v {
            return self.clone();
        }
        let (mut knots, mut rows) = (self.knots_v.clone(), self.rows());
        basis::insert(&mut knots, self.degree_v, &mut rows, v);
        Self::from_rows(
            self.degree_u,
            self.degree_v,
            self.knots_u.clone(),
            knots,
            &rows,
        )
    }

    /// The part over a rectangle of the domain.
    pub fn restricted(&self, u: Interval, v: Interval) -> Self {
        let (du, dv) = self.domain();
        let (mut ku, mut kv) = (self.knots_u.clone(), self.knots_v.clone());
        let mut rows = self.rows();
        let (a, b) = (dv.clamp(v.lo), dv.clamp(v.hi));
        if a < b {
            basis::restrict(&mut kv, self.degree_v, &mut rows, a, b);
        }
        let mut columns = transpose(&rows);
        let (a, b) = (du.clamp(u.lo), du.clamp(u.hi));
        if a < b {
            basis::restrict(&mut ku, self.degree_u, &mut columns, a, b);
        }
        Self::from_rows(self.degree_u, self.degree_v, ku, kv, &transpose(&columns))
    }

    /// Both parts, cut at `u` strictly inside the domain; elsewhere the whole surface twice.
    pub fn split_u(&self, u: f64) -> (Self, Self) {
        let (d, v) = self.domain();
        (
            self.restricted(Interval { lo: d.lo, hi: u }, v),
            self.restricted(Interval { lo: u, hi: d.hi }, v),
        )
    }

    /// Both parts, cut at `v` strictly inside the domain; elsewhere the whole surface twice.
    pub fn split_v(&self, v: f64) -> (Self, Self) {
        let (u, d) = self.domain();
        (
            self.restricted(u, Interval { lo: d.lo, hi: v }),
            self.restricted(u, Interval { lo: v, hi: d.hi }),
        )
    }

    /// The same surface one degree higher in u; its interior knots in u get full multiplicity.
    pub fn elevate_u(&self) -> Self {
        self.swapped().elevate_v().swapped()
    }

    /// The same surface one degree higher in v; its interior knots in v get full multiplicity.
    pub fn elevate_v(&self) -> Self {
        if self.degree_v >= basis::MAX_DEGREE {
            return self.clone();
        }
        let curves = self.rows().into_iter().map(|row| {
            NurbsCurve::from_clamped(self.degree_v, self.knots_v.clone(), row).elevate()
        });
        let rows: Vec<_> = curves.map(|c| c.control).collect();
        let q = self.degree_v + 1;
        let knots = basis::joined_knots(&basis::distinct(&self.knots_v, self.degree_v), q);
        Self::from_rows(self.degree_u, q, self.knots_u.clone(), knots, &rows)
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
mod tests {
    use super::*;
    use crate::nurbs::curve::tests::circle;

    /// A torus (major 3, minor 1) over [0, 4]²: the product of two rational circles.
    fn torus() -> NurbsSurface {
        let c = circle();
        let mut control = Vec::new();
        for a in &c.control {
            for b in &c.control {
                let (p, q) = (project(a), project(b));
                let r = 3.0 + q.x;
                control.push(lift(&Point3::new(p.x * r, p.y * r, q.y), a.w * b.w));
            }
        }
        NurbsSurface::new(2, 2, c.knots.clone(), c.knots.clone(), 9, 9, control).unwrap()
    }

    fn wavy() -> NurbsSurface {
        let mut control = Vec::new();
        for i in 0..6 {
            for j in 0..5 {
                let (x, y) = (i as f64, j as f64);
                let p = Point3::new(x, y + 0.1 * x.sin(), (x * 0.9).sin() + (y * 1.1).cos());
                control.push(lift(&p, 1.0 + 0.2 * (x + 2.0 * y).sin()));
            }
        }
        let ku = vec![-1.0, 0.0, 0.2, 1.0, 1.5, 2.0, 3.0, 3.5, 4.0, 9.0];
        let kv = vec![0.0, 0.0, 0.0, 0.4, 0.4, 1.0, 1.0, 1.0];
        NurbsSurface::new(3, 2, ku, kv, 6, 5, control).unwrap()
    }

    #[test]
    fn jets_match_finite_differences() {
        let s = wavy();
        let h = 1e-5;
        for (u, v) in [(1.1, 0.1), (1.7, 0.5), (2.8, 0.9)] {
            let j = s.jet(u, v);
            let (a, b) = (s.jet(u + h, v), s.jet(u - h, v));
            let (c, d) = (s.jet(u, v + h), s.jet(u, v - h));
            let k = 0.5 / h;
            assert!(((a.p - b.p) * k - j.du).norm() < 1e-6);
            assert!(((c.p - d.p) * k - j.dv).norm() < 1e-6);
            assert!(((a.du - b.du) * k - j.duu).norm() < 1e-5);
            assert!(((a.dv - b.dv) * k - j.duv).norm() < 1e-5);
            assert!(((c.dv - d.dv) * k - j.dvv).norm() < 1e-5);
        }
    }

    #[test]
    fn rewriting_keeps_the_shape() {
        let s = wavy();
        let (du, dv) = s.domain();
        let same = [
            s.insert_knot_u(1.3),
            s.insert_knot_v(0.7),
            s.elevate_u(),
            s.elevate_v(),
        ];
        let (a, b) = s.split_u(1.9);
        let (r, w) = (s.reversed(), s.swapped());
        for i in 0..=12 {
            for k in 0..=12 {
                let (u, v) = (du.at(i as f64 / 12.0), dv.at(k as f64 / 12.0));
                let p = s.point(u, v);
                let close = |q: Point3| assert!((p - q).norm() < 1e-12);
                same.iter().for_each(|x| close(x.point(u, v)));
                close(if u <= 1.9 {
                    a.point(u, v)
                } else {
                    b.point(u, v)
                });
                close(r.point(du.lo + du.hi - u, v));
                close(w.point(v, u));
                close(s.iso_u(u).point(v));
                close(s.iso_v(v).point(u));
                let hit = |x: &&BezierSurface| x.domain_u.contains(u) && x.domain_v.contains(v);
                close(s.patches().iter().find(hit).unwrap().point(u, v));
            }
        }
    }

    #[test]
    fn torus_is_closed_and_inverts() {
        let s = torus();
        assert_eq!(s.periods(), [Some(4.0), Some(4.0)]);
        for k in 0..60 {
            let (u, v) = ((0.37 * k as f64) % 4.0, (0.91 * k as f64) % 4.0);
            let p = s.point(u, v);
            let ring = p.x.hypot(p.y) - 3.0;
            assert!((ring.hypot(p.z) - 1.0).abs() < 1e-13);
            let off = p + s.normal(u, v).unwrap() * 0.3;
            for guess in [None, Some((u + 0.2, v - 0.15)), Some((u + 4.1, v - 8.0))] {
                let (a, b) = s.invert(&off, guess);
                assert!((s.point(a, b) - p).norm() < 1e-7, "{k} {guess:?}");
                if let Some((gu, gv)) = guess {
                    assert!((a - gu).abs() <= 2.0 && (b - gv).abs() <= 2.0);
                }
            }
        }
        let (du, dv) = s.domain();
        let b = s.bounding_box(du, dv);
        assert!((b.max - Point3::new(4.0, 4.0, 1.0)).norm() < 1e-3 && b.max.z >= 1.0 - 1e-12);
        assert!((b.max.x - 4.0).abs() < 1e-9);
    }

    #[test]
    fn feet_on_a_torus_are_the_four() {
        let s = torus();
        let mut feet = Vec::new();
        s.feet(&Point3::new(4.0, 1.0, 0.7), &mut feet);
        let mut got: Vec<f64> = feet.iter().map(|f| f.distance).collect();
        got.sort_by(f64::total_cmp);
        let r = 17f64.sqrt();
        let (near, far) = ((r - 3.0).hypot(0.7), (r + 3.0).hypot(0.7));
        let mut expected = [(near - 1.0).abs(), near + 1.0, far - 1.0, far + 1.0];
        expected.sort_by(f64::total_cmp);
        assert_eq!(got.len(), 4, "{got:?}");
        for (a, b) in got.iter().zip(expected) {
            assert!((a - b).abs() < 1e-10);
        }
        // from the axis every circle of feet is a family
        let mut feet = Vec::new();
        s.feet(&Point3::new(0.0, 0.0, 0.5), &mut feet);
        assert_eq!(feet.len(), 2, "{feet:?}");
    }

    #[test]
    fn box_and_extrema_agree_with_samples() {
        let s = wavy();
        let (du, dv) = s.domain();
        let b = s.bounding_box(du, dv);
        let mut sampled = Aabb::EMPTY;
        for i in 0..=300 {
            for k in 0..=300 {
                sampled.include(&s.point(du.at(i as f64 / 300.0), dv.at(k as f64 / 300.0)));
            }
        }
        assert!((b.min - sampled.min).norm() < 1e-3 && (b.max - sampled.max).norm() < 1e-3);
        let g = b.grown(1e-12);
        assert!(g.contains(&sampled.min) && g.contains(&sampled.max));
        let mut out = Vec::new();
        torus().extrema(&Vec3::new(1.0, 0.5, 0.3), &mut out);
        assert_eq!(out.len(), 4);
        for (u, v) in out {
            let n = torus().normal(u, v).unwrap();
            assert!(n.cross(&Vec3::new(1.0, 0.5, 0.3)).norm() < 1e-9);
        }
    }

    #[test]
    fn sphere_has_poles_and_normals_there() {
        let c = circle();
        let half = c.restricted(Interval::new(0.0, 2.0));
        let mut control = Vec::new();
        for a in &c.control {
            for b in &half.control {
                let (p, q) = (project(a), project(b));
                control.push(lift(&Point3::new(p.x * q.y, p.y * q.y, -q.x), a.w * b.w));
            }
        }
        let n = half.control.len();
        let s = NurbsSurface::new(2, 2, c.knots.clone(), half.knots, 9, n, control).unwrap();
        assert_eq!(s.poles(), [Some(0.0), Some(2.0)]);
        assert_eq!(s.periods(), [Some(4.0), None]);
        assert!((s.normal(0.3, 0.0).unwrap() + Vec3::z()).norm() < 1e-12);
        assert!((s.normal(0.3, 2.0).unwrap() - Vec3::z()).norm() < 1e-12);
        let (u, v) = s.invert(&Point3::new(0.0, 0.0, 1.5), Some((1.2, 1.9)));
        assert!((u - 1.2).abs() < 1e-9 && (v - 2.0).abs() < 1e-7);
    }
}
