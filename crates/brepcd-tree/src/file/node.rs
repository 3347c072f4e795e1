//! Nodes: first the tree, as far as it does not follow from which nodes are leaves, then their bounds in their short form
//! if they have one; masks follow.

use brepcd_geom::{Point3, Vec3};

use super::FileError;
use super::check;
use super::input::Input;
use super::order::{Order, UNLINKED, is_leaf, kinds_below, leaves};
use super::output::Output;
use super::sections::{Counts, Section};
use super::shared::Pools;
use crate::short::{Direction, ShortBox, ShortCircle};
use crate::{CircularCone, Content, Feature, Kinds, Node, NodeId, Obb, Patch, PatchId, ShortCone};

/// Bits of a node's first byte that hold the number of generators: 0, 3 or 4.
const GENERATORS: u8 = 7;
/// The circular cone holds all directions.
const WHOLE_CIRCLE: u8 = 8;
/// The box is in its short form.
const SHORT_BOX: u8 = 16;
/// The circular cone is in its short form.
const SHORT_CIRCLE: u8 = 32;

const ALL: u8 = GENERATORS | WHOLE_CIRCLE | SHORT_BOX | SHORT_CIRCLE;

/// The first byte of a node with four generators and all of it in short form, and the bytes that follow.
const ALL_SHORT: u8 = 4 | SHORT_BOX | SHORT_CIRCLE;
const ALL_SHORT_BYTES: usize = ShortBox::BYTES + 4 * Direction::BYTES + ShortCircle::BYTES;

const NO_BOX: &str = "a box that is not finite";
const OFF_GRID: &str = "a generator off the grid";
const NOT_ROUND: &str = "a cone whose sides do not go round";
const NO_ANGLE: &str = "a circular cone without an angle";

/// Bits of the section's first byte that hold the order of the nodes.
const ORDER: u8 = 3;
/// The leaves, from the first to the last, hold the patches in order.
const PATCHES_IN_ORDER: u8 = 4;

pub(super) fn write(out: &mut Output, nodes: &[Node], patches: &[Patch], features: &[Feature]) {
    if let Some(flaw) = masks_flaw(nodes, patches, features) {
        out.flaw = Some(flaw);
        return;
    }
    write_tree(out, nodes.iter().map(|node| node.content).collect());
    let origin = nodes.first().map(|root| root.obb.centre);
    for (i, node) in nodes.iter().enumerate() {
        write_bounds(out, node, origin.as_ref().filter(|_| i > 0));
    }
}

/// Order, leaves, and what they do not tell about patches and children.
fn write_tree(out: &mut Output, mut content: Vec<Content>) {
    let order = Order::of(&content);
    let (mut next, mut in_order) = (0, true);
    let tree = leaves(&mut content, |patch| {
        in_order &= *patch == PatchId(next);
        next += 1;
    });
    let in_order = in_order && tree.is_some();
    let code = Order::ALL.iter().position(|o| *o == order).unwrap_or(0) as u8;
    out.byte(code | if in_order { PATCHES_IN_ORDER } else { 0 });
    for eight in content.chunks(8) {
        let bits = eight.iter().enumerate();
        out.byte(bits.fold(0, |byte, (i, content)| {
            byte | u8::from(is_leaf(content)) << i
        }));
    }
    for (i, content) in content.iter().enumerate() {
        match content {
            Content::Leaf(patch) if !in_order => out.whole(patch.0.into()),
            Content::Inner(children) if order == Order::Any => {
                let mut step = |child: &NodeId| out.whole(u64::from(child.0) - i as u64);
                children.iter().for_each(&mut step);
            }
            Content::Leaf(_) | Content::Inner(_) => {}
        }
    }
}

fn masks_flaw(nodes: &[Node], patches: &[Patch], features: &[Feature]) -> Option<&'static str> {
    let content: Vec<Content> = nodes.iter().map(|node| node.content).collect();
    let kinds = match kinds_below(&content, patches, features) {
        Ok(kinds) => kinds,
        Err((_, flaw)) => return Some(flaw),
    };
    let as_below = |(node, kinds): (&Node, [Kinds; 2])| [node.kinds, node.compatible] == kinds;
    let all = nodes.iter().zip(kinds).all(as_below);
    (!all).then_some("the kinds of a node are not those below it")
}

fn bits(circle: &CircularCone) -> [u64; 5] {
    let axis = &circle.axis;
    [axis.x, axis.y, axis.z, circle.cos, circle.sin].map(f64::to_bits)
}

fn write_bounds(out: &mut Output, node: &Node, origin: Option<&Point3>) {
    let circle = &node.circle;
    let whole = bits(circle) == bits(&CircularCone::WHOLE);
    let short_box = origin.and_then(|origin| ShortBox::exactly(&node.obb, origin));
    let short_circle = ShortCircle::exactly(circle).filter(|_| !whole);
    let flags = [
        (whole, WHOLE_CIRCLE),
        (short_box.is_some(), SHORT_BOX),
        (short_circle.is_some(), SHORT_CIRCLE),
    ];
    let flags = flags.iter().filter(|(on, _)| *on);
    let generators = node.cone.count() as u8;
    out.byte(flags.fold(generators, |all, (_, bit)| all | bit));
    match short_box {
        Some(short) => out.bytes.extend_from_slice(&short.bytes()),
        None => {
            out.vector(&node.obb.centre.coords);
            let [a, b, c] = &node.obb.axes;
            out.axes([a, b, c]);
            out.numbers(node.obb.half.iter());
        }
    }
    out.bytes.extend(node.cone.bytes());
    match short_circle {
        Some(short) => out.bytes.extend_from_slice(&short.bytes()),
        None if whole => {}
        None => {
            out.vector(&circle.axis);
            out.numbers([&circle.cos, &circle.sin]);
        }
    }
}

pub(super) fn read(
    input: &mut Input,
    counts: &Counts,
    pools: &Pools,
    patches: &[Patch],
    features: &[Feature],
) -> Result<Vec<Node>, FileError> {
    let count = counts.of(Section::Nodes);
    let content = read_tree(input, count, patches.len())?;
    let kinds = kinds_below(&content, patches, features)
        .map_err(|(node, what)| input.invalid(format!("node {node}: {what}")))?;
    let mut origin = None;
    let mut nodes = Vec::with_capacity(count);
    // All of a node at once: together they are larger than caches.
    for (content, [kinds, compatible]) in content.into_iter().zip(kinds) {
        input.begin();
        let flags = input.byte()?;
        let (obb, cone, circle) = match &origin {
            Some(origin) if flags == ALL_SHORT => read_short(input, origin)?,
            origin => read_bounds(input, pools, flags, origin.as_ref())?,
        };
        origin.get_or_insert(obb.centre);
        nodes.push(Node {
            obb,
            circle,
            cone,
            kinds,
            compatible,
            content,
        });
    }
    input.finish()?;
    Ok(nodes)
}

/// What all nodes hold.
fn read_tree(input: &mut Input, count: usize, patches: usize) -> Result<Vec<Content>, FileError> {
    let start = input.byte()?;
    input.check(
        start & !(ORDER | PATCHES_IN_ORDER) == 0,
        "an unknown order of nodes",
    )?;
    let order = Order::ALL[usize::from(start & ORDER)];
    let in_order = start & PATCHES_IN_ORDER != 0;
    let bits = input.bytes(count.div_ceil(8))?;
    let unused = bits
        .last()
        .is_some_and(|last| !count.is_multiple_of(8) && last >> (count % 8) != 0);
    let content = bits
        .iter()
        .flat_map(|byte| (0..8).map(move |i| byte >> i & 1));
    let content = content.take(count).map(|bit| match bit {
        0 => UNLINKED,
        _ => Content::Leaf(PatchId(0)),
    });
    let mut content: Vec<Content> = content.collect();
    input.check(!unused, "a leaf that is no node")?;
    for (at, content) in content.iter_mut().enumerate() {
        match content {
            Content::Leaf(patch) if !in_order => {
                *patch = PatchId(input.position(patches, "patch")?);
            }
            Content::Inner(children) if order == Order::Any => {
                for child in children {
                    let step = i64::try_from(input.whole()?).unwrap_or(i64::MAX);
                    *child = NodeId(input.stepped(at as u32, step, count, "node")?);
                }
            }
            Content::Leaf(_) | Content::Inner(_) => {}
        }
    }
    let no_tree = || input.invalid("the nodes make no tree");
    if order != Order::Any && count > 0 {
        order.link(&mut content).ok_or_else(no_tree)?;
    }
    if in_order {
        let mut next = 0;
        let set = |patch: &mut PatchId| {
            *patch = PatchId(next);
            next += 1;
        };
        leaves(&mut content, set).ok_or_else(no_tree)?;
    }
    Ok(content)
}

/// The bounds of a node.
type Bounds = (Obb, ShortCone, CircularCone);

/// The bounds of a node with all of them in short form and four generators, as most have: the same as [`read_bounds`] but
/// with one look at the bytes.
#[inline(always)]
fn read_short(input: &mut Input, origin: &Point3) -> Result<Bounds, FileError> {
    let bytes: &[u8; ALL_SHORT_BYTES] = input.chunk()?;
    let (obb, rest) = bytes.split_at(ShortBox::BYTES);
    let (cone, circle) = rest.split_at(4 * Direction::BYTES);
    let obb = obb
        .first_chunk()
        .and_then(|b| ShortBox::from_bytes(b).obb(origin));
    let cone = cone.first_chunk::<{ 4 * Direction::BYTES }>();
    let cone = cone.and_then(ShortCone::from_bytes);
    let circle = circle
        .first_chunk()
        .and_then(|b| ShortCircle::from_bytes(*b)?.circle());
    match (obb, cone, circle) {
        (Some(obb), Some((cone, unscaled)), Some(circle))
            if check::go_round(unscaled.generators()) =>
        {
            Ok((obb, cone, circle))
        }
        (None, ..) => Err(input.invalid(NO_BOX)),
        (_, None, _) => Err(input.invalid(OFF_GRID)),
        (.., None) => Err(input.invalid(NO_ANGLE)),
        _ => Err(input.invalid(NOT_ROUND)),
    }
}

/// The same for any node.
///
/// `origin` is where centres in short form count from; there is none for the first node.
fn read_bounds(
    input: &mut Input,
    pools: &Pools,
    flags: u8,
    origin: Option<&Point3>,
) -> Result<Bounds, FileError> {
    let count = flags & GENERATORS;
    let two_circles = flags & SHORT_CIRCLE != 0 && flags & WHOLE_CIRCLE != 0;
    let sides = matches!(count, 0 | 3 | 4);
    input.check(
        sides && !two_circles && flags & !ALL == 0,
        "unknown bits in a node",
    )?;
    let obb = if flags & SHORT_BOX != 0 {
        let origin = origin.ok_or_else(|| input.invalid("the first box must be whole"))?;
        let short = ShortBox::from_bytes(&input.array()?);
        let obb = short.obb(origin);
        obb.ok_or_else(|| input.invalid(NO_BOX))?
    } else {
        read_box(input, pools)?
    };
    let cone = match count {
        0 => ShortCone::WHOLE,
        3 => read_cone::<{ 3 * Direction::BYTES }>(input)?,
        _ => read_cone::<{ 4 * Direction::BYTES }>(input)?,
    };
    Ok((obb, cone, read_circle(input, pools, flags)?))
}

#[inline]
fn read_cone<const BYTES: usize>(input: &mut Input) -> Result<ShortCone, FileError> {
    let cone = ShortCone::from_bytes(&input.array::<BYTES>()?);
    let (cone, unscaled) = cone.ok_or_else(|| input.invalid(OFF_GRID))?;
    input.check(check::go_round(unscaled.generators()), NOT_ROUND)?;
    Ok(cone)
}

fn read_box(input: &mut Input, pools: &Pools) -> Result<Obb, FileError> {
    let centre = Point3::from(input.vector(pools)?);
    let axes = input.axes(pools)?;
    let half = Vec3::from(input.numbers::<3>()?);
    input.check(half.min() >= 0.0, "a box with a negative side")?;
    Ok(Obb { centre, axes, half })
}

#[inline]
fn read_circle(input: &mut Input, pools: &Pools, flags: u8) -> Result<CircularCone, FileError> {
    if flags & WHOLE_CIRCLE != 0 {
        return Ok(CircularCone::WHOLE);
    }
    if flags & SHORT_CIRCLE != 0 {
        let short = ShortCircle::from_bytes(input.array()?);
        let circle = short.and_then(ShortCircle::circle);
        return circle.ok_or_else(|| input.invalid(NO_ANGLE));
    }
    let axis = input.vector(pools)?;
    let [cos, sin] = input.numbers()?;
    let circle = CircularCone { axis, cos, sin };
    input.check(check::circle(&circle), NO_ANGLE)?;
    Ok(circle)
}
