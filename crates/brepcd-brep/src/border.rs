//! Exact membership of a parameter point in a face's domain.
//!
//! The samples of a pcurve decide everywhere but near the border. There the piece of border is halved, on the true
//! pcurve, until the point is clear of it.

use crate::{Brep, Edge, Face, Sample};
use brepcd_geom::{Interval, Point2, Surface, Vec2};

/// Share of a piece's box by which the true pcurve may leave the box of its ends.
const BULGE: f64 = 0.3;
/// Halvings until a point counts as on the border.
const MAX_DEPTH: usize = 40;
/// Distance from a piece of border, relative to the parameters' size, under which rounding decides the side.
const ON_LINE: f64 = 1e-12;
/// Steps aside, relative to the parameters' size, for points on a line: a seam or a closing line is no border.
const ASIDE: [(f64, f64); 4] = [
    (1e-8, 1.7e-8),
    (-1.3e-8, 0.9e-8),
    (0.7e-8, -1.9e-8),
    (-1.1e-8, -1.5e-8),
];
/// Periods a chain may span at most before it is nonsense.
const MAX_COPIES: i64 = 64;

impl Brep {
    /// True if the parameters lie inside the face; on the border either answer is given.
    pub fn face_contains(&self, face: &Face, u: f64, v: f64) -> bool {
        let q = Point2::new(u, off_pole(&face.surface, v));
        let enough = |winding: i32| {
            (if face.same_sense { winding } else { -winding }) + face.domain.whole >= 1
        };
        let (winding, clear) = self.winding(face, q);
        if clear {
            return enough(winding);
        }
        let (in_u, in_v) = self.domain_box(face);
        let size = |i: Interval| {
            if i.length().is_finite() {
                i.length()
            } else {
                1.0
            }
        };
        let scale = Vec2::new(size(in_u), size(in_v));
        let beside =
            |(x, y): (f64, f64)| self.winding(face, q + Vec2::new(x, y).component_mul(&scale));
        let aside = ASIDE.into_iter().map(beside).find(|(_, clear)| *clear);
        enough(aside.map_or(winding, |(winding, _)| winding))
    }

    /// How often the borders run around a point, and whether rounding had no say in it.
    fn winding(&self, face: &Face, q: Point2) -> (i32, bool) {
        let periods = face.surface.periods();
        let (mut winding, mut clear) = (0, true);
        for chain in &face.domain.chains {
            let (mut lo, mut hi) = (
                Point2::new(f64::MAX, f64::MAX),
                Point2::new(f64::MIN, f64::MIN),
            );
            for sample in chain.segments.iter().flat_map(|s| &s.samples) {
                lo = lo.inf(&sample.uv);
                hi = hi.sup(&sample.uv);
            }
            let copies = |axis: usize| match periods[axis] {
                Some(period) => {
                    let first = ((lo[axis] - q[axis]) / period - BULGE).ceil() as i64;
                    let last = ((hi[axis] - q[axis]) / period + BULGE).floor() as i64;
                    (first, last.min(first.saturating_add(MAX_COPIES)), period)
                }
                None => (0, 0, 0.0),
            };
            let (in_u, in_v) = (copies(0), copies(1));
            for i in in_u.0..=in_u.1 {
                for j in in_v.0..=in_v.1 {
                    let q = Point2::new(q.x + i as f64 * in_u.2, q.y + j as f64 * in_v.2);
                    for segment in &chain.segments {
                        let edge = segment.edge.map(|e| &self.edges[e.index()]);
                        for w in segment.samples.windows(2) {
                            winding += piece(&face.surface, edge, w[0], w[1], q, 0, &mut clear);
                        }
                    }
                }
            }
        }
        (winding, clear)
    }
}

/// Signed crossings of a piece of border with the ray from `q` along u.
fn piece(
    surface: &Surface,
    edge: Option<&Edge>,
    a: Sample,
    b: Sample,
    q: Point2,
    depth: usize,
    clear: &mut bool,
) -> i32 {
    let (lo, hi) = (a.uv.inf(&b.uv), a.uv.sup(&b.uv));
    let margin = BULGE * (hi - lo).amax();
    let near = (0..2).all(|i| q[i] >= lo[i] - margin && q[i] <= hi[i] + margin);
    if let (true, Some(edge)) = (near, edge) {
        if depth < MAX_DEPTH {
            let t = 0.5 * (a.t + b.t);
            let guess = nalgebra::center(&a.uv, &b.uv);
            let (u, v) = surface.invert(&edge.jet(t).p, Some((guess.x, guess.y)));
            let mid = Sample {
                t,
                uv: Point2::new(u, v),
            };
            return piece(surface, Some(edge), a, mid, q, depth + 1, clear)
                + piece(surface, Some(edge), mid, b, q, depth + 1, clear);
        }
        *clear = false;
    }
    if (a.uv.y <= q.y) == (b.uv.y <= q.y) {
        return 0;
    }
    let along = b.uv - a.uv;
    let left = along.perp(&(q - a.uv));
    if left.abs() <= ON_LINE * along.norm() * (q.coords.norm() + along.norm()) {
        *clear = false;
    }
    match b.uv.y > a.uv.y {
        true if left > 0.0 => 1,
        false if left < 0.0 => -1,
        _ => 0,
    }
}

/// The `v` itself, or one beside the pole for points on it, where the borders that end there do not matter.
fn off_pole(surface: &Surface, v: f64) -> f64 {
    let range = surface.domain().1;
    let apex = surface
        .poles()
        .into_iter()
        .flatten()
        .min_by(|a, b| (a - v).abs().total_cmp(&(b - v).abs()));
    let Some(apex) = apex else { return v };
    let span = if range.length().is_finite() {
        range.length()
    } else {
        apex.abs().max(1.0)
    };
    if (v - apex).abs() > BESIDE * span {
        v
    } else if apex == range.lo {
        apex + BESIDE * span
    } else {
        apex - BESIDE * span
    }
}

/// Share of the range by which a point beside a pole lies off it.
const BESIDE: f64 = 1e-7;
