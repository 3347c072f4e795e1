//! The axes of a part, and the sleeves of its nodes about them.

use std::collections::BTreeMap;
use std::ops::Range;

use brepcd_geom::nurbs::{NurbsCurve, project};
use brepcd_geom::surface::TorusShape;
use brepcd_geom::{Aabb, Curve, Frame, Interval, Point3, Surface, Vec3};
use brepcd_tree::{Content, FeatureId, Membership, Node, Patch, PatchId, Shape, TreePart, Where};

use crate::part::Brief;
use crate::sleeve::{Axis, Fan, Sleeve};

/// Axes of a part at most: those that most patches turn about.
pub const AXES: usize = 8;
/// Sine of the angle within which two axes are one.
const SAME_DIRECTION: f64 = 1e-6;
/// Distance within which two axes are one, relative to the part's size.
const SAME_PLACE: f64 = 1e-6;

/// How far beyond its border a point of a face may lie, in tolerances of borders.
const BESIDE: f64 = 2.0;

/// Fills in the sleeves of a part's nodes and returns its axes; none, and no sleeves, if nothing turns about one.
pub fn fill(part: &TreePart, briefs: &mut [Brief]) -> Vec<Axis> {
    let Some(root) = part.nodes.first() else {
        return Vec::new();
    };
    let size = root.obb.half.norm();
    let (axes, of_features) = axes(part, SAME_PLACE * size);
    if axes.is_empty() {
        return axes;
    }
    let chosen = chosen(part, &of_features);
    let rounding = SAME_PLACE * size;
    let mut annuli = Annuli::of(part);
    // Children come after their parent.
    for (index, node) in part.nodes.iter().enumerate().rev() {
        let at = chosen[index];
        let axis = &axes[usize::from(at)];
        let around = Sleeve::of_box(&node.obb, axis);
        let sleeve = match node.content {
            Content::Leaf(patch) => of_patch(part, patch, node, (at, axis), rounding, &mut annuli)
                .map_or(around, |own| own.within(&around)),
            Content::Inner(children) => {
                let [a, b] = children.map(|child| {
                    let brief = &briefs[child.index()];
                    if brief.axis == at {
                        brief.sleeve
                    } else {
                        Sleeve::of_box(&part.nodes[child.index()].obb, axis)
                    }
                });
                let both = a.merged(&b);
                both.within(&around)
            }
        };
        (briefs[index].axis, briefs[index].sleeve) = (at, sleeve);
    }
    axes
}

/// The frame whose `z` a canonical surface or an arc turns about.
fn turning_frame(shape: &Shape) -> Option<&Frame> {
    match shape {
        Shape::Face { surface, .. } => match surface {
            Surface::Cylinder(s) => Some(&s.frame),
            Surface::Cone(s) => Some(&s.frame),
            Surface::Torus(s) => Some(&s.frame),
            Surface::Plane(_) | Surface::Sphere(_) | Surface::Nurbs(_) => None,
        },
        Shape::Edge {
            curve: Curve::Circle(c),
            ..
        } => Some(&c.frame),
        Shape::Edge { .. } | Shape::Vertex { .. } => None,
    }
}

fn is_axis(frame: &Frame, axis: &Axis, place: f64) -> bool {
    frame.z.cross(&axis.dir).norm() <= SAME_DIRECTION && axis.coordinates(&frame.origin)[0] <= place
}

/// The axes that most patches turn about, and for every feature its axis.
fn axes(part: &TreePart, place: f64) -> (Vec<Axis>, Vec<Option<u8>>) {
    let mut weights = vec![0usize; part.features.len()];
    for patch in &part.patches {
        weights[patch.feature.index()] += 1;
    }
    let mut found: Vec<(usize, Axis)> = Vec::new();
    for (feature, weight) in part.features.iter().zip(&weights) {
        let Some(frame) = turning_frame(&feature.shape) else {
            continue;
        };
        match found
            .iter_mut()
            .find(|(_, axis)| is_axis(frame, axis, place))
        {
            Some((total, _)) => *total += weight,
            None => {
                let axis = Axis {
                    origin: frame.origin,
                    dir: frame.z,
                };
                found.push((*weight, axis));
            }
        }
    }
    // Stable: of equal weights the one that was found first.
    found.sort_by_key(|(weight, _)| std::cmp::Reverse(*weight));
    found.truncate(AXES);
    let axes: Vec<Axis> = found.into_iter().map(|(_, axis)| axis).collect();
    let of_features = part.features.iter().map(|feature| {
        let frame = turning_frame(&feature.shape)?;
        let at = axes.iter().position(|axis| is_axis(frame, axis, place))?;
        u8::try_from(at).ok()
    });
    let of_features = of_features.collect();
    (axes, of_features)
}

/// The axis of every node: that of most patches below, or that of its parent if none of them has one.
fn chosen(part: &TreePart, of_features: &[Option<u8>]) -> Vec<u8> {
    let count = part.nodes.len();
    let mut own: Vec<(Option<u8>, usize)> = vec![(None, 0); count];
    for (index, node) in part.nodes.iter().enumerate().rev() {
        own[index] = match node.content {
            Content::Leaf(patch) => {
                let axis = of_features[part.patches[patch.index()].feature.index()];
                (axis, usize::from(axis.is_some()))
            }
            Content::Inner(children) => {
                let [a, b] = children.map(|child| own[child.index()]);
                match () {
                    () if a.0 == b.0 => (a.0, a.1 + b.1),
                    () if a.1 >= b.1 => a,
                    () => b,
                }
            }
        };
    }
    let mut chosen = vec![0; count];
    for index in 0..count {
        if let Some(axis) = own[index].0 {
            chosen[index] = axis;
        }
        if let Content::Inner(children) = part.nodes[index].content {
            for child in children {
                chosen[child.index()] = chosen[index];
            }
        }
    }
    chosen
}

/// The sleeve of a patch that turns about the axis, or is flat across it; `None` for others.
fn of_patch(
    part: &TreePart,
    id: PatchId,
    node: &Node,
    (at, axis): (u8, &Axis),
    rounding: f64,
    annuli: &mut Annuli,
) -> Option<Sleeve> {
    let patch = &part.patches[id.index()];
    let shape = &part.features[patch.feature.index()].shape;
    let sleeve = match shape {
        Shape::Face {
            surface,
            same_sense,
            ..
        } => {
            let border = part.header.settings.border;
            let mut sleeve = of_face(surface, patch, axis, rounding, border)?;
            if let Surface::Plane(_) = surface {
                let [near, far] = annuli.get(part, patch.feature, at, axis);
                // Points count as on the border a little beyond its curves, which are where the source has them.
                let slack = BESIDE * border + part.header.tolerance;
                sleeve.rho = [(near - slack).max(0.0), far + slack];
            }
            if !same_sense {
                sleeve.fan = sleeve.fan.reversed();
            }
            sleeve
        }
        Shape::Edge {
            curve: Curve::Circle(circle),
            sides,
            ..
        } => {
            if !is_axis(&circle.frame, axis, rounding) {
                return None;
            }
            let p = circle.point(patch.u.mid());
            let [_, z] = axis.coordinates(&p);
            Sleeve {
                rho: [circle.radius; 2],
                z: [z; 2],
                fan: wedge(part, sides, &p, axis, rounding).unwrap_or(Fan::WHOLE),
            }
        }
        Shape::Edge { .. } => return None,
        Shape::Vertex { point, .. } => Sleeve::of_point(point, axis),
    };
    let reach = node.obb.half.norm() + axis.coordinates(&node.obb.centre)[0];
    Some(sleeve.grown(rounding + SAME_DIRECTION * reach))
}

/// The sleeve of a patch of a surface, with the directions of `du × dv`.
fn of_face(
    surface: &Surface,
    patch: &Patch,
    axis: &Axis,
    rounding: f64,
    border: f64,
) -> Option<Sleeve> {
    let v = patch.v;
    // Along or against the axis, and where its origin is.
    let place = |frame: &Frame| {
        is_axis(frame, axis, rounding).then(|| {
            let [_, z] = axis.coordinates(&frame.origin);
            (frame.z.dot(&axis.dir).signum(), z)
        })
    };
    let heights = |(sign, z): (f64, f64), at: [f64; 2]| {
        let ends = at.map(|t| z + sign * t);
        [ends[0].min(ends[1]), ends[0].max(ends[1])]
    };
    let ordered = |a: f64, b: f64| [a.min(b), a.max(b)];
    let single = |angle: f64| Fan::between(angle, angle);
    let arc = |(sign, z): (f64, f64), major: f64, minor: f64, range: Interval| {
        let slack = border / minor;
        let (sines, cosines) = (extent_of_sine(range), extent_of_sine(quarter_on(range)));
        let rho = cosines.map(|c| major + minor * c);
        let least = if rho[0] * rho[1] < 0.0 {
            0.0
        } else {
            rho[0].abs().min(rho[1].abs())
        };
        let fan = if sign > 0.0 {
            Fan::between(range.lo - slack, range.hi + slack)
        } else {
            Fan::between(-range.hi - slack, -range.lo + slack)
        };
        Sleeve {
            rho: [least, rho[0].abs().max(rho[1].abs())],
            z: heights((sign, z), sines.map(|s| minor * s)),
            fan,
        }
    };
    match surface {
        Surface::Cylinder(s) => Some(Sleeve {
            rho: [s.radius; 2],
            z: heights(place(&s.frame)?, [v.lo, v.hi]),
            fan: single(0.0),
        }),
        Surface::Cone(s) => {
            let at = place(&s.frame)?;
            let (sin, cos) = s.half_angle.sin_cos();
            let [near, far] = [v.lo, v.hi].map(|v| s.radius + v * sin);
            let rho = ordered(near.abs(), far.abs());
            Some(Sleeve {
                rho: if near * far < 0.0 { [0.0, rho[1]] } else { rho },
                z: heights(at, [v.lo * cos, v.hi * cos]),
                fan: if near * far < 0.0 || near < 0.0 {
                    Fan::WHOLE
                } else {
                    single(-at.0 * s.half_angle)
                },
            })
        }
        Surface::Sphere(s) => Some(arc(place(&s.frame)?, 0.0, s.radius, v)),
        Surface::Torus(s) if s.shape == TorusShape::Ring => {
            Some(arc(place(&s.frame)?, s.major, s.minor, v))
        }
        Surface::Torus(_) => None,
        Surface::Plane(s) => {
            let along = s.frame.z.dot(&axis.dir);
            if s.frame.z.cross(&axis.dir).norm() > SAME_DIRECTION {
                return None;
            }
            let [_, z] = axis.coordinates(&s.frame.origin);
            Some(Sleeve {
                rho: [0.0, f64::INFINITY],
                z: [z; 2],
                fan: single(along.signum() * std::f64::consts::FRAC_PI_2),
            })
        }
        Surface::Nurbs(_) => None,
    }
}

/// The range of the sine over a range of angles.
fn extent_of_sine(range: Interval) -> [f64; 2] {
    use std::f64::consts::{FRAC_PI_2, TAU};
    let holds = |angle: f64| (angle - range.lo).rem_euclid(TAU) <= range.length();
    let ends = [range.lo.sin(), range.hi.sin()];
    [
        if holds(-FRAC_PI_2) {
            -1.0
        } else {
            ends[0].min(ends[1])
        },
        if holds(FRAC_PI_2) {
            1.0
        } else {
            ends[0].max(ends[1])
        },
    ]
}

fn quarter_on(range: Interval) -> Interval {
    let quarter = std::f64::consts::FRAC_PI_2;
    Interval {
        lo: range.lo + quarter,
        hi: range.hi + quarter,
    }
}

/// The directions between the normals of an edge's sides, if both are in the half-plane everywhere.
fn wedge(
    part: &TreePart,
    sides: &[FeatureId; 2],
    p: &Point3,
    axis: &Axis,
    place: f64,
) -> Option<Fan> {
    if sides[0] == sides[1] {
        return None;
    }
    let normal = |side: FeatureId| {
        let Shape::Face {
            surface,
            same_sense,
            ..
        } = &part.features[side.index()].shape
        else {
            return None;
        };
        let turns = match surface {
            Surface::Plane(s) => s.frame.z.cross(&axis.dir).norm() <= SAME_DIRECTION,
            Surface::Cylinder(s) => is_axis(&s.frame, axis, place),
            Surface::Cone(s) => is_axis(&s.frame, axis, place),
            Surface::Torus(s) => is_axis(&s.frame, axis, place),
            Surface::Sphere(s) => axis.coordinates(&s.frame.origin)[0] <= place,
            Surface::Nurbs(_) => false,
        };
        let (u, v) = surface.invert(p, None);
        let n = turns.then(|| surface.normal(u, v)).flatten()?;
        let n = if *same_sense { n } else { -n };
        let to = p - axis.origin;
        let away: Vec3 = to - axis.dir * axis.dir.dot(&to);
        Some([away.try_normalize(place)?.dot(&n), axis.dir.dot(&n)])
    };
    Some(Fan::of_two(normal(sides[0])?, normal(sides[1])?))
}

/// Least and largest distances from an axis of faces that are flat across it, as they are asked for.
struct Annuli {
    /// For every feature where its patches begin and end.
    patches: Vec<[usize; 2]>,
    /// What is known of features, about each axis.
    known: BTreeMap<(FeatureId, u8), [f64; 2]>,
}

impl Annuli {
    fn of(part: &TreePart) -> Self {
        let mut patches = vec![[usize::MAX, 0]; part.features.len()];
        for (index, patch) in part.patches.iter().enumerate() {
            let range = &mut patches[patch.feature.index()];
            *range = [range[0].min(index), index + 1];
        }
        Self {
            patches,
            known: BTreeMap::new(),
        }
    }

    fn get(&mut self, part: &TreePart, feature: FeatureId, at: u8, axis: &Axis) -> [f64; 2] {
        let [start, end] = self.patches[feature.index()];
        let known = self.known.entry((feature, at));
        *known.or_insert_with(|| annulus(part, feature, start..end, axis))
    }
}

/// Least and largest distance from the axis of a face that is flat across it.
fn annulus(part: &TreePart, feature: FeatureId, patches: Range<usize>, axis: &Axis) -> [f64; 2] {
    let shape = &part.features[feature.index()].shape;
    let Shape::Face {
        surface, borders, ..
    } = shape
    else {
        return [0.0, f64::INFINITY];
    };
    let mut out = [f64::INFINITY, 0.0f64];
    for border in &part.borders[borders.range()] {
        let [lo, hi] = match &part.trims[border.trim.index()] {
            Curve::Circle(c) => {
                let off = axis.coordinates(&c.frame.origin)[0];
                [(c.radius - off).abs(), c.radius + off]
            }
            Curve::Line(line) => {
                let ends = border.t.map(|t| line.point(t));
                let across = |v: Vec3| v - axis.dir * axis.dir.dot(&v);
                let (from, along) = (across(ends[0] - axis.origin), across(ends[1] - ends[0]));
                let square = along.norm_squared().max(f64::MIN_POSITIVE);
                let at = (-from.dot(&along) / square).clamp(0.0, 1.0);
                let far = from.norm().max((from + along).norm());
                [(from + along * at).norm(), far]
            }
            curve => {
                let [a, b] = border.t;
                let range = Interval {
                    lo: a.min(b),
                    hi: a.max(b),
                };
                let around = match curve {
                    Curve::Nurbs(spline) => Aabb::of(hull(spline, range)),
                    _ => curve.bounding_box(range),
                };
                let centre = nalgebra::center(&around.min, &around.max);
                let half = 0.5 * (around.max - around.min).norm();
                let [rho, _] = axis.coordinates(&centre);
                [(rho - half).max(0.0), rho + half]
            }
        };
        out = [out[0].min(lo), out[1].max(hi)];
    }
    if out[0] > out[1] || holds_foot(part, feature, patches, surface, axis) {
        out[0] = 0.0;
    }
    if out[1] == 0.0 {
        out[1] = f64::INFINITY;
    }
    out
}

/// The control points whose hull holds a piece of spline.
fn hull(spline: &NurbsCurve, range: Interval) -> impl Iterator<Item = Point3> {
    let knots = &spline.knots;
    let matters = move |i: usize| knots[i] <= range.hi && range.lo <= knots[i + spline.degree + 1];
    let inside = knots[0] <= range.lo && range.hi <= knots[knots.len() - 1];
    let points = spline.control.iter().enumerate();
    points
        .filter(move |(i, _)| !inside || matters(*i))
        .map(|(_, p)| project(p))
}

/// True unless the axis surely passes a flat face outside its domain.
fn holds_foot(
    part: &TreePart,
    feature: FeatureId,
    mut patches: Range<usize>,
    surface: &Surface,
    axis: &Axis,
) -> bool {
    let (u, v) = surface.invert(&axis.origin, None);
    patches.any(|index| {
        let patch = &part.patches[index];
        patch.feature == feature
            && patch.u.contains(u)
            && patch.v.contains(v)
            && (patch.membership == Membership::Inside
                || part.classify(PatchId::at(index), u, v) != Where::Outside)
    })
}
