//! Features; their kind says whether they are faces, edges or vertices.

use brepcd_geom::Point3;

use super::FileError;
use super::input::Input;
use super::output::Output;
use super::sections::{Counts, Section};
use super::shape::{read_curve, read_surface, write_curve, write_surface};
use super::shared::Pools;
use crate::{Feature, FeatureId, Kinds, Run, Shape};

/// The kinds of edges.
const CURVES: Kinds = Kinds::LINE
    .union(Kinds::CIRCLE)
    .union(Kinds::CONIC)
    .union(Kinds::SPLINE_CURVE);
/// The bits of the first byte that hold the position of the kind's bit.
const KIND: u8 = 0x0f;
/// The bit of the first byte for faces with the sense of their surface.
const SAME_SENSE: u8 = 0x10;

/// The bit of the first byte for faces that enclose nothing.
const SHEET: u8 = 0x20;

/// Where the runs of the next feature start.
#[derive(Default)]
struct Next {
    sources: u32,
    borders: u32,
    spans: u32,
    tangents: u32,
}

/// Faces, edges, vertices: the order in which features come.
fn class(kind: Kinds) -> u8 {
    if kind == Kinds::VERTEX {
        2
    } else if CURVES.contains(kind) {
        1
    } else {
        0
    }
}

pub(super) fn write(out: &mut Output, features: &[Feature]) {
    let mut next = Next::default();
    for feature in features {
        let expected = match feature.shape {
            Shape::Face { .. } => 0,
            Shape::Edge { .. } => 1,
            Shape::Vertex { .. } => 2,
        };
        if feature.kind.bits().count_ones() != 1 || class(feature.kind) != expected {
            out.flaw = Some("the kind of a feature is not one of its shape");
        }
        let kind = feature.kind.bits().trailing_zeros() as u8 & KIND;
        match &feature.shape {
            Shape::Face {
                surface,
                same_sense,
                sheet,
                borders,
            } => {
                let sense = if *same_sense { SAME_SENSE } else { 0 };
                out.byte(kind | sense | if *sheet { SHEET } else { 0 });
                out.run(feature.sources, &mut next.sources);
                write_surface(out, surface);
                out.run(*borders, &mut next.borders);
            }
            Shape::Edge {
                curve,
                sides,
                dihedral,
                spans,
            } => {
                out.byte(kind);
                out.run(feature.sources, &mut next.sources);
                write_curve(out, curve);
                sides.iter().for_each(|side| out.whole(side.0.into()));
                out.number(*dihedral);
                out.run(*spans, &mut next.spans);
            }
            Shape::Vertex { point, tangents } => {
                out.byte(kind);
                out.run(feature.sources, &mut next.sources);
                out.vector(&point.coords);
                out.run(*tangents, &mut next.tangents);
            }
        }
    }
}

pub(super) fn read(
    input: &mut Input,
    counts: &Counts,
    pools: &Pools,
) -> Result<Vec<Feature>, FileError> {
    let mut next = Next::default();
    let (mut faces, mut before) = (0, 0);
    input.list(counts.of(Section::Features), |input| {
        let code = input.byte()?;
        let kind = Kinds::from_bits(1 << (code & KIND));
        let kind = kind.ok_or_else(|| input.invalid("a feature of an unknown kind"))?;
        let class = class(kind);
        let known = if class == 0 {
            KIND | SAME_SENSE | SHEET
        } else {
            KIND
        };
        input.check(code & !known == 0, "unknown bits in a feature")?;
        input.check(class >= before, "features are not faces, edges, vertices")?;
        before = class;
        faces += usize::from(class == 0);
        let sources = input.run(&mut next.sources, counts, Section::Sources)?;
        let run = |input: &mut Input, next: &mut u32, of| -> Result<Run, FileError> {
            input.run(next, counts, of)
        };
        let shape = match class {
            0 => Shape::Face {
                surface: read_surface(input, pools)?,
                same_sense: code & SAME_SENSE != 0,
                sheet: code & SHEET != 0,
                borders: run(input, &mut next.borders, Section::Borders)?,
            },
            1 => Shape::Edge {
                curve: read_curve(input, pools)?,
                sides: [read_side(input, faces)?, read_side(input, faces)?],
                dihedral: input.number()?,
                spans: run(input, &mut next.spans, Section::Spans)?,
            },
            _ => Shape::Vertex {
                point: Point3::from(input.vector(pools)?),
                tangents: run(input, &mut next.tangents, Section::Tangents)?,
            },
        };
        Ok(Feature {
            kind,
            sources,
            shape,
        })
    })
}

fn read_side(input: &mut Input, faces: usize) -> Result<FeatureId, FileError> {
    input.position(faces, "face feature").map(FeatureId)
}
