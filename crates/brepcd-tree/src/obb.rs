//! Oriented boxes: tight ones for pieces of curves and surfaces, and their distance under a pose.

mod distance;
mod fit;
mod pieces;

use brepcd_geom::{Point3, Vec3};

/// How far rounding may push a point out of its box, relative to the largest coordinate.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// A box with any orientation, millimetres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obb {
    /// The centre.
    pub centre: Point3,
    /// Directions of the sides, orthonormal and right-handed.
    pub axes: [Vec3; 3],
    /// Half the lengths of the sides, not negative.
    pub half: Vec3,
}

impl Obb {
    /// The box with the given axes whose coordinates along them, seen from `origin`, run from `lo` to `hi`.
    ///
    /// Grown by what rounding may have taken.
    fn from_extents(origin: &Point3, axes: [Vec3; 3], lo: &Vec3, hi: &Vec3) -> Self {
        let mid = (lo + hi) * 0.5;
        let centre = origin + axes[0] * mid.x + axes[1] * mid.y + axes[2] * mid.z;
        let half = (hi - lo) * 0.5;
        let largest = origin.coords.amax().max(centre.coords.amax()) + half.amax();
        Self {
            centre,
            axes,
            half: half.add_scalar(ROUNDING * largest),
        }
    }

    /// True for points inside or at most `tol` beyond each side.
    pub fn contains(&self, p: &Point3, tol: f64) -> bool {
        let d = p - self.centre;
        (0..3).all(|i| self.axes[i].dot(&d).abs() <= self.half[i] + tol)
    }

    /// The eight corners.
    pub fn corners(&self) -> [Point3; 8] {
        std::array::from_fn(|k| {
            let signed = |i: usize| {
                self.axes[i]
                    * if k & (1 << i) == 0 {
                        -self.half[i]
                    } else {
                        self.half[i]
                    }
            };
            self.centre + signed(0) + signed(1) + signed(2)
        })
    }

    /// The volume, 0 for flat boxes.
    pub fn volume(&self) -> f64 {
        8.0 * self.half.x * self.half.y * self.half.z
    }

    /// The area of all six sides.
    pub fn surface_area(&self) -> f64 {
        let h = &self.half;
        8.0 * (h.x * h.y + h.y * h.z + h.z * h.x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_and_corners() {
        let origin = Point3::new(1.0, 2.0, 3.0);
        let axes = [Vec3::y(), -Vec3::x(), Vec3::z()];
        let (lo, hi) = (Vec3::new(-1.0, -2.0, 0.0), Vec3::new(1.0, 2.0, 6.0));
        let b = Obb::from_extents(&origin, axes, &lo, &hi);
        assert!((b.centre - Point3::new(1.0, 2.0, 6.0)).norm() < 1e-14);
        assert!((b.volume() - 48.0).abs() < 1e-11);
        assert!((b.surface_area() - 88.0).abs() < 1e-11);
        assert!(b.contains(&Point3::new(3.0, 3.0, 9.0), 0.0));
        assert!(!b.contains(&Point3::new(3.1, 3.0, 9.0), 0.05));
        assert!(b.contains(&Point3::new(3.1, 3.0, 9.0), 0.11));
        for corner in b.corners() {
            assert!(b.contains(&corner, 1e-14));
            assert!(((corner - b.centre).norm() - b.half.norm()).abs() < 1e-14);
        }
        let [first, .., last] = b.corners();
        assert!((nalgebra::center(&first, &last) - b.centre).norm() < 1e-14);
    }
}
