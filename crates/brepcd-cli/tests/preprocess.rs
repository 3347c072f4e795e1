//! `brepcd preprocess` as a user runs it: files, folders, threads, failures.

mod common;

use common::{Folder, documented, keys, part, read};
use serde_json::Value;

fn lines(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).expect("each line is JSON"))
        .collect()
}

#[test]
fn one_part_becomes_a_tree_file_beside_it() {
    let folder = Folder::new();
    folder.copy("drilled_block.step");
    let text = folder.succeed(&["preprocess", "drilled_block.step"]);
    assert!(folder.path("drilled_block.brepcd").is_file());
    for title in [
        "part", "written", "faces", "edges", "vertices", "patches", "tree", "size", "time",
    ] {
        let found = text.lines().any(|line| line.starts_with(title));
        assert!(found, "{title} in\n{text}");
    }
    assert!(text.contains("9 → 9 supermaximal"), "{text}");
}

#[test]
fn json_has_the_documented_keys_and_true_counts() {
    let folder = Folder::new();
    folder.copy("assembly.step");
    let json = folder.json(&["preprocess", "assembly.step", "-o", "a.brepcd", "--json"]);
    let page = "preprocess-json.md";
    assert_eq!(
        keys(&json),
        documented(page, "A part that was preprocessed")
    );
    assert_eq!(keys(&json["settings"]), documented(page, "`settings`"));
    assert_eq!(keys(&json["timing"]), documented(page, "`timing`"));

    let step = folder.json(&["info", "assembly.step", "--json"]);
    for key in ["faces", "edges", "vertices"] {
        assert_eq!(json[key], step["placed"][key], "{key}");
    }
    let tree = folder.json(&["info", "a.brepcd", "--json"]);
    for (ours, theirs) in [
        ("face_features", "faces"),
        ("edge_features", "edges"),
        ("vertex_features", "vertices"),
        ("patches", "patches"),
        ("crossed_patches", "crossed_patches"),
        ("borders", "borders"),
        ("nodes", "nodes"),
        ("depth", "depth"),
        ("settings", "settings"),
        ("tree_bytes", "bytes"),
    ] {
        assert_eq!(json[ours], tree[theirs], "{ours}");
    }
    assert_eq!(json["tree_bytes"], read(&folder.path("a.brepcd")).len());
    assert_eq!(json["step_bytes"], read(&part("assembly.step")).len());
    // The pegs of the assembly stand on each other's planes, so some faces are one.
    assert!(json["face_features"].as_u64() < json["faces"].as_u64());
}

#[test]
fn warnings_are_told() {
    let folder = Folder::new();
    folder.copy("offset_plate.step");
    let arguments = ["preprocess", "offset_plate.step"];
    let text = folder.succeed(&arguments);
    assert!(text.contains("warnings (1)\n  #131: "), "{text}");
    let json = folder.json(&[&arguments[..], &["--json"]].concat());
    assert_eq!(json["warnings"][0]["id"], 131);
    let info = folder.json(&["info", "offset_plate.step", "--json"]);
    assert_eq!(json["warnings"], info["warnings"]);
}

#[test]
fn settings_are_used() {
    let folder = Folder::new();
    folder.copy("torus.step");
    let with = |options: &[&str]| {
        let line = ["preprocess", "torus.step", "--json"];
        folder.json(&[&line[..], options].concat())
    };
    let (usual, fine) = (with(&[]), with(&["--max-angle", "10"]));
    assert_eq!(fine["settings"]["max_angle"], 10f64.to_radians());
    assert!(fine["patches"].as_u64() > usual["patches"].as_u64());
    let coarse = with(&["--min-size", "1000", "--epsilon", "0.5"]);
    assert!(coarse["patches"].as_u64() < usual["patches"].as_u64());
    assert_eq!(coarse["settings"]["min_size"], 1000.0);
    assert_eq!(coarse["settings"]["border"], 0.5);
}

#[test]
fn a_folder_and_files_give_the_same_bytes_for_any_number_of_threads() {
    let folder = Folder::new();
    let parts = [
        "box.step",
        "cylinder.step",
        "filleted_box.step",
        "loft.step",
    ];
    let outside = ["seam_hole.step", "two_solids.step"];
    std::fs::create_dir(folder.path("in")).expect("a folder");
    for name in parts {
        folder.write(&format!("in/{name}"), &read(&part(name)));
    }
    folder.write("in/notes.txt", b"no part");
    for name in outside {
        folder.copy(name);
    }
    let mut reports = Vec::new();
    for (out, threads) in [("one", "1"), ("four", "4"), ("again", "4")] {
        let [a, b] = outside;
        let text = folder.succeed(&[
            "preprocess",
            a,
            "in",
            b,
            "-o",
            out,
            "--threads",
            threads,
            "--json",
        ]);
        let names: Vec<String> = lines(&text)
            .iter()
            .map(|report| report["file"].as_str().expect("a name").to_string())
            .collect();
        reports.push(names);
    }
    let expected: Vec<String> = std::iter::once(outside[0].to_string())
        .chain(parts.map(|name| format!("in/{name}")))
        .chain(std::iter::once(outside[1].to_string()))
        .collect();
    assert!(
        reports.iter().all(|names| *names == expected),
        "{reports:?}"
    );
    for name in parts.iter().chain(&outside) {
        let tree = |out: &str| read(&folder.path(out).join(name).with_extension("brepcd"));
        assert!(tree("one") == tree("four"), "{name}: threads change it");
        assert!(tree("four") == tree("again"), "{name}: chance changes it");
    }
    // Alone and among others is the same, too.
    folder.succeed(&["preprocess", "in/loft.step"]);
    assert!(read(&folder.path("in/loft.brepcd")) == read(&folder.path("one/loft.brepcd")));
}

#[test]
fn a_table_of_several_parts_ends_in_sums() {
    let folder = Folder::new();
    folder.copy("box.step");
    folder.copy("cylinder.step");
    let text = folder.succeed(&["preprocess", "box.step", "cylinder.step"]);
    let rows: Vec<Vec<&str>> = text
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    let starts: Vec<&str> = rows.iter().map(|row| row[0]).collect();
    assert_eq!(starts, ["part", "box.step", "cylinder.step", "total"]);
    assert_eq!(rows[1][1], "6→6");
    assert_eq!(rows[2][1], "3→3");
    assert_eq!(rows[3][4], "9→9");
}

#[test]
fn a_part_that_fails_does_not_stop_the_others() {
    let folder = Folder::new();
    let box_step = read(&folder.copy("box.step"));
    folder.write("cut.step", &box_step[..box_step.len() / 2]);
    folder.write("empty.step", b"");
    folder.copy("sphere.step");
    let line = [
        "preprocess",
        "box.step",
        "cut.step",
        "empty.step",
        "gone.step",
        "sphere.step",
    ];
    let run = folder.run(&line);
    assert_eq!(run.code, 1, "{run:?}");
    let errors: Vec<&str> = run.errors.lines().collect();
    assert_eq!(errors.len(), 3, "{run:?}");
    for (error, (file, words)) in errors.iter().zip([
        ("cut.step", "cut off"),
        ("empty.step", "empty"),
        ("gone.step", "no such file"),
    ]) {
        assert!(error.starts_with(&format!("error: {file}: ")), "{error}");
        assert!(error.contains(words), "{error}");
    }
    assert!(run.text.contains("total of 2 parts"), "{run:?}");
    assert!(run.text.contains("3 parts failed"), "{run:?}");
    for (name, made) in [
        ("box", true),
        ("sphere", true),
        ("cut", false),
        ("empty", false),
    ] {
        let tree = folder.path(&format!("{name}.brepcd"));
        assert_eq!(tree.exists(), made, "{name}");
    }

    let run = folder.run(&[&line[..], &["--json"]].concat());
    let reports = lines(&run.text);
    assert_eq!((run.code, reports.len()), (1, 5));
    assert_eq!(
        keys(&reports[1]),
        documented("preprocess-json.md", "A part that failed")
    );
    let error = reports[1]["error"].as_str().expect("a text");
    assert_eq!(
        run.errors.lines().next(),
        Some(format!("error: {error}").as_str())
    );
    assert!(reports[4]["error"].is_null() && reports[4]["patches"].is_u64());
}

#[test]
fn errors_say_what_where_and_what_to_do() {
    let folder = Folder::new();
    folder.copy("box.step");
    folder.write("text.step", b"this is no STEP file\n");
    std::fs::create_dir(folder.path("bare")).expect("a folder");
    let fails = |line: &[&str], words: &[&str]| folder.run(line).fails_with(words);
    fails(
        &["preprocess", "gone.step"],
        &["gone.step", "check its name"],
    );
    fails(
        &["preprocess", "text.step"],
        &["text.step: line 1", "not a STEP file"],
    );
    fails(
        &["preprocess", "bare"],
        &["bare: ", "no STEP file", "give a file"],
    );
    fails(
        &["preprocess", "box.step", "-o", "box.step"],
        &["box.step would be overwritten", "-o"],
    );
    fails(
        &["preprocess", "box.step", "./box.step"],
        &["both become", "-o"],
    );
    fails(
        &["preprocess", "box.step", "-o", "text.step/box.brepcd"],
        &["text.step: cannot make the folder", "-o"],
    );
    fails(
        &["preprocess", "box.step", "text.step", "-o", "text.step"],
        &["text.step is a file", "folder with -o"],
    );
    // A folder is in the way of the tree file, whoever runs this.
    std::fs::create_dir_all(folder.path("out/box.brepcd")).expect("a folder");
    fails(
        &["preprocess", "box.step", "-o", "out"],
        &["box.step", "box.brepcd"],
    );
    folder.succeed(&["preprocess", "box.step"]);
    fails(
        &["preprocess", "box.brepcd"],
        &["box.brepcd: is a tree file", "give the STEP file"],
    );
}

#[test]
fn wrong_usage_is_exit_code_2_and_writes_nothing() {
    let folder = Folder::new();
    folder.copy("box.step");
    for line in [
        &["preprocess"][..],
        &["preprocess", "box.step", "--max-angle", "0"],
        &["preprocess", "box.step", "--min-size", "-1"],
        &["preprocess", "box.step", "--epsilon", "nan"],
        &["preprocess", "box.step", "--threads", "0"],
        &["preprocess", "box.step", "--no-such-option"],
        &["inspect", "box.step"],
        &["info"],
        &[],
    ] {
        let run = folder.run(line);
        assert_eq!(run.code, 2, "{run:?}");
        assert!(run.text.is_empty() && !run.errors.is_empty(), "{run:?}");
    }
    assert!(!folder.path("box.brepcd").exists());
}
