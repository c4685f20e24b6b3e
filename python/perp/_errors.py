"""Refusals as exceptions: one sentence that says what, where, the number, and what to do next.

A solve that ends without a solution is no error: it returns a result whose status says so, and
``Result.raise_for_status()`` raises ``NotSolved`` for those who want that."""
from __future__ import annotations

from typing import TYPE_CHECKING, Dict, Optional, Type

if TYPE_CHECKING:
    from ._result import Result


class Error(Exception):
    """What every exception of perp is; ``status`` is the library's word for it, ``line`` that of a file."""

    status: str = "error"
    line: int = 0


class ArgumentError(Error, ValueError):
    """An argument is missing, has the wrong size, or is out of range."""

    status = "bad_argument"


class DataTypeError(ArgumentError, TypeError):
    """An argument has a type that holds no real numbers, or is no matrix, vector or function at all."""


class OptionError(Error, ValueError):
    """An option or a solver is unknown, or the value of an option is out of range."""

    status = "bad_option"


class FormatError(Error, ValueError):
    """The solver cannot read this kind of problem or this kind of matrix."""

    status = "bad_format"


class NumberError(Error, ValueError):
    """NaN, infinity, or a number that the method cannot work with."""

    status = "bad_number"


class FileError(Error, OSError):
    """A file cannot be read, parsed or written."""

    status = "bad_file"


class MissingFileError(FileError, FileNotFoundError):
    """There is no such file."""


class OutOfMemoryError(Error, MemoryError):
    """There is not enough memory."""

    status = "no_memory"


class NotSolved(Error, RuntimeError):
    """What ``Result.raise_for_status()`` raises; ``result`` is the result."""

    result: Optional[Result] = None


_BY_STATUS: Dict[int, Type[Error]] = {
    -1: ArgumentError,
    -2: OptionError,
    -3: FormatError,
    -4: NumberError,
    -5: FileError,
    -6: OutOfMemoryError,
}


def make_error(status: int, line: int, text: str) -> Error:
    """The exception of a refusal; the extension module calls this."""
    error = _BY_STATUS.get(status, Error)(f"line {line}: {text}" if line else text)
    error.line = line
    return error


def in_file(error: Error, path: str) -> Error:
    """The same error with the name of the file in front."""
    again = type(error)(f"{path}: {error}")
    again.line = error.line
    return again
