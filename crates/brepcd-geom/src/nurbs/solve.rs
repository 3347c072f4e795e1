//! Roots of one polynomial in one variable and of two in two variables, in Bernstein form.
//!
//! A box is dropped when the coefficients of one equation (also after preconditioning with the inverse Jacobian) have
//! one sign; it is left to Newton when the preconditioned Jacobian is diagonally dominant everywhere, since then it
//! holds at most one root; otherwise it is halved. Roots are in the unit interval or square.

mod net;

pub use net::Net;
use net::{de_casteljau, halve};

/// A root of a pair of polynomials.
#[derive(Clone, Copy, Debug)]
pub struct Root {
    /// First variable.
    pub s: f64,
    /// Second variable.
    pub t: f64,
    /// False where the Jacobian is singular: a member of a family, or a multiple root.
    pub simple: bool,
}

/// Rounding of a product of polynomials relative to the product of their largest coefficients.
pub const ROUNDING: f64 = 1e-14;
/// Halvings (both variables together) before a box that Newton never took is given up as a singular root.
const DEPTH_SINGULAR: usize = 18;
/// The same where the Jacobian in its middle is regular.
const DEPTH_REGULAR: usize = 44;
/// Determinant relative to its terms under which a Jacobian is singular.
const SINGULAR: f64 = 1e-7;
/// Multiple of the zero level under which an equation is taken to hold everywhere.
const NOISE: f64 = 10.0;
/// Boxes looked at in one call at most.
const BUDGET: usize = 20_000;
/// Depth of bisection in one variable.
const DEPTH_ONE: usize = 40;

/// All roots in [0, 1] of a polynomial in Bernstein form; values up to `zero` count as zero.
///
/// A polynomial that is zero everywhere gives its middle.
pub fn roots(c: &[f64], zero: f64, out: &mut Vec<f64>) {
    let first = out.len();
    bisect(c, zero, 0.0, 1.0, 0, out);
    out[first..].sort_by(f64::total_cmp);
    let mut kept = first;
    for i in first..out.len() {
        if kept == first || out[i] - out[kept - 1] > super::SAME_PARAMETER {
            out[kept] = out[i];
            kept += 1;
        }
    }
    out.truncate(kept);
}

fn bisect(c: &[f64], zero: f64, lo: f64, hi: f64, depth: usize, out: &mut Vec<f64>) {
    if c.iter().all(|x| x.abs() <= zero) || depth >= DEPTH_ONE {
        out.push(0.5 * (lo + hi));
        return;
    }
    let (Some(&a), Some(&b)) = (c.first(), c.last()) else {
        return;
    };
    if a.abs() <= zero {
        out.push(lo);
    }
    if b.abs() <= zero {
        out.push(hi);
    }
    let mut changes = 0;
    let mut sign = 0.0;
    for x in c.iter().filter(|x| x.abs() > zero) {
        if sign * x < 0.0 {
            changes += 1;
        }
        sign = x.signum();
    }
    if changes == 0 {
        return;
    }
    if changes == 1 && a.abs() > zero && b.abs() > zero {
        out.push(lo + (hi - lo) * bracketed(c));
        return;
    }
    let (mut left, mut right) = (c.to_vec(), c.to_vec());
    halve(&mut left, &mut right, c.len() - 1);
    let mid = 0.5 * (lo + hi);
    bisect(&left, zero, lo, mid, depth + 1, out);
    bisect(&right, zero, mid, hi, depth + 1, out);
}

/// The root of a polynomial with values of opposite sign at 0 and 1 (regula falsi, Illinois, with bisection).
fn bracketed(c: &[f64]) -> f64 {
    let (mut a, mut b) = (0.0, 1.0);
    let (mut fa, mut fb) = (c[0], c[c.len() - 1]);
    for step in 0..100 {
        let x = if step % 4 == 3 {
            0.5 * (a + b)
        } else {
            (a * fb - b * fa) / (fb - fa)
        };
        let x = if x > a && x < b { x } else { 0.5 * (a + b) };
        if x <= a || x >= b || (b - a).abs() < f64::EPSILON {
            break;
        }
        let f = de_casteljau(c, x);
        if f == 0.0 {
            return x;
        }
        if (f < 0.0) == (fa < 0.0) {
            (a, fa) = (x, f);
            fb *= 0.5;
        } else {
            (b, fb) = (x, f);
            fa *= 0.5;
        }
    }
    0.5 * (a + b)
}

struct Box2 {
    f: Net,
    g: Net,
    s: (f64, f64),
    t: (f64, f64),
    depth: usize,
}

/// All common roots in the unit square of two polynomials; values up to `zero` count as zero.
///
/// Of a family of roots some members are given, marked as not simple.
pub fn common_roots(f: &Net, g: &Net, zero: (f64, f64), out: &mut Vec<Root>) {
    let (m, n) = (f.m.max(g.m), f.n.max(g.n));
    let (f, g) = (f.raised(m, n), g.raised(m, n));
    let mut stack = vec![Box2 {
        f,
        g,
        s: (0.0, 1.0),
        t: (0.0, 1.0),
        depth: 0,
    }];
    let mut looked = 0;
    while let Some(b) = stack.pop() {
        looked += 1;
        if looked > BUDGET || b.f.has_no_root(zero.0) || b.g.has_no_root(zero.1) {
            continue;
        }
        let at = |x: f64, y: f64, simple| Root {
            s: b.s.0 + (b.s.1 - b.s.0) * x,
            t: b.t.0 + (b.t.1 - b.t.0) * y,
            simple,
        };
        if b.f.size() <= zero.0 && b.g.size() <= zero.1 {
            out.push(at(0.5, 0.5, false));
            continue;
        }
        if b.f.size() <= NOISE * zero.0 || b.g.size() <= NOISE * zero.1 {
            // one equation holds everywhere: a curve of roots, of which the middle lines meet some
            let (other, zero) = if b.f.size() <= NOISE * zero.0 {
                (&b.g, zero.1)
            } else {
                (&b.f, zero.0)
            };
            let first = out.len();
            let mut found = Vec::new();
            let row: Vec<f64> = other
                .c
                .chunks(other.n + 1)
                .map(|r| de_casteljau(r, 0.5))
                .collect();
            roots(&row, zero, &mut found);
            out.extend(found.drain(..).map(|x| at(x, 0.5, false)));
            if out.len() == first {
                let w = other.n + 1;
                let column = |j: usize| {
                    other
                        .c
                        .iter()
                        .skip(j)
                        .step_by(w)
                        .copied()
                        .collect::<Vec<_>>()
                };
                let column: Vec<f64> = (0..w).map(|j| de_casteljau(&column(j), 0.5)).collect();
                roots(&column, zero, &mut found);
                out.extend(found.drain(..).map(|y| at(0.5, y, false)));
            }
            if out.len() > first || b.depth >= DEPTH_SINGULAR {
                continue;
            }
        }
        let ((fs, ft), (gs, gt)) = (b.f.slopes(), b.g.slopes());
        let det = fs * gt - ft * gs;
        let terms = (fs.abs() + ft.abs()) * (gs.abs() + gt.abs());
        let clear = b.f.size() > NOISE * zero.0 && b.g.size() > NOISE * zero.1;
        let regular = clear && det.abs() > SINGULAR * terms && terms > 0.0;
        if regular {
            let p = b.f.combine(gt / det, &b.g, -ft / det);
            let q = b.f.combine(-gs / det, &b.g, fs / det);
            let zp = (gt.abs() * zero.0 + ft.abs() * zero.1) / det.abs();
            let zq = (gs.abs() * zero.0 + fs.abs() * zero.1) / det.abs();
            if p.has_no_root(zp) || q.has_no_root(zq) {
                continue;
            }
            if dominant(&p, &q) {
                match newton(&p, &q) {
                    Newton::Inside(x, y) => {
                        out.push(at(x, y, true));
                        continue;
                    }
                    Newton::Outside => continue,
                    Newton::Lost => {}
                }
            }
        }
        if b.depth
            >= if regular {
                DEPTH_REGULAR
            } else {
                DEPTH_SINGULAR
            }
        {
            out.push(at(0.5, 0.5, false));
            continue;
        }
        let depth = b.depth + 1;
        if b.depth % 2 == 0 {
            let (f0, f1) = b.f.halves_s();
            let (g0, g1) = b.g.halves_s();
            let mid = 0.5 * (b.s.0 + b.s.1);
            stack.push(Box2 {
                f: f0,
                g: g0,
                s: (b.s.0, mid),
                t: b.t,
                depth,
            });
            stack.push(Box2 {
                f: f1,
                g: g1,
                s: (mid, b.s.1),
                t: b.t,
                depth,
            });
        } else {
            let (f0, f1) = b.f.halves_t();
            let (g0, g1) = b.g.halves_t();
            let mid = 0.5 * (b.t.0 + b.t.1);
            stack.push(Box2 {
                f: f0,
                g: g0,
                s: b.s,
                t: (b.t.0, mid),
                depth,
            });
            stack.push(Box2 {
                f: f1,
                g: g1,
                s: b.s,
                t: (mid, b.t.1),
                depth,
            });
        }
    }
}

/// True if the Jacobian is diagonally dominant with positive diagonal everywhere in the unit square.
fn dominant(p: &Net, q: &Net) -> bool {
    p.ds().range().0 > p.dt().size() && q.dt().range().0 > q.ds().size()
}

enum Newton {
    Inside(f64, f64),
    Outside,
    Lost,
}

/// Distance outside the unit square at which a root still belongs to it.
const SLACK: f64 = 1e-9;

fn newton(p: &Net, q: &Net) -> Newton {
    let (ps, pt, qs, qt) = (p.ds(), p.dt(), q.ds(), q.dt());
    let (mut x, mut y) = (0.5, 0.5);
    for _ in 0..40 {
        let (a, b) = (ps.eval(x, y), pt.eval(x, y));
        let (c, d) = (qs.eval(x, y), qt.eval(x, y));
        let det = a * d - b * c;
        let (f, g) = (p.eval(x, y), q.eval(x, y));
        let (dx, dy) = ((b * g - d * f) / det, (c * f - a * g) / det);
        if !dx.is_finite() || !dy.is_finite() {
            return Newton::Lost;
        }
        let (nx, ny): (f64, f64) = ((x + dx).clamp(-0.5, 1.5), (y + dy).clamp(-0.5, 1.5));
        let moved = (nx - x).abs().max((ny - y).abs());
        (x, y) = (nx, ny);
        if moved < 1e-13 {
            let inside = |z: f64| (-SLACK..=1.0 + SLACK).contains(&z);
            return if inside(x) && inside(y) {
                Newton::Inside(x.clamp(0.0, 1.0), y.clamp(0.0, 1.0))
            } else {
                Newton::Outside
            };
        }
    }
    Newton::Lost
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_of_a_cubic_and_a_double_root() {
        // (x - 1/4)(x - 1/2)(x - 3/4) from its factors
        let line = |r: f64| Net::new(1, 0, vec![-r, 1.0 - r]);
        let cubic = line(0.25).mul(&line(0.5)).mul(&line(0.75));
        let mut out = Vec::new();
        roots(&cubic.c, 1e-16, &mut out);
        assert_eq!(out.len(), 3);
        for (a, b) in out.iter().zip([0.25, 0.5, 0.75]) {
            assert!((a - b).abs() < 1e-12);
        }
        out.clear();
        roots(&line(0.3).mul(&line(0.3)).c, 1e-16, &mut out);
        assert!(!out.is_empty() && out.iter().all(|x| (x - 0.3).abs() < 1e-6));
    }

    #[test]
    fn circle_meets_hyperbola_in_all_points() {
        // (s-1/2)² + (t-1/2)² = 0.16 and (s-1/2)(t-1/2) = 0.04
        let s = Net::new(1, 0, vec![-0.5, 0.5]);
        let t = Net::new(0, 1, vec![-0.5, 0.5]);
        let one = Net::new(0, 0, vec![1.0]);
        let f = s
            .mul(&s)
            .raised(2, 2)
            .combine(1.0, &t.mul(&t).raised(2, 2), 1.0);
        let f = f.combine(1.0, &one.raised(2, 2), -0.16);
        let g = s.mul(&t).combine(1.0, &one.raised(1, 1), -0.04);
        let mut out = Vec::new();
        common_roots(&f, &g, (1e-15, 1e-15), &mut out);
        assert_eq!(out.len(), 4);
        for r in out {
            let (x, y) = (r.s - 0.5, r.t - 0.5);
            assert!(
                r.simple && (x * x + y * y - 0.16).abs() < 1e-12 && (x * y - 0.04).abs() < 1e-12
            );
        }
    }
}
