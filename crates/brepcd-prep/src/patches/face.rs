//! Patches of faces.

use super::cell::{Borders, Cell};
use super::spread::lengths;
use super::status::{Reference, Status};
use super::{PatchOwner, RawBezier, RawMembership, RawPatch, fill, parts, shifts};
use crate::domains::Domains;
use crate::features::Features;
use brepcd_brep::Brep;
use brepcd_geom::nurbs::BezierSurface;
use brepcd_geom::{Interval, Surface, Vec2};
use brepcd_tree::Settings;
use brepcd_tree::domain::{Region, Where};

/// Cuts for the sake of filling in a row at most: of planes, and of curved pieces.
const FILL_DEPTH: [usize; 2] = [4, 2];
/// Shrinkings of one cell at most: each may make a shorter reach of the borders.
const SHRINK_ROUNDS: usize = 2;

/// Splits one face feature.
pub(super) fn split(
    brep: &Brep,
    features: &Features,
    domains: &Domains,
    index: usize,
    settings: &Settings,
    out: &mut Vec<RawPatch>,
) {
    let (feature, domain) = (&features.faces[index], &domains.faces[index]);
    let surface = &feature.surface;
    let (u, v) = domain.range;
    if ![u.lo, u.hi, v.lo, v.hi].iter().all(|x| x.is_finite()) {
        return;
    }
    let middle = surface.jet(u.mid(), v.mid());
    let slack = |derivative: f64, side: Interval| {
        let wanted = settings.border / derivative.max(f64::MIN_POSITIVE);
        wanted.min(MAX_SLACK * side.length())
    };
    let borders = Borders {
        domain,
        periods: surface.periods().map(|p| p.unwrap_or(0.0)),
        slack: Vec2::new(slack(middle.du.norm(), u), slack(middle.dv.norm(), v)),
    };
    let mut splitter = Splitter {
        surface,
        borders,
        status: Status {
            brep,
            feature,
            domain,
        },
        region: Region {
            surface,
            same_sense: feature.same_sense,
            trims: &domains.trims,
            borders: &domain.borders,
            settings,
        },
        settings,
        owner: PatchOwner::Face(index),
        bezier: None,
        out,
    };
    let Surface::Nurbs(nurbs) = surface else {
        let cell = borders.touching(u, v);
        splitter.refine(cell, Known::No, 0, 0);
        return;
    };
    let whole = borders.touching(u, v);
    let reference = splitter
        .status
        .reference(&whole, &borders, &splitter.region);
    for bezier in nurbs.patches() {
        for shift_u in shifts(bezier.domain_u, u, borders.periods[0]) {
            for shift_v in shifts(bezier.domain_v, v, borders.periods[1]) {
                let mut bezier = bezier.clone();
                bezier.domain_u = shifted(bezier.domain_u, shift_u);
                bezier.domain_v = shifted(bezier.domain_v, shift_v);
                let (Some(in_u), Some(in_v)) =
                    (common(bezier.domain_u, u), common(bezier.domain_v, v))
                else {
                    continue;
                };
                let cell = Cell {
                    u: in_u,
                    v: in_v,
                    hits: whole.hits.clone(),
                };
                splitter.bezier = Some(bezier);
                let known = Known::Around(&whole, reference);
                splitter.refine(cell.filtered(&borders), known, 0, 0);
            }
        }
    }
}

/// Share of a range that the border's tolerance may take in parameters, where derivatives vanish.
const MAX_SLACK: f64 = 1e-6;
/// Share of an interval under which an overlap is none.
const NO_OVERLAP: f64 = 1e-9;

fn shifted(i: Interval, by: f64) -> Interval {
    Interval {
        lo: i.lo + by,
        hi: i.hi + by,
    }
}

fn common(a: Interval, b: Interval) -> Option<Interval> {
    let (lo, hi) = (a.lo.max(b.lo), a.hi.min(b.hi));
    (hi - lo > NO_OVERLAP * a.length()).then_some(Interval { lo, hi })
}

/// What is known about a cell from the one it is a part of.
#[derive(Clone, Copy)]
enum Known<'a> {
    No,
    /// All of it is inside.
    Inside,
    /// A point of a cell around it.
    Around(&'a Cell, Reference),
}

struct Splitter<'a> {
    surface: &'a Surface,
    borders: Borders<'a>,
    status: Status<'a>,
    region: Region<'a>,
    settings: &'a Settings,
    owner: PatchOwner,
    bezier: Option<BezierSurface>,
    out: &'a mut Vec<RawPatch>,
}

impl Splitter<'_> {
    fn refine(&mut self, cell: Cell, known: Known, depth: usize, cuts: usize) {
        let outer = match known {
            Known::Around(cell, reference) => Some((cell, reference)),
            Known::No | Known::Inside => None,
        };
        if cell.hits.is_empty() {
            if !matches!(known, Known::Inside) && self.status.count(cell.at(0.4873, 0.5179)) == 0 {
                return;
            }
            match parts::flat_parts(self.surface, &cell, self.settings, depth) {
                Some((axis, parts)) => {
                    for part in parts {
                        self.refine(cell.part(axis, part), Known::Inside, depth + 1, cuts);
                    }
                }
                None => self.emit(&cell, RawMembership::Inside),
            }
            return;
        }
        let Some((cell, reference)) = self.shrunk(cell, outer) else {
            return;
        };
        if cell.hits.is_empty() {
            return self.refine(cell, Known::No, depth, cuts);
        }
        if let Some((axis, parts)) = parts::flat_parts(self.surface, &cell, self.settings, depth) {
            for part in parts {
                let part = cell.part(axis, part).filtered(&self.borders);
                self.refine(part, Known::Around(&cell, reference), depth + 1, cuts);
            }
            return;
        }
        let deepest = FILL_DEPTH[usize::from(!matches!(self.surface, Surface::Plane(_)))];
        if cuts < deepest
            && let Some((axis, at)) = self.fill_cut(&cell, &reference)
        {
            let side = cell.side(axis);
            for part in [
                Interval {
                    lo: side.lo,
                    hi: at,
                },
                Interval {
                    lo: at,
                    hi: side.hi,
                },
            ] {
                let part = cell.part(axis, part).filtered(&self.borders);
                self.refine(part, Known::Around(&cell, reference), depth, cuts + 1);
            }
            return;
        }
        let reference = self
            .status
            .confirmed(&cell, &self.borders, &self.region, reference);
        let membership = RawMembership::Crossed {
            pieces: cell.hits.clone(),
            reference: reference.at,
            inside: reference.inside,
        };
        self.emit(&cell, membership);
    }

    /// The smallest cell of what the borders enclose of a cell; `None` if that is nothing.
    fn shrunk(
        &self,
        mut cell: Cell,
        outer: Option<(&Cell, Reference)>,
    ) -> Option<(Cell, Reference)> {
        let (status, borders, region) = (&self.status, &self.borders, &self.region);
        let mut reference = match outer {
            Some(outer) => status.derived(&cell, borders, region, outer)?,
            None => status.reference(&cell, borders, region),
        };
        for _ in 0..SHRINK_ROUNDS {
            let (mut lo, mut hi) = (cell.hi(), cell.lo());
            for hit in &cell.hits {
                if let Some((a, b)) = self.borders.clip(hit, &cell) {
                    lo = lo.inf(&a);
                    hi = hi.sup(&b);
                }
            }
            let mut corners = 0;
            for (s, t) in [(0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0)] {
                let corner = cell.at(s, t);
                let place =
                    self.region
                        .classify(&cell.hits, reference.at, reference.inside, corner);
                if place == Where::Inside {
                    corners += 1;
                    lo = lo.inf(&corner);
                    hi = hi.sup(&corner);
                }
            }
            // Borders that only run along the sides of the cell enclose nothing of it.
            if corners == 0 && self.is_outside(&cell, &reference) {
                return None;
            }
            if lo.x > hi.x || lo.y > hi.y {
                return None;
            }
            let sides = [cell.u.length(), cell.v.length()];
            let before = cell.clone();
            cell.u = Interval { lo: lo.x, hi: hi.x };
            cell.v = Interval { lo: lo.y, hi: hi.y };
            if cell.u.length() <= 0.0 || cell.v.length() <= 0.0 {
                return None;
            }
            if self.is_sliver(&before, &cell) {
                return None;
            }
            let unchanged = cell.u.length() > KEPT * sides[0] && cell.v.length() > KEPT * sides[1];
            cell = cell.filtered(borders);
            if !cell.contains(reference.at) && !cell.hits.is_empty() {
                reference = status.derived(&cell, borders, region, (&before, reference))?;
            }
            if unchanged || cell.hits.is_empty() {
                break;
            }
        }
        Some((cell, reference))
    }

    /// True if all that is left of a cell is a strip within the tolerance of a border.
    fn is_sliver(&self, before: &Cell, left: &Cell) -> bool {
        let thin = SLIVER * self.settings.border;
        let [before, left] = [before, left].map(|cell| lengths(self.surface, cell.u, cell.v));
        (0..2).any(|axis| left[axis] <= thin && before[axis] > WIDE * thin)
    }

    /// True if borders touch a cell only along its sides, from outside.
    fn is_outside(&self, cell: &Cell, reference: &Reference) -> bool {
        if reference.inside {
            return false;
        }
        let rim = Vec2::new(cell.u.length(), cell.v.length()) * RIM;
        let inner = Cell {
            u: Interval {
                lo: cell.u.lo + rim.x,
                hi: cell.u.hi - rim.x,
            },
            v: Interval {
                lo: cell.v.lo + rim.y,
                hi: cell.v.hi - rim.y,
            },
            hits: cell.hits.clone(),
        };
        inner.filtered(&self.borders).hits.is_empty()
    }

    /// Where to cut a cell that its domain fills badly.
    fn fill_cut(&self, cell: &Cell, reference: &Reference) -> Option<(usize, f64)> {
        let lengths = lengths(self.surface, cell.u, cell.v);
        let (axis, at) = fill::cut(
            cell,
            &self.borders,
            reference,
            self.region.same_sense,
            lengths,
        )?;
        (0.5 * lengths[axis] > self.settings.min_size).then_some((axis, at))
    }

    fn emit(&mut self, cell: &Cell, membership: RawMembership) {
        let bezier = match &self.bezier {
            Some(bezier) => match bezier.restricted(cell.u, cell.v) {
                Some(part) => Some(RawBezier::Surface(part)),
                None => return,
            },
            None => None,
        };
        self.out.push(RawPatch {
            feature: self.owner,
            u: cell.u,
            v: cell.v,
            membership,
            bezier,
        });
    }
}

/// Widths of the border's tolerance under which a strip is a sliver.
const SLIVER: f64 = 1.0;
/// Widths of a sliver that a cell must have had before it became one.
const WIDE: f64 = 4.0;
/// Share of a side above which shrinking did nothing worth another round.
const KEPT: f64 = 0.95;
/// Share of a cell's sides that counts as its rim.
const RIM: f64 = 1e-5;
