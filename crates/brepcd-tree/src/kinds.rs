//! Feature kinds as bits, and which pairs of kinds can hold an isolated local minimum.
//!
//! After the table of the paper's section 7.2. A pair is incompatible when, wherever the two carriers have a common
//! normal, the distance is not a strict local minimum there: it is constant along a line (plane against anything ruled)
//! or decreases along one (a concave surface curves away faster than its partner towards it). What such a pair touches
//! with is then found by the edges and vertices of the two faces, or is a family, which conformal sampling answers.

use bitflags::bitflags;

bitflags! {
    /// A set of feature kinds.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
    pub struct Kinds: u16 {
        /// A vertex, or the apex of a cone.
        const VERTEX = 1 << 0;
        /// A straight edge.
        const LINE = 1 << 1;
        /// An edge that is an arc of a circle.
        const CIRCLE = 1 << 2;
        /// An edge that is an arc of another conic.
        const CONIC = 1 << 3;
        /// A free-form edge.
        const SPLINE_CURVE = 1 << 4;
        /// A plane.
        const PLANE = 1 << 5;
        /// A cylinder seen from outside.
        const CONVEX_CYLINDER = 1 << 6;
        /// A bore.
        const CONCAVE_CYLINDER = 1 << 7;
        /// A cone seen from outside.
        const CONVEX_CONE = 1 << 8;
        /// A countersink.
        const CONCAVE_CONE = 1 << 9;
        /// A sphere seen from outside.
        const CONVEX_SPHERE = 1 << 10;
        /// A socket.
        const CONCAVE_SPHERE = 1 << 11;
        /// A torus whose tube is filled.
        const CONVEX_TORUS = 1 << 12;
        /// A torus whose tube is empty: a round groove or an inner fillet.
        const CONCAVE_TORUS = 1 << 13;
        /// A free-form face.
        const SPLINE_SURFACE = 1 << 14;
    }
}

impl Kinds {
    /// All kinds of faces.
    pub const FACES: Self = Self::from_bits_retain(Self::all().bits() & !(Self::PLANE.bits() - 1));
}

const CONVEX_RULED: Kinds = Kinds::CONVEX_CYLINDER.union(Kinds::CONVEX_CONE);
const CONCAVE: Kinds = Kinds::CONCAVE_CYLINDER
    .union(Kinds::CONCAVE_CONE)
    .union(Kinds::CONCAVE_SPHERE);
const RULED: Kinds = CONVEX_RULED.union(Kinds::LINE);

/// For groups of kinds, the kinds they hold no isolated minimum with.
const INCOMPATIBLE: [(Kinds, Kinds); 5] = [
    // A plane is flat in all directions: its partner must be strictly convex in all of them.
    (
        Kinds::PLANE,
        Kinds::PLANE
            .union(RULED)
            .union(CONCAVE)
            .union(Kinds::CONCAVE_TORUS),
    ),
    // Along the generator of the one the distance to the other is constant or, as a wall of a hole, decreases.
    (CONVEX_RULED, Kinds::PLANE.union(CONCAVE)),
    (
        CONCAVE,
        Kinds::PLANE
            .union(RULED)
            .union(CONCAVE)
            .union(Kinds::CONCAVE_TORUS),
    ),
    // Other than in the paper's table, two grooves are compatible: the waist that a groove leaves is convex around, and
    // where each waist is thinner than the groove of the other, crossed waists hold a strict minimum.
    (Kinds::CONCAVE_TORUS, Kinds::PLANE.union(CONCAVE)),
    (Kinds::LINE, Kinds::PLANE.union(CONCAVE)),
];

impl Kinds {
    /// The kinds that at least one kind of this set may hold an isolated local minimum with.
    pub fn compatible(self) -> Self {
        let mut out = Self::empty();
        for kind in self.iter() {
            let row = INCOMPATIBLE.iter().find(|(group, _)| group.contains(kind));
            out |= row.map_or(Self::all(), |(_, not)| Self::all().difference(*not));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compatibility_is_symmetric() {
        for a in Kinds::all().iter() {
            for b in Kinds::all().iter() {
                assert_eq!(
                    a.compatible().contains(b),
                    b.compatible().contains(a),
                    "{a:?} {b:?}"
                );
            }
        }
    }

    #[test]
    fn faces_are_what_is_no_edge_and_no_vertex() {
        for kind in Kinds::all().iter() {
            let low =
                Kinds::VERTEX | Kinds::LINE | Kinds::CIRCLE | Kinds::CONIC | Kinds::SPLINE_CURVE;
            assert_eq!(Kinds::FACES.contains(kind), !low.contains(kind));
        }
    }

    #[test]
    fn sets_are_as_compatible_as_their_best_member() {
        let set = Kinds::PLANE | Kinds::CONVEX_SPHERE;
        assert_eq!(set.compatible(), Kinds::all());
        assert!(!Kinds::PLANE.compatible().contains(Kinds::LINE));
        assert!(
            Kinds::PLANE
                .compatible()
                .contains(Kinds::CIRCLE | Kinds::VERTEX | Kinds::CONVEX_TORUS)
        );
        assert_eq!(Kinds::VERTEX.compatible(), Kinds::all());
    }
}
