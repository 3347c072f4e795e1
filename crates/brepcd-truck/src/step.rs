//! Parts as STEP text.
//!
//! truck-stepio 0.3.0 numbers the entities and writes topology, product and units. Of its output this module does not
//! use or mends what is wrong in it:
//!
//! - faces on surfaces of revolution: STEP has the angle first, truck the curve, yet `same_sense` is not switched, nor
//!   is an inverted surface minded: such faces come out inside out. We write canonical surfaces or splines;
//! - intersection curves: the second surface is written under the number of the first. We write splines;
//! - numbers below 0.01 lose digits, large ones have no decimal point. We write our own;
//! - a face without border gets a `POINT_ON_SURFACE`, which readers do not know, as its vertex;
//! - a transform other than a similarity makes the formatting of a surface of revolution panic;
//! - the schema is named `ISO-10303-042`, faces are `FACE_SURFACE`s, the uncertainty is an untyped number, lists in
//!   the header have two pairs of parentheses and unescaped text, solids and product have no name.

use crate::entity::{CurveEntity, PointEntity, Real, SurfaceEntity};
use crate::{TruckError, solids_to_brep};
use brepcd_brep::{Brep, Face, Shell, Solid};
use brepcd_geom::{Interval, Point3};
use std::collections::HashMap;
use std::fmt::Write;
use truck_modeling::Solid as TruckSolid;
use truck_stepio::out::{CompleteStepDisplay, StepHeaderDescriptor, StepModels};
use truck_topology::compress::{
    CompressedEdge, CompressedEdgeIndex, CompressedFace, CompressedShell, CompressedSolid,
};

/// What a STEP file says about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepHeader {
    /// Name of the product.
    pub name: String,
    /// File name in the header.
    pub file_name: String,
    /// Date and time in the header, ISO 8601; fixed by default, so that the same part gives the same text.
    pub time_stamp: String,
    /// Authors.
    pub authors: Vec<String>,
    /// Organizations.
    pub organizations: Vec<String>,
}

impl Default for StepHeader {
    fn default() -> Self {
        Self {
            name: "part".into(),
            file_name: String::new(),
            time_stamp: "1970-01-01T00:00:00".into(),
            authors: Vec::new(),
            organizations: Vec::new(),
        }
    }
}

/// truck solids as STEP text in millimetres, with the repairs of [`to_brep`](crate::to_brep).
pub fn to_step(
    solids: &[TruckSolid],
    header: &StepHeader,
    tol: brepcd_brep::Tolerance,
) -> Result<String, TruckError> {
    brep_to_step(&solids_to_brep(solids, tol)?.0, header)
}

/// A part as STEP text in millimetres: its solids, then the shells that belong to none.
pub fn brep_to_step(brep: &Brep, header: &StepHeader) -> Result<String, TruckError> {
    let empty = brep.shells.iter().position(|shell| shell.faces.is_empty());
    if let Some(shell) = empty {
        return Err(TruckError::NoFace { shell });
    }
    let writer = Writer { brep };
    let solids: Vec<_> = brep
        .solids
        .iter()
        .map(|solid| writer.solid(solid))
        .collect();
    let free: Vec<&Shell> = free_shells(brep);
    let shells: Vec<_> = free.iter().map(|shell| writer.shell(shell)).collect();
    let mut models: StepModels<'_, _, _, _> = solids.iter().collect();
    shells.iter().for_each(|shell| models.push_shell(shell));
    let mut text = String::new();
    write!(
        text,
        "{}",
        CompleteStepDisplay::new(models, StepHeaderDescriptor::default())
    )
    .map_err(|_| TruckError::Unwritable)?;
    let written = brep
        .solids
        .iter()
        .flat_map(|solid| brep.shells_of(solid))
        .chain(free);
    let faces: Vec<&Face> = written
        .flat_map(|shell| &shell.faces)
        .map(|f| &brep.faces[f.index()])
        .collect();
    let borderless = faces
        .iter()
        .filter(|face| is_borderless(face))
        .map(|face| writer.some_point(face));
    let borderless: Vec<Point3> = borderless.collect();
    if borderless
        .iter()
        .flat_map(|p| p.iter())
        .any(|c| !c.is_finite())
    {
        return Err(TruckError::Unwritable);
    }
    Ok(mended(&text, header, &brep.solids, &faces, &borderless))
}

fn free_shells(brep: &Brep) -> Vec<&Shell> {
    let mut owned = vec![false; brep.shells.len()];
    for solid in &brep.solids {
        std::iter::once(&solid.outer)
            .chain(&solid.voids)
            .for_each(|s| owned[s.index()] = true);
    }
    brep.shells
        .iter()
        .zip(owned)
        .filter(|(_, owned)| !owned)
        .map(|(shell, _)| shell)
        .collect()
}

/// True if no loop of the face has an edge.
fn is_borderless(face: &Face) -> bool {
    face.loops.iter().all(|border| border.coedges.is_empty())
}

struct Writer<'a> {
    brep: &'a Brep,
}

type ShellText<'a> = CompressedShell<PointEntity, CurveEntity<'a>, SurfaceEntity<'a>>;

impl<'a> Writer<'a> {
    fn solid(
        &self,
        solid: &Solid,
    ) -> CompressedSolid<PointEntity, CurveEntity<'a>, SurfaceEntity<'a>> {
        let shells = std::iter::once(&solid.outer).chain(&solid.voids);
        CompressedSolid {
            boundaries: shells
                .map(|s| self.shell(&self.brep.shells[s.index()]))
                .collect(),
        }
    }

    fn shell(&self, shell: &Shell) -> ShellText<'a> {
        let mut out = CompressedShell {
            vertices: Vec::new(),
            edges: Vec::new(),
            faces: Vec::new(),
        };
        let (mut vertices, mut edges) = (HashMap::new(), HashMap::new());
        for face in shell.faces.iter().map(|f| &self.brep.faces[f.index()]) {
            let mut boundaries = Vec::new();
            for border in face
                .loops
                .iter()
                .filter(|border| !border.coedges.is_empty())
            {
                let mut indices: Vec<CompressedEdgeIndex> =
                    Vec::with_capacity(border.coedges.len());
                for coedge in &border.coedges {
                    let index = *edges.entry(coedge.edge).or_insert_with(|| {
                        let edge = &self.brep.edges[coedge.edge.index()];
                        let [start, end] = [edge.start, edge.end].map(|v| {
                            *vertices.entry(v).or_insert_with(|| {
                                out.vertices
                                    .push(PointEntity(self.brep.vertices[v.index()].point));
                                out.vertices.len() - 1
                            })
                        });
                        let curve = CurveEntity {
                            curve: &edge.curve,
                            same_sense: edge.t[0] <= edge.t[1],
                        };
                        out.edges.push(CompressedEdge {
                            vertices: (start, end),
                            curve,
                        });
                        out.edges.len() - 1
                    });
                    indices.push((index, coedge.forward).into());
                }
                // truck's borders belong to the surface's side and are turned with the face
                if !face.same_sense {
                    indices.reverse();
                    indices
                        .iter_mut()
                        .for_each(|index| index.orientation = !index.orientation);
                }
                boundaries.push(indices);
            }
            let surface = SurfaceEntity(&face.surface);
            out.faces.push(CompressedFace {
                boundaries,
                orientation: face.same_sense,
                surface,
            });
        }
        out
    }

    /// A point of a face without border: that of its vertex loop, or any.
    fn some_point(&self, face: &Face) -> Point3 {
        if let Some(vertex) = face.loops.iter().find_map(|border| border.vertex) {
            return self.brep.vertices[vertex.index()].point;
        }
        let (u, v) = face.surface.domain();
        let first = |t: Interval| if t.lo.is_finite() { t.lo } else { 0.0 };
        face.surface.point(first(u), first(v))
    }
}

/// The text with the mistakes of truck-stepio put right.
fn mended(
    text: &str,
    header: &StepHeader,
    solids: &[Solid],
    faces: &[&Face],
    borderless: &[Point3],
) -> String {
    let mut solid_names = solids.iter().map(|solid| escaped(&solid.name));
    let mut face_names = faces.iter().map(|face| escaped(&face.name));
    let mut borderless = borderless.iter();
    let mut next_solid = || solid_names.next().unwrap_or_default();
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        let (id, entity) = line.split_once(" = ").unwrap_or(("", line));
        let name = escaped(&header.name);
        let entity = if let Some(rest) = entity.strip_prefix("FACE_SURFACE(''") {
            format!(
                "ADVANCED_FACE('{}'{rest}",
                face_names.next().unwrap_or_default()
            )
        } else if let Some(rest) = entity.strip_prefix("UNCERTAINTY_MEASURE_WITH_UNIT(1.0E-6,") {
            format!("UNCERTAINTY_MEASURE_WITH_UNIT(LENGTH_MEASURE(1.0E-6),{rest}")
        } else if let Some(rest) = entity.strip_prefix("PRODUCT('','',") {
            format!("PRODUCT('{name}','{name}',{rest}")
        } else if let Some(rest) = entity.strip_prefix("MANIFOLD_SOLID_BREP(''") {
            format!("MANIFOLD_SOLID_BREP('{}'{rest}", next_solid())
        } else if let Some(rest) = entity.strip_prefix("BREP_WITH_VOIDS(''") {
            format!("BREP_WITH_VOIDS('{}'{rest}", next_solid())
        } else if entity.starts_with("POINT_ON_SURFACE(") {
            let p = borderless.next().copied().unwrap_or_else(Point3::origin);
            format!(
                "CARTESIAN_POINT('', ({}, {}, {}));",
                Real(p.x),
                Real(p.y),
                Real(p.z)
            )
        } else if entity.starts_with("FILE_DESCRIPTION(") {
            "FILE_DESCRIPTION((''), '2;1');".into()
        } else if entity.starts_with("FILE_NAME(") {
            file_name(header)
        } else if entity.starts_with("FILE_SCHEMA(") {
            "FILE_SCHEMA(('AUTOMOTIVE_DESIGN { 1 0 10303 214 1 1 1 1 }'));".into()
        } else {
            entity.into()
        };
        let equals = if id.is_empty() { "" } else { " = " };
        out.extend([id, equals, &entity, "\n"]);
    }
    out
}

fn file_name(header: &StepHeader) -> String {
    let list = |texts: &[String]| match texts {
        [] => "''".into(),
        _ => texts
            .iter()
            .map(|text| format!("'{}'", escaped(text)))
            .collect::<Vec<_>>()
            .join(", "),
    };
    let (name, time) = (escaped(&header.file_name), escaped(&header.time_stamp));
    let (authors, organizations) = (list(&header.authors), list(&header.organizations));
    format!(
        "FILE_NAME('{name}', '{time}', ({authors}), ({organizations}), 'truck-stepio', 'brepcd', '');"
    )
}

/// Text for a STEP string: quotes and backslashes doubled, other than printable ASCII as `\X2\…\X0\`.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\'' => out.push_str("''"),
            '\\' => out.push_str("\\\\"),
            ' '..='~' => out.push(c),
            _ => {
                let mut units = [0; 2];
                let units = c.encode_utf16(&mut units);
                if units.len() == 2 {
                    out.push_str(&format!("\\X4\\{:08X}\\X0\\", c as u32));
                } else {
                    out.push_str(&format!("\\X2\\{:04X}\\X0\\", units[0]));
                }
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use brepcd_brep::{Builder, EdgeKind, FaceInput, FaceKind, LoopInput, Tolerance};
    use brepcd_geom::curve::Circle;
    use brepcd_geom::surface::{Cone, Plane, Sphere, Torus, TorusShape};
    use brepcd_geom::{Curve, Frame, Surface};

    /// A closed surface without any edge, with or without a vertex loop.
    fn whole(surface: Surface, vertex: Option<Point3>) -> Brep {
        let mut builder = Builder::new(Tolerance::default());
        let shell = builder.shell(true, None);
        let loops = vertex
            .map(|p| LoopInput::Vertex(builder.vertex(p, None)))
            .into_iter()
            .collect();
        let (name, file_kind) = ("all of it".to_string(), FaceKind::Torus);
        builder.face(
            shell,
            FaceInput {
                surface,
                same_sense: true,
                loops,
                file_kind,
                name,
                label: None,
            },
        );
        builder.solid(shell, Vec::new(), "whole".into(), None);
        builder.finish().0
    }

    fn read_again(brep: &Brep) -> Brep {
        let text = brep_to_step(brep, &StepHeader::default()).unwrap();
        let read = brepcd_step::read(text.as_bytes(), &Default::default(), &mut |_| {});
        read.unwrap_or_else(|e| panic!("{e}\n{text}")).placed_brep()
    }

    #[test]
    fn faces_without_border_survive() {
        let frame = Frame {
            origin: Point3::new(1.0, 2.0, 3.0),
            ..Frame::world()
        };
        let torus = Surface::Torus(Torus {
            frame,
            major: 3.0,
            minor: 1.0,
            shape: TorusShape::Ring,
        });
        let sphere = Surface::Sphere(Sphere { frame, radius: 2.0 });
        let pole = frame.point(0.0, 0.0, -2.0);
        for (surface, vertex) in [(torus, None), (sphere.clone(), None), (sphere, Some(pole))] {
            let brep = whole(surface, vertex);
            let again = read_again(&brep);
            let (a, b) = (brep.mass_properties(), again.mass_properties());
            assert!(
                (a.volume - b.volume).abs() < 1e-12 * a.volume,
                "{a:?} {b:?}"
            );
            assert_eq!(again.faces[0].name, "all of it");
            assert_eq!(again.solids[0].name, "whole");
        }
    }

    /// STEP has no negative half angles.
    #[test]
    fn cones_that_narrow_survive() {
        let (low, high, half_angle) = (2.0, 1.0, -0.5_f64);
        let height = (high - low) / half_angle.tan();
        let lower = Frame {
            origin: Point3::new(1.0, 2.0, 3.0),
            ..Frame::world()
        };
        let upper = Frame {
            origin: lower.point(0.0, 0.0, height),
            ..lower
        };
        let mut builder = Builder::new(Tolerance::default());
        let shell = builder.shell(true, None);
        let [foot, top] = [(lower, low), (upper, high)].map(|(frame, radius)| {
            let vertex = builder.vertex(frame.point(radius, 0.0, 0.0), None);
            builder.edge(
                Curve::Circle(Circle { frame, radius }),
                vertex,
                vertex,
                true,
                EdgeKind::Circle,
                None,
            )
        });
        let cone = Surface::Cone(Cone {
            frame: lower,
            radius: low,
            half_angle,
        });
        for (surface, same_sense, borders) in [
            (cone, true, vec![(foot, true), (top, false)]),
            (
                Surface::Plane(Plane { frame: lower }),
                false,
                vec![(foot, false)],
            ),
            (
                Surface::Plane(Plane { frame: upper }),
                true,
                vec![(top, true)],
            ),
        ] {
            let loops = borders
                .into_iter()
                .map(|edge| LoopInput::Edges {
                    edges: vec![edge],
                    label: None,
                })
                .collect();
            let (file_kind, name) = (FaceKind::Cone, String::new());
            builder.face(
                shell,
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
        builder.solid(shell, Vec::new(), String::new(), None);
        let (brep, findings) = builder.finish();
        assert!(findings.is_empty(), "{findings:?}");
        let volume = std::f64::consts::PI * height * (low * low + low * high + high * high) / 3.0;
        for volume_found in [&brep, &read_again(&brep)].map(|b| b.mass_properties().volume) {
            assert!(
                (volume_found - volume).abs() < 1e-12 * volume,
                "{volume_found} {volume}"
            );
        }
    }

    #[test]
    fn text_is_escaped() {
        assert_eq!(escaped("it's a \\"), "it''s a \\\\");
        assert_eq!(
            escaped("ß\n😀"),
            r"\X2\00DF\X0\\X2\000A\X0\\X4\0001F600\X0\"
        );
        let header = StepHeader {
            authors: vec!["A".into(), "O'B".into()],
            ..StepHeader::default()
        };
        let expected = "FILE_NAME('', '1970-01-01T00:00:00', ('A', 'O''B'), (''), 'truck-stepio', 'brepcd', '');";
        assert_eq!(file_name(&header), expected);
    }
}
