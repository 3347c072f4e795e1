//! Both insertion scenes against reference minima and reference local minima, which an independent sampling of another
//! CAD kernel made.
//!
//! Where the two disagree, points of both boundaries decide: a nearer pair beside a reference minimum shows that it is
//! none, and where all pairs beside one of ours are farther, it is one.

use std::collections::BTreeMap;

use brepcd::brep::{Brep, Side};
use brepcd::geom::{Point3, Pose, Vec3};
use brepcd::query::{Options, Part};
use brepcd::{Lmd, Status, TreeOptions, Workspace};
use brepcd_tests::oracle::{Complex, minima};
use brepcd_tests::workspace;
use serde_json::Value;

/// Agreement of distances, mm.
const DISTANCE: f64 = 2e-6;
/// Agreement of points, mm: flat minima are not known better by sampling.
const PLACE: f64 = 1e-2;

struct Scene {
    breps: [Brep; 2],
    parts: [Part; 2],
    poses: Vec<Pose>,
    reference: Value,
}

fn load(name: &str) -> Scene {
    let folder = workspace().join("data/scenes");
    let [a, b] = ["fixed", "mobile"].map(|which| {
        let path = folder.join(format!("{name}_{which}.step"));
        let bytes = std::fs::read(&path).expect("a file");
        let model = brepcd::read_step(&path).expect("a STEP file");
        let (tree, _) = brepcd::preprocess(&model, name, &bytes, &TreeOptions::default());
        (model.placed_brep(), Part::new(tree))
    });
    let read = |ending: &str| {
        let path = folder.join(format!("{name}_{ending}"));
        std::fs::read_to_string(path).expect("a file")
    };
    let poses = read("traj.csv").lines().skip(1).map(pose).collect();
    Scene {
        breps: [a.0, b.0],
        parts: [a.1, b.1],
        poses,
        reference: serde_json::from_str(&read("reference.json")).expect("JSON"),
    }
}

/// A row `step,phase,tx,ty,tz,qw,qx,qy,qz`.
fn pose(line: &str) -> Pose {
    let fields = line.split(',').skip(2);
    let x: Vec<f64> = fields.map(|f| f.parse().expect("a number")).collect();
    let rotation = nalgebra::Quaternion::new(x[3], x[4], x[5], x[6]);
    Pose::from_parts(
        Vec3::new(x[0], x[1], x[2]).into(),
        nalgebra::UnitQuaternion::new_normalize(rotation),
    )
}

fn point(value: &Value) -> Point3 {
    Point3::from(std::array::from_fn::<f64, 3, _>(|i| {
        value[i].as_f64().expect("a number")
    }))
}

#[derive(Default, Debug)]
struct Count {
    poses: usize,
    minima: usize,
    nearer: usize,
    lmds: usize,
    refuted: usize,
    confirmed: usize,
    sampled: usize,
    unresolved: u64,
}

fn check(name: &str) -> Count {
    let scene = load(name);
    let threshold = scene.reference["threshold"].as_f64().expect("a number");
    let options = Options {
        prediction: threshold,
        ..Options::default()
    };
    let lists: BTreeMap<String, Vec<Value>> =
        serde_json::from_value(scene.reference["lmd"].clone()).expect("lists");
    let [a, b] = &scene.parts;
    let mut workspace = Workspace::new();
    let mut count = Count::default();
    for (index, a_from_b) in scene.poses.iter().enumerate() {
        count.poses += 1;
        let key = index.to_string();
        let answer = workspace
            .min_distance(a, b, a_from_b, &options)
            .expect("a pose");
        assert_eq!(
            answer.status,
            Status::Separated,
            "{name} {index}: {:?}",
            answer.overlap
        );
        count.unresolved += answer.stats.unresolved;
        let least = answer.lmds[0];
        if let Some(known) = scene.reference["min"][&key].as_f64() {
            count.minima += 1;
            if (least.distance - known).abs() > DISTANCE {
                assert!(
                    least.distance < known,
                    "{name} {index}: {} {known}",
                    least.distance
                );
                assert!(is_on(&scene, &least, a_from_b), "{name} {index}: {least:?}");
                count.nearer += 1;
            }
        }
        let answer = workspace
            .contacts(a, b, a_from_b, &options)
            .expect("a pose");
        count.unresolved += answer.stats.unresolved;
        let first = answer.min_distance().unwrap_or(f64::INFINITY);
        let same = (first - least.distance).abs() < 1e-12;
        assert!(
            same || least.distance > threshold,
            "{name} {index}: {first}"
        );
        let Some(known) = lists.get(&key) else {
            continue;
        };
        for k in known {
            count.lmds += 1;
            let (p, q, d) = (
                point(&k["p"]),
                point(&k["q"]),
                k["d"].as_f64().expect("a number"),
            );
            let is_found = answer.lmds.iter().any(|lmd| matches(lmd, &p, &q, d));
            if !is_found {
                let nearer = nearer_pair(&scene, a_from_b, &p, &q);
                assert!(
                    nearer < d - 1e-9,
                    "{name} {index}: {k} is missing, nearest {nearer}"
                );
                count.refuted += 1;
            }
        }
        for lmd in &answer.lmds {
            let is_known = known.iter().any(|k| {
                let d = k["d"].as_f64().expect("a number");
                matches(lmd, &point(&k["p"]), &point(&k["q"]), d)
            });
            if lmd.sampled {
                count.sampled += 1;
            } else if !is_known {
                assert!(is_on(&scene, lmd, a_from_b), "{name} {index}: {lmd:?}");
                let nearer = nearer_pair(&scene, a_from_b, &lmd.point_a, &lmd.point_b);
                assert!(
                    nearer >= lmd.distance - 1e-9,
                    "{name} {index}: {lmd:?} {nearer}"
                );
                count.confirmed += 1;
            }
        }
    }
    count
}

fn matches(lmd: &Lmd, p: &Point3, q: &Point3, d: f64) -> bool {
    (lmd.distance - d).abs() <= DISTANCE
        && (lmd.point_a - p).norm() < PLACE
        && (lmd.point_b - q).norm() < PLACE
}

/// True if the points of a result are on both boundaries.
fn is_on(scene: &Scene, lmd: &Lmd, a_from_b: &Pose) -> bool {
    let b = a_from_b.inverse_transform_point(&lmd.point_b);
    scene.breps[0].side_of(&lmd.point_a) == Side::On && scene.breps[1].side_of(&b) == Side::On
}

/// The least distance of points of both boundaries beside a pair of points, along its own direction.
fn nearer_pair(scene: &Scene, a_from_b: &Pose, p: &Point3, q: &Point3) -> f64 {
    let along = (q - p).normalize();
    let across = if along.z.abs() < 0.9 {
        Vec3::z()
    } else {
        Vec3::x()
    };
    let x = along.cross(&across).normalize();
    let y = along.cross(&x);
    let b_from_a = a_from_b.inverse();
    let side_a = |p: &Point3| scene.breps[0].side_of(p);
    let side_b = |p: &Point3| scene.breps[1].side_of(&(b_from_a * p));
    let mut least = f64::INFINITY;
    for step in [0.02, 0.005] {
        for k in 0..16 {
            let (s, c) = (std::f64::consts::TAU * f64::from(k) / 16.0).sin_cos();
            let middle = p + (q - p) * 0.5 + (x * c + y * s) * step;
            let to_b = until_inside(&middle, &along, side_b);
            let to_a = until_inside(&middle, &-along, side_a);
            least = least.min(to_a + to_b);
        }
    }
    least
}

/// How far it is from a point outside to the boundary along a direction; infinite if that is farther than 1 mm.
fn until_inside(from: &Point3, along: &Vec3, side: impl Fn(&Point3) -> Side) -> f64 {
    let is_outside = |t: f64| side(&(from + along * t)) == Side::Outside;
    let mut high = 0.05;
    while is_outside(high) {
        high += 0.05;
        if high > 1.0 {
            return f64::INFINITY;
        }
    }
    let mut low = high - 0.05;
    while high - low > 1e-10 {
        let t = 0.5 * (low + high);
        if is_outside(t) {
            low = t;
        } else {
            high = t;
        }
    }
    high
}

#[test]
fn hotstab() {
    let count = check("hotstab");
    println!("{count:?}");
    assert_eq!((count.poses, count.unresolved), (1000, 0));
}

#[test]
fn coneplug() {
    let count = check("coneplug");
    println!("{count:?}");
    assert_eq!((count.poses, count.unresolved), (1000, 0));
}

/// Poses of the cone plug at which the test oracle has minima that the query has not.
const DISPUTED: [usize; 5] = [551, 614, 677, 750, 813];
/// How far beside each of them the minimum is that it runs down to, mm.
const BESIDE: f64 = 0.03;

#[test]
fn what_the_oracle_has_beside_the_query_runs_down_to_it() {
    let scene = load("coneplug");
    let threshold = scene.reference["threshold"].as_f64().expect("a number");
    let options = Options {
        prediction: threshold,
        ..Options::default()
    };
    let [a, b] = &scene.breps;
    let (a, b) = (Complex::new(a.clone()), Complex::new(b.clone()));
    let mut workspace = Workspace::new();
    let mut disputed = 0;
    for index in DISPUTED {
        let a_from_b = &scene.poses[index];
        let answer = workspace.contacts(&scene.parts[0], &scene.parts[1], a_from_b, &options);
        let lmds = &answer.expect("a pose").lmds;
        for minimum in minima(&a, &b.placed(a_from_b), threshold).minima {
            let off = |lmd: &Lmd| {
                let (p, q) = (lmd.point_a - minimum.point_a, lmd.point_b - minimum.point_b);
                p.norm().max(q.norm())
            };
            if lmds.iter().any(|lmd| off(lmd) < 1e-4) {
                continue;
            }
            disputed += 1;
            let is_lower = |lmd: &&Lmd| off(lmd) < BESIDE && lmd.distance < minimum.distance - 1e-9;
            let lower = lmds.iter().find(is_lower).expect("a lower minimum beside");
            assert!(is_on(&scene, lower, a_from_b), "{index}: {lower:?}");
        }
    }
    assert!(disputed > 0, "the oracle agrees: this test has no object");
}
