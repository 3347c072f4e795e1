//! Bounds of the borders of faces about an axis, and what they tell of the faces.
//!
//! The distance from an axis is a convex function, and heights along it are linear. On a straight generator of a plane,
//! cylinder or cone they are largest at an end, which is on the border of the face or an apex: so these bound the whole face.
//! Least distances are on the border only where the distance rises or falls along all generators.

use std::ops::Range;

use brepcd_geom::nurbs::{NurbsCurve, project};
use brepcd_geom::surface::Cylinder;
use brepcd_geom::{Curve, Interval, Point3, Surface, Vec3};
use brepcd_tree::{Border, FeatureId, Shape, TreePart};

use crate::sleeve::Axis;

/// Directions in the half-plane of an axis, away from it and along it, that bounds are asked for; perhaps none.
type Directions<const N: usize> = [[f64; 2]; N];

/// Pieces into which a border piece is cut, so that chords and control points are near it.
const PIECES: usize = 4;

/// How far a border may be from the piece that stands for it, in chords.
const CHORDS: f64 = 4.0;
/// Share of a range by which it may miss the apex that it ends at.
const AT_APEX: f64 = 1e-6;

/// Ranges of distances from an axis and of heights along it.
#[derive(Clone, Copy, Debug)]
pub struct Extent<const N: usize> {
    pub rho: [f64; 2],
    pub z: [f64; 2],
    /// The largest values along some directions.
    pub support: [f64; N],
}

impl<const N: usize> Extent<N> {
    const NOTHING: Self = Self {
        rho: [f64::INFINITY, f64::NEG_INFINITY],
        z: [f64::INFINITY, f64::NEG_INFINITY],
        support: [f64::NEG_INFINITY; N],
    };

    fn include(&mut self, other: Self) {
        let both = |a: [f64; 2], b: [f64; 2]| [a[0].min(b[0]), a[1].max(b[1])];
        (self.rho, self.z) = (both(self.rho, other.rho), both(self.z, other.z));
        for (most, value) in self.support.iter_mut().zip(other.support) {
            *most = most.max(value);
        }
    }
}

/// Extents of borders about an axis, as they are asked for.
pub struct Extents<'a> {
    /// For every feature where its patches begin and end.
    patches: &'a [Range<usize>],
    known: Vec<Option<(u8, Option<Extent<0>>)>>,
}

/// For every feature where its patches begin and end.
pub fn ranges_of_patches(part: &TreePart) -> Vec<Range<usize>> {
    let mut patches = vec![0..0; part.features.len()];
    for (index, patch) in part.patches.iter().enumerate() {
        let range: &mut Range<usize> = &mut patches[patch.feature.index()];
        let start = if range.end == 0 { index } else { range.start };
        *range = start..index + 1;
    }
    patches
}

impl<'a> Extents<'a> {
    /// Nothing known yet.
    pub fn new(patches: &'a [Range<usize>]) -> Self {
        Self {
            patches,
            known: vec![None; patches.len()],
        }
    }

    /// The extent of a face's borders about an axis with a number; `None` if it has no border.
    pub fn get(
        &mut self,
        part: &TreePart,
        feature: FeatureId,
        at: u8,
        axis: &Axis,
    ) -> Option<Extent<0>> {
        match self.known[feature.index()] {
            Some((same, extent)) if same == at => extent,
            _ => {
                let extent = of_borders(part, feature, self.patches(feature), axis, &[]);
                self.known[feature.index()] = Some((at, extent));
                extent
            }
        }
    }

    /// The positions among which a feature's patches are.
    pub fn patches(&self, feature: FeatureId) -> Range<usize> {
        self.patches[feature.index()].clone()
    }
}

/// The extent of a face's borders about an axis; `None` if it has no border. Where directions are asked for, splines around
/// planes are followed closely, not only by the pieces that stand for them, which takes longer.
pub fn of_borders<const N: usize>(
    part: &TreePart,
    feature: FeatureId,
    patches: Range<usize>,
    axis: &Axis,
    directions: &Directions<N>,
) -> Option<Extent<N>> {
    let Shape::Face {
        borders, surface, ..
    } = &part.features[feature.index()].shape
    else {
        return None;
    };
    let mut out = Extent::NOTHING;
    // Generators of a cone also end at its apex.
    if let Surface::Cone(cone) = surface
        && let Some(apex) = cone.apex()
        && part.patches[patches].iter().any(|patch| {
            let slack = AT_APEX * patch.v.length();
            patch.v.lo - slack <= apex && apex <= patch.v.hi + slack
        })
    {
        out.include(of_chord([cone.point(0.0, apex); 2], 0.0, axis, directions));
    }
    for border in &part.borders[borders.range()] {
        let trim = &part.trims[border.trim.index()];
        // In a plane pieces are straight in space, too, and the curve is near them.
        if let (Surface::Plane(_), Curve::Nurbs(_), false) = (surface, trim, N > 0) {
            let ends = border.uv.map(|uv| surface.point(uv.x, uv.y));
            let bulge = CHORDS * part.header.settings.chord + part.header.tolerance;
            out.include(of_chord(ends, bulge, axis, directions));
            continue;
        }
        of_piece(border, trim, axis, directions, &mut out);
    }
    (out.rho[0] <= out.rho[1]).then_some(out)
}

fn of_piece<const N: usize>(
    border: &Border,
    curve: &Curve,
    axis: &Axis,
    directions: &Directions<N>,
    out: &mut Extent<N>,
) {
    let range = Interval {
        lo: border.t[0].min(border.t[1]),
        hi: border.t[0].max(border.t[1]),
    };
    match curve {
        Curve::Line(line) => out.include(of_chord(
            border.t.map(|t| line.point(t)),
            0.0,
            axis,
            directions,
        )),
        Curve::Circle(circle) => {
            let half = 0.5 * range.length() / PIECES as f64;
            let bulge = circle.radius * (1.0 - half.min(std::f64::consts::PI).cos());
            // All of a circle across the axis is also between these.
            let [off, _] = axis.coordinates(&circle.frame.origin);
            let tilt = circle.frame.z.cross(&axis.dir).norm();
            let least = (circle.radius * (1.0 - tilt * tilt).max(0.0).sqrt() - off).max(0.0);
            for ends in cut(range) {
                let mut extent = of_chord(ends.map(|t| circle.point(t)), bulge, axis, directions);
                extent.rho[0] = extent.rho[0].max(least).min(circle.radius + off);
                extent.rho[1] = extent.rho[1].min(circle.radius + off);
                out.include(extent);
            }
        }
        Curve::Ellipse(ellipse) => {
            let step = range.length() / PIECES as f64;
            let bulge = 0.125 * ellipse.rx.max(ellipse.ry) * step * step;
            for ends in cut(range) {
                out.include(of_chord(
                    ends.map(|t| ellipse.point(t)),
                    bulge,
                    axis,
                    directions,
                ));
            }
        }
        Curve::Nurbs(spline) => of_spline(spline, range, axis, directions, out),
        Curve::Parabola(_) | Curve::Hyperbola(_) => {
            let around = curve.bounding_box(range);
            let half = 0.5 * (around.max - around.min).norm();
            let centre = nalgebra::center(&around.min, &around.max);
            out.include(of_chord([centre; 2], half, axis, directions));
        }
    }
}

fn cut(range: Interval) -> impl Iterator<Item = [f64; 2]> {
    let at = move |k: usize| range.at(k as f64 / PIECES as f64);
    (0..PIECES).map(move |k| [at(k), at(k + 1)])
}

/// The extent of all that is within `bulge` of a chord.
fn of_chord<const N: usize>(
    ends: [Point3; 2],
    bulge: f64,
    axis: &Axis,
    directions: &Directions<N>,
) -> Extent<N> {
    let across = |v: Vec3| v - axis.dir * axis.dir.dot(&v);
    let (from, along) = (across(ends[0] - axis.origin), across(ends[1] - ends[0]));
    let square = along.norm_squared().max(f64::MIN_POSITIVE);
    let at = (-from.dot(&along) / square).clamp(0.0, 1.0);
    let near = (from + along * at).norm();
    let far = from.norm().max((from + along).norm());
    let z = ends.map(|p| axis.dir.dot(&(p - axis.origin)));
    let rho = [from.norm(), (from + along).norm()];
    Extent {
        rho: [(near - bulge).max(0.0), far + bulge],
        z: [z[0].min(z[1]) - bulge, z[0].max(z[1]) + bulge],
        support: directions.map(|d| {
            let values = [0, 1].map(|i| d[0] * rho[i] + d[1] * z[i]);
            values[0].max(values[1]) + bulge
        }),
    }
}

/// A piece of a spline lies in the hull of its control points.
fn of_spline<const N: usize>(
    spline: &NurbsCurve,
    range: Interval,
    axis: &Axis,
    directions: &Directions<N>,
    out: &mut Extent<N>,
) {
    let domain = spline.domain();
    let inside = range.lo >= domain.lo && range.hi <= domain.hi;
    if !inside || range.length() <= 0.0 {
        let around = spline.bounding_box(range);
        let half = 0.5 * (around.max - around.min).norm();
        let centre = nalgebra::center(&around.min, &around.max);
        out.include(of_chord([centre; 2], half, axis, directions));
        return;
    }
    for [lo, hi] in cut(range) {
        for piece in spline.restricted(Interval { lo, hi }).decompose() {
            let middle = project(&piece.control[piece.control.len() / 2]) - axis.origin;
            let away = (middle - axis.dir * axis.dir.dot(&middle)).try_normalize(0.0);
            for h in &piece.control {
                let p = project(h);
                let [rho, z] = axis.coordinates(&p);
                let near = away.map_or(0.0, |away| away.dot(&(p - axis.origin)));
                out.include(Extent {
                    rho: [near.max(0.0), rho],
                    z: [z, z],
                    support: directions.map(|d| d[0] * rho + d[1] * z),
                });
            }
        }
    }
}

/// True only if the distance from the axis rises or falls along all generators of a cylinder over a range of `v`.
pub fn is_monotone(cylinder: &Cylinder, v: Interval, axis: &Axis) -> bool {
    let d = cylinder.frame.z;
    let along = axis.dir.dot(&d);
    let across = d - axis.dir * along;
    let to = cylinder.frame.origin - axis.origin;
    // Half the derivative of the squared distance: this, more or less what the normal of the cylinder adds.
    let slope = |v: f64| across.dot(&to) + v * across.norm_squared();
    let normal = cylinder.radius * along.abs() * across.norm();
    slope(v.lo) > normal || slope(v.hi) < -normal
}
