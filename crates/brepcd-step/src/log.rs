//! What is said about a file while it is read, and which faces were met.

use std::collections::HashSet;

use brepcd_brep::{Finding, Severity};

use crate::error::Fault;
use crate::model::{Recognized, Warning};
use crate::p21::Exchange;

/// Warnings, recognised faces and the fate of every face.
#[derive(Debug, Default)]
pub(crate) struct Log {
    /// Warnings in the order they came up.
    pub warnings: Vec<Warning>,
    /// Recognised faces.
    pub recognized: Vec<Recognized>,
    /// Faces taken over.
    pub imported: HashSet<u64>,
    /// Faces a warning was given for.
    pub refused: HashSet<u64>,
}

impl Log {
    /// Adds a warning about an entity.
    pub fn warn(&mut self, file: &Exchange, id: u64, message: impl Into<String>) {
        self.warnings.push(Warning {
            label: Some(id),
            line: file.line(id),
            message: message.into(),
        });
    }

    /// Adds a fault as a warning; `what` was lost by it.
    pub fn fault(&mut self, file: &Exchange, id: u64, what: &str, fault: &Fault) {
        let reason = if fault.id == id {
            fault.message.clone()
        } else {
            fault.to_string()
        };
        self.warn(file, id, format!("{what}: {reason}"));
    }

    /// Adds a face that could not be taken over, once.
    pub fn refuse_face(&mut self, file: &Exchange, id: u64, fault: &Fault) {
        if self.refused.insert(id) {
            self.fault(file, id, "the face is not imported", fault);
        }
    }

    /// Adds what building a part brought to light; notes stay out.
    pub fn findings(&mut self, file: &Exchange, findings: Vec<Finding>) {
        for finding in findings {
            if finding.severity != Severity::Note {
                let line = finding.label.and_then(|id| file.line(id));
                self.warnings.push(Warning {
                    label: finding.label,
                    line,
                    message: finding.message,
                });
            }
        }
    }

    /// Puts what another log holds behind.
    pub fn append(&mut self, other: Self) {
        self.warnings.extend(other.warnings);
        self.recognized.extend(other.recognized);
        self.imported.extend(other.imported);
        self.refused.extend(other.refused);
    }
}
