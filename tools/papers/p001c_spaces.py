"""Motion space against contact space: conditioning, sparsity, memory (section 5.2)

The paper argues for J_Q, the rows of J M^(-1/2), and against the matrix J M^(-1) Jᵀ of contact space: its
condition number is the square, it has more nonzeros, and it has to be made and stored. Both are dumped here
from the same step, in the forms nnls and lcp, and their singular values found by one-sided Jacobi rotations
in Python (Hestenes 1958), each from its own matrix."""
import math
import re

DEPARTS = [
    "The paper gives no numbers for these arguments; the steps are ours, without friction.",
    "Where contacts are redundant both matrices are singular: condition numbers are of the singular values "
    "above 1e-7 of the largest in J_Q, and as many of the other matrix.",
]

CASES = [("wall of 5 blocks", ["wall", "--set=mu=0", "--set=courses=2", "--set=blocks=2"], 1),
         ("20 spheres, falling on each other", ["settling", "--set=mu=0", "--set=spheres=20"], 40),
         ("wall of 10 blocks", ["wall", "--set=mu=0", "--set=courses=3", "--set=blocks=3"], 1)]


def read(path, name):
    """The columns of a sparse matrix of a problem file, as dictionaries; its rows."""
    with open(path, encoding="utf-8") as file:
        head, body = re.search(rf"^{name} sparse (\d+ \d+)\n(.*?)^[a-z]", file.read(), re.S | re.M).groups()
    rows, count = map(int, head.split())
    columns = [{} for _ in range(count)]
    for line in body.splitlines():
        i, j, value = line.split()
        if float(value) != 0:
            columns[int(j)][int(i)] = float(value)
    return columns, rows


def dot(a, b):
    return sum(v * b[k] for k, v in a.items() if k in b)


def count(columns):
    """Nonzeros, rounding left out."""
    least = 1e-14 * max(abs(v) for column in columns for v in column.values())
    return sum(abs(v) > least for column in columns for v in column.values())


def singular_values(columns, rows):
    """By rotations that make the columns orthogonal, from the largest on."""
    x = [[column.get(i, 0.0) for i in range(rows)] for column in columns]
    for _ in range(60):
        worst = 0.0
        for p in range(len(x)):
            for q in range(p + 1, len(x)):
                a, b = sum(v * v for v in x[p]), sum(v * v for v in x[q])
                c = sum(v * w for v, w in zip(x[p], x[q]))
                if abs(c) <= 1e-15 * math.sqrt(a * b) or a * b == 0:
                    continue
                worst = max(worst, abs(c) / math.sqrt(a * b))
                zeta = (b - a) / (2 * c)
                t = math.copysign(1, zeta) / (abs(zeta) + math.hypot(1, zeta))
                cs = 1 / math.hypot(1, t)
                sn = cs * t
                x[p], x[q] = ([cs * v - sn * w for v, w in zip(x[p], x[q])],
                              [sn * v + cs * w for v, w in zip(x[p], x[q])])
        if worst < 1e-13:
            break
    return sorted((math.sqrt(sum(v * v for v in column)) for column in x), reverse=True)


def run(x):
    rows, squares, worst, more = [], [], 0, []
    for k, (name, scene, step) in enumerate(CASES[:2] if x.quick else CASES):
        files = {}
        for form, solver, tol in (("nnls", "nnls/wilhelmsen", "1e-10"), ("lcp", "lcp/lemke", "1e-10")):
            files[form] = x.path(f"{form}_{k}.perp")
            x.simulate(*scene, f"--form={form}", f"--solver={solver}", f"--tol={tol}", "--together",
                       f"--steps={step}", f"--dump={step}:{files[form]}")
        A, height = read(x.absolute(files["nnls"]), "A")
        M, size = read(x.absolute(files["lcp"]), "M")
        J = [{i: v for i, v in column.items() if i < height - 1} for column in A]  # not the row of the gaps
        scale = max(abs(v) for column in M for v in column.values())
        if len(J) != size:
            x.check(f"{name}: both forms list the same contacts", False, f"{len(J)} and {size}")
            continue
        apart = max(abs(dot(J[i], J[j]) - M[j].get(i, 0.0)) for i in range(size) for j in range(size)) / scale
        worst = max(worst, apart)
        motion, contact = singular_values(J, height - 1), singular_values(M, size)
        rank = sum(v > 1e-7 * motion[0] for v in motion)
        conditions = motion[0] / motion[rank - 1], contact[0] / contact[rank - 1]
        squares.append(abs(conditions[1] / conditions[0] ** 2 - 1))
        entries = [count(J), count(M)]
        more.append(entries[1] / entries[0])
        rows.append([name, size, rank, *conditions, *entries, *(12 * e for e in entries), 8 * size * size])
    x.table(["step", "contacts", "rank", "condition: J_Q", "of J M⁻¹ Jᵀ", "nonzeros: J_Q", "of J M⁻¹ Jᵀ",
             "bytes: J_Q, sparse", "J M⁻¹ Jᵀ, sparse", "J M⁻¹ Jᵀ, dense"], rows,
            "Twelve bytes a nonzero")
    x.at_most("J_Q J_Qᵀ of the motion space is the matrix of the LCP, relative", worst, 1e-9,
              rows="000.9 001.3 001.4")
    x.at_most("the condition number of contact space is the square, relative error", max(squares), 1e-4,
              rows="001.5")
    x.note(f"J M⁻¹ Jᵀ has {min(more):.2g} to {max(more):.2g} times the nonzeros of J_Q here: the argument from "
           + ("sparsity holds on all of them." if min(more) > 1 else "sparsity does not hold on all of them."))
    x.peers("Other libraries on these matrices of contact space", [
        (name, x.path(f"lcp_{k}.perp")) for k, (name, _, _) in enumerate(CASES[:2] if x.quick else CASES)])
