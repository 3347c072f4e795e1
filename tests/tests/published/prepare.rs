//! Parts for queries: solids built in code, parts of the repository, and repeatable randomness.

use brepcd::geom::{Point3, Pose, Vec3};
use brepcd::query::Part;
use brepcd::tree::Header;
use brepcd::{Brep, TreePart};
use brepcd_tests::workspace;

/// The tree of a solid, preprocessed with default settings.
pub fn tree(brep: &Brep) -> TreePart {
    let header = Header {
        source: String::new(),
        source_hash: 0,
        settings: brepcd::prep::default_settings(brep),
        tolerance: brep.tolerance.length,
        size: 0.0,
        reach: 0.0,
    };
    brepcd::prep::preprocess(brep, &Default::default(), header).0
}

/// A solid ready for queries.
pub fn part(brep: &Brep) -> Part {
    Part::new(tree(brep))
}

/// A part of the repository.
pub fn named(name: &str) -> Part {
    let path = workspace().join("data/parts").join(format!("{name}.step"));
    let loaded = brepcd::load_part(&path).expect("a part of the repository");
    loaded.part
}

/// Repeatable random numbers (splitmix64).
pub struct Random(pub u64);

impl Random {
    /// The next 64 bits.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number between two.
    pub fn range(&mut self, lo: f64, hi: f64) -> f64 {
        lo + (hi - lo) * ((self.next() >> 11) as f64 / (1u64 << 53) as f64)
    }

    /// A position in a list of `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// A unit vector.
    pub fn unit(&mut self) -> Vec3 {
        loop {
            let v = Vec3::from_fn(|_, _| self.range(-1.0, 1.0));
            if v.norm() > 0.1 && v.norm() < 1.0 {
                return v.normalize();
            }
        }
    }

    /// A pose with any rotation, within `reach` of the origin.
    pub fn pose(&mut self, reach: f64) -> Pose {
        let angle = self.range(-std::f64::consts::PI, std::f64::consts::PI);
        let at = Point3::origin() + self.unit() * self.range(0.0, reach);
        Pose::new(at.coords, self.unit() * angle)
    }
}
