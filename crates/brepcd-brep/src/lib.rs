//! Exact boundary representation: topology, trimming, validation, convexity, mass properties.
//!
//! A [`Builder`] takes vertices, edges, faces, shells and solids in any unit-converted, oriented form (a face lies on
//! the left of its loops, seen from outside the material) and computes what files leave open: the parameter range of
//! every edge, the pcurves of every loop with periods, seams, poles and apexes, and the closed parameter domain of
//! every face. What it cannot repair it reports as a located [`Finding`].

mod border;
mod bounds;
mod builder;
mod convexity;
mod domain;
mod finding;
mod ids;
mod inside;
mod integrate;
mod kinds;
mod mass;
mod model;
mod orient;
mod trim;
mod validate;

pub use builder::{Builder, FaceInput, LoopInput};
pub use domain::{Chain, Domain, Sample, Segment};
pub use finding::{Finding, Severity};
pub use ids::{EdgeId, FaceId, LoopId, ShellId, SolidId, VertexId};
pub use inside::Side;
pub use kinds::{EdgeClass, EdgeKind, FaceKind};
pub use mass::MassProperties;
pub use model::{Brep, Coedge, Edge, EdgeUse, Face, FaceLoop, Shell, Solid, Tolerance, Vertex};
