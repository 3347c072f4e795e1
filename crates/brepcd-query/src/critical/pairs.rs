use brepcd_geom::{Point3, Vec3};

/// What counts as parallel and as coincident.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// Sine of the angle under which directions are parallel.
    pub angle: f64,
    /// Length under which points coincide, axes are the same and a distance does not vary along a curve.
    pub length: f64,
}

impl Tolerance {
    /// The tolerance for cores of this size.
    pub fn for_size(size: f64) -> Self {
        Self {
            angle: 1e-10,
            length: 1e-10 * size,
        }
    }
}

impl Default for Tolerance {
    fn default() -> Self {
        Self::for_size(1.0)
    }
}

/// The shape of a continuum of stationary pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FamilyKind {
    /// Along a straight line: parallel lines or generators.
    Line,
    /// Along a closed curve: coaxial circles, a point on an axis, a curve that keeps its distance from the other core.
    Ring,
    /// Over a surface: parallel planes, coaxial cones of the same angle.
    Area,
}

/// What a solve found beside the pairs it appended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All stationary pairs, perhaps none, each isolated.
    Isolated,
    /// At least one continuum of them; marked pairs stand for each, isolated ones are appended too.
    Family(FamilyKind),
    /// A pair may be missing or inexact.
    Unresolved,
}

/// A point of each core, where the distance between the cores is stationary.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// The point of the first core.
    pub a: Point3,
    /// The point of the second core.
    pub b: Point3,
    /// Its parameters on the first core, as many as the core has, then zeros.
    pub ta: [f64; 2],
    /// Its parameters on the second core.
    pub tb: [f64; 2],
    /// The unit common normal, from `a` to `b`; of either sign where they coincide, `None` where it is not determined.
    pub direction: Option<Vec3>,
    /// The continuum that this pair stands for, if it is not isolated.
    pub family: Option<FamilyKind>,
}

impl Pair {
    const EMPTY: Self = Self {
        a: Point3::new(0.0, 0.0, 0.0),
        b: Point3::new(0.0, 0.0, 0.0),
        ta: [0.0; 2],
        tb: [0.0; 2],
        direction: None,
        family: None,
    };

    /// An isolated pair; its direction is told by the points alone, `None` if they are closer than `length`.
    pub(super) fn apart(a: Point3, ta: [f64; 2], b: Point3, tb: [f64; 2], length: f64) -> Self {
        let direction = (b - a).try_normalize(length);
        Self {
            a,
            b,
            ta,
            tb,
            direction,
            family: None,
        }
    }

    /// An isolated pair with one point on a surface of unit normal `normal`.
    pub(super) fn on_surface(
        a: Point3,
        ta: [f64; 2],
        b: Point3,
        tb: [f64; 2],
        normal: Vec3,
    ) -> Self {
        let direction = if (b - a).dot(&normal) < 0.0 {
            -normal
        } else {
            normal
        };
        Self {
            a,
            b,
            ta,
            tb,
            direction: Some(direction),
            family: None,
        }
    }

    /// An isolated pair of curves with these unit tangents, the numbers at hand being as large as `size`.
    ///
    /// The tangents tell the direction better than the points where these nearly coincide.
    pub(super) fn of_curves(
        a: Point3,
        ta: f64,
        b: Point3,
        tb: f64,
        tangents: [Vec3; 2],
        size: f64,
        tol: &Tolerance,
    ) -> Self {
        let (gap, normal) = (b - a, tangents[0].cross(&tangents[1]));
        let (length, sine) = (gap.norm(), normal.norm());
        let direction = if length >= GAP_PREFERRED * sine * size {
            (length > tol.length).then(|| gap / length)
        } else {
            let sign = gap.dot(&normal);
            (sine > tol.angle).then(|| normal * (1.0_f64.copysign(sign) / sine))
        };
        Self {
            a,
            b,
            ta: [ta, 0.0],
            tb: [tb, 0.0],
            direction,
            family: None,
        }
    }

    /// The pair standing for a continuum.
    pub(super) fn standing_for(self, family: FamilyKind) -> Self {
        Self {
            family: Some(family),
            ..self
        }
    }

    /// The distance of the two points.
    pub fn distance(&self) -> f64 {
        (self.b - self.a).norm()
    }

    fn is_finite(&self) -> bool {
        let sum = self.a.coords.sum() + self.b.coords.sum();
        (sum + self.ta[0] + self.ta[1] + self.tb[0] + self.tb[1]).is_finite()
    }
}

/// How much larger than that of the tangents the rounding of the gap may be for the gap to tell the direction: a direction
/// along the gap is worth a little.
const GAP_PREFERRED: f64 = 1e-2;

/// A list of pairs that never allocates.
#[derive(Clone, Debug)]
pub struct Pairs {
    list: [Pair; Self::CAPACITY],
    len: usize,
}

impl Default for Pairs {
    fn default() -> Self {
        Self::new()
    }
}

impl Pairs {
    /// More than any two cores have.
    pub const CAPACITY: usize = 32;

    /// An empty list.
    pub const fn new() -> Self {
        Self {
            list: [Pair::EMPTY; Self::CAPACITY],
            len: 0,
        }
    }

    /// Empties the list.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// The pairs, in the order of their discovery, which is the same on every run.
    pub fn as_slice(&self) -> &[Pair] {
        &self.list[..self.len]
    }

    /// Exchanges the roles of the two cores in the pairs from number `first` on.
    pub(super) fn mirror_from(&mut self, first: usize) {
        for pair in &mut self.list[first.min(self.len)..self.len] {
            *pair = Pair {
                a: pair.b,
                b: pair.a,
                ta: pair.tb,
                tb: pair.ta,
                direction: pair.direction.map(|d| -d),
                family: pair.family,
            };
        }
    }

    /// Appends a pair; false where it is not finite or the list is full.
    #[must_use]
    pub(super) fn push(&mut self, pair: Pair) -> bool {
        let fits = self.len < Self::CAPACITY && pair.is_finite();
        if fits {
            self.list[self.len] = pair;
            self.len += 1;
        }
        fits
    }

    /// Appends an isolated pair and tells so.
    pub(super) fn push_isolated(&mut self, pair: Pair) -> Outcome {
        if self.push(pair) {
            Outcome::Isolated
        } else {
            Outcome::Unresolved
        }
    }

    /// Appends a pair that stands for a continuum and tells so.
    pub(super) fn push_family(&mut self, pair: Pair, kind: FamilyKind) -> Outcome {
        if self.push(pair.standing_for(kind)) {
            Outcome::Family(kind)
        } else {
            Outcome::Unresolved
        }
    }
}

impl Outcome {
    /// The outcome of two parts of one solve.
    pub(super) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Unresolved, _) | (_, Self::Unresolved) => Self::Unresolved,
            (Self::Family(kind), _) | (_, Self::Family(kind)) => Self::Family(kind),
            (Self::Isolated, Self::Isolated) => Self::Isolated,
        }
    }
}
