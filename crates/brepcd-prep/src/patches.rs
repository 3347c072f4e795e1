//! Splitting of features into near-flat patches, each with what it takes to tell what of it belongs to the feature.

mod cell;
mod edge;
mod face;
mod fill;
mod parts;
mod spread;
mod status;

use crate::domains::Domains;
use crate::features::Features;
use brepcd_brep::Brep;
use brepcd_geom::nurbs::{BezierCurve, BezierSurface};
use brepcd_geom::{Interval, Point2};
use brepcd_tree::{Crossing, Settings};

/// The feature a patch is a piece of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatchOwner {
    /// A face feature, by position.
    Face(usize),
    /// An edge feature, by position.
    Edge(usize),
    /// A vertex feature, by position.
    Vertex(usize),
}

/// How a patch lies in its feature's domain.
#[derive(Clone, Debug, PartialEq)]
pub enum RawMembership {
    /// No border crosses it.
    Inside,
    /// Borders cross it.
    Crossed {
        /// The crossing pieces, by their position in the face's own borders.
        pieces: Vec<Crossing>,
        /// A point off the border.
        reference: Point2,
        /// Whether that point lies inside.
        inside: bool,
    },
}

/// The control points of a free-form patch.
#[derive(Clone, Debug)]
pub enum RawBezier {
    /// Of a piece of surface.
    Surface(BezierSurface),
    /// Of a piece of curve.
    Curve(BezierCurve),
}

/// A near-flat piece of a feature.
#[derive(Clone, Debug)]
pub struct RawPatch {
    /// The feature.
    pub feature: PatchOwner,
    /// Range of the first surface parameter, or of the curve parameter.
    pub u: Interval,
    /// Range of the second surface parameter; a point for edges and vertices.
    pub v: Interval,
    /// How it lies in the domain.
    pub membership: RawMembership,
    /// Control points over exactly its ranges, for free-form pieces.
    pub bezier: Option<RawBezier>,
}

/// Splits all features: faces, then edges, then vertices.
pub fn split(
    brep: &Brep,
    features: &Features,
    domains: &Domains,
    settings: &Settings,
) -> Vec<RawPatch> {
    let mut out = Vec::new();
    for index in 0..features.faces.len() {
        face::split(brep, features, domains, index, settings, &mut out);
    }
    for index in 0..features.edges.len() {
        edge::split(features, index, settings, &mut out);
    }
    let point = Interval { lo: 0.0, hi: 0.0 };
    out.extend((0..features.vertices.len()).map(|index| RawPatch {
        feature: PatchOwner::Vertex(index),
        u: point,
        v: point,
        membership: RawMembership::Inside,
        bezier: None,
    }));
    out
}

/// Copies of a piece at most along a range.
const MAX_COPIES: i64 = 64;

/// Multiples of the period by which a piece comes to lie in a range.
fn shifts(piece: Interval, range: Interval, period: f64) -> Vec<f64> {
    if period == 0.0 {
        return vec![0.0];
    }
    let first = ((range.lo - piece.hi) / period).floor() as i64;
    let last = ((range.hi - piece.lo) / period).ceil() as i64;
    (first..=last.min(first.saturating_add(MAX_COPIES)))
        .map(|k| k as f64 * period)
        .collect()
}
