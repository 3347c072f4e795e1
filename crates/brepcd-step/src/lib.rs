//! STEP text to exact boundary representations, with a located warning for everything that is not taken over.
//!
//! [`read`] parses an exchange file (AP203, AP214, AP242), converts it to millimetres and radians, and gives the
//! distinct parts and the assembly tree that places them. A damaged face is a [`Warning`], a file that is no STEP file
//! a [`StepError`]; nothing is dropped silently.
//!
//! `p21` alone knows the parser. `placement`, `curves`, `surfaces` and `revolution` read geometry, `topology` builds
//! one part of it, `structure` and `assembly` find the parts and place them.

mod assembly;
mod curves;
mod error;
mod log;
mod model;
mod p21;
mod placement;
mod revolution;
mod structure;
mod surfaces;
mod topology;
mod units;

use std::path::Path;

pub use error::StepError;
pub use model::{Model, Node, Part, Recognized, Warning};

use assembly::Assembly;
use p21::Exchange;

/// Limits of the import.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ReadOptions {
    /// Largest file taken, bytes.
    pub max_bytes: u64,
    /// Most nodes of the assembly tree; what exceeds it is left out with a warning.
    pub max_instances: usize,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { max_bytes: 4 << 30, max_instances: 50_000 }
    }
}

/// How far the import is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// `parse` (in bytes), then `build` (in faces).
    pub stage: &'static str,
    /// What is done of this stage.
    pub done: usize,
    /// What there is to do.
    pub total: usize,
}

/// Reads a STEP file.
pub fn read_file(path: impl AsRef<Path>) -> Result<Model, StepError> {
    let path = path.as_ref();
    let failed = |source| StepError::Io { path: path.display().to_string(), source };
    let options = ReadOptions::default();
    let bytes = std::fs::metadata(path).map_err(failed)?.len();
    if bytes > options.max_bytes {
        return Err(StepError::TooLarge { bytes, limit: options.max_bytes });
    }
    let bytes = std::fs::read(path).map_err(failed)?;
    read(&bytes, &options, &mut |_| {})
}

/// Reads STEP text; `progress` hears of every stage.
pub fn read(
    bytes: &[u8],
    options: &ReadOptions,
    progress: &mut dyn FnMut(Progress),
) -> Result<Model, StepError> {
    if bytes.len() as u64 > options.max_bytes {
        return Err(StepError::TooLarge { bytes: bytes.len() as u64, limit: options.max_bytes });
    }
    progress(Progress { stage: "parse", done: 0, total: bytes.len() });
    let file = Exchange::parse(bytes)?;
    progress(Progress { stage: "parse", done: bytes.len(), total: bytes.len() });
    progress(Progress { stage: "build", done: 0, total: 1 });
    let mut assembly = Assembly::new(&file, options, progress);
    for (line, message) in file.repairs() {
        assembly.log.warnings.push(Warning { label: None, line, message });
    }
    let (roots, units, faces_in_file) = assembly.read();
    let (parts, log) = (assembly.parts, assembly.log);
    if parts.is_empty() {
        let first_warning = log.warnings.first().map(|w| format!("; {w}")).unwrap_or_default();
        return Err(StepError::NoShape { first_warning });
    }
    let faces_imported = log.imported.len();
    Ok(Model {
        schema: file.schema(),
        unit: units.name,
        unit_scale: units.length,
        parts,
        roots,
        warnings: log.warnings,
        recognized: log.recognized,
        faces_in_file,
        faces_imported,
        faces_warned: faces_in_file - faces_imported.min(faces_in_file),
    })
}
