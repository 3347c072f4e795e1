//! Values that tests of other projects publish, as cases of our own: distances of solids and extrema of carriers.
//!
//! Lengths are taken as numbers, whatever unit their source has; each is worked out anew beside the published digits.

#[path = "published/carriers.rs"]
mod carriers;
#[allow(dead_code)]
#[path = "published/prepare.rs"]
mod prepare;
#[path = "published/solid_pairs.rs"]
mod solid_pairs;
