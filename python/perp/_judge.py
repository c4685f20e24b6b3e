"""Judging any z: certificates, proofs, distances, and Jacobians held against differences."""
from __future__ import annotations

from typing import Any, NamedTuple, Union

from . import _perp
from ._errors import ArgumentError
from ._problem import Problem, as_problem
from ._result import Certificate, Result
from ._tables import Status
from ._views import as_vector


def certify(problem: Problem, z: Any) -> Certificate:
    """Measure any z against the problem's data, whoever produced it.

    z solves the problem to tol if and only if ``value + bound <= tol`` of what is returned.
    """
    as_problem(problem, "certify")
    return Certificate(*_perp.certify(problem._kind, problem._fields, as_vector(z, "z")))


_CLAIMS = {str(s): s for s in (Status.RAY, Status.INFEASIBLE, Status.UNBOUNDED)}


class Proof(NamedTuple):
    """Whether a vector proves what it claims; true in a condition where it does."""

    holds: bool
    certificate: Certificate

    def __bool__(self) -> bool:
        return self.holds


def check(problem: Problem, claim: Union[Result, Status, str], w: Any = None, z: Any = None) -> Proof:
    """Verify a proof that there is no solution: ``perp.check(problem, result)``, or a claim ("ray",
    "infeasible", "unbounded"), its vector w, and of an unbounded one a feasible point z.

    Of infeasible ``certificate.radius`` is R: every solution has |z|_1 >= R.
    """
    as_problem(problem, "check")
    if isinstance(claim, Result):
        return check(problem, claim.status, claim.w, claim.z)
    status = _CLAIMS.get(str(claim))
    if status is None:
        raise ArgumentError(f"'{claim}' is no claim; there are {', '.join(_CLAIMS)}")
    point = None if z is None else as_vector(z, "z")
    holds, numbers = _perp.check(problem._kind, problem._fields, int(status), as_vector(w, "w"), point)
    return Proof(holds, Certificate(*numbers))


class Distance(NamedTuple):
    """How far a z is from a solution, proved, with all roundings counted."""

    norm: float  #: |z - z*| is at most this; infinite: nothing is proved
    largest: float  #: and every |z_i - z*_i| this
    unique: bool  #: z* is the only solution
    of: str  #: "the solution", or "a solution, locally unique"
    by: str  #: the theorem
    detail: str  #: why nothing is proved


def distance(problem: Problem, z: Any) -> Distance:
    """Bound the distance from any z to a solution of the problem, where theory does.

        >>> d = perp.distance(perp.lcp([[2, 1], [1, 2]], [-5, -6]), [1.3333, 2.3333])
        >>> d.unique, d.norm < 1e-4
        (True, True)
    """
    as_problem(problem, "distance")
    return Distance(*_perp.distance(problem._kind, problem._fields, as_vector(z, "z")))


class JacobianReport(NamedTuple):
    """The entry of a Jacobian that differs most from what differences of F say; true where they agree."""

    agrees: bool
    row: int
    column: int
    given: float
    expected: float
    error: float
    detail: str

    def __bool__(self) -> bool:
        return self.agrees


def check_jacobian(problem: Problem, z: Any) -> JacobianReport:
    """Hold the jacobian of a problem, an ncp or mcp, against differences of F at z: do this first when a
    solve by your own Jacobian stalls.
    """
    as_problem(problem, "check_jacobian")
    return JacobianReport(*_perp.check_jacobian(problem._kind, problem._fields, as_vector(z, "z")))
