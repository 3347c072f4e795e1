//! Convex hulls in a plane.

use brepcd_geom::Vec2;

/// Indices of the corners of the convex hull, counter-clockwise; points on its sides are left out.
///
/// One index if all points are equal, two if they lie on a line. Andrew's monotone chain.
pub(crate) fn convex_hull(points: &[Vec2]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|&i, &j| {
        let (p, q) = (&points[i], &points[j]);
        // Adding 0 takes the sign from zeros, which the total order would tell apart.
        let order = |a: f64, b: f64| (a + 0.0).total_cmp(&(b + 0.0));
        order(p.x, q.x).then(order(p.y, q.y))
    });
    order.dedup_by(|i, j| points[*i] == points[*j]);
    if order.len() < 3 {
        return order;
    }
    let mut hull: Vec<usize> = Vec::with_capacity(order.len() + 1);
    for upper in [false, true] {
        let start = hull.len();
        let mut add = |i: usize| {
            while hull.len() >= start + 2 {
                let (a, b) = (points[hull[hull.len() - 2]], points[hull[hull.len() - 1]]);
                if (b - a).perp(&(points[i] - b)) > 0.0 {
                    break;
                }
                hull.pop();
            }
            hull.push(i);
        };
        if upper {
            order.iter().rev().for_each(|&i| add(i));
        } else {
            order.iter().for_each(|&i| add(i));
        }
        // The last point of a chain is the first of the next one.
        hull.pop();
    }
    hull
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    #[test]
    fn holds_all_points_and_turns_left() {
        let mut random = Random::new(1);
        for _ in 0..200 {
            let points: Vec<Vec2> = (0..3 + random.below(30))
                .map(|_| Vec2::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0)))
                .collect();
            let hull = convex_hull(&points);
            for (k, &i) in hull.iter().enumerate() {
                let (a, b) = (points[i], points[hull[(k + 1) % hull.len()]]);
                for p in &points {
                    assert!((b - a).perp(&(p - a)) >= -1e-15);
                }
            }
        }
    }

    #[test]
    fn a_grid_has_four_corners() {
        let points: Vec<Vec2> = (0..25)
            .map(|i| Vec2::new((i % 5) as f64, (i / 5) as f64))
            .collect();
        assert_eq!(convex_hull(&points), [0, 4, 24, 20]);
    }

    #[test]
    fn a_segment_has_two_ends_and_a_point_one() {
        let on_line: Vec<Vec2> = [2.0, 0.0, 1.0, 0.0].map(|t| Vec2::new(t, 2.0 * t)).to_vec();
        assert_eq!(convex_hull(&on_line), [1, 0]);
        assert_eq!(convex_hull(&[Vec2::new(1.0, 2.0); 3]).len(), 1);
        let signed = [(-0.0, 1.0), (0.0, -1.0), (0.0, -0.5), (0.0, 0.5)];
        let signed = signed.map(|(x, y)| Vec2::new(x, y));
        assert_eq!(convex_hull(&signed), [1, 0]);
        assert!(convex_hull(&[]).is_empty());
    }
}
