/// The type a file gives a face's surface, before recognition of canonical surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum FaceKind {
    Plane,
    Cylinder,
    Cone,
    Sphere,
    Torus,
    Bspline,
    Revolution,
    Extrusion,
    Offset,
}

impl FaceKind {
    /// The name used in tables and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plane => "plane",
            Self::Cylinder => "cylinder",
            Self::Cone => "cone",
            Self::Sphere => "sphere",
            Self::Torus => "torus",
            Self::Bspline => "bspline",
            Self::Revolution => "revolution",
            Self::Extrusion => "extrusion",
            Self::Offset => "offset",
        }
    }
}

/// The type a file gives an edge's curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum EdgeKind {
    Line,
    Circle,
    Ellipse,
    Bspline,
    Other,
}

impl EdgeKind {
    /// The name used in tables and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Line => "line",
            Self::Circle => "circle",
            Self::Ellipse => "ellipse",
            Self::Bspline => "bspline",
            Self::Other => "other",
        }
    }
}

/// How the two faces of an edge meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EdgeClass {
    /// The material angle is below π.
    Convex {
        /// Angle through the material, radians.
        dihedral: f64,
    },
    /// The faces share their tangent plane along the edge.
    Smooth,
    /// The material angle is above π.
    Concave {
        /// Angle through the material, radians.
        dihedral: f64,
    },
    /// Both sides of the edge are the same face (a seam).
    Seam,
    /// Fewer or more than two uses: no class.
    Open,
}
