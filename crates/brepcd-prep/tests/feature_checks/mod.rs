//! Checks of features against the part they are of.

use std::f64::consts::PI;

use brepcd_brep::{Brep, Side};
use brepcd_geom::{Point3, Vec3};
use brepcd_prep::features::Features;

/// True if a direction is at right angles or more to all tangents, up to a slack.
pub fn has_polar(tangents: &[Vec3], n: &Vec3, slack: f64) -> bool {
    tangents.iter().all(|t| n.dot(t) <= slack)
}

/// Numbers from -1 to 1.
fn random(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5DEE_CE66;
    move || {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

/// Every face in one feature; its points on the carrier, its normals those of the carrier.
pub fn check_faces(name: &str, brep: &Brep, found: &Features) {
    let mut seen = vec![0; brep.faces.len()];
    let tolerance = 1.5 * brep.tolerance.length;
    for (position, feature) in found.faces.iter().enumerate() {
        for id in &feature.faces {
            seen[id.index()] += 1;
            assert_eq!(found.feature_of_face(*id), position);
            if feature.faces.len() == 1 {
                continue;
            }
            let face = &brep.faces[id.index()];
            let segments = face.domain.chains.iter().flat_map(|c| &c.segments);
            for sample in segments
                .filter(|s| s.edge.is_some())
                .flat_map(|s| &s.samples)
            {
                let p = face.surface.point(sample.uv.x, sample.uv.y);
                let (u, v) = feature.surface.invert(&p, None);
                let off = (feature.surface.point(u, v) - p).norm();
                assert!(off <= tolerance, "{name}: {off}");
                // Poles and apexes have many normals.
                let pole = face.surface.poles().into_iter().flatten();
                if pole.into_iter().any(|x| (x - sample.uv.y).abs() < 1e-3) {
                    continue;
                }
                let (Some(a), Some(b)) = (
                    face.outward_normal(sample.uv.x, sample.uv.y),
                    feature.surface.normal(u, v),
                ) else {
                    continue;
                };
                let b = if feature.same_sense { b } else { -b };
                assert!(a.dot(&b) > 0.9999, "{name}: {a:?} {b:?}");
            }
        }
        assert_eq!(feature.kind.bits().count_ones(), 1);
    }
    assert!(seen.iter().all(|n| *n == 1), "{name}");
    for edge in &found.edges {
        assert!(edge.sides[0] <= edge.sides[1] && edge.dihedral <= PI);
        let period = edge.curve.period().unwrap_or(f64::INFINITY);
        for pair in edge.spans.windows(2) {
            assert!(pair[0].hi < pair[1].lo, "{name}: {:?}", edge.spans);
        }
        let (first, last) = (edge.spans[0], edge.spans[edge.spans.len() - 1]);
        let reach = last.hi - first.lo;
        assert!(reach <= period * (1.0 + 1e-12), "{name}: {:?}", edge.spans);
        let covered: f64 = edge.spans.iter().map(|s| s.length()).sum();
        let wanted: f64 = edge
            .edges
            .iter()
            .map(|e| brep.edges[e.index()].range().length())
            .sum();
        // Less where the edges of sheets lie on each other; that all of them are covered is asked below.
        assert!(
            covered <= wanted + 1e-4 * (1.0 + wanted),
            "{name}: {edge:?}"
        );
        for id in &edge.edges {
            let edge_of = &brep.edges[id.index()];
            for share in [0.0, 0.3, 0.8, 1.0] {
                let p = edge_of.jet(edge_of.range().at(share)).p;
                let near = |s: &brepcd_geom::Interval| edge.curve.nearest(&p, *s).distance;
                let off = edge.spans.iter().map(near).fold(f64::INFINITY, f64::min);
                assert!(off <= tolerance, "{name}: {off}");
            }
        }
    }
}

/// Faces up to which the polars are checked by brute force.
pub const POLAR_FACES: usize = 60;

/// Distance from a point to the boundary.
fn distance(brep: &Brep, p: &Point3) -> f64 {
    let mut best = f64::INFINITY;
    let mut feet = Vec::new();
    for face in &brep.faces {
        feet.clear();
        face.surface.feet(p, &mut feet);
        for foot in &feet {
            if foot.distance < best && brep.face_contains(face, foot.u, foot.v) {
                best = foot.distance;
            }
        }
    }
    for edge in &brep.edges {
        best = best.min(edge.curve.nearest(p, edge.range()).distance);
    }
    for vertex in &brep.vertices {
        best = best.min((vertex.point - p).norm());
    }
    best
}

/// A direction is in the polar of a vertex iff points a little off in that direction have the vertex as their nearest
/// boundary point and lie outside.
pub fn check_polars(name: &str, brep: &Brep, found: &Features) {
    let size = brep.bounding_box().diagonal();
    let h = 1e-3 * size;
    let mut random = random(7);
    let ids = (0..brep.vertices.len()).map(|i| Some(brepcd_brep::VertexId(i as u32)));
    let places = ids.map(|id| (id, brep.vertices[id.unwrap().index()].point));
    let loose = found.vertices.iter().filter(|v| v.vertex.is_none());
    let places: Vec<_> = places.chain(loose.map(|v| (None, v.point))).collect();
    let (mut inside, mut outside) = (0, 0);
    for (id, point) in places {
        let feature = found
            .vertices
            .iter()
            .find(|v| v.vertex == id && (v.point - point).norm() == 0.0);
        for _ in 0..40 {
            let n = Vec3::new(random(), random(), random()).normalize();
            let in_polar = |n: &Vec3| {
                let p = point + n * h;
                distance(brep, &p) >= h * (1.0 - 1e-3) && brep.side_of(&p) == Side::Outside
            };
            let expected = in_polar(&n);
            if let (true, Some(f)) = (expected, feature) {
                inside += 1;
                let found = has_polar(&f.tangents, &n, 0.1);
                assert!(found, "{name}: {id:?} {point:?} {n:?} {feature:?}");
            } else if expected {
                // The ray of a face or the wedge of an edge is thin; a vertex of its own has more.
                let aside = |i: usize| {
                    let mut by = Vec3::zeros();
                    by[i % 3] = if i < 3 { 0.15 } else { -0.15 };
                    (n + by).normalize()
                };
                let thick = (0..6).all(|i| in_polar(&aside(i)));
                assert!(!thick, "{name}: {id:?} {point:?} {n:?}");
            }
            if let Some(f) = feature
                && has_polar(&f.tangents, &n, -0.03)
            {
                outside += 1;
                assert!(expected, "{name}: {id:?} {point:?} {n:?} {feature:?}");
            }
        }
    }
    println!("{name}: {inside} in polars, {outside} deep in them");
}
