"""check.py DIRECTORY: tests/golden/record shows every kind of change, and record.csv is whole."""
import importlib.machinery
import importlib.util
import sys
import tempfile
from pathlib import Path

here = Path(sys.argv[1])
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("record", str(here / "record"))
record = importlib.util.module_from_spec(importlib.util.spec_from_loader("record", loader))
loader.exec_module(record)


def check(found, wanted):
    if found != wanted:
        sys.exit(f"found  {found}\nwanted {wanted}")


def row(iterations, status="solved", solver="lcp/x", residual="2e-09"):
    return status, solver, str(iterations), residual


def check_changes():
    before = {("a", "lcp/x"): row(5), ("a", "lcp/y"): row(7), ("b", "lcp/x"): row(3, "stalled")}
    now = {("a", "lcp/x"): row(6), ("b", "lcp/x"): row(3, residual=""), ("c", "lcp/x"): row(1)}
    check(record.compare(before, before), [])
    check(record.compare(before, now), [
        ["a", "lcp/x", "solved", "lcp/x", "5 -> 6", "2e-09"],
        ["a", "lcp/y", "gone: solved", "lcp/x", "7", "2e-09"],
        ["b", "lcp/x", "stalled -> solved", "lcp/x", "3", "2e-09 -> -"],
        ["c", "lcp/x", "new: solved", "lcp/x", "1", "2e-09"]])
    check(record.summary(before, now, record.compare(before, now)),
          "4 of 3 rows changed; solved 2 -> 3; iterations of all rows 8 -> 9")


def check_cells():
    check([record.rounded(x) for x in ("", "inf", "1.6e-9", "9.6e-14", "1e-13")],
          ["", "inf", "2e-09", "rounding", "1e-13"])
    rows = {("a", "lcp/x"): row(5, "timeout"), ("a", "lcp/y"): row(7, "max_iter")}
    check(record.undecided(rows), ["a lcp/x: timeout"])


def check_file():
    made, rows = record.read(here / "record.csv")
    problems = sorted(p for p in (here.parent.parent / "problems").rglob("*")
                      if p.suffix in (".perp", ".dat", ".hdf5", ".qps"))
    recorded = sorted({problem for problem, _ in rows})
    check(recorded, [str(p.relative_to(here.parent.parent / "problems")) for p in problems])
    check(record.undecided(rows), [])
    with tempfile.TemporaryDirectory() as directory:
        copy = Path(directory) / "record.csv"
        record.write(copy, made, rows)
        check(copy.read_text(), (here / "record.csv").read_text())


check_changes()
check_cells()
check_file()
