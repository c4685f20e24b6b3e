"""Dantzig in contact space against Wilhelmsen in motion space (section 5.3, Tables 1 and 2)

Random Jacobians of n bodies with p rows each; the ratio of Dantzig's time to Wilhelmsen's over all
draws, both factoring anew at each pivot as in the paper. Above 1 (blue) motion space is quicker."""
import csv

import problem_file as file

DEPARTS = [
    "Problem (11) is stated as least distance, which needs no k with Jk = c where contacts "
    "with gaps are redundant.",
    "Both factor the rows that are active with a dense Cholesky, on dense and on sparse matrices; what a sparse "
    "one would change is measured below.",
    "Dantzig's method takes the most negative slack first, as Wilhelmsen's does, so that both take as many pivots; "
    "Baraff's own order, one index after the other, stands beside it.",
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


class Cell:
    """Sums over the draws of one n and p: whole times, and those before the first pivot."""

    def __init__(self):
        self.times, self.setup, self.pivots, self.draws = [0.0, 0.0], [0.0, 0.0], [0, 0], []

    def add(self, row):
        names = ("dantzig", "wilhelmsen")
        for k, name in enumerate(names):
            self.times[k] += float(row[name])
            self.setup[k] += float(row[name + "_setup"])
            self.pivots[k] += int(row[name + "_pivots"])
        self.draws.append([float(row[name]) for name in names])

    def ratio(self):
        return self.times[0] / self.times[1]

    def of_pivots(self):
        return (self.times[0] - self.setup[0]) / max(self.times[1] - self.setup[1], 1e-12)

    def spread(self):
        """Standard error of the ratio of the sums, relative."""
        n, r = len(self.draws), self.ratio()
        square = sum((a - r * b) ** 2 for a, b in self.draws) / max(n - 1, 1)
        return (n * square) ** 0.5 / self.times[0]


def read(path):
    """{(matrix, factor, n, p): Cell}"""
    cells = {}
    with open(path, newline="", encoding="utf-8") as table:
        for row in csv.DictReader(table):
            key = (row["matrix"], row["factor"], int(row["n"]), int(row["p"]))
            cells.setdefault(key, Cell()).add(row)
    return cells


def draw(x, rule, draws, more):
    path = x.path(f"draws_{rule}.csv")
    x.run(x.benchmark("paper001"), "--rule", rule, "--draws", draws, *more, "--csv", path)
    return read(x.absolute(path))


def heat(cells, matrix, factor, bodies, rows, value):
    return [[f"p = {p}"] + [value(cells[matrix, factor, n, p]) for n in bodies] for p in rows]


def run(x):
    more = ["--bodies", "2,7", "--rows", "5,15"] if x.quick else []
    worst = draw(x, "worst", 2 if x.quick else 50, more)
    order = draw(x, "order", 2 if x.quick else 5, more)
    bodies, rows = sorted({key[2] for key in worst}), sorted({key[3] for key in worst})
    head = [""] + [f"n = {n}" for n in bodies]
    for matrix, number in (("dense", 1), ("sparse", 2)):
        paper = [[f"p = {p}"] + [PAPER[matrix][p][BODIES.index(n)] for n in bodies] for p in rows]
        x.title(f"Table {number}, {matrix} matrices: Dantzig's time over Wilhelmsen's")
        x.heats([("the paper's", head, paper),
                 ("ours, whole solves", head, heat(worst, matrix, "anew", bodies, rows, Cell.ratio)),
                 ("ours, the pivots alone", head, heat(worst, matrix, "anew", bodies, rows, Cell.of_pivots)),
                 ("rule=order, Baraff's, whole solves", head,
                  heat(order, matrix, "anew", bodies, rows, Cell.ratio)),
                 ("updated factors, whole solves", head, heat(worst, matrix, "updated", bodies, rows, Cell.ratio))])
    trends(x, worst, bodies, rows)
    cholesky(x, more)
    baraff(x, worst, order, bodies, rows)
    rivals(x)
    x.open_figures()
    for matrix in ("dense", "sparse"):
        shown = (bodies[0], bodies[-1])
        x.plot(f"{matrix} matrices, factored anew", "rows a body, p", "Dantzig / Wilhelmsen",
               [(f"n = {n}", rows, [worst[matrix, "anew", n, p].ratio() for p in rows]) for n in shown]
               + [(f"pivots alone, n = {n}", rows, [worst[matrix, "anew", n, p].of_pivots() for p in rows])
                  for n in shown]
               + [(f"paper, n = {n}", rows, [PAPER[matrix][p][BODIES.index(n)] for p in rows]) for n in shown],
               logy=True, setup="set format y '%g'\nset yrange [0.4:10]")
    x.close_figures()


def rivals(x):
    """Contact space of one random Jacobian, as an LCP, by other libraries."""
    files = []
    for bodies in (2, 7) if x.quick else (2, 7, 22):
        nnls, lcp = x.path(f"jacobian_{bodies}.perp"), x.path(f"contacts_{bodies}.perp")
        x.perp("generate", "nnls_jacobian", f"--size={bodies}", "-o", nnls)
        made = file.read(x.absolute(nnls))
        A = file.transpose(made["A"])
        M, q = file.product(A, file.transpose(A)), file.times(A, made["b"])
        with open(x.absolute(lcp), "w", encoding="utf-8") as out:
            out.write(f"perp 1 lcp\nM dense {len(M)} {len(M)}\n" + "\n".join(
                " ".join(map(repr, row)) for row in M) + "\nq " + " ".join(repr(-v) for v in q) + "\nend\n")
        files.append((f"{bodies} bodies", lcp))
    x.peers("Other libraries in contact space: random Jacobians with ten rows a body", files)


def trends(x, cells, bodies, rows):
    """Both trends of Table 2, told by the numbers."""
    ratio = {(n, p): cells["sparse", "anew", n, p].ratio() for n in bodies for p in rows}
    spread = max(cell.spread() for key, cell in cells.items() if key[1] == "anew")
    with_p = [ratio[n, rows[-1]] / ratio[n, rows[0]] for n in bodies]
    with_n = ratio[bodies[-1], rows[-1]] / ratio[bodies[0], rows[-1]]
    paper_p = [PAPER["sparse"][rows[-1]][BODIES.index(n)] / PAPER["sparse"][rows[0]][BODIES.index(n)] for n in bodies]
    paper_n = (PAPER["sparse"][rows[-1]][BODIES.index(bodies[-1])]
               / PAPER["sparse"][rows[-1]][BODIES.index(bodies[0])])
    x.check("Table 2, with the rows a body: the sparse ratio grows with p for every n, as the paper's",
            min(with_p) > 1, ", ".join(f"× {g:.2f}" for g in with_p) + "; the paper's "
            + ", ".join(f"× {g:.2f}" for g in paper_p), timing=True, rows="001.6 001.10")
    same = (with_n > 1) == (paper_n > 1)
    share = [cells["sparse", "anew", n, rows[-1]].setup[0] / cells["sparse", "anew", n, rows[-1]].times[0]
             for n in (bodies[0], bodies[-1])]
    x.note(f"Table 2, with the bodies, at p = {rows[-1]}: ours goes × {with_n:.2f} from n = {bodies[0]} to n = "
           f"{bodies[-1]}, the paper's × {paper_n:.2f}: the trend is " + ("the same. " if same else
           "not reproduced. ") + "What differs between the spaces, products with J Jᵀ or with J, is of the order of "
           "n p² or n p a pivot; the factor of the active rows, at most 6 n of them, is the same in both and of the "
           "order of n³, so that the ratio has to tend to 1 as n grows. Before the first pivot contact space has read "
           f"and checked a matrix of (n p)² / 2 nonzeros: {100 * share[0]:.0f} % of its time at n = {bodies[0]}, "
           f"{100 * share[1]:.0f} % at n = {bodies[-1]}. Why the paper's contact space grows faster with n it does not "
           f"say. Standard error of a ratio over the draws: {100 * spread:.1f} % at most.")
    dense = [cells["dense", "anew", n, p].ratio() for n in bodies for p in rows]
    x.check("Table 1: no significant behaviour, dense ratios within a factor of 3 of 1 (the paper: 0.5 to 1.63)",
            1 / 3 < min(dense) and max(dense) < 3, f"{min(dense):.2f} to {max(dense):.2f}", timing=True,
            rows="001.9")


def baraff(x, worst, order, bodies, rows):
    most = {}
    for name, cells in (("worst", worst), ("order", order)):
        some = [cells["sparse", "anew", n, p] for n in bodies for p in rows]
        most[name] = [sum(c.pivots[k] for c in some) / sum(len(c.draws) for c in some) for k in (0, 1)]
    apart = abs(most["worst"][0] / most["worst"][1] - 1)
    x.table(["rule of Dantzig's method", "its pivots a draw", "Wilhelmsen's"],
            [["worst: the most negative slack first", *most["worst"]], ["order: one after the other (Baraff)",
                                                                        *most["order"]]])
    x.check("by rule=worst both take about as many pivots, as the paper's preliminary tests found", apart < 0.05,
            f"{100 * apart:.2g} % apart; by rule=order Dantzig's takes "
            f"{most['order'][0] / most['order'][1]:.2f} times Wilhelmsen's", rows="001.7")
    last = [order["sparse", "anew", n, rows[-1]].ratio() for n in (bodies[0], bodies[-1])]
    x.note(f"By rule=order the sparse ratio at p = {rows[-1]} goes × {last[1] / last[0]:.2f} from n = {bodies[0]} to n = "
           f"{bodies[-1]}; its pivots are not as many as Wilhelmsen's, which the paper's were.")


def cholesky(x, more):
    """Dense against sparse factors of the sets that the algorithms meet."""
    x.title("A sparse Cholesky instead of the dense one")
    path = x.path("cholesky.csv")
    x.run(x.benchmark("paper001_cholesky"), "--draws", 2 if x.quick else 5, *more, "--csv", path)
    n, p, size, entries, dense, sparse = x.columns(path, "n", "p", "set", "entries", "dense", "sparse")
    bodies, rows = sorted(set(map(int, n))), sorted(set(map(int, p)))
    at = {(int(a), int(b)): k for k, (a, b) in enumerate(zip(n, p))}
    head = [""] + [f"n = {k}" for k in bodies]
    x.heats([("entries of the sparse factor over the dense one's", head,
              [[f"p = {r}"] + [entries[at[b, r]] for b in bodies] for r in rows]),
             ("time of the sparse factor over the dense one's", head,
              [[f"p = {r}"] + [sparse[at[b, r]] / dense[at[b, r]] for b in bodies] for r in rows])])
    slower = [sparse[k] / dense[k] for k in at.values()]
    x.note(f"Submatrices of J Jᵀ of the active rows, {min(size):.0f} to {max(size):.0f} of them, of sixteen sizes up to "
           "the final one; the sparse factor with its analysis, for the pattern is new at each pivot, and with the "
           "zeros that its blocks of columns store. Both spaces solve with these same matrices, so a sparse factor "
           "would add the same time to both and bring the ratio nearer to 1.")
    x.check("a sparse Cholesky would not pay: rows that share a body fill the factor, and it takes longer than the "
            "dense one on every n and p", min(slower) > 1,
            f"{min(slower):.2g} to {max(slower):.2g} times the dense one's time, {min(entries):.2g} to "
            f"{max(entries):.2g} times its entries", timing=True, rows="001.8")
