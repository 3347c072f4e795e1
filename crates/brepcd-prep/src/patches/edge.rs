//! Patches of edges: pieces along which neither the curve nor the normals of its two faces turn too far.

use super::{PatchOwner, RawBezier, RawMembership, RawPatch, shifts};
use crate::features::{EdgeFeature, FaceFeature, Features};
use brepcd_geom::nurbs::BezierCurve;
use brepcd_geom::{Curve, Interval, Point3, Vec3};
use brepcd_tree::Settings;

/// Steps along a piece at which directions are compared.
const STEPS: usize = 8;
/// Halvings at most.
const MAX_DEPTH: usize = 12;
/// Parts that one split makes at most.
const MAX_PARTS: f64 = 64.0;
/// Relative excess of a turn that is only rounding.
const ROUNDING: f64 = 1e-9;
/// Share of a Bézier piece under which an overlap with a span is none.
const NO_OVERLAP: f64 = 1e-9;

/// Splits one edge feature.
pub(super) fn split(
    features: &Features,
    index: usize,
    settings: &Settings,
    out: &mut Vec<RawPatch>,
) {
    let feature = &features.edges[index];
    let mut splitter = Splitter {
        feature,
        sides: feature.sides.map(|side| features.faces.get(side)),
        settings,
        owner: PatchOwner::Edge(index),
        guesses: [None; 2],
        out,
    };
    for span in &feature.spans {
        if !(span.lo.is_finite() && span.hi.is_finite()) {
            continue;
        }
        let Curve::Nurbs(nurbs) = &feature.curve else {
            splitter.refine(*span, 0, None);
            continue;
        };
        let period = nurbs.period().unwrap_or(0.0);
        for piece in nurbs.decompose() {
            for by in shifts(piece.domain, *span, period) {
                let mut piece = piece.clone();
                piece.domain.lo += by;
                piece.domain.hi += by;
                if let Some(piece) = restricted(piece, *span) {
                    splitter.refine(piece.domain, 0, Some(piece));
                }
            }
        }
    }
}

/// The part of a piece in a span.
fn restricted(mut piece: BezierCurve, span: Interval) -> Option<BezierCurve> {
    let domain = piece.domain;
    let (lo, hi) = (domain.lo.max(span.lo), domain.hi.min(span.hi));
    let least = NO_OVERLAP * domain.length();
    if hi - lo <= least {
        return None;
    }
    if lo > domain.lo {
        piece = piece.split(lo).1;
    }
    if hi < domain.hi {
        piece = piece.split(hi).0;
    }
    Some(piece)
}

struct Splitter<'a> {
    feature: &'a EdgeFeature,
    sides: [Option<&'a FaceFeature>; 2],
    settings: &'a Settings,
    owner: PatchOwner,
    /// Where on the sides the last point was.
    guesses: [Option<(f64, f64)>; 2],
    out: &'a mut Vec<RawPatch>,
}

impl Splitter<'_> {
    fn refine(&mut self, span: Interval, depth: usize, bezier: Option<BezierCurve>) {
        let (turn, length) = self.turn(span);
        let most = 2.0 * self.settings.max_angle;
        let enough = turn <= most * (1.0 + ROUNDING)
            || length <= self.settings.min_size
            || depth >= MAX_DEPTH;
        if enough {
            self.out.push(RawPatch {
                feature: self.owner,
                u: span,
                v: Interval { lo: 0.0, hi: 0.0 },
                membership: RawMembership::Inside,
                bezier: bezier.map(RawBezier::Curve),
            });
            return;
        }
        if let Some(bezier) = bezier {
            let (a, b) = bezier.split(span.mid());
            self.refine(a.domain, depth + 1, Some(a));
            self.refine(b.domain, depth + 1, Some(b));
            return;
        }
        let parts = (turn / most - ROUNDING).ceil().clamp(2.0, MAX_PARTS);
        let at = |i: f64| {
            if i == parts {
                span.hi
            } else {
                span.at(i / parts)
            }
        };
        for i in 0..parts as usize {
            let part = Interval {
                lo: at(i as f64),
                hi: at(i as f64 + 1.0),
            };
            self.refine(part, depth + 1, None);
        }
    }

    /// The furthest way that the tangent or a side's normal turns along a piece, and the piece's length.
    fn turn(&mut self, span: Interval) -> (f64, f64) {
        let curve = &self.feature.curve;
        let mut turns = [0.0; 3];
        let mut last: [Option<Vec3>; 3] = [None; 3];
        let mut length = 0.0;
        let mut before: Option<Point3> = None;
        for i in 0..=STEPS {
            let jet = curve.jet(span.at(i as f64 / STEPS as f64));
            length += before.map_or(0.0, |p| (jet.p - p).norm());
            before = Some(jet.p);
            let mut here = [jet.d1.try_normalize(0.0), None, None];
            for (k, side) in self.sides.iter().enumerate() {
                if let Some(side) = side {
                    let (u, v) = side.surface.invert(&jet.p, self.guesses[k]);
                    self.guesses[k] = Some((u, v));
                    here[k + 1] = side.surface.normal(u, v);
                }
            }
            for k in 0..3 {
                if let (Some(a), Some(b)) = (&last[k], &here[k]) {
                    turns[k] += a.cross(b).norm().atan2(a.dot(b));
                }
                last[k] = here[k].or(last[k]);
            }
        }
        (turns.into_iter().fold(0.0, f64::max), length)
    }
}
