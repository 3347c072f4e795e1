//! Bounds that take few bytes in a file: rounded outwards to values with short codes.
//!
//! Boxes and cones only have to hold what they bound, so they need not have all the digits of a float. Rounding keeps
//! them right: a rounded bound holds the bound it comes from. One that is rounded already stays as it is.

mod cone;
mod direction;
mod obb;
mod scalar;
mod turn;

pub(crate) use cone::ShortCircle;
pub use cone::ShortCone;
pub(crate) use direction::Direction;
pub(crate) use obb::ShortBox;

use crate::Node;

/// Rounds the boxes and circular cones of a part's nodes outwards, all but the root's box, about whose centre the others
/// are stored. Other cones cannot be but rounded.
pub fn round_out(nodes: &mut [Node]) {
    let Some(origin) = nodes.first().map(|root| root.obb.centre) else {
        return;
    };
    for (index, node) in nodes.iter_mut().enumerate() {
        if index > 0 {
            node.obb = node.obb.rounded_out(&origin);
        }
        node.circle = node.circle.rounded_out();
    }
}
