use brepcd_geom::nurbs::NurbsError;

/// Why a truck solid cannot be taken over or a part not be written.
///
/// Shells, faces, edges and vertices are counted from 0 in the order in which truck lists them, each edge and vertex
/// once.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TruckError {
    /// A solid has no shell.
    #[error("the solid has no shell")]
    NoShell,
    /// A shell has no face.
    #[error("shell {shell} has no face")]
    NoFace {
        /// The shell.
        shell: usize,
    },
    /// A vertex is nowhere.
    #[error("vertex {vertex} has no finite coordinates")]
    Vertex {
        /// The vertex.
        vertex: usize,
    },
    /// An edge's spline is not one.
    #[error("edge {edge}: {reason}")]
    Curve {
        /// The edge.
        edge: usize,
        /// What is wrong with it.
        reason: NurbsError,
    },
    /// No common point of the two surfaces was found near the leading curve of an intersection.
    #[error("edge {edge}: its two surfaces do not meet near ({:.6}, {:.6}, {:.6})", near[0], near[1], near[2])]
    Intersection {
        /// The edge.
        edge: usize,
        /// A point of the leading curve.
        near: [f64; 3],
    },
    /// A face's spline or surface of revolution is not one.
    #[error("face {face}: {reason}")]
    Surface {
        /// The face.
        face: usize,
        /// What is wrong with it.
        reason: NurbsError,
    },
    /// The points that define a plane or the axis of a revolution have no direction.
    #[error("face {face}: its surface has no direction")]
    Direction {
        /// The face.
        face: usize,
    },
    /// The part holds a number that STEP cannot express.
    #[error("the part holds a number that is not finite")]
    Unwritable,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{StepHeader, brep_to_step, shell_to_brep, solids_to_brep, to_brep, to_step};
    use brepcd_brep::{Brep, Tolerance};
    use truck_modeling::{
        BSplineCurve, Curve, IntersectionCurve, KnotVec, Leader, NurbsCurve, NurbsSurface, Plane,
        Point3, PolylineCurve, Processor, RevolutedCurve, Shell, Solid, Surface, Vector3, Vector4,
        builder,
    };

    fn block() -> Solid {
        let edge = builder::tsweep(
            &builder::vertex(Point3::new(0.0, 0.0, 0.0)),
            Vector3::unit_x(),
        );
        builder::tsweep(
            &builder::tsweep(&edge, Vector3::unit_y()),
            Vector3::unit_z(),
        )
    }

    fn error(solid: &Solid) -> TruckError {
        let error = to_brep(solid, Tolerance::default()).unwrap_err();
        assert_eq!(
            to_step(
                std::slice::from_ref(solid),
                &StepHeader::default(),
                Tolerance::default()
            ),
            Err(error.clone())
        );
        let all = [block(), solid.clone()];
        assert_eq!(
            solids_to_brep(&all, Tolerance::default()).unwrap_err(),
            error
        );
        error
    }

    fn with_curve(curve: Curve) -> TruckError {
        let solid = block();
        solid.edge_iter().next().unwrap().set_curve(curve);
        error(&solid)
    }

    fn with_surface(surface: Surface) -> TruckError {
        let solid = block();
        solid.face_iter().nth(2).unwrap().set_surface(surface);
        error(&solid)
    }

    #[test]
    fn nothing_to_take_over() {
        assert_eq!(error(&Solid::debug_new(Vec::new())), TruckError::NoShell);
        let empty = shell_to_brep(&Shell::new(), Tolerance::default());
        assert_eq!(empty.unwrap_err(), TruckError::NoFace { shell: 0 });
        let mut brep = Brep::default();
        brep.shells.push(brepcd_brep::Shell {
            faces: Vec::new(),
            closed: true,
            label: None,
        });
        assert_eq!(
            brep_to_step(&brep, &StepHeader::default()),
            Err(TruckError::NoFace { shell: 0 })
        );
    }

    #[test]
    fn a_vertex_nowhere() {
        let solid = block();
        solid
            .vertex_iter()
            .next()
            .unwrap()
            .set_point(Point3::new(0.0, f64::NAN, 0.0));
        assert!(matches!(error(&solid), TruckError::Vertex { vertex: 0 }));
    }

    #[test]
    fn curves_that_are_none() {
        let spline = |weight: f64, knots: usize| {
            let control = vec![
                Vector4::new(0.0, 0.0, 0.0, 1.0),
                Vector4::new(1.0, 0.0, 0.0, weight),
            ];
            Curve::NurbsCurve(NurbsCurve::new(BSplineCurve::new_unchecked(
                KnotVec::from(vec![0.0; knots]),
                control,
            )))
        };
        for curve in [
            spline(-1.0, 4),
            spline(1.0, 4),
            spline(1.0, 1),
            spline(1.0, 0),
            Curve::BSplineCurve(BSplineCurve::new_unchecked(KnotVec::new(), Vec::new())),
            Curve::Line(truck_modeling::Line(
                Point3::new(0.0, 0.0, 0.0),
                Point3::new(f64::INFINITY, 0.0, 0.0),
            )),
        ] {
            let error = with_curve(curve);
            assert!(
                matches!(error, TruckError::Curve { edge: 0, .. }),
                "{error}"
            );
        }
    }

    #[test]
    fn surfaces_that_do_not_meet() {
        let plane = |z: f64| {
            let at = |x: f64, y: f64| Point3::new(x, y, z);
            Box::new(Surface::Plane(Plane::new(
                at(0.0, 0.0),
                at(1.0, 0.0),
                at(0.0, 1.0),
            )))
        };
        for points in [
            vec![],
            vec![Point3::new(0.0, 0.0, 0.0), Point3::new(1.0, 0.0, 0.0)],
        ] {
            let leader = Leader::Polyline(PolylineCurve(points));
            let curve = IntersectionCurve::new_unchecked(plane(0.0), plane(1.0), leader, 0.01);
            let error = with_curve(Curve::IntersectionCurve(curve));
            assert!(
                matches!(error, TruckError::Intersection { edge: 0, .. }),
                "{error}"
            );
        }
    }

    #[test]
    fn surfaces_that_are_none() {
        let surface = |weight: f64, rows: usize| {
            let knots = KnotVec::from(vec![0.0, 0.0, 1.0, 1.0]);
            let row = |x: f64| {
                vec![
                    Vector4::new(x, 0.0, 0.0, 1.0),
                    Vector4::new(x, 1.0, 0.0, weight),
                ]
            };
            let control = (0..rows).map(|i| row(i as f64)).collect();
            let spline =
                truck_modeling::BSplineSurface::new_unchecked((knots.clone(), knots), control);
            Surface::NurbsSurface(NurbsSurface::new(spline))
        };
        for surface in [
            surface(0.0, 2),
            surface(f64::NAN, 2),
            surface(1.0, 3),
            surface(1.0, 0),
        ] {
            let error = with_surface(surface);
            assert!(
                matches!(error, TruckError::Surface { face: 2, .. }),
                "{error}"
            );
        }
    }

    #[test]
    fn surfaces_without_direction() {
        let origin = Point3::new(0.0, 0.0, 0.0);
        let line = Curve::Line(truck_modeling::Line(
            Point3::new(1.0, 0.0, 0.0),
            Point3::new(1.0, 0.0, 1.0),
        ));
        let turned = RevolutedCurve::by_revolution(line, origin, Vector3::new(0.0, 0.0, 0.0));
        for surface in [
            Surface::Plane(Plane::new(
                origin,
                Point3::new(1.0, 0.0, 0.0),
                Point3::new(2.0, 0.0, 0.0),
            )),
            Surface::RevolutedCurve(Processor::new(turned)),
        ] {
            let error = with_surface(surface);
            assert!(
                matches!(error, TruckError::Direction { face: 2 }),
                "{error}"
            );
        }
    }

    #[test]
    fn numbers_that_step_does_not_have() {
        let (mut brep, _) = to_brep(&block(), Tolerance::default()).unwrap();
        brep.vertices[0].point.x = f64::NAN;
        assert_eq!(
            brep_to_step(&brep, &StepHeader::default()),
            Err(TruckError::Unwritable)
        );
    }
}
