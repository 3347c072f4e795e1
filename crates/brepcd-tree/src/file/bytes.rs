//! Numbers as bytes: little-endian, whole numbers as short as they are (LEB128).

use std::borrow::Cow;

use super::FileError;
use super::sections::{Counts, Section};
use super::shared::Shared;
use crate::Run;

/// Bits of a run's code that say where it starts; the rest is its length.
const RUN_MODE_BITS: u32 = 2;
/// A run that starts where the run before it ends.
const RUN_NEXT: u64 = 0;
/// The run of nothing at position 0.
const RUN_NOTHING: u64 = 1;
/// A run whose start follows.
const RUN_ANYWHERE: u64 = 2;

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

/// The bytes of one section while they are read.
pub(super) struct Input<'a> {
    file: &'a [u8],
    at: usize,
    end: usize,
    item: usize,
    section: Section,
}

impl<'a> Input<'a> {
    /// The bytes from `at` to `end` of a file, which must lie in it.
    pub fn new(file: &'a [u8], at: usize, end: usize, section: Section) -> Self {
        Self {
            file,
            at,
            end: end.min(file.len()),
            item: at,
            section,
        }
    }

    /// Marks the start of an item, which errors will name.
    pub fn begin(&mut self) {
        self.item = self.at;
    }

    /// An error in the current item.
    #[cold]
    pub fn invalid(&self, what: impl Into<Cow<'static, str>>) -> FileError {
        self.invalid_at(self.item, what)
    }

    #[cold]
    fn invalid_at(&self, offset: usize, what: impl Into<Cow<'static, str>>) -> FileError {
        FileError::Invalid {
            section: self.section.tag(),
            offset: offset as u64,
            what: what.into(),
        }
    }

    /// An error unless a condition holds.
    #[inline]
    pub fn check(&self, holds: bool, what: &'static str) -> Result<(), FileError> {
        if holds {
            Ok(())
        } else {
            Err(self.invalid(what))
        }
    }

    /// Bytes left.
    pub fn left(&self) -> usize {
        self.end - self.at
    }

    /// Some bytes.
    #[inline]
    pub fn bytes(&mut self, count: usize) -> Result<&'a [u8], FileError> {
        if count > self.left() {
            return Err(self.invalid_at(self.at, "the section ends inside an item"));
        }
        let from = self.at;
        self.at += count;
        Ok(&self.file[from..self.at])
    }

    /// As many bytes as the array has.
    #[inline]
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], FileError> {
        let mut out = [0; N];
        out.copy_from_slice(self.bytes(N)?);
        Ok(out)
    }

    /// One byte.
    #[inline]
    pub fn byte(&mut self) -> Result<u8, FileError> {
        Ok(self.bytes(1)?[0])
    }

    /// A whole number.
    #[inline]
    pub fn whole(&mut self) -> Result<u64, FileError> {
        let first = self.byte()?;
        if first < 0x80 {
            return Ok(first.into());
        }
        self.long_whole(first)
    }

    fn long_whole(&mut self, first: u8) -> Result<u64, FileError> {
        let start = self.at - 1;
        let mut value = u64::from(first & 0x7f);
        let mut shift = 7;
        loop {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if shift > 63 || bits << shift >> shift != bits {
                return Err(self.invalid_at(start, "a whole number is too large"));
            }
            value |= bits << shift;
            if byte < 0x80 {
                return Ok(value);
            }
            shift += 7;
        }
    }

    /// A whole number with a sign.
    pub fn signed(&mut self) -> Result<i64, FileError> {
        let code = self.whole()?;
        Ok((code >> 1) as i64 ^ -((code & 1) as i64))
    }

    /// A position below `count`.
    #[inline]
    pub fn position(&mut self, count: usize, what: &'static str) -> Result<u32, FileError> {
        let start = self.at;
        let value = self.whole()?;
        match u32::try_from(value) {
            Ok(position) if value < count as u64 => Ok(position),
            _ => Err(self.invalid_at(start, format!("there is no {what} {value}, only {count}"))),
        }
    }

    /// A position below `count`, given as a step from the one before.
    pub fn stepped(
        &mut self,
        before: u32,
        step: i64,
        count: usize,
        what: &'static str,
    ) -> Result<u32, FileError> {
        let value = i64::from(before).checked_add(step);
        match value.and_then(|v| u32::try_from(v).ok()) {
            Some(position) if (position as usize) < count => Ok(position),
            _ => Err(self.invalid(format!("a step of {step} leads to no {what}"))),
        }
    }

    /// A finite number.
    #[inline]
    pub fn number(&mut self) -> Result<f64, FileError> {
        Ok(self.numbers::<1>()?[0])
    }

    /// Finite numbers.
    #[inline]
    pub fn numbers<const N: usize>(&mut self) -> Result<[f64; N], FileError> {
        let start = self.at;
        let bytes = self.bytes(8 * N)?;
        let mut out = [0.0; N];
        let mut finite = true;
        for (value, raw) in out.iter_mut().zip(bytes.chunks_exact(8)) {
            *value = f64::from_le_bytes(raw.try_into().unwrap_or_default());
            finite &= value.is_finite();
        }
        if finite {
            Ok(out)
        } else {
            Err(self.invalid_at(start, "a number is not finite"))
        }
    }

    /// Triples of finite numbers, handed on one by one.
    pub fn triples(
        &mut self,
        count: usize,
        mut each: impl FnMut([f64; 3]),
    ) -> Result<(), FileError> {
        let start = self.at;
        let bytes = self.bytes(count.saturating_mul(24))?;
        let mut finite = true;
        for raw in bytes.chunks_exact(24) {
            let number =
                |at: usize| f64::from_le_bytes(raw[at..at + 8].try_into().unwrap_or_default());
            let triple = [number(0), number(8), number(16)];
            finite &= triple.iter().all(|x| x.is_finite());
            each(triple);
        }
        if finite {
            Ok(())
        } else {
            Err(self.invalid_at(start, "a number is not finite"))
        }
    }

    /// A text.
    pub fn text(&mut self) -> Result<String, FileError> {
        let start = self.at;
        let len = self.whole()?.min(usize::MAX as u64) as usize;
        let text = std::str::from_utf8(self.bytes(len)?);
        text.map(str::to_owned)
            .map_err(|_| self.invalid_at(start, "a text is not UTF-8"))
    }

    /// A run of a section; `next` is where the one before it ended.
    #[inline]
    pub fn run(&mut self, next: &mut u32, counts: &Counts, of: Section) -> Result<Run, FileError> {
        let from = self.at;
        let code = self.whole()?;
        let len = code >> RUN_MODE_BITS;
        let start = match code & ((1 << RUN_MODE_BITS) - 1) {
            RUN_NEXT => u64::from(*next),
            RUN_NOTHING if len == 0 => 0,
            RUN_ANYWHERE => self.whole()?,
            _ => return Err(self.invalid_at(from, "a run of an unknown kind")),
        };
        let end = start.checked_add(len);
        let end = end.filter(|end| *end <= counts.of(of) as u64);
        let ends = end.and_then(|end| Some((u32::try_from(start).ok()?, u32::try_from(end).ok()?)));
        let Some((start, end)) = ends else {
            let what = format!(
                "a run of {len} from {start} leaves section {} with its {} items",
                of.tag(),
                counts.of(of)
            );
            return Err(self.invalid_at(from, what));
        };
        if len > 0 {
            *next = end;
        }
        Ok(Run { start, end })
    }

    /// Stretches of equal finite numbers, `count` numbers in all.
    ///
    /// What is kept of them must be bounded by other bytes of the file: a stretch of any length takes nine.
    pub fn stretches(&mut self, count: usize) -> Result<Vec<(usize, f64)>, FileError> {
        let mut out = Vec::new();
        let mut left = count as u64;
        while left > 0 {
            let start = self.at;
            let length = self.whole()?;
            if length == 0 || length > left {
                return Err(self.invalid_at(start, "stretches do not add up to their count"));
            }
            left -= length;
            out.push((length as usize, self.number()?));
        }
        Ok(out)
    }

    /// An error unless all bytes have been read.
    pub fn finish(&self) -> Result<(), FileError> {
        if self.at == self.end {
            return Ok(());
        }
        Err(self.invalid_at(self.at, format!("{} bytes are left over", self.left())))
    }

    /// All items of the section.
    pub fn list<T>(
        &mut self,
        count: usize,
        mut item: impl FnMut(&mut Self) -> Result<T, FileError>,
    ) -> Result<Vec<T>, FileError> {
        let mut out = Vec::with_capacity(count);
        for _ in 0..count {
            self.begin();
            out.push(item(self)?);
        }
        self.finish()?;
        Ok(out)
    }
}
