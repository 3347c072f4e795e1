use crate::{Point3, Pose, Vec3};

/// A right-handed orthonormal frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Where the axes meet.
    pub origin: Point3,
    /// First axis, unit.
    pub x: Vec3,
    /// Second axis, unit.
    pub y: Vec3,
    /// Third axis, unit: the axis of a surface of revolution, the normal of a plane.
    pub z: Vec3,
}

impl Frame {
    /// The frame of the coordinates themselves.
    pub fn world() -> Self {
        Self {
            origin: Point3::origin(),
            x: Vec3::x(),
            y: Vec3::y(),
            z: Vec3::z(),
        }
    }

    /// The frame with the given third axis and a first axis as close to `x_hint` as orthogonality allows.
    ///
    /// `None` when `z` has no direction; a hint along `z` (or none) gives an arbitrary but fixed first axis.
    pub fn from_z_and_hint(origin: Point3, z: Vec3, x_hint: Option<Vec3>) -> Option<Self> {
        let z = z
            .try_normalize(0.0)
            .filter(|z| z.iter().all(|c| c.is_finite()))?;
        let x = x_hint
            .and_then(|hint| hint.try_normalize(0.0))
            .map(|hint| hint - z * z.dot(&hint))
            .and_then(|x| x.try_normalize(PARALLEL_HINT))
            .unwrap_or_else(|| any_orthogonal(z));
        let x = (x - z * z.dot(&x)).normalize();
        Some(Self {
            origin,
            x,
            y: z.cross(&x),
            z,
        })
    }

    /// The frame with the given origin and third axis.
    pub fn from_z(origin: Point3, z: Vec3) -> Option<Self> {
        Self::from_z_and_hint(origin, z, None)
    }

    /// The point with these coordinates in the frame.
    pub fn point(&self, x: f64, y: f64, z: f64) -> Point3 {
        self.origin + self.x * x + self.y * y + self.z * z
    }

    /// Coordinates of `p` in the frame.
    pub fn local(&self, p: &Point3) -> Vec3 {
        self.local_vec(&(p - self.origin))
    }

    /// Components of `v` in the frame.
    pub fn local_vec(&self, v: &Vec3) -> Vec3 {
        Vec3::new(self.x.dot(v), self.y.dot(v), self.z.dot(v))
    }

    /// The unit vector at angle `u` from `x` towards `y`.
    pub fn radial(&self, u: f64) -> Vec3 {
        let (s, c) = u.sin_cos();
        self.x * c + self.y * s
    }

    /// Derivative of [`Frame::radial`] by the angle.
    pub fn tangential(&self, u: f64) -> Vec3 {
        let (s, c) = u.sin_cos();
        self.y * c - self.x * s
    }

    /// The frame moved by `a_from_b`.
    pub fn transformed(&self, a_from_b: &Pose) -> Self {
        Self {
            origin: a_from_b * self.origin,
            x: a_from_b * self.x,
            y: a_from_b * self.y,
            z: a_from_b * self.z,
        }
    }
}

/// Sine of the angle under which a hint counts as parallel to the axis.
const PARALLEL_HINT: f64 = 1e-9;

/// A unit vector orthogonal to the unit vector `z`.
fn any_orthogonal(z: Vec3) -> Vec3 {
    let smallest = z.iamin();
    let mut axis = Vec3::zeros();
    axis[smallest] = 1.0;
    (axis - z * z[smallest]).normalize()
}
