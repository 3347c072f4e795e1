//! Is a stationary pair a local minimum? The second-order condition on the features that carry it.
//!
//! Push the first feature towards the second by their distance `D`: it becomes a surface whose principal curvatures
//! are `k / (1 + D k)`, and `1 / D` across an edge or around a vertex. The pair is a minimum where that surface bends
//! away from the second feature in all directions in which the second can move. Both are measured in the common
//! tangent plane, convex counted positive.

use brepcd_geom::{CurveJet, Frame, Point3, SurfaceJet, Vec3};
use brepcd_tree::Rotation;
use nalgebra::{Matrix2, Vector2};

use crate::piece::Piece;

/// How a feature bends away from the common tangent plane.
#[derive(Clone, Copy, Debug)]
pub enum Bend {
    /// A vertex.
    Point,
    /// An edge: its unit tangent and its curvature in the plane of tangent and normal.
    Curve {
        /// Unit tangent.
        tangent: Vec3,
        /// Curvature away from the other feature.
        curvature: f64,
    },
    /// A face: orthonormal tangents with their normal curvatures, principal or not.
    Surface([(Vec3, f64); 2]),
    /// A face: orthonormal tangents, normal curvatures along them, and the mixed term.
    Twisted([Vec3; 2], [f64; 3]),
}

/// What the second-order condition says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A strict local minimum.
    Minimum,
    /// Flat to rounding in some direction: a member of a family or of higher order.
    Flat,
    /// Not a minimum.
    Saddle,
}

/// Share of the size under which a curvature times the size counts as zero.
const FLAT: f64 = 1e-11;

impl Bend {
    /// The bend of a curve.
    pub fn of_curve(jet: &CurveJet, out: &Vec3) -> Self {
        let square = jet.d1.norm_squared();
        if square <= 0.0 {
            return Self::Point;
        }
        Self::Curve {
            tangent: jet.d1 / square.sqrt(),
            curvature: -jet.d2.dot(out) / square,
        }
    }

    /// The bend of a surface; a vertex where it has no tangent plane.
    pub fn of_surface(jet: &SurfaceJet, out: &Vec3) -> Self {
        // Orthonormal tangents x = du / |du|, y = (dv - m x) / h.
        let length = jet.du.norm();
        if length <= 0.0 {
            return Self::Point;
        }
        let x = jet.du / length;
        let m = jet.dv.dot(&x);
        let across = jet.dv - x * m;
        let h = across.norm();
        if h <= 0.0 {
            return Self::Point;
        }
        let y = across / h;
        let [uu, uv, vv] = [&jet.duu, &jet.duv, &jet.dvv].map(|d| -d.dot(out));
        let xx = uu / (length * length);
        let xy = (uv / length - m * xx) / h;
        let yy = (vv - 2.0 * m * uv / length + m * m * xx) / (h * h);
        Self::Twisted([x, y], [xx, xy, yy])
    }

    /// The same, turned.
    pub fn turned(self, a_from_b: &Rotation) -> Self {
        match self {
            Self::Point => Self::Point,
            Self::Curve { tangent, curvature } => Self::Curve {
                tangent: a_from_b * tangent,
                curvature,
            },
            Self::Surface(principal) => Self::Surface(principal.map(|(d, k)| (a_from_b * d, k))),
            Self::Twisted(axes, k) => Self::Twisted(axes.map(|d| a_from_b * d), k),
        }
    }

    /// How a piece bends at some parameters.
    pub fn of_piece(piece: &Piece, t: [f64; 2], out: &Vec3) -> Self {
        if let Some(jet) = piece.surface_jet(t) {
            Self::of_surface(&jet, out)
        } else if let Some(jet) = piece.curve_jet(t[0]) {
            Self::of_curve(&jet, out)
        } else {
            Self::Point
        }
    }

    /// Curvature in the tangent plane, and the direction without which the feature cannot move (edges).
    fn in_plane(&self, frame: &Frame) -> Flat {
        let flat = |v: &Vec3| Vector2::new(v.dot(&frame.x), v.dot(&frame.y));
        match self {
            Self::Point => Flat::Point,
            Self::Curve { tangent, curvature } => {
                let t = flat(tangent);
                let length = t.norm();
                if length > 0.0 {
                    Flat::Curve(t / length, *curvature)
                } else {
                    Flat::Point
                }
            }
            Self::Surface(principal) => {
                let mut w = Matrix2::zeros();
                for (direction, curvature) in principal {
                    let t = flat(direction);
                    w += t * t.transpose() * *curvature;
                }
                Flat::Surface(w)
            }
            Self::Twisted([x, y], [xx, xy, yy]) => {
                let (x, y) = (flat(x), flat(y));
                let mixed = x * y.transpose();
                Flat::Surface(
                    x * x.transpose() * *xx
                        + y * y.transpose() * *yy
                        + (mixed + mixed.transpose()) * *xy,
                )
            }
        }
    }
}

enum Flat {
    Point,
    Curve(Vector2<f64>, f64),
    Surface(Matrix2<f64>),
}

/// Judges a stationary pair at a distance along the unit vector `normal`; `size` makes curvatures dimensionless.
///
/// Also returns the least curvature, 1/mm, by which the features bend apart.
pub fn judge(a: &Bend, b: &Bend, normal: &Vec3, distance: f64, size: f64) -> (Verdict, f64) {
    let Some(frame) = Frame::from_z(Point3::origin(), *normal) else {
        return (Verdict::Flat, 0.0);
    };
    let d = distance.max(0.0);
    let (a, b) = (a.in_plane(&frame), b.in_plane(&frame));
    // Neither feature may have passed its own centre of curvature, seen from the other.
    let (room_a, room_b) = (a.room(d), b.room(d));
    if room_a.min(room_b) < -FLAT {
        return (Verdict::Saddle, room_a.min(room_b) / d);
    }
    // One that is just there cannot be pushed: its curvature would be infinite.
    let (pushed, other) = if room_a > room_b { (a, b) } else { (b, a) };
    if room_a.max(room_b) <= FLAT {
        return (Verdict::Flat, 0.0);
    }
    let pushed = pushed.pushed(d, size);
    let least = match other {
        Flat::Point => f64::INFINITY,
        Flat::Curve(t, k) => (t.transpose() * pushed * t).x + k,
        Flat::Surface(w) => least_eigenvalue(&(pushed + w)),
    };
    let verdict = if least * size > FLAT {
        Verdict::Minimum
    } else if least * size >= -FLAT {
        Verdict::Flat
    } else {
        Verdict::Saddle
    };
    (verdict, least)
}

impl Flat {
    /// What is left, after a step of `d`, of the way to the nearest centre of curvature, as a share: `1 + d k`.
    fn room(&self, d: f64) -> f64 {
        match self {
            Self::Point => 1.0,
            Self::Curve(_, k) => 1.0 + d * k,
            Self::Surface(w) => 1.0 + d * least_eigenvalue(w),
        }
    }

    /// Curvature of the feature pushed out by `d`, for which there must be room.
    fn pushed(&self, d: f64, size: f64) -> Matrix2<f64> {
        // Large instead of infinite, so that products stay finite.
        let round = 1.0 / d.max(1e-12 * size);
        match self {
            Self::Point => Matrix2::identity() * round,
            Self::Curve(t, k) => {
                // Not the identity less the one along, whose rounding would count as curvature.
                let across = Vector2::new(-t.y, t.x);
                t * t.transpose() * (k / (1.0 + d * k)) + across * across.transpose() * round
            }
            Self::Surface(w) => {
                // W (I + d W)⁻¹, both symmetric and commuting.
                let grown = Matrix2::identity() + w * d;
                let inverse = Matrix2::new(grown.m22, -grown.m12, -grown.m21, grown.m11);
                let out = w * inverse / grown.determinant();
                (out + out.transpose()) * 0.5
            }
        }
    }
}

fn least_eigenvalue(m: &Matrix2<f64>) -> f64 {
    let (mean, half) = (0.5 * (m.m11 + m.m22), 0.5 * (m.m11 - m.m22));
    mean - half.hypot(0.5 * (m.m12 + m.m21))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(a: &Bend, b: &Bend, normal: &Vec3, distance: f64, size: f64) -> Verdict {
        super::judge(a, b, normal, distance, size).0
    }

    fn sphere(k: f64) -> Bend {
        Bend::Surface([(Vec3::x(), k), (Vec3::y(), k)])
    }

    fn line(tangent: Vec3, curvature: f64) -> Bend {
        Bend::Curve { tangent, curvature }
    }

    #[test]
    fn spheres_planes_and_sockets() {
        let z = Vec3::z();
        let verdict = |a: f64, b: f64, d: f64| judge(&sphere(a), &sphere(b), &z, d, 1.0);
        assert_eq!(verdict(1.0, 1.0, 0.5), Verdict::Minimum);
        assert_eq!(verdict(1.0, 0.0, 0.5), Verdict::Minimum);
        assert_eq!(verdict(0.0, 0.0, 0.5), Verdict::Flat);
        // A ball of radius 1 in a socket of radius 2: a minimum where it is off centre, towards the wall.
        assert_eq!(verdict(1.0, -0.5, 0.9), Verdict::Minimum);
        assert_eq!(verdict(1.0, -0.5, 1.0), Verdict::Flat);
        assert_eq!(verdict(1.0, -0.5, 1.1), Verdict::Saddle);
        assert_eq!(verdict(-0.5, 1.0, 0.9), Verdict::Minimum);
        assert_eq!(verdict(-0.5, 1.0, 1.1), Verdict::Saddle);
        // A vertex above the middle of a circle is as far from all of it.
        let circle = line(Vec3::x(), -0.5);
        assert_eq!(judge(&Bend::Point, &circle, &z, 2.0, 1.0), Verdict::Flat);
        assert_eq!(judge(&circle, &Bend::Point, &z, 2.0, 1.0), Verdict::Flat);
        // Beyond the centre of a socket.
        assert_eq!(
            judge(&Bend::Point, &sphere(-0.5), &z, 1.9, 1.0),
            Verdict::Minimum
        );
        assert_eq!(
            judge(&Bend::Point, &sphere(-0.5), &z, 2.1, 1.0),
            Verdict::Saddle
        );
    }

    #[test]
    fn edges() {
        let z = Vec3::z();
        let (x, y) = (line(Vec3::x(), 0.0), line(Vec3::y(), 0.0));
        assert_eq!(judge(&x, &y, &z, 0.0, 1.0), Verdict::Minimum);
        assert_eq!(judge(&x, &y, &z, 3.0, 1.0), Verdict::Minimum);
        assert_eq!(judge(&x, &x, &z, 3.0, 1.0), Verdict::Flat);
        assert_eq!(
            judge(&x, &line(Vec3::x(), -0.1), &z, 3.0, 1.0),
            Verdict::Saddle
        );
        assert_eq!(
            judge(&x, &line(Vec3::x(), 0.1), &z, 3.0, 1.0),
            Verdict::Minimum
        );
        // A circle of radius 1 against a bore of radius 2, off centre towards the wall and away from it.
        let rim = line(Vec3::x(), 1.0);
        let bore = Bend::Surface([(Vec3::x(), -0.5), (Vec3::y(), 0.0)]);
        assert_eq!(judge(&rim, &bore, &z, 0.9, 1.0), Verdict::Minimum);
        assert_eq!(judge(&bore, &rim, &z, 0.9, 1.0), Verdict::Minimum);
        assert_eq!(judge(&rim, &bore, &z, 1.1, 1.0), Verdict::Saddle);
        assert_eq!(judge(&bore, &rim, &z, 1.1, 1.0), Verdict::Saddle);
    }

    #[test]
    fn jets_agree_with_principal_curvatures() {
        use brepcd_geom::surface::Torus;
        let torus = Torus {
            frame: Frame::world(),
            major: 3.0,
            minor: 1.0,
            shape: brepcd_geom::surface::TorusShape::Ring,
        };
        let (u, v) = (0.3, 2.2);
        let out = torus.normal(u, v).expect("a normal");
        let jet = torus.jet(u, v);
        let frame = Frame::from_z(Point3::origin(), out).expect("a frame");
        let matrix = |bend: &Bend| match bend.in_plane(&frame) {
            Flat::Surface(w) => w,
            _ => panic!("a surface"),
        };
        let carrier = crate::carrier::Carrier::Torus(torus, 1.0);
        let (exact, from_jet) = (carrier.bend([u, v], &out), Bend::of_surface(&jet, &out));
        assert!((matrix(&exact) - matrix(&from_jet)).norm() < 1e-14);
        // Skewed parameters describe the same surface.
        let skew = SurfaceJet {
            dv: jet.dv + jet.du * 0.7,
            duv: jet.duv + jet.duu * 0.7,
            dvv: jet.dvv + jet.duv * 1.4 + jet.duu * 0.49,
            ..jet
        };
        let skewed = Bend::of_surface(&skew, &out);
        assert!((matrix(&exact) - matrix(&skewed)).norm() < 1e-14);
    }
}
