//! A part with every kind of everything, and as many more patches as asked for.

mod nodes;
mod shapes;

use brepcd_geom::{Curve, Frame, Interval, Point2, Point3, Point4, Surface, Vec3};
use brepcd_tree::*;
use nodes::add_nodes;
use shapes::{curves, surfaces};

/// Repeatable random numbers (splitmix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub fn range(&mut self, lo: f64, hi: f64) -> f64 {
        lo + (hi - lo) * ((self.next() >> 11) as f64 / (1u64 << 53) as f64)
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::from_fn(|_, _| self.range(-50.0, 50.0))
    }

    fn point(&mut self) -> Point3 {
        Point3::from(self.vector())
    }

    fn unit(&mut self) -> Vec3 {
        self.vector().normalize()
    }

    fn frame(&mut self) -> Frame {
        let (origin, z) = (self.point(), self.unit());
        Frame::from_z(origin, z).expect("a direction")
    }

    /// A frame whose second axis is not the exact cross product.
    fn turned_frame(&mut self) -> Frame {
        let pose = brepcd_geom::Pose::new(self.vector(), self.unit());
        self.frame().transformed(&pose)
    }

    fn interval(&mut self) -> Interval {
        let lo = self.range(-3.0, 3.0);
        let hi = lo + self.range(0.0, 2.0);
        Interval { lo, hi }
    }

    fn homogeneous(&mut self, rational: bool) -> Point4 {
        let w = if rational { self.range(0.5, 2.0) } else { 1.0 };
        brepcd_geom::nurbs::lift(&self.point(), w)
    }
}

/// How the nodes are ordered.
#[derive(Clone, Copy, Debug)]
pub enum Layout {
    Depth,
    Breadth,
    Pairs,
    /// The second child before the first, patches from last to first.
    Odd,
}

fn run(start: usize, end: usize) -> Run {
    Run {
        start: start as u32,
        end: end as u32,
    }
}

/// The part; `more` is the number of patches beyond one of each.
pub fn part(seed: u64, more: usize, layout: Layout) -> TreePart {
    let r = &mut Random(seed);
    let mut part = TreePart {
        header: Header {
            source: "Gehäuse 7.step".into(),
            source_hash: 0x0123_4567_89ab_cdef,
            settings: Settings {
                max_angle: 0.3,
                min_size: 0.5,
                regularization: 1e-3,
                border: 1e-6,
                chord: 1e-2,
            },
            tolerance: 1e-4,
            size: 1.0,
            reach: 1.5,
        },
        names: vec!["wheel".into(), String::new(), "Achse ⌀8".into()],
        sources: Vec::new(),
        shells: Vec::new(),
        features: Vec::new(),
        spans: Vec::new(),
        tangents: Vec::new(),
        trims: Vec::new(),
        borders: Vec::new(),
        crossings: Vec::new(),
        control: Vec::new(),
        patches: Vec::new(),
        nodes: Vec::new(),
    };
    part.trims = curves(r).into_iter().map(|(_, curve)| curve).collect();
    add_faces(&mut part, r);
    for count in 1..5 {
        part.shells.push(Shell {
            witnesses: (0..count).map(|_| r.point()).collect(),
            closed: count % 2 == 0,
        });
    }
    add_edges(&mut part, r);
    add_vertices(&mut part, r);
    for feature in 0..part.features.len() {
        add_patch(&mut part, r, feature);
    }
    for i in 0..more {
        // Most patches are those of faces, some follow in any order.
        let feature = if i % 50 == 0 {
            r.below(part.features.len())
        } else {
            i * 13 / more
        };
        add_patch(&mut part, r, feature);
    }
    add_nodes(&mut part, r, layout);
    part
}

fn add_sources(part: &mut TreePart, r: &mut Random, kind: SourceKind) -> Run {
    let start = part.sources.len();
    for _ in 0..1 + r.below(3) {
        part.sources.push(Source {
            kind,
            part: r.below(part.names.len()) as u32,
            id: part.sources.len() as u32,
            label: [0, u64::MAX, r.next()][r.below(3)],
        });
    }
    run(start, part.sources.len())
}

fn add_faces(part: &mut TreePart, r: &mut Random) {
    for (i, (kind, surface)) in surfaces(r).into_iter().enumerate() {
        let start = part.borders.len();
        let (mut t, mut uv) = (0.0, Point2::new(0.0, -0.0));
        for j in 0..i % 5 {
            let next = match j {
                0 => Point2::new(uv.x, 2.0),
                1 => Point2::new(3.0, uv.y),
                _ => Point2::new(r.range(0.0, 6.0), r.range(0.0, 6.0)),
            };
            part.borders.push(Border {
                trim: TrimId(r.below(part.trims.len()) as u32),
                t: [t, t + 0.5],
                uv: [uv, next],
            });
            t = if j == 2 { 7.0 } else { t + 0.5 };
            uv = if j == 3 { Point2::origin() } else { next };
        }
        let feature = Feature {
            kind,
            sources: add_sources(part, r, SourceKind::Face),
            shape: Shape::Face {
                surface,
                same_sense: i % 3 != 0,
                sheet: i % 4 == 1,
                borders: run(start, part.borders.len()),
            },
        };
        part.features.push(feature);
    }
}

fn add_edges(part: &mut TreePart, r: &mut Random) {
    let faces = part.features.len();
    for (kind, curve) in curves(r) {
        let start = part.spans.len();
        for _ in 0..r.below(4) {
            part.spans.push(r.interval());
        }
        let side = |r: &mut Random| FeatureId::at(r.below(faces));
        let feature = Feature {
            kind,
            sources: add_sources(part, r, SourceKind::Edge),
            shape: Shape::Edge {
                curve,
                sides: [side(r), side(r)],
                dihedral: std::f64::consts::PI,
                spans: run(start, part.spans.len()),
            },
        };
        part.features.push(feature);
    }
}

fn add_vertices(part: &mut TreePart, r: &mut Random) {
    part.tangents = vec![Vec3::x(), Vec3::y(), -Vec3::z(), r.unit(), r.unit()];
    // Runs that start anew, overlap and are empty.
    for tangents in [run(1, 4), run(0, 2), run(0, 0), run(3, 3), run(4, 5)] {
        let feature = Feature {
            kind: Kinds::VERTEX,
            sources: add_sources(part, r, SourceKind::Vertex),
            shape: Shape::Vertex {
                point: r.point(),
                tangents,
            },
        };
        part.features.push(feature);
    }
}

fn add_patch(part: &mut TreePart, r: &mut Random, feature: usize) {
    let face = matches!(part.features[feature].shape, Shape::Face { .. });
    let controls = match &part.features[feature].shape {
        Shape::Face {
            surface: Surface::Nurbs(s),
            ..
        } => (s.degree_u + 1) * (s.degree_v + 1),
        Shape::Edge {
            curve: Curve::Nurbs(c),
            ..
        } => c.degree + 1,
        _ => 0,
    };
    let control = if controls == 0 {
        Run::default()
    } else {
        let start = part.control.len();
        let rational = r.below(2) == 0;
        let points = (0..controls).map(|_| r.homogeneous(rational));
        part.control.extend(points);
        run(start, part.control.len())
    };
    let membership = if face && r.below(3) > 0 {
        let start = part.crossings.len();
        for i in 0..r.below(5) {
            part.crossings.push(Crossing {
                border: r.below(part.borders.len()) as u32,
                periods: if i == 2 { [-1, 127] } else { [0; 2] },
            });
        }
        Membership::Crossed {
            pieces: run(start, part.crossings.len()),
            reference: Point2::new(r.range(0.0, 1.0), -0.0),
            inside: r.below(2) == 0,
        }
    } else {
        Membership::Inside
    };
    let before = part.patches.last().copied();
    let nothing = Interval { lo: 0.0, hi: 0.0 };
    let again = r.below(3);
    part.patches.push(Patch {
        feature: FeatureId::at(feature),
        u: before.map_or(nothing, |p| if again == 0 { p.u } else { r.interval() }),
        v: before.map_or(nothing, |p| if again == 1 { p.v } else { r.interval() }),
        membership,
        control,
    });
}
