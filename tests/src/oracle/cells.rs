//! The boundary of a part as cells of three dimensions, each with points spread over its carrier.

use brepcd::brep::{Brep, Edge, Face};
use brepcd::geom::{Aabb, Curve, Frame, Interval, Point3, Pose, Surface, Vec3};

/// Points around a whole turn.
const TURN: usize = 24;
/// Points along a straight direction: a carrier has at most one minimum along it.
const STRAIGHT: usize = 4;
/// Points along a smooth piece of a spline.
const PIECE: usize = 8;
/// Most points along one direction.
const MOST: usize = 96;

/// What a cell lies on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carrier {
    /// The inside of a face, by its position in the part.
    Face(usize),
    /// The inside of an edge, by its position in the part.
    Edge(usize),
    /// A vertex, or a point where the surface of a face shrinks to a point.
    Point,
}

/// A point of a cell's carrier, which may lie beyond the cell's border.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Parameters; those the carrier does not have are 0.
    pub t: [f64; 2],
    /// Where it is.
    pub point: Point3,
}

/// A face, an edge or a point of the boundary.
#[derive(Clone, Debug)]
pub struct Cell {
    /// What it lies on.
    pub carrier: Carrier,
    /// A grid of points, the second parameter running fastest.
    pub places: Vec<Place>,
    /// Points in either direction.
    pub counts: [usize; 2],
    /// Whether the last point is a neighbour of the first.
    pub closed: [bool; 2],
    /// Middle of a ball around the cell.
    pub middle: Point3,
    /// Radius of that ball.
    pub radius: f64,
}

/// The boundary of a part, cut into cells.
#[derive(Clone, Debug)]
pub struct Complex {
    /// The part.
    pub brep: Brep,
    /// Its cells.
    pub cells: Vec<Cell>,
    /// Box of every face.
    pub face_boxes: Vec<Aabb>,
    /// Diagonal of the part's box.
    pub size: f64,
    /// How far edges lie off their faces at most: so much the boundary is open.
    pub gap: f64,
}

impl Complex {
    /// Cuts the boundary of a part into cells.
    pub fn new(brep: Brep) -> Self {
        let mut cells = Vec::new();
        let face_boxes: Vec<Aabb> = brep.faces.iter().map(|f| brep.face_box(f)).collect();
        for (index, face) in brep.faces.iter().enumerate() {
            cells.push(face_cell(&brep, index, &face_boxes[index]));
            cells.extend(poles(&brep, face).into_iter().map(point_cell));
        }
        for (index, edge) in brep.edges.iter().enumerate() {
            cells.push(edge_cell(index, edge));
            let kinks = edge.curve.breaks(edge.range());
            cells.extend(kinks.into_iter().map(|t| point_cell(edge.jet(t).p)));
        }
        cells.extend(brep.vertices.iter().map(|v| point_cell(v.point)));
        let size = brep.bounding_box().diagonal();
        let gap = gap(&brep);
        Self {
            brep,
            cells,
            face_boxes,
            size,
            gap,
        }
    }

    /// The same boundary moved by `a_from_b`.
    pub fn placed(&self, a_from_b: &Pose) -> Self {
        let brep = self.brep.transformed(a_from_b);
        let mut cells = self.cells.clone();
        for cell in &mut cells {
            cell.middle = a_from_b * cell.middle;
            for place in &mut cell.places {
                place.point = a_from_b * place.point;
            }
        }
        let face_boxes = brep.faces.iter().map(|f| brep.face_box(f)).collect();
        Self {
            brep,
            cells,
            face_boxes,
            size: self.size,
            gap: self.gap,
        }
    }

    /// Does a place on the carrier belong to the cell?
    pub fn holds(&self, cell: &Cell, place: &Place) -> bool {
        match cell.carrier {
            Carrier::Face(index) => {
                let face = &self.brep.faces[index];
                let (u, v) = face.surface.invert(&place.point, None);
                self.brep.face_contains(face, u, v)
            }
            Carrier::Edge(index) => {
                let edge = &self.brep.edges[index];
                let range = edge.range();
                let t = match edge.curve.period() {
                    Some(period) => range.lo + (place.t[0] - range.lo).rem_euclid(period),
                    None => place.t[0],
                };
                range.contains(t)
            }
            Carrier::Point => true,
        }
    }
}

/// How far points of edges lie off the faces beside them.
fn gap(brep: &Brep) -> f64 {
    let mut worst = 0.0_f64;
    for edge in &brep.edges {
        for side in &edge.uses {
            let surface = &brep.faces[side.face.index()].surface;
            for k in 0..=STRAIGHT * 2 {
                let p = edge
                    .jet(edge.range().at(k as f64 / (2 * STRAIGHT) as f64))
                    .p;
                let (u, v) = surface.invert(&p, None);
                worst = worst.max((surface.point(u, v) - p).norm());
            }
        }
    }
    worst
}

fn point_cell(point: Point3) -> Cell {
    Cell {
        carrier: Carrier::Point,
        places: vec![Place { t: [0.0; 2], point }],
        counts: [1, 1],
        closed: [false; 2],
        middle: point,
        radius: 0.0,
    }
}

fn edge_cell(index: usize, edge: &Edge) -> Cell {
    let range = edge.range();
    let count = match &edge.curve {
        Curve::Line(_) => STRAIGHT,
        Curve::Circle(_) | Curve::Ellipse(_) => turn_count(range),
        Curve::Hyperbola(_) | Curve::Parabola(_) => TURN,
        Curve::Nurbs(_) => pieces(&edge.curve.breaks(range)),
    };
    let places: Vec<Place> = (0..count)
        .map(|i| {
            let t = range.at(i as f64 / (count - 1) as f64);
            let point = edge.jet(t).p;
            Place { t: [t, 0.0], point }
        })
        .collect();
    let bounds = edge.curve.bounding_box(range);
    Cell {
        carrier: Carrier::Edge(index),
        counts: [count, 1],
        closed: [edge.start == edge.end, false],
        middle: bounds.centre(),
        radius: 0.5 * bounds.diagonal(),
        places,
    }
}

fn face_cell(brep: &Brep, index: usize, bounds: &Aabb) -> Cell {
    let surface = &brep.faces[index].surface;
    let (u, v) = brep.domain_box(&brep.faces[index]);
    let counts = match surface {
        Surface::Plane(_) => [STRAIGHT, STRAIGHT],
        Surface::Cylinder(_) | Surface::Cone(_) => [turn_count(u), 2 * STRAIGHT],
        Surface::Sphere(_) | Surface::Torus(_) => [turn_count(u), turn_count(v)],
        Surface::Nurbs(_) => [pieces(&surface.breaks_u()), pieces(&surface.breaks_v())],
    };
    let mut places = Vec::with_capacity(counts[0] * counts[1]);
    for i in 0..counts[0] {
        for j in 0..counts[1] {
            let s = u.at(i as f64 / (counts[0] - 1) as f64);
            let t = v.at(j as f64 / (counts[1] - 1) as f64);
            let point = surface.point(s, t);
            places.push(Place { t: [s, t], point });
        }
    }
    let periods = surface.periods();
    let whole = |i: Interval, period: Option<f64>| period.is_some_and(|p| i.length() > 0.99 * p);
    Cell {
        carrier: Carrier::Face(index),
        places,
        counts,
        closed: [whole(u, periods[0]), whole(v, periods[1])],
        middle: bounds.centre(),
        radius: 0.5 * bounds.diagonal(),
    }
}

fn turn_count(range: Interval) -> usize {
    let share = range.length() / std::f64::consts::TAU;
    ((TURN as f64 * share).ceil() as usize).clamp(STRAIGHT, MOST)
}

fn pieces(breaks: &[f64]) -> usize {
    (PIECE * (breaks.len() + 1)).min(MOST)
}

/// The points of a face where a line of constant parameter shrinks to a point.
fn poles(brep: &Brep, face: &Face) -> Vec<Point3> {
    let surface = &face.surface;
    let (u, v) = brep.domain_box(face);
    let around = [0.12, 0.37, 0.61, 0.88];
    let along_u = surface.poles().into_iter().flatten().filter_map(|pole| {
        let held = around
            .iter()
            .any(|s| brep.face_contains(face, u.at(*s), pole));
        held.then(|| surface.point(u.lo, pole))
    });
    let along_v = surface.poles_u().into_iter().flatten().filter_map(|pole| {
        let held = around
            .iter()
            .any(|s| brep.face_contains(face, pole, v.at(*s)));
        held.then(|| surface.point(pole, v.lo))
    });
    along_u.chain(along_v).collect()
}

/// A carrier with parameters that are regular around a place.
#[derive(Clone, Debug)]
pub enum Chart<'a> {
    /// Two parameters.
    Surface(Surface),
    /// One parameter.
    Curve(&'a Edge),
    /// None.
    Point,
}

impl<'a> Chart<'a> {
    /// The chart of a cell and the parameters of a place in it.
    ///
    /// A sphere gets its equator through the place, since its poles are where the parameters fail, not the sphere.
    pub fn around(complex: &'a Complex, cell: &Cell, place: &Place) -> (Self, [f64; 2]) {
        match cell.carrier {
            Carrier::Face(index) => Self::of_surface(&complex.brep.faces[index].surface, place),
            Carrier::Edge(index) => (Self::Curve(&complex.brep.edges[index]), place.t),
            Carrier::Point => (Self::Point, [0.0; 2]),
        }
    }

    /// The chart of a surface around a place.
    pub fn of_surface(surface: &Surface, place: &Place) -> (Self, [f64; 2]) {
        if let Surface::Sphere(sphere) = surface {
            let mut sphere = *sphere;
            let x = place.point - sphere.frame.origin;
            let across = x.cross(&Vec3::ith(x.iamin(), 1.0));
            if let Some(frame) = Frame::from_z_and_hint(sphere.frame.origin, across, Some(x)) {
                sphere.frame = frame;
                return (Self::Surface(Surface::Sphere(sphere)), [0.0; 2]);
            }
        }
        (Self::Surface(surface.clone()), place.t)
    }
}
