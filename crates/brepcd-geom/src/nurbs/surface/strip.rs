//! A line of constant `u` with the derivative across it, for many evaluations along it.

use super::NurbsSurface;
use crate::nurbs::{basis, into_domain, project};
use crate::{Point3, Point4, Vec3};

/// The surface along one line of constant `u`: its control points contracted once.
#[derive(Clone, Debug)]
pub struct Strip<'a> {
    surface: &'a NurbsSurface,
    row: Vec<Point4>,
    row_u: Vec<Point4>,
}

impl NurbsSurface {
    /// The line of constant `u` with the derivative across it.
    pub fn strip(&self, u: f64) -> Strip<'_> {
        let u = into_domain(u, self.domain().0, self.closed[0]);
        let degree = self.degree_u;
        let span = basis::find_span(&self.knots_u, degree, u);
        let [value, slope, _] =
            basis::derivatives::<{ basis::MAX_DEGREE + 1 }>(&self.knots_u, degree, span, u);
        let mut row = vec![Point4::zeros(); self.count_v];
        let mut row_u = row.clone();
        let rows = self.control.chunks(self.count_v).skip(span - degree);
        for ((control, value), slope) in rows.zip(&value[..=degree]).zip(&slope) {
            for ((r, ru), c) in row.iter_mut().zip(&mut row_u).zip(control) {
                *r += c * *value;
                *ru += c * *slope;
            }
        }
        Strip {
            surface: self,
            row,
            row_u,
        }
    }
}

impl Strip<'_> {
    /// Position, ∂/∂u and ∂/∂v at a `v`.
    pub fn at(&self, v: f64) -> (Point3, Vec3, Vec3) {
        let s = self.surface;
        let v = into_domain(v, s.domain().1, s.closed[1]);
        let span = basis::find_span(&s.knots_v, s.degree_v, v);
        basis::sized!(s.degree_v, self.at_sized(span, v))
    }

    fn at_sized<const N: usize>(&self, span: usize, v: f64) -> (Point3, Vec3, Vec3) {
        let degree = self.surface.degree_v;
        let [value, slope, _] = basis::derivatives::<N>(&self.surface.knots_v, degree, span, v);
        let (mut h, mut hu, mut hv) = (Point4::zeros(), Point4::zeros(), Point4::zeros());
        let from = span - degree;
        for i in 0..=degree {
            h += self.row[from + i] * value[i];
            hu += self.row_u[from + i] * value[i];
            hv += self.row[from + i] * slope[i];
        }
        let p = project(&h);
        let du = (hu.xyz() - p.coords * hu.w) / h.w;
        let dv = (hv.xyz() - p.coords * hv.w) / h.w;
        (p, du, dv)
    }
}

#[cfg(test)]
mod tests {
    use crate::nurbs::NurbsSurface;
    use crate::{Point4, Vec3};

    #[test]
    fn a_strip_agrees_with_the_surface() {
        let knots = vec![0.0, 0.0, 0.0, 0.4, 1.0, 1.0, 1.0];
        let control = (0..16).map(|i| {
            let (x, y) = (f64::from(i / 4), f64::from(i % 4));
            let w = 1.0 + 0.1 * (x - y).sin();
            Point4::new(w * x, w * y, w * (x * y).cos(), w)
        });
        let surface =
            NurbsSurface::new(2, 2, knots.clone(), knots, 4, 4, control.collect()).unwrap();
        for i in 0..=10 {
            let strip = surface.strip(0.1 * f64::from(i));
            for j in 0..=10 {
                let (p, du, dv) = strip.at(0.1 * f64::from(j));
                let jet = surface.jet(0.1 * f64::from(i), 0.1 * f64::from(j));
                let apart: Vec3 = (p - jet.p).abs() + (du - jet.du).abs() + (dv - jet.dv).abs();
                assert!(apart.norm() < 1e-12, "{i} {j} {apart}");
            }
        }
    }
}
