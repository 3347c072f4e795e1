//! Stationary pairs: of two whole cores, for every pair of kinds, and of two patches that have no closed form.
//!
//! Cores are random, of sizes about 1 and as far apart. Patches are those of free-form parts beside each other that boxes and
//! cones do not tell apart, as in queries; many hold no pair. Times are per solve.

// The macro of criterion makes a public function.
#![allow(missing_docs)]

use std::hint::black_box;

use brepcd::Part;
use brepcd::geom::curve::{Circle, Ellipse, Line};
use brepcd::geom::surface::{Cone, Plane};
use brepcd::geom::{Frame, Point3, Pose};
use brepcd::query::critical::{self, Core, Pairs};
use brepcd::query::numeric;
use brepcd::tree::{Content, MatrixPose, Node, PatchId};
use brepcd_benches::assembly::{centred_brep, poses_beside, tree};
use brepcd_benches::each::each;
use brepcd_benches::random::Random;
use brepcd_benches::scene::data_folder;
use criterion::{Criterion, criterion_group, criterion_main};

/// Pairs of cores of each two kinds.
const CORES: usize = 64;
const KINDS: [&str; 6] = ["point", "line", "circle", "ellipse", "plane", "cone"];
/// Reach of solves of patches, mm.
const REACH: f64 = 1.0;

fn core(kind: &str, random: &mut Random) -> Core {
    let origin = Point3::from(random.vector(1.0));
    let frame = Frame::from_z(origin, random.unit()).expect("a unit vector has a frame");
    match kind {
        "point" => Core::Point(origin),
        "line" => Core::Line(Line {
            origin,
            dir: frame.z,
        }),
        "circle" => Core::Circle(Circle {
            frame,
            radius: random.range(0.5, 1.5),
        }),
        "ellipse" => Core::Ellipse(Ellipse {
            frame,
            rx: random.range(1.0, 1.5),
            ry: random.range(0.5, 0.9),
        }),
        "plane" => Core::Plane(Plane { frame }),
        _ => Core::Cone(Cone {
            frame,
            radius: random.range(0.5, 1.5),
            half_angle: random.range(0.1, 1.0),
        }),
    }
}

fn cores(c: &mut Criterion) {
    let mut group = c.benchmark_group("cores");
    for (index, kind_a) in KINDS.iter().enumerate() {
        for kind_b in &KINDS[index..] {
            let mut random = Random::new(3);
            let pairs: Vec<(Core, Core)> = (0..CORES)
                .map(|_| (core(kind_a, &mut random), core(kind_b, &mut random)))
                .collect();
            let (tolerance, mut out) = (critical::Tolerance::default(), Pairs::new());
            group.bench_function(format!("{kind_a} {kind_b}"), |bencher| {
                each(bencher, &pairs, |(a, b)| {
                    out.clear();
                    black_box(critical::stationary(a, b, &tolerance, &mut out));
                });
            });
        }
    }
    group.finish();
}

/// A part of `data/parts`.
fn part(name: &str) -> (Part, f64) {
    let path = data_folder().join(format!("parts/{name}.step"));
    let brep = centred_brep(&path).expect("a part");
    (
        Part::new(tree(&brep, &brep)),
        brep.bounding_box().diagonal(),
    )
}

/// Pairs of free-form patches that boxes and cones do not tell apart: those that a query solves.
fn near_patches(a: &Part, b: &Part, a_from_b: &MatrixPose) -> Vec<(PatchId, PatchId)> {
    let leaves = |part: &Part| -> Vec<(PatchId, Node)> {
        let leaf = |node: &Node| match node.content {
            Content::Leaf(patch) => Some((patch, *node)),
            Content::Inner(_) => None,
        };
        let free = |patch: PatchId| !part.tree().patches[patch.index()].control.is_empty();
        let leaves = part.tree().nodes.iter().filter_map(leaf);
        leaves.filter(|(patch, _)| free(*patch)).collect()
    };
    let (leaves_a, leaves_b) = (leaves(a), leaves(b));
    let mut out = Vec::new();
    for (patch_a, a) in &leaves_a {
        for (patch_b, b) in &leaves_b {
            let near = !a.obb.distance_exceeds(&b.obb, a_from_b, REACH);
            if near && a.cone.antipodal(&b.cone, &a_from_b.rotation) {
                out.push((*patch_a, *patch_b));
            }
        }
    }
    out
}

fn patches(c: &mut Criterion) {
    let mut group = c.benchmark_group("patches");
    for names in [
        ["loft", "loft"],
        ["loft", "unclamped_ring"],
        ["offset_plate", "unclamped_prism"],
    ] {
        let [(a, size_a), (b, size_b)] = names.map(part);
        let poses = poses_beside(&a, &b, size_a + size_b, REACH / 2.0, 4);
        let placed = |pose: &Pose| {
            MatrixPose::from_parts(pose.translation, pose.rotation.to_rotation_matrix())
        };
        let poses: Vec<MatrixPose> = poses.iter().map(placed).collect();
        let near = poses.iter().flat_map(|pose| {
            let pairs = near_patches(&a, &b, pose).into_iter();
            pairs.map(move |(patch_a, patch_b)| (patch_a, patch_b, pose))
        });
        let near: Vec<(PatchId, PatchId, &MatrixPose)> = near.collect();
        let identity = MatrixPose::identity();
        let (mut scratch, mut found) = (numeric::Scratch::default(), Vec::new());
        let mut counts = numeric::Counts::default();
        group.bench_function(names.join(" "), |bencher| {
            each(bencher, &near, |(patch_a, patch_b, pose)| {
                let (a, b) = (a.leaf(*patch_a, &identity), b.leaf(*patch_b, pose));
                found.clear();
                black_box(numeric::stationary(
                    &a.piece,
                    &b.piece,
                    REACH,
                    &numeric::Limits::default(),
                    &mut scratch,
                    &mut counts,
                    &mut found,
                ));
            });
        });
    }
    group.finish();
}

criterion_group!(benches, cores, patches);
criterion_main!(benches);
