//! A progress bar on a terminal, and the time each stage of the import took.

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
            ProgressBar::new(0).with_style(style.progress_chars("=> "))
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
            bar.set_message(progress.stage);
            bar.set_length(progress.total as u64);
            bar.set_position(progress.done as u64);
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

/// A duration in milliseconds.
pub fn millis(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}
