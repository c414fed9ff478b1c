"""What files of SPSS, Stata and SAS have in common: pyreadstat reads and writes them.

Their numbers have no integers, or hardly, so a column of whole numbers is one of
integers. Values that the file declares missing are missing, and their kinds are noted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from microcell._patterns import LARGEST_EXACT_INTEGER
from microcell.exceptions import InputError
from microcell.io._extras import needed
from microcell.io._format import Dialect, Source, no_text
from microcell.io._notes import (
    ColumnNotes,
    whole_as_integers,
)

LARGEST_LONG = 2_147_483_620  # of Stata; what is larger is one of its missing values
LEVELS_OF_MEASUREMENT = ("nominal", "ordinal", "scale")
BOOLEANS = {0: "false", 1: "true"}


class Program(NamedTuple):
    """A statistical package, as pyreadstat knows it.

    Attributes
    ----------
    name : str
    read : str
        The function of pyreadstat that reads its files.
    keeps_missing : bool
        Whether the function can tell kinds of missing values apart.
    """

    name: str
    read: str
    keeps_missing: bool = True


def pyreadstat_module(program: str) -> Any:
    """The library, or an error that names the extra."""
    return needed("pyreadstat", "stats", f"Files of {program}")


@contextmanager
def writing(program: str) -> Iterator[Any]:
    """The library, to write a file; what it refuses is an error of the table.

    Its words are few and fixed: that a label is too long, for example.
    """
    pyreadstat = pyreadstat_module(program)
    try:
        yield pyreadstat
    except pyreadstat.ReadstatError as error:
        raise InputError(
            f"The table cannot be written to a file of {program}: {error}.",
            hint="Write a .parquet file, or shorten its labels.",
        ) from None


def forget_when(path: str | Path, stamp: bytes, places: Sequence[int]) -> None:
    """Replace the time at which a file was written: a release tells nothing of it.

    Parameters
    ----------
    path : path
    stamp : bytes
        Another time, in the form that the format has.
    places : sequence of int
        Where times stand in the file.
    """
    with open(path, "r+b") as file:
        for place in places:
            file.seek(place)
            file.write(stamp)


def read_statistics(
    path: str | Path, name: str | Path, program: Program, **options: Any
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


def shown_in_statistics(
    frame: pl.DataFrame, layouts: Mapping[str, Any]
) -> pl.DataFrame:
    """An empty text is a missing one; categories are text."""
    texts = frame.with_columns(
        pl.col(pl.Categorical, pl.Enum).cast(pl.String), pl.col(pl.Decimal).cast(float)
    )
    return texts.with_columns(pl.col(pl.String).replace("", None))


def storable(series: pl.Series) -> pl.Series:
    """A column as pyreadstat stores it without a change of values."""
    if series.dtype == pl.Boolean:
        return series.cast(pl.Int32)
    if series.dtype == pl.String:  # an empty text is how they say missing
        return series.fill_null("")
    if series.dtype == pl.Null:
        return series.cast(pl.Float64)
    if series.dtype.is_integer():
        largest = max((abs(int(v)) for v in _ends(series)), default=0)
        return series.cast(pl.Int32 if largest <= LARGEST_LONG else pl.Float64)
    return series.cast(pl.Float64) if series.dtype == pl.Float32 else series


def _ends(series: pl.Series) -> list[Any]:
    return [end for end in (series.min(), series.max()) if end is not None]


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


Limit = tuple[str, Callable[[pl.Series], bool]]


def unholdable(
    frame: pl.DataFrame, limits: Sequence[Limit], name_of: Callable[[str], bool]
) -> dict[str, str]:
    """Columns that a program cannot hold, with the reason."""
    reasons = no_text(frame)
    for series in frame.iter_columns():
        for words, is_so in (*COMMON, *limits):
            if series.name not in reasons and is_so(series):
                reasons[series.name] = words
        if not name_of(series.name):
            reasons[series.name] = "a name with other letters or more than it allows"
    return reasons


def alike_names(frame: pl.DataFrame) -> dict[str, str]:
    """Names that are one for a program that does not tell letters by their case."""
    first: dict[str, str] = {}
    reasons = {}
    for name in frame.columns:
        if first.setdefault(name.casefold(), name) != name:
            reasons[name] = "a name that differs from another by its case alone"
    return reasons


def _texts(series: pl.Series) -> pl.Series | None:
    if series.dtype in (pl.Categorical, pl.Enum):
        return series.cast(pl.String)
    return series if series.dtype == pl.String else None


def longer_than(most: int) -> Limit:
    """Text that is longer than a number of bytes."""

    def is_longer(series: pl.Series) -> bool:
        texts = _texts(series)
        return texts is not None and bool((texts.str.len_bytes() > most).any())

    return f"text of more than {most} bytes", is_longer


def _ends_in_space(series: pl.Series) -> bool:
    texts = _texts(series)
    return texts is not None and bool(texts.str.ends_with(" ").any())


def _has_nul(series: pl.Series) -> bool:
    texts = _texts(series)
    return texts is not None and bool(texts.str.contains("\0", literal=True).any())


def _large_integers(series: pl.Series) -> bool:
    if not series.dtype.is_integer():
        return False
    return any(abs(int(end)) > LARGEST_EXACT_INTEGER for end in _ends(series))


def _no_number(series: pl.Series) -> bool:
    return series.dtype.is_float() and bool((~series.is_finite()).any())


def _with_zone(series: pl.Series) -> bool:
    return bool(getattr(series.dtype, "time_zone", None))


def _fine_moments(series: pl.Series) -> bool:
    if series.dtype == pl.Time:
        return bool((series.cast(pl.Int64) % 1_000_000 != 0).any())
    if series.dtype != pl.Datetime:
        return False
    return bool((series.dt.timestamp("us") % 1000 != 0).any())


COMMON: tuple[Limit, ...] = (
    ("text with NUL characters", _has_nul),
    ("whole numbers beyond 2**53", _large_integers),
    ("numbers that are none (NaN) or infinite", _no_number),
    ("moments with a time zone", _with_zone),
    ("times finer than a millisecond", _fine_moments),
)
ENDS_IN_SPACE: Limit = ("text that ends in spaces", _ends_in_space)
