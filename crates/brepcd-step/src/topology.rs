//! Solids, shells and faces of one part.
//!
//! Vertices and edges are shared by their `#id`, surfaces are read once. A face with anything wrong in it becomes a
//! warning and the rest of its shell stays.

use std::collections::{HashMap, HashSet};

use brepcd_brep::{
    Brep, Builder, EdgeId, FaceInput, FaceKind, Finding, LoopInput, ShellId, Tolerance, VertexId,
};
use brepcd_geom::surface::Plane;
use brepcd_geom::{Frame, Point3, Surface, Vec3};

use crate::borders::{BuiltEdge, reverse};
use crate::error::{Fault, Read};
use crate::log::Log;
use crate::model::Recognized;
use crate::p21::Entity;
use crate::placement::{Geometry, MAX_DEFINITIONS, MAX_DEPTH};
use crate::surfaces::{Carrier, Extent, depends_on_extent, on_nappe};

/// Kinds of entities that are shells.
pub(crate) const SHELLS: &[&str] = &[
    "CLOSED_SHELL",
    "OPEN_SHELL",
    "CONNECTED_FACE_SET",
    "CONNECTED_FACE_SUB_SET",
];
/// Kinds of entities that are faces with a geometry of their own.
pub(crate) const FACES: &[&str] = &["ADVANCED_FACE", "FACE_SURFACE", "FACE"];
/// Collects the shapes of one part.
pub(crate) struct Shapes<'a> {
    pub(crate) geometry: Geometry<'a>,
    pub(crate) builder: Builder,
    pub(crate) vertices: HashMap<u64, VertexId>,
    pub(crate) points: Vec<Point3>,
    pub(crate) edges: HashMap<u64, Read<Option<EdgeId>>>,
    pub(crate) straight: HashMap<(u64, u64), EdgeId>,
    pub(crate) built: Vec<BuiltEdge>,
    surfaces: HashMap<u64, Read<Carrier>>,
    done: HashSet<u64>,
    /// What is said about the part.
    pub log: Log,
}

impl<'a> Shapes<'a> {
    /// A part of nothing yet.
    pub fn new(geometry: Geometry<'a>) -> Self {
        let tolerance = Tolerance {
            length: geometry.tol,
            ..Tolerance::default()
        };
        Self {
            geometry,
            builder: Builder::new(tolerance),
            vertices: HashMap::new(),
            points: Vec::new(),
            edges: HashMap::new(),
            straight: HashMap::new(),
            built: Vec::new(),
            surfaces: HashMap::new(),
            done: HashSet::new(),
            log: Log::default(),
        }
    }

    /// True if no face was added.
    pub fn is_empty(&self) -> bool {
        self.log.imported.is_empty()
    }

    /// Changes the context in which the next items are read; the tolerance stays.
    pub fn set_geometry(&mut self, geometry: Geometry<'a>) {
        self.geometry = geometry;
    }

    /// The part, and what building it brought to light.
    pub fn finish(self) -> (Brep, Vec<Finding>, Log) {
        let (brep, findings) = self.builder.finish();
        (brep, findings, self.log)
    }

    /// Adds a solid, a shell, a set of shells or a face; false if it is none of them. Each is taken over once.
    pub fn item(&mut self, entity: Entity<'a>) -> bool {
        let Some(add) = self.reader_of(entity) else {
            return false;
        };
        if self.done.insert(entity.id())
            && let Err(fault) = add(self, entity)
        {
            self.log
                .fault(self.geometry.file, entity.id(), "not imported", &fault);
        }
        true
    }

    fn reader_of(&self, entity: Entity<'a>) -> Option<fn(&mut Self, Entity<'a>) -> Read<()>> {
        if is_solid(entity) {
            Some(Self::solid)
        } else if is_surface_model(entity) {
            Some(Self::surface_model)
        } else if entity.one_of(SHELLS).is_some()
            || entity.any_name(|n| n.starts_with("ORIENTED_") && n.ends_with("SHELL"))
        {
            Some(|shapes, entity| shapes.shell(entity, false).map(|_| ()))
        } else if entity.one_of(FACES).is_some() {
            Some(Self::single_face)
        } else {
            None
        }
    }

    /// `MANIFOLD_SOLID_BREP(name, outer)`, `BREP_WITH_VOIDS(name, outer, voids)`.
    fn solid(&mut self, entity: Entity<'a>) -> Read<()> {
        let args = entity.args();
        let outer = self.shell(self.geometry.file.follow(&args, 1)?, true)?;
        let mut voids = Vec::new();
        if entity.is("BREP_WITH_VOIDS") {
            for id in args.references(2)? {
                let void = self
                    .geometry
                    .file
                    .get(id, &args)
                    .and_then(|void| self.shell(void, true));
                match void {
                    Ok(shell) => voids.push(shell),
                    Err(fault) => self.log.fault(
                        self.geometry.file,
                        entity.id(),
                        "a void is not imported",
                        &fault,
                    ),
                }
            }
        }
        self.builder
            .solid(outer, voids, args.text(0), Some(entity.id()));
        Ok(())
    }

    /// `SHELL_BASED_SURFACE_MODEL(name, shells)`, `FACE_BASED_SURFACE_MODEL(name, face_sets)`.
    fn surface_model(&mut self, entity: Entity<'a>) -> Read<()> {
        let args = entity.args();
        for id in args.references(1)? {
            let shell = self.geometry.file.get(id, &args)?;
            if self.done.insert(id)
                && let Err(fault) = self.shell(shell, false)
            {
                self.log
                    .fault(self.geometry.file, id, "the shell is not imported", &fault);
            }
        }
        Ok(())
    }

    fn single_face(&mut self, entity: Entity<'a>) -> Read<()> {
        match self.face(entity, false, 0) {
            Ok(input) => {
                let shell = self.builder.shell(false, Some(entity.id()));
                self.add_face(shell, entity.id(), input);
            }
            Err(fault) => self
                .log
                .refuse_face(self.geometry.file, entity.id(), &fault),
        }
        Ok(())
    }

    /// A shell or oriented shell with its faces; a fault if none of them is usable.
    fn shell(&mut self, entity: Entity<'a>, of_solid: bool) -> Read<ShellId> {
        let (mut entity, mut flip) = (entity, false);
        let mut depth = 0;
        while entity.any_name(|n| n.starts_with("ORIENTED_")) {
            self.done.insert(entity.id());
            let args = entity.args();
            flip ^= !args.flag_or_true(args.len().saturating_sub(1))?;
            entity = self
                .geometry
                .file
                .follow(&args, args.len().saturating_sub(2))?;
            depth += 1;
            if depth > MAX_DEPTH {
                return Err(entity.fault("oriented shells nest without end"));
            }
        }
        if entity.one_of(SHELLS).is_none() {
            return Err(entity.fault(format!("expected a shell, found {}", entity.name())));
        }
        self.done.insert(entity.id());
        let args = entity.args();
        let ids = args.references(1)?;
        let mut faces = Vec::with_capacity(ids.len());
        let (mut seen, mut first_fault) = (HashSet::new(), None);
        for id in ids {
            if !seen.insert(id) {
                continue;
            }
            let face = self.geometry.file.get(id, &args);
            match face.and_then(|face| Ok((face.id(), self.face(face, flip, 0)?))) {
                Ok(face) => faces.push(face),
                Err(fault) => {
                    let id = self.face_id(id);
                    self.log.refuse_face(self.geometry.file, id, &fault);
                    first_fault.get_or_insert(fault);
                }
            }
        }
        if faces.is_empty() {
            return Err(first_fault.unwrap_or_else(|| args.fault("a shell without faces")));
        }
        let shell = self
            .builder
            .shell(of_solid || entity.is("CLOSED_SHELL"), Some(entity.id()));
        for (id, input) in faces {
            let id = self.face_id(id);
            self.add_face(shell, id, input);
        }
        Ok(shell)
    }

    /// The face behind oriented faces.
    fn face_id(&self, id: u64) -> u64 {
        let mut at = id;
        for _ in 0..MAX_DEPTH {
            match self
                .geometry
                .file
                .find(at)
                .filter(|e| e.is("ORIENTED_FACE"))
            {
                Some(entity) => {
                    let args = entity.args();
                    let Ok(next) = args.reference(args.len().saturating_sub(2)) else {
                        break;
                    };
                    at = next;
                }
                None => break,
            }
        }
        at
    }

    fn add_face(&mut self, shell: ShellId, id: u64, (input, recognized): (FaceInput, Option<f64>)) {
        if self.log.imported.insert(id)
            && let Some(deviation) = recognized
        {
            let (from, to) = (input.file_kind, input.surface.kind_name());
            self.log.recognized.push(Recognized {
                label: Some(id),
                from,
                to,
                deviation,
            });
        }
        self.builder.face(shell, input);
    }

    /// `ADVANCED_FACE(name, bounds, geometry, same_sense)`; `flip` turns it inside out.
    fn face(
        &mut self,
        entity: Entity<'a>,
        flip: bool,
        depth: usize,
    ) -> Read<(FaceInput, Option<f64>)> {
        let args = entity.args();
        if entity.is("ORIENTED_FACE") && depth < MAX_DEPTH {
            let at = args.len().saturating_sub(2);
            let flip = flip ^ !args.flag_or_true(at + 1)?;
            return self.face(self.geometry.file.follow(&args, at)?, flip, depth + 1);
        }
        if entity.one_of(FACES).is_none() {
            return Err(entity.fault(format!("expected a face, found {}", entity.name())));
        }
        self.geometry.budget.set(MAX_DEFINITIONS);
        let mut loops = Vec::new();
        for id in args.references(1)? {
            loops.push(self.bound(self.geometry.file.get(id, &args)?)?);
        }
        let bare = !entity.is("ADVANCED_FACE") && !entity.is("FACE_SURFACE");
        let (carrier, same_sense) = if bare {
            (
                self.facet(&loops)
                    .ok_or_else(|| args.fault("a face without a surface"))?,
                true,
            )
        } else {
            let same_sense = args.flag_or_true(3)?;
            (
                self.carrier(self.geometry.file.follow(&args, 2)?, &loops)?,
                same_sense,
            )
        };
        if let Some(deviation) = carrier.approximated {
            let message = format!("an offset surface, approximated within {deviation:.1e} mm");
            self.log.warn(self.geometry.file, entity.id(), message);
        }
        if flip {
            loops.iter_mut().for_each(reverse);
        }
        if loops.iter().all(|l| matches!(l, LoopInput::Vertex(_))) && is_infinite(&carrier.surface)
        {
            return Err(args.fault("an infinite surface without a border"));
        }
        let input = FaceInput {
            surface: carrier.surface,
            same_sense: same_sense ^ carrier.flip ^ flip,
            loops,
            file_kind: carrier.kind,
            name: args.text(0),
            label: Some(entity.id()),
        };
        Ok((input, carrier.recognized))
    }

    fn carrier(&mut self, entity: Entity<'a>, loops: &[LoopInput]) -> Read<Carrier> {
        let mut carrier = if depends_on_extent(entity) {
            self.geometry.surface(entity, &|| self.extent(loops), 0)?
        } else {
            match self.surfaces.get(&entity.id()) {
                Some(known) => known.clone()?,
                None => {
                    let carrier = self.geometry.surface(entity, &Extent::default, 0);
                    self.surfaces.insert(entity.id(), carrier.clone());
                    carrier?
                }
            }
        };
        if let Surface::Cone(cone) = &mut carrier.surface {
            *cone = on_nappe(cone, &self.corners(loops));
        }
        Ok(carrier)
    }

    fn corners(&self, loops: &[LoopInput]) -> Vec<Point3> {
        let mut out = Vec::new();
        for border in loops {
            match border {
                LoopInput::Vertex(v) => out.push(self.points[v.index()]),
                LoopInput::Edges { edges, .. } => {
                    let ends = edges.iter().map(|(edge, forward)| {
                        self.built[edge.index()].ends[usize::from(*forward)]
                    });
                    out.extend(ends.map(|v| self.points[v.index()]));
                }
            }
        }
        out
    }

    fn extent(&self, loops: &[LoopInput]) -> Extent {
        let mut curves = Vec::new();
        for border in loops {
            if let LoopInput::Edges { edges, .. } = border {
                for (edge, _) in edges {
                    let edge = &self.built[edge.index()];
                    curves.push((edge.curve.clone(), edge.range(&self.points)));
                }
            }
        }
        Extent {
            corners: self.corners(loops),
            curves,
        }
    }

    /// The plane of a face that has none, from its polygons (Newell's normal).
    fn facet(&self, loops: &[LoopInput]) -> Option<Carrier> {
        let points = self.corners(loops.get(..1)?);
        let origin = *points.first()?;
        let mut normal = Vec3::zeros();
        for (i, p) in points.iter().enumerate() {
            normal += (p - origin).cross(&(points[(i + 1) % points.len()] - origin));
        }
        let frame = Frame::from_z(origin, normal)?;
        let surface = Surface::Plane(Plane { frame });
        Some(Carrier {
            surface,
            flip: false,
            kind: FaceKind::Plane,
            recognized: None,
            approximated: None,
        })
    }
}

/// True for solids this reader takes over.
pub(crate) fn is_solid(entity: Entity<'_>) -> bool {
    entity
        .one_of(&["MANIFOLD_SOLID_BREP", "BREP_WITH_VOIDS", "FACETED_BREP"])
        .is_some()
}

/// True for sets of shells.
pub(crate) fn is_surface_model(entity: Entity<'_>) -> bool {
    entity
        .one_of(&["SHELL_BASED_SURFACE_MODEL", "FACE_BASED_SURFACE_MODEL"])
        .is_some()
}

fn is_infinite(surface: &Surface) -> bool {
    matches!(
        surface,
        Surface::Plane(_) | Surface::Cylinder(_) | Surface::Cone(_)
    )
}

/// A fault of a face that no imported shell uses.
pub(crate) fn unused(entity: Entity<'_>) -> Fault {
    entity.fault("no imported shell uses it")
}
