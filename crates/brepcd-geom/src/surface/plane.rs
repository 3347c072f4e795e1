use super::SurfaceFoot;
use super::revolved::linear_range;
use crate::{Aabb, Frame, Interval, Point3, Pose, SurfaceJet, Vec3};

/// The plane `o + u x + v y`; its normal is the frame's `z`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// Origin and axes.
    pub frame: Frame,
}

impl Plane {
    /// The point at a parameter pair.
    pub fn point(&self, u: f64, v: f64) -> Point3 {
        self.frame.origin + self.frame.x * u + self.frame.y * v
    }

    /// Position and derivatives.
    pub fn jet(&self, u: f64, v: f64) -> SurfaceJet {
        let zero = Vec3::zeros();
        let (du, dv) = (self.frame.x, self.frame.y);
        SurfaceJet {
            p: self.point(u, v),
            du,
            dv,
            duu: zero,
            duv: zero,
            dvv: zero,
        }
    }

    /// The unit normal along `du × dv`.
    pub fn normal(&self, _u: f64, _v: f64) -> Option<Vec3> {
        Some(self.frame.z)
    }

    /// The whole parameter plane.
    pub fn domain(&self) -> (Interval, Interval) {
        (Interval::ALL, Interval::ALL)
    }

    /// No periods.
    pub fn periods(&self) -> [Option<f64>; 2] {
        [None, None]
    }

    /// No poles.
    pub fn poles(&self) -> [Option<f64>; 2] {
        [None, None]
    }

    /// No poles.
    pub fn poles_u(&self) -> [Option<f64>; 2] {
        [None, None]
    }

    /// Parameters of the nearest point.
    pub fn invert(&self, p: &Point3, _guess: Option<(f64, f64)>) -> (f64, f64) {
        let d = p - self.frame.origin;
        (self.frame.x.dot(&d), self.frame.y.dot(&d))
    }

    /// Appends the one stationary point of the distance to `p`.
    pub fn feet(&self, p: &Point3, out: &mut Vec<SurfaceFoot>) {
        let (u, v) = self.invert(p, None);
        out.push(SurfaceFoot::new(u, v, self.point(u, v), p));
    }

    /// Appends nothing: where the normal is parallel to `direction`, it is so everywhere.
    pub fn extrema(&self, _direction: &Vec3, _out: &mut Vec<(f64, f64)>) {}

    /// The exact box of a parameter rectangle.
    pub fn bounding_box(&self, u: Interval, v: Interval) -> Aabb {
        let mut out = Aabb::EMPTY;
        for i in 0..3 {
            let (a, b) = (
                linear_range(self.frame.x[i], u),
                linear_range(self.frame.y[i], v),
            );
            out.min[i] = self.frame.origin[i] + a.lo + b.lo;
            out.max[i] = self.frame.origin[i] + a.hi + b.hi;
        }
        out
    }

    /// The plane moved by `a_from_b`.
    pub fn transformed(&self, a_from_b: &Pose) -> Self {
        Self {
            frame: self.frame.transformed(a_from_b),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Surface, check};
    use super::*;

    #[test]
    fn keeps_its_promises() {
        let s = Surface::Plane(Plane {
            frame: check::frame(),
        });
        // Feet may lie anywhere, so the sampled part is large.
        check::surface(&s, Interval::new(-8.0, 9.0), Interval::new(-7.0, 8.0));
        assert_eq!(check::extrema(&s, check::frame().z), 0);
    }

    #[test]
    fn box_of_the_whole_plane_is_flat() {
        let b = Plane {
            frame: Frame::world(),
        }
        .bounding_box(Interval::ALL, Interval::ALL);
        assert_eq!((b.min.z, b.max.z), (0.0, 0.0));
        assert_eq!((b.min.x, b.max.y), (f64::NEG_INFINITY, f64::INFINITY));
    }
}
