//! `brepcd info` for people: a table, the assembly tree, the warnings.

use std::collections::BTreeMap;
use std::fmt::Write;

use brepcd::geom::{Point3, Pose};
use brepcd::step::{Node, Warning};

use crate::info::{Recognized, Summary};
use crate::report_json::located;

/// Warnings beyond this many are only counted; `--json` has them all.
const WARNINGS_SHOWN: usize = 20;

/// The summary as text.
pub fn render(s: &Summary) -> String {
    let mut table = Table::default();
    table.row("file", &s.file.display().to_string());
    table.row("schema", &s.schema);
    table.row(
        "unit",
        &if s.unit == "mm" {
            s.unit.clone()
        } else {
            format!("{}, converted to mm", s.unit)
        },
    );
    table.row("solids", &s.solids.to_string());
    table.row("shells", &s.shells.to_string());
    table.row("faces", &counts(&s.faces, s.placed.faces));
    if s.faces_imported != s.faces_in_file {
        table.row(
            "",
            &format!(
                "{} of {} in the file taken over",
                s.faces_imported, s.faces_in_file
            ),
        );
    }
    table.row("edges", &counts(&s.edges, s.placed.edges));
    table.row("vertices", &total(s.vertices, s.placed.vertices));
    if !s.recognized.is_empty() {
        table.row("recognised", &recognized(&s.recognized));
    }
    table.row("volume", &format!("{} mm³", number(s.mass.volume)));
    table.row("area", &format!("{} mm²", number(s.mass.area)));
    if !s.bbox.is_empty() {
        table.row(
            "box",
            &format!("{} to {} mm", point(&s.bbox.min), point(&s.bbox.max)),
        );
    }
    table.row("centroid", &format!("{} mm", point(&s.mass.centroid)));
    for (i, row) in s.mass.inertia.row_iter().enumerate() {
        let title = if i == 0 { "inertia" } else { "" };
        let unit = if i == 0 {
            "  mm⁵, about the centroid"
        } else {
            ""
        };
        table.row(
            title,
            &format!(
                "{:>14} {:>14} {:>14}{unit}",
                number(row[0]),
                number(row[1]),
                number(row[2])
            ),
        );
    }
    table.row("time, ms", &stages(&s.timing));
    let mut out = table.0;
    if !s.instances.is_empty() {
        let _ = writeln!(out, "\nassembly ({} placed parts)", s.instances.len());
        for root in &s.tree {
            branch(&mut out, root, 1);
        }
    }
    warnings(&mut out, &s.warnings);
    out
}

/// `load 0.1, parse 2.3, …`
pub fn stages(timing: &[(&'static str, f64)]) -> String {
    let stages: Vec<String> = timing
        .iter()
        .map(|(key, ms)| format!("{} {ms:.1}", key.trim_end_matches("_ms")))
        .collect();
    stages.join(", ")
}

/// The first warnings and how many more there are; nothing if there are none.
pub fn warnings(out: &mut String, warnings: &[Warning]) {
    if warnings.is_empty() {
        return;
    }
    let _ = writeln!(out, "\nwarnings ({})", warnings.len());
    for warning in warnings.iter().take(WARNINGS_SHOWN) {
        let _ = writeln!(out, "  {}", crate::errors::one_line(&located(warning)));
    }
    if warnings.len() > WARNINGS_SHOWN {
        let _ = writeln!(
            out,
            "  … and {} more, see --json",
            warnings.len() - WARNINGS_SHOWN
        );
    }
}

/// Titles and values, one pair a line.
#[derive(Default)]
pub struct Table(pub String);

impl Table {
    /// Adds a line.
    pub fn row(&mut self, title: &str, value: &str) {
        let _ = writeln!(self.0, "{title:<11} {}", value.trim_end());
    }
}

/// One node of the assembly and what is below it.
fn branch(out: &mut String, node: &Node, depth: usize) {
    let name = if node.name.is_empty() {
        "(unnamed)"
    } else {
        &node.name
    };
    let _ = writeln!(
        out,
        "{:indent$}{}{}",
        "",
        crate::errors::one_line(name),
        placement(&node.placement),
        indent = 2 * depth
    );
    for child in &node.children {
        branch(out, child, depth + 1);
    }
}

/// Where a node sits in its parent; nothing for the identity.
fn placement(parent_from_child: &Pose) -> String {
    let mut text = String::new();
    if parent_from_child.translation.vector.norm() > 0.0 {
        let _ = write!(
            text,
            "  at {}",
            point(&Point3::from(parent_from_child.translation.vector))
        );
    }
    if let Some((axis, angle)) = parent_from_child.rotation.axis_angle() {
        let degrees = number(angle.to_degrees());
        let _ = write!(
            text,
            "  turned {degrees}° about {}",
            point(&Point3::from(axis.into_inner()))
        );
    }
    text
}

/// `12: plane 6, circle 6`; kinds that do not occur are left out.
fn counts(counts: &[(&'static str, usize)], placed: usize) -> String {
    let distinct: usize = counts.iter().map(|(_, count)| count).sum();
    let kinds: Vec<String> = counts
        .iter()
        .filter(|(_, count)| *count > 0)
        .map(|(kind, count)| format!("{kind} {count}"))
        .collect();
    let total = total(distinct, placed);
    if kinds.is_empty() {
        total
    } else {
        format!("{total}: {}", kinds.join(", "))
    }
}

fn total(distinct: usize, placed: usize) -> String {
    if distinct == placed {
        distinct.to_string()
    } else {
        format!("{distinct} ({placed} placed)")
    }
}

/// `face bspline → cylinder 4, …`
fn recognized(list: &[Recognized]) -> String {
    let mut by_kind = BTreeMap::new();
    for r in list {
        *by_kind.entry((r.feature, r.from, r.to)).or_insert(0) += 1;
    }
    let kinds: Vec<String> = by_kind
        .iter()
        .map(|((feature, from, to), count)| format!("{feature} {from} → {to} {count}"))
        .collect();
    kinds.join(", ")
}

/// Coordinates are shown as zero below this, mm: rounding noise says nothing to a reader.
const COORDINATE_NOISE: f64 = 1e-9;

fn point(p: &Point3) -> String {
    let [x, y, z] =
        [p.x, p.y, p.z].map(|c| number(if c.abs() < COORDINATE_NOISE { 0.0 } else { c }));
    format!("({x}, {y}, {z})")
}

/// Nine significant digits at most, no trailing zeros, no `-0`.
pub fn number(x: f64) -> String {
    rounded(x, 9)
}

/// So many significant digits at most, no trailing zeros, no `-0`; with an exponent if it is very small or large.
pub fn rounded(x: f64, digits: usize) -> String {
    if !x.is_finite() {
        return x.to_string();
    }
    let exponential = format!("{x:.0$e}", digits.max(1) - 1);
    let exponent = exponential
        .split_once('e')
        .map_or("0", |(_, exponent)| exponent);
    let magnitude: i32 = exponent.parse().unwrap_or(0);
    if !(-4..15).contains(&magnitude) {
        let short = format!("{x:.0$e}", digits.clamp(1, 4) - 1);
        let (mantissa, exponent) = short.split_once('e').unwrap_or((&short, "0"));
        return format!("{}e{exponent}", trimmed(mantissa));
    }
    let decimals = (digits as i32 - 1 - magnitude).max(0) as usize;
    match trimmed(&format!("{x:.decimals$}")) {
        "-0" => "0".into(),
        text => text.into(),
    }
}

/// Without zeros at the end that say nothing.
fn trimmed(text: &str) -> &str {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_true() {
        assert_eq!(number(0.0), "0");
        assert_eq!(number(-12.5), "-12.5");
        assert_eq!(number(14644823.285159297), "14644823.3");
        assert_eq!(number(1.0 / 3.0), "0.333333333");
        assert_eq!(number(1e-17), "1e-17");
        assert_eq!(number(-0.0), "0");
        assert_eq!(rounded(3.7416e-6, 3), "3.74e-6");
        assert_eq!(rounded(0.0374165, 4), "0.03742");
        assert_eq!(rounded(9.99999, 4), "10");
        assert_eq!(rounded(123456.7, 4), "123457");
        assert_eq!(rounded(f64::NAN, 4), "NaN");
        assert_eq!(number(100.0), "100");
    }

    #[test]
    fn counts_name_only_what_occurs() {
        assert_eq!(
            counts(&[("plane", 6), ("cone", 0), ("torus", 1)], 7),
            "7: plane 6, torus 1"
        );
        assert_eq!(counts(&[("plane", 6)], 12), "6 (12 placed): plane 6");
        assert_eq!(counts(&[], 0), "0");
    }
}
