//! Pcurves of loops and the closed domains they bound.
//!
//! A pcurve is never approximated: it is the inversion of the 3D curve on the surface, and only the branch (which turn
//! of a period, which side of a pole) is stored, as samples. A loop is followed edge by edge, each sample taking the
//! branch nearest to the one before, so seams need no special case. At a pole the angle is the limit along the edge's
//! tangent and the step between two edges is a straight segment along the pole.

use crate::integrate::CHUNK;
use crate::{Brep, Chain, Coedge, Domain, EdgeId, Face, Finding, Sample, Segment, Severity};
use brepcd_geom::{Curve, Point2, Surface, Vec2, Vec3};
use std::f64::consts::{FRAC_PI_2, TAU};

/// Samples on an edge that is straight in space but maybe not in the parameter plane.
const LINE_SAMPLES: usize = CHUNK;
/// Samples on a full turn of a conic.
const TURN_SAMPLES: f64 = 48.0;
/// Samples between two knots of a spline.
const SPAN_SAMPLES: usize = CHUNK;
/// Share of a period within which a loop counts as closing after whole turns.
const TURN_SLACK: f64 = 0.1;
/// Factor on the length tolerance above which a gap is reported.
const GAP_REPORT: f64 = 100.0;

/// Builds the domain of a face from its loops, noting what does not fit.
pub(crate) fn domain(brep: &Brep, face: &Face, findings: &mut Vec<Finding>) -> Domain {
    let periods = face.surface.periods();
    let mut chains = Vec::new();
    let mut wraps = Vec::new();
    for border in face.loops.iter().filter(|b| !b.coedges.is_empty()) {
        let mut chain = Chain::default();
        let mut last_pole_jump = None;
        for coedge in &border.coedges {
            follow(brep, face, coedge, &mut chain, &mut last_pole_jump);
        }
        let (Some(first), Some(last)) = (chain.segments.first(), chain.segments.last()) else {
            continue;
        };
        let (start, mut end) = (first.first(), last.last());
        // The step from the last edge to the first one may run along a pole as well.
        if let Some(pole) = pole_at(&face.surface, end.y, brep.tolerance.length)
            && last.edge.is_some()
            && pole_at(&face.surface, start.y, brep.tolerance.length) == Some(pole)
        {
            last_pole_jump = Some(chain.segments.len());
        }
        let mut turns = [0.0; 2];
        for axis in 0..2 {
            if let Some(period) = periods[axis] {
                let gap = (end[axis] - start[axis]) / period;
                if (gap - gap.round()).abs() < TURN_SLACK || last_pole_jump.is_none() {
                    turns[axis] = gap.round();
                }
            }
        }
        if let (Some(at), Some(period)) = (last_pole_jump, periods[0])
            && turns[0] != 0.0
        {
            let back = Vec2::new(-turns[0] * period, 0.0);
            chain.segments[at..].iter_mut().for_each(|s| s.shift(back));
            relink(&mut chain, at);
            turns[0] = 0.0;
            end = chain.segments[chain.segments.len() - 1].last();
        }
        let turn = Vec2::new(
            turns[0] * periods[0].unwrap_or(0.0),
            turns[1] * periods[1].unwrap_or(0.0),
        );
        let goal = start + turn;
        report_gap(brep, face, border.label, end, goal, findings);
        if end != goal {
            chain.segments.push(Segment::straight(end, goal));
        }
        if turn == Vec2::zeros() {
            chains.push(chain);
        } else {
            wraps.push((chain, turn));
        }
    }
    close_wraps(face, &mut chains, wraps, findings);
    if chains.len() > 1 {
        mend_nesting(face, &mut chains, findings);
    }
    Domain { chains, whole: 0 }
}

/// True when the only loop of a face leaves all of an unbounded surface but a patch on its left, although its
/// neighbours run along its edges as they should: then the file has the sense of the surface wrong.
pub(crate) fn is_inside_out(brep: &Brep, face: &Face, domain: &Domain) -> bool {
    let unbounded = match &face.surface {
        Surface::Plane(_) | Surface::Cylinder(_) | Surface::Cone(_) => true,
        Surface::Nurbs(n) => n.periods() == [None, None],
        Surface::Sphere(_) | Surface::Torus(_) => false,
    };
    let ([border], [chain], true) = (face.loops.as_slice(), domain.chains.as_slice(), unbounded)
    else {
        return false;
    };
    let sign = if face.same_sense { 1.0 } else { -1.0 };
    let agreed = |c: &Coedge| matches!(brep.edges[c.edge.index()].uses.as_slice(), [a, b] if a.forward != b.forward);
    chain.signed_area() * sign < 0.0 && border.coedges.iter().all(agreed)
}

/// Closes loops that run around a period over one common line, whose pieces cancel (or vanish at a pole).
fn close_wraps(
    face: &Face,
    chains: &mut Vec<Chain>,
    wraps: Vec<(Chain, Vec2)>,
    findings: &mut Vec<Finding>,
) {
    let Some((first, _)) = wraps.first() else {
        return;
    };
    let mut anchor = first.segments[0].first();
    let pole = face.surface.poles().into_iter().flatten().next();
    if let Some(pole) = pole {
        anchor.y = pole;
    }
    let total: Vec2 = wraps.iter().map(|(_, turn)| turn).sum();
    if pole.is_none() && total.norm() > 0.0 {
        findings.push(Finding {
            severity: Severity::Error,
            label: face.label,
            face: None,
            edge: None,
            message: "the loops around the period do not bound the face on both sides".into(),
        });
    }
    for (mut chain, turn) in wraps {
        let start = chain.segments[0].first();
        chain
            .segments
            .push(Segment::straight(start + turn, anchor + turn));
        chain
            .segments
            .push(Segment::straight(anchor + turn, anchor));
        chain.segments.push(Segment::straight(anchor, start));
        chains.push(chain);
    }
}

/// Turns loops whose direction contradicts their nesting, on surfaces where nesting has a meaning.
fn mend_nesting(face: &Face, chains: &mut [Chain], findings: &mut Vec<Finding>) {
    if face.surface.periods().iter().any(Option::is_some) {
        return;
    }
    let sign = if face.same_sense { 1.0 } else { -1.0 };
    for i in 0..chains.len() {
        let probe = chains[i].segments[0].first();
        let depth = (0..chains.len())
            .filter(|&j| j != i)
            .filter(|&j| encloses(&chains[j], probe))
            .count();
        let wanted = if depth % 2 == 0 { sign } else { -sign };
        if chains[i].signed_area() * wanted < 0.0 {
            chains[i].reverse();
            findings.push(Finding {
                severity: Severity::Note,
                label: face.label,
                face: None,
                edge: None,
                message: "a loop ran the wrong way round for its nesting and was reversed".into(),
            });
        }
    }
}

fn encloses(chain: &Chain, q: Point2) -> bool {
    chain.winding(q) != 0
}

/// Appends the pcurve of one coedge.
fn follow(
    brep: &Brep,
    face: &Face,
    coedge: &Coedge,
    chain: &mut Chain,
    last_pole_jump: &mut Option<usize>,
) {
    let edge = &brep.edges[coedge.edge.index()];
    let tol = brep.tolerance.length;
    let [t0, t1] = if coedge.forward {
        edge.t
    } else {
        [edge.t[1], edge.t[0]]
    };
    let mut stops = vec![t0];
    for pole in face.surface.poles().into_iter().flatten() {
        let (u, _) = face.surface.domain();
        let apex = face
            .surface
            .point(if u.lo.is_finite() { u.lo } else { 0.0 }, pole);
        let foot = edge.curve.nearest(&apex, edge.range());
        let inside = (foot.t - t0) / (t1 - t0);
        if foot.distance < tol && inside > POLE_END && inside < 1.0 - POLE_END {
            stops.push(foot.t);
        }
    }
    stops.push(t1);
    stops[1..].sort_by(|a, b| ((a - t0) * (t1 - t0)).total_cmp(&((b - t0) * (t1 - t0))));
    for part in stops.windows(2) {
        let previous = chain.segments.last().map(Segment::last);
        let mut segment = sample(brep, face, coedge.edge, [part[0], part[1]], previous);
        if let Some(end) = previous {
            let start = segment.first();
            let on_pole = pole_at(&face.surface, end.y, tol)
                .filter(|p| pole_at(&face.surface, start.y, tol) == Some(*p));
            if let (Some(pole), Some(period)) = (on_pole, face.surface.periods()[0]) {
                // The face lies on the left of the step along the pole: its direction is known.
                let high = face.surface.poles()[1] == Some(pole);
                let ahead = if high == face.same_sense { -1.0 } else { 1.0 };
                let step = ((start.x - end.x) * ahead).rem_euclid(period);
                let step = if period - step < ANGLE_NOISE {
                    0.0
                } else {
                    step
                };
                segment.shift(Vec2::new(end.x + ahead * step - start.x, 0.0));
                *last_pole_jump = Some(chain.segments.len() + 1);
                chain.segments.push(Segment::straight(end, segment.first()));
            } else if end != start {
                chain.segments.push(Segment::straight(end, start));
            }
        }
        chain.segments.push(segment);
    }
}

/// Share of an edge from its ends within which a pole counts as the end itself.
const POLE_END: f64 = 1e-7;
/// Angle below which a step of nearly a full turn is none.
const ANGLE_NOISE: f64 = 1e-6;

/// Samples the pcurve of an edge between two parameters, on the branch nearest to `previous`.
fn sample(brep: &Brep, face: &Face, id: EdgeId, t: [f64; 2], previous: Option<Point2>) -> Segment {
    let edge = &brep.edges[id.index()];
    let surface = &face.surface;
    let tol = brep.tolerance.length;
    let mut samples: Vec<Sample> = Vec::new();
    let mut guess = previous.map(|p| (p.x, p.y));
    for t in parameters(&edge.curve, surface, t) {
        let (u, v) = surface.invert(&edge.jet(t).p, guess);
        samples.push(Sample {
            t,
            uv: Point2::new(u, v),
        });
        guess = Some((u, v));
    }
    let n = samples.len();
    for (end, inner, sign) in [(0, 1, 1.0), (n - 1, n - 2, -1.0)] {
        if let Some(pole) = pole_at(surface, samples[end].uv.y, tol)
            && (surface.point(samples[end].uv.x, pole) - edge.jet(samples[end].t).p).norm() < tol
        {
            let direction = edge.jet(samples[end].t).d1 * (sign * (t[1] - t[0]).signum());
            let near = samples[inner].uv.x;
            let u = pole_angle(surface, &direction).unwrap_or(near);
            samples[end].uv = Point2::new(u + ((near - u) / TAU).round() * TAU, pole);
        }
    }
    // A start on a pole has no branch of its own: redo the branch choice from the second sample on.
    if let (Some(previous), Some(period)) = (previous, surface.periods()[0])
        && pole_at(surface, samples[0].uv.y, tol).is_none()
    {
        let turns = ((previous.x - samples[0].uv.x) / period).round();
        let by = Vec2::new(turns * period, 0.0);
        samples.iter_mut().for_each(|s| s.uv += by);
    }
    Segment {
        edge: Some(id),
        samples,
    }
}

/// The pole whose line a point with this `v` lies on, within a length tolerance.
fn pole_at(surface: &Surface, v: f64, tol: f64) -> Option<f64> {
    let scale = match surface {
        Surface::Sphere(s) => s.radius,
        Surface::Torus(t) => t.minor,
        Surface::Cone(_) | Surface::Plane(_) | Surface::Cylinder(_) => 1.0,
        Surface::Nurbs(n) => {
            let (_, v) = n.domain();
            n.size() / v.length().max(f64::MIN_POSITIVE)
        }
    };
    surface
        .poles()
        .into_iter()
        .flatten()
        .find(|p| (p - v).abs() * scale < tol)
}

/// The angle under which a curve leaves the pole of a surface of revolution.
fn pole_angle(surface: &Surface, direction: &Vec3) -> Option<f64> {
    let (frame, flipped) = match surface {
        Surface::Sphere(s) => (&s.frame, false),
        Surface::Cone(c) => (&c.frame, false),
        Surface::Torus(t) => {
            let middle = surface.domain().1.mid();
            (&t.frame, t.major + t.minor * middle.cos() < 0.0)
        }
        Surface::Plane(_) | Surface::Cylinder(_) | Surface::Nurbs(_) => return None,
    };
    let local = frame.local_vec(direction);
    if local.xy().norm() <= ANGLE_NOISE * local.norm() {
        return None;
    }
    let u = local.y.atan2(local.x);
    Some(if flipped { u + 2.0 * FRAC_PI_2 } else { u })
}

/// Parameters at which an edge is sampled, in running order.
fn parameters(curve: &Curve, surface: &Surface, t: [f64; 2]) -> Vec<f64> {
    let on_plane = matches!(surface, Surface::Plane(_));
    let pieces = |n: usize, a: f64, b: f64, out: &mut Vec<f64>| {
        out.extend((1..=n).map(|i| {
            if i == n {
                b
            } else {
                a + (b - a) * i as f64 / n as f64
            }
        }));
    };
    let mut out = vec![t[0]];
    match curve {
        Curve::Line(_) => pieces(
            if on_plane { 1 } else { LINE_SAMPLES },
            t[0],
            t[1],
            &mut out,
        ),
        Curve::Circle(_) | Curve::Ellipse(_) => {
            let n = ((t[1] - t[0]).abs() / TAU * TURN_SAMPLES).ceil().max(4.0) as usize;
            pieces(n.min(4 * TURN_SAMPLES as usize), t[0], t[1], &mut out);
        }
        Curve::Hyperbola(_) | Curve::Parabola(_) => pieces(4 * LINE_SAMPLES, t[0], t[1], &mut out),
        Curve::Nurbs(_) => {
            let mut knots = curve.breaks(brepcd_geom::Interval::new(t[0], t[1]));
            if t[1] < t[0] {
                knots.reverse();
            }
            knots.retain(|k| (k - t[0]) * (k - t[1]) < 0.0);
            knots.push(t[1]);
            let n = if knots.len() < 4 {
                2 * SPAN_SAMPLES
            } else {
                SPAN_SAMPLES
            };
            let mut from = t[0];
            for knot in knots {
                pieces(n, from, knot, &mut out);
                from = knot;
            }
        }
    }
    out
}

/// Makes the segment before `at` end where the one at `at` starts.
fn relink(chain: &mut Chain, at: usize) {
    if at == 0 || at >= chain.segments.len() {
        return;
    }
    let start = chain.segments[at].first();
    let before = &mut chain.segments[at - 1];
    if before.edge.is_none() {
        let last = before.samples.len() - 1;
        before.samples[last].uv = start;
    } else {
        let end = before.last();
        chain.segments.insert(at, Segment::straight(end, start));
    }
}

fn report_gap(
    brep: &Brep,
    face: &Face,
    label: Option<u64>,
    end: Point2,
    goal: Point2,
    findings: &mut Vec<Finding>,
) {
    let gap = (face.surface.point(end.x, end.y) - face.surface.point(goal.x, goal.y)).norm();
    if gap.is_nan() || gap > GAP_REPORT * brep.tolerance.length {
        findings.push(Finding {
            severity: Severity::Warning,
            label: label.or(face.label),
            face: None,
            edge: None,
            message: format!("the loop does not close: its ends are {gap:.3e} mm apart"),
        });
    }
}
