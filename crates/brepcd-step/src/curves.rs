//! Curves: every kind becomes one of `brepcd_geom`, with the range its file gives it.

use std::f64::consts::TAU;
use std::sync::Arc;

use brepcd_brep::EdgeKind;
use brepcd_geom::curve::{Circle, Ellipse, Hyperbola, Line, Parabola};
use brepcd_geom::nurbs::{NurbsCurve, construct};
use brepcd_geom::{Curve, Frame, Interval, Point3};

use crate::bspline::{join, polyline};
use crate::error::Read;
use crate::p21::{Args, Entity};
use crate::placement::{Geometry, MAX_COORDINATE};

/// A curve as a file gives it.
#[derive(Clone, Debug)]
pub(crate) struct CurveInput {
    /// The curve.
    pub curve: Curve,
    /// The parameters it is trimmed to, if any.
    pub range: Option<Interval>,
    /// Its type in the file.
    pub kind: EdgeKind,
}

const KINDS: &[&str] = &[
    "LINE",
    "CIRCLE",
    "B_SPLINE_CURVE_WITH_KNOTS",
    "ELLIPSE",
    "SURFACE_CURVE",
    "SEAM_CURVE",
    "INTERSECTION_CURVE",
    "TRIMMED_CURVE",
    "BEZIER_CURVE",
    "QUASI_UNIFORM_CURVE",
    "UNIFORM_CURVE",
    "POLYLINE",
    "COMPOSITE_CURVE",
    "HYPERBOLA",
    "PARABOLA",
    "PCURVE",
    "OFFSET_CURVE_3D",
    "B_SPLINE_CURVE",
];

/// Part of a turn below which two trimming parameters of a closed curve mean all of it.
const WHOLE_TURN: f64 = 1e-12;

impl Geometry<'_> {
    /// A curve of any kind.
    pub fn curve(&self, entity: Entity<'_>, depth: usize) -> Read<CurveInput> {
        self.spend(entity, depth)?;
        let Some(kind) = entity.one_of(KINDS) else {
            return Err(entity.fault(format!(
                "{} is not a curve that can be imported",
                entity.name()
            )));
        };
        let whole = |curve, kind| {
            Ok(CurveInput {
                curve,
                range: None,
                kind,
            })
        };
        match kind {
            "LINE" => whole(Curve::Line(self.line(entity)?.0), EdgeKind::Line),
            "CIRCLE" => {
                let (frame, args) = self.conic(entity)?;
                let radius = self.positive(&args, 2)?;
                whole(Curve::Circle(Circle { frame, radius }), EdgeKind::Circle)
            }
            "ELLIPSE" => {
                let (frame, args) = self.conic(entity)?;
                let (rx, ry) = (self.positive(&args, 2)?, self.positive(&args, 3)?);
                whole(Curve::Ellipse(Ellipse { frame, rx, ry }), EdgeKind::Ellipse)
            }
            "HYPERBOLA" => {
                let (frame, args) = self.conic(entity)?;
                let (a, b) = (self.positive(&args, 2)?, self.positive(&args, 3)?);
                whole(Curve::Hyperbola(Hyperbola { frame, a, b }), EdgeKind::Other)
            }
            "PARABOLA" => {
                let (frame, args) = self.conic(entity)?;
                let focal = self.positive(&args, 2)?;
                whole(Curve::Parabola(Parabola { frame, focal }), EdgeKind::Other)
            }
            "SURFACE_CURVE" | "SEAM_CURVE" | "INTERSECTION_CURVE" => {
                let args = entity.args();
                self.curve(self.file.follow(&args, 1)?, depth + 1)
            }
            "TRIMMED_CURVE" => self.trimmed(entity, depth),
            "COMPOSITE_CURVE" => {
                let args = entity.args();
                let mut pieces = Vec::new();
                for id in args.references(1)? {
                    let segment = self.file.get(id, &args)?;
                    self.spend(segment, depth)?;
                    pieces.push(self.composite_segment(segment, depth)?);
                }
                let curve = join(pieces).map_err(|message| args.fault(message))?;
                whole(Curve::Nurbs(Arc::new(curve)), EdgeKind::Bspline)
            }
            "POLYLINE" => {
                let args = entity.args();
                let mut points: Vec<Point3> = Vec::new();
                for id in args.references(1)? {
                    points.push(self.point(self.file.get(id, &args)?)?);
                }
                whole(
                    polyline(points).map_err(|message| args.fault(message))?,
                    EdgeKind::Bspline,
                )
            }
            "PCURVE" => Err(entity.fault("PCURVE: an edge without a curve in space")),
            "OFFSET_CURVE_3D" => {
                Err(entity.fault("OFFSET_CURVE_3D: offset curves are not supported"))
            }
            _ => whole(
                Curve::Nurbs(Arc::new(self.bspline_curve(entity)?)),
                EdgeKind::Bspline,
            ),
        }
    }

    /// A curve as a finite B-spline; `fallback` limits one that its file leaves infinite.
    pub fn bounded(
        &self,
        entity: Entity<'_>,
        depth: usize,
        fallback: impl Fn(&Curve) -> Interval,
    ) -> Read<(CurveInput, NurbsCurve)> {
        let mut input = self.curve(entity, depth)?;
        let range = input.range.unwrap_or_else(|| {
            let domain = input.curve.domain();
            if domain.length().is_finite() {
                domain
            } else {
                fallback(&input.curve)
            }
        });
        let curve = match &input.curve {
            Curve::Nurbs(n) if range == n.domain() => n.as_ref().clone(),
            other => {
                construct::from_conic(other, range).map_err(|e| entity.fault(e.to_string()))?
            }
        };
        input.range = Some(range);
        Ok((input, curve))
    }

    fn conic<'e>(&self, entity: Entity<'e>) -> Read<(Frame, Args<'e>)> {
        let args = entity.args();
        Ok((self.frame(self.file.follow(&args, 1)?)?, args))
    }

    /// A positive length in millimetres.
    pub fn positive(&self, args: &Args<'_>, index: usize) -> Read<f64> {
        let value = args.real(index)? * self.units.length;
        if value > 0.0 && value <= MAX_COORDINATE {
            Ok(value)
        } else {
            Err(args.fault(format!("a radius of {value} mm")))
        }
    }

    fn line(&self, entity: Entity<'_>) -> Read<(Line, f64)> {
        let args = entity.args();
        let origin = self.point(self.file.follow(&args, 1)?)?;
        let (dir, magnitude) = self.vector(self.file.follow(&args, 2)?)?;
        Ok((Line { origin, dir }, magnitude))
    }

    /// `TRIMMED_CURVE(name, basis, trim_1, trim_2, sense, master)`.
    fn trimmed(&self, entity: Entity<'_>, depth: usize) -> Read<CurveInput> {
        let args = entity.args();
        let basis = self.file.follow(&args, 1)?;
        let mut input = self.curve(basis, depth + 1)?;
        let sense = args.flag_or_true(4)?;
        let by_parameter = args.word(5) == "PARAMETER";
        let unit = match &input.curve {
            Curve::Line(_) if basis.is("LINE") => self.line(basis)?.1,
            Curve::Circle(_) | Curve::Ellipse(_) => self.units.angle,
            _ => 1.0,
        };
        let locate = |index: usize| -> Read<f64> {
            let (point, parameter) = args.trim(index)?;
            match (point, parameter) {
                (_, Some(t)) if by_parameter || point.is_none() => Ok(t * unit),
                (Some(id), _) => {
                    let p = self.point(self.file.get(id, &args)?)?;
                    Ok(input.curve.nearest(&p, input.curve.domain()).t)
                }
                _ => Err(args.fault("a trimming end without a point or a parameter")),
            }
        };
        let (mut a, mut b) = (locate(2)?, locate(3)?);
        if !sense {
            let total = reversal(&input.curve);
            input.curve = reversed(&input.curve);
            (a, b) = (total - a, total - b);
        }
        match (&input.curve, input.curve.period()) {
            (Curve::Circle(_) | Curve::Ellipse(_), _) => {
                let mut length = (b - a).rem_euclid(TAU);
                if length <= WHOLE_TURN * TAU {
                    length = TAU;
                }
                b = a + length;
            }
            (Curve::Nurbs(_), Some(period)) if b <= a => {
                // A range over the seam of a closed spline: its edge is trimmed by its vertices anyway.
                let domain = input.curve.domain();
                (a, b) = if b + period > domain.hi && a < domain.hi {
                    (domain.lo, domain.hi)
                } else {
                    (a, b + period)
                };
            }
            _ => {}
        }
        if !(b > a && (b - a).is_finite()) {
            return Err(args.fault("trimmed to nothing"));
        }
        input.range = Some(Interval::new(a, b));
        Ok(input)
    }

    /// `COMPOSITE_CURVE_SEGMENT(transition, same_sense, parent_curve)`.
    fn composite_segment(&self, segment: Entity<'_>, depth: usize) -> Read<NurbsCurve> {
        let args = segment
            .part("COMPOSITE_CURVE_SEGMENT")
            .unwrap_or_else(|| segment.args());
        let first = args.len().saturating_sub(3);
        let parent = self.file.follow(&args, first + 2)?;
        let (_, curve) = self.bounded(parent, depth + 1, |_| Interval::ALL)?;
        Ok(if args.flag_or_true(first + 1)? {
            curve
        } else {
            curve.reversed()
        })
    }
}

/// The same points run the other way; parameter `t` becomes [`reversal`] minus `t`.
pub(crate) fn reversed(curve: &Curve) -> Curve {
    let turned = |f: &Frame| Frame {
        y: -f.y,
        z: -f.z,
        ..*f
    };
    match curve {
        Curve::Line(c) => Curve::Line(Line {
            origin: c.origin,
            dir: -c.dir,
        }),
        Curve::Circle(c) => Curve::Circle(Circle {
            frame: turned(&c.frame),
            ..*c
        }),
        Curve::Ellipse(c) => Curve::Ellipse(Ellipse {
            frame: turned(&c.frame),
            ..*c
        }),
        Curve::Hyperbola(c) => Curve::Hyperbola(Hyperbola {
            frame: turned(&c.frame),
            ..*c
        }),
        Curve::Parabola(c) => Curve::Parabola(Parabola {
            frame: turned(&c.frame),
            ..*c
        }),
        Curve::Nurbs(c) => Curve::Nurbs(Arc::new(c.reversed())),
    }
}

fn reversal(curve: &Curve) -> f64 {
    match curve {
        Curve::Nurbs(c) => c.domain().lo + c.domain().hi,
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::p21::exchange;
    use crate::units::Units;
    use std::f64::consts::FRAC_PI_2;

    const POINTS: &str = "#1=CARTESIAN_POINT('',(0.,0.,0.));#2=DIRECTION('',(0.,0.,1.));#3=DIRECTION('',(1.,0.,0.));\
        #4=AXIS2_PLACEMENT_3D('',#1,#2,#3);#5=CIRCLE('',#4,2.);#6=CARTESIAN_POINT('',(0.,2.,0.));\
        #7=CARTESIAN_POINT('',(0.,5.,0.));#8=CARTESIAN_POINT('',(3.,5.,0.));#9=CARTESIAN_POINT('',(2.,0.,0.));";

    fn read(data: &str, id: u64, angle: f64) -> Read<CurveInput> {
        let file = exchange(&format!("{POINTS}{data}"));
        let units = Units {
            angle,
            ..Units::default()
        };
        let geometry = Geometry::new(&file, units, 1e-6);
        geometry.curve(file.find(id).expect("the curve is there"), 0)
    }

    #[test]
    fn trimming_against_the_curve_turns_it() {
        let degree = 1_f64.to_radians();
        let data = "#20=TRIMMED_CURVE('',#5,(PARAMETER_VALUE(90.)),(PARAMETER_VALUE(0.)),.F.,.PARAMETER.);";
        let input = read(data, 20, degree).expect("a curve");
        let range = input.range.expect("a range");
        assert!((range.length() - FRAC_PI_2).abs() < 1e-12);
        assert!((input.curve.point(range.lo) - Point3::new(0.0, 2.0, 0.0)).norm() < 1e-12);
        assert!((input.curve.point(range.hi) - Point3::new(2.0, 0.0, 0.0)).norm() < 1e-12);
    }

    #[test]
    fn composite_curves_are_one_spline() {
        let data = "#20=TRIMMED_CURVE('',#5,(#9),(#6),.T.,.CARTESIAN.);#21=POLYLINE('',(#8,#7,#6));\
            #22=COMPOSITE_CURVE_SEGMENT(.CONTINUOUS.,.T.,#20);#23=COMPOSITE_CURVE_SEGMENT(.CONTINUOUS.,.F.,#21);\
            #24=COMPOSITE_CURVE('',(#22,#23),.F.);";
        let Curve::Nurbs(curve) = read(data, 24, 1.0).expect("a curve").curve else {
            panic!("no spline")
        };
        let (domain, on_arc) = (curve.domain(), curve.point(0.6));
        assert!((curve.point(domain.lo) - Point3::new(2.0, 0.0, 0.0)).norm() < 1e-12);
        assert!((curve.point(domain.hi) - Point3::new(3.0, 5.0, 0.0)).norm() < 1e-12);
        assert!((on_arc.coords.norm() - 2.0).abs() < 1e-12);
        let corner = curve.nearest(&Point3::new(0.0, 5.0, 0.0), domain);
        assert!(corner.distance < 1e-9);
    }

    #[test]
    fn forms_without_knots_get_theirs() {
        let of = |name: &str| {
            let data = format!("#20={name}('',2,(#1,#9,#8,#7,#6),.UNSPECIFIED.,.F.,.F.);");
            let Curve::Nurbs(curve) = read(&data, 20, 1.0).expect("a curve").curve else {
                panic!("no spline")
            };
            curve
        };
        assert_eq!(
            of("BEZIER_CURVE").knots,
            [0.0, 0.0, 0.0, 1.0, 1.0, 2.0, 2.0, 2.0]
        );
        assert_eq!(
            of("QUASI_UNIFORM_CURVE").knots,
            [0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 3.0, 3.0]
        );
        // The uniform one starts half-way between its first two control points.
        let uniform = of("UNIFORM_CURVE");
        assert!((uniform.point(uniform.domain().lo) - Point3::new(1.0, 0.0, 0.0)).norm() < 1e-12);
    }

    #[test]
    fn a_curve_defined_by_itself_is_a_fault() {
        let data = "#20=TRIMMED_CURVE('',#20,(PARAMETER_VALUE(0.)),(PARAMETER_VALUE(1.)),.T.,.PARAMETER.);";
        let fault = read(data, 20, 1.0).expect_err("endless");
        assert_eq!(fault.id, 20);
    }
}
