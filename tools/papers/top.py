"""Two references for the tippe-top that share nothing with perp: the differential equations of a sliding
eccentric sphere, and impulse-based integration.

Both are for the top of scene_tippetop.c: a mass with the same moment about every axis, so that the spin
of free flight is constant and the axis is all that is to be known of the rotation. y is up. A state is
(c, v, w, a): centre of mass, velocity, spin, axis."""
import math

G, MASS, MOMENT, MU = 9.81, 0.015, 3.75e-6, 0.6
RADIUS, OFFSET, STICK, STICK_AT = 0.025, 0.005, 0.01, 0.03  # the last: of the stick's ball along the axis


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def plus(a, b, t=1.0):
    return (a[0] + t * b[0], a[1] + t * b[1], a[2] + t * b[2])


def times(t, a):
    return (t * a[0], t * a[1], t * a[2])


def start():
    """The paper's, the quaternion made a unit one."""
    q = (-0.316, 0.065, -0.938, -0.126)
    length = math.sqrt(sum(x * x for x in q))
    s, x, y, z = (component / length for component in q)
    axis = (2 * (x * y - s * z), 1 - 2 * (x * x + z * z), 2 * (y * z + s * x))
    return (0.0, RADIUS - OFFSET * axis[1], 0.0), (0.1, 0.0, 0.2), (0.0, 150.0, 0.0), axis


# ---- the linear algebra of one contact

def inverse_mass(r):
    """K of u(+) - u(-) = K p: (1/m) 1 - [r] I^-1 [r]."""
    s = (r[0] * r[0] + r[1] * r[1] + r[2] * r[2]) / MOMENT + 1 / MASS
    return [[(s if i == j else 0.0) - r[i] * r[j] / MOMENT for j in range(3)] for i in range(3)]


def multiply(K, x):
    return tuple(row[0] * x[0] + row[1] * x[1] + row[2] * x[2] for row in K)


def solve(K, b):
    """K x = b, symmetric 3 by 3, by cross products."""
    columns = cross(K[1], K[2]), cross(K[2], K[0]), cross(K[0], K[1])
    det = sum(x * y for x, y in zip(K[0], columns[0]))
    return tuple(sum(columns[i][j] * b[i] for i in range(3)) / det for j in range(3))


# ---- Kane and Levinson: the sphere touches all the time, and slides or rolls

SLOW, DECAY = 1e-3, 1e-3  # m/s: below this it rolls if friction can hold it; s: what is left decays


def derivative(state):
    """Of the state of a sphere that touches: its normal force keeps the gap's second derivative 0."""
    _, v, w, a = state
    r = (OFFSET * a[0], OFFSET * a[1] - RADIUS, OFFSET * a[2])
    u, da = plus(v, cross(w, r)), cross(w, a)
    K = inverse_mass(r)
    free = plus((0.0, -G, 0.0), cross(w, da), OFFSET)  # acceleration of the point without a force
    speed = math.hypot(u[0], u[2])
    force = None
    if speed < SLOW:
        force = solve(K, (-u[0] / DECAY - free[0], -free[1], -u[2] / DECAY - free[2]))
        if math.hypot(force[0], force[2]) > MU * force[1]:
            force = None
    if force is None:
        pull = (-MU * u[0] / max(speed, 1e-9), 1.0, -MU * u[2] / max(speed, 1e-9))
        force = times(max(-free[1] / multiply(K, pull)[1], 0.0), pull)
    return v, plus((0.0, -G, 0.0), force, 1 / MASS), times(1 / MOMENT, cross(r, force)), da


def advance(state, rate, t):
    return tuple(plus(x, d, t) for x, d in zip(state, rate))


def sliding_sphere(seconds, dt, every):
    """Times and cosines of the eccentric sphere, by the classical Runge–Kutta method."""
    state, times_, cosines = start(), [0.0], []
    cosines.append(state[3][1])
    for k in range(1, int(round(seconds / dt)) + 1):
        a = derivative(state)
        b = derivative(advance(state, a, 0.5 * dt))
        c = derivative(advance(state, b, 0.5 * dt))
        d = derivative(advance(state, c, dt))
        state = tuple(tuple(x[i] + dt / 6 * (p[i] + 2 * q[i] + 2 * r[i] + s[i]) for i in range(3))
                      for x, p, q, r, s in zip(state, a, b, c, d))
        if k % every == 0:
            times_.append(k * dt)
            cosines.append(state[3][1])
    return times_, cosines


# ---- Mirtich and Canny: every contact is a train of collisions

ENVELOPE = 1e-6  # m: above the plane; colliding in it is elastic the deeper the more
PARTS = 12       # of the normal impulse that would stop the approach


def sticking(K):
    """The impulse for one unit of normal impulse that keeps the tangential velocity; its tangent."""
    det = K[0][0] * K[2][2] - K[0][2] * K[2][0]
    tx = -(K[2][2] * K[0][1] - K[0][2] * K[2][1]) / det
    tz = -(K[0][0] * K[2][1] - K[2][0] * K[0][1]) / det
    return (tx, 1.0, tz), math.hypot(tx, tz)


def collide(u, K, restitution):
    """The impulse of one collision: Keller's equations in the normal impulse, Stronge's restitution of
    energy."""
    hold, needed = sticking(K)
    total, work, deepest = (0.0, 0.0, 0.0), 0.0, None
    dp = -u[1] / K[1][1] / PARTS
    for _ in range(40 * PARTS):
        speed = math.hypot(u[0], u[2])
        if speed < 1e-12 and needed <= MU:
            way = hold
        elif speed < 1e-12:
            way = (hold[0] * MU / needed, 1.0, hold[2] * MU / needed)
        else:
            way = (-MU * u[0] / speed, 1.0, -MU * u[2] / speed)
        rate = multiply(K, way)
        part = dp
        closing = -(u[0] * rate[0] + u[2] * rate[2])
        if speed >= 1e-12 and closing > 0:  # not beyond where sliding is least: there it stops or turns
            part = min(part, closing / (rate[0] * rate[0] + rate[2] * rate[2]))
        if deepest is None and rate[1] > 0 and u[1] + part * rate[1] > 0:
            part = -u[1] / rate[1]
        new = plus(u, rate, part)
        gained = 0.5 * (u[1] + new[1]) * part
        if deepest is not None:
            wanted = (1 - restitution * restitution) * deepest
            if work + gained >= wanted:
                part *= (wanted - work) / gained if gained > 0 else 0.0
                return plus(total, way, part)
        if speed >= 1e-12 and math.hypot(new[0], new[2]) < 1e-9 * (1 + speed):
            new = (0.0, new[1], 0.0)
        total, work, u = plus(total, way, part), work + gained, new
        if deepest is None and u[1] >= -1e-15:
            deepest = work
            if restitution == 0.0:
                return total
    return total


def impulse_based(seconds, dt, every):
    """Columns time, cos, height, and the energy of the top."""
    (c, v, w, a), out = start(), []
    balls = ((RADIUS, OFFSET), (STICK, STICK_AT))
    for k in range(int(round(seconds / dt)) + 1):
        if k % every == 0:
            energy = (0.5 * MASS * sum(x * x for x in v) + 0.5 * MOMENT * sum(x * x for x in w)
                      + MASS * G * c[1])
            out.append((k * dt, a[1], c[1], energy))
        v = (v[0], v[1] - G * dt, v[2])
        for radius, at in balls:
            r = (at * a[0], at * a[1] - radius, at * a[2])
            gap = c[1] + r[1]
            u = plus(v, cross(w, r))
            if gap >= ENVELOPE or u[1] >= 0:
                continue
            p = collide(u, inverse_mass(r), min(max(1 - gap / ENVELOPE, 0.0), 1.0))
            v, w = plus(v, p, 1 / MASS), plus(w, cross(r, p), 1 / MOMENT)
        c = plus(c, v, dt)
        spin = math.sqrt(sum(x * x for x in w))
        if spin > 0:  # Rodrigues' formula
            e, angle = times(1 / spin, w), spin * dt
            along = (1 - math.cos(angle)) * sum(x * y for x, y in zip(e, a))
            turned = plus(times(math.cos(angle), a), cross(e, a), math.sin(angle))
            a = plus(turned, e, along)
    return [list(column) for column in zip(*out)]
