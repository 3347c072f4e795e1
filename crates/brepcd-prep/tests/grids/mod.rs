//! Solids made of the cells of a grid, Cartesian or cylindrical, every cell side a face of its own.

use std::collections::BTreeMap;
use std::f64::consts::TAU;
use std::sync::Arc;

use brepcd_brep::{
    Brep, Builder, EdgeId, EdgeKind, FaceInput, FaceKind, LoopInput, Tolerance, VertexId,
};
use brepcd_geom::curve::{Circle, Line};
use brepcd_geom::nurbs::{NurbsCurve, construct, lift};
use brepcd_geom::surface::{Cone, Cylinder, Plane};
use brepcd_geom::{Curve, Frame, Point3, Surface, Vec3};

/// A place of the grid; for cylindrical grids radius, angle, height.
pub type Place = [i32; 3];

/// A grid with cells of unit size, scaled and moved.
#[derive(Clone, Copy)]
pub struct Grid {
    /// Cells of a turn; 0 for a Cartesian grid.
    pub turn: i32,
    pub scale: f64,
    pub origin: Point3,
    /// Added to the radius of the cylinders of odd faces and to the height of their planes.
    pub flaw: f64,
}

pub const PLAIN: Grid = Grid {
    turn: 0,
    scale: 1.0,
    origin: Point3::new(0.0, 0.0, 0.0),
    flaw: 0.0,
};

impl Grid {
    fn angle(&self, step: i32) -> f64 {
        TAU * f64::from(step) / f64::from(self.turn)
    }

    fn wrapped(&self, mut p: Place) -> Place {
        if self.turn > 0 {
            p[1] = p[1].rem_euclid(self.turn);
        }
        p
    }

    pub fn point(&self, p: Place) -> Point3 {
        let [x, y, z] = p.map(f64::from);
        if self.turn == 0 {
            return self.origin + Vec3::new(x, y, z) * self.scale;
        }
        let (s, c) = self.angle(p[1]).sin_cos();
        self.origin + Vec3::new(x * c, x * s, z) * self.scale
    }

    /// The direction of an axis at a place.
    pub fn direction(&self, p: Place, axis: usize) -> Vec3 {
        let angle = if self.turn == 0 {
            0.0
        } else {
            self.angle(p[1])
        };
        let (s, c) = angle.sin_cos();
        [Vec3::new(c, s, 0.0), Vec3::new(-s, c, 0.0), Vec3::z()][axis]
    }

    fn axis(&self, p: Place, up: bool) -> Frame {
        let origin = self.origin + Vec3::z() * (self.scale * f64::from(p[2]));
        let z = if up { Vec3::z() } else { -Vec3::z() };
        Frame::from_z(origin, z).unwrap()
    }

    fn curve(&self, p: Place, axis: usize) -> Curve {
        if self.turn > 0 && axis == 1 {
            // Odd arcs run against their circle.
            return Curve::Circle(Circle {
                frame: self.axis(p, p[1] % 2 == 0),
                radius: self.scale * f64::from(p[0]),
            });
        }
        Curve::Line(Line {
            origin: self.point(p),
            dir: self.direction(p, axis),
        })
    }

    /// The side of a cell across an axis, and whether its own normal is the outward one.
    fn surface(&self, p: Place, axis: usize, outward: bool, odd: bool) -> (Surface, bool) {
        let flaw = if odd { self.flaw } else { 0.0 };
        if self.turn > 0 && axis == 0 {
            let radius = self.scale * f64::from(p[0]) + flaw;
            let frame = self.axis(p, odd);
            return (Surface::Cylinder(Cylinder { frame, radius }), outward);
        }
        let n = self.direction(p, axis);
        let origin = self.point(p) + n * flaw;
        let turned = if odd { -n } else { n };
        let frame = Frame::from_z(origin, turned).unwrap();
        (Surface::Plane(Plane { frame }), outward != odd)
    }
}

struct Maker<'a> {
    grid: &'a Grid,
    builder: Builder,
    vertices: BTreeMap<Place, VertexId>,
    edges: BTreeMap<(usize, Place), EdgeId>,
}

impl Maker<'_> {
    fn vertex(&mut self, p: Place) -> VertexId {
        let p = self.grid.wrapped(p);
        let builder = &mut self.builder;
        let point = self.grid.point(p);
        *self
            .vertices
            .entry(p)
            .or_insert_with(|| builder.vertex(point, None))
    }

    fn edge(&mut self, p: Place, axis: usize) -> EdgeId {
        let p = self.grid.wrapped(p);
        if let Some(edge) = self.edges.get(&(axis, p)) {
            return *edge;
        }
        let mut q = p;
        q[axis] += 1;
        let ends = [self.vertex(p), self.vertex(q)];
        let curve = self.grid.curve(p, axis);
        let same = match &curve {
            Curve::Circle(c) => c.frame.z.z > 0.0,
            _ => true,
        };
        let edge = self
            .builder
            .edge(curve, ends[0], ends[1], same, EdgeKind::Line, None);
        self.edges.insert((axis, p), edge);
        edge
    }
}

/// The solid of some cells.
pub fn solid(grid: &Grid, cells: &[Place]) -> Brep {
    let mut maker = Maker {
        grid,
        builder: Builder::new(Tolerance::default()),
        vertices: BTreeMap::new(),
        edges: BTreeMap::new(),
    };
    let shell = maker.builder.shell(true, None);
    let has = |p: Place| cells.iter().any(|c| grid.wrapped(*c) == grid.wrapped(p));
    let mut count = 0;
    for cell in cells {
        for axis in 0..3 {
            for outward in [true, false] {
                let mut beside = *cell;
                beside[axis] += if outward { 1 } else { -1 };
                if has(beside) {
                    continue;
                }
                let mut p = *cell;
                p[axis] += i32::from(outward);
                let (e, f) = ((axis + 1) % 3, (axis + 2) % 3);
                let (mut beyond_e, mut beyond_f) = (p, p);
                beyond_e[e] += 1;
                beyond_f[f] += 1;
                let mut edges = vec![
                    (maker.edge(p, e), true),
                    (maker.edge(beyond_e, f), true),
                    (maker.edge(beyond_f, e), false),
                    (maker.edge(p, f), false),
                ];
                if !outward {
                    edges.reverse();
                    edges.iter_mut().for_each(|x| x.1 = !x.1);
                }
                count += 1;
                let (surface, same_sense) = grid.surface(p, axis, outward, count % 2 == 1);
                let loops = vec![LoopInput::Edges { edges, label: None }];
                maker.builder.face(
                    shell,
                    FaceInput {
                        surface,
                        same_sense,
                        loops,
                        file_kind: FaceKind::Plane,
                        name: String::new(),
                        label: None,
                    },
                );
            }
        }
    }
    maker.builder.solid(shell, Vec::new(), String::new(), None);
    maker.builder.finish().0
}

fn face(surface: Surface, edges: Vec<(EdgeId, bool)>) -> FaceInput {
    FaceInput {
        surface,
        same_sense: true,
        loops: vec![LoopInput::Edges { edges, label: None }],
        file_kind: FaceKind::Plane,
        name: String::new(),
        label: None,
    }
}

fn level(z: f64, up: f64) -> Surface {
    let frame = Frame::from_z(Point3::new(0.0, 0.0, z), Vec3::z() * up).unwrap();
    Surface::Plane(Plane { frame })
}

/// A unit square that bounds nothing.
pub fn sheet() -> Brep {
    let mut builder = Builder::new(Tolerance::default());
    let shell = builder.shell(false, None);
    let points = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
    let points = points.map(|(x, y)| Point3::new(x, y, 0.0));
    let vertices = points.map(|p| builder.vertex(p, None));
    let edges = (0..4).map(|i| {
        let next = (i + 1) % 4;
        let line = Curve::Line(Line {
            origin: points[i],
            dir: (points[next] - points[i]).normalize(),
        });
        let ends = [vertices[i], vertices[next]];
        let edge = builder.edge(line, ends[0], ends[1], true, EdgeKind::Line, None);
        (edge, true)
    });
    let edges = edges.collect();
    builder.face(shell, face(level(0.0, 1.0), edges));
    builder.finish().0
}

/// A cone of radius and height 1 on a pin of radius 1, or a pit of that shape in a pin of radius 2; no vertex at the apex.
pub fn pointed(pit: bool) -> Brep {
    let mut builder = Builder::new(Tolerance::default());
    let shell = builder.shell(true, None);
    let frame =
        |z: f64| Frame::from_z_and_hint(Point3::new(0.0, 0.0, z), Vec3::z(), Some(Vec3::x()));
    let mut rim = |z: f64, radius: f64| {
        let vertex = builder.vertex(Point3::new(radius, 0.0, z), None);
        let frame = frame(z).unwrap();
        let circle = Curve::Circle(Circle { frame, radius });
        builder.edge(circle, vertex, vertex, true, EdgeKind::Circle, None)
    };
    let radius = if pit { 2.0 } else { 1.0 };
    let (bottom, top) = (rim(-3.0, radius), rim(0.0, radius));
    let inner = if pit { rim(0.0, 1.0) } else { top };
    let mantle = Surface::Cylinder(Cylinder {
        frame: Frame::world(),
        radius,
    });
    let mut mantle = face(mantle, vec![(bottom, true)]);
    mantle.loops.push(LoopInput::Edges {
        edges: vec![(top, false)],
        label: None,
    });
    builder.face(shell, mantle);
    builder.face(shell, face(level(-3.0, -1.0), vec![(bottom, false)]));
    let quarter = TAU / 8.0;
    let cone = Surface::Cone(Cone {
        frame: frame(0.0).unwrap(),
        radius: 1.0,
        half_angle: if pit { quarter } else { -quarter },
    });
    let mut cone = face(cone, vec![(inner, true)]);
    cone.same_sense = !pit;
    builder.face(shell, cone);
    if pit {
        let mut ring = face(level(0.0, 1.0), vec![(top, true)]);
        ring.loops.push(LoopInput::Edges {
            edges: vec![(inner, false)],
            label: None,
        });
        builder.face(shell, ring);
    }
    builder.solid(shell, Vec::new(), String::new(), None);
    builder.finish().0
}

/// A prism over a closed spline with a corner, where the seam of its mantle is.
pub fn teardrop() -> Brep {
    let knots = vec![0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0];
    let profile = |z: f64| {
        let points = [(0.0, 0.0), (2.0, -1.5), (2.0, 1.5), (0.0, 0.0)];
        let control = points.map(|(x, y)| lift(&Point3::new(x, y, z), 1.0));
        NurbsCurve::new(3, knots.clone(), control.to_vec()).unwrap()
    };
    let mantle = construct::extrude(&profile(0.0), Vec3::z()).unwrap();
    let mut builder = Builder::new(Tolerance::default());
    let shell = builder.shell(true, None);
    let [a, b] = [0.0, 1.0].map(|z| builder.vertex(Point3::new(0.0, 0.0, z), None));
    let rim = |z: f64| Curve::Nurbs(Arc::new(profile(z)));
    let bottom = builder.edge(rim(0.0), a, a, true, EdgeKind::Bspline, None);
    let top = builder.edge(rim(1.0), b, b, true, EdgeKind::Bspline, None);
    let line = Curve::Line(Line {
        origin: Point3::origin(),
        dir: Vec3::z(),
    });
    let seam = builder.edge(line, a, b, true, EdgeKind::Line, None);
    let around = vec![(bottom, true), (seam, true), (top, false), (seam, false)];
    builder.face(shell, face(Surface::Nurbs(Arc::new(mantle)), around));
    builder.face(shell, face(level(0.0, -1.0), vec![(bottom, false)]));
    builder.face(shell, face(level(1.0, 1.0), vec![(top, true)]));
    builder.solid(shell, Vec::new(), String::new(), None);
    builder.finish().0
}
