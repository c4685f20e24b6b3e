"""Solvers of one contact in block Gauss–Seidel: packing, Brazil nut, wall (section 5)

The paper compares, by CPU time, the explicit solution for spheres, a Newton method, Lemke's method
and a quadratic program on a pyramid, and finds Newton's the quickest of those that need no spheres,
Lemke's slower and the quadratic program the slowest. Its times are drawn; only 1200 s for the wall
with Newton's method is said. Pyramids have 8 facets; all else is the same: the tolerance, the sweeps
allowed, the warm start."""
import json
import math

DEPARTS = [
    "The paper draws its times; only 1200 s for the wall with Newton's method is said. Sizes, "
    "steps and tolerances are ours.",
    "The quadratic program is solved along a path in Fletcher's null space, which for bounds is the principal "
    "submatrix of what is free; the paper's reference has a generalised Fletcher method and no listing.",
    "Pyramids have 8 facets unless a table says otherwise.",
]

# Of the wall: blocks of the lowest course wholly over the ground that sinks, from 5.5 of its 10 on, and wholly on
# firm ground; the way of a corner, in heights, when its block goes down with the ground and turns over.
OVER, FIRM, FARTHEST = 4, 5, 1 + math.hypot(2, 1)

LOCAL = [("explicit", "explicit"), ("auto", "ours: exact, by cases"), ("newton", "Newton"),
         ("lemke", "Lemke"), ("qp", "QP")]
# name, scene and its arguments, sweeps, tolerance, seconds, seconds when quick, measures at the end, curve
SCENES = [("packing of 320 spheres, to rest", ["settling", "--set=spheres=320"], 40, 2e-3, 20, 0.9,
           [("closed", "contacts with a force"), ("top", "highest, m"), ("speed", "fastest, m/s")], "speed"),
          ("Brazil nut, 801 spheres, all its time", ["nut"], 20, 1e-2, 40, 0.2,
           [("first", "above 2/3 first at, s"), ("best", "share at most"), ("share", "share at the end")], "share"),
          ("wall of 105 blocks, its ground sinking", ["wall", "--set=sink=1"], 100, 1e-3, 5, 0.01,
           [("detached", "blocks detached"), ("standing", "in place"), ("moved", "moved at most, heights")],
           "detached")]


def run(x):
    times, left = {}, {}
    for name, scene, sweeps, tol, seconds, few, measures, curve in SCENES:
        seconds = few if x.quick else seconds
        rows, curves, behaviour = [], [], []
        for local, words in LOCAL:
            csv, measured = x.path(f"{scene[0]}_{local}.csv"), x.path(f"{scene[0]}_{local}_measures.csv")
            done = x.simulate(*scene, f"--set=seconds={seconds}", f"--tol={tol}", f"--csv={csv}",
                              f"--solver=fc3d/nsgs:local={local},max_iter={sweeps}", f"--measures={measured}",
                              accept=(0, 1))
            times[name, local] = done["cpu"]
            left[name, local] = done["residual"]
            rows.append([words, done["cpu"], done["cpu"] / times[name, "explicit"],
                         1e6 * done["cpu"] / max(done["iterations_mean"] * done["steps"], 1),
                         done["iterations_mean"],
                         done.get("model_residual", done["residual"]), done["residual"],
                         100 * (1 - done["uncertified"] / done["steps"])])
            still = rms_speed(x, csv) if scene[0] == "settling" else None
            behaviour.append([words, *(done["measures"][k] for k, _ in measures), done["overlap"],
                              done["overlap_last"], done["contacts"], still][:None if still else -1])
            curves.append((words, *x.columns(measured, "time", curve)))
        x.table(["one contact", "CPU, s", "over explicit", "of a sweep, µs", "sweeps a step",
                 "residual on the law that it solves, at worst", "on the exact cone",
                 "steps certified there, %"], rows,
                f"{name}: {seconds:g} s, at most {sweeps} sweeps, tolerance {tol:g}")
        x.table(["one contact", *(words for _, words in measures), "overlap at worst, m", "at the end, m",
                 "contacts at the end", "speed, root mean square, m/s"][:len(behaviour[0])], behaviour, "The motion")
        x.open_figures()
        x.plot(f"{name}: {next(words for k, words in measures + [('share', 'share below the nut')] if k == curve)}",
               "time, s", curve, curves, style="lines", logy=curve == "speed")
        x.close_figures()
        motion(x, scene[0], dict(zip((k for k, _ in LOCAL), behaviour)))
    order = all(times[s[0], "newton"] < times[s[0], "lemke"] < times[s[0], "qp"] for s in SCENES)
    x.check("the paper's order by CPU: Newton's method, then Lemke's, then the quadratic program", order,
            "; ".join(f"{s[0]}: " + ", ".join(f"{times[s[0], k]:.2f} s" for k, _ in LOCAL[2:])
                      for s in SCENES), timing=True, rows="002.6 002.7 002.9")
    x.note("Lemke and QP stop by the residual on their pyramid, the others by that on the exact cone, "
           "on which the pyramids keep the error of their law. "
           + " ".join(f"{s[0]}, residual on the exact cone: " + ", ".join(
               f"{words} {left[s[0], local]:.2g}" for local, words in LOCAL) + "." for s in SCENES))
    precision(x)
    pivots(x)
    facets(x)


def rms_speed(x, csv):
    """Of the 320 spheres of 1 m and 1000 kg/m³, spin counted as speed."""
    (kinetic,) = x.columns(csv, "kinetic")
    return math.sqrt(2 * kinetic[-1] / (320 * 1000 * 4 / 3 * math.pi))


def motion(x, scene, rows):
    """The paper's “mechanical behaviour”: what every local solver must show."""
    if x.quick:
        return
    if scene == "settling":
        x.at_most("packing: at rest after 20 s, no faster than what gravity gives in one step, g h = 9.81 m/s² × 0.02 s: "
                  "root mean square of the speed over the spheres, largest of the five runs",
                  max(r[-1] for r in rows.values()), 9.81 * 0.02, " m/s", rows="002.9 002.8")
        x.at_most("packing: the heights of the five heaps apart, of the highest, %",
                  100 * (1 - min(r[2] for r in rows.values()) / max(r[2] for r in rows.values())), 15, rows="002.9")
    elif scene == "nut":
        x.check("with every local solver the nut rises above two thirds of the small spheres within 40 s",
                all(0 <= r[1] <= 40 for r in rows.values()),
                ", ".join(f"{r[0]} {r[1]:.1f} s" for r in rows.values()), rows="002.12")
    else:
        good = [r for r in rows.values() if r[1] >= OVER and r[2] >= FIRM and r[3] <= FARTHEST]
        x.check(f"the wall, the paper's “correct physical behaviour”: with Newton, Lemke and QP at least the {OVER} "
                f"blocks of the lowest course over the ground that sinks detach, at least as many as the {FIRM} of it on "
                "firm ground stay, and no corner moves farther than the ground with its block turned over, "
                f"{FARTHEST:.2f} heights", all(rows[k] in good for k in ("newton", "lemke", "qp")),
                ", ".join(f"{r[0]} {r[1]:.0f}, {r[2]:.0f}, {r[3]:.2f}" for r in rows.values()), rows="002.14")
        x.note("These bounds are the scene's geometry: ten blocks of 0.4 m × 0.2 m a course, the ground going down by "
               "0.2 m from 55 % of the length on. They tell a wall that gives way from one that falls or creeps away "
               "as a whole, no more. A block is detached when a corner of it has moved by 1 % of its height, so that "
               "the slow creep that 100 sweeps leave, which certify no step, counts too; the section “masonry” has "
               "the same wall with up to 2000 sweeps. The inner pyramid holds less friction than the cone.")


def pivots(x):
    """The maximal number of pivots, of which the paper says that it matters."""
    x.title("Lemke's maximal number of pivots on one contact")
    name, scene, sweeps, tol = SCENES[0][:4]
    rows = []
    for most in (1, 2, 3, 4, 6, 8, 0):
        done = x.simulate(*scene, f"--set=seconds={0.9 if x.quick else 4}", f"--tol={tol}",
                          f"--solver=fc3d/nsgs:local=lemke,pivots={most},max_iter={sweeps}", accept=(0, 1))
        rows.append([most or "8 an unknown", done["cpu"], done["iterations_mean"], done["model_residual"],
                     100 * (1 - done["uncertified"] / done["steps"]), done["overlap"], done["overlap_last"]])
    x.table(["pivots at most", "CPU, s", "sweeps a step", "residual on the pyramid, at worst",
             "steps certified on the exact cone, %", "overlap at worst, m", "at the end, m"], rows,
            f"Packing of 320 spheres, {0.9 if x.quick else 4:g} s; a contact whose pivots end keeps its impulse")
    free = rows[-1][3]
    enough = next(r[0] for r in rows if abs(r[3] - free) <= 1e-6 * max(free, 1e-300) or r is rows[-1])
    x.check("the number of pivots matters, as the paper says: one pivot leaves a larger residual on the pyramid than "
            "no limit", rows[0][3] > free, f"{rows[0][3]:.2g} against {free:.2g}; as without a limit from "
            f"{enough} pivots on", rows="002.10")


def facets(x):
    x.title("Facets of Lemke's pyramid")
    rows = []
    _, scene, sweeps, tol = SCENES[1][:4]
    for count in (4, 8, 16, 32):
        done = x.simulate(*scene, f"--solver=fc3d/nsgs:local=lemke,facets={count},"
                          f"max_iter={sweeps}", f"--tol={tol}", f"--steps={10 if x.quick else 60}", accept=(0, 1))
        rows.append([count, count + 2, done["cpu"], done["iterations_mean"], done["model_residual"], done["residual"],
                     done["overlap"]])
    x.table(["facets", "unknowns of one contact", "CPU of all steps, s", "sweeps a step",
             "residual on the pyramid at worst", "on the exact cone", "overlap at worst, m"], rows,
            "Brazil nut, 60 steps: each run goes its own way, so that the worst steps are not the same problem")


def sweep(x, local, sweeps, problem):
    """CPU with the reading of the problem, residual on the law that is solved, on the exact cone."""
    before = x.cpu()
    done = json.loads(x.perp("solve", "--json", "-s", f"fc3d/nsgs:local={local},extrapolate=0,tol=1e-10,"
                             f"max_iter={sweeps}", problem, accept=(0, 1), show=False))
    model = done.get("model_residual")
    return x.cpu() - before, done["residual"] if model is None else model, done["residual"]


def precision(x):
    """CPU against the residual on the law that is solved: one problem of each scene, more and more sweeps."""
    x.title("Work and precision on one step of each scene")
    steps = {"settling": 60 if x.quick else 300, "nut": 10 if x.quick else 60, "wall": 3 if x.quick else 160}
    sweeps = (10, 100) if x.quick else (5, 10, 20, 50, 100, 200, 500, 1000)
    for name, scene, _, tol, *_ in SCENES:
        problem = x.path(f"{scene[0]}.perp")
        x.simulate(*scene, f"--tol={tol}", "--solver=fc3d/nsgs:max_iter=100", f"--steps={steps[scene[0]]}",
                   f"--dump={steps[scene[0]]}:{problem}", accept=(0, 1))
        x.show(f"for k in {' '.join(map(str, sweeps))}; do\n    {x.program('perp')} solve --json -s "
               f"fc3d/nsgs:local=LOCAL,extrapolate=0,tol=1e-10,max_iter=$k {problem}\ndone")
        curves, rows = [], []
        for local, words in LOCAL:
            reading = sweep(x, local, 0, problem)[0]
            at = [sweep(x, local, k, problem) for k in sweeps]
            cpu = [max(t - reading, 1e-5) for t, _, _ in at]
            curves.append((words, cpu, [max(e, 1e-16) for _, e, _ in at]))
            rows.append([words, sweeps[-1], 1e3 * cpu[-1], 1e6 * cpu[-1] / sweeps[-1], *at[-1][1:]])
        x.table(["one contact", "sweeps", "CPU of them, ms", "of one sweep, µs",
                 "residual on the law that it solves", "on the exact cone"], rows, name)
        x.open_figures()
        x.plot(f"Residual on the law that is solved against CPU: {name}", "CPU, s", "residual", curves,
               logx=True, logy=True)
        x.close_figures()
    if not x.quick:
        x.peers("Other libraries on these steps", [(scene[1][0], x.path(f"{scene[1][0]}.perp")) for scene in SCENES],
                tol=1e-4, rows="002.4")
