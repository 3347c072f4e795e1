//! Tests of the solver against independent answers.
mod bounds;
pub(crate) mod build;
mod folds;
mod kinds;
mod known;
pub(super) mod oracle;
mod surfaces;
mod timing;
