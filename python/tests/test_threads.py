"""Thread pools, the GIL, and Ctrl-C."""
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from conftest import make_pd

import perp


def test_thread_pool_gives_the_same_bits(rng):
    data = [make_pd(rng, n, n % 2 == 0) for n in range(5, 45)]
    alone = [perp.solve(perp.lcp(M, q)).z for M, q in data]
    with ThreadPoolExecutor(8) as pool:
        for _ in range(5):
            together = list(pool.map(lambda d: perp.solve(perp.lcp(*d)).z, data))
            assert all((a == b).all() for a, b in zip(alone, together))


def test_one_problem_in_many_threads():
    p = perp.ncp(lambda z: z**3 - np.arange(1.0, 4), 3)
    q = perp.generate("pd", 60)
    with ThreadPoolExecutor(8) as pool:
        for r in pool.map(lambda k: perp.solve(p if k % 2 else q), range(40)):
            assert r.solved


def test_exceptions_stay_with_their_solve():
    def F(k):
        def f(z):
            if k % 2:
                raise KeyError(k)
            return z - k
        return f

    def run(k):
        try:
            return perp.solve(perp.ncp(F(k), 2)).z[0]
        except KeyError as error:
            return error.args[0]

    with ThreadPoolExecutor(8) as pool:
        assert np.allclose(list(pool.map(run, range(64))), np.arange(64))


def test_other_threads_run_during_a_solve():
    p = perp.generate("obstacle", 20000)
    solver = threading.Thread(target=lambda: perp.solve(p, "lcp/psor", max_iter=10**9, max_seconds=1.0, tol=1e-14))
    solver.start()
    ticks = 0
    while solver.is_alive():
        time.sleep(0.005)
        ticks += 1
    assert ticks > 20  # with the GIL held it would be one or two


CTRL_C = """
import sys, threading, os, signal, time, perp
p = perp.generate("obstacle", %d)
threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
start = time.monotonic()
try:
    perp.solve(p, %r, max_iter=10**9, tol=1e-15)
except KeyboardInterrupt:
    print("interrupted", time.monotonic() - start)
    again = perp.solve(perp.generate("pd", 10))
    print(again.status)
"""


@pytest.mark.parametrize("solver, size", [("lcp/psor", 20000), ("lcp/mprgp", 500000)])
def test_ctrl_c(solver, size):
    """Sizes with which a solve lasts far longer than the half second before the signal."""
    run = subprocess.run([sys.executable, "-c", CTRL_C % (size, solver)], capture_output=True, text=True, timeout=60,
                         preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
    words = run.stdout.split()
    assert words[:1] == ["interrupted"] and words[2] == "solved", run.stdout + run.stderr
    assert float(words[1]) < 5


def test_handlers_of_signals_run_and_may_go_on():
    seen = []
    old = signal.signal(signal.SIGUSR1, lambda *a: seen.append(a))
    try:
        threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGUSR1)).start()
        r = perp.solve(perp.generate("obstacle", 20000), "lcp/psor", max_iter=10**9, max_seconds=0.6, tol=1e-15)
    finally:
        signal.signal(signal.SIGUSR1, old)
    assert seen and r.status is perp.Status.MAX_SECONDS
