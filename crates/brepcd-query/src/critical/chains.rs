//! Ellipse against ellipse where the stationary pairs fill a curve, or nearly: the feet of one followed along the other.
//!
//! The feet on `a` of the points `p(t)` form chains over `t`, smooth but for the folds where two feet merge. Along a chain
//! one function of `t` is left, small where the ellipses nearly keep their distance, and its changes of sign between
//! samples are told apart however small it is. A chain all around on which it stays under a tolerance is a family.

use super::isolate::{Plain, isolate};
use super::trig::{Angle, Harmonics};
use super::two_angles::{Spot, Spots, TwoAngles};
use std::f64::consts::PI;

/// Samples around the swept curve.
const SAMPLES: usize = 96;
/// Feet of one point, at most.
const FEET: usize = 4;
/// Angle within which a foot is followed from one sample to the next.
const STRIDE: f64 = 0.2;
/// Angle within which a foot is where it is expected.
const FOLLOWED: f64 = 1e-6;
/// Halvings of the way between two samples.
const DEEPEST: u8 = 16;
/// Steps of Newton's method for a foot.
const FOOT_STEPS: usize = 12;
/// Steps of one search between two samples.
const MAX_STEPS: usize = 60;
/// Angle under which two solutions are the same.
const SAME: f64 = 1e-8;

/// A foot on `a` of a point `p(t)`.
#[derive(Clone, Copy)]
struct Foot {
    spot: Spot,
    /// The derivative of half the squared distance along the chain.
    value: f64,
    /// Its own derivative.
    slope: f64,
    /// Whether the foot is a minimum over `a`.
    nearest: bool,
    /// Whether the value is under the tolerance.
    flat: bool,
    /// Whether it belongs to a family.
    member: bool,
    /// The same foot at the next sample.
    next: Option<usize>,
    /// Whether a foot of the sample before is followed to this one.
    followed: bool,
}

/// The feet of one sample.
#[derive(Clone, Copy)]
struct Sample {
    feet: [Option<Foot>; FEET],
}

/// What the chains tell.
pub(super) struct Chains {
    /// The isolated solutions.
    pub(super) spots: Spots,
    /// A spot of each chain that is stationary all around.
    pub(super) families: Spots,
    /// Whether none can be missing.
    pub(super) complete: bool,
}

/// All stationary spots of two ellipses; `length` is the variation under which a distance does not vary.
pub(super) fn follow(equations: &TwoAngles, length: f64) -> Chains {
    let mut search = Search {
        equations,
        length,
        found: Chains {
            spots: Spots::new(),
            families: Spots::new(),
            complete: true,
        },
    };
    let mut samples = [Sample { feet: [None; FEET] }; SAMPLES];
    let mut t = Angle::ZERO.turned(0.1);
    let step = 2.0 * PI / SAMPLES as f64;
    for sample in &mut samples {
        *sample = search.sample(t);
        t = t.turned(step);
    }
    search.families(&mut samples, step);
    for i in 0..SAMPLES {
        let (mut here, mut there) = (samples[i], samples[(i + 1) % SAMPLES]);
        search.stretch(&mut here, &mut there, step, 0);
    }
    search.found
}

struct Search<'a> {
    equations: &'a TwoAngles,
    length: f64,
    found: Chains,
}

impl Search<'_> {
    fn foot(&self, spot: Spot) -> Foot {
        let jet = self.equations.jet(spot);
        let [tt, tu, uu] = jet.hessian;
        let (p, [wide, high]) = (self.equations.oval.point(spot.t), self.equations.axes);
        let (x, y) = (p.x - wide * spot.u.c, p.y - high * spot.u.s);
        let distance = (x * x + y * y + p.z * p.z).sqrt();
        let value = jet.gradient[0];
        let tolerance = self.length * distance.max(self.length);
        Foot {
            spot,
            value,
            slope: tt - tu * tu / uu,
            nearest: uu > 0.0,
            flat: value.abs() <= tolerance.max(self.equations.noise()),
            member: false,
            next: None,
            followed: false,
        }
    }

    fn sample(&mut self, t: Angle) -> Sample {
        let mut sample = Sample { feet: [None; FEET] };
        let (p, [wide, high]) = (self.equations.oval.point(t), self.equations.axes);
        let roots = isolate(
            &Plain::new(Harmonics {
                c1: -high * p.y,
                s1: wide * p.x,
                c2: 0.0,
                s2: self.equations.excess,
            }),
            [0.0],
        );
        self.found.complete &= roots.complete && roots.as_slice().len() <= FEET;
        for (foot, root) in sample.feet.iter_mut().zip(roots.as_slice()) {
            *foot = Some(self.foot(Spot { t, u: root.at }));
        }
        sample
    }

    /// The foot near `u` of the point at `t`.
    fn foot_near(&self, t: Angle, mut u: Angle) -> Spot {
        for _ in 0..FOOT_STEPS {
            let jet = self.equations.jet(Spot { t, u });
            let step = jet.gradient[1] / jet.hessian[2];
            if step.is_nan() || step.abs() > STRIDE {
                break;
            }
            u = u.turned(-step);
            if step.abs() < 1e-15 {
                break;
            }
        }
        Spot { t, u }
    }

    /// Follows the feet of a sample to the next one.
    fn link(&self, here: &mut Sample, there: &mut Sample, step: f64) {
        there
            .feet
            .iter_mut()
            .flatten()
            .for_each(|f| f.followed = false);
        for foot in here.feet.iter_mut().flatten() {
            let [_, tu, uu] = self.equations.jet(foot.spot).hessian;
            let ahead = (-tu / uu * step).clamp(-STRIDE, STRIDE);
            let guess = self.foot_near(foot.spot.t.turned(step), foot.spot.u.turned(ahead));
            let fits = |f: &Foot| {
                f.nearest == foot.nearest && !f.followed && f.spot.u.is_near(guess.u, FOLLOWED)
            };
            foot.next = there.feet.iter().position(|f| f.as_ref().is_some_and(fits));
            if let Some(Some(target)) = foot.next.map(|n| &mut there.feet[n]) {
                target.followed = true;
                target.member |= foot.member;
            }
        }
    }

    /// Marks the feet that belong to families and keeps a spot of each.
    fn families(&mut self, samples: &mut [Sample; SAMPLES], step: f64) {
        for i in 0..SAMPLES {
            let (mut here, mut there) = (samples[i], samples[(i + 1) % SAMPLES]);
            self.link(&mut here, &mut there, step);
            samples[i] = here;
        }
        for k in 0..FEET {
            let next = |at: Option<usize>, sample: &Sample| {
                let foot = at.and_then(|k| sample.feet[k]);
                foot.filter(|f| f.flat).and_then(|f| f.next)
            };
            if samples.iter().fold(Some(k), next).is_none() {
                continue;
            }
            let mut at = k;
            for sample in samples.iter_mut() {
                if let Some(foot) = &mut sample.feet[at] {
                    foot.member = true;
                    at = foot.next.unwrap_or(at);
                }
            }
            if let Some(first) = samples[0].feet[k] {
                self.found.complete &= self.found.families.push(first.spot, SAME);
            }
        }
    }

    /// Takes the solutions between two samples, with more samples between them where feet cannot be followed.
    fn stretch(&mut self, here: &mut Sample, there: &mut Sample, step: f64, depth: u8) {
        self.link(here, there, step);
        let lost =
            |sample: &Sample, is_lost: fn(&Foot) -> bool| sample.feet.iter().flatten().any(is_lost);
        let any_lost = lost(here, |f| f.next.is_none()) || lost(there, |f| !f.followed);
        if any_lost && depth < DEEPEST {
            self.halve(here, there, step, depth);
            return;
        }
        let mut safe = true;
        for a in here.feet.iter().flatten().filter(|f| !f.member) {
            if let Some(b) = a.next.and_then(|n| there.feet[n]) {
                safe &= self.between(a, &b, step);
            }
        }
        if !safe {
            // A search went over to another foot, which fewer turns between the samples prevent.
            self.halve(here, there, step, depth);
            return;
        }
        self.folds(here.feet.iter().flatten().filter(|f| f.next.is_none()));
        self.folds(there.feet.iter().flatten().filter(|f| !f.followed));
    }

    /// Takes the solutions between two samples with one more between them.
    fn halve(&mut self, here: &mut Sample, there: &mut Sample, step: f64, depth: u8) {
        let t = here.feet.iter().flatten().next().map(|f| f.spot.t);
        let Some(t) = t.filter(|_| depth < DEEPEST) else {
            self.found.complete = false;
            return;
        };
        let mut middle = self.sample(t.turned(0.5 * step));
        self.stretch(here, &mut middle, 0.5 * step, depth + 1);
        self.stretch(&mut middle, there, 0.5 * step, depth + 1);
    }

    /// Takes the solutions on a chain between two samples; false where that went wrong.
    fn between(&mut self, a: &Foot, b: &Foot, step: f64) -> bool {
        if (a.value < 0.0) != (b.value < 0.0) {
            return self.crossing(a, b, step);
        }
        // A dip towards zero: its bottom, where the slope changes sign.
        let sign = 1.0_f64.copysign(a.value);
        if sign * a.slope >= 0.0 || sign * b.slope <= 0.0 {
            return true;
        }
        let (mut lo, mut hi, mut width) = (*a, *b, step);
        for _ in 0..MAX_STEPS {
            width *= 0.5;
            let middle = self.middle(&lo, &hi, width);
            if (middle.value < 0.0) != (a.value < 0.0) {
                let first = self.crossing(&lo, &middle, width);
                return self.crossing(&middle, &hi, width) && first;
            }
            if sign * middle.slope < 0.0 {
                lo = middle;
            } else {
                hi = middle;
            }
        }
        if lo.value.abs() <= self.equations.noise() {
            self.found.complete &= self.found.spots.push(lo.spot, SAME);
        }
        true
    }

    /// The foot half way between two, which are `2 width` apart.
    fn middle(&self, a: &Foot, b: &Foot, width: f64) -> Foot {
        let u = a.spot.u.turned(0.5 * a.spot.u.sine_to(b.spot.u));
        self.foot(self.foot_near(a.spot.t.turned(width), u))
    }

    /// Takes the solution between two feet of different sign; false where it is none.
    fn crossing(&mut self, a: &Foot, b: &Foot, mut width: f64) -> bool {
        let (mut lo, mut hi) = (*a, *b);
        for _ in 0..MAX_STEPS {
            width *= 0.5;
            let middle = self.middle(&lo, &hi, width);
            if (middle.value < 0.0) == (lo.value < 0.0) {
                lo = middle;
            } else {
                hi = middle;
            }
        }
        let solved = self.equations.jet(lo.spot).residual() <= 4.0 * self.equations.noise();
        if solved {
            self.found.complete &= self.found.spots.push(lo.spot, SAME);
        }
        solved
    }

    /// Takes the solution at a fold, where two feet of one sample merge before the next.
    ///
    /// Feet that are lost otherwise moved too fast to be followed, and solutions may be missing.
    fn folds<'f>(&mut self, lost: impl Iterator<Item = &'f Foot> + Clone) {
        for foot in lost.clone() {
            let partner = lost
                .clone()
                .find(|f| f.nearest != foot.nearest && f.spot.u.is_near(foot.spot.u, 2.0 * STRIDE));
            let Some(partner) = partner else {
                self.found.complete = false;
                continue;
            };
            if foot.nearest && (foot.value < 0.0) != (partner.value < 0.0) {
                self.on_fold(foot, foot.spot.u.sine_to(partner.spot.u));
            }
        }
    }

    /// The solution on the arc around a fold, which `u` runs along from `a` over the angle `across`.
    fn on_fold(&mut self, a: &Foot, across: f64) {
        let (mut near, mut far, mut t) = (0.0, across, a.spot.t);
        for _ in 0..MAX_STEPS {
            let middle = 0.5 * (near + far);
            let u = a.spot.u.turned(middle.clamp(-STRIDE, STRIDE));
            for _ in 0..FOOT_STEPS {
                let jet = self.equations.jet(Spot { t, u });
                let step = jet.gradient[1] / jet.hessian[1];
                if step.is_nan() || step.abs() > STRIDE {
                    break;
                }
                t = t.turned(-step);
                if step.abs() < 1e-15 {
                    break;
                }
            }
            let value = self.equations.jet(Spot { t, u }).gradient[0];
            if (value < 0.0) == (a.value < 0.0) {
                near = middle;
            } else {
                far = middle;
            }
        }
        let spot = Spot {
            t,
            u: a.spot.u.turned(near),
        };
        if self.equations.jet(spot).residual() <= 4.0 * self.equations.noise() {
            self.found.complete &= self.found.spots.push(spot, SAME);
        } else {
            self.found.complete = false;
        }
    }
}
