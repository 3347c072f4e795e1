//! Motions along and through families: pegs in holes, cylinders and discs on planes.
//!
//! The rule for what may change from step to step: the samples of a ring come and go together, when the pose enters or
//! leaves the tolerance within which the ring is none; an end of a line contact comes and goes when the tilt leaves the
//! tolerance of polars. Neither happens for one step alone, if the steps resolve those tolerances.

use std::f64::consts::TAU;

use brepcd::Lmd;
use brepcd::geom::{Pose, Vec3};
use brepcd::query::{Options, Part};

use crate::follow::{Track, moved, track};
use crate::prepare::part;
use brepcd_tests::solids;

/// Samples of a pair of features are at most this many.
const SAMPLES: usize = 16;

fn options(prediction: f64) -> Options {
    Options {
        prediction,
        ..Options::default()
    }
}

fn assert_few_samples(track: &Track) {
    for contacts in &track.contacts {
        for lmd in contacts.iter().filter(|lmd| lmd.sampled) {
            let pair = |x: &&Lmd| (x.feature_a, x.feature_b) == (lmd.feature_a, lmd.feature_b);
            let count = contacts.iter().filter(|x| x.sampled).filter(pair).count();
            assert!(count <= SAMPLES, "{count} samples of {lmd:?}");
        }
    }
}

/// A number for every step from -1 to 1.
fn sweep(steps: i32) -> impl Iterator<Item = f64> {
    (-steps..=steps).map(move |k| f64::from(k) / f64::from(steps))
}

struct Fit {
    plate: Part,
    peg: Part,
    gap: f64,
    /// Half the length of the plate.
    middle: f64,
}

/// A plate of thickness 4 with a hole of radius 2, and a peg that is 0.05 thinner.
fn fit(length: f64) -> Fit {
    Fit {
        plate: part(&solids::tube(5.0, 2.0, 4.0)),
        peg: part(&solids::cylinder(1.95, length)),
        gap: 0.05,
        middle: 2.0,
    }
}

impl Fit {
    /// The pose of the peg turned about its axis, off the axis of the hole, its lower end at a height.
    fn pose(&self, angle: f64, off: Vec3, low: f64) -> Pose {
        Pose::new(off + Vec3::z() * low, Vec3::z() * angle)
    }
}

#[test]
fn a_centred_peg_turns_in_its_hole() {
    // One through the plate, which touches with the two rims of the hole; one that ends inside, with its own rim.
    for (length, low) in [(8.0, -2.0), (8.0, 1.5), (1.0, 1.5)] {
        let fit = fit(length);
        let steps = 400;
        let step = TAU / f64::from(steps);
        let poses = (0..=steps).map(|k| fit.pose(step * f64::from(k), Vec3::zeros(), low));
        let track = track(&fit.plate, &fit.peg, poses, &options(0.5));
        assert_few_samples(&track);
        for contacts in &track.contacts {
            assert_eq!(contacts.len(), 2 * SAMPLES, "{contacts:?}");
            for lmd in contacts {
                assert!(lmd.sampled);
                assert!((lmd.distance - fit.gap).abs() < 1e-12, "{lmd:?}");
            }
        }
        track.assert_persistent(1.01 * step * 2.0);
    }
}

#[test]
fn an_eccentric_peg_turns_in_its_hole() {
    // Turning about its own axis off the axis of the hole: the nearest place stays. Circling about the axis of the hole:
    // it goes around, across all seams.
    for off in [0.04, 1e-3, 1e-5] {
        for circling in [false, true] {
            let fit = fit(8.0);
            let steps = 400;
            let step = TAU / f64::from(steps);
            let poses = (0..=steps).map(|k| {
                let angle = step * f64::from(k);
                let place = if circling { angle } else { 0.3 };
                let off = Vec3::new(place.cos(), place.sin(), 0.0) * off;
                fit.pose(angle, off, -2.0)
            });
            let track = track(&fit.plate, &fit.peg, poses, &options(0.5));
            for (step, contacts) in track.contacts.iter().enumerate() {
                assert_eq!(contacts.len(), 2, "{off} step {step}: {contacts:?}");
                for lmd in contacts {
                    assert!((lmd.distance - (fit.gap - off)).abs() < 1e-12, "{lmd:?}");
                }
                // The two rims of the hole.
                let heights = contacts
                    .iter()
                    .map(|lmd| (lmd.point_a.z - fit.middle).abs());
                assert!(heights.into_iter().all(|z| (z - fit.middle).abs() < 1e-9));
            }
            track.assert_persistent(1.1 * step * 2.0);
        }
    }
}

#[test]
fn a_peg_drifts_through_the_centre_of_its_hole() {
    let fit = fit(8.0);
    for reach in [1e-2, 1e-4, 1e-6, 1e-8] {
        let along = Vec3::new(0.6, 0.8, 0.0);
        let poses = sweep(200).map(|s| fit.pose(0.0, along * (reach * s), -2.0));
        let track = track(&fit.plate, &fit.peg, poses, &options(0.5));
        assert_few_samples(&track);
        // Below the tolerance of coincident axes there are samples only, and the nearest may be half a step off the ring's
        // nearest point.
        track.assert_lipschitz(&fit.peg, 2e-11);
        for (contacts, s) in track.contacts.iter().zip(sweep(200)) {
            let expected = fit.gap - reach * s.abs();
            let least = contacts[0].distance;
            // A sample is off by no more than the tolerance within which the ring is none.
            assert!(
                (least - expected).abs() < 1e-6,
                "{reach} {s}: {least} {expected}"
            );
            for lmd in contacts {
                assert!(
                    lmd.distance >= expected - 1e-12 && lmd.distance <= fit.gap + reach + 1e-12
                );
            }
            let samples = contacts.iter().filter(|lmd| lmd.sampled).count();
            let others = contacts.len() - samples;
            assert!(
                samples == 0 || samples >= 2 * SAMPLES - 2,
                "{reach} {s}: {samples}"
            );
            assert!(others <= 2, "{reach} {s}: {contacts:?}");
            assert!(contacts.len() >= 2);
        }
        // Steps that resolve the tolerance: what comes stays for a while.
        if reach <= 1e-6 {
            let samples: Vec<bool> = track
                .contacts
                .iter()
                .map(|list| list.iter().any(|l| l.sampled))
                .collect();
            let changes = samples.windows(2).filter(|pair| pair[0] != pair[1]).count();
            assert!(changes <= 2, "{reach}: {samples:?}");
        }
    }
}

/// A wide floor with its top at z = 0, in its own coordinates from the origin to (40, 40).
fn floor() -> Part {
    part(&solids::block(40.0, 40.0, 3.0))
}

#[test]
fn a_cylinder_rolls_on_a_plane() {
    let (r, h, gap) = (2.0, 6.0, 0.01);
    let (floor, roller) = (floor(), part(&solids::cylinder(r, h)));
    for heading in [0.0, 0.7] {
        let steps = 500;
        let step = TAU / f64::from(steps);
        let poses = (0..=steps).map(|k| {
            let angle = step * f64::from(k);
            let lying = Pose::rotation(Vec3::x() * TAU / 4.0) * Pose::rotation(Vec3::z() * -angle);
            let at = Vec3::new(10.0 + r * angle, 18.0, 3.0 + r + gap);
            Pose::translation(at.x, at.y, at.z) * Pose::rotation(Vec3::z() * heading) * lying
        });
        let track = track(&floor, &roller, poses, &options(0.2));
        for (step, contacts) in track.contacts.iter().enumerate() {
            assert_eq!(contacts.len(), 2, "step {step}: {contacts:?}");
            for lmd in contacts {
                assert!((lmd.distance - gap).abs() < 1e-12, "{lmd:?}");
                assert!((lmd.normal - Vec3::z()).norm() < 1e-9);
            }
            let apart = contacts[0].point_a - contacts[1].point_a;
            assert!((apart.norm() - h).abs() < 1e-9, "{apart}");
        }
        track.assert_persistent(1.01 * step * r);
    }
}

/// Poses of a cylinder of height `h` about z that lies on the floor and is tilted along its axis about its middle.
fn lying(h: f64, r: f64, tilt: f64) -> Pose {
    let turn = Pose::rotation(Vec3::x() * (TAU / 4.0 + tilt));
    let middle = Vec3::new(20.0, 20.0, 3.0 + r + 0.5);
    Pose::translation(middle.x, middle.y, middle.z) * turn * Pose::translation(0.0, 0.0, -0.5 * h)
}

#[test]
fn a_lying_cylinder_tilts_through_the_horizontal() {
    let (r, h) = (2.0, 6.0);
    let (floor, roller) = (floor(), part(&solids::cylinder(r, h)));
    for reach in [0.05, 1e-3, 3e-6] {
        let poses = sweep(300).map(|s| lying(h, r, reach * s));
        let track = track(&floor, &roller, poses, &options(1.0));
        track.assert_lipschitz(&roller, 1e-12);
        for (s, contacts) in sweep(300).zip(&track.contacts) {
            // The lower rim is the nearest; the other one is, too, only where it is level.
            let tilt = (reach * s).abs();
            let expected = 0.5 + r - (0.5 * h * tilt.sin() + r * tilt.cos());
            assert!(
                (contacts[0].distance - expected).abs() < 1e-12,
                "{reach} {s}"
            );
            let level = tilt < 1e-7;
            assert!(contacts.len() == 1 || contacts.len() == 2, "{contacts:?}");
            assert!(!level || contacts.len() == 2, "{reach} {s}: {contacts:?}");
            assert!(
                tilt < 1e-5 || contacts.len() == 1,
                "{reach} {s}: {contacts:?}"
            );
        }
        if reach < 1e-5 {
            let counts = track.counts();
            let changes = counts.windows(2).filter(|pair| pair[0] != pair[1]).count();
            assert_eq!(changes, 2, "{counts:?}");
            let way = moved(&roller, &track.poses[0], &track.poses[1]);
            track.assert_no_blink(way + 1e-9);
        }
    }
    // Regularisation keeps both ends at all of these tilts.
    let regularized = Options {
        regularization: 0.1,
        ..options(1.0)
    };
    let poses = sweep(300).map(|s| lying(h, r, 0.05 * s));
    let track = track(&floor, &roller, poses, &regularized);
    for (s, contacts) in sweep(300).zip(&track.contacts) {
        let lying: Vec<&Lmd> = contacts.iter().filter(|lmd| lmd.point_a.z > 2.9).collect();
        assert_eq!(lying.len(), 2, "{s}: {contacts:?}");
        assert!(!lying[0].regularized, "{s}: {contacts:?}");
        assert_eq!(
            lying[1].regularized,
            (0.05 * s).abs() > 1e-5,
            "{s}: {contacts:?}"
        );
    }
    let way = moved(&roller, &track.poses[0], &track.poses[1]);
    track.assert_persistent(2.0 * way);
}

/// A disc above the floor, tilted about a line through the middle of its lower side.
fn landing(tilt: f64, height: f64, spin: f64) -> Pose {
    let (s, c) = spin.sin_cos();
    let turn = Pose::rotation(Vec3::new(c, s, 0.0) * tilt);
    Pose::translation(20.0, 20.0, 3.0 + height) * turn
}

#[test]
fn a_disc_lands_flat_with_its_tilt_through_zero() {
    let r = 5.0;
    let (floor, disc) = (floor(), part(&solids::cylinder(r, 1.0)));
    for reach in [0.05, 1e-4, 1e-6, 1e-8] {
        let height = |s: f64| 0.4 + 0.1 * s.abs();
        let poses = sweep(300).map(|s| landing(reach * s, height(s), 0.4));
        let track = track(&floor, &disc, poses, &options(1.0));
        assert_few_samples(&track);
        track.assert_lipschitz(&disc, 1e-12);
        for (s, contacts) in sweep(300).zip(&track.contacts) {
            let tilt = (reach * s).abs();
            let expected = height(s) - r * tilt.sin();
            let least = contacts[0].distance;
            assert!(
                (least - expected).abs() < 1e-6,
                "{reach} {s}: {least} {expected}"
            );
            let samples = contacts.iter().filter(|lmd| lmd.sampled).count();
            assert!(
                samples == 0 || samples >= SAMPLES - 1,
                "{reach} {s}: {contacts:?}"
            );
            assert!(contacts.len() - samples <= 1, "{reach} {s}: {contacts:?}");
            assert!(s != 0.0 || samples == SAMPLES, "{reach}: {contacts:?}");
        }
        if reach <= 1e-6 {
            let samples: Vec<bool> = track
                .contacts
                .iter()
                .map(|list| list.iter().any(|l| l.sampled))
                .collect();
            let changes = samples.windows(2).filter(|pair| pair[0] != pair[1]).count();
            assert!(changes <= 2, "{reach}: {samples:?}");
        }
    }
}

#[test]
fn a_flat_disc_spins_and_slides() {
    // The samples are on the rim of the disc and move with it.
    let r = 5.0;
    let (floor, disc) = (floor(), part(&solids::cylinder(r, 1.0)));
    let steps = 300;
    let step = TAU / f64::from(steps);
    let poses = (0..=steps).map(|k| {
        let angle = step * f64::from(k);
        Pose::new(
            Vec3::new(15.0 + angle, 20.0 - 0.5 * angle, 3.1),
            Vec3::z() * angle,
        )
    });
    let track = track(&floor, &disc, poses, &options(0.5));
    for contacts in &track.contacts {
        assert_eq!(contacts.len(), SAMPLES, "{contacts:?}");
        assert!(
            contacts
                .iter()
                .all(|lmd| lmd.sampled && (lmd.distance - 0.1).abs() < 1e-12)
        );
    }
    track.assert_persistent(1.01 * step * (r + 2.0));
}
