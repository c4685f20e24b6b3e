"""Which tests execute a line.

The sources that are mutated are compiled once more with gcc's counters, and each test is run once with
them, alone. What is found is kept in a file for each test, until what the test runs changes."""
import json
import re
import shutil
import subprocess
import sys

from . import operators, programs

# Lines keep their own code at -Og, and a run takes twice its time; at -O0 it takes ten times that.
FLAGS = ["-Og", "-fprofile-arcs", "-ftest-coverage", "-fno-inline"]
TEST_SECONDS = 900
FOREVER = 1e9  # place in the order of a test that was never timed


class Coverage:
    def __init__(self, copy, names):
        self.copy, self.names = copy, names
        self.place = copy.work / "coverage"
        self.lines, self.functions, self.seconds = {}, {}, {}

    def measure(self):
        """Run the tests whose program changed since the last time; read what all of them execute."""
        fresh = {}
        for test in self.copy.tests.values():
            kept = self.place / "tests" / f"{test.name}.json"
            found = json.loads(kept.read_text()) if kept.exists() else {}
            mark = self.copy.print_of(test)
            if found.get("print") != mark:
                fresh[test.name] = (test, kept, mark)
            else:
                self.add(test.name, found)
        if fresh:
            self.compile()
        for k, (test, kept, mark) in enumerate(fresh.values()):
            found = {"print": mark, **self.run(test)}
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_text(json.dumps(found))
            self.add(test.name, found)
            print(f"coverage {k + 1} of {len(fresh)}: {test.name} {found['seconds']:.1f} s", flush=True)

    def compile(self):
        """The objects of the sources with counters; those whose text is the same stay."""
        self.objects, texts = {}, self.place / "texts.json"
        old = json.loads(texts.read_text()) if texts.exists() else {}
        now = {}
        for name in self.names:
            text = (self.copy.tree / name).read_text()
            folder = self.place / "objects" / name.replace("/", "_")[:-2]
            target = folder / (name.replace("/", "_") + ".o")
            now[name] = programs.digest(text.encode())
            if old.get(name) != now[name] or not target.exists():
                target = self.copy.compile(name, text, folder, *FLAGS)
            if target is None:
                sys.exit(f"mutate: {name} does not compile with {' '.join(FLAGS)}")
            self.objects[name] = target
        texts.write_text(json.dumps(now))

    def run(self, test):
        """{seconds, passed, lines: {file: {line: executed}}, functions: {file: [[start, end, executed]]}}."""
        counts, place = self.place / "counts", self.place / "programs"
        shutil.rmtree(counts, ignore_errors=True)
        counts.mkdir(parents=True)
        for program in set(test.programs.values()):
            if not self.copy.link(program, place / program, self.objects.values(), "-lgcov"):
                sys.exit(f"mutate: {program} does not link with counters")
        done = self.copy.run(test, place, TEST_SECONDS, GCOV_PREFIX=str(counts))
        found = {"seconds": done.seconds, "passed": done.status == 0, "lines": {}, "functions": {}}
        self.read(counts, found)
        return found

    def read(self, counts, found):
        """The counts of all objects, gathered in one folder for one call of gcov."""
        gathered = {}
        for name, target in self.objects.items():
            data = counts / str(target.with_suffix(".gcda")).lstrip("/")
            if data.exists():
                shutil.copy(target.with_suffix(".gcno"), counts)
                data.rename(counts / data.name)
                gathered[data.name] = name
        if not gathered:
            return
        output = subprocess.run(["gcov", "--json-format", "--stdout", *gathered], cwd=counts,
                                capture_output=True, text=True, check=True).stdout
        for document in output.splitlines():
            self.read_file(json.loads(document), gathered, found)

    def read_file(self, document, gathered, found):
        name = gathered[document["data_file"]]
        for file in document["files"]:
            if not file["file"].endswith("/" + name.split("/")[-1]):
                continue  # a header's functions
            found["lines"][name] = {line["line_number"]: line["count"] > 0 for line in file["lines"]}
            found["functions"][name] = [[f["start_line"], f["end_line"], f["execution_count"] > 0]
                                        for f in file["functions"]]

    def add(self, test, found):
        self.seconds[test] = found["seconds"]
        for name, lines in found["lines"].items():
            mine = self.lines.setdefault(name, {})
            for line, executed in lines.items():
                tests = mine.setdefault(int(line), set())
                if executed:
                    tests.add(test)
        for name, functions in found["functions"].items():
            mine = self.functions.setdefault(name, {})
            for start, end, executed in functions:
                tests = mine.setdefault((start, end), set())
                if executed:
                    tests.add(test)

    # ---- what is asked

    def of_line(self, name, number):
        """The tests that execute a line; those of its function where the line has no code of its own
        or the counters say that nobody executes it; None: it is outside of functions."""
        tests = self.lines.get(name, {}).get(number)
        if tests:
            return tests
        for (start, end), called in self.functions.get(name, {}).items():
            if start <= number <= end:
                return called
        return None

    def of_macro(self, name, text, macro):
        """The tests of all lines that name a macro; None: one of them is outside of functions."""
        found = set()
        for k, line in enumerate(operators.masked(text).split("\n")):
            if re.search(rf"\b{macro}\b", line):
                inner = re.match(r"#define (\w+)", line)
                if inner and inner[1] == macro:
                    continue
                tests = (self.of_macro(name, text, inner[1]) if inner
                         else self.of_line(name, k + 1))
                if tests is None:
                    return None
                found |= tests
        return found

    def tests(self, name, number, most_seconds):
        """The tests of at most so many seconds that can notice a mutant of a line, those that are likely
        to come first: the file's own, then the quickest."""
        text = (self.copy.tree / name).read_text()
        line = text.split("\n")[number - 1]
        macro = re.match(r"#define (\w+)", line)
        chosen = self.of_macro(name, text, macro[1]) if macro else self.of_line(name, number)
        if chosen is None:  # a table that any program may read
            chosen = set(self.copy.tests)
        folder, file = name.split("/")[1:3]
        own = f"{folder}_{file[:-2]}"

        def order(test):
            seconds = self.seconds.get(test, FOREVER)
            return seconds * (0.1 if test == own else 0.5 if test.startswith(folder) else 1)

        quick = (test for test in chosen if self.seconds.get(test, FOREVER) <= most_seconds)
        return sorted(quick, key=order)
