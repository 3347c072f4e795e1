//! Normal cones with generators on the grid, and circular cones in nine bytes.

use brepcd_geom::Vec3;

use super::direction::{Direction, FARTHEST, STEPS, unscaled};
use super::scalar::Short;
use crate::{CircularCone, NormalCone, Rotation};

/// How far inside the rounded cone the generators must be for rounding to be no matter, radians.
const INEXACT: f64 = 1e-12;
/// By how much the sides of a cone are pushed out before its generators are rounded, radians, first to last try.
const PUSHED: [f64; 3] = [FARTHEST, 2.0 * FARTHEST, 8.0 * FARTHEST];
/// Squared sine between neighbouring sides below which where they meet says nothing.
const PARALLEL: f64 = 1e-24;
/// Tangent of half the angle above which a circular cone counts as whole.
const NEARLY_WHOLE: f64 = 1e3;

/// By how much cones without an inside, rays and arcs, are dilated to get one, radians.
const OPENED: f64 = 8.0 * FARTHEST;

/// A polyhedral cone with generators on the grid of directions, in 48 bytes: what nodes have.
///
/// It has three or four generators, or holds all directions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShortCone {
    /// The generators, of lengths from a half to one: exact so, without roots. Zeros where there is none.
    round: [[f32; 3]; 4],
}

impl ShortCone {
    /// All directions.
    pub const WHOLE: Self = Self {
        round: [[0.0; 3]; 4],
    };

    /// A cone that holds another one, and little more; the same one if that has generators on the grid.
    ///
    /// All directions where none on the grid is close.
    pub fn around(cone: &NormalCone) -> Self {
        let inside = match cone.generators().len() {
            0 => return Self::WHOLE,
            1 | 2 => cone.dilated(OPENED),
            _ => *cone,
        };
        let generators = inside.generators();
        let exact: Option<Vec<Direction>> = generators.iter().map(Direction::exactly).collect();
        if let Some(exact) = exact.filter(|exact| exact.len() >= 3) {
            return Self::of_directions(&exact);
        }
        if generators.len() < 3 {
            return Self::WHOLE;
        }
        let tries = PUSHED.iter().filter_map(|angle| {
            let pushed = pushed_out(generators, *angle)?;
            let directions = pushed.map(|g| Direction::nearest(&g));
            let directions = &directions[..generators.len()];
            let rounded: Vec<Vec3> = directions.iter().map(|d| d.vector()).collect();
            let right = goes_round(&rounded) && {
                let rounded = NormalCone::from_sorted(&rounded);
                generators.iter().all(|g| rounded.contains(g, -INEXACT))
            };
            right.then(|| Self::of_directions(directions))
        });
        tries.into_iter().next().unwrap_or(Self::WHOLE)
    }

    /// The cone of three or four directions, which go round.
    fn of_directions(directions: &[Direction]) -> Self {
        let (mut u, mut v) = ([0; 4], [0; 4]);
        for (k, direction) in directions.iter().take(4).enumerate() {
            [u[k], v[k]] = direction.as_steps();
        }
        Self::of_steps(u, v, directions.len()).0
    }

    /// The cone of so many generators with these steps, and its generators as they are stored.
    #[inline(always)]
    fn of_steps(u: [i32; 4], v: [i32; 4], count: usize) -> (Self, NormalCone) {
        let [x, y, z] = unscaled(u, v);
        let round = [0, 1, 2, 3].map(|k| Vec3::new(x[k], y[k], z[k]));
        let mut short = round.map(|g| [g.x as f32, g.y as f32, g.z as f32]);
        if count < 4 {
            short[3] = [0.0; 3];
        }
        let unscaled = NormalCone::of_any_length(round, count);
        (Self { round: short }, unscaled)
    }

    /// How many generators there are: none for all directions.
    #[inline]
    pub fn count(&self) -> usize {
        if self.is_whole() {
            0
        } else if self.has(3) {
            4
        } else {
            3
        }
    }

    /// True if the cone holds all directions.
    #[inline]
    pub fn is_whole(&self) -> bool {
        !self.has(0)
    }

    /// True for a unit vector in the cone or at most `tol` radians outside each of its sides.
    pub fn contains(&self, direction: &Vec3, tol: f64) -> bool {
        self.unpack().contains(direction, tol)
    }

    /// True only for a unit vector more than `tol` radians outside of the cone.
    pub fn excludes(&self, direction: &Vec3, tol: f64) -> bool {
        self.excludes_near(direction, &[], tol)
    }

    /// As [`NormalCone::excludes_near`].
    pub fn excludes_near(&self, direction: &Vec3, strays: &[Vec3], tol: f64) -> bool {
        // Sides do not depend on the lengths of generators.
        !self.is_whole() && self.unscaled().excludes_near(direction, strays, tol)
    }

    /// The area it covers of the unit sphere.
    pub fn solid_angle(&self) -> f64 {
        self.unpack().solid_angle()
    }

    /// The same cone with unit generators.
    pub fn unpack(&self) -> NormalCone {
        let directions: Vec<Vec3> = self.directions().map(Direction::vector).collect();
        NormalCone::from_sorted(&directions)
    }

    /// The generators.
    fn directions(&self) -> impl Iterator<Item = Direction> {
        let round = self.round.into_iter().take(self.count());
        round.map(Direction::of_unscaled)
    }

    /// False only if no direction of one cone is opposite to one of the other, which `self_from_other` turns.
    #[inline]
    pub fn antipodal(&self, other: &Self, self_from_other: &Rotation) -> bool {
        if self.is_whole() || other.is_whole() {
            return true;
        }
        // Only signs matter, so generators need not have unit length.
        let other = other.unscaled().transformed(self_from_other);
        self.unscaled().antipodal(&other)
    }

    /// The bytes of the generators.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.directions().flat_map(Direction::bytes).collect()
    }

    /// The cone of the bytes of three or four generators, and its generators of lengths from a half to one; `None` if one is
    /// off the grid.
    #[inline(always)]
    pub(crate) fn from_bytes<const BYTES: usize>(
        bytes: &[u8; BYTES],
    ) -> Option<(Self, NormalCone)> {
        let mut four = [0; 4 * Direction::BYTES];
        four.get_mut(..BYTES)?.copy_from_slice(bytes);
        let word =
            |at: usize| i32::from_le_bytes([four[at], four[at + 1], four[at + 2], four[at + 3]]);
        // Four bytes at a time, of which one is shifted out, with the sign.
        let at = [0, 1, 2, 3].map(|k| k * Direction::BYTES);
        let u = at.map(|at| word(at) << 8 >> 8);
        let v = at.map(|at| word(at + 2) >> 8);
        // Of the numbers of three bytes only the lowest is off the grid.
        let on_grid = u.iter().chain(&v).fold(true, |all, n| all & (*n >= -STEPS));
        on_grid.then(|| Self::of_steps(u, v, BYTES / Direction::BYTES))
    }

    /// True if there is such a generator.
    #[inline]
    fn has(&self, k: usize) -> bool {
        let [x, y, z] = self.round[k].map(f32::to_bits);
        x | y | z != 0
    }

    /// The cone with generators of lengths from a half to one, which saves roots and quotients.
    #[inline(always)]
    fn unscaled(&self) -> NormalCone {
        // All at once, then in threes.
        let mut flat = [0.0; 12];
        for (to, from) in flat.iter_mut().zip(self.round.as_flattened()) {
            *to = f64::from(*from);
        }
        let round = [0, 3, 6, 9].map(|k| Vec3::new(flat[k], flat[k + 1], flat[k + 2]));
        NormalCone::of_any_length(round, self.count())
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
    /// Bytes of a code.
    pub const BYTES: usize = Direction::BYTES + 3;

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
    pub fn bytes(self) -> [u8; Self::BYTES] {
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
            let packed = ShortCone::around(&cone);
            let rounded = packed.unpack();
            for g in cone.generators().iter().chain(&directions) {
                assert!(rounded.contains(g, 0.0), "{cone:?} {rounded:?}");
            }
            if !cone.is_whole() && !rounded.is_whole() {
                short += 1;
                let wider = cone.dilated(8.0 * FARTHEST).solid_angle();
                let area = rounded.solid_angle();
                assert!(area <= 1.5 * wider, "{area} {wider} {}", cone.solid_angle());
            }
            assert_eq!(ShortCone::around(&rounded), packed);
            if let Some(four) = packed.bytes().first_chunk::<24>() {
                let (again, generators) = ShortCone::from_bytes(four).unwrap();
                assert_eq!((again, generators), (packed, packed.unscaled()));
            }
            assert_eq!(packed.count(), rounded.generators().len());
            assert_eq!(packed.is_whole(), rounded.is_whole());
        }
        assert!(short > 3900, "{short}");
    }

    #[test]
    fn rays_and_arcs_get_an_inside() {
        let mut random = Random::new(37);
        for _ in 0..200 {
            let (a, b) = (random.unit(), random.unit());
            for cone in [&[a][..], &[a, b]].map(NormalCone::from_generators) {
                let packed = ShortCone::around(&cone);
                let wide = cone.dilated(3.0 * OPENED);
                assert!(packed.count() >= 3 || wide.is_whole(), "{cone:?}");
                let rounded = packed.unpack();
                assert!(cone.generators().iter().all(|g| rounded.contains(g, 0.0)));
                assert!(rounded.solid_angle() <= 4.0 * wide.solid_angle());
            }
        }
        assert!(ShortCone::around(&NormalCone::WHOLE).is_whole());
        assert!(ShortCone::WHOLE.unpack().is_whole() && ShortCone::WHOLE.count() == 0);
    }

    #[test]
    fn cones_are_antipodal_whatever_the_lengths_of_their_generators() {
        let mut random = Random::new(39);
        let mut found = [0; 2];
        for round in 0..4000 {
            let axis = random.unit();
            let mut cone = |axis: &Vec3| {
                let spread = 10f64.powf(random.range(-3.0, 0.0));
                let all: Vec<Vec3> = (0..3 + round % 4)
                    .map(|_| random.near(axis, spread))
                    .collect();
                ShortCone::around(&NormalCone::from_generators(&all))
            };
            let (a, b) = (cone(&axis), cone(&-axis));
            let a_from_b = random.pose(1.0).rotation;
            let turn = |cone: &ShortCone| cone.unpack().transformed(&a_from_b);
            for turned in [crate::Rotation::identity(), a_from_b] {
                let expected = a.unpack().antipodal(&b.unpack().transformed(&turned));
                assert_eq!(a.antipodal(&b, &turned), expected);
                found[usize::from(expected)] += 1;
            }
            assert!(turn(&a).antipodal(&turn(&a).negated()));
        }
        assert!(found.iter().all(|n| *n > 1000), "{found:?}");
        assert!(ShortCone::WHOLE.antipodal(&ShortCone::WHOLE, &crate::Rotation::identity()));
    }

    #[test]
    fn bytes_off_the_grid_are_no_cone() {
        let good = ShortCone::around(&NormalCone::from_generators(&[
            Vec3::x(),
            Vec3::y(),
            Vec3::z(),
        ]));
        assert_eq!(good.bytes().len(), 18);
        let mut bytes: [u8; 18] = good.bytes().try_into().unwrap();
        assert_eq!(ShortCone::from_bytes(&bytes), Some((good, good.unscaled())));
        bytes[6..9].copy_from_slice(&[0, 0, 0x80]);
        assert!(ShortCone::from_bytes(&bytes).is_none());
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
