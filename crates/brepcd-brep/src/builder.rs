use crate::{
    Brep, Coedge, Domain, Edge, EdgeClass, EdgeId, EdgeKind, EdgeUse, Face, FaceId, FaceKind,
    FaceLoop, Finding, Severity, Shell, ShellId, Solid, SolidId, Tolerance, Vertex, VertexId,
    convexity, mass, orient, trim, validate,
};
use brepcd_geom::{Curve, Interval, Point3, Surface};

/// A face as a file describes it.
#[derive(Clone, Debug)]
pub struct FaceInput {
    /// The untrimmed surface.
    pub surface: Surface,
    /// True if `du × dv` points out of the material.
    pub same_sense: bool,
    /// Borders with the face on their left, seen from outside.
    pub loops: Vec<LoopInput>,
    /// Type in the source file.
    pub file_kind: FaceKind,
    /// Name in the source file.
    pub name: String,
    /// Entity number in the source file.
    pub label: Option<u64>,
}

/// A border of a [`FaceInput`].
#[derive(Clone, Debug)]
pub enum LoopInput {
    /// Edges in order, each with whether it runs from start to end.
    Edges {
        /// The edges.
        edges: Vec<(EdgeId, bool)>,
        /// Entity number in the source file.
        label: Option<u64>,
    },
    /// A border shrunk to a vertex.
    Vertex(VertexId),
}

/// Collects a part and computes what files leave open.
#[derive(Clone, Debug, Default)]
pub struct Builder {
    brep: Brep,
    findings: Vec<Finding>,
}

impl Builder {
    /// An empty part with the given tolerances.
    pub fn new(tol: Tolerance) -> Self {
        Self {
            brep: Brep {
                tolerance: tol,
                ..Brep::default()
            },
            findings: Vec::new(),
        }
    }

    /// Adds a vertex.
    pub fn vertex(&mut self, point: Point3, label: Option<u64>) -> VertexId {
        self.brep.vertices.push(Vertex {
            point,
            edges: Vec::new(),
            label,
        });
        VertexId::at(self.brep.vertices.len() - 1)
    }

    /// Adds an edge from `start` to `end`, along the curve's direction if `same_sense`.
    pub fn edge(
        &mut self,
        curve: Curve,
        start: VertexId,
        end: VertexId,
        same_sense: bool,
        file_kind: EdgeKind,
        label: Option<u64>,
    ) -> EdgeId {
        let id = EdgeId::at(self.brep.edges.len());
        let points = [start, end].map(|v| self.brep.vertices[v.index()].point);
        let (t, gap) = trimmed(
            &curve,
            points,
            start == end,
            same_sense,
            self.brep.tolerance.length,
        );
        if gap.is_nan() || gap > 10.0 * self.brep.tolerance.length {
            self.findings.push(Finding {
                severity: Severity::Warning,
                label,
                face: None,
                edge: Some(id),
                message: format!("a vertex lies {gap:.3e} mm off the edge's curve"),
            });
        }
        for vertex in [start, end] {
            let edges = &mut self.brep.vertices[vertex.index()].edges;
            if !edges.contains(&id) {
                edges.push(id);
            }
        }
        let (uses, class) = (Vec::new(), EdgeClass::Open);
        self.brep.edges.push(Edge {
            curve,
            t,
            start,
            end,
            uses,
            class,
            kind: file_kind,
            label,
        });
        id
    }

    /// Adds an empty shell.
    pub fn shell(&mut self, closed: bool, label: Option<u64>) -> ShellId {
        self.brep.shells.push(Shell {
            faces: Vec::new(),
            closed,
            label,
        });
        ShellId::at(self.brep.shells.len() - 1)
    }

    /// Adds a face to a shell.
    pub fn face(&mut self, shell: ShellId, input: FaceInput) -> FaceId {
        let id = FaceId::at(self.brep.faces.len());
        let mut loops = Vec::with_capacity(input.loops.len());
        for border in input.loops {
            loops.push(match border {
                LoopInput::Edges { edges, label } => {
                    for &(edge, forward) in &edges {
                        self.brep.edges[edge.index()]
                            .uses
                            .push(EdgeUse { face: id, forward });
                    }
                    let coedges = edges
                        .into_iter()
                        .map(|(edge, forward)| Coedge { edge, forward })
                        .collect();
                    FaceLoop {
                        coedges,
                        vertex: None,
                        label,
                    }
                }
                LoopInput::Vertex(vertex) => FaceLoop {
                    coedges: Vec::new(),
                    vertex: Some(vertex),
                    label: None,
                },
            });
        }
        self.brep.faces.push(Face {
            surface: input.surface,
            same_sense: input.same_sense,
            loops,
            domain: Domain::default(),
            shell,
            kind: input.file_kind,
            name: input.name,
            label: input.label,
        });
        self.brep.shells[shell.index()].faces.push(id);
        id
    }

    /// Adds a solid.
    pub fn solid(
        &mut self,
        outer: ShellId,
        voids: Vec<ShellId>,
        name: String,
        label: Option<u64>,
    ) -> SolidId {
        self.brep.solids.push(Solid {
            outer,
            voids,
            name,
            label,
        });
        SolidId::at(self.brep.solids.len() - 1)
    }

    /// Computes domains and edge classes and checks the result.
    pub fn finish(mut self) -> (Brep, Vec<Finding>) {
        for index in 0..self.brep.faces.len() {
            let seen = self.findings.len();
            let mut domain = trim::domain(&self.brep, &self.brep.faces[index], &mut self.findings);
            if trim::is_inside_out(&self.brep, &self.brep.faces[index], &domain) {
                let face = &mut self.brep.faces[index];
                face.same_sense = !face.same_sense;
                self.findings.truncate(seen);
                self.findings.push(Finding {
                    severity: Severity::Note,
                    label: face.label,
                    face: None,
                    edge: None,
                    message: "the surface pointed into the material and was turned".into(),
                });
                domain = trim::domain(&self.brep, &self.brep.faces[index], &mut self.findings);
            }
            domain.whole = mass::whole_copies(&self.brep, &self.brep.faces[index], &domain);
            self.brep.faces[index].domain = domain;
            for finding in &mut self.findings[seen..] {
                finding.face = Some(FaceId::at(index));
            }
        }
        orient::shells(&mut self.brep, &mut self.findings);
        convexity::classify(&mut self.brep);
        validate::check(&self.brep, &mut self.findings);
        (self.brep, self.findings)
    }
}

/// Parameters of the two vertices on the curve, in the edge's direction, and the larger distance to it.
fn trimmed(
    curve: &Curve,
    ends: [Point3; 2],
    closed: bool,
    same_sense: bool,
    tol: f64,
) -> ([f64; 2], f64) {
    let domain = curve.domain();
    let locate = |p: &Point3, end: f64| -> (f64, f64) {
        if end.is_finite() && curve.period().is_none() {
            let distance = (curve.point(end) - p).norm();
            if distance <= tol {
                return (end, distance);
            }
        }
        let foot = curve.nearest(p, domain);
        (foot.t, foot.distance)
    };
    let [first, last] = if same_sense {
        [domain.lo, domain.hi]
    } else {
        [domain.hi, domain.lo]
    };
    let (t0, gap0) = locate(&ends[0], first);
    let (mut t1, gap1) = locate(&ends[1], last);
    let mut t0 = t0;
    if let Some(period) = curve.period() {
        let sign = if same_sense { 1.0 } else { -1.0 };
        if closed {
            if !matches!(curve, Curve::Circle(_) | Curve::Ellipse(_)) && near_end(t0, &domain) {
                t0 = first;
            }
            t1 = t0 + sign * period;
        } else {
            t1 = t0 + sign * ((t1 - t0) * sign).rem_euclid(period);
            if let Curve::Nurbs(_) = curve {
                (t0, t1) = inside_domain(t0, t1, &domain, period);
            }
        }
    } else if closed && domain.lo.is_finite() && domain.hi.is_finite() {
        (t0, t1) = (first, last);
    }
    ([t0, t1], gap0.max(gap1))
}

fn near_end(t: f64, domain: &Interval) -> bool {
    (t - domain.lo).min(domain.hi - t) < END_SHARE * domain.length()
}

/// Share of a closed spline's domain within which a vertex counts as its seam.
const END_SHARE: f64 = 1e-6;

/// Moves a range that only touches the outside of a closed spline's domain into it.
fn inside_domain(t0: f64, t1: f64, domain: &Interval, period: f64) -> (f64, f64) {
    for by in [0.0, period, -period] {
        let slack = END_SHARE * period;
        let range = Interval::new(t0 + by, t1 + by);
        if range.lo >= domain.lo - slack && range.hi <= domain.hi + slack {
            return (domain.clamp(t0 + by), domain.clamp(t1 + by));
        }
    }
    (t0, t1)
}
