//! truck shells and solids through the [`Builder`].

use crate::collapse::Collapse;
use crate::curve::CurveError;
use crate::surface::SurfaceError;
use crate::{TruckError, curve, point, surface};
use brepcd_brep::{
    Brep, Builder, EdgeId, FaceInput, Finding, LoopInput, Severity, ShellId, Tolerance, VertexId,
};
use std::collections::HashMap;
use truck_modeling::{Edge, EdgeID, Face, Shell, ShellCondition, Solid, Vertex, VertexID};

/// A truck solid as a part, in truck's length unit taken as millimetres, and what was noticed on the way.
///
/// The largest shell is the outer one. A solid that is inside out is turned.
pub fn to_brep(solid: &Solid, tol: Tolerance) -> Result<(Brep, Vec<Finding>), TruckError> {
    if solid.boundaries().is_empty() {
        return Err(TruckError::NoShell);
    }
    build(solid.boundaries(), true, tol)
}

/// Several truck solids as one part; edges and vertices are shared within a solid only.
pub fn solids_to_brep(
    solids: &[Solid],
    tol: Tolerance,
) -> Result<(Brep, Vec<Finding>), TruckError> {
    let mut all = Brep {
        tolerance: tol,
        ..Brep::default()
    };
    let mut findings = Vec::new();
    for solid in solids {
        let (brep, mut found) = to_brep(solid, tol)?;
        for finding in &mut found {
            finding
                .face
                .iter_mut()
                .for_each(|f| f.0 += all.faces.len() as u32);
            finding
                .edge
                .iter_mut()
                .for_each(|e| e.0 += all.edges.len() as u32);
        }
        all.append(brep);
        findings.append(&mut found);
    }
    Ok((all, findings))
}

/// A truck shell, open or closed, as a part without a solid.
pub fn shell_to_brep(shell: &Shell, tol: Tolerance) -> Result<(Brep, Vec<Finding>), TruckError> {
    build(std::slice::from_ref(shell), false, tol)
}

fn build(
    shells: &[Shell],
    solid: bool,
    tol: Tolerance,
) -> Result<(Brep, Vec<Finding>), TruckError> {
    let collapse = Collapse::find(shells.iter(), &tol);
    let (edges, faces) = collapse.counts();
    let mut import = Import {
        builder: Builder::new(tol),
        collapse,
        tol,
        vertices: HashMap::new(),
        edges: HashMap::new(),
        faces: 0,
    };
    let mut ids = Vec::with_capacity(shells.len());
    for (index, shell) in shells.iter().enumerate() {
        ids.push(import.shell(index, shell)?);
    }
    if let (true, Some((&outer, voids))) = (solid, ids.split_first()) {
        import
            .builder
            .solid(outer, voids.to_vec(), String::new(), None);
    }
    let (brep, mut findings) = import.builder.finish();
    if edges + faces > 0 {
        findings.push(note(format!(
            "left out {edges} edges without length and {faces} faces without area"
        )));
    }
    Ok((brep, findings))
}

fn note(message: String) -> Finding {
    Finding {
        severity: Severity::Note,
        label: None,
        face: None,
        edge: None,
        message,
    }
}

struct Import {
    builder: Builder,
    collapse: Collapse,
    tol: Tolerance,
    vertices: HashMap<VertexID, VertexId>,
    edges: HashMap<EdgeID, EdgeId>,
    faces: usize,
}

impl Import {
    fn shell(&mut self, index: usize, shell: &Shell) -> Result<ShellId, TruckError> {
        if shell.is_empty() {
            return Err(TruckError::NoFace { shell: index });
        }
        let id = self
            .builder
            .shell(shell.shell_condition() == ShellCondition::Closed, None);
        for face in shell.face_iter() {
            if !self.collapse.drops(face) {
                self.face(id, face)?;
            }
            self.faces += 1;
        }
        Ok(id)
    }

    fn face(&mut self, shell: ShellId, face: &Face) -> Result<(), TruckError> {
        let converted = surface::convert(&face.surface(), &self.tol).map_err(|e| match e {
            SurfaceError::Spline(reason) => TruckError::Surface {
                face: self.faces,
                reason,
            },
            SurfaceError::Direction => TruckError::Direction { face: self.faces },
        })?;
        let mut loops = Vec::new();
        for wire in face.boundaries() {
            let mut edges = Vec::with_capacity(wire.len());
            for edge in wire.edge_iter() {
                if let Some((edge, forward)) = self.collapse.edge(edge) {
                    edges.push((self.edge(&edge)?, forward));
                }
            }
            match wire.front_vertex() {
                Some(front) if edges.is_empty() => {
                    loops.push(LoopInput::Vertex(self.vertex(front)?))
                }
                _ if edges.is_empty() => {}
                _ => loops.push(LoopInput::Edges { edges, label: None }),
            }
        }
        let input = FaceInput {
            surface: converted.surface,
            same_sense: converted.same_side == face.orientation(),
            loops,
            file_kind: converted.kind,
            name: String::new(),
            label: None,
        };
        self.builder.face(shell, input);
        Ok(())
    }

    fn edge(&mut self, edge: &Edge) -> Result<EdgeId, TruckError> {
        if let Some(&id) = self.edges.get(&edge.id()) {
            return Ok(id);
        }
        let number = self.edges.len();
        let (curve, kind) = curve::convert(&edge.curve(), &self.tol).map_err(|e| match e {
            CurveError::Spline(reason) => TruckError::Curve {
                edge: number,
                reason,
            },
            CurveError::Apart(p) => TruckError::Intersection {
                edge: number,
                near: [p.x, p.y, p.z],
            },
        })?;
        let (start, end) = (
            self.vertex(edge.absolute_front())?,
            self.vertex(edge.absolute_back())?,
        );
        let id = self.builder.edge(curve, start, end, true, kind, None);
        self.edges.insert(edge.id(), id);
        Ok(id)
    }

    fn vertex(&mut self, vertex: &Vertex) -> Result<VertexId, TruckError> {
        let vertex = self.collapse.vertex(vertex);
        if let Some(&id) = self.vertices.get(&vertex.id()) {
            return Ok(id);
        }
        let p = point(vertex.point());
        if !p.iter().all(|c| c.is_finite()) {
            return Err(TruckError::Vertex {
                vertex: self.vertices.len(),
            });
        }
        let id = self.builder.vertex(p, None);
        self.vertices.insert(vertex.id(), id);
        Ok(id)
    }
}
