//! Curves that may go through a facet: the sides of a patch and the borders of a face.

use super::canonical::{Canonical, Form};
use super::facet::{Carrier, Facet};
use super::few::Few;
use super::past::narrowed;
use super::scan;
use brepcd_geom::nurbs::NurbsSurface;
use brepcd_geom::{Curve, Interval, Point3, Point4, Vec3};
use brepcd_tree::MatrixPose;
use std::cell::Cell;
use std::f64::consts::PI;

/// A curve in frame A over a range of its parameter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Track<'a> {
    pub range: Interval,
    pub path: Path<'a>,
}

/// The kinds of curves.
#[derive(Clone, Copy, Debug)]
pub(super) enum Path<'a> {
    /// `p + t d`.
    Line { p: Point3, d: Vec3 },
    /// `centre + cos t a + sin t b`.
    Arc { centre: Point3, a: Vec3, b: Vec3 },
    /// Any curve of a part.
    Trim {
        curve: &'a Curve,
        a_from_part: &'a MatrixPose,
    },
    /// A line of constant parameter of a free-form surface: which parameter, and its value.
    Iso {
        surface: &'a NurbsSurface,
        a_from_part: &'a MatrixPose,
        axis: usize,
        at: f64,
        /// Control points whose hull holds it; none if they are not known.
        side: Side<'a>,
    },
}

/// Every so many of some control points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side<'a> {
    pub control: &'a [Point4],
    pub step: usize,
}

/// Pieces that a curve without closed form is cut into before derivatives at their ends are trusted.
const SAMPLES: usize = 4;
/// Factor on derivatives at samples that covers what lies between them.
const SAMPLE_MARGIN: f64 = 1.5;
/// Share of the depth looked for by which a value in between may be missed.
const MISSED: f64 = 0.05;
/// Share of a facet's size that a step for the sake of rounding may be long.
const POLISH: f64 = 1e-5;
/// Difference of the half axes, relative, under which an ellipse is a circle.
const ROUND: f64 = 1e-12;

impl<'a> Track<'a> {
    /// A piece of a border.
    pub fn of_trim(curve: &'a Curve, t: [f64; 2], a_from_part: &'a MatrixPose) -> Self {
        let turn = &a_from_part.rotation;
        let path = match curve {
            Curve::Line(line) => Path::Line {
                p: a_from_part * line.origin,
                d: turn * line.dir,
            },
            Curve::Circle(circle) => Path::Arc {
                centre: a_from_part * circle.frame.origin,
                a: turn * (circle.frame.x * circle.radius),
                b: turn * (circle.frame.y * circle.radius),
            },
            Curve::Ellipse(ellipse) => Path::Arc {
                centre: a_from_part * ellipse.frame.origin,
                a: turn * (ellipse.frame.x * ellipse.rx),
                b: turn * (ellipse.frame.y * ellipse.ry),
            },
            Curve::Hyperbola(_) | Curve::Parabola(_) | Curve::Nurbs(_) => {
                Path::Trim { curve, a_from_part }
            }
        };
        Self {
            range: Interval::new(t[0], t[1]),
            path,
        }
    }

    /// The line of a facet where a parameter (0 or 1) has a value.
    pub fn of_side(facet: &Facet<'a>, axis: usize, at: f64) -> Self {
        let range = facet.ranges()[1 - axis];
        let path = match &facet.carrier {
            Carrier::Canonical(carrier) => canonical_side(carrier, axis, at),
            Carrier::Free(surface) => Path::Iso {
                surface,
                a_from_part: facet.piece.a_from_part,
                axis,
                at,
                side: free_side(facet, surface, axis, at),
            },
        };
        Self { range, path }
    }

    pub fn point(&self, t: f64) -> Point3 {
        match &self.path {
            Path::Line { p, d } => p + d * t,
            Path::Arc { centre, a, b } => {
                let (s, c) = t.sin_cos();
                centre + a * c + b * s
            }
            Path::Trim { curve, a_from_part } => *a_from_part * curve.point(t),
            Path::Iso {
                surface,
                a_from_part,
                axis,
                at,
                ..
            } => {
                let local = if *axis == 0 {
                    surface.point(*at, t)
                } else {
                    surface.point(t, *at)
                };
                *a_from_part * local
            }
        }
    }

    /// A parameter where the track is at a depth below a facet, made better by a step of Newton's method.
    ///
    /// Equations of carriers have the distance squared or worse in them, and rounding with it.
    pub fn polished(&self, t: f64, facet: &Facet, depth: f64) -> f64 {
        let Carrier::Canonical(carrier) = &facet.carrier else {
            return t;
        };
        let (point, tangent) = match &self.path {
            Path::Line { p, d } => (p + d * t, *d),
            Path::Arc { centre, a, b } => {
                let (s, c) = t.sin_cos();
                (centre + a * c + b * s, b * c - a * s)
            }
            Path::Trim { .. } | Path::Iso { .. } => return t,
        };
        let level = carrier.level(&point);
        let miss = facet.sense * level.height + depth;
        let step = miss / (facet.sense * level.normal.dot(&tangent));
        // A long step would lead to another place.
        if (step * tangent.norm()).abs() <= POLISH * facet.reach {
            self.range.clamp(t - step)
        } else {
            t
        }
    }

    /// Bounds of speed and of the second derivative.
    pub fn derivatives(&self) -> [f64; 2] {
        let sampled = |jet: &dyn Fn(f64) -> (Vec3, Vec3)| {
            let mut most = [0.0f64; 2];
            for i in 0..=SAMPLES {
                let (first, second) = jet(self.range.at(i as f64 / SAMPLES as f64));
                most = [most[0].max(first.norm()), most[1].max(second.norm())];
            }
            most.map(|x| SAMPLE_MARGIN * x)
        };
        match &self.path {
            Path::Line { d, .. } => [d.norm(), 0.0],
            Path::Arc { a, b, .. } => {
                let most = a.norm().max(b.norm());
                [most, most]
            }
            Path::Trim { curve, .. } => sampled(&|t| {
                let jet = curve.jet(t);
                (jet.d1, jet.d2)
            }),
            Path::Iso {
                surface, axis, at, ..
            } => sampled(&|t| {
                if *axis == 0 {
                    let jet = surface.jet(*at, t);
                    (jet.dv, jet.dvv)
                } else {
                    let jet = surface.jet(t, *at);
                    (jet.du, jet.duu)
                }
            }),
        }
    }

    /// Appends the parameters where the track is at a depth below a facet's carrier.
    pub fn at_depth(&self, facet: &Facet, depth: f64, out: &mut Few) {
        let Carrier::Canonical(carrier) = &facet.carrier else {
            return self.sampled(facet, depth, out);
        };
        let torus = matches!(carrier.form, Form::Torus { .. });
        let sunk = || carrier.offset(-facet.sense * depth);
        match &self.path {
            Path::Line { p, d } => {
                let Some(range) = self.near(facet, depth) else {
                    return;
                };
                let (middle, half) = (range.mid(), 0.5 * range.length());
                let mut found = Few::EMPTY;
                sunk().line_hits(&(p + d * middle), d, half, &mut found);
                for &t in found.as_slice() {
                    out.push(middle + t);
                }
            }
            Path::Arc { centre, a, b } if !torus || is_round(a, b) => {
                if self.misses(centre, a, b, facet, depth) {
                    return;
                }
                sunk().along_circle(centre, a, b).zeros(self.range, out);
            }
            Path::Arc { .. } | Path::Trim { .. } | Path::Iso { .. } => {
                self.sampled(facet, depth, out);
            }
        }
    }

    /// As [`Track::at_depth`], by values and a bound on how they bend.
    fn sampled(&self, facet: &Facet, depth: f64, out: &mut Few) {
        let Some(range) = self.near(facet, depth) else {
            return;
        };
        let near = Self { range, ..*self };
        let Some(range) = narrowed(&near, facet, depth) else {
            return;
        };
        let near = Self { range, ..*self };
        let [speed, turn] = near.derivatives();
        let half = 0.5 * speed * range.length();
        let middle = self.point(range.mid());
        if (middle - facet.centre).norm() > half + facet.reach + depth {
            return;
        }
        let bend = |part: Interval| {
            let bend = if part.length() < range.length() {
                let half = 0.5 * speed * part.length();
                facet.most_bend(&self.point(part.mid()), half)
            } else {
                facet.most_bend(&middle, half)
            };
            turn + speed * speed * bend
        };
        // The distance from a free-form patch ends where the patch does, and is no distance beyond.
        let slope = match &facet.carrier {
            Carrier::Canonical(_) => speed,
            Carrier::Free(_) => f64::INFINITY,
        };
        let guess = Cell::new(None);
        let value = |t: f64| {
            let mut from = guess.get();
            let found = facet.depth(&self.point(t), &mut from);
            guess.set(from);
            found + depth
        };
        scan::zeros_of_uneven(value, range, slope, bend, MISSED * depth, out);
    }

    /// True only if all of an arc is farther from a facet than a depth.
    fn misses(&self, centre: &Point3, a: &Vec3, b: &Vec3, facet: &Facet, depth: f64) -> bool {
        let far = facet.reach + depth;
        let half = 0.5 * self.range.length();
        let most = a.norm().max(b.norm());
        let middle = self.point(self.range.mid());
        // Within this distance of the middle is all of the arc.
        let reach = if half < PI { most * half } else { 2.0 * most };
        let to = facet.centre - centre;
        let normal = a.cross(b);
        let above = to.dot(&normal).abs() / normal.norm();
        (middle - facet.centre).norm() > reach + far || above > far
    }

    /// The part of the range near a facet: of a line, what is in the ball around it.
    fn near(&self, facet: &Facet, depth: f64) -> Option<Interval> {
        let Path::Line { p, d } = &self.path else {
            return Some(self.range);
        };
        let to = facet.centre - p;
        let (square, middle) = (d.norm_squared(), d.dot(&to));
        let far = facet.reach + depth;
        let half = (middle * middle - square * (to.norm_squared() - far * far)).sqrt();
        let lo = ((middle - half) / square).max(self.range.lo);
        let hi = ((middle + half) / square).min(self.range.hi);
        (half >= 0.0 && lo < hi).then_some(Interval { lo, hi })
    }
}

fn is_round(a: &Vec3, b: &Vec3) -> bool {
    let (a, b) = (a.norm(), b.norm());
    (a - b).abs() <= ROUND * a
}

/// The control points of the side of a free-form patch, which is a Bézier piece.
fn free_side<'a>(facet: &Facet<'a>, surface: &NurbsSurface, axis: usize, at: f64) -> Side<'a> {
    let control = &facet.piece.part.control[facet.patch.control.range()];
    let [rows, columns] = [surface.degree_u + 1, surface.degree_v + 1];
    let range = facet.ranges()[axis];
    if control.len() != rows * columns || (at != range.lo && at != range.hi) {
        return Side {
            control: &[],
            step: 1,
        };
    }
    let is_last = at == range.hi;
    match (axis, is_last) {
        (0, false) => Side {
            control: &control[..columns],
            step: 1,
        },
        (0, true) => Side {
            control: &control[(rows - 1) * columns..],
            step: 1,
        },
        (_, false) => Side {
            control,
            step: columns,
        },
        (_, true) => Side {
            control: &control[columns - 1..],
            step: columns,
        },
    }
}

fn canonical_side(carrier: &Canonical, axis: usize, at: f64) -> Path<'static> {
    let frame = &carrier.frame;
    let ring = |height: f64, radius: f64| Path::Arc {
        centre: frame.origin + frame.z * height,
        a: frame.x * radius,
        b: frame.y * radius,
    };
    match (carrier.form, axis) {
        (Form::Plane { height }, 0) => Path::Line {
            p: frame.origin + frame.z * height + frame.x * at,
            d: frame.y,
        },
        (Form::Plane { height }, _) => Path::Line {
            p: frame.origin + frame.z * height + frame.y * at,
            d: frame.x,
        },
        (Form::Cylinder { radius }, 0) => Path::Line {
            p: frame.origin + frame.radial(at) * radius,
            d: frame.z,
        },
        (Form::Cylinder { radius }, _) => ring(at, radius),
        (Form::Cone { radius, sin, cos }, 0) => {
            let radial = frame.radial(at);
            Path::Line {
                p: frame.origin + radial * radius,
                d: radial * sin + frame.z * cos,
            }
        }
        (Form::Cone { radius, sin, cos }, _) => ring(at * cos, radius + at * sin),
        (Form::Sphere { radius }, 0) => Path::Arc {
            centre: frame.origin,
            a: frame.radial(at) * radius,
            b: frame.z * radius,
        },
        (Form::Sphere { radius }, _) => ring(radius * at.sin(), radius * at.cos()),
        (Form::Torus { major, minor, .. }, 0) => {
            let radial = frame.radial(at);
            Path::Arc {
                centre: frame.origin + radial * major,
                a: radial * minor,
                b: frame.z * minor,
            }
        }
        (Form::Torus { major, minor, .. }, _) => ring(minor * at.sin(), major + minor * at.cos()),
    }
}
