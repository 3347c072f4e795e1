//! `brepcd preprocess`: several parts at a time, their results in the order of the arguments.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Instant;

use anyhow::{Context, anyhow, ensure};
use brepcd::prep::Statistics;
use brepcd::step::Warning;
use brepcd::tree::Settings;
use brepcd::{Cones, TreeOptions};

use crate::errors::{guarded, print_error};
use crate::preprocess_args::{ConeKind, Job, PreprocessArgs};
use crate::preprocess_report::{self, Totals};
use crate::progress::{Spinner, millis, parts_bar};
use crate::step_file;

/// What became of a part that did not fail.
pub struct Prepared {
    /// The files.
    pub job: Job,
    /// Counts.
    pub statistics: Statistics,
    /// All patches.
    pub patches: usize,
    /// Settings that were used.
    pub settings: Settings,
    /// Size of the STEP file.
    pub step_bytes: u64,
    /// Size of the tree file.
    pub tree_bytes: u64,
    /// What is wrong with the STEP file.
    pub warnings: Vec<Warning>,
    /// Where the time went, milliseconds, in order.
    pub timing: Vec<(&'static str, f64)>,
}

/// Preprocesses all parts; what fails is listed at the end and does not stop the others.
pub fn run(args: &PreprocessArgs) -> anyhow::Result<ExitCode> {
    let jobs = args.jobs()?;
    let options = TreeOptions {
        max_angle: args.max_angle.map(f64::to_radians),
        min_size: args.min_size,
        border: args.epsilon,
        cones: match args.cones {
            ConeKind::Polyhedral => Cones::Polyhedral,
            ConeKind::Revolution => Cones::Revolution,
        },
        ..TreeOptions::default()
    };
    if args.output.is_some() {
        make_folders(&jobs)?;
    }
    if let [job] = jobs.as_slice() {
        let prepared = guarded(job.source.display(), || prepare(job, &options, true));
        if args.json {
            crate::print(&preprocess_report::json(job, &prepared)?)?;
        }
        let prepared = prepared?;
        if !args.json {
            crate::print(&preprocess_report::text(&prepared))?;
        }
        return Ok(ExitCode::SUCCESS);
    }

    let bar = parts_bar(jobs.len());
    let mut totals = Totals::new(&jobs);
    if !args.json {
        crate::print(&totals.head())?;
    }
    let mut failures = Vec::new();
    in_order(&jobs, threads(args, jobs.len()), &options, |job, result| {
        bar.inc(1);
        let text = if args.json {
            preprocess_report::json(job, &result)?
        } else {
            match &result {
                Ok(prepared) => totals.row(job, prepared),
                Err(_) => totals.failed_row(job),
            }
        };
        failures.extend(result.err());
        bar.suspend(|| crate::print(&text))
    })?;
    bar.finish_and_clear();
    if !args.json {
        crate::print(&totals.foot())?;
    }
    failures.iter().for_each(print_error);
    Ok(if failures.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Makes the folders that tree files are asked into.
fn make_folders(jobs: &[Job]) -> anyhow::Result<()> {
    let folders = jobs.iter().filter_map(|job| job.target.parent());
    for folder in folders.filter(|f| !f.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(|error| {
            let folder = folder.display();
            anyhow!("{folder}: cannot make the folder ({error}): choose another with -o")
        })?;
    }
    Ok(())
}

fn threads(args: &PreprocessArgs, jobs: usize) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, |n| n.get());
    args.threads.map_or_else(cores, |n| n.get()).min(jobs)
}

/// Works through the jobs on several threads and hands over each result as soon as all before it are there.
fn in_order(
    jobs: &[Job],
    threads: usize,
    options: &TreeOptions,
    mut take: impl FnMut(&Job, anyhow::Result<Prepared>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let next = AtomicUsize::new(0);
    let (sender, results) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(job) = jobs.get(index) else { break };
                    let result = guarded(job.source.display(), || prepare(job, options, false));
                    // Whoever listens has gone away after an error: the rest is not wanted.
                    if sender.send((index, result)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut done = 0;
        for (index, result) in results {
            waiting.insert(index, result);
            while let Some(result) = waiting.remove(&done) {
                take(&jobs[done], result)?;
                done += 1;
            }
        }
        Ok(())
    })
}

/// Turns one STEP file into a tree file; errors name it.
fn prepare(job: &Job, options: &TreeOptions, alone: bool) -> anyhow::Result<Prepared> {
    let named = || job.source.display().to_string();
    let imported = step_file::read(&job.source, alone)?;
    let (model, bytes) = (imported.model, imported.bytes);
    ensure!(
        model.parts.iter().any(|part| !part.brep.faces.is_empty()),
        "{}: holds no face, so there is nothing to preprocess: see `brepcd info` for what it holds",
        named()
    );
    let spinner = alone.then(|| Spinner::new("preprocess"));
    let start = Instant::now();
    let (part, statistics) = brepcd::preprocess(&model, &file_name(&job.source), &bytes, options);
    let preprocess_ms = millis(start.elapsed());
    drop(spinner);

    let start = Instant::now();
    part.save(&job.target).with_context(named)?;
    let tree_bytes = std::fs::metadata(&job.target).with_context(named)?.len();
    let save_ms = millis(start.elapsed());

    let mut timing = imported.timing;
    timing.extend([("preprocess_ms", preprocess_ms), ("save_ms", save_ms)]);
    timing.push(("total_ms", timing.iter().map(|(_, ms)| ms).sum()));
    Ok(Prepared {
        job: job.clone(),
        statistics,
        patches: part.patches.len(),
        settings: part.header.settings,
        step_bytes: bytes.len() as u64,
        tree_bytes,
        warnings: model.warnings,
        timing,
    })
}

/// The name of a file without its folders.
pub fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}
