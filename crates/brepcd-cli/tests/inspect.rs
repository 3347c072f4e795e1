//! `brepcd inspect` and `brepcd info` as a user runs them, on STEP files and on tree files.

mod common;

use common::{Folder, documented, keys, read};
use serde_json::Value;

const STAGES: [&str; 4] = ["brep", "features", "patches", "tree"];
const PARTS: [&str; 4] = [
    "drilled_block.step",
    "assembly.step",
    "loft.step",
    "sphere.step",
];

fn rows<'a>(report: &'a Value, key: &str) -> &'a Vec<Value> {
    let rows = report[key].as_array();
    rows.unwrap_or_else(|| panic!("no list {key} in {report}"))
}

fn sum(report: &Value, list: &str, key: &str) -> f64 {
    let number = |row: &Value| row[key].as_f64().expect("a number");
    rows(report, list).iter().map(number).sum()
}

/// The report of a stage.
fn inspect(folder: &Folder, file: &str, stage: &str) -> Value {
    folder.json(&["inspect", file, "--stage", stage, "--json"])
}

#[test]
fn json_has_the_documented_keys() {
    let folder = Folder::new();
    folder.copy("drilled_block.step");
    let page = "inspect-json.md";
    for stage in STAGES {
        let report = inspect(&folder, "drilled_block.step", stage);
        assert_eq!(keys(&report), documented(page, &format!("Stage `{stage}`")));
        for (key, list) in report.as_object().expect("an object") {
            let Some(row) = list.as_array().and_then(|list| list.first()) else {
                continue;
            };
            let shared = ["kinds", "features"].contains(&key.as_str());
            let mut promised = if shared {
                documented(page, "Rows of `kinds` and `features`")
            } else {
                documented(page, &format!("Rows of `{key}`"))
            };
            let mut found = keys(row);
            if shared {
                let other = if key == "kinds" { "id" } else { "features" };
                promised.retain(|key| key != other);
                promised.sort();
                found.sort();
            }
            assert_eq!(found, promised, "{stage} {key}");
        }
    }
}

#[test]
fn info_on_a_tree_file_has_the_documented_keys() {
    let folder = Folder::new();
    folder.copy("drilled_block.step");
    folder.succeed(&["preprocess", "drilled_block.step"]);
    let info = folder.json(&["info", "drilled_block.brepcd", "--json"]);
    assert_eq!(keys(&info), documented("info-json.md", "Tree files"));
    let step = folder.json(&["info", "drilled_block.step", "--json"]);
    assert_eq!(keys(&step), documented("info-json.md", "STEP files"));
    assert_eq!(info["source"], "drilled_block.step");
    let kinds = info["features"].as_object().expect("an object");
    let total: u64 = kinds.values().filter_map(Value::as_u64).sum();
    let classes = ["faces", "edges", "vertices"].map(|key| info[key].as_u64().expect("a count"));
    assert_eq!(total, classes.iter().sum::<u64>());
    let text = folder.succeed(&["info", "drilled_block.brepcd"]);
    let line = "faces       9: plane 6, concave cylinder 2, concave cone 1\n";
    assert!(text.contains(line), "{text}");
    let tree = format!("{} nodes, depth {}\n", info["nodes"], info["depth"]);
    assert!(text.contains(&tree), "{text}");
}

#[test]
fn a_tree_file_shows_what_the_step_file_becomes() {
    let folder = Folder::new();
    for name in PARTS {
        folder.copy(name);
        folder.succeed(&["preprocess", name, "-o", "tree.brepcd"]);
        for stage in &STAGES[1..] {
            let [mut step, mut tree] = [name, "tree.brepcd"].map(|f| inspect(&folder, f, stage));
            assert_eq!(step["file"], name);
            step["file"].take();
            tree["file"].take();
            assert_eq!(step, tree, "{name} {stage}");
        }
    }
}

#[test]
fn stages_agree_with_each_other_and_with_info() {
    let folder = Folder::new();
    for name in PARTS {
        folder.copy(name);
        folder.succeed(&["preprocess", name, "-o", "tree.brepcd"]);
        let [brep, features, patches, tree] = STAGES.map(|stage| inspect(&folder, name, stage));
        let step = folder.json(&["info", name, "--json"]);
        let info = folder.json(&["info", "tree.brepcd", "--json"]);
        let float = |report: &Value, key: &str| report[key].as_f64().expect("a number");

        for key in ["faces", "edges", "vertices"] {
            assert_eq!(brep[key], step["placed"][key], "{name} {key}");
            assert_eq!(rows(&features, key).len() as f64, float(&info, key));
        }
        assert_eq!(sum(&brep, "face_types", "count"), float(&brep, "faces"));
        assert_eq!(sum(&brep, "edge_classes", "count"), float(&brep, "edges"));
        let area = sum(&brep, "face_types", "area");
        assert!((area - float(&step, "area")).abs() <= 1e-9 * area, "{name}");

        // Every face of the part is behind one supermaximal face.
        let behind = rows(&features, "faces")
            .iter()
            .map(|face| rows(face, "sources").len());
        assert_eq!(behind.sum::<usize>() as f64, float(&brep, "faces"));

        let all = float(&info, "patches");
        for list in ["kinds", "features"] {
            assert_eq!(sum(&patches, list, "patches"), all, "{name}");
            let crossed = sum(&patches, list, "crossed");
            assert_eq!(crossed, float(&info, "crossed_patches"), "{name}");
            assert_eq!(sum(&patches, list, "inside") + crossed, all, "{name}");
        }
        assert_eq!(sum(&tree, "levels", "nodes"), float(&info, "nodes"));
        assert_eq!(sum(&tree, "levels", "leaves"), all);
        assert_eq!(rows(&tree, "levels").len() as f64, float(&info, "depth"));
        assert_eq!(tree["root_box"], info["root_box"]);
    }
}

#[test]
fn text_names_the_entities_of_the_file() {
    let folder = Folder::new();
    folder.copy("drilled_block.step");
    let text = folder.succeed(&["inspect", "drilled_block.step", "--stage", "features"]);
    let bore = text.lines().find(|line| line.contains("#223"));
    let bore = bore.expect("the bore is listed");
    assert!(bore.contains("concave cylinder"), "{bore}");
    assert!(bore.contains("radius 3"), "{bore}");
}

#[test]
fn a_tree_file_is_known_by_its_first_bytes() {
    let folder = Folder::new();
    folder.copy("box.step");
    folder.succeed(&["preprocess", "box.step", "-o", "box.tree"]);
    let info = folder.json(&["info", "box.tree", "--json"]);
    assert_eq!(info["faces"], 6);
}

#[test]
fn damaged_tree_files_are_refused() {
    let folder = Folder::new();
    folder.copy("box.step");
    folder.succeed(&["preprocess", "box.step"]);
    let good = read(&folder.path("box.brepcd"));
    let changed = |at: usize| {
        let mut bytes = good.clone();
        bytes[at] ^= 0x40;
        bytes
    };
    let cases = [
        ("cut.brepcd", good[..good.len() / 2].to_vec(), "cut off"),
        ("spoiled.brepcd", changed(good.len() / 2), "damaged"),
        ("version.brepcd", changed(8), "version"),
        ("mark.brepcd", changed(0), "not a brepcd tree file"),
        ("empty.brepcd", Vec::new(), "not a brepcd tree file"),
    ];
    for (name, bytes, words) in cases {
        folder.write(name, &bytes);
        for line in [&["info", name][..], &["inspect", name, "--stage", "tree"]] {
            let run = folder.run(line);
            run.fails_with(&[name, words, "preprocess"]);
            assert!(run.text.is_empty(), "{run:?}");
        }
    }
}

#[test]
fn errors_say_what_where_and_what_to_do() {
    let folder = Folder::new();
    let step = read(&folder.copy("box.step"));
    folder.write("cut.step", &step[..step.len() / 2]);
    folder.succeed(&["preprocess", "box.step"]);
    let fails = |line: &[&str], words: &[&str]| folder.run(line).fails_with(words);
    for stage in STAGES {
        fails(
            &["inspect", "cut.step", "--stage", stage],
            &["cut.step: line"],
        );
        fails(
            &["inspect", "gone.step", "--stage", stage],
            &["check its name"],
        );
    }
    fails(
        &["inspect", "box.brepcd", "--stage", "brep"],
        &["box.brepcd", "give the STEP file"],
    );
    fails(&["info", "gone.brepcd"], &["gone.brepcd", "check its name"]);
    fails(&["info", "."], &["is a folder", "give a file"]);
}
