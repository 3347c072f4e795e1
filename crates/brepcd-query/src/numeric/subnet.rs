//! Bounds of a Bézier piece over a box from the control points of that box.
//!
//! A polynomial minus a linear one has as control points the differences at the Greville abscissae, and stays within
//! them. Of a rational piece, seen from its point in the middle and with weight 1 there, numerator and weight are
//! bounded so, and `w y = Z` tells what follows for `y` ([`divide`]).

use super::model::{Model, Spreading};
use super::net::{Jet, MAX_TIGHT, Net};
use brepcd_geom::{Point4, Vec3};

/// What the Taylor expansion about the middle of a box leaves out, by coordinates.
pub(super) struct Strays {
    /// Of the position, beyond the linear part.
    pub sagitta: Vec3,
    /// Of the first derivatives, beyond the linear part.
    pub bend: [Vec3; 2],
    /// Of the second derivatives.
    pub off: [[Vec3; 2]; 2],
}

impl Strays {
    /// Lowers bounds to others of the same box.
    pub fn cut(&mut self, other: &Spreading) {
        self.sagitta = self.sagitta.inf(&other.sagitta);
        for j in 0..2 {
            self.bend[j] = self.bend[j].inf(&other.position.bend[j]);
            for k in 0..2 {
                self.off[j][k] = self.off[j][k].inf(&other.position.off[j][k]);
            }
        }
    }
}

/// Share by which a box may exceed the piece and still be bounded by the piece's own control points.
const WHOLE: f64 = 1e-7;
/// Factor that pays for that, and for rounding.
const MARGIN: f64 = 1.0 + 1e-6;

/// Bounds over a box of the unit square.
pub(super) fn strays(net: &Net, model: &Model, jet: &Jet, mid: [f64; 2], half: [f64; 2]) -> Strays {
    match net.degree[0].max(net.degree[1]) {
        0..=2 => sized::<3>(net, model, jet, mid, half),
        3 => sized::<4>(net, model, jet, mid, half),
        _ => sized::<MAX_TIGHT>(net, model, jet, mid, half),
    }
}

fn lift(v: &Vec3, w: f64) -> Point4 {
    Point4::new(v.x, v.y, v.z, w)
}

fn sized<const N: usize>(
    net: &Net,
    model: &Model,
    jet: &Jet,
    mid: [f64; 2],
    half: [f64; 2],
) -> Strays {
    let [p, q] = net.degree;
    let mut c = [[Point4::zeros(); N]; N];
    let scale = 1.0 / jet.weight;
    for (row, source) in c.iter_mut().zip(net.control.chunks_exact(q + 1)) {
        for (c, from) in row.iter_mut().zip(source) {
            *c = (from - lift(&model.p, 0.0) * from.w) * scale;
        }
    }
    restrict::<N>(&mut c, p, q, mid[0], half[0], true);
    if q > 0 {
        restrict::<N>(&mut c, q, p, mid[1], half[1], false);
    }
    let (w, x, xx) = (Weights::new(jet, half), &model.x, &model.xx);
    let (a, b) = (lift(&x[0], w.first[0]), lift(&x[1], w.first[1]));
    let numerator = |j: usize, k: usize| {
        let v = xx[j][k] + x[k] * w.first[j] + x[j] * w.first[k];
        lift(&v, w.second[j + k])
    };
    let (aa, ab, bb) = (numerator(0, 0), numerator(0, 1), numerator(1, 1));
    let middle = lift(&Vec3::zeros(), 1.0);
    let zero = Point4::zeros();
    let (mut sagitta, mut bend, mut off) = (zero, [zero; 2], [zero; 3]);
    let grow = |most: &mut Point4, v: Point4| *most = most.sup(&v.abs());
    // Greville abscissae run evenly from -1 to 1.
    let (gu, gv) = (greville::<N>(p), greville::<N>(q));
    let (hu, hv) = (greville::<N>(p - 1), greville::<N>(q.saturating_sub(1)));
    let (fu, fv) = (0.5 * p as f64, 0.5 * q as f64);
    for i in 0..=p {
        for j in 0..=q {
            grow(&mut sagitta, c[i][j] - middle - a * gu[i] - b * gv[j]);
            if i < p {
                let d = (c[i + 1][j] - c[i][j]) * fu;
                grow(&mut bend[0], d - a - aa * hu[i] - ab * gv[j]);
            }
            if j < q {
                let d = (c[i][j + 1] - c[i][j]) * fv;
                grow(&mut bend[1], d - b - ab * gu[i] - bb * hv[j]);
            }
        }
    }
    let (fuu, fvv) = (fu * 0.5 * (p as f64 - 1.0), fv * 0.5 * (q as f64 - 1.0));
    for i in 0..=p {
        for j in 0..=q {
            if i + 1 < p {
                let d = (c[i + 2][j] - c[i + 1][j] * 2.0 + c[i][j]) * fuu;
                grow(&mut off[0], d - aa);
            }
            if j + 1 < q {
                let d = (c[i][j + 2] - c[i][j + 1] * 2.0 + c[i][j]) * fvv;
                grow(&mut off[2], d - bb);
            }
            if i < p && j < q {
                let d = (c[i + 1][j + 1] - c[i + 1][j] - c[i][j + 1] + c[i][j]) * (fu * fv);
                grow(&mut off[1], d - ab);
            }
        }
    }
    let margin = |v: Point4| v * MARGIN;
    let (sagitta, bend, off) = (margin(sagitta), bend.map(margin), off.map(margin));
    if net.polynomial {
        let mixed = off[1].xyz();
        return Strays {
            sagitta: sagitta.xyz(),
            bend: bend.map(|b| b.xyz()),
            off: [[off[0].xyz(), mixed], [mixed, off[2].xyz()]],
        };
    }
    let least = (0..=p).flat_map(|i| c[i][..=q].iter());
    let least = least.fold(f64::INFINITY, |m, c| m.min(c.w));
    divide(model, &w, sagitta, bend, off, least)
}

/// Derivatives of the weight over its value in the middle, parameters in half sides of the box.
struct Weights {
    first: [f64; 2],
    /// uu, uv, vv.
    second: [f64; 3],
}

impl Weights {
    fn new(jet: &Jet, [g, h]: [f64; 2]) -> Self {
        let w = &jet.ww;
        Self {
            first: [w[0] * g, w[1] * h],
            second: [w[2] * g * g, w[3] * g * h, w[4] * h * h],
        }
    }
}

/// From the strays of numerator and weight to those of their quotient.
///
/// With `r` what the linear part leaves out of `y`, and `b`, `o` the same of its derivatives:
/// `w r = (Z - L) - (w - 1) L`, `w b_j = b_j(Z) - w_j r - Δw_j y - b(w) y_j - (w - 1) Σ y_jk`, and
/// `w o_jk = o_jk(Z) - Δ(w_j y_k) - Δ(w_k y_j) - w_jk y - (w - 1) y_jk`.
fn divide(
    model: &Model,
    w: &Weights,
    sagitta: Point4,
    bend: [Point4; 2],
    off: [Point4; 3],
    least: f64,
) -> Strays {
    let inverse = 1.0 / least;
    let x = model.x.map(|v| v.abs());
    let xx = |j: usize, k: usize| model.xx[j][k].abs();
    let first = w.first.map(f64::abs);
    let change = first[0] + first[1] + sagitta.w;
    let linear = x[0] + x[1];
    let rest = (sagitta.xyz() + linear * change) * inverse;
    let whole = linear + rest;
    let swing = |j: usize| w.second[j].abs() + w.second[j + 1].abs() + bend[j].w;
    let bends: [Vec3; 2] = [0, 1].map(|j: usize| {
        let seconds = xx(j, 0) + xx(j, 1);
        (bend[j].xyz() + rest * first[j] + whole * swing(j) + x[j] * sagitta.w + seconds * change)
            * inverse
    });
    let stray = |k: usize| xx(k, 0) + xx(k, 1) + bends[k];
    let offs = |j: usize, k: usize| {
        let product = |j: usize, k: usize| (x[k] + stray(k)) * swing(j) + stray(k) * first[j];
        let second = w.second[j + k].abs() + off[j + k].w;
        (off[j + k].xyz() + product(j, k) + product(k, j) + whole * second + xx(j, k) * change)
            * inverse
    };
    let mixed = offs(0, 1);
    Strays {
        sagitta: rest,
        bend: bends,
        off: [[offs(0, 0), mixed], [mixed, offs(1, 1)]],
    }
}

/// Evenly spread from -1 to 1; 0 for degree 0.
fn greville<const N: usize>(degree: usize) -> [f64; N] {
    let mut out = [0.0; N];
    if degree > 0 {
        let step = 2.0 / degree as f64;
        for (i, g) in out[..=degree].iter_mut().enumerate() {
            *g = step * i as f64 - 1.0;
        }
    }
    out
}

/// Replaces control points by those over `mid ± half` in one direction.
fn restrict<const N: usize>(
    c: &mut [[Point4; N]; N],
    degree: usize,
    other: usize,
    mid: f64,
    half: f64,
    first: bool,
) {
    let (from, to) = (mid - half, mid + half);
    if from.abs() <= WHOLE && (to - 1.0).abs() <= WHOLE {
        return;
    }
    // The blossom at `from` (degree - i times) and `to` (i times), as weights of the old control points.
    let mut weights = [[0.0; N]; N];
    for (i, row) in weights[..=degree].iter_mut().enumerate() {
        row[0] = 1.0;
        for k in 0..degree {
            let t = if k < i { to } else { from };
            for m in (0..=k).rev() {
                let w = row[m];
                row[m + 1] += w * t;
                row[m] = w * (1.0 - t);
            }
        }
    }
    for line in 0..=other {
        let mut old = [Point4::zeros(); N];
        for k in 0..=degree {
            old[k] = if first { c[k][line] } else { c[line][k] };
        }
        for (i, row) in weights[..=degree].iter().enumerate() {
            let mut sum = old[0] * row[0];
            for k in 1..=degree {
                sum += old[k] * row[k];
            }
            if first {
                c[i][line] = sum;
            } else {
                c[line][i] = sum;
            }
        }
    }
}
