//! The table of compatible kinds, tried out: pairs it drops never have an isolated minimum, pairs it keeps can.

use brepcd_geom::curve::{Circle, Ellipse, Line};
use brepcd_geom::surface::{Cone, Plane, Torus, TorusShape};
use brepcd_geom::{Frame, Point3, Vec3};
use brepcd_tree::Kinds;

use crate::candidates;
use crate::carrier::Carrier;
use crate::critical::{Pairs, Tolerance};
use crate::tolerance::Tolerances;

struct Random(u64);

impl Random {
    fn range(&mut self, lo: f64, hi: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        lo + (hi - lo) * ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A frame whose origin is up to `spread` along each axis from that of the part.
    fn frame(&mut self, spread: f64) -> Frame {
        loop {
            let mut vector = || Vec3::from_fn(|_, _| self.range(-1.0, 1.0));
            let (origin, z, x) = (Point3::from(vector() * spread), vector(), vector());
            if let Some(frame) = Frame::from_z_and_hint(origin, z, Some(x)) {
                return frame;
            }
        }
    }
}

/// The kinds with closed forms.
const KINDS: [Kinds; 13] = [
    Kinds::VERTEX,
    Kinds::LINE,
    Kinds::CIRCLE,
    Kinds::CONIC,
    Kinds::PLANE,
    Kinds::CONVEX_CYLINDER,
    Kinds::CONCAVE_CYLINDER,
    Kinds::CONVEX_CONE,
    Kinds::CONCAVE_CONE,
    Kinds::CONVEX_SPHERE,
    Kinds::CONCAVE_SPHERE,
    Kinds::CONVEX_TORUS,
    Kinds::CONCAVE_TORUS,
];

fn random(kind: Kinds, spread: f64, r: &mut Random) -> Carrier {
    let frame = r.frame(spread);
    let radius = r.range(0.2, 3.0);
    let sign = |convex: Kinds| if kind == convex { 1.0 } else { -1.0 };
    match kind {
        Kinds::VERTEX => Carrier::Vertex(frame.origin),
        Kinds::LINE => Carrier::Line(Line {
            origin: frame.origin,
            dir: frame.z,
        }),
        Kinds::CIRCLE => Carrier::Circle(Circle { frame, radius }),
        Kinds::CONIC => Carrier::Ellipse(Ellipse {
            frame,
            rx: radius,
            ry: radius * r.range(0.3, 0.9),
        }),
        Kinds::PLANE => Carrier::Plane(Plane { frame }, 1.0),
        Kinds::CONVEX_CYLINDER | Kinds::CONCAVE_CYLINDER => {
            Carrier::Cylinder(frame, radius, sign(Kinds::CONVEX_CYLINDER))
        }
        Kinds::CONVEX_CONE | Kinds::CONCAVE_CONE => {
            // Slim ones, too, which fit into a groove.
            let half_angle = r.range(0.02, 1.0).powi(2);
            let cone = Cone {
                frame,
                radius: 0.1 * radius,
                half_angle,
            };
            Carrier::Cone(cone, sign(Kinds::CONVEX_CONE))
        }
        Kinds::CONVEX_SPHERE | Kinds::CONCAVE_SPHERE => {
            Carrier::Sphere(frame, radius, sign(Kinds::CONVEX_SPHERE))
        }
        _ => {
            let torus = Torus {
                frame,
                // Thick ones, too, whose waist is thinner than another's tube.
                major: radius + r.range(0.02, 0.3),
                minor: radius * r.range(0.1, 1.0),
                shape: TorusShape::Ring,
            };
            Carrier::Torus(torus, sign(Kinds::CONVEX_TORUS))
        }
    }
}

/// How many minima random carriers of two kinds have.
fn minima(a: Kinds, b: Kinds) -> usize {
    let tolerances = Tolerances {
        size: 3.0,
        critical: Tolerance::for_size(3.0),
        touch: 1e-9,
        shallow: 1e-9,
        merge: 1e-6,
        tie: 1e-9,
        polar: 1e-6,
        conformal: 0.0,
        overhang: 1e-8,
        border: [1e-6; 2],
    };
    let mut r = Random(u64::from(a.bits()) << 16 | u64::from(b.bits()));
    let (mut pairs, mut found) = (Pairs::new(), Vec::new());
    // Waists meet only where the middles of their grooves are close to each other.
    for spread in [[3.0; 4000], [0.3; 4000]].concat() {
        let (x, y) = (random(a, spread, &mut r), random(b, spread, &mut r));
        assert!(candidates::solve(
            &x,
            &y,
            20.0,
            &tolerances,
            &mut pairs,
            &mut found
        ));
    }
    assert!(
        found
            .iter()
            .all(|candidate| !candidate.standing.is_sample())
    );
    found.len()
}

#[test]
fn incompatible_kinds_have_no_isolated_minimum_and_compatible_kinds_do() {
    let mut wrong = Vec::new();
    for (i, a) in KINDS.into_iter().enumerate() {
        for b in KINDS.into_iter().skip(i) {
            let (count, compatible) = (minima(a, b), a.compatible().contains(b));
            if (count > 0) != compatible {
                wrong.push((a, b, count));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}
