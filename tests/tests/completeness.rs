//! All local minimal distances, each once and no others: the query against an oracle that shares nothing with it but the
//! exact boundary, and against itself moved, swapped and scaled.

#[path = "completeness/pair.rs"]
mod pair;
#[path = "completeness/poses.rs"]
mod poses;

use brepcd::Grouping;
use brepcd::geom::{Pose, Vec3};
use brepcd::query::{Lmd, Options, Part, Status, Workspace};
use brepcd_tests::workspace;
use pair::{Case, Sample};
use poses::{Random, files};
use std::ops::Range;

fn solid(random: &mut Random, scale: f64) -> Sample {
    let (name, brep) = random.solid(scale);
    Sample::new(name, brep)
}

/// Fails with what `case` returns for the seeds, a line for each disagreement.
fn none_of(seeds: Range<u64>, mut case: impl FnMut(u64) -> (Vec<String>, bool)) {
    let (mut lines, mut unresolved) = (Vec::new(), 0_u32);
    for seed in seeds {
        let (found, open) = case(seed);
        unresolved += u32::from(open);
        lines.extend(found.into_iter().map(|line| format!("seed {seed}: {line}")));
    }
    let shown = lines.len().min(12);
    assert!(
        lines.is_empty(),
        "{} disagreements\n{}",
        lines.len(),
        lines[..shown].join("\n")
    );
    assert_eq!(unresolved, 0, "cases with something unresolved");
}

fn solids_against_oracle(seeds: Range<u64>) {
    let mut workspace = Workspace::new();
    none_of(seeds, |seed| {
        let mut random = Random::new(seed);
        let (a, b) = (solid(&mut random, 1.0), solid(&mut random, 1.0));
        random.case(&a, &b).disagreements(&mut workspace)
    });
}

fn parts_against_oracle(seeds: Range<u64>) {
    let parts = files();
    assert!(parts.len() > 30);
    let mut workspace = Workspace::new();
    none_of(seeds, |seed| {
        let mut random = Random::new(seed);
        let (a, b) = (random.below(parts.len()), random.below(parts.len()));
        random
            .case(&parts[a], &parts[b])
            .disagreements(&mut workspace)
    });
}

#[test]
fn solids_agree_with_the_oracle() {
    solids_against_oracle(0..300);
}

#[test]
fn parts_agree_with_the_oracle() {
    parts_against_oracle(0..150);
}

#[test]
#[ignore = "takes minutes"]
fn thousands_agree_with_the_oracle() {
    solids_against_oracle(1_000..6_000);
    parts_against_oracle(1_000..4_000);
}

fn contacts(case: &Case, options: &Options) -> (Status, Vec<Lmd>) {
    let mut workspace = Workspace::new();
    let answer = workspace.contacts(&case.a.part, &case.b.part, &case.a_from_b, options);
    let answer = answer.unwrap();
    (answer.status, answer.lmds.clone())
}

#[test]
fn pruning_changes_nothing() {
    for seed in 0..150 {
        let mut random = Random::new(seed);
        let (a, b) = (solid(&mut random, 1.0), solid(&mut random, 1.0));
        let case = random.case(&a, &b);
        let pruned = contacts(&case, &case.options());
        let all = Options {
            pruning: false,
            ..case.options()
        };
        assert_eq!(
            pruned,
            contacts(&case, &all),
            "seed {seed}: {} × {}",
            a.name,
            b.name
        );
    }
}

#[test]
fn axes_change_nothing() {
    let mut turning = 0;
    for seed in 0..150 {
        let mut random = Random::new(seed);
        let (a, b) = (solid(&mut random, 1.0), solid(&mut random, 1.0));
        let case = random.case(&a, &b);
        let known = contacts(&case, &case.options());
        let [a, b] = [&a, &b].map(|sample| {
            turning += usize::from(!sample.part.axes().is_empty());
            let part = Part::without_axes(sample.part.tree().clone());
            assert!(part.axes().is_empty());
            part
        });
        let mut workspace = Workspace::new();
        let answer = workspace.contacts(&a, &b, &case.a_from_b, &case.options());
        let answer = answer.unwrap();
        assert_eq!(known, (answer.status, answer.lmds.clone()), "seed {seed}");
    }
    assert!(turning > 100, "{turning} parts turn about an axis");
}

/// The minima as distances with points of A and of B; those close to the cut-off may be lost by rounding, and where the
/// parts touch, the directions are open.
type Place = (f64, Vec3, Vec3);

fn places(case: &Case) -> (Status, Vec<Place>) {
    let (status, lmds) = contacts(case, &case.options());
    let place = |l: &Lmd| (l.distance, l.point_a.coords, l.point_b.coords);
    let near = |p: &Place| (1e-9 * case.size()..case.cutoff * (1.0 - 1e-6)).contains(&p.0);
    (status, lmds.iter().map(place).filter(near).collect())
}

/// The same places in any order, up to a length.
fn assert_same(expected: (Status, Vec<Place>), found: (Status, Vec<Place>), tol: f64, what: &str) {
    assert_eq!(expected.0, found.0, "{what}");
    let same = |p: &Place, q: &Place| {
        (p.0 - q.0).abs() <= tol
            && (p.1 - q.1).norm() <= 1e3 * tol
            && (p.2 - q.2).norm() <= 1e3 * tol
    };
    for (these, those) in [(&expected.1, &found.1), (&found.1, &expected.1)] {
        for p in these {
            assert!(
                those.iter().any(|q| same(p, q)),
                "{what}: {p:?} is not in {those:?}"
            );
        }
    }
    assert_eq!(expected.1.len(), found.1.len(), "{what}");
}

#[test]
fn swapped_parts_have_the_same_minima() {
    for seed in 0..150 {
        let mut random = Random::new(seed);
        let (a, b) = (solid(&mut random, 1.0), solid(&mut random, 1.0));
        let case = random.case(&a, &b);
        let b_from_a = case.a_from_b.inverse();
        let swapped = Case {
            a: &b,
            b: &a,
            a_from_b: b_from_a,
            ..case
        };
        let back = |p: Vec3| (case.a_from_b * brepcd::geom::Point3::from(p)).coords;
        let (status, mut found) = places(&swapped);
        for place in &mut found {
            *place = (place.0, back(place.2), back(place.1));
        }
        let what = format!("seed {seed}: {} × {}", a.name, b.name);
        assert_same(places(&case), (status, found), 1e-9, &what);
    }
}

/// Parts some of whose faces or edges share a carrier.
const SHARED: [&str; 6] = [
    "parts/assembly",
    "parts/seam_notch",
    "parts/two_solids",
    "scenes/coneplug_mobile",
    "scenes/hotstab_fixed",
    "scenes/hotstab_mobile",
];

/// Each of these parts, with its features grouped and with none.
fn grouped_and_separate() -> Vec<[Sample; 2]> {
    let read = |name: &str| {
        let path = workspace().join("data").join(format!("{name}.step"));
        let brep = brepcd::read_step(path).expect("a part").placed_brep();
        let pair = [Grouping::Supermaximal, Grouping::Separate]
            .map(|grouping| Sample::grouped(name, brep.clone(), grouping));
        let [grouped, separate] = pair.each_ref().map(|s| s.part.tree().features.len());
        assert!(separate > grouped, "{name}: {grouped}, {separate}");
        pair
    };
    SHARED.map(read).into()
}

#[test]
fn minima_do_not_depend_on_which_faces_are_one_feature() {
    let parts = grouped_and_separate();
    let mut compared = 0;
    for seed in 0..150 {
        let mut random = Random::new(seed);
        let ([a, alone], other) = (&parts[random.below(parts.len())], solid(&mut random, 6.0));
        let [b, both] = &parts[random.below(parts.len())];
        for (b, parted) in [(&other, &other), (b, both)] {
            let case = random.loose_case(a, b);
            let separate = Case {
                a: alone,
                b: parted,
                ..case
            };
            let what = format!("seed {seed}: {} × {}", a.name, b.name);
            let expected = places(&case);
            compared += expected.1.len();
            assert_same(expected, places(&separate), 1e-9 * a.size(), &what);
        }
    }
    assert!(compared > 300, "{compared} minima");
}

#[test]
fn moving_both_parts_moves_the_minima() {
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let ((name, brep), b) = (random.solid(1.0), solid(&mut random, 1.0));
        let motion = Pose::new(random.direction() * 5.0, random.turn());
        let a = Sample::new(name, brep.clone());
        let moved = Sample::new(name, brep.transformed(&motion));
        let case = random.loose_case(&a, &b);
        let moved = Case {
            a: &moved,
            a_from_b: motion * case.a_from_b,
            ..case
        };
        let (status, mut expected) = places(&case);
        let forth = |p: Vec3| (motion * brepcd::geom::Point3::from(p)).coords;
        for place in &mut expected {
            *place = (place.0, forth(place.1), forth(place.2));
        }
        assert_same(
            (status, expected),
            places(&moved),
            1e-9,
            &format!("seed {seed}: {name}"),
        );
    }
}

#[test]
fn minima_scale_with_the_parts() {
    for seed in 0..60 {
        for scale in [1e-3, 1e3] {
            let mut random = Random::new(seed);
            let (a, b) = (solid(&mut random, 1.0), solid(&mut random, 1.0));
            let mut again = Random::new(seed);
            let (large_a, large_b) = (solid(&mut again, scale), solid(&mut again, scale));
            let case = random.loose_case(&a, &b);
            let turn = case.a_from_b.rotation.scaled_axis();
            let large = Case {
                a: &large_a,
                b: &large_b,
                a_from_b: Pose::new(case.a_from_b.translation.vector * scale, turn),
                cutoff: case.cutoff * scale,
            };
            let (status, mut expected) = places(&case);
            for place in &mut expected {
                *place = (place.0 * scale, place.1 * scale, place.2 * scale);
            }
            let what = format!("seed {seed}, scale {scale}: {} × {}", a.name, b.name);
            assert_same((status, expected), places(&large), 1e-9 * scale, &what);
        }
    }
}

/// A small motion changes the least distance by no more than it moves any point.
#[test]
fn least_distance_is_lipschitz_along_motions() {
    let mut workspace = Workspace::new();
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let (a, b) = (solid(&mut random, 1.0), solid(&mut random, 1.0));
        let (from, to) = (
            random.loose_case(&a, &b).a_from_b,
            random.loose_case(&a, &b).a_from_b,
        );
        let reach = b
            .complex
            .brep
            .vertices
            .iter()
            .map(|v| v.point.coords.norm());
        let reach = reach.fold(b.size(), f64::max);
        let steps = 100;
        let turn = from.rotation.angle_to(&to.rotation) / f64::from(steps);
        let shift = (to.translation.vector - from.translation.vector).norm() / f64::from(steps);
        let moved = shift + turn * reach;
        let mut last: Option<f64> = None;
        for k in 0..=steps {
            let at = f64::from(k) / f64::from(steps);
            let pose = Pose::from_parts(
                (from.translation.vector * (1.0 - at) + to.translation.vector * at).into(),
                from.rotation.slerp(&to.rotation, at),
            );
            let answer = workspace.min_distance(&a.part, &b.part, &pose, &Options::default());
            let least = answer.unwrap().min_distance();
            let what = format!("seed {seed}, step {k}: {} × {}", a.name, b.name);
            assert!(least.is_some(), "{what}: no distance");
            if let (Some(before), Some(now)) = (last, least) {
                assert!(
                    (now - before).abs() <= moved + 1e-9,
                    "{what}: {before} to {now} by {moved}"
                );
            }
            last = least;
        }
    }
}
