use super::*;
use crate::TrimId;
use crate::testing::Random;
use brepcd_geom::Frame;
use brepcd_geom::curve::Circle;
use brepcd_geom::surface::{Cylinder, Plane};
use std::f64::consts::TAU;

const SETTINGS: Settings = Settings {
    max_angle: 0.35,
    min_size: 0.01,
    regularization: 0.0,
    border: 1e-6,
    chord: 0.1,
};

fn all(borders: &[Border]) -> Vec<Crossing> {
    (0..borders.len() as u32)
        .map(|border| Crossing {
            border,
            periods: [0; 2],
        })
        .collect()
}

fn circle(centre: Point2, radius: f64, pieces: usize, trim: usize) -> (Curve, Vec<Border>) {
    let mut frame = Frame::world();
    frame.origin += frame.x * centre.x + frame.y * centre.y;
    let at = |i: usize| TAU * (i % pieces) as f64 / pieces as f64;
    let point = |t: f64| centre + Vec2::new(t.cos(), t.sin()) * radius;
    let borders = (0..pieces)
        .map(|i| Border {
            trim: TrimId::at(trim),
            t: [at(i), TAU * (i + 1) as f64 / pieces as f64],
            uv: [point(at(i)), point(at(i + 1))],
        })
        .collect();
    (Curve::Circle(Circle { frame, radius }), borders)
}

#[test]
fn a_ring_of_coarse_polygons_is_round() {
    let surface = Surface::Plane(Plane {
        frame: Frame::world(),
    });
    let (outer, mut borders) = circle(Point2::new(0.0, 0.0), 1.0, 8, 0);
    let (inner, mut hole) = circle(Point2::new(0.1, 0.0), 0.5, 8, 1);
    for border in &mut hole {
        border.t.reverse();
        border.uv.reverse();
    }
    borders.append(&mut hole);
    let trims = [outer, inner];
    let crossings = all(&borders);
    for same_sense in [true, false] {
        let mut borders = borders.clone();
        if !same_sense {
            for border in &mut borders {
                border.t.reverse();
                border.uv.reverse();
            }
        }
        let region = Region {
            surface: &surface,
            same_sense,
            trims: &trims,
            borders: &borders,
            settings: &SETTINGS,
        };
        let mut random = Random::new(4);
        for reference in [Point2::new(-0.7, 0.03), Point2::new(0.11, 0.07)] {
            for round in 0..20_000 {
                // Every other point lies close to one of the circles, and some on the way through a corner.
                let (radius, turn) = (random.range(0.0, 1.3), random.range(0.0, TAU));
                let off = 10f64.powf(random.range(-5.0, -1.0)) * (random.range(-1.0, 1.0)).signum();
                let unit = Vec2::new(turn.cos(), turn.sin());
                let q = match round % 4 {
                    0 => Point2::new(0.0, 0.0) + unit * (1.0 + off),
                    1 => Point2::new(0.1, 0.0) + unit * (0.5 + off),
                    2 => {
                        let corner = borders[random.below(16)].uv[0];
                        reference + (corner - reference) * random.range(0.0, 2.0)
                    }
                    _ => Point2::new(0.0, 0.0) + unit * radius,
                };
                let from_outer = 1.0 - q.coords.norm();
                let from_inner = (q - Point2::new(0.1, 0.0)).norm() - 0.5;
                let depth = from_outer.min(from_inner);
                if (depth.abs() - SETTINGS.border).abs() < 1e-9 {
                    continue;
                }
                let wanted = if depth.abs() < SETTINGS.border {
                    Where::OnBorder
                } else if depth > 0.0 {
                    Where::Inside
                } else {
                    Where::Outside
                };
                let status = reference.x < 0.0;
                assert_eq!(
                    region.classify(&crossings, reference, status, q),
                    wanted,
                    "{q:?} {depth}"
                );
            }
        }
    }
}

#[test]
fn a_bore_thinner_than_the_chord_keeps_its_sides_apart() {
    // Half a cylinder of radius 0.01 under a chord of 0.1: the far border is near in space.
    let frame = Frame::world();
    let surface = Surface::Cylinder(Cylinder {
        frame,
        radius: 0.01,
    });
    let line = |u: f64| {
        Curve::Line(brepcd_geom::curve::Line {
            origin: surface.point(u, 0.0),
            dir: frame.z,
        })
    };
    let trims = [line(0.0), line(3.0)];
    let border = |trim: usize, u: f64, v: [f64; 2]| Border {
        trim: TrimId::at(trim),
        t: v,
        uv: v.map(|v| Point2::new(u, v)),
    };
    let borders = [border(0, 0.0, [5.0, -5.0]), border(1, 3.0, [-5.0, 5.0])];
    let region = Region {
        surface: &surface,
        same_sense: true,
        trims: &trims,
        borders: &borders,
        settings: &SETTINGS,
    };
    let crossings = [-1i8, 0, 1]
        .iter()
        .flat_map(|&k| {
            (0..2).map(move |border| Crossing {
                border,
                periods: [k, 0],
            })
        })
        .collect::<Vec<_>>();
    for i in 0..1000 {
        let u = -3.0 + 9.0 * f64::from(i) / 1000.0 + 1e-3;
        let turned = u.rem_euclid(TAU);
        let wanted = if turned > 0.0 && turned < 3.0 {
            Where::Inside
        } else {
            Where::Outside
        };
        let got = region.classify(&crossings, Point2::new(1.5, 0.1), true, Point2::new(u, 0.3));
        assert_eq!(got, wanted, "{u}");
    }
}
