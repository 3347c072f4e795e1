//! Prints what each technique is worth: queries along the trajectories with all of them, and without one or several.

use std::hint::black_box;
use std::process::ExitCode;

use brepcd::geom::Pose;
use brepcd::query::Stats;
use brepcd::{Answer, PairState, Part, Workspace};
use brepcd_benches::agreement::{Agreement, Kept};
use brepcd_benches::arguments::Arguments;
use brepcd_benches::columns::{self, Column};
use brepcd_benches::scene::{PHASES, SCENES, Scene};
use brepcd_benches::table::{Table, short};
use brepcd_benches::times::median;
use brepcd_benches::variants::{Expected, VARIANTS, Variant};
use serde_json::{Value, json};

const USAGE: &str = "usage: ablations [--scene NAME] [--phase NAME] [--stride N] [--passes N] [--prediction MM] [--markdown | --json]

Times contacts along the trajectories of data/scenes with every technique and without one or several, on the same poses, and
compares the answers pose by pose. Ends with 1 if answers differ that must not.
  --scene NAME       only this scene: coneplug, hotstab
  --phase NAME       only this phase: free, insert, lock, extract (times of insert and lock, counts of lock)
  --stride N         every N-th pose of a phase (10)
  --passes N         times to go along the poses; the best time of each pose counts (3)
  --prediction MM    how far contacts are looked for (twice the gap of the scene)
  --markdown         tables as in docs/performance.md
  --json             everything, for programs";

/// Phases at which parts are near each other.
const NEAR: [&str; 2] = ["insert", "lock"];
/// The phase whose counts are shown among these.
const COUNTED: &str = "lock";

/// A count and its name.
type Count = (&'static str, fn(&Stats) -> u64);

/// What is counted, mean per pose.
const COUNTS: [Count; 12] = [
    ("node pairs", |s| s.node_pairs),
    ("by mask", |s| s.by_mask),
    ("by sleeve", |s| s.by_sleeve),
    ("by circle", |s| s.by_circle),
    ("by box", |s| s.by_box),
    ("by direction", |s| s.by_direction),
    ("by cone", |s| s.by_cone),
    ("leaf pairs", |s| s.leaf_pairs),
    ("solves", |s| s.solves),
    ("numeric solves", |s| s.numeric_solves),
    ("candidates", |s| s.candidates),
    ("crossing tests", |s| s.crossing_tests),
];

/// A variant along a phase of a scene.
struct Row {
    scene: String,
    phase: String,
    variant: Variant,
    /// Best times, pose by pose, µs.
    times: Vec<f64>,
    /// Mean counts per pose.
    counts: Vec<f64>,
    /// Mean minima per pose.
    lmds: f64,
    /// Poses whose answer is the reference's, has other features, has other samples, and differs.
    poses: [usize; 4],
    /// Solves that may have missed something, at all poses.
    unresolved: u64,
}

impl Row {
    /// Time of all poses, µs.
    fn total(&self) -> f64 {
        self.times.iter().sum()
    }

    /// Poses at which the answer is not as it must be.
    fn wrong(&self) -> usize {
        let [_, features, samples, different] = self.poses;
        match self.variant.expected() {
            Expected::Same => features + samples + different,
            Expected::SameMinima => different,
        }
    }

    fn json(&self, reference: &Row) -> Value {
        let counts = COUNTS.iter().zip(&self.counts);
        let counts = counts.map(|((name, _), mean)| (name.replace(' ', "_"), json!(mean)));
        json!({
            "scene": self.scene,
            "phase": self.phase,
            "variant": self.variant.name,
            "poses": self.times.len(),
            "mean_us": self.total() / self.times.len() as f64,
            "median_us": median(&self.times),
            "time_over_reference": self.total() / reference.total(),
            "counts_mean": counts.collect::<serde_json::Map<String, Value>>(),
            "lmds_mean": self.lmds,
            "poses_same": self.poses[0],
            "poses_other_features": self.poses[1],
            "poses_other_samples": self.poses[2],
            "poses_other_minima": self.poses[3],
            "unresolved_total": self.unresolved,
        })
    }
}

/// Asks as a variant does; everything it keeps from pose to pose is in here.
struct Asker<'a> {
    variant: Variant,
    parts: &'a [Part; 2],
    prediction: f64,
    workspace: Workspace,
    state: PairState,
}

impl<'a> Asker<'a> {
    fn new(variant: Variant, parts: &'a [Part; 2], prediction: f64) -> Self {
        Self {
            variant,
            parts,
            prediction,
            workspace: Workspace::new(),
            state: PairState::new(),
        }
    }

    fn ask(&mut self, pose: &Pose) -> &Answer {
        let [a, b] = self.parts;
        let options = self.variant.options(self.prediction);
        let (workspace, state) = (&mut self.workspace, &mut self.state);
        let answer = if self.variant.along {
            workspace.contacts_along(state, a, b, pose, &options)
        } else {
            workspace.contacts(a, b, pose, &options)
        };
        answer.expect("a good pose")
    }
}

fn main() -> ExitCode {
    let values = ["--scene", "--phase", "--stride", "--passes", "--prediction"];
    let arguments = Arguments::read(USAGE, &values, &["--markdown", "--json"]);
    let stride = arguments.get("--stride").unwrap_or(10);
    let passes = arguments.get("--passes").unwrap_or(3);
    let mut phases = Vec::new();
    for name in arguments.choose("--scene", &SCENES, &SCENES) {
        let scene = Scene::load(name);
        let prediction = arguments.get("--prediction").unwrap_or(2.0 * scene.gap);
        let parts = VARIANTS
            .map(|variant| ["fixed", "mobile"].map(|side| variant.part(&format!("{name}_{side}"))));
        for phase in arguments.choose("--phase", &PHASES, &NEAR) {
            let poses = scene.poses(phase, stride);
            phases.push(measure((name, phase), &poses, &parts, prediction, passes));
        }
    }
    if arguments.has("--json") {
        let rows = phases
            .iter()
            .flat_map(|rows| rows.iter().map(|row| row.json(&rows[0])));
        let rows: Vec<Value> = rows.collect();
        println!("{}", serde_json::to_string_pretty(&rows).expect("JSON"));
    } else {
        let markdown = arguments.has("--markdown");
        println!("{}", times_table(&phases).text(markdown));
        let counted = arguments.get("--phase").unwrap_or(COUNTED.to_owned());
        let counted = phases.iter().filter(|rows| rows[0].phase == counted);
        print!("{}", counts_table(counted.flatten()).text(markdown));
    }
    let wrong = phases.iter().flatten().filter(|row| row.wrong() > 0);
    let lines: Vec<String> = wrong
        .map(|row| {
            let Row { scene, phase, .. } = row;
            let (name, wrong, all) = (row.variant.name, row.wrong(), row.times.len());
            format!("error: {scene}, {phase}: {name} answers otherwise at {wrong} of {all} poses")
        })
        .collect();
    lines.iter().for_each(|line| eprintln!("{line}"));
    ExitCode::from(u8::from(!lines.is_empty()))
}

/// All variants along the poses of a phase.
fn measure(
    (scene, phase): (&str, &str),
    poses: &[Pose],
    parts: &[[Part; 2]],
    prediction: f64,
    passes: usize,
) -> Vec<Row> {
    let askers = || {
        let each = VARIANTS.into_iter().zip(parts);
        each.map(|(variant, parts)| Asker::new(variant, parts, prediction))
    };
    let mut columns: Vec<Column> = askers()
        .map(|mut asker| {
            Column::new(asker.variant.name, move |pose| {
                black_box(asker.ask(pose));
            })
        })
        .collect();
    let times = columns::measure(&mut columns, poses, passes);
    let mut reference = askers().next().expect("the reference");
    let kept: Vec<Kept> = poses
        .iter()
        .map(|pose| Kept::of(reference.ask(pose)))
        .collect();
    askers()
        .zip(times)
        .map(|(mut asker, times)| {
            let mut row = Row {
                scene: scene.to_owned(),
                phase: phase.to_owned(),
                variant: asker.variant,
                times,
                counts: vec![0.0; COUNTS.len()],
                lmds: 0.0,
                poses: [0; 4],
                unresolved: 0,
            };
            let share = 1.0 / poses.len() as f64;
            for (pose, kept) in poses.iter().zip(&kept) {
                let answer = asker.ask(pose);
                for (mean, (_, count)) in row.counts.iter_mut().zip(&COUNTS) {
                    *mean += share * count(&answer.stats) as f64;
                }
                row.lmds += share * answer.lmds.len() as f64;
                row.unresolved += answer.stats.unresolved;
                row.poses[match kept.compare(answer, prediction) {
                    Agreement::Same => 0,
                    Agreement::SamePlaces => 1,
                    Agreement::SameMinima => 2,
                    Agreement::Different => 3,
                }] += 1;
            }
            row
        })
        .collect()
}

/// Times of the variants over that of the reference, phase by phase; in the first row the reference's mean, µs.
fn times_table(phases: &[Vec<Row>]) -> Table {
    let mut heads = vec!["variant".to_owned()];
    heads.extend(
        phases
            .iter()
            .map(|rows| format!("{}, {}", rows[0].scene, rows[0].phase)),
    );
    let mut table = Table::new(heads);
    for (index, variant) in VARIANTS.iter().enumerate() {
        let mut cells = vec![variant.name.to_owned()];
        cells.extend(phases.iter().map(|rows| {
            let reference = rows[0].total();
            if index == 0 {
                format!("{} µs", short(reference / rows[0].times.len() as f64))
            } else {
                short(rows[index].total() / reference)
            }
        }));
        table.push(cells);
    }
    table
}

/// Mean counts, minima, and at how many poses samples or minima are not the reference's.
fn counts_table<'a>(rows: impl Iterator<Item = &'a Row>) -> Table {
    let mut heads = vec!["scene".to_owned(), "variant".into()];
    heads.extend(COUNTS.iter().map(|(name, _)| (*name).to_owned()));
    heads.extend(["LMDs", "other samples", "other minima"].map(str::to_owned));
    let mut table = Table::new(heads);
    for row in rows {
        let mut cells = vec![row.scene.clone(), row.variant.name.to_owned()];
        cells.extend(row.counts.iter().map(|mean| short(*mean)));
        cells.push(short(row.lmds));
        cells.extend(row.poses[2..].iter().map(ToString::to_string));
        table.push(cells);
    }
    table
}
