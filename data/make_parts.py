#!/usr/bin/env python3
"""Make the small test parts in parts/ and golden.json (needs: pip install cadquery numpy scipy).

usage: make_parts.py

Parts a CAD kernel can write come from OCCT; the others are written as text (step_text.py). Golden values are
closed forms (moments.py) where there is one, else OCCT's adaptive integration of the file, and each closed
form is compared with OCCT's reading of the file.
"""
import math
import pathlib
import re

import cadquery as cq
import numpy as np
from OCP.BRep import BRep_Builder
from OCP.BRepBuilderAPI import BRepBuilderAPI_NurbsConvert
from OCP.BRepPrimAPI import BRepPrimAPI_MakePrism, BRepPrimAPI_MakeRevol
from OCP.Interface import Interface_Static
from OCP.STEPCAFControl import STEPCAFControl_Writer
from OCP.STEPControl import STEPControl_AsIs, STEPControl_Writer
from OCP.TCollection import TCollection_ExtendedString
from OCP.TDataStd import TDataStd_Name
from OCP.TDocStd import TDocStd_Document
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS_Compound
from OCP.XCAFDoc import XCAFDoc_DocumentTool
from OCP.gp import gp_Ax1, gp_Dir, gp_Pnt, gp_Trsf, gp_Vec
from scipy.interpolate import BSpline

import moments as mm
from golden import write_golden
from step_text import Step

HERE = pathlib.Path(__file__).resolve().parent
PARTS = HERE / "parts"
PI = math.pi
CLOSED = {}  # part -> (Mass, bbox low, bbox high)
NOTES = {}


def note(name, text, mass=None, lo=None, hi=None):
    NOTES[name] = text
    if mass is not None:
        CLOSED[name] = (mass, lo, hi)


def tidy(path):
    """Fix the time stamp, so that the same geometry gives the same file."""
    s = path.read_text()
    s = re.sub(r"'\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d'", "'2026-01-01T00:00:00'", s, count=1)
    path.write_text(s)


def save(shape, name, unit="MM"):
    shape = getattr(shape, "wrapped", shape)
    writer = STEPControl_Writer()  # first: it registers the parameters
    Interface_Static.SetCVal_s("write.step.unit", unit)
    Interface_Static.SetCVal_s("write.step.product.name", name)
    Interface_Static.SetIVal_s("write.surfacecurve.mode", 0)
    writer = STEPControl_Writer()
    writer.Transfer(shape, STEPControl_AsIs)
    path = PARTS / (name + ".step")
    writer.Write(str(path))
    Interface_Static.SetCVal_s("write.step.unit", "MM")
    tidy(path)


def solid(workplane):
    return workplane.val().wrapped


# ---------------------------------------------------------------- elementary solids
def elementary():
    b = cq.Workplane("XY").box(10, 20, 30, centered=False).translate((1, 2, 3))
    g = (mm.box((1, 2, 3), (11, 22, 33)), (1, 2, 3), (11, 22, 33))
    save(solid(b), "box")
    note("box", "six planes", *g)
    save(solid(b), "box_inch", "INCH")
    note("box_inch", "the same box written in inches", *g)
    S = cq.Solid
    save(S.makeCylinder(5, 20), "cylinder")
    note("cylinder", "seam line, one-vertex circle edges", mm.cylinder(5, 0, 20), (-5, -5, 0), (5, 5, 20))
    save(S.makeCone(6, 0, 10), "cone_apex")
    cone = mm.revolved([mm.line((0, 0), (6, 0)), mm.line((6, 0), (0, 10))])
    note("cone_apex", "cone face ending in its apex", cone, (-6, -6, 0), (6, 6, 10))
    frustum = mm.revolved([mm.line((0, 0), (6, 0)), mm.line((6, 0), (3, 8)), mm.line((3, 8), (0, 8))])
    fg = (frustum, (-6, -6, 0), (6, 6, 8))
    save(S.makeCone(6, 3, 8), "frustum")
    note("frustum", "cone face between two circles", *fg)
    save(S.makeCone(6, 3, 8), "frustum_metre", "M")
    note("frustum_metre", "the same frustum written in metres", *fg)
    save(S.makeSphere(7, cq.Vector(1, 2, 3), angleDegrees1=-90, angleDegrees2=90), "sphere")
    note("sphere", "whole sphere, one face, two poles", mm.ball(7).shifted(1, 2, 3), (-6, -5, -4), (8, 9, 10))
    save(S.makeTorus(10, 3), "torus")
    torus = mm.revolved([mm.arc((10, 0), 3, 0, 2 * PI)])
    note("torus", "whole torus, one face, two seams", torus, (-13, -13, -3), (13, 13, 3))
    for name, shape, text in (("nurbs_cylinder", S.makeCylinder(5, 20), "rational B-splines, exactly a cylinder"),
                              ("nurbs_sphere", S.makeSphere(7, cq.Vector(1, 2, 3), angleDegrees1=-90, angleDegrees2=90),
                               "rational B-splines with degenerate sides"),
                              ("nurbs_torus", S.makeTorus(10, 3), "rational B-spline closed both ways")):
        save(BRepBuilderAPI_NurbsConvert(shape.wrapped).Shape(), name)
        note(name, text, *CLOSED[name[6:]])


# ---------------------------------------------------------------- machined parts
def machined():
    f = cq.Workplane("XY").box(20, 16, 12).edges().fillet(2)
    save(solid(f), "filleted_box")
    r, a, b, c = 2.0, 16.0, 12.0, 8.0  # Minkowski sum of a core box and a ball
    m = mm.box((-a / 2, -b / 2, -c / 2), (a / 2, b / 2, c / 2))
    for axis, (s, t, h) in enumerate(((b, c, a), (a, c, b), (a, b, c))):
        other = [i for i in range(3) if i != axis]
        for sign in (1, -1):  # slabs on the faces
            lo, hi = -np.array([a, b, c]) / 2, np.array([a, b, c]) / 2
            lo[axis], hi[axis] = sorted((sign * h / 2, sign * (h / 2 + r)))
            m = m.plus(mm.box(lo, hi))
        for sx in (0, 1):  # quarter cylinders on the edges
            for sy in (0, 1):
                x0, y0 = (s / 2 if sx else -s / 2), (t / 2 if sy else -t / 2)
                start = {(1, 1): 0, (0, 1): PI / 2, (0, 0): PI, (1, 0): 3 * PI / 2}[sx, sy]
                p = [(x0 + r * math.cos(q), y0 + r * math.sin(q)) for q in (start, start + PI / 2)]
                q = mm.extruded([mm.line((x0, y0), p[0]), mm.arc((x0, y0), r, start, start + PI / 2),
                                 mm.line(p[1], (x0, y0))], -h / 2, h / 2)
                rot = np.zeros((3, 3))
                rot[other[0], 0] = rot[other[1], 1] = rot[axis, 2] = 1
                m = m.plus(q.moved(rot, (0, 0, 0)))
    # the eight octants of a ball, split and moved to the corners: odd moments of one octant
    v, f1, f2, xy = 4 / 3 * PI * r**3, PI * r**4 / 16, 4 / 15 * PI * r**5 / 8, r**5 / 15
    for corner in np.ndindex(2, 2, 2):
        s = np.array(corner) * 2 - 1
        second = np.outer(s, s) * xy
        np.fill_diagonal(second, f2)
        m = m.plus(mm.Mass(v / 8, s * f1, second, 0).shifted(*(s * np.array([a, b, c]) / 2)))
    m.area = 2 * (a * b + b * c + a * c) + 2 * PI * r * (a + b + c) + 4 * PI * r**2
    note("filleted_box", "planes, quarter cylinders, ball corners", m, (-10, -8, -6), (10, 8, 6))

    d = (cq.Workplane("XY").box(30, 20, 10, centered=False)
         .cut(cq.Workplane("XY", origin=(8, 10, 0)).circle(3).extrude(10))
         .cut(cq.Workplane(obj=cq.Solid.makeCylinder(2.5, 5, cq.Vector(21, 9, 5))))
         .cut(cq.Workplane(obj=cq.Solid.makeCone(0, 2.5, 2, cq.Vector(21, 9, 3)))))
    save(solid(d), "drilled_block")
    drill = mm.revolved([mm.line((0, 3), (2.5, 5)), mm.line((2.5, 5), (2.5, 10)), mm.line((2.5, 10), (0, 10))])
    m = mm.box((0, 0, 0), (30, 20, 10)).minus(mm.cylinder(3, 0, 10).shifted(8, 10, 0), area=0)
    m = m.minus(drill.shifted(21, 9, 0), area=2200 - 18 * PI + 60 * PI + drill.area - 2 * 2.5**2 * PI)
    note("drilled_block", "through hole and blind hole with a conical end", m, (0, 0, 0), (30, 20, 10))

    o = cq.Workplane("XY").circle(5).extrude(30).cut(
        cq.Workplane("XY").box(40, 40, 40, centered=(True, True, False)).translate((0, 0, 0))
        .rotate((0, 0, 0), (0, 1, 0), -30).translate((0, 0, 12)))
    save(solid(o), "oblique_cylinder")
    k, h, r = math.tan(math.radians(30)), 12.0, 5.0
    q, w = mm.nodes(0, r)
    t = np.arange(64) * 2 * PI / 64
    x, y = np.outer(q, np.cos(t)).ravel(), np.outer(q, np.sin(t)).ravel()
    da = np.outer(w * q, np.full(64, 2 * PI / 64)).ravel()
    z = h + k * x
    s2 = [[sum(da * z * x * x), sum(da * z * x * y), sum(da * x * z * z / 2)],
          [sum(da * z * x * y), sum(da * z * y * y), sum(da * y * z * z / 2)],
          [sum(da * x * z * z / 2), sum(da * y * z * z / 2), sum(da * z**3 / 3)]]
    m = mm.Mass(sum(da * z), [sum(da * x * z), sum(da * y * z), sum(da * z * z / 2)], s2,
                PI * r * r * (1 + math.sqrt(1 + k * k)) + 2 * PI * r * h)
    note("oblique_cylinder", "ellipse edge of an oblique cut", m, (-5, -5, 0), (5, 5, h + k * r))

    c = cq.Workplane(obj=cq.Solid.makeCone(10, 0, 20)).cut(
        cq.Workplane("XY").box(20, 40, 40).translate((14, 0, 0)))  # plane x = 4, parallel to the axis
    save(solid(c), "cone_hyperbola")
    s, w = mm.nodes(0, math.sqrt(6))  # z = 12 - 2 s^2 makes the chord smooth where it begins
    m = cut_cone(12 - 2 * s * s, 4 * s * w, 4 + 0 * s, 4.0, 1.0)
    tip = mm.revolved([mm.line((0, 12), (4, 12)), mm.line((4, 12), (0, 20))])
    m = m.plus(tip, area=m.area + tip.area - 16 * PI)
    note("cone_hyperbola", "hyperbola edge: cone cut parallel to its axis", m, (-10, -10, 0), (4, 10, 20))
    p = cq.Workplane(obj=cq.Solid.makeCone(10, 0, 20)).cut(
        cq.Workplane("XY").box(40, 60, 80, centered=(False, True, True))
        .rotate((0, 0, 0), (0, 1, 0), -math.degrees(math.atan(0.5))).translate((3, 0, 0)))
    save(solid(p), "cone_parabola")
    s, w = mm.nodes(0, math.sqrt(13))  # z = 13 - s^2
    z = 13 - s * s
    note("cone_parabola", "parabola edge: cone cut parallel to a generator",
         cut_cone(z, 2 * s * w, 3 - z / 2, 3.0, math.sqrt(1.25)), (-10, -10, 0), (3, 10, 13))


def cut_cone(z, dz, c, c0, stretch):
    """The part x < c(z) of the cone of radius 10 - z/2, given quadrature nodes in z, with its base; c0 = c(0)."""
    r = 10 - z / 2
    h = np.sqrt(r * r - c * c)
    p = np.arctan2(h, c)  # half angle of the cap x > c
    area, x1 = PI * r**2 - (r * r * p - c * h), -2 / 3 * h**3
    xx = PI / 4 * r**4 - r**4 / 4 * (p - np.sin(4 * p) / 4)
    yy = PI / 4 * r**4 - 2 / 3 * r**4 * (3 * p / 8 - np.sin(2 * p) / 4 + np.sin(4 * p) / 32)
    i = lambda f: float(np.sum(f * dz))
    p0 = math.acos(c0 / 10)
    base = 100 * PI - (100 * p0 - c0 * math.sqrt(100 - c0 * c0))
    return mm.Mass(i(area), [i(x1), 0, i(area * z)],
                   [[i(xx), 0, i(x1 * z)], [0, i(yy), 0], [i(x1 * z), 0, i(area * z * z)]],
                   base + i(2 * (PI - p) * r * math.sqrt(1.25)) + i(2 * h) * stretch)


# ---------------------------------------------------------------- voids, many solids, seams
def topology():
    ball = lambda r, c=(0, 0, 0): cq.Solid.makeSphere(r, cq.Vector(*c), angleDegrees1=-90, angleDegrees2=90)
    save(cq.Workplane(obj=ball(9)).cut(cq.Workplane(obj=ball(6, (1, 0, 0)))).val(), "hollow_sphere")
    note("hollow_sphere", "BREP_WITH_VOIDS, eccentric spherical void",
         mm.ball(9).minus(mm.ball(6).shifted(1, 0, 0)), (-9, -9, -9), (9, 9, 9))
    b = (cq.Workplane("XY").box(20, 20, 30, centered=False)
         .cut(cq.Workplane("XY").box(10, 10, 8, centered=False).translate((4, 5, 3)))
         .cut(cq.Workplane(obj=ball(5, (10, 10, 22)))))
    save(solid(b), "box_two_voids")
    note("box_two_voids", "BREP_WITH_VOIDS, a box void and a ball void",
         mm.box((0, 0, 0), (20, 20, 30)).minus(mm.box((4, 5, 3), (14, 15, 11)))
         .minus(mm.ball(5).shifted(10, 10, 22)), (0, 0, 0), (20, 20, 30))
    two = TopoDS_Compound()
    builder = BRep_Builder()
    builder.MakeCompound(two)
    builder.Add(two, cq.Solid.makeBox(4, 5, 6).wrapped)
    builder.Add(two, cq.Solid.makeCylinder(2, 7, cq.Vector(12, 0, 0)).wrapped)
    save(two, "two_solids")
    note("two_solids", "two separate solids in one shape",
         mm.box((0, 0, 0), (4, 5, 6)).plus(mm.cylinder(2, 0, 7).shifted(12, 0, 0)), (0, -2, 0), (14, 5, 7))
    s = cq.Workplane("XY").circle(10).extrude(30).cut(
        cq.Workplane("YZ", origin=(0, 0, 15)).circle(3).extrude(20))
    save(solid(s), "seam_hole")
    q, w = mm.nodes(0, 3)  # the hole over its disc in the yz plane: x from 0 to sqrt(100 - y^2)
    t = np.arange(64) * 2 * PI / 64
    y, z = np.outer(q, np.cos(t)).ravel(), np.outer(q, np.sin(t)).ravel()
    da, x = np.outer(w * q, np.full(64, 2 * PI / 64)).ravel(), np.sqrt(100 - y * y)
    i = lambda f: float(np.sum(f * da))
    second = [[i(x**3 / 3), i(x * x * y / 2), i(x * x * z / 2)], [i(x * x * y / 2), i(x * y * y), i(x * y * z)],
              [i(x * x * z / 2), i(x * y * z), i(x * z * z)]]
    rim = 3 * 2 * PI / 64 * float(np.sum(np.sqrt(100 - 9 * np.cos(t) ** 2)))
    hole = mm.Mass(i(x), [i(x * x / 2), i(x * y), i(x * z)], second, rim + 9 * PI - i(10 / x)).shifted(0, 0, 15)
    note("seam_hole", "radial blind hole through the seam of a cylinder, B-spline edge crossing it",
         mm.cylinder(10, 0, 30).minus(hole), (-10, -10, 0), (10, 10, 30))
    n = cq.Workplane("XY").circle(10).extrude(30).cut(cq.Workplane("XY").box(4, 6, 8).translate((10, 0, 15)))
    save(solid(n), "seam_notch")
    t = math.asin(0.3)
    notch = mm.extruded([mm.line((8, 3), (8, -3)), mm.line((8, -3), (10 * math.cos(t), -3)),
                         mm.arc((0, 0), 10, -t, t), mm.line((10 * math.cos(t), 3), (8, 3))], 11, 19)
    m = mm.cylinder(10, 0, 30).minus(notch)
    m.area -= 2 * 8 * 10 * 2 * t
    note("seam_notch", "notch across the seam of a cylinder, lines and arcs", m, (-10, -10, 0), (10, 10, 30))


# ---------------------------------------------------------------- free-form
def freeform():
    profile = [(4, 0), (7, 3), (3, 7), (5, 12)]
    edge = cq.Edge.makeSpline([cq.Vector(x, 0, z) for x, z in profile])
    wire = cq.Wire.assembleEdges([edge] + [cq.Edge.makeLine(cq.Vector(*p), cq.Vector(*q)) for p, q in (
        ((5, 0, 12), (0, 0, 12)), ((0, 0, 12), (0, 0, 0)), ((0, 0, 0), (4, 0, 0)))])
    face = cq.Face.makeFromWires(wire)
    save(BRepPrimAPI_MakeRevol(face.wrapped, gp_Ax1(gp_Pnt(0, 0, 0), gp_Dir(0, 0, 1))).Shape(), "revolved_spline")
    curve = spline_of(edge, (0, 2))
    note("revolved_spline", "SURFACE_OF_REVOLUTION with a spline profile",
         mm.revolved([mm.line((0, 0), (4, 0))] + mm.spline(*curve) + [mm.line((5, 12), (0, 12))]))
    edge = cq.Edge.makeSpline([cq.Vector(*p) for p in ((0, 0), (4, 5), (10, 3), (15, 6))])
    wire = cq.Wire.assembleEdges([edge] + [cq.Edge.makeLine(cq.Vector(*p), cq.Vector(*q)) for p, q in (
        ((15, 6), (15, -4)), ((15, -4), (0, -4)), ((0, -4), (0, 0)))])
    face = cq.Face.makeFromWires(wire)
    save(BRepPrimAPI_MakePrism(face.wrapped, gp_Vec(0, 0, 9)).Shape(), "extruded_spline")
    curve, knots = spline_of(edge, (0, 1))
    back = [(b, a, f, d) for a, b, f, d in mm.spline(curve, knots)][::-1]
    note("extruded_spline", "SURFACE_OF_LINEAR_EXTRUSION with a spline profile",
         mm.extruded([mm.line((0, 0), (0, -4)), mm.line((0, -4), (15, -4)), mm.line((15, -4), (15, 6))] + back, 0, 9))
    grid = [[cq.Vector(6 * i, 6 * j, 1.5 * math.sin(0.9 * i) * math.cos(0.7 * j)) for j in range(5)] for i in range(5)]
    save(cq.Face.makeSplineApprox(grid, tol=1e-2, minDeg=3, maxDeg=5).thicken(2.0).wrapped, "offset_plate")
    note("offset_plate", "thickened B-spline face: OFFSET_SURFACE opposite a B-spline")
    loft = (cq.Workplane("XY").ellipse(8, 5).workplane(offset=10).ellipse(5, 6)
            .workplane(offset=10).center(2, 0).ellipse(7, 4).loft())
    save(solid(loft), "loft")
    note("loft", "B-spline loft through three ellipses")


def spline_of(edge, axes):
    """The planar scipy BSpline and distinct knots of an OCCT B-spline edge."""
    c = edge._geomAdaptor().BSpline()
    knots = [c.Knot(i + 1) for i in range(c.NbKnots())]
    full = [k for i, k in enumerate(knots) for _ in range(c.Multiplicity(i + 1))]
    poles = np.array([[getattr(c.Pole(i + 1), "XYZ"[a])() for a in axes] for i in range(c.NbPoles())])
    return BSpline(np.array(full), poles, c.Degree()), knots


def lemon_mass():
    a = math.acos(0.6)  # spindle torus 3, 5: the inner arc, seen on the side rho > 0
    return mm.revolved([mm.arc((-3, 0), 5, -(PI / 2 - math.asin(0.6)), a)])


# ---------------------------------------------------------------- assembly
def assembly():
    doc = TDocStd_Document(TCollection_ExtendedString("brepcd"))
    tool = XCAFDoc_DocumentTool.ShapeTool_s(doc.Main())
    peg = cq.Workplane("XY").circle(2).extrude(8).faces(">Z").workplane().rect(6, 3).extrude(2)
    plate = cq.Workplane(obj=cq.Solid.makeBox(40, 20, 3, cq.Vector(-20, -10, -1.5)))

    def place(angle, *t):
        tr = gp_Trsf()
        tr.SetRotation(gp_Ax1(gp_Pnt(0, 0, 0), gp_Dir(0, 0, 1)), math.radians(angle))
        tr.SetTranslationPart(gp_Vec(*t))
        return TopLoc_Location(tr)

    def tilt(*t):  # turns z into x
        tr = gp_Trsf()
        tr.SetRotation(gp_Ax1(gp_Pnt(0, 0, 0), gp_Dir(0, 1, 0)), PI / 2)
        tr.SetTranslationPart(gp_Vec(*t))
        return TopLoc_Location(tr)

    def named(label, name):
        TDataStd_Name.Set_s(label, TCollection_ExtendedString(name))
        return label

    l_peg = named(tool.AddShape(solid(peg), False), "peg")
    l_plate = named(tool.AddShape(solid(plate), False), "plate")
    l_pair = named(tool.NewShape(), "pair")
    named(tool.AddComponent(l_pair, l_peg, place(0, -10, 0, 0)), "peg left")
    named(tool.AddComponent(l_pair, l_peg, place(90, 10, 0, 0)), "peg right")
    l_root = named(tool.NewShape(), "fixture")
    named(tool.AddComponent(l_root, l_plate, place(0, 0, 0, 1.5)), "base")
    named(tool.AddComponent(l_root, l_pair, place(0, 0, 0, 3)), "upper pair")
    named(tool.AddComponent(l_root, l_pair, tilt(25, 0, 20)), "side pair")
    tool.UpdateAssemblies()
    writer = STEPCAFControl_Writer()
    writer.Transfer(doc, STEPControl_AsIs)
    writer.Write(str(PARTS / "assembly.step"))
    tidy(PARTS / "assembly.step")
    m = mm.cylinder(2, 0, 8).plus(mm.box((-3, -1.5, 8), (3, 1.5, 10)))
    # the head (6 x 3) does not cover the shaft (diameter 4): circle strip of half height 1.5 stays covered
    strip = 2 * (1.5 * math.sqrt(4 - 1.5**2) + 4 * math.asin(0.75))
    m.area -= 2 * strip
    turn = lambda r, *t: lambda q: q.moved(r, t)
    rz = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
    ry = [[0, 0, 1], [0, 1, 0], [-1, 0, 0]]
    pair = m.shifted(-10, 0, 0).plus(turn(rz, 10, 0, 0)(m))
    total = mm.box((-20, -10, 0), (20, 10, 3)).plus(pair.shifted(0, 0, 3)).plus(turn(ry, 25, 0, 20)(pair))
    note("assembly", "plate and four instances of one peg: two in a sub-assembly that is placed twice, one tilted",
         total, (-20, -10, 0), (35, 10, 33))
    # side pair: pegs at x' = -10 and 10 become z = 30 and 10; heads reach z = 33 and x = 35


# ---------------------------------------------------------------- written by hand
def handwritten():
    s = Step("seamless_cylinder")
    v0, v1 = s.vertex((5, 0, 0)), s.vertex((5, 0, 12))
    e0, e1 = s.edge(s.circle(5), v0, v0), s.edge(s.circle(5, (0, 0, 12)), v1, v1)
    s.face(s.surface("CYLINDRICAL_SURFACE", s.axis(), 5), [s.loop(e0), s.loop("-" + e1)])
    s.face(s.plane((0, 0, 0)), [s.loop("-" + e0)], same=False, outer=True)
    s.face(s.plane((0, 0, 12)), [s.loop(e1)], outer=True)
    s.write(PARTS / "seamless_cylinder.step")
    note("seamless_cylinder", "lateral face with two circle loops and no seam edge",
         mm.cylinder(5, 0, 12), (-5, -5, 0), (5, 5, 12))

    s = Step("seamless_pocket")
    R, r, a = 10.0, 7.0, 0.5
    corner = [(-a, 6), (a, 6), (a, 14), (-a, 14)]
    xyz = lambda q, uz: (q * math.cos(uz[0]), q * math.sin(uz[0]), uz[1])
    A, B = [[s.vertex(xyz(q, c)) for c in corner] for q in (R, r)]
    sides = []
    for q, V in ((R, A), (r, B)):
        sides.append((s.edge(s.circle(q, (0, 0, 6)), V[0], V[1]), s.edge(s.circle(q, (0, 0, 14)), V[3], V[2]),
                      s.edge(s.line(xyz(q, corner[0]), xyz(q, corner[3])), V[0], V[3]),
                      s.edge(s.line(xyz(q, corner[1]), xyz(q, corner[2])), V[1], V[2])))
    (eb, et, el, er), (fb, ft, fl, fr) = sides
    r0, r1, r2, r3 = [s.edge(s.line(xyz(r, corner[i]), xyz(R, corner[i])), B[i], A[i]) for i in range(4)]
    v0, v1 = s.vertex((R, 0, 0)), s.vertex((R, 0, 20))
    e0, e1 = s.edge(s.circle(R), v0, v0), s.edge(s.circle(R, (0, 0, 20)), v1, v1)
    s.face(s.surface("CYLINDRICAL_SURFACE", s.axis(), R),
           [s.loop(e0), s.loop("-" + e1), s.loop(el, et, "-" + er, "-" + eb)])
    s.face(s.plane((0, 0, 0)), [s.loop("-" + e0)], same=False, outer=True)
    s.face(s.plane((0, 0, 20)), [s.loop(e1)], outer=True)
    s.face(s.surface("CYLINDRICAL_SURFACE", s.axis(), r), [s.loop(fb, fr, "-" + ft, "-" + fl)], outer=True)
    s.face(s.plane((0, 0, 6)), [s.loop(r0, eb, "-" + r1, "-" + fb)], outer=True)
    s.face(s.plane((0, 0, 14), (0, 0, -1)), [s.loop(ft, r2, "-" + et, "-" + r3)], outer=True)
    s.face(s.plane((0, 0, 0), (math.sin(a), math.cos(a), 0), (0, 0, 1)),
           [s.loop(fl, r3, "-" + el, "-" + r0)], outer=True)
    s.face(s.plane((0, 0, 0), (math.sin(a), -math.cos(a), 0), (0, 0, 1)),
           [s.loop(er, "-" + r2, "-" + fr, r1)], outer=True)
    s.write(PARTS / "seamless_pocket.step")
    p = lambda q, t: (q * math.cos(t), q * math.sin(t))
    pocket = mm.extruded([mm.line(p(r, -a), p(R, -a)), mm.arc((0, 0), R, -a, a), mm.line(p(R, a), p(r, a)),
                          mm.arc((0, 0), r, a, -a)], 6, 14)
    m = mm.cylinder(R, 0, 20).minus(pocket)
    m.area -= 2 * 8 * R * 2 * a
    note("seamless_pocket", "no seam edge, and a window loop across u = 0", m, (-R, -R, 0), (R, R, 20))

    s = Step("sphere_vertex_loop")
    s.face(s.surface("SPHERICAL_SURFACE", s.axis(), 4), [s.vertex_loop((0, 0, 4))])
    s.write(PARTS / "sphere_vertex_loop.step")
    note("sphere_vertex_loop", "whole sphere bounded by a VERTEX_LOOP", mm.ball(4), (-4, -4, -4), (4, 4, 4))
    s = Step("torus_vertex_loop")
    s.face(s.surface("TOROIDAL_SURFACE", s.axis(), 6, 2), [s.vertex_loop((8, 0, 0))])
    s.write(PARTS / "torus_vertex_loop.step")
    note("torus_vertex_loop", "whole torus bounded by a VERTEX_LOOP",
         mm.revolved([mm.arc((6, 0), 2, 0, 2 * PI)]), (-8, -8, -2), (8, 8, 2))
    s = Step("cone_vertex_loop")
    v = s.vertex((6, 0, 0))
    e = s.edge(s.circle(6), v, v)
    s.face(s.surface("CONICAL_SURFACE", s.axis((0, 0, 0), (0, 0, -1)), 6, math.atan(0.6)),
           [s.loop(e), s.vertex_loop((0, 0, 10))])
    s.face(s.plane((0, 0, 0), (0, 0, -1)), [s.loop("-" + e)], outer=True)
    s.write(PARTS / "cone_vertex_loop.step")
    note("cone_vertex_loop", "cone whose apex is a VERTEX_LOOP, no seam edge", *CLOSED["cone_apex"])
    s = Step("frustum_degrees", degrees=True)
    v0, v1 = s.vertex((6, 0, 0)), s.vertex((3, 0, 8))
    e0, e1 = s.edge(s.circle(6), v0, v0), s.edge(s.circle(3, (0, 0, 8), (0, 0, -1)), v1, v1)
    s.face(s.surface("CONICAL_SURFACE", s.axis((0, 0, 8), (0, 0, -1)), 3, math.degrees(math.atan(3 / 8))),
           [s.loop(e0), s.loop(e1)])
    s.face(s.plane((0, 0, 0), (0, 0, -1)), [s.loop("-" + e0)], outer=True)
    s.face(s.plane((0, 0, 8)), [s.loop("-" + e1)], outer=True)
    s.write(PARTS / "frustum_degrees.step")
    note("frustum_degrees", "angles in degrees, no seam edge", *CLOSED["frustum"])

    a = math.acos(-0.6)
    for name, outer, start, end, same in (("lemon", ".F.", 4, -4, False), ("apple", ".T.", -4, 4, True)):
        s = Step(name)
        v0, v1 = s.vertex((0, 0, start)), s.vertex((0, 0, end))
        e = s.edge(s.circle(5, (3, 0, 0), (0, -1, 0)), v0, v1)
        s.face(s.surface("DEGENERATE_TOROIDAL_SURFACE", s.axis(), 3, 5, outer),
               [s.loop(e, "-" + e)], same=same, outer=True)
        s.write(PARTS / (name + ".step"))
    note("lemon", "DEGENERATE_TOROIDAL_SURFACE, inner part of a spindle torus", lemon_mass(), (-2, -2, -4), (2, 2, 4))
    s = Step("lemon_revolved")
    v0, v1 = s.vertex((0, 0, -4)), s.vertex((0, 0, 4))
    arc = s.circle(5, (-3, 0, 0), (0, -1, 0))
    e = s.edge(arc, v0, v1)
    end = math.acos(0.6)
    profile = s.add("TRIMMED_CURVE('',%s,(PARAMETER_VALUE(%r)),(PARAMETER_VALUE(%r)),.T.,.PARAMETER.)" % (arc, -end, end))
    axis = s.add("AXIS1_PLACEMENT('',%s,%s)" % (s.point((0, 0, 0)), s.direction((0, 0, 1))))
    s.face(s.add("SURFACE_OF_REVOLUTION('',%s,%s)" % (profile, axis)), [s.loop(e, "-" + e)], outer=True)
    s.write(PARTS / "lemon_revolved.step")
    note("lemon_revolved", "the lemon as a SURFACE_OF_REVOLUTION of a TRIMMED_CURVE ending on the axis",
         lemon_mass(), (-2, -2, -4), (2, 2, 4))
    note("apple", "DEGENERATE_TOROIDAL_SURFACE, outer part of a spindle torus",
         mm.revolved([mm.arc((3, 0), 5, -a, 0), mm.arc((3, 0), 5, 0, a)]), (-8, -8, -5), (8, 8, 5))

    # closed cubic with uniform knots of multiplicity one: the domain is [0, 8], the knots run from -3 to 11
    ring = [(7, 0), (6, 5), (0, 6), (-5, 7), (-8, 0), (-4, -5), (1, -3), (6, -6)]
    poles = ring + ring[:3]
    knots = list(range(-3, 12))
    curve = BSpline(np.array(knots, float), np.array(poles, float), 3)
    x0, y0 = curve(0.0)
    s = Step("unclamped_prism")
    v0, v1 = s.vertex((x0, y0, 0)), s.vertex((x0, y0, 10))
    edge = lambda z, v: s.edge(s.bspline_curve(3, [(x, y, z) for x, y in poles], [1] * 15, knots, True), v, v)
    e0, e1 = edge(0, v0), edge(10, v1)
    seam = s.edge(s.line((x0, y0, 0), (x0, y0, 10)), v0, v1)
    net = [[(x, y, 0), (x, y, 10)] for x, y in poles]
    s.face(s.bspline_surface((3, 1), net, (True, False), ([1] * 15, [2, 2]), (knots, [0, 1])),
           [s.loop(e0, seam, "-" + e1, "-" + seam)], outer=True)
    s.face(s.plane((0, 0, 0), (0, 0, -1)), [s.loop("-" + e0)], outer=True)
    s.face(s.plane((0, 0, 10)), [s.loop(e1)], outer=True)
    s.write(PARTS / "unclamped_prism.step")
    note("unclamped_prism", "closed B-spline with unclamped (periodic) uniform knots",
         mm.extruded(mm.spline(curve, list(range(9))), 0, 10))

    nu, nv = 8, 6
    P = np.array([[((12 + 5 * math.cos(2 * PI * j / nv)) * math.cos(2 * PI * i / nu),
                    (10 + 5 * math.cos(2 * PI * j / nv)) * math.sin(2 * PI * i / nu),
                    5 * math.sin(2 * PI * j / nv) + 2 * math.cos(4 * PI * i / nu)) for j in range(nv + 3)]
                  for i in range(nu + 3)])
    P[nu:] = P[:3]
    P[:, nv:] = P[:, :3]
    ku, kv = list(range(-3, nu + 4)), list(range(-3, nv + 4))

    def ev(u, v, du=0, dv=0):
        bu, bv = [BSpline(np.array(k, float), np.eye(n), 3)(t, nu=d)
                  for k, n, t, d in ((ku, nu + 3, u, du), (kv, nv + 3, v, dv))]
        return np.einsum("ki,kj,ijc->kc", bu, bv, P)

    iso = lambda k, pts: (3, [tuple(p) for p in pts], [1] * len(k), k, True)
    w = np.array([1, 4, 1]) / 6  # the cubic uniform basis at a knot
    s = Step("unclamped_ring")
    v = s.vertex(ev(np.array([0.0]), np.array([0.0]))[0])
    eu = s.edge(s.bspline_curve(*iso(ku, np.einsum("j,ijc->ic", w, P[:, :3]))), v, v)
    e_v = s.edge(s.bspline_curve(*iso(kv, np.einsum("i,ijc->jc", w, P[:3]))), v, v)
    s.face(s.bspline_surface((3, 3), [[tuple(q) for q in row] for row in P], (True, True),
                             ([1] * len(ku), [1] * len(kv)), (ku, kv)),
           [s.loop(eu, e_v, "-" + eu, "-" + e_v)], outer=True)
    s.write(PARTS / "unclamped_ring.step")
    note("unclamped_ring", "one B-spline face closed both ways, unclamped knots both ways",
         mm.patches([(i, i + 1, j, j + 1, ev, lambda u, v: ev(u, v, 1), lambda u, v: ev(u, v, 0, 1))
                     for i in range(nu) for j in range(nv)]))


if __name__ == "__main__":
    PARTS.mkdir(exist_ok=True)
    for make in (elementary, machined, topology, freeform, assembly, handwritten):
        make()
    write_golden(HERE, CLOSED, NOTES)
