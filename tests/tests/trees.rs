//! Trees of parts: the same bytes on every run, on every thread and through a file; and what grouping makes of faces.

use std::path::PathBuf;

use brepcd::brep::Face;
use brepcd::geom::{Point3, Pose, Surface, Vec3};
use brepcd::query::Options;
use brepcd::tree::{Kinds, SourceKind};
use brepcd::{Part, TreeOptions, TreePart, Workspace, preprocess, read_step};
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

/// How far the results of two answers may be apart, mm: looser bounds give other starting values.
const SAME_RESULT: f64 = 1e-9;

#[test]
fn size_and_reach_are_those_of_the_exact_box() {
    for path in parts() {
        let brep = read_step(&path).expect("a STEP file").placed_brep();
        let (header, bounds) = (tree(&path).header, brep.bounding_box());
        assert_eq!(header.size, 0.5 * bounds.diagonal());
        let within = |p: &Point3| p.coords.norm() <= header.reach * (1.0 + 1e-12);
        assert!(
            within(&bounds.min) && within(&bounds.max),
            "{}",
            path.display()
        );
        assert!(header.reach >= header.size * (1.0 - 1e-12));
    }
}

/// A part with boxes half as large again.
fn loosened(mut part: TreePart) -> TreePart {
    for node in &mut part.nodes {
        node.obb.half = node.obb.half * 1.5 + Vec3::repeat(0.01);
    }
    part
}

fn named(name: &str) -> TreePart {
    tree(&workspace().join("data/parts").join(name))
}

#[test]
fn what_touches_does_not_depend_on_how_tight_boxes_are() {
    let size = named("box.step").header.size;
    let bounds = read_step(workspace().join("data/parts/box.step"));
    let bounds = bounds.expect("a STEP file").placed_brep().bounding_box();
    let height = bounds.max.z - bounds.min.z;
    let mut statuses = Vec::new();
    for part in [named("box.step"), loosened(named("box.step"))].map(Part::new) {
        let mut workspace = Workspace::default();
        let mut status = |share: f64| {
            // The penetration up to which parts touch is 1e-10 of the size.
            let pose = Pose::translation(0.0, 0.0, height - share * 1e-10 * size);
            let options = Options::default();
            let answer = workspace.contacts(&part, &part, &pose, &options);
            answer.expect("a pose").status
        };
        statuses.push([0.5, 0.8, 1.2, 1.4, 2.0].map(&mut status));
    }
    assert_eq!(statuses[0], statuses[1]);
    assert!(statuses[0][0] != statuses[0][4], "{statuses:?}");
}

#[test]
fn results_do_not_depend_on_how_tight_boxes_are() {
    let mut found = 0;
    for (a, b) in [
        ("drilled_block.step", "filleted_box.step"),
        ("torus.step", "seam_notch.step"),
    ] {
        let tight = [named(a), named(b)].map(Part::new);
        let loose = [named(a), named(b)].map(|part| Part::new(loosened(part)));
        let size = tight.each_ref().map(|part| part.tree().header.size);
        let mut workspaces = [Workspace::default(), Workspace::default()];
        for i in 0..24 {
            let angle = 0.5 * f64::from(i);
            let way = Vec3::new(angle.cos(), angle.sin(), (2.0 * angle).sin());
            let pose = Pose::new(way.normalize() * (size[0] + size[1]), way * angle);
            let options = Options {
                prediction: size[0],
                ..Options::default()
            };
            let [tight, loose] = [(&tight, 0), (&loose, 1)].map(|([a, b], i)| (a, b, i));
            let [first, second] = &mut workspaces;
            let one = first
                .contacts(tight.0, tight.1, &pose, &options)
                .expect("a pose");
            let other = second
                .contacts(loose.0, loose.1, &pose, &options)
                .expect("a pose");
            assert_eq!(one.status, other.status, "{a} {b} {i}");
            assert_eq!(one.lmds.len(), other.lmds.len(), "{a} {b} {i}");
            for (one, other) in one.lmds.iter().zip(&other.lmds) {
                assert!((one.distance - other.distance).abs() <= SAME_RESULT);
                assert_eq!(one.regularized, other.regularized);
            }
            found += one.lmds.len();
        }
    }
    assert!(found > 20, "{found}");
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
