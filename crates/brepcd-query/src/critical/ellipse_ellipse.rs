//! Ellipse × ellipse: all solutions on the torus of both angles; equal ellipses above each other are a family.

use super::chains::follow;
use super::oval::Oval;
use super::two_angles::{Spot, TwoAngles};
use super::{FamilyKind, Outcome, Pair, Pairs, Tolerance};
use brepcd_geom::curve::Ellipse;

/// Appends the stationary pairs of `a` and `b` to `out`.
pub fn stationary(a: &Ellipse, b: &Ellipse, tol: &Tolerance, out: &mut Pairs) -> Outcome {
    let equations = TwoAngles::new(Oval::ellipse(b, &a.frame), [a.rx, a.ry]);
    let Some(spots) = equations.isolated() else {
        return along_chains(a, &equations, tol, out);
    };
    let mut outcome = Outcome::Isolated;
    for spot in spots.as_slice() {
        outcome = outcome.and(out.push_isolated(pair(a, &equations.oval, spot, tol)));
    }
    outcome
}

/// The pairs where they fill a curve, or nearly.
fn along_chains(a: &Ellipse, equations: &TwoAngles, tol: &Tolerance, out: &mut Pairs) -> Outcome {
    let chains = follow(equations, tol.length);
    let mut outcome = if chains.complete {
        Outcome::Isolated
    } else {
        Outcome::Unresolved
    };
    for spot in chains.families.as_slice() {
        let pair = pair(a, &equations.oval, spot, tol);
        outcome = outcome.and(out.push_family(pair, FamilyKind::Ring));
    }
    for spot in chains.spots.as_slice() {
        outcome = outcome.and(out.push_isolated(pair(a, &equations.oval, spot, tol)));
    }
    outcome
}

/// The pair at these angles of the ellipse and of a curve in its frame.
fn pair(a: &Ellipse, oval: &Oval, spot: &Spot, tol: &Tolerance) -> Pair {
    let (frame, Spot { t, u }) = (&a.frame, *spot);
    let (p, v) = (oval.point(t), oval.tangent(t));
    let swept = frame.x * v.x + frame.y * v.y + frame.z * v.z;
    let own = frame.y * (a.ry * u.c) - frame.x * (a.rx * u.s);
    Pair::of_curves(
        frame.point(a.rx * u.c, a.ry * u.s, 0.0),
        u.radians(),
        frame.point(p.x, p.y, p.z),
        t.radians(),
        [own / own.norm(), swept / v.norm()],
        a.rx.max(a.ry) + p.norm(),
        tol,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::critical::oracle::{Core, Random, agree, assert_stationary};
    use brepcd_geom::Frame;

    fn distances(pairs: &Pairs) -> Vec<f64> {
        let mut list: Vec<f64> = pairs.as_slice().iter().map(|p| p.distance()).collect();
        list.sort_by(f64::total_cmp);
        list
    }

    #[test]
    fn chains_find_the_same_or_tell() {
        let mut random = Random::new(39);
        let mut complete = 0;
        for _ in 0..300 {
            let (a, b) = (random.ellipse(), random.ellipse());
            let equations = TwoAngles::new(Oval::ellipse(&b, &a.frame), [a.rx, a.ry]);
            let (tol, mut out) = (Tolerance::default(), Pairs::new());
            if along_chains(&a, &equations, &tol, &mut out) == Outcome::Unresolved {
                continue;
            }
            complete += 1;
            agree(&Core::Ellipse(a), &Core::Ellipse(b), |tol, out| {
                along_chains(&a, &equations, tol, out)
            });
        }
        assert!(complete > 290, "{complete}");
    }

    #[test]
    fn equal_ellipses_above_each_other() {
        let mut random = Random::new(40);
        let tol = Tolerance::default();
        for off in [0.0, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-3] {
            for i in 0..40 {
                let a = random.ellipse();
                let height = if i % 4 == 0 { 0.0 } else { random.signed() };
                let mut b = a;
                b.frame.origin += a.frame.z * height + random.vector() * off;
                if i % 2 == 0 {
                    let hint = a.frame.x + random.vector() * off;
                    let z = a.frame.z + random.vector() * off;
                    b.frame = Frame::from_z_and_hint(b.frame.origin, z, Some(hint)).unwrap();
                }
                let mut out = Pairs::new();
                let outcome = stationary(&a, &b, &tol, &mut out);
                assert_ne!(outcome, Outcome::Unresolved, "{off} {a:?} {b:?}");
                let is_family = outcome == Outcome::Family(FamilyKind::Ring);
                // A shift changes the distance in the second order only, so that a small one does not count.
                let tilted = i % 2 == 0 && height != 0.0;
                // Where they cross, the slope of the distance is a product of two small numbers, soon rounding.
                let noisy = height == 0.0 && off < 1e-4;
                assert!(is_family || off > 0.0, "{off} {i}");
                assert!(!is_family || off == 0.0 || !tilted, "{off} {i}");
                for pair in out.as_slice() {
                    let tolerance = match pair.family {
                        Some(_) => 1e-9 + 4.0 * off,
                        None if noisy => off.max(1e-13),
                        None => 1e-13,
                    };
                    assert_stationary(&Core::Ellipse(a), &Core::Ellipse(b), pair, 1.0, tolerance);
                }
                let nearest = distances(&out)[0];
                let sampled = (0..400)
                    .map(|k| {
                        let t = 0.0157 * k as f64;
                        let p = b.point(t);
                        let at = |u: f64| (a.point(u) - p).norm();
                        // The foot is near the same angle; the distance there is flat.
                        let (mut lo, mut hi) = (t - 0.1, t + 0.1);
                        for _ in 0..60 {
                            let (x, y) = (lo + 0.4 * (hi - lo), lo + 0.6 * (hi - lo));
                            if at(x) < at(y) { hi = y } else { lo = x }
                        }
                        at(lo)
                    })
                    .fold(f64::INFINITY, f64::min);
                let slack = if is_family || noisy {
                    2.0 * off + 1e-12
                } else {
                    1e-13
                };
                assert!(nearest <= sampled + slack, "{off}: {nearest} {sampled}");
            }
        }
    }

    #[test]
    fn round_ellipses_are_circles() {
        let mut random = Random::new(41);
        let tol = Tolerance::default();
        for i in 0..400 {
            let a = random.circle();
            let mut b = random.circle();
            if i % 2 == 0 {
                let off = [1e-8, 1e-6, 1e-4][i % 3];
                let origin = a.frame.point(0.0, 0.0, 0.7) + random.unit() * off;
                b.frame = Frame::from_z(origin, a.frame.z + random.vector() * off).unwrap();
            }
            let ellipse = |c: &brepcd_geom::curve::Circle| Ellipse {
                frame: c.frame,
                rx: c.radius,
                ry: c.radius,
            };
            let (mut round, mut out) = (Pairs::new(), Pairs::new());
            let expected = crate::critical::circle_circle::stationary(&a, &b, &tol, &mut round);
            let outcome = stationary(&ellipse(&a), &ellipse(&b), &tol, &mut out);
            assert_eq!(outcome, expected, "{i} {a:?} {b:?}");
            let (round, out) = (distances(&round), distances(&out));
            assert_eq!(round.len(), out.len(), "{i} {a:?} {b:?}");
            for (x, y) in round.iter().zip(&out) {
                assert!((x - y).abs() < 1e-12, "{x} {y}");
            }
        }
    }

    #[test]
    fn agrees_with_sampling() {
        let mut random = Random::new(38);
        for _ in 0..1000 {
            let (a, b) = (random.ellipse(), random.ellipse());
            agree(&Core::Ellipse(a), &Core::Ellipse(b), |t, out| {
                stationary(&a, &b, t, out)
            });
        }
    }
}
