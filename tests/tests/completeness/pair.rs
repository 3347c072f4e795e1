//! A part as the query and the oracle see it, and what they must agree on.

use brepcd::brep::{EdgeClass, EdgeId, Side};
use brepcd::geom::{Point3, Pose, Vec3};
use brepcd::query::{Answer, Lmd, Options, Part, Status, Workspace};
use brepcd::tree::Header;
use brepcd::{Brep, Grouping};
use brepcd_tests::oracle::{Complex, Minimum, Oracle, Verdict, minima, off_boundary, verdict};

/// A part, exact and preprocessed.
pub struct Sample {
    /// For messages.
    pub name: String,
    /// For the query.
    pub part: Part,
    /// For the oracle.
    pub complex: Complex,
}

impl Sample {
    /// Prepares a part.
    pub fn new(name: &str, brep: Brep) -> Self {
        Self::grouped(name, brep, Grouping::Supermaximal)
    }

    /// Prepares a part, with a choice of which faces and edges are one feature.
    pub fn grouped(name: &str, brep: Brep, grouping: Grouping) -> Self {
        let header = Header {
            source: name.to_owned(),
            source_hash: 0,
            settings: brepcd::prep::default_settings(&brep),
            tolerance: brep.tolerance.length,
            size: 0.0,
            reach: 0.0,
        };
        let (tree, _) =
            brepcd::prep::preprocess_grouped(&brep, &Default::default(), header, grouping);
        Self {
            name: name.to_owned(),
            part: Part::new(tree),
            complex: Complex::new(brep),
        }
    }

    /// Diagonal of the part's box.
    pub fn size(&self) -> f64 {
        self.complex.size
    }
}

/// Two parts and a pose.
pub struct Case<'a> {
    /// The fixed part.
    pub a: &'a Sample,
    /// The placed part.
    pub b: &'a Sample,
    /// The pose.
    pub a_from_b: Pose,
    /// Distances up to this are compared.
    pub cutoff: f64,
}

/// Distance, relative to the size, by which results may differ.
const AGREE: f64 = 1e-6;
/// Distance, relative to the size, by which the points of a minimum may differ: along a shallow valley they are open.
const PLACE: f64 = 1e-4;
/// Distance, relative to the size, up to which parts touch and directions mean nothing.
const TOUCH: f64 = 1e-6;

/// Sine of the angle up to which a direction is on the border of others.
const VERGE: f64 = 1e-2;
/// Distance, relative to the size, within which two results are one reported twice.
const TWICE: f64 = 1e-7;

impl Case<'_> {
    /// What lengths are compared with.
    pub fn size(&self) -> f64 {
        self.a.size().min(self.b.size())
    }

    /// The options of the query.
    pub fn options(&self) -> Options {
        Options {
            prediction: self.cutoff,
            ..Options::default()
        }
    }

    /// Everything in which query and oracle disagree, a line each; whether the query left something unresolved.
    pub fn disagreements(&self, workspace: &mut Workspace) -> (Vec<String>, bool) {
        let mut out = Vec::new();
        let placed = self.b.complex.placed(&self.a_from_b);
        let oracle = minima(&self.a.complex, &placed, self.cutoff);
        let answer =
            workspace.contacts(&self.a.part, &self.b.part, &self.a_from_b, &self.options());
        let Ok(answer) = answer else {
            return (vec![self.says("the pose is refused".into())], false);
        };
        let overlapping = answer.status == Status::Overlapping;
        if overlapping || oracle.common.is_some() {
            // Parts that touch within rounding may be called either.
            if overlapping && oracle.common.is_none() && oracle.least > TOUCH * self.size() {
                let place = answer.overlap.map(|o| o.point);
                out.push(format!(
                    "overlap claimed at {place:?}, but {:.3e} apart",
                    oracle.least
                ));
            }
            if let (false, Some(p)) = (overlapping, oracle.common) {
                out.push(format!("overlap missed: {p:?} is inside both"));
            }
        } else {
            self.missing(&oracle, &placed, answer, &mut out);
            self.wrong(&placed, answer, &mut out);
        }
        let unresolved = answer.stats.unresolved > 0;
        (
            out.into_iter().map(|line| self.says(line)).collect(),
            unresolved,
        )
    }

    /// Minima of the oracle that the query does not have.
    fn missing(&self, oracle: &Oracle, placed: &Complex, answer: &Answer, out: &mut Vec<String>) {
        let size = self.size();
        for minimum in &oracle.minima {
            let beyond = minimum.distance > self.cutoff - AGREE * size;
            let found = answer.lmds.iter().any(|lmd| self.answers(lmd, minimum));
            let optional = match minimum.isolated {
                true => self.is_undecided(placed, minimum),
                false => self.is_optional(placed, minimum),
            };
            if !beyond && !found && !optional {
                let kind = if minimum.isolated {
                    "isolated"
                } else {
                    "marginal"
                };
                out.push(format!("missing {kind} {minimum:?}"));
            }
        }
    }

    /// Is a minimum between borders of faces on both sides, each looking along its face's normal? Rounding decides whether
    /// the faces reach over each other.
    fn is_undecided(&self, placed: &Complex, minimum: &Minimum) -> bool {
        let size = self.size();
        let between = minimum.point_b - minimum.point_a;
        between.try_normalize(TOUCH * size).is_some_and(|out| {
            on_the_verge(&self.a.complex, &minimum.point_a, &out, size)
                && on_the_verge(placed, &minimum.point_b, &-out, size)
        })
    }

    /// May a family be left out? If its segments run through the material, or if it ends at concave edges, as the floor of
    /// a pocket under a larger plate does: such edges hold no results. Where edges lie off their faces, what looks like
    /// a family may be none.
    fn is_optional(&self, placed: &Complex, minimum: &Minimum) -> bool {
        let complexes = [&self.a.complex, placed];
        let between = minimum.point_b - minimum.point_a;
        let blocked = (1..20).any(|k| {
            let p = minimum.point_a + between * (f64::from(k) / 20.0);
            complexes.iter().any(|c| c.brep.side_of(&p) == Side::Inside)
        });
        let points = [minimum.point_a, minimum.point_b];
        let in_pocket = complexes
            .iter()
            .zip(points)
            .any(|(c, p)| is_by_concave_edge(c, &p));
        let is_open = complexes.iter().any(|c| c.gap > 1e-10 * c.size);
        blocked || in_pocket || is_open
    }

    /// Does a result stand for a minimum: the same one, or another member of its family?
    fn answers(&self, lmd: &Lmd, minimum: &Minimum) -> bool {
        let size = self.size();
        let near = |p: &Point3, q: &Point3| (p - q).norm() <= PLACE * size;
        let same_distance = (lmd.distance - minimum.distance).abs() <= AGREE * size;
        if minimum.isolated && minimum.distance > TOUCH * size {
            let points =
                near(&lmd.point_a, &minimum.point_a) && near(&lmd.point_b, &minimum.point_b);
            if points {
                return same_distance;
            }
            // A family narrower than the oracle's moves looks isolated to it.
            let between = minimum.point_b - minimum.point_a;
            let exact = (lmd.distance - minimum.distance).abs() <= 1e-9 * size;
            let parallel = (lmd.normal * minimum.distance - between).norm() <= AGREE * size;
            return exact && parallel && (lmd.point_a - minimum.point_a).norm() <= 0.1 * size;
        }
        same_distance
    }

    /// Results of the query that are not minima, not where they claim to be, or there twice.
    fn wrong(&self, placed: &Complex, answer: &Answer, out: &mut Vec<String>) {
        let size = self.size();
        let a = &self.a.complex;
        for (index, lmd) in answer.lmds.iter().enumerate() {
            let between = lmd.point_b - lmd.point_a;
            let off = (between - lmd.normal * lmd.distance).norm();
            if off > AGREE * size || (lmd.normal.norm() - 1.0).abs() > 1e-9 {
                out.push(format!(
                    "points, normal and distance differ by {off:.3e}: {lmd:?}"
                ));
            }
            let reach = 1e-3 * size;
            let off_a = off_boundary(a, &lmd.point_a, reach);
            let off_b = off_boundary(placed, &lmd.point_b, reach);
            if off_a.max(off_b) > AGREE * size {
                out.push(format!(
                    "off the boundary by {off_a:.3e}, {off_b:.3e}: {}",
                    self.tells(lmd)
                ));
            }
            if lmd.distance > TOUCH * size
                && !lmd.sampled
                && verdict(a, placed, lmd.point_a, lmd.point_b) == Verdict::NoMinimum
                && !on_the_verge(a, &lmd.point_a, &lmd.normal, size)
                && !on_the_verge(placed, &lmd.point_b, &-lmd.normal, size)
            {
                out.push(format!("no minimum: {}", self.tells(lmd)));
            }
            let twice = answer.lmds[..index].iter().any(|other| {
                let apart: [Vec3; 2] = [other.point_a - lmd.point_a, other.point_b - lmd.point_b];
                apart[0].norm().max(apart[1].norm()) <= TWICE * size
            });
            if twice {
                out.push(format!("reported twice: {}", self.tells(lmd)));
            }
        }
    }

    fn tells(&self, lmd: &Lmd) -> String {
        let kind_a = self.a.part.tree().features[lmd.feature_a.index()].kind;
        let kind_b = self.b.part.tree().features[lmd.feature_b.index()].kind;
        format!("{kind_a:?} × {kind_b:?} {lmd:?}")
    }

    fn says(&self, line: String) -> String {
        let t = self.a_from_b.translation.vector;
        let r = self.a_from_b.rotation.scaled_axis();
        format!(
            "{} × {} at Pose::new(Vec3::new({:?}, {:?}, {:?}), Vec3::new({:?}, {:?}, {:?})), cutoff {:?}: {line}",
            self.a.name, self.b.name, t.x, t.y, t.z, r.x, r.y, r.z, self.cutoff
        )
    }
}

/// Is a direction on the border of what a point's normals span, or the point on a concave edge? A motion within the
/// tolerances makes such a pair a minimum or none.
fn on_the_verge(complex: &Complex, point: &Point3, out: &Vec3, size: f64) -> bool {
    let brep = &complex.brep;
    let near = |q: &Point3| (q - point).norm() <= AGREE * size;
    let mut on_edge = false;
    for edge in &brep.edges {
        let foot = edge.curve.nearest(point, edge.range());
        if !near(&foot.point) {
            continue;
        }
        on_edge = true;
        let along = edge.jet(foot.t).d1.normalize();
        let ends = [edge.start, edge.end].map(|v| brep.vertices[v.index()].point);
        if matches!(edge.class, EdgeClass::Concave { .. })
            || (ends.iter().any(near) && along.dot(out).abs() <= VERGE)
        {
            return true;
        }
    }
    on_edge
        && brep.faces.iter().any(|face| {
            let (u, v) = face.surface.invert(point, None);
            let normal = face.outward_normal(u, v);
            near(&face.surface.point(u, v)) && normal.is_some_and(|n| n.cross(out).norm() <= VERGE)
        })
}

/// Is a point in a face that has a concave edge, or on an edge that ends at one?
fn is_by_concave_edge(complex: &Complex, point: &Point3) -> bool {
    let brep = &complex.brep;
    let near = |q: &Point3| (q - point).norm() <= AGREE * complex.size;
    let concave = |e: &EdgeId| matches!(brep.edges[e.index()].class, EdgeClass::Concave { .. });
    let on_edge = brep.edges.iter().any(|edge| {
        let ends = [edge.start, edge.end].map(|v| &brep.vertices[v.index()].edges);
        ends.into_iter().flatten().any(concave)
            && near(&edge.curve.nearest(point, edge.range()).point)
    });
    let on_face = brep.faces.iter().any(|face| {
        let (u, v) = face.surface.invert(point, None);
        let mut edges = face.loops.iter().flat_map(|l| &l.coedges);
        near(&face.surface.point(u, v)) && edges.any(|c| concave(&c.edge))
    });
    on_edge || on_face
}
