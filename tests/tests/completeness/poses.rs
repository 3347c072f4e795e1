//! Random numbers, parts and poses; the same ones on every run.

use super::pair::{Case, Sample};
use brepcd::Brep;
use brepcd::geom::{Pose, Vec3};
use brepcd::query::{Options, Workspace};
use brepcd_tests::{files_with_extension, solids, workspace};
use std::f64::consts::{FRAC_PI_2, TAU};

/// A reproducible stream of numbers.
pub struct Random(u64);

impl Random {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x1234_5678_9ABC_DEF1)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number between two.
    pub fn between(&mut self, lo: f64, hi: f64) -> f64 {
        lo + (hi - lo) * ((self.bits() >> 11) as f64 / (1_u64 << 53) as f64)
    }

    /// A position in a list.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    /// A unit vector.
    pub fn direction(&mut self) -> Vec3 {
        let (z, angle) = (self.between(-1.0, 1.0), self.between(0.0, TAU));
        let ring = (1.0 - z * z).sqrt();
        Vec3::new(ring * angle.cos(), ring * angle.sin(), z)
    }

    /// A rotation vector of any turn.
    pub fn turn(&mut self) -> Vec3 {
        self.direction() * self.between(0.0, 3.1)
    }

    /// A solid with random dimensions around `scale`.
    pub fn solid(&mut self, scale: f64) -> (&'static str, Brep) {
        let [x, y, z] = [(); 3].map(|()| scale * self.between(0.6, 2.0));
        let part = scale * self.between(0.1, 0.4);
        match self.below(16) {
            0 => ("block", solids::block(x, y, z)),
            1 => ("bracket", solids::bracket(x, y, z, part)),
            2 => (
                "drilled_plate",
                solids::drilled_plate(x, y, part, 0.4 * x.min(y)),
            ),
            3 => ("rounded_block", solids::rounded_block(x, y, z, part)),
            4 => ("hollowed_block", solids::hollowed_block(x, y, z, part)),
            5 => ("cylinder", solids::cylinder(0.5 * x, y)),
            6 => ("frustum", solids::frustum(0.5 * x, 0.5 * y, z)),
            7 => ("cone", solids::frustum(0.5 * x, 0.0, z)),
            8 => ("ball", solids::ball(0.5 * x)),
            9 => ("torus", solids::torus(x, part)),
            10 => ("tube", solids::tube(x, x - part, y)),
            11 => ("round_pin", solids::round_pin(0.5 * x, y)),
            12 => ("round_disc", solids::round_disc(0.5 * x, part)),
            13 => ("dimple", solids::dimple(x, y, 0.5 * x)),
            14 => (
                "grooved_shaft",
                solids::grooved_shaft(0.5 * x, y, 0.3 * part),
            ),
            _ => (
                "waisted_shaft",
                solids::waisted_shaft(0.5 * x, 2.0 * (x + z), 0.5 * (x + y), 0.5 * part),
            ),
        }
    }

    /// A case of two parts: near or far, turned anyhow, by quarter turns, or coaxial with a small offset or none.
    pub fn case<'a>(&mut self, a: &'a Sample, b: &'a Sample) -> Case<'a> {
        let size = a.size().min(b.size());
        let gap = size * [0.0, 1e-4, 0.01, 0.1, 0.5][self.below(5)];
        let a_from_b = match self.below(3) {
            0 => {
                let turn = self.turn();
                self.at_distance(a, b, turn, gap)
            }
            1 => {
                let turn = self.quarter_turns();
                self.at_distance(a, b, turn, gap)
            }
            _ => {
                let off = size * [0.0, 1e-6, 1e-3, 0.03][self.below(4)];
                self.coaxial(a, b, off)
            }
        };
        let cutoff = gap + size * [0.1, 0.3, 0.6][self.below(3)];
        Case {
            a,
            b,
            a_from_b,
            cutoff,
        }
    }

    /// A case in no special position, `gap` apart.
    pub fn loose_case<'a>(&mut self, a: &'a Sample, b: &'a Sample) -> Case<'a> {
        let size = a.size().min(b.size());
        let (turn, gap) = (self.turn(), size * [1e-3, 0.05, 0.3][self.below(3)]);
        let a_from_b = self.at_distance(a, b, turn, gap);
        let cutoff = gap + 0.3 * size;
        Case {
            a,
            b,
            a_from_b,
            cutoff,
        }
    }

    /// A pose with about the given distance, from a random side; `turn` is the rotation of B.
    pub fn at_distance(&mut self, a: &Sample, b: &Sample, turn: Vec3, distance: f64) -> Pose {
        let side = self.direction();
        let middle = |s: &Sample| s.complex.brep.bounding_box().centre();
        let rotation = Pose::new(Vec3::zeros(), turn);
        let aim = middle(a) - rotation * middle(b);
        let slip = self.direction() * (0.2 * a.size().min(b.size()));
        let mut away = 0.6 * (a.size() + b.size()) + distance;
        let mut workspace = Workspace::new();
        let mut pose = Pose::new(aim + slip + side * away, turn);
        for _ in 0..40 {
            let answer = workspace.min_distance(&a.part, &b.part, &pose, &Options::default());
            let Some(now) = answer.ok().and_then(|answer| answer.min_distance()) else {
                break;
            };
            if now <= distance * 1.01 || away < 0.0 {
                break;
            }
            away -= now - distance;
            pose = Pose::new(aim + slip + side * away, turn);
        }
        pose
    }

    /// A rotation by quarter turns about the axes.
    pub fn quarter_turns(&mut self) -> Vec3 {
        let axis = Vec3::ith(self.below(3), 1.0);
        axis * (FRAC_PI_2 * self.below(4) as f64)
    }

    /// A pose with the two z axes parallel and `off` apart, B turned about its own.
    pub fn coaxial(&mut self, a: &Sample, b: &Sample, off: f64) -> Pose {
        let flip = self.below(2) == 0;
        let about = Pose::new(Vec3::zeros(), Vec3::z() * self.between(0.0, TAU));
        let turn = if flip {
            Pose::new(Vec3::zeros(), Vec3::x() * std::f64::consts::PI)
        } else {
            Pose::identity()
        };
        let rotation = (turn * about).rotation.scaled_axis();
        let reach = 0.5 * (a.size() + b.size());
        let angle = self.between(0.0, TAU);
        let z = self.between(-reach, reach);
        Pose::new(Vec3::new(off * angle.cos(), off * angle.sin(), z), rotation)
    }
}

/// Parts whose solids touch each other: what one of them has there is none of the whole's boundary.
const TOUCHING: [&str; 1] = ["assembly"];

/// The parts of the data folder.
pub fn files() -> Vec<Sample> {
    let folder = workspace().join("data/parts");
    let read = |path: &std::path::PathBuf| {
        let model = brepcd::read_step(path).ok()?;
        let name = path.file_stem()?.to_string_lossy().into_owned();
        let apart = !TOUCHING.contains(&name.as_str());
        apart.then(|| Sample::new(&name, model.placed_brep()))
    };
    files_with_extension(&folder, &["step"])
        .iter()
        .filter_map(read)
        .collect()
}
