"""perp.solutions: every solution of a small LCP."""
from __future__ import annotations

from typing import Any, Callable, List, NamedTuple, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

from . import _perp
from ._errors import ArgumentError, DataTypeError
from ._problem import Problem, as_problem
from ._result import Certificate, Result


class Solution(NamedTuple):
    """A complementary basis that solves the problem: w is 0 within it, z outside."""

    z: NDArray[Any]
    basis: Tuple[int, ...]  #: the indices that belong to it
    face: bool  #: its block of M is singular: z is one point of a face of solutions
    certificate: Certificate


class Solutions(List[Solution]):
    """The bases that solve a problem, in the order in which they were found: a list, with the search's result."""

    def __init__(self, found: List[Solution], result: Result, complete: bool) -> None:
        super().__init__(found)
        self._result, self._complete = result, complete

    @property
    def result(self) -> Result:
        """Of the search: its z has the smallest residual of all; its status says why there is none."""
        return self._result

    @property
    def complete(self) -> bool:
        """Whether every basis was looked at: no limit and no ``found`` ended the search before."""
        return self._complete

    def __reduce__(self) -> Any:
        return Solutions, (list(self), self._result, self._complete)


def _members(basis: int) -> Tuple[int, ...]:
    return tuple(i for i in range(basis.bit_length()) if basis >> i & 1)


def solutions(problem: Problem, *, tol: Optional[float] = None, max_seconds: Optional[float] = None,
              found: Optional[Callable[[Solution], Optional[bool]]] = None) -> Solutions:
    """Every solution of a problem, an LCP of at most 20 unknowns, by looking at all 2**n complementary bases::

        >>> every = perp.solutions(perp.lcp([[1, 2], [2, 1]], [-1, -1]))
        >>> [(s.basis, s.z.round(4).tolist()) for s in every]
        [((0,), [1.0, 0.0]), ((1,), [0.0, 1.0]), ((0, 1), [0.3333, 0.3333])]
        >>> every.complete
        True

    Each is certified to tol; max_seconds limits the search. One z may belong to several bases, where z_i = w_i = 0; a basis whose block of M is
    singular stands for a face of solutions, of which z is one point. found: a function that sees each ``Solution``
    at once, and ends the search where it returns False. What it raises reaches the caller. The solver is
    lcp/enumerate with its option ``all``.
    """
    if as_problem(problem, "solutions").kind != "lcp":
        raise ArgumentError(f"solutions are listed of an lcp, not of a problem of kind {problem.kind}")
    if found is not None and not callable(found):
        raise DataTypeError(f"found is a function of a perp.Solution, not {type(found).__name__}")
    kept: List[Solution] = []
    ended = False

    def keep(raw: Tuple[Any, ...]) -> bool:
        nonlocal ended
        z, basis, face, residual = raw
        kept.append(Solution(z, _members(basis), face, Certificate(*residual)))
        answer = found(kept[-1]) if found is not None else None
        ended = answer is not None and not answer
        return not ended

    options = {"all": True, "tol": tol, "max_seconds": max_seconds}
    raw = _perp.solve(problem._kind, problem._fields, "lcp/enumerate", None, None,
                      {k: v for k, v in options.items() if v is not None}, keep)
    result = Result(raw)
    return Solutions(kept, result, not ended and result.iterations >= 2**problem.n)
