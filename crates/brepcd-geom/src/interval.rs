/// A closed interval; its ends may be infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub lo: f64,
    /// Upper end, not below `lo`.
    pub hi: f64,
}

impl Interval {
    /// The whole line.
    pub const ALL: Self = Self {
        lo: f64::NEG_INFINITY,
        hi: f64::INFINITY,
    };

    /// The interval between two values in either order.
    pub fn new(a: f64, b: f64) -> Self {
        Self {
            lo: a.min(b),
            hi: a.max(b),
        }
    }

    /// Upper end minus lower end.
    pub fn length(&self) -> f64 {
        self.hi - self.lo
    }

    /// The centre.
    pub fn mid(&self) -> f64 {
        0.5 * (self.lo + self.hi)
    }

    /// True for values inside or on an end.
    pub fn contains(&self, t: f64) -> bool {
        self.lo <= t && t <= self.hi
    }

    /// The value of the interval nearest to `t`.
    pub fn clamp(&self, t: f64) -> f64 {
        t.max(self.lo).min(self.hi)
    }

    /// The value at a fraction of the length.
    pub fn at(&self, fraction: f64) -> f64 {
        self.lo + (self.hi - self.lo) * fraction
    }
}
