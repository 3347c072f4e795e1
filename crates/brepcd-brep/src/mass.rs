use crate::integrate::{self, TERMS, Terms};
use crate::{Brep, Chain, Domain, Face, Shell, SolidId};
use brepcd_geom::{Aabb, Point3, Surface, Vec3};
use nalgebra::Matrix3;
use std::f64::consts::TAU;

/// Volume, area, centre and inertia at unit density.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// mm³; free shells count with what they would enclose if closed.
    pub volume: f64,
    /// mm², all faces.
    pub area: f64,
    /// Centre of the volume.
    pub centroid: Point3,
    /// Inertia tensor about the centroid, mm⁵.
    pub inertia: Matrix3<f64>,
}

impl Brep {
    /// Integrates over all faces of the solids; the area counts the faces of free shells, too.
    pub fn mass_properties(&self) -> MassProperties {
        let mut solid_shell = vec![false; self.shells.len()];
        for solid in &self.solids {
            for shell in std::iter::once(&solid.outer).chain(&solid.voids) {
                solid_shell[shell.index()] = true;
            }
        }
        let centre = self.reference_point();
        let mut sum = [0.0; TERMS];
        for face in &self.faces {
            let terms = integrate::face_terms(self, face, &centre);
            let all = solid_shell[face.shell.index()] || self.solids.is_empty();
            sum[0] += terms[0];
            if all {
                sum[1..]
                    .iter_mut()
                    .zip(&terms[1..])
                    .for_each(|(a, b)| *a += b);
            }
        }
        from_terms(&sum, &centre)
    }

    /// Integrates over the faces of one solid.
    pub fn solid_mass_properties(&self, solid: SolidId) -> MassProperties {
        let centre = self.reference_point();
        let mut sum = [0.0; TERMS];
        for shell in self.shells_of(&self.solids[solid.index()]) {
            for face in &shell.faces {
                let terms = integrate::face_terms(self, &self.faces[face.index()], &centre);
                sum.iter_mut().zip(terms).for_each(|(a, b)| *a += b);
            }
        }
        from_terms(&sum, &centre)
    }

    /// Area of one face, mm².
    pub fn face_area(&self, face: &Face) -> f64 {
        integrate::face_terms(self, face, &self.reference_point())[0]
    }

    /// Signed volume of the cone from a point to one face, mm³; over a closed shell they add up to its volume.
    pub fn face_volume(&self, face: &Face, apex: &Point3) -> f64 {
        integrate::face_terms(self, face, apex)[1]
    }

    /// Signed volume of a shell: negative if its normals point inward; exact only where its sign is not obvious.
    pub(crate) fn shell_volume_sign(&self, shell: &Shell) -> f64 {
        let centre = self.reference_point();
        let rough = |step: usize| -> f64 {
            shell
                .faces
                .iter()
                .map(|f| integrate::rough_volume(&self.faces[f.index()], &centre, step))
                .sum()
        };
        let (coarse, fine) = (rough(4), rough(2));
        if fine.abs() > OBVIOUS * (fine - coarse).abs() {
            return fine;
        }
        shell
            .faces
            .iter()
            .map(|f| integrate::face_terms(self, &self.faces[f.index()], &centre)[1])
            .sum()
    }

    /// A point amid the part: moments about it lose no digits.
    fn reference_point(&self) -> Point3 {
        let mut bounds = Aabb::of(self.vertices.iter().map(|v| v.point));
        for face in self
            .faces
            .iter()
            .filter(|f| f.loops.iter().all(|l| l.coedges.is_empty()))
        {
            if let Surface::Sphere(s) = &face.surface {
                bounds.include(&s.frame.origin);
            } else if let Surface::Torus(t) = &face.surface {
                bounds.include(&t.frame.origin);
            }
        }
        if bounds.is_empty() {
            Point3::origin()
        } else {
            bounds.centre()
        }
    }
}

fn from_terms(sum: &Terms, centre: &Point3) -> MassProperties {
    let (area, volume) = (sum[0], sum[1]);
    let first = Vec3::new(sum[2], sum[3], sum[4]);
    let offset = if volume.abs() > 0.0 {
        first / volume
    } else {
        Vec3::zeros()
    };
    let second = Matrix3::new(
        sum[5], sum[8], sum[10], sum[8], sum[6], sum[9], sum[10], sum[9], sum[7],
    ) - offset * offset.transpose() * volume;
    let inertia = Matrix3::identity() * second.trace() - second;
    MassProperties {
        volume,
        area,
        centroid: centre + offset,
        inertia,
    }
}

/// Copies of a closed surface to add to what the chains enclose: as many as make the area positive and at most the
/// whole surface's.
pub(crate) fn whole_copies(brep: &Brep, face: &Face, domain: &Domain) -> i32 {
    let Some(full) = closed_area(&face.surface) else {
        return 0;
    };
    let quick = |step: usize| -> f64 {
        let sign = if face.same_sense { 1.0 } else { -1.0 };
        sign * domain
            .chains
            .iter()
            .map(|c| polygon_area(&face.surface, c, step))
            .sum::<f64>()
    };
    let mut area = 0.0;
    if !domain.chains.is_empty() {
        let (fine, coarse) = (quick(1), quick(2));
        let sure = (fine - coarse).abs() < SURE * fine.abs().min((full - fine.abs()).abs());
        area = if sure && !matches!(face.surface, Surface::Nurbs(_)) {
            fine
        } else {
            integrate::domain_terms(brep, face, domain, &brep.vertices_centre(domain))[0]
        };
    }
    (AREA_SLACK - area / full).ceil().clamp(-1e3, 1e3) as i32
}

impl Brep {
    /// A point near a domain's first edge, for integrals of which only the area counts.
    fn vertices_centre(&self, domain: &Domain) -> Point3 {
        let edge = domain
            .chains
            .iter()
            .flat_map(|c| &c.segments)
            .find_map(|s| s.edge);
        edge.map_or(Point3::origin(), |e| {
            self.vertices[self.edges[e.index()].start.index()].point
        })
    }
}

/// How far a rough volume must exceed its change with the sampling for its sign to be sure.
const OBVIOUS: f64 = 5.0;
/// Share by which two samplings of a border may disagree for its area to be taken from them.
const SURE: f64 = 0.2;
/// Share of the whole area under which a domain counts as empty.
const AREA_SLACK: f64 = 1e-9;

/// Area of a surface without border; `None` if it has one.
fn closed_area(surface: &Surface) -> Option<f64> {
    match surface {
        Surface::Plane(_) | Surface::Cylinder(_) | Surface::Cone(_) => None,
        Surface::Sphere(s) => Some(2.0 * TAU * s.radius * s.radius),
        Surface::Torus(_) => {
            let (_, v) = surface.domain();
            Some(TAU * (area_below(surface, v.hi) - area_below(surface, v.lo)).abs())
        }
        Surface::Nurbs(n) => {
            let (periods, poles, poles_u) = (n.periods(), n.poles(), n.poles_u());
            let closed = |period: Option<f64>, poles: [Option<f64>; 2]| {
                period.is_some() || poles.iter().all(Option::is_some)
            };
            let whole = closed(periods[0], poles_u) && closed(periods[1], poles);
            let whole = whole && periods.iter().any(Option::is_some);
            whole.then(|| integrate::whole_terms(surface, &Point3::origin(), 1.0)[0])
        }
    }
}

/// `∫ |du × dv| dv` from a fixed `v`, for the kinds with a closed form.
fn area_below(surface: &Surface, v: f64) -> f64 {
    match surface {
        Surface::Sphere(s) => s.radius * s.radius * v.sin(),
        Surface::Torus(t) => {
            let outward = t.major + t.minor * surface.domain().1.mid().cos() >= 0.0;
            let area = t.minor * (t.major * v + t.minor * v.sin());
            let ring = surface.periods()[1].is_some();
            if outward || ring { area } else { -area }
        }
        Surface::Plane(_) | Surface::Cylinder(_) | Surface::Cone(_) | Surface::Nurbs(_) => 0.0,
    }
}

/// Area inside the polygon of every `step`-th sample of a chain, by trapezia.
fn polygon_area(surface: &Surface, chain: &Chain, step: usize) -> f64 {
    let mut area = 0.0;
    for segment in &chain.segments {
        let last = segment.samples.len() - 1;
        let mut from = 0;
        while from < last {
            let to = (from + step).min(last);
            let (a, b) = (segment.samples[from].uv, segment.samples[to].uv);
            area -= 0.5 * (area_below(surface, a.y) + area_below(surface, b.y)) * (b.x - a.x);
            from = to;
        }
    }
    area
}
