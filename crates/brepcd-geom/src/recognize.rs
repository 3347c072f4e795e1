//! Canonical curves and surfaces hidden in B-splines.
//!
//! A coarse grid of points and normals gives closed-form candidates: normals of a cylinder are orthogonal to its axis,
//! tangent planes of a cone meet in its apex, `p - r n` is constant on a sphere, and the normal lines of a torus lie in
//! one linear complex (Pottmann, Randrup: Rotational and helical surface approximation, 1998) after which its meridian
//! is a circle. A few Gauss-Newton steps polish the candidate, and a dense grid decides. The parametrisation of the
//! result has nothing to do with that of the input.

use crate::curve::{Circle, Line};
use crate::nurbs::{NurbsCurve, NurbsSurface};
use crate::surface::{Cone, Cylinder, Plane, Sphere, Torus, TorusShape};
use crate::{Aabb, Curve, Frame, Interval, Point3, Surface, Vec3};
use nalgebra::{Matrix3, Matrix6, SMatrix, SVector, SymmetricEigen, Vector6};

/// Coarse samples per direction.
const COARSE: usize = 7;
/// Deviation of a closed-form candidate, relative to the size, beyond which it is not polished.
const GATE: f64 = 0.02;
/// Polishing steps.
const STEPS: usize = 6;
/// Step of the difference quotients relative to the size.
const DIFFERENCE: f64 = 1e-5;
/// Sizes below this multiple of the tolerance are not judged.
const SMALLEST: f64 = 10.0;
/// Largest radius relative to the size.
const LARGEST_RADIUS: f64 = 1e5;
/// Smallest cosine between the normals of input and result.
const NORMAL_COSINE: f64 = 0.99;
/// Most dense samples per direction.
const DENSE: usize = 200;
/// Relative size of quantities that count as zero.
const NOTHING: f64 = 1e-12;
/// Most iterations of an eigenvalue computation.
const EIGEN_STEPS: usize = 1000;

/// The plane, cylinder, cone, sphere or torus within `tol` of the whole surface, and the largest distance found.
///
/// A plane takes the normal of the input; the other kinds have one fixed normal, so ask [`same_orientation`].
pub fn surface(surface: &NurbsSurface, tol: f64) -> Option<(Surface, f64)> {
    if let Some(found) = plane(surface, tol) {
        return Some(found);
    }
    let samples = coarse(surface)?;
    let size = Aabb::of(samples.iter().map(|s| s.p)).diagonal();
    if !(size.is_finite() && size > SMALLEST * tol) {
        return None;
    }
    for candidate in [cylinder, cone, sphere, torus] {
        let Some(fit) = candidate(&samples, size) else {
            continue;
        };
        if fit.deviation(&samples) > GATE * size {
            continue;
        }
        let Some(fit) = fit.polished(&samples, size, tol) else {
            continue;
        };
        if fit.deviation(&samples) > tol || !fit.plausible(&samples, size) {
            continue;
        }
        if let Some(deviation) = dense_deviation(surface, &fit, tol) {
            return fit
                .into_surface(surface, &samples, tol)
                .map(|s| (s, deviation));
        }
    }
    None
}

/// True when `canonical`, found by [`surface`], has its normal on the same side as the input.
pub fn same_orientation(input: &NurbsSurface, canonical: &Surface) -> bool {
    let Some(samples) = coarse(input) else {
        return true;
    };
    let s = &samples[samples.len() / 2];
    let (u, v) = canonical.invert(&s.p, None);
    canonical.normal(u, v).is_none_or(|n| n.dot(&s.n) >= 0.0)
}

/// The line or circle within `tol` of the whole curve, running the same way, and the largest distance found.
///
/// A circle starts (angle 0) where the curve starts.
pub fn curve(curve: &NurbsCurve, tol: f64) -> Option<(Curve, f64)> {
    line(curve, tol).or_else(|| circle(curve, tol))
}

fn line(curve: &NurbsCurve, tol: f64) -> Option<(Curve, f64)> {
    let mut points = curve.control.iter().map(|q| Point3::from(q.xyz() / q.w));
    let (origin, last) = (
        points.next()?,
        curve.control.last().map(|q| Point3::from(q.xyz() / q.w))?,
    );
    let dir = (last - origin).try_normalize(tol)?;
    let (mut reached, mut deviation) = (0.0, 0.0_f64);
    for p in points {
        let along = (p - origin).dot(&dir);
        deviation = deviation.max((p - origin - dir * along).norm());
        // the control polygon runs back: the curve may, too
        if !(along >= reached - tol && deviation <= tol) {
            return None;
        }
        reached = along.max(reached);
    }
    Some((Curve::Line(Line { origin, dir }), deviation))
}

fn circle(curve: &NurbsCurve, tol: f64) -> Option<(Curve, f64)> {
    let ts = dense(curve.domain(), &curve.breaks(curve.domain()), curve.degree);
    let jets: Vec<_> = ts.iter().map(|&t| curve.jet(t)).collect();
    let points: Vec<Point3> = jets.iter().map(|j| j.p).collect();
    let size = Aabb::of(points.iter().copied()).diagonal();
    let (mean, z, flat) = flat(&points)?;
    if !(size > SMALLEST * tol && flat <= tol) {
        return None;
    }
    let frame = Frame::from_z(mean, z)?;
    // |q|² = 2 c·q + (r² - |c|²), scaled by the size
    let local: Vec<Vec3> = points.iter().map(|p| frame.local(p) / size).collect();
    let (mut m, mut b) = (Matrix3::zeros(), Vec3::zeros());
    for q in &local {
        let row = Vec3::new(2.0 * q.x, 2.0 * q.y, 1.0);
        m += row * row.transpose();
        b += row * (q.x * q.x + q.y * q.y);
    }
    let mut x = m.cholesky()?.solve(&b);
    x.z = (x.z + x.x * x.x + x.y * x.y).sqrt();
    for _ in 0..3 {
        let (mut m, mut b) = (Matrix3::zeros(), Vec3::zeros());
        for q in &local {
            let d = nalgebra::Vector2::new(q.x - x.x, q.y - x.y);
            let row = Vec3::new(-d.x / d.norm(), -d.y / d.norm(), -1.0);
            m += row * row.transpose();
            b -= row * (d.norm() - x.z);
        }
        x += m.cholesky()?.solve(&b);
    }
    let (centre, radius) = (frame.point(x.x * size, x.y * size, 0.0), x.z * size);
    if !(radius.is_finite() && radius > 0.0 && radius < LARGEST_RADIUS * size) {
        return None;
    }
    let turns = |z: &Vec3, i: usize| z.dot(&(jets[i].p - centre).cross(&jets[i].d1));
    let z = if (0..jets.len()).map(|i| turns(&z, i)).sum::<f64>() < 0.0 {
        -z
    } else {
        z
    };
    let (mut deviation, mut angle) = (0.0_f64, 0.0);
    for (i, p) in points.iter().enumerate() {
        let d = p - centre;
        let h = d.dot(&z);
        deviation = deviation.max(((d - z * h).norm() - radius).hypot(h));
        if turns(&z, i) < 0.0 {
            return None;
        }
        if i > 0 {
            angle += d.angle(&(points[i - 1] - centre));
        }
    }
    let once = angle * radius <= std::f64::consts::TAU * radius + SMALLEST * tol;
    let frame = Frame::from_z_and_hint(centre, z, Some(points[0] - centre))?;
    (deviation <= tol && once).then_some((Curve::Circle(Circle { frame, radius }), deviation))
}

/// A point of the surface with its unit normal.
struct Sample {
    p: Point3,
    n: Vec3,
}

/// A few regular points spread over the knot spans; `None` if the surface is singular nearly everywhere.
fn coarse(surface: &NurbsSurface) -> Option<Vec<Sample>> {
    let (du, dv) = surface.domain();
    let spread = |domain: Interval, breaks: Vec<f64>| {
        let ends = span_ends(domain, &breaks);
        let spans = ends.len() - 1;
        (0..COARSE)
            .map(|i| {
                let at = (i as f64 + 0.5) / COARSE as f64 * spans as f64;
                let k = (at as usize).min(spans - 1);
                Interval {
                    lo: ends[k],
                    hi: ends[k + 1],
                }
                .at(at - k as f64)
            })
            .collect::<Vec<_>>()
    };
    let (us, vs) = (
        spread(du, surface.breaks_u()),
        spread(dv, surface.breaks_v()),
    );
    let mut out = Vec::with_capacity(COARSE * COARSE);
    for &u in &us {
        for &v in &vs {
            let jet = surface.jet(u, v);
            if let Some(n) = jet.normal().filter(|n| n.iter().all(|c| c.is_finite())) {
                out.push(Sample { p: jet.p, n });
            }
        }
    }
    (2 * out.len() > COARSE * COARSE).then_some(out)
}

fn span_ends(domain: Interval, breaks: &[f64]) -> Vec<f64> {
    let mut ends = vec![domain.lo];
    ends.extend(
        breaks
            .iter()
            .copied()
            .filter(|t| domain.lo < *t && *t < domain.hi),
    );
    ends.push(domain.hi);
    ends
}

/// Parameters with as many per span as a squared distance of this degree needs, all span ends included.
fn dense(domain: Interval, breaks: &[f64], degree: usize) -> Vec<f64> {
    let ends = span_ends(domain, breaks);
    let per_span = (DENSE / (ends.len() - 1)).clamp(2, 2 * degree + 2);
    let mut out = vec![domain.lo];
    for pair in ends.windows(2) {
        let span = Interval {
            lo: pair[0],
            hi: pair[1],
        };
        out.extend((1..=per_span).map(|i| span.at(i as f64 / per_span as f64)));
    }
    out
}

/// Largest distance over a dense grid, `None` as soon as it exceeds `tol`.
fn dense_deviation(surface: &NurbsSurface, fit: &Fit, tol: f64) -> Option<f64> {
    let (du, dv) = surface.domain();
    let vs = dense(dv, &surface.breaks_v(), surface.degree_v);
    let mut deviation = 0.0_f64;
    for u in dense(du, &surface.breaks_u(), surface.degree_u) {
        for &v in &vs {
            let d = fit.residual(&surface.point(u, v)).abs();
            if d.is_nan() || d > tol {
                return None;
            }
            deviation = deviation.max(d);
        }
    }
    Some(deviation)
}

/// Centre, normal and largest distance of the plane through some points; `None` if they lie on a line.
fn flat(points: &[Point3]) -> Option<(Point3, Vec3, f64)> {
    let mean = mean(points.iter().map(|p| p.coords))?;
    let spread: Matrix3<f64> = points
        .iter()
        .map(|p| p.coords - mean)
        .map(|d| d * d.transpose())
        .sum();
    let (normal, values) = smallest(spread)?;
    if values[1] <= NOTHING * values[2] {
        return None;
    }
    let deviation = points
        .iter()
        .map(|p| normal.dot(&(p.coords - mean)).abs())
        .fold(0.0, f64::max);
    Some((mean.into(), normal, deviation))
}

fn plane(surface: &NurbsSurface, tol: f64) -> Option<(Surface, f64)> {
    let points: Vec<Point3> = surface
        .control
        .iter()
        .map(|q| Point3::from(q.xyz() / q.w))
        .collect();
    let (origin, normal, deviation) = flat(&points)?;
    if deviation.is_nan() || deviation > tol {
        return None;
    }
    let (du, dv) = surface.domain();
    let side: f64 = coarse(surface)?.iter().map(|s| s.n.dot(&normal)).sum();
    let hint = surface.point(du.hi, dv.mid()) - surface.point(du.lo, dv.mid());
    let frame = Frame::from_z_and_hint(origin, normal * side.signum(), Some(hint))?;
    Some((Surface::Plane(Plane { frame }), deviation))
}

fn mean(vectors: impl Iterator<Item = Vec3>) -> Option<Vec3> {
    let (sum, count) = vectors.fold((Vec3::zeros(), 0), |(sum, n), v| (sum + v, n + 1));
    (count > 0).then(|| sum / f64::from(count))
}

/// Eigenvector of the smallest eigenvalue, and the eigenvalues in ascending order.
fn smallest(m: Matrix3<f64>) -> Option<(Vec3, [f64; 3])> {
    if !m.iter().all(|c| c.is_finite()) {
        return None;
    }
    let eigen = SymmetricEigen::try_new(m, f64::EPSILON, EIGEN_STEPS)?;
    let mut values = [
        eigen.eigenvalues[0],
        eigen.eigenvalues[1],
        eigen.eigenvalues[2],
    ];
    values.sort_by(f64::total_cmp);
    Some((
        eigen
            .eigenvectors
            .column(eigen.eigenvalues.imin())
            .into_owned(),
        values,
    ))
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
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
struct Fit {
    kind: Kind,
    centre: Point3,
    axis: Vec3,
    r: f64,
    s: f64,
}

/// Centre and signed radius with `p - r n` as constant as possible.
fn offset_centre(pairs: &[(Vec3, Vec3)]) -> Option<(Vec3, f64)> {
    let (p0, n0) = (
        mean(pairs.iter().map(|x| x.0))?,
        mean(pairs.iter().map(|x| x.1))?,
    );
    let over: f64 = pairs.iter().map(|(p, n)| (p - p0).dot(&(n - n0))).sum();
    let under: f64 = pairs.iter().map(|(_, n)| (n - n0).norm_squared()).sum();
    let r = over / under;
    (r.is_finite() && r != 0.0).then(|| (p0 - n0 * r, r.abs()))
}

fn sphere(samples: &[Sample], _: f64) -> Option<Fit> {
    let pairs: Vec<_> = samples.iter().map(|s| (s.p.coords, s.n)).collect();
    let (centre, r) = offset_centre(&pairs)?;
    Some(Fit {
        kind: Kind::Sphere,
        centre: centre.into(),
        axis: Vec3::z(),
        r,
        s: 0.0,
    })
}

fn cylinder(samples: &[Sample], _: f64) -> Option<Fit> {
    let (axis, _) = smallest(samples.iter().map(|s| s.n * s.n.transpose()).sum())?;
    let across = |v: &Vec3| v - axis * axis.dot(v);
    let pairs: Vec<_> = samples
        .iter()
        .map(|s| (across(&s.p.coords), across(&s.n)))
        .collect();
    let (centre, r) = offset_centre(&pairs)?;
    let along = axis.dot(&mean(samples.iter().map(|s| s.p.coords))?);
    Some(Fit {
        kind: Kind::Cylinder,
        centre: (centre + axis * along).into(),
        axis,
        r,
        s: 0.0,
    })
}

fn cone(samples: &[Sample], _: f64) -> Option<Fit> {
    let middle = mean(samples.iter().map(|s| s.p.coords))?;
    let n0 = mean(samples.iter().map(|s| s.n))?;
    let (axis, _) = smallest(
        samples
            .iter()
            .map(|s| s.n - n0)
            .map(|d| d * d.transpose())
            .sum(),
    )?;
    let planes: Matrix3<f64> = samples.iter().map(|s| s.n * s.n.transpose()).sum();
    let b: Vec3 = samples
        .iter()
        .map(|s| s.n * s.n.dot(&(s.p.coords - middle)))
        .sum();
    let apex = planes.cholesky()?.solve(&b) + middle;
    let height = axis.dot(&(middle - apex));
    let (axis, height) = if height < 0.0 {
        (-axis, -height)
    } else {
        (axis, height)
    };
    let s = axis.dot(&n0).abs().min(1.0).asin();
    Some(Fit {
        kind: Kind::Cone,
        centre: (apex + axis * height).into(),
        axis,
        r: height * s.tan(),
        s,
    })
}

fn torus(samples: &[Sample], size: f64) -> Option<Fit> {
    let middle = mean(samples.iter().map(|s| s.p.coords))?;
    let mut complex = Matrix6::zeros();
    for s in samples {
        let moment = ((s.p.coords - middle) / size).cross(&s.n);
        let l = Vector6::new(moment.x, moment.y, moment.z, s.n.x, s.n.y, s.n.z);
        complex += l * l.transpose();
    }
    if !complex.iter().all(|c| c.is_finite()) {
        return None;
    }
    let eigen = SymmetricEigen::try_new(complex, f64::EPSILON, EIGEN_STEPS)?;
    let l = eigen
        .eigenvectors
        .column(eigen.eigenvalues.imin())
        .into_owned();
    let dir = Vec3::new(l[0], l[1], l[2]);
    let axis = dir.try_normalize(NOTHING)?;
    let foot = middle + axis.cross(&Vec3::new(l[3], l[4], l[5])) * (size / dir.norm());
    let meridian = |s: &Sample| {
        let d = s.p.coords - foot;
        let h = d.dot(&axis);
        let radial = (d - axis * h).try_normalize(0.0)?;
        Some((
            Vec3::new(d.dot(&radial), h, 0.0),
            Vec3::new(s.n.dot(&radial), s.n.dot(&axis), 0.0),
        ))
    };
    let pairs: Vec<_> = samples.iter().map(meridian).collect::<Option<_>>()?;
    let (c, r) = offset_centre(&pairs)?;
    Some(Fit {
        kind: Kind::Torus,
        centre: (foot + axis * c.y).into(),
        axis,
        r,
        s: c.x,
    })
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
    fn residual(&self, p: &Point3) -> f64 {
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

    fn deviation(&self, samples: &[Sample]) -> f64 {
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
    fn polished(self, samples: &[Sample], size: f64, tol: f64) -> Option<Self> {
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
    fn plausible(&self, samples: &[Sample], size: f64) -> bool {
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
    fn into_surface(self, input: &NurbsSurface, samples: &[Sample], tol: f64) -> Option<Surface> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nurbs::construct::{extrude, from_conic, offset, revolve};
    use std::f64::consts::{FRAC_PI_2, PI, TAU};

    const TOL: f64 = 1e-5;

    fn frame() -> Frame {
        Frame::from_z_and_hint(
            Point3::new(30.0, -20.0, 50.0),
            Vec3::new(0.3, -0.5, 0.8),
            None,
        )
        .unwrap()
    }

    /// A circle arc in the half plane `x`, `z`.
    fn meridian(x: f64, radius: f64, lo: f64, hi: f64) -> NurbsCurve {
        let f = frame();
        let frame = Frame {
            origin: f.point(x, 0.0, 0.0),
            x: f.x,
            y: f.z,
            z: -f.y,
        };
        from_conic(
            &Curve::Circle(Circle { frame, radius }),
            Interval::new(lo, hi),
        )
        .unwrap()
    }

    fn segment(a: Point3, b: Point3) -> NurbsCurve {
        let line = Line {
            origin: a,
            dir: (b - a).normalize(),
        };
        from_conic(&Curve::Line(line), Interval::new(0.0, (b - a).norm())).unwrap()
    }

    fn found(input: &NurbsSurface, limit: f64) -> Surface {
        let (surface_found, deviation) = surface(input, TOL).expect("recognised");
        assert!(
            deviation <= limit,
            "{surface_found:?} deviates {deviation:e}"
        );
        let (du, dv) = input.domain();
        for (a, b) in [(0.1, 0.2), (0.45, 0.83), (0.95, 0.4)] {
            let p = input.point(du.at(a), dv.at(b));
            let (u, v) = surface_found.invert(&p, None);
            assert!(
                (surface_found.point(u, v) - p).norm() <= 2.0 * limit,
                "{surface_found:?}"
            );
        }
        surface_found
    }

    #[test]
    fn revolutions_are_recognised() {
        let f = frame();
        for angle in [0.3, 2.0, TAU] {
            let turn = |c: &NurbsCurve| revolve(c, f.origin, f.z, angle).unwrap();
            let line = |a: (f64, f64), b: (f64, f64)| {
                segment(f.point(a.0, 0.0, a.1), f.point(b.0, 0.0, b.1))
            };
            let Surface::Plane(p) = found(&turn(&line((2.0, 1.0), (7.0, 1.0))), 1e-11) else {
                panic!()
            };
            assert!(p.frame.z.cross(&f.z).norm() < 1e-11);
            let Surface::Cylinder(c) = found(&turn(&line((7.0, 1.0), (7.0, 9.0))), 1e-10) else {
                panic!()
            };
            assert!((c.radius - 7.0).abs() < 1e-8 && c.frame.z.cross(&f.z).norm() < 1e-8);
            let Surface::Cone(c) = found(&turn(&line((0.0, 4.0), (3.0, 0.0))), 1e-10) else {
                panic!()
            };
            assert!(
                (c.half_angle - 0.75_f64.atan()).abs() < 1e-8 && c.frame.z.dot(&f.z) < -0.999_999
            );
            let Surface::Sphere(s) = found(&turn(&meridian(0.0, 6.0, -FRAC_PI_2, 1.0)), 1e-10)
            else {
                panic!()
            };
            assert!((s.radius - 6.0).abs() < 1e-8 && s.frame.z.cross(&f.z).norm() < 1e-8);
            let Surface::Torus(t) = found(&turn(&meridian(8.0, 2.0, 0.0, 2.5)), 1e-10) else {
                panic!()
            };
            assert!((t.major - 8.0).abs() < 1e-6 && (t.minor - 2.0).abs() < 1e-6);
            assert_eq!(t.shape, TorusShape::Ring);
            let Surface::Torus(t) = found(&turn(&meridian(-2.0, 6.0, -0.9, 0.9)), 1e-10) else {
                panic!()
            };
            assert!((t.major - 2.0).abs() < 1e-6 && t.shape == TorusShape::Lemon);
            let Surface::Torus(t) = found(&turn(&meridian(2.0, 6.0, -0.9, 1.5)), 1e-10) else {
                panic!()
            };
            assert!((t.major - 2.0).abs() < 1e-6 && t.shape == TorusShape::Apple);
        }
    }

    #[test]
    fn orientation_is_told() {
        let f = frame();
        let up = segment(f.point(7.0, 0.0, 1.0), f.point(7.0, 0.0, 9.0));
        for (angle, outwards) in [(2.0, true), (-2.0, false)] {
            let input = revolve(&up, f.origin, f.z, angle).unwrap();
            assert_eq!(
                same_orientation(&input, &surface(&input, TOL).unwrap().0),
                outwards
            );
        }
    }

    #[test]
    fn polynomial_approximations_are_recognised_within_tolerance() {
        let torus = Torus {
            frame: frame(),
            major: 10.0,
            minor: 3.0,
            shape: TorusShape::Ring,
        };
        let cylinder = Cylinder {
            frame: frame(),
            radius: 4.0,
        };
        let ranges = (Interval::new(0.0, 3.0), Interval::new(0.0, 2.0));
        let (input, _) = offset(&Surface::Torus(torus), ranges, -1.0, 0.5 * TOL).unwrap();
        let Surface::Torus(t) = found(&input, TOL) else {
            panic!()
        };
        assert!((t.minor - 2.0).abs() < TOL && (t.major - 10.0).abs() < 2.0 * TOL);
        let (input, _) = offset(&Surface::Cylinder(cylinder), ranges, 1.0, 0.5 * TOL).unwrap();
        let Surface::Cylinder(c) = found(&input, TOL) else {
            panic!()
        };
        assert!((c.radius - 5.0).abs() < TOL);
    }

    #[test]
    fn free_form_is_not_recognised() {
        let f = frame();
        let mut input = revolve(&meridian(8.0, 2.0, 0.0, 2.5), f.origin, f.z, 2.0).unwrap();
        let middle = input.control.len() / 2;
        input.control[middle] += f.z.push(0.0) * 1e-3;
        assert!(surface(&input, TOL).is_none());
        let ellipse = crate::curve::Ellipse {
            frame: f,
            rx: 3.0,
            ry: 3.001,
        };
        let curve_input = from_conic(&Curve::Ellipse(ellipse), Interval::new(0.0, 3.0)).unwrap();
        assert!(curve(&curve_input, TOL).is_none());
        assert!(surface(&extrude(&curve_input, f.z * 5.0).unwrap(), TOL).is_none());
        assert!(surface(&extrude(&curve_input, f.z * 5.0).unwrap(), 1e-2).is_some());
    }

    #[test]
    fn curves_are_recognised_in_their_direction() {
        let f = frame();
        for (lo, hi) in [(0.3, 0.5), (-1.0, 2.0), (1.0, 1.0 + TAU)] {
            let input = from_conic(
                &Curve::Circle(Circle {
                    frame: f,
                    radius: 4.0,
                }),
                Interval::new(lo, hi),
            )
            .unwrap();
            let Some((Curve::Circle(c), deviation)) = curve(&input, TOL) else {
                panic!()
            };
            assert!(deviation < 1e-11 && (c.radius - 4.0).abs() < 1e-8);
            assert!((c.frame.z - f.z).norm() < 1e-8 && (c.frame.x - f.radial(lo)).norm() < 1e-8);
        }
        let twice = from_conic(
            &Curve::Circle(Circle {
                frame: f,
                radius: 4.0,
            }),
            Interval::new(0.0, 3.0 * PI),
        )
        .unwrap();
        assert!(curve(&twice, TOL).is_none());
        let (a, b) = (f.point(1.0, 2.0, 3.0), f.point(-4.0, 2.0, 8.0));
        let Some((Curve::Line(l), _)) = curve(&segment(a, b), TOL) else {
            panic!()
        };
        assert!((l.dir - (b - a).normalize()).norm() < 1e-14);
    }
}
