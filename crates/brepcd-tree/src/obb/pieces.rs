//! Boxes of pieces of curves and surfaces.
//!
//! Orientations come from samples and from the geometry itself, extents are exact, the smallest surface wins.

use brepcd_geom::{Aabb, Curve, Interval, Point3, Point4, Pose, Surface, Vec3, nurbs};
use nalgebra::{Rotation3, Translation3, UnitQuaternion};

use super::Obb;
use super::fit::{Axes, axes_from, smallest};

/// Samples along each parameter of a surface that give its orientation.
const SURFACE_SAMPLES: usize = 5;
/// Samples of a curve that give its orientation.
const CURVE_SAMPLES: usize = 13;

impl Obb {
    /// A tight box of a rational Bézier curve or patch with positive weights, from its homogeneous control points.
    pub fn fit_bezier(control: &[Point4]) -> Self {
        let points: Vec<Point3> = control.iter().map(nurbs::project).collect();
        Self::fit_points(&points)
    }

    /// A tight box of a bounded piece of a surface; extents are exact for canonical surfaces.
    pub fn fit_surface(surface: &Surface, u: Interval, v: Interval) -> Self {
        let at = |k: usize| k as f64 / (SURFACE_SAMPLES - 1) as f64;
        let samples: Vec<Point3> = (0..SURFACE_SAMPLES * SURFACE_SAMPLES)
            .map(|k| surface.point(u.at(at(k / SURFACE_SAMPLES)), v.at(at(k % SURFACE_SAMPLES))))
            .collect();
        let mut candidates = vec![Self::fit_points(&samples).axes];
        let jet = surface.jet(u.mid(), v.mid());
        if let Some(normal) = surface.normal(u.mid(), v.mid()) {
            candidates.extend(axes_from(normal, jet.du));
            candidates.extend(axes_from(normal, jet.dv));
        }
        let frame = match surface {
            Surface::Plane(s) => Some(&s.frame),
            Surface::Cylinder(s) => Some(&s.frame),
            Surface::Cone(s) => Some(&s.frame),
            Surface::Sphere(s) => Some(&s.frame),
            Surface::Torus(s) => Some(&s.frame),
            Surface::Nurbs(_) => None,
        };
        if let Some(f) = frame {
            candidates.push([f.x, f.y, f.z]);
            candidates.extend(axes_from(f.z, f.radial(u.mid())));
        }
        let extents = |pose: &Pose| surface.transformed(pose).bounding_box(u, v);
        smallest(
            candidates
                .into_iter()
                .map(|axes| exact(samples[0], axes, extents)),
        )
    }

    /// A tight box of a bounded piece of a curve, with exact extents.
    pub fn fit_curve(curve: &Curve, interval: Interval) -> Self {
        let at = |k: usize| interval.at(k as f64 / (CURVE_SAMPLES - 1) as f64);
        let samples: Vec<Point3> = (0..CURVE_SAMPLES).map(|k| curve.point(at(k))).collect();
        let mut candidates = vec![Self::fit_points(&samples).axes];
        let jet = curve.jet(interval.mid());
        candidates.extend(axes_from(jet.d1, jet.d2));
        let extents = |pose: &Pose| curve.transformed(pose).bounding_box(interval);
        smallest(
            candidates
                .into_iter()
                .map(|axes| exact(samples[0], axes, extents)),
        )
    }
}

/// The box with the given axes and the extents that `extents` finds after a motion into them.
fn exact(origin: Point3, axes: Axes, extents: impl Fn(&Pose) -> Aabb) -> Obb {
    let world_from_box =
        UnitQuaternion::from_rotation_matrix(&Rotation3::from_basis_unchecked(&axes));
    let to_origin = Pose::from_parts(
        Translation3::from(-origin.coords),
        UnitQuaternion::identity(),
    );
    let found = extents(
        &(Pose::from_parts(Translation3::identity(), world_from_box.inverse()) * to_origin),
    );
    let axes = [Vec3::x(), Vec3::y(), Vec3::z()].map(|x| world_from_box * x);
    Obb::from_extents(&origin, axes, &found.min.coords, &found.max.coords)
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{PI, TAU};
    use std::sync::Arc;

    use brepcd_geom::curve::{Circle, Ellipse, Line};
    use brepcd_geom::nurbs::construct::{extrude, from_conic};
    use brepcd_geom::surface::{Cone, Cylinder, Plane, Sphere, Torus, TorusShape};

    use super::super::fit::tests::{brute_force, check_axes};
    use super::*;
    use crate::testing::Random;

    fn surfaces(random: &mut Random) -> Vec<(Surface, Interval, Interval)> {
        let frame = random.frame(20.0);
        let u = Interval::new(0.3, 0.3 + random.range(0.1, 1.5));
        let v = Interval::new(-0.4, -0.4 + random.range(0.1, 1.2));
        let turn = Interval::new(0.0, TAU);
        let torus = |shape, major| {
            let minor = 1.5;
            Surface::Torus(Torus {
                frame,
                major,
                minor,
                shape,
            })
        };
        let cone = Cone {
            frame,
            radius: 2.0,
            half_angle: 0.5,
        };
        vec![
            (Surface::Plane(Plane { frame }), u, v),
            (Surface::Cylinder(Cylinder { frame, radius: 3.0 }), u, v),
            (Surface::Cylinder(Cylinder { frame, radius: 3.0 }), turn, v),
            (Surface::Cone(cone), u, v),
            (Surface::Cone(cone), turn, v),
            (Surface::Sphere(Sphere { frame, radius: 2.0 }), u, v),
            (
                Surface::Sphere(Sphere { frame, radius: 2.0 }),
                turn,
                Interval::new(0.8, PI / 2.0),
            ),
            (torus(TorusShape::Ring, 4.0), u, v),
            (
                torus(TorusShape::Ring, 4.0),
                u,
                Interval::new(v.lo + 2.5, v.hi + 2.5),
            ),
            (torus(TorusShape::Apple, 1.0), u, v),
            (torus(TorusShape::Ring, 4.0), turn, turn),
        ]
    }

    #[test]
    fn surface_pieces_are_inside_and_touch_all_sides() {
        let mut random = Random::new(33);
        for _ in 0..40 {
            for (surface, u, v) in surfaces(&mut random) {
                let b = Obb::fit_surface(&surface, u, v);
                check_axes(&b);
                let mut reach = [Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY)];
                let n = 60;
                for k in 0..(n + 1) * (n + 1) {
                    let (s, t) = (
                        (k / (n + 1)) as f64 / n as f64,
                        (k % (n + 1)) as f64 / n as f64,
                    );
                    let p = surface.point(u.at(s), v.at(t));
                    assert!(b.contains(&p, 0.0), "{surface:?} {u:?} {v:?}");
                    let d = p - b.centre;
                    let c = Vec3::from_fn(|i, _| b.axes[i].dot(&d));
                    reach = [reach[0].inf(&c), reach[1].sup(&c)];
                }
                let short = (b.half - reach[1]).sup(&(b.half + reach[0]));
                let allowed = b.half.add_scalar(1.0) * 0.02;
                assert!(short < allowed, "{surface:?} {u:?} {v:?} {short}");
            }
        }
    }

    #[test]
    fn surface_pieces_have_nearly_the_smallest_box() {
        let mut random = Random::new(34);
        let mut table: Vec<(f64, f64)> = Vec::new();
        let rounds = 4;
        for _ in 0..rounds {
            for (k, (surface, u, v)) in surfaces(&mut random).into_iter().enumerate() {
                let samples: Vec<Point3> = (0..21 * 21)
                    .map(|k| {
                        surface.point(u.at((k / 21) as f64 / 20.0), v.at((k % 21) as f64 / 20.0))
                    })
                    .collect();
                let factor = Obb::fit_surface(&surface, u, v).surface_area()
                    / brute_force(&samples, &mut random);
                table.resize(table.len().max(k + 1), (0.0, 0.0));
                table[k].0 += factor / rounds as f64;
                table[k].1 = table[k].1.max(factor);
            }
        }
        for (k, (surface, ..)) in surfaces(&mut random).iter().enumerate() {
            let (mean, worst) = table[k];
            println!(
                "{k} {}: surface / smallest, mean {mean:.4}, worst {worst:.4}",
                surface.kind_name()
            );
            assert!(worst < 1.15, "{k} {worst}");
        }
    }

    #[test]
    fn curve_pieces() {
        let mut random = Random::new(35);
        for _ in 0..100 {
            let frame = random.frame(20.0);
            let t = Interval::new(0.5, 0.5 + random.range(0.0, TAU));
            let circle = Curve::Circle(Circle { frame, radius: 2.0 });
            let spline = from_conic(&circle, t).map(|c| Curve::Nurbs(Arc::new(c)));
            let curves = [
                Curve::Line(Line {
                    origin: frame.origin,
                    dir: frame.x,
                }),
                Curve::Ellipse(Ellipse {
                    frame,
                    rx: 2.0,
                    ry: 0.5,
                }),
                circle.clone(),
            ];
            for curve in curves
                .iter()
                .chain(spline.as_ref().ok().filter(|_| t.length() > 0.01))
            {
                let b = Obb::fit_curve(curve, t);
                check_axes(&b);
                for k in 0..=100 {
                    assert!(
                        b.contains(&curve.point(t.at(k as f64 / 100.0)), 1e-12),
                        "{curve:?}"
                    );
                }
                let thinnest = b.half.amin();
                assert!(thinnest < 1e-12, "{curve:?} {thinnest}");
            }
            // An arc of at most half a turn lies in the rectangle on its chord.
            if t.length() < PI {
                let b = Obb::fit_curve(&circle, t);
                let (s, c) = (0.5 * t.length()).sin_cos();
                let rectangle = 2.0 * (4.0 * s) * (2.0 * (1.0 - c));
                assert!(
                    b.surface_area() < rectangle + 1e-9,
                    "{} {rectangle}",
                    b.surface_area()
                );
            }
        }
    }

    #[test]
    fn bezier_pieces_lie_in_the_box_of_their_control_points() {
        let mut random = Random::new(36);
        for _ in 0..50 {
            let frame = random.frame(5.0);
            let circle = Curve::Circle(Circle { frame, radius: 3.0 });
            let arc = from_conic(&circle, Interval::new(0.0, 1.2)).expect("an arc");
            for piece in arc.decompose() {
                let b = Obb::fit_bezier(&piece.control);
                for k in 0..=50 {
                    assert!(b.contains(&piece.point(piece.domain.at(k as f64 / 50.0)), 1e-13));
                }
            }
        }
    }

    #[test]
    fn free_form_pieces() {
        let mut random = Random::new(38);
        for _ in 0..20 {
            let frame = random.frame(5.0);
            let circle = Curve::Circle(Circle { frame, radius: 3.0 });
            let arc = from_conic(&circle, Interval::new(0.0, 2.5)).expect("an arc");
            let bent = Surface::Nurbs(Arc::new(extrude(&arc, frame.z * 4.0).expect("a surface")));
            let (u, v) = bent.domain();
            let (u, v) = (
                Interval::new(u.at(0.3), u.at(0.6)),
                Interval::new(v.at(0.1), v.at(0.4)),
            );
            let b = Obb::fit_surface(&bent, u, v);
            check_axes(&b);
            for k in 0..=400 {
                let p = bent.point(u.at((k / 21) as f64 / 20.0), v.at((k % 21) as f64 / 20.0));
                assert!(b.contains(&p, 1e-12));
            }
        }
    }
}
