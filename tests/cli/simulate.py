#!/usr/bin/env python3
"""simulate.py PERP: `perp simulate` as its users call it: bad names and numbers, a scene that falls
apart, a run that is ended by a signal; whatever happens, the files are whole."""
import csv
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree as xml

PERP = os.path.abspath(sys.argv[1])


def simulate(*arguments):
    run = subprocess.run([PERP, "simulate", *arguments], capture_output=True, text=True, timeout=120)
    return run.returncode, run.stdout, run.stderr


class Simulate(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()

    def tearDown(self):
        self.folder.cleanup()

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def wrong(self, says, *arguments):
        status, out, err = simulate(*arguments)
        self.assertEqual((status, out), (2, ""), err)
        self.assertIn(says, err)
        self.assertEqual(err.count("\n"), 1, err)

    def test_bad_names(self):
        self.wrong("no scene 'colum'; did you mean 'column'?", "colum")
        self.wrong("see 'perp simulate --list'", "qqqqqqqq")
        self.wrong("expected SCENE")
        self.wrong("no parameter 'sphers'; did you mean 'spheres'?", "settling", "--set=sphers=10")
        self.wrong("see 'perp simulate --list settling'", "settling", "--set=qqqqqqq=1")
        self.wrong("did you mean 'fc3d/nsgs'?", "settling", "--solver=fc3d/nsg")
        self.wrong("no form 'fc'", "settling", "--form=fc")
        self.wrong("measures nothing", "column", "--measures=x.csv")

    def test_bad_numbers(self):
        self.wrong("spheres=0 is not in 1 .. ", "settling", "--set=spheres=0")
        self.wrong("spheres=1e9 is not in 1 .. ", "settling", "--set=spheres=1e9")
        self.wrong("spheres=2.5 is not a whole number", "settling", "--set=spheres=2.5")
        self.wrong("spheres=ten is not a number", "settling", "--set=spheres=ten")
        self.wrong("dt=nan is not in", "settling", "--set=dt=nan")
        self.wrong("dt=inf is not in", "settling", "--set=dt=inf")
        self.wrong("dt=0 is not in", "settling", "--set=dt=0")
        self.wrong("mu= is not a number", "settling", "--set=mu=")
        self.wrong("expected NAME=VALUE", "settling", "--set=mu")
        self.wrong("--steps: -1 is less than 0", "settling", "--steps=-1")
        self.wrong("expected STEP:FILE", "settling", "--dump=x.perp")

    def rows(self, name):
        with open(self.path(name), newline="", encoding="utf-8") as file:
            text = file.read()
        self.assertTrue(text.endswith("\n"))
        return [[float(x) for x in row] for row in csv.reader(text.splitlines()[1:])]

    def whole(self, steps):
        """Every file of a run of so many steps."""
        self.assertEqual([row[0] for row in self.rows("rows.csv")], list(range(1, steps + 1)))
        self.assertEqual(self.rows("measures.csv")[-1][0], steps)
        shown = sorted(os.listdir(self.path("pictures")))
        self.assertTrue(shown[-1].endswith(f"_{steps:06d}.svg"), shown)
        for name in shown:
            xml.parse(os.path.join(self.path("pictures"), name))
        times = xml.parse(os.path.join(self.path("vtk"), shown[0].split("_")[0] + ".pvd"))
        files = [one.get("file") for one in times.iter("DataSet")]
        self.assertEqual(len(os.listdir(self.path("vtk"))), len(files) + 1)
        for name in files:
            xml.parse(os.path.join(self.path("vtk"), name))

    def files(self):
        return [f"--csv={self.path('rows.csv')}", f"--measures={self.path('measures.csv')}",
                f"--pictures={self.path('pictures')}", f"--vtk={self.path('vtk')}", "--every=20"]

    def test_falls_apart(self):
        """Steps of a second throw the voussoirs about."""
        status, _, err = simulate("arch", "--set=dt=1", "--set=mu=0", "--steps=1000",
                                  *self.files())
        self.assertEqual(status, 2, err)
        self.assertRegex(err, r"^perp simulate: arch: step \d+: body \d+ has escaped to \(.*\)\n$")
        self.whole(int(err.split("step ")[1].split(":")[0]) - 1)

    def test_signals(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)  # a shell's background ignores some of them
            run = subprocess.Popen([PERP, "simulate", "settling", "--set=spheres=20",
                                    "--steps=100000000", *self.files()], text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            for _ in range(500):
                if os.path.exists(self.path("pictures/settling_000020.svg")):
                    break
                time.sleep(0.02)
            run.send_signal(number)
            out, err = run.communicate(timeout=60)
            self.assertEqual(run.returncode, 1, err)
            self.assertIn("stopped after step", err)
            steps = int(err.split("after step ")[1].split()[0])
            self.assertIn(f"steps       {steps} to t = ", out)
            self.whole(steps)
            for name in ("pictures", "vtk"):
                for file in os.listdir(self.path(name)):
                    os.remove(os.path.join(self.path(name), file))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
