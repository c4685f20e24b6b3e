"""Dantzig in contact space against Wilhelmsen in motion space (Tables 1 and 2)

Random Jacobians of n bodies with p rows each; the ratio of Dantzig's time to Wilhelmsen's, both
factoring anew at each pivot as in the paper. Above 1, motion space is quicker."""
import csv

DEPARTS = [
    "Problem (11) is stated as least distance, which needs no k with Jk = c where contacts "
    "with gaps are redundant.",
    "“Sparse” factors the rows of J that are active with a dense Cholesky in both spaces; the "
    "paper does not say which it used.",
]

PAPER = {
    "dense": {5: (0.60, 0.50, 0.51, 0.54, 0.52), 15: (0.85, 1.08, 1.23, 1.47, 1.63),
              25: (0.85, 0.90, 1.07, 1.21, 1.05), 35: (0.94, 0.93, 1.31, 1.15, 1.01),
              45: (1.01, 1.08, 1.50, 1.08, 1.03)},
    "sparse": {5: (0.51, 0.62, 0.80, 0.91, 0.93), 15: (0.71, 1.19, 1.52, 1.95, 2.19),
               25: (0.70, 1.04, 1.60, 1.98, 1.90), 35: (0.76, 1.11, 2.08, 2.20, 2.05),
               45: (0.78, 1.34, 2.44, 2.43, 2.20)},
}
BODIES = (2, 7, 12, 17, 22)


def read(path):
    """{(matrix, factor, n, p): ratio of the sums}"""
    sums = {}
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            key = (row["matrix"], row["factor"], int(row["n"]), int(row["p"]))
            a, b = sums.get(key, (0, 0))
            sums[key] = a + float(row["dantzig"]), b + float(row["wilhelmsen"])
    return {key: a / b for key, (a, b) in sums.items()}


def run(x):
    more = ["--bodies", "2,7", "--rows", "5,15"] if x.quick else []
    path = x.path("draws.csv")
    x.run(x.benchmark("paper001"), "--draws", 2 if x.quick else 20, *more, "--csv", path)
    ratio = read(x.absolute(path))
    factors = sorted({key[1] for key in ratio}, key=lambda f: f != "anew")
    bodies, rows = sorted({key[2] for key in ratio}), sorted({key[3] for key in ratio})
    for matrix, number in (("dense", 1), ("sparse", 2)):
        head = ["rows a body"]
        for n in bodies:
            head += [f"paper n = {n}", f"n = {n}"] + [f"{f} factors" for f in factors[1:]]
        x.table(head, [[f"p = {p}"] + [v for n in bodies for v in
                [PAPER[matrix][p][BODIES.index(n)]] + [ratio[matrix, f, n, p] for f in factors]]
                for p in rows],
                f"Table {number}, {matrix} matrices: Dantzig's time over Wilhelmsen's")
    last, first = rows[-1], rows[0]
    grown = [ratio["sparse", "anew", n, last] / ratio["sparse", "anew", n, first] for n in bodies]
    x.check("sparse: the ratio grows with the constraints a body", min(grown) > 1,
            ", ".join(f"× {g:.2f}" for g in grown), timing=True)
    x.open_figures()
    for matrix in ("dense", "sparse"):
        x.plot(f"{matrix} matrices, factored anew", "rows a body, p", "Dantzig / Wilhelmsen",
               [(f"n = {n}", rows, [ratio[matrix, "anew", n, p] for p in rows]) for n in bodies]
               + [(f"paper, n = {n}", rows, [PAPER[matrix][p][BODIES.index(n)] for p in rows])
                  for n in (bodies[-1],)])
    x.close_figures()
