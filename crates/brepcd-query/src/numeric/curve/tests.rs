//! The search along a curve against the general one, and against dense sampling.

use super::super::tests::build::{Random, UNIT, edge, face, piece, vertex};
use super::super::tests::oracle::Pair;
use super::super::{Counts, Found, Limits, Method, Outcome, Scratch, solve};
use brepcd_geom::curve::{Circle, Line};
use brepcd_geom::nurbs::NurbsCurve;
use brepcd_geom::surface::{Cone, Cylinder, Plane, Sphere, Torus, TorusShape};
use brepcd_geom::{Curve, Frame, Interval, Point3, Point4, Surface, Vec3};
use brepcd_tree::{MatrixPose, TreePart};
use std::f64::consts::{FRAC_PI_2, PI};
use std::sync::Arc;

/// Both searches on one pair.
struct Both {
    special: (Outcome, Vec<Found>, Counts),
    general: (Outcome, Vec<Found>, Counts),
    /// True if the pair was left to the general search.
    left: bool,
}

fn both(pair: &Pair<'_>, reach: f64) -> Both {
    let limits = Limits::default();
    let (mut scratch, mut run) = (Scratch::default(), Vec::new());
    let mut left = false;
    for method in [Method::AlongCurve, Method::General] {
        let (mut counts, mut found) = (Counts::default(), Vec::new());
        let mut attempt = |method| {
            let (a, b) = (&pair.a, &pair.b);
            solve(
                a,
                b,
                reach,
                &limits,
                &mut scratch,
                &mut counts,
                &mut found,
                method,
            )
        };
        let outcome = attempt(method).or_else(|| {
            left = true;
            attempt(Method::General)
        });
        run.push((outcome.unwrap(), found, counts));
    }
    let general = run.pop().unwrap();
    let special = run.pop().unwrap();
    Both {
        special,
        general,
        left,
    }
}

const VERTEX: usize = 0;
const LINE: usize = 1;
const CIRCLE: usize = 2;
const PLANE: usize = 3;
const CYLINDER: usize = 4;
const CONE: usize = 5;
const SPHERE: usize = 6;
const TORUS: usize = 7;
const KINDS: [usize; 8] = [VERTEX, LINE, CIRCLE, PLANE, CYLINDER, CONE, SPHERE, TORUS];

const HALF_ANGLE: f64 = 0.4;
const TUBE: f64 = 0.2;
/// The cone's parameter along its generators, in radii: short of the apex.
const NAPPE: (f64, f64) = (-2.0, 40.0);

/// A core around the z axis through the origin, of radius `r`; all of it or a part.
fn core(kind: usize, r: f64, whole: bool, random: &mut Random) -> TreePart {
    let frame = Frame::world();
    let radius = r;
    let mut some = |lo: f64, hi: f64| {
        if whole {
            return Interval::new(lo, hi);
        }
        let (a, b) = (random.range(lo, hi), random.range(lo, hi));
        Interval::new(a.min(b), a.max(b) + 1e-2 * (hi - lo))
    };
    let (angle, long) = (some(-PI, PI), some(-40.0 * r, 40.0 * r));
    let wide = some(-40.0 * r, 40.0 * r);
    let nappe = some(NAPPE.0 * r, NAPPE.1 * r);
    let (tube, latitude) = (some(-PI, PI), some(-FRAC_PI_2, FRAC_PI_2));
    let out = random.range(0.0, 1.0) > 0.5;
    let turned = |surface: Surface, v: Interval| face(surface, angle, v, out);
    match kind {
        VERTEX => vertex(Point3::origin()),
        LINE => {
            let (origin, dir) = (Point3::origin(), Vec3::z());
            edge(Curve::Line(Line { origin, dir }), long)
        }
        CIRCLE => edge(Curve::Circle(Circle { frame, radius }), angle),
        PLANE => face(Surface::Plane(Plane { frame }), long, wide, out),
        CYLINDER => turned(Surface::Cylinder(Cylinder { frame, radius }), long),
        CONE => {
            let half_angle = HALF_ANGLE;
            let cone = Cone {
                frame,
                radius,
                half_angle,
            };
            turned(Surface::Cone(cone), nappe)
        }
        SPHERE => turned(Surface::Sphere(Sphere { frame, radius }), latitude),
        _ => {
            let (major, minor, shape) = (r, TUBE * r, TorusShape::Ring);
            turned(
                Surface::Torus(Torus {
                    frame,
                    major,
                    minor,
                    shape,
                }),
                tube,
            )
        }
    }
}

/// Feet of a point on a whole core, with the distance that is stationary at a pair.
fn feet(kind: usize, r: f64, x: &Vec3) -> Vec<(Vec3, f64)> {
    let rho = x.x.hypot(x.y);
    let radial = Vec3::new(x.x, x.y, 0.0) / rho;
    let mut out = Vec::new();
    let placed = |q: Vec3| (q, (x - q).norm());
    let mut balls = |centre: Vec3, minor: f64| {
        let d = x - centre;
        for sign in [1.0, -1.0] {
            out.push((
                centre + d * (sign * minor / d.norm()),
                d.norm() - sign * minor,
            ));
        }
    };
    match kind {
        VERTEX => return vec![placed(Vec3::zeros())],
        LINE => return vec![placed(Vec3::z() * x.z)],
        CIRCLE => return vec![placed(radial * r), placed(radial * -r)],
        PLANE => return vec![(Vec3::new(x.x, x.y, 0.0), x.z)],
        CYLINDER => {
            let high = Vec3::z() * x.z;
            return vec![(radial * r + high, rho - r), (high - radial * r, rho + r)];
        }
        CONE => {
            let (sin, cos) = HALF_ANGLE.sin_cos();
            for sign in [1.0, -1.0] {
                let f = sign * cos * rho - sin * x.z - r * cos;
                let q = x - (radial * (sign * cos) - Vec3::z() * sin) * f;
                let v = q.z / cos;
                if NAPPE.0 * r < v && v < NAPPE.1 * r {
                    out.push((q, f));
                }
            }
        }
        SPHERE => balls(Vec3::zeros(), r),
        _ => {
            balls(radial * r, TUBE * r);
            balls(radial * -r, TUBE * r);
        }
    }
    out
}

fn bezier(control: &[Vec3], weights: &[f64]) -> Curve {
    let degree = control.len() - 1;
    let knots = [vec![0.0; degree + 1], vec![1.0; degree + 1]].concat();
    let points = control.iter().zip(weights);
    let points = points.map(|(p, w)| Point4::new(p.x * w, p.y * w, p.z * w, *w));
    Curve::Nurbs(Arc::new(
        NurbsCurve::new(degree, knots, points.collect()).unwrap(),
    ))
}

/// Kinds of curves, about a core of radius 1.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Course {
    Free,
    /// A cubic that nearly winds around the axis at a nearly constant distance.
    Coaxial,
    /// A rational arc about the axis, off by a little or by nothing.
    Arc,
    /// Symmetric to a plane through the axis.
    Symmetric,
    /// Through the axis.
    Across,
    /// A straight line along the axis, off by a little or by nothing.
    Straight,
    Tiny,
    Huge,
}

const COURSES: [Course; 8] = [
    Course::Free,
    Course::Coaxial,
    Course::Arc,
    Course::Symmetric,
    Course::Across,
    Course::Straight,
    Course::Tiny,
    Course::Huge,
];

fn curve(course: Course, random: &mut Random) -> Curve {
    let little = 10.0_f64.powf(random.range(-9.0, -1.0));
    let gap = random.range(-0.3, 0.3);
    let rational = random.range(0.0, 1.0) < 0.3;
    let weight = |n: usize, random: &mut Random| -> Vec<f64> {
        (0..=n)
            .map(|_| {
                if rational {
                    random.range(0.6, 1.5)
                } else {
                    1.0
                }
            })
            .collect()
    };
    let degree = 1 + random.range(0.0, 9.0) as usize;
    let free = |degree: usize, size: f64, random: &mut Random| -> Vec<Vec3> {
        let at = random.unit() * random.range(0.5, 1.5);
        (0..=degree).map(|_| at + random.vector(size)).collect()
    };
    match course {
        Course::Free => bezier(&free(degree, 1.0, random), &weight(degree, random)),
        Course::Tiny => bezier(&free(degree, 1e-3, random), &weight(degree, random)),
        Course::Huge => bezier(&free(degree, 30.0, random), &weight(degree, random)),
        Course::Coaxial => {
            let (r, turn) = (1.0 + gap, random.range(0.05, 1.5));
            let start = random.range(-PI, PI);
            let k = 4.0 / 3.0 * (turn / 4.0).tan() * r;
            let on = |u: f64| Vec3::new(u.cos(), u.sin(), 0.0);
            let slope = random.range(-0.5, 0.5);
            let (a, b) = (start, start + turn);
            let mut control = [
                on(a) * r,
                on(a) * r + on(a + FRAC_PI_2) * k,
                on(b) * r - on(b + FRAC_PI_2) * k,
                on(b) * r,
            ];
            for (i, c) in control.iter_mut().enumerate() {
                *c += Vec3::z() * (slope * i as f64) + random.vector(little);
            }
            bezier(&control, &weight(3, random))
        }
        Course::Arc => {
            let (r, half) = (1.0 + gap, random.range(0.1, 1.0));
            let off = if random.range(0.0, 1.0) < 0.5 {
                little
            } else {
                0.0
            };
            let on = |u: f64| Vec3::new(u.cos(), u.sin(), 0.3) * r;
            let middle = Vec3::new(r / half.cos(), 0.0, 0.3 * r);
            let control = [on(-half), middle, on(half)].map(|c| c + random.vector(off));
            bezier(&control, &[1.0, half.cos(), 1.0])
        }
        Course::Symmetric => {
            let mirror = |v: Vec3| Vec3::new(v.x, -v.y, v.z);
            let at = Vec3::x() * (1.0 + gap);
            let (a, b) = (at + random.vector(0.7), at + random.vector(0.7));
            bezier(&[a, b, mirror(b), mirror(a)], &[1.0; 4])
        }
        Course::Across => {
            let (a, b) = (random.vector(1.0), random.vector(1.0));
            let on = Vec3::z() * random.range(-1.0, 1.0);
            bezier(&[on + a, on + b, on - b, on - a], &[1.0; 4])
        }
        Course::Straight => {
            let off = if random.range(0.0, 1.0) < 0.5 {
                little
            } else {
                0.0
            };
            let at = Vec3::x() * (1.0 + gap);
            let (sin, cos) = HALF_ANGLE.sin_cos();
            let along = [Vec3::z(), Vec3::y(), Vec3::new(sin, 0.0, cos)];
            let along = along[random.range(0.0, 3.0) as usize % 3];
            let control: Vec<Vec3> = (0..=degree)
                .map(|i| at + along * i as f64 / degree as f64 + random.vector(off))
                .collect();
            bezier(&control, &weight(degree, random))
        }
    }
}

/// Samples along the curve for the oracle.
const SAMPLES: usize = 400;

/// Extrema that samples show beyond doubt must have been found.
fn check_samples(
    kind: usize,
    r: f64,
    pair: &Pair<'_>,
    core_from_a: &MatrixPose,
    reach: f64,
    found: &[Found],
    noise: f64,
    name: &str,
) -> usize {
    let at = |i: usize| {
        let x = pair.a.point([i as f64 / SAMPLES as f64, 0.0]);
        feet(kind, r, &(core_from_a * x).coords)
    };
    let all: Vec<_> = (0..=SAMPLES).map(at).collect();
    let mut count = 0;
    for i in 1..SAMPLES {
        let [before, here, after] = [&all[i - 1], &all[i], &all[i + 1]];
        if before.len() != here.len() || here.len() != after.len() {
            continue;
        }
        for j in 0..here.len() {
            let (rise, fall) = (here[j].1 - before[j].1, here[j].1 - after[j].1);
            let near = [before, here, after].iter().all(|f| f[j].1.abs() < reach);
            let moved = (here[j].0 - before[j].0).norm() + (here[j].0 - after[j].0).norm();
            let jumped = moved.is_nan() || moved > 0.3 * r;
            if rise * fall <= 0.0 || rise.abs().min(fall.abs()) < noise || !near || jumped {
                continue;
            }
            count += 1;
            let bend = 2.0 * rise.abs().max(fall.abs());
            let hit = found.iter().any(|f| {
                let t = f.ta[0] - i as f64 / SAMPLES as f64;
                let foot = (core_from_a * pair.b.point(f.tb)).coords;
                t.abs() <= 1.001 / SAMPLES as f64
                    && (foot - here[j].0).norm() <= 0.3 * r
                    && ((pair.a.point(f.ta) - pair.b.point(f.tb)).norm() - here[j].1.abs()).abs()
                        <= bend + noise
            });
            assert!(hit, "{name}: nothing at sample {i} of foot {j}, {found:?}");
        }
    }
    count
}

/// A root is in doubt if a range or the reach ends there.
fn in_doubt(pair: &Pair<'_>, f: &Found, reach: f64) -> bool {
    let x = pair.flat(f);
    let at_border = x.iter().zip(pair.ranges()).any(|(t, range)| {
        let margin = 1e-7 * range.length() + 1e-9;
        (t - range.lo).abs() <= margin || (t - range.hi).abs() <= margin
    });
    let distance = (pair.a.point(f.ta) - pair.b.point(f.tb)).norm();
    at_border || (distance - reach).abs() <= 1e-7 * reach
}

/// Length of such a stretch at most.
const STRETCH: f64 = 1e-2;

fn run(rounds: usize, whole: bool, far: f64, seed: u64) {
    let mut random = Random(seed);
    let (mut seen, mut same, mut left, mut families, mut unresolved) = (0, 0, 0, 0, 0);
    let mut wrong = Vec::new();
    for round in 0..rounds {
        for kind in KINDS {
            for course in COURSES {
                let name = format!("round {round} kind {kind} {course:?} far {far}");
                let r = 1.0;
                let part_b = core(kind, r, whole, &mut random);
                let part_a = edge(curve(course, &mut random), UNIT);
                let tilt = 10.0_f64.powf(random.range(-9.0, 0.0));
                let own = match course {
                    Course::Arc | Course::Straight => MatrixPose::identity(),
                    _ if random.range(0.0, 1.0) < 0.3 => MatrixPose::identity(),
                    _ => random.pose(tilt, tilt),
                };
                let common = random.pose(3.0, far);
                let (pose_a, pose_b) = (common * own, common);
                let pair = Pair {
                    a: piece(&part_a, &pose_a),
                    b: piece(&part_b, &pose_b),
                };
                let reach = random.range(0.05, 1.4);
                let both = both(&pair, reach);
                left += usize::from(both.left);
                let (outcome, found, _) = &both.special;
                let noise = 1e-9 + 1e-13 * far;
                families += usize::from(*outcome == Outcome::Family);
                if *outcome == Outcome::Unresolved {
                    unresolved += 1;
                    println!("{name}: unresolved, left {}", both.left);
                    continue;
                }
                if *outcome == Outcome::Resolved {
                    // Where the curve meets the middle of a tube or ball, directions from it are rounding.
                    let middle = |f: &&Found| {
                        let distance = (pair.a.point(f.ta) - pair.b.point(f.tb)).norm();
                        (kind == TORUS && (distance - TUBE * r).abs() < 1e-4)
                            || (kind == SPHERE && (distance - r).abs() < 1e-4)
                    };
                    let found = found.iter().filter(|f| !middle(f));
                    let found: Vec<_> = found.map(|f| pair.flat(f)).collect();
                    pair.check_found(&found, reach, 10.0 * noise, &name);
                }
                if whole {
                    let core_from_a = common.inverse();
                    seen += check_samples(kind, r, &pair, &core_from_a, reach, found, noise, &name);
                }
                if (*outcome, both.general.0) != (Outcome::Resolved, Outcome::Resolved) {
                    continue;
                }
                let close = |f: &Found, g: &Found| {
                    (pair.a.point(f.ta) - pair.a.point(g.ta)).norm() <= 1e-5
                        && (pair.b.point(f.tb) - pair.b.point(g.tb)).norm() <= 1e-5
                };
                // Where two roots are about to meet, rounding leaves a stretch of roots to the general search: beside
                // one of ours, and equally far.
                let distance = |f: &Found| (pair.a.point(f.ta) - pair.b.point(f.tb)).norm();
                let beside = |f: &Found, g: &Found| {
                    (pair.a.point(f.ta) - pair.a.point(g.ta)).norm() <= STRETCH
                        && (distance(f) - distance(g)).abs() <= noise
                };
                for (these, those, which) in [
                    (found, &both.general.1, "only special"),
                    (&both.general.1, found, "only general"),
                ] {
                    for f in these {
                        let is_general = which == "only general";
                        if those
                            .iter()
                            .any(|g| close(f, g) || (is_general && beside(f, g)))
                        {
                            same += 1;
                        } else if !in_doubt(&pair, f, reach) {
                            wrong.push(format!("{name} {which} {f:?}: {these:?} {those:?}"));
                        }
                    }
                }
            }
        }
    }
    println!("{seen} extrema seen, {same} roots agree, {left} left, {families} families");
    for w in &wrong {
        println!("{w}");
    }
    assert!(wrong.is_empty() && unresolved == 0);
    assert!(same > 10 * rounds && (seen > 10 * rounds || !whole));
}

#[test]
fn agrees_with_samples_and_the_general_search() {
    run(100, true, 1.0, 1);
}

#[test]
fn agrees_on_parts_of_cores() {
    run(100, false, 1.0, 2);
}

#[test]
fn agrees_far_from_the_origin() {
    run(40, true, 1e4, 3);
}
