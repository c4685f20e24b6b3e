"""perp.solve: every kind, options, starts, monitors, limits, results."""
import copy
import pickle

import numpy as np
import pytest
from conftest import is_solution, make_pd
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hn

import perp


def test_readme_problem():
    r = perp.solve(perp.lcp([[2, 1], [1, 2]], [-5, -6]), solver="lcp/psor", omega=1.2)
    assert r.solved and r.status is perp.Status.SOLVED and r.solver == "lcp/psor"
    assert np.allclose(r.z, [4 / 3, 7 / 3], atol=1e-6) and np.allclose(r.w, 0, atol=1e-6)
    assert r.residual == r.certificate.value <= 1e-8 and r.detail == ""


@pytest.mark.parametrize("family", sorted(perp.families()))
def test_every_family(family):
    size = {"murty": 8, "fathi": 8, "integer": 8, "random": 8}.get(family, 0)
    p = perp.generate(family, size, seed=3)
    r = perp.solve(p, max_seconds=20)
    assert len(r.z) == len(r.w) == p.n and np.isfinite(r.z).all()
    if p.claim is not None:
        assert not r.solved and perp.check(p, p.claim, p.proof, r.z if p.claim == perp.Status.UNBOUNDED else None) \
            or p.claim == perp.Status.UNBOUNDED
    if r.status in (perp.Status.INFEASIBLE, perp.Status.UNBOUNDED):
        assert perp.check(p, r)
    if r.solved:
        c = perp.certify(p, r.z)
        assert c.value + c.bound <= 1e-8


@pytest.mark.parametrize("solver", perp.solvers("lcp"))
def test_every_lcp_solver(solver, rng):
    M, q = make_pd(rng, 12)
    r = perp.solve(perp.lcp(M, q), solver)
    assert r.solved and is_solution(M, q, r.z)


def test_short_names_and_auto():
    p = perp.generate("pd", 10)
    assert perp.solve(p, "lemke").solver == "lcp/lemke"
    assert perp.solve(p).solved


def test_options_reach_the_solver():
    p = perp.generate("obstacle", 200)
    counts = {omega: perp.solve(p, "lcp/psor", omega=omega, max_iter=100000, tol=1e-6).iterations
              for omega in (1.0, np.float64(1.8))}
    assert counts[1.8] < counts[1.0] / 2
    one = perp.solve(p, "lcp/psor", max_iter=np.int64(7))
    assert one.status is perp.Status.MAX_ITER and one.iterations == 7 and "limit" in one.detail
    for true in (True, np.True_, 1, "1"):
        perp.solve(p, "lcp/psor", symmetric=true, max_iter=2)
    for choice in perp.options("lcp/lemke")[0].choices:
        assert perp.solve(perp.generate("pd", 9), "lcp/lemke", cover=choice).solved


@pytest.mark.parametrize("call, words", [
    (dict(solver="lcp/pspr"), "did you mean 'lcp/psor'?"),
    (dict(solver="ipm"), "there is no solver 'lcp/ipm'; there are lcp/lemke"),
    (dict(tolerance=1e-6), "it is called 'tol' here"),
    (dict(x0=[0, 0]), "it is called 'start' here"),
    (dict(solver="lcp/psor", omgea=1), "did you mean 'omega'?"),
    (dict(solver="lcp/gurobi"), "there are lcp/lemke"),
    (dict(omega=1), "lcp/psor has one"),
    (dict(time_limit=1), "max_seconds"),
    (dict(solver="lcp/psor", omega=3), "outside"),
    (dict(solver="lcp/psor", max_iter="many"), "not a whole number"),
    (dict(warm_start=True), "start=z"),
])
def test_wrong_options(call, words):
    with pytest.raises(perp.OptionError, match=words.replace("?", r"\?")) as caught:
        perp.solve(perp.generate("pd", 5), **call)
    assert isinstance(caught.value, ValueError) and caught.value.status == "bad_option"


def test_names_of_others_are_no_options():
    from perp._solve import _ELSEWHERE
    assert not {o.name for solver in perp.solvers() for o in perp.options(solver)} & _ELSEWHERE.keys()
    with pytest.raises(perp.OptionError, match="did you mean 'lcp/psor'"):
        perp.describe("psor")


def test_wrong_kind_of_solver():
    with pytest.raises(perp.OptionError, match="solves lcp problems, this one is qp"):
        perp.solve(perp.generate("qp_convex", 5), "lcp/lemke")
    assert perp.solve(perp.generate("pd", 5), "mcp/path").solved  # an lcp is an mcp
    with pytest.raises(TypeError, match="perp.lcp"):
        perp.solve(np.eye(2))
    with pytest.raises(TypeError, match="name"):
        perp.solve(perp.generate("pd", 5), 7)


def test_warm_start():
    p = perp.generate("obstacle", 200)
    z = perp.solve(p, "lcp/psor", omega=1.8, max_iter=100000).z
    kept = z.copy()
    again = perp.solve(p, "lcp/psor", start=z)
    assert again.iterations <= 1 and again.z is not z and (z == kept).all()
    with pytest.raises(perp.ArgumentError, match="start has 3 entries; 200 are needed"):
        perp.solve(p, start=[0.0, 0, 0])
    with pytest.raises(perp.Error):
        perp.solve(p, start=np.full(200, np.nan))


def test_monitor_sees_and_cancels():
    p, seen = perp.generate("obstacle", 300), []
    r = perp.solve(p, "lcp/psor", monitor=lambda s: seen.append(s), max_iter=50)
    assert len(seen) >= 50 and seen[-1].iteration >= 49 and seen[-1].solver == "lcp/psor" and r.iterations == 50
    r = perp.solve(p, "lcp/psor", monitor=lambda s: s.iteration < 20)
    assert r.status is perp.Status.CANCELLED and r.iterations <= 21


def test_time_budget():
    r = perp.solve(perp.generate("obstacle", 20000), "lcp/psor", max_seconds=0.05, max_iter=10**9, tol=1e-14)
    assert r.status is perp.Status.MAX_SECONDS and r.seconds < 5


def test_results_pickle_and_print():
    r = perp.solve(perp.generate("qp_convex", 6))
    again = pickle.loads(pickle.dumps(r))
    assert (again.z == r.z).all() and again.certificate == r.certificate and (again.x == r.x).all()
    assert "solved" in repr(r) and "qp/" in repr(r) and len(r.x) == 6 and len(r.y) == len(r.z) - 6
    with pytest.raises(AttributeError):
        r.z = 1
    with pytest.raises(AttributeError):
        perp.solve(perp.generate("pd", 4)).y
    assert set(perp.solve(perp.generate("fc3d_body_known", 4)).parts) == {"r", "v", "l"}


@pytest.mark.parametrize("family", ["pd", "obstacle2d", "mcp_friction", "fc3d_body_known", "qp_sparse"])
def test_problems_pickle(family):
    p = perp.generate(family, 10)
    for q in (pickle.loads(pickle.dumps(p)), copy.deepcopy(p), copy.copy(p)):
        assert q.kind == p.kind and q.name == family and (perp.solve(q).z == perp.solve(p).z).all()


def test_not_solved_is_no_error():
    p = perp.generate("infeasible_row", 10)
    r = perp.solve(p)
    assert r.status is perp.Status.INFEASIBLE and perp.check(p, r)
    with pytest.raises(perp.NotSolved, match="infeasible") as caught:
        r.raise_for_status()
    assert caught.value.result is r and isinstance(caught.value, RuntimeError)
    assert perp.solve(perp.generate("pd", 4)).raise_for_status().solved


def test_status_matches_the_library():
    for word, text, value in perp._perp.statuses():
        assert str(perp.Status(value)) == word and perp.Status(value).text == text
    assert len(perp.Status) == len(perp._perp.statuses())
    for k, kind in enumerate(perp._tables.KINDS):
        assert perp.solvers(kind) and all(s.startswith(kind + "/") for s in perp.solvers(kind)), k


@given(hn.arrays(float, st.tuples(st.integers(1, 6)).map(lambda s: (s[0], s[0])), elements=st.floats(-3, 3)),
       st.data())
def test_any_matrix_ends_honestly(A, data):
    n = len(A)
    q = data.draw(hn.arrays(float, n, elements=st.floats(-3, 3)))
    r = perp.solve(perp.lcp(A, q))
    assert np.isfinite(r.z).all()
    if r.solved:
        assert is_solution(A, q, r.z)
    elif r.status is perp.Status.INFEASIBLE:
        assert perp.check(perp.lcp(A, q), r)


@given(st.integers(1, 5), st.integers(0, 4), st.randoms(use_true_random=False))
def test_convex_programs_meet_their_conditions(n, m, random):
    rng = np.random.default_rng(random.randrange(2**32))
    B, A = rng.standard_normal((n, n)), rng.standard_normal((m, n))
    x0 = rng.standard_normal(n)
    lo, hi = A @ x0 - rng.random(m), A @ x0 + rng.random(m)
    r = perp.solve(perp.qp(B @ B.T + np.eye(n), rng.standard_normal(n), A, lo, hi, x0 - 2, x0 + 2))
    assert r.solved
    Ax = A @ r.x
    assert (Ax >= lo - 1e-6).all() and (Ax <= hi + 1e-6).all()
