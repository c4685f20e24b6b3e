"""What is read without a copy, what is copied once, and what is refused."""
import subprocess
import sys
import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp
from conftest import is_solution, make_pd
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse.linalg import LinearOperator, aslinearoperator

import perp


def peak_of(problem, **options):
    """Bytes of the arena of one solve."""
    perp.release_memory()
    result = perp.solve(problem, **options)
    return perp._perp.memory()[1], result


def test_dense_1000_without_a_copy(rng):
    M, q = make_pd(rng, 1000)
    tracemalloc.start()
    p = perp.lcp(M, q)
    stated = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert p.M is M and p.q is q and stated < 10000
    for view in (M, np.asfortranarray(M)):  # symmetric: rows are columns
        bytes_, r = peak_of(perp.lcp(view, q), solver="lcp/psor")
        assert r.solved and bytes_ < 0.1 * M.nbytes
    bytes_, r = peak_of(perp.lcp(np.asfortranarray(make_pd(rng, 1000, False)[0]), q), solver="lcp/psor")
    assert bytes_ < 0.1 * M.nbytes
    bytes_, r = peak_of(perp.lcp(make_pd(rng, 1000, False)[0], q), solver="lcp/psor")
    assert M.nbytes <= bytes_ < 1.1 * M.nbytes  # by rows, not symmetric: one copy


def test_sparse_100000_without_a_copy():
    g = perp.generate("obstacle2d", 100000)
    C = g.M
    size = C.data.nbytes + C.indices.nbytes
    peaks = {}
    for M in (C, sp.csr_matrix(C)):
        tracemalloc.start()
        p = perp.lcp(M, g.q)
        stated = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert stated < 20000 and np.shares_memory(p.M.data, M.data) and np.shares_memory(p.M.indices, M.indices)
        peaks[M.format], r = peak_of(p, solver="lcp/psor", max_iter=20)
        assert r.iterations == 20
    assert peaks["csc"] == peaks["csr"] <= 8 * 10 * g.n  # vectors alone
    X = sp.csr_matrix(C)
    X.data[1] *= 1.5  # not symmetric
    copied, r = peak_of(perp.lcp(X, g.q), solver="lcp/psor", max_iter=20)
    assert copied >= peaks["csr"] + size


def test_changes_are_seen():
    M, q = np.array([[2.0, 1], [1, 2]]), np.array([-5.0, -6])
    p = perp.lcp(M, q)
    first = perp.solve(p).z
    q[:] = [-2, 4]
    assert np.allclose(perp.solve(p).z, [1, 0]) and not np.allclose(first, [1, 0])
    M[0, 1] = 1.5  # no longer symmetric
    assert is_solution(M, q, perp.solve(p).z)


def test_arrays_are_held(rng):
    M, q = make_pd(rng, 50)
    p = perp.lcp(M, q)
    with pytest.raises(ValueError):
        M.resize((10, 10))
    del M, q
    junk = [np.full((50, 50), np.nan) for _ in range(20)]
    assert perp.solve(p).solved and junk


def test_strides(rng):
    M, q = make_pd(rng, 40, False)
    big = np.zeros((80, 90))
    big[:40, :40] = M
    want = perp.solve(perp.lcp(M, q)).z
    wide = np.zeros((40, 80))
    wide[:, ::2] = M
    twice = np.repeat(q, 2)
    for view, copied in ((big[:40, :40], False), (np.asfortranarray(big)[:40, :40], False), (wide[:, ::2], True),
                         (M[::-1, ::-1][::-1, ::-1], False), (big.T[:40, :40].T, False)):
        p = perp.lcp(view, twice[::2])
        assert np.shares_memory(p.M, view) != copied
        assert np.allclose(perp.solve(p).z, want)
    back = perp.lcp(M[::-1, ::-1], q[::-1])
    assert np.allclose(perp.solve(back).z[::-1], want)
    # a broadcast matrix has strides of 0
    same = np.broadcast_to(np.float64(1), (3, 3)) + 0 * np.eye(3)
    assert perp.solve(perp.lcp(np.broadcast_to(np.float64(1), (3, 3)), -np.ones(3))).solved and same.any()


@given(st.integers(1, 7), st.integers(0, 2**32 - 1), st.sampled_from("CF"), st.tuples(*[st.integers(0, 2)] * 4),
       st.sampled_from([1, 2, 3, -1, -2]), st.sampled_from([1, 2, -1]), st.booleans(), st.booleans())
def test_any_view_is_its_contiguous_copy(n, seed, order, room, rows, columns, transposed, symmetric):
    """A part of a larger array, by steps of either sign, transposed or not."""
    rng = np.random.default_rng(seed)
    big = np.asarray(rng.standard_normal((3 * n + room[0] + room[1], 3 * n + room[2] + room[3])), order=order)
    view = big[room[0] :: rows, room[2] :: columns]
    view = (view.T if transposed else view)[:n, :n]
    n = min(view.shape)
    view = view[:n, :n]
    M = view + view.T if symmetric else np.array(view, copy=True)
    view[:] = M
    view[np.diag_indices(n)] = M[np.diag_indices(n)] = 2 * n
    q = rng.standard_normal(2 * n)[::2]
    a, b = perp.solve(perp.lcp(view, q)), perp.solve(perp.lcp(np.asfortranarray(M), np.ascontiguousarray(q)))
    assert a.status == b.status and (a.z == b.z).all()


@pytest.mark.parametrize("dtype", ["f4", "i4", "i8", "u1", "?", ">f8"])
def test_other_numbers_are_converted(dtype):
    M = np.array([[2, 1], [1, 2]]).astype(dtype)
    exact = np.array(M, float)
    q = np.array([-1.0, -2])
    assert is_solution(exact, q, perp.solve(perp.lcp(M, q)).z)
    assert is_solution(exact, q, perp.solve(perp.lcp(sp.csc_matrix(exact).astype("f4"), q)).z)


def test_unaligned():
    raw = np.zeros(4 * 8 + 1, np.uint8)
    M = raw[1:].view(np.float64).reshape(2, 2)
    M[:] = [[2, 1], [1, 2]]
    assert not M.flags.aligned and perp.solve(perp.lcp(M, [-5, -6])).solved


@pytest.mark.parametrize("M", [np.eye(2) * 1j, np.array([[1, "a"], [2, "b"]]), np.array([[object()] * 2] * 2),
                               [[1, 2], [3]], np.array([["2020-01-01"] * 2] * 2, "datetime64[D]"), None, "text"])
def test_wrong_types(M):
    with pytest.raises(perp.ArgumentError) as caught:
        perp.lcp(M, [1, 2])
    assert "M" in str(caught.value)


@pytest.mark.parametrize("make, words", [
    (lambda: perp.lcp(np.eye(3), np.ones(2)), "q has 2 entries; 3 are needed"),
    (lambda: perp.lcp(np.ones((2, 3)), np.ones(2)), "2 rows and 3 columns"),
    (lambda: perp.lcp(np.ones(3), np.ones(3)), "1 dimensions; a matrix has two"),
    (lambda: perp.lcp(np.eye(2), np.ones((2, 2))), "2 dimensions; a vector has one"),
    (lambda: perp.qp(np.eye(2), [1, 2], np.ones((1, 3)), 0, 1), "A"),
    (lambda: perp.qp(np.eye(2), [1, 2], np.ones((1, 2)), [0, 0]), "lo has 2 entries; 1 are needed"),
    (lambda: perp.nnls_problem(np.ones((3, 2)), np.ones(2)), "b has 2 entries; 3 are needed"),
    (lambda: perp.fc3d(np.eye(4), np.ones(4), 0.5), ""),
    (lambda: perp.mcp(np.eye(2)), "q is missing"),
    (lambda: perp.mcp(lambda z: z), "n is missing"),
])
def test_wrong_sizes(make, words):
    with pytest.raises(perp.Error, match=words):
        perp.solve(make())


def test_bad_numbers_name_their_place():
    with pytest.raises(perp.NumberError, match=r"M\[0\]\[1\]"):
        perp.solve(perp.lcp([[1, np.nan], [3, 4]], [1, 2]))
    with pytest.raises(perp.NumberError):
        perp.lcp([[1, 2], [3, 4]], [1, np.inf]).validate()


def test_broken_sparsity_is_refused():
    M = sp.csc_matrix(np.eye(4))
    p = perp.lcp(M, -np.ones(4))
    M.indices[2] = 77
    with pytest.raises(perp.Error):
        perp.solve(p)
    M.indices[2] = 2
    M.indptr[4] = 1000
    with pytest.raises(perp.ArgumentError, match="1000"):
        perp.solve(p)
    R = sp.csr_matrix(np.eye(4))
    p = perp.lcp(R, -np.ones(4))
    R.indptr[2] = -5
    with pytest.raises(perp.Error):
        perp.solve(p)


@pytest.mark.parametrize("make", [sp.csc_matrix, sp.csr_matrix, sp.coo_matrix, sp.lil_matrix, sp.dia_matrix,
                                  lambda M: sp.bsr_matrix(M, blocksize=(3, 3)), sp.csr_array,
                                  lambda M: sp.csr_matrix(M).astype("f4").astype("f8")])
def test_sparse_formats(make, rng):
    M, q = make_pd(rng, 12, False)
    M[abs(M) < 0.2] = 0
    M[np.diag_indices(12)] = 4
    p = perp.lcp(make(M), q)
    got = p.M.toarray() if hasattr(p.M, "toarray") else p.M
    assert np.allclose(got, M, atol=1e-6) and is_solution(M, q, perp.solve(p).z)


def test_64_bit_indices():
    M = sp.csc_matrix(np.eye(3) * 2)
    M.indices, M.indptr = M.indices.astype(np.int64), M.indptr.astype(np.int64)
    assert np.allclose(perp.solve(perp.lcp(M, [-2, -4, 1])).z, [1, 2, 0])


def test_operators(rng):
    M, q = make_pd(rng, 30)
    for op in (aslinearoperator(M), LinearOperator((30, 30), matvec=lambda x: M @ x, rmatvec=lambda x: M.T @ x)):
        p = perp.lcp(op, q)
        r = perp.solve(p, "lcp/mprgp")
        assert r.solved and is_solution(M, q, r.z) and "operator" in repr(p)
        assert np.allclose(p.M @ np.ones(30), M.sum(1))
    with pytest.raises(perp.FormatError):
        perp.solve(perp.lcp(aslinearoperator(M), q), "lcp/psor")
    A = rng.standard_normal((9, 4))
    assert np.allclose(perp.solve(perp.nnls_problem(A, A @ np.ones(4))).z, 1)


@pytest.mark.filterwarnings("ignore:the matrix subclass")
def test_empty_and_single():
    assert perp.solve(perp.lcp(np.zeros((0, 0)), np.zeros(0))).solved
    assert np.allclose(perp.solve(perp.lcp([[2.0]], [-4.0])).z, 2)
    assert np.allclose(perp.solve(perp.lcp(np.matrix([[2.0]]), np.array([[-4.0]]))).z, 2)


def test_read_only_arrays(rng):
    M, q = make_pd(rng, 8)
    M.flags.writeable = q.flags.writeable = False
    assert perp.solve(perp.lcp(M, q)).solved


def test_without_scipy(tmp_path):
    """numpy is all that dense problems need."""
    code = """
import sys
sys.modules.update(scipy=None, pandas=None)
import numpy as np, perp
p = perp.lcp([[2, 1], [1, 2]], [-5, -6])
assert perp.solve(p).solved and perp.solve(perp.ncp(lambda z: z - 1, 2, jacobian=lambda z: np.eye(2))).solved
assert perp.solve(perp.generate("obstacle", 50)).solved and perp.nnls(np.eye(2), [1, -1])[1] == 1
perp.save(sys.argv[1], p)
assert perp.load(sys.argv[1]).kind == "lcp" and len(perp.compare(p)) > 5
assert perp.solve_qp(np.eye(2), [1, 1.0], lb=[0, 0.0]) is not None
"""
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "x.npz")], check=True)


def test_repr_and_data(rng):
    p = perp.lcp(sp.eye(5, format="csc"), np.ones(5), name="unit")
    assert repr(p) == "<perp.Problem 'unit': lcp, n = 5, M CSC with 5 entries>"
    assert set(p.data) == {"M", "q"} and "M" in dir(p) and p.kind == "lcp"
    with pytest.raises(AttributeError, match="lcp has no 'W'"):
        p.W
