//! Reading of STEP files, with a bar on a terminal and the time of each stage.

use std::path::Path;
use std::time::Instant;

use anyhow::Context;
use brepcd::Model;
use brepcd::step::ReadOptions;

use crate::errors::read_bytes;
use crate::progress::{Stopwatch, millis};

/// A STEP file, read.
pub struct Imported {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// What it holds.
    pub model: Model,
    /// Where the time went, milliseconds, in order.
    pub timing: Vec<(&'static str, f64)>,
}

/// Reads a STEP file; errors name it. `bar` asks for a progress bar, which big files get on a terminal.
pub fn read(file: &Path, bar: bool) -> anyhow::Result<Imported> {
    let start = Instant::now();
    let bytes = read_bytes(file)?;
    let mut timing = vec![("load_ms", millis(start.elapsed()))];

    let mut stopwatch = Stopwatch::new(if bar { bytes.len() } else { 0 });
    let read = brepcd::step::read(&bytes, &ReadOptions::default(), &mut |progress| {
        stopwatch.note(&progress)
    });
    timing.extend(stopwatch.finish());
    let model = read.with_context(|| file.display().to_string())?;
    Ok(Imported {
        bytes,
        model,
        timing,
    })
}
