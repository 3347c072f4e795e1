//! Puts a tree file together.

use xxhash_rust::xxh3::xxh3_64;

use super::output::Output;
use super::sections::Section;
use super::shared::Shared;
use super::{
    CHECKSUM, FILE_VERSION, FileError, MARK, PREFIX, TABLE_ENTRY, feature, lists, node, nurbs,
    patch, shape,
};
use crate::TreePart;

/// The bytes of a part's file.
///
/// Written twice: the first time shows which vectors occur more than once. Then read, so that a part that breaks a rule
/// is found here and not by whoever loads the file.
pub(super) fn file(part: &TreePart) -> Result<Vec<u8>, FileError> {
    let (_, met) = sections(part, Shared::default(), &[])?;
    let (shared, vectors) = met.settled();
    let (sections, _) = sections(part, shared, &vectors)?;
    let bytes = assemble(&sections)?;
    match TreePart::from_bytes(&bytes) {
        Ok(_) => Ok(bytes),
        Err(FileError::Invalid { section, what, .. }) => {
            let what = format!("{what} (section {section})");
            Err(FileError::Unwritable { what: what.into() })
        }
        Err(other) => Err(other),
    }
}

/// Number of items and bytes of a section.
type Body = (usize, Vec<u8>);

/// All sections in the order of the file, and what was met while writing them.
fn sections(
    part: &TreePart,
    shared: Shared,
    vectors: &[brepcd_geom::Vec3],
) -> Result<(Vec<Body>, Shared), FileError> {
    let mut out = Output {
        shared,
        ..Output::default()
    };
    let mut bodies: Vec<Body> = Vec::new();
    for section in Section::ALL {
        let count = match section {
            Section::Head => {
                lists::write_header(&mut out, &part.header);
                1
            }
            Section::Names => {
                part.names.iter().for_each(|name| out.text(name));
                part.names.len()
            }
            Section::Sources => {
                lists::write_sources(&mut out, &part.sources);
                part.sources.len()
            }
            Section::Shells => {
                let each = part.shells.iter();
                each.for_each(|shell| lists::write_shell(&mut out, shell));
                part.shells.len()
            }
            Section::Vectors => {
                vectors.iter().for_each(|v| out.numbers(v.iter()));
                vectors.len()
            }
            // Filled in below, once all that refers to them has been written.
            Section::NurbsCurves | Section::NurbsSurfaces => 0,
            Section::Spans => {
                let each = part.spans.iter();
                each.for_each(|span| lists::write_interval(&mut out, span));
                part.spans.len()
            }
            Section::Tangents => {
                part.tangents.iter().for_each(|t| out.vector(t));
                part.tangents.len()
            }
            Section::Trims => {
                let each = part.trims.iter();
                each.for_each(|curve| shape::write_curve(&mut out, curve));
                part.trims.len()
            }
            Section::Borders => {
                lists::write_borders(&mut out, &part.borders);
                part.borders.len()
            }
            Section::Crossings => {
                lists::write_crossings(&mut out, &part.crossings);
                part.crossings.len()
            }
            Section::Control => {
                nurbs::write_control(&mut out, &part.control);
                part.control.len()
            }
            Section::Features => {
                feature::write(&mut out, &part.features);
                part.features.len()
            }
            Section::Patches => {
                patch::write(&mut out, &part.patches);
                part.patches.len()
            }
            Section::Nodes => {
                node::write(&mut out, &part.nodes, &part.patches, &part.features);
                part.nodes.len()
            }
        };
        if let Some(flaw) = out.flaw {
            return Err(FileError::Unwritable { what: flaw.into() });
        }
        bodies.push((count, std::mem::take(&mut out.bytes)));
    }
    let mut shared = out.shared;
    for (section, pool) in [
        (Section::NurbsCurves, &mut shared.curves),
        (Section::NurbsSurfaces, &mut shared.surfaces),
    ] {
        bodies[section as usize] = (pool.len(), std::mem::take(&mut pool.bytes));
    }
    Ok((bodies, shared))
}

fn assemble(sections: &[Body]) -> Result<Vec<u8>, FileError> {
    let bodies: usize = sections.iter().map(|(_, bytes)| bytes.len()).sum();
    let length = PREFIX + TABLE_ENTRY * sections.len() + bodies + CHECKSUM;
    let mut out = Vec::with_capacity(length);
    out.extend_from_slice(&MARK);
    out.extend_from_slice(&FILE_VERSION.to_le_bytes());
    out.extend_from_slice(&(sections.len() as u32).to_le_bytes());
    out.extend_from_slice(&(length as u64).to_le_bytes());
    for (section, (count, bytes)) in Section::ALL.iter().zip(sections) {
        let count = u32::try_from(*count).map_err(|_| FileError::Unwritable {
            what: format!("section {} has too many items", section.tag()).into(),
        })?;
        out.extend_from_slice(section.tag().as_bytes());
        out.extend_from_slice(&count.to_le_bytes());
        out.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
    }
    for (_, bytes) in sections {
        out.extend_from_slice(bytes);
    }
    out.extend_from_slice(&xxh3_64(&out).to_le_bytes());
    Ok(out)
}
