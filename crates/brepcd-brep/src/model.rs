use crate::{Domain, EdgeClass, EdgeId, EdgeKind, FaceId, FaceKind, ShellId, VertexId};
use brepcd_geom::{Curve, CurveJet, Interval, Point3, Pose, Surface, Vec3};

/// Allowed deviations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// Gap between things that should meet, mm.
    pub length: f64,
    /// Angle between normals that should agree, radians.
    pub angle: f64,
}

impl Default for Tolerance {
    fn default() -> Self {
        Self {
            length: 1e-5,
            angle: 1e-4,
        }
    }
}

/// A corner.
#[derive(Clone, Debug)]
pub struct Vertex {
    /// Where it is.
    pub point: Point3,
    /// Edges that start or end here.
    pub edges: Vec<EdgeId>,
    /// Entity number in the source file.
    pub label: Option<u64>,
}

/// One place where a loop runs along an edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EdgeUse {
    /// The face.
    pub face: FaceId,
    /// True if the loop runs from the edge's start to its end.
    pub forward: bool,
}

/// A piece of curve between two vertices.
#[derive(Clone, Debug)]
pub struct Edge {
    /// The untrimmed curve.
    pub curve: Curve,
    /// Curve parameters at the start and the end vertex; the first is the larger one where the edge runs against the
    /// curve.
    pub t: [f64; 2],
    /// First vertex.
    pub start: VertexId,
    /// Last vertex; the first one for closed edges.
    pub end: VertexId,
    /// The loops that run along it.
    pub uses: Vec<EdgeUse>,
    /// How its faces meet.
    pub class: EdgeClass,
    /// Type in the source file.
    pub kind: EdgeKind,
    /// Entity number in the source file.
    pub label: Option<u64>,
}

impl Edge {
    /// Position and derivatives at a parameter between the ends, also past the seam of a closed curve.
    pub fn jet(&self, t: f64) -> CurveJet {
        let t = match (&self.curve, self.curve.period()) {
            (Curve::Nurbs(_), Some(period)) => {
                let domain = self.curve.domain();
                if domain.contains(t) {
                    t
                } else {
                    domain.lo + (t - domain.lo).rem_euclid(period)
                }
            }
            _ => t,
        };
        self.curve.jet(t)
    }

    /// The parameters from end to end, increasing.
    pub fn range(&self) -> Interval {
        Interval::new(self.t[0], self.t[1])
    }
}

/// An edge as a loop runs along it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coedge {
    /// The edge.
    pub edge: EdgeId,
    /// True if the loop runs from the edge's start to its end.
    pub forward: bool,
}

/// A closed border of a face; the face is on its left, seen from outside.
#[derive(Clone, Debug)]
pub struct FaceLoop {
    /// Its edges in order; empty for a loop that is one vertex (a pole or an apex).
    pub coedges: Vec<Coedge>,
    /// The vertex of a vertex loop.
    pub vertex: Option<VertexId>,
    /// Entity number in the source file.
    pub label: Option<u64>,
}

/// A trimmed surface.
#[derive(Clone, Debug)]
pub struct Face {
    /// The untrimmed surface.
    pub surface: Surface,
    /// True if `du × dv` points out of the material.
    pub same_sense: bool,
    /// Borders; none for a whole closed surface.
    pub loops: Vec<FaceLoop>,
    /// The closed parameter domain.
    pub domain: Domain,
    /// The shell it belongs to.
    pub shell: ShellId,
    /// Type in the source file.
    pub kind: FaceKind,
    /// Name in the source file.
    pub name: String,
    /// Entity number in the source file.
    pub label: Option<u64>,
}

impl Face {
    /// The unit normal out of the material at a parameter pair.
    pub fn outward_normal(&self, u: f64, v: f64) -> Option<Vec3> {
        let n = self.surface.normal(u, v)?;
        Some(if self.same_sense { n } else { -n })
    }
}

/// A connected set of faces.
#[derive(Clone, Debug)]
pub struct Shell {
    /// Its faces.
    pub faces: Vec<FaceId>,
    /// True if it claims to bound a volume.
    pub closed: bool,
    /// Entity number in the source file.
    pub label: Option<u64>,
}

/// A volume.
#[derive(Clone, Debug)]
pub struct Solid {
    /// The outer shell.
    pub outer: ShellId,
    /// Shells of inner cavities.
    pub voids: Vec<ShellId>,
    /// Name in the source file.
    pub name: String,
    /// Entity number in the source file.
    pub label: Option<u64>,
}

/// Solids and free shells with their faces, edges and vertices.
#[derive(Clone, Debug, Default)]
pub struct Brep {
    /// Volumes.
    pub solids: Vec<Solid>,
    /// Shells, those of the solids and free ones.
    pub shells: Vec<Shell>,
    /// Faces.
    pub faces: Vec<Face>,
    /// Edges.
    pub edges: Vec<Edge>,
    /// Vertices.
    pub vertices: Vec<Vertex>,
    /// Allowed deviations of this part.
    pub tolerance: Tolerance,
}

impl Brep {
    /// The part moved by `a_from_b`.
    pub fn transformed(&self, a_from_b: &Pose) -> Self {
        let mut out = self.clone();
        for vertex in &mut out.vertices {
            vertex.point = a_from_b * vertex.point;
        }
        for edge in &mut out.edges {
            edge.curve = edge.curve.transformed(a_from_b);
        }
        for face in &mut out.faces {
            face.surface = face.surface.transformed(a_from_b);
        }
        out
    }

    /// Adds all of `other`, with its ids shifted behind ours.
    pub fn append(&mut self, mut other: Self) {
        let [vertices, edges, faces, shells] = [
            self.vertices.len(),
            self.edges.len(),
            self.faces.len(),
            self.shells.len(),
        ]
        .map(|n| n as u32);
        for vertex in &mut other.vertices {
            vertex.edges.iter_mut().for_each(|e| e.0 += edges);
        }
        for edge in &mut other.edges {
            edge.start.0 += vertices;
            edge.end.0 += vertices;
            edge.uses.iter_mut().for_each(|u| u.face.0 += faces);
        }
        for face in &mut other.faces {
            face.shell.0 += shells;
            for border in &mut face.loops {
                border.coedges.iter_mut().for_each(|c| c.edge.0 += edges);
                border.vertex.iter_mut().for_each(|v| v.0 += vertices);
            }
            face.domain.shift_edges(edges);
        }
        for shell in &mut other.shells {
            shell.faces.iter_mut().for_each(|f| f.0 += faces);
        }
        for solid in &mut other.solids {
            solid.outer.0 += shells;
            solid.voids.iter_mut().for_each(|s| s.0 += shells);
        }
        self.vertices.append(&mut other.vertices);
        self.edges.append(&mut other.edges);
        self.faces.append(&mut other.faces);
        self.shells.append(&mut other.shells);
        self.solids.append(&mut other.solids);
        self.tolerance.length = self.tolerance.length.max(other.tolerance.length);
    }

    /// The shells of a solid: the outer one, then the voids.
    pub fn shells_of(&self, solid: &Solid) -> impl Iterator<Item = &Shell> {
        std::iter::once(solid.outer)
            .chain(solid.voids.iter().copied())
            .map(|s| &self.shells[s.index()])
    }
}
