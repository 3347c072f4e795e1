//! A circle or an ellipse against a core of revolution: all angles at which the distance is stationary.
//!
//! Let `q(t)` be the curve seen along the axis and `e(u)` the radial unit vector. The foot of a point lies in its plane
//! through the axis, so `q × e = 0`, on the near side (`e` along `q`) or the far one. What is left is one equation,
//! `G(t) = r q'·e(u)`, for a circle of radius r about the axis with `G` from the squared distance to its centre, for a
//! cone with cosine r and `G` from the height. Each side is a periodic function of `t`, smooth unless the curve meets
//! the axis; there `u` turns while `t` stands still, and the equation is solved for `u` instead.

use super::Outcome;
use super::isolate::{Cell, Root, Wave, Zero, isolate};
use super::oval::Oval;
use super::trig::{Angle, Harmonics};
use brepcd_geom::Vec3;

/// Distance from the axis, relative to the curve, under which the pair is polished in both angles.
const NEAR_AXIS: f64 = 1e-2;
/// Distance from the axis, relative to the curve, under which the curve itself tells its radius best.
const CLOSE: f64 = 0.25;
/// Steps of polishing.
const POLISH_STEPS: usize = 6;
/// Angle under which two pairs near the axis are the same.
const SAME: f64 = 1e-7;
/// Angle about a point where the curve touches the axis that belongs to the family there.
const TOUCH_REACH: f64 = 1e-4;
/// Rounding of the terms, relative.
const NOISE: f64 = 4.0 * f64::EPSILON;

/// Angles of a stationary pair: on the swept curve and about the axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Angles {
    pub(super) t: Angle,
    pub(super) u: Angle,
    /// Whether `u` is free: all angles about the axis are stationary.
    pub(super) free: bool,
}

/// All of them.
pub(super) struct Found {
    list: [Angles; Self::CAPACITY],
    len: usize,
    /// Whether the near and the far side are stationary all around.
    pub(super) flat: [bool; 2],
    /// Whether none can be missing.
    pub(super) complete: bool,
}

impl Found {
    const CAPACITY: usize = 32;

    pub(super) fn as_slice(&self) -> &[Angles] {
        &self.list[..self.len]
    }

    /// The outcome before any pair is appended.
    pub(super) fn outcome(&self) -> Outcome {
        if self.complete {
            Outcome::Isolated
        } else {
            Outcome::Unresolved
        }
    }

    fn push(&mut self, angles: Angles) {
        if self.len < Self::CAPACITY {
            self.list[self.len] = angles;
            self.len += 1;
        } else {
            self.complete = false;
        }
    }

    fn has(&self, angles: &Angles) -> bool {
        self.as_slice()
            .iter()
            .any(|known| known.t.is_near(angles.t, SAME) && known.u.is_near(angles.u, SAME))
    }
}

/// The equation of one curve against one core, with the core's axis along the third coordinate.
///
/// With `ρ = |q|` it is `Z + (κρ ∓ r) ρ' = 0` for the near and the far side, where `Z + κρρ' = G`. For a circle κ is one
/// and `Z` the product of the height and its derivative, for a cone κ is zero and `Z` is `G`. So written, all terms are
/// small where the curve nearly keeps its distance because it is nearly coaxial or nearly the circle itself.
pub(super) struct AroundAxis {
    oval: Oval,
    /// `G`.
    pull: Harmonics,
    /// `Z`.
    rest: Harmonics,
    /// `q·q'`.
    swing: Harmonics,
    /// `κ`.
    square: f64,
    /// `r`.
    radius: f64,
    /// Longest `q'`.
    speed: f64,
    /// Bounds of the fourth derivatives of `Z` and of the third and fourth of `q·q'`.
    bounds: [f64; 3],
    /// The size of the terms.
    scale: f64,
    /// Where the curve touches the axis and `u` is free.
    touches: [Option<Angle>; 2],
}

impl AroundAxis {
    /// The equation of a curve in the frame of a circle.
    pub(super) fn circle(oval: Oval, radius: f64) -> Self {
        Self::new(oval, oval.pull(), oval.lift(), 1.0, radius)
    }

    /// The equation of a curve in the frame of a cone with this half angle.
    pub(super) fn cone(oval: Oval, half_angle: f64) -> Self {
        let (sine, cosine) = half_angle.sin_cos();
        let climb = oval.climb();
        let pull = Harmonics {
            c1: sine * climb.c1,
            s1: sine * climb.s1,
            ..climb
        };
        Self::new(oval, pull, pull, 0.0, cosine)
    }

    fn new(oval: Oval, pull: Harmonics, rest: Harmonics, square: f64, radius: f64) -> Self {
        let swing = oval.swing(&Vec3::z());
        let (z, s) = (rest.amplitudes(), swing.amplitudes());
        let flat = |v: &Vec3| v.x * v.x + v.y * v.y;
        let turning = flat(&oval.x) + flat(&oval.y);
        let mean = (flat(&oval.center) + 0.5 * turning).sqrt();
        let speed = turning.sqrt();
        let swinging = ((s[0] + s[1]) / mean).min(speed);
        Self {
            oval,
            pull,
            rest,
            swing,
            square,
            radius,
            speed,
            bounds: [z[0] + 16.0 * z[1], s[0] + 8.0 * s[1], s[0] + 16.0 * s[1]],
            scale: z[0] + z[1] + (square * mean + radius) * swinging,
            touches: [None; 2],
        }
    }

    /// The value under which a side is zero: this tolerance, but not less than rounding.
    pub(super) fn flat_below(&self, tolerance: f64) -> f64 {
        tolerance.max(16.0 * NOISE * self.scale)
    }

    /// All stationary angles; a side that is nowhere farther from zero than its number in `flat` is stationary all around.
    ///
    /// A curve that touches the axis to within `length` and `angle`, with `G` zero there, leaves `u` free.
    pub(super) fn solve(mut self, flat: [f64; 2], [length, angle]: [f64; 2]) -> Found {
        let mut found = Found {
            list: [Angles {
                t: Angle::ZERO,
                u: Angle::ZERO,
                free: false,
            }; Found::CAPACITY],
            len: 0,
            flat: [false; 2],
            complete: true,
        };
        self.touches = self.touching(length, angle);
        for t in self.touches.into_iter().flatten() {
            let (u, free) = (Angle::ZERO, true);
            found.push(Angles { t, u, free });
        }
        let roots = isolate(&self, flat);
        found.flat = roots.flat;
        found.complete &= roots.complete;
        for root in roots.as_slice() {
            self.take(root, &mut found);
        }
        found
    }

    fn take(&self, root: &Root, found: &mut Found) {
        let t = root.at;
        if self.at_a_touch(t, 0.0) {
            return;
        }
        let q = self.oval.point(t);
        let near = Angle::towards(q.x, q.y, 0.0).filter(|_| root.zero != Zero::Steep);
        let Some(near) = near else {
            self.turning(t, found);
            return;
        };
        let u = if root.branch == 0 {
            near
        } else {
            near.opposite()
        };
        let angles = Angles { t, u, free: false };
        if (q.x * q.x + q.y * q.y).sqrt() >= NEAR_AXIS * self.speed {
            found.push(angles);
            return;
        }
        let polished = self.polished(angles);
        if !found.has(&polished) {
            found.push(polished);
        }
    }

    /// Where the curve touches the axis along it, with `G` zero: all `u` are stationary.
    fn touching(&self, length: f64, angle: f64) -> [Option<Angle>; 2] {
        let (x, y) = (self.oval.x, self.oval.y);
        let area = x.x * y.y - x.y * y.x;
        if area.abs() > angle * self.speed * self.speed {
            return [None; 2];
        }
        // Seen along the axis the curve is a stretch, in the direction of the longer semi-axis.
        let along = if x.x * x.x + x.y * x.y > y.x * y.x + y.y * y.y {
            x
        } else {
            y
        };
        let end = Angle::towards(
            x.x * along.x + x.y * along.y,
            y.x * along.x + y.y * along.y,
            0.0,
        );
        [end, end.map(Angle::opposite)].map(|end| {
            end.filter(|&t| {
                let q = self.oval.point(t);
                let close = (q.x * q.x + q.y * q.y).sqrt() <= length;
                close && self.pull.jet(t)[0].abs() <= length * self.pull_size()
            })
        })
    }

    /// Whether a cell belongs to the family about a point where the curve touches the axis.
    fn at_a_touch(&self, at: Angle, half_width: f64) -> bool {
        let near = |t: &Angle| t.is_near(at, TOUCH_REACH - half_width);
        half_width < TOUCH_REACH && self.touches.iter().flatten().any(near)
    }

    /// The derivative of `G` by length, so that a length tolerance can judge `G`.
    fn pull_size(&self) -> f64 {
        let [a1, a2] = self.pull.amplitudes();
        (a1 + a2) / self.oval.radius()
    }

    /// The stationary angles with `t` near this one, where the curve meets the axis.
    fn turning(&self, t: Angle, found: &mut Found) {
        let v = self.oval.tangent(t);
        let speed = (v.x * v.x + v.y * v.y).sqrt();
        let g = self.pull.jet(t)[0];
        let Some(along) = Angle::towards(v.x, v.y, 0.0) else {
            return;
        };
        if g.abs() > self.radius * speed * (1.0 + SAME) {
            return;
        }
        let aside = Angle::with_cosine(g / (self.radius * speed));
        for u in [along.plus(aside), along.plus(aside.mirrored())] {
            let polished = self.polished(Angles { t, u, free: false });
            if !found.has(&polished) {
                found.push(polished);
            }
        }
    }

    /// Newton's method in both angles, for as long as the residual shrinks.
    fn polished(&self, start: Angles) -> Angles {
        let (mut now, mut best) = (start, f64::INFINITY);
        let mut kept = start;
        for _ in 0..POLISH_STEPS {
            let (t, u) = (now.t, now.u);
            let (q, v) = (self.oval.point(t), self.oval.tangent(t));
            let bend = self.oval.center - q;
            let [g, g1, ..] = self.pull.jet(t);
            let aside = q.x * u.s - q.y * u.c;
            let rest = g - self.radius * (v.x * u.c + v.y * u.s);
            let residual = self.radius * aside.abs() + rest.abs();
            if residual.is_nan() || residual >= best {
                break;
            }
            (kept, best) = (now, residual);
            let across = v.x * u.s - v.y * u.c;
            let out = q.x * u.c + q.y * u.s;
            let slope = g1 - self.radius * (bend.x * u.c + bend.y * u.s);
            let det = self.radius * across * across - out * slope;
            let dt = (aside * self.radius * across - out * rest) / det;
            let du = (across * rest - slope * aside) / det;
            let largest = dt.abs().max(du.abs());
            if largest.is_nan() || largest > 0.2 {
                break;
            }
            now.t = t.turned(-dt);
            now.u = u.turned(-du);
        }
        kept
    }

    /// Whether `G` is too large over a cell for any `u`.
    fn no_turning(&self, at: Angle, w: f64) -> bool {
        let v = self.oval.tangent(at);
        let speed = (v.x * v.x + v.y * v.y).sqrt() + self.speed * w;
        let [a1, a2] = self.pull.amplitudes();
        let [g, g1, ..] = self.pull.jet(at);
        let change = (g1.abs() + (a1 + 4.0 * a2) * w) * w;
        g.abs() - change > self.radius * speed
    }

    /// `ρ` and its derivatives, and `ρρ'` with its own.
    #[inline]
    fn radial(&self, at: Angle) -> ([f64; 4], [f64; 4]) {
        let q = self.oval.point(at);
        let rho = (q.x * q.x + q.y * q.y).sqrt();
        let s = if rho > CLOSE * self.speed {
            self.swing.jet(at)
        } else {
            // Near the axis the products are small, and so is their rounding.
            let (v, b) = (self.oval.tangent(at), self.oval.center - q);
            let (qv, qb) = (q.x * v.x + q.y * v.y, q.x * b.x + q.y * b.y);
            let (vv, vb, bb) = (
                v.x * v.x + v.y * v.y,
                v.x * b.x + v.y * b.y,
                b.x * b.x + b.y * b.y,
            );
            [qv, vv + qb, 3.0 * vb - qv, 3.0 * bb - 4.0 * vv - qb]
        };
        let inverse = 1.0 / rho;
        let r1 = s[0] * inverse;
        let r2 = (s[1] - r1 * r1) * inverse;
        let r3 = (s[2] - 3.0 * r1 * r2) * inverse;
        ([rho, r1, r2, r3], s)
    }
}

impl Wave<2> for AroundAxis {
    #[inline]
    fn cell(&self, at: Angle, w: f64) -> Cell<2> {
        let ([rho, r1, r2, r3], s) = self.radial(at);
        let z = self.rest.jet(at);
        let k = self.square;
        let gaps = [k * rho - self.radius, k * rho + self.radius];
        let (b1, b2) = (z[1] + k * r1 * r1, z[2] + 3.0 * k * r1 * r2);
        let jets = gaps.map(|x| [z[0] + x * r1, b1 + x * r2, b2 + x * r3]);
        let [z4, s3, s4] = self.bounds;
        let s2 = s[2].abs() + s3 * w;
        let s1 = s[1].abs() + s2 * w;
        let least = rho * rho - w * (2.0 * s[0].abs() + s1 * w);
        if least <= 0.0 || !r3.is_finite() {
            return Cell {
                jets,
                third: [f64::INFINITY; 2],
                empty: self.no_turning(at, w) || self.at_a_touch(at, w),
            };
        }
        let inverse = 1.0 / least.sqrt();
        let p1 = ((s[0].abs() + s1 * w) * inverse).min(self.speed);
        let p2 = (s1 + p1 * p1) * inverse;
        let p3 = (s2 + 3.0 * p1 * p2) * inverse;
        let p4 = (s[3].abs() + s4 * w + 4.0 * p1 * p3 + 3.0 * p2 * p2) * inverse;
        let both = z[3].abs() + z4 * w + k * (4.0 * p1 * p3 + 3.0 * p2 * p2);
        Cell {
            jets,
            third: gaps.map(|x| both + (x.abs() + k * p1 * w) * p4),
            empty: false,
        }
    }

    #[inline]
    fn jet(&self, at: Angle, branch: usize) -> [f64; 3] {
        let ([rho, r1, r2, r3], _) = self.radial(at);
        let z = self.rest.jet(at);
        let k = self.square;
        let x = if branch == 0 {
            k * rho - self.radius
        } else {
            k * rho + self.radius
        };
        [
            z[0] + x * r1,
            z[1] + k * r1 * r1 + x * r2,
            z[2] + 3.0 * k * r1 * r2 + x * r3,
        ]
    }

    fn noise(&self) -> f64 {
        NOISE * self.scale
    }
}
