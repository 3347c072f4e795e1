//! How far the normals of a piece of surface spread, and how large it is.

use brepcd_geom::surface::TorusShape;
use brepcd_geom::{Interval, Surface, Vec3};
use std::f64::consts::PI;

/// Samples along each parameter of a free-form piece.
const SAMPLES: usize = 4;

/// Half angles of the normals' spread.
pub(super) struct Spread {
    /// Of all normals about the middle one.
    pub all: f64,
    /// Along each parameter.
    pub along: [f64; 2],
}

/// The spread over a rectangle: a bound for canonical surfaces, measured at samples for free-form ones.
pub(super) fn spread(surface: &Surface, u: Interval, v: Interval) -> Spread {
    let half_u = (0.5 * u.length()).min(PI);
    let half_v = (0.5 * v.length()).min(PI);
    match surface {
        Surface::Plane(_) => Spread {
            all: 0.0,
            along: [0.0; 2],
        },
        Surface::Cylinder(_) => Spread {
            all: half_u,
            along: [half_u, 0.0],
        },
        Surface::Cone(s) => {
            // The normals lie on a circle of the unit sphere at the latitude of the half angle.
            let all = 2.0 * (s.half_angle.cos() * (0.5 * half_u).sin()).asin();
            Spread {
                all,
                along: [all, 0.0],
            }
        }
        Surface::Sphere(_) => on_sphere(half_u, v, half_v),
        Surface::Torus(s) => {
            let mut out = on_sphere(half_u, v, half_v);
            let folds = s.shape == TorusShape::Ring && s.major < s.minor;
            if folds && changes_side(s.major, s.minor, v) {
                (out.all, out.along[1]) = (PI, PI);
            }
            out
        }
        Surface::Nurbs(_) => sampled(surface, u, v),
    }
}

/// The spread of a piece of the unit sphere about the normal in the middle.
fn on_sphere(half_u: f64, v: Interval, half_v: f64) -> Spread {
    let middle = v.mid().cos().abs();
    let widest = [v.lo, v.hi]
        .iter()
        .map(|v| v.cos().abs())
        .fold(middle, f64::max);
    let turn = (v.lo / PI).ceil() * PI;
    let widest = if v.contains(turn) { 1.0 } else { widest };
    let (su, sv) = ((0.5 * half_u).sin(), (0.5 * half_v).sin());
    let distance = |square: f64| 2.0 * square.min(1.0).sqrt().asin();
    Spread {
        all: distance(sv * sv + widest * middle * su * su),
        along: [distance(widest * middle * su * su), half_v],
    }
}

/// True if a ring that meets itself changes the side of its axis inside a range.
fn changes_side(major: f64, minor: f64, v: Interval) -> bool {
    let rho = |v: f64| major + minor * v.cos();
    let inner = (((v.lo - PI) / (2.0 * PI)).ceil() * 2.0 + 1.0) * PI;
    let mut signs = [v.lo, v.hi, v.mid(), v.clamp(inner)].map(|v| rho(v) < 0.0);
    signs.sort_unstable();
    signs[0] != signs[3]
}

fn sampled(surface: &Surface, u: Interval, v: Interval) -> Spread {
    let at = |i: usize| i as f64 / (SAMPLES - 1) as f64;
    let mut normals = [[None; SAMPLES]; SAMPLES];
    let mut sum = Vec3::zeros();
    for (i, row) in normals.iter_mut().enumerate() {
        for (j, n) in row.iter_mut().enumerate() {
            *n = surface.normal(u.at(at(i)), v.at(at(j)));
            sum += n.unwrap_or_default();
        }
    }
    let angle = |a: &Vec3, b: &Vec3| a.cross(b).norm().atan2(a.dot(b));
    let between = |a: Option<Vec3>, b: Option<Vec3>| match (a, b) {
        (Some(a), Some(b)) => angle(&a, &b),
        _ => 0.0,
    };
    let mut out = Spread {
        all: 0.0,
        along: [0.0; 2],
    };
    for (i, row) in normals.iter().enumerate() {
        let (mut along_u, mut along_v) = (0.0, 0.0);
        for j in 1..SAMPLES {
            along_u += between(normals[j - 1][i], normals[j][i]);
            along_v += between(row[j - 1], row[j]);
        }
        out.along[0] = out.along[0].max(0.5 * along_u);
        out.along[1] = out.along[1].max(0.5 * along_v);
    }
    for n in normals.iter().flatten().flatten() {
        out.all = out.all.max(angle(&sum, n));
    }
    out
}

/// Rough lengths of a rectangle along u and v, mm.
pub(super) fn lengths(surface: &Surface, u: Interval, v: Interval) -> [f64; 2] {
    let mut out = [0.0f64; 2];
    let at = |i: usize| i as f64 / (SAMPLES - 1) as f64;
    for i in 0..SAMPLES {
        let mut sums = [0.0; 2];
        for j in 1..SAMPLES {
            let (s, t, across) = (at(j - 1), at(j), at(i));
            sums[0] += (surface.point(u.at(t), v.at(across))
                - surface.point(u.at(s), v.at(across)))
            .norm();
            sums[1] += (surface.point(u.at(across), v.at(t))
                - surface.point(u.at(across), v.at(s)))
            .norm();
        }
        out[0] = out[0].max(sums[0]);
        out[1] = out[1].max(sums[1]);
    }
    out
}
