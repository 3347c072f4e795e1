//! Parts built with truck have the mass properties they should have.

mod parts;

use brepcd_brep::{EdgeClass, Severity, Tolerance};
use std::collections::BTreeMap;

/// Relative error of exactly taken over parts.
const EXACT: f64 = 1e-11;
/// Relative error of parts with free-form faces, whose integrals are not closed forms.
const FREE_FORM: f64 = 1e-9;
/// Relative error far from the origin, where edges that end in a pole miss it by rounding.
const MOVED: f64 = 1e-9;
/// Relative error where an intersection curve was fitted to the length tolerance.
const FITTED: f64 = 1e-6;

fn near(name: &str, what: &str, found: f64, expected: f64, scale: f64, tol: f64) {
    let error = (found - expected).abs() / scale;
    assert!(
        error <= tol,
        "{name}: {what} is {found}, not {expected} (error {error:.1e})"
    );
}

/// Notes, and inside-out solids, which are turned.
fn harmless(finding: &brepcd_brep::Finding) -> bool {
    finding.severity == Severity::Note || finding.message.contains("inside out")
}

#[test]
fn parts_have_their_closed_form_mass_properties() {
    for part in parts::all() {
        let (brep, findings) = brepcd_truck::to_brep(&part.solid, Tolerance::default()).unwrap();
        let name = part.name;
        assert!(findings.iter().all(harmless), "{name}: {findings:?}");
        let tol = match name {
            "cut cylinder" => FITTED,
            _ if part.known.kinds.iter().any(|(kind, _)| *kind == "bspline") => FREE_FORM,
            _ => EXACT,
        };
        let (mass, known) = (brep.mass_properties(), &part.known);
        let size = known.volume.cbrt();
        near(name, "volume", mass.volume, known.volume, known.volume, tol);
        if let Some(area) = known.area {
            near(name, "area", mass.area, area, area, tol);
        }
        for i in 0..3 {
            near(
                name,
                "centroid",
                mass.centroid[i],
                known.centroid[i],
                size,
                tol,
            );
        }
        let Some(inertia) = known.inertia else {
            continue;
        };
        for i in 0..3 {
            for j in 0..3 {
                let expected = if i == j { inertia[i] } else { 0.0 };
                near(
                    name,
                    "inertia",
                    mass.inertia[(i, j)],
                    expected,
                    inertia[0],
                    tol,
                );
            }
        }
    }
}

#[test]
fn canonical_surfaces_are_recognised() {
    for part in parts::all() {
        let (brep, _) = brepcd_truck::to_brep(&part.solid, Tolerance::default()).unwrap();
        let mut kinds = BTreeMap::new();
        for face in &brep.faces {
            *kinds.entry(face.surface.kind_name()).or_insert(0) += 1;
        }
        assert_eq!(
            kinds.into_iter().collect::<Vec<_>>(),
            part.known.kinds,
            "{}",
            part.name
        );
    }
}

#[test]
fn edges_and_vertices_stay_shared() {
    for part in parts::all() {
        let (brep, _) = brepcd_truck::to_brep(&part.solid, Tolerance::default()).unwrap();
        for (i, edge) in brep.edges.iter().enumerate() {
            let name = part.name;
            assert_eq!(edge.uses.len(), 2, "{name}: edge {i}");
            assert_ne!(
                edge.uses[0].forward, edge.uses[1].forward,
                "{name}: edge {i}"
            );
            assert!(!matches!(edge.class, EdgeClass::Open), "{name}: edge {i}");
        }
    }
    let counts = |part: parts::Part| {
        let (brep, _) = brepcd_truck::to_brep(&part.solid, Tolerance::default()).unwrap();
        (
            brep.solids.len(),
            brep.shells.len(),
            brep.faces.len(),
            brep.edges.len(),
            brep.vertices.len(),
        )
    };
    assert_eq!(counts(parts::block()), (1, 1, 6, 12, 8));
    assert_eq!(counts(parts::hollow_block()), (1, 2, 12, 24, 16));
    // axis vertices are one each; 3 rim vertices per end; 2 × 3 spokes, 2 × 3 rim arcs, 3 sides
    assert_eq!(counts(parts::turned_cylinder()), (1, 1, 9, 15, 8));
    // two pieces: 3 + 3 rim vertices, 2 on the axis; 6 spokes, 4 arcs, 3 sides, the axis
    assert_eq!(counts(parts::wedge()), (1, 1, 8, 14, 8));
}

#[test]
fn repairs_are_reported() {
    let message = |part: parts::Part| {
        let (_, findings) = brepcd_truck::to_brep(&part.solid, Tolerance::default()).unwrap();
        findings
            .iter()
            .map(|f| f.message.clone())
            .collect::<Vec<_>>()
    };
    assert!(message(parts::block()).is_empty());
    assert_eq!(
        message(parts::mirrored_block()),
        ["the solid was inside out and has been turned"]
    );
    assert_eq!(
        message(parts::sunken_block()),
        ["the solid was inside out and has been turned"]
    );
    assert_eq!(
        message(parts::turned_cylinder()),
        ["left out 6 edges without length and 3 faces without area"]
    );
}

#[test]
fn the_largest_shell_is_the_outer_one() {
    let mut shells = parts::hollow_block().solid.into_boundaries();
    shells.reverse();
    let solid = truck_modeling::Solid::new(shells);
    let (brep, _) = brepcd_truck::to_brep(&solid, Tolerance::default()).unwrap();
    assert_eq!(
        (
            brep.solids[0].outer.index(),
            brep.solids[0].voids[0].index()
        ),
        (1, 0)
    );
    near(
        "reversed shells",
        "volume",
        brep.mass_properties().volume,
        114.0,
        114.0,
        EXACT,
    );
}

#[test]
fn moved_parts_keep_their_volume_and_area() {
    use truck_modeling::{InnerSpace, Point3, Rad, Vector3, builder};
    let (axis, by) = (
        Vector3::new(1.0, 2.0, -0.5).normalize(),
        Vector3::new(300.0, -200.0, 100.0),
    );
    for part in parts::all() {
        let moved = builder::rotated(&part.solid, Point3::new(1.0, 2.0, 3.0), axis, Rad(0.7));
        let moved = builder::translated(&moved, by);
        let [a, b] = [&part.solid, &moved].map(|solid| {
            let (brep, findings) = brepcd_truck::to_brep(solid, Tolerance::default()).unwrap();
            assert!(findings.iter().all(harmless), "{}: {findings:?}", part.name);
            brep.mass_properties()
        });
        // the fit of an intersection curve depends on rounding
        let tol = if part.name == "cut cylinder" {
            FITTED
        } else {
            MOVED
        };
        near(part.name, "moved volume", b.volume, a.volume, a.volume, tol);
        near(part.name, "moved area", b.area, a.area, a.area, tol);
    }
}
