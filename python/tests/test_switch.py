"""nnls held against scipy's, solve_qp against cvxopt."""
import numpy as np
import pytest
import scipy.optimize
import scipy.sparse as sp
from scipy.linalg import hilbert, invhilbert

import perp


def random_nnls(rng, k):
    """Problem k: any shape; every third with columns that repeat, are zero or differ in size by 1e6."""
    m, n = rng.integers(1, 40, 2)
    A, b = rng.standard_normal((m, n)), rng.standard_normal(m)
    if k % 3 == 1:
        A[:, rng.integers(0, n, n // 2)] = A[:, [0]]
        A[:, rng.integers(0, n)] = 0
    if k % 3 == 2:
        A *= 10.0 ** rng.uniform(-3, 3, n)
        b = A @ np.maximum(rng.standard_normal(n), 0) + 0.1 * b
    return A, b


def test_nnls_agrees_with_scipy_on_1000():
    rng = np.random.default_rng(7)
    for k in range(1000):
        A, b = random_nnls(rng, k)
        x, norm = perp.nnls(A, b)
        _, theirs = scipy.optimize.nnls(A, b, maxiter=1000)
        assert (x >= 0).all() and np.isclose(norm, np.linalg.norm(A @ x - b), rtol=1e-9, atol=1e-9)
        assert abs(norm - theirs) <= 1e-8 * np.linalg.norm(b), k
        if k % 3 == 0 and A.shape[0] >= 2 * A.shape[1]:  # well conditioned: x is determined too
            assert np.allclose(x, scipy.optimize.nnls(A, b)[0], atol=1e-7)


@pytest.mark.parametrize("n", [3, 5, 8, 12, 16, 20])
def test_nnls_on_hilbert_matrices(n):
    """x is not determined to the last digits there: the condition of hilbert(8) is 1.5e10. Norms are."""
    H, rng = hilbert(n), np.random.default_rng(n)
    for b in (np.ones(n), H @ rng.random(n), H @ np.maximum(rng.standard_normal(n), 0), np.arange(n) - n / 2.0):
        x, norm = perp.nnls(H, b)
        _, theirs = scipy.optimize.nnls(H, b, maxiter=10000)
        assert (x >= 0).all() and abs(norm - theirs) <= 1e-13 * np.linalg.norm(b)


def test_nnls_does_not_claim_what_it_cannot_certify():
    """Entries of invhilbert(8) reach 4e9: scipy's QR finds the residual 0, perp ends at its floor and says so. Which of
    its solvers gets furthest depends on the kernels of the BLAS, and so does the sentence."""
    with pytest.raises(perp.NotSolved, match="stalled") as raised:
        perp.nnls(invhilbert(8), np.ones(8))
    assert raised.value.result.residual > 1e-8


def test_nnls_published_shapes():
    """Polynomial fits with coefficients >= 0 (Vandermonde), and a sum of decays (Lawson and Hanson's kind)."""
    t = np.linspace(0, 1, 60)
    for A in (np.vander(t, 15), np.exp(-np.outer(t, np.logspace(-1, 2, 30)))):
        for b in (np.sin(3 * t), np.exp(t), t - 0.5):
            _, norm = perp.nnls(A, b)
            assert abs(norm - scipy.optimize.nnls(A, b, maxiter=10000)[1]) <= 1e-13 * np.linalg.norm(b)


def test_nnls_like_scipys():
    x, norm = perp.nnls(sp.csr_matrix([[1.0, 0], [1, 0], [0, 1]]), [2.0, 1, -1])
    assert np.allclose(x, [1.5, 0]) and np.isclose(norm, np.sqrt(1.5))
    with pytest.raises(ValueError):
        perp.nnls(np.eye(2), [np.nan, 1])
    with pytest.raises(ValueError):
        perp.nnls(np.eye(2), [1, 2, 3])
    rng = np.random.default_rng(0)
    with pytest.raises(RuntimeError):
        perp.nnls(rng.standard_normal((40, 40)), rng.standard_normal(40), maxiter=0)


def random_qp(rng, k):
    """A convex program with a feasible point; every second P singular."""
    n, m, e = rng.integers(2, 25), rng.integers(1, 20), rng.integers(0, 2)
    B = rng.standard_normal((n, n if k % 2 else max(n // 2, 1)))
    G, A, x0 = rng.standard_normal((m, n)), rng.standard_normal((e, n)), rng.standard_normal(n)
    return dict(P=B @ B.T, q=rng.standard_normal(n), G=G, h=G @ x0 + rng.random(m), A=A if e else None,
                b=A @ x0 if e else None, lb=x0 - 3 * rng.random(n) - 0.1, ub=x0 + 3 * rng.random(n) + 0.1)


def by_cvxopt(cvxopt, P, q, G, h, A, b, lb, ub):
    n = len(q)
    G, h = np.vstack([G, np.eye(n), -np.eye(n)]), np.concatenate([h, ub, -lb])
    m = cvxopt.matrix
    rows = {} if A is None else {"A": m(A), "b": m(b)}
    found = cvxopt.solvers.qp(m(P), m(q), m(G), m(h), **rows, options={
        "show_progress": False, "abstol": 1e-11, "reltol": 1e-11, "feastol": 1e-11, "maxiters": 200})
    return np.array(found["x"]).ravel()


def test_solve_qp_agrees_with_cvxopt_on_200():
    cvxopt = pytest.importorskip("cvxopt")
    rng = np.random.default_rng(3)
    for k in range(200):
        data = random_qp(rng, k)
        x, y = perp.solve_qp(**data), by_cvxopt(cvxopt, **data)
        def f(v):
            return v @ data["P"] @ v / 2 + data["q"] @ v
        assert x is not None and abs(f(x) - f(y)) <= 1e-6 * (1 + abs(f(y))), k
        assert (data["G"] @ x <= data["h"] + 1e-6 * (1 + abs(data["h"]))).all()
        assert (x >= data["lb"] - 1e-6).all() and (x <= data["ub"] + 1e-6).all()
        if data["A"] is not None:
            assert np.allclose(data["A"] @ x, data["b"], atol=1e-6)
        if k % 2:
            assert np.allclose(x, y, atol=1e-4)


def test_solve_qp_forms():
    P, q = np.array([[2.0, 0], [0, 2]]), np.array([-2.0, -5])
    G, h = np.array([[1.0, 2]]), np.array([3.0])
    want = perp.solve_qp(P, q, G, h)
    for other in (perp.solve_qp(sp.csc_matrix(P), q, sp.csc_matrix(G), h), perp.solve_qp(P, q, G[0], 3.0),
                  perp.solve_qp(P + [[0, 1], [-1, 0]], q, G, h), perp.solve_qp(P, q, G, h, initvals=[0.1, 0.2]),
                  perp.solve_qp(P, q, G, h, solver="qp/ipm"),
                  perp.solve_qp(sp.csc_matrix(P), q, G, h, lb=-10 * np.ones(2), ub=np.full(2, 10.0))):
        assert np.allclose(other, want, atol=1e-5)
    assert np.allclose(perp.solve_qp(P, q), [1, 2.5])
    assert np.allclose(perp.solve_qp(P, q, A=[[1.0, 1]], b=[1.0]).sum(), 1)
    assert np.allclose(perp.solve_qp(None, [1.0, 1], lb=[1.0, 2], ub=[5.0, 5]), [1, 2])
    assert perp.solve_qp(P, q, [[1.0, 0], [-1, 0]], [-1.0, -1]) is None
    assert perp.solve(perp.qp_problem(P, q, [[1.0, 0], [-1, 0]], [-1.0, -1])).status is perp.Status.INFEASIBLE


@pytest.mark.parametrize("given, text", [
    (dict(G=[[1.0, 1.0]]), "G is given without h"),
    (dict(h=[1.0]), "h is given without G"),
    (dict(A=[[1.0, 1.0]]), "A is given without b"),
    (dict(A=[[1.0, 1.0]], b=[1.0, 2.0]), "b has 2 entries; A has 1 rows"),
])
def test_solve_qp_drops_no_constraint(given, text):
    with pytest.raises(perp.ArgumentError, match=text):
        perp.solve_qp(np.eye(2), np.array([-1.0, -1.0]), **given)


def test_solve_qp_verbose(capsys):
    assert perp.solve_qp(np.eye(2), np.ones(2), verbose=True) is not None
    assert "solved" in capsys.readouterr().out
    perp.solve_qp(np.eye(2), np.ones(2), verbose=False)
    assert capsys.readouterr().out == ""


def test_proofs_have_their_name():
    none = perp.solve(perp.qp(None, [1.0], [[1.0]], [1.0], [0.0]))
    assert none.status.name == "INFEASIBLE" and none.proof is not None
    assert perp.solve(perp.lcp([[1.0]], [-1.0])).proof is None
