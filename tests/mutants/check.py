"""check.py ROOT: tools/mutate changes what it says, and sums up; no mutant is built or run."""
import importlib.machinery
import importlib.util
import sys
import tempfile
from pathlib import Path

root = Path(sys.argv[1])
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("mutate", str(root / "tools/mutate"))
mutate = importlib.util.module_from_spec(importlib.util.spec_from_loader("mutate", loader))
loader.exec_module(mutate)

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
             for number, several in mutate.mutants_of_file(directory, "one.c")}
    for number in sorted({*found, *EXPECTED}):
        check((number, found.get(number)), (number, EXPECTED.get(number)))


def check_failures():
    lines = ["1/3 perp:unit / base_arena    OK    0.07s", " 2/3 perp:unit+cli / cli_name FAIL  0.1s",
             "12/30 perp:tree - perp:arrows TIMEOUT 3s"]
    found = [mutate.FAILED.search(line) for line in lines]
    check([f and f.groups() for f in found], [None, ("cli_name", "FAIL"), ("arrows", "TIMEOUT")])
    check(mutate.FAILED.search("\n".join(lines))[1], "cli_name")


def check_sample():
    first = mutate.sample(root, ["src/core", "src/fc3d/prox.c"], 7)
    check(mutate.sample(root, ["src/core", "src/fc3d/prox.c"], 7), first)
    check(len({mutant[:2] for mutant in first}), len(first))
    check({Path(mutant[0]).parent.name for mutant in first}, {"core", "fc3d"})
    check(all(mutant[3] != mutant[4] for mutant in first), True)
    check(len(first) > 500, True)


def check_files():
    for name, tests in mutate.read_map(root).items():
        check((name, (root / name).is_file()), (name, True))
        for test in tests:
            folder, rest = test.split("_", 1)
            check((test, (root / f"tests/{folder}/test_{rest}.c").is_file()), (test, True))
    for name, line, _ in mutate.read_equivalent(root):
        there = line in (text.strip() for text in (root / name).read_text().split("\n"))
        check((name, line, there), (name, line, True))
    check(mutate.tests_of("src/core/solve.c", {"core_solve", "core_nested"}, mutate.read_map(root)),
          ["core_solve", "core_nested"])


def check_results(directory):
    path = directory / "results.csv"
    results = ["noticed", "noticed", "timeout", "survived", "survived", "same code", "not built"]
    for k, result in enumerate(results):
        mutate.append_result(path, {"file": "src/a.c", "line": k, "operator": "logic", "by": "",
                                    "before": f"    if (a, {k}) b;", "after": f"    if (c, {k}) b;",
                                    "result": result, "seconds": "1"})
    rows = mutate.read_results(path)
    text = mutate.summarise(rows, {("src/a.c", "if (a, 4) b;", "if (c, 4) b;"): "it may be so"})
    check(text.splitlines(), [
        "src/a.c:3 (logic)", "- if (a, 3) b;", "+ if (c, 3) b;", "",
        "3 of 4 mutants noticed (75 %): 2 by a failing test, 1 by a time limit; 1 survived.",
        "Not counted: 1 survivors judged equivalent, 1 with the same object code, 1 that do not compile."])


with tempfile.TemporaryDirectory() as work:
    check_operators(Path(work))
    check_results(Path(work))
check_failures()
check_sample()
check_files()
