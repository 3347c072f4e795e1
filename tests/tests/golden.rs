//! Mass properties, boxes and counts against numbers that brepcd did not compute.
//!
//! `data/golden.json` names for every part its `file` (relative to `data/`), `volume`, `area`, `centroid`, `inertia`,
//! `bbox`, `solids` (distinct), `instances` (placed), `faces` and `edges` by type, and whether the numbers come from a
//! closed form or from an independent CAD kernel, which integrates numerically and gives no inertia worth comparing.

use std::collections::BTreeMap;

use brepcd_tests::{files_with_extension, workspace};
use serde_json::Value;

/// Relative tolerance for numbers of another kernel, which integrates numerically.
const KERNEL: f64 = 1e-5;
/// Relative tolerance for closed forms: the edges of some parts are splines fitted to it.
const CLOSED_FORM: f64 = 2e-9;
/// Tolerance for boxes of another kernel, as part of the diagonal.
const KERNEL_BOX: f64 = 1e-6;

#[test]
fn golden_parts() {
    let path = workspace().join("data/golden.json");
    let text = std::fs::read_to_string(&path).expect("data/golden.json is there");
    let golden: Value = serde_json::from_str(&text).expect("data/golden.json is JSON");
    let golden = golden["parts"].as_object().expect("a list of parts");
    let files = files_with_extension(&workspace().join("data"), &["step"]);
    assert_eq!(golden.len(), files.len(), "a golden entry for every part");
    assert!(!golden.is_empty(), "no golden parts");
    let failures: Vec<String> = golden
        .iter()
        .flat_map(|(name, expected)| check(name, expected))
        .collect();
    assert!(
        failures.is_empty(),
        "{} of {} checks fail:\n{}",
        failures.len(),
        golden.len(),
        failures.join("\n")
    );
}

/// What is wrong with one part; nothing if all is well.
fn check(name: &str, expected: &Value) -> Vec<String> {
    let file = expected["file"].as_str().unwrap_or(name);
    let path = workspace().join("data").join(file);
    let model = match brepcd::read_step(&path) {
        Ok(model) => model,
        Err(error) => return vec![format!("{name}: {error}")],
    };
    let brep = model.placed_brep();
    let (mass, bbox) = (brep.mass_properties(), brep.bounding_box());
    let size = bbox.diagonal();
    let exact = |key: &str| expected[key].as_str() == Some("closed form");
    let tolerance = if exact("source") { CLOSED_FORM } else { KERNEL };
    let box_tolerance = if exact("bbox_source") {
        CLOSED_FORM
    } else {
        KERNEL_BOX
    };

    let inertia: Vec<f64> = mass.inertia.transpose().iter().copied().collect();
    let inertia_scale = mass.inertia.norm();
    let corners: Vec<f64> = bbox.min.iter().chain(bbox.max.iter()).copied().collect();
    let centroid: Vec<f64> = mass.centroid.iter().copied().collect();
    let distinct: usize = model.parts.iter().map(|part| part.brep.solids.len()).sum();
    let mut checks = vec![
        ("volume", vec![mass.volume], None, tolerance),
        ("area", vec![mass.area], None, tolerance),
        ("centroid", centroid, Some(size), tolerance),
        ("bbox", corners, Some(size), box_tolerance),
        ("solids", vec![distinct as f64], None, 0.0),
        ("instances", vec![brep.solids.len() as f64], None, 0.0),
    ];
    if exact("source") {
        checks.push(("inertia", inertia, Some(inertia_scale), tolerance));
    }
    let mut failures = Vec::new();
    for (key, found, scale, tolerance) in checks {
        let wanted = numbers(&expected[key]);
        let scale = scale
            .unwrap_or(wanted.first().map_or(0.0, |w| w.abs()))
            .max(f64::MIN_POSITIVE);
        let error = if wanted.len() == found.len() {
            found
                .iter()
                .zip(&wanted)
                .map(|(f, w)| (f - w).abs() / scale)
                .fold(0.0, f64::max)
        } else {
            f64::INFINITY
        };
        if error.is_nan() || error > tolerance {
            failures.push(format!(
                "{name}: {key} {found:?}, expected {wanted:?}, relative error {error:.1e}"
            ));
        }
    }
    let parts = || model.parts.iter().map(|part| &part.brep);
    let faces = count(parts().flat_map(|b| &b.faces).map(|f| f.kind.name()));
    let edges = count(parts().flat_map(|b| &b.edges).map(|e| e.kind.name()));
    for (key, found) in [("faces", faces), ("edges", edges)] {
        let wanted: BTreeMap<&str, u64> = expected[key]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(k, n)| (k.as_str(), n.as_u64().unwrap_or(0)))
            .collect();
        if found != wanted {
            failures.push(format!("{name}: {key} {found:?}, expected {wanted:?}"));
        }
    }
    if !model.warnings.is_empty() && expected["file"] != "parts/offset_plate.step" {
        failures.push(format!("{name}: warnings {:?}", model.warnings));
    }
    failures
}

/// How often each name occurs.
fn count<'a>(names: impl Iterator<Item = &'a str>) -> BTreeMap<&'a str, u64> {
    let mut out = BTreeMap::new();
    for name in names {
        *out.entry(name).or_default() += 1;
    }
    out
}

/// The numbers of a scalar, a list or a list of lists, in order.
fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Number(number) => number.as_f64().into_iter().collect(),
        Value::Array(items) => items.iter().flat_map(numbers).collect(),
        _ => Vec::new(),
    }
}
