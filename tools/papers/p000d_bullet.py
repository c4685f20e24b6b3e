"""The same spheres by Bullet and by ODE: speed and overlap (section 8.3)

The same start, step and friction; overlaps are measured alike, after every step."""
import re

DEPARTS = [
    "Not in the paper: the same spheres by two physics engines, from the same start, step and "
    "friction; ODE by its QuickStep, which has a pyramid of friction, with its default compliance.",
]


def run(x):
    if not x.has("benchmarks/settling"):
        x.note("Left out: Bullet was not found when this was built (libbullet-dev).")
        return
    spheres, seconds = (80, 4) if x.quick else (320, 20)
    text = x.run(x.program("benchmarks/settling"), spheres, seconds, 0.02)
    rows = {}
    for line in text.splitlines():
        m = re.match(r"(.*?)\s{2,}([\d.]+) s +([\d.]+) x real time +overlap +([\d.]+) %, later +"
                     r"([\d.]+) % +(\d+) contacts", line)
        rows[m[1]] = [float(v) for v in m.groups()[1:]]
    x.table(["solver", "CPU, s", "simulated over CPU time", "worst overlap, % of R",
             "in the second half", "contacts at the end"],
            [[name, *row[:4], int(row[4])] for name, row in rows.items()])
    bullet = rows["bullet, 50 iterations"]
    ours = next(row for name, row in rows.items() if "nsgs, 40" in name)
    x.check("at least as fast as Bullet at 50 iterations", ours[1] >= bullet[1],
            f"{ours[1]:.2f} against {bullet[1]:.2f}", timing=True)
    x.check("at most half of its overlap, at worst and in the second half",
            ours[2] <= 0.5 * bullet[2] and ours[3] <= 0.5 * bullet[3],
            f"{ours[2]:.2f} % against {bullet[2]:.2f} %, {ours[3]:.3f} % against {bullet[3]:.3f} %")
