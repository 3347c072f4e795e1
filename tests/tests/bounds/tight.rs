//! How much larger bounds are than they need be.

use std::collections::BTreeMap;
use std::f64::consts::TAU;

use brepcd::geom::{Point3, Vec3};
use brepcd::tree::{Kinds, Shape};

use crate::case::{Case, Random};
use crate::sample::{self, Probe};
use crate::sphere::{box_size, dilated_hull, smallest_box};

/// Dilation that every cone gets.
const LEAST_DILATION: f64 = 2e-6;
/// Points of a patch, enough to fill it.
const POINTS: usize = 400;

/// Factors of one kind of feature.
#[derive(Default, Clone)]
pub struct Row {
    pub patches: usize,
    /// Patches that hold nothing of their face but points of its border.
    pub hollow: usize,
    /// Cones that are the whole sphere though they need not be.
    pub whole: usize,
    pub boxes: Factor,
    pub cones: [Cones; 2],
}

/// Cones with one dilation.
#[derive(Default, Clone)]
pub struct Cones {
    /// Solid angle of the polyhedral cone over that of the dilated hull of the normals.
    pub factor: Factor,
    circular: f64,
    polyhedral: f64,
}

impl Cones {
    /// How much larger circular cones are than polyhedral ones, over all patches.
    pub fn gain(&self) -> f64 {
        self.circular / self.polyhedral
    }
}

/// Values of a factor, and where the worst is.
#[derive(Default, Clone)]
pub struct Factor {
    values: Vec<f64>,
    pub worst: f64,
    pub at: String,
}

impl Factor {
    fn add(&mut self, factor: f64, at: impl Fn() -> String) {
        self.values.push(factor);
        if factor > self.worst {
            self.worst = factor;
            self.at = at();
        }
    }

    pub fn mean(&self) -> f64 {
        self.values.iter().sum::<f64>() / self.values.len().max(1) as f64
    }

    pub fn least(&self) -> f64 {
        self.values.iter().copied().fold(f64::INFINITY, f64::min)
    }

    pub fn median(&self) -> f64 {
        let mut values = self.values.clone();
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
    }
}

/// Rows by the bit of the kind.
pub type Table = BTreeMap<u16, Row>;

/// Measures some patches of every kind of a part, preprocessed with no and with some dilation of cones.
pub fn measure(cases: [&Case; 2], patches: usize, table: &mut Table) {
    let case = cases[0];
    let mut random = Random(3);
    let mut left: BTreeMap<u16, usize> = BTreeMap::new();
    let along = |patches: usize| POINTS / 4 * patches;
    let mut edges = sample::of_edges(case, &along, &mut random);
    let n = case.part.patches.len();
    assert_eq!(n, cases[1].part.patches.len(), "dilation moves no patch");
    // Scattered over the part.
    let stride = (n as f64 * 0.618) as usize;
    let stride = (stride.max(1)..)
        .find(|s| gcd(*s, n.max(1)) == 1)
        .unwrap_or(1);
    for k in 0..n {
        let index = k * stride % n;
        let feature = &case.part.features[case.patch(index).feature.index()];
        let left = left.entry(feature.kind.bits()).or_insert(patches);
        if *left == 0 {
            continue;
        }
        *left -= 1;
        let probes = match &feature.shape {
            Shape::Face { .. } => sample::of_face(case, index, POINTS, &mut random),
            Shape::Edge { .. } => edges.remove(&index).unwrap_or_default(),
            Shape::Vertex { point, tangents } => vec![Probe {
                point: *point,
                normals: sample::of_polar(
                    &case.part.tangents[tangents.range()],
                    2 * POINTS,
                    &mut random,
                ),
            }],
        };
        let row = table.entry(feature.kind.bits()).or_default();
        row.patches += 1;
        if sample::is_hollow(case, index, POINTS, &mut random) {
            row.hollow += 1;
            continue;
        }
        add_cones(cases, index, &probes, row);
        add_box(case, index, &probes, row, &mut random);
    }
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn add_cones(cases: [&Case; 2], index: usize, probes: &[Probe], row: &mut Row) {
    let normals: Vec<Vec3> = probes.iter().flat_map(|p| p.normals.clone()).collect();
    for (case, cones) in cases.iter().zip(&mut row.cones) {
        let node = &case.part.nodes[case.above[index][0]];
        let angle = case.part.header.settings.regularization.max(LEAST_DILATION);
        let Some(least) = dilated_hull(&normals, angle) else {
            continue;
        };
        if node.cone.is_whole() {
            row.whole += 1;
            continue;
        }
        let solid_angle = node.cone.solid_angle();
        let at = || format!("{} patch {index}", case.name);
        cones.factor.add(solid_angle / least, at);
        // 2 π (1 - cos), but sharp for narrow cones.
        cones.circular += 2.0 * TAU * (0.5 * node.circle.half_angle()).sin().powi(2);
        cones.polyhedral += solid_angle;
    }
}

fn add_box(case: &Case, index: usize, probes: &[Probe], row: &mut Row, random: &mut Random) {
    let node = &case.part.nodes[case.above[index][0]];
    let mut points: Vec<Point3> = probes.iter().map(|p| p.point).collect();
    let patch = case.patch(index);
    if let Shape::Edge { curve, .. } = &case.part.features[patch.feature.index()].shape {
        points.extend((0..=60).map(|k| curve.point(patch.u.at(f64::from(k) / 60.0))));
    }
    if points.len() > 30 {
        let least = smallest_box(&points, node.obb.axes, random);
        let at = || format!("{} patch {index}", case.name);
        row.boxes.add(box_size(&node.obb.half) / least, at);
    }
}

/// The name of a kind.
pub fn name(bits: u16) -> String {
    let kind = Kinds::from_bits_retain(bits);
    let name = kind.iter_names().next().map_or("", |(name, _)| name);
    name.to_lowercase().replace('_', " ")
}

/// Prints the table, then where the worst are.
pub fn print(table: &Table) {
    println!(
        "| kind | patches | hollow | whole | box | worst | cone, median | gain | cone, 3° | worst | gain, 3° |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    for (bits, row) in table {
        let (hollow, whole) = (row.hollow, row.whole);
        let boxes = if row.boxes.values.is_empty() {
            "– | –".into()
        } else {
            format!("{:.3} | {:.2}", row.boxes.mean(), row.boxes.worst)
        };
        let [plain, dilated] = &row.cones;
        let gain = plain.gain();
        let digits = if gain < 1e3 { 2 } else { 0 };
        println!(
            "| {} | {} | {hollow} | {whole} | {boxes} | {:.2} | {gain:.digits$} | {:.2} | {:.2} | {:.2} |",
            name(*bits),
            row.patches,
            plain.factor.median(),
            dilated.factor.mean(),
            dilated.factor.worst,
            dilated.gain(),
        );
    }
    for (bits, row) in table {
        let [plain, dilated] = row.cones.each_ref().map(|c| &c.factor.at);
        let (name, boxes) = (name(*bits), &row.boxes.at);
        println!("{name}: worst box {boxes}, cones {plain}, {dilated}");
    }
}
