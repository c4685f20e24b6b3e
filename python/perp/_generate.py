"""Problems of seeded families, as `perp generate` makes them."""
from __future__ import annotations

import difflib
from typing import Dict, NamedTuple, Optional, Tuple

from . import _perp
from ._errors import ArgumentError, DataTypeError, OptionError
from ._problem import Problem
from ._tables import Status
from ._views import as_count


class Family(NamedTuple):
    """A family of problems."""

    name: str
    about: str
    counts: str  #: what its size counts
    forms: Tuple[str, ...]  #: the kind; of a scene the problems that it can be stated as
    size: int  #: unless another is asked for


def families() -> Dict[str, Family]:
    """The families that ``generate`` knows, by name."""
    rows = (Family(name, about, counts, tuple(forms.split(", ")), size)
            for name, about, counts, forms, size in _perp.families())
    return {row.name: row for row in rows}


def generate(family: str, size: int = 0, seed: int = 1, *, form: Optional[str] = None, mu: Optional[float] = None,
             ratio: Optional[float] = None, facets: Optional[int] = None) -> Problem:
    """A problem of a seeded family: ``perp.generate("obstacle2d", 10000)``.

    The same family, size and seed give the same problem everywhere. ``families()`` names them. form,
    mu (friction), ratio (of masses) and facets (of friction pyramids) are for scenes. Where the
    family knows the answer, ``problem.solution`` has it, or ``problem.claim`` and ``problem.proof``.
    """
    known = families()
    if not isinstance(family, str):
        raise DataTypeError(f"the family is a name such as 'pd', not {type(family).__name__}")
    if family not in known:
        near = difflib.get_close_matches(family, known, 1)
        hint = f"did you mean '{near[0]}'?" if near else "perp.families() names them"
        raise OptionError(f"there is no family '{family}'; {hint}")
    counts = {"size": as_count(size, "size"), "seed": as_count(seed, "seed"), "facets": as_count(facets or 0, "facets")}
    for name, value in counts.items():
        if value >= (2**64 if name == "seed" else 2**31):
            raise ArgumentError(f"{name} = {value} is too large")
    if ratio is not None and not ratio > 0:
        raise ArgumentError(f"ratio = {ratio} is not above 0")
    row = _perp.generate(family, counts["size"], counts["seed"], form, -1.0 if mu is None else mu, ratio or 0.0, counts["facets"])
    (kind, fields), solution, proof, claim = row
    more = {"solution": solution, "proof": proof, "claim": None if proof is None else Status(claim)}
    return Problem(kind, fields, family, more)
