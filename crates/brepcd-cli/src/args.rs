//! The command line as clap sees it.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

const EXAMPLES: &str = "\
Examples:
  brepcd info part.step             what the file holds, as a table
  brepcd info part.step --json      the same for programs, see docs/info-json.md

Exit codes: 0 success, 1 error in the input, 2 wrong usage.";

const INFO_EXAMPLES: &str = "\
Examples:
  brepcd info bracket.step
  brepcd info robot.stp --json | jq .volume
  for f in *.step; do brepcd info \"$f\" --json > \"${f%.step}.json\"; done";

/// Exact distances between CAD solids, without tessellation.
#[derive(Debug, Parser)]
#[command(name = "brepcd", version, about, after_help = EXAMPLES)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Show what a STEP file holds: solids, faces, edges, mass properties, assembly, warnings.
    ///
    /// Lengths are millimetres whatever the unit of the file. Faces and edges are counted by type as the file has
    /// them, each distinct shape once; solids, shells, volume, area and box are those of all placed instances.
    #[command(after_help = INFO_EXAMPLES)]
    Info {
        /// The STEP file (AP203, AP214 or AP242).
        #[arg(value_name = "PART.step")]
        file: PathBuf,
        /// Print one JSON object instead of a table.
        #[arg(long)]
        json: bool,
    },
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
            let Command::Info { file, json } = Args::try_parse_from(line).expect("parses").command;
            assert_eq!((file, json), (PathBuf::from("a.step"), true));
        }
    }

    #[test]
    fn wrong_usage_is_exit_code_2() {
        let error = Args::try_parse_from(["brepcd", "info"]).expect_err("the file is missing");
        assert_eq!(error.exit_code(), 2);
    }
}
