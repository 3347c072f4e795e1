//! Takes a tree file apart, trusting nothing.

use xxhash_rust::xxh3::xxh3_64;

use super::bytes::Input;
use super::sections::{Counts, Section};
use super::shared::Pools;
use super::{
    CHECKSUM, FILE_VERSION, FileError, MARK, MEMORY_FACTOR, PREFIX, TABLE_ENTRY, feature, lists,
    node, nurbs, patch, shape,
};
use crate::TreePart;

/// The part of a file's bytes.
pub(super) fn file(bytes: &[u8]) -> Result<TreePart, FileError> {
    check_whole(bytes)?;
    let (counts, ends) = table(bytes)?;
    let input = |section: Section| {
        let at = section as usize;
        Input::new(bytes, ends[at], ends[at + 1], section)
    };
    let count = |section| counts.of(section);

    let mut head = input(Section::Head).list(count(Section::Head), lists::read_header)?;
    let names = input(Section::Names).list(count(Section::Names), Input::text)?;
    let sources = lists::read_sources(&mut input(Section::Sources), &counts)?;
    let shells = input(Section::Shells).list(count(Section::Shells), lists::read_shell)?;
    let pools = Pools {
        vectors: input(Section::Vectors).list(count(Section::Vectors), |input| {
            Ok(input.numbers::<3>()?.into())
        })?,
        curves: input(Section::NurbsCurves).list(count(Section::NurbsCurves), nurbs::read_curve)?,
        surfaces: input(Section::NurbsSurfaces)
            .list(count(Section::NurbsSurfaces), nurbs::read_surface)?,
    };
    let spans = input(Section::Spans).list(count(Section::Spans), lists::read_interval)?;
    let tangents =
        input(Section::Tangents).list(count(Section::Tangents), |input| input.unit(&pools))?;
    let trims = input(Section::Trims).list(count(Section::Trims), |input| {
        shape::read_curve(input, &pools)
    })?;
    let borders = lists::read_borders(&mut input(Section::Borders), &counts)?;
    let crossings = lists::read_crossings(&mut input(Section::Crossings), &counts)?;
    let mut points = input(Section::Control);
    let control = nurbs::read_control(&mut points, count(Section::Control))?;
    points.finish()?;
    let features = feature::read(&mut input(Section::Features), &counts, &pools)?;
    let patches = patch::read(&mut input(Section::Patches), &counts, &features)?;
    let nodes = node::read(
        &mut input(Section::Nodes),
        &counts,
        &pools,
        &patches,
        &features,
    )?;
    let header = head.pop();
    Ok(TreePart {
        header: header.ok_or_else(|| input(Section::Head).invalid("there is no header"))?,
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

/// Mark, version, length and checksum.
fn check_whole(bytes: &[u8]) -> Result<(), FileError> {
    let found = bytes.len() as u64;
    let table_end = PREFIX + TABLE_ENTRY * Section::ALL.len() + CHECKSUM;
    let begin = &bytes[..bytes.len().min(MARK.len())];
    if begin.is_empty() || !MARK.starts_with(begin) {
        return Err(FileError::NotATreeFile);
    }
    if bytes.len() < PREFIX {
        let expected = table_end as u64;
        return Err(FileError::CutOff { expected, found });
    }
    let version = u32_at(bytes, MARK.len());
    if version != FILE_VERSION {
        return Err(FileError::OtherVersion { found: version });
    }
    let expected = u64_at(bytes, MARK.len() + 8).max(table_end as u64);
    if found < expected {
        return Err(FileError::CutOff { expected, found });
    }
    if found > expected {
        return Err(FileError::TooLong { expected, found });
    }
    let (content, stored) = bytes.split_at(bytes.len() - CHECKSUM);
    let (stored, computed) = (u64_at(stored, 0), xxh3_64(content));
    if stored != computed {
        return Err(FileError::Checksum { stored, computed });
    }
    Ok(())
}

/// How many items each section has, and the bytes at which the first starts and each ends.
fn table(bytes: &[u8]) -> Result<(Counts, [usize; Section::ALL.len() + 1]), FileError> {
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
    let first = PREFIX + TABLE_ENTRY * Section::ALL.len();
    let content = bytes.len() - CHECKSUM;
    let mut ends = [first; Section::ALL.len() + 1];
    for (i, section) in Section::ALL.into_iter().enumerate() {
        let at = PREFIX + TABLE_ENTRY * i;
        if bytes[at..at + 4] != *section.tag().as_bytes() {
            return Err(invalid(at, format!("section {} is missing", section.tag())));
        }
        let (count, length) = (u32_at(bytes, at + 4), u64_at(bytes, at + 8));
        if u64::from(count) * section.smallest_item() > length {
            let what = format!(
                "{count} items do not fit the {length} bytes of section {}",
                section.tag()
            );
            return Err(invalid(at, what));
        }
        if length > (content - ends[i]) as u64 {
            return Err(invalid(
                at,
                format!("section {} leaves the file", section.tag()),
            ));
        }
        ends[i + 1] = ends[i] + length as usize;
        counts.set(section, count);
    }
    if counts.of(Section::Head) != 1 {
        return Err(invalid(PREFIX, "there is not one header".into()));
    }
    if ends[Section::ALL.len()] != content {
        return Err(invalid(PREFIX, "the sections do not fill the file".into()));
    }
    if counts.in_memory() > MEMORY_FACTOR * bytes.len() as u64 {
        let what = format!("{} bytes of items in so small a file", counts.in_memory());
        return Err(invalid(PREFIX, what));
    }
    Ok((counts, ends))
}
