//! Normal cones with generators on the grid, and circular cones in nine bytes.

use brepcd_geom::Vec3;

use super::direction::{Direction, FARTHEST};
use super::scalar::Short;
use crate::{CircularCone, NormalCone};

/// How far inside the rounded cone the generators must be for rounding to be no matter, radians.
const INEXACT: f64 = 1e-12;
/// By how much the sides of a cone are pushed out before its generators are rounded, radians, first to last try.
const PUSHED: [f64; 3] = [FARTHEST, 2.0 * FARTHEST, 8.0 * FARTHEST];
/// Squared sine between neighbouring sides below which where they meet says nothing.
const PARALLEL: f64 = 1e-24;
/// Tangent of half the angle above which a circular cone counts as whole.
const NEARLY_WHOLE: f64 = 1e3;

impl NormalCone {
    /// A cone with generators on the grid that holds this one; itself if no such cone is close.
    ///
    /// Rays and arcs stay as they are: they would get an inside.
    pub fn rounded_out(&self) -> Self {
        let generators = self.generators();
        if generators.len() < 3 || generators.iter().all(|g| Direction::exactly(g).is_some()) {
            return *self;
        }
        let tries = PUSHED.iter().filter_map(|angle| {
            let pushed = pushed_out(generators, *angle)?;
            let rounded = pushed.map(|g| Direction::nearest(&g).vector());
            let rounded = &rounded[..generators.len()];
            goes_round(rounded).then(|| Self::from_sorted(rounded))
        });
        tries
            .into_iter()
            .find(|cone| generators.iter().all(|g| cone.contains(g, -INEXACT)))
            .unwrap_or(*self)
    }
}

/// The generators of the cone whose sides are those of another, tilted outwards by an angle.
fn pushed_out(g: &[Vec3], angle: f64) -> Option<[Vec3; 4]> {
    let n = g.len();
    let mut sides = [Vec3::zeros(); 4];
    for i in 0..n {
        let (a, b) = (&g[i], &g[(i + 1) % n]);
        let inward = a.cross(&(b - a)).try_normalize(0.0)?;
        // Leant towards the middle of the side so far that its ends are the angle inside.
        let middle = a + b;
        let ends = middle.dot(a);
        sides[i] = (inward + middle * (angle / ends)).try_normalize(0.0)?;
    }
    let mut out = [Vec3::zeros(); 4];
    for i in 0..n {
        let corner = sides[(i + n - 1) % n].cross(&sides[i]);
        if corner.norm_squared() < PARALLEL {
            return None;
        }
        let corner = corner.normalize();
        // Two planes meet in opposite directions.
        out[i] = if corner.dot(&g[i]) < 0.0 {
            -corner
        } else {
            corner
        };
    }
    Some(out)
}

/// True if each side has the other generators on its inner side.
fn goes_round(g: &[Vec3]) -> bool {
    let n = g.len();
    (0..n).all(|i| {
        let side = g[i].cross(&g[(i + 1) % n]);
        (2..n).all(|k| side.dot(&g[(i + k) % n]) > 0.0)
    })
}

/// The code of a circular cone: its axis, and the tangent of half its half angle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ShortCircle {
    axis: Direction,
    tangent: Short,
}

impl ShortCircle {
    /// The code of exactly this cone.
    pub fn exactly(circle: &CircularCone) -> Option<Self> {
        let code = Self {
            axis: Direction::exactly(&circle.axis)?,
            tangent: Short::nearest(circle.sin / (1.0 + circle.cos))?,
        };
        let same = code.circle().is_some_and(|c| bits(&c) == bits(circle));
        same.then_some(code)
    }

    /// The cone; `None` where the code stands for no angle.
    #[inline]
    pub fn circle(self) -> Option<CircularCone> {
        let t = self.tangent.value().filter(|t| *t <= NEARLY_WHOLE)?;
        let square = t * t;
        Some(CircularCone {
            axis: self.axis.vector(),
            cos: (1.0 - square) / (1.0 + square),
            sin: 2.0 * t / (1.0 + square),
        })
    }

    /// The code's bytes.
    pub fn bytes(self) -> [u8; 9] {
        let [a, b, c, d, e, f] = self.axis.bytes();
        let [g, h, i] = self.tangent.bytes();
        [a, b, c, d, e, f, g, h, i]
    }

    /// The code of some bytes; `None` where they are no axis.
    #[inline]
    pub fn from_bytes([a, b, c, d, e, f, g, h, i]: [u8; 9]) -> Option<Self> {
        Some(Self {
            axis: Direction::from_bytes([a, b, c, d, e, f])?,
            tangent: Short::from_bytes([g, h, i]),
        })
    }
}

fn bits(circle: &CircularCone) -> [u64; 5] {
    let axis = &circle.axis;
    [axis.x, axis.y, axis.z, circle.cos, circle.sin].map(f64::to_bits)
}

impl CircularCone {
    /// A cone with a short code that holds this one, or all directions; itself if it has a short code.
    pub fn rounded_out(&self) -> Self {
        if self.is_whole() || ShortCircle::exactly(self).is_some() {
            return *self;
        }
        let axis = Direction::nearest(&self.axis);
        let away = (axis.vector() - self.axis).norm();
        // The chord falls short of the angle by far less than this.
        let half_angle = self.half_angle() + away * (1.0 + FARTHEST) + INEXACT;
        let tangent = (0.5 * half_angle).tan();
        let tangent = Short::above(tangent).filter(|_| half_angle < std::f64::consts::PI);
        let code = tangent.map(|tangent| ShortCircle { axis, tangent });
        code.and_then(ShortCircle::circle).unwrap_or(Self::WHOLE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    #[test]
    fn rounded_cones_hold_the_cone_and_little_more() {
        let mut random = Random::new(36);
        let mut short = 0;
        for round in 0..4000 {
            let axis = random.unit();
            let spread = 10f64.powf(random.range(-7.0, 0.0));
            let directions: Vec<Vec3> = (0..2 + round % 5)
                .map(|_| random.near(&axis, spread))
                .collect();
            // As preprocessing does: every cone has an inside.
            let cone = NormalCone::from_generators(&directions).dilated(1e-6);
            let rounded = cone.rounded_out();
            for g in cone.generators().iter().chain(&directions) {
                assert!(rounded.contains(g, 0.0), "{cone:?} {rounded:?}");
            }
            let exact = |g: &Vec3| Direction::exactly(g).is_some();
            if !cone.is_whole() && rounded.generators().iter().all(exact) {
                short += 1;
                let wider = cone.dilated(8.0 * FARTHEST).solid_angle();
                let area = rounded.solid_angle();
                assert!(area <= 1.5 * wider, "{area} {wider} {}", cone.solid_angle());
            }
            assert_eq!(rounded.rounded_out(), rounded);
        }
        assert!(short > 3900, "{short}");
    }

    #[test]
    fn rays_and_arcs_stay() {
        let mut random = Random::new(37);
        for _ in 0..100 {
            let ray = NormalCone::from_generators(&[random.unit()]);
            let arc = NormalCone::from_generators(&[random.unit(), random.unit()]);
            assert!(ray.rounded_out() == ray && arc.rounded_out() == arc);
        }
        assert!(NormalCone::WHOLE.rounded_out().is_whole());
    }

    #[test]
    fn rounded_circles_hold_the_circle_and_little_more() {
        let mut random = Random::new(38);
        for _ in 0..5000 {
            let half_angle = 10f64.powf(random.range(-7.0, 0.49));
            let circle = CircularCone::new(random.unit(), half_angle);
            let rounded = circle.rounded_out();
            for _ in 0..8 {
                let across = circle.axis.cross(&random.unit()).normalize();
                let border = circle.axis * circle.cos + across * circle.sin;
                assert!(rounded.contains(&border, 0.0), "{circle:?} {rounded:?}");
            }
            let grown = rounded.half_angle() - half_angle;
            assert!(
                grown <= 2.0 * FARTHEST + 1e-4 * half_angle.max(1e-2) * half_angle.max(1.0)
                    || half_angle > 3.0
            );
            assert_eq!(rounded.rounded_out(), rounded);
            let code = ShortCircle::exactly(&rounded);
            assert!(code.is_some() || rounded.is_whole());
            let again = code.and_then(|c| ShortCircle::from_bytes(c.bytes()));
            assert_eq!(again, code);
        }
        assert!(CircularCone::WHOLE.rounded_out().is_whole());
        let nearly = CircularCone::new(Vec3::x(), 0.9999 * std::f64::consts::PI);
        assert!(nearly.rounded_out().is_whole());
    }
}
