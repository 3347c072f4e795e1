//! Do two cones hold opposite directions?
//!
//! They do not exactly if a plane through the origin has both on one side (algorithm 1 of the paper), and then one
//! through a side of either, or through one generator of each. All of these are decided by the 32 triple products of a
//! side of one and a generator of the other: with `g[i]` of A and `h[j]` of B, the plane through both has A on one side
//! if `h[j]` lies on different sides of the two sides of A that meet in `g[i]`, and the other way round.

use brepcd_geom::Vec3;

use super::{NormalCone, ROUNDING};

impl NormalCone {
    /// False only if no direction of one cone is opposite to one of the other, both in the same frame.
    ///
    /// Cones that merely touch each other's opposite count as antipodal, and so do some pairs of coplanar arcs and rays
    /// that are not; dilated cones, which have an interior, are told apart exactly up to rounding.
    pub fn antipodal(&self, other: &Self) -> bool {
        if self.is_whole() || other.is_whole() {
            return true;
        }
        let (g, h) = (Lanes::of(&self.round), Lanes::of(&other.round));
        let (mean_g, mean_h) = (g.sum(), h.sum());
        // Most pairs that can be separated are so by the plane orthogonal to their mean.
        let mean = mean_g + mean_h;
        if least(smaller(g.dot(&mean), h.dot(&mean))) > ROUNDING {
            return false;
        }
        // Most that cannot have the middle of one inside the opposite of the other.
        let (from_g, from_h) = (self.inward(), other.inward());
        let (sides_g, sides_h) = (Lanes::of(&from_g), Lanes::of(&from_h));
        let of_h = largest(sides_g.dot(&mean_h));
        let of_g = largest(sides_h.dot(&mean_g));
        if of_h < 0.0 || of_g < 0.0 {
            return true;
        }
        let side_g = from_g.map(|side| h.dot(&side));
        let side_h = self.round.map(|g| sides_h.dot(&g));
        !separated(&side_g, &side_h)
    }
}

/// True if one of the candidate planes has both cones on one side.
///
/// Takes how far generators of one are inside sides of the other, by side or generator of A, then of B.
#[inline]
fn separated(side_g: &[[f64; 4]; 4], side_h: &[[f64; 4]; 4]) -> bool {
    let of_b = smaller(smaller(side_h[0], side_h[1]), smaller(side_h[2], side_h[3]));
    let of_a = side_g.map(least);
    if largest(larger(of_a, of_b)) > ROUNDING {
        return true;
    }
    let mut margin = [f64::NEG_INFINITY; 4];
    for i in 0..4 {
        let before = side_g[(i + 3) % 4];
        let after = side_g[i].map(|s| -s);
        let [p, q, r, s] = side_h[i];
        let (next, last) = (side_h[i], [-s, -p, -q, -r]);
        let low = smaller(smaller(before, after), smaller(next, last));
        let high = larger(larger(before, after), larger(next, last));
        margin = larger(margin, larger(low, high.map(|s| -s)));
    }
    largest(margin) > ROUNDING
}

/// Four vectors, coordinate by coordinate, so that the same is done to all of them at once.
struct Lanes {
    x: [f64; 4],
    y: [f64; 4],
    z: [f64; 4],
}

impl Lanes {
    #[inline]
    fn of(v: &[Vec3; 4]) -> Self {
        let pick = |k: usize| [v[0][k], v[1][k], v[2][k], v[3][k]];
        Self {
            x: pick(0),
            y: pick(1),
            z: pick(2),
        }
    }

    #[inline]
    fn sum(&self) -> Vec3 {
        let add = |v: &[f64; 4]| (v[0] + v[1]) + (v[2] + v[3]);
        Vec3::new(add(&self.x), add(&self.y), add(&self.z))
    }

    #[inline]
    fn dot(&self, v: &Vec3) -> [f64; 4] {
        std::array::from_fn(|k| self.x[k] * v.x + self.y[k] * v.y + self.z[k] * v.z)
    }
}

// Plain comparisons: unlike `f64::min` they need not care for NaN.
#[inline]
fn smaller(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    std::array::from_fn(|k| if a[k] < b[k] { a[k] } else { b[k] })
}

#[inline]
fn larger(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    std::array::from_fn(|k| if a[k] > b[k] { a[k] } else { b[k] })
}

#[inline]
fn least([a, b, c, d]: [f64; 4]) -> f64 {
    let (a, c) = (if a < b { a } else { b }, if c < d { c } else { d });
    if a < c { a } else { c }
}

#[inline]
fn largest([a, b, c, d]: [f64; 4]) -> f64 {
    let (a, c) = (if a > b { a } else { b }, if c > d { c } else { d });
    if a > c { a } else { c }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    fn random_cone(random: &mut Random, most: usize, spread: f64) -> NormalCone {
        let axis = random.unit();
        let n = 1 + random.below(most);
        let g: Vec<Vec3> = (0..n).map(|_| random.near(&axis, spread)).collect();
        NormalCone::from_generators(&g)
    }

    /// A random direction of the cone.
    fn inside(random: &mut Random, cone: &NormalCone) -> Vec3 {
        let sum: Vec3 = cone
            .generators()
            .iter()
            .map(|g| g * random.range(0.0, 1.0))
            .sum();
        sum.normalize()
    }

    /// The test of the paper, every pair of generators and both signs; strict as ours is.
    fn by_all_planes(a: &NormalCone, b: &NormalCone) -> bool {
        let g: Vec<Vec3> = a
            .generators()
            .iter()
            .chain(b.generators())
            .copied()
            .collect();
        for i in 0..g.len() {
            for j in 0..i {
                let n = g[i].cross(&g[j]);
                let on_side =
                    |sign: f64| (0..g.len()).all(|k| k == i || k == j || sign * n.dot(&g[k]) > 0.0);
                if n.norm() > 0.0 && (on_side(1.0) || on_side(-1.0)) {
                    return false;
                }
            }
        }
        true
    }

    #[test]
    fn agrees_with_the_paper_on_random_cones() {
        let mut random = Random::new(3);
        let mut counts = [0; 2];
        for _ in 0..50_000 {
            let spread = random.range(0.05, 1.5);
            let a = random_cone(&mut random, 6, spread).dilated(1e-3);
            let b = random_cone(&mut random, 6, spread).dilated(1e-3);
            if a.is_whole() || b.is_whole() {
                assert!(a.antipodal(&b));
                continue;
            }
            let ours = a.antipodal(&b);
            assert_eq!(ours, b.antipodal(&a));
            assert_eq!(ours, by_all_planes(&a, &b), "{a:?} {b:?}");
            counts[ours as usize] += 1;
        }
        assert!(counts[0] > 3000 && counts[1] > 3000, "{counts:?}");
    }

    #[test]
    fn never_misses_a_pair_of_opposite_directions() {
        let mut random = Random::new(4);
        for round in 0..20_000 {
            // Also degenerate cones, often made to touch in one direction only.
            let a = random_cone(&mut random, 5, 1.2);
            let p = match round % 2 {
                0 => inside(&mut random, &a),
                _ => a.generators()[random.below(a.generators().len())],
            };
            let mut h = vec![-p];
            let spread = random.range(0.01, 1.5);
            h.extend((0..random.below(4)).map(|_| random.near(&-p, spread)));
            let b = NormalCone::from_generators(&h);
            assert!(a.antipodal(&b) && b.antipodal(&a), "{a:?} {b:?}");
        }
    }

    #[test]
    fn rejects_rays_arcs_and_equal_cones() {
        let ray = |v: Vec3| NormalCone::from_generators(&[v]);
        assert!(ray(Vec3::x()).antipodal(&ray(-Vec3::x())));
        assert!(!ray(Vec3::x()).antipodal(&ray(Vec3::x())));
        assert!(!ray(Vec3::x()).antipodal(&ray(Vec3::new(-1.0, 1e-3, 0.0))));
        let arc = NormalCone::from_generators(&[Vec3::x(), Vec3::y()]);
        assert!(arc.antipodal(&ray(Vec3::new(-1.0, -1.0, 0.0))));
        assert!(!arc.antipodal(&ray(Vec3::new(-1.0, -1.0, 1e-3))));
        let across =
            NormalCone::from_generators(&[Vec3::new(-1.0, -1.0, 1.0), Vec3::new(-1.0, -1.0, -1.0)]);
        assert!(arc.antipodal(&across));
        let beside =
            NormalCone::from_generators(&[Vec3::new(-1.0, 0.1, 1.0), Vec3::new(-1.0, 0.1, -1.0)]);
        assert!(!arc.antipodal(&beside));
        let cone = arc.merged(&ray(Vec3::z())).dilated(0.2);
        assert!(!cone.antipodal(&cone) && cone.antipodal(&cone.negated()));
        assert!(NormalCone::WHOLE.antipodal(&ray(Vec3::x())));
        assert!(ray(Vec3::x()).antipodal(&NormalCone::WHOLE));
        assert!(NormalCone::WHOLE.antipodal(&NormalCone::WHOLE));
        assert!(cone.antipodal(&NormalCone::WHOLE) && NormalCone::WHOLE.antipodal(&cone));
    }

    #[test]
    fn parallel_cylinder_patches_are_told_apart() {
        // Arcs in one plane: their dilated side planes nearly coincide.
        let arc = |from: f64, to: f64| {
            let at = |t: f64| Vec3::new(t.to_radians().cos(), t.to_radians().sin(), 0.0);
            NormalCone::from_generators(&[at(from), at(to)]).dilated(1e-6)
        };
        for (a, b, expected) in [
            (arc(0.0, 120.0), arc(130.0, 140.0), false),
            (arc(0.0, 120.0), arc(130.0, 179.0), false),
            (arc(0.0, 120.0), arc(130.0, 181.0), true),
            (arc(0.0, 90.0), arc(0.0, 90.0), false),
            (arc(0.0, 30.0), arc(180.0, 210.0), true),
            (arc(0.0, 30.0), arc(211.0, 240.0), false),
            (arc(0.0, 30.0), arc(150.0, 179.0), false),
        ] {
            assert_eq!(a.antipodal(&b), expected);
        }
    }
}
