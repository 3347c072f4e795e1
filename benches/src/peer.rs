//! parry3d, what a Rust program would use today: the same poses on triangle meshes.

use brepcd::geom::Pose;
use parry3d_f64::math::{Pose as PeerPose, Rotation, Vector};
use parry3d_f64::query::{
    self, ContactManifold, ContactManifoldsWorkspace, DefaultQueryDispatcher,
    PersistentQueryDispatcher,
};
use parry3d_f64::shape::TriMesh;

use crate::mesh::Mesh;

/// Two meshes, and what parry keeps from pose to pose.
pub struct MeshPair {
    a: TriMesh,
    b: TriMesh,
    manifolds: Vec<ContactManifold<(), ()>>,
    workspace: Option<ContactManifoldsWorkspace>,
}

impl MeshPair {
    /// Builds parry's trees; panics if a mesh is empty.
    pub fn new(meshes: &[Mesh; 2]) -> Self {
        let [a, b] = [&meshes[0], &meshes[1]].map(|mesh| {
            let points = mesh.points.iter().map(|p| Vector::from_array(*p)).collect();
            TriMesh::new(points, mesh.triangles.clone()).expect("a mesh has triangles")
        });
        Self {
            a,
            b,
            manifolds: Vec::new(),
            workspace: None,
        }
    }

    /// The least distance.
    pub fn distance(&self, a_from_b: &PeerPose) -> f64 {
        let identity = PeerPose::identity();
        query::distance(&identity, &self.a, a_from_b, &self.b)
            .expect("parry knows meshes")
            .distance
    }

    /// The nearest points, if they are at most `limit` apart.
    pub fn closest_points(&self, a_from_b: &PeerPose, limit: f64) -> query::ClosestPoints {
        let identity = PeerPose::identity();
        query::closest_points(&identity, &self.a, a_from_b, &self.b, limit)
            .expect("parry knows meshes")
    }

    /// Contacts up to `prediction` apart; returns how many points they have. Manifolds are kept from pose to pose, as
    /// physics engines do.
    pub fn contacts(&mut self, a_from_b: &PeerPose, prediction: f64) -> usize {
        DefaultQueryDispatcher
            .contact_manifolds(
                a_from_b,
                &self.a,
                &self.b,
                prediction,
                &mut self.manifolds,
                &mut self.workspace,
            )
            .expect("parry knows meshes");
        self.manifolds.iter().map(|m| m.points.len()).sum()
    }
}

/// A pose as parry has it.
pub fn peer_pose(pose: &Pose) -> PeerPose {
    let (t, q) = (&pose.translation, pose.rotation.quaternion());
    PeerPose::from_parts(
        Vector::new(t.x, t.y, t.z),
        Rotation::from_xyzw(q.i, q.j, q.k, q.w),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use brepcd::geom::Vec3;

    #[test]
    fn poses_agree() {
        let pose = Pose::new(Vec3::new(1.0, 2.0, 3.0), Vec3::new(0.3, -0.8, 0.5));
        let p = pose * brepcd::geom::Point3::new(4.0, 5.0, 6.0);
        let q = peer_pose(&pose).transform_point(Vector::new(4.0, 5.0, 6.0));
        assert!((p - brepcd::geom::Point3::new(q.x, q.y, q.z)).norm() < 1e-12);
    }
}
