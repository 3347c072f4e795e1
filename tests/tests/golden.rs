//! Mass properties, boxes and counts against numbers that brepcd did not compute.
//!
//! `data/golden.json` maps a name to `file` (relative to `data/`), `volume`, `area`, `centroid`, `inertia`, `bbox`,
//! `solids`, `faces` and `source`: a closed form, or an independent CAD kernel. Fields may be missing.

use std::collections::BTreeMap;

use brepcd_tests::workspace;
use serde_json::Value;

/// Relative tolerance for numbers of another kernel, which integrates numerically.
const KERNEL: f64 = 1e-6;
/// Relative tolerance for closed forms.
const CLOSED_FORM: f64 = 1e-9;

#[test]
fn golden_parts() {
    let path = workspace().join("data/golden.json");
    let text = std::fs::read_to_string(&path).expect("data/golden.json is there");
    let golden: BTreeMap<String, Value> = serde_json::from_str(&text).expect("data/golden.json is JSON");
    assert!(!golden.is_empty(), "no golden parts");
    let failures: Vec<String> = golden.iter().flat_map(|(name, expected)| check(name, expected)).collect();
    assert!(failures.is_empty(), "{} of {} checks fail:\n{}", failures.len(), golden.len(), failures.join("\n"));
}

/// What is wrong with one part; nothing if all is well.
fn check(name: &str, expected: &Value) -> Vec<String> {
    let file = expected["file"].as_str().unwrap_or(name);
    let path = [workspace().join("data").join(file), workspace().join(file)]
        .into_iter()
        .find(|path| path.is_file())
        .unwrap_or_else(|| panic!("{name}: no file {file}"));
    let model = match brepcd::read_step(&path) {
        Ok(model) => model,
        Err(error) => return vec![format!("{name}: {error}")],
    };
    let brep = model.placed_brep();
    let (mass, bbox) = (brep.mass_properties(), brep.bounding_box());
    let size = bbox.diagonal();
    let closed = expected["source"].as_str().is_some_and(|s| s.replace(['_', '-'], " ").contains("closed form"));
    let tolerance = if closed { CLOSED_FORM } else { KERNEL };

    let inertia: Vec<f64> = mass.inertia.transpose().iter().copied().collect();
    let inertia_scale = mass.inertia.norm();
    let corners: Vec<f64> = bbox.min.iter().chain(bbox.max.iter()).copied().collect();
    let centroid: Vec<f64> = mass.centroid.iter().copied().collect();
    let mut checks = vec![
        ("volume", vec![mass.volume], None),
        ("area", vec![mass.area], None),
        ("centroid", centroid, Some(size)),
        ("inertia", inertia, Some(inertia_scale)),
        ("bbox", corners, Some(size)),
        ("solids", vec![brep.solids.len() as f64], None),
    ];
    if expected["faces"].is_number() {
        checks.push(("faces", vec![brep.faces.len() as f64], None));
    }
    let mut failures = Vec::new();
    for (key, found, scale) in checks {
        let wanted = numbers(&expected[key]);
        if wanted.is_empty() {
            continue;
        }
        let scale = scale.unwrap_or(wanted[0].abs()).max(f64::MIN_POSITIVE);
        let error = if wanted.len() == found.len() {
            found.iter().zip(&wanted).map(|(f, w)| (f - w).abs() / scale).fold(0.0, f64::max)
        } else {
            f64::INFINITY
        };
        if error.is_nan() || error > tolerance {
            failures.push(format!("{name}: {key} {found:?}, expected {wanted:?}, relative error {error:.1e}"));
        }
    }
    if let Some(kinds) = expected["faces"].as_object() {
        let mut found: BTreeMap<&str, u64> = BTreeMap::new();
        for face in &brep.faces {
            *found.entry(face.kind.name()).or_default() += 1;
        }
        let wanted: BTreeMap<&str, u64> =
            kinds.iter().map(|(k, n)| (k.as_str(), n.as_u64().unwrap_or(0))).filter(|(_, n)| *n > 0).collect();
        if found != wanted {
            failures.push(format!("{name}: faces {found:?}, expected {wanted:?}"));
        }
    }
    failures
}

/// The numbers of a scalar, a list or a list of lists, in order.
fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Number(number) => number.as_f64().into_iter().collect(),
        Value::Array(items) => items.iter().flat_map(numbers).collect(),
        _ => Vec::new(),
    }
}
