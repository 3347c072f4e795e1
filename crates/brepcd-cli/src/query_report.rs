//! What `brepcd query --json` prints; `docs/query-json.md` describes every key.

use brepcd::geom::{Curve, Surface};
use brepcd::query::{Answer, Lmd, Part, Status};
use brepcd::tree::{FeatureId, Shape};
use serde_json::{Value, json};

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
    let object = json!({
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
            "rejected_as_smooth": stats.by_smooth,
            "rejected_by_sleeve": stats.by_sleeve,
            "rejected_by_foot": stats.by_foot,
            "rejected_by_profile": stats.by_profile,
            "rejected_by_box": stats.by_box,
            "rejected_by_circle": stats.by_circle,
            "rejected_by_direction": stats.by_direction,
            "rejected_by_cone": stats.by_cone,
            "numeric_solves": stats.numeric_solves,
            "newton_steps": stats.newton_steps,
            "candidates": stats.candidates,
            "face_pairs": stats.face_pairs,
            "crossing_tests": stats.crossing_tests,
            "inside_tests": stats.inside_tests,
        },
        "overlap": answer.overlap.map(|overlap| json!({
            "point": numbers(overlap.point.coords.as_slice()),
            "depth": overlap.depth,
        })),
    });
    Ok(serde_json::to_string(&object)? + "\n")
}

/// Coordinates, with one zero for both.
fn numbers(x: &[f64]) -> Vec<f64> {
    x.iter().map(|x| x + 0.0).collect()
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
        "point_a": numbers(lmd.point_a.coords.as_slice()),
        "point_b": numbers(lmd.point_b.coords.as_slice()),
        "normal": numbers(lmd.normal.as_slice()),
        "feature_a": feature_json(row.parts.0, lmd.feature_a),
        "feature_b": feature_json(row.parts.1, lmd.feature_b),
        "sampled": lmd.sampled,
        "regularized": lmd.regularized,
    })
}

/// A feature: what it is, and which items of the B-Rep are on it.
fn feature_json(part: &Part, id: FeatureId) -> Value {
    let tree = part.tree();
    let feature = &tree.features[id.index()];
    let sources = &tree.sources[feature.sources.range()];
    let first = sources.first();
    json!({
        "kind": class(&feature.shape),
        "id": first.map(|s| s.id),
        "type": type_name(&feature.shape),
        "ids": sources.iter().map(|s| s.id).collect::<Vec<_>>(),
        "label": first.map(|s| s.label).filter(|label| *label > 0),
        "part": first.and_then(|s| tree.names.get(s.part as usize)),
    })
}

/// Face, edge or vertex.
pub fn class(shape: &Shape) -> &'static str {
    match shape {
        Shape::Face { .. } => "face",
        Shape::Edge { .. } => "edge",
        Shape::Vertex { .. } => "vertex",
    }
}

/// The type of its surface or curve.
pub fn type_name(shape: &Shape) -> &'static str {
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
