//! The equations of a stationary pair about the middle of a box: values, slopes, and how far both stray.

use super::model::Spreading;
use brepcd_geom::Vec3;

/// Up to four equations in as many unknowns, which run from -1 to 1.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct System {
    pub n: usize,
    pub value: [f64; 4],
    pub slope: [[f64; 4]; 4],
    /// How far each value may be off its linear expansion at a pair in reach.
    pub rest: [f64; 4],
    /// How far each slope may be off between pairs in reach.
    pub stray: [[f64; 4]; 4],
    /// Values that are as good as zero.
    pub noise: [f64; 4],
}

/// What bounds are to hold for: pairs in reach, and the straight lines between two of them.
///
/// Along such a line the distance is at most the reach, but for the sagittas.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    /// Lengths as good as zero.
    pub flat: f64,
    /// Largest distance of the cores.
    pub reach: f64,
}

/// Where the unknowns of the two sides stand, and the first row to write.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    pub row: usize,
    pub x: usize,
    pub y: usize,
}

/// The largest coordinates of a cross product of vectors with such coordinates.
fn cross_sizes(a: &Vec3, b: &Vec3) -> Vec3 {
    Vec3::new(
        a.y * b.z + a.z * b.y,
        a.z * b.x + a.x * b.z,
        a.x * b.y + a.y * b.x,
    )
}

/// `(x - y) · t = 0` for the tangent fields `t` of the first side.
pub(super) fn foot(
    system: &mut System,
    at: Layout,
    sx: &Spreading,
    sy: &Spreading,
    bounds: Option<Bounds>,
) {
    let (x, y) = (&sx.model, &sy.model);
    let d = x.p - y.p;
    for j in 0..x.dim {
        let row = at.row + j;
        system.value[row] = d.dot(&x.t[j]);
        for k in 0..x.dim {
            system.slope[row][at.x + k] = x.x[k].dot(&x.t[j]) + d.dot(&x.tt[j][k]);
        }
        for i in 0..y.dim {
            system.slope[row][at.y + i] = -y.x[i].dot(&x.t[j]);
        }
    }
    let Some(Bounds { flat, reach }) = bounds else {
        return;
    };
    let (px, py, tx) = (&sx.position, &sy.position, &sx.tangent);
    let far = d.norm();
    let sagitta = sx.sagitta + sy.sagitta;
    let lengths = |s: &Spreading| s.model.x[0].norm() + s.model.x[1].norm();
    let spread = far + lengths(sx) + lengths(sy);
    let reach = reach.min(spread + sagitta.norm());
    let longest = reach.min(spread) + sagitta.norm();
    for j in 0..x.dim {
        let row = at.row + j;
        let t = &x.t[j];
        system.noise[row] = flat * (t.norm() + far);
        // |x_k · tt_jl| and |y_i · tt_jl|.
        let mut own = [[0.0; 2]; 2];
        let mut other = [[0.0; 2]; 2];
        for l in 0..x.dim {
            for k in 0..x.dim {
                own[k][l] = x.x[k].dot(&x.tt[j][l]).abs();
            }
            for i in 0..y.dim {
                other[i][l] = y.x[i].dot(&x.tt[j][l]).abs();
            }
        }
        let products: f64 = own.iter().chain(&other).map(|r| r[0] + r[1]).sum();
        system.rest[row] =
            products + sagitta.dot(&(tx.size[j] + tx.linear[j])) + reach * tx.bend[j].norm();
        let stray = tx.stray(j);
        for k in 0..x.dim {
            let mut sum = own[k][0] + own[k][1];
            sum += px.size[k].dot(&tx.bend[j]) + tx.size[j].dot(&px.bend[k]);
            sum += px.stray(k).dot(&stray);
            for l in 0..x.dim {
                sum += t.dot(&x.xx[k][l]).abs();
            }
            sum += own[0][k] + own[1][k] + other[0][k] + other[1][k];
            sum += sagitta.dot(&x.tt[j][k].abs()) + longest * tx.off[j][k].norm();
            system.stray[row][at.x + k] = sum;
        }
        for i in 0..y.dim {
            let mut sum = other[i][0] + other[i][1];
            sum += py.size[i].dot(&tx.bend[j]) + tx.size[j].dot(&py.bend[i]);
            sum += py.stray(i).dot(&stray);
            for l in 0..y.dim {
                sum += t.dot(&y.xx[i][l]).abs();
            }
            system.stray[row][at.y + i] = sum;
        }
    }
}

/// `n · t = 0` for the normal `n` of the first side, a surface, and the tangent fields `t` of the second.
///
/// False where the first side has no normal.
pub(super) fn normal(
    system: &mut System,
    at: Layout,
    sx: &Spreading,
    sy: &Spreading,
    bounds: Option<Bounds>,
) -> bool {
    let (x, y) = (&sx.model, &sy.model);
    let scaled = x.normal();
    let size = scaled.norm();
    if size <= f64::MIN_POSITIVE || size.is_nan() {
        return false;
    }
    let inverse = 1.0 / size;
    let n = scaled * inverse;
    let turn: [Vec3; 2] =
        [0, 1].map(|k| (x.tt[0][k].cross(&x.t[1]) + x.t[0].cross(&x.tt[1][k])) * inverse);
    for i in 0..y.dim {
        let row = at.row + i;
        system.value[row] = n.dot(&y.t[i]);
        for k in 0..y.dim {
            system.slope[row][at.y + k] = n.dot(&y.tt[i][k]);
        }
        for k in 0..2 {
            system.slope[row][at.x + k] = turn[k].dot(&y.t[i]);
        }
    }
    let Some(Bounds { flat, .. }) = bounds else {
        return true;
    };
    let (tx, ty) = (&sx.tangent, &sy.tangent);
    // tt_0k × tt_1l: second derivatives stand mostly along the normal, so these are small.
    let mut cross = [[Vec3::zeros(); 2]; 2];
    for (k, row) in cross.iter_mut().enumerate() {
        for (l, c) in row.iter_mut().enumerate() {
            *c = x.tt[0][k].cross(&x.tt[1][l]).abs();
        }
    }
    let all = cross[0][0] + cross[0][1] + cross[1][0] + cross[1][1];
    let most: [Vec3; 2] = [0, 1].map(|j| tx.size[j] + tx.linear[j]);
    let bend = (all
        + cross_sizes(&most[0], &tx.bend[1])
        + cross_sizes(&tx.bend[0], &(most[1] + tx.bend[1])))
        * inverse;
    let turns = turn.map(|t| t.abs());
    let longest = n.abs() + turns[0] + turns[1] + bend;
    let mut turn_off = [Vec3::zeros(); 2];
    for (k, off) in turn_off.iter_mut().enumerate() {
        *off = (cross[k][0]
            + cross[k][1]
            + cross[0][k]
            + cross[1][k]
            + cross_sizes(&x.tt[0][k].abs(), &tx.bend[1])
            + cross_sizes(&tx.bend[0], &x.tt[1][k].abs())
            + cross_sizes(&tx.off[0][k], &(most[1] + tx.bend[1]))
            + cross_sizes(&(most[0] + tx.bend[0]), &tx.off[1][k]))
            * inverse;
    }
    let sharpness = (x.t[0].norm() + x.t[1].norm()) * inverse;
    for i in 0..y.dim {
        let row = at.row + i;
        system.noise[row] = flat * (1.0 + y.t[i].norm() * sharpness);
        let all_of_t = ty.size[i] + ty.stray(i);
        let mut rest = bend.dot(&all_of_t) + longest.dot(&ty.bend[i]);
        for k in 0..y.dim {
            let b = &y.tt[i][k];
            let turned = turn[0].dot(b).abs() + turn[1].dot(b).abs();
            rest += turned;
            system.stray[row][at.y + k] = turned + bend.dot(&b.abs()) + longest.dot(&ty.off[i][k]);
        }
        system.rest[row] = rest;
        for k in 0..2 {
            let mut sum = turn_off[k].dot(&all_of_t) + turns[k].dot(&ty.bend[i]);
            for l in 0..y.dim {
                sum += turn[k].dot(&y.tt[i][l]).abs();
            }
            system.stray[row][at.x + k] = sum;
        }
    }
    true
}

/// How near and how far the distance of two sides can be over a box.
pub(super) fn distance_range(sx: &Spreading, sy: &Spreading) -> (f64, f64) {
    let d = sx.model.p - sy.model.p;
    let far = d.norm();
    let total = |s: &Spreading| {
        (0..s.model.dim).map(|j| s.model.x[j].norm()).sum::<f64>() + s.sagitta.norm()
    };
    let most = far + total(sx) + total(sy);
    if far <= f64::MIN_POSITIVE {
        return (0.0, most);
    }
    let e = d / far;
    ((far - along(sx, &e) - along(sy, &e)).max(0.0), most)
}

/// How far a side strays along a vector.
pub(super) fn along(s: &Spreading, e: &Vec3) -> f64 {
    let linear: f64 = (0..s.model.dim).map(|j| s.model.x[j].dot(e).abs()).sum();
    linear + s.sagitta.dot(&e.abs())
}
