//! Nodes: bounds in their short form if they have one, the tree and the masks only where they do not follow.

use brepcd_geom::{Point3, Vec3};

use super::FileError;
use super::check;
use super::input::Input;
use super::order::{Order, is_leaf, kinds_below, leaves};
use super::output::Output;
use super::sections::{Counts, Section};
use super::shared::Pools;
use crate::short::{Direction, ShortBox, ShortCircle};
use crate::{CircularCone, Content, Feature, Kinds, Node, NodeId, NormalCone, Obb, Patch, PatchId};

/// Bits of a node's first byte that hold the number of generators.
const GENERATORS: u8 = 7;
/// The node is a leaf.
const LEAF: u8 = 8;
/// The circular cone holds all directions.
const WHOLE_CIRCLE: u8 = 16;
/// The box is in its short form.
const SHORT_BOX: u8 = 32;
/// The generators are in their short form.
const SHORT_GENERATORS: u8 = 64;
/// The circular cone is in its short form.
const SHORT_CIRCLE: u8 = 128;

/// Bits of the section's first byte that hold the order of the nodes.
const ORDER: u8 = 3;
/// The leaves, from the first to the last, hold the patches in order.
const PATCHES_IN_ORDER: u8 = 4;

pub(super) fn write(out: &mut Output, nodes: &[Node], patches: &[Patch], features: &[Feature]) {
    if let Some(flaw) = masks_flaw(nodes, patches, features) {
        out.flaw = Some(flaw);
        return;
    }
    let content: Vec<Content> = nodes.iter().map(|node| node.content).collect();
    let order = Order::of(&content);
    let in_order = leaves(&content).is_some_and(|leaves| {
        let held = leaves.into_iter().map(|leaf| content[leaf]);
        held.eq((0..patches.len()).map(|patch| Content::Leaf(PatchId::at(patch))))
    });
    let code = Order::ALL.iter().position(|o| *o == order).unwrap_or(0) as u8;
    out.byte(code | if in_order { PATCHES_IN_ORDER } else { 0 });
    let origin = nodes.first().map(|root| root.obb.centre);
    for (i, node) in nodes.iter().enumerate() {
        write_bounds(out, node, origin.as_ref().filter(|_| i > 0));
        match node.content {
            Content::Leaf(patch) if !in_order => out.whole(patch.0.into()),
            Content::Inner([a, b]) if order == Order::Any => {
                out.whole(u64::from(a.0) - i as u64);
                out.whole(u64::from(b.0) - i as u64);
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
    let generators = node.cone.generators();
    let circle = &node.circle;
    let whole = bits(circle) == bits(&CircularCone::WHOLE);
    let short_box = origin.and_then(|origin| ShortBox::exactly(&node.obb, origin));
    let directions = generators.iter().map(Direction::exactly);
    let directions: Option<Vec<Direction>> = directions.collect();
    let directions = directions.filter(|all| !all.is_empty());
    let short_circle = ShortCircle::exactly(circle).filter(|_| !whole);
    let flags = [
        (is_leaf(&node.content), LEAF),
        (whole, WHOLE_CIRCLE),
        (short_box.is_some(), SHORT_BOX),
        (directions.is_some(), SHORT_GENERATORS),
        (short_circle.is_some(), SHORT_CIRCLE),
    ];
    let flags = flags.iter().filter(|(on, _)| *on);
    out.byte(flags.fold(generators.len() as u8, |all, (_, bit)| all | bit));
    match short_box {
        Some(short) => out.bytes.extend_from_slice(&short.bytes()),
        None => {
            out.vector(&node.obb.centre.coords);
            let [a, b, c] = &node.obb.axes;
            out.axes([a, b, c]);
            out.numbers(node.obb.half.iter());
        }
    }
    match directions {
        Some(all) => out.bytes.extend(all.iter().flat_map(|d| d.bytes())),
        None => generators.iter().for_each(|g| out.vector(g)),
    }
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
    let start = input.byte()?;
    input.check(
        start & !(ORDER | PATCHES_IN_ORDER) == 0,
        "an unknown order of nodes",
    )?;
    let order = Order::ALL[usize::from(start & ORDER)];
    let in_order = start & PATCHES_IN_ORDER != 0;
    let count = counts.of(Section::Nodes);
    let mut origin = None;
    let mut content = Vec::with_capacity(count);
    let mut nodes = input.list(count, |input| {
        let node = read_bounds(input, pools, origin.as_ref())?;
        origin.get_or_insert(node.obb.centre);
        content.push(match node.content {
            Content::Leaf(_) if !in_order => {
                Content::Leaf(PatchId(input.position(patches.len(), "patch")?))
            }
            Content::Inner(mut children) if order == Order::Any => {
                let at = content.len() as u32;
                for child in &mut children {
                    let step = i64::try_from(input.whole()?).unwrap_or(i64::MAX);
                    *child = NodeId(input.stepped(at, step, count, "node")?);
                }
                Content::Inner(children)
            }
            unknown @ (Content::Leaf(_) | Content::Inner(_)) => unknown,
        });
        Ok(node)
    })?;
    let no_tree = || input.invalid("the nodes make no tree");
    if order != Order::Any && count > 0 {
        let leaf: Vec<bool> = content.iter().map(is_leaf).collect();
        let children = order.children(&leaf).ok_or_else(no_tree)?;
        for (content, both) in content.iter_mut().zip(children) {
            if let Content::Inner(children) = content {
                *children = both.map(NodeId);
            }
        }
    }
    if in_order {
        let leaves = leaves(&content).ok_or_else(no_tree)?;
        for (patch, leaf) in leaves.into_iter().enumerate() {
            content[leaf] = Content::Leaf(PatchId::at(patch));
        }
    }
    let kinds = kinds_below(&content, patches, features)
        .map_err(|(node, what)| input.invalid(format!("node {node}: {what}")))?;
    // One look at all nodes, which are larger than caches.
    for (node, (content, kinds)) in nodes.iter_mut().zip(content.into_iter().zip(kinds)) {
        node.content = content;
        [node.kinds, node.compatible] = kinds;
    }
    Ok(nodes)
}

/// A node whose masks, and whose patch or children, are still to be filled in.
///
/// `origin` is where centres in short form count from; there is none for the first node.
#[inline]
fn read_bounds(
    input: &mut Input,
    pools: &Pools,
    origin: Option<&Point3>,
) -> Result<Node, FileError> {
    let flags = input.byte()?;
    let has = |flag: u8| flags & flag != 0;
    let count = usize::from(flags & GENERATORS);
    let empty = has(SHORT_GENERATORS) && count == 0;
    let two_circles = has(SHORT_CIRCLE) && has(WHOLE_CIRCLE);
    input.check(
        count <= 4 && !empty && !two_circles,
        "unknown bits in a node",
    )?;
    let obb = if has(SHORT_BOX) {
        let origin = origin.ok_or_else(|| input.invalid("the first box must be whole"))?;
        let short = ShortBox::from_bytes(&input.array()?);
        let obb = short.obb(origin);
        obb.ok_or_else(|| input.invalid("a box that is not finite"))?
    } else {
        read_box(input, pools)?
    };
    let mut generators = [Vec3::zeros(); 4];
    let generators = &mut generators[..count];
    let right = if has(SHORT_GENERATORS) {
        for generator in &mut *generators {
            let direction = Direction::from_bytes(input.array()?);
            let direction = direction.ok_or_else(|| input.invalid("a generator off the grid"))?;
            *generator = direction.vector();
        }
        check::go_round(generators)
    } else {
        for generator in &mut *generators {
            *generator = input.vector(pools)?;
        }
        check::generators(generators)
    };
    input.check(right, "a cone whose sides do not go round")?;
    Ok(Node {
        obb,
        cone: NormalCone::from_sorted(generators),
        circle: read_circle(input, pools, flags)?,
        kinds: Kinds::empty(),
        compatible: Kinds::empty(),
        content: if has(LEAF) {
            Content::Leaf(PatchId(0))
        } else {
            Content::Inner([NodeId(0); 2])
        },
    })
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
        return circle.ok_or_else(|| input.invalid("a circular cone without an angle"));
    }
    let axis = input.vector(pools)?;
    let [cos, sin] = input.numbers()?;
    let circle = CircularCone { axis, cos, sin };
    input.check(check::circle(&circle), "a circular cone without an angle")?;
    Ok(circle)
}
