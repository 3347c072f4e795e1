//! All stationary pairs of two *cores*, whole and untrimmed: point, line, circle, ellipse, plane, cone.
//!
//! A sphere is an offset point, a cylinder an offset line, a torus an offset circle, so these pairs answer for them too.
//! Every file holds one pair of kinds, lower kind first, and the same function `stationary`, which appends to `out`.
//!
//! Two points are a stationary pair when the line between them is normal to both cores: a minimum, a saddle or a maximum
//! of the distance. Where two curves cross, the crossing is such a pair, at distance zero. A curve that pierces a surface
//! is none, because the two have no common normal there. The cone is its open nappe: the apex is a point of its own.

mod around_axis;
mod chains;
pub mod circle_circle;
pub mod circle_cone;
pub mod circle_ellipse;
pub mod circle_plane;
pub mod cone_cone;
mod core;
pub mod ellipse_cone;
pub mod ellipse_ellipse;
pub mod ellipse_plane;
mod generators;
mod isolate;
pub mod line_circle;
pub mod line_cone;
pub mod line_ellipse;
pub mod line_line;
pub mod line_plane;
mod oval;
mod pairs;
pub mod plane_cone;
pub mod plane_plane;
pub mod point_circle;
pub mod point_cone;
pub mod point_ellipse;
pub mod point_line;
pub mod point_plane;
pub mod point_point;
mod trig;
mod two_angles;

pub use core::{Core, stationary};
pub use pairs::{FamilyKind, Outcome, Pair, Pairs, Tolerance};

#[cfg(test)]
mod oracle;
#[cfg(test)]
mod special;
