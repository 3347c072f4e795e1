//! Line × cone: at most two generators have a normal orthogonal to the line, and on each lies at most one pair.
//!
//! A line parallel to a generator, in its plane through the axis, is a family.

use super::generators::{Generator, inside};
use super::trig::Angle;
use super::{FamilyKind, Outcome, Pair, Pairs, Tolerance};
use brepcd_geom::curve::Line;
use brepcd_geom::surface::Cone;

/// Appends the stationary pairs of `a` and `b` to `out`.
pub fn stationary(a: &Line, b: &Cone, tol: &Tolerance, out: &mut Pairs) -> Outcome {
    let d = b.frame.local_vec(&a.dir);
    let (s, c) = b.half_angle.sin_cos();
    let flat = (d.x * d.x + d.y * d.y).sqrt();
    // The sine of the angle between the line and the nearest generator.
    let steep = (c * flat - s * d.z.abs(), c * flat + s * d.z.abs());
    if steep.0.abs() <= tol.angle || steep.1.abs() <= tol.angle {
        let sign = 1.0_f64.copysign(s * d.z);
        return match Angle::towards(sign * d.x, sign * d.y, tol.angle) {
            Some(u) => beside(a, &Generator::new(b, u), tol, out),
            None => along_the_axis(a, b, tol, out),
        };
    }
    let product = steep.0 * steep.1;
    let Some(towards) = Angle::towards(d.x, d.y, 0.0).filter(|_| product > 0.0) else {
        return Outcome::Isolated;
    };
    let Some(aside) = Angle::towards(s * d.z, product.sqrt(), 0.0) else {
        return Outcome::Isolated;
    };
    let mut outcome = Outcome::Isolated;
    for u in [towards.plus(aside), towards.plus(aside.mirrored())] {
        let generator = Generator::new(b, u);
        let [s, v] = generator.crossed_by(a);
        if generator.holds(v, tol) {
            let pair = generator.pair(a, [s, 0.0], s, v);
            outcome = outcome.and(out.push_isolated(pair));
        }
    }
    outcome
}

/// A line parallel to a generator: a family where it is in the generator's plane, otherwise nothing.
fn beside(a: &Line, generator: &Generator, tol: &Tolerance, out: &mut Pairs) -> Outcome {
    let between = generator.line.origin - a.origin;
    if between.dot(&generator.around).abs() > tol.length {
        return Outcome::Isolated;
    }
    out.push_family(representative(a, generator, tol), FamilyKind::Line)
}

fn representative(a: &Line, generator: &Generator, tol: &Tolerance) -> Pair {
    let to_line = a.origin - generator.line.origin;
    let foot = to_line.dot(&generator.line.dir);
    let v = if generator.holds(foot - tol.length, tol) && generator.holds(foot + tol.length, tol) {
        foot
    } else {
        inside(generator.range(), to_line.norm() + 1.0)
    };
    let s = (generator.line.point(v) - a.origin).dot(&a.dir);
    generator.pair(a, [s, 0.0], s, v)
}

/// A line along the axis of a cone without slope, which is a cylinder.
fn along_the_axis(a: &Line, b: &Cone, tol: &Tolerance, out: &mut Pairs) -> Outcome {
    let q = b.frame.local(&a.origin);
    match Angle::towards(q.x, q.y, tol.length) {
        Some(near) => {
            let first = beside(a, &Generator::new(b, near), tol, out);
            first.and(beside(a, &Generator::new(b, near.opposite()), tol, out))
        }
        None => {
            let generator = Generator::new(b, Angle::ZERO);
            out.push_family(representative(a, &generator, tol), FamilyKind::Area)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::critical::oracle::{Core, Random, agree, assert_stationary};

    #[test]
    fn agrees_with_sampling() {
        let mut random = Random::new(21);
        let mut count = 0;
        for _ in 0..1500 {
            let (a, b) = (random.line(), random.cone());
            agree(&Core::Line(a), &Core::Cone(b), |t, out| {
                let outcome = stationary(&a, &b, t, out);
                count += out.as_slice().len();
                outcome
            });
        }
        assert!(count > 500);
    }

    #[test]
    fn parallel_to_a_generator_and_nearly_so() {
        let mut random = Random::new(22);
        let tol = Tolerance::default();
        for off in [0.0, 1e-9, 1e-7, 1e-5] {
            for _ in 0..300 {
                let b = random.cone();
                let u = 3.0 * random.signed();
                let (radial, around) = (b.frame.radial(u), b.frame.tangential(u));
                let g = b.jet(u, 0.0).dv;
                let height = random.signed();
                let mut a = Line {
                    origin: b.point(u, 0.5) + b.normal(u, 0.0).unwrap() * height,
                    dir: (g + radial * off).normalize(),
                };
                let mut out = Pairs::new();
                let outcome = stationary(&a, &b, &tol, &mut out);
                for pair in out.as_slice() {
                    assert_stationary(&Core::Line(a), &Core::Cone(b), pair, 1.0, 1e-12);
                }
                if off == 0.0 {
                    assert_eq!(outcome, Outcome::Family(FamilyKind::Line));
                    assert!((out.as_slice()[0].distance() - height.abs()).abs() < 1e-12);
                    a.origin += around;
                    out.clear();
                    assert_eq!(stationary(&a, &b, &tol, &mut out), Outcome::Isolated);
                    assert!(out.as_slice().is_empty());
                } else {
                    assert_eq!(outcome, Outcome::Isolated);
                }
            }
        }
    }
}
