//! Lines and circles hidden in B-spline curves.

use super::plane::flat;
use super::samples::dense;
use super::{LARGEST_RADIUS, SMALLEST};
use crate::curve::{Circle, Line};
use crate::nurbs::NurbsCurve;
use crate::{Aabb, Curve, Frame, Point3, Vec3};
use nalgebra::Matrix3;

pub(super) fn line(curve: &NurbsCurve, tol: f64) -> Option<(Curve, f64)> {
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

pub(super) fn circle(curve: &NurbsCurve, tol: f64) -> Option<(Curve, f64)> {
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
