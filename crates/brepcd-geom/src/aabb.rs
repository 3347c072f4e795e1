use crate::{Point3, Vec3};

/// An axis-aligned box; empty until something is included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// Smallest corner.
    pub min: Point3,
    /// Largest corner.
    pub max: Point3,
}

impl Aabb {
    /// The box of nothing.
    pub const EMPTY: Self = Self {
        min: Point3::new(f64::INFINITY, f64::INFINITY, f64::INFINITY),
        max: Point3::new(f64::NEG_INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY),
    };

    /// The box of some points.
    pub fn of(points: impl IntoIterator<Item = Point3>) -> Self {
        let mut out = Self::EMPTY;
        for p in points {
            out.include(&p);
        }
        out
    }

    /// True while nothing has been included.
    pub fn is_empty(&self) -> bool {
        self.min.x > self.max.x
    }

    /// Grows to hold `p`.
    pub fn include(&mut self, p: &Point3) {
        self.min = self.min.inf(p);
        self.max = self.max.sup(p);
    }

    /// The box of both.
    pub fn union(&self, other: &Self) -> Self {
        Self {
            min: self.min.inf(&other.min),
            max: self.max.sup(&other.max),
        }
    }

    /// The box grown by a margin on all sides.
    pub fn grown(&self, margin: f64) -> Self {
        let m = Vec3::repeat(margin);
        Self {
            min: self.min - m,
            max: self.max + m,
        }
    }

    /// True for points inside or on the border.
    pub fn contains(&self, p: &Point3) -> bool {
        (0..3).all(|i| self.min[i] <= p[i] && p[i] <= self.max[i])
    }

    /// The centre.
    pub fn centre(&self) -> Point3 {
        nalgebra::center(&self.min, &self.max)
    }

    /// Length of the diagonal, 0 for the empty box.
    pub fn diagonal(&self) -> f64 {
        if self.is_empty() {
            0.0
        } else {
            (self.max - self.min).norm()
        }
    }
}
