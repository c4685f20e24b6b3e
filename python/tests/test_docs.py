"""All that is public is documented, the examples in docstrings and pages run, and types hold."""
import doctest
import inspect
import pathlib
import re
import runpy
import shutil
import subprocess
import sys

import numpy as np
import pytest
from conftest import ROOT

import perp


def public():
    for name in perp.__all__:
        yield name, getattr(perp, name)


def test_everything_is_documented():
    for name, thing in public():
        if name.endswith("_dtype") or name == "Monitor":
            continue
        assert inspect.getdoc(thing), name
        if inspect.isclass(thing):
            own = [(k, v) for k, v in vars(thing).items() if not k.startswith("_")]
            documented = [k for k, v in own if isinstance(v, property) or inspect.isfunction(v)]
            assert all(inspect.getdoc(getattr(thing, k)) for k in documented), name
    assert set(perp.__all__) >= {k for k, v in vars(perp).items() if inspect.isfunction(v)}


def callables():
    """Public functions, methods of public classes, and how the classes that users make are made."""
    for name, thing in public():
        if inspect.isfunction(thing):
            yield name, thing, inspect.getdoc(thing)
        elif inspect.isclass(thing):
            for key, method in vars(thing).items():
                if inspect.isfunction(method) and not key.startswith("_"):
                    yield f"{name}.{key}", method, inspect.getdoc(method)
    yield "World", perp.World.__init__, inspect.getdoc(perp.World)


def test_every_argument_is_explained():
    """In words of the docstring: help() is all that many users read."""
    missing = {}
    for name, function, text in callables():
        arguments = [p for p in inspect.signature(function).parameters if p not in ("self", "world")]
        words = [p for p in arguments if not re.search(rf"\b{p}\b", text)]
        if words:
            missing[name] = words
    assert not missing


def test_signatures_have_types():
    for name, thing in public():
        if inspect.isfunction(thing):
            s = inspect.signature(thing)
            assert s.return_annotation is not s.empty, name
            assert all(p.annotation is not p.empty for p in s.parameters.values()), name


@pytest.mark.parametrize("kind", ["lcp", "ncp", "mcp", "fc3d", "nnls_problem", "qp", "cone"])
def test_help_lists_the_options(kind):
    text = inspect.getdoc(getattr(perp, kind))
    for solver in perp.solvers(kind.split("_")[0]):
        assert solver in text
        for option in perp.options(solver):
            assert option.name in text and option.help in text


def test_docstrings_run():
    def run(name, thing):
        finder = doctest.DocTestFinder(recurse=False)
        for test in finder.find(thing, name, globs={"perp": perp, "np": np}):
            out = []
            runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
            if name == "compare":
                continue  # times
            assert runner.run(test, out=out.append).failed == 0, "".join(out)
    run("perp", perp)
    for name, thing in public():
        if inspect.isfunction(thing) or inspect.isclass(thing):
            run(name, thing)


def blocks(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```", (ROOT / page).read_text(), re.M | re.S)


@pytest.mark.parametrize("page, least", [("README.md", 1), ("docs/python.md", 5)])
def test_pages_run(page, least, capsys, tmp_path, monkeypatch):
    found = blocks(page, "python")
    assert len(found) >= least
    monkeypatch.chdir(tmp_path)
    names = {}
    for code in found:
        exec(compile(code, page, "exec"), names)
        said = capsys.readouterr().out.split()
        wanted = re.findall(r"^print\(.*\)\s+# (.*)$", code, re.M)
        assert [word for line in wanted for word in line.split()] == said[: sum(len(w.split()) for w in wanted)], said


@pytest.mark.parametrize("path", sorted((ROOT / "examples/python").glob("*.py")), ids=lambda p: p.name)
def test_examples_run(path, capsys):
    runpy.run_path(str(path), run_name="__main__")
    assert capsys.readouterr().out


def test_types_are_told():
    folder = pathlib.Path(perp.__file__).parent
    assert (folder / "py.typed").exists() and (folder / "_perp.pyi").exists()


@pytest.mark.skipif(not shutil.which("mypy"), reason="mypy is not installed")
@pytest.mark.parametrize("what", ["package", "examples"])
def test_types_hold(what, tmp_path):
    """By the strictest rules; in the examples functions have no types, as in most programs."""
    examples = sorted(str(path) for path in (ROOT / "examples/python").glob("*.py"))
    chosen = ["-p", "perp"] if what == "package" else ["--allow-untyped-defs", "--allow-untyped-calls", *examples]
    run = subprocess.run([shutil.which("mypy"), "--strict", "--ignore-missing-imports", "--cache-dir", str(tmp_path), *chosen],
                         cwd=pathlib.Path(perp.__file__).parents[1], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout
