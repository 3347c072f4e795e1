//! Balls in sockets and cones in cones: families of another shape than rings, and the way through them.

use std::f64::consts::TAU;

use brepcd::geom::{Pose, Vec3};
use brepcd::query::Options;
use brepcd_tests::solids;

use crate::follow::track;
use crate::prepare::part;

fn options(prediction: f64) -> Options {
    Options {
        prediction,
        ..Options::default()
    }
}

#[test]
fn a_ball_circles_in_a_bore() {
    // Off the axis there is one nearest place of the wall, on the axis a ring of them.
    let (tube, ball) = (
        part(&solids::tube(5.0, 2.0, 12.0)),
        part(&solids::ball(1.9)),
    );
    for off in [0.05, 1e-3, 1e-5] {
        let steps = 300;
        let poses = (0..=steps).map(|k| {
            let angle = TAU * f64::from(k) / f64::from(steps);
            Pose::translation(off * angle.cos(), off * angle.sin(), 6.0)
        });
        let track = track(&tube, &ball, poses, &options(0.5));
        for contacts in &track.contacts {
            assert_eq!(contacts.len(), 1, "{off}: {contacts:?}");
            assert!((contacts[0].distance - (0.1 - off)).abs() < 1e-12);
        }
        track.assert_persistent(2.1 * TAU / f64::from(steps));
    }
    let poses = (0..=100).map(|k| {
        Pose::new(
            Vec3::z() * (3.0 + 0.06 * f64::from(k)),
            Vec3::x() * (0.1 * f64::from(k)),
        )
    });
    let track = track(&tube, &ball, poses, &options(0.5));
    for contacts in &track.contacts {
        assert!(contacts.len() >= 3 && contacts.len() <= 16, "{contacts:?}");
        for lmd in contacts {
            assert!(lmd.sampled && (lmd.distance - 0.1).abs() < 1e-12, "{lmd:?}");
        }
    }
    track.assert_persistent(0.1);
}

#[test]
fn a_ball_drops_into_its_socket() {
    // The ball is 0.2 smaller than the socket; above its centre the nearest place is the lowest, all else is farther.
    let socket = part(&solids::dimple(4.0, 5.0, 3.0));
    let ball = part(&solids::ball(2.8));
    let centre = 5.0 + 3.0 / std::f64::consts::SQRT_2;
    let poses = (0..=200).map(|k| Pose::translation(0.0, 0.0, centre + 0.1 - 1e-3 * f64::from(k)));
    let track = track(&socket, &ball, poses, &options(1.0));
    track.assert_lipschitz(&ball, 1e-12);
    for (k, contacts) in track.contacts.iter().enumerate() {
        let above = 0.1 - 1e-3 * k as f64;
        // The rim of the socket, at 45 degrees, where the bottom is out of reach of a minimum: above the centre.
        let rim = (9.0 + above * above + 2.0 * 3.0 * above / std::f64::consts::SQRT_2).sqrt() - 2.8;
        let expected = if above < 0.0 {
            0.2 + above
        } else {
            rim.min(0.2 + above)
        };
        let least = contacts[0].distance;
        assert!(
            (least - expected).abs() < 1e-9,
            "{above}: {least} {expected} {contacts:?}"
        );
    }
}

#[test]
fn a_cone_sinks_into_a_countersink() {
    // A plug of the same angle: the gap is the same all along the generators, and all around.
    let sink = {
        let outline = solids::polygon(&[(1.0, 0.0), (6.0, 0.0), (6.0, 3.0), (4.0, 3.0)]);
        part(&solids::turned(&outline))
    };
    let plug = part(&solids::frustum(1.5, 3.5, 2.0));
    // Both flanks rise at 45 degrees: that of the sink through (1, 0), that of the plug through (1.5, 0).
    let flank = |low: f64| (low - 0.5) / std::f64::consts::SQRT_2;
    let poses = (0..=200).map(|k| {
        Pose::new(
            Vec3::z() * (0.9 - 1e-3 * f64::from(k)),
            Vec3::z() * (0.01 * f64::from(k)),
        )
    });
    let track = track(&sink, &plug, poses, &options(0.5));
    track.assert_lipschitz(&plug, 1e-12);
    for (k, contacts) in track.contacts.iter().enumerate() {
        let expected = flank(0.9 - 1e-3 * k as f64);
        assert!(contacts.len() >= 16, "{contacts:?}");
        for lmd in contacts {
            assert!(
                (lmd.distance - expected).abs() < 1e-12,
                "{k}: {lmd:?} {expected}"
            );
            assert!(lmd.sampled);
        }
    }
    track.assert_persistent(0.01 * 4.0 + 2e-3);
}

#[test]
fn a_tilted_block_over_a_ring() {
    // The block covers a quarter of the ring's top, and is tilted such that the ends of that arc are nearest: there the
    // edges of the block face the ring. The tilt goes from less than all tolerances to more.
    let (ring, block) = (
        part(&solids::torus(10.0, 3.0)),
        part(&solids::block(10.0, 20.0, 30.0)),
    );
    let ends = [(1.0, 99f64.sqrt()), (96f64.sqrt(), 2.0)];
    for (tilt_x, tilt_y) in [(0.0, 1.0), (0.5, 0.5), (0.3, 0.9), (0.9, 0.2)] {
        for exponent in 0..40 {
            let size = 10f64.powf(-9.0 + 0.15 * f64::from(exponent));
            let gap = 10.0 * size;
            let rise = |(x, y): (f64, f64)| size * (tilt_x * x + tilt_y * y);
            let tilt = Pose::rotation(Vec3::new(tilt_y, -tilt_x, 0.0) * size);
            let pose = Pose::translation(0.0, 0.0, gap) * tilt * Pose::translation(1.0, 2.0, 3.0);
            let track = track(&ring, &block, std::iter::once(pose), &options(1.0));
            let expected = gap + rise(ends[0]).min(rise(ends[1]));
            let least = track.contacts[0].first().map(|lmd| lmd.distance);
            // Samples of the ring may stand for its ends where it is level within the tolerance of families.
            let tolerance = 2e-6_f64.min(15.0 * size) + 200.0 * size * size;
            assert!(
                least.is_some_and(|least| (least - expected).abs() <= tolerance),
                "tilt {tilt_x} {tilt_y} by {size:e}: {least:?} {expected:e}"
            );
        }
    }
}
