//! Small solids built in code, against closed forms: mass, boxes, edge classes, point membership.

use brepcd_brep::{
    Brep, Builder, EdgeClass, EdgeId, EdgeKind, FaceInput, FaceKind, LoopInput, ShellId, Side,
    Tolerance, VertexId,
};
use brepcd_geom::curve::{Circle, Line};
use brepcd_geom::surface::{Cone, Cylinder, Plane, Sphere, Torus, TorusShape};
use brepcd_geom::{Curve, Frame, Point3, Pose, Surface, Vec3};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI, TAU};

fn at(x: f64, y: f64, z: f64) -> Point3 {
    Point3::new(x, y, z)
}

fn frame(origin: Point3, z: Vec3) -> Frame {
    Frame::from_z_and_hint(origin, z, Some(Vec3::x())).unwrap()
}

struct Part {
    builder: Builder,
    shell: ShellId,
}

impl Part {
    fn new() -> Self {
        let mut builder = Builder::new(Tolerance::default());
        let shell = builder.shell(true, None);
        Self { builder, shell }
    }

    fn vertex(&mut self, p: Point3) -> VertexId {
        self.builder.vertex(p, None)
    }

    fn line(&mut self, a: (VertexId, Point3), b: (VertexId, Point3)) -> EdgeId {
        let curve = Curve::Line(Line {
            origin: a.1,
            dir: (b.1 - a.1).normalize(),
        });
        self.builder
            .edge(curve, a.0, b.0, true, EdgeKind::Line, None)
    }

    /// A whole circle about z at height `z` from a vertex on +x.
    fn circle(&mut self, z: f64, radius: f64, vertex: VertexId) -> EdgeId {
        let curve = Curve::Circle(Circle {
            frame: frame(at(0.0, 0.0, z), Vec3::z()),
            radius,
        });
        self.builder
            .edge(curve, vertex, vertex, true, EdgeKind::Circle, None)
    }

    fn face(&mut self, surface: Surface, same_sense: bool, loops: Vec<Vec<(EdgeId, bool)>>) {
        let loops = loops
            .into_iter()
            .map(|edges| LoopInput::Edges { edges, label: None })
            .collect();
        self.face_with(surface, same_sense, loops);
    }

    fn face_with(&mut self, surface: Surface, same_sense: bool, loops: Vec<LoopInput>) {
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

    fn finish(mut self) -> Brep {
        self.builder
            .solid(self.shell, Vec::new(), String::new(), None);
        let (brep, findings) = self.builder.finish();
        assert!(findings.is_empty(), "{findings:?}");
        brep
    }
}

fn plane(origin: Point3, normal: Vec3) -> Surface {
    Surface::Plane(Plane {
        frame: Frame::from_z(origin, normal).unwrap(),
    })
}

fn block(x: f64, y: f64, z: f64) -> Brep {
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
fn pin(r: f64, h: f64, seam: bool) -> Brep {
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
fn spike(r: f64, h: f64, apex_style: usize) -> Brep {
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
fn ball(r: f64, seam: bool) -> Brep {
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
fn dome(r: f64, upper: bool) -> Brep {
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
fn octant(r: f64) -> Brep {
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

fn ring(major: f64, minor: f64, shape: TorusShape, seams: bool) -> Brep {
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
fn pipe(outer: f64, inner: f64, h: f64) -> Brep {
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

fn check(name: &str, brep: &Brep, volume: f64, area: f64, centroid: Point3) {
    for pose in [
        Pose::identity(),
        Pose::new(Vec3::new(1e3, -2e3, 5e2), Vec3::new(0.4, -1.1, 0.7)),
        Pose::new(Vec3::new(0.0, 0.0, 3.0), Vec3::new(0.0, FRAC_PI_2, 0.0)),
    ] {
        let moved = brep.transformed(&pose);
        let mass = moved.mass_properties();
        assert!(
            (mass.volume / volume - 1.0).abs() < 1e-11,
            "{name}: volume {} for {volume}",
            mass.volume
        );
        assert!(
            (mass.area / area - 1.0).abs() < 1e-11,
            "{name}: area {} for {area}",
            mass.area
        );
        assert!(
            (mass.centroid - pose * centroid).norm() < 1e-9,
            "{name}: centroid {}",
            mass.centroid
        );
        let turned = pose.rotation.to_rotation_matrix();
        let inertia =
            turned.matrix() * brep.mass_properties().inertia * turned.matrix().transpose();
        assert!(
            (inertia - mass.inertia).norm() < 1e-9 * inertia.norm(),
            "{name}: inertia"
        );
    }
}

#[test]
fn masses_are_closed_forms() {
    check(
        "block",
        &block(2.0, 3.0, 5.0),
        30.0,
        62.0,
        at(1.0, 1.5, 2.5),
    );
    for seam in [false, true] {
        check(
            "pin",
            &pin(2.0, 7.0, seam),
            28.0 * PI,
            8.0 * PI + 28.0 * PI,
            at(0.0, 0.0, 3.5),
        );
        check(
            "ball",
            &ball(3.0, seam),
            36.0 * PI,
            36.0 * PI,
            Point3::origin(),
        );
        let torus = ring(5.0, 2.0, TorusShape::Ring, seam);
        check(
            "ring",
            &torus,
            2.0 * PI * PI * 5.0 * 4.0,
            4.0 * PI * PI * 10.0,
            Point3::origin(),
        );
    }
    for style in 0..3 {
        let slant = 5.0f64;
        check(
            "spike",
            &spike(3.0, 4.0, style),
            12.0 * PI,
            9.0 * PI + PI * 3.0 * slant,
            at(0.0, 0.0, 1.0),
        );
    }
    for upper in [true, false] {
        let z = if upper { 0.375 * 2.0 } else { -0.375 * 2.0 };
        check(
            "dome",
            &dome(2.0, upper),
            16.0 * PI / 3.0,
            12.0 * PI,
            at(0.0, 0.0, z),
        );
    }
    let tube = PI * (9.0 - 4.0) * 7.0;
    let tube_area = TAU * (3.0 + 2.0) * 7.0 + TAU * (9.0 - 4.0);
    check(
        "pipe",
        &pipe(3.0, 2.0, 7.0),
        tube,
        tube_area,
        at(0.0, 0.0, 3.5),
    );
    let c = 0.375 * 2.0;
    check(
        "octant",
        &octant(2.0),
        4.0 * PI / 3.0,
        2.0 * PI + 3.0 * PI,
        at(c, c, c),
    );
}

#[test]
fn spindle_tori_are_bodies_of_revolution() {
    // Pappus: the profile right (apple) or left (lemon) of the axis, R < r.
    let (major, minor) = (1.0f64, 2.0f64);
    let edge = (-major / minor).acos();
    let segment_volume = |lo: f64, hi: f64| {
        let n = 20_000;
        let h = (hi - lo) / f64::from(n);
        (0..n)
            .map(|i| lo + h * (f64::from(i) + 0.5))
            .map(|v| PI * (major + minor * v.cos()).powi(2) * minor * v.cos() * h)
            .sum::<f64>()
    };
    let apple = ring(major, minor, TorusShape::Apple, false).mass_properties();
    let lemon = ring(major, minor, TorusShape::Lemon, false).mass_properties();
    let expected = [
        segment_volume(-edge, edge),
        segment_volume(edge, TAU - edge).abs(),
    ];
    assert!(
        (apple.volume / expected[0] - 1.0).abs() < 1e-7,
        "{} {}",
        apple.volume,
        expected[0]
    );
    assert!(
        (lemon.volume / expected[1] - 1.0).abs() < 1e-7,
        "{} {}",
        lemon.volume,
        expected[1]
    );
}

#[test]
fn inside_out_solids_are_turned() {
    // The pin again, every loop and every sense the other way round.
    let mut part = Part::new();
    let (low, high) = (at(2.0, 0.0, 0.0), at(2.0, 0.0, 7.0));
    let (a, b) = (part.vertex(low), part.vertex(high));
    let (bottom, top) = (part.circle(0.0, 2.0, a), part.circle(7.0, 2.0, b));
    let up = part.line((a, low), (b, high));
    let mantle = Surface::Cylinder(Cylinder {
        frame: Frame::world(),
        radius: 2.0,
    });
    part.face(
        mantle,
        false,
        vec![vec![(up, true), (top, true), (up, false), (bottom, false)]],
    );
    part.face(
        plane(at(0.0, 0.0, 0.0), -Vec3::z()),
        false,
        vec![vec![(bottom, true)]],
    );
    part.face(
        plane(at(0.0, 0.0, 7.0), Vec3::z()),
        false,
        vec![vec![(top, false)]],
    );
    part.builder
        .solid(part.shell, Vec::new(), String::new(), None);
    let (brep, findings) = part.builder.finish();
    assert_eq!(findings.len(), 1, "{findings:?}");
    check("turned pin", &brep, 28.0 * PI, 36.0 * PI, at(0.0, 0.0, 3.5));
    let classes: Vec<EdgeClass> = brep.edges.iter().map(|e| e.class).collect();
    assert!(matches!(
        classes[..],
        [
            EdgeClass::Convex { .. },
            EdgeClass::Convex { .. },
            EdgeClass::Seam
        ]
    ));
}

#[test]
fn inertia_of_known_bodies() {
    let m = block(2.0, 3.0, 5.0).mass_properties();
    let expected = Vec3::new(9.0 + 25.0, 4.0 + 25.0, 4.0 + 9.0) * (30.0 / 12.0);
    assert!(
        (m.inertia.diagonal() - expected).norm() < 1e-10,
        "{}",
        m.inertia
    );
    let m = ball(3.0, true).mass_properties();
    assert!(
        (m.inertia.diagonal() - Vec3::repeat(0.4 * 36.0 * PI * 9.0)).norm() < 1e-8,
        "{}",
        m.inertia
    );
    let m = pin(2.0, 7.0, false).mass_properties();
    assert!((m.inertia[(2, 2)] - 0.5 * 28.0 * PI * 4.0).abs() < 1e-8);
    assert!((m.inertia[(0, 0)] - 28.0 * PI * (12.0 + 49.0) / 12.0).abs() < 1e-8);
}

#[test]
fn boxes_are_exact() {
    let check = |brep: &Brep, min: [f64; 3], max: [f64; 3]| {
        let b = brep.bounding_box();
        assert!((b.min.coords - Vec3::from(min)).norm() < 1e-12, "{b:?}");
        assert!((b.max.coords - Vec3::from(max)).norm() < 1e-12, "{b:?}");
    };
    check(&block(2.0, 3.0, 5.0), [0.0; 3], [2.0, 3.0, 5.0]);
    check(&ball(3.0, false), [-3.0; 3], [3.0; 3]);
    check(&dome(2.0, true), [-2.0, -2.0, 0.0], [2.0, 2.0, 2.0]);
    check(&octant(2.0), [0.0; 3], [2.0; 3]);
    check(
        &ring(5.0, 2.0, TorusShape::Ring, false),
        [-7.0, -7.0, -2.0],
        [7.0, 7.0, 2.0],
    );
    for style in 0..3 {
        check(&spike(3.0, 4.0, style), [-3.0, -3.0, 0.0], [3.0, 3.0, 4.0]);
    }
    let turned =
        ring(5.0, 2.0, TorusShape::Ring, true).transformed(&Pose::rotation(Vec3::x() * FRAC_PI_4));
    let y = 5.0 * FRAC_PI_4.cos() + 2.0;
    check(&turned, [-7.0, -y, -y], [7.0, y, y]);
}

#[test]
fn edges_know_their_class() {
    for edge in &block(1.0, 2.0, 3.0).edges {
        assert!(
            matches!(edge.class, EdgeClass::Convex { dihedral } if (dihedral - FRAC_PI_2).abs() < 1e-12)
        );
    }
    let classes: Vec<EdgeClass> = pin(2.0, 7.0, true).edges.iter().map(|e| e.class).collect();
    assert!(matches!(
        classes[..],
        [
            EdgeClass::Convex { .. },
            EdgeClass::Convex { .. },
            EdgeClass::Seam
        ]
    ));
    let base = spike(3.0, 4.0, 1).edges[0].class;
    assert!(
        matches!(base, EdgeClass::Convex { dihedral } if (dihedral - (4.0f64 / 3.0).atan()).abs() < 1e-12)
    );
}

#[test]
fn points_know_their_side() {
    let mut state = 1u64;
    let mut random = move || {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    type Inside = fn(&Point3) -> bool;
    let cases: [(&str, Brep, Inside); 7] = [
        ("pipe", pipe(3.0, 2.0, 3.0), |p| {
            (2.0..3.0).contains(&p.x.hypot(p.y)) && p.z > 0.0 && p.z < 3.0
        }),
        ("block", block(2.0, 3.0, 5.0), |p| {
            p.x > 0.0 && p.x < 2.0 && p.y > 0.0 && p.y < 3.0 && p.z > 0.0 && p.z < 5.0
        }),
        ("pin", pin(2.0, 3.0, true), |p| {
            p.x.hypot(p.y) < 2.0 && p.z > 0.0 && p.z < 3.0
        }),
        ("ring", ring(3.0, 1.0, TorusShape::Ring, false), |p| {
            (p.x.hypot(p.y) - 3.0).hypot(p.z) < 1.0
        }),
        ("spike", spike(3.0, 4.0, 1), |p| {
            p.z > 0.0 && p.x.hypot(p.y) < 3.0 * (1.0 - p.z / 4.0)
        }),
        ("dome", dome(2.0, false), |p| {
            p.z < 0.0 && p.coords.norm() < 2.0
        }),
        ("octant", octant(2.0), |p| {
            p.x > 0.0 && p.y > 0.0 && p.z > 0.0 && p.coords.norm() < 2.0
        }),
    ];
    for (name, brep, inside) in &cases {
        for _ in 0..2000 {
            let p = at(
                random() * 10.0 - 5.0,
                random() * 10.0 - 5.0,
                random() * 10.0 - 5.0,
            );
            let expected = if inside(&p) {
                Side::Inside
            } else {
                Side::Outside
            };
            assert_eq!(brep.side_of(&p), expected, "{name} at {p}");
        }
    }
    assert_eq!(block(2.0, 3.0, 5.0).side_of(&at(2.0, 1.0, 1.0)), Side::On);
}
