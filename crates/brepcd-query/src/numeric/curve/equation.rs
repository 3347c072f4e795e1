//! The equation of a stationary distance along a curve piece, in polynomials.
//!
//! With the curve `X / w` in coordinates of the core and `σ = ρ²`, all equations are `A - (K / ρ - k) S = 0`, where
//! `S = w³ σ'` and `A` are polynomials: `A = S` for lines and cylinders, `w³ h'` for planes, `-sin w³ h'` for cones,
//! `w³ (σ + h²)'` for points, `2 w³ h h'` for circles. The product of the equations of both sides of the axis has no
//! root in it: its coefficients are the sharper bounds, except where both equations vanish at once.

use super::super::ROUNDING;
use super::super::net::Net;
use super::super::problem::RANGE_SLACK;
use super::bernstein::{Product, halves, ratio_range};
use super::target::{Kind, Target};
use brepcd_geom::Vec3;

/// Control points of a piece at most.
pub(super) const MOST_CONTROL: usize = 12;

/// Polynomials over a part of a piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell<const N: usize, const M: usize> {
    /// The part, in parameters of the piece.
    pub lo: f64,
    pub hi: f64,
    /// `A`, and `S` where it is another one.
    pub a: [f64; N],
    pub s: [f64; N],
    /// `w² (ρ² (A + k S)² - K² S²)`, where there is a root: the product of the equations of both sides.
    pub both: [f64; M],
    /// `w² σ`, `w²`, `w h` and `w`.
    sigma: [f64; N],
    square: [f64; N],
    h: [f64; N],
    w: [f64; N],
}

/// Degrees and which polynomials are needed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Form {
    /// Of the equation, of `σ`, of `h`.
    pub degree: usize,
    sigma: usize,
    h: usize,
    rational: bool,
    /// True if `ρ` is of no concern.
    flat: bool,
    /// True if `S` is one of the polynomials on their own.
    pub split: bool,
    /// Rounding of the product of both sides.
    pub noise: f64,
    /// Largest coordinate.
    pub extent: f64,
}

/// Coefficients of the longest polynomial, and of the product of both sides; `None` if there are too many control points.
pub(super) fn lengths(net: &Net) -> Option<(usize, usize)> {
    let n = net.degree[0];
    if net.degree[1] != 0 || !(1..MOST_CONTROL).contains(&n) {
        return None;
    }
    let equation = if net.polynomial { 2 * n - 1 } else { 3 * n - 1 };
    Some((equation.max(2 * n) + 1, 2 * equation + 2 * n + 1))
}

impl Form {
    /// Degree of the product of both sides.
    pub fn both(&self) -> usize {
        2 * self.degree + self.sigma
    }
}

/// The polynomials of a piece over its enlarged range; `None` if all of it is out of reach or beside the patch.
///
/// The product of both sides is left for [`Cell::multiply`].
pub(super) fn whole<const N: usize, const M: usize>(
    target: &Target,
    net: &Net,
) -> Option<(Form, Cell<N, M>)> {
    let n = net.degree[0];
    let count = n + 1;
    let mut x = [[0.0; MOST_CONTROL]; 4];
    let (mut lo, mut hi) = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
    for (i, c) in net.control.iter().enumerate() {
        let local = target.local(&(c.xyz() - target.origin * c.w));
        let p = if net.polynomial { local } else { local / c.w };
        (lo, hi) = (lo.inf(&p), hi.sup(&p));
        for (row, value) in x.iter_mut().zip([local.x, local.y, local.z, c.w]) {
            row[i] = value;
        }
    }
    let extent = lo.amax().max(hi.amax());
    if !target.admits_foot(&lo, &hi) {
        return None;
    }
    let mut d = [[0.0; MOST_CONTROL]; 4];
    let rows = if net.polynomial { 3 } else { 4 };
    for k in 0..rows {
        enlarge(&mut x[k][..count]);
        for i in 0..n {
            d[k][i] = n as f64 * (x[k][i + 1] - x[k][i]);
        }
    }
    let position = |k: usize| Product::<N>::new(&x[k][..count]);
    // The numerator of a coordinate's derivative.
    let slope = |k: usize| {
        let own = Product::<N>::new(&d[k][..n]);
        if net.polynomial {
            own
        } else {
            let weight = Product::new(&d[3][..n]);
            own.times(&position(3))
                .plus(-1.0, &position(k).times(&weight))
        }
    };
    let raise = || {
        if net.polynomial {
            Product::one(n)
        } else {
            position(3)
        }
    };
    let half_s = || {
        position(0)
            .times(&slope(0))
            .plus(1.0, &position(1).times(&slope(1)))
    };
    let twice = |p: Product<N>| p.scaled(2.0);
    let is_plane = matches!(target.kind, Kind::Plane);
    let mut cell = Cell {
        lo: -RANGE_SLACK,
        hi: 1.0 + RANGE_SLACK,
        a: [0.0; N],
        s: [0.0; N],
        both: [0.0; M],
        sigma: [0.0; N],
        square: [1.0; N],
        h: [0.0; N],
        w: [1.0; N],
    };
    let mut form = Form {
        degree: if net.polynomial { 2 * n - 1 } else { 3 * n - 1 },
        sigma: 2 * n,
        h: n,
        rational: !net.polynomial,
        flat: is_plane,
        split: false,
        noise: 0.0,
        extent,
    };
    cell.h[..count].copy_from_slice(&x[2][..count]);
    if !is_plane {
        let squares = |k: usize| position(k).times(&position(k));
        cell.sigma = squares(0).plus(1.0, &squares(1)).coefficients();
        if !net.polynomial {
            cell.square = squares(3).coefficients();
        }
    }
    if !net.polynomial {
        cell.w[..count].copy_from_slice(&x[3][..count]);
    }
    let (rho, h) = (cell.rho(&form), cell.height(&form));
    if !target.sides().iter().any(|s| target.admits(*s, rho, h)) {
        return None;
    }
    let a = match target.kind {
        Kind::Plane => slope(2).times(&raise()),
        Kind::Line | Kind::Turned { sin: 0.0, .. } => twice(half_s()),
        Kind::Turned { sin, .. } => {
            form.split = true;
            cell.s = twice(half_s()).coefficients();
            slope(2).times(&raise()).scaled(-sin)
        }
        Kind::Point => twice(half_s().plus(1.0, &position(2).times(&slope(2)))),
        Kind::Circle { .. } => {
            form.split = true;
            cell.s = twice(half_s()).coefficients();
            twice(position(2).times(&slope(2)))
        }
    };
    cell.a = a.coefficients();
    Some((form, cell))
}

/// Control points over the range enlarged on both sides; what this leaves out are squares of the tiny share.
fn enlarge(x: &mut [f64]) {
    let n = x.len() - 1;
    let mut before = 0.0;
    for i in 0..=n {
        let after = if i < n { x[i + 1] - x[i] } else { 0.0 };
        x[i] += RANGE_SLACK * (i as f64 * before - (n - i) as f64 * after);
        before = after;
    }
}

impl<const N: usize, const M: usize> Cell<N, M> {
    /// False if overflow or bad input would spoil the bounds.
    pub fn is_finite(&self) -> bool {
        let sum = |c: &[f64]| c.iter().sum::<f64>();
        (sum(&self.a) + sum(&self.s) + sum(&self.sigma) + sum(&self.both)).is_finite()
    }

    /// Multiplies the equations of both sides.
    pub fn multiply(&mut self, form: &mut Form, (root, plain): (f64, f64)) {
        let (n, m) = (form.sigma, form.degree);
        let long = |c: &[f64]| Product::<M>::new(c);
        let s = long(&self.s[..=m]);
        let sum = long(&self.a[..=m]).plus(plain, &s);
        let first = sum.times(&sum).times(&long(&self.sigma[..=n]));
        let second = s.times(&s);
        let second = if form.rational {
            second.times(&long(&self.square[..=n]))
        } else {
            second.times(&Product::one(n))
        };
        self.both = first.plus(-root * root, &second).coefficients();
        form.noise = ROUNDING * (first.largest() + root * root * second.largest());
    }

    pub fn length(&self) -> f64 {
        self.hi - self.lo
    }

    /// The lower and the upper half.
    pub fn halves(&self, form: &Form) -> [Self; 2] {
        let middle = 0.5 * (self.lo + self.hi);
        let (mut lower, mut upper) = (*self, *self);
        lower.hi = middle;
        upper.lo = middle;
        [lower.a, upper.a] = halves(&self.a, form.degree);
        [lower.h, upper.h] = halves(&self.h, form.h);
        if form.split {
            [lower.s, upper.s] = halves(&self.s, form.degree);
            if M > form.both() {
                [lower.both, upper.both] = halves(&self.both, form.both());
            }
        }
        if !form.flat {
            [lower.sigma, upper.sigma] = halves(&self.sigma, form.sigma);
        }
        if form.rational {
            [lower.square, upper.square] = halves(&self.square, form.sigma);
            [lower.w, upper.w] = halves(&self.w, form.h);
        }
        [lower, upper]
    }

    /// Bounds of `ρ`.
    pub fn rho(&self, form: &Form) -> (f64, f64) {
        if form.flat {
            return (0.0, 0.0);
        }
        let n = form.sigma;
        let (lo, hi) = ratio_range(&self.sigma[..=n], &self.square[..=n]);
        (lo.max(0.0).sqrt(), hi.max(0.0).sqrt())
    }

    /// Bounds of `h`.
    pub fn height(&self, form: &Form) -> (f64, f64) {
        ratio_range(&self.h[..=form.h], &self.w[..=form.h])
    }

    /// `ρ` at both ends.
    pub fn rho_at_ends(&self, form: &Form) -> [f64; 2] {
        [0, form.sigma].map(|i| (self.sigma[i] / self.square[i]).max(0.0).sqrt())
    }

    /// A lower bound of `w²`.
    pub fn least_square(&self, form: &Form) -> f64 {
        let square = &self.square[..=form.sigma];
        square.iter().fold(f64::INFINITY, |m, w| m.min(*w))
    }

    /// A lower bound of `w³`.
    pub fn least_weight(&self, form: &Form) -> f64 {
        if !form.rational {
            return 1.0;
        }
        let w = &self.w[..=form.h];
        w.iter().fold(f64::INFINITY, |m, w| m.min(*w)).powi(3)
    }
}
