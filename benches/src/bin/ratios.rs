//! Prints how fast queries along the trajectories are, beside parry3d on meshes, in one run and on one core.

use std::cell::RefCell;

use brepcd_benches::arguments::Arguments;
use brepcd_benches::columns::{
    self, CONTACTS, CONTACTS_ALONG, CONTACTS_DEFAULT, Findings, MIN_DISTANCE, PEER_CONTACTS,
    PEER_DISTANCE,
};
use brepcd_benches::counts;
use brepcd_benches::peer::MeshPair;
use brepcd_benches::scene::{PHASES, SCENES, Scene};
use brepcd_benches::table::{Table, short};
use brepcd_benches::times::{largest, median, quantile};
use serde_json::{Value, json};

const USAGE: &str = "usage: ratios [--scene NAME] [--phase NAME] [--stride N] [--passes N] [--prediction MM] [--markdown | --json]

Times queries along the trajectories of data/scenes, ours and parry3d's, on the same poses.
  --scene NAME       only this scene: coneplug, hotstab
  --phase NAME       only this phase: free, insert, lock, extract
  --stride N         every N-th pose of a phase (10)
  --passes N         times to go along the poses; the best time of each pose counts (3)
  --prediction MM    how far contacts are looked for, by both engines (twice the gap of the scene)
  --markdown         tables as in docs/performance.md
  --json             everything, for programs";

/// One phase of one scene.
struct Row {
    scene: String,
    phase: String,
    /// Name and best times of each column, µs.
    times: Vec<(&'static str, Vec<f64>)>,
    findings: Findings,
}

impl Row {
    fn times(&self, name: &str) -> &[f64] {
        let column = self.times.iter().find(|(column, _)| *column == name);
        column.map(|(_, times)| times.as_slice()).unwrap_or(&[])
    }

    fn median(&self, name: &str) -> f64 {
        median(self.times(name))
    }

    fn json(&self) -> Value {
        let times = self.times.iter().map(|(name, times)| {
            let value = json!({
                "median_us": median(times), "p99_us": quantile(times, 0.99), "max_us": largest(times),
            });
            (name.replace(' ', "_"), value)
        });
        json!({
            "scene": self.scene,
            "phase": self.phase,
            "poses": self.findings.lmds.len(),
            "times": times.collect::<serde_json::Map<String, Value>>(),
            "lmds_median": median(&self.findings.lmds),
            "parry_points_median": median(&self.findings.peer_points),
            "overlapping": self.findings.overlapping,
            "meshes_touch": self.findings.meshes_touch,
            "counts_median": counts::json(&self.findings.stats),
            "manifolds_over_contacts": self.median(PEER_CONTACTS) / self.median(CONTACTS),
            "distance_over_min_distance": self.median(PEER_DISTANCE) / self.median(MIN_DISTANCE),
        })
    }
}

fn main() {
    let values = ["--scene", "--phase", "--stride", "--passes", "--prediction"];
    let arguments = Arguments::read(USAGE, &values, &["--markdown", "--json"]);
    let stride = arguments.get("--stride").unwrap_or(10);
    let passes = arguments.get("--passes").unwrap_or(3);
    let phases = arguments.choose("--phase", &PHASES, &PHASES);
    let mut rows = Vec::new();
    for name in arguments.choose("--scene", &SCENES, &SCENES) {
        let scene = Scene::load(name);
        let prediction = arguments.get("--prediction").unwrap_or(2.0 * scene.gap);
        let peer = RefCell::new(MeshPair::new(&scene.meshes));
        for phase in &phases {
            let poses = scene.poses(phase, stride);
            let findings = columns::find(&scene, &peer, &poses, prediction);
            let mut columns = columns::of_scene(&scene, &peer, prediction);
            let times = columns::measure(&mut columns, &poses, passes);
            rows.push(Row {
                scene: scene.name.clone(),
                phase: (*phase).to_owned(),
                times: columns.iter().map(|c| c.name).zip(times).collect(),
                findings,
            });
        }
    }
    if arguments.has("--json") {
        let rows: Vec<Value> = rows.iter().map(Row::json).collect();
        println!("{}", serde_json::to_string_pretty(&rows).expect("JSON"));
        return;
    }
    let markdown = arguments.has("--markdown");
    println!("{}", times_table(&rows).text(markdown));
    println!("{}", ratio_table(&rows).text(markdown));
    print!("{}", counts_table(&rows).text(markdown));
}

/// Times of ours, µs.
fn times_table(rows: &[Row]) -> Table {
    let mut heads = vec!["scene".to_owned(), "phase".into(), "poses".into()];
    let ours = [CONTACTS, CONTACTS_ALONG, CONTACTS_DEFAULT, MIN_DISTANCE];
    for name in ours {
        heads.extend(["median", "p99", "max"].map(|what| format!("{name}: {what}")));
    }
    let mut table = Table::new(heads);
    for row in rows {
        let mut cells = vec![
            row.scene.clone(),
            row.phase.clone(),
            row.findings.lmds.len().to_string(),
        ];
        for name in ours {
            let times = row.times(name);
            let three = [median(times), quantile(times, 0.99), largest(times)];
            cells.extend(three.map(short));
        }
        table.push(cells);
    }
    table
}

/// Medians of ours and the peer's, µs, and what one is of the other.
fn ratio_table(rows: &[Row]) -> Table {
    let mut table = Table::new([
        "scene",
        "phase",
        CONTACTS,
        CONTACTS_ALONG,
        PEER_CONTACTS,
        "ratio",
        "ratio along",
        MIN_DISTANCE,
        PEER_DISTANCE,
        "ratio",
        "LMDs",
        "parry points",
        "meshes touch",
    ]);
    for row in rows {
        let [ours, peer] = [row.median(CONTACTS), row.median(PEER_CONTACTS)];
        let along = row.median(CONTACTS_ALONG);
        let [least, peer_least] = [row.median(MIN_DISTANCE), row.median(PEER_DISTANCE)];
        table.push(vec![
            row.scene.clone(),
            row.phase.clone(),
            short(ours),
            short(along),
            short(peer),
            short(peer / ours),
            short(peer / along),
            short(least),
            short(peer_least),
            short(peer_least / least),
            short(median(&row.findings.lmds)),
            short(median(&row.findings.peer_points)),
            format!(
                "{} of {}",
                row.findings.meshes_touch,
                row.findings.lmds.len()
            ),
        ]);
    }
    table
}

/// Medians of the counts of `contacts`.
fn counts_table(rows: &[Row]) -> Table {
    let mut heads = vec!["scene".to_owned(), "phase".into()];
    heads.extend(counts::names());
    let mut table = Table::new(heads);
    for row in rows {
        let mut cells = vec![row.scene.clone(), row.phase.clone()];
        let medians = counts::medians(&row.findings.stats);
        cells.extend(medians.into_iter().map(|value| format!("{value:.0}")));
        table.push(cells);
    }
    table
}
