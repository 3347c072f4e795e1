//! The smallest parameter rectangle of a domain, a full period where it wraps.

use super::chart::Chart;
use brepcd_brep::Face;
use brepcd_geom::{Interval, Point2, Surface, Vec2};

/// Share of a period up to which a gap is none.
const FULL: f64 = 1e-9;

/// The box of a face's domain in reference parameters; `None` if that is the whole surface.
pub(super) fn face_box(
    face: &Face,
    chart: &Chart,
    reference: &Surface,
) -> Option<(Interval, Interval)> {
    let samples = face
        .domain
        .chains
        .iter()
        .flat_map(|c| &c.segments)
        .flat_map(|s| &s.samples);
    let (mut lo, mut hi) = (
        Point2::new(f64::MAX, f64::MAX),
        Point2::new(f64::MIN, f64::MIN),
    );
    for sample in samples {
        let uv = chart.apply(sample.uv);
        lo = lo.inf(&uv);
        hi = hi.sup(&uv);
    }
    let finite = lo.iter().chain(hi.iter()).all(|x| x.is_finite());
    if face.domain.whole != 0 || lo.x > hi.x || !finite {
        return None;
    }
    let side = |axis: usize| {
        let (lo, hi) = (lo[axis], hi[axis]);
        match reference.periods()[axis] {
            Some(period) if hi - lo >= period * (1.0 - FULL) => Interval {
                lo,
                hi: lo + period,
            },
            _ => Interval { lo, hi },
        }
    };
    Some((side(0), side(1)))
}

/// The fundamental range that holds all boxes, grown by `slack` where it is not closed.
pub(super) fn of_boxes(
    surface: &Surface,
    boxes: &[Option<(Interval, Interval)>],
    slack: Vec2,
) -> (Interval, Interval) {
    let (domain_u, domain_v) = surface.domain();
    let periods = surface.periods();
    let of = |axis: usize, domain: Interval| {
        let sides: Option<Vec<Interval>> = boxes
            .iter()
            .map(|b| b.map(|(u, v)| if axis == 0 { u } else { v }))
            .collect();
        let Some(sides) = sides.filter(|s| !s.is_empty()) else {
            return domain;
        };
        match periods[axis] {
            Some(period) => around(&sides, period, slack[axis]),
            None => {
                let lo = sides.iter().fold(f64::INFINITY, |a, s| a.min(s.lo));
                let hi = sides.iter().fold(f64::NEG_INFINITY, |a, s| a.max(s.hi));
                Interval {
                    lo: domain.clamp(lo - slack[axis]),
                    hi: domain.clamp(hi + slack[axis]),
                }
            }
        }
    };
    (of(0, domain_u), of(1, domain_v))
}

/// The shortest arc that holds all given ones.
fn around(sides: &[Interval], period: f64, slack: f64) -> Interval {
    let full = |lo: f64| Interval {
        lo,
        hi: lo + period,
    };
    if let Some(side) = sides.iter().find(|s| s.length() >= period * (1.0 - FULL)) {
        return full(side.lo);
    }
    let base = sides[0].lo;
    let mut arcs: Vec<Interval> = sides
        .iter()
        .map(|s| {
            let lo = base + (s.lo - base).rem_euclid(period);
            Interval {
                lo,
                hi: lo + s.length(),
            }
        })
        .collect();
    arcs.sort_by(|a, b| a.lo.total_cmp(&b.lo));
    // The widest gap, as its end and width; the last arcs may reach into the next period.
    let mut reach = arcs.iter().fold(f64::MIN, |a, s| a.max(s.hi)) - period;
    let (mut start, mut widest) = (base, f64::MIN);
    for arc in &arcs {
        if arc.lo - reach > widest {
            (start, widest) = (arc.lo, arc.lo - reach);
        }
        reach = reach.max(arc.hi);
    }
    if widest <= FULL * period + 2.0 * slack {
        return full(start);
    }
    Interval {
        lo: start - slack,
        hi: start + period - widest + slack,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arcs_around_a_period() {
        let at = |lo: f64, hi: f64| Interval { lo, hi };
        let near = |a: Interval, b: Interval| (a.lo - b.lo).abs() + (a.hi - b.hi).abs() < 1e-12;
        assert!(near(around(&[at(3.0, 4.0)], 10.0, 0.0), at(3.0, 4.0)));
        let two = [at(9.0, 10.5), at(1.0, 2.0)];
        assert!(near(around(&two, 10.0, 0.0), at(9.0, 12.0)));
        let split = [at(0.0, 5.0), at(5.0, 10.0)];
        assert!((around(&split, 10.0, 0.0).length() - 10.0).abs() < 1e-12);
        let whole = [at(1.0, 2.0), at(4.0, 14.0)];
        assert!(near(around(&whole, 10.0, 0.0), at(4.0, 14.0)));
        let turns = [at(23.0, 24.0), at(-16.5, -15.0)];
        let arc = around(&turns, 10.0, 0.1);
        assert!((arc.length() - 2.2).abs() < 1e-12, "{arc:?}");
    }
}
