//! Canonical surfaces as level sets: signed distance, gradient, and what a line or a circle sees of them.
//!
//! All are revolved about the `z` of their frame (the plane apart), so everything follows from the height `z` and the
//! distance from the axis. Along a line their equation is a polynomial of degree 2, for a torus 4; along a circle it is
//! a trigonometric polynomial of degree 2 for all of them, the torus included, because the squared distance from a
//! point has degree 1 there.

use super::few::Few;
use super::profile::{Polynomial, Wave};
use brepcd_geom::surface::TorusShape;
use brepcd_geom::{Frame, Interval, Point3, Surface, Vec3};
use brepcd_tree::MatrixPose;
use std::f64::consts::TAU;

/// The form of a canonical surface in its frame.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form {
    Plane {
        height: f64,
    },
    Cylinder {
        radius: f64,
    },
    Cone {
        radius: f64,
        sin: f64,
        cos: f64,
    },
    Sphere {
        radius: f64,
    },
    Torus {
        major: f64,
        minor: f64,
        shape: TorusShape,
    },
}

/// A canonical surface somewhere.
#[derive(Clone, Copy, Debug)]
pub(super) struct Canonical {
    pub frame: Frame,
    pub form: Form,
}

/// Signed distance with its derivatives: the gradient is the normal, the Hessian is `Σ bend · direction directionᵀ`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    pub height: f64,
    pub normal: Vec3,
    /// Directions across the normal along which the normal turns, and how fast, per length.
    pub bends: [(Vec3, f64); 2],
}

/// Distance from an axis, relative to the size at hand, under which there is no direction away from it.
const ON_AXIS: f64 = 1e-13;

impl Canonical {
    /// The surface moved by a pose; `None` for free-form surfaces.
    pub fn of(surface: &Surface, a_from_part: &MatrixPose) -> Option<Self> {
        let (frame, form) = match surface {
            Surface::Plane(s) => (&s.frame, Form::Plane { height: 0.0 }),
            Surface::Cylinder(s) => (&s.frame, Form::Cylinder { radius: s.radius }),
            Surface::Cone(s) => {
                let (sin, cos) = s.half_angle.sin_cos();
                let radius = s.radius;
                (&s.frame, Form::Cone { radius, sin, cos })
            }
            Surface::Sphere(s) => (&s.frame, Form::Sphere { radius: s.radius }),
            Surface::Torus(s) => {
                let (major, minor, shape) = (s.major, s.minor, s.shape);
                let form = Form::Torus {
                    major,
                    minor,
                    shape,
                };
                (&s.frame, form)
            }
            Surface::Nurbs(_) => return None,
        };
        let turn = &a_from_part.rotation;
        let frame = Frame {
            origin: a_from_part * frame.origin,
            x: turn * frame.x,
            y: turn * frame.y,
            z: turn * frame.z,
        };
        Some(Self { frame, form })
    }

    /// The surface at a signed distance from this one, along the normal of the parametrisation.
    pub fn offset(&self, by: f64) -> Self {
        let form = match self.form {
            Form::Plane { height } => Form::Plane {
                height: height + by,
            },
            Form::Cylinder { radius } => Form::Cylinder {
                radius: radius + by,
            },
            Form::Cone { radius, sin, cos } => Form::Cone {
                radius: radius + by / cos,
                sin,
                cos,
            },
            Form::Sphere { radius } => Form::Sphere {
                radius: radius + by,
            },
            Form::Torus {
                major,
                minor,
                shape,
            } => Form::Torus {
                major,
                minor: match shape {
                    TorusShape::Ring | TorusShape::Apple => minor + by,
                    TorusShape::Lemon => minor - by,
                },
                shape,
            },
        };
        Self { form, ..*self }
    }

    /// The point at a parameter pair and the parametrisation's normal there.
    pub fn point_and_normal(&self, u: f64, v: f64) -> (Point3, Vec3) {
        let frame = &self.frame;
        let turned = |rho: f64, z: f64, out: f64, up: f64| {
            let radial = frame.radial(u);
            (
                frame.origin + radial * rho + frame.z * z,
                radial * out + frame.z * up,
            )
        };
        match self.form {
            Form::Plane { height } => (frame.point(u, v, height), frame.z),
            Form::Cylinder { radius } => turned(radius, v, 1.0, 0.0),
            Form::Cone { radius, sin, cos } => turned(radius + v * sin, v * cos, cos, -sin),
            Form::Sphere { radius } => {
                let (s, c) = v.sin_cos();
                turned(radius * c, radius * s, c, s)
            }
            Form::Torus {
                major,
                minor,
                shape,
            } => {
                let (s, c) = v.sin_cos();
                let (rho, z) = (major + minor * c, minor * s);
                match shape {
                    TorusShape::Ring | TorusShape::Apple => turned(rho, z, c, s),
                    TorusShape::Lemon => turned(rho, z, -c, -s),
                }
            }
        }
    }

    /// Signed distance, positive on the side of the parametrisation's normal; it grows at most as fast as one moves.
    pub fn height(&self, p: &Point3) -> f64 {
        let q = self.frame.local(p);
        let rho = || (q.x * q.x + q.y * q.y).sqrt();
        match self.form {
            Form::Plane { height } => q.z - height,
            Form::Cylinder { radius } => rho() - radius,
            Form::Cone { radius, sin, cos } => (rho() - radius) * cos - q.z * sin,
            Form::Sphere { radius } => q.norm() - radius,
            Form::Torus {
                major,
                minor,
                shape,
            } => match shape {
                TorusShape::Ring | TorusShape::Apple => length(rho() - major, q.z) - minor,
                TorusShape::Lemon => minor - length(rho() + major, q.z),
            },
        }
    }

    /// Signed distance with normal and curvature at any point; on the axis or centre some normal stands for all.
    pub fn level(&self, p: &Point3) -> Level {
        let q = self.frame.local(p);
        let rho = length(q.x, q.y);
        let (radial, around) = if rho > 0.0 {
            let (c, s) = (q.x / rho, q.y / rho);
            let (x, y) = (&self.frame.x, &self.frame.y);
            (x * c + y * s, y * c - x * s)
        } else {
            (self.frame.x, self.frame.y)
        };
        let axis = self.frame.z;
        let per = |x: f64| if x > 0.0 { 1.0 / x } else { 0.0 };
        let level = |height, normal, bends| Level {
            height,
            normal,
            bends,
        };
        match self.form {
            Form::Plane { height } => {
                let bends = [(self.frame.x, 0.0), (self.frame.y, 0.0)];
                level(q.z - height, axis, bends)
            }
            Form::Cylinder { radius } => {
                level(rho - radius, radial, [(around, per(rho)), (axis, 0.0)])
            }
            Form::Cone { radius, sin, cos } => {
                let normal = radial * cos - axis * sin;
                let along = radial * sin + axis * cos;
                let height = (rho - radius) * cos - q.z * sin;
                level(height, normal, [(around, cos * per(rho)), (along, 0.0)])
            }
            Form::Sphere { radius } => {
                let far = q.norm();
                let (s, c) = (q.z * per(far), rho * per(far));
                let normal = radial * c + axis * s;
                let north = axis * c - radial * s;
                let bend = per(far);
                level(far - radius, normal, [(around, bend), (north, bend)])
            }
            Form::Torus {
                major,
                minor,
                shape,
            } => {
                let (across, sign) = match shape {
                    TorusShape::Ring | TorusShape::Apple => (rho - major, 1.0),
                    TorusShape::Lemon => (rho + major, -1.0),
                };
                let far = length(across, q.z);
                let (s, c) = if far > 0.0 {
                    (q.z / far, across / far)
                } else {
                    (0.0, 1.0)
                };
                let normal = (radial * c + axis * s) * sign;
                let north = axis * c - radial * s;
                let bends = [(around, sign * c * per(rho)), (north, sign * per(far))];
                level(sign * (far - minor), normal, bends)
            }
        }
    }

    /// A bound on how fast the normal of the distance turns within some distance of a point, per length.
    pub fn most_bend(&self, p: &Point3, within: f64) -> f64 {
        let q = self.frame.local(p);
        let rho = length(q.x, q.y) - within;
        let per = |x: f64| if x > 0.0 { 1.0 / x } else { f64::INFINITY };
        match self.form {
            Form::Plane { .. } => 0.0,
            Form::Cylinder { .. } => per(rho),
            Form::Cone { cos, .. } => cos * per(rho),
            Form::Sphere { .. } => per(q.norm() - within),
            Form::Torus { major, shape, .. } => {
                let across = match shape {
                    TorusShape::Ring | TorusShape::Apple => rho + within - major,
                    TorusShape::Lemon => rho + within + major,
                };
                per(length(across, q.z) - within).max(per(rho))
            }
        }
    }

    /// True if a parameter is a length, along which feet move no farther than their points.
    pub fn is_straight(&self, parameter: usize) -> bool {
        match self.form {
            Form::Plane { .. } => true,
            Form::Cylinder { .. } | Form::Cone { .. } => parameter == 1,
            Form::Sphere { .. } | Form::Torus { .. } => false,
        }
    }

    /// The periods of the parameters, 0 where there is none.
    pub fn periods(&self) -> [f64; 2] {
        match self.form {
            Form::Plane { .. } => [0.0, 0.0],
            Form::Cylinder { .. } | Form::Cone { .. } | Form::Sphere { .. } => [TAU, 0.0],
            Form::Torus { shape, .. } => match shape {
                TorusShape::Ring => [TAU, TAU],
                TorusShape::Apple | TorusShape::Lemon => [TAU, 0.0],
            },
        }
    }

    /// Parameters of the foot of a point, periodic ones within half a turn of a wanted place.
    pub fn foot(&self, p: &Point3, near: [f64; 2]) -> [f64; 2] {
        let q = self.frame.local(p);
        let rho = length(q.x, q.y);
        let size = rho + q.z.abs();
        let turn = |sign: f64| {
            if rho <= ON_AXIS * size {
                near[0]
            } else {
                nearest_turn((sign * q.y).atan2(sign * q.x), near[0])
            }
        };
        match self.form {
            Form::Plane { .. } => [q.x, q.y],
            Form::Cylinder { .. } => [turn(1.0), q.z],
            Form::Cone { radius, sin, cos } => [turn(1.0), (rho - radius) * sin + q.z * cos],
            Form::Sphere { .. } => [turn(1.0), q.z.atan2(rho)],
            Form::Torus { major, shape, .. } => match shape {
                TorusShape::Ring | TorusShape::Apple => {
                    [turn(1.0), nearest_turn(q.z.atan2(rho - major), near[1])]
                }
                TorusShape::Lemon => [turn(-1.0), nearest_turn(q.z.atan2(-rho - major), near[1])],
            },
        }
    }

    /// The surface's equation along the line `p + t d`.
    ///
    /// Its zeros are where the line meets the surface, or what the equation knows besides: the other nappe of a cone,
    /// the other part of a torus that meets itself.
    pub fn along_line(&self, p: &Point3, d: &Vec3) -> Polynomial {
        let (o, d) = (self.frame.local(p), self.frame.local_vec(d));
        let level = [
            o.x * o.x + o.y * o.y,
            2.0 * (o.x * d.x + o.y * d.y),
            d.x * d.x + d.y * d.y,
        ];
        let quadratic = |c: [f64; 3]| Polynomial::new([c[0], c[1], c[2], 0.0, 0.0]);
        match self.form {
            Form::Plane { height } => quadratic([o.z - height, d.z, 0.0]),
            Form::Cylinder { radius } => {
                quadratic([level[0] - radius * radius, level[1], level[2]])
            }
            Form::Cone { radius, sin, cos } => {
                let (a, b) = (radius * cos + o.z * sin, d.z * sin);
                let c = cos * cos;
                quadratic([
                    c * level[0] - a * a,
                    c * level[1] - 2.0 * a * b,
                    c * level[2] - b * b,
                ])
            }
            Form::Sphere { radius } => quadratic([
                level[0] + o.z * o.z - radius * radius,
                level[1] + 2.0 * o.z * d.z,
                level[2] + d.z * d.z,
            ]),
            Form::Torus { major, minor, .. } => {
                let g = [
                    level[0] + o.z * o.z + major * major - minor * minor,
                    level[1] + 2.0 * o.z * d.z,
                    level[2] + d.z * d.z,
                ];
                let m = 4.0 * major * major;
                Polynomial::new([
                    g[0] * g[0] - m * level[0],
                    2.0 * g[0] * g[1] - m * level[1],
                    g[1] * g[1] + 2.0 * g[0] * g[2] - m * level[2],
                    2.0 * g[1] * g[2],
                    g[2] * g[2],
                ])
            }
        }
    }

    /// The surface's equation along the circle `centre + cos t a + sin t b`, for axes of equal length at right angles.
    ///
    /// For ellipses it holds for all kinds but the torus.
    pub fn along_circle(&self, centre: &Point3, a: &Vec3, b: &Vec3) -> Wave {
        let c = self.frame.local(centre);
        let (a, b) = (self.frame.local_vec(a), self.frame.local_vec(b));
        let level = squared(
            [c.x, a.x, b.x].into(),
            [c.y, a.y, b.y].into(),
            Vec3::zeros(),
        );
        let axial = Vec3::new(c.z, a.z, b.z);
        match self.form {
            Form::Plane { height } => Wave {
                mean: c.z - height,
                first: [a.z, b.z],
                second: [0.0; 2],
            },
            Form::Cylinder { radius } => level.raised(-radius * radius),
            Form::Cone { radius, sin, cos } => {
                let reach = axial * sin + Vec3::new(radius * cos, 0.0, 0.0);
                let rest = squared(reach, Vec3::zeros(), Vec3::zeros());
                level.scaled(cos * cos).plus(&rest.scaled(-1.0))
            }
            Form::Sphere { radius } => {
                let all = squared([c.x, a.x, b.x].into(), [c.y, a.y, b.y].into(), axial);
                all.raised(-radius * radius)
            }
            Form::Torus { major, minor, .. } => {
                let all = squared([c.x, a.x, b.x].into(), [c.y, a.y, b.y].into(), axial);
                let g = Vec3::new(
                    all.mean + major * major - minor * minor,
                    all.first[0],
                    all.first[1],
                );
                let square = squared(g, Vec3::zeros(), Vec3::zeros());
                square.plus(&level.scaled(-4.0 * major * major))
            }
        }
    }

    /// Where a line meets the surface, as parameters of the line within `reach` of `p`.
    pub fn line_hits(&self, p: &Point3, d: &Vec3, reach: f64, out: &mut Few) {
        let polynomial = self.along_line(p, d);
        polynomial.zeros(
            Interval {
                lo: -reach,
                hi: reach,
            },
            out,
        );
    }
}

fn length(x: f64, y: f64) -> f64 {
    (x * x + y * y).sqrt()
}

/// The angle within half a turn of another.
pub(super) fn nearest_turn(angle: f64, near: f64) -> f64 {
    angle + TAU * ((near - angle) / TAU).round()
}

/// The sum of the squares of `x[0] + x[1] cos t + x[2] sin t`.
fn squared(x: Vec3, y: Vec3, z: Vec3) -> Wave {
    let product = |i: usize, j: usize| x[i] * x[j] + y[i] * y[j] + z[i] * z[j];
    let (cc, ss) = (product(1, 1), product(2, 2));
    Wave {
        mean: product(0, 0) + 0.5 * (cc + ss),
        first: [2.0 * product(0, 1), 2.0 * product(0, 2)],
        second: [0.5 * (cc - ss), product(1, 2)],
    }
}
