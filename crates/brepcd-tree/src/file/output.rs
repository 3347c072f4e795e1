//! Numbers to bytes: little-endian, whole numbers as short as they are (LEB128).

use super::shared::Shared;
use crate::Run;

/// Bits of a run's code that say where it starts; the rest is its length.
pub(super) const RUN_MODE_BITS: u32 = 2;
/// A run that starts where the run before it ends.
pub(super) const RUN_NEXT: u64 = 0;
/// The run of nothing at position 0.
pub(super) const RUN_NOTHING: u64 = 1;
/// A run whose start follows.
pub(super) const RUN_ANYWHERE: u64 = 2;

/// Bytes in the making.
#[derive(Default)]
pub(super) struct Output {
    /// What has been written.
    pub bytes: Vec<u8>,
    /// What several sections refer to.
    pub shared: Shared,
    /// The first rule the part was seen to break.
    pub flaw: Option<&'static str>,
}

impl Output {
    /// One byte.
    pub fn byte(&mut self, value: u8) {
        self.bytes.push(value);
    }

    /// A whole number: seven bits a byte, lowest first, the top bit set on all but the last.
    pub fn whole(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    /// A whole number with a sign: 0, -1, 1, -2, … as 0, 1, 2, 3, …
    pub fn signed(&mut self, value: i64) {
        self.whole(((value << 1) ^ (value >> 63)) as u64);
    }

    /// A number, eight bytes.
    pub fn number(&mut self, value: f64) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    /// Some numbers.
    pub fn numbers<'a>(&mut self, values: impl IntoIterator<Item = &'a f64>) {
        for value in values {
            self.number(*value);
        }
    }

    /// A text: its length in bytes, then UTF-8.
    pub fn text(&mut self, text: &str) {
        self.whole(text.len() as u64);
        self.bytes.extend_from_slice(text.as_bytes());
    }

    /// A run; `next` is where the one before it ended.
    pub fn run(&mut self, run: Run, next: &mut u32) {
        if run.end < run.start {
            self.flaw = Some("a run ends before it starts");
        }
        let len = (run.len() as u64) << RUN_MODE_BITS;
        if run.start == *next {
            self.whole(len | RUN_NEXT);
        } else if run == Run::default() {
            self.whole(RUN_NOTHING);
        } else {
            self.whole(len | RUN_ANYWHERE);
            self.whole(run.start.into());
        }
        if !run.is_empty() {
            *next = run.end;
        }
    }

    /// Numbers as (how often, value) for each stretch of equal ones.
    pub fn stretches(&mut self, values: impl IntoIterator<Item = f64>) {
        let mut values = values.into_iter().peekable();
        while let Some(value) = values.next() {
            let mut count = 1;
            while values.next_if(|v| *v == value).is_some() {
                count += 1;
            }
            self.whole(count);
            self.number(value);
        }
    }
}
