//! From a root of the equations to a stationary pair: back from cores to surfaces, and the conditions on directions,
//! ranges and reach that are no equations.

use super::problem::{Problem, RANGE_SLACK};
use super::side::{Core, Side};
use crate::piece::Piece;
use brepcd_geom::{Frame, Interval, Surface, Vec3};
use brepcd_tree::{Rotation, Shape};
use std::f64::consts::TAU;

/// Distance, in units of the reach, by which a pair may exceed it.
const REACH_SLACK: f64 = 1e-12;

/// Calls `push` with the parameters on both pieces, those of `x` first, of each pair that a root stands for.
///
/// `turns` lead from the pieces' parts to the local frame.
pub(super) fn finish(
    problem: &Problem<'_>,
    pieces: [&Piece<'_>; 2],
    turns: [&Rotation; 2],
    root: &[f64; 4],
    mut push: impl FnMut([f64; 2], [f64; 2]),
) {
    let (x, y) = (&problem.x, &problem.y);
    let n = x.dim;
    let (at_x, at_y) = ([root[0], root[1]], [root[n], root[n + 1]]);
    let unit = [1.0; 2];
    let mx = x.model(at_x, unit);
    let my = y.model(at_y, unit);
    let reach = problem.reach * (1.0 + REACH_SLACK);
    // Candidates for the direction of y's outward normal, from y to x.
    let mut normals = [None; 2];
    if x.is_surface() {
        normals[0] = mx.normal().try_normalize(0.0).map(|m| m * -x.outward);
    } else if let Core::Directed(surface) = &y.core {
        normals[0] = Some(surface.at(at_y[0]).normal * y.outward);
    } else {
        let d = mx.p - my.p;
        let across = mx.t[0].cross(&my.t[0]);
        let direction = d
            .try_normalize(problem.flat)
            .or_else(|| across.try_normalize(0.0))
            .or_else(|| d.try_normalize(0.0))
            .or_else(|| any_across(&mx.t[0]));
        normals[0] = direction;
        // Only a face tells the two directions apart.
        if x.radius > 0.0 || y.radius > 0.0 {
            normals[1] = direction.map(|m| -m);
        }
    }
    for normal in normals.into_iter().flatten() {
        let facing = match &y.core {
            Core::Surface(_) => my.normal().dot(&normal) * y.outward > 0.0,
            Core::Directed(s) => s.at(at_y[0]).normal.dot(&normal) * y.outward > 0.0,
            Core::Point(_) | Core::Arc(_) => true,
        };
        if !facing {
            continue;
        }
        // Outward from the core, as the surface's points lie.
        let (to_x, to_y) = (normal * -x.outward, normal * y.outward);
        let on_x = mx.p + to_x * x.radius;
        let gap = match &y.core {
            Core::Directed(s) => s.at(at_y[0]).normal.dot(&(on_x - s.c)) - s.radius * s.cos,
            Core::Point(_) | Core::Arc(_) | Core::Surface(_) => {
                let on_y = my.p + to_y * y.radius;
                if x.outward == 0.0 && y.outward == 0.0 {
                    (on_x - on_y).norm()
                } else {
                    (on_x - on_y).dot(&normal)
                }
            }
        };
        if gap.abs() > reach {
            continue;
        }
        let params = parameters(x, pieces[0], turns[0], at_x, &to_x, &mx.p, problem.flat);
        let others = parameters(y, pieces[1], turns[1], at_y, &to_y, &on_x, problem.flat);
        if let (Some(tx), Some(ty)) = (params, others) {
            push(tx, ty);
        }
    }
}

fn any_across(t: &Vec3) -> Option<Vec3> {
    let mut axis = Vec3::zeros();
    axis[t.iamin()] = 1.0;
    t.cross(&axis).try_normalize(0.0)
}

/// The patch parameters of a side, `None` outside its ranges; `spoke` points from the core to the surface.
fn parameters(
    side: &Side<'_>,
    piece: &Piece<'_>,
    turn: &Rotation,
    at: [f64; 2],
    spoke: &Vec3,
    facing: &Vec3,
    flat: f64,
) -> Option<[f64; 2]> {
    let [range_u, range_v] = piece.range;
    match &side.core {
        Core::Surface(_) => Some([range_u.at(at[0]), range_v.at(at[1])]),
        Core::Directed(s) => {
            let directions = s.at(at[0]);
            let d = facing - s.c;
            let u = if s.dim == 0 {
                directions.tangential.dot(&d)
            } else {
                at[0]
            };
            let v = directions.generator.dot(&d) - s.radius * s.sin;
            let slack = |r: &Interval| RANGE_SLACK * r.length() + flat;
            let inside = |t: f64, r: &Interval| (t - r.clamp(t)).abs() <= slack(r);
            let u_inside = s.dim == 1 || inside(u, &range_u);
            (u_inside && inside(v, &range_v)).then_some([u, v])
        }
        Core::Point(_) | Core::Arc(_) => {
            let local = turn.inverse() * spoke;
            match &piece.feature().shape {
                Shape::Face {
                    surface: Surface::Sphere(s),
                    ..
                } => {
                    let c = s.frame.local_vec(&local);
                    let t = [c.y.atan2(c.x), c.z.atan2(c.x.hypot(c.y))];
                    on_patch(piece, t, [true, false], s.radius)
                }
                Shape::Face {
                    surface: Surface::Torus(s),
                    ..
                } => {
                    let frame: &Frame = &s.frame;
                    let t = [
                        at[0],
                        frame.z.dot(&local).atan2(frame.radial(at[0]).dot(&local)),
                    ];
                    on_patch(piece, t, [false, true], s.minor)
                }
                Shape::Edge { .. }
                    if matches!(side.core, Core::Arc(super::side::Arc::Bezier(_))) =>
                {
                    Some([range_u.at(at[0]), 0.0])
                }
                Shape::Edge { .. } => Some([at[0], 0.0]),
                Shape::Face { .. } | Shape::Vertex { .. } => Some([0.0; 2]),
            }
        }
    }
}

/// Parameters moved by whole turns into the patch, if the point lies on it.
fn on_patch(piece: &Piece<'_>, t: [f64; 2], periodic: [bool; 2], radius: f64) -> Option<[f64; 2]> {
    let mut t = t;
    let ranges = piece.range;
    for k in 0..2 {
        if periodic[k] {
            let middle = ranges[k].mid();
            t[k] -= ((t[k] - middle) / TAU).round() * TAU;
        }
    }
    let nearest = [ranges[0].clamp(t[0]), ranges[1].clamp(t[1])];
    if nearest == t {
        return Some(t);
    }
    // At a pole any angle will do, so compare points and not parameters.
    let gap = (piece.point(t) - piece.point(nearest)).norm();
    (gap <= 2.0 * RANGE_SLACK * radius).then_some(nearest)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The distance between the points of two sides at some unknowns if that is what the reach is compared with.
    pub fn gap(problem: &Problem<'_>, at: &[f64; 4]) -> Option<f64> {
        if problem.x.radius > 0.0 || problem.y.radius > 0.0 || !problem.y.is_placed() {
            return None;
        }
        let n = problem.x.dim;
        let x = problem.x.model([at[0], at[1]], [1.0; 2]);
        let y = problem.y.model([at[n], at[n + 1]], [1.0; 2]);
        Some((x.p - y.p).norm())
    }
}
