//! The `brepcd` binary: arguments, printing, progress, exit codes. Everything else is in the library.

mod args;
mod errors;
mod info;
mod inspect;
mod inspect_args;
mod poses;
mod preprocess;
mod preprocess_args;
mod preprocess_report;
mod progress;
mod query;
mod query_args;
mod query_report;
mod query_table;
mod report;
mod report_json;
mod report_text;
mod step_file;
mod tree_info;

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use args::{Args, Command};
use clap::Parser;
use errors::{guarded, print_error};

/// Exit code 0 on success and 1 on an error in the input; clap exits with 2 on wrong usage.
fn main() -> ExitCode {
    errors::catch_bugs();
    match run(&Args::parse()) {
        Ok(code) => code,
        Err(error) => {
            print_error(&error);
            ExitCode::FAILURE
        }
    }
}

/// Runs a subcommand; those that go on after an error report it themselves and return the code.
fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.command {
        Command::Preprocess(args) => return preprocess::run(args),
        Command::Query(args) => query::run(args)?,
        Command::Inspect(args) => print(&guarded(args.file.display(), || inspect::run(args))?)?,
        Command::Info { file, json } => print(&guarded(file.display(), || info(file, *json))?)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// What a file holds, as text or JSON.
fn info(file: &Path, json: bool) -> anyhow::Result<String> {
    if tree_info::is_tree_file(file) {
        let summary = tree_info::summarise(file)?;
        return if json {
            tree_info::render_json(&summary)
        } else {
            Ok(tree_info::render_text(&summary))
        };
    }
    let summary = info::summarise(file)?;
    if json {
        report_json::render(&summary)
    } else {
        Ok(report_text::render(&summary))
    }
}

/// Writes to standard output; a reader that has gone away (`brepcd … | head`) is no error.
fn print(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(error).context("cannot write the output")
        }
        _ => Ok(()),
    }
}
