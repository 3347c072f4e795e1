use std::fmt;

/// Why a STEP file could not be read at all.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StepError {
    /// The file could not be opened or read.
    #[error("{path}: {source}")]
    Io {
        /// The path as given.
        path: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// The bytes are not a STEP exchange file.
    #[error("line {line}: not a STEP file: {what}")]
    NotStep {
        /// Where that was seen.
        line: u32,
        /// What the bytes look like instead.
        what: String,
    },
    /// The exchange structure is broken or cut off.
    #[error("line {line}: {message}")]
    Syntax {
        /// Where reading stopped.
        line: u32,
        /// What was wrong there.
        message: String,
    },
    /// The file is larger than the options allow.
    #[error("line 1: the file has {bytes} bytes, more than the limit of {limit}")]
    TooLarge {
        /// Size of the file.
        bytes: u64,
        /// The limit in force.
        limit: u64,
    },
    /// The file is a STEP file without any shape this reader takes over.
    #[error("line 1: the file holds no solid, shell or face that could be imported{first_warning}")]
    NoShape {
        /// The first warning, introduced by `; `, or nothing.
        first_warning: String,
    },
}

/// What is wrong with one entity: the reason of a warning.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    /// The entity's `#id`.
    pub id: u64,
    /// The line its definition starts on.
    pub line: u32,
    /// What is wrong, without the id.
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{} (line {}): {}", self.id, self.line, self.message)
    }
}

/// The result of reading one entity.
pub(crate) type Read<T> = Result<T, Fault>;
