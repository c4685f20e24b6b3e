"""Solvers against problems."""
from __future__ import annotations

from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple, Union

import numpy as np

from ._errors import Error
from ._files import Path, load
from ._problem import Problem
from ._solve import full_name, solve
from ._tables import solvers as names_of

_SHOWN = ("problem", "solver", "tol", "status", "residual", "iterations", "seconds")


class Rows(List[Dict[str, Any]]):
    """The rows of a comparison: a list of dicts, which prints as a table."""

    def to_pandas(self) -> Any:
        """A DataFrame of pandas."""
        import pandas

        return pandas.DataFrame(list(self))

    def __str__(self) -> str:
        lines = [_SHOWN] + [tuple(_write(row[name]) for name in _SHOWN) for row in self]
        widths = [max(len(line[k]) for line in lines) for k in range(len(_SHOWN))]
        return "\n".join("  ".join(word.ljust(w) for word, w in zip(line, widths)).rstrip() for line in lines)


def _write(value: Any) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)


Problems = Union[Problem, Path, Iterable[Union[Problem, Path]]]
Solver = Union[str, Tuple[str, Dict[str, Any]]]


def _as_problems(problems: Problems) -> List[Problem]:
    if isinstance(problems, (Problem, str, bytes)) or hasattr(problems, "__fspath__"):
        problems = [problems]  # type: ignore[list-item]
    return [p if isinstance(p, Problem) else load(p) for p in problems]  # type: ignore[union-attr]


def _run(problem: Problem, solver: Solver, tol: float, repeats: int, limits: Dict[str, Any]) -> Dict[str, Any]:
    name, own = (solver, {}) if isinstance(solver, str) else solver
    name = full_name(name, problem._kind)
    row: Dict[str, Any] = {"problem": problem.name or problem.kind, "kind": problem.kind, "n": problem.n,
                           "solver": name, "tol": tol, **{k: v for k, v in own.items()}}
    try:
        asked: Dict[str, Any] = {"tol": tol, **limits, **own}
        runs = [solve(problem, name, **asked) for _ in range(max(repeats, 1))]
    except Error as error:
        nothing = float("nan")
        return {**row, "status": error.status, "residual": nothing, "iterations": 0, "seconds": nothing,
                "solved_by": "", "objective": nothing, "detail": str(error)}
    r = min(runs, key=lambda run: run.seconds)
    return {**row, "status": str(r.status), "residual": r.residual, "iterations": r.iterations,
            "seconds": r.seconds, "solved_by": r.solver, "objective": r.objective, "detail": r.detail}


def _is_solver(given: Any) -> bool:
    return isinstance(given, str) or isinstance(given, tuple) and len(given) == 2 and isinstance(given[1], dict)


def compare(problems: Problems, solvers: Union[Solver, Sequence[Solver], None] = None, *,
            tol: Union[float, Sequence[float]] = 1e-8, repeats: int = 1, max_seconds: Optional[float] = None,
            **options: Any) -> Rows:
    """Run solvers against problems; a row, a dict, for each run::

        >>> print(perp.compare(perp.generate("pd", 50), ["lcp/lemke", ("lcp/psor", {"omega": 1.4})]))

    problems: problems or paths of files, one or many. solvers: names, or pairs of a name and a dict of
    options, one or many; without them all solvers of the problem's kind. tol: one or several. The quickest of
    `repeats` runs is told. max_seconds limits each run, and further options are for all runs. A solver that refuses a problem has a row that says so. Runs are made in this
    process, one after the other; ``perp compare`` of the command line gives each a process of its own.
    """
    tols: List[float] = [float(t) for t in np.atleast_1d(tol)]
    chosen: Optional[Sequence[Solver]] = [solvers] if _is_solver(solvers) else solvers  # type: ignore
    limits = {**options, **({} if max_seconds is None else {"max_seconds": max_seconds})}
    rows = Rows()
    for problem in _as_problems(problems):
        for solver in names_of(problem.kind) if chosen is None else chosen:
            rows.extend(_run(problem, solver, t, repeats, limits) for t in tols)
    return rows
