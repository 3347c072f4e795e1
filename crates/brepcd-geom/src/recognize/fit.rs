//! A candidate: its distance from points, its polish by least squares, and the surface it stands for.

use super::plane::mean;
use super::samples::Sample;
use super::{LARGEST_RADIUS, NORMAL_COSINE, NOTHING, SMALLEST};
use crate::nurbs::NurbsSurface;
use crate::surface::{Cone, Cylinder, Sphere, Torus, TorusShape};
use crate::{Frame, Point3, Surface, Vec3};
use nalgebra::{SMatrix, SVector};

/// Polishing steps.
const STEPS: usize = 6;
/// Step of the difference quotients relative to the size.
const DIFFERENCE: f64 = 1e-5;

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind {
    Cylinder,
    Cone,
    Sphere,
    Torus,
}

impl Kind {
    /// Which of the seven motions (centre by 2 across and 1 along the axis, axis by 2, `r`, `s`) change the surface.
    fn moves(self) -> [bool; 7] {
        match self {
            Self::Cylinder => [true, true, false, true, true, true, false],
            Self::Cone => [true, true, false, true, true, true, true],
            Self::Sphere => [true, true, true, false, false, true, false],
            Self::Torus => [true; 7],
        }
    }
}

/// A candidate: a point and direction of the axis, the radius `r` (of a torus the minor one), and `s`: half angle of a
/// cone, major radius of a torus (negative for a lemon).
#[derive(Clone, Copy)]
pub(super) struct Fit {
    pub kind: Kind,
    pub centre: Point3,
    pub axis: Vec3,
    pub r: f64,
    pub s: f64,
}

impl Fit {
    /// Distance and height from the axis, and the unit vector away from it.
    fn split(&self, p: &Point3) -> (f64, f64, Vec3) {
        let d = p - self.centre;
        let h = d.dot(&self.axis);
        let across = d - self.axis * h;
        let rho = across.norm();
        (rho, h, if rho > 0.0 { across / rho } else { across })
    }

    /// Signed distance.
    pub(super) fn residual(&self, p: &Point3) -> f64 {
        let (rho, h, _) = self.split(p);
        match self.kind {
            Kind::Cylinder => rho - self.r,
            Kind::Sphere => rho.hypot(h) - self.r,
            Kind::Torus => (rho - self.s).hypot(h) - self.r,
            Kind::Cone => {
                let (sin, cos) = self.s.sin_cos();
                let apex = -self.r / sin;
                if (rho - self.r) * sin + h * cos < apex {
                    rho.hypot(h - apex * cos)
                } else {
                    (rho - self.r) * cos - h * sin
                }
            }
        }
    }

    /// Direction in which the signed distance grows.
    fn gradient(&self, p: &Point3) -> Vec3 {
        let (rho, h, radial) = self.split(p);
        let g = match self.kind {
            Kind::Cylinder => radial,
            Kind::Sphere => p - self.centre,
            Kind::Torus => radial * (rho - self.s) + self.axis * h,
            Kind::Cone => radial * self.s.cos() - self.axis * self.s.sin(),
        };
        g.try_normalize(0.0).unwrap_or_else(Vec3::zeros)
    }

    pub(super) fn deviation(&self, samples: &[Sample]) -> f64 {
        let worst = samples.iter().map(|s| self.residual(&s.p).abs());
        worst.fold(0.0, |a, b| if a >= b { a } else { b })
    }

    /// The candidate moved by lengths; angles are turned into lengths by the size.
    fn moved(&self, frame: &Frame, by: &[f64; 7], size: f64) -> Self {
        let tilt = (frame.x * by[3] + frame.y * by[4]) / size;
        Self {
            centre: self.centre + frame.x * by[0] + frame.y * by[1] + frame.z * by[2],
            axis: (self.axis + tilt).normalize(),
            r: self.r + by[5],
            s: self.s
                + if self.kind == Kind::Cone {
                    by[6] / size
                } else {
                    by[6]
                },
            ..*self
        }
    }

    /// Least squares by Gauss-Newton; `None` when it does not get anywhere near the tolerance.
    pub(super) fn polished(self, samples: &[Sample], size: f64, tol: f64) -> Option<Self> {
        let moves = self.kind.moves();
        let step = DIFFERENCE * size;
        let (mut best, mut now, mut reached) = (self, self, self.deviation(samples));
        for _ in 0..STEPS {
            let frame = Frame::from_z(now.centre, now.axis)?;
            let sides: [Option<(Self, Self)>; 7] = std::array::from_fn(|i| {
                let mut by = [0.0; 7];
                by[i] = step;
                let plus = now.moved(&frame, &by, size);
                by[i] = -step;
                moves[i].then(|| (plus, now.moved(&frame, &by, size)))
            });
            let (mut m, mut b) = (SMatrix::<f64, 7, 7>::zeros(), SVector::<f64, 7>::zeros());
            for s in samples {
                let row = SVector::<f64, 7>::from_fn(|i, _| match &sides[i] {
                    Some((plus, minus)) => {
                        (plus.residual(&s.p) - minus.residual(&s.p)) / (2.0 * step)
                    }
                    None => 0.0,
                });
                m += row * row.transpose();
                b -= row * now.residual(&s.p);
            }
            for i in 0..7 {
                m[(i, i)] += if moves[i] {
                    NOTHING * m[(i, i)] + f64::MIN_POSITIVE
                } else {
                    1.0
                };
            }
            let Some(solver) = m.cholesky() else { break };
            let delta = solver.solve(&b);
            if !delta.iter().all(|d| d.is_finite()) {
                break;
            }
            now = now.moved(&frame, &std::array::from_fn(|i| delta[i]), size);
            let deviation = now.deviation(samples);
            if deviation.is_nan() || deviation >= reached {
                break;
            }
            let slow = deviation > 0.5 * reached;
            (best, reached) = (now, deviation);
            if slow || deviation < NOTHING * size {
                break;
            }
        }
        (reached <= tol).then_some(best)
    }

    /// Radii and angles in range, normals along those of the samples and all on one side.
    pub(super) fn plausible(&self, samples: &[Sample], size: f64) -> bool {
        let limit = LARGEST_RADIUS * size;
        let shaped = match self.kind {
            Kind::Cylinder | Kind::Sphere => true,
            Kind::Cone => 0.0 < self.s && self.s < std::f64::consts::FRAC_PI_2,
            Kind::Torus => {
                self.s.abs() < limit && self.s != 0.0 && self.s > -self.r && self.s != self.r
            }
        };
        let cosines = || samples.iter().map(|s| self.gradient(&s.p).dot(&s.n));
        shaped
            && self.r > 0.0
            && self.r < limit
            && (cosines().all(|c| c > NORMAL_COSINE) || cosines().all(|c| c < -NORMAL_COSINE))
    }

    /// The surface, with `u = 0` through the first corner of the input and the poles of a sphere at its poles.
    pub(super) fn into_surface(
        self,
        input: &NurbsSurface,
        samples: &[Sample],
        tol: f64,
    ) -> Option<Surface> {
        let (du, dv) = input.domain();
        if self.kind == Kind::Sphere {
            let frame = sphere_frame(self.centre, input, samples, tol)?;
            return Some(Surface::Sphere(Sphere {
                frame,
                radius: self.r,
            }));
        }
        let mut hint = input.point(du.lo, dv.lo) - self.centre;
        let across = (hint - self.axis * self.axis.dot(&hint)).norm();
        if across <= SMALLEST * tol {
            hint = input.point(du.lo, dv.hi) - self.centre;
        }
        let frame = Frame::from_z_and_hint(self.centre, self.axis, Some(hint))?;
        let shape = match self.s {
            s if s < 0.0 => TorusShape::Lemon,
            s if s < self.r => TorusShape::Apple,
            _ => TorusShape::Ring,
        };
        Some(match self.kind {
            Kind::Cylinder => Surface::Cylinder(Cylinder {
                frame,
                radius: self.r,
            }),
            Kind::Cone => Surface::Cone(Cone {
                frame,
                radius: self.r,
                half_angle: self.s,
            }),
            Kind::Torus => Surface::Torus(Torus {
                frame,
                major: self.s.abs(),
                minor: self.r,
                shape,
            }),
            Kind::Sphere => return None,
        })
    }
}

/// Poles where a side of the input is a point; otherwise the input lies about the equator, away from the seam.
fn sphere_frame(
    centre: Point3,
    input: &NurbsSurface,
    samples: &[Sample],
    tol: f64,
) -> Option<Frame> {
    let (du, dv) = input.domain();
    for (side, sign) in [(0.0, -1.0), (1.0, 1.0)] {
        for along_u in [true, false] {
            let at = |along: f64, across: f64| match along_u {
                true => input.point(du.at(along), dv.at(across)),
                false => input.point(du.at(across), dv.at(along)),
            };
            let pole = at(0.0, side);
            if [0.3, 0.5, 1.0]
                .iter()
                .all(|&t| (at(t, side) - pole).norm() <= SMALLEST * tol)
            {
                let hint = at(0.0, 0.5) - centre;
                return Frame::from_z_and_hint(centre, (pole - centre) * sign, Some(hint));
            }
        }
    }
    let middle = mean(samples.iter().map(|s| s.p - centre))?;
    let z = Frame::from_z(centre, middle).map_or(Vec3::z(), |f| f.x);
    Frame::from_z_and_hint(centre, z, Some(-middle))
}
