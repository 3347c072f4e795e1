//! On which side of a part's boundary a point lies.
//!
//! A ray from the point leaves every solid once more than it enters it if the point is inside. Where a ray comes too
//! near to a border, grazes a face or counts what cannot be, another direction of a fixed list is asked; two rays in
//! agreement decide.

use super::canonical::Canonical;
use super::few::Few;
use super::free::{self, Nets};
use super::hull::Pieces;
use brepcd_geom::{Interval, Point3, Surface, SurfaceJet, Vec3};
use brepcd_tree::{
    Content, FeatureId, MatrixPose, NodeId, Obb, Patch, PatchId, Shape, TreePart, Where,
};

/// Where a point lies relative to a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// In the material.
    Inside,
    /// Off the material.
    Outside,
    /// On the boundary, within the part's tolerance of borders.
    OnBoundary,
}

/// Memory that queries reuse, so that nothing is allocated once it has grown.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    nodes: Vec<NodeId>,
    hits: Vec<Hit>,
    nets: Nets,
    pub(super) pieces: Pieces,
}

/// A ray's meeting with a face.
#[derive(Clone, Copy, Debug)]
struct Hit {
    t: f64,
    feature: FeatureId,
    /// True if the ray leaves the material.
    leaves: bool,
}

/// What one ray says.
#[derive(Clone, Copy, Debug)]
struct Vote {
    /// How many solids hold the point.
    depth: i32,
    /// True if nothing speaks against it.
    clear: bool,
}

/// Sine of the angle between ray and face under which the ray grazes.
const GRAZING: f64 = 1e-2;
/// Share of a range by which parameters may miss it; neighbours in a feature share their sides.
const RANGE_SLACK: f64 = 1e-9;
/// By how many votes a side must lead.
const LEAD: i32 = 2;
/// Directions of rays, none along what parts are usually built along.
const DIRECTIONS: [[f64; 3]; 12] = [
    [0.5377, 0.8339, -0.1259],
    [-0.3188, 0.4307, 0.8442],
    [0.8622, -0.3919, 0.3217],
    [-0.7336, -0.5832, -0.3493],
    [0.1427, -0.6689, -0.7296],
    [-0.6149, 0.7172, -0.3277],
    [0.4889, 0.2347, 0.8402],
    [-0.2939, -0.8873, 0.3555],
    [0.7269, 0.3034, -0.6161],
    [-0.8880, 0.1146, 0.4454],
    [0.3252, -0.8549, 0.4041],
    [-0.1022, 0.3141, -0.9439],
];

/// Tells whether a point lies in the material of a part, outside, or on its boundary.
///
/// Faces that enclose nothing are boundary to lie on, but nothing is inside of them.
pub fn side_of(part: &TreePart, p: &Point3, scratch: &mut Scratch) -> Side {
    let border = part.header.settings.border;
    let near = |obb: &Obb| obb.contains(p, border);
    if !part.nodes.first().is_some_and(|root| near(&root.obb)) {
        return Side::Outside;
    }
    if lies_on(part, p, scratch) {
        return Side::OnBoundary;
    }
    let mut leads = [0i32; 2];
    let mut doubtful = 0;
    for direction in DIRECTIONS {
        let vote = cast(part, p, &Vec3::from(direction).normalize(), scratch);
        let side = if vote.depth > 0 { 1 } else { -1 };
        if vote.clear {
            leads[0] += side;
        } else {
            doubtful += 1;
            leads[1] += side;
        }
        if leads[0].abs() >= LEAD {
            break;
        }
    }
    // Doubtful votes count only where there is no majority of clear ones.
    let lead = if leads[0] != 0 || doubtful == 0 {
        leads[0]
    } else {
        leads[1]
    };
    if lead > 0 {
        Side::Inside
    } else {
        Side::Outside
    }
}

/// Visits all face patches whose boxes pass a test; stops where `visit` says so.
fn visit_faces<T>(
    part: &TreePart,
    nodes: &mut Vec<NodeId>,
    test: impl Fn(&Obb) -> Option<T>,
    mut visit: impl FnMut(PatchId, &Patch, T) -> bool,
) {
    nodes.clear();
    if !part.nodes.is_empty() {
        nodes.push(NodeId(0));
    }
    while let Some(id) = nodes.pop() {
        let node = &part.nodes[id.index()];
        let Some(passed) = test(&node.obb) else {
            continue;
        };
        match node.content {
            Content::Inner(children) => nodes.extend(children.iter().rev()),
            Content::Leaf(id) => {
                let patch = &part.patches[id.index()];
                let shape = &part.features[patch.feature.index()].shape;
                if matches!(shape, Shape::Face { .. }) && visit(id, patch, passed) {
                    return;
                }
            }
        }
    }
}

/// True for points within the tolerance of a face.
fn lies_on(part: &TreePart, p: &Point3, scratch: &mut Scratch) -> bool {
    let border = part.header.settings.border;
    let mut on = false;
    let test = |obb: &Obb| obb.contains(p, border).then_some(());
    visit_faces(part, &mut scratch.nodes, test, |id, patch, ()| {
        let Shape::Face { surface, .. } = &part.features[patch.feature.index()].shape else {
            return false;
        };
        let (at, height, aside) = match surface {
            Surface::Nurbs(free) => {
                let foot = free::foot(free, [patch.u, patch.v], p);
                (foot.at, foot.height, foot.aside)
            }
            Surface::Plane(_)
            | Surface::Cylinder(_)
            | Surface::Cone(_)
            | Surface::Sphere(_)
            | Surface::Torus(_) => {
                let Some(carrier) = Canonical::of(surface, &MatrixPose::identity()) else {
                    return false;
                };
                let at = carrier.foot(p, [patch.u.mid(), patch.v.mid()]);
                (at, carrier.height(p), 0.0)
            }
        };
        on = height.abs() <= border
            && aside <= border
            && in_ranges(patch, surface, at, border)
            && part.classify(id, at[0], at[1]) != Where::Outside;
        on
    });
    on
}

/// True for parameters in the ranges of a patch, or a length beyond.
fn in_ranges(patch: &Patch, surface: &Surface, at: [f64; 2], beyond: f64) -> bool {
    if holds(&patch.u, at[0]) && holds(&patch.v, at[1]) {
        return true;
    }
    let nearest = [patch.u.clamp(at[0]), patch.v.clamp(at[1])];
    (surface.point(nearest[0], nearest[1]) - surface.point(at[0], at[1])).norm() <= beyond
}

fn holds(range: &Interval, t: f64) -> bool {
    let slack = RANGE_SLACK * range.length();
    range.lo - slack <= t && t <= range.hi + slack
}

/// Follows one ray.
fn cast(part: &TreePart, p: &Point3, d: &Vec3, scratch: &mut Scratch) -> Vote {
    let border = part.header.settings.border;
    let Scratch {
        nodes, hits, nets, ..
    } = scratch;
    hits.clear();
    let mut clear = true;
    let test = |obb: &Obb| crossed(obb, p, d, border);
    visit_faces(part, nodes, test, |id, patch, range| {
        let Shape::Face {
            surface,
            same_sense,
            sheet: false,
            ..
        } = &part.features[patch.feature.index()].shape
        else {
            return false;
        };
        let mut take = |t: f64, at: [f64; 2], normal: Option<Vec3>| {
            if t < 0.0 || !(holds(&patch.u, at[0]) && holds(&patch.v, at[1])) {
                return;
            }
            let place = part.classify(id, at[0], at[1]);
            if place == Where::Outside {
                return;
            }
            let sine = normal.map_or(0.0, |n| n.dot(d));
            clear &= place == Where::Inside && sine.abs() > GRAZING;
            hits.push(Hit {
                t,
                feature: patch.feature,
                leaves: (sine > 0.0) == *same_sense,
            });
        };
        match surface {
            Surface::Nurbs(free) => {
                let mut found = |at: [f64; 2], jet: &SurfaceJet| {
                    take((jet.p - p).dot(d), at, jet.normal());
                };
                free::line_hits(part, patch, free, (p, d), nets, &mut found);
            }
            Surface::Plane(_)
            | Surface::Cylinder(_)
            | Surface::Cone(_)
            | Surface::Sphere(_)
            | Surface::Torus(_) => {
                let Some(carrier) = Canonical::of(surface, &MatrixPose::identity()) else {
                    return false;
                };
                // From the middle of the box, so that the numbers stay small.
                let middle = p + d * range.mid();
                let mut found = Few::EMPTY;
                carrier.line_hits(&middle, d, 0.5 * range.length(), &mut found);
                for &t in found.as_slice() {
                    let x = middle + d * t;
                    let level = carrier.level(&x);
                    if level.height.abs() <= border {
                        let at = carrier.foot(&x, [patch.u.mid(), patch.v.mid()]);
                        take(range.mid() + t, at, Some(level.normal));
                    }
                }
            }
        }
        false
    });
    hits.sort_unstable_by(|a, b| b.t.total_cmp(&a.t).then(a.feature.cmp(&b.feature)));
    count(hits, border, clear)
}

/// The part of a ray in a box, a little larger than the box.
fn crossed(obb: &Obb, p: &Point3, d: &Vec3, slack: f64) -> Option<Interval> {
    let to = obb.centre - p;
    let mut range = Interval {
        lo: -slack,
        hi: f64::INFINITY,
    };
    for i in 0..3 {
        let (middle, speed) = (obb.axes[i].dot(&to), obb.axes[i].dot(d));
        let half = obb.half[i] + slack;
        let (a, b) = ((middle - half) / speed, (middle + half) / speed);
        if a.is_nan() || b.is_nan() {
            continue;
        }
        range.lo = range.lo.max(a.min(b));
        range.hi = range.hi.min(a.max(b));
    }
    (range.lo <= range.hi && range.hi.is_finite()).then_some(range)
}

/// Counts the solids around the start of a ray from its hits, the farthest first.
///
/// What was found in two patches of a feature counts once. Where solids touch, one is left before the next is entered.
fn count(hits: &[Hit], same: f64, mut clear: bool) -> Vote {
    let mut depth = 0;
    let mut start = 0;
    while start < hits.len() {
        let behind = |hit: &&Hit| hits[start].t - hit.t <= same;
        let end = start + hits[start..].iter().take_while(behind).count();
        let together = &hits[start..end];
        let mut change = [0; 2];
        for (i, hit) in together.iter().enumerate() {
            let again = |h: &Hit| h.feature == hit.feature && h.leaves == hit.leaves;
            if !together[..i].iter().any(again) {
                change[usize::from(hit.leaves)] += 1;
            }
        }
        depth += change[1] - change[0];
        // Within the tolerance nothing tells what comes first but that no solid is left before it is entered.
        clear &= depth >= 0;
        start = end;
    }
    Vote { depth, clear }
}
