//! The equations of a pair of sides over a box.
//!
//! With the unknowns of `x` first, then those of `y`, there are as many equations as unknowns:
//! - `y` directed: its normal is at right angles to the tangents of `x`, and `x` lies over the generator;
//! - `x` a surface: the distance is at right angles to it, and its normal to the tangents of `y`. Other than the
//!   gradient of the squared distance these stay regular where the two touch, and vanish at no mere crossing;
//! - else: the distance is at right angles to both curves.

use super::directed;
use super::model::Spreading;
use super::rows::{self, Bounds, Layout, System};
use super::search::FINE;
use super::side::{Core, Side};
use brepcd_geom::Interval;

/// Share of a range by which it is enlarged, so that nothing falls between neighbouring patches.
pub(super) const RANGE_SLACK: f64 = 1e-9;

/// A box of the unknowns.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cell {
    pub mid: [f64; 4],
    pub half: [f64; 4],
    /// Largest share of a range when a family was last looked for, 0 if never.
    pub probed: f64,
}

/// A pair of sides, `x` free-form or an edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct Problem<'s> {
    pub x: Side<'s>,
    pub y: Side<'s>,
    /// Largest distance.
    pub reach: f64,
    /// Lengths as good as zero.
    pub flat: f64,
    /// Lengths that are lost in rounding, at most `flat`.
    pub rounding: f64,
}

/// Both sides and their equations over a box.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Expansion {
    pub x: Spreading,
    pub y: Spreading,
    pub system: System,
    /// False where a surface has no normal.
    pub regular: bool,
}

impl Problem<'_> {
    /// Unknowns.
    pub fn size(&self) -> usize {
        self.x.dim + self.y.dim
    }

    /// All of both ranges.
    pub fn whole(&self) -> Cell {
        let mut cell = Cell::default();
        let ranges = self.x.range[..self.x.dim]
            .iter()
            .chain(&self.y.range[..self.y.dim]);
        for (k, range) in ranges.enumerate() {
            cell.mid[k] = range.mid();
            cell.half[k] = 0.5 * range.length() * (1.0 + 2.0 * RANGE_SLACK);
        }
        cell
    }

    fn parts(&self, v: &[f64; 4]) -> ([f64; 2], [f64; 2]) {
        let n = self.x.dim;
        ([v[0], v[1]], [v[n], v[n + 1]])
    }

    /// The unknown that runs away from the nearest pole, and the range of a box's distance from it.
    pub fn pole(&self, cell: &Cell) -> Option<(usize, Interval)> {
        let from = |side: &Side<'_>, first: usize| {
            let pole = side.pole()?;
            let k = first + pole.along;
            let (middle, half) = (pole.distance(cell.mid[k]), cell.half[k]);
            let (lo, hi) = (middle - half, middle + half);
            Some((k, Interval { lo, hi }))
        };
        match (from(&self.x, 0), from(&self.y, self.x.dim)) {
            (Some(a), Some(b)) => Some(if a.1.lo <= b.1.lo { a } else { b }),
            (a, b) => a.or(b),
        }
    }

    /// Both sides over a box.
    pub fn sides(&self, cell: &Cell) -> (Spreading, Spreading) {
        let (mx, my) = self.parts(&cell.mid);
        let (hx, hy) = self.parts(&cell.half);
        (self.x.spreading(mx, hx), self.y.spreading(my, hy))
    }

    /// The equations about the middle of a box, without bounds.
    pub fn at(&self, cell: &Cell) -> Expansion {
        let (mx, my) = self.parts(&cell.mid);
        let (hx, hy) = self.parts(&cell.half);
        let mut out = Expansion::default();
        out.x.model = self.x.model(mx, hx);
        out.y.model = self.y.model(my, hy);
        self.fill(cell, &mut out, None);
        out
    }

    /// The equations over a box, with bounds.
    pub fn over(&self, cell: &Cell, x: Spreading, y: Spreading) -> Expansion {
        let mut out = Expansion {
            x,
            y,
            ..Expansion::default()
        };
        self.fill(cell, &mut out, Some(self.bounds(cell)));
        out
    }

    /// The largest share of a range that a box has.
    pub fn share(&self, cell: &Cell) -> f64 {
        let whole = self.whole();
        (0..self.size())
            .map(|k| cell.half[k] / whole.half[k])
            .fold(0.0, f64::max)
    }

    fn bounds(&self, cell: &Cell) -> Bounds {
        // What is flat over the whole changes by a share of that over a part.
        let share = self.share(cell);
        let flat = if share > FINE {
            self.flat
        } else {
            self.rounding
        };
        Bounds {
            flat: flat * share,
            reach: self.reach + self.offset().abs(),
        }
    }

    /// By how much the distance of the cores exceeds that of the surfaces.
    fn offset(&self) -> f64 {
        self.x.outward * self.x.radius + self.y.outward * self.y.radius
    }

    fn fill(&self, cell: &Cell, out: &mut Expansion, bounds: Option<Bounds>) {
        let n = self.x.dim;
        let system = &mut out.system;
        system.n = self.size();
        out.regular = true;
        if let Core::Directed(surface) = &self.y.core {
            let angle = (cell.mid[n], cell.half[n]);
            directed::equations(system, surface, angle, &out.x, bounds);
            return;
        }
        let at = Layout { row: 0, x: 0, y: n };
        rows::foot(system, at, &out.x, &out.y, bounds);
        if self.x.is_surface() {
            let at = Layout { row: n, ..at };
            out.regular = rows::normal(system, at, &out.x, &out.y, bounds);
        } else {
            let at = Layout { row: n, x: n, y: 0 };
            rows::foot(system, at, &out.y, &out.x, bounds);
        }
    }

    /// The equations of the foot on `y`, which follow from the others where `x` is a surface.
    pub fn foot_on_y(&self, cell: &Cell, e: &Expansion) -> System {
        let mut system = System {
            n: self.size(),
            ..System::default()
        };
        let at = Layout {
            row: self.x.dim,
            x: self.x.dim,
            y: 0,
        };
        rows::foot(&mut system, at, &e.y, &e.x, Some(self.bounds(cell)));
        system
    }

    /// True if no pair of a box is near enough, or none lies over the ranges of a directed surface.
    pub fn is_out_of_reach(&self, cell: &Cell, x: &Spreading, y: &Spreading) -> bool {
        let allowed = self.reach + self.flat;
        let Core::Directed(surface) = &self.y.core else {
            let offset = self.offset().abs();
            let (lo, hi) = rows::distance_range(x, y);
            return lo > offset + allowed || hi < offset - allowed;
        };
        let n = self.x.dim;
        let half = if surface.dim == 1 { cell.half[n] } else { 0.0 };
        let at = surface.at(cell.mid[n]);
        let d = x.model.p - surface.c;
        let across = d - surface.axes[2] * surface.axes[2].dot(&d);
        let length = x.model.x[0].norm() + x.model.x[1].norm() + x.sagitta.norm();
        // What turning by the angle adds to the components along normal and generator, for a unit of either's swing.
        let turning = if surface.dim == 1 {
            half * (at.tangential.dot(&d).abs() + 0.5 * half * across.norm() + length)
        } else {
            0.0
        };
        let gap = at.normal.dot(&d)
            - surface.radius * surface.cos
            - self.x.outward * self.x.radius * self.y.outward;
        let stray = rows::along(x, &at.normal) + surface.cos * turning;
        if gap.abs() > allowed + stray {
            return true;
        }
        let outside = |value: f64, stray: f64, range: &Interval| {
            let slack = stray + self.flat + RANGE_SLACK * range.length();
            value < range.lo - slack || value > range.hi + slack
        };
        let along = at.generator.dot(&d) - surface.radius * surface.sin;
        let stray = rows::along(x, &at.generator) + surface.sin.abs() * turning;
        if outside(along, stray, &self.y.range[1]) {
            return true;
        }
        surface.dim == 0 && {
            let stray = rows::along(x, &at.tangential);
            outside(at.tangential.dot(&d), stray, &self.y.range[0])
        }
    }
}
