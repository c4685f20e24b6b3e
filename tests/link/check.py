#!/usr/bin/env python3
"""check.py ROOT LIBPERP.SO LIBPERP.A LIBRARIES CC...: a program that links perp and an archive with a
dpotrf_ and a SuiteSparse_config of its own. tools/check_link tells, and the remedies of
docs/building.md help: with perp shared and static. SuiteSparse from version 7 on keeps that variable
to itself: there dpotrf_ alone collides."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

root, shared, archive, libraries, *cc = sys.argv[1:]
shared, archive = os.path.abspath(shared), os.path.abspath(archive)
here = pathlib.Path(root) / "tests/link"
environment = dict(os.environ, LD_LIBRARY_PATH=os.path.dirname(shared))


def run(*command, expect=0):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, env=environment)
    assert expect is None or done.returncode == expect, (command, done.returncode, done.stdout, done.stderr)
    return done


def colliding():
    """The names of the stubs that a library of libperp.so has too."""
    libraries = re.findall(r"=> (/\S+)", run("ldd", shared).stdout)
    symbols = run("nm", "--dynamic", "--defined-only", "--format=just-symbols", *libraries).stdout.split()
    return {"dpotrf_", "SuiteSparse_config"} & {name.partition("@")[0] for name in symbols}


def works(program, told):
    """Does it run? And does check_link say whether it will?"""
    tool = run(pathlib.Path(root) / "tools/check_link", program, expect=1 if told else 0)
    if told:
        for name in ("dpotrf_", "SuiteSparse_config"):
            assert (f"its own {name}," in tool.stdout) == (name in collisions), (name, tool.stdout)
        assert "--exclude-libs" in tool.stderr, tool.stderr
    return run(program, expect=None).returncode == 0


collisions = colliding()
assert "dpotrf_" in collisions, collisions
with tempfile.TemporaryDirectory() as folder:
    work = pathlib.Path(folder)
    program, stubs, local = work / "program", work / "libstubs.a", work / "local.o"
    build = [*cc, f"-I{root}/include", here / "program.c", "-o", program]
    run(*cc, "-c", "-O1", here / "stubs.c", "-o", work / "stubs.o")
    run("ar", "rcs", stubs, work / "stubs.o")

    run(*build, stubs, shared)
    assert not works(program, True), "the trap does not work: nothing is tested"
    run(*build, stubs, shared, "-Wl,--exclude-libs,ALL")
    assert works(program, False), "shared, --exclude-libs"

    static = [archive, "-Wl,--as-needed", *libraries.split()]
    run(*build, stubs, *static)
    assert not works(program, True), "the trap does not work: nothing is tested"
    run("ld", "-r", "--whole-archive", stubs, "-o", local)
    run("objcopy", "--keep-global-symbol=stubs_solve", local)
    run(*build, local, *static)
    assert works(program, False), "static, names made local"
print("ok")
