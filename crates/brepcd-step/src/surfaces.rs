//! Surfaces: canonical ones as they are, free-form and swept ones as exact B-splines, hidden canonical ones recognised.
//!
//! The parametrisations of `brepcd_geom` are those of the standard up to scale, so `du × dv` points the same way; where
//! a conversion turns it, the carrier says so.

use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

use brepcd_brep::FaceKind;
use brepcd_geom::nurbs::{NurbsSurface, construct};
use brepcd_geom::surface::{Cone, Cylinder, Plane, Sphere, Torus, TorusShape};
use brepcd_geom::{Aabb, Curve, Frame, Interval, Point3, Surface, Vec3, recognize};

use crate::error::Read;
use crate::p21::Entity;
use crate::placement::Geometry;
use crate::revolution;

/// The surface of a face.
#[derive(Clone, Debug)]
pub(crate) struct Carrier {
    /// The surface.
    pub surface: Surface,
    /// True if its `du × dv` points against that of the file's surface.
    pub flip: bool,
    /// Type in the file.
    pub kind: FaceKind,
    /// Deviation of a recognised canonical surface, millimetres.
    pub recognized: Option<f64>,
    /// Deviation of an approximation worth a warning, millimetres.
    pub approximated: Option<f64>,
}

/// Where a face is: limits surfaces that its file leaves infinite or ambiguous.
#[derive(Clone, Debug, Default)]
pub(crate) struct Extent {
    /// Vertices.
    pub corners: Vec<Point3>,
    /// Edges.
    pub curves: Vec<(Curve, Interval)>,
}

impl Extent {
    /// Points of the border that are no vertices.
    pub fn middles(&self) -> impl Iterator<Item = Point3> {
        self.curves
            .iter()
            .map(|(curve, range)| curve.point(range.mid()))
    }

    /// The box of the border.
    pub fn aabb(&self) -> Aabb {
        let mut out = Aabb::of(self.corners.iter().copied());
        for (curve, range) in &self.curves {
            out = out.union(&curve.bounding_box(*range));
        }
        out
    }
}

/// Share of the face's size by which an infinite surface is made larger than the face.
const MARGIN: f64 = 0.25;
/// Largest tolerance of recognition, millimetres: a surface further off is not what the file means.
const RECOGNITION: f64 = 1e-5;
/// Angles closer than this to 0 or a quarter turn make no cone.
const CONE_ANGLE: f64 = 1e-9;

const KINDS: &[&str] = &[
    "PLANE",
    "CYLINDRICAL_SURFACE",
    "CONICAL_SURFACE",
    "TOROIDAL_SURFACE",
    "SPHERICAL_SURFACE",
    "B_SPLINE_SURFACE_WITH_KNOTS",
    "DEGENERATE_TOROIDAL_SURFACE",
    "SURFACE_OF_LINEAR_EXTRUSION",
    "SURFACE_OF_REVOLUTION",
    "OFFSET_SURFACE",
    "RECTANGULAR_TRIMMED_SURFACE",
    "CURVE_BOUNDED_SURFACE",
    "BEZIER_SURFACE",
    "QUASI_UNIFORM_SURFACE",
    "UNIFORM_SURFACE",
    "B_SPLINE_SURFACE",
];

/// True for surfaces that are read anew for every face.
pub(crate) fn depends_on_extent(entity: Entity<'_>) -> bool {
    const NAMES: &[&str] = &[
        "SURFACE_OF_LINEAR_EXTRUSION",
        "SURFACE_OF_REVOLUTION",
        "OFFSET_SURFACE",
        "RECTANGULAR_TRIMMED_SURFACE",
        "CURVE_BOUNDED_SURFACE",
    ];
    entity.one_of(NAMES).is_some()
}

impl Geometry<'_> {
    /// A surface of any kind.
    pub fn surface(
        &self,
        entity: Entity<'_>,
        extent: &dyn Fn() -> Extent,
        depth: usize,
    ) -> Read<Carrier> {
        self.spend(entity, depth)?;
        let Some(kind) = entity.one_of(KINDS) else {
            return Err(entity.fault(format!(
                "{} is not a surface that can be imported",
                entity.name()
            )));
        };
        let exact = |surface, kind| {
            Ok(Carrier {
                surface,
                flip: false,
                kind,
                recognized: None,
                approximated: None,
            })
        };
        let args = entity.args();
        let frame = || self.frame(self.file.follow(&args, 1)?);
        match kind {
            "PLANE" => exact(Surface::Plane(Plane { frame: frame()? }), FaceKind::Plane),
            "CYLINDRICAL_SURFACE" => {
                let radius = self.positive(&args, 2)?;
                exact(
                    Surface::Cylinder(Cylinder {
                        frame: frame()?,
                        radius,
                    }),
                    FaceKind::Cylinder,
                )
            }
            "CONICAL_SURFACE" => {
                let radius = args.real(2)? * self.units.length;
                let half_angle = args.real(3)? * self.units.angle;
                if radius < 0.0 || half_angle.abs() >= FRAC_PI_2 - CONE_ANGLE {
                    return Err(args.fault(format!(
                        "radius {radius} mm and half angle {half_angle} make no cone"
                    )));
                }
                let frame = frame()?;
                if half_angle.abs() > CONE_ANGLE {
                    exact(
                        Surface::Cone(Cone {
                            frame,
                            radius,
                            half_angle,
                        }),
                        FaceKind::Cone,
                    )
                } else if radius > 0.0 {
                    exact(
                        Surface::Cylinder(Cylinder { frame, radius }),
                        FaceKind::Cone,
                    )
                } else {
                    Err(args.fault("a cone without radius and angle"))
                }
            }
            "SPHERICAL_SURFACE" => {
                let radius = self.positive(&args, 2)?;
                exact(
                    Surface::Sphere(Sphere {
                        frame: frame()?,
                        radius,
                    }),
                    FaceKind::Sphere,
                )
            }
            "TOROIDAL_SURFACE" | "DEGENERATE_TOROIDAL_SURFACE" => {
                let (major, minor) = (args.real(2)? * self.units.length, self.positive(&args, 3)?);
                if major < 0.0 {
                    return Err(args.fault(format!("a major radius of {major} mm")));
                }
                let outer = kind == "TOROIDAL_SURFACE" || args.flag_or_true(4)?;
                let shape = match (major < minor, outer) {
                    (false, _) => TorusShape::Ring,
                    (true, true) => TorusShape::Apple,
                    (true, false) => TorusShape::Lemon,
                };
                exact(
                    Surface::Torus(Torus {
                        frame: frame()?,
                        major,
                        minor,
                        shape,
                    }),
                    FaceKind::Torus,
                )
            }
            "SURFACE_OF_LINEAR_EXTRUSION" => self.extrusion(entity, extent, depth),
            "SURFACE_OF_REVOLUTION" => revolution::read(self, entity, extent, depth),
            "OFFSET_SURFACE" => self.offset(entity, extent, depth),
            "RECTANGULAR_TRIMMED_SURFACE" => {
                let mut basis = self.surface(self.file.follow(&args, 1)?, extent, depth + 1)?;
                basis.flip ^= args.flag_or_true(6)? != args.flag_or_true(7)?;
                Ok(basis)
            }
            "CURVE_BOUNDED_SURFACE" => self.surface(self.file.follow(&args, 1)?, extent, depth + 1),
            _ => Ok(self.free_form(self.bspline_surface(entity)?, FaceKind::Bspline)),
        }
    }

    /// A B-spline, or the canonical surface it hides.
    pub fn free_form(&self, nurbs: NurbsSurface, kind: FaceKind) -> Carrier {
        match recognize::surface(&nurbs, self.tol.min(RECOGNITION)) {
            Some((surface, deviation)) => {
                let flip = !recognize::same_orientation(&nurbs, &surface);
                Carrier {
                    surface,
                    flip,
                    kind,
                    recognized: Some(deviation),
                    approximated: None,
                }
            }
            None => {
                let surface = Surface::Nurbs(Arc::new(nurbs));
                Carrier {
                    surface,
                    flip: false,
                    kind,
                    recognized: None,
                    approximated: None,
                }
            }
        }
    }

    /// `SURFACE_OF_LINEAR_EXTRUSION(name, curve, vector)`.
    fn extrusion(
        &self,
        entity: Entity<'_>,
        extent: &dyn Fn() -> Extent,
        depth: usize,
    ) -> Read<Carrier> {
        let args = entity.args();
        let (along, _) = self.vector(self.file.follow(&args, 2)?)?;
        let aabb = extent().aabb();
        if aabb.is_empty() || !aabb.diagonal().is_finite() {
            return Err(args.fault("an infinite surface without a border"));
        }
        let margin = MARGIN * aabb.diagonal() + self.tol;
        let profile = self.file.follow(&args, 1)?;
        let (input, curve) = self.bounded(profile, depth + 1, |c| {
            infinite_range(c, &aabb.centre(), aabb.diagonal() + margin, &along)
        })?;
        if let Curve::Line(line) = &input.curve {
            let normal = line.dir.cross(&along);
            let frame = Frame::from_z_and_hint(line.origin, normal, Some(line.dir))
                .filter(|_| normal.norm() > CONE_ANGLE)
                .ok_or_else(|| args.fault("a line extruded along itself"))?;
            let surface = Surface::Plane(Plane { frame });
            let (kind, recognized) = (FaceKind::Extrusion, Some(0.0));
            return Ok(Carrier {
                surface,
                flip: false,
                kind,
                recognized,
                approximated: None,
            });
        }
        let reach = |b: &Aabb| -> Interval {
            let (centre, half) = (
                b.centre().coords.dot(&along),
                0.5 * (b.max - b.min).dot(&along.abs()),
            );
            Interval::new(centre - half, centre + half)
        };
        let (face, own) = (reach(&aabb), reach(&curve.bounding_box(curve.domain())));
        let (lo, hi) = (face.lo - own.hi - margin, face.hi - own.lo + margin);
        let moved = curve.transformed(&nalgebra::Translation3::from(along * lo).into());
        let nurbs =
            construct::extrude(&moved, along * (hi - lo)).map_err(|e| args.fault(e.to_string()))?;
        Ok(self.free_form(nurbs, FaceKind::Extrusion))
    }

    /// `OFFSET_SURFACE(name, basis, distance, self_intersect)`.
    fn offset(
        &self,
        entity: Entity<'_>,
        extent: &dyn Fn() -> Extent,
        depth: usize,
    ) -> Read<Carrier> {
        let args = entity.args();
        let distance = args.real(2)? * self.units.length;
        let basis = self.surface(self.file.follow(&args, 1)?, extent, depth + 1)?;
        let d = if basis.flip { -distance } else { distance };
        let mut out = Carrier {
            kind: FaceKind::Offset,
            ..basis
        };
        let shrunk = |r: f64| {
            if r != 0.0 {
                Ok(r)
            } else {
                Err(args.fault("the offset shrinks the surface to nothing"))
            }
        };
        match &mut out.surface {
            Surface::Plane(p) => p.frame.origin += p.frame.z * d,
            Surface::Cylinder(c) => {
                c.radius = shrunk(c.radius + d)?;
                out.flip ^= c.radius < 0.0;
                c.radius = c.radius.abs();
            }
            Surface::Sphere(s) => {
                s.radius = shrunk(s.radius + d)?;
                out.flip ^= s.radius < 0.0;
                s.radius = s.radius.abs();
            }
            Surface::Cone(c) => {
                let (sin, cos) = c.half_angle.sin_cos();
                c.frame.origin -= c.frame.z * (d * sin);
                c.radius += d * cos;
                if c.radius < 0.0 {
                    c.frame.origin -= c.frame.z * (c.radius * cos / sin);
                    c.radius = 0.0;
                }
            }
            Surface::Torus(t) => {
                let minor = shrunk(t.minor + d)?;
                if minor < 0.0 {
                    return Err(args.fault("the offset turns the torus inside out"));
                }
                t.minor = minor;
                t.shape = match t.shape {
                    _ if t.major >= minor => TorusShape::Ring,
                    TorusShape::Ring => TorusShape::Apple,
                    other => other,
                };
            }
            Surface::Nurbs(n) => {
                let (nurbs, deviation) =
                    construct::offset(&Surface::Nurbs(n.clone()), n.domain(), d, self.tol)
                        .map_err(|e| args.fault(e.to_string()))?;
                let carrier = self.free_form(nurbs, FaceKind::Offset);
                let flip = carrier.flip ^ out.flip;
                return Ok(Carrier {
                    flip,
                    approximated: Some(deviation),
                    ..carrier
                });
            }
        }
        out.recognized = Some(basis.recognized.unwrap_or(0.0));
        Ok(out)
    }
}

/// The parameters over which an infinite curve, moved along `free`, stays within a distance of a point.
pub(crate) fn infinite_range(
    curve: &Curve,
    centre: &Point3,
    distance: f64,
    free: &Vec3,
) -> Interval {
    let flat = |v: Vec3| (v - free * free.dot(&v)).norm();
    match curve {
        Curve::Line(line) => {
            let dir = line.dir - free * free.dot(&line.dir);
            let size = dir.norm_squared();
            if size < f64::EPSILON {
                return Interval::new(-distance, distance);
            }
            let mid = (centre - line.origin).dot(&dir) / size;
            Interval::new(mid - distance / size.sqrt(), mid + distance / size.sqrt())
        }
        Curve::Parabola(p) => {
            let reach = flat(centre - p.frame.origin) + distance;
            let across = flat(p.frame.y).max(f64::EPSILON);
            let t = (reach / (2.0 * p.focal * across)).max((reach / p.focal).sqrt());
            Interval::new(-t, t)
        }
        Curve::Hyperbola(h) => {
            let reach = flat(centre - h.frame.origin) + distance;
            let t = (reach / h.b.min(h.a)).asinh();
            Interval::new(-t, t)
        }
        Curve::Circle(_) | Curve::Ellipse(_) | Curve::Nurbs(_) => curve.domain(),
    }
}

/// The nappe of a cone that a face's vertices lie on; the file's cone has both.
pub(crate) fn on_nappe(cone: &Cone, corners: &[Point3]) -> Cone {
    let apex = -cone.radius / cone.half_angle.tan();
    let up = cone.half_angle.signum();
    let side: f64 = corners
        .iter()
        .map(|p| (cone.frame.local(p).z - apex) * up)
        .sum();
    if side >= 0.0 {
        return *cone;
    }
    let origin = cone.frame.origin + cone.frame.z * apex;
    Cone {
        frame: Frame {
            origin,
            ..cone.frame
        },
        radius: 0.0,
        half_angle: -cone.half_angle,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::p21::exchange;
    use crate::units::Units;

    const FRAME: &str = "#1=CARTESIAN_POINT('',(0.,0.,0.));#2=DIRECTION('',(0.,0.,1.));#3=DIRECTION('',(1.,0.,0.));\
        #4=AXIS2_PLACEMENT_3D('',#1,#2,#3);#5=AXIS1_PLACEMENT('',#1,#2);#6=CARTESIAN_POINT('',(4.,0.,0.));\
        #7=VECTOR('',#2,1.);#8=DIRECTION('',(0.,-1.,0.));#9=AXIS2_PLACEMENT_3D('',#6,#8,#3);#10=CIRCLE('',#9,1.5);";

    fn read(data: &str, extent: Extent) -> Read<Carrier> {
        let file = exchange(&format!("{FRAME}{data}"));
        let geometry = Geometry::new(
            &file,
            Units {
                angle: 1_f64.to_radians(),
                ..Units::default()
            },
            1e-6,
        );
        geometry.surface(file.find(20).expect("#20"), &|| extent.clone(), 0)
    }

    fn corners(points: &[[f64; 3]]) -> Extent {
        Extent {
            corners: points.iter().map(|p| Point3::from(*p)).collect(),
            curves: Vec::new(),
        }
    }

    #[test]
    fn cone_angles_are_in_the_unit_of_the_file() {
        let Surface::Cone(cone) = read("#20=CONICAL_SURFACE('',#4,2.,30.);", Extent::default())
            .expect("a cone")
            .surface
        else {
            panic!("no cone")
        };
        assert!((cone.half_angle.to_degrees() - 30.0).abs() < 1e-12);
        let below = on_nappe(&cone, &[Point3::new(1.0, 0.0, -10.0)]);
        let (u, v) = below.invert(&Point3::new(3.0, 0.0, -10.0), None);
        assert!(below.domain().1.contains(v) && below.point(u, v).z < -3.4);
        assert!(read("#20=CONICAL_SURFACE('',#4,2.,90.);", Extent::default()).is_err());
    }

    #[test]
    fn offsets_of_canonical_surfaces_are_exact() {
        let offset = |basis: &str, d: f64| {
            let data = format!("#19={basis};#20=OFFSET_SURFACE('',#19,{d:?},.F.);");
            read(&data, Extent::default()).expect("an offset")
        };
        let Surface::Sphere(sphere) = offset("SPHERICAL_SURFACE('',#4,3.)", -5.0).surface else {
            panic!("no sphere")
        };
        assert_eq!(sphere.radius, 2.0);
        assert!(offset("SPHERICAL_SURFACE('',#4,3.)", -5.0).flip);
        let cone = offset("CONICAL_SURFACE('',#4,2.,30.)", 1.0);
        assert_eq!(cone.kind, FaceKind::Offset);
        let Surface::Cone(cone) = cone.surface else {
            panic!("no cone")
        };
        // The point one off the circle of radius 2, along the normal.
        let p = Point3::new(2.0 + 30_f64.to_radians().cos(), 0.0, -0.5);
        let (u, v) = cone.invert(&p, None);
        assert!((cone.point(u, v) - p).norm() < 1e-12);
    }

    #[test]
    fn a_revolved_circle_is_a_torus_with_the_right_normal() {
        let carrier = read(
            "#20=SURFACE_OF_REVOLUTION('',#10,#5);",
            corners(&[[5.5, 0.0, 0.0]]),
        )
        .expect("a torus");
        let Surface::Torus(torus) = &carrier.surface else {
            panic!("no torus")
        };
        assert_eq!((torus.major, torus.minor), (4.0, 1.5));
        // du is +y and dv is +z at the outermost point, so the file's normal points outwards, as the torus' does.
        assert!(!carrier.flip);
    }

    #[test]
    fn a_revolved_line_is_canonical() {
        let line = |direction: &str| {
            let data = format!(
                "#17=DIRECTION('',({direction}));#18=VECTOR('',#17,1.);#19=LINE('',#6,#18);\
                 #20=SURFACE_OF_REVOLUTION('',#19,#5);"
            );
            read(&data, corners(&[[4.0, 0.0, 0.0], [0.0, 4.0, 1.0]])).expect("a surface")
        };
        assert!(
            matches!(line("0.,0.,-1.").surface, Surface::Cylinder(_)) && line("0.,0.,-1.").flip
        );
        assert!(matches!(line("1.,0.,1.").surface, Surface::Cone(_)) && !line("1.,0.,1.").flip);
        let Surface::Plane(plane) = line("1.,0.,0.").surface else {
            panic!("no plane")
        };
        assert!((plane.frame.z + Vec3::z()).norm() < 1e-12);
        // A skew line gives a hyperboloid.
        assert!(matches!(line("0.,1.,1.").surface, Surface::Nurbs(_)));
    }

    #[test]
    fn an_extrusion_reaches_its_face() {
        let data = "#11=ELLIPSE('',#4,3.,2.);#20=SURFACE_OF_LINEAR_EXTRUSION('',#11,#7);";
        let carrier =
            read(data, corners(&[[3.0, 0.0, 50.0], [-3.0, 0.0, 80.0]])).expect("a surface");
        for p in [Point3::new(3.0, 0.0, 50.0), Point3::new(0.0, 2.0, 80.0)] {
            let (u, v) = carrier.surface.invert(&p, None);
            assert!((carrier.surface.point(u, v) - p).norm() < 1e-9);
        }
    }
}
