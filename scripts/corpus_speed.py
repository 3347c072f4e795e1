#!/usr/bin/env python3
"""Time OCCT's STEP import over a directory, to compare with brepcd's import bench (needs: pip install cadquery).

usage: corpus_speed.py DIR [--repeat 3] [--csv]

Per file: ReadFile (parse) and TransferRoots (translate) wall time, best of --repeat, one thread, file in cache.
"""
import argparse
import os
import pathlib
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


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("dir")
    ap.add_argument("--repeat", type=int, default=3)
    ap.add_argument("--csv", action="store_true", help="one comma-separated line per file")
    args = ap.parse_args()
    files = sorted(p for p in pathlib.Path(args.dir).rglob("*") if p.suffix.lower() in (".step", ".stp"))
    if not files:
        sys.exit("no STEP files in " + args.dir)
    quiet()
    print("file,bytes,faces,read_s,transfer_s,MB_per_s" if args.csv else
          f"{'file':48} {'MB':>8} {'faces':>7} {'read ms':>9} {'transfer ms':>12} {'MB/s':>7}")
    size = read = transfer = faces = failed = 0
    for path in files:
        path.read_bytes()  # warm the file cache
        runs = [r for r in (import_once(path) for _ in range(args.repeat)) if r]
        if not runs:
            failed += 1
            print(f"{path.name}: cannot be read", file=sys.stderr)
            continue
        r, t, n = min(runs, key=lambda x: x[0] + x[1])
        b = os.path.getsize(path)
        size, read, transfer, faces = size + b, read + r, transfer + t, faces + n
        mbs = b / 1e6 / (r + t)
        print(f"{path.name},{b},{n},{r:.6f},{t:.6f},{mbs:.3f}" if args.csv else
              f"{path.name[:48]:48} {b / 1e6:8.3f} {n:7} {r * 1e3:9.1f} {t * 1e3:12.1f} {mbs:7.2f}", flush=True)
    if read + transfer:
        print(f"total: {len(files) - failed} files ({failed} failed), {size / 1e6:.2f} MB, {faces} faces, "
              f"read {read:.3f} s, transfer {transfer:.3f} s: {size / 1e6 / (read + transfer):.2f} MB/s, "
              f"{faces / (read + transfer):.0f} faces/s", file=sys.stderr if args.csv else sys.stdout)


if __name__ == "__main__":
    main()
