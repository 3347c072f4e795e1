//! Poses of part B in the frame of part A, from a CSV file.

use std::path::Path;

use anyhow::{Context, anyhow, ensure};
use brepcd::geom::Pose;
use nalgebra::{Quaternion, Translation3, UnitQuaternion};

/// The columns that are needed, in any order; others are ignored.
const COLUMNS: [&str; 7] = ["tx", "ty", "tz", "qw", "qx", "qy", "qz"];
/// How far the length of a quaternion may be from 1: what a few printed digits leave.
const UNIT: f64 = 1e-6;

/// Reads all poses of a file.
pub fn read(path: &Path) -> anyhow::Result<Vec<Pose>> {
    let named = || path.display().to_string();
    let text = std::fs::read_to_string(path).with_context(named)?;
    parse(&text).with_context(named)
}

fn parse(text: &str) -> anyhow::Result<Vec<Pose>> {
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .comment(Some(b'#'))
        .from_reader(text.as_bytes());
    let header = reader.headers()?.clone();
    let mut columns = [0; COLUMNS.len()];
    for (at, name) in columns.iter_mut().zip(COLUMNS) {
        *at = header.iter().position(|h| h == name).ok_or_else(|| {
            anyhow!(
                "no column `{name}` in the first line: it must name {}",
                COLUMNS.join(",")
            )
        })?;
    }
    let mut out = Vec::new();
    for (row, record) in reader.records().enumerate() {
        let record = record.with_context(|| format!("row {row}"))?;
        let pose = pose(&record, &columns);
        out.push(pose.with_context(|| {
            let line = record.position().map_or(0, csv::Position::line);
            format!("row {row} (line {line})")
        })?);
    }
    ensure!(!out.is_empty(), "holds no pose");
    Ok(out)
}

fn pose(record: &csv::StringRecord, columns: &[usize; 7]) -> anyhow::Result<Pose> {
    let mut x = [0.0_f64; 7];
    for ((value, column), name) in x.iter_mut().zip(columns).zip(COLUMNS) {
        let text = record.get(*column).unwrap_or("");
        *value = text
            .parse()
            .map_err(|_| anyhow!("`{text}` in column {name} is no number"))?;
        ensure!(value.is_finite(), "{name} is {text}: a pose must be finite");
    }
    let q = Quaternion::new(x[3], x[4], x[5], x[6]);
    let norm = q.norm();
    ensure!(
        (norm - 1.0).abs() <= UNIT,
        "the quaternion has length {norm}, it must be 1: divide its four numbers by that"
    );
    Ok(Pose::from_parts(
        Translation3::new(x[0], x[1], x[2]),
        UnitQuaternion::new_normalize(q),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_found_by_name() {
        let text =
            "step,phase,tz,ty,tx,qw,qx,qy,qz\n0,free, 3,2,1, 0.6,0,0.8,0\n1,free,0,0,0,1,0,0,0\n";
        let poses = parse(text).expect("parses");
        assert_eq!(poses.len(), 2);
        assert_eq!(poses[0].translation.vector.as_slice(), [1.0, 2.0, 3.0]);
        assert_eq!(poses[0].rotation.j, 0.8);
    }

    #[test]
    fn errors_name_the_row() {
        let head = "tx,ty,tz,qw,qx,qy,qz\n0,0,0,1,0,0,0\n";
        for (row, what) in [
            ("0,0,nan,1,0,0,0", "finite"),
            ("0,0,inf,1,0,0,0", "finite"),
            ("0,0,x,1,0,0,0", "no number"),
            ("0,0,0,1,1,0,0", "length"),
            ("0,0,0,0,0,0,0", "length"),
            ("0,0,0", "row 1"),
        ] {
            let error = parse(&format!("{head}{row}\n")).expect_err(row);
            let message = format!("{error:#}");
            assert!(
                message.contains("row 1") && message.contains(what),
                "{message}"
            );
        }
        let error = parse("tx,ty,tz,qw,qx,qy\n").expect_err("a column is missing");
        assert!(error.to_string().contains("`qz`"));
        assert!(parse("").is_err());
        assert!(parse(head.lines().next().expect("a line")).is_err());
    }
}
