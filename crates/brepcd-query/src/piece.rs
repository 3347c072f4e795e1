//! A patch of a part, placed in the frame of part A.

use brepcd_geom::{CurveJet, Interval, Point3, SurfaceJet};
use brepcd_tree::{Feature, MatrixPose, Patch, PatchId, Shape, TreePart};

/// A patch with the pose of its part; everything that is asked of it is answered in the frame of part A.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'a> {
    /// The part.
    pub part: &'a TreePart,
    /// The patch.
    pub id: PatchId,
    /// The pose of the part in the frame of part A: the identity for part A itself.
    pub a_from_part: &'a MatrixPose,
    /// Ranges of its parameters: those of the patch, or of all its cluster.
    pub range: [Interval; 2],
}

impl<'a> Piece<'a> {
    /// A patch of a part, and the pose of the part.
    pub fn new(part: &'a TreePart, id: PatchId, a_from_part: &'a MatrixPose) -> Self {
        let patch = &part.patches[id.index()];
        Self {
            part,
            id,
            a_from_part,
            range: [patch.u, patch.v],
        }
    }

    /// The patch itself.
    pub fn patch(&self) -> &'a Patch {
        &self.part.patches[self.id.index()]
    }

    /// The feature it belongs to.
    pub fn feature(&self) -> &'a Feature {
        &self.part.features[self.patch().feature.index()]
    }

    /// Free parameters: 2 for a face, 1 for an edge, 0 for a vertex.
    pub fn dimension(&self) -> usize {
        match self.feature().shape {
            Shape::Face { .. } => 2,
            Shape::Edge { .. } => 1,
            Shape::Vertex { .. } => 0,
        }
    }

    /// The point at some parameters.
    pub fn point(&self, t: [f64; 2]) -> Point3 {
        let local = match &self.feature().shape {
            Shape::Face { surface, .. } => surface.point(t[0], t[1]),
            Shape::Edge { curve, .. } => curve.point(t[0]),
            Shape::Vertex { point, .. } => *point,
        };
        self.a_from_part * local
    }

    /// Point and derivatives of a face's surface; `None` for edges and vertices.
    pub fn surface_jet(&self, t: [f64; 2]) -> Option<SurfaceJet> {
        let Shape::Face { surface, .. } = &self.feature().shape else {
            return None;
        };
        let jet = surface.jet(t[0], t[1]);
        let turn = &self.a_from_part.rotation;
        Some(SurfaceJet {
            p: self.a_from_part * jet.p,
            du: turn * jet.du,
            dv: turn * jet.dv,
            duu: turn * jet.duu,
            duv: turn * jet.duv,
            dvv: turn * jet.dvv,
        })
    }

    /// Point and derivatives of an edge's curve; `None` for faces and vertices.
    pub fn curve_jet(&self, t: f64) -> Option<CurveJet> {
        let Shape::Edge { curve, .. } = &self.feature().shape else {
            return None;
        };
        let jet = curve.jet(t);
        let turn = &self.a_from_part.rotation;
        Some(CurveJet {
            p: self.a_from_part * jet.p,
            d1: turn * jet.d1,
            d2: turn * jet.d2,
        })
    }
}
