//! Intersection curves of truck, which are a rough leading curve and two surfaces, as splines.
//!
//! Newton's method pulls points of the leader onto both surfaces within the plane across it. Cubic Hermite pieces with
//! the exact tangents `n0 × n1` join them; a piece whose middle is off the intersection is halved.

use crate::curve::{self, CurveError};
use crate::{point, surface};
use brepcd_brep::Tolerance;
use brepcd_geom::nurbs::{NurbsCurve, lift};
use brepcd_geom::{Point3, Surface, Vec3};
use nalgebra::Matrix3;
use truck_modeling::{IntersectionCurve, Leader, Surface as TruckSurface};

/// Largest deviation of the spline's middles as a share of the length tolerance.
const FIT_SHARE: f64 = 0.1;
/// Newton steps at most.
const STEPS: usize = 40;
/// Newton's last step as a share of the length tolerance.
const LAST_STEP_SHARE: f64 = 1e-6;
/// Halvings of a piece at most.
const HALVINGS: usize = 14;
/// Samples per span of a spline that leads.
const PER_SPAN: usize = 4;
/// Sine of the angle between the surfaces under which they count as tangent.
const TANGENT_SINE: f64 = 1e-9;

#[derive(Clone, Copy)]
struct Node {
    p: Point3,
    /// Unit, `n0 × n1`, not yet turned along the curve.
    tangent: Vec3,
}

pub(crate) fn spline(
    curve: &IntersectionCurve<Leader, TruckSurface>,
    tol: &Tolerance,
) -> Result<NurbsCurve, CurveError> {
    let leader = leading_points(curve.leader(), tol)?;
    let nowhere = || CurveError::Apart(leader.first().copied().unwrap_or_else(Point3::origin));
    let surfaces = [curve.surface0(), curve.surface1()]
        .map(|s| surface::convert(s, tol).ok().map(|found| found.surface));
    let [Some(s0), Some(s1)] = surfaces else {
        return Err(nowhere());
    };
    let meet = Meet {
        surfaces: [s0, s1],
        tol: tol.length,
    };
    let mut nodes: Vec<Node> = Vec::with_capacity(leader.len());
    for (i, p) in leader.iter().enumerate() {
        let across = leader[(i + 1).min(leader.len() - 1)] - leader[i.saturating_sub(1)];
        let node = meet.near(p, &across).ok_or(CurveError::Apart(*p))?;
        let Some(last) = nodes.last().copied() else {
            nodes.push(node);
            continue;
        };
        if (node.p - last.p).norm() > tol.length {
            meet.join(last, node, HALVINGS, &mut nodes)?;
        }
    }
    if nodes.len() < 2 {
        return Err(nowhere());
    }
    hermite(&nodes)
}

/// The points of a leading polyline, or points along a leading spline, ends included.
fn leading_points(leader: &Leader, tol: &Tolerance) -> Result<Vec<Point3>, CurveError> {
    let points: Vec<Point3> = match leader {
        Leader::Polyline(line) => line.0.iter().map(|p| point(*p)).collect(),
        Leader::BSpline(c) => {
            let c = curve::polynomial(c)?;
            let domain = c.domain();
            let mut ends = vec![domain.lo];
            ends.extend(c.breaks(domain));
            ends.push(domain.hi);
            let inner = ends.windows(2).flat_map(|w| {
                let [a, b] = [w[0], w[1]];
                (0..PER_SPAN).map(move |i| a + (b - a) * i as f64 / PER_SPAN as f64)
            });
            inner.chain([domain.hi]).map(|t| c.point(t)).collect()
        }
    };
    let mut distinct: Vec<Point3> = Vec::with_capacity(points.len());
    for p in points {
        if distinct.last().is_none_or(|q| (p - q).norm() > tol.length) {
            distinct.push(p);
        }
    }
    Ok(distinct)
}

struct Meet {
    surfaces: [Surface; 2],
    tol: f64,
}

impl Meet {
    /// The common point of both surfaces in the plane through `p` across the given direction.
    fn near(&self, p: &Point3, across: &Vec3) -> Option<Node> {
        let across = across.try_normalize(0.0)?;
        let mut q = *p;
        let mut guess = [None; 2];
        for _ in 0..STEPS {
            let (mut rows, mut right) = ([across; 3], Vec3::zeros());
            right.z = across.dot(&(p - q));
            for (i, s) in self.surfaces.iter().enumerate() {
                let (u, v) = s.invert(&q, guess[i]);
                guess[i] = Some((u, v));
                rows[i] = s.normal(u, v)?;
                right[i] = rows[i].dot(&(s.point(u, v) - q));
            }
            let tangent = rows[0].cross(&rows[1]).try_normalize(TANGENT_SINE)?;
            let m =
                Matrix3::from_rows(&[rows[0].transpose(), rows[1].transpose(), across.transpose()]);
            let step = m.lu().solve(&right)?;
            q += step;
            if step.norm() <= LAST_STEP_SHARE * self.tol {
                return Some(Node { p: q, tangent });
            }
        }
        None
    }

    /// Appends the nodes after `a` up to `b`.
    fn join(
        &self,
        a: Node,
        b: Node,
        halvings: usize,
        out: &mut Vec<Node>,
    ) -> Result<(), CurveError> {
        let [_, p, q, _] = handles(&a, &b);
        let middle = Point3::from((a.p.coords + b.p.coords + 3.0 * (p.coords + q.coords)) / 8.0);
        let node = self
            .near(&middle, &(b.p - a.p))
            .ok_or(CurveError::Apart(middle))?;
        if halvings == 0 || (node.p - middle).norm() <= FIT_SHARE * self.tol {
            out.push(b);
            return Ok(());
        }
        self.join(a, node, halvings - 1, out)?;
        self.join(node, b, halvings - 1, out)
    }
}

/// Control points of the cubic from one node to the next, its speed about 1.
fn handles(a: &Node, b: &Node) -> [Point3; 4] {
    let chord = b.p - a.p;
    let along = |t: Vec3| if t.dot(&chord) < 0.0 { -t } else { t };
    let third = chord.norm() / 3.0;
    [
        a.p,
        a.p + along(a.tangent) * third,
        b.p - along(b.tangent) * third,
        b.p,
    ]
}

/// The spline through the nodes over the length of their chords; its knots are double.
fn hermite(nodes: &[Node]) -> Result<NurbsCurve, CurveError> {
    let mut knots = vec![0.0; 4];
    let mut control = vec![lift(&nodes[0].p, 1.0)];
    let mut length = 0.0;
    for pair in nodes.windows(2) {
        let [_, p, q, end] = handles(&pair[0], &pair[1]);
        length += (end - pair[0].p).norm();
        control.extend([p, q].map(|p| lift(&p, 1.0)));
        knots.extend([length; 2]);
    }
    control.extend(nodes.last().map(|n| lift(&n.p, 1.0)));
    knots.extend([length; 2]);
    Ok(NurbsCurve::new(3, knots, control)?)
}
