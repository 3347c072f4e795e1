//! Supermaximal faces and edges, and the vertices that can hold a minimum.

use brepcd::TreePart;
use brepcd::tree::{Feature, Shape};
use serde_json::{Value, json};

use super::carrier;
use crate::report::{Report, Show, Table, degrees, labels, plain, short, words};
use crate::tree_info::kind_name;

/// The features of a part.
pub fn report(part: &TreePart) -> Report {
    let mut rows: [Vec<Vec<Value>>; 3] = Default::default();
    for (id, feature) in part.features.iter().enumerate() {
        let start = |kind: bool| {
            let kind = kind.then(|| json!(kind_name(feature.kind)));
            [Some(json!(id)), kind, Some(sources(part, feature))]
                .into_iter()
                .flatten()
        };
        match &feature.shape {
            Shape::Face {
                surface,
                same_sense,
                borders,
                ..
            } => {
                let rest = [
                    json!(same_sense),
                    json!(borders.len()),
                    carrier::surface(surface),
                ];
                rows[0].push(start(true).chain(rest).collect());
            }
            Shape::Edge {
                curve,
                sides,
                dihedral,
                spans,
            } => {
                let spans = &part.spans[spans.range()];
                let rest = [
                    json!(sides.map(|side| side.0)),
                    json!(dihedral.to_degrees()),
                    spans.iter().map(|s| json!([s.lo, s.hi])).collect(),
                    carrier::curve(curve),
                ];
                rows[1].push(start(true).chain(rest).collect());
            }
            Shape::Vertex { point, tangents } => {
                let rest = [carrier::point(point), json!(tangents.len())];
                rows[2].push(start(false).chain(rest).collect());
            }
        }
    }
    let [faces, edges, vertices] = rows;
    let count = |rows: &Vec<_>| json!(rows.len());
    let columns = |list: &[(&'static str, &'static str, Show)]| list.to_vec();
    Report {
        facts: vec![
            ("source", "source", json!(part.header.source)),
            ("face_features", "faces", count(&faces)),
            ("edge_features", "edges", count(&edges)),
            ("vertex_features", "vertices", count(&vertices)),
        ],
        tables: vec![
            Table {
                key: "faces",
                title: "supermaximal faces",
                columns: columns(&[
                    ("id", "id", plain),
                    ("kind", "kind", words),
                    ("sources", "faces", labels),
                    ("same_sense", "same sense", plain),
                    ("borders", "borders", plain),
                    ("carrier", "carrier", short),
                ]),
                rows: faces,
            },
            Table {
                key: "edges",
                title: "supermaximal edges, convex or smooth",
                columns: columns(&[
                    ("id", "id", plain),
                    ("kind", "kind", words),
                    ("sources", "edges", labels),
                    ("sides", "sides", plain),
                    ("dihedral_deg", "dihedral, °", degrees),
                    ("spans", "spans", short),
                    ("carrier", "carrier", short),
                ]),
                rows: edges,
            },
            Table {
                key: "vertices",
                title: "vertices that can hold a minimum",
                columns: columns(&[
                    ("id", "id", plain),
                    ("sources", "vertices", labels),
                    ("point", "point, mm", short),
                    ("tangents", "tangents", plain),
                ]),
                rows: vertices,
            },
        ],
    }
}

/// Entity numbers of what is behind a feature; `null` for what has none.
fn sources(part: &TreePart, feature: &Feature) -> Value {
    part.sources[feature.sources.range()]
        .iter()
        .map(|source| match source.label {
            0 => Value::Null,
            label => json!(label),
        })
        .collect()
}
