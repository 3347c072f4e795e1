//! Stationary points on creases: knot lines (and seams of closed surfaces) across which the tangent plane may jump.
//!
//! On such a line a function is stationary where it is so along the line and its slopes across differ in sign; at a
//! crossing of two lines, where the slopes across both do.

use super::NurbsSurface;
use crate::SurfaceJet;
use crate::nurbs::{NurbsCurve, basis};

/// A crease's parameter and knot span, as seen from below and from above.
type Sides = [(f64, usize); 2];

impl NurbsSurface {
    /// Appends the stationary points on creases of a function of the surface point.
    ///
    /// `along` gives its stationary parameters on a curve, `slopes` its two slopes as sines, so that what is nearly
    /// zero is rounding.
    pub(super) fn on_creases(
        &self,
        along: &dyn Fn(&NurbsCurve) -> Vec<f64>,
        slopes: &dyn Fn(&SurfaceJet) -> [f64; 2],
        found: &mut Vec<(f64, f64, bool)>,
    ) {
        let (us, vs) = (self.creases(0), self.creases(1));
        let jumps =
            |below: f64, above: f64| below * above < 0.0 && below.abs().min(above.abs()) > SLOPE;
        let at = |u: (f64, usize), v: (f64, usize)| slopes(&self.jet_of((u.1, v.1), u.0, v.0));
        let span = |knots: &[f64], degree: usize, t: f64| (t, basis::find_span(knots, degree, t));
        for u in &us {
            for v in along(&self.iso_u(u[1].0)) {
                let v = span(&self.knots_v, self.degree_v, v);
                if jumps(at(u[0], v)[0], at(u[1], v)[0]) {
                    found.push((u[1].0, v.0, true));
                }
            }
            for v in &vs {
                let (low, high) = (at(u[0], v[0]), at(u[1], v[1]));
                if jumps(low[0], high[0]) && jumps(low[1], high[1]) {
                    found.push((u[1].0, v[1].0, true));
                }
            }
        }
        for v in &vs {
            for u in along(&self.iso_v(v[1].0)) {
                let u = span(&self.knots_u, self.degree_u, u);
                if jumps(at(u, v[0])[1], at(u, v[1])[1]) {
                    found.push((u.0, v[1].0, true));
                }
            }
        }
    }

    /// The creases in u (0) or v (1).
    fn creases(&self, direction: usize) -> Vec<Sides> {
        let (knots, degree) = match direction {
            0 => (&self.knots_u, self.degree_u),
            _ => (&self.knots_v, self.degree_v),
        };
        let all = basis::distinct(knots, degree);
        let below = |t: f64| knots.partition_point(|&k| k < t) - 1;
        let mut out = Vec::new();
        for &t in &all[1..all.len() - 1] {
            if basis::multiplicity(knots, t) >= degree {
                out.push([(t, below(t)), (t, basis::find_span(knots, degree, t))]);
            }
        }
        if self.closed[direction] {
            let (lo, hi) = (all[0], all[all.len() - 1]);
            out.push([(hi, below(hi)), (lo, degree)]);
        }
        out
    }
}

/// Sine of an angle that is more than rounding.
const SLOPE: f64 = 1e-7;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nurbs::lift;
    use crate::{Point3, Vec3};

    /// A roof over the unit square: a ridge along x = 1/2 that itself is highest at y = 1/2.
    fn roof() -> NurbsSurface {
        let ridge = |x: f64| 1.0 - 2.0 * (x - 0.5).abs();
        let mut control = Vec::new();
        for x in [0.0, 0.5, 1.0] {
            for (y, bow) in [(0.0, 0.0), (0.5, 1.0), (1.0, 0.0)] {
                control.push(lift(&Point3::new(x, y, ridge(x) + bow), 1.0));
            }
        }
        let (ku, kv) = (
            vec![0.0, 0.0, 0.5, 1.0, 1.0],
            vec![0.0, 0.0, 0.0, 1.0, 1.0, 1.0],
        );
        NurbsSurface::new(1, 2, ku, kv, 3, 3, control).unwrap()
    }

    #[test]
    fn the_top_of_a_ridge_is_an_extreme_and_a_foot() {
        for s in [roof(), roof().swapped()] {
            let mut out = Vec::new();
            s.extrema(&Vec3::z(), &mut out);
            assert_eq!(out.len(), 1, "{out:?}");
            assert!((out[0].0 - 0.5).abs() < 1e-9 && (out[0].1 - 0.5).abs() < 1e-9);
            let mut feet = Vec::new();
            s.feet(&Point3::new(0.5, 0.5, 4.0), &mut feet);
            assert!(
                feet.iter().any(|f| (f.distance - 2.5).abs() < 1e-12),
                "{feet:?}"
            );
            let (u, v) = s.invert(&Point3::new(0.5, 0.5, 4.0), None);
            assert!((s.point(u, v).z - 1.5).abs() < 1e-9);
            let (du, dv) = s.domain();
            assert!((s.bounding_box(du, dv).max.z - 1.5).abs() < 1e-12);
        }
    }

    #[test]
    fn the_top_of_a_pyramid_is_an_extreme_and_a_foot() {
        let knots = vec![0.0, 0.0, 1.0, 2.0, 2.0];
        let control = (0..9)
            .map(|i| (f64::from(i / 3), f64::from(i % 3)))
            .map(|(x, y)| {
                lift(
                    &Point3::new(x, y, if x == 1.0 && y == 1.0 { 1.0 } else { 0.0 }),
                    1.0,
                )
            })
            .collect();
        let s = NurbsSurface::new(1, 1, knots.clone(), knots, 3, 3, control).unwrap();
        let mut out = Vec::new();
        s.extrema(&Vec3::new(0.1, -0.1, 1.0), &mut out);
        assert!(out.contains(&(1.0, 1.0)), "{out:?}");
        let mut feet = Vec::new();
        s.feet(&Point3::new(1.05, 0.9, 3.0), &mut feet);
        assert!(
            feet.iter().any(|f| f.point == Point3::new(1.0, 1.0, 1.0)),
            "{feet:?}"
        );
    }
}
