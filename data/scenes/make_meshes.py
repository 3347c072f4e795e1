#!/usr/bin/env python3
"""Triangle meshes of the scene parts for the mesh engines that the benches compare with (needs: pip install cadquery-ocp numpy).

usage: make_meshes.py [DIR] [--samples 2000]

Writes DIR/S_fixed.ply and DIR/S_mobile.ply for each scene S: BRepMesh at a chord error equal to the gap of the scene and an
angle of at most 1 rad (so coarse that the chord decides), vertices of neighbouring faces welded, normals outward, in mm, as
binary PLY. Prints how good they are: open edges, volume beside the exact one, and the largest distance from the exact
boundary of random points of the triangles.
"""
import argparse
import json
import pathlib

import numpy as np
from OCP.BRep import BRep_Builder, BRep_Tool
from OCP.BRepBuilderAPI import BRepBuilderAPI_MakeVertex
from OCP.BRepExtrema import BRepExtrema_DistShapeShape
from OCP.BRepGProp import BRepGProp
from OCP.BRepMesh import BRepMesh_IncrementalMesh
from OCP.gp import gp_Pnt
from OCP.GProp import GProp_GProps
from OCP.STEPControl import STEPControl_Reader
from OCP.TopAbs import TopAbs_FACE, TopAbs_REVERSED
from OCP.TopExp import TopExp_Explorer
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS, TopoDS_Compound

ANGLE = 1.0        # rad, between normals of neighbouring triangles
WELD = 1e-6        # mm, vertices of neighbouring faces closer than this are one


def load(path):
    reader = STEPControl_Reader()
    if int(reader.ReadFile(str(path))) != 1:
        raise IOError(path)
    reader.TransferRoots()
    return reader.OneShape()


def tessellate(shape, chord):
    """Welded vertices and outward triangles."""
    BRepMesh_IncrementalMesh(shape, chord, False, ANGLE, False)
    points, triangles = [], []
    faces = TopExp_Explorer(shape, TopAbs_FACE)
    while faces.More():
        face = TopoDS.Face_s(faces.Current())
        place, first = TopLoc_Location(), len(points)
        mesh = BRep_Tool.Triangulation_s(face, place)
        for i in range(1, mesh.NbNodes() + 1):
            p = mesh.Node(i).Transformed(place.Transformation())
            points.append((p.X(), p.Y(), p.Z()))
        turn = -1 if face.Orientation() == TopAbs_REVERSED else 1
        for i in range(1, mesh.NbTriangles() + 1):
            triangles.append([first + k - 1 for k in mesh.Triangle(i).Get()[::turn]])
        faces.Next()
    points, triangles = np.array(points), np.array(triangles)
    keys = np.round(points / WELD).astype(np.int64)
    _, first, welded = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    triangles = welded.ravel()[triangles]
    a, b, c = triangles.T
    return points[first], triangles[(a != b) & (b != c) & (c != a)]


def open_edges(triangles):
    """How many directed edges have no opposite one."""
    edges = np.concatenate([triangles[:, [i, (i + 1) % 3]] for i in range(3)])
    there, back = {tuple(e) for e in edges}, {tuple(e[::-1]) for e in edges}
    return len(there - back) + len(edges) - len(there)


def volume(points, triangles):
    a, b, c = (points[triangles[:, i]] for i in range(3))
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6)


def exact_volume(shape):
    props = GProp_GProps()
    BRepGProp.VolumeProperties_s(shape, props, 1e-6)
    return props.Mass()


def chord_error(shape, points, triangles, samples):
    """Largest distance from the boundary of random points, one in each of as many triangles."""
    rng = np.random.default_rng(1)
    boundary, builder = TopoDS_Compound(), BRep_Builder()
    builder.MakeCompound(boundary)
    faces = TopExp_Explorer(shape, TopAbs_FACE)
    while faces.More():
        builder.Add(boundary, faces.Current())
        faces.Next()
    worst = 0.0
    for i in rng.permutation(len(triangles))[:samples]:
        x, y = sorted(rng.random(2))
        p = np.array([x, y - x, 1 - y]) @ points[triangles[i]]
        vertex = BRepBuilderAPI_MakeVertex(gp_Pnt(*map(float, p))).Vertex()
        worst = max(worst, BRepExtrema_DistShapeShape(vertex, boundary).Value())
    return worst


def write_ply(path, points, triangles):
    header = ("ply\nformat binary_little_endian 1.0\ncomment made by make_meshes.py, mm\n"
              f"element vertex {len(points)}\nproperty float x\nproperty float y\nproperty float z\n"
              f"element face {len(triangles)}\nproperty list uchar int vertex_indices\nend_header\n")
    rows = np.empty(len(triangles), dtype=[("count", "u1"), ("index", "<i4", 3)])
    rows["count"], rows["index"] = 3, triangles
    path.write_bytes(header.encode() + points.astype("<f4").tobytes() + rows.tobytes())


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("dir", nargs="?", default=pathlib.Path(__file__).parent, type=pathlib.Path)
    ap.add_argument("--samples", type=int, default=2000, help="points at which the chord error is measured")
    args = ap.parse_args()
    print("| part | chord (mm) | vertices | triangles | open edges | volume error | worst distance (mm) |")
    print("|---|---|---|---|---|---|---|")
    for scene in ("coneplug", "hotstab"):
        gap = json.loads((args.dir / f"{scene}.json").read_text())["gap"]
        for which in ("fixed", "mobile"):
            name = f"{scene}_{which}"
            shape = load(args.dir / f"{name}.step")
            exact = exact_volume(shape)
            points, triangles = tessellate(shape, gap)
            write_ply(args.dir / f"{name}.ply", points, triangles)
            error = volume(points, triangles) / exact - 1
            worst = chord_error(shape, points, triangles, args.samples)
            print(f"| `{name}` | {gap} | {len(points)} | {len(triangles)} | {open_edges(triangles)} | {error:.1e} | {worst:.3f} |",
                  flush=True)


if __name__ == "__main__":
    main()
