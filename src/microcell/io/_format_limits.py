"""What formats of other programs would change: limits that columns are held against."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import polars as pl

from microcell._patterns import MAX_EXACT_INTEGER
from microcell.io._format import CODED, no_text

Limit = tuple[str, Callable[[pl.Series], bool]]


def beyond(frame: pl.DataFrame, limits: Sequence[Limit]) -> dict[str, str]:
    """Columns that cross a limit, with its words; the first that each does.

    Examples
    --------
    >>> frame = pl.DataFrame({"age": [31.5, float("nan")], "sex": ["f", "m"]})
    >>> beyond(frame, COMMON)
    {'age': 'numbers that are none (NaN) or infinite'}
    """
    reasons = no_text(frame)
    for series in frame.iter_columns():
        for words, is_crossed in limits:
            if series.name not in reasons and is_crossed(series):
                reasons[series.name] = words
    return reasons


def shown_without_empty(
    frame: pl.DataFrame, layouts: Mapping[str, Any]
) -> pl.DataFrame:
    """An empty text is a missing one; categories are text, and decimals are numbers."""
    texts = frame.with_columns(
        pl.col(pl.Categorical, pl.Enum).cast(pl.String), pl.col(pl.Decimal).cast(float)
    )
    return texts.with_columns(pl.col(pl.String).replace("", None))


def of_texts(words: str, is_crossed: Callable[[pl.Series], pl.Series]) -> Limit:
    """A limit of text, also of text that is held as codes."""

    def crosses(series: pl.Series) -> bool:
        is_text = series.dtype == pl.String or series.dtype in CODED
        return is_text and bool(is_crossed(series.cast(pl.String)).any())

    return words, crosses


def before(day: datetime.date, words: str) -> Limit:
    """Dates before the first day that a program counts."""

    def crosses(series: pl.Series) -> bool:
        is_day = series.dtype in (pl.Date, pl.Datetime)
        return is_day and bool((series.cast(pl.Date) < day).any())

    return words, crosses


def ends_of(series: pl.Series) -> list[int]:
    """The smallest and the largest of integers, if there are any."""
    return [int(end) for end in (series.min(), series.max()) if end is not None]  # type: ignore[arg-type]


def _large_integers(series: pl.Series) -> bool:
    is_whole = series.dtype.is_integer()
    return is_whole and any(abs(e) > MAX_EXACT_INTEGER for e in ends_of(series))


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
    ("whole numbers beyond 2**53", _large_integers),
    ("numbers that are none (NaN) or infinite", _no_number),
    ("moments with a time zone", _with_zone),
    ("times finer than a millisecond", _fine_moments),
)
