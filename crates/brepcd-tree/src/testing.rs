//! Repeatable randomness for tests.

use brepcd_geom::{Frame, Point3, Vec3};
use nalgebra::{Translation3, UnitQuaternion};

use crate::MatrixPose;

/// A small generator of repeatable random numbers (splitmix64).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Evenly between the two values.
    pub fn range(&mut self, lo: f64, hi: f64) -> f64 {
        lo + (hi - lo) * ((self.next() >> 11) as f64 / (1u64 << 53) as f64)
    }

    /// A whole number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// Evenly in the cube of half side `size`.
    pub fn vector(&mut self, size: f64) -> Vec3 {
        Vec3::from_fn(|_, _| self.range(-size, size))
    }

    /// Evenly on the unit sphere.
    pub fn unit(&mut self) -> Vec3 {
        loop {
            let v = self.vector(1.0);
            let n = v.norm();
            if n > 0.1 && n < 1.0 {
                return v / n;
            }
        }
    }

    /// A unit vector at most `angle` from the unit vector `axis`.
    pub fn near(&mut self, axis: &Vec3, angle: f64) -> Vec3 {
        let turn = self.range(0.0, angle);
        self.at_angle(axis, turn)
    }

    /// A unit vector at exactly `angle` from the unit vector `axis`.
    pub fn at_angle(&mut self, axis: &Vec3, angle: f64) -> Vec3 {
        let across = loop {
            let side = axis.cross(&self.unit());
            if side.norm() > 0.1 {
                break side.normalize();
            }
        };
        axis * angle.cos() + across * angle.sin()
    }

    /// A frame anywhere within `size` of the origin.
    pub fn frame(&mut self, size: f64) -> Frame {
        let origin = Point3::from(self.vector(size));
        let (z, x) = (self.unit(), self.unit());
        Frame::from_z_and_hint(origin, z, Some(x)).expect("a direction")
    }

    /// A motion by up to `size` along each axis.
    pub fn pose(&mut self, size: f64) -> MatrixPose {
        let turn = self.range(-3.0, 3.0);
        let turn = UnitQuaternion::from_scaled_axis(self.unit() * turn);
        let shift = Translation3::from(self.vector(size));
        MatrixPose::from_parts(shift, turn.to_rotation_matrix())
    }
}
