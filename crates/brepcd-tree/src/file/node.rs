//! Nodes: bounds as they are, the tree and the masks only where they do not follow.

use brepcd_geom::{Point3, Vec3};

use super::FileError;
use super::bytes::{Input, Output};
use super::check;
use super::order::{Order, is_leaf, kinds_below, leaves};
use super::sections::{Counts, Section};
use super::shared::Pools;
use crate::{CircularCone, Content, Feature, Kinds, Node, NodeId, NormalCone, Obb, Patch, PatchId};

/// Bits of a node's first byte that hold the number of generators.
const GENERATORS: u8 = 7;
/// The node is a leaf.
const LEAF: u8 = 8;
/// The circular cone holds all directions.
const WHOLE_CIRCLE: u8 = 16;

/// Bits of the section's first byte that hold the order of the nodes.
const ORDER: u8 = 3;
/// The leaves, from the first to the last, hold the patches in order.
const PATCHES_IN_ORDER: u8 = 4;

pub(super) fn write(out: &mut Output, nodes: &[Node], patches: &[Patch], features: &[Feature]) {
    if let Some(flaw) = masks_flaw(nodes, patches, features) {
        out.flaw = Some(flaw);
        return;
    }
    let order = Order::of(nodes);
    let in_order = leaves(nodes).is_some_and(|leaves| {
        let content = leaves.into_iter().map(|leaf| nodes[leaf].content);
        content.eq((0..patches.len()).map(|patch| Content::Leaf(PatchId::at(patch))))
    });
    let code = Order::ALL.iter().position(|o| *o == order).unwrap_or(0) as u8;
    out.byte(code | if in_order { PATCHES_IN_ORDER } else { 0 });
    for (i, node) in nodes.iter().enumerate() {
        write_bounds(out, node);
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

fn write_bounds(out: &mut Output, node: &Node) {
    let generators = node.cone.generators();
    let circle = &node.circle;
    let whole = bits(circle) == bits(&CircularCone::WHOLE);
    let leaf = if is_leaf(node) { LEAF } else { 0 };
    out.byte(generators.len() as u8 | leaf | if whole { WHOLE_CIRCLE } else { 0 });
    out.vector(&node.obb.centre.coords);
    let [a, b, c] = &node.obb.axes;
    out.axes([a, b, c]);
    out.numbers(node.obb.half.iter());
    generators.iter().for_each(|g| out.vector(g));
    if !whole {
        out.vector(&circle.axis);
        out.numbers([&circle.cos, &circle.sin]);
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
    let mut at = 0;
    let mut nodes = input.list(count, |input| {
        let mut node = read_bounds(input, pools)?;
        match &mut node.content {
            Content::Leaf(id) if !in_order => {
                *id = PatchId(input.position(patches.len(), "patch")?)
            }
            Content::Inner(children) if order == Order::Any => {
                for child in children {
                    let step = i64::try_from(input.whole()?).unwrap_or(i64::MAX);
                    *child = NodeId(input.stepped(at, step, count, "node")?);
                }
            }
            Content::Leaf(_) | Content::Inner(_) => {}
        }
        at += 1;
        Ok(node)
    })?;
    let no_tree = || input.invalid("the nodes make no tree");
    if order != Order::Any && count > 0 {
        let leaf: Vec<bool> = nodes.iter().map(is_leaf).collect();
        let children = order.children(&leaf).ok_or_else(no_tree)?;
        for (node, both) in nodes.iter_mut().zip(children) {
            if let Content::Inner(children) = &mut node.content {
                *children = both.map(NodeId);
            }
        }
    }
    if in_order {
        let leaves = leaves(&nodes).ok_or_else(no_tree)?;
        for (patch, leaf) in leaves.into_iter().enumerate() {
            nodes[leaf].content = Content::Leaf(PatchId::at(patch));
        }
    }
    let content: Vec<Content> = nodes.iter().map(|node| node.content).collect();
    let kinds = kinds_below(&content, patches, features)
        .map_err(|(node, what)| input.invalid(format!("node {node}: {what}")))?;
    for (node, kinds) in nodes.iter_mut().zip(kinds) {
        [node.kinds, node.compatible] = kinds;
    }
    Ok(nodes)
}

/// A node whose masks, and whose patch or children, are still to be filled in.
#[inline]
fn read_bounds(input: &mut Input, pools: &Pools) -> Result<Node, FileError> {
    let flags = input.byte()?;
    let count = usize::from(flags & GENERATORS);
    input.check(
        count <= 4 && flags & !(GENERATORS | LEAF | WHOLE_CIRCLE) == 0,
        "unknown bits in a node",
    )?;
    let centre = Point3::from(input.vector(pools)?);
    let axes = input.axes(pools)?;
    let half = Vec3::from(input.numbers::<3>()?);
    input.check(half.min() >= 0.0, "a box with a negative side")?;
    let mut generators = [Vec3::zeros(); 4];
    for generator in &mut generators[..count] {
        *generator = input.vector(pools)?;
    }
    let circle = if flags & WHOLE_CIRCLE == 0 {
        let axis = input.vector(pools)?;
        let [cos, sin] = input.numbers()?;
        CircularCone { axis, cos, sin }
    } else {
        CircularCone::WHOLE
    };
    input.check(check::circle(&circle), "a circular cone without an angle")?;
    let cone: Option<NormalCone> = check::cone(&generators[..count]);
    Ok(Node {
        obb: Obb { centre, axes, half },
        cone: cone.ok_or_else(|| input.invalid("a cone whose sides do not go round"))?,
        circle,
        kinds: Kinds::empty(),
        compatible: Kinds::empty(),
        content: if flags & LEAF == 0 {
            Content::Inner([NodeId(0); 2])
        } else {
            Content::Leaf(PatchId(0))
        },
    })
}
