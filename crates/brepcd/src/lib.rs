//! brepcd keeps the exact surfaces of CAD solids: the library to embed.
//!
//! This crate is a thin façade over the crates that do the work; each is re-exported as a module.
//!
//! ```no_run
//! let model = brepcd::read_step("part.step")?;
//! let mass = brepcd::placed_mass_properties(&model);
//! println!("{} mm³", mass.volume);
//! for warning in &model.warnings {
//!     eprintln!("{}", warning.message);
//! }
//! # Ok::<(), brepcd::step::StepError>(())
//! ```

mod load;
mod placed;
mod prepare;

pub use brepcd_brep as brep;
pub use brepcd_geom as geom;
pub use brepcd_prep as prep;
pub use brepcd_query as query;
pub use brepcd_step as step;
pub use brepcd_tree as tree;

pub use brepcd_brep::{Brep, MassProperties};
pub use brepcd_query::{Answer, Lmd, Part, Status, Workspace};
pub use brepcd_step::{Model, StepError};
pub use brepcd_tree::TreePart;
pub use load::{LoadError, Loaded, load_part};
pub use placed::placed_mass_properties;
pub use prepare::{TreeOptions, preprocess};

/// Reads a STEP file with default options; damaged faces become warnings beside the model.
pub fn read_step(path: impl AsRef<std::path::Path>) -> Result<Model, StepError> {
    step::read_file(path.as_ref())
}
