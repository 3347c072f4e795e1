//! Small solids built in code, against closed forms: mass, boxes, edge classes, point membership.

mod parts;

use brepcd_brep::{Brep, EdgeClass, Side};
use brepcd_geom::surface::{Cylinder, TorusShape};
use brepcd_geom::{Frame, Point3, Pose, Surface, Vec3};
use parts::*;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI, TAU};

fn check(name: &str, brep: &Brep, volume: f64, area: f64, centroid: Point3) {
    for pose in [
        Pose::identity(),
        Pose::new(Vec3::new(1e3, -2e3, 5e2), Vec3::new(0.4, -1.1, 0.7)),
        Pose::new(Vec3::new(0.0, 0.0, 3.0), Vec3::new(0.0, FRAC_PI_2, 0.0)),
    ] {
        let moved = brep.transformed(&pose);
        let mass = moved.mass_properties();
        assert!(
            (mass.volume / volume - 1.0).abs() < 1e-11,
            "{name}: volume {} for {volume}",
            mass.volume
        );
        assert!(
            (mass.area / area - 1.0).abs() < 1e-11,
            "{name}: area {} for {area}",
            mass.area
        );
        assert!(
            (mass.centroid - pose * centroid).norm() < 1e-9,
            "{name}: centroid {}",
            mass.centroid
        );
        let turned = pose.rotation.to_rotation_matrix();
        let inertia =
            turned.matrix() * brep.mass_properties().inertia * turned.matrix().transpose();
        assert!(
            (inertia - mass.inertia).norm() < 1e-9 * inertia.norm(),
            "{name}: inertia"
        );
    }
}

#[test]
fn masses_are_closed_forms() {
    check(
        "block",
        &block(2.0, 3.0, 5.0),
        30.0,
        62.0,
        at(1.0, 1.5, 2.5),
    );
    for seam in [false, true] {
        check(
            "pin",
            &pin(2.0, 7.0, seam),
            28.0 * PI,
            8.0 * PI + 28.0 * PI,
            at(0.0, 0.0, 3.5),
        );
        check(
            "ball",
            &ball(3.0, seam),
            36.0 * PI,
            36.0 * PI,
            Point3::origin(),
        );
        let torus = ring(5.0, 2.0, TorusShape::Ring, seam);
        check(
            "ring",
            &torus,
            2.0 * PI * PI * 5.0 * 4.0,
            4.0 * PI * PI * 10.0,
            Point3::origin(),
        );
    }
    for style in 0..3 {
        let slant = 5.0f64;
        check(
            "spike",
            &spike(3.0, 4.0, style),
            12.0 * PI,
            9.0 * PI + PI * 3.0 * slant,
            at(0.0, 0.0, 1.0),
        );
    }
    for upper in [true, false] {
        let z = if upper { 0.375 * 2.0 } else { -0.375 * 2.0 };
        check(
            "dome",
            &dome(2.0, upper),
            16.0 * PI / 3.0,
            12.0 * PI,
            at(0.0, 0.0, z),
        );
    }
    let tube = PI * (9.0 - 4.0) * 7.0;
    let tube_area = TAU * (3.0 + 2.0) * 7.0 + TAU * (9.0 - 4.0);
    check(
        "pipe",
        &pipe(3.0, 2.0, 7.0),
        tube,
        tube_area,
        at(0.0, 0.0, 3.5),
    );
    let c = 0.375 * 2.0;
    check(
        "octant",
        &octant(2.0),
        4.0 * PI / 3.0,
        2.0 * PI + 3.0 * PI,
        at(c, c, c),
    );
}

#[test]
fn spindle_tori_are_bodies_of_revolution() {
    // Pappus: the profile right (apple) or left (lemon) of the axis, R < r.
    let (major, minor) = (1.0f64, 2.0f64);
    let edge = (-major / minor).acos();
    let segment_volume = |lo: f64, hi: f64| {
        let n = 20_000;
        let h = (hi - lo) / f64::from(n);
        (0..n)
            .map(|i| lo + h * (f64::from(i) + 0.5))
            .map(|v| PI * (major + minor * v.cos()).powi(2) * minor * v.cos() * h)
            .sum::<f64>()
    };
    let apple = ring(major, minor, TorusShape::Apple, false).mass_properties();
    let lemon = ring(major, minor, TorusShape::Lemon, false).mass_properties();
    let expected = [
        segment_volume(-edge, edge),
        segment_volume(edge, TAU - edge).abs(),
    ];
    assert!(
        (apple.volume / expected[0] - 1.0).abs() < 1e-7,
        "{} {}",
        apple.volume,
        expected[0]
    );
    assert!(
        (lemon.volume / expected[1] - 1.0).abs() < 1e-7,
        "{} {}",
        lemon.volume,
        expected[1]
    );
}

#[test]
fn inside_out_solids_are_turned() {
    // The pin again, every loop and every sense the other way round.
    let mut part = Part::new();
    let (low, high) = (at(2.0, 0.0, 0.0), at(2.0, 0.0, 7.0));
    let (a, b) = (part.vertex(low), part.vertex(high));
    let (bottom, top) = (part.circle(0.0, 2.0, a), part.circle(7.0, 2.0, b));
    let up = part.line((a, low), (b, high));
    let mantle = Surface::Cylinder(Cylinder {
        frame: Frame::world(),
        radius: 2.0,
    });
    part.face(
        mantle,
        false,
        vec![vec![(up, true), (top, true), (up, false), (bottom, false)]],
    );
    part.face(
        plane(at(0.0, 0.0, 0.0), -Vec3::z()),
        false,
        vec![vec![(bottom, true)]],
    );
    part.face(
        plane(at(0.0, 0.0, 7.0), Vec3::z()),
        false,
        vec![vec![(top, false)]],
    );
    part.builder
        .solid(part.shell, Vec::new(), String::new(), None);
    let (brep, findings) = part.builder.finish();
    assert_eq!(findings.len(), 1, "{findings:?}");
    check("turned pin", &brep, 28.0 * PI, 36.0 * PI, at(0.0, 0.0, 3.5));
    let classes: Vec<EdgeClass> = brep.edges.iter().map(|e| e.class).collect();
    assert!(matches!(
        classes[..],
        [
            EdgeClass::Convex { .. },
            EdgeClass::Convex { .. },
            EdgeClass::Seam
        ]
    ));
}

#[test]
fn inertia_of_known_bodies() {
    let m = block(2.0, 3.0, 5.0).mass_properties();
    let expected = Vec3::new(9.0 + 25.0, 4.0 + 25.0, 4.0 + 9.0) * (30.0 / 12.0);
    assert!(
        (m.inertia.diagonal() - expected).norm() < 1e-10,
        "{}",
        m.inertia
    );
    let m = ball(3.0, true).mass_properties();
    assert!(
        (m.inertia.diagonal() - Vec3::repeat(0.4 * 36.0 * PI * 9.0)).norm() < 1e-8,
        "{}",
        m.inertia
    );
    let m = pin(2.0, 7.0, false).mass_properties();
    assert!((m.inertia[(2, 2)] - 0.5 * 28.0 * PI * 4.0).abs() < 1e-8);
    assert!((m.inertia[(0, 0)] - 28.0 * PI * (12.0 + 49.0) / 12.0).abs() < 1e-8);
}

#[test]
fn boxes_are_exact() {
    let check = |brep: &Brep, min: [f64; 3], max: [f64; 3]| {
        let b = brep.bounding_box();
        assert!((b.min.coords - Vec3::from(min)).norm() < 1e-12, "{b:?}");
        assert!((b.max.coords - Vec3::from(max)).norm() < 1e-12, "{b:?}");
    };
    check(&block(2.0, 3.0, 5.0), [0.0; 3], [2.0, 3.0, 5.0]);
    check(&ball(3.0, false), [-3.0; 3], [3.0; 3]);
    check(&dome(2.0, true), [-2.0, -2.0, 0.0], [2.0, 2.0, 2.0]);
    check(&octant(2.0), [0.0; 3], [2.0; 3]);
    check(
        &ring(5.0, 2.0, TorusShape::Ring, false),
        [-7.0, -7.0, -2.0],
        [7.0, 7.0, 2.0],
    );
    for style in 0..3 {
        check(&spike(3.0, 4.0, style), [-3.0, -3.0, 0.0], [3.0, 3.0, 4.0]);
    }
    let turned =
        ring(5.0, 2.0, TorusShape::Ring, true).transformed(&Pose::rotation(Vec3::x() * FRAC_PI_4));
    let y = 5.0 * FRAC_PI_4.cos() + 2.0;
    check(&turned, [-7.0, -y, -y], [7.0, y, y]);
}

#[test]
fn edges_know_their_class() {
    for edge in &block(1.0, 2.0, 3.0).edges {
        assert!(
            matches!(edge.class, EdgeClass::Convex { dihedral } if (dihedral - FRAC_PI_2).abs() < 1e-12)
        );
    }
    let classes: Vec<EdgeClass> = pin(2.0, 7.0, true).edges.iter().map(|e| e.class).collect();
    assert!(matches!(
        classes[..],
        [
            EdgeClass::Convex { .. },
            EdgeClass::Convex { .. },
            EdgeClass::Seam
        ]
    ));
    let base = spike(3.0, 4.0, 1).edges[0].class;
    assert!(
        matches!(base, EdgeClass::Convex { dihedral } if (dihedral - (4.0f64 / 3.0).atan()).abs() < 1e-12)
    );
}

#[test]
fn points_know_their_side() {
    let mut state = 1u64;
    let mut random = move || {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    type Inside = fn(&Point3) -> bool;
    let cases: [(&str, Brep, Inside); 8] = [
        ("spike without a vertex", spike(3.0, 4.0, 2), |p| {
            p.z > 0.0 && p.x.hypot(p.y) < 3.0 * (1.0 - p.z / 4.0)
        }),
        ("pipe", pipe(3.0, 2.0, 3.0), |p| {
            (2.0..3.0).contains(&p.x.hypot(p.y)) && p.z > 0.0 && p.z < 3.0
        }),
        ("block", block(2.0, 3.0, 5.0), |p| {
            p.x > 0.0 && p.x < 2.0 && p.y > 0.0 && p.y < 3.0 && p.z > 0.0 && p.z < 5.0
        }),
        ("pin", pin(2.0, 3.0, true), |p| {
            p.x.hypot(p.y) < 2.0 && p.z > 0.0 && p.z < 3.0
        }),
        ("ring", ring(3.0, 1.0, TorusShape::Ring, false), |p| {
            (p.x.hypot(p.y) - 3.0).hypot(p.z) < 1.0
        }),
        ("spike", spike(3.0, 4.0, 1), |p| {
            p.z > 0.0 && p.x.hypot(p.y) < 3.0 * (1.0 - p.z / 4.0)
        }),
        ("dome", dome(2.0, false), |p| {
            p.z < 0.0 && p.coords.norm() < 2.0
        }),
        ("octant", octant(2.0), |p| {
            p.x > 0.0 && p.y > 0.0 && p.z > 0.0 && p.coords.norm() < 2.0
        }),
    ];
    for (name, brep, inside) in &cases {
        for _ in 0..2000 {
            let p = at(
                random() * 10.0 - 5.0,
                random() * 10.0 - 5.0,
                random() * 10.0 - 5.0,
            );
            let expected = if inside(&p) {
                Side::Inside
            } else {
                Side::Outside
            };
            assert_eq!(brep.side_of(&p), expected, "{name} at {p}");
        }
    }
    assert_eq!(block(2.0, 3.0, 5.0).side_of(&at(2.0, 1.0, 1.0)), Side::On);
}
