//! A tree over the patches in each order of nodes.

use brepcd_geom::{Frame, Vec3};
use brepcd_tree::*;

use super::{Layout, Random};

fn bounds(r: &mut Random, content: Content) -> Node {
    let frame = match r.below(3) {
        0 => Frame::world(),
        1 => r.frame(),
        _ => r.turned_frame(),
    };
    let axis = r.unit();
    let generators: Vec<Vec3> = (0..r.below(6))
        .map(|_| axis + r.unit() * r.range(0.0, 0.6))
        .collect();
    let circle = match r.below(4) {
        0 => CircularCone::WHOLE,
        _ => CircularCone::new(frame.z, r.range(0.0, 3.0)),
    };
    Node {
        obb: Obb {
            centre: r.point(),
            axes: [frame.x, frame.y, frame.z],
            half: r.vector().abs(),
        },
        cone: ShortCone::around(&NormalCone::from_generators(&generators)),
        circle,
        kinds: Kinds::empty(),
        compatible: Kinds::empty(),
        content,
    }
}

pub fn add_nodes(part: &mut TreePart, r: &mut Random, layout: Layout) {
    let patches = part.patches.len();
    // What each node covers; children are handed out in the order of the layout.
    let mut nodes = vec![(0, patches, Content::Leaf(PatchId(0)))];
    let mut waiting = std::collections::VecDeque::from([0]);
    while let Some(at) = waiting.pop_front() {
        let (lo, hi, _) = nodes[at];
        if hi - lo == 1 {
            nodes[at].2 = Content::Leaf(match layout {
                Layout::Odd => PatchId::at(patches - 1 - lo),
                _ => PatchId::at(lo),
            });
            continue;
        }
        let split = lo + 1 + r.below(hi - lo - 1).min((hi - lo) / 2);
        let next = nodes.len();
        nodes.push((lo, split, Content::Leaf(PatchId(0))));
        nodes.push((split, hi, Content::Leaf(PatchId(0))));
        nodes[at].2 = Content::Inner([NodeId::at(next), NodeId::at(next + 1)]);
        match layout {
            Layout::Breadth => waiting.extend([next, next + 1]),
            _ => [next + 1, next]
                .map(|n| waiting.push_front(n))
                .into_iter()
                .for_each(drop),
        }
    }
    let contents: Vec<Content> = nodes.iter().map(|n| n.2).collect();
    let contents = match layout {
        Layout::Breadth | Layout::Pairs => contents,
        Layout::Depth => depth_first(&contents, false),
        Layout::Odd => depth_first(&contents, true),
    };
    part.nodes = contents.into_iter().map(|c| bounds(r, c)).collect();
    for i in (0..part.nodes.len()).rev() {
        part.nodes[i].kinds = match part.nodes[i].content {
            Content::Leaf(patch) => part.features[part.patches[patch.index()].feature.index()].kind,
            Content::Inner([a, b]) => part.nodes[a.index()].kinds | part.nodes[b.index()].kinds,
        };
        part.nodes[i].compatible = part.nodes[i].kinds.compatible();
    }
}

fn depth_first(nodes: &[Content], second_first: bool) -> Vec<Content> {
    fn visit(nodes: &[Content], at: usize, second_first: bool, out: &mut Vec<Content>) -> NodeId {
        let place = out.len();
        out.push(nodes[at]);
        if let Content::Inner([a, b]) = nodes[at] {
            let mut go = |n: NodeId| visit(nodes, n.index(), second_first, out);
            let children = if second_first {
                let b = go(b);
                [go(a), b]
            } else {
                let a = go(a);
                [a, go(b)]
            };
            out[place] = Content::Inner(children);
        }
        NodeId::at(place)
    }
    let mut out = Vec::new();
    visit(nodes, 0, second_first, &mut out);
    out
}
