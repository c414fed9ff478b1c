"""Tables of text: what their columns stand for is read before anything else.

A table whose columns are all text has no types, as a text file has none. Its
quasi-identifiers and strata are read as the numbers, dates or categories that they
stand for, whichever interface the table came through.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import narwhals as nw

from microcell.columns._kinds import ENCODERS
from microcell.columns._missing import as_marks, marks_of
from microcell.columns._releasable import type_name
from microcell.columns._text_types import (
    PLAIN,
    Reading,
    date_format,
    known_texts,
    read_text,
)
from microcell.exceptions import InputError, column_error
from microcell.io import NumberLayout, date_layout, layouts_of, number_layout
from microcell.kernels.threads import in_slices

if TYPE_CHECKING:
    import numpy as np


PLAIN_NUMBERS = NumberLayout()
COLUMNS_AT_ONCE = 2  # read by threads; each takes room for a few copies of its text


def is_text_table(frame: nw.DataFrame[Any]) -> bool:
    """Whether all columns of a narwhals dataframe are text, or hold nothing at all."""
    texts = {*texts_among(frame, frame.columns)}
    others = [name for name in frame.columns if name not in texts]
    return bool(texts) and all(frame[name].is_null().all() for name in others)


def texts_among(frame: nw.DataFrame[Any], names: Iterable[str]) -> list[str]:
    """Columns that are there and are text."""
    return [n for n in names if n in frame.columns and frame[n].dtype == nw.String]


def refuse_numbers_as_text(
    frame: nw.DataFrame[Any], names: Sequence[str], kinds: Any, missing_marks: Any
) -> list[str]:
    """Refuse text among typed columns that is mostly numbers or dates, but not only.

    As categories it would be published as it stands, marks of missing values among
    it. Text that is all numbers or all dates may be meant so: it is named.

    Returns
    -------
    notices : list of str
    """
    marks = as_marks(missing_marks)
    return [
        f"column {name!r} is text that stands for numbers or dates, and is masked as "
        "categories; declare its kind if it is not meant so"
        for name in texts_among(frame, names)
        if name not in kinds
        if read_text(frame[name], None, marks.texts(name)).dtype != nw.String
    ]


def columns_to_read(
    frame: nw.DataFrame[Any],
    names: Sequence[str],
    kinds: Mapping[str, Any],
    missing_marks: Any,
    reading: Reading,
    records: np.ndarray | None = None,
) -> list[str]:
    """Columns of text that are read in a table that has types.

    Those that are declared numeric or a date, those that have a format, and numbers
    where the decimal mark is said.
    """
    chosen = []
    for name in texts_among(frame, names):
        kind = reading.kind(name, kinds)
        if kind is None and reading.decimal is not None:
            texts = as_marks(missing_marks).texts(name)
            read = read_text(frame[name], None, texts, records, decimal=reading.decimal)
            kind = "numeric" if read.dtype.is_numeric() else None
        if ENCODERS.of(kind).measured:
            chosen.append(name)
    return chosen


def read_text_table(
    frame: Any,
    names: Sequence[str],
    kinds: Any,
    missing_marks: Any = None,
    reading: Any = PLAIN,
    records: np.ndarray | None = None,
) -> Any:
    """Give the named columns of a table of text the types that they stand for.

    Parameters
    ----------
    frame : narwhals.DataFrame
    names : sequence of str
        Columns to read; those that are not there are left to the schema.
    kinds : mapping
        Declared kinds.
    missing_marks : Marks or sequence of str
        What stands for a missing value; by default the usual texts.
    reading : Reading
        The decimal mark and formats of dates, where they are said.
    records : ndarray of shape (n_samples,), optional
        Number of each record in the table, for errors; by default from 1.

    Returns
    -------
    frame : narwhals.DataFrame
        In the library that it came in.
    layouts : dict
        How columns wrote their numbers and moments, so that they can be written so
        again.
    """
    marks = marks_of(None, True) if missing_marks is None else as_marks(missing_marks)
    texts = texts_among(frame, names)
    columns = [frame[name] for name in texts]
    read: list[Any] = [None] * len(texts)
    found = [None] * len(texts)

    def read_some(some: Any) -> None:
        for i in range(*some.indices(len(texts))):
            name = texts[i]
            kind, own = reading.kind(name, kinds), marks.texts(name)
            format = reading.dates.get(name)
            read[i] = read_text(
                columns[i], kind, own, records, decimal=reading.decimal, format=format
            )
            found[i] = _layout_of(columns[i], own, read[i], reading, kind)

    in_slices(read_some, len(texts), 1, most=COLUMNS_AT_ONCE)
    layouts = {n: v for n, v in zip(texts, found, strict=True) if v is not None}
    return frame.with_columns(*read), layouts


def _layout_of(text: Any, marks: Any, read: Any, reading: Any, kind: Any) -> Any:
    """The layout of a column that was read, if it is not that of programs."""
    if read.dtype.is_numeric():
        if reading.decimal is None:
            return None
        layout = number_layout(known_texts(text, marks), reading.decimal)
        return layout if layout != PLAIN_NUMBERS else None
    if read.dtype != nw.String:
        known = known_texts(text, marks)
        declared = ENCODERS.of(kind).moments
        format = reading.dates.get(read.name) or date_format(known, declared)
        if format is not None:
            return date_layout(known, format)
    return layouts_of(text.to_frame().to_polars(), [text.name]).get(text.name)


def mixed_offsets(layouts: Mapping[str, Any]) -> list[str]:
    """Notices on columns whose moments had several offsets."""
    return [
        f"column {name!r} has moments with several offsets: they are instants, "
        "released in UTC (+00:00)"
        for name, layout in layouts.items()
        if getattr(layout, "mixed", False)
    ]


def check_reading(frames: Any, names: Sequence[str], reading: Any) -> None:
    """Refuse what is said of text where there is none.

    Parameters
    ----------
    frames : sequence of narwhals.DataFrame
        The table as it came, and its release where there is one.
    names : sequence of str
        The columns that text may be in.
    reading : Reading
    """
    texts = {name for frame in frames for name in texts_among(frame, names)}
    if reading.decimal is not None and not texts:
        raise InputError(
            "A decimal mark is one of text, and no quasi-identifier is text.",
            option="decimal",
            hint="Leave it out.",
        )
    for name in reading.dates:
        if name not in texts:
            raise column_error(
                name,
                f"has data type {type_name(frames[0][name])}, so it has no format.",
                hint="Leave it out; only text is read by a format.",
                option="dates",
            )
