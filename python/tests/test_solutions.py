"""perp.solutions held against bases that numpy solves, and what its callback may do."""
import itertools
import pickle

import numpy as np
import pytest
import scipy.sparse as sp

import perp


def by_numpy(M, q):
    """z of each basis that solves, M generic."""
    n = len(q)
    for mask in range(2**n):
        a = [i for i in range(n) if mask >> i & 1]
        z = np.zeros(n)
        if a:
            z[a] = np.linalg.solve(M[np.ix_(a, a)], -q[a])
        if (z >= 0).all() and (np.delete(M @ z + q, a) >= 0).all():
            yield tuple(a), z


@pytest.mark.parametrize("n", range(1, 8))
def test_all_are_found(n):
    rng = np.random.default_rng(n)
    several = 0
    for _ in range(20):
        M, q = rng.standard_normal((n, n)), rng.standard_normal(n)
        want, got = dict(by_numpy(M, q)), perp.solutions(perp.lcp(M, q))
        assert got.complete and [s.basis for s in got] == list(want)
        for s in got:
            assert np.allclose(s.z, want[s.basis]) and not s.face and s.certificate.value <= 1e-10
        assert got.result.solved == bool(want)
        several += len(want) > 1
    assert n == 1 or several > 0


def test_an_odd_number_where_m_is_positive():
    """q generic and M > 0: the number of solutions is odd (Murty 1972)."""
    rng = np.random.default_rng(0)
    for _ in range(20):
        M, q = rng.random((5, 5)) + 0.1, rng.standard_normal(5)
        assert len(perp.solutions(perp.lcp(M, q))) % 2 == 1


def test_faces_and_bases_that_share_a_point():
    face = perp.solutions(perp.lcp(np.ones((2, 2)), [-1.0, -1.0]))
    assert [s.face for s in face] == [False, False, True] and all(np.isclose(s.z.sum(), 1) for s in face)
    shared = perp.solutions(perp.lcp(np.eye(3), np.zeros(3)))
    assert len(shared) == 8 and not np.any([s.z for s in shared])
    assert [s.basis for s in shared][-1] == (0, 1, 2)


def test_no_solution_and_no_unknown():
    none = perp.solutions(perp.lcp([[-1.0]], [-1.0]))
    assert none == [] and none.complete and none.result.status is perp.Status.INFEASIBLE
    assert perp.check(perp.lcp([[-1.0]], [-1.0]), none.result)
    empty = perp.solutions(perp.lcp(np.zeros((0, 0)), []))
    assert [s.basis for s in empty] == [()] and empty.complete


def test_found_may_end_the_search_and_raise():
    p = perp.lcp(np.eye(3), np.zeros(3))
    seen = []
    some = perp.solutions(p, found=lambda s: seen.append(s) or len(seen) < 3)
    assert len(some) == 3 and not some.complete and some.result.solved
    assert all(a is b for a, b in zip(some, seen))
    assert perp.solutions(p, found=lambda s: None).complete
    last = perp.solutions(p, found=lambda s: np.bool_(len(s.basis) < 3))
    assert len(last) == 8 and not last.complete

    class Boom(Exception):
        pass

    calls = itertools.count()

    def raises(s):
        next(calls)
        raise Boom

    with pytest.raises(Boom):
        perp.solutions(p, found=raises)
    assert next(calls) == 1 and perp.solutions(p).complete


def test_limits_and_refusals():
    slow = perp.lcp(np.ones((20, 20)) + np.eye(20), -np.ones(20))
    short = perp.solutions(slow, max_seconds=1e-4)
    assert not short.complete and short.result.status is perp.Status.MAX_SECONDS
    with pytest.raises(perp.ArgumentError, match="n = 21"):
        perp.solutions(perp.lcp(np.eye(21), -np.ones(21)))
    with pytest.raises(perp.ArgumentError, match="kind mcp"):
        perp.solutions(perp.mcp(np.eye(2), [1.0, 1.0]))
    with pytest.raises(TypeError):
        perp.solutions(np.eye(2))
    with pytest.raises(TypeError):
        perp.solutions(slow, found=3)
    with pytest.raises(perp.OptionError):
        perp.solutions(slow, tol=-1)


def test_layouts_nesting_and_pickles():
    M = np.array([[1.0, 2.0], [2.0, 1.0]])
    for view in (M, np.asfortranarray(M), sp.csc_matrix(M), sp.csr_matrix(M), M[::-1][::-1]):
        got = perp.solutions(perp.lcp(view, [-1, -1]), found=lambda s: perp.solve(perp.lcp(M, [-1, -1])).solved)
        assert [s.basis for s in got] == [(0,), (1,), (0, 1)]
    again = pickle.loads(pickle.dumps(got))
    assert again.complete and [s.basis for s in again] == [s.basis for s in got] and again.result.solved
