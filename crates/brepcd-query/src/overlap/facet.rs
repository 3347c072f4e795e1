//! A face patch made ready for tests against others: its carrier in frame A, how far it reaches, how it bends.

use super::canonical::{Canonical, Form, Level};
use super::free;
use crate::piece::Piece;
use brepcd_geom::nurbs::{NurbsSurface, project};
use brepcd_geom::{Interval, Point2, Point3, Surface, SurfaceJet, Vec3};
use brepcd_tree::domain::Region;
use brepcd_tree::{Membership, Patch, Settings, Shape, Where};

/// Share of a range by which parameters may miss it; neighbours in a feature share their sides.
const RANGE_SLACK: f64 = 1e-9;
/// Factor on the part's allowed normal spread that covers what splitting by samples misses.
const SPREAD_MARGIN: f64 = 1.5;

/// Last step towards a foot, as a share of the ranges, after which its distance is as good as it gets.
const SMALL_STEP: f64 = 1e-4;

/// The carrier of a facet.
#[derive(Clone, Copy, Debug)]
pub(super) enum Carrier<'a> {
    /// In frame A.
    Canonical(Canonical),
    /// In the frame of its part.
    Free(&'a NurbsSurface),
}

/// A face patch in frame A.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facet<'a> {
    pub piece: Piece<'a>,
    pub patch: &'a Patch,
    pub carrier: Carrier<'a>,
    /// 1 if the parametrisation's normal points out of the material, else -1.
    pub sense: f64,
    /// The point in the middle of the ranges.
    pub centre: Point3,
    /// The outward normal there.
    pub normal: Vec3,
    /// All of the patch is within this distance of the centre.
    pub reach: f64,
    /// All its normals are within this angle of the one at the centre.
    pub spread: f64,
    /// Bound on the curvature of a free-form patch; 0 before it was asked for.
    free_bend: f64,
    /// Axes of a box that holds the control points of a free-form patch, and where it ends along them, from the centre.
    pub slabs: [(Vec3, Interval); 3],
}

/// Where a point is over a facet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Over {
    /// Parameters of the foot.
    pub at: [f64; 2],
    /// Signed distance, positive outside the material.
    pub depth: f64,
    /// How far the foot is from being one: not zero beyond the ends of a free-form patch.
    pub aside: f64,
}

impl<'a> Facet<'a> {
    /// Prepares a patch; `None` if it is no piece of a face, or if its surface has no normal in its middle.
    pub fn of(piece: &Piece<'a>) -> Option<Self> {
        let Shape::Face {
            surface,
            same_sense,
            ..
        } = &piece.feature().shape
        else {
            return None;
        };
        let patch = piece.patch();
        let pose = piece.a_from_part;
        let [u, v] = [patch.u.mid(), patch.v.mid()];
        let carrier = match surface {
            Surface::Nurbs(free) => Carrier::Free(free),
            Surface::Plane(_)
            | Surface::Cylinder(_)
            | Surface::Cone(_)
            | Surface::Sphere(_)
            | Surface::Torus(_) => Carrier::Canonical(Canonical::of(surface, pose)?),
        };
        let sense = if *same_sense { 1.0 } else { -1.0 };
        let (centre, normal) = match &carrier {
            Carrier::Canonical(c) => c.point_and_normal(u, v),
            Carrier::Free(s) => (pose * s.point(u, v), pose.rotation * s.normal(u, v)?),
        };
        let mut facet = Self {
            piece: *piece,
            patch,
            carrier,
            sense,
            centre,
            normal: normal * sense,
            reach: 0.0,
            spread: 0.0,
            free_bend: 0.0,
            slabs: [(Vec3::zeros(), Interval { lo: 0.0, hi: 0.0 }); 3],
        };
        (facet.reach, facet.spread) = facet.extent();
        Some(facet)
    }

    fn extent(&self) -> (f64, f64) {
        let (u, v) = (self.patch.u, self.patch.v);
        let [a, b] = [0.5 * u.length(), 0.5 * v.length()];
        match &self.carrier {
            Carrier::Canonical(carrier) => match carrier.form {
                Form::Plane { .. } => (a.hypot(b), 0.0),
                Form::Cylinder { radius } => ((radius * a).hypot(b), a),
                Form::Cone { radius, sin, .. } => {
                    let widest = [v.lo, v.hi].map(|v| (radius + v * sin).abs());
                    ((widest[0].max(widest[1]) * a).hypot(b), a)
                }
                Form::Sphere { radius } => (radius * (a + b), a + b),
                Form::Torus { major, minor, .. } => ((major + minor) * a + minor * b, a + b),
            },
            Carrier::Free(_) => {
                let control = &self.piece.part.control[self.patch.control.range()];
                let local = self.piece.a_from_part.inverse_transform_point(&self.centre);
                let reach = control
                    .iter()
                    .map(|h| (project(h) - local).norm())
                    .fold(0.0, f64::max);
                let spread = SPREAD_MARGIN * self.piece.part.header.settings.max_angle;
                (reach, 2.0 * spread)
            }
        }
    }

    pub fn ranges(&self) -> [Interval; 2] {
        [self.patch.u, self.patch.v]
    }

    pub fn middle(&self) -> [f64; 2] {
        self.ranges().map(|r| r.mid())
    }

    /// Where a point is over the facet; `guess` helps free-form ones.
    pub fn over(&self, p: &Point3, guess: Option<[f64; 2]>) -> Over {
        match &self.carrier {
            Carrier::Canonical(carrier) => Over {
                at: carrier.foot(p, self.middle()),
                depth: self.sense * carrier.height(p),
                aside: 0.0,
            },
            Carrier::Free(surface) => {
                let local = self.piece.a_from_part.inverse_transform_point(p);
                let foot = match guess {
                    Some(guess) => free::foot_from(surface, self.ranges(), &local, guess),
                    None => free::foot(surface, self.ranges(), &local),
                };
                Over {
                    at: foot.at,
                    depth: self.sense * foot.height,
                    aside: foot.aside,
                }
            }
        }
    }

    /// Signed distance, positive outside the material; `guess` is where the last foot was, for free-form facets.
    pub fn depth(&self, p: &Point3, guess: &mut Option<[f64; 2]>) -> f64 {
        match &self.carrier {
            Carrier::Canonical(carrier) => self.sense * carrier.height(p),
            Carrier::Free(surface) => {
                let local = self.piece.a_from_part.inverse_transform_point(p);
                let foot = match guess {
                    Some(at) => free::foot_until(surface, self.ranges(), &local, *at, SMALL_STEP),
                    None => free::foot(surface, self.ranges(), &local),
                };
                *guess = Some(foot.at);
                self.sense * foot.height
            }
        }
    }

    /// Signed outward distance with its derivatives, and the foot's parameters where they help the next call.
    pub fn level(&self, p: &Point3, guess: Option<[f64; 2]>) -> (Level, [f64; 2]) {
        let (mut level, at) = match &self.carrier {
            Carrier::Canonical(carrier) => (carrier.level(p), self.middle()),
            Carrier::Free(surface) => {
                let pose = self.piece.a_from_part;
                let local = pose.inverse_transform_point(p);
                let foot = match guess {
                    Some(guess) => free::foot_from(surface, self.ranges(), &local, guess),
                    None => free::foot(surface, self.ranges(), &local),
                };
                let mut level = free_level(&foot.jet, foot.height);
                level.normal = pose.rotation * level.normal;
                for bend in &mut level.bends {
                    bend.0 = pose.rotation * bend.0;
                }
                (level, foot.at)
            }
        };
        level.height *= self.sense;
        level.normal *= self.sense;
        for bend in &mut level.bends {
            bend.1 *= self.sense;
        }
        (level, at)
    }

    /// Computes what only close pairs need.
    pub fn complete(&mut self) {
        if let Carrier::Free(surface) = &self.carrier {
            let [u, v] = self.ranges();
            let at = |(s, t): (f64, f64)| {
                let level = free_level(&surface.jet(u.at(s), v.at(t)), 0.0);
                level.bends[0].1.abs().max(level.bends[1].1.abs())
            };
            let places = [(0.5, 0.5), (0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0)];
            self.free_bend = FREE_BEND * places.into_iter().map(at).fold(0.0, f64::max);
            let mut along = Vec3::zeros();
            along[self.normal.iamin()] = 1.0;
            let x = self.normal.cross(&along).normalize();
            self.slabs = [self.normal, x, self.normal.cross(&x)].map(|axis| {
                let places = self.hull().map(|p| axis.dot(&(p - self.centre)));
                let (lo, hi) = places.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), x| {
                    (lo.min(x), hi.max(x))
                });
                (axis, Interval { lo, hi })
            });
        }
    }

    /// A bound on how fast the distance's gradient turns within some distance of a point, per length.
    pub fn most_bend(&self, centre: &Point3, within: f64) -> f64 {
        match &self.carrier {
            Carrier::Canonical(carrier) => carrier.most_bend(centre, within),
            Carrier::Free(_) => self.free_bend,
        }
    }

    /// Control points of a free-form patch, in frame A; none for others. Their hull holds the patch.
    pub fn hull(&self) -> impl Iterator<Item = Point3> {
        let (part, pose) = (self.piece.part, self.piece.a_from_part);
        let control = &part.control[self.patch.control.range()];
        control.iter().map(move |h| pose * project(h))
    }

    /// True for parameters in the ranges.
    pub fn in_ranges(&self, at: [f64; 2]) -> bool {
        let holds = |range: &Interval, t: f64| {
            let slack = RANGE_SLACK * range.length();
            range.lo - slack <= t && t <= range.hi + slack
        };
        holds(&self.patch.u, at[0]) && holds(&self.patch.v, at[1])
    }

    /// Where parameters lie in the domain; beyond the ranges is outside.
    pub fn place(&self, at: [f64; 2]) -> Where {
        if self.in_ranges(at) {
            self.piece.part.classify(self.piece.id, at[0], at[1])
        } else {
            Where::Outside
        }
    }

    /// As [`Facet::place`], with a smaller distance within which a point counts as on the border.
    ///
    /// Never below the allowed gap of the source: borders are not known better.
    pub fn place_within(&self, at: [f64; 2], border: f64) -> Where {
        let part = self.piece.part;
        let place = self.place(at);
        let border = border.max(part.header.tolerance);
        let (
            Where::OnBorder,
            Membership::Crossed {
                pieces,
                reference,
                inside,
            },
            Shape::Face {
                surface,
                same_sense,
                ..
            },
        ) = (place, self.patch.membership, &self.piece.feature().shape)
        else {
            return place;
        };
        if border >= self.border() {
            return place;
        }
        let settings = Settings {
            border,
            ..part.header.settings
        };
        let region = Region {
            surface,
            same_sense: *same_sense,
            trims: &part.trims,
            borders: &part.borders,
            settings: &settings,
        };
        let crossings = &part.crossings[pieces.range()];
        region.classify(crossings, reference, inside, Point2::new(at[0], at[1]))
    }

    /// The periods of the parameters, 0 where there is none.
    pub fn periods(&self) -> [f64; 2] {
        match &self.carrier {
            Carrier::Canonical(carrier) => carrier.periods(),
            Carrier::Free(surface) => surface.periods().map(|p| p.unwrap_or(0.0)),
        }
    }

    /// Distance within which a point counts as on a border by itself.
    fn border(&self) -> f64 {
        self.piece.part.header.settings.border
    }
}

/// Factor on the curvature at a few places that covers the rest of a near-flat free-form patch.
const FREE_BEND: f64 = 2.0;

/// The distance from a surface near one of its points, from the derivatives there.
fn free_level(jet: &SurfaceJet, height: f64) -> Level {
    let flat = |normal: Vec3| Level {
        height,
        normal,
        bends: [(Vec3::zeros(), 0.0); 2],
    };
    let (Some(normal), Some(e)) = (jet.normal(), jet.du.try_normalize(0.0)) else {
        return flat(Vec3::zeros());
    };
    let f = normal.cross(&e);
    let (a, b, d) = (jet.du.norm(), jet.dv.dot(&e), jet.dv.dot(&f));
    let [l, m, n] = [jet.duu, jet.duv, jet.dvv].map(|x| -x.dot(&normal));
    // The form in the orthonormal frame e, f, where du = a e and dv = b e + d f.
    let ee = l / (a * a);
    let ef = (m - a * b * ee) / (a * d);
    let ff = (n - b * b * ee - 2.0 * b * d * ef) / (d * d);
    let half = 0.5 * (2.0 * ef).atan2(ee - ff);
    let (s, c) = half.sin_cos();
    let first = c * c * ee + 2.0 * s * c * ef + s * s * ff;
    let bends = [(e * c + f * s, first), (f * c - e * s, ee + ff - first)];
    if bends.iter().all(|bend| bend.1.is_finite()) {
        Level {
            height,
            normal,
            bends,
        }
    } else {
        flat(normal)
    }
}
