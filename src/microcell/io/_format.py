"""Format: the contract of a kind of file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from microcell.exceptions import InputError, Option

SUFFIXED = (",", "\t")  # delimiters that suffixes of text stand for
TABS = ".tsv"
CODED = (pl.Categorical, pl.Enum)  # types of text that is held as codes


class Dialect(NamedTuple):
    """How a file is written, where its format leaves that open.

    Attributes
    ----------
    delimiter, encoding : str or None
        Of text; None is found out.
    sheet : str or None
        Of a workbook; None is the only one that holds something.
    """

    delimiter: str | None = None
    encoding: str | None = None
    sheet: str | None = None


@dataclass(frozen=True)
class Source:
    """A table that was read, and what else its file said.

    Attributes
    ----------
    frame : polars.DataFrame
        The values; what stands for a missing value in the file is null.
    dialect : Dialect
        The dialect that it was read in, given or found out.
    notes : dict
        What the file says of columns beside their values, a `ColumnNotes` each.
    notices : tuple of str
        What was found out and the owner should know.
    format : Format or None
        Filled in by `read_source`.
    sheets : tuple of str
        All sheets of its workbook; empty of other files.
    """

    frame: pl.DataFrame
    dialect: Dialect = Dialect()
    notes: Mapping[str, Any] = field(default_factory=dict)
    notices: tuple[str, ...] = ()
    format: Format | None = None
    sheets: tuple[str, ...] = ()


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
        ``read(path, name, dialect) -> polars.DataFrame``, or a `Source` where there is
        more to say; `name` is what the file is called in errors.
    columns : callable
        ``columns(path, name, dialect) -> list of str``, without reading the records.
    write : callable or None
        ``write(frame, path, layouts, dialect)``; `layouts` say how columns write
        numbers and moments, and what is noted of them. None of a format that is only
        read.
    shown : callable
        ``shown(frame, layouts) -> frame``: values as a file of it can tell them apart.
    cannot_hold : callable
        ``cannot_hold(frame, dialect) -> {column: reason}`` for columns that it cannot
        write.
    check : callable, optional
        ``check(frame, name)`` of a table that somebody else wrote, after `read`.
    reader : str
        The library that reads it.
    second : callable, optional
        ``second(path) -> (library, frame)``, the same by another library, or None
        where that is not installed; for formats whose reader also wrote the file.
    open_to : tuple of str
        Fields of `Dialect` that mean something to it.
    holds_kinds : str
        The program whose kinds of missing values it holds; none if empty.
    noted : callable
        ``noted(layouts, frame) -> {column: ColumnNotes}``: what it writes of notes.
    delimiter : str
        Its own, if it is text.
    sheets : callable, optional
        ``sheets(path, name) -> list of str`` of a workbook: what its sheets are called.
    """

    name: str
    suffixes: tuple[str, ...]
    typed: bool
    read: Callable[[str | Path, str | Path, Dialect], pl.DataFrame | Source]
    columns: Callable[[str | Path, str | Path, Dialect], list[str]]
    write: Callable[[pl.DataFrame, str | Path, Mapping[str, Any], Dialect], None] | None
    shown: Callable[[pl.DataFrame, Mapping[str, Any]], pl.DataFrame] = (
        lambda frame, layouts: frame
    )
    cannot_hold: Callable[[pl.DataFrame, Dialect], Mapping[str, str]] = (
        lambda frame, dialect: {}
    )
    check: Callable[[pl.DataFrame, str | Path], None] | None = None
    reader: str = ""
    second: Callable[[str | Path], tuple[str, pl.DataFrame] | None] | None = None
    open_to: tuple[str, ...] = ()
    holds_kinds: str = ""
    noted: Callable[[Mapping[str, Any], pl.DataFrame], Mapping[str, Any]] = (
        lambda layouts, frame: {}
    )
    delimiter: str = ""
    sheets: Callable[[str | Path, str | Path], list[str]] | None = None

    def delimiter_after(self, source: str | None) -> str:
        """What separates fields of a table that came with another delimiter.

        That of the source is kept, unless suffixes stand for it: commas and tabs.
        """
        kept = source not in (None, *SUFFIXED) and not self.suffixes[0].startswith(TABS)
        return str(source) if kept else self.delimiter

    def check_holds(self, frame: pl.DataFrame, dialect: Dialect) -> None:
        """Refuse a table of which the format would change a value."""
        reasons = self.cannot_hold(frame, dialect)
        if reasons:
            raise InputError(
                f"Columns {list(reasons)} hold {' and '.join(set(reasons.values()))}, "
                f"which {self.name} cannot.",
                column=next(iter(reasons)),
                hint="Write a .parquet file, convert them, or leave them out.",
            )

    def refuse_foreign(self, name: str | Path, dialect: Dialect) -> None:
        """Refuse a delimiter, an encoding or a sheet of a format that has none."""
        for option, value in dialect._asdict().items():
            if option == "encoding" and value == "utf-8":
                continue  # what recipes said of every table once
            if value is not None and option not in self.open_to:
                raise InputError(
                    f"{name} is {NO_SUCH.get(option, 'no text')}: it has no {option}.",
                    option=option,
                    hint=["Leave out ", Option(option), "."],
                )


NO_SUCH = {"sheet": "no workbook"}


def no_text(frame: pl.DataFrame) -> dict[str, str]:
    """Columns of types that only programs can read."""
    kinds = (pl.Binary, pl.Duration, pl.Object)
    return {
        name: "lists, structures, bytes or durations"
        for name, dtype in frame.schema.items()
        if dtype.is_nested() or dtype in kinds
    }
