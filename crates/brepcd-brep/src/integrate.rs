//! Integrals over trimmed faces by Green's theorem.
//!
//! For a density `f` per parameter area, `∬ f du dv = -∮ G du` with `G = ∫ f dv` from a fixed `v`: the border is all
//! that is needed, and closing pieces along a pole or a period cost nothing. The inner integral is exact for
//! polynomials of the degrees that occur; the outer one halves its pieces until both answers agree.

use crate::{Brep, Domain, Face, Segment};
use brepcd_geom::nurbs::Strip;
use brepcd_geom::quadrature::gauss_legendre;
use brepcd_geom::{Point2, Point3, Surface, Vec3};
use std::f64::consts::FRAC_PI_2;

/// Area, volume, three first and six second moments, all as surface integrals.
pub(crate) const TERMS: usize = 11;
/// Values of all terms.
pub(crate) type Terms = [f64; TERMS];

/// Sample intervals of a pcurve that are integrated in one go; the sampling puts knots at its multiples.
pub(crate) const CHUNK: usize = 6;
/// Points of the outer rule.
const OUTER_POINTS: usize = 8;
/// Halvings of a chunk at most.
const MAX_DEPTH: usize = 9;
/// Error of a chunk relative to the face's size, squared, times the part's.
const RELATIVE: f64 = 1e-11;

/// Integrates the terms of a face about a centre.
pub(crate) fn face_terms(brep: &Brep, face: &Face, centre: &Point3) -> Terms {
    let mut out = domain_terms(brep, face, &face.domain, centre);
    if face.domain.whole != 0 {
        let sign = if face.same_sense { 1.0 } else { -1.0 };
        let whole = whole_terms(&face.surface, centre, sign);
        let copies = f64::from(face.domain.whole);
        out.iter_mut()
            .zip(whole)
            .for_each(|(a, b)| *a += b * copies);
    }
    out
}

/// Integrates over what the chains of a domain enclose.
pub(crate) fn domain_terms(brep: &Brep, face: &Face, domain: &Domain, centre: &Point3) -> Terms {
    let mut out = [0.0; TERMS];
    let Some(first) = domain.chains.iter().find_map(|c| c.segments.first()) else {
        return out;
    };
    let sign = if face.same_sense { 1.0 } else { -1.0 };
    let inner = Inner::new(&face.surface, first.first().y, *centre, sign);
    let scale = Scale::of(domain, face, centre);
    for segment in domain.chains.iter().flat_map(|c| &c.segments) {
        let border = Border {
            brep,
            surface: &face.surface,
            segment,
        };
        border.integrate(&inner, &scale, &mut out);
    }
    // Chains run clockwise in the parameters where the face looks the other way.
    if !face.same_sense {
        out.iter_mut().for_each(|x| *x = -*x);
    }
    add_strips(brep, face, domain, centre, &mut out);
    out
}

/// Adds the strips between the face and its edges, which lie off it by the gaps of the file: with them neighbours meet,
/// and the volume does not depend on the centre. They add nothing to the area.
fn add_strips(brep: &Brep, face: &Face, domain: &Domain, centre: &Point3, out: &mut Terms) {
    for segment in domain.chains.iter().flat_map(|c| &c.segments) {
        let Some(edge) = segment.edge else { continue };
        let edge = &brep.edges[edge.index()];
        let mut last: Option<(Point3, Point3)> = None;
        for sample in &segment.samples {
            let here = (
                face.surface.point(sample.uv.x, sample.uv.y),
                edge.jet(sample.t).p,
            );
            if let Some(before) = last {
                let area = (here.1 - before.0).cross(&(here.0 - before.1)) * 0.5;
                let middle =
                    (before.0.coords + before.1.coords + here.0.coords + here.1.coords) * 0.25;
                add_moments(&(Point3::from(middle) - centre), &area, out);
            }
            last = Some(here);
        }
    }
}

/// Adds what a piece of surface at `p` with vector area `m` contributes to volume and moments.
fn add_moments(p: &Vec3, m: &Vec3, out: &mut Terms) {
    out[1] += p.dot(m) / 3.0;
    for i in 0..3 {
        let half_square = 0.5 * p[i] * p[i] * m[i];
        out[2 + i] += half_square;
        out[5 + i] += half_square * p[i] * (2.0 / 3.0);
        out[8 + i] += half_square * p[(i + 1) % 3];
    }
}

/// Signed volume of the cone from a centre to a face from every `step`-th sample of its border, to a few per cent.
pub(crate) fn rough_volume(face: &Face, centre: &Point3, step: usize) -> f64 {
    let sign = if face.same_sense { 1.0 } else { -1.0 };
    let mut volume = 0.0;
    if let Some(first) = face.domain.chains.iter().find_map(|c| c.segments.first()) {
        let inner = Inner {
            points: ROUGH_POINTS,
            ..Inner::new(&face.surface, first.first().y, *centre, sign)
        };
        for segment in face.domain.chains.iter().flat_map(|c| &c.segments) {
            let last = segment.samples.len() - 1;
            for from in (0..last).step_by(step) {
                let (a, b) = (
                    segment.samples[from].uv,
                    segment.samples[(from + step).min(last)].uv,
                );
                if a.x != b.x {
                    let mid = nalgebra::center(&a, &b);
                    let mut g = [0.0; TERMS];
                    inner.piece(mid.x, inner.from, mid.y, &mut g);
                    volume -= g[1] * (b.x - a.x);
                }
            }
        }
        volume *= sign;
    }
    if face.domain.whole != 0 {
        volume += f64::from(face.domain.whole) * whole_terms(&face.surface, centre, sign)[1];
    }
    volume
}

/// Points of the inner rule where a few per cent do.
const ROUGH_POINTS: usize = 4;

/// Integrates over one whole closed surface; `sign` is -1 if the material lies on the side of `du × dv`.
pub(crate) fn whole_terms(surface: &Surface, centre: &Point3, sign: f64) -> Terms {
    let (du, dv) = surface.domain();
    let mut out = [0.0; TERMS];
    if ![du.lo, du.hi, dv.lo, dv.hi].iter().all(|x| x.is_finite()) {
        return out;
    }
    let inner = Inner::new(surface, dv.lo, *centre, sign);
    let mut knots = vec![du.lo];
    match surface {
        Surface::Nurbs(_) => knots.extend(surface.breaks_u()),
        _ => knots.extend((1..8).map(|i| du.at(f64::from(i) / 8.0))),
    }
    knots.push(du.hi);
    for span in knots.windows(2) {
        for &(x, w) in gauss_legendre(WHOLE_POINTS) {
            let half = 0.5 * (span[1] - span[0]);
            let g = inner.at(0.5 * (span[0] + span[1]) + half * x, dv.hi);
            out.iter_mut().zip(g).for_each(|(a, g)| *a += w * half * g);
        }
    }
    out
}

/// Points of the outer rule on a whole surface, per span.
const WHOLE_POINTS: usize = 16;

/// Lengths against which errors are judged.
struct Scale {
    tolerance: Terms,
}

impl Scale {
    fn of(domain: &Domain, face: &Face, centre: &Point3) -> Self {
        let mut bounds = brepcd_geom::Aabb::EMPTY;
        let mut reach = 0.0f64;
        let segments = domain.chains.iter().flat_map(|c| &c.segments);
        for segment in segments.filter(|s| s.edge.is_some()) {
            for sample in segment.samples.iter().step_by(CHUNK / 2) {
                let p = face.surface.point(sample.uv.x, sample.uv.y);
                bounds.include(&p);
                reach = reach.max((p - centre).norm());
            }
        }
        let reach = reach.max(bounds.diagonal());
        let area = RELATIVE * bounds.diagonal().powi(2);
        let power = |term: usize| match term {
            0 => 0,
            1 => 1,
            2..=4 => 2,
            _ => 3,
        };
        let tolerance = std::array::from_fn(|i| area * reach.powi(power(i)));
        Self { tolerance }
    }

    fn meets(&self, a: &Terms, b: &Terms) -> bool {
        (0..TERMS).all(|i| (a[i] - b[i]).abs() <= self.tolerance[i])
    }
}

/// The inner integral `G`.
#[derive(Clone)]
struct Inner<'a> {
    surface: &'a Surface,
    from: f64,
    centre: Point3,
    sign: f64,
    points: usize,
    /// Interior knots in v, with the period if closed.
    breaks: Vec<f64>,
    period: Option<(f64, f64)>,
}

impl<'a> Inner<'a> {
    fn new(surface: &'a Surface, from: f64, centre: Point3, sign: f64) -> Self {
        let (mut breaks, mut period) = (Vec::new(), None);
        let points = match surface {
            Surface::Plane(_) | Surface::Cylinder(_) => 2,
            Surface::Cone(_) => 3,
            Surface::Sphere(_) | Surface::Torus(_) => 10,
            Surface::Nurbs(n) => {
                breaks = n.breaks_v();
                if let Some(p) = n.periods()[1] {
                    period = Some((n.domain().1.lo, p));
                }
                if n.is_rational() {
                    12
                } else {
                    (5 * n.degree_v).div_ceil(2).clamp(3, 16)
                }
            }
        };
        Self {
            surface,
            from,
            centre,
            sign,
            points,
            breaks,
            period,
        }
    }

    /// The same measured from another `v`.
    fn starting_at(&self, from: f64) -> Self {
        Self {
            from,
            ..self.clone()
        }
    }

    /// The pole nearest to a `v`.
    fn nearest_pole(&self, v: f64) -> Option<f64> {
        self.surface
            .poles()
            .into_iter()
            .flatten()
            .min_by(|a, b| (a - v).abs().total_cmp(&(b - v).abs()))
    }

    /// `G` at a parameter pair.
    fn at(&self, u: f64, v: f64) -> Terms {
        let mut out = [0.0; TERMS];
        match self.surface {
            Surface::Sphere(_) | Surface::Torus(_) => {
                let pieces = ((v - self.from).abs() / FRAC_PI_2)
                    .ceil()
                    .clamp(1.0, MAX_PIECES) as usize;
                let step = (v - self.from) / pieces as f64;
                for i in 0..pieces {
                    let a = self.from + step * i as f64;
                    self.piece(u, a, a + step, &mut out);
                }
            }
            Surface::Nurbs(n) => self.spans(&n.strip(u), v, &mut out),
            Surface::Plane(_) | Surface::Cylinder(_) | Surface::Cone(_) => {
                self.piece(u, self.from, v, &mut out)
            }
        }
        out
    }

    /// Piece by piece between knots, also past the period of a closed surface.
    fn spans(&self, strip: &Strip<'_>, v: f64, out: &mut Terms) {
        let (lo, hi) = (self.from.min(v), self.from.max(v));
        let direction = if v < self.from { -1.0 } else { 1.0 };
        let mut part = [0.0; TERMS];
        let mut at = lo;
        let mut advance = |to: f64| {
            if to > at {
                let (mid, half) = (0.5 * (at + to), 0.5 * (to - at));
                for &(x, w) in gauss_legendre(self.points) {
                    let (p, du, dv) = strip.at(mid + half * x);
                    self.add(&p, &du.cross(&dv), w * half, &mut part);
                }
                at = to;
            }
        };
        match self.period {
            None => self
                .breaks
                .iter()
                .filter(|b| **b > lo && **b < hi)
                .for_each(|b| advance(*b)),
            Some((start, period)) => {
                let first = ((lo - start) / period).floor();
                let turns = ((hi - start) / period).floor() - first;
                for turn in 0..=turns.min(MAX_PIECES) as i64 {
                    let by = (first + turn as f64) * period;
                    let seam = std::iter::once(start);
                    for b in seam.chain(self.breaks.iter().copied()).map(|b| b + by) {
                        if b > lo && b < hi {
                            advance(b);
                        }
                    }
                }
            }
        }
        advance(hi);
        out.iter_mut()
            .zip(part)
            .for_each(|(a, b)| *a += direction * b);
    }

    fn piece(&self, u: f64, a: f64, b: f64, out: &mut Terms) {
        let (mid, half) = (0.5 * (a + b), 0.5 * (b - a));
        for &(x, w) in gauss_legendre(self.points) {
            let jet = self.surface.jet(u, mid + half * x);
            self.add(&jet.p, &jet.du.cross(&jet.dv), w * half, out);
        }
    }

    /// Adds the densities at a point with normal `n`, times a weight.
    fn add(&self, p: &Point3, n: &Vec3, weight: f64, out: &mut Terms) {
        out[0] += n.norm() * weight;
        add_moments(&(p - self.centre), &(n * (self.sign * weight)), out);
    }
}

/// Quarter turns or periods an inner integral may span before its parameters are nonsense.
const MAX_PIECES: f64 = 64.0;

/// One piece of border.
struct Border<'a> {
    brep: &'a Brep,
    surface: &'a Surface,
    segment: &'a Segment,
}

impl Border<'_> {
    fn integrate(&self, inner: &Inner<'_>, scale: &Scale, out: &mut Terms) {
        let samples = &self.segment.samples;
        let Some(edge) = self.segment.edge else {
            self.straight([samples[0].uv, samples[1].uv], inner, scale, out);
            return;
        };
        let edge = &self.brep.edges[edge.index()];
        let exact = matches!(self.surface, Surface::Plane(_))
            && matches!(edge.curve, brepcd_geom::Curve::Line(_));
        let mut from = 0;
        while from + 1 < samples.len() {
            let to = (from + CHUNK).min(samples.len() - 1);
            let chunk = &samples[from..=to];
            let at = |t: f64| -> (Point2, f64) {
                let ahead = chunk[chunk.len() - 1].t > chunk[0].t;
                let i = chunk
                    .partition_point(|s| if ahead { s.t < t } else { s.t > t })
                    .clamp(1, chunk.len() - 1);
                let (a, b) = (&chunk[i - 1], &chunk[i]);
                let share = (t - a.t) / (b.t - a.t);
                let guess = a.uv + (b.uv - a.uv) * share;
                let curve = edge.jet(t);
                let (u, v) = self.surface.invert(&curve.p, Some((guess.x, guess.y)));
                (Point2::new(u, v), foot_speed(self.surface, &curve, u, v))
            };
            let (a, b) = (&chunk[0], &chunk[chunk.len() - 1]);
            // Towards a pole `u` is noise: measure `G` from there and add what is left out, which is straight.
            let from_pole = inner
                .nearest_pole(0.5 * (a.uv.y + b.uv.y))
                .map(|pole| (pole, inner.starting_at(pole)));
            if let Some((pole, _)) = &from_pole {
                let ends = [a.uv.x, b.uv.x].map(|u| Point2::new(u, *pole));
                self.straight(ends, inner, scale, out);
            }
            let inner = from_pole.as_ref().map_or(inner, |(_, inner)| inner);
            let part = self.rule(a.t, b.t, inner, &at);
            if exact {
                out.iter_mut().zip(part).for_each(|(o, p)| *o += p);
            } else {
                self.refine(a.t, b.t, part, inner, scale, 0, out, &at);
            }
            from = to;
        }
    }

    /// `-∫ G du` along a straight line.
    fn straight(&self, ends: [Point2; 2], inner: &Inner<'_>, scale: &Scale, out: &mut Terms) {
        if ends[0].x != ends[1].x {
            let at = |s: f64| (ends[0] + (ends[1] - ends[0]) * s, ends[1].x - ends[0].x);
            let part = self.rule(0.0, 1.0, inner, &at);
            self.refine(0.0, 1.0, part, inner, scale, 0, out, &at);
        }
    }

    /// `-∫ G du` between two parameters.
    fn rule(&self, a: f64, b: f64, inner: &Inner<'_>, at: &dyn Fn(f64) -> (Point2, f64)) -> Terms {
        let (mid, half) = (0.5 * (a + b), 0.5 * (b - a));
        let mut out = [0.0; TERMS];
        for &(x, w) in gauss_legendre(OUTER_POINTS) {
            let (uv, du) = at(mid + half * x);
            if du != 0.0 {
                let g = inner.at(uv.x, uv.y);
                out.iter_mut()
                    .zip(g)
                    .for_each(|(o, g)| *o -= w * half * du * g);
            }
        }
        out
    }

    fn refine(
        &self,
        a: f64,
        b: f64,
        coarse: Terms,
        inner: &Inner<'_>,
        scale: &Scale,
        depth: usize,
        out: &mut Terms,
        at: &dyn Fn(f64) -> (Point2, f64),
    ) {
        let mid = 0.5 * (a + b);
        let left = self.rule(a, mid, inner, at);
        let right = self.rule(mid, b, inner, at);
        let fine: Terms = std::array::from_fn(|i| left[i] + right[i]);
        if depth >= MAX_DEPTH || scale.meets(&coarse, &fine) {
            out.iter_mut().zip(fine).for_each(|(o, f)| *o += f);
        } else {
            self.refine(a, mid, left, inner, scale, depth + 1, out, at);
            self.refine(mid, b, right, inner, scale, depth + 1, out, at);
        }
    }
}

/// `du/dt` of the foot of a moving point: the conditions of the foot, differentiated.
fn foot_speed(surface: &Surface, curve: &brepcd_geom::CurveJet, u: f64, v: f64) -> f64 {
    let j = surface.jet(u, v);
    let r = curve.p - j.p;
    let a = j.du.norm_squared() - r.dot(&j.duu);
    let b = j.du.dot(&j.dv) - r.dot(&j.duv);
    let c = j.dv.norm_squared() - r.dot(&j.dvv);
    let (x, y) = (curve.d1.dot(&j.du), curve.d1.dot(&j.dv));
    let speed = (c * x - b * y) / (a * c - b * b);
    if speed.is_finite() { speed } else { 0.0 }
}
