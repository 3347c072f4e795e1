#!/usr/bin/env python3
"""Time the import of a directory by OCCT and by brepcd in the same run (needs: pip install cadquery).

usage: corpus_speed.py DIR --brepcd EXAMPLE [--repeat 3] [--csv]

EXAMPLE is the built example `import_time` of the crate brepcd. Per file, one after the other and both on one thread with
the file in the cache: OCCT's ReadFile and TransferRoots, and brepcd's read, parse, build and validate; best of --repeat.
`memory` is brepcd's peak resident memory above that of a run without a file, over the size of the file.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import time

from OCP.IFSelect import IFSelect_RetDone
from OCP.Message import Message, Message_Gravity
from OCP.STEPControl import STEPControl_Reader
from OCP.TopAbs import TopAbs_FACE
from OCP.TopExp import TopExp
from OCP.TopTools import TopTools_IndexedMapOfShape


def quiet():
    for p in Message.DefaultMessenger_s().Printers():
        p.SetTraceLevel(Message_Gravity.Message_Fail)


def import_once(path):
    reader = STEPControl_Reader()
    t0 = time.perf_counter()
    if reader.ReadFile(str(path)) != IFSelect_RetDone:
        return None
    t1 = time.perf_counter()
    reader.TransferRoots()
    t2 = time.perf_counter()
    faces = TopTools_IndexedMapOfShape()
    shape = reader.OneShape()
    if not shape.IsNull():
        TopExp.MapShapes_s(shape, TopAbs_FACE, faces)
    return t1 - t0, t2 - t1, faces.Extent()


def brepcd_once(example, repeat, path=None):
    """Seconds and peak resident memory in bytes."""
    command = [example, str(repeat)] + ([str(path)] if path else [])
    words = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    return (float(words[0]) if path else 0.0), 1024 * int(words[-1])


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("dir")
    ap.add_argument("--repeat", type=int, default=3)
    ap.add_argument("--brepcd", required=True, help="the built example import_time")
    ap.add_argument("--csv", action="store_true", help="one comma-separated line per file")
    args = ap.parse_args()
    files = sorted(p for p in pathlib.Path(args.dir).rglob("*") if p.suffix.lower() in (".step", ".stp"))
    if not files:
        sys.exit("no STEP files in " + args.dir)
    quiet()
    print("file,bytes,faces,read_s,transfer_s,brepcd_s,ratio,memory" if args.csv else
          f"{'file':48} {'MB':>8} {'faces':>7} {'read ms':>9} {'transfer ms':>12} {'brepcd ms':>10} {'ratio':>6} {'memory':>7}")
    size = read = transfer = ours = faces = failed = 0
    idle = brepcd_once(args.brepcd, 1)[1]
    for path in files:
        path.read_bytes()  # warm the file cache
        runs = [r for r in (import_once(path) for _ in range(args.repeat)) if r]
        if not runs:
            failed += 1
            print(f"{path.name}: cannot be read", file=sys.stderr)
            continue
        r, t, n = min(runs, key=lambda x: x[0] + x[1])
        b = os.path.getsize(path)
        o = brepcd_once(args.brepcd, args.repeat, path)[0]
        memory = (brepcd_once(args.brepcd, 1, path)[1] - idle) / b
        size, read, transfer, ours, faces = size + b, read + r, transfer + t, ours + o, faces + n
        ratio = (r + t) / o
        print(f"{path.name},{b},{n},{r:.6f},{t:.6f},{o:.6f},{ratio:.2f},{memory:.1f}" if args.csv else
              f"{path.name[:48]:48} {b / 1e6:8.3f} {n:7} {r * 1e3:9.1f} {t * 1e3:12.1f} {o * 1e3:10.2f} {ratio:6.1f} {memory:7.1f}", flush=True)
    if read + transfer:
        print(f"total: {len(files) - failed} files ({failed} failed), {size / 1e6:.2f} MB, {faces} faces, "
              f"OCCT {read + transfer:.3f} s, {size / 1e6 / (read + transfer):.2f} MB/s; brepcd {ours:.3f} s, "
              f"{size / 1e6 / ours:.2f} MB/s; ratio {(read + transfer) / ours:.1f}", file=sys.stderr if args.csv else sys.stdout)


if __name__ == "__main__":
    main()
