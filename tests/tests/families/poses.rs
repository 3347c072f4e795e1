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
