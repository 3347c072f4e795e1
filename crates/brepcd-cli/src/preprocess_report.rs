//! What `brepcd preprocess` prints: a summary of one part, a table of several, or JSON (`docs/preprocess-json.md`).

use std::fmt::Write;

use serde_json::json;

use crate::preprocess::Prepared;
use crate::preprocess_args::Job;
use crate::report_json::{timing, warning};
use crate::report_text::{Table, stages, warnings};
use crate::tree_info::{settings_json, settings_text};

/// One JSON object on a line of its own, keys in the documented order.
pub fn json(job: &Job, result: &anyhow::Result<Prepared>) -> anyhow::Result<String> {
    let file = job.source.display().to_string();
    let object = match result {
        Err(error) => json!({"file": file, "error": crate::errors::error_line(error)}),
        Ok(p) => {
            let s = &p.statistics;
            json!({
                "file": file,
                "output": p.job.target.display().to_string(),
                "faces": s.faces,
                "face_features": s.face_features,
                "edges": s.edges,
                "edge_features": s.edge_features,
                "vertices": s.vertices,
                "vertex_features": s.vertex_features,
                "patches": p.patches,
                "face_patches": s.face_patches,
                "crossed_patches": s.crossed_patches,
                "edge_patches": s.edge_patches,
                "borders": s.borders,
                "nodes": s.nodes,
                "depth": s.depth,
                "step_bytes": p.step_bytes,
                "tree_bytes": p.tree_bytes,
                "settings": settings_json(&p.settings),
                "warnings": p.warnings.iter().map(warning).collect::<Vec<_>>(),
                "timing": timing(&p.timing),
            })
        }
    };
    Ok(serde_json::to_string(&object)? + "\n")
}

/// The summary of a single part.
pub fn text(p: &Prepared) -> String {
    let s = &p.statistics;
    let mut table = Table::default();
    table.row("part", &p.job.source.display().to_string());
    table.row("written", &p.job.target.display().to_string());
    table.row(
        "faces",
        &format!("{} → {} supermaximal", s.faces, s.face_features),
    );
    table.row(
        "edges",
        &format!(
            "{} → {} supermaximal, convex or smooth",
            s.edges, s.edge_features
        ),
    );
    table.row(
        "vertices",
        &format!(
            "{} → {} that can hold a minimum",
            s.vertices, s.vertex_features
        ),
    );
    table.row(
        "patches",
        &format!(
            "{}: {} of faces ({} crossed by borders), {} of edges, {} of vertices",
            p.patches, s.face_patches, s.crossed_patches, s.edge_patches, s.vertex_features
        ),
    );
    table.row("tree", &format!("{} nodes, depth {}", s.nodes, s.depth));
    table.row(
        "size",
        &format!(
            "{} kB, beside {} kB of the STEP file",
            kilobytes(p.tree_bytes),
            kilobytes(p.step_bytes)
        ),
    );
    table.row("settings", &settings_text(&p.settings));
    table.row("time, ms", &stages(&p.timing));
    let mut out = table.0;
    warnings(&mut out, &p.warnings);
    out
}

/// The table of several parts, row by row, and its sums.
pub struct Totals {
    /// Width of the column of names.
    width: usize,
    sums: Row,
    parts: usize,
    failed: usize,
}

/// The numbers of a row.
#[derive(Clone, Copy, Default)]
struct Row {
    faces: [usize; 2],
    edges: [usize; 2],
    patches: usize,
    depth: usize,
    step_bytes: u64,
    tree_bytes: u64,
    ms: f64,
    warnings: usize,
}

impl Totals {
    /// Nothing yet; the width of the table follows from the names.
    pub fn new(jobs: &[Job]) -> Self {
        let widths = jobs.iter().map(|job| name(job).chars().count());
        Self {
            width: widths.max().unwrap_or(0).max("total of 999 parts".len()),
            sums: Row::default(),
            parts: 0,
            failed: 0,
        }
    }

    /// The titles of the columns.
    pub fn head(&self) -> String {
        format!(
            "{:width$}  {:^11}  {:^11}  {:>7}  {:>5}  {:>8}  {:>8}  {:>8}  {:>8}\n",
            "part",
            "faces",
            "edges",
            "patches",
            "depth",
            "STEP, kB",
            "tree, kB",
            "time, ms",
            "warnings",
            width = self.width
        )
    }

    /// The row of a part, which is added to the sums.
    pub fn row(&mut self, job: &Job, p: &Prepared) -> String {
        let s = &p.statistics;
        let row = Row {
            faces: [s.faces, s.face_features],
            edges: [s.edges, s.edge_features],
            patches: p.patches,
            depth: s.depth,
            step_bytes: p.step_bytes,
            tree_bytes: p.tree_bytes,
            ms: p.timing.last().map_or(0.0, |(_, ms)| *ms),
            warnings: p.warnings.len(),
        };
        self.parts += 1;
        self.sums.add(&row);
        self.line(&name(job), &row)
    }

    /// The row of a part that failed.
    pub fn failed_row(&mut self, job: &Job) -> String {
        self.failed += 1;
        format!("{:width$}  failed\n", name(job), width = self.width)
    }

    /// The sums, and where to read on.
    pub fn foot(&self) -> String {
        let mut out = self.line(&format!("total of {}", parts(self.parts)), &self.sums);
        if self.sums.warnings > 0 {
            out += "warnings: --json lists them, and so does `brepcd info` on the part\n";
        }
        if self.failed > 0 {
            let _ = writeln!(out, "{} failed", parts(self.failed));
        }
        out
    }

    fn line(&self, name: &str, row: &Row) -> String {
        let arrow = |[from, to]: [usize; 2]| format!("{from:>5}→{to:<5}");
        format!(
            "{name:width$}  {}  {}  {:>7}  {:>5}  {:>8}  {:>8}  {:>8.1}  {:>8}\n",
            arrow(row.faces),
            arrow(row.edges),
            row.patches,
            row.depth,
            kilobytes(row.step_bytes),
            kilobytes(row.tree_bytes),
            row.ms,
            row.warnings,
            width = self.width
        )
    }
}

impl Row {
    /// Adds the counts; the depth is that of the deepest.
    fn add(&mut self, other: &Self) {
        for (sum, more) in [
            (&mut self.faces, other.faces),
            (&mut self.edges, other.edges),
        ] {
            sum[0] += more[0];
            sum[1] += more[1];
        }
        self.patches += other.patches;
        self.depth = self.depth.max(other.depth);
        self.step_bytes += other.step_bytes;
        self.tree_bytes += other.tree_bytes;
        self.ms += other.ms;
        self.warnings += other.warnings;
    }
}

/// The part as the table names it.
fn name(job: &Job) -> String {
    crate::errors::one_line(&job.source.display().to_string())
}

/// `1 part`, `2 parts`.
fn parts(count: usize) -> String {
    format!("{count} part{}", if count == 1 { "" } else { "s" })
}

fn kilobytes(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 / 1e3)
}
