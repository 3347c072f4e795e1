//! Trees of parts: the same bytes on every run, on every thread and through a file; and what grouping makes of faces.

use std::path::PathBuf;

use brepcd::brep::Face;
use brepcd::geom::{Surface, Vec3};
use brepcd::tree::{Kinds, SourceKind};
use brepcd::{TreeOptions, TreePart, preprocess, read_step};
use brepcd_tests::{files_with_extension, workspace};

/// Threads that preprocess the same part at once.
const THREADS: usize = 2;

fn parts() -> Vec<PathBuf> {
    let folder = |name: &str| files_with_extension(&workspace().join("data").join(name), &["step"]);
    let files: Vec<PathBuf> = folder("parts")
        .into_iter()
        .chain(folder("scenes"))
        .collect();
    assert!(files.len() > 20, "the parts are there");
    files
}

/// A part from its file, everything anew.
fn tree(path: &PathBuf) -> TreePart {
    let bytes = std::fs::read(path).expect("a part can be read");
    let model = read_step(path).expect("a part is a STEP file");
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    preprocess(&model, &name, &bytes, &TreeOptions::default()).0
}

fn bytes(part: &TreePart) -> Vec<u8> {
    part.to_bytes().expect("a tree can be written")
}

#[test]
fn the_same_file_gives_the_same_bytes_on_every_run_and_thread() {
    for path in parts() {
        let first = bytes(&tree(&path));
        let others: Vec<Vec<u8>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..THREADS)
                .map(|_| scope.spawn(|| bytes(&tree(&path))))
                .collect();
            let joined = threads.into_iter().map(|t| t.join());
            joined.map(|bytes| bytes.expect("no panic")).collect()
        });
        assert!(others.iter().all(|b| *b == first), "{}", path.display());
    }
}

#[test]
fn other_options_give_other_bytes() {
    let path = workspace().join("data/parts/drilled_block.step");
    let source = std::fs::read(&path).expect("the part is there");
    let model = read_step(&path).expect("a STEP file");
    let with = |options: &TreeOptions| bytes(&preprocess(&model, "x", &source, options).0);
    let plain = with(&TreeOptions::default());
    let finer = TreeOptions {
        max_angle: Some(0.1),
        ..TreeOptions::default()
    };
    assert!(with(&finer).len() > plain.len(), "more patches");
    let dilated = TreeOptions {
        regularization: 0.05,
        ..TreeOptions::default()
    };
    assert!(with(&dilated) != plain);
}

#[test]
fn saving_and_loading_changes_nothing() {
    let folder = std::env::temp_dir().join(format!("brepcd-trees-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let mut failed = Vec::new();
    for path in parts() {
        let part = tree(&path);
        let files = ["first", "second"].map(|name| folder.join(name));
        part.save(&files[0]).expect("a tree can be saved");
        let loaded = TreePart::load(&files[0]).expect("a tree can be loaded");
        loaded.save(&files[1]).expect("a tree can be saved");
        let [first, second] = files.map(|f| std::fs::read(f).expect("a file can be read"));
        if first != second || first != bytes(&part) {
            failed.push(path);
        }
    }
    std::fs::remove_dir_all(&folder).expect("the folder can go");
    assert!(failed.is_empty(), "{failed:?}");
}

/// How many faces or edges each feature of some kinds has, ascending.
fn groups(part: &TreePart, kinds: Kinds) -> Vec<usize> {
    let features = part.features.iter().filter(|f| kinds.contains(f.kind));
    let mut out: Vec<usize> = features.map(|f| f.sources.len()).collect();
    out.sort_unstable();
    out
}

/// True if two faces lie on one plane, cylinder or sphere with the material on the same side.
fn share_a_carrier(a: &Face, b: &Face, length: f64) -> bool {
    let apart = |a: Vec3, b: Vec3| (a - b).norm();
    match (&a.surface, &b.surface) {
        (Surface::Plane(p), Surface::Plane(q)) => {
            let out = |face: &Face, z: Vec3| if face.same_sense { z } else { -z };
            let (n, m) = (out(a, p.frame.z), out(b, q.frame.z));
            let off = n.dot(&(q.frame.origin - p.frame.origin));
            apart(n, m) < ANGLE && off.abs() < length
        }
        (Surface::Cylinder(p), Surface::Cylinder(q)) => {
            let between = q.frame.origin - p.frame.origin;
            let off = p.frame.z.cross(&between).norm();
            a.same_sense == b.same_sense
                && p.frame.z.cross(&q.frame.z).norm() < ANGLE
                && off < length
                && (p.radius - q.radius).abs() < length
        }
        (Surface::Sphere(p), Surface::Sphere(q)) => {
            a.same_sense == b.same_sense
                && (p.frame.origin - q.frame.origin).norm() < length
                && (p.radius - q.radius).abs() < length
        }
        _ => false,
    }
}

/// Angle within which directions of carriers are the same.
const ANGLE: f64 = 1e-6;
/// Share of the part's size within which carriers are the same.
const LENGTH: f64 = 1e-6;

#[test]
fn faces_on_one_carrier_are_one_feature_and_others_are_not() {
    let mut grouped = 0;
    for path in parts() {
        let part = tree(&path);
        let brep = read_step(&path).expect("a STEP file").placed_brep();
        let length = LENGTH * brep.bounding_box().diagonal();
        let mut feature_of = vec![None; brep.faces.len()];
        for (index, feature) in part.features.iter().enumerate() {
            for source in &part.sources[feature.sources.range()] {
                if source.kind == SourceKind::Face {
                    feature_of[source.id as usize] = Some(index);
                }
            }
        }
        assert!(feature_of.iter().all(Option::is_some), "{}", path.display());
        for (i, a) in brep.faces.iter().enumerate() {
            for (j, b) in brep.faces.iter().enumerate().skip(i + 1) {
                let one = feature_of[i] == feature_of[j];
                let expected = share_a_carrier(a, b, length);
                assert_eq!(one, expected, "{}: faces {i} and {j}", path.display());
                grouped += usize::from(one);
            }
        }
    }
    assert!(grouped > 20, "{grouped} pairs");
}

#[test]
fn grouping_of_some_parts_is_as_drawn() {
    let part = |name: &str| tree(&workspace().join("data").join(name));
    let cylinders = Kinds::CONVEX_CYLINDER | Kinds::CONCAVE_CYLINDER;
    // The bottoms of a block and a pin that stand side by side are one plane.
    let two = part("parts/two_solids.step");
    assert_eq!(groups(&two, Kinds::PLANE), [1, 1, 1, 1, 1, 1, 2]);
    // A notch lies across a seam, which cuts its upper and its lower arc in two.
    let notch = part("parts/seam_notch.step");
    assert_eq!(groups(&notch, cylinders), [1]);
    assert_eq!(groups(&notch, Kinds::CIRCLE), [1, 1, 2, 2]);
    // 16 faces on 9 cylinders.
    let stab = part("scenes/hotstab_mobile.step");
    assert_eq!(groups(&stab, cylinders), [1, 1, 1, 1, 1, 2, 2, 3, 4]);
    // A seam is no edge: rims alone remain of a pin, nothing of a torus.
    let pin = part("parts/cylinder.step");
    assert_eq!(groups(&pin, Kinds::all()).len(), 5);
    assert!(groups(&part("parts/torus.step"), Kinds::all()) == [1]);
}
