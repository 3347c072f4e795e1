//! Which patches stay together in the tree: connected pieces of canonical features.
//!
//! A query solves two canonical carriers once, whatever patches of them meet. So a connected piece of such a feature is
//! one subtree: a query that has come down to two of them solves at once, and uses what is below only to tell on which
//! patches the solutions lie. Free-form patches are solved one by one, and each is on its own.

use brepcd_geom::{Curve, Interval, Surface};
use brepcd_tree::{Patch, Shape, TreePart};

/// Share of a range by which neighbouring ranges may be apart.
const TOUCHING: f64 = 1e-6;

/// For every patch the number of its cluster; numbers ascend with the first patch of each.
pub fn clusters(part: &TreePart) -> Vec<usize> {
    let patches = &part.patches;
    let mut parents: Vec<usize> = (0..patches.len()).collect();
    let mut start = 0;
    while start < patches.len() {
        let feature = patches[start].feature;
        let same = patches[start..].iter().take_while(|p| p.feature == feature);
        let end = start + same.count();
        if let Some(periods) = periods_of_canonical(&part.features[feature.index()].shape) {
            join(&patches[start..end], periods, start, &mut parents);
        }
        start = end;
    }
    let mut numbers = vec![usize::MAX; patches.len()];
    let mut count = 0;
    (0..patches.len())
        .map(|patch| {
            let root = root_of(&mut parents, patch);
            if numbers[root] == usize::MAX {
                numbers[root] = count;
                count += 1;
            }
            numbers[root]
        })
        .collect()
}

/// The periods of both parameters, 0 where there is none; `None` for free-form features.
fn periods_of_canonical(shape: &Shape) -> Option<[f64; 2]> {
    match shape {
        Shape::Face {
            surface: Surface::Nurbs(_),
            ..
        } => None,
        Shape::Face { surface, .. } => Some(surface.periods().map(|p| p.unwrap_or(0.0))),
        Shape::Edge { curve, .. } => match curve {
            Curve::Line(_) | Curve::Circle(_) | Curve::Ellipse(_) => {
                Some([curve.period().unwrap_or(0.0), 0.0])
            }
            Curve::Parabola(_) | Curve::Hyperbola(_) | Curve::Nurbs(_) => None,
        },
        Shape::Vertex { .. } => None,
    }
}

/// Joins the patches of one feature whose ranges touch; `first` is the position of the first of them.
fn join(patches: &[Patch], periods: [f64; 2], first: usize, parents: &mut [usize]) {
    for i in 0..patches.len() {
        for j in 0..i {
            let (a, b) = (&patches[i], &patches[j]);
            if touch(a.u, b.u, periods[0]) && touch(a.v, b.v, periods[1]) {
                let roots = [first + i, first + j].map(|patch| root_of(parents, patch));
                parents[roots[0].max(roots[1])] = roots[0].min(roots[1]);
            }
        }
    }
}

fn touch(a: Interval, b: Interval, period: f64) -> bool {
    let slack = TOUCHING * a.length().max(b.length());
    let meet = |shift: f64| a.lo <= b.hi + shift + slack && b.lo + shift <= a.hi + slack;
    meet(0.0) || (period > 0.0 && (meet(period) || meet(-period)))
}

fn root_of(parents: &mut [usize], mut at: usize) -> usize {
    while parents[at] != at {
        parents[at] = parents[parents[at]];
        at = parents[at];
    }
    at
}
