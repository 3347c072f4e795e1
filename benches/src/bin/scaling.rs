//! How queries, preprocessing and loading grow with the number of faces and with the prediction.

use std::path::{Path, PathBuf};

use brepcd::brep::Brep;
use brepcd::geom::Pose;
use brepcd::query::{Options, Stats};
use brepcd::tree::TreePart;
use brepcd::{Part, Workspace};
use brepcd_benches::arguments::Arguments;
use brepcd_benches::assembly::{centred_brep, copies, poses_beside, tree};
use brepcd_benches::columns::options;
use brepcd_benches::plot::{Plot, Series};
use brepcd_benches::scene::data_folder;
use brepcd_benches::table::{Table, short};
use brepcd_benches::times::{exponent, median, timed};
use serde_json::{Value, json};

const USAGE: &str = "usage: scaling [PART.step...] [--tool PART.step] [--most N] [--poses N] [--distance MM] [--aligned]
               [--plots DIR] [--plot-name NAME] [--markdown | --json]

Puts 1 to N copies of each part on a grid, as one part, and a tool beside the copy in the middle.
  PART.step          parts to copy (data/parts/filleted_box.step, data/parts/seam_hole.step)
  --tool PART.step   the tool (data/parts/drilled_block.step)
  --most N           largest number of copies (1000)
  --poses N          poses of the tool, on all sides (20)
  --distance MM      of the tool from the copy in the middle (0.5)
  --aligned          copies side by side, not turned: their faces lie on common planes, which become one feature each
  --plots DIR        also writes NAME-faces.svg, NAME-prepare.svg and NAME-prediction.svg there
  --plot-name NAME   the beginning of their names (scaling)
  --markdown         tables as in docs/performance.md
  --json             everything, for programs";

/// Times are the best of as many, but for preprocessing, which is timed once.
const PASSES: usize = 3;
/// Copies for the growth with the prediction.
const COPIES_FOR_PREDICTION: usize = 100;
/// Rows at the end that have exponents of their own: what large parts tend to.
const LAST: usize = 3;
/// Predictions, mm.
const PREDICTIONS: [f64; 9] = [0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0];

/// One measured number of copies, or one prediction.
struct Row {
    part: String,
    copies: usize,
    faces: usize,
    prediction: f64,
    preprocess_ms: f64,
    read_ms: f64,
    ready_ms: f64,
    contacts_us: f64,
    min_distance_us: f64,
    node_pairs: f64,
    overlap_node_pairs: f64,
    lmds: f64,
}

impl Row {
    fn json(&self) -> Value {
        json!({
            "part": self.part, "copies": self.copies, "faces": self.faces, "prediction": self.prediction,
            "preprocess_ms": self.preprocess_ms, "read_ms": self.read_ms, "ready_ms": self.ready_ms, "contacts_us": self.contacts_us,
            "min_distance_us": self.min_distance_us, "node_pairs": self.node_pairs,
            "overlap_node_pairs": self.overlap_node_pairs, "lmds": self.lmds,
        })
    }
}

/// A column of the tables: its head and its value.
type Field = (&'static str, fn(&Row) -> f64);
const PREPARING: [Field; 3] = [
    ("preprocess (ms)", |r| r.preprocess_ms),
    ("read the tree file (ms)", |r| r.read_ms),
    ("make ready (ms)", |r| r.ready_ms),
];
const QUERYING: [Field; 5] = [
    ("contacts (µs)", |r| r.contacts_us),
    ("min_distance (µs)", |r| r.min_distance_us),
    ("node pairs", |r| r.node_pairs),
    ("overlap node pairs", |r| r.overlap_node_pairs),
    ("LMDs", |r| r.lmds),
];

/// Medians over poses: `contacts` and `min_distance`, µs, node pairs, node pairs for overlap, minima.
fn queries(part: &Part, tool: &Part, poses: &[Pose], prediction: f64) -> [f64; 5] {
    let mut workspace = Workspace::new();
    let mut best = vec![[f64::INFINITY; 2]; poses.len()];
    let mut stats: Vec<(Stats, usize)> = Vec::new();
    for pass in 0..PASSES {
        for (pose, best) in poses.iter().zip(&mut best) {
            let (answer, time) =
                timed(|| workspace.contacts(part, tool, pose, &options(prediction)));
            best[0] = best[0].min(time);
            if pass == 0 {
                let answer = answer.expect("a good pose");
                stats.push((answer.stats, answer.lmds.len()));
            }
            let default = Options::default();
            let (_, time) = timed(|| {
                workspace
                    .min_distance(part, tool, pose, &default)
                    .map(|_| ())
            });
            best[1] = best[1].min(time);
        }
    }
    let middle =
        |value: &dyn Fn(usize) -> f64| median(&(0..poses.len()).map(value).collect::<Vec<f64>>());
    [
        middle(&|i| best[i][0]),
        middle(&|i| best[i][1]),
        middle(&|i| stats[i].0.node_pairs as f64),
        middle(&|i| stats[i].0.overlap_node_pairs as f64),
        middle(&|i| stats[i].1 as f64),
    ]
}

/// A part from its tree file, prepared for queries, with the times to read the file and to make the part ready, µs.
fn made_ready(bytes: &[u8]) -> (Part, [f64; 2]) {
    let mut best = [f64::INFINITY; 2];
    let mut made = None;
    for _ in 0..PASSES {
        drop(made.take());
        let (tree, read) = timed(|| TreePart::from_bytes(bytes));
        let tree = tree.expect("a tree file that was just made");
        let (part, ready) = timed(|| Part::new(tree));
        best = [best[0].min(read), best[1].min(ready)];
        made = Some(part);
    }
    (made.expect("some passes"), best)
}

/// All rows of one part: over the number of copies, then over predictions.
fn measure(path: &Path, tool: &Brep, arguments: &Arguments) -> (Vec<Row>, Vec<Row>) {
    let most = arguments.get("--most").unwrap_or(1000);
    let brep =
        centred_brep(path).unwrap_or_else(|e| arguments.wrong(&format!("{}: {e}", path.display())));
    let name = path
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let one = Part::new(tree(&brep, &brep));
    let tool_part = Part::new(tree(tool, tool));
    let [size, tool_size] = [&brep, tool].map(|b| b.bounding_box().diagonal());
    let poses = poses_beside(
        &one,
        &tool_part,
        size + tool_size,
        arguments.get("--distance").unwrap_or(0.5),
        arguments.get("--poses").unwrap_or(20),
    );
    // A tool beside the copy in the middle stays clear of the others.
    let spacing = size + 2.0 * tool_size;
    let (mut by_copies, mut by_prediction) = (Vec::new(), Vec::new());
    for count in counts(most) {
        let many = copies(&brep, count, spacing, arguments.has("--aligned"));
        let (tree, preprocess) = timed(|| tree(&many, &brep));
        let bytes = tree.to_bytes().expect("a tree fits a file");
        let (part, [read, ready]) = made_ready(&bytes);
        let row = |prediction: f64| {
            let [
                contacts_us,
                min_distance_us,
                node_pairs,
                overlap_node_pairs,
                lmds,
            ] = queries(&part, &tool_part, &poses, prediction);
            Row {
                part: name.clone(),
                copies: count,
                faces: many.faces.len(),
                prediction,
                preprocess_ms: preprocess / 1e3,
                read_ms: read / 1e3,
                ready_ms: ready / 1e3,
                contacts_us,
                min_distance_us,
                node_pairs,
                overlap_node_pairs,
                lmds,
            }
        };
        by_copies.push(row(Options::default().prediction));
        if count == COPIES_FOR_PREDICTION.min(most) {
            by_prediction.extend(PREDICTIONS.map(row));
        }
    }
    (by_copies, by_prediction)
}

/// 1, 3, 10, 30, … up to the most.
fn counts(most: usize) -> Vec<usize> {
    let steps = (0..).flat_map(|power| [1, 3].map(|digit| digit * 10usize.pow(power)));
    let mut out: Vec<usize> = steps.take_while(|count| *count < most).collect();
    out.push(most);
    out
}

/// A table over `x`, with the exponents of every part in its last rows.
fn table(parts: &[Vec<Row>], x: Field, fields: &[Field]) -> Table {
    let mut heads = vec!["part", "copies", x.0];
    heads.extend(fields.iter().map(|field| field.0));
    let mut out = Table::new(heads);
    for rows in parts {
        for row in rows {
            let mut cells = vec![
                row.part.clone(),
                row.copies.to_string(),
                format!("{}", x.1(row)),
            ];
            cells.extend(fields.iter().map(|field| short(field.1(row))));
            out.push(cells);
        }
        let part = rows.first().map(|row| row.part.clone()).unwrap_or_default();
        let last = &rows[rows.len().saturating_sub(LAST)..];
        for (what, rows) in [("exponent", rows.as_slice()), ("exponent at the end", last)] {
            let mut cells = vec![part.clone(), String::new(), what.into()];
            let exponents = fields.iter().map(|field| fitted(rows, x, *field));
            // None where a value is zero.
            cells.extend(exponents.map(|value| match value.is_nan() {
                true => String::new(),
                false => format!("{value:.2}"),
            }));
            out.push(cells);
        }
    }
    out
}

fn fitted(rows: &[Row], x: Field, y: Field) -> f64 {
    let pairs: Vec<(f64, f64)> = rows.iter().map(|row| (x.1(row), y.1(row))).collect();
    exponent(&pairs)
}

fn plot(title: &str, parts: &[Vec<Row>], x: Field, fields: &[Field]) -> Plot {
    let series = parts
        .iter()
        .filter(|rows| !rows.is_empty())
        .flat_map(|rows| {
            fields.iter().map(move |field| Series {
                name: format!(
                    "{}, {}: exponent {:.2}",
                    rows[0].part,
                    field.0,
                    fitted(rows, x, *field)
                ),
                points: rows.iter().map(|row| (x.1(row), field.1(row))).collect(),
            })
        });
    let unit = fields[0]
        .0
        .split_once(" (")
        .map_or("", |(_, unit)| unit.trim_end_matches(')'));
    Plot {
        title: title.into(),
        x: x.0.into(),
        y: format!("time, {unit}"),
        series: series.collect(),
    }
}

fn main() {
    let values = [
        "--tool",
        "--most",
        "--poses",
        "--distance",
        "--plots",
        "--plot-name",
    ];
    let arguments = Arguments::read(USAGE, &values, &["--aligned", "--markdown", "--json"]);
    let data = |name: &str| data_folder().join(name);
    let mut parts: Vec<PathBuf> = arguments.free.iter().map(PathBuf::from).collect();
    if parts.is_empty() {
        parts = vec![
            data("parts/filleted_box.step"),
            data("parts/seam_hole.step"),
        ];
    }
    let tool = arguments
        .get("--tool")
        .unwrap_or_else(|| data("parts/drilled_block.step"));
    let tool = centred_brep(&tool)
        .unwrap_or_else(|e| arguments.wrong(&format!("{}: {e}", tool.display())));
    let (by_copies, by_prediction): (Vec<_>, Vec<_>) = parts
        .iter()
        .map(|part| measure(part, &tool, &arguments))
        .unzip();
    let faces: Field = ("faces", |r| r.faces as f64);
    let prediction: Field = ("prediction (mm)", |r| r.prediction);
    if let Some(folder) = arguments.get::<PathBuf>("--plots") {
        let (grows, reaches) = ("Queries against faces", "Queries against prediction");
        let begin = arguments
            .get("--plot-name")
            .unwrap_or_else(|| "scaling".to_owned());
        let plots = [
            ("faces", plot(grows, &by_copies, faces, &QUERYING[..2])),
            (
                "prepare",
                plot("Preparing against faces", &by_copies, faces, &PREPARING),
            ),
            (
                "prediction",
                plot(reaches, &by_prediction, prediction, &QUERYING[..1]),
            ),
        ];
        for (name, plot) in plots {
            let path = folder.join(format!("{begin}-{name}.svg"));
            if let Err(error) = std::fs::write(path, plot.svg()) {
                arguments.wrong(&format!("{}: {error}", folder.display()));
            }
        }
    }
    if arguments.has("--json") {
        let rows = |parts: &[Vec<Row>]| {
            parts
                .iter()
                .flatten()
                .map(Row::json)
                .collect::<Vec<Value>>()
        };
        let all = json!({ "by_copies": rows(&by_copies), "by_prediction": rows(&by_prediction) });
        println!("{}", serde_json::to_string_pretty(&all).expect("JSON"));
        return;
    }
    let markdown = arguments.has("--markdown");
    println!("{}", table(&by_copies, faces, &QUERYING).text(markdown));
    println!("{}", table(&by_copies, faces, &PREPARING).text(markdown));
    print!(
        "{}",
        table(&by_prediction, prediction, &QUERYING).text(markdown)
    );
}
