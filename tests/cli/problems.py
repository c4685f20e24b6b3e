#!/usr/bin/env python3
"""problems.py PERP PROBLEMS: the collection keeps what its README says.

Every file is in the README and the other way round, loads, and round-trips through the text format;
stored solutions certify to 1e-10, proofs hold, no solver contradicts them; lcp/auto solves every LCP
that has a solution and proves infeasible ones; the generated problems can be made again."""
import importlib.util
import json
import subprocess
import sys
import tempfile
from importlib.machinery import SourceFileLoader
from pathlib import Path

PERP = str(Path(sys.argv[1]).resolve())
ROOT = Path(sys.argv[2]).resolve()
TOL = "1e-10"
ANSWERS = ("solution", "exists", "infeasible", "unbounded", "none")
COMPLETE = ("lcp/auto",)  # solvers that have to solve all that can be solved
ENUMERABLE = 20  # unknowns that lcp/enumerate takes
EXACT = ("murty", "fathi", "tied", "duplicate", "integer", "infeasible_psd")  # small integers
CLOSE = 1e-12  # sums may round differently elsewhere: fused operations, another BLAS
MOST_BYTES, MOST_TOTAL, LEAST = 100_000, 2_000_000, 60
complaints = []


def load_make():
    loader = SourceFileLoader("make", str(ROOT / "make"))
    sys.dont_write_bytecode = True
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("make", loader))
    loader.exec_module(module)
    return module


def complain(name, what):
    complaints.append(f"{name}: {what}")


def perp(*arguments, **more):
    return subprocess.run([PERP, *map(str, arguments)], capture_output=True, text=True, cwd=ROOT,
                          timeout=250, check=False, **more)


def lines(*arguments):
    """What a command prints with --json, by file; refused files are not among them."""
    found = map(json.loads, perp(*arguments).stdout.splitlines())
    return {line["file"]: line for line in found}


def check_list(rows, make):
    """README and files agree; sizes."""
    named = {"README.md", "make"}
    for name, _, _, _, answer in rows:
        if answer.split(",")[0] not in ANSWERS:
            complain(name, f"unknown answer '{answer}'")
        if name in named:
            complain(name, "twice in the README")
        named |= {name} | ({make.answer_file(name, answer)} - {None})
    present = {str(p.relative_to(ROOT)) for p in ROOT.rglob("*") if p.is_file()}
    for name in sorted(named - present):
        complain(name, "in the README, not here")
    for name in sorted(present - named):
        complain(name, "here, not in the README")
    sizes = {name: (ROOT / name).stat().st_size for name in present}
    for name, size in sizes.items():
        if size > MOST_BYTES:
            complain(name, f"{size} bytes")
    if sum(sizes.values()) > MOST_TOTAL or len(rows) < LEAST:
        complain("the collection", f"{len(rows)} problems, {sum(sizes.values())} bytes")


def check_info(rows):
    info = lines("info", "--json", *(name for name, *_ in rows))
    for name, n, *_ in rows:
        if name not in info:
            complain(name, perp("info", name).stderr)
        elif str(info[name]["n"]) != n or info[name]["kind"] != name.split("/")[0] != "papers":
            complain(name, f"{info[name]['kind']}, n = {info[name]['n']}; README has {n}")


def check_round_trip(rows, make, scratch):
    """Text of text is the same text; what perp wrote, it writes again."""
    for name, _, origin, _, _ in rows:
        one, two = scratch / "one.perp", scratch / "two.perp"
        if perp("convert", name, one).returncode or perp("convert", one, two).returncode:
            complain(name, "cannot be converted to text and back")
            continue
        if one.read_bytes() != two.read_bytes():
            complain(name, "another problem after a round trip")
        written = make.command(origin) and name.endswith(".perp")
        if written and one.read_bytes() != (ROOT / name).read_bytes():
            complain(name, "perp writes it differently")


def check_answers(rows, make):
    for name, _, _, _, answer in rows:
        word, beside = answer.split(",")[0], make.answer_file(name, answer)
        if word in ("exists", "none"):
            if perp("certify", name).returncode == 0:
                complain(name, "a solution is stored, which the README does not say")
            continue
        claim = "solved" if word == "solution" else word
        done = perp("certify", "--tol", TOL, "--claim", claim, name, *([beside] if beside else []))
        if done.returncode:
            complain(name, f"its answer does not hold: {done.stdout}{done.stderr}")


def contradiction(answer, status):
    """What is wrong about a status, whoever the solver is; None: nothing."""
    solvable = answer in ("solution", "exists")
    if status == "solved" and not solvable:
        return "solved what has no solution"
    if status == "infeasible" and (solvable or answer == "unbounded"):
        return "infeasible, and it is not"
    if status == "unbounded" and answer == "infeasible":
        return "unbounded, and it is infeasible"
    return None


def check_solvers(rows):
    """No solver contradicts an answer; auto solves every LCP that can be, or proves it infeasible."""
    solvers = [json.loads(line)["solver"] for line in perp("list", "--json").stdout.splitlines()]
    for solver in solvers:
        kind, complete = solver.split("/")[0], solver in COMPLETE
        own = {name: answer.split(",")[0] for name, _, _, _, answer in rows
               if name.startswith(kind + "/")}
        if not own:
            continue
        limited = f"{solver}:tol={TOL}" + ("" if complete else ",max_seconds=1")
        results = lines("solve", "--json", "-s", limited, *own)
        for name, answer in own.items():
            status = results[name]["status"] if name in results else "refused"
            wrong = contradiction(answer, status)
            if complete and answer in ("solution", "exists") and status != "solved":
                wrong = f"{status}, and it has a solution"
            if complete and answer == "infeasible" and status != "infeasible":
                wrong = f"{status}, and it is infeasible"
            if wrong:
                complain(name, f"{solver}: {wrong}")


def check_enumeration(rows):
    """An LCP without a solution, all bases tried."""
    small = {name: answer.split(",")[0] for name, n, _, _, answer in rows
             if name.startswith("lcp/") and int(n) <= ENUMERABLE}
    results = lines("solve", "--json", "-s", "lcp/enumerate", *small)
    for name, answer in small.items():
        if (results[name]["status"] == "solved") != (answer in ("solution", "exists")):
            complain(name, f"lcp/enumerate: {results[name]['status']}, README has {answer}")


def same_text(a, b):
    """The same words, and numbers that agree but for rounding."""
    a, b = a.split(), b.split()
    if len(a) != len(b):
        return False
    for one, two in zip(a, b):
        if one == two:
            continue
        try:
            x, y = float(one), float(two)
        except ValueError:
            return False
        if not abs(x - y) <= CLOSE * max(1, abs(x)):
            return False
    return True


def text_of(path):
    if path.suffix != ".hdf5":
        return path.read_text()
    return perp("convert", path, "-").stdout


def check_made_again(rows, make, scratch):
    make.make(PERP, scratch, rows)
    for name, _, origin, _, answer in rows:
        arguments = make.command(origin)
        for each in (name, make.answer_file(name, answer)) if arguments else ():
            if not each:
                continue
            old, new = ROOT / each, scratch / each
            exact = arguments[1] in EXACT
            if exact and old.read_bytes() != new.read_bytes() or not same_text(text_of(old),
                                                                                text_of(new)):
                complain(each, "made again, it is another one")


def main():
    make = load_make()
    rows = list(make.rows())
    check_list(rows, make)
    if "FCLIB files are refused" in perp("--version").stdout:
        print("skipped: .hdf5 files, which this build does not read")
        rows = [row for row in rows if not row[0].endswith(".hdf5")]
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        check_info(rows)
        check_round_trip(rows, make, scratch)
        check_answers(rows, make)
        check_solvers(rows)
        check_enumeration(rows)
        check_made_again(rows, make, scratch)
    print(f"{len(rows)} problems, {len(complaints)} complaints", *complaints, sep="\n")
    return bool(complaints)


sys.exit(main())
