//! The connected pieces of a part's boundary.
//!
//! Faces join along the curves that bound them: the borders of both refer to the same trim. So trims are grouped: those
//! of one face are together, and those that follow each other along a border. A feature of several faces may span
//! several shells; its faces do not join their trims, so that no shell is lost to another.

use brepcd_geom::{Point3, Surface};
use brepcd_tree::{FeatureId, Membership, Patch, PatchId, Shape, SourceKind, TreePart, Where};

/// A connected piece of a part's boundary.
#[derive(Clone, Debug)]
pub struct Shell {
    /// Points on it: the first inside a face where there is one, the others elsewhere, for when the first is of no use.
    pub witnesses: Vec<Point3>,
    /// False for a sheet: a shell with a free border, which encloses nothing.
    pub closed: bool,
}

/// Points of one shell at most.
const WITNESSES: usize = 6;
/// Share of a trim's parameters by which the two runs along it may differ.
const COVERED: f64 = 1e-6;
/// Rows and columns of points that are tried in a patch.
const TRIES: usize = 7;

/// One boundary point of every connected piece of a part's boundary; some pieces may have several.
pub fn witnesses(part: &TreePart) -> impl Iterator<Item = Point3> {
    shells(part)
        .into_iter()
        .filter_map(|shell| shell.witnesses.first().copied())
}

/// The connected pieces of a part's boundary; one may be told as several, never two as one.
pub fn shells(part: &TreePart) -> Vec<Shell> {
    let mut groups = Groups::default();
    groups.build(part);
    let mut out: Vec<Shell> = Vec::new();
    let mut place = vec![usize::MAX; part.trims.len()];
    for feature in 0..part.features.len() {
        let Shape::Face { borders, .. } = &part.features[feature].shape else {
            continue;
        };
        let trims = || part.borders[borders.range()].iter().map(|b| b.trim.index());
        let Some(first) = trims().next().map(|trim| groups.root(trim)) else {
            out.extend(whole(part, FeatureId::at(feature)));
            continue;
        };
        let single = trims().all(|trim| groups.root(trim) == first);
        let inner = single.then(|| inner_point(part, FeatureId::at(feature)));
        for border in &part.borders[borders.range()] {
            let root = groups.root(border.trim.index());
            if place[root] == usize::MAX {
                place[root] = out.len();
                out.push(Shell {
                    witnesses: Vec::new(),
                    closed: !groups.open[root],
                });
            }
        }
        let shell = &mut out[place[first]];
        if let Some(point) = inner.flatten()
            && shell.witnesses.len() < WITNESSES
        {
            shell.witnesses.push(point);
        }
    }
    for border in &part.borders {
        let trim = border.trim.index();
        let shell = place.get(groups.root(trim)).and_then(|i| out.get_mut(*i));
        if let Some(shell) = shell
            && shell.witnesses.len() < WITNESSES
        {
            let t = 0.5 * (border.t[0] + border.t[1]);
            shell.witnesses.push(part.trims[trim].point(t));
        }
    }
    out
}

/// The shells of a feature without border: one, of a whole closed surface.
fn whole(part: &TreePart, feature: FeatureId) -> Option<Shell> {
    let witnesses = vec![inner_point(part, feature)?];
    Some(Shell {
        witnesses,
        closed: true,
    })
}

/// A point inside the domain of a face feature.
fn inner_point(part: &TreePart, feature: FeatureId) -> Option<Point3> {
    let Shape::Face { surface, .. } = &part.features[feature.index()].shape else {
        return None;
    };
    let own = |patch: &&(usize, &Patch)| patch.1.feature == feature;
    let patches = || part.patches.iter().enumerate();
    let uncrossed = patches()
        .find(|(_, patch)| patch.feature == feature && patch.membership == Membership::Inside);
    if let Some((_, patch)) = uncrossed {
        return Some(surface.point(patch.u.mid(), patch.v.mid()));
    }
    patches()
        .filter(|patch| own(&patch))
        .find_map(|(index, patch)| inside_patch(part, surface, PatchId::at(index), patch))
}

/// A point of a crossed patch clear of the border, as near to the middle as the tries are.
fn inside_patch(part: &TreePart, surface: &Surface, id: PatchId, patch: &Patch) -> Option<Point3> {
    let share = |i: usize| {
        let step = i.div_ceil(2) as f64 / (TRIES + 1) as f64;
        if i.is_multiple_of(2) {
            0.5 + step
        } else {
            0.5 - step
        }
    };
    for i in 0..TRIES * TRIES {
        let (u, v) = (patch.u.at(share(i % TRIES)), patch.v.at(share(i / TRIES)));
        if part.classify(id, u, v) == Where::Inside {
            return Some(surface.point(u, v));
        }
    }
    None
}

/// Trims grouped by shell.
#[derive(Clone, Debug, Default)]
pub(super) struct Groups {
    parent: Vec<u32>,
    /// For every root, whether its shell has a free border.
    open: Vec<bool>,
    /// Net and gross length of parameters along each trim.
    covered: Vec<[f64; 2]>,
}

impl Groups {
    /// Groups the trims if some face has a free border, else nothing: then no feature is a sheet.
    pub fn build_for_sheets(&mut self, part: &TreePart) {
        let free = |shape: &Shape| match shape {
            Shape::Edge {
                sides, dihedral, ..
            } => sides[0] == sides[1] && *dihedral == 0.0,
            Shape::Face { .. } | Shape::Vertex { .. } => false,
        };
        if part.features.iter().any(|f| free(&f.shape)) {
            self.build(part);
        } else {
            self.parent.clear();
        }
    }

    fn build(&mut self, part: &TreePart) {
        let count = part.trims.len();
        self.parent.clear();
        self.parent.extend((0..count).map(|i| i as u32));
        self.open.clear();
        self.open.resize(count, false);
        self.covered.clear();
        self.covered.resize(count, [0.0; 2]);
        for feature in &part.features {
            let Shape::Face { borders, .. } = &feature.shape else {
                continue;
            };
            let faces = part.sources[feature.sources.range()]
                .iter()
                .filter(|s| s.kind == SourceKind::Face)
                .count();
            let borders = &part.borders[borders.range()];
            for pair in borders.windows(2) {
                let [a, b] = [pair[0].trim.index(), pair[1].trim.index()];
                let meets = || {
                    let [p, q] = [(a, pair[0].t[1]), (b, pair[1].t[0])]
                        .map(|(trim, t)| part.trims[trim].point(t));
                    (p - q).norm() <= part.header.settings.border
                };
                if a != b && (faces == 1 || meets()) {
                    self.join(a, b);
                }
            }
            for border in borders {
                let run = border.t[1] - border.t[0];
                let covered = &mut self.covered[border.trim.index()];
                covered[0] += run;
                covered[1] += run.abs();
            }
        }
        for trim in 0..count {
            let [net, gross] = self.covered[trim];
            if net.abs() > COVERED * gross {
                let root = self.root(trim);
                self.open[root] = true;
            }
        }
    }

    fn root(&self, trim: usize) -> usize {
        let mut at = trim;
        while self.parent[at] as usize != at {
            at = self.parent[at] as usize;
        }
        at
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        let (low, high) = (a.min(b), a.max(b));
        self.parent[high] = low as u32;
    }

    /// True if all of a face feature belongs to sheets.
    pub fn is_sheet(&self, part: &TreePart, feature: FeatureId) -> bool {
        if self.parent.is_empty() {
            return false;
        }
        let Shape::Face { borders, .. } = &part.features[feature.index()].shape else {
            return false;
        };
        let borders = &part.borders[borders.range()];
        !borders.is_empty() && borders.iter().all(|b| self.open[self.root(b.trim.index())])
    }
}
