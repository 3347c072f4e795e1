#!/usr/bin/env python3
"""Time OCCT's exact least distance and brepcd's in the same run (needs: pip install cadquery-ocp).

usage: occt_distance.py scenes [--brepcd BINARY] [--stride 10] [--phase lock] [--repeat 3] [--markdown]
       occt_distance.py corpus DIR [--brepcd BINARY] [--pairs N] [--seconds 60] [--repeat 3] [--markdown]

`scenes` takes poses of data/scenes. `corpus` takes DIR/distances.json, a list of {a, b, poses: [{t, q, d}]}: pairs of files in
DIR, poses of b in the frame of a (mm, quaternion w first) and known distances. BINARY is the built command line tool
(target/release/brepcd), which is asked for the same poses: `--min` for the least distance, and on scenes also all local
minima up to twice the gap.

Times are per pose, of the query alone on loaded parts, both on one thread, the best of --repeat (3). OCCT's is the processor
time of BRepExtrema_DistShapeShape with the first shape loaded once, so that its boxes are kept from pose to pose. A pair whose
OCCT queries take more than --seconds is cut off after the pose at hand, and says so. `nearer` and `farther` count the poses at
which brepcd's least distance is below or above OCCT's by more than 1e-6 of it. With --markdown, `corpus` prints the sums alone.
"""
import argparse
import csv
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from OCP.BRep import BRep_Builder
from OCP.BRepExtrema import BRepExtrema_DistShapeShape
from OCP.gp import gp_Quaternion, gp_Trsf, gp_Vec
from OCP.Message import Message, Message_Gravity
from OCP.STEPControl import STEPControl_Reader
from OCP.TopAbs import TopAbs_FACE, TopAbs_SHAPE, TopAbs_SHELL, TopAbs_SOLID
from OCP.TopExp import TopExp_Explorer
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS_Compound

SCENES = pathlib.Path(__file__).resolve().parent.parent / "data" / "scenes"
SAME = 1e-6   # relative difference of distances that are the same
POSE = ("tx", "ty", "tz", "qw", "qx", "qy", "qz")


def load(path):
    for printer in Message.DefaultMessenger_s().Printers():
        printer.SetTraceLevel(Message_Gravity.Message_Fail)
    reader = STEPControl_Reader()
    if int(reader.ReadFile(str(path))) != 1:
        raise IOError(path)
    reader.TransferRoots()
    return without_wires(reader.OneShape())


def without_wires(shape):
    """Solids, and shells and faces of none: what drawings of dimensions put beside the parts is no part of them.

    One solid alone stays a solid: only then does OCCT also ask whether one part is inside the other, as brepcd does.
    """
    found = []
    for kind, avoided in ((TopAbs_SOLID, TopAbs_SHAPE), (TopAbs_SHELL, TopAbs_SOLID), (TopAbs_FACE, TopAbs_SHELL)):
        pieces = TopExp_Explorer(shape, kind, avoided)
        while pieces.More():
            found.append(pieces.Current())
            pieces.Next()
    if len(found) == 1:
        return found[0]
    out, builder = TopoDS_Compound(), BRep_Builder()
    builder.MakeCompound(out)
    for piece in found:
        builder.Add(out, piece)
    return out


def placed(shape, pose):
    """The shape at tx, ty, tz, qw, qx, qy, qz; its geometry is shared, not copied."""
    tx, ty, tz, qw, qx, qy, qz = pose
    move = gp_Trsf()
    move.SetTransformation(gp_Quaternion(qx, qy, qz, qw), gp_Vec(tx, ty, tz))
    return shape.Moved(TopLoc_Location(move), False)


def occt(a, b, poses, repeat, seconds):
    """Microseconds and distances, pose by pose."""
    asked = BRepExtrema_DistShapeShape()
    asked.LoadS1(a)
    times, distances = [], []
    begin = time.process_time()
    for pose in poses:
        moved, best = placed(b, pose), float("inf")
        for _ in range(repeat):
            start = time.process_time()
            asked.LoadS2(moved)
            asked.Perform()
            best = min(best, 1e6 * (time.process_time() - start))
        times.append(best)
        distances.append(asked.Value() if asked.IsDone() else float("nan"))
        if time.process_time() - begin > seconds:
            break
    return times, distances


def compare(theirs, ours):
    """At how many poses ours is nearer, and farther."""
    return (sum(y < x * (1 - SAME) for x, y in zip(theirs, ours)), sum(y > x * (1 + SAME) for x, y in zip(theirs, ours)))


def brepcd(binary, a, b, poses, repeat, options):
    """Microseconds and least distances, pose by pose."""
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "poses.csv")
        with open(file, "w", newline="") as out:
            writer = csv.writer(out)
            writer.writerow(POSE)
            for _ in range(repeat):
                writer.writerows([repr(x) for x in pose] for pose in poses)
        command = [binary, "query", a, b, "--poses", file, "--json", *options]
        done = subprocess.run([str(x) for x in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip())
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    n = len(poses)
    times = [min(rows[i + k * n]["stats"]["time_us"] for k in range(repeat)) for i in range(n)]
    return times, [row["min_distance"] for row in rows[:n]]


def table(heads, rows, markdown):
    if markdown:
        lines = [heads, ["---"] * len(heads), *rows]
        return "\n".join("| " + " | ".join(line) + " |" for line in lines)
    widths = [max(len(row[i]) for row in [heads, *rows]) for i in range(len(heads))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in [heads, *rows])


def scenes(args):
    heads = ["scene", "phase", "poses", "OCCT (µs)", "min_distance (µs)", "ratio", "contacts (µs)", "ratio", "nearer", "farther"]
    rows = []
    for name in ("coneplug", "hotstab"):
        facts = json.loads((SCENES / f"{name}.json").read_text())
        files = [SCENES / facts["fixed"], SCENES / facts["mobile"]]
        with open(SCENES / facts["traj"], newline="") as file:
            steps = [row for row in csv.DictReader(file) if row["phase"] == args.phase]
        poses = [tuple(float(row[key]) for key in POSE) for row in steps[:: args.stride]]
        times, distances = occt(*map(load, files), poses, args.repeat, float("inf"))
        row = [name, args.phase, str(len(poses)), f"{statistics.median(times):.0f}"]
        if args.brepcd:
            least, ours = brepcd(args.brepcd, *files, poses, args.repeat, ["--min"])
            contacts, _ = brepcd(args.brepcd, *files, poses, args.repeat, ["--prediction", 2 * facts["gap"]])
            for mine in (least, contacts):
                row += [f"{statistics.median(mine):.0f}", f"{statistics.median(times) / statistics.median(mine):.0f}"]
            row += [str(count) for count in compare(distances, ours)]
        rows.append(row)
    print(table(heads[: len(rows[0])], rows, args.markdown))


def corpus(args):
    folder = pathlib.Path(args.dir)
    pairs = json.loads((folder / "distances.json").read_text())
    pairs = pairs[:: max(1, len(pairs) // args.pairs)][: args.pairs] if args.pairs else pairs
    heads = ["a", "b", "poses", "OCCT (µs)", "min_distance (µs)", "ratio"]
    rows, ratios, kernel, mine, differ = [], [], [], [], [0, 0]
    for pair in pairs:
        files = [folder / pair["a"], folder / pair["b"]]
        poses = [tuple(case["t"]) + tuple(case["q"]) for case in pair["poses"]]
        times, distances = occt(*map(load, files), poses, args.repeat, args.seconds)
        cut = "" if len(times) == len(poses) else f" of {len(poses)}"
        row = [pathlib.Path(pair["a"]).stem, pathlib.Path(pair["b"]).stem, f"{len(times)}{cut}", f"{statistics.median(times):.0f}"]
        if args.brepcd:
            ours, least = brepcd(args.brepcd, *files, poses[: len(times)], args.repeat, ["--min"])
            ratios += [x / y for x, y in zip(times, ours)]
            mine += ours
            for index, count in enumerate(compare(distances, least)):
                differ[index] += count
            row += [f"{statistics.median(ours):.0f}", f"{statistics.median(ratios[-len(ours):]):.0f}"]
        kernel += times
        rows.append(row)
        print(" ".join(row), file=sys.stderr, flush=True)
    if not args.markdown:
        print(table(heads[: len(rows[0])], rows, False) + "\n")
    heads = ["pairs", "poses", "OCCT (µs)", "min_distance (µs)", "ratio (median)", "ratio (least)", "nearer", "farther"]
    row = [str(len(rows)), str(len(kernel)), f"{statistics.median(kernel):.0f}"]
    if args.brepcd:
        row += [f"{statistics.median(mine):.0f}", f"{statistics.median(ratios):.0f}", f"{min(ratios):.0f}", *map(str, differ)]
    print(table(heads[: len(row)], [row], args.markdown))


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kinds = ap.add_subparsers(required=True)
    one = kinds.add_parser("scenes")
    one.add_argument("--stride", type=int, default=10)
    one.add_argument("--phase", default="lock")
    one.set_defaults(run=scenes)
    many = kinds.add_parser("corpus")
    many.add_argument("dir")
    many.add_argument("--pairs", type=int, help="only so many pairs, evenly over the list")
    many.add_argument("--seconds", type=float, default=60.0)
    many.set_defaults(run=corpus)
    for kind in (one, many):
        kind.add_argument("--brepcd", help="the built command line tool")
        kind.add_argument("--repeat", type=int, default=3)
        kind.add_argument("--markdown", action="store_true")
    args = ap.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
