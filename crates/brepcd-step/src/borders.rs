//! Loops, edges and vertices of one part.
//!
//! Edges are trimmed by their vertices, so the 3D curve of the file is taken whole; pcurves are not read.

use std::collections::HashMap;

use brepcd_brep::{EdgeId, EdgeKind, LoopInput, VertexId};
use brepcd_geom::curve::Line;
use brepcd_geom::{Curve, Interval, Point3, recognize};

use crate::error::Read;
use crate::p21::{Args, Entity};
use crate::placement::MAX_DEPTH;
use crate::topology::Shapes;

/// Part of the tolerance within which two vertices of a closed curve are one.
const SAME_VERTEX: f64 = 1e-2;
/// Largest tolerance of recognition of curves, millimetres.
const RECOGNITION: f64 = 1e-5;

/// What is remembered of an edge to tell where a face is.
pub(crate) struct BuiltEdge {
    /// The untrimmed curve.
    pub curve: Curve,
    /// First and last vertex.
    pub ends: [VertexId; 2],
    same_sense: bool,
}

impl BuiltEdge {
    /// The parameters between the vertices.
    pub fn range(&self, points: &[Point3]) -> Interval {
        let domain = self.curve.domain();
        let [mut a, mut b] = self
            .ends
            .map(|v| self.curve.nearest(&points[v.index()], domain).t);
        if !self.same_sense {
            (a, b) = (b, a);
        }
        match self.curve.period() {
            Some(period) if self.ends[0] == self.ends[1] => Interval::new(a, a + period),
            Some(period) if matches!(self.curve, Curve::Circle(_) | Curve::Ellipse(_)) => {
                Interval::new(a, a + (b - a).rem_euclid(period))
            }
            Some(_) if b < a => domain,
            _ => Interval::new(a, b),
        }
    }
}

impl<'a> Shapes<'a> {
    /// `FACE_BOUND(name, loop, orientation)`.
    pub(crate) fn bound(&mut self, entity: Entity<'a>) -> Read<LoopInput> {
        let args = entity.args();
        if !entity.any_name(|n| n == "FACE_OUTER_BOUND" || n == "FACE_BOUND") {
            return Err(entity.fault(format!("expected a face bound, found {}", entity.name())));
        }
        let border = self.geometry.file.follow(&args, 1)?;
        let mut out = self.border(border)?;
        if !args.flag_or_true(2)? {
            reverse(&mut out);
        }
        Ok(out)
    }

    fn border(&mut self, entity: Entity<'a>) -> Read<LoopInput> {
        let args = entity.args();
        let label = Some(entity.id());
        if entity.is("VERTEX_LOOP") {
            let vertex = self.vertex(self.geometry.file.follow(&args, 1)?)?;
            return Ok(LoopInput::Vertex(vertex));
        }
        if entity.is("POLY_LOOP") {
            return self.polygon(&args, label);
        }
        if !entity.is("EDGE_LOOP") {
            return Err(entity.fault(format!(
                "{} is not a loop that can be imported",
                entity.name()
            )));
        }
        let ids = args.references(1)?;
        let mut edges = Vec::with_capacity(ids.len());
        let mut vertex = None;
        for id in ids {
            let (mut oriented, mut forward) = (self.geometry.file.get(id, &args)?, true);
            let mut depth = 0;
            while oriented.is("ORIENTED_EDGE") && depth < MAX_DEPTH {
                let own = oriented.args();
                let at = own.len().saturating_sub(2);
                forward ^= !own.flag_or_true(at + 1)?;
                oriented = self.geometry.file.follow(&own, at)?;
                depth += 1;
            }
            match self.edge(oriented)? {
                Some(edge) => edges.push((edge, forward)),
                None => {
                    let start = self.geometry.file.follow(&oriented.args(), 1)?;
                    vertex = Some(self.vertex(start)?);
                }
            }
        }
        match (edges.is_empty(), vertex) {
            (true, Some(vertex)) => Ok(LoopInput::Vertex(vertex)),
            (true, None) => Err(args.fault("a loop without edges")),
            _ => Ok(LoopInput::Edges {
                edges: self.in_order(edges),
                label,
            }),
        }
    }

    /// The edges so that each starts where the one before ends, if they are only listed in the wrong order.
    fn in_order(&self, edges: Vec<(EdgeId, bool)>) -> Vec<(EdgeId, bool)> {
        let end = |(edge, forward): &(EdgeId, bool), last: bool| {
            self.built[edge.index()].ends[usize::from(*forward == last)]
        };
        let n = edges.len();
        if (0..n).all(|i| end(&edges[i], true) == end(&edges[(i + 1) % n], false)) {
            return edges;
        }
        let mut starts: HashMap<VertexId, Vec<usize>> = HashMap::new();
        for i in (1..n).rev() {
            starts.entry(end(&edges[i], false)).or_default().push(i);
        }
        let mut order = vec![0];
        while let Some(next) = order
            .last()
            .and_then(|&i| starts.get_mut(&end(&edges[i], true))?.pop())
        {
            order.push(next);
        }
        if order.len() == n {
            order.into_iter().map(|i| edges[i]).collect()
        } else {
            edges
        }
    }

    /// `POLY_LOOP(name, points)`.
    fn polygon(&mut self, args: &Args<'_>, label: Option<u64>) -> Read<LoopInput> {
        let mut ids = args.references(1)?;
        ids.dedup();
        if ids.len() > 1 && ids.first() == ids.last() {
            ids.pop();
        }
        if ids.len() < 3 {
            return Err(args.fault("a polygon of fewer than three points"));
        }
        let mut edges = Vec::with_capacity(ids.len());
        for (i, &a) in ids.iter().enumerate() {
            let b = ids[(i + 1) % ids.len()];
            let (lo, hi) = (a.min(b), a.max(b));
            if let Some(edge) = self.straight.get(&(lo, hi)) {
                edges.push((*edge, a == lo));
                continue;
            }
            let mut ends = [VertexId(0); 2];
            for (end, id) in ends.iter_mut().zip([lo, hi]) {
                let entity = self.geometry.file.get(id, args)?;
                *end = match self.vertices.get(&id) {
                    Some(vertex) => *vertex,
                    None => {
                        let point = self.geometry.point(entity)?;
                        self.add_vertex(id, point)
                    }
                };
            }
            let [start, end] = ends.map(|v| self.points[v.index()]);
            let Some(dir) = (end - start).try_normalize(0.0) else {
                continue;
            };
            let edge = self.add_edge(
                Curve::Line(Line { origin: start, dir }),
                ends,
                true,
                EdgeKind::Line,
                None,
            );
            self.straight.insert((lo, hi), edge);
            edges.push((edge, a == lo));
        }
        Ok(LoopInput::Edges { edges, label })
    }

    fn vertex(&mut self, entity: Entity<'a>) -> Read<VertexId> {
        if let Some(vertex) = self.vertices.get(&entity.id()) {
            return Ok(*vertex);
        }
        if !entity.is("VERTEX_POINT") {
            return Err(entity.fault(format!("expected a VERTEX_POINT, found {}", entity.name())));
        }
        let args = entity.args();
        let point = self.geometry.point(
            self.geometry
                .file
                .follow(&args, args.len().saturating_sub(1))?,
        )?;
        Ok(self.add_vertex(entity.id(), point))
    }

    fn add_vertex(&mut self, id: u64, point: Point3) -> VertexId {
        let vertex = self.builder.vertex(point, Some(id));
        self.points.push(point);
        self.vertices.insert(id, vertex);
        vertex
    }

    fn add_edge(
        &mut self,
        curve: Curve,
        ends: [VertexId; 2],
        same_sense: bool,
        kind: EdgeKind,
        label: Option<u64>,
    ) -> EdgeId {
        self.built.push(BuiltEdge {
            curve: curve.clone(),
            ends,
            same_sense,
        });
        self.builder
            .edge(curve, ends[0], ends[1], same_sense, kind, label)
    }

    /// The edge of an `EDGE_CURVE`; nothing if it has no length.
    fn edge(&mut self, entity: Entity<'a>) -> Read<Option<EdgeId>> {
        if let Some(known) = self.edges.get(&entity.id()) {
            return known.clone();
        }
        let edge = self.new_edge(entity);
        self.edges.insert(entity.id(), edge.clone());
        edge
    }

    /// `EDGE_CURVE(name, start, end, curve, same_sense)`.
    fn new_edge(&mut self, entity: Entity<'a>) -> Read<Option<EdgeId>> {
        if !entity.is("EDGE_CURVE") {
            return Err(entity.fault(format!("expected an EDGE_CURVE, found {}", entity.name())));
        }
        let args = entity.args();
        let file = self.geometry.file;
        let (start_entity, end_entity) = (file.follow(&args, 1)?, file.follow(&args, 2)?);
        let start = self.vertex(start_entity)?;
        let mut end = self.vertex(end_entity)?;
        let input = self.geometry.curve(file.follow(&args, 3)?, 0)?;
        let same_sense = args.flag_or_true(4)?;
        let tol = self.geometry.tol;
        let curve = match input.curve {
            Curve::Nurbs(n) => match recognize::curve(&n, tol.min(RECOGNITION)) {
                Some((curve, _)) => curve,
                None => Curve::Nurbs(n),
            },
            other => other,
        };
        let apart = (self.points[start.index()] - self.points[end.index()]).norm();
        if start != end && apart <= SAME_VERTEX * tol && curve.period().is_some() {
            self.vertices.insert(end_entity.id(), start);
            end = start;
        }
        let no_length = match &curve {
            Curve::Line(_) | Curve::Hyperbola(_) | Curve::Parabola(_) => {
                start == end || apart == 0.0
            }
            Curve::Nurbs(n) => n.size() <= tol,
            Curve::Circle(_) | Curve::Ellipse(_) => false,
        };
        if no_length {
            return Ok(None);
        }
        Ok(Some(self.add_edge(
            curve,
            [start, end],
            same_sense,
            input.kind,
            Some(entity.id()),
        )))
    }
}

/// Runs a loop the other way.
pub(crate) fn reverse(border: &mut LoopInput) {
    if let LoopInput::Edges { edges, .. } = border {
        edges.reverse();
        edges
            .iter_mut()
            .for_each(|(_, forward)| *forward = !*forward);
    }
}
