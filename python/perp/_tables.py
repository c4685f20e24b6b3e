"""Statuses, kinds, solvers and options, from the tables of the library."""
from __future__ import annotations

import enum
import functools
from typing import Any, Dict, NamedTuple, Optional, Tuple, Union

from . import _perp
from ._errors import DataTypeError, OptionError

KINDS: Tuple[str, ...] = ("lcp", "ncp", "mcp", "fc3d", "nnls", "qp", "cone")


class Status(enum.IntEnum):
    """How a solve ended. 0 is solved and certified, above 0 is honestly not solved."""

    SOLVED = 0
    UNCERTIFIED = 1
    MAX_ITER = 2
    MAX_SECONDS = 3
    STALLED = 4
    RAY = 5
    INFEASIBLE = 6
    UNBOUNDED = 7
    CANCELLED = 8
    BAD_ARGUMENT = -1
    BAD_OPTION = -2
    BAD_FORMAT = -3
    BAD_NUMBER = -4
    BAD_FILE = -5
    NO_MEMORY = -6

    def __str__(self) -> str:
        return self.name.lower()

    @property
    def text(self) -> str:
        """The status as a sentence."""
        return _sentences()[int(self)]


@functools.lru_cache(maxsize=None)
def _sentences() -> Dict[int, str]:
    return {value: text for _, text, value in _perp.statuses()}


class Option(NamedTuple):
    """An option of a solver: a row of the library's table."""

    name: str
    type: str  # "float", "int", "bool" or "str"
    default: Union[float, int, bool, str]
    least: Optional[float]
    largest: Optional[float]
    choices: Optional[Tuple[str, ...]]
    help: str


class _Solver(NamedTuple):
    kind: str
    about: str
    options: Tuple[Option, ...]


def _make_option(row: Tuple[Any, ...]) -> Option:
    name, kind, default, least, largest, choices, text = row
    if choices is not None:
        words = tuple(choices.split("|"))
        return Option(name, kind, words[default], None, None, words, text)
    if kind == "bool":
        return Option(name, kind, default, None, None, None, text)
    top = None if largest >= (2147483647 if kind == "int" else 1e300) else largest
    return Option(name, kind, default, least, top, None, text)


@functools.lru_cache(maxsize=None)
def table() -> Dict[str, _Solver]:
    """All solvers by name. The start of a solve is an argument, and no option here."""
    return {
        name: _Solver(kind, about, tuple(_make_option(o) for o in rows if o[0] != "warm_start"))
        for name, kind, about, rows in _perp.solvers()
    }


def _row(solver: str) -> _Solver:
    if not isinstance(solver, str):
        raise DataTypeError(f"the solver is a name such as 'lcp/psor', not {type(solver).__name__}")
    if solver not in table():
        import difflib

        kind, _, word = solver.rpartition("/")
        known = solvers(kind) if kind in KINDS else tuple(table())
        words = [name.partition("/")[2] for name in known]
        near = difflib.get_close_matches(word, words, 1, 0.7)
        hint = f"; did you mean '{known[words.index(near[0])]}'?" if near else f"; there are {', '.join(known)}"
        raise OptionError(f"there is no solver '{solver}'{hint}")
    return table()[solver]


def solvers(kind: Optional[str] = None) -> Tuple[str, ...]:
    """The names of the solvers, of all kinds or of one kind, "lcp", "ncp", "mcp", "fc3d", "nnls", "qp" or "cone"::

        >>> perp.solvers("nnls")
        ('nnls/wilhelmsen', 'nnls/lawson_hanson', 'nnls/pivot', 'nnls/auto')
    """
    if kind is not None and kind not in KINDS:
        raise OptionError(f"there is no kind '{kind}'; there are {', '.join(KINDS)}")
    return tuple(name for name, row in table().items() if kind in (None, row.kind))


def options(solver: str) -> Tuple[Option, ...]:
    """The options of a solver, with defaults, ranges and what they do."""
    return _row(solver).options


def _values(o: Option) -> str:
    if o.choices:
        return ", ".join(o.choices)
    if o.type == "bool":
        return "False, True"
    if o.largest is None:
        return f">= {o.least:g}"
    return f"{o.least:g} .. {o.largest:.10g}"


def describe(solver: str) -> str:
    """What a solver does and its options, as text: ``print(perp.describe("lcp/psor"))``."""
    row = _row(solver)
    lines = [f"{solver}: {row.about}", ""]
    lines += [f"    {o.name:<16} {o.default!s:<12} {_values(o):<24} {o.help}" for o in row.options]
    return "\n".join(lines)
