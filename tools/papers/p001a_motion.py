"""Particle on a slope and colliding particle: Gauss' principle (Figures 1 and 2)

The motion is the possible one that is nearest to the free one: a projection, solved as a
nearest-point problem by Wilhelmsen's algorithm."""

DEPARTS = [
    "The paper's figures are drawings; positions and angles of ours are the scene's.",
]


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
    x.check("velocities are the projections, to 1e-12", worst <= 1e-12, f"{worst:.1e}")
    folder = x.path("pictures")
    x.simulate("collision", "--every=10", f"--pictures={folder}")
    x.pictures([(f"{folder}/collision_{k:06d}.svg", f"t = {k * 0.01:g} s")
                for k in (0, 10, 20, 30)])
