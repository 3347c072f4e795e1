use brepcd_geom::nurbs::NurbsError;

/// Why a truck solid cannot be taken over or a part not be written.
///
/// Shells, faces, edges and vertices are counted from 0 in the order in which truck lists them, each edge and vertex
/// once.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TruckError {
    /// A solid has no shell.
    #[error("the solid has no shell")]
    NoShell,
    /// A shell has no face.
    #[error("shell {shell} has no face")]
    NoFace {
        /// The shell.
        shell: usize,
    },
    /// A vertex is nowhere.
    #[error("vertex {vertex} has no finite coordinates")]
    Vertex {
        /// The vertex.
        vertex: usize,
    },
    /// An edge's spline is not one.
    #[error("edge {edge}: {reason}")]
    Curve {
        /// The edge.
        edge: usize,
        /// What is wrong with it.
        reason: NurbsError,
    },
    /// No common point of the two surfaces was found near the leading curve of an intersection.
    #[error("edge {edge}: its two surfaces do not meet near ({:.6}, {:.6}, {:.6})", near[0], near[1], near[2])]
    Intersection {
        /// The edge.
        edge: usize,
        /// A point of the leading curve.
        near: [f64; 3],
    },
    /// A face's spline or surface of revolution is not one.
    #[error("face {face}: {reason}")]
    Surface {
        /// The face.
        face: usize,
        /// What is wrong with it.
        reason: NurbsError,
    },
    /// The points that define a plane or the axis of a revolution have no direction.
    #[error("face {face}: its surface has no direction")]
    Direction {
        /// The face.
        face: usize,
    },
    /// The part holds a number that STEP cannot express.
    #[error("the part holds a number that is not finite")]
    Unwritable,
}
