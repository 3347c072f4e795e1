//! Patches; those of one feature mostly follow each other and share ranges.

use brepcd_geom::{Curve, Interval, Point2, Surface};

use super::FileError;
use super::input::Input;
use super::lists::{read_interval, write_interval};
use super::output::Output;
use super::sections::{Counts, Section};
use crate::{Feature, FeatureId, Membership, Patch, Run, Shape};

/// Borders cross the patch.
const CROSSED: u8 = 1;
/// The reference point lies inside.
const INSIDE: u8 = 2;
/// The first range is that of the patch before.
const SAME_U: u8 = 4;
/// The second range is that of the patch before.
const SAME_V: u8 = 8;
/// The feature is that of the patch before.
const SAME_FEATURE: u8 = 16;
/// The feature follows that of the patch before.
const NEXT_FEATURE: u8 = 32;

const ALL: u8 = CROSSED | INSIDE | SAME_U | SAME_V | SAME_FEATURE | NEXT_FEATURE;

/// What the first patch is compared with.
fn first_patch() -> Patch {
    let nothing = Interval { lo: 0.0, hi: 0.0 };
    Patch {
        feature: FeatureId(0),
        u: nothing,
        v: nothing,
        membership: Membership::Inside,
        control: Run::default(),
    }
}

fn same(a: &Interval, b: &Interval) -> bool {
    a.lo.to_bits() == b.lo.to_bits() && a.hi.to_bits() == b.hi.to_bits()
}

pub(super) fn write(out: &mut Output, patches: &[Patch]) {
    let (mut crossings, mut control) = (0, 0);
    let mut before = first_patch();
    for patch in patches {
        let feature = match patch.feature.0.checked_sub(before.feature.0) {
            Some(0) => SAME_FEATURE,
            Some(1) => NEXT_FEATURE,
            _ => 0,
        };
        let membership = match patch.membership {
            Membership::Inside => 0,
            Membership::Crossed { inside: false, .. } => CROSSED,
            Membership::Crossed { inside: true, .. } => CROSSED | INSIDE,
        };
        let u = if same(&patch.u, &before.u) { SAME_U } else { 0 };
        let v = if same(&patch.v, &before.v) { SAME_V } else { 0 };
        out.byte(feature | membership | u | v);
        if feature == 0 {
            out.whole(patch.feature.0.into());
        }
        if u == 0 {
            write_interval(out, &patch.u);
        }
        if v == 0 {
            write_interval(out, &patch.v);
        }
        if let Membership::Crossed {
            pieces, reference, ..
        } = patch.membership
        {
            out.run(pieces, &mut crossings);
            out.numbers([&reference.x, &reference.y]);
        }
        out.run(patch.control, &mut control);
        before = *patch;
    }
}

pub(super) fn read(
    input: &mut Input,
    counts: &Counts,
    features: &[Feature],
) -> Result<Vec<Patch>, FileError> {
    let (mut crossings, mut control) = (0, 0);
    let mut before = first_patch();
    input.list(counts.of(Section::Patches), |input| {
        let flags = input.byte()?;
        let has = |flag: u8| flags & flag != 0;
        let two_features = has(SAME_FEATURE) && has(NEXT_FEATURE);
        input.check(
            flags & !ALL == 0 && !two_features,
            "unknown bits in a patch",
        )?;
        let feature = if has(SAME_FEATURE | NEXT_FEATURE) {
            let step = i64::from(has(NEXT_FEATURE));
            input.stepped(before.feature.0, step, features.len(), "feature")?
        } else {
            input.position(features.len(), "feature")?
        };
        let u = if has(SAME_U) {
            before.u
        } else {
            read_interval(input)?
        };
        let v = if has(SAME_V) {
            before.v
        } else {
            read_interval(input)?
        };
        let membership = if has(CROSSED) {
            Membership::Crossed {
                pieces: input.run(&mut crossings, counts, Section::Crossings)?,
                reference: Point2::from(input.numbers::<2>()?),
                inside: has(INSIDE),
            }
        } else {
            input.check(!has(INSIDE), "a reference point of no use")?;
            Membership::Inside
        };
        before = Patch {
            feature: FeatureId(feature),
            u,
            v,
            membership,
            control: input.run(&mut control, counts, Section::Control)?,
        };
        check(input, &before, &features[feature as usize].shape)?;
        Ok(before)
    })
}

/// Only faces have borders, and only splines control points: as many as their degrees say.
fn check(input: &Input, patch: &Patch, shape: &Shape) -> Result<(), FileError> {
    let face = matches!(shape, Shape::Face { .. });
    input.check(
        face || patch.membership == Membership::Inside,
        "a border crosses a patch of no face",
    )?;
    if patch.control.is_empty() {
        return Ok(());
    }
    let expected = match shape {
        Shape::Face {
            surface: Surface::Nurbs(s),
            ..
        } => (s.degree_u + 1) * (s.degree_v + 1),
        Shape::Edge {
            curve: Curve::Nurbs(c),
            ..
        } => c.degree + 1,
        Shape::Face { .. } | Shape::Edge { .. } | Shape::Vertex { .. } => 0,
    };
    input.check(
        patch.control.len() == expected,
        "the control points of a patch do not fit its degree",
    )
}
