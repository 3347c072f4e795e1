//! The header and the plain lists.

use brepcd_geom::{Interval, Point2, Point3};

use super::FileError;
use super::input::Input;
use super::output::Output;
use super::sections::{Counts, Section};
use crate::{Border, Crossing, Header, Settings, Shell, Source, SourceKind, TrimId};

/// Code of the unit of length; there is no other.
const MILLIMETRE: u8 = 1;

pub(super) fn write_header(out: &mut Output, header: &Header) {
    let s = &header.settings;
    out.byte(MILLIMETRE);
    out.numbers([
        &s.max_angle,
        &s.min_size,
        &s.regularization,
        &s.border,
        &s.chord,
        &header.tolerance,
        &header.size,
        &header.reach,
    ]);
    out.bytes
        .extend_from_slice(&header.source_hash.to_le_bytes());
    out.text(&header.source);
}

pub(super) fn read_header(input: &mut Input) -> Result<Header, FileError> {
    let unit = input.byte()?;
    input.check(unit == MILLIMETRE, "the unit of length is unknown")?;
    let numbers: [f64; 8] = input.numbers()?;
    input.check(
        numbers.iter().all(|n| *n >= 0.0),
        "a setting or a length is negative",
    )?;
    let [
        max_angle,
        min_size,
        regularization,
        border,
        chord,
        tolerance,
        size,
        reach,
    ] = numbers;
    let hash = input.bytes(8)?.try_into().unwrap_or_default();
    Ok(Header {
        source: input.text()?,
        source_hash: u64::from_le_bytes(hash),
        settings: Settings {
            max_angle,
            min_size,
            regularization,
            border,
            chord,
        },
        tolerance,
        size,
        reach,
    })
}

/// Bit of a source that belongs to the same part as the one before.
const SAME_PART: u8 = 4;

pub(super) fn write_sources(out: &mut Output, sources: &[Source]) {
    let mut before = first_source();
    for source in sources {
        let kind = match source.kind {
            SourceKind::Face => 0,
            SourceKind::Edge => 1,
            SourceKind::Vertex => 2,
        };
        let same = source.part == before.part;
        out.byte(kind | if same { SAME_PART } else { 0 });
        if !same {
            out.whole(source.part.into());
        }
        out.signed(i64::from(source.id) - i64::from(before.id));
        out.signed(source.label.wrapping_sub(before.label) as i64);
        before = *source;
    }
}

fn first_source() -> Source {
    Source {
        kind: SourceKind::Face,
        part: 0,
        id: 0,
        label: 0,
    }
}

pub(super) fn read_sources(input: &mut Input, counts: &Counts) -> Result<Vec<Source>, FileError> {
    let mut before = first_source();
    let names = counts.of(Section::Names);
    input.list(counts.of(Section::Sources), |input| {
        let code = input.byte()?;
        let kind = match code & !SAME_PART {
            0 => SourceKind::Face,
            1 => SourceKind::Edge,
            2 => SourceKind::Vertex,
            _ => return Err(input.invalid("a source of an unknown kind")),
        };
        let part = if code & SAME_PART == 0 {
            input.position(names, "name")?
        } else {
            input.check((before.part as usize) < names, "a source without a name")?;
            before.part
        };
        let step = input.signed()?;
        before = Source {
            kind,
            part,
            id: input.stepped(before.id, step, usize::MAX, "source")?,
            label: before.label.wrapping_add(input.signed()? as u64),
        };
        Ok(before)
    })
}

/// Bit of a shell that encloses something; the others count its points.
const CLOSED: u64 = 1;

pub(super) fn write_shell(out: &mut Output, shell: &Shell) {
    if shell.witnesses.is_empty() {
        out.flaw = Some("a shell without points");
    }
    let count = shell.witnesses.len() as u64;
    out.whole(count << 1 | if shell.closed { CLOSED } else { 0 });
    for point in &shell.witnesses {
        out.numbers(point.iter());
    }
}

pub(super) fn read_shell(input: &mut Input) -> Result<Shell, FileError> {
    let code = input.whole()?;
    let count = code >> 1;
    input.check(count > 0, "a shell without points")?;
    input.check(
        count <= input.left() as u64 / 24,
        "the points of a shell leave the section",
    )?;
    let points = (0..count).map(|_| input.numbers::<3>().map(Point3::from));
    Ok(Shell {
        witnesses: points.collect::<Result<_, _>>()?,
        closed: code & CLOSED != 0,
    })
}

pub(super) fn write_interval(out: &mut Output, interval: &Interval) {
    out.numbers([&interval.lo, &interval.hi]);
}

#[inline]
pub(super) fn read_interval(input: &mut Input) -> Result<Interval, FileError> {
    let [lo, hi] = input.numbers()?;
    input.check(lo <= hi, "an interval ends before it starts")?;
    Ok(Interval { lo, hi })
}

/// The parameter on the curve goes on from the piece before.
const T_GOES_ON: u8 = 1;
/// The surface parameters go on from the piece before.
const UV_GOES_ON: u8 = 2;
/// The first surface parameter is the same at both ends.
const SAME_U: u8 = 4;
/// The second surface parameter is the same at both ends.
const SAME_V: u8 = 8;

fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits()
}

fn first_border() -> Border {
    Border {
        trim: TrimId(0),
        t: [0.0; 2],
        uv: [Point2::origin(); 2],
    }
}

pub(super) fn write_borders(out: &mut Output, borders: &[Border]) {
    let mut before = first_border();
    for border in borders {
        let ([a, b], end) = (border.uv, before.uv[1]);
        let flags = [
            (same(border.t[0], before.t[1]), T_GOES_ON),
            (same(a.x, end.x) && same(a.y, end.y), UV_GOES_ON),
            (same(a.x, b.x), SAME_U),
            (same(a.y, b.y), SAME_V),
        ];
        let flags = flags.iter().filter(|(on, _)| *on);
        let flags = flags.fold(0, |all, (_, bit)| all | bit);
        out.byte(flags);
        out.signed(i64::from(border.trim.0) - i64::from(before.trim.0));
        if flags & T_GOES_ON == 0 {
            out.number(border.t[0]);
        }
        out.number(border.t[1]);
        if flags & UV_GOES_ON == 0 {
            out.numbers([&a.x, &a.y]);
        }
        if flags & SAME_U == 0 {
            out.number(b.x);
        }
        if flags & SAME_V == 0 {
            out.number(b.y);
        }
        before = *border;
    }
}

pub(super) fn read_borders(input: &mut Input, counts: &Counts) -> Result<Vec<Border>, FileError> {
    let mut before = first_border();
    let trims = counts.of(Section::Trims);
    input.list(counts.of(Section::Borders), |input| {
        let flags = input.byte()?;
        input.check(
            flags & !(T_GOES_ON | UV_GOES_ON | SAME_U | SAME_V) == 0,
            "unknown bits in a border",
        )?;
        let has = |flag: u8| flags & flag != 0;
        let step = input.signed()?;
        let trim = input.stepped(before.trim.0, step, trims, "trimming curve")?;
        let t = if has(T_GOES_ON) {
            [before.t[1], input.number()?]
        } else {
            input.numbers()?
        };
        let a = if has(UV_GOES_ON) {
            before.uv[1]
        } else {
            Point2::from(input.numbers::<2>()?)
        };
        let u = if has(SAME_U) { a.x } else { input.number()? };
        let v = if has(SAME_V) { a.y } else { input.number()? };
        before = Border {
            trim: TrimId(trim),
            t,
            uv: [a, Point2::new(u, v)],
        };
        Ok(before)
    })
}

pub(super) fn write_crossings(out: &mut Output, crossings: &[Crossing]) {
    let mut before = 0;
    for crossing in crossings {
        let shifted = crossing.periods != [0; 2];
        // Steps of 33 bits with a sign leave room for one bit more.
        let step = i64::from(crossing.border) - i64::from(before);
        out.signed(step * 2 + i64::from(shifted));
        if shifted {
            crossing.periods.iter().for_each(|p| out.byte(*p as u8));
        }
        before = crossing.border;
    }
}

pub(super) fn read_crossings(
    input: &mut Input,
    counts: &Counts,
) -> Result<Vec<Crossing>, FileError> {
    let mut before = 0;
    let borders = counts.of(Section::Borders);
    input.list(counts.of(Section::Crossings), |input| {
        let code = input.signed()?;
        before = input.stepped(before, code >> 1, borders, "border")?;
        let periods = if code & 1 == 0 {
            [0; 2]
        } else {
            [input.byte()? as i8, input.byte()? as i8]
        };
        Ok(Crossing {
            border: before,
            periods,
        })
    })
}
