"""Arguments that nobody should pass: each is refused by a sentence, and none is read as another one."""
import copy
import decimal
import gc
import os
import pickle

import numpy as np
import pytest
import scipy.sparse as sp
import scipy.sparse.linalg as sl

import perp


def small():
    return perp.lcp([[2, 1], [1, 2]], [-5, -6])


@pytest.mark.parametrize("n", [2**31, 2**32 + 2, 2**70, -(2**40)])
def test_sizes_beyond_32_bits_are_refused(n):
    """2**32 + 2 was read as 2."""
    with pytest.raises(perp.ArgumentError, match="32 bits|is negative"):
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


@pytest.mark.parametrize("hidden", [np.ma.array([-5.0, -6], mask=[0, 1]), np.ma.masked])
def test_masked_entries_are_no_numbers(hidden):
    """What lies below a mask was read."""
    with pytest.raises(perp.DataTypeError, match="q has masked entries"):
        perp.lcp([[2, 1], [1, 2]], hidden)
    with pytest.raises(TypeError, match="F returned masked"):
        perp.solve(perp.ncp(lambda z: np.ma.array(z - 1, mask=[1, 0]), 2))
    assert perp.solve(perp.lcp(np.ma.array([[2.0, 1], [1, 2]]), np.ma.array([-5, -6]))).solved


@pytest.mark.parametrize("free", [[0, 2], ["a", ""], [0.5, 1], [np.nan, 0], [None, 1]])
def test_free_is_a_mask(free):
    """[0, 2] was read as a mask, not as the places it looks like."""
    with pytest.raises(perp.DataTypeError, match="free is no mask"):
        perp.nnls_problem(np.eye(2), [-1.0, -1], free=free)


def test_free_as_numbers_and_for_all():
    for free, want in (([0, 1], [0, -1]), ([True, False], [-1, 0]), (True, [-1, -1]), (np.uint8([1, 0]), [-1, 0])):
        assert np.allclose(perp.solve(perp.nnls_problem(np.eye(2), [-1.0, -1], free=free)).z, want)
    with pytest.raises(perp.ArgumentError):
        perp.nnls_problem(np.eye(2), [-1.0, -1], free=[True])


class Operator:
    def __init__(self, shape, matvec=lambda x: x, rmatvec=lambda x: x):
        self.shape, self.matvec, self.rmatvec = shape, matvec, rmatvec


@pytest.mark.parametrize("call, what", [
    (lambda: perp.ncp(lambda z: z, 2.0), "n is no whole number, but 2.0"),
    (lambda: perp.mcp(lambda z: z, n=-3, lo=0.0), "n = -3 is negative"),
    (lambda: perp.fc3d(np.eye(4), np.ones(4), 0.5), "W has 4 columns; there are three a contact"),
    (lambda: perp.fc3d_body(np.eye(6), None, np.ones(6), 0.5), "H is None"),
    (lambda: perp.fc3d_body(np.eye(6), np.ones((6, 2)), np.ones(6), 0.5), "H has 2 columns"),
    (lambda: perp.lcp(Operator((2, 2), None), [1.0, 1]), "without matvec and rmatvec"),
    (lambda: perp.lcp(Operator((2.0, 2)), [1.0, 1]), "the number of rows of M is no whole number"),
    (lambda: perp.lcp(Operator((2,)), [1.0, 1]), "M has 1 dimensions"),
    (lambda: perp.ncp(lambda z: z, 2, pattern="x"), "the pattern is no matrix"),
    (lambda: perp.ncp(lambda z: z, 2, pattern=np.eye(3)), r"the pattern has the shape \(3, 3\)"),
    (lambda: perp.certify(np.eye(2), [1, 2]), "certify takes a problem"),
    (lambda: perp.check(np.eye(2), "ray", [1, 2]), "check takes a problem"),
    (lambda: perp.distance(None, [1, 2]), "distance takes a problem"),
    (lambda: perp.check_jacobian(3, [1, 2]), "check_jacobian takes a problem"),
    (lambda: perp.save("x.perp", np.eye(2)), "save takes a problem"),
    (lambda: perp.generate("pd", 3, -1), "seed = -1 is negative"),
    (lambda: perp.generate("pd", 3, 2**64), "seed = 18446744073709551616 is too large"),
    (lambda: perp.generate("pd", 2**40), "size = 1099511627776 is too large"),
    (lambda: perp.generate("stack", 2, ratio=-4), "ratio = -4 is not above 0"),
    (lambda: perp.generate("stack", 2, facets=-4), "facets = -4 is negative"),
    (lambda: perp.generate(3), "the family is a name"),
    (lambda: perp.solve_qp(np.eye(2), [np.nan, 1]), r"q\[0\] is NaN"),
    (lambda: perp.solve_qp(np.eye(2), [1.0, 1], lb=[0, np.nan]), r"lb\[1\] is NaN"),
    (lambda: perp.solve_qp(np.eye(2), [1.0, 1], ub=[None, 1]), "ub has numbers of type object"),
    (lambda: perp.save_matrix("/nowhere/x.mtx", sl.aslinearoperator(np.eye(2))), "operator"),
])
def test_sentences_say_what_is_wrong(call, what):
    """Each was an exception of numpy or of the interpreter, or was taken for something else."""
    with pytest.raises(perp.Error, match=what):
        call()


@pytest.mark.parametrize("kind, fields", [
    (0, ()), (9, (1,)), (0, (1, 2)), (0, ((2,), None)), (0, ((2, 1, 1), None)), (0, ((2, -1, -1, None, None, None), None)),
    (0, ((2, 1, 1, None, None, None), None)), (0, ((8, 3, 3), None)), (0, ((77, 3, 3, 1, 1, 1), None)), (1, (3,)),
    (1, ((1,),)), (1, ((1, None, None, None, None, None, None),)), (3, (1,) * 11)])
def test_fields_of_nobody(kind, fields):
    """A tuple that is too short was read beyond its end."""
    with pytest.raises((perp.Error, TypeError, IndexError)):
        perp.solve(perp.Problem(kind, fields))


def test_sparse_entries_in_any_order_and_twice():
    data, rows, ends = np.array([1.0, 3, 2, 0.5, 0.5]), np.array([1, 0, 1, 0, 0]), np.array([0, 2, 5])
    for make in (sp.csc_matrix, sp.csr_matrix):
        M = make((data, rows, ends), shape=(2, 2))
        z = perp.solve(perp.lcp(M, [-1.0, -2])).z
        assert np.allclose(z, perp.solve(perp.lcp(M.toarray(), [-1.0, -2])).z)


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
