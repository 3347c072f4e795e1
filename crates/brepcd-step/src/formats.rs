//! Files that are something else: say what, and what to do about it.

use crate::error::StepError;

/// Bytes at the start of a file within which the exchange keyword must appear.
const HEAD: usize = 4096;
/// First keyword of every exchange file.
const KEYWORD: &[u8] = b"ISO-10303-21";
/// Bytes of a binary STL before its triangles, and of each triangle.
const STL_HEADER: usize = 84;
const STL_TRIANGLE: usize = 50;

/// Refuses bytes that are no exchange file, naming what they look like.
pub(crate) fn reject_others(bytes: &[u8]) -> Result<(), StepError> {
    let not_step = |what: &str| {
        Err(StepError::NotStep {
            line: 1,
            what: what.to_owned(),
        })
    };
    let start = bytes
        .iter()
        .position(|b| !b.is_ascii_whitespace())
        .unwrap_or(bytes.len());
    let text = &bytes[start..];
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    if text.is_empty() {
        return not_step("the file is empty");
    }
    let head = &text[..text.len().min(HEAD)];
    if head
        .windows(KEYWORD.len())
        .any(|w| w.eq_ignore_ascii_case(KEYWORD))
    {
        return Ok(());
    }
    let starts = |prefix: &str| {
        head.len() >= prefix.len() && head[..prefix.len()].eq_ignore_ascii_case(prefix.as_bytes())
    };
    let binary_stl = bytes.len() >= STL_HEADER && {
        let count = u32::from_le_bytes([bytes[80], bytes[81], bytes[82], bytes[83]]) as usize;
        count > 0 && count.checked_mul(STL_TRIANGLE) == Some(bytes.len() - STL_HEADER)
    };
    if starts("solid") || binary_stl {
        not_step(
            "it looks like an STL mesh; export the part as STEP (AP203, AP214 or AP242) instead",
        )
    } else if starts("PK\x03\x04") {
        not_step("it is a ZIP archive; unpack it first")
    } else if starts("\x1f\u{8b}") || head.starts_with(&[0x1f, 0x8b]) {
        not_step("it is gzip-compressed; unpack it first")
    } else if starts("version https://git-lfs") {
        not_step("it is a Git LFS pointer; fetch the real file with `git lfs pull`")
    } else if starts("<") {
        not_step("it looks like XML or HTML")
    } else if starts("glTF") {
        not_step("it looks like a glTF mesh")
    } else if starts("DBRep_DrawableShape") || starts("CASCADE Topology") {
        not_step("it looks like an Open CASCADE BREP file")
    } else if head.get(72) == Some(&b'S') {
        not_step("it looks like an IGES file")
    } else {
        not_step("the keyword ISO-10303-21 is missing")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_formats_are_named() {
        for (bytes, word) in [
            (&b"solid cube"[..], "STL"),
            (b"PK\x03\x04..", "ZIP"),
            (b"  ", "empty"),
            (b"<html>", "HTML"),
        ] {
            let Err(StepError::NotStep { what, .. }) = reject_others(bytes) else {
                panic!("{word} accepted")
            };
            assert!(what.contains(word), "{what}");
        }
    }
}
