//! Closed-form candidates from a few points and normals.

use super::fit::{Fit, Kind};
use super::plane::{mean, smallest};
use super::samples::Sample;
use super::{EIGEN_STEPS, NOTHING};
use crate::Vec3;
use nalgebra::{Matrix3, Matrix6, SymmetricEigen, Vector6};

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

pub(super) fn sphere(samples: &[Sample], _: f64) -> Option<Fit> {
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

pub(super) fn cylinder(samples: &[Sample], _: f64) -> Option<Fit> {
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

pub(super) fn cone(samples: &[Sample], _: f64) -> Option<Fit> {
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

pub(super) fn torus(samples: &[Sample], size: f64) -> Option<Fit> {
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
