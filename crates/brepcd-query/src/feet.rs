//! Which pairs of nodes the feet of one on the other reject.

use brepcd_geom::Vec3;
use brepcd_tree::NodeId;

use crate::collect::{Limits, Purpose};
use crate::foot::{Foot, Span};
use crate::places::{BESIDE, ROUNDING};
use crate::prune::Query;
use crate::stats::Stats;

/// What the feet of each node on the other leave of a purpose, where that is a cluster with a closed form.
pub(crate) fn left_by_feet(
    query: &Query,
    (id_a, id_b): (NodeId, NodeId),
    mut purpose: Purpose,
    limits: &Limits,
    stats: &mut Stats,
) -> Purpose {
    let room = limits.room;
    let span = Span {
        reach: limits.reach,
        shallow: query.tolerances.shallow,
    };
    let slack = query.options.regularization + query.tolerances.polar + room.angle;
    let rounding = ROUNDING * query.extent;
    for own_is_a in [true, false] {
        let ((own, own_id), (other, other_id)) = if own_is_a {
            ((query.a, id_a), (query.b, id_b))
        } else {
            ((query.b, id_b), (query.a, id_a))
        };
        let (brief, other_brief) = (own.brief(own_id), other.brief(other_id));
        if !brief.is_cluster || !brief.is_closed {
            continue;
        }
        let (node, other_node) = (
            &own.tree().nodes[own_id.index()],
            &other.tree().nodes[other_id.index()],
        );
        let shape = &own.tree().features[brief.feature.index()].shape;
        // What is placed near part B moves with a turn about it, too.
        let moved = room.length + room.angle * limits.reach;
        let beside = BESIDE * other.tree().header.settings.border;
        let radius = other_brief.radius + beside + moved + rounding;
        let pose = &query.a_from_b;
        let centre = if own_is_a {
            pose * other_node.obb.centre
        } else {
            pose.inverse_transform_point(&other_node.obb.centre)
        };
        let Some(foot) = Foot::of_ball(shape, &centre, radius, &span) else {
            continue;
        };
        let apart = |gap: f64| foot.distance[0] > gap || foot.distance[1] < -gap;
        purpose.crossings &= !apart(2.0 * query.tolerances.touch);
        if purpose.minima {
            let is_off = foot.distance[0] > limits.reach || foot.distance[1] < -span.shallow;
            let turn = |v: &Vec3| {
                if own_is_a {
                    pose.rotation.inverse_transform_vector(v)
                } else {
                    pose.rotation * v
                }
            };
            let is_averted = || {
                foot.misses(other_node, turn, -1.0, slack) || foot.misses(node, |v| *v, 1.0, slack)
            };
            if is_off || is_averted() {
                stats.by_foot += 1;
                purpose.minima = false;
            }
        }
        if purpose.is_none() {
            break;
        }
    }
    purpose
}
