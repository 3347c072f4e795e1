//! Overlapping parts are always called overlapping, and parts that are apart never.
//!
//! Overlap is made: a point known to be inside the one part is put on a point known to be inside the other. The points
//! are anywhere inside, or just below the boundary with opposite normals, which gives deep, nested and shallow overlaps,
//! edges through faces and dents inside two faces.

use brepcd::brep::{Brep, Side};
use brepcd::geom::{Point3, Pose, Vec3};
use brepcd::query::{Options, Part};
use brepcd::tree::Shape;
use brepcd::{Status, TreeOptions, Workspace};
use brepcd_tests::{files_with_extension, workspace};
use nalgebra::{Rotation3, Translation3, UnitQuaternion};

/// Depths below the boundary, relative to the part's size.
const DEPTHS: [f64; 5] = [1e-1, 1e-2, 1e-3, 1e-4, 1e-5];

struct Random(u64);

impl Random {
    fn range(&mut self, lo: f64, hi: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        lo + (hi - lo) * ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn below(&mut self, n: usize) -> usize {
        (self.range(0.0, n as f64) as usize).min(n - 1)
    }

    fn unit(&mut self) -> Vec3 {
        loop {
            let v = Vec3::from_fn(|_, _| self.range(-1.0, 1.0));
            if (0.1..1.0).contains(&v.norm()) {
                return v.normalize();
            }
        }
    }

    fn turn(&mut self) -> UnitQuaternion<f64> {
        let angle = self.range(-3.1, 3.1);
        UnitQuaternion::new(self.unit() * angle)
    }
}

struct Solid {
    name: String,
    part: Part,
    size: f64,
    /// Points inside.
    inner: Vec<Point3>,
    /// Points below the boundary with the normal there, by depth.
    shallow: Vec<Vec<(Point3, Vec3)>>,
}

fn solids() -> Vec<Solid> {
    let folder = |name: &str| files_with_extension(&workspace().join("data").join(name), &["step"]);
    let files = folder("parts").into_iter().chain(folder("scenes"));
    let mut random = Random(1);
    let mut out = Vec::new();
    for path in files {
        let name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let bytes = std::fs::read(&path).expect("a file");
        let model = brepcd::read_step(&path).expect("a STEP file");
        let (tree, _) = brepcd::preprocess(&model, &name, &bytes, &TreeOptions::default());
        let brep = model.placed_brep();
        let shallow = DEPTHS.map(|depth| below(&brep, &tree, depth, &mut random));
        out.push(Solid {
            name,
            size: brep.bounding_box().diagonal(),
            inner: inside(&brep, &mut random),
            shallow: shallow.into(),
            part: Part::new(tree),
        });
    }
    assert!(out.iter().filter(|s| !s.inner.is_empty()).count() > 30);
    out
}

fn inside(brep: &Brep, random: &mut Random) -> Vec<Point3> {
    let room = brep.bounding_box();
    let mut out = Vec::new();
    for _ in 0..300 {
        let p = Point3::from(Vec3::from_fn(|i, _| random.range(room.min[i], room.max[i])));
        if out.len() < 40 && brep.side_of(&p) == Side::Inside {
            out.push(p);
        }
    }
    out
}

fn below(
    brep: &Brep,
    tree: &brepcd::TreePart,
    depth: f64,
    random: &mut Random,
) -> Vec<(Point3, Vec3)> {
    let depth = depth * brep.bounding_box().diagonal();
    let mut out = Vec::new();
    for _ in 0..120 {
        let patch = &tree.patches[random.below(tree.patches.len())];
        let feature = &tree.features[patch.feature.index()];
        let Shape::Face {
            surface,
            same_sense,
            ..
        } = &feature.shape
        else {
            continue;
        };
        let (u, v) = (
            patch.u.at(random.range(0.1, 0.9)),
            patch.v.at(random.range(0.1, 0.9)),
        );
        let Some(normal) = surface.normal(u, v) else {
            continue;
        };
        let normal = if *same_sense { normal } else { -normal };
        let p = surface.point(u, v) - normal * depth;
        if out.len() < 30 && brep.side_of(&p) == Side::Inside {
            out.push((p, normal));
        }
    }
    out
}

/// The pose that turns B first and then puts its point `q` on `p`.
fn onto(p: &Point3, q: &Point3, turn: UnitQuaternion<f64>) -> Pose {
    Pose::from_parts(Translation3::from(p.coords - turn * q.coords), turn)
}

fn overlapping_pose(a: &Solid, b: &Solid, random: &mut Random) -> Option<Pose> {
    let level = random.below(DEPTHS.len() + 1);
    if level == DEPTHS.len() {
        let pick = |points: &[Point3], random: &mut Random| {
            (!points.is_empty()).then(|| points[random.below(points.len())])
        };
        let (p, q) = (pick(&a.inner, random)?, pick(&b.inner, random)?);
        let turn = random.turn();
        return Some(onto(&p, &q, turn));
    }
    let pick = |points: &[(Point3, Vec3)], random: &mut Random| {
        (!points.is_empty()).then(|| points[random.below(points.len())])
    };
    let (p, normal_a) = pick(&a.shallow[level], random)?;
    let (q, normal_b) = pick(&b.shallow[level], random)?;
    let facing = Rotation3::rotation_between(&normal_b, &-normal_a)?;
    let spin = Rotation3::new(normal_a * random.range(-3.1, 3.1));
    let turn = UnitQuaternion::from_rotation_matrix(&(spin * facing));
    Some(onto(&p, &q, turn))
}

fn check_overlapping(count: usize, seed: u64) {
    let solids = solids();
    let mut random = Random(seed);
    let mut workspace = Workspace::new();
    let options = Options::default();
    let (mut tried, mut wrong) = (0, Vec::new());
    while tried < count {
        let (a, b) = (
            &solids[random.below(solids.len())],
            &solids[random.below(solids.len())],
        );
        let Some(pose) = overlapping_pose(a, b, &mut random) else {
            continue;
        };
        tried += 1;
        let status = match tried % 3 {
            0 => workspace.contacts(&a.part, &b.part, &pose, &options),
            1 => workspace.min_distance(&a.part, &b.part, &pose, &options),
            _ => workspace.intersects(&a.part, &b.part, &pose, &options),
        };
        if status.expect("a pose").status != Status::Overlapping {
            wrong.push(format!("{} {} {pose:?}", a.name, b.name));
        }
    }
    println!("{tried} overlapping poses, {} not seen", wrong.len());
    assert!(
        wrong.is_empty(),
        "{}",
        wrong[..wrong.len().min(10)].join("\n")
    );
}

#[test]
fn overlapping_parts_overlap() {
    check_overlapping(8_000, 2);
}

#[test]
#[ignore = "takes minutes; BREPCD_SEED chooses other poses"]
fn many_overlapping_parts_overlap() {
    let seed = std::env::var("BREPCD_SEED")
        .ok()
        .and_then(|s| s.parse().ok());
    check_overlapping(100_000, seed.unwrap_or(3));
}

#[test]
fn parts_on_two_sides_of_a_plane_are_apart() {
    let solids = solids();
    let mut random = Random(4);
    let mut workspace = Workspace::new();
    for _ in 0..8_000 {
        let (a, b) = (
            &solids[random.below(solids.len())],
            &solids[random.below(solids.len())],
        );
        // Along a direction, everything of A is behind its farthest corner, everything of B before its own.
        let (direction, turn) = (random.unit(), random.turn());
        let corners = |solid: &Solid| solid.part.tree().nodes[0].obb.corners();
        let high = corners(a)
            .iter()
            .map(|p| direction.dot(&p.coords))
            .fold(f64::MIN, f64::max);
        let back = turn.inverse() * direction;
        let low = corners(b)
            .iter()
            .map(|p| back.dot(&p.coords))
            .fold(f64::MAX, f64::min);
        let gap = 10f64.powf(random.range(-6.0, 0.0)) * a.size.min(b.size);
        let pose = Pose::from_parts(Translation3::from(direction * (high - low + gap)), turn);
        let options = Options::default();
        let answer = workspace
            .min_distance(&a.part, &b.part, &pose, &options)
            .expect("a pose");
        assert_eq!(
            answer.status,
            Status::Separated,
            "{} {} {pose:?}",
            a.name,
            b.name
        );
        let least = answer.min_distance().expect("a least distance");
        assert!(
            least >= gap * (1.0 - 1e-9) - 1e-9,
            "{} {} {pose:?} {least}",
            a.name,
            b.name
        );
    }
}
