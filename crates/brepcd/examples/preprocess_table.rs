//! Preprocesses STEP files and prints a table of counts, times and sizes.
//!
//! ```text
//! cargo run --release -p brepcd --example preprocess_table -- part.step…
//! ```

use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!(
        "{:50} {:>11} {:>11} {:>11} {:>7} {:>7} {:>7} {:>5} {:>8} {:>8} {:>8} {:>8}",
        "file",
        "faces",
        "edges",
        "vertices",
        "patches",
        "crossed",
        "borders",
        "depth",
        "ms",
        "STEP kB",
        "tree kB",
        "load ms"
    );
    for path in std::env::args().skip(1) {
        let bytes = std::fs::read(&path)?;
        let model = brepcd::read_step(&path)?;
        let name = std::path::Path::new(&path)
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let start = Instant::now();
        let (part, s) = brepcd::preprocess(&model, &name, &bytes, &Default::default());
        let ms = start.elapsed().as_secs_f64() * 1e3;
        let file = part.to_bytes()?;
        let start = Instant::now();
        let loaded = brepcd::TreePart::from_bytes(&file)?;
        let load = start.elapsed().as_secs_f64() * 1e3;
        assert_eq!(loaded.to_bytes()?, file, "what is loaded is what was saved");
        println!(
            "{name:50} {:>5}→{:<5} {:>5}→{:<5} {:>5}→{:<5} {:>7} {:>7} {:>7} {:>5} {ms:>8.1} {:>8.1} {:>8.1} {load:>8.2}",
            s.faces,
            s.face_features,
            s.edges,
            s.edge_features,
            s.vertices,
            s.vertex_features,
            part.patches.len(),
            s.crossed_patches,
            s.borders,
            s.depth,
            bytes.len() as f64 / 1e3,
            file.len() as f64 / 1e3,
        );
    }
    Ok(())
}
