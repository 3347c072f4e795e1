//! Parts and repeatable randomness.

use std::path::PathBuf;

use brepcd::brep::Side;
use brepcd::geom::{Point3, Pose, Vec3};
use brepcd::{Brep, TreeOptions, TreePart};
use brepcd_tests::{files_with_extension, workspace};

/// A part as the run time sees it, and as it was.
pub struct Part {
    pub name: String,
    pub tree: TreePart,
    pub brep: Brep,
    /// Its bodies, each with its pose in the part.
    pub bodies: Vec<(Brep, Pose)>,
}

impl Part {
    /// The side of a point by the exact boundaries, body by body: bodies may touch.
    pub fn exact_side(&self, p: &Point3) -> Side {
        let sides = self
            .bodies
            .iter()
            .map(|(body, pose)| body.side_of(&(pose.inverse() * p)));
        sides.fold(Side::Outside, |all, one| match (all, one) {
            (Side::Inside, _) | (_, Side::Inside) => Side::Inside,
            (Side::On, _) | (_, Side::On) => Side::On,
            (Side::Outside, Side::Outside) => Side::Outside,
        })
    }
}

pub fn load(path: &PathBuf) -> Part {
    let model = brepcd::read_step(path).expect("a part of the repository");
    let name = path.file_stem().map(|s| s.to_string_lossy().into_owned());
    let (tree, _) = brepcd::preprocess(&model, "part.step", b"", &TreeOptions::default());
    Part {
        name: name.unwrap_or_default(),
        tree,
        brep: model.placed_brep(),
        bodies: model
            .instances()
            .into_iter()
            .map(|(part, pose)| (model.parts[part].brep.clone(), pose))
            .collect(),
    }
}

/// The box of the repository without one of its faces: a sheet.
pub fn open_box() -> TreePart {
    let path = workspace().join("data/parts/box.step");
    let text = std::fs::read_to_string(path).expect("the box");
    let start = text.find("CLOSED_SHELL('',(").expect("a shell") + "CLOSED_SHELL('',(".len();
    let end = start + text[start..].find(',').expect("several faces") + 1;
    let open = format!("{}{}", &text[..start], &text[end..]);
    let model = brepcd::step::read(open.as_bytes(), &Default::default(), &mut |_| {});
    let model = model.expect("a box with five faces");
    brepcd::preprocess(&model, "open.step", b"", &TreeOptions::default()).0
}

pub fn named(name: &str) -> Part {
    load(&workspace().join("data/parts").join(format!("{name}.step")))
}

pub fn all() -> Vec<Part> {
    let files = files_with_extension(&workspace().join("data/parts"), &["step"]);
    assert!(files.len() > 20, "the parts are there");
    files.iter().map(load).collect()
}

/// Repeatable random numbers (splitmix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn range(&mut self, lo: f64, hi: f64) -> f64 {
        lo + (hi - lo) * ((self.next() >> 11) as f64 / (1u64 << 53) as f64)
    }

    pub fn vector(&mut self, size: f64) -> Vec3 {
        Vec3::from_fn(|_, _| self.range(-size, size))
    }

    pub fn unit(&mut self) -> Vec3 {
        loop {
            let v = self.vector(1.0);
            if v.norm() > 0.1 && v.norm() < 1.0 {
                return v.normalize();
            }
        }
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub fn inside(&mut self, lo: &Point3, hi: &Point3) -> Point3 {
        Point3::from(Vec3::from_fn(|i, _| self.range(lo[i], hi[i])))
    }
}
