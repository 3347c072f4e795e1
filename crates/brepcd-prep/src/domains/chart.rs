//! From the parameters of a face's own surface to those of the reference surface that carries the same points.

use brepcd_brep::{Brep, EdgeId, FaceId, Sample};
use brepcd_geom::{Interval, Point2, Surface, Vec2};
use nalgebra::Matrix2;
use std::sync::Arc;

/// Steps, as shares of the range, that measure the map.
const STEP: f64 = 0.1;
/// Range that stands for an infinite or empty one.
const UNIT_RANGE: f64 = 1.0;
/// Distance, relative to the steps, by which a point may miss its image.
const MISS: f64 = 1e-2;
/// Distance from a whole number within which an entry of the map is that number.
const WHOLE: f64 = 1e-3;

/// Factor on the length tolerance under which a derivative belongs to a pole.
const POLE: f64 = 10.0;

/// An affine map between parameter planes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Chart {
    linear: Matrix2<f64>,
    shift: Vec2,
}

impl Chart {
    const IDENTITY: Self = Self {
        linear: Matrix2::new(1.0, 0.0, 0.0, 1.0),
        shift: Vec2::new(0.0, 0.0),
    };

    /// The map from a face's parameters to a reference surface's; `None` if there is no affine one, as between spheres
    /// with different axes.
    pub fn between(brep: &Brep, id: FaceId, reference: &Surface) -> Option<Self> {
        let face = &brep.faces[id.index()];
        let own = &face.surface;
        if same(own, reference) {
            return Some(Self::IDENTITY);
        }
        let (u, v) = brep.domain_box(face);
        let usable = |i: Interval| {
            let length = i.length();
            length.is_finite() && length > 0.0
        };
        let (u, v) = [u, v]
            .map(|i| {
                if usable(i) {
                    i
                } else {
                    let lo = if i.lo.is_finite() { i.lo } else { 0.0 };
                    Interval::new(lo, lo + UNIT_RANGE)
                }
            })
            .into();
        let base = Point2::new(u.mid(), v.mid());
        let image = |q: Point2, guess: Option<(f64, f64)>| -> Point2 {
            let (u, v) = reference.invert(&own.point(q.x, q.y), guess);
            Point2::new(u, v)
        };
        let steps = [
            Vec2::new(STEP * u.length(), 0.0),
            Vec2::new(0.0, STEP * v.length()),
        ];
        let origin = image(base, None);
        let guess = Some((origin.x, origin.y));
        let mut linear = Matrix2::zeros();
        for (axis, step) in steps.iter().enumerate() {
            linear.set_column(axis, &((image(base + step, guess) - origin) / step[axis]));
        }
        if !matches!(own, Surface::Plane(_)) {
            linear.apply(|x| {
                if (*x - x.round()).abs() < WHOLE {
                    *x = x.round();
                }
            });
        }
        let chart = Self {
            linear,
            shift: origin - linear * base.coords - Point2::origin(),
        };
        let fits = [(1.0, 1.0), (-2.0, 1.0), (3.0, -2.0), (-1.0, -3.0)]
            .iter()
            .all(|(i, j)| {
                let q = base + steps[0] * *i + steps[1] * *j;
                let (a, b) = (own.point(q.x, q.y), chart.apply(q));
                let far = (a - own.point(base.x, base.y)).norm();
                (reference.point(b.x, b.y) - a).norm() <= MISS * far
            });
        fits.then_some(chart)
    }

    /// The reference parameters of a point of a pcurve: the map chooses the branch, the curve the place.
    pub fn carry(&self, brep: &Brep, edge: EdgeId, sample: &Sample, surface: &Surface) -> Point2 {
        let mapped = self.apply(sample.uv);
        if *self == Self::IDENTITY {
            return mapped;
        }
        let p = brep.edges[edge.index()].jet(sample.t).p;
        let (u, v) = surface.invert(&p, Some((mapped.x, mapped.y)));
        let jet = surface.jet(u, v);
        // At a pole the map knows the angle and the inversion does not.
        let singular = jet.du.norm().min(jet.dv.norm()) <= POLE * brep.tolerance.length;
        if singular { mapped } else { Point2::new(u, v) }
    }

    /// The reference parameters of a point.
    pub fn apply(&self, q: Point2) -> Point2 {
        Point2::from(self.linear * q.coords + self.shift)
    }
}

/// True for surfaces with the same points at the same parameters, up to rounding.
fn same(a: &Surface, b: &Surface) -> bool {
    match (a, b) {
        (Surface::Plane(a), Surface::Plane(b)) => a == b,
        (Surface::Cylinder(a), Surface::Cylinder(b)) => a == b,
        (Surface::Cone(a), Surface::Cone(b)) => a == b,
        (Surface::Sphere(a), Surface::Sphere(b)) => a == b,
        (Surface::Torus(a), Surface::Torus(b)) => a == b,
        // Free-form faces share a feature only if their data are the same.
        (Surface::Nurbs(a), Surface::Nurbs(b)) => Arc::ptr_eq(a, b) || a.control == b.control,
        _ => false,
    }
}

/// The pcurve of an edge on a surface where no map helps, each sample on the branch nearest to the one before.
pub(super) fn tracked(
    brep: &Brep,
    edge: EdgeId,
    samples: &[Sample],
    surface: &Surface,
) -> Vec<Sample> {
    let edge = &brep.edges[edge.index()];
    let mut guess = None;
    let mut out: Vec<Sample> = samples
        .iter()
        .map(|s| {
            let (u, v) = surface.invert(&edge.jet(s.t).p, guess);
            guess = Some((u, v));
            Sample {
                t: s.t,
                uv: Point2::new(u, v),
            }
        })
        .collect();
    // At a pole the angle is that of the border beside it.
    let n = out.len();
    for (end, inner) in [(0, 1), (n - 1, n - 2)] {
        let at = out[end].uv;
        let reach = brep.tolerance.length;
        let pole = surface.poles().into_iter().flatten().find(|pole| {
            let p = surface.point(at.x, *pole);
            (p - edge.jet(out[end].t).p).norm() <= reach
        });
        if let Some(pole) = pole {
            out[end].uv = Point2::new(out[inner].uv.x, pole);
        }
    }
    // A start on a pole fixed no branch for what follows, but all that follows agrees with itself.
    out
}
