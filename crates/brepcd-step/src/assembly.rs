//! The assembly tree: products, occurrences, mapped items and their placements, and the parts they show.

mod leftovers;

use std::collections::{HashMap, HashSet};

use brepcd_geom::Pose;

use crate::error::Read;
use crate::log::Log;
use crate::model::{Node, Part};
use crate::p21::{Entity, Exchange};
use crate::placement::{Geometry, is_rigid, pose};
use crate::structure::{Structure, Usage, items, related};
use crate::topology::{FACES, SHELLS, Shapes, is_solid, is_surface_model};
use crate::units::{self, Units};
use crate::{Progress, ReadOptions};

/// Deepest assembly followed.
const MAX_LEVELS: usize = 64;
/// Tolerance of files that name none, and the range in which theirs is believed, millimetres.
const DEFAULT_TOLERANCE: f64 = 1e-5;
const TOLERANCE_RANGE: [f64; 2] = [1e-7, 1e-2];

/// Builds the parts and the tree.
pub(crate) struct Assembly<'a, 'p> {
    file: &'a Exchange,
    structure: Structure,
    options: &'a ReadOptions,
    progress: &'p mut dyn FnMut(Progress),
    units: HashMap<u64, Option<Units>>,
    default_units: Units,
    /// Index of the part of a set of representations; nothing if they hold no shape.
    known: HashMap<Vec<u64>, Option<usize>>,
    visited: HashSet<u64>,
    bodies_read: HashSet<u64>,
    instances: usize,
    full: bool,
    /// Distinct parts.
    pub parts: Vec<Part>,
    /// What is said about the file.
    pub log: Log,
}

impl<'a, 'p> Assembly<'a, 'p> {
    /// Gathers the structure of a file.
    pub fn new(
        file: &'a Exchange,
        options: &'a ReadOptions,
        progress: &'p mut dyn FnMut(Progress),
    ) -> Self {
        Self {
            file,
            structure: Structure::of(file),
            options,
            progress,
            units: HashMap::new(),
            default_units: Units::default(),
            known: HashMap::new(),
            visited: HashSet::new(),
            bodies_read: HashSet::new(),
            instances: 0,
            full: false,
            parts: Vec::new(),
            log: Log::default(),
        }
    }

    /// The roots of the tree, the length unit, and the number of faces in the file.
    pub fn read(&mut self) -> (Vec<Node>, Units, usize) {
        self.find_default_units();
        let mut roots = Vec::new();
        let mut products = self.structure.roots();
        if products.is_empty() && !self.structure.components.is_empty() {
            products.extend(self.structure.components.keys().next());
        }
        for id in products {
            let node = self.product(id, &mut Vec::new());
            roots.extend(node.filter(|n| n.part.is_some() || !n.children.is_empty()));
        }
        self.representations_of_nobody(&mut roots);
        self.bodies_of_nobody(&mut roots);
        self.faces_of_nobody();
        for id in std::mem::take(&mut self.structure.loose) {
            self.log.warn(
                self.file,
                id,
                "a placement that belongs to no occurrence is ignored",
            );
        }
        (
            roots,
            self.default_units.clone(),
            self.structure.faces.len(),
        )
    }

    /// The units of the first representation with bodies, else of the first with units at all.
    fn find_default_units(&mut self) {
        let mut found: Option<Units> = None;
        for id in self.structure.representations.clone() {
            let Some(entity) = self.file.find(id) else {
                continue;
            };
            let Some((items, Some(context))) = items(entity) else {
                continue;
            };
            let holds_body = || items.iter().filter_map(|i| self.file.find(*i)).any(is_body);
            let holds_body = holds_body();
            if (holds_body || found.is_none())
                && let Some(units) = self.units_of(context)
            {
                found = Some(units);
                if holds_body {
                    break;
                }
            }
        }
        match found {
            Some(units) => self.default_units = units,
            None => {
                if let Some(first) = self.structure.representations.first() {
                    self.log.warn(
                        self.file,
                        *first,
                        "no length unit is given: millimetres are assumed",
                    );
                }
            }
        }
    }

    fn units_of(&mut self, context: u64) -> Option<Units> {
        if let Some(known) = self.units.get(&context) {
            return known.clone();
        }
        let found = match self
            .file
            .find(context)
            .map(|entity| units::of_context(self.file, entity))
        {
            Some(Ok(units)) => units,
            Some(Err(fault)) => {
                self.log
                    .fault(self.file, context, "the units are not understood", &fault);
                None
            }
            None => None,
        };
        self.units.insert(context, found.clone());
        found
    }

    fn geometry(&mut self, context: Option<u64>) -> Geometry<'a> {
        let units = context
            .and_then(|c| self.units_of(c))
            .unwrap_or_else(|| self.default_units.clone());
        let [lo, hi] = TOLERANCE_RANGE;
        let tol = units
            .uncertainty
            .filter(|u| *u > 0.0)
            .unwrap_or(DEFAULT_TOLERANCE)
            .clamp(lo, hi);
        Geometry::new(self.file, units, tol)
    }

    fn geometry_of(&mut self, representation: u64) -> Geometry<'a> {
        let context = self
            .file
            .find(representation)
            .and_then(items)
            .and_then(|(_, context)| context);
        self.geometry(context)
    }

    /// Counts a node; false when there are too many.
    fn spend(&mut self, id: u64) -> bool {
        self.instances += 1;
        let over = self.instances > self.options.max_instances;
        if over && !self.full {
            self.full = true;
            let message = format!(
                "more than {} placed products: the rest is left out",
                self.options.max_instances
            );
            self.log.warn(self.file, id, message);
        }
        !over
    }

    /// A product with its own shape and its components.
    fn product(&mut self, id: u64, path: &mut Vec<u64>) -> Option<Node> {
        if path.contains(&id) || path.len() >= MAX_LEVELS {
            self.log.warn(
                self.file,
                id,
                "a product that contains itself, or an assembly that is too deep",
            );
            return None;
        }
        if !self.spend(id) {
            return None;
        }
        let name = self.product_name(id);
        let owned = self.structure.shapes.get(&id).cloned().unwrap_or_default();
        let shape = self.structure.shape(&owned);
        let mut node = self.shape_node(name, &shape, 0);
        path.push(id);
        for usage in self
            .structure
            .components
            .get(&id)
            .cloned()
            .unwrap_or_default()
        {
            let Some(mut child) = self.product(usage.child, path) else {
                continue;
            };
            child.placement = match self.placement(&usage, &shape) {
                Ok(placement) => placement * child.placement,
                Err(fault) => {
                    self.log.fault(
                        self.file,
                        usage.id,
                        "the placement is not understood, the identity is used",
                        &fault,
                    );
                    child.placement
                }
            };
            child.occurrence = usage.name;
            node.children.push(child);
        }
        path.pop();
        Some(node)
    }

    /// The node of a set of representations: their bodies as one part, their mapped items as children.
    fn shape_node(&mut self, name: String, shape: &[u64], depth: usize) -> Node {
        let part = self.part(&name, shape);
        let mut node = Node {
            name,
            occurrence: String::new(),
            placement: Pose::identity(),
            part,
            children: Vec::new(),
        };
        for id in shape {
            let Some((ids, _)) = self.file.find(*id).and_then(items) else {
                continue;
            };
            for item in ids {
                let Some(entity) = self.file.find(item).filter(|e| e.is("MAPPED_ITEM")) else {
                    continue;
                };
                match self.mapped_item(entity, *id, depth) {
                    Ok(child) => node.children.extend(child),
                    Err(fault) => {
                        self.log
                            .fault(self.file, item, "the mapped item is not imported", &fault)
                    }
                }
            }
        }
        node
    }

    /// `MAPPED_ITEM(name, map, target)` with `REPRESENTATION_MAP(origin, representation)`.
    fn mapped_item(&mut self, entity: Entity<'a>, parent: u64, depth: usize) -> Read<Option<Node>> {
        let args = entity.args();
        if depth >= MAX_LEVELS {
            return Err(args.fault("mapped items nest without end"));
        }
        let map = self.file.follow(&args, 1)?.args();
        let (origin, source) = (self.file.follow(&map, 0)?, self.file.follow(&map, 1)?);
        let target = self.file.follow(&args, 2)?;
        let shape = self.structure.shape(&[source.id()]);
        if !self.spend(entity.id()) {
            return Ok(None);
        }
        let name = [args.text(0), source.args().text(0)]
            .into_iter()
            .find(|s| !s.is_empty())
            .unwrap_or_default();
        let mut node = self.shape_node(name, &shape, depth + 1);
        if node.part.is_none() && node.children.is_empty() {
            return Ok(None);
        }
        let (frame, scale) = self.geometry_of(parent).operator(target)?;
        if !is_rigid(scale) {
            self.log.warn(
                self.file,
                entity.id(),
                format!("a scale of {scale} is not applied"),
            );
        }
        let origin = self.geometry_of(source.id()).frame(origin)?;
        node.placement = pose(&frame) * pose(&origin).inverse();
        Ok(Some(node))
    }

    /// The pose `parent_from_child` of an occurrence.
    fn placement(&mut self, usage: &Usage, parent_shape: &[u64]) -> Read<Pose> {
        let Some(relation) = self
            .structure
            .placements
            .get(&usage.id)
            .and_then(|id| self.file.find(*id))
        else {
            return Ok(Pose::identity());
        };
        let Some(with) = relation.part("REPRESENTATION_RELATIONSHIP_WITH_TRANSFORMATION") else {
            return Ok(Pose::identity());
        };
        let (first, second) = related(relation)
            .ok_or_else(|| relation.fault("a relation without its two representations"))?;
        let transformation = self.file.follow(&with, with.len().saturating_sub(1))?;
        // The standard relates the child (first) to the parent (second); some files swap them.
        let owned = self
            .structure
            .shapes
            .get(&usage.child)
            .cloned()
            .unwrap_or_default();
        let child_shape = self.structure.shape(&owned);
        let straight = child_shape.contains(&first) || parent_shape.contains(&second);
        let swapped = !straight && (child_shape.contains(&second) || parent_shape.contains(&first));
        let second_from_first = if transformation.is("ITEM_DEFINED_TRANSFORMATION") {
            let args = transformation.args();
            let (mut a, mut b) = (self.file.follow(&args, 2)?, self.file.follow(&args, 3)?);
            let holds = |representation: u64, item: u64| {
                let found = self.file.find(representation).and_then(items);
                found.is_some_and(|(ids, _)| ids.contains(&item))
            };
            let in_place = holds(first, a.id()) || holds(second, b.id());
            if !in_place && holds(first, b.id()) && holds(second, a.id()) {
                std::mem::swap(&mut a, &mut b);
            }
            let first_from_item = pose(&self.geometry_of(first).frame(a)?);
            let second_from_item = pose(&self.geometry_of(second).frame(b)?);
            second_from_item * first_from_item.inverse()
        } else {
            let (frame, scale) = self.geometry_of(second).operator(transformation)?;
            if !is_rigid(scale) {
                self.log.warn(
                    self.file,
                    usage.id,
                    format!("a scale of {scale} is not applied"),
                );
            }
            pose(&frame)
        };
        Ok(if swapped {
            second_from_first.inverse()
        } else {
            second_from_first
        })
    }

    /// The name of a product definition's product.
    fn product_name(&self, id: u64) -> String {
        let follow = |entity: Entity<'a>, index: usize| {
            entity
                .args()
                .reference(index)
                .ok()
                .and_then(|i| self.file.find(i))
        };
        let product = self
            .file
            .find(id)
            .and_then(|definition| follow(definition, 2))
            .and_then(|formation| follow(formation, 2))
            .map(|product| product.args());
        product
            .and_then(|args| {
                [args.text(1), args.text(0)]
                    .into_iter()
                    .find(|name| !name.is_empty())
            })
            .unwrap_or_default()
    }

    /// The part of a set of representations, read when it is first asked for.
    fn part(&mut self, name: &str, shape: &[u64]) -> Option<usize> {
        if let Some(known) = self.known.get(shape) {
            return *known;
        }
        let mut shapes: Option<Shapes<'a>> = None;
        let mut strange = Vec::new();
        for id in shape {
            self.visited.insert(*id);
            let Some((ids, context)) = self.file.find(*id).and_then(items) else {
                continue;
            };
            let supplement = self
                .file
                .find(*id)
                .is_some_and(|e| e.is("CONSTRUCTIVE_GEOMETRY_REPRESENTATION"));
            let mut located = false;
            for item in ids {
                let Some(entity) = self.file.find(item) else {
                    self.log.warn(
                        self.file,
                        *id,
                        format!("refers to #{item}, which the file does not define"),
                    );
                    continue;
                };
                if !is_body(entity) {
                    strange.extend((!supplement && is_strange(entity)).then_some(entity));
                    continue;
                }
                if !located {
                    let geometry = self.geometry(context);
                    match &mut shapes {
                        Some(shapes) => shapes.set_geometry(geometry),
                        None => shapes = Some(Shapes::new(geometry)),
                    }
                    located = true;
                }
                if let Some(shapes) = &mut shapes {
                    self.bodies_read.insert(item);
                    shapes.item(entity);
                }
            }
        }
        let exact = shapes.as_ref().is_some_and(|s| !s.is_empty());
        for entity in strange {
            // A tessellation beside the exact shape is a picture of it.
            if !(exact
                && entity.any_name(|n| n.contains("TESSELLATED") || n.contains("TRIANGULATED")))
            {
                self.log.warn(
                    self.file,
                    entity.id(),
                    format!("{} is not imported", entity.name()),
                );
            }
        }
        let part = shapes.and_then(|shapes| self.finish_part(name.to_owned(), shapes));
        self.known.insert(shape.to_vec(), part);
        part
    }

    fn finish_part(&mut self, name: String, shapes: Shapes<'a>) -> Option<usize> {
        let empty = shapes.is_empty();
        let (brep, findings, log) = shapes.finish();
        self.log.append(log);
        self.log.findings(self.file, findings);
        let done = self.log.imported.len() + self.log.refused.len();
        (self.progress)(Progress {
            stage: "build",
            done,
            total: self.structure.faces.len().max(done),
        });
        if empty {
            return None;
        }
        self.parts.push(Part { name, brep });
        Some(self.parts.len() - 1)
    }
}

/// True for items that are read into a part.
fn is_body(entity: Entity<'_>) -> bool {
    is_solid(entity)
        || is_surface_model(entity)
        || entity.one_of(SHELLS).is_some()
        || entity.one_of(FACES).is_some()
}

/// True for items of a shape that a user would miss.
fn is_strange(entity: Entity<'_>) -> bool {
    entity.any_name(|n| {
        [
            "SOLID",
            "SURFACE",
            "BREP",
            "CSG",
            "BOOLEAN",
            "TESSELLATED",
            "TRIANGULATED",
            "GEOMETRIC_SET",
            "WIREFRAME",
            "CURVE_SET",
        ]
        .iter()
        .any(|part| n.contains(part))
    })
}
