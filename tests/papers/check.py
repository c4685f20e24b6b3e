#!/usr/bin/env python3
"""check.py RUN BUILD: the page of `make papers`: short experiments of the project, and some that
fail, which must not take the others along."""
import html
import html.parser
import os
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

RUN, BUILD = (os.path.abspath(path) for path in sys.argv[1:3])
sys.path.insert(0, os.path.dirname(RUN))
sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(RUN)))
# The command as the page shows it: as one would type it in the project's folder.
PROGRAM = html.escape(shlex.quote(os.path.relpath(os.path.join(BUILD, "perp"), ROOT)), quote=False)

GOOD = '''"""A good one & its <title>

More."""


def run(x):
    x.say("a < b")
    x.check("holds", True, 1)
    x.check("slow", False, timing=True)
    x.table(["name", "paper: x", "x"], [["one", 1.5, 1e-20], ["two", None, 12345678]])
    x.run("echo", "said")
'''
RAISES = '"""Raises"""\n\n\ndef run(x):\n    x.say("before")\n    raise ValueError("oh <no>")\n'
ENDS = '"""Ends badly"""\n\n\ndef run(x):\n    x.run("sh", "-c", "echo why >&2; exit 3")\n'
MISSES = '"""Misses"""\n\n\ndef run(x):\n    x.check("all is well", False, 7)\n'
BROKEN = 'def run(x:\n'


class Balance(html.parser.HTMLParser):
    """Every tag that is opened is closed."""
    VOID = {"meta", "link", "img", "br", "input", "hr"}

    def __init__(self):
        super().__init__()
        self.open, self.wrong = [], []

    def handle_starttag(self, tag, attributes):
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append((tag, self.getpos()))


class Papers(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.experiments = os.path.join(self.folder.name, "experiments")
        self.out = os.path.join(self.folder.name, "out")
        os.mkdir(self.experiments)

    def tearDown(self):
        self.folder.cleanup()

    def run_papers(self, *arguments, own=True):
        more = ["--experiments", self.experiments] if own else []
        return subprocess.run([sys.executable, RUN, "--build", BUILD, "--out", self.out, *more,
                               *arguments], capture_output=True, text=True, timeout=250)

    def write(self, **files):
        for name, text in files.items():
            with open(os.path.join(self.experiments, name + ".py"), "w", encoding="utf-8") as file:
                file.write(text)

    def page(self):
        with open(os.path.join(self.out, "index.html"), encoding="utf-8") as file:
            text = file.read()
        balance = Balance()
        balance.feed(text)
        self.assertEqual((balance.open, balance.wrong), ([], []))
        self.assertNotRegex(text, r"""(src|href)=["']?(https?:|//|file:)""")
        return text

    def test_good(self):
        self.write(p000_good=GOOD)
        done = self.run_papers()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        text = self.page()
        for part in ("A good one &amp; its &lt;title&gt;", "a &lt; b", "echo said", "1.00e-20",
                     "12345678", "missed here"):
            self.assertIn(part, text)
        self.assertIn("missed here (a time): slow", done.stdout)

    def test_bad_ones_are_seen_and_the_others_run(self):
        self.write(p000_broken=BROKEN, p000_ends=ENDS, p001_raises=RAISES, p002_misses=MISSES,
                   p004_good=GOOD)
        done = self.run_papers()
        self.assertEqual(done.returncode, 1)
        text = self.page()
        self.assertEqual(text.count("This experiment failed."), 3)
        for part in ("oh &lt;no&gt;", "ended with 3: why", "before", "MISSED", "echo said"):
            self.assertIn(part, text)
        self.assertIn("1 of 5 as they should be", done.stdout)

    def test_only(self):
        self.write(p000_good=GOOD, p001_ends=ENDS)
        self.assertEqual(self.run_papers().returncode, 1)
        self.write(p001_ends=GOOD.replace("A good one", "Mended"))
        self.assertEqual(self.run_papers("--only", "ends").returncode, 0)
        text = self.page()
        self.assertIn("Mended", text)
        self.assertIn("A good one", text)  # of the first run
        done = self.run_papers("--only", "god")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("did you mean 'good'?", done.stderr)

    def test_list(self):
        done = self.run_papers("--list", own=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        for name in ("column", "triangle", "settling", "tippetop"):
            self.assertRegex(done.stdout, rf"\b{name}\b")

    def test_every_experiment_says_where_it_departs(self):
        for name, module in self.modules().items():
            self.assertTrue(getattr(module, "DEPARTS", None), name)
            for sentence in module.DEPARTS:
                self.assertRegex(sentence, r"\.$", name)

    def test_rows_are_unique_and_name_sections(self):
        import rows
        known = set(self.modules()) | {""}
        names = [row[0] for row in rows.ROWS]
        self.assertEqual(len(names), len(set(names)))
        for row, place, what, section, command, left in rows.ROWS:
            self.assertIn(section, known, row)
            self.assertTrue(command, row)
            self.assertTrue(section or left, f"{row} has no section and does not say why")

    def test_commands_of_the_rows_are_taken(self):
        """Each runs as it stands in the table, but for one step and one small problem of its kind."""
        import rows
        small = {"fc3d": "settling-12.perp", "mcp": "small_stack.perp", "lcp": "column.perp", "nnls": "slope.perp"}
        experiments = self.modules()
        for row, *_, command, _ in rows.ROWS:
            words = shlex.split(command)
            if words[:2] == ["make", "papers"]:
                self.assertIn(words[2].split("=")[1], experiments, row)
            elif words[0] != "perp":
                self.assertRegex(words[0], r"^build/benchmarks/\w+$", row)
                with open(os.path.join(ROOT, "benchmarks/meson.build"), encoding="utf-8") as file:
                    self.assertIn(f"executable('{os.path.basename(words[0])}'", file.read(), row)
            else:
                kind = next((w.split("/")[0] for w in words if "/" in w), "")
                at = [os.path.join(ROOT, "problems/papers", small[kind]) if w == "FILE" else
                      w.replace("DIR", self.out).replace("x.csv", os.path.join(self.folder.name, "x.csv"))
                      for w in words[1:]]
                more = ["--steps=1"] if words[1] == "simulate" and "--list" not in words else []
                done = subprocess.run([os.path.join(BUILD, "perp"), *at, *more], capture_output=True, text=True,
                                      timeout=100)
                if "needs ODE" not in done.stderr:
                    self.assertIn(done.returncode, (0, 1), f"{row}: {command}: {done.stderr}")

    def test_rows_follow_their_checks(self):
        import rows
        section = {"name": "column", "failed": "", "rows": {"000.8": "missed"}}
        self.assertEqual(rows.state("000.8", "column", "", [section]), "missed")
        self.assertEqual(rows.state("000.8", "column", "some", [section]), "missed")
        self.assertEqual(rows.state("000.5", "column", "", [section]), "shown")
        self.assertEqual(rows.state("000.5", "column", "some", [section]), "part")
        self.assertEqual(rows.state("000.5", "nut", "", [section]), "absent")
        self.assertEqual(rows.state("000.5", "", "some", [section]), "open")

    def test_thinning_keeps_spikes(self):
        import page
        points = [(k, 1.0) for k in range(1, 5001)]
        points[1234] = (1235, 9.0)
        points[1235] = (1236, 0.1)
        for logx in (False, True):
            kept = page.thin(points, logx)
            self.assertLess(len(kept), 900)
            self.assertIn((1235, 9.0), kept)
            self.assertIn((1236, 0.1), kept)
            self.assertEqual((kept[0], kept[-1]), (points[0], points[-1]))

    def test_limits_can_be_missed(self):
        import page
        x = page.Experiment("x", ROOT, BUILD, os.path.join(self.folder.name, "x"), True)
        x.at_most("a", 2.0, 1.0, rows="1 2")
        x.at_most("b", 0.5, 1.0, rows="2")
        x.at_least("c", 0.5, 1.0, timing=True)
        self.assertEqual([status for _, status in x.checks], ["missed", "held", "timing"])
        self.assertEqual(x.rows, {"1": "missed", "2": "missed"})

    def test_impulses_obey_coulomb(self):
        import top
        K = top.inverse_mass((0.01, -0.02, 0.0))
        p = top.collide((0.3, -0.2, 0.1), K, 0.0)
        self.assertLessEqual((p[0] ** 2 + p[2] ** 2) ** 0.5, top.MU * p[1] * (1 + 1e-12))
        self.assertAlmostEqual(0, -0.2 + top.multiply(K, p)[1], 12)
        straight = top.collide((0.0, -0.2, 0.0), top.inverse_mass((0.0, -0.02, 0.0)), 1.0)
        self.assertAlmostEqual(straight[1], 0.4 * top.MASS, 12)

    @staticmethod
    def modules():
        import glob
        import importlib
        return {os.path.basename(path)[:-3].split("_", 1)[1]:
                importlib.import_module(os.path.basename(path)[:-3])
                for path in glob.glob(os.path.join(os.path.dirname(RUN), "p[0-9o]*_*.py"))}

    def test_of_the_project(self):
        done = self.run_papers("--quick", "--only", "column,motion", own=False)
        text = self.page()
        self.assertIn(f'<pre class="command">{PROGRAM} simulate ', text)
        self.assertEqual(text.count('class="picture"'), 13)
        if "gnuplot is not installed" in done.stdout + done.stderr:
            missed = re.findall(r"^ *missed: (.*)", done.stdout, re.M)
            self.assertEqual([m for m in missed if not m.startswith("gnuplot draws")], [])
            self.skipTest("no gnuplot: there are no plots")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(len(re.findall(r'<figure class="plot".*?<svg', text, re.S)), 7)
        self.assertEqual(text.count('class="departs"'), 2)
        self.assertRegex(text, r'<td>000\.8</td>.*?<span class="good">holds</span>')
        self.assertRegex(text, r'<td>004\.8</td>.*?<span class="open">not on this page</span>')


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
