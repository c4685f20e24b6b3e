#!/usr/bin/env python3
"""startup.py PERP LAPACK: starting perp and solving a 2 x 2 LCP costs at most 5 ms more than
starting a program that only links LAPACK. The least processor time of many runs, taken in turns: a
busy machine changes the clock's time more than the programs do."""
import os
import subprocess
import sys
import tempfile

LIMIT = 5e-3
RUNS = 40
perp, lapack = sys.argv[1:3]
environment = dict(os.environ, OPENBLAS_NUM_THREADS='1')


def seconds(*command):
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f'{command}: exit status {child.returncode}')
    return usage.ru_utime + usage.ru_stime


with tempfile.NamedTemporaryFile('w', suffix='.dat') as problem:
    problem.write('2\n0\n2\n2\n2\t2\n2 1\n1 2\n-5 -6\n')
    problem.flush()
    pairs = [(seconds(perp, 'solve', problem.name), seconds(lapack)) for _ in range(RUNS)]
ours, theirs = (min(column) for column in zip(*pairs))
print(f'perp solve {1e3 * ours:.2f} ms, LAPACK alone {1e3 * theirs:.2f} ms')
sys.exit(ours - theirs > LIMIT)
