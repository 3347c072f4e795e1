//! Smooth motions in small steps: distances follow the motion, and contacts neither jump nor blink.

#[path = "motions/conformal.rs"]
mod conformal;
#[path = "motions/flat.rs"]
mod flat;
#[path = "motions/follow.rs"]
mod follow;
#[path = "motions/lipschitz.rs"]
mod lipschitz;
#[allow(dead_code)]
#[path = "published/prepare.rs"]
mod prepare;
#[path = "motions/rolling.rs"]
mod rolling;
#[path = "motions/sockets.rs"]
mod sockets;
#[path = "motions/waists.rs"]
mod waists;
