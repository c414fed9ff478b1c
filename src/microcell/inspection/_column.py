"""One column, looked at: its distinct values, how they read, and what marks gaps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import narwhals as nw
import numpy as np
import polars as pl
import pyarrow as pa

from microcell.columns import ENCODERS, MISSING_MARKS, arrow_values, kind_of
from microcell.exceptions import SchemaError
from microcell.inspection._marks import date_marks, is_mark_word, labelled_none
from microcell.inspection._reading import TextReading, read_distinct
from microcell.io import ColumnNotes
from microcell.pipeline import marks_among
from microcell.recognition import sense_of

Enough = Callable[["Column", int], bool]  # people have a value


@dataclass
class Column:
    """What is known of a column; values are kept here and shown nowhere.

    Attributes
    ----------
    name : str
    text : bool
        Whether it came as text.
    codes : ndarray of shape (n_records,)
        The distinct value that each record has; -1 is missing.
    values : polars.Series
        Distinct values, as they read.
    counts : ndarray of shape (n_distinct,)
        Records that have each.
    kind : str or None
        What `microcell.columns` would take it for; None if it refuses it.
    reading : TextReading or None
        How its text reads.
    marks : tuple of str
        What seems to mark missing values, of at least k people each.
    hidden_marks : bool
        Whether there are such that fewer people have, which are not to be shown.
    unmarked_dates : bool
        Whether there are dates that mark missing ones in a column that is no text,
        where no mark can name them.
    n_marked : int
        Records that the marks are of.
    label : str
        What the file calls it beside its name.
    labelled_none : list of float
        Numbers that the file labels as no answer.
    """

    name: str
    text: bool = False
    codes: np.ndarray = field(default_factory=lambda: np.empty(0, np.int64))
    values: pl.Series = field(default_factory=pl.Series)
    counts: np.ndarray = field(default_factory=lambda: np.empty(0, np.int64))
    kind: str | None = None
    reading: TextReading | None = None
    marks: tuple[str, ...] = ()
    hidden_marks: bool = False
    unmarked_dates: bool = False
    n_marked: int = 0
    label: str = ""
    labelled_none: list[float] = field(default_factory=list)

    @property
    def encoder(self) -> Any:
        """The encoder of its kind."""
        return ENCODERS.of(self.kind)

    @property
    def called(self) -> str:
        """Its name; where that says nothing, as in V12, its label."""
        return self.label if self.label and sense_of(self.name) is None else self.name

    @property
    def n_records(self) -> int:
        """Records of the table."""
        return int(self.codes.size)

    @property
    def n_known(self) -> int:
        """Records that have a value."""
        return int(self.counts.sum())

    @property
    def n_missing(self) -> int:
        """Records that have none."""
        return self.n_records - self.n_known

    @property
    def n_distinct(self) -> int:
        """Distinct values, without what is missing."""
        return int(self.counts.size)

    @property
    def alone(self) -> float:
        """Share of the records with a value that are alone with it."""
        return float(np.sum(self.counts == 1) / max(self.n_known, 1))

    @property
    def sizes(self) -> np.ndarray:
        """Records that look alike in this column; missing ones do."""
        return np.append(self.counts, self.n_missing) if self.n_missing else self.counts

    @property
    def whole(self) -> bool:
        """Whether all values are whole numbers."""
        if not self.values.dtype.is_numeric() or self.values.is_empty():
            return False
        numbers = self.values.cast(pl.Float64).to_numpy()
        return bool((numbers == np.rint(numbers)).all())


def look_at(
    series: Any,
    k: int,
    *,
    as_text: bool,
    decimal: str | None = None,
    people: np.ndarray | None = None,
    notes: ColumnNotes | None = None,
) -> Column:
    """Look at a column: O(n) by hashing, and all else on its distinct values.

    Parameters
    ----------
    series : narwhals.Series
    k : int
        A mark that fewer people have is not told.
    as_text : bool
        Whether the table is one of text, where the usual marks stand for missing.
    decimal : {".", ","}, optional
        The decimal mark of the table.
    people : ndarray of shape (n_records,), optional
        Whose record each is; by default every record is a person.
    notes : ColumnNotes, optional
        What the file says of it.

    Returns
    -------
    column : Column
        With no codes if its values cannot be told apart.
    """
    encoded = _dictionary(series)
    label = "" if notes is None else notes.label
    if encoded is None:
        return Column(series.name, label=label)
    codes, values = encoded
    text = values.dtype == pl.String
    column = Column(series.name, series.dtype == nw.String, codes, values, label=label)
    if notes is not None:
        column.labelled_none = labelled_none(notes.values)
    _without_missing(column, MISSING_MARKS if as_text and text else ())

    def enough(column: Column, code: int) -> bool:
        """Whether at least k people have a value."""
        if people is None:
            return bool(column.counts[code] >= k)
        return np.unique(people[column.codes == code]).size >= k

    if column.text:
        _read(column, enough, as_text, decimal)
    _set_numbers_apart(column, enough)
    column.kind = _kind_or_none(column, series)
    return column


def _dictionary(series: Any) -> tuple[np.ndarray, pl.Series] | None:
    """Codes and distinct values; None for types whose values cannot be told apart."""
    try:
        encoded = arrow_values(series).dictionary_encode()
    except (SchemaError, pa.ArrowException):
        return None
    indices = encoded.indices.fill_null(-1)
    codes = indices.to_numpy(zero_copy_only=False).astype(np.int64)
    try:
        values = pl.Series(series.name, encoded.dictionary)
    except (pl.exceptions.PolarsError, ValueError):
        return None
    return codes, values


def _without_missing(column: Column, marks: Any) -> None:
    """Let null, not a number and the usual marks be missing, and count the rest."""
    values = column.values
    gone = values.is_null()
    if values.dtype.is_float():
        gone = gone | values.is_nan().fill_null(True)
    if marks and values.dtype == pl.String:
        gone = gone | values.is_in(list(marks)).fill_null(True)
    _leave_out(column, gone.to_numpy())


def _leave_out(column: Column, gone: np.ndarray) -> None:
    """Let some distinct values be missing."""
    new = np.where(gone, -1, np.cumsum(~gone) - 1)
    if gone.any():
        column.codes = np.append(new, -1)[column.codes]
        column.values = column.values.filter(pl.Series(~gone))
    known = column.codes[column.codes >= 0]
    column.counts = np.bincount(known, minlength=len(column.values))


def _set_apart(
    column: Column, marked: np.ndarray, text: Callable[[int], Any], enough: Enough
) -> None:
    """Let values be missing that mark it, if enough people have them."""
    gone = np.zeros(len(marked), dtype=bool)
    for code in map(int, np.flatnonzero(marked)):
        if enough(column, code):
            gone[code] = True
            column.marks += (str(text(code)),)
        else:
            column.hidden_marks = True
    column.n_marked += int(column.counts[gone].sum())
    _leave_out(column, gone)


def _read(column: Column, enough: Enough, as_text: bool, decimal: str | None) -> None:
    """Read text, after words and before dates that mark missing values."""
    words = is_mark_word(column.values, also_empty=not as_text)
    _set_apart(column, words, column.values.item, enough)
    column.reading = read_distinct(column.values, column.counts, decimal)
    if column.reading.values.dtype == pl.String:
        return
    texts, column.values = column.values, column.reading.values
    _set_apart(column, date_marks(column.values, column.counts), texts.item, enough)
    _join_equal(column)


def _join_equal(column: Column) -> None:
    """Let texts that read as one value be one: 1, 1.0 and 01."""
    distinct = column.values.unique(maintain_order=True)
    if len(distinct) == len(column.values):
        return
    places = pl.DataFrame({"value": distinct}).with_row_index("place")
    found = column.values.to_frame("value").join(
        places, on="value", how="left", maintain_order="left"
    )
    column.codes = np.append(found["place"].to_numpy().astype(np.int64), -1)[
        column.codes
    ]
    column.values = distinct
    known = column.codes[column.codes >= 0]
    column.counts = np.bincount(known, minlength=len(distinct))


def _set_numbers_apart(column: Column, enough: Enough) -> None:
    """Let numbers and dates be missing that seem to mark it."""
    if column.values.is_empty():
        return
    if column.values.dtype.is_temporal() and not column.text:
        column.unmarked_dates = bool(date_marks(column.values, column.counts).any())
        return
    if not column.values.dtype.is_numeric():
        return
    numbers = column.values.cast(pl.Float64).to_numpy()
    order = np.argsort(numbers, kind="stable")
    found = marks_among(numbers[order], column.counts[order], column.called)
    marked = np.isin(numbers, [mark for mark, _ in found])
    marked |= np.isin(numbers, column.labelled_none)
    _set_apart(column, marked, lambda code: int(numbers[code]), enough)


def _kind_or_none(column: Column, series: Any) -> str | None:
    """The kind that a column has by its data type; None if there is none."""
    if column.values.is_empty():
        return None
    if column.reading is not None and column.reading.mixed:
        return None
    of_categories = series.dtype in (nw.Categorical, nw.Enum)
    values = (
        series if of_categories else nw.from_native(column.values, series_only=True)
    )
    try:
        return str(kind_of(values))
    except SchemaError:
        return None
