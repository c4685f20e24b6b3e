"""Ends of the interpreter while a solve runs, interpreters beside the main one, forks, and worlds that are
changed while they move."""
import os
import signal
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest

import perp


def run(code, timeout=60):
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=timeout)
    return done.returncode, done.stdout.split(), done.stderr


@pytest.mark.parametrize("solve", [
    "perp.solve(perp.generate('obstacle', 20000), 'lcp/psor', max_iter=10**9, tol=1e-15, monitor=lambda s: seen.append(1))",
    "perp.solve(perp.ncp(lambda z: (seen.append(1), time.sleep(0.01), z - 1)[2], 50, jacobian=lambda z: np.eye(50)), "
    "'mcp/path', start=np.full(50, 1e9), monitor=lambda s: time.sleep(9))"])
def test_exit_with_a_live_monitor(solve):
    """A daemon thread is within a solve when the interpreter ends."""
    code = f"""
        import perp, threading, time, numpy as np
        seen = []
        threading.Thread(target=lambda: {solve}, daemon=True).start()
        while not seen:
            time.sleep(0.01)
        print("left")
    """
    assert run(code)[:2] == (0, ["left"])


def test_exit_from_a_monitor_and_solves_at_exit():
    assert run("""
        import atexit, perp, sys
        atexit.register(lambda: print(perp.solve(perp.ncp(lambda z: z - 1, 3), monitor=lambda s: None).status))
        perp.solve(perp.generate("obstacle", 200), "lcp/psor", monitor=lambda s: sys.exit(3))
    """)[:2] == (3, ["solved"])


SUB = """
import sys
try:
    import _xxsubinterpreters as interpreters
except ImportError:
    print("none")
    sys.exit()
import os
out, into = os.pipe()
one = interpreters.create(isolated=False)
code = '''
import os, sys, warnings
warnings.simplefilter("ignore")
try:
    import perp
except ImportError:
    os.write(%d, b"none")
    raise
here = []
def F(z):
    import sys as now
    here.append(now is sys)
    return z - 1
said = str(perp.solve(perp.ncp(F, 3), monitor=lambda s: here.append(sys.modules["perp"] is perp)).status)
try:
    perp.solve(perp.ncp(lambda z: 1 / 0, 3))
except ZeroDivisionError:
    said += " raised"
os.write(%d, (said + " " + str(len(here) > 3 and all(here))).encode())
''' % (into, into)
try:
    interpreters.run_string(one, code)
except interpreters.RunFailedError as error:
    print(error, file=sys.stderr)
os.close(into)
print(os.read(out, 100).decode())
"""


def test_callbacks_run_in_the_interpreter_of_their_call():
    """They ran in the main one. numpy is loaded by the second alone: it cannot be by both."""
    code, said, error = run(SUB)
    assert said == ["none"] or (code, said) == (0, ["solved", "raised", "True"]), error


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_fork_while_another_thread_solves():
    stop = threading.Event()
    p = perp.generate("obstacle", 20000)
    other = threading.Thread(target=lambda: perp.solve(p, "lcp/psor", max_iter=10**9, tol=1e-15,
                                                       monitor=lambda s: not stop.is_set()))
    other.start()
    try:
        child = os.fork()
        if child == 0:
            signal.alarm(20)
            ok = perp.solve(perp.lcp([[2, 1], [1, 2]], [-5, -6])).solved and perp.solve(perp.ncp(lambda z: z - 1, 2)).solved
            os._exit(7 if ok else 1)
        assert os.waitpid(child, 0)[1] == 7 << 8
    finally:
        stop.set()
        other.join()


class Subclass(np.ndarray):
    pass


def test_subclasses_of_arrays():
    M, q = np.array([[2.0, 1], [1, 2]]).view(Subclass), np.array([-5.0, -6]).view(Subclass)
    assert np.allclose(perp.solve(perp.lcp(M, q), start=np.zeros(2).view(Subclass)).z, [4 / 3, 7 / 3])
    assert perp.solve(perp.ncp(lambda z: (z - 1).view(Subclass), 2)).solved
    assert np.shares_memory(perp.lcp(M, q).M, M)


def test_functions_may_go_during_a_solve():
    """The solve holds what it calls: nobody else does."""
    holder = {}

    def F(z):
        holder.clear()
        return z - 1

    holder["problem"] = perp.ncp(F, 3, jacobian=lambda z: np.eye(3))
    del F
    assert np.allclose(perp.solve(holder["problem"]).z, 1) and not holder


# ---- worlds


def test_a_world_is_not_made_anew_within_its_step():
    """The bodies that a step moves were freed."""
    said = []

    def collide(bodies, margin):
        try:
            world.__init__(perp.bodies(1))
        except RuntimeError as error:
            said.append(str(error))

    world = perp.World(perp.bodies(3), collide=collide)
    world.step(0.01)
    assert said == ["this world is in a step"]


def test_bodies_are_looked_at_before_each_step():
    """A dtype that was set in place made more bodies than there are; read-only ones were written to."""
    world = perp.World(perp.bodies(3))
    world.bodies.flags.writeable = False
    with pytest.raises(perp.ArgumentError, match="to be written"):
        world.step(0.01, gravity=(0, 0, -1))
    assert (world.velocity == 0).all()
    world.bodies.flags.writeable = True
    world.bodies.dtype = np.uint8
    with pytest.raises(perp.ArgumentError, match="perp.body_dtype"):
        world.step(0.01)


def test_a_world_before_its_first_step():
    """It has no contacts; asking for them was an error."""
    world = perp.World(perp.bodies(2))
    assert world.contacts.shape == (0,) and world.impulses.shape == (0, 3) and world.time == 0
    assert perp.contacts([], -1, np.zeros((0, 3)), (0, 0, 1)).shape == (0,)
    bare = perp.World.__new__(perp.World)
    with pytest.raises(RuntimeError, match="not initialised"):
        bare.step(0.1)


@pytest.mark.parametrize("call, what", [
    (lambda b: perp.contacts(np.array([2**32]), -1, (0, 0, 0), (0, 0, 1)), "a has an index beyond 32 bits"),
    (lambda b: perp.contacts(0.7, -1, (0, 0, 0), (0, 0, 1)), "a has numbers of type float64"),
    (lambda b: perp.contacts(0, -1, (0, 0, 1j), (0, 0, 1)), "point has numbers of type complex128"),
    (lambda b: perp.bodies(1, mass="2"), "mass has numbers of type"),
    (lambda b: perp.joint("ball", b, 7, 0, (0, 0, 0)), "a = 7 is no body; there are 2"),
    (lambda b: perp.joint("ball", [1], 0, 1, (0, 0, 0)), "bodies is not an array of perp.body_dtype"),
    (lambda b: perp.joint("hinge", b, 0, 1, (0, 0, 0)), "axis is missing"),
    (lambda b: perp.joint("ball", b, 0.5, 0, (0, 0, 0)), "a has numbers of type float64"),
    (lambda b: perp.joint("ball", b, [0], 0, (0, 0, 0)), "is no body"),
    (lambda b: perp.step(b), "step takes a perp.World"),
    (lambda b: perp.contact_frame((0, 0, 0)), "no unit vector"),
    (lambda b: perp.contact_frame((np.nan, 0, 0)), "no unit vector"),
])
def test_bodies_contacts_and_joints_of_nobody(call, what):
    with pytest.raises(perp.Error, match=what):
        call(perp.bodies(2))
