//! Faces, edges and vertices as imported, all instances placed.

use std::collections::BTreeMap;

use brepcd::Model;
use brepcd::brep::EdgeClass;
use serde_json::{Value, json};

use super::Spread;
use crate::report::{Report, Table, degrees, plain};
use crate::report_json::{located, warning};

/// The imported part.
pub fn report(model: &Model) -> Report {
    let brep = model.placed_brep();
    let mut faces: BTreeMap<(&str, &str), (usize, f64)> = BTreeMap::new();
    for face in &brep.faces {
        let entry = faces
            .entry((face.kind.name(), face.surface.kind_name()))
            .or_default();
        entry.0 += 1;
        entry.1 += brep.face_area(face);
    }
    let mut valences: BTreeMap<usize, usize> = BTreeMap::new();
    for vertex in &brep.vertices {
        *valences.entry(vertex.edges.len()).or_default() += 1;
    }
    Report {
        facts: vec![
            ("solids", "solids", json!(brep.solids.len())),
            ("shells", "shells", json!(brep.shells.len())),
            ("faces", "faces", json!(brep.faces.len())),
            ("edges", "edges", json!(brep.edges.len())),
            ("vertices", "vertices", json!(brep.vertices.len())),
            (
                "tolerance",
                "tolerance",
                json!({"length": brep.tolerance.length, "angle": brep.tolerance.angle}),
            ),
        ],
        tables: vec![
            Table {
                key: "face_types",
                title: "faces by type",
                columns: vec![
                    ("type", "in the file", plain),
                    ("carrier", "carrier", plain),
                    ("count", "count", plain),
                    ("area", "area, mm²", plain),
                ],
                rows: faces
                    .iter()
                    .map(|((from, to), (count, area))| {
                        vec![json!(from), json!(to), json!(count), json!(area)]
                    })
                    .collect(),
            },
            edge_classes(brep.edges.iter().map(|edge| edge.class)),
            Table {
                key: "vertex_valences",
                title: "vertices by number of edges",
                columns: vec![("edges", "edges", plain), ("count", "count", plain)],
                rows: valences
                    .iter()
                    .map(|(edges, count)| vec![json!(edges), json!(count)])
                    .collect(),
            },
            Table {
                key: "findings",
                title: "findings of the import",
                columns: vec![
                    ("id", "", plain),
                    ("line", "", plain),
                    ("message", "message", plain),
                ],
                rows: model
                    .warnings
                    .iter()
                    .map(|w| {
                        let value = warning(w);
                        vec![
                            value["id"].clone(),
                            value["line"].clone(),
                            json!(located(w)),
                        ]
                    })
                    .collect(),
            },
        ],
    }
}

/// How edges are counted: every class in a fixed order, also those that do not occur.
fn edge_classes(classes: impl Iterator<Item = EdgeClass>) -> Table {
    let names = ["convex", "smooth", "concave", "seam", "open"];
    let mut counts = [0; 5];
    let mut angles = [Spread::default(); 5];
    for class in classes {
        let (row, angle) = match class {
            EdgeClass::Convex { dihedral } => (0, Some(dihedral)),
            EdgeClass::Smooth => (1, None),
            EdgeClass::Concave { dihedral } => (2, Some(dihedral)),
            EdgeClass::Seam => (3, None),
            EdgeClass::Open => (4, None),
        };
        counts[row] += 1;
        if let Some(angle) = angle {
            angles[row].add(angle.to_degrees());
        }
    }
    let row = |i: usize| -> Vec<Value> {
        vec![
            json!(names[i]),
            json!(counts[i]),
            angles[i].min(),
            angles[i].max(),
        ]
    };
    Table {
        key: "edge_classes",
        title: "edges by class",
        columns: vec![
            ("class", "class", plain),
            ("count", "count", plain),
            ("min_dihedral_deg", "dihedral from, °", degrees),
            ("max_dihedral_deg", "to, °", degrees),
        ],
        rows: (0..names.len()).map(row).collect(),
    }
}
