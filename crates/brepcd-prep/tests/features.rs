//! Supermaximal faces and edges and the polars of vertices, on parts made in code and on the parts in `data`.

mod feature_checks;
mod grids;

use std::f64::consts::{FRAC_PI_2, PI, TAU};
use std::path::PathBuf;

use brepcd_brep::{Brep, EdgeId, FaceId};
use brepcd_geom::{Point3, Vec3};
use brepcd_prep::features::{FaceFeature, Features, Grouping, find};
use brepcd_tree::Kinds;
use feature_checks::{POLAR_FACES, check_faces, check_polars, has_polar};
use grids::{Grid, PLAIN, Place, pointed, sheet, solid, teardrop};

fn features(brep: &Brep) -> Features {
    find(brep, Grouping::Supermaximal)
}

fn files() -> Vec<(String, Brep)> {
    let data = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../data");
    let mut paths: Vec<PathBuf> = ["parts", "scenes"]
        .iter()
        .flat_map(|folder| std::fs::read_dir(data.join(folder)).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "step"))
        .collect();
    paths.sort();
    assert!(paths.len() > 30);
    paths
        .into_iter()
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let model = brepcd_step::read_file(&path).unwrap();
            (name, model.placed_brep())
        })
        .collect()
}

fn part(name: &str) -> Brep {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../data/parts");
    let model = brepcd_step::read_file(path.join(name)).unwrap();
    model.placed_brep()
}

/// Counts of faces, edges and vertices.
fn counts(found: &Features) -> [usize; 3] {
    [found.faces.len(), found.edges.len(), found.vertices.len()]
}

#[test]
fn features_of_the_files_fit() {
    for (name, brep) in files() {
        let found = features(&brep);
        println!(
            "{name}: {:?} -> {:?}",
            [brep.faces.len(), brep.edges.len(), brep.vertices.len()],
            counts(&found)
        );
        check_faces(&name, &brep, &found);
        let again = features(&brep);
        assert_eq!(format!("{:?}", found.edges), format!("{:?}", again.edges));
        let vertices = [&found, &again].map(|f| format!("{:?}", f.vertices));
        assert_eq!(vertices[0], vertices[1]);
    }
}

/// Without grouping every face is a feature with its own carrier, every edge is one at most, and nothing that held a minimum is
/// lost: what grouped edges have, and vertices.
#[test]
fn separate_faces_and_edges_are_features_of_their_own() {
    let (mut more_faces, mut more_edges) = (0, 0);
    for (name, brep) in files() {
        let (grouped, found) = (features(&brep), find(&brep, Grouping::Separate));
        assert_eq!(found.faces.len(), brep.faces.len(), "{name}");
        for (index, feature) in found.faces.iter().enumerate() {
            let face = &brep.faces[index];
            assert_eq!(feature.faces, [FaceId::at(index)], "{name}");
            assert_eq!(found.of_face[index], index, "{name}");
            assert_eq!(feature.same_sense, face.same_sense, "{name}");
            let carriers = [&feature.surface, &face.surface].map(|s| format!("{s:?}"));
            assert_eq!(carriers[0], carriers[1], "{name}");
            let of_group = &grouped.faces[grouped.of_face[index]];
            assert_eq!(feature.kind, of_group.kind, "{name}");
            assert_eq!(feature.sheet, of_group.sheet, "{name}");
        }
        assert!(found.edges.iter().all(|e| e.edges.len() == 1), "{name}");
        let edges = |found: &Features| -> Vec<EdgeId> {
            let mut out: Vec<EdgeId> = found.edges.iter().flat_map(|e| e.edges.clone()).collect();
            out.sort_unstable();
            out
        };
        let separate = edges(&found);
        assert!(separate.windows(2).all(|e| e[0] < e[1]), "{name}");
        let in_a_group = edges(&grouped);
        for id in &separate {
            // What grouping leaves out runs across one carrier, where faces meet without a corner.
            let feature = found.edges.iter().find(|e| e.edges == [*id]).unwrap();
            let sides = feature.sides.map(|face| grouped.of_face[face]);
            let smooth = feature.dihedral == PI && sides[0] == sides[1];
            assert!(
                in_a_group.binary_search(id).is_ok() || smooth,
                "{name}: {id:?}"
            );
        }
        assert!(
            in_a_group
                .iter()
                .all(|id| separate.binary_search(id).is_ok())
        );
        let vertices = [&grouped, &found].map(|f| format!("{:?}", f.vertices));
        assert_eq!(vertices[0], vertices[1], "{name}");
        more_faces += found.faces.len() - grouped.faces.len();
        more_edges += found.edges.len() - grouped.edges.len();
    }
    assert!(
        more_faces > 20 && more_edges > 10,
        "{more_faces}, {more_edges}"
    );
}

#[test]
fn polars_of_the_files_are_true() {
    for (name, brep) in files() {
        if brep.faces.len() <= POLAR_FACES {
            check_polars(&name, &brep, &features(&brep));
        }
    }
}

#[test]
fn seams_and_splits_vanish() {
    // A cylinder: mantle and two caps, two circles, no vertices.
    for name in ["cylinder.step", "seamless_cylinder.step"] {
        let found = features(&part(name));
        assert_eq!(counts(&found), [3, 2, 0], "{name}");
        for edge in &found.edges {
            assert_eq!(edge.spans.len(), 1);
            assert!((edge.spans[0].length() - TAU).abs() < 1e-12);
            assert!((edge.dihedral - FRAC_PI_2).abs() < 1e-12);
        }
    }
    assert_eq!(counts(&features(&part("sphere.step"))), [1, 0, 0]);
    assert_eq!(counts(&features(&part("torus.step"))), [1, 0, 0]);
    let lemon = features(&part("lemon.step"));
    assert_eq!(lemon.vertices.len(), 2);
    assert_eq!(lemon.faces[0].kind, Kinds::CONVEX_TORUS);
    // The dimples of an apple hold nothing.
    assert_eq!(counts(&features(&part("apple.step"))), [1, 0, 0]);
    for name in ["cone_apex.step", "cone_vertex_loop.step"] {
        let found = features(&part(name));
        assert_eq!(counts(&found), [2, 1, 1], "{name}");
        assert!(found.vertices[0].tangents.len() >= 16);
    }
}

/// A castle nut: a ring of six sectors, three of which go on to a second storey.
fn castle(grid: &Grid) -> Brep {
    let lower = (0..6).map(|k| [1, k, 0]);
    let upper = [0, 2, 4].map(|k| [1, k, 1]);
    let cells: Vec<Place> = lower.chain(upper).collect();
    solid(grid, &cells)
}

#[test]
fn faces_of_one_cylinder_and_arcs_of_one_circle_group() {
    for (scale, origin) in [
        (1.0, Point3::origin()),
        (1.0, Point3::new(1e6, -2e6, 3e5)),
        (1e-3, Point3::origin()),
        (1e5, Point3::new(-3e5, 0.0, 1e6)),
    ] {
        let grid = Grid {
            turn: 6,
            scale,
            origin,
            flaw: 0.0,
        };
        let brep = castle(&grid);
        let found = features(&brep);
        check_faces("castle", &brep, &found);
        assert_eq!(counts(&found), [8, 21, 24], "{scale} {origin:?}");
        let sizes = |kind: Kinds| -> Vec<usize> {
            let of_kind = found.faces.iter().filter(|f| f.kind == kind);
            of_kind.map(|f| f.faces.len()).collect()
        };
        assert_eq!(sizes(Kinds::CONVEX_CYLINDER), [9]);
        assert_eq!(sizes(Kinds::CONCAVE_CYLINDER), [9]);
        let mut planes = sizes(Kinds::PLANE);
        planes.sort_unstable();
        assert_eq!(planes, [2, 2, 2, 3, 3, 6]);
        let circles = found.edges.iter().filter(|e| e.kind == Kinds::CIRCLE);
        let mut spans: Vec<usize> = circles.map(|e| e.spans.len()).collect();
        spans.sort_unstable();
        assert_eq!(spans, [1, 1, 3, 3, 3, 3]);
    }
}

#[test]
fn what_is_apart_by_ten_tolerances_is_not_grouped() {
    let cylinders = |flaw: f64| {
        // Every other face is off by the flaw.
        let grid = Grid {
            turn: 6,
            scale: 10.0,
            origin: Point3::new(100.0, 0.0, 0.0),
            flaw,
        };
        let found = features(&castle(&grid));
        let convex = |f: &&FaceFeature| f.kind == Kinds::CONVEX_CYLINDER;
        (found.faces.len(), found.faces.iter().filter(convex).count())
    };
    let tolerance = brepcd_brep::Tolerance::default().length;
    assert_eq!(cylinders(0.5 * tolerance), (8, 1));
    let (all, convex) = cylinders(10.0 * tolerance);
    assert!(all > 8 && convex == 2, "{all} {convex}");
}

/// All ways to fill the eight cells around a point: the polar there against that of the filled octants.
#[test]
fn every_corner_of_cells_has_its_true_polar() {
    let round = Grid { turn: 6, ..PLAIN };
    let far = Point3::new(1e6, -2e6, 3e5);
    for (grid, first) in [
        (PLAIN, [0; 3]),
        (round, [1, 0, 0]),
        (
            Grid {
                scale: 1e-3,
                ..PLAIN
            },
            [0; 3],
        ),
        (
            Grid {
                scale: 1e4,
                ..round
            },
            [1, 0, 0],
        ),
        (
            Grid {
                origin: far,
                ..round
            },
            [1, 0, 0],
        ),
    ] {
        for mask in 1..255 {
            check_corner(&grid, first, mask);
        }
    }
}

fn check_corner(grid: &Grid, first: Place, mask: u32) {
    let octants: Vec<Place> = (0..8)
        .filter(|i| mask >> i & 1 == 1)
        .map(|i| [i & 1, i >> 1 & 1, i >> 2 & 1])
        .collect();
    let cell = |o: &Place| std::array::from_fn(|i| first[i] + o[i]);
    let brep = solid(grid, &octants.iter().map(cell).collect::<Vec<_>>());
    let found = features(&brep);
    let middle = first.map(|x| x + 1);
    let centre = grid.point(middle);
    let feature = found.vertices.iter().find(|v| v.point == centre);
    let holds = |n: &Vec3| {
        let fits = |o: &Place| (0..3).all(|i| n[i] * (2.0 * f64::from(o[i]) - 1.0) <= 0.0);
        octants.iter().all(fits)
    };
    let third = |i: i32| f64::from(i % 3 - 1);
    let all: Vec<Vec3> = (0..27)
        .filter(|i| *i != 13)
        .map(|i| Vec3::new(third(i), third(i / 3), third(i / 9)))
        .collect();
    let some = all.iter().any(holds);
    let Some(feature) = feature else {
        // Passed by a convex edge, or inside a face: two or four cells in a row or a layer.
        let shared = |i: &usize| octants.iter().all(|o| o[*i] == octants[0][*i]);
        let fixed = (0..3).filter(shared).count();
        let regular = octants.len() == 1 << (3 - fixed);
        assert!(!some || (regular && fixed < 3), "{mask:08b}");
        return;
    };
    for n in &all {
        let axes = (0..3).map(|i| grid.direction(middle, i) * n[i]);
        let found = has_polar(&feature.tangents, &axes.sum(), 1e-9);
        assert_eq!(found, holds(n), "{mask:08b} {n:?} {feature:?}");
    }
    assert!(some);
}

#[test]
fn nothing_has_no_features() {
    assert_eq!(counts(&features(&Brep::default())), [0, 0, 0]);
}

/// A square without thickness: its border counts as edges, and its corners look both ways.
#[test]
fn sheets_keep_their_borders() {
    let found = features(&sheet());
    assert_eq!(counts(&found), [1, 4, 4]);
    for edge in &found.edges {
        assert_eq!((edge.sides, edge.dihedral), ([0, 0], 0.0));
    }
    for vertex in &found.vertices {
        let out = (vertex.point - Point3::new(0.5, 0.5, 0.0)).normalize();
        for n in [out, out + Vec3::z() * 5.0, out - Vec3::z() * 5.0] {
            assert!(has_polar(&vertex.tangents, &n, 1e-12));
        }
        assert!(!has_polar(&vertex.tangents, &(Vec3::z() - out), 1e-3));
    }
}

#[test]
fn apexes_need_no_vertex() {
    let found = features(&pointed(false));
    assert_eq!(counts(&found), [3, 2, 1]);
    let apex = &found.vertices[0];
    assert!(apex.vertex.is_none() && (apex.point - Point3::new(0.0, 0.0, 1.0)).norm() < 1e-12);
    for i in 0..100 {
        let (s, c) = (0.1 * f64::from(i)).sin_cos();
        // Not smaller than the true polar, and not much larger.
        let n = |slope: f64| Vec3::new(c, s, slope).normalize();
        assert!(has_polar(&apex.tangents, &n(1.0), 1e-9));
        assert!(!has_polar(&apex.tangents, &n(0.98), 1e-9));
    }
    let pit = features(&pointed(true));
    assert_eq!(counts(&pit), [4, 3, 0]);
    assert_eq!(pit.faces[2].kind, Kinds::CONCAVE_CONE);
}

/// The sharp seam of a closed free-form face is an edge.
#[test]
fn sharp_seams_stay() {
    let brep = teardrop();
    let found = features(&brep);
    assert_eq!(counts(&found), [3, 3, 2]);
    let seam = found.edges.iter().find(|e| e.kind == Kinds::LINE).unwrap();
    assert_eq!(seam.sides[0], seam.sides[1]);
    assert!((seam.dihedral - 2.0 * 0.75_f64.atan()).abs() < 1e-9);
    check_polars("teardrop", &brep, &found);
}

#[test]
fn box_corners_are_octants() {
    let brep = part("box.step");
    let found = features(&brep);
    assert_eq!(counts(&found), [6, 12, 8]);
    let centre = brep.bounding_box().centre();
    for vertex in &found.vertices {
        assert_eq!(vertex.tangents.len(), 3);
        let out = (vertex.point - centre).map(f64::signum);
        for axis in 0..3 {
            let mut n = Vec3::zeros();
            n[axis] = out[axis];
            assert!(has_polar(&vertex.tangents, &n, 1e-12));
            assert!(!has_polar(&vertex.tangents, &-n, 0.5));
        }
    }
}

/// `BREPCD_CORPUS` names a folder of STEP files; prints how much the features save and checks them.
#[test]
#[ignore = "needs BREPCD_CORPUS"]
fn corpus() {
    let folder = std::env::var_os("BREPCD_CORPUS").expect("BREPCD_CORPUS names a folder");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|p| {
            p.extension()
                .is_some_and(|e| e.eq_ignore_ascii_case("step") || e.eq_ignore_ascii_case("stp"))
        })
        .collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let brep = brepcd_step::read_file(&path).unwrap().placed_brep();
        let start = std::time::Instant::now();
        let found = features(&brep);
        let ms = start.elapsed().as_secs_f64() * 1e3;
        let [f, e, v] = counts(&found);
        println!(
            "{name:50} faces {:5} -> {f:5}  edges {:5} -> {e:5}  vertices {:5} -> {v:5}  {ms:7.1} ms",
            brep.faces.len(),
            brep.edges.len(),
            brep.vertices.len()
        );
        check_faces(&name, &brep, &found);
        if brep.faces.len() <= POLAR_FACES && brep.solids.len() == 1 {
            check_polars(&name, &brep, &found);
        }
    }
}
