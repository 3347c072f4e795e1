//! Parts of one patch, made by hand, and repeatable random shapes.

use crate::piece::Piece;
use brepcd_geom::nurbs::{NurbsCurve, NurbsSurface};
use brepcd_geom::{Curve, Frame, Interval, Point3, Point4, Surface, Vec3};
use brepcd_tree::{
    Feature, FeatureId, Header, Kinds, MatrixPose, Membership, Patch, PatchId, Run, Settings,
    Shape, TreePart,
};
use nalgebra::{Translation3, UnitQuaternion};
use std::sync::Arc;

const NO_RUN: Run = Run { start: 0, end: 0 };

fn part(shape: Shape, u: Interval, v: Interval, control: Vec<Point4>) -> TreePart {
    let settings = Settings {
        max_angle: 0.35,
        min_size: 0.0,
        regularization: 0.0,
        border: 1e-6,
        chord: 1e-3,
    };
    let end = control.len() as u32;
    TreePart {
        header: Header {
            source: String::new(),
            source_hash: 0,
            settings,
            tolerance: 1e-6,
            size: 1.0,
            reach: 1.5,
        },
        names: Vec::new(),
        sources: Vec::new(),
        shells: Vec::new(),
        features: vec![Feature {
            kind: Kinds::empty(),
            sources: NO_RUN,
            shape,
        }],
        spans: Vec::new(),
        tangents: Vec::new(),
        trims: Vec::new(),
        borders: Vec::new(),
        crossings: Vec::new(),
        control,
        patches: vec![Patch {
            feature: FeatureId::at(0),
            u,
            v,
            membership: Membership::Inside,
            control: Run { start: 0, end },
        }],
        nodes: Vec::new(),
    }
}

/// A face over a rectangle, which must lie in one Bézier piece of a B-spline.
pub fn face(surface: Surface, u: Interval, v: Interval, same_sense: bool) -> TreePart {
    let control = match &surface {
        Surface::Nurbs(s) => {
            let holds = |d: &Interval, r: &Interval| d.lo <= r.lo + 1e-12 && r.hi <= d.hi + 1e-12;
            let piece = s
                .patches()
                .iter()
                .find(|p| holds(&p.domain_u, &u) && holds(&p.domain_v, &v));
            piece.unwrap().restricted(u, v).unwrap().control
        }
        _ => Vec::new(),
    };
    let shape = Shape::Face {
        surface,
        same_sense,
        sheet: false,
        borders: NO_RUN,
    };
    part(shape, u, v, control)
}

/// An edge over a range, which must lie in one Bézier piece of a B-spline.
pub fn edge(curve: Curve, u: Interval) -> TreePart {
    let control = match &curve {
        Curve::Nurbs(c) => {
            let pieces = c.decompose();
            let holds = |d: &Interval| d.lo <= u.lo + 1e-12 && u.hi <= d.hi + 1e-12;
            let mut piece = pieces.into_iter().find(|p| holds(&p.domain)).unwrap();
            if u.lo > piece.domain.lo {
                piece = piece.split(u.lo).1;
            }
            if u.hi < piece.domain.hi {
                piece = piece.split(u.hi).0;
            }
            piece.control
        }
        _ => Vec::new(),
    };
    let shape = Shape::Edge {
        curve,
        sides: [FeatureId::at(0); 2],
        dihedral: 1.0,
        spans: NO_RUN,
    };
    part(shape, u, Interval::new(0.0, 0.0), control)
}

pub fn vertex(point: Point3) -> TreePart {
    let zero = Interval::new(0.0, 0.0);
    let shape = Shape::Vertex {
        point,
        tangents: NO_RUN,
    };
    part(shape, zero, zero, Vec::new())
}

/// The only patch of a part.
pub fn piece<'a>(part: &'a TreePart, a_from_part: &'a MatrixPose) -> Piece<'a> {
    Piece::new(part, PatchId::at(0), a_from_part)
}

/// A small generator of repeatable random numbers (splitmix64).
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn range(&mut self, lo: f64, hi: f64) -> f64 {
        lo + (hi - lo) * ((self.next() >> 11) as f64 / (1u64 << 53) as f64)
    }

    pub fn vector(&mut self, size: f64) -> Vec3 {
        Vec3::from_fn(|_, _| self.range(-size, size))
    }

    pub fn unit(&mut self) -> Vec3 {
        loop {
            let v = self.vector(1.0);
            if v.norm() > 0.1 && v.norm() < 1.0 {
                return v.normalize();
            }
        }
    }

    /// A turn by up to `angle` and a shift by up to `size` along each axis.
    pub fn pose(&mut self, angle: f64, size: f64) -> MatrixPose {
        let turn = UnitQuaternion::from_scaled_axis(self.unit() * self.range(-angle, angle));
        let shift = Translation3::from(self.vector(size));
        MatrixPose::from_parts(shift, turn.to_rotation_matrix())
    }

    pub fn frame(&mut self, size: f64) -> Frame {
        let (origin, z, x) = (Point3::from(self.vector(size)), self.unit(), self.unit());
        Frame::from_z_and_hint(origin, z, Some(x)).unwrap()
    }

    fn weight(&mut self, rational: bool) -> f64 {
        if rational { self.range(0.7, 1.3) } else { 1.0 }
    }

    /// A patch over the unit square of x and y, with normals about `z`, bent by `bend` and bumpy by `noise` of it.
    pub fn patch(&mut self, degree: [usize; 2], bend: f64, noise: f64, rational: bool) -> Surface {
        let [p, q] = degree;
        let knots = |n: usize| [vec![0.0; n + 1], vec![1.0; n + 1]].concat();
        let (a, b, c) = (
            self.range(-1.0, 1.0),
            self.range(-1.0, 1.0),
            self.range(-1.0, 1.0),
        );
        let mut control = Vec::new();
        for i in 0..=p {
            for j in 0..=q {
                let (x, y) = (i as f64 / p as f64, j as f64 / q as f64);
                let (s, t) = (x - 0.5, y - 0.5);
                let z = bend * (a * s * s + b * t * t + c * s * t + noise * self.range(-1.0, 1.0));
                let (dx, dy) = (
                    0.2 * noise * self.range(-1.0, 1.0),
                    0.2 * noise * self.range(-1.0, 1.0),
                );
                let w = 1.0 + noise * (self.weight(rational) - 1.0);
                control.push(Point4::new((x + dx) * w, (y + dy) * w, z * w, w));
            }
        }
        let surface = NurbsSurface::new(p, q, knots(p), knots(q), p + 1, q + 1, control);
        Surface::Nurbs(Arc::new(surface.unwrap()))
    }

    /// A curve from about the origin to about (1, 0, 0), bent by `bend`.
    pub fn curve(&mut self, degree: usize, bend: f64, rational: bool) -> Curve {
        let knots = [vec![0.0; degree + 1], vec![1.0; degree + 1]].concat();
        let control = (0..=degree)
            .map(|i| {
                let x = Vec3::x() * (i as f64 / degree as f64) + self.vector(bend);
                let w = self.weight(rational);
                Point4::new(x.x * w, x.y * w, x.z * w, w)
            })
            .collect();
        Curve::Nurbs(Arc::new(NurbsCurve::new(degree, knots, control).unwrap()))
    }
}

pub const UNIT: Interval = Interval { lo: 0.0, hi: 1.0 };
