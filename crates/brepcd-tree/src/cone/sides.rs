//! Cones as convex polygons in a chart, bounded by as many sides as one likes, and the best four of them.
//!
//! The chart is the central projection onto the plane that touches the unit sphere in the cone's centre: great circles
//! become lines, so a cone is a convex polygon.

use brepcd_geom::{Frame, Point3, Vec2, Vec3};

use super::{NARROWEST_COS, NormalCone, triangle_area};

/// The farthest a corner may lie from the origin of a chart.
const REACH: f64 = 1.0 / NARROWEST_COS;
/// Sine of the smallest turn between neighbouring sides that still meet.
const LEAST_TURN: f64 = 1e-9;
/// Above this number sides are dropped one by one, below it all choices of four are tried.
const TRY_ALL: usize = 12;
/// Angle by which rounding may push a direction out of a side.
const INEXACT: f64 = 1e-12;

/// The central projection of half the unit sphere.
pub(super) struct Chart {
    frame: Frame,
}

impl Chart {
    /// The chart about a unit vector.
    pub fn new(centre: Vec3) -> Option<Self> {
        let frame = Frame::from_z(Point3::origin(), centre)?;
        Some(Self { frame })
    }

    /// The point of a direction less than a right angle from the centre.
    pub fn project(&self, direction: &Vec3) -> Vec2 {
        let d = self.frame.local_vec(direction);
        Vec2::new(d.x / d.z, d.y / d.z)
    }

    /// The unit direction of a point.
    pub fn lift(&self, p: &Vec2) -> Vec3 {
        (self.frame.z + self.frame.x * p.x + self.frame.y * p.y).normalize()
    }

    /// Components of a vector along the chart's plane, and towards the centre.
    pub fn components(&self, v: &Vec3) -> (Vec2, f64) {
        let d = self.frame.local_vec(v);
        (Vec2::new(d.x, d.y), d.z)
    }
}

/// The half-plane `normal · p ≤ offset` of a chart; the normal is of unit length.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    pub normal: Vec2,
    pub offset: f64,
}

/// Where a side meets the next one, if the boundary turns left there by less than π and not too far out.
fn corner(a: &Side, b: &Side) -> Option<Vec2> {
    let turn = a.normal.perp(&b.normal);
    if turn < LEAST_TURN {
        return None;
    }
    let p = Vec2::new(
        a.offset * b.normal.y - b.offset * a.normal.y,
        b.offset * a.normal.x - a.offset * b.normal.x,
    ) / turn;
    (p.norm() <= REACH).then_some(p)
}

/// A small cone bounded by four of the sides, which each touch what the cone must hold and are sorted by angle.
///
/// With three sides it has three; the whole sphere if no choice is bounded. `must_hold` are unit directions that the
/// cone holds with all that is within `angle` of them: where sides are nearly parallel, their corner is inexact, and a
/// short side beside it amplifies that, so a choice is only trusted once it is tested.
pub(super) fn best_cone(
    chart: &Chart,
    mut sides: Vec<Side>,
    must_hold: &[Vec3],
    angle: f64,
) -> NormalCone {
    while sides.len() > TRY_ALL {
        let cheapest = (0..sides.len())
            .filter_map(|k| Some((k, cost_of_dropping(chart, &sides, k)?)))
            .min_by(|a, b| a.1.total_cmp(&b.1));
        match cheapest {
            Some((k, _)) => sides.remove(k),
            None => return NormalCone::WHOLE,
        };
    }
    if sides.len() < 3 {
        return NormalCone::WHOLE;
    }
    let mut best = (f64::INFINITY, NormalCone::WHOLE);
    let wanted = sides.len().min(4) as u32;
    for choice in 0u32..1 << sides.len() {
        if choice.count_ones() != wanted {
            continue;
        }
        let mut chosen = [sides[0]; 4];
        let members = (0..sides.len()).filter(|k| choice & (1 << k) != 0);
        for (slot, k) in chosen.iter_mut().zip(members) {
            *slot = sides[k];
        }
        let Some(cone) = bounded(chart, &chosen[..wanted as usize]) else {
            continue;
        };
        let area = cone.solid_angle();
        let holds = |d: &Vec3| cone.contains(d, INEXACT - angle.sin());
        if area < best.0 && must_hold.iter().all(holds) {
            best = (area, cone);
        }
    }
    best.1
}

/// The cone of three or four sides.
fn bounded(chart: &Chart, sides: &[Side]) -> Option<NormalCone> {
    let mut corners = [Vec3::zeros(); 4];
    for k in 0..sides.len() {
        let p = corner(&sides[k], &sides[(k + 1) % sides.len()])?;
        corners[k] = chart.lift(&p);
    }
    Some(NormalCone::from_sorted(&corners[..sides.len()]))
}

/// The area added when the neighbours of a side are extended until they meet.
fn cost_of_dropping(chart: &Chart, sides: &[Side], k: usize) -> Option<f64> {
    let n = sides.len();
    let (before, here, after) = (&sides[(k + n - 1) % n], &sides[k], &sides[(k + 1) % n]);
    let a = chart.lift(&corner(before, here)?);
    let b = chart.lift(&corner(here, after)?);
    let c = chart.lift(&corner(before, after)?);
    Some(triangle_area(&a, &b, &c))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn regular(n: usize, offset: f64) -> Vec<Side> {
        (0..n)
            .map(|k| {
                let (s, c) = (std::f64::consts::TAU * k as f64 / n as f64).sin_cos();
                let normal = Vec2::new(c, s);
                Side { normal, offset }
            })
            .collect()
    }

    #[test]
    fn of_a_round_shape_four_sides_make_a_square() {
        let chart = Chart::new(Vec3::new(1.0, 2.0, -1.0).normalize()).expect("a direction");
        let offset = 0.01;
        for n in [4, 8, 16, 64] {
            let cone = best_cone(&chart, regular(n, offset), &[], 0.0);
            let area = 4.0 * offset * offset;
            assert!(
                (cone.solid_angle() / area - 1.0).abs() < 0.05,
                "{n} {}",
                cone.solid_angle() / area
            );
        }
        assert_eq!(
            best_cone(&chart, regular(3, offset), &[], 0.0)
                .generators()
                .len(),
            3
        );
    }

    #[test]
    fn what_is_not_bounded_is_whole() {
        let chart = Chart::new(Vec3::x()).expect("a direction");
        let half: Vec<Side> = regular(8, 0.3).into_iter().take(4).collect();
        assert!(best_cone(&chart, half, &[], 0.0).is_whole());
        assert!(best_cone(&chart, regular(2, 0.1), &[], 0.0).is_whole());
        assert!(best_cone(&chart, Vec::new(), &[], 0.0).is_whole());
        assert!(best_cone(&chart, regular(4, 1e5), &[], 0.0).is_whole());
    }

    #[test]
    fn lift_undoes_project() {
        let chart = Chart::new(Vec3::new(0.3, -0.2, 0.9).normalize()).expect("a direction");
        for d in [Vec3::new(0.9, 0.1, 0.4), Vec3::new(-0.2, -0.9, 0.5)] {
            let d = d.normalize();
            assert!((chart.lift(&chart.project(&d)) - d).norm() < 1e-15);
        }
    }
}
