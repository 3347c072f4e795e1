//! Curves that two faces have in common and that close within one pair of patches.
//!
//! Inside such a curve the depth of the one face below the other has a minimum or a maximum. From the middle of the
//! smaller patch the depth is followed down or up, to where it is on the other side of the depth looked for; between the
//! two lies a point of the curve. Where both normals stay apart there can be no such place (the normals are parallel at
//! the extremum), and nothing is done.

use super::crossing::place_below;
use super::facet::Facet;
use super::few::Few;
use super::scan;
use brepcd_geom::{Point3, Vec2};
use brepcd_tree::Where;
use std::cell::Cell;
use std::f64::consts::PI;

/// Steps towards an extremum at most.
const STEPS: usize = 24;
/// Share of the depth under which a further step gains nothing.
const GAIN: f64 = 0.01;
/// Factor on the second-order change of the depth over a patch that covers the rest.
const MARGIN: f64 = 2.0;
/// Places, as shares of the ranges, of which the best is another start to look for an extremum from.
const STARTS: [[f64; 2]; 5] = [[0.5, 0.5], [0.2, 0.2], [0.8, 0.2], [0.2, 0.8], [0.8, 0.8]];

/// Depth of a face below another as a function of parameters, with derivatives.
struct Height {
    value: f64,
    slope: Vec2,
    /// Second derivatives: uu, uv, vv.
    bend: [f64; 3],
}

/// A point of the smaller facet at the depth below the other, inside both domains, on a closed curve.
pub(super) fn closed(a: &Facet, b: &Facet, depth: f64) -> Option<Point3> {
    let (a, b) = if a.reach <= b.reach { (a, b) } else { (b, a) };
    let angle = a.normal.dot(&b.normal).clamp(-1.0, 1.0).acos();
    if angle.min(PI - angle) > a.spread + b.spread {
        return None;
    }
    let mut guess = None;
    let middle = a.middle();
    let first = height(a, b, depth, middle, &mut guess)?;
    if first.value.abs() > change_over_patch(a, &first) {
        return None;
    }
    let sign = if first.value < 0.0 { -1.0 } else { 1.0 };
    let [u, v] = a.ranges();
    let value = |at: [f64; 2]| b.depth(&a.piece.point(at), &mut guess.clone()) + depth;
    // The middle itself may be inside the curve; then it is over the other patch, and any way out crosses the curve.
    let ways = [
        [u.lo, v.mid()],
        [u.hi, v.mid()],
        [u.mid(), v.lo],
        [u.mid(), v.hi],
    ];
    if is_over(a, b, middle)
        && let Some(end) = ways.into_iter().find(|end| sign * value(*end) < 0.0)
        && let Some(point) = between(a, b, depth, middle, end, &first)
    {
        return Some(point);
    }
    let mut best = (sign * first.value, None);
    for start in STARTS {
        let start = [u.at(start[0]), v.at(start[1])];
        let value = sign * value(start);
        if value < best.0 {
            best = (value, Some(start));
        }
    }
    [Some(middle), best.1]
        .into_iter()
        .flatten()
        .filter_map(|start| beyond_zero(a, b, depth, start, sign))
        .filter(|end| is_over(a, b, *end))
        .find_map(|end| between(a, b, depth, middle, end, &first))
}

/// True if a place of `a` is over the ranges of `b`.
fn is_over(a: &Facet, b: &Facet, at: [f64; 2]) -> bool {
    let point = a.piece.point(at);
    (point - b.centre).norm() <= 2.0 * b.reach && b.in_ranges(b.over(&point, None).at)
}

fn height(
    a: &Facet,
    b: &Facet,
    depth: f64,
    at: [f64; 2],
    guess: &mut Option<[f64; 2]>,
) -> Option<Height> {
    let jet = a.piece.surface_jet(at)?;
    let (level, foot) = b.level(&jet.p, *guess);
    *guess = Some(foot);
    let turn = |x: &brepcd_geom::Vec3, y: &brepcd_geom::Vec3| {
        let [p, q] = &level.bends;
        p.1 * p.0.dot(x) * p.0.dot(y) + q.1 * q.0.dot(x) * q.0.dot(y)
    };
    let n = &level.normal;
    Some(Height {
        value: level.height + depth,
        slope: Vec2::new(n.dot(&jet.du), n.dot(&jet.dv)),
        bend: [
            n.dot(&jet.duu) + turn(&jet.du, &jet.du),
            n.dot(&jet.duv) + turn(&jet.du, &jet.dv),
            n.dot(&jet.dvv) + turn(&jet.dv, &jet.dv),
        ],
    })
}

/// How far the depth may change between the middle of a patch and its ends.
fn change_over_patch(a: &Facet, at_middle: &Height) -> f64 {
    let [u, v] = a.ranges().map(|r| 0.5 * r.length());
    let [uu, uv, vv] = at_middle.bend.map(f64::abs);
    let slope = at_middle.slope.x.abs() * u + at_middle.slope.y.abs() * v;
    slope + MARGIN * (0.5 * uu * u * u + uv * u * v + 0.5 * vv * v * v)
}

/// Follows the depth from a start towards zero; a place on the other side of zero than `sign`, if there is one on the
/// way.
fn beyond_zero(a: &Facet, b: &Facet, depth: f64, start: [f64; 2], sign: f64) -> Option<[f64; 2]> {
    let ranges = a.ranges();
    let guess = &mut None;
    let mut at = start;
    let mut here = height(a, b, depth, at, guess)?;
    for _ in 0..STEPS {
        if sign * here.value < 0.0 {
            return Some(at);
        }
        if bottom_is_above(&here, sign) {
            return None;
        }
        let step = downhill(&here, sign, ranges.map(|r| r.length()), |i, towards| {
            (at[i] <= ranges[i].lo && towards < 0.0) || (at[i] >= ranges[i].hi && towards > 0.0)
        });
        let mut share = 1.0;
        let mut gained = 0.0;
        while share > 1e-3 {
            let next = [0, 1].map(|i| ranges[i].clamp(at[i] + share * step[i]));
            let there = height(a, b, depth, next, guess)?;
            gained = sign * (here.value - there.value);
            if gained > 0.0 {
                (at, here) = (next, there);
                break;
            }
            share *= 0.25;
        }
        if gained <= GAIN * depth {
            break;
        }
    }
    (sign * here.value < 0.0).then_some(at)
}

/// True if the paraboloid that fits the depth has its extremum well on this side of zero.
fn bottom_is_above(here: &Height, sign: f64) -> bool {
    let [uu, uv, vv] = here.bend.map(|x| x * sign);
    let (x, y) = (here.slope.x, here.slope.y);
    let det = uu * vv - uv * uv;
    let drop = 0.5 * (vv * x * x - 2.0 * uv * x * y + uu * y * y) / det;
    uu > 0.0 && det > 0.0 && MARGIN * drop < sign * here.value
}

/// A step that lowers `sign` times the depth: Newton's where it leads to a minimum, else along the slope. Parameters
/// that are `blocked` stay.
fn downhill(
    here: &Height,
    sign: f64,
    sides: [f64; 2],
    blocked: impl Fn(usize, f64) -> bool,
) -> [f64; 2] {
    let slope = here.slope * sign;
    let [uu, uv, vv] = here.bend.map(|x| x * sign);
    let free = [0, 1].map(|i| !blocked(i, -slope[i]));
    // Along the slope half a side is a long way for a patch.
    let single = |i: usize, bend: f64| {
        if !free[i] || slope[i] == 0.0 {
            0.0
        } else if bend > 0.0 {
            (-slope[i] / bend).clamp(-sides[i], sides[i])
        } else {
            -0.5 * sides[i] * slope[i].signum()
        }
    };
    let det = uu * vv - uv * uv;
    if free[0] && free[1] && uu > 0.0 && det > 0.0 {
        let step = [
            (uv * slope.y - vv * slope.x) / det,
            (uv * slope.x - uu * slope.y) / det,
        ];
        if step[0].abs() <= sides[0] && step[1].abs() <= sides[1] {
            return step;
        }
    }
    [single(0, uu), single(1, vv)]
}

/// A point at the depth on the straight way between two places, inside both domains.
fn between(
    a: &Facet,
    b: &Facet,
    depth: f64,
    from: [f64; 2],
    to: [f64; 2],
    at_from: &Height,
) -> Option<Point3> {
    let way = Vec2::new(to[0] - from[0], to[1] - from[1]);
    let at = |t: f64| [from[0] + t * way.x, from[1] + t * way.y];
    let [uu, uv, vv] = at_from.bend.map(f64::abs);
    let bend = uu * way.x * way.x + 2.0 * (uv * way.x * way.y).abs() + vv * way.y * way.y;
    let guess = Cell::new(None);
    let value = |t: f64| {
        let mut from = guess.get();
        let found = b.depth(&a.piece.point(at(t)), &mut from);
        guess.set(from);
        found + depth
    };
    let range = brepcd_geom::Interval { lo: 0.0, hi: 1.0 };
    let mut found = Few::EMPTY;
    scan::zeros(value, range, MARGIN * bend, 0.1 * depth, &mut found);
    for &t in found.as_slice() {
        let point = a.piece.point(at(t));
        if place_below(b, &point, depth) == Where::Inside
            && a.place_within(at(t), depth) == Where::Inside
        {
            return Some(point);
        }
    }
    None
}
