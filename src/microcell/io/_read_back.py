"""What was written, compared with what should have been, value by value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from microcell.exceptions import InputError
from microcell.io._format import CODED, Format, Source
from microcell.io._notes import ColumnNotes

SLICE = 100_000  # records compared at a time, so that no second table is made


def check_read_back(
    frame: pl.DataFrame,
    layouts: Mapping[str, Any],
    format: Format,
    back: Source,
    path: str | Path,
    name: str | Path,
) -> list[str]:
    """Refuse a file that does not hold what was written to it.

    Parameters
    ----------
    frame : polars.DataFrame
        What was written.
    layouts : mapping
        How it was written, and what was noted of its columns.
    format : Format
    back : Source
        What was read from the file by the format's own reader.
    path, name : path
        The file, and what it is called in errors.

    Returns
    -------
    readers : list of str
        The libraries that read the same.

    Raises
    ------
    InputError
        That names the columns, and no value.
    """
    readers = [format.reader or format.name]
    changed = changed_columns(frame, layouts, format, back.frame, back.notes)
    _require(changed or _changed_notes(frame, layouts, format, back), readers[0], name)
    second = None if format.second is None else format.second(path)
    if second is not None:
        library, again = second
        readers.append(library)
        plain = {n: v for n, v in layouts.items() if not isinstance(v, ColumnNotes)}
        _require(changed_columns(frame, plain, format, again), library, name)
    return readers


def _require(changed: list[str], reader: str, name: str | Path) -> None:
    if changed:
        raise InputError(
            f"Columns {changed} of {name} were not read back by {reader} as they were "
            "written. Nothing is published.",
            column=changed[0],
            hint="Convert them or leave them out, or write a .parquet file.",
        )


def changed_columns(
    frame: pl.DataFrame,
    layouts: Mapping[str, Any],
    format: Format,
    found: pl.DataFrame,
    notes: Mapping[str, Any] | None = None,
) -> list[str]:
    """Columns of a file that are not what a table holds, as the format shows it.

    Parameters
    ----------
    frame : polars.DataFrame
        What was written.
    layouts : mapping
        How it was written, and what was noted of its columns.
    format : Format
    found : polars.DataFrame
        What was read.
    notes : mapping, optional
        What the file notes of its columns.

    Examples
    --------
    >>> from microcell.io import format_of
    >>> written = pl.DataFrame({"age": [31.5, 60.0], "ill": ["flu", None]})
    >>> read = pl.DataFrame({"age": ["31.5", "60.0"], "ill": ["flu", "gout"]})
    >>> changed_columns(written, {}, format_of("t.csv"), read)
    ['ill']
    """
    if frame.columns != found.columns or frame.height != found.height:
        return [n for n in frame.columns if n not in found.columns] or frame.columns
    changed: dict[str, None] = {}
    for start in range(0, frame.height, SLICE):
        part = format.shown(frame.slice(start, SLICE), _at(layouts, start))
        beside = format.shown(found.slice(start, SLICE), _at(notes or {}, start))
        for name in part.columns:
            if name not in changed and not same_values(part[name], beside[name]):
                changed[name] = None
    return list(changed)


def _at(layouts: Mapping[str, Any], start: int) -> dict[str, Any]:
    """Layouts of the records of a slice."""
    return {
        name: layout._replace(kinds=layout.kinds.slice(start, SLICE))
        if getattr(layout, "kinds", None) is not None
        else layout
        for name, layout in layouts.items()
    }


def same_values(written: pl.Series, found: pl.Series) -> bool:
    """Whether two columns hold the same; types may be as wide as a file needs them."""
    if written.dtype.is_nested():
        return written.equals(found, null_equal=True)
    if written.null_count() == len(written):
        return _blank_as_null(found).null_count() == len(found)
    return any(
        one.dtype == other.dtype and bool(one.eq_missing(other).all())
        for one, other in _alike(written, found)
    )


def _alike(one: pl.Series, other: pl.Series) -> Iterator[tuple[pl.Series, pl.Series]]:
    """The two columns in a type that both may have; no pair if there is none."""
    if one.dtype in CODED:
        one = one.cast(pl.String)
    if other.dtype in CODED:
        other = other.cast(pl.String)
    if one.dtype == other.dtype:
        yield one, other
    elif other.dtype == pl.String:
        yield one, _read_as(_blank_as_null(other), one.dtype)
    elif one.dtype == pl.Boolean and other.dtype.is_numeric():
        yield one.cast(pl.Int64), other.cast(pl.Int64, strict=False)
    elif one.dtype.is_numeric() and other.dtype.is_numeric():
        integers = one.dtype.is_integer() and other.dtype.is_integer()
        wide = pl.Int128 if integers else pl.Float64
        yield one.cast(wide), other.cast(wide)
    elif one.dtype == pl.Time and other.dtype == pl.Datetime:
        yield one, other.dt.time()
    elif one.dtype in (pl.Date, pl.Datetime) and other.dtype in (pl.Date, pl.Datetime):
        moments = one.dtype if one.dtype == pl.Datetime else pl.Datetime("us")
        if getattr(other.dtype, "time_zone", None) == moments.time_zone:  # type: ignore
            yield one.cast(moments), other.cast(moments)


def _blank_as_null(series: pl.Series) -> pl.Series:
    return series.replace("", None) if series.dtype == pl.String else series


def _read_as(text: pl.Series, dtype: Any) -> pl.Series:
    """Text of a file as the type that was written."""
    if dtype == pl.Boolean:
        return text.replace_strict({"true": True, "false": False}, default=None)
    if dtype == pl.Date:
        return text.str.to_date("%Y-%m-%d", strict=False)
    if dtype == pl.Time:
        return text.str.to_time("%H:%M:%S%.f", strict=False)
    return text.cast(dtype, strict=False)


def _changed_notes(
    frame: pl.DataFrame, layouts: Mapping[str, Any], format: Format, back: Source
) -> list[str]:
    """Columns whose labels are not those that were written."""
    changed = []
    for name, notes in format.noted(layouts, frame).items():
        found = back.notes[name]
        labels = (dict(found.values), found.label)
        if labels != (dict(notes.values), notes.label):
            changed.append(name)
    return changed
