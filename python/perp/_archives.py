"""Archives of arrays: .npz of numpy and MATLAB 5 .mat.

A problem is its data by their letters, and `kind`; what has other letters is left alone. In a .npz
a sparse matrix M is M_data, M_indices, M_indptr, M_shape and M_format, as scipy.sparse.save_npz
names them; a .mat has sparse matrices of its own. Pickled objects are never read."""
from __future__ import annotations

import os
import tempfile
from typing import Any, Dict, Optional

import numpy as np

from . import _problem
from ._errors import ArgumentError, FileError
from ._problem import Problem
from ._tables import KINDS

_ENDINGS = (".npz", ".mat")
_PARTS = ("data", "indices", "indptr", "shape", "format")
_MATRICES = {"M", "W", "H", "G", "R", "A"}
# Letters that tell a kind: the first row whose letters are all there.
_NEEDED = (("cone", {"W", "q", "follows"}), ("cone", {"W", "q", "group"}), ("cone", {"M", "H", "f", "follows"}),
           ("cone", {"M", "H", "f", "group"}), ("cone", {"M", "H", "f", "lo"}), ("cone", {"M", "H", "f", "hi"}),
           ("fc3d", {"W", "q", "mu"}), ("fc3d", {"M", "H", "f", "mu"}), ("mcp", {"M", "q", "lo"}),
           ("mcp", {"M", "q", "hi"}), ("lcp", {"M", "q"}), ("nnls", {"A", "b"}), ("qp", {"c"}))
_ROWS = ("lo", "hi", "follows", "group", "mu", "s")


def is_archive(path: str) -> bool:
    """Whether the name ends as that of an archive."""
    return path.lower().endswith(_ENDINGS)


# ---- all the arrays of a file


def _make_sparse(data: Any, indices: Any, pointers: Any, shape: Any, form: Any) -> Any:
    from scipy import sparse

    text = form.item() if form.ndim == 0 else form[0]
    text = text.decode() if isinstance(text, bytes) else str(text)
    make = {"csc": sparse.csc_matrix, "csr": sparse.csr_matrix, "bsr": sparse.bsr_matrix}[text]
    return make((data, indices, pointers), shape=tuple(shape))


def _join_sparse(flat: Dict[str, Any]) -> Dict[str, Any]:
    """M_data, M_indices, .. as M; data, indices, .. of scipy.sparse.save_npz as M too."""
    made = dict(flat)
    for word in [k[: -len("indptr")] for k in flat if k.endswith("indptr")]:
        parts = [made.pop(word + part) for part in _PARTS]
        made[word.rstrip("_") or "M"] = _make_sparse(*parts)
    return made


def _read_npz(path: str) -> Dict[str, Any]:
    with np.load(path, allow_pickle=False) as archive:
        return _join_sparse({name: archive[name] for name in archive.files})


def _read_mat(path: str) -> Dict[str, Any]:
    from scipy.io import loadmat

    return {name: x for name, x in loadmat(path).items() if not name.startswith("__")}


def _read(path: str) -> Dict[str, Any]:
    try:
        return _read_mat(path) if path.lower().endswith(".mat") else _read_npz(path)
    except ImportError:  # scipy is not there
        raise
    except Exception as error:  # whatever a broken archive makes numpy, scipy or zipfile raise
        raise FileError(f"{path}: {error}") from error


def _split_sparse(arrays: Dict[str, Any]) -> Dict[str, Any]:
    flat: Dict[str, Any] = {}
    for name, x in arrays.items():
        if not hasattr(x, "tocsc"):
            flat[name] = x
            continue
        x = x if x.format in ("csc", "csr", "bsr") else x.tocsc()
        parts = (x.data, x.indices, x.indptr, np.array(x.shape), np.array(x.format))
        flat.update({f"{name}_{part}": value for part, value in zip(_PARTS, parts)})
    return flat


def _write(path: str, arrays: Dict[str, Any]) -> None:
    """To a temporary name first, so that the file is whole or not there."""
    try:
        handle, part = tempfile.mkstemp(suffix=path[-4:], dir=os.path.dirname(os.path.abspath(path)))
    except OSError as error:
        raise FileError(f"{path}: cannot write: {error.strerror}; is its folder there, and yours to write to?") from None
    try:
        with os.fdopen(handle, "wb") as file:
            if path.lower().endswith(".mat"):
                from scipy.io import savemat

                savemat(file, arrays, format="5", oned_as="column")
            else:
                np.savez(file, **_split_sparse(arrays))
        os.replace(part, path)
    except BaseException:
        os.unlink(part)
        raise


# ---- problems


def _find_kind(arrays: Dict[str, Any], path: str) -> str:
    if "kind" in arrays:
        return str(np.ravel(arrays["kind"])[0])
    for kind, letters in _NEEDED:
        if letters <= set(arrays):
            return kind
    raise FileError(f"{path}: the names {', '.join(sorted(arrays)) or '(none)'} are not those of a problem; "
                    "kind= says which one it is")


def _flatten(arrays: Dict[str, Any]) -> Dict[str, Any]:
    """Matlab has matrices alone: vectors are made of theirs; a sparse one is by columns."""
    made = {}
    for name, x in arrays.items():
        vector = name not in _MATRICES and not hasattr(x, "tocsc") and getattr(x, "ndim", 0) == 2
        made[name] = np.ravel(x) if vector else x
    return made


def _make(kind: str, a: Dict[str, Any]) -> Problem:
    def some(*names: str) -> Dict[str, Any]:
        return {name: a[name] for name in names if name in a}

    if kind == "lcp":
        return _problem.lcp(a["M"], a["q"])
    if kind in ("mcp", "ncp"):
        bounds = some("lo", "hi", "follows", "mu") if kind == "mcp" else {"lo": 0.0}
        return _problem.mcp(a["M"], a["q"], **bounds)
    if kind == "fc3d" and "W" in a:
        return _problem.fc3d(a["W"], a["q"], a["mu"])
    if kind == "fc3d":
        return _problem.fc3d_body(a["M"], a["H"], a["f"], a["mu"], **some("w", "G", "b"))
    if kind == "cone" and "W" in a:
        return _problem.cone(a["W"], a["q"], **some(*_ROWS))
    if kind == "cone":
        return _problem.cone_body(a["M"], a["H"], a["f"], **some("w", "G", "b", "R", *_ROWS))
    if kind == "nnls":
        return _problem.nnls_problem(a["A"], a["b"], **some("free"))
    if kind != "qp":
        raise ArgumentError(f"there is no kind '{kind}'; there are {', '.join(KINDS)}")
    return _problem.qp(a.get("H"), a["c"], a.get("A"), **some("lo", "hi", "xlo", "xhi"))


def load_problem(path: str, kind: Optional[str]) -> Problem:
    """The problem whose data the archive holds."""
    arrays = _flatten(_read(path))
    try:
        problem = _make(kind or _find_kind(arrays, path), arrays)
    except KeyError as missing:
        raise FileError(f"{path}: there is no {missing} in it") from None
    problem.name = os.path.splitext(os.path.basename(path))[0]
    problem._more = {"solution": arrays.get("solution"), "format": path[-3:].lower()}
    return problem


def save_problem(path: str, problem: Problem, solution: Any) -> None:
    """The problem's data by their letters."""
    arrays = {name: x for name, x in problem.data.items() if not callable(x) and np.ndim(x) > 0 or hasattr(x, "tocsc")}
    if problem.kind in ("ncp", "mcp") and problem.data.get("F") is not None:
        raise FileError(f"{path}: a map by callback has no data to write")
    arrays["kind"] = np.array(problem.kind)
    if solution is not None:
        arrays["solution"] = solution
    _write(path, arrays)


# ---- single matrices


def load_matrix(path: str, name: Optional[str]) -> Any:
    """The matrix of that name, or the only one."""
    arrays = _read(path)
    if name is None:
        found = [k for k, x in arrays.items() if getattr(x, "ndim", 0) == 2]
        if len(found) != 1:
            raise FileError(f"{path}: it has the matrices {', '.join(found) or '(none)'}; name= says which one")
        name = found[0]
    if name not in arrays:
        raise FileError(f"{path}: there is no '{name}' in it, but {', '.join(sorted(arrays)) or 'nothing'}")
    return arrays[name]


def save_matrix(path: str, matrix: Any, name: str) -> None:
    """The matrix under that name."""
    _write(path, {name: matrix if hasattr(matrix, "tocsc") else np.asarray(matrix)})
