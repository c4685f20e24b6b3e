"""Arguments that nobody should pass: each is refused by a sentence, and none is read as another one."""
import copy
import decimal
import gc
import os
import pickle

import numpy as np
import pytest
import scipy.sparse.linalg as sl

import perp


def small():
    return perp.lcp([[2, 1], [1, 2]], [-5, -6])


@pytest.mark.parametrize("n", [2**31, 2**32 + 2, 2**70, -(2**40)])
def test_sizes_beyond_32_bits_are_refused(n):
    """2**32 + 2 was read as 2."""
    with pytest.raises(perp.ArgumentError, match="32 bits"):
        perp.ncp(lambda z: z - 1, n)
    with pytest.raises(perp.ArgumentError):
        perp.lcp(sl.LinearOperator((abs(n) + 3,) * 2, matvec=lambda x: x, dtype=float), -np.ones(3))


def test_texts_end_at_their_end():
    """A NUL within a value or a name hid what came after it."""
    with pytest.raises(perp.OptionError, match="NUL"):
        perp.solve(small(), "lcp/psor", omega="1.2\0zzz")
    with pytest.raises(perp.OptionError, match="NUL"):
        perp.solve(small(), "lcp/psor", **{"omega\0x": 1.2})


def test_monitor_is_a_function():
    with pytest.raises(perp.DataTypeError, match="monitor is a function"):
        perp.solve(perp.lcp(np.zeros((0, 0)), []), monitor=3)


@pytest.mark.parametrize("F", [3, "z", None, np.eye(2)])
def test_ncp_takes_a_function(F):
    with pytest.raises(perp.DataTypeError, match="F is not a function"):
        perp.ncp(F, 2)


@pytest.mark.parametrize("returned", [lambda z: (z - 1).astype(np.longdouble), lambda z: (z - 1).astype(np.float32),
                                      lambda z: [decimal.Decimal(float(x) - 1) for x in z], lambda z: z > 1,
                                      lambda z: tuple(z - 1), lambda z: np.stack([z - 1, z])[0],
                                      lambda z: (z - 1).astype(">f8")])
def test_callbacks_return_reals_of_any_type(returned):
    assert perp.solve(perp.ncp(lambda z: returned(z), 2), max_iter=50).certificate.value >= 0


@pytest.mark.parametrize("returned", [np.ones(2) * 1j, "ab", ["a", "b"], [object(), object()], np.ones(2, "M8[s]")])
def test_callbacks_return_no_other_things(returned):
    with pytest.raises((TypeError, ValueError), match="F returned|setting an array element|could not convert"):
        perp.solve(perp.ncp(lambda z: returned, 2))


def test_follows_needs_mu():
    with pytest.raises(perp.ArgumentError, match="mu is missing"):
        perp.mcp(np.eye(2), [1, 1], [0, 0], [1, 1], follows=[-1, 0])


def test_certify_names_the_entry():
    with pytest.raises(perp.NumberError, match=r"z\[1\] = nan"):
        perp.certify(small(), [0, np.nan])


def test_problems_without_init_have_no_data():
    """It recursed without an end."""
    bare = object.__new__(perp.Problem)
    for name in ("_kind", "n", "name", "M"):
        with pytest.raises(AttributeError):
            getattr(bare, name)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_results_can_be_pickled(protocol):
    result = perp.solve(perp.qp(np.eye(2), [-1, 1], [[1, 1]], [0], [1]))
    for again in (pickle.loads(pickle.dumps(result, protocol)), copy.copy(result), copy.deepcopy(result)):
        assert (again.x == result.x).all() and (again.y == result.y).all() and again.status is result.status
        assert again.certificate == result.certificate and repr(again) == repr(result)


@pytest.mark.parametrize("call, what", [
    (lambda: perp.solve_qp(np.ones((2, 3)), [1.0, 1]), r"P has the shape \(2, 3\)"),
    (lambda: perp.solve_qp(1.0, [1.0]), r"P has the shape \(\)"),
    (lambda: perp.solve_qp(np.eye(2), [1.0, 1], np.ones((1, 3)), [1]), "G has the shape"),
    (lambda: perp.solve_qp(np.eye(2), [1.0, 1], A=np.ones(3), b=[1]), "A has the shape"),
    (lambda: perp.solve_qp(np.eye(2), None), "q is None"),
    (lambda: perp.solve_qp(sl.aslinearoperator(np.eye(2)), [1.0, 1]), "P has numbers of type object"),
    (lambda: perp.describe(None), "the solver is a name"),
    (lambda: perp.options(3), "the solver is a name"),
    (lambda: perp.save("/nowhere/x.npz", small()), r"/nowhere/x.npz: cannot write"),
    (lambda: perp.save("/nowhere/x.mat", small()), r"/nowhere/x.mat: cannot write"),
])
def test_sentences_name_what_was_given(call, what):
    with pytest.raises(perp.Error, match=what):
        call()


def test_solve_qp_takes_one_unknown():
    assert np.allclose(perp.solve_qp([[2.0]], -4.0), [2]) and np.allclose(perp.solve_qp([[2.0]], -4.0, 1.0, 1.0), [1])


def test_callbacks_may_collect_solve_and_release():
    def F(z):
        gc.collect(0)
        perp.release_memory()
        assert perp.solve(small()).solved
        return z - 1

    assert np.allclose(perp.solve(perp.ncp(F, 3)).z, 1)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_fork_within_a_callback():
    ends = []

    def F(z):
        if not ends:
            child = os.fork()
            if child == 0:
                os._exit(7 if perp.solve(small()).solved else 1)
            ends.append(os.waitpid(child, 0)[1] >> 8)
        return z - 1

    assert perp.solve(perp.ncp(F, 3)).solved and ends == [7]
