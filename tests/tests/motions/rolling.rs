//! A ball along surfaces: one contact at every instant, with a normal that follows.
//!
//! The nearest points of the parts are worked out here from their dimensions.

use std::f64::consts::{PI, TAU};

use brepcd::geom::{Point2, Point3, Pose, Vec3};
use brepcd::query::{Options, Part};

use crate::follow::track;
use crate::prepare::{named, part};
use brepcd_tests::solids::{self, Step};

const BALL: f64 = 1.0;

/// Rolls a ball along centres at distances of at most 0.6 from the part, and compares with the nearest points.
///
/// `bend` is how much faster than the centre, per length from the nearest point, the normal may turn: 2 for convex parts.
fn roll(a: &Part, centres: &[Point3], nearest: impl Fn(&Point3) -> (Point3, f64), bend: f64) {
    let ball = part(&solids::ball(BALL));
    let options = Options {
        prediction: 0.6,
        ..Options::default()
    };
    // The ball turns as it goes, which must not matter.
    let poses = centres.iter().enumerate().map(|(k, centre)| {
        let turn = Vec3::new(0.3, 1.0, -0.2) * (0.01 * k as f64);
        Pose::new(centre.coords, turn)
    });
    let track = track(a, &ball, poses, &options);
    for (step, (contacts, centre)) in track.contacts.iter().zip(centres).enumerate() {
        assert_eq!(
            contacts.len(),
            1,
            "step {step}, centre {centre}: {contacts:?}"
        );
        let lmd = &contacts[0];
        let (foot, distance) = nearest(centre);
        assert!(!lmd.sampled, "step {step}, centre {centre}: {lmd:?}");
        assert!(
            (lmd.distance - (distance - BALL)).abs() < 1e-10,
            "step {step}, centre {centre}: {lmd:?}, expected {}",
            distance - BALL
        );
        assert!(
            (lmd.point_a - foot).norm() < 1e-9,
            "step {step}: {lmd:?} {foot}"
        );
        let normal = (centre - foot) / distance;
        assert!(
            (lmd.normal - normal).norm() < 1e-9,
            "step {step}: {lmd:?} {normal}"
        );
    }
    for step in 1..centres.len() {
        let way = (centres[step] - centres[step - 1]).norm();
        let turn = track.contacts[step][0].normal - track.contacts[step - 1][0].normal;
        assert!(
            turn.norm() <= bend * way / BALL + 1e-9,
            "step {step}: {turn}"
        );
    }
    track.assert_lipschitz(&ball, 1e-10);
}

/// Points of a closed way, evenly in its parameter from 0 to a full turn.
fn way(steps: usize, at: impl Fn(f64) -> Point3) -> Vec<Point3> {
    (0..=steps)
        .map(|k| at(TAU * k as f64 / steps as f64))
        .collect()
}

/// The nearest point of the box of data/parts/filleted_box.step: a box of half sizes 8, 6 and 4, grown by 2.
fn on_rounded_box(centre: &Point3) -> (Point3, f64) {
    let half = Vec3::new(8.0, 6.0, 4.0);
    let core = Point3::from(centre.coords.zip_map(&half, |c, h| c.clamp(-h, h)));
    let out = (centre - core).normalize();
    (core + out * 2.0, (centre - core).norm() - 2.0)
}

/// The centre on the way to a centre far out, at a distance from the part.
fn lowered(far: &Point3, nearest: impl Fn(&Point3) -> (Point3, f64), gap: f64) -> Point3 {
    let (foot, distance) = nearest(far);
    foot + (far - foot) / distance * (BALL + gap)
}

#[test]
fn over_the_filleted_box() {
    let a = named("filleted_box");
    // Around the box in each of the three planes, and askew over faces, edges and corners.
    for axis in 0..3 {
        for height in [0.0, 0.9, 1.0] {
            let centres = way(800, |t| {
                let half = [8.0, 6.0, 4.0];
                let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
                let mut direction = Vec3::zeros();
                (direction[u], direction[v]) = (t.cos(), t.sin());
                let mut core = [0.0; 3];
                core[axis] = height * half[axis];
                // The way along the sides goes on while the direction is near an axis.
                core[u] = half[u] * (1.5 * t.cos()).clamp(-1.0, 1.0);
                core[v] = half[v] * (1.5 * t.sin()).clamp(-1.0, 1.0);
                let far = Point3::from(core) + direction * 9.0;
                lowered(&far, on_rounded_box, 0.1 + 0.05 * (3.0 * t).sin())
            });
            roll(&a, &centres, on_rounded_box, 2.0);
        }
    }
    let askew = way(1600, |t| {
        let direction = Vec3::new((2.0 * t).cos(), (3.0 * t).sin(), (5.0 * t + 0.3).cos());
        lowered(
            &Point3::from(direction.normalize() * 30.0),
            on_rounded_box,
            0.2,
        )
    });
    roll(&a, &askew, on_rounded_box, 2.0);
}

#[test]
fn along_the_borders_of_fillets() {
    // Exactly over the lines where a plane meets a fillet, a fillet a ball corner, and across them in tiny steps.
    let a = named("filleted_box");
    let along = |k: i32| f64::from(k) / 100.0;
    let line: Vec<Point3> = (-100..=100)
        .map(|k| Point3::new(8.0, 6.5 * along(k), 7.1))
        .collect();
    roll(&a, &line, on_rounded_box, 2.0);
    let side: Vec<Point3> = (-100..=100)
        .map(|k| Point3::new(8.0 * along(k), 9.1, 4.0))
        .collect();
    roll(&a, &side, on_rounded_box, 2.0);
    for scale in [1e-3, 1e-9, 1e-12] {
        roll(&a, &across_a_corner(scale), on_rounded_box, 2.0);
    }
}

/// Centres across the place where a plane, two fillets and a ball corner meet.
fn across_a_corner(scale: f64) -> Vec<Point3> {
    let along = |k: i32| scale * f64::from(k) / 100.0;
    let centres = (-50..=50).map(|k| Point3::new(8.0 + along(k), 6.0 - 2.0 * along(k), 7.1));
    centres.collect()
}

#[test]
fn across_a_corner_as_fast_as_the_tolerance_of_directions() {
    let a = named("filleted_box");
    for scale in [1e-4, 1e-5, 1e-6, 1e-7] {
        roll(&a, &across_a_corner(scale), on_rounded_box, 2.0);
    }
}

/// The nearest point of a solid cylinder about z from 0 to `h`, seen from outside.
fn on_cylinder(r: f64, h: f64) -> impl Fn(&Point3) -> (Point3, f64) {
    move |c| {
        let radius = c.coords.xy().norm();
        let shrink = (r / radius).min(1.0);
        let foot = Point3::new(c.x * shrink, c.y * shrink, c.z.clamp(0.0, h));
        (foot, (c - foot).norm())
    }
}

/// A cylinder whose lateral face comes in sectors.
fn split_cylinder(r: f64, h: f64, sectors: usize) -> Part {
    let centre = Point2::origin();
    let corner = |k: usize| {
        let angle = 0.2 + TAU * k as f64 / sectors as f64;
        (
            Point2::new(r * angle.cos(), r * angle.sin()),
            Step::Arc(centre, true),
        )
    };
    part(&solids::prism(&[(0..sectors).map(corner).collect()], h))
}

#[test]
fn over_cylinders_across_their_seams() {
    let cases = [
        (named("cylinder"), 5.0, 20.0),
        (named("nurbs_cylinder"), 5.0, 20.0),
        (named("seamless_cylinder"), 5.0, 12.0),
        (split_cylinder(4.0, 9.0, 2), 4.0, 9.0),
        (split_cylinder(4.0, 9.0, 5), 4.0, 9.0),
        (part(&solids::cylinder(3.0, 2.0)), 3.0, 2.0),
    ];
    for (a, r, h) in &cases {
        let (r, h) = (*r, *h);
        let out = r + BALL + 0.1;
        // Around at one height, as a helix that goes beyond both rims, along the seam, and over the rims and caps.
        let around = way(720, |t| Point3::new(out * t.cos(), out * t.sin(), 0.4 * h));
        let helix = way(900, |t| {
            let z = 0.5 * h + (0.5 * h + 0.4) * (t - PI) / PI;
            Point3::new(out * (3.0 * t).cos(), out * (3.0 * t).sin(), z)
        });
        let seam = way(200, |t| Point3::new(out, 0.0, h * t / TAU));
        let over = |angle: f64| {
            way(800, move |t| {
                let (radial, height) = (t.cos(), t.sin());
                let ground = Vec3::new(angle.cos(), angle.sin(), 0.0);
                let core = ground * (r * (1.5 * radial).clamp(-1.0, 1.0))
                    + Vec3::z() * (0.5 * h + 0.5 * h * (1.5 * height).clamp(-1.0, 1.0));
                let direction = ground * radial + Vec3::z() * height;
                lowered(
                    &(Point3::from(core) + direction * 9.0),
                    on_cylinder(r, h),
                    0.2,
                )
            })
        };
        for centres in [around, helix, seam, over(0.0), over(0.2), over(2.0)] {
            roll(a, &centres, on_cylinder(r, h), 2.0);
        }
    }
}

#[test]
fn inside_a_bore_across_its_seam() {
    // The nearest wall is outwards; the normal points inwards and turns as fast as the ball goes around.
    let (bore, height) = (3.0, 20.0);
    let plate = part(&solids::tube(6.0, bore, height));
    let wall = |c: &Point3| {
        let out = Vec3::new(c.x, c.y, 0.0);
        let foot = Point3::new(0.0, 0.0, c.z) + out.normalize() * bore;
        (foot, bore - out.norm())
    };
    for off in [1.5, 1.9] {
        let around = way(720, |t| Point3::new(off * t.cos(), off * t.sin(), 10.0 + t));
        roll(&plate, &around, wall, 2.0);
    }
    let wide = part(&solids::tube(6.0, bore, height));
    let through: Vec<Point3> = (-40..=40)
        .map(|k| Point3::new(1.7, 0.02 * f64::from(k), 10.0))
        .collect();
    roll(&wide, &through, wall, 2.0);
}

#[test]
fn around_a_torus_across_both_seams() {
    let (major, minor) = (10.0, 3.0);
    let nearest = |c: &Point3| {
        let ground = Vec3::new(c.x, c.y, 0.0).normalize() * major;
        let out = c.coords - ground;
        (
            Point3::from(ground + out.normalize() * minor),
            out.norm() - minor,
        )
    };
    for a in [
        named("torus"),
        named("nurbs_torus"),
        part(&solids::torus(major, minor)),
    ] {
        for turns in [0.0, 1.0, 7.0] {
            let centres = way(900, |t| {
                let (around, tube) = (t, turns * t + 0.5 * PI * (turns == 0.0) as i32 as f64);
                let ground = Vec3::new(around.cos(), around.sin(), 0.0);
                let out = ground * tube.cos() + Vec3::z() * tube.sin();
                Point3::from(ground * major + out * (minor + BALL + 0.2))
            });
            roll(&a, &centres, nearest, 4.0);
        }
        let tube = way(700, |t| {
            Point3::new(
                major + (minor + BALL + 0.2) * t.cos(),
                0.0,
                (minor + BALL + 0.2) * t.sin(),
            )
        });
        roll(&a, &tube, nearest, 4.0);
    }
}
