"""A copy of the tree, its build, and programs that are linked with some objects of their own.

The copy is built once. An object that is changed is compiled by itself and stands before the archive
when a program is linked, so that the archive's own is not taken: no mutant is ever built into the
build, and only programs that are run are linked."""
import hashlib
import json
import os
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

BUILD_SECONDS = 3600
OPTIONS = ["-Dclones=false", "-Dbenchmarks=false", "-Ddebug=false", "-Doptimization=2", "-Db_ndebug=true"]
# Tests that say nothing about a mutant: of the text of the tree, of the build, or of the shared library.
OTHER_TESTS = {"arrows", "every_source_has_a_test", "example_embed", "example_embed_cpp",
               "example_nonlinear", "golden", "headers", "mutate", "papers", "serial_hdf5", "startup",
               "symbols"}
RECORD = "golden_record"


class Done:
    """How a command ended: its status (None: out of time), its output, its processor seconds."""

    def __init__(self, status, output, seconds):
        self.status, self.output, self.seconds = status, output, seconds


def run(command, seconds, wall=None, **more):
    """Run it with a limit of processor seconds, and of others where it only waits. Children end with it."""
    limit = int(seconds) + 1

    def restrict():
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                             errors="replace", start_new_session=True, preexec_fn=restrict, **more)
    try:
        output, _ = child.communicate(timeout=wall or 60 + 10 * seconds)
        status = child.returncode
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        status, output = None, child.communicate()[0]
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Done(None if status in (-signal.SIGXCPU, -signal.SIGKILL) else status, output, used)


def digest(*parts):
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


class Test:
    """A test: its command, its environment, and the programs in its command that link the archive."""

    def __init__(self, name, command, environment, programs):
        self.name, self.command, self.programs = name, command, programs
        self.environment = {**os.environ, **environment}


class Copy:
    """The copy of the tree in work/tree, built in work/build without clones: the record wants it so."""

    def __init__(self, root, work):
        self.root, self.work = root, work
        self.tree, self.build = work / "tree", work / "build"

    def update(self):
        """Bring the copy up to the tree; what is equal keeps its time, and is not built again."""
        listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                                cwd=self.root, capture_output=True, check=True)
        names = {name for name in listed.stdout.decode().split("\0")
                 if name and (self.root / name).is_file()}
        for name in names:
            source, target = self.root / name, self.tree / name
            if target.exists() and target.read_bytes() == source.read_bytes():
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)
        for path in list(self.tree.rglob("*")):
            if path.is_file() and str(path.relative_to(self.tree)) not in names:
                path.unlink()

    def set_up(self):
        self.update()
        if not (self.build / "build.ninja").exists():
            lld = {"CC_LD": "lld"} if shutil.which("ld.lld") else {}
            self.must(["meson", "setup", *OPTIONS, self.build, self.tree], env={**os.environ, **lld})
        self.must(["ninja", "-C", self.build])
        self.read_commands()
        self.read_tests()

    def must(self, command, **more):
        done = run(command, BUILD_SECONDS, **more)
        if done.status != 0:
            sys.exit(f"mutate: {shlex.join(map(str, command))}:\n{done.output[-3000:]}")
        return done.output

    def read_commands(self):
        """How each source of the library is compiled, and each program that links the archive is linked."""
        self.compiled, self.linked = {}, {}
        for row in json.loads((self.build / "compile_commands.json").read_text()):
            name = os.path.normpath(os.path.join(self.build, row["file"]))
            name = os.path.relpath(name, self.tree)
            if name.startswith("src/") and row["output"].startswith("libperp"):
                self.compiled.setdefault(name, shlex.split(row["command"]))
        for line in self.must(["ninja", "-C", self.build, "-t", "commands"]).splitlines():
            words = shlex.split(line)
            if "libperp.a" in words and "-Wl,--start-group" in words:
                self.linked[words[words.index("-o") + 1]] = words

    def read_tests(self):
        self.tests = {}
        for test in json.loads(self.must(["meson", "introspect", "--tests", self.build])):
            self.add_test(test["name"], test["cmd"], test["env"])
        self.add_test(RECORD, [sys.executable, str(self.tree / "tests/golden/record"), "./perp"],
                      {"PERP_MODULES": str(self.build)})

    def add_test(self, name, command, environment):
        inside = [os.path.relpath(os.path.join(self.build, word), self.build) for word in command]
        programs = {k: program for k, program in enumerate(inside) if program in self.linked}
        if programs and name not in OTHER_TESTS:
            self.tests[name] = Test(name, command, environment, programs)

    # ---- objects and programs

    def compile(self, name, text, folder, *flags):
        """The object of a source with another text, in a folder; None: it does not compile."""
        folder.mkdir(parents=True, exist_ok=True)
        source, target = folder / Path(name).name, folder / (name.replace("/", "_") + ".o")
        source.write_text(text)
        words = [word for word in self.compiled[name] if word not in ("ccache", "-MD")]
        for option in ("-MQ", "-MF", "-o", "-c"):
            at = words.index(option)
            del words[at:at + 2]
        words += ["-w", "-iquote", str(self.tree / Path(name).parent), *flags, "-o", str(target), "-c",
                  str(source)]
        return target if run(words, 300, cwd=self.build).status == 0 else None

    def link(self, program, target, objects, *flags):
        words = list(self.linked[program])
        words[words.index("-o") + 1] = str(target)
        at = words.index("-Wl,--start-group")
        words[at:at] = [*map(str, objects), *flags]
        target.parent.mkdir(parents=True, exist_ok=True)
        return run(words, 300, cwd=self.build).status == 0

    def command(self, test, place):
        """The command of a test with the programs of a folder instead of the build's."""
        return [str(place / test.programs[k]) if k in test.programs else word
                for k, word in enumerate(test.command)]

    def print_of(self, test):
        """A digest of what a test runs."""
        parts = [(self.build / program).read_bytes() for program in test.programs.values()]
        parts += [Path(word).read_bytes() for word in test.command
                  if word.startswith(str(self.work)) and Path(word).suffix == ".py"]
        return digest(*parts)

    def run(self, test, place, seconds, **environment):
        return run(self.command(test, place), seconds, cwd=self.build,
                   env={**test.environment, **environment})


class Linked:
    """Programs that are linked with given objects the first time that a test wants them."""

    def __init__(self, copy, place, objects, *flags):
        self.copy, self.place, self.objects, self.flags = copy, place, objects, flags
        self.there = set()
        shutil.rmtree(place, ignore_errors=True)

    def run(self, test, seconds):
        for program in set(test.programs.values()) - self.there:
            if not self.copy.link(program, self.place / program, self.objects, *self.flags):
                sys.exit(f"mutate: {program} does not link")
            self.there.add(program)
        return self.copy.run(test, self.place, seconds)
