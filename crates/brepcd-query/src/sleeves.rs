//! The axes of a part, and the sleeves of its nodes about them.

mod axes;
mod borders;

use std::ops::Range;

use brepcd_geom::surface::TorusShape;
use brepcd_geom::{Curve, Frame, Interval, Point3, Surface, Vec3};
use brepcd_tree::{Content, FeatureId, Membership, Node, Patch, PatchId, Shape, TreePart, Where};

use crate::overlap::{Rim, directions};
use crate::sleeve::{Axis, Fan, Sleeve};
pub use axes::AXES;
use axes::{SAME_DIRECTION, axes, is_axis};
pub use borders::ranges_of_patches;
use borders::{Extent, Extents, is_monotone, of_borders};

/// Distance within which two axes are one, relative to the part's size.
const SAME_PLACE: f64 = 1e-6;

/// How far beyond its border a point of a face may lie, in tolerances of borders.
const BESIDE: f64 = 2.0;

/// Sleeves of all nodes of a part.
#[derive(Clone, Debug, Default)]
pub struct Sleeves {
    /// The axes; none if nothing turns about one. Most patches turn about the first.
    pub axes: Vec<Axis>,
    /// For every node the axis that most patches below turn about and the sleeve about it; empty without axes.
    pub own: Vec<(u8, Sleeve)>,
    /// For every node the sleeve about the first axis.
    pub main: Vec<Sleeve>,
}

impl Sleeves {
    /// The sleeves of a part, of which it is known where every feature's patches begin and end.
    pub fn of(part: &TreePart, patches: &[Range<usize>]) -> Self {
        let Some(root) = part.nodes.first() else {
            return Self::default();
        };
        let size = root.obb.half.norm();
        let (axes, of_features) = axes(part, &root.obb, SAME_PLACE * size);
        if axes.is_empty() {
            return Self::default();
        }
        let mut all = About {
            part,
            reaches: reaches(part, &axes, &of_features),
            axes: &axes,
            ranges: cluster_ranges(part),
            rounding: SAME_PLACE * size,
            extents: Extents::new(patches),
        };
        let main = all.first();
        let chosen = chosen(part, &of_features);
        let own = all.chosen(&chosen, &main);
        Self {
            own: chosen.into_iter().zip(own).collect(),
            axes,
            main,
        }
    }
}

/// How far a ruled face that does not turn about an axis reaches away from it; `None` for others. Its patches begin and end
/// where it is told.
pub fn rim(part: &TreePart, feature: FeatureId, patches: Range<usize>, axis: &Axis) -> Option<Rim> {
    let Shape::Face { surface, .. } = &part.features[feature.index()].shape else {
        return None;
    };
    let size = part.nodes.first()?.obb.half.norm();
    let turns = |frame: &Frame| is_axis(frame, axis, SAME_PLACE * size);
    let is_ruled = match surface {
        Surface::Plane(_) => true,
        Surface::Cylinder(s) => !turns(&s.frame),
        Surface::Cone(s) => !turns(&s.frame),
        Surface::Sphere(_) | Surface::Torus(_) | Surface::Nurbs(_) => false,
    };
    if !is_ruled {
        return None;
    }
    let slack = BESIDE * part.header.settings.border + part.header.tolerance;
    let extent = of_borders(part, feature, patches, axis, &directions())?;
    Some(Rim {
        origin: axis.origin,
        dir: axis.dir,
        support: extent.support.map(|value| value + slack),
    })
}

/// What sleeves are made of.
struct About<'a> {
    part: &'a TreePart,
    axes: &'a [Axis],
    /// For every axis how far what turns about it reaches away from it.
    reaches: Vec<f64>,
    /// The ranges of `v` of clusters.
    ranges: Vec<Interval>,
    rounding: f64,
    extents: Extents<'a>,
}

impl About<'_> {
    /// The sleeves of all nodes about the first axis.
    fn first(&mut self) -> Vec<Sleeve> {
        let mut out = vec![Sleeve::EVERYTHING; self.part.nodes.len()];
        // Children come after their parent.
        for (index, node) in self.part.nodes.iter().enumerate().rev() {
            let below = match node.content {
                Content::Leaf(_) => None,
                Content::Inner(children) => Some(children.map(|child| out[child.index()])),
            };
            out[index] = self.sleeve(index, 0, below);
        }
        out
    }

    /// The sleeves of all nodes, each about the axis that is chosen for it; those about the first are known.
    fn chosen(&mut self, chosen: &[u8], main: &[Sleeve]) -> Vec<Sleeve> {
        let mut out = main.to_vec();
        for (index, node) in self.part.nodes.iter().enumerate().rev() {
            let at = chosen[index];
            if at == 0 {
                continue;
            }
            let below = match node.content {
                Content::Leaf(_) => None,
                Content::Inner(children) => Some(children.map(|child| {
                    if chosen[child.index()] == at {
                        out[child.index()]
                    } else {
                        let axis = &self.axes[usize::from(at)];
                        Sleeve::of_box(&self.part.nodes[child.index()].obb, axis)
                    }
                })),
            };
            out[index] = self.sleeve(index, at, below);
        }
        out
    }

    /// The sleeve of a node about an axis, in terms of those below it.
    fn sleeve(&mut self, index: usize, at: u8, below: Option<[Sleeve; 2]>) -> Sleeve {
        let part = self.part;
        let node = &part.nodes[index];
        let axis = &self.axes[usize::from(at)];
        let ball = Sleeve::of_ball(&node.obb.centre, node.obb.half.norm(), axis);
        if ball.rho[0] > FAR * self.reaches[usize::from(at)] {
            return ball;
        }
        let around = Sleeve::of_box(&node.obb, axis);
        let own = match (node.content, below) {
            (Content::Leaf(id), _) => self.of_leaf(id, index, at),
            (Content::Inner(_), Some([a, b])) => Some(a.merged(&b)),
            (Content::Inner(_), None) => None,
        };
        own.map_or(around, |own| own.within(&around))
    }

    /// The sleeve of a leaf, if it is not that of its box.
    fn of_leaf(&mut self, id: PatchId, index: usize, at: u8) -> Option<Sleeve> {
        let (part, rounding) = (self.part, self.rounding);
        let axis = (at, &self.axes[usize::from(at)]);
        let node = &part.nodes[index];
        let own = of_patch(part, id, node, axis, rounding, &mut self.extents);
        own.or_else(|| {
            // About the first axis only, which is asked where others are not aligned.
            if at != 0 {
                return None;
            }
            let patch = &part.patches[id.index()];
            of_ruled(part, patch, self.ranges[index], axis, &mut self.extents)
        })
    }
}

/// How many times as far from an axis as all that turns about it a node has no better bounds than a ball: there boxes tell
/// as much as sleeves.
const FAR: f64 = 2.0;

/// For every axis how far what turns about it reaches away from it.
fn reaches(part: &TreePart, axes: &[Axis], of_features: &[Option<u8>]) -> Vec<f64> {
    let mut reaches = vec![0.0; axes.len()];
    for node in &part.nodes {
        let Content::Leaf(patch) = node.content else {
            continue;
        };
        if let Some(at) = of_features[part.patches[patch.index()].feature.index()] {
            let at = usize::from(at);
            let [_, far] = Sleeve::of_box(&node.obb, &axes[at]).rho;
            reaches[at] = far.max(reaches[at]);
        }
    }
    reaches
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

/// For every leaf the range of `v` of its cluster: of the largest node around it with one feature.
fn cluster_ranges(part: &TreePart) -> Vec<Interval> {
    let nothing = Interval { lo: 0.0, hi: 0.0 };
    let mut own: Vec<(Option<FeatureId>, Interval)> = vec![(None, nothing); part.nodes.len()];
    for (index, node) in part.nodes.iter().enumerate().rev() {
        own[index] = match node.content {
            Content::Leaf(id) => {
                let patch = &part.patches[id.index()];
                (Some(patch.feature), patch.v)
            }
            Content::Inner(children) => {
                let [a, b] = children.map(|child| own[child.index()]);
                let both = Interval {
                    lo: a.1.lo.min(b.1.lo),
                    hi: a.1.hi.max(b.1.hi),
                };
                (a.0.filter(|_| a.0 == b.0), both)
            }
        };
    }
    for (index, node) in part.nodes.iter().enumerate() {
        if let (Some(feature), Content::Inner(children)) = (own[index].0, node.content) {
            for child in children {
                own[child.index()] = (Some(feature), own[index].1);
            }
        }
    }
    own.into_iter().map(|(_, range)| range).collect()
}

/// The sleeve of a patch that turns about the axis, or is flat across it; `None` for others.
fn of_patch(
    part: &TreePart,
    id: PatchId,
    node: &Node,
    (at, axis): (u8, &Axis),
    rounding: f64,
    extents: &mut Extents,
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
                let [near, far] = annulus(part, patch.feature, (at, axis), extents);
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

/// Least and largest distance from the axis of a face that is flat across it, in terms of its border.
fn annulus(
    part: &TreePart,
    feature: FeatureId,
    (at, axis): (u8, &Axis),
    extents: &mut Extents,
) -> [f64; 2] {
    let Shape::Face { surface, .. } = &part.features[feature.index()].shape else {
        return [0.0, f64::INFINITY];
    };
    match extents.get(part, feature, at, axis) {
        Some(Extent {
            rho: [near, far], ..
        }) => {
            let patches = extents.patches(feature);
            let is_hollow = !holds_foot(part, feature, patches, surface, axis);
            [if is_hollow { near } else { 0.0 }, far]
        }
        None => [0.0, f64::INFINITY],
    }
}

/// The sleeve of a ruled face that does not turn about the axis, in terms of its border.
fn of_ruled(
    part: &TreePart,
    patch: &Patch,
    cluster_v: Interval,
    (at, axis): (u8, &Axis),
    extents: &mut Extents,
) -> Option<Sleeve> {
    let Shape::Face { surface, .. } = &part.features[patch.feature.index()].shape else {
        return None;
    };
    let rises = match surface {
        Surface::Cylinder(cylinder) => is_monotone(cylinder, cluster_v, axis),
        Surface::Plane(_) | Surface::Cone(_) => false,
        Surface::Sphere(_) | Surface::Torus(_) | Surface::Nurbs(_) => return None,
    };
    let Extent { rho, z, .. } = extents.get(part, patch.feature, at, axis)?;
    let slack = BESIDE * part.header.settings.border + part.header.tolerance;
    let sleeve = Sleeve {
        rho: [if rises { rho[0] } else { 0.0 }, rho[1]],
        z,
        fan: Fan::WHOLE,
    };
    Some(sleeve.grown(slack))
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
