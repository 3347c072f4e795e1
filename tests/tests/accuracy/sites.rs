//! Places on parts that can face each other: a point of a feature, a direction out of the material, and how the feature
//! runs on from there.

use brepcd::Brep;
use brepcd::geom::{Point3, Vec3};
use brepcd::query::Part;
use brepcd::tree::{Feature, FeatureId, Kinds, Membership, PatchId, Shape, TreePart, Where};

use crate::prepare::{self, Random};
use brepcd_tests::solids;

/// The kinds of the table; hollow and full ones are one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Vertex,
    Line,
    Circle,
    Ellipse,
    BezierCurve,
    Plane,
    Cylinder,
    Cone,
    Sphere,
    Torus,
    BezierSurface,
}

impl Kind {
    pub const ALL: [Self; 11] = [
        Self::Vertex,
        Self::Line,
        Self::Circle,
        Self::Ellipse,
        Self::BezierCurve,
        Self::Plane,
        Self::Cylinder,
        Self::Cone,
        Self::Sphere,
        Self::Torus,
        Self::BezierSurface,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Vertex => "vertex",
            Self::Line => "line",
            Self::Circle => "circle",
            Self::Ellipse => "ellipse",
            Self::BezierCurve => "Bézier curve",
            Self::Plane => "plane",
            Self::Cylinder => "cylinder",
            Self::Cone => "cone",
            Self::Sphere => "sphere",
            Self::Torus => "torus",
            Self::BezierSurface => "Bézier surface",
        }
    }

    pub fn is_bezier(self) -> bool {
        matches!(self, Self::BezierCurve | Self::BezierSurface)
    }

    /// The kind of a feature, and whether it is hollow; `None` for hyperbolas and parabolas.
    fn of(feature: &Feature) -> Option<(Self, bool)> {
        let hollow = Kinds::CONCAVE_CYLINDER
            | Kinds::CONCAVE_CONE
            | Kinds::CONCAVE_SPHERE
            | Kinds::CONCAVE_TORUS;
        let kind = match feature.kind {
            Kinds::VERTEX => Self::Vertex,
            Kinds::LINE => Self::Line,
            Kinds::CIRCLE => Self::Circle,
            Kinds::CONIC => match &feature.shape {
                Shape::Edge { curve, .. } if curve.kind_name() == "ellipse" => Self::Ellipse,
                _ => return None,
            },
            Kinds::SPLINE_CURVE => Self::BezierCurve,
            Kinds::PLANE => Self::Plane,
            Kinds::CONVEX_CYLINDER | Kinds::CONCAVE_CYLINDER => Self::Cylinder,
            Kinds::CONVEX_CONE | Kinds::CONCAVE_CONE => Self::Cone,
            Kinds::CONVEX_SPHERE | Kinds::CONCAVE_SPHERE => Self::Sphere,
            Kinds::CONVEX_TORUS | Kinds::CONCAVE_TORUS => Self::Torus,
            Kinds::SPLINE_SURFACE => Self::BezierSurface,
            _ => return None,
        };
        Some((kind, feature.kind.intersects(hollow)))
    }
}

/// A part with its size: half the diagonal of its box.
pub struct Sized {
    pub name: String,
    pub part: Part,
    pub size: f64,
    /// True if a plane that touches it leaves all of it on one side.
    pub convex: bool,
}

/// Parts that are not convex.
const HOLLOW: [&str; 12] = [
    "apple",
    "torus",
    "small torus",
    "drilled plate",
    "dimple",
    "grooved shaft",
    "drilled_block",
    "extruded_spline",
    "revolved_spline",
    "unclamped_prism",
    "unclamped_ring",
    "nurbs_torus",
];

/// Patches of one kind on one part.
struct Group {
    kind: Kind,
    hollow: bool,
    part: usize,
    patches: Vec<PatchId>,
}

/// All parts, with their patches by kind.
pub struct Parts {
    pub list: Vec<Sized>,
    groups: Vec<Group>,
}

/// A place on a part.
#[derive(Clone, Debug)]
pub struct Site {
    pub part: usize,
    pub feature: FeatureId,
    /// True for the inside of a hole.
    pub hollow: bool,
    pub point: Point3,
    /// Unit, out of the material, inside the polar by a margin.
    pub normal: Vec3,
    /// Derivatives by the parameters of the feature: none, one or two.
    pub first: Vec<Vec3>,
    /// Second derivatives, as many rows as parameters.
    pub second: Vec<Vec<Vec3>>,
}

/// How well inside the polar a direction is: the sine of the angle that is left.
const MARGIN: f64 = 0.05;

impl Parts {
    pub fn load() -> Self {
        let built: [(&str, Brep); 13] = [
            ("block", solids::block(3.0, 4.0, 5.0)),
            ("small block", solids::block(0.5, 0.6, 0.7)),
            ("cylinder", solids::cylinder(2.0, 5.0)),
            ("pin", solids::cylinder(0.3, 2.0)),
            ("frustum", solids::frustum(3.0, 1.0, 4.0)),
            ("cone", solids::frustum(1.0, 0.0, 3.0)),
            ("ball", solids::ball(2.0)),
            ("small ball", solids::ball(0.4)),
            ("torus", solids::torus(3.0, 1.0)),
            ("small torus", solids::torus(0.5, 0.2)),
            ("drilled plate", solids::drilled_plate(9.0, 8.0, 3.0, 2.0)),
            ("dimple", solids::dimple(4.0, 5.0, 3.0)),
            ("grooved shaft", solids::grooved_shaft(4.0, 12.0, 1.0)),
        ];
        let stored = [
            "drilled_block",
            "oblique_cylinder",
            "loft",
            "extruded_spline",
            "revolved_spline",
            "unclamped_prism",
            "unclamped_ring",
            "nurbs_cylinder",
            "nurbs_sphere",
            "nurbs_torus",
            "lemon",
            "apple",
            "lemon_revolved",
            "filleted_box",
        ];
        let built = built
            .iter()
            .map(|(name, brep)| (*name, prepare::part(brep)));
        let stored = stored.iter().map(|name| (*name, prepare::named(name)));
        let list: Vec<Sized> = built
            .chain(stored)
            .map(|(name, part)| Sized {
                name: name.to_owned(),
                // The loft is bent a little both ways.
                convex: !HOLLOW.contains(&name) && name != "loft",
                size: part.tree().nodes[0].obb.half.norm(),
                part,
            })
            .collect();
        let mut groups: Vec<Group> = Vec::new();
        for (part, sized) in list.iter().enumerate() {
            let tree = sized.part.tree();
            for (index, patch) in tree.patches.iter().enumerate() {
                let Some((kind, hollow)) = Kind::of(&tree.features[patch.feature.index()]) else {
                    continue;
                };
                let same = |g: &&mut Group| (g.kind, g.hollow, g.part) == (kind, hollow, part);
                match groups.iter_mut().find(same) {
                    Some(group) => group.patches.push(PatchId::at(index)),
                    None => groups.push(Group {
                        kind,
                        hollow,
                        part,
                        patches: vec![PatchId::at(index)],
                    }),
                }
            }
        }
        Self { list, groups }
    }

    /// A random place of a kind: full and hollow ones, and all parts, as often.
    pub fn site(&self, kind: Kind, random: &mut Random) -> Option<Site> {
        let hollow = random.below(2) == 1;
        let fits = |g: &&Group| g.kind == kind && g.hollow == hollow;
        let groups: Vec<&Group> = self.groups.iter().filter(fits).collect();
        if groups.is_empty() {
            return None;
        }
        let group = groups[random.below(groups.len())];
        let patch = group.patches[random.below(group.patches.len())];
        place(self.list[group.part].part.tree(), group.part, patch, random)
    }
}

/// A random place of a patch, if it lies in the face and has a direction well inside the polar.
fn place(tree: &TreePart, part: usize, id: PatchId, random: &mut Random) -> Option<Site> {
    let patch = &tree.patches[id.index()];
    let feature = patch.feature;
    let hollow = Kind::of(&tree.features[feature.index()])?.1;
    let (u, v) = (
        random.range(patch.u.lo, patch.u.hi),
        random.range(patch.v.lo, patch.v.hi),
    );
    let shares = (random.range(0.1, 0.9), random.range(0.0, 1.0));
    match &tree.features[feature.index()].shape {
        Shape::Vertex { point, tangents } => {
            let tangents = &tree.tangents[tangents.range()];
            let normal = -tangents.iter().sum::<Vec3>().try_normalize(1e-3)?;
            let normal = (normal + random.unit() * 0.3 * shares.1).normalize();
            let is_clear = tangents.iter().all(|t| normal.dot(t) < -MARGIN);
            is_clear.then(|| Site {
                part,
                feature,
                hollow,
                point: *point,
                normal,
                first: Vec::new(),
                second: Vec::new(),
            })
        }
        Shape::Edge {
            curve,
            sides,
            dihedral,
            ..
        } => {
            if *dihedral > std::f64::consts::PI - 0.2 {
                return None;
            }
            let jet = curve.jet(u);
            let [n, m] = sides.map(|side| outward(tree, side, &jet.p));
            let normal = (n? * shares.0 + m? * (1.0 - shares.0)).try_normalize(1e-3)?;
            // Exactly at right angles to the edge, which the normals of the faces are up to rounding.
            let along = jet.d1.normalize();
            let normal = (normal - along * along.dot(&normal)).normalize();
            Some(Site {
                part,
                feature,
                hollow,
                point: jet.p,
                normal,
                first: vec![jet.d1],
                second: vec![vec![jet.d2]],
            })
        }
        Shape::Face {
            surface,
            same_sense,
            ..
        } => {
            let is_inside =
                patch.membership == Membership::Inside || tree.classify(id, u, v) == Where::Inside;
            let jet = surface.jet(u, v);
            let normal = surface.normal(u, v).filter(|_| is_inside)?;
            Some(Site {
                part,
                feature,
                hollow,
                point: jet.p,
                normal: if *same_sense { normal } else { -normal },
                first: vec![jet.du, jet.dv],
                second: vec![vec![jet.duu, jet.duv], vec![jet.duv, jet.dvv]],
            })
        }
    }
}

/// The outward normal of a face at a point of its border.
fn outward(tree: &TreePart, face: FeatureId, p: &Point3) -> Option<Vec3> {
    let Shape::Face {
        surface,
        same_sense,
        ..
    } = &tree.features[face.index()].shape
    else {
        return None;
    };
    let (u, v) = surface.invert(p, None);
    let normal = surface.normal(u, v)?;
    Some(if *same_sense { normal } else { -normal })
}
