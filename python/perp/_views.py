"""Matrices and vectors of Python as the views that the extension module reads.

An array of doubles is taken as it is where its rows or its columns are contiguous, a csc_matrix or
csr_matrix with 32-bit indices and doubles too; anything else is converted once, when the problem is
stated."""
from __future__ import annotations

import operator
from typing import Any, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

from ._errors import ArgumentError, DataTypeError

FLOAT = np.dtype(np.float64)
INDEX = np.dtype(np.int32)
CSC, BSR3, OPERATOR, CSR = 2, 4, 8, 32  # perp_format of perp/matrix.h
_LARGEST = 2**31 - 1
_WORDS = {CSC: "CSC", CSR: "CSR", BSR3: "3x3 blocks", OPERATOR: "operator"}


def as_array(x: Any, name: str) -> NDArray[Any]:
    """x as an array of native doubles, itself where it is one."""
    if isinstance(x, np.ma.MaskedArray) and np.any(x.mask):
        raise DataTypeError(f"{name} has masked entries; real numbers are needed in all")
    try:
        array = np.asarray(x)
    except ValueError as error:
        raise DataTypeError(f"{name} is no array: {error}") from None
    if array.dtype == object or not np.can_cast(array.dtype, FLOAT, "same_kind"):
        raise DataTypeError(f"{name} has numbers of type {array.dtype}; real numbers are needed")
    return np.require(array, FLOAT, "A")


# ---- vectors


def as_vector(x: Any, name: str) -> NDArray[Any]:
    """x itself where it is a contiguous array of doubles, a copy otherwise."""
    if type(x) is np.ndarray and x.dtype is FLOAT and x.ndim == 1 and x.flags.c_contiguous and x.flags.aligned:
        return x
    if x is None:
        raise DataTypeError(f"{name} is None; an array is needed")
    array = np.ascontiguousarray(as_array(x, name))
    if array.ndim == 2 and 1 in array.shape:
        array = array.ravel()
    if array.ndim != 1:
        raise ArgumentError(f"{name} has {array.ndim} dimensions; a vector has one")
    return array


def as_optional(x: Any, n: int, name: str) -> Optional[NDArray[Any]]:
    """A vector, or a number for all its entries, or None."""
    if x is None:
        return None
    if np.ndim(x) == 0:
        return np.full(n, as_array(x, name))
    return as_vector(x, name)


def as_indices(x: Any, name: str) -> Optional[NDArray[Any]]:
    """An array of 32-bit integers, or None."""
    if x is None:
        return None
    array = np.asarray(x)
    if array.dtype.kind not in "iu" and array.size > 0:
        raise DataTypeError(f"{name} has numbers of type {array.dtype}; integers are needed")
    if array.size and (array.max() > _LARGEST or array.min() < -_LARGEST):
        raise ArgumentError(f"{name} has an index beyond 32 bits")
    return np.require(array, INDEX, ["C", "A"])


def as_mask(x: Any, n: int, name: str) -> Optional[NDArray[Any]]:
    """A vector of truth values, or one for all its entries, or None. Of numbers 0 and 1 are taken alone:
    others would be a list of places."""
    if x is None:
        return None
    array = np.asarray(x)
    if array.size == 0:
        array = array.astype(bool)
    if array.dtype.kind not in "biuf" or not ((array == 0) | (array == 1)).all():
        raise DataTypeError(f"{name} is no mask: it needs True or False for each entry")
    return np.full(n, bool(array)) if array.ndim == 0 else np.require(array, np.bool_, ["C", "A"])


def as_count(n: Any, name: str) -> int:
    """A whole number, at least 0."""
    try:
        count = operator.index(n)
    except TypeError:
        raise DataTypeError(f"{name} is no whole number, but {n!r}") from None
    if count < 0:
        raise ArgumentError(f"{name} = {count} is negative")
    return count


# ---- matrices


def _has_lines(array: NDArray[Any]) -> bool:
    """Whether rows or columns are contiguous, and a whole number of doubles apart."""
    near, far = sorted(array.strides)
    return near == 8 and far % 8 == 0 and far >= 8 * array.shape[array.strides.index(8)]


def _as_dense(M: Any, name: str) -> NDArray[Any]:
    array = as_array(M, name)
    if array.ndim != 2:
        raise ArgumentError(f"{name} has {array.ndim} dimensions; a matrix has two")
    return array if array.flags.forc or _has_lines(array) else np.ascontiguousarray(array)


def _as_blocks(M: Any, name: str) -> Tuple[Any, ...]:
    """Blocks of scipy are by rows, those of perp by columns: copied."""
    data = as_array(M.data, name).transpose(0, 2, 1).ravel()
    m, n = M.shape
    return BSR3, m, n, as_indices(M.indptr, name), as_indices(M.indices, name), data


def _as_sparse(M: Any, name: str) -> Tuple[Any, ...]:
    if M.format == "bsr" and tuple(M.blocksize) == (3, 3):
        return _as_blocks(M, name)
    if len(M.shape) != 2:
        raise ArgumentError(f"{name} has {len(M.shape)} dimensions; a matrix has two")
    if M.format not in ("csc", "csr"):
        M = M.tocsc()
    m, n = M.shape
    code = CSC if M.format == "csc" else CSR
    data = np.ascontiguousarray(as_array(M.data, name))
    return code, m, n, as_indices(M.indptr, name), as_indices(M.indices, name), data


def _as_operator(M: Any, name: str) -> Tuple[Any, ...]:
    if len(M.shape) != 2:
        raise ArgumentError(f"{name} has {len(M.shape)} dimensions; a matrix has two")
    if not callable(M.matvec) or not callable(getattr(M, "rmatvec", None)):
        raise DataTypeError(f"{name} is an operator without matvec and rmatvec, which are functions")
    m, n = M.shape
    return OPERATOR, as_count(m, f"the number of rows of {name}"), as_count(n, f"the number of columns of {name}"), M.matvec, M.rmatvec


def as_matrix(M: Any, name: str) -> Any:
    """The view of a dense or sparse matrix or a LinearOperator; None of None."""
    if type(M) is np.ndarray and M.dtype is FLOAT and M.ndim == 2 and M.flags.forc and M.flags.aligned:
        return M
    if M is None:
        return None
    if hasattr(M, "tocsc") and hasattr(M, "format"):
        return _as_sparse(M, name)
    if hasattr(M, "matvec") and hasattr(M, "shape"):
        return _as_operator(M, name)
    return _as_dense(M, name)


def shape_of(view: Any) -> Tuple[int, int]:
    """Rows and columns."""
    m, n = view[1:3] if isinstance(view, tuple) else view.shape
    return m, n


def show_matrix(view: Any) -> Any:
    """The matrix of a view: an array, a matrix of scipy.sparse on the same memory, an operator."""
    if not isinstance(view, tuple):
        return view
    code, m, n = view[:3]
    if code == OPERATOR:
        from scipy.sparse.linalg import LinearOperator

        return LinearOperator((m, n), matvec=view[3], rmatvec=view[4], dtype=FLOAT)
    from scipy import sparse

    pointers, indices, data = view[3:]
    if code == BSR3:
        blocks = data.reshape(-1, 3, 3).transpose(0, 2, 1)
        return sparse.bsr_matrix((blocks, indices, pointers), shape=(m, n))
    if data is None:
        data = np.ones(len(indices))
    make = sparse.csc_matrix if code == CSC else sparse.csr_matrix
    return make((data, indices, pointers), shape=(m, n), copy=False)


def describe_view(view: Any) -> str:
    """For the repr of a problem: "dense", "CSC with 28 entries"."""
    if not isinstance(view, tuple):
        return "dense"
    if view[0] == OPERATOR:
        return "operator"
    count = len(view[4]) * (9 if view[0] == BSR3 else 1)
    return f"{_WORDS[view[0]]} with {count} entries"
