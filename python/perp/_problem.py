"""Problems: views on your arrays, one function for each kind.

A problem holds references to its arrays and copies nothing that the library can read as it is: change
an entry, and the next solve sees it. Do not change them from another thread during a solve."""
from __future__ import annotations

from typing import Any, Callable, Dict, Optional, Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

from . import _perp
from ._errors import ArgumentError, DataTypeError
from ._jacobian import adapt
from ._tables import KINDS
from ._views import (as_count, as_indices, as_mask, as_matrix, as_optional, as_vector, describe_view, shape_of,
                     show_matrix)

# The names of the fields that python/src/problems.c reads, in its order.
_MAP = ("n", "M", "q", "F", "jacobian", "pattern", "typical")
_FIELDS: Dict[str, Tuple[str, ...]] = {
    "lcp": ("M", "q"),
    "ncp": ("map",),
    "mcp": ("map", "lo", "hi", "follows", "mu"),
    "fc3d": ("contacts", "form", "mu", "W", "q", "M", "H", "G", "f", "w", "b"),
    "nnls": ("A", "b", "free"),
    "qp": ("n", "m", "H", "A", "c", "lo", "hi", "xlo", "xhi"),
    "cone": ("n", "form", "W", "q", "lo", "hi", "follows", "group", "mu", "s", "M", "H", "G", "R", "f", "w", "b"),
}
_MATRICES = {"M", "W", "H", "G", "R", "A", "pattern"}
_LCP, _NCP, _MCP, _FC3D, _NNLS, _QP, _CONE = range(7)


class Problem:
    """A problem of one kind: what ``perp.lcp`` and its like return, and ``perp.load`` and
    ``perp.generate``.

    ``kind``, ``n`` (the length of z), ``name``; the data by their letters, ``problem.M``, ``problem.q``,
    and as a dict, ``problem.data``. Of a file also ``title``, ``description``, ``solution``,
    ``guesses`` and ``constant``; of a family ``solution``, or ``claim`` and ``proof``."""

    __slots__ = ("_kind", "_fields", "n", "name", "_more")

    n: int
    name: Optional[str]

    def __init__(self, kind: int, fields: Tuple[Any, ...], name: Optional[str] = None,
                 more: Optional[Dict[str, Any]] = None) -> None:
        self._kind = kind
        self._fields = fields
        self.n = _perp.size(kind, fields)
        self.name = name
        self._more = more

    @property
    def kind(self) -> str:
        """The kind: "lcp", "ncp", "mcp", "fc3d", "nnls", "qp" or "cone"."""
        return KINDS[self._kind]

    def _named(self) -> Dict[str, Any]:
        named = dict(zip(_FIELDS[self.kind], self._fields))
        if "map" in named:
            named = {**dict(zip(_MAP, named.pop("map"))), **named}
        return {name: x for name, x in named.items() if x is not None}

    @property
    def data(self) -> Dict[str, Any]:
        """The data by name: arrays, matrices and functions, as views. What is absent is not there."""
        return {name: show_matrix(x) if name in _MATRICES else x for name, x in self._named().items()}

    def __getattr__(self, name: str) -> Any:
        if name in ("title", "description", "solution", "guesses", "constant", "claim", "proof", "format"):
            return (self._more or {}).get(name)
        if name.startswith("_") or name in vars(Problem):  # not set: __init__ has not run
            raise AttributeError(f"this problem has no '{name}'")
        named = self._named()
        if name in named:
            return show_matrix(named[name]) if name in _MATRICES else named[name]
        raise AttributeError(f"a problem of the kind {KINDS[self._kind]} has no '{name}'")

    def validate(self) -> None:
        """Raise what is wrong with the data: NaN, broken sparsity, bounds out of order. A solve does it first."""
        _perp.validate(self._kind, self._fields)

    def __dir__(self) -> Sequence[str]:
        return sorted({*super().__dir__(), *self._named()})

    def __reduce__(self) -> Any:
        return Problem, (self._kind, self._fields, self.name, self._more)

    def __repr__(self) -> str:
        views = [f"{k} {describe_view(v)}" for k, v in self._named().items() if k in _MATRICES]
        called = f" '{self.name}'" if self.name else ""
        return f"<perp.Problem{called}: {', '.join([self.kind, f'n = {self.n}', *views])}>"


# ---- linear ones


def _square(M: Any, name: str) -> Any:
    view = as_matrix(M, name)
    if view is None:
        raise DataTypeError(f"{name} is None; a matrix is needed")
    m, n = shape_of(view)
    if m != n:
        raise ArgumentError(f"{name} has {m} rows and {n} columns; it must be square")
    return view


def lcp(M: Any, q: Any, *, name: Optional[str] = None) -> Problem:
    """The linear complementarity problem 0 <= z, w = M z + q >= 0, z'w = 0.

    M: a square array, matrix of scipy.sparse or LinearOperator; q: a vector.

        >>> perp.solve(perp.lcp([[2, 1], [1, 2]], [-5, -6])).z
        array([1.33333333, 2.33333333])
    """
    return Problem(_LCP, (_square(M, "M"), as_vector(q, "q")), name)


def _make_map(F: Any, q: Any, n: Optional[int], jacobian: Any, pattern: Any, typical: Any) -> Tuple[Any, ...]:
    """The fields of a map: affine where F is a matrix, by callback where it is a function."""
    if not callable(F) or hasattr(F, "shape"):
        view = _square(F, "M")
        n = shape_of(view)[0]
        if q is None:
            raise ArgumentError("q is missing: the map is M z + q")
        if jacobian is not None or pattern is not None or typical is not None:
            raise ArgumentError("jacobian, pattern and typical are for maps by callback")
        return n, view, as_vector(q, "q"), None, None, None, None
    if q is not None:
        raise ArgumentError("q is for affine maps; F is a function")
    if n is None:
        raise ArgumentError("n is missing: a function does not tell how many unknowns it has")
    n = as_count(n, "n")
    if jacobian is not None and not callable(jacobian):
        raise DataTypeError("jacobian is not a function of z")
    values, view = adapt(jacobian, n, pattern)
    return n, None, None, F, values, view, as_optional(typical, n, "typical")


def ncp(F: Callable[[NDArray[Any]], Any], n: int, *, jacobian: Optional[Callable[[NDArray[Any]], Any]] = None,
        pattern: Any = None, typical: Any = None, name: Optional[str] = None) -> Problem:
    """The nonlinear complementarity problem 0 <= z, F(z) >= 0, z'F(z) = 0, of n unknowns.

    F takes z and returns n numbers, or None where it is undefined: the solver then steps back.
    jacobian takes z and returns an n x n array or matrix of scipy.sparse; without it F is
    differenced. pattern, a sparse matrix, has an entry wherever the Jacobian may have one; without it
    the Jacobian is dense. typical are the sizes of the unknowns, 1 unless said. An exception that F or
    jacobian raises ends the solve and reaches its caller.

        >>> perp.solve(perp.ncp(lambda z: np.exp(z) - 2, 3)).z
        array([0.69314718, 0.69314718, 0.69314718])
    """
    if not callable(F) or hasattr(F, "shape"):
        raise DataTypeError("F is not a function of z; M z + q with a matrix M is perp.lcp(M, q)")
    return Problem(_NCP, (_make_map(F, None, n, jacobian, pattern, typical),), name)


def as_problem(problem: Any, what: str) -> Problem:
    """The problem itself; a sentence where it is none."""
    if not isinstance(problem, Problem):
        raise DataTypeError(f"{what} takes a problem, as perp.lcp(M, q) makes it, not {type(problem).__name__}")
    return problem


def _count(n: Optional[int], *vectors: Any) -> Optional[int]:
    """n, or the length of the first of these that has one."""
    if n is not None:
        return n
    return next((len(v) for v in vectors if np.ndim(v) == 1), None)


def mcp(F: Any, q: Any = None, lo: Any = None, hi: Any = None, *, n: Optional[int] = None,
        jacobian: Optional[Callable[[NDArray[Any]], Any]] = None, pattern: Any = None, typical: Any = None,
        follows: Any = None, mu: Any = None, name: Optional[str] = None) -> Problem:
    """The mixed complementarity problem lo <= z <= hi, F(z): z_i = lo_i and F_i >= 0, or z_i = hi_i
    and F_i <= 0, or F_i = 0.

    ``mcp(M, q, lo, hi)`` has F(z) = M z + q; ``mcp(F, lo=lo, hi=hi)`` a function, and then jacobian,
    pattern and typical are as of ``ncp``. n, the number of unknowns, is needed where neither lo nor hi is
    an array. lo and hi may be infinite, a number for all, or None for no bounds. Where
    k = follows[i] >= 0, -1 elsewhere, the bounds of z_i follow another unknown, as those of a friction
    box do: |z_i| <= mu[i] max(z_k, 0); problem files, as ODE, call that findex.

        >>> perp.solve(perp.mcp([[2, 1], [1, 2]], [-5, -6], lo=[0, -np.inf], hi=[1, 5])).z.round(4)
        array([1. , 2.5])
    """
    if follows is not None and mu is None:
        raise ArgumentError("mu is missing: |z_i| <= mu_i max(z_k, 0) where k = follows[i] >= 0")
    size = _count(n, lo, hi, typical, follows)
    made = _make_map(F, q, size, jacobian, pattern, typical)
    count: int = made[0]
    fields = (made, as_optional(lo, count, "lo"), as_optional(hi, count, "hi"), as_indices(follows, "follows"),
              as_optional(mu, count, "mu"))
    return Problem(_MCP, fields, name)


# ---- friction


def _contacts(count: int, name: str) -> int:
    if count % 3:
        raise ArgumentError(f"{name} has {count} columns; there are three a contact")
    return count // 3


def fc3d(W: Any, q: Any, mu: Any, *, name: Optional[str] = None) -> Problem:
    """Coulomb friction in 3D: u = W r + q, and u + mu |u_T| n in the dual cone of K is orthogonal to
    r in K = {|r_T| <= mu r_n}, contact by contact.

    Three rows a contact: normal, first and second tangent. mu: one number a contact, or one for all.
    z is r, w is u. ``fc3d_body`` states the same in the velocities of bodies.
    """
    view = _square(W, "W")
    contacts = _contacts(shape_of(view)[0], "W")
    friction = as_optional(mu, contacts, "mu")
    return Problem(_FC3D, (contacts, 0, friction, view, as_vector(q, "q")) + (None,) * 6, name)


def fc3d_body(M: Any, H: Any, f: Any, mu: Any, *, w: Any = None, G: Any = None, b: Any = None,
              name: Optional[str] = None) -> Problem:
    """Coulomb friction in the velocities of bodies: M v = f + H r + G l, u = H'v + w, G'v + b = 0,
    and u, r as of ``fc3d``.

    M: the masses, 6 x 6 for each body or whatever v has; H: the columns of all contacts, n, t1, t2 of
    each; f: M times the velocities before the step, and the impulses of forces; mu: one number a contact,
    or one for all; w: the velocities that contacts have besides, 0 without it. G and b are of joints, which
    there may be none of. z is (r, v, l); ``Result.parts`` has the three by name. ``help(perp.fc3d)`` lists
    the solvers. ``assemble`` makes such problems of bodies and contacts.

    A mass of 2 that falls and slides a little comes to rest:

        >>> mass = perp.fc3d_body(2 * np.eye(3), np.eye(3), [-1, 0.25, 0.1], 0.5)
        >>> perp.solve(mass).parts["r"].round(4)
        array([ 1.  , -0.25, -0.1 ])
    """
    if H is None:
        raise DataTypeError("H is None; a matrix is needed")
    views = [_square(M, "M"), as_matrix(H, "H"), as_matrix(G, "G")]
    contacts = _contacts(shape_of(views[1])[1], "H")
    joints = shape_of(views[2])[1] if views[2] is not None else 0
    vectors = (as_vector(f, "f"), as_optional(w, 3 * contacts, "w"), as_optional(b, joints, "b"))
    return Problem(_FC3D, (contacts, 1, as_optional(mu, contacts, "mu"), None, None, *views, *vectors), name)


def cone(W: Any, q: Any, *, lo: Any = None, hi: Any = None, follows: Any = None, group: Any = None, mu: Any = None,
         s: Any = None, name: Optional[str] = None) -> Problem:
    """Cones with groups, balls, boxes and free rows in any order: u = W z + q.

    A row has the set lo <= z <= hi, a number for all or None for no bounds, as of ``mcp``. Where
    k = follows[i] >= 0 row i is tangential in the cone of normal k; elsewhere it is -1. group[i] is the
    first row of the group that i belongs to, -1 where it is by itself: the rows of a group are one disc
    |z_g| <= mu_g z_k, and a group that follows no row is a ball of radius hi. mu and s are read at the
    first row of a group; s None: s = mu, Coulomb friction; s = 0: a second-order cone. z is in the cone,
    w is u. ``cone_body`` states the same in the velocities of bodies.

    A disc of friction in the rows 1 and 2 on the normal of row 0:

        >>> disc = perp.cone(np.eye(3), [-1, 2, 0], follows=[-1, 0, 0], group=[-1, 1, 1], mu=0.5)
        >>> perp.solve(disc).z.round(4)
        array([ 1. , -0.5,  0. ])
    """
    view = _square(W, "W")
    n = shape_of(view)[0]
    rows = _rows(n, lo, hi, follows, group, mu, s)
    return Problem(_CONE, (n, 0, view, as_vector(q, "q"), *rows) + (None,) * 7, name)


def _rows(n: int, lo: Any, hi: Any, follows: Any, group: Any, mu: Any, s: Any) -> Tuple[Any, ...]:
    return (as_optional(lo, n, "lo"), as_optional(hi, n, "hi"), as_indices(follows, "follows"),
            as_indices(group, "group"), as_optional(mu, n, "mu"), as_optional(s, n, "s"))


def cone_body(M: Any, H: Any, f: Any, *, w: Any = None, G: Any = None, b: Any = None, R: Any = None, lo: Any = None,
              hi: Any = None, follows: Any = None, group: Any = None, mu: Any = None, s: Any = None,
              name: Optional[str] = None) -> Problem:
    """Cones, balls, boxes and free rows in the velocities of bodies: M v = f + H z + G l,
    u = H'v + R z + w, G'v + b = 0, and the rows as of ``cone``.

    M: the masses; H: a column for each row of z; f: M times the velocities before the step, and the impulses
    of forces; w: what the rows of u have besides, 0 without it; G and b: of joints, which there may be none
    of. R is the compliance of the rows (1 / stiffness, CFM), a matrix; without it contacts are rigid. lo,
    hi, follows, group, mu and s are as of ``cone``, whose help lists the solvers. z is
    (z, v, l); ``Result.parts`` has the three by name.
    """
    if H is None:
        raise DataTypeError("H is None; a matrix is needed")
    views = [_square(M, "M"), as_matrix(H, "H"), as_matrix(G, "G"), as_matrix(R, "R")]
    n = shape_of(views[1])[1]
    joints = shape_of(views[2])[1] if views[2] is not None else 0
    vectors = (as_vector(f, "f"), as_optional(w, n, "w"), as_optional(b, joints, "b"))
    rows = _rows(n, lo, hi, follows, group, mu, s)
    return Problem(_CONE, (n, 1, None, None, *rows, *views, *vectors), name)


# ---- least squares and quadratic programs


def nnls_problem(A: Any, b: Any, *, free: Any = None, name: Optional[str] = None) -> Problem:
    """Nonnegative least squares: min |A x - b|^2 / 2 over x >= 0, but where free[j] is true.

    z is x, w is A'(A x - b). ``perp.nnls(A, b)`` is scipy's function of that name.
    """
    view = as_matrix(A, "A")
    if view is None:
        raise DataTypeError("A is None; a matrix is needed")
    mask = as_mask(free, shape_of(view)[1], "free")
    return Problem(_NNLS, (view, as_vector(b, "b"), mask), name)


def qp(H: Any, c: Any, A: Any = None, lo: Any = None, hi: Any = None, xlo: Any = None, xhi: Any = None, *,
       name: Optional[str] = None) -> Problem:
    """The quadratic program min x'H x / 2 + c'x over lo <= A x <= hi and xlo <= x <= xhi.

    H None: a linear program. H that is not symmetric: the affine variational inequality of H x + c.
    Bounds may be infinite, a number for all, or None for none. z is (x, y), y the multipliers of A x,
    at least 0 at lo and at most 0 at hi; ``Result.x`` and ``Result.y`` have them.
    ``perp.solve_qp(P, q, G, h, A, b, lb, ub)`` has the arguments of qpsolvers.
    """
    costs = as_vector(c, "c")
    n = len(costs)
    rows = as_matrix(A, "A")
    m = 0 if rows is None else shape_of(rows)[0]
    hessian = None if H is None else _square(H, "H")
    bounds = (as_optional(lo, m, "lo"), as_optional(hi, m, "hi"), as_optional(xlo, n, "xlo"),
              as_optional(xhi, n, "xhi"))
    return Problem(_QP, (n, m, hessian, rows, costs, *bounds), name)
