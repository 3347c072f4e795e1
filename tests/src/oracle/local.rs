//! Is a pair of boundary points a local minimum? Tried by moving one point over its boundary and looking for the
//! nearest point around the other.

use super::cells::{Carrier, Chart, Complex, Place};
use super::descend::descend;
use brepcd::brep::Side;
use brepcd::geom::{Frame, Point3, Surface, Vec3};

/// Radii of the moves, relative to the size, largest first.
const RADII: [f64; 3] = [1e-2, 1e-3, 1e-4];
/// Directions of the moves in a tangent plane.
const DIRECTIONS: usize = 24;
/// How much less, relative to the radius, is not yet a descent: directions are known no better.
const SLOPE_NOISE: f64 = 1e-7;
/// How much more, relative to the size, is surely an ascent.
const SURE: f64 = 1e-10;
/// How much more, relative to the size, is more than rounding.
const FLAT: f64 = 3e-13;
/// Radius of what may answer a move, in radii of the move.
const ANSWER: f64 = 20.0;

/// What the moves tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The distance grows clearly in every direction.
    Isolated,
    /// It neither grows nor shrinks clearly: a member of a family, or on the border of what is a minimum.
    Marginal,
    /// There is a smaller distance as near as one likes, or the segment runs through the material.
    NoMinimum,
}

/// The parts of a boundary near a point.
struct Surroundings<'a> {
    complex: &'a Complex,
    centre: Point3,
    /// Faces with the parameters of the point nearest to the centre.
    faces: Vec<(usize, Place)>,
    edges: Vec<usize>,
    points: Vec<Point3>,
}

impl<'a> Surroundings<'a> {
    fn of(complex: &'a Complex, centre: Point3, radius: f64) -> Self {
        let brep = &complex.brep;
        let near = |p: &Point3| (p - centre).norm() <= radius;
        let mut faces = Vec::new();
        for (index, face) in brep.faces.iter().enumerate() {
            if complex.face_boxes[index].grown(radius).contains(&centre) {
                let (u, v) = face.surface.invert(&centre, None);
                let point = face.surface.point(u, v);
                if near(&point) {
                    faces.push((index, Place { t: [u, v], point }));
                }
            }
        }
        let edges = brep.edges.iter().enumerate();
        let edges = edges.filter(|(_, e)| near(&e.curve.nearest(&centre, e.range()).point));
        let points = complex.cells.iter().filter(|c| c.carrier == Carrier::Point);
        Self {
            complex,
            centre,
            faces,
            edges: edges.map(|(index, _)| index).collect(),
            points: points.map(|c| c.middle).filter(near).collect(),
        }
    }

    /// Boundary points about `radius` away from the centre.
    fn ring(&self, radius: f64) -> Vec<Point3> {
        let brep = &self.complex.brep;
        let mut out = Vec::new();
        for (index, place) in &self.faces {
            let face = &brep.faces[*index];
            let (in_u, in_v) = face.surface.domain();
            let periods = face.surface.periods();
            let defined = |u: f64, v: f64| {
                (periods[0].is_some() || in_u.contains(u))
                    && (periods[1].is_some() || in_v.contains(v))
            };
            let mut offer = |u: f64, v: f64| {
                if !defined(u, v) {
                    return;
                }
                let moved = face.surface.point(u, v);
                if (moved - self.centre).norm() <= 2.0 * radius && brep.face_contains(face, u, v) {
                    out.push(moved);
                }
            };
            // Families run along the lines of constant parameter of one of their faces.
            let jet = face.surface.jet(place.t[0], place.t[1]);
            for sign in [radius, -radius] {
                offer(place.t[0] + sign / jet.du.norm(), place.t[1]);
                offer(place.t[0], place.t[1] + sign / jet.dv.norm());
            }
            let mut reach = |direction: Vec3| {
                let target = place.point + direction * radius;
                let (u, v) = face.surface.invert(&target, Some((place.t[0], place.t[1])));
                offer(u, v);
            };
            let is_point = |p: &Point3| (p - place.point).norm() <= 2.0 * radius;
            let normal = face.surface.normal(place.t[0], place.t[1]);
            let flat = normal.filter(|_| !self.points.iter().any(is_point));
            match flat.and_then(|n| Frame::from_z(place.point, n)) {
                Some(frame) => {
                    for k in 0..DIRECTIONS {
                        let angle = std::f64::consts::TAU * (k as f64 + 0.3) / DIRECTIONS as f64;
                        reach(frame.radial(angle));
                    }
                }
                None => sphere_directions().for_each(reach),
            }
        }
        for index in &self.edges {
            let edge = &brep.edges[*index];
            let foot = edge.curve.nearest(&self.centre, edge.range());
            let along = edge.jet(foot.t).d1.try_normalize(0.0).unwrap_or_default();
            for sign in [1.0, -1.0] {
                let target = foot.point + along * (sign * radius);
                out.push(edge.curve.nearest(&target, edge.range()).point);
            }
        }
        out.extend(&self.points);
        out.retain(|p| (p - self.centre).norm() <= 2.0 * radius);
        out
    }

    /// The distance of `p` to the boundary within `radius` of the centre, or `enough` if that is less.
    fn nearest(&self, p: &Point3, radius: f64, enough: f64) -> f64 {
        let brep = &self.complex.brep;
        let near = |q: &Point3| (q - self.centre).norm() <= radius;
        let mut best = enough;
        let mut offer = |q: &Point3| {
            if near(q) {
                best = best.min((q - p).norm());
            }
        };
        offer(&self.centre);
        self.points.iter().for_each(&mut offer);
        let mut feet = Vec::new();
        for index in &self.edges {
            let edge = &brep.edges[*index];
            feet.clear();
            edge.curve.feet(p, edge.range(), &mut feet);
            feet.iter().for_each(|foot| offer(&foot.point));
        }
        for (index, place) in &self.faces {
            let face = &brep.faces[*index];
            for foot in feet_near(&face.surface, place, p, self.complex.size) {
                if near(&foot) && (foot - p).norm() < best {
                    let (u, v) = face.surface.invert(&foot, Some((place.t[0], place.t[1])));
                    if brep.face_contains(face, u, v) {
                        best = (foot - p).norm();
                    }
                }
            }
        }
        best
    }
}

/// Points of a surface where the distance from `p` is stationary, at least the one that `place` leads to.
fn feet_near(surface: &Surface, place: &Place, p: &Point3, size: f64) -> Vec<Point3> {
    if let Surface::Nurbs(_) = surface {
        let (chart, t) = Chart::of_surface(surface, place);
        let from = Place {
            t: [0.0; 2],
            point: *p,
        };
        let start = Place { t, ..*place };
        let found = descend([&Chart::Point, &chart], [from, start], 0.1 * size, size);
        return found.map(|[_, foot]| foot.point).into_iter().collect();
    }
    let mut feet = Vec::new();
    surface.feet(p, &mut feet);
    feet.into_iter().map(|foot| foot.point).collect()
}

/// The 26 directions to the faces, edges and corners of a cube.
fn sphere_directions() -> impl Iterator<Item = Vec3> {
    (0..27).filter_map(|k| {
        let at = |i: i32| f64::from(i - 1);
        Vec3::new(at(k % 3), at(k / 3 % 3), at(k / 9)).try_normalize(0.0)
    })
}

/// Tells whether two boundary points are a local minimum of the distance of two solids.
pub fn verdict(a: &Complex, b: &Complex, point_a: Point3, point_b: Point3) -> Verdict {
    let size = a.size.min(b.size);
    let distance = (point_b - point_a).norm();
    let (mut sure, mut before) = (false, 0.0);
    // The smallest moves first: what they refute needs no others.
    for (step, radius) in RADII.iter().rev().map(|r| r * size).enumerate() {
        let noise = SLOPE_NOISE * radius + 1e-13 * (size + distance) + 2.0 * (a.gap + b.gap);
        let rise = rise(a, b, point_a, point_b, radius, noise);
        if rise < -noise {
            if step == 0 {
                return Verdict::NoMinimum;
            }
            break;
        }
        // A family shorter than the moves looks like a minimum to them, not to the smaller ones.
        let open = 2.0 * (a.gap + b.gap);
        sure |= rise >= SURE * size + open && before >= FLAT * size;
        before = rise;
    }
    let verdict = if sure {
        Verdict::Isolated
    } else {
        Verdict::Marginal
    };
    outside(a, b, point_a, point_b, verdict)
}

/// By how much moves of a radius make the distance larger at least, negative if one makes it smaller.
fn rise(
    a: &Complex,
    b: &Complex,
    point_a: Point3,
    point_b: Point3,
    radius: f64,
    noise: f64,
) -> f64 {
    let distance = (point_b - point_a).norm();
    let answer = ANSWER * radius;
    let around_a = Surroundings::of(a, point_a, answer);
    let around_b = Surroundings::of(b, point_b, answer);
    let mut least = f64::INFINITY;
    for (moved, other) in [(&around_a, &around_b), (&around_b, &around_a)] {
        for p in moved.ring(radius) {
            if (p - moved.centre).norm() >= 0.3 * radius {
                least = least.min(other.nearest(&p, answer, least));
                if least < distance - noise {
                    return least - distance;
                }
            }
        }
    }
    least - distance
}

/// The verdict, unless the segment leaves a point into the material.
fn outside(
    a: &Complex,
    b: &Complex,
    point_a: Point3,
    point_b: Point3,
    verdict: Verdict,
) -> Verdict {
    let between = point_b - point_a;
    let Some(direction) = between.try_normalize(1e-9 * a.size.min(b.size)) else {
        return verdict;
    };
    for (complex, point, out) in [(a, point_a, direction), (b, point_b, -direction)] {
        if runs_inside(complex, point, &out, 0.5 * between.norm()) {
            return Verdict::NoMinimum;
        }
    }
    verdict
}

fn runs_inside(complex: &Complex, point: Point3, out: &Vec3, at_most: f64) -> bool {
    let brep = &complex.brep;
    let around = Surroundings::of(complex, point, 1e-6 * complex.size);
    if let ([(index, place)], []) = (&around.faces[..], &around.points[..]) {
        let normal = brep.faces[*index].outward_normal(place.t[0], place.t[1]);
        return normal.is_some_and(|n| n.dot(out) < 0.0);
    }
    let step = (1e-4 * complex.size).min(at_most);
    brep.side_of(&(point + out * step)) == Side::Inside
}

/// Distance of a point from the boundary of a part, no farther than `reach`.
pub fn off_boundary(complex: &Complex, p: &Point3, reach: f64) -> f64 {
    let around = Surroundings::of(complex, *p, reach);
    let mut best = f64::INFINITY;
    for (index, place) in &around.faces {
        let face = &complex.brep.faces[*index];
        if complex.brep.face_contains(face, place.t[0], place.t[1]) {
            best = best.min((place.point - p).norm());
        }
    }
    for index in &around.edges {
        let edge = &complex.brep.edges[*index];
        best = best.min(edge.curve.nearest(p, edge.range()).distance);
    }
    let points = around.points.iter().map(|q| (q - p).norm());
    points.fold(best, f64::min)
}
