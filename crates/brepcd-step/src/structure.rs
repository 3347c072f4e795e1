//! The product structure of a file, gathered in one pass: who has which shape, who is made of whom.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::p21::{Args, Entity, Exchange};

/// Products, representations and their relations by `#id`.
#[derive(Debug, Default)]
pub(crate) struct Structure {
    /// Product definitions that have a shape or take part in an assembly, with their own representations.
    pub shapes: BTreeMap<u64, Vec<u64>>,
    /// Components of each product definition.
    pub components: BTreeMap<u64, Vec<Usage>>,
    /// Relations that place the occurrence with this id.
    pub placements: HashMap<u64, u64>,
    /// Representations that describe the same thing in the same frame.
    pub same: HashMap<u64, Vec<u64>>,
    /// Relations that move a representation but place no occurrence.
    pub loose: Vec<u64>,
    /// Representations that have a product definition.
    pub owned: HashSet<u64>,
    /// All representations of shapes in the order of their ids.
    pub representations: Vec<u64>,
    /// Solids and surface models.
    pub bodies: Vec<u64>,
    /// Shells.
    pub shells: Vec<u64>,
    /// Faces.
    pub faces: Vec<u64>,
    /// Representations that mapped items show.
    pub mapped: HashSet<u64>,
}

/// One component of a product.
#[derive(Clone, Debug)]
pub(crate) struct Usage {
    /// The occurrence.
    pub id: u64,
    /// The product definition that is used.
    pub child: u64,
    /// Name of the occurrence.
    pub name: String,
}

impl Structure {
    /// Walks over all entities once.
    pub fn of(file: &Exchange) -> Self {
        let mut out = Self::default();
        let mut shapes_of = Vec::new();
        let mut placed = Vec::new();
        let mut relations = Vec::new();
        for entity in file.entities() {
            let id = entity.id();
            match class(entity) {
                Class::Other => {}
                Class::Face => out.faces.push(id),
                Class::Shell => out.shells.push(id),
                Class::Body => out.bodies.push(id),
                Class::Representation => out.representations.push(id),
                Class::Relation => relations.push(entity),
                Class::ShapeDefinition => shapes_of.push(entity.args()),
                Class::Placement => placed.push(entity.args()),
                Class::Map => out.mapped.extend(entity.args().reference(1).ok()),
                Class::Usage => {
                    let args = entity.args();
                    if let (Ok(parent), Ok(child)) = (args.reference(3), args.reference(4)) {
                        let name = [args.text(1), args.text(0)]
                            .into_iter()
                            .find(|s| !s.is_empty())
                            .unwrap_or_default();
                        out.components
                            .entry(parent)
                            .or_default()
                            .push(Usage { id, child, name });
                    }
                }
            }
        }
        for args in &shapes_of {
            let Some(owner) = definition(file, args, 0) else {
                continue;
            };
            if let Ok(representation) = args.reference(1)
                && owner.any_name(|n| n.starts_with("PRODUCT_DEFINITION"))
            {
                out.shapes
                    .entry(owner.id())
                    .or_default()
                    .push(representation);
                out.owned.insert(representation);
            }
        }
        let mut placing = HashSet::new();
        for args in &placed {
            if let (Ok(relation), Some(usage)) = (args.reference(0), definition(file, args, 1)) {
                out.placements.insert(usage.id(), relation);
                placing.insert(relation);
            }
        }
        for relation in relations.into_iter().filter(|r| !placing.contains(&r.id())) {
            if relation.is("REPRESENTATION_RELATIONSHIP_WITH_TRANSFORMATION") {
                out.loose.push(relation.id());
                continue;
            }
            if let Some((a, b)) = related(relation) {
                out.same.entry(a).or_default().push(b);
                out.same.entry(b).or_default().push(a);
            }
        }
        out
    }

    /// A product's representations and those of nobody else that describe the same shape, ascending.
    pub fn shape(&self, owned: &[u64]) -> Vec<u64> {
        let mut seen: HashSet<u64> = owned.iter().copied().collect();
        let mut open = owned.to_vec();
        while let Some(id) = open.pop() {
            for other in self.same.get(&id).into_iter().flatten() {
                if !self.owned.contains(other) && seen.insert(*other) {
                    open.push(*other);
                }
            }
        }
        let mut out: Vec<u64> = seen.into_iter().collect();
        out.sort_unstable();
        out
    }

    /// Product definitions that are no component of another, ascending.
    pub fn roots(&self) -> Vec<u64> {
        let used: HashSet<u64> = self
            .components
            .values()
            .flatten()
            .map(|u| u.child)
            .collect();
        let mut all: Vec<u64> = self
            .shapes
            .keys()
            .chain(self.components.keys())
            .copied()
            .collect();
        all.sort_unstable();
        all.dedup();
        all.retain(|id| !used.contains(id));
        all
    }
}

enum Class {
    Face,
    Shell,
    Body,
    Representation,
    Relation,
    ShapeDefinition,
    Placement,
    Usage,
    Map,
    Other,
}

/// What an entity is for the structure; the first letters sort out nearly all entities of a file.
fn class(entity: Entity<'_>) -> Class {
    let of = |name: &str| match name {
        "ADVANCED_FACE" | "FACE_SURFACE" | "FACE" => Class::Face,
        "CLOSED_SHELL" | "OPEN_SHELL" | "CONNECTED_FACE_SET" | "CONNECTED_FACE_SUB_SET" => {
            Class::Shell
        }
        "MANIFOLD_SOLID_BREP"
        | "BREP_WITH_VOIDS"
        | "FACETED_BREP"
        | "SHELL_BASED_SURFACE_MODEL"
        | "FACE_BASED_SURFACE_MODEL" => Class::Body,
        "SHAPE_REPRESENTATION_RELATIONSHIP"
        | "REPRESENTATION_RELATIONSHIP"
        | "CONSTRUCTIVE_GEOMETRY_REPRESENTATION_RELATIONSHIP" => Class::Relation,
        "SHAPE_DEFINITION_REPRESENTATION" => Class::ShapeDefinition,
        "CONTEXT_DEPENDENT_SHAPE_REPRESENTATION" => Class::Placement,
        "NEXT_ASSEMBLY_USAGE_OCCURRENCE" => Class::Usage,
        "REPRESENTATION_MAP" => Class::Map,
        "REPRESENTATION"
        | "CONSTRUCTIVE_GEOMETRY_REPRESENTATION"
        | "SHAPE_REPRESENTATION_WITH_PARAMETERS" => Class::Representation,
        _ if name.ends_with("SHAPE_REPRESENTATION") => Class::Representation,
        _ => Class::Other,
    };
    // A drawing shows shapes, it has none.
    if entity.names().any(|name| name == "DRAUGHTING_MODEL") {
        return Class::Other;
    }
    entity
        .names()
        .map(of)
        .find(|class| !matches!(class, Class::Other))
        .unwrap_or(Class::Other)
}

/// The entity that the definition of a property stands for.
fn definition<'a>(file: &'a Exchange, args: &Args<'_>, index: usize) -> Option<Entity<'a>> {
    let property = file.find(args.reference(index).ok()?)?;
    if property.any_name(|n| n.starts_with("PRODUCT_DEFINITION") && n != "PRODUCT_DEFINITION_SHAPE")
    {
        return Some(property);
    }
    let args = property.args();
    file.find(args.reference(2).ok()?)
}

/// The two representations of a relation.
pub(crate) fn related(relation: Entity<'_>) -> Option<(u64, u64)> {
    let args = relation
        .part("REPRESENTATION_RELATIONSHIP")
        .unwrap_or_else(|| relation.args());
    Some((args.reference(2).ok()?, args.reference(3).ok()?))
}

/// Items and context of a representation.
pub(crate) fn items(representation: Entity<'_>) -> Option<(Vec<u64>, Option<u64>)> {
    let args = representation
        .part("REPRESENTATION")
        .unwrap_or_else(|| representation.args());
    Some((args.references(1).ok()?, args.reference(2).ok()))
}
