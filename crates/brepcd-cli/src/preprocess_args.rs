//! Arguments of `brepcd preprocess`, and which file becomes which.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use clap::{Args, ValueEnum};

use crate::tree_info::{TREE_ENDING, is_tree_file};

/// Endings of STEP files, in any case.
const STEP_ENDINGS: [&str; 3] = ["step", "stp", "p21"];

/// Examples for `--help`.
pub const EXAMPLES: &str = "\
Examples:
  brepcd preprocess bracket.step                   writes bracket.brepcd beside it
  brepcd preprocess bracket.step -o trees/b.brepcd
  brepcd preprocess parts/ -o trees/ --threads 4   every STEP file of the folder
  brepcd preprocess a.step b.step --max-angle 10 --json";

/// Which normal cones a tree has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ConeKind {
    /// At most four sides, after a quick test with cones of revolution.
    Polyhedral,
    /// Cones of revolution alone, to measure what the others are worth.
    Revolution,
}

/// What to preprocess and how.
#[derive(Debug, Args)]
pub struct PreprocessArgs {
    /// STEP files, or folders whose STEP files are meant (not those of folders inside).
    #[arg(value_name = "PART.step|FOLDER", required = true)]
    pub inputs: Vec<PathBuf>,
    /// Tree file to write; with several parts the folder for them. Default: beside each part, ending in .brepcd.
    #[arg(short, long, value_name = "PART.brepcd|FOLDER")]
    pub output: Option<PathBuf>,
    /// Split patches until their normals stay within this angle of an axis, degrees from 1 to 90. Default: 20.
    #[arg(long, value_name = "DEG", value_parser = angle)]
    pub max_angle: Option<f64>,
    /// Do not split patches whose box has a smaller diagonal than this, mm. Default: 1/1000 of the part's.
    #[arg(long, value_name = "MM", value_parser = length)]
    pub min_size: Option<f64>,
    /// Tolerance of borders: points within this distance of one count as on it, mm. Default: 1e-7 of the part's
    /// diagonal, or the uncertainty that the file states if that is larger.
    #[arg(long, value_name = "MM", value_parser = length)]
    pub epsilon: Option<f64>,
    /// Normal cones of the tree: polyhedral, or cones of revolution alone, which reject less.
    #[arg(long, value_name = "KIND", value_enum, default_value_t = ConeKind::Polyhedral)]
    pub cones: ConeKind,
    /// Parts preprocessed at a time. Default: one for each core.
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,
    /// Print one JSON object for each part instead of text.
    #[arg(long)]
    pub json: bool,
}

fn number(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "not a number".to_string())?;
    if value.is_finite() {
        Ok(value)
    } else {
        Err("not finite".into())
    }
}

/// Degrees from 1 to 90: below, a part falls into more patches than memory holds.
fn angle(text: &str) -> Result<f64, String> {
    let value = number(text)?;
    if (1.0..=90.0).contains(&value) {
        Ok(value)
    } else {
        Err("must be from 1 to 90 degrees".into())
    }
}

/// Millimetres above 0.
fn length(text: &str) -> Result<f64, String> {
    let value = number(text)?;
    if value > 0.0 {
        Ok(value)
    } else {
        Err("must be above 0 mm".into())
    }
}

/// A STEP file and the tree file to make of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// The STEP file.
    pub source: PathBuf,
    /// The tree file.
    pub target: PathBuf,
}

impl PreprocessArgs {
    /// The jobs in the order of the arguments, those of a folder by name; no two write the same file.
    pub fn jobs(&self) -> anyhow::Result<Vec<Job>> {
        let mut sources = Vec::new();
        for input in &self.inputs {
            if input.is_dir() {
                sources.extend(step_files(input)?);
            } else {
                sources.push(input.clone());
            }
        }
        if let Some(tree) = sources.iter().find(|source| is_tree_file(source)) {
            bail!(
                "{}: is a tree file, which is made by preprocessing: give the STEP file",
                tree.display()
            );
        }
        let single = self.inputs.len() == 1 && !self.inputs[0].is_dir();
        let jobs: Vec<Job> = sources
            .into_iter()
            .map(|source| Job {
                target: self.target(&source, single),
                source,
            })
            .collect();
        check_targets(&jobs)?;
        if let Some(folder) = self.output.as_ref().filter(|_| !single) {
            ensure!(
                !folder.is_file(),
                "{} is a file, but several parts need a folder: give a folder with -o",
                folder.display()
            );
        }
        Ok(jobs)
    }

    fn target(&self, source: &Path, single: bool) -> PathBuf {
        let beside = source.with_extension(TREE_ENDING);
        match &self.output {
            None => beside,
            Some(output) if single && !is_folder(output) => output.clone(),
            Some(folder) => folder.join(beside.file_name().unwrap_or_default()),
        }
    }
}

/// True for folders, and for what is written like one.
fn is_folder(path: &Path) -> bool {
    path.is_dir() || path.to_string_lossy().ends_with(std::path::MAIN_SEPARATOR)
}

/// The STEP files of a folder, by name.
fn step_files(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let context = || format!("{}: cannot read the folder", folder.display());
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(context)? {
        let path = entry.with_context(context)?.path();
        let ending = path.extension().and_then(|e| e.to_str()).unwrap_or("");
        let step = STEP_ENDINGS.iter().any(|e| ending.eq_ignore_ascii_case(e));
        if step && path.is_file() {
            files.push(path);
        }
    }
    ensure!(
        !files.is_empty(),
        "{}: the folder holds no STEP file (.step, .stp, .p21): give a file, or a folder that holds some",
        folder.display()
    );
    files.sort();
    Ok(files)
}

/// The same path for all ways to write it, as far as links are not concerned.
fn full(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}

/// No job may write what another one writes or reads.
fn check_targets(jobs: &[Job]) -> anyhow::Result<()> {
    let mut writers = BTreeMap::new();
    for job in jobs {
        if let Some(other) = writers.insert(full(&job.target), &job.source) {
            bail!(
                "{} and {} would both become {}: preprocess them one by one with -o",
                other.display(),
                job.source.display(),
                job.target.display()
            );
        }
    }
    if let Some(job) = jobs
        .iter()
        .find(|job| writers.contains_key(&full(&job.source)))
    {
        bail!(
            "{} would be overwritten: give another file with -o",
            job.source.display()
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        args: PreprocessArgs,
    }

    fn parse(line: &[&str]) -> Result<PreprocessArgs, clap::Error> {
        let words = std::iter::once("preprocess").chain(line.iter().copied());
        Line::try_parse_from(words).map(|line| line.args)
    }

    fn targets(line: &[&str]) -> Vec<PathBuf> {
        let jobs = parse(line).expect("parses").jobs().expect("jobs");
        jobs.into_iter().map(|job| job.target).collect()
    }

    #[test]
    fn trees_go_beside_their_parts_or_where_asked() {
        assert_eq!(targets(&["a/b.step"]), [Path::new("a/b.brepcd")]);
        assert_eq!(targets(&["b.stp", "-o", "x.tree"]), [Path::new("x.tree")]);
        assert_eq!(targets(&["b.stp", "-o", "x/"]), [Path::new("x/b.brepcd")]);
        assert_eq!(
            targets(&["a/b.step", "c.step", "-o", "no-such-folder"]),
            ["no-such-folder/b.brepcd", "no-such-folder/c.brepcd"].map(PathBuf::from)
        );
    }

    #[test]
    fn folders_stand_for_their_step_files() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/parts");
        let found = targets(&[folder, "-o", "no-such-folder"]);
        assert!(found.len() > 30 && found.is_sorted());
        assert!(found.contains(&PathBuf::from("no-such-folder/box.brepcd")));
        let args = parse(&[concat!(env!("CARGO_MANIFEST_DIR"), "/src")]).expect("parses");
        let error = args.jobs().expect_err("no STEP file there");
        assert!(error.to_string().contains("no STEP file"), "{error}");
    }

    #[test]
    fn no_file_is_written_twice_or_over_a_source() {
        let error = |line: &[&str]| {
            let jobs = parse(line).expect("parses").jobs();
            jobs.expect_err("a clash").to_string()
        };
        assert!(error(&["a/x.step", "b/x.step", "-o", "out"]).contains("both become"));
        assert!(error(&["x.step", "./x.step"]).contains("both become"));
        assert!(error(&["x.step", "-o", "x.step"]).contains("overwritten"));
    }

    #[test]
    fn numbers_are_checked() {
        let args = parse(&["a.step", "--max-angle", "15", "--min-size", "0.5"]).expect("parses");
        assert_eq!((args.max_angle, args.min_size), (Some(15.0), Some(0.5)));
        assert_eq!(args.cones, ConeKind::Polyhedral);
        for wrong in [
            ["--max-angle", "0.9"],
            ["--max-angle", "91"],
            ["--min-size", "-1"],
            ["--min-size", "nan"],
            ["--epsilon", "inf"],
            ["--epsilon", "x"],
            ["--threads", "0"],
            ["--cones", "round"],
        ] {
            let error = parse(&["a.step", wrong[0], wrong[1]]).expect_err(wrong[0]);
            assert_eq!(error.exit_code(), 2);
        }
        assert_eq!(parse(&[]).expect_err("no file").exit_code(), 2);
    }
}
