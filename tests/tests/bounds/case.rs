//! A part with its tree, and repeatable randomness.

use std::path::Path;

use brepcd::brep::Brep;
use brepcd::geom::Vec3;
use brepcd::tree::{Content, FeatureId, Patch, PatchId, TreePart};
use brepcd::{TreeOptions, TreePart as Part};

/// A preprocessed file.
pub struct Case {
    pub name: String,
    pub brep: Brep,
    pub part: Part,
    /// The same part as queries have it, with bounds about its axes.
    pub ready: brepcd::query::Part,
    /// Diagonal of the part's box.
    pub size: f64,
    /// For every patch its leaf and all nodes above it.
    pub above: Vec<Vec<usize>>,
    /// For every feature its patches.
    pub patches: Vec<Vec<usize>>,
}

/// Reads and preprocesses a file; `None` if it is no STEP file with faces.
pub fn load(path: &Path, regularization: f64) -> Option<Case> {
    let name = path.file_name()?.to_string_lossy().into_owned();
    let bytes = std::fs::read(path).ok()?;
    let model = brepcd::read_step(path).ok()?;
    let options = TreeOptions {
        regularization,
        ..TreeOptions::default()
    };
    let (part, _) = brepcd::preprocess(&model, &name, &bytes, &options);
    let brep = model.placed_brep();
    let mut patches = vec![Vec::new(); part.features.len()];
    for (index, patch) in part.patches.iter().enumerate() {
        patches[patch.feature.index()].push(index);
    }
    Some(Case {
        name,
        size: brep.bounding_box().diagonal(),
        above: above(&part),
        patches,
        brep,
        ready: brepcd::query::Part::new(part.clone()),
        part,
    })
}

impl Case {
    pub fn patch(&self, index: usize) -> &Patch {
        &self.part.patches[index]
    }

    pub fn id(&self, index: usize) -> PatchId {
        PatchId::at(index)
    }

    /// The feature of every face of the part.
    pub fn feature_of_face(&self) -> Vec<Option<FeatureId>> {
        let mut out = vec![None; self.brep.faces.len()];
        for (index, feature) in self.part.features.iter().enumerate() {
            for source in &self.part.sources[feature.sources.range()] {
                if source.kind == brepcd::tree::SourceKind::Face {
                    out[source.id as usize] = Some(FeatureId::at(index));
                }
            }
        }
        out
    }
}

fn above(part: &TreePart) -> Vec<Vec<usize>> {
    let mut parent = vec![usize::MAX; part.nodes.len()];
    let mut out = vec![Vec::new(); part.patches.len()];
    for (index, node) in part.nodes.iter().enumerate() {
        match node.content {
            Content::Inner(children) => children.iter().for_each(|c| parent[c.index()] = index),
            Content::Leaf(patch) => {
                let chain = &mut out[patch.index()];
                assert!(chain.is_empty(), "a patch is a leaf once");
                let mut at = index;
                while at != usize::MAX {
                    chain.push(at);
                    at = parent[at];
                }
                assert_eq!(chain.last(), Some(&0), "the root is above all");
            }
        }
    }
    out
}

/// A small generator of repeatable random numbers (splitmix64).
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Evenly between the two values.
    pub fn range(&mut self, lo: f64, hi: f64) -> f64 {
        lo + (hi - lo) * ((self.next() >> 11) as f64 / (1u64 << 53) as f64)
    }

    /// A whole number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// From 0 to 1, the ends more often than not.
    pub fn share(&mut self) -> f64 {
        match self.below(8) {
            0 => 0.0,
            1 => 1.0,
            2 => 10f64.powf(self.range(-9.0, 0.0)),
            3 => 1.0 - 10f64.powf(self.range(-9.0, 0.0)),
            _ => self.range(0.0, 1.0),
        }
    }

    /// Evenly on the unit sphere.
    pub fn unit(&mut self) -> Vec3 {
        loop {
            let v = Vec3::from_fn(|_, _| self.range(-1.0, 1.0));
            let n = v.norm();
            if n > 0.1 && n < 1.0 {
                return v / n;
            }
        }
    }
}
