"""What the text of a column stands for, found on its distinct values.

The same rules as in `microcell.columns`, which reads whole columns: a column is read
where all of its texts fit, so distinct ones suffice; only what most records hold is
counted by records.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import narwhals as nw
import numpy as np
import polars as pl

from microcell.columns import DECIMAL_MARKS, read_text, what_texts_seem
from microcell.exceptions import SchemaError
from microcell.io import moments_of, proposed_formats


class TextReading(NamedTuple):
    """How a column of text can be read.

    Attributes
    ----------
    values : polars.Series
        What each distinct text stands for; text if it stays so.
    mixed : {"", "numbers", "dates"}
        What most records hold, but not all: such a column is refused.
    formats : tuple of str
        Formats that all texts have, if they need one; several if they cannot be told
        apart.
    decimals : tuple of str
        Decimal marks by which all texts are numbers, where most records look like some.
    """

    values: pl.Series
    mixed: str = ""
    formats: tuple[str, ...] = ()
    decimals: tuple[str, ...] = ()


def read_distinct(
    texts: pl.Series, counts: np.ndarray, decimal: str | None = None
) -> TextReading:
    """What distinct texts stand for.

    Parameters
    ----------
    texts : polars.Series
        Distinct, without missing values and marks of them.
    counts : ndarray of shape (n_distinct,)
        Records that have each.
    decimal : {".", ","}, optional
        The decimal mark of the table.

    Examples
    --------
    >>> born = pl.Series("born", ["31/12/1980", "01/02/1990"])
    >>> read_distinct(born, np.array([3, 4])).formats
    ('%d/%m/%Y',)
    >>> read_distinct(pl.Series("bmi", ["27,5", "31,25"]), np.array([3, 4])).decimals
    (',',)
    """
    if texts.is_empty():
        return TextReading(texts)
    typed = _typed_or_none(texts, decimal=decimal)
    if typed is not None and typed.dtype != pl.String:
        return TextReading(typed)
    plain = texts.str.strip_chars()
    seems = what_texts_seem(plain, decimal, counts)
    if seems == "text":
        return TextReading(texts)
    if seems == "mostly dates":
        return _as_dates(texts, plain)
    decimals = [
        mark
        for mark in DECIMAL_MARKS
        if decimal is None and _typed_or_none(texts, "numeric", mark) is not None
    ]
    return TextReading(texts, "numbers", decimals=tuple(decimals))


def _as_dates(texts: pl.Series, plain: pl.Series) -> TextReading:
    fitting = [
        format
        for format in proposed_formats(plain)
        if moments_of(plain, format).is_not_null().all()
    ]
    for format in fitting:
        typed = _typed_or_none(texts, format=format)
        if typed is not None:
            return TextReading(typed, formats=tuple(fitting))
    return TextReading(texts, "dates")


def _typed_or_none(
    texts: pl.Series,
    kind: Any = None,
    decimal: str | None = None,
    format: str | None = None,
) -> pl.Series | None:
    """The texts as `prepare` reads them; None if it refuses them."""
    series = nw.from_native(texts, series_only=True)
    try:
        read = read_text(series, kind, decimal=decimal, format=format)
    except SchemaError:
        return None
    return read.to_native()
