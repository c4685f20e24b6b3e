"""Maps by callback: values, Jacobians, and what happens when they raise."""
import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse.linalg import LinearOperator

import perp


def josephy(z):
    """Kojima and Josephy's problem, with the solution (sqrt(6)/2, 0, 0, 1/2)."""
    a, b, c, d = z
    return np.array([3 * a * a + 2 * a * b + 2 * b * b + c + 3 * d - 6, 2 * a * a + a + b * b + 3 * c + 2 * d - 2,
                     3 * a * a + a * b + 2 * b * b + 2 * c + 3 * d - 1, a * a + 3 * b * b + 2 * c + 3 * d - 3])


def test_without_and_with_a_jacobian():
    r = perp.solve(perp.ncp(josephy, 4))
    assert r.solved and np.linalg.norm(np.minimum(r.z, josephy(r.z))) < 1e-6

    def jacobian(z):
        a, b = z[:2]
        return [[6 * a + 2 * b, 2 * a + 4 * b, 1, 3], [4 * a + 1, 2 * b, 3, 2], [6 * a + b, a + 4 * b, 2, 3],
                [2 * a, 6 * b, 2, 3]]

    p = perp.ncp(josephy, 4, jacobian=jacobian)
    assert perp.solve(p).solved and perp.check_jacobian(p, np.ones(4))
    wrong = perp.ncp(josephy, 4, jacobian=lambda z: np.array(jacobian(z)) + np.eye(4)[1] * 3)
    report = perp.check_jacobian(wrong, np.ones(4))
    assert not report and report.column == 1 and report.detail


def chain(n):
    """F_i = z_i^3 + z_i - z_(i-1)/2 - 1, whose Jacobian is bidiagonal."""
    def F(z):
        return z**3 + z - np.r_[0, z[:-1]] / 2 - 1

    def J(z):
        return sp.diags([3 * z**2 + 1, -0.5 * np.ones(n - 1)], [0, -1], format="csr")

    return F, J


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "dense"])
def test_sparse_jacobians(form):
    n = 60
    F, J = chain(n)
    pattern = sp.diags([np.ones(n), np.ones(n - 1)], [0, -1])
    make = (lambda z: J(z).toarray()) if form == "dense" else (lambda z: J(z).asformat(form))
    for p in (perp.ncp(F, n, jacobian=make, pattern=pattern), perp.ncp(F, n, jacobian=make),
              perp.ncp(F, n, pattern=pattern), perp.mcp(F, lo=np.zeros(n), jacobian=make, pattern=pattern)):
        r = perp.solve(p, tol=1e-9)
        assert r.solved and np.allclose(F(r.z), 0, atol=1e-7)
    assert perp.check_jacobian(perp.ncp(F, n, jacobian=make, pattern=pattern), np.ones(n))


def test_jacobian_outside_its_pattern():
    F, J = chain(5)
    p = perp.ncp(F, 5, jacobian=J, pattern=sp.eye(5))
    with pytest.raises(perp.ArgumentError, match=r"entry at \(1, 0\)"):
        perp.solve(p)
    p = perp.ncp(F, 5, jacobian=lambda z: np.eye(4))
    with pytest.raises(perp.ArgumentError, match=r"\(4, 4\)"):
        perp.solve(p)


class Boom(Exception):
    pass


@pytest.mark.parametrize("after", [0, 1, 3, 10])
def test_exceptions_reach_the_caller(after):
    calls = []

    def F(z):
        calls.append(z)
        if len(calls) > after:
            raise Boom(after)
        return josephy(z)

    with pytest.raises(Boom) as caught:
        perp.solve(perp.ncp(F, 4))
    assert len(calls) == after + 1 and caught.traceback[-1].name == "F"
    with pytest.raises(Boom):
        perp.certify(perp.ncp(F, 4), np.ones(4))


def raising(*_):
    raise Boom


def test_exceptions_of_all_callbacks():
    with pytest.raises(Boom):
        perp.solve(perp.ncp(josephy, 4, jacobian=raising))
    with pytest.raises(Boom):
        perp.solve(perp.generate("pd", 20), monitor=raising)
    with pytest.raises(Boom):
        perp.solve(perp.lcp(LinearOperator((3, 3), matvec=raising, rmatvec=raising, dtype=float), -np.ones(3)))


@pytest.mark.parametrize("returned", [np.ones(3), np.ones(5), "text", [[1, 2], [3]], 1j * np.ones(4)])
def test_wrong_returns(returned):
    with pytest.raises((perp.Error, TypeError, ValueError)):
        perp.solve(perp.ncp(lambda z: returned, 4))


def test_undefined_steps_back():
    def F(z):
        return None if (z < 0.1).any() else np.log(z) - 1

    r = perp.solve(perp.ncp(F, 2), start=np.ones(2))
    assert r.solved and np.allclose(r.z, np.e)
    with pytest.raises(perp.NumberError, match="undefined"):
        perp.solve(perp.ncp(lambda z: None, 2))
    with pytest.raises(perp.NumberError, match="undefined"):
        perp.solve(perp.ncp(lambda z: np.full(2, np.nan), 2))


def test_arguments_may_be_kept():
    kept = []

    def F(z):
        kept.append(z)
        return z - np.arange(3)

    z = perp.solve(perp.ncp(F, 3)).z
    assert len({k.ctypes.data for k in kept}) == len(kept) and np.allclose(z, np.arange(3), atol=1e-6)
    kept[0][:] = 7  # and written to


def test_nested_solves():
    def F(z):
        return z - perp.solve(perp.lcp(2 * np.eye(2), -np.ones(2))).z

    assert np.allclose(perp.solve(perp.ncp(F, 2)).z, 0.5)


def test_mcp_with_bounds_that_follow():
    # one contact: normal force 10, pushed by 3 along t1, friction 0.2
    p = perp.mcp(np.eye(3), [-10.0, -3, 0], lo=[0, -np.inf, -np.inf], hi=np.inf, follows=[-1, 0, 0], mu=[0, 0.2, 0.2])
    assert np.allclose(perp.solve(p).z, [10, 2, 0])
    with pytest.raises(perp.ArgumentError, match="q is for affine"):
        perp.mcp(lambda z: z, [1.0], n=1)
    assert np.allclose(perp.solve(perp.mcp(lambda z: z - 5, lo=0, hi=[1.0, 2.0])).z, [1, 2])
