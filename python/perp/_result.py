"""Results: what a solve found, and the certificate that judges it."""
from __future__ import annotations

from typing import Any, Dict, NamedTuple, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

from ._errors import NotSolved
from ._problem import Problem
from ._tables import Status


class Certificate(NamedTuple):
    """The residual of a z, measured from the problem's data and z alone (docs/certificates.md).

    z is solved if and only if ``value + bound <= tol``."""

    value: float  #: what tol is compared with: the largest of the parts
    bound: float  #: proved: the rounding of its own sums changes value by no more
    natural: float  #: the field's own number: the scaled natural map
    units: float  #: the same in the units of the slack
    gap: float  #: of a qp: what bounds the error of the objective, relative
    omega: float  #: z solves data that differ by it, relatively; NaN: not found
    floor: float  #: value that the rounding of z alone leaves; NaN: not found
    radius: float  #: of a proof: no solution is nearer to 0, in the 1-norm
    absolute: float  #: the natural map, unscaled
    primal: float  #: the worst violation of z's constraint
    dual: float  #: the worst violation of the slack's constraint
    complementarity: float  #: the worst |z_i w_i|


class Result:
    """What a solve found. Truth is in ``status``: it is ``solved`` if and only if the certified
    residual is within the tolerance; otherwise z is the best certified iterate.

    The fields cannot be set; ``z`` and ``w`` are arrays of your own."""

    __slots__ = ("_z", "_w", "_raw", "_split")

    def __init__(self, raw: Any, split: Tuple[Tuple[str, int], ...] = ()) -> None:
        self._z: NDArray[Any] = raw[0]
        self._w: NDArray[Any] = raw[1]
        self._raw: Tuple[int, Tuple[float, ...], float, int, int, float, float, str, str] = raw[2:]
        self._split = split

    @property
    def z(self) -> NDArray[Any]:
        """The solution, or the best certified iterate."""
        return self._z

    @property
    def w(self) -> NDArray[Any]:
        """The slack at z; of a ray, infeasible or unbounded the vector that ``perp.check`` accepts."""
        return self._w

    @property
    def proof(self) -> Optional[NDArray[Any]]:
        """The vector that proves a status of ray, infeasible or unbounded; None: the status is another."""
        return self._w if self.status in (Status.RAY, Status.INFEASIBLE, Status.UNBOUNDED) else None

    @property
    def status(self) -> Status:
        """How the solve ended."""
        return Status(self._raw[0])

    @property
    def solved(self) -> bool:
        """Whether the certified residual is within the tolerance."""
        return self._raw[0] == 0

    @property
    def certificate(self) -> Certificate:
        """The residual of z with all its parts."""
        return Certificate(*self._raw[1])

    @property
    def residual(self) -> float:
        """The certified residual, what tol is compared with."""
        return self._raw[1][0]

    @property
    def model_residual(self) -> float:
        """The residual on the approximation that the solver solves; NaN: it solves the problem itself."""
        return self._raw[2]

    @property
    def iterations(self) -> int:
        """Iterations, sweeps or pivots."""
        return self._raw[3]

    @property
    def certificates(self) -> int:
        """Residuals that were measured on the way."""
        return self._raw[4]

    @property
    def seconds(self) -> float:
        """The time that the solve took in the library."""
        return self._raw[5]

    @property
    def objective(self) -> float:
        """x'Hx/2 + c'x of a qp, |Ax - b|^2/2 of an nnls, at z; NaN for other kinds."""
        return self._raw[6]

    @property
    def solver(self) -> str:
        """The solver that found z; of an auto the one that it chose."""
        return self._raw[7]

    @property
    def detail(self) -> str:
        """A sentence; never empty unless solved."""
        return self._raw[8]

    @property
    def parts(self) -> Dict[str, NDArray[Any]]:
        """z by the names of its parts: x and y of a qp, r (z of cones), v and l of bodies, else z."""
        made, at = {}, 0
        for name, count in self._split or (("z", len(self._z)),):
            made[name] = self._z[at : at + count]
            at += count
        return made

    @property
    def x(self) -> NDArray[Any]:
        """The unknowns of a qp or an nnls."""
        return self.parts["x"] if self._split else self._z

    @property
    def y(self) -> NDArray[Any]:
        """The multipliers of a qp."""
        if "y" not in self.parts:
            raise AttributeError("only the result of a qp has multipliers y")
        return self.parts["y"]

    def __reduce__(self) -> Any:
        return Result, ((self._z, self._w, *self._raw), self._split)

    def raise_for_status(self) -> Result:
        """The result itself if it is solved; otherwise raises ``NotSolved``."""
        if self.solved:
            return self
        error = NotSolved(f"{self.status}: {self.detail}")
        error.status = str(self.status)
        error.result = self
        raise error

    def __repr__(self) -> str:
        lines = [f"status     {self.status}", f"residual   {self.residual:.3e}", f"solver     {self.solver}",
                 f"iterations {self.iterations}", f"seconds    {self.seconds:.1e}"]
        if self.objective == self.objective:
            lines.append(f"objective  {self.objective:.16g}")
        if self.detail:
            lines.append(f"detail     {self.detail}")
        lines.append(f"z          {np.array2string(self._z, threshold=8, edgeitems=3)}")
        return "\n".join(lines)


def split_of(problem: Problem) -> Tuple[Tuple[str, int], ...]:
    """Names and lengths of the parts of z, where it has parts."""
    kind = problem.kind
    if kind == "qp":
        n, m = problem._fields[:2]
        return ("x", n), ("y", m)
    if kind == "nnls":
        return (("x", problem.n),)
    if kind == "fc3d" and problem._fields[1] == 1:
        r, v = 3 * problem._fields[0], len(problem._fields[8])
        return ("r", r), ("v", v), ("l", problem.n - r - v)
    if kind == "cone" and problem._fields[1] == 1:
        rows, v = problem._fields[0], len(problem._fields[14])
        return ("z", rows), ("v", v), ("l", problem.n - rows - v)
    return ()
