"""perp.solve."""
from __future__ import annotations

from typing import Any, Callable, Dict, NamedTuple, Optional

from . import _perp
from ._errors import DataTypeError, OptionError
from ._problem import Problem, as_problem
from ._result import Result, split_of
from ._tables import KINDS, table
from ._tables import options as options_of
from ._views import as_vector


class Progress(NamedTuple):
    """What a monitor is shown, once an iteration."""

    iteration: int
    seconds: float
    estimate: float  #: the solver's own, infinite between vertices of a pivoting method
    residual: float  #: the best certified one, infinite before the first certificate
    merit: float  #: what the method makes smaller; NaN: it does not say
    solver: str


Monitor = Callable[[Progress], Optional[bool]]


def _adapt(monitor: Monitor) -> Callable[..., bool]:
    def ask(*values: Any) -> bool:
        answer = monitor(Progress(*values))
        return answer is None or bool(answer)

    return ask


def full_name(solver: Optional[str], kind: int) -> str:
    """The name with its kind in front; the kind's auto for None."""
    if solver is None:
        return KINDS[kind] + "/auto"
    if not isinstance(solver, str):
        raise DataTypeError(f"the solver is a name such as 'lcp/psor', not {type(solver).__name__}")
    name = solver if "/" in solver else f"{KINDS[kind]}/{solver}"
    if name not in table():
        options_of(name)  # raises, with the nearest name
    return name


# What others call the arguments of solve.
_ELSEWHERE = {"tolerance": "tol", "eps": "tol", "ftol": "tol", "x0": "start", "z0": "start", "initvals": "start",
              "maxiter": "max_iter", "maxit": "max_iter", "max_iterations": "max_iter", "iterations": "max_iter",
              "timeout": "max_seconds", "time_limit": "max_seconds", "callback": "monitor", "method": "solver"}


def _check_names(options: Dict[str, Any]) -> None:
    if "warm_start" in options:
        raise OptionError("warm_start is no option here: start=z begins at z")
    for name in options:
        if name in _ELSEWHERE:
            raise OptionError(f"perp.solve has no '{name}'; it is called '{_ELSEWHERE[name]}' here")


def solve(problem: Problem, solver: Optional[str] = None, *, start: Any = None, tol: Optional[float] = None,
          max_iter: Optional[int] = None, max_seconds: Optional[float] = None, threads: Optional[int] = None,
          monitor: Optional[Monitor] = None, **options: Any) -> Result:
    """Solve a problem, and certify what was found::

        >>> result = perp.solve(perp.lcp([[2, 1], [1, 2]], [-5, -6]), solver="lcp/psor", omega=1.2)
        >>> result.solved, result.z.round(6)
        (True, array([1.333333, 2.333333]))

    solver: a name of ``perp.solvers(kind)``; None is the kind's auto, which chooses. start: where to
    begin, of the length of z; 0 without it. tol: the certified residual to reach. max_iter,
    max_seconds: limits; z is the best iterate within. threads: where the solver can use several; z does
    not depend on it. monitor: a function that sees a ``Progress`` at
    each iteration, and cancels where it returns False. Further options are the solver's own:
    ``help(perp.lcp)`` lists those of its kind, ``perp.options("lcp/psor")`` those of a solver.

    A solve that does not succeed returns a result whose status says so; wrong arguments raise.
    Exceptions of callbacks and of the monitor end the solve and reach the caller, and so does
    Ctrl-C. The GIL is released meanwhile, so that other threads run.
    """
    as_problem(problem, "solve")
    if monitor is not None and not callable(monitor):
        raise DataTypeError(f"the monitor is a function of a perp.Progress, not {type(monitor).__name__}")
    if options:
        _check_names(options)
    if tol is not None:
        options["tol"] = tol
    if max_iter is not None:
        options["max_iter"] = max_iter
    if max_seconds is not None:
        options["max_seconds"] = max_seconds
    if threads is not None:
        options["threads"] = threads
    kind = problem._kind
    raw = _perp.solve(kind, problem._fields, full_name(solver, kind),
                      None if start is None else as_vector(start, "start"),
                      None if monitor is None else _adapt(monitor), options)
    return Result(raw, split_of(problem) if kind > 2 else ())
