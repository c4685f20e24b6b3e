"""From bodies to problems: the matrices of all five papers, rebuilt in Python

Every form in which a step can be stated is dumped and made again outside the library, in plain Python
(tools/papers/problem_file.py), from M, H, f and w of the form with bodies: the Delassus operator W = HᵀM⁻¹H
and q = HᵀM⁻¹f + w (Renouf, Acary and Dumont (24); Renouf and Acary (5)), the frictionless problem and the
blocks of the pyramid (Sauer and Schömer 2.1 and 2.2), the outer pyramid, the friction boxes with bounds that
follow a normal force (Silcowitz-Hansen, Niebe and Erleben (3) and (7)) and the nearest point in motion space
(Redon, Kheddar and Coquillart). H and f themselves are made from positions and velocities of the bodies,
where the shapes are spheres."""
import math

import problem_file as file

DEPARTS = [
    "Normal and tangents stand in the order n, t₁, t₂; the papers put tangents first.",
    "The forces of a step are those at its beginning: the θ-weighting of F in the papers' free velocity is the "
    "same for constant forces.",
]

FORMS = ("fc3d_body", "fc3d", "lcp", "lcp_facets", "mcp", "mcp_facets", "nnls")
FACETS = 6
SCENES = [("wall on sinking ground, 5 blocks", ["wall", "--set=courses=2", "--set=blocks=2", "--set=sink=1",
                                                "--set=start=0"]),
          ("tippe-top, spinning", ["tippetop", "--set=theta=1"]),
          ("heavy box on light ones (h)", ["erleben", "--set=case=h"]),
          ("20 spheres, close", ["settling", "--set=spheres=20"])]
ROWS = "000.1 000.2 002.1 003.1 004.1"


def dump(x, scene, form):
    path = x.path(f"{scene[0]}_{form}.perp")
    more = [f"--facets={FACETS}"] if form.endswith("facets") else []
    if form in ("lcp", "nnls"):
        more.append("--set=mu=0")
    x.simulate(*scene, f"--form={form}", f"--solver={form.split('_')[0]}/auto", *more, "--steps=1", "--together",
               f"--dump=1:{path}", accept=(0, 1), show=form == "fc3d_body")
    return file.read(x.absolute(path))


def directions():
    return [(math.cos(2 * math.pi * h / FACETS), math.sin(2 * math.pi * h / FACETS)) for h in range(FACETS)]


def local_form(body):
    """W and q."""
    H, M = file.transpose(body["H"]), body["M"]
    W = file.product(H, file.solve(M, body["H"]))
    free = [row[0] for row in file.solve(M, [[value] for value in body["f"]])]
    return W, [a + b for a, b in zip(file.times(H, free), body["w"])]


def normal_part(W, q):
    return [row[::3] for row in W[::3]], q[::3]


def inner_pyramid(W, q, mu):
    """Unknowns β of all contacts, then normal forces, then λ."""
    K, d = len(mu), directions()
    D = [[0.0] * (FACETS * K + K) for _ in range(3 * K)]
    for k in range(K):
        for h, (a, b) in enumerate(d):
            D[3 * k + 1][FACETS * k + h], D[3 * k + 2][FACETS * k + h] = a, b
        D[3 * k][FACETS * K + k] = 1.0
    A = file.product(file.transpose(D), file.product(W, D))
    A = [row + [0.0] * K for row in A] + [[0.0] * (FACETS * K + 2 * K) for _ in range(K)]
    for k in range(K):
        last = FACETS * K + K + k
        for h in range(FACETS):
            A[FACETS * k + h][last], A[last][FACETS * k + h] = 1.0, -1.0
        A[last][FACETS * K + k] = mu[k]
    return A, file.times(file.transpose(D), q) + [0.0] * K


def outer_pyramid(W, q, mu):
    """Unknowns r of all contacts, then κ."""
    K, n = len(mu), len(W)
    A = [row + [0.0] * (FACETS * K) for row in W] + [[0.0] * (n + FACETS * K) for _ in range(FACETS * K)]
    for k in range(K):
        for h, d in enumerate(directions()):
            at = n + FACETS * k + h
            A[at][3 * k] = mu[k]
            for t in (0, 1):
                A[3 * k + 1 + t][at], A[at][3 * k + 1 + t] = d[t], -d[t]
    return A, q + [0.0] * (FACETS * K)


def boxes_differ(mcp, mu):
    """How far bounds, their normal forces and coefficients are from those of (7)."""
    K, n = len(mu), len(mcp["q"])
    lo = [0.0 if i % 3 == 0 else -math.inf for i in range(3 * K)] + [-math.inf] * (n - 3 * K)
    normal = [-1.0 if i % 3 == 0 else float(i - i % 3) for i in range(3 * K)] + [-1.0] * (n - 3 * K)
    part = [0.0 if i % 3 == 0 else mu[i // 3] for i in range(3 * K)] + [0.0] * (n - 3 * K)
    return float(mcp["lo"] != lo) + float(mcp["findex"] != normal) + file.apart(part, mcp["mu"])


def nearest_point(nnls):
    """J_Q J_Qᵀ of the rows of A above the last, and d of the last."""
    columns, s = file.transpose(nnls["A"][:-1]), nnls["b"][-1]
    return file.product(columns, file.transpose(columns)), [v * s for v in nnls["A"][-1]]


def compare(forms):
    """Differences by form."""
    W, q = local_form(forms["fc3d_body"])
    mu = forms["fc3d_body"]["mu"]
    N, p = normal_part(W, q)
    inner, outer = inner_pyramid(W, q, mu), outer_pyramid(W, q, mu)
    square, d = nearest_point(forms["nnls"])

    def differ(form, A, b):
        found = forms[form]
        return max(file.apart(A, found["W" if form == "fc3d" else "M"]), file.apart(b, found["q"]))
    return {"fc3d": differ("fc3d", W, q), "lcp": differ("lcp", N, p),
            "lcp_facets": differ("lcp_facets", *inner), "mcp_facets": differ("mcp_facets", *outer),
            "mcp": differ("mcp", W, q) + boxes_differ(forms["mcp"], mu),
            "nnls": max(file.apart(N, square), file.apart(p, [-v for v in d]))}


def run(x):
    rows, worst = [], 0
    for name, scene in SCENES:
        if scene[0] == "erleben" and not x.perp("simulate", "--quiet", *scene, "--steps=1", accept=(0, 2),
                                                show=False):
            continue
        found = compare({form: dump(x, scene, form) for form in FORMS})
        contacts = len(file.read(x.absolute(x.path(f"{scene[0]}_fc3d.perp")))["mu"])
        rows.append([name, contacts] + [found[form] for form in FORMS[1:]])
        worst = max(worst, *found.values())
    x.table(["step 1 of", "contacts"] + list(FORMS[1:]), rows,
            "Largest difference from the library's matrix, vector and bounds, relative to the largest entry")
    x.at_most("all forms rebuilt from M, H, f and w: largest difference", worst, 1e-13, rows=ROWS)
    geometry(x)
    x.peers("Other libraries on the wall's step", [
        (form, x.path(f"wall_{form}.perp"), form == "lcp_facets") for form in ("fc3d", "mcp", "lcp", "lcp_facets")])


# ---- H and f from the bodies


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def rotate(q, v):
    """q v q* of a unit quaternion (w, x, y, z)."""
    t = [2 * c for c in cross(q[1:], v)]
    return [a + q[0] * b + c for a, b, c in zip(v, t, cross(q[1:], t))]


def bodies_before(x, path, step):
    names = ("step", "x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz")
    rows = zip(*x.columns(path, *names))
    return [(list(r[1:4]), list(r[4:8]), list(r[8:11]), list(r[11:])) for r in rows if r[0] == step - 1]


def momentum(mass, moment, dt, gravity, body):
    """M u + h F of a body whose moments are equal, so that gyroscopic forces vanish."""
    _, _, v, spin = body
    return [mass * (a + dt * g) for a, g in zip(v, gravity)] + [moment * a for a in spin]


def column(point, bodies, normal, n):
    """The column of H: an impulse along a direction at a point, on the first body and against the second."""
    out = [0.0] * n
    for sign, (at, centre) in zip((1, -1), bodies):
        arm = [a - b for a, b in zip(point, centre)]
        out[6 * at:6 * at + 6] = [sign * v for v in normal + cross(arm, normal)]
    return out


def top_columns(body, H):
    """The normal column of the tippe-top's sphere on the plane y = 0."""
    centre, q, _, _ = body[0]
    middle = [a + b for a, b in zip(centre, rotate(q, [0, 0.005, 0]))]
    point = [middle[0], middle[1] - 0.025, middle[2]]
    return [column(point, [(0, centre)], [0.0, 1.0, 0.0], 6)], [[row[0] for row in H]]


def sphere_columns(body, H):
    """The normal columns of pairs of spheres, each as in H, whose entries say which two bodies it is of."""
    made, found = [], []
    for one in file.transpose(H)[::3]:
        touched = [b for b in range(len(body)) if any(one[6 * b:6 * b + 3])]
        if len(touched) != 2:
            continue
        a, b = touched
        between = [u - v for u, v in zip(body[a][0], body[b][0])]
        length = math.sqrt(sum(v * v for v in between))
        normal = [v / length for v in between]
        if sum(u * v for u, v in zip(normal, one[6 * a:6 * a + 3])) < 0:
            a, b, normal = b, a, [-v for v in normal]
        middle = [0.5 * (u + v) for u, v in zip(body[a][0], body[b][0])]
        made.append(column(middle, [(a, body[a][0]), (b, body[b][0])], normal, len(one)))
        found.append(one)
    return made, found


def tangents(H):
    """How far each contact's three directions are from an orthonormal frame, by the bodies' linear parts."""
    worst, columns = 0, file.transpose(H)
    for k in range(0, len(columns), 3):
        at = next(6 * b for b in range(len(H) // 6) if any(columns[k][6 * b:6 * b + 3]))
        E = [c[at:at + 3] for c in columns[k:k + 3]]
        one = [[float(i == j) for j in range(3)] for i in range(3)]
        worst = max(worst, file.apart(one, file.product(E, file.transpose(E))))
    return worst


def geometry(x):
    x.title("H and f from positions and velocities")
    rows = []
    for name, scene, step, dt, gravity, columns in (
            ("tippe-top after 0.4 s", ["tippetop", "--set=theta=1", "--set=fixed_point=0"], 4001, 1e-4,
             [0, -9.81, 0], top_columns),
            ("40 spheres, falling on each other", ["settling", "--set=spheres=40"], 60, 0.02, [0, 0, -9.81],
             sphere_columns)):
        path, csv = x.path(f"{scene[0]}_body.perp"), x.path(f"{scene[0]}_bodies.csv")
        x.simulate(*scene, "--form=fc3d_body", f"--steps={step}", f"--every={step - 1}", f"--bodies={csv}",
                   "--together", f"--dump={step}:{path}", accept=(0, 1))
        found, body = file.read(x.absolute(path)), bodies_before(x, csv, step)
        M, made = found["M"], columns(body, found["H"])
        f = [v for b, one in enumerate(body) for v in momentum(M[6 * b][6 * b], M[6 * b + 3][6 * b + 3], dt,
                                                              gravity, one)]
        rows.append([name, len(found["mu"]), len(made[0]), file.apart(*made), tangents(found["H"]),
                     file.apart(f, found["f"])])
    x.table(["scene", "contacts", "columns rebuilt", "normal columns of H", "frames, from orthonormal",
             "f = M u + h F"], rows, "Largest difference, relative to the largest entry")
    x.at_most("H and f rebuilt from the bodies: largest difference", max(max(r[3:]) for r in rows), 1e-12,
              rows="000.1 002.1 004.1")
