//! Bounds about an axis, for parts that turn in each other.
//!
//! A pin and its bore are as near to each other as their clearance all around, and boxes around pieces of them overlap
//! until the pieces are tiny. Seen in a half-plane through the axis they are two curves that keep apart. A sleeve bounds
//! what is below a node by its distances from an axis of its part, its heights along it, and the directions of its
//! normals in the half-plane. Two sleeves can be compared if their axes are nearly one: moving the one onto the other
//! moves points by a little, and distances change by no more than that.

use brepcd_geom::{Point3, Vec3};
use brepcd_tree::{MatrixPose, Obb};

/// An axis of a part, in its frame.
#[derive(Clone, Copy, Debug)]
pub struct Axis {
    /// A point on it.
    pub origin: Point3,
    /// Its unit direction.
    pub dir: Vec3,
}

impl Axis {
    /// Distance from the axis and height along it.
    pub fn coordinates(&self, p: &Point3) -> [f64; 2] {
        let to = p - self.origin;
        let z = self.dir.dot(&to);
        [(to - self.dir * z).norm(), z]
    }
}

/// A range of directions in a half-plane: within an angle of a middle.
#[derive(Clone, Copy, Debug)]
pub struct Fan {
    /// The middle, unit: away from the axis, and along it.
    pub middle: [f64; 2],
    /// Cosine of the half angle; -1 for all directions, within the half-plane or not.
    pub cos: f64,
    /// Sine of the half angle.
    pub sin: f64,
}

/// Angle by which fans are widened: above rounding and the tolerance of polars.
const WIDENED: f64 = 4e-6;

impl Fan {
    /// All directions.
    pub const WHOLE: Self = Self {
        middle: [1.0, 0.0],
        cos: -1.0,
        sin: 0.0,
    };

    /// The directions from one angle to a larger one, from the direction away from the axis towards that along it.
    pub fn between(from: f64, to: f64) -> Self {
        Self::exactly(from - WIDENED, to + WIDENED)
    }

    fn exactly(from: f64, to: f64) -> Self {
        let half = 0.5 * (to - from);
        if half.is_nan() || half >= std::f64::consts::PI {
            return Self::WHOLE;
        }
        let ((y, x), (sin, cos)) = ((0.5 * (from + to)).sin_cos(), half.sin_cos());
        Self {
            middle: [x, y],
            cos,
            sin,
        }
    }

    /// The smaller range between two directions of the half-plane.
    pub fn of_two(a: [f64; 2], b: [f64; 2]) -> Self {
        let from = a[1].atan2(a[0]);
        let turn = (a[0] * b[1] - a[1] * b[0]).atan2(a[0] * b[0] + a[1] * b[1]);
        Self::between(from.min(from + turn), from.max(from + turn))
    }

    fn is_whole(&self) -> bool {
        self.cos <= -1.0
    }

    /// The opposite directions.
    pub fn reversed(self) -> Self {
        Self {
            middle: self.middle.map(|x| -x),
            ..self
        }
    }

    /// A fan of both.
    fn merged(&self, other: &Self) -> Self {
        if self.is_whole() || other.is_whole() {
            return Self::WHOLE;
        }
        let (a, b) = (self.middle, other.middle);
        let from = a[1].atan2(a[0]);
        let turn = (a[0] * b[1] - a[1] * b[0]).atan2(a[0] * b[0] + a[1] * b[1]);
        let halves = [self, other].map(|fan| fan.sin.atan2(fan.cos));
        let lo = (-halves[0]).min(turn - halves[1]);
        let hi = halves[0].max(turn + halves[1]);
        Self::exactly(from + lo - ROUNDING, from + hi + ROUNDING)
    }
}

/// Bounds about an axis.
#[derive(Clone, Copy, Debug)]
pub struct Sleeve {
    /// Least and largest distance from the axis.
    pub rho: [f64; 2],
    /// Least and largest height along the axis.
    pub z: [f64; 2],
    /// Directions in which minima can leave the part.
    pub fan: Fan,
}

impl Sleeve {
    /// The sleeve of all space.
    pub const EVERYTHING: Self = Self {
        rho: [0.0, f64::INFINITY],
        z: [f64::NEG_INFINITY, f64::INFINITY],
        fan: Fan::WHOLE,
    };

    /// The sleeve of all that is in a box.
    pub fn of_box(obb: &Obb, axis: &Axis) -> Self {
        let to = obb.centre - axis.origin;
        let z = axis.dir.dot(&to);
        let middle = to - axis.dir * z;
        let mut along = 0.0;
        // A half side as seen along the axis.
        let mut seen = |i: usize| {
            let side = obb.axes[i] * obb.half[i];
            let part = side.dot(&axis.dir);
            along += part.abs();
            side - axis.dir * part
        };
        let (a, b, c) = (seen(0), seen(1), seen(2));
        let across = a.norm() + b.norm() + c.norm();
        let (sum, difference) = (a + b, a - b);
        // The square of a corner's or the opposite one's.
        let far = |corner: Vec3| corner.norm_squared() + 2.0 * middle.dot(&corner).abs();
        let far = far(sum + c)
            .max(far(sum - c))
            .max(far(difference + c))
            .max(far(difference - c));
        Self {
            rho: [
                (middle.norm() - across).max(0.0),
                (middle.norm_squared() + far).sqrt(),
            ],
            z: [z - along, z + along],
            fan: Fan::WHOLE,
        }
    }

    /// The sleeve of a ball.
    pub fn of_ball(centre: &Point3, radius: f64, axis: &Axis) -> Self {
        Self::of_point(centre, axis).grown(radius)
    }

    /// The sleeve of a point.
    pub fn of_point(p: &Point3, axis: &Axis) -> Self {
        let [rho, z] = axis.coordinates(p);
        Self {
            rho: [rho; 2],
            z: [z; 2],
            fan: Fan::WHOLE,
        }
    }

    /// What is in both, with the directions of the first.
    pub fn within(&self, other: &Self) -> Self {
        let both = |a: [f64; 2], b: [f64; 2]| [a[0].max(b[0]), a[1].min(b[1])];
        Self {
            rho: both(self.rho, other.rho),
            z: both(self.z, other.z),
            fan: self.fan,
        }
    }

    /// A sleeve of both.
    pub fn merged(&self, other: &Self) -> Self {
        let both = |a: [f64; 2], b: [f64; 2]| [a[0].min(b[0]), a[1].max(b[1])];
        Self {
            rho: both(self.rho, other.rho),
            z: both(self.z, other.z),
            fan: self.fan.merged(&other.fan),
        }
    }

    /// True for points in the sleeve or at most `tol` beyond.
    pub fn contains(&self, p: &Point3, axis: &Axis, tol: f64) -> bool {
        let holds = |range: [f64; 2], x: f64| range[0] - tol <= x && x <= range[1] + tol;
        let [rho, z] = axis.coordinates(p);
        holds(self.rho, rho) && holds(self.z, z)
    }

    /// True if a direction out of the part at a point is one of those the sleeve knows of, or at most `tol` radians off.
    pub fn contains_direction(&self, p: &Point3, n: &Vec3, axis: &Axis, tol: f64) -> bool {
        // Directions count only off the axis, where there is a half-plane.
        if self.fan.is_whole() || self.rho[0] == 0.0 {
            return true;
        }
        let to = p - axis.origin;
        let away = to - axis.dir * axis.dir.dot(&to);
        let middle = away.normalize() * self.fan.middle[0] + axis.dir * self.fan.middle[1];
        let half = self.fan.sin.atan2(self.fan.cos);
        middle.cross(n).norm().atan2(middle.dot(n)) <= half + tol
    }

    /// Grown by a length.
    pub fn grown(&self, by: f64) -> Self {
        Self {
            rho: [(self.rho[0] - by).max(0.0), self.rho[1] + by],
            z: [self.z[0] - by, self.z[1] + by],
            fan: self.fan,
        }
    }
}

/// How an axis of part B lies to one of part A.
#[derive(Clone, Copy, Debug)]
pub struct Alignment {
    /// From the axis of A to the point of that of B at height 0, across the axis of A.
    across: Vec3,
    /// Change of that for each unit of height on B.
    slope: Vec3,
    /// Height on A of that point, and its change.
    z: [f64; 2],
    /// 1 if both axes point the same way, else -1.
    sign: f64,
    /// Bound of the chord of the angle between the axes.
    tilt: f64,
    /// What rounding may add to a distance.
    rounding: f64,
}

/// Sine of the angle between axes up to which they are nearly one.
const NEARLY: f64 = 0.2;
/// Factor on that sine that makes a bound of the chord of the angle.
const CHORD: f64 = 1.02;
/// Rounding of lengths, relative to the largest of them.
const ROUNDING: f64 = 64.0 * f64::EPSILON;
/// Sine of half the angle about the axis, between two points, up to which directions are compared.
const TURNED: f64 = 0.5;
/// Factor that makes a bound of such an angle from its half's sine.
const ANGLE: f64 = 2.1;

impl Alignment {
    /// `None` if the axes are far from parallel. `extent` is the largest coordinate at hand.
    pub fn of(a: &Axis, b: &Axis, a_from_b: &MatrixPose, extent: f64) -> Option<Self> {
        let dir = a_from_b.rotation * b.dir;
        let along = a.dir.dot(&dir);
        let slope = dir - a.dir * along;
        let sine = slope.norm();
        if sine.is_nan() || sine > NEARLY {
            return None;
        }
        let to = a_from_b * b.origin - a.origin;
        let height = a.dir.dot(&to);
        Some(Self {
            across: to - a.dir * height,
            slope,
            z: [height, along],
            sign: along.signum(),
            tilt: CHORD * sine,
            rounding: ROUNDING * extent,
        })
    }

    /// Compares a sleeve of A and one of B.
    pub fn between(&self, a: &Sleeve, b: &Sleeve) -> Between {
        let (middle, half) = (0.5 * (b.z[0] + b.z[1]), 0.5 * (b.z[1] - b.z[0]));
        // Move the point of B's axis at that height onto the axis of A, then turn about it.
        let beside = (self.across + self.slope * middle).norm();
        let moved = beside + self.tilt * (b.rho[1] + half) + self.rounding;
        let z = self.z[0] + self.z[1] * middle;
        let apart = |lo: [f64; 2], hi: [f64; 2]| (lo[0] - hi[1]).max(lo[1] - hi[0]).max(0.0);
        let dz = apart([a.z[0], z - half], [a.z[1], z + half]);
        let drho = apart([a.rho[0], b.rho[0]], [a.rho[1], b.rho[1]]);
        Between {
            square: dz * dz + drho * drho,
            moved,
        }
    }

    /// False only if no direction of A is opposite to one of B, for points not farther apart than `reach`; `slack` is an
    /// angle.
    pub fn may_face(
        &self,
        a: &Sleeve,
        b: &Sleeve,
        between: &Between,
        reach: f64,
        slack: f64,
    ) -> bool {
        if a.fan.is_whole() || b.fan.is_whole() {
            return true;
        }
        // The half-planes of two points are turned against each other by an angle with this sine of its half.
        let sine = 0.5 * (reach + between.moved) / (a.rho[0] * b.rho[0]).sqrt();
        if sine.is_nan() || sine > TURNED {
            return true;
        }
        let angle = self.tilt + ANGLE * sine + slack;
        let (p, q) = (&a.fan, &b.fan);
        let (cos, sin) = (p.cos * q.cos - p.sin * q.sin, p.sin * q.cos + p.cos * q.sin);
        // The half angles add up to π or more.
        if p.cos + q.cos <= 0.0 {
            return true;
        }
        let opposite = -(p.middle[0] * q.middle[0] + self.sign * p.middle[1] * q.middle[1]);
        // Not above the cosine of the sum of all angles.
        opposite >= cos - 0.5 * cos.max(0.0) * angle * angle - sin.abs() * angle - ROUNDING
    }
}

/// How two sleeves lie to each other.
#[derive(Clone, Copy, Debug)]
pub struct Between {
    /// Squared distance of the two in the half-plane, were their axes one.
    square: f64,
    /// How far points were moved for that, at most.
    moved: f64,
}

impl Between {
    /// True if points were moved by no more than a length.
    pub fn is_within(&self, length: f64) -> bool {
        self.moved <= length
    }

    /// True only if all points of the one are farther than `reach` from those of the other.
    pub fn exceeds(&self, reach: f64) -> bool {
        let limit = reach + self.moved;
        self.square > limit * limit
    }

    /// A lower bound of the distance.
    pub fn least(&self) -> f64 {
        (self.square.sqrt() - self.moved).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numeric::tests::build::Random;
    use brepcd_tree::Rotation;
    use std::f64::consts::PI;

    fn range(random: &mut Random, lo: f64, hi: f64) -> [f64; 2] {
        let (a, b) = (random.range(lo, hi), random.range(lo, hi));
        [a.min(b), a.max(b)]
    }

    fn sleeve(random: &mut Random) -> (Sleeve, [f64; 2]) {
        let from = random.range(-PI, PI);
        let angles = [from, from + random.range(0.0, 1.5)];
        let sleeve = Sleeve {
            rho: range(random, 0.0, 5.0),
            z: range(random, -4.0, 4.0),
            fan: Fan::between(angles[0], angles[1]),
        };
        (sleeve, angles)
    }

    /// A point of a sleeve and a direction there.
    fn sample(
        (sleeve, angles): &(Sleeve, [f64; 2]),
        axis: &Axis,
        turn: f64,
        random: &mut Random,
    ) -> (Point3, Vec3) {
        let frame = brepcd_geom::Frame::from_z(axis.origin, axis.dir).expect("a frame");
        let away = frame.radial(turn);
        let rho = random.range(sleeve.rho[0], sleeve.rho[1]);
        let z = random.range(sleeve.z[0], sleeve.z[1]);
        let angle = random.range(angles[0], angles[1]);
        let p = axis.origin + away * rho + axis.dir * z;
        (p, away * angle.cos() + axis.dir * angle.sin())
    }

    #[test]
    fn nothing_that_is_near_or_faces_is_rejected() {
        let mut random = Random(5);
        let (mut far, mut averted) = (0, 0);
        for _ in 0..4000 {
            let (a, b) = (sleeve(&mut random), sleeve(&mut random));
            let axis = Axis {
                origin: Point3::origin() + random.vector(1.0),
                dir: random.unit(),
            };
            let small = [1e-6, 1e-3, 0.05][(random.range(0.0, 3.0)) as usize];
            let turn = Rotation::new(random.vector(small));
            let shift = random.vector(10.0 * small) + axis.dir * random.range(-3.0, 3.0);
            let pose = MatrixPose::from_parts(shift.into(), turn);
            let sign = if random.range(0.0, 1.0) < 0.5 {
                -1.0
            } else {
                1.0
            };
            let other = Axis {
                dir: axis.dir * sign,
                ..axis
            };
            let alignment = Alignment::of(&axis, &other, &pose, 20.0).expect("nearly one axis");
            let between = alignment.between(&a.0, &b.0);
            let reach = random.range(0.0, 0.5);
            let faces = alignment.may_face(&a.0, &b.0, &between, reach, 0.0);
            far += usize::from(between.exceeds(reach));
            averted += usize::from(!faces);
            for k in 0..40 {
                let azimuth = random.range(-PI, PI);
                let (p, n) = sample(&a, &axis, azimuth, &mut random);
                // Near the first point, where distances are least.
                let local = pose.inverse_transform_point(&p);
                let frame = brepcd_geom::Frame::from_z(other.origin, other.dir).expect("a frame");
                let at = frame.local(&local);
                let beside = at.y.atan2(at.x) + random.range(-0.1, 0.1) * f64::from(k % 4);
                let (q, m) = sample(&b, &other, beside, &mut random);
                let (q, m) = (pose * q, pose.rotation * m);
                let distance = (q - p).norm();
                assert!(!(between.exceeds(reach) && distance <= reach));
                let opposite = (n + m).norm() < 1e-3;
                assert!(
                    !opposite || distance > reach || faces,
                    "{a:?} {b:?} {alignment:?}"
                );
            }
        }
        assert!(far > 500 && averted > 500, "{far} {averted}");
    }

    #[test]
    fn directions_that_are_opposite_face_each_other() {
        let mut random = Random(6);
        for _ in 0..4000 {
            let (mut a, angles) = sleeve(&mut random);
            a.rho = [random.range(0.5, 2.0); 2];
            let angle = random.range(angles[0], angles[1]) + PI;
            let b = Sleeve {
                fan: Fan::between(angle, angle + random.range(0.0, 1.0)),
                ..a
            };
            let axis = Axis {
                origin: Point3::origin(),
                dir: random.unit(),
            };
            let tilt = random.unit() * random.range(0.0, 0.15);
            let pose =
                MatrixPose::from_parts(nalgebra::Translation3::identity(), Rotation::new(tilt));
            let alignment = Alignment::of(&axis, &axis, &pose, 5.0).expect("nearly one axis");
            let between = alignment.between(&a, &b);
            assert!(alignment.may_face(&a, &b, &between, 0.1, 0.0));
        }
    }

    #[test]
    fn fans_hold_what_they_are_made_of() {
        let mut random = Random(7);
        let axis = Axis {
            origin: Point3::origin(),
            dir: Vec3::z(),
        };
        let p = Point3::new(2.0, 0.0, 0.0);
        for _ in 0..2000 {
            let (a, b) = (sleeve(&mut random), sleeve(&mut random));
            let both = a.0.merged(&b.0);
            for (one, angles) in [&a, &b] {
                for t in [0.0, 0.3, 1.0] {
                    let angle = angles[0] + t * (angles[1] - angles[0]);
                    let n = Vec3::new(angle.cos(), 0.0, angle.sin());
                    assert!(one.contains_direction(&p, &n, &axis, 0.0));
                    assert!(both.contains_direction(&p, &n, &axis, 0.0));
                    let back = Sleeve {
                        fan: one.fan.reversed(),
                        ..*one
                    };
                    assert!(back.contains_direction(&p, &-n, &axis, 0.0));
                }
            }
            let two = |angle: f64| [angle.cos(), angle.sin()];
            let of_two = Sleeve {
                fan: Fan::of_two(two(a.1[0]), two(b.1[0])),
                ..a.0
            };
            for angle in [a.1[0], b.1[0]] {
                let n = Vec3::new(angle.cos(), 0.0, angle.sin());
                assert!(of_two.contains_direction(&p, &n, &axis, 0.0));
            }
        }
    }
}
