"""Types of contact: corner, edge and face (section 2.3)

The paper tells four types of contact of polyhedra apart, by what is known about their normals: corner on face, face
on corner, edge on edge, and, for curved bodies, the rest. The scenes have spheres, planes, boxes and capsules. Whether
ODE's collision library would carry general convex polyhedra is tried here: unit cubes, given to it as polyhedra and
as its own boxes, in each type of contact and in random poses."""
import re

DEPARTS = [
    "Boxes stand for polyhedra in the scenes: ODE's general convex shapes have one point a pair, see below, and this "
    "project has no collision of its own for them.",
]

LINE = re.compile(r"^(\w[\w ,]*?) {2,}(\d+) +(\S+) +(\d+) +(\S+)$", re.M)


def run(x):
    if not x.has("benchmarks/ode_convex"):
        x.note("Left out: ODE was not found when this was built (libode-dev).")
        return
    text = x.run(x.benchmark("ode_convex"))
    rows = [(m[1], int(m[2]), float(m[3]), int(m[4]), float(m[5])) for m in LINE.finditer(text)]
    x.table(["pair of cubes", "points as polyhedra", "depth, side 1", "points as boxes", "depth"], rows)
    x.said(text.strip().splitlines()[-1])
    points = {row[0]: row[3] for row in rows}
    x.check("as boxes each type has the points that hold a body: corner 1, edge on edge 1, edge on face 2, face 3 or "
            "more", points.get("corner on face") == points.get("edge on edge") == 1 and points.get("edge on face") == 2
            and min(points.get("face on face", 0), points.get("face on face, turned", 0)) >= 3,
            ", ".join(f"{k}: {v}" for k, v in points.items()), rows="004.5")
    single = max(row[1] for row in rows)
    x.note(f"As polyhedra a pair has {single} point at most, so that a block on a face would rest on one point and rock "
           "in every step. Polyhedra are therefore left out of the scenes; through the library's interface, where the "
           "caller says where bodies touch, nothing limits their shape." if single < 3 else
           f"As polyhedra a pair has up to {single} points here: scenes with polyhedra could be made.")
