//! Cones of revolution.

use brepcd_geom::Vec3;

use super::ROUNDING;
use crate::Rotation;

/// All directions within an angle of an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CircularCone {
    /// The unit axis.
    pub axis: Vec3,
    /// Cosine of the half angle; -1 for the whole sphere.
    pub cos: f64,
    /// Sine of the half angle, not negative.
    pub sin: f64,
}

impl CircularCone {
    /// All directions.
    pub const WHOLE: Self = Self {
        axis: Vec3::new(0.0, 0.0, 1.0),
        cos: -1.0,
        sin: 0.0,
    };

    /// The cone of an axis of any length and a half angle from 0 to π.
    pub fn new(axis: Vec3, half_angle: f64) -> Self {
        let (sin, cos) = half_angle.sin_cos();
        match axis.try_normalize(0.0) {
            Some(axis) if half_angle < std::f64::consts::PI => Self {
                axis,
                cos,
                sin: sin.max(0.0),
            },
            _ => Self::WHOLE,
        }
    }

    /// The smallest cone of some unit vectors, whole if there are none or no open half-space holds them.
    pub fn from_generators(directions: &[Vec3]) -> Self {
        let Some((axis, cos)) = smallest_cap(directions) else {
            return Self::WHOLE;
        };
        // The sine is the sharper measure of a narrow cone.
        let sin = directions.iter().map(|g| axis.cross(g).norm());
        let sin = sin.fold(0.0, f64::max).min(1.0);
        if sin < cos {
            let cos = (1.0 - sin * sin).sqrt();
            Self { axis, cos, sin }
        } else {
            let sin = (1.0 - cos * cos).max(0.0).sqrt();
            Self { axis, cos, sin }
        }
    }

    /// True if the cone holds all directions.
    pub fn is_whole(&self) -> bool {
        self.cos <= -1.0
    }

    /// The angle between axis and border, from 0 to π.
    pub fn half_angle(&self) -> f64 {
        self.sin.atan2(self.cos)
    }

    /// True for a unit vector in the cone or at most `tol` radians outside.
    pub fn contains(&self, direction: &Vec3, tol: f64) -> bool {
        let (s, c) = (self.axis.cross(direction).norm(), self.axis.dot(direction));
        // Sine and cosine of how far the direction lies beyond the border.
        let (sin, cos) = (s * self.cos - c * self.sin, c * self.cos + s * self.sin);
        self.is_whole() || sin.atan2(cos) <= tol + ROUNDING
    }

    /// All directions within `angle` of the cone.
    pub fn dilated(&self, angle: f64) -> Self {
        Self::new(self.axis, self.half_angle() + angle.max(0.0))
    }

    /// The smallest cone of both.
    pub fn merged(&self, other: &Self) -> Self {
        let between = self
            .axis
            .cross(&other.axis)
            .norm()
            .atan2(self.axis.dot(&other.axis));
        let (a, b) = (self.half_angle(), other.half_angle());
        if between + b <= a {
            return *self;
        }
        if between + a <= b {
            return *other;
        }
        // Rounded up by what the angles above may have lost.
        let half = 0.5 * (between + a + b) + ROUNDING;
        // Twice, because of nearly opposite axes the first leaves only rounding, in any direction.
        let square_to = |v: Vec3| (v - self.axis * self.axis.dot(&v)).try_normalize(0.0);
        let Some(across) = square_to(other.axis).and_then(square_to) else {
            return Self::WHOLE;
        };
        let (s, c) = (half - a).sin_cos();
        Self::new(self.axis * c + across * s, half)
    }

    /// The cone turned by `a_from_b`.
    pub fn transformed(&self, a_from_b: &Rotation) -> Self {
        let axis = a_from_b * self.axis;
        Self { axis, ..*self }
    }

    /// False only if no direction of one cone is opposite to one of the other, both in the same frame.
    pub fn antipodal(&self, other: &Self) -> bool {
        let cos = self.cos * other.cos - self.sin * other.sin;
        // The half angles add up to π or more exactly if the cosines do not exceed 0.
        (self.cos + other.cos <= 0.0) | (-self.axis.dot(&other.axis) >= cos - ROUNDING)
    }
}

/// The smallest cap of unit vectors: its axis and the cosine of its half angle.
///
/// `None` if there are none or no open half-space holds them. At most three of them decide; the one farthest outside
/// replaces one of these until none is outside.
pub(super) fn smallest_cap(points: &[Vec3]) -> Option<(Vec3, f64)> {
    let mut cap = Cap {
        axis: *points.first()?,
        cos: 1.0,
        border: [*points.first()?; 3],
        count: 1,
    };
    for _ in 0..16 + 4 * points.len() {
        let (worst, cos) = farthest(&cap.axis, points)?;
        if cos >= cap.cos - ROUNDING {
            break;
        }
        let mut four = [worst; 4];
        four[1..=cap.count].copy_from_slice(&cap.border[..cap.count]);
        cap = cap_of_few(&four[..=cap.count])?;
    }
    let (_, cos) = farthest(&cap.axis, points)?;
    (cos > 0.0).then_some((cap.axis, cos.min(1.0)))
}

struct Cap {
    axis: Vec3,
    cos: f64,
    border: [Vec3; 3],
    count: usize,
}

fn farthest(axis: &Vec3, points: &[Vec3]) -> Option<(Vec3, f64)> {
    let all = points.iter().map(|p| (*p, axis.dot(p)));
    all.min_by(|a, b| a.1.total_cmp(&b.1))
}

/// The smallest cap of two to four points whose border holds the first.
fn cap_of_few(points: &[Vec3]) -> Option<Cap> {
    let mut best: Option<Cap> = None;
    let mut offer = |axis: Vec3, border: [Vec3; 3], count: usize| {
        let Some(axis) = axis.try_normalize(0.0) else {
            return;
        };
        let axis = if axis.dot(&border[0]) < 0.0 {
            -axis
        } else {
            axis
        };
        let cos = points.iter().map(|p| axis.dot(p)).fold(1.0, f64::min);
        if cos > best.as_ref().map_or(0.0, |b| b.cos) {
            best = Some(Cap {
                axis,
                cos,
                border,
                count,
            });
        }
    };
    let p = points[0];
    for (i, q) in points.iter().enumerate().skip(1) {
        offer(p + q, [p, *q, *q], 2);
        for r in &points[i + 1..] {
            offer((q - p).cross(&(r - p)), [p, *q, *r], 3);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;
    use std::f64::consts::PI;

    fn random_cone(random: &mut Random) -> CircularCone {
        let half = if random.below(8) == 0 {
            0.0
        } else {
            random.range(0.0, 2.0)
        };
        CircularCone::new(random.unit(), half)
    }

    #[test]
    fn smallest_cap_is_smallest() {
        let mut random = Random::new(7);
        for _ in 0..500 {
            let axis = random.unit();
            let spread = 10f64.powf(random.range(-6.0, 0.19));
            let g: Vec<Vec3> = (0..1 + random.below(30))
                .map(|_| random.near(&axis, spread))
                .collect();
            let cone = CircularCone::from_generators(&g);
            assert!(g.iter().all(|d| cone.contains(d, 1e-13)), "{spread}");
            assert!(cone.half_angle() <= spread + 1e-13);
            // No axis nearby does better.
            let wide = |axis: &Vec3| {
                g.iter()
                    .map(|d| axis.cross(d).norm().atan2(axis.dot(d)))
                    .fold(0.0, f64::max)
            };
            for _ in 0..20 {
                let other = random.near(&cone.axis, 0.3 * spread);
                assert!(wide(&other) >= cone.half_angle() - 1e-12, "{spread}");
            }
        }
        assert!(CircularCone::from_generators(&[Vec3::x(), -Vec3::x()]).is_whole());
        assert!(CircularCone::from_generators(&[]).is_whole());
        let three = [Vec3::x(), Vec3::y(), -Vec3::new(1.0, 1.0, 0.0).normalize()];
        assert!(CircularCone::from_generators(&three).is_whole());
        assert_eq!(
            CircularCone::from_generators(&[Vec3::y(); 4]).half_angle(),
            0.0
        );
    }

    #[test]
    fn dilated_and_merged_hold_what_they_must() {
        let mut random = Random::new(8);
        for _ in 0..2000 {
            let (a, b) = (random_cone(&mut random), random_cone(&mut random));
            let both = a.merged(&b);
            let angle = random.range(0.0, 0.5);
            for c in [&a, &b] {
                let d = random.at_angle(&c.axis, c.half_angle());
                assert!(c.contains(&d, 1e-14) && both.contains(&d, 1e-14));
                let near = random.near(&d, angle);
                assert!(c.dilated(angle).contains(&near, 1e-14));
            }
            assert!(both.half_angle() <= a.half_angle() + b.half_angle() + PI / 2.0 + 1e-9);
        }
        let narrow = CircularCone::new(Vec3::x(), 0.1);
        assert_eq!(CircularCone::WHOLE.merged(&narrow), CircularCone::WHOLE);
        assert_eq!(narrow.merged(&CircularCone::new(Vec3::x(), 0.05)), narrow);
        assert!(
            narrow
                .merged(&CircularCone::new(-Vec3::x(), 0.1))
                .is_whole()
        );
        assert!(narrow.dilated(4.0).is_whole());
    }

    #[test]
    fn merged_of_nearly_opposite_axes() {
        let mut random = Random::new(14);
        for _ in 0..2000 {
            let axis = random.unit();
            let off = 10f64.powf(random.range(-18.0, -6.0));
            let opposite = (random.unit() * off - axis).normalize();
            let a = CircularCone::new(axis, random.range(0.0, 1.5));
            let b = CircularCone::new(opposite, random.range(0.0, 1.5));
            let both = a.merged(&b);
            for c in [&a, &b] {
                let d = random.at_angle(&c.axis, c.half_angle());
                assert!(both.contains(&d, 1e-14), "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn antipodal_by_angles() {
        let mut random = Random::new(9);
        for _ in 0..20_000 {
            let (a, b) = (random_cone(&mut random), random_cone(&mut random));
            let apart = a.axis.angle(&-b.axis);
            let reach = a.half_angle() + b.half_angle();
            if (apart - reach).abs() > 1e-6 {
                assert_eq!(a.antipodal(&b), apart < reach, "{apart} {reach}");
            }
        }
        let ray = |axis: Vec3| CircularCone::new(axis, 0.0);
        assert!(
            ray(Vec3::x()).antipodal(&ray(-Vec3::x()))
                && !ray(Vec3::x()).antipodal(&ray(Vec3::x()))
        );
        for other in [
            ray(Vec3::x()),
            CircularCone::WHOLE,
            CircularCone::new(Vec3::y(), 2.0),
        ] {
            assert!(CircularCone::WHOLE.antipodal(&other) && other.antipodal(&CircularCone::WHOLE));
        }
    }
}
