//! Tree files: a [`TreePart`] as bytes, little-endian, and back, bit for bit.
//!
//! A mark and version, a table of sections, the sections, a checksum of all that; `docs/tree-file.md` has every byte.
//! What follows from other bytes is not stored: children of nodes in a known order, masks, starts of runs, third axes,
//! repeated vectors and splines. Bounds that are rounded outwards have a short form. Each kind of item lives in a file of
//! its own, its writer beside its reader. Readers trust nothing: every position, run and number is checked, and memory is
//! bounded by the length of the file before anything is allocated.

mod check;
mod error;
mod feature;
mod input;
mod lists;
mod node;
mod nurbs;
mod order;
mod output;
mod patch;
mod read;
mod save;
mod sections;
mod shape;
mod shared;
mod write;

pub use error::FileError;

use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

use crate::TreePart;

/// Version of the tree files this library writes, and the only one it reads.
pub const FILE_VERSION: u32 = 4;

/// What every tree file begins with; the first byte and the line ends show transfers that took it for text.
const MARK: [u8; 8] = *b"\x89BRCD\r\n\n";
/// Mark, version, number of sections, length of the file.
const PREFIX: usize = 8 + 4 + 4 + 8;
/// Tag, items and bytes of a section.
const TABLE_ENTRY: usize = 4 + 4 + 8;
/// Bytes of the checksum at the end.
const CHECKSUM: usize = 8;
/// How many times its own bytes a file may ask for in memory; real parts need less than half of that.
const MEMORY_FACTOR: u64 = 16;

impl TreePart {
    /// The bytes of its tree file; equal parts have equal bytes.
    pub fn to_bytes(&self) -> Result<Vec<u8>, FileError> {
        write::file(self)
    }

    /// Writes its tree file.
    pub fn write(&self, out: &mut impl Write) -> Result<(), FileError> {
        let bytes = self.to_bytes()?;
        out.write_all(&bytes).map_err(FileError::Write)
    }

    /// The part of the bytes of a tree file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FileError> {
        let length = bytes.len() as u64;
        read::file(&mut &*bytes, length, Path::new(""))
    }

    /// Writes its tree file to a path; a file that is there is replaced at once, or left as it is on failure.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), FileError> {
        save::replace(path.as_ref(), &self.to_bytes()?)
    }

    /// Reads a tree file.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, FileError> {
        let path = path.as_ref();
        let error = |source| FileError::Io {
            action: "read",
            path: path.to_owned(),
            source,
        };
        let mut file = File::open(path).map_err(error)?;
        let about = file.metadata().map_err(error)?;
        if about.is_file() {
            return read::file(&mut file, about.len(), path);
        }
        // Pipes tell no length.
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(error)?;
        Self::from_bytes(&bytes)
    }
}
