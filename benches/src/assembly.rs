//! Large parts made of copies of a small one, and poses of a tool beside the copy in the middle.

use std::path::Path;

use brepcd::brep::Brep;
use brepcd::geom::{Point3, Pose, Vec3};
use brepcd::prep::{self, Provenance};
use brepcd::query::Options;
use brepcd::tree::{Header, TreePart};
use brepcd::{Part, StepError, Workspace};

use crate::random::Random;

/// The exact B-Rep of a STEP file, moved so that its box is about the origin.
pub fn centred_brep(path: &Path) -> Result<Brep, StepError> {
    let brep = brepcd::read_step(path)?.placed_brep();
    let bounds = brep.bounding_box();
    let middle = Point3::from((bounds.min.coords + bounds.max.coords) / 2.0);
    Ok(brep.transformed(&Pose::translation(-middle.x, -middle.y, -middle.z)))
}

/// Turns a B-Rep into a tree, with settings that suit `like`: the one copy, so that every number of copies is split alike.
pub fn tree(brep: &Brep, like: &Brep) -> TreePart {
    let header = Header {
        source: "assembly".into(),
        source_hash: 0,
        settings: prep::default_settings(like),
        tolerance: brep.tolerance.length,
        size: 0.0,
        reach: 0.0,
    };
    let one = Provenance {
        names: vec!["assembly".into()],
        starts: vec![[0; 3]],
    };
    prep::preprocess(brep, &one, header).0
}

/// Copies of a part about the origin on a cubic grid of this spacing, nearest places first; the first is where the part is.
/// Unless `aligned`, every other is turned its own way, so that no two copies share a plane or an axis.
pub fn copies(part: &Brep, count: usize, spacing: f64, aligned: bool) -> Brep {
    let side = (1..)
        .find(|n: &i32| (2 * n + 1).pow(3) as usize >= count)
        .unwrap_or(1);
    let range = || -side..=side;
    let mut places: Vec<[i32; 3]> = range()
        .flat_map(|x| range().flat_map(move |y| range().map(move |z| [x, y, z])))
        .collect();
    places.sort_by_key(|p| (p.iter().map(|x| x * x).sum::<i32>(), *p));
    let mut random = Random::new(7);
    let mut out = part.clone();
    for place in places.iter().take(count).skip(1) {
        let shift = Vec3::from_fn(|i, _| f64::from(place[i]) * spacing);
        let turn = if aligned {
            Vec3::zeros()
        } else {
            random.unit() * random.range(0.1, 3.0)
        };
        out.append(part.transformed(&Pose::new(shift, turn)));
    }
    out
}

/// How near to the wanted distance a pose must be, relative.
const NEAR_ENOUGH: f64 = 1e-3;
/// Steps to get there; distances shrink quickly, so that few are taken.
const STEPS: usize = 1000;

/// Poses of a tool at this distance from a part, on all sides of it: it comes from `far` towards the part, each step as long
/// as the distance allows. A pose that slips past the part is left out.
pub fn poses_beside(part: &Part, tool: &Part, far: f64, distance: f64, count: usize) -> Vec<Pose> {
    let mut random = Random::new(11);
    let mut workspace = Workspace::new();
    let mut out = Vec::new();
    for _ in 0..count {
        let (from, turn) = (random.unit(), random.unit() * random.range(0.0, 3.0));
        let mut pose = Pose::new(from * far, turn);
        for _ in 0..STEPS {
            let answer = workspace.min_distance(part, tool, &pose, &Options::default());
            let left = answer.ok().and_then(|a| a.min_distance()).unwrap_or(0.0) - distance;
            if left.abs() <= NEAR_ENOUGH * distance {
                out.push(pose);
                break;
            }
            pose.translation.vector -= from * left;
            if pose.translation.vector.dot(&from) < 0.0 {
                break;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::data_folder;

    #[test]
    fn copies_add_up_and_poses_are_near() {
        let brep = centred_brep(&data_folder().join("parts/box.step")).expect("a part");
        for (count, aligned) in [(1, false), (5, true), (30, false)] {
            let many = copies(&brep, count, 100.0, aligned);
            assert_eq!(many.faces.len(), 6 * count);
            let volume = many.mass_properties().volume;
            assert!((volume - 6000.0 * count as f64).abs() < 1e-6 * volume);
        }
        let part = Part::new(tree(&brep, &brep));
        let poses = poses_beside(&part, &part, 100.0, 0.5, 8);
        assert_eq!(poses.len(), 8);
        for pose in poses {
            let mut workspace = Workspace::new();
            let answer = workspace.min_distance(&part, &part, &pose, &Options::default());
            let least = answer.expect("a pose").min_distance().expect("a distance");
            assert!((least - 0.5).abs() < 1e-3);
        }
    }
}
