//! Vertices by their true tangent cone.
//!
//! The polar of the tangent cone is that of its boundary, as long as the material lies on the right side of it: all
//! directions of the boundary lie in some half-space, and the other half-space is either free or full. Free, and the
//! cone's convex hull is that of its boundary; full, and there is no polar. Which it is shows at the boundary's
//! direction nearest to the polar: the faces there look towards it or away from it.

use brepcd_brep::{Brep, VertexId};
use brepcd_geom::{Point3, Vec3};
use nalgebra::Matrix3;

use crate::carriers::Scale;
use crate::corners::{Corner, Corners, Ray, leaving};
use crate::edges::Fate;
use crate::features::{EdgeFeature, VertexFeature};

/// Distance within which two unit directions are one.
const SAME_DIRECTION: f64 = 1e-9;
/// Sine of the angle under which two directions span no plane.
const SPANS_PLANE: f64 = 1e-7;
/// Cosine by which a direction may miss the nearest one and count as just as near.
const AS_NEAR: f64 = 1e-6;

/// Finds the vertices and apexes whose polar has a direction.
pub(crate) fn find(
    brep: &Brep,
    corners: &Corners,
    fates: &[Fate],
    edges: &[EdgeFeature],
    scale: &Scale,
) -> Vec<VertexFeature> {
    let mut out = Vec::new();
    for (index, at) in corners.at.iter().enumerate() {
        let id = VertexId::at(index);
        let conical = at.iter().any(|c| c.conical);
        let ends = ends(brep, id, fates);
        if at.is_empty() || (!conical && (ends.is_empty() || is_passed(&ends, edges, scale))) {
            continue;
        }
        let open = ends.iter().any(|e| e.open);
        let sharp = ends.iter().any(|e| matches!(e.fate, Fate::Kept(_)));
        if let Some(tangents) = tangents(at, open, sharp || conical, scale) {
            out.push(VertexFeature {
                point: brep.vertices[index].point,
                tangents,
                vertex: Some(id),
            });
        }
    }
    for (point, corner) in &corners.apexes {
        let point: Point3 = *point;
        if let Some(tangents) = tangents(std::slice::from_ref(corner), false, true, scale) {
            out.push(VertexFeature {
                point,
                tangents,
                vertex: None,
            });
        }
    }
    out
}

/// An edge that leaves a vertex and is not inside a face feature.
struct End {
    fate: Fate,
    open: bool,
    direction: Option<Vec3>,
}

fn ends(brep: &Brep, vertex: VertexId, fates: &[Fate]) -> Vec<End> {
    let mut out = Vec::new();
    for id in &brep.vertices[vertex.index()].edges {
        let edge = &brep.edges[id.index()];
        let fate = fates[id.index()];
        if fate == Fate::Inside || edge.uses.is_empty() {
            continue;
        }
        for (end, t, other) in [
            (edge.start, edge.t[0], edge.t[1]),
            (edge.end, edge.t[1], edge.t[0]),
        ] {
            if end == vertex {
                out.push(End {
                    fate,
                    open: edge.uses.len() == 1,
                    direction: leaving(edge, t, other),
                });
            }
        }
    }
    out
}

/// True if an edge between two face features just passes the vertex.
fn is_passed(ends: &[End], edges: &[EdgeFeature], scale: &Scale) -> bool {
    let [a, b] = ends else {
        return false;
    };
    let (Fate::Kept(f), Fate::Kept(g)) = (a.fate, b.fate) else {
        return false;
    };
    let straight = match (a.direction, b.direction) {
        (Some(a), Some(b)) => a.dot(&b) < 0.0 && a.cross(&b).norm() <= scale.angle,
        _ => false,
    };
    edges[f].sides == edges[g].sides && straight
}

/// A direction of the tangent cone's boundary with the normals of the faces that hold it.
struct Direction {
    d: Vec3,
    normals: Vec3,
}

fn distinct<'a>(rays: impl Iterator<Item = &'a Ray>) -> Vec<Direction> {
    let mut out: Vec<Direction> = Vec::new();
    let finite = |r: &&Ray| (r.direction + r.normal).iter().all(|x| x.is_finite());
    for ray in rays.filter(finite) {
        let same = |o: &&mut Direction| (o.d - ray.direction).norm() <= SAME_DIRECTION;
        match out.iter_mut().find(same) {
            Some(known) => known.normals += ray.normal,
            None => out.push(Direction {
                d: ray.direction,
                normals: ray.normal,
            }),
        }
    }
    out
}

/// The directions that span the tangent cone; `None` if there is no polar.
///
/// Directions that miss the polar's middle by less than the tolerance are turned to be at right angles to it.
fn tangents(corners: &[Corner], open: bool, sharp: bool, scale: &Scale) -> Option<Vec<Vec3>> {
    let rays = || corners.iter().flat_map(|c| &c.rays);
    let directions = distinct(rays());
    let bent = |n: &Vec3| {
        directions
            .iter()
            .map(|o| o.d - n * n.dot(&o.d).max(0.0))
            .filter_map(|d| d.try_normalize(0.0))
            .collect()
    };
    if let Some(n) = common_plane(&directions, scale) {
        let flattened = |d: &Direction| (d.d - n * n.dot(&d.d)).try_normalize(0.0);
        let mut out: Vec<Vec3> = directions.iter().filter_map(flattened).collect();
        let up = rays().any(|r| r.normal.dot(&n) > 0.0);
        let down = rays().any(|r| r.normal.dot(&n) < 0.0);
        if up && down && !open {
            // A cusp: a blade without thickness if its edges are sharp, else a slit.
            return sharp.then_some(out);
        }
        if !open {
            out.push(if up { -n } else { n });
        }
        return Some(out);
    }
    let middle = middle_of_polar(&directions, scale)?;
    let nearest = directions
        .iter()
        .map(|o| middle.dot(&o.d))
        .fold(f64::NEG_INFINITY, f64::max);
    let facing: f64 = directions
        .iter()
        .filter(|o| middle.dot(&o.d) >= nearest - AS_NEAR)
        .map(|o| middle.dot(&o.normals))
        .sum();
    (open || facing >= 0.0).then(|| bent(&middle))
}

/// The normal of the plane that holds all directions, if there is one.
fn common_plane(directions: &[Direction], scale: &Scale) -> Option<Vec3> {
    if directions.is_empty() {
        return None;
    }
    let sum: Matrix3<f64> = directions.iter().map(|o| o.d * o.d.transpose()).sum();
    let eigen = sum.symmetric_eigen();
    let least = eigen.eigenvalues.imin();
    let n: Vec3 = eigen.eigenvectors.column(least).into_owned();
    let flat = |o: &Direction| n.dot(&o.d).abs() <= scale.angle;
    directions.iter().all(flat).then_some(n)
}

/// A direction inside the polar of directions that do not lie in a plane: the sum of its extreme rays, each of which is
/// at right angles to two of the directions.
fn middle_of_polar(directions: &[Direction], scale: &Scale) -> Option<Vec3> {
    let mut sum = Vec3::zeros();
    let mut some = None;
    for (i, a) in directions.iter().enumerate() {
        for b in &directions[..i] {
            let Some(ray) = a.d.cross(&b.d).try_normalize(SPANS_PLANE) else {
                continue;
            };
            for ray in [ray, -ray] {
                if directions.iter().all(|o| ray.dot(&o.d) <= scale.angle) {
                    sum += ray;
                    some = Some(ray);
                }
            }
        }
    }
    sum.try_normalize(scale.angle).or(some)
}
