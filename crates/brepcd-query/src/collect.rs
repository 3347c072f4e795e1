//! Pairs of clusters that may hold minima, and pairs of faces that may cross: both in one walk down two trees.

use brepcd_tree::{Content, FeatureId, Kinds, NodeId};

use crate::feet::left_by_feet;
use crate::part::{Brief, Part};
use crate::prune::Query;
use crate::sleeve::{Alignment, Axis, Between};
use crate::sleeves::AXES;
use crate::state::{PairState, Room};
use crate::stats::Stats;

/// A pair of clusters that may hold minima.
///
/// Clusters with closed forms are all of a connected piece of a feature; others are single patches. Opposite of those are
/// patches, too, unless they are pieces of free-form edges.
#[derive(Clone, Copy, Debug)]
pub struct ClusterPair {
    /// Their features.
    pub features: (FeatureId, FeatureId),
    /// Their nodes.
    pub nodes: (NodeId, NodeId),
}

impl ClusterPair {
    /// The pair of two nodes.
    pub fn new(a: &Part, b: &Part, nodes: (NodeId, NodeId)) -> Self {
        Self {
            features: (a.brief(nodes.0).feature, b.brief(nodes.1).feature),
            nodes,
        }
    }
}

/// What a pair of nodes is looked at for.
#[derive(Clone, Copy, Debug)]
pub struct Purpose {
    /// Minima up to the reach.
    pub minima: bool,
    /// Crossings of faces.
    pub crossings: bool,
}

impl Purpose {
    /// Nothing.
    pub const NONE: Self = Self {
        minima: false,
        crossings: false,
    };

    pub(crate) fn is_none(self) -> bool {
        !(self.minima || self.crossings)
    }
}

/// What was collected, and the buffers for it.
#[derive(Debug, Default)]
pub struct Collected {
    /// Pairs that may hold minima, by features.
    pub minima: Vec<ClusterPair>,
    /// Pairs of clusters, or of patches without closed form, whose faces may cross.
    pub crossings: Vec<(NodeId, NodeId)>,
    /// Pairs still to be looked at.
    pub(crate) stack: Vec<(NodeId, NodeId, Purpose)>,
    /// How the axes of the parts lie to each other.
    pub(crate) alignments: Alignments,
}

/// How the axes of the two parts lie to each other, worked out when first asked for.
#[derive(Debug, Default)]
pub(crate) struct Alignments {
    known: Vec<Option<Alignment>>,
    asked: u64,
}

// One bit for each pair of axes.
const _: () = assert!(AXES * AXES <= u64::BITS as usize);

impl Alignments {
    pub(crate) fn reset(&mut self) {
        self.known.resize(AXES * AXES, None);
        self.asked = 0;
    }

    /// How an axis of A, by its number, lies to one of B.
    fn get(&mut self, query: &Query, a: u8, b: u8) -> Option<&Alignment> {
        let at = usize::from(a) * AXES + usize::from(b);
        if self.asked & (1 << at) == 0 {
            self.asked |= 1 << at;
            let axis = |part: &Part, axis: u8| -> Option<Axis> {
                part.axes().get(usize::from(axis)).copied()
            };
            let axes = axis(query.a, a).zip(axis(query.b, b));
            self.known[at] =
                axes.and_then(|(a, b)| Alignment::of(&a, &b, &query.a_from_b, query.extent));
        }
        self.known[at].as_ref()
    }
}

/// Collects the pairs of clusters that may hold minima up to a distance, and those that may cross; with some room also
/// those that may do so at poses nearby.
pub fn collect(
    query: &Query,
    purpose: Purpose,
    reach: f64,
    room: Room,
    into: &mut Collected,
    stats: &mut Stats,
) {
    into.minima.clear();
    into.crossings.clear();
    into.stack.clear();
    into.alignments.reset();
    let limits = Limits { reach, room };
    let (a, b) = (query.a.tree(), query.b.tree());
    if a.nodes.is_empty() || b.nodes.is_empty() {
        return;
    }
    into.stack.push((NodeId(0), NodeId(0), purpose));
    while let Some((id_a, id_b, purpose)) = into.stack.pop() {
        stats.node_pairs += 1;
        let (brief_a, brief_b) = (query.a.brief(id_a), query.b.brief(id_b));
        let mut purpose = left(
            query,
            (id_a, id_b),
            purpose,
            &limits,
            &mut into.alignments,
            stats,
        );
        if purpose.is_none() {
            continue;
        }
        if brief_a.is_cluster && brief_b.is_cluster {
            if purpose.crossings {
                // So far boxes may only have been compared with the reach.
                let (box_a, box_b) = (&a.nodes[id_a.index()].obb, &b.nodes[id_b.index()].obb);
                if !box_a.distance_exceeds(box_b, &query.a_from_b, room.length) {
                    into.crossings.push((id_a, id_b));
                }
                purpose.crossings = false;
            }
            if !purpose.minima {
                continue;
            }
            if ends(query, (id_a, id_b)) {
                if query.options.pruning && query.keep_off((id_a, id_b), reach + room.length) {
                    stats.by_profile += 1;
                    continue;
                }
                let pair = ClusterPair::new(query.a, query.b, (id_a, id_b));
                into.minima.push(pair);
                continue;
            }
        }
        open(query, (id_a, id_b), purpose, &mut into.stack);
    }
    stats.leaf_pairs = into.minima.len() as u64;
    into.minima
        .sort_unstable_by_key(|pair| (pair.features, pair.nodes));
}

/// True for clusters that are solved as they are: leaves, and whole clusters with closed forms opposite of such or of
/// pieces of free-form edges.
pub(crate) fn ends(query: &Query, (a, b): (NodeId, NodeId)) -> bool {
    let (brief_a, brief_b) = (query.a.brief(a), query.b.brief(b));
    let is_leaf = |part: &Part, node: NodeId| {
        matches!(part.tree().nodes[node.index()].content, Content::Leaf(_))
    };
    brief_a.is_cluster
        && brief_b.is_cluster
        && (brief_a.is_closed && (brief_b.is_closed || brief_b.is_free_curve)
            || brief_b.is_closed && brief_a.is_free_curve
            || is_leaf(query.a, a) && is_leaf(query.b, b))
}

/// How far apart and how much averted pairs may be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Distance of minima, mm.
    pub reach: f64,
    /// What is added to it, and to 0 for crossings.
    pub room: Room,
}

/// Takes those of the pairs of a state that a walk down the trees would come to, too.
pub fn select(
    query: &Query,
    reach: f64,
    state: &PairState,
    into: &mut Collected,
    stats: &mut Stats,
) {
    into.minima.clear();
    into.crossings.clear();
    into.alignments.reset();
    let room = Room::default();
    let limits = Limits { reach, room };
    let minima = Purpose {
        minima: true,
        crossings: false,
    };
    for pair in &state.minima {
        stats.node_pairs += 1;
        if !left(
            query,
            pair.nodes,
            minima,
            &limits,
            &mut into.alignments,
            stats,
        )
        .minima
        {
            continue;
        }
        if query.options.pruning && query.keep_off(pair.nodes, reach) {
            stats.by_profile += 1;
            continue;
        }
        into.minima.push(*pair);
    }
    stats.leaf_pairs = into.minima.len() as u64;
    let crossings = Purpose {
        minima: false,
        crossings: true,
    };
    for &nodes in &state.crossings {
        stats.node_pairs += 1;
        if left(
            query,
            nodes,
            crossings,
            &limits,
            &mut into.alignments,
            stats,
        )
        .crossings
        {
            into.crossings.push(nodes);
        }
    }
}

/// What is left of a purpose at a pair of nodes.
fn left(
    query: &Query,
    nodes: (NodeId, NodeId),
    purpose: Purpose,
    limits: &Limits,
    alignments: &mut Alignments,
    stats: &mut Stats,
) -> Purpose {
    let (mut purpose, about_axis) =
        left_before_boxes(query, nodes, purpose, limits, alignments, stats);
    if purpose.is_none() {
        return purpose;
    }
    let (brief_a, brief_b) = (query.a.brief(nodes.0), query.b.brief(nodes.1));
    // Boxes and cones tell little more of what turns about one axis, until there is one feature on each side.
    let one_axis = ONE_AXIS * brief_a.radius.min(brief_b.radius);
    if about_axis.is_some_and(|between| between.is_within(one_axis))
        && !(brief_a.is_cluster && brief_b.is_cluster)
    {
        return purpose;
    }
    let (node_a, node_b) = query.nodes(nodes);
    let room = limits.room;
    let reach = room.length + if purpose.minima { limits.reach } else { 0.0 };
    let between = query.a_from_b * node_b.obb.centre - node_a.obb.centre;
    let (square, radii) = (between.norm_squared(), brief_a.radius + brief_b.radius);
    let far = radii + reach;
    // All points are within reach if the farthest are.
    let is_near = || reach > radii && square * ROUNDED_UP <= (reach - radii).powi(2);
    let exceeds = || {
        let (box_a, box_b) = (&node_a.obb, &node_b.obb);
        !is_near() && box_a.distance_exceeds(box_b, &query.a_from_b, reach)
    };
    if square > far * far * ROUNDED_UP || exceeds() {
        stats.by_box += u64::from(purpose.minima);
        return Purpose::NONE;
    }
    // These know of no room.
    let exact = room == Room::default();
    purpose.minima = purpose.minima && (!exact || query.may_face(node_a, node_b, stats));
    purpose
}

/// What kinds, bounds about axes and circular cones leave of a purpose, and how the bounds lie to each other if they can be
/// compared.
pub(crate) fn left_before_boxes(
    query: &Query,
    nodes: (NodeId, NodeId),
    mut purpose: Purpose,
    limits: &Limits,
    alignments: &mut Alignments,
    stats: &mut Stats,
) -> (Purpose, Option<Between>) {
    let (brief_a, brief_b) = (query.a.brief(nodes.0), query.b.brief(nodes.1));
    purpose.crossings &=
        brief_a.kinds.intersects(Kinds::FACES) && brief_b.kinds.intersects(Kinds::FACES);
    let pruning = query.options.pruning;
    if pruning && purpose.minima && !brief_a.compatible.intersects(brief_b.kinds) {
        stats.by_mask += 1;
        purpose.minima = false;
    }
    // Not a matter of pruning: such edges have no minima of their own.
    if purpose.minima
        && query.options.regularization == 0.0
        && (brief_a.is_smooth || brief_b.is_smooth)
    {
        stats.by_smooth += 1;
        purpose.minima = false;
    }
    let mut between = None;
    if pruning && !purpose.is_none() {
        let briefs = (brief_a, brief_b);
        (purpose, between) = left_by_sleeves(query, briefs, purpose, limits, alignments, stats);
    }
    if pruning && !purpose.is_none() {
        purpose = left_by_feet(query, nodes, purpose, limits, stats);
    }
    if purpose.minima {
        let (node_a, node_b) = query.nodes(nodes);
        purpose.minima = query.may_match(node_a, node_b, limits.room.angle, stats);
    }
    (purpose, between)
}

/// What bounds about axes leave of a purpose: those that most of each node turns about or, if they are not nearly one,
/// the first axes of the parts.
fn left_by_sleeves(
    query: &Query,
    (a, b): (&Brief, &Brief),
    mut purpose: Purpose,
    limits: &Limits,
    alignments: &mut Alignments,
    stats: &mut Stats,
) -> (Purpose, Option<Between>) {
    let (axes, sleeves) = if alignments.get(query, a.axis, b.axis).is_some() {
        ((a.axis, b.axis), (&a.sleeve, &b.sleeve))
    } else {
        ((0, 0), (&a.main_sleeve, &b.main_sleeve))
    };
    let Some(alignment) = alignments.get(query, axes.0, axes.1) else {
        return (purpose, None);
    };
    let between = alignment.between(sleeves.0, sleeves.1);
    let Limits { reach, room } = *limits;
    let reach = reach + room.length;
    purpose.crossings &= !between.exceeds(room.length);
    if purpose.minima {
        let depth = reach.max(query.tolerances.shallow + room.length);
        let slack = 2.0 * query.options.regularization + room.angle;
        if between.exceeds(reach)
            || !alignment.may_face(sleeves.0, sleeves.1, &between, depth, slack)
        {
            stats.by_sleeve += 1;
            purpose.minima = false;
        }
    }
    (purpose, Some(between))
}

/// Distance of axes that are as good as one, in radii of the smaller node.
const ONE_AXIS: f64 = 0.1;

/// More than rounding can take from a squared length.
pub(crate) const ROUNDED_UP: f64 = 1.0 + 1e-12;

/// Puts the pairs on the stack that a pair of nodes consists of: of two that can be opened, the larger one is.
pub(crate) fn open(
    query: &Query,
    (id_a, id_b): (NodeId, NodeId),
    purpose: Purpose,
    stack: &mut Vec<(NodeId, NodeId, Purpose)>,
) {
    let (brief_a, brief_b) = (query.a.brief(id_a), query.b.brief(id_b));
    let children = |part: &Part, id: NodeId| match part.tree().nodes[id.index()].content {
        Content::Inner(children) => Some(children),
        Content::Leaf(_) => None,
    };
    let (of_a, of_b) = (children(query.a, id_a), children(query.b, id_b));
    // Clusters stay whole as long as the other can be opened.
    let rank = |brief: &Brief| (!brief.is_cluster, brief.radius);
    let open_a = match (of_a, of_b) {
        (Some(_), None) => true,
        (None, _) => false,
        (Some(_), Some(_)) => rank(brief_a) >= rank(brief_b),
    };
    if open_a {
        let children = of_a.into_iter().flatten().rev();
        stack.extend(children.map(|child| (child, id_b, purpose)));
    } else {
        let children = of_b.into_iter().flatten().rev();
        stack.extend(children.map(|child| (id_a, child, purpose)));
    }
}
