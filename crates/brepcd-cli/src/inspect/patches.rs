//! Near-flat pieces of the features and how borders cross them.

use std::collections::BTreeMap;

use brepcd::TreePart;
use brepcd::tree::{Content, Kinds, Membership};
use serde_json::{Value, json};

use super::Spread;
use crate::report::{Report, Show, Table, degrees, plain, short, size, words};
use crate::tree_info::kind_name;

/// The patches of one feature, or of all features of a kind.
#[derive(Clone, Default)]
struct Group {
    features: usize,
    inside: usize,
    /// Border pieces of the patches that are crossed.
    pieces: Spread,
    /// Diagonals of the boxes, mm.
    size: Spread,
    /// Half-angles of the normal cones, degrees.
    spread: Spread,
}

/// The patches of a part.
pub fn report(part: &TreePart) -> Report {
    let mut features = vec![Group::default(); part.features.len()];
    let mut kinds: BTreeMap<u16, Group> = BTreeMap::new();
    for feature in &part.features {
        kinds.entry(feature.kind.bits()).or_default().features += 1;
    }
    let mut all = Group::default();
    for node in &part.nodes {
        let Content::Leaf(patch) = node.content else {
            continue;
        };
        let patch = &part.patches[patch.index()];
        let index = patch.feature.index();
        let kind = kinds.entry(part.features[index].kind.bits()).or_default();
        for group in [&mut features[index], kind, &mut all] {
            match patch.membership {
                Membership::Inside => group.inside += 1,
                Membership::Crossed { pieces, .. } => group.pieces.add(pieces.len() as f64),
            }
            group.size.add(2.0 * node.obb.half.norm());
            group.spread.add(node.circle.half_angle().to_degrees());
        }
    }
    let mut kind_columns = vec![
        ("kind", "kind", words as Show),
        ("features", "features", plain),
    ];
    kind_columns.extend(columns());
    let mut feature_columns = vec![("id", "id", plain as Show), ("kind", "kind", words)];
    feature_columns.extend(columns());
    let named = |bits: u16| json!(kind_name(Kinds::from_bits_retain(bits)));
    Report {
        facts: vec![
            ("source", "source", json!(part.header.source)),
            ("patches", "patches", json!(part.patches.len())),
            ("inside", "inside", json!(all.inside)),
            ("crossed", "crossed", json!(all.pieces.count)),
            ("borders", "borders", json!(part.borders.len())),
            ("crossings", "crossings", json!(part.crossings.len())),
        ],
        tables: vec![
            Table {
                key: "kinds",
                title: "patches by kind",
                columns: kind_columns,
                rows: kinds
                    .iter()
                    .map(|(bits, group)| {
                        let start = [named(*bits), json!(group.features)];
                        start.into_iter().chain(group.row()).collect()
                    })
                    .collect(),
            },
            Table {
                key: "features",
                title: "patches by feature",
                columns: feature_columns,
                rows: features
                    .iter()
                    .zip(&part.features)
                    .enumerate()
                    .map(|(id, (group, feature))| {
                        let start = [json!(id), named(feature.kind.bits())];
                        start.into_iter().chain(group.row()).collect()
                    })
                    .collect(),
            },
        ],
    }
}

/// The columns that [`Group::row`] fills.
fn columns() -> [(&'static str, &'static str, Show); 10] {
    [
        ("patches", "patches", plain),
        ("inside", "inside", plain),
        ("crossed", "crossed", plain),
        ("mean_pieces", "mean pieces", short),
        ("max_pieces", "max pieces", short),
        ("min_size", "min size, mm", size),
        ("mean_size", "mean size", size),
        ("max_size", "max size", size),
        ("mean_spread_deg", "mean spread, °", degrees),
        ("max_spread_deg", "max spread", degrees),
    ]
}

impl Group {
    fn row(&self) -> [Value; 10] {
        [
            json!(self.size.count),
            json!(self.inside),
            json!(self.pieces.count),
            self.pieces.mean(),
            self.pieces.max(),
            self.size.min(),
            self.size.mean(),
            self.size.max(),
            self.spread.mean(),
            self.spread.max(),
        ]
    }
}
