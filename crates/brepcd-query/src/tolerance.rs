//! The tolerances of a query, derived from the two parts.

use brepcd_tree::TreePart;

use crate::critical;

/// What counts as equal, parallel, touching or the same.
#[derive(Clone, Copy, Debug)]
pub struct Tolerances {
    /// Size of the smaller part, mm: half the diagonal of its exact box, so that bounds of the tree change nothing. What
    /// lengths and curvatures are compared with.
    pub size: f64,
    /// Parallel and coincident cores.
    pub critical: critical::Tolerance,
    /// Penetration up to which parts touch instead of overlapping, mm.
    pub touch: f64,
    /// Penetration down to which pairs of points that would be minima are looked at, mm.
    pub shallow: f64,
    /// Distance within which two results are the same one, mm.
    pub merge: f64,
    /// Difference up to which two distances are equally small, mm.
    pub tie: f64,
    /// Angle by which a direction may leave the polar of an edge or vertex, radians.
    pub polar: f64,
    /// Variation of the distance along a ring below which it counts as conformal, mm.
    pub conformal: f64,
    /// How far beyond the border of its face a result may lie, mm.
    pub overhang: f64,
    /// Tolerance of the borders of A and of B, mm.
    pub border: [f64; 2],
}

/// Penetration that counts as touching, relative to the size.
const TOUCH: f64 = 1e-10;
/// Penetration that pairs of points can tell, relative to the size: deeper ones are seen by crossings.
const SHALLOW: f64 = 5e-3;
/// Distance of equal results in tolerances of borders: each may be off by one on either side.
const MERGE: f64 = 4.0;
/// Difference of equally small distances, relative to the size.
const TIE: f64 = 1e-9;
/// Angle below which directions do not tell, as lengths below [`CONFORMAL`] do not.
const POLAR: f64 = 1e-6;
/// How far beyond a border rounding may push a result, relative to the size.
const OVERHANG: f64 = 1e-8;
/// Variation along a ring, relative to the size, that counts as none.
const CONFORMAL: f64 = 1e-7;

impl Tolerances {
    /// The tolerances for two parts whose numbers, placed, are at most as large as `extent`.
    pub fn of(a: &TreePart, b: &TreePart, extent: f64) -> Self {
        let size = a.header.size.min(b.header.size).max(f64::MIN_POSITIVE);
        let border = [a.header.settings.border, b.header.settings.border];
        Self {
            size,
            critical: critical::Tolerance::for_size(size.max(1e-4 * extent)),
            touch: TOUCH * size.max(1e-4 * extent),
            shallow: SHALLOW * size,
            merge: MERGE * border[0].max(border[1]),
            tie: TIE * size.max(1e-4 * extent),
            polar: POLAR,
            conformal: CONFORMAL * size,
            overhang: OVERHANG * size.max(1e-4 * extent),
            border,
        }
    }
}
