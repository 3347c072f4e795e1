//! Cone × cone: the circles of their normals on the sphere meet in at most two directions for either sense.
//!
//! Each direction fixes a generator on both cones, and two lines have one common normal. Where the circles touch, the
//! generators are parallel: a family, if they are opposite each other. Coaxial cones of one angle are a family of area.

use super::generators::{Generator, inside};
use super::trig::Angle;
use super::{FamilyKind, Outcome, Pair, Pairs, Tolerance};
use brepcd_geom::surface::Cone;

/// Appends the stationary pairs of `a` and `b` to `out`.
pub fn stationary(a: &Cone, b: &Cone, tol: &Tolerance, out: &mut Pairs) -> Outcome {
    let axis = a.frame.local_vec(&b.frame.z);
    let flat = (axis.x * axis.x + axis.y * axis.y).sqrt();
    let mut outcome = Outcome::Isolated;
    for sign in [1.0, -1.0] {
        // Normals alike (or opposite) mean axes alike (or opposite), as far as the circles of normals go.
        let between = flat.atan2(sign * axis.z);
        let part = match Angle::towards(axis.x, axis.y, tol.angle) {
            Some(towards) => tilted(a, b, sign, towards, [sign * axis.z, between], tol, out),
            None => parallel(a, b, sign, between < 1.0, tol, out),
        };
        outcome = outcome.and(part);
    }
    outcome
}

/// Parallel axes: only cones of one angle, opening such that their normals are alike or opposite.
fn parallel(
    a: &Cone,
    b: &Cone,
    sign: f64,
    alike: bool,
    tol: &Tolerance,
    out: &mut Pairs,
) -> Outcome {
    let other = if alike { b.half_angle } else { -b.half_angle };
    if (a.half_angle - other).abs() > tol.angle {
        return Outcome::Isolated;
    }
    let q = a.frame.local(&b.frame.origin);
    let Some(near) = Angle::towards(q.x, q.y, tol.length) else {
        return beside(a, b, sign, Angle::ZERO, FamilyKind::Area, tol, out);
    };
    let first = beside(a, b, sign, near, FamilyKind::Line, tol, out);
    let far = near.opposite();
    first.and(beside(a, b, sign, far, FamilyKind::Line, tol, out))
}

fn tilted(
    a: &Cone,
    b: &Cone,
    sign: f64,
    towards: Angle,
    [upright, between]: [f64; 2],
    tol: &Tolerance,
    out: &mut Pairs,
) -> Outcome {
    let sine_a = a.half_angle.sin();
    let sine_b = b.half_angle.sin();
    // The circles meet while the angle between the axes is between these two.
    let inner = (a.half_angle - b.half_angle).abs();
    let outer = std::f64::consts::PI - (a.half_angle + b.half_angle).abs();
    // The axes are `sign` times those whose normals are alike, so the direction towards the second changes with it.
    let towards = if sign < 0.0 {
        towards.opposite()
    } else {
        towards
    };
    // Without cancellation where the axes are nearly parallel, alike or opposite.
    let (half_sine, half_cosine) = (0.5 * between).sin_cos();
    let difference = if upright > 0.0 {
        (sine_a - sine_b) - 2.0 * sine_a * half_sine * half_sine
    } else {
        2.0 * sine_a * half_cosine * half_cosine - (sine_a + sine_b)
    };
    if (between - inner).abs() <= tol.angle || (between - outer).abs() <= tol.angle {
        let u = if difference < 0.0 {
            towards.opposite()
        } else {
            towards
        };
        return beside(a, b, sign, u, FamilyKind::Line, tol, out);
    }
    if between < inner || between > outer {
        return Outcome::Isolated;
    }
    let product = 4.0
        * (0.5 * (between + inner)).sin()
        * (0.5 * (between - inner)).sin()
        * (0.5 * (outer - between)).sin()
        * (0.5 * (outer + between)).sin();
    // Cosine and sine times the cosine of the half angle and the sine of the angle between the axes.
    let Some(aside) = Angle::towards(difference, product.max(0.0).sqrt(), 0.0) else {
        return Outcome::Isolated;
    };
    let mut outcome = Outcome::Isolated;
    for u in [towards.plus(aside), towards.plus(aside.mirrored())] {
        let Some((first, second)) = opposite_generators(a, b, sign, u) else {
            continue;
        };
        let [s, v] = second.crossed_by(&first.line);
        if first.holds(s, tol) && second.holds(v, tol) {
            let pair = second.pair(&first.line, first.parameters(s), s, v);
            outcome = outcome.and(out.push_isolated(pair));
        }
    }
    outcome
}

/// The generator of `a` at `u` and that of `b` whose normal is `sign` times the same.
fn opposite_generators<'a>(
    a: &'a Cone,
    b: &'a Cone,
    sign: f64,
    u: Angle,
) -> Option<(Generator<'a>, Generator<'a>)> {
    let first = Generator::new(a, u);
    let normal = b.frame.local_vec(&first.normal) * sign;
    let second = Angle::towards(normal.x, normal.y, 0.0)?;
    Some((first, Generator::new(b, second)))
}

/// Parallel generators: a family where they are opposite each other, otherwise nothing.
fn beside(
    a: &Cone,
    b: &Cone,
    sign: f64,
    u: Angle,
    kind: FamilyKind,
    tol: &Tolerance,
    out: &mut Pairs,
) -> Outcome {
    let Some((first, second)) = opposite_generators(a, b, sign, u) else {
        return Outcome::Isolated;
    };
    let gap = second.line.origin - first.line.origin;
    if gap.dot(&first.around).abs() > tol.length {
        return Outcome::Isolated;
    }
    let (start, same) = (
        gap.dot(&first.line.dir),
        first.line.dir.dot(&second.line.dir) > 0.0,
    );
    // The second nappe's range in the parameter of the first generator.
    let [lo, hi] = second.range();
    let (lo, hi) = if same {
        (start + lo, start + hi)
    } else {
        (start - hi, start - lo)
    };
    let [own_lo, own_hi] = first.range();
    let common = [lo.max(own_lo), hi.min(own_hi)];
    if common[1] - common[0] <= tol.length {
        return Outcome::Isolated;
    }
    let s = inside(common, a.radius + b.radius + gap.norm());
    let v = if same { s - start } else { start - s };
    let pair: Pair = second.pair(&first.line, first.parameters(s), s, v);
    out.push_family(pair, kind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::critical::oracle::{Core, Random, agree, assert_stationary};
    use brepcd_geom::Frame;

    #[test]
    fn agrees_with_sampling() {
        let mut random = Random::new(24);
        let mut count = 0;
        for _ in 0..1000 {
            let (a, b) = (random.cone(), random.cone());
            agree(&Core::Cone(a), &Core::Cone(b), |t, out| {
                let outcome = stationary(&a, &b, t, out);
                count += out.as_slice().len();
                outcome
            });
        }
        assert!(count > 500);
    }

    #[test]
    fn coaxial_and_shifted() {
        let mut random = Random::new(25);
        let tol = Tolerance::default();
        for i in 0..400 {
            let a = random.cone();
            let mut b = a;
            let (along, aside) = (random.signed(), if i % 2 == 0 { 0.0 } else { 0.5 });
            b.frame.origin += a.frame.z * along + a.frame.x * aside;
            if i % 4 > 1 {
                // The other way round along the axis: the same surface.
                b.frame = Frame::from_z(b.frame.origin, -a.frame.z).unwrap();
                b.half_angle = -b.half_angle;
            }
            let mut out = Pairs::new();
            let outcome = stationary(&a, &b, &tol, &mut out);
            let (kind, count) = if aside == 0.0 {
                (FamilyKind::Area, 1)
            } else {
                (FamilyKind::Line, 2)
            };
            assert_eq!(outcome, Outcome::Family(kind));
            assert_eq!(out.as_slice().len(), count);
            for pair in out.as_slice() {
                assert_stationary(&Core::Cone(a), &Core::Cone(b), pair, 1.0, 1e-12);
            }
            if aside == 0.0 {
                let expected = (along * a.half_angle.sin()).abs();
                assert!((out.as_slice()[0].distance() - expected).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn facing_each_other() {
        let cone = |z: f64, up: f64| Cone {
            frame: Frame::from_z([0.0, 0.0, z].into(), brepcd_geom::Vec3::z() * up).unwrap(),
            radius: 0.0,
            half_angle: 0.5,
        };
        let tol = Tolerance::default();
        for (z, expected) in [
            (2.0, Outcome::Family(FamilyKind::Area)),
            (-2.0, Outcome::Isolated),
        ] {
            let (a, b) = (cone(0.0, 1.0), cone(z, -1.0));
            let mut out = Pairs::new();
            assert_eq!(stationary(&a, &b, &tol, &mut out), expected);
            for pair in out.as_slice() {
                assert_stationary(&Core::Cone(a), &Core::Cone(b), pair, 1.0, 1e-12);
            }
        }
    }

    #[test]
    fn nearly_coaxial() {
        let mut random = Random::new(26);
        let tol = Tolerance::default();
        for off in [1e-9, 1e-8, 1e-7, 1e-6, 1e-5] {
            for _ in 0..200 {
                let a = random.cone();
                let mut b = a;
                b.frame = Frame::from_z(
                    a.frame.origin + random.vector() * off,
                    a.frame.z + random.vector() * off,
                )
                .unwrap();
                let mut out = Pairs::new();
                let outcome = stationary(&a, &b, &tol, &mut out);
                assert_ne!(outcome, Outcome::Unresolved);
                for pair in out.as_slice() {
                    let residual = if pair.family.is_some() { 1e-9 } else { 1e-12 };
                    assert_stationary(&Core::Cone(a), &Core::Cone(b), pair, 1.0, residual);
                }
            }
        }
    }
}
