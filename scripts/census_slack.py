#!/usr/bin/env python3
"""How far real files leave their areas open, and how far OCCT's parameter curves stray (needs: pip install cadquery).

usage: census_slack.py FACES_EXAMPLE DIR [FILE...]

Edges of real files do not lie exactly on their faces. `ours` is what brepcd's area may vary by for that reason: the sum
over all borders of the distance between edge and surface, times length. `occt` is the same for OCCT, whose area follows
its own parameter curves: distance between them and the edges, times length, plus what its wires leave open in the
parameter plane. Where |brepcd - OCCT| is above 1e-6 but below `occt`, the difference is OCCT's approximation.
All figures relative to the area. FACES_EXAMPLE is the built example `faces` of the crate brepcd.
"""
import pathlib
import subprocess
import sys

from OCP.BRep import BRep_Tool
from OCP.BRepAdaptor import BRepAdaptor_Curve, BRepAdaptor_Curve2d, BRepAdaptor_Surface
from OCP.BRepGProp import BRepGProp
from OCP.BRepTools import BRepTools_WireExplorer
from OCP.GProp import GProp_GProps
from OCP.Message import Message, Message_Gravity
from OCP.STEPControl import STEPControl_Reader
from OCP.TopAbs import TopAbs_FACE, TopAbs_FORWARD, TopAbs_WIRE
from OCP.TopExp import TopExp, TopExp_Explorer
from OCP.TopoDS import TopoDS
from OCP.TopTools import TopTools_IndexedMapOfShape

SAMPLES = 24


def occt(path):
    reader = STEPControl_Reader()
    reader.ReadFile(str(path))
    reader.TransferRoots()
    faces = TopTools_IndexedMapOfShape()
    TopExp.MapShapes_s(reader.OneShape(), TopAbs_FACE, faces)
    area = slack = 0.0
    for i in range(1, faces.Extent() + 1):
        face = TopoDS.Face_s(faces.FindKey(i))
        props = GProp_GProps()
        BRepGProp.SurfaceProperties_s(face, props, 1e-7)
        area += props.Mass()
        surface = BRepAdaptor_Surface(face)
        wires = TopExp_Explorer(face, TopAbs_WIRE)
        while wires.More():
            slack += wire_slack(TopoDS.Wire_s(wires.Current()), face, surface, props.Mass())
            wires.Next()
    return area, slack


def wire_slack(wire, face, surface, area):
    slack, first, last = 0.0, None, None
    edges = BRepTools_WireExplorer(wire, face)
    size = max(area, 0.0) ** 0.5
    while edges.More():
        edge = edges.Current()
        flat = BRepAdaptor_Curve2d(edge, face)
        a, b = flat.FirstParameter(), flat.LastParameter()
        ts = [a + (b - a) * k / SAMPLES for k in range(SAMPLES + 1)]
        on = [surface.Value(p.X(), p.Y()) for p in map(flat.Value, ts)]
        if not BRep_Tool.Degenerated_s(edge):
            curve = BRepAdaptor_Curve(edge)
            true = [curve.Value(t) for t in ts]
            length = sum(p.Distance(q) for p, q in zip(true, true[1:]))
            slack += max(p.Distance(q) for p, q in zip(on, true)) * length
        ends = (on[0], on[-1]) if edge.Orientation() == TopAbs_FORWARD else (on[-1], on[0])
        if last is not None:
            slack += last.Distance(ends[0]) * size
        first, last = first or ends[0], ends[1]
        edges.Next()
    return slack + (last.Distance(first) * size if last is not None else 0.0)


def main():
    for printer in Message.DefaultMessenger_s().Printers():
        printer.SetTraceLevel(Message_Gravity.Message_Fail)
    example, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    names = sys.argv[3:] or sorted(p.name for p in folder.iterdir() if p.suffix.lower() in (".stp", ".step"))
    print(f"{'file':52} {'area':>9} {'ours':>9} {'occt':>9}")
    for name in names:
        text = subprocess.run([example, str(folder / name)], capture_output=True, text=True, check=True).stdout
        rows = [line.split() for line in text.splitlines()]
        ours = sum(float(r[3]) for r in rows)
        theirs, slack = occt(folder / name)
        print(f"{name:52} {abs(ours - theirs) / theirs:9.1e} {sum(float(r[4]) for r in rows) / ours:9.1e} {slack / theirs:9.1e}", flush=True)


main()
