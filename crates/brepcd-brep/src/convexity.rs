//! How the faces of an edge meet, judged in the middle of the edge.

use crate::{Brep, EdgeClass, EdgeId, FaceId};
use brepcd_geom::{Point2, Vec3};
use std::f64::consts::PI;

/// Shares of an edge tried in turn, for middles that sit on a pole.
const PLACES: [f64; 3] = [0.5, 0.37, 0.71];

/// Fills in the class of every edge.
pub(crate) fn classify(brep: &mut Brep) {
    let guesses = guesses(brep);
    for (index, guesses) in guesses.iter().enumerate() {
        let class = class(brep, EdgeId::at(index), guesses);
        brep.edges[index].class = class;
    }
}

/// For every edge: the faces that use it with parameters near its middle.
fn guesses(brep: &Brep) -> Vec<Vec<(FaceId, Point2)>> {
    let mut out = vec![Vec::new(); brep.edges.len()];
    for (index, face) in brep.faces.iter().enumerate() {
        for segment in face.domain.chains.iter().flat_map(|c| &c.segments) {
            if let Some(edge) = segment.edge {
                let middle = segment.samples[segment.samples.len() / 2].uv;
                out[edge.index()].push((FaceId::at(index), middle));
            }
        }
    }
    out
}

fn class(brep: &Brep, id: EdgeId, guesses: &[(FaceId, Point2)]) -> EdgeClass {
    let edge = &brep.edges[id.index()];
    let [first, second] = edge.uses.as_slice() else {
        return EdgeClass::Open;
    };
    if first.face == second.face {
        return EdgeClass::Seam;
    }
    let guess = |face: FaceId| guesses.iter().find(|g| g.0 == face).map(|g| (g.1.x, g.1.y));
    for place in PLACES {
        let jet = edge.jet(edge.t[0] + (edge.t[1] - edge.t[0]) * place);
        let normal = |face: FaceId| -> Option<Vec3> {
            let guess = guess(face);
            let face = &brep.faces[face.index()];
            let (u, v) = face.surface.invert(&jet.p, guess);
            face.outward_normal(u, v)
        };
        let (Some(a), Some(b)) = (normal(first.face), normal(second.face)) else {
            continue;
        };
        let along = if first.forward == (edge.t[1] >= edge.t[0]) {
            jet.d1
        } else {
            -jet.d1
        };
        let into_first = a.cross(&along);
        let angle = a.cross(&b).norm().atan2(a.dot(&b));
        if angle <= brep.tolerance.angle {
            return EdgeClass::Smooth;
        }
        return if b.dot(&into_first) <= 0.0 {
            EdgeClass::Convex {
                dihedral: PI - angle,
            }
        } else {
            EdgeClass::Concave {
                dihedral: PI + angle,
            }
        };
    }
    EdgeClass::Open
}
