//! What `brepcd query` prints: a table, or JSON (`docs/query-json.md`).

use std::fmt::Write;

use brepcd::geom::{Curve, Surface};
use brepcd::query::{Answer, Lmd, Part, Status};
use brepcd::tree::{FeatureId, Shape, SourceKind};
use serde_json::{Value, json};

use crate::report_text::rounded;

/// An answer with what it takes to print it.
pub struct Row<'a> {
    /// Number of the pose.
    pub index: usize,
    /// The answer.
    pub answer: &'a Answer,
    /// Both parts.
    pub parts: (&'a Part, &'a Part),
    /// Dilation of each part.
    pub epsilon: f64,
    /// Time of the query, microseconds.
    pub time_us: f64,
}

/// One JSON object on a line of its own.
pub fn json(row: &Row) -> anyhow::Result<String> {
    let (answer, stats) = (row.answer, &row.answer.stats);
    let mut object = json!({
        "pose": row.index,
        "status": status(answer.status),
        "min_distance": answer.min_distance(),
        "lmds": answer.lmds.iter().map(|lmd| lmd_json(row, lmd)).collect::<Vec<_>>(),
        "stats": {
            "time_us": (row.time_us * 10.0).round() / 10.0,
            "node_pairs": stats.node_pairs + stats.overlap_node_pairs,
            "solves": stats.solves + stats.numeric_solves,
            "unresolved": stats.unresolved,
            "leaf_pairs": stats.leaf_pairs,
            "rejected_by_mask": stats.by_mask,
            "rejected_by_box": stats.by_box,
            "rejected_by_circle": stats.by_circle,
            "rejected_by_cone": stats.by_cone,
            "numeric_solves": stats.numeric_solves,
            "newton_steps": stats.newton_steps,
            "crossing_tests": stats.crossing_tests,
            "inside_tests": stats.inside_tests,
        },
    });
    if let Some(overlap) = &answer.overlap {
        object["overlap"] = json!({
            "point": overlap.point.coords.as_slice(),
            "depth": overlap.depth,
        });
    }
    Ok(serde_json::to_string(&object)? + "\n")
}

fn status(status: Status) -> &'static str {
    match status {
        Status::Separated => "separated",
        Status::Overlapping => "overlapping",
    }
}

fn lmd_json(row: &Row, lmd: &Lmd) -> Value {
    json!({
        "distance": lmd.distance,
        "gap": lmd.distance - 2.0 * row.epsilon,
        "point_a": lmd.point_a.coords.as_slice(),
        "point_b": lmd.point_b.coords.as_slice(),
        "normal": lmd.normal.as_slice(),
        "feature_a": feature_json(row.parts.0, lmd.feature_a),
        "feature_b": feature_json(row.parts.1, lmd.feature_b),
        "sampled": lmd.sampled,
        "regularized": lmd.regularized,
    })
}

/// A feature: its first source, and all of them where it has several.
fn feature_json(part: &Part, id: FeatureId) -> Value {
    let feature = &part.tree().features[id.index()];
    let sources = &part.tree().sources[feature.sources.range()];
    let first = sources.first();
    let mut object = json!({
        "kind": class(&feature.shape),
        "id": first.map(|s| s.id),
        "type": type_name(&feature.shape),
        "label": first.map(|s| s.label).filter(|l| *l > 0),
    });
    if sources.len() > 1 {
        object["ids"] = sources.iter().map(|s| s.id).collect();
    }
    object
}

fn class(shape: &Shape) -> &'static str {
    match shape {
        Shape::Face { .. } => "face",
        Shape::Edge { .. } => "edge",
        Shape::Vertex { .. } => "vertex",
    }
}

fn type_name(shape: &Shape) -> &'static str {
    match shape {
        Shape::Face { surface, .. } => match surface {
            Surface::Plane(_) => "plane",
            Surface::Cylinder(_) => "cylinder",
            Surface::Cone(_) => "cone",
            Surface::Sphere(_) => "sphere",
            Surface::Torus(_) => "torus",
            Surface::Nurbs(_) => "bspline",
        },
        Shape::Edge { curve, .. } => match curve {
            Curve::Line(_) => "line",
            Curve::Circle(_) => "circle",
            Curve::Ellipse(_) => "ellipse",
            Curve::Nurbs(_) => "bspline",
            Curve::Parabola(_) | Curve::Hyperbola(_) => "other",
        },
        Shape::Vertex { .. } => "point",
    }
}

/// A line about the pose and one for each minimum.
pub fn text(row: &Row) -> String {
    let answer = row.answer;
    let mut out = String::new();
    let least = answer.min_distance();
    let least = least.map_or("none within reach".into(), |d| {
        format!("{} mm", rounded(d, 9))
    });
    let _ = write!(
        out,
        "pose {}: {}, least distance {least}, {} minima, {:.0} µs",
        row.index,
        status(answer.status),
        answer.lmds.len(),
        row.time_us
    );
    if answer.stats.unresolved > 0 {
        let _ = write!(out, ", {} solves unresolved", answer.stats.unresolved);
    }
    out.push('\n');
    if let Some(overlap) = &answer.overlap {
        let _ = writeln!(
            out,
            "  both parts hold {}",
            point(overlap.point.coords.as_slice())
        );
    }
    if !answer.lmds.is_empty() {
        let _ = writeln!(
            out,
            "  {:>13} {:>13}  {:34} {:28} {:20} {:20}",
            "distance", "gap", "point on A", "normal", "feature of A", "feature of B"
        );
    }
    for lmd in &answer.lmds {
        let mut marks = String::new();
        for (mark, is) in [("sampled", lmd.sampled), ("regularized", lmd.regularized)] {
            if is {
                marks.push_str(mark);
                marks.push(' ');
            }
        }
        let line = format!(
            "  {:>13.8} {:>13.8}  {:34} {:28} {:20} {:20} {marks}",
            lmd.distance,
            lmd.distance - 2.0 * row.epsilon,
            point(lmd.point_a.coords.as_slice()),
            unit(lmd.normal.as_slice()),
            feature_text(row.parts.0, lmd.feature_a),
            feature_text(row.parts.1, lmd.feature_b),
        );
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out
}

fn point(x: &[f64]) -> String {
    let parts: Vec<String> = x.iter().map(|x| format!("{x:.5}")).collect();
    format!("({})", parts.join(", "))
}

fn unit(x: &[f64]) -> String {
    let parts: Vec<String> = x.iter().map(|x| format!("{:.4}", x + 0.0)).collect();
    format!("({})", parts.join(", "))
}

fn feature_text(part: &Part, id: FeatureId) -> String {
    let feature = &part.tree().features[id.index()];
    let sources = &part.tree().sources[feature.sources.range()];
    let kind = match sources.first().map(|s| s.kind) {
        Some(SourceKind::Face) | None => "face",
        Some(SourceKind::Edge) => "edge",
        Some(SourceKind::Vertex) => "vertex",
    };
    let id = sources
        .first()
        .map_or(String::new(), |s| format!(" {}", s.id));
    let more = if sources.len() > 1 { "+" } else { "" };
    match feature.shape {
        Shape::Vertex { .. } => format!("{kind}{id}{more}"),
        _ => format!("{kind}{id}{more} {}", type_name(&feature.shape)),
    }
}
