//! Mass properties of an assembly from those of its distinct parts.
//!
//! Each distinct part is integrated once, however often it is placed: the inertia of an instance is that of the part,
//! rotated, and the parallel-axis theorem moves it to the common centroid.

use brepcd_brep::MassProperties;
use brepcd_geom::{Point3, Pose, Vec3};
use brepcd_step::Model;
use nalgebra::Matrix3;

/// Volume, area, centroid and inertia of all instances of a model, each placed as the assembly places it.
pub fn placed_mass_properties(model: &Model) -> MassProperties {
    let distinct: Vec<MassProperties> = model
        .parts
        .iter()
        .map(|part| part.brep.mass_properties())
        .collect();
    combine(
        model
            .instances()
            .iter()
            .filter_map(|(part, pose)| Some((distinct.get(*part)?, pose))),
    )
}

/// Mass properties of several bodies, each given in its own frame with its pose `world_from_body`.
fn combine<'a>(bodies: impl Iterator<Item = (&'a MassProperties, &'a Pose)>) -> MassProperties {
    let bodies: Vec<(&MassProperties, &Pose)> = bodies.collect();
    let volume: f64 = bodies.iter().map(|(mass, _)| mass.volume).sum();
    let area: f64 = bodies.iter().map(|(mass, _)| mass.area).sum();
    // Open shells alone have no volume, and then no centroid but the one the single body reports.
    let centroid = match bodies.as_slice() {
        [(mass, pose)] => *pose * mass.centroid,
        _ if volume != 0.0 => {
            let moment: Vec3 = bodies
                .iter()
                .map(|(mass, pose)| (*pose * mass.centroid).coords * mass.volume)
                .sum();
            Point3::from(moment / volume)
        }
        _ => Point3::origin(),
    };
    let inertia = bodies
        .iter()
        .map(|(mass, pose)| {
            let rotation = pose.rotation.to_rotation_matrix();
            let turned = rotation.matrix() * mass.inertia * rotation.matrix().transpose();
            turned + point_inertia(&(*pose * mass.centroid - centroid)) * mass.volume
        })
        .sum();
    MassProperties {
        volume,
        area,
        centroid,
        inertia,
    }
}

/// Inertia of a unit point mass at `r`.
fn point_inertia(r: &Vec3) -> Matrix3<f64> {
    Matrix3::identity() * r.norm_squared() - r * r.transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A box with its centroid at the origin.
    fn block(x: f64, y: f64, z: f64) -> MassProperties {
        let volume = x * y * z;
        let moments = Vec3::new(y * y + z * z, x * x + z * z, x * x + y * y) * (volume / 12.0);
        MassProperties {
            volume,
            area: 2.0 * (x * y + y * z + z * x),
            centroid: Point3::origin(),
            inertia: Matrix3::from_diagonal(&moments),
        }
    }

    #[test]
    fn two_halves_make_the_whole() {
        // Two 2×3×5 blocks side by side along x are a 4×3×5 block; the second is turned by half a turn about z.
        let half = block(2.0, 3.0, 5.0);
        let left = Pose::translation(9.0, 7.0, -1.0);
        let right = Pose::new(Vec3::new(11.0, 7.0, -1.0), Vec3::z() * std::f64::consts::PI);
        let both = combine([(&half, &left), (&half, &right)].into_iter());
        let whole = block(4.0, 3.0, 5.0);
        assert!((both.volume - whole.volume).abs() < 1e-12);
        assert!((both.centroid - Point3::new(10.0, 7.0, -1.0)).norm() < 1e-12);
        assert!((both.inertia - whole.inertia).norm() < 1e-10);
    }

    #[test]
    fn a_quarter_turn_swaps_the_moments() {
        let body = block(2.0, 3.0, 5.0);
        let pose = Pose::rotation(Vec3::z() * std::f64::consts::FRAC_PI_2);
        let turned = combine([(&body, &pose)].into_iter());
        assert!((turned.inertia - block(3.0, 2.0, 5.0).inertia).norm() < 1e-10);
    }
}
