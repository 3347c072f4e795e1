//! The scaled normal surface of a rational Bézier piece.
//!
//! With `S = X / w` the cross product of the derivatives is `(w Xu×Xv − wv Xu×X − wu X×Xv) / w³`. The bracket is a
//! Bézier surface; weights are positive, so its control points span a cone that holds all normals of the piece.

use super::BezierSurface;
use super::solve::Net;
use crate::{Point3, Point4, Vec3};

impl BezierSurface {
    /// Control points of a Bézier surface whose points are positive multiples of the normals `du × dv`.
    pub fn normal_net(&self) -> Vec<Vec3> {
        // Moving the origin onto the piece keeps the products small.
        let origin = self
            .control
            .first()
            .map_or(Point3::origin(), |c| Point3::from(c.xyz() / c.w));
        let net = |f: &dyn Fn(&Point4) -> f64| {
            Net::new(
                self.degree_u,
                self.degree_v,
                self.control.iter().map(f).collect(),
            )
        };
        let x: [Net; 3] = [0, 1, 2].map(|i| net(&|c| c[i] - origin[i] * c.w));
        let (xu, xv) = (
            [0, 1, 2].map(|i: usize| x[i].ds()),
            [0, 1, 2].map(|i: usize| x[i].dt()),
        );
        let polynomial = self.control.iter().all(|c| c.w == self.control[0].w);
        let axes: [Net; 3] = [0, 1, 2].map(|i| {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            let cross =
                |a: &[Net; 3], b: &[Net; 3]| a[j].mul(&b[k]).combine(1.0, &a[k].mul(&b[j]), -1.0);
            let flat = cross(&xu, &xv);
            if polynomial {
                return flat;
            }
            let w = net(&|c| c.w);
            let bend = w
                .dt()
                .mul(&cross(&xu, &x))
                .combine(1.0, &w.ds().mul(&cross(&x, &xv)), 1.0);
            w.mul(&flat).combine(1.0, &bend, -1.0)
        });
        (0..axes[0].c.len())
            .map(|i| Vec3::new(axes[0].c[i], axes[1].c[i], axes[2].c[i]))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nurbs::NurbsSurface;

    #[test]
    fn normals_are_in_the_cone_of_the_net() {
        let knots = vec![0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0];
        for rational in [0.0, 0.3] {
            let control = (0..16).map(|i| {
                let (x, y) = (f64::from(i / 4), f64::from(i % 4));
                let w = 1.0 + rational * (3.0 * x - y).sin();
                Point4::new(w * (x + 100.0), w * y, w * 0.2 * (x * y).cos(), w)
            });
            let surface =
                NurbsSurface::new(3, 3, knots.clone(), knots.clone(), 4, 4, control.collect())
                    .unwrap();
            let patch = &surface.patches()[0];
            let net = patch.normal_net();
            // Every plane through the origin with the net on one side has the normals on that side.
            for k in 0..200 {
                let a = f64::from(k);
                let d = Vec3::new((1.3 * a).sin(), (2.1 * a).cos(), (0.7 * a).sin());
                let most = net.iter().map(|n| n.dot(&d)).fold(f64::MIN, f64::max);
                if most <= 0.0 {
                    for i in 0..100 {
                        let (u, v) = (f64::from(i / 10) / 9.0, f64::from(i % 10) / 9.0);
                        assert!(surface.normal(u, v).unwrap().dot(&d) <= 1e-12);
                    }
                }
            }
            let middle = surface.normal(0.5, 0.5).unwrap();
            assert!(net.iter().all(|n| n.dot(&middle) > 0.0));
        }
    }
}
