//! Areas of domains by their borders against those of the faces.
//!
//! `BREPCD_CORPUS=dir cargo test --release -p brepcd-prep --test areas -- --ignored --nocapture` checks a folder.

mod cases;

use brepcd_geom::quadrature::integrate;
use brepcd_geom::{CurveJet, Interval, Point2, Surface, SurfaceJet};
use brepcd_prep::Grouping;
use brepcd_tree::Border;
use cases::{Case, corpus, files, load, load_grouped};

/// `∫ |du × dv| dv` from a pole, where there is one, or from the start of the domain's range.
fn area_below(surface: &Surface, from: f64, u: f64, to: f64) -> f64 {
    let mut stops = vec![from, to];
    if let Surface::Nurbs(_) = surface {
        let (_, domain) = surface.domain();
        let breaks = surface.breaks_v();
        let ends = [domain.lo, domain.hi];
        for turn in -2..=2 {
            let by = f64::from(turn) * domain.length();
            stops.extend(breaks.iter().chain(&ends).map(|b| b + by));
        }
        let (lo, hi) = (from.min(to), from.max(to));
        stops.retain(|s| lo <= *s && *s <= hi);
    }
    stops.sort_by(f64::total_cmp);
    let sum: f64 = stops
        .windows(2)
        .map(|s| {
            integrate(16, s[0], s[1], |v| {
                let jet = surface.jet(u, v);
                jet.du.cross(&jet.dv).norm()
            })
        })
        .sum();
    if to < from { -sum } else { sum }
}

/// Area that the borders of a feature enclose, by Green's theorem on the exact trimming curves.
fn enclosed_area(case: &Case, face: usize) -> f64 {
    let feature = &case.features.faces[face];
    let surface = &feature.surface;
    let domain = &case.domains.faces[face];
    // A border through a pole is not closed in the parameter plane, so the pole it touches is where areas start.
    let from_range = |pole: &f64| {
        let v = domain.range.1;
        (pole - v.clamp(*pole)).abs()
    };
    let poles = surface.poles().into_iter().flatten();
    let pole = poles.min_by(|a, b| from_range(a).total_cmp(&from_range(b)));
    let from = pole.unwrap_or(domain.range.1.lo);
    let mut area = 0.0;
    for border in &domain.borders {
        let curve = &case.domains.trims[border.trim.index()];
        let [t0, t1] = border.t;
        let mut stops = vec![t0, t1];
        stops.extend(curve.breaks(Interval::new(t0, t1)));
        let chord = border.uv[1] - border.uv[0];
        let fraction = |t: f64| (t - t0) / (t1 - t0);
        // Knots of the surface bend the pcurve as well.
        stops.extend((1..4).map(|i| t0 + (t1 - t0) * f64::from(i) / 4.0));
        stops.sort_by(|a, b| fraction(*a).total_cmp(&fraction(*b)));
        for part in stops.windows(2) {
            area -= integrate(12, part[0], part[1], |t| {
                let jet = curve.jet(t);
                let guess = border.uv[0] + chord * fraction(t);
                let (u, v) = surface.invert(&jet.p, Some((guess.x, guess.y)));
                let s = surface.jet(u, v);
                area_below(surface, from, u, v) * foot_speed(&jet, &s)
            });
        }
    }
    area -= along_gaps(case, face, from);
    if feature.same_sense { area } else { -area }
}

/// How fast the first parameter of a point's foot on the surface changes as the point goes along a curve beside it.
fn foot_speed(curve: &CurveJet, s: &SurfaceJet) -> f64 {
    // The derivatives of `(p - s) · du = 0` and `(p - s) · dv = 0`.
    let off = curve.p - s.p;
    let a = s.du.norm_squared() - off.dot(&s.duu);
    let b = s.du.dot(&s.dv) - off.dot(&s.duv);
    let c = s.dv.norm_squared() - off.dot(&s.dvv);
    let (x, y) = (curve.d1.dot(&s.du), curve.d1.dot(&s.dv));
    let speed = (x * c - y * b) / (a * c - b * b);
    if speed.is_finite() { speed } else { 0.0 }
}

/// What the places where curves do not quite meet add to the integral.
///
/// Edges end beside their vertices, within the tolerance of the file. The pieces of border meet there, so the way goes
/// from the end of each curve to that of its piece. At a pole pieces may end at different parameters of one point.
fn along_gaps(case: &Case, face: usize, from: f64) -> f64 {
    let surface = &case.features.faces[face].surface;
    let borders = &case.domains.faces[face].borders;
    let step = |a: Point2, b: Point2| {
        let middle = nalgebra::center(&a, &b);
        area_below(surface, from, middle.x, middle.y) * (b.x - a.x)
    };
    let mut sum = 0.0;
    for border in borders {
        let curve = &case.domains.trims[border.trim.index()];
        let [start, end] = [0, 1].map(|i| {
            let guess = border.uv[i];
            let (u, v) = surface.invert(&curve.point(border.t[i]), Some((guess.x, guess.y)));
            Point2::new(u, v)
        });
        sum += step(border.uv[0], start) + step(end, border.uv[1]);
    }
    let periods = surface.periods().map(|p| p.unwrap_or(f64::INFINITY));
    let same = |a: &Point2, b: &Point2| {
        (0..2).all(|i| {
            let apart = (a[i] - b[i]).abs();
            let turns = (apart / periods[i]).round();
            let turned = if turns > 0.0 { turns * periods[i] } else { 0.0 };
            (apart - turned).abs() <= SAME_PARAMETER
        })
    };
    let alone = |i: usize| {
        let met = move |b: &&Border| borders.iter().any(|c| same(&c.uv[1 - i], &b.uv[i]));
        borders.iter().filter(move |b| !met(b)).map(move |b| b.uv)
    };
    for [start, end] in alone(1) {
        let p = surface.point(end.x, end.y);
        let away = |q: &Point2| (surface.point(q.x, q.y) - p).norm();
        let next = alone(0).map(|uv| uv[0]);
        let Some(mut next) = next.min_by(|a, b| away(a).total_cmp(&away(b))) else {
            continue;
        };
        let period = periods[0];
        if period.is_finite() {
            let pole = surface.jet(end.x, end.y).du.norm() <= case.brep.tolerance.length;
            let apart = next.x - end.x;
            next.x = if pole {
                // Along a pole the way goes over the face, which is on the left of its border.
                let same_sense = case.features.faces[face].same_sense;
                let ahead = (start.y - end.y).signum() * if same_sense { 1.0 } else { -1.0 };
                end.x + ahead * (ahead * apart).rem_euclid(period)
            } else {
                next.x - (apart / period).round() * period
            };
        }
        sum += step(end, next);
    }
    sum
}

/// Difference of parameters of pieces that meet.
const SAME_PARAMETER: f64 = 1e-9;

/// What came of comparing areas.
#[derive(Default)]
struct Compared {
    /// Face features whose areas agree.
    equal: usize,
    /// Free-form ones whose areas agree as far as the file says them: their edges lie beside their surface.
    open: usize,
    /// Those around a tube, for which the integral along borders says nothing.
    around_tubes: usize,
    /// Where they do not agree.
    wrong: Vec<String>,
}

/// Compares the areas of all face features of a part.
fn compare(case: &Case, out: &mut Compared) {
    for (i, feature) in case.features.faces.iter().enumerate() {
        let wanted: f64 = feature
            .faces
            .iter()
            .map(|id| case.brep.face_area(&case.brep.faces[id.index()]))
            .sum();
        let surface = &feature.surface;
        let (u, v) = case.domains.faces[i].range;
        // Loops around a tube are closed by lines that are no borders but count for this integral.
        if surface.periods()[1].is_some_and(|p| v.length() > 0.999 * p) {
            out.around_tubes += 1;
            continue;
        }
        // Borders tell the area of a closed surface up to all of it.
        let (whole_u, whole_v) = surface.domain();
        let closed = [whole_u.lo, whole_u.hi, whole_v.lo, whole_v.hi]
            .iter()
            .all(|x| x.is_finite())
            && surface.periods()[0].is_some()
            && u.length() > 0.999 * whole_u.length();
        let all = if closed {
            let steps = 64;
            (0..steps)
                .map(|k| {
                    let u = whole_u.at((f64::from(k) + 0.5) / f64::from(steps));
                    area_below(surface, whole_v.lo, u, whole_v.hi) * whole_u.length()
                        / f64::from(steps)
                })
                .sum()
        } else {
            0.0
        };
        let found = enclosed_area(case, i);
        let copies = if closed {
            ((wanted - found) / all).round()
        } else {
            0.0
        };
        let found = found + copies * all;
        let off = (found - wanted).abs();
        let allowed = 1e-6 * wanted.max(1e-6);
        // An edge beside a free-form surface says where the border is up to the gap, on either side.
        let left_open = || {
            let (gap, length) = case.gap_and_length(feature);
            gap * length
        };
        if off <= allowed {
            out.equal += 1;
        } else if matches!(surface, Surface::Nurbs(_)) && off <= allowed + left_open() {
            out.open += 1;
        } else {
            out.wrong.push(format!(
                "{}: face feature {i} ({}): {found} mm² instead of {wanted}",
                case.name,
                surface.kind_name()
            ));
        }
    }
}

#[test]
fn borders_enclose_the_area_of_the_faces() {
    let mut all = Compared::default();
    for path in files() {
        compare(&load(&path), &mut all);
    }
    assert!(all.wrong.is_empty(), "{}", all.wrong.join("\n"));
    assert!(
        all.equal > 250 && all.open == 0,
        "{}, {}",
        all.equal,
        all.open
    );
}

#[test]
fn borders_enclose_the_area_of_each_face_by_itself() {
    let mut all = Compared::default();
    let mut faces = 0;
    for path in files() {
        let case = load_grouped(&path, Grouping::Separate);
        assert_eq!(case.features.faces.len(), case.brep.faces.len());
        faces += case.brep.faces.len();
        compare(&case, &mut all);
    }
    assert!(all.wrong.is_empty(), "{}", all.wrong.join("\n"));
    assert_eq!(all.equal + all.around_tubes, faces);
    assert!(all.around_tubes < faces / 10, "{}", all.around_tubes);
}

#[test]
#[ignore = "needs BREPCD_CORPUS"]
fn borders_enclose_the_area_of_the_faces_of_a_corpus() {
    let mut all = Compared::default();
    for path in corpus() {
        let mut here = Compared::default();
        let case = load(&path);
        compare(&case, &mut here);
        println!(
            "{:50} {:5} equal, {:4} within gap × length, {:3} around tubes, {:3} not",
            case.name,
            here.equal,
            here.open,
            here.around_tubes,
            here.wrong.len()
        );
        here.wrong.iter().for_each(|line| println!("  {line}"));
        all.equal += here.equal;
        all.open += here.open;
        all.wrong.extend(here.wrong);
    }
    let wrong = all.wrong.len();
    println!(
        "{} equal, {} within gap × length, {wrong} not",
        all.equal, all.open
    );
    assert!(all.wrong.is_empty(), "{} differ", all.wrong.len());
}
