//! The test parts with their features, domains and patches.

#![allow(dead_code)]

use brepcd_brep::Brep;
use brepcd_geom::{Interval, Point2, Point3, Surface};
use brepcd_prep::domains::{self, Domains};
use brepcd_prep::features::{self, FaceFeature, Features, Grouping};
use brepcd_prep::patches::{self, PatchOwner, RawMembership, RawPatch};
use brepcd_tree::Settings;
use brepcd_tree::domain::{Region, Where};
use std::path::{Path, PathBuf};

/// Steps along an edge at which its distance from a surface is measured.
const GAP_STEPS: usize = 24;

pub struct Case {
    pub name: String,
    pub brep: Brep,
    pub settings: Settings,
    pub features: Features,
    pub domains: Domains,
    pub patches: Vec<RawPatch>,
}

pub fn files() -> Vec<PathBuf> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    let mut out: Vec<PathBuf> = ["parts", "scenes"]
        .iter()
        .flat_map(|folder| std::fs::read_dir(data.join(folder)).expect("the folder is there"))
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "step"))
        .collect();
    out.sort();
    out
}

/// The STEP files of the folder that `BREPCD_CORPUS` names.
pub fn corpus() -> Vec<PathBuf> {
    let folder = std::env::var_os("BREPCD_CORPUS").expect("BREPCD_CORPUS names a folder");
    let is_step = |path: &Path| {
        let ending = path.extension().and_then(|e| e.to_str()).unwrap_or("");
        ["step", "stp"]
            .iter()
            .any(|e| ending.eq_ignore_ascii_case(e))
    };
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut out: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| is_step(path))
        .collect();
    out.sort();
    assert!(!out.is_empty(), "the corpus is there");
    out
}

pub fn load(path: &Path) -> Case {
    load_grouped(path, Grouping::Supermaximal)
}

pub fn load_grouped(path: &Path, grouping: Grouping) -> Case {
    let model = brepcd_step::read_file(path).expect("a valid file");
    let brep = model.placed_brep();
    let diagonal = brep.bounding_box().diagonal();
    let settings = Settings {
        max_angle: 0.35,
        min_size: 1e-3 * diagonal,
        regularization: 0.0,
        border: (1e-6 * diagonal).max(brep.tolerance.length),
        chord: 1e-3 * diagonal,
    };
    let features = features::find(&brep, grouping);
    let domains = domains::build(&brep, &features, &settings);
    let patches = patches::split(&brep, &features, &domains, &settings);
    Case {
        name: path.file_name().expect("a file").to_string_lossy().into(),
        brep,
        settings,
        features,
        domains,
        patches,
    }
}

pub fn random(seed: u64) -> impl FnMut(f64, f64) -> f64 {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5DEE_CE66;
    move |lo, hi| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        lo + (hi - lo) * ((state >> 11) as f64 / (1u64 << 53) as f64)
    }
}

impl Case {
    pub fn region(&self, face: usize) -> Region<'_> {
        let feature = &self.features.faces[face];
        Region {
            surface: &feature.surface,
            same_sense: feature.same_sense,
            trims: &self.domains.trims,
            borders: &self.domains.faces[face].borders,
            settings: &self.settings,
        }
    }

    pub fn of_face(&self, face: usize) -> impl Iterator<Item = &RawPatch> {
        self.patches
            .iter()
            .filter(move |p| p.feature == PatchOwner::Face(face))
    }

    /// What the patches say about a point, which must lie in the feature's range, and how many hold it.
    pub fn classify(&self, face: usize, q: Point2) -> (Where, usize) {
        let patches: Vec<&RawPatch> = self.of_face(face).collect();
        self.classify_in(face, q, &patches)
    }

    pub fn classify_in(&self, face: usize, q: Point2, patches: &[&RawPatch]) -> (Where, usize) {
        let (mut place, mut holding) = (Where::Outside, 0);
        let periods = self.features.faces[face].surface.periods();
        for patch in patches {
            let copy = |x: f64, side: Interval, period: Option<f64>| match period {
                Some(p) => {
                    let moved = side.lo + (x - side.lo).rem_euclid(p);
                    // A point on the upper side of a range that ends where it began.
                    if moved > side.hi && (moved - p - side.lo).abs() < 1e-12 * p {
                        side.lo
                    } else {
                        moved
                    }
                }
                None => x,
            };
            let q = Point2::new(
                copy(q.x, patch.u, periods[0]),
                copy(q.y, patch.v, periods[1]),
            );
            if !(patch.u.contains(q.x) && patch.v.contains(q.y)) {
                continue;
            }
            holding += 1;
            let here = match &patch.membership {
                RawMembership::Inside => Where::Inside,
                RawMembership::Crossed {
                    pieces,
                    reference,
                    inside,
                } => self.region(face).classify(pieces, *reference, *inside, q),
            };
            if here != Where::Outside && place != Where::OnBorder {
                place = here;
            }
        }
        (place, holding)
    }

    pub fn contains(&self, feature: &FaceFeature, p: &Point3, q: Point2) -> bool {
        feature.faces.iter().any(|id| {
            let face = &self.brep.faces[id.index()];
            let (u, v) = match &face.surface {
                Surface::Nurbs(_) => (q.x, q.y),
                own => own.invert(p, None),
            };
            self.brep.face_contains(face, u, v)
        })
    }

    /// How far the edges of a feature's faces leave its surface, and how long they are: what a file leaves open.
    pub fn gap_and_length(&self, feature: &FaceFeature) -> (f64, f64) {
        let (mut gap, mut length) = (0.0_f64, 0.0);
        let loops = feature
            .faces
            .iter()
            .flat_map(|id| &self.brep.faces[id.index()].loops);
        for coedge in loops.flat_map(|l| &l.coedges) {
            let edge = &self.brep.edges[coedge.edge.index()];
            let (range, mut before, mut guess) = (edge.range(), None, None);
            for step in 0..=GAP_STEPS {
                let p = edge.curve.point(range.at(step as f64 / GAP_STEPS as f64));
                let (u, v) = feature.surface.invert(&p, guess);
                guess = Some((u, v));
                gap = gap.max((feature.surface.point(u, v) - p).norm());
                length += before.map_or(0.0, |b: Point3| (p - b).norm());
                before = Some(p);
            }
        }
        (gap, length)
    }

    /// Distance from the edges of the feature's faces.
    pub fn border_distance(&self, feature: &FaceFeature, p: &Point3) -> f64 {
        feature
            .faces
            .iter()
            .flat_map(|id| &self.brep.faces[id.index()].loops)
            .flat_map(|l| &l.coedges)
            .map(|c| {
                let edge = &self.brep.edges[c.edge.index()];
                edge.curve.nearest(p, edge.range()).distance
            })
            .fold(f64::INFINITY, f64::min)
    }
}
