//! A piece over a box of its parameters: a Taylor expansion about the middle, with bounds of what it leaves out.
//!
//! Parameters are measured in half sides of the box, so they run from -1 to 1 and all derivatives are lengths. Bounds
//! are of each coordinate on its own: the local frame has its third axis about along the normals, so what bends a
//! surface is told apart from what only stretches its parameters.

use super::net::{Jet, Net, Thirds};
use super::subnet;
use brepcd_geom::Vec3;

/// Half side of a box, as a share of the piece, under which rounding of its control points may exceed what they bound.
const TINY: f64 = 1e-5;

/// Derivatives about the middle of a box. Unused entries are zero.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Model {
    /// Free parameters.
    pub dim: usize,
    pub p: Vec3,
    /// First and second derivatives.
    pub x: [Vec3; 2],
    pub xx: [[Vec3; 2]; 2],
    /// Fields that span the tangent space, and their derivatives; the derivatives of the position except beside a pole.
    pub t: [Vec3; 2],
    pub tt: [[Vec3; 2]; 2],
}

/// How far fields stray from their Taylor expansion anywhere in a box.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spread {
    /// The fields in the middle, coordinates without sign.
    pub size: [Vec3; 2],
    /// Their derivatives, summed.
    pub linear: [Vec3; 2],
    /// What the linear part leaves out of the fields.
    pub bend: [Vec3; 2],
    /// What the values in the middle leave out of the fields' derivatives.
    pub off: [[Vec3; 2]; 2],
}

impl Spread {
    fn new(
        dim: usize,
        x: &[Vec3; 2],
        xx: &[[Vec3; 2]; 2],
        bend: [Vec3; 2],
        off: [[Vec3; 2]; 2],
    ) -> Self {
        let mut out = Self {
            bend,
            off,
            ..Self::default()
        };
        for j in 0..dim {
            out.size[j] = x[j].abs();
            for l in 0..dim {
                out.linear[j] += xx[j][l].abs();
            }
        }
        out
    }

    /// From bounds of the derivatives' error that grow linearly from the middle.
    fn growing(dim: usize, x: &[Vec3; 2], xx: &[[Vec3; 2]; 2], off: [[Vec3; 2]; 2]) -> Self {
        let bend = [0, 1].map(|j: usize| (off[j][0] + off[j][1]) * 0.5);
        Self::new(dim, x, xx, bend, off)
    }

    /// How far a field strays from its value in the middle.
    pub fn stray(&self, j: usize) -> Vec3 {
        self.linear[j] + self.bend[j]
    }
}

/// A model with bounds of what it leaves out.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spreading {
    pub model: Model,
    /// What the linear part leaves out of the position.
    pub sagitta: Vec3,
    /// Of the derivatives of the position.
    pub position: Spread,
    /// Of the tangent fields.
    pub tangent: Spread,
}

impl Spreading {
    /// A point.
    pub fn of_point(p: Vec3) -> Self {
        Self {
            model: Model {
                p,
                ..Model::default()
            },
            ..Self::default()
        }
    }

    /// A curve, from its derivatives and a bound of the third one's coordinates.
    pub fn of_curve(p: Vec3, d1: Vec3, d2: Vec3, third: Vec3, half: f64) -> Self {
        let zero = Vec3::zeros();
        let (x, second) = ([d1 * half, zero], d2 * (half * half));
        let xx = [[second, zero], [zero; 2]];
        let off = third * (half * half * half);
        let model = Model {
            dim: 1,
            p,
            x,
            xx,
            t: x,
            tt: xx,
        };
        let position = Spread::growing(1, &x, &xx, [[off, zero], [zero; 2]]);
        Self {
            model,
            sagitta: second.abs() * 0.5 + off / 6.0,
            position,
            tangent: position,
        }
    }

    /// A Bézier curve over an interval or a Bézier surface over a box.
    pub fn of_net(net: &Net, mid: [f64; 2], half: [f64; 2]) -> Self {
        let jet = net.jet(mid[0], mid[1]);
        let model = Model::of_jet(net, &jet, half);
        let dim = model.dim;
        if net.is_tight() {
            let mut strays = subnet::strays(net, &model, &jet, mid, half);
            if half[..dim].iter().any(|h| *h < TINY) {
                strays.cut(&Self::growing(&model, &net.third_bounds()[0], half));
            }
            let position = Spread::new(dim, &model.x, &model.xx, strays.bend, strays.off);
            return Self {
                model,
                sagitta: strays.sagitta,
                position,
                tangent: position,
            };
        }
        let mut out = Self::growing(&model, &net.thirds, half);
        if let Some(pole) = net.pole {
            let mut off = out.position.off;
            off[1 - pole.along] = scaled_thirds(&net.pole_thirds, half)[1 - pole.along];
            out.tangent = Spread::growing(2, &model.t, &model.tt, off);
        }
        out
    }

    /// From bounds of the third derivatives.
    fn growing(model: &Model, thirds: &Thirds, half: [f64; 2]) -> Self {
        let off = scaled_thirds(thirds, half);
        let position = Spread::growing(model.dim, &model.x, &model.xx, off);
        let mut sagitta = Vec3::zeros();
        for j in 0..2 {
            // Half the second derivatives and a sixth of the third ones.
            sagitta += position.linear[j] * 0.5 + position.bend[j] / 3.0;
        }
        Self {
            model: *model,
            sagitta,
            position,
            tangent: position,
        }
    }
}

/// How far second derivatives stray, from bounds of the third ones.
fn scaled_thirds(k: &Thirds, [g, h]: [f64; 2]) -> [[Vec3; 2]; 2] {
    let mixed = (k[1] * g + k[2] * h) * (g * h);
    [
        [(k[0] * g + k[1] * h) * (g * g), mixed],
        [mixed, (k[2] * g + k[3] * h) * (h * h)],
    ]
}

impl Model {
    /// A point of a Bézier piece, parameters in units of `half`.
    pub fn of_jet(net: &Net, jet: &Jet, half: [f64; 2]) -> Self {
        let [g, h] = half;
        let square = |d: &[Vec3; 3]| {
            let mixed = d[1] * (g * h);
            [[d[0] * (g * g), mixed], [mixed, d[2] * (h * h)]]
        };
        let x = [jet.x[0] * g, jet.x[1] * h];
        let xx = square(&jet.xx);
        let mut out = Self {
            dim: if net.degree[1] > 0 { 2 } else { 1 },
            p: jet.p,
            x,
            xx,
            t: x,
            tt: xx,
        };
        if let Some(pole) = net.pole {
            let k = 1 - pole.along;
            out.t[k] = jet.z[k] * half[k];
            out.tt[k] = square(&jet.zz)[k];
        }
        out
    }

    /// The normal of the tangent fields, not normalised.
    pub fn normal(&self) -> Vec3 {
        self.t[0].cross(&self.t[1])
    }
}
