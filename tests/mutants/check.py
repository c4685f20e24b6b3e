"""check.py ROOT: tools/mutate changes what it says, and sums up; no mutant is built or run."""
import importlib.machinery
import importlib.util
import sys
import tempfile
from pathlib import Path

root = Path(sys.argv[1])
sys.dont_write_bytecode = True
sys.path.insert(0, str(root / "tools"))
loader = importlib.machinery.SourceFileLoader("mutate", str(root / "tools/mutate"))
mutate = importlib.util.module_from_spec(importlib.util.spec_from_loader("mutate", loader))
loader.exec_module(mutate)
from mutants import coverage, operators, programs  # noqa: E402

SOURCE = '''/* a < b, 1 */
#include <float.h>
#define MOST 4.0 /* of 3 */
static int f(int *a)
{
    int k = 0;
    if (a[2] < k && !g("x < y")) return k + 1;
    a[k] = 7; /* stays */
    clear(a);
    return true;
}
'''
EXPECTED = {
    3: ["#define MOST 8.0 /* of 3 */", "#define MOST 0.4 /* of 3 */"],
    6: ["    int k = 1;"],
    7: ['    if (a[2] <= k && !g("x < y")) return k + 1;', '    if (a[2] > k && !g("x < y")) return k + 1;',
        '    if (a[2] < k && !g("x < y")) return k - 1;', '    if (a[2] < k || !g("x < y")) return k + 1;',
        '    if (a[2] < k && g("x < y")) return k + 1;', '    if (a[3] < k && !g("x < y")) return k + 1;',
        '    if (a[1] < k && !g("x < y")) return k + 1;', '    if (a[2] < k && !g("x < y")) return k + 2;',
        '    if (a[2] < k && !g("x < y")) return k + 0;', '    if (!(a[2] < k && !g("x < y"))) return k + 1;',
        '    if (a[2] < k && !g("x < y")) return 0;'],
    8: ["    a[k] = 8; /* stays */", "    a[k] = 6; /* stays */", "    ;"],
    9: ["    ;"],
    10: ["    return false;"],
}


def check(found, wanted):
    if found != wanted:
        sys.exit(f"found  {found}\nwanted {wanted}")


def check_operators(directory):
    (directory / "one.c").write_text(SOURCE)
    found = {number: [new for _, _, new in several]
             for number, several in operators.mutants_of_file(directory, "one.c")}
    for number in sorted({*found, *EXPECTED}):
        check((number, found.get(number)), (number, EXPECTED.get(number)))


def check_run():
    """Statuses, and limits of processor and other seconds."""
    found = [programs.run(["sh", "-c", command], 1, wall=3).status
             for command in ("exit 3", "while :; do :; done", "sleep 60", "kill -SEGV $$")]
    check(found, [3, None, None, -11])


class OneFile:
    """What coverage.Coverage asks of a copy of the tree."""

    def __init__(self, directory, tests):
        self.tree, self.work, self.tests = directory, directory, tests


def check_choice(directory):
    """Lines 6 and 7 of f, which tests a_one, b and d call; d ends before line 7, c calls nothing."""
    (directory / "src/a").mkdir(parents=True)
    (directory / "src/a/one.c").write_text(SOURCE.replace("k = 0", "k = MOST"))
    name, found = "src/a/one.c", coverage.Coverage(OneFile(directory, "a_one b c d".split()), [])
    for test, seconds, called, last in [("b", 1, True, True), ("a_one", 5, True, True),
                                        ("c", 2, False, False), ("d", 3, True, False)]:
        found.add(test, {"seconds": seconds, "lines": {name: {6: called, 7: last, 10: False}},
                         "functions": {name: [[4, 11, called]]}})
    check(found.tests(name, 6, 9), ["a_one", "b", "d"])
    check(found.tests(name, 7, 9), ["a_one", "b"])
    check(found.tests(name, 6, 3), ["b", "d"])
    check(found.tests(name, 9, 9), ["a_one", "b", "d"])  # a line without code: its function's tests
    check(found.tests(name, 10, 9), ["a_one", "b", "d"])  # by the counts nobody's: its function's too
    check(found.tests(name, 3, 9), ["a_one", "b", "d"])  # a macro: the tests of line 6
    check(found.tests(name, 2, 9), ["a_one", "b", "c", "d"])  # outside of functions: all


def check_sample():
    first = operators.sample(root, ["src/core", "src/fc3d/prox.c"], 7)
    check(operators.sample(root, ["src/core", "src/fc3d/prox.c"], 7), first)
    check(len({mutant[:2] for mutant in first}), len(first))
    check({Path(mutant[0]).parent.name for mutant in first}, {"core", "fc3d"})
    check(all(mutant[3] != mutant[4] for mutant in first), True)
    check(len(first) > 500, True)


def check_files():
    """The mutants called equivalent are survivors of the stored list, and few."""
    rows, equivalent = mutate.read_results(root / "tests/mutants/results.csv"), mutate.read_equivalent(root)
    survivors = {mutate.key_of(row) for row in rows if row["result"] == "survived"}
    check(sorted(set(equivalent) - survivors), [])
    check(len(equivalent) <= 0.1 * len(rows), True)


def check_results(directory):
    path = directory / "results.csv"
    results = ["noticed", "noticed", "timeout", "survived", "survived", "same code", "not built"]
    mutate.write_results(path, [
        {"file": "src/a.c", "line": k, "operator": "logic", "by": "", "before": f"    if (a, {k}) b;",
         "after": f"    if (c, {k}) b;", "result": result} for k, result in enumerate(results)])
    rows = mutate.read_results(path)
    text = mutate.summarise(rows, {("src/a.c", "if (a, 4) b;", "if (c, 4) b;"): "it may be so"})
    check(text.splitlines(), [
        "src/a.c:3 (logic)", "- if (a, 3) b;", "+ if (c, 3) b;", "",
        "3 of 5 mutants noticed (60 %): 2 by a failing test, 1 by a time limit.",
        "1 survivors (20 %) judged equivalent, 1 not.",
        "Not counted: 1 with the same object code, 1 that do not compile."])


with tempfile.TemporaryDirectory() as work:
    check_operators(Path(work))
    check_results(Path(work))
    check_choice(Path(work))
check_run()
check_sample()
check_files()
