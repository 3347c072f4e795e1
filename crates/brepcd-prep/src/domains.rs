//! The parameter domain of every face feature: the borders of its faces on one surface.
//!
//! The faces of a feature may come with parametrisations of their own; all their pcurves are carried to the feature's
//! reference surface. What two of its faces share, and what one face runs along twice, is no border. The rest is
//! flattened into straight pieces as few as the allowed distance permits, each tied to its exact curve.

mod chart;
mod flatten;
mod range;

use crate::features::{FaceFeature, Features};
use brepcd_brep::{Brep, EdgeId, FaceId, Sample, VertexId};
use brepcd_geom::{Curve, Interval, Point2, Surface, Vec2};
use brepcd_tree::{Border, Settings, TrimId};
use chart::Chart;
use std::collections::BTreeMap;

/// Share of an edge's range by which two runs along it may differ and still be the same.
const SAME_RUN: f64 = 1e-9;
/// Factor on the length tolerance within which the ends of edges that share a vertex are made to meet.
const SNAP: f64 = 100.0;

/// The domains of all face features.
#[derive(Clone, Debug, Default)]
pub struct Domains {
    /// The curves of the edges that are borders.
    pub trims: Vec<Curve>,
    /// Their edges.
    pub trim_edge: Vec<EdgeId>,
    /// The domain of every face feature.
    pub faces: Vec<FaceDomain>,
}

/// The domain of a face feature.
#[derive(Clone, Debug)]
pub struct FaceDomain {
    /// Straight pieces of border, those of one run along an edge in running order.
    pub borders: Vec<Border>,
    /// How far, in each parameter, the true border leaves its piece.
    pub bulges: Vec<Vec2>,
    /// One fundamental range that holds all of the domain: a full period where it wraps.
    pub range: (Interval, Interval),
    /// True for a whole closed surface without border.
    pub whole: bool,
    /// For every source face the box of its domain in the reference parameters, where known.
    pub boxes: Vec<Option<(Interval, Interval)>>,
}

/// One run along an edge in reference parameters.
struct Line {
    edge: EdgeId,
    samples: Vec<Sample>,
}

impl Line {
    fn ends(&self) -> [f64; 2] {
        [self.samples[0].t, self.samples[self.samples.len() - 1].t]
    }
}

/// Builds the domains of all face features.
pub fn build(brep: &Brep, features: &Features, settings: &Settings) -> Domains {
    let mut out = Domains::default();
    let mut trim_of: BTreeMap<EdgeId, TrimId> = BTreeMap::new();
    for feature in &features.faces {
        let charts: Vec<Option<Chart>> = feature
            .faces
            .iter()
            .map(|id| Chart::between(brep, *id, &feature.surface))
            .collect();
        let mut lines = Vec::new();
        for (id, chart) in feature.faces.iter().zip(&charts) {
            collect(brep, *id, chart.as_ref(), &feature.surface, &mut lines);
        }
        let mut lines = without_shared(brep, lines);
        snap(brep, &feature.surface, &mut lines);
        let (mut borders, mut bulges) = (Vec::new(), Vec::new());
        for line in &lines {
            let edge = &brep.edges[line.edge.index()];
            let trim = *trim_of.entry(line.edge).or_insert_with(|| {
                out.trims.push(edge.curve.clone());
                out.trim_edge.push(line.edge);
                TrimId::at(out.trims.len() - 1)
            });
            for piece in flatten::flatten(&feature.surface, edge, &line.samples, settings) {
                borders.push(Border {
                    trim,
                    t: piece.t,
                    uv: piece.uv,
                });
                bulges.push(piece.bulge);
            }
        }
        out.faces
            .push(face_domain(brep, feature, &charts, borders, bulges));
    }
    out
}

fn face_domain(
    brep: &Brep,
    feature: &FaceFeature,
    charts: &[Option<Chart>],
    borders: Vec<Border>,
    bulges: Vec<Vec2>,
) -> FaceDomain {
    let boxes: Vec<Option<(Interval, Interval)>> = feature
        .faces
        .iter()
        .zip(charts)
        .map(|(id, chart)| {
            let face = &brep.faces[id.index()];
            chart
                .as_ref()
                .and_then(|chart| range::face_box(face, chart, &feature.surface))
        })
        .collect();
    let slack = bulges.iter().fold(Vec2::zeros(), |a, b| a.sup(b));
    let range = range::of_boxes(&feature.surface, &boxes, slack);
    FaceDomain {
        whole: borders.is_empty(),
        borders,
        bulges,
        range,
        boxes,
    }
}

/// Appends the pcurves of a face on the reference surface.
fn collect(brep: &Brep, id: FaceId, chart: Option<&Chart>, surface: &Surface, out: &mut Vec<Line>) {
    let face = &brep.faces[id.index()];
    for segment in face.domain.chains.iter().flat_map(|c| &c.segments) {
        let Some(edge) = segment.edge.filter(|_| segment.samples.len() > 1) else {
            continue;
        };
        let samples = match chart {
            Some(chart) => segment
                .samples
                .iter()
                .map(|s| Sample {
                    t: s.t,
                    uv: chart.carry(brep, edge, s, surface),
                })
                .collect(),
            None => chart::tracked(brep, edge, &segment.samples, surface),
        };
        out.push(Line { edge, samples });
    }
}

/// Drops what is run along in both directions.
fn without_shared(brep: &Brep, lines: Vec<Line>) -> Vec<Line> {
    let mut of_edge: BTreeMap<EdgeId, Vec<usize>> = BTreeMap::new();
    for (i, line) in lines.iter().enumerate() {
        of_edge.entry(line.edge).or_default().push(i);
    }
    let mut keep = vec![true; lines.len()];
    for (edge, runs) in of_edge {
        let slack = SAME_RUN * brep.edges[edge.index()].range().length();
        for (n, &i) in runs.iter().enumerate() {
            let [a, b] = lines[i].ends();
            let opposite = |&&j: &&usize| {
                let [c, d] = lines[j].ends();
                keep[j] && (a - d).abs() <= slack && (b - c).abs() <= slack
            };
            if keep[i]
                && let Some(&j) = runs[n + 1..].iter().find(opposite)
            {
                keep[i] = false;
                keep[j] = false;
            }
        }
    }
    lines
        .into_iter()
        .zip(keep)
        .filter_map(|(line, keep)| keep.then_some(line))
        .collect()
}

/// Makes runs that share a vertex meet there exactly, up to whole periods.
fn snap(brep: &Brep, surface: &Surface, lines: &mut [Line]) {
    let reach = SNAP * brep.tolerance.length;
    let mut met: BTreeMap<VertexId, Vec<Point2>> = BTreeMap::new();
    for line in lines {
        let edge = &brep.edges[line.edge.index()];
        let last = line.samples.len() - 1;
        for at in [0, last] {
            let t = line.samples[at].t;
            let vertex = match t {
                _ if t == edge.t[0] => edge.start,
                _ if t == edge.t[1] => edge.end,
                _ => continue,
            };
            let uv = line.samples[at].uv;
            let jet = surface.jet(uv.x, uv.y);
            // At a pole the parameters are free and the borders need not meet in them.
            let shortest = jet.du.norm().min(jet.dv.norm());
            if shortest <= reach {
                continue;
            }
            let places = met.entry(vertex).or_default();
            let near = places.iter().find_map(|place| {
                let place = nearest_copy(surface, *place, uv);
                let gap = place - uv;
                ((jet.du * gap.x + jet.dv * gap.y).norm() <= reach).then_some(place)
            });
            match near {
                Some(place) => line.samples[at].uv = place,
                None => places.push(uv),
            }
        }
    }
}

/// The copy of a point, by whole periods, nearest to another.
pub(crate) fn nearest_copy(surface: &Surface, p: Point2, to: Point2) -> Point2 {
    let mut out = p;
    for (axis, period) in surface.periods().into_iter().enumerate() {
        if let Some(period) = period {
            out[axis] += ((to[axis] - p[axis]) / period).round() * period;
        }
    }
    out
}
