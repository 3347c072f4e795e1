//! truck to STEP text and back through the reader gives the same part.

mod parts;

use brepcd_brep::{Brep, Tolerance};
use brepcd_step::{Model, ReadOptions};
use brepcd_truck::{StepHeader, brep_to_step, to_brep, to_step};
use std::collections::BTreeMap;

/// Largest relative difference of mass properties.
const SAME: f64 = 1e-9;

fn read(text: &str) -> Model {
    brepcd_step::read(text.as_bytes(), &ReadOptions::default(), &mut |_| {})
        .unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn kinds(brep: &Brep) -> BTreeMap<(&'static str, &'static str), usize> {
    let mut kinds = BTreeMap::new();
    for face in &brep.faces {
        *kinds.entry(("face", face.surface.kind_name())).or_insert(0) += 1;
    }
    for edge in &brep.edges {
        *kinds.entry(("edge", edge.curve.kind_name())).or_insert(0) += 1;
    }
    kinds
}

fn assert_same(name: &str, a: &Brep, b: &Brep) {
    let count = |brep: &Brep| {
        [
            brep.solids.len(),
            brep.shells.len(),
            brep.faces.len(),
            brep.edges.len(),
            brep.vertices.len(),
        ]
    };
    assert_eq!(count(a), count(b), "{name}");
    assert_eq!(kinds(a), kinds(b), "{name}");
    let (a, b) = (a.mass_properties(), b.mass_properties());
    let size = a.volume.cbrt();
    let errors = [
        (a.volume - b.volume).abs() / a.volume,
        (a.area - b.area).abs() / a.area,
        (a.centroid - b.centroid).norm() / size,
        (a.inertia - b.inertia).norm() / a.inertia.norm(),
    ];
    assert!(
        errors.iter().all(|e| *e <= SAME),
        "{name}: {errors:?}\n{a:?}\n{b:?}"
    );
}

#[test]
fn every_part_survives() {
    for part in parts::all() {
        let (brep, _) = to_brep(&part.solid, Tolerance::default()).unwrap();
        let text = to_step(&[part.solid], &StepHeader::default(), Tolerance::default()).unwrap();
        let model = read(&text);
        assert!(
            model.warnings.is_empty(),
            "{}: {:?}",
            part.name,
            model.warnings
        );
        assert_eq!((model.unit.as_str(), model.unit_scale), ("mm", 1.0));
        assert_same(part.name, &brep, &model.placed_brep());
    }
}

#[test]
fn writing_is_deterministic_and_repeatable() {
    for part in parts::all() {
        let (brep, _) = to_brep(&part.solid, Tolerance::default()).unwrap();
        let [first, second] =
            [&brep, &brep].map(|b| brep_to_step(b, &StepHeader::default()).unwrap());
        assert_eq!(first, second, "{}", part.name);
        let again = brep_to_step(&read(&first).placed_brep(), &StepHeader::default()).unwrap();
        assert_eq!(
            first.lines().count(),
            again.lines().count(),
            "{}",
            part.name
        );
    }
}

#[test]
fn several_solids_go_into_one_file() {
    let solids = [parts::block(), parts::torus(), parts::hollow_block()].map(|part| part.solid);
    let (brep, _) = brepcd_truck::solids_to_brep(&solids, Tolerance::default()).unwrap();
    let model = read(&to_step(&solids, &StepHeader::default(), Tolerance::default()).unwrap());
    assert_same("three solids", &brep, &model.placed_brep());
}

#[test]
fn open_shells_survive() {
    let shell: truck_modeling::Shell = parts::block().solid.face_iter().take(5).cloned().collect();
    let (brep, _) = brepcd_truck::shell_to_brep(&shell, Tolerance::default()).unwrap();
    let read = read(&brep_to_step(&brep, &StepHeader::default()).unwrap()).placed_brep();
    assert_eq!(
        (read.solids.len(), read.shells.len(), read.faces.len()),
        (0, 1, 5)
    );
    assert!((read.mass_properties().area - brep.mass_properties().area).abs() < SAME);
}

#[test]
fn names_with_quotes_and_umlauts_survive() {
    let header = StepHeader {
        name: "Großes 'Teil' \\ 1".into(),
        ..StepHeader::default()
    };
    let (mut brep, _) = to_brep(&parts::block().solid, Tolerance::default()).unwrap();
    brep.solids[0].name = header.name.clone();
    let model = read(&brep_to_step(&brep, &header).unwrap());
    assert_eq!(model.parts[0].name, header.name);
    assert_eq!(model.placed_brep().solids[0].name, header.name);
}
