//! The same inputs give the same answers, bit for bit: again, in a fresh workspace, from a tree file, on other threads.

use brepcd::geom::Pose;
use brepcd::query::{Options, Part};
use brepcd::{Answer, Lmd, TreePart, Workspace};

use crate::prepare::{Random, named};

const NAMES: [&str; 8] = [
    "filleted_box",
    "drilled_block",
    "torus",
    "oblique_cylinder",
    "loft",
    "extruded_spline",
    "cone_hyperbola",
    "seam_hole",
];

fn send_and_sync<T: Send + Sync>() {}

#[test]
fn parts_can_be_shared_by_threads() {
    send_and_sync::<Part>();
    send_and_sync::<Workspace>();
    send_and_sync::<Answer>();
}

/// Every number of a result by its bits.
fn bits(lmd: &Lmd) -> (Vec<u64>, [u32; 4], [bool; 2]) {
    let numbers = lmd
        .point_a
        .iter()
        .chain(lmd.point_b.iter())
        .chain(lmd.normal.iter());
    let numbers = numbers.chain([&lmd.distance]).map(|x| x.to_bits());
    let ids = [
        lmd.feature_a.0,
        lmd.feature_b.0,
        lmd.patch_a.0,
        lmd.patch_b.0,
    ];
    (numbers.collect(), ids, [lmd.sampled, lmd.regularized])
}

fn assert_same(x: &Answer, y: &Answer) {
    assert_eq!(x.status, y.status);
    assert_eq!(x.overlap, y.overlap);
    assert_eq!(x.stats, y.stats);
    let [x, y] = [x, y].map(|answer| answer.lmds.iter().map(bits).collect::<Vec<_>>());
    assert_eq!(x, y);
}

/// Two parts and a pose each.
fn cases() -> Vec<(usize, usize, Pose)> {
    let mut random = Random(11);
    let case = |_| {
        let (a, b) = (random.below(NAMES.len()), random.below(NAMES.len()));
        (a, b, random.pose(45.0))
    };
    (0..120).map(case).collect()
}

fn answers(parts: &[Part], workspace: &mut Workspace, fresh: bool) -> Vec<Answer> {
    let mut out = Vec::new();
    let options = Options {
        prediction: 25.0,
        regularization: 0.02,
        ..Options::default()
    };
    for (a, b, pose) in cases() {
        if fresh {
            *workspace = Workspace::new();
        }
        let (a, b) = (&parts[a], &parts[b]);
        out.push(
            workspace
                .contacts(a, b, &pose, &options)
                .expect("a pose")
                .clone(),
        );
        out.push(
            workspace
                .min_distance(a, b, &pose, &options)
                .expect("a pose")
                .clone(),
        );
        out.push(
            workspace
                .intersects(a, b, &pose, &options)
                .expect("a pose")
                .clone(),
        );
    }
    out
}

#[test]
fn bit_for_bit() {
    let parts: Vec<Part> = NAMES.iter().map(|name| named(name)).collect();
    let mut workspace = Workspace::new();
    let first = answers(&parts, &mut workspace, false);
    let contacts: usize = first.iter().map(|answer| answer.lmds.len()).sum();
    assert!(contacts > 100, "{contacts}");
    let mut others = vec![
        answers(&parts, &mut workspace, false),
        answers(&parts, &mut workspace, true),
    ];
    let copies = parts.iter().map(|part| {
        let bytes = part.tree().to_bytes().expect("a sound tree");
        Part::new(TreePart::from_bytes(&bytes).expect("what was just written"))
    });
    let copies: Vec<Part> = copies.collect();
    others.push(answers(&copies, &mut workspace, false));
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..2)
            .map(|_| scope.spawn(|| answers(&parts, &mut Workspace::new(), false)))
            .collect();
        for thread in threads {
            others.push(thread.join().expect("no panic"));
        }
    });
    for other in &others {
        assert_eq!(other.len(), first.len());
        first.iter().zip(other).for_each(|(x, y)| assert_same(x, y));
    }
}
