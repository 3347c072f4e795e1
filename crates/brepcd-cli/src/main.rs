//! The `brepcd` binary: arguments, printing, progress, exit codes. Everything else is in the library.

mod args;
mod info;
mod progress;
mod report_json;
mod report_text;

use std::io::Write;
use std::process::ExitCode;

use anyhow::Context;
use args::{Args, Command};
use clap::Parser;

/// Exit code 0 on success and 1 on an error in the input; clap exits with 2 on wrong usage.
fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {}", one_line(&format!("{error:#}")));
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> anyhow::Result<()> {
    match &args.command {
        Command::Info { file, json } => {
            let summary = info::summarise(file)?;
            let text = if *json {
                report_json::render(&summary)?
            } else {
                report_text::render(&summary)
            };
            print(&text)
        }
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

/// The message on one line and without control characters, which a damaged file could smuggle into it.
fn one_line(message: &str) -> String {
    let printable: String = message
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    printable.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::one_line;

    #[test]
    fn errors_fit_on_one_line() {
        assert_eq!(
            one_line("line 3:\n  bad\u{1b}[31m token\r\n"),
            "line 3: bad [31m token"
        );
    }
}
