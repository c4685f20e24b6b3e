"""The tables of solvers and options, at the end of the docstrings of the kinds."""
from __future__ import annotations

from typing import Any, Callable, Dict

from ._tables import describe, solvers


def add_tables(kinds: Dict[str, Callable[..., Any]]) -> None:
    """To each function of that name the solvers of the kind, with their options, from the library."""
    for kind, function in kinds.items():
        names = solvers("mcp" if kind == "ncp" else kind)
        head = f"\n\n    Solvers, with the options of each: name, default, values, what it does.\n"
        if kind == "ncp":
            names = solvers("ncp") + names
        tables = "\n\n".join(describe(name) for name in names)
        function.__doc__ = (function.__doc__ or "").rstrip() + head + "\n" + _indent(tables) + "\n    "


def _indent(text: str) -> str:
    return "\n".join("    " + line if line else line for line in text.split("\n"))
