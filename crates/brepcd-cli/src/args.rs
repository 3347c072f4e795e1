//! The command line as clap sees it.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

use crate::inspect_args::{self, InspectArgs};
use crate::preprocess_args::{self, PreprocessArgs};
use crate::query_args::{self, QueryArgs};

const EXAMPLES: &str = "\
Examples:
  brepcd info part.step                        what the file holds, as a table
  brepcd preprocess part.step                  writes part.brepcd, ready for queries
  brepcd info part.brepcd --json               what that holds, for programs
  brepcd inspect part.step --stage features    what preprocessing makes of the part
  brepcd query a.brepcd b.brepcd --poses p.csv all local minimal distances at each pose

Exit codes: 0 success, 1 error in the input, 2 wrong usage.";

const INFO_EXAMPLES: &str = "\
Examples:
  brepcd info bracket.step
  brepcd info robot.stp --json | jq .volume
  brepcd info bracket.brepcd --json | jq .patches
  for f in *.step; do brepcd info \"$f\" --json > \"${f%.step}.json\"; done";

/// Exact distances between CAD solids, without tessellation.
#[derive(Debug, Parser)]
#[command(name = "brepcd", version, after_help = EXAMPLES)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Turn STEP files into tree files, which queries load.
    ///
    /// Each part, all its instances placed, becomes one tree file. Every length and angle that is not given is chosen
    /// to suit the part. If one of several parts fails, the others are made all the same; the failures are listed at
    /// the end and the exit code is 1.
    #[command(after_help = preprocess_args::EXAMPLES)]
    Preprocess(PreprocessArgs),
    /// Show what a STEP file or a tree file holds.
    ///
    /// Of a STEP file: solids, faces, edges, mass properties, assembly, warnings. Lengths are millimetres whatever the
    /// unit of the file. Faces and edges are counted by type as the file has them, each distinct shape once; solids,
    /// shells, volume, area and box are those of all placed instances. Of a tree file: source, settings, features,
    /// patches and the tree over them.
    #[command(after_help = INFO_EXAMPLES)]
    Info {
        /// The STEP file (AP203, AP214 or AP242), or a tree file.
        #[arg(value_name = "PART.step|PART.brepcd")]
        file: PathBuf,
        /// Print one JSON object instead of a table.
        #[arg(long)]
        json: bool,
    },
    /// Show one stage of preprocessing in detail.
    ///
    /// A STEP file is preprocessed with default settings, nothing is written; a tree file shows what is in it. The
    /// stage brep needs a STEP file.
    #[command(after_help = inspect_args::EXAMPLES)]
    Inspect(InspectArgs),
    /// Report all local minimal distances of two parts, pose by pose.
    ///
    /// Each minimum comes with its distance, points and normal (from A to B, in the frame of A) and the faces, edges or
    /// vertices it lies on. Parts whose undilated solids overlap are reported as such.
    #[command(after_help = query_args::EXAMPLES)]
    Query(QueryArgs),
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn json_may_stand_before_or_after_the_file() {
        for line in [
            ["brepcd", "info", "a.step", "--json"],
            ["brepcd", "info", "--json", "a.step"],
        ] {
            let command = Args::try_parse_from(line).expect("parses").command;
            let Command::Info { file, json } = command else {
                panic!("{command:?}");
            };
            assert_eq!((file, json), (PathBuf::from("a.step"), true));
        }
    }

    #[test]
    fn wrong_usage_is_exit_code_2() {
        let error = Args::try_parse_from(["brepcd", "info"]).expect_err("the file is missing");
        assert_eq!(error.exit_code(), 2);
    }
}
