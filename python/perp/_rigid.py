"""Rigid bodies in contact, step by step, on arrays of numpy.

Bodies, contacts and joints are structured arrays: ``bodies["position"]`` is an n x 3 view of the memory
that a step moves. What touches what is found by a function of yours."""
from __future__ import annotations

from typing import Any, Callable, NamedTuple, Optional, Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

from . import _perp
from ._errors import ArgumentError, DataTypeError, OptionError
from ._solve import full_name
from ._tables import Status
from ._views import as_array, as_indices, as_vector


def _make_dtype(bytes_: int, rows: Sequence[Tuple[str, str, int, int]]) -> np.dtype[Any]:
    shapes = {1: (), 3: (3,), 4: (4,), 9: (9,)}
    return np.dtype({"names": [r[0] for r in rows], "formats": [(r[1], shapes[r[3]]) for r in rows],
                     "offsets": [r[2] for r in rows], "itemsize": bytes_})


body_dtype, contact_dtype, joint_dtype = (_make_dtype(*layout) for layout in _perp.layouts())

_BODY_KINDS = ("free", "fixed", "driven")
_JOINT_KINDS = ("ball", "hinge", "weld")
RULES = ("impact", "gap", "moreau", "poisson", "recovery")
_DYNAMICS = ("second_order", "first_order")
# Forms of perp/rigid.h with the kinds of their problems.
FORMS = {"fc3d_local": 3, "fc3d_body": 3, "mcp": 2, "lcp_facets": 0, "mcp_facets": 2, "lcp": 0,
          "nnls_velocities": 4, "nnls_accelerations": 4}


def place_of(word: str, words: Sequence[str], what: str) -> int:
    """The place of a word among those that are known; what names them in the refusal."""
    if word not in words:
        raise OptionError(f"there is no {what} '{word}'; there are {', '.join(words)}")
    return list(words).index(word)


def _fill(array: NDArray[Any], **fields: Any) -> NDArray[Any]:
    for name, value in fields.items():
        if value is None:
            continue
        if array.dtype[name].base.kind == "i":
            value = as_indices(value, name)
        elif array.dtype[name].base.kind == "f":
            value = as_array(value, name)
        array[name] = value
    return array


def bodies(count: int, *, mass: Any = 1.0, inertia: Any = (1.0, 1.0, 1.0), position: Any = None,
           rotation: Any = (1.0, 0.0, 0.0, 0.0), velocity: Any = None, spin: Any = None, force: Any = None,
           torque: Any = None, kind: str = "free") -> NDArray[Any]:
    """An array of bodies, at rest at the origin unless said otherwise: each value is for all, or one a
    body.

    count: how many. mass; inertia: the three principal moments, or a 3 x 3 matrix, in the body's own frame.
    position: of the centre of mass; velocity of it; rotation: a unit quaternion (w, x, y, z); spin: the
    angular velocity; force and torque act until they are changed; all in the frame of the world. kind: "free", "fixed" or "driven"; ``bodies["kind"][k] = 1`` fixes one.
    """
    made = _fill(np.zeros(count, body_dtype), mass=mass, position=position, rotation=rotation,
                 velocity=velocity, spin=spin, force=force, torque=torque)
    moments = np.asarray(inertia, dtype=float)
    if moments.shape[-2:] == (3, 3):
        made["inertia"] = moments.reshape(moments.shape[:-2] + (9,))
    else:
        made["inertia"][:, [0, 4, 8]] = moments
    made["kind"] = place_of(kind, _BODY_KINDS, "kind of body")
    return made


def contacts(a: Any, b: Any, point: Any, normal: Any, *, gap: Any = 0.0, mu: Any = 0.0, restitution: Any = 0.0,
             id: Any = 0) -> NDArray[Any]:
    """An array of contacts between bodies a and b, -1 for the fixed world: what a function that finds
    contacts returns.

    point: where they touch, in the world; normal: unit vectors from b to a; gap: their distance, below 0
    an overlap; mu: friction; restitution: 0 to 1, for rule="impact". id tells contacts of the same
    two bodies apart: keep it from step to step, and the impulses of the last step start the next.
    """
    shape = np.broadcast_shapes(*(np.shape(x) for x in (a, b, gap, mu, restitution, id)),
                                *(np.shape(x)[:-1] for x in (point, normal)))
    return _fill(np.zeros(shape or 1, contact_dtype), a=a, b=b, point=point, normal=normal, gap=gap, mu=mu,
                 restitution=restitution, id=id)


def joint(kind: str, bodies: NDArray[Any], a: int, b: int, point: Any, axis: Any = None) -> NDArray[Any]:
    """A joint between bodies a and b (-1: the world) at a point of the world, closed as they stand now:
    an array of one. kind: "ball", "hinge" (about the unit vector axis) or "weld".
    """
    number = place_of(kind, _JOINT_KINDS, "kind of joint")
    if not isinstance(bodies, np.ndarray) or bodies.dtype != body_dtype:
        raise ArgumentError("bodies is not an array of perp.body_dtype; perp.bodies(count) makes one")
    for name, k in (("a", a), ("b", b)):
        place = as_indices(k, name)
        if place is None or place.ndim or not -1 <= k < len(bodies):
            raise ArgumentError(f"{name} = {k} is no body; there are {len(bodies)}, and -1 is the world")
    if kind == "hinge" and axis is None:
        raise ArgumentError("axis is missing: a hinge turns about it")
    along = None if axis is None else as_vector(axis, "axis")
    made = _perp.make_joint(number, bodies, a, b, as_vector(point, "point"), along)
    return np.frombuffer(bytearray(made), joint_dtype)


def contact_frame(normal: Any) -> NDArray[Any]:
    """The frame of a contact with that unit normal, columns n, t1, t2: impulses are along these."""
    n = as_vector(normal, "normal")
    if not abs(np.linalg.norm(n) - 1) <= 1e-6:
        raise ArgumentError(f"the normal {n} is no unit vector")
    return _perp.frame(n).reshape(3, 3).T


def stack(parts: Any, dtype: np.dtype[Any]) -> NDArray[Any]:
    """One contiguous array of that type, of an array or a sequence of them, or None."""
    if parts is None:
        return np.zeros(0, dtype)
    if isinstance(parts, np.ndarray):
        if parts.dtype == dtype and parts.ndim == 1 and parts.flags.c_contiguous:
            return parts
        parts = [parts]
    rows = [np.atleast_1d(p) for p in parts]
    for row in rows:
        if row.dtype.names is None or not set(row.dtype.names) <= set(dtype.names or ()):
            raise ArgumentError(f"an array of {row.dtype} has not the fields {', '.join(dtype.names or ())}")
    made = np.zeros(sum(len(row) for row in rows), dtype)
    at = 0
    for row in rows:
        for name in row.dtype.names:
            made[name][at : at + len(row)] = row[name]
        at += len(row)
    return made


class StepReport(NamedTuple):
    """What a step did."""

    status: Status  #: of the worst problem; above 0 the bodies have moved by its best iterate
    contacts: int  #: that took part
    groups: int  #: problems solved
    unsolved: int  #: of them not certified
    iterations: int  #: the most that one problem took
    rounds: int  #: of the fixed point
    residual: float  #: certified, of the worst problem
    model_residual: float  #: on what the solver solves instead; NaN: it solves the problem itself
    kinetic: float  #: energy at the end of the step
    potential: float
    overlap: float  #: the worst that was found
    collide_seconds: float
    assemble_seconds: float
    solve_seconds: float
    contact_work: float  #: kinetic energy that the contacts added
    restitution_scale: float  #: the least factor that restitutions were reduced by; 1: none was
    time: float  #: at the end of the step
    detail: str

    @property
    def solved(self) -> bool:
        """Whether every problem was solved and certified."""
        return self.status == Status.SOLVED


Collide = Callable[[NDArray[Any], float], Any]


class World(_perp.World):
    """Bodies that move: ``world.bodies`` is the array it was made with, which steps change.

        >>> ball = perp.bodies(1, mass=2, inertia=(0.8, 0.8, 0.8), position=(0, 0, 1))
        >>> def floor(bodies, margin):
        ...     z = bodies["position"][0, 2] - 1
        ...     return perp.contacts(0, -1, (0, 0, 0), (0, 0, 1), gap=z, mu=0.5) if z <= margin else None
        >>> world = perp.World(ball, collide=floor)
        >>> world.step(dt=0.01, gravity=(0, 0, -9.81)).solved
        True

    collide(bodies, margin) returns the contacts whose gap is at most margin, with the bodies as they
    stand in the array it is given (a copy, which it may keep): an array of ``perp.contacts``, a list
    of them, or None. It must not step this world. joints: an array of ``perp.joint``, a list of them, or None.
    """

    bodies: NDArray[Any]
    joints: NDArray[Any]

    def __init__(self, bodies: NDArray[Any], joints: Any = None, collide: Optional[Collide] = None) -> None:
        if not isinstance(bodies, np.ndarray) or bodies.dtype != body_dtype:
            raise ArgumentError("bodies is not an array of perp.body_dtype; perp.bodies(count) makes one")
        self.bodies = bodies
        self.joints = stack(joints, joint_dtype)
        ask = None if collide is None else lambda at, margin: stack(collide(at, margin), contact_dtype)
        super().__init__(bodies, self.joints, ask, body_dtype)

    @property
    def position(self) -> NDArray[Any]:
        """n x 3, a view."""
        return self.bodies["position"]

    @property
    def velocity(self) -> NDArray[Any]:
        """n x 3, a view."""
        return self.bodies["velocity"]

    @property
    def rotation(self) -> NDArray[Any]:
        """n x 4 quaternions, a view."""
        return self.bodies["rotation"]

    @property
    def spin(self) -> NDArray[Any]:
        """n x 3, a view."""
        return self.bodies["spin"]

    @property
    def contacts(self) -> NDArray[Any]:
        """The contacts of the last step, as they were solved; a copy."""
        return np.frombuffer(bytearray(self.last()[0]), contact_dtype)

    @property
    def impulses(self) -> NDArray[Any]:
        """Three a contact of the last step: along the columns of ``contact_frame(normal)``; a copy."""
        return self.last()[1].reshape(-1, 3)

    def step(self, dt: float = 0.01, *, theta: float = 1.0, rule: str = "recovery", margin: float = 0.01,
             gravity: Sequence[float] = (0.0, 0.0, 0.0), dynamics: str = "second_order", gyroscopic: bool = False,
             rolling_friction: float = 0.0, air_drag: float = 0.0, fixed_point: int = 0, fixed_tol: float = 1e-4,
             form: str = "fc3d_local", facets: int = 8, warm_start: bool = True, single_problem: bool = False,
             threads: int = 1, escape_radius: float = 0.0, recovery_speed: float = 1.0,
             restitution_threshold: float = 0.1, split_impulse: bool = False, solver: Optional[str] = None,
             **options: Any) -> StepReport:
        """One step of dt seconds: contacts are found, the problem is stated, solved and certified, and
        the bodies move. docs/contacts.md has the method.

        The motion: theta, 1/2 to 1, of the theta-method: 1/2 keeps energy, 1 is backward Euler. gravity acts
        on free bodies. dynamics: "second_order": forces change velocities; "first_order": they are
        velocities, and nothing moves by itself. gyroscopic: a body drifts with its angular momentum, not
        with its spin. air_drag: a torque -air_drag * spin. rolling_friction: a force of rolling_friction times
        the normal force against the velocity of a body on a contact that stuck in the last step.
        escape_radius: the step is refused when a body gets further from the origin; 0: it may be anywhere.

        The contacts: collide is asked for those with a gap of at most margin. rule: "recovery" and "gap"
        take all of them, and undo overlap: "gap" in one step and without restitution, "recovery" at most at
        recovery_speed, with restitution of approaches faster than restitution_threshold; split_impulse
        undoes it by positions alone. "impact", "moreau" and "poisson" take those that would close within
        the step, have restitution, and leave overlap. fixed_point: with "gap", contacts are those of the end
        of the step, found by at most so many solves, until poses change by no more than fixed_tol; 0: those
        of its start.

        The problem: form says how it is stated, "fc3d_local", "fc3d_body", "mcp", "lcp_facets",
        "mcp_facets", "lcp", "nnls_velocities" or "nnls_accelerations" (``perp.assemble`` describes them),
        with so many facets where it has pyramids; solver and the further options (tol, max_iter, ...) are of
        the kind of that form. warm_start: begin at the impulses of the last step. single_problem: one
        problem of all contacts, not one of each group of bodies that contacts link. threads share the
        groups, and do not change the result.

        A step that is refused, or whose collide raises, leaves bodies and time as they were.
        """
        kind = list(FORMS.values())[place_of(form, list(FORMS), "form")]
        named = full_name(solver, kind)
        x, y, z = (float(g) for g in gravity)
        raw = self.advance(dt, theta, place_of(rule, RULES, "rule"), margin, (x, y, z),
                           place_of(dynamics, _DYNAMICS, "dynamics"), rolling_friction, air_drag, fixed_point,
                           fixed_tol, list(FORMS).index(form), facets, threads, escape_radius, named, options,
                           (gyroscopic, not warm_start, single_problem, split_impulse), recovery_speed,
                           restitution_threshold)
        return StepReport(Status(raw[0]), *raw[1:])

    def __repr__(self) -> str:
        return f"<perp.World: {len(self.bodies)} bodies, {len(self.joints)} joints, time {self.time:g} s>"


def step(world: World, dt: float = 0.01, **options: Any) -> StepReport:
    """One step of a world: ``world.step(dt, ...)``, with the options of ``World.step``."""
    if not isinstance(world, World):
        raise DataTypeError(f"step takes a perp.World, not {type(world).__name__}")
    return world.step(dt, **options)
