//! Small solids built in code.

use brepcd_brep::{
    Brep, Builder, EdgeId, EdgeKind, FaceInput, FaceKind, LoopInput, ShellId, Tolerance, VertexId,
};
use brepcd_geom::curve::{Circle, Line};
use brepcd_geom::surface::{Cone, Cylinder, Plane, Sphere, Torus, TorusShape};
use brepcd_geom::{Curve, Frame, Point3, Surface, Vec3};

pub fn at(x: f64, y: f64, z: f64) -> Point3 {
    Point3::new(x, y, z)
}

pub fn frame(origin: Point3, z: Vec3) -> Frame {
    Frame::from_z_and_hint(origin, z, Some(Vec3::x())).unwrap()
}

pub struct Part {
    pub builder: Builder,
    pub shell: ShellId,
}

impl Part {
    pub fn new() -> Self {
        let mut builder = Builder::new(Tolerance::default());
        let shell = builder.shell(true, None);
        Self { builder, shell }
    }

    pub fn vertex(&mut self, p: Point3) -> VertexId {
        self.builder.vertex(p, None)
    }

    pub fn line(&mut self, a: (VertexId, Point3), b: (VertexId, Point3)) -> EdgeId {
        let curve = Curve::Line(Line {
            origin: a.1,
            dir: (b.1 - a.1).normalize(),
        });
        self.builder
            .edge(curve, a.0, b.0, true, EdgeKind::Line, None)
    }

    /// A whole circle about z at height `z` from a vertex on +x.
    pub fn circle(&mut self, z: f64, radius: f64, vertex: VertexId) -> EdgeId {
        let curve = Curve::Circle(Circle {
            frame: frame(at(0.0, 0.0, z), Vec3::z()),
            radius,
        });
        self.builder
            .edge(curve, vertex, vertex, true, EdgeKind::Circle, None)
    }

    pub fn face(&mut self, surface: Surface, same_sense: bool, loops: Vec<Vec<(EdgeId, bool)>>) {
        let loops = loops
            .into_iter()
            .map(|edges| LoopInput::Edges { edges, label: None })
            .collect();
        self.face_with(surface, same_sense, loops);
    }

    pub fn face_with(&mut self, surface: Surface, same_sense: bool, loops: Vec<LoopInput>) {
        let file_kind = FaceKind::Plane;
        let name = String::new();
        self.builder.face(
            self.shell,
            FaceInput {
                surface,
                same_sense,
                loops,
                file_kind,
                name,
                label: None,
            },
        );
    }

    pub fn finish(mut self) -> Brep {
        self.builder
            .solid(self.shell, Vec::new(), String::new(), None);
        let (brep, findings) = self.builder.finish();
        assert!(findings.is_empty(), "{findings:?}");
        brep
    }
}

pub fn plane(origin: Point3, normal: Vec3) -> Surface {
    Surface::Plane(Plane {
        frame: Frame::from_z(origin, normal).unwrap(),
    })
}

pub fn block(x: f64, y: f64, z: f64) -> Brep {
    let mut part = Part::new();
    let points: Vec<Point3> = (0..8)
        .map(|i| {
            at(
                x * f64::from(i & 1),
                y * f64::from(i >> 1 & 1),
                z * f64::from(i >> 2 & 1),
            )
        })
        .collect();
    let corners: Vec<(VertexId, Point3)> = points.iter().map(|p| (part.vertex(*p), *p)).collect();
    let mut edges = std::collections::HashMap::new();
    // Corner cycles, counter-clockwise seen from outside.
    let cycles = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    for (i, cycle) in cycles.iter().enumerate() {
        let mut border = Vec::new();
        for k in 0..4 {
            let (a, b) = (cycle[k], cycle[(k + 1) % 4]);
            let key = (a.min(b), a.max(b));
            let edge = *edges
                .entry(key)
                .or_insert_with(|| part.line(corners[key.0], corners[key.1]));
            border.push((edge, a < b));
        }
        let n = (points[cycle[1]] - points[cycle[0]]).cross(&(points[cycle[2]] - points[cycle[1]]));
        // Every other plane looks inward, with the sense saying so.
        let same = i % 2 == 0;
        part.face(
            plane(points[cycle[0]], if same { n } else { -n }),
            same,
            vec![border],
        );
    }
    part.finish()
}

/// A pin about z from 0 to h, its mantle with a seam edge or closed without one.
pub fn pin(r: f64, h: f64, seam: bool) -> Brep {
    let mut part = Part::new();
    let (low, high) = (at(r, 0.0, 0.0), at(r, 0.0, h));
    let (a, b) = (part.vertex(low), part.vertex(high));
    let (bottom, top) = (part.circle(0.0, r, a), part.circle(h, r, b));
    let mantle = Surface::Cylinder(Cylinder {
        frame: frame(at(0.0, 0.0, 5.0), Vec3::z()),
        radius: r,
    });
    if seam {
        let up = part.line((a, low), (b, high));
        part.face(
            mantle,
            true,
            vec![vec![(bottom, true), (up, true), (top, false), (up, false)]],
        );
    } else {
        part.face(mantle, true, vec![vec![(bottom, true)], vec![(top, false)]]);
    }
    part.face(
        plane(at(0.0, 0.0, 0.0), -Vec3::z()),
        true,
        vec![vec![(bottom, false)]],
    );
    part.face(
        plane(at(0.0, 0.0, h), Vec3::z()),
        true,
        vec![vec![(top, true)]],
    );
    part.finish()
}

/// A cone with its base of radius r at z = 0 and the apex at z = h: seam edge, vertex loop, or just the base circle.
pub fn spike(r: f64, h: f64, apex_style: usize) -> Brep {
    let mut part = Part::new();
    let (low, tip) = (at(r, 0.0, 0.0), at(0.0, 0.0, h));
    let (a, b) = (part.vertex(low), part.vertex(tip));
    let base = part.circle(0.0, r, a);
    let half_angle = -(r / h).atan();
    let mantle = Surface::Cone(Cone {
        frame: frame(Point3::origin(), Vec3::z()),
        radius: r,
        half_angle,
    });
    let rim = LoopInput::Edges {
        edges: vec![(base, true)],
        label: None,
    };
    match apex_style {
        0 => {
            let up = part.line((a, low), (b, tip));
            part.face(
                mantle,
                true,
                vec![vec![(base, true), (up, true), (up, false)]],
            );
        }
        1 => part.face_with(mantle, true, vec![rim, LoopInput::Vertex(b)]),
        _ => part.face_with(mantle, true, vec![rim]),
    }
    part.face(
        plane(Point3::origin(), -Vec3::z()),
        true,
        vec![vec![(base, false)]],
    );
    part.finish()
}

/// A whole ball: no border, or a seam from pole to pole.
pub fn ball(r: f64, seam: bool) -> Brep {
    let mut part = Part::new();
    let surface = Surface::Sphere(Sphere {
        frame: Frame::world(),
        radius: r,
    });
    if seam {
        let (south, north) = (part.vertex(at(0.0, 0.0, -r)), part.vertex(at(0.0, 0.0, r)));
        let meridian = Frame {
            origin: Point3::origin(),
            x: -Vec3::z(),
            y: Vec3::x(),
            z: -Vec3::y(),
        };
        let curve = Curve::Circle(Circle {
            frame: meridian,
            radius: r,
        });
        let edge = part
            .builder
            .edge(curve, south, north, true, EdgeKind::Circle, None);
        part.face(surface, true, vec![vec![(edge, true), (edge, false)]]);
    } else {
        part.face(surface, true, Vec::new());
    }
    part.finish()
}

/// Half a ball with its flat side at z = 0; the upper or the lower half.
pub fn dome(r: f64, upper: bool) -> Brep {
    let mut part = Part::new();
    let a = part.vertex(at(r, 0.0, 0.0));
    let rim = part.circle(0.0, r, a);
    let surface = Surface::Sphere(Sphere {
        frame: Frame::world(),
        radius: r,
    });
    part.face(surface, true, vec![vec![(rim, upper)]]);
    let down = if upper { -Vec3::z() } else { Vec3::z() };
    part.face(
        plane(Point3::origin(), down),
        true,
        vec![vec![(rim, !upper)]],
    );
    part.finish()
}

/// The eighth of a ball where all coordinates are positive.
pub fn octant(r: f64) -> Brep {
    let mut part = Part::new();
    let corners = [at(r, 0.0, 0.0), at(0.0, r, 0.0), at(0.0, 0.0, r)];
    let o = (part.vertex(Point3::origin()), Point3::origin());
    let v: Vec<(VertexId, Point3)> = corners.iter().map(|p| (part.vertex(*p), *p)).collect();
    let spokes: Vec<EdgeId> = (0..3).map(|i| part.line(o, v[i])).collect();
    let arcs: Vec<EdgeId> = (0..3)
        .map(|i| {
            let (x, y) = (corners[i].coords / r, corners[(i + 1) % 3].coords / r);
            let circle = Circle {
                frame: Frame {
                    origin: Point3::origin(),
                    x,
                    y,
                    z: x.cross(&y),
                },
                radius: r,
            };
            part.builder.edge(
                Curve::Circle(circle),
                v[i].0,
                v[(i + 1) % 3].0,
                true,
                EdgeKind::Circle,
                None,
            )
        })
        .collect();
    let surface = Surface::Sphere(Sphere {
        frame: Frame::world(),
        radius: r,
    });
    part.face(
        surface,
        true,
        vec![vec![(arcs[0], true), (arcs[1], true), (arcs[2], true)]],
    );
    for i in 0..3 {
        let j = (i + 1) % 3;
        let n = -corners[i].coords.cross(&corners[j].coords);
        part.face(
            plane(Point3::origin(), n),
            true,
            vec![vec![
                (spokes[j], true),
                (arcs[i], false),
                (spokes[i], false),
            ]],
        );
    }
    part.finish()
}

pub fn ring(major: f64, minor: f64, shape: TorusShape, seams: bool) -> Brep {
    let mut part = Part::new();
    let surface = Surface::Torus(Torus {
        frame: Frame::world(),
        major,
        minor,
        shape,
    });
    let same_sense = !matches!(shape, TorusShape::Lemon);
    if seams {
        let a = part.vertex(at(major + minor, 0.0, 0.0));
        let round = part.circle(0.0, major + minor, a);
        let section = Frame {
            origin: at(major, 0.0, 0.0),
            x: Vec3::x(),
            y: Vec3::z(),
            z: -Vec3::y(),
        };
        let curve = Curve::Circle(Circle {
            frame: section,
            radius: minor,
        });
        let across = part.builder.edge(curve, a, a, true, EdgeKind::Circle, None);
        part.face(
            surface,
            true,
            vec![vec![
                (round, true),
                (across, true),
                (round, false),
                (across, false),
            ]],
        );
    } else {
        part.face(surface, same_sense, Vec::new());
    }
    part.finish()
}

/// A pipe about z: its bore's cylinder looks inward, the caps have a hole.
pub fn pipe(outer: f64, inner: f64, h: f64) -> Brep {
    let mut part = Part::new();
    let mut rims = Vec::new();
    for (z, r) in [(0.0, outer), (h, outer), (0.0, inner), (h, inner)] {
        let v = part.vertex(at(r, 0.0, z));
        rims.push(part.circle(z, r, v));
    }
    let mantle = |radius| {
        Surface::Cylinder(Cylinder {
            frame: Frame::world(),
            radius,
        })
    };
    part.face(
        mantle(outer),
        true,
        vec![vec![(rims[0], true)], vec![(rims[1], false)]],
    );
    part.face(
        mantle(inner),
        false,
        vec![vec![(rims[2], false)], vec![(rims[3], true)]],
    );
    // The lower cap's plane looks up, against its face; the hole's loop comes first in the upper cap.
    part.face(
        plane(at(0.0, 0.0, 0.0), Vec3::z()),
        false,
        vec![vec![(rims[0], false)], vec![(rims[2], true)]],
    );
    part.face(
        plane(at(0.0, 0.0, h), Vec3::z()),
        true,
        vec![vec![(rims[3], false)], vec![(rims[1], true)]],
    );
    part.finish()
}
