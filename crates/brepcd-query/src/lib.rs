//! The run time of brepcd: from two preprocessed parts and a pose to their local minimal distances.
//!
//! Nothing here allocates on the way, nothing fails for finite input; what did not converge is told, never dropped.

mod accept;
mod answer;
mod candidates;
mod carrier;
mod collect;
pub mod critical;
mod feet;
mod foot;
mod freeform;
#[cfg(test)]
mod masks;
mod merge;
mod nearest;
pub mod numeric;
mod options;
pub mod overlap;
mod part;
pub mod piece;
mod places;
mod polar;
mod prune;
mod query;
mod ring;
mod samples;
mod second_order;
mod shells;
mod sleeve;
mod sleeves;
mod smooth;
mod state;
mod stats;
mod tolerance;
mod traverse;

pub use answer::{Answer, Lmd, Overlap, Status};
pub use options::Options;
pub use part::{Part, PoseError};
pub use query::Workspace;
pub use sleeve::{Axis, Fan, Sleeve};
pub use state::PairState;
pub use stats::Stats;
