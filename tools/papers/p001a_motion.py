"""Particle on a slope, colliding particle, sliding ladder: Gauss' principle (sections 2 and 3, Figures 1 and 2)

The motion is the possible one that is nearest to the free one: a projection, solved as a
nearest-point problem by Wilhelmsen's algorithm. The particles are stepped by velocities; the ladder
by accelerations, with the term ω × (ω × r) of equation (3), and held to its differential equation."""
import math

import page

DEPARTS = [
    "The paper's figures are drawings; positions and angles of ours are the scene's.",
    "Two contacts where the paper has many: the ladder is an example whose answer is known.",
]

LENGTH, ANGLE, G = 2.0, 70.0, 9.81  # of the scene `ladder`


def run(x):
    rows, worst = [], 0
    for order in (2, 1):
        done = x.simulate("slope", f"--set=order={order}")["measures"]
        rows.append([f"slope of 30 degrees, world of order {order}", done["speed"],
                     done["expected"], done["error"]])
        worst = max(worst, done["error"])
    for e in (0, 0.5, 1):
        done = x.simulate("collision", f"--set=e={e}")["measures"]
        rows.append([f"collision, restitution {e}", done["normal"], 2.0 * e, done["error"]])
        worst = max(worst, done["error"])
    x.table(["case", "speed, m/s", "by the projection", "error of the velocity"], rows)
    x.check("velocities are the projections, to 1e-12", worst <= 1e-12, f"{worst:.1e}",
            rows="000.3 001.2 001.12 001.13")
    half_spaces(x)
    folder = x.path("pictures")
    x.simulate("collision", "--every=10", f"--pictures={folder}")
    x.pictures([(f"{folder}/collision_{k:06d}.svg", f"t = {k * 0.01:g} s")
                for k in (0, 10, 20, 30)])
    ladder(x)
    files = []
    for scene, step in (("slope", 2), ("collision", 11)):
        files.append((scene, x.path(f"{scene}.perp")))
        x.simulate(scene, "--form=lcp", "--solver=lcp/lemke", f"--steps={step}", f"--dump={step}:{files[-1][1]}")
    x.peers("Other libraries on one step, in contact space", files)


# ---- Figures 1 and 2

def arrow(k, to, name, colour, at):
    """Setup of gnuplot: a vector from the origin with its name at its head."""
    code = page.COLOURS[colour]
    return (f"set arrow {k} from 0,0 to {to[0]:.9g},{to[1]:.9g} lw 3 lc rgb '{code}' front\n"
            f"set label {k} '{name}' at {to[0]:.9g},{to[1]:.9g} offset {at} front\n")


def velocity(x, csv, step):
    steps, vx, vz = x.columns(csv, "step", "vx", "vz")
    return next((a, b) for n, a, b in zip(steps, vx, vz) if n == step)


def plane(normal, size):
    """The edge of the half space n·y ≥ 0, and short strokes on its forbidden side."""
    along = (normal[1], -normal[0])
    edge = [(-size * along[0], -size * along[1]), (size * along[0], size * along[1])]
    marks = ""
    for k in range(-9, 10, 2):
        p = [k / 9 * size * v for v in along]
        q = [p[i] - 0.06 * size * normal[i] + 0.05 * size * along[i] for i in range(2)]
        marks += (f"set arrow from {p[0]:.6g},{p[1]:.6g} to {q[0]:.6g},{q[1]:.6g} nohead "
                  f"lc rgb '{page.COLOURS[0]}'\n")
    return edge, marks


def half_spaces(x):
    """What the paper's figures draw: the half space of possible motions, the free one and the nearest."""
    csv, angle = x.path("slope.csv"), math.radians(30)
    x.simulate("slope", "--steps=1", f"--bodies={csv}")
    a_c = [v / 0.01 for v in velocity(x, csv, 1)]
    normal, a_u = (math.sin(angle), math.cos(angle)), (0, -G)
    off = abs(a_c[0] * normal[0] + a_c[1] * normal[1]) / G
    square = abs((a_u[0] - a_c[0]) * a_c[0] + (a_u[1] - a_c[1]) * a_c[1]) / G ** 2
    collision = x.path("collision.csv")
    x.simulate("collision", f"--bodies={collision}")
    x.open_figures()
    same = "set size ratio -1\n"
    edge, marks = plane(normal, 8)
    x.plot("Possible accelerations on the slope, the free one a_u and the nearest a_c (Figure 1)",
           "a_x, m/s²", "a_z, m/s²", [("edge of the half space", *zip(*edge))], style="lines",
           setup=same + marks + arrow(90, a_u, "a_u", 1, "0.6,0.4") + arrow(91, a_c, "a_c", 2, "-1,1")
           + "set xrange [-9:9]\nset yrange [-11:7]\n")
    v_in, v_out = velocity(x, collision, 0), velocity(x, collision, 40)
    edge, marks = plane((0, 1), 2.4)
    bound = [(-2.4, -0.5 * v_in[1]), (2.4, -0.5 * v_in[1])]
    x.plot("Velocities before and after the collision, e = 0.5 (Figure 2)", "v_x, m/s", "v_z, m/s",
           [("v_z = 0", *zip(*edge)), ("v_z = −e v⁻_z: edge of the half space", *zip(*bound))], style="lines",
           setup=same + marks + arrow(90, v_in, "v⁻", 1, "0.6,-0.3") + arrow(91, v_out, "v⁺", 2, "0.6,0.6")
           + "set xrange [-2.5:2.5]\nset yrange [-2.5:2]\n")
    x.close_figures()
    x.check("a_c lies on the edge of the half space, and a_u − a_c is square to it, to 1e-12 of g",
            max(off, square) <= 1e-12, f"{max(off, square):.1e}", rows="001.13")
    tangent = abs(v_out[0] - v_in[0])
    x.check("v⁺ is v⁻ moved along the normal to the edge, to 1e-12", tangent <= 1e-12 and
            abs(v_out[1] + 0.5 * v_in[1]) <= 1e-12, f"{max(tangent, abs(v_out[1] + 0.5 * v_in[1])):.1e} m/s",
            rows="001.13")


# ---- the ladder

def rate(y, free):
    """Of the angle with the floor and its speed; free: it has left the wall."""
    s, c = math.sin(y[0]), math.cos(y[0])
    if not free:
        return y[1], -1.5 * G / LENGTH * c
    part = -LENGTH / 2 * c * (G - LENGTH / 2 * y[1] ** 2 * s)
    return y[1], part / (LENGTH ** 2 / 12 + LENGTH ** 2 / 4 * c * c)


def rk4(y, h, free):
    k1 = rate(y, free)
    k2 = rate([a + h / 2 * b for a, b in zip(y, k1)], free)
    k3 = rate([a + h / 2 * b for a, b in zip(y, k2)], free)
    k4 = rate([a + h * b for a, b in zip(y, k3)], free)
    return [a + h / 6 * (p + 2 * q + 2 * r + u) for a, p, q, r, u in zip(y, k1, k2, k3, k4)]


def equation(seconds, h):
    """{step: (angle, speed)} of the differential equation at every 10th step, and when it leaves the wall: there
    sin = 2/3 of the start's, found by halving."""
    y, free, left, out = [math.radians(ANGLE), 0.0], False, None, {0: (math.radians(ANGLE), 0.0)}
    last = 2 / 3 * math.sin(y[0])
    for n in range(round(seconds / h)):
        z = rk4(y, h, free)
        if not free and math.sin(z[0]) < last:
            low, high = 0.0, h
            for _ in range(60):
                low, high = ((low + high) / 2, high) if math.sin(rk4(y, (low + high) / 2, False)[0]) > last else (
                    low, (low + high) / 2)
            left, free = n * h + low, True
            z = rk4(rk4(y, low, False), h - low, True)
        y = z
        if (n + 1) % 10 == 0:
            out[(n + 1) // 10] = tuple(y)
    return out, left


def forces(angle, speed, at_wall):
    """Of floor and wall on the ladder of 1 kg."""
    s, c = math.sin(angle), math.cos(angle)
    faster = rate((angle, speed), not at_wall)[1]
    floor = G + LENGTH / 2 * (faster * c - speed * speed * s)
    return floor, -LENGTH / 2 * (faster * s + speed * speed * c) if at_wall else 0.0


def ladder(x):
    """Constrained accelerations, two contacts, against the ladder's differential equation."""
    x.title("Constrained acceleration: a ladder slides on floor and wall (sections 2 and 3.1, equations (2) to (4))")
    seconds, rows, curves, found = 0.8, [], [], {}
    exact, left = equation(seconds, 1e-4)
    for h in (0.004, 0.002, 0.001):
        csv = x.path(f"ladder_{h}.csv")
        more = [f"--pictures={x.path('ladder')}", "--every=200"] if h == 0.001 else []
        done = x.simulate("ladder", f"--set=dt={h}", f"--measures={csv}", *more)
        time, angle, floor, wall = x.columns(csv, "time", "angle", "floor", "wall")
        each = round(h / 0.001)
        off = [abs(math.radians(a) - exact[k * each][0]) for k, a in enumerate(angle)]
        before = [o for o, t in zip(off, time) if t < left]
        # a row has the forces of the step's first stage, at the row before it
        force = [max(abs(f - g), abs(w - v)) for (f, w), (g, v) in (
            ((floor[k + 1], wall[k + 1]), forces(*exact[k * each], time[k] < left)) for k in range(len(time) - 1))]
        leaves = next(t for t, w in zip(time[1:], wall[1:]) if w == 0) - h
        found[h] = max(before), max(off), max(force)
        rows.append([h, max(before), max(off), max(force), leaves, done["energy_drift"], done["residual"]])
        curves = [("floor", time[:-1], floor[1:]), ("wall", time[:-1], wall[1:])]
    x.table(["h, s", "error of the angle at the wall, rad", "over 0.8 s", "error of the forces, N",
             "the wall's force is 0 from, s", "energy: worst change", "residual at worst"], rows,
            f"Ladder of {LENGTH:g} m and 1 kg from {ANGLE:g} degrees; by the differential equation it leaves the wall at "
            f"{left:.6f} s")
    x.at_most("the ladder's angle follows its differential equation, h = 0.001 s, rad", found[0.001][1], 1e-6,
              rows="001.1")
    x.at_most("so do the forces of floor and wall, N", found[0.001][2], 1e-4, rows="001.1")
    x.at_most("it leaves the wall within a step of the instant of the differential equation, s",
              abs(rows[-1][4] - left), 0.001, rows="001.1")
    x.open_figures()
    x.plot("Forces of floor and wall", "time, s", "force, N", curves + [
        ("by the differential equation: floor", [k * 0.001 for k in sorted(exact)],
         [forces(*exact[k], k * 0.001 < left)[0] for k in sorted(exact)]),
        ("wall", [k * 0.001 for k in sorted(exact)],
         [forces(*exact[k], k * 0.001 < left)[1] for k in sorted(exact)])], style="lines")
    x.close_figures()
    x.pictures([(f"{x.path('ladder')}/ladder_{k:06d}.svg", f"t = {k * 0.001:g} s") for k in (0, 200, 400, 600, 800)])
    x.note("Each step takes four nearest-point problems, the stages of Runge and Kutta's method. Without friction the "
           "wall lets go by itself: its constraint is an inequality, and the nearest acceleration stops touching it.")
