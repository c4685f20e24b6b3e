"""What a call costs beside the library's own, and that nothing leaks."""
import gc
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

import numpy as np
import pytest
from conftest import make_pd

import perp


def least(call, batches=400, size=10):
    """Seconds of one call, the least over batches: other programs only ever add to it."""
    best = float("inf")
    for _ in range(batches):
        start = time.perf_counter()
        for _ in range(size):
            call()
        best = min(best, (time.perf_counter() - start) / size)
    return best


@pytest.mark.parametrize("solver", [None, "lcp/psor", "lcp/lemke", "lcp/pivot"])
def test_overhead_at_n_6(rng, solver):
    M, q = make_pd(rng, 6)
    p = perp.lcp(M, q)
    library = min(perp.solve(p, solver).seconds for _ in range(2000))
    assert least(lambda: perp.solve(p, solver)) - library < 15e-6
    assert least(lambda: perp.solve(perp.lcp(M, q), solver)) - library < 15e-6


def test_second_solve_allocates_nothing(rng):
    M, q = make_pd(rng, 50, False)
    p = perp.lcp(M, q)
    perp.release_memory()
    perp.solve(p)
    blocks = perp._perp.memory()[2]
    for _ in range(5):
        perp.solve(p)
    assert perp._perp.memory()[2] == blocks


def resident():
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def do_everything(rng, folder):
    """One call of each kind, also those that fail."""
    M, q = make_pd(rng, 6)
    q = -abs(q)
    p = perp.lcp(M, q)
    perp.solve(p, start=np.zeros(6), monitor=lambda s: None)
    perp.certify(p, q)
    perp.solve(perp.ncp(lambda z: z - 1, 2, jacobian=lambda z: np.eye(2)))
    for bad in (lambda: perp.solve(p, "lcp/psor", omega=7), lambda: perp.lcp(M, q[1:]),
                lambda: perp.solve(perp.ncp(lambda z: 1 / 0, 2)), lambda: perp.solve(p, monitor=lambda s: 1 / 0),
                lambda: perp.solve(perp.ncp(lambda z: np.ones(3), 2)), lambda: perp.load(folder / "none.perp"),
                lambda: perp.solutions(p, found=lambda s: 1 / 0), lambda: perp.generate("pd", -1)):
        with pytest.raises(Exception):
            bad()
    perp.solve(perp.cone(np.eye(2), [-1.0, 3], follows=[-1, 0], group=[-1, 1], mu=[0, 0.5]))
    perp.solutions(perp.lcp(np.eye(3), np.zeros(3)), found=lambda s: len(s.basis) < 2)
    perp.generate("pd", 5).data
    world = perp.World(perp.bodies(1, position=(0, 0, 1)), collide=lambda b, m: perp.contacts(0, -1, (0, 0, 0), (0, 0, 1)))
    world.step(0.01, gravity=(0, 0, -9.81), tol=1e-6)
    step = perp.assemble(world.bodies, world.contacts, form="mcp")
    step.motion(perp.solve(step))
    perp.contact_groups(world.bodies, world.contacts)
    for bad in (lambda: perp.assemble(world.bodies, world.contacts, dt=-1), lambda: step.motion(q)):
        with pytest.raises(Exception):
            bad()
    return world.contacts, world.impulses


def test_no_growth_in_10000_calls(rng, tmp_path):
    M, q = make_pd(rng, 6)
    p = perp.lcp(M, q)
    for _ in range(100):
        do_everything(rng, tmp_path)
    gc.collect()
    blocks, bytes_ = sys.getallocatedblocks(), resident()
    for _ in range(10000):
        perp.solve(perp.lcp(M, q), "lcp/psor", omega=1.2)
        perp.solve(p)
    for _ in range(1000):
        do_everything(rng, tmp_path)
    gc.collect()
    assert sys.getallocatedblocks() - blocks < 500
    assert resident() - bytes_ < 4 << 20


LEAK = """
import gc, sys
import numpy as np, perp
sys.path.insert(0, {folder!r})
import pathlib, test_cost
rng = np.random.default_rng(1)
M, q = test_cost.make_pd(rng, 6)
for _ in range(10000):
    perp.solve(perp.lcp(M, q), "lcp/psor", omega=1.2)
for _ in range(50):
    test_cost.do_everything(rng, pathlib.Path("/nowhere"))
perp.release_memory()
"""


@pytest.mark.skipif(not shutil.which("valgrind"), reason="valgrind is not installed")
def test_valgrind_finds_no_leak(tmp_path):
    """No block that the extension module asked for is lost at the end."""
    script = LEAK.format(folder=str(pathlib.Path(__file__).parent))
    log = tmp_path / "log"
    subprocess.run(["valgrind", "--leak-check=full", "--show-leak-kinds=definite", f"--log-file={log}",
                    "--num-callers=30", sys.executable, "-c", script], check=True, timeout=900,
                   env={**os.environ, "PYTHONMALLOC": "malloc", "OPENBLAS_NUM_THREADS": "1"})
    text = re.sub(r"^==\d+== ?", "", log.read_text(), flags=re.M)
    assert "HEAP SUMMARY" in text
    ours = [p for p in text.split("\n\n") if re.search(r"definitely lost|Invalid|uninitialised", p)
            and re.search(r": (binding|perp)_|_perp\.cpython", p)]
    assert not ours, ours[0]
