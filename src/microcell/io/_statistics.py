"""What files of SPSS, Stata and SAS have in common: pyreadstat reads and writes them.

Their numbers have no integers, or hardly, so a column of whole numbers is one of
integers. Values that the file declares missing are missing, and their kinds are noted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from microcell.exceptions import InputError
from microcell.io._extras import needed
from microcell.io._format import Dialect, Format, Source
from microcell.io._format_limits import (
    COMMON,
    Limit,
    beyond,
    ends_of,
    of_texts,
    shown_without_empty,
)
from microcell.io._notes import ColumnNotes, notes_in, whole_as_integers

MAX_STATA_LONG = 2_147_483_620  # of Stata; what is larger is one of its missing values
LEVELS_OF_MEASUREMENT = ("nominal", "ordinal", "scale")
Notes = Mapping[str, ColumnNotes]
BOOLEANS = {0: "false", 1: "true"}


class Program(NamedTuple):
    """A statistical package, as pyreadstat knows it.

    Attributes
    ----------
    name : str
    read, write : str
        The functions of pyreadstat for its files.
    keeps_missing : bool
        Whether the first can tell kinds of missing values apart.
    stamp, places : bytes, tuple of int
        Another time, in the form that a file has, and where it says when it was
        written: a release tells nothing of it.
    limits : sequence
        What it would change, beside what all of them would.
    is_name : callable
        Whether a column can be called so.
    ignores_case : bool
        Whether names that differ by their case alone are one.
    noted : callable, optional
        ``noted(layouts, frame)``: the notes that it holds; by default all of its own.
    shown : callable
        ``shown(frame, layouts)``: values as its files can tell them apart.
    lettered : callable
        ``lettered(stored, notes)``: with letters that stand for missing values.
    options : callable
        ``options(notes, stored, labels)``: what else the function that writes is told.
    """

    name: str
    read: str
    write: str = ""
    keeps_missing: bool = True
    stamp: bytes = b""
    places: tuple[int, ...] = ()
    limits: Sequence[Limit] = ()
    is_name: Callable[[str], bool] = bool
    ignores_case: bool = True
    noted: Callable[[Mapping[str, Any], pl.DataFrame], Notes] | None = None
    shown: Callable[[pl.DataFrame, Mapping[str, Any]], pl.DataFrame] = (
        shown_without_empty
    )
    lettered: Callable[[pl.DataFrame, Notes], pl.DataFrame] = lambda frame, notes: frame
    options: Callable[[Notes, pl.DataFrame, Any], Mapping[str, Any]] = (
        lambda notes, stored, labels: {}
    )

    def notes_in(self, layouts: Mapping[str, Any], frame: pl.DataFrame) -> Notes:
        """The notes of a table that its files hold."""
        return (self.noted or partial(notes_in, program=self.name))(layouts, frame)

    def format(self, name: str, *suffixes: str, **more: Any) -> Format:
        """A format of its files."""
        options: dict[str, Any] = {
            "read": partial(read_statistics, program=self),
            "columns": partial(statistics_columns, program=self),
            "write": None,
        }
        if self.write:
            options["write"] = partial(write_statistics, program=self)
            options["cannot_hold"] = partial(unholdable, program=self)
            options["shown"] = self.shown
        return Format(
            name, suffixes, typed=True, reader="pyreadstat", **(options | more)
        )


def pyreadstat_module(program: str) -> Any:
    """The library, or an error that names the extra."""
    return needed("pyreadstat", "stats", f"Files of {program}")


def write_statistics(
    frame: pl.DataFrame,
    path: str | Path,
    layouts: Mapping[str, Any],
    dialect: Dialect,
    program: Program,
    **options: Any,
) -> None:
    """Write a file; labels of values that occur, and nothing else.

    What the library refuses is an error of the table. Its words are few and fixed: that
    a label is too long, for example.
    """
    pyreadstat = pyreadstat_module(program.name)
    notes = program.notes_in(layouts, frame)
    shown = program.shown(frame, layouts)
    stored = shown.with_columns(map(storable, shown))
    labels = {n: value_labels(shown[n], notes.get(n), stored[n]) for n in shown.columns}
    said = {n: of_values for n, of_values in labels.items() if of_values}
    options = {**program.options(notes, stored, said), **options}
    stored = program.lettered(stored, notes)
    options["column_labels"] = {
        n: note.label for n, note in notes.items() if note.label
    }
    try:
        getattr(pyreadstat, program.write)(stored, str(path), **options)
    except pyreadstat.ReadstatError as error:
        raise InputError(
            f"The table cannot be written to a file of {program.name}: {error}.",
            hint="Write a .parquet file, or shorten its labels.",
        ) from None
    with open(path, "r+b") as file:
        for place in program.places:
            file.seek(place)
            file.write(program.stamp)


def read_statistics(
    path: str | Path,
    name: str | Path,
    dialect: Dialect,
    program: Program,
    **options: Any,
) -> Source:
    """The table of a file, with what it notes of its columns."""
    frame, meta = _read(path, name, program, **options)
    if frame.width == 0:
        raise InputError(f"{name} has no columns.")
    moments = [
        column
        for column, ranges in meta.missing_ranges.items()
        if ranges and frame[column].dtype.is_temporal()
    ]
    if moments:  # whose codes for missing values would be read as dates
        plain, _ = _read(path, name, program, usecols=moments, user_missing=False)
        frame = frame.with_columns(plain)
    columns, notes = [], {}
    for series in frame.iter_columns():
        column, noted = _column(series, meta, program.name)
        columns.append(column)
        notes[series.name] = noted
    return Source(pl.DataFrame(columns), notes=notes)


def _read(
    path: str | Path, name: str | Path, program: Program, **options: Any
) -> tuple[pl.DataFrame, Any]:
    pyreadstat = pyreadstat_module(program.name)
    if program.keeps_missing:
        options = {"user_missing": True} | options
    try:
        frame, meta = getattr(pyreadstat, program.read)(
            str(path), output_format="polars", **options
        )
    except (
        pyreadstat.ReadstatError,
        pyreadstat.PyreadstatError,
        UnicodeError,
        OverflowError,
        ValueError,
    ) as error:
        raise InputError(
            f"{name} is not a file of {program.name}, or it is damaged "
            f"({type(error).__name__})."
        ) from None
    return frame, meta


def statistics_columns(
    path: str | Path, name: str | Path, dialect: Dialect, program: Program
) -> list[str]:
    """Names of the columns, without the records."""
    _, meta = _read(path, name, program, metadataonly=True)
    return list(meta.column_names)


def _column(series: pl.Series, meta: Any, program: str) -> tuple[pl.Series, Any]:
    """A column and its notes; what stands for a missing value is null in it."""
    name = series.name
    kinds = None
    missing: tuple[tuple[Any, Any], ...] = ()
    if meta.missing_user_values.get(name):  # letters among the numbers
        cells = series.to_list()
        letters = [c if isinstance(c, str) else None for c in cells]
        numbers = [None if isinstance(c, str) else c for c in cells]
        kinds = pl.Series(name, letters, dtype=pl.String)
        series = pl.Series(name, numbers, dtype=pl.Float64, strict=False)
        missing = tuple((c, c) for c in sorted(set(filter(None, letters))))
    ranges = meta.missing_ranges.get(name) or []
    if ranges and not series.dtype.is_temporal():
        missing = tuple((one["lo"], one["hi"]) for one in ranges)
        text = series.dtype == pl.String
        declared = pl.any_horizontal(
            (pl.col(name).is_in([low]) if text else pl.col(name).is_between(low, high))
            for low, high in missing
        )
        both = series.to_frame().select(
            pl.when(declared).then(None).otherwise(pl.col(name)).alias(name),
            pl.when(declared).then(pl.col(name)).alias("kinds"),
        )
        series, kinds = both[name], both["kinds"].alias(name)
        kinds = whole_as_integers(kinds)
    if series.dtype == pl.String:
        series = series.replace("", None)
    series = whole_as_integers(series)
    labels = meta.variable_value_labels.get(name) or {}
    measure = meta.variable_measure.get(name) or ""
    return series, ColumnNotes(
        dtype=series.dtype,
        program=program,
        label=meta.column_names_to_labels.get(name) or "",
        values={_plain(value): str(text) for value, text in labels.items()},
        measure=measure if measure in LEVELS_OF_MEASUREMENT else "",
        format=meta.original_variable_types.get(name) or "",
        missing=missing,
        kinds=kinds,
    )


def _plain(value: Any) -> Any:
    """A labelled value as the column has it: 1.0 is the integer 1."""
    whole = isinstance(value, float) and value.is_integer()
    return int(value) if whole else value


def storable(series: pl.Series) -> pl.Series:
    """A column as pyreadstat stores it without a change of values."""
    if series.dtype == pl.Boolean:
        return series.cast(pl.Int32)
    if series.dtype == pl.String:  # an empty text is how they say missing
        return series.fill_null("")
    if series.dtype == pl.Null:
        return series.cast(pl.Float64)
    if series.dtype.is_integer():
        largest = max(map(abs, ends_of(series)), default=0)
        return series.cast(pl.Int32 if largest <= MAX_STATA_LONG else pl.Float64)
    return series.cast(pl.Float64) if series.dtype == pl.Float32 else series


def value_labels(
    series: pl.Series, notes: ColumnNotes | None, stored: pl.Series
) -> dict[Any, str]:
    """Labels in the type of the stored column; booleans have theirs."""
    labels = dict(notes.values) if notes is not None else {}
    if series.dtype == pl.Boolean:
        labels = BOOLEANS
    if stored.dtype == pl.Float64:
        return {float(v): text for v, text in labels.items() if not isinstance(v, str)}
    return dict(labels)


def unholdable(
    frame: pl.DataFrame, dialect: Dialect, program: Program
) -> dict[str, str]:
    """Columns that a program cannot hold, with the reason."""
    reasons = beyond(frame, (HAS_NUL, *COMMON, *program.limits))
    first: dict[str, str] = {}
    for name in frame.columns:
        if not program.is_name(name):
            reasons[name] = "a name with other letters or more than it allows"
        if program.ignores_case and first.setdefault(name.casefold(), name) != name:
            reasons[name] = "a name that differs from another by its case alone"
    return reasons


def longer_than(most: int) -> Limit:
    """Text that is longer than a number of bytes."""
    words = f"text of more than {most} bytes"
    return of_texts(words, lambda texts: texts.str.len_bytes() > most)


HAS_NUL = of_texts(
    "text with NUL characters", lambda texts: texts.str.contains("\0", literal=True)
)
ENDS_IN_SPACE = of_texts(
    "text that ends in spaces", lambda texts: texts.str.ends_with(" ")
)
