//! Pairs of parts at random poses, against dense samples of their boundaries.

use crate::parts::{Part, Random, all};
use brepcd::brep::Side as Exact;
use brepcd::geom::{Point3, Vec3};
use brepcd::query::overlap::{Crossing, Misses, Scratch, Side, crossing, side_of};
use brepcd::query::piece::Piece;
use brepcd::tree::{Content, MatrixPose, Obb, PatchId, Shape, TreePart, Where};
use nalgebra::{Matrix3, Rotation3, Translation3};

/// What was found of two parts.
#[derive(Clone, Copy, Debug)]
pub enum Found {
    Crossing(Crossing),
    Nested,
    Apart,
}

impl Found {
    pub fn overlaps(&self) -> bool {
        !matches!(self, Self::Apart)
    }
}

/// The face patches of a part with their boxes.
pub fn faces(part: &TreePart) -> Vec<(PatchId, Obb)> {
    let mut out = Vec::new();
    for node in &part.nodes {
        if let Content::Leaf(id) = node.content {
            let feature = part.patches[id.index()].feature;
            if matches!(part.features[feature.index()].shape, Shape::Face { .. }) {
                out.push((id, node.obb));
            }
        }
    }
    out
}

/// Pairs of face patches whose boxes meet.
pub fn close_patches<'a>(
    a: &'a TreePart,
    b: &'a TreePart,
    a_from_b: &'a MatrixPose,
) -> Vec<(Piece<'a>, Piece<'a>)> {
    const IDENTITY: &MatrixPose = &MatrixPose {
        rotation: Rotation3::from_matrix_unchecked(Matrix3::new(
            1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0,
        )),
        translation: Translation3::new(0.0, 0.0, 0.0),
    };
    let mut out = Vec::new();
    let mut waiting = vec![(0, 0)];
    while let Some((i, j)) = waiting.pop() {
        let (na, nb) = (&a.nodes[i], &b.nodes[j]);
        if na.obb.distance_exceeds(&nb.obb, a_from_b, 0.0) {
            continue;
        }
        match (na.content, nb.content) {
            (Content::Leaf(ia), Content::Leaf(ib)) => {
                out.push((Piece::new(a, ia, IDENTITY), Piece::new(b, ib, a_from_b)))
            }
            (Content::Inner(children), _)
                if !matches!(nb.content, Content::Inner(_))
                    || na.obb.volume() >= nb.obb.volume() =>
            {
                waiting.extend(children.map(|c| (c.index(), j)));
            }
            (_, Content::Inner(children)) => waiting.extend(children.map(|c| (i, c.index()))),
            (Content::Inner(children), Content::Leaf(_)) => {
                waiting.extend(children.map(|c| (c.index(), j)))
            }
        }
    }
    out.retain(|(a, b)| a.dimension() == 2 && b.dimension() == 2);
    out
}

/// All pairs of patches, then one point of every shell against the other part.
pub fn overlap(a: &TreePart, b: &TreePart, a_from_b: &MatrixPose, touch: f64) -> Found {
    let (mut scratch, mut misses) = (Scratch::default(), Misses::default());
    for (pa, pb) in close_patches(a, b, a_from_b) {
        if let Some(found) = crossing(&pa, &pb, touch, &mut scratch, &mut misses) {
            return Found::Crossing(found);
        }
    }
    let b_from_a = a_from_b.inverse();
    let mut holds = |outer: &TreePart, inner: &TreePart, pose: &MatrixPose| {
        let mut firsts = inner.shells.iter().map(|shell| pose * shell.witnesses[0]);
        firsts.any(|p| side_of(outer, &p, &mut scratch) == Side::Inside)
    };
    let nested = holds(b, a, &b_from_a) || holds(a, b, a_from_b);
    if nested { Found::Nested } else { Found::Apart }
}

/// Points spread over the faces of a part.
pub fn samples(part: &TreePart, per_patch: usize) -> Vec<Point3> {
    let mut out = Vec::new();
    for (id, _) in faces(part) {
        let patch = &part.patches[id.index()];
        let Shape::Face { surface, .. } = &part.features[patch.feature.index()].shape else {
            continue;
        };
        let n = if matches!(surface, brepcd::geom::Surface::Plane(_)) {
            3 * per_patch
        } else {
            per_patch
        };
        for i in 0..n * n {
            let share = |k: usize| (k as f64 + 0.5) / n as f64;
            let (u, v) = (patch.u.at(share(i % n)), patch.v.at(share(i / n)));
            if part.classify(id, u, v) == Where::Inside {
                out.push(surface.point(u, v));
            }
        }
    }
    for border in &part.borders {
        let curve = &part.trims[border.trim.index()];
        for k in 0..4 {
            out.push(curve.point(border.t[0] + (border.t[1] - border.t[0]) * f64::from(k) / 4.0));
        }
    }
    out
}

pub fn size(part: &Part) -> f64 {
    part.brep.bounding_box().diagonal()
}

fn random_pose(a: &Part, b: &Part, random: &mut Random) -> MatrixPose {
    let turn = match random.below(3) {
        0 => Rotation3::identity(),
        1 => Rotation3::new(Vec3::from_fn(|i, _| {
            if i == 0 {
                std::f64::consts::FRAC_PI_2
            } else {
                0.0
            }
        })),
        _ => {
            let angle = random.range(-3.0, 3.0);
            Rotation3::new(random.unit() * angle)
        }
    };
    let (ba, bb) = (a.brep.bounding_box(), b.brep.bounding_box());
    let centre = |b: &brepcd::geom::Aabb| nalgebra::center(&b.min, &b.max);
    let far = random.range(0.0, 0.75);
    let offset = random.unit() * (far * (ba.diagonal() + bb.diagonal()) / 2.0);
    let to = centre(&ba) + offset - turn * centre(&bb);
    MatrixPose::from_parts(Translation3::from(to), turn)
}

#[test]
fn random_pairs_of_parts_agree_with_samples() {
    let parts = all();
    let points: Vec<Vec<Point3>> = parts.iter().map(|part| samples(&part.tree, 8)).collect();
    let mut random = Random(7);
    let mut scratch = Scratch::default();
    let mut counts = [0; 4];
    let mut failures = Vec::new();
    for round in 0..2000 {
        let (i, j) = (random.below(parts.len()), random.below(parts.len()));
        let (a, b) = (&parts[i], &parts[j]);
        let a_from_b = random_pose(a, b, &mut random);
        let small = size(a).min(size(b));
        // Deep enough to be told from the boundary, and not deeper than what is clear of borders.
        let border = |part: &Part| part.tree.header.settings.border;
        let coarse = 1.5 * border(a).max(border(b));
        let name = format!("round {round} {} {}", a.name, b.name);
        let found = [1e-9 * small, coarse].map(|touch| overlap(&a.tree, &b.tree, &a_from_b, touch));
        counts[found[0].overlaps() as usize] += 1;
        if matches!(found[0], Found::Nested) {
            counts[2] += 1;
        }
        let b_from_a = a_from_b.inverse();
        let oracle = points[i]
            .iter()
            .any(|p| side_of(&b.tree, &(b_from_a * p), &mut scratch) == Side::Inside)
            || points[j]
                .iter()
                .any(|p| side_of(&a.tree, &(a_from_b * p), &mut scratch) == Side::Inside);
        if oracle && !found[0].overlaps() {
            failures.push(format!("{name}: missed"));
        }
        if found[1].overlaps() && !found[0].overlaps() {
            failures.push(format!("{name}: only the coarse one"));
        }
        if found[0].overlaps() && !oracle {
            counts[3] += 1;
        }
        if let Found::Crossing(c) = found[1]
            && c.depth > 0.0
        {
            let (p_a, p_b) = (c.point, b_from_a * c.point);
            let sides = [a.exact_side(&p_a), b.exact_side(&p_b)];
            let boundary = [&a.tree, &b.tree]
                .iter()
                .zip([p_a, p_b])
                .map(|(t, p)| side_of(t, &p, &mut scratch))
                .collect::<Vec<_>>();
            let fine = (boundary[0] == Side::OnBoundary && sides[1] == Exact::Inside)
                || (boundary[1] == Side::OnBoundary && sides[0] == Exact::Inside);
            if !fine {
                failures.push(format!("{name}: {c:?} {sides:?} {boundary:?}"));
            }
        }
    }
    println!("apart, overlapping, nested, unseen by samples: {counts:?}");
    for failure in failures.iter().take(40) {
        println!("{failure}");
    }
    assert!(failures.is_empty(), "{} failures", failures.len());
    assert!(counts[0] > 50 && counts[1] > 50);
}
