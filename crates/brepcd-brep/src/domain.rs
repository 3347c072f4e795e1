//! The parameter domain of a face.
//!
//! The borders live in the universal cover of the parameter plane, so that nothing jumps at a period. Every chain is
//! closed there: what the loops leave open (a step along a pole, a loop around a period) is closed by straight
//! segments whose contributions cancel or vanish. The domain is then `Σ winding + whole` copies of the surface, where
//! `whole` is 1 for a closed surface of which the borders only cut something away.

use crate::EdgeId;
use brepcd_geom::{Point2, Vec2};

/// A point of a pcurve.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Parameter of the edge's curve.
    pub t: f64,
    /// Parameters of the face's surface, in the cover.
    pub uv: Point2,
}

/// A piece of border: the image of an edge, or a straight closing piece.
#[derive(Clone, Debug)]
pub struct Segment {
    /// The edge; `None` for a straight piece in the parameter plane.
    pub edge: Option<EdgeId>,
    /// Points in running order, close enough to select the branch of the inversion in between.
    pub samples: Vec<Sample>,
}

impl Segment {
    pub(crate) fn straight(from: Point2, to: Point2) -> Self {
        Self {
            edge: None,
            samples: vec![Sample { t: 0.0, uv: from }, Sample { t: 1.0, uv: to }],
        }
    }

    pub(crate) fn first(&self) -> Point2 {
        self.samples[0].uv
    }

    pub(crate) fn last(&self) -> Point2 {
        self.samples[self.samples.len() - 1].uv
    }

    pub(crate) fn shift(&mut self, by: Vec2) {
        self.samples.iter_mut().for_each(|s| s.uv += by);
    }
}

/// A closed border in the cover.
#[derive(Clone, Debug, Default)]
pub struct Chain {
    /// Pieces; each starts where the one before ends.
    pub segments: Vec<Segment>,
}

impl Chain {
    fn points(&self) -> impl Iterator<Item = Point2> + '_ {
        self.segments
            .iter()
            .flat_map(|s| s.samples.iter().map(|s| s.uv))
    }

    /// How often the chain's polygon runs counter-clockwise around `q`.
    pub(crate) fn winding(&self, q: Point2) -> i32 {
        let mut winding = 0;
        for segment in &self.segments {
            for pair in segment.samples.windows(2) {
                let (a, b) = (pair[0].uv, pair[1].uv);
                if (a.y <= q.y) != (b.y <= q.y) {
                    let left = (b.x - a.x) * (q.y - a.y) - (b.y - a.y) * (q.x - a.x);
                    if b.y > a.y && left > 0.0 {
                        winding += 1;
                    } else if b.y < a.y && left < 0.0 {
                        winding -= 1;
                    }
                }
            }
        }
        winding
    }

    /// Area of the polygon, positive if it runs counter-clockwise.
    pub(crate) fn signed_area(&self) -> f64 {
        let mut twice = 0.0;
        let mut last: Option<Point2> = self.segments.last().map(Segment::last);
        for p in self.points() {
            if let Some(q) = last {
                twice += q.x * p.y - p.x * q.y;
            }
            last = Some(p);
        }
        0.5 * twice
    }

    pub(crate) fn reverse(&mut self) {
        self.segments.reverse();
        self.segments.iter_mut().for_each(|s| s.samples.reverse());
    }
}

/// The closed parameter domain of a face.
#[derive(Clone, Debug, Default)]
pub struct Domain {
    /// Closed borders in the cover; counter-clockwise around the face if its sense is the surface's.
    pub chains: Vec<Chain>,
    /// Copies of the whole surface to add to what the chains enclose.
    pub whole: i32,
}

impl Domain {
    pub(crate) fn shift_edges(&mut self, by: u32) {
        for segment in self.chains.iter_mut().flat_map(|c| &mut c.segments) {
            if let Some(edge) = &mut segment.edge {
                edge.0 += by;
            }
        }
    }
}
