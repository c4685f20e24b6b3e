"""peer_cvxopt.py FILE: cvxopt.solvers.qp, interior points, on the QP in FILE.

FILE: 32-bit integers n, m and the numbers of entries of H and A, then H and A, then c, lo, hi, xlo,
xhi as doubles. A matrix is dense by columns where that number is -1; else it has its rows and columns
as 32-bit integers and its values. Matrices with few entries go to cvxopt as sparse ones. Runs until 0.2 s
or five runs are over; prints the least processor time of a call and then x and the multipliers of
A x, a number a line.
"""

import sys
import time

import numpy
from cvxopt import matrix, solvers, spmatrix

FILLED = 0.25  # sparse below
FAILED = 3


def read_matrix(file, rows, columns, count):
    """Rows, columns and values of the entries that are not zero."""
    if count < 0:
        dense = numpy.fromfile(file, float, rows * columns).reshape((rows, columns), order="F")
        i, j = numpy.nonzero(dense)
        return i, j, dense[i, j]
    i, j = (numpy.fromfile(file, numpy.int32, count) for _ in range(2))
    return i, j, numpy.fromfile(file, float, count)


def convert(rows, columns, entries):
    """A matrix of cvxopt."""
    i, j, values = entries
    made = spmatrix(matrix(values), matrix(i.astype(int)), matrix(j.astype(int)), (rows, columns))
    return made if len(values) < FILLED * rows * columns else matrix(made)


def take_rows(entries, count, wanted, sign):
    """The entries of some rows, numbered anew."""
    number = numpy.full(count, -1)
    number[wanted] = numpy.arange(len(wanted))
    i, j, values = entries
    kept = number[i] >= 0
    return number[i[kept]], j[kept], sign * values[kept]


def join(above, below, rows):
    """Two lists of entries, the second so many rows further down."""
    return tuple(numpy.concatenate(pair) for pair in zip(above, (below[0] + rows, *below[1:])))


def read_problem(path):
    """P, q, G, h and, where there are equations, A, b of cvxopt; n, m and the rows of G and A."""
    with open(path, "rb") as file:
        n, m, in_H, in_A = (int(k) for k in numpy.fromfile(file, numpy.int32, 4))
        H = read_matrix(file, n, n, in_H)
        A = read_matrix(file, m, n, in_A)
        c, lo, hi = (numpy.fromfile(file, float, k) for k in (n, m, m))
        xlo, xhi = (numpy.fromfile(file, float, n) for _ in range(2))
    unit = numpy.arange(n)
    rows = join(A, (unit, unit, numpy.ones(n)), m)
    low, high = numpy.concatenate((lo, xlo)), numpy.concatenate((hi, xhi))
    equal = numpy.flatnonzero(low == high)
    below = numpy.flatnonzero((low != high) & numpy.isfinite(low))
    above = numpy.flatnonzero((low != high) & numpy.isfinite(high))
    some = take_rows(rows, m + n, below, -1), take_rows(rows, m + n, above, 1)
    G = convert(len(below) + len(above), n, join(*some, len(below)))
    h = matrix(numpy.concatenate((-low[below], high[above])))
    more = (convert(len(equal), n, take_rows(rows, m + n, equal, 1)), matrix(low[equal]))
    more = more if len(equal) else ()
    return (convert(n, n, H), matrix(c), G, h, *more), (n, m, below, above, equal)


def print_answer(seconds, found, sizes):
    n, m, below, above, equal = sizes
    z, y = numpy.array(found["z"]).ravel(), numpy.zeros(n + m)
    y[below] += z[: len(below)]
    y[above] -= z[len(below) :]
    if len(equal):
        y[equal] -= numpy.array(found["y"]).ravel()
    print(f"{seconds:.9f}")
    for value in numpy.concatenate((numpy.array(found["x"]).ravel(), y[:m])):
        print(float(value).hex())


def main():
    problem, sizes = read_problem(sys.argv[1])
    solvers.options.update(show_progress=False, abstol=1e-9, reltol=1e-9, feastol=1e-9)
    least, runs, begin = float("inf"), 0, time.process_time()
    try:
        while runs == 0 or (runs < 5 and time.process_time() - begin < 0.2):
            start = time.process_time()
            found = solvers.qp(*problem)
            least = min(least, time.process_time() - start)
            runs += 1
    except (ArithmeticError, ValueError):
        sys.exit(FAILED)
    print_answer(least, found, sizes)


if __name__ == "__main__":
    main()
