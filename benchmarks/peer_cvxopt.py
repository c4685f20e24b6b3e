"""peer_cvxopt.py FILE: cvxopt.solvers.qp, interior points, on the QP in FILE.

FILE: 32-bit integers n and m, then H and A by columns, c, lo, hi, xlo, xhi as doubles. Matrices with
few entries go to it as sparse ones. Runs until 0.2 s or five runs are over; prints the least processor
time of a call and then x and the multipliers of A x, a number a line.
"""

import sys
import time

import numpy
from cvxopt import matrix, solvers, sparse

FILLED = 0.25  # sparse below
FAILED = 3


def convert(values):
    dense = matrix(numpy.ascontiguousarray(values))
    few = numpy.count_nonzero(values) < FILLED * values.size
    return sparse(dense) if few else dense


def main():
    with open(sys.argv[1], "rb") as file:
        n, m = (int(k) for k in numpy.fromfile(file, numpy.int32, 2))
        H = numpy.fromfile(file, float, n * n).reshape((n, n), order="F")
        A = numpy.fromfile(file, float, m * n).reshape((m, n), order="F")
        c, lo, hi = (numpy.fromfile(file, float, k) for k in (n, m, m))
        xlo, xhi = (numpy.fromfile(file, float, n) for _ in range(2))
    rows = numpy.vstack((A, numpy.eye(n)))
    low, high = numpy.concatenate((lo, xlo)), numpy.concatenate((hi, xhi))
    equal = numpy.flatnonzero(low == high)
    below = numpy.flatnonzero((low != high) & numpy.isfinite(low))
    above = numpy.flatnonzero((low != high) & numpy.isfinite(high))
    G = convert(numpy.vstack((-rows[below], rows[above])))
    h = matrix(numpy.concatenate((-low[below], high[above])))
    more = (convert(rows[equal]), matrix(low[equal])) if len(equal) else ()
    P, q = convert(H), matrix(c)
    solvers.options.update(show_progress=False, abstol=1e-9, reltol=1e-9, feastol=1e-9)
    least, runs, begin = float("inf"), 0, time.process_time()
    try:
        while runs == 0 or (runs < 5 and time.process_time() - begin < 0.2):
            start = time.process_time()
            found = solvers.qp(P, q, G, h, *more)
            least = min(least, time.process_time() - start)
            runs += 1
    except (ArithmeticError, ValueError):
        sys.exit(FAILED)
    z, y = numpy.array(found["z"]).ravel(), numpy.zeros(n + m)
    y[below] += z[: len(below)]
    y[above] -= z[len(below) :]
    if len(equal):
        y[equal] -= numpy.array(found["y"]).ravel()
    print(f"{least:.9f}")
    for value in numpy.concatenate((numpy.array(found["x"]).ravel(), y[:m])):
        print(float(value).hex())


main()
