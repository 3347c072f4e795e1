//! The minimum of the distance over two carriers that a pair of places leads to.

use super::cells::{Chart, Place};
use brepcd::geom::{Interval, Point3, Vec3};

/// Steps until a descent is given up.
const STEPS: usize = 80;
/// Relative size of a step that ends a descent.
const LAST_STEP: f64 = 1e-14;

/// Position and derivatives along the free parameters of a chart.
struct Jet {
    point: Point3,
    first: [Vec3; 2],
    second: [[Vec3; 2]; 2],
}

impl Chart<'_> {
    fn dimension(&self) -> usize {
        match self {
            Chart::Surface(_) => 2,
            Chart::Curve(_) => 1,
            Chart::Point => 0,
        }
    }

    fn jet(&self, place: &Place) -> Jet {
        let none = Vec3::zeros();
        match self {
            Chart::Surface(surface) => {
                let jet = surface.jet(place.t[0], place.t[1]);
                Jet {
                    point: jet.p,
                    first: [jet.du, jet.dv],
                    second: [[jet.duu, jet.duv], [jet.duv, jet.dvv]],
                }
            }
            Chart::Curve(edge) => {
                let jet = edge.jet(place.t[0]);
                Jet {
                    point: jet.p,
                    first: [jet.d1, none],
                    second: [[jet.d2, none], [none, none]],
                }
            }
            Chart::Point => Jet {
                point: place.point,
                first: [none; 2],
                second: [[none; 2]; 2],
            },
        }
    }

    /// A place after a step of the parameters, kept where the carrier is defined.
    fn moved(&self, place: &Place, by: [f64; 2]) -> Place {
        let kept = |t: f64, range: Interval, period: Option<f64>| match period {
            Some(period) if range.lo.is_finite() => range.lo + (t - range.lo).rem_euclid(period),
            _ => range.clamp(t),
        };
        let t = [place.t[0] + by[0], place.t[1] + by[1]];
        match self {
            Chart::Surface(surface) => {
                let (u, v) = surface.domain();
                let periods = surface.periods();
                let t = [kept(t[0], u, periods[0]), kept(t[1], v, periods[1])];
                let point = surface.point(t[0], t[1]);
                Place { t, point }
            }
            Chart::Curve(edge) => {
                let t = kept(t[0], edge.curve.domain(), edge.curve.period());
                let point = edge.curve.point(t);
                Place { t: [t, 0.0], point }
            }
            Chart::Point => *place,
        }
    }
}

/// A stationary pair of two carriers, if the descent from `start` ends in one.
///
/// Newton's method on half the squared distance, damped until it descends, steps no longer than `longest`.
pub fn descend(
    charts: [&Chart; 2],
    start: [Place; 2],
    longest: f64,
    size: f64,
) -> Option<[Place; 2]> {
    let [n_a, n_b] = charts.map(Chart::dimension);
    let n = n_a + n_b;
    let mut here = start;
    let mut damping = 1e-3;
    let (mut slope, mut last) = (f64::INFINITY, false);
    for _ in 0..STEPS {
        let jets = [charts[0].jet(&here[0]), charts[1].jet(&here[1])];
        let d = jets[1].point - jets[0].point;
        let (mut gradient, mut hessian) = ([0.0; 4], [[0.0; 4]; 4]);
        let mut speeds = [1.0; 4];
        let side = |i: usize| if i < n_a { (0, i) } else { (1, i - n_a) };
        for (i, speed) in speeds.iter_mut().enumerate().take(n) {
            let (s, k) = side(i);
            *speed = jets[s].first[k].norm().max(1e-9 * size);
        }
        for i in 0..n {
            let (s, k) = side(i);
            let sign = [-1.0, 1.0];
            gradient[i] = sign[s] * d.dot(&jets[s].first[k]) / speeds[i];
            for j in 0..n {
                let (r, l) = side(j);
                let mut h = sign[s] * sign[r] * jets[s].first[k].dot(&jets[r].first[l]);
                if s == r {
                    h += sign[s] * d.dot(&jets[s].second[k][l]);
                }
                hessian[i][j] = h / (speeds[i] * speeds[j]);
            }
        }
        slope = gradient.iter().map(|g| g * g).sum::<f64>().sqrt();
        if n == 0 || slope == 0.0 || last {
            break;
        }
        let before = d.norm_squared();
        let mut step = None;
        while damping < 1e9 {
            let solved = solve(&hessian, &gradient, n, damping);
            if let Some(mut x) = solved {
                let length = x.iter().map(|x| x * x).sum::<f64>().sqrt();
                let shorter = (longest / length.max(f64::MIN_POSITIVE)).min(1.0);
                x.iter_mut()
                    .zip(speeds)
                    .for_each(|(x, s)| *x *= -shorter / s);
                let by =
                    |from: usize, n: usize| [0, 1].map(|k| if k < n { x[from + k] } else { 0.0 });
                let next = [
                    charts[0].moved(&here[0], by(0, n_a)),
                    charts[1].moved(&here[1], by(n_a, n_b)),
                ];
                let after = (next[1].point - next[0].point).norm_squared();
                // Near the end rounding decides which is less; then the step itself counts.
                let tiny = length <= 1e-7 * size && damping < 1e-6;
                if after < before || tiny {
                    step = Some((next, length));
                    break;
                }
            }
            damping = (damping * 10.0).max(1e-9);
        }
        let Some((next, length)) = step else { break };
        here = next;
        damping *= 0.05;
        last = length <= LAST_STEP * size;
    }
    let distance = (here[1].point - here[0].point).norm();
    (slope <= 1e-8 * distance + 1e-13 * size).then_some(here)
}

/// Solves `(h + damping) x = g` by Cholesky's method; `None` if the matrix is not positive definite.
fn solve(h: &[[f64; 4]; 4], g: &[f64; 4], n: usize, damping: f64) -> Option<[f64; 4]> {
    let mut l = [[0.0; 4]; 4];
    for i in 0..n {
        for j in 0..=i {
            let mut sum = h[i][j] + if i == j { damping } else { 0.0 };
            sum -= l[i]
                .iter()
                .zip(l[j])
                .take(j)
                .map(|(x, y)| x * y)
                .sum::<f64>();
            if i == j {
                if sum <= 1e-15 {
                    return None;
                }
                l[i][i] = sum.sqrt();
            } else {
                l[i][j] = sum / l[j][j];
            }
        }
    }
    let mut x = *g;
    for i in 0..n {
        for k in 0..i {
            x[i] -= l[i][k] * x[k];
        }
        x[i] /= l[i][i];
    }
    for i in (0..n).rev() {
        for k in i + 1..n {
            x[i] -= l[k][i] * x[k];
        }
        x[i] /= l[i][i];
    }
    Some(x)
}
