#!/usr/bin/env python3
"""stored.py PERP: `auto` solves every stored problem that nobody on this project wrote, at 1e-8 and at
1e-10, in 10 s of processor time each. For those in $PERP_PROBLEMS, or ../shared/problems beside the
project; skipped where there are none.

A quadratic program may end at its rounding floor at 1e-10, if the closing sentence names it. Two files
are told how to be read or to be refused: the layout of one is ambiguous, one is no cone."""
import json
import os
import resource
import subprocess
import sys
from pathlib import Path

PERP = str(Path(sys.argv[1]).resolve())
ROOT = Path(os.environ.get("PERP_PROBLEMS",
                           Path(__file__).resolve().parents[2] / "../shared/problems"))
SECONDS = 10  # of processor time, reading the file included
TOLERANCES = ("1e-8", "1e-10")
SKIPPED = 77
LEFT_OUT = {"formats"}  # matrices made up to be read
OPTIONS = {"plasticity_2d_footing_10.dat": ["--layout=plasticity-old"]}
REFUSED = {"plasticity_2d_vonmises_example1.dat": "von Mises"}
ENDINGS = {".dat", ".hdf5", ".qps"}


def solve(path, tolerance):
    """Status, closing sentence and seconds of processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run([PERP, "solve", "--json", "--tol", tolerance,
                          *OPTIONS.get(path.name, []), str(path)],
                         capture_output=True, text=True, timeout=250, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if not run.stdout:
        return "refused", run.stderr.strip(), seconds
    line = json.loads(run.stdout)
    return line["status"], line.get("detail", ""), seconds


def lacks_hdf5():
    """The build has no program that reads HDF5."""
    return not (Path(PERP).parent / "perp_hdf5").exists()


def is_right(path, tolerance, status, detail):
    if path.name in REFUSED:
        return status == "refused" and REFUSED[path.name] in detail
    floor = path.suffix.lower() == ".qps" and tolerance == "1e-10"
    return status == "solved" or (floor and "rounding" in detail)


def main():
    folders = [d for d in sorted(ROOT.glob("*")) if d.is_dir() and d.name not in LEFT_OUT]
    if not folders:
        print(f"skipped: no problems in {ROOT}")
        return SKIPPED
    wrong = 0
    endings = ENDINGS - ({".hdf5"} if lacks_hdf5() else set())
    for folder in folders:
        files = [f for f in sorted(folder.iterdir()) if f.suffix.lower() in endings]
        for tolerance in TOLERANCES:
            solved, slowest = 0, (0, "")
            for path in files:
                status, detail, seconds = solve(path, tolerance)
                good = is_right(path, tolerance, status, detail) and seconds <= SECONDS
                solved += status == "solved"
                slowest = max(slowest, (seconds, path.name))
                wrong += not good
                if not good or status != "solved":
                    print(f"{folder.name}/{path.name} at {tolerance}: {status}, {seconds:.2f} s, "
                          f"{detail}{'' if good else ' (WRONG)'}")
            print(f"{folder.name} at {tolerance}: {solved} of {len(files)} solved, the slowest "
                  f"{slowest[1]} in {slowest[0]:.2f} s")
    return wrong > 0


sys.exit(main())
