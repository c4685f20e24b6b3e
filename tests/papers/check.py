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

    def test_of_the_project(self):
        done = self.run_papers("--quick", "--only", "column,motion", own=False)
        text = self.page()
        self.assertIn(f'<pre class="command">{PROGRAM} simulate ', text)
        self.assertEqual(text.count('class="picture"'), 8)
        if "gnuplot is not installed" in done.stdout + done.stderr:
            missed = re.findall(r"^ *missed: (.*)", done.stdout, re.M)
            self.assertEqual([m for m in missed if not m.startswith("gnuplot draws")], [])
            self.skipTest("no gnuplot: there are no plots")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(len(re.findall(r'<figure class="plot".*?<svg', text, re.S)), 2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
