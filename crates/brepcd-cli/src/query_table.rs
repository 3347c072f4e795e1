//! What `brepcd query` prints for people: one table over all poses, and a line that sums them up.

use std::fmt::Write;

use brepcd::query::{Lmd, Part, Status};
use brepcd::tree::{FeatureId, Shape};

use crate::query_report::{Row, class, type_name};
use crate::report_text::rounded;

/// How the rows are laid out.
pub struct Table {
    /// Width of the numbers of poses.
    pose: usize,
    /// Whether there is a column of gaps, which are distances where nothing is dilated.
    gaps: bool,
    /// Whether only the least distance was asked for: one row for each pose.
    least: bool,
    /// Up to which gap minima are reported.
    prediction: f64,
}

/// Width of the columns of distances, points, normals and features.
const DISTANCE: usize = 11;
const POINT: usize = 33;
const NORMAL: usize = 27;
const FEATURE: usize = 19;
/// Depth that is worth telling, mm: the last digit of the distances.
const DEEP: f64 = 1e-6;

impl Table {
    /// A table over a number of poses; `prediction` is `None` where only the least distance is asked for.
    pub fn new(poses: usize, epsilon: f64, prediction: Option<f64>) -> Self {
        Self {
            pose: poses.saturating_sub(1).to_string().len().max(4),
            gaps: epsilon != 0.0,
            least: prediction.is_none(),
            prediction: prediction.unwrap_or(f64::INFINITY),
        }
    }

    /// The titles of the columns.
    pub fn head(&self) -> String {
        let gap = if self.gaps { "gap, mm" } else { "" };
        let gap_width = if self.gaps { DISTANCE + 2 } else { 0 };
        let mut out = format!(
            "{:>1$}  {2:>DISTANCE$}{gap:>gap_width$}",
            "pose", self.pose, "distance",
        );
        let _ = writeln!(
            out,
            "  {:POINT$}  {:NORMAL$}  {:FEATURE$}  on B",
            "point on A, mm", "normal from A to B", "on A"
        );
        out
    }

    /// The rows of one pose.
    pub fn rows(&self, row: &Row) -> String {
        let answer = row.answer;
        let start = format!("{:>1$}  ", row.index, self.pose);
        if answer.status == Status::Overlapping {
            return start + &overlapping(row) + "\n";
        }
        let Some(first) = answer.lmds.first() else {
            let none = if self.least {
                "no minimum found".into()
            } else {
                format!("no minimum within {} mm", rounded(self.prediction, 9))
            };
            return format!("{start}separated, {none}\n");
        };
        let mut out = String::new();
        if self.least {
            let mut line = start + &self.cells(row, first);
            let alike = answer.lmds.len() - 1;
            if alike > 0 {
                let _ = write!(line, "  and {alike} more as near");
            }
            let _ = writeln!(out, "{}", line.trim_end());
        } else {
            for lmd in &answer.lmds {
                let line = format!("{start}{}", self.cells(row, lmd));
                let _ = writeln!(out, "{}", line.trim_end());
            }
        }
        out
    }

    /// Everything about a minimum.
    fn cells(&self, row: &Row, lmd: &Lmd) -> String {
        let mut out = format!("{:>DISTANCE$.6}", lmd.distance);
        if self.gaps {
            let _ = write!(out, "  {:>DISTANCE$.6}", lmd.distance - 2.0 * row.epsilon);
        }
        let _ = write!(
            out,
            "  {:POINT$}  {:NORMAL$}  {:FEATURE$}  {:FEATURE$}",
            triple(lmd.point_a.coords.as_slice(), 9, 4),
            triple(lmd.normal.as_slice(), 7, 4),
            feature(row.parts.0, lmd.feature_a),
            feature(row.parts.1, lmd.feature_b),
        );
        for (mark, is) in [("sampled", lmd.sampled), ("regularized", lmd.regularized)] {
            if is {
                let _ = write!(out, "  {mark}");
            }
        }
        out
    }
}

fn overlapping(row: &Row) -> String {
    let Some(overlap) = row.answer.overlap else {
        return "overlapping".into();
    };
    let point = triple(overlap.point.coords.as_slice(), 0, 4);
    let mut out = format!("overlapping at {point}");
    // The depth is often only what it takes to tell overlapping from touching.
    if overlap.depth >= DEEP {
        let _ = write!(out, ", {} mm deep or more", rounded(overlap.depth, 4));
    }
    out
}

/// Three numbers in brackets, each right-aligned in a width.
fn triple(x: &[f64], width: usize, digits: usize) -> String {
    let half = 0.5 * 0.1_f64.powi(digits as i32);
    // What rounds to zero has no sign.
    let quiet = |x: &f64| if x.abs() < half { 0.0 } else { *x };
    let cells: Vec<String> = x
        .iter()
        .map(|x| format!("{:>width$.digits$}", quiet(x)))
        .collect();
    format!("({})", cells.join(", "))
}

/// A feature by its first item of the B-Rep; a `+` says that it has more.
fn feature(part: &Part, id: FeatureId) -> String {
    let feature = &part.tree().features[id.index()];
    let sources = &part.tree().sources[feature.sources.range()];
    let mut out = class(&feature.shape).to_string();
    if let Some(first) = sources.first() {
        let _ = write!(out, " {}", first.id);
    }
    if sources.len() > 1 {
        out.push('+');
    }
    if !matches!(feature.shape, Shape::Vertex { .. }) {
        let _ = write!(out, " {}", type_name(&feature.shape));
    }
    out
}

/// What all poses have in common.
#[derive(Default)]
pub struct Summary {
    times_us: Vec<f64>,
    overlapping: usize,
    least: Option<(f64, usize)>,
    unresolved: Vec<usize>,
}

impl Summary {
    /// Takes note of a pose.
    pub fn note(&mut self, row: &Row) {
        self.times_us.push(row.time_us);
        self.overlapping += usize::from(row.answer.status == Status::Overlapping);
        if let Some(lmd) = row.answer.lmds.first()
            && self.least.is_none_or(|(least, _)| lmd.distance < least)
        {
            self.least = Some((lmd.distance, row.index));
        }
        if row.answer.stats.unresolved > 0 {
            self.unresolved.push(row.index);
        }
    }

    /// One line about all poses.
    pub fn line(&self) -> String {
        let poses = self.times_us.len();
        let mut out = match poses {
            1 => "1 pose".to_string(),
            _ => format!("{poses} poses"),
        };
        match self.overlapping {
            0 => {}
            all if all == poses => out.push_str(", overlapping"),
            some => {
                let _ = write!(out, ", {some} overlapping");
            }
        }
        if let Some((least, pose)) = self.least {
            let _ = write!(out, "; least distance {} mm", rounded(least, 9));
            if poses > 1 {
                let _ = write!(out, " at pose {pose}");
            }
        }
        let mut times = self.times_us.clone();
        times.sort_unstable_by(f64::total_cmp);
        if let (Some(median), Some(most)) = (times.get(poses / 2), times.last()) {
            let _ = match poses {
                1 => write!(out, "; {most:.0} µs"),
                _ => write!(
                    out,
                    "; {median:.0} µs a pose (median), {most:.0} µs at most"
                ),
            };
        }
        out + "\n"
    }

    /// A warning where minima may be missing.
    pub fn warning(&self) -> Option<String> {
        let first = self.unresolved.first()?;
        let (some, all) = (self.unresolved.len(), self.times_us.len());
        Some(format!(
            "some solves did not finish, so that minima may be missing, at {some} of {all} poses (pose {first} first)"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers_have_no_sign() {
        assert_eq!(
            triple(&[-1e-9, 0.5, -0.00006], 7, 4),
            "( 0.0000,  0.5000, -0.0001)"
        );
    }

    #[test]
    fn one_pose_is_no_plural() {
        let mut summary = Summary {
            times_us: vec![12.0],
            least: Some((0.25, 0)),
            ..Summary::default()
        };
        assert_eq!(summary.line(), "1 pose; least distance 0.25 mm; 12 µs\n");
        summary.times_us.extend([40.0, 11.0]);
        summary.overlapping = 1;
        assert_eq!(
            summary.line(),
            "3 poses, 1 overlapping; least distance 0.25 mm at pose 0; 12 µs a pose (median), 40 µs at most\n"
        );
    }

    #[test]
    fn unfinished_solves_are_told() {
        let mut summary = Summary::default();
        assert_eq!(summary.warning(), None);
        summary.unresolved = vec![7, 9];
        summary.times_us = vec![0.0; 10];
        let warning = summary.warning().expect("a warning");
        assert!(warning.contains("2 of 10") && warning.contains("pose 7"));
    }
}
