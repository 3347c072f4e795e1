//! Bounds hold what they bound, and patches cover their features.

use brepcd::brep::{Brep, Face};
use brepcd::geom::{Interval, Point3, Surface, Vec3};
use brepcd::query::overlap::directions;
use brepcd::tree::{FeatureId, Kinds, NodeId, Shape, SourceKind, Where};

use crate::case::{Case, Random};
use crate::sample::{self, Along, Probe};

/// Share of the part's size by which a point may leave a box.
const LENGTH: f64 = 1e-9;
/// Angle by which a direction may leave a cone.
const ANGLE: f64 = 1e-9;
/// Tolerances of the border within which a point of a face need not be covered.
const BORDERS: f64 = 3.0;

/// What was found wrong: the first few in words, all in number.
#[derive(Default)]
pub struct Failures {
    pub count: usize,
    pub first: Vec<String>,
}

impl Failures {
    pub fn add(&mut self, what: String) {
        self.count += 1;
        if self.first.len() < 40 {
            self.first.push(what);
        }
    }
}

/// How much was checked.
#[derive(Default, Clone, Copy)]
pub struct Checked {
    pub points: usize,
    pub normals: usize,
    pub covered: usize,
}

/// Checks all bounds and masks of a part with about `budget` points, at least a few for every patch.
pub fn bounds(case: &Case, budget: usize, failures: &mut Failures, checked: &mut Checked) {
    let part = &case.part;
    let each = (budget / part.patches.len().max(1)).clamp(40, 4000);
    let mut random = Random(1);
    for index in 0..part.patches.len() {
        let shape = &part.features[case.patch(index).feature.index()].shape;
        let probes = match shape {
            Shape::Face { .. } => sample::of_face(case, index, each, &mut random),
            Shape::Edge { .. } => Vec::new(),
            Shape::Vertex { point, tangents } => vec![Probe {
                point: *point,
                normals: sample::of_polar(&part.tangents[tangents.range()], each, &mut random),
            }],
        };
        masks(case, index, failures);
        held(case, index, &probes, failures, checked);
    }
    let along = |patches: usize| each * patches;
    for (index, probes) in sample::of_edges(case, &along, &mut random) {
        held(case, index, &probes, failures, checked);
    }
    for (index, patch) in part.patches.iter().enumerate() {
        if let Shape::Edge { curve, .. } = &part.features[patch.feature.index()].shape {
            let probe = |k: usize| Probe {
                point: curve.point(patch.u.at(k as f64 / 20.0)),
                normals: Vec::new(),
            };
            let probes: Vec<Probe> = (0..=20).map(probe).collect();
            held(case, index, &probes, failures, checked);
        }
    }
}

fn held(
    case: &Case,
    index: usize,
    probes: &[Probe],
    failures: &mut Failures,
    checked: &mut Checked,
) {
    let patch = case.patch(index);
    let kind = case.part.features[patch.feature.index()].kind;
    let what = |level: usize, text: &str| {
        format!(
            "{}: patch {index} of feature {} {kind:?}, {level} above the leaf: {text}",
            case.name, patch.feature.0
        )
    };
    for (level, &at) in case.above[index].iter().enumerate() {
        let node = &case.part.nodes[at];
        let inside = |p: &Probe| node.obb.contains(&p.point, LENGTH * case.size);
        if let Some(p) = probes.iter().find(|p| !inside(p)) {
            let far = (0..14)
                .map(|e| 10f64.powi(e - 12))
                .find(|&share| node.obb.contains(&p.point, share * case.size));
            failures.add(what(
                level,
                &format!("{} leaves the box by {far:?} of the size", p.point),
            ));
        }
        let mut normals = probes.iter().flat_map(|p| &p.normals);
        if let Some(n) = normals.find(|n| !node.cone.contains(n, ANGLE)) {
            let far = (-12..0)
                .map(|e| 10f64.powi(e))
                .find(|a| node.cone.contains(n, *a));
            failures.add(what(level, &format!("{n:?} leaves the cone by {far:?}")));
        }
        let mut normals = probes.iter().flat_map(|p| &p.normals);
        if let Some(n) = normals.find(|n| !node.circle.contains(n, ANGLE)) {
            failures.add(what(level, &format!("{n:?} leaves the circle")));
        }
        for (axis, sleeve) in case.ready.sleeves(NodeId::at(at)) {
            let inside = |p: &Probe| sleeve.contains(&p.point, axis, LENGTH * case.size);
            if let Some(p) = probes.iter().find(|p| !inside(p)) {
                let text = format!("{} leaves the sleeve {sleeve:?} of {axis:?}", p.point);
                failures.add(what(level, &text));
            }
            let off = |p: &&Probe| {
                let holds = |n: &Vec3| sleeve.contains_direction(&p.point, n, axis, ANGLE);
                !p.normals.iter().all(holds)
            };
            if let Some(p) = probes.iter().find(off) {
                let text = format!("normals at {} leave the sleeve {sleeve:?}", p.point);
                failures.add(what(level, &text));
            }
        }
    }
    if let Some(rim) = case.ready.rim(patch.feature) {
        let reaches = |p: &Probe| {
            let to = p.point - rim.origin;
            let z = rim.dir.dot(&to);
            let rho = (to - rim.dir * z).norm();
            let values = directions().map(|d| d[0] * rho + d[1] * z);
            values
                .iter()
                .zip(&rim.support)
                .any(|(value, most)| *value > most + LENGTH * case.size)
        };
        if let Some(p) = probes.iter().find(|p| reaches(p)) {
            failures.add(what(0, &format!("{} leaves the rim", p.point)));
        }
    }
    checked.points += probes.len();
    checked.normals += probes.iter().map(|p| p.normals.len()).sum::<usize>();
}

fn masks(case: &Case, index: usize, failures: &mut Failures) {
    let kind = case.part.features[case.patch(index).feature.index()].kind;
    for &at in &case.above[index] {
        let node = &case.part.nodes[at];
        let wanted: Kinds = node
            .kinds
            .iter()
            .fold(Kinds::empty(), |a, k| a | k.compatible());
        if !node.kinds.contains(kind) || node.compatible != wanted {
            failures.add(format!("{}: masks of node {at} lack {kind:?}", case.name));
        }
    }
}

/// Checks that patches hold every point of every face, and spans every point of every edge that stays.
pub fn cover(case: &Case, budget: usize, failures: &mut Failures, checked: &mut Checked) {
    let mut random = Random(2);
    let of_face = case.feature_of_face();
    let each = (budget / case.brep.faces.len().max(1)).clamp(50, 3000);
    for (index, face) in case.brep.faces.iter().enumerate() {
        let Some(feature) = of_face[index] else {
            failures.add(format!("{}: face {index} has no feature", case.name));
            continue;
        };
        let (u, v) = parameter_box(face);
        for _ in 0..each {
            let (s, t) = (u.at(random.range(0.0, 1.0)), v.at(random.range(0.0, 1.0)));
            if !case.brep.face_contains(face, s, t) {
                continue;
            }
            let p = face.surface.point(s, t);
            checked.covered += 1;
            if !is_covered(case, feature, face, &p, (s, t))
                && from_border(&case.brep, face, &p) > BORDERS * case.part.header.settings.border
            {
                failures.add(format!(
                    "{}: nothing covers {p} of face {index} at {s}, {t}",
                    case.name
                ));
            }
        }
    }
    for (index, feature) in case.part.features.iter().enumerate() {
        let Shape::Edge { curve, .. } = &feature.shape else {
            continue;
        };
        let along = Along::new(case, index, curve);
        let sources = &case.part.sources[feature.sources.range()];
        for source in sources.iter().filter(|s| s.kind == SourceKind::Edge) {
            let edge = &case.brep.edges[source.id as usize];
            for _ in 0..20 {
                let p = edge.jet(edge.range().at(random.share())).p;
                checked.covered += 1;
                let reach = BORDERS * case.part.header.settings.border;
                if along
                    .patch_at(&p)
                    .is_none_or(|(_, foot)| foot.distance > reach)
                {
                    failures.add(format!(
                        "{}: nothing covers {p} of edge {}",
                        case.name, source.id
                    ));
                }
            }
        }
    }
}

/// A box of a face's parameters.
fn parameter_box(face: &Face) -> (Interval, Interval) {
    let (mut u, mut v) = face.surface.domain();
    let chains = face.domain.chains.iter().flat_map(|c| &c.segments);
    let samples: Vec<_> = chains.flat_map(|s| &s.samples).map(|s| s.uv).collect();
    if samples.is_empty() {
        return (u, v);
    }
    let range = |axis: usize, all: Interval, period: Option<f64>| {
        let values = samples.iter().map(|p| p[axis]);
        let (lo, hi) = values.fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(x), b.max(x)));
        // A border may wrap around a pole or a period.
        match period {
            Some(period) => Interval::new(lo, lo + period),
            None if all.length().is_finite() => all,
            None => Interval::new(lo, hi),
        }
    };
    let periods = face.surface.periods();
    (u, v) = (range(0, u, periods[0]), range(1, v, periods[1]));
    if let Surface::Cone(cone) = &face.surface
        && let Some(apex) = cone.apex()
    {
        v = Interval::new(v.lo.min(apex), v.hi.max(apex));
        let used = samples.iter().map(|p| p.y);
        let (lo, hi) = used.fold((apex, apex), |(a, b), x| (a.min(x), b.max(x)));
        v = Interval::new(v.lo.max(lo), v.hi.min(hi));
    }
    (u, v)
}

fn is_covered(case: &Case, feature: FeatureId, face: &Face, p: &Point3, own: (f64, f64)) -> bool {
    let Shape::Face { surface, .. } = &case.part.features[feature.index()].shape else {
        return false;
    };
    let (u, v) = match &face.surface {
        Surface::Nurbs(_) => own,
        _ => surface.invert(p, None),
    };
    let jet = surface.jet(u, v);
    let periods = surface.periods();
    let near = |x: f64, side: Interval, period: Option<f64>| match period {
        Some(period) => x + ((side.mid() - x) / period).round() * period,
        None => x,
    };
    case.patches[feature.index()].iter().any(|&k| {
        let patch = case.patch(k);
        let (u, v) = (near(u, patch.u, periods[0]), near(v, patch.v, periods[1]));
        let (s, t) = (patch.u.clamp(u), patch.v.clamp(v));
        let off = jet.du * (u - s) + jet.dv * (v - t);
        off.norm() <= LENGTH * case.size && case.part.classify(case.id(k), s, t) != Where::Outside
    })
}

/// Distance to the edges of a face.
fn from_border(brep: &Brep, face: &Face, p: &Point3) -> f64 {
    let segments = face.domain.chains.iter().flat_map(|c| &c.segments);
    segments
        .filter_map(|s| s.edge)
        .map(|id| {
            let edge = &brep.edges[id.index()];
            edge.curve.nearest(p, edge.range()).distance
        })
        .fold(f64::INFINITY, f64::min)
}
