//! Normal cones: bounds of the directions in which a feature can meet another one.
//!
//! Follows section 6 of Crozet, Léon, Merlhiot, *Fast computation of local minimal distances between CAD models for
//! dynamics simulation*: a convex cone spanned by at most four unit vectors. Cones of revolution stand beside it, as a
//! measure of how far the normals of a patch spread.

mod antipodal;
mod arcs;
mod circular;
mod dilate;
mod hull;
mod sides;
mod surface;

pub use circular::CircularCone;

use std::f64::consts::PI;

use brepcd_geom::Vec3;

use crate::Rotation;

/// What rounding may do to a product of unit vectors.
const ROUNDING: f64 = 16.0 * f64::EPSILON;
/// Cosine of the widest angle between a cone's centre and its generators; what is wider counts as the whole sphere.
const NARROWEST_COS: f64 = 1e-4;

/// A convex cone of directions with at most four unit generators.
///
/// The generators are sorted counter-clockwise as seen from outside the unit sphere, so that `g[i] × g[i + 1]` points
/// into the cone. None stand for the whole sphere, one for a ray, two for an arc of a great circle shorter than π.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NormalCone {
    /// The generators, then directions inside their hull that make the round of four complete.
    round: [Vec3; 4],
    /// How many generators there are.
    count: u8,
}

impl NormalCone {
    /// All directions.
    pub const WHOLE: Self = Self {
        round: [Vec3::new(0.0, 0.0, 0.0); 4],
        count: 0,
    };

    /// The smallest cone of some directions (of any length) if four sides suffice, else a close one.
    ///
    /// Zero vectors add nothing. No direction at all, one that is not finite, or directions that no open half-space
    /// holds give the whole sphere.
    pub fn from_generators(directions: &[Vec3]) -> Self {
        hull::hull(directions)
    }

    /// The cone of generators that already are minimal, of unit length and sorted.
    pub(crate) fn from_sorted(generators: &[Vec3]) -> Self {
        let between = |a: &Vec3, b: &Vec3| (a + b).normalize();
        let round = match *generators {
            [] => return Self::WHOLE,
            [a] => [a; 4],
            [a, b] => [a, b, between(&a, &b), between(&a, &b)],
            [a, b, c] => [a, b, c, between(&c, &a)],
            [a, b, c, d, ..] => [a, b, c, d],
        };
        debug_assert!(generators.len() <= round.len());
        Self {
            round,
            count: generators.len() as u8,
        }
    }

    /// The cone of three or four sorted generators of lengths not far from one.
    #[inline(always)]
    pub(crate) fn of_any_length(generators: [Vec3; 4], count: usize) -> Self {
        let mut round = generators;
        if count == 3 {
            round[3] = (round[2] + round[0]) * 0.5;
        }
        Self {
            round,
            count: count as u8,
        }
    }

    /// The generators, none for the whole sphere.
    #[inline]
    pub fn generators(&self) -> &[Vec3] {
        &self.round[..self.count as usize]
    }

    /// True if the cone holds all directions.
    pub fn is_whole(&self) -> bool {
        self.count == 0
    }

    /// True for a unit vector in the cone or at most `tol` radians outside each of its sides.
    pub fn contains(&self, direction: &Vec3, tol: f64) -> bool {
        let ahead = match self.generators() {
            [a, b] => (a + b).dot(direction) > 0.0,
            _ => true,
        };
        ahead && !self.excludes(direction, tol)
    }

    /// True only for a unit vector more than `tol` radians outside of the cone.
    pub fn excludes(&self, direction: &Vec3, tol: f64) -> bool {
        self.excludes_near(direction, &[], tol)
    }

    /// True only if it excludes all unit vectors that are as far from a direction as some vectors, each times a number from
    /// -1 to 1, add up to.
    pub fn excludes_near(&self, direction: &Vec3, strays: &[Vec3], tol: f64) -> bool {
        let slack = tol + ROUNDING;
        let stray = |along: &Vec3| strays.iter().map(|v| along.dot(v).abs()).sum::<f64>();
        // Measured from a generator, so that narrow cones are judged as sharply as wide ones.
        match self.generators() {
            [] => false,
            [g] => {
                let all: f64 = strays.iter().map(Vec3::norm).sum();
                (direction - g).norm() > slack + all
            }
            [a, b] => {
                let (along, to) = (b - a, direction - a);
                let normal = a.cross(&along);
                let past = slack * along.norm() + stray(&along);
                let out = normal.norm() * slack + ROUNDING * to.norm() + stray(&normal);
                normal.dot(&to).abs() > out
                    || -along.dot(&to) > past
                    || along.dot(&(direction - b)) > past
            }
            _ => {
                let inward = self.inward();
                (0..4).any(|i| {
                    let (normal, to) = (inward[i], direction - self.round[i]);
                    let out = normal.norm() * slack + ROUNDING * to.norm() + stray(&normal);
                    normal.dot(&to) < -out
                })
            }
        }
    }

    /// The smallest cone of both, or a close one.
    pub fn merged(&self, other: &Self) -> Self {
        if self.is_whole() || other.is_whole() {
            return Self::WHOLE;
        }
        let mut both = [Vec3::zeros(); 8];
        let (a, b) = (self.generators(), other.generators());
        both[..a.len()].copy_from_slice(a);
        both[a.len()..a.len() + b.len()].copy_from_slice(b);
        Self::from_generators(&both[..a.len() + b.len()])
    }

    /// The cone of the opposite directions, as of a face seen from its other side.
    pub fn negated(&self) -> Self {
        let mut opposite = self.round.map(|g| -g);
        let opposite = &mut opposite[..self.count as usize];
        opposite.reverse();
        Self::from_sorted(opposite)
    }

    /// The cone turned by `a_from_b`.
    pub fn transformed(&self, a_from_b: &Rotation) -> Self {
        Self {
            round: self.round.map(|g| a_from_b * g),
            count: self.count,
        }
    }

    /// The area it covers of the unit sphere.
    pub fn solid_angle(&self) -> f64 {
        match self.generators() {
            [] => 4.0 * PI,
            [a, b, c] => triangle_area(a, b, c),
            [a, b, c, d] => triangle_area(a, b, c) + triangle_area(a, c, d),
            _ => 0.0,
        }
    }

    /// Vectors orthogonal to the sides of the round, pointing inwards, as long as the sine of the side's angle.
    fn inward(&self) -> [Vec3; 4] {
        let [a, b, c, d] = &self.round;
        // As a × b, but sharp for narrow cones.
        let across = |a: &Vec3, b: &Vec3| a.cross(&(b - a));
        [across(a, b), across(b, c), across(c, d), across(d, a)]
    }
}

/// The area of a spherical triangle of unit vectors (Van Oosterom, Strackee).
fn triangle_area(a: &Vec3, b: &Vec3, c: &Vec3) -> f64 {
    let height = a.dot(&b.cross(c)).abs();
    2.0 * height.atan2(1.0 + a.dot(b) + b.dot(c) + c.dot(a))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    #[test]
    fn an_octant() {
        let octant = NormalCone::from_generators(&[Vec3::z(), Vec3::x(), Vec3::y()]);
        assert_eq!(octant.generators().len(), 3);
        assert!((octant.solid_angle() - PI / 2.0).abs() < 1e-14);
        assert!(octant.contains(&Vec3::new(1.0, 2.0, 3.0).normalize(), 0.0));
        assert!(octant.contains(&Vec3::x(), 0.0));
        let below = Vec3::new(1.0, 1.0, -0.1).normalize();
        assert!(!octant.contains(&below, 1e-3));
        assert!(octant.contains(&below, 0.1));
        assert!(!octant.contains(&-Vec3::new(1.0, 2.0, 3.0).normalize(), 1e-3));
        assert!(
            octant
                .negated()
                .contains(&-Vec3::new(1.0, 2.0, 3.0).normalize(), 0.0)
        );
    }

    #[test]
    fn rays_and_arcs_hold_only_themselves() {
        let ray = NormalCone::from_generators(&[Vec3::x() * 3.0, Vec3::zeros(), Vec3::x()]);
        assert_eq!(ray.generators(), [Vec3::x()]);
        assert!(ray.contains(&Vec3::x(), 0.0) && !ray.contains(&-Vec3::x(), 1e-6));
        let arc = NormalCone::from_generators(&[Vec3::x(), Vec3::y(), Vec3::new(1.0, 1.0, 0.0)]);
        assert_eq!(arc.generators().len(), 2);
        assert_eq!(arc.solid_angle(), 0.0);
        assert!(arc.contains(&Vec3::new(3.0, 1.0, 0.0).normalize(), 0.0));
        for outside in [
            -Vec3::x(),
            Vec3::z(),
            Vec3::new(1.0, -0.1, 0.0),
            Vec3::new(-1.0, -1.0, 0.0),
        ] {
            assert!(!arc.contains(&outside.normalize(), 1e-3), "{outside}");
        }
    }

    #[test]
    fn the_whole_sphere() {
        let whole = NormalCone::WHOLE;
        assert!(whole.is_whole() && whole.generators().is_empty());
        assert!(whole.contains(&Vec3::z(), 0.0));
        assert_eq!(whole.solid_angle(), 4.0 * PI);
        let ray = NormalCone::from_generators(&[Vec3::x()]);
        assert!(ray.merged(&whole).is_whole() && whole.merged(&ray).is_whole());
        assert!(whole.negated().is_whole() && whole.dilated(0.1).is_whole());
        assert!(ray.merged(&ray.negated()).is_whole());
        assert!(NormalCone::from_generators(&[]).is_whole());
        assert!(NormalCone::from_generators(&[Vec3::zeros()]).is_whole());
        assert!(NormalCone::from_generators(&[Vec3::x(), Vec3::repeat(f64::NAN)]).is_whole());
    }

    #[test]
    fn merged_holds_both_and_rotation_commutes() {
        let mut random = Random::new(2);
        for _ in 0..300 {
            let axis = random.unit();
            let make = |random: &mut Random| {
                let n = 1 + random.below(5);
                let g: Vec<Vec3> = (0..n).map(|_| random.near(&axis, 1.0)).collect();
                NormalCone::from_generators(&g)
            };
            let (a, b) = (make(&mut random), make(&mut random));
            let both = a.merged(&b);
            assert!(!both.is_whole());
            let a_from_b = random.pose(1.0).rotation;
            for g in a.generators().iter().chain(b.generators()) {
                assert!(both.contains(g, 1e-13));
                assert!(both.transformed(&a_from_b).contains(&(a_from_b * g), 1e-12));
                assert!(both.negated().contains(&-g, 1e-13));
            }
            let turned = both.transformed(&a_from_b).solid_angle();
            assert!((both.solid_angle() - turned).abs() < 1e-12);
        }
    }
}
