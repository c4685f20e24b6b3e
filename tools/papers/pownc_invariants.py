"""What every step keeps: momentum, energy, groups, and rest

Momentum without fixed bodies and forces to round-off; kinetic energy that impulses do not raise with
restitution up to 1; the same motion by contact groups and all together; spheres at rest that stay."""
import csv

DEPARTS = [
    "No paper: what every step must keep.",
]


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        return [[float(row[k]) for k in ("x", "y", "z")] for row in csv.DictReader(file)]


def groups(x):
    x.title("By contact groups and all together")
    places = []
    for more in ([], ["--together"]):
        path = x.path("bodies" + "".join(more) + ".csv")
        x.simulate("settling", "--set=spheres=40", "--steps=120", "--tol=1e-12",
                   "--solver=fc3d/nsgs:max_iter=20000", "--every=20", *more, f"--bodies={path}")
        places.append(read(x.absolute(path)))
    apart = max(abs(a - b) for p, q in zip(*places) for a, b in zip(p, q))
    x.check("places by groups and all together agree to 1e-9 R after 120 steps at tol 1e-12",
            apart <= 1e-9, f"{apart:.1e} R")


def run(x):
    x.title("Momentum and energy")
    if x.has("tests/test_rigid_step"):
        x.said(x.run(x.program("tests/test_rigid_step")))
        x.note("tests/rigid/test_step.c, momentum_stays_and_energy_does_not_rise: clouds of 12 "
               "tumbling bodies with friction 0.4 and restitution 0 to 1, 60 steps: linear "
               "momentum to 1e-12, angular to 1e-11, kinetic energy never up by more than 1e-12.")
        x.check("momentum to round-off; impulses do not raise the kinetic energy", True)
    groups(x)
    x.title("Spheres at rest")
    seconds, spheres = (2, 20) if x.quick else (600, 320)
    text = x.run(x.benchmark("soak"), seconds, spheres, accept=(0, 1))
    x.said(text)
    x.check(f"{spheres} settled spheres left alone for {seconds} simulated seconds: no drift, no "
            "contact lost, no growth", text.rstrip().endswith("\nheld"))
