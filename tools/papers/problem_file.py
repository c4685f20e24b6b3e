"""Problem files of perp's text format, and the linear algebra of small matrices, in plain Python: what the
page recomputes shares nothing with the library."""
import re

WORD = re.compile(r"[a-zA-Z]\w*$")
NUMBERS = ("inf", "-inf")


def read(path):
    """{item: its numbers}; a matrix is a list of rows."""
    with open(path, encoding="utf-8") as file:
        words = re.sub(r'"(\\.|[^"\\])*"', " ", file.read()).split()
    items, k = {"kind": words[2]}, 3
    while k < len(words) and words[k] != "end":
        name, k, shape = words[k], k + 1, None
        if words[k] in ("dense", "sparse", "blocks"):
            shape, k = (words[k], int(words[k + 1]), int(words[k + 2])), k + 3
        begin = k
        while words[k] in NUMBERS or not WORD.match(words[k]):
            k += 1
        numbers = [float(word) for word in words[begin:k]]
        items[name] = matrix(shape, numbers) if shape else numbers
    return items


def matrix(shape, numbers):
    form, m, n = shape
    if form == "dense":
        return [numbers[i * n:(i + 1) * n] for i in range(m)]
    wide = 3 if form == "blocks" else 1
    out = [[0.0] * n for _ in range(m)]
    size = 2 + wide * wide
    for at in range(0, len(numbers), size):
        i, j, *values = numbers[at:at + size]
        for k, value in enumerate(values):
            out[wide * int(i) + k // wide][wide * int(j) + k % wide] += value
    return out


def transpose(a):
    return [list(column) for column in zip(*a)]


def product(a, b):
    """a b, rows of a being mostly zeros."""
    out = []
    for row in a:
        some = [(v, b[k]) for k, v in enumerate(row) if v]
        out.append([sum(v * other[j] for v, other in some) for j in range(len(b[0]))])
    return out


def times(a, x):
    return [sum(v * w for v, w in zip(row, x) if v) for row in a]


def solve(a, b):
    """a^(-1) b by elimination with the largest pivot of a column; b is a list of rows."""
    a, b, n = [list(row) for row in a], [list(row) for row in b], len(a)
    for k in range(n):
        best = max(range(k, n), key=lambda i: abs(a[i][k]))
        a[k], a[best], b[k], b[best] = a[best], a[k], b[best], b[k]
        for i in range(n):
            if i != k and a[i][k]:
                part = a[i][k] / a[k][k]
                a[i] = [v - part * w for v, w in zip(a[i], a[k])]
                b[i] = [v - part * w for v, w in zip(b[i], b[k])]
    return [[v / a[k][k] for v in b[k]] for k in range(n)]


def apart(a, b):
    """The largest difference of two lists, or of two matrices, over the largest number of the first."""
    if a and isinstance(a[0], list):
        a, b = [v for row in a for v in row], [v for row in b for v in row]
    if len(a) != len(b):
        return float("inf")
    most = max((abs(v) for v in a if abs(v) < 1e300), default=0) or 1
    return max((abs(v - w) / most for v, w in zip(a, b) if v != w), default=0)
