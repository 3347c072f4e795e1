"""Golden values of the parts: OCCT's reading of each file, closed forms, and a census of the STEP text."""
import json
import math
import re

from OCP.BRepBndLib import BRepBndLib
from OCP.BRepCheck import BRepCheck_Analyzer
from OCP.BRepGProp import BRepGProp
from OCP.Bnd import Bnd_Box
from OCP.GProp import GProp_GProps
from OCP.STEPControl import STEPControl_Reader
from OCP.TopAbs import TopAbs_SOLID
from OCP.TopExp import TopExp_Explorer

EPS = 1e-10
FACES = {"PLANE": "plane", "CYLINDRICAL_SURFACE": "cylinder", "CONICAL_SURFACE": "cone",
         "SPHERICAL_SURFACE": "sphere", "TOROIDAL_SURFACE": "torus", "DEGENERATE_TOROIDAL_SURFACE": "torus",
         "SURFACE_OF_REVOLUTION": "revolution", "SURFACE_OF_LINEAR_EXTRUSION": "extrusion",
         "OFFSET_SURFACE": "offset"}
EDGES = {"LINE": "line", "CIRCLE": "circle", "ELLIPSE": "ellipse"}


def census(path):
    """Distinct faces, edges and solids of a STEP file, counted in its text."""
    text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S).replace("\n", " ")
    rows = {}
    for m in re.finditer(r"#(\d+)\s*=\s*(.*?);(?=\s*(?:#\d+\s*=|ENDSEC))", text):
        rows[m[1]] = m[2].strip()
    kind = lambda i: re.match(r"\(?\s*([A-Z0-9_]*)", rows[i])[1]

    def name(i, table, other):
        if "B_SPLINE" in rows[i] or kind(i).startswith("B_SPLINE"):
            return "bspline"
        if kind(i) in ("SURFACE_CURVE", "SEAM_CURVE", "TRIMMED_CURVE"):
            return name(re.search(r"#(\d+)", rows[i])[1], table, other)
        return table.get(kind(i), other)

    def count(values):
        out = {}
        for v in values:
            out[v] = out.get(v, 0) + 1
        return dict(sorted(out.items()))

    faces = [name(re.findall(r"#(\d+)", r)[-1], FACES, "other") for i, r in rows.items() if kind(i) == "ADVANCED_FACE"]
    edges = [name(re.findall(r"#(\d+)", r)[2], EDGES, "other") for i, r in rows.items() if kind(i) == "EDGE_CURVE"]
    solids = sum(kind(i) in ("MANIFOLD_SOLID_BREP", "BREP_WITH_VOIDS") for i in rows)
    return solids, count(faces), count(edges)


def report(v, a):
    m, c = v.MatrixOfInertia(), v.CentreOfMass()
    return dict(volume=v.Mass(), area=a.Mass(), centroid=[c.X(), c.Y(), c.Z()],
                inertia=[[m.Value(i, j) for j in (1, 2, 3)] for i in (1, 2, 3)])


def occt(path):
    reader = STEPControl_Reader()
    reader.ReadFile(str(path))
    reader.TransferRoots()
    shape = reader.OneShape()
    v, a, box = GProp_GProps(), GProp_GProps(), Bnd_Box()
    ev = BRepGProp.VolumeProperties_s(shape, v, EPS, False, False)
    plain, plain_a = GProp_GProps(), GProp_GProps()  # the fixed-order rule, as an independent estimate
    BRepGProp.VolumeProperties_s(shape, plain, False, False, False)
    BRepGProp.SurfaceProperties_s(shape, plain_a, False, False)
    ea = BRepGProp.SurfaceProperties_s(shape, a, EPS, False)
    BRepBndLib.AddOptimal_s(shape, box, False, False)
    lo, hi = box.CornerMin(), box.CornerMax()
    gap = box.GetGap()
    solids, ex = 0, TopExp_Explorer(shape, TopAbs_SOLID)
    while ex.More():
        solids += 1
        ex.Next()
    values = report(v, a)
    return dict(**values, spread=difference(values, report(plain, plain_a)),
                bbox=[[x + gap for x in (lo.X(), lo.Y(), lo.Z())], [x - gap for x in (hi.X(), hi.Y(), hi.Z())]],
                solids=solids, valid=BRepCheck_Analyzer(shape).IsValid(), error=max(ev, ea))


def difference(a, b):
    """Largest relative difference of volume, area, centroid and inertia (lengths scaled by the volume)."""
    if a["volume"] == 0 or a["area"] == 0:
        return None
    size = abs(a["volume"]) ** (1 / 3)
    flat = lambda m: [x for r in m for x in r]
    ia, ib = flat(a["inertia"]), flat(b["inertia"])
    return dict(volume=abs(a["volume"] - b["volume"]) / abs(a["volume"]), area=abs(a["area"] - b["area"]) / a["area"],
                centroid=math.dist(a["centroid"], b["centroid"]) / size, inertia=math.dist(ia, ib) / math.hypot(*ia))


def write_golden(here, closed, notes):
    files = [(n, here / "parts" / (n + ".step")) for n in sorted(notes)]
    files += [(p.stem, p) for p in sorted((here / "scenes").glob("*.step"))]
    out = {}
    for name, path in files:
        o = occt(path)
        entry = {"file": str(path.relative_to(here).as_posix())}
        if name in notes:
            entry["what"] = notes[name]
        distinct, faces, edges = census(path)
        if name in closed:
            mass, lo, hi = closed[name]
            entry.update(source="closed form", **mass.report())
            entry["occt_difference"] = difference(entry, o)
            entry["bbox"] = o["bbox"] if lo is None else [list(map(float, lo)), list(map(float, hi))]
            entry["bbox_source"] = "OCCT optimal" if lo is None else "closed form"
            if lo is not None:
                d = max(abs(x - y) for p, q in zip(entry["bbox"], o["bbox"]) for x, y in zip(p, q))
                entry["occt_difference"]["bbox_mm"] = d
        else:
            entry.update(source="OCCT adaptive", occt_error=o["error"], occt_spread=o["spread"], bbox_source="OCCT optimal",
                         **{k: o[k] for k in ("volume", "area", "centroid", "inertia", "bbox")})
        entry.update(solids=distinct, instances=o["solids"], faces=faces, edges=edges, occt_valid=o["valid"])
        out[name] = entry
        d = entry.get("occt_difference", o["spread"])
        print("%-20s %-14s V %-14.8g A %-14.8g %s %s" % (name, entry["source"], entry["volume"], entry["area"],
              " ".join("%s %.0e" % kv for kv in d.items()),
              "" if o["valid"] else "INVALID in OCCT"), faces, edges, distinct, o["solids"], flush=True)
    text = json.dumps({"unit": "mm", "density": 1, "parts": out}, indent=1)
    text = re.sub(r"\[\s+([-\d.e+,\s]+?)\s+\]", lambda m: "[" + re.sub(r"\s+", " ", m[1]) + "]", text)
    (here / "golden.json").write_text(text + "\n")
