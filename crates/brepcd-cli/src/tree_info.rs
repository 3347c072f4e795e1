//! `brepcd info` on tree files: what a preprocessed part holds.

use std::io::Read;
use std::path::Path;
use std::time::Instant;

use anyhow::Context;
use brepcd::tree::{FILE_VERSION, FileError, Kinds, Membership, Obb, Settings, Shape, TreePart};
use serde_json::{Map, Value, json};

use crate::errors::read_bytes;
use crate::progress::millis;
use crate::report_text::{Table, number, rounded};

/// Ending of tree files.
pub const TREE_ENDING: &str = "brepcd";

/// Names of the kinds, in the order of their bits.
const KIND_NAMES: [(&str, Kinds); 15] = [
    ("vertex", Kinds::VERTEX),
    ("line", Kinds::LINE),
    ("circle", Kinds::CIRCLE),
    ("conic", Kinds::CONIC),
    ("spline_curve", Kinds::SPLINE_CURVE),
    ("plane", Kinds::PLANE),
    ("convex_cylinder", Kinds::CONVEX_CYLINDER),
    ("concave_cylinder", Kinds::CONCAVE_CYLINDER),
    ("convex_cone", Kinds::CONVEX_CONE),
    ("concave_cone", Kinds::CONCAVE_CONE),
    ("convex_sphere", Kinds::CONVEX_SPHERE),
    ("concave_sphere", Kinds::CONCAVE_SPHERE),
    ("convex_torus", Kinds::CONVEX_TORUS),
    ("concave_torus", Kinds::CONCAVE_TORUS),
    ("spline_surface", Kinds::SPLINE_SURFACE),
];

/// What a tree file holds.
pub struct TreeSummary {
    file: String,
    bytes: u64,
    part: TreePart,
    /// Features by kind, in the order of [`KIND_NAMES`].
    features: Vec<(&'static str, usize)>,
    /// Face, edge and vertex features.
    classes: [usize; 3],
    /// Patches that borders cross.
    crossed: usize,
    /// Nodes from the root to the lowest leaf.
    depth: usize,
    /// Time to read the file, milliseconds.
    load_ms: f64,
}

/// True for files that end or begin as tree files do.
pub fn is_tree_file(path: &Path) -> bool {
    let ending = path.extension().and_then(|e| e.to_str()).unwrap_or("");
    let mut mark = [0; 8];
    let begins = std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut mark));
    let marked = !matches!(TreePart::from_bytes(&mark), Err(FileError::NotATreeFile));
    ending.eq_ignore_ascii_case(TREE_ENDING) || (begins.is_ok() && marked)
}

/// The name of a kind.
pub fn kind_name(kind: Kinds) -> &'static str {
    let named = KIND_NAMES.iter().find(|(_, k)| *k == kind);
    named.map_or("unknown", |(name, _)| name)
}

/// Reads a tree file; errors name it.
pub fn read(path: &Path) -> anyhow::Result<(TreePart, u64)> {
    let named = || path.display().to_string();
    let bytes = read_bytes(path)?;
    let part = TreePart::from_bytes(&bytes).with_context(named)?;
    Ok((part, bytes.len() as u64))
}

/// Reads a tree file and counts.
pub fn summarise(path: &Path) -> anyhow::Result<TreeSummary> {
    let start = Instant::now();
    let (part, bytes) = read(path)?;
    let load_ms = millis(start.elapsed());
    Ok(count(path, bytes, part, load_ms))
}

fn count(path: &Path, bytes: u64, part: TreePart, load_ms: f64) -> TreeSummary {
    let of_kind = |kind: Kinds| part.features.iter().filter(|f| f.kind == kind).count();
    let features = KIND_NAMES
        .iter()
        .map(|(name, kind)| (*name, of_kind(*kind)))
        .collect();
    let mut classes = [0; 3];
    for feature in &part.features {
        classes[match feature.shape {
            Shape::Face { .. } => 0,
            Shape::Edge { .. } => 1,
            Shape::Vertex { .. } => 2,
        }] += 1;
    }
    let crossed = |membership: &Membership| matches!(membership, Membership::Crossed { .. });
    TreeSummary {
        file: path.display().to_string(),
        bytes,
        features,
        classes,
        crossed: part
            .patches
            .iter()
            .filter(|p| crossed(&p.membership))
            .count(),
        depth: brepcd::prep::tree::depth(&part.nodes),
        load_ms,
        part,
    }
}

/// A box: centre, axes and half sides.
pub fn box_json(obb: &Obb) -> Value {
    let [centre, half] = [obb.centre.coords, obb.half].map(|v| [v.x, v.y, v.z]);
    let axes = obb.axes.map(|a| [a.x, a.y, a.z]);
    json!({"centre": centre, "axes": axes, "half": half})
}

/// Settings by their names, lengths in millimetres and angles in radians.
pub fn settings_json(settings: &Settings) -> Value {
    json!({
        "max_angle": settings.max_angle,
        "min_size": settings.min_size,
        "regularization": settings.regularization,
        "border": settings.border,
        "chord": settings.chord,
    })
}

/// Settings on one line.
pub fn settings_text(settings: &Settings) -> String {
    format!(
        "max angle {}°, min size {} mm, regularization {}°, border {} mm, chord {} mm",
        rounded(settings.max_angle.to_degrees(), 4),
        rounded(settings.min_size, 4),
        rounded(settings.regularization.to_degrees(), 4),
        rounded(settings.border, 4),
        rounded(settings.chord, 4)
    )
}

impl TreeSummary {
    /// `9: plane 6, concave cylinder 3`, of some kinds.
    fn counts(&self, kinds: Kinds) -> String {
        let named = KIND_NAMES.iter().zip(&self.features);
        let counted: Vec<(String, usize)> = named
            .filter(|((_, kind), (_, count))| kinds.contains(*kind) && *count > 0)
            .map(|(_, (name, count))| (name.replace('_', " "), *count))
            .collect();
        let total: usize = counted.iter().map(|(_, count)| count).sum();
        let list: Vec<String> = counted
            .iter()
            .map(|(name, count)| format!("{name} {count}"))
            .collect();
        if list.is_empty() {
            return total.to_string();
        }
        format!("{total}: {}", list.join(", "))
    }
}

/// The summary as an indented JSON object.
pub fn render_json(s: &TreeSummary) -> anyhow::Result<String> {
    let (part, header) = (&s.part, &s.part.header);
    let features: Map<String, Value> = s
        .features
        .iter()
        .map(|(kind, count)| (kind.to_string(), json!(count)))
        .collect();
    let root_box = part.nodes.first().map(|root| box_json(&root.obb));
    let object = json!({
        "format_version": FILE_VERSION,
        "bytes": s.bytes,
        "source": header.source,
        "source_hash": format!("{:016x}", header.source_hash),
        "unit": "mm",
        "tolerance": header.tolerance,
        "settings": settings_json(&header.settings),
        "parts": part.names,
        "features": features,
        "faces": s.classes[0],
        "edges": s.classes[1],
        "vertices": s.classes[2],
        "trims": part.trims.len(),
        "borders": part.borders.len(),
        "patches": part.patches.len(),
        "crossed_patches": s.crossed,
        "nodes": part.nodes.len(),
        "depth": s.depth,
        "root_box": root_box,
        "timing": {"load_ms": s.load_ms},
    });
    Ok(serde_json::to_string_pretty(&object)? + "\n")
}

/// The summary as text.
pub fn render_text(s: &TreeSummary) -> String {
    let (part, header) = (&s.part, &s.part.header);
    let edges = Kinds::LINE | Kinds::CIRCLE | Kinds::CONIC | Kinds::SPLINE_CURVE;
    let faces = Kinds::all() - edges - Kinds::VERTEX;
    let rows = [
        ("file", s.file.clone()),
        (
            "format",
            format!("version {FILE_VERSION}, {} bytes", s.bytes),
        ),
        (
            "source",
            format!("{} (hash {:016x})", header.source, header.source_hash),
        ),
        ("tolerance", format!("{} mm", number(header.tolerance))),
        ("settings", settings_text(&header.settings)),
        ("parts", part.names.len().to_string()),
        ("faces", s.counts(faces)),
        ("edges", s.counts(edges)),
        ("vertices", s.classes[2].to_string()),
        (
            "patches",
            format!("{}, {} crossed by borders", part.patches.len(), s.crossed),
        ),
        (
            "tree",
            format!("{} nodes, depth {}", part.nodes.len(), s.depth),
        ),
        ("loaded in", format!("{:.2} ms", s.load_ms)),
    ];
    let mut table = Table::default();
    for (title, value) in rows.iter().filter(|(_, value)| !value.is_empty()) {
        table.row(title, &crate::errors::one_line(value));
    }
    table.0
}
