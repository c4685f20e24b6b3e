#!/usr/bin/env python3
"""check.py EXAMPLE: run it; the balls must lie still in the box, and the memory stay as it is."""
import re
import subprocess
import sys

run = subprocess.run(sys.argv[1:], capture_output=True, text=True, timeout=120)
print(run.stdout + run.stderr)
assert run.returncode == 0, f"exit {run.returncode}"
contacts = int(re.search(r"(\d+) contacts", run.stdout)[1])
kinetic = float(re.search(r"kinetic energy (\S+) J", run.stdout)[1])
more = int(re.search(r"(?:asked for|settled): (\d+)\n", run.stdout)[1])
assert 100 <= contacts <= 160, "45 balls in a heap have some 125 contacts"
assert kinetic < 1e-4, "the balls still move"
assert more == 0, "memory was asked for"
overlap = re.search(r"overlap (\S+) %", run.stdout)
assert overlap is None or float(overlap[1]) < 1
