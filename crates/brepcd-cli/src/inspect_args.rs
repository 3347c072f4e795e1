//! Arguments of `brepcd inspect`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Examples for `--help`.
pub const EXAMPLES: &str = "\
Examples:
  brepcd inspect bracket.step --stage features     supermaximal faces, edges and vertices
  brepcd inspect bracket.step --stage tree --json | jq .depth
  brepcd inspect bracket.brepcd --stage patches    of a tree file, as it was preprocessed";

/// What to look at.
#[derive(Debug, Args)]
pub struct InspectArgs {
    /// The STEP file (AP203, AP214 or AP242), or a tree file.
    #[arg(value_name = "PART.step|PART.brepcd")]
    pub file: PathBuf,
    /// The stage of preprocessing to show.
    #[arg(long, value_enum)]
    pub stage: Stage,
    /// Print one JSON object instead of text.
    #[arg(long)]
    pub json: bool,
}

/// A stage of preprocessing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Stage {
    /// Faces, edges and vertices as imported, with their convexity.
    Brep,
    /// Supermaximal faces and edges, and vertices.
    Features,
    /// Near-flat pieces of the features and how borders cross them.
    Patches,
    /// The tree over the patches: depth, boxes, cones, masks.
    Tree,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        args: InspectArgs,
    }

    #[test]
    fn stages_are_named() {
        for (name, stage) in [
            ("brep", Stage::Brep),
            ("features", Stage::Features),
            ("patches", Stage::Patches),
            ("tree", Stage::Tree),
        ] {
            let line = Line::try_parse_from(["inspect", "a.step", "--stage", name]);
            assert_eq!(line.expect("parses").args.stage, stage);
        }
    }

    #[test]
    fn a_stage_is_needed() {
        for line in [
            &["inspect", "a.step"][..],
            &["inspect", "a.step", "--stage", "mesh"],
        ] {
            let error = Line::try_parse_from(line).expect_err("no stage");
            assert_eq!(error.exit_code(), 2);
        }
    }
}
