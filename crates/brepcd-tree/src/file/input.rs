//! The bytes of a tree file while they are read: through a small window, so that the file is never in memory as a whole,
//! section by section, and summed up on the way.

use std::borrow::Cow;
use std::io::{ErrorKind, Read};
use std::path::Path;

use brepcd_geom::Point4;
use xxhash_rust::xxh3::Xxh3;

use super::output::{RUN_ANYWHERE, RUN_MODE_BITS, RUN_NEXT, RUN_NOTHING};
use super::sections::{Counts, Section};
use super::{CHECKSUM, FileError};
use crate::Run;

/// Bytes that are read at once: few enough to stay in the cache next to the processor.
const WINDOW: usize = 1 << 16;

/// The bytes of a file, of which those of one section can be had at a time.
pub(super) struct Input<'a> {
    from: &'a mut dyn Read,
    /// What errors of reading name.
    path: &'a Path,
    /// Bytes of the whole file.
    length: u64,
    window: Vec<u8>,
    /// Where in the window the next byte is.
    at: usize,
    /// Where in the window the bytes of the section end that are there.
    limit: usize,
    /// Where in the window the bytes end that are there.
    filled: usize,
    /// Where in the file the window starts.
    base: u64,
    /// Where in the file the section ends.
    end: u64,
    /// Where in the file each section ends.
    ends: [u64; Section::ALL.len()],
    /// Where in the file the current item starts.
    item: u64,
    section: Section,
    sum: Xxh3,
    /// What stopped reading.
    failure: Option<FileError>,
}

impl<'a> Input<'a> {
    /// The bytes of a file of a known length; `path` is for errors.
    pub fn new(from: &'a mut dyn Read, length: u64, path: &'a Path) -> Self {
        let window = length.min(WINDOW as u64) as usize;
        Self {
            from,
            path,
            length,
            window: vec![0; window],
            at: 0,
            limit: 0,
            filled: 0,
            base: 0,
            end: 0,
            ends: [0; Section::ALL.len()],
            item: 0,
            section: Section::Head,
            sum: Xxh3::new(),
            failure: None,
        }
    }

    /// The first bytes of the file, before all sections; fewer if it has fewer.
    pub fn head(&mut self, count: usize) -> Result<Vec<u8>, FileError> {
        let count = self.length.min(count as u64) as usize;
        self.end = count as u64;
        match self.bytes(count) {
            Ok(bytes) => Ok(bytes.to_vec()),
            Err(error) => Err(self.failure.take().unwrap_or(error)),
        }
    }

    /// Sets where in the file each section ends.
    pub fn set_ends(&mut self, ends: [u64; Section::ALL.len()]) {
        self.ends = ends;
    }

    /// Goes on to the next section, which this must be.
    pub fn enter(&mut self, section: Section) -> &mut Self {
        self.section = section;
        self.end = self.ends[section as usize];
        self.item = self.place();
        self.set_limit();
        self
    }

    /// Reads what is left and compares the sum of all bytes with the one at the file's end.
    pub fn check_sum(&mut self) -> Result<(), FileError> {
        self.end = self.length;
        let content = self.length.saturating_sub(CHECKSUM as u64);
        while self.failure.is_none() && self.place() < content {
            let rest = content - self.place();
            let step = rest.min(self.window.len() as u64) as usize;
            // What fails is kept.
            let _ = self.bytes(step);
        }
        let stored = self.array();
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        let (stored, computed) = (u64::from_le_bytes(stored?), self.sum.digest());
        if stored == computed {
            Ok(())
        } else {
            Err(FileError::Checksum { stored, computed })
        }
    }

    /// Where in the file the next byte is.
    #[inline]
    fn place(&self) -> u64 {
        self.base + self.at as u64
    }

    fn set_limit(&mut self) {
        let section = self.end.saturating_sub(self.base);
        self.limit = section.min(self.filled as u64) as usize;
    }

    /// Gets so many bytes of the section into the window.
    #[cold]
    fn fetch(&mut self, count: usize) -> Result<(), FileError> {
        if count > self.left() {
            return Err(self.invalid_at(self.place(), "the section ends inside an item"));
        }
        self.window.copy_within(self.at..self.filled, 0);
        self.base += self.at as u64;
        self.filled -= self.at;
        self.at = 0;
        if self.window.len() < count {
            self.window.resize(count, 0);
        }
        while self.filled < count {
            let start = self.base + self.filled as u64;
            let room = self
                .length
                .saturating_sub(start)
                .min((self.window.len() - self.filled) as u64);
            let free = &mut self.window[self.filled..][..room as usize];
            let error = match self.from.read(free) {
                Ok(got) if got > 0 => {
                    let content = self.length.saturating_sub(CHECKSUM as u64 + start);
                    let summed = content.min(got as u64) as usize;
                    self.sum.update(&free[..summed]);
                    self.filled += got;
                    continue;
                }
                Ok(_) => FileError::CutOff {
                    expected: self.length,
                    found: start,
                },
                Err(e) if e.kind() == ErrorKind::Interrupted => continue,
                Err(source) => FileError::Io {
                    action: "read",
                    path: self.path.to_owned(),
                    source,
                },
            };
            self.failure = Some(error);
            return Err(self.invalid("the file cannot be read"));
        }
        self.set_limit();
        Ok(())
    }

    /// Marks the start of an item, which errors will name.
    #[inline]
    pub fn begin(&mut self) {
        self.item = self.place();
    }

    /// An error in the current item.
    #[cold]
    pub fn invalid(&self, what: impl Into<Cow<'static, str>>) -> FileError {
        self.invalid_at(self.item, what)
    }

    #[cold]
    fn invalid_at(&self, offset: u64, what: impl Into<Cow<'static, str>>) -> FileError {
        FileError::Invalid {
            section: self.section.tag(),
            offset,
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

    /// Bytes of the section that are left.
    pub fn left(&self) -> usize {
        usize::try_from(self.end - self.place()).unwrap_or(usize::MAX)
    }

    /// Some bytes.
    #[inline]
    pub fn bytes(&mut self, count: usize) -> Result<&[u8], FileError> {
        if count > self.limit - self.at {
            self.fetch(count)?;
        }
        let from = self.at;
        self.at += count;
        Ok(&self.window[from..self.at])
    }

    /// As many bytes as the array has.
    #[inline]
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], FileError> {
        let mut out = [0; N];
        out.copy_from_slice(self.bytes(N)?);
        Ok(out)
    }

    /// As many bytes as the array has, where they are.
    #[inline]
    pub fn chunk<const N: usize>(&mut self) -> Result<&[u8; N], FileError> {
        let chunk = self.bytes(N)?.first_chunk();
        // There always is one.
        Ok(chunk.unwrap_or(&[0; N]))
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
        let start = self.place() - 1;
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
        let start = self.place();
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
        let start = self.place();
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

    /// Appends points of three finite numbers each, all with the same weight.
    pub fn points(
        &mut self,
        count: usize,
        weight: f64,
        out: &mut Vec<Point4>,
    ) -> Result<(), FileError> {
        const AT_ONCE: usize = WINDOW / 2 / 24;
        let mut left = count;
        while left > 0 {
            let here = left.min(AT_ONCE);
            let start = self.place();
            // Zeros for finite numbers, else not a number.
            let mut sums = [0.0; 3];
            let triples = self.bytes(here * 24)?.chunks_exact(24);
            out.extend(triples.map(|raw| {
                let number =
                    |at: usize| f64::from_le_bytes(raw[at..at + 8].try_into().unwrap_or_default());
                let [x, y, z] = [number(0), number(8), number(16)];
                sums = [sums[0] + 0.0 * x, sums[1] + 0.0 * y, sums[2] + 0.0 * z];
                Point4::new(x, y, z, weight)
            }));
            if sums != [0.0; 3] {
                return Err(self.invalid_at(start, "a number is not finite"));
            }
            left -= here;
        }
        Ok(())
    }

    /// A text.
    pub fn text(&mut self) -> Result<String, FileError> {
        let start = self.place();
        let len = self.whole()?.min(usize::MAX as u64) as usize;
        let text = std::str::from_utf8(self.bytes(len)?).map(str::to_owned);
        text.map_err(|_| self.invalid_at(start, "a text is not UTF-8"))
    }

    /// A run of a section; `next` is where the one before it ended.
    #[inline]
    pub fn run(&mut self, next: &mut u32, counts: &Counts, of: Section) -> Result<Run, FileError> {
        let from = self.place();
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

    /// Stretches of equal finite numbers, `count` numbers in all, handed on one by one with their length.
    ///
    /// What is kept of them must be bounded by other bytes of the file: a stretch of any length takes nine.
    #[inline]
    pub fn stretches(
        &mut self,
        count: usize,
        mut each: impl FnMut(&Self, usize, f64) -> Result<(), FileError>,
    ) -> Result<(), FileError> {
        let mut left = count as u64;
        while left > 0 {
            let start = self.place();
            let length = self.whole()?;
            if length == 0 || length > left {
                return Err(self.invalid_at(start, "stretches do not add up to their count"));
            }
            left -= length;
            let value = self.number()?;
            each(self, length as usize, value)?;
        }
        Ok(())
    }

    /// An error unless all bytes have been read.
    pub fn finish(&self) -> Result<(), FileError> {
        if self.left() == 0 {
            return Ok(());
        }
        Err(self.invalid_at(self.place(), format!("{} bytes are left over", self.left())))
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

#[cfg(test)]
mod tests {
    use super::*;
    use xxhash_rust::xxh3::xxh3_64;

    /// Hands out a few bytes at a time, and fails at the end if it should.
    struct Slow<'a> {
        bytes: &'a [u8],
        step: usize,
        fails: bool,
    }

    impl Read for Slow<'_> {
        fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
            let count = self.step.min(out.len()).min(self.bytes.len());
            if count == 0 && self.fails {
                return Err(std::io::Error::other("gone"));
            }
            let (now, rest) = self.bytes.split_at(count);
            out[..count].copy_from_slice(now);
            self.bytes = rest;
            Ok(count)
        }
    }

    const NUMBERS: usize = 40_000;

    /// A head of four bytes, a section of numbers, one of a text larger than the window, and the sum of all.
    fn sample() -> (Vec<u8>, [u64; Section::ALL.len()], String) {
        let mut bytes = b"head".to_vec();
        bytes.extend((0..NUMBERS).flat_map(|i| (i as f64).to_le_bytes()));
        let mut ends = [bytes.len() as u64; Section::ALL.len()];
        let text: String = (0..5 * WINDOW / 2)
            .map(|i| char::from(b'a' + (i % 26) as u8))
            .collect();
        let mut out = super::super::output::Output::default();
        out.text(&text);
        bytes.extend(out.bytes);
        ends[1..].fill(bytes.len() as u64);
        bytes.extend(xxh3_64(&bytes).to_le_bytes());
        (bytes, ends, text)
    }

    fn read(from: &mut Slow, length: u64) -> Result<String, FileError> {
        let (_, ends, _) = sample();
        let mut input = Input::new(from, length, Path::new("part.brepcd"));
        assert_eq!(input.head(4)?, b"head");
        input.set_ends(ends);
        let all = (|| {
            let numbers = input.enter(Section::Head).list(NUMBERS, Input::number)?;
            assert!(numbers.iter().enumerate().all(|(i, x)| *x == i as f64));
            let text = input.enter(Section::Names).text()?;
            input.finish()?;
            Ok(text)
        })();
        input.check_sum()?;
        all
    }

    #[test]
    fn windows_and_small_reads_change_nothing() {
        let (bytes, _, text) = sample();
        for step in [1, 7, 4096, WINDOW - 1, usize::MAX] {
            let bytes = &bytes[..];
            let mut slow = Slow {
                bytes,
                step,
                fails: false,
            };
            assert_eq!(read(&mut slow, bytes.len() as u64).unwrap(), text);
        }
    }

    #[test]
    fn files_that_end_or_fail_while_they_are_read_say_so() {
        let (bytes, ..) = sample();
        let length = bytes.len() as u64;
        for end in [2, 5, WINDOW, bytes.len() / 2, bytes.len() - 3] {
            let mut slow = Slow {
                bytes: &bytes[..end],
                step: 1000,
                fails: false,
            };
            let error = read(&mut slow, length).expect_err("cut off");
            assert!(
                matches!(error, FileError::CutOff { found, .. } if found == end as u64),
                "{error}"
            );
            let mut slow = Slow {
                bytes: &bytes[..end],
                step: 1000,
                fails: true,
            };
            let error = read(&mut slow, length).expect_err("gone");
            assert!(error.to_string().contains("part.brepcd"), "{error}");
        }
    }

    #[test]
    fn damage_is_called_damage_even_where_it_breaks_a_rule() {
        let (mut bytes, ..) = sample();
        bytes[4 + 15] = 0x7f;
        bytes[4 + 14] = 0xff;
        let length = bytes.len() as u64;
        let mut slow = Slow {
            bytes: &bytes,
            step: 1000,
            fails: false,
        };
        let error = read(&mut slow, length).expect_err("not finite");
        assert!(matches!(error, FileError::Checksum { .. }), "{error}");
    }
}
