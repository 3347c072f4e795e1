//! Points, curves and surfaces as STEP entities for truck-stepio.
//!
//! Numbers are written with as many digits as it takes to read the same number back; what is not finite makes the
//! formatting fail.

use brepcd_geom::nurbs::{NurbsCurve, NurbsSurface, project};
use brepcd_geom::surface::TorusShape;
use brepcd_geom::{Curve, Frame, Point3, Point4, Surface, Vec3};
use std::fmt::{Display, Formatter, Result};
use truck_stepio::out::{DisplayByStep, StepCurve, StepLength, StepSurface};

/// A number; STEP wants a decimal point also before an exponent.
pub(crate) struct Real(pub f64);

impl Display for Real {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        if !self.0.is_finite() {
            return Err(std::fmt::Error);
        }
        let digits = format!("{:?}", self.0);
        match digits.split_once('e') {
            Some((mantissa, exponent)) if !mantissa.contains('.') => {
                write!(f, "{mantissa}.0E{exponent}")
            }
            Some((mantissa, exponent)) => write!(f, "{mantissa}E{exponent}"),
            None => f.write_str(&digits),
        }
    }
}

/// Items in parentheses.
#[derive(Clone)]
struct Listed<I>(I);

impl<T: Display, I: Clone + IntoIterator<Item = T>> Display for Listed<I> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str("(")?;
        for (i, item) in self.0.clone().into_iter().enumerate() {
            write!(f, "{}{item}", if i == 0 { "" } else { ", " })?;
        }
        f.write_str(")")
    }
}

/// A reference to an entity.
struct Ref(usize);

impl Display for Ref {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "#{}", self.0)
    }
}

fn triple(f: &mut Formatter<'_>, idx: usize, keyword: &str, v: &Vec3) -> Result {
    writeln!(
        f,
        "#{idx} = {keyword}('', ({}, {}, {}));",
        Real(v.x),
        Real(v.y),
        Real(v.z)
    )
}

/// Entities of a placement.
const PLACEMENT: usize = 4;

fn placement(f: &mut Formatter<'_>, idx: usize, frame: &Frame) -> Result {
    writeln!(
        f,
        "#{idx} = AXIS2_PLACEMENT_3D('', #{}, #{}, #{});",
        idx + 1,
        idx + 2,
        idx + 3
    )?;
    triple(f, idx + 1, "CARTESIAN_POINT", &frame.origin.coords)?;
    triple(f, idx + 2, "DIRECTION", &frame.z)?;
    triple(f, idx + 3, "DIRECTION", &frame.x)
}

fn control_points(f: &mut Formatter<'_>, idx: usize, control: &[Point4]) -> Result {
    control
        .iter()
        .enumerate()
        .try_for_each(|(i, q)| triple(f, idx + i, "CARTESIAN_POINT", &project(q).coords))
}

/// Distinct knots and how often each occurs.
fn multiplicities(knots: &[f64]) -> (Vec<f64>, Vec<usize>) {
    let (mut values, mut counts): (Vec<f64>, Vec<usize>) = (Vec::new(), Vec::new());
    for &knot in knots {
        match (values.last(), counts.last_mut()) {
            (Some(&last), Some(count)) if last == knot => *count += 1,
            _ => {
                values.push(knot);
                counts.push(1);
            }
        }
    }
    (values, counts)
}

fn reals(values: &[f64]) -> Listed<impl Clone + IntoIterator<Item = Real>> {
    Listed(values.iter().map(|&x| Real(x)))
}

/// A vertex.
#[derive(Clone, Copy)]
pub(crate) struct PointEntity(pub Point3);

impl DisplayByStep for PointEntity {
    fn fmt(&self, idx: usize, f: &mut Formatter<'_>) -> Result {
        triple(f, idx, "CARTESIAN_POINT", &self.0.coords)
    }
}

/// The curve of an edge and whether the edge runs along it.
pub(crate) struct CurveEntity<'a> {
    pub curve: &'a Curve,
    pub same_sense: bool,
}

impl StepCurve for CurveEntity<'_> {
    fn same_sense(&self) -> bool {
        self.same_sense
    }
}

impl StepLength for CurveEntity<'_> {
    fn step_length(&self) -> usize {
        match self.curve {
            Curve::Line(_) => 4,
            Curve::Circle(_) | Curve::Ellipse(_) | Curve::Hyperbola(_) | Curve::Parabola(_) => {
                1 + PLACEMENT
            }
            Curve::Nurbs(c) => 1 + c.control.len(),
        }
    }
}

impl DisplayByStep for CurveEntity<'_> {
    fn fmt(&self, idx: usize, f: &mut Formatter<'_>) -> Result {
        let frame = match self.curve {
            Curve::Line(c) => {
                writeln!(f, "#{idx} = LINE('', #{}, #{});", idx + 1, idx + 2)?;
                triple(f, idx + 1, "CARTESIAN_POINT", &c.origin.coords)?;
                writeln!(f, "#{} = VECTOR('', #{}, 1.0);", idx + 2, idx + 3)?;
                return triple(f, idx + 3, "DIRECTION", &c.dir);
            }
            Curve::Nurbs(c) => return spline_curve(f, idx, c),
            Curve::Circle(c) => {
                writeln!(f, "#{idx} = CIRCLE('', #{}, {});", idx + 1, Real(c.radius))?;
                c.frame
            }
            Curve::Ellipse(c) => {
                writeln!(
                    f,
                    "#{idx} = ELLIPSE('', #{}, {}, {});",
                    idx + 1,
                    Real(c.rx),
                    Real(c.ry)
                )?;
                c.frame
            }
            Curve::Hyperbola(c) => {
                writeln!(
                    f,
                    "#{idx} = HYPERBOLA('', #{}, {}, {});",
                    idx + 1,
                    Real(c.a),
                    Real(c.b)
                )?;
                c.frame
            }
            Curve::Parabola(c) => {
                writeln!(f, "#{idx} = PARABOLA('', #{}, {});", idx + 1, Real(c.focal))?;
                c.frame
            }
        };
        placement(f, idx + 1, &frame)
    }
}

fn spline_curve(f: &mut Formatter<'_>, idx: usize, c: &NurbsCurve) -> Result {
    let (knots, counts) = multiplicities(&c.knots);
    let (knots, counts) = (reals(&knots), Listed(&counts));
    let (degree, points) = (c.degree, Listed((idx + 1..=idx + c.control.len()).map(Ref)));
    if c.is_rational() {
        let weights = Listed(c.control.iter().map(|q| Real(q.w)));
        writeln!(
            f,
            "#{idx} = (BOUNDED_CURVE() B_SPLINE_CURVE({degree}, {points}, .UNSPECIFIED., .U., .U.) \
             B_SPLINE_CURVE_WITH_KNOTS({counts}, {knots}, .UNSPECIFIED.) CURVE() GEOMETRIC_REPRESENTATION_ITEM() \
             RATIONAL_B_SPLINE_CURVE({weights}) REPRESENTATION_ITEM(''));"
        )?;
    } else {
        writeln!(
            f,
            "#{idx} = B_SPLINE_CURVE_WITH_KNOTS('', {degree}, {points}, .UNSPECIFIED., .U., .U., {counts}, {knots}, \
             .UNSPECIFIED.);"
        )?;
    }
    control_points(f, idx + 1, &c.control)
}

/// The surface of a face.
pub(crate) struct SurfaceEntity<'a>(pub &'a Surface);

impl StepSurface for SurfaceEntity<'_> {}

impl StepLength for SurfaceEntity<'_> {
    fn step_length(&self) -> usize {
        match self.0 {
            Surface::Plane(_)
            | Surface::Cylinder(_)
            | Surface::Cone(_)
            | Surface::Sphere(_)
            | Surface::Torus(_) => 1 + PLACEMENT,
            Surface::Nurbs(s) => 1 + s.control.len(),
        }
    }
}

impl DisplayByStep for SurfaceEntity<'_> {
    fn fmt(&self, idx: usize, f: &mut Formatter<'_>) -> Result {
        let at = idx + 1;
        let frame = match self.0 {
            Surface::Nurbs(s) => return spline_surface(f, idx, s),
            Surface::Plane(s) => {
                writeln!(f, "#{idx} = PLANE('', #{at});")?;
                s.frame
            }
            Surface::Cylinder(s) => {
                writeln!(
                    f,
                    "#{idx} = CYLINDRICAL_SURFACE('', #{at}, {});",
                    Real(s.radius)
                )?;
                s.frame
            }
            Surface::Cone(s) => {
                writeln!(
                    f,
                    "#{idx} = CONICAL_SURFACE('', #{at}, {}, {});",
                    Real(s.radius),
                    Real(s.half_angle.abs())
                )?;
                if s.half_angle < 0.0 {
                    // half a turn about x: a cone that narrows along z widens against it, and du × dv stays
                    Frame {
                        y: -s.frame.y,
                        z: -s.frame.z,
                        ..s.frame
                    }
                } else {
                    s.frame
                }
            }
            Surface::Sphere(s) => {
                writeln!(
                    f,
                    "#{idx} = SPHERICAL_SURFACE('', #{at}, {});",
                    Real(s.radius)
                )?;
                s.frame
            }
            Surface::Torus(s) => {
                let (major, minor) = (Real(s.major), Real(s.minor));
                match s.shape {
                    TorusShape::Ring => {
                        writeln!(f, "#{idx} = TOROIDAL_SURFACE('', #{at}, {major}, {minor});")?
                    }
                    TorusShape::Apple => writeln!(
                        f,
                        "#{idx} = DEGENERATE_TOROIDAL_SURFACE('', #{at}, {major}, {minor}, .T.);"
                    )?,
                    TorusShape::Lemon => writeln!(
                        f,
                        "#{idx} = DEGENERATE_TOROIDAL_SURFACE('', #{at}, {major}, {minor}, .F.);"
                    )?,
                }
                s.frame
            }
        };
        placement(f, at, &frame)
    }
}

fn spline_surface(f: &mut Formatter<'_>, idx: usize, s: &NurbsSurface) -> Result {
    let ((knots_u, counts_u), (knots_v, counts_v)) =
        (multiplicities(&s.knots_u), multiplicities(&s.knots_v));
    let (counts_u, counts_v) = (Listed(&counts_u), Listed(&counts_v));
    let (knots_u, knots_v) = (reals(&knots_u), reals(&knots_v));
    let (degree_u, degree_v) = (s.degree_u, s.degree_v);
    let row = |i: usize| Listed((idx + 1 + i * s.count_v..idx + 1 + (i + 1) * s.count_v).map(Ref));
    let points = Listed((0..s.count_u).map(row));
    if s.is_rational() {
        let weights = Listed(
            s.control
                .chunks(s.count_v)
                .map(|row| Listed(row.iter().map(|q| Real(q.w)))),
        );
        writeln!(
            f,
            "#{idx} = (BOUNDED_SURFACE() B_SPLINE_SURFACE({degree_u}, {degree_v}, {points}, .UNSPECIFIED., .U., .U., \
             .U.) B_SPLINE_SURFACE_WITH_KNOTS({counts_u}, {counts_v}, {knots_u}, {knots_v}, .UNSPECIFIED.) \
             GEOMETRIC_REPRESENTATION_ITEM() RATIONAL_B_SPLINE_SURFACE({weights}) REPRESENTATION_ITEM('') SURFACE());"
        )?;
    } else {
        writeln!(
            f,
            "#{idx} = B_SPLINE_SURFACE_WITH_KNOTS('', {degree_u}, {degree_v}, {points}, .UNSPECIFIED., .U., .U., .U., \
             {counts_u}, {counts_v}, {knots_u}, {knots_v}, .UNSPECIFIED.);"
        )?;
    }
    control_points(f, idx + 1, &s.control)
}

#[cfg(test)]
mod tests {
    use super::*;
    use brepcd_geom::curve::{Circle, Ellipse, Hyperbola, Line, Parabola};
    use brepcd_geom::nurbs::{construct, lift};
    use brepcd_geom::surface::{Cone, Cylinder, Plane, Sphere, Torus};
    use std::sync::Arc;
    use truck_stepio::out::StepDisplay;

    #[test]
    fn numbers_are_read_back_exactly_and_have_a_point() {
        for x in [
            0.0,
            -0.0,
            1.0,
            1e16,
            1e300,
            1.5e-7,
            1.0 / 3.0,
            f64::MIN_POSITIVE,
            -123456.789,
        ] {
            let text = Real(x).to_string();
            assert_eq!(
                text.parse::<f64>().unwrap().to_bits(),
                x.to_bits(),
                "{text}"
            );
            assert!(text.split('E').next().unwrap().contains('.'), "{text}");
        }
    }

    /// truck-stepio numbers what follows by the length, so each entity must use its numbers up, in order.
    fn check_numbers(text: &str, length: usize) {
        let numbers: Vec<&str> = text
            .lines()
            .filter_map(|line| line.split_once(" = "))
            .map(|l| l.0)
            .collect();
        let expected: Vec<String> = (40..40 + length).map(|i| format!("#{i}")).collect();
        assert_eq!(numbers, expected, "{text}");
        assert_eq!(numbers.len(), text.lines().count(), "{text}");
    }

    #[test]
    fn every_kind_uses_the_numbers_it_announces() {
        let frame = Frame::world();
        let arc = Curve::Circle(Circle { frame, radius: 2.0 });
        let rational = construct::from_conic(&arc, brepcd_geom::Interval::new(0.0, 1.0)).unwrap();
        let points = [[0.0, 1.0, 0.0], [2.0, 0.0, 0.0], [3.0, 1.0, 1.0]];
        let control = points
            .map(|[x, y, z]| lift(&Point3::new(x, y, z), 1.0))
            .to_vec();
        let plain = NurbsCurve::new(2, vec![0.0, 0.0, 0.0, 1.0, 1.0, 1.0], control).unwrap();
        let surfaces = [&rational, &plain].map(|c| construct::extrude(c, Vec3::z()).unwrap());
        for curve in [
            arc,
            Curve::Line(Line {
                origin: frame.origin,
                dir: frame.x,
            }),
            Curve::Ellipse(Ellipse {
                frame,
                rx: 2.0,
                ry: 1.0,
            }),
            Curve::Hyperbola(Hyperbola {
                frame,
                a: 2.0,
                b: 1.0,
            }),
            Curve::Parabola(Parabola { frame, focal: 2.0 }),
            Curve::Nurbs(Arc::new(rational)),
            Curve::Nurbs(Arc::new(plain)),
        ] {
            let entity = CurveEntity {
                curve: &curve,
                same_sense: true,
            };
            check_numbers(
                &StepDisplay::new(&entity, 40).to_string(),
                entity.step_length(),
            );
        }
        let torus = |shape| {
            Surface::Torus(Torus {
                frame,
                major: 1.0,
                minor: 2.0,
                shape,
            })
        };
        let [rational, plain] = surfaces.map(|s| Surface::Nurbs(Arc::new(s)));
        for surface in [
            Surface::Plane(Plane { frame }),
            Surface::Cylinder(Cylinder { frame, radius: 2.0 }),
            Surface::Cone(Cone {
                frame,
                radius: 2.0,
                half_angle: -0.5,
            }),
            Surface::Sphere(Sphere { frame, radius: 2.0 }),
            torus(TorusShape::Ring),
            torus(TorusShape::Apple),
            torus(TorusShape::Lemon),
            rational,
            plain,
        ] {
            let entity = SurfaceEntity(&surface);
            check_numbers(
                &StepDisplay::new(&entity, 40).to_string(),
                entity.step_length(),
            );
        }
    }
}
