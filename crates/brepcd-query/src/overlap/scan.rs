//! All zeros of a function on an interval from bounds on its derivatives.
//!
//! Between two samples the function stays within `bend · length² / 8` of the chord. Where that keeps it off zero there is
//! nothing to find; where it forbids a change of direction a change of sign is one zero; else the interval is halved.
//! Distances from an axis or a point bend without bound near it, and far away they hardly do: such a function is bound
//! anew for halves, and by its slope where it bends too much.

use super::few::Few;
use brepcd_geom::Interval;

/// Intervals that wait at most: every halving leaves one behind.
const WAITING: usize = 48;
/// Values of the function asked for at most.
const BUDGET: usize = 400;
/// Steps to a bracketed zero at most.
const STEPS: usize = 80;

#[derive(Clone, Copy)]
struct Span {
    t: [f64; 2],
    f: [f64; 2],
    /// Bound on the second derivative.
    bend: f64,
}

/// Appends the zeros of `f` over a range where its second derivative is at most `bend`.
///
/// Values up to `floor` count as zero; double zeros, and pairs between which no larger value is reached, may be left
/// out.
pub(super) fn zeros(f: impl Fn(f64) -> f64, range: Interval, bend: f64, floor: f64, out: &mut Few) {
    zeros_of_uneven(f, range, f64::INFINITY, |_| bend, floor, out);
}

/// As [`zeros`], where the first derivative is at most `slope` and the second one over a part of the range at most what
/// `bend` says of it.
pub(super) fn zeros_of_uneven(
    f: impl Fn(f64) -> f64,
    range: Interval,
    slope: f64,
    bend: impl Fn(Interval) -> f64,
    floor: f64,
    out: &mut Few,
) {
    let first = Span {
        t: [range.lo, range.hi],
        f: [f(range.lo), f(range.hi)],
        bend: bend(range),
    };
    let mut waiting = [first; WAITING];
    let mut count = 1;
    let mut left = BUDGET;
    while count > 0 {
        count -= 1;
        let mut span = waiting[count];
        let length = span.t[1] - span.t[0];
        let most = slope * length;
        let same_sign = (span.f[0] >= 0.0) == (span.f[1] >= 0.0);
        if same_sign && span.f[0].abs() + span.f[1].abs() > most {
            continue;
        }
        // Such a bound says less than the slope does.
        if span.bend * length > slope && length < range.length() {
            let [lo, hi] = span.t;
            span.bend = span.bend.min(bend(Interval { lo, hi }));
        }
        let sag = 0.125 * span.bend * length * length;
        let rise = span.f[1] - span.f[0];
        let last = sag.min(0.5 * most) <= floor || left == 0 || count + 2 > WAITING;
        if same_sign {
            if last || stays_off_zero(&span, rise, sag) {
                continue;
            }
        } else if last || rise.abs() > 4.0 * sag {
            out.push(bracketed(&f, span, floor));
            continue;
        }
        let mid = 0.5 * (span.t[0] + span.t[1]);
        let value = f(mid);
        left -= 1;
        // The lower half comes last, so that it is looked at next and zeros come in order.
        waiting[count] = Span {
            t: [mid, span.t[1]],
            f: [value, span.f[1]],
            bend: span.bend,
        };
        waiting[count + 1] = Span {
            t: [span.t[0], mid],
            f: [span.f[0], value],
            bend: span.bend,
        };
        count += 2;
    }
}

/// True if a function with these values of one sign has no zero between them.
fn stays_off_zero(span: &Span, rise: f64, sag: f64) -> bool {
    if rise.abs() >= 4.0 * sag {
        return true;
    }
    let mean = 0.5 * (span.f[0] + span.f[1]).abs();
    mean > sag + rise * rise / (16.0 * sag)
}

/// The zero between two values of different sign: false position with halved weights (Illinois), guarded by bisection.
fn bracketed(f: &impl Fn(f64) -> f64, span: Span, floor: f64) -> f64 {
    let Span {
        t: [mut a, mut b],
        f: [mut fa, mut fb],
        ..
    } = span;
    let mut width = b - a;
    let mut kept = None;
    for step in 0..STEPS {
        let mut t = (a * fb - b * fa) / (fb - fa);
        if !(t > a && t < b) || (step % 3 == 2 && b - a > 0.25 * width) {
            t = 0.5 * (a + b);
        }
        if step % 3 == 2 {
            width = b - a;
        }
        let value = f(t);
        if value.abs() <= floor || !(t > a && t < b) {
            return t;
        }
        // Only an end that stays twice in a row gets half its weight: else no step would gain more than the last.
        if (value >= 0.0) == (fa >= 0.0) {
            fb *= if kept == Some(1) { 0.5 } else { 1.0 };
            (a, fa, kept) = (t, value, Some(1));
        } else {
            fa *= if kept == Some(0) { 0.5 } else { 1.0 };
            (b, fb, kept) = (t, value, Some(0));
        }
        if b - a <= 4.0 * f64::EPSILON * (a.abs() + b.abs()) {
            break;
        }
    }
    0.5 * (a + b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zeros_of(f: impl Fn(f64) -> f64, lo: f64, hi: f64, bend: f64) -> Vec<f64> {
        let mut out = Few::EMPTY;
        zeros(f, Interval { lo, hi }, bend, 1e-16, &mut out);
        out.as_slice().to_vec()
    }

    #[test]
    fn finds_all_zeros_in_order() {
        let found = zeros_of(f64::sin, 0.5, 20.0, 1.0);
        assert_eq!(found.len(), 6);
        for (i, t) in found.iter().enumerate() {
            assert!((t - (i + 1) as f64 * std::f64::consts::PI).abs() < 1e-13);
        }
    }

    #[test]
    fn finds_close_pairs_and_no_near_misses() {
        for gap in [1e-2, 1e-4, 1e-6, 1e-9, 1e-12] {
            let found = zeros_of(|t| (t - 0.3) * (t - 0.3) - gap, 0.0, 1.0, 2.0);
            assert_eq!(found.len(), 2, "{gap}");
            for t in found {
                assert!(((t - 0.3).abs() - gap.sqrt()).abs() < 1e-14 / gap.sqrt());
            }
            assert!(zeros_of(|t| (t - 0.3) * (t - 0.3) + gap, 0.0, 1.0, 2.0).is_empty());
        }
    }

    /// The distance from an axis that a straight way passes at a distance `off`, less a radius.
    fn zeros_near_axis(from: f64, to: f64, off: f64, radius: f64) -> (Vec<f64>, usize) {
        let asked = std::cell::Cell::new(0);
        let value = |t: f64| {
            asked.set(asked.get() + 1);
            t.hypot(off) - radius
        };
        // As a bound from a ball around the middle of the way has it: none if the axis is in the ball.
        let bend = |part: Interval| {
            let nearest = part.mid().hypot(off) - 0.5 * part.length();
            if nearest > 0.0 {
                1.0 / nearest
            } else {
                f64::INFINITY
            }
        };
        let mut out = Few::EMPTY;
        let range = Interval { lo: from, hi: to };
        zeros_of_uneven(value, range, 1.0, bend, 1e-9, &mut out);
        (out.as_slice().to_vec(), asked.get())
    }

    #[test]
    fn finds_what_is_near_an_axis() {
        for i in 0..400 {
            let from = -1.0 - 0.37 * f64::from(i % 20);
            let to = 1.0 + 0.23 * f64::from(i / 20);
            for off in [0.0, 1e-12, 1e-6, 1e-3, 0.1] {
                for above in [1e-5, 1e-3, 0.3] {
                    let radius = off + above;
                    let (found, asked) = zeros_near_axis(from, to, off, radius);
                    let half = (radius * radius - off * off).sqrt();
                    assert_eq!(found.len(), 2, "{from} {to} {off} {radius}");
                    for (t, exact) in found.iter().zip([-half, half]) {
                        assert!((t - exact).abs() < 1e-8 * radius / half);
                    }
                    assert!(asked < 100, "{from} {to} {off} {radius}: {asked}");
                }
                if off > 0.0 {
                    let (found, asked) = zeros_near_axis(from, to, off, 0.5 * off);
                    assert!(found.is_empty() || off < 1e-9);
                    assert!(asked < 100, "{from} {to} {off}: {asked}");
                }
            }
        }
    }

    #[test]
    fn ends_and_infinities_do_no_harm() {
        assert_eq!(zeros_of(|t| t, -1.0, 0.0, 0.0).len(), 1);
        assert!(zeros_of(|_| f64::NAN, -1.0, 1.0, 1.0).len() <= 12);
        assert!(zeros_of(|t| 1.0 / t, 0.0, 1.0, f64::INFINITY).len() <= 12);
    }
}
