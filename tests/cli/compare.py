#!/usr/bin/env python3
"""tests/cli/compare.py PERP: the same rows (times aside) twice, with -j 2, sharded and merged, and
after being killed and resumed; a run that crashes, hangs or eats memory costs its own row alone."""
import csv
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PERP = str(Path(sys.argv[1]).resolve())
FIRST = "problem,kind,n,solver,status,residual,iterations,seconds".split(",")
SANITIZED = subprocess.run(["nm", "-D", PERP], capture_output=True, text=True).stdout.count("__asan")


def write_lcp(path, n, seed):
    """A diagonally dominant LCP in Siconos' dense layout."""
    draw = random.Random(seed)
    rows = [[draw.uniform(-1, 1) + (2 * n if i == j else 0) for j in range(n)] for i in range(n)]
    q = [draw.uniform(-5, 5) for _ in range(n)]
    text = f"{n}\n0\n{n}\n{n}\n{n} {n}\n"
    text += "\n".join(" ".join(f"{x:.17g}" for x in row) for row in rows) + "\n"
    path.write_text(text + " ".join(f"{x:.17g}" for x in q) + "\n")


def call(*arguments, fault=None, expect=0, **more):
    env = dict(os.environ, **({"PERP_TEST_FAULT": fault} if fault else {}))
    done = subprocess.run([PERP, "compare", *map(str, arguments)], env=env, capture_output=True,
                          text=True, timeout=200, **more)
    assert done.returncode == expect, (arguments, done.returncode, done.stdout, done.stderr)
    return done


def rows(path, drop=("seconds", "seconds_median", "seconds_jobs")):
    with open(path, newline="") as file:
        reader = csv.DictReader(file)
        assert reader.fieldnames[: len(FIRST)] == FIRST, reader.fieldnames
        return [{k: v for k, v in row.items() if k not in drop} for row in reader]


def check_order(work, problems):
    base = [*problems, "-t", "1e-6", "-t", "1e-10", "--repeats", "2", "--csv"]
    call(*base, work / "a.csv")
    first = rows(work / "a.csv")
    assert len(first) >= 5 * 2 * len(problems), len(first)
    assert [int(row["run"]) for row in first] == list(range(len(first)))
    assert all(row["status"] for row in first)
    assert sum(row["status"] == "solved" for row in first) > len(first) / 2
    call(*base, work / "b.csv")
    assert rows(work / "b.csv") == first, "twice"
    call(*base, work / "j.csv", "-j", "2")
    assert rows(work / "j.csv") == first, "-j 2"
    with open(work / "j.csv", newline="") as file:
        assert all(row["seconds_jobs"] == "2" for row in csv.DictReader(file))
    parts = []
    for i in (3, 1, 2):
        parts.append(work / f"shard{i}.csv")
        call(*base, parts[-1], "--shard", f"{i}/3")
        here = {row["problem"] for row in rows(parts[-1])}
        assert all(row in rows(parts[-1]) for row in first if row["problem"] in here), "whole problems"
    call("--merge", *parts, "--csv", work / "m.csv")
    assert rows(work / "m.csv") == first, "sharded and merged"
    twice = call("--merge", parts[1], parts[1], "--csv", work / "no.csv", expect=2)
    assert "twice" in twice.stderr and not (work / "no.csv").exists()
    piped = call(*base, "-", "-j", "2").stdout
    (work / "p.csv").write_text(piped)
    assert rows(work / "p.csv") == first, "standard output"
    return base, first


def kill_and_resume(work, base, first, sent, jobs):
    path = work / f"killed{sent}.csv"
    path.unlink(missing_ok=True)
    process = subprocess.Popen([PERP, "compare", *map(str, base), str(path), "-j", jobs],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:  # half-way
        if path.exists() and path.read_bytes().count(b"\n") > len(first) // 2:
            break
        time.sleep(0.002)
    process.send_signal(sent)
    process.wait()
    if sent == signal.SIGKILL:
        with open(path, "ab") as file:
            file.write(b'"half a row')  # what a kill in a write would leave
    else:
        assert process.returncode == 1, process.returncode
        kept = rows(path)
        assert kept == [row for row in first if row in kept], "valid and in order after Ctrl-C"
    before = path.read_text().count("\n") - 1
    assert 0 < before < len(first), (before, len(first))
    with open(path, newline="") as file:
        times = {row["run"]: row["seconds"] for row in csv.DictReader(
            line for line in file if not line.startswith('"half'))}
    call(*base, path, "--resume")
    assert rows(path) == first, "resumed"
    with open(path, newline="") as file:  # none was run again: the old times are there
        again = {row["run"]: row["seconds"] for row in csv.DictReader(file)}
    assert all(again[run] == seconds for run, seconds in times.items())


def check_faults(work, base, first):
    chosen = "lcp/psor"
    whats = ["segfault", "loop"] + ([] if SANITIZED else ["memory"])
    for what, word in zip(whats, ("crashed", "timeout", "memory")):
        path = work / f"{what}.csv"
        limits = ["--timeout", "1" if what == "loop" else "20", "--memory", "600"]
        call(*base, path, *limits, fault=f"{what}@{chosen}@b.dat")
        found = rows(path)
        assert len(found) == len(first)
        for row, good in zip(found, first):
            if row["solver"] == chosen and row["problem"].endswith("b.dat"):
                assert row["status"] == word, row
                assert row["detail"] and not row["residual"] and not row["iterations"]
            else:
                assert row == good, (row, good)


def check_bad_calls(work, problems):
    bad = work / "bad.dat"
    bad.write_text("3\n0\n9\n3 3\n1 x")
    done = call(bad, problems[0], "-s", "lcp/lemke", "--csv", work / "bad.csv", expect=2)
    assert "bad.dat" in done.stderr
    found = rows(work / "bad.csv")
    assert [row["solver"] for row in found] == ["-", "lcp/lemke"] and found[0]["detail"]
    for arguments, word in [
        (["nowhere.dat"], "nowhere.dat"),
        ([problems[0], "-s", "lcp/psro"], "lcp/psor"),
        ([problems[0], "-s", "lcp/psor:omegq=1"], "omega"),
        ([problems[0], "-t", "x"], "--tol"),
        ([problems[0], "--shard", "4/3", "--csv", work / "x.csv"], "--shard"),
        ([problems[0], "--resume"], "--resume"),
        (["--merge", work / "a.csv"], "--csv"),
        (["--from", work / "a.csv"], "--report"),
        (["--from", bad, "--report", work / "r"], "bad.dat"),
        ([problems[0], "--csv", work / "no" / "x.csv"], "no/x.csv"),
        (["-"], "standard input"),
        ([], "FILE"),
    ]:
        done = call(*arguments, expect=2)
        assert word in done.stderr and done.stderr.startswith("perp compare: "), done.stderr
    call(problems[1], "-s", "lemke", "--csv", work / "one.csv")
    other = call(problems[0], "-s", "lemke", "--csv", work / "one.csv", "--resume", expect=2)
    assert "no run of this comparison" in other.stderr


def check_pipes(work, problems):
    """A FIFO that nobody writes to, in a folder and by its name."""
    folder = work / "folder"
    folder.mkdir()
    (folder / "a.dat").write_bytes(problems[1].read_bytes())
    os.mkfifo(folder / "b.dat")
    start = time.monotonic()
    done = call(folder, "-s", "lemke", "--csv", work / "folder.csv")
    assert "b.dat is left out" in done.stderr and len(rows(work / "folder.csv")) == 1
    assert "no regular file" in call(folder / "b.dat", "-s", "lemke", expect=2).stderr
    assert time.monotonic() - start < 60
    with open(problems[1]) as file:
        call("/dev/stdin", "-s", "lemke", "--csv", work / "stdin.csv", stdin=file)
    assert rows(work / "stdin.csv")[0]["status"] == "solved"
    solved = subprocess.run(["bash", "-c", '"$1" solve --json <(cat "$2") /dev/stdin - < "$2"', "-",
                             PERP, str(problems[1])], capture_output=True, text=True, timeout=60)
    assert solved.stdout.count('"status": "solved"') == 3, solved


def check_orphans(work, problems):
    """The parent is killed while its workers turn in an endless loop."""
    tag = str(work / "orphan.csv")
    env = dict(os.environ, PERP_TEST_FAULT="loop@lcp/")
    process = subprocess.Popen([PERP, "compare", *map(str, problems), "-j", "2", "--csv", tag], env=env,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def family():
        """Processes that have our environment's mark and are still there."""
        found = []
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
                if str(work).encode() in b" ".join(words) and words[0] == PERP.encode():
                    found.append((int(entry.name), words[1:2]))
            except OSError:
                pass
        return found

    deadline = time.monotonic() + 60
    while sum(words == [b"worker"] for _, words in family()) < 2 and time.monotonic() < deadline:
        time.sleep(0.01)
    assert family(), "it runs"
    time.sleep(0.3)
    process.kill()
    process.wait()
    deadline = time.monotonic() + 20
    while family() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not family(), f"left behind: {family()}"


def check_report(work, base, first):
    call(*base, work / "r.csv", "--report", work / "report")
    page = (work / "report/index.html").read_text()
    assert page.count("<tr><th scope=\"row\" title=") == len(first)
    assert "http" not in page.replace("http-equiv", "").replace("http://www.w3.org/", "")
    assert len(list((work / "report/history").iterdir())) == len(first)
    assert len(list((work / "report").glob("profile-lcp-*.csv"))) == 4
    empty = dict(os.environ, PATH=str(work))
    done = subprocess.run([PERP, "compare", "--from", work / "r.csv", "--report", work / "report2"],
                          env=empty, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "gnuplot is not installed" in (work / "report2/index.html").read_text()


def main():
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        problems = [work / "a, quoted \"name\".dat", work / "b.dat"]
        for k, path in enumerate(problems):
            write_lcp(path, 6 + 3 * k, k)
        base, first = check_order(work, problems)
        kill_and_resume(work, base, first, signal.SIGKILL, "2")
        kill_and_resume(work, base, first, signal.SIGINT, "1")
        check_faults(work, base, first)
        check_bad_calls(work, problems)
        check_pipes(work, problems)
        check_orphans(work, problems)
        check_report(work, base, first)
    print("compare: all as it should be")


main()
