//! Whole carriers: all stationary pairs of their cores.

use std::f64::consts::{FRAC_PI_2, PI};

use brepcd::geom::curve::{Circle, Line};
use brepcd::geom::{Frame, Point3, Vec3};
use brepcd::query::critical::{Core, FamilyKind, Outcome, Pair, Pairs, Tolerance, stationary};

fn circle(centre: [f64; 3], normal: Vec3, radius: f64) -> Core {
    let frame = Frame::from_z(Point3::from(centre), normal).expect("a normal");
    Core::Circle(Circle { frame, radius })
}

fn line(origin: [f64; 3], dir: Vec3) -> Core {
    let origin = Point3::from(origin);
    Core::Line(Line { origin, dir })
}

/// All pairs, nearest first, and the outcome.
fn solve(a: &Core, b: &Core, size: f64) -> (Vec<Pair>, Outcome) {
    let mut pairs = Pairs::new();
    let outcome = stationary(a, b, &Tolerance::for_size(size), &mut pairs);
    let mut list = pairs.as_slice().to_vec();
    list.sort_by(|p, q| p.distance().total_cmp(&q.distance()));
    (list, outcome)
}

/// Asserts that the distances, sorted, are these.
fn distances(pairs: &[Pair], expected: &[f64], tolerance: f64) {
    assert_eq!(pairs.len(), expected.len(), "{pairs:#?}");
    for (pair, distance) in pairs.iter().zip(expected) {
        let found = pair.distance();
        assert!((found - distance).abs() < tolerance, "{found} {distance}");
    }
}

#[test]
fn line_and_ball() {
    let centre = Core::Point(Point3::origin());
    let (pairs, outcome) = solve(&line([0.0, 20.0, 0.0], Vec3::x()), &centre, 20.0);
    assert_eq!(outcome, Outcome::Isolated);
    distances(&pairs, &[20.0], 1e-13);
    // The ball has radius 10.
    assert!((pairs[0].distance() - 10.0 - 10.0).abs() < 1e-13);
    assert!((pairs[0].a - Point3::new(0.0, 20.0, 0.0)).norm() < 1e-13);
}

#[test]
fn circle_through_a_cylinder() {
    // A circle pierces the cylinder between its nearest and its farthest point of the axis, so their distance is 0. That
    // is no stationary pair; the signs of those two tell it.
    let (pairs, outcome) = solve(
        &line([0.0; 3], Vec3::z()),
        &circle([0.0, 10.0, 10.0], Vec3::x(), 5.0),
        10.0,
    );
    assert_eq!(outcome, Outcome::Isolated);
    distances(&pairs, &[5.0, 15.0], 1e-13);
    let above = pairs.iter().map(|pair| pair.distance() - 10.0);
    let (low, high) = above.fold((f64::MAX, f64::MIN), |(low, high), d| {
        (low.min(d), high.max(d))
    });
    assert!(low < 0.0 && high > 0.0);
    for pair in &pairs {
        assert!((pair.b.z - 10.0).abs() < 1e-13);
    }
}

#[test]
fn concentric_circles() {
    for (r, s, expected) in [
        (100.0, 110.0, 10.0),
        (100.0, 103.5, 3.5),
        (0.001, 0.00101, 1e-5),
        (1000.0, 999.999_99, 1e-5),
    ] {
        let (pairs, outcome) = solve(
            &circle([0.0; 3], Vec3::z(), r),
            &circle([0.0; 3], Vec3::z(), s),
            r,
        );
        assert_eq!(outcome, Outcome::Family(FamilyKind::Ring), "{r} {s}");
        assert!(
            pairs
                .iter()
                .all(|pair| pair.family == Some(FamilyKind::Ring))
        );
        let found = pairs[0].distance();
        assert!(
            (found - expected).abs() < 1e-12 * r,
            "{r} {s}: {found} {expected}"
        );
        // A third radius beside them shows that the family is not a matter of a wide tolerance.
        let (pairs, outcome) = solve(
            &circle([0.0; 3], Vec3::z(), r),
            &circle([1e-3 * r, 0.0, 0.0], Vec3::z(), s),
            r,
        );
        assert_eq!(outcome, Outcome::Isolated, "{r} {s}: {pairs:?}");
    }
}

#[test]
fn half_circles_face_to_face() {
    // Half circles of radius 100 and 50 about one centre, on opposite sides: 50 is the least distance of the whole
    // circles and 150 the greatest, and both are the same all around.
    let (pairs, outcome) = solve(
        &circle([0.0; 3], Vec3::z(), 100.0),
        &circle([0.0; 3], Vec3::z(), 50.0),
        100.0,
    );
    assert_eq!(outcome, Outcome::Family(FamilyKind::Ring));
    distances(&pairs, &[50.0, 150.0], 1e-11);
}

/// Unit circle in the plane of x and y; the other one has radius 1 and lies in the plane of x and z, about `(c, 0, 0)`.
///
/// The square of their distance is `c² + 2 + 2 c cos b - 2 c cos a - 2 cos a cos b`. So either both angles are 0 or π, or
/// `cos a = c` and `cos b = -c`, at a distance of `√(2 - c²)`.
fn perpendicular(c: f64) -> (Vec<Pair>, Outcome) {
    let first = circle([0.0; 3], Vec3::z(), 1.0);
    let second = circle([c, 0.0, 0.0], Vec3::y(), 1.0);
    solve(&first, &second, 1.0)
}

#[test]
fn linked_circles() {
    for c in [0.3_f64, 0.5, 0.9] {
        let (pairs, outcome) = perpendicular(c);
        assert_eq!(outcome, Outcome::Isolated);
        let oblique = (2.0 - c * c).sqrt();
        let mut expected = vec![c, c, 2.0 - c, 2.0 + c, oblique, oblique, oblique, oblique];
        expected.sort_by(f64::total_cmp);
        distances(&pairs, &expected, 1e-12);
    }
    let (pairs, outcome) = perpendicular(1.5);
    assert_eq!(outcome, Outcome::Isolated);
    distances(&pairs, &[0.5, 1.5, 1.5, 3.5], 1e-12);
}

#[test]
fn circles_apart() {
    let (pairs, outcome) = perpendicular(3.0);
    assert_eq!(outcome, Outcome::Isolated);
    distances(&pairs, &[1.0, 3.0, 3.0, 5.0], 1e-12);
    assert!((pairs[0].a - Point3::new(1.0, 0.0, 0.0)).norm() < 1e-12);
    assert!((pairs[0].b - Point3::new(2.0, 0.0, 0.0)).norm() < 1e-12);
}

#[test]
fn a_circle_through_the_centre_of_the_other() {
    // The centre of each circle lies on the other one: it is equally far from all of that circle.
    let (pairs, outcome) = perpendicular(1.0);
    assert_eq!(outcome, Outcome::Family(FamilyKind::Ring));
    let families: Vec<&Pair> = pairs.iter().filter(|pair| pair.family.is_some()).collect();
    assert!(!families.is_empty());
    for pair in families {
        assert!((pair.distance() - 1.0).abs() < 1e-9);
    }
    // The pair farthest apart belongs to none of them.
    let farthest = pairs.last().expect("a pair");
    assert!((farthest.distance() - 3.0).abs() < 1e-9 && farthest.family.is_none());
}

#[test]
fn crossing_axes() {
    // Two cylinders whose axes cross have the stationary directions at right angles to both.
    for angle in [FRAC_PI_2, 0.3, PI - 1e-3] {
        let dir = Vec3::new(angle.cos(), angle.sin(), 0.0);
        let (pairs, outcome) = solve(&line([0.0; 3], Vec3::x()), &line([1.0, 0.0, 0.0], dir), 1.0);
        assert_eq!(outcome, Outcome::Isolated);
        distances(&pairs, &[0.0], 1e-12);
        let direction = pairs[0].direction.expect("a common normal");
        assert!((direction.z.abs() - 1.0).abs() < 1e-12);
        assert!((pairs[0].a - Point3::new(1.0, 0.0, 0.0)).norm() < 1e-12);
    }
}
