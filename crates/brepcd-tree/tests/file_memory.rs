//! Loading never takes more than a small multiple of the file's size, whatever its bytes say.
#![cfg(target_os = "linux")]

#[path = "file/sample/mod.rs"]
#[allow(dead_code)]
mod sample;

use brepcd_tree::TreePart;
use sample::{Layout, Random};

/// The most memory the process ever asked for, used or not, bytes.
fn peak() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find(|l| l.starts_with("VmPeak:"));
    let digits = |l: &str| l.chars().filter(char::is_ascii_digit).collect::<String>();
    let kilobytes = line.map(digits).and_then(|d| d.parse::<usize>().ok());
    kilobytes.expect("a number") * 1024
}

fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let content = bytes.len() - 8;
    let sum = xxhash_rust::xxh3::xxh3_64(&bytes[..content]);
    bytes[content..].copy_from_slice(&sum.to_le_bytes());
    bytes
}

#[test]
fn memory_is_bounded_by_the_size_of_the_file() {
    let bytes = sample::part(1, 20_000, Layout::Depth).to_bytes().unwrap();
    drop(TreePart::from_bytes(&bytes).unwrap());
    let before = peak();
    let r = &mut Random(1);
    let set = |bytes: &mut [u8], at: usize, new: &[u8]| {
        bytes[at..at + new.len()].copy_from_slice(new);
    };
    // Every section claims as many items as could possibly pass, or more, or all the bytes of the file.
    for entry in (24..24 + 16 * 15).step_by(16) {
        let length = u64::from_le_bytes(bytes[entry + 8..entry + 16].try_into().unwrap());
        for share in [1, 2, 3, 4, 10, 24, 29, 58, 77, 145] {
            let mut hostile = bytes.clone();
            let count = u32::try_from(length / share).unwrap_or(u32::MAX);
            set(&mut hostile, entry + 4, &count.to_le_bytes());
            assert!(TreePart::from_bytes(&sealed(hostile)).is_err() || count < 300_000);
        }
    }
    // Whole numbers of great length anywhere.
    for _ in 0..100 {
        let mut hostile = bytes.clone();
        let at = 264 + r.below(bytes.len() - 290);
        set(&mut hostile, at, &[0xff, 0xff, 0xff, 0xff, 0x0f]);
        let _ = TreePart::from_bytes(&sealed(hostile));
    }
    // One section of one-byte items fills the file.
    for tag in [b"NAME", b"TANG", b"CROS", b"PTCH", b"TRIM", b"FEAT"] {
        let mut hostile = bytes.clone();
        let mut start = 264;
        for entry in (24..24 + 16 * 15).step_by(16) {
            let here = bytes[entry..entry + 4] == *tag;
            let head = &bytes[entry..entry + 4] == b"HEAD";
            let length = u64::from_le_bytes(bytes[entry + 8..entry + 16].try_into().unwrap());
            let length = match (here, head) {
                (true, _) => bytes.len() as u64 - 8 - start,
                (false, true) => length,
                (false, false) => 0,
            };
            let count = if here { length / 2 } else { u64::from(head) };
            set(&mut hostile, entry + 4, &(count as u32).to_le_bytes());
            set(&mut hostile, entry + 8, &length.to_le_bytes());
            start += if here { 0 } else { length };
        }
        assert!(TreePart::from_bytes(&sealed(hostile)).is_err());
    }
    let grown = peak() - before;
    assert!(
        grown < 24 * bytes.len(),
        "{grown} bytes for {}",
        bytes.len()
    );
}
