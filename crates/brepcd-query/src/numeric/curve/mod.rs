//! One free-form curve piece against a point, line, circle, plane, cylinder or cone: one unknown.
//!
//! The foot on such a core is known in closed form, so a pair is stationary where one function of the curve's parameter
//! vanishes: a polynomial, or one with a square root that can be bounded (`equation.rs`, `bounds.rs`). The piece is halved
//! until each part is out of reach, has no root, or is monotone, when Newton finds its one root (`polish.rs`). Parts
//! where the function cannot be told from zero are joined: a long stretch is a family, a short one a degenerate root.
//! Bernstein coefficients bound a polynomial up to the square of a part's length, so even nearly conformal pairs need
//! few parts (Lane and Riesenfeld, "Bounds on a polynomial", 1981).

mod bernstein;
mod bounds;
mod equation;
mod polish;
mod target;
#[cfg(test)]
mod tests;

use super::net::Net;
use super::problem::Problem;
use super::side::{Arc, Core};
use super::{Counts, Outcome, ROUNDING};
use crate::piece::Piece;
use bernstein::LENGTH;
use bounds::Factor;
use brepcd_geom::{Curve, Vec3};
use brepcd_tree::Shape;
use equation::{Cell, Form};
use target::{Kind, Target};

/// Coefficients of the polynomials of cubics and rational conics.
const SHORT: usize = 8;
/// Those of the product of both sides.
const SHORT_BOTH: usize = 17;
/// The same of degrees up to 7, or 5 if rational.
const MIDDLE: usize = 16;
const MIDDLE_BOTH: usize = 41;
/// The same of degrees up to 11; products, which take up to [`LENGTH`], only up to 9 if rational.
const LONG: usize = 33;
/// Room for a product that there is none of, or that would be too long.
const NONE: usize = 1;
/// Halvings of a piece at most.
const DEEPEST: usize = 50;
/// Parts of a piece at most, after which the general search may do better.
const MOST_CELLS: u32 = 2000;
/// Share of the range under which two roots are one.
const SAME_ROOT: f64 = 1e-8;
/// Share of the range that values as good as zero may leave undecided before they are a family.
const FLAT_SHARE: f64 = 0.05;
/// Share of the range between samples of a family.
const SAMPLE_SHARE: f64 = 0.25;
/// Places tried for each sample of a family, as shares of its part of the family.
const PLACES: [f64; 7] = [0.5, 0.35, 0.65, 0.2, 0.8, 0.02, 0.98];
/// Share of the range under which parts across the axis of a core are left to the general search.
const AXIS_SHARE: f64 = 1e-3;
/// Distance from the axis, relative to the largest coordinate, under which directions from it do not tell.
const ON_AXIS: f64 = 1e-3;

/// True if just one of two patches is a piece of a free-form curve, and the other one has no pieces.
pub(super) fn is_for(a: &Piece<'_>, b: &Piece<'_>) -> bool {
    let is_free = |piece: &Piece<'_>| {
        matches!(
            piece.feature().shape,
            Shape::Edge {
                curve: Curve::Nurbs(_),
                ..
            }
        )
    };
    let has_pieces = |piece: &Piece<'_>| !piece.patch().control.range().is_empty();
    is_free(a) && !has_pieces(b) || is_free(b) && !has_pieces(a)
}

/// Appends the roots of a problem; `None`, with nothing appended, if it is not of this kind.
pub(super) fn search(
    problem: &Problem<'_>,
    counts: &mut Counts,
    roots: &mut Vec<[f64; 4]>,
) -> Option<Outcome> {
    let Core::Arc(Arc::Bezier(net)) = problem.x.core else {
        return None;
    };
    let target = Target::of(problem)?;
    let sum: f64 = net.control.iter().map(|c| c.sum()).sum();
    if !(sum + target.origin.sum()).is_finite() {
        return None;
    }
    let (length, both) = equation::lengths(net)?;
    let first = roots.len();
    macro_rules! run {
        ($n:expr, $m:expr) => {
            run::<$n, $m>(problem, &target, net, counts, roots)
        };
    }
    let has_root = target.root_factor(1.0).is_some();
    let outcome = match (length, has_root) {
        (..=SHORT, false) => run!(SHORT, NONE),
        (..=MIDDLE, false) => run!(MIDDLE, NONE),
        (..=LONG, false) => run!(LONG, NONE),
        (..=SHORT, true) if both <= SHORT_BOTH => run!(SHORT, SHORT_BOTH),
        (..=MIDDLE, true) if both <= MIDDLE_BOTH => run!(MIDDLE, MIDDLE_BOTH),
        (..=LONG, true) if both <= LENGTH => run!(LONG, LENGTH),
        (..=LONG, true) => run!(LONG, NONE),
        _ => None,
    };
    if outcome.is_none() {
        roots.truncate(first);
    }
    outcome
}

fn run<const N: usize, const M: usize>(
    problem: &Problem<'_>,
    target: &Target,
    net: &Net,
    counts: &mut Counts,
    roots: &mut Vec<[f64; 4]>,
) -> Option<Outcome> {
    let Some((form, mut whole)) = equation::whole::<N, M>(target, net) else {
        counts.boxes += 1;
        return Some(Outcome::Resolved);
    };
    if !whole.is_finite() {
        return None;
    }
    let first = roots.len();
    let mut search = Search {
        target,
        net,
        form,
        flat: problem.flat.max(ROUNDING * form.extent),
        side: 1.0,
        root: None,
        cells: 0,
        first,
        counts,
        roots,
        stretch: None,
        family: false,
    };
    for side in target.sides() {
        search.side = *side;
        search.root = target.root_factor(*side);
        search.first = search.roots.len();
        if search.is_out(&whole) {
            search.counts.boxes += 1;
            continue;
        }
        if let Some(root) = search.root.filter(|_| M > NONE) {
            whole.multiply(&mut search.form, root);
            if !whole.is_finite() {
                return None;
            }
        }
        search.walk(&whole, 0)?;
        search.end_stretch()?;
    }
    Some(if search.family {
        Outcome::Family
    } else {
        Outcome::Resolved
    })
}

/// A search under way on one side of the axis.
struct Search<'a> {
    target: &'a Target,
    net: &'a Net,
    form: Form,
    /// Lengths as good as zero.
    flat: f64,
    side: f64,
    root: Option<(f64, f64)>,
    cells: u32,
    /// The first root of this side.
    first: usize,
    counts: &'a mut Counts,
    roots: &'a mut Vec<[f64; 4]>,
    /// The parameters over which the equation was last found to be as good as zero.
    stretch: Option<(f64, f64)>,
    family: bool,
}

/// One root in a cell, from the values at its ends.
fn one<const N: usize, const M: usize>(cell: &Cell<N, M>, a: f64, b: f64) -> Verdict {
    let share = if a == b { 0.5 } else { a / (a - b) };
    Verdict::One {
        start: cell.lo + cell.length() * share,
        rising: b > a,
    }
}

/// What is to be done with a cell.
enum Verdict {
    Drop,
    /// The equation is as good as zero all over.
    Flat,
    /// One root, and where to start; the equation rises or falls.
    One {
        start: f64,
        rising: bool,
    },
    Halve,
    /// The axis of the core is too near.
    Axis,
}

impl Search<'_> {
    /// Looks through a cell from its lower to its upper end; `None` if the general search must.
    fn walk<const N: usize, const M: usize>(
        &mut self,
        cell: &Cell<N, M>,
        depth: usize,
    ) -> Option<()> {
        self.counts.boxes += 1;
        self.cells += 1;
        match self.judge(cell) {
            Verdict::Drop => {}
            Verdict::Flat => match &mut self.stretch {
                Some((_, hi)) if *hi == cell.lo => *hi = cell.hi,
                _ => {
                    self.end_stretch()?;
                    self.stretch = Some((cell.lo, cell.hi));
                }
            },
            Verdict::One { start, rising } => {
                self.end_stretch()?;
                self.take(cell, start, rising)?;
            }
            Verdict::Halve if depth < DEEPEST && self.cells < MOST_CELLS => {
                let [lower, upper] = cell.halves(&self.form);
                self.walk(&lower, depth + 1)?;
                self.walk(&upper, depth + 1)?;
            }
            Verdict::Halve | Verdict::Axis => return None,
        }
        Some(())
    }

    /// True if a cell is out of reach, or the equation of this side has no root in it as far as is seen at once.
    fn is_out<const N: usize, const M: usize>(&self, cell: &Cell<N, M>) -> bool {
        let (rho, h) = (cell.rho(&self.form), cell.height(&self.form));
        if !self.target.admits(self.side, rho, h) {
            return true;
        }
        let factor = self.root.map(|root| Factor::new(root, rho));
        let (lo, hi) = bounds::of_value(cell, &self.form, factor.as_ref());
        rho.0 > 0.0 && (lo > 0.0 || hi < 0.0)
    }

    fn judge<const N: usize, const M: usize>(&self, cell: &Cell<N, M>) -> Verdict {
        let form = &self.form;
        let (rho, h) = (cell.rho(form), cell.height(form));
        if !self.target.admits(self.side, rho, h) {
            return Verdict::Drop;
        }
        let factor = match self.root {
            Some(_) if rho.0 <= 0.0 => {
                let short = cell.length() < AXIS_SHARE;
                return if short { Verdict::Axis } else { Verdict::Halve };
            }
            Some(root) => Some(Factor::new(root, rho)),
            None => None,
        };
        let (lo, hi) = bounds::of_value(cell, form, factor.as_ref());
        if lo > 0.0 || hi < 0.0 {
            return Verdict::Drop;
        }
        let still = self.still(rho, h, cell.length()) * cell.least_weight(form);
        if lo >= -still && hi <= still {
            return Verdict::Flat;
        }
        if let Some(root) = self.root.filter(|_| M > NONE) {
            let both = bounds::of_both(cell, form, root, rho);
            if both.excluded {
                return Verdict::Drop;
            }
            if both.sign != 0.0 && both.most <= still {
                return Verdict::Flat;
            }
            if both.sign != 0.0 && both.single {
                let [a, b] = both.ends.map(|e| e * both.sign);
                return one(cell, a, b);
            }
        }
        let (least, most) = bounds::of_slope(cell, form, factor.as_ref());
        if least < 0.0 && most > 0.0 {
            return Verdict::Halve;
        }
        let [a, b] = bounds::at_ends(cell, form, self.root);
        if a.min(b) > 0.0 || a.max(b) < 0.0 {
            return Verdict::Drop;
        }
        one(cell, a, b)
    }

    /// Values of the equation that are as good as zero: those by which the distance changes by a length as good as zero
    /// over the whole range.
    fn still(&self, rho: (f64, f64), h: (f64, f64), share: f64) -> f64 {
        let away = |(lo, hi): (f64, f64)| hi.max(-lo);
        // Of half the square of a distance, so that a curve through its core has roots there that stand alone.
        let of_square = |distance: f64| {
            let speed = 2.0 * self.net.radius;
            4.0 * self.flat * (distance + speed * share)
                + 2.0 * ROUNDING * self.form.extent * speed * share
        };
        match self.target.kind {
            Kind::Plane => 2.0 * self.flat,
            Kind::Turned { sin: 0.0, .. } => 4.0 * self.flat * rho.0,
            Kind::Turned { .. } => 2.0 * self.flat,
            Kind::Line => of_square(rho.1),
            Kind::Point => of_square(rho.1.hypot(away(h))),
            Kind::Circle { radius } => {
                let on = self.side * radius;
                of_square(away((rho.0 - on, rho.1 - on)).hypot(away(h)))
            }
        }
    }

    /// Takes the root of a cell that has one.
    fn take<const N: usize, const M: usize>(
        &mut self,
        cell: &Cell<N, M>,
        start: f64,
        rising: bool,
    ) -> Option<()> {
        self.counts.proofs += 1;
        let (target, side) = (self.target, self.side);
        let bracket = (cell.lo, cell.hi);
        let steps = &mut self.counts.newton_steps;
        let t = polish::root(target, side, self.net, bracket, start, rising, steps)?;
        let at = polish::evaluate(target, side, self.net, t);
        let (rho, h) = (at.local.x.hypot(at.local.y), at.local.z);
        let still = self.still((rho, rho), (h, h), 0.0) / self.units();
        self.family |= self.push(t, &at.local)? && still > 0.5 * FLAT_SHARE * at.slope.abs();
        Some(())
    }

    /// The polynomials' equation in units of the one that is polished.
    fn units(&self) -> f64 {
        match self.target.kind {
            Kind::Plane => 1.0,
            Kind::Turned { sin: 0.0, .. } => 2.0,
            Kind::Turned { .. } => 1.0,
            Kind::Line | Kind::Point | Kind::Circle { .. } => 2.0,
        }
    }

    /// Appends a root if it is new, in reach and over the core; `None` if it lies on the axis of the core.
    fn push(&mut self, t: f64, local: &Vec3) -> Option<bool> {
        let rho = local.x.hypot(local.y);
        let admitted = self
            .target
            .admits(self.side, (rho, rho), (local.z, local.z))
            && self.target.admits_foot(local, local);
        if !admitted {
            return Some(false);
        }
        if self.target.has_axis() && rho <= ON_AXIS * self.form.extent {
            return None;
        }
        let Some(other) = self.target.unknown(self.side, local) else {
            return Some(false);
        };
        let known = self.roots[self.first..]
            .iter()
            .any(|root| (root[0] - t).abs() <= SAME_ROOT);
        if !known {
            self.roots.push([t, other, 0.0, 0.0]);
        }
        Some(!known)
    }

    /// A point of the curve in coordinates of the core.
    fn local(&self, t: f64) -> Vec3 {
        self.target
            .local(&(self.net.jet(t, 0.0).p - self.target.origin))
    }

    /// Samples the stretch that ended, if there is one.
    fn end_stretch(&mut self) -> Option<()> {
        let Some((lo, hi)) = self.stretch.take() else {
            return Some(());
        };
        let length = hi - lo;
        if length <= FLAT_SHARE {
            let middle = 0.5 * (lo + hi);
            self.push(middle, &self.local(middle))?;
            return Some(());
        }
        let parts = (length / SAMPLE_SHARE - SAME_ROOT).ceil().max(1.0);
        let part = length / parts;
        for k in 0..parts as usize {
            for place in PLACES {
                let t = lo + (k as f64 + place) * part;
                if self.push(t, &self.local(t))? {
                    self.family = true;
                    self.counts.samples += 1;
                    break;
                }
            }
        }
        Some(())
    }
}
