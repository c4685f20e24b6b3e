"""Nine configurations: sizes and ranks (Table 1), PGS against NNCG (Figures 4, 5 and 6)

Stacks, gears and snakes, stepped until they rest; then the problem of the last step is solved from
zero by projected Gauss-Seidel and by NNCG, and |∇f|² of every sweep is kept."""
import csv
import re

NAMES = {"a": "boxes on an incline", "b": "boxes piled up", "c": "stack", "d": "small gears",
         "e": "gears", "f": "small stack", "g": "arched snake", "h": "heavy on light",
         "i": "hanging snake"}
ROW = re.compile(r"\((\w)\) (.*?) +(\d+) \( *(\d+)\) +(\d+) \( *(\d+)\) +(\d+) \( *(\d+)\) +"
                 r"(\S+) +(\S+) +(\S+) +(\S+)$")


def least(values):
    """The best so far: what an iterative solver would return."""
    out, best = [], float("inf")
    for value in values:
        best = min(best, value)
        out.append(best)
    return out


def read(path):
    curves = {}
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            curves.setdefault((row["case"], row["solver"]), []).append(float(row["f"]))
    return curves


def run(x):
    path = x.path("sweeps.csv")
    more = ["--steps", 20, "--sweeps", 500] if x.quick else []
    text = x.run(x.benchmark("paper003"), *more, "--csv", path)
    rows = [ROW.match(line).groups() for line in text.splitlines() if ROW.match(line)]
    x.table(["configuration", "paper: bodies", "bodies", "paper: constraints", "constraints",
             "paper: eigenvalues > 0", "eigenvalues > 0", "least |∇f|² in 150 sweeps: PGS", "NNCG",
             "in all: PGS", "NNCG"],
            [[f"({r[0]}) {r[1]}", r[3], r[2], r[5], r[4], r[7], r[6], *r[8:]] for r in rows])
    x.check("bodies as in Table 1", len(rows) == 9 and all(r[2] == r[3] for r in rows))
    off = max(abs(int(r[4]) / int(r[5]) - 1) for r in rows)
    ranks = max(abs(int(r[6]) / int(r[7]) - 1) for r in rows)
    if not x.quick:
        x.check("constraints and eigenvalues within 10 % of Table 1", max(off, ranks) <= 0.1,
                f"{100 * off:.1f} %, {100 * ranks:.1f} %")
        ahead = sum(float(r[9]) <= 2 * float(r[8]) for r in rows)
        x.check("after 150 sweeps NNCG at least as far as PGS, within a factor of 2, in all nine",
                ahead == 9, f"{ahead} of 9")
    show(x, read(x.absolute(path)))
    pictures = []
    for case in NAMES:
        folder = x.path("pictures_" + case)
        x.simulate("erleben", f"--set=case={'abcdefghi'.index(case) + 1}", "--steps=20",
                   "--every=20", f"--pictures={folder}", accept=(0, 1))
        pictures.append((f"{folder}/erleben_000020.svg", f"({case}) {NAMES[case]}"))
    x.pictures(pictures)


def show(x, curves):
    x.open_figures()
    for case, name in NAMES.items():
        x.plot(f"({case}) {name} (Figures 5 and 6)", "sweeps", "least |∇f|² so far",
               [(solver, range(1, 1 + len(curves[case, key])), least(curves[case, key]))
                for key, solver in (("mcp/pgs", "PGS"), ("mcp/nncg", "NNCG"))
                if (case, key) in curves],
               logx=True, logy=True, style="lines", setup="set arrow from 150, graph 0 to 150, "
               "graph 1 nohead lc rgb 'gray' dt 2")
    x.close_figures()
