//! Boxes of points and of boxes: many orientations are tried, the one with the smallest surface wins.
//!
//! They start from the axes of the coordinates, of inertia and of extreme points, then turn about one axis of the box
//! after the other, each time to the best rectangle around the shadow (one of its sides lies on the shadow's hull).

use brepcd_geom::{Frame, Point3, Vec2, Vec3};
use nalgebra::Matrix3;

use super::Obb;
use crate::planar::convex_hull;

/// Most turns about each axis of a box.
const SWEEPS: usize = 8;
/// How many of the best orientations are refined.
const REFINED: usize = 3;
/// Relative gain of surface under which turning stops.
const LEAST_GAIN: f64 = 1e-9;
/// How many boxes of a union lend it their axes, largest first.
const LENDERS: usize = 8;

pub(super) type Axes = [Vec3; 3];

impl Obb {
    /// A tight box of some points, of size 0 in the origin if there are none.
    pub fn fit_points(points: &[Point3]) -> Self {
        fit(points, starts(points))
    }

    /// A tight box of some boxes, of size 0 in the origin if there are none.
    pub fn union(boxes: &[Self]) -> Self {
        let corners: Vec<Point3> = boxes.iter().flat_map(|b| b.corners()).collect();
        let mut lenders: Vec<&Self> = boxes.iter().collect();
        lenders.sort_by(|a, b| b.surface_area().total_cmp(&a.surface_area()));
        let mut candidates = starts(&corners);
        candidates.extend(lenders.iter().take(LENDERS).map(|b| b.axes));
        fit(&corners, candidates)
    }
}

/// The smallest box found from the given orientations.
fn fit(points: &[Point3], candidates: Vec<Axes>) -> Obb {
    let mut boxes: Vec<Obb> = candidates
        .into_iter()
        .map(|axes| around(points, axes))
        .collect();
    boxes.sort_by(by_size);
    boxes.truncate(REFINED);
    smallest(boxes.into_iter().map(|start| refined(points, start)))
}

/// The box after turning it about its axes while that pays.
fn refined(points: &[Point3], start: Obb) -> Obb {
    let mut best = start;
    for _ in 0..SWEEPS {
        let before = best.surface_area();
        for k in 0..3 {
            best = smallest([best].into_iter().chain(turned(points, best.axes[k])));
        }
        if best.surface_area() >= before * (1.0 - LEAST_GAIN) {
            break;
        }
    }
    best
}

/// Orders by surface, boxes without surface by length.
fn by_size(a: &Obb, b: &Obb) -> std::cmp::Ordering {
    let surface = a.surface_area().total_cmp(&b.surface_area());
    surface.then(a.half.sum().total_cmp(&b.half.sum()))
}

/// The first of the smallest boxes.
pub(super) fn smallest(boxes: impl Iterator<Item = Obb>) -> Obb {
    boxes
        .min_by(by_size)
        .unwrap_or_else(|| around(&[], [Vec3::x(), Vec3::y(), Vec3::z()]))
}

/// The box of the points with the given axes.
fn around(points: &[Point3], axes: Axes) -> Obb {
    let origin = points.first().copied().unwrap_or_else(Point3::origin);
    let (mut lo, mut hi) = (Vec3::zeros(), Vec3::zeros());
    for p in points {
        let d = p - origin;
        let c = Vec3::new(axes[0].dot(&d), axes[1].dot(&d), axes[2].dot(&d));
        lo = lo.inf(&c);
        hi = hi.sup(&c);
    }
    Obb::from_extents(&origin, axes, &lo, &hi)
}

/// Right-handed axes, the last along `z` and the first close to `x`; none if `z` has no direction.
pub(super) fn axes_from(z: Vec3, x: Vec3) -> Option<Axes> {
    let f = Frame::from_z_and_hint(Point3::origin(), z, Some(x))?;
    Some([f.x, f.y, f.z])
}

/// Orientations to start from: the coordinates', that of inertia, and those of extreme points.
fn starts(points: &[Point3]) -> Vec<Axes> {
    let mut out = vec![[Vec3::x(), Vec3::y(), Vec3::z()]];
    let Some(first) = points.first() else {
        return out;
    };
    let mean = points.iter().map(|p| p - first).sum::<Vec3>() / points.len() as f64;
    let spread: Matrix3<f64> = points
        .iter()
        .map(|p| {
            let d = p - first - mean;
            d * d.transpose()
        })
        .sum();
    if spread.iter().all(|c| c.is_finite()) {
        let eigen = spread.symmetric_eigen();
        let (x, z) = (eigen.eigenvectors.column(0), eigen.eigenvectors.column(2));
        out.extend(axes_from(z.into(), x.into()));
    }
    // Two points far apart, the one farthest from their line, and the one farthest from the plane of all three.
    let farthest = |measure: &dyn Fn(&Point3) -> f64| {
        points
            .iter()
            .max_by(|p, q| measure(p).total_cmp(&measure(q)))
            .copied()
            .unwrap_or(*first)
    };
    let a = farthest(&|p| (p - (first + mean)).norm_squared());
    let b = farthest(&|p| (p - a).norm_squared());
    let c = farthest(&|p| (p - a).cross(&(b - a)).norm_squared());
    let normal = (b - a).cross(&(c - a));
    let d = farthest(&|p| normal.dot(&(p - a)).abs());
    for (z, x) in [(normal, b - a), (normal, c - a), (normal, c - b)] {
        out.extend(axes_from(z, x));
    }
    for (p, q) in [(a, b), (b, c), (c, a)] {
        out.extend(axes_from((q - p).cross(&(d - p)), q - p));
    }
    out
}

/// The best box of the points with one axis along `z`.
fn turned(points: &[Point3], z: Vec3) -> Option<Obb> {
    let origin = *points.first()?;
    let frame = Frame::from_z(origin, z)?;
    let flat: Vec<Vec2> = points.iter().map(|p| frame.local(p).xy()).collect();
    let height = points.iter().map(|p| frame.z.dot(&(p - origin)));
    let height =
        height.clone().fold(f64::NEG_INFINITY, f64::max) - height.fold(f64::INFINITY, f64::min);
    let hull: Vec<Vec2> = convex_hull(&flat).into_iter().map(|i| flat[i]).collect();
    let mut best: Option<(f64, Vec2)> = None;
    for (k, p) in hull.iter().enumerate() {
        let Some(side) = (hull[(k + 1) % hull.len()] - p).try_normalize(0.0) else {
            continue;
        };
        let across = Vec2::new(-side.y, side.x);
        let (mut lo, mut hi) = (0.0f64, 0.0f64);
        let mut width = 0.0f64;
        for q in &hull {
            let d = q - p;
            lo = lo.min(side.dot(&d));
            hi = hi.max(side.dot(&d));
            width = width.max(across.dot(&d));
        }
        let surface = (hi - lo) * width + height * (hi - lo + width);
        if best.is_none_or(|(least, _)| surface < least) {
            best = Some((surface, side));
        }
    }
    let (_, side) = best?;
    let x = frame.x * side.x + frame.y * side.y;
    Some(around(points, axes_from(frame.z, x)?))
}

#[cfg(test)]
pub(super) mod tests {
    use std::f64::consts::PI;

    use nalgebra::UnitQuaternion;

    use super::*;
    use crate::testing::Random;

    /// The smallest surface over many orientations, refined around the best.
    pub fn brute_force(points: &[Point3], random: &mut Random) -> f64 {
        let area = |q: &UnitQuaternion<f64>| {
            let axes = [Vec3::x(), Vec3::y(), Vec3::z()].map(|x| q * x);
            around(points, axes).surface_area()
        };
        let mut best = (f64::INFINITY, UnitQuaternion::identity());
        for _ in 0..3000 {
            let q = UnitQuaternion::from_scaled_axis(random.unit() * random.range(-PI, PI));
            if area(&q) < best.0 {
                best = (area(&q), q);
            }
        }
        let mut step = 0.3;
        while step > 1e-5 {
            let mut found = false;
            for _ in 0..60 {
                let q = UnitQuaternion::from_scaled_axis(random.vector(step)) * best.1;
                if area(&q) < best.0 {
                    best = (area(&q), q);
                    found = true;
                }
            }
            if !found {
                step *= 0.6;
            }
        }
        best.0
    }

    pub fn check_axes(b: &Obb) {
        for i in 0..3 {
            assert!((b.axes[i].norm() - 1.0).abs() < 1e-14);
            let third = b.axes[i].cross(&b.axes[(i + 1) % 3]);
            assert!((third - b.axes[(i + 2) % 3]).norm() < 1e-14);
            assert!(b.half[i] >= 0.0);
        }
    }

    #[test]
    fn points_are_inside_and_the_box_nearly_the_smallest() {
        let mut random = Random::new(30);
        let (mut sum, mut worst) = (0.0, 0.0f64);
        let rounds = 60;
        for round in 0..rounds {
            let pose = random.pose(5.0);
            let shape = Vec3::new(3.0, random.range(0.1, 3.0), random.range(0.0, 1.0));
            let points: Vec<Point3> = (0..4 + random.below(20))
                .map(|_| {
                    let mut p = random.vector(1.0);
                    if round % 3 == 0 {
                        p.z = 0.5 * (p.x * p.x - p.y * p.y);
                    }
                    pose * Point3::from(p.component_mul(&shape))
                })
                .collect();
            let b = Obb::fit_points(&points);
            check_axes(&b);
            assert!(points.iter().all(|p| b.contains(p, 0.0)));
            let factor = b.surface_area() / brute_force(&points, &mut random);
            sum += factor;
            worst = worst.max(factor);
        }
        println!(
            "points: surface / smallest, mean {:.4}, worst {worst:.4}",
            sum / rounds as f64
        );
        assert!(sum / (rounds as f64) < 1.05 && worst < 1.3, "{sum} {worst}");
    }

    #[test]
    fn a_turned_block_is_found_exactly() {
        let mut random = Random::new(31);
        for _ in 0..50 {
            let pose = random.pose(10.0);
            let points: Vec<Point3> = (0..27)
                .map(|k| {
                    pose * Point3::new(
                        (k % 3) as f64,
                        (k / 3 % 3) as f64 * 2.0,
                        (k / 9) as f64 * 0.3,
                    )
                })
                .collect();
            let b = Obb::fit_points(&points);
            assert!(
                (b.volume() - 2.0 * 4.0 * 0.6).abs() < 1e-9,
                "{}",
                b.volume()
            );
        }
    }

    #[test]
    fn points_without_volume() {
        let mut random = Random::new(32);
        let pose = random.pose(10.0);
        let make = |p: &[[f64; 3]]| {
            p.iter()
                .map(|&p| pose * Point3::from(p))
                .collect::<Vec<_>>()
        };
        let line = Obb::fit_points(&make(&[[0.0; 3], [2.0, 0.0, 0.0], [1.0, 0.0, 0.0]]));
        assert!((line.half.amax() - 1.0).abs() < 1e-12 && line.surface_area() < 1e-10);
        let square = [[0.0; 3], [1.0, 1.0, 0.0], [2.0, 0.0, 0.0], [1.0, -1.0, 0.0]];
        let flat = Obb::fit_points(&make(&square));
        assert!(
            (flat.surface_area() - 4.0).abs() < 1e-9,
            "{}",
            flat.surface_area()
        );
        let one = Obb::fit_points(&make(&[[1.0, 2.0, 3.0]; 4]));
        assert!(one.half.amax() < 1e-12);
        assert_eq!(Obb::fit_points(&[]).half.amax(), 0.0);
        assert_eq!(Obb::union(&[]).half.amax(), 0.0);
        check_axes(&one);
    }

    #[test]
    fn a_union_holds_its_boxes_and_a_chain_stays_tight() {
        let mut random = Random::new(37);
        for _ in 0..100 {
            let pose = random.pose(10.0);
            let boxes: Vec<Obb> = (0..1 + random.below(4))
                .map(|_| {
                    let points: Vec<Point3> = (0..8)
                        .map(|_| pose * Point3::from(random.vector(2.0)))
                        .collect();
                    Obb::fit_points(&points)
                })
                .collect();
            let all = Obb::union(&boxes);
            check_axes(&all);
            assert!(
                boxes
                    .iter()
                    .flat_map(|b| b.corners())
                    .all(|c| all.contains(&c, 0.0))
            );
            // Bricks in a row make a longer brick.
            let brick = |x: f64| Obb {
                centre: pose * Point3::new(x, 0.0, 0.0),
                axes: [Vec3::x(), Vec3::y(), Vec3::z()].map(|a| pose * a),
                half: Vec3::new(1.0, 0.5, 0.25),
            };
            let row = Obb::union(&[brick(0.0), brick(2.0), brick(4.0)]);
            assert!((row.volume() - 3.0).abs() < 1e-9);
        }
    }
}
