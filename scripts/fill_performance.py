#!/usr/bin/env python3
"""Run the measuring programs and put their tables into docs/performance.md.

usage: fill_performance.py [TABLE ...] [--bin target/release]

TABLE is one of scenes, ablations, scaling, scaling-real, kernel, corpus; without any, all that can be made here: `kernel` and
`corpus` need `pip install cadquery-ocp`, `corpus` and `scaling-real` the variable BREPCD_CORPUS. Build first:
cargo build --release -p brepcd-cli -p brepcd-benches.
"""
import argparse
import importlib.util
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "performance.md"
# Real parts that copies are made of, and the tool beside them.
REAL_PARTS = ["nist__nist_ctc_01_asme1_ap242-e1.stp", "stepcode__MAINBODY_BACK.stp"]
REAL_TOOL = "asitus__bolt-colored-faces.stp"


def commands(folder):
    """The command of each table that can be made."""
    tool, corpus = folder / "brepcd", os.environ.get("BREPCD_CORPUS")
    kernel = [sys.executable, ROOT / "scripts" / "occt_distance.py"]
    out = {
        "scenes": [folder / "ratios", "--markdown", "--stride", "1", "--passes", "2"],
        "ablations": [folder / "ablations", "--markdown", "--stride", "1", "--passes", "5"],
        "scaling": [folder / "scaling", "--markdown", "--plots", ROOT / "docs" / "img"],
    }
    if corpus:
        parts = [pathlib.Path(corpus) / name for name in REAL_PARTS]
        with_tool = ["--tool", pathlib.Path(corpus) / REAL_TOOL]
        out["scaling-real"] = [*out["scaling"], "--plot-name", "scaling-real", *parts, *with_tool]
    if importlib.util.find_spec("OCP"):
        out["kernel"] = [*kernel, "scenes", "--brepcd", tool, "--markdown"]
        if corpus:
            out["corpus"] = [*kernel, "corpus", corpus, "--brepcd", tool, "--repeat", "1", "--seconds", "5", "--markdown"]
    return out


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("tables", nargs="*")
    ap.add_argument("--bin", type=pathlib.Path, default=ROOT / "target" / "release", help="where the built programs are")
    args = ap.parse_args()
    possible = commands(args.bin.resolve())
    for name in args.tables or possible:
        if name not in possible:
            sys.exit(f"{name}: no such table, or something that it needs is missing; possible are {', '.join(possible)}")
        print(name, file=sys.stderr, flush=True)
        text = subprocess.run([str(word) for word in possible[name]], check=True, capture_output=True, text=True, cwd=ROOT).stdout
        begin, end = f"<!-- begin {name} -->", f"<!-- end {name} -->"
        filled = f"{begin}\n\n{text.strip()}\n\n{end}"
        page = PAGE.read_text()
        if begin not in page:
            sys.exit(f"{PAGE}: no place for {name}")
        PAGE.write_text(re.sub(f"{begin}.*?{end}", lambda _: filled, page, flags=re.S))


if __name__ == "__main__":
    main()
