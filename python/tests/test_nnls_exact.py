"""nnls on Hilbert matrices, held against Lawson and Hanson's method in exact rationals."""
from fractions import Fraction

import numpy as np
import pytest
import scipy.optimize
from scipy.linalg import hilbert

import perp


def solve_exactly(G, c):
    """x of G x = c by elimination; G is positive definite."""
    rows = [[*row, right] for row, right in zip(G, c)]
    n = len(c)
    for k in range(n):
        for i in range(k + 1, n):
            factor = rows[i][k] / rows[k][k]
            rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k])]
    x = [Fraction(0)] * n
    for k in reversed(range(n)):
        x[k] = (rows[k][n] - sum(rows[k][j] * x[j] for j in range(k + 1, n))) / rows[k][k]
    return x


def rational(x):
    return [Fraction(float(v)) for v in x]


def nnls_exactly(A, b):
    """The solution for the numbers that are stored in A and b; Lawson and Hanson (1974), chapter 23."""
    columns, right = [rational(column) for column in A.T], rational(b)
    gram = [[sum(a * c for a, c in zip(p, q)) for q in columns] for p in columns]
    ahead = [sum(a * c for a, c in zip(p, right)) for p in columns]
    n, used = len(columns), []
    x = [Fraction(0)] * n
    while True:
        slope = {j: ahead[j] - sum(gram[j][k] * x[k] for k in used) for j in range(n) if j not in used}
        if not slope or max(slope.values()) <= 0:
            return x
        used.append(max(slope, key=slope.get))
        while True:
            s = solve_exactly([[gram[i][j] for j in used] for i in used], [ahead[i] for i in used])
            if min(s) > 0:
                break
            step = min(x[j] / (x[j] - v) for j, v in zip(used, s) if v <= 0)
            for j, v in zip(used, s):
                x[j] += step * (v - x[j])
            used = [j for j in used if x[j] > 0]
        for j, v in zip(used, s):
            x[j] = v


def norm_exactly(A, b, x):
    """|A x - b| without rounding but that of the root."""
    parts = [sum(a * Fraction(v) for a, v in zip(rational(row), x)) - c for row, c in zip(A, rational(b))]
    return float(sum(v * v for v in parts)) ** 0.5


@pytest.mark.parametrize("n", [4, 6, 8, 9, 10, 12, 14])
def test_exact_nnls_on_hilbert_matrices(n):
    """Where the least norm is not 0, x agrees to 1e-12. Where b is in the cone of the columns the least
    norm is 0: both are right to 1e-14 |b|."""
    H, rng = hilbert(n), np.random.default_rng(n)
    for b in (np.ones(n), np.arange(n) - n / 2.0):
        right = nnls_exactly(H, b)
        assert np.allclose(perp.nnls(H, b)[0], np.array([float(v) for v in right]), rtol=0, atol=1e-12)
    for b in (H @ rng.random(n), H @ np.maximum(rng.standard_normal(n), 0)):
        size = np.linalg.norm(b)
        least = norm_exactly(H, b, nnls_exactly(H, b))
        theirs, ours = (norm_exactly(H, b, rational(f(H, b)[0])) for f in (scipy.optimize.nnls, perp.nnls))
        assert least <= 1e-15 * size
        assert theirs <= 1e-14 * size
        assert ours <= 1e-14 * size and perp.certify(perp.nnls_problem(H, b), perp.nnls(H, b)[0]).value <= 1e-12
