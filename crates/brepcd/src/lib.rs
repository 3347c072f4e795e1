//! Exact distances between CAD solids, without tessellation: the library to embed.
//!
//! This crate is a thin façade over the crates that do the work; each is re-exported as a module.
//!
//! [`load_part`] makes two parts ready for queries, and a [`Workspace`] answers at one pose after the other. Lengths are
//! millimetres. A pose `a_from_b` places part B in the frame of part A, in which all results are.
//!
//! ```
//! use brepcd::geom::Pose;
//! use brepcd::query::Options;
//! use brepcd::{Status, Workspace};
//!
//! # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/parts");
//! # let path = |name: &str| format!("{folder}/{name}");
//! let pin = brepcd::load_part(path("cylinder.step"))?.part; // radius 5, about the z axis
//! let ring = brepcd::load_part(path("torus.step"))?.part; // radius 10 of the circle, 3 of the tube
//!
//! let mut workspace = Workspace::new();
//! let a_from_b = Pose::translation(1.0, 0.0, 10.0);
//! let answer = workspace.contacts(&pin, &ring, &a_from_b, &Options::default())?;
//! assert_eq!(answer.status, Status::Separated);
//! for lmd in &answer.lmds {
//!     println!("{} mm from {} along {:?}", lmd.distance, lmd.point_a, lmd.normal);
//! }
//! assert!((answer.lmds[0].distance - 1.0).abs() < 1e-9);
//!
//! // Whatever the prediction of the options, the least distance is found.
//! let far = Pose::translation(1000.0, 0.0, 10.0);
//! let answer = workspace.min_distance(&pin, &ring, &far, &Options::default())?;
//! assert!((answer.lmds[0].distance - 982.0).abs() < 1e-9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What a file holds is in its [`Model`]:
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

pub mod batch;
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
pub use brepcd_prep::Grouping;
pub use brepcd_query::{Answer, Lmd, PairState, Part, Status, Workspace};
pub use brepcd_step::{Model, StepError};
pub use brepcd_tree::TreePart;
pub use load::{LoadError, Loaded, load_part};
pub use placed::placed_mass_properties;
pub use prepare::{Cones, TreeOptions, preprocess};

/// Reads a STEP file with default options; damaged faces become warnings beside the model.
pub fn read_step(path: impl AsRef<std::path::Path>) -> Result<Model, StepError> {
    step::read_file(path.as_ref())
}
