"""peer_splitting.py FILE: operator splitting on the QP in FILE, whose format peer_cvxopt.py has.

Stellato, Banjac, Goulart, Bemporad, Boyd, "OSQP: an operator splitting solver for quadratic programs",
Mathematical Programming Computation 12, 2020, after the paper, with the smaller of its two systems:
a Cholesky factor of H + s I + B'RB, B = (A; I) (CHOLMOD, by cvxopt), then a solve and a projection an
iteration; no interior points, no pivots. The penalty R is adapted now and then; at last the active
set of the iterate is solved for by multipliers. Prints the processor time and then x and the multipliers
of A x, a number a line.
"""

import sys
import time

import numpy
from cvxopt import cholmod, matrix, spmatrix
from scipy import sparse

SIGMA = 1e-6  # proximal term of x
OVER = 1.6  # relaxation
EQUAL = 1e3  # times the penalty, of rows that are equations
ADAPT = 100  # iterations between two looks at the penalty, ...
UNEVEN = 3.0  # ... which changes where the residuals ask for so much more or less
SCALINGS = 10
ITERATIONS = 20000
GOAL = 1e-8  # of both residuals, relative
POLISH = 1e5  # penalty of the active set
REFINEMENTS = 40


def read_matrix(file, rows, columns, count):
    i, j = (numpy.fromfile(file, numpy.int32, count) for _ in range(2))
    return sparse.csc_matrix((numpy.fromfile(file, float, count), (i, j)), (rows, columns))


def largest(x):
    return numpy.abs(x).max(initial=0)


def column_sizes(M):
    return numpy.asarray(abs(M).max(axis=0).todense()).ravel()


def balance(H, B):
    """Factors of columns and rows with which all largest entries are about 1 (Ruiz 2001)."""
    column, row = numpy.ones(H.shape[0]), numpy.ones(B.shape[0])
    for _ in range(SCALINGS):
        C, R = sparse.diags(column), sparse.diags(row)
        scaled = R @ B @ C
        by_column = numpy.maximum(column_sizes(C @ H @ C), column_sizes(scaled))
        by_row = column_sizes(scaled.T.tocsc())
        column /= numpy.sqrt(numpy.where(by_column > 0, by_column, 1))
        row /= numpy.sqrt(numpy.where(by_row > 0, by_row, 1))
    return column, row


class Factor:
    """Of H + SIGMA I + B' diag(weight) B."""

    def __init__(self, H, B, weight):
        K = sparse.tril(H + SIGMA * sparse.identity(H.shape[0]) + B.T @ sparse.diags(weight) @ B).tocoo()
        self.K = spmatrix(matrix(K.data), matrix(K.row.astype(int)), matrix(K.col.astype(int)), K.shape)
        self.F = cholmod.symbolic(self.K)
        cholmod.numeric(self.K, self.F)

    def solve(self, b):
        x = matrix(b)
        cholmod.solve(self.F, x)
        return numpy.array(x).ravel()


def split(H, c, B, low, high):
    """x, the multipliers of B x and their values, with low <= B x <= high."""
    x, z, y, penalty = numpy.zeros(H.shape[0]), *numpy.zeros((2, B.shape[0])), 0.1
    weight = numpy.where(low == high, EQUAL, 1)
    factor = Factor(H, B, penalty * weight)
    for k in range(1, ITERATIONS + 1):
        r = penalty * weight
        found = factor.solve(SIGMA * x - c + B.T @ (r * z - y))
        x = OVER * found + (1 - OVER) * x
        over = OVER * (B @ found) + (1 - OVER) * z
        z = numpy.clip(over + y / r, low, high)
        y = y + r * (over - z)
        if k % ADAPT:
            continue
        Bx, Hx, By = B @ x, H @ x, B.T @ y
        primal = largest(Bx - z) / max(largest(Bx), largest(z), 1e-12)
        dual = largest(Hx + c + By) / max(largest(Hx), largest(By), largest(c), 1e-12)
        if primal < GOAL and dual < GOAL:
            break
        ratio = (primal / max(dual, 1e-16)) ** 0.5
        if ratio > UNEVEN or ratio < 1 / UNEVEN:
            penalty = min(max(penalty * ratio, 1e-4), 1e4)
            factor = Factor(H, B, penalty * weight)
    return x, y, z


def polish(H, c, B, low, high, x, y, z):
    """The same on the active set of the iterate, by multipliers."""
    down, up = z - low < -y, (high - z < y) & ~(z - low < -y)
    active, bound = numpy.flatnonzero(down | up), numpy.where(down, low, high)[down | up]
    G, y = B.tocsr()[active], numpy.where(down | up, y, 0)
    factor = Factor(H, G, numpy.full(len(active), POLISH))
    for _ in range(REFINEMENTS):
        x = x - factor.solve(H @ x + c + G.T @ (y[active] + POLISH * (G @ x - bound)))
        y[active] += POLISH * (G @ x - bound)
    return x, y


def main():
    with open(sys.argv[1], "rb") as file:
        n, m, in_H, in_A = (int(k) for k in numpy.fromfile(file, numpy.int32, 4))
        H, A = read_matrix(file, n, n, in_H), read_matrix(file, m, n, in_A)
        c, lo, hi = (numpy.fromfile(file, float, k) for k in (n, m, m))
        xlo, xhi = (numpy.fromfile(file, float, n) for _ in range(2))
    start = time.process_time()
    B = sparse.vstack((A, sparse.identity(n))).tocsc()
    column, row = balance(H, B)
    C, R = sparse.diags(column), sparse.diags(row)
    H, B, c = (C @ H @ C).tocsc(), (R @ B @ C).tocsc(), column * c
    cost = 1 / max(column_sizes(H).mean(), largest(c), 1e-12)
    low, high = row * numpy.concatenate((lo, xlo)), row * numpy.concatenate((hi, xhi))
    x, y, z = split(cost * H, cost * c, B, low, high)
    x, y = polish(cost * H, cost * c, B, low, high, x, y, z)
    print(f"{time.process_time() - start:.9f}")
    for value in numpy.concatenate((column * x, -(row * y / cost)[:m])):
        print(float(value).hex())


main()
