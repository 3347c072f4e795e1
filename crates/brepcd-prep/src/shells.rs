//! The connected pieces of a part's boundary, and points on them.
//!
//! Faces of one shell of the B-Rep that share an edge are connected. A piece is closed if every edge is run along as
//! often in one direction as in the other. Where no faces of two parts cross, one point of a piece tells on which side of
//! the other part all of it lies; points far apart show at once that a piece sticks out of the other part's box.

use brepcd_brep::{Brep, Face, FaceId};
use brepcd_geom::{Curve, Point3, Surface, Vec3};
use brepcd_tree::{Patch, PatchId, Shape, Shell, TreePart, Where};

use crate::features::Features;

/// Rows and columns of points that are tried in a patch or a face.
const TRIES: usize = 7;
/// Pieces of every curved edge whose ends are looked at.
const ALONG: usize = 16;

/// Which piece each face belongs to.
#[derive(Clone, Debug, Default)]
pub struct Pieces {
    /// For every face the position of its piece.
    of_face: Vec<usize>,
    /// For every piece whether it encloses something.
    closed: Vec<bool>,
}

impl Pieces {
    /// Finds the connected pieces of a part's boundary, by their first face.
    pub fn of(brep: &Brep) -> Self {
        let mut parents: Vec<usize> = (0..brep.faces.len()).collect();
        for edge in &brep.edges {
            for (i, a) in edge.uses.iter().enumerate() {
                let shell = |face: FaceId| brep.faces[face.index()].shell;
                let same = |b: &&brepcd_brep::EdgeUse| shell(b.face) == shell(a.face);
                if let Some(b) = edge.uses[..i].iter().find(same) {
                    let roots = [a, b].map(|side| root_of(&mut parents, side.face.index()));
                    parents[roots[0].max(roots[1])] = roots[0].min(roots[1]);
                }
            }
        }
        let mut out = Self::default();
        // A root is the first face of its piece.
        for face in 0..brep.faces.len() {
            let root = root_of(&mut parents, face);
            let piece = if root == face {
                out.closed.push(true);
                out.closed.len() - 1
            } else {
                out.of_face[root]
            };
            out.of_face.push(piece);
        }
        for edge in &brep.edges {
            for a in &edge.uses {
                let piece = out.of_face[a.face.index()];
                let own = edge.uses.iter();
                let own = own.filter(|b| out.of_face[b.face.index()] == piece);
                let turns: i32 = own.map(|b| if b.forward { 1 } else { -1 }).sum();
                out.closed[piece] &= turns == 0;
            }
        }
        out
    }

    /// True if a face belongs to a piece that encloses something.
    pub fn encloses(&self, face: usize) -> bool {
        self.closed[self.of_face[face]]
    }

    /// The only piece of some faces; `None` if there are several.
    fn only_of(&self, faces: &[FaceId]) -> Option<usize> {
        let mut pieces = faces.iter().map(|face| self.of_face[face.index()]);
        let first = pieces.next()?;
        pieces.all(|piece| piece == first).then_some(first)
    }
}

fn root_of(parents: &mut [usize], mut at: usize) -> usize {
    while parents[at] != at {
        parents[at] = parents[parents[at]];
        at = parents[at];
    }
    at
}

/// The points of one piece while they are looked for.
#[derive(Clone, Debug, Default)]
struct Found {
    inner: Option<Point3>,
    /// The farthest points along the axes, one way and the other, with how far they are.
    ends: [Option<(f64, Point3)>; 6],
}

impl Found {
    fn offer(&mut self, axes: &[Vec3; 3], p: Point3) {
        for (axis, ends) in axes.iter().zip(self.ends.chunks_exact_mut(2)) {
            let height = axis.dot(&p.coords);
            for (end, height) in ends.iter_mut().zip([height, -height]) {
                if end.is_none_or(|(farthest, _)| height > farthest) {
                    *end = Some((height, p));
                }
            }
        }
    }

    /// True if a point is farther along some axis than all before.
    fn is_farther(&self, axes: &[Vec3; 3], p: &Point3) -> bool {
        axes.iter()
            .zip(self.ends.chunks_exact(2))
            .any(|(axis, ends)| {
                let height = axis.dot(&p.coords);
                let mut ends = ends.iter().zip([height, -height]);
                ends.any(|(end, height)| end.is_none_or(|(farthest, _)| height > farthest))
            })
    }

    fn into_witnesses(self) -> Vec<Point3> {
        let mut out: Vec<Point3> = self.inner.into_iter().collect();
        for (_, p) in self.ends.into_iter().flatten() {
            if !out.contains(&p) {
                out.push(p);
            }
        }
        out
    }
}

/// The shells of a part that is complete but for them.
pub fn shells(brep: &Brep, features: &Features, part: &TreePart) -> Vec<Shell> {
    let pieces = &features.pieces;
    let axes = part
        .nodes
        .first()
        .map_or([Vec3::x(), Vec3::y(), Vec3::z()], |root| root.obb.axes);
    let mut found = vec![Found::default(); pieces.closed.len()];
    for edge in &brep.edges {
        let owners = edge.uses.iter().map(|a| pieces.of_face[a.face.index()]);
        for piece in owners {
            for end in [edge.start, edge.end] {
                found[piece].offer(&axes, brep.vertices[end.index()].point);
            }
            let straight = matches!(edge.curve, Curve::Line(_));
            for i in 1..if straight { 1 } else { ALONG } {
                let t = edge.t[0] + (edge.t[1] - edge.t[0]) * (i as f64 / ALONG as f64);
                found[piece].offer(&axes, edge.jet(t).p);
            }
        }
    }
    for (index, patch) in part.patches.iter().enumerate() {
        let Shape::Face { surface, .. } = &part.features[patch.feature.index()].shape else {
            continue;
        };
        let faces = &features.faces[patch.feature.index()].faces;
        if let Some(piece) = pieces.only_of(faces) {
            offer_patch(part, surface, PatchId::at(index), &axes, &mut found[piece]);
        }
    }
    for (face, piece) in brep.faces.iter().zip(&pieces.of_face) {
        let found = &mut found[*piece];
        if found.inner.is_none() {
            found.inner = inside_face(brep, face);
        }
    }
    let each = found.into_iter().zip(&pieces.closed);
    each.map(|(found, closed)| Shell {
        witnesses: found.into_witnesses(),
        closed: *closed,
    })
    .filter(|shell| !shell.witnesses.is_empty())
    .collect()
}

/// Offers points of a patch whose feature belongs to one piece alone.
fn offer_patch(
    part: &TreePart,
    surface: &Surface,
    id: PatchId,
    axes: &[Vec3; 3],
    found: &mut Found,
) {
    let patch = &part.patches[id.index()];
    // A flat face reaches nowhere farther than its edges.
    if !matches!(surface, Surface::Plane(_)) {
        for (x, y) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0), (0.5, 0.5)] {
            let (u, v) = (patch.u.at(x), patch.v.at(y));
            let p = surface.point(u, v);
            if found.is_farther(axes, &p) && part.classify(id, u, v) == Where::Inside {
                found.offer(axes, p);
            }
        }
    }
    if found.inner.is_none() {
        found.inner = inside_patch(part, surface, id, patch);
    }
}

/// A point of a patch clear of the border, as near to the middle as the tries are.
fn inside_patch(part: &TreePart, surface: &Surface, id: PatchId, patch: &Patch) -> Option<Point3> {
    let mut places = tries().map(|[x, y]| (patch.u.at(x), patch.v.at(y)));
    let (u, v) = places.find(|(u, v)| part.classify(id, *u, *v) == Where::Inside)?;
    Some(surface.point(u, v))
}

/// A point of a face, as near to the middle of its ranges as the tries are.
fn inside_face(brep: &Brep, face: &Face) -> Option<Point3> {
    let (u, v) = brep.domain_box(face);
    let mut places = tries().map(|[x, y]| (u.at(x), v.at(y)));
    let (u, v) = places.find(|(u, v)| brep.face_contains(face, *u, *v))?;
    Some(face.surface.point(u, v))
}

/// Shares of two ranges, the middle first.
fn tries() -> impl Iterator<Item = [f64; 2]> {
    let share = |i: usize| {
        let step = i.div_ceil(2) as f64 / (TRIES + 1) as f64;
        if i.is_multiple_of(2) {
            0.5 + step
        } else {
            0.5 - step
        }
    };
    (0..TRIES * TRIES).map(move |i| [share(i % TRIES), share(i / TRIES)])
}
