//! The status of points from the source faces, and reference points for patches.

use super::cell::{Borders, Cell};
use super::spread::lengths;
use crate::domains::FaceDomain;
use crate::features::FaceFeature;
use brepcd_brep::Brep;
use brepcd_geom::{Interval, Point2, Surface};
use brepcd_tree::Where;
use brepcd_tree::domain::{Region, to_piece};

/// Fractions of a cell's sides at which reference points are looked for; uneven, so that they line up with nothing.
const PLACES: [f64; 7] = [0.4873, 0.2679, 0.7391, 0.1237, 0.8713, 0.0377, 0.9619];
/// Places that are tried at most.
const TRIES: usize = 12;
/// Share of a range by which a face's box is grown before it rules a point out.
const BOX_SLACK: f64 = 0.05;

/// Widths of the border's tolerance up to which a cell can be a strip along it.
const THIN: f64 = 2.0;

/// Decides with the source faces of a feature.
pub(super) struct Status<'a> {
    pub brep: &'a Brep,
    pub feature: &'a FaceFeature,
    pub domain: &'a FaceDomain,
}

/// A point of known status.
#[derive(Clone, Copy)]
pub(super) struct Reference {
    pub at: Point2,
    pub inside: bool,
}

impl Status<'_> {
    /// How many source faces hold a point.
    pub fn count(&self, q: Point2) -> usize {
        let surface = &self.feature.surface;
        let p = surface.point(q.x, q.y);
        let holds = |(id, bounds): (&brepcd_brep::FaceId, &Option<(Interval, Interval)>)| {
            if let Some((u, v)) = bounds
                && !(within(surface, 0, *u, q.x) && within(surface, 1, *v, q.y))
            {
                return false;
            }
            let face = &self.brep.faces[id.index()];
            let (u, v) = match &face.surface {
                Surface::Nurbs(_) => (q.x, q.y),
                own => own.invert(&p, None),
            };
            self.brep.face_contains(face, u, v)
        };
        self.feature
            .faces
            .iter()
            .zip(&self.domain.boxes)
            .filter(|pair| holds(*pair))
            .count()
    }

    /// A point of a cell far from the borders in it, with its status by the source faces.
    pub fn reference(&self, cell: &Cell, borders: &Borders, region: &Region) -> Reference {
        let mut any = None;
        for at in self.places(cell, borders) {
            let count = self.count(at);
            let found = Reference {
                at,
                inside: count > 0,
            };
            // Crossings tell by how many faces the count changes, so it must be 0 or 1 to begin with.
            if count <= 1 && !region.in_lens(&cell.hits, at) {
                return found;
            }
            any.get_or_insert(found);
        }
        any.unwrap_or(Reference {
            at: cell.at(0.5, 0.5),
            inside: true,
        })
    }

    /// As [`Status::reference`], with the status by a known point of a cell around this one: quicker, and good enough
    /// to split by. `None` for a strip along the border and within its tolerance, as between two knots that are nearly
    /// one.
    pub fn derived(
        &self,
        cell: &Cell,
        borders: &Borders,
        region: &Region,
        (outer, known): (&Cell, Reference),
    ) -> Option<Reference> {
        let mut clear = false;
        for at in self.places(cell, borders) {
            let place = region.classify(&outer.hits, known.at, known.inside, at);
            clear |= place != Where::OnBorder;
            if place != Where::OnBorder && !region.in_lens(&cell.hits, at) {
                let inside = place == Where::Inside;
                return Some(Reference { at, inside });
            }
        }
        let [along_u, along_v] = lengths(&self.feature.surface, cell.u, cell.v);
        let thin = along_u.min(along_v) <= THIN * region.settings.border;
        (clear || !thin).then(|| self.reference(cell, borders, region))
    }

    /// The same point with its status by the source faces, or another one where that is no good.
    pub fn confirmed(
        &self,
        cell: &Cell,
        borders: &Borders,
        region: &Region,
        reference: Reference,
    ) -> Reference {
        match self.count(reference.at) {
            count @ 0..=1 => Reference {
                inside: count == 1,
                ..reference
            },
            _ => self.reference(cell, borders, region),
        }
    }

    /// Points of a cell, those far from its borders first.
    fn places(&self, cell: &Cell, borders: &Borders) -> impl Iterator<Item = Point2> {
        let middle = cell.at(0.5, 0.5);
        let jet = self.feature.surface.jet(middle.x, middle.y);
        let pieces: Vec<[Point2; 2]> = cell.hits.iter().map(|hit| borders.ends(hit)).collect();
        let mut places: Vec<(f64, Point2)> = Vec::with_capacity(PLACES.len() * PLACES.len());
        for s in PLACES {
            for t in PLACES {
                let q = cell.at(s, t);
                let clear = pieces
                    .iter()
                    .map(|[a, b]| to_piece(&jet, *a, *b, q).1)
                    .fold(f64::INFINITY, f64::min);
                places.push((clear, q));
            }
        }
        places.sort_by(|a, b| b.0.total_cmp(&a.0));
        places.into_iter().take(TRIES).map(|(_, q)| q)
    }
}

/// True if a value, moved by whole periods, lies in a range or just beside it.
fn within(surface: &Surface, axis: usize, range: Interval, x: f64) -> bool {
    let slack = BOX_SLACK * range.length();
    let (lo, hi) = (range.lo - slack, range.hi + slack);
    match surface.periods()[axis] {
        Some(period) => lo + (x - lo).rem_euclid(period) <= hi,
        None => lo <= x && x <= hi,
    }
}
