//! Rules of the house: dependency direction, file sizes, and that paths named in the documentation exist.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use brepcd_tests::{files_with_extension, workspace};
use serde_json::Value;

/// Crates of the workspace and those of it that each may name as a dependency; data flows from left to right.
const MAY_DEPEND_ON: [(&str, &[&str]); 13] = [
    ("brepcd-geom", &[]),
    ("brepcd-brep", &["geom"]),
    ("brepcd-step", &["geom", "brep"]),
    ("brepcd-truck", &["geom", "brep"]),
    ("brepcd-tree", &["geom"]),
    ("brepcd-prep", &["geom", "brep", "tree"]),
    ("brepcd-query", &["geom", "tree"]),
    ("brepcd-mesh", &["geom", "brep"]),
    ("brepcd-dynamics", &["geom", "tree", "query"]),
    (
        "brepcd",
        &[
            "geom", "brep", "step", "truck", "tree", "prep", "query", "mesh", "dynamics",
        ],
    ),
    ("brepcd-cli", &["brepcd"]),
    ("brepcd-tests", &["*"]),
    ("brepcd-benches", &["*"]),
];

/// Crates from elsewhere that only some of ours may name.
const ONLY_IN: [(&str, &[&str]); 6] = [
    ("truck-", &["brepcd-truck"]),
    ("step-io", &["brepcd-step"]),
    ("clap", &["brepcd-cli"]),
    ("anyhow", &["brepcd-cli"]),
    ("indicatif", &["brepcd-cli"]),
    ("criterion", &["brepcd-benches"]),
];

/// What the runtime must not reach, directly or through others.
const RUNTIME: [&str; 2] = ["brepcd-query", "brepcd-dynamics"];
const OFFLINE: [&str; 4] = ["brepcd-brep", "brepcd-step", "brepcd-prep", "brepcd-truck"];

/// Lines after which a file is to be split.
const LONGEST_FILE: usize = 600;

/// Dependencies (not for tests) by crate.
type Graph = BTreeMap<String, BTreeSet<String>>;

#[test]
fn dependencies_point_one_way() {
    let graph = workspace_graph();
    assert!(
        graph.contains_key("brepcd-geom"),
        "cargo metadata lists the workspace"
    );
    let found = violations(&graph);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn a_backward_dependency_is_noticed() {
    let graph = |edges: &[(&str, &str)]| {
        let mut graph = Graph::new();
        for (from, to) in edges {
            graph
                .entry(from.to_string())
                .or_default()
                .insert(to.to_string());
        }
        graph
    };
    assert!(violations(&graph(&[("brepcd-brep", "brepcd-geom")])).is_empty());
    assert!(!violations(&graph(&[("brepcd-geom", "brepcd-brep")])).is_empty());
    assert!(!violations(&graph(&[("brepcd-brep", "truck-modeling")])).is_empty());
    assert!(!violations(&graph(&[("brepcd-utils", "brepcd-geom")])).is_empty());
    let through = [("brepcd-query", "helper"), ("helper", "brepcd-brep")];
    assert!(!violations(&graph(&through)).is_empty());
}

/// What breaks the rules.
fn violations(graph: &Graph) -> Vec<String> {
    let mut out = Vec::new();
    for (name, dependencies) in graph {
        let ours = name.starts_with("brepcd");
        let allowed = MAY_DEPEND_ON
            .iter()
            .find(|(crate_name, _)| crate_name == name)
            .map(|(_, allowed)| *allowed);
        if ours && allowed.is_none() {
            out.push(format!(
                "{name} is not in the table of crates: decide what it may depend on"
            ));
        }
        for dependency in dependencies {
            let short = dependency.strip_prefix("brepcd-").unwrap_or(dependency);
            let listed = allowed.is_none_or(|list| list.contains(&"*") || list.contains(&short));
            if dependency.starts_with("brepcd") && !listed {
                out.push(format!("{name} must not depend on {dependency}"));
            }
            for (prefix, homes) in ONLY_IN {
                if dependency.starts_with(prefix) && ours && !homes.contains(&name.as_str()) {
                    out.push(format!(
                        "{name} must not depend on {dependency}, only {homes:?} may"
                    ));
                }
            }
        }
    }
    for runtime in RUNTIME {
        for offline in reach(graph, runtime)
            .iter()
            .filter(|c| OFFLINE.contains(&c.as_str()) || c.starts_with("truck-"))
        {
            out.push(format!("{runtime} reaches {offline}"));
        }
    }
    out
}

/// Everything a crate depends on, directly or through others.
fn reach(graph: &Graph, from: &str) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    let mut open = vec![from.to_string()];
    while let Some(name) = open.pop() {
        for next in graph.get(&name).into_iter().flatten() {
            if seen.insert(next.clone()) {
                open.push(next.clone());
            }
        }
    }
    seen
}

fn workspace_graph() -> Graph {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let output = Command::new(cargo)
        .args([
            "metadata",
            "--format-version",
            "1",
            "--no-deps",
            "--offline",
        ])
        .current_dir(workspace())
        .output()
        .expect("cargo metadata runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let metadata: Value =
        serde_json::from_slice(&output.stdout).expect("cargo metadata prints JSON");
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    list(&metadata["packages"])
        .iter()
        .map(|package| {
            let dependencies = list(&package["dependencies"])
                .iter()
                .filter(|d| d["kind"].as_str() != Some("dev"))
                .filter_map(|d| d["name"].as_str().map(String::from))
                .collect();
            (
                package["name"].as_str().unwrap_or_default().to_string(),
                dependencies,
            )
        })
        .collect()
}

#[test]
fn paths_named_in_the_documentation_exist() {
    let root = workspace();
    let mut pages = files_with_extension(&root.join("docs"), &["md"]);
    pages.extend(
        ["README.md", "CHANGELOG.md", "data/README.md"]
            .map(|page| root.join(page))
            .into_iter()
            .filter(|p| p.is_file()),
    );
    let (mut checked, mut missing) = (0, Vec::new());
    for page in &pages {
        let text = std::fs::read_to_string(page).expect("a page can be read");
        let folder = page.parent().unwrap_or(&root);
        for path in named_paths(&text) {
            checked += 1;
            if !root.join(&path).exists() && !folder.join(&path).exists() {
                missing.push(format!("{}: {path}", page.display()));
            }
        }
    }
    assert!(checked > 0, "the documentation names no path: is it read?");
    assert!(
        missing.is_empty(),
        "named but not there:\n{}",
        missing.join("\n")
    );
}

/// Paths in code spans that begin with one of our folders, and relative link targets.
fn named_paths(text: &str) -> Vec<String> {
    const FOLDERS: [&str; 5] = ["crates/", "tests/", "benches/", "data/", "docs/"];
    let plain = |path: &str| !path.is_empty() && !path.contains(['*', '<', '{', '$', '…', ' ']);
    let code = text
        .split('`')
        .skip(1)
        .step_by(2)
        .flat_map(str::split_whitespace)
        .filter(|word| FOLDERS.iter().any(|folder| word.starts_with(folder)));
    let links = text
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next())
        .filter(|target| !target.contains("://") && !target.starts_with('#'))
        .map(|target| target.split('#').next().unwrap_or_default());
    code.chain(links)
        .filter(|path| plain(path))
        .map(String::from)
        .collect()
}

#[test]
fn named_paths_are_found() {
    let text = "See `crates/brepcd-geom/src/lib.rs`, [here](architecture.md#map), [there](https://x.y/z), `a/b`, `data/*.step`.";
    assert_eq!(
        named_paths(text),
        ["crates/brepcd-geom/src/lib.rs", "architecture.md"]
    );
}

#[test]
fn no_file_is_too_long() {
    let root = workspace();
    let files: Vec<_> = ["crates", "tests", "benches"]
        .iter()
        .flat_map(|f| files_with_extension(&root.join(f), &["rs"]))
        .collect();
    assert!(!files.is_empty());
    for file in files {
        let lines = std::fs::read_to_string(&file)
            .expect("a source file can be read")
            .lines()
            .count();
        assert!(
            lines <= LONGEST_FILE,
            "{} has {lines} lines: split it",
            file.display()
        );
    }
}
