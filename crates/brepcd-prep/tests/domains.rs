//! Domains and patches of the test parts against the exact B-Rep.
//!
//! `BREPCD_CORPUS=dir cargo test --release -p brepcd-prep --test domains -- --ignored --nocapture` checks a folder.

mod cases;

use brepcd_geom::{Aabb, Frame, Interval, Point2, Point3, Surface, Vec3};
use brepcd_prep::patches::{PatchOwner, RawBezier};
use brepcd_prep::{Grouping, domains, patches};
use brepcd_tree::domain::Where;
use cases::{Case, corpus, files, load, load_grouped, random};

/// Random points per face feature.
const POINTS: usize = 400;
/// The same for the parts of a corpus.
const CORPUS_POINTS: usize = 60;

#[test]
fn points_are_classified_as_by_the_source_faces() {
    for path in files() {
        check_points(&load(&path));
    }
}

#[test]
fn points_are_classified_as_by_each_face_by_itself() {
    for path in files() {
        check_points(&load_grouped(&path, Grouping::Separate));
    }
}

/// The same carrier with other parameters: turned about its axis and reversed, a sphere about another axis.
fn reparametrised(surface: &Surface) -> Option<(Surface, bool)> {
    let turned = |f: &Frame, z: Vec3, shift: f64| {
        Frame::from_z_and_hint(f.origin + z * shift, z, Some(f.x + f.y * 0.7 + f.z * 0.1))
    };
    Some(match surface {
        Surface::Plane(s) => {
            let mut s = *s;
            s.frame = turned(&s.frame, -s.frame.z, 0.0)?;
            (Surface::Plane(s), true)
        }
        Surface::Cylinder(s) => {
            let mut s = *s;
            s.frame = turned(&s.frame, -s.frame.z, 3.0)?;
            (Surface::Cylinder(s), false)
        }
        Surface::Sphere(s) => {
            let mut s = *s;
            s.frame = turned(&s.frame, s.frame.x + s.frame.z * 0.4 + s.frame.y * 0.3, 0.0)?;
            s.frame.origin = surface_centre(surface)?;
            (Surface::Sphere(s), false)
        }
        Surface::Torus(s) => {
            let mut s = *s;
            s.frame = turned(&s.frame, -s.frame.z, 0.0)?;
            (Surface::Torus(s), false)
        }
        Surface::Cone(_) | Surface::Nurbs(_) => return None,
    })
}

fn surface_centre(surface: &Surface) -> Option<Point3> {
    match surface {
        Surface::Sphere(s) => Some(s.frame.origin),
        _ => None,
    }
}

#[test]
fn any_parametrisation_of_the_carrier_serves() {
    for path in files() {
        let mut case = load(&path);
        for feature in &mut case.features.faces {
            if let Some((surface, flips)) = reparametrised(&feature.surface) {
                feature.surface = surface;
                feature.same_sense ^= flips;
            }
        }
        case.domains = domains::build(&case.brep, &case.features, &case.settings);
        case.patches = patches::split(&case.brep, &case.features, &case.domains, &case.settings);
        check_points(&case);
    }
}

fn check_points(case: &Case) {
    let ([_, open], wrong) = wrong_points(case, POINTS);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(open, 0, "{}", case.name);
}

#[test]
#[ignore = "needs BREPCD_CORPUS"]
fn points_of_a_corpus_are_classified_as_by_the_source_faces() {
    let mut all = [0; 3];
    for path in corpus() {
        let case = load(&path);
        let ([checked, open], wrong) = wrong_points(&case, CORPUS_POINTS);
        let counts = [checked, open, wrong.len()];
        println!("{:50} {counts:?} points, open, wrong", case.name);
        wrong.iter().for_each(|line| println!("  {line}"));
        all.iter_mut().zip(counts).for_each(|(sum, n)| *sum += n);
    }
    println!("{all:?} points, open, wrong");
    assert_eq!(all[2], 0);
}

/// How many random points of all face features were off the border, of how many the file leaves open whether they are
/// inside, and where domain and source faces disagree.
fn wrong_points(case: &Case, points: usize) -> ([usize; 2], Vec<String>) {
    let (mut checked, mut open, mut wrong) = (0, 0, Vec::new());
    let mut of_face = vec![Vec::new(); case.features.faces.len()];
    for patch in &case.patches {
        if let PatchOwner::Face(face) = patch.feature {
            of_face[face].push(patch);
        }
    }
    for (i, feature) in case.features.faces.iter().enumerate() {
        let (u, v) = case.domains.faces[i].range;
        let mut random = random(i as u64 + 1);
        let domain = &case.domains.faces[i];
        for round in 0..points {
            // Half of the points lie close to the border, on either side.
            let mut q = Point2::new(random(u.lo, u.hi), random(v.lo, v.hi));
            if round % 2 == 1 && !domain.borders.is_empty() {
                let n = random(0.0, domain.borders.len() as f64) as usize;
                let border = &domain.borders[n.min(domain.borders.len() - 1)];
                let on = border.uv[0] + (border.uv[1] - border.uv[0]) * random(0.0, 1.0);
                let off = 10f64.powf(random(-6.0, -1.0));
                q = on + (q - on) * off;
                let inside = |q: f64, side: Interval, period: Option<f64>| match period {
                    Some(p) => side.clamp(side.lo + (q - side.lo).rem_euclid(p)),
                    None => side.clamp(q),
                };
                let periods = feature.surface.periods();
                q = Point2::new(inside(q.x, u, periods[0]), inside(q.y, v, periods[1]));
            }
            let p = feature.surface.point(q.x, q.y);
            let (place, holding) = case.classify_in(i, q, &of_face[i]);
            let wanted = case.contains(feature, &p, q);
            let distance = case.border_distance(feature, &p);
            if distance < 2.0 * case.settings.border {
                continue;
            }
            checked += 1;
            let differs = (place == Where::Inside) != wanted;
            // Where edges lie beside the surface, the file says where the border is up to the gap.
            if differs && distance < 2.0 * (case.settings.border + case.gap_and_length(feature).0) {
                open += 1;
                continue;
            }
            if differs || holding > 1 {
                wrong.push(format!(
                    "{}: face feature {i} ({}) at {q:?}, {distance} mm from the border: {place:?} in {holding} patches",
                    case.name,
                    feature.surface.kind_name()
                ));
            }
        }
    }
    ([checked, open], wrong)
}

#[test]
fn points_of_borders_are_on_the_border() {
    for path in files() {
        let case = load(&path);
        for (i, feature) in case.features.faces.iter().enumerate() {
            for border in &case.domains.faces[i].borders {
                for s in [0.1, 0.37, 0.5, 0.93] {
                    let t = border.t[0] + (border.t[1] - border.t[0]) * s;
                    let p = case.domains.trims[border.trim.index()].point(t);
                    let guess = border.uv[0] + (border.uv[1] - border.uv[0]) * s;
                    let (u, v) = feature.surface.invert(&p, Some((guess.x, guess.y)));
                    let gap = (feature.surface.point(u, v) - p).norm();
                    if gap > 0.5 * case.settings.border {
                        continue;
                    }
                    // A patch that shrank to this border may end a rounding short of it.
                    let step = 1e-9 * (guess.coords.norm() + 1.0);
                    let places: Vec<Where> = [
                        (0.0, 0.0),
                        (1.0, 1.0),
                        (1.0, -1.0),
                        (-1.0, 1.0),
                        (-1.0, -1.0),
                    ]
                    .iter()
                    .map(|(a, b)| case.classify(i, Point2::new(u + a * step, v + b * step)).0)
                    .collect();
                    assert!(
                        places.contains(&Where::OnBorder),
                        "{}: face feature {i} ({}) at {u} {v}: {places:?}",
                        case.name,
                        feature.surface.kind_name()
                    );
                }
            }
        }
    }
}

/// Half the angle of the narrowest cone about the mean of some directions, roughly.
fn half_angle(normals: &[Vec3]) -> f64 {
    let mean: Vec3 = normals.iter().sum();
    normals
        .iter()
        .map(|n| mean.cross(n).norm().atan2(mean.dot(n)))
        .fold(0.0, f64::max)
}

#[test]
fn patches_are_flat_or_small_and_no_slivers() {
    for path in files() {
        let case = load(&path);
        for patch in &case.patches {
            let PatchOwner::Face(i) = patch.feature else {
                continue;
            };
            let surface = &case.features.faces[i].surface;
            let mut normals = Vec::new();
            let mut points = Vec::new();
            for k in 0..49 {
                let (s, t) = ((k % 7) as f64 / 6.0, (k / 7) as f64 / 6.0);
                normals.extend(surface.normal(patch.u.at(s), patch.v.at(t)));
                points.push(surface.point(patch.u.at(s), patch.v.at(t)));
            }
            let size = Aabb::of(points.iter().copied()).diagonal();
            let angle = half_angle(&normals);
            let slack = if matches!(surface, Surface::Nurbs(_)) {
                1.2
            } else {
                1.0 + 1e-6
            };
            assert!(
                angle <= slack * case.settings.max_angle || size <= 2.0 * case.settings.min_size,
                "{}: {angle} rad over {size} mm on {} {:?} {:?}",
                case.name,
                surface.kind_name(),
                patch.u,
                patch.v
            );
            assert!(
                size > 1e-9 * case.settings.min_size,
                "{}: a sliver of {size} mm",
                case.name
            );
            if let Some(RawBezier::Surface(bezier)) = &patch.bezier {
                assert_eq!((bezier.domain_u, bezier.domain_v), (patch.u, patch.v));
                let (u, v) = (patch.u.at(0.3), patch.v.at(0.6));
                let gap = (bezier.point(u, v) - surface.point(u, v)).norm();
                assert!(gap < 1e-9 * (1.0 + size), "{}: {gap}", case.name);
            }
        }
        let rough = case
            .patches
            .iter()
            .filter(|p| matches!(p.feature, PatchOwner::Face(_)))
            .count();
        println!(
            "{}: {} faces, {rough} face patches, {} patches",
            case.name,
            case.brep.faces.len(),
            case.patches.len()
        );
    }
}
