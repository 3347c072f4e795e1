//! Parts built with truck-modeling, with the closed forms of their mass properties.

#![allow(dead_code)]

use std::f64::consts::{PI, TAU};
use truck_modeling::*;

/// More than a turn: truck closes the sweep.
pub const TURN: Rad<f64> = Rad(7.0);

/// What is known about a part; a diagonal inertia about the centroid at unit density.
pub struct Known {
    pub volume: f64,
    pub area: Option<f64>,
    pub centroid: [f64; 3],
    pub inertia: Option<[f64; 3]>,
    /// Faces in order of kind name.
    pub kinds: Vec<(&'static str, usize)>,
}

pub struct Part {
    pub name: &'static str,
    pub solid: Solid,
    pub known: Known,
}

pub fn all() -> Vec<Part> {
    vec![
        block(),
        mirrored_block(),
        sunken_block(),
        hollow_block(),
        cylinder(),
        turned_cylinder(),
        wedge(),
        cone(),
        sphere(),
        ellipsoid(),
        torus(),
        torus_piece(),
        drilled_plate(),
        twisted_frustum(),
        vase(),
        cut_cylinder(),
    ]
}

fn box_at(corner: Point3, size: Vector3) -> Solid {
    let edge = builder::tsweep(&builder::vertex(corner), size.x * Vector3::unit_x());
    let face = builder::tsweep(&edge, size.y * Vector3::unit_y());
    builder::tsweep(&face, size.z * Vector3::unit_z())
}

fn box_inertia(volume: f64, [a, b, c]: [f64; 3]) -> [f64; 3] {
    [b * b + c * c, a * a + c * c, a * a + b * b].map(|s| volume * s / 12.0)
}

fn known_block(centroid: [f64; 3]) -> Known {
    Known {
        volume: 24.0,
        area: Some(52.0),
        centroid,
        inertia: Some(box_inertia(24.0, [2.0, 3.0, 4.0])),
        kinds: vec![("plane", 6)],
    }
}

pub fn block() -> Part {
    let solid = box_at(Point3::new(1.0, -2.0, 0.5), Vector3::new(2.0, 3.0, 4.0));
    Part {
        name: "block",
        solid,
        known: known_block([2.0, -0.5, 2.5]),
    }
}

/// A reflection turns a solid inside out.
pub fn mirrored_block() -> Part {
    let solid = builder::scaled(
        &block().solid,
        Point3::new(0.0, 0.0, 0.0),
        Vector3::new(-1.0, 1.0, 1.0),
    );
    Part {
        name: "mirrored block",
        solid,
        known: known_block([-2.0, -0.5, 2.5]),
    }
}

/// Swept against the normal of its face, a solid is inside out.
pub fn sunken_block() -> Part {
    let solid = box_at(Point3::new(0.0, 0.0, 0.0), Vector3::new(2.0, 3.0, -4.0));
    Part {
        name: "sunken block",
        solid,
        known: known_block([1.0, 1.5, -2.0]),
    }
}

pub fn hollow_block() -> Part {
    let outer = box_at(Point3::new(0.0, 0.0, 0.0), Vector3::new(4.0, 5.0, 6.0));
    let mut inner = box_at(Point3::new(1.0, 1.0, 1.0), Vector3::new(1.0, 2.0, 3.0));
    inner.not();
    let shells = outer
        .into_boundaries()
        .into_iter()
        .chain(inner.into_boundaries())
        .collect();
    let moment = |whole: f64, hole: f64| (120.0 * whole - 6.0 * hole) / 114.0;
    Part {
        name: "hollow block",
        solid: Solid::new(shells),
        known: Known {
            volume: 114.0,
            area: Some(148.0 + 22.0),
            centroid: [moment(2.0, 1.5), moment(2.5, 2.0), moment(3.0, 2.5)],
            inertia: None,
            kinds: vec![("plane", 12)],
        },
    }
}

fn disc(start: Point3, centre: Point3, axis: Vector3) -> Face {
    let circle = builder::rsweep(&builder::vertex(start), centre, axis, TURN);
    builder::try_attach_plane(&[circle]).unwrap()
}

fn known_cylinder(r: f64, h: f64, centroid: [f64; 3]) -> Known {
    let volume = PI * r * r * h;
    let side = volume * (3.0 * r * r + h * h) / 12.0;
    Known {
        volume,
        area: Some(TAU * r * (r + h)),
        centroid,
        inertia: Some([side, side, volume * r * r / 2.0]),
        kinds: vec![],
    }
}

/// A disc moved along its axis.
pub fn cylinder() -> Part {
    let (r, h) = (1.5, 4.0);
    let disc = disc(
        Point3::new(r, 0.0, 1.0),
        Point3::new(0.0, 0.0, 1.0),
        Vector3::unit_z(),
    );
    let mut known = known_cylinder(r, h, [0.0, 0.0, 3.0]);
    known.kinds = vec![("cylinder", 3), ("plane", 2)];
    Part {
        name: "cylinder",
        solid: builder::tsweep(&disc, h * Vector3::unit_z()),
        known,
    }
}

fn polygon(points: &[Point3]) -> Wire {
    let vertices: Vec<Vertex> = points.iter().map(|p| builder::vertex(*p)).collect();
    (0..points.len())
        .map(|i| builder::line(&vertices[i], &vertices[(i + 1) % points.len()]))
        .collect()
}

fn meridian(r: f64, h: f64) -> Face {
    let at = |x: f64, z: f64| Point3::new(x, 0.0, z);
    builder::try_attach_plane(&[polygon(&[at(0.0, 0.0), at(0.0, h), at(r, h), at(r, 0.0)])])
        .unwrap()
}

/// A rectangle turned about one of its sides: truck leaves edges and faces without extent on the axis.
pub fn turned_cylinder() -> Part {
    let (r, h) = (1.5, 4.0);
    let solid = builder::rsweep(
        &meridian(r, h),
        Point3::new(0.0, 0.0, 0.0),
        Vector3::unit_z(),
        TURN,
    );
    let mut known = known_cylinder(r, h, [0.0, 0.0, 2.0]);
    known.kinds = vec![("cylinder", 3), ("plane", 6)];
    Part {
        name: "turned cylinder",
        solid,
        known,
    }
}

/// Part of a turn: the two flat sides share the edge on the axis.
pub fn wedge() -> Part {
    let (r, h, angle) = (1.5_f64, 4.0, 2.0_f64);
    let solid = builder::rsweep(
        &meridian(r, h),
        Point3::new(0.0, 0.0, 0.0),
        Vector3::unit_z(),
        Rad(angle),
    );
    let (half, area) = (angle / 2.0, angle * r * r / 2.0);
    let far = 2.0 * r * half.sin() / (3.0 * half);
    Part {
        name: "wedge",
        solid,
        known: Known {
            volume: area * h,
            area: Some(2.0 * area + 2.0 * r * h + angle * r * h),
            centroid: [far * half.cos(), far * half.sin(), h / 2.0],
            inertia: None,
            kinds: vec![("cylinder", 2), ("plane", 6)],
        },
    }
}

pub fn cone() -> Part {
    let (r, h) = (2.0_f64, 3.0_f64);
    let [top, rim, foot] =
        [(0.0, h), (r, 0.0), (0.0, 0.0)].map(|(x, z)| builder::vertex(Point3::new(x, 0.0, z)));
    let wire: Wire = vec![builder::line(&top, &rim), builder::line(&rim, &foot)].into();
    let shell = builder::cone(&wire, Vector3::unit_z(), TURN);
    let volume = PI * r * r * h / 3.0;
    let side = volume * 3.0 / 80.0 * (4.0 * r * r + h * h);
    Part {
        name: "cone",
        solid: Solid::new(vec![shell]),
        known: Known {
            volume,
            area: Some(PI * r * (r + r.hypot(h))),
            centroid: [0.0, 0.0, h / 4.0],
            inertia: Some([side, side, volume * 0.3 * r * r]),
            kinds: vec![("cone", 3), ("plane", 3)],
        },
    }
}

fn ball(r: f64) -> Solid {
    let [top, foot] = [r, -r].map(|z| builder::vertex(Point3::new(0.0, 0.0, z)));
    let wire: Wire = vec![builder::circle_arc(&top, &foot, Point3::new(r, 0.0, 0.0))].into();
    Solid::new(vec![builder::cone(&wire, Vector3::unit_z(), TURN)])
}

pub fn sphere() -> Part {
    let r: f64 = 1.25;
    let volume = 4.0 / 3.0 * PI * r.powi(3);
    Part {
        name: "sphere",
        solid: builder::translated(&ball(r), Vector3::new(3.0, -1.0, 2.0)),
        known: Known {
            volume,
            area: Some(2.0 * TAU * r * r),
            centroid: [3.0, -1.0, 2.0],
            inertia: Some([0.4 * volume * r * r; 3]),
            kinds: vec![("sphere", 6)],
        },
    }
}

/// A surface of revolution scaled by different factors.
pub fn ellipsoid() -> Part {
    let [a, b, c] = [1.0, 2.0, 3.0];
    let solid = builder::scaled(
        &ball(1.0),
        Point3::new(0.0, 0.0, 0.0),
        Vector3::new(a, b, c),
    );
    let volume = 4.0 / 3.0 * PI * a * b * c;
    Part {
        name: "ellipsoid",
        solid,
        known: Known {
            volume,
            area: None,
            centroid: [0.0; 3],
            inertia: Some([b * b + c * c, a * a + c * c, a * a + b * b].map(|s| volume * s / 5.0)),
            kinds: vec![("bspline", 6)],
        },
    }
}

fn ring(angle: Rad<f64>) -> Solid {
    let disc = disc(
        Point3::new(4.0, 0.0, 0.0),
        Point3::new(3.0, 0.0, 0.0),
        -Vector3::unit_y(),
    );
    builder::rsweep(&disc, Point3::new(0.0, 0.0, 0.0), Vector3::unit_z(), angle)
}

pub fn torus() -> Part {
    let (major, minor) = (3.0_f64, 1.0_f64);
    let volume = 2.0 * PI * PI * major * minor * minor;
    let side = volume * (4.0 * major * major + 5.0 * minor * minor) / 8.0;
    Part {
        name: "torus",
        solid: ring(TURN),
        known: Known {
            volume,
            area: Some(4.0 * PI * PI * major * minor),
            centroid: [0.0; 3],
            inertia: Some([
                side,
                side,
                volume * (4.0 * major * major + 3.0 * minor * minor) / 4.0,
            ]),
            kinds: vec![("torus", 9)],
        },
    }
}

pub fn torus_piece() -> Part {
    let (major, minor, angle) = (3.0_f64, 1.0_f64, 2.5_f64);
    let half = angle / 2.0;
    let far = half.sin() / half * (major + minor * minor / (4.0 * major));
    Part {
        name: "torus piece",
        solid: ring(Rad(angle)),
        known: Known {
            volume: angle * major * PI * minor * minor,
            area: Some(angle * major * TAU * minor + TAU * minor * minor),
            centroid: [far * half.cos(), far * half.sin(), 0.0],
            inertia: None,
            kinds: vec![("plane", 2), ("torus", 6)],
        },
    }
}

pub fn drilled_plate() -> Part {
    let (a, b, h, r) = (6.0, 4.0, 2.0, 1.0);
    let at = |x: f64, y: f64| Point3::new(x, y, 0.0);
    let outer = polygon(&[at(0.0, 0.0), at(a, 0.0), at(a, b), at(0.0, b)]);
    let hole = builder::rsweep(
        &builder::vertex(at(3.0, 2.0)),
        at(2.0, 2.0),
        -Vector3::unit_z(),
        TURN,
    );
    let face = builder::try_attach_plane(&[outer, hole]).unwrap();
    let flat = a * b - PI * r * r;
    Part {
        name: "drilled plate",
        solid: builder::tsweep(&face, h * Vector3::unit_z()),
        known: Known {
            volume: flat * h,
            area: Some(2.0 * flat + (2.0 * (a + b) + TAU * r) * h),
            centroid: [
                (a * b * a / 2.0 - PI * r * r * 2.0) / flat,
                b / 2.0,
                h / 2.0,
            ],
            inertia: None,
            kinds: vec![("cylinder", 3), ("plane", 6)],
        },
    }
}

/// A square lofted to a smaller one turned by 45 degrees; the sides are ruled, not flat.
pub fn twisted_frustum() -> Part {
    let (bottom, top, h) = (2.0_f64, 1.0_f64, 3.0_f64);
    let corner = |radius: f64, angle: f64, z: f64| {
        Point3::new(radius * angle.cos(), radius * angle.sin(), z)
    };
    let square = |radius: f64, first: f64, z: f64| {
        polygon(&[0.0, 1.0, 2.0, 3.0].map(|i| corner(radius, first + i * PI / 2.0, z)))
    };
    let (low, high) = (square(bottom, 0.0, 0.0), square(top, PI / 4.0, h));
    let mut shell = builder::try_wire_homotopy(&low, &high).unwrap();
    shell.push(builder::try_attach_plane(&[low.inverse()]).unwrap());
    shell.push(builder::try_attach_plane(&[high]).unwrap());
    // a section is a square of area 2 |(1-t) p + t q|², with p·q from the angle
    let (pp, qq, pq) = (bottom * bottom, top * top, bottom * top * (PI / 4.0).cos());
    let volume = 2.0 * h * (pp + qq + pq) / 3.0;
    let first = 2.0 * h * h * (pp / 12.0 + qq / 4.0 + pq / 6.0);
    Part {
        name: "twisted frustum",
        solid: Solid::new(vec![shell]),
        known: Known {
            volume,
            area: None,
            centroid: [0.0, 0.0, first / volume],
            inertia: None,
            kinds: vec![("bspline", 4), ("plane", 2)],
        },
    }
}

/// A parabola turned about an axis it does not meet, with flat ends.
pub fn vase() -> Part {
    let h = 4.0;
    let [foot, low, high, top] = [(0.0, 0.0), (1.0, 0.0), (2.0, h), (0.0, h)]
        .map(|(x, z)| builder::vertex(Point3::new(x, 0.0, z)));
    let side = builder::bezier(&low, &high, vec![Point3::new(3.0, 0.0, h / 2.0)]);
    let wire: Wire = vec![
        builder::line(&foot, &low),
        side,
        builder::line(&high, &top),
        builder::line(&top, &foot),
    ]
    .into();
    let face = builder::try_attach_plane(&[wire]).unwrap();
    let solid = builder::rsweep(&face, Point3::new(0.0, 0.0, 0.0), Vector3::unit_z(), TURN);
    // r = 1 + 4 t - 3 t², z = h t
    let square = [1.0, 8.0, 10.0, -24.0, 9.0];
    let moment = |n: usize| {
        square
            .iter()
            .enumerate()
            .map(|(i, c)| c / (i + n + 1) as f64)
            .sum::<f64>()
    };
    Part {
        name: "vase",
        solid,
        known: Known {
            volume: PI * h * moment(0),
            area: None,
            centroid: [0.0, 0.0, h * moment(1) / moment(0)],
            inertia: None,
            kinds: vec![("bspline", 3), ("plane", 6)],
        },
    }
}

/// A cylinder cut by the plane `z = 3 + x / 2`; the cut's edges are intersection curves with coarse leaders.
pub fn cut_cylinder() -> Part {
    let (r, middle, slope) = (2.0_f64, 3.0_f64, 0.5_f64);
    let at = |angle: f64, z: f64| Point3::new(r * angle.cos(), r * angle.sin(), z);
    let height = |angle: f64| middle + slope * r * angle.cos();
    let angles = [0.0, TAU / 3.0, 2.0 * TAU / 3.0];
    let low = angles.map(|a| builder::vertex(at(a, 0.0)));
    let high = angles.map(|a| builder::vertex(at(a, height(a))));
    let plane = Plane::new(
        Point3::new(0.0, 0.0, middle),
        Point3::new(1.0, 0.0, middle + slope),
        Point3::new(0.0, 1.0, middle),
    );
    let lines: Vec<Edge> = (0..3).map(|i| builder::line(&low[i], &high[i])).collect();
    let (mut bottom, mut top, mut sides) = (Wire::new(), Wire::new(), Vec::new());
    for i in 0..3 {
        let j = (i + 1) % 3;
        let arc = builder::circle_arc(&low[i], &low[j], at(angles[i] + TAU / 6.0, 0.0));
        let Surface::NurbsSurface(wall) = builder::tsweep(&arc, 10.0 * Vector3::unit_z()).surface()
        else {
            panic!("a swept arc is a spline");
        };
        let points = (0..=4).map(|k| {
            let angle = angles[i] + TAU / 3.0 * k as f64 / 4.0;
            at(angle, height(angle))
        });
        let cut = IntersectionCurve::new_unchecked(
            Box::new(Surface::Plane(plane)),
            Box::new(Surface::NurbsSurface(wall.clone())),
            Leader::Polyline(PolylineCurve(points.collect())),
            0.1,
        );
        let cut = Edge::new(&high[i], &high[j], Curve::IntersectionCurve(cut));
        let wire: Wire = vec![
            arc.clone(),
            lines[j].clone(),
            cut.inverse(),
            lines[i].inverse(),
        ]
        .into();
        sides.push(Face::new(vec![wire], Surface::NurbsSurface(wall)));
        bottom.push_back(arc);
        top.push_back(cut);
    }
    let mut shell: Shell = sides.into();
    shell.push(builder::try_attach_plane(&[bottom.inverse()]).unwrap());
    shell.push(Face::new(vec![top], Surface::Plane(plane)));
    let volume = PI * r * r * middle;
    let x = slope * r * r / (4.0 * middle);
    let z = middle / 2.0 + slope * slope * r * r / (8.0 * middle);
    Part {
        name: "cut cylinder",
        solid: Solid::new(vec![shell]),
        known: Known {
            volume,
            area: Some(TAU * r * middle + PI * r * r * (1.0 + (1.0 + slope * slope).sqrt())),
            centroid: [x, 0.0, z],
            inertia: None,
            kinds: vec![("cylinder", 3), ("plane", 2)],
        },
    }
}
