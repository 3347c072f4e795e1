//! Arguments of `brepcd query`.

use std::path::PathBuf;

use clap::Args;

/// Examples for `--help`.
pub const EXAMPLES: &str = "\
Examples:
  brepcd query bolt.step plate.step                    both as placed in their files
  brepcd query a.step b.step --poses path.csv --min    how near they come to each other, pose by pose
  brepcd query a.brepcd b.brepcd --poses path.csv --prediction 0.5 --json | jq .min_distance

POSES.csv begins with a line that names at least tx,ty,tz,qw,qx,qy,qz, in any order; other columns are ignored. Each
further line is the pose of part B in the frame of part A: millimetres and a unit quaternion. Poses are counted from 0.

In the table, faces, edges and vertices are counted from 0, all instances placed; a + says that the surface or curve has
more of them. The JSON also has their entity numbers in the STEP file, all digits, both points, and statistics.";

/// What to ask for.
#[derive(Debug, Args)]
pub struct QueryArgs {
    /// Part A, a STEP or tree file; results are in its frame.
    #[arg(value_name = "A")]
    pub a: PathBuf,
    /// Part B, a STEP or tree file.
    #[arg(value_name = "B")]
    pub b: PathBuf,
    /// Poses of part B in the frame of part A. Default: one pose, both parts as placed in their files.
    #[arg(long, value_name = "POSES.csv")]
    pub poses: Option<PathBuf>,
    /// Report all local minima with gaps up to this, mm; of no effect with --min.
    #[arg(long, value_name = "MM", default_value = "1", value_parser = length, allow_negative_numbers = true)]
    pub prediction: f64,
    /// Dilate each part by this, mm: a gap is the distance less twice this.
    #[arg(long, value_name = "MM", default_value = "0", value_parser = length, allow_negative_numbers = true)]
    pub epsilon: f64,
    /// Widen the directions of edges and vertices by this, degrees; what is there only because of it is marked.
    #[arg(long, value_name = "DEG", default_value = "0", value_parser = angle, allow_negative_numbers = true)]
    pub regularization: f64,
    /// Report only the least distance, however large it is.
    #[arg(long)]
    pub min: bool,
    /// Print one JSON object for each pose instead of a table.
    #[arg(long)]
    pub json: bool,
}

fn length(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if x.is_finite() && x >= 0.0 => Ok(x),
        _ => Err("must be a length in mm, 0 or more".into()),
    }
}

fn angle(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if (0.0..=45.0).contains(&x) => Ok(x),
        _ => Err("must be an angle from 0 to 45 degrees".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        args: QueryArgs,
    }

    fn parse(line: &[&str]) -> Result<QueryArgs, clap::Error> {
        let words = ["query", "a.step", "b.step"].iter().chain(line);
        Line::try_parse_from(words).map(|line| line.args)
    }

    #[test]
    fn numbers_are_checked() {
        let args = parse(&["--prediction", "0.5", "--regularization", "3"]).expect("parses");
        assert_eq!((args.prediction, args.regularization), (0.5, 3.0));
        for wrong in [
            ["--prediction", "-1"],
            ["--prediction", "nan"],
            ["--epsilon", "inf"],
            ["--regularization", "90"],
        ] {
            assert_eq!(parse(&wrong).expect_err(wrong[0]).exit_code(), 2);
        }
    }
}
