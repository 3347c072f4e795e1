use crate::{EdgeId, FaceId};

/// How bad a [`Finding`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// Repaired or harmless.
    Note,
    /// The named item is there, but deviates more than the tolerance.
    Warning,
    /// The named item could not be used.
    Error,
}

/// Something a builder or the validation noticed, with its place.
#[derive(Clone, Debug)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// Entity number in the source file.
    pub label: Option<u64>,
    /// The face it lies on.
    pub face: Option<FaceId>,
    /// The edge it lies on.
    pub edge: Option<EdgeId>,
    /// What it is, in one sentence with measured values.
    pub message: String,
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(label) = self.label {
            write!(f, "#{label}: ")?;
        }
        f.write_str(&self.message)
    }
}
