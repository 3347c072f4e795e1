//! Straight pieces for pcurves.

use brepcd_brep::{Edge, Sample};
use brepcd_geom::{Point2, Surface, Vec2, Vec3};
use brepcd_tree::Settings;
use brepcd_tree::domain::{curvature_radius, lens_reach, to_piece};

/// Cosine of the angle up to which a border may run askew to its piece.
const MAX_SLOPE_COS: f64 = 0.92;
/// Share of the border's tolerance under which a distance from a piece is nothing.
const STRAIGHT: f64 = 0.25;
/// Share of a lens that a border may fill.
const LENS_SHARE: f64 = 0.5;
/// Share of the radius of curvature by which the place on the curve may differ from that on the piece.
const DRIFT: f64 = 0.5;
/// Halvings of a pcurve at most.
const MAX_DEPTH: usize = 32;
/// Samples of a piece at least, its ends among them.
const LEAST_SAMPLES: usize = 5;
/// Factor on the sampled distance from a piece that bounds the true one.
const BULGE_SLACK: f64 = 1.5;

/// A straight piece of a pcurve.
pub(super) struct Piece {
    /// Parameters of the curve at the ends.
    pub t: [f64; 2],
    /// Surface parameters at the ends.
    pub uv: [Point2; 2],
    /// How far, in each parameter, the pcurve leaves the piece.
    pub bulge: Vec2,
}

/// Flattens the pcurve through some samples.
pub(super) fn flatten(
    surface: &Surface,
    edge: &Edge,
    samples: &[Sample],
    settings: &Settings,
) -> Vec<Piece> {
    let mut out = Vec::new();
    let flattener = Flattener {
        surface,
        edge,
        settings,
    };
    flattener.run(samples, 0, &mut out);
    out
}

struct Flattener<'a> {
    surface: &'a Surface,
    edge: &'a Edge,
    settings: &'a Settings,
}

impl Flattener<'_> {
    fn run(&self, samples: &[Sample], depth: usize, out: &mut Vec<Piece>) {
        let dense = self.dense(samples);
        let middle = dense.len() / 2;
        match self.fits(&dense) {
            Some(piece) => out.push(piece),
            None if depth >= MAX_DEPTH || self.is_tiny(&dense) => out.push(piece(&dense)),
            None => {
                self.run(&dense[..=middle], depth + 1, out);
                self.run(&dense[middle..], depth + 1, out);
            }
        }
    }

    /// Samples with more between them where they are few: one in the middle misses the bulges of an S.
    fn dense(&self, samples: &[Sample]) -> Vec<Sample> {
        let mut out = samples.to_vec();
        while out.len() < LEAST_SAMPLES {
            let between: Vec<Sample> = out.windows(2).map(|w| self.between(w[0], w[1])).collect();
            let mut merged = Vec::with_capacity(2 * out.len());
            for (a, b) in out.iter().zip(between) {
                merged.extend([*a, b]);
            }
            merged.extend(out.last());
            out = merged;
        }
        out
    }

    fn between(&self, a: Sample, b: Sample) -> Sample {
        let t = 0.5 * (a.t + b.t);
        let guess = nalgebra::center(&a.uv, &b.uv);
        let p = self.edge.jet(t).p;
        let (u, v) = self.surface.invert(&p, Some((guess.x, guess.y)));
        let uv = Point2::new(u, v);
        Sample { t, uv }
    }

    /// True for a piece of curve that is all within the border's tolerance: what does not fit there never will.
    fn is_tiny(&self, samples: &[Sample]) -> bool {
        let start = self.edge.jet(samples[0].t).p;
        samples[1..]
            .iter()
            .all(|s| (self.edge.jet(s.t).p - start).norm() <= self.settings.border)
    }

    /// The piece from end to end, if the samples between stay close enough to it.
    fn fits(&self, samples: &[Sample]) -> Option<Piece> {
        let (a, b) = (samples[0], samples[samples.len() - 1]);
        for i in 1..samples.len() - 1 {
            let q = samples[i].uv;
            let jet = self.surface.jet(q.x, q.y);
            let (s, distance) = to_piece(&jet, a.uv, b.uv, q);
            let radius = curvature_radius(self.surface, &jet, q);
            let curve = self.edge.jet(samples[i].t).p;
            let drifted = self.edge.jet(a.t + (b.t - a.t) * s).p;
            if (drifted - curve).norm() > (DRIFT * radius).max(self.settings.border) {
                return None;
            }
            if distance <= STRAIGHT * self.settings.border {
                continue;
            }
            let reach = lens_reach(self.surface, &jet, q, self.settings);
            if distance.is_nan() || distance > LENS_SHARE * reach {
                return None;
            }
            let image = |d: Vec2| -> Vec3 { jet.du * d.x + jet.dv * d.y };
            let along = image(b.uv - a.uv);
            for step in [q - samples[i - 1].uv, samples[i + 1].uv - q] {
                let step = image(step);
                if step.dot(&along) < MAX_SLOPE_COS * step.norm() * along.norm() {
                    return None;
                }
            }
        }
        Some(piece(samples))
    }
}

fn piece(samples: &[Sample]) -> Piece {
    let (a, b) = (samples[0], samples[samples.len() - 1]);
    let along = b.uv - a.uv;
    let mut bulge = Vec2::zeros();
    for sample in &samples[1..samples.len() - 1] {
        let to = sample.uv - a.uv;
        // Off the piece along the axis it runs less along: the pcurve is a graph over the other one.
        let axis = along.iamax();
        let s = if along[axis] != 0.0 {
            to[axis] / along[axis]
        } else {
            0.5
        };
        bulge = bulge.sup(&((to - along * s.clamp(0.0, 1.0)).abs() * BULGE_SLACK));
    }
    Piece {
        t: [a.t, b.t],
        uv: [a.uv, b.uv],
        bulge,
    }
}
