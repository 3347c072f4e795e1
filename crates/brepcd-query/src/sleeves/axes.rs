//! The axes that a part turns about.
//!
//! Large parts have many axes. Two that are one within the tolerances have nearly the same direction, and are nearly as far
//! from any fixed point; axes are kept in cells of these two numbers, so that few are compared.

use std::collections::HashMap;

use brepcd_geom::{Curve, Frame, Point3, Surface, Vec3};
use brepcd_tree::{Obb, Shape, TreePart};

use crate::sleeve::Axis;

/// Axes of a part at most: those that most patches turn about.
pub const AXES: usize = 8;
/// Sine of the angle within which two axes are one.
pub const SAME_DIRECTION: f64 = 1e-6;
/// Sides of cells, in tolerances: most places are far from the next cell.
const CELL: f64 = 16.0;
/// A direction and a place, relative to the part's box, that have nothing to do with how parts are usually built.
const DIRECTION: [f64; 3] = [0.5377, 0.8339, -0.1259];
const PLACE: [f64; 3] = [0.3188, -0.5832, 0.7296];

/// The frame whose `z` a canonical surface or an arc turns about.
fn turning_frame(shape: &Shape) -> Option<&Frame> {
    match shape {
        Shape::Face { surface, .. } => match surface {
            Surface::Cylinder(s) => Some(&s.frame),
            Surface::Cone(s) => Some(&s.frame),
            Surface::Torus(s) => Some(&s.frame),
            Surface::Plane(_) | Surface::Sphere(_) | Surface::Nurbs(_) => None,
        },
        Shape::Edge {
            curve: Curve::Circle(c),
            ..
        } => Some(&c.frame),
        Shape::Edge { .. } | Shape::Vertex { .. } => None,
    }
}

/// True if a frame turns about an axis, within `place` of it.
pub fn is_axis(frame: &Frame, axis: &Axis, place: f64) -> bool {
    frame.z.cross(&axis.dir).norm() <= SAME_DIRECTION && axis.coordinates(&frame.origin)[0] <= place
}

/// The axes that most patches turn about, and for every feature its axis.
pub fn axes(part: &TreePart, around: &Obb, place: f64) -> (Vec<Axis>, Vec<Option<u8>>) {
    let mut weights = vec![0usize; part.features.len()];
    for patch in &part.patches {
        weights[patch.feature.index()] += 1;
    }
    let frames = || part.features.iter().map(|f| turning_frame(&f.shape));
    let aside = around.centre + Vec3::from(PLACE) * around.half.norm();
    let mut found = Found::new(frames().flatten(), aside, place);
    let of_features: Vec<Option<usize>> = frames()
        .zip(&weights)
        .map(|(frame, weight)| frame.map(|frame| found.add(frame, *weight, place)))
        .collect();
    // Stable: of equal weights the one that was found first.
    let mut order: Vec<usize> = (0..found.axes.len()).collect();
    order.sort_by_key(|at| std::cmp::Reverse(found.axes[*at].weight));
    order.truncate(AXES);
    let mut ranks = vec![None; found.axes.len()];
    for (rank, at) in (0..).zip(&order) {
        ranks[*at] = Some(rank);
    }
    let axes = order.into_iter().map(|at| found.axes[at].axis).collect();
    let of_features = of_features.into_iter().map(|at| ranks[at?]).collect();
    (axes, of_features)
}

/// An axis that was found.
struct Weighed {
    axis: Axis,
    /// Patches that turn about it.
    weight: usize,
    /// The one before it in its cell.
    before: Option<usize>,
}

/// Axes with an index.
struct Found {
    axes: Vec<Weighed>,
    /// The last axis of every cell.
    cells: HashMap<[i64; 2], usize>,
    place: Point3,
    /// How much the two numbers of axes may differ that are one.
    slack: [f64; 2],
}

impl Found {
    /// For frames around a place.
    fn new<'a>(frames: impl Iterator<Item = &'a Frame>, place: Point3, tolerance: f64) -> Self {
        let farthest = frames.fold(0.0, |far: f64, f| far.max((f.origin - place).norm()));
        Self {
            axes: Vec::new(),
            cells: HashMap::new(),
            place,
            // Seen from the place, the point where two axes are compared is at most twice as far along them as the origins
            // of their frames are away.
            slack: [
                2.0 * SAME_DIRECTION,
                2.0 * (tolerance + 2.0 * SAME_DIRECTION * farthest),
            ],
        }
    }

    /// Adds to the weight of the first axis that a frame turns about, which is new if there is none; tells which it is.
    fn add(&mut self, frame: &Frame, weight: usize, place: f64) -> usize {
        let axis = Axis {
            origin: frame.origin,
            dir: frame.z,
        };
        let across = axis.coordinates(&self.place)[0];
        let values = [Vec3::from(DIRECTION).dot(&axis.dir).abs(), across];
        let cell = |shift: f64| {
            let at = |i: usize| (values[i] + shift * self.slack[i]) / (CELL * self.slack[i]);
            [0, 1].map(|i| at(i).floor() as i64)
        };
        let (low, high) = (cell(-1.0), cell(1.0));
        let mut same: Option<usize> = None;
        for x in low[0]..=high[0] {
            for y in low[1]..=high[1] {
                let mut next = self.cells.get(&[x, y]).copied();
                while let Some(at) = next {
                    let known = &self.axes[at];
                    if same.is_none_or(|same| at < same) && is_axis(frame, &known.axis, place) {
                        same = Some(at);
                    }
                    next = known.before;
                }
            }
        }
        if let Some(at) = same {
            self.axes[at].weight += weight;
            return at;
        }
        let at = self.axes.len();
        let before = self.cells.insert(cell(0.0), at);
        self.axes.push(Weighed {
            axis,
            weight,
            before,
        });
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numeric::tests::build::Random;

    /// As `Found::add`, with all axes compared.
    fn add(found: &mut Vec<Axis>, frame: &Frame, place: f64) -> usize {
        let same = found.iter().position(|axis| is_axis(frame, axis, place));
        same.unwrap_or_else(|| {
            found.push(Axis {
                origin: frame.origin,
                dir: frame.z,
            });
            found.len() - 1
        })
    }

    #[test]
    fn axes_are_found_as_if_all_were_compared() {
        let mut random = Random(9);
        let size = 50.0;
        let tolerance = 1e-6 * size;
        for parallel in [false, true] {
            let mut frames: Vec<Frame> = Vec::new();
            for _ in 0..600 {
                let (origin, dir) = match frames.last() {
                    // Along the axis and a little beside it, either way round, some just in and some just out of tolerance.
                    Some(frame) if random.range(0.0, 1.0) < 0.7 => {
                        let along = frame.z * random.range(-size, size);
                        let beside = random.vector(0.8 * tolerance);
                        let tilt = random.vector(0.8 * SAME_DIRECTION);
                        let sign = random.range(-1.0, 1.0).signum();
                        (frame.origin + along + beside, (frame.z + tilt) * sign)
                    }
                    _ => {
                        let dir = if parallel { Vec3::z() } else { random.unit() };
                        (Point3::from(random.vector(size)), dir)
                    }
                };
                frames.extend(Frame::from_z(origin, dir.normalize()));
            }
            let aside = Point3::from(Vec3::from(PLACE) * size);
            let mut indexed = Found::new(frames.iter(), aside, tolerance);
            let mut plain = Vec::new();
            let mut again = 0;
            for frame in &frames {
                let before = plain.len();
                let at = add(&mut plain, frame, tolerance);
                assert_eq!(indexed.add(frame, 1, tolerance), at);
                again += usize::from(plain.len() == before);
            }
            assert!(again > 100 && plain.len() > 200, "{again} {}", plain.len());
        }
    }
}
