"""Gripper: a block held at 80 % of the friction limit does not creep

Two jaws press a block; friction alone holds it."""

DEPARTS = [
    "No paper.",
]


def run(x):
    csv, seconds = x.path("gripper.csv"), 10 if x.quick else 100
    done = x.simulate("gripper", "--tol=1e-14", f"--set=seconds={seconds}", f"--measures={csv}")
    bound = 1e-14 * 9.81 * 0.01 * seconds
    creep = abs(done["measures"]["creep"])
    x.table(["load", "simulated, s", "creep, m", "tol·g·h·T, m", "residual at worst"],
            [[0.8, seconds, creep, bound, done["residual"]]])
    x.check(f"creeps at most tol·g·h·T, and 1e-12 m, in {seconds} s", creep <= min(bound, 1e-12),
            f"{creep:.1e} m")
    time, way = x.columns(csv, "time", "creep")
    x.open_figures()
    x.plot("Creep of the block against its jaws", "time, s", "creep, m",
           [("creep", time, way)], style="lines", setup="set format y '%.0e'")
    x.close_figures()
    folder = x.path("pictures")
    x.simulate("gripper", "--steps=1", f"--pictures={folder}", "--forces")
    x.pictures([(f"{folder}/gripper_000001.svg", "the block, its jaws and the contact forces")])
    files = []
    for form in ("fc3d", "mcp"):
        files.append((form, x.path(f"step_{form}.perp")))
        x.simulate("gripper", f"--form={form}", f"--solver={form}/auto", "--together", "--steps=1",
                   f"--dump=1:{files[-1][1]}", accept=(0, 1))
    x.peers("Other libraries: the gripper, by cones and by friction boxes", files)
