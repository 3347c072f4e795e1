//! How far a piece of a canonical surface reaches along a direction, exactly: whether it is all on one side of a plane.
//!
//! Coordinates along a direction are waves `a cos t + b sin t` of the angle about the axis, and for spheres and tori of the
//! second parameter, too. Where the factor before a wave has one sign, the largest value is that of the largest wave.

use brepcd_geom::surface::TorusShape;
use brepcd_geom::{Interval, Surface, Vec3};
use std::f64::consts::{PI, TAU};

/// The least and the largest coordinate along a direction over ranges of both parameters; `None` for free-form surfaces
/// and tori that meet themselves.
pub fn extent(surface: &Surface, range: &[Interval; 2], along: &Vec3) -> Option<[f64; 2]> {
    let [u, v] = range;
    let local = |frame: &brepcd_geom::Frame| {
        let d = frame.local_vec(along);
        (frame.origin.coords.dot(along), d)
    };
    Some(match surface {
        Surface::Plane(plane) => {
            let (base, d) = local(&plane.frame);
            let (a, b) = (times(d.x, u), times(d.y, v));
            [base + a[0] + b[0], base + a[1] + b[1]]
        }
        Surface::Cylinder(cylinder) => {
            let (base, d) = local(&cylinder.frame);
            let (round, high) = (wave(d.x, d.y, u), times(d.z, v));
            let r = cylinder.radius;
            [base + r * round[0] + high[0], base + r * round[1] + high[1]]
        }
        Surface::Cone(cone) => {
            let (base, d) = local(&cone.frame);
            let (sin, cos) = cone.half_angle.sin_cos();
            let round = wave(d.x, d.y, u);
            // Straight along `v`.
            let ends = [v.lo, v.hi].map(|v| {
                let rho = (cone.radius + v * sin).max(0.0);
                round.map(|round| rho * round + v * cos * d.z)
            });
            let [p, q] = ends;
            [base + p[0].min(q[0]), base + p[1].max(q[1])]
        }
        Surface::Sphere(sphere) => {
            let (base, d) = local(&sphere.frame);
            let round = wave(d.x, d.y, u);
            let r = sphere.radius;
            let (low, high) = (wave(round[0], d.z, v), wave(round[1], d.z, v));
            [base + r * low[0], base + r * high[1]]
        }
        Surface::Torus(torus) => {
            if torus.shape != TorusShape::Ring || torus.minor > torus.major {
                return None;
            }
            let (base, d) = local(&torus.frame);
            let round = wave(d.x, d.y, u);
            let side = |round: f64| {
                let tube = wave(round, d.z, v).map(|t| torus.minor * t);
                tube.map(|t| base + torus.major * round + t)
            };
            [side(round[0])[0], side(round[1])[1]]
        }
        Surface::Nurbs(_) => return None,
    })
}

/// The range of `factor t`.
fn times(factor: f64, t: &Interval) -> [f64; 2] {
    let (a, b) = (factor * t.lo, factor * t.hi);
    [a.min(b), a.max(b)]
}

/// The range of `a cos t + b sin t`.
fn wave(a: f64, b: f64, t: &Interval) -> [f64; 2] {
    let ends = [t.lo, t.hi].map(|t| a * t.cos() + b * t.sin());
    let (mut least, mut most) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
    let crest = b.atan2(a);
    let holds = |at: f64| at + TAU * ((t.lo - at) / TAU).ceil() <= t.hi;
    let height = a.hypot(b);
    if holds(crest) {
        most = height;
    }
    if holds(crest + PI) {
        least = -height;
    }
    [least, most]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numeric::tests::build::Random;
    use brepcd_geom::surface::{Cone, Cylinder, Plane, Sphere, Torus};
    use brepcd_geom::{Frame, Point3};

    #[test]
    fn samples_reach_it_and_not_beyond() {
        let mut random = Random(31);
        for _ in 0..3000 {
            let origin = Point3::origin() + random.vector(4.0);
            let frame = Frame::from_z(origin, random.unit()).expect("a frame");
            let (r, half) = (random.range(0.5, 3.0), random.range(-1.0, 1.0));
            let minor = random.range(0.1, 1.0) * r;
            let from = random.range(-7.0, 7.0);
            let u = Interval::new(from, from + random.range(0.0, TAU));
            let low = random.range(-1.5, 1.0);
            let v = Interval::new(low, low + random.range(0.0, 1.57 - low));
            let shape = TorusShape::Ring;
            let torus = Torus {
                frame,
                major: r,
                minor,
                shape,
            };
            let surfaces = [
                Surface::Plane(Plane { frame }),
                Surface::Cylinder(Cylinder { frame, radius: r }),
                Surface::Cone(Cone {
                    frame,
                    radius: 2.0 + r,
                    half_angle: half,
                }),
                Surface::Sphere(Sphere { frame, radius: r }),
                Surface::Torus(torus),
            ];
            let along = random.unit();
            for surface in &surfaces {
                let found = extent(surface, &[u, v], &along).expect("canonical");
                let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
                let n = 60;
                for i in 0..=n {
                    for j in 0..=n {
                        let at = |t: &Interval, k| t.lo + t.length() * f64::from(k) / f64::from(n);
                        let p = surface.point(at(&u, i), at(&v, j));
                        let along = p.coords.dot(&along);
                        (least, most) = (least.min(along), most.max(along));
                    }
                }
                assert!(
                    found[0] <= least + 1e-12 && found[1] >= most - 1e-12,
                    "{surface:?}"
                );
                // A step is a ninth of a radian at most.
                assert!(
                    least - found[0] < 0.08 && found[1] - most < 0.08,
                    "{surface:?}"
                );
            }
        }
    }
}
