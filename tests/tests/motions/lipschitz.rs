//! The least distance changes by no more than the motion, whatever the parts are.

use brepcd::Workspace;
use brepcd::geom::{Pose, Vec3};
use brepcd::query::{Options, Part};
use brepcd_tests::{files_with_extension, workspace};

use crate::follow::moved;
use crate::prepare::{Random, named};

/// Distances of parts are known to their rounding; those of B-splines to what they are solved to.
const ROUNDING: f64 = 1e-9;

/// Follows two parts along a random screw, from apart to touching or through each other; appends what is wrong.
fn follow(names: [&str; 2], parts: [&Part; 2], random: &mut Random, wrong: &mut Vec<String>) {
    let [a, b] = parts;
    let size = parts.map(|part| part.tree().nodes[0].obb.half.norm());
    let size = size[0].max(size[1]);
    let (from, to) = (random.unit() * 2.0 * size, random.unit() * 1.2 * size);
    let (start, turn) = (random.unit() * 2.0, random.unit() * random.range(0.5, 3.0));
    let mut workspace = Workspace::new();
    let mut last: Option<(Pose, f64)> = None;
    for k in 0..=120 {
        let t = f64::from(k) / 120.0;
        let way: Vec3 = from * (1.0 - t) + to * t;
        let pose = Pose::rotation(turn * t) * Pose::rotation(start);
        let pose = Pose::translation(way.x, way.y, way.z) * pose;
        let answer = workspace.min_distance(a, b, &pose, &Options::default());
        let answer = answer.expect("a pose");
        let place = || format!("{names:?} step {k} at {pose:?}");
        let Some(distance) = answer.min_distance() else {
            wrong.push(format!("{}: nothing found, {:?}", place(), answer.stats));
            last = None;
            continue;
        };
        if let Some((before, known)) = last {
            let way = moved(b, &before, &pose);
            if (distance - known).abs() > way + ROUNDING {
                let change = format!("{known} to {distance}, moved by {way}");
                wrong.push(format!("{}: {change}", place()));
            }
        }
        last = Some((pose, distance));
    }
}

#[test]
fn least_distance_follows_the_motion() {
    let pairs = [
        ("filleted_box", "cylinder"),
        ("drilled_block", "cone_apex"),
        ("torus", "frustum"),
        ("seam_notch", "box"),
        ("lemon", "apple"),
        ("oblique_cylinder", "hollow_sphere"),
        ("cone_hyperbola", "sphere"),
        ("extruded_spline", "filleted_box"),
        ("loft", "torus"),
        ("revolved_spline", "seamless_pocket"),
        ("unclamped_prism", "frustum"),
        ("assembly", "drilled_block"),
    ];
    let mut random = Random(7);
    let mut wrong = Vec::new();
    for (a, b) in pairs {
        let parts = [named(a), named(b)];
        for _ in 0..6 {
            follow([a, b], [&parts[0], &parts[1]], &mut random, &mut wrong);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
#[ignore = "takes minutes; BREPCD_SEED chooses other motions"]
fn least_distance_follows_many_motions() {
    let files = files_with_extension(&workspace().join("data/parts"), &["step"]);
    let names: Vec<String> = files
        .iter()
        .filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned()))
        .collect();
    let parts: Vec<Part> = names.iter().map(|name| named(name)).collect();
    let seed = std::env::var("BREPCD_SEED").ok();
    let mut random = Random(seed.and_then(|text| text.parse().ok()).unwrap_or(8));
    let mut wrong = Vec::new();
    for _ in 0..1000 {
        let (a, b) = (random.below(parts.len()), random.below(parts.len()));
        follow(
            [&names[a], &names[b]],
            [&parts[a], &parts[b]],
            &mut random,
            &mut wrong,
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
