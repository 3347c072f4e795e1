//! Least distances of real parts against upper bounds proven by witness points.
//!
//! `BREPCD_CORPUS` names a folder of STEP files with a `distances.json`: pairs of files, poses of the second part in the
//! frame of the first, a distance and the points that prove it. Run with
//! `BREPCD_CORPUS=dir cargo test --release -p brepcd-tests --test distances -- --ignored --nocapture`.

use std::path::Path;

use brepcd::brep::{Brep, Side};
use brepcd::geom::{Point3, Pose, Vec3};
use brepcd::query::{Options, Part};
use brepcd::{Status, TreeOptions, Workspace};
use serde_json::Value;

/// How far above the proven distance the least distance may be, relative.
const ABOVE: f64 = 1e-6;

struct Loaded {
    brep: Brep,
    part: Part,
}

fn load(path: &Path) -> Loaded {
    let bytes = std::fs::read(path).expect("a file");
    let model = brepcd::read_step(path).expect("a STEP file");
    let (tree, _) = brepcd::preprocess(&model, "", &bytes, &TreeOptions::default());
    Loaded {
        brep: model.placed_brep(),
        part: Part::new(tree),
    }
}

fn numbers<const N: usize>(value: &Value) -> [f64; N] {
    std::array::from_fn(|i| value[i].as_f64().expect("a number"))
}

fn pose(value: &Value) -> Pose {
    let ([x, y, z], [w, i, j, k]) = (numbers(&value["t"]), numbers(&value["q"]));
    let rotation = nalgebra::Quaternion::new(w, i, j, k);
    Pose::from_parts(
        Vec3::new(x, y, z).into(),
        nalgebra::UnitQuaternion::new_normalize(rotation),
    )
}

/// True if a point is on the boundary, or so near that the points around it are on both sides of it.
fn near(brep: &Brep, p: &Point3) -> bool {
    let step = 1e-4;
    let around = (0..6).map(|k| {
        let mut q = *p;
        q[k / 2] += if k % 2 == 0 { step } else { -step };
        brep.side_of(&q)
    });
    let sides: Vec<Side> = around.collect();
    brep.side_of(p) == Side::On || (sides.contains(&Side::Inside) && sides.contains(&Side::Outside))
}

#[test]
#[ignore = "needs BREPCD_CORPUS"]
fn least_distances_of_a_corpus() {
    let folder = std::env::var_os("BREPCD_CORPUS").expect("BREPCD_CORPUS names a folder");
    let folder = Path::new(&folder);
    let text = std::fs::read_to_string(folder.join("distances.json")).expect("distances.json");
    let pairs: Value = serde_json::from_str(&text).expect("JSON");
    let mut workspace = Workspace::new();
    let (mut wrong, mut poses, mut below, mut unproven) = (0, 0, 0, 0);
    let (mut unresolved, mut times) = (0, Vec::new());
    for pair in pairs.as_array().expect("a list") {
        let name = |key: &str| pair[key].as_str().expect("a name").to_owned();
        let (a, b) = (load(&folder.join(name("a"))), load(&folder.join(name("b"))));
        for (index, case) in pair["poses"].as_array().expect("poses").iter().enumerate() {
            poses += 1;
            let (a_from_b, known) = (pose(case), case["d"].as_f64().expect("a distance"));
            let start = std::time::Instant::now();
            let answer = workspace.min_distance(&a.part, &b.part, &a_from_b, &Options::default());
            let time = start.elapsed().as_secs_f64();
            times.push(time);
            let answer = answer.expect("a good pose");
            unresolved += answer.stats.unresolved;
            let mut complain = |what: String| {
                wrong += 1;
                println!("{} {} pose {index}: {what}", name("a"), name("b"));
            };
            if answer.status == Status::Overlapping {
                complain(format!(
                    "overlapping at {:?}, known {known}",
                    answer.overlap
                ));
                continue;
            }
            let Some(lmd) = answer.lmds.first() else {
                complain(format!("nothing found, known {known}, {:?}", answer.stats));
                continue;
            };
            if lmd.distance > known * (1.0 + ABOVE) + 1e-9 {
                // A bound is none if its points are on wires beside the solids, as drawings of dimensions are.
                let [on_a, on_b] = [
                    (&a.brep, Point3::from(numbers(&case["pa"]))),
                    (
                        &b.brep,
                        a_from_b.inverse() * Point3::from(numbers(&case["pb"])),
                    ),
                ]
                .map(|(brep, p)| near(brep, &p));
                if on_a && on_b {
                    complain(format!(
                        "{} above {known}, {:?}",
                        lmd.distance, answer.stats
                    ));
                } else {
                    unproven += 1;
                }
            }
            if lmd.distance < known * (1.0 - ABOVE) {
                below += 1;
                let on_a = a.brep.side_of(&lmd.point_a);
                let on_b = b
                    .brep
                    .side_of(&a_from_b.inverse_transform_point(&lmd.point_b));
                if on_a != Side::On || on_b != Side::On {
                    complain(format!(
                        "{} below {known} with points {on_a:?} and {on_b:?}: {lmd:?}",
                        lmd.distance
                    ));
                }
            }
            let apart: f64 = (lmd.point_b - lmd.point_a).norm();
            if (apart - lmd.distance).abs() > 1e-9 {
                complain(format!("points {apart} apart, distance {}", lmd.distance));
            }
            if answer.stats.unresolved > 0 || time > 0.02 {
                println!(
                    "{} {} pose {index}: {time:.4} s {:?}",
                    name("a"),
                    name("b"),
                    answer.stats
                );
            }
        }
    }
    times.sort_by(f64::total_cmp);
    println!(
        "{poses} poses, {wrong} wrong, {below} below the known distance, {unproven} above one whose points are on no \
         face, {unresolved} unresolved; median {:.1} µs, worst {:.1} µs",
        times[times.len() / 2] * 1e6,
        times[times.len() - 1] * 1e6
    );
    assert_eq!(wrong, 0);
}
