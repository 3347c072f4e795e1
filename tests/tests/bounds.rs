//! Bounds of patches and nodes: they hold what they bound, they are tight, and they are the same on every run.
//!
//! `cargo test --release -p brepcd-tests --test bounds tight -- --nocapture` prints the table of `docs/bounds.md`.
//! `BREPCD_CORPUS` names a folder of STEP files; run with
//! `BREPCD_CORPUS=dir cargo test --release -p brepcd-tests --test bounds -- --ignored --nocapture`.

#[path = "bounds/case.rs"]
mod case;
#[path = "bounds/hold.rs"]
mod hold;
#[path = "bounds/sample.rs"]
mod sample;
#[path = "bounds/sphere.rs"]
mod sphere;
#[path = "bounds/tight.rs"]
mod tight;

use std::path::{Path, PathBuf};

use brepcd::geom::Vec3;
use brepcd::tree::{Kinds, NormalCone, ShortCone};
use brepcd_tests::{files_with_extension, workspace};

use case::{Case, load};
use hold::{Checked, Failures};
use tight::Table;

/// Points per part of the repository, and per part of a corpus.
const POINTS: [usize; 2] = [20_000, 100_000];

fn data() -> Vec<PathBuf> {
    let folder = |name: &str| files_with_extension(&workspace().join("data").join(name), &["step"]);
    let files: Vec<PathBuf> = folder("parts")
        .into_iter()
        .chain(folder("scenes"))
        .collect();
    assert!(files.len() > 20, "the parts are there");
    files
}

fn corpus() -> Vec<PathBuf> {
    let folder = std::env::var_os("BREPCD_CORPUS").expect("BREPCD_CORPUS names a folder");
    let files = files_with_extension(Path::new(&folder), &["step", "stp"]);
    assert!(!files.is_empty(), "the corpus is there");
    files
}

#[test]
fn bounds_hold_what_they_bound() {
    check(&data(), POINTS[0]);
}

#[test]
#[ignore = "needs BREPCD_CORPUS"]
fn bounds_of_a_corpus_hold_what_they_bound() {
    check(&corpus(), POINTS[1]);
}

#[test]
fn bounds_that_are_too_small_are_noticed() {
    let path = workspace().join("data/parts/drilled_block.step");
    let wrong = |damage: &dyn Fn(&mut Case)| {
        let mut case = load(&path, 0.0).expect("the part is there");
        damage(&mut case);
        let (mut failures, mut checked) = (Failures::default(), Checked::default());
        hold::bounds(&case, POINTS[0], &mut failures, &mut checked);
        hold::cover(&case, POINTS[0] / 4, &mut failures, &mut checked);
        failures.count
    };
    assert_eq!(wrong(&|_| ()), 0);
    let of_kind = |case: &Case, kind: Kinds| {
        let patches = &case.part.patches;
        let found = patches
            .iter()
            .position(|p| case.part.features[p.feature.index()].kind == kind);
        found.expect("the part has this kind")
    };
    for kind in [Kinds::CONCAVE_CYLINDER, Kinds::PLANE, Kinds::CIRCLE] {
        // At the leaf and above it.
        for level in 0..3 {
            let node = |case: &Case| case.above[of_kind(case, kind)][level];
            let count = wrong(&|case| {
                let at = node(case);
                case.part.nodes[at].obb.half *= 0.9;
            });
            assert!(count > 0, "box of {kind:?}, {level} above the leaf");
            let count = wrong(&|case| {
                let at = node(case);
                let elsewhere = Vec3::new(1.0, 2.0, 3.0).normalize();
                case.part.nodes[at].cone =
                    ShortCone::around(&NormalCone::from_generators(&[elsewhere]));
            });
            assert!(count > 0, "cone of {kind:?}, {level} above the leaf");
            let count = wrong(&|case| {
                let at = node(case);
                case.part.nodes[at].kinds.remove(kind);
            });
            assert!(count > 0, "mask of {kind:?}, {level} above the leaf");
        }
    }
    let count = wrong(&|case| {
        let lost = of_kind(case, Kinds::CONCAVE_CYLINDER);
        for patches in &mut case.patches {
            patches.retain(|p| *p != lost);
        }
    });
    assert!(count > 0, "a patch is lost");
}

fn check(files: &[PathBuf], budget: usize) {
    let (mut failures, mut all) = (Failures::default(), Checked::default());
    for path in files {
        let Some(case) = load(path, 0.0) else {
            println!("{}: not read", path.display());
            continue;
        };
        let before = (failures.count, all);
        hold::bounds(&case, budget, &mut failures, &mut all);
        hold::cover(&case, budget / 4, &mut failures, &mut all);
        println!(
            "{:50} {:>6} patches {:>8} points {:>8} normals {:>7} covered, {} wrong",
            case.name,
            case.part.patches.len(),
            all.points - before.1.points,
            all.normals - before.1.normals,
            all.covered - before.1.covered,
            failures.count - before.0
        );
    }
    let (count, first) = (failures.count, failures.first.join("\n"));
    assert!(count == 0, "{count} wrong:\n{first}");
}

/// Dilation of cones as for dynamics.
const DILATION: f64 = 3.0 * std::f64::consts::PI / 180.0;

/// Patches of each kind that are measured per part of the repository, and per part of a corpus.
const PATCHES: [usize; 2] = [8, 16];

/// What holds for the parts of the repository, with some margin over what is measured.
struct Limits {
    /// Mean of the box's size over that of the smallest box.
    boxes: f64,
    /// Mean of the dilated cone's solid angle over that of the dilated hull.
    cones: f64,
    /// How many times smaller dilated polyhedral cones are than circular ones.
    gain: f64,
}

fn limits(kind: Kinds) -> Limits {
    let (boxes, cones, gain) = match kind {
        Kinds::VERTEX => (1.0, 1.25, 1.5),
        Kinds::LINE => (1.01, 1.45, 7.5),
        Kinds::CIRCLE => (1.01, 1.2, 2.1),
        Kinds::CONIC => (1.01, 1.25, 3.3),
        Kinds::SPLINE_CURVE => (1.02, 1.3, 2.5),
        Kinds::PLANE => (1.25, 1.3, 1.5),
        Kinds::CONVEX_CYLINDER | Kinds::CONCAVE_CYLINDER => (1.02, 1.12, 5.0),
        Kinds::CONVEX_CONE | Kinds::CONCAVE_CONE => (1.05, 1.2, 3.3),
        Kinds::SPLINE_SURFACE => (1.2, 1.2, 2.0),
        _ => (1.02, 1.08, 1.6),
    };
    Limits { boxes, cones, gain }
}

#[test]
fn bounds_are_tight() {
    let table = tight(&data(), PATCHES[0]);
    for kind in Kinds::all().iter() {
        let row = table.get(&kind.bits());
        let row = row.unwrap_or_else(|| panic!("no part has a {kind:?}"));
        let (limits, dilated) = (limits(kind), &row.cones[1]);
        assert_eq!(row.whole, 0, "{kind:?}: cones of all directions");
        assert!(
            50 * row.hollow <= row.patches,
            "{kind:?}: {} hollow",
            row.hollow
        );
        assert!(
            row.boxes.mean() <= limits.boxes,
            "{kind:?}: {}",
            row.boxes.mean()
        );
        let cones = dilated.factor.mean();
        assert!(cones <= limits.cones, "{kind:?}: {cones}");
        assert!(
            dilated.gain() >= limits.gain,
            "{kind:?}: {}",
            dilated.gain()
        );
        // Nothing is smaller than what it must hold: the optimum is one.
        assert!(dilated.factor.least() > 1.0 - 1e-6, "{kind:?}");
    }
}

#[test]
#[ignore = "needs BREPCD_CORPUS"]
fn bounds_of_a_corpus_are_tight() {
    tight(&corpus(), PATCHES[1]);
}

fn tight(files: &[PathBuf], patches: usize) -> Table {
    let mut table = Table::new();
    for path in files {
        if let (Some(plain), Some(dilated)) = (load(path, 0.0), load(path, DILATION)) {
            tight::measure([&plain, &dilated], patches, &mut table);
        }
    }
    tight::print(&table);
    table
}
