//! Errors on one line, and what becomes of a bug.

use std::cell::RefCell;
use std::fmt::Display;
use std::io::ErrorKind;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use anyhow::anyhow;

/// Prints an error as one line on standard error.
pub fn print_error(error: &anyhow::Error) {
    eprintln!("error: {}", error_line(error));
}

/// The error and its causes on one line.
pub fn error_line(error: &anyhow::Error) -> String {
    let mut line = String::new();
    for cause in error.chain().map(|cause| one_line(&cause.to_string())) {
        // Some errors repeat what caused them.
        if line.ends_with(&cause) {
            continue;
        }
        if !line.is_empty() {
            line.push_str(": ");
        }
        line.push_str(&cause);
    }
    line
}

/// The message on one line and without control characters, which a damaged file could smuggle into it.
pub fn one_line(message: &str) -> String {
    let printable: String = message
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    printable.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The bytes of a file; errors name it and say what to do.
pub fn read_bytes(path: &Path) -> anyhow::Result<Vec<u8>> {
    std::fs::read(path).map_err(|error| unreadable(path, &error))
}

/// Why a file cannot be read, and what to do.
pub fn unreadable(path: &Path, error: &std::io::Error) -> anyhow::Error {
    let name = path.display();
    if path.is_dir() {
        return anyhow!("{name}: is a folder: give a file");
    }
    match error.kind() {
        ErrorKind::NotFound => anyhow!("{name}: there is no such file: check its name and folder"),
        _ => anyhow!("{name}: cannot be read ({error}): check its permissions"),
    }
}

thread_local! {
    /// Where and why this thread panicked last.
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Makes panics silent, since [`guarded`] reports them, unless a backtrace is asked for.
pub fn catch_bugs() {
    if std::env::var_os("RUST_BACKTRACE").is_none() {
        std::panic::set_hook(Box::new(|info| {
            PANIC.with(|panic| *panic.borrow_mut() = info.to_string());
        }));
    }
}

/// Runs what may hold a bug: a panic becomes an error about `what`, so that it neither takes other results along nor
/// hides which file or pose shows it.
pub fn guarded<T>(
    what: impl Display,
    work: impl FnOnce() -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        Err(anyhow!(
            "{what}: broke off, which is a bug of brepcd: please report it with the file ({})",
            PANIC.with(|panic| panic.borrow().clone())
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_fit_on_one_line() {
        assert_eq!(
            one_line("line 3:\n  bad\u{1b}[31m token\r\n"),
            "line 3: bad [31m token"
        );
        let error = anyhow!("no space").context("a.step: cannot write: no space");
        assert_eq!(error_line(&error), "a.step: cannot write: no space");
        let error = anyhow!("no\nspace").context("a.step");
        assert_eq!(error_line(&error), "a.step: no space");
    }

    #[test]
    fn a_panic_becomes_an_error_that_names_the_file() {
        let broken = guarded("a.step", || -> anyhow::Result<()> {
            panic!("out of cheese")
        });
        let line = error_line(&broken.expect_err("it panicked"));
        assert!(line.starts_with("a.step: broke off"), "{line}");
        assert_eq!(guarded("a.step", || Ok(7)).expect("works"), 7);
    }
}
