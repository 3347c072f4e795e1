//! Which carriers coincide.
//!
//! A carrier has a key: numbers that do not depend on its parametrisation, taken about the part's centre and divided
//! by the part's size. Keys of the carriers seen so far are in R*-trees, one per class (kind and orientation). What is
//! near there is then measured where it matters: at points of the piece that asks. The first carrier of a group stays
//! its reference, so that tolerances do not add up along a chain of pieces.

use std::collections::BTreeMap;

use brepcd_brep::Brep;
use brepcd_geom::surface::TorusShape;
use brepcd_geom::{Aabb, Curve, Frame, Point3, Surface, Vec3};
use rstar::primitives::GeomWithData;
use rstar::{AABB, RTree};

/// Share of the part's size above which a gap is never tolerated, however coarse the file says it is.
const COARSEST: f64 = 1e-6;
/// Share of the part's size that files lose in writing their numbers.
const FINEST: f64 = 1e-9;
/// Share of a coordinate lost to rounding.
const ROUNDING: f64 = 64.0 * f64::EPSILON;
/// Length tolerances by which the radii of coincident carriers may differ.
const RADIUS_SLACK: f64 = 8.0;

/// The part's place and size, and the tolerances that follow from them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    pub centre: Point3,
    pub size: f64,
    /// Gap between things that coincide, mm.
    pub length: f64,
    /// Angle between directions that agree, radians.
    pub angle: f64,
}

impl Scale {
    pub fn of(brep: &Brep) -> Self {
        let mut bounds = Aabb::of(brep.vertices.iter().map(|v| v.point));
        for edge in &brep.edges {
            bounds.include(&edge.jet(edge.range().mid()).p);
        }
        for face in brep.faces.iter().filter(|f| f.domain.chains.is_empty()) {
            match &face.surface {
                Surface::Sphere(_) | Surface::Torus(_) => {
                    let (u, v) = face.surface.domain();
                    bounds = bounds.union(&face.surface.bounding_box(u, v));
                }
                Surface::Nurbs(n) => bounds = bounds.union(&n.control_box()),
                Surface::Plane(_) | Surface::Cylinder(_) | Surface::Cone(_) => {}
            }
        }
        let diagonal = bounds.diagonal();
        let size = if diagonal > 0.0 && diagonal.is_finite() {
            diagonal
        } else {
            1.0
        };
        let centre = if bounds.is_empty() {
            Point3::origin()
        } else {
            bounds.centre()
        };
        let least = FINEST * size + ROUNDING * centre.coords.norm();
        Self {
            centre,
            size,
            length: brep.tolerance.length.min(COARSEST * size).max(least),
            angle: brep.tolerance.angle,
        }
    }
}

/// Numbers that name a carrier; unused ones are 0.
pub(crate) type Key = [f64; 8];

/// A carrier's key, that of the same carrier with its axis turned, and how far equal ones may be apart.
pub(crate) struct Name {
    pub keys: [Option<Key>; 2],
    slack: Key,
}

/// Builds keys: directions, then places, then radii.
struct Writer<'a> {
    scale: &'a Scale,
    key: Key,
    slack: Key,
    used: usize,
}

impl<'a> Writer<'a> {
    fn new(scale: &'a Scale) -> Self {
        Self {
            scale,
            key: [0.0; 8],
            slack: [0.0; 8],
            used: 0,
        }
    }

    fn push(mut self, value: f64, slack: f64) -> Self {
        self.key[self.used] = value;
        self.slack[self.used] = slack;
        self.used += 1;
        self
    }

    fn direction(self, d: &Vec3) -> Self {
        let slack = self.scale.angle;
        self.push(d.x, slack).push(d.y, slack).push(d.z, slack)
    }

    /// A place that an angle within tolerance moves, as seen from the centre.
    fn place(mut self, p: &Point3) -> Self {
        let local = (p - self.scale.centre) / self.scale.size;
        for value in local.iter() {
            let slack = self.swing(*value);
            self = self.push(*value, slack);
        }
        self
    }

    fn swing(&self, value: f64) -> f64 {
        self.scale.angle * (1.0 + value.abs()) + self.scale.length / self.scale.size
    }

    fn level(self, value: f64) -> Self {
        let value = value / self.scale.size;
        let slack = self.swing(value);
        self.push(value, slack)
    }

    fn radius(self, r: f64) -> Self {
        let rounding = FINEST * r / self.scale.size;
        let slack = RADIUS_SLACK * self.scale.length / self.scale.size + rounding;
        let r = r / self.scale.size;
        self.push(r, slack)
    }

    fn one_way(self) -> Name {
        Name {
            keys: [Some(self.key), None],
            slack: self.slack,
        }
    }

    /// The key and the one with the leading direction turned.
    fn both_ways(self) -> Name {
        let mut turned = self.key;
        turned[..3].iter_mut().for_each(|x| *x = -*x);
        Name {
            keys: [Some(self.key), Some(turned)],
            slack: self.slack,
        }
    }
}

/// The point of the frame's axis beside the centre.
fn foot(frame: &Frame, scale: &Scale) -> Point3 {
    frame.origin + frame.z * frame.z.dot(&(scale.centre - frame.origin))
}

/// Kind and orientation of a surface: only within such a class surfaces may coincide.
pub(crate) type SurfaceClass = (u8, bool);

/// Class and name of a surface with its orientation; `None` for free-form ones.
pub(crate) fn surface_name(
    surface: &Surface,
    same_sense: bool,
    scale: &Scale,
) -> Option<(SurfaceClass, Name)> {
    let write = Writer::new(scale);
    Some(match surface {
        Surface::Plane(s) => {
            let n = if same_sense { s.frame.z } else { -s.frame.z };
            let height = n.dot(&(s.frame.origin - scale.centre));
            ((0, true), write.direction(&n).level(height).one_way())
        }
        Surface::Cylinder(s) => {
            let write = write.direction(&s.frame.z).place(&foot(&s.frame, scale));
            ((1, same_sense), write.radius(s.radius).both_ways())
        }
        Surface::Cone(s) => {
            let turn = if s.half_angle < 0.0 { -1.0 } else { 1.0 };
            let place = foot(&s.frame, scale);
            let along = s.frame.z.dot(&(place - s.frame.origin));
            let write = write.direction(&(s.frame.z * turn)).place(&place);
            let write = write.level(s.radius + along * s.half_angle.tan());
            let name = write.push(s.half_angle.abs(), scale.angle).one_way();
            ((2, same_sense), name)
        }
        Surface::Sphere(s) => {
            let write = write.place(&s.frame.origin).radius(s.radius);
            ((3, same_sense), write.one_way())
        }
        Surface::Torus(s) => {
            let class = match s.shape {
                TorusShape::Ring => 4,
                TorusShape::Apple => 5,
                TorusShape::Lemon => 6,
            };
            let write = write.direction(&s.frame.z).place(&s.frame.origin);
            let write = write.radius(s.major).radius(s.minor);
            ((class, same_sense), write.both_ways())
        }
        Surface::Nurbs(_) => return None,
    })
}

/// Class and name of a curve; `None` for those that are not grouped.
pub(crate) fn curve_name(curve: &Curve, scale: &Scale) -> Option<(u8, Name)> {
    let write = Writer::new(scale);
    Some(match curve {
        Curve::Line(c) => {
            let place = c.origin + c.dir * c.dir.dot(&(scale.centre - c.origin));
            (0, write.direction(&c.dir).place(&place).both_ways())
        }
        Curve::Circle(c) => {
            let write = write.direction(&c.frame.z).place(&c.frame.origin);
            (1, write.radius(c.radius).both_ways())
        }
        Curve::Ellipse(c) => {
            let write = write.direction(&c.frame.z).place(&c.frame.origin);
            let write = write.radius(c.rx.max(c.ry)).radius(c.rx.min(c.ry));
            (2, write.both_ways())
        }
        Curve::Hyperbola(_) | Curve::Parabola(_) | Curve::Nurbs(_) => return None,
    })
}

/// The carriers seen so far.
pub(crate) struct Index<C> {
    trees: BTreeMap<C, RTree<GeomWithData<Key, usize>>>,
}

impl<C: Ord> Index<C> {
    pub fn new() -> Self {
        Self {
            trees: BTreeMap::new(),
        }
    }

    /// The carriers of a class that may be the named one, ascending.
    pub fn near(&self, class: &C, name: &Name) -> Vec<usize> {
        let mut found = Vec::new();
        if let Some(tree) = self.trees.get(class) {
            for key in name.keys.iter().flatten() {
                let lo = std::array::from_fn(|i| key[i] - name.slack[i]);
                let hi = std::array::from_fn(|i| key[i] + name.slack[i]);
                let around = AABB::from_corners(lo, hi);
                found.extend(tree.locate_in_envelope(&around).map(|item| item.data));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Adds a carrier; one whose numbers are not finite is never found.
    pub fn insert(&mut self, class: C, name: &Name, item: usize) {
        if let Some(key) = name.keys[0].filter(|k| k.iter().all(|x| x.is_finite())) {
            let tree = self.trees.entry(class).or_default();
            tree.insert(GeomWithData::new(key, item));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use brepcd_geom::surface::{Cone, Cylinder};

    fn scale() -> Scale {
        Scale {
            centre: Point3::new(1e4, 2e4, -3e4),
            size: 50.0,
            length: 1e-5,
            angle: 1e-4,
        }
    }

    fn found(a: &Surface, b: &Surface, senses: [bool; 2]) -> bool {
        let mut index = Index::new();
        let (class, name) = surface_name(a, senses[0], &scale()).unwrap();
        index.insert(class, &name, 7);
        let (class, name) = surface_name(b, senses[1], &scale()).unwrap();
        index.near(&class, &name) == [7]
    }

    #[test]
    fn names_do_not_depend_on_the_parametrisation() {
        let centre = scale().centre;
        let axis = Vec3::new(0.3, -0.5, 0.8);
        let frame = Frame::from_z(centre + Vec3::new(3.0, 1.0, 2.0), axis).unwrap();
        let turned = Frame::from_z(frame.origin + frame.z * 17.0, -frame.z).unwrap();
        let cylinder = |frame, radius| Surface::Cylinder(Cylinder { frame, radius });
        let a = cylinder(frame, 4.0);
        assert!(found(&a, &cylinder(turned, 4.0), [true; 2]));
        assert!(!found(&a, &cylinder(turned, 4.0), [true, false]));
        assert!(!found(&a, &cylinder(turned, 4.0 + 1e-3), [true; 2]));

        let cone = |frame, radius, half_angle| {
            Surface::Cone(Cone {
                frame,
                radius,
                half_angle,
            })
        };
        let a = cone(frame, 4.0, 0.3);
        let there = 4.0 + 17.0 * 0.3_f64.tan();
        assert!(found(&a, &cone(turned, there, -0.3), [true; 2]));
        // The other nappe.
        assert!(!found(&a, &cone(turned, there, 0.3), [true; 2]));
    }
}
