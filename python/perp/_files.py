"""Problems and matrices in files: the formats of the library, and .npz and .mat."""
from __future__ import annotations

import os
from typing import Any, Optional, Union

from . import _archives, _perp
from ._errors import ArgumentError, Error, MissingFileError, in_file
from ._problem import Problem, as_problem
from ._tables import KINDS
from ._views import as_matrix, as_vector, show_matrix

Path = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]


def _present(path: Path) -> str:
    name = os.fsdecode(path)
    if name != "-" and not os.path.exists(name):
        raise MissingFileError(f"{name}: there is no such file")
    return name


def _kind_number(kind: Optional[str]) -> int:
    if kind is not None and kind not in KINDS:
        raise ArgumentError(f"there is no kind '{kind}'; there are {', '.join(KINDS)}")
    return -1 if kind is None else KINDS.index(kind)


def load(path: Path, *, kind: Optional[str] = None, layout: Optional[str] = None, format: Optional[str] = None,
         max_bytes: int = 0) -> Problem:
    """The problem of a file: perp's text, Siconos' .dat, FCLIB's HDF5 and QPS, found by what the file
    holds; and .npz and .mat, found by the name. Matrix Market has single matrices: ``load_matrix``.

    path: a file, or "-" for standard input. kind ("lcp", "mcp", ...) says what a .dat or an archive is
    that reads in two ways, layout ("rfc2d", "plasticity-old") what a .dat is that reads in two ways of one
    kind. format ("text", "siconos", "fclib", "qps") takes the file for one of that format, whatever it
    looks like. max_bytes: a larger file is refused; 0: 16 GiB. What else the file holds is with
    the problem: ``title``, ``description``, ``solution``, ``guesses``, ``constant``.
    """
    name = _present(path)
    if _archives.is_archive(name):
        if layout is not None:
            raise ArgumentError(f"{name}: the layout '{layout}' is of Siconos' .dat files, and this is an archive")
        return _archives.load_problem(name, kind)
    try:
        row = _perp.load(os.fsencode(name), _kind_number(kind), layout, format, max_bytes)
    except Error as error:
        raise in_file(error, name) from None
    (number, fields), called, title, description, constant, solution, guesses, found = row
    more = {"title": title, "description": description, "constant": constant, "solution": solution,
            "guesses": guesses, "format": found}
    return Problem(number, fields, called, more)


def save(path: Path, problem: Problem, *, format: Optional[str] = None, title: Optional[str] = None,
         description: Optional[str] = None, solution: Any = None) -> None:
    """Write a problem, in the format that the ending of path says: .perp, .dat, .hdf5, .h5, .qps, .npz
    or .mat. Numbers read back bit for bit. A file is whole or not there.

    format: one of those of ``load``, where the ending does not say it. title and description are kept
    where the format has room for words, and solution, a z, where it has room for that; without them
    those that the problem came with.
    """
    name = os.fsdecode(path)
    as_problem(problem, "save")
    x = problem.solution if solution is None else as_vector(solution, "solution")
    if format is None and _archives.is_archive(name):
        _archives.save_problem(name, problem, x)
        return
    try:
        _perp.save(os.fsencode(name), format, problem._kind, problem._fields, problem.name,
                   title or problem.title, description or problem.description, x)
    except Error as error:
        raise in_file(error, name) from None


def load_matrix(path: Path, name: Optional[str] = None) -> Any:
    """The matrix of a file at path: Matrix Market, a .npz (dense or of scipy.sparse.save_npz) or a MATLAB 5
    .mat. It is an array, or a csc_matrix. name says which one of an archive that has several.
    """
    file = _present(path)
    if _archives.is_archive(file):
        return _archives.load_matrix(file, name)
    try:
        return show_matrix(_perp.load_matrix(os.fsencode(file)))
    except Error as error:
        raise in_file(error, file) from None


def save_matrix(path: Path, matrix: Any, name: str = "M") -> None:
    """Write a matrix as the ending of the path says: .npz, .mat, otherwise Matrix Market. name is
    its name in an archive.
    """
    file = os.fsdecode(path)
    if _archives.is_archive(file):
        _archives.save_matrix(file, matrix, name)
        return
    try:
        _perp.save_matrix(os.fsencode(file), as_matrix(matrix, "the matrix"))
    except Error as error:
        raise in_file(error, file) from None
