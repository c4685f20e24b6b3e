"""perp.cone: groups, balls, boxes and free rows with W = I, where the answer is a projection, and refusals."""
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hn

import perp


def onto_disc(t, radius):
    size = np.linalg.norm(t)
    return t * (min(radius / size, 1) if size > 0 else 0)


def onto_cone(p, mu):
    """The nearest point of |t| <= mu n to p = (n, t)."""
    size = np.linalg.norm(p[1:])
    if size <= mu * p[0]:
        return p
    if mu * size <= -p[0]:
        return np.zeros(len(p))
    n = (p[0] + mu * size) / (1 + mu * mu)
    return np.r_[n, mu * n * p[1:] / size]


def contact(q, mu, **more):
    """One cone: row 0 normal, the others one group."""
    n = len(q)
    return perp.cone(np.eye(n), q, lo=np.r_[0, np.full(n - 1, -np.inf)], follows=[-1] + [0] * (n - 1),
                     group=[-1] + [1] * (n - 1), mu=[0.0, mu] + [0.0] * (n - 2), **more)


numbers = hn.arrays(float, st.integers(2, 5), elements=st.integers(-8, 8).map(lambda k: k / 4))


@given(numbers, st.sampled_from([0.25, 0.5, 1.0, 2.0]))
def test_one_cone_is_a_projection(q, mu):
    """s = 0 is the second-order cone; without s it is Coulomb's law, whose normal force is that of no friction."""
    n = len(q)
    r = perp.solve(contact(q, mu, s=0.0), tol=1e-10)
    assert r.solved and np.allclose(r.z, onto_cone(-q, mu), atol=1e-7)
    r = perp.solve(contact(q, mu), tol=1e-10)
    normal = max(-q[0], 0)
    assert r.solved and np.allclose(r.z, np.r_[normal, onto_disc(-q[1:], mu * normal)], atol=1e-7), n


@pytest.mark.parametrize("solver", [None, *perp.solvers("cone")])
def test_cone_ball_box_and_free_row(solver):
    q = np.array([-2.0, 3, -4, 6, 8, -9, 1.5])
    lo = [0, -np.inf, -np.inf, -np.inf, -np.inf, -1, -np.inf]
    p = perp.cone(sp.eye(7, format="csc"), q, lo=lo, hi=[np.inf] * 3 + [5, np.inf, 2, np.inf],
                  follows=[-1, 0, 0, -1, -1, -1, -1], group=[-1, 1, 1, 3, 3, -1, -1], mu=[0, 0.5, 0, 0, 0, 0, 0])
    r = perp.solve(p, solver)
    assert p.kind == "cone" and r.solved
    assert np.allclose(r.z, [2, -0.6, 0.8, -3, -4, 2, -1.5], atol=1e-6)
    assert perp.certify(p, r.z).value <= 1e-8


def test_the_same_as_fc3d(rng):
    """Groups of two tangents are fc3d's contacts."""
    f = perp.generate("fc3d_known", 6)
    W, n = sp.csc_matrix(f.W), f.n
    rows = np.arange(n)
    k, part = rows // 3, rows % 3
    p = perp.cone(W, f.q, lo=np.where(part == 0, 0, -np.inf), follows=np.where(part == 0, -1, 3 * k),
                  group=np.where(part == 0, -1, 3 * k + 1), mu=np.where(part == 0, 0, f.mu[k]))
    assert np.shares_memory(p.W.data, W.data)
    z = perp.solve(p).raise_for_status().z
    assert perp.certify(f, z).value <= 1e-7


def test_bodies(rng):
    """The body form gives the z of W = H'M^-1 H + R; z, v and l have names."""
    n, nv = 4, 6
    H, R, f = rng.standard_normal((nv, n)), np.diag(rng.random(n)), rng.standard_normal(nv)
    M = np.diag(1 + rng.random(nv))
    rows = dict(follows=[-1, 0, 0, -1], group=[-1, 1, 1, -1], mu=[0, 0.5, 0, 0], lo=[0, -np.inf, -np.inf, 0])
    p = perp.cone_body(M, H, f, R=R, w=np.ones(n), **rows)
    assert p.kind == "cone" and p.n == n + nv
    r = perp.solve(p).raise_for_status()
    parts = r.parts
    local = perp.cone(H.T @ np.linalg.solve(M, H) + R, H.T @ np.linalg.solve(M, f) + 1, **rows)
    assert perp.certify(local, parts["z"]).value <= 1e-6
    assert np.allclose(M @ parts["v"], f + H @ parts["z"], atol=1e-7) and len(parts["l"]) == 0
    assert np.allclose(p.data["R"], R)


@pytest.mark.parametrize("make, what", [
    (lambda: perp.cone(np.ones((2, 3)), np.ones(2)), "2 rows and 3 columns"),
    (lambda: perp.cone(np.eye(2), np.ones(3)), "q has 3 entries; 2 are needed"),
    (lambda: perp.cone(np.eye(2), [1.0, 1], group=[0.5, 1]), "group has numbers of type float64"),
    (lambda: perp.cone(np.eye(2), [1.0, 1], follows=[-1]), "follows has 1 entries"),
    (lambda: perp.cone(np.eye(2), [1.0, np.nan]), ""),
    (lambda: perp.cone(np.eye(2), [1.0, 1], lo=[0, 0], follows=[-1, 9], mu=[0, 1.0]), "9"),
    (lambda: contact(np.ones(3), -1.0), "mu"),
    (lambda: perp.cone(None, [1.0]), "W is None"),
])
def test_refusals(make, what):
    with pytest.raises(perp.Error, match=what):
        perp.solve(make())
