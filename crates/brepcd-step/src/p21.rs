//! The one seam to the Part 21 parser: entities by id, typed attributes, located faults.

use std::borrow::Cow;

use step_io::parser::{Attribute, Graph, RawEntity};

use crate::error::{Fault, Read, StepError};
use crate::formats;

/// A parsed exchange file.
pub(crate) struct Exchange {
    /// Everything but the entities.
    graph: Graph,
    /// The entities in the order of their ids.
    entities: Vec<RawEntity>,
    /// Position + 1 of the entity with this id, if the ids are dense enough for a table.
    table: Vec<u32>,
}

/// Table entries per entity up to which a table of ids is made.
const TABLE_SHARE: u64 = 8;

/// One entity instance.
#[derive(Clone, Copy)]
pub(crate) struct Entity<'a> {
    raw: &'a RawEntity,
}

/// The attributes of an entity, supertypes first, as a simple instance lists them.
pub(crate) struct Args<'a> {
    id: u64,
    line: u32,
    kind: &'a str,
    values: Cow<'a, [Attribute]>,
}

/// Supertypes before subtypes: the order in which a simple instance lists the attributes of a complex one.
const SUPERTYPES_FIRST: &[&str] = &[
    "REPRESENTATION_ITEM",
    "REPRESENTATION",
    "SHAPE_REPRESENTATION",
    "REPRESENTATION_RELATIONSHIP",
    "SHAPE_REPRESENTATION_RELATIONSHIP",
    "REPRESENTATION_RELATIONSHIP_WITH_TRANSFORMATION",
    "PRODUCT_DEFINITION",
    "SOLID_MODEL",
    "MANIFOLD_SOLID_BREP",
    "BREP_WITH_VOIDS",
    "CONNECTED_FACE_SET",
    "FACE",
    "FACE_SURFACE",
    "ADVANCED_FACE",
    "FACE_BOUND",
    "EDGE",
    "EDGE_CURVE",
    "PATH",
    "LOOP",
    "EDGE_LOOP",
    "POLY_LOOP",
    "VERTEX_LOOP",
    "VERTEX",
    "VERTEX_POINT",
    "SURFACE_CURVE",
    "B_SPLINE_CURVE",
    "B_SPLINE_CURVE_WITH_KNOTS",
    "RATIONAL_B_SPLINE_CURVE",
    "B_SPLINE_SURFACE",
    "B_SPLINE_SURFACE_WITH_KNOTS",
    "RATIONAL_B_SPLINE_SURFACE",
];

impl Exchange {
    /// Parses a file.
    pub fn parse(bytes: &[u8]) -> Result<Self, StepError> {
        formats::reject_others(bytes)?;
        match step_io::parser::parse(bytes) {
            Ok(mut graph) => {
                let entities: Vec<RawEntity> =
                    std::mem::take(&mut graph.entities).into_values().collect();
                let last = entities.last().map_or(0, RawEntity::id);
                let mut table = Vec::new();
                if last < TABLE_SHARE * entities.len() as u64 && entities.len() < u32::MAX as usize
                {
                    table = vec![0; last as usize + 1];
                    for (entity, position) in entities.iter().zip(1..) {
                        table[entity.id() as usize] = position;
                    }
                }
                Ok(Self {
                    graph,
                    entities,
                    table,
                })
            }
            Err(error) => Err(syntax_error(&error, bytes)),
        }
    }

    /// The schema names, joined.
    pub fn schema(&self) -> String {
        self.graph.schema.raw.join(", ")
    }

    /// What the parser repaired: line and message.
    pub fn repairs(&self) -> Vec<(Option<u32>, String)> {
        self.graph
            .warnings
            .iter()
            .map(|warning| {
                let text = warning.to_string();
                let line = line_in(&text);
                let message = text
                    .split_once(": ")
                    .map_or(text.clone(), |(_, rest)| rest.to_owned());
                (line, message)
            })
            .collect()
    }

    /// All entities in the order of their ids.
    pub fn entities(&self) -> impl Iterator<Item = Entity<'_>> {
        self.entities.iter().map(|raw| Entity { raw })
    }

    /// The entity with an id, if the file defines it.
    pub fn find(&self, id: u64) -> Option<Entity<'_>> {
        let at = if self.table.is_empty() {
            self.entities
                .binary_search_by_key(&id, RawEntity::id)
                .ok()?
        } else {
            (*self.table.get(usize::try_from(id).ok()?)? as usize).checked_sub(1)?
        };
        self.entities.get(at).map(|raw| Entity { raw })
    }

    /// The line of an entity.
    pub fn line(&self, id: u64) -> Option<u32> {
        self.find(id).map(|e| e.line())
    }

    /// The entity that `from` refers to.
    pub fn get(&self, id: u64, from: &Args<'_>) -> Read<Entity<'_>> {
        self.find(id)
            .ok_or_else(|| from.fault(format!("refers to #{id}, which the file does not define")))
    }

    /// The entity an attribute refers to.
    pub fn follow(&self, args: &Args<'_>, index: usize) -> Read<Entity<'_>> {
        self.get(args.reference(index)?, args)
    }
}

impl<'a> Entity<'a> {
    /// The `#id`.
    pub fn id(&self) -> u64 {
        self.raw.id()
    }

    /// The line its definition starts on.
    pub fn line(&self) -> u32 {
        self.raw.span().line
    }

    /// True if the entity is of the named type; of a complex instance, if any part is.
    pub fn is(&self, name: &str) -> bool {
        match self.raw {
            RawEntity::Simple { name: own, .. } => own == name,
            RawEntity::Complex { parts, .. } => parts.iter().any(|p| p.name == name),
        }
    }

    /// The first of the names that the entity is of.
    pub fn one_of(&self, names: &[&'static str]) -> Option<&'static str> {
        names.iter().copied().find(|name| self.is(name))
    }

    /// All type names: one of a simple instance.
    pub fn names(&self) -> impl Iterator<Item = &'a str> {
        let (own, parts) = match self.raw {
            RawEntity::Simple { name, .. } => (Some(name.as_str()), &[][..]),
            RawEntity::Complex { parts, .. } => (None, parts.as_slice()),
        };
        own.into_iter().chain(parts.iter().map(|p| p.name.as_str()))
    }

    /// True if any type name satisfies the test.
    pub fn any_name(&self, test: impl Fn(&str) -> bool) -> bool {
        match self.raw {
            RawEntity::Simple { name, .. } => test(name),
            RawEntity::Complex { parts, .. } => parts.iter().any(|p| test(&p.name)),
        }
    }

    /// The type name for messages; a complex instance gives its parts joined by `+`.
    pub fn name(&self) -> Cow<'a, str> {
        match self.raw {
            RawEntity::Simple { name, .. } => Cow::Borrowed(name),
            RawEntity::Complex { parts, .. } => Cow::Owned(
                parts
                    .iter()
                    .map(|p| p.name.as_str())
                    .collect::<Vec<_>>()
                    .join("+"),
            ),
        }
    }

    /// All attributes, in the order of a simple instance.
    pub fn args(&self) -> Args<'a> {
        let (id, line) = (self.id(), self.line());
        match self.raw {
            RawEntity::Simple {
                name, attributes, ..
            } => Args {
                id,
                line,
                kind: name,
                values: Cow::Borrowed(attributes),
            },
            RawEntity::Complex { parts, .. } => {
                let rank = |name: &str| {
                    SUPERTYPES_FIRST
                        .iter()
                        .position(|s| *s == name)
                        .unwrap_or(SUPERTYPES_FIRST.len())
                };
                let mut order: Vec<_> = parts.iter().collect();
                order.sort_by_key(|p| rank(&p.name));
                let mut values: Vec<_> = order
                    .iter()
                    .flat_map(|p| p.attributes.iter().cloned())
                    .collect();
                let spline = self.is("B_SPLINE_CURVE") || self.is("B_SPLINE_SURFACE");
                if spline
                    && !order
                        .iter()
                        .any(|p| p.name == "REPRESENTATION_ITEM" && !p.attributes.is_empty())
                {
                    values.insert(0, Attribute::Unset);
                }
                let kind = order.last().map_or("", |p| p.name.as_str());
                Args {
                    id,
                    line,
                    kind,
                    values: Cow::Owned(values),
                }
            }
        }
    }

    /// The attributes of one part of a complex instance, or of a simple instance of that type.
    pub fn part(&self, name: &str) -> Option<Args<'a>> {
        let (id, line) = (self.id(), self.line());
        match self.raw {
            RawEntity::Simple {
                name: own,
                attributes,
                ..
            } => (own == name).then_some(Args {
                id,
                line,
                kind: own,
                values: Cow::Borrowed(attributes),
            }),
            RawEntity::Complex { parts, .. } => {
                parts.iter().find(|p| p.name == name).map(|p| Args {
                    id,
                    line,
                    kind: &p.name,
                    values: Cow::Borrowed(&p.attributes),
                })
            }
        }
    }

    /// A fault of this entity.
    pub fn fault(&self, message: impl Into<String>) -> Fault {
        Fault {
            id: self.id(),
            line: self.line(),
            message: message.into(),
        }
    }
}

impl Args<'_> {
    /// A fault of the entity.
    pub fn fault(&self, message: impl Into<String>) -> Fault {
        Fault {
            id: self.id,
            line: self.line,
            message: format!("{}: {}", self.kind, message.into()),
        }
    }

    fn wrong(&self, index: usize, expected: &str) -> Fault {
        let found = match self.values.get(index) {
            None => "nothing".to_owned(),
            Some(value) => describe(value),
        };
        self.fault(format!(
            "attribute {} should be {expected}, found {found}",
            index + 1
        ))
    }

    fn get(&self, index: usize) -> &Attribute {
        let value = self.values.get(index).unwrap_or(&Attribute::Unset);
        untyped(value)
    }

    /// Number of attributes.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// True for `$`, `*` and attributes the instance lacks.
    pub fn is_unset(&self, index: usize) -> bool {
        matches!(self.get(index), Attribute::Unset | Attribute::Derived)
    }

    /// An entity reference.
    pub fn reference(&self, index: usize) -> Read<u64> {
        match self.get(index) {
            Attribute::EntityRef(id) => Ok(*id),
            _ => Err(self.wrong(index, "an entity reference")),
        }
    }

    /// A finite real number (an integer is taken as one).
    pub fn real(&self, index: usize) -> Read<f64> {
        number(self.get(index))
            .filter(|x| x.is_finite())
            .ok_or_else(|| self.wrong(index, "a finite number"))
    }

    /// A non-negative integer.
    pub fn count(&self, index: usize) -> Read<usize> {
        integer(self.get(index)).ok_or_else(|| self.wrong(index, "a non-negative integer"))
    }

    /// A string; `$` is the empty one.
    pub fn text(&self, index: usize) -> String {
        match self.get(index) {
            Attribute::String(s) => s.trim().to_owned(),
            _ => String::new(),
        }
    }

    /// An enumeration value without its dots; empty if it is none.
    pub fn word(&self, index: usize) -> &str {
        match self.get(index) {
            Attribute::Enum(s) => s,
            _ => "",
        }
    }

    /// A boolean.
    pub fn flag(&self, index: usize) -> Read<bool> {
        match self.word(index) {
            "T" | "TRUE" => Ok(true),
            "F" | "FALSE" => Ok(false),
            _ => Err(self.wrong(index, "a boolean")),
        }
    }

    /// A boolean that counts as true when it is unset.
    pub fn flag_or_true(&self, index: usize) -> Read<bool> {
        if self.is_unset(index) {
            Ok(true)
        } else {
            self.flag(index)
        }
    }

    fn list(&self, index: usize) -> Read<&[Attribute]> {
        match self.get(index) {
            Attribute::List(list) => Ok(list),
            _ => Err(self.wrong(index, "a list")),
        }
    }

    /// A list of entity references.
    pub fn references(&self, index: usize) -> Read<Vec<u64>> {
        refs(self.list(index)?).ok_or_else(|| self.wrong(index, "a list of entity references"))
    }

    /// A list of finite numbers.
    pub fn reals(&self, index: usize) -> Read<Vec<f64>> {
        reals(self.list(index)?).ok_or_else(|| self.wrong(index, "a list of finite numbers"))
    }

    /// A list of non-negative integers.
    pub fn counts(&self, index: usize) -> Read<Vec<usize>> {
        self.list(index)?
            .iter()
            .map(integer)
            .collect::<Option<_>>()
            .ok_or_else(|| self.wrong(index, "a list of non-negative integers"))
    }

    /// A list of lists of entity references.
    pub fn reference_grid(&self, index: usize) -> Read<Vec<Vec<u64>>> {
        self.grid(index, refs)
            .ok_or_else(|| self.wrong(index, "a list of lists of entity references"))
    }

    /// A list of lists of finite numbers.
    pub fn real_grid(&self, index: usize) -> Read<Vec<Vec<f64>>> {
        self.grid(index, reals)
            .ok_or_else(|| self.wrong(index, "a list of lists of finite numbers"))
    }

    fn grid<T>(
        &self,
        index: usize,
        row: impl Fn(&[Attribute]) -> Option<Vec<T>>,
    ) -> Option<Vec<Vec<T>>> {
        let Attribute::List(rows) = self.get(index) else {
            return None;
        };
        rows.iter()
            .map(|r| match r {
                Attribute::List(r) => row(r),
                _ => None,
            })
            .collect()
    }

    /// The point reference and the parameter value of a trimming select.
    pub fn trim(&self, index: usize) -> Read<(Option<u64>, Option<f64>)> {
        let mut out = (None, None);
        for value in self.list(index)? {
            match untyped(value) {
                Attribute::EntityRef(id) => out.0 = Some(*id),
                other => out.1 = number(other).filter(|x| x.is_finite()).or(out.1),
            }
        }
        Ok(out)
    }
}

fn untyped(mut value: &Attribute) -> &Attribute {
    while let Attribute::Typed { value: inner, .. } = value {
        value = inner;
    }
    value
}

fn number(value: &Attribute) -> Option<f64> {
    match untyped(value) {
        Attribute::Real(x) => Some(*x),
        Attribute::Integer(n) => Some(*n as f64),
        _ => None,
    }
}

fn integer(value: &Attribute) -> Option<usize> {
    match untyped(value) {
        Attribute::Integer(n) => usize::try_from(*n).ok(),
        Attribute::Real(x) if *x >= 0.0 && x.fract() == 0.0 && *x < f64::from(u32::MAX) => {
            Some(*x as usize)
        }
        _ => None,
    }
}

fn refs(list: &[Attribute]) -> Option<Vec<u64>> {
    list.iter()
        .map(|value| match value {
            Attribute::EntityRef(id) => Some(*id),
            _ => None,
        })
        .collect()
}

fn reals(list: &[Attribute]) -> Option<Vec<f64>> {
    list.iter()
        .map(|v| number(v).filter(|x| x.is_finite()))
        .collect()
}

fn describe(value: &Attribute) -> String {
    match value {
        Attribute::Integer(n) => n.to_string(),
        Attribute::Real(x) => x.to_string(),
        Attribute::String(s) => format!("'{}'", s.chars().take(40).collect::<String>()),
        Attribute::Enum(s) => format!(".{s}."),
        Attribute::Binary(_) => "a binary".to_owned(),
        Attribute::EntityRef(id) => format!("#{id}"),
        Attribute::Unset => "$".to_owned(),
        Attribute::Derived => "*".to_owned(),
        Attribute::List(list) => format!("a list of {}", list.len()),
        Attribute::Typed { type_name, .. } => format!("{type_name}(…)"),
    }
}

fn syntax_error(error: &step_io::Error, bytes: &[u8]) -> StepError {
    let text = error.to_string();
    let last_line = 1 + bytes.iter().filter(|b| **b == b'\n').count() as u32;
    let cut_off = text.contains("end of file") || text.contains("unterminated");
    let line = line_in(&text).unwrap_or(last_line);
    let message = if cut_off {
        format!("the file is cut off ({text})")
    } else {
        text
    };
    StepError::Syntax { line, message }
}

/// The number after the first `line ` of a message.
fn line_in(text: &str) -> Option<u32> {
    let (_, rest) = text.split_once("line ")?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// A file with the given data section.
#[cfg(test)]
pub(crate) fn exchange(data: &str) -> Exchange {
    let text = format!(
        "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\nFILE_NAME('','',(''),(''),'','','');\n\
         FILE_SCHEMA(('AUTOMOTIVE_DESIGN'));\nENDSEC;\nDATA;\n{data}\nENDSEC;\nEND-ISO-10303-21;\n"
    );
    Exchange::parse(text.as_bytes()).expect("the test's data section is valid")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complex_instances_list_supertypes_first() {
        let file = exchange(
            "#7=(B_SPLINE_CURVE_WITH_KNOTS((2,2),(0.,1.),.UNSPECIFIED.)B_SPLINE_CURVE(1,(#1,#2),.UNSPECIFIED.,.F.,.F.)\
             RATIONAL_B_SPLINE_CURVE((1.,2.))REPRESENTATION_ITEM('arc')BOUNDED_CURVE());",
        );
        let args = file.find(7).expect("#7").args();
        assert_eq!(args.text(0), "arc");
        assert_eq!(args.count(1).ok(), Some(1));
        assert_eq!(args.counts(6).ok(), Some(vec![2, 2]));
        assert_eq!(args.reals(9).ok(), Some(vec![1.0, 2.0]));
    }

    #[test]
    fn sparse_ids_are_found() {
        let file = exchange("#5=DIRECTION('',(1.,0.,0.));\n#900000000=DIRECTION('',(0.,1.,0.));");
        assert!(file.find(900_000_000).is_some() && file.find(5).is_some());
        assert!(file.find(6).is_none() && file.find(u64::MAX).is_none());
        let fault = file
            .find(5)
            .expect("#5")
            .args()
            .reference(1)
            .expect_err("a list is no reference");
        assert_eq!((fault.id, fault.line), (5, 8));
    }
}
