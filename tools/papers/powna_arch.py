"""Arch of voussoirs: it stands with enough friction, and falls with less

Heyman's semicircular arch, 11 voussoirs, dry joints."""

DEPARTS = [
    "No paper: Heyman's semicircular arch.",
]


def run(x):
    rows, curves = [], []
    friction = (0.2, 0.6) if x.quick else (0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
    for mu in friction:
        csv = x.path(f"arch_{mu}.csv")
        done = x.simulate("arch", f"--set=mu={mu}", f"--set=seconds={2 if x.quick else 5}",
                          f"--measures={csv}", accept=(0, 1))
        moved = done["measures"]["moved"]
        rows.append([mu, moved, "stands" if moved < 1e-2 else "falls", done["residual"]])
        curves.append((f"mu = {mu}", *x.columns(csv, "time", "moved")))
    x.table(["friction coefficient", "moved at most, m", "", "residual at worst"], rows)
    x.check("falls with little friction, stands with enough",
            rows[0][2] == "falls" and rows[-1][2] == "stands")
    x.open_figures()
    x.plot("Way of the voussoir that moved most", "time, s", "moved, m", curves, logy=True,
           style="lines")
    x.close_figures()
    pictures = []
    for mu in (friction[0], friction[-1]):
        folder = x.path(f"pictures_{mu}")
        x.simulate("arch", f"--set=mu={mu}", "--steps=200", "--every=200", f"--pictures={folder}",
                   accept=(0, 1))
        pictures.append((f"{folder}/arch_000200.svg", f"mu = {mu}, t = 1 s"))
    x.pictures(pictures)
    files = []
    if x.quick:
        return
    for form in ("fc3d", "mcp"):
        files.append((form, x.path(f"step_{form}.perp")))
        x.simulate("arch", "--set=mu=0.6", f"--form={form}", f"--solver={form}/auto", "--together", "--steps=100",
                   f"--dump=100:{files[-1][1]}", accept=(0, 1))
    x.peers("Other libraries: the arch with friction 0.6 after 0.5 s, by cones and by friction boxes", files)
