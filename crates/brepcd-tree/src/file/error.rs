use std::borrow::Cow;
use std::path::PathBuf;

use super::FILE_VERSION;

/// Why a tree file could not be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The file cannot be opened, read, written or renamed.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was tried: `read`, `create`, `write` or `replace`.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The bytes could not be handed to the writer.
    #[error("cannot write the tree file: {0}")]
    Write(#[source] std::io::Error),
    /// The file begins with something else.
    #[error(
        "not a brepcd tree file (it does not begin with its mark); give a .brepcd file made by `brepcd preprocess`"
    )]
    NotATreeFile,
    /// The file was written by another version.
    #[error(
        "the tree file has format version {found}, this program reads version {FILE_VERSION}; preprocess the source \
         again with this program"
    )]
    OtherVersion {
        /// The version in the file.
        found: u32,
    },
    /// The file ends too early.
    #[error(
        "the tree file is cut off: {found} of {expected} bytes are there; copy it again, or preprocess the source again"
    )]
    CutOff {
        /// The bytes it should have.
        expected: u64,
        /// The bytes it has.
        found: u64,
    },
    /// Something follows the file's end.
    #[error(
        "the tree file is followed by {} bytes that do not belong to it; copy it again, or preprocess the source again",
        found - expected
    )]
    TooLong {
        /// The bytes it should have.
        expected: u64,
        /// The bytes it has.
        found: u64,
    },
    /// The bytes are not those that were written.
    #[error(
        "the tree file is damaged: its checksum is {computed:016x} instead of {stored:016x}; copy it again, or \
         preprocess the source again"
    )]
    Checksum {
        /// The checksum in the file.
        stored: u64,
        /// The checksum of its bytes.
        computed: u64,
    },
    /// The bytes are intact but do not describe a part.
    #[error(
        "the tree file is invalid in section {section} at byte {offset}: {what}; preprocess the source again"
    )]
    Invalid {
        /// The section, by its tag.
        section: &'static str,
        /// Where in the file, bytes from its start.
        offset: u64,
        /// What is wrong there.
        what: Cow<'static, str>,
    },
    /// The part breaks a rule of [`crate::TreePart`], so that its file could not be read again.
    #[error("the part cannot be written: {what}; this is a fault of what made the part")]
    Unwritable {
        /// What is wrong.
        what: Cow<'static, str>,
    },
}
