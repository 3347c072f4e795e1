//! Whether two parts overlap: where a boundary goes through another, and on which side of a boundary a point lies.

mod canonical;
mod coaxial;
mod crossing;
mod extent;
mod facet;
mod few;
mod flat_curve;
mod flush;
mod free;
mod hull;
mod loops;
mod past;
mod profile;
mod rim;
mod scan;
mod side;
mod speed;
mod track;

pub use coaxial::Turned;
pub use crossing::{Crossing, Misses, crossing};
pub use extent::extent;
pub use rim::{DIRECTIONS, Rim, directions};
pub use side::{Scratch, Side, side_of};

#[cfg(test)]
mod tests;
