//! The tangent cone's boundary at every vertex: for each face there, the directions in which it leaves.
//!
//! At a regular point a face leaves in a sector of its tangent plane, counter-clockwise from the border that goes out
//! to the one that comes in. At a conical point (the apex of a cone, the pole of a spindle) it leaves along generators,
//! of which finitely many are taken.

use std::f64::consts::{FRAC_PI_2, TAU};

use brepcd_brep::{Brep, Edge, EdgeId, Face, FaceId, Segment, VertexId};
use brepcd_geom::{Point3, Surface, Vec3};

use crate::carriers::Scale;

/// Generators taken around an apex.
const GENERATORS: usize = 32;
/// Share of a face's extent from a pole at which it is asked whether it goes there.
const BESIDE: f64 = 1e-4;
/// Share of a face's extent within which its border reaches a pole.
const REACHES: f64 = 1e-7;
/// Shares of an edge at which a cusp is looked into.
const CUSP: f64 = 1e-3;

/// A direction in which a face leaves a vertex, and the face's outward normal along it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ray {
    pub direction: Vec3,
    pub normal: Vec3,
}

/// A face at a vertex.
#[derive(Clone, Debug)]
pub(crate) struct Corner {
    /// Directions less than half a turn apart, or generators.
    pub rays: Vec<Ray>,
    /// True if the vertex is a conical point of the face.
    pub conical: bool,
}

/// All corners of a part.
pub(crate) struct Corners {
    /// By vertex.
    pub at: Vec<Vec<Corner>>,
    /// Conical points that are no vertices.
    pub apexes: Vec<(Point3, Corner)>,
}

impl Corners {
    pub fn of(brep: &Brep, scale: &Scale) -> Self {
        let mut out = Self {
            at: vec![Vec::new(); brep.vertices.len()],
            apexes: Vec::new(),
        };
        for (index, face) in brep.faces.iter().enumerate() {
            let id = FaceId::at(index);
            let poles = conical_poles(face, scale);
            for chain in &face.domain.chains {
                let segments: Vec<&Segment> =
                    chain.segments.iter().filter(|s| s.edge.is_some()).collect();
                for (i, into) in segments.iter().enumerate() {
                    let out_of = segments[(i + 1) % segments.len()];
                    out.add(brep, id, &poles, [into, out_of], scale);
                }
            }
            for pole in &poles {
                out.add_pole(brep, id, pole, scale);
            }
        }
        out
    }

    /// The corner between two consecutive pieces of border.
    fn add(
        &mut self,
        brep: &Brep,
        id: FaceId,
        poles: &[Pole],
        pieces: [&Segment; 2],
        scale: &Scale,
    ) {
        let face = &brep.faces[id.index()];
        let [Some(into), Some(out_of)] = [End::last(brep, pieces[0]), End::first(brep, pieces[1])]
        else {
            return;
        };
        if into.vertex != out_of.vertex {
            return;
        }
        let point = brep.vertices[into.vertex.index()].point;
        if poles
            .iter()
            .any(|pole| (pole.point - point).norm() <= scale.length)
        {
            let ray = |end: &End| {
                Some(Ray {
                    direction: end.direction?,
                    normal: face.outward_normal(end.uv.0, end.uv.1)?,
                })
            };
            let rays: Vec<Ray> = [ray(&into), ray(&out_of)].into_iter().flatten().collect();
            self.at[into.vertex.index()].push(Corner {
                rays,
                conical: true,
            });
            return;
        }
        let normal = face
            .outward_normal(into.uv.0, into.uv.1)
            .or_else(|| face.outward_normal(out_of.uv.0, out_of.uv.1));
        let (Some(normal), Some(a), Some(b)) = (normal, into.direction, out_of.direction) else {
            return;
        };
        let mut angle = normal.dot(&b.cross(&a)).atan2(b.dot(&a)).rem_euclid(TAU);
        if angle.min(TAU - angle) <= scale.angle {
            let slit = pieces[0].edge == pieces[1].edge;
            let turn = normal.dot(&out_of.aside(&point).cross(&into.aside(&point)));
            angle = if slit || turn < 0.0 { TAU } else { 0.0 };
        }
        let steps = (angle / FRAC_PI_2).ceil().max(1.0) as usize;
        let (x, y) = (b, normal.cross(&b));
        let inner = (1..steps).map(|i| {
            let (s, c) = (angle * i as f64 / steps as f64).sin_cos();
            x * c + y * s
        });
        let rays = std::iter::once(b)
            .chain(inner)
            .chain([a])
            .map(|direction| Ray { direction, normal })
            .collect();
        self.at[into.vertex.index()].push(Corner {
            rays,
            conical: false,
        });
    }

    /// The generators of a face at a conical pole, if it goes there.
    fn add_pole(&mut self, brep: &Brep, id: FaceId, pole: &Pole, scale: &Scale) {
        let face = &brep.faces[id.index()];
        let rays = pole.generators(brep, face);
        if rays.is_empty() {
            return;
        }
        let corner = Corner {
            rays,
            conical: true,
        };
        let vertices = face.loops.iter().flat_map(|l| {
            let ends = |e: EdgeId| [brep.edges[e.index()].start, brep.edges[e.index()].end];
            let edges = l.coedges.iter().flat_map(move |c| ends(c.edge));
            edges.chain(l.vertex)
        });
        let near =
            |v: &VertexId| (brep.vertices[v.index()].point - pole.point).norm() <= scale.length;
        match vertices.into_iter().find(near) {
            Some(vertex) => self.at[vertex.index()].push(corner),
            None => self.apexes.push((pole.point, corner)),
        }
    }
}

/// An end of a piece of border at a vertex.
struct End<'a> {
    edge: &'a Edge,
    vertex: VertexId,
    uv: (f64, f64),
    /// Unit direction in which the edge leaves.
    direction: Option<Vec3>,
    /// Parameters at and beside the vertex.
    t: [f64; 2],
}

impl<'a> End<'a> {
    fn first(brep: &'a Brep, piece: &Segment) -> Option<Self> {
        let t = piece.samples.first()?.t;
        Self::new(
            brep,
            piece,
            t,
            piece.samples.last()?.t,
            piece.samples.first()?.uv,
        )
    }

    fn last(brep: &'a Brep, piece: &Segment) -> Option<Self> {
        let t = piece.samples.last()?.t;
        Self::new(
            brep,
            piece,
            t,
            piece.samples.first()?.t,
            piece.samples.last()?.uv,
        )
    }

    fn new(
        brep: &'a Brep,
        piece: &Segment,
        t: f64,
        other: f64,
        uv: brepcd_geom::Point2,
    ) -> Option<Self> {
        let edge = &brep.edges[piece.edge?.index()];
        // A piece may end at a pole within the edge; that is no vertex.
        let vertex = if t == edge.t[0] {
            edge.start
        } else if t == edge.t[1] {
            edge.end
        } else {
            return None;
        };
        Some(Self {
            edge,
            vertex,
            uv: (uv.x, uv.y),
            direction: leaving(edge, t, other),
            t: [t, t + (other - t) * CUSP],
        })
    }

    /// Where the edge is a little farther on, as seen from the vertex.
    fn aside(&self, point: &Point3) -> Vec3 {
        let offset = self.edge.jet(self.t[1]).p - point;
        offset.try_normalize(0.0).unwrap_or(offset)
    }
}

/// Unit direction in which an edge leaves its end at `t` towards `other`.
pub(crate) fn leaving(edge: &Edge, t: f64, other: f64) -> Option<Vec3> {
    let sign = if other < t { -1.0 } else { 1.0 };
    let jet = edge.jet(t);
    let beside = edge.jet(t + (other - t) * CUSP).p - jet.p;
    let speed = beside.norm() / ((other - t) * CUSP).abs().max(f64::MIN_POSITIVE);
    // Where the speed vanishes, the curve itself shows the way.
    if jet.d1.norm() > CUSP * speed {
        (jet.d1 * sign).try_normalize(0.0)
    } else {
        beside.try_normalize(0.0)
    }
}

/// A point of a surface to which a line of parameters shrinks, with different normals around it.
#[derive(Clone, Copy, Debug)]
struct Pole {
    point: Point3,
    /// The parameter that is constant there: 0 for u, 1 for v.
    axis: usize,
    value: f64,
    /// Direction of that parameter away from the pole.
    inward: f64,
}

impl Pole {
    fn uv(&self, around: f64, off: f64) -> (f64, f64) {
        let value = self.value + self.inward * off;
        if self.axis == 1 {
            (around, value)
        } else {
            (value, around)
        }
    }

    fn ray(&self, face: &Face, around: f64, reach: f64) -> Option<Ray> {
        let (u, v) = self.uv(around, 0.0);
        let jet = face.surface.jet(u, v);
        let derivative = if self.axis == 1 { jet.dv } else { jet.du } * self.inward;
        let (bu, bv) = self.uv(around, BESIDE * reach);
        let beside = face.surface.point(bu, bv) - self.point;
        let vanishes = derivative.norm() * BESIDE * reach <= CUSP * beside.norm();
        let direction = if vanishes { beside } else { derivative };
        Some(Ray {
            direction: direction.try_normalize(0.0)?,
            normal: face.outward_normal(u, v)?,
        })
    }

    /// Parameters around the pole.
    fn around(&self, surface: &Surface) -> impl Iterator<Item = f64> + use<> {
        let (u, v) = surface.domain();
        let range = if self.axis == 1 { u } else { v };
        let periodic = surface.periods()[1 - self.axis].is_some();
        let count = if periodic { GENERATORS } else { GENERATORS - 1 };
        (0..GENERATORS).map(move |i| range.at(i as f64 / count as f64))
    }

    /// The generators along which a face leaves the pole.
    fn generators(&self, brep: &Brep, face: &Face) -> Vec<Ray> {
        let (mut nearest, mut farthest) = (f64::INFINITY, 0.0_f64);
        let segments = face.domain.chains.iter().flat_map(|c| &c.segments);
        for sample in segments
            .filter(|s| s.edge.is_some())
            .flat_map(|s| &s.samples)
        {
            let off = (sample.uv[self.axis] - self.value) * self.inward;
            nearest = nearest.min(off);
            farthest = farthest.max(off);
        }
        let (u, v) = face.surface.domain();
        let range = if self.axis == 1 { v } else { u };
        if !nearest.is_finite() {
            let reach = if range.length().is_finite() {
                range.length()
            } else {
                return Vec::new();
            };
            (nearest, farthest) = (reach, reach);
        }
        let contains = |around: f64, off: f64| {
            let (u, v) = self.uv(around, off);
            brep.face_contains(face, u, v)
        };
        let mut around = self.around(&face.surface);
        if nearest > REACHES * farthest {
            // No border comes near: all of the pole or nothing of it.
            let off_grid = around.next().unwrap_or(0.0) + 0.5 / GENERATORS as f64;
            if !contains(off_grid, nearest.min(farthest) * 0.5) {
                return Vec::new();
            }
            let all = self.around(&face.surface);
            return all.filter_map(|a| self.ray(face, a, farthest)).collect();
        }
        around
            .filter(|a| contains(*a, BESIDE * farthest))
            .filter_map(|a| self.ray(face, a, farthest))
            .collect()
    }
}

/// The poles of a face's surface at which its normals differ.
fn conical_poles(face: &Face, scale: &Scale) -> Vec<Pole> {
    let surface = &face.surface;
    if matches!(
        surface,
        Surface::Plane(_) | Surface::Cylinder(_) | Surface::Sphere(_)
    ) {
        return Vec::new();
    }
    let mut out = Vec::new();
    for (axis, poles) in [(1, surface.poles()), (0, surface.poles_u())] {
        for (value, inward) in [(poles[0], 1.0), (poles[1], -1.0)] {
            let Some(value) = value else {
                continue;
            };
            let mut pole = Pole {
                point: Point3::origin(),
                axis,
                value,
                inward,
            };
            let normals: Vec<Vec3> = pole
                .around(surface)
                .step_by(4)
                .filter_map(|a| {
                    let (u, v) = pole.uv(a, 0.0);
                    pole.point = surface.point(u, v);
                    surface.normal(u, v)
                })
                .collect();
            let spread = |n: &Vec3| {
                n.cross(&normals[0]).norm() > scale.angle.sin() || n.dot(&normals[0]) < 0.0
            };
            if normals.iter().any(spread) {
                out.push(pole);
            }
        }
    }
    out
}
