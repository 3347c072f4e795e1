//! Planes, cylinders and cones: surfaces whose normals need at most an angle, and their equations.

use super::model::{Spread, Spreading};
use super::rows::{Bounds, System, along};
use brepcd_geom::Vec3;

/// A plane (`dim` 0), a cylinder or a cone (`dim` 1: the angle).
///
/// The points of a turned one are `c + (radius + v sin) radial(u) + v cos z`; a plane has `z` as its normal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Directed {
    pub dim: usize,
    pub c: Vec3,
    pub axes: [Vec3; 3],
    pub radius: f64,
    pub sin: f64,
    pub cos: f64,
}

/// Its directions at an angle; of a plane, `tangential` and `generator` are those of its parameters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Directions {
    pub normal: Vec3,
    pub radial: Vec3,
    pub tangential: Vec3,
    pub generator: Vec3,
}

impl Directed {
    pub fn at(&self, u: f64) -> Directions {
        let [x, y, z] = self.axes;
        if self.dim == 0 {
            return Directions {
                normal: z,
                radial: Vec3::zeros(),
                tangential: x,
                generator: y,
            };
        }
        let (s, c) = u.sin_cos();
        let radial = x * c + y * s;
        Directions {
            normal: radial * self.cos - z * self.sin,
            radial,
            tangential: y * c - x * s,
            generator: radial * self.sin + z * self.cos,
        }
    }
}

/// `n(u) · t = 0` for the tangent fields of the free side, and, unless a plane, `tangential(u) · (x - c) = 0`.
///
/// The unknowns of the free side stand first, then the angle.
pub(super) fn equations(
    system: &mut System,
    surface: &Directed,
    (u, half): (f64, f64),
    free: &Spreading,
    bounds: Option<Bounds>,
) {
    let b = &free.model;
    let n = b.dim;
    let at = surface.at(u);
    let turned = surface.dim == 1;
    let half = if turned { half } else { 0.0 };
    let swing = surface.cos * half;
    let turn = at.tangential * swing;
    let y = b.p - surface.c;
    for j in 0..n {
        system.value[j] = at.normal.dot(&b.t[j]);
        for k in 0..n {
            system.slope[j][k] = at.normal.dot(&b.tt[j][k]);
        }
    }
    if turned {
        system.value[n] = at.tangential.dot(&y);
        system.slope[n][n] = -at.radial.dot(&y) * half;
        for j in 0..n {
            system.slope[j][n] = turn.dot(&b.t[j]);
            system.slope[n][j] = at.tangential.dot(&b.x[j]);
        }
    }
    let Some(Bounds { flat, .. }) = bounds else {
        return;
    };
    let (p, t): (&Spread, &Spread) = (&free.position, &free.tangent);
    // What turning by θ leaves out: (1 - cos θ) across, θ - sin θ along.
    let (bow, lag) = (0.5 * half * half, half * half * half / 6.0);
    let (radial, tangential) = (at.radial.abs(), at.tangential.abs());
    let longest = at.normal.abs() + turn.abs() + (radial * bow + tangential * lag) * surface.cos;
    for j in 0..n {
        system.noise[j] = flat;
        let all_of_t = b.t[j].norm() + t.stray(j).norm();
        let by_bow = surface.cos
            * (bow * (at.radial.dot(&b.t[j]).abs() + t.linear[j].dot(&radial)) + lag * all_of_t);
        let mut rest = by_bow + longest.dot(&t.bend[j]);
        for k in 0..n {
            let b = &b.tt[j][k];
            let product = turn.dot(b).abs();
            rest += product;
            system.stray[j][k] = product
                + surface.cos * (bow * at.radial.dot(b).abs() + lag * b.norm())
                + longest.dot(&t.off[j][k]);
        }
        system.rest[j] = rest;
    }
    if !turned {
        return;
    }
    system.noise[n] = flat;
    let mut rest = 0.0;
    let mut shift = free.sagitta.dot(&radial);
    for j in 0..n {
        let mut by_angle =
            swing * half * (at.radial.dot(&b.t[j]).abs() + 0.5 * half * b.t[j].norm());
        by_angle += swing * (tangential.dot(&t.bend[j]) + half * t.stray(j).norm());
        let across = at.radial.dot(&b.x[j]).abs();
        let mut by_place = half * across + bow * b.x[j].norm();
        by_place += tangential.dot(&p.bend[j]) + half * p.stray(j).norm();
        for l in 0..n {
            by_angle += turn.dot(&b.tt[j][l]).abs();
            by_place += at.tangential.dot(&b.xx[j][l]).abs();
        }
        system.stray[j][n] = by_angle;
        system.stray[n][j] = by_place;
        shift += across;
        rest += bow * at.tangential.dot(&b.x[j]).abs() + lag * across;
    }
    rest += half * shift
        + tangential.dot(&free.sagitta) * (1.0 + bow)
        + lag * radial.dot(&free.sagitta);
    rest += bow * at.tangential.dot(&y).abs() + lag * at.radial.dot(&y).abs();
    system.rest[n] = rest;
    // The slope is minus the component along radial(u).
    let sideways = at.tangential.dot(&y).abs() + along(free, &at.tangential);
    system.stray[n][n] = half * (shift + half * sideways + bow * (at.radial.dot(&y).abs() + shift));
}
