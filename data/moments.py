"""Volume, area, centroid and inertia of solids by exact boundary integrals (Green, Gauss).

A `Mass` holds the moments about the origin, so that solids add and subtract. All integrands are
analytic on each segment, so that Gauss-Legendre with N points is exact to rounding.
"""
import numpy as np

N = 48
X, W = np.polynomial.legendre.leggauss(N)


def nodes(a, b):
    return 0.5 * (b - a) * X + 0.5 * (a + b), 0.5 * (b - a) * W


class Mass:
    """Volume, first moments, second moments (integral of x x^T) about the origin, and area."""

    def __init__(self, volume, first, second, area):
        self.volume, self.area = float(volume), float(area)
        self.first, self.second = np.array(first, float), np.array(second, float)

    def plus(self, other, sign=1, area=None):
        return Mass(self.volume + sign * other.volume, self.first + sign * other.first,
                    self.second + sign * other.second,
                    self.area + other.area if area is None else area)

    def minus(self, other, area=None):
        """Material removed; without `area` the removed part is a void (areas add)."""
        return self.plus(other, -1, area)

    def moved(self, rotation, t):
        r, t = np.array(rotation, float), np.array(t, float)
        f, s = r @ self.first, r @ self.second @ r.T
        return Mass(self.volume, f + self.volume * t,
                    s + np.outer(f, t) + np.outer(t, f) + self.volume * np.outer(t, t), self.area)

    def shifted(self, *t):
        return self.moved(np.eye(3), t)

    def report(self):
        c = self.first / self.volume
        s = self.second - self.volume * np.outer(c, c)
        return dict(volume=self.volume, area=self.area, centroid=c.tolist(),
                    inertia=(np.trace(s) * np.eye(3) - s).tolist())


def line(p, q):
    """Segment: t in [0,1] -> point, derivative."""
    p, q = np.array(p, float), np.array(q, float)
    return (0.0, 1.0, lambda t: np.outer(1 - t, p) + np.outer(t, q), lambda t: np.outer(0 * t + 1, q - p))


def arc(c, r, a, b):
    """Arc of a circle in the plane from angle a to angle b."""
    c = np.array(c, float)
    return (a, b, lambda t: c + r * np.stack([np.cos(t), np.sin(t)], 1),
            lambda t: r * np.stack([-np.sin(t), np.cos(t)], 1))


def spline(curve, knots):
    """Segments of a scipy BSpline in the plane, one per knot span."""
    d = curve.derivative()
    return [(a, b, curve, d) for a, b in zip(knots[:-1], knots[1:])]


def sampled(segments):
    out = []
    for a, b, f, d in segments:
        t, w = nodes(a, b)
        p, v = f(t), d(t)
        out.append((p[:, 0], p[:, 1], v[:, 0] * w, v[:, 1] * w))
    return [np.concatenate(c) for c in zip(*out)]


def revolved(segments):
    """Solid of revolution about z; counterclockwise profile in the (rho, z) half plane."""
    r, z, dr, dz = sampled(segments)
    v = np.pi * np.sum(r**2 * dz)
    rr = np.pi / 2 * np.sum(r**4 * dz) / 2
    return Mass(v, [0, 0, np.pi * np.sum(r**2 * z * dz)],
                np.diag([rr, rr, np.pi * np.sum(r**2 * z**2 * dz)]),
                2 * np.pi * np.sum(np.abs(r) * np.hypot(dr, dz)))


def extruded(segments, z0, z1):
    """Prism over a counterclockwise profile in the xy plane."""
    x, y, dx, dy = sampled(segments)
    a, h = np.sum(x * dy), z1 - z0
    mx, my = np.sum(x**2 * dy) / 2, np.sum(x * y * dy)
    xx, yy, xy = np.sum(x**3 * dy) / 3, np.sum(x * y**2 * dy), np.sum(x**2 * y * dy) / 2
    h1, h2 = (z1**2 - z0**2) / 2, (z1**3 - z0**3) / 3
    return Mass(a * h, [mx * h, my * h, a * h1],
                [[xx * h, xy * h, mx * h1], [xy * h, yy * h, my * h1], [mx * h1, my * h1, a * h2]],
                2 * a + h * np.sum(np.hypot(dx, dy)))


def polygon(*points):
    return [line(p, q) for p, q in zip(points, points[1:] + points[:1])]


def box(lo, hi):
    return extruded(polygon((lo[0], lo[1]), (hi[0], lo[1]), (hi[0], hi[1]), (lo[0], hi[1])), lo[2], hi[2])


def cylinder(r, z0, z1):
    return revolved([line((0, z0), (r, z0)), line((r, z0), (r, z1)), line((r, z1), (0, z1))])


def ball(r):
    return revolved([arc((0, 0), r, -np.pi / 2, np.pi / 2)])


def patches(items):
    """Closed surface given as patches (u0,u1,v0,v1,point(u,v),du,dv) with du x dv pointing out."""
    vol, area, first, second = 0.0, 0.0, np.zeros(3), np.zeros((3, 3))
    for u0, u1, v0, v1, f, fu, fv in items:
        u, wu = nodes(u0, u1)
        v, wv = nodes(v0, v1)
        u, v = (m.ravel() for m in np.meshgrid(u, v, indexing="ij"))
        w = np.outer(wu, wv).ravel()
        p, n = f(u, v), np.cross(fu(u, v), fv(u, v))
        area += np.sum(w * np.linalg.norm(n, axis=1))
        n = n * w[:, None]
        vol += np.sum(p * n) / 3
        first += np.sum(p**2 * n, axis=0) / 2
        for i in range(3):
            for j in range(3):
                second[i, j] += np.sum(p[:, i] ** 2 * p[:, j] * n[:, i]) / (3 if i == j else 2)
    return Mass(vol, first, (second + second.T) / 2, area)
