"""One step of rigid bodies with contacts and joints as a problem, and the motion that its solution means."""
from __future__ import annotations

from typing import Any, Dict, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from . import _perp
from ._errors import ArgumentError
from ._problem import Problem
from ._result import Result
from ._rigid import FORMS, RULES, body_dtype, contact_dtype, joint_dtype, place_of, stack
from ._views import as_vector


class Motion(NamedTuple):
    """What a solution of an assembled problem means: velocities at the end of the step and impulses.
    In the form "nnls_accelerations" they are accelerations and forces."""

    velocity: NDArray[Any]  #: n x 3
    spin: NDArray[Any]  #: n x 3
    impulses: NDArray[Any]  #: three a contact, along the columns of ``contact_frame(normal)``
    joint_impulses: NDArray[Any]  #: 3 of a ball, 5 of a hinge, 6 of a weld, in the order of the joints


class Groups(NamedTuple):
    """Which bodies move together; a step is as many independent problems."""

    number: int  #: of groups
    body: NDArray[Any]  #: the group of each body; -1: it is not free
    contact: NDArray[Any]  #: of each contact
    joint: NDArray[Any]  #: of each joint


class Assembly(Problem):
    """The problem of one step, which ``assemble`` states: for ``solve``, ``certify``, ``save`` and their like.

    ``form`` is the form that was asked for, ``motion(z)`` leads back from a solution to the bodies."""

    __slots__ = ("_step", "_place")

    def __init__(self, kind: int, fields: Tuple[Any, ...], name: Optional[str] = None,
                 more: Optional[Dict[str, Any]] = None, *, step: Tuple[Any, ...], place: int) -> None:
        super().__init__(kind, fields, name, more)
        self._step = step
        self._place = place

    @property
    def form(self) -> str:
        """The form in which the step is stated."""
        return list(FORMS)[self._place]

    def motion(self, z: Union[Result, Any]) -> Motion:
        """Velocities of all bodies at the end of the step, and the impulses, from a solution z or the Result
        of a solve. Nothing is moved: ``bodies["velocity"][:] = motion.velocity`` does that.
        """
        at = z.z if isinstance(z, Result) else as_vector(z, "z")
        v, r, l = _perp.motion(self._step, self._place, self._kind, self._fields, at)
        both = v.reshape(-1, 6)
        return Motion(both[:, :3].copy(), both[:, 3:].copy(), r.reshape(-1, 3), l)

    def __reduce__(self) -> Any:
        return _restore, (self._kind, self._fields, self.name, self._more, self._step, self._place)


def _restore(kind: int, fields: Tuple[Any, ...], name: Optional[str], more: Optional[Dict[str, Any]],
             step: Tuple[Any, ...], place: int) -> Assembly:
    return Assembly(kind, fields, name, more, step=step, place=place)


def _state(bodies: NDArray[Any], contacts: Any, joints: Any, dt: float, rule: str, gyroscopic: bool,
           gravity: Sequence[float], recovery_speed: float = 0.0, threshold: float = 0.0) -> Tuple[Any, ...]:
    """The step as the extension module reads it, on copies: the bodies may move on."""
    if not isinstance(bodies, np.ndarray) or bodies.dtype != body_dtype:
        raise ArgumentError("bodies is not an array of perp.body_dtype; perp.bodies(count) makes one")
    own = np.array(bodies, order="C").reshape(-1)
    own["force"] += own["mass"][:, None] * np.asarray([float(g) for g in gravity])
    return (own, stack(contacts, contact_dtype).copy(), stack(joints, joint_dtype).copy(), float(dt),
            place_of(rule, RULES, "rule"), bool(gyroscopic), float(recovery_speed), float(threshold))


def assemble(bodies: NDArray[Any], contacts: Any = None, joints: Any = None, dt: float = 0.01, *,
             form: str = "fc3d_local", rule: str = "gap", gravity: Sequence[float] = (0.0, 0.0, 0.0),
             gyroscopic: bool = False, facets: int = 8, recovery_speed: float = 1.0,
             restitution_threshold: float = 0.1, name: Optional[str] = None) -> Assembly:
    """State one step of dt seconds of bodies with contacts and joints as a problem, which it returns.

        >>> ball = perp.bodies(1, mass=2, position=(0, 0, 1))
        >>> touching = perp.contacts(0, -1, (0, 0, 0), (0, 0, 1), mu=0.5)
        >>> step = perp.assemble(ball, touching, dt=0.01, gravity=(0, 0, -9.81))
        >>> step.motion(perp.solve(step)).impulses[:, 0].round(4)
        array([0.1962])

    form: "fc3d_local" and "fc3d_body" have Coulomb's cone, in contacts or in the velocities of bodies;
    "mcp" friction boxes; "lcp_facets" and "mcp_facets" pyramids of so many facets, inside and outside
    of the cone; "lcp", "nnls_velocities" and "nnls_accelerations" no friction. "fc3d_local",
    "lcp_facets" and "lcp" take no joints. rule: "gap" undoes overlap within the step, "impact" has
    restitution, and reads no gap; with it dt = 0 is a pure impact; "moreau", "poisson" (one phase of it)
    and "recovery", with recovery_speed and restitution_threshold, are as in ``World.step``. All contacts
    listed take part; gravity is added to the forces of the bodies. gyroscopic: spins change as those of a
    body whose moments of inertia differ. name: of the problem. docs/contacts.md has the equations.
    """
    place = place_of(form, list(FORMS), "form")
    step = _state(bodies, contacts, joints, dt, rule, gyroscopic, gravity, recovery_speed, restitution_threshold)
    kind, fields = _perp.assemble(step, place, facets)
    return Assembly(kind, fields, name, step=step, place=place)


def contact_groups(bodies: NDArray[Any], contacts: Any = None, joints: Any = None) -> Groups:
    """Number the groups of free bodies that contacts and joints link, directly or through others. Fixed
    and driven bodies link nothing.
    """
    step = _state(bodies, contacts, joints, 0.0, "impact", False, (0.0, 0.0, 0.0))
    count, *groups = _perp.groups(step)
    return Groups(count, *(np.zeros(0, np.int32) if g is None else g.copy() for g in groups))
