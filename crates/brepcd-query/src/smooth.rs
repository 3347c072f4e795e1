//! Edges where the two faces meet without a corner.
//!
//! The polar there is the common normal, so a minimum on such an edge is one of both faces, whose domains are closed:
//! the distance to each bends the same way on both sides of the edge, and is a minimum for both or for none. Only
//! regularisation, which widens the polar, gives the edge minima of its own.

use brepcd_geom::{Point3, Surface, Vec3};
use brepcd_tree::{FeatureId, Patch, Shape, TreePart};

/// Angle between the normals of both sides up to which an edge has no corner.
const CORNER: f64 = 1e-7;
/// Places along a patch where the normals are compared, as shares.
const PLACES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// True for a patch of an edge between two canonical faces with the same normals.
pub fn is_smooth(part: &TreePart, patch: &Patch) -> bool {
    let Shape::Edge { curve, sides, .. } = &part.features[patch.feature.index()].shape else {
        return false;
    };
    sides[0] != sides[1]
        && PLACES.iter().all(|share| {
            let p = curve.point(patch.u.at(*share));
            let normals = sides.map(|side| normal(part, side, &p));
            let [Some(a), Some(b)] = normals else {
                return false;
            };
            (a - b).norm() <= CORNER
        })
}

/// The outward normal of a canonical face at a point of its border.
fn normal(part: &TreePart, side: FeatureId, p: &Point3) -> Option<Vec3> {
    let Shape::Face {
        surface,
        same_sense,
        ..
    } = &part.features[side.index()].shape
    else {
        return None;
    };
    if let Surface::Nurbs(_) = surface {
        return None;
    }
    let (u, v) = surface.invert(p, None);
    let normal = surface.normal(u, v)?;
    Some(if *same_sense { normal } else { -normal })
}
