//! What the benches and the programs that print tables share: scenes, meshes for the peer, timings, tables, plots.

pub mod agreement;
pub mod arguments;
pub mod assembly;
pub mod columns;
pub mod counts;
pub mod each;
pub mod mesh;
pub mod peer;
pub mod plot;
pub mod random;
pub mod scene;
pub mod table;
pub mod times;
pub mod variants;
