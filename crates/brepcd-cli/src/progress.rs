//! A progress bar on a terminal, and the time each stage of the import took.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use brepcd::step::Progress;
use indicatif::{ProgressBar, ProgressStyle};

/// Files smaller than this are read before a bar could be seen.
const BAR_FROM_BYTES: usize = 1_000_000;

/// Follows the import: draws the bar and measures the stages.
pub struct Stopwatch {
    bar: Option<ProgressBar>,
    start: Instant,
    build_start: Option<Instant>,
}

impl Stopwatch {
    /// Starts the clock; indicatif draws nothing where standard error is not a terminal.
    pub fn new(bytes: usize) -> Self {
        let bar = (bytes >= BAR_FROM_BYTES).then(|| {
            let style = ProgressStyle::with_template("{msg:8} [{bar:40}] {percent:>3} % {elapsed}")
                .unwrap_or_else(|_| ProgressStyle::default_bar());
            ProgressBar::new(1).with_style(style.progress_chars("=> "))
        });
        Self {
            bar,
            start: Instant::now(),
            build_start: None,
        }
    }

    /// Takes note of how far the import is.
    pub fn note(&mut self, progress: &Progress) {
        let building = progress.stage == "build";
        if building && self.build_start.is_none() {
            self.build_start = Some(Instant::now());
        }
        if let Some(bar) = &self.bar {
            bar.set_position(progress.done as u64);
            bar.set_length(progress.total as u64);
            bar.set_message(progress.stage);
        }
    }

    /// Removes the bar and gives the time of each stage in milliseconds.
    pub fn finish(self) -> [(&'static str, f64); 2] {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
        let end = Instant::now();
        let parsed = self.build_start.unwrap_or(end);
        [
            ("parse_ms", millis(parsed - self.start)),
            ("build_ms", millis(end - parsed)),
        ]
    }
}

/// A bar over several parts; draws nothing where standard error is not a terminal.
pub fn parts_bar(parts: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("parts    [{bar:40}] {pos}/{len} {elapsed}")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(parts as u64).with_style(style.progress_chars("=> "))
}

/// Fewer poses than this are done before a bar could be seen.
const BAR_FROM_POSES: usize = 100;

/// A bar over poses. Where results go to a terminal they show the progress themselves, and a bar would disturb them.
pub fn poses_bar(poses: usize) -> ProgressBar {
    if poses < BAR_FROM_POSES || std::io::stdout().is_terminal() {
        return ProgressBar::hidden();
    }
    let style =
        ProgressStyle::with_template("poses    [{bar:40}] {pos}/{len} {elapsed}, {eta} left")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(poses as u64).with_style(style.progress_chars("=> "))
}

/// Turns beside a message while something without known length runs, on a terminal only; gone when dropped.
pub struct Spinner(ProgressBar);

impl Spinner {
    /// Starts to turn.
    pub fn new(message: &'static str) -> Self {
        let spinner = ProgressBar::new_spinner().with_message(message);
        spinner.enable_steady_tick(TICK);
        Self(spinner)
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// Time between two pictures of a spinner.
const TICK: Duration = Duration::from_millis(100);

/// A duration in milliseconds.
pub fn millis(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}
