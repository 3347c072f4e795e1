//! Poses in which free-form features are equally far apart along a curve.

use std::f64::consts::FRAC_PI_2;

use brepcd::geom::{Pose, Vec3};

/// Two parts of the repository and the pose of the second.
#[derive(Debug)]
pub struct Case {
    pub a: &'static str,
    pub b: &'static str,
    pub a_from_b: Pose,
}

fn along_z(a: &'static str, b: &'static str, z: f64) -> Case {
    let a_from_b = Pose::translation(0.0, 0.0, z);
    Case { a, b, a_from_b }
}

/// Rings, congruent edges above each other, an edge parallel to a plane, an edge about a cone.
pub fn conformal() -> Vec<Case> {
    vec![
        along_z("revolved_spline", "torus", -14.726823338315649),
        along_z("unclamped_prism", "unclamped_prism", -28.55557894878871),
        Case {
            a: "unclamped_prism",
            b: "box",
            a_from_b: Pose::translation(-13.0, -6.0, 29.0) * Pose::rotation(Vec3::y() * FRAC_PI_2),
        },
        along_z("loft", "cone_apex", 35.37782544437127),
        along_z("extruded_spline", "extruded_spline", 9.43447313925944),
    ]
}

/// Two parts and the pose of the second at a time from 0 to 1.
pub type Motion = (&'static str, &'static str, fn(f64) -> Pose);

/// Motions that keep features conformal: turning about a common axis, moving along it, sliding on a plane.
pub fn motions() -> Vec<Motion> {
    fn turned(z: f64, angle: f64) -> Pose {
        Pose::translation(0.0, 0.0, z) * Pose::rotation(Vec3::z() * angle)
    }
    fn on_side(x: f64, y: f64, z: f64) -> Pose {
        Pose::translation(x, y, z) * Pose::rotation(Vec3::y() * FRAC_PI_2)
    }
    vec![
        ("revolved_spline", "torus", |t| turned(-14.7, t)),
        ("revolved_spline", "torus", |t| turned(-14.7 + 2.0 * t, 0.3)),
        ("unclamped_prism", "unclamped_prism", |t| {
            turned(-28.5 + t, 0.0)
        }),
        ("unclamped_prism", "box", |t| on_side(-13.0, -6.0, 29.0 + t)),
        ("unclamped_prism", "box", |t| {
            on_side(-13.0 + t, -5.0 + t, 29.0)
        }),
        ("loft", "cone_apex", |t| turned(35.4 + t, 0.0)),
        ("extruded_spline", "extruded_spline", |t| {
            turned(9.4 + t, 0.0)
        }),
    ]
}
