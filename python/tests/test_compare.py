"""compare, generate, solvers, options."""
import numpy as np
import pytest

import perp


def test_rows(tmp_path):
    p = perp.generate("pd", 20)
    perp.save(tmp_path / "s.perp", perp.generate("psd", 10))
    rows = perp.compare([p, tmp_path / "s.perp"], ["lcp/lemke", ("psor", {"omega": 1.4})], tol=[1e-4, 1e-8], repeats=2)
    assert len(rows) == 8 and {r["solver"] for r in rows} == {"lcp/lemke", "lcp/psor"}
    assert all(r["status"] == "solved" for r in rows if r["solver"] == "lcp/lemke")
    assert [r["omega"] for r in rows if "omega" in r] == [1.4] * 4
    assert str(rows).splitlines()[0].split() == ["problem", "solver", "tol", "status", "residual", "iterations", "seconds"]
    every = perp.compare(p, max_seconds=1)
    assert [r["solver"] for r in every] == list(perp.solvers("lcp"))
    refused = perp.compare(perp.lcp([[-1.0]], [-1.0]), ["psor"])
    assert refused[0]["status"] == "bad_number" and refused[0]["detail"]


def test_one_solver_and_a_tolerance_of_its_own():
    p = perp.generate("pd", 5)
    assert [r["solver"] for r in perp.compare(p, "lemke")] == ["lcp/lemke"]
    rows = perp.compare(p, ("psor", {"tol": 1e-3}), tol=np.float32(1e-6))
    assert [r["tol"] for r in rows] == [1e-3]


def test_pandas():
    pandas = pytest.importorskip("pandas")
    frame = perp.compare(perp.generate("pd", 5), ["lemke", "pivot"]).to_pandas()
    assert isinstance(frame, pandas.DataFrame) and list(frame.solver) == ["lcp/lemke", "lcp/pivot"]


def test_generate():
    a, b = perp.generate("pd", 7, seed=2), perp.generate("pd", 7, seed=2)
    assert (a.M == b.M).all() and (a.M != perp.generate("pd", 7, seed=3).M).any()
    scene = perp.generate("stack", 3, form="lcp_facets", mu=0.3, ratio=10, facets=8)
    assert scene.kind == "lcp" and scene.n == 120
    with pytest.raises(perp.OptionError, match="did you mean 'obstacle2d'"):
        perp.generate("obstacle2")
    with pytest.raises(perp.Error):
        perp.generate("pd", -1)
    with pytest.raises(perp.Error):
        perp.generate("stack", 3, form="nonsense")


def test_tables():
    assert "lcp/psor" in perp.solvers("lcp") and len(perp.solvers()) == len(perp._perp.solvers())
    omega = perp.options("lcp/psor")[0]
    assert omega.name == "omega" and omega.default == 1 and 1.99 < omega.largest < 2
    assert "omega" in perp.describe("lcp/psor")
    with pytest.raises(perp.OptionError, match="there are lcp"):
        perp.solvers("lpc")
    with pytest.raises(perp.OptionError, match="did you mean"):
        perp.options("lcp/lemkee")
