//! The convex hull of directions, with at most four sides.

use brepcd_geom::{Vec2, Vec3};

use super::circular::smallest_cap;
use super::sides::{Chart, Side, best_cone};
use super::{NARROWEST_COS, NormalCone};
use crate::planar::convex_hull;

/// Angle by which a corner may stick out of the line of its neighbours and still be dropped as rounding.
const FLAT: f64 = 1e-14;

/// The hull of directions of any length; see [`NormalCone::from_generators`].
pub(super) fn hull(directions: &[Vec3]) -> NormalCone {
    let mut units = Vec::with_capacity(directions.len());
    for d in directions {
        // Scaled first, so that neither tiny nor huge vectors lose their direction.
        let size = d.amax();
        if !d.iter().all(|c| c.is_finite()) {
            return NormalCone::WHOLE;
        }
        if size > 0.0 {
            units.push((d / size).normalize());
        }
    }
    let Some((centre, cos)) = smallest_cap(&units) else {
        return NormalCone::WHOLE;
    };
    let Some(chart) = Chart::new(centre).filter(|_| cos > NARROWEST_COS) else {
        return NormalCone::WHOLE;
    };
    let points: Vec<Vec2> = units.iter().map(|g| chart.project(g)).collect();
    let corners = without_flat_corners(&points, convex_hull(&points));
    if corners.len() <= 4 {
        let generators: Vec<Vec3> = corners.iter().map(|&i| units[i]).collect();
        return NormalCone::from_sorted(&generators);
    }
    let must_hold: Vec<Vec3> = corners.iter().map(|&i| units[i]).collect();
    // At the support of the hull, so that an inexact normal does no harm.
    let touching = |normal: Vec2| {
        let offsets = corners.iter().map(|&i| normal.dot(&points[i]));
        Side {
            normal,
            offset: offsets.fold(f64::NEG_INFINITY, f64::max),
        }
    };
    let side = |k: usize| {
        let (p, q) = (points[corners[k]], points[corners[(k + 1) % corners.len()]]);
        touching(Vec2::new(q.y - p.y, p.x - q.x).normalize())
    };
    let sides = (0..corners.len()).map(side).collect();
    let best = best_cone(&chart, sides, &must_hold, 0.0);
    if !best.is_whole() {
        return best;
    }
    // A hull so flat that its sides are parallel but for rounding: a rectangle along it.
    let along = longest(&points, &corners);
    let across = Vec2::new(-along.y, along.x);
    let rectangle = [along, across, -along, -across].map(touching);
    best_cone(&chart, rectangle.to_vec(), &must_hold, 0.0)
}

/// The direction between the two corners that are farthest apart.
fn longest(points: &[Vec2], corners: &[usize]) -> Vec2 {
    let mut best = (0.0, Vec2::x());
    for (k, &i) in corners.iter().enumerate() {
        for &j in &corners[..k] {
            let along = points[i] - points[j];
            if along.norm() > best.0 {
                best = (along.norm(), along / along.norm());
            }
        }
    }
    best.1
}

/// The corners of a convex polygon but those that only rounding made; two ends remain of a line, one of a point.
fn without_flat_corners(points: &[Vec2], mut corners: Vec<usize>) -> Vec<usize> {
    let gap = |i: usize, j: usize| (points[i] - points[j]).norm();
    while corners.len() > 2 {
        let n = corners.len();
        let flat = (0..n).find(|&k| {
            let (a, b) = (corners[(k + n - 1) % n], corners[(k + 1) % n]);
            let (along, here) = (points[b] - points[a], points[corners[k]] - points[a]);
            let scale = FLAT * (1.0 + points[corners[k]].norm_squared());
            let past_an_end = here.dot(&along) < 0.0 || here.dot(&along) > along.norm_squared();
            gap(a, corners[k]) <= scale
                || (!past_an_end && along.perp(&here).abs() <= scale * along.norm())
        });
        match flat {
            Some(k) => corners.remove(k),
            None => break,
        };
    }
    if let [a, b] = corners[..]
        && gap(a, b) <= FLAT
    {
        corners.pop();
    }
    corners
}

#[cfg(test)]
mod tests {
    use super::super::triangle_area;
    use super::*;
    use crate::testing::Random;

    #[test]
    fn holds_all_directions_with_at_most_four_sides() {
        let mut random = Random::new(5);
        for _ in 0..3000 {
            let axis = random.unit();
            let spread = 10f64.powf(random.range(-9.0, 0.19));
            let n = 1 + random.below(40);
            let g: Vec<Vec3> = (0..n)
                .map(|_| random.near(&axis, spread) * 10f64.powf(random.range(-200.0, 200.0)))
                .collect();
            let cone = NormalCone::from_generators(&g);
            assert!(!cone.is_whole() && cone.generators().len() <= 4);
            for d in &g {
                assert!(
                    cone.contains(&(d / d.amax()).normalize(), 1e-13),
                    "{spread} {cone:?}"
                );
            }
            let sides = cone.generators();
            for (k, s) in sides.iter().enumerate().filter(|_| sides.len() > 2) {
                let inward = s.cross(&sides[(k + 1) % sides.len()]);
                assert!(sides.iter().all(|g| inward.dot(g) >= -1e-15));
            }
        }
    }

    #[test]
    fn four_sides_are_not_much_wider_than_many() {
        // Directions all around a circle: the best four sides make a square.
        let mut worst: f64 = 0.0;
        for half_angle in [0.01f64, 0.3, 1.0] {
            for n in [5, 6, 7, 12, 50] {
                let g: Vec<Vec3> = (0..n)
                    .map(|k| {
                        let (s, c) = (std::f64::consts::TAU * k as f64 / n as f64).sin_cos();
                        let (s, c) = (s * half_angle.sin(), c * half_angle.sin());
                        Vec3::new(s, c, half_angle.cos())
                    })
                    .collect();
                let disc = std::f64::consts::TAU * (1.0 - half_angle.cos());
                worst = worst.max(NormalCone::from_generators(&g).solid_angle() / disc);
            }
        }
        assert!(worst < 1.45, "{worst}");
    }

    #[test]
    fn reduction_adds_little_to_random_hulls() {
        let mut random = Random::new(13);
        let (mut sum, mut worst) = (0.0, 0.0f64);
        let rounds = 400;
        for _ in 0..rounds {
            let stretch = Vec3::new(random.range(0.02, 1.0), random.range(0.02, 1.0), 0.0);
            let g: Vec<Vec3> = (0..5 + random.below(60))
                .map(|_| (Vec3::z() + random.unit().component_mul(&stretch)).normalize())
                .collect();
            let flat: Vec<Vec2> = g.iter().map(|d| d.xy() / d.z).collect();
            let corners = convex_hull(&flat);
            let exact: f64 = (2..corners.len())
                .map(|k| triangle_area(&g[corners[0]], &g[corners[k - 1]], &g[corners[k]]))
                .sum();
            let ratio = NormalCone::from_generators(&g).solid_angle() / exact;
            assert!(ratio > 1.0 - 1e-9);
            sum += ratio;
            worst = worst.max(ratio);
        }
        let mean = sum / rounds as f64;
        println!("four sides / all sides: mean {mean:.3}, worst {worst:.3}");
        assert!(mean < 1.3 && worst < 1.6, "{mean} {worst}");
    }

    #[test]
    fn two_flat_cones_with_nearly_parallel_sides_are_held() {
        // Two dilated wedges of a real part: long sides that differ by a few millionths, and very short ones.
        let (x, y) = (-0.782085636054482, 0.6231709700204723);
        let low = -2.000000007258129e-6;
        let g = [
            Vec3::new(7.664831930573261e-7, -9.313710615913255e-7, 1.0),
            Vec3::new(1.1506867382618168e-6, 3.617576116093378e-7, 1.0),
            Vec3::new(x, y, -9.999995991442955e-7),
            Vec3::new(
                -0.9954736978599782,
                -0.09503744981837833,
                -9.999995991442955e-7,
            ),
            Vec3::new(1.0926053973936625e-6, -8.978916389358713e-7, 1.0),
            Vec3::new(8.978938595437439e-7, 1.0926035710452278e-6, 1.0),
            Vec3::new(-0.9952498226975542, -0.09735394402122088, low),
            Vec3::new(-0.9952494270194947, -0.09735798895502844, low),
        ]
        .map(|d| d.normalize());
        let cone = NormalCone::from_generators(&g);
        assert!(!cone.is_whole() && cone.solid_angle() < 0.78);
        // A side as short as a millionth turns by rounding alone.
        assert!(g.iter().all(|d| cone.contains(d, 1e-10)));
    }

    #[test]
    fn nearly_flat_fans_are_bounded_tightly() {
        // Normals along the edge of a free-form face: an arc but for noise.
        let mut random = Random::new(22);
        for _ in 0..3000 {
            let frame = random.frame(1.0);
            let spread = 10f64.powf(random.range(-2.0, 0.0));
            let noise = 10f64.powf(random.range(-16.0, -5.0));
            let g: Vec<Vec3> = (0..17)
                .map(|k| {
                    let on = frame.radial(spread * f64::from(k) / 16.0);
                    (on + random.unit() * noise).normalize()
                })
                .collect();
            let cone = NormalCone::from_generators(&g);
            assert!(!cone.is_whole(), "{spread} {noise}");
            assert!(cone.solid_angle() <= 10.0 * spread * noise + 1e-12);
            assert!(
                g.iter().all(|d| cone.contains(d, 1e-12)),
                "{spread} {noise}"
            );
        }
    }

    #[test]
    fn a_hull_of_four_or_fewer_keeps_its_generators() {
        let square = [
            (1.0, 1.0),
            (-1.0, 1.0),
            (0.2, 0.1),
            (1.0, -1.0),
            (-1.0, -1.0),
        ];
        let g = square.map(|(x, y)| Vec3::new(x, y, 2.0).normalize());
        let cone = NormalCone::from_generators(&g);
        assert_eq!(cone.generators().len(), 4);
        assert!(cone.generators().iter().all(|c| g.contains(c)));
    }

    #[test]
    fn many_directions_of_one_plane_are_an_arc() {
        let mut random = Random::new(6);
        for _ in 0..500 {
            let frame = random.frame(1.0);
            let spread = 10f64.powf(random.range(-6.0, 0.19));
            let g: Vec<Vec3> = (0..20)
                .map(|_| frame.radial(random.range(-spread, spread)))
                .collect();
            let cone = NormalCone::from_generators(&g);
            assert_eq!(cone.generators().len(), 2, "{spread}");
            assert!(g.iter().all(|d| cone.contains(d, 1e-13)));
        }
    }

    #[test]
    fn only_an_open_half_space_is_bounded() {
        let around = |z: f64| {
            let g = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0].map(|t: f64| Vec3::new(t.cos(), t.sin(), z));
            NormalCone::from_generators(&g)
        };
        assert!(around(0.0).is_whole() && !around(0.1).is_whole());
        assert!(NormalCone::from_generators(&[Vec3::x(), -Vec3::x()]).is_whole());
        assert!(!NormalCone::from_generators(&[Vec3::x(), Vec3::new(-1.0, 1e-2, 0.0)]).is_whole());
        let all = [Vec3::x(), Vec3::y(), Vec3::z(), -Vec3::repeat(1.0)];
        assert!(NormalCone::from_generators(&all).is_whole());
    }
}
