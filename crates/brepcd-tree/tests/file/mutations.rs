//! Damaged files by the thousands: none may panic, and none may pass for something it is not.

use brepcd_tree::{FileError, TreePart};

use crate::errors::{sealed, section};
use crate::sample::{self, Layout, Random};
use crate::{LAYOUTS, text};

/// Mutations of each kind and layout.
const EACH: usize = 1500;
/// Damaged files at least that a reader must refuse, and as many with a right checksum.
const LEAST: usize = 10_000;

const TAGS: [&[u8; 4]; 16] = [
    b"HEAD", b"NAME", b"SRCE", b"SHEL", b"VECT", b"NURC", b"NURS", b"SPAN", b"TANG", b"TRIM",
    b"BORD", b"CROS", b"CTRL", b"FEAT", b"PTCH", b"NODE",
];

/// Changes a few bits.
fn flip(bytes: &mut [u8], r: &mut Random) {
    for _ in 0..1 + r.below(3) {
        let at = r.below(bytes.len());
        bytes[at] ^= 1 << r.below(8);
    }
}

/// A byte of a section chosen first, so that small sections get their share.
fn place(bytes: &[u8], r: &mut Random) -> usize {
    let (start, length, _) = section(bytes, TAGS[r.below(TAGS.len())]);
    (start + r.below(length.max(1))).min(bytes.len() - 9)
}

/// Changes that keep the length, behind the checksum.
fn disturb(bytes: &mut [u8], r: &mut Random) {
    let at = place(bytes, r);
    match r.below(6) {
        0 => bytes[at] ^= 1 << r.below(8),
        1 => bytes[at] = r.next() as u8,
        2 => {
            // A number that is none, or none to build on.
            let number = [f64::NAN, f64::INFINITY, -1.0, 0.0, -0.0, 1e300, 5e-324][r.below(7)];
            let end = (at + 8).min(bytes.len() - 8);
            bytes[at..end].copy_from_slice(&number.to_le_bytes()[..end - at]);
        }
        3 => {
            // Whole numbers of great length.
            let end = (at + 1 + r.below(10)).min(bytes.len() - 8);
            bytes[at..end].fill(0xff);
        }
        4 => {
            // Bytes of another place.
            let from = place(bytes, r);
            let length = (1 + r.below(40)).min(bytes.len() - 8 - at.max(from));
            bytes.copy_within(from..from + length, at);
        }
        _ => {
            // A section's bytes moved by one.
            let (start, length, _) = section(bytes, TAGS[r.below(TAGS.len())]);
            bytes[start..start + length].rotate_left(usize::from(length > 0));
        }
    }
}

/// Changes to the table: lengths, counts, tags, swapped entries, moved limits.
fn reorder(bytes: &mut [u8], r: &mut Random) {
    let entry = |r: &mut Random| 24 + 16 * r.below(16);
    let (a, b) = (entry(r), entry(r));
    match r.below(5) {
        0 => {
            let count = [0, 1, 2, 255, 65_536, u32::MAX, r.next() as u32][r.below(7)];
            bytes[a + 4..a + 8].copy_from_slice(&count.to_le_bytes());
        }
        1 => {
            let length = [0, 1, u64::MAX, u64::MAX / 2, 1 << 32, r.next()][r.below(6)];
            bytes[a + 8..a + 16].copy_from_slice(&length.to_le_bytes());
        }
        2 => (0..16).for_each(|i| bytes.swap(a + i, b + i)),
        3 => (4..16).for_each(|i| bytes.swap(a + i, b + i)),
        _ => {
            // One section longer, another shorter, one item more or less.
            bytes[a + 8] = bytes[a + 8].wrapping_add(1);
            bytes[b + 8] = bytes[b + 8].wrapping_sub(1);
            let step = [0, 1, 255][r.below(3)];
            bytes[a + 4] = bytes[a + 4].wrapping_add(step);
        }
    }
}

/// What a file with a right checksum must give: an error, or a part that is written and read as itself.
fn error_or_a_part(bytes: &[u8]) -> bool {
    match TreePart::from_bytes(bytes) {
        Ok(part) => {
            let again = part.to_bytes().expect("what was read can be written");
            let back = TreePart::from_bytes(&again).expect("what was written can be read");
            assert_eq!(text(&part), text(&back));
            true
        }
        Err(error) => {
            assert!(error.to_string().len() < 300, "{error}");
            false
        }
    }
}

#[test]
fn damage_without_a_new_checksum_is_always_an_error() {
    let r = &mut Random(11);
    let mut count = 0;
    for layout in LAYOUTS {
        let bytes = sample::part(11, 20, layout).to_bytes().unwrap();
        for _ in 0..EACH {
            let mut damaged = bytes.clone();
            flip(&mut damaged, r);
            assert!(damaged == bytes || TreePart::from_bytes(&damaged).is_err());
            damaged.truncate(r.below(bytes.len()));
            assert!(TreePart::from_bytes(&damaged).is_err());
            count += 2;
        }
    }
    println!("{count} files damaged or cut, all refused");
    assert!(count >= LEAST, "{count}");
}

#[test]
fn damage_behind_the_checksum_never_panics() {
    let r = &mut Random(12);
    let (mut parts, mut errors) = (0, 0);
    for layout in LAYOUTS {
        let bytes = sample::part(12, 5, layout).to_bytes().unwrap();
        for _ in 0..2 * EACH {
            let mut damaged = bytes.clone();
            for _ in 0..1 + r.below(2) {
                disturb(&mut damaged, r);
            }
            match error_or_a_part(&sealed(damaged)) {
                true => parts += 1,
                false => errors += 1,
            }
        }
    }
    println!("{errors} files damaged behind the checksum refused, {parts} read as another part");
    assert!(parts + errors >= LEAST, "{parts} {errors}");
    // Both sides are exercised.
    assert!(parts > 500 && errors > 3000, "{parts} {errors}");
}

#[test]
fn damage_to_the_table_never_panics() {
    let r = &mut Random(13);
    let mut count = 0;
    for layout in LAYOUTS {
        let bytes = sample::part(13, 5, layout).to_bytes().unwrap();
        for _ in 0..EACH {
            let mut damaged = bytes.clone();
            reorder(&mut damaged, r);
            error_or_a_part(&sealed(damaged));
            count += 1;
        }
    }
    println!("{count} files with a damaged table");
}

#[test]
fn cut_files_with_a_new_length_and_checksum_never_panic() {
    let bytes = sample::part(14, 5, Layout::Depth).to_bytes().unwrap();
    for end in 32..bytes.len() {
        let mut cut = bytes[..end].to_vec();
        cut[16..24].copy_from_slice(&(end as u64).to_le_bytes());
        assert!(!error_or_a_part(&sealed(cut)), "{end}");
    }
    println!("{} files cut with a new length", bytes.len() - 32);
}

#[test]
fn swapped_sections_are_errors() {
    let bytes = sample::part(15, 5, Layout::Depth).to_bytes().unwrap();
    for (i, a) in TAGS.iter().enumerate() {
        for b in &TAGS[i + 1..] {
            let (.., a) = section(&bytes, a);
            let (.., b) = section(&bytes, b);
            let mut swapped = bytes.clone();
            (0..16).for_each(|i| swapped.swap(a + i, b + i));
            let error = TreePart::from_bytes(&sealed(swapped)).expect_err("swapped");
            let FileError::Invalid { section, .. } = error else {
                panic!("{error}");
            };
            assert_eq!(section, "table");
        }
    }
}
