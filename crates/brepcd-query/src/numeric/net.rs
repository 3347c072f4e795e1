//! Bézier pieces in frame A: evaluation, and bounds of their third derivatives.
//!
//! A piece whose one side is collapsed to a point `P` is kept as `x = P + τ z`, with `τ` the parameter measured from
//! that side: `z` is a rational Bézier piece again, and `∂z` spans the tangent plane also at `P`, where `∂x` vanishes.

use brepcd_geom::nurbs::basis::MAX_DEGREE;
use brepcd_geom::{Point4, Vec3};
use brepcd_tree::MatrixPose;

/// Gap relative to the size under which a side counts as collapsed to a point.
const COLLAPSED: f64 = 1e-9;

/// Control points in each direction, at most, of pieces bounded box by box.
pub(super) const MAX_TIGHT: usize = 6;

/// Position and derivatives up to the second over the unit square, with tangent fields that vanish nowhere.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Jet {
    pub p: Vec3,
    pub x: [Vec3; 2],
    pub xx: [Vec3; 3],
    /// The first and second derivatives of `z`, where the piece has a pole.
    pub z: [Vec3; 2],
    pub zz: [Vec3; 3],
    /// The weight, and its derivatives in units of it: u, v, uu, uv, vv.
    pub weight: f64,
    pub ww: [f64; 5],
}

/// Bounds of the third derivatives' coordinates over the unit square: uuu, uuv, uvv, vvv.
pub(super) type Thirds = [Vec3; 4];

/// A collapsed side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pole {
    point: Vec3,
    /// The variable that runs away from it.
    pub along: usize,
    /// True if it lies at the upper end of that variable.
    high: bool,
}

/// A rational Bézier curve (`degree[1] = 0`) or surface over the unit square.
#[derive(Clone, Debug, Default)]
pub(super) struct Net {
    pub degree: [usize; 2],
    /// Homogeneous, weight last; of `z` where there is a pole.
    pub control: Vec<Point4>,
    pub polynomial: bool,
    pub pole: Option<Pole>,
    /// Of the piece itself, unless it is tight.
    pub thirds: Thirds,
    /// Of `z`, where there is a pole.
    pub pole_thirds: Thirds,
    /// The middle of the box of the control points.
    centre: Vec3,
    /// Half the diagonal of the box of the control points.
    pub radius: f64,
}

impl Net {
    /// Takes over control points (`iu * count_v + iv`), placed by a pose; bounds of third derivatives only if asked for.
    ///
    /// False if their number does not fit the degrees.
    pub fn load(
        &mut self,
        control: &[Point4],
        degree: [usize; 2],
        pose: &MatrixPose,
        bounded: bool,
    ) -> bool {
        let count = (degree[0] + 1) * (degree[1] + 1);
        if control.len() != count || degree[0].max(degree[1]) > MAX_DEGREE {
            return false;
        }
        self.degree = degree;
        self.pole = None;
        let shift = pose.translation.vector;
        let turn = pose.rotation.matrix();
        let first = control[0].w;
        self.polynomial = control.iter().all(|c| c.w == first);
        // Equal weights cancel, and so does the size of all of them.
        let scale = 1.0 / first;
        self.control.clear();
        let (mut lo, mut hi) = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
        for c in control {
            let w = c.w * scale;
            let x = turn * c.xyz() * scale + shift * w;
            let p = if self.polynomial { x } else { x / w };
            lo = lo.inf(&p);
            hi = hi.sup(&p);
            self.control.push(Point4::new(x.x, x.y, x.z, w));
        }
        self.radius = 0.5 * (hi - lo).norm();
        if degree[1] > 0 {
            self.find_pole();
        }
        self.centre = (lo + hi) * 0.5;
        // Most pieces are bounded box by box.
        if bounded && !self.is_tight() {
            [self.thirds, self.pole_thirds] = self.third_bounds();
        }
        true
    }

    /// True if boxes of the piece are bounded by their own control points.
    pub fn is_tight(&self) -> bool {
        let [p, q] = self.degree;
        self.pole.is_none() && p.max(q) < MAX_TIGHT
    }

    fn index(&self, i: usize, j: usize) -> usize {
        i * (self.degree[1] + 1) + j
    }

    fn find_pole(&mut self) {
        let [p, q] = self.degree;
        for (along, high) in [(1, false), (1, true), (0, false), (0, true)] {
            let other = if along == 1 { p } else { q };
            let fixed = if high { self.degree[along] } else { 0 };
            let at = |k: usize| {
                let c = &self.control[if along == 1 {
                    self.index(k, fixed)
                } else {
                    self.index(fixed, k)
                }];
                c.xyz() / c.w
            };
            let point = at(0);
            let limit = COLLAPSED * 2.0 * self.radius;
            if (1..=other).all(|k| (at(k) - point).norm() <= limit) {
                self.divide(Pole { point, along, high });
                return;
            }
        }
    }

    /// Replaces the control points by those of `z = (x - P) / τ`.
    ///
    /// `B_k^n(τ) = τ (n / k) B_{k-1}^{n-1}(τ)`; the result is raised to degree `n` again, so that it shares the weights.
    fn divide(&mut self, pole: Pole) {
        let n = self.degree[pole.along];
        let other = self.degree[1 - pole.along];
        let count_v = self.degree[1] + 1;
        let mut row = [Vec3::zeros(); MAX_DEGREE + 1];
        for k in 0..=other {
            let at = |m: usize| {
                let m = if pole.high { n - m } else { m };
                if pole.along == 1 {
                    k * count_v + m
                } else {
                    m * count_v + k
                }
            };
            for m in 1..=n {
                let c = &self.control[at(m)];
                row[m - 1] = (c.xyz() - pole.point * c.w) * (n as f64 / m as f64);
            }
            for m in 0..=n {
                let share = m as f64 / n as f64;
                let before = if m > 0 {
                    row[m - 1] * share
                } else {
                    Vec3::zeros()
                };
                let here = if m < n {
                    row[m] * (1.0 - share)
                } else {
                    Vec3::zeros()
                };
                let x = before + here;
                let c = &mut self.control[at(m)];
                *c = Point4::new(x.x, x.y, x.z, c.w);
            }
        }
        self.pole = Some(pole);
    }

    /// The largest coordinates of a derivative's control points, in space (seen from `centre`) and of the weight.
    fn derivative(&self, orders: [usize; 2], centre: &Vec3) -> (Vec3, f64) {
        let [p, q] = self.degree;
        if orders[0] > p || orders[1] > q {
            return (Vec3::zeros(), 0.0);
        }
        let falling = |n: usize, k: usize| (0..k).fold(1.0, |a, i| a * (n - i) as f64);
        let scale = falling(p, orders[0]) * falling(q, orders[1]);
        let (du, dv) = (&DIFFERENCES[orders[0]], &DIFFERENCES[orders[1]]);
        let (mut space, mut weight) = (Vec3::zeros(), 0.0_f64);
        for i in 0..=p - orders[0] {
            for j in 0..=q - orders[1] {
                let mut sum = Point4::zeros();
                for (k, a) in du[..=orders[0]].iter().enumerate() {
                    for (l, b) in dv[..=orders[1]].iter().enumerate() {
                        sum += self.control[self.index(i + k, j + l)] * (a * b);
                    }
                }
                space = space.sup(&(sum.xyz() - centre * sum.w).abs());
                weight = weight.max(sum.w.abs());
            }
        }
        (space * scale, weight * scale)
    }

    /// Bounds of the third derivatives anywhere, of the piece itself and of `z` if there is a pole.
    pub fn third_bounds(&self) -> [Thirds; 2] {
        let surface = self.degree[1] > 0;
        let mut bounds = [[Vec3::zeros(); 4]; 4];
        if self.polynomial {
            let least = if self.pole.is_some() { 2 } else { 3 };
            for order in least..=3 {
                for v in 0..=if surface { order } else { 0 } {
                    let u = order - v;
                    bounds[u][v] = self.derivative([u, v], &Vec3::zeros()).0;
                }
            }
        } else {
            self.bound_rational(self.centre, &mut bounds);
        }
        let of_z = [bounds[3][0], bounds[2][1], bounds[1][2], bounds[0][3]];
        let mut thirds = of_z;
        if let Some(pole) = self.pole {
            // By x = P + τ z with τ at most 1, and dτ = ±1.
            let seconds = [bounds[2][0], bounds[1][1], bounds[0][2]];
            for (k, third) in thirds.iter_mut().enumerate() {
                let times = if pole.along == 1 { k } else { 3 - k };
                if times > 0 {
                    *third += seconds[if pole.along == 1 { k - 1 } else { k }] * times as f64;
                }
            }
        }
        [thirds, of_z]
    }

    /// Bounds of all derivatives of `X / w` by Leibniz' rule on `w (X / w) = X`.
    fn bound_rational(&self, centre: Vec3, bounds: &mut [[Vec3; 4]; 4]) {
        // Where the control points are those of z, moving the origin gains nothing.
        let centre = if self.pole.is_some() {
            Vec3::zeros()
        } else {
            centre
        };
        let surface = self.degree[1] > 0;
        let least = self.control.iter().fold(f64::INFINITY, |a, c| a.min(c.w));
        let mut weight = [[0.0; 4]; 4];
        for order in 0..=3 {
            for v in 0..=if surface { order } else { 0 } {
                let u = order - v;
                let (space, w) = self.derivative([u, v], &centre);
                weight[u][v] = w;
                let mut sum = space;
                for i in 0..=u {
                    for j in 0..=v {
                        if i + j > 0 {
                            let times = BINOMIAL[u][i] * BINOMIAL[v][j];
                            sum += bounds[u - i][v - j] * (times * weight[i][j]);
                        }
                    }
                }
                bounds[u][v] = sum / least;
            }
        }
    }

    /// Position and derivatives at a point of the unit square or a little beyond.
    pub fn jet(&self, s: f64, t: f64) -> Jet {
        if self.degree[1] == 0 {
            return match self.degree[0] {
                0..=3 => self.curve_jet::<4>(s),
                4..=7 => self.curve_jet::<8>(s),
                8..=11 => self.curve_jet::<12>(s),
                _ => self.curve_jet::<{ MAX_DEGREE + 1 }>(s),
            };
        }
        match self.degree[0].max(self.degree[1]) {
            0..=2 => self.jet_sized::<3>(s, t),
            3 => self.jet_sized::<4>(s, t),
            4..=5 => self.jet_sized::<6>(s, t),
            _ => self.jet_sized::<{ MAX_DEGREE + 1 }>(s, t),
        }
    }

    fn curve_jet<const N: usize>(&self, s: f64) -> Jet {
        let [a0, a1, a2] = bernstein::<N>(self.degree[0], s);
        let (mut h, mut hu, mut huu) = (Point4::zeros(), Point4::zeros(), Point4::zeros());
        for (i, c) in self.control.iter().enumerate() {
            h += c * a0[i];
            hu += c * a1[i];
            huu += c * a2[i];
        }
        let mut jet = Jet::default();
        if self.polynomial {
            jet.p = h.xyz();
            jet.weight = 1.0;
            jet.x[0] = hu.xyz();
            jet.xx[0] = huu.xyz();
        } else {
            let w = 1.0 / h.w;
            jet.p = h.xyz() * w;
            jet.weight = h.w;
            jet.ww = [hu.w * w, 0.0, huu.w * w, 0.0, 0.0];
            jet.x[0] = (hu.xyz() - jet.p * hu.w) * w;
            jet.xx[0] = (huu.xyz() - jet.x[0] * (2.0 * hu.w) - jet.p * huu.w) * w;
        }
        jet
    }

    fn jet_sized<const N: usize>(&self, s: f64, t: f64) -> Jet {
        let [p, q] = self.degree;
        let [a0, a1, a2] = bernstein::<N>(p, s);
        let [b0, b1, b2] = bernstein::<N>(q, t);
        let zero = Point4::zeros();
        let (mut h, mut hu, mut hv) = (zero, zero, zero);
        let (mut huu, mut huv, mut hvv) = (zero, zero, zero);
        for (i, row) in self.control.chunks_exact(q + 1).enumerate() {
            let (mut r, mut rv, mut rvv) = (zero, zero, zero);
            for (j, c) in row.iter().enumerate() {
                r += c * b0[j];
                rv += c * b1[j];
                rvv += c * b2[j];
            }
            h += r * a0[i];
            hu += r * a1[i];
            huu += r * a2[i];
            hv += rv * a0[i];
            huv += rv * a1[i];
            hvv += rvv * a0[i];
        }
        let mut jet = Jet::default();
        if self.polynomial {
            jet.p = h.xyz();
            jet.weight = 1.0;
            jet.x = [hu.xyz(), hv.xyz()];
            jet.xx = [huu.xyz(), huv.xyz(), hvv.xyz()];
        } else {
            let w = 1.0 / h.w;
            let p = h.xyz() * w;
            let du = (hu.xyz() - p * hu.w) * w;
            let dv = (hv.xyz() - p * hv.w) * w;
            jet.p = p;
            jet.weight = h.w;
            jet.ww = [hu.w, hv.w, huu.w, huv.w, hvv.w].map(|d| d * w);
            jet.x = [du, dv];
            jet.xx = [
                (huu.xyz() - du * (2.0 * hu.w) - p * huu.w) * w,
                (huv.xyz() - du * hv.w - dv * hu.w - p * huv.w) * w,
                (hvv.xyz() - dv * (2.0 * hv.w) - p * hvv.w) * w,
            ];
        }
        match self.pole {
            Some(pole) => pole.multiply(&jet, [s, t]),
            None => jet,
        }
    }
}

impl Pole {
    /// The parameter measured from the pole.
    pub fn distance(&self, at: f64) -> f64 {
        if self.high { 1.0 - at } else { at }
    }

    /// The jet of `P + τ z` from that of `z`.
    fn multiply(&self, z: &Jet, at: [f64; 2]) -> Jet {
        let (tau, sign) = if self.high {
            (1.0 - at[self.along], -1.0)
        } else {
            (at[self.along], 1.0)
        };
        let mut jet = Jet {
            p: self.point + z.p * tau,
            x: z.x.map(|d| d * tau),
            xx: z.xx.map(|d| d * tau),
            z: z.x,
            zz: z.xx,
            ..*z
        };
        jet.x[self.along] += z.p * sign;
        jet.xx[1] += z.x[1 - self.along] * sign;
        jet.xx[2 * self.along] += z.x[self.along] * (2.0 * sign);
        jet
    }
}

/// Coefficients of forward differences.
const DIFFERENCES: [[f64; 4]; 4] = [
    [1.0, 0.0, 0.0, 0.0],
    [-1.0, 1.0, 0.0, 0.0],
    [1.0, -2.0, 1.0, 0.0],
    [-1.0, 3.0, -3.0, 1.0],
];
const BINOMIAL: [[f64; 4]; 4] = [
    [1.0, 0.0, 0.0, 0.0],
    [1.0, 1.0, 0.0, 0.0],
    [1.0, 2.0, 1.0, 0.0],
    [1.0, 3.0, 3.0, 1.0],
];

/// The Bernstein polynomials of a degree with their first and second derivatives.
#[inline]
fn bernstein<const N: usize>(degree: usize, s: f64) -> [[f64; N]; 3] {
    let mut out = [[0.0; N]; 3];
    let r = 1.0 - s;
    let mut b = [0.0; N];
    b[0] = 1.0;
    for k in 1..=degree {
        if k == degree {
            // b has degree n - 1.
            let n = degree as f64;
            out[1][0] = -n * b[0];
            for i in 1..k {
                out[1][i] = n * (b[i - 1] - b[i]);
            }
            out[1][k] = n * b[k - 1];
        }
        if k + 1 == degree {
            // b has degree n - 2.
            let n = (degree * (degree - 1)) as f64;
            for i in 0..=degree {
                let at = |m: usize, back: usize| {
                    if m >= back && m - back < k {
                        b[m - back]
                    } else {
                        0.0
                    }
                };
                out[2][i] = n * (at(i, 2) - 2.0 * at(i, 1) + at(i, 0));
            }
        }
        b[k] = s * b[k - 1];
        for i in (1..k).rev() {
            b[i] = r * b[i] + s * b[i - 1];
        }
        b[0] *= r;
    }
    out[0] = b;
    out
}
