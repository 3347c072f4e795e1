//! Takes a tree file apart, trusting nothing.

use std::io::Read;
use std::path::Path;

use super::input::Input;
use super::sections::{Counts, Section};
use super::shared::Pools;
use super::{
    CHECKSUM, FILE_VERSION, FileError, MARK, MEMORY_FACTOR, PREFIX, TABLE_ENTRY, feature, lists,
    node, nurbs, patch, shape,
};
use crate::TreePart;

/// Mark, version, number of sections, length, table.
const TABLE_END: usize = PREFIX + TABLE_ENTRY * Section::ALL.len();

/// The part of a file of a known length; `path` is for errors.
pub(super) fn file(from: &mut dyn Read, length: u64, path: &Path) -> Result<TreePart, FileError> {
    let mut input = Input::new(from, length, path);
    let head = input.head(TABLE_END)?;
    check_prefix(&head, length)?;
    // Damage may show before all bytes are there, but it is the checksum that tells it from a part that breaks a rule.
    let part = table(&head, length).and_then(|(counts, ends)| {
        input.set_ends(ends);
        sections(&mut input, &counts)
    });
    input.check_sum()?;
    part
}

/// All sections, one after the other.
fn sections(input: &mut Input, counts: &Counts) -> Result<TreePart, FileError> {
    let count = |section| counts.of(section);
    let mut headers = input
        .enter(Section::Head)
        .list(count(Section::Head), lists::read_header)?;
    let header = headers.pop();
    let header = header.ok_or_else(|| input.invalid("there is no header"))?;
    let names = input
        .enter(Section::Names)
        .list(count(Section::Names), Input::text)?;
    let sources = lists::read_sources(input.enter(Section::Sources), counts)?;
    let shells = input
        .enter(Section::Shells)
        .list(count(Section::Shells), lists::read_shell)?;
    let pools = Pools {
        vectors: input
            .enter(Section::Vectors)
            .list(count(Section::Vectors), |input| {
                Ok(input.numbers::<3>()?.into())
            })?,
        curves: input
            .enter(Section::NurbsCurves)
            .list(count(Section::NurbsCurves), nurbs::read_curve)?,
        surfaces: input
            .enter(Section::NurbsSurfaces)
            .list(count(Section::NurbsSurfaces), nurbs::read_surface)?,
    };
    let spans = input
        .enter(Section::Spans)
        .list(count(Section::Spans), lists::read_interval)?;
    let tangents = input
        .enter(Section::Tangents)
        .list(count(Section::Tangents), |input| input.unit(&pools))?;
    let trims = input
        .enter(Section::Trims)
        .list(count(Section::Trims), |input| {
            shape::read_curve(input, &pools)
        })?;
    let borders = lists::read_borders(input.enter(Section::Borders), counts)?;
    let crossings = lists::read_crossings(input.enter(Section::Crossings), counts)?;
    let control = nurbs::read_control(input.enter(Section::Control), count(Section::Control))?;
    input.finish()?;
    let features = feature::read(input.enter(Section::Features), counts, &pools)?;
    let patches = patch::read(input.enter(Section::Patches), counts, &features)?;
    let nodes = node::read(
        input.enter(Section::Nodes),
        counts,
        &pools,
        &patches,
        &features,
    )?;
    Ok(TreePart {
        header,
        names,
        sources,
        shells,
        features,
        spans,
        tangents,
        trims,
        borders,
        crossings,
        control,
        patches,
        nodes,
    })
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    let raw = bytes.get(at..at + 4).and_then(|raw| raw.try_into().ok());
    u32::from_le_bytes(raw.unwrap_or_default())
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    let raw = bytes.get(at..at + 8).and_then(|raw| raw.try_into().ok());
    u64::from_le_bytes(raw.unwrap_or_default())
}

/// Mark, version and length; `head` has the file's first bytes.
fn check_prefix(head: &[u8], found: u64) -> Result<(), FileError> {
    let least = (TABLE_END + CHECKSUM) as u64;
    let begin = &head[..head.len().min(MARK.len())];
    if begin.is_empty() || !MARK.starts_with(begin) {
        return Err(FileError::NotATreeFile);
    }
    if head.len() < PREFIX {
        let expected = least;
        return Err(FileError::CutOff { expected, found });
    }
    let version = u32_at(head, MARK.len());
    if version != FILE_VERSION {
        return Err(FileError::OtherVersion { found: version });
    }
    let expected = u64_at(head, MARK.len() + 8).max(least);
    if found < expected {
        return Err(FileError::CutOff { expected, found });
    }
    if found > expected {
        return Err(FileError::TooLong { expected, found });
    }
    Ok(())
}

/// How many items each section has, and where each ends.
fn table(bytes: &[u8], length: u64) -> Result<(Counts, [u64; Section::ALL.len()]), FileError> {
    let invalid = |at: usize, what: String| FileError::Invalid {
        section: "table",
        offset: at as u64,
        what: what.into(),
    };
    let number = u32_at(bytes, MARK.len() + 4);
    if number as usize != Section::ALL.len() {
        return Err(invalid(
            MARK.len() + 4,
            format!("{number} sections instead of {}", Section::ALL.len()),
        ));
    }
    let mut counts = Counts::default();
    let content = length - CHECKSUM as u64;
    let mut end = TABLE_END as u64;
    let mut ends = [end; Section::ALL.len()];
    for (i, section) in Section::ALL.into_iter().enumerate() {
        let at = PREFIX + TABLE_ENTRY * i;
        if bytes[at..at + 4] != *section.tag().as_bytes() {
            return Err(invalid(at, format!("section {} is missing", section.tag())));
        }
        let (count, own) = (u32_at(bytes, at + 4), u64_at(bytes, at + 8));
        if u64::from(count) * section.smallest_item() > own {
            let what = format!(
                "{count} items do not fit the {own} bytes of section {}",
                section.tag()
            );
            return Err(invalid(at, what));
        }
        if own > content - end {
            return Err(invalid(
                at,
                format!("section {} leaves the file", section.tag()),
            ));
        }
        end += own;
        ends[i] = end;
        counts.set(section, count);
    }
    if counts.of(Section::Head) != 1 {
        return Err(invalid(PREFIX, "there is not one header".into()));
    }
    if end != content {
        return Err(invalid(PREFIX, "the sections do not fill the file".into()));
    }
    if counts.in_memory() > MEMORY_FACTOR.saturating_mul(length) {
        let what = format!("{} bytes of items in so small a file", counts.in_memory());
        return Err(invalid(PREFIX, what));
    }
    Ok((counts, ends))
}
