//! Every kind against every free-form kind and every edge.

use super::bounds::every_kind;
use super::build::{Random, piece};
use super::oracle::Pair;
use crate::numeric::{Counts, Outcome};
use brepcd_geom::{Point3, Vec3};
use brepcd_tree::{MatrixPose, Shape, TreePart};
use nalgebra::{Rotation3, Translation3};

#[test]
fn all_kinds_agree_with_brute_force() {
    let mut random = Random(11);
    let mut counts = Counts::default();
    let (mut pairs, mut cases, mut unresolved) = (0, 0, 0);
    for round in 0..12 {
        let parts = every_kind(&mut random);
        let others = every_kind(&mut random);
        for (i, (name_a, part_a)) in parts.iter().enumerate() {
            for (name_b, part_b) in &others[..=i] {
                let free = ["surface", "curve", "bola", "ellipse"];
                if !free
                    .iter()
                    .any(|f| name_a.contains(f) || name_b.contains(f))
                {
                    continue;
                }
                let (here, there) = (MatrixPose::identity(), random.pose(3.0, 0.3));
                let pair = Pair {
                    a: piece(part_a, &here),
                    b: piece(part_b, &there),
                };
                let (n, m) = pair.dims();
                let steps = [12, 12, 6, 4, 3][n + m];
                let name = format!("round {round}: {name_a} × {name_b}");
                let reach = random.range(0.3, 1.2);
                let (outcome, _) = pair.solve(reach, &mut counts);
                if outcome == Outcome::Unresolved {
                    unresolved += 1;
                    println!("{name} unresolved");
                    continue;
                }
                pairs += pair.check(reach, steps, &mut counts, &name);
                cases += 1;
            }
        }
    }
    println!("{pairs} pairs in {cases} cases, {counts:?}, {unresolved} unresolved");
    assert!(pairs > 50, "too few pairs to mean anything: {pairs}");
    assert!(unresolved * 100 <= cases);
}

/// The point in the middle of a part's patch, and a direction at right angles to it there, outward for faces.
fn middle(part: &TreePart, random: &mut Random) -> (Point3, Vec3) {
    let here = MatrixPose::identity();
    let piece = piece(part, &here);
    let t = [piece.patch().u.mid(), piece.patch().v.mid()];
    let direction = match piece.feature().shape {
        Shape::Face { same_sense, .. } => {
            let jet = piece.surface_jet(t).unwrap();
            jet.du.cross(&jet.dv) * if same_sense { 1.0 } else { -1.0 }
        }
        Shape::Edge { .. } => piece.curve_jet(t[0]).unwrap().d1.cross(&random.unit()),
        Shape::Vertex { .. } => random.unit(),
    };
    (piece.point(t), direction.normalize())
}

#[test]
fn all_kinds_face_to_face_agree_with_brute_force() {
    let mut random = Random(23);
    let mut counts = Counts::default();
    let mut hits = std::collections::BTreeMap::<&str, usize>::new();
    for round in 0..10 {
        let mut parts = every_kind(&mut random);
        for (_, part) in &mut parts {
            if let Shape::Face { same_sense, .. } = &mut part.features[0].shape {
                *same_sense = random.range(0.0, 1.0) < 0.5;
            }
        }
        let others = every_kind(&mut random);
        let free = ["surface", "rational surface", "curve", "hyperbola"];
        for (name_b, part_b) in others.iter().filter(|o| free.contains(&o.0)) {
            for (name_a, part_a) in &parts {
                let (p, n) = middle(part_a, &mut random);
                let (q, m) = middle(part_b, &mut random);
                let wobble = random.pose(0.3, 0.15);
                let onto = Rotation3::rotation_between(&m, &-n).unwrap_or(Rotation3::identity());
                let turn = wobble.rotation * onto;
                let to = p + n * random.range(-0.1, 0.4) + wobble.translation.vector;
                let shift = Translation3::from(to.coords - turn * q.coords);
                let (here, there) = (MatrixPose::identity(), MatrixPose::from_parts(shift, turn));
                let pair = Pair {
                    a: piece(part_a, &here),
                    b: piece(part_b, &there),
                };
                let (dim_a, dim_b) = pair.dims();
                let steps = [12, 12, 6, 4, 3][dim_a + dim_b];
                let name = format!("round {round}: {name_a} facing {name_b}");
                *hits.entry(name_a).or_default() += pair.check(0.6, steps, &mut counts, &name);
            }
        }
    }
    println!("{hits:?}, {counts:?}");
    assert!(
        hits.len() == 15 && hits.values().all(|h| *h >= 5),
        "{hits:?}"
    );
}
