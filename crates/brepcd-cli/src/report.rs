//! Facts and tables that print as text for people and as JSON for programs, from the same values.

use std::fmt::Write;

use serde_json::{Map, Value};

use crate::report_text::{Table as Facts, number, rounded};

/// Sizes and coordinates below this are shown as zero: rounding noise says nothing to a reader.
const NOISE: f64 = 1e-9;

/// How a value looks in text.
pub type Show = fn(&Value) -> String;

/// What a command found out.
#[derive(Default)]
pub struct Report {
    /// Single values: JSON key, title, value.
    pub facts: Vec<(&'static str, &'static str, Value)>,
    /// Tables, after the facts.
    pub tables: Vec<Table>,
}

/// Rows of values.
pub struct Table {
    /// JSON key of the list of rows.
    pub key: &'static str,
    /// Title in text.
    pub title: &'static str,
    /// JSON key, title and look of every column; those without a title are only in JSON.
    pub columns: Vec<(&'static str, &'static str, Show)>,
    /// A value for every column.
    pub rows: Vec<Vec<Value>>,
}

impl Report {
    /// An indented JSON object: facts by key, every table a list of objects.
    pub fn json(&self) -> anyhow::Result<String> {
        let mut object = Map::new();
        for (key, _, value) in &self.facts {
            object.insert(key.to_string(), value.clone());
        }
        for table in &self.tables {
            let keys = || table.columns.iter().map(|(key, _, _)| key.to_string());
            let rows = table
                .rows
                .iter()
                .map(|row| Value::Object(keys().zip(row.iter().cloned()).collect()));
            object.insert(table.key.to_string(), rows.collect());
        }
        Ok(serde_json::to_string_pretty(&object)? + "\n")
    }

    /// Lines of facts, then the tables that have rows.
    pub fn text(&self) -> String {
        let mut facts = Facts::default();
        for (_, title, value) in &self.facts {
            facts.row(title, &short(value));
        }
        let mut out = facts.0;
        for table in self.tables.iter().filter(|t| !t.rows.is_empty()) {
            table.text(&mut out);
        }
        out
    }
}

impl Table {
    fn text(&self, out: &mut String) {
        let shown: Vec<usize> = (0..self.columns.len())
            .filter(|c| !self.columns[*c].1.is_empty())
            .collect();
        let titles = shown.iter().map(|c| self.columns[*c].1.to_string());
        let mut cells: Vec<Vec<String>> = vec![titles.collect()];
        for row in &self.rows {
            let values = shown.iter().map(|c| (self.columns[*c].2)(&row[*c]));
            cells.push(values.collect());
        }
        let widths: Vec<usize> = (0..shown.len())
            .map(|i| cells.iter().map(|row| row[i].chars().count()).max())
            .map(|width| width.unwrap_or(0))
            .collect();
        let numeric: Vec<bool> = shown
            .iter()
            .map(|c| {
                let mut column = self.rows.iter().map(|row| &row[*c]);
                column.all(|value| value.is_number() || value.is_null())
            })
            .collect();
        // Writing to a string cannot fail.
        let _ = writeln!(out, "\n{} ({})", self.title, self.rows.len());
        for row in &cells {
            let mut line = String::from("  ");
            for ((cell, width), numeric) in row.iter().zip(&widths).zip(&numeric) {
                let _ = if *numeric {
                    write!(line, "{cell:>width$}  ")
                } else {
                    write!(line, "{cell:<width$}  ")
                };
            }
            let _ = writeln!(out, "{}", line.trim_end());
        }
    }
}

/// Numbers with nine digits, lists in brackets, objects as `key value, …`.
pub fn plain(value: &Value) -> String {
    shown(value, number)
}

/// The same with four digits: enough for statistics.
pub fn short(value: &Value) -> String {
    shown(value, |x| rounded(x, 4))
}

/// Lengths with four digits; what is only rounding noise is zero.
pub fn size(value: &Value) -> String {
    shown(value, |x| rounded(quiet(x), 4))
}

/// Degrees to a hundredth.
pub fn degrees(value: &Value) -> String {
    shown(value, |x| number((x * 100.0).round() / 100.0))
}

/// Names with blanks for the underscores that JSON has.
pub fn words(value: &Value) -> String {
    plain(value).replace('_', " ")
}

/// Entity numbers as the file writes them: `#12 #34`.
pub fn labels(value: &Value) -> String {
    let list = value.as_array().map(Vec::as_slice).unwrap_or_default();
    let label = |v: &Value| v.as_u64().map_or("–".into(), |label| format!("#{label}"));
    list.iter().map(label).collect::<Vec<_>>().join(" ")
}

fn quiet(x: f64) -> f64 {
    if x.abs() < NOISE { 0.0 } else { x }
}

fn shown(value: &Value, number: fn(f64) -> String) -> String {
    match value {
        Value::Null => "–".into(),
        Value::Bool(yes) => if *yes { "yes" } else { "no" }.into(),
        Value::Number(n) if n.is_f64() => number(n.as_f64().unwrap_or(f64::NAN)),
        Value::Number(n) => n.to_string(),
        Value::String(text) => crate::errors::one_line(text),
        Value::Array(list) => {
            let item = |v: &Value| match v.as_f64() {
                Some(x) if v.is_f64() => number(quiet(x)),
                _ => shown(v, number),
            };
            let list: Vec<String> = list.iter().map(item).collect();
            format!("({})", list.join(", "))
        }
        Value::Object(map) => {
            let pair = |(key, v): (&String, &Value)| format!("{key} {}", shown(v, number));
            map.iter().map(pair).collect::<Vec<_>>().join(", ")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn text_and_json_say_the_same() {
        let report = Report {
            facts: vec![("depth", "depth", json!(3))],
            tables: vec![Table {
                key: "faces",
                title: "faces",
                columns: vec![
                    ("id", "id", plain),
                    ("sources", "from", labels),
                    ("size", "size, mm", short),
                    ("point", "point", short),
                    ("line", "", plain),
                ],
                rows: vec![
                    vec![
                        json!(0),
                        json!([12, 7]),
                        json!(1.0 / 3.0),
                        json!([1e-16, 2.5]),
                        json!(1),
                    ],
                    vec![
                        json!(11),
                        json!([null]),
                        json!(null),
                        json!([1.0]),
                        json!(2),
                    ],
                ],
            }],
        };
        let text = "depth       3\n\nfaces (2)\n  id  from    size, mm  point\n   0  #12 #7    0.3333  (0, 2.5)\n  11  –              –  (1)\n";
        assert_eq!(report.text(), text);
        let json: Value = serde_json::from_str(&report.json().expect("JSON")).expect("parses");
        assert_eq!(json["depth"], 3);
        assert_eq!(json["faces"][0]["sources"], json!([12, 7]));
        assert!(json["faces"][1]["size"].is_null());
        assert_eq!(json["faces"][1]["line"], 2);
    }
}
