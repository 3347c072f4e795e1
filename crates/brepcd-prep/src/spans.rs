//! The parts of a curve that several edges on it cover.

use brepcd_brep::Edge;
use brepcd_geom::{Curve, Frame, Interval, Point3, Vec3};

use crate::carriers::Scale;

/// Length of a round curve per unit of its parameter, at least; 1 for others.
pub(crate) fn radius(curve: &Curve) -> f64 {
    match curve {
        Curve::Circle(c) => c.radius,
        Curve::Ellipse(c) => c.rx.min(c.ry),
        Curve::Line(_) | Curve::Hyperbola(_) | Curve::Parabola(_) | Curve::Nurbs(_) => 1.0,
    }
}

/// The part of the reference curve that an edge covers.
pub(crate) fn span(reference: &Curve, edge: &Edge, own: bool) -> Interval {
    if own {
        return edge.range();
    }
    let [from, to] = [edge.range().lo, edge.range().hi].map(|t| edge.jet(t).p);
    let turned = |frame: &Frame, p: &Point3, rx: f64, ry: f64, z: &Vec3| {
        let local = frame.local(p);
        let t = (local.y / ry).atan2(local.x / rx);
        let length = edge.range().length();
        if frame.z.dot(z) >= 0.0 {
            Interval::new(t, t + length)
        } else {
            Interval::new(t - length, t)
        }
    };
    match (reference, &edge.curve) {
        (Curve::Line(l), _) => {
            let at = |p: Point3| l.dir.dot(&(p - l.origin));
            Interval::new(at(from), at(to))
        }
        (Curve::Circle(c), Curve::Circle(own)) => turned(&c.frame, &from, 1.0, 1.0, &own.frame.z),
        (Curve::Ellipse(c), Curve::Ellipse(own)) => {
            turned(&c.frame, &from, c.rx, c.ry, &own.frame.z)
        }
        _ => edge.range(),
    }
}

/// Spans that touch made one, and those of a closed curve put into one period from where it starts.
pub(crate) fn merged(mut spans: Vec<Interval>, curve: &Curve, scale: &Scale) -> Vec<Interval> {
    if spans.len() < 2 {
        return spans;
    }
    let slack = 2.0 * scale.length / radius(curve).max(f64::MIN_POSITIVE);
    let period = curve.period();
    if let Some(period) = period {
        for span in &mut spans {
            let lo = span.lo.rem_euclid(period);
            *span = Interval {
                lo,
                hi: lo + span.length(),
            };
        }
    }
    spans.sort_by(|a, b| a.lo.total_cmp(&b.lo));
    let mut out: Vec<Interval> = Vec::with_capacity(spans.len());
    for span in spans {
        match out.last_mut() {
            Some(last) if span.lo <= last.hi + slack => last.hi = last.hi.max(span.hi),
            _ => out.push(span),
        }
    }
    if let Some(period) = period
        && let Some(mut last) = out.pop()
    {
        // What the last one reaches past the period.
        let swallowed = out
            .iter()
            .take_while(|s| s.lo + period <= last.hi + slack)
            .count();
        for span in out.drain(..swallowed) {
            last.hi = last.hi.max(span.hi + period);
        }
        if last.length() >= period - slack {
            last.hi = last.lo + period;
        }
        out.push(last);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use brepcd_geom::curve::{Circle, Line};
    use std::f64::consts::{PI, TAU};

    #[test]
    fn spans_of_a_circle_merge_across_its_start() {
        let curve = Curve::Circle(Circle {
            frame: Frame::world(),
            radius: 2.0,
        });
        let scale = Scale {
            centre: Point3::origin(),
            size: 10.0,
            length: 1e-5,
            angle: 1e-4,
        };
        let merge = |spans: &[(f64, f64)]| {
            let spans = spans.iter().map(|s| Interval::new(s.0, s.1)).collect();
            merged(spans, &curve, &scale)
        };
        let two = merge(&[(0.0, 1.0), (2.0, 3.0), (TAU - 1.0, TAU)]);
        assert_eq!(two.len(), 2);
        assert!((two[1].length() - 2.0).abs() < 1e-12 && (two[0].lo - 2.0).abs() < 1e-12);
        let whole = merge(&[(1.0, 1.0 + PI), (1.0 - PI, 1.0)]);
        assert_eq!(whole.len(), 1);
        assert!((whole[0].length() - TAU).abs() < 1e-15 * 8.0);
        let apart = merge(&[(-1.0, 0.5), (1.0, 2.0), (8.0, 8.1)]);
        assert_eq!(apart.len(), 2);
    }

    #[test]
    fn spans_of_a_line_merge_where_they_touch() {
        let curve = Curve::Line(Line {
            origin: Point3::origin(),
            dir: Vec3::x(),
        });
        let scale = Scale {
            centre: Point3::origin(),
            size: 10.0,
            length: 1e-5,
            angle: 1e-4,
        };
        let spans = [(4.0, 5.0), (-1.0, 1.0), (1.0 + 1e-6, 2.0), (4.2, 4.3)];
        let spans = spans.map(|s| Interval::new(s.0, s.1)).to_vec();
        let wanted = [(-1.0, 2.0), (4.0, 5.0)].map(|s| Interval::new(s.0, s.1));
        assert_eq!(merged(spans, &curve, &scale), wanted);
    }
}
