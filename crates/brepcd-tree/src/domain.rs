//! Membership of a parameter point in the domain of a face, from the few border pieces that cross its patch.
//!
//! The straight pieces form closed polygons: how often the way from a known point to the asked one crosses them, with
//! sign, is how membership changes. All sides are decided by one predicate, half-open, so a way through the common end
//! of two pieces counts once. Between a straight piece and the curve it stands for lies a thin lens; a point on
//! different sides of the two lies in it, and there the curve, met by its foot, overrules the piece.

mod foot;

use crate::{Border, Crossing, Membership, Patch, PatchId, Settings, Shape, TreePart};
use brepcd_geom::surface::TorusShape;
use brepcd_geom::{Curve, Point2, Surface, SurfaceJet, Vec2, Vec3};
use foot::Foot;

/// Where a point lies with respect to a domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Where {
    /// Inside, clear of the border.
    Inside,
    /// Outside, clear of the border.
    Outside,
    /// On the border, within its tolerance.
    OnBorder,
}

/// Share of the surface's radius of curvature beyond which a lens does not reach: its sides would no longer be sides.
const LENS_CURVATURE: f64 = 0.4;
/// How far a lens reaches from its piece, in allowed distances between border and piece.
const LENS_CHORDS: f64 = 2.0;
/// Factor on the border's tolerance within which its distance is measured on the curve itself.
const BORDER_REACH: f64 = 4.0;

/// The border of a face's domain, with what it takes to classify points against it.
#[derive(Clone, Copy, Debug)]
pub struct Region<'a> {
    /// The untrimmed surface.
    pub surface: &'a Surface,
    /// True if `du × dv` points out of the material.
    pub same_sense: bool,
    /// The curves that bound faces.
    pub trims: &'a [Curve],
    /// The border pieces that crossings refer to.
    pub borders: &'a [Border],
    /// How borders were flattened, and how near is on.
    pub settings: &'a Settings,
}

impl Region<'_> {
    /// Where a point lies, in the same patch as a reference point whose status is known.
    pub fn classify(
        &self,
        crossings: &[Crossing],
        reference: Point2,
        inside: bool,
        q: Point2,
    ) -> Where {
        let jet = self.surface.jet(q.x, q.y);
        let reach = lens_reach(self.surface, &jet, q, self.settings);
        let periods = self.surface.periods().map(|p| p.unwrap_or(0.0));
        let mut count = 0;
        for crossing in crossings {
            let Some(border) = self.borders.get(crossing.border as usize) else {
                continue;
            };
            let [a, b] = placed(border, crossing, periods);
            count += crossings_of(reference, q, a, b);
            match self.beside(border, a, b, q, &jet, reach) {
                Beside::On => return Where::OnBorder,
                Beside::Off(lens) => count += lens,
            }
        }
        let count = if self.same_sense { count } else { -count };
        if i32::from(inside) + count >= 1 {
            Where::Inside
        } else {
            Where::Outside
        }
    }

    /// True if a point lies on a border or between a border and the piece that stands for it: a poor reference.
    pub fn in_lens(&self, crossings: &[Crossing], q: Point2) -> bool {
        let jet = self.surface.jet(q.x, q.y);
        let reach = lens_reach(self.surface, &jet, q, self.settings);
        let periods = self.surface.periods().map(|p| p.unwrap_or(0.0));
        crossings.iter().any(|crossing| {
            let Some(border) = self.borders.get(crossing.border as usize) else {
                return false;
            };
            let [a, b] = placed(border, crossing, periods);
            !matches!(self.beside(border, a, b, q, &jet, reach), Beside::Off(0))
        })
    }

    /// How far outside the domain a point on its border lies, mm, beyond what the border itself is off the surface.
    ///
    /// 0 for points inside. The side is decided as in [`Region::classify`], by curves where it is close.
    pub fn overhang(
        &self,
        crossings: &[Crossing],
        reference: Point2,
        inside: bool,
        q: Point2,
    ) -> f64 {
        let jet = self.surface.jet(q.x, q.y);
        let reach = lens_reach(self.surface, &jet, q, self.settings);
        let periods = self.surface.periods().map(|p| p.unwrap_or(0.0));
        let normal = jet.normal().unwrap_or_else(Vec3::zeros);
        let (mut count, mut least) = (0, f64::INFINITY);
        for crossing in crossings {
            let Some(border) = self.borders.get(crossing.border as usize) else {
                continue;
            };
            let [a, b] = placed(border, crossing, periods);
            count += crossings_of(reference, q, a, b);
            let Some((foot, lens)) = self.foot_and_lens(border, a, b, q, &jet, reach) else {
                continue;
            };
            count += lens;
            let off_surface = normal.dot(&foot.offset);
            let sideways = (foot.offset - normal * off_surface).norm();
            least = least.min((sideways - 2.0 * off_surface.abs()).max(0.0));
        }
        let count = if self.same_sense { count } else { -count };
        let is_inside = i32::from(inside) + count >= 1;
        if is_inside || least.is_infinite() {
            0.0
        } else {
            least
        }
    }

    fn beside(
        &self,
        border: &Border,
        a: Point2,
        b: Point2,
        q: Point2,
        jet: &SurfaceJet,
        reach: f64,
    ) -> Beside {
        match self.foot_and_lens(border, a, b, q, jet, reach) {
            Some((foot, _)) if foot.distance <= self.settings.border => Beside::On,
            Some((_, lens)) => Beside::Off(lens),
            None => Beside::Off(0),
        }
    }

    /// The foot of a point on the curve of a piece, and what that adds to the crossings of the straight piece; `None`
    /// if the two are far apart.
    fn foot_and_lens(
        &self,
        border: &Border,
        a: Point2,
        b: Point2,
        q: Point2,
        jet: &SurfaceJet,
        reach: f64,
    ) -> Option<(Foot, i32)> {
        let (along, distance) = to_piece(jet, a, b, q);
        let trim = self.trims.get(border.trim.index())?;
        // Not "greater", so that what is not a number gets the full treatment.
        if distance > reach + BORDER_REACH * self.settings.border {
            return None;
        }
        let guess = border.t[0] + (border.t[1] - border.t[0]) * along;
        let foot = Foot::find(trim, border.t, &jet.p, guess);
        if !foot.interior || foot.distance > reach {
            return Some((foot, 0));
        }
        let tangent = foot.tangent * (border.t[1] - border.t[0]).signum();
        let out = jet.du.cross(&jet.dv).cross(&tangent).dot(&foot.offset);
        if out == 0.0 || out.is_nan() {
            return Some((foot, 0));
        }
        let lens = i32::from(out > 0.0) - i32::from(is_left(a, b, q));
        Some((foot, lens))
    }
}

/// What a piece of border means for a point beside it.
enum Beside {
    /// The point lies on the border.
    On,
    /// What to add to the crossings of the straight piece.
    Off(i32),
}

impl TreePart {
    /// Where a parameter point of a patch lies in the domain of its feature.
    ///
    /// The point is expected in the patch's ranges, up to the tolerance of the border. Patches of edges and vertices
    /// hold all their points.
    pub fn classify(&self, patch: PatchId, u: f64, v: f64) -> Where {
        let patch = &self.patches[patch.index()];
        let Membership::Crossed {
            pieces,
            reference,
            inside,
        } = patch.membership
        else {
            return Where::Inside;
        };
        let Some(region) = self.region(patch) else {
            return Where::Inside;
        };
        let crossings = &self.crossings[pieces.range()];
        region.classify(crossings, reference, inside, Point2::new(u, v))
    }

    /// How far outside the domain a point on the border of a patch lies: see [`Region::overhang`].
    pub fn overhang(&self, patch: PatchId, u: f64, v: f64) -> f64 {
        let patch = &self.patches[patch.index()];
        match (patch.membership, self.region(patch)) {
            (
                Membership::Crossed {
                    pieces,
                    reference,
                    inside,
                },
                Some(region),
            ) => {
                let crossings = &self.crossings[pieces.range()];
                region.overhang(crossings, reference, inside, Point2::new(u, v))
            }
            _ => 0.0,
        }
    }

    fn region(&self, patch: &Patch) -> Option<Region<'_>> {
        let shape = &self.features[patch.feature.index()].shape;
        let Shape::Face {
            surface,
            same_sense,
            ..
        } = shape
        else {
            return None;
        };
        Some(Region {
            surface,
            same_sense: *same_sense,
            trims: &self.trims,
            borders: &self.borders,
            settings: &self.header.settings,
        })
    }
}

/// The ends of a piece where it crosses a patch.
pub fn placed(border: &Border, crossing: &Crossing, periods: [f64; 2]) -> [Point2; 2] {
    let shift = Vec2::new(
        f64::from(crossing.periods[0]) * periods[0],
        f64::from(crossing.periods[1]) * periods[1],
    );
    border.uv.map(|p| p + shift)
}

/// Twice the area of a triangle, positive if it runs counter-clockwise.
fn orient(a: Point2, b: Point2, c: Point2) -> f64 {
    (b - a).perp(&(c - a))
}

fn is_left(a: Point2, b: Point2, q: Point2) -> bool {
    orient(a, b, q) > 0.0
}

/// How often the way from `r` to `q` crosses a piece from its right to its left.
pub fn crossings_of(r: Point2, q: Point2, a: Point2, b: Point2) -> i32 {
    if (orient(r, q, a) >= 0.0) == (orient(r, q, b) >= 0.0) {
        return 0;
    }
    i32::from(is_left(a, b, q)) - i32::from(is_left(a, b, r))
}

/// The fraction along a piece nearest to a point and the distance there, measured in the tangent plane at the point.
pub fn to_piece(jet: &SurfaceJet, a: Point2, b: Point2, q: Point2) -> (f64, f64) {
    let image = |d: Vec2| -> Vec3 { jet.du * d.x + jet.dv * d.y };
    let (along, to) = (image(b - a), image(q - a));
    let square = along.norm_squared();
    let s = if square > 0.0 {
        (along.dot(&to) / square).clamp(0.0, 1.0)
    } else {
        0.5
    };
    (s, (to - along * s).norm())
}

/// How far from its straight piece, mm, a border is looked for beside a point.
///
/// Flattening keeps a border within half of this of its piece.
pub fn lens_reach(surface: &Surface, jet: &SurfaceJet, q: Point2, settings: &Settings) -> f64 {
    (LENS_CHORDS * settings.chord).min(LENS_CURVATURE * curvature_radius(surface, jet, q))
}

/// The smallest radius of curvature at a point, infinite where flat or singular.
pub fn curvature_radius(surface: &Surface, jet: &SurfaceJet, q: Point2) -> f64 {
    match surface {
        Surface::Plane(_) => f64::INFINITY,
        Surface::Cylinder(s) => s.radius,
        Surface::Cone(s) => {
            let (sin, cos) = s.half_angle.sin_cos();
            (s.radius + q.y * sin).abs() / cos
        }
        Surface::Sphere(s) => s.radius,
        Surface::Torus(s) => match s.shape {
            TorusShape::Ring => {
                let around = (s.major + s.minor * q.y.cos()).abs();
                s.minor.min(around / q.y.cos().abs())
            }
            TorusShape::Apple | TorusShape::Lemon => {
                let around = (s.major + s.minor * q.y.cos()).abs();
                s.minor.min(around)
            }
        },
        Surface::Nurbs(_) => radius_of(jet).unwrap_or(f64::INFINITY),
    }
}

/// The smallest radius of curvature from the derivatives.
fn radius_of(jet: &SurfaceJet) -> Option<f64> {
    let normal = jet.normal()?;
    let (e, f, g) = (
        jet.du.norm_squared(),
        jet.du.dot(&jet.dv),
        jet.dv.norm_squared(),
    );
    let (l, m, n) = (
        jet.duu.dot(&normal),
        jet.duv.dot(&normal),
        jet.dvv.dot(&normal),
    );
    let det = e * g - f * f;
    let mean = (e * n - 2.0 * f * m + g * l) / (2.0 * det);
    let gauss = (l * n - m * m) / det;
    let largest = mean.abs() + (mean * mean - gauss).max(0.0).sqrt();
    (largest > 0.0).then(|| 1.0 / largest)
}

#[cfg(test)]
mod tests;
