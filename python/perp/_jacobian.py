"""Jacobians of maps by callback: what the function returns, in the order of its pattern."""
from __future__ import annotations

from typing import Any, Callable, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

from ._errors import ArgumentError, DataTypeError
from ._views import CSC, as_indices

Jacobian = Callable[[NDArray[Any]], Any]


def _as_square(J: Any, n: int) -> NDArray[Any]:
    array: NDArray[Any] = J.toarray() if hasattr(J, "toarray") else np.asarray(J)
    if array.shape != (n, n):
        raise ArgumentError(f"the Jacobian has the shape {array.shape}; ({n}, {n}) is needed")
    return array


def _as_pattern(pattern: Any, n: int) -> Any:
    from scipy import sparse

    try:
        made = sparse.csc_matrix(pattern, copy=True)
    except (TypeError, ValueError) as error:
        raise DataTypeError(f"the pattern is no matrix: {error}") from None
    if made.shape != (n, n):
        raise ArgumentError(f"the pattern has the shape {made.shape}; ({n}, {n}) is needed")
    made.sum_duplicates()
    return made


class _Order:
    """Where the entries of a Jacobian lie among those of its pattern."""

    def __init__(self, pattern: Any) -> None:
        self.n = pattern.shape[0]
        self.pointers, self.rows = pattern.indptr, pattern.indices
        self.columns = np.repeat(np.arange(self.n), np.diff(self.pointers))
        self.keys = self.columns * self.n + self.rows

    def _scatter(self, J: Any) -> NDArray[Any]:
        columns = np.repeat(np.arange(self.n), np.diff(J.indptr))
        keys = columns * self.n + J.indices
        places = np.minimum(np.searchsorted(self.keys, keys), max(len(self.keys) - 1, 0))
        foreign = (self.keys[places] != keys if len(self.keys) else np.ones(len(keys), bool)) & (J.data != 0)
        if foreign.any():
            k = int(np.argmax(foreign))
            raise ArgumentError(f"the Jacobian has an entry at ({J.indices[k]}, {columns[k]}), its pattern has none")
        values = np.zeros(len(self.keys))
        kept = J.data != 0
        values[places[kept]] = J.data[kept]
        return values

    def values(self, J: Any) -> Optional[NDArray[Any]]:
        if J is None:
            return None
        if not hasattr(J, "tocsc"):
            entries: NDArray[Any] = _as_square(J, self.n)[self.rows, self.columns]
            return entries
        if J.shape != (self.n, self.n):
            raise ArgumentError(f"the Jacobian has the shape {J.shape}; ({self.n}, {self.n}) is needed")
        J = J.tocsc()
        if not J.has_canonical_format:
            J = J.copy()
            J.sum_duplicates()
        same = np.array_equal(J.indptr, self.pointers) and np.array_equal(J.indices, self.rows)
        kept: NDArray[Any] = J.data if same else self._scatter(J)
        return kept


def _by_columns(jacobian: Jacobian, n: int) -> Jacobian:
    def values(z: NDArray[Any]) -> Optional[NDArray[Any]]:
        J = jacobian(z)
        return None if J is None else _as_square(J, n).ravel(order="F")

    return values


def _in_order(jacobian: Jacobian, order: _Order) -> Jacobian:
    return lambda z: order.values(jacobian(z))


def adapt(jacobian: Optional[Jacobian], n: int, pattern: Any) -> Tuple[Optional[Jacobian], Any]:
    """A function of z that returns the values in the pattern's order, and the view of the pattern."""
    if pattern is None:
        return (None if jacobian is None else _by_columns(jacobian, n)), None
    made = _as_pattern(pattern, n)
    view = (CSC, n, n, as_indices(made.indptr, "pattern"), as_indices(made.indices, "pattern"), None)
    if jacobian is None:
        return None, view
    return _in_order(jacobian, _Order(made)), view
