//! A rectangle of a face's parameters with the border pieces that reach into it.

use crate::domains::FaceDomain;
use brepcd_geom::{Interval, Point2, Vec2};
use brepcd_tree::Crossing;
use brepcd_tree::domain::placed;

/// Share of a cell's sides by which a border beside it still counts as touching it.
const MARGIN: f64 = 1e-7;
/// Copies of a piece at most in one direction.
const MAX_COPIES: i64 = 64;

/// A rectangle of parameters.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub u: Interval,
    pub v: Interval,
    /// The border pieces that touch it.
    pub hits: Vec<Crossing>,
}

impl Cell {
    pub fn lo(&self) -> Point2 {
        Point2::new(self.u.lo, self.v.lo)
    }

    pub fn hi(&self) -> Point2 {
        Point2::new(self.u.hi, self.v.hi)
    }

    /// The point at fractions of both ranges.
    pub fn at(&self, s: f64, t: f64) -> Point2 {
        Point2::new(self.u.at(s), self.v.at(t))
    }

    pub fn contains(&self, q: Point2) -> bool {
        self.u.contains(q.x) && self.v.contains(q.y)
    }

    pub fn side(&self, axis: usize) -> Interval {
        if axis == 0 { self.u } else { self.v }
    }

    /// The part of the cell between two values of one parameter.
    pub fn part(&self, axis: usize, side: Interval) -> Self {
        let (u, v) = if axis == 0 {
            (side, self.v)
        } else {
            (self.u, side)
        };
        Self {
            u,
            v,
            hits: self.hits.clone(),
        }
    }

    /// The cell with only those hits that touch it.
    pub fn filtered(mut self, borders: &Borders) -> Self {
        let mut hits = std::mem::take(&mut self.hits);
        hits.retain(|hit| borders.clip(hit, &self).is_some());
        self.hits = hits;
        self
    }
}

/// The borders of a face with its periods.
#[derive(Clone, Copy)]
pub(super) struct Borders<'a> {
    pub domain: &'a FaceDomain,
    pub periods: [f64; 2],
    /// Distance, in each parameter, within which a point counts as on a border.
    pub slack: Vec2,
}

impl Borders<'_> {
    /// The ends of a piece as it crosses a cell.
    pub fn ends(&self, hit: &Crossing) -> [Point2; 2] {
        placed(&self.domain.borders[hit.border as usize], hit, self.periods)
    }

    /// All pieces with all their copies that touch a rectangle.
    pub fn touching(&self, u: Interval, v: Interval) -> Cell {
        let mut cell = Cell {
            u,
            v,
            hits: Vec::new(),
        };
        let mut hits = Vec::new();
        for (i, border) in self.domain.borders.iter().enumerate() {
            let bulge = self.domain.bulges[i] + self.slack;
            let lo = border.uv[0].inf(&border.uv[1]) - bulge;
            let hi = border.uv[0].sup(&border.uv[1]) + bulge;
            let copies = |axis: usize| {
                let (period, side) = (self.periods[axis], cell.side(axis));
                if period == 0.0 {
                    return (0, 0);
                }
                let margin = MARGIN * side.length();
                let first = ((side.lo - margin - hi[axis]) / period).ceil() as i64;
                let last = ((side.hi + margin - lo[axis]) / period).floor() as i64;
                let first = first.max(i64::from(i8::MIN));
                (first, last.min(first + MAX_COPIES).min(i64::from(i8::MAX)))
            };
            let (in_u, in_v) = (copies(0), copies(1));
            for k in in_u.0..=in_u.1 {
                for l in in_v.0..=in_v.1 {
                    let hit = Crossing {
                        border: i as u32,
                        periods: [k as i8, l as i8],
                    };
                    if self.clip(&hit, &cell).is_some() {
                        hits.push(hit);
                    }
                }
            }
        }
        cell.hits = hits;
        cell
    }

    /// The box of the part of a piece, with its bulge, that lies in a cell; `None` if it does not reach into it.
    pub fn clip(&self, hit: &Crossing, cell: &Cell) -> Option<(Point2, Point2)> {
        let [a, b] = self.ends(hit);
        let sides = Vec2::new(cell.u.length(), cell.v.length());
        let bulge = self.domain.bulges[hit.border as usize];
        let grown = bulge + self.slack + sides * MARGIN;
        let (lo, hi) = (cell.lo() - grown, cell.hi() + grown);
        let along = b - a;
        let (mut from, mut to) = (0.0f64, 1.0f64);
        for axis in 0..2 {
            if along[axis] == 0.0 {
                if a[axis] < lo[axis] || a[axis] > hi[axis] {
                    return None;
                }
                continue;
            }
            let enter = (lo[axis] - a[axis]) / along[axis];
            let leave = (hi[axis] - a[axis]) / along[axis];
            from = from.max(enter.min(leave));
            to = to.min(enter.max(leave));
        }
        if from > to {
            return None;
        }
        let (p, q) = (a + along * from, a + along * to);
        let into = |p: Point2| p.sup(&cell.lo()).inf(&cell.hi());
        Some((into(p.inf(&q) - bulge), into(p.sup(&q) + bulge)))
    }
}
