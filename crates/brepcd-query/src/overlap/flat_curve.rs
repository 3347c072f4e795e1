//! Segments and arcs of a half-plane through an axis, and their distances in closed form.

use std::f64::consts::{PI, TAU};

/// A point: distance from the axis, height.
pub(super) type Point = [f64; 2];

/// A curve in a half-plane through an axis.
#[derive(Clone, Copy, Debug)]
pub(super) enum Curve {
    /// From one point to another.
    Segment { ends: [Point; 2] },
    /// From an angle to a larger one.
    Arc {
        centre: Point,
        radius: f64,
        angles: [f64; 2],
    },
}

fn sub(p: Point, q: Point) -> Point {
    [p[0] - q[0], p[1] - q[1]]
}

fn dot(p: Point, q: Point) -> f64 {
    p[0] * q[0] + p[1] * q[1]
}

fn cross(p: Point, q: Point) -> f64 {
    p[0] * q[1] - p[1] * q[0]
}

fn length(p: Point) -> f64 {
    dot(p, p).sqrt()
}

fn ahead(p: Point, by: f64, direction: Point) -> Point {
    [p[0] + by * direction[0], p[1] + by * direction[1]]
}

impl Curve {
    /// The point at a share of the way.
    pub fn point(&self, t: f64) -> Point {
        match self {
            Self::Segment { ends: [p, q] } => ahead(*p, t, sub(*q, *p)),
            Self::Arc {
                centre,
                radius,
                angles,
            } => {
                let (s, c) = (angles[0] + t * (angles[1] - angles[0])).sin_cos();
                ahead(*centre, *radius, [c, s])
            }
        }
    }

    pub fn ends(&self) -> [Point; 2] {
        match self {
            Self::Segment { ends } => *ends,
            Self::Arc { .. } => [self.point(0.0), self.point(1.0)],
        }
    }

    /// A bound of the distance from a point to all of the curve.
    pub fn farthest(&self, p: Point) -> f64 {
        match self {
            Self::Segment { ends } => ends
                .map(|q| length(sub(q, p)))
                .into_iter()
                .fold(0.0, f64::max),
            Self::Arc { centre, radius, .. } => length(sub(*centre, p)) + radius,
        }
    }

    /// The curve with its heights multiplied by 1 or -1, then raised.
    pub fn moved(&self, sign: f64, up: f64) -> Self {
        let place = |p: Point| [p[0], sign * p[1] + up];
        match self {
            Self::Segment { ends } => Self::Segment {
                ends: ends.map(place),
            },
            Self::Arc {
                centre,
                radius,
                angles,
            } => Self::Arc {
                centre: place(*centre),
                radius: *radius,
                angles: if sign > 0.0 {
                    *angles
                } else {
                    [-angles[1], -angles[0]]
                },
            },
        }
    }

    /// The distance of two curves, 0 if they meet.
    pub fn distance(&self, other: &Self) -> f64 {
        let least = match (self, other) {
            (Self::Segment { ends: a }, Self::Segment { ends: b }) => between_segments(*a, *b),
            (Self::Segment { ends }, Self::Arc { centre, radius, .. }) => {
                between_segment_and_arc(*ends, other, *centre, *radius)
            }
            (Self::Arc { centre, radius, .. }, Self::Segment { ends }) => {
                between_segment_and_arc(*ends, self, *centre, *radius)
            }
            (
                Self::Arc { centre, radius, .. },
                Self::Arc {
                    centre: to,
                    radius: other_radius,
                    ..
                },
            ) => between_arcs((self, *centre, *radius), (other, *to, *other_radius)),
        };
        let of_self = self.ends().map(|p| other.to_point(p));
        let of_other = other.ends().map(|p| self.to_point(p));
        of_self.into_iter().chain(of_other).fold(least, f64::min)
    }

    fn to_point(&self, p: Point) -> f64 {
        match self {
            Self::Segment { ends: [a, b] } => {
                let (to, along) = (sub(p, *a), sub(*b, *a));
                let square = dot(along, along);
                let t = if square > 0.0 {
                    (dot(to, along) / square).clamp(0.0, 1.0)
                } else {
                    0.0
                };
                length(sub(to, [t * along[0], t * along[1]]))
            }
            Self::Arc { centre, radius, .. } => {
                let to = sub(p, *centre);
                if self.holds(to) {
                    (length(to) - radius).abs()
                } else {
                    let ends = self.ends().map(|q| length(sub(p, q)));
                    ends[0].min(ends[1])
                }
            }
        }
    }

    /// True if an arc has a point in a direction from its centre.
    fn holds(&self, direction: Point) -> bool {
        match self {
            Self::Segment { .. } => false,
            Self::Arc { angles, .. } => {
                let half = 0.5 * (angles[1] - angles[0]);
                let middle = 0.5 * (angles[0] + angles[1]);
                let off = direction[1].atan2(direction[0]) - middle;
                half >= PI || (off - TAU * (off / TAU).round()).abs() <= half
            }
        }
    }
}

/// 0 for segments that cross; others are nearest at an end.
fn between_segments(a: [Point; 2], b: [Point; 2]) -> f64 {
    let sides = |from: Point, to: Point, ends: [Point; 2]| {
        let of = ends.map(|p| cross(sub(to, from), sub(p, from)));
        of[0] * of[1]
    };
    if sides(a[0], a[1], b) < 0.0 && sides(b[0], b[1], a) < 0.0 {
        0.0
    } else {
        f64::INFINITY
    }
}

/// The least distance of inner points.
fn between_segment_and_arc(ends: [Point; 2], arc: &Curve, centre: Point, radius: f64) -> f64 {
    let along = sub(ends[1], ends[0]);
    let long = length(along);
    let mut least = f64::INFINITY;
    if long == 0.0 {
        return least;
    }
    let dir = [along[0] / long, along[1] / long];
    let foot = dot(sub(centre, ends[0]), dir);
    let at = ahead(ends[0], foot, dir);
    let (out, off) = (sub(at, centre), length(sub(at, centre)));
    if off < radius {
        // Where the line meets the circle.
        let half = (radius * radius - off * off).sqrt();
        for t in [foot - half, foot + half] {
            if (0.0..=long).contains(&t) && arc.holds(sub(ahead(ends[0], t, dir), centre)) {
                return 0.0;
            }
        }
    }
    if (0.0..=long).contains(&foot) {
        if arc.holds(out) {
            least = least.min((off - radius).abs());
        }
        if arc.holds([-out[0], -out[1]]) {
            least = least.min(off + radius);
        }
    }
    least
}

/// The least distance of inner points.
fn between_arcs(
    (a, from, radius_a): (&Curve, Point, f64),
    (b, to, radius_b): (&Curve, Point, f64),
) -> f64 {
    let between = sub(to, from);
    let off = length(between);
    let across = (radius_a - radius_b).abs();
    if off == 0.0 {
        // Equally far wherever both are, and so at an end.
        return f64::INFINITY;
    }
    let dir = [between[0] / off, between[1] / off];
    if off < radius_a + radius_b && off > across {
        let x = (off * off + radius_a * radius_a - radius_b * radius_b) / (2.0 * off);
        let y = (radius_a * radius_a - x * x).max(0.0).sqrt();
        for y in [y, -y] {
            let p = [x * dir[0] - y * dir[1], x * dir[1] + y * dir[0]];
            if a.holds(p) && b.holds(sub(p, between)) {
                return 0.0;
            }
        }
    }
    let mut least = f64::INFINITY;
    for side_a in [1.0, -1.0] {
        for side_b in [1.0, -1.0] {
            let spokes = [side_a, side_b].map(|s| [s * dir[0], s * dir[1]]);
            if a.holds(spokes[0]) && b.holds(spokes[1]) {
                least = least.min((off + side_b * radius_b - side_a * radius_a).abs());
            }
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numeric::tests::build::Random;

    fn random(random: &mut Random) -> Curve {
        let mut point = || [random.range(0.0, 3.0), random.range(-2.0, 2.0)];
        let (p, q) = (point(), point());
        if random.range(0.0, 1.0) < 0.5 {
            Curve::Segment { ends: [p, q] }
        } else {
            let from = random.range(-PI, PI);
            Curve::Arc {
                centre: if random.range(0.0, 1.0) < 0.3 {
                    [1.0, 0.5]
                } else {
                    p
                },
                radius: random.range(0.1, 2.0),
                angles: [from, from + random.range(0.1, TAU)],
            }
        }
    }

    #[test]
    fn distances_are_those_of_samples() {
        let mut seeds = Random(8);
        let n = 300;
        let (mut apart, mut meet) = (0, 0);
        for _ in 0..3000 {
            let (a, b) = (random(&mut seeds), random(&mut seeds));
            let found = a.distance(&b);
            let back = b.distance(&a);
            assert!((found - back).abs() < 1e-12);
            let samples = |c: &Curve| -> Vec<Point> {
                (0..=n)
                    .map(|i| c.point(f64::from(i) / f64::from(n)))
                    .collect()
            };
            let (of_a, of_b) = (samples(&a), samples(&b));
            let pairs = of_a
                .iter()
                .flat_map(|p| of_b.iter().map(move |q| length(sub(*p, *q))));
            let sampled = pairs.fold(f64::INFINITY, f64::min);
            assert!(found <= sampled + 1e-12, "{a:?} {b:?}");
            // Neighbouring samples are at most this far apart.
            let step = 2.0 * TAU / f64::from(n);
            assert!(
                sampled <= found + step * 4.0,
                "{found} {sampled} {a:?} {b:?}"
            );
            apart += usize::from(found > 0.1);
            meet += usize::from(found == 0.0);
        }
        assert!(apart > 500 && meet > 500, "{apart} {meet}");
    }
}
