"""Confidential columns as what they stand for: for counting alone.

They are released as they came, to the letter. Promises, disclosure and methods that
shape cells by them look at the numbers, dates or ordered values that they hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import narwhals as nw
import numpy as np
import polars as pl

from microcell.columns._encoder import fit_encoder
from microcell.columns._kinds import ENCODERS
from microcell.columns._missing import as_marks, is_missing
from microcell.columns._numeric import as_numbers, exact_numbers
from microcell.columns._series import dictionary
from microcell.columns._text_types import (
    DECIMAL_MARKS,
    MISSING_MARKS,
    known_texts,
    read_text,
)
from microcell.exceptions import SchemaError, column_error
from microcell.io import number_layout

DECIMAL_OF_OTHERS = (
    "numbers of the table are read and written with decimal commas, as other columns "
    "have them; say the decimal mark if it is not meant so"
)


class ConfidentialReading(NamedTuple):
    """How the values of confidential columns are compared.

    Attributes
    ----------
    names : tuple of str
        The columns that are read; others are compared as they stand.
    kinds : mapping
        Their declared kinds, where there are any.
    decimal : {".", ","} or None
        The decimal mark of numbers that are text. By default it is found out where
        a column can be read in one way only.
    marks : tuple of str
        Texts that stand for a missing value among numbers and dates.
    """

    names: tuple[str, ...] = ()
    kinds: Mapping[str, Any] = {}
    decimal: str | None = None
    marks: tuple[str, ...] = MISSING_MARKS

    def read(self, table: Any) -> Any:
        """The table with its confidential columns as numbers and dates.

        Examples
        --------
        >>> table = pl.DataFrame({"pay": ["9,5", "10", "NA"], "ill": ["flu", "", "x"]})
        >>> ConfidentialReading(("pay", "ill")).read(table)["pay"].to_list()
        [9.5, 10.0, None]
        """
        frame = nw.from_native(table, eager_only=True)
        there = [name for name in self.names if name in frame.columns]
        read = [self.column(frame[name]) for name in there]
        return frame.with_columns(*read).to_native() if read else table

    def column(self, series: nw.Series[Any]) -> nw.Series[Any]:
        """A column as its declared kind, or as what its text stands for."""
        kind, is_text = self.kinds.get(series.name), series.dtype == nw.String
        if kind is None:
            return self._text(series) if is_text else series
        encoder = ENCODERS.of(kind)
        if encoder.measured and is_text:
            return read_text(series, kind, self.marks, decimal=self.decimal)
        if encoder.measured and series.dtype != nw.Boolean:
            return series
        marks = self.marks if is_text else ()
        there = ~is_missing(series, ("",) if encoder.nominal else marks)
        if not there.any() and not encoder.nominal:
            return series
        known = series.filter(there.tolist())
        dtype: Any = nw.Float64()
        values: Any = np.full(len(series), np.nan)
        if encoder.nominal:  # text that nobody takes for numbers or dates
            codes, texts = dictionary(known)
            dtype, values = nw.String(), np.full(len(series), None, dtype=object)
            values[there] = np.array([f"= {t}" for t in texts], dtype=object)[codes]
            values = values.tolist()
        else:  # numbers, or places in a declared order
            values[there] = declared_values(known, kind, self.decimal)
        return nw.new_series(series.name, values, dtype, backend=series.implementation)

    def notices(self, table: Any) -> list[str]:
        """Columns that look like numbers or dates and are compared as categories."""
        frame = nw.from_native(table, eager_only=True)
        return [
            f"column {name!r} is text that looks like numbers or dates and cannot be "
            "read as such in one way: its values are compared as categories; say its "
            "decimal mark or its kind"
            for name in self.names
            if name in frame.columns
            and name not in self.kinds
            and frame[name].dtype == nw.String
            and self.column(frame[name]).dtype == nw.String
            and self._tried(frame[name], self.decimal) is None
        ]

    def _text(self, series: nw.Series[Any]) -> nw.Series[Any]:
        for mark in dict.fromkeys((self.decimal, None)):
            read = self._tried(series, mark)
            if read is not None and read.dtype != nw.String:
                return read
        if self.decimal is None:
            mark = found_decimal(known_texts(series, self.marks))
            if mark is not None:
                return read_text(series, "numeric", self.marks, decimal=mark)
        return series

    def _tried(
        self, series: nw.Series[Any], decimal: str | None
    ) -> nw.Series[Any] | None:
        """What the text seems to be; None if it is mostly numbers, but not only."""
        try:
            return read_text(series, None, self.marks, decimal=decimal)
        except SchemaError:
            return None


AS_IT_IS = ConfidentialReading()


def declared_values(series: Any, kind: Any, decimal: Any = None) -> Any:
    """Values of a column that is declared to be of a kind, as floats."""
    if ENCODERS.of(kind).measured and series.dtype == nw.String:
        series = read_text(series, kind, decimal=decimal)
    return fit_encoder(series, kind).encode(series)


def found_decimal(known: pl.Series) -> str | None:
    """The decimal mark of texts that are numbers by one mark only, or the same by both.

    Parameters
    ----------
    known : polars.Series
        Texts without missing values and spaces around them.

    Examples
    --------
    >>> found_decimal(pl.Series(["12,5", "1.234,0"]))
    ','
    >>> found_decimal(pl.Series(["1,234", "999"]))  # 1.234 or 1234
    """
    if known.is_empty():
        return None
    numbers = {}
    for mark in DECIMAL_MARKS:
        layout = number_layout(known, mark)
        if known.str.contains(layout.pattern).all():
            numbers[mark] = layout.plain(known).cast(pl.Float64)
    if len(numbers) == 2 and not numbers["."].equals(numbers[","]):
        return None
    return next(iter(numbers), None)


def decimal_of_others(masked: pl.DataFrame, beside: pl.DataFrame) -> bool:
    """Whether other columns of a text file say that numbers have decimal commas.

    Whole numbers do not show it, and their means are to be written as the others are.

    Parameters
    ----------
    masked : polars.DataFrame
        Quasi-identifiers, as text; a number with a point among them speaks against it.
    beside : polars.DataFrame
        What is released as it is.

    Examples
    --------
    >>> beside = pl.DataFrame({"pay": ["9,5", "10"], "ill": ["flu", "gout"]})
    >>> decimal_of_others(pl.DataFrame({"age": ["31", "40"]}), beside)
    True
    """
    marks = {_used_decimal(column) for column in beside} - {None}
    points = "^[+-]?[0-9]*[.][0-9]+$"
    pointed = (_known(column).str.contains(points).any() for column in masked)
    return marks == {","} and not any(pointed)


def _used_decimal(column: pl.Series) -> str | None:
    """The decimal mark of a column whose numbers have one; None of whole numbers."""
    known = _known(column)
    mark = found_decimal(known)
    return mark if mark and known.str.contains(mark, literal=True).any() else None


def _known(column: pl.Series) -> pl.Series:
    texts = column if column.dtype == pl.String else pl.Series([], dtype=pl.String)
    return known_texts(nw.from_native(texts, series_only=True), MISSING_MARKS)


def target_values(
    frame: Any,
    name: str,
    kind: Any = None,
    missing_marks: Any = (),
    decimal: str | None = None,
) -> np.ndarray:
    """Numbers as they are, also if they are written as text; categories as codes.

    Parameters
    ----------
    frame : narwhals.DataFrame
    name : str
        The attribute; it must have no missing values.
    kind : str, sequence or None
        The kind it is declared to be.
    missing_marks : Marks or sequence of str
        What stands for a missing value.
    decimal : {".", ","}, optional
        The decimal mark of numbers that are text.

    Returns
    -------
    y : ndarray of shape (n_samples,)
        Floats for numbers with fractions; integers for whole numbers and categories.
    """
    series = frame[name]
    n_missing = int(is_missing(series, missing_marks).sum())
    if n_missing:
        raise column_error(
            name,
            f"is to shape cells but has {n_missing} missing value(s).",
            hint="Fill them, or choose another target or method.",
            option="target",
        )
    if kind is not None:
        return _whole(declared_values(series, kind, decimal))
    if series.dtype == nw.String:  # as a text file has them
        marks = as_marks(missing_marks).texts(name)
        read = ConfidentialReading((name,), {}, decimal, marks).column(series)
        if read.dtype.is_numeric():
            return _whole(exact_numbers(as_numbers(read)))
    if series.dtype.is_numeric():
        y = exact_numbers(as_numbers(series))
        return y.astype(np.int64) if series.dtype.is_integer() else y
    return dictionary(series)[0]


def check_kind(
    frame: Any, name: str, kind: Any, missing_marks: Any = (), decimal: Any = None
) -> None:
    """Refuse a kind that a confidential column is declared to be and is not."""
    series = frame[name]
    present = ~is_missing(series, missing_marks)
    if present.any():
        declared_values(series.filter(present.tolist()), kind, decimal)


def _whole(y: Any) -> Any:
    return y.astype(np.int64) if (y == np.rint(y)).all() else y
