//! Which shells of a part can be near a box: a tree of balls around their points.
//!
//! Large parts are made of many shells. The tree is kept as a list in which everything below a ball follows it, so that a
//! ball that is off the box is left by a jump, and no stack is needed.

use brepcd_geom::{Point3, Vec3};
use brepcd_tree::{MatrixPose, Obb, Shell};

/// A tree of balls around the points of a part's shells.
#[derive(Clone, Debug, Default)]
pub struct ShellIndex {
    balls: Vec<Ball>,
}

#[derive(Clone, Copy, Debug)]
struct Ball {
    centre: Point3,
    radius: f64,
    /// The ball that follows all of those below.
    after: u32,
    /// The only shell below.
    shell: Option<u32>,
}

/// Share of a ball's coordinates by which rounding may put a point beyond it, here and where the ball is placed.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Least and largest coordinates.
type Corners = [Vec3; 2];

const NOTHING: Corners = [
    Vec3::new(f64::INFINITY, f64::INFINITY, f64::INFINITY),
    Vec3::new(f64::NEG_INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY),
];

fn both(a: Corners, b: Corners) -> Corners {
    [a[0].inf(&b[0]), a[1].sup(&b[1])]
}

impl ShellIndex {
    /// The index of some shells.
    pub fn of(shells: &[Shell]) -> Self {
        let corners = |shell: &Shell| {
            let points = shell.witnesses.iter().map(|p| [p.coords; 2]);
            points.fold(NOTHING, both)
        };
        let mut boxes: Vec<(u32, Corners)> = (0..).zip(shells.iter().map(corners)).collect();
        let mut out = Self::default();
        out.append(&mut boxes);
        out
    }

    /// Appends the tree of some shells.
    fn append(&mut self, boxes: &mut [(u32, Corners)]) {
        let (Some(first), count) = (boxes.first(), boxes.len()) else {
            return;
        };
        let around = boxes.iter().fold(NOTHING, |sum, (_, own)| both(sum, *own));
        let half = 0.5 * (around[1] - around[0]);
        let largest = around[0].amax().max(around[1].amax());
        let at = self.balls.len();
        self.balls.push(Ball {
            centre: Point3::from(around[0] + half),
            radius: half.norm() + ROUNDING * largest,
            after: 0,
            shell: (count == 1).then_some(first.0),
        });
        if count > 1 {
            let widest = half.imax();
            // Of equal places the earlier shell first, so that the tree is always the same.
            boxes.select_nth_unstable_by(count / 2, |(i, a), (j, b)| {
                let place = |corners: &Corners| corners[0][widest] + corners[1][widest];
                place(a).total_cmp(&place(b)).then(i.cmp(j))
            });
            let (near, far) = boxes.split_at_mut(count / 2);
            self.append(near);
            self.append(far);
        }
        self.balls[at].after = self.balls.len() as u32;
    }

    /// Puts all shells with a point in a box, and perhaps others, in their order into a list.
    pub fn near(&self, obb: &Obb, obb_from_part: &MatrixPose, into: &mut Vec<u32>) {
        into.clear();
        let part_from_obb = obb_from_part.inverse();
        let obb = Obb {
            centre: part_from_obb * obb.centre,
            axes: obb.axes.map(|axis| part_from_obb.rotation * axis),
            half: obb.half,
        };
        // Of the part's points where they are, and of the box where it was.
        let offset = obb_from_part.translation.vector.amax() + obb.centre.coords.amax();
        let mut at = 0;
        while let Some(ball) = self.balls.get(at) {
            let rounding = ROUNDING * (offset + ball.centre.coords.amax());
            if obb.contains(&ball.centre, ball.radius + rounding) {
                into.extend(ball.shell);
                at += 1;
            } else {
                at = ball.after as usize;
            }
        }
        into.sort_unstable();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numeric::tests::build::Random;
    use brepcd_tree::Rotation;

    fn shells(count: usize, random: &mut Random) -> Vec<Shell> {
        let shell = |_| {
            let centre = random.vector(10.0);
            let points = (0..4).map(|_| Point3::from(centre + random.vector(0.5)));
            Shell {
                witnesses: points.collect(),
                closed: true,
            }
        };
        (0..count).map(shell).collect()
    }

    #[test]
    fn every_shell_with_a_point_in_the_box_is_near() {
        let mut random = Random(3);
        let (mut near, mut asked, mut inside) = (Vec::new(), 0, 0);
        for count in [0, 1, 2, 3, 17, 200] {
            let shells = shells(count, &mut random);
            let index = ShellIndex::of(&shells);
            for _ in 0..100 {
                let turn = Rotation::new(random.vector(2.0));
                let pose = MatrixPose::from_parts(random.vector(5.0).into(), turn);
                let half = Vec3::from_fn(|_, _| random.range(0.0, 4.0));
                let axes = Rotation::new(random.vector(2.0));
                let axes = [0, 1, 2].map(|i| axes.matrix().column(i).into_owned());
                let obb = Obb {
                    centre: Point3::from(random.vector(8.0)),
                    axes,
                    half,
                };
                index.near(&obb, &pose, &mut near);
                assert!(near.is_sorted_by(|a, b| a < b), "in order, each once");
                asked += near.len();
                for (i, shell) in (0..).zip(&shells) {
                    let mut points = shell.witnesses.iter();
                    if points.any(|p| obb.contains(&(pose * p), 0.0)) {
                        inside += 1;
                        assert!(near.contains(&i));
                    }
                }
            }
        }
        assert!(
            inside > 100 && asked < 3 * inside,
            "{asked} asked, {inside} inside"
        );
    }
}
