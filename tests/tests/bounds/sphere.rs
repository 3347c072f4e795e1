//! What the best bounds could be: the convex hull of directions on the unit sphere, and the smallest of many boxes.

use std::f64::consts::TAU;

use brepcd::geom::{Frame, Point3, Vec2, Vec3};

use crate::case::Random;

/// Solid angle of the convex hull of directions, dilated by an angle; `None` if no cone narrower than a half-space
/// holds them.
pub fn dilated_hull(directions: &[Vec3], angle: f64) -> Option<f64> {
    let sum: Vec3 = directions.iter().sum();
    let frame = Frame::from_z(Point3::origin(), sum.try_normalize(1e-6)?)?;
    let mut points = Vec::with_capacity(directions.len());
    for d in directions {
        let local = frame.local_vec(d);
        if local.z <= 1e-3 {
            return None;
        }
        points.push(Vec2::new(local.x / local.z, local.y / local.z));
    }
    let hull = hull(points);
    let lift = |p: &Vec2| Vec3::new(p.x, p.y, 1.0).normalize();
    let corners: Vec<Vec3> = hull.iter().map(lift).collect();
    let n = corners.len();
    let arc = |a: &Vec3, b: &Vec3| a.cross(b).norm().atan2(a.dot(b));
    let around: f64 = (0..n)
        .map(|i| arc(&corners[i], &corners[(i + 1) % n]))
        .sum();
    let area: f64 = (2..n)
        .map(|i| triangle(&corners[0], &corners[i - 1], &corners[i]))
        .sum();
    // Steiner's formula on the sphere.
    let (sin, cos) = angle.sin_cos();
    Some(area * cos + around * sin + TAU * (1.0 - cos))
}

fn triangle(a: &Vec3, b: &Vec3, c: &Vec3) -> f64 {
    // From differences, so that slim triangles keep their digits.
    let height = a.dot(&(b - a).cross(&(c - a))).abs();
    2.0 * height.atan2(1.0 + a.dot(b) + b.dot(c) + c.dot(a))
}

/// The corners of the convex hull, counter-clockwise.
fn hull(mut points: Vec<Vec2>) -> Vec<Vec2> {
    let order = |a: f64, b: f64| a.partial_cmp(&b).expect("a number");
    points.sort_by(|p, q| order(p.x, q.x).then(order(p.y, q.y)));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let mut out: Vec<Vec2> = Vec::new();
    for upper in [false, true] {
        let start = out.len();
        let mut add = |p: &Vec2| {
            while out.len() >= start + 2 {
                let (a, b) = (out[out.len() - 2], out[out.len() - 1]);
                if (b - a).perp(&(p - b)) > 0.0 {
                    break;
                }
                out.pop();
            }
            out.push(*p);
        };
        if upper {
            points.iter().rev().for_each(&mut add);
        } else {
            points.iter().for_each(&mut add);
        }
        out.pop();
    }
    out
}

/// The size of a box: its surface, or its length where it has none.
pub fn box_size(half: &Vec3) -> f64 {
    let surface = 8.0 * (half.x * half.y + half.y * half.z + half.z * half.x);
    let length = half.norm();
    surface + 1e-4 * length * length
}

/// The size of the smallest box of some points among many orientations, starting with a given one.
pub fn smallest_box(points: &[Point3], start: [Vec3; 3], random: &mut Random) -> f64 {
    let size = |axes: &[Vec3; 3]| {
        let half = |axis: &Vec3| {
            let values = points.iter().map(|p| axis.dot(&(p - points[0])));
            let (lo, hi) = values.fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(x), b.max(x)));
            0.5 * (hi - lo)
        };
        box_size(&Vec3::new(half(&axes[0]), half(&axes[1]), half(&axes[2])))
    };
    let mut best = (size(&start), start);
    for _ in 0..60 {
        let frame = Frame::from_z_and_hint(Point3::origin(), random.unit(), Some(random.unit()));
        let Some(f) = frame else { continue };
        let axes = [f.x, f.y, f.z];
        let found = size(&axes);
        if found < best.0 {
            best = (found, axes);
        }
    }
    let mut step = 0.2;
    while step > 1e-4 {
        let mut better = false;
        for _ in 0..6 {
            let turn = random.unit() * step;
            let x = best.1[0] + turn.cross(&best.1[0]);
            let z = best.1[2] + turn.cross(&best.1[2]);
            let Some(f) = Frame::from_z_and_hint(Point3::origin(), z, Some(x)) else {
                continue;
            };
            let axes = [f.x, f.y, f.z];
            let found = size(&axes);
            if found < best.0 {
                best = (found, axes);
                better = true;
            }
        }
        if !better {
            step *= 0.5;
        }
    }
    best.0
}
