//! Any pose at all: refused if it is none, answered if it is one, the same on every run and thread.

#[path = "poses/fuzz.rs"]
mod fuzz;
#[path = "poses/least.rs"]
mod least;
#[allow(dead_code)]
#[path = "published/prepare.rs"]
mod prepare;
#[path = "poses/refused.rs"]
mod refused;
#[path = "poses/same.rs"]
mod same;
