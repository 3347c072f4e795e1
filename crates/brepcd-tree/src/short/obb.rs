//! Boxes in 29 bytes: axes on a grid, the centre as 32-bit floats about an origin, half sides rounded up.

use brepcd_geom::{Point3, Vec3};

use super::scalar::Short;
use super::turn::Turn;
use crate::Obb;

/// How far rounding may push a corner out of the box, relative to its largest coordinate.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// How many times its size a box may grow; more would swamp pieces much smaller than the part.
const MOST_GROWTH: f64 = 1.05;
/// Weight of the squared diagonal in the size of a box, for boxes without surface.
const THIN: f64 = 1e-3;

/// The code of a box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ShortBox {
    turn: Turn,
    /// Centre, from the origin.
    offset: [f32; 3],
    half: [Short; 3],
}

impl ShortBox {
    /// Bytes of a code.
    pub const BYTES: usize = 8 + 12 + 9;

    /// The code of exactly this box.
    pub fn exactly(obb: &Obb, origin: &Point3) -> Option<Self> {
        let offset = obb.centre - origin;
        let half = [obb.half.x, obb.half.y, obb.half.z].map(Short::above);
        let code = Self {
            turn: Turn::nearest(&obb.axes),
            offset: [offset.x, offset.y, offset.z].map(|x| x as f32),
            half: [half[0]?, half[1]?, half[2]?],
        };
        (bits(&code.obb(origin)?) == bits(obb)).then_some(code)
    }

    /// The box; `None` if a number is not finite or a side negative.
    #[inline]
    pub fn obb(&self, origin: &Point3) -> Option<Obb> {
        let centre = origin + Vec3::from(self.offset.map(f64::from));
        let right = centre.iter().fold(true, |all, c| all & c.is_finite());
        let right = self.half.iter().fold(right, |all, h| all & h.is_number());
        right.then(|| Obb {
            centre,
            axes: self.turn.axes(),
            half: Vec3::from(self.half.map(Short::read)),
        })
    }

    /// The code's bytes.
    pub fn bytes(&self) -> [u8; Self::BYTES] {
        let mut out = [0; Self::BYTES];
        let offset = self.offset.iter().flat_map(|x| x.to_le_bytes());
        let half = self.half.iter().flat_map(|h| h.bytes());
        let all = self.turn.bytes().into_iter().chain(offset).chain(half);
        out.iter_mut().zip(all).for_each(|(to, from)| *to = from);
        out
    }

    /// The code of some bytes.
    #[inline]
    pub fn from_bytes(b: &[u8; Self::BYTES]) -> Self {
        let half = |at: usize| Short::from_bytes([b[at], b[at + 1], b[at + 2]]);
        let offset = |at: usize| f32::from_le_bytes([b[at], b[at + 1], b[at + 2], b[at + 3]]);
        Self {
            turn: Turn::from_bytes([b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]]),
            offset: [offset(8), offset(12), offset(16)],
            half: [half(20), half(23), half(26)],
        }
    }
}

fn bits(obb: &Obb) -> impl PartialEq + use<> {
    let [a, b, c] = obb.axes;
    [obb.centre.coords, a, b, c, obb.half].map(|v| [v.x, v.y, v.z].map(f64::to_bits))
}

impl Obb {
    /// A box with a short code that holds this one; itself if it has one, if there is none, or if that would be much
    /// larger. Points have no size, and always get one.
    pub fn rounded_out(&self, origin: &Point3) -> Self {
        if ShortBox::exactly(self, origin).is_some() {
            return *self;
        }
        let short = self.short(origin);
        let fits =
            |short: &Self| self.half == Vec3::zeros() || short.size() <= MOST_GROWTH * self.size();
        short.filter(fits).unwrap_or(*self)
    }

    /// Its surface and a little of its squared diagonal.
    fn size(&self) -> f64 {
        let h = &self.half;
        8.0 * (h.x * h.y + h.y * h.z + h.z * h.x) + THIN * h.norm_squared()
    }

    fn short(&self, origin: &Point3) -> Option<Self> {
        let turn = Turn::nearest(&self.axes);
        let offset = self.centre - origin;
        let offset = [offset.x, offset.y, offset.z].map(|x| x as f32);
        let (axes, centre) = (turn.axes(), origin + Vec3::from(offset.map(f64::from)));
        let away = self.centre - centre;
        let largest = self.centre.coords.amax() + origin.coords.amax() + self.half.amax();
        // How far the corners reach along each of the new axes.
        let reach = |axis: &Vec3| {
            let sides = (0..3).map(|j| axis.dot(&self.axes[j]).abs() * self.half[j]);
            Short::above(sides.sum::<f64>() + axis.dot(&away).abs() + ROUNDING * largest)
        };
        let code = ShortBox {
            turn,
            offset,
            half: [reach(&axes[0])?, reach(&axes[1])?, reach(&axes[2])?],
        };
        code.obb(origin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    #[test]
    fn boxes_much_smaller_than_the_part_are_not_swamped() {
        let origin = Point3::origin();
        let mut random = Random::new(36);
        for _ in 0..100 {
            let pose = random.pose(1000.0);
            let obb = Obb {
                centre: origin + pose.translation.vector,
                axes: [0, 1, 2].map(|i| pose.rotation.matrix().column(i).into_owned()),
                half: Vec3::new(1e-4, 1e-5, 0.0),
            };
            assert_eq!(obb.rounded_out(&origin), obb);
            let point = Obb {
                half: Vec3::zeros(),
                ..obb
            };
            let short = point.rounded_out(&origin);
            assert!(ShortBox::exactly(&short, &origin).is_some());
            assert!(short.half.max() < 1e-4);
        }
    }

    #[test]
    fn rounded_boxes_hold_the_box_and_little_more() {
        let mut random = Random::new(35);
        let mut whole = 0;
        for round in 0..5000 {
            let size = 10f64.powf(random.range(-3.0, 3.0));
            let pose = random.pose(size * 10.0);
            let origin = Point3::from(random.unit() * size * [0.0, 1.0, 1e4][round % 3]);
            let flat = if round % 2 == 0 { 0.0 } else { 1.0 };
            let half = Vec3::new(1.0, random.range(0.0, 1.0), flat * random.range(0.0, 1.0));
            let obb = Obb {
                centre: origin + pose.translation.vector,
                axes: [0, 1, 2].map(|i| pose.rotation.matrix().column(i).into_owned()),
                half: half * size,
            };
            let short = obb.rounded_out(&origin);
            assert!(short.size() <= MOST_GROWTH * obb.size());
            let Some(code) = ShortBox::exactly(&short, &origin) else {
                assert_eq!(short, obb);
                whole += 1;
                continue;
            };
            assert_eq!(ShortBox::from_bytes(&code.bytes()), code);
            for corner in obb.corners() {
                assert!(short.contains(&corner, 0.0), "{obb:?} {short:?}");
            }
            // Relative to the box and to how far it is from the origin.
            let slack = 4e-5 * obb.half.max() + 2e-6 * size;
            assert!((short.half - obb.half).amax() <= slack, "{obb:?} {short:?}");
            assert_eq!(short.rounded_out(&origin), short);
        }
        assert!(whole < 50, "{whole}");
    }
}
