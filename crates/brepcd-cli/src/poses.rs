//! Poses of part B in the frame of part A, from a CSV file.

use std::path::Path;

use anyhow::{Context, anyhow, ensure};
use brepcd::geom::Pose;
use nalgebra::{Quaternion, Translation3, UnitQuaternion};

use crate::errors::read_bytes;

/// The columns that are needed, in any order; others are ignored.
const COLUMNS: [&str; 7] = ["tx", "ty", "tz", "qw", "qx", "qy", "qz"];
/// How far the length of a quaternion may be from 1: what a few printed digits leave.
const UNIT: f64 = 1e-6;

/// Reads all poses of a file.
pub fn read(path: &Path) -> anyhow::Result<Vec<Pose>> {
    parse(&read_bytes(path)?).with_context(|| path.display().to_string())
}

fn parse(bytes: &[u8]) -> anyhow::Result<Vec<Pose>> {
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .comment(Some(b'#'))
        .flexible(true)
        .from_reader(bytes);
    let header = reader.byte_headers()?.clone();
    ensure!(
        !header.is_empty(),
        "is empty: its first line must name {}",
        COLUMNS.join(",")
    );
    let mut columns = [0; COLUMNS.len()];
    for (at, name) in columns.iter_mut().zip(COLUMNS) {
        *at = header
            .iter()
            .position(|h| h == name.as_bytes())
            .ok_or_else(|| {
                anyhow!(
                    "no column `{name}` in the first line: it must name {}",
                    COLUMNS.join(",")
                )
            })?;
    }
    let mut out = Vec::new();
    for (row, record) in reader.byte_records().enumerate() {
        let record = record.with_context(|| format!("row {row}"))?;
        let pose = pose(&record, &columns).with_context(|| {
            let start = record.position().map_or(0, csv::Position::byte);
            format!("row {row} (line {})", line_from(bytes, start))
        });
        out.push(pose?);
    }
    ensure!(
        !out.is_empty(),
        "holds no pose: add a line for each below the first"
    );
    Ok(out)
}

/// The line of the record that is read from a byte on: empty lines and comments before it are passed over.
fn line_from(bytes: &[u8], start: u64) -> usize {
    let start = usize::try_from(start).map_or(bytes.len(), |at| at.min(bytes.len()));
    let (before, rest) = bytes.split_at(start);
    let passed = rest.split(|b| *b == b'\n').take_while(|line| {
        let text = line.trim_ascii_start();
        text.is_empty() || text.starts_with(b"#")
    });
    1 + before.iter().filter(|b| **b == b'\n').count() + passed.count()
}

fn pose(record: &csv::ByteRecord, columns: &[usize; 7]) -> anyhow::Result<Pose> {
    let mut x = [0.0_f64; 7];
    for ((value, column), name) in x.iter_mut().zip(columns).zip(COLUMNS) {
        let text = record.get(*column).unwrap_or_default();
        ensure!(!text.is_empty(), "there is no value for {name}");
        let text = String::from_utf8_lossy(text);
        *value = text
            .parse()
            .map_err(|_| anyhow!("`{text}` in column {name} is no number"))?;
        ensure!(
            value.is_finite(),
            "{name} is {text}: a pose must be of finite numbers"
        );
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
        let poses = parse(text.as_bytes()).expect("parses");
        assert_eq!(poses.len(), 2);
        assert_eq!(poses[0].translation.vector.as_slice(), [1.0, 2.0, 3.0]);
        assert_eq!(poses[0].rotation.j, 0.8);
    }

    #[test]
    fn what_spreadsheets_add_is_no_error() {
        let text = "\u{feff}tx,ty,tz,qw,qx,qy,qz\r\n# lifted\r\n\r\n1e0,-2,+3,1,0,0,0,\r\n";
        let poses = parse(text.as_bytes()).expect("parses");
        assert_eq!(poses[0].translation.vector.as_slice(), [1.0, -2.0, 3.0]);
        let latin = b"tx,ty,tz,qw,qx,qy,qz,where\n0,0,0,1,0,0,0,caf\xe9\n";
        assert_eq!(parse(latin).expect("parses").len(), 1);
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
            ("0,0,0", "no value for qw"),
            ("0,0,,1,0,0,0", "no value for tz"),
        ] {
            let error = parse(format!("{head}{row}\n").as_bytes()).expect_err(row);
            let message = format!("{error:#}");
            assert!(
                message.contains("row 1") && message.contains(what),
                "{message}"
            );
        }
        for start in ["", "\u{feff}"] {
            for end in ["\n", "\r\n"] {
                let lines = [
                    "tx,ty,tz,qw,qx,qy,qz",
                    "",
                    "0,0,0,1,0,0,0",
                    "# a",
                    "# b",
                    "",
                    "0,0,0,2,0,0,0",
                ];
                let text = start.to_string() + &lines.join(end);
                let error = parse(text.as_bytes()).expect_err("not unit");
                assert!(error.to_string().contains("row 1 (line 7)"), "{error:#}");
            }
        }
        let error = parse(b"tx,ty,tz,qw,qx,qy\n").expect_err("a column is missing");
        assert!(error.to_string().contains("`qz`"));
        assert!(parse(b"").is_err());
        let none = parse(b"tx,ty,tz,qw,qx,qy,qz\n").expect_err("no pose");
        assert!(none.to_string().contains("holds no pose"));
    }
}
