//! Puts features, borders, patches and nodes into the flat lists of a [`TreePart`].

use crate::bounds::{Bounds, Slack};
use crate::clusters::clusters;
use crate::domains::Domains;
use crate::features::{EdgeFeature, FaceFeature, Features};
use crate::patches::{PatchOwner, RawBezier, RawMembership, RawPatch};
use crate::{Provenance, shells, tree};
use brepcd_brep::Brep;
use brepcd_geom::{Point2, Surface};
use brepcd_tree::{
    Crossing, Feature, FeatureId, Header, Kinds, Membership, Patch, Run, Settings, Shape, Source,
    SourceKind, TreePart, round_out,
};

/// Builds the tree part.
pub(crate) fn assemble(
    brep: &Brep,
    features: &Features,
    domains: Domains,
    raw: Vec<RawPatch>,
    provenance: &Provenance,
    header: Header,
) -> TreePart {
    let mut part = TreePart {
        header,
        names: provenance.names.clone(),
        sources: Vec::new(),
        shells: Vec::new(),
        features: Vec::new(),
        spans: Vec::new(),
        tangents: Vec::new(),
        trims: Vec::new(),
        borders: Vec::new(),
        crossings: Vec::new(),
        control: Vec::new(),
        patches: Vec::new(),
        nodes: Vec::new(),
    };
    let sources = Sources { brep, provenance };
    let border_starts = add_faces(&mut part, features, &domains, &sources);
    add_edges(&mut part, features, &sources);
    add_vertices(&mut part, features, &sources);
    let settings = part.header.settings;
    let bounds: Vec<Bounds> = raw
        .iter()
        .map(|patch| bounds_of(features, &domains, patch, &settings))
        .collect();
    for patch in raw {
        add_patch(&mut part, features, &border_starts, patch);
    }
    part.trims = domains.trims;
    part.nodes = tree::build(&bounds, &clusters(&part));
    round_out(&mut part.nodes);
    part.shells = shells::shells(brep, features, &part);
    part
}

/// The run of what was added to a list since it had `start` items.
fn run<T>(list: &[T], start: usize) -> Run {
    let at = |n: usize| u32::try_from(n).expect("more than u32::MAX items");
    Run {
        start: at(start),
        end: at(list.len()),
    }
}

struct Sources<'a> {
    brep: &'a Brep,
    provenance: &'a Provenance,
}

impl Sources<'_> {
    fn add(&self, part: &mut TreePart, kind: SourceKind, ids: impl Iterator<Item = u32>) -> Run {
        let start = part.sources.len();
        for id in ids {
            let index = id as usize;
            let label = match kind {
                SourceKind::Face => self.brep.faces[index].label,
                SourceKind::Edge => self.brep.edges[index].label,
                SourceKind::Vertex => self.brep.vertices[index].label,
            };
            let owner = self.provenance.part_of(kind, id);
            part.sources.push(Source {
                kind,
                part: owner,
                id,
                label: label.unwrap_or(0),
            });
        }
        run(&part.sources, start)
    }
}

/// Adds the face features; returns where the borders of each start.
fn add_faces(
    part: &mut TreePart,
    features: &Features,
    domains: &Domains,
    sources: &Sources<'_>,
) -> Vec<u32> {
    let mut starts = Vec::with_capacity(features.faces.len());
    for (feature, domain) in features.faces.iter().zip(&domains.faces) {
        let start = part.borders.len();
        part.borders.extend_from_slice(&domain.borders);
        let borders = run(&part.borders, start);
        starts.push(borders.start);
        let sources = sources.add(part, SourceKind::Face, feature.faces.iter().map(|f| f.0));
        let shape = Shape::Face {
            surface: feature.surface.clone(),
            same_sense: feature.same_sense,
            sheet: feature.sheet,
            borders,
        };
        part.features.push(Feature {
            kind: feature.kind,
            sources,
            shape,
        });
    }
    starts
}

fn add_edges(part: &mut TreePart, features: &Features, sources: &Sources<'_>) {
    for feature in &features.edges {
        let start = part.spans.len();
        part.spans.extend_from_slice(&feature.spans);
        let spans = run(&part.spans, start);
        let sources = sources.add(part, SourceKind::Edge, feature.edges.iter().map(|e| e.0));
        let shape = Shape::Edge {
            curve: feature.curve.clone(),
            sides: feature.sides.map(FeatureId::at),
            dihedral: feature.dihedral,
            spans,
        };
        part.features.push(Feature {
            kind: feature.kind,
            sources,
            shape,
        });
    }
}

fn add_vertices(part: &mut TreePart, features: &Features, sources: &Sources<'_>) {
    for feature in &features.vertices {
        let start = part.tangents.len();
        part.tangents.extend_from_slice(&feature.tangents);
        let tangents = run(&part.tangents, start);
        let sources = sources.add(part, SourceKind::Vertex, feature.vertex.iter().map(|v| v.0));
        let shape = Shape::Vertex {
            point: feature.point,
            tangents,
        };
        part.features.push(Feature {
            kind: Kinds::VERTEX,
            sources,
            shape,
        });
    }
}

fn add_patch(part: &mut TreePart, features: &Features, border_starts: &[u32], patch: RawPatch) {
    let feature = match patch.feature {
        PatchOwner::Face(index) => index,
        PatchOwner::Edge(index) => features.faces.len() + index,
        PatchOwner::Vertex(index) => features.faces.len() + features.edges.len() + index,
    };
    let membership = match patch.membership {
        RawMembership::Inside => Membership::Inside,
        RawMembership::Crossed {
            pieces,
            reference,
            inside,
        } => {
            let start = part.crossings.len();
            let first = if let PatchOwner::Face(index) = patch.feature {
                border_starts[index]
            } else {
                0
            };
            part.crossings.extend(pieces.iter().map(|c| Crossing {
                border: c.border + first,
                ..*c
            }));
            Membership::Crossed {
                pieces: run(&part.crossings, start),
                reference,
                inside,
            }
        }
    };
    let start = part.control.len();
    match patch.bezier {
        Some(RawBezier::Surface(piece)) => part.control.extend(piece.control),
        Some(RawBezier::Curve(piece)) => part.control.extend(piece.control),
        None => {}
    }
    let control = run(&part.control, start);
    let feature = FeatureId::at(feature);
    part.patches.push(Patch {
        feature,
        u: patch.u,
        v: patch.v,
        membership,
        control,
    });
}

fn bounds_of(
    features: &Features,
    domains: &Domains,
    patch: &RawPatch,
    settings: &Settings,
) -> Bounds {
    let slack = Slack {
        angle: settings.regularization,
        beyond: settings.border,
    };
    match patch.feature {
        PatchOwner::Face(index) => {
            face_bounds(&features.faces[index], domains, index, patch, slack)
        }
        PatchOwner::Edge(index) => edge_bounds(features, &features.edges[index], patch, slack),
        PatchOwner::Vertex(index) => {
            let vertex = &features.vertices[index];
            Bounds::vertex(vertex.point, &vertex.tangents, slack)
        }
    }
}

fn face_bounds(
    face: &FaceFeature,
    domains: &Domains,
    index: usize,
    patch: &RawPatch,
    slack: Slack,
) -> Bounds {
    if let Some(RawBezier::Surface(piece)) = &patch.bezier {
        return Bounds::spline(&face.surface, piece, face.same_sense, face.kind, slack);
    }
    if let (Surface::Plane(_), RawMembership::Crossed { pieces, .. }) =
        (&face.surface, &patch.membership)
    {
        let corners = flat_corners(&domains.faces[index], pieces, patch, slack.beyond);
        return Bounds::flat(&face.surface, face.same_sense, &corners, face.kind, slack);
    }
    Bounds::face(
        &face.surface,
        face.same_sense,
        patch.u,
        patch.v,
        face.kind,
        slack,
    )
}

/// Points whose hull holds what lies inside a rectangle of a plane: its corners, cut down where all border pieces of
/// the patch lie on one side of a slanted line.
fn flat_corners(
    domain: &crate::domains::FaceDomain,
    pieces: &[Crossing],
    patch: &RawPatch,
    border_width: f64,
) -> Vec<Point2> {
    let rectangle: Vec<Point2> = [patch.u.lo, patch.u.hi]
        .iter()
        .flat_map(|u| [patch.v.lo, patch.v.hi].map(|v| Point2::new(*u, v)))
        .collect();
    let all = pieces.len() == domain.borders.len();
    if !all {
        return rectangle;
    }
    // The whole border: the face is inside its hull, widened by how far the border bulges and by what counts as on it.
    let mut out = Vec::with_capacity(8 * pieces.len());
    for crossing in pieces {
        let border = &domain.borders[crossing.border as usize];
        let bulge = domain.bulges[crossing.border as usize].add_scalar(border_width);
        for end in border.uv {
            for (x, y) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
                out.push(Point2::new(end.x + x * bulge.x, end.y + y * bulge.y));
            }
        }
    }
    out
}

fn edge_bounds(features: &Features, edge: &EdgeFeature, patch: &RawPatch, slack: Slack) -> Bounds {
    if edge.sides[0] == edge.sides[1] {
        return Bounds::open_edge(&edge.curve, patch.u, edge.kind);
    }
    let sides = edge
        .sides
        .map(|s| (&features.faces[s].surface, features.faces[s].same_sense));
    Bounds::edge(&edge.curve, patch.u, sides, edge.kind, slack)
}
