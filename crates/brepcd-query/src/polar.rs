//! The polar of an edge or a vertex: in which directions out of the part it can meet another one.

use brepcd_geom::{Curve, Point3, Surface, Vec3};
use brepcd_tree::{FeatureId, NormalCone, Shape, TreePart};

use crate::part::Leaf;
use crate::piece::Piece;
use crate::second_order::Bend;

/// How a direction lies to a polar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Membership {
    /// In it.
    Inside,
    /// On its border, beyond by less than the tolerance.
    Near,
    /// In it only after dilation by the angle of regularisation.
    Regularized,
    /// Outside.
    Outside,
}

/// Angle that rounding may take from a direction.
const ROUNDING: f64 = 1e-10;
/// Angle to the normal of a side within which a direction is on the border of the polar.
const BORDER: f64 = 1e-9;
/// Length of the sum of two unit normals below which they are opposite and tell no middle.
const OPPOSITE: f64 = 1e-6;

/// Does the polar at a point of a piece hold a unit direction out of the part, both in the frame of A?
///
/// Faces have none but their normal, which the caller has made sure of.
pub fn holds(leaf: &Leaf, t: [f64; 2], out: &Vec3, slack: f64, angle: f64) -> Membership {
    let piece = &leaf.piece;
    let part = piece.part;
    let out = piece.a_from_part.rotation.inverse_transform_vector(out);
    match &piece.feature().shape {
        Shape::Face { .. } => Membership::Inside,
        Shape::Edge { curve, sides, .. } => {
            let beyond = match wedge(part, curve, sides, t[0]) {
                Some(wedge) => wedge.beyond(&out),
                None => beyond_cone(&leaf.node.cone.unpack(), &out, slack, angle),
            };
            within(beyond, slack, angle)
        }
        Shape::Vertex { tangents, .. } => {
            let tangents = &part.tangents[tangents.range()];
            let beyond = tangents.iter().map(|t| t.dot(&out)).fold(0.0, f64::max);
            within(beyond, slack, angle.sin())
        }
    }
}

fn within(beyond: f64, slack: f64, angle: f64) -> Membership {
    if beyond <= ROUNDING {
        Membership::Inside
    } else if beyond <= slack {
        Membership::Near
    } else if beyond <= slack + angle {
        Membership::Regularized
    } else {
        Membership::Outside
    }
}

/// Where the normals of both sides are not to be had, the cone of the patch stands for the wedge.
fn beyond_cone(cone: &NormalCone, out: &Vec3, slack: f64, angle: f64) -> f64 {
    if cone.contains(out, slack) {
        0.0
    } else if cone.contains(out, angle) {
        angle
    } else {
        f64::INFINITY
    }
}

/// How the sides of an edge bend at a point of it where they are at right angles to a direction out of the part.
///
/// There the direction is on the border of the polar, and a minimum on the edge must also be one for the face. A vector
/// and its opposite bend alike, so that it does not matter that the face lies on one side of the edge only.
pub fn bends_beside(piece: &Piece, t: f64, out: &Vec3) -> [Option<Bend>; 2] {
    let Shape::Edge { curve, sides, .. } = &piece.feature().shape else {
        return [None; 2];
    };
    let turn = &piece.a_from_part.rotation;
    let local = turn.inverse_transform_vector(out);
    let p = curve.point(t);
    sides.map(|side| {
        let (surface, u, v, normal) = side_at(piece.part, side, &p)?;
        // More than that inside, the slope of the face counts and not its bend.
        let is_border = (normal - local).norm() <= BORDER;
        is_border.then(|| Bend::of_surface(&surface.jet(u, v), &local).turned(turn))
    })
}

/// The normals of an edge's two sides at a point: their middle, and how far each is from it.
struct Wedge {
    middle: Vec3,
    reach: f64,
}

impl Wedge {
    /// By how much a direction at right angles to the edge is beyond the wedge, about radians.
    fn beyond(&self, out: &Vec3) -> f64 {
        (out - self.middle).norm() - self.reach
    }
}

fn wedge(part: &TreePart, curve: &Curve, sides: &[FeatureId; 2], t: f64) -> Option<Wedge> {
    if sides[0] == sides[1] {
        return None;
    }
    let p = curve.point(t);
    let (a, b) = (
        normal_of_side(part, sides[0], &p)?,
        normal_of_side(part, sides[1], &p)?,
    );
    let sum = a + b;
    let length = sum.norm();
    if length < OPPOSITE {
        return None;
    }
    let middle = sum / length;
    Some(Wedge {
        middle,
        reach: (a - middle).norm(),
    })
}

/// The outward normal of a face at a point of its border.
fn normal_of_side(part: &TreePart, side: FeatureId, p: &Point3) -> Option<Vec3> {
    side_at(part, side, p).map(|(_, _, _, normal)| normal)
}

/// A face's surface, the parameters of a point of its border, and the outward normal there.
fn side_at<'a>(
    part: &'a TreePart,
    side: FeatureId,
    p: &Point3,
) -> Option<(&'a Surface, f64, f64, Vec3)> {
    let Shape::Face {
        surface,
        same_sense,
        borders,
        ..
    } = &part.features[side.index()].shape
    else {
        return None;
    };
    let guess = match surface {
        Surface::Nurbs(_) => Some(nearest_border(part, borders.range(), p)?),
        _ => None,
    };
    let (u, v) = surface.invert(p, guess);
    let sign = if *same_sense { 1.0 } else { -1.0 };
    Some((surface, u, v, surface.normal(u, v)? * sign))
}

/// Surface parameters of the border piece nearest to a point.
fn nearest_border(
    part: &TreePart,
    borders: std::ops::Range<usize>,
    p: &Point3,
) -> Option<(f64, f64)> {
    let pieces = part.borders[borders].iter().filter_map(|border| {
        let trim = part.trims.get(border.trim.index())?;
        let ends = border.t.map(|t| trim.point(t));
        let along = ends[1] - ends[0];
        let square = along.norm_squared();
        let s = if square > 0.0 {
            ((p - ends[0]).dot(&along) / square).clamp(0.0, 1.0)
        } else {
            0.5
        };
        let away = (ends[0] + along * s - p).norm_squared();
        let uv = border.uv[0] + (border.uv[1] - border.uv[0]) * s;
        Some((away, (uv.x, uv.y)))
    });
    let nearest = pieces.min_by(|a, b| a.0.total_cmp(&b.0));
    nearest.map(|(_, uv)| uv)
}
