use super::*;
use crate::nurbs::curve::tests::circle;
use crate::nurbs::lift;
use crate::oracle::{Random, grid, seeds};

/// A torus (major 3, minor 1) over [0, 4]²: the product of two rational circles.
pub(crate) fn torus() -> NurbsSurface {
    let c = circle();
    let mut control = Vec::new();
    for a in &c.control {
        for b in &c.control {
            let (p, q) = (project(a), project(b));
            let r = 3.0 + q.x;
            control.push(lift(&Point3::new(p.x * r, p.y * r, q.y), a.w * b.w));
        }
    }
    NurbsSurface::new(2, 2, c.knots.clone(), c.knots.clone(), 9, 9, control).unwrap()
}

pub(crate) fn wavy() -> NurbsSurface {
    let mut control = Vec::new();
    for i in 0..6 {
        for j in 0..5 {
            let (x, y) = (i as f64, j as f64);
            let p = Point3::new(x, y + 0.1 * x.sin(), (x * 0.9).sin() + (y * 1.1).cos());
            control.push(lift(&p, 1.0 + 0.2 * (x + 2.0 * y).sin()));
        }
    }
    let ku = vec![-1.0, 0.0, 0.2, 1.0, 1.5, 2.0, 3.0, 3.5, 4.0, 9.0];
    let kv = vec![0.0, 0.0, 0.0, 0.4, 0.4, 1.0, 1.0, 1.0];
    NurbsSurface::new(3, 2, ku, kv, 6, 5, control).unwrap()
}

#[test]
fn jets_match_finite_differences() {
    let s = wavy();
    let h = 1e-5;
    for (u, v) in [(1.1, 0.1), (1.7, 0.5), (2.8, 0.9)] {
        let j = s.jet(u, v);
        let (a, b) = (s.jet(u + h, v), s.jet(u - h, v));
        let (c, d) = (s.jet(u, v + h), s.jet(u, v - h));
        let k = 0.5 / h;
        assert!(((a.p - b.p) * k - j.du).norm() < 1e-6);
        assert!(((c.p - d.p) * k - j.dv).norm() < 1e-6);
        assert!(((a.du - b.du) * k - j.duu).norm() < 1e-5);
        assert!(((a.dv - b.dv) * k - j.duv).norm() < 1e-5);
        assert!(((c.dv - d.dv) * k - j.dvv).norm() < 1e-5);
    }
}

#[test]
fn torus_is_closed_and_inverts() {
    let s = torus();
    assert_eq!(s.periods(), [Some(4.0), Some(4.0)]);
    for k in 0..60 {
        let (u, v) = ((0.37 * k as f64) % 4.0, (0.91 * k as f64) % 4.0);
        let p = s.point(u, v);
        let ring = p.x.hypot(p.y) - 3.0;
        assert!((ring.hypot(p.z) - 1.0).abs() < 1e-13);
        let off = p + s.normal(u, v).unwrap() * 0.3;
        for guess in [None, Some((u + 0.2, v - 0.15)), Some((u + 4.1, v - 8.0))] {
            let (a, b) = s.invert(&off, guess);
            assert!((s.point(a, b) - p).norm() < 1e-7, "{k} {guess:?}");
            if let Some((gu, gv)) = guess {
                assert!((a - gu).abs() <= 2.0 && (b - gv).abs() <= 2.0);
            }
        }
    }
    let (du, dv) = s.domain();
    let b = s.bounding_box(du, dv);
    assert!((b.max - Point3::new(4.0, 4.0, 1.0)).norm() < 1e-3 && b.max.z >= 1.0 - 1e-12);
    assert!((b.max.x - 4.0).abs() < 1e-9);
}

#[test]
fn feet_on_a_torus_are_the_four() {
    let s = torus();
    let mut feet = Vec::new();
    s.feet(&Point3::new(4.0, 1.0, 0.7), &mut feet);
    let mut got: Vec<f64> = feet.iter().map(|f| f.distance).collect();
    got.sort_by(f64::total_cmp);
    let r = 17f64.sqrt();
    let (near, far) = ((r - 3.0).hypot(0.7), (r + 3.0).hypot(0.7));
    let mut expected = [(near - 1.0).abs(), near + 1.0, far - 1.0, far + 1.0];
    expected.sort_by(f64::total_cmp);
    assert_eq!(got.len(), 4, "{got:?}");
    for (a, b) in got.iter().zip(expected) {
        assert!((a - b).abs() < 1e-10);
    }
    // from the axis every circle of feet is a family
    let mut feet = Vec::new();
    s.feet(&Point3::new(0.0, 0.0, 0.5), &mut feet);
    assert_eq!(feet.len(), 2, "{feet:?}");
}

#[test]
fn box_and_extrema_agree_with_samples() {
    let s = wavy();
    let (du, dv) = s.domain();
    let b = s.bounding_box(du, dv);
    let mut sampled = Aabb::EMPTY;
    for i in 0..=300 {
        for k in 0..=300 {
            sampled.include(&s.point(du.at(i as f64 / 300.0), dv.at(k as f64 / 300.0)));
        }
    }
    assert!((b.min - sampled.min).norm() < 1e-3 && (b.max - sampled.max).norm() < 1e-3);
    let g = b.grown(1e-12);
    assert!(g.contains(&sampled.min) && g.contains(&sampled.max));
    let mut out = Vec::new();
    torus().extrema(&Vec3::new(1.0, 0.5, 0.3), &mut out);
    assert_eq!(out.len(), 4);
    for (u, v) in out {
        let n = torus().normal(u, v).unwrap();
        assert!(n.cross(&Vec3::new(1.0, 0.5, 0.3)).norm() < 1e-9);
    }
}

#[test]
fn sphere_has_poles_and_normals_there() {
    let c = circle();
    let half = c.restricted(Interval::new(0.0, 2.0));
    let mut control = Vec::new();
    for a in &c.control {
        for b in &half.control {
            let (p, q) = (project(a), project(b));
            control.push(lift(&Point3::new(p.x * q.y, p.y * q.y, -q.x), a.w * b.w));
        }
    }
    let n = half.control.len();
    let s = NurbsSurface::new(2, 2, c.knots.clone(), half.knots, 9, n, control).unwrap();
    assert_eq!(s.poles(), [Some(0.0), Some(2.0)]);
    assert_eq!(s.periods(), [Some(4.0), None]);
    assert!((s.normal(0.3, 0.0).unwrap() + Vec3::z()).norm() < 1e-12);
    assert!((s.normal(0.3, 2.0).unwrap() - Vec3::z()).norm() < 1e-12);
    let (u, v) = s.invert(&Point3::new(0.0, 0.0, 1.5), Some((1.2, 1.9)));
    assert!((u - 1.2).abs() < 1e-9 && (v - 2.0).abs() < 1e-7);
}

#[test]
fn jets_are_the_differences_between_knots() {
    for seed in seeds(60) {
        let mut random = Random::new(seed);
        let s = random.surface(1.0, &Point3::origin()).build();
        let cells = |knots: &[f64], degree| basis::distinct(knots, degree);
        for a in cells(&s.knots_u, s.degree_u).windows(2) {
            for b in cells(&s.knots_v, s.degree_v).windows(2) {
                let (du, dv) = (Interval::new(a[0], a[1]), Interval::new(b[0], b[1]));
                let (h, k) = (1e-5 * du.length(), 1e-5 * dv.length());
                let (u, v) = (du.at(random.real(0.1, 0.9)), dv.at(random.real(0.1, 0.9)));
                let j = s.jet(u, v);
                let (u0, u1) = (s.jet(u - h, v), s.jet(u + h, v));
                let (v0, v1) = (s.jet(u, v - k), s.jet(u, v + k));
                let (lu, lv) = (du.length(), dv.length());
                for (exact, difference, unit, by) in [
                    (j.du, (u1.p - u0.p) / (2.0 * h), lu, 1.0),
                    (j.dv, (v1.p - v0.p) / (2.0 * k), lv, 1.0),
                    (j.duu, (u1.du - u0.du) / (2.0 * h), lu * lu, 1.0),
                    (j.duv, (u1.dv - u0.dv) / (2.0 * h), lu * lv, 1.0),
                    (j.duv, (v1.du - v0.du) / (2.0 * k), lu * lv, 1.0),
                    (j.dvv, (v1.dv - v0.dv) / (2.0 * k), lv * lv, 1.0),
                ] {
                    let scale = by + exact.norm() * unit;
                    assert!((exact - difference).norm() * unit < 1e-5 * scale, "{seed}");
                }
            }
        }
    }
}

#[test]
fn collapsed_sides_have_limit_normals() {
    for seed in seeds(40) {
        let mut random = Random::new(seed);
        let mut raw = random.surface(1.0, &Point3::origin());
        // clamped at both ends, so that whole sides can be put into one point
        for d in 0..2 {
            let (degree, count) = (raw.degrees[d], raw.counts[d]);
            let (lo, hi) = (raw.knots[d][degree], raw.knots[d][count]);
            raw.knots[d][..degree].fill(lo);
            raw.knots[d][count + 1..].fill(hi);
        }
        let side = random.whole(0, 3);
        let [m, n] = raw.counts;
        let of_side = |i: usize| match side {
            0 => i / n == 0,
            1 => i / n == m - 1,
            2 => i.is_multiple_of(n),
            _ => i % n == n - 1,
        };
        let tip = Point3::from(random.vector(1.0));
        for i in (0..m * n).filter(|&i| of_side(i)) {
            raw.control[i] = lift(&tip, raw.control[i].w);
        }
        let s = raw.build();
        if s.control.len() != m * n {
            continue; // the side was idle
        }
        let poles = [s.poles_u()[0], s.poles_u()[1], s.poles()[0], s.poles()[1]];
        assert!(poles[side].is_some(), "{seed}");
        let (du, dv) = s.domain();
        let free = random.real(0.1, 0.9);
        let at = |x: f64| match side {
            0 => (du.at(x), dv.at(free)),
            1 => (du.at(1.0 - x), dv.at(free)),
            2 => (du.at(free), dv.at(x)),
            _ => (du.at(free), dv.at(1.0 - x)),
        };
        let ((u, v), (u1, v1), (u2, v2)) = (at(0.0), at(1e-5), at(2e-5));
        let near = s.jet(u1, v1).normal().unwrap() * 2.0 - s.jet(u2, v2).normal().unwrap();
        let limit = s.normal(u, v).unwrap();
        assert!((limit - near).norm() < 1e-4, "{seed} {side} {limit} {near}");
        // the tip comes back with the guess's free parameter
        let guess = (u + 0.01 * du.length(), v - 0.01 * dv.length());
        let found = s.invert(&tip, Some(guess));
        let wanted = if side < 2 { (u, guess.1) } else { (guess.0, v) };
        if (s.point(found.0, found.1) - tip).norm() > 1e-12 || poles.iter().flatten().count() == 1 {
            let apart = (found.0 - wanted.0).abs() + (found.1 - wanted.1).abs();
            assert!(
                apart < 1e-12 * (du.length() + dv.length() + 300.0),
                "{seed}"
            );
        }
    }
}

#[test]
fn isoparametric_curves_lie_on_the_surface() {
    for seed in seeds(30) {
        let mut random = Random::new(seed);
        let s = random.surface(1.0, &Point3::origin()).build();
        let (du, dv) = s.domain();
        for (u, v) in grid(du, 9).flat_map(|u| grid(dv, 9).map(move |v| (u, v))) {
            assert!(
                (s.iso_u(u).point(v) - s.point(u, v)).norm() < 1e-13,
                "{seed}"
            );
            assert!(
                (s.iso_v(v).point(u) - s.point(u, v)).norm() < 1e-13,
                "{seed}"
            );
            let (a, b, j) = (s.iso_u(u).jet(v), s.iso_v(v).jet(u), s.jet(u, v));
            assert!(
                (a.d2 - j.dvv).norm() <= 1e-10 * (1.0 + j.dvv.norm()),
                "{seed}"
            );
            assert!(
                (b.d2 - j.duu).norm() <= 1e-10 * (1.0 + j.duu.norm()),
                "{seed}"
            );
        }
    }
}
