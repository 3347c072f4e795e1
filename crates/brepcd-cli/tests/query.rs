//! `brepcd query` as a user runs it: known distances, both kinds of files, poses, errors.

mod common;

use common::{Folder, Run, documented, keys, part, read, workspace};
use serde_json::Value;

const PAGE: &str = "query-json.md";
const HEAD: &str = "tx,ty,tz,qw,qx,qy,qz";

/// A folder with parts of the repository and a file of poses.
fn folder(parts: &[&str], poses: &[&str]) -> Folder {
    let folder = Folder::new();
    for name in parts {
        folder.copy(name);
    }
    let text = [&[HEAD], poses].concat().join("\n") + "\n";
    folder.write("poses.csv", text.as_bytes());
    folder
}

/// The answers of a query, which must succeed in silence.
fn answers(folder: &Folder, arguments: &[&str]) -> Vec<Value> {
    let text = folder.succeed(&[&["query", "--json"], arguments].concat());
    lines(&text)
}

fn lines(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).expect("each line is JSON"))
        .collect()
}

fn numbers(value: &Value) -> Vec<f64> {
    let array = value.as_array().expect("an array");
    array
        .iter()
        .map(|x| x.as_f64().expect("a number"))
        .collect()
}

fn assert_near(found: &Value, expected: &[f64]) {
    let found = match found {
        Value::Array(_) => numbers(found),
        _ => vec![found.as_f64().expect("a number")],
    };
    assert_eq!(found.len(), expected.len());
    for (x, y) in found.iter().zip(expected) {
        assert!((x - y).abs() < 1e-9, "{found:?} is not {expected:?}");
    }
}

#[test]
fn a_ball_beside_a_cylinder_has_a_known_distance() {
    // The ball of radius 7 about (1, 2, 3) goes to (20, 0, 10); the cylinder about z has radius 5 and ends at z = 20.
    // The second pose turns the ball by half a turn about z, the third lifts it above the rim.
    let folder = folder(
        &["cylinder.step", "sphere.step"],
        &["19,-2,7,1,0,0,0", "21,2,7,0,0,0,1", "7,-2,33,1,0,0,0"],
    );
    let found = answers(
        &folder,
        &[
            "cylinder.step",
            "sphere.step",
            "--poses",
            "poses.csv",
            "--prediction",
            "9.5",
        ],
    );
    assert_eq!(found.len(), 3);
    for (pose, answer) in found[..2].iter().enumerate() {
        assert_eq!(answer["pose"], pose);
        assert_eq!(answer["status"], "separated");
        assert_near(&answer["min_distance"], &[8.0]);
        let [lmd] = answer["lmds"].as_array().expect("an array").as_slice() else {
            panic!("one minimum in {answer}");
        };
        assert_near(&lmd["distance"], &[8.0]);
        assert_near(&lmd["gap"], &[8.0]);
        assert_near(&lmd["point_a"], &[5.0, 0.0, 10.0]);
        assert_near(&lmd["point_b"], &[13.0, 0.0, 10.0]);
        assert_near(&lmd["normal"], &[1.0, 0.0, 0.0]);
        assert_eq!(lmd["feature_a"]["kind"], "face");
        assert_eq!(lmd["feature_a"]["type"], "cylinder");
        assert_eq!(lmd["feature_b"]["type"], "sphere");
        assert_eq!(
            (&lmd["sampled"], &lmd["regularized"]),
            (&false.into(), &false.into())
        );
    }
    // Its centre is then at (8, 0, 36), 3 beside and 16 above the rim.
    let lmd = &found[2]["lmds"][0];
    assert_near(&lmd["distance"], &[(9.0_f64 + 256.0).sqrt() - 7.0]);
    assert_near(&lmd["point_a"], &[5.0, 0.0, 20.0]);
    assert_eq!(lmd["feature_a"]["kind"], "edge");
    assert_eq!(lmd["feature_a"]["type"], "circle");
}

#[test]
fn a_pin_in_a_ring_has_samples_where_it_is_centred() {
    // The inner radius of the ring is 7, that of the pin 5.
    let folder = folder(
        &["cylinder.step", "torus.step"],
        &["0,0,10,1,0,0,0", "1,0,10,1,0,0,0"],
    );
    let arguments = [
        "cylinder.step",
        "torus.step",
        "--poses",
        "poses.csv",
        "--prediction",
        "3",
    ];
    let found = answers(&folder, &arguments);
    let lmds = |k: usize| found[k]["lmds"].as_array().expect("an array");
    assert!(lmds(0).len() >= 8, "{} samples", lmds(0).len());
    for lmd in lmds(0) {
        assert_near(&lmd["distance"], &[2.0]);
        assert_eq!(lmd["sampled"], true);
    }
    // Beside the axis the nearest place is the only minimum; the opposite one is a maximum along the ring.
    assert_eq!(lmds(1).len(), 1);
    assert_near(&lmds(1)[0]["distance"], &[1.0]);
    assert_near(&lmds(1)[0]["point_a"], &[-5.0, 0.0, 10.0]);
    assert_eq!(lmds(1)[0]["sampled"], false);

    // The table has a row for each minimum, but for the least distance one for each pose.
    let table = folder.succeed(&[&["query"], &arguments[..]].concat());
    let rows = |text: &str| text.lines().count() - 2;
    assert_eq!(rows(&table), lmds(0).len() + 1, "{table}");
    assert!(table.contains("sampled"), "{table}");
    let table = folder.succeed(&[&["query", "--min"], &arguments[..]].concat());
    assert_eq!(rows(&table), 2, "{table}");
    let alike = format!("and {} more as near", lmds(0).len() - 1);
    assert!(table.contains(&alike), "{table}");
    assert!(table.ends_with("at most\n"), "{table}");
}

#[test]
fn the_least_distance_is_found_however_far() {
    let folder = folder(&["box.step", "sphere.step"], &["5000,6,15,1,0,0,0"]);
    let arguments = ["box.step", "sphere.step", "--poses", "poses.csv"];
    let far = &answers(&folder, &arguments)[0];
    assert_eq!(
        (&far["min_distance"], &far["status"]),
        (&Value::Null, &"separated".into())
    );
    assert_eq!(far["lmds"], Value::Array(Vec::new()));
    let text = folder.succeed(&[&["query"], &arguments[..]].concat());
    assert!(
        text.contains("   0  separated, no minimum within 1 mm\n"),
        "{text}"
    );

    // The ball is then about (5001, 8, 18), beside the face of the box at x = 11.
    let with_min = [&arguments[..], &["--min"]].concat();
    let near = &answers(&folder, &with_min)[0];
    assert_near(&near["min_distance"], &[5001.0 - 7.0 - 11.0]);
    assert_near(&near["lmds"][0]["point_a"], &[11.0, 8.0, 18.0]);
    assert_eq!(near["lmds"].as_array().map(Vec::len), Some(1));
}

#[test]
fn gaps_are_less_than_distances_by_the_dilation_of_both() {
    let folder = folder(&["cylinder.step", "sphere.step"], &["19,-2,7,1,0,0,0"]);
    let arguments = [
        "cylinder.step",
        "sphere.step",
        "--poses",
        "poses.csv",
        "--epsilon",
        "3.75",
    ];
    // The gap is 0.5 and within the prediction of 1, the distance of 8 is not.
    let lmd = &answers(&folder, &arguments)[0]["lmds"][0];
    assert_near(&lmd["distance"], &[8.0]);
    assert_near(&lmd["gap"], &[0.5]);
    let text = folder.succeed(&[&["query"], &arguments[..]].concat());
    let row: Vec<&str> = text
        .lines()
        .nth(1)
        .expect("a row")
        .split_whitespace()
        .collect();
    assert_eq!(row[..3], ["0", "8.000000", "0.500000"], "{text}");
}

#[test]
fn what_only_regularisation_keeps_is_marked() {
    // A box above a block, tilted by 2°: its two lower corners are minima, the other two only nearly.
    let pose = "27,4,7.132,0.706999085398824,0.012340714939827,0.012340714939827,0.706999085398824";
    let folder = folder(&["drilled_block.step", "box.step"], &[pose]);
    let arguments = ["drilled_block.step", "box.step", "--poses", "poses.csv"];
    let exact = &answers(&folder, &arguments)[0];
    let wide = &answers(
        &folder,
        &[&arguments[..], &["--regularization", "10"]].concat(),
    )[0];
    let marked = |answer: &Value| {
        let lmds = answer["lmds"].as_array().expect("an array");
        lmds.iter().filter(|lmd| lmd["regularized"] == true).count()
    };
    assert_eq!(marked(exact), 0);
    assert_eq!(exact["lmds"].as_array().map(Vec::len), Some(2), "{exact}");
    assert_eq!(exact["min_distance"], wide["min_distance"]);
    assert!(marked(wide) >= 2, "{wide}");
}

#[test]
fn parts_as_placed_in_their_files_may_overlap() {
    let folder = folder(&["box.step", "sphere.step"], &[]);
    let answer = &answers(&folder, &["box.step", "sphere.step"])[0];
    assert_eq!(answer["status"], "overlapping");
    assert_eq!(answer["min_distance"], 0.0);
    assert_eq!(answer["lmds"], Value::Array(Vec::new()));
    // The ball is about a corner of the box; the point must be in both.
    let point = numbers(&answer["overlap"]["point"]);
    let centre: [f64; 3] = [1.0, 2.0, 3.0];
    let away: f64 = point.iter().zip(centre).map(|(x, c)| (x - c).powi(2)).sum();
    assert!(away.sqrt() <= 7.0 + 1e-6, "{point:?}");
    let boxed = point.iter().zip(centre).zip([11.0, 22.0, 33.0]);
    assert!(
        boxed
            .clone()
            .all(|((x, low), high)| (low - 1e-6..=high + 1e-6).contains(x))
    );
    let text = folder.succeed(&["query", "box.step", "sphere.step"]);
    assert!(text.contains("   0  overlapping at ("), "{text}");
    assert!(text.contains("1 pose, overlapping; "), "{text}");

    // Nested without touching: the ball of radius 4 about the origin goes to the middle of the block.
    folder.copy("sphere_vertex_loop.step");
    folder.write("in.csv", format!("{HEAD}\n6,12,18,1,0,0,0\n").as_bytes());
    let arguments = ["box.step", "sphere_vertex_loop.step", "--poses", "in.csv"];
    for options in [&[][..], &["--min"]] {
        let answer = &answers(&folder, &[&arguments[..], options].concat())[0];
        assert_eq!(answer["status"], "overlapping");
    }
}

#[test]
fn keys_are_as_documented() {
    let folder = folder(
        &["cylinder.step", "sphere.step"],
        &["19,-2,7,1,0,0,0", "0,0,0,1,0,0,0"],
    );
    let arguments = [
        "cylinder.step",
        "sphere.step",
        "--poses",
        "poses.csv",
        "--prediction",
        "9",
    ];
    let [apart, overlapping] = answers(&folder, &arguments)
        .try_into()
        .expect("two answers");
    for answer in [&apart, &overlapping] {
        assert_eq!(keys(answer), documented(PAGE, "A pose"));
        assert_eq!(keys(&answer["stats"]), documented(PAGE, "`stats`"));
    }
    let lmd = &apart["lmds"][0];
    assert_eq!(keys(lmd), documented(PAGE, "`lmds`"));
    for side in ["feature_a", "feature_b"] {
        assert_eq!(
            keys(&lmd[side]),
            documented(PAGE, "`feature_a`, `feature_b`")
        );
    }
    assert_eq!(apart["overlap"], Value::Null);
    assert_eq!(keys(&overlapping["overlap"]), documented(PAGE, "`overlap`"));
}

#[test]
fn step_files_and_tree_files_give_the_same_answers() {
    let folder = Folder::new();
    for name in [
        "hotstab_fixed.step",
        "hotstab_mobile.step",
        "hotstab_lock.csv",
    ] {
        folder.write(name, &read(&workspace().join("data/scenes").join(name)));
    }
    folder.succeed(&["preprocess", "hotstab_fixed.step", "hotstab_mobile.step"]);
    let query = |a: &str, b: &str| {
        let mut found = answers(&folder, &[a, b, "--poses", "hotstab_lock.csv"]);
        for answer in &mut found {
            answer["stats"]["time_us"] = Value::Null;
        }
        found
    };
    let from_step = query("hotstab_fixed.step", "hotstab_mobile.step");
    assert_eq!(
        from_step,
        query("hotstab_fixed.brepcd", "hotstab_mobile.brepcd")
    );
    assert_eq!(
        from_step,
        query("hotstab_fixed.step", "hotstab_mobile.brepcd")
    );
    assert_eq!(from_step.len(), 3);
    assert!(
        from_step
            .iter()
            .all(|answer| answer["status"] == "separated")
    );
    let count = |answer: &Value| answer["lmds"].as_array().map_or(0, Vec::len);
    assert!(from_step.iter().all(|answer| count(answer) > 1));
}

#[test]
fn warnings_of_the_import_go_to_standard_error() {
    let folder = folder(&["box.step", "offset_plate.step"], &["0,0,100,1,0,0,0"]);
    let line = [
        "query",
        "box.step",
        "offset_plate.step",
        "--poses",
        "poses.csv",
        "--min",
        "--json",
    ];
    let run = folder.run(&line);
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(run.errors.lines().count(), 1, "{run:?}");
    assert!(
        run.errors.starts_with("warning: offset_plate.step: #131: "),
        "{run:?}"
    );
    assert_eq!(lines(&run.text).len(), 1);
}

#[test]
fn errors_in_poses_name_the_row() {
    let folder = folder(&["box.step", "sphere.step"], &[]);
    let ask =
        |name: &str| -> Run { folder.run(&["query", "box.step", "sphere.step", "--poses", name]) };
    for (row, words) in [
        ("0,0,nan,1,0,0,0", &["tz is nan", "finite"][..]),
        ("0,-inf,0,1,0,0,0", &["ty is -inf", "finite"]),
        ("0,0,left,1,0,0,0", &["`left` in column tz", "no number"]),
        ("0,0,0,1,1,0,0", &["length 1.414", "must be 1"]),
        ("0,0,0,0,0,0,0", &["length 0", "must be 1"]),
        ("0,0,0", &["no value for qw"]),
    ] {
        // The second pose, on the fourth line.
        let text = format!("{HEAD}\n0,0,0,1,0,0,0\n# a comment\n{row}\n");
        folder.write("bad.csv", text.as_bytes());
        let run = ask("bad.csv");
        run.fails_with(&["bad.csv: row 1 (line 4): "]);
        run.fails_with(words);
        assert_eq!(
            run.text, "",
            "nothing is answered before all poses are read"
        );
    }
    folder.write("none.csv", format!("{HEAD}\n").as_bytes());
    ask("none.csv").fails_with(&["none.csv: holds no pose", "add a line"]);
    folder.write("short.csv", b"tx,ty,tz,qw,qx,qz\n0,0,0,1,0,0\n");
    ask("short.csv").fails_with(&["short.csv: ", "no column `qy`", HEAD]);
    folder.write("empty.csv", b"");
    ask("empty.csv").fails_with(&["empty.csv: is empty", HEAD]);
    ask("gone.csv").fails_with(&["gone.csv: there is no such file", "check its name"]);
}

#[test]
fn errors_in_parts_say_what_where_and_what_to_do() {
    let folder = folder(&["box.step"], &["0,0,0,1,0,0,0"]);
    folder.write("text.step", b"this is no STEP file\n");
    std::fs::create_dir(folder.path("bare")).expect("a folder");
    folder.succeed(&["preprocess", "box.step"]);
    let tree = read(&folder.path("box.brepcd"));
    folder.write("cut.brepcd", &tree[..tree.len() / 2]);
    for (file, words) in [
        (
            "gone.step",
            &["gone.step: there is no such file", "check its name"][..],
        ),
        ("bare", &["bare: is a folder", "give a file"]),
        ("text.step", &["text.step: line 1", "not a STEP file"]),
        ("cut.brepcd", &["cut.brepcd: ", "cut off", "again"]),
    ] {
        for line in [["query", file, "box.step"], ["query", "box.step", file]] {
            let run = folder.run(&line);
            run.fails_with(words);
            assert_eq!(run.text, "");
        }
    }
}

#[test]
fn wrong_usage_is_exit_code_2() {
    let folder = folder(&["box.step"], &[]);
    for options in [
        &[][..],
        &["box.step", "--prediction", "-1"],
        &["box.step", "--epsilon", "nan"],
        &["box.step", "--regularization", "60"],
        &["box.step", "--poses"],
        &["box.step", "box.step"],
    ] {
        let run = folder.run(&[&["query", "box.step"], options].concat());
        assert_eq!(run.code, 2, "{run:?}");
        assert!(run.text.is_empty() && !run.errors.is_empty(), "{run:?}");
    }
}

#[test]
fn a_part_is_flush_with_itself() {
    // Two equal parts in one place share all their material.
    let name = part("filleted_box.step");
    let name = name.to_str().expect("a name");
    let answer = &answers(&Folder::new(), &[name, name])[0];
    assert_eq!(answer["status"], "overlapping");
}
