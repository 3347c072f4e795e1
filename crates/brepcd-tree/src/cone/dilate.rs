//! Dilation by an angle.
//!
//! A convex cone holds everything within `angle` of another one exactly if each of its sides passes the other's
//! generators at that angle or more. So a side is found by its direction in the chart alone: it is pushed out until it
//! touches the caps of all generators. Directions to choose from are those of the sides that touch two neighbouring
//! caps, and halfway between them, which cuts off sharp corners and closes rays and arcs.

use std::f64::consts::{FRAC_PI_2, TAU};

use brepcd_geom::{Vec2, Vec3};

use super::circular::smallest_cap;
use super::sides::{Chart, Side, best_cone};
use super::{NARROWEST_COS, NormalCone, ROUNDING};

/// Turn between sides, in radians, below which no side is put between them.
const SMALL_TURN: f64 = 0.2;
/// Part of a right angle that rounding may add to a turn.
const TURN_ROUNDING: f64 = 1e-6;

impl NormalCone {
    /// A cone that holds all directions within `angle` of this one, with an interior if the angle is positive.
    ///
    /// The whole sphere where no cone with four sides does.
    pub fn dilated(&self, angle: f64) -> Self {
        if self.is_whole() || angle <= 0.0 {
            return *self;
        }
        let Some((centre, cos)) = smallest_cap(self.generators()) else {
            return Self::WHOLE;
        };
        let Some(chart) = Chart::new(centre)
            .filter(|_| (cos.acos() + angle).cos() > NARROWEST_COS && angle < FRAC_PI_2)
        else {
            return Self::WHOLE;
        };
        let sides = directions(&chart, self.generators(), angle.sin())
            .into_iter()
            .filter_map(|turn| touching(&chart, self.generators(), angle, turn));
        best_cone(&chart, sides.collect(), self.generators(), angle)
    }
}

/// The side in a direction of the chart that touches the caps of the generators from outside.
fn touching(chart: &Chart, generators: &[Vec3], angle: f64, turn: f64) -> Option<Side> {
    let normal = Vec2::new(turn.cos(), turn.sin());
    let mut tilt = f64::NEG_INFINITY;
    for g in generators {
        let (flat, up) = chart.components(g);
        let along = normal.dot(&flat);
        // The cap's shadow on the plane of `normal` and the centre, as seen from the origin.
        let share = angle.sin() / along.hypot(up);
        if share >= 1.0 {
            return None;
        }
        tilt = tilt.max(along.atan2(up) + share.asin());
    }
    let tilt = tilt + ROUNDING;
    (tilt.cos() > NARROWEST_COS).then(|| Side {
        normal,
        offset: tilt.tan(),
    })
}

/// Ascending directions in the chart to put sides in.
fn directions(chart: &Chart, generators: &[Vec3], sin: f64) -> Vec<f64> {
    let n = generators.len();
    let mut turns: Vec<f64> = (0..n)
        .filter_map(|i| {
            let (g, h) = (&generators[i], &generators[(i + 1) % n]);
            let outward = h.cross(g).try_normalize(0.0)?;
            let mid = g + h;
            // Unit normal of the plane at the angle from both: mid · g = |mid|² / 2.
            let inward = 2.0 * sin / mid.norm_squared();
            let rest = 1.0 - inward * inward * mid.norm_squared();
            let (flat, _) = chart.components(&(outward * rest.max(0.0).sqrt() - mid * inward));
            Some(flat.y.atan2(flat.x))
        })
        .collect();
    if turns.is_empty() {
        return (0..4).map(|k| k as f64 * FRAC_PI_2).collect();
    }
    turns.sort_by(f64::total_cmp);
    let mut out = Vec::with_capacity(2 * n + 2);
    for (k, &from) in turns.iter().enumerate() {
        let to = turns.get(k + 1).copied().unwrap_or(turns[0] + TAU);
        let gap = to - from;
        // Neighbours must turn by less than π; a right angle is best.
        let rights = (gap / FRAC_PI_2 - TURN_ROUNDING).ceil();
        let between = if gap > SMALL_TURN {
            rights.max(2.0)
        } else {
            1.0
        };
        out.extend((0..between as usize).map(|i| from + gap * i as f64 / between));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    /// A random unit vector of the cone, often on its border.
    fn inside(random: &mut Random, generators: &[Vec3]) -> Vec3 {
        let sparse = random.below(2) == 0;
        loop {
            let sum: Vec3 = generators
                .iter()
                .map(|g| {
                    g * if sparse && random.below(2) == 0 {
                        0.0
                    } else {
                        random.range(0.0, 1.0)
                    }
                })
                .sum();
            if let Some(d) = sum.try_normalize(1e-3) {
                return d;
            }
        }
    }

    #[test]
    fn holds_all_that_is_near() {
        let mut random = Random::new(10);
        let mut whole = 0;
        for _ in 0..4000 {
            let axis = random.unit();
            let spread = 10f64.powf(random.range(-8.0, 0.1));
            let angle = 10f64.powf(random.range(-8.0, -0.2));
            let g: Vec<Vec3> = (0..1 + random.below(6))
                .map(|_| random.near(&axis, spread))
                .collect();
            let cone = NormalCone::from_generators(&g);
            let grown = cone.dilated(angle);
            assert!(
                spread + angle > 1.0 || !grown.is_whole(),
                "{spread} {angle}"
            );
            whole += grown.is_whole() as usize;
            for _ in 0..100 {
                let d = inside(&mut random, cone.generators());
                let near = random.at_angle(&d, angle);
                assert!(cone.contains(&d, 1e-13));
                assert!(
                    grown.contains(&near, 1e-3 * f64::EPSILON),
                    "{spread} {angle} {grown:?}"
                );
            }
        }
        assert!(whole < 800, "{whole}");
    }

    #[test]
    fn a_ray_becomes_a_square_and_an_arc_a_bar() {
        let angle = 0.01f64;
        let square = NormalCone::from_generators(&[Vec3::new(1.0, 2.0, 3.0)]).dilated(angle);
        assert_eq!(square.generators().len(), 4);
        assert!((square.solid_angle() / (4.0 * angle * angle) - 1.0).abs() < 1e-3);
        let bar =
            NormalCone::from_generators(&[Vec3::x(), Vec3::new(1.0, 0.3, 0.0)]).dilated(angle);
        let length = 0.3f64.atan() + 2.0 * angle;
        assert_eq!(bar.generators().len(), 4);
        assert!((bar.solid_angle() / (2.0 * angle * length) - 1.0).abs() < 0.02);
    }

    #[test]
    fn stays_close_for_slivers_and_specks() {
        let angle = 0.02;
        // A sliver with a needle's tip: extended sides alone would meet far away.
        let sliver = [
            Vec3::new(1.0, 0.0, 0.0),
            Vec3::new(1.0, 0.2, 0.0),
            Vec3::new(1.0, 0.1, 1e-5),
        ];
        let area = NormalCone::from_generators(&sliver)
            .dilated(angle)
            .solid_angle();
        assert!(area < 1.1 * 2.0 * angle * (0.2 + 2.0 * angle), "{area}");
        let mut random = Random::new(11);
        for n in 1..8 {
            let speck: Vec<Vec3> = (0..n).map(|_| random.near(&Vec3::y(), 1e-10)).collect();
            let area = NormalCone::from_generators(&speck)
                .dilated(angle)
                .solid_angle();
            assert!(area < 1.7 * 4.0 * angle * angle, "{n} {area}");
        }
    }

    #[test]
    fn whole_when_it_does_not_fit() {
        let ray = NormalCone::from_generators(&[Vec3::x()]);
        for angle in [1.56, 1.571, 2.0, 4.0] {
            assert_eq!(ray.dilated(angle).is_whole(), angle > 1.57, "{angle}");
        }
        assert_eq!(ray.dilated(0.0), ray);
        let octant = NormalCone::from_generators(&[Vec3::x(), Vec3::y(), Vec3::z()]);
        assert!(octant.dilated(0.9).is_whole() && !octant.dilated(0.3).is_whole());
    }
}
