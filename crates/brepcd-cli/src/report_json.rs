//! `brepcd info --json`: one object, documented in `docs/info-json.md`.

use brepcd::geom::{Point3, Pose};
use brepcd::step::Warning;
use serde_json::{Map, Value, json};

use crate::info::Summary;

/// The summary as an indented JSON object, keys in the documented order.
pub fn render(summary: &Summary) -> anyhow::Result<String> {
    Ok(serde_json::to_string_pretty(&object(summary))? + "\n")
}

fn object(s: &Summary) -> Value {
    let parts: Vec<Value> = s
        .instances
        .iter()
        .map(|i| {
            json!({"name": i.name, "path": i.path, "placement": placement(&i.file_from_part), "solids": i.solids})
        })
        .collect();
    let recognized: Vec<Value> = s
        .recognized
        .iter()
        .map(|r| json!({"feature": r.feature, "id": r.label, "from": r.from, "to": r.to}))
        .collect();
    let inertia: Vec<[f64; 3]> = s
        .mass
        .inertia
        .row_iter()
        .map(|row| [row[0], row[1], row[2]])
        .collect();
    json!({
        "solids": s.solids,
        "shells": s.shells,
        "faces": counts(&s.faces),
        "edges": counts(&s.edges),
        "vertices": s.vertices,
        "volume": s.mass.volume,
        "area": s.mass.area,
        "bbox": [coordinates(&s.bbox.min), coordinates(&s.bbox.max)],
        "unit": s.unit,
        "parts": parts,
        "warnings": s.warnings.iter().map(warning).collect::<Vec<_>>(),
        "placed": {"faces": s.placed.faces, "edges": s.placed.edges, "vertices": s.placed.vertices},
        "centroid": coordinates(&s.mass.centroid),
        "inertia": inertia,
        "recognized": recognized,
        "timing": timing(&s.timing),
    })
}

/// The stages with their times.
pub fn timing(timing: &[(&'static str, f64)]) -> Map<String, Value> {
    timing
        .iter()
        .map(|(key, ms)| (key.to_string(), json!(ms)))
        .collect()
}

fn counts(counts: &[(&'static str, usize)]) -> Value {
    Value::Object(
        counts
            .iter()
            .map(|(kind, count)| (kind.to_string(), json!(count)))
            .collect(),
    )
}

fn coordinates(p: &Point3) -> Value {
    json!([p.x, p.y, p.z])
}

/// Translation in millimetres and unit quaternion `w, x, y, z`.
fn placement(pose: &Pose) -> Value {
    let (t, q) = (&pose.translation.vector, &pose.rotation);
    json!({"translation": [t.x, t.y, t.z], "rotation": [q.w, q.i, q.j, q.k]})
}

/// A warning with its place.
pub fn warning(w: &Warning) -> Value {
    json!({"id": w.label, "line": w.line, "message": located(w)})
}

/// The message with its place in front, unless it names the place itself.
pub fn located(w: &Warning) -> String {
    match (w.label, w.line) {
        (Some(id), _) if !w.message.starts_with(&format!("#{id}")) => {
            format!("#{id}: {}", w.message)
        }
        (None, Some(line)) if !w.message.starts_with("line ") => {
            format!("line {line}: {}", w.message)
        }
        _ => w.message.clone(),
    }
}
