//! The preprocessed part as data: features, patches, bounds and the tree over them, and its file format.
//!
//! This is all the runtime ever sees of a part.

mod cone;
pub mod domain;
mod file;
mod ids;
mod kinds;
mod obb;
mod part;
mod planar;
mod short;
#[cfg(test)]
mod testing;

pub use cone::{CircularCone, NormalCone};
pub use domain::Where;
pub use file::{FILE_VERSION, FileError};
pub use ids::{FeatureId, NodeId, PatchId, Run, TrimId};
pub use kinds::Kinds;
pub use obb::Obb;
pub use part::{
    Border, Content, Crossing, Feature, Header, Membership, Node, Patch, Settings, Shape, Shell,
    Source, SourceKind, TreePart, source_hash,
};
pub use short::{ShortCone, round_out};

/// A rotation as a matrix; named `a_from_b` where it maps directions of `b` to `a`.
pub type Rotation = nalgebra::Rotation3<f64>;
/// A rigid motion whose rotation is a matrix: what the tests of bounds take, made once per query from a pose.
pub type MatrixPose = nalgebra::IsometryMatrix3<f64>;
