//! Sides of points.

use crate::pairs::samples;
use crate::parts::{Part, Random, all, named, open_box};
use brepcd::brep::Side as Exact;
use brepcd::geom::Point3;
use brepcd::query::overlap::{Scratch, Side, side_of};
use brepcd::tree::{Membership, Shape, TreePart};

/// How much farther than the points of its shells a part may reach, as a share of its width.
const MOST_MISSING: f64 = 0.05;

fn same(a: Side, b: Exact) -> bool {
    matches!(
        (a, b),
        (Side::Inside, Exact::Inside)
            | (Side::Outside, Exact::Outside)
            | (Side::OnBoundary, Exact::On)
    )
}

/// Random points around a part, and pairs of points on both sides of its faces.
fn points(part: &Part, random: &mut Random, count: usize) -> Vec<Point3> {
    let bounds = part.brep.bounding_box();
    let grow = (bounds.max - bounds.min) * 0.1;
    let mut out: Vec<Point3> = (0..count)
        .map(|_| random.inside(&(bounds.min - grow), &(bounds.max + grow)))
        .collect();
    let tree = &part.tree;
    let step = 10.0 * tree.header.settings.border;
    while out.len() < 2 * count {
        let id = random.below(tree.patches.len());
        let patch = &tree.patches[id];
        let Shape::Face { surface, .. } = &tree.features[patch.feature.index()].shape else {
            continue;
        };
        let (u, v) = (
            patch.u.at(random.range(0.01, 0.99)),
            patch.v.at(random.range(0.01, 0.99)),
        );
        let Some(normal) = surface.normal(u, v) else {
            continue;
        };
        let p = surface.point(u, v);
        out.extend([p + normal * step, p - normal * step]);
    }
    out
}

#[test]
fn agrees_with_the_b_rep_on_all_parts() {
    let mut scratch = Scratch::default();
    let mut random = Random(1);
    let mut failures = Vec::new();
    for part in all() {
        let points = points(&part, &mut random, 400);
        let mut counts = [0; 2];
        let mut time = 0.0;
        for p in &points {
            let exact = part.exact_side(p);
            let start = std::time::Instant::now();
            let ours = side_of(&part.tree, p, &mut scratch);
            time += start.elapsed().as_secs_f64();
            counts[usize::from(ours == Side::Inside)] += 1;
            if exact != Exact::On && !same(ours, exact) {
                failures.push(format!("{} {p} ours {ours:?} exact {exact:?}", part.name));
            }
        }
        println!(
            "{:20} {counts:?} {:.2} µs a point",
            part.name,
            1e6 * time / points.len() as f64
        );
    }
    for failure in failures.iter().take(40) {
        println!("{failure}");
    }
    assert!(failures.is_empty(), "{} points", failures.len());
}

#[test]
fn points_of_faces_are_on_the_boundary() {
    let mut scratch = Scratch::default();
    let mut random = Random(2);
    for part in all() {
        let border = part.tree.header.settings.border;
        for _ in 0..300 {
            let patch = &part.tree.patches[random.below(part.tree.patches.len())];
            let Shape::Face { surface, .. } = &part.tree.features[patch.feature.index()].shape
            else {
                continue;
            };
            if patch.membership != Membership::Inside {
                continue;
            }
            let (u, v) = (
                patch.u.at(random.range(0.0, 1.0)),
                patch.v.at(random.range(0.0, 1.0)),
            );
            let p = surface.point(u, v) + random.unit() * (0.3 * border);
            assert_eq!(
                side_of(&part.tree, &p, &mut scratch),
                Side::OnBoundary,
                "{} {p}",
                part.name
            );
        }
        for border_piece in &part.tree.borders {
            let t = 0.5 * (border_piece.t[0] + border_piece.t[1]);
            let p = part.tree.trims[border_piece.trim.index()].point(t);
            assert_eq!(
                side_of(&part.tree, &p, &mut scratch),
                Side::OnBoundary,
                "{} {p}",
                part.name
            );
        }
    }
}

/// By how much points spread over the part reach beyond those of its shells along ± the axes of its box at most, as a
/// share of its width there.
fn missing(part: &TreePart) -> f64 {
    let root = &part.nodes[0].obb;
    let spread = samples(part, 40);
    let mut most = 0.0_f64;
    for axis in &root.axes {
        let ends = |points: &mut dyn Iterator<Item = &Point3>| {
            let heights = points.map(|p| axis.dot(&p.coords));
            heights.fold((f64::MAX, f64::MIN), |(low, high), h| {
                (low.min(h), high.max(h))
            })
        };
        let (low, high) = ends(&mut spread.iter());
        let of_shells = ends(&mut part.shells.iter().flat_map(|shell| &shell.witnesses));
        let beyond = (of_shells.0 - low).max(high - of_shells.1);
        most = most.max(beyond / (high - low));
    }
    most
}

#[test]
fn shells_are_told_apart() {
    for (name, count) in [
        ("box", 1),
        ("drilled_block", 1),
        ("box_two_voids", 3),
        ("hollow_sphere", 2),
        ("two_solids", 2),
        ("torus", 1),
        ("filleted_box", 1),
        ("cone_apex", 1),
        ("seam_hole", 1),
    ] {
        let part = named(name);
        assert_eq!(part.tree.shells.len(), count, "{name}");
    }
}

#[test]
fn shells_are_those_of_the_b_rep() {
    let mut scratch = Scratch::default();
    for part in all() {
        let (tree, name) = (&part.tree, &part.name);
        let closed = part.brep.shells.iter().filter(|shell| shell.closed).count();
        assert_eq!(tree.shells.len(), part.brep.shells.len(), "{name}");
        let found = tree.shells.iter().filter(|shell| shell.closed).count();
        assert_eq!(found, closed, "{name}");
        for shell in &tree.shells {
            assert!(shell.witnesses.len() <= 7, "{name}");
            for p in &shell.witnesses {
                let side = side_of(tree, p, &mut scratch);
                assert_eq!(side, Side::OnBoundary, "{name} {p}");
            }
        }
        let missing = missing(tree);
        println!("{name:20} {} shells, {missing:.3}", tree.shells.len());
        assert!(missing < MOST_MISSING, "{name} {missing}");
    }
}

#[test]
fn nothing_is_inside_a_sheet() {
    let (sheet, whole) = (open_box(), named("box"));
    let found = &sheet.shells;
    assert!(found.len() == 1 && !found[0].closed);
    let mut scratch = Scratch::default();
    let mut random = Random(3);
    let bounds = whole.brep.bounding_box();
    for _ in 0..300 {
        let p = random.inside(&bounds.min, &bounds.max);
        assert_eq!(side_of(&sheet, &p, &mut scratch), Side::Outside);
        assert_eq!(side_of(&whole.tree, &p, &mut scratch), Side::Inside);
    }
    for p in &found[0].witnesses {
        assert_eq!(side_of(&sheet, p, &mut scratch), Side::OnBoundary);
    }
}
