//! Bounds of a polynomial piece over a box from the control points of that box.
//!
//! A polynomial minus a linear one has as control points the differences at the Greville abscissae, and stays within
//! them.

use super::model::Model;
use super::net::{MAX_TIGHT, Net};
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

/// Share by which a box may exceed the piece and still be bounded by the piece's own control points.
const WHOLE: f64 = 1e-7;
/// Factor that pays for that, and for rounding.
const MARGIN: f64 = 1.0 + 1e-6;

/// Bounds over a box of the unit square.
pub(super) fn strays(net: &Net, model: &Model, mid: [f64; 2], half: [f64; 2]) -> Strays {
    match net.degree[0].max(net.degree[1]) {
        0..=2 => sized::<3>(net, model, mid, half),
        3 => sized::<4>(net, model, mid, half),
        _ => sized::<MAX_TIGHT>(net, model, mid, half),
    }
}

fn lift(v: &Vec3) -> Point4 {
    Point4::new(v.x, v.y, v.z, 0.0)
}

fn sized<const N: usize>(net: &Net, model: &Model, mid: [f64; 2], half: [f64; 2]) -> Strays {
    let [p, q] = net.degree;
    let mut c = [[Point4::zeros(); N]; N];
    for (row, source) in c.iter_mut().zip(net.control.chunks_exact(q + 1)) {
        row[..=q].copy_from_slice(source);
    }
    restrict::<N>(&mut c, p, q, mid[0], half[0], true);
    restrict::<N>(&mut c, q, p, mid[1], half[1], false);
    let (a, b) = (lift(&model.x[0]), lift(&model.x[1]));
    let (aa, ab, bb) = (
        lift(&model.xx[0][0]),
        lift(&model.xx[0][1]),
        lift(&model.xx[1][1]),
    );
    let mut middle = lift(&model.p);
    middle.w = c[0][0].w;
    let zero = Point4::zeros();
    let (mut sagitta, mut bend, mut off) = (zero, [zero; 2], [zero; 3]);
    let grow = |most: &mut Point4, v: Point4| *most = most.sup(&v.abs());
    // Greville abscissae run evenly from -1 to 1.
    let (gu, gv) = (greville::<N>(p), greville::<N>(q));
    let (hu, hv) = (greville::<N>(p - 1), greville::<N>(q - 1));
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
    let down = |v: Point4| v.xyz() * MARGIN;
    let mixed = down(off[1]);
    Strays {
        sagitta: down(sagitta),
        bend: bend.map(down),
        off: [[down(off[0]), mixed], [mixed, down(off[2])]],
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
