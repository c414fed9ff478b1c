"""Format: the contract of a kind of file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from microcell.exceptions import InputError


class Dialect(NamedTuple):
    """How a text file is written; formats without text have none."""

    delimiter: str | None = None
    encoding: str | None = None


@dataclass(frozen=True)
class Format:
    """A kind of file that tables are read from and written to.

    A new format is one file that defines one, and one line in `io/_tables.py`.

    Attributes
    ----------
    name : str
        What people call it.
    suffixes : tuple of str
        Endings of its files, with the dot.
    typed : bool
        Whether its columns have types; if not, they are read as text to the letter.
    read : callable
        ``read(path, name, dialect) -> polars.DataFrame``; `name` is what the file is
        called in errors.
    columns : callable
        ``columns(path, name, dialect) -> list of str``, without reading the records.
    write : callable
        ``write(frame, path, layouts)``; `layouts` say how columns write numbers
        and moments.
    shown : callable
        ``shown(frame, layouts) -> frame``: values as a file of it can tell them apart.
    cannot_hold : callable
        ``cannot_hold(frame) -> {column: reason}`` for columns that it cannot write.
    check : callable, optional
        ``check(frame, name)`` of a table that somebody else wrote, after `read`.
    """

    name: str
    suffixes: tuple[str, ...]
    typed: bool
    read: Callable[[str | Path, str | Path, Dialect], pl.DataFrame]
    columns: Callable[[str | Path, str | Path, Dialect], list[str]]
    write: Callable[[pl.DataFrame, str | Path, Mapping[str, Any]], None]
    shown: Callable[[pl.DataFrame, Mapping[str, Any]], pl.DataFrame] = (
        lambda frame, layouts: frame
    )
    cannot_hold: Callable[[pl.DataFrame], Mapping[str, str]] = lambda frame: {}
    check: Callable[[pl.DataFrame, str | Path], None] | None = None


def no_dialect(name: str | Path, dialect: Dialect) -> None:
    """Refuse a delimiter or an encoding for a format that is no text."""
    given = dialect.delimiter is not None or dialect.encoding not in (None, "utf-8")
    if given:
        raise InputError(f"{name} is no text: it has no delimiter and no encoding.")
