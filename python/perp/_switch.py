"""For people who switch: scipy's nnls and the solve_qp of qpsolvers."""
from __future__ import annotations

import math
from typing import Any, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

from ._errors import ArgumentError, NumberError
from ._problem import Problem, nnls_problem, qp
from ._result import Result
from ._solve import solve
from ._views import as_array, as_vector

ACCEPTED = 1e-8  # the tolerance of perp.solve, which nnls() promises in its text too
# |A x - b| / |b| between which b may be a sum of the columns, and x not the one that says so.
EXACT, NEARLY_EXACT = 1e-14, 1e-6
QUICK = 1e9  # flops of a second solve, by QR


def _accepts(result: Result, tol: float) -> bool:
    certificate = result.certificate
    return certificate.value + certificate.bound <= max(tol, ACCEPTED)


def _refine(problem: Problem, result: Result, tol: float, maxiter: Optional[int]) -> Result:
    """The certificate is of A'(A x - b), which many x make small where columns nearly depend on each other:
    where the fit is nearly exact, an active set by QR tells them apart."""
    b = problem.b
    m, size, norm = len(b), float(np.linalg.norm(b)), math.sqrt(2 * max(result.objective, 0.0))
    if not EXACT * size < norm < NEARLY_EXACT * size or m * min(m, problem.n) ** 2 > QUICK:
        return result
    other = solve(problem, "nnls/lawson_hanson", tol=tol, max_iter=maxiter)
    better = other.objective < result.objective and _accepts(other, tol)
    return other if better else result


def nnls(A: Any, b: Any, maxiter: Optional[int] = None, *, tol: float = 1e-10) -> Tuple[NDArray[Any], float]:
    """Nonnegative least squares with the arguments and the answer of scipy.optimize.nnls: x >= 0 that
    minimises |A x - b|, and that norm.

    A may be sparse. maxiter limits the iterations; tol is what is tried for; an x that rounding keeps from it is returned if it is
    certified to 1e-8, and else, as where iterations end, ``NotSolved`` is raised, a RuntimeError as
    scipy's. A small fit that is nearly exact is refined by QR. ``nnls_problem`` states the problem for ``perp.solve``, with the certificate.
    """
    problem = nnls_problem(A, b)
    result = _refine(problem, solve(problem, tol=tol, max_iter=maxiter), tol, maxiter)
    if not _accepts(result, tol):
        result.raise_for_status()
    return result.z, math.sqrt(2 * max(result.objective, 0.0))


def _symmetric(P: Any) -> Any:
    """(P + P')/2 where P is not symmetric: the same objective."""
    if P is None:
        return None
    P = P if hasattr(P, "tocsc") else as_array(P, "P")
    if len(P.shape) != 2 or P.shape[0] != P.shape[1]:
        raise ArgumentError(f"P has the shape {P.shape}; it must be square")
    differs = (P != P.T).nnz > 0 if hasattr(P, "tocsc") else (P != P.T).any()
    return (P + P.T) / 2 if differs else P


def _as_rows(A: Any, n: int, name: str) -> Any:
    """A row alone is a matrix of one row."""
    if A is None:
        return None
    A = A if hasattr(A, "tocsc") else np.atleast_2d(as_array(A, name))
    if len(A.shape) != 2 or A.shape[1] != n:
        raise ArgumentError(f"{name} has the shape {A.shape}; it needs {n} columns, as many as q has entries")
    return A


def _stack(G: Any, A: Any) -> Any:
    if G is None or A is None:
        return A if G is None else G
    if hasattr(G, "tocsc") or hasattr(A, "tocsc"):
        from scipy import sparse

        return sparse.vstack([sparse.csc_matrix(G), sparse.csc_matrix(A)], format="csc")
    return np.vstack([G, A])


def _join(first: Any, second: Any) -> Optional[NDArray[Any]]:
    parts = [as_vector(np.atleast_1d(x), "bounds") for x in (first, second) if x is not None]
    return np.concatenate(parts) if parts else None


def _check_rows(rows: Any, bounds: Any, matrix: str, vector: str) -> None:
    """Rows come with their bounds, one each."""
    if (rows is None) != (bounds is None):
        given, lacks = (matrix, vector) if bounds is None else (vector, matrix)
        raise ArgumentError(f"{given} is given without {lacks}")
    if rows is not None and np.size(bounds) != rows.shape[0]:
        raise ArgumentError(f"{vector} has {np.size(bounds)} entries; {matrix} has {rows.shape[0]} rows")


def _check_numbers(x: Any, name: str) -> None:
    """NaN is refused by the caller's name, which the problem's data do not have."""
    if x is None:
        return
    wrong = np.flatnonzero(np.isnan(as_array(x, name)))
    if wrong.size:
        raise NumberError(f"{name}[{wrong[0]}] is NaN")


def qp_problem(P: Any, q: Any, G: Any = None, h: Any = None, A: Any = None, b: Any = None, lb: Any = None,
               ub: Any = None) -> Problem:
    """The problem of ``solve_qp``, for ``perp.solve``: min x'P x / 2 + q'x over G x <= h, A x = b,
    lb <= x <= ub. The rows of A x of the problem are those of G, then those of A."""
    q = as_vector(np.atleast_1d(q) if np.ndim(q) == 0 and q is not None else q, "q")
    for name, x in (("q", q), ("h", h), ("b", b), ("lb", lb), ("ub", ub)):
        _check_numbers(x, name)
    n = len(q)
    G, A = _as_rows(G, n, "G"), _as_rows(A, n, "A")
    _check_rows(G, h, "G", "h")
    _check_rows(A, b, "A", "b")
    below = None if h is None else np.full(np.size(h), -np.inf)
    return qp(_symmetric(P), q, _stack(G, A), _join(below, b), _join(h, b), lb, ub)


def solve_qp(P: Any, q: Any, G: Any = None, h: Any = None, A: Any = None, b: Any = None, lb: Any = None,
             ub: Any = None, solver: Optional[str] = None, initvals: Any = None, verbose: bool = False,
             **options: Any) -> Optional[NDArray[Any]]:
    """min x'P x / 2 + q'x over G x <= h, A x = b, lb <= x <= ub, with the arguments and the answer of
    qpsolvers.solve_qp: x, or None where none was found.

    P of a convex program is positive semidefinite, and None is a linear program; where P is neither, x
    is a stationary point, and there may be better ones. solver: a name of ``perp.solvers("qp")``; the
    names of other programs that qpsolvers has are refused. initvals: an x to begin at. verbose prints
    status and residual. Further options are those of ``perp.solve``; for status, multipliers and certificate take
    ``perp.solve(perp.qp_problem(...))``.
    """
    problem = qp_problem(P, q, G, h, A, b, lb, ub)
    start = None if initvals is None else np.concatenate([as_vector(initvals, "initvals"),
                                                          np.zeros(problem._fields[1])])
    result = solve(problem, solver, start=start, **options)
    if verbose:
        print(result)
    return result.x if result.solved else None
