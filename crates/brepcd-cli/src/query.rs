//! `brepcd query`: local minimal distances of two parts along poses.

use std::io::{BufWriter, ErrorKind, IsTerminal, StdoutLock, Write};
use std::path::Path;
use std::time::Instant;

use anyhow::Context;
use brepcd::LoadError;
use brepcd::geom::Pose;
use brepcd::query::{Options, Part, Workspace};

use crate::errors::{guarded, one_line, unreadable};
use crate::poses;
use crate::progress::{Spinner, poses_bar};
use crate::query_args::QueryArgs;
use crate::query_report::{self, Row};
use crate::query_table::{Summary, Table};

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
    let table = Table::new(
        poses.len(),
        args.epsilon,
        (!args.min).then_some(args.prediction),
    );
    let mut summary = Summary::default();
    let bar = poses_bar(poses.len());
    let mut out = Output::new();
    if !args.json {
        out.write(&table.head())?;
    }
    for (index, pose) in poses.iter().enumerate() {
        let what = format!(
            "pose {index} of {} and {}",
            args.a.display(),
            args.b.display()
        );
        let start = Instant::now();
        let answer = guarded(&what, || {
            let answer = if args.min {
                workspace.min_distance(&a, &b, pose, &options)
            } else {
                workspace.contacts(&a, &b, pose, &options)
            };
            answer.with_context(|| what.clone())
        })?;
        let row = Row {
            index,
            answer,
            parts: (&a, &b),
            epsilon: args.epsilon,
            time_us: start.elapsed().as_secs_f64() * 1e6,
        };
        summary.note(&row);
        let text = if args.json {
            query_report::json(&row)?
        } else {
            table.rows(&row)
        };
        if !out.write(&text)? {
            break;
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    if !args.json {
        out.write(&summary.line())?;
    }
    out.finish()?;
    if let Some(warning) = summary.warning() {
        eprintln!("warning: {warning}");
    }
    Ok(())
}

/// Loads a part; warnings go to standard error.
fn load(path: &Path) -> anyhow::Result<Part> {
    let spinner = Spinner::new("load");
    let loaded = guarded(path.display(), || {
        brepcd::load_part(path).map_err(|error| match error {
            LoadError::Io { source, .. } => unreadable(path, &source),
            error => error.into(),
        })
    });
    drop(spinner);
    let loaded = loaded?;
    for warning in &loaded.warnings {
        eprintln!(
            "warning: {}: {}",
            path.display(),
            one_line(&warning.to_string())
        );
    }
    Ok(loaded.part)
}

/// Standard output: at once on a terminal, in larger pieces elsewhere.
struct Output {
    stream: BufWriter<StdoutLock<'static>>,
    at_once: bool,
}

impl Output {
    fn new() -> Self {
        let stdout = std::io::stdout();
        Self {
            at_once: stdout.is_terminal(),
            stream: BufWriter::new(stdout.lock()),
        }
    }

    /// Writes some text; false if the reader has gone away (`brepcd … | head`), which is no error.
    fn write(&mut self, text: &str) -> anyhow::Result<bool> {
        let written = self.stream.write_all(text.as_bytes());
        let flushed = written.and_then(|()| {
            if self.at_once {
                self.stream.flush()
            } else {
                Ok(())
            }
        });
        still_read(flushed)
    }

    /// Writes what is left.
    fn finish(&mut self) -> anyhow::Result<()> {
        still_read(self.stream.flush()).map(|_| ())
    }
}

fn still_read(result: std::io::Result<()>) -> anyhow::Result<bool> {
    match result {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(error).context("cannot write the output"),
    }
}
