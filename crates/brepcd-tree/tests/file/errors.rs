//! Every error, provoked.

use brepcd_tree::*;

use crate::sample::{self, Layout};
use crate::text;

/// The bytes with the checksum that belongs to them.
pub fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let content = bytes.len().saturating_sub(8);
    let sum = xxhash_rust::xxh3::xxh3_64(&bytes[..content]);
    bytes[content..].copy_from_slice(&sum.to_le_bytes());
    bytes
}

fn small() -> TreePart {
    sample::part(2, 10, Layout::Depth)
}

fn read(bytes: &[u8]) -> FileError {
    TreePart::from_bytes(bytes).expect_err("must not be read")
}

/// Where a section starts and how long it is, and where its table entry is.
pub fn section(bytes: &[u8], tag: &[u8; 4]) -> (usize, usize, usize) {
    let number = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
    let mut start = 24 + 16 * 16;
    for entry in (24..).step_by(16).take(16) {
        let length = number(entry + 8);
        if bytes[entry..entry + 4] == *tag {
            return (start, length, entry);
        }
        start += length;
    }
    panic!("no section {tag:?}");
}

#[test]
fn other_files_are_told_from_tree_files() {
    for other in [&b""[..], b"ISO-10303-21;", b"\x89PNG\r\n\x1a\n", b"x"] {
        assert!(matches!(read(other), FileError::NotATreeFile), "{other:?}");
    }
    assert!(read(b"ISO-10303-21;").to_string().contains("preprocess"));
}

#[test]
fn other_versions_say_so_even_if_all_else_differs() {
    let mut bytes = small().to_bytes().unwrap();
    bytes[8] = 7;
    bytes.truncate(100);
    let error = read(&bytes);
    assert!(matches!(error, FileError::OtherVersion { found: 7 }));
    let text = error.to_string();
    assert!(
        text.contains("version 7") && text.contains("preprocess"),
        "{text}"
    );
}

#[test]
fn every_cut_is_seen() {
    let bytes = small().to_bytes().unwrap();
    for end in 1..bytes.len() {
        let error = read(&bytes[..end]);
        assert!(
            matches!(error, FileError::CutOff { found, .. } if found == end as u64),
            "{end}: {error}"
        );
    }
}

#[test]
fn what_follows_the_end_is_seen() {
    let mut bytes = small().to_bytes().unwrap();
    bytes.extend_from_slice(b"\r\n");
    let error = read(&bytes);
    assert!(matches!(error, FileError::TooLong { .. }), "{error}");
    assert!(error.to_string().contains("2 bytes"));
}

#[test]
fn damage_is_seen_by_the_checksum() {
    let bytes = small().to_bytes().unwrap();
    for at in (24..bytes.len()).step_by(7) {
        let mut bytes = bytes.clone();
        bytes[at] ^= 0x10;
        let error = read(&bytes);
        assert!(matches!(error, FileError::Checksum { .. }), "{at}: {error}");
    }
}

/// The error of the file with some bytes of a section replaced and the checksum renewed.
fn patched(part: &TreePart, tag: &[u8; 4], at: usize, new: &[u8]) -> (u64, u64, FileError) {
    let mut bytes = part.to_bytes().unwrap();
    let (start, ..) = section(&bytes, tag);
    bytes[start + at..start + at + new.len()].copy_from_slice(new);
    let error = read(&sealed(bytes));
    let FileError::Invalid { offset, .. } = &error else {
        panic!("{error}");
    };
    ((start + at) as u64, *offset, error)
}

#[test]
fn invalid_content_is_located() {
    let part = small();
    // A span that starts at NaN: the third of its section.
    let (at, offset, error) = patched(&part, b"SPAN", 32, &f64::NAN.to_le_bytes());
    assert_eq!(at, offset);
    let text = error.to_string();
    assert!(text.contains("SPAN") && text.contains("finite"), "{text}");
    assert!(text.contains(&format!("byte {offset}")), "{text}");
    // A source that is neither face nor edge nor vertex.
    let (at, offset, error) = patched(&part, b"SRCE", 0, &[3]);
    assert_eq!(at, offset, "{error}");
    // An unknown unit.
    let (at, offset, _) = patched(&part, b"HEAD", 0, &[2]);
    assert_eq!(at, offset);
    // Nodes in another order than theirs.
    let (.., error) = patched(&part, b"NODE", 0, &[4]);
    assert!(error.to_string().contains("NODE"), "{error}");
}

#[test]
fn hostile_counts_are_refused_before_anything_is_allocated() {
    let bytes = small().to_bytes().unwrap();
    for entry in (24..24 + 16 * 16).step_by(16) {
        for count in [u32::MAX, u32::MAX / 3, 1 << 20] {
            let mut bytes = bytes.clone();
            bytes[entry + 4..entry + 8].copy_from_slice(&count.to_le_bytes());
            let error = read(&sealed(bytes));
            let FileError::Invalid { section, .. } = error else {
                panic!("{error}");
            };
            assert_eq!(section, "table");
        }
    }
}

fn refused(change: impl FnOnce(&mut TreePart)) -> String {
    let mut part = small();
    change(&mut part);
    let error = part.to_bytes().expect_err("must not be written");
    assert!(matches!(error, FileError::Unwritable { .. }), "{error}");
    error.to_string()
}

#[test]
fn parts_that_break_the_rules_are_not_written() {
    let text = refused(|p| p.nodes[0].kinds = Kinds::VERTEX);
    assert!(text.contains("kinds of a node"), "{text}");
    let text = refused(|p| p.spans[0].lo = f64::INFINITY);
    assert!(text.contains("SPAN"), "{text}");
    refused(|p| p.sources[0].part = 3);
    refused(|p| p.borders[0].trim = TrimId(1000));
    refused(|p| p.crossings[0].border = 1000);
    refused(|p| p.patches[0].feature = FeatureId(1000));
    refused(|p| p.patches[0].control = Run { start: 0, end: 5 });
    refused(|p| p.features[0].sources = Run { start: 2, end: 1 });
    refused(|p| p.features[0].sources.end = 1000);
    refused(|p| p.features[0].kind = Kinds::LINE);
    refused(|p| p.features.swap(0, 15));
    refused(|p| p.nodes[0].content = Content::Inner([NodeId(0), NodeId(1)]));
    refused(|p| p.nodes[0].content = Content::Leaf(PatchId(0)));
    refused(|p| p.nodes[0].obb.half.x = -1.0);
    refused(|p| p.nodes[0].obb.axes[1] *= 2.0);
    refused(|p| p.tangents[0] *= 2.0);
    refused(|p| {
        p.nodes.pop();
    });
    refused(|p| {
        p.patches.pop();
    });
}

/// A folder of its own for a test, removed at the end.
struct Folder(std::path::PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let name = format!("brepcd-tree-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn files(&self) -> usize {
        std::fs::read_dir(&self.0).unwrap().count()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn saving_replaces_the_file_and_leaves_nothing_else() {
    let folder = Folder::new("save");
    let path = folder.0.join("part.brepcd");
    std::fs::write(&path, "something old").unwrap();
    let part = small();
    part.save(&path).unwrap();
    assert_eq!(text(&TreePart::load(&path).unwrap()), text(&part));
    assert_eq!(folder.files(), 1);
}

#[test]
fn failures_to_save_leave_nothing_behind() {
    let folder = Folder::new("fail");
    // A folder cannot be replaced by a file.
    let path = folder.0.join("taken.brepcd");
    std::fs::create_dir(&path).unwrap();
    std::fs::write(path.join("inside"), "x").unwrap();
    let error = small().save(&path).expect_err("a folder");
    assert!(
        matches!(
            error,
            FileError::Io {
                action: "replace",
                ..
            }
        ),
        "{error}"
    );
    assert!(error.to_string().contains("taken.brepcd"));
    assert_eq!(folder.files(), 1);
    let error = small().save(folder.0.join("no/where.brepcd"));
    assert!(matches!(
        error,
        Err(FileError::Io {
            action: "create",
            ..
        })
    ));
    let mut broken = small();
    broken.tangents.clear();
    assert!(broken.save(folder.0.join("broken.brepcd")).is_err());
    assert_eq!(folder.files(), 1);
}

#[test]
fn missing_files_are_named() {
    let error = TreePart::load("no/such/part.brepcd").expect_err("missing");
    assert!(matches!(error, FileError::Io { action: "read", .. }));
    assert!(error.to_string().contains("part.brepcd"));
}

#[test]
fn writers_that_fail_are_reported() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("full"))
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let error = small().write(&mut Full).expect_err("full");
    assert!(matches!(error, FileError::Write(_)), "{error}");
}
