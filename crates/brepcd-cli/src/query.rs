//! `brepcd query`: local minimal distances of two parts along poses.

use std::io::Write;
use std::path::Path;
use std::time::Instant;

use anyhow::Context;
use brepcd::geom::Pose;
use brepcd::query::{Options, Part, Workspace};

use crate::errors::one_line;
use crate::poses;
use crate::progress::Spinner;
use crate::query_args::QueryArgs;
use crate::query_report::{self, Row};

/// Runs all poses and prints each answer as it comes.
pub fn run(args: &QueryArgs) -> anyhow::Result<()> {
    let poses = match &args.poses {
        Some(path) => poses::read(path)?,
        None => vec![Pose::identity()],
    };
    let (a, b) = (load(&args.a)?, load(&args.b)?);
    let options = Options {
        prediction: args.prediction,
        epsilon: args.epsilon,
        regularization: args.regularization.to_radians(),
        ..Options::default()
    };
    let mut workspace = Workspace::new();
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for (index, pose) in poses.iter().enumerate() {
        let start = Instant::now();
        let answer = if args.min {
            workspace.min_distance(&a, &b, pose, &options)
        } else {
            workspace.contacts(&a, &b, pose, &options)
        };
        let time_us = start.elapsed().as_secs_f64() * 1e6;
        let answer = answer.with_context(|| format!("pose {index}"))?;
        let row = Row {
            index,
            answer,
            parts: (&a, &b),
            epsilon: args.epsilon,
            time_us,
        };
        let text = if args.json {
            query_report::json(&row)?
        } else {
            query_report::text(&row)
        };
        match out.write_all(text.as_bytes()) {
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => return Ok(()),
            result => result.context("cannot write the output")?,
        }
    }
    match out.flush() {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(error).context("cannot write the output")
        }
        _ => Ok(()),
    }
}

/// Loads a part; warnings go to standard error.
fn load(path: &Path) -> anyhow::Result<Part> {
    let spinner = Spinner::new("load");
    let loaded = brepcd::load_part(path)?;
    drop(spinner);
    for warning in &loaded.warnings {
        eprintln!(
            "warning: {}: {}",
            path.display(),
            one_line(&warning.to_string())
        );
    }
    Ok(loaded.part)
}
