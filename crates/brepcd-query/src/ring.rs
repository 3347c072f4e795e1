//! Samples of closed families: a pin centred in its hole, a disc flat on a plane, a ball in the middle of a bore.
//!
//! The samples are evenly spread over one of the two cores, in its own frame, so that they move with the part they are
//! on and do not jump from pose to pose. Each is paired with the nearest point of the other core, at its true distance,
//! so that a pose drifting through the exact family changes its contacts continuously.

use std::f64::consts::TAU;

use brepcd_geom::{Frame, Point3, Vec3};

use crate::candidates::{Candidate, Context};
use crate::carrier::Carrier;
use crate::critical::{self, Core, Pair, Pairs};
use crate::numeric::MARKS;

/// Samples of a whole ring.
const RING: usize = MARKS;

/// True if the distance along the ring that a core pair lies on varies too little to tell a minimum from the ring.
///
/// A circle that is off by `e` in a ring of radius `r` has a relative curvature of `e / r²` at its minimum, and the
/// distance varies by `2 e` along it.
pub(crate) fn is_near(context: &Context, pair: &Pair, least: f64) -> bool {
    if pair.family.is_some() {
        return false;
    }
    let radius = match sampled_side(context) {
        Some(side) => match side.core {
            Core::Circle(circle) => circle.radius,
            Core::Ellipse(ellipse) => ellipse.rx.max(ellipse.ry),
            _ => return false,
        },
        None => return false,
    };
    2.0 * least * radius * radius < context.tolerances.conformal
}

/// The core whose points are sampled, and the other one.
struct Sampled {
    core: Core,
    other: Core,
    /// True if the samples are on A.
    on_a: bool,
}

/// Edges before faces, the smaller circle first, A before B: the same choice whichever part is called A.
fn sampled_side(context: &Context) -> Option<Sampled> {
    let rank = |carrier: &Carrier| match carrier {
        Carrier::Circle(circle) => Some((0, circle.radius)),
        Carrier::Ellipse(ellipse) => Some((0, ellipse.rx.max(ellipse.ry))),
        Carrier::Torus(torus, _) => Some((1, torus.major)),
        _ => None,
    };
    let (a, b) = (rank(context.a), rank(context.b));
    let on_a = match (a, b) {
        (Some(a), Some(b)) => a.0 < b.0 || (a.0 == b.0 && a.1 <= b.1),
        (Some(_), None) => true,
        (None, Some(_)) => false,
        (None, None) => return None,
    };
    let (core, other) = if on_a {
        (context.a.core(), context.b.core())
    } else {
        (context.b.core(), context.a.core())
    };
    Some(Sampled { core, other, on_a })
}

/// Appends samples of the ring that a core pair stands for.
pub(crate) fn sample(context: &Context, pair: &Pair, out: &mut Vec<Candidate>) {
    match sampled_side(context) {
        Some(side) => on_curve(context, &side, pair, out),
        None => around_axis(context, pair, out),
    }
}

/// Samples on a circle or ellipse, each with the point of the other core at about the distance of the family.
fn on_curve(context: &Context, side: &Sampled, family: &Pair, out: &mut Vec<Candidate>) {
    let mut pairs = Pairs::new();
    for k in 0..RING {
        let t = TAU * k as f64 / RING as f64;
        let point = match &side.core {
            Core::Circle(circle) => circle.point(t),
            Core::Ellipse(ellipse) => ellipse.point(t),
            _ => return,
        };
        pairs.clear();
        let tolerance = &context.tolerances.critical;
        let _ = critical::stationary(&Core::Point(point), &side.other, tolerance, &mut pairs);
        let off = |pair: &Pair| (pair.distance() - family.distance()).abs();
        let nearest = pairs
            .as_slice()
            .iter()
            .min_by(|p, q| off(p).total_cmp(&off(q)));
        let Some(foot) = nearest.filter(|p| off(p) <= context.tolerances.conformal) else {
            continue;
        };
        let Some(direction) = foot.direction else {
            continue;
        };
        let mut pair = *foot;
        pair.ta = [t, 0.0];
        let (pair, direction) = if side.on_a {
            (pair, direction)
        } else {
            let swapped = Pair {
                a: pair.b,
                b: pair.a,
                ta: pair.tb,
                tb: pair.ta,
                ..pair
            };
            (swapped, -direction)
        };
        push(context, &pair, direction, k, out);
    }
}

/// Samples by turning a pair about the axis of a cone or cylinder: its partner is centred on that axis.
fn around_axis(context: &Context, pair: &Pair, out: &mut Vec<Candidate>) {
    let axis = |carrier: &Carrier| match carrier {
        Carrier::Cone(cone, _) => Some(cone.frame),
        Carrier::Cylinder(frame, ..) => Some(*frame),
        _ => None,
    };
    let Some(frame) = axis(context.a).or_else(|| axis(context.b)) else {
        return;
    };
    let Some(direction) = pair.direction else {
        return;
    };
    let turn = |p: &Point3, angle: f64| frame.origin + rotated(&frame, &(p - frame.origin), angle);
    for k in 0..RING {
        let angle = TAU * k as f64 / RING as f64;
        let turned = Pair {
            a: turn(&pair.a, angle),
            b: turn(&pair.b, angle),
            ta: turned_parameters(context.a, pair.ta, angle, &frame),
            tb: turned_parameters(context.b, pair.tb, angle, &frame),
            ..*pair
        };
        push(context, &turned, rotated(&frame, &direction, angle), k, out);
    }
}

/// The parameters of a cone's point turned about the axis of a frame; other cores keep theirs.
fn turned_parameters(carrier: &Carrier, t: [f64; 2], angle: f64, frame: &Frame) -> [f64; 2] {
    match carrier {
        Carrier::Cone(cone, _) => {
            let sense = cone.frame.z.dot(&frame.z).signum();
            [t[0] + angle * sense, t[1]]
        }
        _ => t,
    }
}

fn rotated(frame: &Frame, v: &Vec3, angle: f64) -> Vec3 {
    let (s, c) = angle.sin_cos();
    let local = frame.local_vec(v);
    frame.x * (local.x * c - local.y * s)
        + frame.y * (local.x * s + local.y * c)
        + frame.z * local.z
}

/// Appends samples where the two cores coincide and leave the direction open.
pub(crate) fn sample_free(context: &Context, pair: &Pair, out: &mut Vec<Candidate>) {
    if context.a.offset() == 0.0 && context.b.offset() == 0.0 {
        // Two edges or vertices touch: every direction in both polars is normal to both.
        out.push(context.touching(pair));
        return;
    }
    // Two curves that coincide here have a common tangent, or their direction would be known.
    let axis = free_axis(context.a, pair.ta).or_else(|| free_axis(context.b, pair.tb));
    let Some((axis, start)) = axis else {
        let directions = spread().enumerate();
        directions.for_each(|(k, direction)| push_once(context, pair, direction, k, out));
        return;
    };
    if let Some(frame) = Frame::from_z_and_hint(pair.a, axis, Some(start)) {
        for k in 0..RING {
            let direction = frame.radial(TAU * k as f64 / RING as f64);
            push_once(context, pair, direction, k, out);
        }
    }
}

/// Appends a sample; its opposite is one of the others.
fn push_once(
    context: &Context,
    pair: &Pair,
    direction: Vec3,
    index: usize,
    out: &mut Vec<Candidate>,
) {
    out.extend(context.sample(pair, direction, index));
}

/// The tangent of a core that is a curve, to which the direction is at right angles, and where to start; `None` for a
/// point.
fn free_axis(carrier: &Carrier, t: [f64; 2]) -> Option<(Vec3, Vec3)> {
    match carrier.core() {
        Core::Line(line) => Some((line.dir, carrier_x(carrier))),
        Core::Circle(circle) => Some((circle.frame.tangential(t[0]), circle.frame.z)),
        Core::Ellipse(ellipse) => Some((ellipse.jet(t[0]).d1, ellipse.frame.z)),
        Core::Point(_) | Core::Plane(_) | Core::Cone(_) => None,
    }
}

fn carrier_x(carrier: &Carrier) -> Vec3 {
    match carrier {
        Carrier::Cylinder(frame, ..) => frame.x,
        _ => Vec3::x(),
    }
}

/// Fourteen directions evenly spread: the axes and the corners of a cube.
pub(crate) fn spread() -> impl Iterator<Item = Vec3> {
    (0..27).filter_map(|k| {
        let at = |i: i32| f64::from(i - 1);
        let v = Vec3::new(at(k % 3), at(k / 3 % 3), at(k / 9));
        let ones = v.abs().sum();
        (ones == 1.0 || ones == 3.0).then(|| v.normalize())
    })
}

/// Appends a sample in both senses of its direction.
fn push(context: &Context, pair: &Pair, direction: Vec3, index: usize, out: &mut Vec<Candidate>) {
    out.extend(
        [direction, -direction]
            .map(|n| context.sample(pair, n, index))
            .into_iter()
            .flatten(),
    );
}
