"""LCP time against dimension 6 … 130 (table of section 3.2)

One contact of the eccentric sphere with a pyramid of n - 2 facets."""
import csv

DEPARTS = [
    "One contact of the eccentric sphere with a pyramid of n - 2 facets: the dimensions 6 … "
    "130 leave no other reading.",
]

PAPER = {6: 0.765, 10: 1.202, 18: 2.764, 34: 7.941, 66: 27.464, 130: 110.923}  # ms


def median(values):
    values = sorted(values)
    return values[len(values) // 2] if values else None


def run(x):
    path = x.path("facets.csv")
    more = ["--sizes", "6,10,18"] if x.quick else []
    x.run(x.benchmark("bench"), "--table", "facets", *more, "--csv", path)
    times, bad = {}, 0
    with open(x.absolute(path), newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["status"] == "solved":
                key = row["solver"], int(row["n"])
                times.setdefault(key, []).append(1e3 * float(row["seconds"]))
            bad += row["status"] != "solved" and row["solver"].startswith("lcp/")
    sizes = sorted({n for _, n in times})
    solvers = list(dict.fromkeys(solver for solver, _ in times))
    x.table(["dimension", "paper: ms (R10000, 1998)"] + [f"{s}, ms" for s in solvers],
            [[n, PAPER[n]] + [median(times.get((s, n), [])) for s in solvers] for n in sizes],
            "Medians over draws and repeats; only what was solved.")
    x.check("every LCP solved by every solver of perp", bad == 0, f"{bad} not" if bad else "")
    x.open_figures()
    x.plot("Time of one LCP", "dimension", "ms",
           [("paper", sizes, [PAPER[n] for n in sizes])]
           + [(s, sizes, [median(times.get((s, n), [])) or float("nan") for n in sizes])
              for s in solvers if s.startswith(("lcp/lemke", "lcp/auto", "siconos/lemke"))],
           logx=True, logy=True)
    x.close_figures()
