"""peer_scipy.py FILE: scipy.optimize.nnls on the problem in FILE, in a process of its own.

FILE: two 32-bit integers m and n, then A by columns and b as doubles. Runs until 0.2 s or five runs
are over; prints the least processor time of a run and then x, a number a line. The caller looks after limits
and threads: a timer on processor time would make that clock coarse.
"""

import sys
import time

import numpy
from scipy.optimize import nnls


def main():
    with open(sys.argv[1], "rb") as file:
        m, n = numpy.fromfile(file, numpy.int32, 2)
        A = numpy.asfortranarray(numpy.fromfile(file, float, m * n).reshape((m, n), order="F"))
        b = numpy.fromfile(file, float, m)
    least, runs, begin = float("inf"), 0, time.process_time()
    while runs == 0 or (runs < 5 and time.process_time() - begin < 0.2):
        start = time.process_time()
        x, _ = nnls(A, b)
        least = min(least, time.process_time() - start)
        runs += 1
    print(f"{least:.9f}")
    for value in x:
        print(float(value).hex())


main()
