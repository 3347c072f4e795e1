//! Overlap of parts from the data of the run time, against the exact B-Rep, dense samples and known answers.

#[path = "overlap/many.rs"]
mod many;
#[path = "overlap/pairs.rs"]
mod pairs;
#[path = "overlap/parts.rs"]
mod parts;
#[path = "overlap/scenarios.rs"]
mod scenarios;
#[path = "overlap/scenes.rs"]
mod scenes;
#[path = "overlap/sides.rs"]
mod sides;
