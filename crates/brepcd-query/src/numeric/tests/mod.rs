//! Tests of the solver against independent answers.
mod bounds;
pub(super) mod build;
mod kinds;
mod known;
pub(super) mod oracle;
mod surfaces;
mod timing;
