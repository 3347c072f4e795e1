//! Other forms of the same rational B-spline surface: moved, reversed, cut, refined, elevated.

use std::sync::OnceLock;

use super::{NurbsSurface, transpose};
use crate::nurbs::{NurbsCurve, basis, lift, project};
use crate::{Interval, Pose};

impl NurbsSurface {
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
}

#[cfg(test)]
mod tests {
    use super::super::tests::wavy;
    use crate::nurbs::BezierSurface;
    use crate::oracle::{Random, grid, seeds};
    use crate::{Point3, Pose};

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
    fn all_forms_follow_the_definition() {
        for seed in seeds(30) {
            let mut random = Random::new(seed);
            let size = random.pick(&[1e-3, 1.0, 1e4]);
            let origin = Point3::from(random.vector(1.0) * random.pick(&[0.0, 1e6]));
            let raw = random.surface(size, &origin);
            let s = raw.build();
            let (du, dv) = s.domain();
            let (u0, v0) = (
                du.at(random.real(0.05, 0.95)),
                dv.at(random.real(0.05, 0.95)),
            );
            let motion = Pose::new(random.vector(10.0), random.vector(2.0));
            let moved = s.transformed(&motion);
            let same = [
                s.insert_knot_u(u0).insert_knot_u(u0),
                s.insert_knot_v(v0),
                s.elevate_u().elevate_u(),
                s.elevate_v(),
            ];
            let ((a, b), (c, d)) = (s.split_u(u0), s.split_v(v0));
            let (r, w) = (s.reversed(), s.swapped());
            let close = 1e-12 * size + 1e-14 * origin.coords.norm();
            for (u, v) in grid(du, 9).flat_map(|u| grid(dv, 9).map(move |v| (u, v))) {
                let p = raw.point(u, v);
                let check = |q: Point3| assert!((p - q).norm() <= close, "{seed} {u} {v}");
                check(s.point(u, v));
                check(s.jet(u, v).p);
                same.iter().for_each(|x| check(x.point(u, v)));
                check(if u <= u0 { &a } else { &b }.point(u, v));
                check(if v <= v0 { &c } else { &d }.point(u, v));
                check(r.point(du.lo + du.hi - u, v));
                check(w.point(v, u));
                let hit = |x: &&BezierSurface| x.domain_u.contains(u) && x.domain_v.contains(v);
                check(s.patches().iter().find(hit).unwrap().point(u, v));
                assert!(
                    (motion * p - moved.point(u, v)).norm() <= close + 1e-13,
                    "{seed}"
                );
            }
        }
    }
}
