use crate::{Point3, Vec3};

/// A curve's position and derivatives at a parameter.
#[derive(Clone, Copy, Debug)]
pub struct CurveJet {
    /// Position.
    pub p: Point3,
    /// First derivative.
    pub d1: Vec3,
    /// Second derivative.
    pub d2: Vec3,
}

/// A surface's position and derivatives at a parameter pair.
#[derive(Clone, Copy, Debug)]
pub struct SurfaceJet {
    /// Position.
    pub p: Point3,
    /// ∂/∂u.
    pub du: Vec3,
    /// ∂/∂v.
    pub dv: Vec3,
    /// ∂²/∂u².
    pub duu: Vec3,
    /// ∂²/∂u∂v.
    pub duv: Vec3,
    /// ∂²/∂v².
    pub dvv: Vec3,
}

impl SurfaceJet {
    /// The unit normal `du × dv`, `None` where the parametrisation is singular.
    pub fn normal(&self) -> Option<Vec3> {
        let n = self.du.cross(&self.dv);
        let scale = self.du.norm() * self.dv.norm();
        n.try_normalize(scale * SINGULAR)
    }
}

/// Sine of the angle between the derivatives (or their ratio to nothing) under which a parametrisation is singular.
const SINGULAR: f64 = 1e-13;
