//! Ellipse against ellipse: the two equations in both angles, and all their solutions by subdivision of the torus.
//!
//! With a point `a(u)` on one and `p(t)` on the other, `f = ½|p - a|²` has the gradient `((p - a)·p', (a - p)·a')`. On a
//! square cell its values, its first and second derivatives at the centre and a bound of the third tell that it has no
//! zero, or that a fixed multiple of it contracts, so that it has at most one. Cells are halved level by level; too many
//! of them mean that the solutions fill a curve, or nearly.

use super::oval::Oval;
use super::trig::{Angle, Harmonics};

/// Cells along each angle at the start.
const CELLS: usize = 8;
/// Half their width.
const HALF_WIDTH: f64 = std::f64::consts::PI / CELLS as f64;
/// Undecided cells of one level, at most.
const MAX_OPEN: usize = 256;
/// Halvings; what is undecided then is singular.
const DEEPEST: usize = 18;
/// Cells overlap by this part of their width, lest a solution falls between two.
const OVERLAP: f64 = 1e-6;
/// Angle under which two solutions are the same.
const SAME: f64 = 1e-7;
/// Angle under which singular solutions are the same.
const SAME_SINGULAR: f64 = 1e-3;
/// Steps of Newton's method.
const MAX_STEPS: usize = 40;
/// Rounding of the gradient, relative to its terms.
const NOISE: f64 = 16.0 * f64::EPSILON;

/// Two angles, on the swept curve and on the ellipse that gives the frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub(super) t: Angle,
    pub(super) u: Angle,
}

impl Spot {
    /// Moved by small angles.
    pub(super) fn turned(self, [dt, du]: [f64; 2]) -> Self {
        Self {
            t: self.t.turned(dt),
            u: self.u.turned(du),
        }
    }

    /// Whether both angles are within the small angle `reach`.
    pub(super) fn is_near(self, other: Self, reach: f64) -> bool {
        self.t.is_near(other.t, reach) && self.u.is_near(other.u, reach)
    }
}

/// A list of spots.
pub(super) struct Spots {
    list: [Spot; Self::CAPACITY],
    len: usize,
}

impl Spots {
    const CAPACITY: usize = 32;

    pub(super) fn new() -> Self {
        let spot = Spot {
            t: Angle::ZERO,
            u: Angle::ZERO,
        };
        Self {
            list: [spot; Self::CAPACITY],
            len: 0,
        }
    }

    pub(super) fn as_slice(&self) -> &[Spot] {
        &self.list[..self.len]
    }

    /// Appends a spot unless it is known; false where there is no room.
    #[must_use]
    pub(super) fn push(&mut self, spot: Spot, reach: f64) -> bool {
        if self.as_slice().iter().any(|s| s.is_near(spot, reach)) {
            return true;
        }
        let fits = self.len < Self::CAPACITY;
        if fits {
            self.list[self.len] = spot;
            self.len += 1;
        }
        fits
    }
}

/// Two ellipses, one in the frame of the other.
pub(super) struct TwoAngles {
    /// The swept curve `p`.
    pub(super) oval: Oval,
    /// The semi-axes of `a`.
    pub(super) axes: [f64; 2],
    pull: Harmonics,
    /// Half of the difference of the squared semi-axes of `a`.
    pub(super) excess: f64,
    /// Bounds of the third derivatives of the gradient, summed over their directions.
    third: [f64; 2],
    /// The size of the gradient's terms.
    scale: f64,
}

/// The gradient, its derivatives `[tt, tu, uu]` and second derivatives `[ttt, ttu, tuu, uuu]`.
pub(super) struct Jet {
    pub(super) gradient: [f64; 2],
    pub(super) hessian: [f64; 3],
    third: [f64; 4],
}

impl Jet {
    /// The step of Newton's method.
    fn newton(&self) -> [f64; 2] {
        let ([x, y], [tt, tu, uu]) = (self.gradient, self.hessian);
        let det = tt * uu - tu * tu;
        [(tu * y - uu * x) / det, (tu * x - tt * y) / det]
    }

    /// The size of the gradient.
    pub(super) fn residual(&self) -> f64 {
        self.gradient[0].abs() + self.gradient[1].abs()
    }
}

impl TwoAngles {
    /// For a curve in the frame of the ellipse with these semi-axes.
    pub(super) fn new(oval: Oval, axes: [f64; 2]) -> Self {
        let pull = oval.pull();
        let [g1, g2] = pull.amplitudes();
        let excess = 0.5 * (axes[1] - axes[0]) * (axes[1] + axes[0]);
        let wide = axes[0].max(axes[1]);
        let product = wide * oval.radius();
        let center = (oval.center.x * oval.center.x + oval.center.y * oval.center.y).sqrt() * wide;
        Self {
            oval,
            axes,
            pull,
            excess,
            third: [
                g1 + 8.0 * g2 + 8.0 * product,
                8.0 * excess.abs() + center + 8.0 * product,
            ],
            scale: g1 + g2 + excess.abs() + center + 2.0 * product,
        }
    }

    /// Rounding noise of the gradient.
    pub(super) fn noise(&self) -> f64 {
        NOISE * self.scale
    }

    /// Everything at a spot.
    #[inline]
    pub(super) fn jet(&self, at: Spot) -> Jet {
        let Spot { t, u } = at;
        let (p, v) = (self.oval.point(t), self.oval.tangent(t));
        let bend = self.oval.center - p;
        let [wide, high] = self.axes;
        let (ax, ay) = (wide * u.c, high * u.s);
        let (bx, by) = (-wide * u.s, high * u.c);
        let [g, g1, g2, _] = self.pull.jet(t);
        let (cos2, sin2) = ((u.c - u.s) * (u.c + u.s), 2.0 * u.c * u.s);
        let a_v = ax * v.x + ay * v.y;
        let b_bend = bx * bend.x + by * bend.y;
        let (a_p, b_p) = (ax * p.x + ay * p.y, bx * p.x + by * p.y);
        Jet {
            gradient: [g - a_v, self.excess * sin2 - b_p],
            hessian: [
                g1 - (ax * bend.x + ay * bend.y),
                -(bx * v.x + by * v.y),
                2.0 * self.excess * cos2 + a_p,
            ],
            third: [g2 + a_v, -b_bend, a_v, b_p - 4.0 * self.excess * sin2],
        }
    }

    /// All spots where the gradient vanishes; `None` where they nearly fill a curve.
    pub(super) fn isolated(&self) -> Option<Spots> {
        let mut found = Spots::new();
        let mut singular = Spots::new();
        let mut open = [Spot {
            t: Angle::ZERO,
            u: Angle::ZERO,
        }; MAX_OPEN];
        let mut next = open;
        let mut count = 0;
        let step = Angle::ZERO
            .turned(0.5 * HALF_WIDTH)
            .turned(0.5 * HALF_WIDTH);
        let step = step.plus(step);
        let mut t = Angle::ZERO;
        for _ in 0..CELLS {
            let mut u = Angle::ZERO;
            for _ in 0..CELLS {
                let cell = Spot { t, u };
                if self.undecided(cell, HALF_WIDTH, &mut found)? {
                    open[count] = cell;
                    count += 1;
                }
                u = u.plus(step);
            }
            t = t.plus(step);
        }
        let mut w = HALF_WIDTH;
        for _ in 0..DEEPEST {
            if count == 0 {
                break;
            }
            w *= 0.5;
            let mut kept = 0;
            for cell in &open[..count] {
                for by in [[-w, -w], [-w, w], [w, -w], [w, w]] {
                    let quarter = cell.turned(by);
                    if self.undecided(quarter, w, &mut found)? {
                        if kept == MAX_OPEN {
                            return None;
                        }
                        next[kept] = quarter;
                        kept += 1;
                    }
                }
            }
            (open, next, count) = (next, open, kept);
        }
        for cell in &open[..count] {
            if let Some(spot) = self.newton(*cell, SAME_SINGULAR)
                && !found.as_slice().iter().any(|s| s.is_near(spot, SAME))
                && !singular.push(spot, SAME_SINGULAR)
            {
                return None;
            }
        }
        for spot in singular.as_slice() {
            if !found.push(*spot, SAME) {
                return None;
            }
        }
        Some(found)
    }

    /// Takes the solution of a cell; true where the cell must be halved, `None` where there are too many.
    fn undecided(&self, at: Spot, w: f64, found: &mut Spots) -> Option<bool> {
        let jet = self.jet(at);
        let w = w * (1.0 + OVERLAP);
        let ([x, y], [tt, tu, uu]) = (jet.gradient, jet.hessian);
        let [ttt, ttu, tuu, uuu] = jet.third.map(f64::abs);
        let rest = [
            w * w * (0.5 * (ttt + 2.0 * ttu + tuu) + w / 6.0 * self.third[0]),
            w * w * (0.5 * (ttu + 2.0 * tuu + uuu) + w / 6.0 * self.third[1]),
        ];
        if x.abs() > w * (tt.abs() + tu.abs()) + rest[0]
            || y.abs() > w * (tu.abs() + uu.abs()) + rest[1]
        {
            return Some(false);
        }
        let det = tt * uu - tu * tu;
        let inverse = [uu / det, -tu / det, tt / det];
        let step = jet.newton();
        let [i0, i1, i2] = inverse.map(f64::abs);
        if step[0].abs() > w + i0 * rest[0] + i1 * rest[1]
            || step[1].abs() > w + i1 * rest[0] + i2 * rest[1]
        {
            return Some(false);
        }
        // The change of the Hessian over the doubled cell.
        let reach = 2.0 * w;
        let change = [
            reach * (ttt + ttu + 0.5 * reach * self.third[0]),
            reach * (ttu + tuu + 0.5 * reach * self.third[0].min(self.third[1])),
            reach * (tuu + uuu + 0.5 * reach * self.third[1]),
        ];
        let rows = [
            i0 * (change[0] + change[1]) + i1 * (change[1] + change[2]),
            i1 * (change[0] + change[1]) + i2 * (change[1] + change[2]),
        ];
        let contracts = rows[0].max(rows[1]) <= 0.5;
        if contracts
            && let Some(spot) = self.newton(at, reach)
            && spot.is_near(at, w)
            && !found.push(spot, SAME)
        {
            return None;
        }
        Some(!contracts)
    }

    /// The solution that Newton's method finds within `reach` of a spot.
    fn newton(&self, start: Spot, reach: f64) -> Option<Spot> {
        let noise = self.noise();
        let (mut now, mut best) = (start, f64::INFINITY);
        let mut kept = start;
        for _ in 0..MAX_STEPS {
            let jet = self.jet(now);
            let residual = jet.residual();
            if residual >= best && best <= noise {
                break;
            }
            (kept, best) = (now, residual);
            let step = jet.newton();
            let length = step[0].abs().max(step[1].abs());
            if residual == 0.0 || !length.is_finite() {
                break;
            }
            let shorter = (0.5 * reach / length).min(1.0);
            now = now.turned(step.map(|d| d * shorter));
            if !now.is_near(start, 2.0 * reach) {
                return None;
            }
        }
        (best <= noise && kept.is_near(start, reach)).then_some(kept)
    }
}
