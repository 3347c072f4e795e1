//! Planes hidden in B-spline surfaces, and the plane nearest to some points.

use super::samples::coarse;
use super::{EIGEN_STEPS, NORMAL_COSINE, NOTHING};
use crate::nurbs::NurbsSurface;
use crate::surface::Plane;
use crate::{Frame, Point3, Surface, Vec3};
use nalgebra::{Matrix3, SymmetricEigen};

/// Centre, normal and largest distance of the plane through some points; `None` if they lie on a line.
pub(super) fn flat(points: &[Point3]) -> Option<(Point3, Vec3, f64)> {
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
    let normal = levelled(points, mean, normal)?;
    let deviation = points
        .iter()
        .map(|p| normal.dot(&(p.coords - mean)).abs())
        .fold(0.0, f64::max);
    Some((mean.into(), normal, deviation))
}

/// The normal after one step of linear least squares: eigenvectors are only as good as the eigenvalues are apart.
fn levelled(points: &[Point3], mean: Vec3, normal: Vec3) -> Option<Vec3> {
    let frame = Frame::from_z(mean.into(), normal)?;
    let (mut xx, mut xy, mut yy, mut xz, mut yz) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for q in points.iter().map(|p| frame.local(p)) {
        xx += q.x * q.x;
        xy += q.x * q.y;
        yy += q.y * q.y;
        xz += q.x * q.z;
        yz += q.y * q.z;
    }
    let det = xx * yy - xy * xy;
    let (a, b) = ((xz * yy - yz * xy) / det, (yz * xx - xz * xy) / det);
    let better = frame.z - frame.x * a - frame.y * b;
    if better.iter().all(|c| c.is_finite()) {
        better.try_normalize(0.0)
    } else {
        Some(normal)
    }
}

pub(super) fn plane(surface: &NurbsSurface, tol: f64) -> Option<(Surface, f64)> {
    let points: Vec<Point3> = surface
        .control
        .iter()
        .map(|q| Point3::from(q.xyz() / q.w))
        .collect();
    let (origin, normal, deviation) = flat(&points)?;
    if deviation.is_nan() || deviation > tol {
        return None;
    }
    // not folded, nor a sliver so narrow that any normal would do
    let normals = coarse(surface)?;
    let side = normals.first().map_or(1.0, |s| s.n.dot(&normal).signum());
    if normals
        .iter()
        .any(|s| s.n.dot(&normal) * side < NORMAL_COSINE)
    {
        return None;
    }
    let (du, dv) = surface.domain();
    let hint = surface.point(du.hi, dv.mid()) - surface.point(du.lo, dv.mid());
    let frame = Frame::from_z_and_hint(origin, normal * side, Some(hint))?;
    Some((Surface::Plane(Plane { frame }), deviation))
}

pub(super) fn mean(vectors: impl Iterator<Item = Vec3>) -> Option<Vec3> {
    let (sum, count) = vectors.fold((Vec3::zeros(), 0), |(sum, n), v| (sum + v, n + 1));
    (count > 0).then(|| sum / f64::from(count))
}

/// Eigenvector of the smallest eigenvalue, and the eigenvalues in ascending order.
pub(super) fn smallest(m: Matrix3<f64>) -> Option<(Vec3, [f64; 3])> {
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
