//! Points and outward normals of patches, from the features and from the source faces, not from the bounds.

use std::collections::BTreeMap;

use brepcd::brep::{EdgeId, Sample};
use brepcd::geom::{Curve, CurveFoot, Interval, Point2, Point3, Surface, Vec3};
use brepcd::tree::domain::placed;
use brepcd::tree::{FeatureId, Membership, Patch, Shape, SourceKind, Where};

use crate::case::{Case, Random};

/// A point of a patch with directions of its polar.
pub struct Probe {
    pub point: Point3,
    pub normals: Vec<Vec3>,
}

/// Share of an edge at its ends that is left to the vertices: normals of cones and spheres are undetermined there.
const ENDS: f64 = 1e-6;

/// Points of a face patch that lie in its feature: random ones, and some of the borders that cross it.
pub fn of_face(case: &Case, index: usize, count: usize, random: &mut Random) -> Vec<Probe> {
    let patch = case.patch(index);
    let feature = &case.part.features[patch.feature.index()];
    let Shape::Face {
        surface,
        same_sense,
        ..
    } = &feature.shape
    else {
        return Vec::new();
    };
    let mut places: Vec<(f64, f64)> = (0..count)
        .map(|_| (patch.u.at(random.share()), patch.v.at(random.share())))
        .collect();
    let mut out = Vec::with_capacity(count);
    if let Membership::Crossed { pieces, .. } = patch.membership {
        places.retain(|&(u, v)| case.part.classify(case.id(index), u, v) != Where::Outside);
        let periods = surface.periods().map(|p| p.unwrap_or(0.0));
        for crossing in &case.part.crossings[pieces.range()] {
            let border = &case.part.borders[crossing.border as usize];
            let [a, b] = placed(border, crossing, periods);
            for _ in 0..1 + count / (4 * pieces.len()) {
                let s = random.share();
                let guess = a + (b - a) * s;
                let curve = &case.part.trims[border.trim.index()];
                let p = curve.point(border.t[0] + (border.t[1] - border.t[0]) * s);
                let (u, v) = surface.invert(&p, Some((guess.x, guess.y)));
                if patch.u.contains(u) && patch.v.contains(v) {
                    places.push((u, v));
                }
            }
        }
    }
    let sign = if *same_sense { 1.0 } else { -1.0 };
    for (u, v) in places {
        let normal = normal_of_patch(case, patch, surface, u, v);
        out.push(Probe {
            point: surface.point(u, v),
            normals: normal.map(|n| n * sign).into_iter().collect(),
        });
    }
    out
}

/// Share of a free-form patch at its sides where normals are taken a little further in: on a knot they are those of
/// the next piece, and across a knot of low continuity the surface may have a crease.
const KNOTS: f64 = 1e-9;
/// Share of the part's size below which a parameter line of a patch is too short for its direction to be known.
const SHORTEST: f64 = 1e-7;

/// The normal at a place of a patch; `None` where rounding decides it, next to a pole of a free-form surface.
fn normal_of_patch(case: &Case, patch: &Patch, surface: &Surface, u: f64, v: f64) -> Option<Vec3> {
    if !matches!(surface, Surface::Nurbs(_)) {
        return surface.normal(u, v);
    }
    let inner = |side: Interval, x: f64| x.clamp(side.at(KNOTS), side.at(1.0 - KNOTS));
    let (u, v) = (inner(patch.u, u), inner(patch.v, v));
    let jet = surface.jet(u, v);
    let (du, dv) = (jet.du * patch.u.length(), jet.dv * patch.v.length());
    let height = du.cross(&dv).norm() / du.norm().max(dv.norm());
    if height > SHORTEST * case.size {
        surface.normal(u, v)
    } else {
        None
    }
}

/// True if a face patch seems to hold nothing of its face but points of the border.
pub fn is_hollow(case: &Case, index: usize, count: usize, random: &mut Random) -> bool {
    let patch = case.patch(index);
    let inside = |random: &mut Random| {
        let (u, v) = (
            patch.u.at(random.range(0.0, 1.0)),
            patch.v.at(random.range(0.0, 1.0)),
        );
        case.part.classify(case.id(index), u, v) == Where::Inside
    };
    matches!(patch.membership, Membership::Crossed { .. }) && !(0..count).any(|_| inside(random))
}

/// Points of edge features with the normals of both sides and what lies between them, by patch.
pub fn of_edges(
    case: &Case,
    count: &dyn Fn(usize) -> usize,
    random: &mut Random,
) -> BTreeMap<usize, Vec<Probe>> {
    let of_face = case.feature_of_face();
    let mut runs: BTreeMap<EdgeId, Vec<(FeatureId, &[Sample])>> = BTreeMap::new();
    for (face, feature) in case.brep.faces.iter().zip(&of_face) {
        for segment in face.domain.chains.iter().flat_map(|c| &c.segments) {
            if let (Some(edge), Some(feature)) = (segment.edge, feature) {
                let run = (*feature, segment.samples.as_slice());
                runs.entry(edge).or_default().push(run);
            }
        }
    }
    let mut out: BTreeMap<usize, Vec<Probe>> = BTreeMap::new();
    for (index, feature) in case.part.features.iter().enumerate() {
        let Shape::Edge { curve, sides, .. } = &feature.shape else {
            continue;
        };
        let along = Along::new(case, index, curve);
        let sources = &case.part.sources[feature.sources.range()];
        for source in sources.iter().filter(|s| s.kind == SourceKind::Edge) {
            let edge = &case.brep.edges[source.id as usize];
            let Some(runs) = runs.get(&EdgeId(source.id)) else {
                continue;
            };
            let wanted = count(case.patches[index].len()) / sources.len();
            for _ in 0..=wanted {
                let t = edge.range().at(random.share().clamp(ENDS, 1.0 - ENDS));
                let p = edge.jet(t).p;
                let Some((patch, foot)) = along.patch_at(&p) else {
                    continue;
                };
                // Edges of one feature lie on one curve only up to the tolerance of the file: the feature's counts.
                let point = curve.point(foot.t);
                let normals = sides.map(|side| {
                    let run = runs
                        .iter()
                        .find(|(f, samples)| *f == side && has(samples, t));
                    normal_at(case, side, &point, run.map(|r| guess(r.1, t)))
                });
                let normals = match normals {
                    [Some(a), Some(b)] if sides[0] != sides[1] => wedge(a, b, random),
                    _ => Vec::new(),
                };
                out.entry(patch).or_default().push(Probe { point, normals });
            }
        }
    }
    out
}

fn has(samples: &[Sample], t: f64) -> bool {
    let ends = samples.first().zip(samples.last());
    ends.is_some_and(|(a, b)| a.t.min(b.t) <= t && t <= a.t.max(b.t))
}

/// Parameters between the two samples around a place of the edge.
fn guess(samples: &[Sample], t: f64) -> Point2 {
    let pair = samples
        .windows(2)
        .find(|w| (w[0].t - t) * (w[1].t - t) <= 0.0);
    match pair {
        Some([a, b]) if a.t != b.t => a.uv + (b.uv - a.uv) * ((t - a.t) / (b.t - a.t)),
        _ => samples[0].uv,
    }
}

/// The outward normal of a face feature; free-form surfaces are searched from where the border of the face is.
fn normal_at(case: &Case, side: FeatureId, p: &Point3, guess: Option<Point2>) -> Option<Vec3> {
    let Shape::Face {
        surface,
        same_sense,
        ..
    } = &case.part.features[side.index()].shape
    else {
        return None;
    };
    let guess = match surface {
        Surface::Nurbs(_) => Some(guess.map(|g| (g.x, g.y))?),
        _ => None,
    };
    let (u, v) = surface.invert(p, guess);
    let sign = if *same_sense { 1.0 } else { -1.0 };
    surface.normal(u, v).map(|n| n * sign)
}

/// Places of a patch's curve that a point is compared with before the exact search.
const PLACES: usize = 9;
/// Patches that are searched exactly.
const CANDIDATES: usize = 3;

/// The patches of an edge feature with some points of each, to find the patch of a point.
pub struct Along<'a> {
    curve: &'a Curve,
    places: Vec<(usize, Interval, Vec<Point3>)>,
}

impl<'a> Along<'a> {
    pub fn new(case: &Case, feature: usize, curve: &'a Curve) -> Self {
        let share = |k: usize| k as f64 / (PLACES - 1) as f64;
        let places = |&index: &usize| {
            let span = case.patch(index).u;
            let points = (0..PLACES).map(|k| curve.point(span.at(share(k))));
            (index, span, points.collect())
        };
        let places = case.patches[feature].iter().map(places).collect();
        Self { curve, places }
    }

    /// The patch that a point of the edge belongs to, and the foot of the point there.
    pub fn patch_at(&self, p: &Point3) -> Option<(usize, CurveFoot)> {
        let far = |points: &[Point3]| {
            let distances = points.iter().map(|q| (p - q).norm_squared());
            distances.fold(f64::INFINITY, f64::min)
        };
        let mut order: Vec<(f64, usize, Interval)> = self
            .places
            .iter()
            .map(|(index, span, points)| (far(points), *index, *span))
            .collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        order
            .iter()
            .take(CANDIDATES)
            .map(|(_, index, span)| (*index, self.curve.nearest(p, *span)))
            .min_by(|a, b| a.1.distance.total_cmp(&b.1.distance))
    }
}

/// Directions between two normals, and the normals themselves.
fn wedge(a: Vec3, b: Vec3, random: &mut Random) -> Vec<Vec3> {
    let mut out = vec![a, b];
    for _ in 0..3 {
        let w = random.range(0.0, 1.0);
        out.extend((a * w + b * (1.0 - w)).try_normalize(1e-3));
    }
    out
}

/// Directions of the polar of some tangents: random directions moved to the nearest of the polar.
pub fn of_polar(tangents: &[Vec3], count: usize, random: &mut Random) -> Vec<Vec3> {
    let mut out = Vec::with_capacity(count);
    let allowed = |n: &Vec3| tangents.iter().all(|t| t.dot(n) <= 1e-9);
    let mut rays = Vec::new();
    for (i, a) in tangents.iter().enumerate() {
        for b in &tangents[..i] {
            let Some(ray) = a.cross(b).try_normalize(1e-4) else {
                continue;
            };
            rays.extend([ray, -ray].into_iter().filter(|r| allowed(r)));
        }
    }
    for _ in 0..count {
        let d = random.unit();
        let onto_sides = tangents.iter().map(|t| d - t * d.dot(t));
        let onto_rays = rays.iter().map(|r| r * r.dot(&d).max(0.0));
        let nearest = std::iter::once(d)
            .chain(onto_sides)
            .chain(onto_rays)
            .filter(|n| n.norm() > 1e-3)
            .map(|n| n.normalize())
            .filter(|n| allowed(n))
            .max_by(|a, b| a.dot(&d).total_cmp(&b.dot(&d)));
        out.extend(nearest);
    }
    out
}
