//! `brepcd inspect`: one stage of preprocessing in detail, the JSON documented in `docs/inspect-json.md`.

mod brep;
mod carrier;
mod features;
mod patches;
mod tree;

use std::path::Path;

use anyhow::ensure;
use brepcd::{TreeOptions, TreePart};
use serde_json::{Value, json};

use crate::inspect_args::{InspectArgs, Stage};
use crate::{preprocess, step_file, tree_info};

/// The stage as text or JSON.
pub fn run(args: &InspectArgs) -> anyhow::Result<String> {
    let file = &args.file;
    let mut report = match args.stage {
        Stage::Brep => {
            ensure!(
                !tree_info::is_tree_file(file),
                "{}: a tree file holds no B-Rep: give the STEP file, or another stage",
                file.display()
            );
            brep::report(&step_file::read(file, true)?.model)
        }
        Stage::Features => features::report(&part(file)?),
        Stage::Patches => patches::report(&part(file)?),
        Stage::Tree => tree::report(&part(file)?),
    };
    let name = json!(file.display().to_string());
    report.facts.insert(0, ("file", "file", name));
    if args.json {
        report.json()
    } else {
        Ok(report.text())
    }
}

/// The part of a tree file, or what preprocessing with default settings makes of a STEP file.
fn part(file: &Path) -> anyhow::Result<TreePart> {
    if tree_info::is_tree_file(file) {
        return Ok(tree_info::read(file)?.0);
    }
    let imported = step_file::read(file, true)?;
    let name = preprocess::file_name(file);
    let options = TreeOptions::default();
    Ok(brepcd::preprocess(&imported.model, &name, &imported.bytes, &options).0)
}

/// Smallest, mean and largest of some numbers.
#[derive(Clone, Copy, Default)]
struct Spread {
    count: usize,
    sum: f64,
    min: f64,
    max: f64,
}

impl Spread {
    fn add(&mut self, x: f64) {
        self.min = if self.count == 0 { x } else { self.min.min(x) };
        self.max = if self.count == 0 { x } else { self.max.max(x) };
        self.sum += x;
        self.count += 1;
    }

    fn or_null(&self, x: f64) -> Value {
        if self.count > 0 {
            json!(x)
        } else {
            Value::Null
        }
    }

    fn min(&self) -> Value {
        self.or_null(self.min)
    }

    fn mean(&self) -> Value {
        self.or_null(self.sum / self.count.max(1) as f64)
    }

    fn max(&self) -> Value {
        self.or_null(self.max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spreads_know_their_ends() {
        let mut spread = Spread::default();
        assert!(spread.mean().is_null());
        [-2.0, -5.0, 1.0].into_iter().for_each(|x| spread.add(x));
        assert_eq!(spread.min(), json!(-5.0));
        assert_eq!(spread.mean(), json!(-2.0));
        assert_eq!(spread.max(), json!(1.0));
    }
}
