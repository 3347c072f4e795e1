use super::*;
use brepcd_geom::Point3;
use brepcd_geom::curve::{Circle, Ellipse, Line};
use brepcd_geom::surface::{Cone, Plane};

/// A whole, untrimmed core; the kinds are ordered as listed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Core {
    /// A point: also the core of a sphere.
    Point(Point3),
    /// A line: also the core of a cylinder.
    Line(Line),
    /// A circle: also the core of a torus.
    Circle(Circle),
    /// An ellipse.
    Ellipse(Ellipse),
    /// A plane.
    Plane(Plane),
    /// The open nappe of a cone.
    Cone(Cone),
}

/// Appends all stationary pairs of two cores to `out`; parameters and directions follow the order of the arguments.
pub fn stationary(a: &Core, b: &Core, tol: &Tolerance, out: &mut Pairs) -> Outcome {
    use Core::{Circle, Cone, Ellipse, Line, Plane, Point};
    match (a, b) {
        (Point(a), Point(b)) => point_point::stationary(a, b, tol, out),
        (Point(a), Line(b)) => point_line::stationary(a, b, tol, out),
        (Point(a), Circle(b)) => point_circle::stationary(a, b, tol, out),
        (Point(a), Ellipse(b)) => point_ellipse::stationary(a, b, tol, out),
        (Point(a), Plane(b)) => point_plane::stationary(a, b, tol, out),
        (Point(a), Cone(b)) => point_cone::stationary(a, b, tol, out),
        (Line(a), Line(b)) => line_line::stationary(a, b, tol, out),
        (Line(a), Circle(b)) => line_circle::stationary(a, b, tol, out),
        (Line(a), Ellipse(b)) => line_ellipse::stationary(a, b, tol, out),
        (Line(a), Plane(b)) => line_plane::stationary(a, b, tol, out),
        (Line(a), Cone(b)) => line_cone::stationary(a, b, tol, out),
        (Circle(a), Circle(b)) => circle_circle::stationary(a, b, tol, out),
        (Circle(a), Ellipse(b)) => circle_ellipse::stationary(a, b, tol, out),
        (Circle(a), Plane(b)) => circle_plane::stationary(a, b, tol, out),
        (Circle(a), Cone(b)) => circle_cone::stationary(a, b, tol, out),
        (Ellipse(a), Plane(b)) => ellipse_plane::stationary(a, b, tol, out),
        (Ellipse(a), Cone(b)) => ellipse_cone::stationary(a, b, tol, out),
        (Plane(a), Plane(b)) => plane_plane::stationary(a, b, tol, out),
        (Plane(a), Cone(b)) => plane_cone::stationary(a, b, tol, out),
        (Cone(a), Cone(b)) => cone_cone::stationary(a, b, tol, out),
        (Line(_), Point(_))
        | (Circle(_), Point(_) | Line(_))
        | (Ellipse(_), Point(_) | Line(_) | Circle(_))
        | (Plane(_), Point(_) | Line(_) | Circle(_) | Ellipse(_))
        | (Cone(_), Point(_) | Line(_) | Circle(_) | Ellipse(_) | Plane(_)) => {
            let first = out.as_slice().len();
            let outcome = stationary(b, a, tol, out);
            out.mirror_from(first);
            outcome
        }
        (Ellipse(a), Ellipse(b)) => ellipse_ellipse::stationary(a, b, tol, out),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::critical::oracle::Random;

    #[test]
    fn exchanged_roles() {
        let mut random = Random::new(51);
        for _ in 0..100 {
            let cores = [
                Core::Point(random.point()),
                Core::Line(random.line()),
                Core::Circle(random.circle()),
                Core::Ellipse(random.ellipse()),
                Core::Plane(random.plane()),
                Core::Cone(random.cone()),
            ];
            let tol = Tolerance::default();
            for (i, a) in cores.iter().enumerate() {
                for b in &cores[i + 1..] {
                    let (mut there, mut back) = (Pairs::new(), Pairs::new());
                    let outcome = stationary(a, b, &tol, &mut there);
                    assert_eq!(stationary(b, a, &tol, &mut back), outcome);
                    assert_eq!(there.as_slice().len(), back.as_slice().len());
                    for (p, q) in there.as_slice().iter().zip(back.as_slice()) {
                        assert_eq!((p.a, p.b, p.ta, p.tb), (q.b, q.a, q.tb, q.ta));
                        assert_eq!(p.direction, q.direction.map(|d| -d));
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_not_finite_is_unresolved() {
        let mut random = Random::new(52);
        let mut broken = random.circle();
        broken.frame.origin.x = f64::NAN;
        let cores = [
            Core::Line(random.line()),
            Core::Circle(random.circle()),
            Core::Ellipse(random.ellipse()),
            Core::Cone(random.cone()),
        ];
        for core in &cores {
            let mut out = Pairs::new();
            let outcome = stationary(core, &Core::Circle(broken), &Tolerance::default(), &mut out);
            assert_eq!(outcome, Outcome::Unresolved);
            assert!(out.as_slice().is_empty());
        }
    }
}
