//! Supermaximal edges: which edges can hold a minimum, and which of them are one curve.
//!
//! An edge is judged at several places, by the normals of its faces there. It stays if it is convex or smooth at one
//! of them; a concave edge holds no minimum, and where one face feature runs across an edge there is none.

use std::f64::consts::{PI, TAU};

use brepcd_brep::{Brep, Edge, EdgeClass, EdgeId, FaceId, Sample};
use brepcd_geom::{Curve, Interval, Point3, Surface, Vec3};
use brepcd_tree::Kinds;

use crate::carriers::{Index, Scale, curve_name};
use crate::features::{EdgeFeature, FaceFeature, Grouping};
use crate::spans::{merged, radius, span};

/// Shares of an edge at which it is judged; the first stands for a straight edge between planes.
const PLACES: [f64; 5] = [0.5, 0.25, 0.75, 0.05, 0.95];
/// Shares of an edge at which it is compared with another carrier.
const PROBES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];
/// Share of an edge's parameters within which a sample is at a place.
const SAME_PLACE: f64 = 1e-9;

/// What became of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It lies inside one face feature.
    Inside,
    /// It holds no minimum.
    Dropped,
    /// It belongs to the edge feature at this position.
    Kept(usize),
}

/// A stretch of a face's border along an edge.
#[derive(Clone, Copy)]
struct Piece<'a> {
    face: FaceId,
    samples: &'a [Sample],
}

impl Piece<'_> {
    /// 1 if the border runs along the curve, else -1.
    fn along(&self) -> f64 {
        let ends = [self.samples.first(), self.samples.last()];
        match ends {
            [Some(a), Some(b)] if b.t < a.t => -1.0,
            _ => 1.0,
        }
    }

    fn has(&self, t: f64) -> bool {
        match [self.samples.first(), self.samples.last()] {
            [Some(a), Some(b)] => Interval::new(a.t, b.t).contains(t),
            _ => false,
        }
    }

    /// The outward normal of its face at a place of the edge.
    fn normal(&self, brep: &Brep, t: f64, p: &Point3) -> Option<Vec3> {
        let face = &brep.faces[self.face.index()];
        let off = |s: &&Sample| (s.t - t).abs();
        let near = self
            .samples
            .iter()
            .min_by(|a, b| off(a).total_cmp(&off(b)))?;
        let span = self.samples.last()?.t - self.samples.first()?.t;
        let (u, v) = if (near.t - t).abs() <= SAME_PLACE * span.abs() {
            (near.uv.x, near.uv.y)
        } else {
            face.surface.invert(p, Some((near.uv.x, near.uv.y)))
        };
        face.outward_normal(u, v)
    }
}

/// How the faces of an edge meet at one place.
#[derive(Clone, Copy, Debug)]
struct Wedge {
    sides: [FaceId; 2],
    /// Angle through the material.
    dihedral: f64,
}

/// An edge that stays.
struct Candidate {
    id: usize,
    sides: [usize; 2],
    dihedral: f64,
}

/// Finds the edge features, and for every edge its fate.
pub(crate) fn find(
    brep: &Brep,
    faces: &[FaceFeature],
    of_face: &[usize],
    scale: &Scale,
    grouping: Grouping,
) -> (Vec<EdgeFeature>, Vec<Fate>) {
    let pieces = pieces(brep);
    let mut fates = vec![Fate::Dropped; brep.edges.len()];
    let mut candidates = Vec::new();
    for (id, edge) in brep.edges.iter().enumerate() {
        let Some(first) = edge.uses.first() else {
            continue;
        };
        let owner = of_face[first.face.index()];
        let inside = edge.uses.iter().all(|u| of_face[u.face.index()] == owner);
        let smooth_inside = !matches!(faces[owner].surface, Surface::Nurbs(_));
        if edge.uses.len() > 1 && inside && smooth_inside {
            fates[id] = Fate::Inside;
            continue;
        }
        let wedge = judge(brep, edge, &pieces[id], scale);
        if edge.uses.len() > 1 && inside && wedge.is_none_or(|w| w.dihedral >= PI) {
            // The normals agree, or the seam is a groove, which is a border then.
            let grooved = edge_is_concave(brep, edge, &pieces[id], scale);
            fates[id] = if grooved { Fate::Dropped } else { Fate::Inside };
            continue;
        }
        if let Some(wedge) = wedge {
            let mut sides = wedge.sides.map(|f| of_face[f.index()]);
            sides.sort_unstable();
            candidates.push(Candidate {
                id,
                sides,
                dihedral: wedge.dihedral,
            });
        }
    }
    let features = group(brep, &candidates, scale, grouping);
    for (position, feature) in features.iter().enumerate() {
        for edge in &feature.edges {
            fates[edge.index()] = Fate::Kept(position);
        }
    }
    (features, fates)
}

fn pieces(brep: &Brep) -> Vec<Vec<Piece<'_>>> {
    let mut out = vec![Vec::new(); brep.edges.len()];
    for (index, face) in brep.faces.iter().enumerate() {
        for segment in face.domain.chains.iter().flat_map(|c| &c.segments) {
            if let Some(edge) = segment.edge {
                out[edge.index()].push(Piece {
                    face: FaceId::at(index),
                    samples: &segment.samples,
                });
            }
        }
    }
    out
}

/// Parameters at which an edge is judged: samples of its pcurves where there are enough.
fn places(brep: &Brep, edge: &Edge, pieces: &[Piece]) -> Vec<f64> {
    let flat = |p: &Piece| matches!(brep.faces[p.face.index()].surface, Surface::Plane(_));
    if matches!(edge.curve, Curve::Line(_)) && pieces.iter().all(flat) {
        return vec![edge.range().mid()];
    }
    let richest = pieces.iter().max_by_key(|p| p.samples.len());
    let samples = richest.map_or(&[][..], |p| p.samples);
    let whole = pieces.iter().all(|p| p.samples.len() == samples.len());
    let at = |share: f64| {
        if whole && samples.len() > PLACES.len() {
            let last = samples.len() - 1;
            samples[((share * last as f64).round() as usize).clamp(1, last - 1)].t
        } else {
            edge.range().at(share)
        }
    };
    PLACES.map(at).to_vec()
}

/// The wedge of an edge where it is sharpest; `None` if it is concave everywhere.
fn judge(brep: &Brep, edge: &Edge, pieces: &[Piece], scale: &Scale) -> Option<Wedge> {
    if let [only] = edge.uses.as_slice() {
        return Some(Wedge {
            sides: [only.face; 2],
            dihedral: 0.0,
        });
    }
    let mut best: Option<Wedge> = None;
    let mut judged = false;
    for t in places(brep, edge, pieces) {
        let Some(found) = wedge_at(brep, edge, pieces, t, scale) else {
            continue;
        };
        judged = true;
        if let Some(wedge) = found
            && best.is_none_or(|b| wedge.dihedral < b.dihedral)
        {
            best = Some(wedge);
        }
    }
    if judged {
        return best;
    }
    // Nowhere a pair of normals: take the part's word.
    let sides = [edge.uses[0].face, edge.uses[edge.uses.len() - 1].face];
    match edge.class {
        EdgeClass::Convex { dihedral } => Some(Wedge { sides, dihedral }),
        EdgeClass::Smooth | EdgeClass::Open => Some(Wedge {
            sides,
            dihedral: PI,
        }),
        EdgeClass::Concave { .. } | EdgeClass::Seam => None,
    }
}

fn edge_is_concave(brep: &Brep, edge: &Edge, pieces: &[Piece], scale: &Scale) -> bool {
    places(brep, edge, pieces)
        .into_iter()
        .any(|t| matches!(wedge_at(brep, edge, pieces, t, scale), Some(None)))
}

/// The wedge at one place: `None` if the normals there are unknown, `Some(None)` if it is concave.
fn wedge_at(
    brep: &Brep,
    edge: &Edge,
    pieces: &[Piece],
    t: f64,
    scale: &Scale,
) -> Option<Option<Wedge>> {
    let jet = edge.jet(t);
    let along = jet.d1.try_normalize(0.0)?;
    let mut sides = Vec::with_capacity(2);
    for piece in pieces.iter().filter(|p| p.has(t)) {
        let n = piece.normal(brep, t, &jet.p)?;
        // The face lies on the left of its border.
        let into = n.cross(&(along * piece.along())).try_normalize(0.0)?;
        sides.push((piece.face, n, into));
    }
    match sides.as_slice() {
        [] | [_] => None,
        [(f, a, into), (g, b, _)] => {
            let angle = a.cross(b).norm().atan2(a.dot(b));
            let dihedral = if angle <= scale.angle {
                PI
            } else if b.dot(into) <= 0.0 {
                PI - angle
            } else {
                return Some(None);
            };
            let sides = [*f, *g];
            Some(Some(Wedge { sides, dihedral }))
        }
        many => Some(widest_gap(many, along, scale)),
    }
}

/// More than two faces at an edge: all material lies beside one gap of at least half a turn, or there is no polar.
fn widest_gap(sides: &[(FaceId, Vec3, Vec3)], along: Vec3, scale: &Scale) -> Option<Wedge> {
    let (x, y) = (sides[0].2, along.cross(&sides[0].2));
    let mut around: Vec<(f64, &(FaceId, Vec3, Vec3))> = sides
        .iter()
        .map(|s| (y.dot(&s.2).atan2(x.dot(&s.2)), s))
        .collect();
    around.sort_by(|a, b| a.0.total_cmp(&b.0));
    let n = around.len();
    let gaps = (0..n).map(|i| {
        let turn = if i + 1 == n { TAU } else { 0.0 };
        (around[(i + 1) % n].0 + turn - around[i].0, i)
    });
    let (gap, at) = gaps.max_by(|a, b| a.0.total_cmp(&b.0))?;
    let (_, (f, normal, into)) = around[at];
    let (_, (g, ..)) = around[(at + 1) % n];
    let outside = normal.dot(&along.cross(into)) > 0.0;
    (gap >= PI - scale.angle && outside).then_some(Wedge {
        sides: [*f, *g],
        dihedral: (TAU - gap).min(PI),
    })
}

fn group(
    brep: &Brep,
    candidates: &[Candidate],
    scale: &Scale,
    grouping: Grouping,
) -> Vec<EdgeFeature> {
    // The longest edge of a group is its reference: its carrier is known best.
    let mut order: Vec<(f64, &Candidate)> = candidates
        .iter()
        .map(|c| (length(&brep.edges[c.id]), c))
        .collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.id.cmp(&b.1.id)));
    let mut index = Index::new();
    let mut groups: Vec<Vec<&Candidate>> = Vec::new();
    for (_, candidate) in order {
        let edge = &brep.edges[candidate.id];
        let mut found = None;
        if grouping == Grouping::Supermaximal
            && let Some((kind, name)) = curve_name(&edge.curve, scale)
        {
            let class = (candidate.sides, kind);
            let fits = |group: &usize| {
                let reference = &brep.edges[groups[*group][0].id].curve;
                PROBES.iter().all(|share| {
                    let p = edge.jet(edge.range().at(*share)).p;
                    reference.nearest(&p, reference.domain()).distance <= scale.length
                })
            };
            found = index.near(&class, &name).into_iter().find(fits);
            if found.is_none() {
                index.insert(class, &name, groups.len());
            }
        }
        match found {
            Some(group) => groups[group].push(candidate),
            None => groups.push(vec![candidate]),
        }
    }
    let mut features: Vec<EdgeFeature> = groups
        .into_iter()
        .map(|members| {
            let reference = &brep.edges[members[0].id];
            let spans = members
                .iter()
                .map(|m| span(&reference.curve, &brep.edges[m.id], m.id == members[0].id))
                .collect();
            let mut edges: Vec<EdgeId> = members.iter().map(|m| EdgeId::at(m.id)).collect();
            edges.sort_unstable();
            EdgeFeature {
                curve: reference.curve.clone(),
                sides: members[0].sides,
                dihedral: members.iter().fold(PI, |d, m| d.min(m.dihedral)),
                kind: edge_kind(&reference.curve),
                edges,
                spans: merged(spans, &reference.curve, scale),
            }
        })
        .collect();
    features.sort_by_key(|f| f.edges[0]);
    features
}

fn length(edge: &Edge) -> f64 {
    edge.range().length() * radius(&edge.curve)
}

fn edge_kind(curve: &Curve) -> Kinds {
    match curve {
        Curve::Line(_) => Kinds::LINE,
        Curve::Circle(_) => Kinds::CIRCLE,
        Curve::Ellipse(_) | Curve::Hyperbola(_) | Curve::Parabola(_) => Kinds::CONIC,
        Curve::Nurbs(_) => Kinds::SPLINE_CURVE,
    }
}
