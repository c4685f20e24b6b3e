"""peer_augmented.py FILE: cvxopt's interior points on the QP in FILE, whose format peer_cvxopt.py has,
with the augmented system factored as a sparse matrix.

cvxopt's own ways form a matrix of the size of all equations, dense for CVXQP, and thousands of equations
take it more than a minute an iteration. Here it is given L D L' of (H + G'G/W^2, A'; A, 0) by CHOLMOD,
moved by REGULAR on the diagonal so that every order of the pivots will do, and the solves are refined until
that move is undone. Prints the processor time and then x and the multipliers of A x, a number a line.
"""

import sys
import time

import numpy
from cvxopt import cholmod, matrix, solvers, spmatrix
from scipy import sparse

from peer_cvxopt import FAILED, print_answer, read_problem

REGULAR = 1e-8
REFINEMENTS = 20
REFINED = 1e-14  # of the right side
GOAL = 1e-14  # of the gap: unknowns are at their bounds to its root
FEASIBLE = 1e-7  # over 1 + |c|: rounding leaves more than 1e-8 where c = 0 and H x is 1e6


def to_scipy(M):
    if not isinstance(M, spmatrix):
        return sparse.csc_matrix(numpy.array(M))
    i, j, values = (numpy.array(part).ravel() for part in (M.I, M.J, M.V))
    return sparse.csc_matrix((values, (i, j)), M.size)


def to_cvxopt(M):
    M = M.tocoo()
    return spmatrix(matrix(M.data), matrix(M.row.astype(int)), matrix(M.col.astype(int)), M.shape)


class Systems:
    """Those of cvxopt.solvers.coneqp: (P, A', G'; A, 0, 0; G, 0, -W^2)."""

    def __init__(self, P, G, A):
        self.P, self.G, self.A = (to_scipy(M) for M in (P, G, A))
        n, m = P.size[0], A.size[0]
        self.move = sparse.diags(numpy.concatenate((numpy.full(n, REGULAR), numpy.full(m, -REGULAR))))
        self.factor = None

    def __call__(self, W):
        inverse = numpy.array(W["di"]).ravel()
        H = self.P + self.G.T @ sparse.diags(inverse**2) @ self.G
        K = sparse.bmat([[H, self.A.T], [self.A, None]]).tocsc()
        moved = to_cvxopt(sparse.tril(K + self.move))
        self.factor = self.factor or cholmod.symbolic(moved)
        cholmod.numeric(moved, self.factor)
        return lambda x, y, z: self.solve(K, inverse, x, y, z)

    def solve(self, K, inverse, x, y, z):
        right, bottom = numpy.concatenate((x, y)).ravel(), numpy.array(z).ravel()
        right[: len(x)] += self.G.T @ (inverse**2 * bottom)
        found, size = numpy.zeros(len(right)), abs(right).max()
        for _ in range(REFINEMENTS):
            rest = matrix(right - K @ found)
            if max(abs(rest)) <= REFINED * size:
                break
            cholmod.solve(self.factor, rest)
            found += numpy.array(rest).ravel()
        x[:], y[:] = matrix(found[: len(x)]), matrix(found[len(x) :])
        z[:] = matrix(inverse * (self.G @ found[: len(x)] - bottom))


def main():
    problem, sizes = read_problem(sys.argv[1])
    P, q, G, h, *more = problem
    A, b = more or (spmatrix([], [], [], (0, P.size[0])), matrix(0.0, (0, 1)))
    cholmod.options["supernodal"] = 0  # L D L'
    solvers.options.update(show_progress=False, abstol=GOAL, reltol=GOAL, feastol=FEASIBLE)
    start = time.process_time()
    try:
        dims = {"l": G.size[0], "q": [], "s": []}
        found = solvers.coneqp(P, q, G, h, dims, A, b, kktsolver=Systems(P, G, A))
    except (ArithmeticError, ValueError):
        sys.exit(FAILED)
    print_answer(time.process_time() - start, found, sizes)


main()
